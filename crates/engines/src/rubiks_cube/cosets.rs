//! How far a cube is from those that up, down and half turns alone can solve.
//!
//! Source: H. Kociemba's two-phase algorithm (1992) and its table of symmetric classes; T. Rokicki's cube20 and nxopt (2010)
//! search with such tables. A coset is how the corners are turned (3⁷), how the edges are turned (2¹¹) and where the four
//! edges between up and down are (495): 2,217,093,120 cosets. The 16 symmetries that keep the axis of up and down leave 64,430
//! classes of the edges; the table has a row of 3⁷ numbers for each, four bits a number.
//! Handled: both metrics; several threads; the table is kept in a file with a checksum, or in memory only.
//! Promise: the exact distance of the coset, which is a lower bound of the cube's. (Four bits hold up to 15; where a distance
//! were more, 15 would still be a lower bound.)
//! Checked: the published numbers of cosets by distance; symmetric and neighbouring cubes.

use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use raichi_core::host::Job;
use raichi_games::rubiks_cube::{Cube, RubiksCube};
use raichi_machine::{prefetch, with_room};
use raichi_solve::{Progress, Unsolved, Work};

use super::cubies::{Cubies, Image, rank_turns, unrank_turns};
use crate::kept::{self, Name};

pub(super) const N_TURNS: usize = 2187;
pub(super) const N_FLIPS: usize = 2048;
pub(super) const N_SLICES: usize = 495;
const N_EDGES: usize = N_FLIPS * N_SLICES;
const N_IMAGES: usize = 16;
/// The most twists of a metric.
pub(super) const MOST_TWISTS: usize = 18;
/// The edges between up and down, and their slots.
pub(super) const MIDDLE: [u8; 4] = [2, 5, 8, 11];
const UNKNOWN: u8 = u8::MAX;
/// The clock is read after so many rows.
const ASK_EVERY: usize = 16;

/// What is to be put right before up, down and half turns solve the cube.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Coset {
    turns: u16,
    flips: u16,
    slice: u16,
}

/// What twists do to each part of a coset, by number and then by twist.
pub(super) struct Motions {
    turns: Vec<[u16; MOST_TWISTS]>,
    flips: Vec<[u16; MOST_TWISTS]>,
    slices: Vec<[u16; MOST_TWISTS]>,
}

/// What twists do to cosets, and which of them are alike.
pub(super) struct Cosets {
    n_twists: usize,
    motions: Motions,
    /// By slice and flips: the class × 16, and the image that makes the class's first member of it.
    classes: Vec<u32>,
    /// The images of the corners' turns.
    images: Vec<[u16; N_IMAGES]>,
    /// The first member of each class.
    first: Vec<u32>,
    /// The images, as bits, that leave the first member of a class as it is.
    fixed_by: Vec<u16>,
}

/// Cosets and their distances.
pub(super) struct Table {
    pub(super) cosets: Cosets,
    /// Two numbers a byte.
    distances: Vec<u8>,
}

impl Coset {
    pub(super) fn of(cubies: &Cubies) -> Coset {
        let in_middle = (0..12).filter(|&slot| MIDDLE.contains(&cubies.edges[slot]));
        Coset {
            turns: rank_turns(&cubies.corner_turns, 3) as u16,
            flips: rank_turns(&cubies.edge_turns, 2) as u16,
            slice: rank_slice(in_middle) as u16,
        }
    }

    /// The number of two of its parts, below `N_FLIPS` × `N_SLICES`.
    #[inline]
    pub(super) fn flips_and_slice(self) -> usize {
        usize::from(self.slice) * N_FLIPS + usize::from(self.flips)
    }

    /// The number of all its parts.
    #[inline]
    pub(super) fn number(self) -> u32 {
        (self.flips_and_slice() * N_TURNS) as u32 + u32::from(self.turns)
    }

    /// The number of two of its parts, below `N_TURNS` × `N_SLICES`.
    #[inline]
    pub(super) fn turns_and_slice(self) -> usize {
        usize::from(self.slice) * N_TURNS + usize::from(self.turns)
    }
}

