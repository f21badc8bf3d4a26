//! Plain minimax under its name.

use std::sync::Arc;

use raichi_core::erased::Playable;
use raichi_core::path::PathGame;
use raichi_search::Minimax;
use raichi_search::minimax::OPTIONS;
use raichi_search::options::{AgentOption, Options};

use crate::kind::{AgentKind, joined};
use crate::searching::{self, EVALUATOR, Knowledge, Searching, TIME_OR_NODES};

/// Its own options and the search's.
const ALL: [AgentOption; 3 + OPTIONS.len()] = joined(&[&TIME_OR_NODES, &[EVALUATOR], OPTIONS]);

pub(crate) const KIND: AgentKind = AgentKind {
    id: "minimax",
    name: "Minimax",
    help: "Looks at every line of play, as deep as it can; a yardstick for searches that leave lines out.",
    bare: None,
    options: &ALL,
    supports: |_| Ok(()),
    seat: None,
    instead: None,
    complete: searching::complete_budget,
    prepare: |game, options| searching::prepare(game, &options, Plain(options.clone())),
};

#[derive(Clone)]
struct Plain(Options);

impl Searching for Plain {
    fn open<G: Playable>(&self, _: &Arc<PathGame<G>>, known: &Knowledge<G>) -> Box<dyn raichi_search::Session<G>> {
        Box::new(Minimax::new(&self.0, known.named.clone()))
    }
}
