//! Figures of published Rust crates: uniformly random playouts, perft leaves, MCTS simulations and alpha-beta nodes a
//! second.
//!
//! A line `PEER WHAT GAME SECONDS` in, a line with the rate, or `-` where the peer has no such game, out. Perft is that to
//! depth 9, counted path by path and with the peer's table of positions; the faster of the two counts.

use std::cell::Cell;
use std::io::{BufRead, stdin};
use std::sync::Arc;
use std::time::{Duration, Instant};

use board_game::ai::mcts::mcts_build_tree;
use board_game::board::{AltBoard, Board};
use board_game::games::{connect4::Connect4, ttt::TTTBoard};
use board_game::util::game_stats::{perft, perft_naive};
use minimax::{IterativeOptions, IterativeSearch, MCTSOptions, MonteCarloTreeSearch, Strategy, Winner};
use rand::{SeedableRng, rngs::SmallRng};
use raichi_core::Phase;
use raichi_core::game::Game;
use raichi_games::connect_four::{ConnectFour, State};
use raichi_search::Evaluator;

fn main() {
    for line in stdin().lock().lines() {
        let line = line.expect("standard input is text");
        let [peer, what, game, seconds] = line.split(' ').collect::<Vec<_>>()[..] else {
            panic!("expected PEER WHAT GAME SECONDS, not {line}");
        };
        let seconds = seconds.parse().expect("seconds are a number");
        let rate = match (peer, what, game) {
            ("board-game", "playouts", "tic-tac-toe") => Some(playouts(&TTTBoard::default(), seconds)),
            ("board-game", "playouts", "connect-four") => Some(playouts(&Connect4::default(), seconds)),
            ("board-game", "perft", "connect-four") => Some(board_game_perft(&Connect4::default(), 9)),
            ("board-game", "mcts", "tic-tac-toe") => Some(board_game_mcts(&TTTBoard::default(), seconds)),
            ("board-game", "mcts", "connect-four") => Some(board_game_mcts(&Connect4::default(), seconds)),
            ("minimax", "mcts", "connect-four") => Some(minimax_mcts(seconds)),
            ("minimax", "alphabeta", "connect-four") => Some(minimax_alpha_beta(seconds)),
            _ => None,
        };
        rate.map_or_else(|| println!("-"), |rate| println!("{rate:.1}"));
    }
}

fn playouts<B: Board>(start: &B, seconds: f64) -> f64 {
    let mut rng = SmallRng::seed_from_u64(1);
    let (clock, mut n) = (Instant::now(), 0u64);
    while clock.elapsed().as_secs_f64() < seconds {
        for _ in 0..64 {
            let mut board = start.clone();
            while board.play_random_available_move(&mut rng).is_ok() {}
            n += 1;
        }
    }
    n as f64 / clock.elapsed().as_secs_f64()
}

fn board_game_perft<B: Board + std::hash::Hash>(start: &B, depth: u32) -> f64 {
    let rate = |count: &dyn Fn() -> u64| {
        let clock = Instant::now();
        let leaves = count();
        leaves as f64 / clock.elapsed().as_secs_f64()
    };
    rate(&|| perft_naive(start, depth)).max(rate(&|| perft(start, depth)))
}

/// The rate of a search of so many simulations that it takes about `seconds`.
fn simulations(seconds: f64, mut search: impl FnMut(u32)) -> f64 {
    let mut n = 1_000;
    loop {
        let clock = Instant::now();
        search(n);
        let elapsed = clock.elapsed().as_secs_f64();
        if elapsed >= seconds / 2.0 {
            return f64::from(n) / elapsed;
        }
        n = (2 * n).max((f64::from(n) * seconds / elapsed / 2.0) as u32);
    }
}

fn board_game_mcts<B: AltBoard>(start: &B, seconds: f64) -> f64 {
    let mut rng = SmallRng::seed_from_u64(1);
    let mut solved = false;
    let rate = simulations(seconds, |n| {
        let tree = mcts_build_tree(start, n.into(), 2.0, &mut rng);
        solved = tree[0].solution().is_some();
    });
    // It stops when it has solved the game; the rate would then count simulations never made.
    if solved { 0.0 } else { rate }
}

/// Connect Four as this crate wants it: a type without a value.
struct Rules;

fn winner(state: &State) -> Option<Winner> {
    let game = standard();
    let over = matches!(game.phase(state), Phase::Over);
    over.then(|| if game.end_reason(state) == "line" { Winner::PlayerJustMoved } else { Winner::Draw })
}

fn standard() -> &'static ConnectFour {
    static GAME: std::sync::OnceLock<ConnectFour> = std::sync::OnceLock::new();
    GAME.get_or_init(|| ConnectFour::new(7, 6).expect("the standard board is one of the possible"))
}

impl minimax::Game for Rules {
    type S = State;
    type M = u8;

    fn generate_moves(state: &State, moves: &mut Vec<u8>) -> Option<Winner> {
        let over = winner(state);
        if let (None, Phase::Act(seats)) = (over, standard().phase(state)) {
            standard().legal_actions(state, seats.first(), moves);
        }
        over
    }

    fn apply(state: &mut State, action: u8) -> Option<State> {
        let mut next = *state;
        standard().apply(&mut next, 0, action);
        NODES.set(NODES.get() + 1);
        Some(next)
    }

    fn zobrist_hash(state: &State) -> u64 {
        standard().key(state)
    }

    fn get_winner(state: &State) -> Option<Winner> {
        winner(state)
    }
}

fn minimax_mcts(seconds: f64) -> f64 {
    let start = standard().initial_state();
    simulations(seconds, |n| {
        let options = MCTSOptions::default().with_num_threads(1).with_rollouts_before_expanding(1);
        let mut search = MonteCarloTreeSearch::<Rules>::new(options);
        search.set_timeout(Duration::ZERO);
        search.set_max_rollouts(n);
        search.choose_move(&start).expect("there is a move at the start");
    })
}

thread_local! {
    /// How many actions have been applied.
    static NODES: Cell<u64> = const { Cell::new(0) };
}

/// Raichi's evaluator as this crate wants it.
#[derive(Clone)]
struct Hand(Arc<dyn Evaluator<ConnectFour>>);

impl minimax::Evaluator for Hand {
    type G = Rules;

    fn evaluate(&self, state: &State) -> i16 {
        let Phase::Act(seats) = standard().phase(state) else { return 0 };
        (self.0.value(standard(), state, seats.first()) * 30_000.0) as i16
    }
}

fn minimax_alpha_beta(seconds: f64) -> f64 {
    let evaluator = Hand(raichi_engines::hand(standard()).expect("there is one"));
    let mut search = IterativeSearch::new(evaluator, IterativeOptions::new().with_table_byte_size(64 << 20));
    search.set_timeout(Duration::from_secs_f64(seconds));
    NODES.set(0);
    let clock = Instant::now();
    search.choose_move(&standard().initial_state()).expect("there is a move at the start");
    NODES.get() as f64 / clock.elapsed().as_secs_f64()
}
