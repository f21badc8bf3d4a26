//! An agent learns by playing against itself, and is measured now and then.
//!
//! Measuring goes on ply by ply, so that a run can be paused meanwhile, and takes a part of the time only: where games take
//! long a point of the curve has fewer of them, and a wider interval.
//!
//! All that it needs to go on is a checkpoint in a file, written every [`SAVED`] and when it pauses or ends.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use raichi_agents::options::OptionKind;
use raichi_agents::trained::presets::{self, Preset};
use raichi_agents::trained::{self, CurvePoint, Evaluation, LEARNERS, Plan, StoreError};
use raichi_agents::{Budget, CancelFlag, Prepared};
use raichi_arena::runner::{Runner, Step, Streams};
use raichi_arena::statistics::{Estimate, Mean};
use raichi_arena::training::{
    Evaluating, EvaluationError, EvaluationPlan, MeasuringTime, Points, Run, RunError, RunPlan, Starts, Status,
};
use raichi_core::AnyGame;
use raichi_core::game::Phase;
use raichi_core::seat::Viewer;
use serde_json::Value;

use super::message::{
    ExampleView, FrameView, LearnerView, LearnersView, MeasureView, MeasuringView, OptionKindView, OptionView,
    PlayedGameView, PointView, PresetView, RunProgress, RunRequest, SampleView, StartView, TrainingRequest,
    TrainingView,
};
use super::work::{Work, damaged, game, within};
use crate::agents::Engines;
use crate::error::Refusal;

const MOST_GAMES: u64 = 100_000_000;
const MOST_MEASURE_GAMES: u64 = 2_000;
/// An agent in training has at most so many weights, as the largest of the presets, that of 2048: with what is remembered of
/// each they take 1.6 GB, and three times as much more while a checkpoint is written.
const MOST_WEIGHTS: usize = 1 << 27;
/// How long a point of the curve may take to be measured.
const MEASURING: MeasuringTime = MeasuringTime { share: 0.05, least: Duration::from_secs(4) };
/// How long the measure at the end may take: so long, or a tenth of the training where that is more.
const LAST_MEASURE: MeasuringTime = MeasuringTime { share: 0.1, least: Duration::from_secs(60) };
/// For how long the measure at the end goes on at a time.
const STRETCH: Duration = Duration::from_millis(100);
/// How often all that is needed to go on is written.
const SAVED: Duration = Duration::from_secs(20);
/// A training learns from so many of its last positions at most: each has a few thousand bytes, in a checkpoint too.
const MOST_WINDOW: usize = 500_000;
/// Who writes a checkpoint, which takes several times an agent's size in memory: one at a time.
static SAVING: Mutex<()> = Mutex::new(());
/// Plies of a game that is shown.
const MOST_SHOWN: usize = 200;
/// A game with secrets is played to its end to be shown, but not for more plies than this.
const MOST_PLAYED: usize = 20_000;
/// Games for a point of the curve where a preset does not say.
const USUAL_MEASURE_GAMES: u64 = 200;

/// A training in progress.
pub(super) struct Training {
    run: Run,
    file: Option<PathBuf>,
    saved_at: Instant,
    /// The opponent, for people.
    against: String,
    /// What the whole measure means, where a point of the curve has only a part of it.
    whole: Option<EvaluationPlan>,
    /// The whole measure, while its games are played, and what it has taken.
    finishing: Option<(Evaluating, Duration)>,
    last: Option<Evaluation>,
    /// A game against itself that is played to be shown.
    playing: Option<Playing>,
    sample: Option<SampleView>,
    is_over: bool,
}

/// A game against itself.
struct Playing {
    /// After so many games of training.
    games: u64,
    runner: Runner,
    /// After how many plies it is broken off.
    most: usize,
}

impl Training {
    pub(super) fn begin(
        request: &TrainingRequest,
        file: Option<PathBuf>,
        engines: &Engines,
    ) -> Result<Training, Refusal> {
        let plan = plan(request, "", engines)?;
        check_size(&plan)?;
        let whole = matches!(plan.evaluations[0].starts, Starts::All)
            .then(|| EvaluationPlan { games: None, ..plan.evaluations[0].clone() });
        let run = match file.as_deref().filter(|file| file.exists()) {
            Some(file) => Run::resume(plan, file)?,
            None => Run::new(plan)?,
        };
        let against = engines.name_of(&request.against);
        let saved_at = Instant::now();
        Ok(Training {
            run,
            file,
            saved_at,
            against,
            whole,
            finishing: None,
            last: None,
            playing: None,
            sample: None,
            is_over: false,
        })
    }

