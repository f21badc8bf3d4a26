//! A gauntlet: every agent meets one reference, and then the best four meet each other.
//!
//! In games of two seats a meeting ends as soon as a sequential test tells which of the two is the stronger ([`TEST`]), elsewhere
//! and at the latest after a number of games. Meetings take turns, a round each, so that all have come equally far whenever the
//! gauntlet is broken off. The finals begin as soon as every meeting with the reference has [`BEFORE_FINALS`] games or
//! is over. Alone, on one seat, nobody meets anybody: every agent plays the same seeds.
//!
//! The same results lead to the same games: what was interrupted goes on as it would have.

use std::collections::BTreeSet;

use super::orders_of_round;
use crate::contest::match_schedule::seeded;
use crate::contest::{Contest, Outcome, Planned, Schedule};
use crate::ratings::sprt::{Pairs, Sprt, Verdict};
use crate::standings::{points, ratings};

/// Which of two is the stronger, by 50 Elo rather than weaker by as much: 22 games where one of them wins everything.
pub const TEST: Sprt = Sprt { elo0: -50.0, elo1: 50.0, alpha: 0.05, beta: 0.05 };

/// Games of each meeting with the reference before the best meet each other.
pub const BEFORE_FINALS: u64 = 20;

/// So many of the best meet each other.
pub const FINALISTS: usize = 4;

/// The games of a gauntlet, in the first of a contest's games. The agent named last is the reference.
pub struct GauntletSchedule {
    agents: Vec<String>,
    seed: u64,
    n_seats: usize,
    /// Of each meeting, at most; on one seat those of all agents together.
    most_games: u64,
    meetings: Vec<Meeting>,
    are_finals_on: bool,
    n_games: u64,
    n_rounds: u64,
    n_seen: usize,
}

/// Agents that meet: two, or on one seat all of them.
struct Meeting {
    agents: Vec<usize>,
    n_games: u64,
    pairs: Pairs,
    /// The points that the first agent made in the first game of a pair.
    half: Option<f64>,
}

impl GauntletSchedule {
    /// Of a contest's agents in its first game, with at most so many games a meeting.
    pub fn new(contest: &Contest, most_games: u64) -> GauntletSchedule {
        let n_agents = contest.agents().len();
        let n_seats = contest.games()[0].facts().n_seats;
        let meetings = if n_seats == 1 {
            vec![Meeting::of((0..n_agents).collect())]
        } else {
            (0..n_agents.saturating_sub(1)).map(|agent| Meeting::of(vec![agent, n_agents - 1])).collect()
        };
        let games_of_all = if n_seats == 1 { n_agents as u64 } else { 1 };
        GauntletSchedule {
            agents: contest.agents().to_vec(),
            seed: contest.seed(),
            n_seats,
            most_games: most_games.saturating_mul(games_of_all),
            meetings,
            are_finals_on: n_seats == 1,
            n_games: 0,
            n_rounds: 0,
            n_seen: 0,
        }
    }

    fn take(&mut self, results: &[Outcome]) {
        for outcome in &results[self.n_seen..] {
            let sit: BTreeSet<usize> = outcome.planned.seats.iter().copied().collect();
            let is_of = |meeting: &&mut Meeting| sit.iter().all(|agent| meeting.agents.contains(agent));
            self.meetings.iter_mut().find(is_of).expect("every game belongs to a meeting").add(outcome);
        }
        self.n_seen = results.len();
    }

    fn begin_finals(&mut self, results: &[Outcome]) {
        self.are_finals_on = true;
        let Some(ratings) = ratings(self.agents.len(), results.iter()) else { return };
        let mut best: Vec<usize> = (0..self.agents.len()).collect();
        best.sort_by(|&one, &other| ratings.over_mean(other).value.total_cmp(&ratings.over_mean(one).value));
        best.truncate(FINALISTS);
        best.sort_unstable();
        for (i, &one) in best.iter().enumerate() {
            for &other in &best[i + 1..] {
                // With the reference they have met.
                if other != self.agents.len() - 1 {
                    self.meetings.push(Meeting::of(vec![one, other]));
                }
            }
        }
    }
}

impl Schedule for GauntletSchedule {
    fn next(&mut self, results: &[Outcome]) -> Vec<Planned> {
        self.take(results);
        let is_far = |meeting: &Meeting| meeting.is_over(self.most_games) || meeting.n_games >= BEFORE_FINALS;
        if !self.are_finals_on && self.meetings.iter().all(is_far) {
            self.begin_finals(results);
        }
        let open = self.meetings.iter().filter(|meeting| !meeting.is_over(self.most_games));
        let open: Vec<Vec<usize>> = open.map(|meeting| meeting.agents.clone()).collect();
        if open.is_empty() {
            return Vec::new();
        }
        let round = self.n_rounds;
        self.n_rounds += 1;
        let orders = open.iter().flat_map(|group| orders_of_round(group, self.n_seats, round, self.seed)).collect();
        let games = seeded(&self.agents, orders, round, self.seed);
        let first = self.n_games;
        self.n_games += games.len() as u64;
        let numbered = (first..).zip(games);
        numbered.map(|(number, (seats, seed))| Planned { number, game: 0, seats, round, seed }).collect()
    }
}

