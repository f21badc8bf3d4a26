//! A search of a few plies by the patterns, without a table: for the order of actions in the exact search, and for the values that the
//! weights are learned from.

use arrayvec::ArrayVec;

use super::{PER_DISC, Patterns};
use crate::othello::board::{ones, placements, turned};
use crate::othello::effort::Effort;

/// At this depth and above placements are ordered by the patterns, below by how few replies they leave.
const BY_PATTERNS: u32 = 3;

/// Below this depth it is not asked whether the work is over.
const ASKED: u32 = 2;

/// The score of the seat to act, in parts of a disc, by a search of so many placements; passes are no plies. Outside the window from
/// `alpha` to `beta` it is a bound.
pub fn search(patterns: &Patterns, own: u64, foes: u64, depth: u32, alpha: i32, beta: i32, nodes: &mut u64) -> i32 {
    let mut effort = Effort::unlimited();
    let found = search_within(patterns, own, foes, depth, alpha, beta, &mut effort);
    *nodes += effort.nodes;
    found
}

/// The same within an effort: worth nothing where that is stopped.
pub(in crate::othello) fn search_within(
    patterns: &Patterns,
    own: u64,
    foes: u64,
    depth: u32,
    alpha: i32,
    beta: i32,
    effort: &mut Effort<'_>,
) -> i32 {
    let cells = placements(own, foes, !(own | foes));
    descend(patterns, own, foes, cells, depth, alpha, beta, effort)
}

#[expect(clippy::too_many_arguments, reason = "what a call in the innermost loop needs")]
fn descend(
    patterns: &Patterns,
    own: u64,
    foes: u64,
    cells: u64,
    depth: u32,
    mut alpha: i32,
    beta: i32,
    effort: &mut Effort<'_>,
) -> i32 {
    effort.nodes += 1;
    if depth >= ASKED && effort.is_stopped() {
        return alpha;
    }
    let empty = !(own | foes);
    if cells == 0 {
        let theirs = placements(foes, own, empty);
        if theirs == 0 {
            let (own, foes) = (own.count_ones() as i32, foes.count_ones() as i32);
            let left = 64 - own - foes;
            return (own - foes + left * (own - foes).signum()) * PER_DISC;
        }
        return -descend(patterns, foes, own, theirs, depth, -beta, -alpha, effort);
    }
    if depth == 0 {
        return patterns.score(own, foes, cells);
    }
    let mut nexts = ArrayVec::<(i32, u64, u64, u64), 64>::new();
    for cell in ones(cells) {
        let turned = turned(cell, own, foes);
        let (next_own, next_foes) = (foes ^ turned, own | turned | 1 << cell);
        let replies = placements(next_own, next_foes, !(next_own | next_foes));
        let rank = match depth {
            1 => 0,
            BY_PATTERNS.. if replies != 0 => patterns.score(next_own, next_foes, replies),
            _ => replies.count_ones() as i32,
        };
        nexts.push((rank, next_own, next_foes, replies));
    }
    if depth > 1 {
        nexts.sort_unstable_by_key(|next| next.0);
    }
    let mut best = i32::MIN;
    for (i, (_, next_own, next_foes, replies)) in nexts.into_iter().enumerate() {
        // All but the first are expected to be no better, which is asked in a null window.
        let asked = if i > 0 && depth > 1 { alpha + 1 } else { beta };
        let mut found = -descend(patterns, next_own, next_foes, replies, depth - 1, -asked, -alpha, effort);
        if asked < beta && asked <= found && found < beta {
            found = -descend(patterns, next_own, next_foes, replies, depth - 1, -beta, -alpha, effort);
        }
        best = best.max(found);
        alpha = alpha.max(best);
        if alpha >= beta {
            break;
        }
    }
    best
}
