//! Bounds of the score from a strategy that a seat can follow to the end, without any search.
//!
//! *Follow up*: answer each stone by one on top of it; where there is no room on top, by one in another column with an odd number
//! of empty cells. A seat can do so if the number of empty cells is even and the other one is to act: the columns with an even
//! number keep one after each answer, and the others together have an even number too. With an odd number it can begin in one of
//! the others, if it is to act. It gets every upper cell of the even columns (V. Allis, *A Knowledge-Based Approach of
//! Connect-Four*, 1988: *claimeven*). If the other seat has no line in what is left then, it does not win; and if there is a line
//! in the cells of the one that follows, that one wins.
//!
//! *A threat in an odd column*: the seat not to act follows up in that column by itself and in all others together, and the
//! number of empty cells is odd. When all others are full, the other seat has to go below the threat. Cells above it are never
//! reached before the game is over.
//!
//! Checked against searches without these bounds, and by the published sets.

use super::board::{Cells, Shape, has_line, landing};
use super::table::Bounds;

/// What the seats can ensure; the score lies between.
#[inline]
pub(super) fn bounds<S: Shape>(shape: S, own: S::Cells, all: S::Cells, foe_threats: S::Cells, n_empty: i32) -> Bounds {
    let mut bounds = Bounds::NONE;
    let foes = own ^ all;
    let empty = shape.board() & !all;
    let claimed = claimed(shape, all);
    let left = empty & !claimed;
    // With an odd number of empty cells the seat to act is the one that follows.
    let acts = n_empty % 2 == 1;
    let (leader, follower) = if acts { (foes, own) } else { (own, foes) };
    if !has_line(shape, leader | left) {
        let least = i32::from(has_line(shape, follower | claimed));
        if acts { bounds.lower = least } else { bounds.upper = -least }
    }
    if !has_line(shape, follower | empty) {
        if acts { bounds.upper = 0 } else { bounds.lower = bounds.lower.max(0) }
    }
    if acts {
        let won = by_threat(shape, own, all, foe_threats, left);
        if won > 0 {
            bounds.upper = -won;
        }
    }
    bounds
}

/// The least score of the seat not to act by one of its threats in a column with an odd number of empty cells, where all
/// columns together have an odd number; 0 where there is none. `left` is what the other seat can get if all odd columns are its.
#[inline]
fn by_threat<S: Shape>(shape: S, leader: S::Cells, all: S::Cells, threats: S::Cells, left: S::Cells) -> i32 {
    let upper = shape.upper_rows();
    let threats = threats & left & !upper;
    if threats.is_none() {
        return 0;
    }
    let mut lowest_of_odd = landing(shape, all) & upper;
    while !lowest_of_odd.is_none() {
        let lowest = lowest_of_odd.lowest();
        lowest_of_odd = lowest_of_odd ^ lowest;
        let column = shape.column(lowest.first() / shape.stride());
        let threat = (threats & column).lowest();
        if threat.is_none() {
            continue;
        }
        let below = threat.minus(S::Cells::of(1)) & column;
        // Below the threat the seats alternate, the leader first.
        let can_get = leader | left & !column | left & below & upper;
        if !has_line(shape, can_get) {
            let n_above = (column & !below & !threat).n() as i32;
            return 1 + n_above / 2;
        }
    }
    0
}

/// The empty cells that a seat gets by following up.
#[inline]
fn claimed<S: Shape>(shape: S, all: S::Cells) -> S::Cells {
    let empty = shape.board() & !all;
    // Where the number of empty cells is even, the lowest one is not in an upper row. Added to the empty cells above it, it
    // carries out of the column.
    let lowest = landing(shape, all) & !shape.upper_rows();
    empty & !empty.plus(lowest) & shape.upper_rows()
}
