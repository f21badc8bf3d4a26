//! What is known about a position without searching it, and what a search asks for: a value for a seat, a prior for each
//! action, whether the position can be valued as it stands.
//!
//! Hand-made, n-tuple and network evaluators come in the same way, so that every search works with each of them. The
//! searches name no game; who makes evaluators does.

use std::sync::{Arc, OnceLock};

use raichi_core::game::{Game, Payoffs};
use raichi_core::random::FastRng;
use raichi_core::seat::Seat;

/// Values positions of games of the type `G`, which are not over. In nearly all that are asked about a seat acts; `mcts` also asks
/// about those before chance.
///
/// Everything is in the words of core: values are expected payoffs in the units of the game's own payoffs, by seat. A
/// search asks for positions, not for paths: repetition and the cap are its own business.
pub trait Evaluator<G: Game>: Send + Sync + 'static {
    /// What `seat` can expect to be paid when play goes on from `state`. Law: where the game's facts bound the payoffs
    /// the value lies within the bounds, and where the payoffs of all seats have a constant sum the values of all seats
    /// have it too, so that with two seats one call tells both.
    fn value(&self, game: &G, state: &G::State, seat: Seat) -> f32;

    // Provided methods; override them for speed or for knowledge.

    /// [`Evaluator::value`] of every seat, into one number a seat.
    fn values(&self, game: &G, state: &G::State, values: &mut [f32]) {
        for (seat, value) in values.iter_mut().enumerate() {
            *value = self.value(game, state, seat);
        }
    }

    /// The values of many positions, each for the seat beside it, into one number each: networks are faster in batches.
    fn value_batch(&self, game: &G, positions: &[(&G::State, Seat)], values: &mut [f32]) {
        for (&(state, seat), value) in positions.iter().zip(values) {
            *value = self.value(game, state, seat);
        }
    }

    /// How promising each of `seat`'s legal `actions` is, into one number each: natural logarithms of odds, of which only
    /// the differences count. The priors of a search are their softmax; a search that only sorts actions sorts by them.
    fn priors(&self, _game: &G, _state: &G::State, _seat: Seat, _actions: &[G::Action], log_odds: &mut [f32]) {
        log_odds.fill(0.0);
    }

    /// The same for one session, which is told by `failure` where something goes wrong; `None` where nothing can.
    fn reporting(&self, _failure: &Failure) -> Option<Arc<dyn Evaluator<G>>> {
        None
    }

    /// Whether [`Evaluator::priors`] knows anything. Where it does not a search saves the call.
    fn has_priors(&self) -> bool {
        false
    }

    /// Whether `state` can be valued as it stands. Where it cannot, a search that has reached its depth looks on at the
    /// forcing actions.
    fn is_quiet(&self, _game: &G, _state: &G::State) -> bool {
        true
    }

    /// Whether `action` is to be looked at where a position is not quiet.
    fn is_forcing(&self, _game: &G, _state: &G::State, _seat: Seat, _action: G::Action) -> bool {
        true
    }
}

/// Where what values positions says that it failed: an evaluator can return nothing but numbers, and those that it returned
/// since mean nothing. Who asks for a decision asks here whether it may be used. Clones share it.
#[derive(Clone, Default, Debug)]
pub struct Failure(Arc<OnceLock<String>>);

impl Failure {
    /// Says why, in a sentence. The first one stays.
    pub fn report(&self, why: String) {
        self.0.get_or_init(|| why);
    }

    /// Why; `None` as long as nothing failed.
    pub fn why(&self) -> Option<&str> {
        self.0.get().map(String::as_str)
    }
}

/// Chooses the actions of a playout: faster than any search, better than chance.
pub trait PlayoutPolicy<G: Game>: Send + Sync + 'static {
    /// A legal action of `seat`. `last` is the action that led to `state`, where there was one; `scratch` may be
    /// overwritten.
    fn choose(
        &self,
        game: &G,
        state: &G::State,
        seat: Seat,
        last: Option<G::Action>,
        scratch: &mut Vec<G::Action>,
        rng: &mut FastRng,
    ) -> G::Action;
}

/// Values as payoffs, by seat. Compiled once, not for each game.
pub(crate) fn as_payoffs(values: &[f32]) -> Payoffs {
    Payoffs::new(values.iter().copied().map(f64::from))
}
