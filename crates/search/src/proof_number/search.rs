//! The search itself: one goal, one table, frames on a stack of its own.

use raichi_core::game::Phase;
use raichi_core::information::Information;
use raichi_core::path::{PathGame, PathState};
use raichi_core::random::mix;
use raichi_core::seat::Seat;

use super::table::{INFINITE, Numbers, Table};
use crate::clock::Clock;

/// What is to be proven: that this seat can be sure of such a payoff.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Goal {
    pub(super) seat: Seat,
    pub(super) at_least: f64,
}

/// The payoffs of the seat that ended games have shown, about a goal: what a proof or a disproof is worth.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Seen {
    /// The least of those that reach the goal.
    pub(super) least_reaching: f64,
    /// The greatest of those that do not.
    pub(super) greatest_missing: f64,
}

impl Seen {
    pub(super) const NOTHING: Seen = Seen { least_reaching: f64::INFINITY, greatest_missing: f64::NEG_INFINITY };
}

/// An action of a position, and the numbers of the position after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child<A> {
    pub(super) action: A,
    pub(super) numbers: Numbers,
    /// Positions expanded below.
    pub(super) work: u64,
}

/// A position whose children are known, on the way from the root to where the search is.
struct Frame<G: Information> {
    state: PathState<G>,
    /// Whether the seat of the goal is to act.
    is_or: bool,
    children: Vec<Child<G::Action>>,
    selected: usize,
    /// The search leaves the position as soon as a number reaches its threshold.
    thresholds: Numbers,
    work: u64,
}

/// How many positions a proof may have that was found on another way and is checked on this one.
const LARGEST_CHECK: u32 = 20_000;

/// How deep such a proof may be.
const DEEPEST_CHECK: u32 = 200;

/// What the children are about.
struct Selection {
    numbers: Numbers,
    best: usize,
    /// The second best of the numbers by which a child is chosen.
    second: u32,
}

pub(super) struct Search<'a, 'limits, G: Information> {
    pub(super) game: &'a PathGame<G>,
    pub(super) goal: Goal,
    pub(super) table: &'a mut Table,
    pub(super) clock: &'a mut Clock<'limits>,
    pub(super) seen: &'a mut Seen,
    /// By how much the numbers of the best child may exceed those of the second before it is left.
    pub(super) epsilon: f64,
    /// Whether a position may be worth something else on another way.
    pub(super) path_decides: bool,
    pub(super) is_over: bool,
    pub(super) scratch: Vec<G::Action>,
}

impl<G: Information> Search<'_, '_, G> {
    /// Searches until the goal is proven or disproven for `root`, in which somebody is to act, or the budget is spent.
    /// Returns the children of the root; those after one that decides are left out.
    pub(super) fn run(&mut self, root: &PathState<G>) -> Vec<Child<G::Action>> {
        let everything = Numbers { proof: INFINITE, disproof: INFINITE };
        let Some(frame) = self.expand(root.clone(), everything) else { return Vec::new() };
        let mut frames = vec![frame];
        loop {
            let frame = frames.last_mut().expect("the root is left last");
            let Selection { numbers, best, second } = select(frame);
            let Numbers { proof, disproof } = frame.thresholds;
            if numbers.proof >= proof || numbers.disproof >= disproof || self.is_over {
                self.store(frame, numbers, best);
                let left = frames.pop().expect("it was there");
                let Some(parent) = frames.last_mut() else { return left.children };
                parent.work += left.work;
                let child = &mut parent.children[parent.selected];
                (child.numbers, child.work) = (numbers, child.work + left.work);
                continue;
            }
            frame.selected = best;
            let thresholds = self.thresholds(frame, numbers, second);
            let child = frame.children[best];
            let mut state = frame.state.clone();
            let seat = to_act(self.game, &state);
            self.game.apply(&mut state, seat, child.action);
            // It may have been solved on another branch since it was looked at.
            match self.known(&state) {
                Some(numbers) if numbers.is_solved() => frame.children[best].numbers = numbers,
                _ => frames.extend(self.expand(state, thresholds)),
            }
        }
    }

