//! Alpha-beta under its name.

use std::sync::Arc;

use raichi_core::erased::Playable;
use raichi_core::path::PathGame;
use raichi_search::AlphaBeta;
use raichi_search::alphabeta::{Config, OPTIONS};
use raichi_search::options::AgentOption;

use crate::kind::{AgentKind, joined};
use crate::searching::{self, EVALUATOR, Knowledge, Searching, TIME_OR_NODES};

/// It cannot do without: where the spec names no evaluator it takes the learned one that comes with the game, which is better
/// (docs/strength.md), else the one made by hand.
const EVALUATOR_OR_BEST: AgentOption = AgentOption {
    help: "What values positions: patterns, an evaluator that was learned, which is taken anyway where one comes with the game; \
           hand, made by hand, which is taken where there is no other; the name of a trained agent; or none.",
    ..EVALUATOR
};

/// Its own options and the search's.
const ALL: [AgentOption; 3 + OPTIONS.len()] = joined(&[&TIME_OR_NODES, &[EVALUATOR_OR_BEST], OPTIONS]);

pub(crate) const KIND: AgentKind = AgentKind {
    id: "alphabeta",
    name: "Alpha-beta",
    help: "Looks ahead as deep as it can, leaves out what cannot matter, and values what lies beyond; it proves what it can \
           see to the end.",
    bare: None,
    options: &ALL,
    supports: |_| Ok(()),
    seat: None,
    instead: None,
    complete: searching::complete_budget,
    prepare: |game, options| searching::prepare(game, &options, Pruned(Config::from_options(&options))),
};

#[derive(Clone)]
struct Pruned(Config);

impl Searching for Pruned {
    fn open<G: Playable>(&self, _: &Arc<PathGame<G>>, known: &Knowledge<G>) -> Box<dyn raichi_search::Session<G>> {
        let evaluator = known.named.as_ref().or(known.learned.as_ref()).or(known.hand.as_ref());
        Box::new(AlphaBeta::new(self.0, evaluator.cloned()))
    }
}
