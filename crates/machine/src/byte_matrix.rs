//! Products of matrices of bytes, and the numbers of 32 bits before and after them, with the widest instructions that the
//! processor has.
//!
//! The first factor holds numbers from 0 to 127 and the second from −127 to 127, so that sums of two products fit into 16 bits and
//! nothing is ever cut off: results are equal on every machine, and the portable form is the reference of the others. The
//! second factor is packed once ([`Packed`]) in groups of four inner numbers, which one instruction takes together.

/// Inner numbers that are taken together.
const GROUP: usize = 4;
/// Columns are filled up to a multiple of these.
const STRIP: usize = 16;
/// The greatest number of the first factor.
pub const MOST: u8 = 127;

/// The second factor of products.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Packed {
    /// By strip of columns, then by group, then by column, then by number of the group.
    bytes: Vec<i8>,
    n_groups: usize,
    n_strips: usize,
}

impl Packed {
    /// Packs `inner` × `columns` numbers that lie row by row; −128 counts as −127.
    ///
    /// # Panics
    /// When there are fewer numbers than that.
    pub fn new(numbers: &[i8], inner: usize, columns: usize) -> Packed {
        let (n_groups, n_strips) = (inner.div_ceil(GROUP), columns.div_ceil(STRIP));
        let mut bytes = vec![0; n_strips * n_groups * STRIP * GROUP];
        for (k, row) in numbers.chunks_exact(columns.max(1)).take(inner).enumerate() {
            for (column, &number) in row.iter().enumerate() {
                let strip = column / STRIP * n_groups + k / GROUP;
                bytes[strip * STRIP * GROUP + column % STRIP * GROUP + k % GROUP] = number.max(-127);
            }
        }
        assert!(numbers.len() >= inner * columns, "the matrix is too small");
        Packed { bytes, n_groups, n_strips }
    }

    /// How long a row of the first factor is: the inner numbers, and zeros that fill up the last group.
    pub fn row_len(&self) -> usize {
        self.n_groups * GROUP
    }

    /// How long a row of the product is: the columns, and some that mean nothing.
    pub fn product_len(&self) -> usize {
        self.n_strips * STRIP
    }
}

/// What the processor can do at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Instructions {
    /// What every machine has.
    Portable,
    /// 32 bytes.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// 64 bytes.
    #[cfg(target_arch = "x86_64")]
    Avx512,
    /// 64 bytes, multiplied and summed by one instruction.
    #[cfg(target_arch = "x86_64")]
    Vnni,
}

