//! Two players against each other: each random opening is played from both sides.

use std::sync::Arc;

use raichi_core::erased::Playable;
use raichi_core::game::{Game, Phase};
use raichi_core::path::PathGame;
use raichi_core::random::stream;
use raichi_core::{Match, Seat};
use raichi_engines::Tunable;
use raichi_search::alphabeta;
use raichi_search::mcts::{self, Knowledge, Mcts, Playouts};
use raichi_search::{BareHost, Budget, CancelFlag, Evaluator, Limits, PlayoutPolicy, Session};

use crate::alphabeta::AlphaBeta;
use crate::clock::processor_seconds;
use crate::games::settings;
use crate::tree::{Guide, Tree};

/// How a player chooses, and with which budget.
pub(crate) enum Player<G: Game> {
    AlphaBeta(Option<Arc<dyn Evaluator<G>>>, u64),
    /// The crate's searches.
    Pruned(Arc<dyn Evaluator<G>>, u64),
    Mcts(Knowledge<G>, u64),
    Uct(Option<Arc<dyn PlayoutPolicy<G>>>, u64),
    Puct(Arc<dyn Evaluator<G>>, u64),
}

impl<G: Playable> Player<G> {
    fn parse<E: Tunable<G>>(game: &G, text: &str) -> Player<G> {
        let (kind, budget) = text.split_once('@').expect("a player is KIND@BUDGET");
        let (budget, weights) = budget.split_once('=').map_or((budget, None), |(budget, rest)| (budget, Some(rest)));
        let budget = budget.parse().expect("a budget is a number");
        let hand = || {
            let mut hand = E::new(game).expect("the evaluator knows the parameters");
            for (weight, text) in hand.weights_mut().iter_mut().zip(weights.into_iter().flat_map(|all| all.split(',')))
            {
                *weight = text.trim().parse().expect("a weight is a number");
            }
            Arc::new(hand)
        };
        match kind {
            "hand" => Player::AlphaBeta(Some(hand()), budget),
            "flat" => Player::AlphaBeta(None, budget),
            "alphabeta" => Player::Pruned(hand(), budget),
            "learned" => {
                let learned = raichi_engines::learned(game).expect("the game has an evaluator that was learned");
                Player::Pruned(learned, budget)
            }
            "mcts" => Player::Mcts(Knowledge::default(), budget),
            "mcts-policy" => {
                Player::Mcts(Knowledge { evaluator: None, policy: raichi_engines::playout_policy(game) }, budget)
            }
            "uct" => Player::Uct(None, budget),
            "policy" => {
                let policy = raichi_engines::playout_policy(game).expect("the game has a playout policy");
                Player::Uct(Some(policy), budget)
            }
            "puct" => Player::Puct(hand(), budget),
            _ => panic!(
                "players are hand, flat, alphabeta, learned, mcts, mcts-policy, uct, policy and puct, not {kind}"
            ),
        }
    }

    /// What a player keeps from decision to decision of a game; nothing for the plain searches here.
    pub(crate) fn session(&self) -> Option<Box<dyn Session<G>>> {
        match self {
            Player::Pruned(evaluator, _) => {
                let config = alphabeta::Config::default();
                Some(Box::new(alphabeta::AlphaBeta::new(config, Some(Arc::clone(evaluator)))))
            }
            Player::Mcts(known, _) => {
                let playouts = if known.policy.is_some() { Playouts::Policy } else { Playouts::Uniform };
                let config = mcts::Config { playouts, memory: MEMORY, ..mcts::Config::default() };
                let known = Knowledge { evaluator: None, policy: known.policy.clone() };
                Some(Box::new(Mcts::knowing(config, known)))
            }
            _ => None,
        }
    }

