//! What an n-tuple network reads of an observation: points, the values each can have, and how symmetries map them.
//!
//! A *point* is an entry of the observation that varies. Its *rank* is its value, counted from the least one; where empty
//! cells are told apart by what lies below them ([`Below::Support`]) an empty cell that rests on something has a rank of
//! its own. Points that never differ from one another are one point, and values that only constant entries have (the
//! corners where a board has no cell) are left out: both are found by looking at random games, with a fixed seed. Where blocks of
//! the observation are named ([`Blocks::Named`]) each of their entries is a point, whatever random games show.
//!
//! Symmetries are found by asking the game for the image of observations that differ in one entry, and checked on those of
//! random games; one that is no rearrangement of points is left out.

use std::collections::BTreeSet;

use raichi_core::encoding::{Encoding, Layout, Meaning, Shape};
use raichi_core::game::Phase;
use raichi_core::path::PathGame;
use raichi_core::random::{FastRng, stream};
use serde::{Deserialize, Serialize};

use super::joined::{Joined, join};

/// Which blocks of the observation are read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Blocks {
    /// Grids where there are any; else all.
    Board,
    /// All.
    All,
    /// Those of these names, with `-` in place of what is neither a letter nor a digit, in the observation's order.
    Named(Vec<String>),
}

impl Blocks {
    /// Reads the option: `board`, `all`, or names with `/` between them.
    pub fn parse(text: &str) -> Blocks {
        match text {
            "board" => Blocks::Board,
            "all" => Blocks::All,
            names => Blocks::Named(names.split('/').map(str::to_owned).collect()),
        }
    }

    /// # Errors
    /// A sentence, where a name is none of the observation's.
    fn check(&self, layout: &Layout) -> Result<(), String> {
        let Blocks::Named(names) = self else { return Ok(()) };
        let known: Vec<String> = layout.blocks.iter().map(|block| word(&block.name)).collect();
        match names.iter().find(|name| !known.contains(name)) {
            Some(unknown) => Err(format!(
                "blocks: `{unknown}` is none of this game's; there are board, all, and lists of {}",
                known.join("/")
            )),
            None => Ok(()),
        }
    }
}

/// A block's name as a word of an option: `hand-counts`.
fn word(name: &str) -> String {
    name.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-")
}

/// What is read of an observation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadOptions {
    /// Which blocks.
    pub blocks: Blocks,
    /// Whether empty cells are told apart.
    pub below: Below,
    /// How many values of a point are told apart at most.
    pub most_values: u16,
    /// Which entries are points.
    pub reading: Reading,
}

/// Which entries are points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reading {
    /// Each by itself.
    Single,
    /// Entries that hang together are one point.
    Joined,
}

/// Whether an empty cell of a grid is told apart by what lies below it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Below {
    /// It is not.
    Ignored,
    /// An empty cell of the lowest row, or above one that is not empty, counts as another value.
    Support,
}

/// An entry of the observation that tuples look at, or several that are read together.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Point {
    /// Which entry of the observation it is.
    pub entry: u32,
    /// The least value of the entry; its rank is 0.
    pub min: i32,
    /// How many values are told apart; greater ones count as the greatest.
    pub n_values: u16,
    /// Whether rank 0 is split by what lies below.
    #[serde(default, skip_serializing_if = "is_false")]
    pub split: bool,
    /// The entry below, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub below: Option<u32>,
    /// The other entries that are read with it, where it is joined from several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub joined: Option<Box<Joined>>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_false(value: &bool) -> bool {
    !value
}

impl Point {
    /// How many ranks it has.
    pub fn n_ranks(&self) -> usize {
        match &self.joined {
            Some(joined) => joined.combinations.len(),
            None => usize::from(self.n_values) + usize::from(self.split),
        }
    }

