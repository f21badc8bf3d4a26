//! The sequential probability ratio test: is an agent better by `elo1` rather than by `elo0`?
//!
//! Wald (1945) in the generalised form of Van den Bergh ("A practical introduction to the GSPRT", 2019): the frequencies
//! of the results are unknown, and each hypothesis is taken with those of its mean that make the games likeliest. The unit
//! is the pair, an opening from both sides: its five results (0, ½, 1, 1½, 2 points: the pentanomial) are independent
//! where the two games in it are not. Every result is counted one thousandth of a pair at the start, so that one that has
//! not yet occurred is not taken for impossible.
//!
//! Checked against: Wald's promised error rates in simulated streams of pairs.

use serde::Serialize;

use super::bradley_terry::expected_score;

/// A test that has been agreed upon.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Sprt {
    /// The hypothesis that is to be rejected.
    pub elo0: f64,
    /// The hypothesis that is to be accepted.
    pub elo1: f64,
    /// How often `elo1` may be accepted though `elo0` is true.
    pub alpha: f64,
    /// How often `elo0` may be accepted though `elo1` is true.
    pub beta: f64,
}

/// What a test has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Not yet decided.
    Open,
    /// The first agent is better by `elo1` rather than by `elo0`.
    Elo1,
    /// The first agent is better by `elo0` rather than by `elo1`.
    Elo0,
}

/// Pairs by the points that the first agent made in them: 0, ½, 1, 1½, 2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Pairs(pub [u64; 5]);

impl Pairs {
    /// Counts a pair.
    ///
    /// # Panics
    /// When no pair has so many points.
    pub fn add(&mut self, points: f64) {
        self.0[(2.0 * points) as usize] += 1;
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.0.iter().sum()
    }
}

impl Sprt {
    /// The log-likelihood ratios at which `elo0` and `elo1` are accepted.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio of `elo1` over `elo0`.
    pub fn log_likelihood_ratio(&self, pairs: &Pairs) -> f64 {
        if pairs.count() == 0 {
            return 0.0;
        }
        let counts = pairs.0.map(|count| count as f64 + 1e-3);
        let n: f64 = counts.iter().sum();
        let frequencies = counts.map(|count| count / n);
        let of_mean = |elo: f64| likeliest_of_mean(&frequencies, expected_score(elo));
        let (under0, under1) = (of_mean(self.elo0), of_mean(self.elo1));
        let each = (0..5).map(|i| frequencies[i] * (under1[i] / under0[i]).ln());
        n * each.sum::<f64>()
    }

    /// What these pairs decide.
    pub fn verdict(&self, pairs: &Pairs) -> Verdict {
        let (low, high) = self.bounds();
        match self.log_likelihood_ratio(pairs) {
            ratio if ratio <= low => Verdict::Elo0,
            ratio if ratio >= high => Verdict::Elo1,
            _ => Verdict::Open,
        }
    }
}

// The distribution of this mean score under which the frequencies are likeliest: p / (1 + t (a − mean)) with the t that
// makes it sum to 1; the sum of p (a − mean) / (1 + t (a − mean)) falls with t and is 0 there.
fn likeliest_of_mean(frequencies: &[f64; 5], mean: f64) -> [f64; 5] {
    let ahead = |i: usize| i as f64 / 4.0 - mean;
    let slope = |t: f64| (0..5).map(|i| frequencies[i] * ahead(i) / (1.0 + t * ahead(i))).sum::<f64>();
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        if slope(middle) > 0.0 { low = middle } else { high = middle }
    }
    let t = (low + high) / 2.0;
    std::array::from_fn(|i| frequencies[i] / (1.0 + t * ahead(i)))
}

#[cfg(test)]
mod tests {
    use raichi_core::random::{FastRng, below, stream};

    use super::*;

    const TEST: Sprt = Sprt { elo0: 0.0, elo1: 60.0, alpha: 0.05, beta: 0.05 };

