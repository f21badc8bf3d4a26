use raichi_core::Notation;
use raichi_core::game::{Game, Phase};
use raichi_core::random::{index, stream};
use raichi_games::othello::{Othello, State};
use raichi_search::Evaluator;

use super::*;
use crate::unlimited::unlimited;

fn shipped() -> &'static Arc<Patterns> {
    super::shipped().expect("weights come with the engine")
}

/// The positions of a game of random play that are not over.
fn random_game(seed: u64) -> Vec<State> {
    let game = Othello::new(8);
    let mut rng = stream(seed, "patterns", 0);
    let mut state = game.initial_state();
    let (mut states, mut actions) = (Vec::new(), Vec::new());
    while game.phase(&state) != Phase::Over {
        states.push(state);
        actions.clear();
        game.legal_actions(&state, state.to_act(), &mut actions);
        let seat = state.to_act();
        game.apply(&mut state, seat, actions[index(&mut rng, actions.len())]);
    }
    states
}

fn discs(state: &State) -> [u64; 2] {
    state.own_and_foes().map(|cells| cells as u64)
}

#[test]
fn numbers_are_what_lies_in_the_places_cell_by_cell() {
    let places: Vec<_> = shapes::all_places();
    assert_eq!(places.len(), N_PLACES);
    for state in (0..10).flat_map(random_game) {
        let [own, foes] = discs(&state);
        let numbers = SHAPES.numbers(Portable, own, foes);
        for (place, cells) in places.iter().enumerate() {
            let digit = |&(column, row): &(usize, usize)| {
                let cell = 8 * row + column;
                (own >> cell & 1) as usize + 2 * (foes >> cell & 1) as usize
            };
            let number = cells.iter().rev().fold(0, |number, cell| 3 * number + digit(cell));
            assert_eq!(usize::from(numbers.at(place)), number, "place {place} of {own:x} {foes:x}");
        }
    }
}

#[test]
fn every_cell_lies_in_several_places() {
    for cell in (0..8).flat_map(|row| (0..8).map(move |column| (column, row))) {
        let n = shapes::all_places().iter().filter(|cells| cells.contains(&cell)).count();
        assert!(n >= 4, "{cell:?} lies in {n} places");
    }
}

#[test]
fn symmetric_positions_have_the_same_weights_and_the_same_score() {
    let game = Othello::new(8);
    for state in (0..20).flat_map(random_game) {
        let of = |state: &State| {
            let [own, foes] = discs(state);
            let mut weights = active(own, foes);
            weights.sort_unstable();
            (weights, shipped().score(own, foes, state.placements() as u64))
        };
        for symmetry in 1..game.n_symmetries() {
            assert_eq!(of(&game.map_state(symmetry, &state)), of(&state));
        }
    }
}

#[test]
fn weights_are_added_up_as_they_are_learned() {
    // Each phase's weights are their own numbers, so that a sum tells which ones were added.
    let mut patterns = Patterns::new();
    let weights: Vec<i16> = (0..n_weights()).map(|i| (i * 37 % 251) as i16 - 125).collect();
    for phase in 0..N_PHASES {
        let turned: Vec<i16> = weights.iter().cycle().skip(1000 * phase).take(weights.len()).copied().collect();
        patterns.set_phase(phase, &turned, 1);
    }
    for state in (20..30).flat_map(random_game) {
        let [own, foes] = discs(&state);
        let first = 1000 * phase_of((own | foes).count_ones());
        let sum: i32 =
            active(own, foes).iter().map(|&i| i32::from(weights[(i as usize + first) % weights.len()])).sum();
        assert_eq!(patterns.score(own, foes, state.placements() as u64), sum);
    }
}

#[test]
fn what_is_written_reads_back_and_what_is_damaged_does_not() {
    let bytes = shipped().to_bytes();
    assert_eq!(bytes, include_bytes!("weights.bin"));
    assert_eq!(Patterns::from_bytes(&bytes).map(|read| read.to_bytes()), Ok(bytes.clone()));
    assert!(of_file(&[]).is_none());
    let error = |bytes: &[u8]| Patterns::from_bytes(bytes).err();
    assert_eq!(error(&[]), Some(FileError::Unknown));
    assert_eq!(error(b"othello0"), Some(FileError::Unknown));
    assert_eq!(error(&bytes[..8]), Some(FileError::Damaged));
    assert_eq!(error(&bytes[..bytes.len() - 1]), Some(FileError::Damaged));
    assert_eq!(error(&[&bytes[..], &[0]].concat()), Some(FileError::Damaged));
    for at in [8, 9, 1000, bytes.len() / 2, bytes.len() - 9, bytes.len() - 1] {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1;
        assert_eq!(error(&damaged), Some(FileError::Damaged), "byte {at}");
    }
}

