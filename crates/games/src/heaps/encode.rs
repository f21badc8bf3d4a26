//! Heaps and actions as numbers.

use raichi_core::encoding::{Block, Layout, relative_seat};
use raichi_core::seat::Seat;

use super::{Heaps, Setup, Take};

impl Setup {
    /// The items of each heap, then who is to act.
    pub fn layout(&self, n_seats: usize) -> Layout {
        Layout::new([Block::amounts("heaps", self.sizes.len(), self.largest().into(), "items"), Block::to_act(n_seats)])
    }

    /// What `seat` sees.
    #[inline]
    pub fn observe(&self, heaps: &Heaps, to_act: Seat, seat: Seat, n_seats: usize, observation: &mut [i32]) {
        let (items, rest) = observation.split_at_mut(self.sizes.len());
        for (heap, entry) in (0..).zip(items) {
            *entry = heaps.items(heap).into();
        }
        rest[0] = relative_seat(seat, to_act, n_seats);
    }

    /// How many action numbers there are: equally many for each heap, so some take more than a small heap holds.
    pub fn n_numbers(&self) -> u64 {
        self.sizes.len() as u64 * self.most_at_once()
    }

    /// The number of an action.
    pub fn number(&self, take: Take) -> u64 {
        u64::from(take.heap) * self.most_at_once() + u64::from(take.count) - 1
    }

    /// The action that has this number.
    pub fn numbered(&self, number: u64) -> Option<Take> {
        let (heap, count) = (number / self.most_at_once(), number % self.most_at_once() + 1);
        (number < self.n_numbers()).then_some(Take { heap: heap as u8, count: count as u8 })
    }

    // The most items that any action takes.
    fn most_at_once(&self) -> u64 {
        self.largest().min(self.limit).into()
    }
}
