//! Blackjack alone with the dealer: mean payoffs of players on the same seeds.
//!
//! `blackjack_means GAME GAMES PLAYER...`: players are `expectation`, `basic` (published basic strategy for six decks, a
//! dealer who stands on all 17s, doubling after splits and late surrender), `mcts:SIMS` and `random`. Printed are each
//! player's mean payoff and its 95 % interval, and that of the difference to the first player.

use raichi_core::erased::{create, split_spec};
use raichi_core::game::{Game, Phase};
use raichi_core::random::{FastRng, stream};
use raichi_core::{Match, PathGame};
use raichi_engines::blackjack::Expectation;
use raichi_games::blackjack::{Action, Blackjack, value};
use raichi_search::mcts::Config;
use raichi_search::{BareHost, Budget, CancelFlag, Limits, Mcts, Session};

/// Basic strategy: the first action of its preference that is legal.
fn basic(current: &Match<Blackjack>) -> Action {
    let legal = current.view(0).legal_actions();
    let state = current.state();
    let Some(hand) = state.hand_in_play() else {
        let first = |action: &Action| matches!(action, Action::NoInsurance | Action::Bet(_));
        return legal.into_iter().find(first).expect("a wager or no insurance");
    };
    let up = match value(state.dealer().as_slice()[0]) {
        1 => 11,
        value => value,
    };
    let cards = hand.cards();
    let pair = legal.contains(&Action::Split).then(|| value(cards.as_slice()[0]));
    let split = match pair {
        Some(1 | 8) => true,
        Some(2 | 3 | 7) => up <= 7,
        Some(4) => (5..=6).contains(&up),
        Some(6) => up <= 6,
        Some(9) => up <= 9 && up != 7,
        _ => false,
    };
    let count = cards.count();
    let (double, hit, surrender) = if cards.is_soft() {
        let double = match count {
            13 | 14 => (5..=6).contains(&up),
            15 | 16 => (4..=6).contains(&up),
            17 | 18 => (3..=6).contains(&up),
            _ => false,
        };
        (double, count <= 17 || count == 18 && up >= 9, false)
    } else {
        let double = match count {
            9 => (3..=6).contains(&up),
            10 => up <= 9,
            11 => up <= 10,
            _ => false,
        };
        let hit = count <= 11 || count == 12 && !(4..=6).contains(&up) || (13..=16).contains(&count) && up >= 7;
        (double, hit, count == 16 && up >= 9 || count == 15 && up == 10)
    };
    let wanted = [
        (split, Action::Split),
        (surrender, Action::Surrender),
        (double, Action::Double),
        (hit, Action::Hit),
        (true, Action::Stand),
    ];
    let wanted = wanted.into_iter().filter(|&(wants, _)| wants).map(|(_, action)| action);
    wanted.into_iter().find(|action| legal.contains(action)).expect("standing is legal")
}

fn play(game: &PathGame<Blackjack>, spec: &str, seed: u64) -> f64 {
    let (id, sims) = split_spec(spec);
    let budget = Budget::simulations(sims.map_or(1000, |sims| sims.parse().expect("simulations")));
    let mut session: Box<dyn Session<Blackjack>> = match id {
        "mcts" => Box::new(Mcts::new(Config::default())),
        _ => Box::new(Expectation),
    };
    let (mut chance, mut own): (FastRng, FastRng) = (stream(seed, "chance", 0), stream(seed, "player", 0));
    let mut current = Match::new(game.clone());
    loop {
        match current.phase() {
            Phase::Over => return current.payoffs()[0],
            Phase::Chance => current.sample_outcome(&mut chance).expect("chance acts"),
            Phase::Act(_) => {
                let action = match id {
                    "basic" => basic(&current),
                    "random" => game.random_action(current.state(), 0, &mut Vec::new(), &mut own),
                    _ => {
                        let limits = Limits { budget, cancel: &CancelFlag::default(), host: &BareHost };
                        session.decide(&current.view(0), &limits, &mut own).action
                    }
                };
                current.play(0, action).expect("players choose legal actions");
            }
        }
    }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [spec, n_games, players @ ..] = &args[..] else { return eprintln!("blackjack_means GAME GAMES PLAYER...") };
    let game = create::<Blackjack>(split_spec(spec).1).expect("the game's spec");
    let n_games: u64 = n_games.parse().expect("a number of games");
    let mean = |values: &[f64]| {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let variance = values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
        format!("{mean:+.2} ± {:.2}", 1.96 * (variance / n).sqrt())
    };
    let mut first: Option<Vec<f64>> = None;
    for player in players {
        let payoffs: Vec<f64> = (0..n_games).map(|seed| play(&game, player, seed)).collect();
        let first = first.get_or_insert_with(|| payoffs.clone());
        let behind: Vec<f64> = first.iter().zip(&payoffs).map(|(first, own)| first - own).collect();
        println!("{player}: {} chips a game; the first wins {} more", mean(&payoffs), mean(&behind));
    }
}
