//! Code compiled several times, for any processor and for newer ones; which of them is taken is found out at run time.
//!
//! The program is built for `x86-64-v2`. Newer processors count leading zeros, mask, and shift by a register in one instruction
//! each, and add sixteen numbers of 16 bits at once. What consists of these is worth compiling for them too: it is generic over
//! [`Instructions`], and a [`Body`] that is run by them is compiled for them, with all that is inlined into it.
//! A recursive function runs its body so each time it is called; from one such body to the next it is a plain call.

use crate::words::{Plain, Sixteen, Sums, Words};

/// A set of instructions that code can be compiled for. A value of the type says that the processor has them.
pub trait Instructions: Copy + Send + Sync {
    /// What they know as four words side by side.
    type Words: Words;

    /// What they know as sixteen numbers side by side.
    type Sums: Sums;

    /// Whether an operation on four words takes about as long as one on a single word.
    const ARE_WIDE: bool;

    /// Four words.
    fn words(self, words: [u64; 4]) -> Self::Words;

    /// Sixteen numbers, to add others to.
    fn sums(self, numbers: &Sixteen) -> Self::Sums;

    /// Four times the same word.
    #[inline(always)]
    fn splat(self, word: u64) -> Self::Words {
        self.words([word; 4])
    }

    /// Runs a body that is compiled for these instructions; what it returns does not depend on them.
    fn run<B: Body>(self, body: B) -> B::Output;
}

/// A set that the processor was found to have.
#[derive(Clone, Copy, Debug)]
pub enum InstructionSet {
    /// Those that the whole program is built for.
    Portable(Portable),
    /// Those of `x86-64-v3`.
    V3(V3),
    /// Those of `x86-64-v4`.
    V4(V4),
}

impl InstructionSet {
    /// The newest one that the processor has.
    #[inline]
    pub fn newest() -> InstructionSet {
        match (V4::found(), V3::found()) {
            (Some(v4), _) => InstructionSet::V4(v4),
            (None, Some(v3)) => InstructionSet::V3(v3),
            (None, None) => InstructionSet::Portable(Portable),
        }
    }

    /// All that the processor has, for tests that compare them.
    pub fn all() -> impl Iterator<Item = InstructionSet> {
        let (v3, v4) = (V3::found().map(InstructionSet::V3), V4::found().map(InstructionSet::V4));
        [Some(InstructionSet::Portable(Portable)), v3, v4].into_iter().flatten()
    }

    /// Hands the instructions to what is compiled for each set.
    #[inline(always)]
    pub fn choose<C: Choice>(self, choice: C) -> C::Output {
        match self {
            InstructionSet::Portable(portable) => choice.with(portable),
            InstructionSet::V3(v3) => choice.with(v3),
            InstructionSet::V4(v4) => choice.with(v4),
        }
    }
}

/// What is compiled for each set of instructions.
pub trait Choice {
    /// What it returns.
    type Output;

    /// Goes on with these instructions.
    fn with<I: Instructions>(self, instructions: I) -> Self::Output;
}

/// The body of a function, with its arguments.
pub trait Body {
    /// What the function returns.
    type Output;

    /// To be marked `#[inline(always)]`: only what is inlined is compiled for other instructions. (Closures cannot be marked, and
    /// large ones are not inlined.)
    fn run(self) -> Self::Output;
}

/// Those that the whole program is built for.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

/// Those of `x86-64-v3`: AVX2, BMI1, BMI2 and LZCNT, which nearly all processors have that were made since 2013 (Intel) and 2015 (AMD).
#[derive(Clone, Copy, Debug)]
pub struct V3(());

impl V3 {
    /// `None` where the processor has not all of them.
    #[inline]
    pub fn found() -> Option<V3> {
        #[cfg(target_arch = "x86_64")]
        {
            let has_words = is_x86_feature_detected!("bmi1") && is_x86_feature_detected!("bmi2");
            let has_counts = is_x86_feature_detected!("lzcnt") && is_x86_feature_detected!("popcnt");
            (has_words && has_counts && is_x86_feature_detected!("avx2")).then_some(V3(()))
        }
        #[cfg(not(target_arch = "x86_64"))]
        None
    }
}

/// Those of `x86-64-v4`: AVX-512 F, BW, CD, DQ and VL too, which Intel's servers have since 2017 and AMD's processors since 2022.
#[derive(Clone, Copy, Debug)]
pub struct V4(());

