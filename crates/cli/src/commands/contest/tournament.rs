//! `raichi tournament AGENT … --game GAME`: who is the strongest of many.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use raichi_arena::contest::{Contest, Flow, play};
use raichi_arena::report::tournament as report;
use raichi_arena::standings::points;
use raichi_arena::tournament::{Format, TournamentSchedule};
use raichi_core::AnyGame;
use raichi_core::record::Record;
use serde_json::json;

use super::{OpeningSource, Shared, progress, read, stopped, unready, write};
use crate::args::GameSpec;
use crate::failure::Failure;
use crate::output::{Output, complain};

/// Records kept for the page, of each order of agents in each game.
const MOST_RECORDS: usize = 2;

/// Let many agents play a tournament: who is the strongest, and by how much?
///
/// A meeting is an opening played from all sides, or as many as --games asks for; a tournament of several games is one
/// in each of them, with a table of all together. Elo is counted from the mean of all agents.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  raichi tournament random mcts:sims=50 mcts:sims=200 --game connect-four --games 20
  raichi tournament --agents field.txt --game hex:size=7 --game othello --openings 2 --out games.jsonl --html page.html
  raichi tournament random mcts:sims=10 mcts:sims=100 mcts:sims=1000 --game tablut --format swiss --json | tail -1

Formats: round-robin, every group of agents meets once (pairs, or as many as the game has seats); double, twice; \
knock-out, the agent that loses a meeting is out, the first named against the last; swiss, those meet who have scored alike.")]
pub(crate) struct Args {
    /// Who plays.
    #[arg(value_name = "AGENT")]
    agents: Vec<String>,

    /// Read agents from a file too, one spec a line; lines that begin with # are skipped.
    #[arg(long = "agents", value_name = "FILE")]
    list: Option<PathBuf>,

    /// A game, with its parameters; several by repeating it.
    #[arg(long = "game", value_name = "GAME", required = true, value_parser = GameSpec, hide_possible_values = true)]
    games: Vec<Arc<dyn AnyGame>>,

    /// Who meets whom.
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = FormatName::RoundRobin)]
    format: FormatName,

    /// Games of each meeting, or as many more as make whole rounds; one round where not given.
    #[arg(long = "games", value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    games_a_meeting: Option<u64>,

    /// Write the tables to a file for spreadsheets.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Write one HTML page with tables, plots and games to step through.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    #[command(flatten)]
    shared: Shared,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum FormatName {
    RoundRobin,
    Double,
    KnockOut,
    Swiss,
}

impl FormatName {
    fn format(self) -> Format {
        match self {
            FormatName::RoundRobin => Format::RoundRobin,
            FormatName::Double => Format::Double,
            FormatName::KnockOut => Format::KnockOut,
            FormatName::Swiss => Format::Swiss,
        }
    }

    fn words(self) -> &'static str {
        match self {
            FormatName::RoundRobin => "round robin",
            FormatName::Double => "double round robin",
            FormatName::KnockOut => "knock-out",
            FormatName::Swiss => "Swiss system",
        }
    }
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let contest = args.contest()?;
    let mut schedule = TournamentSchedule::new(&contest, args.format.format(), args.games_a_meeting);
    let mut journal = args.shared.journal()?;
    let mut kept = Kept::default();
    let mut score = vec![0.0; contest.agents().len()];
    // Who plays on in a knock-out is known only when it has been played.
    let bar = progress(args.n_games(&contest));
    let played = play(&contest, &mut schedule, &mut journal, args.shared.threads(), &mut |outcome, record| {
        for (seat, &agent) in outcome.planned.seats.iter().enumerate() {
            score[agent] += points(&outcome.payoffs, seat);
        }
        if args.html.is_some() {
            kept.add(record);
        }
        bar.inc(1);
        if bar.length().is_some_and(|length| length < bar.position()) {
            bar.set_length(bar.position());
        }
        bar.set_message(leaders(contest.agents(), &score));
        Flow::Continue
    });
    bar.finish_and_clear();
    let results = played.map_err(stopped)?;
    let tournament = report::Tournament::of(&contest, args.format.words(), &args.openings_in_words(), &results);
    for part in &tournament.games {
        let (n, n_games) = (part.standings.n_repeated, part.standings.n_games);
        // Random agents may well play the same short game twice.
        if 10 * n > n_games {
            let game = &part.game;
            complain(format!(
                "note: {n} of the {n_games} games of {game} repeat an earlier one; --openings makes them differ"
            ));
        }
    }
    if let Some(path) = &args.csv {
        write(path, &report::csv(&tournament))?;
    }
    if let Some(path) = &args.html {
        write(path, &report::html(&tournament, &kept.records))?;
    }
    let mut out = Output::new();
    if args.shared.json {
        out.line(json!({"tournament": tournament}))?;
        return out.line(serde_json::to_string(&tournament.overall).expect("a summary has only finite numbers"));
    }
    out.print(report::text(&tournament))
}

