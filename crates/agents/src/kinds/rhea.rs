//! Rolling-horizon evolution under its name.

use std::sync::Arc;

use raichi_core::erased::Playable;
use raichi_core::path::PathGame;
use raichi_search::RollingHorizon;
use raichi_search::options::AgentOption;
use raichi_search::rolling_horizon::{Config, OPTIONS};

use crate::kind::{AgentKind, joined};
use crate::searching::{self, EVALUATOR, Knowledge, Searching, TIME_OR_SIMS};

/// Its own options and the search's.
const ALL: [AgentOption; 3 + OPTIONS.len()] = joined(&[&TIME_OR_SIMS, &[EVALUATOR], OPTIONS]);

pub(crate) const KIND: AgentKind = AgentKind {
    id: "rhea",
    name: "Rolling-horizon evolution",
    help: "Breeds sequences of its own next actions, and begins the one that did best.",
    bare: None,
    options: &ALL,
    supports: |_| Ok(()),
    seat: None,
    instead: None,
    complete: searching::complete_budget,
    prepare: |game, options| searching::prepare(game, &options, Evolving(Config::from_options(&options))),
};

#[derive(Clone)]
struct Evolving(Config);

impl Searching for Evolving {
    fn open<G: Playable>(&self, _: &Arc<PathGame<G>>, knowledge: &Knowledge<G>) -> Box<dyn raichi_search::Session<G>> {
        Box::new(RollingHorizon::new(self.0, knowledge.named.clone()))
    }
}
