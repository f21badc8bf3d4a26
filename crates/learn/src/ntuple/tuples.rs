//! Which points a tuple looks at: drawn by random walks or at random, or listed.

use raichi_core::random::{FastRng, index, shuffle, stream};

use super::inputs::Inputs;

/// How tuples are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Drawing {
    /// Each walks from a cell to cells beside it.
    Walk,
    /// The same, but goes on in the direction of its last step four times out of five, as long as there is a cell.
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
    let mut tuples: Vec<Vec<u16>> = Vec::new();
    for i in 0..n {
        for _ in 0..TRIES {
            let mut tuple = one(inputs, starts[i % starts.len()], len, drawing, rng);
            tuple.sort_unstable();
            if !tuples.contains(&tuple) {
                tuples.push(tuple);
                break;
            }
        }
    }
    tuples
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
    struct Draw(&'static str, Drawing);

    impl GameVisitor for Draw {
        type Output = Vec<Vec<usize>>;

        fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) -> Self::Output {
            let reading = Reading::Single;
            let options = ReadOptions { blocks: Blocks::Board, below: Below::Ignored, most_values: 250, reading };
            let inputs = Inputs::of(game, &options).unwrap();
            let tuples = Wanted::parse(self.0).unwrap().choose(&inputs, self.1, 3).unwrap();
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
        let n_covered = |drawing| {
            let tuples = raichi_games::visit("connect-four", Draw("70x8", drawing)).unwrap();
            let covers = |tuple: &Vec<usize>, line: &Vec<usize>| {
                line.iter().all(|cell| tuple.contains(cell)) || line.iter().all(|&cell| tuple.contains(&mirrored(cell)))
            };
            lines.iter().filter(|line| tuples.iter().any(|tuple| covers(tuple, line))).count()
        };
        let (walks, straight) = (n_covered(Drawing::Walk), n_covered(Drawing::Straight));
        assert!(straight >= 60 && straight > walks, "{straight} of 69 by straight walks, {walks} by others");
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
