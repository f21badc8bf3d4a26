//! Tournaments: who meets whom, from the results so far.
//!
//! A *meeting* is a group of agents, as many as a game has seats and at least two, that plays a number of rounds:
//! openings from all sides. Meetings that do not depend on each other are a *stage*; all meetings of a stage have the
//! same openings and seeds, so that everybody has the same chances. The formats: round robin (every group meets, in one
//! stage), double (twice), knock-out ([`knock_out`]), Swiss ([`swiss`]). Each game is a tournament of its own; stages
//! of several games are played side by side.
//!
//! The same results lead to the same meetings: what was interrupted goes on as it would have.

mod course;
pub mod gauntlet;
mod knock_out;
mod swiss;

use std::collections::HashMap;

use crate::contest::match_schedule::seeded;
use crate::contest::seating::{groups, n_groups, n_orders, orders};
use crate::contest::{Contest, Outcome, Planned, Schedule};
use crate::ratings::{comparisons, score};

pub use course::{Course, Met, Stage};
use knock_out::KnockOut;
use swiss::Swiss;

/// Who meets whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Every group of agents meets once.
    RoundRobin,
    /// Every group of agents meets twice.
    Double,
    /// The agent that loses a meeting is out.
    KnockOut,
    /// Those meet who have scored alike, as many times as are needed to find the best.
    Swiss,
}

/// How many games of a game of `n_seats` there are where every group of so many agents meets once: all of a round robin, half
/// of a double one. They are counted without being planned, and there are at most `u64::MAX`. A meeting has `games` games, or
/// as many more as make whole rounds.
pub fn n_games_of_all_groups(n_agents: usize, n_seats: usize, games: u64) -> u64 {
    let size = size_of_groups(n_agents, n_seats);
    let n_meetings = n_groups(n_agents, size);
    let n_in_a_round = n_groups(size, n_seats).saturating_mul(n_orders(n_seats.min(size), n_seats)).max(1);
    n_meetings.saturating_mul(games.div_ceil(n_in_a_round).saturating_mul(n_in_a_round))
}

/// How many of the agents meet where every group of them does.
fn size_of_groups(n_agents: usize, n_seats: usize) -> usize {
    // One after the other on one seat, or all at the table.
    if n_seats == 1 { n_agents } else { n_seats.max(2).min(n_agents) }
}

/// The games of a tournament.
pub struct TournamentSchedule {
    agents: Vec<String>,
    seed: u64,
    /// Games of a meeting, or as many more as make whole rounds.
    games_a_meeting: u64,
    brackets: Vec<Bracket>,
    n_games: u64,
    n_rounds: u64,
    n_seen: usize,
}

/// The tournament in one of the games.
struct Bracket {
    game: usize,
    n_seats: usize,
    rule: Rule,
    /// Those of the stage being played.
    meetings: Vec<Meeting>,
}

enum Rule {
    /// So many stages are left, each with all groups.
    All {
        stages_left: u32,
        n_agents: usize,
    },
    KnockOut(KnockOut),
    Swiss(Swiss),
}

/// A group of agents, and what each has scored: the share of the others that it was paid more than.
#[derive(Clone, Debug, Default)]
struct Meeting {
    group: Vec<usize>,
    results: Vec<Outcome>,
}

impl TournamentSchedule {
    /// A tournament of the contest's agents in each of its games. A meeting has `games` games, or as many more as make
    /// whole rounds; one round where that is not said.
    pub fn new(contest: &Contest, format: Format, games: Option<u64>) -> TournamentSchedule {
        let n_agents = contest.agents().len();
        let bracket = |(game, any): (usize, &std::sync::Arc<dyn raichi_core::AnyGame>)| {
            let n_seats = any.facts().n_seats;
            let rule = match format {
                Format::RoundRobin => Rule::All { stages_left: 1, n_agents },
                Format::Double => Rule::All { stages_left: 2, n_agents },
                Format::KnockOut => Rule::KnockOut(KnockOut::new(n_agents, n_seats.max(2))),
                Format::Swiss => Rule::Swiss(Swiss::new(n_agents, n_seats.max(2))),
            };
            Bracket { game, n_seats, rule, meetings: Vec::new() }
        };
        TournamentSchedule {
            agents: contest.agents().to_vec(),
            seed: contest.seed(),
            games_a_meeting: games.unwrap_or(1),
            brackets: contest.games().iter().enumerate().map(bracket).collect(),
            n_games: 0,
            n_rounds: 0,
            n_seen: 0,
        }
    }

