//! Where the cubies are, in two words, and how a twist moves them.
//!
//! A field of bits for each slot says which cubie is there and how it is turned. A twist moves four fields: those that
//! move by the same distance are moved together, by one rotation of the word. The slots are numbered, by a search over
//! all numberings, so that the four corners of every twist take two rotations and its four edges at most three.

use serde::{Deserialize, Serialize};

use super::face::Face::{self, B, D, F, L, R, U};
use super::face::{N_TWISTS, Twist};

/// The corners' slots by the faces they touch, clockwise as seen from outside, U or D first. The last corner never moves
/// in a cube of size 2.
pub const CORNERS: [[Face; 3]; 8] =
    [[U, R, F], [U, F, L], [U, L, B], [U, B, R], [D, L, F], [D, F, R], [D, R, B], [D, B, L]];
/// The edges' slots by the faces they touch: U or D first, else F or B.
pub const EDGES: [[Face; 2]; 12] =
    [[U, R], [U, F], [B, R], [U, L], [U, B], [F, L], [D, L], [D, F], [B, L], [D, R], [D, B], [F, R]];

/// The bits of a slot. The low four say which cubie is there, those above how it is turned. A corner has a bit to spare,
/// in which two turns can be added before they are reduced to less than three.
pub(super) const CORNER_BITS: u32 = 8;
pub(super) const EDGE_BITS: u32 = 5;
const TURN_AT: u32 = 4;

/// A cubie in a slot. Both are numbered alike: in a solved cube every cubie is in the slot of its number, not turned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cubie {
    /// Which cubie it is.
    pub number: usize,
    /// How far it is turned: its first sticker is on the slot's face of this number.
    pub turn: usize,
}

/// The corners and the edges of a cube of size 3. A cube of size 2 is its corners alone.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Cube {
    pub(super) corners: u64,
    pub(super) edges: u64,
}

impl Cube {
    /// Every face in one colour.
    pub const SOLVED: Cube = Cube { corners: in_order(8, CORNER_BITS), edges: in_order(12, EDGE_BITS) };

    /// Twists a cube of size 3.
    #[inline]
    pub fn twist(&mut self, twist: Twist) {
        self.twist_corners(twist);
        let transfer = &EDGE_TRANSFERS[twist.index()];
        self.edges = transfer.apply(self.edges) ^ transfer.turn;
    }

    /// Twists a cube of size 2.
    #[inline]
    pub fn twist_corners(&mut self, twist: Twist) {
        let transfer = &CORNER_TRANSFERS[twist.index()];
        self.corners = reduced(transfer.apply(self.corners) + transfer.turn);
    }

    /// Which corner is in a slot, below 8.
    pub fn corner(&self, slot: usize) -> Cubie {
        cubie(self.corners, slot, CORNER_BITS)
    }

    /// Which edge is in a slot, below 12.
    pub fn edge(&self, slot: usize) -> Cubie {
        cubie(self.edges, slot, EDGE_BITS)
    }

    /// The colour of the sticker on the first of these faces, of the cubie that touches them all.
    pub(super) fn colour(&self, at: &[Face]) -> Face {
        match *at {
            [first, second, third] => colour(&CORNERS, self.corners, CORNER_BITS, [first, second, third]),
            [first, second] => colour(&EDGES, self.edges, EDGE_BITS, [first, second]),
            _ => at[0],
        }
    }
}

fn colour<const N: usize, const M: usize>(slots: &[[Face; N]; M], word: u64, bits: u32, at: [Face; N]) -> Face {
    let (slot, nth) = find(slots, at);
    let Cubie { number, turn } = cubie(word, slot, bits);
    slots[number][(nth + N - turn) % N]
}

pub(super) const fn cubie(word: u64, slot: usize, bits: u32) -> Cubie {
    let field = word >> (bits * slot as u32) & ((1 << bits) - 1);
    Cubie { number: (field & 15) as usize, turn: (field >> TURN_AT) as usize }
}

pub(super) const fn field(cubie: Cubie, slot: usize, bits: u32) -> u64 {
    ((cubie.number | cubie.turn << TURN_AT) as u64) << (bits * slot as u32)
}

