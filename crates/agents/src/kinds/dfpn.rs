//! Depth-first proof-number search under its name.

use std::sync::Arc;

use raichi_core::erased::Playable;
use raichi_core::game::Class;
use raichi_core::path::PathGame;
use raichi_search::DfPn;
use raichi_search::options::AgentOption;
use raichi_search::proof_number::{self, Config, OPTIONS};

use crate::kind::{AgentKind, joined};
use crate::searching::{self, Knowledge, Searching, TIME_OR_NODES};

/// Its own options and the search's.
const ALL: [AgentOption; 2 + OPTIONS.len()] = joined(&[&TIME_OR_NODES, OPTIONS]);

pub(crate) const KIND: AgentKind = AgentKind {
    id: "dfpn",
    name: "Proof-number search",
    help: "Looks for a proof that it wins, or cannot lose; without one it plays what needs the least to be proven.",
    bare: None,
    options: &ALL,
    supports: |game| proof_number::supports(&game.facts()),
    seat: None,
    instead: None,
    complete: searching::complete_budget,
    prepare: |game, options| searching::prepare(game, &options, Proof(Config::from_options(&options))),
};

#[derive(Clone)]
struct Proof(Config);

impl Searching for Proof {
    fn open<G: Playable>(&self, _: &Arc<PathGame<G>>, _: &Knowledge<G>) -> Box<dyn raichi_search::Session<G>> {
        if const { G::CLASSES.has(Class::Adversarial) } {
            return Box::new(DfPn::new(self.0));
        }
        unreachable!("the kind supports no game of this type")
    }
}
