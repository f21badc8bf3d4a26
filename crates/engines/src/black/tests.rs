use std::collections::HashMap;

use raichi_core::Notation;
use raichi_core::game::{Game, Phase};
use raichi_games::black::{Black, State};
use raichi_search::Evaluator;

use super::{Hand, Tunable, cover, solver};
use crate::solved::{nexts, patient};

// Whether the seat to act wins, by exhaustive search; every position that it looked at is kept. On small boards all
// positions are looked at, on larger ones no more than it takes to know.
fn wins(game: &Black, state: &State, known: &mut HashMap<State, bool>) -> bool {
    if let Some(&wins) = known.get(state) {
        return wins;
    }
    let Phase::Act(seats) = game.phase(state) else { unreachable!("asked of open positions") };
    let seat = seats.first();
    let mut actions = Vec::new();
    game.legal_actions(state, seat, &mut actions);
    let mut found = false;
    for action in actions {
        let mut next = *state;
        game.apply(&mut next, seat, action);
        let (rows, columns) = game.sides();
        if found && rows * columns > 20 {
            break;
        }
        found |= match game.phase(&next) {
            Phase::Over => game.payoffs(&next)[seat] > 0.0,
            _ => !wins(game, &next, known),
        };
    }
    known.insert(*state, found);
    found
}

#[test]
fn what_is_called_won_or_lost_is_so() {
    let mut n_settled = 0;
    for (rows, columns) in [(2, 2), (2, 3), (3, 2), (3, 3), (3, 4), (4, 3), (4, 4), (2, 7), (3, 5)] {
        let game = Black::new(rows, columns);
        let hand = Hand::new(&game).unwrap();
        let mut known = HashMap::new();
        wins(&game, &game.initial_state(), &mut known);
        for (state, &wins) in &known {
            let Phase::Act(seats) = game.phase(state) else { unreachable!("only open positions are kept") };
            let value = hand.value(&game, state, seats.first());
            if value.abs() > 0.9 {
                assert_eq!(value > 0.0, wins, "{rows} × {columns}: {state:?}");
                n_settled += 1;
            }
        }
    }
    assert!(n_settled > 1000, "only {n_settled} positions are settled");
}

// Every position of boards with few cells has the length that following all actions gives.
#[test]
fn wins_are_as_short_as_can_be_where_few_cells_are_empty() {
    fn plies(game: &Black, state: &State, known: &mut HashMap<State, (usize, u32)>) -> (usize, u32) {
        let Phase::Act(seats) = game.phase(state) else {
            return (usize::from(game.payoffs(state)[1] > 0.0), 0);
        };
        if let Some(&end) = known.get(state) {
            return end;
        }
        let ends: Vec<_> = nexts(game, state).iter().map(|next| plies(game, next, known)).collect();
        let seat = seats.first();
        let won = ends.iter().filter(|end| end.0 == seat).map(|end| end.1).min();
        let lost = ends.iter().map(|end| end.1).max().expect("an action is legal");
        let end = won.map_or((1 - seat, lost + 1), |won| (seat, won + 1));
        known.insert(*state, end);
        end
    }
    for (rows, columns, n_plies) in [(4, 4, 16), (2, 8, 10), (3, 5, 0)] {
        let game = Black::new(rows, columns);
        let (solver, mut known) = (solver(&game).unwrap(), HashMap::new());
        let start = plies(&game, &game.initial_state(), &mut known);
        assert!(n_plies == 0 || start.1 == n_plies, "{rows} × {columns}: {start:?}");
        for (state, (winner, plies)) in known {
            let exact = solver.solve(&state, &patient()).unwrap();
            assert_eq!((exact.values[winner], exact.plies), (1.0, Some(plies)), "{rows} × {columns}: {state:?}");
        }
    }
}

// Boards with an odd side are settled after the first two plies at the latest.
#[test]
fn large_boards_with_an_odd_side_are_settled_at_once() {
    for (rows, columns, winner) in [(9, 8, 1), (8, 11, 1), (9, 9, 0), (15, 7, 0), (15, 16, 1)] {
        let game = Black::new(rows, columns);
        let hand = Hand::new(&game).unwrap();
        let mut state = game.initial_state();
        let mut actions = Vec::new();
        game.legal_actions(&state, 0, &mut actions);
        game.apply(&mut state, 0, actions[0]);
        assert!(hand.value(&game, &state, winner) > 0.9, "{rows} × {columns}");
    }
}

// On a board of even and odd sides alike; the exception is a side of two beside an even one.
fn winner(rows: u8, columns: u8) -> usize {
    let (short, long) = (rows.min(columns), rows.max(columns));
    let first = rows % 2 * (columns % 2) == 1 || short == 2 && long % 2 == 0;
    usize::from(!first)
}

#[test]
fn every_board_to_16_by_16_is_solved_at_its_start() {
    for (rows, columns) in (2..=16).flat_map(|rows| (2..=16).map(move |columns| (rows, columns))) {
        let game = Black::new(rows, columns);
        let solver = solver(&game).unwrap();
        let exact = solver.solve(&game.initial_state(), &patient()).unwrap();
        assert_eq!(exact.values[winner(rows, columns)], 1.0, "{rows} × {columns}");
        let n_nodes = solver.statistics().nodes;
        assert!(n_nodes < 5_000, "{rows} × {columns} took {n_nodes} nodes");
    }
}

