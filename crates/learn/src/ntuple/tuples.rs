//! Which points a tuple looks at: drawn by random walks or at random, or listed.
//!
//! Where walks are to go straight on, it matters that every straight run of cells is held by some tuple: what happens on one that is
//! not, no weight can tell. So each tuple is the best of several walks by how many runs it holds that none before it does.

use std::collections::{BTreeMap, BTreeSet};

use raichi_core::random::{FastRng, index, shuffle, stream};

use super::inputs::Inputs;

/// How tuples are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Drawing {
    /// Each walks from a cell to cells beside it.
    Walk,
    /// The same, but goes on in the direction of its last step four times out of five, as long as there is a cell; of several
    /// walks the one is taken that holds most straight runs of half its length that no other tuple holds.
    Straight,
    /// Each takes points anywhere.
    Points,
}

/// What the option `tuples` says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// So many of such a length, to be drawn: `70x8`.
    Drawn {
        /// How many.
        n: usize,
        /// How long.
        len: usize,
    },
    /// The points of each: `0-1-2/3-4-5`.
    Listed(Vec<Vec<u16>>),
}

/// The longest tuple.
pub const MOST_POINTS: usize = 32;
/// The most tuples.
pub const MOST_TUPLES: usize = 4096;

impl Wanted {
    /// Reads the option.
    ///
    /// # Errors
    /// A sentence that says what is wrong.
    pub fn parse(text: &str) -> Result<Wanted, String> {
        let wrong = || {
            format!(
                "tuples: `{text}` is neither a number and a length, like 70x8, nor a list of points, like 0-1-2/3-4-5 \
                 (lengths up to {MOST_POINTS}, up to {MOST_TUPLES} tuples)"
            )
        };
        if let Some((n, len)) = text.split_once('x') {
            let (n, len) = (n.parse().map_err(|_| wrong())?, len.parse().map_err(|_| wrong())?);
            let fits = (1..=MOST_TUPLES).contains(&n) && (1..=MOST_POINTS).contains(&len);
            return if fits { Ok(Wanted::Drawn { n, len }) } else { Err(wrong()) };
        }
        let tuple = |list: &str| list.split('-').map(|point| point.parse().ok()).collect::<Option<Vec<u16>>>();
        let tuples = text.split('/').map(tuple).collect::<Option<Vec<_>>>().ok_or_else(wrong)?;
        let fits = tuples.len() <= MOST_TUPLES && tuples.iter().all(|tuple| (1..=MOST_POINTS).contains(&tuple.len()));
        if fits { Ok(Wanted::Listed(tuples)) } else { Err(wrong()) }
    }

    /// The tuples, as lists of points.
    ///
    /// # Errors
    /// A sentence, where a listed point does not exist or comes twice.
    pub fn choose(&self, inputs: &Inputs, drawing: Drawing, seed: u64) -> Result<Vec<Vec<u16>>, String> {
        let n_points = inputs.points.len();
        match self {
            Wanted::Listed(tuples) => {
                for tuple in tuples {
                    if let Some(point) = tuple.iter().find(|&&point| usize::from(point) >= n_points) {
                        return Err(format!("tuples: there is no point {point}; this game has 0 to {}", n_points - 1));
                    }
                    if let Some(twice) = tuple.iter().enumerate().find(|&(i, point)| tuple[..i].contains(point)) {
                        return Err(format!("tuples: point {} comes twice in a tuple", twice.1));
                    }
                }
                Ok(tuples.clone())
            }
            Wanted::Drawn { n, len } => Ok(draw(inputs, *n, (*len).min(n_points), drawing, seed)),
        }
    }
}

