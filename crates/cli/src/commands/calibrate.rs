//! `raichi calibrate GAME`: finds the ten levels of a game.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use cpu_time::ProcessTime;
use indicatif::{ProgressBar, ProgressStyle};
use raichi_agents::levels::{self, Ladder, Level, NAMES};
use raichi_agents::{Budget, prepare};
use raichi_arena::calibration::{Calibration, EASIEST, Round, Task, two_digits};
use raichi_core::game::Phase;
use raichi_core::random::stream;
use raichi_core::{AnyGame, AnyMatch};

use crate::args::GameSpec;
use crate::failure::Failure;
use crate::output::{Output, write_whole};

/// Find counts of nodes or simulations, and shares of random plies, that make the ten levels of a game evenly spaced.
///
/// Level 10 is the best agent with the count that it reaches in a second on this machine, level 1 plays most of its plies
/// at random (`--easiest`); those between are placed by matches. Of an agent that counts neither simulations nor nodes (one that
/// looks its answers up) levels differ by their share of random plies alone. Every round played is kept in the checkpoint file, and the
/// command goes on from there when it is run again. The data file is changed when the time is over: the one of Raichi's
/// source, in whose folder the command is run, or the one that --out names.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  raichi calibrate connect-four
  nice raichi calibrate hex:size=7 --minutes 5 --threads 1 --best mcts
  raichi calibrate leduc-poker --best perfect --by-payoff --minutes 4")]
pub(crate) struct Args {
    /// The game, with its parameters.
    #[arg(value_parser = GameSpec, hide_possible_values = true)]
    game: Arc<dyn AnyGame>,

    /// The agent whose counts are found, without a budget; the one in the data file where not given.
    #[arg(long, value_name = "AGENT")]
    best: Option<String>,

    /// For how long it plays, in processor time of each thread, so that a busy machine only takes longer; what it played
    /// in earlier runs is not included.
    #[arg(long, value_name = "N", default_value_t = 15.0)]
    minutes: f64,

    /// How many rounds are played at once.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,

    /// The count of level 10; measured where not given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(16..))]
    top: Option<u64>,

    /// How many plies in a hundred level 1 plays at random: more where even a few good ones are too much for a beginner.
    #[arg(long, value_name = "PERCENT", default_value_t = EASIEST, value_parser = clap::value_parser!(u64).range(1..=99))]
    easiest: u64,

    /// Measure levels by what they are paid against level 10 in place of Elo: for games of two seats and more in which it matters
    /// how much is won and not how often, as in a single hand of poker.
    #[arg(long)]
    by_payoff: bool,

    /// Decides every game.
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,

    /// Where rounds are kept; calibrate-GAME.jsonl where not given.
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,

    /// The data file, of which the game's section is replaced.
    #[arg(long, value_name = "FILE", default_value = "crates/agents/src/levels/levels.toml")]
    out: PathBuf,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    if !(args.minutes > 0.0 && args.minutes <= 10_000.0) {
        return Err(Failure::Usage("--minutes is a number above 0 and up to 10000".into()));
    }
    // Read first: time is not spent on what cannot be written.
    let mut ladders = read_ladders(&args.out)?;
    let (task, rounds, mut kept) = open(args)?;
    let n_before = rounds.len();
    let mut calibration = Calibration::new(Arc::clone(&args.game), task.clone(), rounds);
    let start = ProcessTime::now();
    let share = || start.elapsed().as_secs_f64() / (60.0 * args.minutes * f64::from(args.threads));
    let progress = progress();
    let (mut n_new, mut unwritten) = (0, None);
    let mut keep = |round: &Round, share: f64| {
        let line = serde_json::to_string(round).expect("a round is made of numbers");
        if let Err(why) = writeln!(kept, "{line}") {
            unwritten.get_or_insert(why);
        }
        n_new += 1;
        progress.set_position((share.min(1.0) * 100.0) as u64);
        progress.set_message(format!("{} rounds", n_before + n_new));
    };
    calibration.run(args.threads.into(), &share, &mut keep).map_err(|why| Failure::Usage(why.to_string()))?;
    progress.finish_and_clear();
    if let Some(why) = unwritten {
        return Err(Failure::file(&checkpoint(args), "written", why));
    }
    // A game without levels of its own has those for all games, which are version 1.
    let version = 1 + ladders.get(args.game.id()).map_or(1, |ladder| ladder.version);
    let mut ladder = calibration.ladder(&command(args, &task), version);
    if let Some(before) = ladders.get(args.game.id()) {
        (ladder.otherwise, ladder.best_of) = (before.otherwise.clone(), before.best_of.clone());
    }
    Output::new().print(table(&ladder))?;
    ladders.insert(args.game.id().into(), ladder);
    write_whole(&args.out, levels::write(&ladders).as_bytes())
}

