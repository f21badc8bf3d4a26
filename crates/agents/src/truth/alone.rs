//! What actions bring where nobody else decides anything any more.

use std::sync::Arc;

use raichi_core::erased::{AnyGame, AnyMatch, GameVisitor, Playable};
use raichi_core::game::Phase;
use raichi_core::history::Match;
use raichi_core::path::PathGame;
use raichi_solve::Alone;

/// What each action of the seat to act brings it on average where nobody else decides anything until the game is over;
/// `None` where others may come to act, or more than `most` positions would have to be looked at.
pub fn alone(game: &dyn AnyGame, current: &dyn AnyMatch, most: u64) -> Option<Vec<(String, f64)>> {
    raichi_games::visit_game(game, ToTheEnd { current, most })
}

struct ToTheEnd<'a> {
    current: &'a dyn AnyMatch,
    most: u64,
}

impl GameVisitor for ToTheEnd<'_> {
    type Output = Option<Vec<(String, f64)>>;

    fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) -> Self::Output {
        let current: &Match<G> = self.current.as_any().downcast_ref()?;
        let Phase::Act(seats) = current.phase() else { return None };
        let (seat, mut search) = (seats.first(), Alone::new(game.game(), seats.first(), self.most));
        let worth = |action| {
            let mut next = current.state().position().clone();
            game.game().apply(&mut next, seat, action);
            Some((game.action_text(current.state(), seat, action), search.expects(&next)?))
        };
        current.legal_actions(seat).into_iter().map(worth).collect()
    }
}