    /// `None` when the budget is spent before all children were looked at.
    fn expand(&mut self, state: PathState<G>, thresholds: Numbers) -> Option<Frame<G>> {
        let seat = to_act(self.game, &state);
        let is_or = seat == self.goal.seat;
        let mut actions = Vec::new();
        self.game.legal_actions(&state, seat, &mut actions);
        let mut children = Vec::with_capacity(actions.len());
        let mut next = state.clone();
        for action in actions {
            if !self.clock.allows_another() {
                self.is_over = true;
                return None;
            }
            next.clone_from(&state);
            self.game.apply(&mut next, seat, action);
            let numbers = self.numbers_of(&next);
            children.push(Child { action, numbers, work: 1 });
            if if is_or { numbers.is_proven() } else { numbers.is_disproven() } {
                break;
            }
        }
        let work = children.len() as u64;
        Some(Frame { state, is_or, children, selected: 0, thresholds, work })
    }

    /// Those of the table, or of a position that nothing is known about.
    fn numbers_of(&mut self, state: &PathState<G>) -> Numbers {
        if self.game.phase(state) == Phase::Over {
            return self.outcome(state);
        }
        if let Some(numbers) = self.known(state) {
            return numbers;
        }
        // What they would be after it is expanded, if nothing is known about its children either.
        let seat = to_act(self.game, state);
        let n = self.game.count_actions(state, seat, &mut self.scratch) as u32;
        match seat == self.goal.seat {
            true => Numbers { proof: 1, disproof: n },
            false => Numbers { proof: n, disproof: 1 },
        }
    }

    fn outcome(&mut self, state: &PathState<G>) -> Numbers {
        let payoff = self.game.payoffs(state)[self.goal.seat];
        if payoff >= self.goal.at_least {
            self.seen.least_reaching = self.seen.least_reaching.min(payoff);
            Numbers::PROVEN
        } else {
            self.seen.greatest_missing = self.seen.greatest_missing.max(payoff);
            Numbers::DISPROVEN
        }
    }

    /// The numbers in the table. What was solved on another way to the position counts where it holds on this one too.
    fn known(&mut self, state: &PathState<G>) -> Option<Numbers> {
        let (position, path) = self.keys(state);
        if let Some(entry) = self.table.get(path) {
            return Some(entry.numbers);
        }
        let numbers = self.table.get(position)?.numbers;
        if path == position || !numbers.is_solved() {
            return Some(numbers);
        }
        let mut left = LARGEST_CHECK;
        self.holds(state, numbers.is_proven(), DEEPEST_CHECK, &mut left).then_some(numbers)
    }

    /// Whether what was solved on another way holds on this one: the winner's actions of then are followed, and all of the
    /// other side's.
    fn holds(&mut self, state: &PathState<G>, proven: bool, depth: u32, left: &mut u32) -> bool {
        if self.game.phase(state) == Phase::Over {
            return self.outcome(state).is_proven() == proven;
        }
        let (position, path) = self.keys(state);
        let claimed = |numbers: Numbers| numbers.is_solved() && numbers.is_proven() == proven;
        if self.table.get(path).is_some_and(|entry| claimed(entry.numbers)) {
            return true;
        }
        let Some(entry) = self.table.get(position).copied().filter(|entry| claimed(entry.numbers)) else {
            return false;
        };
        if depth == 0 || *left == 0 || !self.clock.allows_another() {
            return false;
        }
        *left -= 1;
        let seat = to_act(self.game, state);
        let mut actions = Vec::new();
        self.game.legal_actions(state, seat, &mut actions);
        let after = |game: &PathGame<G>, action| {
            let mut next = state.clone();
            game.apply(&mut next, seat, action);
            next
        };
        let holds = if (seat == self.goal.seat) == proven {
            let best = actions.get(usize::from(entry.best)).copied();
            best.is_some_and(|best| self.holds(&after(self.game, best), proven, depth - 1, left))
        } else {
            actions.into_iter().all(|action| self.holds(&after(self.game, action), proven, depth - 1, left))
        };
        if holds {
            self.table.put(path, entry.numbers, usize::from(entry.best), 1);
        }
        holds
    }

