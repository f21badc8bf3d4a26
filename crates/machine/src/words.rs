//! Four words of 64 bits side by side.

use std::ops::{Add, BitAnd, BitOr, Not, Shl, Shr, Sub};

/// Four words of 64 bits, with all of which an instruction works at once where the processor has such. Sums and differences wrap.
/// [`Instructions`](super::Instructions) make them.
pub trait Words:
    Copy
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Not<Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Shl<Output = Self>
    + Shr<Output = Self>
{
    /// All ones where a word is 0, and 0 elsewhere.
    fn is_zero(self) -> Self;

    /// The bits that any of the four has.
    fn any(self) -> u64;
}

/// An array, for any processor. Words shifted by 64 bits and more are 0.
#[derive(Clone, Copy, Debug)]
pub struct Plain(pub(crate) [u64; 4]);

impl Plain {
    #[inline(always)]
    fn with(self, other: Plain, f: impl Fn(u64, u64) -> u64) -> Plain {
        Plain(std::array::from_fn(|i| f(self.0[i], other.0[i])))
    }
}

impl Words for Plain {
    #[inline(always)]
    fn is_zero(self) -> Plain {
        Plain(self.0.map(|word| if word == 0 { !0 } else { 0 }))
    }

    #[inline(always)]
    fn any(self) -> u64 {
        self.0.into_iter().fold(0, |all, word| all | word)
    }
}

impl Not for Plain {
    type Output = Plain;

    #[inline(always)]
    fn not(self) -> Plain {
        Plain(self.0.map(|word| !word))
    }
}

/// The operators of two operands, for both kinds of words.
macro_rules! operators {
    ($($operator:ident $method:ident $plain:expr, $vector:ident;)*) => { $(
        impl $operator for Plain {
            type Output = Plain;

            #[inline(always)]
            fn $method(self, other: Plain) -> Plain {
                self.with(other, $plain)
            }
        }

        #[cfg(target_arch = "x86_64")]
        impl $operator for Avx2 {
            type Output = Avx2;

            #[inline(always)]
            fn $method(self, other: Avx2) -> Avx2 {
                // SAFETY: there are such words only where the processor has AVX2.
                Avx2(unsafe { std::arch::x86_64::$vector(self.0, other.0) })
            }
        }
    )* };
}

operators! {
    BitAnd bitand |a, b| a & b, _mm256_and_si256;
    BitOr bitor |a, b| a | b, _mm256_or_si256;
    Add add u64::wrapping_add, _mm256_add_epi64;
    Sub sub u64::wrapping_sub, _mm256_sub_epi64;
    Shl shl |word, by| if by < 64 { word << by } else { 0 }, _mm256_sllv_epi64;
    Shr shr |word, by| if by < 64 { word >> by } else { 0 }, _mm256_srlv_epi64;
}

#[cfg(target_arch = "x86_64")]
pub(crate) use vector::Avx2;

#[cfg(target_arch = "x86_64")]
mod vector {
    use std::arch::x86_64::{
        __m256i, _mm_cvtsi128_si64, _mm_or_si128, _mm_unpackhi_epi64, _mm256_castsi256_si128, _mm256_cmpeq_epi64,
        _mm256_extracti128_si256, _mm256_set1_epi64x, _mm256_setr_epi64x, _mm256_xor_si256,
    };
    use std::ops::Not;

    use super::Words;

    /// A vector of AVX2. Only [`V3`](crate::V3) makes the first one, so that there is none where the processor has no AVX2.
    #[derive(Clone, Copy, Debug)]
    pub struct Avx2(pub(super) __m256i);

    impl Avx2 {
        /// # Safety
        /// The processor has AVX2.
        #[inline(always)]
        pub(crate) unsafe fn new(words: [u64; 4]) -> Avx2 {
            let [a, b, c, d] = words.map(u64::cast_signed);
            // SAFETY: as this function's.
            Avx2(unsafe { _mm256_setr_epi64x(a, b, c, d) })
        }
    }

    impl Words for Avx2 {
        #[inline(always)]
        fn is_zero(self) -> Avx2 {
            // SAFETY: there are such words only where the processor has AVX2.
            Avx2(unsafe { _mm256_cmpeq_epi64(self.0, _mm256_set1_epi64x(0)) })
        }

        #[inline(always)]
        fn any(self) -> u64 {
            // SAFETY: as above.
            unsafe {
                let two = _mm_or_si128(_mm256_castsi256_si128(self.0), _mm256_extracti128_si256::<1>(self.0));
                _mm_cvtsi128_si64(_mm_or_si128(two, _mm_unpackhi_epi64(two, two))).cast_unsigned()
            }
        }
    }

    impl Not for Avx2 {
        type Output = Avx2;

        #[inline(always)]
        fn not(self) -> Avx2 {
            // SAFETY: as above.
            Avx2(unsafe { _mm256_xor_si256(self.0, _mm256_set1_epi64x(-1)) })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Words;
    use crate::{Body, Instructions, Portable, V3};

    /// All operations on two times four words.
    struct All<I>(I, [u64; 4], [u64; 4]);

    impl<I: Instructions> Body for All<I> {
        type Output = Vec<u64>;

        #[inline(always)]
        fn run(self) -> Vec<u64> {
            let All(instructions, a, b) = self;
            let (a, b) = (instructions.words(a), instructions.words(b));
            let by = b & instructions.splat(127);
            let all = [a & b, a | b, !a, a + b, a - b, a << by, a >> by, (a & b).is_zero(), a];
            // Each word by itself: the others are masked.
            let lane = |i: usize| instructions.words(std::array::from_fn(|j| if i == j { !0 } else { 0 }));
            all.into_iter().flat_map(|words| (0..4).map(move |i| (words & lane(i)).any())).collect()
        }
    }

    #[test]
    fn vectors_are_the_arrays_own() {
        let Some(v3) = V3::found() else { return };
        let mut word = 1u64;
        let mut next = || {
            word = word.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            // Among them many small ones and 0.
            (word ^ word >> 29) & (!0 >> (word >> 58)) & (word.rotate_left(17) | 0x7f)
        };
        for _ in 0..2000 {
            let [a, b] = [(); 2].map(|()| std::array::from_fn(|_| next()));
            assert_eq!(v3.run(All(v3, a, b)), Portable.run(All(Portable, a, b)), "{a:x?} {b:x?}");
        }
    }

    #[test]
    fn operations_are_those_of_integers() {
        let (a, b) = ([5, 0, u64::MAX, 1 << 63], [3, 64, 1, 63]);
        let found = Portable.run(All(Portable, a, b));
        let expected = [
            [1, 0, 1, 0],
            [7, 64, u64::MAX, (1 << 63) | 63],
            [!5, u64::MAX, 0, !(1 << 63)],
            [8, 64, 0, (1 << 63) + 63],
            [2, 64u64.wrapping_neg(), u64::MAX - 1, (1 << 63) - 63],
            [40, 0, u64::MAX - 1, 0],
            [0, 0, u64::MAX >> 1, 1],
            [0, u64::MAX, 0, u64::MAX],
            a,
        ];
        assert_eq!(found, expected.concat());
    }
}
