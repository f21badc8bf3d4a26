//! The six faces, how they lie in the unfolded cube, and twists.

use serde::{Deserialize, Serialize};

/// A face, and the colour that it has when the cube is solved.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[repr(u8)]
pub enum Face {
    /// Up.
    U,
    /// Right.
    R,
    /// Front.
    F,
    /// Down.
    D,
    /// Left.
    L,
    /// Back.
    B,
}

use Face::{B, D, F, L, R, U};

// Above, right, below and left of each face in the unfolded cube:
//
//       U
//     L F R B
//       D
//
// That is clockwise as seen from outside, so it is also the way stickers go in a clockwise twist.
const AROUND: [[Face; 4]; 6] = [[B, R, F, L], [U, B, D, F], [U, R, D, L], [F, R, B, L], [U, F, D, B], [U, L, D, R]];

impl Face {
    /// All six; those that turn in a cube of size 2 first.
    pub const ALL: [Face; 6] = [U, R, F, D, L, B];

    /// The face on the other side.
    pub const fn opposite(self) -> Face {
        Face::ALL[(self as usize + 3) % 6]
    }

    /// The faces above, right of, below and left of this one in the unfolded cube.
    pub const fn around(self) -> [Face; 4] {
        AROUND[self as usize]
    }

    /// The face on which `twist` puts the stickers of this face that it moves.
    pub const fn twisted(self, twist: Twist) -> Face {
        let around = twist.face().around();
        let mut i = 0;
        while i < 4 {
            if around[i] as u8 == self as u8 {
                return around[(i + twist.quarters() as usize) % 4];
            }
            i += 1;
        }
        self
    }

    /// Singmaster's letter.
    pub const fn letter(self) -> char {
        ['U', 'R', 'F', 'D', 'L', 'B'][self as usize]
    }
}

/// A turn of one face: `face * 3 + quarters − 1`, below 18.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Twist(u8);

/// How many twists there are of all faces.
pub(super) const N_TWISTS: usize = 18;

impl Twist {
    /// The turn of `face` by so many quarters clockwise, from 1 to 3, as seen from outside.
    pub const fn new(face: Face, quarters: u8) -> Twist {
        debug_assert!(1 <= quarters && quarters <= 3, "a twist is one to three quarter turns");
        Twist(face as u8 * 3 + quarters - 1)
    }

    /// The twist number `index`, below 18.
    pub(super) const fn from_index(index: usize) -> Twist {
        debug_assert!(index < N_TWISTS, "there are 18 twists");
        Twist(index as u8)
    }

    /// The twist's number, below 18.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The face that turns.
    #[inline]
    pub const fn face(self) -> Face {
        Face::ALL[self.0 as usize / 3]
    }

    /// Quarter turns clockwise, from 1 to 3.
    #[inline]
    pub const fn quarters(self) -> u8 {
        self.0 % 3 + 1
    }

    /// The twist that undoes this one.
    #[must_use]
    pub const fn inverse(self) -> Twist {
        Twist::new(self.face(), 4 - self.quarters())
    }
}
