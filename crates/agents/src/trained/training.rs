//! Training of an agent without the type of its game.

use std::sync::Arc;

use raichi_core::SpecError;
use raichi_core::erased::{AnyGame, GameVisitor, Playable, split_spec};
use raichi_core::path::PathGame;
use raichi_learn::file::sum_of;
use raichi_learn::{GreedyByValues, Learned, Learner, Progress, Saved, Work};
use raichi_search::options::Options;
use raichi_search::{Budget, CancelFlag, Failure};

use super::learners::{self, LearnerKind};
use crate::kind::AgentError;
use crate::session::{Prepared, Session, Typed};
use crate::system_host::SystemHost;

/// What is to be trained.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The spec of the learner, like `ntuple:tuples=70x8,tcl=exp`.
    pub agent: String,
    /// Decides everything, with one thread.
    pub seed: u64,
    /// How many games of training.
    pub games: u64,
    /// The texts of positions that games of training begin with; the start of the game where there are none.
    pub starts: Vec<String>,
}

impl Plan {
    /// The checksum of its starts, as a manifest has it.
    pub fn starts_sum(&self) -> String {
        if self.starts.is_empty() { String::new() } else { sum_of(self.starts.join("\n").as_bytes()) }
    }
}

/// An agent in training.
pub trait Training: Send {
    /// Plays up to so many more games of training on `n_threads` threads.
    fn advance(&mut self, n_games: u64, cancel: &CancelFlag, n_threads: usize);

    /// How far it has come.
    fn progress(&self) -> Progress;

    /// How many numbers it learns: what it takes of memory grows with them, a tuple's once positions have touched them.
    fn n_weights(&self) -> usize;

    /// Whether all numbers that it has learned are finite.
    fn is_finite(&self) -> bool;

    /// The agent as it plays now, without a search. It goes on learning where the training goes on.
    fn agent(&self) -> Arc<dyn Prepared>;

    /// What each seat can expect at the start of the game, as far as it has learned; empty where a start begins with chance.
    fn start_values(&self) -> Vec<f64>;

    /// All that is needed to play as it does now, and with `to_go_on` to train on as if nothing had happened.
    fn save(&self, to_go_on: bool) -> Saved;

    /// What is needed to play nearly as it does now, with whole numbers of so many bits.
    ///
    /// # Errors
    /// A sentence, where it cannot be written so.
    fn save_small(&self, bits: u8) -> Result<Saved, String>;
}

/// The kind of a learner and its options.
pub(super) fn options(spec: &str) -> Result<(LearnerKind, Options), AgentError> {
    let (id, text) = split_spec(spec);
    let Some(kind) = learners::KINDS.iter().find(|kind| kind.id == id) else {
        let known: Vec<&str> = learners::KINDS.iter().map(|kind| kind.id).collect();
        return Err(AgentError::UnknownAgent {
            id: id.into(),
            known: format!("{} (of those that learn)", known.join(", ")),
        });
    };
    Ok((*kind, Options::parse(kind.id, kind.options, None, text)?))
}

/// The canonical spec of a learner: what differs from the defaults, in the declared order.
///
/// # Errors
/// Says which part of the spec is wrong and what is allowed.
pub fn canonical_learner(spec: &str) -> Result<String, AgentError> {
    options(spec).map(|(_, options)| options.canonical())
}

/// Begins a training, or goes on with one that was saved.
///
/// # Errors
/// Says what is wrong with the spec, why the game cannot be learned so, or that what was saved does not fit.
pub fn begin(game: &Arc<dyn AnyGame>, plan: &Plan, resume: Option<&Saved>) -> Result<Box<dyn Training>, AgentError> {
    let (kind, options) = options(&plan.agent)?;
    raichi_games::visit_game(&**game, Begin { plan, kind, options: &options, resume })
}

struct Begin<'a> {
    plan: &'a Plan,
    kind: LearnerKind,
    options: &'a Options,
    resume: Option<&'a Saved>,
}