impl Args {
    fn contest(&self) -> Result<Contest, Failure> {
        let agents = self.all_agents()?;
        let openings = match (&self.shared.openings, &self.games[..]) {
            (Some(OpeningSource::File(path)), [_, _, ..]) => {
                let path = path.display();
                return Err(Failure::Usage(format!(
                    "--openings {path}: a list is of one game, and several are played"
                )));
            }
            (_, games) => self.shared.openings(games[0].as_ref())?,
        };
        for (i, game) in self.games.iter().enumerate() {
            if self.games[..i].iter().any(|other| other.spec() == game.spec()) {
                return Err(Failure::Usage(format!("--game {}: it is named twice", game.spec())));
            }
        }
        let contest = Contest::new(self.games.clone(), &agents, openings, self.shared.seed).map_err(unready)?;
        for (i, agent) in contest.agents().iter().enumerate() {
            if contest.agents()[..i].contains(agent) {
                return Err(Failure::Usage(format!("{agent} is named twice; in a tournament every agent is another")));
            }
        }
        Ok(contest)
    }

    fn all_agents(&self) -> Result<Vec<String>, Failure> {
        let mut agents = self.agents.clone();
        if let Some(path) = &self.list {
            let text = read(path)?;
            let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
            agents.extend(lines.map(String::from));
        }
        match agents.len() {
            0 | 1 => {
                Err(Failure::Usage(format!("a tournament needs two agents at least, and here are {}", agents.len())))
            }
            _ => Ok(agents),
        }
    }

    fn openings_in_words(&self) -> String {
        match &self.shared.openings {
            None | Some(OpeningSource::Random(0)) => "none: games begin at their start".into(),
            Some(OpeningSource::Random(1)) => "one random ply, played from all sides".into(),
            Some(OpeningSource::Random(plies)) => format!("{plies} random plies, played from all sides"),
            Some(OpeningSource::File(path)) => format!("{}, played from all sides", path.display()),
        }
    }

    // As many as are known from the beginning.
    fn n_games(&self, contest: &Contest) -> u64 {
        let mut schedule = TournamentSchedule::new(contest, self.format.format(), self.games_a_meeting);
        let first = raichi_arena::contest::Schedule::next(&mut schedule, &[]).len() as u64;
        if matches!(self.format, FormatName::Double) { 2 * first } else { first }
    }
}

// The three with the most points.
fn leaders(agents: &[String], score: &[f64]) -> String {
    let mut order: Vec<usize> = (0..agents.len()).collect();
    order.sort_by(|&one, &other| score[other].total_cmp(&score[one]));
    let best = order.into_iter().take(3).map(|agent| format!("{} {:.1}", agents[agent], score[agent]));
    format!(": {}", best.collect::<Vec<_>>().join(", "))
}

/// Records for the page: a few of each order of agents.
#[derive(Default)]
struct Kept {
    records: Vec<Record>,
    counts: HashMap<(String, Vec<String>), usize>,
}

impl Kept {
    fn add(&mut self, record: &Record) {
        let count = self.counts.entry((record.game.clone(), record.seats.clone())).or_default();
        if *count < MOST_RECORDS {
            *count += 1;
            self.records.push(record.clone());
        }
    }
}
