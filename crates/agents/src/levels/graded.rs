//! An agent under another name, some of whose plies are random.

use std::sync::Arc;

use raichi_core::erased::AnyMatch;
use raichi_core::random::{Rng, stream};
use raichi_core::seat::Seat;
use raichi_search::{Advice, Budget, CancelFlag};

use crate::kind::AgentError;
use crate::session::{Prepared, Session, check_turn};

/// A level, or the best agent.
pub(crate) struct Graded {
    pub(crate) inner: Arc<dyn Prepared>,
    pub(crate) spec: String,
    /// How likely each ply is a random one.
    pub(crate) random: f64,
}

impl Prepared for Graded {
    fn spec(&self) -> &str {
        &self.spec
    }

    fn open(&self, seed: u64) -> Box<dyn Session> {
        Box::new(GradedSession { inner: self.inner.open(seed), random: self.random, seed })
    }
}

struct GradedSession {
    inner: Box<dyn Session>,
    random: f64,
    seed: u64,
}

impl Session for GradedSession {
    fn decide(&mut self, current: &dyn AnyMatch, seat: Seat, limit: Budget) -> Result<Advice<String>, AgentError> {
        check_turn(current, seat)?;
        let mut rng = stream(self.seed, "random ply", current.n_plies() as u64);
        let drawn = (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
        if drawn >= self.random {
            return self.inner.decide(current, seat, limit);
        }
        let only = current.count_actions(seat) == 1;
        let action = current.random_action(seat, &mut rng).map_err(|_| AgentError::NotToAct { seat })?;
        Ok(Advice::without_search(action, only))
    }

    fn cancel_flag(&self) -> CancelFlag {
        self.inner.cancel_flag()
    }

    fn ponder(&mut self, current: &dyn AnyMatch, seat: Seat, limit: Budget, cancel: &CancelFlag) {
        self.inner.ponder(current, seat, limit, cancel);
    }
}
