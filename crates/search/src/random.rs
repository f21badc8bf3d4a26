//! Plays any legal action, each equally likely: the floor that every other agent is measured against.

use std::time::Duration;

use raichi_core::erased::Playable;
use raichi_core::information::SeatView;
use raichi_core::random::{FastRng, index};

use crate::agent::{Advice, Agent};
use crate::erased::AgentKind;

/// What the list of agents says.
pub(crate) const KIND: AgentKind =
    AgentKind { id: "random", name: "Random", help: "Plays any legal action, each equally likely.", options: &[] };

/// The agent that plays at random.
#[derive(Clone, Copy, Debug)]
pub struct RandomAgent;

impl<G: Playable> Agent<G> for RandomAgent {
    fn decide(&mut self, view: &SeatView<'_, G>, rng: &mut FastRng) -> Advice<G::Action> {
        let actions = view.legal_actions();
        let action = actions[index(rng, actions.len())];
        Advice {
            action,
            candidates: Vec::new(),
            line: Vec::new(),
            simulations: 0,
            elapsed: Duration::ZERO,
            proven: actions.len() == 1,
        }
    }
}