/// The number of four slots in rising order: the sum of the binomials C(slot, nth).
fn rank_slice(slots: impl Iterator<Item = usize>) -> usize {
    let binomial = |n: usize, k: usize| (0..k).fold(1, |product, i| product * (n.saturating_sub(i)) / (i + 1));
    slots.zip(1..).map(|(slot, nth)| binomial(slot, nth)).sum()
}

impl Motions {
    pub(super) fn new(game: &RubiksCube) -> Motions {
        let motions: Vec<Cubies> = game.twists().iter().map(|&twist| Cubies::of_twist(twist)).collect();
        let all = |n: usize, cubies: &dyn Fn(usize) -> Cubies, number: fn(Coset) -> u16| -> Vec<[u16; MOST_TWISTS]> {
            let after = |from: Cubies, nth: usize| motions.get(nth).map_or(0, |by| number(Coset::of(&from.then(by))));
            (0..n).map(|from| std::array::from_fn(|nth| after(cubies(from), nth))).collect()
        };
        let placed = all_slices();
        Motions {
            turns: all(N_TURNS, &by_turns, |coset| coset.turns),
            flips: all(N_FLIPS, &by_flips, |coset| coset.flips),
            slices: all(N_SLICES, &|number| by_slice(&placed, number), |coset| coset.slice),
        }
    }

    #[inline]
    pub(super) fn after(&self, coset: Coset, twist: usize) -> Coset {
        Coset {
            turns: self.turns[usize::from(coset.turns)][twist],
            flips: self.flips[usize::from(coset.flips)][twist],
            slice: self.slices[usize::from(coset.slice)][twist],
        }
    }
}

/// Corners turned so, all else at home.
fn by_turns(number: usize) -> Cubies {
    Cubies { corner_turns: unrank_turns(number, 3), ..Cubies::of(&Cube::SOLVED) }
}

/// Edges turned so, all else at home.
fn by_flips(number: usize) -> Cubies {
    Cubies { edge_turns: unrank_turns(number, 2), ..Cubies::of(&Cube::SOLVED) }
}

/// Edges of the middle in these slots, nothing turned.
fn by_slice(placed: &[[u8; 12]], number: usize) -> Cubies {
    Cubies { edges: placed[number], ..Cubies::of(&Cube::SOLVED) }
}

impl Cosets {
    /// # Errors
    /// When the work is over before they are known.
    pub(super) fn new(game: &RubiksCube, work: &Work<'_>) -> Result<Cosets, Unsolved> {
        let placed = all_slices();
        let keep = (0..48).map(|symmetry| Image::new(game, symmetry)).filter(Image::keeps_up_and_down);
        let keep: Vec<Image> = keep.collect();
        let undo = |one: &Image, other: &Image| game.twists().iter().all(|&by| other.twist(one.twist(by)) == by);
        let inverse = |image: &Image| keep.iter().position(|other| undo(image, other));
        let inverses = keep.iter().map(|image| inverse(image).expect("an image has an inverse") as u32);
        let keep: Vec<(&Image, u32)> = keep.iter().zip(inverses).collect();
        let image_of_turns = |number: usize, nth: usize| Coset::of(&keep[nth].0.cubies(&by_turns(number))).turns;
        let mut classes = with_room(N_EDGES);
        classes.resize(N_EDGES, u32::MAX);
        let mut cosets = Cosets {
            n_twists: game.twists().len(),
            motions: Motions::new(game),
            classes,
            images: (0..N_TURNS).map(|number| std::array::from_fn(|nth| image_of_turns(number, nth))).collect(),
            first: Vec::new(),
            fixed_by: Vec::new(),
        };
        for edges in 0..N_EDGES {
            if edges % N_FLIPS == 0 {
                check(work)?;
            }
            if cosets.classes[edges] == u32::MAX {
                let cubies =
                    Cubies { edge_turns: unrank_turns(edges % N_FLIPS, 2), ..by_slice(&placed, edges / N_FLIPS) };
                cosets.add_class(edges, &cubies, &keep);
            }
        }
        Ok(cosets)
    }

