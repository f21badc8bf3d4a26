//! Duplicate poker: one player against others of one kind, from every seat with the same cards.
//!
//! `poker_duplicate GAME PLAYER OTHERS SETS [SEED]`: `GAME` is a spec of poker, a player is `ranges:5ms`, `mcts:5ms`,
//! `blueprint` or `blueprint:FILE` with other strategies for several seats, `random`, or `call`, which checks or calls whatever comes. Each set is as many games as there are seats, with the player
//! on each seat in turn and the same deck for the same round. Printed are the player's mean payoff in a game and its 95 %
//! interval, from the means of the sets, which are independent.

mod machine;

use std::sync::OnceLock;
use std::time::Duration;

use raichi_core::erased::{create, split_spec};
use raichi_core::game::Phase;
use raichi_core::random::{FastRng, shuffle, stream};
use raichi_core::{Game, Match, PathGame};
use raichi_engines::poker::Ranges;
use raichi_engines::poker::blueprint::multiway::Strategies;
use raichi_engines::poker::blueprint::{BlueprintPlayer, shipped};
use raichi_games::cards::Card;
use raichi_games::poker::{Action, Poker};
use raichi_search::mcts::Config;
use raichi_search::{Budget, CancelFlag, Limits, Mcts, Session};

use machine::Machine;

enum Player {
    Searches(Box<dyn Session<Poker>>, Budget),
    Random,
    Calls,
}

/// The player of the strategies that come with the engine, or for several seats of those in a file.
fn blueprint(file: Option<&str>) -> BlueprintPlayer {
    static READ: OnceLock<Strategies> = OnceLock::new();
    let Some(file) = file else { return BlueprintPlayer::new() };
    let read = READ.get_or_init(|| {
        let bytes = std::fs::read(file).unwrap_or_else(|why| panic!("{file}: {why}"));
        Strategies::from_bytes(&bytes).unwrap_or_else(|why| panic!("{file}: {why}"))
    });
    BlueprintPlayer::of(shipped(), read)
}

fn player(spec: &str) -> Player {
    let (id, limit) = split_spec(spec);
    let budget = |limit: Option<&str>| match limit.and_then(|limit| limit.strip_suffix("ms")) {
        Some(ms) => Budget::time(Duration::from_millis(ms.parse().expect("milliseconds"))),
        None => Budget::simulations(limit.and_then(|sims| sims.parse().ok()).unwrap_or(1000)),
    };
    match id {
        "ranges" => Player::Searches(Box::new(Ranges::new()), budget(limit)),
        "blueprint" => Player::Searches(Box::new(blueprint(limit)), Budget::simulations(1000)),
        "mcts" => Player::Searches(Box::new(Mcts::new(Config::default())), budget(limit)),
        "random" => Player::Random,
        "call" => Player::Calls,
        _ => panic!("the players are ranges, blueprint, mcts, random and call"),
    }
}

impl Player {
    fn choose(&mut self, current: &Match<Poker>, seat: usize, machine: &Machine, rng: &mut FastRng) -> Action {
        let view = current.view(seat);
        match self {
            Player::Searches(session, budget) => {
                let limits = Limits { budget: *budget, cancel: &CancelFlag::default(), host: machine };
                let advice = session.decide(&view, &limits, rng);
                if std::env::var_os("SHOW").is_some() {
                    let found = advice.candidates.iter();
                    let found = found.map(|c| {
                        format!("{:?} {:.1} ({})", c.action, c.values.get(seat).unwrap_or(&0.0), c.visits.unwrap_or(0))
                    });
                    let state = current.state();
                    let hole: String = state.hole(seat).iter().map(|card| card.to_string()).collect();
                    let board: String = state.board().iter().map(|card| card.to_string()).collect();
                    println!(
                        "{} {seat} {hole} on {board} pot {} to call {} stack {}: {}",
                        if advice.candidates[0].certainty == raichi_search::Certainty::Unknown || advice.line.is_empty()
                        {
                            "ranges"
                        } else {
                            "mcts"
                        },
                        state.pot(),
                        state.to_call(seat),
                        state.stack(seat),
                        found.collect::<Vec<_>>().join(", ")
                    );
                }
                advice.action
            }
            Player::Random => current.game().random_action(current.state(), seat, &mut Vec::new(), rng),
            Player::Calls => {
                let legal = view.legal_actions();
                let calls = [Action::Check, Action::Call, Action::AllIn].into_iter().find(|call| legal.contains(call));
                calls.expect("one of them is legal")
            }
        }
    }
}

/// Plays a game with the decks of `seed`; returns the payoffs and the number of rounds.
fn play(game: &PathGame<Poker>, players: &mut [Player], machine: &Machine, seed: u64) -> (Vec<f64>, u64) {
    let mut current = Match::new(game.clone());
    let (mut n_rounds, mut deck) = (0, Vec::new());
    loop {
        match current.phase() {
            Phase::Over => return (current.payoffs().as_slice().to_vec(), n_rounds),
            Phase::Chance => {
                let table = current.state();
                let n_dealt: usize = (0..players.len()).map(|seat| table.hole(seat).len()).sum();
                if n_dealt == 0 {
                    n_rounds += 1;
                    deck = Card::all().collect::<Vec<_>>();
                    shuffle(&mut stream(seed, "deck", n_rounds), &mut deck);
                }
                // The board is the same, however many were dealt in.
                let nth = if table.deals_to().is_some() { n_dealt } else { 51 - table.board().len() };
                current.play_token(&format!("~{}", deck[nth])).expect("the card is in the deck");
            }
            Phase::Act(seats) => {
                let seat = seats.first();
                let mut rng = stream(seed ^ (seat as u64) << 48, "decision", current.n_plies() as u64);
                let action = players[seat].choose(&current, seat, machine, &mut rng);
                current.play(seat, action).expect("players choose legal actions");
            }
        }
    }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [spec, one, others, sets, rest @ ..] = &args[..] else {
        return eprintln!("poker_duplicate GAME PLAYER OTHERS SETS [SEED]");
    };
    let game = create::<Poker>(split_spec(spec).1).expect("the game's spec");
    let n_seats = game.facts().n_seats;
    let sets: u64 = sets.parse().expect("a number of sets");
    let first: u64 = rest.first().map_or(1, |seed| seed.parse().expect("a seed"));
    let machine = Machine::new();
    let (mut means, mut n_rounds, mut n_won) = (Vec::new(), 0, 0);
    for set in 0..sets {
        let mut sum = 0.0;
        for seat in 0..n_seats {
            let mut players: Vec<Player> =
                (0..n_seats).map(|other| player(if other == seat { one } else { others })).collect();
            let (payoffs, n) = play(&game, &mut players, &machine, first + set);
            sum += payoffs[seat];
            n_rounds += n;
            n_won += u64::from(payoffs[seat] > 0.0);
        }
        means.push(sum / n_seats as f64);
    }
    let n = means.len() as f64;
    let mean = means.iter().sum::<f64>() / n;
    let variance = means.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    let (interval, n_games) = (1.96 * (variance / n).sqrt(), sets * n_seats as u64);
    println!("{mean:+.2} ± {interval:.2} chips a game; {n_games} games, {n_rounds} rounds, ahead in {n_won}");
}
