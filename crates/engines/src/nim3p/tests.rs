use raichi_core::game::{Game, Payoffs};
use raichi_core::random::{index, stream};
use raichi_games::nim3p::Nim3P;
use raichi_solve::Solver;
use raichi_solve::backward::Ties;
use raichi_solve::exhaustive::Exhaustive;

use super::solver_with;
use crate::solved::{game, nexts, patient, position};

#[test]
fn sorted_heaps_have_the_values_of_plain_induction() {
    for spec in ["", "extra=false", "sizes=1/2/3/4", "sizes=7/6/2,extra=false", "sizes=9/8"] {
        let game: Nim3P = game(spec);
        for ties in [Ties::Shared, Ties::InFavourOf(0), Ties::Against(0), Ties::InFavourOf(2), Ties::Against(1)] {
            let (ours, plain) = (solver_with(&game, ties), Exhaustive::backward(game.clone(), ties));
            for seed in 0..20 {
                let mut rng = stream(seed, "nim3p", 0);
                let mut state = game.initial_state();
                loop {
                    let [one, other] = [
                        ours.solve(&state, &patient()).unwrap().values,
                        plain.solve(&state, &patient()).unwrap().values,
                    ];
                    let near = (0..3).all(|seat| (one[seat] - other[seat]).abs() < 1e-9);
                    assert!(near, "{spec} {ties:?} {state:?}: {one:?} {other:?}");
                    let nexts = nexts(&game, &state);
                    if nexts.is_empty() {
                        break;
                    }
                    state = nexts[index(&mut rng, nexts.len())];
                }
            }
        }
    }
}

fn values(spec: &str, text: &str, ties: Ties) -> Payoffs {
    let game: Nim3P = game(spec);
    solver_with(&game, ties).solve(&position(&game, text), &patient()).unwrap().values
}

#[test]
fn positions_worked_out_by_hand() {
    // One item: the seat that takes it lets the next one win.
    assert_eq!(values("sizes=1", "1 0", Ties::Shared).as_slice(), [0.0, 1.0, 0.2]);
    // Two: taking both gives the next seat the win, and oneself nothing; taking one leaves the next seat with one,
    // whose taker gets nothing, the seat after it wins, and the one after that, which is oneself, gets the extra.
    assert_eq!(values("sizes=2", "2 0", Ties::Shared).as_slice(), [0.2, 0.0, 1.0]);
    // Without the extra both are equal for seat 0: how a tie is broken decides between seats 1 and 2.
    let two = |ties| values("sizes=2,extra=false", "2 0", ties);
    assert_eq!(two(Ties::Shared).as_slice(), [0.0, 0.5, 0.5]);
    assert_eq!(two(Ties::InFavourOf(1)).as_slice(), [0.0, 1.0, 0.0]);
    assert_eq!(two(Ties::Against(1)).as_slice(), [0.0, 0.0, 1.0]);
}

#[test]
#[ignore = "prints what docs/truths.md says of Nim3P: --nocapture"]
fn nightly_values_of_some_starts() {
    for spec in ["", "extra=false", "heaps=3,size=10", "heaps=4,size=7", "heaps=4,size=7,extra=false", "sizes=3/4/5"] {
        let game: Nim3P = game(spec);
        for ties in [Ties::Shared, Ties::InFavourOf(0), Ties::Against(0)] {
            let solver = solver_with(&game, ties);
            let exact = solver.solve(&game.initial_state(), &patient()).unwrap();
            println!("nim3p:{spec} {ties:?}: {:?}, {:?}", exact.values.as_slice(), solver.statistics());
        }
    }
}