    pub(crate) fn choose(
        &self,
        current: &Match<G>,
        seat: Seat,
        session: &mut Option<Box<dyn Session<G>>>,
        seed: u64,
    ) -> G::Action {
        let game = current.game();
        let state = current.state();
        match self {
            Player::AlphaBeta(evaluator, nodes) => {
                // What the path decides at once is known before the search.
                let by_path = |action| {
                    let mut next = state.clone();
                    game.apply(&mut next, seat, action);
                    game.path_end(&next).map(|_| game.payoffs(&next)[seat] as f32)
                };
                AlphaBeta::new(game.game(), evaluator.as_deref(), *nodes).decide(state.position(), seat, &by_path)
            }
            Player::Pruned(_, n) | Player::Mcts(_, n) => {
                let cancel = CancelFlag::default();
                let budget = match self {
                    Player::Mcts(..) => Budget::simulations(*n),
                    _ => Budget { nodes: Some(*n), ..Budget::UNLIMITED },
                };
                let limits = Limits { budget, cancel: &cancel, host: &BareHost };
                let session = session.as_mut().expect("the crate's searches have sessions");
                session
                    .decide(&current.view(seat), &limits, &mut stream(seed, "search", current.n_plies() as u64))
                    .action
            }
            Player::Uct(policy, simulations) => {
                let guide = policy.as_deref().map_or(Guide::Random, Guide::Policy);
                Tree::new(game.game(), guide, seed ^ current.n_plies() as u64).decide(
                    state.position(),
                    seat,
                    *simulations,
                )
            }
            Player::Puct(evaluator, simulations) => {
                let guide = Guide::Evaluator(&**evaluator);
                Tree::new(game.game(), guide, seed ^ current.n_plies() as u64).decide(
                    state.position(),
                    seat,
                    *simulations,
                )
            }
        }
    }
}

/// Bytes for each tree.
const MEMORY: usize = 64 << 20;

/// A game after so many random plies, not over.
pub(crate) fn opening<G: Playable>(game: &Arc<PathGame<G>>, seed: u64, n_plies: u64) -> Match<G> {
    for attempt in 0.. {
        let mut rng = stream(seed, "opening", attempt);
        let mut current = Match::of(Arc::clone(game));
        for _ in 0..n_plies {
            let Phase::Act(seats) = current.phase() else { break };
            current.play_random(seats.first(), &mut Vec::new(), &mut rng).expect("a seat that may act can");
        }
        if matches!(current.phase(), Phase::Act(_)) {
            return current;
        }
    }
    unreachable!("some opening leaves the game open")
}

pub(crate) fn run<G: Playable, E: Tunable<G>>(game: PathGame<G>, rest: &[String]) {
    let [one, other, rest @ ..] = rest else { panic!("a match needs two players") };
    let settings = settings(rest);
    let n_pairs = settings.number("games", 100).div_ceil(2);
    let (seed, n_plies) = (settings.number("seed", 1), settings.number("opening", 6));
    let game = Arc::new(game);
    let players = [one, other].map(|text| Player::<G>::parse::<E>(game.game(), text));
    let mut pairs = Vec::new();
    let mut by_seat = [[0u32; 3]; 2];
    let mut seconds = [0.0; 2];
    for pair in 0..n_pairs {
        let start = opening(&game, seed.wrapping_add(pair), n_plies);
        let mut points = 0.0;
        for first in 0..2 {
            let mut current = start.clone();
            let mut sessions = [players[0].session(), players[1].session()];
            while let Phase::Act(seats) = current.phase() {
                let seat = seats.first();
                let player = (seat + first) % 2;
                let before = processor_seconds();
                let action = players[player].choose(&current, seat, &mut sessions[player], seed.wrapping_add(pair));
                seconds[player] += processor_seconds() - before;
                current.play(seat, action).expect("players choose legal actions");
            }
            let payoff = current.payoffs()[first];
            points += (payoff + 1.0) / 2.0;
            by_seat[first][(payoff + 1.0) as usize] += 1;
        }
        pairs.push(points / 2.0);
    }
    report(one, other, &pairs, by_seat);
    println!("  processor time: {:.1} s and {:.1} s", seconds[0], seconds[1]);
}

// Pairs are counted as pairs: the two games of an opening are not independent.
fn report(one: &str, other: &str, pairs: &[f64], by_seat: [[u32; 3]; 2]) {
    let n = pairs.len() as f64;
    let mean = pairs.iter().sum::<f64>() / n;
    let variance = pairs.iter().map(|points| (points - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    let error = 1.96 * (variance / n).sqrt();
    let elo = |score: f64| -400.0 * (1.0 / score.clamp(1e-3, 1.0 - 1e-3) - 1.0).log10();
    let [[loss_0, draw_0, win_0], [loss_1, draw_1, win_1]] = by_seat;
    println!("{one} against {other}: {} games", 2 * pairs.len());
    println!(
        "  score {:.3} ± {:.3}, Elo {:+.0} [{:+.0}, {:+.0}]",
        mean,
        error,
        elo(mean),
        elo(mean - error),
        elo(mean + error)
    );
    println!("  wins, draws, losses in seat 0: {win_0} {draw_0} {loss_0}, in seat 1: {win_1} {draw_1} {loss_1}");
}