/// Draws `n` tuples of `len` points, no two of the same points. They begin at all points in turn, so that none is left out.
fn draw(inputs: &Inputs, n: usize, len: usize, drawing: Drawing, seed: u64) -> Vec<Vec<u16>> {
    const TRIES: usize = 50;
    let rng = &mut stream(seed, "tuples", 0);
    let mut starts: Vec<u16> = (0..inputs.points.len() as u16).collect();
    shuffle(rng, &mut starts);
    let mut runs = if drawing == Drawing::Straight { Runs::of(inputs, len / 2) } else { Runs::default() };
    let mut tuples: Vec<Vec<u16>> = Vec::new();
    for i in 0..n {
        let mut candidates: Vec<Vec<u16>> = Vec::new();
        // As long as something is to be held, the best of all; else the first that is new.
        for _ in 0..TRIES {
            let mut tuple = one(inputs, starts[i % starts.len()], len, drawing, rng);
            tuple.sort_unstable();
            if !tuples.contains(&tuple) {
                candidates.push(tuple);
                if runs.missing.is_empty() {
                    break;
                }
            }
        }
        // Of equals the first.
        if let Some(best) = candidates.into_iter().rev().max_by_key(|tuple| runs.newly_held(tuple).len()) {
            runs.hold(&best);
            tuples.push(best);
        }
    }
    tuples
}

/// The straight runs of so many cells, each with the least of its images under the symmetries, which share weights.
#[derive(Default)]
struct Runs {
    all: BTreeMap<Vec<u16>, Vec<u16>>,
    /// Those, by their least image, that no tuple holds.
    missing: BTreeSet<Vec<u16>>,
}

impl Runs {
    fn of(inputs: &Inputs, len: usize) -> Runs {
        let mut all = BTreeMap::new();
        for from in 0..inputs.points.len() as u16 {
            for &to in &inputs.neighbours.beside[usize::from(from)] {
                let mut run = vec![from, to];
                while run.len() < len
                    && let Some(next) = inputs.neighbours.ahead(run[run.len() - 2], run[run.len() - 1])
                {
                    run.push(next);
                }
                // Two cells side by side are no line, and neither is what lies on no grid.
                if run.len() == len && len > 2 {
                    run.sort_unstable();
                    let image = |to: &[u16]| sorted(run.iter().map(|&point| to[usize::from(point)]).collect());
                    let images = inputs.symmetries.iter().map(|symmetry| image(&symmetry.to));
                    let least = images.min().expect("the identity is one");
                    all.insert(run, least);
                }
            }
        }
        Runs { missing: all.values().cloned().collect(), all }
    }

    /// What a tuple holds of those missing.
    fn newly_held(&self, tuple: &[u16]) -> BTreeSet<&Vec<u16>> {
        let holds = |run: &Vec<u16>| run.iter().all(|point| tuple.contains(point));
        let missing = self.all.iter().filter(|(_, least)| self.missing.contains(*least));
        missing.filter(|(run, _)| holds(run)).map(|(_, least)| least).collect()
    }

    fn hold(&mut self, tuple: &[u16]) {
        let held: BTreeSet<Vec<u16>> = self.newly_held(tuple).into_iter().cloned().collect();
        self.missing.retain(|run| !held.contains(run));
    }
}

fn sorted(mut points: Vec<u16>) -> Vec<u16> {
    points.sort_unstable();
    points
}