    /// The entries of the observation that stand on it.
    pub fn entries(&self) -> impl Iterator<Item = usize> + '_ {
        let others = self.joined.iter().flat_map(|joined| &joined.entries);
        std::iter::once(&self.entry).chain(others).map(|&entry| entry as usize)
    }

    /// The values of its entries where its rank is `rank`, which is not that of a supported empty cell.
    fn values(&self, rank: usize) -> Vec<i32> {
        match &self.joined {
            Some(joined) => joined.values(self, rank),
            None => vec![self.min + rank as i32],
        }
    }

    /// Its rank in an observation.
    #[inline]
    pub(crate) fn rank(&self, observation: &[i32]) -> u8 {
        if let Some(joined) = &self.joined {
            return joined.rank(self, observation);
        }
        let rank = (observation[self.entry as usize] - self.min).clamp(0, i32::from(self.n_values) - 1) as u8;
        if self.split && rank == 0 && self.below.is_none_or(|below| observation[below as usize] != self.min) {
            self.n_values as u8
        } else {
            rank
        }
    }

    /// Whether something stands on the point.
    #[inline]
    pub(crate) fn is_filled(&self, rank: u8) -> bool {
        rank != 0 && u16::from(rank) != self.n_values
    }
}

/// A symmetry of the rules as a rearrangement of points.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symmetry {
    /// Where each point goes.
    pub to: Vec<u16>,
    /// For each point what its ranks become there.
    pub ranks: Vec<Vec<u8>>,
}

/// How points lie to one another, for random walks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Neighbours {
    /// Of each point those beside it.
    pub beside: Vec<Vec<u16>>,
    /// Where each point lies on a grid: the block's first entry, the row, the column.
    places: Vec<Option<(usize, usize, usize)>>,
}

impl Neighbours {
    /// The point that lies straight on after a step from `from` to `to`, where there is one.
    pub fn ahead(&self, from: u16, to: u16) -> Option<u16> {
        let (Some((_, row, column)), Some((block, next_row, next_column))) =
            (self.places[usize::from(from)], self.places[usize::from(to)])
        else {
            return None;
        };
        let place = (block, (2 * next_row).checked_sub(row)?, (2 * next_column).checked_sub(column)?);
        self.places.iter().position(|&other| other == Some(place)).map(|point| point as u16)
    }
}

/// The points of a game.
#[derive(Clone, Debug)]
pub struct Inputs {
    /// The points.
    pub points: Vec<Point>,
    /// The symmetries, the identity first.
    pub symmetries: Vec<Symmetry>,
    /// Which points lie beside each other.
    pub neighbours: Neighbours,
    /// How long an observation is.
    pub observation_len: usize,
    /// Whether many points change at each ply, as where all tiles slide.
    pub many_change: bool,
}

/// More points than these change at a ply where many do, in the mean.
const FEW_CHANGES: usize = 4;

/// How many random games are looked at, and how many plies of each.
const GAMES_LOOKED_AT: u64 = 60;
const PLIES_LOOKED_AT: u32 = 400;

impl Inputs {
    /// The points of `game`.
    ///
    /// # Errors
    /// A sentence, where a block that is to be read does not exist.
    pub fn of<G: Encoding>(game: &PathGame<G>, options: &ReadOptions) -> Result<Inputs, String> {
        let layout = game.layout();
        options.blocks.check(&layout)?;
        let seen = observations(game);
        let mut points = points(&layout, &seen, options);
        if options.reading == Reading::Joined {
            points = join(&points, &seen);
        }
        Ok(Inputs::of_points(game, &layout, points, &seen))
    }

