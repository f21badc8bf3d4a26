//! What an agent is: it sees a seat's view and answers with an action.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use raichi_core::erased::Playable;
use raichi_core::information::SeatView;
use raichi_core::random::FastRng;

/// What an agent may spend on one decision; it stops at whichever comes first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Budget {
    /// Time by the clock. The answer is given before it has passed.
    pub time: Option<Duration>,
    /// Simulations, all threads together.
    pub simulations: Option<u64>,
}

impl Budget {
    /// So much time.
    pub const fn time(time: Duration) -> Budget {
        Budget { time: Some(time), simulations: None }
    }

    /// So many simulations, however long they take.
    pub const fn simulations(simulations: u64) -> Budget {
        Budget { time: None, simulations: Some(simulations) }
    }
}

/// What an agent answers.
#[derive(Clone, PartialEq, Debug)]
pub struct Advice<A> {
    /// What to play; always legal.
    pub action: A,
    /// What was looked at, best first; empty when nothing was.
    pub candidates: Vec<Candidate<A>>,
    /// The line of play expected, as tokens of a history, `action` first. It ends where chance acts or the search did.
    pub line: Vec<String>,
    /// How many simulations were made for this decision.
    pub simulations: u64,
    /// How long it took.
    pub elapsed: Duration,
    /// Whether `action` is proven to be best: nothing that was searched rests on sampling any more.
    pub proven: bool,
}

/// One action an agent looked at.
#[derive(Clone, PartialEq, Debug)]
pub struct Candidate<A> {
    /// The action.
    pub action: A,
    /// How many simulations went this way.
    pub visits: u64,
    /// The payoff expected after it, by seat; empty when there was no visit and no proof.
    pub values: Vec<f64>,
    /// Whether `values` are exact.
    pub proven: bool,
}

impl<A> Advice<A> {
    /// The same advice with its actions told in another way.
    pub fn map<B>(self, mut tell: impl FnMut(A) -> B) -> Advice<B> {
        Advice {
            action: tell(self.action),
            candidates: self
                .candidates
                .into_iter()
                .map(|candidate| Candidate {
                    action: tell(candidate.action),
                    visits: candidate.visits,
                    values: candidate.values,
                    proven: candidate.proven,
                })
                .collect(),
            line: self.line,
            simulations: self.simulations,
            elapsed: self.elapsed,
            proven: self.proven,
        }
    }
}

/// Somebody who can play a game of the type `G`.
pub trait Agent<G: Playable>: Send {
    /// Chooses for the seat of `view`, which is to act.
    ///
    /// # Panics
    /// When that seat has no legal action; [`crate::AnyAgent::decide`] checks.
    fn decide(&mut self, view: &SeatView<'_, G>, rng: &mut FastRng) -> Advice<G::Action>;

    /// What makes the agent answer at once; see [`Stop`].
    fn stop(&self) -> Stop {
        Stop::default()
    }
}

/// A button that makes an agent answer at once with the best it has. Clones are the same button.
///
/// It stays pressed until it is released: whoever presses it before a decision begins is not overheard.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Makes the agent answer.
    pub fn press(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Lets the agent take its time again.
    pub fn release(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Whether the button is pressed.
    pub fn is_pressed(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
