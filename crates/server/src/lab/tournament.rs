//! Agents meet: the games of a tournament, each kept as its record, and what they come to.

use raichi_arena::contest::{Contest, Cost, Openings, Steps};
use raichi_arena::runner::ArenaError;
use raichi_arena::standings::{Reference, Standing, Standings, Tally};
use raichi_arena::tournament::{Format, TournamentSchedule, n_games_of_all_groups};
use raichi_core::record::Record;
use serde::{Deserialize, Serialize};

use super::message::{
    FormatView, PlayedGameView, RunGameView, RunProgress, StandingView, TournamentRequest, TournamentView,
};
use super::work::{Work, damaged, game, not_too_long, within};
use crate::agents::Engines;
use crate::error::Refusal;

/// Games of a tournament, where that is known before.
const MOST_GAMES: u64 = 5_000;
const MOST_AGENTS: u64 = 16;
const MOST_OPENING_PLIES: u64 = 50;
/// All games of a run have at most so many plies: their records are kept.
const MOST_PLIES: u64 = 20_000_000;

/// A game that was played, as it is kept.
#[derive(Serialize, Deserialize)]
pub(super) struct Kept {
    pub(super) record: Record,
    /// By seat.
    pub(super) costs: Option<Vec<Cost>>,
}

/// A tournament in progress.
pub(super) struct Tournament {
    steps: Steps,
    /// Of the agents, for people.
    names: Vec<String>,
    n_total: Option<u64>,
    /// Of the games that have ended, and of the one in progress.
    n_plies: (u64, usize),
    pub(super) most_plies: u64,
}

impl Tournament {
    pub(super) fn begin(
        request: &TournamentRequest,
        finished: &[String],
        engines: &Engines,
    ) -> Result<Tournament, Refusal> {
        within("agents", request.agents.len() as u64, 2, MOST_AGENTS)?;
        within("games", request.games, 1, MOST_GAMES)?;
        within("opening_plies", request.opening_plies as u64, 0, MOST_OPENING_PLIES)?;
        let game = game(&request.game)?;
        let agents: Vec<String> =
            request.agents.iter().map(|agent| engines.in_a_run(agent)).collect::<Result<_, _>>()?;
        let openings = match request.opening_plies {
            0 => Openings::Start,
            plies => Openings::Random { plies },
        };
        let format = match request.format {
            FormatView::RoundRobin => Format::RoundRobin,
            FormatView::Double => Format::Double,
            FormatView::KnockOut => Format::KnockOut,
            FormatView::Swiss => Format::Swiss,
        };
        // Their number is limited before they are planned: there may be millions of groups.
        if matches!(format, Format::RoundRobin | Format::Double) {
            within("games", n_games_of_all_groups(agents.len(), game.facts().n_seats, request.games), 1, MOST_GAMES)?;
        }
        let contest = Contest::new(vec![game], &agents, openings, request.seed.into())?;
        let schedule = TournamentSchedule::new(&contest, format, Some(request.games));
        let mut steps = Steps::new(contest, Box::new(schedule));
        within("games", steps.n_planned() as u64, 1, MOST_GAMES)?;
        let n_total = match format {
            Format::RoundRobin => Some(steps.n_planned() as u64),
            // Both halves are alike.
            Format::Double => Some(2 * steps.n_planned() as u64),
            Format::KnockOut | Format::Swiss => None,
        };
        let mut n_plies = 0;
        for kept in finished {
            let Kept { record, costs } = serde_json::from_str(kept).map_err(damaged)?;
            n_plies += record.plies.len() as u64;
            steps.recall(&record, costs).map_err(damaged)?;
        }
        let names = agents.iter().map(|agent| engines.name_of(agent)).collect();
        Ok(Tournament { steps, names, n_total, n_plies: (n_plies, 0), most_plies: MOST_PLIES })
    }

    fn standings(&self) -> Standings {
        let contest = self.steps.contest();
        let facts = contest.games()[0].facts();
        Standings::of(contest.agents(), &facts, self.steps.results().iter(), Reference::Mean)
    }
}

