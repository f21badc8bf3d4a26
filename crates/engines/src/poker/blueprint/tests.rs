use raichi_core::erased::{create, split_spec};
use raichi_core::game::Phase;
use raichi_core::random::{index, stream};
use raichi_core::{Match, PathGame};
use raichi_games::cards::{Card, CardSet, SUIT_MAPS};
use raichi_games::poker::{Action, Poker};

use super::abstraction::{Flops, N_BUCKETS, bucket, buckets, pair_index};
use super::lbr::LocalBestResponse;
use super::player::{BlueprintPlayer, Round, plays};
use super::strategy::{FileError, STEPS};
use super::tree::{BIG, Bet, LONGEST, Next, ORDERS, SMALL, Tree};
use super::{Blueprint, Training, shipped};
use crate::poker::preflop::n_hands;
use crate::poker::rank::PAIRS;

pub(super) fn cards(text: &str) -> CardSet {
    text.split(' ').filter_map(Card::parse).collect()
}

pub(super) fn game(spec: &str) -> PathGame<Poker> {
    create(split_spec(spec).1).expect("the test's spec")
}

#[test]
fn buckets_do_not_depend_on_the_names_of_suits() {
    let mut flops = Flops::new();
    for board in ["2c 7d 9s", "Ac Kc Qc", "5d 5h 9s", "2c 7d 9s Jh", "2c 7d 9s Jh Ac"].map(cards) {
        let all = buckets(board);
        for map in [1, 7, 23].map(|nth| SUIT_MAPS[nth]) {
            let exchanged = if board.len() < 5 { Vec::new() } else { buckets(board.with_suits(map)) };
            for (pair, hole) in PAIRS.iter().enumerate().step_by(97) {
                let image = hole.with_suits(map);
                if let Some(bucket) = exchanged.get(pair_index(image)) {
                    assert_eq!(all[pair], *bucket);
                }
                if board.len() == 3 {
                    let (of, suits) = flops.buckets(board.with_suits(map));
                    assert_eq!(all[pair], of[pair_index(image.with_suits(suits))]);
                }
            }
        }
        // One hand by itself has the bucket that it has among all.
        for (pair, &hole) in PAIRS.iter().enumerate().step_by(if board.len() == 3 { 331 } else { 41 }) {
            if hole.minus(board) == hole {
                assert_eq!(bucket(board, hole), usize::from(all[pair]), "{hole:?} on {board:?}");
            } else {
                assert_eq!(all[pair], u8::MAX);
            }
        }
    }
    assert!(PAIRS.iter().enumerate().all(|(nth, &pair)| pair_index(pair) == nth));
}

#[test]
fn better_hands_have_greater_buckets_and_draws_count() {
    let of = |board: &str, hole: &str| bucket(cards(board), cards(hole));
    let rising = ["4c 3h", "As Kd", "9c Ad", "2c 2h"].map(|hole| of("9s 8s 2d", hole));
    assert!(rising.is_sorted_by(|less, more| less < more), "{rising:?}");
    assert!(of("9s 8s 2d", "4s 3s") > of("9s 8s 2d", "4c 3h") + 4);
    assert_eq!(of("9s 8s 2d 3h 9c", "9d 9h"), N_BUCKETS - 1);
}

#[test]
fn trees_are_small_and_every_node_is_reached() {
    for order in ORDERS {
        let n_nodes: usize = (1..=LONGEST).map(|stack| Tree::new(order, stack).nodes.len()).sum();
        assert!(n_nodes < 20_000, "{n_nodes}");
        assert!(Tree::new(order, 1).nodes.is_empty());
        // With one big blind the small one calls with everything or folds.
        let one = Tree::new(order, 2);
        assert_eq!(one.nodes.len(), 1);
        assert_eq!(one.nodes[0].actions, [(Bet::Fold, Next::Folded(1)), (Bet::Pass, Next::Showdown(2))]);
        for node in &Tree::new(order, 9).nodes {
            assert!(node.staked.iter().all(|&staked| staked <= 9));
            assert_eq!(node.after(Bet::Fold).is_some(), node.staked[node.actor] < node.staked[1 - node.actor]);
        }
    }
}

