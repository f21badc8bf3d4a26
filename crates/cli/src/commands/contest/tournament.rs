//! `raichi tournament AGENT … --game GAME`: who is the strongest of many.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use raichi_arena::contest::{Contest, Flow, play};
use raichi_arena::report::sample::Sample;
use raichi_arena::report::tournament as report;
use raichi_arena::standings::points;
use raichi_arena::tournament::{Format, TournamentSchedule};
use raichi_core::AnyGame;
use serde_json::json;

use super::{OpeningSource, Shared, progress, read, stopped, unready};
use crate::args::GameSpec;
use crate::failure::Failure;
use crate::output::{Output, check_writable, complain, write_whole};

/// Let many agents play a tournament: who is the strongest, and by how much?
///
/// A meeting is an opening played from all sides, or as many as --games asks for; a tournament of several games is one
/// in each of them, with a table of all together. Elo is counted from the mean of all agents.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  raichi tournament random mcts:sims=50 mcts:sims=200 --game connect-four --games 20
  raichi tournament --agents field.txt --game hex:size=7 --game othello --openings 2 \\
      --out games.jsonl --html page.html
  raichi tournament random mcts:sims=10 mcts:sims=100 mcts:sims=1000 --game tablut \\
      --format swiss --json | tail -1

Formats: round-robin, every group of agents meets once (pairs, or as many as the game has seats); double, twice; \
knock-out, the agent that loses a meeting is out, the first named against the last; swiss, agents with equal or \
nearly equal scores meet.

The file of --csv is one table. Its column `table` says what a line is about: agents, an agent in a game; pairs, an agent \
against another, the opponent, in a game; seats, an agent on a seat of a game, from 0; overall, an agent in all games \
together. Fields that a line has no number for are empty.")]
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

    /// Write all tables to a file for spreadsheets, as one with a column that says which: agents, pairs, seats, overall.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Write one HTML page with tables, plots and games to step through: up to 200, as many as there is room for. --out keeps
    /// the records of all games.
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
    args.files().try_for_each(check_writable)?;
    let mut schedule = TournamentSchedule::new(&contest, args.format.format(), args.games_a_meeting);
    let mut journal = args.shared.journal()?;
    let mut sample = Sample::default();
    let mut score = vec![0.0; contest.agents().len()];
    // Who plays on in a knock-out is known only when it has been played.
    let bar = progress(args.n_games(&contest));
    let played = play(&contest, &mut schedule, &mut journal, args.shared.threads(), &mut |outcome, record| {
        for (seat, &agent) in outcome.planned.seats.iter().enumerate() {
            score[agent] += points(&outcome.payoffs, seat);
        }
        if args.html.is_some() {
            sample.add(record);
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
    let (format, openings) = (args.format.words(), args.openings_in_words());
    let tournament = report::Tournament::of(&contest, &schedule, format, &openings, &results);
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
    // The tables first: they are not lost where a file cannot be written; and files are written where nobody reads the tables.
    let printed = args.print(&tournament);
    let csv = |path: &Path| write_whole(path, report::csv(&tournament).as_bytes());
    let html = |path: &Path| write_whole(path, report::html(&tournament, &sample.records()).as_bytes());
    let csv = args.csv.as_deref().map_or(Ok(()), csv);
    let html = args.html.as_deref().map_or(Ok(()), html);
    csv.and(html).and(printed)
}

/// An agent as it was named.
struct Named {
    spec: String,
    /// The file and the line where it stands, if it stands in one.
    place: Option<String>,
}

impl Named {
    /// What is wrong with it, with its place.
    fn with_place(&self, why: &str) -> String {
        self.place.as_ref().map_or_else(|| why.to_string(), |place| format!("{place}: {why}"))
    }
}

impl Args {
    fn print(&self, tournament: &report::Tournament) -> Result<(), Failure> {
        let mut out = Output::new();
        if self.shared.json {
            out.line(json!({"tournament": tournament}))?;
            return out.json(&tournament.overall);
        }
        out.print(report::text(tournament))
    }

    /// Those that are written at the end.
    fn files(&self) -> impl Iterator<Item = &Path> {
        self.csv.iter().chain(&self.html).map(PathBuf::as_path)
    }

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
        let specs: Vec<String> = agents.iter().map(|named| named.spec.clone()).collect();
        let contest = Contest::new(self.games.clone(), &specs, openings, self.shared.seed);
        let contest = contest.map_err(|why| self.wrong_line(&agents).unwrap_or_else(|| unready(why)))?;
        for (i, agent) in contest.agents().iter().enumerate() {
            if contest.agents()[..i].contains(agent) {
                let why = format!("{agent} is named twice; in a tournament every agent is another");
                return Err(Failure::Usage(agents[i].with_place(&why)));
            }
        }
        Ok(contest)
    }

    /// Which agent of the file cannot play, and why, if the first one that cannot is of it.
    fn wrong_line(&self, agents: &[Named]) -> Option<Failure> {
        let all = self.games.iter().flat_map(|game| agents.iter().map(move |named| (game, named)));
        let (named, why) = all
            .filter_map(|(game, named)| Some((named, raichi_agents::prepare(game, &named.spec).err()?)))
            .next()
            .filter(|(named, _)| named.place.is_some())?;
        Some(Failure::Usage(named.with_place(&format!("`{}`: {why}", named.spec))))
    }

    fn all_agents(&self) -> Result<Vec<Named>, Failure> {
        let on_command_line = self.agents.iter().map(|spec| Named { spec: spec.clone(), place: None });
        let mut agents: Vec<Named> = on_command_line.collect();
        if let Some(path) = &self.list {
            let text = read(path)?;
            let lines = (1..).zip(text.lines().map(str::trim));
            let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
            agents.extend(lines.map(|(number, line)| {
                let place = Some(format!("{}: line {number}", path.display()));
                Named { spec: line.into(), place }
            }));
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