    /// Adds the class of these edges and finds its other members.
    fn add_class(&mut self, edges: usize, cubies: &Cubies, images: &[(&Image, u32)]) {
        let class = self.first.len() as u32;
        let mut fixed_by = 0;
        for (nth, &(image, inverse)) in images.iter().enumerate() {
            let member = Coset::of(&image.cubies(cubies)).flips_and_slice();
            fixed_by |= u16::from(member == edges) << nth;
            if self.classes[member] == u32::MAX {
                // The number kept is that of the image that leads back to the first member.
                self.classes[member] = class << 4 | inverse;
            }
        }
        self.first.push(edges as u32);
        self.fixed_by.push(fixed_by);
    }

    #[inline]
    pub(super) fn after(&self, coset: Coset, twist: usize) -> Coset {
        self.motions.after(coset, twist)
    }

    /// The place of a coset in the table.
    #[inline]
    fn place(&self, coset: Coset) -> usize {
        let class = self.classes[coset.flips_and_slice()];
        let turns = self.images[usize::from(coset.turns)][class as usize & 15];
        (class >> 4) as usize * N_TURNS + usize::from(turns)
    }

    fn n_classes(&self) -> usize {
        self.first.len()
    }

    /// Their distances, if the folder has them.
    fn kept(&self, game: &RubiksCube, work: &Work<'_>) -> Option<Vec<u8>> {
        let n_bytes = (self.n_classes() * N_TURNS).div_ceil(2);
        kept::read(work.folder?.path, &kept_as(game), |source| source.bytes(n_bytes))
    }
}

/// As what the distances of this metric are kept.
fn kept_as(game: &RubiksCube) -> Name<'static> {
    match game.has_half_turns() {
        true => Name { file: "rubiks-cube-3-htm", identity: "rubiks-cube:size=3,metric=htm, cosets, version 1" },
        false => Name { file: "rubiks-cube-3-qtm", identity: "rubiks-cube:size=3,metric=qtm, cosets, version 1" },
    }
}

fn check(work: &Work<'_>) -> Result<(), Unsolved> {
    if work.is_over() { Err(Unsolved::OutOfTime) } else { Ok(()) }
}

/// For each number of a slice, edges that lie so.
fn all_slices() -> Vec<[u8; 12]> {
    let mut placed = vec![[0; 12]; N_SLICES];
    for slots in (0u32..1 << 12).filter(|slots| slots.count_ones() == 4) {
        let in_middle = |slot: &usize| slots >> slot & 1 == 1;
        let mut middle = MIDDLE.into_iter();
        let mut others = (0..12).filter(|edge| !MIDDLE.contains(edge));
        let edges = std::array::from_fn(|slot| {
            let next = if in_middle(&slot) { middle.next() } else { others.next() };
            next.expect("there are four edges of the middle, and eight others")
        });
        placed[rank_slice((0..12).filter(in_middle))] = edges;
    }
    placed
}

impl Table {
    /// What building it takes at most, in bytes: a byte a number, and the table itself.
    pub(super) const BYTES: usize = 64_430 * N_TURNS * 3 / 2 + (16 << 20);

    /// The least time that it is begun in: building takes some 20 s with one thread of a slow machine. Each decision of a
    /// second would begin it again, in vain.
    const LEAST_TIME: Duration = Duration::from_secs(10);