fn read_ladders(path: &Path) -> Result<BTreeMap<String, Ladder>, Failure> {
    let text = std::fs::read_to_string(path).map_err(|why| match why.kind() {
        io::ErrorKind::NotFound => Failure::Failed(format!(
            "--out {}: there is no such file; levels are calibrated in the folder of Raichi's source, or in a copy of its \
             levels.toml named by --out",
            path.display()
        )),
        _ => Failure::file(path, "read", why),
    })?;
    levels::read(&text).map_err(|why| Failure::file(path, "read", why))
}

fn checkpoint(args: &Args) -> PathBuf {
    let named = || format!("calibrate-{}.jsonl", args.game.id()).into();
    args.checkpoint.clone().unwrap_or_else(named)
}

/// The task and the rounds of an earlier run, or a new task; and the file that further rounds are added to.
fn open(args: &Args) -> Result<(Task, Vec<Round>, File), Failure> {
    let path = checkpoint(args);
    let refused = |why: String| Failure::Refused(format!("{}: {why}", path.display()));
    let text = match std::fs::read_to_string(&path) {
        Err(why) if why.kind() == io::ErrorKind::NotFound => String::new(),
        text => text.map_err(|why| Failure::file(&path, "read", why))?,
    };
    let mut lines = text.lines().enumerate().peekable();
    let damaged = |number: usize, why: serde_json::Error| refused(format!("line {}: {why}", number + 1));
    let earlier = lines.next().map(|(i, line)| serde_json::from_str::<Task>(line).map_err(|why| damaged(i, why)));
    let earlier = earlier.transpose()?;
    let mut rounds = Vec::new();
    while let Some((i, line)) = lines.next() {
        match serde_json::from_str(line) {
            Ok(round) => rounds.push(round),
            // The last line may have been cut off.
            Err(_) if lines.peek().is_none() => break,
            Err(why) => return Err(damaged(i, why)),
        }
    }
    let best = args.best.clone().unwrap_or_else(|| levels::best(&*args.game).into());
    let task = match earlier {
        Some(task) => {
            let same = task.game == args.game.spec()
                && task.best == best
                && task.seed == args.seed
                && task.easiest == args.easiest
                && task.by_payoff == args.by_payoff
                && args.top.is_none_or(|top| top == task.top);
            if !same {
                return Err(refused("it is of another calibration; name another file or remove it".into()));
            }
            task
        }
        None => new_task(args, best)?,
    };
    // Written anew, so that what was cut off is gone.
    let text = |line: serde_json::Result<String>| line.expect("tasks and rounds are texts and numbers") + "\n";
    let all: String = std::iter::once(text(serde_json::to_string(&task)))
        .chain(rounds.iter().map(|round| text(serde_json::to_string(round))))
        .collect();
    write_whole(&path, all.as_bytes())?;
    let file = OpenOptions::new().append(true).open(&path).map_err(|why| Failure::file(&path, "written", why))?;
    Ok((task, rounds, file))
}

fn new_task(args: &Args, best: String) -> Result<Task, Failure> {
    let with = |entry: &str| format!("{best}{}{entry}", if best.contains(':') { ',' } else { ':' });
    let plays = |options: &str| prepare(&args.game, &with(options)).is_ok();
    let unit = ["sims", "nodes"].into_iter().find(|unit| plays(&format!("{unit}=16")));
    let counted = match unit {
        Some(unit) if args.top.is_none() => count_in_a_second(&args.game, &with("time=1s"), unit)?,
        unit => unit.and(args.top),
    };
    let (unit, top) = match unit.zip(counted) {
        Some(known) => known,
        None if args.top.is_some() => {
            let why = "counts neither simulations nor nodes here, so that level 10 has no count";
            return Err(Failure::Usage(format!("--top: `{best}` {why}")));
        }
        None => {
            prepare(&args.game, &best).map_err(|why| Failure::Usage(format!("`{best}`: {why}")))?;
            ("", 0)
        }
    };
    Ok(Task {
        game: args.game.spec().into(),
        best,
        unit: unit.into(),
        top,
        easiest: args.easiest,
        seed: args.seed,
        by_payoff: args.by_payoff,
    })
}

