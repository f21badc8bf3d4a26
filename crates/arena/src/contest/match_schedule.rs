//! The games of a match: round after round, in each all combinations of the agents in all orders of seats.

use std::collections::HashMap;

use raichi_core::random::{Rng, stream};

use super::seating::{groups, n_groups, orders};
use super::{Outcome, Planned, Schedule};

/// All games of a match, planned from the beginning.
pub struct MatchSchedule {
    games: Vec<Planned>,
}

impl MatchSchedule {
    /// `n_games` games on `n_seats` seats. `agents` are known by their specs: the same may stand there twice.
    pub fn new(agents: &[String], n_seats: usize, n_games: u64, seed: u64) -> Self {
        let groups = groups(agents.len(), n_seats);
        let mut games: Vec<Planned> = Vec::new();
        for round in 0.. {
            let left = n_games - games.len() as u64;
            if left == 0 {
                break;
            }
            let all = groups.iter().flat_map(|group| orders(group, n_seats, round, seed));
            let all = all.take(usize::try_from(left).unwrap_or(usize::MAX)).collect();
            for (seats, seed) in seeded(agents, all, round, seed) {
                games.push(Planned { number: games.len() as u64, game: 0, seats, round, seed });
            }
        }
        MatchSchedule { games }
    }

    /// How many games a whole round has.
    pub fn games_a_round(n_agents: usize, n_seats: usize) -> usize {
        // All groups have as many orders as this one.
        let group: Vec<usize> = (0..n_agents.min(n_seats)).collect();
        let n_groups = usize::try_from(n_groups(n_agents, n_seats)).unwrap_or(usize::MAX);
        n_groups.saturating_mul(orders(&group, n_seats, 0, 0).len())
    }
}

/// The seeds of a round's games. They are all the round's, so that everybody meets the same chance; only where the same
/// agents would sit the same way twice, so that the same game would be played again, the second has a seed of its own.
pub(crate) fn seeded(agents: &[String], all: Vec<Vec<usize>>, round: u64, seed: u64) -> Vec<(Vec<usize>, u64)> {
    let mut times: HashMap<Vec<&str>, usize> = HashMap::new();
    let mut rng = stream(seed, "round", round);
    let mut seeds = Vec::new();
    let with_seed = |seats: Vec<usize>| {
        let times = times.entry(seats.iter().map(|&agent| agents[agent].as_str()).collect()).or_default();
        *times += 1;
        while seeds.len() < *times {
            seeds.push(rng.next_u64());
        }
        (seats, seeds[*times - 1])
    };
    all.into_iter().map(with_seed).collect()
}

impl Schedule for MatchSchedule {
    fn next(&mut self, _results: &[Outcome]) -> Vec<Planned> {
        std::mem::take(&mut self.games)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_has_one_seed_and_every_order() {
        let games = MatchSchedule::new(&["a", "b", "c"].map(String::from), 2, 14, 5).next(&[]);
        assert_eq!(games.len(), 14);
        assert_eq!(games.iter().filter(|game| game.round == 0).count(), MatchSchedule::games_a_round(3, 2));
        assert!(games[..6].iter().all(|game| game.seed == games[0].seed));
        assert_ne!(games[6].seed, games[0].seed);
        assert_eq!(games[7].number, 7);
    }

    #[test]
    fn the_same_agent_twice_does_not_play_the_same_game_twice() {
        let games = MatchSchedule::new(&["a", "a"].map(String::from), 2, 4, 5).next(&[]);
        assert_ne!(games[0].seed, games[1].seed);
    }
}
