//! Depth-first proof-number search (A. Nagai's df-pn) that returns, with who wins, the cells that the winner needs.
//!
//! - Positions are filled (`fill.rs`), looked at for virtual connections of both sides (`connections.rs`), and kept
//!   once for both halves of a turn.
//! - Where the other side threatens to join its rims by semi-connections, only the cells that all of these need can
//!   stop it (the *must-play region*; R. Hayward et al., *Solving 7 × 7 Hex with domination, fill-in, and virtual
//!   connections*, 2005). An action that is refuted adds a semi-connection: the winner's cells after it. When no cell
//!   is left in the region the position is lost.
//! - Of a node's actions only the first few in the order of currents count; the next one comes in when one of them is
//!   refuted (focused df-pn; P. Henderson, B. Arneson, R. Hayward, *Solving 8 × 8 Hex*, 2009).
//!
//! What the result promises: who wins, and that the winner needs no other empty cells than those returned. No
//! position comes back in Hex, so that proofs do not depend on the path.

use raichi_solve::Statistics;
use rustc_hash::FxHashMap;

use super::board::{Board, Cells, Stones};
use super::circuit::{Circuit, by_current};
use super::connections::{Connections, Until};
use super::fill::Filled;

/// About what the order of an open position's actions takes, in bytes.
const ORDER: usize = 24;

/// A number of proof that says: never.
const INFINITE: u32 = u32::MAX / 2;

/// A position as it is kept: filled, and of both halves of a turn the smaller.
type Key = (Cells, Cells, u8);

/// What is known about a position, by the side to act.
#[derive(Clone, Debug)]
enum Entry {
    Solved {
        /// Whether the side to act wins.
        wins: bool,
        /// The empty cells that the winner needs.
        carrier: Cells,
    },
    Open {
        /// The proof number and the disproof number.
        phi: u32,
        delta: u32,
        /// The cells that may still be played.
        must_play: Cells,
        /// What the other side needs for the threats that leave only these.
        threats: Cells,
        order: Box<[u8]>,
    },
}

/// Who wins, and by which empty cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Proof {
    /// Whether the side to act wins.
    pub(crate) wins: bool,
    /// The empty cells that the winner needs.
    pub(crate) carrier: Cells,
}

/// Why there is no proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stopped {
    /// It was asked to stop.
    Asked,
    /// The table is full.
    Full,
}

/// An action and the position after it.
#[derive(Clone, Copy)]
struct Child {
    cell: usize,
    key: Key,
    turned: bool,
    captured: Stones,
    side: usize,
}

/// The search with its table, which is kept from question to question.
pub(crate) struct Search {
    board: Board,
    table: FxHashMap<Key, Entry>,
    connections: [Connections; 2],
    circuit: Circuit,
    n_nodes: u64,
    most_entries: usize,
}

impl Search {
    pub(crate) fn new(size: usize) -> Search {
        Search {
            board: Board::new(size),
            table: FxHashMap::default(),
            connections: Default::default(),
            circuit: Circuit::default(),
            n_nodes: 0,
            most_entries: usize::MAX,
        }
    }

    pub(crate) fn statistics(&self) -> Statistics {
        let entries = self.table.capacity() * (size_of::<(Key, Entry)>() + 1);
        Statistics {
            positions: self.table.len() as u64,
            nodes: self.n_nodes,
            bytes: (entries + self.table.len() * ORDER) as u64,
        }
    }

    /// Empties the table.
    pub(crate) fn forget_all(&mut self) {
        self.table = FxHashMap::default();
    }

    /// Who wins with `side` to act, and the cells that the winner needs.
    pub(crate) fn prove(
        &mut self,
        stones: &Stones,
        side: usize,
        most_bytes: usize,
        is_over: &mut dyn FnMut() -> bool,
    ) -> Result<Proof, Stopped> {
        // A table that grows has twice the room, and the old one beside it.
        self.most_entries = most_bytes / (3 * size_of::<(Key, Entry)>() + ORDER);
        let root = self.child(stones, side, None);
        loop {
            self.look_at(&root);
            if let Entry::Solved { wins, carrier } = self.table[&root.key] {
                return Ok(Proof { wins, carrier: self.carrier_before(&root, wins, carrier) });
            }
            self.work(&root.key, INFINITE, INFINITE, is_over)?;
        }
    }

    /// The position with `side` to act, filled.
    fn child(&self, stones: &Stones, side: usize, cell: Option<usize>) -> Child {
        let Filled { stones: [black, white], captured } = self.board.filled(stones);
        let (one, other) = ((black, white), (self.board.turned(black), self.board.turned(white)));
        let turned = other < one;
        let (black, white) = if turned { other } else { one };
        Child { cell: cell.unwrap_or(0), key: (black, white, side as u8), turned, captured, side }
    }

    /// What the winner needs, of the cells that were empty before the position was filled and turned.
    fn carrier_before(&self, child: &Child, wins: bool, carrier: Cells) -> Cells {
        let carrier = if child.turned { self.board.turned(carrier) } else { carrier };
        let winner = if wins { child.side } else { 1 - child.side };
        carrier | child.captured[winner]
    }

    /// Enters a position into the table.
    fn look_at(&mut self, child: &Child) {
        if self.table.contains_key(&child.key) {
            return;
        }
        self.n_nodes += 1;
        let entry = self.examine(&child.key);
        self.table.insert(child.key, entry);
    }

