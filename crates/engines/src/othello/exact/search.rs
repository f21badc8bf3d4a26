//! The search: null windows, with a table.
//!
//! Placements are tried in the order of what an evaluation of the position after them says, on 8×8 the learned patterns, with a
//! shallow search where many cells are empty; near the end by how few replies they leave and by the parity of the quarter of the
//! board that they lie in, at last by parity alone. Cut-offs come from stable discs of the other seat, from the tables, and from
//! what they know of the positions after each placement.
//!
//! Before a long search comes a selective one, in which a shallow search that is far beyond the window stands for a proof. It
//! takes a small part of the nodes. Of what it finds the exact search uses the score as its first guess and the best cells as
//! those to try first; its bounds are kept apart and prove nothing.

use arrayvec::ArrayVec;

use raichi_games::othello::lines::{Lines, placements, turned};
use raichi_machine::{Body, Instructions};

use super::last::{Last, finished};
use super::near::Near;
use super::table::{Known, Part};
use crate::othello::board::{canonical, ones, spread, stable};
use crate::othello::effort::Effort;
use crate::othello::patterns::{self, Patterns};

/// With so many empty cells or fewer placements are tried in the order of parity alone.
const BY_PARITY: u32 = 6;
/// With so many or more, positions are kept in the table.
const KEPT: u32 = 9;
/// With fewer, but so many or more, they are kept in the small table.
const NEAR: u32 = 6;
/// With so many or more, the table is asked about the positions after each placement.
const ASKED: u32 = 11;
/// With so many or more, placements are ordered by a search of the evaluation.
const GUESSED: u32 = 13;
/// The search of the patterns is a ply deep for each three empty cells above this number.
const DEEPER: u32 = 15;
/// The deepest search of the patterns, and of the evaluation on other boards.
const PATTERNS_DEPTH: u32 = 6;
const GUESS_DEPTH: u32 = 4;
/// A reply less is worth so much more than the patterns say, in their parts of a disc: there is less to search.
const PER_REPLY: i32 = 32;
/// With so many or more a selective search comes before the exact one.
const LONG: u32 = 20;
/// Where it probes: with so many or more; and by how many discs a shallow search must be beyond the window.
const PROBED: u32 = 15;
const PROBE_MARGIN: i32 = 6;
/// With so few discs or fewer, positions that are images of each other are searched once.
const EARLY: u32 = 12;
pub(super) const NO_CELL: u32 = 64;

/// A search by one thread.
pub(super) struct Search<'a, I> {
    instructions: I,
    size: u32,
    board: u64,
    quarters: [u64; 4],
    /// In which of them each cell lies.
    quarter_of: [u8; 64],
    corners: u64,
    table: Part<'a>,
    near: Near,
    /// With that of the shallow searches: where many cells are empty it is nearly all.
    pub(super) effort: Effort<'a>,
    /// Threads search in slightly different orders, so that they find different parts of the tree for each other.
    thread: u32,
    n_cells: i32,
    /// On 8×8.
    pub(super) patterns: Option<&'a Patterns>,
    /// [`LONG`] and [`PROBED`]; less in tests.
    pub(super) long: u32,
    pub(super) probed: u32,
    /// Whether probes are believed, to find out how to order the exact search, which comes after.
    is_selective: bool,
}

/// [`Search::search`] with its arguments.
struct ByWorth<'s, 'a, I> {
    search: &'s mut Search<'a, I>,
    own: u64,
    foes: u64,
    beta: i32,
}

impl<I: Instructions> Body for ByWorth<'_, '_, I> {
    type Output = i32;

    #[inline(always)]
    fn run(self) -> i32 {
        self.search.search_here(self.own, self.foes, self.beta)
    }
}

/// [`Search::by_parity`] with its arguments.
struct ByParity<'s, 'a, I> {
    search: &'s mut Search<'a, I>,
    own: u64,
    foes: u64,
    beta: i32,
    odd: u64,
    passed: bool,
}

impl<I: Instructions> Body for ByParity<'_, '_, I> {
    type Output = i32;

    #[inline(always)]
    fn run(self) -> i32 {
        self.search.by_parity_here(self.own, self.foes, self.beta, self.odd, self.passed)
    }
}

#[derive(Clone, Copy)]
struct Candidate {
    cell: u32,
    turned: u64,
    rank: i32,
}

