//! Plain minimax against the exact values of trees of brackets.

use std::sync::Arc;

use raichi_core::Match;
use raichi_core::game::{Game, Phase};
use raichi_core::random::stream;
use raichi_core::toy::Toy;
use raichi_games::tic_tac_toe::TicTacToe;
use raichi_search::options::{OptionValue, Options};
use raichi_search::{Budget, Minimax};

use crate::common::{Half, decide, exact, random_tree};

fn options(depth: u64) -> Options {
    let mut options = Options::parse("minimax", raichi_search::minimax::OPTIONS, None, None).unwrap();
    options.give("depth", OptionValue::Int(depth));
    options.give("outcomes", OptionValue::Int(0));
    options
}

#[test]
fn random_trees_have_their_exact_values() {
    let mut compared = 0;
    for seed in 0..300 {
        let mut rng = stream(seed, "tree", 0);
        let (n_seats, chance) = (2 + seed as usize % 2, seed % 4 >= 2);
        let current = Match::new(Toy::new(&random_tree(&mut rng, n_seats, chance, 5)));
        let Phase::Act(seats) = current.phase() else { continue };
        let seat = seats.first();
        if current.legal_actions(seat).len() == 1 {
            continue;
        }
        let advice = decide(&mut Minimax::new(&options(0), None), &current.view(seat), Budget::UNLIMITED, &mut rng);
        assert!(advice.proven && advice.candidates[0].is_exact());
        // It ends when one is proven to pay the most there is; the others may be open then.
        for candidate in advice.candidates.iter().filter(|candidate| candidate.is_exact()) {
            let mut next = *current.state().position();
            current.game().game().apply(&mut next, seat, candidate.action);
            let expected = exact(current.game(), next);
            let close = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-9 * b.abs().max(1.0);
            assert!(candidate.values.iter().zip(&expected).all(close), "{:?} is {expected:?}", candidate.values);
        }
        compared += 1;
    }
    assert!(compared > 150, "{compared}");
}

#[test]
fn the_depth_is_kept_and_what_lies_beyond_is_estimated() {
    // One ply deep both lead on; the evaluator says ½, nothing is known without one.
    let current = Match::new(Toy::new("( [3 -5] [2 1] )"));
    for (evaluator, expected) in [(None, 0.0), (Some(Arc::new(Half) as Arc<_>), 0.5)] {
        let mut rng = stream(1, "test", 0);
        let mut search = Minimax::new(&options(1), evaluator);
        let advice = decide(&mut search, &current.view(0), Budget::UNLIMITED, &mut rng);
        assert_eq!(advice.values(), [expected, -expected]);
        assert_eq!((advice.proven, advice.cost.depth, advice.cost.nodes), (false, Some(1), 2));
    }
}

#[test]
fn tic_tac_toe_is_drawn_and_its_nodes_are_counted() {
    let mut current = Match::new(TicTacToe);
    current.play_history("a1 b2").unwrap();
    let mut search = Minimax::new(&options(0), None);
    let advice = decide(&mut search, &current.view(0), Budget::UNLIMITED, &mut stream(1, "test", 0));
    assert_eq!((advice.values(), advice.proven), (&[0.0, 0.0][..], true));
    assert_eq!(advice.line.len(), 7);
    // A budget of nodes is kept to the node.
    let mut search = Minimax::new(&options(0), None);
    let budget = Budget { nodes: Some(1000), ..Budget::UNLIMITED };
    let advice = decide(&mut search, &current.view(0), budget, &mut stream(1, "test", 0));
    assert_eq!((advice.cost.nodes, advice.proven), (1000, false));
}
