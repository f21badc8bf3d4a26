//! Sets kept as the bits of words: their members one by one, and any of them by its rank.

/// The positions of the bits that are set, in ascending order; those of the second word from 64 on, and so forth.
///
/// ```
/// let mut ones = raichi_core::bits::ones([0b1010, 1]);
/// assert_eq!([ones.next(), ones.next(), ones.next(), ones.next()], [Some(1), Some(3), Some(64), None]);
/// ```
#[inline]
pub fn ones<const N: usize>(mut words: [u64; N]) -> impl Iterator<Item = u32> {
    let mut i = 0;
    std::iter::from_fn(move || {
        while i < N && words[i] == 0 {
            i += 1;
        }
        let word = words.get_mut(i)?;
        let bit = word.trailing_zeros();
        *word &= *word - 1;
        Some(64 * i as u32 + bit)
    })
}

/// The position of the `n`-th set bit of `bits`, from 0 at the low end.
///
/// Without a loop, whose end no processor can foretell: all bytes' set bits are counted side by side, and a table ends
/// the search within the byte (Vigna, *Broadword implementation of rank/select queries*, 2008).
///
/// # Panics
/// In debug builds, when fewer than `n` + 1 bits are set.
#[inline]
pub fn nth_one(bits: u64, n: u32) -> u32 {
    debug_assert!(n < bits.count_ones(), "the bit asked for is not there");
    const fn each_byte(byte: u64) -> u64 {
        byte * 0x0101_0101_0101_0101
    }
    let pairs = bits - (bits >> 1 & each_byte(0x55));
    let nibbles = (pairs & each_byte(0x33)) + (pairs >> 2 & each_byte(0x33));
    let bytes = (nibbles + (nibbles >> 4)) & each_byte(0x0f);
    // In each byte how many bits are set in it and in all below.
    let so_far = bytes.wrapping_mul(each_byte(1));
    // The top bit stays where that is n at most: the bit sought lies above.
    let too_low = (each_byte(0x80 | u64::from(n)) - so_far) & each_byte(0x80);
    let first = 8 * too_low.count_ones();
    let n_below = (so_far << 8) >> first & 0xff;
    let byte = bits >> first & 0xff;
    first + u32::from(NTH_IN_BYTE[(u64::from(n) - n_below) as usize & 7][byte as usize])
}

/// The position of the n-th set bit of a byte, by n and byte; 0 where there is none.
static NTH_IN_BYTE: [[u8; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let (mut n, mut bit) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[n][byte] = bit;
                n += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// The position of the `n`-th bit set in some words, counted as [`ones`] does.
///
/// # Panics
/// When fewer than `n` + 1 bits are set.
#[inline]
pub fn nth_of<const N: usize>(words: [u64; N], mut n: u32) -> u32 {
    let mut i = 0;
    while n >= words[i].count_ones() {
        n -= words[i].count_ones();
        i += 1;
    }
    64 * i as u32 + nth_one(words[i], n)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Rng, stream};

    #[test]
    fn the_nth_bit_is_found_as_by_counting() {
        let by_counting = |bits: u64| (0..64).filter(move |bit| bits >> bit & 1 == 1);
        let mut rng = stream(3, "test", 0);
        let dense = (0..500).map(|_| rng.next_u64()).collect::<Vec<_>>();
        let sparse = dense.windows(3).map(|bits| bits[0] & bits[1] & bits[2]).collect::<Vec<_>>();
        let single = (0..64).map(|bit| 1 << bit);
        for bits in dense.into_iter().chain(sparse).chain(single).chain([0, u64::MAX, 0xff << 56]) {
            assert!(ones([bits]).eq(by_counting(bits)), "{bits:#x}");
            for (n, bit) in (0..).zip(by_counting(bits)) {
                assert_eq!(nth_one(bits, n), bit, "bit {n} of {bits:#x}");
            }
        }
    }

    #[test]
    fn words_follow_one_another() {
        let mut rng = stream(4, "test", 0);
        for _ in 0..100 {
            let words = [rng.next_u64() & rng.next_u64(), 0, rng.next_u64(), 1 << 63];
            let all: Vec<u32> = ones(words).collect();
            assert!((0..256).filter(|&bit| words[bit as usize / 64] >> (bit % 64) & 1 == 1).eq(all.iter().copied()));
            assert!((0..).zip(&all).all(|(n, &bit)| nth_of(words, n) == bit));
        }
    }
}
