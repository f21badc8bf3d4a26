//! Rubik's Cube of size 3 in few twists at once: not the fewest.
//!
//! Method: H. Kociemba's two-phase algorithm (1992). The first phase brings the cube to where up, down and half turns of the
//! other faces solve it ([`cosets`](super::cosets), whose exact distances prune it), the second solves it with those; first
//! phases of rising length are tried, along each of the three axes, of the cube and of its inverse, until both phases
//! together are short enough (the six searches are T. Rokicki's and S. Tomas's idea).
//! Two tables for the first phase: exact distances, which take seconds to build ([`two_phase()`], for solvers), and lower bounds,
//! which take a moment ([`Quick`], for players).
//! Handled: half turns as single twists only.
//! Promise: the twists solve the cube and are at most as many as asked for.
//! Checked: random cubes are solved, with as many twists as asked for at most; the tables against breadth first search.

use std::cell::Cell;
use std::sync::OnceLock;

use raichi_core::erased::create;
use raichi_games::rubiks_cube::{Cube, Face, RubiksCube, Twist};
use raichi_solve::{Unsolved, Work};

use super::cosets::{Coset, MIDDLE, MOST_TWISTS, Table};
use super::cubies::{Cubies, Image, rank, unrank};
use super::few_bounds::FewBounds;
use super::sequences::{START, Sequences};

const N_ORDERS: usize = 40_320;
const N_MIDDLES: usize = 24;
/// Places of four different edges.
const N_PLACES: usize = 11_880;
/// The edges of up and of down; their slots are those outside the middle.
const UP: [u8; 4] = [0, 1, 3, 4];
const DOWN: [u8; 4] = [6, 7, 9, 10];
/// The longest second phase that is tried: longer ones are many, and seldom shorter in all.
const LONGEST_SECOND: u32 = 10;
const N_VARIANTS: usize = 6;
const UNKNOWN: u8 = u8::MAX;

/// Twists that solve the cube, at most so many.
///
/// # Errors
/// When the time or the memory does not suffice, and where half turns are not single twists.
///
/// # Panics
/// When the size is not 3.
pub fn two_phase(game: &RubiksCube, cube: &Cube, max_twists: u32, work: &Work<'_>) -> Result<Vec<Twist>, Unsolved> {
    assert_eq!(game.size(), 3, "there are two phases for size 3");
    if !game.has_half_turns() {
        return Err(Unsolved::Unknown("the two phases are known in the metric htm only".into()));
    }
    let table = Table::of(game, work)?;
    let is_over = || work.is_over();
    let effort = Effort::new(u64::MAX, &is_over);
    match solve(Phases::of(game), table, cube, max_twists, &effort) {
        Some(twists) => Ok(twists),
        None if effort.late.get() => Err(Unsolved::OutOfTime),
        // A second phase that is longer than those tried would be needed.
        None => Err(Unsolved::Unknown(format!("no solution of at most {max_twists} twists was found in two phases"))),
    }
}

/// The same with tables of a few megabytes that are built in a moment, within an effort: for players, which have no time
/// for more.
pub(super) struct Quick {
    phases: &'static Phases,
    bounds: FewBounds,
}

impl Quick {
    /// The tables, built once in a process, for any game of size 3.
    pub(super) fn tables() -> &'static Quick {
        static BUILT: OnceLock<Quick> = OnceLock::new();
        BUILT.get_or_init(|| {
            let game =
                create::<RubiksCube>(Some("size=3")).expect("half turns are single twists where nothing is said");
            Quick { phases: Phases::of(game.game()), bounds: FewBounds::new(game.game()) }
        })
    }

    /// Twists that solve the cube, at most so many, half turns counted as one; `None` where none were found.
    pub(super) fn solve(&self, cube: &Cube, max_twists: u32, effort: &Effort<'_>) -> Option<Vec<Twist>> {
        solve(self.phases, &self.bounds, cube, max_twists, effort)
    }
}

