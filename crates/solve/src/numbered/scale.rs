//! Values in two bytes, and which are better.
//!
//! Payoffs are sorted, best for seat 0 first, and named by their place, their level. An entry has the level in three bits and
//! the distance to the end in eleven; the two highest bits are marks for the next sweep, one for even and one for odd distances.

use std::cmp::Ordering;

use raichi_core::game::Payoffs;
use raichi_core::seat::Seat;

use crate::exact::{Exact, Unsolved};

/// What a position is worth: one of the payoffs, and after how many plies.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Value {
    pub(super) level: u8,
    /// [`Value::ENDLESS`] where nobody forces an end.
    pub(super) plies: u16,
}

const PLIES: u32 = 11;
const LEVELS: usize = 7;

/// A position without a value yet.
pub(super) const OPEN: u16 = (LEVELS as u16) << PLIES;
/// A number that stands for no position.
pub(super) const HOLE: u16 = OPEN | 1;
/// All marks.
pub(super) const MARKS: u16 = 3 << 14;

/// The mark of positions to be looked at when distance `plies` is due.
pub(super) fn mark(plies: u16) -> u16 {
    1 << (14 + (plies & 1))
}

impl Value {
    /// The distance of a position from which nobody forces an end.
    pub(super) const ENDLESS: u16 = (1 << PLIES) - 1;

    #[inline]
    pub(super) fn entry(self) -> u16 {
        u16::from(self.level) << PLIES | self.plies
    }

    /// The value of an entry that has one.
    #[inline]
    pub(super) fn of_entry(entry: u16) -> Option<Value> {
        let entry = entry & !MARKS;
        (entry < OPEN).then_some(Value { level: (entry >> PLIES) as u8, plies: entry & Value::ENDLESS })
    }

    /// The same a ply earlier.
    ///
    /// # Errors
    /// Where that is further from the end than can be written down.
    pub(super) fn before(self) -> Result<Value, Unsolved> {
        match self.plies {
            Value::ENDLESS => Ok(self),
            plies if plies + 1 < Value::ENDLESS => Ok(Value { plies: plies + 1, ..self }),
            _ => {
                Err(Unsolved::Unknown(format!("it takes more than {} plies, too many for a table", Value::ENDLESS - 1)))
            }
        }
    }

    /// How many plies it is to the end; `None` where nobody forces one.
    pub fn plies(self) -> Option<u32> {
        (self.plies != Value::ENDLESS).then_some(self.plies.into())
    }
}

/// The payoffs by level.
#[derive(Clone, Debug)]
pub(super) struct Scale {
    payoffs: Vec<Payoffs>,
    endless: u8,
    /// By level: when it is dealt with.
    rank: [u8; LEVELS],
}

/// Positions from which `attacker` can force an end with the payoff of `level` are looked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attack {
    pub(super) level: u8,
    pub(super) attacker: Seat,
}

impl Scale {
    /// The scale of these payoffs.
    ///
    /// # Errors
    /// Where there are too many.
    pub(super) fn new(mut payoffs: Vec<Payoffs>, endless: &Payoffs) -> Result<Scale, Unsolved> {
        payoffs.push(endless.clone());
        payoffs.sort_by(|one, other| other[0].total_cmp(&one[0]));
        payoffs.dedup();
        if payoffs.len() > LEVELS {
            return Err(Unsolved::Unknown(format!("it ends with {} different payoffs, too many", payoffs.len())));
        }
        let endless = payoffs.iter().position(|payoffs| payoffs == endless).expect("it was pushed") as u8;
        let mut scale = Scale { payoffs, endless, rank: [0; LEVELS] };
        for (rank, attack) in scale.attacks().into_iter().enumerate() {
            scale.rank[usize::from(attack.level)] = rank as u8;
        }
        Ok(scale)
    }

    /// In which order levels are dealt with: from both extremes towards what endless play pays.
    pub(super) fn attacks(&self) -> Vec<Attack> {
        let first = (0..self.endless).map(|level| Attack { level, attacker: 0 });
        let second = (self.endless + 1..self.payoffs.len() as u8).rev().map(|level| Attack { level, attacker: 1 });
        let last = Attack { level: self.endless, attacker: self.shortening(self.endless) };
        first.chain(second).chain([last]).collect()
    }

    #[inline]
    pub(super) fn rank(&self, level: u8) -> u8 {
        self.rank[usize::from(level)]
    }

    /// What play without an end is worth.
    pub(super) fn endless(&self) -> Value {
        Value { level: self.endless, plies: Value::ENDLESS }
    }

    /// The value of a position that is over.
    ///
    /// # Errors
    /// Where the game did not name the payoffs.
    pub(super) fn over(&self, payoffs: &Payoffs) -> Result<Value, Unsolved> {
        let level = self.payoffs.iter().position(|known| known == payoffs);
        let level =
            level.ok_or_else(|| Unsolved::Unknown(format!("a game ends with {payoffs:?}, which was not named")))?;
        Ok(Value { level: level as u8, plies: 0 })
    }

    /// Who shortens games that end with this payoff: the winner, and in a draw seat 0, or who has to force it.
    fn shortening(&self, level: u8) -> Seat {
        match level.cmp(&self.endless) {
            Ordering::Less => 0,
            Ordering::Greater => 1,
            Ordering::Equal => match self.payoffs[usize::from(level)].as_slice() {
                [one, other] if other > one => 1,
                _ => 0,
            },
        }
    }

    /// Which of two values is better for `seat`; the better one is the greater.
    #[inline]
    pub(super) fn compare(&self, seat: Seat, one: Value, other: Value) -> Ordering {
        let by_level = if seat == 0 { other.level.cmp(&one.level) } else { one.level.cmp(&other.level) };
        by_level.then_with(|| match self.shortening(one.level) == seat {
            true => other.plies.cmp(&one.plies),
            false => one.plies.cmp(&other.plies),
        })
    }

    /// Whether `seat` would force an end with this value, rather than put up with it.
    pub(super) fn attacks_with(&self, seat: Seat, value: Value) -> bool {
        value.plies != Value::ENDLESS && self.shortening(value.level) == seat
    }

    /// Whether nothing is better for `seat`.
    pub(super) fn is_best(&self, seat: Seat, value: Value) -> bool {
        let best = if seat == 0 { 0 } else { self.payoffs.len() - 1 };
        usize::from(value.level) == best && value.plies <= 1 && self.attacks_with(seat, value)
    }

    pub(super) fn exact(&self, value: Value) -> Exact {
        let values = self.payoffs[usize::from(value.level)].clone();
        Exact { values, plies: value.plies(), score: None }
    }
}