    fn examine(&mut self, &(black, white, side): &Key) -> Entry {
        let (stones, side) = ([black, white], usize::from(side));
        let [own, other] = [side, 1 - side];
        let least = |carriers: &[Cells]| carriers.iter().copied().min_by_key(|carrier| carrier.count_ones());
        self.connections[own].find(&self.board, &stones, own, Until::Semi);
        let found = &self.connections[own];
        if let Some(carrier) = least(found.full_carriers()).or(least(found.semi_carriers())) {
            return Entry::Solved { wins: true, carrier };
        }
        self.connections[other].find(&self.board, &stones, other, Until::Full);
        let found = &self.connections[other];
        if let Some(carrier) = least(found.full_carriers()) {
            return Entry::Solved { wins: false, carrier };
        }
        let mut must_play = self.board.all & !(black | white);
        let mut threats = 0;
        for &carrier in found.semi_carriers() {
            if must_play & !carrier != 0 {
                must_play &= carrier;
                threats |= carrier;
            }
        }
        if must_play == 0 {
            return Entry::Solved { wins: false, carrier: threats };
        }
        let mut currents = [0.0; 64];
        for connections in &self.connections {
            self.circuit.add_currents(connections, &mut currents);
        }
        let order = by_current(must_play, &currents);
        Entry::Open { phi: 1, delta: 1, must_play, threats, order }
    }

    /// Works on an open position until a number reaches its bound or the position is solved.
    fn work(
        &mut self,
        key: &Key,
        most_phi: u32,
        most_delta: u32,
        is_over: &mut dyn FnMut() -> bool,
    ) -> Result<(), Stopped> {
        // A node takes a large part of a millisecond.
        if is_over() {
            return Err(Stopped::Asked);
        }
        if self.table.len() >= self.most_entries {
            return Err(Stopped::Full);
        }
        let &(black, white, side) = key;
        let (stones, side) = ([black, white], usize::from(side));
        let Entry::Open { mut must_play, mut threats, ref mut order, .. } =
            *self.table.get_mut(key).expect("what is worked on was looked at")
        else {
            return Ok(());
        };
        let order = std::mem::take(order);
        let mut children: Vec<Child> = Vec::with_capacity(8);
        let solved = loop {
            // 1. What is known of the actions that count.
            let mut n_live = 0;
            let (mut best, mut best_delta, mut second) = (None, INFINITE, INFINITE);
            let (mut phi, mut delta) = (INFINITE, 0u32);
            let mut win = None;
            let most_live = FIRST + must_play.count_ones() as usize / ONE_IN;
            for (i, &cell) in order.iter().enumerate() {
                if must_play >> cell & 1 == 0 {
                    continue;
                }
                let cell = usize::from(cell);
                let child = match children.iter().find(|child| child.cell == cell) {
                    Some(child) => *child,
                    None => {
                        let mut next = stones;
                        next[side] |= 1 << cell;
                        let child = self.child(&next, 1 - side, Some(cell));
                        children.push(child);
                        child
                    }
                };
                let (child_phi, child_delta) = match self.table.get(&child.key) {
                    // Not looked at yet; later ones are less likely.
                    None => (1, 1 + i as u32 / 4),
                    Some(&Entry::Open { phi, delta, .. }) => (phi, delta),
                    Some(&Entry::Solved { wins: false, carrier }) => {
                        win = Some(self.carrier_before(&child, false, carrier) | 1 << cell);
                        break;
                    }
                    Some(&Entry::Solved { wins: true, carrier }) => {
                        let carrier = self.carrier_before(&child, true, carrier);
                        debug_assert!(carrier >> cell & 1 == 0, "a stone lies there");
                        must_play &= carrier;
                        threats |= carrier;
                        continue;
                    }
                };
                n_live += 1;
                if child_delta < best_delta {
                    second = best_delta;
                    (best, best_delta) = (Some((child, child_phi)), child_delta);
                } else if child_delta < second {
                    second = child_delta;
                }
                phi = phi.min(child_delta);
                delta = (delta + child_phi).min(INFINITE - 1);
                if n_live >= most_live {
                    break;
                }
            }
            if let Some(carrier) = win {
                break Some(Entry::Solved { wins: true, carrier });
            }
            if must_play == 0 {
                break Some(Entry::Solved { wins: false, carrier: threats });
            }
            // 2. Some of those that counted may have left the region since.
            let Some((child, child_phi)) = best.filter(|(child, _)| must_play >> child.cell & 1 == 1) else { continue };
            if phi >= most_phi || delta >= most_delta {
                let entry = Entry::Open { phi, delta, must_play, threats, order };
                self.table.insert(*key, entry);
                return Ok(());
            }
            // 3. On with the most promising one.
            self.look_at(&child);
            let bound_phi = (most_delta - (delta - child_phi.min(delta))).min(INFINITE);
            let bound_delta = most_phi.min(second.saturating_add(1 + second / 4)).min(INFINITE);
            let stopped = self.work(&child.key, bound_phi, bound_delta, is_over);
            if let Err(stopped) = stopped {
                let entry = Entry::Open { phi, delta, must_play, threats, order };
                self.table.insert(*key, entry);
                return Err(stopped);
            }
        };
        if let Some(solved) = solved {
            self.table.insert(*key, solved);
        }
        Ok(())
    }
}

/// How many actions count: so many, and one in so many of the others.
const FIRST: usize = 1;
const ONE_IN: usize = 3;
