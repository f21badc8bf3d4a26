//! Searches as agents: what the kinds of agents share that search with a budget and, where there is one, an evaluator.
//!
//! A [`Searching`] is compiled for each game here and nowhere else.

use std::sync::Arc;

use raichi_core::erased::{AnyGame, GameVisitor, Playable};
use raichi_core::path::PathGame;
use raichi_search::options::{AgentOption, OptionKind, OptionValue, Options};
use raichi_search::{Budget, CancelFlag, Evaluator, Failure, PlayoutPolicy};

use crate::kind::{AgentError, PrepareResult};
use crate::kinds;
use crate::session::{Prepared, Session, Typed};

/// The option `time`: how long a decision may take.
pub(crate) const TIME: AgentOption = AgentOption {
    name: "time",
    kind: OptionKind::Duration { max_seconds: 86_400 },
    default: None,
    help: "How long it thinks; 1s where it is not given.",
};

/// The option `sims`: how many simulations a decision may take.
const SIMS: AgentOption = AgentOption {
    name: "sims",
    kind: OptionKind::Int { min: 1, max: 1_000_000_000_000 },
    default: None,
    help: "How many games it tries, whatever time they take; with time, whichever comes first.",
};

/// The option `nodes`: how many positions a decision may enter.
pub(crate) const NODES: AgentOption = AgentOption {
    name: "nodes",
    kind: OptionKind::Int { min: 1, max: 1_000_000_000_000 },
    default: None,
    help: "How many positions it looks at, whatever time they take; with time, whichever comes first.",
};

/// The budget of a search that counts simulations.
pub(crate) const TIME_OR_SIMS: [AgentOption; 2] =
    [AgentOption { help: "How long it thinks; 1s unless sims is given.", ..TIME }, SIMS];

/// The budget of a search that counts positions.
pub(crate) const TIME_OR_NODES: [AgentOption; 2] =
    [AgentOption { help: "How long it thinks; 1s unless nodes is given.", ..TIME }, NODES];

/// The budget of a search that counts both.
pub(crate) const TIME_SIMS_OR_NODES: [AgentOption; 3] = [
    AgentOption { help: "How long it thinks; 1s unless sims or nodes are given.", ..TIME },
    AgentOption {
        help: "How many games it tries, whatever time they take; with time or nodes, whichever comes first.",
        ..SIMS
    },
    AgentOption {
        help: "How many positions it looks at, whatever time they take; with time or sims, whichever comes first.",
        ..NODES
    },
];

/// The option `evaluator`: what values the positions that the search does not look beyond.
pub(crate) const EVALUATOR: AgentOption = AgentOption {
    name: "evaluator",
    kind: OptionKind::Name { of: "an evaluator" },
    default: None,
    help: "What values positions: hand, where the game has an evaluator made by hand; patterns, where one that was learned \
           comes with it; the name of a trained agent; or none.",
};

/// What `evaluator=` names besides trained agents.
pub const BUILT_IN_EVALUATORS: [&str; 3] = ["hand", "patterns", "none"];

/// The budget that the options give, of those which the kind has.
pub(crate) fn budget(options: &Options) -> Budget {
    Budget {
        time: options.declares(TIME.name).then(|| options.duration(TIME.name)).flatten(),
        simulations: options.declares(SIMS.name).then(|| options.int(SIMS.name)).flatten(),
        nodes: options.declares(NODES.name).then(|| options.int(NODES.name)).flatten(),
    }
}

/// Without any budget a search takes a second. It stands in the canonical text all the same.
pub(crate) fn complete_budget(options: &mut Options) {
    if budget(options) == Budget::UNLIMITED {
        options.give(TIME.name, OptionValue::Duration(std::time::Duration::from_secs(1)));
    }
}

/// What is known about a game beyond its rules.
#[derive(Clone)]
pub(crate) struct Knowledge<G: Playable> {
    /// The evaluator that the spec names (`evaluator=`); `None` where it names none.
    pub(crate) named: Option<Arc<dyn Evaluator<G>>>,
    /// The evaluator that was learned and comes with the engine, where there is one.
    pub(crate) learned: Option<Arc<dyn Evaluator<G>>>,
    /// The hand-made evaluator, where there is one: what a search uses that cannot do without.
    pub(crate) hand: Option<Arc<dyn Evaluator<G>>>,
    /// The hand-made playout policy, where there is one.
    pub(crate) policy: Option<Arc<dyn PlayoutPolicy<G>>>,
}

impl<G: Playable> Knowledge<G> {
    /// The same for one session, which is told by `failure` where what the spec names fails.
    fn of_session(&self, failure: &Failure) -> Knowledge<G> {
        let reporting = self.named.as_ref().and_then(|named| named.reporting(failure));
        Knowledge { named: reporting.or_else(|| self.named.clone()), ..self.clone() }
    }
}

