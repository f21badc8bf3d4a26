//! A training run: games of training, evaluations in between, checkpoints, and in the end a trained agent.
//!
//! A run is stepped: [`Run::step`] trains for a while and says what happened. Between two steps it can be paused, saved, or
//! asked how it stands. A checkpoint is one file, written whole or not at all, with all that is needed to go on.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use raichi_agents::trained::{
    self, CurvePoint, Evaluation, FileError, Manifest, Plan, StoreError, Training, read_archive, store, write_archive,
};
use raichi_agents::{AgentError, CancelFlag, Prepared, SystemHost, TrainingProgress};
use raichi_core::erased::AnyGame;
use raichi_core::{Host, SpecError};
use raichi_learn::Saved;
use raichi_learn::file;

use super::evaluation::{EvaluationError, EvaluationPlan, evaluate};
use super::exact::ExactStarts;

/// What is to be trained, and how it is looked after.
#[derive(Clone, Debug)]
pub struct RunPlan {
    /// The game's spec.
    pub game: String,
    /// What learns.
    pub training: Plan,
    /// What is measured at each point of the curve.
    pub evaluations: Vec<EvaluationPlan>,
    /// Games between two points of the curve.
    pub eval_every: u64,
    /// When it may stop early.
    pub until: Option<Goal>,
    /// Threads that train and play evaluations.
    pub n_threads: usize,
    /// The agent's name.
    pub name: String,
    /// The command that trains it, for the manifest.
    pub command: String,
}

/// What a run tries to reach: `kept>=0.95 against perfect`.
#[derive(Clone, Debug, PartialEq)]
pub struct Goal {
    /// Whether `kept` is looked at, and not the score.
    pub kept: bool,
    /// What is to be reached.
    pub least: f64,
    /// The opponent.
    pub against: String,
}

impl Goal {
    /// Reads a goal.
    ///
    /// # Errors
    /// A sentence that says how one is written.
    pub fn parse(text: &str) -> Result<Goal, String> {
        let wrong = || {
            format!("`{text}` is no goal; one is like \"kept>=0.95 against perfect\" or \"score>=0.5 against random\"")
        };
        let (measure, rest) = text.split_once(">=").ok_or_else(wrong)?;
        let (least, against) = rest.split_once(" against ").ok_or_else(wrong)?;
        let kept = match measure.trim() {
            "kept" => true,
            "score" => false,
            _ => return Err(wrong()),
        };
        let least: f64 = least.trim().parse().map_err(|_| wrong())?;
        let against = against.trim();
        if !least.is_finite() || against.is_empty() {
            return Err(wrong());
        }
        Ok(Goal { kept, least, against: against.into() })
    }

    /// Whether an evaluation reaches it.
    pub fn is_reached(&self, evaluation: &Evaluation) -> bool {
        let same = evaluation.against == self.against
            || raichi_agents::canonical(&self.against).is_ok_and(|spec| spec == evaluation.against);
        let value = if self.kept { evaluation.kept } else { Some(evaluation.score) };
        same && value.is_some_and(|value| value >= self.least)
    }
}

/// Why a run cannot begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The game is none.
    #[error(transparent)]
    Game(#[from] SpecError),
    /// The agent cannot be trained so.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// It cannot be evaluated so.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
    /// It cannot be kept.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// What is learned has no meaning any more.
    #[error(
        "after {games} games the numbers that it learned have grown beyond all bounds; smaller steps (`alpha` of ntuple, \
         `rate` of alphazero) may keep them small"
    )]
    Diverged {
        /// After how many games that was seen.
        games: u64,
    },
    /// The checkpoint cannot be gone on with.
    #[error("{}: {why}", path.display())]
    Checkpoint {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
}

/// What a step came to.
#[derive(Clone, Debug, PartialEq)]
pub enum Status {
    /// It goes on.
    Training,
    /// A point of the curve was measured.
    Point(CurvePoint),
    /// All games are played, or the goal is reached.
    Done,
}

/// A training run.
pub struct Run {
    plan: RunPlan,
    game: Arc<dyn AnyGame>,
    training: Box<dyn Training>,
    curve: Vec<CurvePoint>,
    reached: bool,
    /// Whether the state after the last games is on the curve.
    is_measured: bool,
    /// Of the starts of its evaluations.
    exact: ExactStarts,
    cancel: CancelFlag,
    /// Games of the next step, so that one takes about [`STEP`].
    n_games: u64,
}

