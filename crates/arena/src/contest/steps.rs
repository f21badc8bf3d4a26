//! A contest ply by ply, for a caller that has to stop now and then: a server that shares its machine, or a page.
//!
//! The games are those of [`super::play()`], one after the other, with the same results and records where the agents do
//! not go by the clock. A game that was played before is [recalled](Steps::recall) and not played again.

use std::collections::VecDeque;

use raichi_agents::AgentError;
use raichi_core::record::Record;

use super::journal;
use super::{Contest, Cost, CostMeter, Outcome, Planned, Schedule};
use crate::runner::{Runner, Step};

/// A contest in progress.
pub struct Steps {
    contest: Contest,
    schedule: Box<dyn Schedule + Send>,
    planned: VecDeque<Planned>,
    current: Option<InPlay>,
    results: Vec<Outcome>,
}

struct InPlay {
    planned: Planned,
    runner: Runner,
    costs: CostMeter,
}

impl Steps {
    /// Before the first game.
    pub fn new(contest: Contest, schedule: Box<dyn Schedule + Send>) -> Steps {
        let mut steps = Steps { contest, schedule, planned: VecDeque::new(), current: None, results: Vec::new() };
        steps.plan();
        steps
    }

    /// The games and the agents.
    pub fn contest(&self) -> &Contest {
        &self.contest
    }

    /// The games that have ended, in the order of their numbers.
    pub fn results(&self) -> &[Outcome] {
        &self.results
    }

    /// How many games there will be as far as that is known: formats that look at results plan some at a time.
    pub fn n_planned(&self) -> usize {
        self.results.len() + self.planned.len() + usize::from(self.current.is_some())
    }

    /// Whether all is played.
    pub fn is_over(&self) -> bool {
        self.planned.is_empty() && self.current.is_none()
    }

    /// Takes the result of the next game from its record; `costs` are what its decisions cost, where that is known.
    ///
    /// # Errors
    /// When the record is not the next game's, or does not follow from its plies.
    pub fn recall(&mut self, record: &Record, costs: Option<Vec<Cost>>) -> Result<(), String> {
        let planned = self.planned.front().filter(|_| self.current.is_none());
        let planned = planned.ok_or("no game is to be played any more")?;
        journal::check(&self.contest, planned, &self.contest.blank_record(planned), record)?;
        let costs = costs.filter(|costs| costs.len() == planned.seats.len());
        let outcome = Outcome::of(planned.clone(), record, costs).ok_or("the record has no result")?;
        self.planned.pop_front();
        self.end(outcome);
        Ok(())
    }

    /// Makes one ply; returns the record of a game that is over with that.
    ///
    /// # Errors
    /// When an agent cannot choose.
    pub fn step(&mut self) -> Result<Option<Record>, AgentError> {
        let current = match self.current.take() {
            Some(current) => current,
            None => match self.planned.pop_front() {
                Some(planned) => {
                    InPlay { runner: self.contest.open(&planned), costs: CostMeter::new(planned.seats.len()), planned }
                }
                None => return Ok(None),
            },
        };
        let current = self.current.insert(current);
        match current.runner.step(&mut current.costs)? {
            Step::Played => return Ok(None),
            Step::Over => {}
            Step::Waiting(seat) => panic!("nobody plays for seat {seat}"),
        }
        let Some(InPlay { planned, runner, costs }) = self.current.take() else { return Ok(None) };
        let record = self.contest.record(&planned, &*runner.current);
        if let Some(outcome) = Outcome::of(planned, &record, Some(costs.finish())) {
            self.end(outcome);
        }
        Ok(Some(record))
    }

    fn end(&mut self, outcome: Outcome) {
        self.results.push(outcome);
        if self.planned.is_empty() {
            self.plan();
        }
    }

    fn plan(&mut self) {
        self.planned = self.schedule.next(&self.results).into();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest::{Flow, Journal, Openings, play};
    use crate::tournament::{Format, TournamentSchedule};

    fn contest() -> Contest {
        let agents = ["random", "mcts:sims=20", "mcts:sims=40"].map(String::from);
        let openings = Openings::Random { plies: 2 };
        Contest::new(vec![raichi_games::game("tic-tac-toe").unwrap()], &agents, openings, 7).unwrap()
    }

    fn steps(format: Format) -> Steps {
        let contest = contest();
        let schedule = TournamentSchedule::new(&contest, format, Some(4));
        Steps::new(contest, Box::new(schedule))
    }

    fn finish(steps: &mut Steps) -> Vec<Record> {
        let mut records = Vec::new();
        while !steps.is_over() {
            records.extend(steps.step().unwrap());
        }
        records
    }

    fn without_costs(results: &[Outcome]) -> Vec<Outcome> {
        results.iter().map(|outcome| Outcome { costs: None, ..outcome.clone() }).collect()
    }

    #[test]
    fn step_by_step_the_games_are_the_same() {
        for format in [Format::RoundRobin, Format::KnockOut, Format::Swiss] {
            let contest = contest();
            let mut schedule = TournamentSchedule::new(&contest, format, Some(4));
            let mut records = Vec::new();
            let mut tell = |_: &Outcome, record: &Record| {
                records.push(record.clone());
                Flow::Continue
            };
            let results = play(&contest, &mut schedule, &mut Journal::none(), 2, &mut tell).unwrap();
            let mut steps = steps(format);
            assert_eq!(finish(&mut steps), records);
            assert_eq!(without_costs(steps.results()), without_costs(&results));
            assert_eq!(steps.n_planned(), results.len());
        }
    }

    #[test]
    fn what_was_played_is_recalled_and_the_rest_goes_on_as_it_would_have() {
        for (format, n_recalled) in [(Format::RoundRobin, 5), (Format::Swiss, 6)] {
            let mut whole = steps(format);
            let records = finish(&mut whole);
            let mut again = steps(format);
            for record in &records[..n_recalled] {
                again.recall(record, None).unwrap();
            }
            // Another contest's, and one whose result does not follow.
            assert!(again.recall(&records[0], None).is_err());
            let mut wrong = records[n_recalled].clone();
            wrong.result.as_mut().unwrap().payoffs.reverse();
            assert!(wrong.result == records[n_recalled].result || again.recall(&wrong, None).is_err());
            assert_eq!(finish(&mut again), records[n_recalled..]);
            assert_eq!(without_costs(again.results()), without_costs(whole.results()));
            assert!(again.recall(&records[0], None).is_err(), "it is over");
        }
    }
}
