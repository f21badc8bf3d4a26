//! A training run: games of training, evaluations in between, checkpoints, and in the end a trained agent.
//!
//! A run is stepped: [`Run::step`] trains or measures for a while and says what happened. Between two steps it can be paused,
//! saved, or asked how it stands. A checkpoint is one file, written whole or not at all, with all that is needed to go on.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use raichi_agents::trained::{
    self, CurvePoint, Evaluation, FileError, Manifest, Plan, StoreError, Training, read_checkpoint_archive, store,
    write_archive,
};
use raichi_agents::{AgentError, CancelFlag, Prepared, SystemHost, TrainingProgress};
use raichi_core::erased::AnyGame;
use raichi_core::{Host, SpecError};
use raichi_learn::Saved;
use raichi_learn::file;

use super::evaluation::{Evaluating, EvaluationError, EvaluationPlan, USUAL_GAMES};
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
    /// When the curve has points.
    pub points: Points,
    /// How long measuring a point may take; as long as its games take where nothing is said.
    pub measuring_time: Option<MeasuringTime>,
    /// When it may stop early.
    pub until: Option<Goal>,
    /// Threads that train and play evaluations.
    pub n_threads: usize,
    /// The agent's name.
    pub name: String,
    /// The command that trains it, for the manifest.
    pub command: String,
}

/// After how many games of training a point of the curve is measured. The end is always one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Points {
    /// After every so many.
    Every(u64),
    /// After these, least first; 0 is before the first game.
    After(Vec<u64>),
}

impl Points {
    /// Before the first game, then closer together at first, where most is learned, and every tenth from the first on.
    pub fn early(games: u64) -> Points {
        let shares =
            [0.001, 0.002, 0.005, 0.01, 0.02, 0.05].into_iter().chain((1..=10).map(|tenth| f64::from(tenth) / 10.0));
        let mut all: Vec<u64> = shares.map(|share| (games as f64 * share).round() as u64).collect();
        all.insert(0, 0);
        all.dedup();
        Points::After(all)
    }

    fn is_one(&self, games: u64) -> bool {
        match self {
            Points::Every(every) => games > 0 && games.is_multiple_of((*every).max(1)),
            Points::After(all) => all.binary_search(&games).is_ok(),
        }
    }

    /// The next one after so many games; `None` where only the end is left.
    fn next(&self, games: u64) -> Option<u64> {
        match self {
            Points::Every(every) => Some((games / (*every).max(1) + 1).saturating_mul((*every).max(1))),
            Points::After(all) => all.iter().copied().find(|&point| point > games),
        }
    }
}

/// How long measuring a point may take: a share of what the training has taken so far, and `least` in any case.
///
/// It has fewer games where they take longer, though one for each seat at least.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeasuringTime {
    /// Of the time of the training.
    pub share: f64,
    /// So long it may take always.
    pub least: Duration,
}

impl MeasuringTime {
    /// After the training has taken so long.
    pub fn at(self, training: Duration) -> Duration {
        training.mul_f64(self.share).max(self.least)
    }
}

