//! The eleven points, numbered column by column: `A` is 0, `1` to `9` are themselves, `B` is 10.
//!
//! ```text
//!     1---4---7
//!   / | \ | / | \
//! A---2---5---8---B
//!   \ | / | \ | /
//!     3---6---9
//! ```

use raichi_core::bits;

pub(super) type Point = u8;

/// A bit a point.
pub(super) type Points = u16;

pub(super) const N_POINTS: usize = 11;
pub(super) const ALL: Points = (1 << N_POINTS) - 1;

const LAST: Point = N_POINTS as Point - 1;

/// The pairs of points with a line between them.
pub(super) const LINES: [(Point, Point); 22] = [
    (0, 1),
    (0, 2),
    (0, 3), // from A
    (1, 2),
    (2, 3),
    (4, 5),
    (5, 6),
    (7, 8),
    (8, 9), // within a column
    (1, 4),
    (2, 5),
    (3, 6),
    (4, 7),
    (5, 8),
    (6, 9), // straight ahead
    (1, 5),
    (3, 5),
    (5, 7),
    (5, 9), // across
    (7, LAST),
    (8, LAST),
    (9, LAST), // to B
];

/// The points a line away from each point.
pub(super) const BESIDE: [Points; N_POINTS] = joined(false);

/// The points a line away from each point and not in a smaller column.
pub(super) const AHEAD: [Points; N_POINTS] = joined(true);

const fn joined(never_back: bool) -> [Points; N_POINTS] {
    let mut joined = [0; N_POINTS];
    let mut i = 0;
    while i < LINES.len() {
        let (one, other) = LINES[i];
        joined[one as usize] |= bit(other);
        if !never_back || column(one) == column(other) {
            joined[other as usize] |= bit(one);
        }
        i += 1;
    }
    joined
}

/// The points of smaller columns.
pub(super) const BEHIND: [Points; N_POINTS] = behind();

const fn behind() -> [Points; N_POINTS] {
    let mut behind = [0; N_POINTS];
    let mut point = 0;
    while point < N_POINTS {
        // All points below the first one of the column.
        behind[point] = match column(point as Point) {
            0 => 0,
            column => bit(3 * column - 2) - 1,
        };
        point += 1;
    }
    behind
}

#[inline]
pub(super) const fn bit(point: Point) -> Points {
    1 << point
}

/// The lowest of some points; points of smaller columns are lower.
#[inline]
pub(super) fn lowest(points: Points) -> Point {
    points.trailing_zeros() as Point
}

/// The column, 0 to 4.
pub(super) const fn column(point: Point) -> u8 {
    point.div_ceil(3)
}

#[inline]
pub(super) fn highest(points: Points) -> Point {
    points.ilog2() as Point
}

/// Points in ascending order.
pub(super) fn each(points: Points) -> impl Iterator<Item = Point> {
    bits::ones([points.into()]).map(|point| point as Point)
}

/// The point on the other side of the line from A to B.
pub(super) fn mirrored(point: Point) -> Point {
    // The points of a column, reversed.
    if point == 0 || point == LAST { point } else { 6 * column(point) - 2 - point }
}

/// The points beside B.
pub(super) const LAST_COLUMN: Points = bit(7) | bit(8) | bit(9);

/// The columns of some men added up: one more for each step ahead.
#[inline]
pub(super) fn sum_of_columns(men: Points) -> u64 {
    // Of the men in each column, as many of the four copies are counted as the column's number says.
    const COPIES: u64 = 0x0001_0001_0001_0001;
    const FROM_COLUMN: u64 = 0x0400_0780_07f0_07fe;
    ((u64::from(men) * COPIES) & FROM_COLUMN).count_ones().into()
}
