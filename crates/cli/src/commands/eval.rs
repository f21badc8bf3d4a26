//! `raichi eval AGENT`: how well an agent plays.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;
use std::thread::available_parallelism;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Command};
use indicatif::{ProgressBar, ProgressStyle};
use raichi_agents::trained::evaluations::{self, NamedEvaluation};
use raichi_agents::trained::{Evaluation, presets};
use raichi_agents::{AgentError, CancelFlag, Prepared};
use raichi_arena::contest::Openings;
use raichi_arena::statistics::Estimate;
use raichi_arena::training::{
    Accuracy, EvaluationError, EvaluationPlan, ExactStarts, Positions, Starts, accuracy, evaluate,
};
use raichi_core::AnyGame;
use serde::Serialize;

use crate::args::GameSpec;
use crate::failure::Failure;
use crate::output::Output;
use crate::palette::{CODE, FAINT, paint};
use crate::trained::{cancel_on_signals, game_of, sentence, spec_of};

/// Say how well an agent plays: its mean payoff against an opponent, and how often it kept what its start was worth.
///
/// The agent sits on every seat in turn, or on --seat alone. Games begin at the start, after random plies, in every position
/// of a small game, or with the lines of a file. --quick names an opponent and starts together. With --positions no games are
/// played: it is counted in how many positions of a solved game the agent's action is right. What a start is worth exactly is
/// asked of a solver before its game, for 20 s at most; once one is not known no other is asked.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  raichi eval trained:four --against perfect --seat 0 --games 200
  raichi eval trained:three --against perfect --starts all
  raichi eval mcts:sims=1000,evaluator=four --against best:sims=2000 --starts plies:4 \\
      --json | tail -1
  raichi eval mcts:sims=200 --game othello --against random --games 50
  raichi eval trained:sim --positions 1000
  raichi eval trained:four --quick starts
  raichi eval random --game othello --quick list

With --json the last line of standard output is {\"score\", \"interval\", \"kept\", \"games\", \"wins\", \"draws\", \"losses\"}: \
score is the mean payoff to the agent with its 95 % interval, kept the share of games in which it got at least the exact \
value of its start and seat, null where that is not known. With --positions it is {\"right\", \"interval\", \"positions\", \
\"choices\", \"right_choices\"}: right is the share of positions in which the action keeps what the position is worth, choices \
how many have an action that does not; the interval is null of all positions, which are no sample.")]
pub(crate) struct Args {
    /// Who is evaluated: an agent's spec, or the name of a trained agent.
    agent: String,

    /// The game; it may be left out where the agent was trained for one.
    #[arg(long, value_parser = GameSpec, hide_possible_values = true)]
    game: Option<Arc<dyn AnyGame>>,

    /// The opponent, on all other seats: perfect, best, random, or any agent. As the game's preset evaluates, or random,
    /// where it is not given.
    #[arg(long, value_name = "perfect|best|random|AGENT")]
    against: Option<String>,

    /// An evaluation of the game by its name, like random, mcts or starts; `list` shows them. --games, --starts, --seat and
    /// --seed change it.
    #[arg(long, value_name = "NAME|list", value_parser = QuickName, hide_possible_values = true, conflicts_with = "against")]
    quick: Option<String>,

    /// How many games; 100 where not given, and with all positions or a file each once from each seat.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    games: Option<u64>,

    /// Where games begin: the game's start, after so many random plies, in every position, or with the lines of a file.
    #[arg(long, value_name = "start|plies:N|all|FILE")]
    starts: Option<String>,

    /// The agent's seat, from 0; every seat in turn where not given.
    #[arg(long, value_name = "S")]
    seat: Option<usize>,

    /// Play no games, but count right actions: in so many positions, each drawn from a game of random plies, or in all.
    #[arg(long, value_name = "N|all", conflicts_with_all = ["against", "quick", "games", "starts", "seat"])]
    positions: Option<String>,

    /// Decides everything.
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,

    /// How many games are played, or positions looked at, at once; all cores where not given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,

    /// Write JSON, in the last line.
    #[arg(long)]
    json: bool,
}

/// The name that lists the evaluations of a game.
const LIST: &str = "list";

