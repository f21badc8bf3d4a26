//! `raichi solve GAME`: the value of a game, and what it cost to find.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use raichi_agents::truth::{Examined, Truth, rounded};
use raichi_agents::{
    CancelFlag, HandStrategy, Method, Progress, RoundEquilibrium, SOLVED, Statistics, SystemHost, Unsolved,
    check_ranges, equilibrium, equilibrium_at,
};
use raichi_core::seat::Viewer;
use raichi_core::verdict::signed;
use raichi_core::{AnyGame, AnyMatch, Host, Payoffs};
use serde_json::{Value, json};

use super::lines::{self, n_cores};
use super::solver_bar::SolverBar;
use super::tables::Tables;
use super::values::{self, Needs, truth};
use crate::args::{GameSpec, Start, length_of_time};
use crate::failure::Failure;
use crate::output::Output;
use crate::palette::{FAINT, paint};

/// Solve a game from its start or from a position: its value, the best first actions, how long it lasts, and what that cost.
///
/// It takes as long as it takes, unless --time says otherwise; a bar shows how far it is.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  raichi solve tic-tac-toe
  raichi solve connect-four:width=5,height=5 --json
  raichi solve french-military:start=choose --position \"W2/W1B2/W2 1\"
  raichi solve othello:size=4 --line
  raichi solve othello:size=4 --file positions.txt
  raichi solve poker \\
      --position \"Th9d7c2d2c 0 dealer=1 stacks=80/80 staked=20/20 cards=AsAh/???? seen-by=0\"

A position of Poker is solved at the turn or the river, where two seats are left: range against range, whatever cards they \
hold, until a thousandth of the pot or less could be won by deviating, in the mean of both seats. Values count the chips at the \
end of the round. Kuhn and Leduc Poker are solved when the exploitability of both seats' strategies is a millionth of a chip or less.

Where --time or too many iterations end before that, it fails, as with any other game that was not solved: it says what \
exploitability was reached, and shows no strategies.")]
pub(crate) struct Args {
    /// The game, with its parameters.
    #[arg(value_parser = GameSpec, hide_possible_values = true)]
    game: Arc<dyn AnyGame>,

    #[command(flatten)]
    start: Start,

    /// Solve many, a position or a history a line, from a file or, with `-`, from standard input, one after the other; write
    /// one JSON object a line for each.
    #[arg(long, value_name = "FILE")]
    file: Option<std::path::PathBuf>,

    /// How long it may take, for each position: 10s, 2h; without it, until it is done.
    #[arg(long, value_name = "D", allow_hyphen_values = true, value_parser = length_of_time)]
    time: Option<Duration>,

    /// Find the line of play too: how the game goes on when every seat plays the first of its best actions, until chance
    /// acts, a position of the line comes again, or the game is over. Each of its positions is solved in turn.
    #[arg(long)]
    line: bool,

    /// How many threads may search at once; all cores where it is not given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1024))]
    threads: Option<u64>,

    /// The most that tables may take, in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = clap::value_parser!(u64).range(1..=1 << 30))]
    memory: u64,

    #[command(flatten)]
    tables: Tables,

    /// In Poker, the hands that a seat can have, given for both that are left: QQ+,AKs,A5s-A2s,T9o:0.5 or any; any hand where it
    /// is not given.
    #[arg(long = "range", value_name = "HANDS")]
    ranges: Vec<String>,

    /// Write one JSON object: what `raichi values` writes, and `method`, `positions`, `nodes`, `seconds` and `bytes`, what
    /// is reserved for tables;
    /// for three seats or more `ties` too: none gets more than `best` or less than `worst`, however
    /// equal choices are made, or null where memory or time did not suffice for that; with --line the actions of the `line`. Where something is hidden: `values`, `exploitability`,
    /// `iterations`, `information_sets`, and from a position `strategy`, what the seat to act does with each kind of hands.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let bar = SolverBar::new();
    args.tables.keep(bar.bar())?;
    let game = &*args.game;
    let truth = match truth(game) {
        Err(_) if game.facts().hidden => return solve_with_secrets(args, &bar),
        found => found?,
    };
    if !args.ranges.is_empty() {
        return Err(Failure::Usage(format!("--range is for Poker: nothing is hidden in {}", game.spec())));
    }
    bar.watch(&truth);
    let done = match &args.file {
        Some(file) => lines::answer_all(file, 1, |line| {
            let current = lines::match_of(game, &args.start, line)?;
            let solved = solve(args, &*truth, &*current, &bar).map_err(|why| why.to_string())?;
            Ok(described(game, &solved))
        }),
        None => {
            let current = args.start.open(game)?;
            let solved = solve(args, &*truth, &*current, &bar)?;
            bar.finish();
            let mut out = Output::new();
            match args.json {
                true => out.line(described(game, &solved)),
                false => out.print(page(game, &solved)),
            }
        }
    };
    bar.finish();
    done
}

