//! The solver of the cube by iterative deepening.

use raichi_core::Match;
use raichi_core::game::Phase;
use raichi_core::random::stream;
use raichi_engines::rubiks_cube::CubeIda;
use raichi_games::rubiks_cube::{RubiksCube, Twist};
use raichi_search::{Advice, Budget, Certainty};

use crate::common::{decide, game, keeps_time};

fn scrambled(spec: &str, seed: u64) -> Match<RubiksCube> {
    let mut current = Match::new(game::<RubiksCube>(spec));
    let mut rng = stream(seed, "scramble", 0);
    while current.phase() == Phase::Chance {
        current.sample_outcome(&mut rng).unwrap();
    }
    current
}

fn advise(session: &mut CubeIda, current: &Match<RubiksCube>, budget: Budget) -> Advice<Twist> {
    decide(session, &current.view(0), budget, 1)
}

/// Plays to the end; returns the payoff that was promised at the first twist and the one that came.
fn play(spec: &str, seed: u64, budget: Budget) -> (f64, f64) {
    let mut current = scrambled(spec, seed);
    let mut session = CubeIda::new(current.game());
    let mut promised = None;
    while current.phase() != Phase::Over {
        let advice = advise(&mut session, &current, budget);
        if advice.proven {
            promised.get_or_insert(advice.candidates[0].values[0]);
        }
        current.play(0, advice.action).expect("what is advised is legal");
    }
    (promised.unwrap_or(f64::NAN), current.payoffs()[0])
}

#[test]
fn size_2_is_solved_in_the_fewest_twists() {
    for (metric, most) in [("htm", 11.0), ("qtm", 14.0)] {
        for seed in 0..40 {
            let (promised, payoff) = play(&format!("rubiks-cube:scramble=40,metric={metric}"), seed, Budget::UNLIMITED);
            assert_eq!(promised, payoff);
            assert!((-most..=-1.0).contains(&payoff), "{metric} {seed}: {payoff}");
        }
    }
}

#[test]
fn size_3_is_solved_in_no_more_twists_than_it_was_scrambled_with() {
    for metric in ["htm", "qtm"] {
        for scramble in 1..=6 {
            for seed in 0..4 {
                let spec = format!("rubiks-cube:size=3,scramble={scramble},metric={metric}");
                let (promised, payoff) = play(&spec, seed, Budget::UNLIMITED);
                assert_eq!(promised, payoff);
                // A cube that the scramble has left solved is twisted away and back.
                assert!(payoff >= -f64::from(scramble.max(4)), "{spec} {seed}: {payoff}");
            }
        }
    }
}

#[test]
fn size_3_is_solved_from_anywhere() {
    for (metric, most) in [("htm", 26.0), ("qtm", 42.0)] {
        for seed in 0..2 {
            let spec = format!("rubiks-cube:size=3,scramble=60,limit=60,metric={metric}");
            let (_, payoff) = play(&spec, seed, Budget { nodes: Some(200_000), ..Budget::UNLIMITED });
            assert!(payoff >= -most, "{spec} {seed}: {payoff}");
        }
    }
}

#[test]
fn a_cube_beyond_the_limit_is_not_said_to_be_solved() {
    let current = scrambled("rubiks-cube:scramble=0,limit=1", 1);
    let advice = advise(&mut CubeIda::new(current.game()), &current, Budget::UNLIMITED);
    assert!(advice.proven);
    assert_eq!((advice.candidates[0].values[0], advice.candidates[0].certainty), (-2.0, Certainty::Exact));
    let (_, payoff) = play("rubiks-cube:scramble=0", 1, Budget::UNLIMITED);
    assert_eq!(payoff, -2.0);
    let far = scrambled("rubiks-cube:size=3,scramble=100", 1);
    let advice = advise(&mut CubeIda::new(far.game()), &far, Budget { nodes: Some(2_000), ..Budget::UNLIMITED });
    assert!(!advice.proven && advice.cost.nodes <= 2_001, "{advice:?}");
    assert_eq!(advice.candidates[0].certainty, Certainty::LowerBound);
}

#[test]
fn what_the_cap_does_not_leave_time_for_is_not_said_to_be_solved() {
    // The twists of the scramble count as plies.
    for seed in 0..20 {
        let (promised, payoff) = play("rubiks-cube:scramble=5,max-plies=8", seed, Budget::UNLIMITED);
        assert_eq!(promised, payoff, "seed {seed}");
    }
}

#[test]
fn decisions_end_in_time() {
    let far = scrambled("rubiks-cube:size=3,scramble=100", 1);
    keeps_time::<RubiksCube>(|| Box::new(CubeIda::new(far.game())), &far.view(0));
}