    /// The next thing that is to be done, for a quarter of a second or so.
    fn step(&mut self) -> Result<(), Refusal> {
        if let Some(playing) = self.playing.take() {
            return self.play(playing);
        }
        match self.run.step()? {
            Status::Training | Status::Measuring => {}
            Status::Point(_) => self.playing = Some(self.game_against_itself()),
            Status::Done => self.finish()?,
        }
        Ok(())
    }

    /// A game against itself, to be shown.
    fn game_against_itself(&self) -> Playing {
        let agent = self.run.agent();
        let start = self.run.game().new_match();
        let most = if start.facts().hidden { MOST_PLAYED } else { MOST_SHOWN };
        let seats: Vec<Option<Arc<dyn Prepared>>> =
            (0..start.facts().n_seats).map(|_| Some(Arc::clone(&agent))).collect();
        let games = self.run.progress().games;
        Playing { games, runner: Runner::new(start, &seats, Streams::new(games)), most }
    }

    /// Makes a ply of it; at its end its first plies are shown.
    fn play(&mut self, mut playing: Playing) -> Result<(), Refusal> {
        if playing.runner.current.n_plies() < playing.most && playing.runner.step(&mut ())? == Step::Played {
            self.playing = Some(playing);
            return Ok(());
        }
        let current = &*playing.runner.current;
        // What is hidden is shown of games that are over only.
        if !current.facts().hidden || current.phase() == Phase::Over {
            let plies = current.plies().iter().take(MOST_SHOWN).map(|ply| ply.token(Viewer::Referee)).collect();
            self.sample = Some(SampleView { games: playing.games, plies });
        }
        Ok(())
    }

    /// What actions are worth at the start of the game, as far as it has learned.
    fn start(&self) -> Option<StartView> {
        let start = self.run.game().new_match();
        let Phase::Act(seats) = start.phase() else { return None };
        let seat = seats.first();
        let advice = self.run.agent().open(0).decide(&*start, seat, Budget::UNLIMITED).ok()?;
        let touches = start.touches(seat);
        let mut marks: Vec<(String, f64)> = Vec::new();
        for candidate in &advice.candidates {
            let first = touches.iter().find(|touch| touch.action == candidate.action).and_then(|one| one.path.first());
            let (Some(first), Some(&value)) = (first, candidate.values.get(seat)) else { continue };
            match marks.iter_mut().find(|(id, _)| id == first) {
                Some((_, best)) => *best = best.max(value),
                None => marks.push((first.clone(), value)),
            }
        }
        Some(StartView { seat, marks, best: advice.action })
    }

    /// Measures what was learned in all games that the measure means, for a while.
    fn finish(&mut self) -> Result<(), Refusal> {
        let Some(plan) = &self.whole else {
            self.is_over = true;
            return Ok(());
        };
        let (mut evaluating, before) = match self.finishing.take() {
            Some(finishing) => finishing,
            None => (Evaluating::begin(self.run.game(), &self.run.agent(), plan)?, Duration::ZERO),
        };
        let begun = Instant::now();
        let enough = || begun.elapsed() >= STRETCH;
        evaluating.go_on(self.run.exact_starts(), 1, &self.run.cancel_flag(), &enough, &|_, _| ())?;
        let took = before + begun.elapsed();
        self.is_over = evaluating.is_over() || took >= LAST_MEASURE.at(self.run.progress().elapsed);
        // A part of the games would not say more than the last point does.
        self.last = evaluating.is_over().then(|| evaluating.evaluation());
        self.finishing = Some((evaluating, took)).filter(|_| !self.is_over);
        Ok(())
    }

    fn measuring(&self) -> Option<MeasuringView> {
        match &self.finishing {
            Some((evaluating, _)) => {
                Some(MeasuringView { n_over: evaluating.n_over(), n_games: evaluating.n_games(), is_final: true })
            }
            None => self.run.measuring().map(|(n_over, n_games)| MeasuringView { n_over, n_games, is_final: false }),
        }
    }
}

