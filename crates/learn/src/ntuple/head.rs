//! How a sum of weights becomes a payoff, and from whose side a position is valued.
//!
//! Where two seats play for a constant sum one number tells both, so a position is always valued for the seat that is not
//! to act: that is who has just acted, in games without a second turn. Where chance acts next it is valued for the seat that acts
//! after that, since the position does not say who has acted. In other games of several seats each seat values the
//! position for itself, with weights of their own by who is to act.

use raichi_core::game::{Facts, Game, Phase};
use raichi_core::random::{FastRng, stream};
use raichi_core::seat::Seat;

use super::network::Sets;
use super::options::{Config, Method};

/// An evaluator that is surer than this counts as so sure: weights can still change what it says.
const MOST_SURE: f32 = 0.995;

/// How values are made and read.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Head {
    pub(crate) method: Method,
    pub(crate) by_score: bool,
    /// What the position after an action counts beside what the action brings at once: with scores that of the option `gamma`,
    /// as in what is learned; where only the end pays, actions are compared by the positions alone.
    pub(crate) discount: f32,
    bounded: bool,
    /// The payoff in the middle, which is 0 in units of the network.
    middle: f64,
    /// What one unit is in payoff.
    unit: f64,
    init: f32,
    n_seats: usize,
    /// Whether one number tells the values of both seats.
    pub(crate) one_number: bool,
    /// Whether positions before an action have weights of their own.
    pub(crate) before_actions: bool,
    chance: bool,
    /// Whether payoffs have bounds, so that a unit says how much a difference is.
    has_bounds: bool,
}

impl Head {
    pub(crate) fn new(config: &Config, facts: &Facts) -> Head {
        let one_number = facts.n_seats == 2 && facts.payoff_sum.is_some();
        let middle = match (facts.payoff_sum, facts.payoff_range) {
            (Some(sum), _) if one_number => sum / 2.0,
            (_, Some((low, high))) if config.bounded => (low + high) / 2.0,
            _ => 0.0,
        };
        let unit = match facts.payoff_range {
            Some((low, high)) if config.bounded => (high - middle).max(middle - low).max(1e-9),
            _ => 1.0,
        };
        let init = (config.init - middle * f64::from(config.init != 0.0)) / unit;
        let init = if config.bounded { init.clamp(-0.999, 0.999).atanh() } else { init } as f32;
        Head {
            method: config.method,
            by_score: config.by_score,
            discount: if config.by_score { config.gamma } else { 1.0 },
            bounded: config.bounded,
            middle,
            unit,
            init,
            n_seats: facts.n_seats,
            one_number,
            before_actions: config.before_actions,
            chance: facts.chance,
            has_bounds: facts.payoff_range.is_some(),
        }
    }

    pub(crate) fn n_seats(&self) -> usize {
        self.n_seats
    }

    /// The sets of tables that are needed.
    pub(crate) fn sets(&self, config: &Config, n_actions: u64) -> Result<Sets, String> {
        const MOST_ACTIONS: u64 = 4096;
        let n_kinds = match self.method {
            Method::Td if self.one_number || self.n_seats == 1 => 1 + usize::from(self.before_actions),
            Method::Td => self.n_seats + usize::from(self.chance),
            _ if n_actions <= MOST_ACTIONS => n_actions as usize,
            _ => {
                return Err(format!(
                    "it has {n_actions} actions, and a table for each is too much above {MOST_ACTIONS}; method=td has none"
                ));
            }
        };
        Ok(Sets { n_seats: if config.by_seat { self.n_seats } else { 1 }, n_kinds, n_phases: config.phases })
    }

    /// The value in units of the network of a sum of weights, which counts from `from`.
    #[inline]
    pub(crate) fn unit_value(&self, from: f32, sum: f32) -> f32 {
        if self.bounded { tanh(from + sum) } else { from + sum }
    }

    /// From what sums count where nothing but the network knows of positions: the option `init`.
    #[inline]
    pub(crate) fn init(&self) -> f32 {
        self.init
    }

    /// From what they count where an evaluator says a payoff of a position.
    #[inline]
    pub(crate) fn start_at(&self, payoff: f32) -> f32 {
        let units = self.in_units(payoff.into());
        if self.bounded { units.clamp(-MOST_SURE, MOST_SURE).atanh() } else { units }
    }

