//! Monte-Carlo tree search where something is hidden or seats act together.

use std::collections::BTreeMap;
use std::sync::Arc;

use raichi_core::game::Game;
use raichi_core::information::SeatView;
use raichi_core::notation::Notation;
use raichi_core::random::stream;
use raichi_core::{Match, PathGame, Playable};
use raichi_games::kuhn_poker::KuhnPoker;
use raichi_search::mcts::{Config, Knowledge, Mcts, Together};
use raichi_search::{Advice, Budget, Evaluator};

use crate::common::{Kuhn, KuhnState, Matrix, advise, decide, findings};

const JACK: u8 = 0;
const QUEEN: u8 = 1;
const KING: u8 = 2;

fn kuhn(cards: [u8; 2], bets: &[bool]) -> KuhnState {
    let mut state = KuhnState { cards: cards.map(Some), ..KuhnState::default() };
    for &bet in bets {
        Kuhn.apply(&mut state, 0, bet);
    }
    state
}

fn advise_at<G: Playable>(
    game: &G,
    state: &G::State,
    seat: usize,
    (config, simulations): (Config, u64),
    seed: u64,
) -> Advice<G::Action> {
    let game = PathGame::from(game.clone());
    let state = game.state_at(state.clone());
    let view = SeatView::new(&game, &state, &[], seat);
    decide(&mut Mcts::new(config), &view, Budget::simulations(simulations), &mut stream(seed, "test", 0))
}

fn of(simulations: u64) -> (Config, u64) {
    (Config::default(), simulations)
}

#[test]
fn the_advice_does_not_depend_on_the_hidden_card() {
    for own in [JACK, QUEEN, KING] {
        for (seat, bets) in [(0, &[][..]), (0, &[false, true]), (1, &[false]), (1, &[true])] {
            for seed in 0..10 {
                for (threads, redeterminize) in [(1, false), (2, false), (1, true), (2, true)] {
                    let found = |other: u8| {
                        let cards = if seat == 0 { [own, other] } else { [other, own] };
                        let config = (Config { threads, redeterminize, ..Config::default() }, 500);
                        findings(&advise_at(&Kuhn, &kuhn(cards, bets), seat, config, seed))
                    };
                    let (one, another) = ((own + 1) % 3, (own + 2) % 3);
                    assert_eq!(found(one), found(another), "seat {seat} holds {own} after {bets:?}");
                }
            }
        }
    }
}

/// How often a search bets (or calls) in each information state of Kuhn poker, by card and what was done before: as
/// shares of what it tried. `of` is a configuration and simulations.
fn betting(of: (Config, u64)) -> BTreeMap<(&'static str, u8), f64> {
    let mut betting = BTreeMap::new();
    for history in ["", "c", "b", "cb"] {
        for (own, card) in [("J", JACK), ("Q", QUEEN), ("K", KING)] {
            let other = if own == "K" { "Q" } else { "K" };
            let seat = history.len() % 2;
            let dealt = if seat == 0 { [own, other] } else { [other, own] };
            let words = |letter: char| if letter == 'b' { "bet" } else { "pass" };
            let plies =
                dealt.map(|card| format!("~{card}")).into_iter().chain(history.chars().map(|c| words(c).into()));
            let mut current = Match::new(KuhnPoker);
            current.play_history(&plies.collect::<Vec<String>>().join(" ")).unwrap();
            let advice =
                decide(&mut Mcts::new(of.0), &current.view(seat), Budget::simulations(of.1), &mut stream(1, "test", 0));
            let visits = |candidate: &raichi_search::Candidate<_>| candidate.visits.unwrap() as f64;
            let all: f64 = advice.candidates.iter().map(visits).sum();
            let is_bet = |text: &str| text == "bet";
            let text = |action| current.game().action_text(current.state(), seat, action);
            let bets = advice.candidates.iter().filter(|candidate| is_bet(&text(candidate.action)));
            betting.insert((history, card), bets.map(visits).sum::<f64>() / all);
        }
    }
    betting
}

