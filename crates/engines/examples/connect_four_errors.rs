//! How many errors a trained network makes in Connect Four, by exact values: `connect_four_errors FOLDER SIMS GAMES FROM
//! [RANDOM]`.
//!
//! FOLDER holds an agent as `raichi-learn`'s example `train` writes it. It plays itself from RANDOM random plies (2 where not
//! given), with so many simulations (0 is the policy alone; `mcts:64` searches with `mcts` and the network as its evaluator). An
//! error is an action after which the position is worth less to who chose it than before. Decisions are looked at from the ply
//! FROM on: what comes before takes the solver long. The interval is by games, whose errors come together; games that begin with
//! the same plies are the same, so that two random plies make some fifty at most.

#[path = "../../learn/examples/agent_folder/mod.rs"]
mod agent_folder;

use std::sync::Arc;
use std::time::{Duration, Instant};

use raichi_core::game::{Choice, Game, Phase};
use raichi_core::host::{CancelFlag, Host};
use raichi_core::information::SeatView;
use raichi_core::path::PathGame;
use raichi_core::random::{FastRng, stream};
use raichi_games::connect_four::ConnectFour;
use raichi_learn::alphazero::{Config, NetworkPlayer, NetworkPolicy, OPTIONS, read_policy};
use raichi_search::mcts::{self, Knowledge, Mcts};
use raichi_search::options::Options;
use raichi_search::{Budget, Limits, Session};
use raichi_solve::{Solver, Work};

struct Clock(Instant);

impl Host for Clock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }

    fn run(&self, jobs: &mut [&mut (dyn FnMut() + Send)]) {
        jobs.iter_mut().for_each(|job| job());
    }
}

struct Counting {
    game: PathGame<ConnectFour>,
    solver: Arc<dyn Solver<ConnectFour>>,
    clock: Clock,
    from: usize,
    random: usize,
    budget: Budget,
}

/// What was counted: decisions, and errors among them.
struct Counted {
    decisions: u32,
    errors: u32,
    wins: [u32; 2],
    /// Decisions and errors of each game.
    games: Vec<[f64; 2]>,
    /// The same of each ply of the games.
    plies: [[u32; 2]; 42],
}

impl Counted {
    fn new() -> Counted {
        Counted { decisions: 0, errors: 0, wins: [0; 2], games: Vec::new(), plies: [[0; 2]; 42] }
    }

    fn count(&mut self, ply: usize, is_error: bool) {
        let error = u32::from(is_error);
        self.decisions += 1;
        self.errors += error;
        self.plies[ply] = [self.plies[ply][0] + 1, self.plies[ply][1] + error];
    }

    /// Errors in decisions, by six plies.
    fn by_plies(&self) -> String {
        let of = |(six, plies): (usize, &[[u32; 2]])| {
            let [decisions, errors] = [0, 1].map(|i| plies.iter().map(|counted| counted[i]).sum::<u32>());
            format!("from {}: {errors} in {decisions}", 6 * six)
        };
        let lines: Vec<String> = self.plies.chunks(6).enumerate().map(of).collect();
        lines.join(", ")
    }

    /// The share of decisions that were errors, and half its 95 % interval: that of a ratio of sums over games.
    fn share(&self) -> (f64, f64) {
        let share = f64::from(self.errors) / f64::from(self.decisions.max(1));
        let squares: f64 = self.games.iter().map(|[decisions, errors]| (errors - share * decisions).powi(2)).sum();
        (share, 1.96 * squares.sqrt() / f64::from(self.decisions.max(1)))
    }
}

impl Counting {
    /// What a position is worth to seat 0.
    fn worth(&self, state: &<ConnectFour as Game>::State) -> f64 {
        let game = self.game.game();
        if game.phase(state) == Phase::Over {
            return game.payoffs(state)[0];
        }
        let cancel = CancelFlag::default();
        let work = Work {
            deadline: None,
            cancel: &cancel,
            host: &self.clock,
            n_threads: 1,
            memory: 1 << 28,
            folder: None,
            progress: &|_| {},
        };
        self.solver.solve(state, &work).expect("there is time").values[0]
    }

