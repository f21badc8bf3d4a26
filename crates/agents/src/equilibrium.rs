//! Equilibria of games with secrets, for the games that are small enough to be gone through whole.
//!
//! Regrets are minimised over all information sets of a game ([`raichi_solve::regret`]), so a game has a line here only where
//! these fit into memory.

use std::sync::Arc;

use raichi_core::erased::{AnyGame, AnyMatch, Playable};
use raichi_core::game::{Choice, Phase};
use raichi_core::history::Match;
use raichi_core::information::Recall;
use raichi_core::path::{PathGame, PathState};
use raichi_core::seat::Seat;
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

/// What each action of the seat to act is worth to it on average, where both seats play on by `found`, an equilibrium of the
/// game: the mean over all that the seat cannot tell apart, each as likely as chance and the other seat's strategy make it.
/// `None` where the game has no line here, no seat is to act alone, or the seat never sees this.
pub fn action_values(game: &dyn AnyGame, current: &dyn AnyMatch, found: &Equilibrium) -> Option<Vec<(String, f64)>> {
    values::<KuhnPoker>(game, current, found).or_else(|| values::<LeducPoker>(game, current, found))
}

fn values<G: Playable>(game: &dyn AnyGame, current: &dyn AnyMatch, found: &Equilibrium) -> Option<Vec<(String, f64)>> {
    let game: &Arc<PathGame<G>> = game.as_any().downcast_ref()?;
    let current: &Match<G> = current.as_any().downcast_ref()?;
    let Phase::Act(seats) = current.phase() else { return None };
    let (seat, mut state, mut recall) = (seats.first(), game.initial_state(), Recall::new(game.facts().n_seats));
    current.choices().iter().for_each(|&choice| recall.play(game, &mut state, choice));
    let actions = current.legal_actions(seat);
    let mut walk = Walk { game, found, seat, key: recall.key(seat), sums: vec![0.0; actions.len()], reached: 0.0 };
    walk.value(&game.initial_state(), &Recall::new(game.facts().n_seats), 1.0)?;
    let text = |action| game.action_text(current.state(), seat, action);
    let mean = |sum: &f64| sum / walk.reached;
    (walk.reached > 0.0).then(|| actions.into_iter().map(text).zip(walk.sums.iter().map(mean)).collect())
}

/// A walk through the whole game, from the view of a seat.
struct Walk<'a, G: Playable> {
    game: &'a Arc<PathGame<G>>,
    found: &'a Equilibrium,
    seat: Seat,
    /// The information state that is asked about.
    key: u64,
    /// By action, what was found there, weighted by how likely all but the seat come there.
    sums: Vec<f64>,
    reached: f64,
}

impl<G: Playable> Walk<'_, G> {
    fn value(&mut self, state: &PathState<G>, recall: &Recall, reach: f64) -> Option<f64> {
        let (choices, shares, acting) = match self.game.phase(state) {
            Phase::Over => return Some(self.game.payoffs(state)[self.seat]),
            Phase::Chance => {
                let mut outcomes = Vec::new();
                self.game.outcomes(state, &mut outcomes);
                let total: u64 = outcomes.iter().map(|(_, weight)| weight).sum();
                let shares = outcomes.iter().map(|&(_, weight)| weight as f64 / total as f64).collect();
                (outcomes.into_iter().map(|(outcome, _)| Choice::Outcome(outcome)).collect::<Vec<_>>(), shares, None)
            }
            Phase::Act(seats) => {
                let (seat, mut actions) = (seats.first(), Vec::new());
                self.game.legal_actions(state, seat, &mut actions);
                let shares: Vec<f64> = self.found.strategy(seat, recall.key(seat))?;
                (actions.into_iter().map(|action| Choice::Action(seat, action)).collect(), shares, Some(seat))
            }
        };
        let is_own = acting == Some(self.seat);
        let is_asked = is_own && recall.key(self.seat) == self.key;
        if is_asked {
            self.reached += reach;
        }
        let mut sum = 0.0;
        for (nth, (choice, share)) in choices.into_iter().zip(shares).enumerate() {
            let (mut next, mut recall) = (state.clone(), recall.clone());
            recall.play(self.game, &mut next, choice);
            let value = self.value(&next, &recall, if is_own { reach } else { reach * share })?;
            if is_asked {
                self.sums[nth] += reach * value;
            }
            sum += share * value;
        }
        Some(sum)
    }
}
