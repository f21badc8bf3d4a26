//! Spots, what is learned in them, and the file.

use raichi_core::game::Game;
use raichi_core::seat::Seat;
use raichi_games::cards::CardSet;
use raichi_games::poker::{Action, Poker, State};

use super::spot::Spot;
use super::training::{bucket, n_buckets};
use super::{Strategies, Training, shipped};
use crate::poker::blueprint::strategy::FileError;
use crate::poker::blueprint::tests::{cards, game, random_rounds};

const SPECS: [&str; 5] = [
    "poker:players=3",
    "poker:players=6,chips=37,blind=4",
    "poker:players=10",
    "poker:players=3,chips=9,blind=2,rise=3",
    "poker:players=2,chips=400,heads-up=casino",
];

#[test]
fn spots_have_the_actions_that_make_a_difference() {
    let mut n_seen = [0; 4];
    for (seed, spec) in SPECS.iter().enumerate() {
        random_rounds(spec, seed as u64, 3_000, |current, seat| {
            let (game, table) = (current.game().game(), current.state());
            let (spot, options) = Spot::of(game, table, seat);
            assert_eq!(spot.n_actions(), options.actions().len());
            assert_eq!(spot.street(), table.board().len().saturating_sub(2));
            assert_eq!(Spot::from_number(spot.number()), Some(spot));
            assert!(options.actions().iter().all(|&action| game.is_legal(table, seat, action)));
            let owes = table.to_call(seat) > 0;
            let has = |action: Action| options.actions().contains(&action);
            assert_eq!((has(Action::Fold), has(Action::Check)), (owes, !owes));
            let legal = current.view(seat).legal_actions();
            let answers = |&other: &Seat| {
                other != seat && table.bet(other) + table.stack(other) > table.bet(seat) + table.to_call(seat)
            };
            // More than the bet can be put in where somebody could match some of it.
            if table.able_to_bet().iter().any(|other| answers(&other)) && table.stack(seat) > table.to_call(seat) {
                assert_eq!(legal.len() - options.actions().len(), usize::from(!owes), "{legal:?} {options:?}");
            } else {
                assert_eq!(options.actions().len(), 1 + usize::from(owes));
            }
            n_seen[spot.street()] += 1;
        });
    }
    assert!(n_seen.iter().all(|&n| n > 300), "{n_seen:?}");
}

#[test]
fn the_names_of_seats_and_of_blinds_do_not_count() {
    let spot = |spec: &str, dealer: Seat, stacks: &[u32], actor: Seat| {
        let game = game(spec);
        let mut state = game.game().round_with(dealer, stacks);
        while state.deals_to().is_some() {
            let card =
                CardSet::DECK.minus((0..3).fold(CardSet::EMPTY, |all, seat| all.union(state.hole(seat)))).first();
            game.game().apply_outcome(&mut state, card.expect("the deck is not empty"));
        }
        Spot::of(game.game(), &state, actor)
    };
    let one = spot("poker:players=3,blind=10", 0, &[100, 80, 120], 0);
    assert_eq!(one, spot("poker:players=3,blind=10", 2, &[80, 120, 100], 2));
    assert_eq!(one, spot("poker:players=3,blind=2", 1, &[24, 20, 16], 1));
    assert_ne!(one, spot("poker:players=3,blind=10", 0, &[20, 80, 120], 0));
}

/// What a seat would be told before the flop when the seat before it has gone all-in.
fn called(strategies: &Strategies, hole: &str) -> f32 {
    let game = game("poker:players=3,chips=100,blind=10");
    let game: &Poker = game.game();
    let mut state: State = game.round_with(0, &[60, 60, 60]);
    let mut left = CardSet::DECK.minus(cards(hole));
    while let Some(seat) = state.deals_to() {
        let from = if seat == 1 { cards(hole).minus(state.hole(1)) } else { left };
        let card = from.first().expect("two cards for each");
        left.remove(card);
        game.apply_outcome(&mut state, card);
    }
    game.apply(&mut state, 0, Action::AllIn);
    let (spot, options) = Spot::of(game, &state, 1);
    assert_eq!(options.actions()[0], Action::Fold);
    let bucket = bucket(state.board(), state.hole(1));
    1.0 - strategies.probabilities(spot, bucket).expect("the spot was met")[0]
}

#[test]
fn a_training_that_was_interrupted_goes_on_as_if_it_had_not_been() {
    let mut whole = Training::new(3, 3);
    (0..4).for_each(|_| whole.advance());
    let mut half = Training::new(3, 3);
    (0..2).for_each(|_| half.advance());
    let bytes = half.to_bytes();
    let mut half = Training::from_bytes(&bytes).expect("it was a training");
    (0..2).for_each(|_| half.advance());
    assert!(whole.to_bytes() == half.to_bytes());
    assert!(Training::from_bytes(&bytes[..bytes.len() - 1]).is_none());
    assert!(Training::from_bytes(b"regrets2").is_none());
}