    /// Keys of the position and of the position with its path; the same where the path decides nothing.
    fn keys(&self, state: &PathState<G>) -> (u64, u64) {
        let goal = mix(self.goal.at_least.to_bits() ^ self.goal.seat as u64);
        let position = self.game.key(state) ^ goal;
        let path = match self.path_decides {
            true => mix(position ^ self.game.path_key(state).rotate_left(1)),
            false => position,
        };
        (position, path)
    }

    fn store(&mut self, frame: &Frame<G>, numbers: Numbers, best: usize) {
        let (position, path) = self.keys(&frame.state);
        if path == position {
            self.table.put(position, numbers, best, frame.work);
            return;
        }
        let hint = self.table.get(position).is_some_and(|entry| entry.numbers.is_solved());
        if numbers.is_solved() || hint {
            self.table.put(path, numbers, best, frame.work);
        }
        // What was solved on some way stays: it is tried on others.
        if numbers.is_solved() || !hint {
            self.table.put(position, numbers, best, frame.work);
        }
    }

    /// How far the best child may be searched before another one, or another position, is more promising: Nagai's
    /// thresholds, loosened as in Pawlewicz and Lew's 1 + ε.
    fn thresholds(&self, frame: &Frame<G>, numbers: Numbers, second: u32) -> Numbers {
        let loosened = |second: u32| match second {
            INFINITE => INFINITE,
            _ => (second + 1).max((f64::from(second) * (1.0 + self.epsilon)).ceil() as u32),
        };
        let Numbers { proof, disproof } = frame.thresholds;
        let child = frame.children[frame.selected].numbers;
        let rest = |threshold: u32, sum: u32, own: u32| match threshold {
            INFINITE => INFINITE,
            _ => threshold.saturating_sub(sum).saturating_add(own).max(own + 1),
        };
        match frame.is_or {
            true => Numbers {
                proof: proof.min(loosened(second)),
                disproof: rest(disproof, numbers.disproof, child.disproof),
            },
            false => {
                Numbers { proof: rest(proof, numbers.proof, child.proof), disproof: disproof.min(loosened(second)) }
            }
        }
    }
}

/// The numbers of a position by those of its children, and which child to go on with.
fn select<G: Information>(frame: &Frame<G>) -> Selection {
    let (mut least, mut second, mut sum, mut best) = (INFINITE, INFINITE, 0u32, 0);
    // Of equals the first is taken, also where nothing can be hoped for.
    for (i, child) in frame.children.iter().enumerate() {
        let Numbers { proof, disproof } = child.numbers;
        let (one, all) = if frame.is_or { (proof, disproof) } else { (disproof, proof) };
        // A sum is infinite only where one of its terms is.
        sum = if all == INFINITE || sum == INFINITE { INFINITE } else { sum.saturating_add(all).min(INFINITE - 1) };
        if one < least {
            (second, least, best) = (least, one, i);
        } else {
            second = second.min(one);
        }
    }
    let numbers = match frame.is_or {
        true => Numbers { proof: least, disproof: sum },
        false => Numbers { proof: sum, disproof: least },
    };
    Selection { numbers, best, second }
}

fn to_act<G: Information>(game: &PathGame<G>, state: &PathState<G>) -> Seat {
    match game.phase(state) {
        Phase::Act(seats) => seats.first(),
        other => unreachable!("a position that is expanded has somebody to act, not {other:?}"),
    }
}
