//! Many games between many agents: planned, played on threads, kept in a file.
//!
//! A [`Contest`] has the games and the agents, made ready once. A [`Schedule`] says which games are to be played next, from
//! the results so far: [`match_schedule::MatchSchedule`] for a match, the formats of [`crate::tournament`] for a tournament.
//! [`play()`] plays what a schedule says and hands every result over in the order of the games' numbers, so that neither
//! results nor records depend on the number of threads. A [`Journal`] keeps the records in a file, and what stands there
//! already is not played again.
//!
//! Games come in *rounds*: an opening, with one seed, played from all sides. The games of a round have the same chance for
//! everybody, so they are no independent observations: ratings and tests take the round as their unit.

pub mod cost;
pub mod journal;
pub mod match_schedule;
pub mod opening;
mod play;
pub mod seating;
pub mod steps;

use std::sync::Arc;

use raichi_agents::{AgentError, Prepared, levels};
use raichi_core::erased::{AnyGame, AnyMatch};
use raichi_core::record::{Record, RecordedPly, RecordedResult, VERSION};
use raichi_core::seat::Viewer;

use crate::runner::{ArenaError, Runner, Streams};

pub use cost::{Cost, CostMeter};
pub use journal::{Journal, JournalError};
pub use match_schedule::MatchSchedule;
pub use opening::{Opening, OpeningError, Openings};
pub use play::{ContestError, Flow, play};
pub use steps::Steps;

/// The games and the agents that meet in them, made ready once.
pub struct Contest {
    games: Vec<Arc<dyn AnyGame>>,
    agents: Vec<String>,
    /// By game, then by agent.
    prepared: Vec<Vec<Arc<dyn Prepared>>>,
    openings: Openings,
    seed: u64,
}

/// A game that is to be played.
#[derive(Clone, Debug, PartialEq)]
pub struct Planned {
    /// Its number in the contest, from 0.
    pub number: u64,
    /// Which of the contest's games it is.
    pub game: usize,
    /// Which agent sits on each seat.
    pub seats: Vec<usize>,
    /// The opening, played from all sides, that it belongs to: unique in the contest.
    pub round: u64,
    /// Decides everything in it.
    pub seed: u64,
}

/// A game that was played.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Which one.
    pub planned: Planned,
    /// By seat.
    pub payoffs: Vec<f64>,
    /// The game's reason.
    pub end: String,
    /// Actions and outcomes of chance together.
    pub n_plies: usize,
    /// Of all its plies: two games with the same fingerprint are the same game.
    pub fingerprint: u64,
    /// What each seat's decisions cost, where that is known: times are not part of a record.
    pub costs: Option<Vec<Cost>>,
}

/// Says which games are to be played.
pub trait Schedule {
    /// The games to be played next, given the results so far in the order of their numbers; none when all is played.
    /// The same results lead to the same games.
    fn next(&mut self, results: &[Outcome]) -> Vec<Planned>;
}

impl Contest {
    /// These agents in these games.
    ///
    /// # Errors
    /// When an agent is none, refuses a game or does not play all its seats; when an opening does not fit.
    pub fn new(
        games: Vec<Arc<dyn AnyGame>>,
        agents: &[String],
        openings: Openings,
        seed: u64,
    ) -> Result<Contest, ArenaError> {
        let prepare = |game: &Arc<dyn AnyGame>| agents.iter().map(|spec| raichi_agents::prepare(game, spec)).collect();
        let prepared = games.iter().map(prepare).collect::<Result<Vec<Vec<_>>, _>>()?;
        let agents = prepared.first().map_or_else(Vec::new, |agents| {
            agents.iter().map(|agent: &Arc<dyn Prepared>| agent.spec().to_string()).collect()
        });
        let contest = Contest { games, agents, prepared, openings, seed };
        for (game, agents) in contest.games.iter().zip(&contest.prepared) {
            check_seats(game.as_ref(), agents)?;
            contest.openings.check(game.as_ref(), seed)?;
        }
        Ok(contest)
    }

    /// The games.
    pub fn games(&self) -> &[Arc<dyn AnyGame>] {
        &self.games
    }

    /// The agents' canonical specs.
    pub fn agents(&self) -> &[String] {
        &self.agents
    }

    /// Of all random streams.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The opening of a planned game.
    fn opening(&self, planned: &Planned) -> Opening {
        self.openings.opening(self.games[planned.game].as_ref(), planned.round, self.seed)
    }

    /// A planned game after its opening.
    fn open(&self, planned: &Planned) -> Runner {
        let game = &self.games[planned.game];
        let current = self.opening(planned).open(game.as_ref());
        let agents: Vec<_> =
            planned.seats.iter().map(|&agent| Some(Arc::clone(&self.prepared[planned.game][agent]))).collect();
        Runner::new(current, &agents, Streams::new(planned.seed))
    }

    /// The record of a planned game before its first ply after the opening.
    fn blank_record(&self, planned: &Planned) -> Record {
        let (opening, game) = (self.opening(planned), &self.games[planned.game]);
        let seats: Vec<String> =
            planned.seats.iter().map(|&agent| self.prepared[planned.game][agent].spec().into()).collect();
        Record {
            version: VERSION,
            game: game.spec().into(),
            position: opening.position,
            levels: levels::version_in_record(&seats, levels::version(&**game)),
            seats,
            seed: Some(format!("{:016x}", planned.seed)),
            plies: opening.plies.into_iter().map(|text| RecordedPly { text, millis: None }).collect(),
            result: None,
            program: concat!("raichi ", env!("CARGO_PKG_VERSION")).into(),
        }
    }

    /// The record of a planned game that has ended.
    fn record(&self, planned: &Planned, current: &dyn AnyMatch) -> Record {
        let plies = current.plies().iter();
        Record {
            plies: plies.map(|ply| RecordedPly { text: ply.token(Viewer::Referee), millis: None }).collect(),
            result: Some(RecordedResult {
                payoffs: current.payoffs().as_slice().to_vec(),
                end: current.end_reason().unwrap_or_default().into(),
            }),
            ..self.blank_record(planned)
        }
    }
}

impl Outcome {
    /// What a finished game's record says.
    fn of(planned: Planned, record: &Record, costs: Option<Vec<Cost>>) -> Option<Outcome> {
        let result = record.result.as_ref()?;
        Some(Outcome {
            fingerprint: fingerprint(&planned, record),
            planned,
            payoffs: result.payoffs.clone(),
            end: result.end.clone(),
            n_plies: record.plies.len(),
            costs,
        })
    }
}

// Every opening is played from all sides, so that every agent comes to every seat.
fn check_seats(game: &dyn AnyGame, agents: &[Arc<dyn Prepared>]) -> Result<(), AgentError> {
    let check = |agent: &Arc<dyn Prepared>| (0..game.facts().n_seats).try_for_each(|seat| agent.check_seat(seat));
    agents.iter().try_for_each(check).map_err(|refused| match refused {
        AgentError::Refused { agent, game, why } => {
            AgentError::Refused { agent, game, why: format!("{why}, and here every agent plays every seat") }
        }
        other => other,
    })
}

// Of the game, the agents on its seats and its plies.
fn fingerprint(planned: &Planned, record: &Record) -> u64 {
    use std::hash::{Hash, Hasher};
    let mut hasher = std::hash::DefaultHasher::new();
    (planned.game, &planned.seats, &record.position).hash(&mut hasher);
    record.plies.iter().for_each(|ply| ply.text.hash(&mut hasher));
    hasher.finish()
}
