//! How strong agents are, from the games that they have played.
//!
//! [`bradley_terry`] gives Elo with intervals, [`glicko`] Glicko-2, [`weng_lin`] a Bayesian rating for any number of
//! seats; [`sprt`] decides between two hypotheses about two agents as soon as the games allow. What a game says is a list
//! of [`Comparison`]s: each pair of seats held by different agents, won by the one that was paid more.

pub mod bradley_terry;
pub mod glicko;
pub mod sprt;
pub mod weng_lin;

use raichi_core::random::mix;

use crate::contest::Outcome;

pub use bradley_terry::{Elo, Ratings};

/// How far one agent was ahead of another in one game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// The one.
    pub one: usize,
    /// The other.
    pub other: usize,
    /// The one's: 1 for a win, ½ for a draw, 0 for a loss.
    pub score: f64,
    /// How much it counts. All comparisons of one seat in one game count 1 together.
    pub weight: f64,
    /// The game and the opening. Games of one round are not independent, also of different agents: those that are much alike
    /// play the same plies, and meet the same chance.
    pub round: u64,
    /// The agents that met in that game. Their games of one round hang together most.
    pub group: u64,
}

/// What a game says about the agents in it.
pub fn comparisons(outcome: &Outcome) -> impl Iterator<Item = Comparison> {
    let (seats, payoffs) = (&outcome.planned.seats, &outcome.payoffs);
    let round = mix(mix(outcome.planned.round) ^ outcome.planned.game as u64);
    let group = group(seats);
    let pairs = (0..seats.len()).flat_map(move |i| (i + 1..seats.len()).map(move |j| (i, j)));
    pairs.filter(|&(i, j)| seats[i] != seats[j]).map(move |(i, j)| Comparison {
        one: seats[i],
        other: seats[j],
        score: score(payoffs[i], payoffs[j]),
        weight: 1.0 / (seats.len() - 1) as f64,
        round,
        group,
    })
}

fn group(seats: &[usize]) -> u64 {
    let mut group = seats.to_vec();
    group.sort_unstable();
    group.dedup();
    group.into_iter().fold(0, |key, agent| mix(key ^ agent as u64))
}

/// 1 for a win, ½ for a draw, 0 for a loss of the one that was paid `mine`.
pub fn score(mine: f64, others: f64) -> f64 {
    // Equality first: a payoff of −0 is 0.
    if mine == others {
        0.5
    } else if mine > others {
        1.0
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_payoff_of_minus_zero_is_zero() {
        assert_eq!([score(0.0, -0.0), score(-0.0, 0.0), score(1.0, -0.0), score(-1.0, 0.0)], [0.5, 0.5, 1.0, 0.0]);
    }
}
