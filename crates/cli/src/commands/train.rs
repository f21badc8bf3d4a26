//! `raichi train GAME`: an agent that learns by playing against itself.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use raichi_agents::trained::{CurvePoint, Evaluation, Manifest, Plan, canonical_learner, presets, store};
use raichi_agents::{CancelFlag, canonical};
use raichi_arena::report::training::spread;
use raichi_arena::training::{EvaluationPlan, Goal, Points, Run, RunError, RunPlan, Status, USUAL_GAMES};
use raichi_core::AnyGame;
use serde_json::json;

use super::eval::read_plan;
use crate::args::GameSpec;
use crate::failure::Failure;
use crate::output::{Output, complain};
use crate::trained::{cancel_and_say, failure, sentence};

/// Train an agent: it plays against itself, and is evaluated now and then.
///
/// Without --agent a preset is trained: options that work for the game. Ctrl-C saves; the same command goes on where it was
/// stopped, and with one thread it ends with the same weights as if it had never been stopped.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  raichi train tic-tac-toe --out three
  raichi train connect-four --preset quick --out four --threads 2
  raichi train connect-four --agent ntuple:tuples=70x8,below=support,tcl=exp --games 500000 \\
      --eval \"against perfect --seat 0 --games 50\" --until \"score>=0.9 against perfect\" --out four
  raichi train connect-four --agent alphazero:width=64,blocks=4,sims=64 --games 20000 --out zero
  raichi train hex:size=4 --out hexes --runs 3 --json | tee curve.jsonl
  raichi play connect-four --seat human --seat trained:four")]
pub(crate) struct Args {
    /// The game, with its parameters.
    #[arg(value_parser = GameSpec, hide_possible_values = true)]
    game: Arc<dyn AnyGame>,

    #[command(flatten)]
    pub(super) learning: Learning,

    /// The trained agent's name; the game's id where not given.
    #[arg(long, value_name = "NAME")]
    out: Option<String>,

    /// How many runs, with seeds one after the other; the names of all but the first end in -2, -3, …
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=100))]
    runs: u64,

    /// Begin anew even where a training of this name was stopped, and replace a trained agent of this name. One of the same
    /// game, options and seed, and no more games, is replaced without it.
    #[arg(long)]
    restart: bool,

    /// Keep weights as whole numbers of so many bits: files are smaller, values a little coarser.
    #[arg(long, value_name = "8|16", value_parser = ["8", "16"])]
    bits: Option<String>,

    /// Seconds between two checkpoints.
    #[arg(long, value_name = "SECONDS", default_value_t = 120, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    checkpoint: u64,

    /// Write the curve as JSON, a line for each point.
    #[arg(long)]
    json: bool,
}

/// What learns, and how it is measured.
#[derive(clap::Args)]
pub(super) struct Learning {
    /// What learns, with its options: `ntuple`, like ntuple:tuples=70x8,tcl=exp, or `alphazero`, like alphazero:sims=64.
    /// docs/learning.md lists them.
    #[arg(long, value_name = "SPEC")]
    pub(super) agent: Option<String>,

    /// Options that work for the game: good; quick or alphazero where it has them.
    #[arg(long, value_name = "NAME", conflicts_with = "agent")]
    preset: Option<String>,

    /// How many games of training; as many as the preset says, or 100000.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000))]
    games: Option<u64>,

    /// Stop as soon as this is reached: "kept>=0.95 against perfect", or score in place of kept.
    #[arg(long, value_name = "GOAL", value_parser = Goal::parse)]
    until: Option<Goal>,

    /// What is measured at each point of the curve: "against perfect --starts plies:2 --games 200 --seat 0"; may be given
    /// several times.
    #[arg(long, value_name = "EVALUATION")]
    eval: Vec<String>,

    /// Games of training between two points of the curve; a tenth of all where not given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    eval_every: Option<u64>,

    /// How many threads train. With more than one what ntuple learns differs from time to time; alphazero learns the same.
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(super) threads: u16,

    /// Games of training begin with these positions, a line each.
    #[arg(long, value_name = "FILE")]
    starts: Option<PathBuf>,

    /// Decides everything, with one thread.
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub(super) seed: u64,
}

impl Learning {
    /// The seeds of so many runs.
    ///
    /// # Errors
    /// Where they would pass the greatest.
    pub(super) fn seeds(&self, runs: u64) -> Result<Range<u64>, Failure> {
        let end = self.seed.checked_add(runs).ok_or_else(|| {
            let why = format!("--seed {}: the seeds of {runs} runs would pass {}", self.seed, u64::MAX);
            Failure::Usage(why)
        });
        Ok(self.seed..end?)
    }

