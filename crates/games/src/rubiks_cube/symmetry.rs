//! The 48 symmetries of a cube: where each takes the faces, and with them cubies and twists.

use super::cube::{CORNER_BITS, CORNERS, Cube, Cubie, EDGE_BITS, EDGES, cubie, field, find};
use super::face::{Face, Twist};

/// The six symmetries that exchange U, R and F come first: they keep the corner that never moves in a cube of size 2.
pub(super) const N_SYMMETRIES: usize = 48;
pub(super) const N_OF_SIZE_2: usize = 6;

/// A rotation or a mirror image.
#[derive(Clone, Copy, Debug)]
pub(super) struct Symmetry {
    faces: [Face; 6],
    mirror: bool,
}

impl Symmetry {
    /// The symmetry number `index`, below 48; 0 is the identity.
    pub(super) fn new(index: usize) -> Symmetry {
        const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]];
        let (order, flips) = (index % 6, index / 6);
        let mut faces = Face::ALL;
        for axis in 0..3 {
            let to = Face::ALL[ORDERS[order][axis]];
            let (face, opposite) = if flips >> axis & 1 == 1 { (to.opposite(), to) } else { (to, to.opposite()) };
            faces[axis] = face;
            faces[axis + 3] = opposite;
        }
        Symmetry { faces, mirror: (order >= 3) != (flips.count_ones() % 2 == 1) }
    }

    pub(super) fn face(&self, face: Face) -> Face {
        self.faces[face as usize]
    }

    pub(super) fn twist(&self, twist: Twist) -> Twist {
        let image = Twist::new(self.face(twist.face()), twist.quarters());
        if self.mirror { image.inverse() } else { image }
    }

    pub(super) fn cube(&self, cube: &Cube) -> Cube {
        Cube {
            corners: self.word(&CORNERS, cube.corners, CORNER_BITS),
            edges: self.word(&EDGES, cube.edges, EDGE_BITS),
        }
    }

    fn word<const N: usize, const M: usize>(&self, slots: &[[Face; N]; M], word: u64, bits: u32) -> u64 {
        (0..M).fold(0, |image, slot| {
            let Cubie { number, turn } = cubie(word, slot, bits);
            let (slot, first_of_slot) = find(slots, slots[slot].map(|face| self.face(face)));
            let (number, first_of_cubie) = find(slots, slots[number].map(|face| self.face(face)));
            // In a mirror, faces clockwise round a corner go the other way.
            let turn = if self.mirror { N - turn } else { turn };
            let turn = (first_of_slot + N - first_of_cubie + turn) % N;
            image | field(Cubie { number, turn }, slot, bits)
        })
    }
}
