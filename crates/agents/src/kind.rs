//! Kinds of agents: what they are called, which options they take, which games they support.

use std::sync::Arc;

use raichi_core::erased::{AnyGame, split_spec};
use raichi_core::notation::shortened;
use raichi_core::params::SpecError;
use raichi_core::seat::Seat;
use raichi_search::options::{AgentOption, Options};

use crate::kinds::{
    alphabeta, best, blueprint, cube_ida, dfpn, expectation, greedy, level, mc, mcts, minimax, mirror, perfect, random,
    ranges, rhea, trained,
};
use crate::searching::EVALUATOR;
use crate::session::Prepared;

/// An agent ready for a game, or why there is none.
pub(crate) type PrepareResult = Result<Arc<dyn Prepared>, AgentError>;

/// A kind of agent.
#[derive(Clone, Copy)]
pub struct AgentKind {
    /// The id used in specs.
    pub id: &'static str,
    /// The name for people.
    pub name: &'static str,
    /// One sentence about how it plays.
    pub help: &'static str,
    /// The option whose value may stand bare as the first entry of a spec: `level:6`.
    pub bare: Option<&'static str>,
    /// The declared options.
    pub options: &'static [AgentOption],
    /// Whether it plays this game; the error is a sentence that says why not. Kinds that serve many games look at the
    /// facts only.
    pub supports: fn(&dyn AnyGame) -> Result<(), String>,
    /// The one seat that it plays; `None` where it plays all of them, as nearly all do.
    pub seat: Option<Seat>,
    /// Which games like one that is refused it does play, for the sentence that refuses; they may take seconds to be
    /// found, so that nobody looks for them who only asks which agents there are.
    pub(crate) instead: Option<fn(&dyn AnyGame) -> String>,
    /// Completes options that depend on others.
    pub(crate) complete: fn(&mut Options),
    /// Makes it ready for a game that it supports.
    pub(crate) prepare: fn(&Arc<dyn AnyGame>, Options) -> PrepareResult,
}

/// All kinds, weakest first.
pub static KINDS: &[AgentKind] = &[
    random::KIND,
    level::KIND,
    dfpn::KIND,
    minimax::KIND,
    greedy::KIND,
    rhea::KIND,
    mc::KIND,
    alphabeta::KIND,
    mcts::KIND,
    // Of one game each.
    ranges::KIND,
    blueprint::KIND,
    expectation::KIND,
    cube_ida::KIND,
    mirror::KIND,
    // By what was learned.
    trained::KIND,
    // Of solved games.
    perfect::KIND,
    best::KIND,
];

/// Why there is no agent, or no advice from it.
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
    /// The agent cannot play the game, the seat or the position.
    #[error("{agent} does not play {game}: {why}")]
    Refused {
        /// The agent's id.
        agent: String,
        /// The game's spec.
        game: String,
        /// What stands in the way.
        why: String,
    },
    /// The match is not of the game that the agent was prepared for.
    #[error("this agent was prepared for {prepared_for}, and this is a game of {game}")]
    OtherGame {
        /// The game's spec.
        prepared_for: String,
        /// The spec of the match's game.
        game: String,
    },
    /// What the agent goes by failed while it decided, now or earlier in this game.
    #[error("{agent} cannot decide: {why}")]
    Failed {
        /// The agent's spec.
        agent: String,
        /// What failed.
        why: String,
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
            AgentError::Failed { .. } => "agent/failed",
            AgentError::NotToAct { .. } => "agent/not-to-act",
        }
    }
}

/// The canonical spec of an agent: the options that differ from the defaults in their declared order, the budget
/// always, so that a record says how long the agent could think.
///
/// # Errors
/// Says which part of the spec is wrong and what is allowed.
pub fn canonical(spec: &str) -> Result<String, AgentError> {
    read(spec).map(|(_, options)| options.canonical())
}

/// The agent that `spec` names, ready for `game`.
///
/// # Errors
/// Says what is wrong with the spec, or why the agent does not play the game.
pub fn prepare(game: &Arc<dyn AnyGame>, spec: &str) -> Result<Arc<dyn Prepared>, AgentError> {
    let (kind, options) = read(spec)?;
    kind.ready(game, options)
}

impl AgentKind {
    fn ready(&self, game: &Arc<dyn AnyGame>, options: Options) -> Result<Arc<dyn Prepared>, AgentError> {
        // An evaluator that a game lacks may be named, a trained agent; and one that is named says itself for which game it was
        // trained.
        let names_one = |option: &str| options.declares(option) && options.name(option).is_some();
        if !names_one(EVALUATOR.name) && !names_one(trained::NAME) {
            (self.supports)(&**game).map_err(|why| self.refusal(&**game, why))?;
        }
        (self.prepare)(game, options)
    }

    fn refusal(&self, game: &dyn AnyGame, why: String) -> AgentError {
        let why = match self.instead {
            Some(instead) => format!("{why}; {}", instead(game)),
            None => why,
        };
        AgentError::Refused { agent: self.id.into(), game: game.spec().into(), why }
    }
}

/// The kinds that support a game, weakest first.
pub fn supporting(game: &dyn AnyGame) -> impl DoubleEndedIterator<Item = &'static AgentKind> {
    KINDS.iter().filter(move |kind| (kind.supports)(game).is_ok())
}

/// The kind that a spec names, and its options.
pub(crate) fn read(spec: &str) -> Result<(&'static AgentKind, Options), AgentError> {
    let (id, text) = split_spec(spec);
    let Some(kind) = KINDS.iter().find(|kind| kind.id == id) else {
        let known = KINDS.iter().map(|kind| kind.id).collect::<Vec<_>>().join(", ");
        return Err(AgentError::UnknownAgent { id: id.into(), known });
    };
    let mut options = Options::parse(kind.id, kind.options, kind.bare, text)?;
    (kind.complete)(&mut options);
    Ok((kind, options))
}

/// One list of options after the other; `N` is how many there are in all, so that an agent that adds options of its own to a
/// search's forgets none. The compiler says where there are more or fewer.
pub(crate) const fn joined<const N: usize>(lists: &[&[AgentOption]]) -> [AgentOption; N] {
    let mut all = [lists[0][0]; N];
    let (mut list, mut n) = (0, 0);
    while list < lists.len() {
        let mut i = 0;
        while i < lists[list].len() {
            all[n] = lists[list][i];
            (i, n) = (i + 1, n + 1);
        }
        list += 1;
    }
    assert!(n == N, "as many options as are joined");
    all
}
