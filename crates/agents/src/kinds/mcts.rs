//! Monte-Carlo tree search under its name.

use std::sync::Arc;

use raichi_core::erased::Playable;
use raichi_core::path::PathGame;
use raichi_search::Mcts;
use raichi_search::mcts::{self, Config, OPTIONS};
use raichi_search::options::AgentOption;

use crate::kind::{AgentKind, joined};
use crate::searching::{self, EVALUATOR, Knowledge, Searching, TIME_SIMS_OR_NODES};

/// The search's options as far as they ask for no evaluator stand first, the others after the evaluator.
const ALL: [AgentOption; 4 + OPTIONS.len()] = {
    let (search, with_evaluator) = OPTIONS.split_at(8);
    joined(&[&TIME_SIMS_OR_NODES, search, &[EVALUATOR], with_evaluator])
};

pub(crate) const KIND: AgentKind = AgentKind {
    id: "mcts",
    name: "Monte-Carlo tree search",
    help: "Plays many games at random from here, more of those that begin well, and takes what paid best.",
    bare: None,
    options: &ALL,
    supports: |_| Ok(()),
    seat: None,
    instead: None,
    complete: searching::complete_budget,
    prepare: |game, options| searching::prepare(game, &options, TreeSearch { config: Config::from_options(&options) }),
};

#[derive(Clone)]
struct TreeSearch {
    config: Config,
}

impl Searching for TreeSearch {
    fn open<G: Playable>(&self, _: &Arc<PathGame<G>>, known: &Knowledge<G>) -> Box<dyn raichi_search::Session<G>> {
        let knowledge = mcts::Knowledge { evaluator: known.named.clone(), policy: known.policy.clone() };
        Box::new(Mcts::knowing(self.config, knowledge))
    }

    fn lacks<G: Playable>(&self, _: &PathGame<G>, known: &Knowledge<G>) -> Option<String> {
        if self.config.playouts == mcts::Playouts::Policy && known.policy.is_none() {
            return Some(
                "nobody has made a policy for its playouts; playouts=uniform, mast and reply are there for every game"
                    .into(),
            );
        }
        None
    }
}
