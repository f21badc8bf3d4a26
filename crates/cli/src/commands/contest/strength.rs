//! `raichi strength --game GAME`: a game's agents at equal time, measured by the reference and against each other.

use std::sync::Arc;

use indicatif::{ProgressBar, ProgressStyle};
use raichi_agents::{AgentKind, prepare, supporting};
use raichi_arena::contest::{Contest, Flow, Outcome, play};
use raichi_arena::report::standings as tables;
use raichi_arena::standings::{Reference, Standings, Summary, SummaryLine};
use raichi_arena::tournament::gauntlet::GauntletSchedule;
use raichi_core::AnyGame;
use raichi_core::verdict::counted;
use serde_json::json;

use super::{Shared, stopped, unready};
use crate::args::GameSpec;
use crate::failure::Failure;
use crate::output::{Output, complain};
use crate::palette::{BOLD, FAINT, paint};

/// Measure how strong a game's agents are when all have the same time.
///
/// Every agent meets the reference, then the best four meet each other. A meeting of two seats ends when a test tells which
/// of the two is the stronger by 50 Elo, at --games at the latest, and everything when --minutes are over. With --out the same
/// command goes on where it was stopped, and more --minutes add to what was played. Elo is counted from the reference.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  raichi strength --game othello --openings 6 --out othello.jsonl
  raichi strength --game hex:size=7 --openings 1 --time 200ms --minutes 10
  raichi strength alphabeta:time=50ms mcts:time=50ms,rave=300 --reference mcts:time=50ms \\
      --game hex --openings 1

Where no agents are named these play: every kind of agent that fits the game, mcts by an evaluator and by a playout policy \
where the game has them, and best. Minutes are of thinking, of each thread.")]
pub(crate) struct Args {
    /// Who plays, each with what it may spend on a ply; all agents that fit the game, with --time, where none is named.
    #[arg(value_name = "AGENT")]
    agents: Vec<String>,

    /// The game, with its parameters.
    #[arg(long, value_parser = GameSpec, hide_possible_values = true)]
    game: Arc<dyn AnyGame>,

    /// The time a ply of agents that are not named.
    #[arg(long, value_name = "TIME", default_value = "20ms", allow_hyphen_values = true, value_parser = time_of_agents)]
    time: String,

    /// Whom everybody meets; mcts with --time where not given.
    #[arg(long, value_name = "AGENT")]
    reference: Option<String>,

    /// Games of each meeting, at most.
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u64).range(2..=1_000_000))]
    games: u64,

    /// How many minutes the agents think in all, in each thread; then it ends.
    #[arg(long, value_name = "N", default_value_t = 20.0)]
    minutes: f64,

    #[command(flatten)]
    shared: Shared,
}

/// Reads a time as agents take it.
fn time_of_agents(text: &str) -> Result<String, String> {
    let wanted = |_| "expected a number of whole ms or s from 1ms to 86400s, like 20ms or 2s".to_string();
    raichi_agents::canonical(&format!("mcts:time={text}")).map(|_| text.into()).map_err(wanted)
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    if !(args.minutes > 0.0 && args.minutes <= 100_000.0) {
        return Err(Failure::Usage("--minutes is a number above 0 and up to 100000".into()));
    }
    let contest = args.contest()?;
    let facts = args.game.facts();
    let mut schedule = GauntletSchedule::new(&contest, args.games);
    let mut journal = args.shared.journal()?;
    let threads = args.shared.threads();
    let all_millis = args.minutes * 60_000.0 * threads as f64;
    let (mut millis, mut n_games) = (0.0, 0);
    let bar = progress();
    let played = play(&contest, &mut schedule, &mut journal, threads, &mut |outcome, _| {
        millis += thinking(outcome);
        n_games += 1;
        bar.set_position((100.0 * millis / all_millis) as u64);
        bar.set_message(format!("{n_games} games"));
        if millis < all_millis { Flow::Continue } else { Flow::Stop }
    });
    bar.finish_and_clear();
    let results = played.map_err(stopped)?;
    let standings = Standings::of(contest.agents(), &facts, results.iter(), Reference::Last);
    if 10 * standings.n_repeated > standings.n_games {
        let (n, n_games) = (standings.n_repeated, standings.n_games);
        complain(format!("note: {n} of the {n_games} games repeat an earlier one; --openings makes them differ"));
    }
    let mut out = Output::new();
    if args.shared.json {
        let minutes = millis / 60_000.0;
        out.line(json!({
            "game": args.game.spec(), "seed": args.shared.seed, "minutes": minutes, "standings": standings,
        }))?;
        let agents = standings.agents.iter().map(SummaryLine::of).collect();
        return out.json(&Summary { agents });
    }
    out.print(args.page(&standings, millis))
}

