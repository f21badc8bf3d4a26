//! The Bayesian rating of Weng and Lin (2011), by the crate `skillratings`: for games of any number of seats.
//!
//! Games are taken in their order, each seat as a team of one, in the order of what they were paid. An agent that holds
//! several seats of a game moves by the mean of what its seats would. All agents begin at 25 ± 25/3.

use skillratings::MultiTeamOutcome;
use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin_multi_team};

use crate::contest::Outcome;

/// A rating of Weng and Lin.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct WengLin {
    /// Around 25.
    pub rating: f64,
    /// One standard deviation.
    pub uncertainty: f64,
}

/// The ratings of `n_agents` after these games.
pub fn weng_lin(n_agents: usize, games: &[Outcome]) -> Vec<WengLin> {
    let config = WengLinConfig::new();
    let mut ratings = vec![WengLinRating::new(); n_agents];
    for game in games {
        let seats = &game.planned.seats;
        let teams: Vec<[WengLinRating; 1]> = seats.iter().map(|&agent| [ratings[agent]]).collect();
        let ranked: Vec<(&[WengLinRating], MultiTeamOutcome)> =
            teams.iter().zip(&game.payoffs).map(|(team, &payoff)| (&team[..], rank(payoff, &game.payoffs))).collect();
        let after = weng_lin_multi_team(&ranked, &config);
        for agent in 0..n_agents {
            let held: Vec<WengLinRating> =
                (0..seats.len()).filter(|&seat| seats[seat] == agent).map(|seat| after[seat][0]).collect();
            if !held.is_empty() {
                let n = held.len() as f64;
                ratings[agent] = WengLinRating {
                    rating: held.iter().map(|rating| rating.rating).sum::<f64>() / n,
                    uncertainty: held.iter().map(|rating| rating.uncertainty).sum::<f64>() / n,
                };
            }
        }
    }
    let rating = |rating: WengLinRating| WengLin { rating: rating.rating, uncertainty: rating.uncertainty };
    ratings.into_iter().map(rating).collect()
}

// From 1; the same for those who were paid the same.
fn rank(payoff: f64, payoffs: &[f64]) -> MultiTeamOutcome {
    MultiTeamOutcome::new(1 + payoffs.iter().filter(|&&other| other > payoff).count())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest::Planned;

    fn game(number: u64, seats: [usize; 3], payoffs: [f64; 3]) -> Outcome {
        Outcome {
            planned: Planned { number, game: 0, seats: seats.to_vec(), round: number, seed: 0 },
            payoffs: payoffs.to_vec(),
            end: String::new(),
            n_plies: 1,
            fingerprint: number,
            costs: None,
        }
    }

    #[test]
    fn agents_are_ordered_by_what_they_were_paid() {
        let games: Vec<Outcome> = (0..30).map(|i| game(i, [2, 0, 1], [0.0, 1.0, 0.2])).collect();
        let ratings = weng_lin(3, &games);
        assert!(ratings[0].rating > ratings[1].rating && ratings[1].rating > ratings[2].rating, "{ratings:?}");
        assert!(ratings.iter().all(|rating| rating.uncertainty < 25.0 / 3.0 / 1.5), "{ratings:?}");
    }

    #[test]
    fn equal_payoffs_move_nobody_apart() {
        let ratings = weng_lin(2, &[game(0, [0, 1, 0], [1.0, 1.0, 1.0])]);
        assert!((ratings[0].rating - ratings[1].rating).abs() < 1e-9, "{ratings:?}");
    }
}