/// Distances to where the second phase begins.
pub(super) trait FirstPhase {
    /// The coset after a twist.
    fn after(&self, coset: Coset, twist: usize) -> Coset;

    /// No fewer twists lead to the second phase; 0 only where it can begin.
    fn distance(&self, coset: Coset) -> u8;
}

impl FirstPhase for Table {
    #[inline]
    fn after(&self, coset: Coset, twist: usize) -> Coset {
        self.cosets.after(coset, twist)
    }

    #[inline]
    fn distance(&self, coset: Coset) -> u8 {
        Table::distance(self, coset)
    }
}

/// What the searches may spend together, and what they have spent.
pub(super) struct Effort<'a> {
    pub(super) n_nodes: Cell<u64>,
    most_nodes: u64,
    is_over: &'a dyn Fn() -> bool,
    late: Cell<bool>,
}

impl<'a> Effort<'a> {
    /// At most so many nodes; `is_over` is asked from time to time.
    pub(super) fn new(most_nodes: u64, is_over: &'a dyn Fn() -> bool) -> Effort<'a> {
        Effort { n_nodes: Cell::new(0), most_nodes, is_over, late: Cell::new(false) }
    }

    #[inline]
    fn is_spent(&self) -> bool {
        let n_nodes = self.n_nodes.get();
        if n_nodes >= self.most_nodes || n_nodes % 1024 == 1023 && (self.is_over)() {
            self.late.set(true);
        }
        if !self.late.get() {
            self.n_nodes.set(n_nodes + 1);
        }
        self.late.get()
    }
}

/// First phases of rising length, each of the six searches in turn.
fn solve<T: FirstPhase>(
    phases: &Phases,
    table: &T,
    cube: &Cube,
    max_twists: u32,
    effort: &Effort<'_>,
) -> Option<Vec<Twist>> {
    let cubies = Cubies::of(cube);
    let inverse = cubies.inverse();
    let search = |nth: usize| {
        let seen = phases.axes[nth % 3].cubies(if nth < 3 { &cubies } else { &inverse });
        Search::new(phases, table, effort, &seen)
    };
    let mut searches: Vec<Search<'_, T>> = (0..N_VARIANTS).map(search).collect();
    for length in 0..=max_twists {
        for (nth, search) in searches.iter_mut().enumerate() {
            if search.least <= length && search.try_first(length, max_twists) {
                return Some(phases.as_asked(&search.path, nth));
            }
            if effort.late.get() {
                return None;
            }
        }
    }
    None
}

/// What twists do in the second phase, and the distances there.
struct Phases {
    twists: &'static [Twist],
    axes: [Image; 3],
    sequences: Sequences,
    /// The numbers of the twists that the second phase has.
    second: Vec<u8>,
    /// By number, then by twist: the order of the corners, and the places of four edges.
    corners: Vec<[u16; MOST_TWISTS]>,
    places: Vec<[u16; MOST_TWISTS]>,
    /// The same for the orders of the edges of up and down and of those of the middle, by twists of the second phase.
    edges: Vec<[u16; MOST_TWISTS]>,
    middles: Vec<[u16; MOST_TWISTS]>,
    /// Distances by order of the corners, or of the edges of up and down, and order of the middle.
    by_corners: Vec<u8>,
    by_edges: Vec<u8>,
}

/// A cube in the second phase: the orders of corners, edges of up and down, and edges of the middle.
#[derive(Clone, Copy)]
struct Second {
    corners: u16,
    edges: u16,
    middle: u16,
}

impl Phases {
    /// Built once in a process, for the metric in which half turns are single twists.
    fn of(game: &RubiksCube) -> &'static Phases {
        static BUILT: OnceLock<Phases> = OnceLock::new();
        BUILT.get_or_init(|| Phases::new(game))
    }

