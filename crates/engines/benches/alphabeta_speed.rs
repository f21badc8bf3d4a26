//! Nodes a second of alpha-beta at a game's beginning, for profiling:
//! `cargo bench --profile figures -p raichi-engines --bench alphabeta_speed -- othello 1000000 5`
//! (game, nodes a run, runs; a third number other than 0 turns reductions off). The evaluator is the one that comes with the engine:
//! in Othello what was learned, unless the word `hand` is among the arguments. It prints what was found, so that two
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
use raichi_search::{Budget, CancelFlag, Evaluator, Host, Limits, Session};

struct Machine(Instant);

impl Host for Machine {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
    fn run(&self, jobs: &mut [&mut (dyn FnMut() + Send)]) {
        jobs.iter_mut().for_each(|job| job());
    }
}

/// What is measured.
struct Measure {
    nodes: u64,
    runs: u64,
    config: Config,
    by_hand: bool,
}

impl Measure {
    fn evaluator<G: Playable>(&self, game: &G) -> Option<Arc<dyn Evaluator<G>>> {
        let learned = if self.by_hand { None } else { raichi_engines::learned(game) };
        learned.or_else(|| raichi_engines::hand(game))
    }
}

fn measure_speed<G: Playable>(parameters: Option<&str>, measure: &Measure) {
    let &Measure { nodes, runs, config, .. } = measure;
    let game: Arc<PathGame<G>> = Arc::new(create(parameters).expect("a game's parameters"));
    let evaluator = measure.evaluator(game.game());
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
fn measure_depth<G: Playable>(parameters: Option<&str>, measure: &Measure) {
    const OPENING: usize = 8;
    let &Measure { runs, config, .. } = measure;
    let game: Arc<PathGame<G>> = Arc::new(create(parameters).expect("a game's parameters"));
    let evaluator = measure.evaluator(game.game());
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
fn run<G: Playable>(parameters: Option<&str>, measure: &Measure) {
    if measure.config.depth == Config::default().depth {
        measure_speed::<G>(parameters, measure);
    } else {
        measure_depth::<G>(parameters, measure);
    }
}

fn main() {
    let (by_hand, arguments): (Vec<_>, Vec<_>) =
        std::env::args().skip(1).filter(|argument| argument != "--bench").partition(|argument| argument == "hand");
    let mut arguments = arguments.into_iter();
    let spec = arguments.next().unwrap_or_else(|| "connect-four".into());
    let mut number = |default: u64| arguments.next().map_or(default, |text| text.parse().expect("a whole number"));
    let (nodes, runs, plain) = (number(1_000_000), number(5), number(0) != 0);
    let depth = number(Config::default().depth.into()) as u32;
    let config = Config { reductions: !plain, depth, ..Config::default() };
    let measure = Measure { nodes, runs, config, by_hand: !by_hand.is_empty() };
    let (id, parameters) = split_spec(&spec);
    match id {
        "connect-four" => run::<ConnectFour>(parameters, &measure),
        "focus" => run::<Focus>(parameters, &measure),
        "othello" => run::<Othello>(parameters, &measure),
        "tablut" => run::<Tablut>(parameters, &measure),
        _ => println!("of connect-four, focus, othello and tablut, not {id}"),
    }
}
