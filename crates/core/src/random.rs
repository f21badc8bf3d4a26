//! Seeded, splittable randomness.
//!
//! One seed decides everything. Streams are split by purpose and index, never shared, so that a result does not
//! depend on how many threads there were or in which order they ran.

pub use rand::Rng;
use rand::SeedableRng;

use crate::bits;

/// The fast generator for playouts, searches and traces. Not for a deck that must not be guessed.
pub type FastRng = rand_xoshiro::Xoshiro256PlusPlus;

/// The stream of `seed` for `purpose`, number `index`.
///
/// ```
/// use raichi_core::random::{Rng, stream};
/// let draw = |purpose, index| stream(7, purpose, index).next_u64();
/// assert_eq!(draw("playout", 0), draw("playout", 0));
/// assert_ne!(draw("playout", 0), draw("playout", 1));
/// assert_ne!(draw("playout", 0), draw("deal", 0));
/// ```
pub fn stream(seed: u64, purpose: &str, index: u64) -> FastRng {
    // FNV-1a names the purpose; SplitMix64's finaliser parts neighbouring seeds and indices.
    let name = purpose
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    FastRng::seed_from_u64(mix(mix(mix(seed) ^ name) ^ index))
}

/// SplitMix64's finaliser: a bijection of 64 bits that scatters neighbours.
pub const fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// A uniform index below `n`; see [`below`].
///
/// # Panics
/// In debug builds, when `n` is 0.
#[inline]
pub fn index<R: Rng + ?Sized>(rng: &mut R, n: usize) -> usize {
    below(rng, n as u64) as usize
}

/// A uniform number below `n`, by one widening multiplication; the bias is below n / 2⁶⁴.
///
/// # Panics
/// In debug builds, when `n` is 0.
#[inline]
pub fn below<R: Rng + ?Sized>(rng: &mut R, n: u64) -> u64 {
    debug_assert!(n > 0, "there is nothing to choose from");
    ((u128::from(rng.next_u64()) * u128::from(n)) >> 64) as u64
}

/// The position of a uniformly chosen set bit of `bits`.
///
/// # Panics
/// In debug builds, when no bit is set.
#[inline]
pub fn set_bit<R: Rng + ?Sized>(rng: &mut R, bits: u64) -> u32 {
    bits::nth_one(bits, index(rng, bits.count_ones() as usize) as u32)
}

/// Shuffles `items` uniformly (Fisher and Yates).
pub fn shuffle<T, R: Rng + ?Sized>(rng: &mut R, items: &mut [T]) {
    for i in (1..items.len()).rev() {
        items.swap(i, index(rng, i + 1));
    }
}

/// The index of an entry drawn by integer weight.
///
/// # Panics
/// When all weights are 0.
pub fn weighted<R: Rng + ?Sized>(rng: &mut R, weights: impl Iterator<Item = u64> + Clone) -> usize {
    let total: u64 = weights.clone().sum();
    assert!(total > 0, "a chance node needs an outcome of positive weight");
    let mut left = below(rng, total);
    for (i, weight) in weights.enumerate() {
        if left < weight {
            return i;
        }
        left -= weight;
    }
    unreachable!("the draw is below the total")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn set_bits_are_drawn_evenly() {
        let bits = 0b1011_0000_0000_0001u64;
        let mut rng = stream(1, "test", 0);
        let mut counts = [0u32; 16];
        for _ in 0..40_000 {
            counts[set_bit(&mut rng, bits) as usize] += 1;
        }
        for (bit, &count) in counts.iter().enumerate() {
            // Five standard deviations of a binomial with p = 1/4.
            let expected = if bits >> bit & 1 == 1 { 10_000i64 } else { 0 };
            assert!((i64::from(count) - expected).abs() < 450, "bit {bit} came {count} times");
        }
    }

    #[test]
    fn weights_are_respected() {
        let mut rng = stream(2, "test", 0);
        let mut counts = [0u32; 3];
        for _ in 0..30_000 {
            counts[weighted(&mut rng, [1, 0, 2].into_iter())] += 1;
        }
        assert_eq!(counts[1], 0);
        assert!((9_500..10_500).contains(&counts[0]), "{counts:?}");
    }
}