/// About how long a step takes.
const STEP: Duration = Duration::from_millis(250);

impl Run {
    /// A run from its beginning.
    ///
    /// # Errors
    /// Says what is wrong with the plan.
    pub fn new(plan: RunPlan) -> Result<Run, RunError> {
        Run::with(plan, None)
    }

    /// A run that goes on from a checkpoint of the same plan.
    ///
    /// # Errors
    /// Says what is wrong with the plan or the checkpoint.
    pub fn resume(plan: RunPlan, path: &Path) -> Result<Run, RunError> {
        let (manifest, saved) = read_checkpoint(path)?;
        let refused = |why: String| RunError::Checkpoint { path: path.into(), why };
        let agent = trained::canonical_learner(&plan.training.agent)?;
        let game = raichi_games::game(&plan.game)?;
        if (manifest.game.as_str(), manifest.agent.as_str(), manifest.seed)
            != (game.spec(), agent.as_str(), plan.training.seed)
        {
            return Err(refused(format!(
                "it is of {} with {} and seed {}; remove it, or choose another name with --out",
                manifest.game, manifest.agent, manifest.seed
            )));
        }
        Run::with(plan, Some((manifest, saved)))
    }

    fn with(plan: RunPlan, saved: Option<(Manifest, Saved)>) -> Result<Run, RunError> {
        let game = raichi_games::game(&plan.game)?;
        let (curve, saved) = saved.map_or((Vec::new(), None), |(manifest, saved)| (manifest.curve, Some(saved)));
        let training = trained::begin(&game, &plan.training, saved.as_ref())?;
        let is_measured = curve.last().is_some_and(|point| point.games == training.progress().games);
        Ok(Run {
            exact: ExactStarts::of_game(&*game),
            plan,
            game,
            training,
            curve,
            reached: false,
            is_measured,
            cancel: CancelFlag::default(),
            n_games: 16,
        })
    }

    /// The flag that ends a step early; games in progress are played to their end.
    pub fn cancel_flag(&self) -> CancelFlag {
        self.cancel.clone()
    }

    /// The plan.
    pub fn plan(&self) -> &RunPlan {
        &self.plan
    }

    /// The game.
    pub fn game(&self) -> &Arc<dyn AnyGame> {
        &self.game
    }

    /// What is known of the starts of its evaluations.
    pub fn exact_starts(&self) -> &ExactStarts {
        &self.exact
    }

    /// How far it has come.
    pub fn progress(&self) -> TrainingProgress {
        self.training.progress()
    }

    /// The points of its curve so far.
    pub fn curve(&self) -> &[CurvePoint] {
        &self.curve
    }

    /// Whether its goal is reached.
    pub fn is_reached(&self) -> bool {
        self.reached
    }

    /// The agent as it plays now.
    pub fn agent(&self) -> Arc<dyn Prepared> {
        self.training.agent()
    }

    /// What each seat can expect at the start, as far as it has learned.
    pub fn start_values(&self) -> Vec<f64> {
        self.training.start_values()
    }

    /// Trains for about a quarter of a second, or measures the next point of the curve.
    ///
    /// # Errors
    /// When an evaluation cannot be played.
    pub fn step(&mut self) -> Result<Status, RunError> {
        let progress = self.training.progress();
        let every = self.plan.eval_every.max(1);
        let at_point =
            progress.games > 0 && (progress.games.is_multiple_of(every) || progress.games >= progress.planned);
        if at_point && !self.is_measured {
            return self.measure().map(|point| point.map_or(Status::Training, Status::Point));
        }
        if self.reached || progress.games >= progress.planned {
            return Ok(Status::Done);
        }
        let to_point = every - progress.games % every;
        let n_games = self.n_games.min(to_point).min(progress.planned - progress.games);
        let before = SystemHost.now();
        self.training.advance(n_games, &self.cancel, self.plan.n_threads);
        let took = SystemHost.now().saturating_sub(before);
        self.is_measured = false;
        if n_games == self.n_games {
            let wished = self.n_games as f64 * STEP.as_secs_f64() / took.as_secs_f64().max(1e-4);
            self.n_games = (wished as u64).clamp(self.n_games / 2, self.n_games * 4).clamp(1, 1 << 20);
        }
        Ok(Status::Training)
    }