/// Reads the name of an evaluation; offers all names to shells that complete. Which of them the game has is not known here.
#[derive(Clone)]
struct QuickName;

impl TypedValueParser for QuickName {
    type Value = String;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let names: BTreeSet<&str> = evaluations::all().iter().map(|one| one.name.as_str()).chain([LIST]).collect();
        Some(Box::new(names.into_iter().map(PossibleValue::new)))
    }
}

/// What is written as JSON.
#[derive(Serialize)]
struct Figures {
    score: f64,
    interval: Option<[f64; 2]>,
    kept: Option<f64>,
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
}

impl Figures {
    fn of(evaluation: &Evaluation) -> Figures {
        let &Evaluation { score, interval, kept, games, wins, draws, losses, .. } = evaluation;
        Figures { score, interval, kept, games, wins, draws, losses }
    }
}

/// What is written as JSON of --positions.
#[derive(Serialize)]
struct Shares {
    right: f64,
    /// Only of positions that were drawn: all of them are no sample.
    interval: Option<[f64; 2]>,
    positions: u64,
    choices: u64,
    right_choices: u64,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let spec = spec_of(&args.agent);
    let game = args.game.clone().map_or_else(|| game_of(&spec), Ok)?;
    if args.quick.as_deref() == Some(LIST) {
        return list_quick(&*game, args.json);
    }
    let agent = raichi_agents::prepare(&game, &spec).map_err(unready)?;
    let threads = args.threads.map_or_else(|| available_parallelism().map_or(1, usize::from), usize::from);
    let cancel = CancelFlag::default();
    cancel_on_signals(cancel.clone());
    if let Some(positions) = &args.positions {
        return count_right(args, positions, &game, &agent, threads, &cancel);
    }
    let plan = args.plan(&*game)?;
    let (bar, exact) = (progress("games"), ExactStarts::of_game(&*game));
    if exact.may_be_known() {
        // Until the first game is over: solving the starts may take longer than the games.
        bar.set_message("games; what their starts are worth is solved first");
        bar.tick();
    }
    let evaluated = evaluate(&game, &agent, &plan, &exact, threads, &cancel, &|done, all| {
        bar.set_message("games");
        bar.set_length(all);
        bar.set_position(done);
    });
    bar.finish_and_clear();
    let evaluation = evaluated.map_err(failed)?;
    if cancel.is_cancelled() {
        return Err(Failure::Failed(format!("stopped after {} games", evaluation.games)));
    }
    let mut out = Output::new();
    if args.json {
        return out.json(&Figures::of(&evaluation));
    }
    let Evaluation { wins, draws, losses, .. } = evaluation;
    out.line(format_args!("{} at {}: {}", agent.spec(), game.spec(), sentence(&evaluation)))?;
    if game.facts().n_seats == 1 { Ok(()) } else { out.line(format_args!("won {wins}, drawn {draws}, lost {losses}")) }
}

/// Writes the named evaluations of a game.
fn list_quick(game: &dyn AnyGame, json: bool) -> Result<(), Failure> {
    let (known, mut out) = (evaluations::of(game.spec()), Output::new());
    if json {
        let told = |one: &&NamedEvaluation| serde_json::json!({"name": one.name, "eval": one.eval, "about": one.about});
        return out.json(&known.iter().map(told).collect::<Vec<_>>());
    }
    if known.is_empty() {
        return out.line(no_quick(game));
    }
    for one in known {
        // Padded before it is painted: colours are characters too.
        out.line(format_args!("{} {}", paint(CODE, format_args!("{:<15}", one.name)), one.about))?;
        out.line(format_args!("{:<15} {}", "", paint(FAINT, &one.eval)))?;
    }
    Ok(())
}

/// The evaluation of this name.
fn quick(name: &str, game: &dyn AnyGame) -> Result<&'static str, Failure> {
    let known = evaluations::of(game.spec());
    if let Some(found) = known.iter().find(|one| one.name == name) {
        return Ok(&found.eval);
    }
    let names: Vec<&str> = known.iter().map(|one| one.name.as_str()).collect();
    let there = match names.as_slice() {
        [] => no_quick(game),
        [only] => format!("{} has {only}", game.spec()),
        [most @ .., last] => format!("{} has {} and {last}", game.spec(), most.join(", ")),
    };
    Err(Failure::Usage(format!("--quick {name}: there is no such evaluation; {there}")))
}

