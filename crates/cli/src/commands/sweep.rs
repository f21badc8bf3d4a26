//! `raichi sweep GAME`: which options of a learner matter.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use raichi_agents::CancelFlag;
use raichi_agents::trained::canonical_learner;
use raichi_arena::contest::{Opening, Openings};
use raichi_arena::report::training::spread;
use raichi_arena::statistics::Spread;
use raichi_arena::training::{Points, Run, RunPlan, Starts, Status};
use raichi_core::AnyGame;
use raichi_core::random::{index, mix, stream};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::train::{Learning, failed};
use crate::args::GameSpec;
use crate::failure::Failure;
use crate::output::{Output, check_writable, complain, write_whole};
use crate::palette::{BOLD, paint};
use crate::trained::cancel_and_say;

/// Vary options of a learner, train each variant, and report which options matter.
///
/// Every combination of the values is trained, or so many drawn at random. What is compared is the first evaluation at the
/// end of the training; no agent is kept. Ctrl-C reports what is known so far; with --out the same command goes on from there.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  raichi sweep tic-tac-toe --agent ntuple:tuples=1x9 --games 5000 \\
      --vary alpha=0.5,1 --vary lambda=0,0.5
  raichi sweep connect-four --agent ntuple:tuples=70x6,below=support --games 50000 \\
      --vary tcl=none,id,exp --vary alpha=0.5,1,4 --random 6 --runs 3 \\
      --eval \"against mcts:sims=200 --games 50\" --out sweep.jsonl")]
pub(crate) struct Args {
    /// The game, with its parameters.
    #[arg(value_parser = GameSpec, hide_possible_values = true)]
    game: Arc<dyn AnyGame>,

    #[command(flatten)]
    learning: Learning,

    /// An option and its values: alpha=0.5,1,2; may be given several times.
    #[arg(long, value_name = "KEY=VALUE,VALUE", required = true, value_parser = parse_vary)]
    vary: Vec<(String, Vec<String>)>,

    /// Train so many combinations drawn at random, and not all.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10_000))]
    random: Option<u64>,

    /// How many runs of each combination, with seeds one after the other.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=100))]
    runs: u64,

    /// Keep the scores of finished trainings in this file, a line of JSON each, and do not train again what it has already.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Write JSON: a line for each combination, and last one for what each option did.
    #[arg(long)]
    json: bool,
}

fn parse_vary(text: &str) -> Result<(String, Vec<String>), String> {
    let wrong = || format!("`{text}` is no option with values, like alpha=0.5,1,2");
    let (key, values) = text.split_once('=').ok_or_else(wrong)?;
    let values: Vec<String> = values.split(',').map(String::from).collect();
    if key.is_empty() || values.iter().any(String::is_empty) { Err(wrong()) } else { Ok((key.into(), values)) }
}

/// A combination: the value of each option that is varied.
type Combination = Vec<String>;

/// A full grid has at most so many combinations.
const MOST_COMBINATIONS: u64 = 100_000;

/// What decides the score of a training.
#[derive(PartialEq, Serialize, Deserialize)]
struct Training {
    game: String,
    agent: String,
    seed: u64,
    games: u64,
    /// The first evaluation, which is what is compared.
    measure: String,
    until: Option<String>,
    /// A checksum of the positions that games of training begin with; 0 where there are none.
    starts: u64,
    /// The same of the openings in the file that the evaluation names.
    #[serde(default)]
    openings: u64,
}

impl Training {
    fn of(plan: &RunPlan) -> Training {
        let measure = plan.evaluations.first().map_or(String::new(), |plan| {
            let seat = plan.seat.map_or(String::new(), |seat| format!(" --seat {seat}"));
            let games = plan.games.map_or(String::new(), |games| format!(" --games {games}"));
            format!("against {} --starts {}{seat}{games} --seed {}", plan.against, plan.starts.text(), plan.seed)
        });
        let goal = plan.until.as_ref();
        let list = match plan.evaluations.first().map(|plan| &plan.starts) {
            Some(Starts::List(Openings::List(list), _)) => list.as_slice(),
            _ => &[],
        };
        let texts = list.iter().flat_map(|Opening { position, plies }| position.iter().chain(plies));
        Training {
            game: plan.game.clone(),
            agent: canonical_learner(&plan.training.agent).unwrap_or_default(),
            seed: plan.training.seed,
            games: plan.training.games,
            measure,
            until: goal.map(|goal| format!("{}>={} against {}", goal.measure(), goal.least, goal.against)),
            starts: sum_of(plan.training.starts.iter()),
            openings: sum_of(texts),
        }
    }
}

