//! The solver for games of which nothing is known but their rules.

use std::sync::Arc;

use raichi_core::game::{Class, Game};
use raichi_core::path::PathMemory;

use crate::backward::Ties;
use crate::exact::Solver;
use crate::exhaustive::Exhaustive;
use crate::forward::Forward;

/// The solver that fits the facts of `game`: for two seats against each other and one alone a search to the end, or
/// retrograde analysis where positions can come again; with chance or more seats backward induction, equal choices being
/// made equally often. Whether the positions can be looked at in the time and memory given is seen when it is asked.
///
/// # Errors
/// A sentence that says why there is none.
pub fn generic<G: Game>(game: &G) -> Result<Arc<dyn Solver<G>>, &'static str> {
    let facts = game.facts();
    if facts.simultaneous {
        return Err("several seats act at the same time in it");
    }
    if facts.hidden {
        return Err("it has secrets");
    }
    let game = game.clone();
    let opposed = facts.n_seats == 2 && facts.payoff_sum.is_some();
    // What no game of the type needs is not compiled for it.
    if const { G::CLASSES.has(Class::Adversarial) && !G::PathMemory::DECIDES } && opposed && !facts.chance {
        return Ok(Arc::new(Forward::new(game).expect("two seats against each other, without chance and secrets")));
    }
    if const { G::CLASSES.has(Class::PerfectInformation) || G::PathMemory::DECIDES } {
        return Ok(Arc::new(match () {
            () if !(opposed || facts.n_seats == 1) => Exhaustive::backward(game, Ties::Shared),
            () if facts.chance => Exhaustive::fitting(game),
            () => Exhaustive::retrograde(game),
        }));
    }
    unreachable!("every game of this type has secrets or is adversarial")
}