    fn new(game: &RubiksCube) -> Phases {
        let twists = game.twists();
        let motions: Vec<Cubies> = twists.iter().map(|&twist| Cubies::of_twist(twist)).collect();
        let by_twist = |after: &dyn Fn(&Cubies) -> usize| -> [u16; MOST_TWISTS] {
            std::array::from_fn(|nth| after(&motions[nth]) as u16)
        };
        let is_second = |twist: &Twist| matches!(twist.face(), Face::U | Face::D) || twist.quarters() == 2;
        let second: Vec<u8> = (0..18).filter(|&nth| is_second(&twists[usize::from(nth)])).collect();
        let corners = |number: usize| {
            let order: [u8; 8] = unrank(number);
            by_twist(&|motion| rank(&motion.corners.map(|from| order[usize::from(from)])))
        };
        let places = |number: usize| {
            let slots = unrank_places(number);
            by_twist(&|motion| rank_places(slots.map(|slot| arrives(motion, slot))))
        };
        // In the second phase the eight slots outside the middle exchange their edges, and so do the four of the middle.
        let outside: [u8; 8] = std::array::from_fn(|nth| if nth < 4 { UP[nth] } else { DOWN[nth - 4] });
        let edges = |number: usize| {
            let order: [u8; 8] = unrank(number);
            by_twist(&|motion| permuted(&order, &outside, motion).map_or(0, |order| rank(&order)))
        };
        let middles = |number: usize| {
            let order: [u8; 4] = unrank(number);
            by_twist(&|motion| permuted(&order, &MIDDLE, motion).map_or(0, |order| rank(&order)))
        };
        let mut phases = Phases {
            twists,
            axes: [0, 1, 2].map(|symmetry| Image::new(game, symmetry)),
            sequences: Sequences::new(game),
            second,
            corners: (0..N_ORDERS).map(corners).collect(),
            places: (0..N_PLACES).map(places).collect(),
            edges: (0..N_ORDERS).map(edges).collect(),
            middles: (0..N_MIDDLES).map(middles).collect(),
            by_corners: Vec::new(),
            by_edges: Vec::new(),
        };
        phases.by_corners = phases.distances(&phases.corners);
        phases.by_edges = phases.distances(&phases.edges);
        phases
    }

    /// Breadth first over orders of eight cubies together with those of the middle.
    fn distances(&self, orders: &[[u16; MOST_TWISTS]]) -> Vec<u8> {
        let mut distances = vec![UNKNOWN; N_ORDERS * N_MIDDLES];
        distances[0] = 0;
        let mut frontier = vec![0];
        while let Some(&first) = frontier.first() {
            let distance: u8 = distances[first] + 1;
            let mut next = Vec::new();
            for from in frontier {
                for &twist in &self.second {
                    let order = orders[from / N_MIDDLES][usize::from(twist)];
                    let middle = self.middles[from % N_MIDDLES][usize::from(twist)];
                    let to = usize::from(order) * N_MIDDLES + usize::from(middle);
                    if distances[to] == UNKNOWN {
                        distances[to] = distance;
                        next.push(to);
                    }
                }
            }
            frontier = next;
        }
        distances
    }

    /// No fewer twists of the second phase solve it.
    #[inline]
    fn distance(&self, at: Second) -> u8 {
        let place = |order: u16| usize::from(order) * N_MIDDLES + usize::from(at.middle);
        self.by_corners[place(at.corners)].max(self.by_edges[place(at.edges)])
    }

    #[inline]
    fn after(&self, at: Second, twist: u8) -> Second {
        let twist = usize::from(twist);
        Second {
            corners: self.corners[usize::from(at.corners)][twist],
            edges: self.edges[usize::from(at.edges)][twist],
            middle: self.middles[usize::from(at.middle)][twist],
        }
    }

