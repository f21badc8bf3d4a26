//! Points that are read together, because what stands on one says much about what can stand on the others.
//!
//! The stickers of a cube's corner are three points of six values each, but of the 216 combinations only 24 exist. Read as
//! one point of 24 values, a tuple of four such points sees four whole corners, with a table hundreds of times smaller than
//! that of twelve stickers. Which points belong together is found by counting in random games: two points are joined where at
//! most three quarters of the combinations of their values come up, and so are, with them, all that are joined with either.

use serde::{Deserialize, Serialize};

use super::inputs::Point;

/// What makes several points one.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Joined {
    /// The entries that are read after the point's own, which has the same values.
    pub entries: Vec<u32>,
    /// The combinations that are told apart, in ascending order; the rank is the place here. The point's own value counts
    /// least. Another combination counts as the first.
    pub combinations: Vec<u32>,
}

/// A combination of more values is not worked out.
const MOST_COMBINATIONS: u64 = 1 << 24;
/// Two points are joined where at most `3 / 4` of the combinations of their values come up.
const SHARE: (usize, usize) = (3, 4);
/// A joined point has at most so many ranks.
const MOST_RANKS: usize = 250;

impl Joined {
    /// The rank of what stands on a joined point.
    #[inline]
    pub(crate) fn rank(&self, point: &Point, observation: &[i32]) -> u8 {
        let combination = combination(point, &self.entries, observation);
        self.combinations.binary_search(&combination).unwrap_or(0) as u8
    }

    /// Whether entries lie within an observation of `observation_len` entries and combinations are as they must be.
    pub(crate) fn fits(&self, n_values: u16, observation_len: usize) -> bool {
        let most = u64::from(n_values).checked_pow(self.entries.len() as u32 + 1);
        let most = most.filter(|&most| most <= MOST_COMBINATIONS);
        let in_order = self.combinations.windows(2).all(|pair| pair[0] < pair[1]);
        let within = |&entry: &u32| (entry as usize) < observation_len;
        (1..=MOST_RANKS).contains(&self.combinations.len())
            && self.entries.len() < observation_len
            && self.entries.iter().all(within)
            && in_order
            && most.is_some_and(|most| self.combinations.iter().all(|&combination| u64::from(combination) < most))
    }

    /// Writes what stands on the point where its rank is `rank`: the value of its own entry, then of the others.
    pub(crate) fn values(&self, point: &Point, rank: usize) -> Vec<i32> {
        let n_values = u32::from(point.n_values);
        let mut left = self.combinations[rank];
        let mut value = || {
            let value = left % n_values;
            left /= n_values;
            point.min + value as i32
        };
        (0..=self.entries.len()).map(|_| value()).collect()
    }
}

fn combination(point: &Point, others: &[u32], observation: &[i32]) -> u32 {
    let n_values = u32::from(point.n_values);
    others.iter().rev().chain([&point.entry]).fold(0, |number, &entry| {
        let value = (observation[entry as usize] - point.min).clamp(0, n_values as i32 - 1);
        number * n_values + value as u32
    })
}

/// Joins points that hang together in the observations of random games; what stands alone stays as it is.
pub(crate) fn join(points: &[Point], seen: &[Vec<i32>]) -> Vec<Point> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for i in 0..points.len() {
        // All groups that this point hangs together with become one with it.
        let (with, without): (Vec<_>, Vec<_>) =
            groups.into_iter().partition(|group| group.iter().any(|&other| hang_together(points, i, other, seen)));
        groups = without;
        groups.push(with.into_iter().flatten().chain([i]).collect());
    }
    groups.sort_unstable_by_key(|group| group.iter().min().copied());
    groups.into_iter().flat_map(|group| as_one(points, group, seen)).collect()
}

/// Whether few of the combinations of the values of two points come up.
fn hang_together(points: &[Point], one: usize, other: usize, seen: &[Vec<i32>]) -> bool {
    let (one, other) = (&points[one], &points[other]);
    if one.split || other.split || (one.min, one.n_values) != (other.min, other.n_values) {
        return false;
    }
    let n_values = usize::from(one.n_values);
    let mut pairs = vec![false; n_values * n_values];
    for observation in seen {
        pairs[usize::from(one.rank(observation)) * n_values + usize::from(other.rank(observation))] = true;
    }
    let n_of_one = pairs.chunks(n_values).filter(|row| row.contains(&true)).count();
    let n_of_other =
        (0..n_values).filter(|&value| pairs.iter().skip(value).step_by(n_values).any(|&seen| seen)).count();
    let n_pairs = pairs.iter().filter(|&&seen| seen).count();
    n_pairs * SHARE.1 <= n_of_one * n_of_other * SHARE.0
}

/// A group as one point; or as it was, where that point would have too many values.
fn as_one(points: &[Point], mut group: Vec<usize>, seen: &[Vec<i32>]) -> Vec<Point> {
    group.sort_unstable();
    let alone = || group.iter().map(|&i| points[i].clone()).collect();
    let first = &points[group[0]];
    let entries: Vec<u32> = group[1..].iter().map(|&i| points[i].entry).collect();
    let n_combinations = u64::from(first.n_values).checked_pow(group.len() as u32);
    if entries.is_empty() || n_combinations.is_none_or(|n| n > MOST_COMBINATIONS) {
        return alone();
    }
    let mut combinations: Vec<u32> = seen.iter().map(|seen| combination(first, &entries, seen)).collect();
    combinations.sort_unstable();
    combinations.dedup();
    if combinations.len() > MOST_RANKS {
        return alone();
    }
    vec![Point { joined: Some(Box::new(Joined { entries, combinations })), ..first.clone() }]
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use raichi_core::erased::{GameVisitor, Playable};
    use raichi_core::path::PathGame;

    use crate::ntuple::inputs::{Below, Blocks, Inputs, ReadOptions, Reading};

    /// How many points there are of each number of ranks.
    struct Points;

    impl GameVisitor for Points {
        type Output = Vec<usize>;

        fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) -> Self::Output {
            let options = ReadOptions {
                blocks: Blocks::Board,
                below: Below::Ignored,
                most_values: 250,
                reading: Reading::Joined,
            };
            let inputs = Inputs::of(game, &options).unwrap();
            let read_again = Inputs::with_points(game, inputs.points.clone()).unwrap();
            assert_eq!(read_again.symmetries, inputs.symmetries);
            let mut wrong = inputs.points.clone();
            if let Some(joined) = &mut wrong[0].joined {
                joined.entries[0] = 10_000;
                assert!(Inputs::with_points(game, wrong).is_err());
            }
            inputs.points.iter().map(super::Point::n_ranks).collect()
        }
    }

    #[test]
    fn the_stickers_of_a_piece_are_one_point() {
        let points = |spec| raichi_games::visit(spec, Points).unwrap();
        assert_eq!(points("rubiks-cube:size=2"), [21; 7], "one corner stays where it is");
        assert_eq!(points("rubiks-cube:size=3"), [24; 20], "eight corners and twelve edges");
        assert_eq!(points("tic-tac-toe"), [3; 9], "nothing hangs together");
    }
}
