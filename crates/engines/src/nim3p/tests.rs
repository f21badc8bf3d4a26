use raichi_core::game::{Game, Payoffs};
use raichi_core::random::{index, stream};
use raichi_games::nim3p::Nim3P;
use raichi_solve::Solver;
use raichi_solve::backward::Ties;
use raichi_solve::exhaustive::Exhaustive;

use super::{n_arrangements, solver_with};
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

// As docs/truths.md has it.
#[test]
fn values_of_some_starts() {
    const FIRST: [f64; 3] = [1.0, 0.2, 0.0];
    const SECOND: [f64; 3] = [0.0, 1.0, 0.2];
    for (spec, by_ties) in [
        ("", [FIRST; 3]),
        ("extra=false", [[0.45, 0.3, 0.25], [0.0, 0.714_286, 0.285_714], [0.0, 0.767_857, 0.232_143]]),
        ("heaps=3,size=10", [FIRST; 3]),
        ("heaps=4,size=7", [SECOND; 3]),
        (
            "heaps=4,size=7,extra=false",
            [[0.445_294, 0.304_706, 0.25], [0.0, 0.722_671, 0.277_329], [0.0, 0.798_032, 0.201_968]],
        ),
    ] {
        let game: Nim3P = game(spec);
        for (ties, expected) in [Ties::Shared, Ties::InFavourOf(0), Ties::Against(0)].into_iter().zip(by_ties) {
            let values = solver_with(&game, ties).solve(&game.initial_state(), &patient()).unwrap().values;
            let near = (0..3).all(|seat| (values[seat] - expected[seat]).abs() < 6e-7);
            assert!(near, "nim3p:{spec} {ties:?}: {values:?}");
        }
    }
}

/// The positions of up to three heaps of at most five, heaps in order, and whether their values are the same however ties
/// are read; where they are not, seats that do not care decide who wins.
fn decided(extra: bool) -> Vec<(String, bool)> {
    let game: Nim3P = game(&format!("extra={extra}"));
    let readings = [0, 1, 2].into_iter().flat_map(|seat| [Ties::InFavourOf(seat), Ties::Against(seat)]);
    let solvers: Vec<_> = readings.chain([Ties::Shared]).map(|ties| solver_with(&game, ties)).collect();
    let sizes =
        (0..=5u8).flat_map(|one| (one..=5).flat_map(move |two| (two.max(1)..=5).map(move |three| [one, two, three])));
    let decided = |[one, two, three]: [u8; 3]| {
        let state = position(&game, &format!("{one}/{two}/{three} 0"));
        let values: Vec<Payoffs> =
            solvers.iter().map(|solver| solver.solve(&state, &patient()).unwrap().values).collect();
        let as_first = |other: &Payoffs| (0..3).all(|seat| (other[seat] - values[0][seat]).abs() < 1e-9);
        let heaps: Vec<String> = [one, two, three].iter().filter(|&&n| n > 0).map(u8::to_string).collect();
        (heaps.join("/"), values.iter().all(as_first))
    };
    sizes.map(decided).collect()
}

/// What the extra is for: with it nobody is left to a seat that does not care; without it most positions are.
#[test]
fn the_extra_settles_all_positions_and_without_it_few_are_settled() {
    assert!(decided(true).iter().all(|(_, decided)| *decided));
    let without = decided(false);
    let settled: Vec<&str> = without.iter().filter(|(_, decided)| *decided).map(|(heaps, _)| heaps.as_str()).collect();
    assert_eq!(settled.join(" "), "1 1/1 1/2 1/3 1/4 1/5 1/1/1 1/1/2 1/1/3 1/1/4 1/1/5");
    assert_eq!(without.len(), 55);
}

#[test]
fn all_is_looked_at_before_play_only_where_that_takes_seconds() {
    // Two heaps in order, the smaller of up to 3 and the larger of up to 5: 6 + 5 + 4 + 3.
    assert_eq!((n_arrangements(&[5, 3]), n_arrangements(&[3, 5]), n_arrangements(&[7])), (18, 18, 8));
    assert_eq!(n_arrangements(&[20; 8]), 3_108_105);
    let is_immediate = |spec: &str| solver_with(&game(spec), Ties::Shared).is_immediate();
    assert!(is_immediate("") && is_immediate("heaps=5,size=12"));
    assert!(!is_immediate("heaps=8,size=20") && !is_immediate("heaps=12,size=255"));
}