impl GameVisitor for Begin<'_> {
    type Output = Result<Box<dyn Training>, AgentError>;

    fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) -> Self::Output {
        let Begin { plan, kind, options, resume } = self;
        let refused = |why| AgentError::Refused { agent: kind.id.into(), game: game.spec().into(), why };
        let starts = starts(game, &plan.starts)?;
        let learner = learners::begin(game, kind, options, plan, starts, resume).map_err(refused)?;
        Ok(Box::new(OfGame { game: Arc::clone(game), learner, spec: options.canonical() }))
    }
}

fn starts<G: Playable>(game: &PathGame<G>, texts: &[String]) -> Result<Vec<G::State>, AgentError> {
    let refused = |text: &str, why: &str| {
        AgentError::Option(SpecError::BadValue { key: "starts".into(), value: text.into(), allowed: why.into() })
    };
    let state = |text: &String| match game.parse_position(text) {
        Ok(set_up) if set_up.seen_by.is_none() => Ok(set_up.state),
        Ok(_) => Err(refused(text, "positions that hide nothing")),
        Err(why) => Err(refused(text, &why.to_string())),
    };
    texts.iter().map(state).collect()
}

struct OfGame<G: Playable> {
    game: Arc<PathGame<G>>,
    learner: Box<dyn Learner<G>>,
    spec: String,
}

impl<G: Playable> Training for OfGame<G> {
    fn advance(&mut self, n_games: u64, cancel: &CancelFlag, n_threads: usize) {
        self.learner.advance(n_games, &Work { cancel, host: &SystemHost, n_threads });
    }

    fn progress(&self) -> Progress {
        self.learner.progress()
    }

    fn n_weights(&self) -> usize {
        self.learner.n_weights()
    }

    fn is_finite(&self) -> bool {
        self.learner.is_finite()
    }

    fn agent(&self) -> Arc<dyn Prepared> {
        Arc::new(PreparedLearned {
            game: Arc::clone(&self.game),
            learned: self.learner.learned(),
            simulations: Some(0),
            budget: Budget::UNLIMITED,
            spec: self.spec.clone(),
        })
    }

    fn start_values(&self) -> Vec<f64> {
        let state = self.game.initial_state();
        if !matches!(self.game.game().phase(state.position()), raichi_core::Phase::Act(_)) {
            return Vec::new();
        }
        let mut values = vec![0.0; self.game.facts().n_seats];
        self.learner.learned().values(self.game.game(), state.position(), &mut values);
        values.into_iter().map(f64::from).collect()
    }

    fn save(&self, to_go_on: bool) -> Saved {
        self.learner.save(to_go_on)
    }

    fn save_small(&self, bits: u8) -> Result<Saved, String> {
        self.learner.save_small(bits)
    }
}

/// An agent that plays by what was learned.
pub(crate) struct PreparedLearned<G: Playable> {
    pub(crate) game: Arc<PathGame<G>>,
    pub(crate) learned: Arc<dyn Learned<G>>,
    /// With how many simulations; 0 is without a search, `None` as long as the budget allows.
    pub(crate) simulations: Option<u64>,
    pub(crate) budget: Budget,
    pub(crate) spec: String,
}

impl<G: Playable> Prepared for PreparedLearned<G> {
    fn spec(&self) -> &str {
        &self.spec
    }

    fn open(&self, seed: u64) -> Box<dyn Session> {
        let by_values =
            || Box::new(GreedyByValues::new(Arc::clone(&self.learned))) as Box<dyn raichi_search::Session<G>>;
        let failure = Failure::default();
        Box::new(Typed {
            game: Arc::clone(&self.game),
            search: self.learned.session(self.simulations, &failure).unwrap_or_else(by_values),
            budget: self.budget,
            cancel: CancelFlag::default(),
            seed,
            agent: self.spec.clone(),
            failure,
        })
    }
}
