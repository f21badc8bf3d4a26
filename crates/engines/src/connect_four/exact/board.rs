//! Boards of all sizes as bits, for the search: column by column from the left, each column from the bottom up, with one bit
//! above every column that stays empty.
//!
//! What depends on the size comes from a [`Shape`]. The standard board's are constants, so that its search is compiled with
//! them; other boards carry theirs, in one word where they fit and in two where they do not.

use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

/// A set of cells in as many bits as a board needs.
pub(super) trait Cells:
    Copy
    + Eq
    + Ord
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    const NONE: Self;

    fn of(cells: u128) -> Self;
    fn wide(self) -> u128;
    fn n(self) -> u32;
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    /// The lowest cell of the set, if there is one.
    fn lowest(self) -> Self;
    /// The number of the lowest cell of a set that has one.
    fn first(self) -> u32;
    /// A one-to-one image of the lowest so many bits, in as many upper bits, of which the highest depend on all; as upper and
    /// lower word.
    fn spread(self, n_bits: u32) -> [u64; 2];

    #[inline]
    fn is_none(self) -> bool {
        self == Self::NONE
    }

    /// Whether it has two cells or more.
    #[inline]
    fn is_several(self) -> bool {
        self != self.lowest()
    }
}

macro_rules! cells {
    ($word:ty, $spread:expr) => {
        impl Cells for $word {
            const NONE: Self = 0;

            #[inline]
            fn of(cells: u128) -> Self {
                cells as $word
            }
            #[inline]
            fn wide(self) -> u128 {
                self as u128
            }
            #[inline]
            fn n(self) -> u32 {
                self.count_ones()
            }
            #[inline]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            #[inline]
            fn minus(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
            #[inline]
            fn lowest(self) -> Self {
                self & self.wrapping_neg()
            }
            #[inline]
            fn first(self) -> u32 {
                self.trailing_zeros()
            }
            #[inline]
            fn spread(self, n_bits: u32) -> [u64; 2] {
                $spread(self, n_bits)
            }
        }
    };
}

// Odd factors are one to one, and the upper bits of a product depend on all bits of the number.
const FACTOR: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;

cells!(u64, |cells: u64, n_bits| [cells.wrapping_mul(FACTOR as u64) << (64 - n_bits), 0]);
cells!(u128, |cells: u128, n_bits| {
    let product = cells.wrapping_mul(FACTOR) << (128 - n_bits);
    [(product >> 64) as u64, product as u64]
});

/// The size of a board, and what follows from it.
pub(super) trait Shape: Copy + Send + Sync + 'static {
    type Cells: Cells;

    fn width(self) -> u32;
    fn height(self) -> u32;
    /// All cells.
    fn board(self) -> Self::Cells;
    /// The lowest cell of every column.
    fn bottom(self) -> Self::Cells;
    /// Every second row, the highest among them.
    fn upper_rows(self) -> Self::Cells;

    /// Bits a column.
    #[inline]
    fn stride(self) -> u32 {
        self.height() + 1
    }

    /// Bits a board.
    #[inline]
    fn n_bits(self) -> u32 {
        self.width() * self.stride()
    }

    #[inline]
    fn column(self, column: u32) -> Self::Cells {
        Self::Cells::of(((1 << self.height()) - 1) << (column * self.stride()))
    }
}

/// Seven columns, six rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Standard;

impl Shape for Standard {
    type Cells = u64;

    #[inline]
    fn width(self) -> u32 {
        7
    }
    #[inline]
    fn height(self) -> u32 {
        6
    }
    #[inline]
    fn board(self) -> u64 {
        const { rows(7, 6, 0b11_1111) as u64 }
    }
    #[inline]
    fn bottom(self) -> u64 {
        const { rows(7, 6, 1) as u64 }
    }
    #[inline]
    fn upper_rows(self) -> u64 {
        const { rows(7, 6, upper(6)) as u64 }
    }
}

/// Any size that fits in as many bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct AnySize<C> {
    width: u32,
    height: u32,
    board: C,
    bottom: C,
    upper_rows: C,
}

impl<C: Cells> AnySize<C> {
    pub(super) fn new(width: u32, height: u32) -> AnySize<C> {
        let of = |column| C::of(rows(width, height, column));
        AnySize { width, height, board: of((1 << height) - 1), bottom: of(1), upper_rows: of(upper(height)) }
    }
}

impl<C: Cells> Shape for AnySize<C> {
    type Cells = C;

    #[inline]
    fn width(self) -> u32 {
        self.width
    }
    #[inline]
    fn height(self) -> u32 {
        self.height
    }
    #[inline]
    fn board(self) -> C {
        self.board
    }
    #[inline]
    fn bottom(self) -> C {
        self.bottom
    }
    #[inline]
    fn upper_rows(self) -> C {
        self.upper_rows
    }
}

/// The same cells in every column.
const fn rows(width: u32, height: u32, column: u128) -> u128 {
    let (mut cells, mut i) = (0, 0);
    while i < width {
        cells |= column << (i * (height + 1));
        i += 1;
    }
    cells
}

/// Every second cell of a column down from its highest one.
const fn upper(height: u32) -> u128 {
    let (mut cells, mut row) = (0, height as i32 - 1);
    while row >= 0 {
        cells |= 1 << row;
        row -= 2;
    }
    cells
}

/// The empty cells with which `own` has four in a row.
#[inline]
pub(super) fn threats<S: Shape>(shape: S, own: S::Cells, all: S::Cells) -> S::Cells {
    let mut found = own << 1 & own << 2 & own << 3;
    for step in [shape.stride() - 1, shape.stride(), shape.stride() + 1] {
        let (up, down) = (own << step, own >> step);
        let (pair_above, pair_below) = (down & own >> (2 * step), up & own << (2 * step));
        found = found | pair_below & (down | own << (3 * step)) | pair_above & (up | own >> (3 * step));
    }
    found & shape.board() & !all
}

/// Whether there are four in a row.
#[inline]
pub(super) fn has_line<S: Shape>(shape: S, cells: S::Cells) -> bool {
    let found =
        [1, shape.stride() - 1, shape.stride(), shape.stride() + 1].into_iter().fold(S::Cells::NONE, |found, step| {
            let pairs = cells & cells >> step;
            found | pairs & pairs >> (2 * step)
        });
    !found.is_none()
}

/// The cells on which the next stone of each column falls.
#[inline]
pub(super) fn landing<S: Shape>(shape: S, all: S::Cells) -> S::Cells {
    // The carry of the sum climbs to the lowest empty cell.
    all.plus(shape.bottom()) & shape.board()
}

/// The position's number among all of this shape: in each column the own stones as bits, below a one where the stones end
/// (both together the sum of own and all stones, but for a constant).
#[inline]
pub(super) fn key<C: Cells>(own: C, all: C) -> C {
    own.plus(all)
}

/// The key of the mirrored position.
#[inline]
pub(super) fn mirrored<S: Shape>(shape: S, key: S::Cells) -> S::Cells {
    let column = S::Cells::of((1 << shape.stride()) - 1);
    let mut image = S::Cells::NONE;
    for i in 0..shape.width() {
        let bits = key >> (i * shape.stride()) & column;
        image = image | bits << ((shape.width() - 1 - i) * shape.stride());
    }
    image
}
