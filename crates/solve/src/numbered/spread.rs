//! One sweep: positions of one distance spread their value to those before them.
//!
//! A position in which the attacker acts has its value as soon as one successor has. One of the other seat has it when no
//! successor is without a value; whether that is so is looked at whenever one of them gets its value. A value in an entry
//! counts from the sweep on in which its distance is due: until then a shorter way may be found.

use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;

use raichi_core::game::{Game, Phase};
use raichi_core::seat::Seat;

use super::analysis::Analysis;
use super::scale::{Attack, HOLE, MARKS, OPEN, Scale, Value, mark};
use super::{Beyond, Numbered, State};
use crate::exact::Unsolved;

/// The set and what lies outside it.
pub(super) struct Knowledge<'a, N: Numbered> {
    pub(super) set: &'a N,
    pub(super) beyond: &'a Beyond<'a, N>,
    pub(super) scale: &'a Scale,
}

/// A position that an action leads to.
#[derive(Clone, Copy)]
pub(super) enum Successor {
    Inside(u64),
    Outside(Value),
}

impl Successor {
    /// What it is worth where it lies outside the set.
    pub(super) fn outside(self) -> Option<Value> {
        match self {
            Successor::Inside(_) => None,
            Successor::Outside(value) => Some(value),
        }
    }

    /// What it is worth, `inside` the set by its number.
    pub(super) fn value(self, inside: impl FnOnce(u64) -> Value) -> Value {
        match self {
            Successor::Inside(number) => inside(number),
            Successor::Outside(value) => value,
        }
    }
}

impl<N: Numbered> Knowledge<'_, N> {
    /// The seat that acts in a position that is not over.
    pub(super) fn seat(&self, position: &State<N>) -> Result<Seat, Unsolved> {
        match self.set.game().phase(position) {
            Phase::Act(seats) if seats.len() == 1 => Ok(seats.first()),
            _ => Err(Unsolved::Unknown("it has positions in which not just one seat acts".into())),
        }
    }

    /// Calls `visit` for what each action leads to, until it returns `false`.
    #[inline]
    pub(super) fn each_successor(
        &self,
        position: &State<N>,
        seat: Seat,
        actions: &mut Vec<<N::Game as Game>::Action>,
        mut visit: impl FnMut(Successor) -> Result<bool, Unsolved>,
    ) -> Result<(), Unsolved> {
        let game = self.set.game();
        actions.clear();
        game.legal_actions(position, seat, actions);
        for &action in &*actions {
            let mut next = position.clone();
            game.apply(&mut next, seat, action);
            if !visit(self.place(&next)?)? {
                break;
            }
        }
        Ok(())
    }

    /// What a position is worth by its end or by what its actions lead to, where `inside` says what positions of the set are worth;
    /// `None` where it has no action.
    pub(super) fn derive(
        &self,
        position: &State<N>,
        actions: &mut Vec<<N::Game as Game>::Action>,
        inside: impl Fn(u64) -> Value,
    ) -> Result<Option<Value>, Unsolved> {
        let game = self.set.game();
        if game.phase(position) == Phase::Over {
            return self.scale.over(&game.payoffs(position)).map(Some);
        }
        let seat = self.seat(position)?;
        let mut best = None::<Value>;
        self.each_successor(position, seat, actions, |successor| {
            let derived = successor.value(&inside).before()?;
            if best.is_none_or(|best| self.scale.compare(seat, derived, best).is_gt()) {
                best = Some(derived);
            }
            Ok(!self.scale.is_best(seat, derived))
        })?;
        Ok(best)
    }

    fn place(&self, position: &State<N>) -> Result<Successor, Unsolved> {
        let game = self.set.game();
        if game.phase(position) == Phase::Over {
            return self.scale.over(&game.payoffs(position)).map(Successor::Outside);
        }
        if let Some(number) = self.set.number(position) {
            return Ok(Successor::Inside(number));
        }
        let lost = || Unsolved::Unknown(format!("an action leads out of {}, into no table", self.set.identity()));
        (self.beyond)(position).map(Successor::Outside).ok_or_else(lost)
    }
}

/// A sweep of an attack.
pub(super) struct Step<'a, N: Numbered> {
    pub(super) analysis: &'a Analysis,
    pub(super) knowledge: &'a Knowledge<'a, N>,
    pub(super) attack: Attack,
    /// The distance that is due.
    pub(super) plies: u16,
}

/// What a thread needs again and again.
struct Scratch<A> {
    actions: Vec<A>,
    before: Vec<u64>,
}

