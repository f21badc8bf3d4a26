//! Virtual connections: what a side can join although the other one acts first, and what it can join acting first.
//!
//! Between two points (chains of stones, rims with the chains joined to them, empty cells) a *full* connection holds
//! when the other side acts first, a *semi-connection* when its own side does; its *carrier* is the set of empty
//! cells that it needs.
//! - And-rule: two full connections with disjoint carriers that meet in a chain make a full connection, in an empty
//!   cell a semi-connection through that cell.
//! - Or-rule: semi-connections between the same points whose carriers have no cell in common make a full connection.
//!
//! (V. V. Anshelevich, *A hierarchical approach to computer Hex*, 2002.) Bridges and the templates at the rims follow
//! from these. What is found holds; not everything that holds is found: the rules are not complete, and lists are
//! kept short.

use super::board::{Board, Cells, Stones, each};

/// How many carriers are kept between two points, and how many semi-connections the or-rule puts together.
const MOST_CARRIERS: usize = 10;
const MOST_TOGETHER: usize = 4;

/// How many full connections are worked through at most.
const MOST_STEPS: usize = 6_000;

/// The points of both rims.
pub(crate) const RIMS: [usize; 2] = [0, 1];
const RIM_TO_RIM: usize = 0;

/// A chain with what touches it, or an empty cell.
#[derive(Clone, Copy, Debug)]
struct Point {
    /// The cell, where it is an empty one.
    cell: Cells,
    /// The empty cells beside it.
    beside: Cells,
}

impl Point {
    fn is_chain(&self) -> bool {
        self.cell == 0
    }
}

/// A few carriers, none of which contains another.
#[derive(Clone, Copy, Debug)]
struct Carriers {
    n: u8,
    sets: [Cells; MOST_CARRIERS],
}

impl Carriers {
    const NONE: Carriers = Carriers { n: 0, sets: [0; MOST_CARRIERS] };

    fn all(&self) -> &[Cells] {
        &self.sets[..usize::from(self.n)]
    }

    /// Whether one of them lies within `carrier`.
    fn are_within(&self, carrier: Cells) -> bool {
        self.all().iter().any(|set| set & !carrier == 0)
    }

    /// Drops those that contain `carrier`.
    fn drop_around(&mut self, carrier: Cells) {
        let mut kept = 0;
        for i in 0..usize::from(self.n) {
            if carrier & !self.sets[i] != 0 {
                self.sets[kept] = self.sets[i];
                kept += 1;
            }
        }
        self.n = kept as u8;
    }

    /// Adds one that contains none of them; where the list is full the largest gives way. Whether it was added.
    fn add(&mut self, carrier: Cells) -> bool {
        self.drop_around(carrier);
        let n = usize::from(self.n);
        if n < MOST_CARRIERS {
            self.sets[n] = carrier;
            self.n += 1;
            return true;
        }
        let largest = (0..n).max_by_key(|&i| self.sets[i].count_ones()).expect("the list is full");
        let gives_way = self.sets[largest].count_ones() > carrier.count_ones();
        if gives_way {
            self.sets[largest] = carrier;
        }
        gives_way
    }
}

/// The connections of one side; the room is used again from position to position.
#[derive(Clone, Debug, Default)]
pub(crate) struct Connections {
    points: Vec<Point>,
    full: Vec<Carriers>,
    semi: Vec<Carriers>,
    /// Full connections to be worked through: two points and a carrier.
    pending: std::collections::VecDeque<(u8, u8, Cells)>,
}

/// What ends the work early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Until {
    /// The rims are joined even if the other side acts first.
    Full,
    /// The rims can be joined by a side that is to act.
    Semi,
}

impl Connections {
    /// Finds the connections of a side.
    pub(crate) fn find(&mut self, board: &Board, stones: &Stones, side: usize, until: Until) {
        self.set_up(board, stones, side);
        let mut n_steps = 0;
        while let Some((one, other, carrier)) = self.pending.pop_front() {
            let (one, other) = (usize::from(one), usize::from(other));
            let is_known = self.full[self.pair(one, other)].all().contains(&carrier);
            if !is_known {
                continue;
            }
            self.join(one, other, carrier);
            self.join(other, one, carrier);
            n_steps += 1;
            if self.rims_joined(until) || n_steps >= MOST_STEPS {
                return;
            }
        }
    }

    fn rims_joined(&self, until: Until) -> bool {
        self.full[RIM_TO_RIM].n > 0 || until == Until::Semi && self.semi[RIM_TO_RIM].n > 0
    }

    /// The carriers with which the rims are joined if the other side acts first.
    pub(crate) fn full_carriers(&self) -> &[Cells] {
        self.full[RIM_TO_RIM].all()
    }