    /// The table of this metric: built once in a process, or read from the folder.
    ///
    /// # Errors
    /// When the memory or the time that the work leaves does not suffice; it looks at the clock, which the last packing and
    /// writing of a table that is known, a fraction of a second, are not cut short by.
    pub(super) fn of(game: &RubiksCube, work: &Work<'_>) -> Result<&'static Table, Unsolved> {
        let (built, building) = Table::slot(game);
        if let Some(table) = built.get() {
            return Ok(table);
        }
        if work.deadline.is_some_and(|deadline| deadline < work.host.now() + Table::LEAST_TIME) {
            return Err(Unsolved::OutOfTime);
        }
        let _one_at_a_time = work.lock(building)?;
        if let Some(table) = built.get() {
            return Ok(table);
        }
        if work.memory < Table::BYTES {
            return Err(Unsolved::OutOfMemory);
        }
        let table = Table::read_or_build(game, work)?;
        Ok(built.get_or_init(|| table))
    }

    /// Reads the table where the folder has it; what stands in its way stands in the way of [`Table::of`] too.
    pub(super) fn read(game: &RubiksCube, work: &Work<'_>) {
        let (built, building) = Table::slot(game);
        if work.folder.is_none() || built.get().is_some() || work.memory < Table::BYTES {
            return;
        }
        let Ok(_one_at_a_time) = work.lock(building) else { return };
        if built.get().is_none()
            && let Ok(cosets) = Cosets::new(game, work)
            && let Some(distances) = cosets.kept(game, work)
        {
            built.get_or_init(|| Table { cosets, distances });
        }
    }

    fn slot(game: &RubiksCube) -> &'static (OnceLock<Table>, Mutex<()>) {
        static BUILT: [(OnceLock<Table>, Mutex<()>); 2] = [const { (OnceLock::new(), Mutex::new(())) }; 2];
        &BUILT[usize::from(game.has_half_turns())]
    }

    fn read_or_build(game: &RubiksCube, work: &Work<'_>) -> Result<Table, Unsolved> {
        let cosets = Cosets::new(game, work)?;
        if let Some(distances) = cosets.kept(game, work) {
            return Ok(Table { cosets, distances });
        }
        let distances = Building::new(&cosets, work)?.build(work)?;
        if let Some(folder) = work.folder {
            kept::write(folder, &kept_as(game), &|sink| sink.bytes(&distances));
        }
        Ok(Table { cosets, distances })
    }

    /// No fewer twists solve the cube.
    #[inline]
    pub(super) fn distance(&self, coset: Coset) -> u8 {
        let place = self.cosets.place(coset);
        self.distances[place / 2] >> (4 * (place & 1)) & 15
    }

    /// The same of several cosets. The table is far away: what is asked for at once comes at once.
    #[inline]
    pub(super) fn distances(&self, cosets: &[Coset], distances: &mut [u8]) {
        let mut places = [0; MOST_TWISTS];
        for (&coset, place) in cosets.iter().zip(&mut places) {
            *place = self.cosets.place(coset);
            prefetch(&self.distances[*place / 2]);
        }
        for (place, distance) in places.iter().zip(distances).take(cosets.len()) {
            *distance = self.distances[place / 2] >> (4 * (place & 1)) & 15;
        }
    }

    pub(super) fn n_bytes(&self) -> usize {
        self.distances.len()
    }
}

/// The table while it is built: breadth first, row by row. A twist takes a class to one class, so that all cosets of a row
/// meet one other row, and two rows and the map between them fit the fastest memory. Threads share the rows: all that
/// write a number write the same.
struct Building<'a> {
    cosets: &'a Cosets,
    distances: Vec<AtomicU8>,
    /// By class: where each twist leads, as in `classes`.
    leads: Vec<[u32; MOST_TWISTS]>,
    /// By twist × 16 + image: what both make of the corners' turns.
    maps: Vec<[u16; N_TURNS]>,
}

