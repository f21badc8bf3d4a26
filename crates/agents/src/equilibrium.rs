//! Equilibria of games with secrets, for the games that are small enough to be gone through whole.
//!
//! Regrets are minimised over all information sets of a game ([`raichi_solve::regret`]), so a game has a line here only where
//! these fit into memory.

use std::sync::Arc;

use raichi_core::erased::{AnyGame, Playable};
use raichi_core::path::PathGame;
use raichi_games::kuhn_poker::KuhnPoker;
use raichi_games::leduc_poker::LeducPoker;
use raichi_solve::regret::{self, Equilibrium, Options};
use raichi_solve::{Unsolved, Work};

type Line = fn(&dyn AnyGame, &Work<'_>) -> Option<Result<Equilibrium, Unsolved>>;

const LINES: &[Line] = &[solve::<KuhnPoker>, solve::<LeducPoker>];

/// An equilibrium of the game from its start, or what was reached of one when the time was up; `None` where the game has no
/// secrets or is too large.
pub fn equilibrium(game: &dyn AnyGame, work: &Work<'_>) -> Option<Result<Equilibrium, Unsolved>> {
    LINES.iter().find_map(|line| line(game, work))
}

fn solve<G: Playable>(game: &dyn AnyGame, work: &Work<'_>) -> Option<Result<Equilibrium, Unsolved>> {
    let game: &Arc<PathGame<G>> = game.as_any().downcast_ref()?;
    Some(regret::solve(game, &Options::default(), work))
}

#[cfg(test)]
mod tests {
    use raichi_core::host::CancelFlag;

    use super::*;
    use crate::SystemHost;

    #[test]
    fn kuhn_poker_is_solved_and_games_without_secrets_are_not() {
        let work = Work {
            deadline: None,
            cancel: &CancelFlag::default(),
            host: &SystemHost,
            n_threads: 1,
            memory: 1 << 26,
            folder: None,
            progress: &|_| {},
        };
        let kuhn = raichi_games::game("kuhn-poker").unwrap();
        let found = equilibrium(&*kuhn, &work).expect("it has a line").expect("it is small");
        assert!((found.values[0] + 1.0 / 18.0).abs() < 1e-5 && found.exploitability < 1e-5, "{:?}", found.values);
        assert_eq!(found.information_sets, 12);
        assert!(equilibrium(&*raichi_games::game("tic-tac-toe").unwrap(), &work).is_none());
    }
}