    /// The same for points that were chosen before: those of a file.
    ///
    /// # Errors
    /// A sentence, when the points are not such as this game has.
    pub fn with_points<G: Encoding>(game: &PathGame<G>, points: Vec<Point>) -> Result<Inputs, String> {
        let layout = game.layout();
        let within = |entry: u32| (entry as usize) < layout.len();
        let has_values = |entry: usize, point: &Point| {
            let (_, block) =
                layout.offsets().filter(|&(first, _)| first <= entry).last().expect("the first begins at 0");
            point.min == block.min && i64::from(point.min) + i64::from(point.n_values) - 1 <= i64::from(block.max)
        };
        let fits = |point: &Point| {
            let joined = |joined: &Joined| !point.split && joined.fits(point.n_values, layout.len());
            within(point.entry)
                && point.below.is_none_or(within)
                && (1..=254).contains(&point.n_values)
                && point.joined.as_deref().is_none_or(joined)
                && point.entries().all(|entry| has_values(entry, point))
        };
        if points.is_empty() || points.len() > layout.len().min(usize::from(u16::MAX)) || !points.iter().all(fits) {
            return Err(format!("its network reads entries that an observation of {} does not have", game.spec()));
        }
        Ok(Inputs::of_points(game, &layout, points, &observations(game)))
    }

    fn of_points<G: Encoding>(game: &PathGame<G>, layout: &Layout, points: Vec<Point>, seen: &[Vec<i32>]) -> Inputs {
        Inputs {
            symmetries: symmetries(game.game(), &points, seen),
            neighbours: neighbours(layout, &points),
            many_change: many_change(&points, seen, game.facts().n_seats),
            observation_len: layout.len(),
            points,
        }
    }
}

/// Whether many points differ, in the mean, from what the same seat saw a ply before.
fn many_change(points: &[Point], seen: &[Vec<i32>], n_seats: usize) -> bool {
    let differ = |(before, now): (&Vec<i32>, &Vec<i32>)| {
        points.iter().filter(|point| before[point.entry as usize] != now[point.entry as usize]).count()
    };
    let n_pairs = seen.len().saturating_sub(n_seats);
    let n_changes: usize = seen.iter().zip(seen.iter().skip(n_seats)).map(differ).sum();
    n_changes > FEW_CHANGES * n_pairs
}

/// What seats see in random games, ply by ply, one seat after the other.
fn observations<G: Encoding>(game: &PathGame<G>) -> Vec<Vec<i32>> {
    let (n_seats, n_entries) = (game.facts().n_seats, game.layout().len());
    let mut seen = Vec::new();
    let mut scratch = Vec::new();
    for number in 0..GAMES_LOOKED_AT {
        let mut rng: FastRng = stream(0, "observations", number);
        let mut state = game.initial_state();
        for _ in 0..PLIES_LOOKED_AT {
            let seat = match game.phase(&state) {
                Phase::Over => break,
                Phase::Chance => {
                    let outcome = game.sample_outcome(&state, &mut rng);
                    game.apply_outcome(&mut state, outcome);
                    continue;
                }
                Phase::Act(seats) => seats.first(),
            };
            for viewer in 0..n_seats {
                let mut observation = vec![0; n_entries];
                game.observe(&state, viewer, &mut observation);
                seen.push(observation);
            }
            let action = game.random_action(&state, seat, &mut scratch, &mut rng);
            game.apply(&mut state, seat, action);
        }
    }
    seen
}

fn points(layout: &Layout, seen: &[Vec<i32>], options: &ReadOptions) -> Vec<Point> {
    let has_grid = layout.blocks.iter().any(|block| matches!(block.shape, Shape::Grid { .. }));
    let is_named = matches!(options.blocks, Blocks::Named(_));
    let varies = |entry: usize| seen.iter().any(|observation| observation[entry] != seen[0][entry]);
    let mut points: Vec<Point> = Vec::new();
    for (first, block) in layout.offsets() {
        let is_grid = matches!(block.shape, Shape::Grid { .. });
        // Who is to act is known from whose value is asked for; beside a board counters are left out.
        let is_read = match &options.blocks {
            Blocks::Board => block.name != "to act" && (is_grid || !has_grid),
            Blocks::All => block.name != "to act",
            Blocks::Named(names) => names.contains(&word(&block.name)),
        };
        if !is_read {
            continue;
        }
        let entries: Vec<usize> = (first..first + block.len()).filter(|&entry| is_named || varies(entry)).collect();
        let has_names = matches!(block.meaning, Meaning::Names(_));
        let max = if has_names && !is_named {
            largest_of_varying(&entries, first, block.len(), block.max, seen)
        } else {
            block.max
        };
        for &entry in &entries {
            let same = |other: &Point| seen.iter().all(|o| o[entry] == o[other.entry as usize]);
            if !is_named && points.iter().any(same) {
                continue;
            }
            let n_values = (i64::from(max) - i64::from(block.min) + 1).clamp(1, i64::from(options.most_values)) as u16;
            let split = is_grid && options.below == Below::Support;
            let under = match block.shape {
                Shape::Grid { columns, .. } if split => {
                    Some(entry + columns).filter(|&under| under < first + block.len()).map(|under| under as u32)
                }
                _ => None,
            };
            points.push(Point { entry: entry as u32, min: block.min, n_values, split, below: under, joined: None });
        }
    }
    points
}

