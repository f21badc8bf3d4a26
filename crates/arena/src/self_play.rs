//! Games between agents, and what is kept of each.

use std::collections::HashSet;

use raichi_core::SpecError;
use raichi_core::erased::AnyGame;
use raichi_core::game::Phase;
use raichi_core::picture::{AreaKind, Picture};
use raichi_core::random::{index, stream};
use raichi_core::seat::{Seat, Viewer};
use raichi_search::{AgentError, AnyAgent};
use serde::Serialize;

use crate::agents::make_agent;

/// Why agents could not meet.
#[derive(Debug, thiserror::Error)]
pub enum ArenaError {
    /// The game is not one.
    #[error(transparent)]
    Game(#[from] SpecError),
    /// An agent is not one, or refuses the game.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// The wrong number of agents.
    #[error("{game} has {n_seats} seats, but {given} agents were named: name one for all seats or one for each")]
    Seats {
        /// The game's spec.
        game: String,
        /// How many it has.
        n_seats: usize,
        /// How many were named.
        given: usize,
    },
}

/// What is kept of a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlayedGame {
    /// By seat.
    pub payoffs: Vec<f64>,
    /// The game's reason.
    pub end: String,
    /// Actions and outcomes together.
    pub n_plies: usize,
    /// Of each decision: how many actions the seat had.
    pub branching: Vec<usize>,
    /// How often the seat that expected most changed, by the values the agents found; `None` where agents give none.
    pub lead_changes: Option<usize>,
    /// The share of the board's places that ever held something other than at the start; `None` without a board.
    pub coverage: Option<f64>,
}

/// Games of one spec between agents, seat by seat.
pub struct SelfPlay {
    game: std::sync::Arc<dyn AnyGame>,
    agents: Vec<String>,
    seed: u64,
}

impl SelfPlay {
    /// Prepares games of `game`; `agents` names one agent for all seats or one for each.
    ///
    /// # Errors
    /// Says what is wrong with the game's or an agent's spec.
    pub fn new(game: &str, agents: &[String], seed: u64) -> Result<SelfPlay, ArenaError> {
        let game = raichi_games::game(game)?;
        let n_seats = game.facts().n_seats;
        let agents = match agents {
            [one] => vec![one.clone(); n_seats],
            each if each.len() == n_seats => each.to_vec(),
            _ => return Err(ArenaError::Seats { game: game.spec().into(), n_seats, given: agents.len() }),
        };
        let prepared = SelfPlay { game, agents, seed };
        prepared.seat_agents(0)?;
        Ok(prepared)
    }

    /// The game's canonical spec.
    pub fn spec(&self) -> &str {
        self.game.spec()
    }

    /// The agents' specs, by seat.
    pub fn agents(&self) -> &[String] {
        &self.agents
    }

    /// What the seats are called.
    pub fn seat_names(&self) -> Vec<String> {
        (0..self.agents.len()).map(|seat| self.game.seat_name(seat)).collect()
    }

    // Each game has its own agents with their own streams, so that games do not depend on each other.
    fn seat_agents(&self, number: u64) -> Result<Vec<Box<dyn AnyAgent>>, ArenaError> {
        let agent = |(seat, spec): (Seat, &String)| {
            let seed = stream(self.seed, "agent", number * 16 + seat as u64);
            let seed = raichi_core::random::Rng::next_u64(&mut { seed });
            Ok(make_agent(self.game.spec(), spec, seed)??)
        };
        self.agents.iter().enumerate().map(agent).collect()
    }

    /// Plays game number `number`; the same number is the same game again.
    ///
    /// # Errors
    /// When an agent cannot answer.
    pub fn play(&self, number: u64) -> Result<PlayedGame, ArenaError> {
        let mut agents = self.seat_agents(number)?;
        let mut chance = stream(self.seed, "chance", number);
        let mut order = stream(self.seed, "order", number);
        let mut current = self.game.new_match();
        let mut branching = Vec::new();
        let mut lead = Lead::default();
        let mut coverage = Coverage::of(&current.picture(Viewer::Referee));
        loop {
            match current.phase() {
                Phase::Over => break,
                Phase::Chance => {
                    current.sample_outcome(&mut chance).expect("chance is to act");
                }
                Phase::Act(seats) => {
                    let seat = seats.iter().nth(index(&mut order, seats.len())).expect("the index is below the length");
                    branching.push(current.legal(seat).len());
                    let advice = agents[seat].decide(current.as_ref(), seat)?;
                    let chosen = advice.candidates.iter().find(|candidate| candidate.action == advice.action);
                    lead.note(chosen.map_or(&[], |candidate| &candidate.values));
                    current.play(seat, &advice.action).expect("agents choose legal actions");
                }
            }
            coverage.note(&current.picture(Viewer::Referee));
        }
        Ok(PlayedGame {
            payoffs: current.payoffs().as_slice().to_vec(),
            end: current.end_reason().expect("the game is over").into(),
            n_plies: current.plies().len(),
            branching,
            lead_changes: lead.changes(),
            coverage: coverage.share(),
        })
    }
}

