//! Seats, and viewers of a position.

use serde::{Deserialize, Serialize};

use crate::bits;

/// A seat's index in order of play, from 0.
pub type Seat = usize;

/// The most seats any game of the collection has (poker).
pub const MAX_SEATS: usize = 10;

/// A set of seats, as a bit mask.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct SeatSet(u16);

impl SeatSet {
    /// No seat.
    pub const EMPTY: SeatSet = SeatSet(0);

    /// Just `seat`.
    #[inline]
    pub const fn one(seat: Seat) -> SeatSet {
        SeatSet(1 << seat)
    }

    /// Seats 0 to `n` − 1.
    pub const fn first_n(n: usize) -> SeatSet {
        SeatSet(((1u32 << n) - 1) as u16)
    }

    /// The seats whose bits are set.
    #[inline]
    pub const fn from_bits(bits: u16) -> SeatSet {
        SeatSet(bits)
    }

    /// Whether `seat` is in the set.
    #[inline]
    pub const fn contains(self, seat: Seat) -> bool {
        seat < 16 && self.0 >> seat & 1 == 1
    }

    /// The set with `seat` in it.
    #[inline]
    #[must_use]
    pub const fn with(self, seat: Seat) -> SeatSet {
        SeatSet(self.0 | 1 << seat)
    }

    /// The set with `seat` taken out.
    #[inline]
    #[must_use]
    pub const fn without(self, seat: Seat) -> SeatSet {
        SeatSet(self.0 & !(1 << seat))
    }

    /// How many seats are in the set.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether nobody is in the set.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The lowest seat.
    ///
    /// # Panics
    /// In debug builds, when the set is empty.
    #[inline]
    pub fn first(self) -> Seat {
        debug_assert!(!self.is_empty(), "an empty set has no first seat");
        self.0.trailing_zeros() as Seat
    }

    /// The seats in ascending order.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Seat> {
        bits::ones([self.0.into()]).map(|seat| seat as Seat)
    }
}

impl FromIterator<Seat> for SeatSet {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> SeatSet {
        seats.into_iter().fold(SeatSet::EMPTY, SeatSet::with)
    }
}

/// Whose view of a position is shown.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Viewer {
    /// A player, who sees what that seat sees.
    Seat(Seat),
    /// Somebody at the table without a seat: sees only what is public.
    Spectator,
    /// Sees everything, for records and referees. Never a client of a running game.
    Referee,
}

impl Viewer {
    /// Whether the viewer holds `seat` or sees everything.
    pub fn is(self, seat: Seat) -> bool {
        self == Viewer::Seat(seat) || self == Viewer::Referee
    }
}
