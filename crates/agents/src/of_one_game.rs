//! Agents of one game only: what the kinds of agents share whose method is in the game's folder of the crate `engines`.

use std::sync::Arc;

use raichi_core::erased::{AnyGame, Playable};
use raichi_core::path::PathGame;
use raichi_search::options::Options;
use raichi_search::{Budget, CancelFlag, Failure};

use crate::kind::PrepareResult;
use crate::searching::budget;
use crate::session::{Prepared, Session, Typed};

/// Makes a session of the method.
type Open<G> = fn(&PathGame<G>) -> Box<dyn raichi_search::Session<G>>;

/// Whether `game` is of the type `G`; the error is a sentence that says what the agent plays.
pub(crate) fn supports<G: Playable>(game: &dyn AnyGame) -> Result<(), String> {
    match typed::<G>(game) {
        Some(_) => Ok(()),
        None => Err(format!("it plays {} only", G::NAME)),
    }
}

/// Whether `game` is of the type `G` and of those that the method is for; the error of `is_for` is such a sentence too.
pub(crate) fn supports_where<G: Playable>(
    game: &dyn AnyGame,
    is_for: impl Fn(&G) -> Result<(), String>,
) -> Result<(), String> {
    supports::<G>(game)?;
    typed::<G>(game).map_or(Ok(()), |game| is_for(game.game()))
}

fn typed<G: Playable>(game: &dyn AnyGame) -> Option<&Arc<PathGame<G>>> {
    game.as_any().downcast_ref()
}

/// The method ready for a game of the type `G`, which the kind has looked for.
pub(crate) fn prepare<G: Playable>(game: &Arc<dyn AnyGame>, options: &Options, open: Open<G>) -> PrepareResult {
    let game = Arc::clone(typed::<G>(&**game).expect("the kind supports games of this type only"));
    // What is computed once in a process is computed now.
    drop(open(&game));
    Ok(Arc::new(OfOneGame { game, open, budget: budget(options), spec: options.canonical() }))
}

struct OfOneGame<G: Playable> {
    game: Arc<PathGame<G>>,
    open: Open<G>,
    budget: Budget,
    spec: String,
}

impl<G: Playable> Prepared for OfOneGame<G> {
    fn spec(&self) -> &str {
        &self.spec
    }

    fn open(&self, seed: u64) -> Box<dyn Session> {
        Box::new(Typed {
            game: Arc::clone(&self.game),
            search: (self.open)(&self.game),
            budget: self.budget,
            cancel: CancelFlag::default(),
            seed,
            agent: self.spec.clone(),
            failure: Failure::default(),
        })
    }
}