/// Compares what dominoes say with exhaustion, in every position of a board.
fn compare(rows: u8, columns: u8) -> usize {
    let game = Black::new(rows, columns);
    let mut known = HashMap::new();
    let first = wins(&game, &game.initial_state(), &mut known);
    assert_eq!(first, winner(rows, columns) == 0, "{rows} × {columns}");
    let solver = solver(&game).unwrap();
    let mut n_covered = 0;
    for (state, &wins) in &known {
        let winner = if wins { state.to_act() } else { 1 - state.to_act() };
        if let Some(cover) = cover(&game, state) {
            assert_eq!(cover.winner, winner, "{rows} × {columns}: {state:?}");
            n_covered += 1;
        }
        let exact = solver.solve(state, &patient()).unwrap();
        assert_eq!(exact.values[winner], 1.0, "{rows} × {columns}: {state:?}");
    }
    n_covered
}

#[test]
fn dominoes_and_exhaustion_agree_in_every_position() {
    let mut n_covered = 0;
    for (rows, columns) in [(2, 2), (2, 3), (3, 2), (3, 3), (2, 4), (4, 2), (3, 4), (4, 3), (4, 4), (2, 6), (6, 2)] {
        n_covered += compare(rows, columns);
    }
    assert!(n_covered > 500, "only {n_covered} positions are settled by dominoes");
}

#[test]
#[ignore = "seconds: exhaustion to 6 × 6"]
fn nightly_dominoes_and_exhaustion_agree_to_6_by_6() {
    for (rows, columns) in (2..=6).flat_map(|rows| (2..=6).map(move |columns| (rows, columns))) {
        compare(rows, columns);
    }
}

#[test]
fn the_strategy_wins_against_every_defence() {
    for (rows, columns) in [(4, 4), (5, 5), (4, 5), (4, 6)] {
        let game = Black::new(rows, columns);
        let mut pending = vec![game.initial_state()];
        let mut followed = 0;
        while let Some(state) = pending.pop() {
            let Phase::Act(_) = game.phase(&state) else {
                assert_eq!(game.payoffs(&state)[winner(rows, columns)], 1.0, "{state:?}");
                continue;
            };
            let mut nexts = crate::solved::nexts(&game, &state);
            if let Some(cover) = cover(&game, &state).filter(|cover| cover.winner == state.to_act()) {
                // A link of the first pair is followed: the path comes to the other cell of it.
                let [one, other] = cover.pairs[0].cells;
                let to = if state.next_cell() == one { other } else { one };
                nexts.retain(|next| game.phase(next) != Phase::Over && next.next_cell() == to);
                assert!(!nexts.is_empty(), "{state:?}");
                followed += 1;
            } else if state.to_act() == winner(rows, columns) {
                // At the lower right cell, or before a split domino is made.
                let solver = solver(&game).unwrap();
                nexts.retain(|next| solver.solve(next, &patient()).unwrap().values[state.to_act()] > 0.0);
                nexts.truncate(1);
            }
            pending.extend(nexts);
        }
        assert!(followed > 5);
    }
}

#[test]
fn pairs_are_dominoes_and_split_dominoes() {
    let game = Black::new(4, 4);
    // b1 is turned down into b2, and b2 is marked straight: its free line joins a2 and c2.
    let state = crate::solved::position(&game, "xb2/1x2/4/4 1");
    let cover = cover(&game, &state).unwrap();
    assert_eq!((cover.winner, cover.pairs.len()), (1, 6));
    let mut cells: Vec<u8> = cover.pairs.iter().flat_map(|pair| pair.cells).collect();
    cells.sort_unstable();
    let empty: Vec<u8> = (0..4u8)
        .flat_map(|row| (0..4u8).map(move |column| row << 4 | column))
        .filter(|&cell| state.tile(cell).is_none() && cell != 0x33)
        .collect();
    assert_eq!(cells, empty);
    let split: Vec<&super::Pair> = cover.pairs.iter().filter(|pair| !pair.through.is_empty()).collect();
    assert_eq!(split.len(), 1);
    assert_eq!((split[0].cells, &split[0].through[..]), ([0x10, 0x12], [0x11].as_slice()));
}

/// Berlekamp's dominoes on five by five after the first tile, and the split one on four by four.
#[test]
fn dominoes_are_told_as_pairs_of_cells_beside_each_other_or_joined_by_marked_ones() {
    let game = Black::new(5, 5);
    let state = after(&game, &["a1x"]);
    let reason = solver(&game).unwrap().reason(&state).unwrap();
    assert!(reason.text.starts_with("Blue wins: wherever Orange leads the path"), "{}", reason.text);
    // Orange has to mark b1; the others but the goal are in dominoes.
    let mut cells: Vec<&String> = reason.joined.iter().flatten().collect();
    cells.sort();
    cells.dedup();
    assert_eq!((reason.joined.len(), cells.len()), (11, 22));
    assert!(reason.joined.iter().all(|pair| pair.len() == 2));

    let game = Black::new(4, 4);
    let state = after(&game, &["a1x", "b1\\", "b2x"]);
    let reason = solver(&game).unwrap().reason(&state).unwrap();
    assert!(reason.text.starts_with("Orange wins: it leads the path from b3 to the other half"), "{}", reason.text);
    assert!(reason.text.contains("split domino"), "{}", reason.text);
    let split: Vec<_> = reason.joined.iter().filter(|way| way.len() > 2).collect();
    assert_eq!(split, [&["a2", "b2", "c2"]]);
    assert_eq!(reason.joined.len(), 6);
}

fn after(game: &Black, plies: &[&str]) -> State {
    let mut state = game.initial_state();
    for (ply, text) in plies.iter().enumerate() {
        let action = game.parse_action(&state, ply % 2, text).unwrap();
        game.apply(&mut state, ply % 2, action);
    }
    state
}