/// Plays rounds of a game at random, and shows every decision.
pub(super) fn random_rounds(spec: &str, seed: u64, n_plies: usize, mut look: impl FnMut(&Match<Poker>, usize)) {
    let game = game(spec);
    let mut rng = stream(seed, "test", 0);
    let mut current = Match::new(game.clone());
    for _ in 0..n_plies {
        match current.phase() {
            Phase::Over => current = Match::new(game.clone()),
            Phase::Chance => current.sample_outcome(&mut rng).expect("chance acts"),
            Phase::Act(seats) => {
                let seat = seats.first();
                look(&current, seat);
                let legal = current.view(seat).legal_actions();
                // Folds and all-ins end a round soon; the others let it get far.
                let quiet: Vec<Action> =
                    legal.iter().copied().filter(|action| !matches!(action, Action::Fold | Action::AllIn)).collect();
                let from = if quiet.is_empty() || index(&mut rng, 8) == 0 { &legal } else { &quiet };
                current.play(seat, from[index(&mut rng, from.len())]).expect("it is legal");
            }
        }
    }
}

#[test]
fn the_tree_has_the_actions_that_the_rules_have() {
    let specs = [
        "poker",
        "poker:heads-up=casino",
        "poker:chips=37,blind=4",
        "poker:chips=23,blind=6,heads-up=casino",
        "poker:chips=9,blind=2,rise=3",
        "poker:chips=1000,blind=100",
    ];
    let mut n_seen = [0; 4];
    for (seed, spec) in specs.iter().enumerate() {
        let trees = ORDERS.map(|order| (1..=LONGEST).map(|stack| Tree::new(order, stack)).collect::<Vec<_>>());
        let empty = Blueprint::new(
            trees.into_iter().flatten().map(|tree| super::strategy::Strategy::of(tree, |_, _| vec![1.0])).collect(),
        );
        random_rounds(spec, seed as u64, 4_000, |current, seat| {
            let (game, table) = (current.game().game(), current.state());
            let round = Round::of(game, table).expect("two seats play");
            let Some(strategy) = empty.strategy(round.order, round.stack) else {
                assert!(round.stack > LONGEST);
                return;
            };
            let seen: Vec<_> = current.view(seat).seen().collect();
            let node = round.node(game, strategy, table, &seen).expect("the round was seen from its beginning");
            let node = &strategy.tree.nodes[node];
            assert_eq!(node.street, table.board().len().saturating_sub(2));
            let small = game.round_start(table).deals_to().expect("it begins with a deal");
            assert_eq!(node.actor, if seat == small { SMALL } else { BIG });
            let mut bets: Vec<Bet> = Vec::new();
            for action in current.view(seat).legal_actions() {
                let bet = round.bet(game, table, seat, action);
                bets.extend(bet.filter(|bet| !bets.contains(bet)));
            }
            let listed: Vec<Bet> = node.actions.iter().map(|&(bet, _)| bet).collect();
            assert!(
                bets.len() == listed.len() && bets.iter().all(|bet| listed.contains(bet)),
                "{spec} {bets:?} {listed:?}"
            );
            for bet in listed {
                let action = round.action(game, table, seat, bet).expect("it is legal");
                assert_eq!(round.bet(game, table, seat, action), Some(bet));
            }
            n_seen[node.street] += 1;
        });
    }
    assert!(n_seen.iter().all(|&n| n > 300), "{n_seen:?}");
}

#[test]
fn rounds_of_two_are_played_by_the_strategies_for_two() {
    let player = BlueprintPlayer::new();
    random_rounds("poker", 5, 1_000, |current, seat| {
        let (game, table) = (current.game().game(), current.state());
        let seen: Vec<_> = current.view(seat).seen().collect();
        let listed = player.between_two(game, table, &seen, seat).expect("the default game is known");
        assert!((listed.iter().map(|&(_, share)| share).sum::<f32>() - 1.0).abs() < 1e-3, "{listed:?}");
    });
}