    #[test]
    fn the_constrained_distribution_has_its_mean_and_sums_to_one() {
        let frequencies = [0.1, 0.2, 0.3, 0.25, 0.15];
        for mean in [0.3, 0.5, 0.54, 0.8] {
            let found = likeliest_of_mean(&frequencies, mean);
            assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{found:?}");
            let its_mean: f64 = found.iter().enumerate().map(|(i, p)| p * i as f64 / 4.0).sum();
            assert!((its_mean - mean).abs() < 1e-9, "{found:?}");
        }
        // The frequencies' own mean leaves them as they are.
        let mean = frequencies.iter().enumerate().map(|(i, p)| p * i as f64 / 4.0).sum();
        let same = likeliest_of_mean(&frequencies, mean);
        assert!(same.iter().zip(frequencies).all(|(found, p)| (found - p).abs() < 1e-9), "{same:?}");
    }

    #[test]
    fn the_ratio_approaches_that_of_the_normal_distribution() {
        // Van den Bergh: n (s1 − s0) (2 mean − s0 − s1) / (2 variance) for close hypotheses.
        let test = Sprt { elo0: 0.0, elo1: 4.0, ..TEST };
        let pairs = Pairs([300, 1200, 2900, 1450, 350]);
        let n = pairs.count() as f64;
        let mean = pairs.0.iter().enumerate().map(|(i, &c)| c as f64 * i as f64 / 4.0).sum::<f64>() / n;
        let variance =
            pairs.0.iter().enumerate().map(|(i, &c)| c as f64 * (i as f64 / 4.0 - mean).powi(2)).sum::<f64>() / n;
        let (s0, s1) = (expected_score(0.0), expected_score(4.0));
        let approximate = n * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance);
        let ratio = test.log_likelihood_ratio(&pairs);
        assert!((ratio - approximate).abs() < 0.02 * approximate.abs(), "{ratio} {approximate}");
    }

    // A stream of pairs of true strength `elo` whose two games hang together: in a third of the pairs the opening decides
    // both, and each side wins one.
    fn pair(elo: f64, rng: &mut FastRng) -> f64 {
        const ONE: u64 = 1 << 32;
        if below(rng, 3) == 0 {
            return 1.0;
        }
        // Of the other pairs' mean, so that the whole has the score of `elo`.
        let score = 0.5 + (expected_score(elo) - 0.5) * 1.5;
        let mut game = || match below(rng, 4) {
            0 => 0.5,
            // A quarter drawn: the others make up for it.
            _ => f64::from(u8::from(below(rng, ONE) < (ONE as f64 * ((score - 0.125) / 0.75)) as u64)),
        };
        game() + game()
    }

    fn decide(elo: f64, number: u64) -> (Verdict, u64) {
        let mut rng = stream(3, "sprt", number);
        let mut pairs = Pairs::default();
        loop {
            pairs.add(pair(elo, &mut rng));
            match TEST.verdict(&pairs) {
                Verdict::Open => {}
                verdict => return (verdict, pairs.count()),
            }
        }
    }

    #[test]
    fn errors_are_as_rare_as_promised() {
        const TESTS: u64 = 2000;
        for (elo, wrong) in [(0.0, Verdict::Elo1), (60.0, Verdict::Elo0)] {
            let decided: Vec<(Verdict, u64)> = (0..TESTS).map(|number| decide(elo, number)).collect();
            let errors = decided.iter().filter(|&&(verdict, _)| verdict == wrong).count() as f64 / TESTS as f64;
            let length = decided.iter().map(|&(_, n)| n).sum::<u64>() as f64 / TESTS as f64;
            // Wald's bound is 0.05 / 0.95; three standard errors of the count are 0.015.
            assert!((0.01..0.0526 + 0.015).contains(&errors), "{elo} Elo: {errors} wrong after {length} pairs");
            assert!(length < 250.0, "{elo} Elo: {length} pairs");
        }
    }
}
