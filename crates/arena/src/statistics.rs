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
        Estimate::score(successes / trials as f64, trials as f64, 1.0)
    }

    /// Wilson's score interval about the mean `p` of `n` values from 0 to 1, whose variance is `part` of the most that it can
    /// be, p(1 − p).
    fn score(p: f64, n: f64, part: f64) -> Estimate {
        let squared = part * Z * Z / n;
        let centre = (p + squared / 2.0) / (1.0 + squared);
        let half = (squared * p * (1.0 - p) + squared * squared / 4.0).max(0.0).sqrt() / (1.0 + squared);
        // Rounding must not push the ends past the estimate.
        Estimate { value: p, low: (centre - half).clamp(0.0, p), high: (centre + half).clamp(p, 1.0) }
    }

    /// The mean of payoffs; `range` is the least and the greatest that there can be, where that is known.
    ///
    /// Where it is known the interval keeps to it, and is not empty however few games there are:
    ///
    /// - Of results, each at an end or in the middle (won, lost, drawn), it is Wilson's, with the variance of the results in
    ///   place of p(1 − p). So that equal results do not pass for certainty, `Z`² pseudo-observations with the greatest
    ///   variance are counted in. Without draws it is Wilson's own.
    /// - Of other payoffs, whose bounds are far from what is usual, it is Student's, cut off at the bounds.
    ///
    /// Where the range is not known it is the normal interval of [`Estimate::mean`].
    ///
    /// # Panics
    /// When there are no values.
    pub fn payoff(values: &[f64], range: Option<(f64, f64)>) -> Estimate {
        let Some((least, most)) = range.filter(|(least, most)| least < most) else { return Estimate::mean(values) };
        let width = most - least;
        let Spread { mean, deviation } = Spread::of(values);
        let is_result = |x: &f64| [0.0, 0.5, 1.0].iter().any(|end| ((x - least) / width - end).abs() < 1e-9);
        if deviation > 0.0 && !values.iter().all(is_result) {
            let half = students(values.len() - 1) * deviation / (values.len() as f64).sqrt();
            return Estimate { value: mean, low: (mean - half).max(least), high: (mean + half).min(most) };
        }
        let n = values.len() as f64;
        let p = ((mean - least) / width).clamp(0.0, 1.0);
        let squares = (n - 1.0) * (deviation / width).powi(2);
        let pseudo = Z * Z / 4.0;
        let part = ((squares + pseudo) / (n * p * (1.0 - p) + pseudo)).min(1.0);
        let Estimate { low, high, .. } = Estimate::score(p, n, part);
        let end = |share: f64| least + share * width;
        Estimate { value: mean, low: end(low).min(mean), high: end(high).max(mean) }
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

/// The 97.5 % point of Student's distribution with so many degrees of freedom, at least one: of few from tables, of more by
/// the expansion of Cornish and Fisher, to three places.
fn students(degrees: usize) -> f64 {
    const FEW: [f64; 10] = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228];
    let n = degrees as f64;
    FEW.get(degrees.saturating_sub(1)).copied().unwrap_or_else(|| {
        let [first, second] = [Z.powi(3) + Z, 5.0 * Z.powi(5) + 16.0 * Z.powi(3) + 3.0 * Z];
        Z + first / (4.0 * n) + second / (96.0 * n * n)
    })
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
    fn intervals_of_payoffs_keep_to_their_bounds_and_are_never_empty() {
        let range = Some((-1.0, 1.0));
        // Without draws it is Wilson's, scaled: of 4 of 4 from 0.5101 to 1.
        let won = Estimate::payoff(&[1.0; 4], range);
        assert!((won.low - 0.0202).abs() < 1e-3 && won.high == 1.0, "{won:?}");
        let mut values = vec![1.0; 15];
        values.extend([-1.0; 133]);
        let mixed = Estimate::payoff(&values, range);
        let wilson = Estimate::proportion(15.0, 148);
        assert!((mixed.low - (2.0 * wilson.low - 1.0)).abs() < 1e-9, "{mixed:?}");
        // Only draws: surer than wins and losses in equal numbers, but not certain.
        let (drawn, even) =
            (Estimate::payoff(&[0.0; 100], range), Estimate::payoff(&[[1.0, -1.0]; 50].concat(), range));
        assert!(drawn.high > 0.01 && drawn.high < 0.06 && drawn.low < -0.01, "{drawn:?}");
        assert!(even.high > 0.15, "{even:?}");
        // Whatever there is.
        for n in 1..30 {
            for shape in [[1.0, 1.0, 0.0], [1.0, -1.0, 1.0], [0.8, 0.9, -0.3], [-1.0, -1.0, -1.0], [0.25, 0.25, 0.25]] {
                let values: Vec<f64> = shape.iter().copied().cycle().take(n).collect();
                let Estimate { value, low, high } = Estimate::payoff(&values, range);
                assert!(-1.0 <= low && low <= value && value <= high && high <= 1.0 && low < high, "{values:?}");
            }
        }
        // Bounds that are far away do not widen it.
        let stacks = Estimate::payoff(&[[0.5, -0.5, 1.0, -1.0]; 25].concat(), Some((-200.0, 200.0)));
        assert!(stacks.high < 0.2, "{stacks:?}");
        assert_eq!(Estimate::payoff(&[3.0, 5.0], None), Estimate::mean(&[3.0, 5.0]));
    }

    #[test]
    fn students_points_are_those_of_the_tables() {
        for (degrees, point) in [(1, 12.706), (10, 2.228), (11, 2.201), (20, 2.086), (60, 2.000)] {
            assert!((students(degrees) - point).abs() < 5e-3, "{degrees}: {}", students(degrees));
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
