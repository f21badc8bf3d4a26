//! `raichi sweep GAME`: which options of a learner matter.

use std::collections::BTreeMap;
use std::sync::Arc;

use raichi_arena::report::training::spread;
use raichi_arena::statistics::Spread;
use raichi_arena::training::{Run, Status};
use raichi_core::AnyGame;
use raichi_core::random::{index, stream};
use serde_json::json;

use super::train::{Learning, failed};
use crate::args::GameSpec;
use crate::failure::Failure;
use crate::output::Output;
use crate::palette::{BOLD, paint};
use crate::trained::cancel_on_signals;

/// Vary options of a learner, train each variant, and report which options matter.
///
/// Every combination of the values is trained, or so many drawn at random. What is compared is the first evaluation at the
/// end of the training; nothing is kept.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  raichi sweep tic-tac-toe --agent ntuple:tuples=1x9 --games 5000 --vary alpha=0.5,1 --vary lambda=0,0.5
  raichi sweep connect-four --agent ntuple:tuples=70x6,below=support --games 50000 --vary tcl=none,id,exp \\
      --vary alpha=0.5,1,4 --random 6 --runs 3 --eval \"against mcts:sims=200 --games 50\"")]
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

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let base = args.learning.plan(&*args.game, 0, "sweep")?.training.agent;
    let combinations = args.combinations();
    let mut results: Vec<(Combination, Vec<f64>)> = Vec::new();
    let mut out = Output::new();
    for combination in combinations {
        let agent = with_options(&base, &args.vary, &combination);
        let mut scores = Vec::new();
        for seed in 0..args.runs {
            match args.train(&agent, args.learning.seed + seed)? {
                Some(score) => scores.push(score),
                None => return Err(Failure::Failed("stopped".into())),
            }
        }
        if args.json {
            out.line(json!({"agent": agent, "scores": scores}))?;
        } else {
            out.line(format_args!("{agent}: {}", spread(&scores)))?;
        }
        results.push((combination, scores));
    }
    args.report(&results, &mut out)
}

impl Args {
    fn combinations(&self) -> Vec<Combination> {
        let mut all: Vec<Combination> = vec![Vec::new()];
        for (_, values) in &self.vary {
            let longer = |one: &Combination| {
                values.iter().map(|value| [one.as_slice(), std::slice::from_ref(value)].concat()).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(longer).collect();
        }
        let Some(n) = self.random else { return all };
        let rng = &mut stream(self.learning.seed, "sweep", 0);
        let mut drawn = Vec::new();
        while drawn.len() < n as usize && !all.is_empty() {
            let i = index(rng, all.len());
            drawn.push(all.swap_remove(i));
        }
        drawn
    }

    /// The score at the end of a training; `None` where it was stopped.
    fn train(&self, agent: &str, seed: u64) -> Result<Option<f64>, Failure> {
        let mut plan = self.learning.plan(&*self.game, seed, "sweep")?;
        plan.training.agent = agent.into();
        plan.eval_every = plan.training.games;
        let mut run = Run::new(plan).map_err(failed)?;
        let cancel = run.cancel_flag();
        cancel_on_signals(cancel.clone());
        while run.step().map_err(failed)? != Status::Done {
            if cancel.is_cancelled() {
                return Ok(None);
            }
        }
        let last = run.curve().last().and_then(|point| point.evaluations.first());
        Ok(last.map(|evaluation| evaluation.score))
    }

    /// What each option did: the mean score by its values, and how far these means are apart.
    fn report(&self, results: &[(Combination, Vec<f64>)], out: &mut Output) -> Result<(), Failure> {
        let mut effects: Vec<(String, f64, BTreeMap<String, f64>)> = Vec::new();
        for (i, (key, values)) in self.vary.iter().enumerate() {
            let mut means = BTreeMap::new();
            for value in values {
                let of = results.iter().filter(|(combination, _)| combination[i] == *value);
                let scores: Vec<f64> = of.flat_map(|(_, scores)| scores.iter().copied()).collect();
                if !scores.is_empty() {
                    means.insert(value.clone(), Spread::of(&scores).mean);
                }
            }
            let apart = means.values().fold(f64::NEG_INFINITY, |most, &mean| most.max(mean))
                - means.values().fold(f64::INFINITY, |least, &mean| least.min(mean));
            effects.push((key.clone(), apart, means));
        }
        effects.sort_by(|a, b| b.1.total_cmp(&a.1));
        if self.json {
            let effect = |(key, apart, means): &(String, f64, BTreeMap<String, f64>)| json!({"option": key, "range": apart, "means": means});
            return out.line(json!({"effects": effects.iter().map(effect).collect::<Vec<_>>()}));
        }
        out.line(paint(BOLD, "what each option did (mean score by its values; the largest difference first)"))?;
        for (key, apart, means) in &effects {
            let means: Vec<String> = means.iter().map(|(value, mean)| format!("{value}: {mean:.3}")).collect();
            out.line(format_args!("{key:<12} differs by {apart:.3}   {}", means.join(", ")))?;
        }
        Ok(())
    }
}

/// A learner's spec with options changed or added.
fn with_options(base: &str, vary: &[(String, Vec<String>)], combination: &Combination) -> String {
    let (id, options) = base.split_once(':').map_or((base, ""), |(id, options)| (id, options));
    let is_varied = |option: &&str| vary.iter().any(|(key, _)| option.split('=').next() == Some(key));
    let kept = options.split(',').filter(|option| !option.is_empty() && !is_varied(option)).map(String::from);
    let changed = vary.iter().zip(combination).map(|((key, _), value)| format!("{key}={value}"));
    format!("{id}:{}", kept.chain(changed).collect::<Vec<_>>().join(","))
}