    /// The twists of a search as twists of the cube that was asked about.
    fn as_asked(&self, path: &[u8], variant: usize) -> Vec<Twist> {
        let axis = &self.axes[variant % 3];
        let back = |nth: u8| {
            let seen = self.twists[usize::from(nth)];
            let found = self.twists.iter().find(|&&twist| axis.twist(twist) == seen);
            *found.expect("a symmetry takes twists to twists")
        };
        let twists = path.iter().map(|&nth| back(nth));
        if variant < 3 { twists.collect() } else { twists.rev().map(Twist::inverse).collect() }
    }
}

/// The slot at which what is in this slot arrives.
fn arrives(motion: &Cubies, slot: u8) -> u8 {
    motion.edges.iter().position(|&from| from == slot).expect("every slot's edge arrives somewhere") as u8
}

/// The order of the edges in these slots after a motion that exchanges them among themselves; `None` where it does not.
fn permuted<const N: usize>(order: &[u8; N], slots: &[u8; N], motion: &Cubies) -> Option<[u8; N]> {
    let mut after = [0; N];
    for (nth, &slot) in slots.iter().enumerate() {
        let from = motion.edges[usize::from(slot)];
        after[nth] = order[slots.iter().position(|&slot| slot == from)?];
    }
    Some(after)
}

/// The number of four different slots.
fn rank_places(slots: [u8; 4]) -> usize {
    let mut taken = 0u32;
    slots.iter().enumerate().fold(0, |number, (nth, &slot)| {
        let before = (taken & ((1 << slot) - 1)).count_ones() as usize;
        taken |= 1 << slot;
        number * (12 - nth) + usize::from(slot) - before
    })
}

fn unrank_places(mut number: usize) -> [u8; 4] {
    let mut slots = [0; 4];
    for nth in (0..4).rev() {
        slots[nth] = (number % (12 - nth)) as u8;
        number /= 12 - nth;
        for later in nth + 1..4 {
            slots[later] += u8::from(slots[later] >= slots[nth]);
        }
    }
    slots
}

/// What the second phase begins with, followed through the first.
#[derive(Clone, Copy)]
struct Followed {
    corners: u16,
    /// The places of the edges of up, down and the middle.
    places: [u16; 3],
}

impl Followed {
    fn of(cubies: &Cubies) -> Followed {
        let place = |edge: u8| cubies.edges.iter().position(|&other| other == edge).expect("every edge is there") as u8;
        let places = [UP, DOWN, MIDDLE].map(|edges| rank_places(edges.map(place)) as u16);
        Followed { corners: rank(&cubies.corners) as u16, places }
    }

    #[inline]
    fn after(self, phases: &Phases, twist: u8) -> Followed {
        let twist = usize::from(twist);
        let place = |place: u16| phases.places[usize::from(place)][twist];
        Followed { corners: phases.corners[usize::from(self.corners)][twist], places: self.places.map(place) }
    }

    /// The order of the edges of the middle, which is in its slots.
    fn middle(self) -> u16 {
        let mut order = [0; 4];
        for (edge, slot) in unrank_places(self.places[2].into()).into_iter().enumerate() {
            order[MIDDLE.iter().position(|&other| other == slot).expect("the middle is in its slots")] = edge as u8;
        }
        rank(&order) as u16
    }

    /// The order of the edges of up and down, which are in their slots.
    fn edges(self) -> u16 {
        // The place of each slot among the eight.
        const NTH: [u8; 12] = [0, 1, 0, 2, 3, 0, 4, 5, 0, 6, 7, 0];
        let mut order = [0; 8];
        for (group, first) in [(0, 0), (1, 4)] {
            for (edge, slot) in (first..).zip(unrank_places(self.places[group].into())) {
                order[usize::from(NTH[usize::from(slot)])] = edge;
            }
        }
        rank(&order) as u16
    }
}

/// One of the six searches.
struct Search<'a, T> {
    phases: &'a Phases,
    table: &'a T,
    effort: &'a Effort<'a>,
    start: Coset,
    /// The shortest first phase.
    least: u32,
    path: Vec<u8>,
    /// What the twists of the path make, as far as somebody asked; the start comes first.
    followed: Vec<Followed>,
    /// The twists that `followed` was made with.
    made: Vec<u8>,
    max_twists: u32,
}

