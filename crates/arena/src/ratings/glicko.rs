//! Glicko-2 (Glickman 2013), by the crate `skillratings`.
//!
//! Games are taken in their order, in periods of about ten games an agent, as Glickman advises; within a period every
//! result counts against the ratings from before it. All agents begin at 1500 ± 350.
//!
//! At more than two seats each pair of seats is a game, as Glicko-2 knows no weights: their results hang together, so that
//! deviations are too small there.

use raichi_core::seat::Seat;
use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2_rating_period};

use crate::contest::Outcome;
use crate::ratings::comparisons;

/// Games of one agent in a period.
const GAMES_A_PERIOD: usize = 10;

/// A rating of Glicko-2.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Glicko {
    /// Around 1500.
    pub rating: f64,
    /// One standard deviation.
    pub deviation: f64,
    /// How much the results fluctuate.
    pub volatility: f64,
}

/// The ratings of `n_agents` after these games.
pub fn glicko(n_agents: usize, games: &[Outcome]) -> Vec<Glicko> {
    let config = Glicko2Config::new();
    let mut ratings = vec![Glicko2Rating::new(); n_agents];
    let n_seats: Seat = games.iter().map(|game| game.planned.seats.len()).max().unwrap_or(1);
    let period = (GAMES_A_PERIOD * n_agents).div_ceil(n_seats).max(1);
    for games in games.chunks(period) {
        let before = ratings.clone();
        let mut results = vec![Vec::new(); n_agents];
        for comparison in games.iter().flat_map(comparisons) {
            let (one, other) = (comparison.one, comparison.other);
            results[one].push((before[other], result(comparison.score)));
            results[other].push((before[one], result(1.0 - comparison.score)));
        }
        for (rating, results) in ratings.iter_mut().zip(results) {
            *rating = glicko2_rating_period(rating, &results, &config);
        }
    }
    let rating = |rating: Glicko2Rating| Glicko {
        rating: rating.rating,
        deviation: rating.deviation,
        volatility: rating.volatility,
    };
    ratings.into_iter().map(rating).collect()
}

fn result(score: f64) -> Outcomes {
    match score {
        1.0 => Outcomes::WIN,
        0.0 => Outcomes::LOSS,
        _ => Outcomes::DRAW,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest::Planned;

    #[test]
    fn glickmans_example_has_its_published_numbers() {
        // "Example of the Glicko-2 system" (2013): 1500 ± 200 beats 1400 ± 30, loses to 1550 ± 100 and 1700 ± 300.
        let rated = |rating, deviation| Glicko2Rating { rating, deviation, volatility: 0.06 };
        let results = [
            (rated(1400.0, 30.0), Outcomes::WIN),
            (rated(1550.0, 100.0), Outcomes::LOSS),
            (rated(1700.0, 300.0), Outcomes::LOSS),
        ];
        let after = glicko2_rating_period(&rated(1500.0, 200.0), &results, &Glicko2Config::new());
        assert!((after.rating - 1464.06).abs() < 0.02, "{after:?}");
        assert!((after.deviation - 151.52).abs() < 0.01, "{after:?}");
        assert!((after.volatility - 0.05999).abs() < 1e-5, "{after:?}");
    }

    #[test]
    fn the_winner_is_rated_above_and_surer_than_at_the_start() {
        let game = |number: u64, payoffs: [f64; 2]| Outcome {
            planned: Planned { number, game: 0, seats: vec![0, 1], round: number, seed: 0 },
            payoffs: payoffs.to_vec(),
            end: String::new(),
            n_plies: 1,
            fingerprint: number,
            costs: None,
        };
        let games: Vec<Outcome> =
            (0..40).map(|i| game(i, if i % 4 == 0 { [-1.0, 1.0] } else { [1.0, -1.0] })).collect();
        let ratings = glicko(2, &games);
        assert!(ratings[0].rating > 1540.0 && ratings[1].rating < 1460.0, "{ratings:?}");
        assert!(ratings.iter().all(|rating| rating.deviation < 120.0), "{ratings:?}");
    }
}
