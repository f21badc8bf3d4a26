//! Four words of 64 bits side by side, and sixteen numbers of 16 bits.

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

    /// Whether [`highest`](Words::highest) takes a few instructions.
    const FIND_HIGHEST: bool;

    /// The highest bit of each word; 0 of 0.
    fn highest(self) -> Self;
}

/// Sixteen numbers of 16 bits in memory, where one vector of 256 bits lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(align(32))]
pub struct Sixteen(pub [u16; 16]);

/// The same while an instruction adds all of them at once, where the processor has such. Sums wrap.
/// [`Instructions`](super::Instructions) make them.
pub trait Sums: Copy + Add<Output = Self> {
    /// The numbers.
    fn numbers(self) -> Sixteen;
}

impl Add for Sixteen {
    type Output = Sixteen;

    #[inline(always)]
    fn add(self, other: Sixteen) -> Sixteen {
        Sixteen(std::array::from_fn(|i| self.0[i].wrapping_add(other.0[i])))
    }
}

impl Sums for Sixteen {
    #[inline(always)]
    fn numbers(self) -> Sixteen {
        self
    }
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

    const FIND_HIGHEST: bool = false;

    #[inline(always)]
    fn highest(self) -> Plain {
        Plain(self.0.map(highest_of))
    }
}