    /// The plan for a run of this seed and name.
    pub(super) fn plan(&self, game: &dyn AnyGame, seed: u64, name: &str) -> Result<RunPlan, Failure> {
        let known = presets::of(game.spec());
        let wanted = self.preset.as_deref().unwrap_or("good");
        let preset = known.iter().find(|preset| preset.name == wanted);
        if preset.is_none() && self.agent.is_none() {
            let names: Vec<&str> = known.iter().map(|preset| preset.name.as_str()).collect();
            let there = if names.is_empty() { "it has none".into() } else { format!("there is {}", names.join(", ")) };
            return Err(Failure::Usage(format!("--preset {wanted}: {} has no such preset; {there}", game.spec())));
        }
        let agent = match (&self.agent, preset) {
            (Some(agent), _) => agent.clone(),
            (None, preset) => preset.map(|preset| preset.agent.clone()).unwrap_or_default(),
        };
        let games = match (self.games, preset.filter(|_| self.agent.is_none())) {
            (Some(games), _) => games,
            (None, Some(preset)) => preset.games,
            (None, None) => 100_000,
        };
        let starts = match &self.starts {
            None => Vec::new(),
            Some(path) => {
                let text = std::fs::read_to_string(path).map_err(|why| Failure::file(path, "read", why))?;
                let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
                let starts: Vec<String> = lines.map(String::from).collect();
                if starts.is_empty() {
                    return Err(Failure::Usage(format!("--starts {}: it has no line with a position", path.display())));
                }
                starts
            }
        };
        let usual = preset.and_then(|preset| preset.eval.clone());
        Ok(RunPlan {
            game: game.spec().into(),
            training: Plan { agent, seed, games, starts },
            evaluations: self.evaluations(game, usual.as_deref())?,
            points: Points::Every(self.eval_every.unwrap_or_else(|| games.div_ceil(10))),
            measuring_time: None,
            until: self.until.clone(),
            n_threads: self.threads.into(),
            name: name.into(),
            command: String::new(),
        })
    }

    /// The command that trains this agent again. What is measured matters only where that may end the training.
    fn command(&self, plan: &RunPlan) -> String {
        let agent = canonical_learner(&plan.training.agent).unwrap_or_default();
        let Plan { games, seed, .. } = plan.training;
        let mut command = format!("raichi train {} --agent {agent} --games {games} --seed {seed}", plan.game);
        if let Some(path) = &self.starts {
            command += &format!(" --starts {}", quoted(&path.to_string_lossy()));
        }
        if let Some(goal) = &plan.until {
            command += &format!(" --until {}", quoted(&goal.text()));
            self.eval.iter().for_each(|eval| command += &format!(" --eval {}", quoted(eval)));
            self.eval_every.iter().for_each(|every| command += &format!(" --eval-every {every}"));
        }
        command
    }

    fn evaluations(&self, game: &dyn AnyGame, usual: Option<&str>) -> Result<Vec<EvaluationPlan>, Failure> {
        let mut plans = self.eval.iter().map(|text| read_plan(text, game)).collect::<Result<Vec<_>, _>>()?;
        if plans.is_empty() {
            plans.push(read_plan(usual.unwrap_or("random"), game)?);
        }
        if let Some(goal) = &self.until
            && !plans.iter().any(|plan| plan.against == goal.against)
        {
            plans.push(read_plan(&goal.against, game)?);
        }
        Ok(plans)
    }
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let name = args.out.clone().unwrap_or_else(|| args.game.id().into());
    let (bar, cancel) = (progress(), CancelFlag::default());
    let shown = bar.clone();
    // The games of training in progress are played to their end first.
    cancel_and_say(cancel.clone(), move || shown.suspend(|| complain("note: saving …; a second Ctrl-C ends without")));
    let mut last = Vec::new();
    let seeds = args.learning.seeds(args.runs)?;
    for (number, seed) in seeds.enumerate() {
        let name = if number == 0 { name.clone() } else { format!("{name}-{}", number + 1) };
        store::check_name(&name).map_err(failure)?;
        let mut plan = args.learning.plan(&*args.game, seed, &name)?;
        plan.command = args.learning.command(&plan);
        if let Some(there) = trained_before(args, &plan)? {
            complain(format_args!(
                "note: {name} is trained already, of {} games; --restart trains it again",
                there.games
            ));
            last.extend(there.curve.last().cloned());
            continue;
        }
        match train(args, plan, &bar, &cancel)? {
            Ended::Done(point) => last.extend(point),
            Ended::Stopped => return Ok(()),
        }
    }
    if args.runs > 1 && !args.json {
        print_spread(&last)?;
    }
    Ok(())
}

