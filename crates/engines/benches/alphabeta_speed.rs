//! Nodes a second of alpha-beta with the evaluator made by hand, at a game's beginning, for profiling:
//! `cargo bench --profile figures -p raichi-engines --bench alphabeta_speed -- othello 1000000 5`
//! (game, nodes a run, runs; a third number other than 0 turns reductions off). It prints what was found, so that two
//! versions can be told to search the same. The figures of record come from `raichi bench`.

use std::sync::Arc;
use std::time::{Duration, Instant};

use raichi_core::erased::{create, split_spec};
use raichi_core::game::Phase;
use raichi_core::random::stream;
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

fn measure<G: Playable>(parameters: Option<&str>, nodes: u64, runs: u64, config: Config) {
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

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let spec = arguments.next().unwrap_or_else(|| "connect-four".into());
    let mut number = |default: u64| arguments.next().map_or(default, |text| text.parse().expect("a whole number"));
    let (nodes, runs, plain) = (number(1_000_000), number(5), number(0) != 0);
    let config = Config { reductions: !plain, ..Config::default() };
    let (id, parameters) = split_spec(&spec);
    match id {
        "connect-four" => measure::<ConnectFour>(parameters, nodes, runs, config),
        "focus" => measure::<Focus>(parameters, nodes, runs, config),
        "othello" => measure::<Othello>(parameters, nodes, runs, config),
        "tablut" => measure::<Tablut>(parameters, nodes, runs, config),
        _ => println!("of connect-four, focus, othello and tablut, not {id}"),
    }
}