impl Args {
    fn contest(&self) -> Result<Contest, Failure> {
        let openings = self.shared.openings(self.game.as_ref())?;
        let mut agents = if self.agents.is_empty() { fitting(&self.game, &self.time) } else { self.agents.clone() };
        let reference = self.reference.clone().unwrap_or_else(|| format!("mcts:time={}", self.time));
        let canonical = |spec: &str| raichi_agents::canonical(spec).map_err(|why| Failure::Usage(why.to_string()));
        let reference = canonical(&reference)?;
        agents.retain(|agent| canonical(agent).ok().as_ref() != Some(&reference));
        agents.push(reference);
        Contest::new(vec![Arc::clone(&self.game)], &agents, openings, self.shared.seed).map_err(unready)
    }

    fn page(&self, standings: &Standings, millis: f64) -> String {
        let game = self.game.as_ref();
        let (games, minutes) = (counted(standings.n_games, "game", "games"), millis / 60_000.0);
        let mut page = format!(
            "{}, {games}, {minutes:.1} minutes of thinking, seed {}\n\n",
            paint(BOLD, game.spec()),
            self.shared.seed
        );
        page += &tables::table(game, standings);
        if game.facts().n_seats > 1 {
            page += &format!("\nrows against columns, won–drawn–lost:\n{}", tables::matrix(standings));
        }
        if game.facts().n_seats == 2 {
            page += &paint(FAINT, ENDED_BY_TEST);
            page += "\n";
        }
        if standings.with_prior {
            page += &paint(FAINT, "\nElo with one drawn game added to each pair: the games alone set no bound.");
            page += "\n";
        }
        page
    }
}

/// A test ends the games when they happen to say the most.
const ENDED_BY_TEST: &str =
    "\nWhere the test ended a meeting, Elo lies too far from 0 on average, and its interval covers less than 95 %.";

/// How long everybody thought in a game, as far as that is known.
fn thinking(outcome: &Outcome) -> f64 {
    outcome.costs.iter().flatten().map(|cost| cost.millis).sum()
}

/// Kinds that are made of others, or answer from what is known, and are no methods to be measured.
const NOT_MEASURED: [&str; 4] = ["level", "best", "trained", "perfect"];

/// What `mcts` has besides where a game knows more.
const WITH_KNOWLEDGE: [&str; 2] = ["evaluator=hand", "playouts=policy"];

/// The agents that fit a game, each with this time a ply where it takes one, and without repetition.
fn fitting(game: &Arc<dyn AnyGame>, time: &str) -> Vec<String> {
    let takes_time = |kind: &AgentKind| kind.options.iter().any(|option| option.name == "time");
    let with_time = |kind: &AgentKind| match takes_time(kind) {
        true => format!("{}:time={time}", kind.id),
        false => kind.id.to_string(),
    };
    let is_measured = |kind: &&AgentKind| kind.seat.is_none() && !NOT_MEASURED.contains(&kind.id);
    let kinds = supporting(&**game).filter(is_measured).map(with_time);
    let knowing = WITH_KNOWLEDGE.iter().map(|option| format!("mcts:time={time},{option}"));
    let best = raichi_agents::levels::best(&**game);
    let best = match best.split_once(':') {
        Some((id, options)) => format!("{id}:time={time},{options}"),
        None => format!("{best}:time={time}"),
    };
    let mut found: Vec<String> = Vec::new();
    for spec in kinds.chain(knowing).chain([best]) {
        let Ok(agent) = prepare(game, &spec) else { continue };
        if !found.iter().any(|known| known == agent.spec()) {
            found.push(agent.spec().to_string());
        }
    }
    found
}

fn progress() -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {pos} % of the time, {msg}");
    ProgressBar::new(100).with_style(style.expect("the template is well-formed"))
}
