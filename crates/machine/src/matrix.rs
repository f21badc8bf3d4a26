//! Products of matrices of 32-bit numbers, with the widest instructions that the processor has.
//!
//! Each element of the result is one chain of fused multiply-adds in ascending order of the inner index, whatever the
//! instructions: results are equal to the bit on every machine, and the portable form is the reference of the others.
//! Rows of the result are independent of one another, so a batch gives what its rows give alone. Speed comes from tiles
//! of the result that stay in registers; they are the same lines of source for each width.

/// A matrix of which neighbours in a row or column need not lie beside each other, so that it can be transposed.
#[derive(Clone, Copy, Debug)]
pub struct Strided<'a> {
    /// The numbers.
    pub numbers: &'a [f32],
    /// From an element to the next one below it.
    pub down: usize,
    /// From an element to the next one to its right.
    pub right: usize,
}

impl<'a> Strided<'a> {
    /// A matrix that lies row by row.
    pub fn rows(numbers: &'a [f32], columns: usize) -> Strided<'a> {
        Strided { numbers, down: columns, right: 1 }
    }

    /// The transposed of a matrix of so many columns that lies row by row.
    pub fn transposed(numbers: &'a [f32], columns: usize) -> Strided<'a> {
        Strided { numbers, down: 1, right: columns }
    }
}

/// Adds `a`·`b` to `c`. `a` has `rows` × `inner` elements; `b`, `inner` × `columns`, and `c`, `rows` × `columns`, lie row by
/// row.
///
/// # Panics
/// When a matrix has fewer numbers than that.
#[inline]
pub fn multiply_add(a: Strided<'_>, b: &[f32], c: &mut [f32], rows: usize, inner: usize, columns: usize) {
    multiply_add_with(Instructions::best(), a, b, c, rows, inner, columns);
}

/// What the processor can do at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Instructions {
    /// What every machine has.
    Portable,
    /// Eight numbers.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// Sixteen numbers.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Instructions {
    #[cfg(target_arch = "x86_64")]
    fn all() -> impl Iterator<Item = Instructions> {
        let avx512 = is_x86_feature_detected!("avx512f");
        let avx2 = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
        let wide = avx512.then_some(Instructions::Avx512).into_iter().chain(avx2.then_some(Instructions::Avx2));
        wide.chain([Instructions::Portable])
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn all() -> impl Iterator<Item = Instructions> {
        [Instructions::Portable].into_iter()
    }

    #[inline]
    fn best() -> Instructions {
        Instructions::all().next().unwrap_or(Instructions::Portable)
    }
}

fn multiply_add_with(
    instructions: Instructions,
    a: Strided<'_>,
    b: &[f32],
    c: &mut [f32],
    rows: usize,
    inner: usize,
    columns: usize,
) {
    if rows == 0 || columns == 0 || inner == 0 {
        return;
    }
    assert!((rows - 1) * a.down + (inner - 1) * a.right < a.numbers.len(), "the first matrix is too small");
    assert!(inner * columns <= b.len() && rows * columns <= c.len(), "a matrix is too small");
    let product = Product { a: a.numbers.as_ptr(), down: a.down, right: a.right, b: b.as_ptr(), inner, columns };
    let c = c.as_mut_ptr();
    match instructions {
        // SAFETY: all elements lie within the slices, as was just asserted; `c` is borrowed for writing.
        Instructions::Portable => unsafe { portable(product, c, rows) },
        // SAFETY: as above; and `all` has asked the processor for the instructions.
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx2 => unsafe { avx2(product, c, rows) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx512 => unsafe { avx512(product, c, rows) },
    }
}

/// What a tile is made from.
#[derive(Clone, Copy)]
struct Product {
    a: *const f32,
    down: usize,
    right: usize,
    b: *const f32,
    inner: usize,
    columns: usize,
}

/// Numbers that are worked on at once.
trait Lanes: Copy {
    /// How many.
    const N: usize;

    /// # Safety
    /// `N` numbers lie there, and the processor has the instructions; so for all that follow.
    unsafe fn load(from: *const f32) -> Self;
    /// # Safety
    /// As [`Lanes::load`], and nobody else holds what lies there.
    unsafe fn store(self, to: *mut f32);
    /// # Safety
    /// The processor has the instructions.
    unsafe fn splat(number: f32) -> Self;
    /// `self`·`factor` + `sum`, rounded once.
    ///
    /// # Safety
    /// The processor has the instructions.
    unsafe fn times_plus(self, factor: Self, sum: Self) -> Self;
}

impl Lanes for f32 {
    const N: usize = 1;

    #[inline(always)]
    unsafe fn load(from: *const f32) -> f32 {
        // SAFETY: as this function's.
        unsafe { *from }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        // SAFETY: as this function's.
        unsafe { *to = self };
    }

    #[inline(always)]
    unsafe fn splat(number: f32) -> f32 {
        number
    }

    #[inline(always)]
    unsafe fn times_plus(self, factor: f32, sum: f32) -> f32 {
        self.mul_add(factor, sum)
    }
}

/// Vectors of a width of instructions.
#[cfg(target_arch = "x86_64")]
macro_rules! lanes {
    ($vector:ty, $n:literal, $load:ident, $store:ident, $splat:ident, $times_plus:ident) => {
        impl Lanes for $vector {
            const N: usize = $n;

            #[inline(always)]
            unsafe fn load(from: *const f32) -> Self {
                // SAFETY: as this function's.
                unsafe { std::arch::x86_64::$load(from) }
            }

            #[inline(always)]
            unsafe fn store(self, to: *mut f32) {
                // SAFETY: as this function's.
                unsafe { std::arch::x86_64::$store(to, self) };
            }

            #[inline(always)]
            unsafe fn splat(number: f32) -> Self {
                // SAFETY: as this function's.
                unsafe { std::arch::x86_64::$splat(number) }
            }

            #[inline(always)]
            unsafe fn times_plus(self, factor: Self, sum: Self) -> Self {
                // SAFETY: as this function's.
                unsafe { std::arch::x86_64::$times_plus(self, factor, sum) }
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
lanes!(std::arch::x86_64::__m256, 8, _mm256_loadu_ps, _mm256_storeu_ps, _mm256_set1_ps, _mm256_fmadd_ps);
#[cfg(target_arch = "x86_64")]
lanes!(std::arch::x86_64::__m512, 16, _mm512_loadu_ps, _mm512_storeu_ps, _mm512_set1_ps, _mm512_fmadd_ps);

/// # Safety
/// The pointers lead to matrices of the sizes given, and `c` to nothing that another holds.
unsafe fn portable(product: Product, c: *mut f32, rows: usize) {
    // SAFETY: as this function's.
    unsafe { strips::<f32, 4, 4>(product, c, rows, 0) };
}

/// # Safety
/// As [`portable`]; the processor has AVX2 and FMA.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
unsafe fn avx2(product: Product, c: *mut f32, rows: usize) {
    use std::arch::x86_64::__m256;
    // Twelve sums, two of `b` and a factor are fifteen of sixteen registers.
    // SAFETY: as this function's.
    unsafe {
        let column = strips::<__m256, 6, 2>(product, c, rows, 0);
        strips::<f32, 4, 4>(product, c, rows, column);
    }
}

/// # Safety
/// As [`portable`]; the processor has AVX-512.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx2,fma")]
unsafe fn avx512(product: Product, c: *mut f32, rows: usize) {
    use std::arch::x86_64::{__m256, __m512};
    // SAFETY: as this function's.
    unsafe {
        let column = strips::<__m512, 8, 2>(product, c, rows, 0);
        let column = strips::<__m256, 8, 1>(product, c, rows, column);
        strips::<f32, 4, 4>(product, c, rows, column);
    }
}

/// All columns from `column` on that fill vectors, by `V` vectors and then one at a time; returns the first that is left.
///
/// # Safety
/// As [`portable`].
#[inline(always)]
unsafe fn strips<L: Lanes, const R: usize, const V: usize>(
    product: Product,
    c: *mut f32,
    rows: usize,
    mut column: usize,
) -> usize {
    // SAFETY: each strip ends within the columns that there are.
    unsafe {
        while product.columns - column >= V * L::N {
            strip::<L, R, V>(product, c, rows, column);
            column += V * L::N;
        }
        while product.columns - column >= L::N {
            strip::<L, R, 1>(product, c, rows, column);
            column += L::N;
        }
    }
    column
}

/// `V` vectors of columns of the result.
///
/// # Safety
/// As [`portable`]; the columns are there.
#[inline(always)]
unsafe fn strip<L: Lanes, const R: usize, const V: usize>(product: Product, c: *mut f32, rows: usize, column: usize) {
    let mut row = 0;
    // SAFETY: each tile ends within the rows that there are.
    unsafe {
        while rows - row >= R {
            tile::<L, R, V>(product, c, row, column);
            row += R;
        }
        while rows - row >= 2 {
            tile::<L, 2, V>(product, c, row, column);
            row += 2;
        }
        if row < rows {
            tile::<L, 1, V>(product, c, row, column);
        }
    }
}

/// A tile of the result, summed in registers.
///
/// # Safety
/// As [`portable`]; the rows and columns are there.
#[inline(always)]
unsafe fn tile<L: Lanes, const R: usize, const V: usize>(product: Product, c: *mut f32, row: usize, column: usize) {
    let Product { a, down, right, b, inner, columns } = product;
    // SAFETY: `row + R` and `column + V * L::N` are within the matrices, and k is below `inner`.
    unsafe {
        let corner = c.add(row * columns + column);
        let (a, b) = (a.add(row * down), b.add(column));
        let mut sums = [[L::splat(0.0); V]; R];
        for i in 0..R {
            for j in 0..V {
                sums[i][j] = L::load(corner.add(i * columns + j * L::N));
            }
        }
        for k in 0..inner {
            let (a, b) = (a.add(k * right), b.add(k * columns));
            let mut of_b = [L::splat(0.0); V];
            for j in 0..V {
                of_b[j] = L::load(b.add(j * L::N));
            }
            for i in 0..R {
                let factor = L::splat(*a.add(i * down));
                for j in 0..V {
                    sums[i][j] = factor.times_plus(of_b[j], sums[i][j]);
                }
            }
        }
        for i in 0..R {
            for j in 0..V {
                sums[i][j].store(corner.add(i * columns + j * L::N));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers with many bits, from a counter.
    fn numbers(n: usize, seed: u64) -> Vec<f32> {
        let scatter = |i: u64| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ seed).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 40;
        (0..n as u64).map(|i| scatter(i + 1) as f32 / (1u32 << 23) as f32 - 1.0).collect()
    }

    /// The definition.
    fn plain(a: Strided<'_>, b: &[f32], c: &mut [f32], rows: usize, inner: usize, columns: usize) {
        for i in 0..rows {
            for j in 0..columns {
                for k in 0..inner {
                    let factor = a.numbers[i * a.down + k * a.right];
                    c[i * columns + j] = factor.mul_add(b[k * columns + j], c[i * columns + j]);
                }
            }
        }
    }

    #[test]
    fn every_width_gives_the_definition_to_the_bit() {
        let sizes =
            [(1, 1, 1), (3, 5, 2), (8, 32, 32), (9, 17, 33), (42, 27, 48), (17, 40, 7), (2, 3, 61), (13, 8, 23)];
        for instructions in Instructions::all() {
            for (rows, inner, columns) in sizes {
                let (a, b) = (numbers(rows * inner, 1), numbers(inner * columns, 2));
                for a in [Strided::rows(&a, inner), Strided::transposed(&a, rows)] {
                    let mut expected = numbers(rows * columns, 3);
                    let mut c = expected.clone();
                    plain(a, &b, &mut expected, rows, inner, columns);
                    multiply_add_with(instructions, a, &b, &mut c, rows, inner, columns);
                    assert_eq!(c, expected, "{instructions:?} {rows} {inner} {columns}");
                }
            }
        }
    }

    #[test]
    fn nothing_times_nothing_changes_nothing() {
        let mut c = [1.0, 2.0];
        multiply_add(Strided::rows(&[], 0), &[], &mut c, 1, 0, 2);
        multiply_add(Strided::rows(&[3.0], 1), &[], &mut [], 1, 1, 0);
        assert_eq!(c, [1.0, 2.0]);
    }

    #[test]
    #[should_panic(expected = "too small")]
    fn what_is_too_small_is_refused() {
        multiply_add(Strided::rows(&[1.0; 5], 3), &[1.0; 6], &mut [0.0; 4], 2, 3, 2);
    }
}
