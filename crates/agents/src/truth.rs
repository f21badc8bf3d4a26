//! What is known exactly about a position of any game: the solver made for the game, else the one that fits its facts.
//!
//! Solvers are compiled for every game here and nowhere else. [`known`] finds them for a game, and shares them among all who
//! ask while anybody uses them, so that what one found out the others know. A solver knows positions, not paths: whether
//! what it says holds on the path of a match is said by [`Examined::holds`].

mod alone;
mod by_proof;
mod examined;
mod kept;
mod solved;
mod solvers;

use std::any::Any;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use raichi_core::erased::{AnyGame, AnyMatch, GameVisitor, Playable};
use raichi_core::game::Payoffs;
use raichi_core::path::PathGame;
use raichi_core::random::FastRng;
use raichi_core::reason::Reason;
use raichi_solve::{Solver, Statistics, Unsolved, Work, generic};

pub use alone::alone;
pub use examined::{Examined, ExaminedAction, better};
pub use kept::{folder, keep_tables_in};
pub use solved::is_solved;
pub(crate) use solved::solved_instead;
use solvers::Solvers;

/// What is known about the positions of a game with its parameters.
pub trait Truth: Send + Sync {
    /// Finds out what the position of `current`, and each that an action of the seat to act leads to, is worth.
    ///
    /// With `hidden` what the seat to act does not see is drawn first, so that it is told nothing that it cannot know.
    fn examine(&self, current: &dyn AnyMatch, hidden: Option<&mut FastRng>, work: &Work<'_>) -> Examined;

    /// What no seat gets more than, and less than, in the position of `current`, however equal choices are made; `None` where
    /// that makes no difference: with one seat, or two whose payoffs have a constant sum.
    fn best_and_worst(&self, current: &dyn AnyMatch, work: &Work<'_>) -> Option<Result<(Payoffs, Payoffs), Unsolved>>;

    /// Why the position of `current` is worth what it is, where a solver can say that to people.
    fn reason(&self, current: &dyn AnyMatch) -> Option<Reason>;

    /// Whether every value is known at once, so that no deadline is needed.
    fn is_immediate(&self) -> bool;

    /// Whether every value is known within about a second.
    fn is_quick(&self) -> bool;

    /// Whether who asks waits until all that were there before are answered.
    fn answers_one_at_a_time(&self) -> bool;

    /// Makes or reads tables before a clock runs: all of them where every value is known at once then, else those that take
    /// little time.
    fn get_ready(&self, work: &Work<'_>);

    /// With less memory than this, in bytes, nothing is known.
    fn least_memory(&self) -> usize;

    /// What solving has cost so far.
    fn statistics(&self) -> Statistics;
}

/// What [`Progress`](raichi_solve::Progress) calls the work on a position itself, on the first look at all its actions,
/// and on each in turn. While these go on, solvers tell of their own work.
pub const POSITION: &str = "the position";
/// See [`POSITION`].
pub const ACTIONS_FIRST: &str = "first look at actions";
/// See [`POSITION`].
pub const ACTIONS: &str = "actions";

/// What is known about `game`, shared by all who ask.
///
/// # Errors
/// A sentence that says why nothing can be known.
pub fn known(game: &dyn AnyGame) -> Result<Arc<dyn Truth>, String> {
    static KNOWN: Mutex<Option<HashMap<String, Weak<dyn Truth>>>> = Mutex::new(None);
    let mut known = lock(&KNOWN);
    let known = known.get_or_insert_default();
    if let Some(truth) = known.get(game.spec()).and_then(Weak::upgrade) {
        return Ok(truth);
    }
    known.retain(|_, truth| truth.strong_count() > 0);
    let truth = raichi_games::visit_game(game, Find)?;
    known.insert(game.spec().into(), Arc::downgrade(&truth));
    Ok(truth)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Find;

impl GameVisitor for Find {
    type Output = Result<Arc<dyn Truth>, String>;

    fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) -> Self::Output {
        Ok(Arc::new(Solvers { game: Arc::clone(game), solvers: solvers(game)? }))
    }
}

/// The solvers of a game, one after the other as they are asked.
type SolversOf<G> = Vec<Arc<dyn Solver<G>>>;

/// The solvers of the game inside, which knows no cap: those of the same game with another cap are the same, while anybody uses
/// them.
fn solvers<G: Playable>(game: &PathGame<G>) -> Result<Arc<SolversOf<G>>, String> {
    static MADE: Mutex<Option<HashMap<String, Weak<dyn Any + Send + Sync>>>> = Mutex::new(None);
    let spec = without_cap(game.spec());
    let mut made = lock(&MADE);
    let made = made.get_or_insert_default();
    let known = made.get(&spec).and_then(Weak::upgrade);
    if let Some(known) = known.and_then(|known| known.downcast().ok()) {
        return Ok(known);
    }
    made.retain(|_, solvers| solvers.strong_count() > 0);
    let fitting = generic(game.game());
    let of_the_game = raichi_engines::solver(game.game());
    let solvers: SolversOf<G> = of_the_game.into_iter().chain(fitting.clone().ok()).collect();
    match fitting {
        Err(why) if solvers.is_empty() => {
            let secrets = game.facts().hidden && game.facts().n_seats > 1;
            let hint = if secrets { "; `raichi solve` finds equilibria of small ones" } else { "" };
            Err(format!("{why}, and no solver was made for it{hint}"))
        }
        _ => {
            let solvers = Arc::new(solvers);
            let shared: Arc<dyn Any + Send + Sync> = Arc::<SolversOf<G>>::clone(&solvers);
            made.insert(spec, Arc::downgrade(&shared));
            Ok(solvers)
        }
    }
}

/// A canonical spec without its cap.
fn without_cap(spec: &str) -> String {
    let (id, params) = spec.split_once(':').unwrap_or((spec, ""));
    let others: Vec<&str> =
        params.split(',').filter(|param| !param.is_empty() && !param.starts_with("max-plies=")).collect();
    if others.is_empty() { id.into() } else { format!("{id}:{}", others.join(",")) }
}

/// What seats get, for JSON and people: without what rounding left behind.
pub fn rounded(values: &Payoffs) -> Payoffs {
    Payoffs::new(values.as_slice().iter().copied().map(rounded_number))
}

/// A number, for JSON and people, likewise.
pub fn rounded_number(number: f64) -> f64 {
    let short = (number * 1e9).round() / 1e9 + 0.0;
    if (number - short).abs() < 1e-12 { short } else { number }
}