fn no_quick(game: &dyn AnyGame) -> String {
    format!("{} has no evaluations by name; --against names an opponent", game.spec())
}

fn count_right(
    args: &Args,
    positions: &str,
    game: &Arc<dyn AnyGame>,
    agent: &Arc<dyn Prepared>,
    threads: usize,
    cancel: &CancelFlag,
) -> Result<(), Failure> {
    let positions = Positions::parse(positions).ok_or_else(|| {
        Failure::Usage(format!("--positions {positions}: expected a number from 1 to 10000000, or all"))
    })?;
    let bar = progress("positions");
    let counted = accuracy(game, agent, positions, args.seed, threads, cancel, &|done, all| {
        bar.set_length(all);
        bar.set_position(done);
    });
    bar.finish_and_clear();
    let counted = counted.map_err(failed)?;
    if cancel.is_cancelled() {
        return Err(Failure::Failed(format!("stopped after {} positions", counted.positions)));
    }
    let is_sample = positions != Positions::All;
    write_accuracy(args.json, agent.spec(), game.spec(), &counted, is_sample)
}

fn write_accuracy(json: bool, agent: &str, game: &str, counted: &Accuracy, is_sample: bool) -> Result<(), Failure> {
    let (share, mut out) = (counted.share(), Output::new());
    let &Accuracy { positions, right, choices, right_choices } = counted;
    if json {
        let (right, interval) = (share.value, is_sample.then_some([share.low, share.high]));
        let shares = Shares { right, interval, positions, choices, right_choices };
        return out.json(&shares);
    }
    let percent = |Estimate { value, low, high }: Estimate| match is_sample {
        true => format!("{:.1} % [{:.1}, {:.1}]", 100.0 * value, 100.0 * low, 100.0 * high),
        false => format!("{:.1} %", 100.0 * value),
    };
    out.line(format_args!("{agent} at {game}: right in {right} of {positions} positions, {}", percent(share)))?;
    let Some(share) = counted.share_of_choices() else { return out.line("no action was wrong in any of them") };
    out.line(format_args!("of the {choices} in which an action can be wrong, in {right_choices}, {}", percent(share)))
}

impl Args {
    fn plan(&self, game: &dyn AnyGame) -> Result<EvaluationPlan, Failure> {
        let usual = || presets::of(game.spec()).into_iter().find_map(|preset| preset.eval.as_deref());
        let text = match &self.quick {
            Some(name) => quick(name, game)?,
            None if self.against.is_some() => "random",
            None => usual().unwrap_or("random"),
        };
        let mut plan = read_plan(text, game)?;
        if let Some(against) = &self.against {
            plan.against = spec_of(against);
        }
        if let Some(starts) = &self.starts {
            plan.starts = read_starts(starts, game)?;
        }
        plan.games = self.games.or(plan.games);
        plan.seat = self.seat.or(plan.seat);
        plan.seed = self.seed;
        Ok(plan)
    }
}

/// Reads an evaluation: `against perfect --starts all --games 200 --seat 0 --seed 1`.
pub(crate) fn read_plan(text: &str, game: &dyn AnyGame) -> Result<EvaluationPlan, Failure> {
    let wrong = |what: &str| {
        Failure::Usage(format!(
            "--eval `{text}`: {what}; an evaluation is like \"against perfect --starts plies:2 --games 200 --seat 0\""
        ))
    };
    let mut words = text.split_whitespace().peekable();
    words.next_if(|word| matches!(*word, "against" | "--against"));
    let against =
        words.next().filter(|word| !word.starts_with("--")).ok_or_else(|| wrong("the opponent is missing"))?;
    let mut plan =
        EvaluationPlan { against: spec_of(against), starts: Starts::Start, seat: None, games: None, seed: 0 };
    while let Some(key) = words.next() {
        let value = words.next().ok_or_else(|| wrong(&format!("{key} has no value")))?;
        let number = || value.parse::<u64>().map_err(|_| wrong(&format!("{key} {value} is no whole number")));
        match key {
            "--starts" => plan.starts = read_starts(value, game)?,
            "--games" => match number()? {
                games @ 1..=10_000_000 => plan.games = Some(games),
                games => return Err(wrong(&format!("--games {games} is not from 1 to 10000000"))),
            },
            "--seat" => plan.seat = Some(number()? as usize),
            "--seed" => plan.seed = number()?,
            _ => return Err(wrong(&format!("{key} is none of --starts, --games, --seat, --seed"))),
        }
    }
    Ok(plan)
}