    /// The carriers with which the rims are joined by a side that is to act.
    pub(crate) fn semi_carriers(&self) -> &[Cells] {
        self.semi[RIM_TO_RIM].all()
    }

    /// How many points there are.
    pub(crate) fn n_points(&self) -> usize {
        self.points.len()
    }

    /// The empty cell of a point.
    pub(crate) fn cell(&self, point: usize) -> Option<usize> {
        let point = &self.points[point];
        (!point.is_chain()).then(|| point.cell.trailing_zeros() as usize)
    }

    /// Whether two points are neighbours, or joined by a full connection that has a chain at an end.
    pub(crate) fn are_close(&self, one: usize, other: usize) -> bool {
        let full = self.full[self.pair(one, other)].all();
        full.contains(&0) || !full.is_empty() && (self.points[one].is_chain() || self.points[other].is_chain())
    }

    // Pairs below the diagonal; that of the rims comes first.
    #[inline]
    fn pair(&self, one: usize, other: usize) -> usize {
        let (small, large) = if one < other { (one, other) } else { (other, one) };
        large * (large - 1) / 2 + small
    }

    fn set_up(&mut self, board: &Board, stones: &Stones, side: usize) {
        let own = stones[side];
        let empty = board.all & !(stones[0] | stones[1]);
        self.points.clear();
        let mut left = own;
        for rim in board.rims[side] {
            let chain = board.joined(own, rim);
            left &= !chain;
            self.points.push(Point { cell: 0, beside: (board.around(chain) | rim) & empty });
        }
        let is_won = board.has_won(own, side);
        while left != 0 {
            let chain = board.joined(own, left & left.wrapping_neg());
            left &= !chain;
            self.points.push(Point { cell: 0, beside: board.around(chain) & empty });
        }
        let n_chains = self.points.len();
        self.points.extend(each(empty).map(|cell| Point { cell: 1 << cell, beside: board.neighbours[cell] & empty }));
        let n = self.points.len();
        let n_pairs = n * (n - 1) / 2;
        for lists in [&mut self.full, &mut self.semi] {
            lists.clear();
            lists.resize(n_pairs, Carriers::NONE);
        }
        self.pending.clear();
        if is_won {
            self.add_full(RIMS[0], RIMS[1], 0);
            return;
        }
        for large in n_chains..n {
            for small in 0..large {
                if self.points[small].beside & self.points[large].cell != 0 {
                    self.add_full(small, large, 0);
                }
            }
        }
    }

    /// The and-rule for a full connection between `end` and `middle`, and all others from there.
    fn join(&mut self, end: usize, middle: usize, carrier: Cells) {
        // Every way goes through a rim; what it joined there would be everything.
        if middle <= RIMS[1] {
            return;
        }
        let through = self.points[middle].cell;
        let own = self.points[end].cell;
        for other in 0..self.points.len() {
            if other == end || other == middle {
                continue;
            }
            let pair = self.pair(middle, other);
            let n = usize::from(self.full[pair].n);
            if n == 0 || carrier & self.points[other].cell != 0 {
                continue;
            }
            let fulls = self.full[pair].sets;
            for &further in &fulls[..n] {
                if further & (carrier | own) != 0 {
                    continue;
                }
                let together = carrier | further | through;
                if through == 0 {
                    self.add_full(end, other, together);
                } else {
                    self.add_semi(end, other, together);
                }
            }
        }
    }

    fn add_full(&mut self, one: usize, other: usize, carrier: Cells) {
        let pair = self.pair(one, other);
        if self.full[pair].are_within(carrier) || !self.full[pair].add(carrier) {
            return;
        }
        self.semi[pair].drop_around(carrier);
        self.pending.push_back((one as u8, other as u8, carrier));
    }

    fn add_semi(&mut self, one: usize, other: usize, carrier: Cells) {
        let pair = self.pair(one, other);
        if self.full[pair].are_within(carrier) || self.semi[pair].are_within(carrier) || !self.semi[pair].add(carrier) {
            return;
        }
        let semis = self.semi[pair];
        if let Some(together) = without_common_cell(semis.all(), carrier, carrier, MOST_TOGETHER - 1) {
            self.add_full(one, other, together);
        }
    }
}

/// The or-rule: the union of a few of `sets` that together with what is already chosen have no cell in common.
fn without_common_cell(sets: &[Cells], common: Cells, union: Cells, most: usize) -> Option<Cells> {
    let mut best: Option<Cells> = None;
    for (i, &set) in sets.iter().enumerate() {
        let found = match common & set {
            0 => Some(union | set),
            left if left != common && most > 1 => without_common_cell(&sets[i + 1..], left, union | set, most - 1),
            _ => None,
        };
        if let Some(found) = found
            && best.is_none_or(|best| found.count_ones() < best.count_ones())
        {
            best = Some(found);
        }
    }
    best
}
