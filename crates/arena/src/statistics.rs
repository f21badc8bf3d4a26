//! Estimates with their intervals.

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

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
        Estimate::score(successes / trials as f64, trials as f64, 1.0, Z)
    }

    /// Wilson's score interval about the mean `p` of `n` values from 0 to 1, whose variance is `part` of the most that it can
    /// be, p(1 − p); `point` is the 97.5 % point of the distribution that errors have.
    fn score(p: f64, n: f64, part: f64, point: f64) -> Estimate {
        let squared = part * point * point / n;
        let centre = (p + squared / 2.0) / (1.0 + squared);
        let half = (squared * p * (1.0 - p) + squared * squared / 4.0).max(0.0).sqrt() / (1.0 + squared);
        // Rounding must not push the ends past the estimate.
        Estimate { value: p, low: (centre - half).clamp(0.0, p), high: (centre + half).clamp(p, 1.0) }
    }
}

/// A mean and its 95 % confidence interval, where the values tell of one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    /// The point estimate.
    pub value: f64,
    /// The interval's ends; `None` where one value alone says nothing about how far others lie from it.
    pub interval: Option<[f64; 2]>,
}

impl Mean {
    /// Of independent values, with Student's interval.
    ///
    /// # Panics
    /// When there are no values.
    pub fn of(values: &[f64]) -> Mean {
        let Spread { mean, deviation } = Spread::of(values);
        Mean::students(mean, deviation / (values.len() as f64).sqrt(), values.len())
    }

    /// Of payoffs of independent games; `range` is the least and the greatest that there can be, where that is known.
    ///
    /// Where it is known the interval keeps to it, and is not empty however few games there are:
    ///
    /// - Of results, each at an end or in the middle (won, lost, drawn), it is Wilson's, with the variance of the results in
    ///   place of p(1 − p). So that equal results do not pass for certainty, `Z`² pseudo-observations with the greatest
    ///   variance are counted in. Without draws it is Wilson's own.
    /// - Of other payoffs, whose bounds are far from what is usual, it is Student's, cut off at the bounds.
    ///
    /// Where the range is not known it is that of [`Mean::of`].
    ///
    /// # Panics
    /// When there are no values.
    pub fn payoff(values: &[f64], range: Option<(f64, f64)>) -> Mean {
        let Some((least, most)) = range.filter(|(least, most)| least < most) else { return Mean::of(values) };
        let width = most - least;
        let Spread { mean, deviation } = Spread::of(values);
        if deviation > 0.0 && !are_results(values, (least, most)) {
            return Mean::of(values).within(least, most);
        }
        let n = values.len() as f64;
        let squares = (n - 1.0) * (deviation / width).powi(2);
        Mean::wilsons(mean, (least, most), n, squares, Z)
    }

    /// Of the payoffs of games in rounds: games of a round are not independent, and a round counts as one value, their mean,
    /// that weighs as much as it has games. Of results within a known `range`, and where all rounds are equal, the interval is
    /// [Wilson's](Mean::payoff) of as many values as there are rounds, with Student's point; else Student's, cut off at the range.
    ///
    /// # Panics
    /// When there are no games.
    pub fn payoff_by_round<'a>(rounds: impl Iterator<Item = &'a [f64]>, range: Option<(f64, f64)>) -> Mean {
        let rounds: Vec<&[f64]> = rounds.collect();
        let are_results = |range| rounds.iter().all(|games| are_results(games, range));
        let is_by_results = range.is_some_and(are_results);
        let rounds: Vec<(f64, f64)> = rounds.iter().map(|games| (Spread::of(games).mean, games.len() as f64)).collect();
        let n_games: f64 = rounds.iter().map(|(_, n)| n).sum();
        assert!(n_games > 0.0, "a mean of nothing has no value");
        let value = rounds.iter().map(|(mean, n)| mean * n).sum::<f64>() / n_games;
        // As of n values of a mean with weights: the usual one where the weights are equal.
        let n = rounds.len() as f64;
        let squares: f64 = rounds.iter().map(|(mean, n)| ((mean - value) * n / n_games).powi(2)).sum();
        let error = (squares * n / (n - 1.0)).sqrt();
        match range.filter(|(least, most)| least < most && rounds.len() > 1) {
            Some(range) if is_by_results || error < 1e-12 => {
                let squares = squares * n * n / (range.1 - range.0).powi(2);
                Mean::wilsons(value, range, n, squares, students(rounds.len() - 1))
            }
            Some((least, most)) => Mean::students(value, error, rounds.len()).within(least, most),
            None => Mean::students(value, error, rounds.len()),
        }
    }

    /// With an interval that keeps to these bounds, as the values do.
    pub fn within(self, least: f64, most: f64) -> Mean {
        Mean { interval: self.interval.map(|[low, high]| [low.max(least), high.min(most)]), ..self }
    }

    // Of `n_values` with this standard error of their mean.
    fn students(value: f64, error: f64, n_values: usize) -> Mean {
        let half = || students(n_values - 1) * error;
        Mean { value, interval: (n_values > 1).then(|| [value - half(), value + half()]) }
    }

    // Of `n` results, whose squared distances from the mean, in parts of the range, come to `squares`.
    fn wilsons(value: f64, (least, most): (f64, f64), n: f64, squares: f64, point: f64) -> Mean {
        let width = most - least;
        let p = ((value - least) / width).clamp(0.0, 1.0);
        let pseudo = point * point / 4.0;
        let part = ((squares + pseudo) / (n * p * (1.0 - p) + pseudo)).min(1.0);
        let Estimate { low, high, .. } = Estimate::score(p, n, part, point);
        let end = |share: f64| least + share * width;
        Mean { value, interval: Some([end(low).min(value), end(high).max(value)]) }
    }
}

