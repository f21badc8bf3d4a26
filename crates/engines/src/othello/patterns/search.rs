//! A search of a few plies by the patterns, without a table: for the order of actions in the exact search, and for the values that the
//! weights are learned from.

use arrayvec::ArrayVec;

use raichi_games::othello::lines::{Lines, placements};
use raichi_machine::{Body, Choice, InstructionSet, Instructions};

use super::{PER_DISC, Patterns};
use crate::othello::board::ones;
use crate::othello::effort::Effort;

/// At this depth and above placements are ordered by the patterns, below by how few replies they leave.
const BY_PATTERNS: u32 = 3;

/// Below this depth it is not asked whether the work is over.
const ASKED: u32 = 2;

/// The score of the seat to act, in parts of a disc, by a search of so many placements; passes are no plies. Outside the window from
/// `alpha` to `beta` it is a bound.
pub fn search(patterns: &Patterns, own: u64, foes: u64, depth: u32, alpha: i32, beta: i32, nodes: &mut u64) -> i32 {
    let mut effort = Effort::unlimited();
    let asked = Asked { patterns, effort: &mut effort, own, foes, depth, alpha, beta };
    let found = InstructionSet::newest().choose(asked);
    *nodes += effort.nodes;
    found
}

/// [`search`] with its arguments.
struct Asked<'a, 'e> {
    patterns: &'a Patterns,
    effort: &'a mut Effort<'e>,
    own: u64,
    foes: u64,
    depth: u32,
    alpha: i32,
    beta: i32,
}

impl Choice for Asked<'_, '_> {
    type Output = i32;

    fn with<I: Instructions>(self, instructions: I) -> i32 {
        let Asked { patterns, effort, own, foes, depth, alpha, beta } = self;
        Search { instructions, patterns, effort }.search(own, foes, depth, alpha, beta)
    }
}

/// A search by one set of instructions, within an effort: worth nothing where that is stopped.
pub(in crate::othello) struct Search<'a, 'e, I> {
    pub(in crate::othello) instructions: I,
    pub(in crate::othello) patterns: &'a Patterns,
    pub(in crate::othello) effort: &'a mut Effort<'e>,
}

/// A position with its placements, and what is asked of it.
struct Descent<'s, 'a, 'e, I> {
    search: &'s mut Search<'a, 'e, I>,
    own: u64,
    foes: u64,
    cells: u64,
    depth: u32,
    alpha: i32,
    beta: i32,
}

impl<I: Instructions> Search<'_, '_, I> {
    /// As [`search`].
    pub(in crate::othello) fn search(&mut self, own: u64, foes: u64, depth: u32, alpha: i32, beta: i32) -> i32 {
        let cells = placements(own, foes, !(own | foes));
        self.instructions.run(Descent { search: self, own, foes, cells, depth, alpha, beta })
    }
}

impl<I: Instructions> Body for Descent<'_, '_, '_, I> {
    type Output = i32;

    #[inline(always)]
    fn run(self) -> i32 {
        let Descent { search, own, foes, cells, depth, mut alpha, beta } = self;
        let (instructions, patterns) = (search.instructions, search.patterns);
        search.effort.nodes += 1;
        if depth >= ASKED && search.effort.is_stopped() {
            return alpha;
        }
        let empty = !(own | foes);
        if cells == 0 {
            let theirs = instructions.placements(foes, own, empty);
            if theirs == 0 {
                let (own, foes) = (own.count_ones() as i32, foes.count_ones() as i32);
                let left = 64 - own - foes;
                return (own - foes + left * (own - foes).signum()) * PER_DISC;
            }
            let passed = Descent { search, own: foes, foes: own, cells: theirs, depth, alpha: -beta, beta: -alpha };
            return -instructions.run(passed);
        }
        if depth == 0 {
            return patterns.score_by(instructions, own, foes, cells);
        }
        let mut nexts = ArrayVec::<(i32, u64, u64, u64), 64>::new();
        for cell in ones(cells) {
            let turned = instructions.turned(cell, own, foes);
            let (next_own, next_foes) = (foes ^ turned, own | turned | 1 << cell);
            let replies = instructions.placements(next_own, next_foes, !(next_own | next_foes));
            let rank = match depth {
                1 => 0,
                BY_PATTERNS.. if replies != 0 => patterns.score_by(instructions, next_own, next_foes, replies),
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
            let mut below = |alpha: i32, beta: i32| {
                let (own, foes, cells, depth) = (next_own, next_foes, replies, depth - 1);
                -instructions.run(Descent { search, own, foes, cells, depth, alpha: -beta, beta: -alpha })
            };
            let mut found = below(alpha, asked);
            if asked < beta && asked <= found && found < beta {
                found = below(alpha, beta);
            }
            best = best.max(found);
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        best
    }
}