/// So many times the least time of measuring a point may be spent more than the training has taken; then points are left out.
const MOST_AHEAD: u32 = 10;

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
        if kept && !(0.0..=1.0).contains(&least) {
            return Err(format!("kept>={least}: what is kept is a share of games, from 0 to 1"));
        }
        Ok(Goal { kept, least, against: against.into() })
    }

    /// That it can be reached at a game.
    fn check(&self, game: &dyn AnyGame, exact: &ExactStarts) -> Result<(), String> {
        if self.kept && !exact.may_be_known() {
            let why = "no solver knows what its starts are worth, so that it is not known what is kept; take score";
            return Err(format!("kept>={} against {}: at {}, {why}", self.least, self.against, game.spec()));
        }
        match game.facts().payoff_range {
            Some((low, high)) if !self.kept && !(low..=high).contains(&self.least) => Err(format!(
                "score>={} against {}: payoffs of {} are from {low} to {high}",
                self.least,
                self.against,
                game.spec()
            )),
            _ => Ok(()),
        }
    }

    /// The name of what is looked at.
    pub fn measure(&self) -> &'static str {
        if self.kept { "kept" } else { "score" }
    }

    /// As it is written.
    pub fn text(&self) -> String {
        format!("{}>={} against {}", if self.kept { "kept" } else { "score" }, self.least, self.against)
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
    /// Its goal cannot be reached.
    #[error("{why}")]
    Goal {
        /// Why.
        why: String,
    },
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
    /// A point of the curve is being measured.
    Measuring,
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
    /// Whether the state after the last games is on the curve, or was left out.
    is_measured: bool,
    measuring: Option<Measuring>,
    /// What measuring has taken since the run began or went on, and for how many games.
    measured: (Duration, u64),
    /// Of the starts of its evaluations.
    exact: ExactStarts,
    cancel: CancelFlag,
    /// Games of the next step, so that one takes about [`STEP`].
    n_games: u64,
}

