//! One ply by an evaluator under its name.

use std::sync::Arc;

use raichi_core::AnyGame;
use raichi_core::erased::{GameVisitor, Playable};
use raichi_core::path::PathGame;
use raichi_search::Greedy;
use raichi_search::greedy::{Config, OPTIONS};

use crate::kind::AgentKind;
use crate::searching::{self, EVALUATOR, Knowledge, Searching};

pub(crate) const KIND: AgentKind = AgentKind {
    id: "greedy",
    name: "Greedy",
    help: "Plays what looks best at once, without looking ahead.",
    bare: None,
    options: &[EVALUATOR, OPTIONS[0]],
    supports,
    seat: None,
    instead: None,
    complete: |_| {},
    prepare: |game, options| searching::prepare(game, &options, OnePly(Config::from_options(&options))),
};

/// Why it cannot play without an evaluator.
const NO_EVALUATOR: &str = "nobody has made an evaluator for it, and this agent plays by nothing else";

fn supports(game: &dyn AnyGame) -> Result<(), String> {
    struct HasEvaluator;
    impl GameVisitor for HasEvaluator {
        type Output = bool;
        fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) -> bool {
            raichi_engines::hand(game.game()).is_some()
        }
    }
    if raichi_games::visit_game(game, HasEvaluator) { Ok(()) } else { Err(NO_EVALUATOR.into()) }
}

#[derive(Clone)]
struct OnePly(Config);

impl Searching for OnePly {
    fn open<G: Playable>(&self, _: &Arc<PathGame<G>>, knowledge: &Knowledge<G>) -> Box<dyn raichi_search::Session<G>> {
        let evaluator = knowledge.named.as_ref().or(knowledge.hand.as_ref());
        let evaluator = evaluator.expect("games without an evaluator are refused");
        Box::new(Greedy::new(self.0, Arc::clone(evaluator)))
    }

    fn lacks<G: Playable>(&self, _: &PathGame<G>, knowledge: &Knowledge<G>) -> Option<String> {
        (knowledge.named.is_none() && knowledge.hand.is_none()).then(|| NO_EVALUATOR.into())
    }
}
