//! Monte-Carlo tree search under its name.

use std::sync::Arc;

use raichi_core::erased::Playable;
use raichi_core::path::PathGame;
use raichi_search::Mcts;
use raichi_search::mcts::{Config, OPTIONS};

use crate::kind::AgentKind;
use crate::searching::{self, Knowledge, SIMS, Searching, TIME};

pub(crate) const KIND: AgentKind = AgentKind {
    id: "mcts",
    name: "Monte-Carlo tree search",
    help: "Plays many games at random from here, more of those that begin well, and takes what paid best.",
    bare: None,
    options: &[TIME, SIMS, OPTIONS[0], OPTIONS[1], OPTIONS[2], OPTIONS[3]],
    supports: |_| Ok(()),
    complete: searching::complete_budget,
    prepare: |game, options| searching::prepare(game, &options, TreeSearch(Config::from_options(&options))),
};

#[derive(Clone)]
struct TreeSearch(Config);

impl Searching for TreeSearch {
    fn open<G: Playable>(&self, _: &Arc<PathGame<G>>, _: &Knowledge<G>) -> Box<dyn raichi_search::Session<G>> {
        Box::new(Mcts::new(self.0))
    }
}