/// A search with its options, whatever the game.
pub(crate) trait Searching: Clone + Send + Sync + 'static {
    /// Opens a session of the search for one game in progress.
    fn open<G: Playable>(
        &self,
        game: &Arc<PathGame<G>>,
        knowledge: &Knowledge<G>,
    ) -> Box<dyn raichi_search::Session<G>>;

    /// Why the search cannot play this game with what is known about it, as a sentence; `None` where it can.
    fn lacks<G: Playable>(&self, _game: &PathGame<G>, _knowledge: &Knowledge<G>) -> Option<String> {
        None
    }
}

/// A search with its options, for games of one type: the little that is compiled for each search and each game.
trait SearchOf<G: Playable>: Send + Sync {
    fn open(&self, game: &Arc<PathGame<G>>, knowledge: &Knowledge<G>) -> Box<dyn raichi_search::Session<G>>;

    fn lacks(&self, game: &PathGame<G>, knowledge: &Knowledge<G>) -> Option<String>;
}

impl<G: Playable, S: Searching> SearchOf<G> for S {
    fn open(&self, game: &Arc<PathGame<G>>, knowledge: &Knowledge<G>) -> Box<dyn raichi_search::Session<G>> {
        Searching::open(self, game, knowledge)
    }

    fn lacks(&self, game: &PathGame<G>, knowledge: &Knowledge<G>) -> Option<String> {
        Searching::lacks(self, game, knowledge)
    }
}

/// The search ready for a game.
///
/// # Errors
/// When the spec names an evaluator that the game does not have, or the search says what it lacks.
pub(crate) fn prepare<S: Searching>(game: &Arc<dyn AnyGame>, options: &Options, search: S) -> PrepareResult {
    raichi_games::visit_game(&**game, Prepare { options, search })
}

struct Prepare<'a, S> {
    options: &'a Options,
    search: S,
}

impl<S: Searching> GameVisitor for Prepare<'_, S> {
    type Output = PrepareResult;

    fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) -> Self::Output {
        prepare_for(game, self.options, Box::new(self.search))
    }
}

/// The search ready for a game of known type. Compiled once for a game, not for each search.
fn prepare_for<G: Playable>(game: &Arc<PathGame<G>>, options: &Options, search: Box<dyn SearchOf<G>>) -> PrepareResult {
    let refused = |why| AgentError::Refused { agent: options.agent().into(), game: game.spec().into(), why };
    let knowledge = knowledge(game, options).map_err(refused)?;
    if let Some(why) = search.lacks(game, &knowledge) {
        return Err(refused(why));
    }
    let game = Arc::clone(game);
    Ok(Arc::new(PreparedSearch { game, knowledge, search, budget: budget(options), spec: options.canonical() }))
}

/// What is known about a game beyond its rules, of what the options ask for.
///
/// # Errors
/// A sentence, when the spec names an evaluator that the game does not have.
fn knowledge<G: Playable>(game: &PathGame<G>, options: &Options) -> Result<Knowledge<G>, String> {
    let asked = options.declares(EVALUATOR.name).then(|| options.name(EVALUATOR.name)).flatten();
    let (hand, learned) = (raichi_engines::hand(game.game()), raichi_engines::learned(game.game()));
    let policy = raichi_engines::playout_policy(game.game());
    let named = match asked.as_deref() {
        None => None,
        // Who asks for none gets none.
        Some("none") => return Ok(Knowledge { named: None, learned: None, hand: None, policy }),
        Some("hand") if hand.is_some() => hand.clone(),
        Some("hand") => return Err("nobody has made an evaluator for it by hand; leave evaluator= out".into()),
        Some("patterns") if learned.is_some() => learned.clone(),
        Some("patterns") => return Err("it has no evaluator by learned patterns; leave evaluator= out".into()),
        // A trained agent's name.
        Some(name) => {
            let trained: Arc<dyn Evaluator<G>> = kinds::trained::evaluator(game, name)?;
            Some(trained)
        }
    };
    Ok(Knowledge { named, learned, hand, policy })
}

struct PreparedSearch<G: Playable> {
    game: Arc<PathGame<G>>,
    knowledge: Knowledge<G>,
    search: Box<dyn SearchOf<G>>,
    budget: Budget,
    spec: String,
}

impl<G: Playable> Prepared for PreparedSearch<G> {
    fn spec(&self) -> &str {
        &self.spec
    }

    fn open(&self, seed: u64) -> Box<dyn Session> {
        let failure = Failure::default();
        let knowledge = self.knowledge.of_session(&failure);
        Box::new(Typed {
            game: Arc::clone(&self.game),
            search: self.search.open(&self.game, &knowledge),
            budget: self.budget,
            cancel: CancelFlag::default(),
            seed,
            agent: self.spec.clone(),
            failure,
        })
    }
}
