//! Training of an agent without the type of its game.

use std::sync::Arc;

use raichi_core::SpecError;
use raichi_core::erased::{AnyGame, GameVisitor, Playable, split_spec};
use raichi_core::path::PathGame;
use raichi_learn::ntuple::{self, NTupleLearner};
use raichi_learn::{GreedyByValues, Learned, Learner, Progress, Saved, Work};
use raichi_search::options::Options;
use raichi_search::{Budget, CancelFlag, Evaluator};

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

/// An agent in training.
pub trait Training: Send {
    /// Plays up to so many more games of training on `n_threads` threads.
    fn advance(&mut self, n_games: u64, cancel: &CancelFlag, n_threads: usize);

    /// How far it has come.
    fn progress(&self) -> Progress;

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

/// The options of a learner.
pub(super) fn options(spec: &str) -> Result<Options, AgentError> {
    let (id, text) = split_spec(spec);
    if id != ntuple::ID {
        return Err(AgentError::UnknownAgent { id: id.into(), known: format!("{} (of those that learn)", ntuple::ID) });
    }
    Ok(Options::parse(ntuple::ID, ntuple::OPTIONS, None, text)?)
}

/// The canonical spec of a learner: what differs from the defaults, in the declared order.
///
/// # Errors
/// Says which part of the spec is wrong and what is allowed.
pub fn canonical_learner(spec: &str) -> Result<String, AgentError> {
    options(spec).map(|options| options.canonical())
}

/// Begins a training, or goes on with one that was saved.
///
/// # Errors
/// Says what is wrong with the spec, why the game cannot be learned so, or that what was saved does not fit.
pub fn begin(game: &Arc<dyn AnyGame>, plan: &Plan, resume: Option<&Saved>) -> Result<Box<dyn Training>, AgentError> {
    let options = options(&plan.agent)?;
    raichi_games::visit_game(&**game, Begin { plan, options: &options, resume })
}

struct Begin<'a> {
    plan: &'a Plan,
    options: &'a Options,
    resume: Option<&'a Saved>,
}

impl GameVisitor for Begin<'_> {
    type Output = Result<Box<dyn Training>, AgentError>;

    fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) -> Self::Output {
        let Begin { plan, options, resume } = self;
        let refused = |why| AgentError::Refused { agent: ntuple::ID.into(), game: game.spec().into(), why };
        let config = super::of_options(game, options).map_err(refused)?;
        let mut learner = NTupleLearner::new(game, config, plan.seed, plan.games).map_err(refused)?;
        learner.begin_with(starts(game, &plan.starts)?);
        if let Some(saved) = resume {
            learner.resume(saved).map_err(refused)?;
        }
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
    learner: NTupleLearner<G>,
    spec: String,
}

impl<G: Playable> Training for OfGame<G> {
    fn advance(&mut self, n_games: u64, cancel: &CancelFlag, n_threads: usize) {
        self.learner.advance(n_games, &Work { cancel, host: &SystemHost, n_threads });
    }

    fn progress(&self) -> Progress {
        self.learner.progress()
    }

    fn agent(&self) -> Arc<dyn Prepared> {
        Arc::new(PreparedLearned {
            game: Arc::clone(&self.game),
            learned: self.learner.learned(),
            spec: self.spec.clone(),
        })
    }

    fn start_values(&self) -> Vec<f64> {
        let state = self.game.initial_state();
        if !matches!(self.game.game().phase(state.position()), raichi_core::Phase::Act(_)) {
            return Vec::new();
        }
        let mut values = vec![0.0; self.game.facts().n_seats];
        Evaluator::<G>::values(self.learner.policy(), self.game.game(), state.position(), &mut values);
        values.into_iter().map(f64::from).collect()
    }

    fn save(&self, to_go_on: bool) -> Saved {
        self.learner.save(to_go_on)
    }

    fn save_small(&self, bits: u8) -> Result<Saved, String> {
        ntuple::quantised(self.learner.policy().network(), &self.learner.save(false), bits)
    }
}

/// An agent that plays by what was learned, without a search.
pub(crate) struct PreparedLearned<G: Playable> {
    pub(crate) game: Arc<PathGame<G>>,
    pub(crate) learned: Arc<dyn Learned<G>>,
    pub(crate) spec: String,
}

impl<G: Playable> Prepared for PreparedLearned<G> {
    fn spec(&self) -> &str {
        &self.spec
    }

    fn open(&self, seed: u64) -> Box<dyn Session> {
        Box::new(Typed {
            game: Arc::clone(&self.game),
            search: Box::new(GreedyByValues::new(Arc::clone(&self.learned))),
            budget: Budget::UNLIMITED,
            cancel: CancelFlag::default(),
            seed,
        })
    }
}