/// The greatest value to be told apart: greater ones are left out where only constant entries have them.
fn largest_of_varying(varying: &[usize], first: usize, len: usize, max: i32, seen: &[Vec<i32>]) -> i32 {
    let constant: BTreeSet<i32> =
        (first..first + len).filter(|entry| !varying.contains(entry)).map(|entry| seen[0][entry]).collect();
    let is_used = |value: i32| varying.iter().any(|&entry| seen.iter().any(|o| o[entry] == value));
    let mut largest = max;
    while largest > 1 && constant.contains(&largest) && !is_used(largest) {
        largest -= 1;
    }
    largest
}

/// The symmetries of the game that are rearrangements of points.
fn symmetries<G: Encoding>(game: &G, points: &[Point], seen: &[Vec<i32>]) -> Vec<Symmetry> {
    let same: Vec<Vec<Vec<usize>>> =
        points.iter().map(|point| point.entries().map(|entry| entries_like(entry, seen)).collect()).collect();
    let mut found = vec![Symmetry::identity(points)];
    for number in 1..game.n_symmetries() {
        let map = |observation: &[i32], image: &mut [i32]| game.map_observation(number, observation, image);
        found.extend(symmetry(&map, points, &same, seen));
    }
    found
}

/// The entries that never differ from `entry`: a line between two nodes stands in a grid of nodes twice.
fn entries_like(entry: usize, seen: &[Vec<i32>]) -> Vec<usize> {
    (0..seen[0].len()).filter(|&other| seen.iter().all(|o| o[other] == o[entry])).collect()
}

/// The rearrangement by which `map` makes the image of an observation, if it does so for some of those seen. `same`: for each
/// point and each of its entries the entries that are always the same.
fn symmetry(
    map: &dyn Fn(&[i32], &mut [i32]),
    points: &[Point],
    same: &[Vec<Vec<usize>>],
    seen: &[Vec<i32>],
) -> Option<Symmetry> {
    let check: Vec<&Vec<i32>> = seen.iter().step_by(seen.len() / 40 + 1).collect();
    let base = check.first()?;
    let image_of = |observation: &[i32]| {
        let mut image = vec![0; observation.len()];
        map(observation, &mut image);
        image
    };
    let base_image = image_of(base);
    let mut symmetry = Symmetry { to: Vec::new(), ranks: Vec::new() };
    for (point, same) in points.iter().zip(same) {
        // The image of what is seen at first, but for what stands on the point.
        let image_with = |rank: usize| {
            let mut moved = (*base).clone();
            for (entries, value) in same.iter().zip(point.values(rank)) {
                entries.iter().for_each(|&entry| moved[entry] = value);
            }
            image_of(&moved)
        };
        let is_there = |rank: &usize| point.entries().map(|entry| base[entry]).eq(point.values(*rank));
        let moved_image = image_with((0..point.n_ranks()).find(|rank| !is_there(rank))?);
        let differs = |target: usize| moved_image[target] != base_image[target];
        let to = points.iter().position(|point| point.entries().any(differs))?;
        let target = &points[to];
        if target.n_values != point.n_values || target.split != point.split || target.n_ranks() != point.n_ranks() {
            return None;
        }
        let n_plain = point.n_ranks() - usize::from(point.split);
        let mut ranks: Vec<u8> = Vec::new();
        for rank in 0..n_plain {
            let image = image_with(rank);
            let back: Vec<i32> = target.entries().map(|entry| image[entry]).collect();
            ranks.push((0..n_plain).find(|&rank| target.values(rank) == back)? as u8);
        }
        if point.split {
            ranks.push(point.n_values as u8);
        }
        symmetry.to.push(to as u16);
        symmetry.ranks.push(ranks);
    }
    check.iter().all(|observation| symmetry.fits(points, observation, &image_of(observation))).then_some(symmetry)
}