#[test]
fn what_is_learned_gives_up_weak_hands_rather_than_strong_ones() {
    let mut training = Training::new(1, 3);
    (0..200).for_each(|_| training.advance());
    let learned = training.strategies();
    // How often hands of a quarter of the buckets were given up on the river, of all times that they could be.
    let folds = |buckets: std::ops::Range<usize>| {
        let rivers = training.spots.iter().filter(|(spot, _)| spot.street() == 3 && spot.has_fold());
        let (mut folds, mut all) = (0.0, 0.0);
        for (spot, &first) in rivers {
            let n = spot.n_actions();
            for bucket in buckets.clone() {
                let sums = &training.sums[first as usize + bucket * n..][..n];
                (folds, all) = (folds + sums[0], all + sums.iter().sum::<f32>());
            }
        }
        folds / all
    };
    let (weak, strong) = (folds(0..8), folds(24..32));
    assert!(weak > strong + 0.15, "{weak} of weak hands, {strong} of strong ones");
    let bytes = learned.to_bytes();
    assert!(Strategies::from_bytes(&bytes).expect("it was just written") == learned);
}

#[test]
fn the_strategies_are_read_and_damaged_ones_refused() {
    let bytes = include_bytes!("multiway.bin");
    let read = Strategies::from_bytes(bytes).expect("they come with the engine");
    assert!(read.to_bytes() == bytes);
    let mut damaged = bytes.to_vec();
    damaged[bytes.len() / 2] ^= 4;
    assert_eq!(Strategies::from_bytes(&damaged).err(), Some(FileError::Damaged));
    assert_eq!(Strategies::from_bytes(&bytes[..bytes.len() - 1]).err(), Some(FileError::Damaged));
    assert_eq!(Strategies::from_bytes(b"poker-b1").err(), Some(FileError::Unknown));
}

#[test]
fn what_was_packed_by_somebody_else_is_looked_at() {
    let (spot, _) = {
        let game = game("poker:players=3");
        let mut state = game.game().round_with(0, &[100, 100, 100]);
        while let Some(card) = state.deals_to().and_then(|_| {
            CardSet::DECK.minus((0..3).fold(CardSet::EMPTY, |all, seat| all.union(state.hole(seat)))).first()
        }) {
            game.game().apply_outcome(&mut state, card);
        }
        Spot::of(game.game(), &state, 0)
    };
    let file = |n: u32, spots: &[u64], steps: &[u8]| {
        let numbers = spots.iter().flat_map(|number| number.to_le_bytes());
        n.to_le_bytes().into_iter().chain(numbers).chain(steps.iter().copied()).collect::<Vec<u8>>()
    };
    let kept = n_buckets(0) * (spot.n_actions() - 1);
    let right = file(1, &[spot.number()], &vec![3; kept]);
    assert!(Strategies::from_plain(&right).is_some());
    for wrong in [
        file(2, &[spot.number()], &vec![3; kept]),
        file(u32::MAX, &[spot.number()], &vec![3; kept]),
        file(1, &[spot.number()], &vec![3; kept + 1]),
        file(1, &[spot.number()], &vec![12; kept]),
        file(1, &[7], &[]),
        file(1, &[u64::MAX], &vec![0; 10_000]),
        file(2, &[spot.number(); 2], &vec![3; 2 * kept]),
    ] {
        assert!(Strategies::from_plain(&wrong).is_none());
    }
}

#[test]
fn nearly_every_spot_of_quiet_rounds_was_met() {
    let (mut n_met, mut n) = (0, 0);
    for (seed, spec) in ["poker:players=3", "poker:players=3,chips=37,blind=4"].iter().enumerate() {
        random_rounds(spec, seed as u64, 3_000, |current, seat| {
            let (game, table) = (current.game().game(), current.state());
            let (spot, options) = Spot::of(game, table, seat);
            let bucket = bucket(table.board(), table.hole(seat));
            assert!(bucket < n_buckets(spot.street()));
            n += 1;
            if let Some(shares) = shipped().probabilities(spot, bucket) {
                n_met += 1;
                assert_eq!(shares.len(), options.actions().len());
                assert!((shares.iter().sum::<f32>() - 1.0).abs() < 1e-3);
            }
        });
    }
    assert!(n_met * 100 > n * 95, "{n_met} of {n}");
}

#[test]
fn aces_call_and_the_worst_hand_does_not() {
    assert!(called(shipped(), "As Ad") > 0.9);
    assert!(called(shipped(), "7s 2d") < 0.1);
}
