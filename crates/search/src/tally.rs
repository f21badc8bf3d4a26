//! What playouts or evaluations of an action of the root came to.

use raichi_core::game::Facts;
use raichi_core::seat::Seat;

use crate::agent::{Advice, Candidate, Certainty, Cost};

/// Sums over all samples of one action of the root, which is told apart by its place there.
#[derive(Clone, Debug)]
pub(crate) struct Tally {
    pub(crate) place: usize,
    pub(crate) visits: u64,
    /// Of the payoffs, by seat.
    sums: Vec<f64>,
    /// Of the squares of the chooser's own payoffs.
    squares: f64,
    chooser: Seat,
}

impl Tally {
    pub(crate) fn new(place: usize, facts: &Facts, chooser: Seat) -> Tally {
        Tally { place, visits: 0, sums: vec![0.0; facts.n_seats], squares: 0.0, chooser }
    }

    /// One for each of so many actions.
    pub(crate) fn of_actions(n: usize, facts: &Facts, chooser: Seat) -> Vec<Tally> {
        (0..n).map(|place| Tally::new(place, facts, chooser)).collect()
    }

    /// One sample: what it paid each seat.
    pub(crate) fn add(&mut self, payoffs: impl IntoIterator<Item = f64>) {
        self.visits += 1;
        for (seat, (sum, payoff)) in self.sums.iter_mut().zip(payoffs).enumerate() {
            *sum += payoff;
            if seat == self.chooser {
                self.squares += payoff * payoff;
            }
        }
    }

    /// The samples of another thread.
    pub(crate) fn merge(&mut self, other: &Tally) {
        self.visits += other.visits;
        self.squares += other.squares;
        self.sums.iter_mut().zip(&other.sums).for_each(|(sum, more)| *sum += more);
    }

    /// The chooser's mean; worse than any payoff where there is no sample.
    pub(crate) fn mean(&self) -> f64 {
        if self.visits == 0 { f64::NEG_INFINITY } else { self.sums[self.chooser] / self.visits as f64 }
    }

    /// Of the chooser's mean, by the sample's variance; `None` below two samples.
    pub(crate) fn standard_error(&self) -> Option<f64> {
        let n = self.visits as f64;
        let variance = (self.squares - n * self.mean() * self.mean()).max(0.0) / (n - 1.0);
        (self.visits >= 2).then(|| (variance / n).sqrt())
    }

    /// As a candidate: an estimate, or nothing where there is no sample.
    fn candidate(&self) -> Candidate<usize> {
        let known = self.visits > 0;
        Candidate {
            action: self.place,
            values: if known { self.sums.iter().map(|sum| sum / self.visits as f64).collect() } else { Vec::new() },
            certainty: match known {
                true => Certainty::Estimate { standard_error: self.standard_error() },
                false => Certainty::Unknown,
            },
            visits: Some(self.visits),
            depth: None,
            plies: None,
        }
    }
}

/// Advice to play the first of `tallies`, which are in the order in which they are preferred; nothing is proven. The line is
/// left out.
pub(crate) fn advise(tallies: &[Tally], cost: Cost) -> Advice<usize> {
    Advice {
        action: tallies[0].place,
        candidates: tallies.iter().map(Tally::candidate).collect(),
        line: Vec::new(),
        cost,
        proven: false,
        known_by: None,
        why: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_and_standard_errors_are_those_of_the_sample() {
        let mut tally = Tally::new(0, &Facts::TWO_SEATS, 1);
        assert_eq!(tally.candidate().certainty, Certainty::Unknown);
        for payoff in [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0] {
            tally.add([-payoff, payoff]);
        }
        assert!((tally.mean() - 5.0).abs() < 1e-12);
        // The sample's variance is 32/7.
        let error = tally.standard_error().expect("there are eight samples");
        assert!((error - (32.0f64 / 7.0 / 8.0).sqrt()).abs() < 1e-12);
        let mut half = Tally::new(0, &Facts::TWO_SEATS, 1);
        half.merge(&tally);
        assert_eq!((half.visits, half.mean(), half.standard_error()), (8, tally.mean(), Some(error)));
    }
}