/// Who leads by the values that the deciding agents found, and how often that changed.
#[derive(Default)]
struct Lead {
    leader: Option<Seat>,
    changes: usize,
    seen: bool,
}

impl Lead {
    // A lead is a value above every other seat's by a twentieth of their spread, so that noise around a level game is
    // no change of lead.
    const MARGIN: f64 = 0.05;

    fn note(&mut self, values: &[f64]) {
        if values.len() < 2 {
            return;
        }
        self.seen = true;
        let best = (0..values.len()).max_by(|&a, &b| values[a].total_cmp(&values[b])).expect("there are values");
        let second = (0..values.len()).filter(|&seat| seat != best).map(|seat| values[seat]).fold(f64::MIN, f64::max);
        let scale = values.iter().fold(1.0f64, |scale, value| scale.max(value.abs()));
        if values[best] - second <= Self::MARGIN * scale || self.leader == Some(best) {
            return;
        }
        self.changes += usize::from(self.leader.is_some());
        self.leader = Some(best);
    }

    fn changes(&self) -> Option<usize> {
        self.seen.then_some(self.changes)
    }
}

/// Which places of the board ever changed.
struct Coverage {
    first: HashSet<(String, String)>,
    changed: HashSet<String>,
    n_cells: usize,
}

impl Coverage {
    fn of(picture: &Picture) -> Coverage {
        let cells = boards(picture).flat_map(|area| &area.cells).count();
        let lines = boards(picture).flat_map(|area| &area.lines).filter(|line| line.id.is_some()).count();
        Coverage { first: contents(picture), changed: HashSet::new(), n_cells: if lines > 0 { lines } else { cells } }
    }

    fn note(&mut self, picture: &Picture) {
        let now = contents(picture);
        self.changed.extend(now.symmetric_difference(&self.first).map(|(cell, _)| cell.clone()));
    }

    fn share(&self) -> Option<f64> {
        (self.n_cells > 0).then(|| self.changed.len() as f64 / self.n_cells as f64)
    }
}

fn boards(picture: &Picture) -> impl Iterator<Item = &raichi_core::picture::Area> {
    picture.areas.iter().filter(|area| area.kind == AreaKind::Board)
}

// Where touchable lines are what is played on (a graph), a line's colour is its content.
fn contents(picture: &Picture) -> HashSet<(String, String)> {
    let mut contents = HashSet::new();
    for area in boards(picture) {
        let lines = area.lines.iter().filter_map(|line| Some((line.id.clone()?, format!("{:?}", line.tone))));
        let pieces = area.pieces.iter().map(|piece| {
            (
                piece.cell.clone(),
                format!("{:?} {:?} {:?} {} {}", piece.kind, piece.tone, piece.text, piece.dx, piece.dy),
            )
        });
        if area.lines.iter().any(|line| line.id.is_some()) {
            contents.extend(lines);
        } else {
            contents.extend(pieces);
        }
    }
    contents
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lead_changes_only_by_a_margin() {
        let mut lead = Lead::default();
        for values in [[0.0, 0.01], [0.4, -0.4], [0.01, 0.0], [-0.3, 0.3], [0.2, -0.2]] {
            lead.note(&values);
        }
        assert_eq!(lead.changes(), Some(2));
        assert_eq!(Lead::default().changes(), None);
    }

    #[test]
    fn a_game_has_its_number_and_is_the_same_again() {
        let play = SelfPlay::new("tic-tac-toe", &["random".into()], 5).unwrap();
        let game = play.play(3).unwrap();
        assert_eq!(play.play(3).unwrap(), game);
        assert_eq!(game.branching[..3], [9, 8, 7]);
        assert_eq!(game.coverage, Some(game.n_plies as f64 / 9.0));
    }

    #[test]
    fn a_wrong_number_of_agents_is_refused() {
        let error = SelfPlay::new("tic-tac-toe", &["random".into(), "random".into(), "random".into()], 1);
        let error = error.err().expect("three agents for two seats").to_string();
        assert!(error.contains("2 seats") && error.contains("3 agents"), "{error}");
    }
}
