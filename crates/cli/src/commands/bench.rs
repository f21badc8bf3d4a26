//! `raichi bench`: this machine's figures.
//!
//! Every loop is generic over the game and monomorphised, without the erased form. What is timed is checked: perft against
//! the counts that are known, playouts against what the game declares of its payoffs.

use std::sync::Arc;
use std::time::{Duration, Instant};

use comfy_table::{CellAlignment, Table};
use indicatif::{HumanCount, ProgressBar, ProgressStyle};
use raichi_agents::{Budget, Cost};
use raichi_core::erased::{GameVisitor, Playable};
use raichi_core::perft::{CountTable, perft, perft_with_table};
use raichi_core::playout::playout;
use raichi_core::random::stream;
use raichi_core::{AnyGame, AnyMatch, PathGame, PathState, Phase, Seat};
use raichi_games::REGISTRY;
use serde_json::json;

use super::perft::known_count;
use crate::args::GameSpec;
use crate::failure::Failure;
use crate::output::{Output, complain};

/// The seed of all randomness in a bench.
const SEED: u64 = 1;
/// No deeper than this, however fast a game is over.
const DEEPEST: u32 = 60;
/// Of the table of positions in perft.
const TABLE_BYTES: usize = 64 << 20;

/// Measure this machine: playouts, plies, perft leaves, observations, simulations and nodes per second for each game.
///
/// Each thread works on its own, from its own stream; the figures are of all threads together. Every figure is measured
/// for the given time. The exit code is 4 when a count differs from the one that is known.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  raichi bench
  raichi bench connect-four tablut:king-range=4 --threads 2 --seconds 5
  raichi bench --json --seconds 0.2 | jq -s 'map({game, playouts_per_second})'

A playout is a game from its start to its end by uniformly random actions. Perft is taken at the deepest depth \
that takes at most half of the time. An observation is a whole position as numbers, for the seat to act. Simulations \
are those of the agent mcts at the first position with a choice, nodes those of alphabeta with its evaluator: positions \
entered by an action.")]
pub(crate) struct Args {
    /// The games, with their parameters; all where none is given.
    #[arg(value_parser = GameSpec, hide_possible_values = true, value_name = "GAME")]
    games: Vec<Arc<dyn AnyGame>>,

    /// How many threads work side by side.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,

    /// For how long each figure is measured.
    #[arg(long, value_name = "S", default_value = "1", value_parser = parse_seconds)]
    seconds: Duration,

    /// Write a JSON object a line for each game.
    #[arg(long)]
    json: bool,
}

fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.01..=3600.0).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| "expected seconds from 0.01 to 3600".into())
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    if cfg!(debug_assertions) {
        complain("this build is not optimised (cargo build --release is); its figures mean little");
    }
    let games: Vec<Arc<dyn AnyGame>> = match args.games[..] {
        [] => REGISTRY.iter().map(|entry| (entry.create)(None).expect("the defaults make a game")).collect(),
        ref games => games.to_vec(),
    };
    let progress = progress(games.len() as u64);
    let mut out = Output::new();
    let mut table = heading();
    for game in &games {
        progress.set_message(game.spec().to_string());
        let bench = Bench { threads: args.threads.into(), time: args.seconds, game };
        let figures = raichi_games::visit_game(game.as_ref(), bench)?;
        progress.inc(1);
        if args.json {
            progress.suspend(|| out.line(figures.json(args)))?;
        } else {
            table.add_row(figures.row());
        }
    }
    progress.finish_and_clear();
    if args.json { Ok(()) } else { out.line(table.trim_fmt()) }
}

fn progress(games: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}").expect("the template is well-formed");
    let progress = ProgressBar::new(games).with_style(style);
    progress.enable_steady_tick(Duration::from_millis(200));
    progress
}