/// As one word of a shell.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.into()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

enum Ended {
    Done(Option<CurvePoint>),
    Stopped,
}

/// Where a training that was stopped lies.
fn checkpoint_of(name: &str) -> Result<PathBuf, Failure> {
    let folder = store::folder().map_err(failure)?.join(".training");
    std::fs::create_dir_all(&folder).map_err(|why| Failure::file(&folder, "made", why))?;
    Ok(folder.join(format!("{name}.zip")))
}

fn begin(args: &Args, plan: RunPlan, checkpoint: &Path) -> Result<Run, Failure> {
    if args.restart || !checkpoint.exists() {
        refuse_to_replace(args, &plan)?;
        return Run::new(plan).map_err(failed);
    }
    let run = Run::resume(plan, checkpoint).map_err(failed)?;
    complain(format_args!("note: going on after {} games; --restart begins anew", run.progress().games));
    Ok(run)
}

/// Of several runs, one that ended before the others were stopped.
fn trained_before(args: &Args, plan: &RunPlan) -> Result<Option<Manifest>, Failure> {
    if args.runs == 1 || args.restart || checkpoint_of(&plan.name)?.exists() {
        return Ok(None);
    }
    let Ok(there) = store::manifest(&plan.name) else { return Ok(None) };
    let is_reached = |goal: &Goal| there.evaluations.iter().any(|evaluation| goal.is_reached(evaluation));
    let has_ended = there.games == plan.training.games || plan.until.as_ref().is_some_and(is_reached);
    let is_run = has_ended && is_of_the_same(&there, plan)? && is_measured_so(&there, plan);
    Ok(is_run.then_some(there))
}

/// Whether an agent was measured at its end as the plan says, and by nothing else.
fn is_measured_so(there: &Manifest, plan: &RunPlan) -> bool {
    let is_so = |(wanted, found): (&EvaluationPlan, &Evaluation)| {
        let against = canonical(&wanted.against).unwrap_or_else(|_| wanted.against.clone());
        let n_games = wanted.games.unwrap_or(USUAL_GAMES);
        // Of a list or of all positions each begins a game where no number is said.
        let has_games = found.games == n_games || wanted.games.is_none() && wanted.starts.is_list();
        has_games && (&found.against, &found.starts, found.seat) == (&against, &wanted.starts.text(), wanted.seat)
    };
    there.evaluations.len() == plan.evaluations.len() && plan.evaluations.iter().zip(&there.evaluations).all(is_so)
}

/// Whether an agent was trained for the same game, with the same options, seed and starts.
fn is_of_the_same(there: &Manifest, plan: &RunPlan) -> Result<bool, Failure> {
    let agent = canonical_learner(&plan.training.agent).map_err(|why| Failure::Usage(why.to_string()))?;
    let is_of_the_game = (there.game.as_str(), &there.agent) == (plan.game.as_str(), &agent);
    let begins_so = (there.seed, &there.starts_sha256) == (plan.training.seed, &plan.training.starts_sum());
    Ok(is_of_the_game && begins_so)
}

/// A trained agent is replaced only by one of the same game, options, seed and starts, of as many games or more.
fn refuse_to_replace(args: &Args, plan: &RunPlan) -> Result<(), Failure> {
    let Ok(there) = store::manifest(&plan.name) else { return Ok(()) };
    let is_same = is_of_the_same(&there, plan)?;
    // A training may have ended before all its games, by --until: so not as many exactly.
    let is_replaced = is_same && plan.training.games >= there.games;
    if is_replaced || args.restart || store::list().iter().any(|place| place.name == plan.name && place.shipped) {
        return Ok(());
    }
    let name = &plan.name;
    Err(Failure::Usage(format!(
        "there is a trained agent {name} already, of {} games of {} with {}; choose another name with --out, or --restart to \
         replace it",
        there.games, there.game, there.agent
    )))
}