impl<'a> Building<'a> {
    fn new(cosets: &'a Cosets, work: &Work<'_>) -> Result<Building<'a>, Unsolved> {
        let moves = &cosets.motions;
        let lead = |&edges: &u32, twist: usize| {
            let (flips, slice) = (edges as usize % N_FLIPS, edges as usize / N_FLIPS);
            let after = usize::from(moves.slices[slice][twist]) * N_FLIPS + usize::from(moves.flips[flips][twist]);
            cosets.classes[after]
        };
        let leads = cosets.first.iter().map(|edges| std::array::from_fn(|twist| lead(edges, twist))).collect();
        let map = |twist: usize, image: usize| {
            std::array::from_fn(|turns| cosets.images[usize::from(moves.turns[turns][twist])][image])
        };
        let maps = (0..cosets.n_twists * N_IMAGES).map(|both| map(both / N_IMAGES, both % N_IMAGES)).collect();
        let n_distances = cosets.n_classes() * N_TURNS;
        let mut distances = with_room(n_distances);
        // The system clears memory when it is first touched, which takes a while.
        while distances.len() < n_distances {
            check(work)?;
            distances.resize_with(n_distances.min(distances.len() + (1 << 20)), || AtomicU8::new(UNKNOWN));
        }
        Ok(Building { cosets, distances, leads, maps })
    }

    fn build(self, work: &Work<'_>) -> Result<Vec<u8>, Unsolved> {
        let total = self.distances.len() as u64;
        let solved = self.cosets.place(Coset::of(&Cubies::of(&Cube::SOLVED)));
        self.distances[solved].store(0, Relaxed);
        let (mut n_last, mut n_known) = (1, 1);
        for distance in 0.. {
            (work.progress)(Progress { stage: "the cube's table", done: n_known, total });
            // From few to all their neighbours, or from the many that are left to some neighbour.
            let forward = n_last * 6 < total - n_known;
            n_last = self.extend(distance, forward, work)?;
            n_known += n_last;
            if n_last == 0 || n_known == total {
                break;
            }
        }
        let known = |place: usize| self.distances.get(place).map_or(0, |distance| distance.load(Relaxed).min(15));
        let n_bytes = self.distances.len().div_ceil(2);
        let mut distances = with_room(n_bytes);
        distances.extend((0..n_bytes).map(|pair| known(2 * pair) | known(2 * pair + 1) << 4));
        Ok(distances)
    }

    /// Finds the cosets one twist further away than these; returns how many there are.
    fn extend(&self, distance: u8, forward: bool, work: &Work<'_>) -> Result<u64, Unsolved> {
        let (next, found) = (AtomicUsize::new(0), AtomicU64::new(0));
        let job = || {
            let mut list = Vec::new();
            loop {
                let class = next.fetch_add(1, Relaxed);
                if class >= self.cosets.n_classes() || class % ASK_EVERY == 0 && work.is_over() {
                    break;
                }
                let new = if forward {
                    self.spread(class, distance, &mut list)
                } else {
                    self.reach(class, distance, &mut list)
                };
                found.fetch_add(new, Relaxed);
            }
        };
        work.host.run_all((0..work.n_threads.max(1)).map(|_| -> Job<'_> { Box::new(&job) }).collect());
        if next.load(Relaxed) < self.cosets.n_classes() || work.is_over() {
            return Err(Unsolved::OutOfTime);
        }
        Ok(found.load(Relaxed))
    }

    fn row(&self, class: usize) -> &[AtomicU8] {
        &self.distances[class * N_TURNS..][..N_TURNS]
    }

    fn list(&self, class: usize, distance: u8, list: &mut Vec<u16>) {
        list.clear();
        let row = self.row(class).iter().zip(0..);
        list.extend(row.filter(|(known, _)| known.load(Relaxed) == distance).map(|(_, turns)| turns));
    }

    /// The neighbours of the cosets of a row that are this far away.
    fn spread(&self, class: usize, distance: u8, list: &mut Vec<u16>) -> u64 {
        self.list(class, distance, list);
        let mut n_new = 0;
        for (twist, &lead) in self.leads[class][..self.cosets.n_twists].iter().enumerate() {
            if list.is_empty() {
                break;
            }
            let (to, image) = ((lead >> 4) as usize, lead as usize & 15);
            let (row, map) = (self.row(to), &self.maps[twist * N_IMAGES + image]);
            // Where an image leaves the edges as they are, its image of the corners is the same coset.
            let fixed_by = self.cosets.fixed_by[to];
            for &turns in list.iter() {
                let after = map[usize::from(turns)];
                if row[usize::from(after)].load(Relaxed) != UNKNOWN {
                    continue;
                }
                for image in (0..N_IMAGES).filter(|image| fixed_by >> image & 1 == 1) {
                    let alike = self.cosets.images[usize::from(after)][image];
                    n_new += u64::from(row[usize::from(alike)].swap(distance + 1, Relaxed) == UNKNOWN);
                }
            }
        }
        n_new
    }

    /// The cosets of a row that are not known yet and have a neighbour this far away.
    fn reach(&self, class: usize, distance: u8, list: &mut Vec<u16>) -> u64 {
        self.list(class, UNKNOWN, list);
        let n_unknown = list.len();
        let own = self.row(class);
        for (twist, &lead) in self.leads[class][..self.cosets.n_twists].iter().enumerate() {
            if list.is_empty() {
                break;
            }
            let row = self.row((lead >> 4) as usize);
            let map = &self.maps[twist * N_IMAGES + (lead as usize & 15)];
            list.retain(|&turns| {
                let found = row[usize::from(map[usize::from(turns)])].load(Relaxed) == distance;
                if found {
                    own[usize::from(turns)].store(distance + 1, Relaxed);
                }
                !found
            });
        }
        (n_unknown - list.len()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unlimited::unlimited;
    use raichi_core::erased::create;
    use raichi_core::random::{index, stream};

    fn game(metric: &str) -> RubiksCube {
        *create::<RubiksCube>(Some(&format!("size=3,metric={metric}"))).unwrap().game()
    }

    #[test]
    fn twists_and_images_of_cosets_are_those_of_cubes() {
        let game = game("htm");
        let cosets = unlimited(|work| Cosets::new(&game, work)).unwrap();
        assert_eq!(cosets.n_classes(), 64_430);
        let keep = (0..48).map(|symmetry| Image::new(&game, symmetry)).filter(Image::keeps_up_and_down);
        let keep: Vec<Image> = keep.collect();
        assert_eq!(keep.len(), N_IMAGES);
        let (mut cubies, mut coset) = (Cubies::of(&Cube::SOLVED), Coset::of(&Cubies::of(&Cube::SOLVED)));
        let mut rng = stream(1, "test", 0);
        for _ in 0..500 {
            let nth = index(&mut rng, 18);
            cubies = cubies.then(&Cubies::of_twist(game.twists()[nth]));
            coset = cosets.after(coset, nth);
            assert_eq!(coset, Coset::of(&cubies));
            let place = cosets.place(coset);
            for image in &keep {
                let alike = cosets.place(Coset::of(&image.cubies(&cubies)));
                assert_eq!(alike / N_TURNS, place / N_TURNS, "the same class");
                let fixed_by = cosets.fixed_by[place / N_TURNS];
                assert!(alike == place || fixed_by != 1, "one place, unless edges are their own image");
            }
        }
    }

    /// The cosets at each distance, all members of the classes counted.
    fn by_distance(table: &Table) -> Vec<u64> {
        let mut counts = vec![0; 16];
        let mut sizes = vec![0; table.cosets.n_classes()];
        table.cosets.classes.iter().for_each(|&class| sizes[(class >> 4) as usize] += 1);
        for place in 0..sizes.len() * N_TURNS {
            let distance = table.distances[place / 2] >> (4 * (place & 1)) & 15;
            counts[usize::from(distance)] += sizes[place / N_TURNS];
        }
        counts.truncate(counts.iter().rposition(|&n| n > 0).map_or(0, |last| last + 1));
        counts
    }

    #[test]
    #[ignore = "nightly: building two tables of 141 million numbers takes a minute"]
    fn nightly_cosets_by_distance_are_as_many_as_published() {
        let table = |metric| unlimited(|work| Table::of(&game(metric), work)).unwrap();
        let counts = by_distance(table("htm"));
        let published = [1, 4, 50, 592, 7156, 87236, 1_043_817, 12_070_278, 124_946_368, 821_605_960, 1_199_128_738];
        assert_eq!(counts[..11], published);
        assert_eq!(counts[11..], [58_202_444, 476]);
        let counts = by_distance(table("qtm"));
        assert_eq!(counts.iter().sum::<u64>(), 2_217_093_120);
        assert!(counts.len() <= 15, "{counts:?}");
    }
}
