//! How many puzzles a trained n-tuple network solves: `puzzles_solved GAME FOLDER SEARCH PUZZLES SEED`.
//!
//! GAME is of one seat, FOLDER holds an agent as the example `train` writes it. SEARCH is `-` for the best action by the network
//! alone, or options of `mcts` with a budget: `sims=100,backup=best`. Solved is a puzzle that pays more than the least payoff.
//! The same seed draws the same puzzles for every search.

#[path = "agent_folder/mod.rs"]
mod agent_folder;
#[path = "../benches/clock/mod.rs"]
mod clock;

use std::sync::Arc;
use std::time::Instant;

use raichi_core::erased::{GameVisitor, Playable};
use raichi_core::game::{Choice, Phase};
use raichi_core::information::SeatView;
use raichi_core::path::PathGame;
use raichi_core::random::{FastRng, stream};
use raichi_learn::ntuple::{self, NTuplePolicy, read_policy};
use raichi_learn::{CancelFlag, GreedyByValues, Host};
use raichi_search::mcts::{self, Config, Knowledge, Mcts};
use raichi_search::options::Options;
use raichi_search::{Budget, Limits, Session};

use clock::Clock;

struct Solve {
    folder: String,
    search: String,
    n_puzzles: u64,
    seed: u64,
}

impl Solve {
    fn policy<G: Playable>(&self, game: &PathGame<G>) -> Result<NTuplePolicy<G>, String> {
        let (manifest, saved) = agent_folder::read(&self.folder)?;
        let text = manifest.agent.split_once(':').map(|(_, text)| text);
        let options = Options::parse(ntuple::ID, ntuple::OPTIONS, None, text).map_err(|why| why.to_string())?;
        read_policy(game, &ntuple::Config::from_options(&options, &game.facts())?, &saved)
    }

    /// The player, and its budget for a decision.
    fn player<G: Playable>(&self, policy: NTuplePolicy<G>) -> Result<(Box<dyn Session<G>>, Budget), String> {
        if self.search == "-" {
            return Ok((Box::new(GreedyByValues::new(Arc::new(policy))), Budget::UNLIMITED));
        }
        let (budget, options) = self.search.split_once(',').unwrap_or((&self.search, ""));
        let simulations = budget.strip_prefix("sims=").and_then(|number| number.parse().ok());
        let simulations = simulations.ok_or("SEARCH is - or begins with sims=NUMBER")?;
        let options = Options::parse("mcts", mcts::OPTIONS, None, Some(options).filter(|text| !text.is_empty()));
        let config = Config::from_options(&options.map_err(|why| why.to_string())?);
        let knowledge = Knowledge { evaluator: Some(Arc::new(policy)), ..Knowledge::default() };
        Ok((Box::new(Mcts::knowing(config, knowledge)), Budget::simulations(simulations)))
    }
}

/// Plays a puzzle to its end; returns what it pays. Of two streams the first draws the puzzle, the second is the player's.
fn play<G: Playable>(
    game: &PathGame<G>,
    player: &mut dyn Session<G>,
    budget: Budget,
    [chance, own]: &mut [FastRng; 2],
) -> f64 {
    let (clock, cancel) = (Clock(Instant::now()), CancelFlag::default());
    let limits = Limits { budget, cancel: &cancel, host: &clock };
    let (mut state, mut choices) = (game.initial_state(), Vec::new());
    loop {
        match game.phase(&state) {
            Phase::Over => return game.payoffs(&state)[0],
            Phase::Chance => {
                let outcome = game.sample_outcome(&state, chance);
                game.apply_outcome(&mut state, outcome);
                choices.push(Choice::Outcome(outcome));
            }
            Phase::Act(_) => {
                let action = player.decide(&SeatView::new(game, &state, &choices, 0), &limits, own).action;
                game.apply(&mut state, 0, action);
                choices.push(Choice::Action(0, action));
            }
        }
    }
}

impl GameVisitor for Solve {
    type Output = Result<(), String>;

    fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) -> Result<(), String> {
        let facts = game.facts();
        let least = match facts.payoff_range {
            Some((low, _)) if facts.n_seats == 1 => low,
            _ => return Err(format!("{} is no puzzle: it has more than one seat, or no least payoff", game.spec())),
        };
        let (mut player, budget) = self.player(self.policy(game)?)?;
        let (clock, mut n_solved, mut paid) = (Clock(Instant::now()), 0u64, 0.0);
        let start = clock.now();
        for number in 0..self.n_puzzles {
            let mut streams = ["puzzle", "player"].map(|purpose| stream(self.seed, purpose, number));
            let payoff = play(game, &mut *player, budget, &mut streams);
            n_solved += u64::from(payoff > least);
            paid += payoff;
        }
        let n = self.n_puzzles as f64;
        let share = n_solved as f64 / n;
        println!(
            "{}: {n_solved} of {} solved, {share:.3} ± {:.3}; {:.2} paid on average; {:.2} s a puzzle",
            self.search,
            self.n_puzzles,
            1.96 * (share * (1.0 - share) / n).sqrt(),
            paid / n,
            (clock.now() - start).as_secs_f64() / n
        );
        Ok(())
    }
}

fn main() -> Result<(), String> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [game, folder, search, puzzles, seed] = args.as_slice() else {
        return Err("GAME FOLDER SEARCH PUZZLES SEED".into());
    };
    let number = |text: &String| text.parse::<u64>().map_err(|_| format!("{text} is no number"));
    let solve =
        Solve { folder: folder.clone(), search: search.clone(), n_puzzles: number(puzzles)?, seed: number(seed)? };
    raichi_games::visit(game, solve).map_err(|why| why.to_string())?
}