fn sum_of<'a>(texts: impl Iterator<Item = &'a String>) -> u64 {
    texts.flat_map(|text| text.bytes()).fold(0, |sum, byte| mix(sum ^ u64::from(byte)))
}

/// A training that is over.
#[derive(Serialize, Deserialize)]
struct Finished {
    training: Training,
    score: f64,
}

/// Trainings that are over, in a file where one is named.
struct Kept<'a> {
    file: Option<&'a Path>,
    finished: Vec<Finished>,
}

impl Kept<'_> {
    fn open(file: Option<&Path>) -> Result<Kept<'_>, Failure> {
        let mut finished = Vec::new();
        if let Some(path) = file {
            check_writable(path)?;
        }
        if let Some(path) = file.filter(|path| path.is_file()) {
            let text = std::fs::read_to_string(path).map_err(|why| Failure::file(path, "read", why))?;
            for (number, line) in (1..).zip(text.lines()) {
                let why = |why: serde_json::Error| {
                    Failure::Refused(format!("{}, line {number}: no training of a sweep: {why}", path.display()))
                };
                finished.push(serde_json::from_str(line).map_err(why)?);
            }
        }
        Ok(Kept { file, finished })
    }

    /// That its trainings began with the same positions as this one, and were measured from the same ones: files of positions may
    /// have been changed since.
    fn check(&self, next: &Training) -> Result<(), Failure> {
        let Some(path) = self.file else { return Ok(()) };
        let refused = |what: &str| {
            let why = format!("{}: its trainings {what}; remove it, or choose another file with --out", path.display());
            Err(Failure::Refused(why))
        };
        let before = || self.finished.iter().map(|one| &one.training).filter(|one| one.game == next.game);
        if before().any(|one| one.starts != next.starts) {
            return refused("began with other positions (--starts)");
        }
        if before().any(|one| one.measure == next.measure && one.openings != next.openings) {
            return refused("were measured from other positions (--starts in --eval)");
        }
        Ok(())
    }

    fn score(&self, training: &Training) -> Option<f64> {
        self.finished.iter().find(|one| one.training == *training).map(|one| one.score)
    }

    fn add(&mut self, training: Training, score: f64) -> Result<(), Failure> {
        self.finished.push(Finished { training, score });
        let Some(path) = self.file else { return Ok(()) };
        let line = |one: &Finished| serde_json::to_string(one).expect("texts and finite numbers") + "\n";
        let text: String = self.finished.iter().map(line).collect();
        write_whole(path, text.as_bytes())
    }
}

/// A combination and the scores of its runs.
type Scored = (Combination, Vec<f64>);

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let base = args.learning.plan(&*args.game, 0, "sweep")?.training.agent;
    args.check(&base)?;
    let mut kept = Kept::open(args.out.as_deref())?;
    kept.check(&Training::of(&args.plan(&base, args.learning.seed)?))?;
    let cancel = CancelFlag::default();
    cancel_and_say(cancel.clone(), || complain("note: stopping …; what is known so far follows"));
    let mut results = Vec::new();
    let mut out = Output::new();
    let ended = args.train_all(&base, &mut kept, &cancel, &mut results, &mut out);
    // What was found is reported whatever ended it.
    if matches!(ended, Err(Failure::ReaderGone)) || results.is_empty() {
        return ended;
    }
    args.report(&results, &mut out)?;
    ended
}