/// Solves a game with secrets, by strategies for both seats: from its start, or from positions of Poker.
fn solve_with_secrets(args: &Args, bar: &SolverBar) -> Result<(), Failure> {
    let game = &*args.game;
    let spec = game.spec();
    let from_start_only = || Failure::Usage(format!("in {spec} something is hidden: it is solved from its start only"));
    let at = |current: &dyn AnyMatch| -> Result<(RoundEquilibrium, f64), Failure> {
        let (start, cancel) = (Instant::now(), CancelFlag::default());
        bar.begin(args.time);
        let found =
            equilibrium_at(game, current, &args.ranges, &args.needs(&|progress| bar.show(progress)).work(&cancel));
        let found = found.ok_or_else(from_start_only)?;
        let found = found.map_err(|why| Failure::Failed(refusal(args, &why, start.elapsed().as_secs_f64())))?;
        let seconds = start.elapsed().as_secs_f64();
        check_exploitability(args, found.exploitability, found.target, seconds)?;
        Ok((found, seconds))
    };
    if args.line {
        return Err(Failure::Usage(format!("--line is for games without secrets: in {spec} something is hidden")));
    }
    if !args.ranges.is_empty() && args.file.is_none() && args.start.position.is_none() {
        return Err(Failure::Usage("--range goes with a position of Poker: --position or --file".into()));
    }
    check_ranges(&args.ranges).map_err(|why| Failure::Usage(format!("--range: {why}")))?;
    if let Some(file) = &args.file {
        // Refused before the file is read.
        if equilibrium_at(game, &*game.new_match(), &[], &args.needs(&|_| ()).work(&CancelFlag::default())).is_none() {
            return Err(from_start_only());
        }
        let done = lines::answer_all(file, 1, |line| {
            let current = lines::match_of(game, &args.start, line)?;
            at(&*current).map(|(found, _)| described_round(&found)).map_err(|why| why.to_string())
        });
        bar.finish();
        return done;
    }
    if args.start.position.is_some() {
        let current = args.start.open(game)?;
        let found = at(&*current);
        bar.finish();
        let (found, seconds) = found?;
        let mut out = Output::new();
        return match args.json {
            true => out.line(described_round(&found)),
            false => out.print(round_page(game, &found, seconds)),
        };
    }
    let start = Instant::now();
    let cancel = CancelFlag::default();
    bar.begin(args.time);
    let found = equilibrium(game, SOLVED, &args.needs(&|progress| bar.show(progress)).work(&cancel));
    bar.finish();
    let too_large =
        || Failure::Failed(format!("{spec} was not solved: something is hidden in it, and it is too large"));
    let found = found.ok_or_else(too_large)?;
    let found = found.map_err(|why| Failure::Failed(refusal(args, &why, start.elapsed().as_secs_f64())))?;
    check_exploitability(args, found.exploitability, SOLVED, start.elapsed().as_secs_f64())?;
    let mut out = Output::new();
    if args.json {
        return out.line(described_equilibrium(
            &found.values,
            found.exploitability,
            found.iterations,
            found.information_sets,
        ));
    }
    let seconds = start.elapsed().as_secs_f64();
    out.print(equilibrium_page(
        game,
        &found.values,
        found.exploitability,
        [found.iterations, found.information_sets as u64],
        seconds,
    ))
}

/// What the time was too short for is no solution.
fn check_exploitability(args: &Args, reached: f64, target: f64, seconds: f64) -> Result<(), Failure> {
    if reached <= target {
        return Ok(());
    }
    Err(Failure::Failed(format!(
        "{} was not solved in {seconds:.1} s: the strategies found have an exploitability of {reached:.2e}, and it is solved at {target:.1e}",
        args.game.spec(),
    )))
}

fn described_equilibrium(values: &Payoffs, exploitability: f64, iterations: u64, information_sets: usize) -> Value {
    json!({
        "values": values,
        "exploitability": exploitability,
        "iterations": iterations,
        "information_sets": information_sets,
    })
}

