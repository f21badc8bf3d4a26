//! The last four empty cells, written out: most positions of a search are here.

use super::board::turned;

/// The score of a finished game: the discs' difference, empty cells to the winner.
#[inline]
pub(super) fn finished(own: u64, foes: u64, n_cells: i32) -> i32 {
    let (own, foes) = (own.count_ones() as i32, foes.count_ones() as i32);
    let empty = n_cells - own - foes;
    own - foes + empty * (own - foes).signum()
}

/// One empty cell, `own` to act.
#[inline]
fn one(own: u64, foes: u64, cell: u32, n_cells: i32) -> i32 {
    let n_own = own.count_ones() as i32;
    let mine = turned(cell, own, foes);
    if mine != 0 {
        return 2 * (n_own + 1 + mine.count_ones() as i32) - n_cells;
    }
    let theirs = turned(cell, foes, own);
    if theirs != 0 {
        return 2 * (n_own - theirs.count_ones() as i32) - n_cells;
    }
    finished(own, foes, n_cells)
}

#[inline]
fn two(own: u64, foes: u64, cells: [u32; 2], beta: i32, n_cells: i32, nodes: &mut u64) -> i32 {
    *nodes += 1;
    let mut best = i32::MIN;
    for (cell, last) in [(cells[0], cells[1]), (cells[1], cells[0])] {
        let turned = turned(cell, own, foes);
        if turned != 0 {
            *nodes += 1;
            best = best.max(-one(foes ^ turned, own | turned | 1 << cell, last, n_cells));
            if best >= beta {
                return best;
            }
        }
    }
    if best > i32::MIN {
        return best;
    }
    // The other seat, if it can.
    let mut worst = i32::MAX;
    for (cell, last) in [(cells[0], cells[1]), (cells[1], cells[0])] {
        let turned = turned(cell, foes, own);
        if turned != 0 {
            *nodes += 1;
            worst = worst.min(one(own ^ turned, foes | turned | 1 << cell, last, n_cells));
            if worst < beta {
                return worst;
            }
        }
    }
    if worst < i32::MAX { worst } else { finished(own, foes, n_cells) }
}

fn three(own: u64, foes: u64, cells: [u32; 3], beta: i32, n_cells: i32, nodes: &mut u64, passed: bool) -> i32 {
    *nodes += 1;
    let [a, b, c] = cells;
    let mut best = i32::MIN;
    for (cell, left) in [(a, [b, c]), (b, [a, c]), (c, [a, b])] {
        let turned = turned(cell, own, foes);
        if turned != 0 {
            best = best.max(-two(foes ^ turned, own | turned | 1 << cell, left, 1 - beta, n_cells, nodes));
            if best >= beta {
                return best;
            }
        }
    }
    match best {
        i32::MIN if passed => finished(own, foes, n_cells),
        i32::MIN => -three(foes, own, cells, 1 - beta, n_cells, nodes, true),
        _ => best,
    }
}

/// A bound of the score on the same side of `beta`; the cells in the order in which they are tried.
pub(super) fn four(
    own: u64,
    foes: u64,
    cells: [u32; 4],
    beta: i32,
    n_cells: i32,
    nodes: &mut u64,
    passed: bool,
) -> i32 {
    *nodes += 1;
    let [a, b, c, d] = cells;
    let mut best = i32::MIN;
    // Of a pair that lies together the other one comes first then.
    for (cell, left) in [(a, [b, c, d]), (b, [a, c, d]), (c, [d, a, b]), (d, [c, a, b])] {
        let turned = turned(cell, own, foes);
        if turned != 0 {
            best = best.max(-three(foes ^ turned, own | turned | 1 << cell, left, 1 - beta, n_cells, nodes, false));
            if best >= beta {
                return best;
            }
        }
    }
    match best {
        i32::MIN if passed => finished(own, foes, n_cells),
        i32::MIN => -four(foes, own, cells, 1 - beta, n_cells, nodes, true),
        _ => best,
    }
}
