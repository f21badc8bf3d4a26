//! Flat Monte Carlo under its name.

use std::sync::Arc;

use raichi_core::erased::Playable;
use raichi_core::path::PathGame;
use raichi_search::MonteCarlo;
use raichi_search::monte_carlo::{Config, OPTIONS};

use crate::kind::AgentKind;
use crate::searching::{self, Knowledge, SIMS, Searching, TIME};

pub(crate) const KIND: AgentKind = AgentKind {
    id: "mc",
    name: "Flat Monte Carlo",
    help: "Plays many games at random after each action, and takes the action that paid best.",
    bare: None,
    options: &[TIME, SIMS, OPTIONS[0], OPTIONS[1], OPTIONS[2], OPTIONS[3]],
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
