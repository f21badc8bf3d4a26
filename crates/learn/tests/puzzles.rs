//! A puzzle is learned backwards from its goal, by value iteration over positions near it: the cube of size 2, turned a few times.

use std::sync::Arc;

use raichi_core::encoding::Encoding;
use raichi_core::erased::Playable;
use raichi_core::erased::create;
use raichi_core::game::{Game, Phase};
use raichi_core::path::PathGame;
use raichi_core::random::{FastRng, stream};
use raichi_games::rubiks_cube::{RubiksCube, State};
use raichi_games::tic_tac_toe::TicTacToe;
use raichi_learn::ntuple::{Config, NTupleLearner, OPTIONS};
use raichi_learn::{CancelFlag, Learned, Learner, Work};
use raichi_search::BareHost;
use raichi_search::options::Options;

/// What is unseen counts as far from the goal: otherwise what lies beyond the starts looks as good as the goal.
const VALUE_ITERATION: &str =
    "tuples=60x7,shape=points,rewards=score,output=linear,init=-12,epsilon=0,longest=1,alpha=0.1";

fn learner<G: Playable>(game: &Arc<PathGame<G>>, options: &str, n_games: u64) -> Result<NTupleLearner<G>, String> {
    let options = Options::parse("ntuple", OPTIONS, None, Some(options)).unwrap();
    NTupleLearner::new(game, Config::from_options(&options, &game.facts()).unwrap(), 1, n_games)
}

/// Whether the cube is solved by who takes what was learned to be best, within `n_plies`.
fn solves(game: &RubiksCube, learned: &dyn Learned<RubiksCube>, mut state: State, n_plies: usize) -> bool {
    let mut actions = Vec::new();
    game.legal_actions(&state, 0, &mut actions);
    let mut values = vec![0.0; actions.len()];
    for _ in 0..n_plies {
        if game.phase(&state) == Phase::Over {
            break;
        }
        learned.value_actions(game, &state, 0, &actions, &mut values);
        let best = (0..actions.len()).max_by(|&a, &b| values[a].total_cmp(&values[b])).unwrap();
        game.apply(&mut state, 0, actions[best]);
    }
    game.phase(&state) == Phase::Over && game.end_reason(&state) == "solved"
}

#[test]
fn a_cube_is_learned_backwards_from_the_solved_one() {
    const GAMES: u64 = 20_000;
    const SCRAMBLES: u64 = 200;
    let game = Arc::new(create::<RubiksCube>(None).unwrap());
    let options = format!("{VALUE_ITERATION},from-goal=13");
    let mut learner = learner(&game, &options, GAMES).unwrap();
    let share = |learner: &NTupleLearner<RubiksCube>| {
        let learned = learner.learned();
        let solved = (0..SCRAMBLES).filter(|&i| {
            let rng: &mut FastRng = &mut stream(2, "scrambles", i);
            solves(game.game(), &*learned, game.near_goal(3, rng).unwrap(), 3)
        });
        solved.count() as f64 / SCRAMBLES as f64
    };
    let before = share(&learner);
    learner.advance(GAMES, &Work { cancel: &CancelFlag::default(), host: &BareHost, n_threads: 1 });
    let after = share(&learner);
    println!("solved of three twists: {before} before, {after} after {GAMES} starts");
    assert!(before < 0.2 && after > 0.9, "{before} before, {after} after");
    assert_eq!(learner.progress().plies, GAMES, "each start is learned from once");
}

#[test]
fn only_games_with_a_goal_are_learned_from_it() {
    let why = learner(&Arc::new(PathGame::from(TicTacToe)), "from-goal=3", 1).err().unwrap();
    assert!(why.contains("no goal"), "{why}");
}

#[test]
fn options_that_would_be_passed_over_or_learn_nothing_are_refused() {
    let game = create::<RubiksCube>(None).unwrap();
    let refused = |text: &str| {
        let options = Options::parse("ntuple", OPTIONS, None, Some(text)).unwrap();
        Config::from_options(&options, &game.facts()).err()
    };
    assert_eq!(refused("from-goal=3,longest=1"), None);
    for (wrong, says) in [
        ("from-goal=3,random-plies=2", "leave one of them out"),
        ("longest=1", "at least 2"),
        ("from-goal=3,longest=1,method=q", "at least 2"),
        ("from-goal=3,longest=2,n-step=3", "at least 3"),
    ] {
        assert!(refused(wrong).is_some_and(|why| why.contains(says)), "{wrong}: {:?}", refused(wrong));
    }
}