const fn in_order(n_slots: usize, bits: u32) -> u64 {
    let (mut word, mut slot) = (0, 0);
    while slot < n_slots {
        word |= field(Cubie { number: slot, turn: 0 }, slot, bits);
        slot += 1;
    }
    word
}

/// Turns from 0 to 4 in all corners at once, made less than three.
#[inline]
const fn reduced(corners: u64) -> u64 {
    const ONE_EACH: u64 = 0x1010_1010_1010_1010;
    let three_or_more = (corners + ONE_EACH) >> 2 & ONE_EACH;
    corners - 3 * three_or_more
}

/// What a twist does to the slots of one word: `GROUPS` groups of them move, each by one distance.
struct Transfer<const GROUPS: usize> {
    stay: u64,
    moved: [u64; GROUPS],
    by: [u32; GROUPS],
    /// How far the cubies are turned that have arrived.
    turn: u64,
}

impl<const GROUPS: usize> Transfer<GROUPS> {
    #[inline]
    fn apply(&self, word: u64) -> u64 {
        let groups = self.moved.iter().zip(&self.by);
        groups.fold(word & self.stay, |result, (moved, &by)| result | (word & moved).rotate_left(by))
    }
}

static CORNER_TRANSFERS: [Transfer<2>; N_TWISTS] = transfers(&CORNERS, CORNER_BITS);
static EDGE_TRANSFERS: [Transfer<3>; N_TWISTS] = transfers(&EDGES, EDGE_BITS);

const fn transfers<const N: usize, const M: usize, const GROUPS: usize>(
    slots: &[[Face; N]; M],
    bits: u32,
) -> [Transfer<GROUPS>; N_TWISTS] {
    let mut transfers = [const { Transfer { stay: !0, moved: [0; GROUPS], by: [0; GROUPS], turn: 0 } }; N_TWISTS];
    let mut i = 0;
    while i < N_TWISTS {
        let twist = Twist::from_index(i);
        let mut slot = 0;
        while slot < M {
            if touches(&slots[slot], twist.face()) {
                add_slot(&mut transfers[i], slots, bits, twist, slot);
            }
            slot += 1;
        }
        i += 1;
    }
    transfers
}

/// Adds a slot to the group that moves by the same distance.
const fn add_slot<const N: usize, const M: usize, const GROUPS: usize>(
    transfer: &mut Transfer<GROUPS>,
    slots: &[[Face; N]; M],
    bits: u32,
    twist: Twist,
    slot: usize,
) {
    let mut arriving = slots[slot];
    let mut nth = 0;
    while nth < N {
        arriving[nth] = arriving[nth].twisted(twist);
        nth += 1;
    }
    let (to, turn) = find(slots, arriving);
    let field_of_slot = ((1 << bits) - 1) << (bits * slot as u32);
    let by = (u64::BITS + bits * to as u32 - bits * slot as u32) % u64::BITS;
    let mut group = 0;
    while transfer.moved[group] != 0 && transfer.by[group] != by {
        group += 1;
    }
    transfer.by[group] = by;
    transfer.moved[group] |= field_of_slot;
    transfer.stay &= !field_of_slot;
    transfer.turn |= field(Cubie { number: 0, turn }, to, bits);
}

/// The slot that touches all these faces, and at which place it names the first of them.
pub(super) const fn find<const N: usize, const M: usize>(slots: &[[Face; N]; M], faces: [Face; N]) -> (usize, usize) {
    let mut slot = 0;
    while !touches_all(&slots[slot], &faces) {
        slot += 1;
    }
    let mut nth = 0;
    while slots[slot][nth] as u8 != faces[0] as u8 {
        nth += 1;
    }
    (slot, nth)
}

const fn touches_all<const N: usize>(slot: &[Face; N], faces: &[Face; N]) -> bool {
    let mut nth = 0;
    while nth < N {
        if !touches(slot, faces[nth]) {
            return false;
        }
        nth += 1;
    }
    true
}

const fn touches<const N: usize>(slot: &[Face; N], face: Face) -> bool {
    let mut nth = 0;
    while nth < N {
        if slot[nth] as u8 == face as u8 {
            return true;
        }
        nth += 1;
    }
    false
}
