//! Numbers that networks are made of: 32 bits for speed, 64 to check gradients with the same code.

use std::fmt::Debug;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub};

use raichi_machine::matrix::{self, Strided};

/// A number with a fraction.
pub trait Number:
    Copy
    + Default
    + Debug
    + PartialOrd
    + Send
    + Sync
    + 'static
    + Add<Output = Self>
    + AddAssign
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// Nothing.
    const ZERO: Self;
    /// One.
    const ONE: Self;

    /// The number nearest to this one.
    fn of(number: f64) -> Self;
    /// As 64 bits.
    fn wide(self) -> f64;
    /// The exponential function.
    fn exp(self) -> Self;
    /// The hyperbolic tangent.
    fn tanh(self) -> Self;
    /// The square root.
    fn sqrt(self) -> Self;
    /// Adds the product of `a` (`rows` × `inner`, or its transposed as it lies) and `b` to `c`, all row by row.
    fn multiply_add(a: Matrix<'_, Self>, b: &[Self], c: &mut [Self], rows: usize, inner: usize, columns: usize);
}

/// The first factor of a product.
#[derive(Clone, Copy, Debug)]
pub enum Matrix<'a, T> {
    /// Row by row.
    Plain(&'a [T]),
    /// Column by column.
    Transposed(&'a [T]),
}

impl Number for f32 {
    const ZERO: f32 = 0.0;
    const ONE: f32 = 1.0;

    #[inline]
    fn of(number: f64) -> f32 {
        number as f32
    }

    #[inline]
    fn wide(self) -> f64 {
        self.into()
    }

    #[inline]
    fn exp(self) -> f32 {
        f32::exp(self)
    }

    #[inline]
    fn tanh(self) -> f32 {
        f32::tanh(self)
    }

    #[inline]
    fn sqrt(self) -> f32 {
        f32::sqrt(self)
    }

    #[inline]
    fn multiply_add(a: Matrix<'_, f32>, b: &[f32], c: &mut [f32], rows: usize, inner: usize, columns: usize) {
        let a = match a {
            Matrix::Plain(numbers) => Strided::rows(numbers, inner),
            Matrix::Transposed(numbers) => Strided::transposed(numbers, rows),
        };
        matrix::multiply_add(a, b, c, rows, inner, columns);
    }
}

impl Number for f64 {
    const ZERO: f64 = 0.0;
    const ONE: f64 = 1.0;

    fn of(number: f64) -> f64 {
        number
    }

    fn wide(self) -> f64 {
        self
    }

    fn exp(self) -> f64 {
        f64::exp(self)
    }

    fn tanh(self) -> f64 {
        f64::tanh(self)
    }

    fn sqrt(self) -> f64 {
        f64::sqrt(self)
    }

    fn multiply_add(a: Matrix<'_, f64>, b: &[f64], c: &mut [f64], rows: usize, inner: usize, columns: usize) {
        for i in 0..rows {
            for k in 0..inner {
                let factor = match a {
                    Matrix::Plain(a) => a[i * inner + k],
                    Matrix::Transposed(a) => a[k * rows + i],
                };
                let row = &mut c[i * columns..(i + 1) * columns];
                row.iter_mut().zip(&b[k * columns..]).for_each(|(c, &b)| *c += factor * b);
            }
        }
    }
}