/// What seat 0 gets on average when seat 0 and seat 1 bet as often as these say.
fn kuhn_value(first: impl Fn(&str, u8) -> f64, second: impl Fn(&str, u8) -> f64) -> f64 {
    let mut sum = 0.0;
    for own in 0..3 {
        for other in (0..3).filter(|&other| other != own) {
            let showdown = if own > other { 1.0 } else { -1.0 };
            let faced = second("b", other);
            let after_bet = faced * 2.0 * showdown + (1.0 - faced);
            let called = first("cb", own);
            let bet = second("c", other);
            let after_check = bet * (called * 2.0 * showdown - (1.0 - called)) + (1.0 - bet) * showdown;
            let bets = first("", own);
            sum += (bets * after_bet + (1.0 - bets) * after_check) / 6.0;
        }
    }
    sum
}

/// How much more than the equilibrium's value both seats' best responses get against this strategy, on average.
fn exploitability(betting: &BTreeMap<(&'static str, u8), f64>) -> f64 {
    let plays = |history: &str, card: u8| {
        *betting.iter().find(|((of, own), _)| *of == history && *own == card).map(|(_, share)| share).unwrap()
    };
    // Each pure strategy of a seat: six decisions, of two kinds by three cards.
    let pure = |bits: u32, late: &'static str| {
        move |history: &str, card: u8| f64::from(bits >> (u32::from(card) + 3 * u32::from(history == late)) & 1)
    };
    let best_of_first = (0..64).map(|bits| kuhn_value(pure(bits, "cb"), plays)).fold(f64::MIN, f64::max);
    let best_of_second = (0..64).map(|bits| kuhn_value(plays, pure(bits, "b"))).fold(f64::MAX, f64::min);
    (best_of_first - best_of_second) / 2.0
}

#[test]
fn the_measure_of_exploitability_is_right() {
    // An equilibrium of the book: a jack bluffs a third of the time, a queen calls a third of it.
    let third = 1.0 / 3.0;
    let shares = [("", [0.0, 0.0, 0.0]), ("c", [third, 0.0, 1.0]), ("b", [0.0, third, 1.0]), ("cb", [0.0, third, 1.0])];
    let equilibrium =
        shares.into_iter().flat_map(|(history, by_card)| (0..3).map(move |i| ((history, i), by_card[i as usize])));
    assert!(exploitability(&equilibrium.collect()).abs() < 1e-12);
    let never = ["", "c", "b", "cb"].into_iter().flat_map(|history| (0..3).map(move |card| ((history, card), 0.0)));
    // A seat that never bets and never calls gives the pot to every bet: 1 each time, and by cards otherwise.
    assert!((exploitability(&never.collect()) - 1.0).abs() < 1e-12);
}

#[test]
fn others_who_do_not_know_its_card_can_be_bluffed() {
    let [shared, apart] =
        [false, true].map(|redeterminize| betting((Config { redeterminize, ..Config::default() }, 40_000)));
    let [first, second] = [&shared, &apart].map(|betting| [JACK, QUEEN, KING].map(|card| betting[&("", card)]));
    // Where the other seems to know its card, a jack never bets. In an equilibrium it does so up to a third of the time, a
    // king three times as often, and a queen never.
    assert!(first[0] < 0.01, "{first:.2?}");
    let [jack, queen, king] = second;
    assert!((0.1..0.45).contains(&jack) && queen < 0.15 && king > 2.0 * jack, "{second:.2?}");
    let [shared, apart] = [shared, apart].map(|betting| exploitability(&betting));
    assert!(apart < shared, "{apart:.3}, and {shared:.3} where others share its view");
}

#[test]
fn kuhn_poker_is_played_with_sense() {
    for seed in 0..10 {
        // Whatever the other holds: a king calls, a jack folds, a king bets when checked to.
        for (cards, seat, bets, best) in [
            ([JACK, KING], 1, &[true][..], true),
            ([KING, JACK], 1, &[true], false),
            ([QUEEN, KING], 1, &[false], true),
            ([KING, QUEEN], 0, &[false, true], true),
            ([JACK, QUEEN], 0, &[false, true], false),
        ] {
            let advice = advise_at(&Kuhn, &kuhn(cards, bets), seat, of(3_000), seed);
            assert_eq!(advice.action, best, "seat {seat} of {cards:?} after {bets:?}: {advice:?}");
            assert!(!advice.proven);
        }
    }
}