    /// How the tournament went in one of the contest's games, as far as [`Schedule::next`] has been told of its results.
    pub fn course(&self, game: usize) -> Course {
        let bracket = self.brackets.iter().find(|bracket| bracket.game == game);
        match bracket.map(|bracket| &bracket.rule) {
            Some(Rule::KnockOut(knock_out)) => knock_out.course(),
            Some(Rule::Swiss(swiss)) => swiss.course(),
            Some(Rule::All { .. }) | None => Course::default(),
        }
    }

    fn take(&mut self, results: &[Outcome]) {
        for outcome in &results[self.n_seen..] {
            let bracket = self.brackets.iter_mut().find(|bracket| bracket.game == outcome.planned.game);
            let sits = |meeting: &&mut Meeting| outcome.planned.seats.iter().all(|agent| meeting.group.contains(agent));
            let meeting = bracket.and_then(|bracket| bracket.meetings.iter_mut().find(sits));
            meeting.expect("every game belongs to a meeting").results.push(outcome.clone());
        }
        self.n_seen = results.len();
    }

    // The games of a stage: round after round, so that all meetings have come equally far when it is interrupted.
    fn plan(&mut self, game: usize, n_seats: usize, stage: &[Vec<usize>]) -> Vec<Planned> {
        let mut planned = Vec::new();
        let mut left: Vec<u64> = stage.iter().map(|_| self.games_a_meeting).collect();
        while left.iter().any(|&left| left > 0) {
            let round = self.n_rounds;
            self.n_rounds += 1;
            let mut all = Vec::new();
            for (group, left) in stage.iter().zip(&mut left).filter(|(_, left)| **left > 0) {
                let orders = orders_of_round(group, n_seats, round, self.seed);
                *left = left.saturating_sub(orders.len() as u64);
                all.extend(orders);
            }
            for (seats, seed) in seeded(&self.agents, all, round, self.seed) {
                planned.push(Planned { number: 0, game, seats, round, seed });
            }
        }
        planned
    }
}

impl Schedule for TournamentSchedule {
    fn next(&mut self, results: &[Outcome]) -> Vec<Planned> {
        self.take(results);
        let mut planned = Vec::new();
        for i in 0..self.brackets.len() {
            let bracket = &mut self.brackets[i];
            let (game, n_seats) = (bracket.game, bracket.n_seats);
            let stage = bracket.next_stage();
            planned.extend(self.plan(game, n_seats, &stage));
        }
        for game in &mut planned {
            game.number = self.n_games;
            self.n_games += 1;
        }
        planned
    }
}

/// Who sits where in a round of a group's meeting: every part of the group that fills the seats, in all its orders.
fn orders_of_round(group: &[usize], n_seats: usize, round: u64, seed: u64) -> Vec<Vec<usize>> {
    let part = |indices: Vec<usize>| indices.into_iter().map(|i| group[i]).collect::<Vec<_>>();
    groups(group.len(), n_seats).into_iter().flat_map(|indices| orders(&part(indices), n_seats, round, seed)).collect()
}

impl Bracket {
    fn next_stage(&mut self) -> Vec<Vec<usize>> {
        let n_seats = self.n_seats;
        let groups = match &mut self.rule {
            Rule::All { stages_left: 0, .. } => Vec::new(),
            Rule::All { stages_left, n_agents } => {
                *stages_left -= 1;
                groups(*n_agents, size_of_groups(*n_agents, n_seats))
            }
            Rule::KnockOut(knock_out) => knock_out.next(&self.meetings),
            Rule::Swiss(swiss) => swiss.next(&self.meetings),
        };
        self.meetings = groups.iter().map(|group| Meeting { group: group.clone(), results: Vec::new() }).collect();
        groups
    }
}

impl Meeting {
    /// Now that it is over; `winner` is who goes on.
    fn ended(&self, winner: Option<usize>) -> Met {
        Met { agents: self.group.clone(), scores: self.scores(), games: self.results.len() as u64, winner }
    }

