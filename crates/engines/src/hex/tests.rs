use raichi_core::game::Game;
use raichi_core::random::{index, stream};
use raichi_games::hex::Hex;

use super::{map_text, prove_openings, winning_openings};
use crate::drawn::Known;
use crate::playout_policy;
use crate::solved::{check_against_successors, nexts, patient};

#[test]
fn a_chain_of_bridges_is_nearly_won() {
    let known = Known::<Hex>::new("size=5");
    // Black's bridges from the top rim to the bottom one.
    let joined = known.value("5/3B1/5/2B2/WW3 1", 0);
    let apart = known.value("5/B4/5/4B/WW3 1", 0);
    assert!(joined > apart + 0.3, "{joined} {apart}");
}

#[test]
fn the_first_seat_s_position_turned_is_the_second_s() {
    let known = Known::<Hex>::new("size=4");
    // Mirrored at the long diagonal with the colours exchanged.
    let black = known.value("2B1/4/1B2/W3 0", 0);
    let white = known.value("3B/2W1/W3/4 1", 1);
    assert!((black - white).abs() < 1e-5, "{black} {white}");
}

#[test]
fn the_middle_is_looked_at_first_on_an_empty_board() {
    let known = Known::<Hex>::new("size=5");
    assert!(known.best("5/5/5/5/5 0").contains(&"c3".to_string()));
}

#[test]
fn an_intrusion_into_a_bridge_is_answered() {
    let known = Known::<Hex>::new("size=5");
    // The bridge of d2 and c4 goes through c3 and d3; White has come to d3.
    let state = known.position("5/3B1/3W1/2B2/5 0");
    let policy = playout_policy(&known.game).expect("Hex has a policy");
    let d3 = 2 * 5 + 3;
    for seed in 0..20 {
        let mut rng = stream(seed, "test", 0);
        let answer = policy.choose(&known.game, &state, 0, Some(d3), &mut Vec::new(), &mut rng);
        assert_eq!(answer, 2 * 5 + 2, "seed {seed}: c3 keeps the bridge");
    }
    assert!(known.best("5/3B1/3W1/2B2/5 0").contains(&"c3".to_string()));
    assert!(known.game.is_legal(&state, 0, 2 * 5 + 2));
}

#[test]
fn a_bridge_to_the_rim_is_kept() {
    let known = Known::<Hex>::new("size=5");
    // Black on c2 is joined to the top rim by c1 and d1; White has come to c1.
    let state = known.position("2W2/2B2/5/5/5 0");
    let policy = playout_policy(&known.game).expect("Hex has a policy");
    for seed in 0..20 {
        let mut rng = stream(seed, "test", 0);
        assert_eq!(policy.choose(&known.game, &state, 0, Some(2), &mut Vec::new(), &mut rng), 3, "seed {seed}");
    }
}

fn winners(game: &Hex) -> Vec<bool> {
    let solver = crate::solver(game).expect("Hex has a solver");
    let start = game.initial_state();
    let first = |next: &raichi_games::hex::State| solver.solve(next, &patient()).unwrap().values[0] > 0.0;
    nexts(game, &start).iter().map(first).collect()
}

#[test]
fn the_maps_of_small_boards_are_found_again() {
    for size in 2..=5 {
        let found = prove_openings(size, &patient(), &mut |_, _, _| {}).unwrap();
        assert_eq!(Some(found.as_slice()), winning_openings(size), "{size}");
    }
}

#[test]
#[ignore = "seconds for 6 × 6"]
fn nightly_the_map_of_6_by_6_is_found_again() {
    let found = prove_openings(6, &patient(), &mut |_, _, _| {}).unwrap();
    assert_eq!(Some(found.as_slice()), winning_openings(6));
}

#[test]
#[ignore = "minutes for 7 × 7"]
fn nightly_the_map_of_7_by_7_is_found_again() {
    let found = prove_openings(7, &patient(), &mut |_, _, _| {}).unwrap();
    assert_eq!(Some(found.as_slice()), winning_openings(7));
}

#[test]
fn maps_are_those_that_are_known() {
    // Half a turn changes nothing; the short diagonal wins from 2 × 2 to 7 × 7; the acute corner opposite loses.
    for size in 2..=7u8 {
        let map = winning_openings(size).expect("small boards have maps");
        let reversed: Vec<bool> = map.iter().rev().copied().collect();
        assert_eq!(map, reversed, "{size}");
        let n = usize::from(size);
        assert!((0..n).all(|row| map[row * n + n - 1 - row]), "{size}");
        assert!(!map[0], "{size}");
        assert_eq!(winners(&Hex::new(size, false)), map, "{size}");
    }
    assert_eq!(winning_openings(11), None);
    assert_eq!(map_text(2, winning_openings(2).unwrap()), "W B\n B W\n");
}

#[test]
fn the_empty_board_is_black_s_and_with_the_swap_white_s() {
    for size in [3, 6, 11, 19] {
        for (swap, winner) in [(false, 0), (true, 1)] {
            let game = Hex::new(size, swap);
            let solver = crate::solver(&game).unwrap();
            let exact = solver.solve(&game.initial_state(), &patient()).unwrap();
            assert_eq!(exact.values[winner], 1.0, "{size} {swap}");
        }
    }
}

#[test]
fn values_follow_from_those_after_them_and_so_with_the_swap() {
    for (size, swap) in [(3, false), (3, true), (4, false), (4, true)] {
        let game = Hex::new(size, swap);
        let solver = crate::solver(&game).unwrap();
        for seed in 0..30 {
            let mut rng = stream(seed, "hex values", 0);
            let mut state = game.initial_state();
            loop {
                check_against_successors(&game, &*solver, &state);
                let nexts = nexts(&game, &state);
                if nexts.is_empty() {
                    break;
                }
                state = nexts[index(&mut rng, nexts.len())];
            }
        }
    }
}

#[test]
fn large_boards_are_refused_with_a_sentence() {
    let game = Hex::new(11, false);
    let solver = crate::solver(&game).unwrap();
    let mut state = game.initial_state();
    game.apply(&mut state, 0, 0);
    let error = solver.solve(&state, &patient()).unwrap_err().to_string();
    assert!(error.contains("up to 8 cells along each side"), "{error}");
}