#[test]
fn values_are_those_of_the_cards_that_may_be_held() {
    // A queen called by seat 1 wins against the jack and loses to the king: nothing on average. Folding costs 1.
    let advice = advise_at(&Kuhn, &kuhn([KING, QUEEN], &[true]), 1, of(20_000), 1);
    let call = advice.candidates.iter().find(|candidate| candidate.action).unwrap();
    assert!(call.values[1].abs() < 0.1, "{advice:?}");
    assert_eq!(call.values[0], -call.values[1]);
    let fold = advice.candidates.iter().find(|candidate| !candidate.action).unwrap();
    assert_eq!(fold.values, [1.0, -1.0]);
}

#[test]
fn a_line_of_play_tells_no_hidden_thing() {
    let advice = advise_at(&Kuhn, &kuhn([JACK, KING], &[]), 0, of(3_000), 1);
    assert!(!advice.line.is_empty() && advice.line.iter().all(|token| token == "bet" || token == "pass"));
}

#[test]
fn whoever_acts_at_the_same_time_does_not_see_the_others_choice() {
    // If seat 1 saw seat 0's choice, it would win every time; not seeing it, it cannot tell these states apart.
    let pennies = Matrix(vec![vec![1.0, -1.0], vec![-1.0, 1.0]]);
    for seed in 0..10 {
        let found = |row| findings(&advise_at(&pennies, &[Some(row), None], 1, of(500), seed));
        assert_eq!(found(0), found(1));
    }
    // Nor does it think that the other sees its own.
    for seat in [0, 1] {
        let advice = advise(&Match::new(pennies.clone()), seat, Config::default(), 20_000, 1);
        for candidate in &advice.candidates {
            assert!(candidate.values[seat].abs() < 0.1, "seat {seat}: {advice:?}");
        }
    }
}

#[test]
fn what_is_dominated_is_not_chosen() {
    // Row 1 is better than row 0 against every column, column 2 worse for seat 0 than any other.
    let game = Matrix(vec![vec![0.0, 2.0, -1.0], vec![1.0, 3.0, 0.0]]);
    for seed in 0..10 {
        for (seat, best) in [(0, 1), (1, 2)] {
            let advice = advise(&Match::new(game.clone()), seat, Config::default(), 2_000, seed);
            assert_eq!(advice.action, best, "seat {seat}: {advice:?}");
            assert_eq!(advice.line, [format!("{seat}:{best}")]);
        }
    }
}

#[test]
fn threads_share_the_simulations_out() {
    let state = kuhn([JACK, KING], &[]);
    let advice = advise_at(&Kuhn, &state, 0, (Config { threads: 3, ..Config::default() }, 1_000), 1);
    assert_eq!(advice.cost.simulations, 1_000);
    assert_eq!(advice.candidates.iter().map(|candidate| candidate.visits.unwrap()).sum::<u64>(), 1_000);
}

/// How often each action was tried at the start, as shares: what the seat's average strategy is, but for exploration.
fn shares(game: &Matrix, seat: usize, config: Config, simulations: u64, seed: u64) -> Vec<f64> {
    let advice = advise(&Match::new(game.clone()), seat, config, simulations, seed);
    let mut visits: Vec<_> = advice.candidates.iter().map(|each| (each.action, each.visits.unwrap() as f64)).collect();
    visits.sort_by_key(|&(action, _)| action);
    visits.into_iter().map(|(_, visits)| visits / simulations as f64).collect()
}