fn train(args: &Args, plan: RunPlan, bar: &ProgressBar, cancel: &CancelFlag) -> Result<Ended, Failure> {
    let checkpoint = checkpoint_of(&plan.name)?;
    let mut run = begin(args, plan, &checkpoint)?;
    run.cancel_by(cancel.clone());
    bar.reset();
    bar.set_length(run.progress().planned);
    let every = Duration::from_secs(args.checkpoint);
    let mut saved = Instant::now();
    let mut last = run.curve().last().cloned();
    loop {
        match run.step().map_err(failed)? {
            Status::Done => break,
            Status::Training | Status::Measuring => {}
            Status::Point(point) => {
                bar.suspend(|| print_point(args, &run, &point))?;
                last = Some(point);
            }
        }
        show(bar, &run, last.as_ref());
        if cancel.is_cancelled() {
            run.checkpoint(&checkpoint).map_err(failed)?;
            bar.finish_and_clear();
            let games = run.progress().games;
            complain(format_args!("note: saved after {games} games; the same command goes on"));
            return Ok(Ended::Stopped);
        }
        if saved.elapsed() >= every {
            run.checkpoint(&checkpoint).map_err(failed)?;
            saved = Instant::now();
        }
    }
    bar.finish_and_clear();
    run.keep(args.bits.as_deref().and_then(|bits| bits.parse().ok())).map_err(failed)?;
    // The agent is kept; what was needed to go on is not needed any more.
    let _ = std::fs::remove_file(&checkpoint);
    if !args.json {
        let progress = run.progress();
        let reached = if run.is_reached() { ", goal reached" } else { "" };
        Output::new().line(format_args!(
            "{} is trained: {} games, {:.1} s, {:.0} plies/s{reached}; it plays as trained:{0}",
            run.plan().name,
            progress.games,
            progress.elapsed.as_secs_f64(),
            progress.plies_per_second(),
        ))?;
    }
    Ok(Ended::Done(last))
}

fn print_point(args: &Args, run: &Run, point: &CurvePoint) -> Result<(), Failure> {
    let mut out = Output::new();
    if args.json {
        let speed = if point.seconds > 0.0 { point.plies as f64 / point.seconds } else { 0.0 };
        return out.line(json!({
            "name": run.plan().name,
            "game": run.plan().game,
            "agent": canonical_learner(&run.plan().training.agent).unwrap_or_default(),
            "seed": run.plan().training.seed,
            "games": point.games,
            "plies": point.plies,
            "seconds": point.seconds,
            "plies_per_second": speed,
            "start_values": point.start_values,
            "evaluations": point.evaluations,
        }));
    }
    let evaluations: Vec<String> = point.evaluations.iter().map(sentence).collect();
    out.line(format_args!("{:>9} games, {:>7.1} s: {}", point.games, point.seconds, evaluations.join("; ")))
}

fn print_spread(points: &[CurvePoint]) -> Result<(), Failure> {
    let Some(first) = points.first() else { return Ok(()) };
    for (i, evaluation) in first.evaluations.iter().enumerate() {
        let of = |value: &dyn Fn(&Evaluation) -> Option<f64>| {
            points.iter().map(|point| point.evaluations.get(i).and_then(value)).collect::<Option<Vec<f64>>>()
        };
        let scores = of(&|evaluation| Some(evaluation.score)).unwrap_or_default();
        let kept = of(&|evaluation| evaluation.kept).map_or(String::new(), |kept| format!(", kept {}", spread(&kept)));
        let runs = points.len();
        let text = format!("{runs} runs against {}: score {}{kept}", evaluation.against, spread(&scores));
        Output::new().line(text)?;
    }
    Ok(())
}

fn show(bar: &ProgressBar, run: &Run, last: Option<&CurvePoint>) {
    let progress = run.progress();
    bar.set_position(progress.games);
    let left = run.time_left().map_or(String::new(), |left| {
        format!(", {} left", humantime::format_duration(Duration::from_secs(left.as_secs())))
    });
    let evaluation = last.and_then(|point| point.evaluations.first());
    let evaluation = evaluation.map_or(String::new(), |evaluation| match evaluation.kept {
        Some(kept) => format!(", kept {kept:.3} against {}", evaluation.against),
        None => format!(", score {:.3} against {}", evaluation.score, evaluation.against),
    });
    let now = match run.measuring() {
        Some((n_over, n_games)) => format!("measuring in game {} of {n_games}", (n_over + 1).min(n_games)),
        None => format!("{:.0} plies/s", progress.plies_per_second()),
    };
    bar.set_message(format!("{now}{left}{evaluation}"));
}

pub(super) fn failed(why: RunError) -> Failure {
    match why {
        RunError::Store(why) => failure(why),
        RunError::Checkpoint { .. } | RunError::Diverged { .. } => Failure::Refused(why.to_string()),
        RunError::Evaluation(why) => Failure::Usage(format!("what is evaluated (--eval, --until): {why}")),
        _ => Failure::Usage(why.to_string()),
    }
}

fn progress() -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:24} {pos}/{len} games, {wide_msg}");
    ProgressBar::new(0).with_style(style.expect("the template is well-formed"))
}
