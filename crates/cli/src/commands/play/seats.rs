//! Who sits on which seat.

use raichi_core::random::mix;
use raichi_core::{AnyGame, Seat};
use raichi_search::{AGENTS, AnyAgent};

use crate::agents;
use crate::failure::Failure;

const LONGEST_NAME: usize = 40;

/// Who holds a seat.
pub(super) enum Occupant {
    /// Somebody at this keyboard.
    Human { name: Option<String> },
    /// A program.
    Agent(Box<dyn AnyAgent>),
}

impl Occupant {
    pub(super) fn is_human(&self) -> bool {
        matches!(self, Occupant::Human { .. })
    }

    /// As a record writes it.
    pub(super) fn text(&self) -> &str {
        match self {
            Occupant::Human { name } => name.as_deref().unwrap_or("human"),
            Occupant::Agent(agent) => agent.spec(),
        }
    }

    /// Reads what `--seat` gives.
    fn from_argument(game: &dyn AnyGame, seat: Seat, text: &str, seed: u64) -> Result<Occupant, Failure> {
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
            if raichi_search::canonical(name).is_ok() {
                return Err(wrong(format!("`{name}` is an agent; a human is called otherwise")));
            }
            return Ok(Occupant::Human { name: Some(name.into()) });
        }
        match agents::make(game, text, agent_seed(seed, seat)) {
            Ok(agent) => Ok(Occupant::Agent(agent)),
            Err(why) => Err(Failure::Usage(format!("--seat {why}; or human, human:name=Ann"))),
        }
    }

    /// Reads what a record says: an agent's spec, or else a name.
    fn from_record(game: &dyn AnyGame, seat: Seat, text: &str, seed: u64) -> Result<Occupant, Failure> {
        match text {
            "human" => Ok(Occupant::Human { name: None }),
            spec if raichi_search::canonical(spec).is_ok() => {
                agents::make(game, spec, agent_seed(seed, seat)).map(Occupant::Agent)
            }
            name => Ok(Occupant::Human { name: Some(name.into()) }),
        }
    }
}

fn agent_seed(seed: u64, seat: Seat) -> u64 {
    mix(mix(seed) ^ seat as u64)
}

/// Who sits where in a new game: the seats given, then one human if there is none yet, then engines.
///
/// # Errors
/// Names the seat that cannot be taken like that.
pub(super) fn seated(game: &dyn AnyGame, given: &[String], seed: u64) -> Result<Vec<Occupant>, Failure> {
    let mut occupants = taken(game, given, seed)?;
    for seat in occupants.len()..game.facts().n_seats {
        let human = occupants.iter().any(Occupant::is_human);
        occupants.push(if human { engine(game, seat, seed)? } else { Occupant::Human { name: None } });
    }
    Ok(occupants)
}

/// Who sits where in a game that goes on: the seats given now, then those of the record.
///
/// # Errors
/// Names the seat that cannot be taken like that.
pub(super) fn seated_again(
    game: &dyn AnyGame,
    given: &[String],
    recorded: &[String],
    seed: u64,
) -> Result<Vec<Occupant>, Failure> {
    let mut occupants = taken(game, given, seed)?;
    for (seat, text) in recorded.iter().enumerate().skip(occupants.len()) {
        occupants.push(Occupant::from_record(game, seat, text, seed)?);
    }
    Ok(occupants)
}

fn taken(game: &dyn AnyGame, given: &[String], seed: u64) -> Result<Vec<Occupant>, Failure> {
    let n_seats = game.facts().n_seats;
    if given.len() > n_seats {
        let seats = if n_seats == 1 { "1 seat".into() } else { format!("{n_seats} seats") };
        return Err(Failure::Usage(format!("--seat is given {} times, but {} has {seats}", given.len(), game.spec())));
    }
    given.iter().enumerate().map(|(seat, text)| Occupant::from_argument(game, seat, text, seed)).collect()
}

/// The strongest agent that plays this game, at a second a ply where it takes a time.
///
/// # Errors
/// When no agent does.
pub(super) fn engine(game: &dyn AnyGame, seat: Seat, seed: u64) -> Result<Occupant, Failure> {
    strongest(game, agent_seed(seed, seat)).map(Occupant::Agent)
}

/// The strongest agent that plays this game; the list has the weakest first.
///
/// # Errors
/// When no agent does.
pub(super) fn strongest(game: &dyn AnyGame, seed: u64) -> Result<Box<dyn AnyAgent>, Failure> {
    let spec = |kind: &raichi_search::AgentKind| {
        let timed = kind.options.iter().any(|option| option.name == "time");
        if timed { format!("{}:time=1s", kind.id) } else { kind.id.into() }
    };
    let mut made = AGENTS.iter().rev().map(|kind| agents::make(game, &spec(kind), seed));
    made.find(Result::is_ok)
        .unwrap_or_else(|| Err(Failure::Failed(format!("no agent plays {}: give every --seat a human", game.spec()))))
}