impl Symmetry {
    fn identity(points: &[Point]) -> Symmetry {
        Symmetry {
            to: (0..points.len() as u16).collect(),
            ranks: points.iter().map(|point| (0..point.n_ranks()).map(|rank| rank as u8).collect()).collect(),
        }
    }

    fn fits(&self, points: &[Point], observation: &[i32], image: &[i32]) -> bool {
        points.iter().enumerate().all(|(i, point)| {
            let mapped = self.ranks[i].get(usize::from(point.rank(observation)));
            mapped == Some(&points[usize::from(self.to[i])].rank(image))
        })
    }
}

/// Cells beside each other, diagonally too, and the same cell of another grid; plain numbers are beside everything.
fn neighbours(layout: &Layout, points: &[Point]) -> Neighbours {
    let place = |point: &Point| {
        let entry = point.entry as usize;
        let (first, block) = layout.offsets().filter(|&(first, _)| first <= entry).last()?;
        match block.shape {
            Shape::Grid { columns, .. } => Some((first, (entry - first) / columns, (entry - first) % columns)),
            Shape::Numbers(_) => None,
        }
    };
    let places: Vec<Option<(usize, usize, usize)>> = points.iter().map(place).collect();
    let is_beside = |one: usize, other: usize| match (places[one], places[other]) {
        (Some(one), Some(other)) => one.1.abs_diff(other.1) <= 1 && one.2.abs_diff(other.2) <= 1,
        _ => true,
    };
    let of = |one: usize| (0..points.len()).filter(|&o| o != one && is_beside(one, o)).map(|o| o as u16).collect();
    Neighbours { beside: (0..points.len()).map(of).collect(), places }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use raichi_core::erased::{GameVisitor, Playable};

    use super::*;

    /// The entries that are read.
    struct Read(&'static str);

    impl GameVisitor for Read {
        type Output = Result<Vec<u32>, String>;

        fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) -> Self::Output {
            let blocks = Blocks::parse(self.0);
            let options = ReadOptions { blocks, below: Below::Ignored, most_values: 250, reading: Reading::Single };
            Ok(Inputs::of(game, &options)?.points.iter().map(|point| point.entry).collect())
        }
    }

    #[test]
    fn blocks_are_read_by_name() {
        let read = |spec, blocks| raichi_games::visit(spec, Read(blocks)).unwrap();
        // 52 unseen cards, 13 ranks of the dealer, a card face down, 4 hands of 13 ranks; then the counts.
        assert_eq!(read("blackjack", "dealer-count/hand-counts"), Ok((118..123).collect()));
        assert_eq!(
            read("blackjack", "hand-counts/dealer-count"),
            Ok((118..123).collect()),
            "in the observation's order"
        );
        let [board, all] = ["board", "all"].map(|blocks| read("blackjack", blocks).unwrap().len());
        assert!(0 < board && board < all, "{board} of {all}");
        let refused = read("blackjack", "hand-count").unwrap_err();
        assert!(refused.starts_with("blocks: `hand-count` is none") && refused.contains("/hand-counts/"), "{refused}");
    }
}
