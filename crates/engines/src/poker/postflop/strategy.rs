//! Regret matching, for all hands of a seat at a public state at once: loops over vectors that the compiler makes wide.
//!
//! A strategy at a public state is a row for each action, with a number for each hand.

use super::layout::WIDTH;

type Wide = [f32; WIDTH];

/// What is kept of what was learned before, in proportion.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Discount {
    /// Of regrets above 0.
    pub(super) positive: f32,
    /// Of regrets below 0.
    pub(super) negative: f32,
    /// Of the sums from which the average strategy is made.
    pub(super) sums: f32,
}

/// Calls the loop that is compiled for the number of actions.
macro_rules! for_number_of_actions {
    ($n:expr, $loop:ident($($argument:expr),*)) => {
        match $n {
            1 => $loop::<1>($($argument),*),
            2 => $loop::<2>($($argument),*),
            3 => $loop::<3>($($argument),*),
            4 => $loop::<4>($($argument),*),
            5 => $loop::<5>($($argument),*),
            6 => $loop::<6>($($argument),*),
            7 => $loop::<7>($($argument),*),
            8 => $loop::<8>($($argument),*),
            _ => unreachable!("trees have at most eight actions at a node"),
        }
    };
}

fn rows<const N: usize>(numbers: &[f32]) -> [&[Wide]; N] {
    let mut rows = numbers.chunks_exact(numbers.len() / N);
    [(); N].map(|()| rows.next().expect("there are as many rows as actions").as_chunks().0)
}

fn rows_mut<const N: usize>(numbers: &mut [f32]) -> [&mut [Wide]; N] {
    let mut rows = numbers.chunks_exact_mut(numbers.len() / N);
    [(); N].map(|()| rows.next().expect("there are as many rows as actions").as_chunks_mut().0)
}

/// The weights after each action, by a strategy in proportion to what is above 0 in `of`, evenly where nothing is. So small a sum
/// that 1 divided by it may be infinite counts as nothing: deep in the betting weights become as small as that.
#[inline(always)]
fn matched<const N: usize>(of: [Wide; N], weights: Wide) -> [Wide; N] {
    let above = of.map(|row| row.map(|number| if number > 0.0 { number } else { 0.0 }));
    let sum: Wide = std::array::from_fn(|i| above.iter().map(|row| row[i]).sum());
    let is_something = sum.map(|sum| sum >= f32::MIN_POSITIVE);
    let factor: Wide = std::array::from_fn(|i| if is_something[i] { weights[i] / sum[i] } else { 0.0 });
    let even: Wide = std::array::from_fn(|i| if is_something[i] { 0.0 } else { weights[i] / N as f32 });
    above.map(|row| std::array::from_fn(|i| row[i] * factor[i] + even[i]))
}

/// Splits weights among actions by regret matching, and adds them to the sums.
pub(super) fn play_and_add(n: usize, weights: &[f32], regrets: &[f32], sums: &mut [f32], next: &mut [f32], keeps: f32) {
    fn run<const N: usize>(weights: &[f32], regrets: &[f32], sums: &mut [f32], next: &mut [f32], keeps: f32) {
        let (weights, regrets) = (weights.as_chunks::<WIDTH>().0, rows::<N>(regrets));
        let (sums, next) = (rows_mut::<N>(sums), rows_mut::<N>(next));
        for (at, &weights) in weights.iter().enumerate() {
            let parts = matched(regrets.map(|row| row[at]), weights);
            for action in 0..N {
                let sum = &mut sums[action][at];
                *sum = std::array::from_fn(|i| sum[i] * keeps + parts[action][i]);
                next[action][at] = parts[action];
            }
        }
    }
    for_number_of_actions!(n, run(weights, regrets, sums, next, keeps));
}

/// Splits weights among actions by the average strategy.
pub(super) fn play(n: usize, weights: &[f32], sums: &[f32], next: &mut [f32]) {
    fn run<const N: usize>(weights: &[f32], sums: &[f32], next: &mut [f32]) {
        let (weights, sums, next) = (weights.as_chunks::<WIDTH>().0, rows::<N>(sums), rows_mut::<N>(next));
        for (at, &weights) in weights.iter().enumerate() {
            let parts = matched(sums.map(|row| row[at]), weights);
            (0..N).for_each(|action| next[action][at] = parts[action]);
        }
    }
    for_number_of_actions!(n, run(weights, sums, next));
}

/// The value by regret matching, and regrets with those of this iteration.
pub(super) fn learn(n: usize, next: &[f32], regrets: &mut [f32], value: &mut [f32], discount: Discount) {
    fn run<const N: usize>(next: &[f32], regrets: &mut [f32], value: &mut [f32], discount: Discount) {
        let (value, next, regrets) = (value.as_chunks_mut::<WIDTH>().0, rows::<N>(next), rows_mut::<N>(regrets));
        for (at, value) in value.iter_mut().enumerate() {
            let before: [Wide; N] = std::array::from_fn(|action| regrets[action][at]);
            let shares = matched(before, [1.0; WIDTH]);
            let worth = next.map(|row| row[at]);
            *value = std::array::from_fn(|i| (0..N).map(|action| shares[action][i] * worth[action][i]).sum());
            for action in 0..N {
                regrets[action][at] = std::array::from_fn(|i| {
                    let before = before[action][i];
                    let keeps = if before > 0.0 { discount.positive } else { discount.negative };
                    before * keeps + (worth[action][i] - value[i])
                });
            }
        }
    }
    for_number_of_actions!(n, run(next, regrets, value, discount));
}

/// The value by the average strategy.
pub(super) fn mean(n: usize, next: &[f32], sums: &[f32], value: &mut [f32]) {
    fn run<const N: usize>(next: &[f32], sums: &[f32], value: &mut [f32]) {
        let (value, next, sums) = (value.as_chunks_mut::<WIDTH>().0, rows::<N>(next), rows::<N>(sums));
        for (at, value) in value.iter_mut().enumerate() {
            let shares = matched(sums.map(|row| row[at]), [1.0; WIDTH]);
            *value = std::array::from_fn(|i| (0..N).map(|action| shares[action][i] * next[action][at][i]).sum());
        }
    }
    for_number_of_actions!(n, run(next, sums, value));
}

/// The value by the best action of each hand.
pub(super) fn best(n: usize, next: &[f32], value: &mut [f32]) {
    fn run<const N: usize>(next: &[f32], value: &mut [f32]) {
        let (value, next) = (value.as_chunks_mut::<WIDTH>().0, rows::<N>(next));
        for (at, value) in value.iter_mut().enumerate() {
            *value = next.iter().skip(1).fold(next[0][at], |best, row| {
                std::array::from_fn(|i| if row[at][i] > best[i] { row[at][i] } else { best[i] })
            });
        }
    }
    for_number_of_actions!(n, run(next, value));
}

/// The value where the other seat acts: its weights have its strategy in them.
pub(super) fn sum(n: usize, next: &[f32], value: &mut [f32]) {
    fn run<const N: usize>(next: &[f32], value: &mut [f32]) {
        let (value, next) = (value.as_chunks_mut::<WIDTH>().0, rows::<N>(next));
        for (at, value) in value.iter_mut().enumerate() {
            *value = std::array::from_fn(|i| next.iter().map(|row| row[at][i]).sum());
        }
    }
    for_number_of_actions!(n, run(next, value));
}