impl Work for Tournament {
    fn advance(&mut self, enough: &mut dyn FnMut() -> bool) -> Result<Vec<String>, Refusal> {
        let mut finished = Vec::new();
        while !self.steps.is_over() && !enough() {
            let over = self.steps.step()?;
            let (before, current) = self.n_plies;
            self.n_plies = over.as_ref().map_or((before, current + 1), |over| (before + over.plies.len() as u64, 0));
            not_too_long(self.n_plies.1, self.n_plies.0, self.most_plies)?;
            let Some(record) = over else { continue };
            let costs = self.steps.results().last().and_then(|outcome| outcome.costs.clone());
            finished.push(serde_json::to_string(&Kept { record, costs }).expect("records are text and finite numbers"));
        }
        Ok(finished)
    }

    fn is_over(&self) -> bool {
        self.steps.is_over()
    }

    fn n_done(&self) -> u64 {
        self.steps.results().len() as u64
    }

    fn n_total(&self) -> Option<u64> {
        self.n_total
    }

    fn progress(&self) -> RunProgress {
        let game = self.steps.contest().games()[0].as_ref();
        let standings = self.standings();
        let order = standings.order();
        let is_alone = game.facts().n_seats == 1;
        let tally = |tally: &Tally| [tally.wins, tally.draws, tally.losses];
        let row = |row: &Vec<Tally>| row.iter().map(tally).collect();
        let agents = standings.agents.iter().zip(&self.names);
        RunProgress::Tournament(TournamentView {
            of: PlayedGameView::of(game),
            n_games: standings.n_games,
            n_repeated: standings.n_repeated,
            mean_length: standings.mean_length,
            order,
            matrix: if is_alone { Vec::new() } else { standings.matrix.iter().map(row).collect() },
            seats: standings.seats.iter().map(|&paid| paid.into()).collect(),
            with_prior: standings.with_prior,
            agents: agents.map(|(standing, name)| told(standing, name)).collect(),
        })
    }
}

fn told(standing: &Standing, name: &str) -> StandingView {
    let Standing { spec, games, points, tally, payoff, elo, cost, .. } = standing;
    let elo = elo.map(|elo| raichi_arena::statistics::Estimate { value: elo.value, low: elo.low, high: elo.high });
    StandingView {
        spec: spec.clone(),
        name: name.into(),
        games: *games,
        points: *points,
        wins: tally.wins,
        draws: tally.draws,
        losses: tally.losses,
        elo: elo.map(Into::into),
        payoff: payoff.map(Into::into),
        millis: (cost.decisions > 0).then(|| cost.each(cost.millis)),
    }
}

/// Games that are kept, from the one of number `first` on; `agents` are the request's, in its order.
///
/// # Errors
/// When something else is kept.
pub(super) fn games(agents: &[String], first: u64, finished: &[String]) -> Result<Vec<RunGameView>, Refusal> {
    let canonical: Vec<String> =
        agents.iter().map(|agent| raichi_agents::canonical(agent).unwrap_or_else(|_| agent.clone())).collect();
    let view = |(number, kept): (u64, &String)| {
        let Kept { record, .. } = serde_json::from_str(kept).map_err(damaged)?;
        let result = record.result.ok_or_else(|| damaged("a game without a result"))?;
        // Where an agent stands there twice, whichever of them.
        let place = |spec: &String| canonical.iter().position(|agent| agent == spec).unwrap_or_default();
        Ok(RunGameView {
            number,
            seats: record.seats.iter().map(place).collect(),
            payoffs: result.payoffs,
            n_plies: record.plies.len(),
            end: result.end,
        })
    };
    (first..).zip(finished).map(view).collect()
}

impl From<ArenaError> for Refusal {
    fn from(error: ArenaError) -> Refusal {
        match error {
            ArenaError::Game(error) => error.into(),
            ArenaError::Agent(error) => error.into(),
            ArenaError::Opening(error) => {
                Refusal { param: Some("opening_plies".into()), ..Refusal::new("run/opening", error.to_string()) }
            }
            ArenaError::Seats { .. } => Refusal::new("run/seats", error.to_string()),
        }
    }
}