/// What was measured of a game, all threads together.
struct Figures {
    game: String,
    playouts: f64,
    plies: f64,
    depth: u32,
    leaves: f64,
    /// With a table of positions; `None` where counts may depend on the path.
    leaves_with_table: Option<f64>,
    known: bool,
    observations: f64,
    simulations: f64,
    nodes: f64,
}

impl Figures {
    fn json(&self, args: &Args) -> serde_json::Value {
        json!({
            "game": self.game,
            "threads": args.threads,
            "seconds": args.seconds.as_secs_f64(),
            "playouts_per_second": self.playouts as u64,
            "plies_per_second": self.plies as u64,
            "perft_depth": self.depth,
            "perft_leaves_per_second": self.leaves as u64,
            "perft_with_table_leaves_per_second": self.leaves_with_table.map(|leaves| leaves as u64),
            "perft_known": self.known,
            "observations_per_second": self.observations as u64,
            "simulations_per_second": self.simulations as u64,
            "nodes_per_second": self.nodes as u64,
        })
    }

    fn row(&self) -> [String; 10] {
        let count = |x: f64| HumanCount(x as u64).to_string();
        [
            self.game.clone(),
            count(self.playouts),
            count(self.plies),
            format!("{:.1}", self.plies / self.playouts),
            format!("{}{}", self.depth, if self.known { " ✓" } else { "" }),
            count(self.leaves),
            self.leaves_with_table.map_or_else(|| "-".into(), count),
            count(self.observations),
            count(self.simulations),
            count(self.nodes),
        ]
    }
}

fn heading() -> Table {
    let mut table = Table::new();
    table.load_style(comfy_table::presets::NOTHING);
    table.set_header([
        "GAME",
        "PLAYOUTS/S",
        "PLIES/S",
        "LENGTH",
        "PERFT",
        "LEAVES/S",
        "WITH TABLE",
        "OBSERVATIONS/S",
        "MCTS SIMULATIONS/S",
        "ALPHA-BETA NODES/S",
    ]);
    table.column_iter_mut().skip(1).for_each(|column| column.set_cell_alignment(CellAlignment::Right));
    table
}

/// Perft, in leaves a second.
struct Leaves {
    depth: u32,
    plain: f64,
    with_table: Option<f64>,
    /// Whether the count is a known one.
    known: bool,
}

struct Bench<'a> {
    threads: usize,
    time: Duration,
    game: &'a Arc<dyn AnyGame>,
}

impl GameVisitor for Bench<'_> {
    type Output = Result<Figures, Failure>;

    fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) -> Self::Output {
        let spec = game.spec();
        let [playouts, plies] = self.playouts(game, spec)?;
        let Leaves { depth, plain: leaves, with_table: leaves_with_table, known } = self.leaves(game, spec)?;
        let observations = self.observations(game)?;
        let simulations = self.search_rate("mcts", |cost| cost.simulations)?;
        let nodes = self.search_rate("alphabeta", |cost| cost.nodes)?;
        Ok(Figures {
            game: spec.into(),
            playouts,
            plies,
            depth,
            leaves,
            leaves_with_table,
            known,
            observations,
            simulations,
            nodes,
        })
    }
}