impl<N: Numbered> Step<'_, N> {
    /// Values what is due among these numbers, and marks what it bears on; returns how many positions were valued.
    pub(super) fn spread(&self, numbers: Range<u64>) -> Result<u64, Unsolved> {
        let mut scratch = Scratch { actions: Vec::new(), before: Vec::new() };
        let due = Value { level: self.attack.level, plies: self.plies };
        let looks_everywhere = !self.knowledge.set.offers_predecessors();
        let mut n_valued = 0;
        for number in numbers {
            let entry = self.analysis.entries[number as usize].load(Relaxed);
            if entry & mark(self.plies) != 0 {
                self.analysis.entries[number as usize].fetch_and(!mark(self.plies), Relaxed);
                self.look(number, &mut scratch)?;
            } else if looks_everywhere && self.is_unsettled(entry) {
                self.look(number, &mut scratch)?;
            }
            if self.analysis.entry(number) == due.entry() {
                n_valued += 1;
                self.tell(number, due, &mut scratch)?;
            }
        }
        Ok(n_valued)
    }

    /// Whether an entry's value does not count yet.
    fn is_unsettled(&self, entry: u16) -> bool {
        let entry = entry & !MARKS;
        entry != HOLE && Value::of_entry(entry).is_none_or(|value| !self.counts(value))
    }

    fn position(&self, number: u64) -> Result<State<N>, Unsolved> {
        let lost = || Unsolved::Unknown(format!("number {number} stands for no position: please report it"));
        self.knowledge.set.position(number).ok_or_else(lost)
    }

    /// Whether a value in an entry is final, and known in this sweep.
    #[inline]
    fn counts(&self, value: Value) -> bool {
        let scale = self.knowledge.scale;
        match value.level == self.attack.level {
            true => value.plies < self.plies,
            false => scale.rank(value.level) < scale.rank(self.attack.level),
        }
    }

    /// Values a position by its successors, if that can be done now.
    fn look(&self, number: u64, scratch: &mut Scratch<Action<N>>) -> Result<(), Unsolved> {
        let Knowledge { scale, .. } = self.knowledge;
        let position = self.position(number)?;
        if self.knowledge.set.game().phase(&position) == Phase::Over {
            return Ok(());
        }
        let seat = self.knowledge.seat(&position)?;
        let (mut best, mut is_reached, mut all_known) = (None::<Value>, false, true);
        self.knowledge.each_successor(&position, seat, &mut scratch.actions, |successor| {
            let known = match successor {
                Successor::Outside(value) => Some(value),
                Successor::Inside(number) => {
                    Value::of_entry(self.analysis.entry(number)).filter(|&value| self.counts(value))
                }
            };
            let Some(value) = known else {
                all_known = false;
                return Ok(true);
            };
            is_reached |= value.level == self.attack.level && value.plies + 1 == self.plies;
            let value = value.before()?;
            if best.is_none_or(|best| scale.compare(seat, value, best).is_gt()) {
                best = Some(value);
            }
            Ok(true)
        })?;
        if seat == self.attack.attacker && is_reached {
            self.improve(number, Value { level: self.attack.level, plies: self.plies });
        } else if let Some(best) = best.filter(|_| all_known) {
            self.analysis.note(number, best);
        }
        Ok(())
    }

    /// Lets the positions before one that was valued know.
    fn tell(&self, number: u64, value: Value, scratch: &mut Scratch<Action<N>>) -> Result<(), Unsolved> {
        let (set, earlier) = (self.knowledge.set, value.before()?);
        self.analysis.expect(earlier);
        if !set.offers_predecessors() {
            return Ok(());
        }
        scratch.before.clear();
        set.predecessors(&self.position(number)?, &mut scratch.before);
        for &number in &scratch.before {
            if set.seat(number) == self.attack.attacker {
                self.improve(number, earlier);
            } else if self.analysis.entry(number) == OPEN {
                self.analysis.entries[number as usize].fetch_or(mark(earlier.plies), Relaxed);
            }
        }
        Ok(())
    }

    /// Notes what the attacker can force, where nothing as good or better is noted.
    fn improve(&self, number: u64, value: Value) {
        let scale = self.knowledge.scale;
        let order = |value: Value| (scale.rank(value.level), value.plies);
        let better = |entry: u16| {
            let is_better = Value::of_entry(entry).is_none_or(|known| order(value) < order(known));
            is_better.then_some(value.entry())
        };
        if self.analysis.entries[number as usize].fetch_update(Relaxed, Relaxed, better).is_ok() {
            self.analysis.expect(value);
        }
    }
}

type Action<N> = <<N as Numbered>::Game as Game>::Action;
