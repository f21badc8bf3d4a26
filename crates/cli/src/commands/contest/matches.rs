//! `raichi match AGENT … --game GAME`: who is the stronger, and by how much.

use std::sync::Arc;

use raichi_arena::contest::{Contest, Flow, MatchSchedule, Outcome, play};
use raichi_arena::ratings::sprt::{Pairs, Sprt, Verdict};
use raichi_arena::report::standings as tables;
use raichi_arena::standings::{Reference, Standings, Summary, SummaryLine, points};
use raichi_core::AnyGame;
use raichi_core::verdict::counted;
use serde_json::json;

use super::{Shared, note_repeated, progress, stopped, unready};
use crate::args::GameSpec;
use crate::failure::Failure;
use crate::output::{Output, complain};
use crate::palette::{BOLD, FAINT, paint};

/// Let agents play a match: how much stronger is one than another?
///
/// Every opening is played from all sides: each order of the agents on the seats. With fewer agents than seats, agents hold
/// several seats, each in turn one more than the others; with more, every combination meets. Elo is counted from the agent
/// named last.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  raichi match mcts:sims=400 random --game connect-four
  raichi match mcts:sims=800 mcts:sims=400 --game hex:size=7 --openings 2 --games 400 \\
      --out match.jsonl
  raichi match mcts:time=50ms,c=1.4 mcts:time=50ms --game othello --openings 6 \\
      --games 2000 --elo0 0 --elo1 20
  raichi match mcts:sims=50 random --game poker:players=3 --json | tail -1

Each agent's spec says what it may spend on a ply. A round is an opening played from all sides; its games have \
the same seed, so that everybody meets the same chance. Intervals cover 95 %, and take rounds as their unit.")]
pub(crate) struct Args {
    /// Who plays.
    #[arg(value_name = "AGENT", required = true)]
    agents: Vec<String>,

    /// The game, with its parameters.
    #[arg(long, value_parser = GameSpec, hide_possible_values = true)]
    game: Arc<dyn AnyGame>,

    /// How many games; at most, where a test decides.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    games: u64,

    /// Test whether the first of two agents is better by --elo1 rather than by this, and stop as soon as that is decided.
    #[arg(long, value_name = "ELO", requires = "elo1", allow_negative_numbers = true, value_parser = parse_elo)]
    elo0: Option<f64>,

    /// The other hypothesis.
    #[arg(long, value_name = "ELO", requires = "elo0", allow_negative_numbers = true, value_parser = parse_elo)]
    elo1: Option<f64>,

    /// How often --elo1 may be accepted wrongly.
    #[arg(long, value_name = "SHARE", default_value_t = 0.05, requires = "elo0", value_parser = parse_share)]
    alpha: f64,

    /// How often --elo0 may be accepted wrongly.
    #[arg(long, value_name = "SHARE", default_value_t = 0.05, requires = "elo0", value_parser = parse_share)]
    beta: f64,

    #[command(flatten)]
    shared: Shared,
}

fn parse_elo(text: &str) -> Result<f64, String> {
    let elo = text.parse().ok().filter(|elo: &f64| elo.abs() <= 2000.0);
    elo.ok_or_else(|| "expected Elo from -2000 to 2000".into())
}

fn parse_share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share: &f64| (0.0001..=0.4999).contains(share));
    share.ok_or_else(|| "expected a share from 0.0001 to 0.4999".into())
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let sprt = args.sprt()?;
    let openings = args.shared.openings(args.game.as_ref())?;
    let contest = Contest::new(vec![Arc::clone(&args.game)], &args.agents, openings, args.shared.seed);
    let contest = contest.map_err(unready)?;
    let facts = args.game.facts();
    let (n_agents, n_seats) = (args.agents.len(), facts.n_seats);
    let mut schedule = MatchSchedule::new(contest.agents(), n_seats, args.games, args.shared.seed);
    let mut journal = args.shared.journal()?;
    let mut score = Score::new(contest.agents(), sprt);
    let bar = progress(args.games);
    let played = play(&contest, &mut schedule, &mut journal, args.shared.threads(), &mut |outcome, _| {
        let flow = score.add(outcome);
        bar.inc(1);
        bar.set_message(score.message());
        flow
    });
    bar.finish_and_clear();
    let results = played.map_err(stopped)?;
    let standings = Standings::of(contest.agents(), &facts, results.iter(), Reference::Last);
    args.warn(&standings, MatchSchedule::games_a_round(n_agents, n_seats) as u64, results.len() as u64);
    let mut out = Output::new();
    if args.shared.json {
        out.line(json!({
            "game": args.game.spec(),
            "seed": args.shared.seed,
            "standings": standings,
            "sprt": score.test.as_ref().map(Test::json),
        }))?;
        let agents = standings.agents.iter().map(SummaryLine::of).collect();
        return out.json(&Summary { agents });
    }
    out.print(args.page(&standings, &score))
}

