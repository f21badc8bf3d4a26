//! Rubik's Cube of size 3 in few twists at once: not the fewest.
//!
//! Method: H. Kociemba's two-phase algorithm (1992). The first phase brings the cube to where up, down and half turns of the
//! other faces solve it ([`cosets`](super::cosets), whose exact distances prune it), the second solves it with those; first
//! phases of rising length are tried, along each of the three axes, of the cube and of its inverse, until both phases
//! together are short enough (the six searches are T. Rokicki's and S. Tomas's idea).
//! Two tables for the first phase: exact distances, which take seconds to build ([`two_phase()`], for solvers), and lower bounds,
//! which take a moment ([`Quick`], for players). Its end lies in a small table for both ([`near`](super::near)). In the second
//! phase a bound says of each twist whether it leads nearer, so that no node is made that the bound forbids.
//! Handled: half turns as single twists only.
//! Promise: the twists solve the cube and are at most as many as asked for.
//! Checked: random cubes are solved, with as many twists as asked for at most; the tables against breadth first search.

use std::cell::Cell;
use std::sync::OnceLock;

use raichi_core::erased::create;
use raichi_games::rubiks_cube::{Cube, Face, RubiksCube, Twist};
use raichi_machine::{prefetch, with_room};
use raichi_solve::{Unsolved, Work};

use super::cosets::{Coset, MIDDLE, MOST_TWISTS, Table};
use super::cubies::{Cubies, Image, rank, unrank};
use super::few_bounds::FewBounds;
use super::near::{NEAREST, Near};
use super::sequences::{START, Sequences};