#[test]
fn regret_matching_approaches_the_equilibrium() {
    let config = Config { together: Together::Regret, ..Config::default() };
    for (matrix, row, column) in [
        // Matching pennies; the same where one pair of coins counts three times.
        (vec![vec![1.0, -1.0], vec![-1.0, 1.0]], vec![0.5, 0.5], vec![0.5, 0.5]),
        (vec![vec![3.0, -1.0], vec![-1.0, 1.0]], vec![1.0 / 3.0, 2.0 / 3.0], vec![1.0 / 3.0, 2.0 / 3.0]),
        // Rock, paper, scissors, where a win with rock counts 1, with paper 2, with scissors 3.
        (
            vec![vec![0.0, -2.0, 1.0], vec![2.0, 0.0, -3.0], vec![-1.0, 3.0, 0.0]],
            vec![1.0 / 2.0, 1.0 / 6.0, 1.0 / 3.0],
            vec![1.0 / 2.0, 1.0 / 6.0, 1.0 / 3.0],
        ),
        // An equilibrium without mixing: row 1, column 2.
        (vec![vec![0.0, 2.0, -1.0], vec![1.0, 3.0, 0.0]], vec![0.0, 1.0], vec![0.0, 0.0, 1.0]),
    ] {
        let game = Matrix(matrix);
        for (seat, equilibrium) in [(0, row), (1, column)] {
            let found = shares(&game, seat, config, 100_000, 1);
            for (share, &expected) in found.iter().zip(&equilibrium) {
                // A tenth of the choices is left to chance.
                let explored = 0.9 * expected + 0.1 / equilibrium.len() as f64;
                assert!((share - explored).abs() < 0.04, "seat {seat} of {game:?}: {found:?} for {equilibrium:?}");
            }
        }
    }
}

#[test]
fn what_is_played_is_drawn_from_the_strategy() {
    let config = Config { together: Together::Regret, ..Config::default() };
    let game = Matrix(vec![vec![3.0, -1.0], vec![-1.0, 1.0]]);
    let first = (0..200).filter(|&seed| advise(&Match::new(game.clone()), 0, config, 2_000, seed).action == 0).count();
    // A third of 200; five standard deviations are 33.
    assert!((34..100).contains(&first), "{first} of 200");
}

#[test]
fn bounds_mix_where_nothing_else_is_sound() {
    // Neither penny is worth more than the other, so that neither is neglected.
    let pennies = Matrix(vec![vec![1.0, -1.0], vec![-1.0, 1.0]]);
    for seat in [0, 1] {
        let found = shares(&pennies, seat, Config::default(), 100_000, 1);
        assert!((found[0] - 0.5).abs() < 0.1, "seat {seat}: {found:?}");
    }
}

/// Wrong on purpose: the seat that bets first has won a stake and a half.
struct BettingWins;

impl Evaluator<Kuhn> for BettingWins {
    fn value(&self, _: &Kuhn, state: &KuhnState, seat: usize) -> f32 {
        let better = state.bets.iter().flatten().position(|&bet| bet).map(|ply| ply % 2);
        better.map_or(0.0, |better| if better == seat { 1.5 } else { -1.5 })
    }
}

#[test]
fn an_evaluator_takes_the_place_of_playouts() {
    // With a jack, each action tried once: the tree ends before the game does. In a forest the other seat learns from every
    // second simulation.
    let bets = |knowledge: Knowledge<Kuhn>, redeterminize: bool| {
        let simulations = if redeterminize { 3 } else { 2 };
        let (game, config) = (PathGame::from(Kuhn), Config { redeterminize, ..Config::default() });
        let state = game.state_at(kuhn([JACK, KING], &[]));
        let view = SeatView::new(&game, &state, &[], 0);
        let mut search = Mcts::knowing(config, knowledge);
        let advice = decide(&mut search, &view, Budget::simulations(simulations), &mut stream(1, "test", 0));
        let of_bet = advice.candidates.into_iter().find(|candidate| candidate.action).expect("a bet is legal");
        of_bet.values[0]
    };
    for redeterminize in [false, true] {
        let evaluator = Some(Arc::new(BettingWins) as Arc<dyn Evaluator<Kuhn>>);
        assert_eq!(bets(Knowledge { evaluator, policy: None }, redeterminize), 1.5);
        assert!([-2.0, 1.0].contains(&bets(Knowledge::default(), redeterminize)), "what the game pays");
    }
}
