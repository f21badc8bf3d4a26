//! What was proven: payoffs, and after how many plies they are paid.
//!
//! There are far fewer different ones than proven nodes, so each is kept once, in a table of fixed size that threads
//! read and fill without locks. A proof for which there is no room is not recorded: then less is proven, and nothing
//! wrong.

use std::sync::atomic::{AtomicU64, Ordering};

use raichi_core::game::Payoffs;
use raichi_core::random::mix;
use raichi_machine::Zeroed;

/// How far from its place a proof may lie.
const MOST_PROBES: usize = 64;

// The lowest bits of a record's first word; the others are of its hash. 0 is no record.
const CLAIMED: u64 = 1;
const READY: u64 = 2;

/// A table of proofs, found by their number.
pub(super) struct Proofs {
    n_seats: usize,
    /// Records of a word, the payoffs by seat, and the plies.
    words: Zeroed<AtomicU64>,
    /// A power of two.
    n_records: usize,
}

impl Proofs {
    pub(super) const fn bytes_per_proof(n_seats: usize) -> usize {
        8 * (n_seats + 2)
    }

    /// Room for at most so many proofs: the next lower power of two.
    pub(super) fn new(n_seats: usize, at_most: usize) -> Proofs {
        let n_records = 1 << at_most.max(1).ilog2();
        let words = Zeroed::new(n_records * (n_seats + 2)).expect("the system has some memory left");
        Proofs { n_seats, words, n_records }
    }

    pub(super) fn clear(&mut self) {
        let width = self.n_seats + 2;
        self.words.iter().step_by(width).for_each(|word| word.store(0, Ordering::Relaxed));
    }

    /// The number of a proof; `None` where it is not recorded.
    pub(super) fn record(&self, payoffs: &Payoffs, n_plies: f64) -> Option<u32> {
        // With 0 added, −0 is 0.
        let numbers = || payoffs.as_slice().iter().chain([&n_plies]).map(|x| (x + 0.0).to_bits());
        let hash = numbers().fold(0, |hash, bits| mix(hash ^ bits));
        let mark = hash & !(CLAIMED | READY);
        for probe in 0..MOST_PROBES.min(self.n_records) {
            let at = (hash as usize).wrapping_add(probe) & (self.n_records - 1);
            let record = &self.words[at * (self.n_seats + 2)..][..self.n_seats + 2];
            // Most are there already; to read them costs less than to try to write.
            let claim = match record[0].load(Ordering::Acquire) {
                0 => record[0].compare_exchange(0, mark | CLAIMED, Ordering::Acquire, Ordering::Acquire),
                there => Err(there),
            };
            match claim {
                Ok(_) => {
                    record[1..].iter().zip(numbers()).for_each(|(word, bits)| word.store(bits, Ordering::Relaxed));
                    record[0].store(mark | READY, Ordering::Release);
                    return Some(at as u32);
                }
                Err(there) if there == mark | READY => {
                    if record[1..].iter().zip(numbers()).all(|(word, bits)| word.load(Ordering::Relaxed) == bits) {
                        return Some(at as u32);
                    }
                }
                // Another thread is writing what may be the same: this time it is not recorded.
                Err(there) if there == mark | CLAIMED => return None,
                Err(_) => {}
            }
        }
        None
    }

    fn numbers(&self, at: u32) -> impl Iterator<Item = f64> {
        let record = &self.words[at as usize * (self.n_seats + 2)..][..self.n_seats + 2];
        record[1..].iter().map(|word| f64::from_bits(word.load(Ordering::Relaxed)))
    }

    #[inline]
    pub(super) fn payoffs(&self, at: u32) -> Payoffs {
        Payoffs::new(self.numbers(at).take(self.n_seats))
    }

    #[inline]
    pub(super) fn payoff(&self, at: u32, seat: usize) -> f64 {
        f64::from_bits(self.words[at as usize * (self.n_seats + 2) + 1 + seat].load(Ordering::Relaxed))
    }

    /// After how many plies it is paid.
    #[inline]
    pub(super) fn n_plies(&self, at: u32) -> f64 {
        self.payoff(at, self.n_seats)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_proofs_have_one_number_until_the_table_is_full() {
        let mut proofs = Proofs::new(2, 200);
        let made: Vec<_> = (0..128).map(|i| proofs.record(&Payoffs::new([f64::from(i), -1.0]), 3.0)).collect();
        let found = made.iter().flatten().count();
        assert!(found > 120, "{found}");
        for (i, number) in made.iter().enumerate() {
            let Some(number) = *number else { continue };
            assert_eq!(proofs.record(&Payoffs::new([i as f64, -1.0]), 3.0), Some(number));
            assert_eq!(proofs.payoffs(number).as_slice(), [i as f64, -1.0]);
            assert_eq!((proofs.payoff(number, 1), proofs.n_plies(number)), (-1.0, 3.0));
        }
        proofs.clear();
        let zero = proofs.record(&Payoffs::new([0.0, 0.0]), 0.0);
        assert!(zero.is_some() && zero == proofs.record(&Payoffs::new([-0.0, 0.0]), 0.0));
        assert_ne!(zero, proofs.record(&Payoffs::new([0.0, 0.0]), 1.0));
    }
}