/// What is asked for, as arena has it; the agent has this name.
fn plan(request: &TrainingRequest, name: &str, engines: &Engines) -> Result<RunPlan, Refusal> {
    within("games", request.games, 1, MOST_GAMES)?;
    within("measure_games", request.measure_games, 1, MOST_MEASURE_GAMES)?;
    let game = game(&request.game)?;
    let wrong =
        |param: &str, message: String| Refusal { param: Some(param.into()), ..Refusal::new("run/measure", message) };
    let starts = Starts::parse(&request.starts)
        .ok_or_else(|| wrong("starts", format!("`{}` is none of start, plies:N and all", request.starts)))?;
    let is_of_a_preset = presets::of(game.spec()).iter().any(|preset| measure_of(preset).against == request.against);
    let against = if is_of_a_preset { request.against.clone() } else { engines.in_a_run(&request.against)? };
    let evaluation = EvaluationPlan {
        against,
        starts,
        seat: request.seat,
        games: Some(request.measure_games),
        seed: request.seed.into(),
    };
    let learner = trained::canonical_learner(&request.learner)?;
    let command =
        format!("raichi train {} --agent {learner} --games {} --seed {}", game.spec(), request.games, request.seed);
    Ok(RunPlan {
        game: game.spec().into(),
        training: Plan { agent: learner, seed: request.seed.into(), games: request.games, starts: Vec::new() },
        evaluations: vec![evaluation],
        points: Points::early(request.games),
        measuring_time: Some(MEASURING),
        until: None,
        n_threads: 1,
        name: name.into(),
        command,
    })
}

/// Refuses an agent that is too large. Memory is taken as positions touch weights, so that finding this out takes little.
fn check_size(plan: &RunPlan) -> Result<(), Refusal> {
    let refuse = |why: String| Refusal { param: Some("learner".into()), ..Refusal::new("run/too-large", why) };
    let mut options = plan.training.agent.split([':', ',']);
    let window = options.find_map(|option| option.strip_prefix("window=")?.parse::<usize>().ok());
    if let Some(window) = window.filter(|&window| window > MOST_WINDOW) {
        return Err(refuse(format!("window={window}: in the lab at most {MOST_WINDOW} positions are learned from")));
    }
    let begun = trained::begin(&game(&plan.game)?, &plan.training, None);
    let n_weights = begun.map_err(|why| Refusal { param: Some("learner".into()), ..why.into() })?.n_weights();
    if n_weights > MOST_WEIGHTS {
        let why = format!("this agent would have {n_weights} weights, and in the lab it may have {MOST_WEIGHTS}");
        return Err(refuse(format!("{why}; fewer or shorter tuples make it smaller")));
    }
    Ok(())
}

impl Work for Training {
    fn advance(&mut self, enough: &mut dyn FnMut() -> bool) -> Result<Vec<String>, Refusal> {
        while !self.is_over && !enough() && !self.run.cancel_flag().is_cancelled() {
            self.step()?;
        }
        if self.saved_at.elapsed() >= SAVED {
            // Where another one is being written this one waits for a later slice.
            match SAVING.try_lock() {
                Err(TryLockError::WouldBlock) => {}
                _turn => self.write()?,
            }
        }
        Ok(Vec::new())
    }

    fn cancel_flag(&self) -> Option<CancelFlag> {
        Some(self.run.cancel_flag())
    }

    fn is_over(&self) -> bool {
        self.is_over
    }

    fn n_done(&self) -> u64 {
        self.run.progress().games
    }

    fn n_total(&self) -> Option<u64> {
        Some(self.run.progress().planned)
    }

    fn progress(&self) -> RunProgress {
        let (game, progress) = (self.run.game().as_ref(), self.run.progress());
        let points = self.run.curve();
        RunProgress::Training(Box::new(TrainingView {
            of: PlayedGameView::of(game),
            learner: self.run.plan().training.agent.clone(),
            against: self.against.clone(),
            payoff_range: game.facts().payoff_range,
            plies: progress.plies,
            plies_per_second: progress.plies_per_second(),
            seconds_left: self.run.time_left().map(|left| left.as_secs_f64()),
            measuring: self.measuring(),
            points: points.iter().enumerate().filter_map(|(i, point)| told(point, speed(points, i))).collect(),
            last: self.last.as_ref().map(measured),
            start: self.start(),
            sample: self.sample.clone(),
        }))
    }

    fn save(&mut self) -> Result<(), Refusal> {
        let _turn = SAVING.lock().unwrap_or_else(PoisonError::into_inner);
        self.write()
    }
}

impl Training {
    /// Writes all that is needed to go on.
    fn write(&mut self) -> Result<(), Refusal> {
        if let Some(file) = &self.file {
            let folder = file.parent().map_or(Ok(()), std::fs::create_dir_all);
            folder.map_err(|why| {
                tracing::error!(%why, "there is no folder for checkpoints");
                Refusal::new("run/not-kept", "the server cannot keep what was learned: its disk does not take it")
            })?;
            self.run.checkpoint(file)?;
        }
        self.saved_at = Instant::now();
        Ok(())
    }
}

