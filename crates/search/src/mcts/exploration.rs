//! How much a search explores: the term that UCB adds to an average payoff, in units of the game's payoffs.

use raichi_core::game::{Facts, Payoffs};

/// The factor before UCB's square root. Payoffs stay as the game gives them; the factor grows with their spread, so
/// that `c` means the same in a game of wins and losses and in one of thousands of points.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exploration {
    c: f64,
    /// Whether the game bounds its payoffs; else their spread is measured along the way.
    bounded: bool,
    factor: f64,
    /// What stands in for the range of payoffs that the game does not bound; 1 where it does.
    unit: f64,
    n: f64,
    mean: f64,
    squares: f64,
}

impl Exploration {
    pub(super) fn new(c: f64, facts: &Facts) -> Exploration {
        let range = facts.payoff_range.map_or(0.0, |(low, high)| high - low);
        let bounded = facts.payoff_range.is_some();
        let unit = if bounded { 1.0 } else { 0.0 };
        Exploration { c, bounded, factor: c * range, unit, n: 0.0, mean: 0.0, squares: 0.0 }
    }

    #[inline]
    pub(super) fn factor(&self) -> f64 {
        self.factor
    }

    /// By what a weight that already counts in units of the range is multiplied, which unbounded payoffs do not have.
    #[inline]
    pub(super) fn unit(&self) -> f64 {
        self.unit
    }

    /// Takes note of what a simulation paid.
    #[inline]
    pub(super) fn observe(&mut self, payoffs: &Payoffs) {
        if !self.bounded {
            self.measure(payoffs);
        }
    }

    // Two standard deviations stand in for the range: so it is where wins (+1) and losses (−1) are equally likely. The
    // range seen would be that of the rarest playouts, and grow with the search.
    fn measure(&mut self, payoffs: &Payoffs) {
        for &payoff in payoffs.as_slice() {
            self.n += 1.0;
            let off = payoff - self.mean;
            self.mean += off / self.n;
            self.squares += off * (payoff - self.mean);
        }
        self.unit = 2.0 * (self.squares / self.n).sqrt();
        self.factor = self.c * self.unit;
    }
}

/// √ln n, to about one part in a hundred, and the same on every machine, which the mathematical library is not.
#[inline]
pub(super) fn sqrt_ln(n: u32) -> f32 {
    (log2(n as f32).max(0.0) * std::f32::consts::LN_2).sqrt()
}

/// The logarithm of a number above 0.
#[inline]
fn log2(x: f32) -> f32 {
    let bits = x.to_bits();
    let exponent = (bits >> 23) as i32 - 127;
    let mantissa = f32::from_bits(bits & 0x007f_ffff | 0x3f80_0000);
    // The parabola that meets log2 at 1, 3/2 and 2.
    exponent as f32 + (mantissa - 1.0) * (1.68 - 0.34 * mantissa)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_logarithm_is_near_enough() {
        assert_eq!((sqrt_ln(0), sqrt_ln(1)), (0.0, 0.0));
        for n in (2..5000).chain([100_000, 1_234_567, u32::MAX]) {
            let exact = f64::from(n).ln().sqrt();
            let found = sqrt_ln(n);
            assert!((f64::from(found) / exact - 1.0).abs() < 0.01, "{n}: {found} for {exact}");
        }
    }

    #[test]
    fn the_factor_follows_the_range_or_else_the_spread() {
        let mut bounded = Exploration::new(0.7, &Facts::TWO_SEATS);
        bounded.observe(&Payoffs::new([0.0, 0.0]));
        assert_eq!(bounded.factor(), 1.4);
        let facts = Facts { n_seats: 1, payoff_sum: None, payoff_range: None, ..Facts::TWO_SEATS };
        let mut open = Exploration::new(0.7, &facts);
        for payoff in [1000.0, 1400.0, 1000.0, 1400.0] {
            open.observe(&Payoffs::new([payoff]));
        }
        assert!((open.factor() - 0.7 * 400.0).abs() < 1e-9, "{}", open.factor());
        assert_eq!((bounded.unit(), open.unit()), (1.0, 400.0));
    }
}
