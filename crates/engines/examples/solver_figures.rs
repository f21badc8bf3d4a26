//! What exact solving costs: `solver_figures blackjack [RULES [TIMES]] | 2048 | pocket | two-phase N | optimal TWISTS N [THREADS]`.
//!
//! `blackjack` prints the expectation of a round by rule set, and what working it out takes, for all or for those whose names
//! begin so; `2048` builds the tables of 2×2
//! and 3×3 and prints what the start is worth; `pocket` builds the table of the cube of size 2 and looks up random cubes;
//! `two-phase` solves N random cubes of size 3 in at most 21 and in at most 20 twists; `optimal` solves N cubes of size 3
//! that so many random twists made. Tables of size 3 are kept in the system's folder of temporary files.

mod clock;
mod machine;

use std::time::{Duration, Instant};

use raichi_core::erased::create;
use raichi_core::game::Game;
use raichi_core::host::CancelFlag;
use raichi_core::random::{index, stream};
use raichi_engines::blackjack::{Analysis, Doubling, House, Splitting, best_splits_are_known};
use raichi_engines::rubiks_cube::two_phase;
use raichi_engines::solver;
use raichi_games::rubiks_cube::{Cube, RubiksCube, State};
use raichi_games::twenty_forty_eight::TwentyFortyEight;
use raichi_solve::{Folder, Work};

use clock::processor_seconds;
use machine::Machine;

fn game(params: &str) -> RubiksCube {
    *create::<RubiksCube>(Some(params)).expect("the parameters make a game").game()
}

/// After so many random twists, no face twice running.
fn twisted(game: &RubiksCube, n_twists: usize, seed: u64) -> State {
    let mut rng = stream(seed, "figures", 0);
    let (mut state, mut last) = (game.initial_state(), None);
    let mut n = 0;
    while n < n_twists {
        let twist = game.twists()[index(&mut rng, game.twists().len())];
        if Some(twist.face()) != last {
            game.apply(&mut state, 0, twist);
            last = Some(twist.face());
            n += 1;
        }
    }
    state
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |nth: usize, default: usize| args.get(nth).map_or(default, |arg| arg.parse().expect("a number"));
    let folder = std::env::temp_dir().join("raichi-solver-figures");
    let (cancel, clock) = (CancelFlag::default(), Machine::new());
    let work = Work {
        deadline: None,
        cancel: &cancel,
        host: &clock,
        n_threads: number(3, 1),
        memory: 1 << 30,
        folder: Some(Folder { path: &folder, not_kept: &|why| eprintln!("{why}") }),
        progress: &|_| {},
    };
    match args.first().map_or("", |arg| arg.as_str()) {
        "blackjack" => blackjack(args.get(1).map_or("", |name| name), number(2, 1)),
        "2048" => tiles(&Work { folder: None, ..work }),
        "pocket" => pocket(&work),
        "two-phase" => phases(number(1, 100), &work),
        "optimal" => optimal(number(1, 14), number(2, 10), &work),
        _ => eprintln!("blackjack, 2048, pocket, two-phase N or optimal TWISTS N [THREADS]"),
    }
}

fn pocket(work: &Work<'_>) {
    for metric in ["htm", "qtm"] {
        let game = game(&format!("scramble=0,limit=200,metric={metric}"));
        let solver = solver(&game).expect("size 2 has a solver");
        let start = Instant::now();
        solver.solve(&game.initial_state(), work).expect("the table knows all");
        println!("{metric}: table built in {:?}", start.elapsed());
        let states: Vec<State> = (0..10_000).map(|seed| twisted(&game, 40, seed)).collect();
        let start = Instant::now();
        let sum: f64 = states.iter().map(|state| solver.solve(state, work).expect("known").score.expect("known")).sum();
        let took = start.elapsed();
        println!("{:?} a position, mean {:.4} twists", took / states.len() as u32, -sum / states.len() as f64 - 40.0);
    }
}