fn described_round(found: &RoundEquilibrium) -> Value {
    let mut about =
        described_equilibrium(&found.values, found.exploitability, found.iterations, found.information_sets);
    let hand = |hand: &HandStrategy| {
        let HandStrategy { name, weight, shares, worth } = hand;
        json!({"hands": name, "weight": weight, "shares": shares, "worth": worth})
    };
    if let Some(strategy) = &found.strategy {
        about["strategy"] = json!({
            "seat": strategy.seat,
            "actions": strategy.actions,
            "hands": strategy.hands.iter().map(hand).collect::<Vec<_>>(),
        });
        if let Some(own) = &strategy.own {
            about["strategy"]["own"] = hand(own);
        }
    }
    about
}

/// Values, how good they are, and what that cost; `counts` are iterations and information sets.
fn equilibrium_page(
    game: &dyn AnyGame,
    values: &Payoffs,
    exploitability: f64,
    counts: [u64; 2],
    seconds: f64,
) -> String {
    // No more digits than are known.
    let millionths = |value: f64| (value * 1e6).round() / 1e6;
    let value = |seat| format!("{} {}", game.seat_name(seat), signed(millionths(values[seat])));
    let values = (0..game.facts().n_seats).map(value).collect::<Vec<_>>().join(", ");
    let [iterations, information_sets] = counts;
    let cost = format!("by regrets: {information_sets} information sets, {iterations} iterations, {seconds:.3} s\n");
    format!("{values}\nexploitability {exploitability:.2e}\n{}", paint(FAINT, cost))
}

fn round_page(game: &dyn AnyGame, found: &RoundEquilibrium, seconds: f64) -> String {
    // Chips to a hundredth: the exploitability is a thousandth of the pot.
    let hundredths = |value: f64| (value * 100.0).round() / 100.0;
    let values = Payoffs::new((0..game.facts().n_seats).map(|seat| hundredths(found.values[seat])));
    let counts = [found.iterations, found.information_sets as u64];
    let mut page = equilibrium_page(game, &values, found.exploitability, counts, seconds);
    let Some(strategy) = &found.strategy else { return page };
    let row = |hand: &HandStrategy| {
        let shares = strategy.actions.iter().zip(&hand.shares);
        let shares: Vec<String> = shares.map(|(action, share)| format!("{action} {:3.0} %", 100.0 * share)).collect();
        format!("  {:4} {}\n", hand.name, shares.join("  "))
    };
    page += &format!("\n{} with each kind of hands:\n", game.seat_name(strategy.seat));
    strategy.hands.iter().for_each(|hand| page += &row(hand));
    if let Some(own) = &strategy.own {
        page += &format!("\nwith {}:\n", own.name);
        for (nth, action) in strategy.actions.iter().enumerate() {
            let worth = signed(hundredths(own.worth[nth]));
            page += &format!("  {action} {:.0} %, worth {worth}\n", 100.0 * own.shares[nth]);
        }
    }
    page
}

/// A position with all that was found out.
struct Solved {
    examined: Examined,
    method: Method,
    cost: Statistics,
    seconds: f64,
    /// What no seat gets more than and less than, where it matters how equal choices are made; or why that was not found.
    ties: Option<Result<(Payoffs, Payoffs), Unsolved>>,
    /// The line of play, where it is wanted.
    line: Option<Vec<String>>,
}

/// How long a proof is looked for, unless --time says it, where the solvers do not know a position.
const FOR_A_PROOF: Duration = Duration::from_secs(10);

fn solve(args: &Args, truth: &dyn Truth, current: &dyn AnyMatch, bar: &SolverBar) -> Result<Solved, Failure> {
    let (start, before) = (Instant::now(), truth.statistics());
    let progress = |progress| bar.show(progress);
    bar.begin(args.time);
    let needs = args.needs(&progress);
    let mut examined = needs.examine(truth, current)?;
    if let (Err(Unsolved::Unknown(_)), None) = (&examined.exact, args.time) {
        // A win may be proven all the same, and with a deadline that is tried.
        bar.begin(Some(FOR_A_PROOF));
        examined = Needs { deadline: Some(SystemHost.now() + FOR_A_PROOF), ..needs }.examine(truth, current)?;
    }
    let refused = |why: &Unsolved| Failure::Failed(refusal(args, why, start.elapsed().as_secs_f64()));
    examined.knows_best().map_err(refused)?;
    let ties = truth.best_and_worst(current, &needs.work(&CancelFlag::default()));
    let line = args.line.then(|| line_of_play(&needs, truth, current, &examined, &refused)).transpose()?;
    let seconds = start.elapsed().as_secs_f64();
    let after = truth.statistics();
    let cost = Statistics {
        positions: after.positions - before.positions,
        nodes: after.nodes - before.nodes,
        bytes: after.bytes,
    };
    Ok(Solved { method: examined.method, examined, cost, seconds, ties, line })
}