#[test]
fn games_that_it_is_not_for_are_told() {
    let of = |spec| plays(game(spec).game());
    assert_eq!([of("poker"), of("poker:chips=37,blind=4"), of("poker:chips=10,blind=10")], [(); 3].map(Ok));
    assert_eq!([of("poker:players=3"), of("poker:chips=160,blind=10")], [(); 2].map(Ok));
    assert!(of("poker:players=4").is_err_and(|why| why.contains("3 seats")));
    assert!(of("poker:chips=161,blind=10").is_err_and(|why| why.contains("16 blinds")));
}

#[test]
fn a_training_that_was_interrupted_goes_on_as_if_it_had_not_been() {
    let mut whole = Training::new(3, 4, None);
    (0..4).for_each(|_| whole.advance());
    let mut half = Training::new(3, 4, None);
    (0..2).for_each(|_| half.advance());
    let bytes = half.to_bytes();
    let mut half = Training::from_bytes(&bytes).expect("it was a training");
    (0..2).for_each(|_| half.advance());
    assert!(whole.to_bytes() == half.to_bytes());
    assert!(Training::from_bytes(&bytes[..bytes.len() - 1]).is_none());
    assert!(Training::from_bytes(b"regrets1").is_none());
}

#[test]
fn training_makes_strategies_that_are_exploited_less() {
    let mut training = Training::new(1, 4, None);
    let mut response = LocalBestResponse::new();
    let mut exploited = |training: &Training| {
        let blueprint = training.blueprint();
        response.measure(blueprint.strategy(ORDERS[0], 4).expect("it is trained"), 120, 1).mean
    };
    let before = exploited(&training);
    (0..160).for_each(|_| training.advance());
    let after = exploited(&training);
    assert!(before > 0.25 && after < before / 2.0, "small blinds a hand: {before}, then {after}");
    // With one big blind every hand has the odds to call.
    let one = training.blueprint();
    let one = one.strategy(ORDERS[1], 2).expect("it is trained");
    let folds: f32 = (0..169).map(|kind| one.probability(0, kind, 0) * n_hands(kind) as f32).sum();
    assert!(folds / 1326.0 < 0.2, "{folds}");
}

#[test]
fn the_blueprint_is_read_and_a_damaged_one_refused() {
    let bytes = include_bytes!("blueprint.bin");
    let read = Blueprint::from_bytes(bytes).expect("it comes with the engine");
    for order in ORDERS {
        assert!(read.strategy(order, 0).is_none() && read.strategy(order, LONGEST + 1).is_none());
        for stack in 1..=LONGEST {
            let strategy = read.strategy(order, stack).expect("it is there");
            for (node, of) in strategy.tree.nodes.iter().enumerate().step_by(7) {
                let n: f32 = (0..of.actions.len()).map(|action| strategy.probability(node, 5, action)).sum();
                assert!((n * f32::from(STEPS) - f32::from(STEPS)).abs() < 1e-3);
            }
        }
    }
    let mut damaged = bytes.to_vec();
    damaged[bytes.len() / 2] ^= 4;
    assert_eq!(Blueprint::from_bytes(&damaged).err(), Some(FileError::Damaged));
    assert_eq!(Blueprint::from_bytes(&bytes[..bytes.len() - 1]).err(), Some(FileError::Damaged));
    assert_eq!(Blueprint::from_bytes(b"poker-b0").err(), Some(FileError::Unknown));
    assert!(shipped().to_bytes() == bytes);
}

#[test]
fn aces_are_not_folded_and_the_worst_hand_is_with_ten_blinds() {
    let kind = |hole: &str| bucket(CardSet::EMPTY, cards(hole));
    for order in ORDERS {
        let strategy = shipped().strategy(order, LONGEST).expect("it is there");
        let fold = |hole| strategy.probability(0, kind(hole), 0);
        assert_eq!(fold("As Ad"), 0.0);
        // To an all-in.
        let Some(Next::Node(answer)) = strategy.tree.nodes[0].after(Bet::AllIn) else { panic!("it is a node") };
        let fold = |hole| strategy.probability(answer as usize, kind(hole), 0);
        assert_eq!((fold("As Ad"), fold("7s 2d")), (0.0, 1.0));
    }
}