fn one(inputs: &Inputs, start: u16, len: usize, drawing: Drawing, rng: &mut FastRng) -> Vec<u16> {
    // A walk that is shut in takes a point elsewhere.
    const STEPS_WITHOUT_A_NEW_POINT: usize = 100;
    const TURNS_ONE_IN: usize = 5;
    let neighbours = &inputs.neighbours;
    let mut tuple = vec![start];
    let (mut at, mut ahead, mut idle) = (start, None, 0);
    while tuple.len() < len {
        let beside = &neighbours.beside[usize::from(at)];
        let from = at;
        if drawing == Drawing::Points || beside.is_empty() || idle > STEPS_WITHOUT_A_NEW_POINT {
            (at, ahead) = (index(rng, inputs.points.len()) as u16, None);
        } else {
            at = match ahead {
                Some(ahead) if index(rng, TURNS_ONE_IN) > 0 => ahead,
                _ => beside[index(rng, beside.len())],
            };
            ahead = if drawing == Drawing::Straight { neighbours.ahead(from, at) } else { None };
        }
        idle += 1;
        if !tuple.contains(&at) {
            tuple.push(at);
            idle = 0;
        }
    }
    tuple
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use raichi_core::erased::{GameVisitor, Playable};
    use raichi_core::path::PathGame;

    use super::*;
    use crate::ntuple::inputs::{Below, Blocks, ReadOptions, Reading};

    /// The tuples that are drawn, as entries of the observation.
    struct Draw(&'static str, Drawing, u64);

    impl GameVisitor for Draw {
        type Output = Vec<Vec<usize>>;

        fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) -> Self::Output {
            let reading = Reading::Single;
            let options = ReadOptions { blocks: Blocks::Board, below: Below::Ignored, most_values: 250, reading };
            let inputs = Inputs::of(game, &options).unwrap();
            let tuples = Wanted::parse(self.0).unwrap().choose(&inputs, self.1, self.2).unwrap();
            let entry = |&point: &u16| inputs.points[usize::from(point)].entry as usize;
            tuples.iter().map(|tuple| tuple.iter().map(entry).collect()).collect()
        }
    }

    #[test]
    fn straight_walks_cover_the_lines_of_a_board() {
        const COLUMNS: usize = 7;
        let straight = |from: usize, to: usize| {
            let cells = (0..4).map(|i| (from * (3 - i) + to * i) / 3);
            cells.collect::<Vec<usize>>()
        };
        // All lines of four of Connect Four, by their ends.
        let mut lines = Vec::new();
        for (row, column) in (0..6).flat_map(|row| (0..COLUMNS).map(move |column| (row, column))) {
            let at = row * COLUMNS + column;
            lines.extend((column + 3 < COLUMNS).then(|| straight(at, at + 3)));
            lines.extend((row + 3 < 6).then(|| straight(at, at + 3 * COLUMNS)));
            lines.extend((row + 3 < 6 && column + 3 < COLUMNS).then(|| straight(at, at + 3 * COLUMNS + 3)));
            lines.extend((row + 3 < 6 && column >= 3).then(|| straight(at, at + 3 * COLUMNS - 3)));
        }
        assert_eq!(lines.len(), 69);
        let mirrored = |cell: usize| cell / COLUMNS * COLUMNS + COLUMNS - 1 - cell % COLUMNS;
        let n_covered = |drawing, seed| {
            let tuples = raichi_games::visit("connect-four", Draw("70x8", drawing, seed)).unwrap();
            assert_eq!(tuples.len(), 70);
            let covers = |tuple: &Vec<usize>, line: &Vec<usize>| {
                line.iter().all(|cell| tuple.contains(cell)) || line.iter().all(|&cell| tuple.contains(&mirrored(cell)))
            };
            lines.iter().filter(|line| tuples.iter().any(|tuple| covers(tuple, line))).count()
        };
        for seed in 0..5 {
            assert_eq!(n_covered(Drawing::Straight, seed), 69, "{seed}");
            assert!(n_covered(Drawing::Walk, seed) < 60, "{seed}");
        }
    }

    #[test]
    fn the_option_is_read_or_refused() {
        assert_eq!(Wanted::parse("70x8"), Ok(Wanted::Drawn { n: 70, len: 8 }));
        assert_eq!(Wanted::parse("0-1-2/4-5"), Ok(Wanted::Listed(vec![vec![0, 1, 2], vec![4, 5]])));
        for wrong in ["", "70", "0x8", "70x0", "70x99", "axb", "0-1-", "1--2", "-1", "99999999x2", "70x8x2"] {
            let refused = Wanted::parse(wrong);
            assert!(wrong == "70" || refused.is_err(), "{wrong}: {refused:?}");
        }
    }
}
