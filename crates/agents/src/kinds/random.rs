//! Plays any legal action, each equally likely: the floor that every other agent is measured against.

use std::sync::Arc;

use raichi_core::erased::AnyMatch;
use raichi_core::seat::Seat;
use raichi_search::{Advice, Budget, CancelFlag};

use crate::kind::{AgentError, AgentKind};
use crate::session::{Played, Prepared, Session, check_turn, decision_stream};

pub(crate) const KIND: AgentKind = AgentKind {
    id: "random",
    name: "Random",
    help: "Plays any legal action, each equally likely.",
    bare: None,
    options: &[],
    supports: |_| Ok(()),
    seat: None,
    instead: None,
    complete: |_| {},
    prepare: |_, _| Ok(Arc::new(Random)),
};

struct Random;

impl Prepared for Random {
    fn spec(&self) -> &str {
        KIND.id
    }

    fn open(&self, seed: u64) -> Box<dyn Session> {
        Box::new(RandomSession { seed })
    }
}

struct RandomSession {
    seed: u64,
}

impl Session for RandomSession {
    fn decide(&mut self, current: &dyn AnyMatch, seat: Seat, _limit: Budget) -> Result<Advice<String>, AgentError> {
        let only = current.count_actions(seat) == 1;
        let mut rng = decision_stream(self.seed, current.n_plies());
        let action = current.random_action(seat, &mut rng).map_err(|_| AgentError::NotToAct { seat })?;
        Ok(Advice::without_search(action, only))
    }

    fn play(&mut self, current: &mut dyn AnyMatch, seat: Seat, _limit: Budget) -> Result<Played, AgentError> {
        check_turn(current, seat)?;
        let mut rng = decision_stream(self.seed, current.n_plies());
        current.play_random(seat, &mut rng).expect("the seat is to act");
        Ok(Played::default())
    }

    fn cancel_flag(&self) -> CancelFlag {
        CancelFlag::default()
    }
}
