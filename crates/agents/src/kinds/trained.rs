//! A trained agent under its name.

use std::sync::Arc;

use raichi_core::AnyGame;
use raichi_core::erased::{GameVisitor, Playable};
use raichi_core::path::PathGame;
use raichi_learn::{Learned, Saved};
use raichi_search::options::{AgentOption, OptionKind, OptionValue, Options};

use crate::kind::{AgentError, AgentKind, PrepareResult};
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
            name: SIMS,
            kind: OptionKind::Int { min: 0, max: 1_000_000 },
            default: Some("0"),
            help: "Of alphazero: with how many simulations it looks ahead, by the search that it learned with; 0 is none.",
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
    let simulations = options.int(SIMS).expect("the option has a default");
    let visitor = Prepare { name: &name, manifest, saved, simulations, spec: options.canonical() };
    raichi_games::visit_game(&**game, visitor).map_err(refused)
}

struct Prepare<'a> {
    name: &'a str,
    manifest: &'a Manifest,
    saved: &'a Saved,
    simulations: u64,
    spec: String,
}

impl GameVisitor for Prepare<'_> {
    type Output = Result<Arc<dyn crate::session::Prepared>, String>;

    fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) -> Self::Output {
        let learned = learned(game, self.manifest, self.saved).map_err(|why| format!("{}: {why}", self.name))?;
        let simulations = self.simulations;
        if simulations > 0 && learned.session(simulations).is_none() {
            return Err(format!(
                "{0} has no search of its own; leave sims= out, or let another search use it: mcts:evaluator={0}",
                self.name
            ));
        }
        Ok(Arc::new(PreparedLearned { game: Arc::clone(game), learned, simulations, spec: self.spec }))
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
