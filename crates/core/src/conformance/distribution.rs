//! What a game draws faster than by listing has the distribution of the plain form.

use std::collections::HashMap;
use std::hash::Hash;

use super::{Place, law};
use crate::erased::Playable;
use crate::game::Phase;
use crate::random::FastRng;
use crate::seat::Viewer;

/// Draws for each possible result.
const DRAWS_EACH: usize = 24;
/// Positions with more results are not drawn from.
const MOST_RESULTS: usize = 600;
/// A wrong alarm is as unlikely as a normal variable beyond so many deviations (about 10⁻¹¹); draws come from a fixed seed.
const DEVIATIONS: f64 = 6.7;

impl<G: Playable> Place<'_, G> {
    pub(super) fn draws_have_the_plain_distribution(&self, rng: &mut FastRng) {
        let (game, state) = (self.game(), self.state());
        match self.current.phase() {
            Phase::Over => {}
            Phase::Chance => {
                let mut outcomes = Vec::new();
                game.outcomes(state, &mut outcomes);
                let weights = outcomes.into_iter().map(|(outcome, weight)| (outcome, weight as f64)).collect();
                let far = far_from(weights, rng, |rng| game.sample_outcome(state, rng));
                law!(self, far.is_none(), "sampled outcomes: {}", far.unwrap_or_default());
                for seat in (0..game.facts().n_seats).filter(|_| game.facts().hidden) {
                    let expected = self.current.outcomes(Viewer::Seat(seat)).into_iter();
                    let weights = expected.map(|(outcome, weight)| (outcome, weight as f64)).collect();
                    let drawn = |rng: &mut FastRng| game.sample_outcome(&game.determinize(state, seat, rng), rng);
                    let far = far_from(weights, rng, drawn);
                    law!(self, far.is_none(), "outcomes that seat {seat} expects: {}", far.unwrap_or_default());
                }
            }
            Phase::Act(seats) => {
                for seat in seats.iter() {
                    let weights = self.current.legal_actions(seat).into_iter().map(|action| (action, 1.0)).collect();
                    let mut scratch = Vec::new();
                    let far = far_from(weights, rng, |rng| game.random_action(state, seat, &mut scratch, rng));
                    law!(self, far.is_none(), "random actions of seat {seat}: {}", far.unwrap_or_default());
                }
            }
        }
    }
}

/// Draws often and compares with the weights by chi-squared; says how they differ where they differ too much.
fn far_from<T: Copy + Eq + Hash + std::fmt::Debug>(
    weights: Vec<(T, f64)>,
    rng: &mut FastRng,
    mut draw: impl FnMut(&mut FastRng) -> T,
) -> Option<String> {
    let n = weights.len();
    if !(2..=MOST_RESULTS).contains(&n) {
        return None;
    }
    let total: f64 = weights.iter().map(|&(_, weight)| weight).sum();
    let n_draws = n * DRAWS_EACH;
    let mut counts: HashMap<T, usize> = HashMap::new();
    for _ in 0..n_draws {
        *counts.entry(draw(rng)).or_default() += 1;
    }
    let chi_squared: f64 = weights
        .iter()
        .map(|(result, weight)| {
            let expected = n_draws as f64 * weight / total;
            (counts.remove(result).unwrap_or(0) as f64 - expected).powi(2) / expected
        })
        .sum();
    if let Some(result) = counts.keys().next() {
        return Some(format!("{result:?} is drawn, but not listed"));
    }
    // Wilson and Hilferty: the cube root of chi-squared over its degrees of freedom is nearly normal.
    let freedom = (n - 1) as f64;
    let spread = 2.0 / (9.0 * freedom);
    let deviations = ((chi_squared / freedom).cbrt() - (1.0 - spread)) / spread.sqrt();
    let far = deviations > DEVIATIONS;
    far.then(|| format!("chi-squared is {chi_squared:.1} with {freedom} degrees of freedom in {n_draws} draws"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{index, stream};

    #[test]
    fn a_crooked_die_is_found_out_and_a_fair_one_is_not() {
        let weights = || (0..6).map(|face| (face, 1.0)).collect::<Vec<(usize, f64)>>();
        let fair = far_from(weights(), &mut stream(1, "die", 0), |rng| index(rng, 6));
        assert_eq!(fair, None);
        // Six instead of one.
        let crooked = far_from(weights(), &mut stream(1, "die", 0), |rng| index(rng, 6).max(1));
        assert!(crooked.unwrap().contains("chi-squared"));
        let strange = far_from(weights(), &mut stream(1, "die", 0), |rng| index(rng, 7));
        assert_eq!(strange.unwrap(), "6 is drawn, but not listed");
    }
}
