//! Ten levels of every game, and its best agent: data in the repository, `levels.toml`.
//!
//! A level is an agent with a count of nodes or simulations, never a time, so that it is the same on any machine; the weak
//! ones also play a share of their plies at random. `raichi calibrate GAME` finds them and writes down what it measured and
//! the command. Where a game was not calibrated the counts are a guess, and only the levels that play no random ply are
//! the best agent's. Other parameters than those calibrated use the same counts. [`calibration`] says which of these it is.

mod graded;

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use raichi_core::AnyGame;
use raichi_core::erased::split_spec;
use serde::{Deserialize, Serialize};

use crate::equilibrium::player::EquilibriumPlayer;
use crate::kind::{AgentError, KINDS, prepare};
use crate::session::Prepared;
pub(crate) use graded::Graded;

/// What levels are called, from the first to the tenth.
pub const NAMES: [&str; 10] =
    ["Beginner", "Novice", "Learner", "Amateur", "Regular", "Skilled", "Strong", "Expert", "Champion", "Master"];

/// The levels of one game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Ladder {
    /// The canonical spec of the game that was calibrated; empty where none was.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub game: String,
    /// Raised whenever the levels are calibrated anew.
    #[serde(default = "first_version", skip_serializing_if = "is_first_version")]
    pub version: u32,
    /// The command that found the levels.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub command: String,
    /// The agent that won the matches, without a budget.
    pub best: String,
    /// The best one where that one does not fit the game's parameters, as a trained agent does not fit other ones, or does not
    /// count what is to be counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub otherwise: Option<String>,
    /// The agents that are best with other parameters, by the canonical specs of these games.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub best_of: BTreeMap<String, String>,
    /// From the first to the tenth; where there are none, only `best` is known and the levels are those for all games.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub levels: Vec<Level>,
}

/// Of levels that were never calibrated anew.
const fn first_version() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_first_version(version: &u32) -> bool {
    *version == first_version()
}

/// How strong a level is made.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Level {
    /// An agent's spec, with a count of nodes or simulations.
    pub agent: String,
    /// The share of plies that it plays at random.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub random: f64,
    /// How it did against the level below.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured: Option<Measured>,
}

/// Whether a share is nothing.
fn is_zero(share: &f64) -> bool {
    *share == 0.0
}

/// What was measured of a level against the level below.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Measured {
    /// In Elo where two or more seats play, else in units of the payoff: how much better it is.
    pub step: f64,
    /// The lower end of the 95 % interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// How many games.
    pub games: u64,
}

/// What the levels of a game rest on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Calibration {
    /// Matches of this game.
    Calibrated,
    /// Matches of this game with other parameters.
    OtherParameters,
    /// A guess that serves all games.
    Guessed,
}

static LADDERS: LazyLock<BTreeMap<String, Ladder>> =
    LazyLock::new(|| read(include_str!("levels.toml")).expect("a test reads the levels"));

/// Ladders as text, by the id of the game.
///
/// # Errors
/// When it is none.
pub fn read(text: &str) -> Result<BTreeMap<String, Ladder>, toml::de::Error> {
    toml::from_str(text)
}

/// The text of ladders.
pub fn write(ladders: &BTreeMap<String, Ladder>) -> String {
    let text = toml::to_string(ladders).expect("a ladder is made of texts and numbers");
    format!(
        "# What the ten levels and `best` are, game by game. Written by `raichi calibrate GAME`; see mod.rs beside \
         it.\n\n{text}"
    )
}

/// What the levels of a game rest on.
pub fn calibration(game: &dyn AnyGame) -> Calibration {
    match LADDERS.get(game.id()).filter(|ladder| !ladder.levels.is_empty()) {
        Some(ladder) if ladder.game == game.spec() => Calibration::Calibrated,
        Some(_) => Calibration::OtherParameters,
        None => Calibration::Guessed,
    }
}

/// The version of a game's levels: raised whenever they are calibrated anew, so that a record can say which of them played.
pub fn version(game: &dyn AnyGame) -> u32 {
    LADDERS.get(game.id()).map_or(first_version(), |ladder| ladder.version)
}

/// What a record says of the levels, which are of this version: nothing where none of those who held the seats is one.
pub fn version_in_record(seats: &[String], version: u32) -> Option<u32> {
    seats.iter().any(|seat| split_spec(seat).0 == "level").then_some(version)
}

/// What the levels of a game rest on, for people.
pub fn about(game: &dyn AnyGame) -> String {
    let rest = match calibration(game) {
        Calibration::Calibrated => "The steps between the levels were measured",
        Calibration::OtherParameters => "The levels were measured with other settings of the game, not with these",
        Calibration::Guessed => "The levels were not measured in this game",
    };
    format!("{rest} (version {}).", version(game))
}

/// The spec of the best agent of a game, without a budget.
pub fn best(game: &dyn AnyGame) -> &str {
    best_in_turn(game).next().unwrap_or(ALL_GAMES_BEST)
}

/// Level `n` of a game, from 1 to 10.
///
/// # Panics
/// When there is no such level.
pub fn level(game: &dyn AnyGame, n: usize) -> Level {
    let known = LADDERS.get(game.id()).and_then(|ladder| ladder.levels.get(n - 1));
    known.cloned().unwrap_or_else(|| guess(best(game), n))
}

/// The best agents of a game, in the order in which they are tried; the last one fits every game.
pub fn best_in_turn(game: &dyn AnyGame) -> impl Iterator<Item = &'static str> {
    let known = LADDERS.get(game.id()).and_then(|ladder| ladder.best_of.get(game.spec()));
    known.map(String::as_str).into_iter().chain(best_of_id_in_turn(game))
}

