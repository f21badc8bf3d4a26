//! Against exhaustion on small boards.

use std::collections::HashMap;

use raichi_core::random::{Rng, index, stream};

use super::board::{BLACK, Board, Cells, Stones, WHITE, each};
use super::connections::{Connections, Until};
use super::search::Search;

/// Whether `side`, to act, wins: by looking at everything.
fn wins(board: &Board, stones: &Stones, side: usize, known: &mut HashMap<(Stones, usize), bool>) -> bool {
    if board.has_won(stones[1 - side], 1 - side) {
        return false;
    }
    if let Some(&wins) = known.get(&(*stones, side)) {
        return wins;
    }
    let found = each(board.all & !(stones[0] | stones[1])).any(|cell| {
        let mut next = *stones;
        next[side] |= 1 << cell;
        board.has_won(next[side], side) || !wins(board, &next, 1 - side, known)
    });
    known.insert((*stones, side), found);
    found
}

/// Some stones of each side, in no order, none of which has joined its rims. Not so few that looking at everything
/// takes long.
fn random_stones(board: &Board, rng: &mut impl Rng) -> Stones {
    loop {
        let least = board.n_cells * 2 / 5;
        let n = least + index(rng, board.n_cells - least);
        let mut stones = [0, 0];
        for _ in 0..n {
            let bit: Cells = 1 << index(rng, board.n_cells);
            if (stones[0] | stones[1]) & bit == 0 {
                stones[index(rng, 2)] |= bit;
            }
        }
        if !(0..2).any(|side| board.has_won(stones[side], side)) {
            return stones;
        }
    }
}

/// The position in which all empty cells but `kept` are the other side's.
fn without(board: &Board, stones: &Stones, winner: usize, kept: Cells) -> Stones {
    let mut given = *stones;
    given[1 - winner] |= board.all & !(stones[0] | stones[1] | kept);
    given
}

#[test]
fn proofs_agree_with_exhaustion_and_need_no_more_cells_than_they_say() {
    for (size, n_positions) in [(3, 400), (4, 300)] {
        let board = Board::new(size);
        let (mut search, mut known) = (Search::new(size), HashMap::new());
        let mut rng = stream(size as u64, "hex proofs", 0);
        for _ in 0..n_positions {
            let stones = random_stones(&board, &mut rng);
            for side in [BLACK, WHITE] {
                let proof = search.prove(&stones, side, usize::MAX, &mut || false).unwrap();
                let won = wins(&board, &stones, side, &mut known);
                assert_eq!(proof.wins, won, "{stones:x?}, {side} to act");
                // The loser may have all other cells for nothing.
                let winner = if won { side } else { 1 - side };
                assert_eq!(proof.carrier & (stones[0] | stones[1]), 0, "{stones:x?}");
                let given = without(&board, &stones, winner, proof.carrier);
                assert_eq!(wins(&board, &given, side, &mut known), won, "{stones:x?}, carrier {:x}", proof.carrier);
            }
        }
    }
}

#[test]
fn filling_changes_no_value() {
    let board = Board::new(4);
    let mut known = HashMap::new();
    let mut rng = stream(1, "hex fill", 0);
    let mut n_filled = 0;
    for _ in 0..500 {
        let stones = random_stones(&board, &mut rng);
        let filled = board.filled(&stones);
        n_filled += u32::from(filled.captured != [0, 0]);
        for side in [BLACK, WHITE] {
            let before = wins(&board, &stones, side, &mut known);
            // Filled, a side may have joined its rims already.
            let after = match [0, 1].map(|side| board.has_won(filled.stones[side], side)) {
                [true, _] => side == BLACK,
                [_, true] => side == WHITE,
                _ => wins(&board, &filled.stones, side, &mut known),
            };
            assert_eq!(before, after, "{stones:x?} {filled:x?}, {side} to act");
        }
    }
    assert!(n_filled > 50, "only {n_filled} positions had captured cells");
}

#[test]
fn connections_hold_whatever_the_other_side_does() {
    let board = Board::new(4);
    let (mut connections, mut known) = (Connections::default(), HashMap::new());
    let mut rng = stream(2, "hex connections", 0);
    let (mut n_full, mut n_semi) = (0, 0);
    for _ in 0..500 {
        let stones = random_stones(&board, &mut rng);
        for side in [BLACK, WHITE] {
            connections.find(&board, &stones, side, Until::Full);
            for &carrier in connections.full_carriers() {
                let given = without(&board, &stones, side, carrier);
                assert!(!wins(&board, &given, 1 - side, &mut known), "{stones:x?} {side} {carrier:x}");
                n_full += 1;
            }
            for &carrier in connections.semi_carriers() {
                let given = without(&board, &stones, side, carrier);
                assert!(wins(&board, &given, side, &mut known), "{stones:x?} {side} {carrier:x}");
                n_semi += 1;
            }
        }
    }
    assert!(n_full > 100 && n_semi > 100, "{n_full} {n_semi}");
}

#[test]
fn a_bridge_and_the_template_of_the_third_row_are_found() {
    let board = Board::new(5);
    let mut connections = Connections::default();
    // Black on c3 is joined to both rims: by a template of the third row on either side.
    connections.find(&board, &[1 << 12, 0], BLACK, Until::Full);
    assert!(!connections.full_carriers().is_empty());
    // d2 is joined to the top by a bridge; White's stone on a5 leaves nothing of a join to the bottom.
    connections.find(&board, &[1 << 8, 1 << 20], BLACK, Until::Full);
    assert!(!connections.semi_carriers().is_empty());
}

#[test]
fn dead_and_captured_cells() {
    let board = Board::new(4);
    // White stones on a2, b2 and c1 leave b1 nothing to do; a1 is cut off with it.
    let filled = board.filled(&[0, 1 << 4 | 1 << 5 | 1 << 2]);
    let stones = filled.stones[0] | filled.stones[1];
    assert_eq!(stones & 0b11, 0b11);
    // Black on b2 captures b1 and c1, the two cells between it and the rim; then a1 and a2 are White's in the same way.
    let filled = board.filled(&[1 << 5, 0]);
    assert_eq!(filled.captured, [0b110, 0b1_0001]);
}

#[test]
fn work_is_given_up_when_asked_and_when_the_table_is_full() {
    use super::search::Stopped;
    let mut search = Search::new(7);
    assert_eq!(search.prove(&[1 << 7, 0], WHITE, usize::MAX, &mut || true), Err(Stopped::Asked));
    assert_eq!(search.prove(&[1 << 7, 0], WHITE, 1 << 14, &mut || false), Err(Stopped::Full));
    // What was found before is kept, and what is small enough is proven.
    assert!(!search.prove(&[1 << 24, 0], WHITE, usize::MAX, &mut || false).unwrap().wins);
}
