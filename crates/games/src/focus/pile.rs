//! A pile of up to five pieces in a byte.

use raichi_core::seat::Seat;
use serde::{Deserialize, Serialize};

/// The most pieces a pile may hold.
pub const TALLEST: u8 = 5;

/// A pile: a bit a piece, the seat that owns it, the top one lowest. A one above them marks the height.
///
/// ```text
/// 0000 0001   no piece        0000 1011   seat 1's two on top of one of seat 0's
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Pile(u8);

impl Pile {
    /// No piece.
    pub const EMPTY: Pile = Pile(1);

    /// One piece.
    #[inline]
    pub const fn single(seat: Seat) -> Pile {
        Pile(2 | seat as u8)
    }

    #[inline]
    pub(super) const fn byte(self) -> u8 {
        self.0
    }

    /// How many pieces there are.
    #[inline]
    pub const fn height(self) -> u8 {
        self.0.ilog2() as u8
    }

    /// Whose piece is on top.
    #[inline]
    pub fn owner(self) -> Option<Seat> {
        (self != Pile::EMPTY).then_some(usize::from(self.0 & 1))
    }

    /// Whose the pieces are, from the top.
    pub fn pieces(self) -> impl DoubleEndedIterator<Item = Seat> {
        (0..self.height()).map(move |i| usize::from(self.0 >> i & 1))
    }

    /// The same pile with one more piece at the bottom; `None` where it holds five already.
    pub fn on(self, lowest: Seat) -> Option<Pile> {
        let mark = 1 << self.height();
        (self.height() < TALLEST).then(|| Pile(self.0 + mark + (lowest as u8) * mark))
    }

    /// The same pile with the colours exchanged.
    #[inline]
    pub(super) const fn with_colours_exchanged(self) -> Pile {
        Pile(self.0 ^ ((1 << self.height()) - 1))
    }

    /// How many pieces are this seat's.
    #[inline]
    pub const fn count(self, seat: Seat) -> u8 {
        let of_seat_1 = self.0.count_ones() as u8 - 1;
        if seat == 1 { of_seat_1 } else { self.height() - of_seat_1 }
    }

    /// What is left, and the `n` topmost pieces; there are as many.
    #[inline]
    pub const fn take(self, n: u8) -> (Pile, Pile) {
        let height_mark = 1 << n;
        (Pile(self.0 >> n), Pile(self.0 & (height_mark - 1) | height_mark))
    }

    /// The pile with `top` put on it, and what leaves it from the bottom then.
    #[inline]
    pub const fn put(self, top: Pile) -> (Pile, Pile) {
        let all = (self.0 as u16) << top.height() | top.0 as u16 & ((1 << top.height()) - 1);
        let tallest = 1 << TALLEST;
        if all < 2 * tallest {
            (Pile(all as u8), Pile::EMPTY)
        } else {
            (Pile((all & (tallest - 1) | tallest) as u8), Pile((all >> TALLEST) as u8))
        }
    }
}
