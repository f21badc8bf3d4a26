//! Backward induction: expected payoffs of a whole graph without circles, for any number of seats, with or without chance.
//!
//! With three seats or more, or payoffs without a constant sum, what a seat does where it has equal choices decides what the
//! others get. [`Ties`] makes explicit what is assumed: shared equally over the equal choices, or always in favour of one
//! seat, or always against it. Each of them is a subgame-perfect equilibrium. They do not enclose all others (a seat that
//! expects favours for its rival keeps it from receiving them); [`bounds`] does: however equal choices are made, no seat gets
//! less or more. Its bounds may be wider than what can happen.
//!
//! Expectations are sums compensated after Neumaier (1974), so their error is that of the last rounding. Choices count as
//! equal when they differ by less than [`EQUAL`] of the larger one.

use raichi_core::seat::Seat;

use crate::exact::{Progress, Unsolved, Work};
use crate::graph::{Graph, Turn};

/// The relative difference below which payoffs count as equal. Those of small games differ by far more; rounding by less.
pub const EQUAL: f64 = 1e-12;

/// What a seat does where its best choices are equal for itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ties {
    /// Each action equally often.
    Shared,
    /// What is best for this seat, equally often where that leaves several.
    InFavourOf(Seat),
    /// What is worst for this seat, equally often where that leaves several.
    Against(Seat),
}

/// The payoffs expected in every node, by node and seat.
///
/// # Errors
/// When time is up, or play can go round in circles.
pub fn induce(graph: &Graph, ties: Ties, work: &Work<'_>) -> Result<Vec<f64>, Unsolved> {
    let circles = || Unsolved::Unknown("positions can come again in it".into());
    let order = graph.last_first(work)?.ok_or_else(circles)?;
    let n_seats = graph.n_seats;
    let mut values = vec![0.0; graph.len() * n_seats];
    for (node, payoffs) in graph.ends() {
        values[node * n_seats..][..n_seats].copy_from_slice(payoffs.as_slice());
    }
    let mut best: Vec<(u32, f64)> = Vec::new();
    for (done, &node) in order.iter().enumerate() {
        let node = node as usize;
        if done.is_multiple_of(65_536) {
            if work.is_over() {
                return Err(Unsolved::OutOfTime);
            }
            (work.progress)(Progress { stage: "values", done: done as u64, total: order.len() as u64 });
        }
        let value = |successor: u32, seat: usize| values[successor as usize * n_seats + seat];
        let mut expected = vec![0.0; n_seats];
        match graph.turn(node) {
            Turn::Over => continue,
            Turn::Chance => {
                let edges = || graph.successors(node).iter().zip(graph.weights(node));
                for (seat, expected) in expected.iter_mut().enumerate() {
                    *expected = sum(edges().map(|(&to, probability)| probability * value(to, seat)));
                }
            }
            Turn::Seat(seat) => {
                best.clear();
                // Several actions may lead to one position.
                let n_actions = graph.weights(node).iter().copied().chain(std::iter::repeat(1.0));
                best.extend(graph.successors(node).iter().copied().zip(n_actions));
                keep_best(&mut best, |to| value(to, usize::from(seat)));
                match ties {
                    Ties::Shared => {}
                    Ties::InFavourOf(favoured) => keep_best(&mut best, |to| value(to, favoured)),
                    Ties::Against(loser) => keep_best(&mut best, |to| -value(to, loser)),
                }
                for (seat, expected) in expected.iter_mut().enumerate() {
                    let total: f64 = best.iter().map(|(_, n)| n).sum();
                    *expected = sum(best.iter().map(|&(to, n)| n * value(to, seat))) / total;
                }
            }
        }
        values[node * n_seats..][..n_seats].copy_from_slice(&expected);
    }
    Ok(values)
}

/// By node and seat, what it gets at least and at most, however all seats choose between what is equal to them.
///
/// # Errors
/// As [`induce`].
pub fn bounds(graph: &Graph, work: &Work<'_>) -> Result<[Vec<f64>; 2], Unsolved> {
    let order = graph.last_first(work)?.ok_or_else(|| Unsolved::Unknown("positions can come again in it".into()))?;
    let n_seats = graph.n_seats;
    let mut least = vec![0.0; graph.len() * n_seats];
    for (node, payoffs) in graph.ends() {
        least[node * n_seats..][..n_seats].copy_from_slice(payoffs.as_slice());
    }
    let mut most = least.clone();
    for (done, &node) in order.iter().enumerate() {
        let node = node as usize;
        if done.is_multiple_of(65_536) && work.is_over() {
            return Err(Unsolved::OutOfTime);
        }
        for seat in 0..n_seats {
            let of = |values: &[f64], to: u32, seat: usize| values[to as usize * n_seats + seat];
            let successors = graph.successors(node);
            let (low, high) = match graph.turn(node) {
                Turn::Over => continue,
                Turn::Chance => {
                    let mean = |values: &[f64]| {
                        let edges = successors.iter().zip(graph.weights(node));
                        sum(edges.map(|(&to, probability)| probability * of(values, to, seat)))
                    };
                    (mean(&least), mean(&most))
                }
                Turn::Seat(chooser) => {
                    // What can be best for the chooser: it is sure of the greatest of the least.
                    let chooser = usize::from(chooser);
                    let sure = successors.iter().map(|&to| of(&least, to, chooser)).fold(f64::NEG_INFINITY, f64::max);
                    let slack = EQUAL * sure.abs().max(1.0);
                    let can_be_best = || successors.iter().filter(|&&to| of(&most, to, chooser) >= sure - slack);
                    let low = can_be_best().map(|&to| of(&least, to, seat)).fold(f64::INFINITY, f64::min);
                    let high = can_be_best().map(|&to| of(&most, to, seat)).fold(f64::NEG_INFINITY, f64::max);
                    (if seat == chooser { sure } else { low }, high)
                }
            };
            (least[node * n_seats + seat], most[node * n_seats + seat]) = (low, high);
        }
    }
    Ok([least, most])
}

/// Keeps the nodes whose values are equal to the best.
fn keep_best(nodes: &mut Vec<(u32, f64)>, value: impl Fn(u32) -> f64) {
    let best = nodes.iter().map(|&(node, _)| value(node)).fold(f64::NEG_INFINITY, f64::max);
    nodes.retain(|&(node, _)| best - value(node) <= EQUAL * best.abs().max(1.0));
}

/// A compensated sum (Neumaier).
pub(crate) fn sum(terms: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut lost) = (0.0f64, 0.0f64);
    for term in terms {
        let next = sum + term;
        lost += if sum.abs() >= term.abs() { (sum - next) + term } else { (term - next) + sum };
        sum = next;
    }
    sum + lost
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_lost_in_rounding_is_added_again() {
        assert_eq!([1e16, 1.0, -1e16].iter().sum::<f64>(), 0.0);
        assert_eq!(sum([1e16, 1.0, -1e16].into_iter()), 1.0);
    }
}