impl Args {
    /// That each combination has options that exist and can be read, and that each value can be trained with others.
    fn check(&self, base: &str) -> Result<(), Failure> {
        let mut keys = HashSet::new();
        if let Some((twice, _)) = self.vary.iter().find(|(key, _)| !keys.insert(key)) {
            return Err(Failure::Usage(format!("--vary {twice}: it is varied twice")));
        }
        let n = self.n_combinations();
        if self.random.is_none() && n > MOST_COMBINATIONS {
            let why =
                format!("--vary: these are more than {MOST_COMBINATIONS} combinations; --random N draws some of them");
            return Err(Failure::Usage(why));
        }
        let mut seen = HashSet::new();
        for combination in self.combinations() {
            let agent = with_options(base, &self.vary, &combination);
            let refused = |why: String| Failure::Usage(format!("{agent}: {why}"));
            canonical_learner(&agent).map_err(|why| refused(why.to_string()))?;
            // Beginning a training takes a while, so that not every combination is begun but every value.
            let is_new = combination.iter().enumerate().fold(false, |is_new, (i, value)| {
                let has_new = seen.insert((i, value.clone()));
                is_new || has_new
            });
            if is_new {
                Run::new(self.plan(&agent, self.learning.seed)?).map_err(|why| refused(why.to_string()))?;
            }
        }
        Ok(())
    }

    /// Of the full grid.
    fn n_combinations(&self) -> u64 {
        self.vary.iter().fold(1, |n: u64, (_, values)| n.saturating_mul(values.len() as u64))
    }

    /// All combinations, or those that are drawn; the grid is never held in memory.
    fn combinations(&self) -> Box<dyn Iterator<Item = Combination> + '_> {
        let named = |places: &[usize]| {
            self.vary.iter().zip(places).map(|((_, values), &place)| values[place].clone()).collect::<Combination>()
        };
        let n = self.n_combinations();
        match self.random.filter(|&random| random < n) {
            None => Box::new((0..n).map(move |number| {
                // The last option changes first.
                let mut rest = number;
                let mut places = vec![0; self.vary.len()];
                for (place, (_, values)) in places.iter_mut().zip(&self.vary).rev() {
                    *place = (rest % values.len() as u64) as usize;
                    rest /= values.len() as u64;
                }
                named(&places)
            })),
            Some(random) => {
                let rng = &mut stream(self.learning.seed, "sweep", 0);
                let (mut drawn, mut seen) = (Vec::new(), HashSet::new());
                while (drawn.len() as u64) < random {
                    let places: Vec<usize> = self.vary.iter().map(|(_, values)| index(rng, values.len())).collect();
                    if seen.insert(places.clone()) {
                        drawn.push(named(&places));
                    }
                }
                Box::new(drawn.into_iter())
            }
        }
    }

    fn plan(&self, agent: &str, seed: u64) -> Result<RunPlan, Failure> {
        let mut plan = self.learning.plan(&*self.game, seed, "sweep")?;
        plan.training.agent = agent.into();
        plan.points = Points::Every(plan.training.games);
        Ok(plan)
    }

    fn train_all(
        &self,
        base: &str,
        kept: &mut Kept<'_>,
        cancel: &CancelFlag,
        results: &mut Vec<Scored>,
        out: &mut Output,
    ) -> Result<(), Failure> {
        for combination in self.combinations() {
            let agent = with_options(base, &self.vary, &combination);
            let (scores, ended) = self.train_runs(&agent, kept, cancel);
            if !scores.is_empty() {
                if self.json {
                    out.line(json!({"agent": agent, "scores": scores}))?;
                } else {
                    out.line(format_args!("{agent}: {}", spread(&scores)))?;
                }
                results.push((combination, scores));
            }
            ended?;
        }
        Ok(())
    }

    /// The scores of a combination's runs, those that are known where it ended before the last.
    fn train_runs(&self, agent: &str, kept: &mut Kept<'_>, cancel: &CancelFlag) -> (Vec<f64>, Result<(), Failure>) {
        let mut scores = Vec::new();
        let seeds = match self.learning.seeds(self.runs) {
            Ok(seeds) => seeds,
            Err(why) => return (scores, Err(why)),
        };
        for seed in seeds {
            match self.score(agent, seed, kept, cancel) {
                Ok(score) => scores.push(score),
                Err(why) => return (scores, Err(why)),
            }
        }
        (scores, Ok(()))
    }

    /// The score at the end of a training.
    fn score(&self, agent: &str, seed: u64, kept: &mut Kept<'_>, cancel: &CancelFlag) -> Result<f64, Failure> {
        let plan = self.plan(agent, seed)?;
        let training = Training::of(&plan);
        if let Some(score) = kept.score(&training) {
            return Ok(score);
        }
        let mut run = Run::new(plan).map_err(failed)?;
        run.cancel_by(cancel.clone());
        loop {
            if cancel.is_cancelled() {
                let goes_on = if kept.file.is_some() { "; the same command goes on" } else { "" };
                return Err(Failure::Failed(format!("stopped{goes_on}")));
            }
            if run.step().map_err(failed)? == Status::Done {
                break;
            }
        }
        let last = run.curve().last().and_then(|point| point.evaluations.first());
        let score = last.map(|evaluation| evaluation.score).expect("there is an evaluation, and the end is measured");
        kept.add(training, score)?;
        Ok(score)
    }

    fn report(&self, results: &[Scored], out: &mut Output) -> Result<(), Failure> {
        let mut effects: Vec<Effect> = (0..self.vary.len()).map(|i| self.effect(i, results)).collect();
        effects.sort_by(|a, b| b.range.total_cmp(&a.range));
        if self.json {
            return out.line(json!({"effects": effects}));
        }
        out.line(paint(BOLD, "what each option did (mean score by its values; the largest difference first)"))?;
        for Effect { option, range, standard_error, means } in &effects {
            let means: Vec<String> = means.iter().map(|(value, mean)| format!("{value}: {mean:.3}")).collect();
            let error = standard_error.map_or(String::new(), |error| format!(" ± {error:.3} (standard error)"));
            out.line(format_args!("{option:<12} differs by {range:.3}{error}   {}", means.join(", ")))?;
        }
        Ok(())
    }

    fn effect(&self, i: usize, results: &[Scored]) -> Effect {
        let (option, values) = &self.vary[i];
        let of = |value: &String| -> Option<(String, f64, usize)> {
            let of = results.iter().filter(|(combination, _)| combination[i] == *value);
            let scores: Vec<f64> = of.flat_map(|(_, scores)| scores.iter().copied()).collect();
            (!scores.is_empty()).then(|| (value.clone(), Spread::of(&scores).mean, scores.len()))
        };
        let means: Vec<(String, f64, usize)> = values.iter().filter_map(of).collect();
        let (least, most) = (
            means.iter().min_by(|a, b| a.1.total_cmp(&b.1)).expect("something was trained"),
            means.iter().max_by(|a, b| a.1.total_cmp(&b.1)).expect("something was trained"),
        );
        // How much runs of one combination differ is chance; how much combinations do is not.
        let shares = 1.0 / least.2 as f64 + 1.0 / most.2 as f64;
        Effect {
            option: option.clone(),
            range: most.1 - least.1,
            standard_error: variance_within(results).map(|variance| (variance * shares).sqrt()),
            means: means.iter().map(|(value, mean, _)| (value.clone(), *mean)).collect(),
        }
    }
}