const N_ORDERS: usize = 40_320;
const N_MIDDLES: usize = 24;
/// Places of four different edges.
const N_PLACES: usize = 11_880;
/// The edges of up and of down; their slots are those outside the middle.
const UP: [u8; 4] = [0, 1, 3, 4];
const DOWN: [u8; 4] = [6, 7, 9, 10];
/// The slots of both.
const OUTSIDE: [u8; 8] = [0, 1, 3, 4, 6, 7, 9, 10];
/// The twists of the second phase.
const N_SECOND: usize = 10;
/// The longest second phase that is tried. Random cubes in at most 21 twists took 1.7, 1.3 and 1.5 ms with 10, 11 and 12, in at
/// most 20 as long with each (4 ms).
const LONGEST_SECOND: u32 = 11;
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

    /// The same of several cosets.
    fn distances(&self, cosets: &[Coset], distances: &mut [u8]);
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

    #[inline]
    fn distances(&self, cosets: &[Coset], distances: &mut [u8]) {
        Table::distances(self, cosets, distances);
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

/// What twists do in the second phase, and the bounds there.
struct Phases {
    twists: &'static [Twist],
    axes: [Image; 3],
    sequences: Sequences,
    near: Near,
    /// The numbers of the twists that the second phase has.
    second: [u8; N_SECOND],
    /// Which of them may follow, as bits, by what came last.
    following: Vec<u16>,
    /// By number, then by twist: the order of the corners, and the places of four edges.
    corners: Vec<[u16; MOST_TWISTS]>,
    places: Vec<[u16; MOST_TWISTS]>,
    orders: Orders,
    /// The orders of the corners, of the edges of up and down and of those of the middle, by twist of the second phase.
    second_corners: Vec<[u16; N_SECOND]>,
    edges: Vec<[u16; N_SECOND]>,
    middles: Vec<[u16; N_SECOND]>,
    /// By order of the corners, or of the edges of up and down, and order of the middle.
    by_corners: Vec<Bound>,
    by_edges: Vec<Bound>,
}

/// A cube in the second phase: the orders of corners, edges of up and down, and edges of the middle.
#[derive(Clone, Copy)]
struct Second {
    corners: u16,
    edges: u16,
    middle: u16,
}

/// A lower bound in the second phase, and what each twist does to it: bits of the twists that make it less, then of those that do
/// not make it more, then the bound. What a node leads to is so known without a look at its children.
#[derive(Clone, Copy, Debug)]
struct Bound(u32);

impl Bound {
    #[inline]
    fn distance(self) -> u8 {
        (self.0 >> (2 * N_SECOND)) as u8
    }

    /// The twists after which the bound allows one twist less than so many, which it allows here.
    #[inline]
    fn leading(self, n_left: u8) -> u16 {
        const ALL: u32 = (1 << N_SECOND) - 1;
        let bits = match n_left - self.distance() {
            0 => self.0 & ALL,
            1 => self.0 >> N_SECOND & ALL,
            _ => ALL,
        };
        bits as u16
    }
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
        let is_second = |&nth: &u8| {
            let twist = twists[usize::from(nth)];
            matches!(twist.face(), Face::U | Face::D) || twist.quarters() == 2
        };
        let second: Vec<u8> = (0..MOST_TWISTS as u8).filter(is_second).collect();
        let second: [u8; N_SECOND] = second.try_into().expect("six twists of up and down, and four half turns");
        let by_twist = |after: &dyn Fn(&Cubies) -> usize| -> [u16; MOST_TWISTS] {
            std::array::from_fn(|nth| after(&motions[nth]) as u16)
        };
        let by_second = |after: &dyn Fn(&Cubies) -> usize| -> [u16; N_SECOND] {
            second.map(|nth| after(&motions[usize::from(nth)]) as u16)
        };
        let corners = |number: usize| {
            let order: [u8; 8] = unrank(number);
            by_twist(&|motion| rank(&motion.corners.map(|from| order[usize::from(from)])))
        };
        let places = |number: usize| {
            let slots = unrank_places(number);
            by_twist(&|motion| rank_places(slots.map(|slot| arrives(motion, slot))))
        };
        // In the second phase the eight slots outside the middle exchange their edges, and so do the four of the middle.
        let edges = |number: usize| {
            let order: [u8; 8] = unrank(number);
            by_second(&|motion| rank(&permuted(&order, &OUTSIDE, motion)))
        };
        let middles = |number: usize| {
            let order: [u8; 4] = unrank(number);
            by_second(&|motion| rank(&permuted(&order, &MIDDLE, motion)))
        };
        let sequences = Sequences::new(game);
        let following = |last: u8| {
            let follows = |nth: u8| sequences.after(last).iter().any(|&(twist, _)| twist == second[usize::from(nth)]);
            (0..N_SECOND as u8).filter(|&nth| follows(nth)).map(|nth| 1 << nth).sum()
        };
        let corners: Vec<[u16; MOST_TWISTS]> = (0..N_ORDERS).map(corners).collect();
        let in_room = |rows: &mut dyn Iterator<Item = [u16; N_SECOND]>| {
            let mut all = with_room(N_ORDERS);
            all.extend(rows);
            all
        };
        let second_corners = in_room(&mut corners.iter().map(|row| second.map(|nth| row[usize::from(nth)])));
        let mut phases = Phases {
            twists,
            axes: [0, 1, 2].map(|symmetry| Image::new(game, symmetry)),
            near: Near::new(game),
            second,
            following: (0..=MOST_TWISTS as u8).map(following).collect(),
            sequences,
            corners,
            places: (0..N_PLACES).map(places).collect(),
            orders: Orders::new(),
            second_corners,
            edges: in_room(&mut (0..N_ORDERS).map(edges)),
            middles: (0..N_MIDDLES).map(middles).collect(),
            by_corners: Vec::new(),
            by_edges: Vec::new(),
        };
        phases.by_corners = phases.bounds(&phases.second_corners);
        phases.by_edges = phases.bounds(&phases.edges);
        phases
    }

    /// Distances of orders of eight cubies together with those of the middle.
    fn bounds(&self, orders: &[[u16; N_SECOND]]) -> Vec<Bound> {
        let distances = self.distances(orders);
        let mut bounds = with_room(distances.len());
        for (to, here) in orders.iter().zip(distances.chunks_exact(N_MIDDLES)) {
            let there = to.map(|to| &distances[usize::from(to) * N_MIDDLES..][..N_MIDDLES]);
            for (&here, middles) in here.iter().zip(&self.middles) {
                let mut bound = u32::from(here) << (2 * N_SECOND);
                for nth in 0..N_SECOND {
                    let there = there[nth][usize::from(middles[nth])];
                    bound |= u32::from(there < here) << nth | u32::from(there <= here) << (N_SECOND + nth);
                }
                bounds.push(Bound(bound));
            }
        }
        bounds
    }

    /// Breadth first over orders of eight cubies together with those of the middle.
    fn distances(&self, orders: &[[u16; N_SECOND]]) -> Vec<u8> {
        let mut distances = vec![UNKNOWN; N_ORDERS * N_MIDDLES];
        distances[0] = 0;
        let mut frontier = vec![0];
        while let Some(&first) = frontier.first() {
            let distance: u8 = distances[first] + 1;
            let mut next = Vec::new();
            for from in frontier {
                let (order, middle) = (&orders[from / N_MIDDLES], &self.middles[from % N_MIDDLES]);
                for (&order, &middle) in order.iter().zip(middle) {
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

    #[inline]
    fn prefetch(&self, at: Second) {
        prefetch(&self.by_corners[usize::from(at.corners) * N_MIDDLES + usize::from(at.middle)]);
        prefetch(&self.by_edges[usize::from(at.edges) * N_MIDDLES + usize::from(at.middle)]);
        prefetch(&self.second_corners[usize::from(at.corners)]);
        prefetch(&self.edges[usize::from(at.edges)]);
    }

    #[inline]
    fn bound_by_corners(&self, corners: u16, middle: u16) -> Bound {
        self.by_corners[usize::from(corners) * N_MIDDLES + usize::from(middle)]
    }

    #[inline]
    fn bound_by_edges(&self, edges: u16, middle: u16) -> Bound {
        self.by_edges[usize::from(edges) * N_MIDDLES + usize::from(middle)]
    }

    /// After a twist of the second phase.
    #[inline]
    fn after(&self, at: Second, nth: usize) -> Second {
        Second {
            corners: self.second_corners[usize::from(at.corners)][nth],
            edges: self.edges[usize::from(at.edges)][nth],
            middle: self.middles[usize::from(at.middle)][nth],
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

/// The orders of edges by their places, for edges that are in the slots of the second phase.
struct Orders {
    /// By the places of the edges of up: their number among those outside the middle.
    ups: Vec<u16>,
    /// By the places of four edges: in which order they lie, as the number of a permutation.
    fours: Vec<u8>,
    /// By both, of up and of down: the order of all eight.
    eights: Vec<u16>,
    /// By the places of the edges of the middle: their order.
    middles: Vec<u8>,
}

impl Orders {
    fn new() -> Orders {
        let mut orders = Orders {
            ups: vec![0; N_PLACES],
            fours: vec![0; N_PLACES],
            eights: vec![0; N_ORDERS],
            middles: vec![0; N_PLACES],
        };
        let mut n_ups = 0;
        for place in 0..N_PLACES {
            let slots = unrank_places(place);
            let nth_of = slots.map(|slot| slots.iter().filter(|&&other| other < slot).count() as u8);
            orders.fours[place] = rank(&nth_of) as u8;
            if slots.iter().all(|slot| OUTSIDE.contains(slot)) {
                orders.ups[place] = n_ups;
                n_ups += 1;
            }
        }
        for number in 0..N_ORDERS {
            let order: [u8; 8] = unrank(number);
            let slot = |edge: u8| OUTSIDE[order.iter().position(|&other| other == edge).expect("every edge is there")];
            let (up, down) = ([0, 1, 2, 3].map(slot), [4, 5, 6, 7].map(slot));
            let both = orders.both(rank_places(up) as u16, rank_places(down) as u16);
            orders.eights[both] = number as u16;
        }
        for number in 0..N_MIDDLES {
            let order: [u8; 4] = unrank(number);
            let slot = |edge: u8| MIDDLE[order.iter().position(|&other| other == edge).expect("every edge is there")];
            orders.middles[rank_places([0, 1, 2, 3].map(slot))] = number as u8;
        }
        orders
    }

    #[inline]
    fn both(&self, up: u16, down: u16) -> usize {
        usize::from(self.ups[usize::from(up)]) * N_MIDDLES + usize::from(self.fours[usize::from(down)])
    }
}

/// The slot at which what is in this slot arrives.
fn arrives(motion: &Cubies, slot: u8) -> u8 {
    motion.edges.iter().position(|&from| from == slot).expect("every slot's edge arrives somewhere") as u8
}

/// The order of the edges in these slots after a motion that exchanges them among themselves.
fn permuted<const N: usize>(order: &[u8; N], slots: &[u8; N], motion: &Cubies) -> [u8; N] {
    slots.map(|slot| {
        let from = motion.edges[usize::from(slot)];
        order[slots.iter().position(|&slot| slot == from).expect("the slots exchange their edges")]
    })
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
    #[inline]
    fn middle(self, phases: &Phases) -> u16 {
        phases.orders.middles[usize::from(self.places[2])].into()
    }

    /// The order of the edges of up and down, which are in their slots.
    #[inline]
    fn edges(self, phases: &Phases) -> u16 {
        let orders = &phases.orders;
        orders.eights[orders.both(self.places[0], self.places[1])]
    }
}

/// Whether a first phase may go on where so many twists are left and the second phase is so far. Where it could begin
/// already, a shorter first phase has been tried, unless the twists that are left lead away and back.
#[inline]
fn is_worth(distance: u8, n_left: u8) -> bool {
    distance <= n_left && (distance > 0 || n_left == 0 || n_left >= 5)
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
        let phases = self.phases;
        if n_left <= NEAREST {
            return phases.near.find(coset).is_some_and(|at| self.near(at, n_left, last));
        }
        if self.effort.is_spent() {
            return false;
        }
        let following = phases.sequences.after(last);
        if n_left == NEAREST + 1 {
            for &(twist, then) in following {
                let next = phases.near.find(self.table.after(coset, twist.into()));
                let Some(next) = next.filter(|&next| phases.near.distance(next) > 0) else { continue };
                self.path.push(twist);
                if self.near(next, n_left - 1, then) {
                    return true;
                }
                self.path.pop();
            }
            return false;
        }
        let (mut next, mut distances) = ([Coset::default(); MOST_TWISTS], [0; MOST_TWISTS]);
        for (&(twist, _), next) in following.iter().zip(&mut next) {
            *next = self.table.after(coset, twist.into());
        }
        self.table.distances(&next[..following.len()], &mut distances);
        for ((&(twist, then), &next), distance) in following.iter().zip(&next).zip(distances) {
            if !is_worth(distance, n_left - 1) {
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

    /// The end of the first phase, at cosets that are all known.
    fn near(&mut self, at: u16, n_left: u8, last: u8) -> bool {
        if n_left == 0 {
            return self.try_second(last);
        }
        if self.effort.is_spent() {
            return false;
        }
        let phases = self.phases;
        let next = phases.near.next(at);
        for &(twist, then) in phases.sequences.after(last) {
            let next = next[usize::from(twist)];
            if !is_worth(phases.near.distance(next), n_left - 1) {
                continue;
            }
            self.path.push(twist);
            if self.near(next, n_left - 1, then) {
                return true;
            }
            self.path.pop();
        }
        false
    }

    /// Whether a second phase that is short enough follows the path.
    fn try_second(&mut self, last: u8) -> bool {
        let phases = self.phases;
        // A first phase that ends with a twist of the second is tried with that twist there.
        if self.path.last().is_some_and(|twist| phases.second.contains(twist)) {
            return false;
        }
        let most = (self.max_twists - self.path.len() as u32).min(LONGEST_SECOND) as u8;
        let followed = self.follow();
        let (corners, middle) = (followed.corners, followed.middle(phases));
        let by_corners = phases.bound_by_corners(corners, middle).distance();
        if by_corners > most {
            return false;
        }
        let at = Second { corners, edges: followed.edges(phases), middle };
        let least = by_corners.max(phases.bound_by_edges(at.edges, middle).distance());
        (least..=most).any(|length| self.second(at, length, last))
    }

    /// Whether exactly so many twists of the second phase, which the bounds allow, solve the cube.
    fn second(&mut self, at: Second, n_left: u8, last: u8) -> bool {
        if n_left == 0 {
            // The bounds are 0 only where all is in order.
            return true;
        }
        if self.effort.is_spent() {
            return false;
        }
        let phases = self.phases;
        let by_corners = phases.bound_by_corners(at.corners, at.middle);
        let by_edges = phases.bound_by_edges(at.edges, at.middle);
        let mut leading = phases.following[usize::from(last)] & by_corners.leading(n_left) & by_edges.leading(n_left);
        // What the next nodes read is asked for at once.
        let (mut next, mut n) = ([(0, at); N_SECOND], 0);
        while leading != 0 {
            let nth = leading.trailing_zeros() as usize;
            leading &= leading - 1;
            next[n] = (phases.second[nth], phases.after(at, nth));
            phases.prefetch(next[n].1);
            n += 1;
        }
        for &(twist, next) in &next[..n] {
            self.path.push(twist);
            if self.second(next, n_left - 1, twist + 1) {
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
        for orders in [&phases.second_corners, &phases.edges] {
            assert!(!phases.distances(orders).contains(&UNKNOWN));
        }
        let mut cubies = Cubies::of(&Cube::SOLVED);
        let (mut at, mut followed) = (Second { corners: 0, edges: 0, middle: 0 }, Followed::of(&cubies));
        assert_eq!((followed.corners, followed.edges(&phases), followed.middle(&phases)), (0, 0, 0));
        let by_corners = |at: Second| phases.bound_by_corners(at.corners, at.middle);
        let by_edges = |at: Second| phases.bound_by_edges(at.edges, at.middle);
        let by_corners: &dyn Fn(Second) -> Bound = &by_corners;
        let by_edges: &dyn Fn(Second) -> Bound = &by_edges;
        for _ in 0..200 {
            let nth = index(&mut rng, N_SECOND);
            let (twist, next) = (phases.second[nth], phases.after(at, nth));
            for bound in [by_corners, by_edges] {
                let (here, there) = (bound(at), bound(next).distance());
                assert!(there.abs_diff(here.distance()) <= 1);
                for slack in 0..4 {
                    let leads = here.leading(here.distance() + slack) >> nth & 1 == 1;
                    assert_eq!(leads, there < here.distance() + slack, "{here:?} {nth}");
                }
            }
            cubies = cubies.then(&Cubies::of_twist(game.twists()[usize::from(twist)]));
            followed = followed.after(&phases, twist);
            at = next;
            assert_eq!(followed.places, Followed::of(&cubies).places);
            assert_eq!(
                (followed.corners, followed.edges(&phases), followed.middle(&phases)),
                (at.corners, at.edges, at.middle)
            );
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