/// The first of the best actions of every seat in turn.
fn line_of_play(
    needs: &Needs<'_>,
    truth: &dyn Truth,
    current: &dyn AnyMatch,
    examined: &Examined,
    refused: &dyn Fn(&Unsolved) -> Failure,
) -> Result<Vec<String>, Failure> {
    let (mut current, mut examined) = (current.boxed_clone(), examined.clone());
    let (mut line, mut met) = (Vec::new(), HashSet::new());
    while let Some((best, _)) = examined.ranked().first()
        && met.insert(current.position_text(Viewer::Referee))
    {
        let seat = examined.seat.expect("a seat has actions");
        let played = current.play(seat, &best.action);
        line.push(played.map_err(|why| Failure::Failed(format!("the line of play breaks off: {why}")))?);
        examined = needs.examine(truth, &*current)?;
        examined.complete().map_err(refused)?;
    }
    Ok(line)
}

impl Args {
    fn needs<'a>(&self, progress: &'a (dyn Fn(Progress) + Sync)) -> Needs<'a> {
        Needs {
            deadline: self.time.map(|time| SystemHost.now() + time),
            n_threads: self.threads.map_or_else(n_cores, |threads| threads as usize),
            memory: (self.memory as usize).saturating_mul(1 << 20),
            progress,
        }
    }
}

fn refusal(args: &Args, why: &Unsolved, seconds: f64) -> String {
    let spec = args.game.spec();
    match why {
        Unsolved::OutOfTime => format!("{spec} was not solved in {seconds:.1} s"),
        Unsolved::OutOfMemory => {
            format!("{spec} was not solved in {} MiB (after {seconds:.1} s): give it more by --memory", args.memory)
        }
        Unsolved::Unknown(_) => format!("{spec} was not solved: {why}"),
    }
}

fn described(game: &dyn AnyGame, solved: &Solved) -> Value {
    let mut about = values::described(game, &solved.examined);
    about["method"] = json!(solved.method.to_string());
    about["positions"] = json!(solved.cost.positions);
    about["nodes"] = json!(solved.cost.nodes);
    about["seconds"] = json!(solved.seconds);
    about["bytes"] = json!(solved.cost.bytes);
    match &solved.ties {
        Some(Ok((best, worst))) => about["ties"] = json!({"best": rounded(best), "worst": rounded(worst)}),
        Some(Err(_)) => about["ties"] = Value::Null,
        None => {}
    }
    if let Some(line) = &solved.line {
        about["line"] = json!(line);
    }
    about
}

fn page(game: &dyn AnyGame, solved: &Solved) -> String {
    let Statistics { positions, nodes, bytes } = solved.cost;
    let mebibytes = bytes as f64 / f64::from(1 << 20);
    let (method, seconds) = (solved.method, solved.seconds);
    // What was known before has no cost that says anything, and the search for a near win counts nothing.
    let cost = if (positions, nodes) == (0, 0) {
        format!("by {method}, {seconds:.3} s\n")
    } else {
        format!(
            "by {method}: {positions} positions, {nodes} nodes, {seconds:.3} s, {mebibytes:.1} MiB reserved for tables\n"
        )
    };
    let mut page = values::page(game, &solved.examined);
    if let Some(Err(why)) = &solved.ties {
        let why = match why {
            Unsolved::OutOfMemory => "not found in the memory given: give it more by --memory",
            Unsolved::OutOfTime => "not found in the time given",
            Unsolved::Unknown(why) => why,
        };
        page += &format!("whatever seats choose between what is equal to them: {why}\n");
    }
    if let Some((best, worst)) = solved.ties.as_ref().and_then(|ties| ties.as_ref().ok()) {
        let (best, worst) = (rounded(best), rounded(worst));
        let seat = |seat| format!("{} {} to {}", game.seat_name(seat), signed(worst[seat]), signed(best[seat]));
        let each = (0..best.as_slice().len()).map(seat).collect::<Vec<_>>();
        page += &format!("whatever seats choose between what is equal to them: {}\n", each.join(", "));
    }
    if let Some(line) = &solved.line {
        page += &format!("line of play: {}\n", line.join(" "));
    }
    page + &paint(FAINT, cost)
}
