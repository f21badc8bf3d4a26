//! Simulations a second of Monte-Carlo tree search at the first choice of a game, for profiling:
//! `cargo bench --profile figures -p raichi-search --bench mcts_speed -- connect-four 1 0.5 5`
//! (game, threads, seconds a run, or how many simulations if that is 100 or more, and runs). A run of so many simulations is
//! what callgrind counts instructions of. The figures of record come from `raichi bench`.

use std::sync::Arc;
use std::time::{Duration, Instant};

use raichi_core::game::Phase;
use raichi_core::random::stream;
use raichi_core::{GameVisitor, Match, PathGame, Playable};
use raichi_search::mcts::{Config, Mcts};
use raichi_search::{Budget, CancelFlag, Host, Limits, Session};

struct Machine(Instant);

impl Host for Machine {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
    fn run(&self, jobs: &mut [&mut (dyn FnMut() + Send)]) {
        if let [only] = jobs {
            return only();
        }
        std::thread::scope(|scope| {
            for job in jobs {
                scope.spawn(job);
            }
        });
    }
}

struct Speed {
    threads: usize,
    budget: Budget,
    runs: usize,
}

impl GameVisitor for Speed {
    type Output = ();

    fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) {
        let mut position = Match::of(Arc::clone(game));
        let mut rng = stream(1, "chance", 0);
        let seat = loop {
            match position.phase() {
                Phase::Chance => position.sample_outcome(&mut rng).expect("chance is to act"),
                Phase::Act(seats) => match position.view(seats.first()).legal_actions()[..] {
                    [only] => position.play(seats.first(), only).expect("it is legal"),
                    _ => break seats.first(),
                },
                Phase::Over => return,
            }
        };
        let host = Machine(Instant::now());
        let cancel = CancelFlag::default();
        let mut speeds: Vec<f64> = (0..self.runs as u64)
            .map(|run| {
                let mut search = Mcts::new(Config { threads: self.threads, ..Config::default() });
                let limits = Limits { budget: self.budget, cancel: &cancel, host: &host };
                let advice = search.decide(&position.view(seat), &limits, &mut stream(run, "speed", 0));
                advice.cost.simulations as f64 / advice.cost.elapsed.as_secs_f64()
            })
            .collect();
        speeds.sort_by(f64::total_cmp);
        let (median, best) = (speeds[speeds.len() / 2], speeds[speeds.len() - 1]);
        println!(
            "{} threads {}: median {:.0} k/s, best {:.0} k/s",
            game.spec(),
            self.threads,
            median / 1e3,
            best / 1e3
        );
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let spec = arguments.next().unwrap_or_else(|| "connect-four".into());
    let mut number = |default: f64| arguments.next().map_or(default, |text| text.parse().expect("a number"));
    let (threads, seconds, runs) = (number(1.0) as usize, number(0.5), number(5.0) as usize);
    let budget = if seconds < 100.0 {
        Budget::time(Duration::from_secs_f64(seconds))
    } else {
        Budget::simulations(seconds as u64)
    };
    if let Err(why) = raichi_games::visit(&spec, Speed { threads, budget, runs }) {
        println!("{why}");
    }
}
