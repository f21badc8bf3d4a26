//! For each game the agent that won the matches; which one it is is data, see [`crate::levels`].

use crate::kind::AgentKind;
use crate::levels;
use crate::searching::{self, TIME_SIMS_OR_NODES};

pub(crate) const KIND: AgentKind = AgentKind {
    id: "best",
    name: "Best",
    help: "The strongest agent that is known for the game; where that one does not count what is to be counted (sims or nodes), \
           another one that does.",
    bare: None,
    options: &TIME_SIMS_OR_NODES,
    supports: |_| Ok(()),
    seat: None,
    instead: None,
    complete: searching::complete_budget,
    prepare: |game, options| {
        let spec = options.canonical();
        let (_, budget) = spec.split_once(':').expect("a budget is always there");
        levels::prepare_best(game, budget, &spec)
    },
};
