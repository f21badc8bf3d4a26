//! The kinds of learners: what they are called and which options they take. Each is compiled for each game here.

use std::sync::Arc;

use raichi_core::erased::Playable;
use raichi_core::path::PathGame;
use raichi_learn::alphazero::{self, AlphaZeroLearner};
use raichi_learn::ntuple::{self, NTupleLearner};
use raichi_learn::{Evaluator, Learned, Learner, Saved};
use raichi_search::options::{AgentOption, Options};

use super::training::Plan;

/// A kind of learner.
#[derive(Clone, Copy, Debug)]
pub struct LearnerKind {
    /// The id used in specs.
    pub id: &'static str,
    /// The name for people.
    pub name: &'static str,
    /// One sentence about how it learns.
    pub help: &'static str,
    /// The declared options.
    pub options: &'static [AgentOption],
    method: Method,
}

#[derive(Clone, Copy, Debug)]
enum Method {
    Tuples,
    AlphaZero,
}

/// All kinds of learners.
pub static KINDS: &[LearnerKind] = &[
    LearnerKind {
        id: ntuple::ID,
        name: "N-tuple network",
        help: "Tables of what stands on a few points at a time, learned by temporal differences: fast, for nearly every game.",
        options: ntuple::OPTIONS,
        method: Method::Tuples,
    },
    LearnerKind {
        id: alphazero::ID,
        name: "AlphaZero",
        help: "A neural network that learns from games which a search with it played: slower, and it knows good actions too. Where \
               something is hidden it searches in positions drawn to fit what the seat knows.",
        options: alphazero::OPTIONS,
        method: Method::AlphaZero,
    },
];

/// Begins a training, or goes on with one that was saved.
///
/// # Errors
/// A sentence, where the game cannot be learned so, or what was saved does not fit.
pub(super) fn begin<G: Playable>(
    game: &Arc<PathGame<G>>,
    kind: LearnerKind,
    options: &Options,
    plan: &Plan,
    starts: Vec<G::State>,
    resume: Option<&Saved>,
) -> Result<Box<dyn Learner<G>>, String> {
    let facts = game.facts();
    match kind.method {
        Method::Tuples => {
            let config = ntuple::Config::from_options(options, &facts)?;
            if config.from_goal > 0 && !starts.is_empty() {
                return Err(
                    "from-goal and a list of starts both say how games of training begin; leave one of them out".into(),
                );
            }
            let base = base(game.game(), &config)?;
            let mut learner = NTupleLearner::new(game, config, plan.seed, plan.games)?;
            if let Some(base) = base {
                learner = learner.on(base);
            }
            learner.begin_with(starts);
            resume.map_or(Ok(()), |saved| learner.resume(saved))?;
            Ok(Box::new(learner))
        }
        Method::AlphaZero => {
            let config = alphazero::Config::from_options(options, &facts)?;
            let mut learner = AlphaZeroLearner::new(game, config, plan.seed, plan.games)?;
            learner.begin_with(starts);
            resume.map_or(Ok(()), |saved| learner.resume(saved))?;
            Ok(Box::new(learner))
        }
    }
}

/// What was learned, as it was saved.
///
/// # Errors
/// A sentence, where it is damaged, too large, or of another game.
pub(super) fn read<G: Playable>(
    game: &PathGame<G>,
    kind: LearnerKind,
    options: &Options,
    saved: &Saved,
) -> Result<Arc<dyn Learned<G>>, String> {
    let facts = game.facts();
    Ok(match kind.method {
        Method::Tuples => {
            let config = ntuple::Config::from_options(options, &facts)?;
            let policy = ntuple::read_policy(game, &config, saved)?;
            match base(game.game(), &config)? {
                Some(base) => Arc::new(policy.on(base)),
                None => Arc::new(policy),
            }
        }
        Method::AlphaZero => {
            let config = alphazero::Config::from_options(options, &facts)?;
            Arc::new(alphazero::read_policy(game, &config, saved)?)
        }
    })
}

/// The evaluator that an n-tuple network adds to.
fn base<G: Playable>(game: &G, config: &ntuple::Config) -> Result<Option<Arc<dyn Evaluator<G>>>, String> {
    if !config.by_hand {
        return Ok(None);
    }
    let base = raichi_engines::hand(game);
    base.map(Some).ok_or_else(|| "it has no evaluator made by hand, so that base=hand has no base".into())
}
