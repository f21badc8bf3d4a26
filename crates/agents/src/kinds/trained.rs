//! A trained agent under its name.

use std::sync::Arc;

use raichi_core::AnyGame;
use raichi_core::erased::{GameVisitor, Playable};
use raichi_core::path::PathGame;
use raichi_learn::{Learned, Saved};
use raichi_search::options::{AgentOption, OptionKind, OptionValue, Options};
use raichi_search::{Budget, Failure};

use crate::kind::{AgentError, AgentKind, PrepareResult};
use crate::searching;
use crate::trained::PreparedLearned;
use crate::trained::{Manifest, learned, store};

pub(crate) const NAME: &str = "name";
const SIMS: &str = "sims";

pub(crate) const KIND: AgentKind = AgentKind {
    id: "trained",
    name: "Trained",
    help: "Plays what it has learned to be best by playing against itself, without looking ahead where nothing is said.",
    bare: Some(NAME),
    options: &[
        AgentOption {
            name: NAME,
            kind: OptionKind::Name { of: "a trained agent" },
            default: None,
            help: "Which one; `raichi agents list` names them. The first that was trained for the game where none is named.",
        },
        AgentOption {
            help: "Of alphazero: how long it looks ahead, by the search that it learned with and with at most 100,000 \
                   simulations; with sims or nodes, whichever comes first.",
            ..searching::TIME
        },
        AgentOption {
            name: SIMS,
            kind: OptionKind::Int { min: 0, max: 1_000_000 },
            default: Some("0"),
            help: "Of alphazero: with how many simulations it looks ahead, by the search that it learned with, where 0 sets no \
                   bound and is none alone; with time or nodes, whichever comes first.",
        },
        AgentOption {
            help: "Of alphazero: how many positions it asks its network about when it looks ahead; with time or sims, \
                   whichever comes first.",
            ..searching::NODES
        },
    ],
    supports,
    seat: None,
    instead: None,
    complete: |_| {},
    prepare,
};

fn supports(game: &dyn AnyGame) -> Result<(), String> {
    match store::trained_for(game.spec()).as_slice() {
        [] => Err(no_agent(game)),
        _ => Ok(()),
    }
}

fn no_agent(game: &dyn AnyGame) -> String {
    format!("no agent has been trained for it; raichi train {} does", game.spec())
}

fn prepare(game: &Arc<dyn AnyGame>, mut options: Options) -> PrepareResult {
    let refused = |why| AgentError::Refused { agent: KIND.id.into(), game: game.spec().into(), why };
    if options.name(NAME).is_none() {
        let first = store::trained_for(game.spec()).into_iter().next();
        options.give(NAME, OptionValue::Name(first.ok_or_else(|| refused(no_agent(&**game)))?));
    }
    let name = options.name(NAME).expect("it was just given");
    let agent = store::load(&name).map_err(|why| refused(why.to_string()))?;
    let (manifest, saved) = &*agent;
    let visitor = Prepare { name: &name, manifest, saved, budget: budget(&options), spec: options.canonical() };
    raichi_games::visit_game(&**game, visitor).map_err(refused)
}

/// What the options allow. No simulations set no bound.
fn budget(options: &Options) -> Budget {
    let budget = searching::budget(options);
    Budget { simulations: budget.simulations.filter(|&simulations| simulations > 0), ..budget }
}

/// What the session is asked for: a number of simulations alone is a schedule that its search follows to its end.
fn simulations(budget: &Budget) -> Option<u64> {
    match (budget.time, budget.nodes) {
        (None, None) => Some(budget.simulations.unwrap_or(0)),
        _ => None,
    }
}

fn no_search(name: &str, budget: &Budget) -> String {
    let options =
        [(budget.time.is_some(), "time="), (budget.simulations.is_some(), "sims="), (budget.nodes.is_some(), "nodes=")];
    let given: Vec<&str> = options.into_iter().filter_map(|(is_given, option)| is_given.then_some(option)).collect();
    let given = given.join(" and ");
    format!("{name} has no search of its own; leave {given} out, or let another search use it: mcts:evaluator={name}")
}

struct Prepare<'a> {
    name: &'a str,
    manifest: &'a Manifest,
    saved: &'a Saved,
    budget: Budget,
    spec: String,
}

impl GameVisitor for Prepare<'_> {
    type Output = Result<Arc<dyn crate::session::Prepared>, String>;

    fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) -> Self::Output {
        let learned = learned(game, self.manifest, self.saved).map_err(|why| format!("{}: {why}", self.name))?;
        let simulations = simulations(&self.budget);
        if self.budget != Budget::UNLIMITED && learned.session(simulations, &Failure::default()).is_none() {
            return Err(no_search(self.name, &self.budget));
        }
        let game = Arc::clone(game);
        Ok(Arc::new(PreparedLearned { game, learned, simulations, budget: self.budget, spec: self.spec }))
    }
}

/// What the trained agent of this name knows of positions, for searches.
///
/// # Errors
/// A sentence, when there is none, it is damaged, of another game, or cannot value positions.
pub(crate) fn evaluator<G: Playable>(game: &PathGame<G>, name: &str) -> Result<Arc<dyn Learned<G>>, String> {
    let agent = store::load(name).map_err(|why| why.to_string())?;
    let (manifest, saved) = &*agent;
    let learned = learned(game, manifest, saved).map_err(|why| format!("{name}: {why}"))?;
    learned.cannot_evaluate().map_or(Ok(learned), |why| Err(format!("{name}: {why}")))
}