    /// Evaluates the agent; `None` where it was cancelled meanwhile.
    ///
    /// # Errors
    /// When an evaluation cannot be played, or what was learned is no numbers any more.
    pub fn measure(&mut self) -> Result<Option<CurvePoint>, RunError> {
        if !self.training.is_finite() {
            return Err(RunError::Diverged { games: self.training.progress().games });
        }
        let agent = self.training.agent();
        let mut evaluations = Vec::new();
        for plan in &self.plan.evaluations {
            let evaluation =
                evaluate(&self.game, &agent, plan, &self.exact, self.plan.n_threads, &self.cancel, &|_, _| ())?;
            if self.cancel.is_cancelled() {
                return Ok(None);
            }
            evaluations.push(evaluation);
        }
        let progress = self.training.progress();
        let point = CurvePoint {
            games: progress.games,
            plies: progress.plies,
            seconds: progress.elapsed.as_secs_f64(),
            start_values: self.training.start_values(),
            evaluations,
        };
        let goal = self.plan.until.as_ref();
        self.reached = goal.is_some_and(|goal| point.evaluations.iter().any(|evaluation| goal.is_reached(evaluation)));
        self.curve.push(point.clone());
        self.is_measured = true;
        Ok(Some(point))
    }

    fn manifest(&self) -> Manifest {
        let progress = self.training.progress();
        Manifest {
            name: self.plan.name.clone(),
            game: self.game.spec().into(),
            agent: trained::canonical_learner(&self.plan.training.agent).unwrap_or_default(),
            seed: self.plan.training.seed,
            version: env!("CARGO_PKG_VERSION").into(),
            command: self.plan.command.clone(),
            licence: "MIT OR Apache-2.0".into(),
            games: progress.games,
            plies: progress.plies,
            seconds: progress.elapsed.as_secs_f64(),
            evaluations: self.curve.last().map(|point| point.evaluations.clone()).unwrap_or_default(),
            curve: self.curve.clone(),
            ..Manifest::default()
        }
    }

    /// Writes all that is needed to go on into a file, whole or not at all.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn checkpoint(&self, path: &Path) -> Result<(), RunError> {
        let files = file::write(self.manifest(), &self.training.save(true));
        Ok(store::write_whole(path, &write_archive(&files, false))?)
    }

    /// Keeps the agent under its name: with its weights as they are, or with whole numbers of so many bits.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn keep(&self, bits: Option<u8>) -> Result<PathBuf, RunError> {
        let saved = match bits {
            None => self.training.save(false),
            Some(bits) => {
                self.training.save_small(bits).map_err(|why| RunError::Checkpoint { path: PathBuf::new(), why })?
            }
        };
        Ok(store::save(&self.plan.name, &file::write(self.manifest(), &saved), true)?)
    }
}

/// A checkpoint's manifest, and what was saved.
fn read_checkpoint(path: &Path) -> Result<(Manifest, Saved), RunError> {
    let refused = |why: String| RunError::Checkpoint { path: path.into(), why };
    let bytes = std::fs::read(path).map_err(|why| refused(why.to_string()))?;
    let damaged = |why: FileError| refused(why.to_string());
    let files = read_archive(&bytes).map_err(damaged)?;
    file::read(&files).map_err(damaged)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals_are_read_or_refused() {
        let goal = Goal::parse("kept>=0.95 against perfect").unwrap();
        assert_eq!(goal, Goal { kept: true, least: 0.95, against: "perfect".into() });
        assert!(!Goal::parse("score >= 0 against mcts:sims=10").unwrap().kept);
        for wrong in ["", "kept", "kept>=x against perfect", "elo>=1 against best", "kept>=0.5", "kept>=0.5 against "] {
            assert!(Goal::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_training_whose_numbers_grow_beyond_bounds_says_so() {
        let plan = RunPlan {
            game: "rubiks-cube".into(),
            training: Plan {
                agent: "ntuple:tuples=20x4,rewards=score,output=linear,from-goal=3,longest=1,alpha=100,epsilon=0"
                    .into(),
                seed: 1,
                games: 2000,
                starts: Vec::new(),
            },
            evaluations: Vec::new(),
            eval_every: 1000,
            until: None,
            n_threads: 1,
            name: "test".into(),
            command: String::new(),
        };
        let mut run = Run::new(plan).unwrap();
        let why = loop {
            match run.step() {
                Ok(Status::Done) => panic!("steps so large do not end well"),
                Ok(_) => {}
                Err(why) => break why.to_string(),
            }
        };
        assert!(why.contains("beyond all bounds") && why.contains("`alpha`"), "{why}");
    }
}
