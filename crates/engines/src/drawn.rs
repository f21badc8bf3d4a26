//! What evaluators say of positions written down, for the tests of all folders.

use std::sync::Arc;

use raichi_core::erased::Playable;
use raichi_core::game::Phase;
use raichi_core::params::Params;
use raichi_core::seat::Seat;
use raichi_search::Evaluator;

/// A game with these parameters (`size=7,swap=true`, or nothing) and what is known about it.
pub(crate) struct Known<G: Playable> {
    pub(crate) game: G,
    pub(crate) evaluator: Arc<dyn Evaluator<G>>,
}

impl<G: Playable> Known<G> {
    pub(crate) fn new(params: &str) -> Known<G> {
        let given = (!params.is_empty()).then_some(params);
        let mut params = Params::parse(G::ID, G::params(), given).expect("the parameters are right");
        let game = G::from_params(&mut params).expect("the parameters make a game");
        let evaluator = crate::hand(&game).expect("the game has an evaluator");
        Known { game, evaluator }
    }

    pub(crate) fn position(&self, text: &str) -> G::State {
        self.game.parse_position(text).expect("the position is right").state
    }

    pub(crate) fn value(&self, text: &str, seat: Seat) -> f32 {
        self.evaluator.value(&self.game, &self.position(text), seat)
    }

    pub(crate) fn is_quiet(&self, text: &str) -> bool {
        self.evaluator.is_quiet(&self.game, &self.position(text))
    }

    /// The actions that the priors put first, in alphabetical order.
    pub(crate) fn best(&self, text: &str) -> Vec<String> {
        let state = self.position(text);
        let Phase::Act(seats) = self.game.phase(&state) else { panic!("nobody is to act") };
        let seat = seats.first();
        let mut actions = Vec::new();
        self.game.legal_actions(&state, seat, &mut actions);
        let mut odds = vec![0.0; actions.len()];
        self.evaluator.priors(&self.game, &state, seat, &actions, &mut odds);
        let most = odds.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let best = actions.iter().zip(&odds).filter(|&(_, &odds)| odds > most - 1e-4);
        let mut texts: Vec<String> = best.map(|(&action, _)| self.game.action_text(&state, seat, action)).collect();
        texts.sort();
        texts
    }
}
