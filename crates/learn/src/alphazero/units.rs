//! Payoffs as numbers between −1 and 1, and whose they are.
//!
//! Where two seats play for a constant sum, and where one plays alone, the network says one value: of the seat that looks.
//! In other games it says one for each seat, counted from the seat that looks.

use raichi_core::game::{Facts, Payoffs};
use raichi_core::seat::{MAX_SEATS, Seat};

/// A value for each seat, in units.
pub(crate) type BySeat = [f32; MAX_SEATS];

/// How payoffs of a game become units.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Units {
    middle: f64,
    half: f64,
    pub(crate) n_seats: usize,
    /// Whether one value tells those of both seats.
    one_for_two: bool,
    sum: Option<f64>,
    low: f64,
    high: f64,
}

impl Units {
    pub(crate) fn of(facts: &Facts) -> Units {
        let (low, high) = facts.payoff_range.unwrap_or((-1.0, 1.0));
        let one_for_two = facts.n_seats == 2 && facts.payoff_sum.is_some();
        let middle = match facts.payoff_sum {
            Some(sum) if one_for_two => sum / 2.0,
            _ => (low + high) / 2.0,
        };
        let half = (high - middle).max(middle - low).max(1e-9);
        Units { middle, half, n_seats: facts.n_seats, one_for_two, sum: facts.payoff_sum, low, high }
    }

    /// How many values the network says.
    pub(crate) fn n_values(&self) -> usize {
        if self.one_for_two { 1 } else { self.n_seats }
    }

    pub(crate) fn of_payoffs(&self, payoffs: &Payoffs) -> BySeat {
        let mut units = [0.0; MAX_SEATS];
        for (unit, payoff) in units.iter_mut().zip(payoffs.as_slice()) {
            *unit = ((payoff - self.middle) / self.half) as f32;
        }
        units
    }

    /// What the network said for `looker`, by seat.
    pub(crate) fn by_seat(&self, said: &[f32], looker: Seat) -> BySeat {
        let mut units = [0.0; MAX_SEATS];
        if self.one_for_two {
            units[looker] = said[0];
            units[1 - looker] = -said[0];
        } else {
            said.iter().enumerate().for_each(|(i, &value)| units[(looker + i) % self.n_seats] = value);
        }
        units
    }

    /// What the network should say for `looker`.
    pub(crate) fn outputs(&self, units: &BySeat, looker: Seat) -> Box<[f32]> {
        (0..self.n_values()).map(|i| units[(looker + i) % self.n_seats]).collect()
    }

    /// A value as a payoff.
    pub(crate) fn payoff(&self, unit: f32) -> f64 {
        (self.middle + f64::from(unit) * self.half).clamp(self.low, self.high)
    }

    /// Values as payoffs, within the game's bounds and with its sum.
    pub(crate) fn payoffs(&self, units: &BySeat, payoffs: &mut [f32]) {
        for (payoff, &unit) in payoffs.iter_mut().zip(units) {
            *payoff = self.payoff(unit) as f32;
        }
        match self.sum {
            Some(sum) if self.one_for_two => payoffs[1] = sum as f32 - payoffs[0],
            Some(sum) if self.n_seats > 1 => share_out(payoffs, sum as f32, self.low as f32),
            _ => {}
        }
    }
}

/// Makes payoffs add up to `sum`: what lies above the least is shared in the same proportions.
fn share_out(payoffs: &mut [f32], sum: f32, low: f32) {
    let n = payoffs.len() as f32;
    let above: f32 = payoffs.iter().map(|payoff| payoff - low).sum();
    for payoff in payoffs {
        let share = if above > 1e-6 { (*payoff - low) / above } else { 1.0 / n };
        *payoff = low + share * (sum - n * low);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_turn_with_the_seat_that_looks() {
        let two = Units::of(&Facts::TWO_SEATS);
        assert_eq!(two.by_seat(&[0.25], 1)[..2], [-0.25, 0.25]);
        assert_eq!(*two.outputs(&two.by_seat(&[0.25], 1), 0), [-0.25]);
        let facts = Facts { n_seats: 3, payoff_sum: Some(1.0), payoff_range: Some((0.0, 1.0)), ..Facts::TWO_SEATS };
        let three = Units::of(&facts);
        let units = three.by_seat(&[1.0, 0.0, -1.0], 2);
        assert_eq!(units[..3], [0.0, -1.0, 1.0]);
        assert_eq!(*three.outputs(&units, 2), [1.0, 0.0, -1.0]);
        assert_eq!(three.of_payoffs(&Payoffs::new([1.0, 0.0, 0.5]))[..3], [1.0, -1.0, 0.0]);
        let mut payoffs = [0.0; 3];
        three.payoffs(&three.by_seat(&[1.0, 0.0, 0.0], 0), &mut payoffs);
        assert_eq!(payoffs, [0.5, 0.25, 0.25]);
    }
}