impl Bench<'_> {
    /// Runs `work`, which returns rates, on every thread; returns their sums. Compiled once, not for each game.
    fn on_threads(&self, work: &(dyn Fn(u64) -> Result<[f64; 2], Failure> + Sync)) -> Result<[f64; 2], Failure> {
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..self.threads as u64).map(|i| scope.spawn(move || work(i))).collect();
            threads.into_iter().try_fold([0.0, 0.0], |[first, second], thread| {
                let rates = thread.join().expect("a bench does not panic")?;
                Ok([first + rates[0], second + rates[1]])
            })
        })
    }

    /// Playouts and plies a second.
    fn playouts<G: Playable>(&self, game: &PathGame<G>, spec: &str) -> Result<[f64; 2], Failure> {
        self.on_threads(&|thread| {
            let mut rng = stream(SEED, "bench", thread);
            let start = game.initial_state();
            let mut scratch = Vec::new();
            let (mut playouts, mut plies, mut batch) = (0u64, 0u64, 1u64);
            let clock = Instant::now();
            while clock.elapsed() < self.time {
                let lap = clock.elapsed();
                let mut state = start.clone();
                for _ in 0..batch {
                    state.clone_from(&start);
                    plies += u64::from(playout(game, &mut state, &mut scratch, &mut rng));
                }
                playouts += batch;
                check_end(game, &state, spec)?;
                // The clock is read about once a millisecond, so that reading it costs nothing.
                if clock.elapsed() - lap < Duration::from_millis(1) {
                    batch *= 2;
                }
            }
            let seconds = clock.elapsed().as_secs_f64();
            Ok([playouts as f64 / seconds, plies as f64 / seconds])
        })
    }

    /// Leaves a second, path by path and with a table of positions.
    fn leaves<G: Playable>(&self, game: &PathGame<G>, spec: &str) -> Result<Leaves, Failure> {
        let (depth, expected) = self.suitable_depth(game, spec)?;
        let plain = self.count_leaves(game, spec, depth, expected, &|start| perft(game, start, depth))?;
        // A new table for each count: the first one would otherwise do the work of all.
        let with_table =
            |start: &PathState<G>| perft_with_table(game, start, depth, &mut CountTable::of_size(TABLE_BYTES));
        let with_table = (!game.facts().path_dependent)
            .then(|| self.count_leaves(game, spec, depth, expected, &with_table))
            .transpose()?;
        Ok(Leaves { depth, plain, with_table, known: known_count(spec, "", depth).is_some() })
    }

    fn count_leaves<G: Playable>(
        &self,
        game: &PathGame<G>,
        spec: &str,
        depth: u32,
        expected: u64,
        perft: &(impl Fn(&PathState<G>) -> u64 + Sync),
    ) -> Result<f64, Failure> {
        let start = game.initial_state();
        let [rate, _] = self.on_threads(&|_| {
            let (mut leaves, clock) = (0u64, Instant::now());
            while clock.elapsed() < self.time {
                let count = perft(std::hint::black_box(&start));
                if count != expected {
                    return Err(wrong(spec, depth, count, expected, "counted just before"));
                }
                leaves += count;
            }
            Ok([leaves as f64 / clock.elapsed().as_secs_f64(), 0.0])
        })?;
        Ok(rate)
    }

    /// The depth with the most leaves among those that are counted in about half the time, and how many they are. Every
    /// count on the way is compared where it is known.
    fn suitable_depth<G: Playable>(&self, game: &PathGame<G>, spec: &str) -> Result<(u32, u64), Failure> {
        let start = game.initial_state();
        let mut best = (0, 1);
        let mut last = 1;
        for depth in 1..=DEEPEST {
            let clock = Instant::now();
            let count = perft(game, &start, depth);
            let elapsed = clock.elapsed().as_secs_f64();
            if let Some((expected, source)) = known_count(spec, "", depth)
                && count != expected
            {
                return Err(wrong(spec, depth, count, expected, &source));
            }
            if count >= best.1 {
                best = (depth, count);
            }
            // The next depth takes as many times longer as this one had more leaves than the last.
            let growth = count as f64 / last as f64;
            last = count;
            if count == 0 || elapsed * growth > self.time.as_secs_f64() / 2.0 {
                break;
            }
        }
        Ok(best)
    }

    /// Observations a second, of the positions of one random game, for the seat to act.
    fn observations<G: Playable>(&self, game: &PathGame<G>) -> Result<f64, Failure> {
        let positions = positions_of_a_game(game);
        let [rate, _] = self.on_threads(&|_| {
            let mut observation = vec![0; game.layout().len()];
            let (mut observed, clock) = (0u64, Instant::now());
            while clock.elapsed() < self.time {
                for _ in 0..1 + 4096 / positions.len() {
                    for (state, seat) in &positions {
                        game.observe(state, *seat, &mut observation);
                        std::hint::black_box(&mut observation);
                    }
                    observed += positions.len() as u64;
                }
            }
            Ok([observed as f64 / clock.elapsed().as_secs_f64(), 0.0])
        })?;
        Ok(rate)
    }

    /// What the agent counts, a second, at the first position with a choice.
    fn search_rate(&self, agent: &str, counted: fn(&Cost) -> u64) -> Result<f64, Failure> {
        let Some((position, seat)) = first_choice(&**self.game) else { return Ok(0.0) };
        let spec = format!("{agent}:time={}ms", self.time.as_millis());
        let agent = raichi_agents::prepare(self.game, &spec).map_err(|why| Failure::Failed(why.to_string()))?;
        let [rate, _] = self.on_threads(&|thread| {
            let advice = agent.open(SEED + thread).decide(&*position, seat, Budget::UNLIMITED);
            let advice = advice.map_err(|why| Failure::Failed(why.to_string()))?;
            if !position.legal(seat).contains(&advice.action) {
                return Err(Failure::WrongResult(format!(
                    "{spec} chose {}, illegal in {}",
                    advice.action,
                    self.game.spec()
                )));
            }
            Ok([counted(&advice.cost) as f64 / advice.cost.elapsed.as_secs_f64().max(1e-9), 0.0])
        })?;
        Ok(rate)
    }
}