pub(crate) fn read_starts(text: &str, game: &dyn AnyGame) -> Result<Starts, Failure> {
    if let Some(starts) = Starts::parse(text) {
        return Ok(starts);
    }
    let path = Path::new(text);
    if text.starts_with("plies:") || !path.exists() {
        return Err(Failure::Usage(format!(
            "--starts {text}: expected start, plies:N (N up to 10000), all, or a file that exists"
        )));
    }
    let lines = std::fs::read_to_string(path).map_err(|why| Failure::file(path, "read", why))?;
    let openings = Openings::list(game, &lines).map_err(|why| Failure::Refused(format!("{text}: {why}")))?;
    Ok(Starts::List(openings, text.into()))
}

fn unready(why: AgentError) -> Failure {
    Failure::Usage(why.to_string())
}

pub(crate) fn failed(why: EvaluationError) -> Failure {
    Failure::Usage(why.to_string())
}

fn progress(what: &'static str) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}, {eta} to go");
    ProgressBar::new(0).with_style(style.expect("the template is well-formed")).with_message(what)
}

#[cfg(test)]
mod tests {
    use raichi_arena::training::Evaluating;

    use super::*;

    #[test]
    fn every_named_evaluation_can_be_played() {
        for one in evaluations::all() {
            assert_ne!(one.name, LIST);
            for spec in &one.games {
                let game = raichi_games::game(spec).unwrap_or_else(|why| panic!("{}: {why}", one.name));
                let plan = read_plan(&one.eval, &*game).unwrap_or_else(|_| panic!("{spec} {}: {}", one.name, one.eval));
                assert!(!matches!(plan.starts, Starts::List(..)), "{spec} {}: a file", one.name);
                let agent = raichi_agents::prepare(&game, "random").unwrap();
                if let Err(why) = Evaluating::begin(&game, &agent, &plan) {
                    panic!("{spec} {}: {why}", one.name);
                }
                // It is found by its name, and no other one of the game has it.
                let found: Vec<_> =
                    evaluations::of(game.spec()).into_iter().filter(|other| other.name == one.name).collect();
                assert_eq!(found, [one], "{spec} {}", one.name);
            }
        }
    }

    #[test]
    fn games_of_the_source_have_evaluations_by_name() {
        for (spec, names) in [
            ("tic-tac-toe", &["random", "mcts", "minimax", "perfect", "starts"][..]),
            ("connect-four", &["random", "mcts", "minimax", "perfect", "starts", "mcts-starts"]),
            ("hex", &["random", "mcts", "minimax", "starts"]),
            ("hex:size=6", &["random", "mcts", "minimax", "perfect", "starts", "perfect-starts"]),
            ("othello", &["random", "mcts", "minimax", "hand", "starts", "random-starts", "mcts-starts"]),
            ("nim", &["random", "mcts", "minimax", "perfect", "starts"]),
            ("nim3p", &["random", "mcts", "minimax", "perfect", "starts"]),
            ("sim:players=3", &["random", "mcts", "minimax", "perfect", "starts"]),
            ("yavalath", &["random", "mcts", "minimax", "starts"]),
            ("rubiks-cube:size=3", &["solved"]),
            ("2048", &["mean"]),
            ("blackjack", &["mean"]),
            ("poker:players=3", &["random"]),
            ("kuhn-poker", &["random", "perfect"]),
            ("tablut", &[]),
        ] {
            let found: Vec<&str> = evaluations::of(spec).iter().map(|one| one.name.as_str()).collect();
            assert_eq!(found, names, "{spec}");
        }
    }
}