/// A point of the curve that is being measured.
struct Measuring {
    agent: Arc<dyn Prepared>,
    /// What is known already.
    evaluations: Vec<Evaluation>,
    current: Option<Evaluating>,
    /// What the current one has taken.
    took: Duration,
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
        if manifest.starts_sha256 != plan.training.starts_sum() {
            let why = "its games began with other positions (--starts); remove it, or choose another name with --out";
            return Err(refused(why.into()));
        }
        Run::with(plan, Some((manifest, saved)))
    }

    fn with(plan: RunPlan, saved: Option<(Manifest, Saved)>) -> Result<Run, RunError> {
        let game = raichi_games::game(&plan.game)?;
        let (curve, saved) = saved.map_or((Vec::new(), None), |(manifest, saved)| (manifest.curve, Some(saved)));
        let training = trained::begin(&game, &plan.training, saved.as_ref())?;
        let is_measured = curve.last().is_some_and(|point| point.games == training.progress().games);
        let exact = ExactStarts::of_game(&*game);
        if let Some(goal) = &plan.until {
            goal.check(&*game, &exact).map_err(|why| RunError::Goal { why })?;
        }
        Ok(Run {
            exact,
            plan,
            game,
            training,
            curve,
            reached: false,
            is_measured,
            measuring: None,
            measured: (Duration::ZERO, 0),
            cancel: CancelFlag::default(),
            n_games: 16,
        })
    }

    /// The flag that ends a step early: games of training are played to their end, those that measure end after a ply. What
    /// was being measured is measured anew where the run goes on from a checkpoint.
    pub fn cancel_flag(&self) -> CancelFlag {
        self.cancel.clone()
    }

    /// Lets this flag end its steps.
    pub fn cancel_by(&mut self, flag: CancelFlag) {
        self.cancel = flag;
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

    /// How many games of the evaluation in progress are over, and of how many at most; `None` where none is.
    pub fn measuring(&self) -> Option<(u64, u64)> {
        let current = self.measuring.as_ref()?.current.as_ref()?;
        Some((current.n_over(), current.n_games()))
    }

    /// About how long it takes to its end, the points of the curve included.
    pub fn time_left(&self) -> Option<Duration> {
        let progress = self.training.progress();
        let training = progress.time_left()?;
        let after = |games: u64| progress.elapsed.mul_f64(games as f64 / progress.games.max(1) as f64);
        let points = match &self.plan.points {
            Points::Every(every) => {
                let left = progress.planned.saturating_sub(progress.games);
                self.time_of_a_point(after(progress.games + left / 2)) * u32::try_from(left / (*every).max(1)).ok()?
            }
            Points::After(all) => {
                let left = all.iter().filter(|&&point| point > progress.games);
                left.map(|&point| self.time_of_a_point(after(point))).sum()
            }
        };
        Some(training + points)
    }

    /// About how long the point takes that is measured when the training has taken so long.
    fn time_of_a_point(&self, training: Duration) -> Duration {
        let (took, games) = self.measured;
        let Some(per_game) = took.checked_div(games as u32) else { return Duration::ZERO };
        let of = |plan: &EvaluationPlan| {
            let whole = per_game.mul_f64(plan.games.unwrap_or(USUAL_GAMES) as f64);
            self.plan.measuring_time.map_or(whole, |time| whole.min(time.at(training)))
        };
        self.plan.evaluations.iter().map(of).sum()
    }

    /// Trains for about a quarter of a second, or measures for as long: a ply at least.
    ///
    /// # Errors
    /// When an evaluation cannot be played, or what was learned is no numbers any more.
    pub fn step(&mut self) -> Result<Status, RunError> {
        if let Some(measuring) = self.measuring.take() {
            return self.measure(measuring);
        }
        let progress = self.training.progress();
        let at_end = progress.games >= progress.planned;
        if !self.is_measured && (at_end || self.plan.points.is_one(progress.games)) {
            // Where games that measure take long, training is not to wait for them.
            if at_end || !self.measures_too_long() {
                self.begin_measuring()?;
                return Ok(Status::Measuring);
            }
            self.is_measured = true;
        }
        if self.reached || at_end {
            return Ok(Status::Done);
        }
        let next = self.plan.points.next(progress.games).map_or(progress.planned, |next| next.min(progress.planned));
        let n_games = self.n_games.min(next - progress.games);
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

    fn measures_too_long(&self) -> bool {
        let most = |time: MeasuringTime| self.training.progress().elapsed + MOST_AHEAD * time.least;
        self.plan.measuring_time.is_some_and(|time| self.measured.0 > most(time))
    }

    fn begin_measuring(&mut self) -> Result<(), RunError> {
        if !self.training.is_finite() {
            return Err(RunError::Diverged { games: self.training.progress().games });
        }
        let agent = self.training.agent();
        self.measuring = Some(Measuring { agent, evaluations: Vec::new(), current: None, took: Duration::ZERO });
        Ok(())
    }

    /// Measures for about a quarter of a second.
    fn measure(&mut self, mut measuring: Measuring) -> Result<Status, RunError> {
        let Some(plan) = self.plan.evaluations.get(measuring.evaluations.len()) else {
            return Ok(Status::Point(self.add_point(measuring.evaluations)));
        };
        let begun = SystemHost.now();
        let took = || SystemHost.now().saturating_sub(begun);
        let mut current = match measuring.current.take() {
            Some(current) => current,
            None => Evaluating::begin(&self.game, &measuring.agent, plan)?,
        };
        let enough = || took() >= STEP;
        current.go_on(&self.exact, self.plan.n_threads, &self.cancel, &enough, &|_, _| ())?;
        measuring.took += took();
        let most = self.plan.measuring_time.map(|time| time.at(self.training.progress().elapsed));
        if most.is_some_and(|most| measuring.took >= most) {
            current.begin_no_more();
        }
        if current.is_over() {
            measuring.evaluations.push(current.evaluation());
            self.measured = (self.measured.0 + measuring.took, self.measured.1 + current.n_games());
            measuring.took = Duration::ZERO;
        } else {
            measuring.current = Some(current);
        }
        self.measuring = Some(measuring);
        Ok(Status::Measuring)
    }

    fn add_point(&mut self, evaluations: Vec<Evaluation>) -> CurvePoint {
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
        point
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
            starts_sha256: self.plan.training.starts_sum(),
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
    let files = read_checkpoint_archive(&bytes).map_err(damaged)?;
    file::read_checkpoint(&files).map_err(damaged)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals_are_read_or_refused() {
        let goal = Goal::parse("kept>=0.95 against perfect").unwrap();
        assert_eq!(goal, Goal { kept: true, least: 0.95, against: "perfect".into() });
        assert_eq!(Goal::parse(&goal.text()), Ok(goal));
        assert!(!Goal::parse("score >= 0 against mcts:sims=10").unwrap().kept);
        for wrong in ["", "kept", "kept>=x against perfect", "elo>=1 against best", "kept>=0.5", "kept>=0.5 against "] {
            assert!(Goal::parse(wrong).is_err(), "{wrong}");
        }
        assert!(Goal::parse("kept>=2 against perfect").unwrap_err().contains("from 0 to 1"));
    }

    /// A training of tic-tac-toe, measured against this opponent in 20 games a point.
    fn small(games: u64, against: &str) -> RunPlan {
        let evaluation = EvaluationPlan {
            against: against.into(),
            starts: super::super::Starts::Start,
            seat: None,
            games: Some(20),
            seed: 1,
        };
        RunPlan {
            game: "tic-tac-toe".into(),
            training: Plan { agent: "ntuple:tuples=1x9".into(), seed: 1, games, starts: Vec::new() },
            evaluations: vec![evaluation],
            points: Points::early(games),
            measuring_time: None,
            until: None,
            n_threads: 1,
            name: "test".into(),
            command: String::new(),
        }
    }

    #[test]
    fn goals_that_cannot_be_reached_are_refused() {
        let refused = |game: &str, goal: &str| {
            let mut plan = small(100, "random");
            // Tables of a game with secrets learn what actions are worth.
            plan.training.agent = "ntuple:tuples=4x2,shape=points,method=sarsa".into();
            Run::new(RunPlan { game: game.into(), until: Some(Goal::parse(goal).unwrap()), ..plan }).err()
        };
        assert!(refused("tic-tac-toe", "kept>=1 against random").is_none());
        assert!(refused("tic-tac-toe", "score>=1 against random").is_none());
        let why = refused("tic-tac-toe", "score>=1.5 against random").unwrap().to_string();
        assert!(why.contains("from -1 to 1"), "{why}");
        let why = refused("poker", "kept>=0.5 against random").unwrap().to_string();
        assert!(why.contains("no solver"), "{why}");
    }

    #[test]
    fn points_are_dense_at_first_and_end_with_the_last_game() {
        assert_eq!(Points::early(40_000).next(0), Some(40));
        let Points::After(all) = Points::early(1000) else { panic!("they are a list") };
        assert_eq!(all, [0, 1, 2, 5, 10, 20, 50, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000]);
        // A short training has fewer.
        assert_eq!(Points::early(3), Points::After(vec![0, 1, 2, 3]));
        assert!(!Points::Every(10).is_one(0) && Points::Every(10).is_one(20));
        assert_eq!(Points::Every(10).next(20), Some(30));
    }

    fn finished(plan: RunPlan) -> Run {
        let mut run = Run::new(plan).unwrap();
        while run.step().unwrap() != Status::Done {}
        run
    }

    #[test]
    fn measuring_changes_nothing_of_what_is_learned_and_takes_no_longer_than_it_may() {
        let seen = |run: &Run| run.curve().iter().map(|point| point.games).collect::<Vec<_>>();
        let often = finished(small(200, "random"));
        assert_eq!(seen(&often), [0, 1, 2, 4, 10, 20, 40, 60, 80, 100, 120, 140, 160, 180, 200]);
        assert!(often.curve().iter().all(|point| point.evaluations[0].games == 20));
        let once = finished(RunPlan { points: Points::Every(200), ..small(200, "random") });
        assert_eq!(often.start_values(), once.start_values());

        // A game for each seat, however little time there is.
        let time = MeasuringTime { share: 0.0, least: Duration::ZERO };
        let slow = RunPlan { game: "connect-four".into(), ..small(200, "mcts:sims=100000") };
        let hurried = finished(RunPlan { measuring_time: Some(time), ..slow });
        let last = hurried.curve().last().unwrap();
        assert_eq!(last.games, 200, "the end is measured in any case");
        assert!(hurried.curve().iter().all(|point| (2..20).contains(&point.evaluations[0].games)));
        assert!(hurried.curve().len() < 15, "points are left out where measuring takes too long");
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
            points: Points::Every(1000),
            measuring_time: None,
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