/// The median over positions of a random game: what the agent does in a second of processor time. `None` where it looks its answers
/// up, as one may that counts something with other parameters.
fn count_in_a_second(game: &Arc<dyn AnyGame>, spec: &str, unit: &str) -> Result<Option<u64>, Failure> {
    let failed = |why: raichi_agents::AgentError| Failure::Usage(format!("`{spec}`: {why}"));
    let agent = prepare(game, spec).map_err(failed)?;
    let mut rates = Vec::new();
    for (index, n_plies) in [2, 4, 6, 8, 10].into_iter().enumerate() {
        let mut current = after_random_plies(&**game, n_plies, index as u64);
        if let Phase::Act(seats) = current.phase() {
            let (seat, start) = (seats.first(), ProcessTime::now());
            let advice = agent.open(1).decide(&*current, seat, Budget::time(Duration::from_secs(1))).map_err(failed)?;
            let count = if unit == "sims" { advice.cost.simulations } else { advice.cost.nodes };
            // Where it ends sooner nothing is left to find out.
            rates.push(count as f64 / start.elapsed().as_secs_f64().max(1e-3));
            current.truncate(0);
        }
    }
    rates.sort_by(f64::total_cmp);
    let median = rates.get(rates.len() / 2).copied().unwrap_or(1_000.0);
    Ok((median > 0.0).then(|| two_digits(median).max(16)))
}

fn after_random_plies(game: &dyn AnyGame, n_plies: usize, seed: u64) -> Box<dyn AnyMatch> {
    let mut current = game.new_match();
    let mut rng = stream(seed, "calibrate", 0);
    loop {
        match current.phase() {
            Phase::Over => return after_random_plies(game, n_plies.saturating_sub(2), seed),
            Phase::Chance => current.sample_outcome(&mut rng).expect("chance is to act"),
            Phase::Act(_) if current.n_plies() >= n_plies => return current,
            Phase::Act(seats) => current.play_random(seats.first(), &mut rng).expect("the seat is to act"),
        }
    }
}

/// The command as it would be given again.
fn command(args: &Args, task: &Task) -> String {
    let Task { game, best, top, easiest, seed, .. } = task;
    let minutes = args.minutes;
    let easiest = if *easiest == EASIEST { String::new() } else { format!(" --easiest {easiest}") };
    let top = if *top == 0 { String::new() } else { format!(" --top {top}") };
    let by_payoff = if task.by_payoff { " --by-payoff" } else { "" };
    format!("raichi calibrate {game} --best {best}{top}{easiest}{by_payoff} --seed {seed} --minutes {minutes}")
}

fn table(ladder: &Ladder) -> String {
    let widest = ladder.levels.iter().map(|level| level.agent.len()).max().unwrap_or(0);
    let line = |(n, (level, name)): (usize, (&Level, &str))| {
        let step = level.measured.as_ref().map_or_else(String::new, |step| {
            format!("{:+} [{:+}, {:+}] over the level below, {} games", step.step, step.low, step.high, step.games)
        });
        let random = if level.random > 0.0 { format!("{:.0} % random", 100.0 * level.random) } else { String::new() };
        format!("{:>2} {name:<10} {:<widest$}  {random:<12} {step}\n", n + 1, level.agent)
    };
    ladder.levels.iter().zip(NAMES).enumerate().map(line).collect()
}

fn progress() -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {pos} % of the time, {msg}");
    ProgressBar::new(100).with_style(style.expect("the template is well-formed"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(game: &str) -> Args {
        Args {
            game: raichi_games::game(game).expect("it is a game"),
            best: None,
            minutes: 1.0,
            threads: 1,
            top: None,
            easiest: EASIEST,
            by_payoff: false,
            seed: 0,
            checkpoint: None,
            out: PathBuf::new(),
        }
    }

    fn task(game: &str, best: &str) -> Task {
        let Ok(task) = new_task(&args(game), best.into()) else { panic!("{best} does not play {game}") };
        task
    }

    #[test]
    fn a_checkpoint_that_is_none_is_left_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rounds.jsonl");
        let args = Args { checkpoint: Some(path.clone()), ..args("nim") };
        // Begun, and gone on with after the last line was cut off.
        assert!(open(&args).is_ok());
        let begun = std::fs::read(&path).unwrap();
        let cut_off = [&*begun, b"{\"lev"].concat();
        std::fs::write(&path, &cut_off).unwrap();
        assert!(open(&args).is_ok_and(|(_, rounds, _)| rounds.is_empty()));
        assert_eq!(std::fs::read(&path).unwrap(), begun);
        // Bytes that are no text, and a line in the middle that is none of ours.
        for other in [[&*begun, &[0xff, 0xfe]].concat(), [&*begun, b"{}\n{}\n"].concat(), b"notes\n".to_vec()] {
            std::fs::write(&path, &other).unwrap();
            assert!(open(&args).is_err());
            assert_eq!(std::fs::read(&path).unwrap(), other);
        }
    }

    #[test]
    fn levels_of_an_agent_that_looks_its_answers_up_count_nothing() {
        // It has an option for simulations, for rounds that it does not know; with the default stacks there are none.
        for (game, best) in [("poker", "blueprint"), ("nim", "perfect")] {
            let found = task(game, best);
            assert_eq!((&*found.unit, found.top), ("", 0), "{best}");
        }
    }
}