fn phases(n: usize, work: &Work<'_>) {
    let game = game("size=3,scramble=0,limit=200");
    let start = Instant::now();
    two_phase(&game, &Cube::SOLVED, 20, work).expect("a solved cube takes no twist");
    println!("tables: {:?}", start.elapsed());
    for max_twists in [21, 20] {
        let before = processor_seconds();
        let mut took: Vec<(Duration, usize)> = (0..n as u64)
            .map(|seed| {
                let state = twisted(&game, 100, seed);
                let start = Instant::now();
                let twists = two_phase(&game, state.cube(), max_twists, work).expect("every cube is solved");
                (start.elapsed(), twists.len())
            })
            .collect();
        let of_processor = Duration::from_secs_f64((processor_seconds() - before).max(0.0) / n as f64);
        took.sort();
        let mean = took.iter().map(|took| took.0).sum::<Duration>() / n as u32;
        let length = took.iter().map(|took| took.1).sum::<usize>() as f64 / n as f64;
        println!(
            "at most {max_twists}: mean {mean:?}, of the processor {of_processor:?}, median {:?}, longest {:?}, {length:.2} twists",
            took[n / 2].0,
            took[n - 1].0
        );
    }
}

fn optimal(n_twists: usize, n: usize, work: &Work<'_>) {
    let game = game("size=3,scramble=0,limit=200");
    let solver = solver(&game).expect("size 3 has a solver");
    let far = twisted(&game, 10, 0);
    solver.solve(&far, work).expect("ten twists are near");
    for seed in 0..n as u64 {
        let state = twisted(&game, n_twists, seed);
        let (start, before) = (Instant::now(), solver.statistics().nodes);
        let exact = solver.solve(&state, work).expect("there is no limit");
        let nodes = solver.statistics().nodes - before;
        let took = start.elapsed();
        let rate = nodes as f64 / took.as_secs_f64() / 1e6;
        println!("{} twists: {took:?}, {nodes} nodes, {rate:.1} M/s", exact.plies.expect("a length"));
    }
}

fn blackjack(wanted: &str, times: usize) {
    let single = House { max_hands: 2, doubles_splits: false, ..House::usual(1) };
    let eight = House { hits_soft_17: true, ..House::usual(8) };
    let narrow = House { doubling: Doubling::TenOrEleven, ..House::usual(6) };
    let named = [
        ("1 deck, one split, no doubling after it", single),
        ("1 deck, three splits, no doubling after", House { max_hands: 4, ..single }),
        ("1 deck, one split", House { doubles_splits: true, ..single }),
        ("6 decks", House::usual(6)),
        ("6 decks, doubling 10 and 11 only", narrow),
        ("8 decks, dealer hits soft 17", eight),
        ("8 decks, dealer hits soft 17, surrender", House { surrender: true, ..eight }),
    ];
    let own = (0..=8).map(|decks| (format!("the game, decks={decks}"), House::of_the_game(decks)));
    let best = (1..=8).map(|decks| House { splitting: Splitting::Best, ..House::of_the_game(decks) });
    let best = best.filter(best_splits_are_known);
    let best = best.map(|house| (format!("the game, decks={}, best play of splits", house.decks), house));
    let changed = [0, 6].into_iter().flat_map(|decks| {
        let own = House::of_the_game(decks);
        let rules = [
            ("soft17=hit", House { hits_soft_17: true, ..own }),
            ("natural=6:5", House { natural_pays: 1.2, ..own }),
            ("peek=false", House { peeks: false, ..own }),
            ("double-after-split=false", House { doubles_splits: false, ..own }),
            ("surrender=false", House { surrender: false, ..own }),
            ("peek=false,surrender=false", House { peeks: false, surrender: false, ..own }),
        ];
        rules.map(|(rule, house)| (format!("the game, decks={decks},{rule}"), house))
    });
    let named = named.map(|(name, house)| (name.to_string(), house));
    let all = named.into_iter().chain(own).chain(best).chain(changed);
    for (name, house) in all.filter(|(name, _)| name.starts_with(wanted)) {
        for _ in 0..times {
            let start = Instant::now();
            let round = Analysis::new(house).round;
            println!("{name}: {:+.9} % in {:?}", 100.0 * round, start.elapsed());
        }
    }
}

fn tiles(work: &Work<'_>) {
    for size in [2, 3] {
        let game = TwentyFortyEight::new(size);
        let solver = solver(&game).expect("small boards have a solver");
        let start = Instant::now();
        let exact = solver.solve(&game.initial_state(), work).expect("there is no limit");
        let statistics = solver.statistics();
        println!(
            "{size}×{size}: {:.9} in {:?}, {} positions, {} bytes",
            exact.values[0],
            start.elapsed(),
            statistics.positions,
            statistics.bytes
        );
    }
}