    /// What each agent of the group scored, between 0 and 1: against the others at the table, or where games are played
    /// alone, by what it was paid in all of them.
    fn scores(&self) -> Vec<f64> {
        let alone = self.results.iter().all(|outcome| outcome.planned.seats.len() == 1);
        if alone {
            let paid = |agent: usize| {
                let own = self.results.iter().filter(|outcome| outcome.planned.seats[0] == agent);
                own.map(|outcome| outcome.payoffs[0]).sum::<f64>()
            };
            let paid: Vec<f64> = self.group.iter().map(|&agent| paid(agent)).collect();
            let others = (self.group.len() - 1).max(1) as f64;
            let beaten = |mine: f64| paid.iter().map(|&other| score(mine, other)).sum::<f64>() - 0.5;
            return paid.iter().map(|&mine| beaten(mine) / others).collect();
        }
        let mut scored: HashMap<usize, (f64, f64)> = HashMap::new();
        for comparison in self.results.iter().flat_map(comparisons) {
            for (agent, score) in [(comparison.one, comparison.score), (comparison.other, 1.0 - comparison.score)] {
                let entry = scored.entry(agent).or_default();
                entry.0 += score;
                entry.1 += 1.0;
            }
        }
        let mean = |agent: &usize| scored.get(agent).map_or(0.5, |(sum, n)| sum / n);
        self.group.iter().map(mean).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest::Openings;

    fn contest(game: &str, n_agents: usize) -> Contest {
        // The same agent by different specs.
        let agents: Vec<String> = (1..=n_agents).map(|n| format!("mcts:sims={n}")).collect();
        Contest::new(vec![raichi_games::game(game).unwrap()], &agents, Openings::Start, 1).unwrap()
    }

    // The stages of a tournament in which the agent with the smaller number always wins.
    fn stages(game: &str, n_agents: usize, format: Format) -> Vec<Vec<Vec<usize>>> {
        played(game, n_agents, format, |agent| -(agent as f64)).0
    }

    // Who sat where, stage by stage, and how the tournament went; `payoff` says what a seat's agent is paid.
    fn played(game: &str, n_agents: usize, format: Format, payoff: fn(usize) -> f64) -> (Vec<Vec<Vec<usize>>>, Course) {
        let contest = contest(game, n_agents);
        let mut schedule = TournamentSchedule::new(&contest, format, None);
        let (mut results, mut stages) = (Vec::new(), Vec::new());
        loop {
            let planned = schedule.next(&results);
            if planned.is_empty() {
                return (stages, schedule.course(0));
            }
            stages.push(planned.iter().map(|game| game.seats.clone()).collect());
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

    #[test]
    fn everybody_meets_everybody_from_both_sides() {
        let once = stages("tic-tac-toe", 4, Format::RoundRobin);
        assert_eq!((once.len(), once[0].len()), (1, 12));
        let twice = stages("tic-tac-toe", 4, Format::Double);
        assert_eq!(twice.iter().map(Vec::len).sum::<usize>(), 24);
        // Three at a table, and alone.
        assert_eq!(stages("nim3p", 4, Format::RoundRobin)[0].len(), 4 * 6);
        assert_eq!(stages("2048", 4, Format::RoundRobin)[0].len(), 4);
        // Fewer agents than seats.
        assert_eq!(stages("nim3p", 2, Format::RoundRobin)[0].len(), 6);
    }

    #[test]
    fn games_are_counted_before_they_are_planned() {
        for (game, n_seats) in [("tic-tac-toe", 2), ("nim3p", 3), ("2048", 1), ("poker:players=6", 6)] {
            for n_agents in [2, 4, 7] {
                for games in [1, 5, 13] {
                    let contest = contest(game, n_agents);
                    let mut schedule = TournamentSchedule::new(&contest, Format::RoundRobin, Some(games));
                    let planned = schedule.next(&[]).len() as u64;
                    assert_eq!(n_games_of_all_groups(n_agents, n_seats, games), planned, "{game}: {n_agents}, {games}");
                }
            }
        }
        assert_eq!(n_games_of_all_groups(16, 8, 5_000), 12_870 * 5_000);
        assert_eq!(n_games_of_all_groups(200, 100, 5_000), u64::MAX);
        assert_eq!(n_games_of_all_groups(3, 2, u64::MAX), u64::MAX);
    }

    #[test]
    fn a_knock_out_ends_with_the_best() {
        let eight = stages("tic-tac-toe", 8, Format::KnockOut);
        assert_eq!(eight.iter().map(Vec::len).collect::<Vec<_>>(), [8, 4, 2]);
        assert!(eight[0].contains(&vec![0, 7]) && eight[2].contains(&vec![0, 1]));
        // Two of six begin in the second stage.
        let six = stages("tic-tac-toe", 6, Format::KnockOut);
        assert_eq!(six.iter().map(Vec::len).collect::<Vec<_>>(), [4, 4, 2]);
        assert!(six[0].iter().all(|seats| !seats.contains(&0) && !seats.contains(&1)));
        assert_eq!(stages("nim3p", 9, Format::KnockOut).iter().map(Vec::len).collect::<Vec<_>>(), [18, 6]);
        assert_eq!(stages("2048", 4, Format::KnockOut).len(), 2);
    }

    #[test]
    fn a_knock_out_says_who_met_whom_and_who_is_left() {
        // The stronger, the later they were named; two of six begin in the second stage.
        let (_, course) = played("tic-tac-toe", 6, Format::KnockOut, |agent| agent as f64);
        assert_eq!((course.winner, course.stages.len(), course.scores.len()), (Some(5), 3, 0));
        assert_eq!(course.stages[0].byes, [0, 1]);
        let won = |agents: [usize; 2]| Met {
            agents: agents.into(),
            scores: vec![0.0, 1.0],
            games: 2,
            winner: Some(agents[1]),
        };
        assert_eq!(course.stages[0].meetings, [won([2, 5]), won([3, 4])]);
        assert_eq!((&course.stages[2].meetings[..], &course.stages[2].byes[..]), (&[won([4, 5])][..], &[][..]));
        // What stays level is played on three times; then the one named first goes on.
        let (stages, course) = played("tic-tac-toe", 2, Format::KnockOut, |_| 0.0);
        let met = Met { agents: vec![0, 1], scores: vec![0.5, 0.5], games: 8, winner: Some(0) };
        assert_eq!((stages.len(), course.winner), (4, Some(0)));
        assert_eq!(course.stages, [Stage { meetings: vec![met], byes: vec![] }]);
        assert_eq!(played("nim3p", 9, Format::KnockOut, |agent| agent as f64).1.winner, Some(8));
        assert_eq!(played("tic-tac-toe", 3, Format::RoundRobin, |_| 0.0).1, Course::default());
    }

    #[test]
    fn a_swiss_tournament_says_what_everybody_scored() {
        let (_, course) = played("tic-tac-toe", 7, Format::Swiss, |agent| agent as f64);
        assert_eq!((course.winner, course.stages.len()), (Some(6), 3));
        // A meeting has one point, and a bye is one.
        assert_eq!(course.scores.iter().sum::<f64>(), 3.0 * 4.0);
        assert_eq!(course.scores[6], 3.0);
        assert!(course.stages.iter().all(|stage| stage.meetings.len() == 3 && stage.byes.len() == 1));
        // Nobody has won alone where all are level.
        let (_, course) = played("tic-tac-toe", 4, Format::Swiss, |_| 0.0);
        assert_eq!((course.winner, course.scores), (None, vec![1.0; 4]));
    }

    #[test]
    fn nobody_meets_twice_in_a_swiss_tournament() {
        for n_agents in [6, 7, 8] {
            let stages = stages("tic-tac-toe", n_agents, Format::Swiss);
            assert_eq!(stages.len(), 3);
            let mut met: Vec<Vec<usize>> = stages.into_iter().flatten().collect();
            met.sort();
            let n = met.len();
            met.dedup();
            assert_eq!(met.len(), n, "{n_agents} agents");
            assert!(met.contains(&vec![0, 1]), "the best two meet");
        }
        assert_eq!(stages("nim3p", 6, Format::Swiss).len(), 3);
    }
}