impl Args {
    fn sprt(&self) -> Result<Option<Sprt>, Failure> {
        let (Some(elo0), Some(elo1)) = (self.elo0, self.elo1) else { return Ok(None) };
        if elo0 >= elo1 {
            return Err(Failure::Usage(format!("--elo0 {elo0} --elo1 {elo1}: the first must be less than the second")));
        }
        let (n_agents, n_seats) = (self.agents.len(), self.game.facts().n_seats);
        if n_agents != 2 || n_seats != 2 {
            let game = self.game.spec();
            let agents = counted(n_agents as u64, "agent is", "agents are");
            let seats = counted(n_seats as u64, "seat", "seats");
            let found = format!("{agents} named and {game} has {seats}");
            return Err(Failure::Usage(format!("--elo0: the test is of two agents in a game of two seats; {found}")));
        }
        Ok(Some(Sprt { elo0, elo1, alpha: self.alpha, beta: self.beta }))
    }

    fn warn(&self, standings: &Standings, games_a_round: u64, n_games: u64) {
        if !n_games.is_multiple_of(games_a_round) {
            let played = counted(n_games, "game is", "games are");
            complain(format!("note: {played} no whole number of rounds, which have {games_a_round} games"));
        }
        note_repeated(standings.n_repeated, n_games);
    }

    fn page(&self, standings: &Standings, score: &Score) -> String {
        let game = self.game.as_ref();
        let games = counted(standings.n_games, "game", "games");
        let rounds = counted(standings.n_rounds, "round", "rounds");
        let mut page = format!("{}, {games} in {rounds}, seed {}\n\n", paint(BOLD, game.spec()), self.shared.seed);
        page += &tables::table(game, standings);
        if game.facts().n_seats > 1 {
            page += &format!("\nby seat:\n{}", tables::by_seat(game, standings));
        }
        if standings.agents.len() > 2 && game.facts().n_seats > 1 {
            page += &format!("\nrows against columns, won–drawn–lost:\n{}", tables::matrix(standings));
        }
        if let Some(test) = &score.test {
            page += &format!("\n{}\n", test.sentence());
            if test.verdict() != Verdict::Open {
                page += &format!("{}\n", paint(FAINT, test.bias()));
            }
        }
        if standings.with_prior {
            page += &paint(FAINT, "\nElo with one drawn game added to each pair: the games alone set no bound.");
            page += "\n";
        }
        page
    }
}

/// The score so far.
struct Score {
    agents: Vec<String>,
    points: Vec<f64>,
    test: Option<Test>,
}

/// A test in progress.
struct Test {
    sprt: Sprt,
    pairs: Pairs,
    /// The points that the first agent made in the first game of a pair.
    half: Option<f64>,
}

impl Score {
    fn new(agents: &[String], sprt: Option<Sprt>) -> Score {
        let test = sprt.map(|sprt| Test { sprt, pairs: Pairs::default(), half: None });
        Score { agents: agents.to_vec(), points: vec![0.0; agents.len()], test }
    }

    fn add(&mut self, outcome: &Outcome) -> Flow {
        for (seat, &agent) in outcome.planned.seats.iter().enumerate() {
            self.points[agent] += points(&outcome.payoffs, seat);
        }
        let Some(test) = &mut self.test else { return Flow::Continue };
        let first = outcome.planned.seats.iter().position(|&agent| agent == 0).expect("both agents sit");
        test.add(points(&outcome.payoffs, first))
    }

    fn message(&self) -> String {
        let points = self.points.iter().map(|points| format!("{points:.1}")).collect::<Vec<_>>().join(" – ");
        let test = self.test.as_ref().map_or(String::new(), |test| format!(", LLR {:.2}", test.ratio()));
        // The numbers come first: long names are cut off by a narrow terminal.
        format!(": {points}{test} ({})", self.agents.join(" – "))
    }
}

impl Test {
    // Points of the first agent in the next game.
    fn add(&mut self, points: f64) -> Flow {
        let Some(half) = self.half.take() else {
            self.half = Some(points);
            return Flow::Continue;
        };
        self.pairs.add(half + points);
        if self.verdict() == Verdict::Open { Flow::Continue } else { Flow::Stop }
    }

    fn ratio(&self) -> f64 {
        self.sprt.log_likelihood_ratio(&self.pairs)
    }

    fn verdict(&self) -> Verdict {
        self.sprt.verdict(&self.pairs)
    }

    fn json(&self) -> serde_json::Value {
        json!({"test": self.sprt, "pairs": self.pairs, "llr": self.ratio(), "verdict": self.verdict()})
    }

    /// What it does to Elo that it has ended the games.
    fn bias(&self) -> String {
        let middle = (self.sprt.elo0 + self.sprt.elo1) / 2.0;
        format!(
            "The test ended the games when they happened to say the most: on average the first agent's Elo lies too far from \
             {middle}, and its interval covers less than 95 %."
        )
    }

    fn sentence(&self) -> String {
        let Sprt { elo0, elo1, .. } = self.sprt;
        let (low, high) = self.sprt.bounds();
        let decided = match self.verdict() {
            Verdict::Elo1 => format!("accepted: better by {elo1} Elo rather than by {elo0}"),
            Verdict::Elo0 => format!("accepted: better by {elo0} Elo rather than by {elo1}"),
            Verdict::Open => "not decided; more --games may".into(),
        };
        let Pairs([n0, n1, n2, n3, n4]) = self.pairs;
        format!(
            "SPRT of {elo0} against {elo1} Elo, LLR {:.2} in [{low:.2}, {high:.2}]: {decided}\n\
             pairs by the first agent's points, 0 ½ 1 1½ 2: {n0} {n1} {n2} {n3} {n4}",
            self.ratio()
        )
    }
}