impl<'a, T: FirstPhase> Search<'a, T> {
    fn new(phases: &'a Phases, table: &'a T, effort: &'a Effort<'a>, cubies: &Cubies) -> Search<'a, T> {
        let start = Coset::of(cubies);
        Search {
            phases,
            table,
            effort,
            start,
            least: table.distance(start).into(),
            path: Vec::with_capacity(32),
            followed: vec![Followed::of(cubies)],
            made: Vec::with_capacity(32),
            max_twists: 0,
        }
    }

    /// Whether some first phase of exactly this length, and a second one, solve the cube; the path is then the solution.
    fn try_first(&mut self, length: u32, max_twists: u32) -> bool {
        (self.max_twists, self.path) = (max_twists, Vec::with_capacity(32));
        self.first(self.start, length as u8, START)
    }

    fn first(&mut self, coset: Coset, n_left: u8, last: u8) -> bool {
        if n_left == 0 {
            return self.try_second(last);
        }
        if self.effort.is_spent() {
            return false;
        }
        let phases = self.phases;
        let following = phases.sequences.after(last);
        // The table is far away, and what is asked for at once comes at once.
        let mut next = [(Coset::default(), 0); MOST_TWISTS];
        for (&(twist, _), next) in following.iter().zip(&mut next) {
            let coset = self.table.after(coset, twist.into());
            *next = (coset, self.table.distance(coset));
        }
        for (&(twist, then), &(next, distance)) in following.iter().zip(&next) {
            // Where the second phase could begin earlier, a shorter first phase has been tried, unless the twists that
            // are left lead away and back.
            if distance >= n_left || distance == 0 && (1..5).contains(&(n_left - 1)) {
                continue;
            }
            self.path.push(twist);
            if self.first(next, n_left - 1, then) {
                return true;
            }
            self.path.pop();
        }
        false
    }

    /// Whether a second phase that is short enough follows the path.
    fn try_second(&mut self, last: u8) -> bool {
        // A first phase that ends with a twist of the second is tried with that twist there.
        if self.path.last().is_some_and(|twist| self.phases.second.contains(twist)) {
            return false;
        }
        let most = (self.max_twists - self.path.len() as u32).min(LONGEST_SECOND) as u8;
        let followed = self.follow();
        let (corners, middle) = (followed.corners, followed.middle());
        if self.phases.by_corners[usize::from(corners) * N_MIDDLES + usize::from(middle)] > most {
            return false;
        }
        let at = Second { corners, edges: followed.edges(), middle };
        let least = self.phases.distance(at);
        (least..=most).any(|length| self.second(at, length, last))
    }

    fn second(&mut self, at: Second, n_left: u8, last: u8) -> bool {
        if n_left == 0 {
            return at.corners == 0 && at.edges == 0 && at.middle == 0;
        }
        if self.effort.is_spent() {
            return false;
        }
        let phases = self.phases;
        for &(twist, then) in phases.sequences.after(last) {
            if !phases.second.contains(&twist) {
                continue;
            }
            let next = phases.after(at, twist);
            if phases.distance(next) >= n_left {
                continue;
            }
            self.path.push(twist);
            if self.second(next, n_left - 1, then) {
                return true;
            }
            self.path.pop();
        }
        false
    }

    /// What the path makes of the cube. Paths that are tried one after the other begin alike.
    fn follow(&mut self) -> Followed {
        let alike = self.made.iter().zip(&self.path).take_while(|(made, twist)| made == twist).count();
        self.made.truncate(alike);
        self.followed.truncate(alike + 1);
        for &twist in &self.path[alike..] {
            let next = self.followed[self.made.len()].after(self.phases, twist);
            self.followed.push(next);
            self.made.push(twist);
        }
        self.followed[self.made.len()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unlimited::unlimited;
    use raichi_core::random::{index, stream};

    fn game() -> RubiksCube {
        *create::<RubiksCube>(Some("size=3")).unwrap().game()
    }

    #[test]
    fn what_is_followed_is_what_the_cubies_say() {
        let (game, mut rng) = (game(), stream(1, "test", 0));
        let phases = Phases::new(&game);
        // Every order is reached.
        assert!(!phases.by_corners.contains(&UNKNOWN) && !phases.by_edges.contains(&UNKNOWN));
        let mut cubies = Cubies::of(&Cube::SOLVED);
        let (mut at, mut followed) = (Second { corners: 0, edges: 0, middle: 0 }, Followed::of(&cubies));
        assert_eq!((followed.corners, followed.edges(), followed.middle()), (0, 0, 0));
        for _ in 0..200 {
            let twist = phases.second[index(&mut rng, phases.second.len())];
            let (here, next) = (phases.distance(at), phases.after(at, twist));
            assert!(phases.distance(next).abs_diff(here) <= 1);
            cubies = cubies.then(&Cubies::of_twist(game.twists()[usize::from(twist)]));
            followed = followed.after(&phases, twist);
            at = next;
            assert_eq!(followed.places, Followed::of(&cubies).places);
            assert_eq!((followed.corners, followed.edges(), followed.middle()), (at.corners, at.edges, at.middle));
        }
        for _ in 0..200 {
            let twist = index(&mut rng, 18) as u8;
            cubies = cubies.then(&Cubies::of_twist(game.twists()[usize::from(twist)]));
            followed = followed.after(&phases, twist);
            assert_eq!(
                (followed.corners, followed.places),
                (rank(&cubies.corners) as u16, Followed::of(&cubies).places)
            );
        }
    }

    #[test]
    fn a_player_s_tables_solve_random_cubes_in_few_twists_and_nodes() {
        let (game, mut rng) = (game(), stream(3, "test", 0));
        let quick = Quick::tables();
        for n_twists in (1..=8).chain([60; 6]) {
            let mut cube = Cube::SOLVED;
            (0..n_twists).for_each(|_| cube.twist(game.twists()[index(&mut rng, 18)]));
            let effort = Effort::new(3_000_000, &|| false);
            let twists = quick.solve(&cube, 23, &effort).expect("23 twists are soon found");
            assert!(twists.len() <= 23 && effort.n_nodes.get() < 3_000_000);
            twists.iter().for_each(|&twist| cube.twist(twist));
            assert_eq!(cube, Cube::SOLVED);
        }
        let (none, mut far) = (Effort::new(5, &|| false), Cube::SOLVED);
        (0..60).for_each(|_| far.twist(game.twists()[index(&mut rng, 18)]));
        assert_eq!((quick.solve(&far, 23, &none), none.n_nodes.get()), (None, 5), "no more than was allowed");
    }

    #[test]
    #[ignore = "nightly: the table of the first phase takes half a minute to build"]
    fn nightly_random_cubes_are_solved_in_at_most_20_twists() {
        let (game, mut rng) = (game(), stream(1, "test", 0));
        let superflip = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2";
        let superflip = raichi_core::Notation::parse_position(&game, superflip).unwrap().state;
        let mut cubes = vec![(Cube::SOLVED, 0), (*superflip.cube(), 20)];
        for n_twists in (1..=30).chain([100; 50]) {
            let mut cube = Cube::SOLVED;
            (0..n_twists).for_each(|_| cube.twist(game.twists()[index(&mut rng, 18)]));
            cubes.push((cube, 20));
        }
        for (cube, max_twists) in cubes {
            let twists = unlimited(|work| two_phase(&game, &cube, max_twists, work)).unwrap();
            assert!(twists.len() as u32 <= max_twists);
            let mut solved = cube;
            twists.iter().for_each(|&twist| solved.twist(twist));
            assert_eq!(solved, Cube::SOLVED);
        }
    }
}