    fn play(&self, player: &mut dyn Session<ConnectFour>, number: u64, counted: &mut Counted) {
        let (game, rng) = (&self.game, &mut stream(number, "errors", 0));
        let (mut state, mut choices) = (game.initial_state(), Vec::new());
        let (mut worth, before_game) = (None, [counted.decisions, counted.errors]);
        while let Phase::Act(seats) = game.phase(&state) {
            let seat = seats.first();
            let action = if choices.len() < self.random {
                game.random_action(&state, seat, &mut Vec::new(), rng)
            } else {
                self.decide(player, &SeatView::new(game, &state, &choices, seat), rng)
            };
            if worth.is_none() && choices.len() >= self.from {
                worth = Some(self.worth(state.position()));
            }
            game.apply(&mut state, seat, action);
            choices.push(Choice::Action(seat, action));
            if let Some(before) = worth {
                let after = self.worth(state.position());
                counted.count(choices.len() - 1, if seat == 0 { after < before } else { after > before });
                worth = Some(after);
            }
        }
        let payoffs = game.payoffs(&state);
        let of_game = [counted.decisions - before_game[0], counted.errors - before_game[1]];
        counted.games.push(of_game.map(f64::from));
        (0..2).for_each(|seat| counted.wins[seat] += u32::from(payoffs[seat] > 0.0));
    }

    fn decide(&self, player: &mut dyn Session<ConnectFour>, view: &SeatView<'_, ConnectFour>, rng: &mut FastRng) -> u8 {
        let cancel = CancelFlag::default();
        player.decide(view, &Limits { budget: self.budget, cancel: &cancel, host: &self.clock }, rng).action
    }
}

fn policy(game: &PathGame<ConnectFour>, folder: &str) -> Result<NetworkPolicy, String> {
    let (manifest, saved) = agent_folder::read(folder)?;
    let text = manifest.agent.split_once(':').map(|(_, text)| text);
    let options = Options::parse("alphazero", OPTIONS, None, text).map_err(|why| why.to_string())?;
    read_policy(game, &Config::from_options(&options, &game.facts())?, &saved)
}

fn main() -> Result<(), String> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [folder, simulations, games, from, random @ ..] = args.as_slice() else {
        return Err("FOLDER SIMS GAMES FROM [RANDOM]".into());
    };
    let number = |text: &str| text.parse::<u64>().map_err(|_| format!("{text} is no number"));
    let random = random.first().map_or(Ok(2), |text| number(text))? as usize;
    let game = PathGame::from(ConnectFour::new(7, 6).expect("it fits"));
    let policy = policy(&game, folder)?;
    let (mut player, budget): (Box<dyn Session<ConnectFour>>, Budget) = match simulations.strip_prefix("mcts:") {
        Some(simulations) => {
            let knowledge = Knowledge { evaluator: Some(Arc::new(policy)), ..Knowledge::default() };
            let budget = Budget { simulations: Some(number(simulations)?), ..Budget::UNLIMITED };
            (Box::new(Mcts::knowing(mcts::Config::default(), knowledge)), budget)
        }
        None => (Box::new(NetworkPlayer::new(policy, Some(number(simulations)?))), Budget::UNLIMITED),
    };
    let solver = raichi_engines::solver(game.game()).expect("Connect Four has a solver");
    let counting =
        Counting { game, solver, clock: Clock(Instant::now()), from: number(from)? as usize, random, budget };
    let (mut counted, n_games) = (Counted::new(), number(games)?);
    (0..n_games).for_each(|number| counting.play(&mut *player, number, &mut counted));
    let (share, half) = counted.share();
    let Counted { decisions, errors, wins, .. } = counted;
    println!("errors in decisions by plies {}", counted.by_plies());
    println!(
        "{simulations} simulations, {n_games} games after {random} random plies, from ply {from}: {errors} errors in {decisions} decisions, \
         {:.1} ± {:.1} %, {:.2} a game (both seats), {} games won by the first, {} by the second",
        100.0 * share,
        100.0 * half,
        f64::from(errors) / n_games as f64,
        wins[0],
        wins[1]
    );
    Ok(())
}