#[test]
fn a_sum_is_worth_the_same_from_the_table_and_beyond_it() {
    for phase in &shipped().phases {
        for sum in [-9000, -TABLED - 1, -TABLED, -1, 0, 1, 777, TABLED - 1, TABLED, 9000] {
            let expected = squash(sum as f32 / f32::from(phase.scale));
            assert_eq!(phase.value(sum).to_bits(), expected.to_bits(), "{sum}");
        }
    }
}

#[test]
fn a_search_of_the_patterns_is_plain_minimax() {
    fn plain(own: u64, foes: u64, depth: u32) -> i32 {
        let empty = !(own | foes);
        let cells = placements(own, foes, empty);
        if cells == 0 {
            if placements(foes, own, empty) != 0 {
                return -plain(foes, own, depth);
            }
            let (own, foes) = (own.count_ones() as i32, foes.count_ones() as i32);
            return (own - foes + (64 - own - foes) * (own - foes).signum()) * PER_DISC;
        }
        if depth == 0 {
            return shipped().score(own, foes, cells);
        }
        let after = |cell: u32| {
            let turned = raichi_games::othello::lines::turned(cell, own, foes);
            -plain(foes ^ turned, own | turned | 1 << cell, depth - 1)
        };
        crate::othello::board::ones(cells).map(after).max().expect("there is a placement")
    }
    for state in (40..44).flat_map(random_game).step_by(3) {
        let [own, foes] = discs(&state);
        for depth in 0..=3 {
            let found = search(shipped(), own, foes, depth, -100 * PER_DISC, 100 * PER_DISC, &mut 0);
            assert_eq!(found, plain(own, foes, depth));
        }
    }
}

/// The share of exactly solved positions whose winner an evaluator tells, and the mean squared error of its values as payoffs.
fn errors(evaluator: &dyn Evaluator<Othello>, solved: &[(State, f32)]) -> (f32, f32) {
    let game = Othello::new(8);
    let n = solved.len() as f32;
    let values: Vec<f32> = solved.iter().map(|(state, _)| evaluator.value(&game, state, state.to_act())).collect();
    let n_right = values.iter().zip(solved).filter(|(value, (_, score))| **value * score > 0.0).count();
    let squares = values.iter().zip(solved).map(|(value, (_, score))| (value - score.signum()).powi(2));
    (n_right as f32 / n, squares.sum::<f32>() / n)
}

#[test]
fn it_is_far_better_than_the_hand_made_one_on_positions_that_are_solved() {
    let game = Othello::new(8);
    let solver = crate::solver(&game).expect("8×8 is known");
    let positions = (1000..1400).filter_map(|seed| {
        let wanted = 10 + seed as u32 % 3;
        let mut states = random_game(seed).into_iter();
        states.find(|state| {
            state.placements() != 0 && 64 - discs(state).map(u64::count_ones).iter().sum::<u32>() == wanted
        })
    });
    let solved: Vec<(State, f32)> = positions
        .map(|state| {
            let exact = unlimited(|work| solver.solve(&state, work)).expect("there is time");
            (state, exact.score.expect("there is a score") as f32)
        })
        .filter(|&(_, score)| score != 0.0)
        .collect();
    assert!(solved.len() > 300);
    let squares = solved.iter().map(|(state, score)| {
        let [own, foes] = discs(state);
        let found = shipped().score(own, foes, state.placements() as u64) as f32 / PER_DISC as f32;
        (found - score).powi(2)
    });
    let error = (squares.sum::<f32>() / solved.len() as f32).sqrt();
    let hand = crate::hand(&game).expect("there is one");
    let (right, squared) = errors(&**shipped(), &solved);
    let (right_by_hand, squared_by_hand) = errors(&*hand, &solved);
    println!(
        "error {error} discs; right {right}, {right_by_hand} by hand; squared {squared}, {squared_by_hand} by hand"
    );
    // 9.0 discs; 0.874 and 0.748 of the winners; 0.320 and 0.676.
    assert!(error < 10.0);
    assert!(right > right_by_hand + 0.08);
    assert!(squared < 0.6 * squared_by_hand);
}

#[test]
fn seats_are_alike_and_other_sizes_are_not_known() {
    let game = Othello::new(8);
    let position = |text: &str| game.parse_position(text).expect("it is a position").state;
    let black = position("8/2X5/3X4/3OX3/3XO3/4O3/8/8 0");
    let white = position("8/2O5/3O4/3XO3/3OX3/4X3/8/8 1");
    let learned = crate::learned(&game).expect("8×8 is known");
    assert_eq!(learned.value(&game, &black, 0), learned.value(&game, &white, 1));
    assert_eq!(learned.value(&game, &black, 0), -learned.value(&game, &black, 1));
    for size in [4, 6, 10] {
        assert!(crate::learned(&Othello::new(size)).is_none());
    }
}
