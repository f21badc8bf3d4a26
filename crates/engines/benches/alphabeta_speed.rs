//! Nodes a second of alpha-beta with the evaluator made by hand, at a game's beginning, for profiling:
//! `cargo bench --profile figures -p raichi-engines --bench alphabeta_speed -- othello 1000000 5`
//! (game, nodes a run, runs; a third number other than 0 turns reductions off). It prints what was found, so that two
//! versions can be told to search the same. The figures of record come from `raichi bench`.
//!
//! A fourth number is a depth: each run then begins after eight plies drawn at random and ends when the depth is searched, and the nodes
//! and the time of all runs are printed, by which two versions are compared that do not search the same.

use std::sync::Arc;
use std::time::{Duration, Instant};

use raichi_core::erased::{create, split_spec};
use raichi_core::game::Phase;
use raichi_core::random::{index, stream};
use raichi_core::{Match, PathGame, Playable};
use raichi_games::connect_four::ConnectFour;
use raichi_games::focus::Focus;
use raichi_games::othello::Othello;
use raichi_games::tablut::Tablut;
use raichi_search::alphabeta::{AlphaBeta, Config};
use raichi_search::{Budget, CancelFlag, Host, Limits, Session};

struct Machine(Instant);

impl Host for Machine {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
    fn run(&self, jobs: &mut [&mut (dyn FnMut() + Send)]) {
        jobs.iter_mut().for_each(|job| job());
    }
}

fn measure_speed<G: Playable>(parameters: Option<&str>, nodes: u64, runs: u64, config: Config) {
    let game: Arc<PathGame<G>> = Arc::new(create(parameters).expect("a game's parameters"));
    let evaluator = raichi_engines::hand(game.game());
    let position = Match::of(Arc::clone(&game));
    let Phase::Act(seats) = position.phase() else { return };
    let host = Machine(Instant::now());
    let cancel = CancelFlag::default();
    let limits = Limits { budget: Budget { nodes: Some(nodes), ..Budget::UNLIMITED }, cancel: &cancel, host: &host };
    let mut speeds: Vec<f64> = (0..runs)
        .map(|run| {
            let mut search = AlphaBeta::new(config, evaluator.clone());
            let advice = search.decide(&position.view(seats.first()), &limits, &mut stream(run, "speed", 0));
            let best = &advice.candidates[0];
            println!("depth {:?} {:?} {:?} {}", advice.cost.depth, best.values, advice.proven, advice.line.join(" "));
            advice.cost.nodes as f64 / advice.cost.elapsed.as_secs_f64()
        })
        .collect();
    speeds.sort_by(f64::total_cmp);
    let (median, best) = (speeds[speeds.len() / 2], speeds[speeds.len() - 1]);
    println!("{}: median {:.0} k nodes/s, best {:.0} k nodes/s", game.spec(), median / 1e3, best / 1e3);
}

/// What it takes to search `runs` positions to a depth.
fn measure_depth<G: Playable>(parameters: Option<&str>, runs: u64, config: Config) {
    const OPENING: usize = 8;
    let game: Arc<PathGame<G>> = Arc::new(create(parameters).expect("a game's parameters"));
    let evaluator = raichi_engines::hand(game.game());
    let host = Machine(Instant::now());
    let cancel = CancelFlag::default();
    let limits = Limits { budget: Budget::UNLIMITED, cancel: &cancel, host: &host };
    let (mut nodes, mut elapsed) = (0, Duration::ZERO);
    for run in 0..runs {
        let (mut position, mut rng) = (Match::of(Arc::clone(&game)), stream(run, "depth", 0));
        let seat = loop {
            let Phase::Act(seats) = position.phase() else { break None };
            let seat = seats.first();
            if position.n_plies() == OPENING {
                break Some(seat);
            }
            let actions = position.view(seat).legal_actions();
            position.play(seat, actions[index(&mut rng, actions.len())]).expect("it is legal");
        };
        let Some(seat) = seat else { continue };
        let mut search = AlphaBeta::new(config, evaluator.clone());
        let cost = search.decide(&position.view(seat), &limits, &mut rng).cost;
        (nodes, elapsed) = (nodes + cost.nodes, elapsed + cost.elapsed);
    }
    let seconds = elapsed.as_secs_f64();
    println!(
        "{} to depth {}: {nodes} nodes, {seconds:.3} s, {:.0} k nodes/s",
        game.spec(),
        config.depth,
        nodes as f64 / seconds / 1e3
    );
}

/// Either measure.
fn measure<G: Playable>(parameters: Option<&str>, nodes: u64, runs: u64, config: Config) {
    if config.depth == Config::default().depth {
        measure_speed::<G>(parameters, nodes, runs, config);
    } else {
        measure_depth::<G>(parameters, runs, config);
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let spec = arguments.next().unwrap_or_else(|| "connect-four".into());
    let mut number = |default: u64| arguments.next().map_or(default, |text| text.parse().expect("a whole number"));
    let (nodes, runs, plain) = (number(1_000_000), number(5), number(0) != 0);
    let depth = number(Config::default().depth.into()) as u32;
    let config = Config { reductions: !plain, depth, ..Config::default() };
    let (id, parameters) = split_spec(&spec);
    match id {
        "connect-four" => measure::<ConnectFour>(parameters, nodes, runs, config),
        "focus" => measure::<Focus>(parameters, nodes, runs, config),
        "othello" => measure::<Othello>(parameters, nodes, runs, config),
        "tablut" => measure::<Tablut>(parameters, nodes, runs, config),
        _ => println!("of connect-four, focus, othello and tablut, not {id}"),
    }
}