impl<'a, I: Instructions> Search<'a, I> {
    pub(super) fn new(
        instructions: I,
        size: u32,
        table: Part<'a>,
        is_over: &'a (dyn Fn(u64) -> bool + Sync),
        thread: u32,
    ) -> Search<'a, I> {
        let square = |from_x: u32, from_y: u32, size: u32| {
            let cells = (0..size * size).map(|i| 1 << (8 * (from_y + i / size) + from_x + i % size));
            cells.sum::<u64>()
        };
        let (half, last) = (size / 2, size - 1);
        let board = square(0, 0, size);
        let quarters = [(0, 0), (half, 0), (0, half), (half, half)].map(|(x, y)| square(x, y, half));
        let corners = [(0, 0), (last, 0), (0, last), (last, last)].map(|(x, y)| square(x, y, 1)).iter().sum();
        let quarter_of = std::array::from_fn(|cell| {
            quarters.iter().position(|quarter| quarter >> cell & 1 == 1).unwrap_or_default() as u8
        });
        let n_cells = board.count_ones() as i32;
        let patterns = patterns::shipped().filter(|_| size == 8).map(|patterns| &**patterns);
        let (effort, is_selective) = (Effort::new(is_over), false);
        let (long, probed) = (LONG, PROBED);
        Search {
            instructions,
            size,
            board,
            quarters,
            quarter_of,
            corners,
            table,
            near: Near::new(),
            effort,
            thread,
            n_cells,
            patterns,
            long,
            probed,
            is_selective,
        }
    }

    /// The exact score, the discs' difference from the view of `own`, who is to act; `None` where the work ended before.
    pub(super) fn score(&mut self, own: u64, foes: u64) -> Option<i32> {
        let guess = match self.patterns {
            Some(patterns) => {
                let most = GUESS_MAX;
                self.by_patterns(patterns, own, foes, GUESS_DEPTH, -most, most) / patterns::PER_DISC
            }
            None => self.guess(own, foes, GUESS_DEPTH, -GUESS_MAX, GUESS_MAX) / GUESS_PER_DISC,
        };
        let mut guess = guess.clamp(-self.n_cells, self.n_cells) & !1;
        let n_empty = (self.board & !(own | foes)).count_ones();
        if self.patterns.is_some() && n_empty >= self.long {
            self.is_selective = true;
            guess = self.narrow(own, foes, guess)?;
            self.is_selective = false;
        }
        self.narrow(own, foes, guess)
    }

    /// The score by null windows around the last bound found (A. Plaat, MTD(f)), from a guess on; the difference has the parity of
    /// the number of cells, which is even.
    fn narrow(&mut self, own: u64, foes: u64, mut guess: i32) -> Option<i32> {
        let (mut lower, mut upper) = (-self.n_cells, self.n_cells);
        while lower < upper {
            let beta = if guess == lower { guess + 2 } else { guess };
            let found = self.search(own, foes, beta);
            if self.effort.was_stopped() {
                return None;
            }
            if found >= beta {
                lower = found;
            } else {
                upper = found;
            }
            guess = found;
        }
        Some(guess)
    }

    /// A bound of the score on the same side of `beta` as the score itself.
    fn search(&mut self, own: u64, foes: u64, beta: i32) -> i32 {
        self.instructions.run(ByWorth { search: self, own, foes, beta })
    }

    #[inline(always)]
    fn search_here(&mut self, mut own: u64, mut foes: u64, beta: i32) -> i32 {
        let n_empty = (self.board & !(own | foes)).count_ones();
        if self.is_early(n_empty) {
            (own, foes) = canonical(own, foes, self.size);
        }
        let empty = self.board & !(own | foes);
        if n_empty <= BY_PARITY {
            return self.by_parity(own, foes, beta, self.odd_quarters(empty), false);
        }
        self.effort.nodes += 1;
        // 1. Discs that cannot be turned any more.
        if beta > 2 * self.n_cells / 8 - 2 * n_empty as i32 / 3 {
            let upper = self.n_cells - 2 * stable(foes, own, self.board).count_ones() as i32;
            if upper < beta {
                return upper;
            }
        }
        // 2. A pass, or the end.
        let cells = self.instructions.placements(own, foes, empty);
        if cells == 0 {
            if self.instructions.placements(foes, own, empty) == 0 {
                return finished(own, foes, self.n_cells);
            }
            return -self.search(foes, own, 1 - beta);
        }
        // 3. The tables.
        let is_near = n_empty < KEPT;
        if is_near && let Some(bound) = self.near.bound(own, foes, beta) {
            return bound;
        }
        let mut known = Known { lower: -self.n_cells, upper: self.n_cells, best: NO_CELL };
        if n_empty >= KEPT {
            if self.effort.is_stopped() {
                return 0;
            }
            let (key_own, key_foes) = self.key(own, foes, n_empty);
            if let Some(found) = self.table.get(key_own, key_foes) {
                if found.lower >= beta {
                    return found.lower;
                }
                if found.upper < beta {
                    return found.upper;
                }
                known = found;
            } else if n_empty >= self.probed && !self.is_selective {
                known.best = self.table.get(!own, !foes).map_or(NO_CELL, |found| found.best);
            }
        }
        if self.is_selective
            && n_empty >= self.probed
            && let Some(bound) = self.probe(own, foes, n_empty, cells, beta)
        {
            return bound;
        }
        // 4. The placements in order.
        let mut candidates = ArrayVec::<Candidate, 64>::new();
        for cell in ones(cells) {
            let turned = self.instructions.turned(cell, own, foes);
            if turned == foes {
                return self.n_cells;
            }
            let (next_own, next_foes) = (foes ^ turned, own | turned | 1 << cell);
            if n_empty <= KEPT {
                if let Some(bound) = self.near.bound(next_own, next_foes, 1 - beta)
                    && -bound >= beta
                {
                    return -bound;
                }
            } else {
                let (key_own, key_foes) = self.key(next_own, next_foes, n_empty - 1);
                self.table.prefetch(key_own, key_foes);
            }
            candidates.push(Candidate { cell, turned, rank: 0 });
        }
        if n_empty >= ASKED {
            for candidate in &candidates {
                let (next_own, next_foes) = (foes ^ candidate.turned, own | candidate.turned | 1 << candidate.cell);
                let (key_own, key_foes) = self.key(next_own, next_foes, n_empty - 1);
                if let Some(found) = self.table.get(key_own, key_foes)
                    && -found.upper >= beta
                {
                    return -found.upper;
                }
            }
        }
        if candidates.len() > 1 {
            let odd = self.odd_quarters(empty);
            for i in 0..candidates.len() {
                let candidate = candidates[i];
                candidates[i].rank =
                    if candidate.cell == known.best { i32::MAX } else { self.rank(own, foes, candidate, n_empty, odd) };
                if n_empty >= GUESSED && self.effort.is_stopped() {
                    return 0;
                }
            }
        }
        // 5. The search.
        let before = self.effort.nodes;
        let (mut best, mut best_cell) = (-self.n_cells - 1, NO_CELL);
        while let Some(i) = (0..candidates.len()).max_by_key(|&i| candidates[i].rank) {
            let Candidate { cell, turned, .. } = candidates.swap_remove(i);
            let found = -self.search(foes ^ turned, own | turned | 1 << cell, 1 - beta);
            if self.effort.was_stopped() {
                return 0;
            }
            if found > best {
                (best, best_cell) = (found, cell);
                if best >= beta {
                    break;
                }
            }
        }
        if n_empty >= KEPT {
            if best >= beta {
                known.lower = known.lower.max(best);
            } else {
                known.upper = known.upper.min(best);
            }
            known.best = best_cell;
            let (key_own, key_foes) = self.key(own, foes, n_empty);
            self.table.put(key_own, key_foes, known, (self.effort.nodes - before + 2).ilog2());
        } else {
            self.near.keep(own, foes, beta, best);
        }
        best
    }

    #[inline]
    fn is_early(&self, n_empty: u32) -> bool {
        self.n_cells as u32 - n_empty <= EARLY
    }

    /// What the table knows a position by. What rests on probes is kept apart: no position has cells with discs of both.
    #[inline]
    fn key(&self, mut own: u64, mut foes: u64, n_empty: u32) -> (u64, u64) {
        if self.is_early(n_empty) {
            (own, foes) = canonical(own, foes, self.size);
        }
        if self.is_selective && n_empty >= self.probed { (!own, !foes) } else { (own, foes) }
    }

    /// In the selective search: a bound that a shallow search makes likely, in place of a proof (M. Buro, *ProbCut*, 1995).
    #[inline(always)]
    fn probe(&mut self, own: u64, foes: u64, n_empty: u32, cells: u64, beta: i32) -> Option<i32> {
        let patterns = self.patterns?;
        let depth = if n_empty >= LONG { 4 } else { 2 };
        if patterns.score_by(self.instructions, own, foes, cells) >= beta * patterns::PER_DISC {
            let high = (beta + PROBE_MARGIN) * patterns::PER_DISC;
            let found = self.by_patterns(patterns, own, foes, depth, high - 1, high);
            (found >= high).then_some((beta + 1) & !1)
        } else {
            let low = (beta - 1 - PROBE_MARGIN) * patterns::PER_DISC;
            let found = self.by_patterns(patterns, own, foes, depth, low, low + 1);
            (found <= low).then_some((beta - 1) & !1)
        }
    }

    /// The more the better for `own`.
    #[inline(always)]
    fn rank(&mut self, own: u64, foes: u64, Candidate { cell, turned, .. }: Candidate, n_empty: u32, odd: u64) -> i32 {
        let (next_own, next_foes) = (foes ^ turned, own | turned | 1 << cell);
        let empty = self.board & !(next_own | next_foes);
        if let Some(patterns) = self.patterns
            && n_empty >= GUESSED
        {
            let replies = self.instructions.placements(next_own, next_foes, empty).count_ones() as i32;
            let depth = (n_empty.saturating_sub(DEEPER) / 3).min(PATTERNS_DEPTH);
            let most = GUESS_MAX;
            let guess = -self.by_patterns(patterns, next_own, next_foes, depth, -most, most);
            return guess - PER_REPLY * replies + (cell.wrapping_mul(self.thread) % 16) as i32;
        }
        if n_empty >= GUESSED {
            let depth = (n_empty - GUESSED) / 3;
            let guess = -self.guess(next_own, next_foes, depth.min(GUESS_DEPTH), -GUESS_MAX, GUESS_MAX);
            return guess + (cell.wrapping_mul(self.thread) % 32) as i32;
        }
        let replies = self.instructions.placements(next_own, next_foes, empty);
        let n_replies = (replies.count_ones() + (replies & self.corners).count_ones()) as i32;
        let mut rank = -(n_replies << 5) - ((spread(next_foes) & empty).count_ones() as i32 * 2);
        if 1 << cell & self.corners != 0 {
            rank += 48;
        }
        if 1 << cell & odd != 0 {
            rank += if n_empty < 12 { 24 } else { 8 };
        }
        rank
    }

    /// What a search of so many plies finds by the patterns.
    #[inline(always)]
    fn by_patterns(&mut self, patterns: &Patterns, own: u64, foes: u64, depth: u32, alpha: i32, beta: i32) -> i32 {
        let mut search = patterns::Search { instructions: self.instructions, patterns, effort: &mut self.effort };
        search.search(own, foes, depth, alpha, beta)
    }

    /// What a search of so many plies finds by the evaluation.
    fn guess(&mut self, own: u64, foes: u64, depth: u32, mut alpha: i32, beta: i32) -> i32 {
        self.effort.nodes += 1;
        let empty = self.board & !(own | foes);
        let cells = placements(own, foes, empty);
        if cells == 0 {
            if placements(foes, own, empty) == 0 {
                return finished(own, foes, self.n_cells) * GUESS_PER_DISC;
            }
            return -self.guess(foes, own, depth, -beta, -alpha);
        }
        if depth == 0 {
            return self.evaluate(own, foes, empty, cells);
        }
        let mut best = -GUESS_MAX;
        for cell in ones(cells) {
            let turned = turned(cell, own, foes);
            best = best.max(-self.guess(foes ^ turned, own | turned | 1 << cell, depth - 1, -beta, -alpha));
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// Placements, empty cells beside discs, corners and stable discs; in parts of a disc.
    #[inline]
    fn evaluate(&self, own: u64, foes: u64, empty: u64, cells: u64) -> i32 {
        let n = |cells: u64| cells.count_ones() as i32;
        let theirs = placements(foes, own, empty);
        let mobility = n(cells) - n(theirs) + n(cells & self.corners) - n(theirs & self.corners);
        let frontier = n(spread(foes) & empty) - n(spread(own) & empty);
        let mut value = 16 * mobility + 6 * frontier + 8;
        if (own | foes) & self.corners != 0 {
            value += 14 * (n(stable(own, foes, self.board)) - n(stable(foes, own, self.board)));
            value += 24 * (n(own & self.corners) - n(foes & self.corners));
        }
        value
    }

    /// Few cells: those of `odd`, the quarters with an odd number of empty cells, first.
    fn by_parity(&mut self, own: u64, foes: u64, beta: i32, odd: u64, passed: bool) -> i32 {
        self.instructions.run(ByParity { search: self, own, foes, beta, odd, passed })
    }

    #[inline(always)]
    fn by_parity_here(&mut self, own: u64, foes: u64, beta: i32, odd: u64, passed: bool) -> i32 {
        let empty = self.board & !(own | foes);
        if empty.count_ones() == 4 {
            return self.four(own, foes, beta);
        }
        self.effort.nodes += 1;
        if empty.count_ones() < 4 {
            return self.few(own, foes, empty, beta, passed);
        }
        debug_assert_eq!(odd, self.odd_quarters(empty));
        let (is_five, is_near) = (empty.count_ones() == 5, empty.count_ones() >= NEAR);
        if is_near && let Some(bound) = self.near.bound(own, foes, beta) {
            return bound;
        }
        let mut best = i32::MIN;
        'all: for cells in [empty & odd, empty & !odd] {
            for cell in ones(cells) {
                let turned = self.instructions.turned(cell, own, foes);
                if turned != 0 {
                    let (next_own, next_foes) = (foes ^ turned, own | turned | 1 << cell);
                    let found = if is_five {
                        self.four(next_own, next_foes, 1 - beta)
                    } else {
                        let odd = odd ^ self.quarters[self.quarter_of[cell as usize & 63] as usize & 3];
                        self.by_parity(next_own, next_foes, 1 - beta, odd, false)
                    };
                    best = best.max(-found);
                    if best >= beta {
                        break 'all;
                    }
                }
            }
        }
        match best {
            i32::MIN if passed => return finished(own, foes, self.n_cells),
            i32::MIN => return -self.by_parity(foes, own, 1 - beta, odd, true),
            _ => {}
        }
        if is_near {
            self.near.keep(own, foes, beta, best);
        }
        best
    }

    /// Four empty cells, in the same order.
    #[inline(always)]
    fn four(&mut self, own: u64, foes: u64, beta: i32) -> i32 {
        let mut left = self.board & !(own | foes);
        let ascending = [(); 4].map(|()| {
            let cell = left.trailing_zeros();
            left &= left.wrapping_sub(1);
            cell
        });
        let quarters =
            ascending.iter().rev().fold(0, |all, &cell| all << 2 | usize::from(self.quarter_of[cell as usize & 63]));
        let cells = BY_QUARTERS[quarters & 255].map(|place| ascending[place as usize & 3]);
        let nodes = &mut self.effort.nodes;
        Last { instructions: self.instructions, n_cells: self.n_cells, nodes }.four(own, foes, cells, beta)
    }

    /// Positions that begin with fewer than four empty cells.
    fn few(&mut self, own: u64, foes: u64, empty: u64, beta: i32, passed: bool) -> i32 {
        let mut best = i32::MIN;
        for cell in ones(empty) {
            let turned = turned(cell, own, foes);
            if turned != 0 {
                // With so few cells the order is not asked for.
                best = best.max(-self.by_parity(foes ^ turned, own | turned | 1 << cell, 1 - beta, 0, false));
            }
        }
        match best {
            i32::MIN if passed => finished(own, foes, self.n_cells),
            i32::MIN => -self.by_parity(foes, own, 1 - beta, 0, true),
            _ => best,
        }
    }

    /// The quarters with an odd number of empty cells.
    #[inline]
    fn odd_quarters(&self, empty: u64) -> u64 {
        self.quarters.into_iter().filter(|quarter| (quarter & empty).count_ones() % 2 == 1).sum()
    }
}

/// For each way in which four cells may lie in the quarters of the board, two bits a cell, the first one lowest: their places in the
/// order in which they are tried, those in quarters with an odd number of them first, then pairs.
static BY_QUARTERS: [[u8; 4]; 256] = {
    let mut all = [[0; 4]; 256];
    let mut way = 0;
    while way < 256 {
        let mut n_in = [0; 4];
        let mut place = 0;
        while place < 4 {
            n_in[way >> (2 * place) & 3] += 1;
            place += 1;
        }
        // Of the odd ones the first cells come first, of the others the first quarters.
        let (mut filled, mut quarter) = (0, 0);
        while quarter <= 4 {
            place = 0;
            while place < 4 {
                let own = way >> (2 * place) & 3;
                let is_odd = n_in[own] % 2 == 1;
                if quarter == 0 && is_odd || !is_odd && own + 1 == quarter {
                    all[way][filled] = place as u8;
                    filled += 1;
                }
                place += 1;
            }
            quarter += 1;
        }
        way += 1;
    }
    all
};

/// The evaluation's parts of a disc, and a bound that it never reaches.
const GUESS_PER_DISC: i32 = 32;
const GUESS_MAX: i32 = 1 << 20;