/// Plies a second since the point before. Before the first game there is no speed: that of the first games stands for it.
fn speed(points: &[CurvePoint], i: usize) -> f64 {
    let i = if points[i].games == 0 { (i + 1).min(points.len() - 1) } else { i };
    let (plies, seconds) = i.checked_sub(1).map_or((0, 0.0), |before| (points[before].plies, points[before].seconds));
    let took = points[i].seconds - seconds;
    if took > 0.0 { (points[i].plies - plies) as f64 / took } else { 0.0 }
}

fn told(point: &CurvePoint, plies_per_second: f64) -> Option<PointView> {
    Some(PointView {
        games: point.games,
        seconds: point.seconds,
        plies_per_second,
        start_values: point.start_values.clone(),
        measure: measured(point.evaluations.first()?),
    })
}

pub(super) fn measured(evaluation: &Evaluation) -> MeasureView {
    let Evaluation { against, starts, score, interval, kept, kept_interval, games, wins, draws, losses, .. } =
        evaluation.clone();
    // Earlier versions kept no interval.
    let share = |kept: f64| match kept_interval {
        Some([low, high]) => Estimate { value: kept, low, high }.into(),
        None => Estimate::proportion((kept * games as f64).round(), games as usize).into(),
    };
    MeasureView {
        against,
        starts,
        score: Mean { value: score, interval }.into(),
        kept: kept.filter(|_| games > 0).map(share),
        games,
        wins,
        draws,
        losses,
    }
}

/// Keeps what was learned as an agent of this name.
pub(super) fn keep(request: &TrainingRequest, file: &Path, name: &str, engines: &Engines) -> Result<(), Refusal> {
    trained::store::check_name(name)?;
    if trained::store::list().iter().any(|place| place.name == name) {
        return Err(StoreError::Taken { name: name.into() }.into());
    }
    let run = Run::resume(plan(request, name, engines)?, file)?;
    run.keep(None)?;
    Ok(())
}

/// The positions of the game that is to be shown.
pub(super) fn frames(request: &RunRequest, progress: Option<&Value>) -> Result<Vec<FrameView>, Refusal> {
    let RunRequest::Training(request) = request else {
        return Err(Refusal::new("run/no-games", "only a training shows a game"));
    };
    let plies = progress.and_then(|progress| progress["sample"]["plies"].as_array());
    let plies = plies.ok_or_else(|| Refusal::new("run/no-games", "no game has been played yet that could be shown"))?;
    let mut current = game(&request.game)?.new_match();
    let frame = |current: &dyn raichi_core::AnyMatch| FrameView {
        picture: current.picture(Viewer::Referee),
        last: current.last_marks(Viewer::Referee),
    };
    let mut frames = vec![frame(&*current)];
    for ply in plies.iter().filter_map(Value::as_str) {
        current.play_token(ply).map_err(|why| damaged(why.to_string()))?;
        frames.push(frame(&*current));
    }
    Ok(frames)
}

/// What can learn this game, with the presets for it.
pub(super) fn learners(game: &dyn AnyGame, engines: &Engines) -> LearnersView {
    let option = |option: &raichi_agents::options::AgentOption| OptionView {
        name: option.name,
        kind: match option.kind {
            OptionKind::Int { min, max } => OptionKindView::Number { min: min as f64, max: max as f64, whole: true },
            OptionKind::Decimal { min, max } => OptionKindView::Number { min, max, whole: false },
            OptionKind::Choice { options } => OptionKindView::Choice { options: options.to_vec() },
            _ => OptionKindView::Text,
        },
        default: option.default,
        help: option.help,
    };
    let learner = |kind: &trained::LearnerKind| LearnerView {
        learner: kind.id,
        name: kind.name,
        help: kind.help,
        options: kind.options.iter().map(option).collect(),
    };
    LearnersView {
        learners: LEARNERS.iter().map(learner).collect(),
        presets: presets::of(game.spec()).into_iter().map(|preset| told_preset(preset, game.spec())).collect(),
        opponents: engines.able_in_a_run(game),
    }
}

/// The first preset of all.
pub(super) fn example() -> Option<ExampleView> {
    let preset = presets::all().first()?;
    let name = raichi_games::game(&preset.game).ok()?.name().to_string();
    Some(ExampleView { name, preset: told_preset(preset, &preset.game) })
}

