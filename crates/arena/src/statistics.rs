//! Estimates with their intervals.

use serde::Serialize;

/// The 97.5 % point of the normal distribution: intervals cover 95 %.
const Z: f64 = 1.959_963_984_540_054;

/// An estimate and its 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The point estimate.
    pub value: f64,
    /// The interval's lower end.
    pub low: f64,
    /// The interval's upper end.
    pub high: f64,
}

impl Estimate {
    /// A proportion, with Wilson's score interval, which stays honest near 0 and 1.
    ///
    /// # Panics
    /// When there were no trials.
    pub fn proportion(successes: f64, trials: usize) -> Estimate {
        assert!(trials > 0, "a proportion of nothing has no estimate");
        let n = trials as f64;
        let p = successes / n;
        let centre = (p + Z * Z / (2.0 * n)) / (1.0 + Z * Z / n);
        let half = Z / (1.0 + Z * Z / n) * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
        // Rounding must not push the ends past the estimate.
        Estimate { value: p, low: (centre - half).clamp(0.0, p), high: (centre + half).clamp(p, 1.0) }
    }

    /// A mean, with the normal interval.
    ///
    /// # Panics
    /// When there are no values.
    pub fn mean(values: &[f64]) -> Estimate {
        let Spread { mean, deviation } = Spread::of(values);
        let half = Z * deviation / (values.len() as f64).sqrt();
        Estimate { value: mean, low: mean - half, high: mean + half }
    }
}

/// Mean and standard deviation of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// The mean.
    pub mean: f64,
    /// The sample's standard deviation (divided by n − 1); 0 for one value.
    pub deviation: f64,
}

impl Spread {
    /// Of the given values.
    ///
    /// # Panics
    /// When there are none.
    pub fn of(values: &[f64]) -> Spread {
        assert!(!values.is_empty(), "a mean of nothing has no value");
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let squares: f64 = values.iter().map(|x| (x - mean).powi(2)).sum();
        Spread { mean, deviation: if values.len() > 1 { (squares / (n - 1.0)).sqrt() } else { 0.0 } }
    }
}

/// One bar of a histogram.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bar {
    /// The least value counted here.
    pub from: u64,
    /// The least value no longer counted here.
    pub to: u64,
    /// How many values there are.
    pub count: usize,
}

/// At most `n_bars` bars of equal width over the values, whole numbers.
pub fn histogram(values: &[u64], n_bars: u64) -> Vec<Bar> {
    let (Some(&low), Some(&high)) = (values.iter().min(), values.iter().max()) else { return Vec::new() };
    let width = (high - low + 1).div_ceil(n_bars).max(1);
    let mut bars: Vec<Bar> = (0..(high - low) / width + 1)
        .map(|i| Bar { from: low + i * width, to: low + (i + 1) * width, count: 0 })
        .collect();
    for value in values {
        bars[((value - low) / width) as usize].count += 1;
    }
    bars
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilsons_interval_has_its_published_values() {
        // Newcombe (1998), table I, method 3 (score): 81 of 263, 15 of 148, 0 of 20.
        for (successes, trials, low, high) in
            [(81.0, 263, 0.2553, 0.3662), (15.0, 148, 0.0624, 0.1605), (0.0, 20, 0.0, 0.1611)]
        {
            let estimate = Estimate::proportion(successes, trials);
            assert!((estimate.low - low).abs() < 5e-5, "{estimate:?}");
            assert!((estimate.high - high).abs() < 5e-5, "{estimate:?}");
        }
    }

    #[test]
    fn a_sample_has_its_mean_and_deviation() {
        let spread = Spread::of(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]);
        assert!((spread.mean - 5.0).abs() < 1e-12);
        assert!((spread.deviation - (32.0f64 / 7.0).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn every_value_falls_into_one_bar() {
        let bars = histogram(&[3, 3, 5, 9, 12], 4);
        assert_eq!(bars.iter().map(|bar| bar.count).sum::<usize>(), 5);
        assert!(bars.len() <= 4);
        assert_eq!((bars[0].from, bars[0].count), (3, 3));
        assert!(histogram(&[], 4).is_empty());
    }
}