#[inline(always)]
fn highest_of(word: u64) -> u64 {
    (1u64 << 63).checked_shr(word.leading_zeros()).unwrap_or(0)
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
        impl<const COUNTS: bool> $operator for Vector<COUNTS> {
            type Output = Vector<COUNTS>;

            #[inline(always)]
            fn $method(self, other: Vector<COUNTS>) -> Vector<COUNTS> {
                // SAFETY: there are such words only where the processor has AVX2.
                Vector(unsafe { std::arch::x86_64::$vector(self.0, other.0) })
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
pub(crate) use vector::{Vector, VectorOfSums};

#[cfg(target_arch = "x86_64")]
mod vector {
    use std::arch::x86_64::{
        __m256i, _mm_cvtsi128_si64, _mm_or_si128, _mm_unpackhi_epi64, _mm256_add_epi16, _mm256_castsi256_si128,
        _mm256_cmpeq_epi64, _mm256_extracti128_si256, _mm256_load_si256, _mm256_lzcnt_epi64, _mm256_set1_epi64x,
        _mm256_setr_epi64x, _mm256_srlv_epi64, _mm256_store_si256, _mm256_xor_si256,
    };
    use std::ops::{Add, Not};

    use super::{Sixteen, Sums, Words};

    /// A vector of AVX2. Only [`V3`](crate::V3) and [`V4`](crate::V4) make the first one, so that there is none where the processor
    /// has no AVX2, and none that `COUNTS` leading zeros where it has not what AVX-512 has for that (CD and VL).
    #[derive(Clone, Copy, Debug)]
    pub struct Vector<const COUNTS: bool>(pub(super) __m256i);

    impl<const COUNTS: bool> Vector<COUNTS> {
        /// # Safety
        /// The processor has AVX2, and AVX-512 CD and VL where the vector counts zeros.
        #[inline(always)]
        pub(crate) unsafe fn new(words: [u64; 4]) -> Self {
            let [a, b, c, d] = words.map(u64::cast_signed);
            // SAFETY: as this function's.
            Vector(unsafe { _mm256_setr_epi64x(a, b, c, d) })
        }
    }

    impl<const COUNTS: bool> Words for Vector<COUNTS> {
        #[inline(always)]
        fn is_zero(self) -> Self {
            // SAFETY: there are such words only where the processor has AVX2.
            Vector(unsafe { _mm256_cmpeq_epi64(self.0, _mm256_set1_epi64x(0)) })
        }

        #[inline(always)]
        fn any(self) -> u64 {
            // SAFETY: as above.
            unsafe {
                let two = _mm_or_si128(_mm256_castsi256_si128(self.0), _mm256_extracti128_si256::<1>(self.0));
                _mm_cvtsi128_si64(_mm_or_si128(two, _mm_unpackhi_epi64(two, two))).cast_unsigned()
            }
        }

        const FIND_HIGHEST: bool = COUNTS;

        #[inline(always)]
        fn highest(self) -> Self {
            if COUNTS {
                // SAFETY: words that count zeros are made only where the processor has AVX-512 CD and VL.
                // What is shifted by 64 is 0.
                Vector(unsafe { _mm256_srlv_epi64(_mm256_set1_epi64x(i64::MIN), _mm256_lzcnt_epi64(self.0)) })
            } else {
                // SAFETY: there are such words only where the processor has AVX2.
                let splat = |word| Vector(unsafe { _mm256_set1_epi64x(word) });
                let below = [1, 2, 4, 8, 16, 32].into_iter().fold(self, |all, by| all | all >> splat(by));
                below & !(below >> splat(1))
            }
        }
    }

    /// Sixteen numbers in a vector of AVX2, made as [`Vector`] is.
    #[derive(Clone, Copy, Debug)]
    pub struct VectorOfSums(__m256i);

    impl VectorOfSums {
        /// # Safety
        /// The processor has AVX2.
        #[inline(always)]
        pub(crate) unsafe fn new(numbers: &Sixteen) -> VectorOfSums {
            // SAFETY: as this function's; the type lies where such vectors may.
            VectorOfSums(unsafe { _mm256_load_si256(std::ptr::from_ref(numbers).cast()) })
        }
    }

    impl Add for VectorOfSums {
        type Output = VectorOfSums;

        #[inline(always)]
        fn add(self, other: VectorOfSums) -> VectorOfSums {
            // SAFETY: there are such vectors only where the processor has AVX2.
            VectorOfSums(unsafe { _mm256_add_epi16(self.0, other.0) })
        }
    }

    impl Sums for VectorOfSums {
        #[inline(always)]
        fn numbers(self) -> Sixteen {
            let mut numbers = Sixteen::default();
            // SAFETY: as above; the type lies where such vectors may.
            unsafe { _mm256_store_si256(std::ptr::from_mut(&mut numbers).cast(), self.0) };
            numbers
        }
    }

    impl<const COUNTS: bool> Not for Vector<COUNTS> {
        type Output = Self;

        #[inline(always)]
        fn not(self) -> Self {
            // SAFETY: as above.
            Vector(unsafe { _mm256_xor_si256(self.0, _mm256_set1_epi64x(-1)) })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Sixteen, Sums, Words};
    use crate::{Body, Choice, InstructionSet, Instructions, Portable};

    /// All operations on two times four words.
    struct All<I>(I, [u64; 4], [u64; 4]);

    impl<I: Instructions> Body for All<I> {
        type Output = Vec<u64>;

        #[inline(always)]
        fn run(self) -> Vec<u64> {
            let All(instructions, a, b) = self;
            let (a, b) = (instructions.words(a), instructions.words(b));
            let by = b & instructions.splat(127);
            let all = [a & b, a | b, !a, a + b, a - b, a << by, a >> by, (a & b).is_zero(), (a & b).highest(), a];
            // Each word by itself: the others are masked.
            let lane = |i: usize| instructions.words(std::array::from_fn(|j| if i == j { !0 } else { 0 }));
            all.into_iter().flat_map(|words| (0..4).map(move |i| (words & lane(i)).any())).collect()
        }
    }

    struct Of([u64; 4], [u64; 4]);

    impl Choice for Of {
        type Output = Vec<u64>;

        fn with<I: Instructions>(self, instructions: I) -> Vec<u64> {
            instructions.run(All(instructions, self.0, self.1))
        }
    }

    #[test]
    fn vectors_are_the_arrays_own() {
        let mut word = 1u64;
        let mut next = || {
            word = word.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            // Among them many small ones and 0.
            (word ^ word >> 29) & (!0 >> (word >> 58)) & (word.rotate_left(17) | 0x7f)
        };
        for _ in 0..2000 {
            let [a, b] = [(); 2].map(|()| std::array::from_fn(|_| next()));
            let expected = Portable.run(All(Portable, a, b));
            for set in InstructionSet::all() {
                assert_eq!(set.choose(Of(a, b)), expected, "{set:?} {a:x?} {b:x?}");
            }
        }
    }

    struct Added(Sixteen, Sixteen);

    impl Choice for &Added {
        type Output = Sixteen;

        fn with<I: Instructions>(self, instructions: I) -> Sixteen {
            instructions.run(AddedBy(instructions, self))
        }
    }

    struct AddedBy<'a, I>(I, &'a Added);

    impl<I: Instructions> Body for AddedBy<'_, I> {
        type Output = Sixteen;

        #[inline(always)]
        fn run(self) -> Sixteen {
            let AddedBy(instructions, Added(a, b)) = self;
            (instructions.sums(a) + instructions.sums(b)).numbers()
        }
    }

    #[test]
    fn sixteen_sums_are_those_of_numbers_and_wrap() {
        let a = Sixteen(std::array::from_fn(|i| i as u16 * 4369));
        let b = Sixteen(std::array::from_fn(|i| 1000 * i as u16 + 1));
        for set in InstructionSet::all() {
            let sums = set.choose(&Added(a, b)).0;
            assert_eq!(sums[0], 1);
            assert_eq!(sums[15], 65_535u16.wrapping_add(15_001));
            assert!((0..16).all(|i| sums[i] == a.0[i].wrapping_add(b.0[i])), "{set:?}");
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
            [1, 0, 1, 0],
            a,
        ];
        assert_eq!(found, expected.concat());
    }
}
