use raichi_core::game::Game;
use raichi_games::nim::{Nim, State};
use raichi_solve::Exact;

use super::{Complete, MAX_HEAPS, is_won, solver, sorted};
use crate::solved::{game, patient, position};

/// Compares the formula with exhaustion, in every position of the game.
fn compare(game: &Nim) -> usize {
    let complete: Complete<Nim, [u8; MAX_HEAPS]> = Complete::new(game, sorted);
    let mut pending: Vec<State> = vec![game.initial_state()];
    let mut seen = rustc_hash::FxHashSet::default();
    while let Some(state) = pending.pop() {
        if !seen.insert(sorted(game, &state)) {
            continue;
        }
        let exact = complete.solve(&state, &patient()).expect("there is time");
        let seat = state.to_act();
        assert_eq!(is_won(game, &state), exact.values[seat] > 0.0, "{game:?} {state:?}");
        let mut actions = Vec::new();
        game.legal_actions(&state, seat, &mut actions);
        pending.extend(actions.into_iter().map(|action| {
            let mut next = state;
            game.apply(&mut next, seat, action);
            next
        }));
    }
    seen.len()
}

#[test]
fn the_formula_agrees_with_exhaustion_for_every_limit_and_both_ends() {
    let mut n_positions = 0;
    for sizes in ["9/9/9", "7/6/5/4", "30", "12/11", "3/3/3/3/3"] {
        let largest: u32 = sizes.split('/').map(|size| size.parse::<u32>().unwrap()).max().unwrap();
        for max in 0..=largest {
            for misere in [false, true] {
                n_positions += compare(&game(&format!("sizes={sizes},max={max},misere={misere}")));
            }
        }
    }
    assert!(n_positions > 10_000, "only {n_positions} positions");
}

#[test]
#[ignore = "minutes: larger heaps and more of them"]
fn nightly_the_formula_agrees_with_exhaustion_for_more_heaps() {
    for sizes in ["25/24/23", "9/9/9/9", "5/5/5/5/5/5", "40/39", "2/2/2/2/2/2/2/2/2/2/2/2"] {
        let largest: u32 = sizes.split('/').map(|size| size.parse::<u32>().unwrap()).max().unwrap();
        for (max, misere) in (0..=largest).flat_map(|max| [(max, false), (max, true)]) {
            compare(&game(&format!("sizes={sizes},max={max},misere={misere}")));
        }
    }
}

fn exact(spec: &str, text: &str) -> Exact {
    let game: Nim = game(spec);
    solver(&game).unwrap().solve(&position(&game, text), &patient()).unwrap()
}

#[test]
fn known_positions() {
    // Bouton's 1, 2, 3; and without a limit 3, 4, 5 is won.
    assert_eq!(exact("sizes=1/2/3,max=0", "1/2/3 0").values.as_slice(), [-1.0, 1.0]);
    assert_eq!(exact("sizes=3/4/5,max=0", "3/4/5 0").values.as_slice(), [1.0, -1.0]);
    // Marienbad: the second seat wins, and takes care not to be left with the last.
    assert_eq!(exact("sizes=1/3/5/7,max=0,misere=true", "1/3/5/7 1").values.as_slice(), [1.0, -1.0]);
    // The largest game there is, for which no length is told.
    let largest = exact("heaps=12,size=255,max=0", "255/255/255/255/255/255/255/255/255/255/255/254 1");
    assert_eq!((largest.values.as_slice(), largest.plies), ([-1.0, 1.0].as_slice(), None));
}

#[test]
fn one_heap_lasts_two_plies_for_each_multiple() {
    // The loser takes as little or as much as it likes, the winner the rest of max + 1.
    for items in 1..=20u32 {
        let found = exact("sizes=20,max=3", &format!("{items} 0"));
        let expected = 2 * (items / 4) + u32::from(items % 4 != 0);
        assert_eq!(found.plies, Some(expected), "{items}");
    }
    assert_eq!(
        exact("sizes=20,max=3", "0 0"),
        Exact { plies: Some(0), ..Exact::of(raichi_core::game::Payoffs::win(1)) }
    );
}