impl V4 {
    /// `None` where the processor has not all of them.
    #[inline]
    pub fn found() -> Option<V4> {
        #[cfg(target_arch = "x86_64")]
        {
            let has_words = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vl");
            let has_bytes = is_x86_feature_detected!("avx512bw") && is_x86_feature_detected!("avx512dq");
            let has_all = has_words && has_bytes && is_x86_feature_detected!("avx512cd");
            V3::found().filter(|_| has_all).map(|_| V4(()))
        }
        #[cfg(not(target_arch = "x86_64"))]
        None
    }
}

impl Instructions for Portable {
    type Words = Plain;
    type Sums = Sixteen;

    const ARE_WIDE: bool = false;

    #[inline(always)]
    fn words(self, words: [u64; 4]) -> Plain {
        Plain(words)
    }

    #[inline(always)]
    fn sums(self, numbers: &Sixteen) -> Sixteen {
        *numbers
    }

    #[inline(always)]
    fn run<B: Body>(self, body: B) -> B::Output {
        body.run()
    }
}

/// Implements [`Instructions`] for a newer set: its type, whether its words count leading zeros, and its features. On other
/// processors than x86-64 no value of the type is made.
macro_rules! x86_instructions {
    ($set:ident, $counts:literal, $features:literal) => {
        impl Instructions for $set {
            #[cfg(target_arch = "x86_64")]
            type Words = crate::words::Vector<$counts>;
            #[cfg(not(target_arch = "x86_64"))]
            type Words = Plain;
            #[cfg(target_arch = "x86_64")]
            type Sums = crate::words::VectorOfSums;
            #[cfg(not(target_arch = "x86_64"))]
            type Sums = Sixteen;

            const ARE_WIDE: bool = true;

            #[inline(always)]
            fn words(self, words: [u64; 4]) -> Self::Words {
                #[cfg(target_arch = "x86_64")]
                {
                    // SAFETY: there is a value of this type only where the processor was found to have its features.
                    unsafe { crate::words::Vector::new(words) }
                }
                #[cfg(not(target_arch = "x86_64"))]
                Plain(words)
            }

            #[inline(always)]
            fn sums(self, numbers: &Sixteen) -> Self::Sums {
                #[cfg(target_arch = "x86_64")]
                {
                    // SAFETY: as above.
                    unsafe { crate::words::VectorOfSums::new(numbers) }
                }
                #[cfg(not(target_arch = "x86_64"))]
                *numbers
            }

            #[inline(always)]
            fn run<B: Body>(self, body: B) -> B::Output {
                /// # Safety
                /// The processor has these features.
                #[cfg_attr(target_arch = "x86_64", target_feature(enable = $features))]
                unsafe fn compiled<B: Body>(body: B) -> B::Output {
                    body.run()
                }
                // SAFETY: as above.
                unsafe { compiled(body) }
            }
        }
    };
}

x86_instructions!(V3, false, "avx2,bmi1,bmi2,lzcnt,popcnt");
x86_instructions!(V4, true, "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512cd,avx512dq,avx512vl");

#[cfg(test)]
mod tests {
    use super::{Body, Choice, InstructionSet, Instructions};

    /// A sum that recurs as a search does: of leading zeros, and one for each word that is not 0.
    struct Sum<'a, I> {
        instructions: I,
        words: &'a [u64],
    }

    impl<I: Instructions> Body for Sum<'_, I> {
        type Output = u32;

        #[inline(always)]
        fn run(self) -> u32 {
            let Some((first, words)) = self.words.split_first() else { return 0 };
            let one = (first & first.wrapping_neg()).count_ones();
            first.leading_zeros() + one + self.instructions.run(Sum { words, ..self })
        }
    }

    impl Choice for &[u64] {
        type Output = u32;

        fn with<I: Instructions>(self, instructions: I) -> u32 {
            instructions.run(Sum { instructions, words: self })
        }
    }

    #[test]
    fn results_are_the_same_for_all() {
        let words: Vec<u64> = (0..500u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (i % 64)).collect();
        let expected = words.iter().map(|word| word.leading_zeros() + u32::from(*word != 0)).sum::<u32>();
        for set in InstructionSet::all() {
            assert_eq!(set.choose(words.as_slice()), expected, "{set:?}");
        }
    }
}