fn told_preset(preset: &Preset, game: &str) -> PresetView {
    let Measure { against, starts, seat, games } = measure_of(preset);
    PresetView {
        name: preset.name.clone(),
        time: preset.time.clone(),
        request: TrainingRequest {
            game: game.into(),
            learner: preset.agent.clone(),
            games: preset.games,
            seed: 1,
            against,
            starts,
            seat,
            measure_games: games.unwrap_or(USUAL_MEASURE_GAMES).min(MOST_MEASURE_GAMES),
        },
    }
}

/// How a preset is measured.
struct Measure {
    against: String,
    starts: String,
    seat: Option<usize>,
    games: Option<u64>,
}

/// Reads `against perfect --starts all --seat 0 --games 100`.
fn measure_of(preset: &Preset) -> Measure {
    let mut measure = Measure { against: "random".into(), starts: "start".into(), seat: None, games: None };
    let mut words = preset.eval.as_deref().unwrap_or_default().split_whitespace();
    while let Some(key) = words.next() {
        let Some(value) = words.next() else { break };
        match key {
            "against" => measure.against = value.into(),
            "--starts" => measure.starts = value.into(),
            "--seat" => measure.seat = value.parse().ok(),
            "--games" => measure.games = value.parse().ok(),
            _ => {}
        }
    }
    measure
}

impl From<RunError> for Refusal {
    fn from(error: RunError) -> Refusal {
        match error {
            RunError::Game(error) => error.into(),
            RunError::Agent(error) => error.into(),
            RunError::Evaluation(error) => error.into(),
            RunError::Store(error) => error.into(),
            RunError::Goal { .. } => Refusal::new("run/measure", error.to_string()),
            RunError::Diverged { .. } => Refusal::new("run/diverged", error.to_string()),
            RunError::Checkpoint { why, .. } => damaged(why),
        }
    }
}

impl From<EvaluationError> for Refusal {
    fn from(error: EvaluationError) -> Refusal {
        match error {
            EvaluationError::Agent(error) => error.into(),
            error => Refusal::new("run/measure", error.to_string()),
        }
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Refusal {
        match &error {
            // Where the folder lies is nobody's business.
            StoreError::Io { .. } | StoreError::NoFolder => {
                tracing::error!(%error, "the folder of trained agents cannot be used");
                Refusal::new("agent/not-kept", "the server's folder of trained agents cannot be used")
            }
            StoreError::Unknown { .. } => Refusal::new("agent/unknown", error.to_string()),
            StoreError::NoName { .. } | StoreError::Reserved { .. } => {
                Refusal { param: Some("name".into()), ..Refusal::new("agent/no-name", error.to_string()) }
            }
            StoreError::Taken { .. } => {
                Refusal { param: Some("name".into()), ..Refusal::new("agent/taken", error.to_string()) }
            }
            StoreError::Shipped { .. } | StoreError::File { .. } => Refusal::new("agent/refused", error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(games: u64, plies: u64, seconds: f64) -> CurvePoint {
        CurvePoint { games, plies, seconds, start_values: Vec::new(), evaluations: Vec::new() }
    }

    #[test]
    fn a_point_before_the_first_game_has_the_speed_of_the_first_games() {
        let points = [point(0, 0, 0.0), point(10, 90, 1.0), point(20, 290, 2.0)];
        assert_eq!([0, 1, 2].map(|i| speed(&points, i)), [90.0, 90.0, 200.0]);
        assert_eq!(speed(&points[..1], 0), 0.0);
    }

    #[test]
    fn presets_are_asked_for_as_they_are_measured() {
        for preset in presets::all() {
            let PresetView { request, .. } = told_preset(preset, &preset.game);
            assert!(Starts::parse(&request.starts).is_some(), "{}: {}", preset.game, request.starts);
            let game = raichi_games::game(&request.game).unwrap();
            raichi_agents::prepare(&game, &request.against).unwrap();
            trained::canonical_learner(&request.learner).unwrap();
            // The lab takes what it offers.
            let plan = Plan { agent: request.learner, seed: 1, games: request.games, starts: Vec::new() };
            let n_weights = trained::begin(&game, &plan, None).unwrap().n_weights();
            assert!(n_weights <= MOST_WEIGHTS, "{}: {} has {n_weights} weights", preset.game, preset.name);
        }
        let example = example().unwrap();
        assert_eq!(
            (example.preset.request.starts.as_str(), example.preset.request.against.as_str()),
            ("all", "perfect")
        );
    }
}
