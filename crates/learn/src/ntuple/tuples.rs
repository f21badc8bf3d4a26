//! Which points a tuple looks at: drawn by random walks or at random, or listed.

use raichi_core::random::{FastRng, index, shuffle, stream};

use super::inputs::Inputs;

/// How tuples are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Drawing {
    /// Each walks from a cell to cells beside it.
    Walk,
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
    let mut tuple = vec![start];
    let (mut at, mut idle) = (start, 0);
    while tuple.len() < len {
        let beside = &inputs.neighbours.0[usize::from(at)];
        at = if drawing == Drawing::Points || beside.is_empty() || idle > STEPS_WITHOUT_A_NEW_POINT {
            index(rng, inputs.points.len()) as u16
        } else {
            beside[index(rng, beside.len())]
        };
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
    use super::*;

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