/// Whether each of these payoffs is at an end of the range or in its middle: won, lost, drawn.
fn are_results(payoffs: &[f64], (least, most): (f64, f64)) -> bool {
    let is_result =
        |payoff: &f64| [0.0, 0.5, 1.0].iter().any(|at| ((payoff - least) / (most - least) - at).abs() < 1e-9);
    payoffs.iter().all(is_result)
}

/// As an [`Estimate`]; the ends are null where there is no interval.
impl Serialize for Mean {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ends = self.interval.map_or([None; 2], |ends| ends.map(Some));
        let mut fields = serializer.serialize_struct("Mean", 3)?;
        fields.serialize_field("value", &self.value)?;
        fields.serialize_field("low", &ends[0])?;
        fields.serialize_field("high", &ends[1])?;
        fields.end()
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
        let ends = |values: &[f64], range| {
            let Mean { value, interval } = Mean::payoff(values, range);
            let [low, high] = interval.expect("the payoffs have bounds");
            Estimate { value, low, high }
        };
        // Without draws it is Wilson's, scaled: of 4 of 4 from 0.5101 to 1.
        let won = ends(&[1.0; 4], range);
        assert!((won.low - 0.0202).abs() < 1e-3 && won.high == 1.0, "{won:?}");
        let mut values = vec![1.0; 15];
        values.extend([-1.0; 133]);
        let mixed = ends(&values, range);
        let wilson = Estimate::proportion(15.0, 148);
        assert!((mixed.low - (2.0 * wilson.low - 1.0)).abs() < 1e-9, "{mixed:?}");
        // Only draws: surer than wins and losses in equal numbers, but not certain.
        let (drawn, even) = (ends(&[0.0; 100], range), ends(&[[1.0, -1.0]; 50].concat(), range));
        assert!(drawn.high > 0.01 && drawn.high < 0.06 && drawn.low < -0.01, "{drawn:?}");
        assert!(even.high > 0.15, "{even:?}");
        // Whatever there is.
        for n in 1..30 {
            for shape in [[1.0, 1.0, 0.0], [1.0, -1.0, 1.0], [0.8, 0.9, -0.3], [-1.0, -1.0, -1.0], [0.25, 0.25, 0.25]] {
                let values: Vec<f64> = shape.iter().copied().cycle().take(n).collect();
                let Estimate { value, low, high } = ends(&values, range);
                assert!(-1.0 <= low && low <= value && value <= high && high <= 1.0 && low < high, "{values:?}");
            }
        }
        // Bounds that are far away do not widen it.
        let stacks = ends(&[[0.5, -0.5, 1.0, -1.0]; 25].concat(), Some((-200.0, 200.0)));
        assert!(stacks.high < 0.2, "{stacks:?}");
        assert_eq!(Mean::payoff(&[3.0, 5.0], None), Mean::of(&[3.0, 5.0]));
    }

    #[test]
    fn one_value_has_no_interval_and_few_have_students() {
        assert_eq!(Mean::of(&[7.0]), Mean { value: 7.0, interval: None });
        assert_eq!(serde_json::to_string(&Mean::of(&[7.0])).unwrap(), r#"{"value":7.0,"low":null,"high":null}"#);
        // Two values: 12.706 times half of their distance.
        let [low, high] = Mean::of(&[3.0, 5.0]).interval.unwrap();
        assert!((low - (4.0 - 12.706)).abs() < 1e-9 && (high - (4.0 + 12.706)).abs() < 1e-9);
        assert_eq!(Mean::of(&[3.0, 5.0]).within(0.0, 6.0).interval, Some([0.0, 6.0]));
        let two = Mean { value: 4.0, interval: Some([3.0, 5.0]) };
        assert_eq!(serde_json::to_string(&two).unwrap(), r#"{"value":4.0,"low":3.0,"high":5.0}"#);
    }

    #[test]
    fn games_of_a_round_count_as_one_value() {
        let of = |rounds: &[&[f64]], range| Mean::payoff_by_round(rounds.iter().copied(), range);
        let range = Some((-1.0, 1.0));
        // A round alone says nothing about others, however many games it has.
        assert_eq!(of(&[&[1.0, -1.0, 1.0, 1.0]], range), Mean { value: 0.5, interval: None });
        // Rounds of one game each are independent games.
        let payoffs = [3.0, 5.0, 4.0, 9.0];
        let alone: Vec<&[f64]> = payoffs.chunks(1).collect();
        let [one, other] = [of(&alone, None), Mean::of(&payoffs)].map(|mean| mean.interval.unwrap());
        assert!((one[0] - other[0]).abs() < 1e-9 && (one[1] - other[1]).abs() < 1e-9);
        // Games that repeat the first of their round add nothing.
        let mean = Mean::of(&[3.0, 5.0, 4.0]);
        for times in [1, 2, 3] {
            let rounds = [3.0, 5.0, 4.0].map(|payoff| vec![payoff; times]);
            let again = Mean::payoff_by_round(rounds.iter().map(Vec::as_slice), None);
            let low = |mean: Mean| mean.interval.unwrap()[0];
            assert!((again.value - 4.0).abs() < 1e-12 && (low(again) - low(mean)).abs() < 1e-9, "{again:?}");
        }
        // A round counts by its games.
        assert_eq!(of(&[&[1.0; 3], &[-1.0]], range).value, 0.5);
        // Where all rounds are equal, nothing is certain; and none passes the bounds.
        let [low, high] = of(&[&[1.0, 1.0][..]; 20], range).interval.unwrap();
        assert!((0.55..0.75).contains(&low) && high == 1.0, "{low}");
        let [low, high] = of(&[&[1.0; 2], &[-1.0; 2], &[1.0; 2]], range).interval.unwrap();
        assert!((-0.88..-0.87).contains(&low) && (0.96..0.97).contains(&high), "{low} {high}");
    }

    #[test]
    fn intervals_by_round_cover_the_mean_where_games_of_a_round_agree() {
        // Eight rounds of 30 games: the opening decides nine tenths of them.
        use raichi_core::random::{below, stream};
        const TIMES: u64 = 2000;
        let (mut by_round, mut by_game) = (0, 0);
        for number in 0..TIMES {
            let mut rng = stream(5, "rounds", number);
            let mut fair = move || if below(&mut rng, 2) == 0 { -1.0 } else { 1.0 };
            let mut round = || {
                let first = fair();
                (0..30).map(|i| if i % 10 == 0 { fair() } else { first }).collect::<Vec<f64>>()
            };
            let rounds: Vec<Vec<f64>> = (0..8).map(|_| round()).collect();
            let covers = |mean: Mean| u64::from(mean.interval.is_some_and(|[low, high]| low <= 0.0 && 0.0 <= high));
            let range = Some((-1.0, 1.0));
            by_round += covers(Mean::payoff_by_round(rounds.iter().map(Vec::as_slice), range));
            by_game += covers(Mean::payoff(&rounds.concat(), range));
        }
        let [by_round, by_game] = [by_round, by_game].map(|covered| covered as f64 / TIMES as f64);
        assert!((0.92..=1.0).contains(&by_round), "{by_round}");
        assert!(by_game < 0.6, "games taken for independent: {by_game}");
    }

    #[test]
    fn a_worse_result_by_rounds_has_no_higher_ends() {
        let low = |last: f64| {
            let rounds: Vec<[f64; 1]> = (0..20).map(|i| [if i == 0 { last } else { 1.0 }]).collect();
            let mean = Mean::payoff_by_round(rounds.iter().map(|games| &games[..]), Some((-1.0, 1.0)));
            mean.interval.expect("there are twenty rounds")[0]
        };
        assert!(low(-1.0) < low(0.0) && low(0.0) < low(1.0), "{} {} {}", low(-1.0), low(0.0), low(1.0));
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
