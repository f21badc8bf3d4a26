//! Monte-Carlo tree search under its name.

use std::sync::Arc;
use std::time::Duration;

use raichi_core::erased::{GameVisitor, Playable};
use raichi_core::path::PathGame;
use raichi_search::mcts::{Config, OPTIONS};
use raichi_search::options::{AgentOption, OptionKind, OptionValue, Options};
use raichi_search::{Budget, CancelFlag, Mcts};

use crate::kind::AgentKind;
use crate::session::{Prepared, Session, Typed};

pub(crate) const KIND: AgentKind = AgentKind {
    id: "mcts",
    name: "Monte-Carlo tree search",
    help: "Plays many games at random from here, more of those that begin well, and takes what paid best.",
    options: &[
        AgentOption {
            name: "time",
            kind: OptionKind::Duration { max_seconds: 86_400 },
            default: None,
            help: "How long it thinks; 1s unless sims is given.",
        },
        AgentOption {
            name: "sims",
            kind: OptionKind::Int { min: 1, max: 1_000_000_000_000 },
            default: None,
            help: "How many games it tries, whatever time they take; with time, whichever comes first.",
        },
        OPTIONS[0],
        OPTIONS[1],
        OPTIONS[2],
        OPTIONS[3],
    ],
    supports: |_| Ok(()),
    complete: default_budget,
    prepare: |game, options| raichi_games::visit_game(&**game, Prepare(options)),
};

/// Without any budget the search takes a second. It stands in the canonical text all the same.
fn default_budget(options: &mut Options) {
    if options.get("sims").is_none() {
        options.give("time", OptionValue::Duration(Duration::from_secs(1)));
    }
}

struct Prepare(Options);

impl GameVisitor for Prepare {
    type Output = Arc<dyn Prepared>;

    fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) -> Self::Output {
        let Prepare(options) = self;
        Arc::new(PreparedSearch {
            game: Arc::clone(game),
            config: Config::from_options(&options),
            budget: Budget { time: options.duration("time"), simulations: options.int("sims"), ..Budget::UNLIMITED },
            spec: options.canonical(),
        })
    }
}

struct PreparedSearch<G> {
    game: Arc<PathGame<G>>,
    config: Config,
    budget: Budget,
    spec: String,
}

impl<G: Playable> Prepared for PreparedSearch<G> {
    fn spec(&self) -> &str {
        &self.spec
    }

    fn open(&self, seed: u64) -> Box<dyn Session> {
        Box::new(Typed {
            game: Arc::clone(&self.game),
            search: Box::new(Mcts::new(self.config)),
            budget: self.budget,
            cancel: CancelFlag::default(),
            seed,
        })
    }
}
