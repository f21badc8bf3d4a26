//! The one form of an agent with its game's type erased, and the list of agents made in this crate.

use raichi_core::erased::{AnyMatch, GameVisitor, Playable, split_spec};
use raichi_core::game::Phase;
use raichi_core::history::Match;
use raichi_core::notation::shortened;
use raichi_core::params::SpecError;
use raichi_core::random::{FastRng, stream};
use raichi_core::seat::Seat;

use crate::agent::{Advice, Agent, Stop};
use crate::mcts::{self, Mcts};
use crate::options::{AgentOption, Options};
use crate::random::{self, RandomAgent};

/// A kind of agent: what it is called and which options it takes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AgentKind {
    /// The id used in specs.
    pub id: &'static str,
    /// The name for people.
    pub name: &'static str,
    /// One sentence about how it plays.
    pub help: &'static str,
    /// The declared options.
    pub options: &'static [AgentOption],
}

/// The agents made here, weakest first.
pub const AGENTS: &[AgentKind] = &[random::KIND, mcts::KIND];

/// Why there is no agent, or no answer from it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AgentError {
    /// No agent has this id.
    #[error("there is no agent `{}`; the agents are {known}", shortened(.id))]
    UnknownAgent {
        /// The id given.
        id: String,
        /// The ids there are.
        known: String,
    },
    /// An option is wrong.
    #[error(transparent)]
    Option(#[from] SpecError),
    /// The agent cannot play the game.
    #[error("{agent} does not play {game}: {why}")]
    Refused {
        /// The agent's id.
        agent: String,
        /// The game's spec.
        game: String,
        /// What stands in the way.
        why: String,
    },
    /// The match is not of the game that the agent was made for.
    #[error("this agent was made for {made_for}, and this is another game")]
    OtherGame {
        /// The game's spec.
        made_for: String,
    },
    /// The seat has nothing to decide now.
    #[error("seat {seat} is not to act now")]
    NotToAct {
        /// The seat asked for.
        seat: Seat,
    },
}

impl AgentError {
    /// A code that stays the same when the sentence is reworded.
    pub fn code(&self) -> &'static str {
        match self {
            AgentError::UnknownAgent { .. } => "agent/unknown",
            AgentError::Option(_) => "agent/option",
            AgentError::Refused { .. } => "agent/refused",
            AgentError::OtherGame { .. } => "agent/other-game",
            AgentError::NotToAct { .. } => "agent/not-to-act",
        }
    }
}

/// An agent whose game's type is not known here.
pub trait AnyAgent: Send {
    /// The canonical spec, options included.
    fn spec(&self) -> &str;

    /// Chooses for `seat`.
    ///
    /// # Errors
    /// When the seat is not to act, or the match is of another game than the agent was made for.
    fn decide(&mut self, game: &dyn AnyMatch, seat: Seat) -> Result<Advice<String>, AgentError>;

    /// What makes the agent answer at once; see [`Stop`].
    fn stop(&self) -> Stop;
}

/// The canonical spec of an agent: the options that differ from the defaults in their declared order, the budget
/// always, so that a record says how long the agent could think.
///
/// # Errors
/// Says which part of the spec is wrong and what is allowed.
pub fn canonical(spec: &str) -> Result<String, AgentError> {
    read(spec).map(|(_, options)| options.canonical())
}

fn read(spec: &str) -> Result<(&'static AgentKind, Options), AgentError> {
    let (id, text) = split_spec(spec);
    let Some(kind) = AGENTS.iter().find(|kind| kind.id == id) else {
        let known = AGENTS.iter().map(|kind| kind.id).collect::<Vec<_>>().join(", ");
        return Err(AgentError::UnknownAgent { id: id.into(), known });
    };
    let mut options = Options::parse(kind.id, kind.options, text)?;
    if kind.id == mcts::KIND.id {
        mcts::settle_budget(&mut options);
    }
    Ok((kind, options))
}

/// Makes the agent that `spec` names for the game it visits; `seed` decides all its random draws.
///
#[derive(Clone, Copy, Debug)]
pub struct MakeAgent<'a> {
    /// Which agent, with its options.
    pub spec: &'a str,
    /// Where its randomness comes from.
    pub seed: u64,
}

impl GameVisitor for MakeAgent<'_> {
    type Output = Result<Box<dyn AnyAgent>, AgentError>;

    fn visit<G: Playable>(self, _game: G, game_spec: &str) -> Self::Output {
        let (kind, options) = read(self.spec)?;
        let agent: Box<dyn Agent<G>> = match kind.id {
            "random" => Box::new(RandomAgent),
            "mcts" => Box::new(Mcts::new(mcts::Config::from_options(&options))),
            id => unreachable!("{id} is listed, but nobody makes it"),
        };
        Ok(erase(agent, options.canonical(), game_spec.into(), self.seed))
    }
}

/// An agent for one game, made elsewhere, in its erased form; `seed` decides all its random draws.
pub fn erase<G: Playable>(agent: Box<dyn Agent<G>>, spec: String, game_spec: String, seed: u64) -> Box<dyn AnyAgent> {
    Box::new(Erased { agent, spec, game_spec, rng: stream(seed, "agent", 0) })
}

struct Erased<G: Playable> {
    agent: Box<dyn Agent<G>>,
    spec: String,
    game_spec: String,
    rng: FastRng,
}

impl<G: Playable> AnyAgent for Erased<G> {
    fn spec(&self) -> &str {
        &self.spec
    }

    fn decide(&mut self, game: &dyn AnyMatch, seat: Seat) -> Result<Advice<String>, AgentError> {
        let Some(current) = game.as_any().downcast_ref::<Match<G>>() else {
            return Err(AgentError::OtherGame { made_for: self.game_spec.clone() });
        };
        if !matches!(current.phase(), Phase::Act(seats) if seats.contains(seat)) {
            return Err(AgentError::NotToAct { seat });
        }
        let advice = self.agent.decide(&current.view(seat), &mut self.rng);
        Ok(advice.map(|action| current.game().action_text(current.state(), seat, action)))
    }

    fn stop(&self) -> Stop {
        self.agent.stop()
    }
}