impl Meeting {
    fn of(agents: Vec<usize>) -> Meeting {
        Meeting { agents, n_games: 0, pairs: Pairs::default(), half: None }
    }

    fn add(&mut self, outcome: &Outcome) {
        self.n_games += 1;
        if outcome.payoffs.len() != 2 {
            return;
        }
        let first = usize::from(outcome.planned.seats[0] != self.agents[0]);
        let points = points(&outcome.payoffs, first);
        match self.half.take() {
            Some(half) => self.pairs.add(half + points),
            None => self.half = Some(points),
        }
    }

    fn is_over(&self, most_games: u64) -> bool {
        self.n_games >= most_games || TEST.verdict(&self.pairs) != Verdict::Open
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest::Openings;

    fn contest(game: &str, n_agents: usize) -> Contest {
        let agents: Vec<String> = (1..=n_agents).map(|n| format!("mcts:sims={n}")).collect();
        Contest::new(vec![raichi_games::game(game).unwrap()], &agents, Openings::Start, 1).unwrap()
    }

    /// The games of a gauntlet of at most `most` games a meeting, where `payoff` says what a seat's agent is paid.
    fn games(contest: &Contest, most: u64, payoff: fn(usize) -> f64) -> Vec<Planned> {
        let mut schedule = GauntletSchedule::new(contest, most);
        let mut results: Vec<Outcome> = Vec::new();
        loop {
            let planned = schedule.next(&results);
            if planned.is_empty() {
                return results.into_iter().map(|outcome| outcome.planned).collect();
            }
            results.extend(planned.into_iter().map(|planned| Outcome {
                payoffs: planned.seats.iter().map(|&agent| payoff(agent)).collect(),
                fingerprint: planned.number,
                planned,
                end: String::new(),
                n_plies: 1,
                costs: None,
            }));
        }
    }

    fn count(games: &[Planned], one: usize, other: usize) -> usize {
        games.iter().filter(|game| game.seats.contains(&one) && game.seats.contains(&other)).count()
    }

    #[test]
    fn all_meet_the_reference_and_the_best_four_each_other() {
        let contest = contest("tic-tac-toe", 6);
        // The reference, named last, draws with the second, beats the first and third, and loses against the others.
        let played = games(&contest, 200, |agent| [0.0, 2.0, 1.0, 3.0, 4.0, 2.0][agent]);
        assert_eq!(count(&played, 1, 5), 200);
        for agent in [0, 2, 3, 4] {
            let n = count(&played, agent, 5);
            assert!((10..60).contains(&n), "a clear result ends a meeting, and this one had {n} games");
        }
        assert!([(1, 3), (1, 4), (3, 4)].iter().all(|&(one, other)| count(&played, one, other) > 0));
        assert_eq!([(0, 1), (0, 2), (0, 4), (2, 3)].map(|(one, other)| count(&played, one, other)), [0; 4]);
        // Both sides of every opening.
        let n_with_reference: usize = (0..5).map(|agent| count(&played, agent, 5)).sum();
        assert_eq!(played.iter().filter(|game| game.seats[1] == 5).count() * 2, n_with_reference);
    }

    #[test]
    fn what_stays_undecided_ends_after_so_many_games() {
        let played = games(&contest("tic-tac-toe", 3), 30, |_| 0.0);
        assert_eq!([count(&played, 0, 2), count(&played, 1, 2), count(&played, 0, 1)], [30; 3]);
        // Three seats have no test.
        let three = games(&contest("nim3p", 2), 30, |agent| agent as f64);
        assert_eq!(three.len(), 30);
    }

    #[test]
    fn on_one_seat_everybody_plays_the_same_seeds() {
        let played = games(&contest("2048", 2), 7, |agent| agent as f64);
        let seeds =
            |agent| played.iter().filter(|game| game.seats == [agent]).map(|game| game.seed).collect::<Vec<_>>();
        assert_eq!(seeds(0).len(), 7);
        assert_eq!(seeds(0), seeds(1));
    }

    #[test]
    fn the_same_results_lead_to_the_same_games() {
        let contest = contest("tic-tac-toe", 4);
        let one = games(&contest, 40, |agent| -(agent as f64));
        assert_eq!(one, games(&contest, 40, |agent| -(agent as f64)));
        assert_eq!(one.iter().map(|game| game.number).collect::<Vec<_>>(), (0..one.len() as u64).collect::<Vec<_>>());
    }
}
