//! The analysis of a set, stage by stage, from wherever it was interrupted.
//!
//! First every position is looked at once, for ends and for actions that leave the set. Then, for each payoff from both
//! extremes towards what endless play pays, values spread by one ply in each sweep. The last stage derives every value from
//! its successors anew and compares.

use std::ops::Range;
use std::sync::atomic::{AtomicU16, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use raichi_core::game::{Game, Phase};

use super::scale::{Attack, HOLE, MARKS, OPEN, Scale, Value};
use super::spread::{Knowledge, Step};
use super::sweep::sweep;
use super::table::Table;
use super::{Beyond, Numbered};
use crate::exact::{Progress, Unsolved, Work};

/// What is done next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stage {
    /// Looking for ends and for actions that leave the set.
    Leaving,
    /// Positions this far from an end of this attack spread what they are worth.
    Spreading { attack: u8, plies: u16 },
    /// The second pass.
    Checking,
    /// Nothing.
    Done,
}

/// The values of a set of positions while they are found.
#[derive(Debug)]
pub struct Analysis {
    pub(super) entries: Vec<AtomicU16>,
    pub(super) stage: Stage,
    /// The stage is finished for all numbers below.
    pub(super) from: u64,
    /// By level: the greatest distance that a position may have so far.
    pub(super) furthest: [AtomicU16; 7],
    n_valued: AtomicU64,
}

impl Analysis {
    /// What the work on so many numbers takes at most, in bytes, the finished table included.
    pub fn bytes(n_numbers: u64) -> u64 {
        n_numbers.saturating_mul(4)
    }

    /// The beginning of the analysis of `set`.
    pub fn new<N: Numbered>(set: &N) -> Analysis {
        let n_numbers = usize::try_from(set.n_numbers()).expect("what is analysed fits into memory");
        let entries = std::iter::repeat_with(|| AtomicU16::new(OPEN)).take(n_numbers).collect();
        Analysis::resumed(entries, Stage::Leaving, 0, Default::default())
    }

    pub(super) fn resumed(entries: Vec<AtomicU16>, stage: Stage, from: u64, furthest: [AtomicU16; 7]) -> Analysis {
        Analysis { entries, stage, from, furthest, n_valued: AtomicU64::new(0) }
    }

    fn n_numbers(&self) -> u64 {
        self.entries.len() as u64
    }