/// The positions of a random game in which a seat acts, with that seat; the start where there is none.
fn positions_of_a_game<G: Playable>(game: &PathGame<G>) -> Vec<(PathState<G>, usize)> {
    const MOST: usize = 256;
    let (mut state, mut rng) = (game.initial_state(), stream(SEED, "positions", 0));
    let mut positions = Vec::new();
    while positions.len() < MOST {
        match game.phase(&state) {
            Phase::Over => break,
            Phase::Chance => {
                let outcome = game.sample_outcome(&state, &mut rng);
                game.apply_outcome(&mut state, outcome);
            }
            Phase::Act(seats) => {
                let seat = seats.first();
                positions.push((state.clone(), seat));
                let action = game.random_action(&state, seat, &mut Vec::new(), &mut rng);
                game.apply(&mut state, seat, action);
            }
        }
    }
    if positions.is_empty() { vec![(game.initial_state(), 0)] } else { positions }
}

/// A playout ends with a finished game whose payoffs are what its facts promise.
fn check_end<G: Playable>(game: &PathGame<G>, state: &PathState<G>, spec: &str) -> Result<(), Failure> {
    let payoffs = game.payoffs(state);
    let sum: f64 = payoffs.as_slice().iter().sum();
    let promised = game.facts().payoff_sum.is_none_or(|promised| (sum - promised).abs() < 1e-6);
    if game.phase(state) == Phase::Over && promised {
        return Ok(());
    }
    Err(Failure::WrongResult(format!("a playout of {spec} ended with {:?}", payoffs.as_slice())))
}

fn wrong(spec: &str, depth: u32, count: u64, expected: u64, source: &str) -> Failure {
    Failure::WrongResult(format!("perft {depth} of {spec} is {count}, but {expected} is known ({source})"))
}

/// The first position with a choice, chance and forced actions being played at random; none where nobody has a choice.
fn first_choice(game: &dyn AnyGame) -> Option<(Box<dyn AnyMatch>, Seat)> {
    let mut position = game.new_match();
    let mut rng = stream(SEED, "chance", 0);
    loop {
        match position.phase() {
            Phase::Over => return None,
            Phase::Chance => position.sample_outcome(&mut rng).expect("chance is to act"),
            Phase::Act(seats) => {
                let seat = seats.first();
                let legal = position.legal(seat);
                let [only] = &legal[..] else { return Some((position, seat)) };
                position.play(seat, only).expect("a listed action is legal");
            }
        }
    }
}