impl Instructions {
    #[cfg(target_arch = "x86_64")]
    fn all() -> impl Iterator<Item = Instructions> {
        let avx512 = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw");
        let vnni = avx512 && is_x86_feature_detected!("avx512vnni");
        let avx2 = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
        let has = [(vnni, Instructions::Vnni), (avx512, Instructions::Avx512), (avx2, Instructions::Avx2)];
        has.into_iter().filter(|(has, _)| *has).map(|(_, one)| one).chain([Instructions::Portable])
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

/// `a`·`b` in place of what is in `c`. `a` has rows of [`Packed::row_len`] numbers from 0 to [`MOST`], `c` rows of
/// [`Packed::product_len`], as many.
///
/// # Panics
/// When these are not whole rows, as many of each.
#[inline]
pub fn multiply(a: &[u8], b: &Packed, c: &mut [i32]) {
    multiply_with(Instructions::best(), a, b, c);
}

fn multiply_with(instructions: Instructions, a: &[u8], b: &Packed, c: &mut [i32]) {
    if b.bytes.is_empty() {
        c.fill(0);
        return;
    }
    let rows = a.len() / b.row_len();
    assert!(a.len() == rows * b.row_len() && c.len() == rows * b.product_len(), "rows of the matrices do not fit");
    debug_assert!(a.iter().all(|&number| number <= MOST), "numbers of the first factor are at most {MOST}");
    let product = Product {
        a: a.as_ptr(),
        b: b.bytes.as_ptr(),
        c: c.as_mut_ptr(),
        n_groups: b.n_groups,
        columns: b.product_len(),
        rows,
    };
    match instructions {
        // SAFETY: the sizes are those of the slices, as was just asserted; `c` is borrowed for writing.
        Instructions::Portable => unsafe { strips::<Plain, 2>(product) },
        // SAFETY: as above; and `all` has asked the processor for the instructions.
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx2 => unsafe { wide::avx2(product) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx512 => unsafe { wide::avx512(product) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Instructions::Vnni => unsafe { wide::vnni(product) },
    }
}

/// What is multiplied, and where the product goes.
#[derive(Clone, Copy)]
struct Product {
    a: *const u8,
    b: *const i8,
    c: *mut i32,
    n_groups: usize,
    columns: usize,
    rows: usize,
}

/// Sums of a strip of columns.
trait Sums: Copy {
    /// # Safety
    /// The processor has the instructions; so for all that follow.
    unsafe fn zero() -> Self;
    /// Adds the products of a group of `a` with a group of each column.
    ///
    /// # Safety
    /// A group of bytes lies at `a`, and a group for each column of the strip at `b`.
    unsafe fn add(self, a: *const u8, b: *const i8) -> Self;
    /// # Safety
    /// A strip of numbers lies there, and nobody else holds it.
    unsafe fn store(self, to: *mut i32);
}

/// The portable form.
#[derive(Clone, Copy)]
struct Plain([i32; STRIP]);

impl Sums for Plain {
    #[inline(always)]
    unsafe fn zero() -> Plain {
        Plain([0; STRIP])
    }

    #[inline(always)]
    unsafe fn add(mut self, a: *const u8, b: *const i8) -> Plain {
        for (column, sum) in self.0.iter_mut().enumerate() {
            for k in 0..GROUP {
                // SAFETY: as this function's.
                *sum += unsafe { i32::from(*a.add(k)) * i32::from(*b.add(column * GROUP + k)) };
            }
        }
        self
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut i32) {
        // SAFETY: as this function's.
        unsafe { to.cast::<[i32; STRIP]>().write_unaligned(self.0) };
    }
}

/// All strips, `R` rows at a time.
///
/// # Safety
/// The pointers lead to matrices of the sizes given, `c` to nothing that another holds, and the processor has the instructions.
#[inline(always)]
unsafe fn strips<S: Sums, const R: usize>(product: Product) {
    // SAFETY: each tile lies within the rows and strips that there are.
    unsafe {
        for strip in 0..product.columns / STRIP {
            let mut row = 0;
            while product.rows - row >= R {
                tile::<S, R>(product, strip, row);
                row += R;
            }
            while row < product.rows {
                tile::<S, 1>(product, strip, row);
                row += 1;
            }
        }
    }
}

/// A strip of some rows, summed in registers.
///
/// # Safety
/// As [`strips`]; the rows and the strip are there.
#[inline(always)]
unsafe fn tile<S: Sums, const R: usize>(product: Product, strip: usize, row: usize) {
    let Product { a, b, c, n_groups, columns, .. } = product;
    // SAFETY: as this function's; groups are counted below `n_groups`.
    unsafe {
        let a = a.add(row * n_groups * GROUP);
        let b = b.add(strip * n_groups * STRIP * GROUP);
        let mut sums = [S::zero(); R];
        for group in 0..n_groups {
            let b = b.add(group * STRIP * GROUP);
            for (i, sum) in sums.iter_mut().enumerate() {
                *sum = sum.add(a.add((i * n_groups + group) * GROUP), b);
            }
        }
        for (i, sum) in sums.into_iter().enumerate() {
            sum.store(c.add((row + i) * columns + strip * STRIP));
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod wide {
    use std::arch::x86_64::*;

    use super::{GROUP, Product, STRIP, Sums, strips};

    /// # Safety
    /// As [`strips`]; the processor has AVX2.
    #[target_feature(enable = "avx2")]
    pub(super) unsafe fn avx2(product: Product) {
        // Twelve sums are twelve of sixteen registers.
        // SAFETY: as this function's.
        unsafe { strips::<Of32, 4>(product) };
    }

    /// # Safety
    /// As [`strips`]; the processor has AVX-512 with bytes and words.
    #[target_feature(enable = "avx512f,avx512bw,avx2")]
    pub(super) unsafe fn avx512(product: Product) {
        // SAFETY: as this function's.
        unsafe { strips::<Of64, 8>(product) };
    }

    /// # Safety
    /// As [`avx512`]; the processor has VNNI.
    #[target_feature(enable = "avx512f,avx512bw,avx512vnni,avx2")]
    pub(super) unsafe fn vnni(product: Product) {
        // SAFETY: as this function's.
        unsafe { strips::<At1, 8>(product) };
    }

    /// A group of bytes, as a number.
    ///
    /// # Safety
    /// A group lies there.
    #[inline(always)]
    unsafe fn group(a: *const u8) -> i32 {
        const { assert!(GROUP == size_of::<i32>()) };
        // SAFETY: as this function's.
        unsafe { a.cast::<i32>().read_unaligned() }
    }

    /// Two vectors of eight sums.
    #[derive(Clone, Copy)]
    struct Of32([__m256i; 2]);

    impl Sums for Of32 {
        #[inline(always)]
        unsafe fn zero() -> Of32 {
            // SAFETY: as this function's.
            unsafe { Of32([_mm256_setzero_si256(); 2]) }
        }

        #[inline(always)]
        unsafe fn add(self, a: *const u8, b: *const i8) -> Of32 {
            // SAFETY: as this function's.
            unsafe {
                let a = _mm256_set1_epi32(group(a));
                let b = b.cast::<__m256i>();
                let half = |sum, b| {
                    let pairs = _mm256_maddubs_epi16(a, _mm256_loadu_si256(b));
                    _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)))
                };
                Of32([half(self.0[0], b), half(self.0[1], b.add(1))])
            }
        }

        #[inline(always)]
        unsafe fn store(self, to: *mut i32) {
            // SAFETY: as this function's.
            unsafe {
                _mm256_storeu_si256(to.cast(), self.0[0]);
                _mm256_storeu_si256(to.add(STRIP / 2).cast(), self.0[1]);
            }
        }
    }

    /// Sixteen sums, in two steps.
    #[derive(Clone, Copy)]
    struct Of64(__m512i);

    impl Sums for Of64 {
        #[inline(always)]
        unsafe fn zero() -> Of64 {
            // SAFETY: as this function's.
            unsafe { Of64(_mm512_setzero_si512()) }
        }

        #[inline(always)]
        unsafe fn add(self, a: *const u8, b: *const i8) -> Of64 {
            // SAFETY: as this function's.
            unsafe {
                let pairs = _mm512_maddubs_epi16(_mm512_set1_epi32(group(a)), _mm512_loadu_si512(b.cast()));
                Of64(_mm512_add_epi32(self.0, _mm512_madd_epi16(pairs, _mm512_set1_epi16(1))))
            }
        }

        #[inline(always)]
        unsafe fn store(self, to: *mut i32) {
            // SAFETY: as this function's.
            unsafe { _mm512_storeu_si512(to.cast(), self.0) };
        }
    }

    /// Sixteen sums, in one step.
    #[derive(Clone, Copy)]
    struct At1(__m512i);

    impl Sums for At1 {
        #[inline(always)]
        unsafe fn zero() -> At1 {
            // SAFETY: as this function's.
            unsafe { At1(_mm512_setzero_si512()) }
        }

        #[inline(always)]
        unsafe fn add(self, a: *const u8, b: *const i8) -> At1 {
            // SAFETY: as this function's.
            unsafe {
                let b = _mm512_loadu_si512(b.cast());
                At1(_mm512_dpbusd_epi32(self.0, _mm512_set1_epi32(group(a)), b))
            }
        }

        #[inline(always)]
        unsafe fn store(self, to: *mut i32) {
            // SAFETY: as this function's.
            unsafe { _mm512_storeu_si512(to.cast(), self.0) };
        }
    }
}

/// `numbers`, which are not negative, times `factor` as bytes, rounded, into `bytes`; greater ones than [`MOST`] become that.
///
/// # Panics
/// When there are not as many of both.
pub fn to_bytes(numbers: &[f32], factor: f32, bytes: &mut [u8]) {
    assert_eq!(numbers.len(), bytes.len(), "as many bytes as numbers");
    match Instructions::best() {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `all` has asked the processor for the instructions.
        Instructions::Avx512 | Instructions::Vnni => unsafe { to_bytes_avx512(numbers, factor, bytes) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: as above.
        Instructions::Avx2 => unsafe { to_bytes_avx2(numbers, factor, bytes) },
        Instructions::Portable => to_bytes_inline(numbers, factor, bytes),
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx2")]
fn to_bytes_avx512(numbers: &[f32], factor: f32, bytes: &mut [u8]) {
    to_bytes_inline(numbers, factor, bytes);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn to_bytes_avx2(numbers: &[f32], factor: f32, bytes: &mut [u8]) {
    to_bytes_inline(numbers, factor, bytes);
}

#[inline(always)]
fn to_bytes_inline(numbers: &[f32], factor: f32, bytes: &mut [u8]) {
    for (byte, &number) in bytes.iter_mut().zip(numbers) {
        let scaled = number * factor + 0.5;
        let scaled = if scaled < 127.0 { scaled } else { 127.0 };
        let scaled = if scaled > 0.0 { scaled } else { 0.0 };
        // SAFETY: it lies between 0 and 127.
        *byte = unsafe { scaled.to_int_unchecked::<i32>() } as u8;
    }
}

/// The greatest of numbers that are not negative; 0 of none.
pub fn greatest(numbers: &[f32]) -> f32 {
    // Bits of numbers that are not negative are in the order of the numbers, and integers are compared many at once.
    f32::from_bits(numbers.iter().fold(0, |most, number| most.max(number.to_bits())))
}

/// Products of a layer, and what makes numbers of them again.
#[derive(Clone, Copy, Debug)]
pub struct Products<'a> {
    /// The products, in rows of [`Packed::product_len`].
    pub sums: &'a [i32],
    /// How long such a row is.
    pub row_len: usize,
    /// What each of them is multiplied by.
    pub scale: f32,
    /// What those of a column are multiplied by, too.
    pub scales: &'a [f32],
    /// What is added to those of a column.
    pub biases: &'a [f32],
}

impl Products<'_> {
    /// Adds the products to `numbers`, in rows of as many columns as there are biases; what is negative then becomes 0.
    ///
    /// # Panics
    /// When there are fewer products than numbers.
    pub fn add_rectified(self, numbers: &mut [f32]) {
        match Instructions::best() {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `all` has asked the processor for the instructions.
            Instructions::Avx512 | Instructions::Vnni => unsafe { self.add_avx512(numbers) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            Instructions::Avx2 => unsafe { self.add_avx2(numbers) },
            Instructions::Portable => self.add_inline(numbers),
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512bw,avx2")]
    fn add_avx512(self, numbers: &mut [f32]) {
        self.add_inline(numbers);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn add_avx2(self, numbers: &mut [f32]) {
        self.add_inline(numbers);
    }

    #[inline(always)]
    fn add_inline(self, numbers: &mut [f32]) {
        let Products { sums, row_len, scale, scales, biases } = self;
        let columns = biases.len();
        assert!(sums.len() / row_len >= numbers.len() / columns && row_len >= columns, "too few products");
        for (row, sums) in numbers.chunks_exact_mut(columns).zip(sums.chunks_exact(row_len)) {
            for (((number, &sum), &of_column), &bias) in row.iter_mut().zip(sums).zip(scales).zip(biases) {
                let sum = sum as f32 * (scale * of_column) + bias + *number;
                *number = if sum > 0.0 { sum } else { 0.0 };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scatter(i: usize, seed: u64) -> u64 {
        ((i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ seed).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 40
    }

    #[test]
    fn every_width_gives_the_definition() {
        for (rows, inner, columns) in [(1, 1, 1), (3, 5, 2), (8, 32, 32), (9, 18, 33), (42, 27, 48), (17, 288, 7)] {
            let b: Vec<i8> = (0..inner * columns).map(|i| (scatter(i, 2) % 255) as i32 as i8).collect();
            let packed = Packed::new(&b, inner, columns);
            let mut a = vec![0; rows * packed.row_len()];
            let mut expected = vec![0; rows * packed.product_len()];
            for row in 0..rows {
                for k in 0..inner {
                    // The greatest numbers are there too.
                    let number = (scatter(row * inner + k, 1) % 160).min(MOST.into()) as u8;
                    a[row * packed.row_len() + k] = number;
                    for column in 0..columns {
                        let other = i32::from(b[k * columns + column].max(-127));
                        expected[row * packed.product_len() + column] += i32::from(number) * other;
                    }
                }
            }
            for instructions in Instructions::all() {
                let mut c = vec![-1; expected.len()];
                multiply_with(instructions, &a, &packed, &mut c);
                assert_eq!(c, expected, "{instructions:?} {rows} {inner} {columns}");
            }
        }
    }

    #[test]
    fn sums_of_the_greatest_products_are_not_cut_off() {
        for b in [-128, -127, 127] {
            let packed = Packed::new(&[b; 8 * 3], 8, 3);
            for instructions in Instructions::all() {
                let mut c = vec![0; packed.product_len()];
                multiply_with(instructions, &[MOST; 8], &packed, &mut c);
                assert_eq!(c[..3], [8 * 127 * i32::from(b.max(-127)); 3], "{instructions:?}");
            }
        }
    }

    #[test]
    fn numbers_become_bytes_and_products_numbers_again() {
        let numbers: Vec<f32> = (0..67).map(|i| (scatter(i, 3) % 1000) as f32 / 7.0).collect();
        let most = greatest(&numbers);
        assert_eq!(most, numbers.iter().copied().fold(0.0, f32::max));
        let factor = f32::from(MOST) / most;
        let mut bytes = vec![0; 67];
        to_bytes(&numbers, factor, &mut bytes);
        for (&byte, number) in bytes.iter().zip(&numbers) {
            assert_eq!(byte, (number * factor + 0.5) as u8, "{number}");
        }
        let mut sums = vec![1.0, 2.0, 3.0, 4.0];
        let products = Products {
            sums: &[10, -20, 99, 30, 40, 99],
            row_len: 3,
            scale: 0.5,
            scales: &[1.0, 2.0],
            biases: &[0.25, 0.5],
        };
        products.add_rectified(&mut sums);
        assert_eq!(sums, [6.25, 0.0, 18.25, 44.5]);
        assert_eq!(greatest(&[]), 0.0);
    }

    #[test]
    #[should_panic(expected = "do not fit")]
    fn what_does_not_fit_is_refused() {
        multiply(&[0; 5], &Packed::new(&[1; 4], 4, 1), &mut [0; 16]);
    }
}
