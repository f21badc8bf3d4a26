//! Flat Monte Carlo under its name.

use std::sync::Arc;

use raichi_core::erased::Playable;
use raichi_core::path::PathGame;
use raichi_search::MonteCarlo;
use raichi_search::monte_carlo::{Config, OPTIONS};
use raichi_search::options::AgentOption;

use crate::kind::{AgentKind, joined};
use crate::searching::{self, Knowledge, Searching, TIME_OR_SIMS};

/// Its own options and the search's.
const ALL: [AgentOption; 2 + OPTIONS.len()] = joined(&[&TIME_OR_SIMS, OPTIONS]);

pub(crate) const KIND: AgentKind = AgentKind {
    id: "mc",
    name: "Flat Monte Carlo",
    help: "Plays many games at random after each action, and takes the action that paid best.",
    bare: None,
    options: &ALL,
    supports: |_| Ok(()),
    seat: None,
    instead: None,
    complete: searching::complete_budget,
    prepare: |game, options| searching::prepare(game, &options, Flat(Config::from_options(&options))),
};

#[derive(Clone)]
struct Flat(Config);

impl Searching for Flat {
    fn open<G: Playable>(&self, _: &Arc<PathGame<G>>, _: &Knowledge<G>) -> Box<dyn raichi_search::Session<G>> {
        Box::new(MonteCarlo::new(self.0))
    }
}
