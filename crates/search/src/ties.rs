//! What a position is worth to all where the seat to act has several best actions.

use raichi_core::seat::Seat;

/// Payoffs that differ by less are equal; they come from sums.
pub(crate) const EQUAL: f64 = 1e-9;

/// The payoffs by seat of a position in which `seat` chooses among actions that pay `all` of them: the mean over those that pay it
/// the most. Where they pay the others differently each is assumed to be chosen equally often, as the solvers do.
pub fn share_ties<'a>(all: impl Iterator<Item = &'a [f64]> + Clone, seat: Seat) -> Vec<f64> {
    let most = all.clone().map(|values| values[seat]).fold(f64::NEG_INFINITY, f64::max);
    let (mut sums, mut n) = (Vec::new(), 0.0);
    for values in all.filter(|values| most - values[seat] <= EQUAL) {
        sums.resize(values.len(), 0.0);
        sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
        n += 1.0;
    }
    sums.into_iter().map(|sum: f64| sum / n).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_choices_are_made_equally_often() {
        let shared = |all: &[[f64; 3]], seat| share_ties(all.iter().map(<[f64; 3]>::as_slice), seat);
        assert_eq!(shared(&[[1.0, -0.5, -0.5], [-0.5, 1.0, -0.5], [-0.5, -0.5, 1.0]], 0), [1.0, -0.5, -0.5]);
        assert_eq!(shared(&[[0.0, 1.0, -1.0], [0.0, -1.0, 1.0], [-1.0, 1.0, 0.0]], 0), [0.0, 0.0, 0.0]);
    }
}