/// The same but for an agent that is best with these parameters alone, which may itself ask for the next one.
fn best_of_id_in_turn(game: &dyn AnyGame) -> impl Iterator<Item = &'static str> {
    let ladder = LADDERS.get(game.id());
    let known = ladder.into_iter().flat_map(|ladder| [Some(&*ladder.best), ladder.otherwise.as_deref()]);
    known.flatten().chain([ALL_GAMES_BEST])
}

/// What plays best where nothing was measured: it fits every game.
const ALL_GAMES_BEST: &str = "mcts";

/// As many nodes cost about as much time as a simulation. A guess.
const NODES_OF_A_SIMULATION: u64 = 5;

/// Level `n` where the game was not calibrated: the share of random plies, and simulations. Where no ply is random they are those
/// of the best agent, or nodes where it counts these: with a good one a beginner would not win even against few of them.
fn guess(best: &str, n: usize) -> Level {
    const GUESSES: [(u64, f64); 10] = [
        (50, 0.8),
        (50, 0.6),
        (50, 0.45),
        (60, 0.3),
        (80, 0.18),
        (120, 0.08),
        (1_000, 0.0),
        (3_000, 0.0),
        (8_000, 0.0),
        (20_000, 0.0),
    ];
    let (simulations, random) = GUESSES[n - 1];
    let best = if random > 0.0 { ALL_GAMES_BEST } else { best };
    let separator = if best.contains(':') { ',' } else { ':' };
    let agent = if has_option(best, "sims") {
        format!("{best}{separator}sims={simulations}")
    } else if has_option(best, "nodes") {
        format!("{best}{separator}nodes={}", simulations * NODES_OF_A_SIMULATION)
    } else {
        format!("{ALL_GAMES_BEST}:sims={simulations}")
    };
    Level { agent, random, measured: None }
}

/// What a level plays by where `perfect` goes by an equilibrium and the position was set up: `perfect` itself would search as long
/// as its time lasts. Tenths of a second in these games.
const WITHOUT_EQUILIBRIUM: &str = "mcts:sims=200000";

impl Level {
    /// The agent ready for a game, under the spec `spec`.
    ///
    /// # Errors
    /// When its agent is none, or does not play the game.
    pub fn prepare(&self, game: &Arc<dyn AnyGame>, spec: &str) -> Result<Arc<dyn Prepared>, AgentError> {
        let is_perfect = split_spec(&self.agent).0 == "perfect";
        let counting = || prepare(game, WITHOUT_EQUILIBRIUM);
        let by_equilibrium = is_perfect.then(|| EquilibriumPlayer::prepare(game, &self.agent, counting)).flatten();
        let inner = by_equilibrium.unwrap_or_else(|| prepare(game, &self.agent))?;
        Ok(Arc::new(Graded { inner, spec: spec.into(), random: self.random }))
    }
}

/// Level `n` of a game, ready for it. What was measured with other parameters may not fit these; then a guess does.
///
/// # Errors
/// When not even that plays the game.
pub(crate) fn prepare_level(game: &Arc<dyn AnyGame>, n: usize, spec: &str) -> Result<Arc<dyn Prepared>, AgentError> {
    let mut ready = level(&**game, n).prepare(game, spec);
    for other in best_in_turn(&**game).skip(1) {
        ready = ready.or_else(|why| if is_refusal(&why) { guess(other, n).prepare(game, spec) } else { Err(why) });
    }
    ready
}

/// The best agent of a game with the entries of a budget (`time=1s`), ready for it. Where it does not fit these parameters,
/// or does not count what the budget counts, the best other one does, or the agent that fits every game.
///
/// # Errors
/// When that one does not count it either.
pub(crate) fn prepare_best(game: &Arc<dyn AnyGame>, budget: &str, spec: &str) -> Result<Arc<dyn Prepared>, AgentError> {
    prepare_first(game, best_in_turn(&**game), budget, spec)
}

/// The same, for an agent that is itself best with some parameters.
///
/// # Errors
/// As of [`prepare_best`].
pub(crate) fn prepare_next_best(
    game: &Arc<dyn AnyGame>,
    budget: &str,
    spec: &str,
) -> Result<Arc<dyn Prepared>, AgentError> {
    prepare_first(game, best_of_id_in_turn(&**game), budget, spec)
}

/// The first of several agents that fits.
fn prepare_first<'a>(
    game: &Arc<dyn AnyGame>,
    mut in_turn: impl Iterator<Item = &'a str>,
    budget: &str,
    spec: &str,
) -> Result<Arc<dyn Prepared>, AgentError> {
    let with_budget = |agent: &str| match agent.contains(':') {
        // Some agents of one game calculate what they need, however long it takes.
        _ if !has_option(agent, "time") => agent.to_string(),
        true => format!("{agent},{budget}"),
        false => format!("{agent}:{budget}"),
    };
    let does_not_fit = |why: &AgentError| matches!(why, AgentError::Refused { .. } | AgentError::Option(_));
    let mut ready = prepare(game, &with_budget(in_turn.next().unwrap_or(ALL_GAMES_BEST)));
    for other in in_turn {
        ready = ready.or_else(|why| if does_not_fit(&why) { prepare(game, &with_budget(other)) } else { Err(why) });
    }
    Ok(Arc::new(Graded { inner: ready?, spec: spec.into(), random: 0.0 }))
}

fn has_option(agent: &str, option: &str) -> bool {
    let (id, _) = split_spec(agent);
    KINDS.iter().any(|kind| kind.id == id && kind.options.iter().any(|known| known.name == option))
}

fn is_refusal(why: &AgentError) -> bool {
    matches!(why, AgentError::Refused { .. })
}