    /// How much the value changes with the sum, at a value.
    #[inline]
    pub(crate) fn slope(&self, value: f32) -> f32 {
        if self.bounded { 1.0 - value * value } else { 1.0 }
    }

    /// A payoff in units of the network.
    #[inline]
    pub(crate) fn in_units(&self, payoff: f64) -> f32 {
        ((payoff - self.middle) / self.unit) as f32
    }

    /// Whether a difference of one unit is a great one: half of all that can be won, or one of a few steps of a score.
    pub(crate) fn has_bounds(&self) -> bool {
        self.has_bounds
    }

    /// A difference of payoffs in units of the network.
    #[inline]
    pub(crate) fn difference_in_units(&self, payoff: f64) -> f32 {
        (payoff / self.unit) as f32
    }

    /// A value as a payoff. Where scores count it is what is still to come.
    #[inline]
    pub(crate) fn payoff(&self, value: f32) -> f64 {
        if self.by_score { f64::from(value) * self.unit } else { self.middle + f64::from(value) * self.unit }
    }

    /// Whose sight values, for `seat`, a position that is not over; which kind of position it is; and whether the value is
    /// the other seat's, to be negated. Where chance acts next [`looker`] finds out more.
    #[inline]
    fn looker(&self, phase: Phase, seat: Seat) -> (Seat, usize, bool) {
        let actor = match phase {
            Phase::Act(seats) => Some(seats.first()),
            _ => None,
        };
        if self.one_number {
            return if actor == Some(seat) { (1 - seat, 0, true) } else { (seat, 0, false) };
        }
        if self.n_seats == 1 {
            return (seat, 0, false);
        }
        let kind = actor.map_or(self.n_seats, |actor| (actor + self.n_seats - seat) % self.n_seats);
        (seat, kind, false)
    }
}

/// As [`Head::looker`], of a position whose phase this is.
#[inline]
pub(crate) fn looker<G: Game>(
    head: &Head,
    game: &G,
    state: &G::State,
    phase: Phase,
    seat: Seat,
) -> (Seat, usize, bool) {
    match phase {
        Phase::Chance if head.one_number => {
            let next = next_to_act(game, state.clone());
            (next, 0, next != seat)
        }
        _ => head.looker(phase, seat),
    }
}

/// The seat that acts once chance has, after outcomes that are always the same in a position; the first where the game ends before.
fn next_to_act<G: Game>(game: &G, mut state: G::State) -> Seat {
    let rng: &mut FastRng = &mut stream(0, "who acts after chance", 0);
    loop {
        match game.phase(&state) {
            Phase::Act(seats) => return seats.first(),
            Phase::Over => return 0,
            Phase::Chance => {
                let outcome = game.sample_outcome(&state, rng);
                game.apply_outcome(&mut state, outcome);
            }
        }
    }
}

/// The kind of position that is before an action, where [`Head::before_actions`] gives it weights of its own. The looker is the
/// same as after the last one.
pub(crate) const BEFORE_ACTION: usize = 1;

/// The hyperbolic tangent by a quotient of polynomials that is exact to 1e-6 and the same on all machines: Lambert's
/// continued fraction, cut off after seven terms.
#[inline]
pub(crate) fn tanh(x: f32) -> f32 {
    let x = f64::from(x.clamp(-9.0, 9.0));
    if x.abs() > 4.5 {
        // The fraction needs more terms there; the tangent of the double is that of the half.
        let half = fraction(x / 2.0);
        return (2.0 * half / (1.0 + half * half)) as f32;
    }
    fraction(x) as f32
}

#[inline]
fn fraction(x: f64) -> f64 {
    let y = x * x;
    let above = x * (135_135.0 + y * (17_325.0 + y * (378.0 + y)));
    let below = 135_135.0 + y * (62_370.0 + y * (3_150.0 + y * 28.0));
    (above / below).clamp(-1.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::tanh;

    #[test]
    fn the_tangent_is_that_of_the_library() {
        for i in -2000..=2000 {
            let x = i as f32 / 200.0;
            let exact = if x.abs() > 9.0 { x.signum() * 9f32.tanh() } else { x.tanh() };
            assert!((tanh(x) - exact).abs() < 2e-4, "{x}: {} and not {exact}", tanh(x));
        }
    }
}
