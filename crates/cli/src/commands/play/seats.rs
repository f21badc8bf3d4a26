//! Who plays which seat.

use std::sync::Arc;

use raichi_agents::{Prepared, canonical};
use raichi_core::AnyGame;

use crate::agents;
use crate::failure::Failure;

const LONGEST_NAME: usize = 40;

/// Who holds a seat.
pub(super) enum Occupant {
    /// Somebody at this keyboard.
    Human { name: Option<String> },
    /// A program.
    Agent(Arc<dyn Prepared>),
}

impl Occupant {
    pub(super) fn is_human(&self) -> bool {
        matches!(self, Occupant::Human { .. })
    }

    /// The name that a person gave.
    pub(super) fn name(&self) -> Option<&str> {
        match self {
            Occupant::Human { name } => name.as_deref(),
            Occupant::Agent(_) => None,
        }
    }

    /// As a record writes it.
    pub(super) fn text(&self) -> &str {
        match self {
            Occupant::Human { name } => name.as_deref().unwrap_or("human"),
            Occupant::Agent(agent) => agent.spec(),
        }
    }

    /// Reads what `--seat` gives.
    fn from_argument(game: &Arc<dyn AnyGame>, text: &str) -> Result<Occupant, Failure> {
        let wrong = |why: String| Failure::Usage(format!("--seat {text}: {why}"));
        if text == "human" {
            return Ok(Occupant::Human { name: None });
        }
        if let Some(options) = text.strip_prefix("human:") {
            let name = options.strip_prefix("name=").ok_or_else(|| wrong("a human is human or human:name=…".into()))?;
            let fits = (1..=LONGEST_NAME).contains(&name.chars().count()) && !name.contains(char::is_control);
            if !fits {
                return Err(wrong(format!("a name has 1 to {LONGEST_NAME} characters")));
            }
            if canonical(name).is_ok() {
                return Err(wrong(format!("`{name}` is an agent; a human is called otherwise")));
            }
            return Ok(Occupant::Human { name: Some(name.into()) });
        }
        match agents::prepare(game, text) {
            Ok(agent) => Ok(Occupant::Agent(agent)),
            Err(why) => Err(Failure::Usage(format!("--seat {why}; or human, human:name=Ann"))),
        }
    }

    /// Reads what a record says: an agent's spec, or else a name.
    fn from_record(game: &Arc<dyn AnyGame>, text: &str) -> Result<Occupant, Failure> {
        match text {
            "human" => Ok(Occupant::Human { name: None }),
            spec if canonical(spec).is_ok() => agents::prepare(game, spec).map(Occupant::Agent),
            name => Ok(Occupant::Human { name: Some(name.into()) }),
        }
    }
}

/// Who plays which seat in a new game: the seats given, then one human if there is none yet, then engines.
///
/// # Errors
/// Names the seat that cannot be taken like that.
pub(super) fn seated(game: &Arc<dyn AnyGame>, given: &[String]) -> Result<Vec<Occupant>, Failure> {
    let mut occupants = taken(game, given)?;
    for _ in occupants.len()..game.facts().n_seats {
        let human = occupants.iter().any(Occupant::is_human);
        occupants.push(if human { engine(game)? } else { Occupant::Human { name: None } });
    }
    Ok(occupants)
}

/// Who plays which seat in a game that goes on: the seats given now, then those of the record.
///
/// # Errors
/// Names the seat that cannot be taken like that.
pub(super) fn seated_again(
    game: &Arc<dyn AnyGame>,
    given: &[String],
    recorded: &[String],
) -> Result<Vec<Occupant>, Failure> {
    let mut occupants = taken(game, given)?;
    for text in recorded.iter().skip(occupants.len()) {
        occupants.push(Occupant::from_record(game, text)?);
    }
    Ok(occupants)
}

fn taken(game: &Arc<dyn AnyGame>, given: &[String]) -> Result<Vec<Occupant>, Failure> {
    let n_seats = game.facts().n_seats;
    if given.len() > n_seats {
        let seats = if n_seats == 1 { "1 seat".into() } else { format!("{n_seats} seats") };
        return Err(Failure::Usage(format!("--seat is given {} times, but {} has {seats}", given.len(), game.spec())));
    }
    let seated = |(seat, text): (usize, &String)| {
        let occupant = Occupant::from_argument(game, text)?;
        if let Occupant::Agent(agent) = &occupant {
            agent.check_seat(seat).map_err(|why| Failure::Usage(format!("--seat {text}: {why}")))?;
        }
        Ok(occupant)
    };
    given.iter().enumerate().map(seated).collect()
}

/// The strongest agent that plays this game, at a second a ply where it takes a time.
///
/// # Errors
/// When no agent does.
pub(super) fn engine(game: &Arc<dyn AnyGame>) -> Result<Occupant, Failure> {
    agents::strongest(game).map(Occupant::Agent)
}