/// What an option did.
#[derive(Serialize)]
struct Effect {
    option: String,
    /// How far the means of its values are apart at most.
    range: f64,
    /// Of that difference, from what differs between runs of one combination; none where each has one run.
    standard_error: Option<f64>,
    /// The mean score by value.
    means: BTreeMap<String, f64>,
}

/// The variance of scores of runs that differ in their seed only, over all combinations; none where each has one run.
fn variance_within(results: &[Scored]) -> Option<f64> {
    let several = || results.iter().map(|(_, scores)| scores).filter(|scores| scores.len() > 1);
    let degrees: f64 = several().map(|scores| scores.len() as f64 - 1.0).sum();
    let squares: f64 = several().map(|scores| Spread::of(scores).deviation.powi(2) * (scores.len() as f64 - 1.0)).sum();
    (degrees > 0.0).then(|| squares / degrees)
}

/// A learner's spec with options changed or added.
fn with_options(base: &str, vary: &[(String, Vec<String>)], combination: &Combination) -> String {
    let (id, options) = base.split_once(':').map_or((base, ""), |(id, options)| (id, options));
    let is_varied = |option: &&str| vary.iter().any(|(key, _)| option.split('=').next() == Some(key));
    let kept = options.split(',').filter(|option| !option.is_empty() && !is_varied(option)).map(String::from);
    let changed = vary.iter().zip(combination).map(|((key, _), value)| format!("{key}={value}"));
    format!("{id}:{}", kept.chain(changed).collect::<Vec<_>>().join(","))
}
