//! The player of the blueprint.

use raichi_core::game::{Game, Phase};
use raichi_core::random::{index, stream};
use raichi_core::{Match, SeatSet, SeatView, Viewer};
use raichi_engines::poker::blueprint::BlueprintPlayer;
use raichi_games::poker::{Action, Poker};
use raichi_search::{Advice, Budget};

use crate::common::{begun, decide, game, keeps_time};

fn advise(current: &Match<Poker>, seed: u64) -> Advice<Action> {
    let Phase::Act(seats) = current.phase() else { panic!("a seat is to act") };
    decide(&mut BlueprintPlayer::new(), &current.view(seats.first()), Budget::simulations(20), seed)
}

/// Plays rounds, half of the decisions at random; games that are over begin anew.
fn play(spec: &str, seed: u64, n_decisions: usize, mut look: impl FnMut(&Match<Poker>, &Advice<Action>)) {
    let game = game::<Poker>(spec);
    let mut rng = stream(seed, "test", 0);
    let mut current = Match::new(game.clone());
    let mut n = 0;
    while n < n_decisions {
        match current.phase() {
            Phase::Over => current = Match::new(game.clone()),
            Phase::Chance => current.sample_outcome(&mut rng).expect("chance acts"),
            Phase::Act(seats) => {
                let seat = seats.first();
                let mut action = current.game().random_action(current.state(), seat, &mut Vec::new(), &mut rng);
                if index(&mut rng, 2) == 0 {
                    n += 1;
                    let advice = advise(&current, n as u64);
                    look(&current, &advice);
                    action = advice.action;
                }
                current.play(seat, action).expect("the action is legal");
            }
        }
    }
}

#[test]
fn every_round_is_played() {
    for (nth, spec) in [
        "poker",
        "poker:heads-up=casino",
        "poker:chips=37,blind=4",
        "poker:chips=37,blind=4,heads-up=casino",
        "poker:chips=13,blind=6,rise=2",
        "poker:chips=7,blind=2",
        // Longer stacks, and three seats.
        "poker:chips=200,blind=10",
        "poker:players=3,chips=60",
    ]
    .iter()
    .enumerate()
    {
        play(spec, nth as u64, 250, |current, advice| {
            let Phase::Act(seats) = current.phase() else { panic!("a seat is to act") };
            assert!(current.game().is_legal(current.state(), seats.first(), advice.action));
            assert_eq!(advice.candidates[0].action, advice.action);
        });
    }
}

#[test]
fn strategies_are_drawn_from_and_nothing_is_given_up_for_free() {
    let mut n_drawn = 0;
    play("poker", 9, 200, |current, advice| {
        if advice.cost.simulations == 0 {
            n_drawn += 1;
            let sum: u64 = advice.candidates.iter().filter_map(|candidate| candidate.visits).sum();
            assert!((998..=1002).contains(&sum), "{advice:?}");
            assert!(advice.candidates[0].visits > Some(0), "{advice:?}");
        }
        let Phase::Act(seats) = current.phase() else { panic!("a seat is to act") };
        let legal = current.view(seats.first()).legal_actions();
        assert!(advice.action != Action::Fold || !legal.contains(&Action::Check));
    });
    assert_eq!(n_drawn, 200, "the default game is known");
}

#[test]
fn the_advice_is_the_same_for_all_states_that_the_seat_cannot_tell_apart() {
    for (spec, seed) in [("poker", 1), ("poker:heads-up=casino,chips=37,blind=4", 2), ("poker:players=3", 3)] {
        let mut rng = stream(seed, "others", 0);
        play(spec, seed, 40, |current, _| {
            let Phase::Act(seats) = current.phase() else { panic!("a seat is to act") };
            let seat = seats.first();
            let sees = |ply: &raichi_core::history::Ply| {
                (0..current.game().facts().n_seats).filter(|&seat| ply.seen_by(Viewer::Seat(seat))).collect::<SeatSet>()
            };
            let witnesses: Vec<SeatSet> = current.plies().iter().map(sees).collect();
            let other = current.view(seat).determinize(&mut rng);
            let view = SeatView::new(current.game(), &other, current.choices(), seat).with_witnesses(&witnesses);
            let theirs = decide(&mut BlueprintPlayer::new(), &view, Budget::simulations(20), 3);
            let again = advise(current, 3);
            assert_eq!((again.action, again.candidates), (theirs.action, theirs.candidates), "{spec}");
        });
    }
}

#[test]
fn a_round_whose_beginning_was_not_seen_is_played() {
    let start = begun::<Poker>("poker", "", "~As ~2c ~Ad ~7h call check ~2d ~9h ~Tc");
    let text = start.position_text(Viewer::Referee);
    let current = begun::<Poker>("poker", &text, "check");
    // By the strategies that look at the position alone.
    let advice = advise(&current, 1);
    assert_eq!(advice.cost.simulations, 0);
    let Phase::Act(seats) = current.phase() else { panic!("a seat is to act") };
    assert!(current.game().is_legal(current.state(), seats.first(), advice.action));
    assert!(advice.candidates.len() > 1, "{advice:?}");
}

#[test]
fn decisions_end_in_time() {
    let current = begun::<Poker>("poker", "", "~As ~2c ~Kd ~7h call check ~2d ~9h ~Tc check");
    let Phase::Act(seats) = current.phase() else { panic!("a seat is to act") };
    keeps_time::<Poker>(|| Box::new(BlueprintPlayer::new()), &current.view(seats.first()));
}