    /// Goes on until all is done (`true`) or the clock of the host has reached `pause` (`false`). `beyond` says what positions
    /// outside the set are worth.
    ///
    /// # Errors
    /// When the work ended before, after which it may go on another time; when the game breaks a promise of [`Numbered`] or
    /// the second pass refutes a value, after which it may not.
    pub fn advance<N: Numbered>(
        &mut self,
        set: &N,
        beyond: &Beyond<'_, N>,
        work: &Work<'_>,
        pause: Option<Duration>,
    ) -> Result<bool, Unsolved> {
        assert_eq!(self.n_numbers(), set.n_numbers(), "the analysis is of another set");
        let scale = Scale::new(set.payoffs(), &set.endless())?;
        let attacks = scale.attacks();
        while self.stage != Stage::Done {
            if self.sweep_stage(&Knowledge { set, beyond, scale: &scale }, &attacks, work, pause)? {
                (self.stage, self.from) = (self.following(&attacks), 0);
            }
            if self.stage != Stage::Done && work.is_over() {
                return Err(Unsolved::OutOfTime);
            }
            if self.stage != Stage::Done && pause.is_some_and(|pause| work.host.now() >= pause) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Goes on with the stage; returns whether it is finished.
    fn sweep_stage<N: Numbered>(
        &mut self,
        knowledge: &Knowledge<'_, N>,
        attacks: &[Attack],
        work: &Work<'_>,
        pause: Option<Duration>,
    ) -> Result<bool, Unsolved> {
        let (stage, total) = (self.stage, self.n_numbers());
        let analysis = &*self;
        let tell = |stage, numbers: &Range<u64>, done| {
            if numbers.start.is_multiple_of(1 << 16) {
                (work.progress)(Progress { stage, done, total });
            }
        };
        let until = match stage {
            Stage::Leaving => sweep(self.from..total, work, pause, &|numbers| {
                tell("positions", &numbers, numbers.start);
                let mut scratch = Vec::new();
                numbers.into_iter().try_for_each(|number| analysis.leave(knowledge, number, &mut scratch))
            }),
            Stage::Spreading { attack, plies } => {
                let step = Step { analysis, knowledge, attack: attacks[usize::from(attack)], plies };
                sweep(self.from..total, work, pause, &|numbers| {
                    tell("values", &numbers, analysis.n_valued.load(Relaxed));
                    analysis.n_valued.fetch_add(step.spread(numbers)?, Relaxed);
                    Ok(())
                })
            }
            Stage::Checking => sweep(self.from..total, work, pause, &|numbers| {
                tell("second pass", &numbers, numbers.start);
                let mut scratch = Vec::new();
                numbers.into_iter().try_for_each(|number| analysis.check(knowledge, number, &mut scratch))
            }),
            Stage::Done => Ok(total),
        };
        self.from = until?;
        Ok(self.from == total)
    }

    /// What comes after the stage that is finished.
    fn following(&self, attacks: &[Attack]) -> Stage {
        match self.stage {
            Stage::Leaving => Stage::Spreading { attack: 0, plies: 0 },
            Stage::Spreading { attack, plies } => {
                let furthest = self.furthest[usize::from(attacks[usize::from(attack)].level)].load(Relaxed);
                if plies < furthest {
                    Stage::Spreading { attack, plies: plies + 1 }
                } else if usize::from(attack) + 1 < attacks.len() {
                    Stage::Spreading { attack: attack + 1, plies: 0 }
                } else {
                    Stage::Checking
                }
            }
            Stage::Checking | Stage::Done => Stage::Done,
        }
    }

    /// Looks at a position for the first time. One that is over, or that every action leaves the set from, is valued; where
    /// some action leaves the set, what the seat to act can force by it is noted: it is the value unless something better
    /// is found.
    fn leave<N: Numbered>(
        &self,
        knowledge: &Knowledge<'_, N>,
        number: u64,
        scratch: &mut Vec<<N::Game as Game>::Action>,
    ) -> Result<(), Unsolved> {
        let Knowledge { set, scale, .. } = knowledge;
        let Some(position) = set.position(number) else {
            self.set(number, HOLE);
            return Ok(());
        };
        if set.number(&position) != Some(number) {
            return Err(Unsolved::Unknown(format!("position {number} has another number: please report it")));
        }
        if set.game().phase(&position) == Phase::Over {
            self.note(number, scale.over(&set.game().payoffs(&position))?);
            return Ok(());
        }
        let seat = knowledge.seat(&position)?;
        let (mut best, mut all_leave) = (None::<Value>, true);
        knowledge.each_successor(&position, seat, scratch, |successor| {
            let Some(value) = successor.outside() else {
                all_leave = false;
                return Ok(true);
            };
            let value = value.before()?;
            if best.is_none_or(|best| scale.compare(seat, value, best).is_gt()) {
                best = Some(value);
            }
            Ok(!scale.is_best(seat, value))
        })?;
        if let Some(best) = best.filter(|&best| all_leave || scale.attacks_with(seat, best)) {
            self.note(number, best);
        }
        Ok(())
    }

    /// Derives the value of a position from those of its successors, and compares.
    fn check<N: Numbered>(
        &self,
        knowledge: &Knowledge<'_, N>,
        number: u64,
        scratch: &mut Vec<<N::Game as Game>::Action>,
    ) -> Result<(), Unsolved> {
        let Knowledge { set, scale, .. } = knowledge;
        let refuted = || {
            let text = format!("the second pass found another value for position {number}: please report it");
            Err(Unsolved::Unknown(text))
        };
        let Some(position) = set.position(number) else {
            return if self.entry(number) == HOLE { Ok(()) } else { refuted() };
        };
        let value = self.value(number, scale);
        let derived = knowledge.derive(&position, scratch, |number| self.value(number, scale))?;
        let endless_is_right = value.plies != Value::ENDLESS || value == scale.endless();
        if derived == Some(value) && endless_is_right { Ok(()) } else { refuted() }
    }

    /// The values that were found, as they are kept.
    ///
    /// # Errors
    /// When the set names too many payoffs.
    ///
    /// # Panics
    /// Before all is done.
    pub fn into_table<N: Numbered>(self, set: &N) -> Result<Table, Unsolved> {
        assert_eq!(self.stage, Stage::Done, "the analysis is not finished");
        let scale = Scale::new(set.payoffs(), &set.endless())?;
        Ok(Table::pack(set.identity(), &self, scale))
    }

    #[inline]
    pub(super) fn entry(&self, number: u64) -> u16 {
        self.entries[number as usize].load(Relaxed) & !MARKS
    }

    /// The value of a position when all have spread.
    #[inline]
    pub(super) fn value(&self, number: u64, scale: &Scale) -> Value {
        Value::of_entry(self.entry(number)).unwrap_or(scale.endless())
    }

    #[inline]
    pub(super) fn set(&self, number: u64, entry: u16) {
        self.entries[number as usize].store(entry, Relaxed);
    }

    /// Writes down a value, which spreads when its distance is due.
    pub(super) fn note(&self, number: u64, value: Value) {
        self.set(number, value.entry());
        self.expect(value);
    }

    /// Makes sure that sweeps go on to this distance.
    pub(super) fn expect(&self, value: Value) {
        if value.plies != Value::ENDLESS {
            self.furthest[usize::from(value.level)].fetch_max(value.plies, Relaxed);
        }
    }
}
