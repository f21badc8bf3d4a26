//! Equilibria of games with secrets, by counterfactual regret minimisation.
//!
//! [`solve`] walks the game once, iterates until the strategies are as near to an equilibrium as was asked for, and says
//! how near they are: [`Equilibrium::exploitability`] is computed by best responses, so it holds whatever the iterations
//! did. Two seats whose payoffs add up to a constant; the game must fit in memory as [`Sequences`].
//!
//! Checked: Kuhn Poker's value and equilibria, Leduc Poker's published value, matrix games solved by hand, sampled against
//! full iterations, and best responses against what every pure strategy gets.

mod full;
mod sampled;
mod sequences;
#[cfg(test)]
mod tests;

use raichi_core::game::Payoffs;
use raichi_core::information::Information;
use raichi_core::path::PathGame;
use raichi_core::seat::Seat;

pub use full::{FullCfr, Weights};
pub use sampled::{SampledCfr, Sampling};
pub use sequences::{Builder, Sequences};

use crate::exact::{Progress, Unsolved, Work};

/// How regrets are minimised.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Algorithm {
    /// Over the whole game in each iteration.
    Full(Weights),
    /// Over samples, drawn from a seed.
    Sampled(Sampling, u64),
}

/// When [`solve`] is content.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Options {
    /// How regrets are minimised.
    pub algorithm: Algorithm,
    /// The most iterations.
    pub iterations: u64,
    /// The exploitability at which it ends before that.
    pub target: f64,
}

impl Default for Options {
    fn default() -> Options {
        Options { algorithm: Algorithm::Full(Weights::DISCOUNTED), iterations: 1_000_000, target: 1e-6 }
    }
}

/// Strategies for both seats, and how near they are to an equilibrium.
#[derive(Clone, Debug)]
pub struct Equilibrium {
    /// What each seat gets by these strategies. The game's value is no further from it than the exploitability, twice.
    pub values: Payoffs,
    /// What both seats together could win by deviating, halved.
    pub exploitability: f64,
    /// How many iterations there were.
    pub iterations: u64,
    /// Of both seats.
    pub information_sets: usize,
    sequences: Sequences,
    plans: [Vec<f64>; 2],
}

impl Equilibrium {
    fn of(sequences: Sequences, plans: [Vec<f64>; 2], iterations: u64) -> Equilibrium {
        let both = [&plans[0][..], &plans[1][..]];
        Equilibrium {
            values: Payoffs::new(sequences.values(both)),
            exploitability: sequences.exploitability(both),
            iterations,
            information_sets: sequences.n_information_sets(),
            sequences,
            plans,
        }
    }

    /// How likely `seat` chooses each of its legal actions, in their order, in the information set whose key in
    /// [`raichi_core::information::Recall`] is `key`; evenly where it never comes there by its own strategy.
    pub fn strategy(&self, seat: Seat, key: u64) -> Option<Vec<f64>> {
        let plan = &self.plans[seat][self.sequences.actions(seat, key)?];
        let total: f64 = plan.iter().sum();
        let share = |&weight: &f64| if total > 0.0 { weight / total } else { 1.0 / plan.len() as f64 };
        Some(plan.iter().map(share).collect())
    }

    /// The game as it was solved.
    pub fn sequences(&self) -> &Sequences {
        &self.sequences
    }

    /// The probabilities of each seat's sequences.
    pub fn plans(&self) -> [&[f64]; 2] {
        [&self.plans[0], &self.plans[1]]
    }
}

/// Strategies for both seats from the first ply on. Where the time was up before the target was reached, what was found by
/// then: its exploitability says what it is worth.
///
/// # Errors
/// When the game is none for these methods, or the walk through it needs more time or memory than there is.
pub fn solve<G: Information>(game: &PathGame<G>, options: &Options, work: &Work<'_>) -> Result<Equilibrium, Unsolved> {
    let sequences = Sequences::of(game, work)?;
    let (plans, iterations) = match options.algorithm {
        Algorithm::Full(weights) => {
            let mut cfr = FullCfr::new(&sequences, weights);
            let n = run(options, work, &sequences, &mut cfr, FullCfr::iterate, FullCfr::average);
            (cfr.average(), n)
        }
        Algorithm::Sampled(sampling, seed) => {
            let mut cfr = SampledCfr::new(game, sampling, seed);
            let n = run(options, work, &sequences, &mut cfr, SampledCfr::iterate, |cfr| cfr.average(&sequences));
            (cfr.average(&sequences), n)
        }
    };
    Ok(Equilibrium::of(sequences, plans, iterations))
}

/// Iterates until the target, the number of iterations or the end of the work; returns the number. The exploitability is
/// looked at ever more rarely, so that it takes little of the time.
fn run<C>(
    options: &Options,
    work: &Work<'_>,
    sequences: &Sequences,
    cfr: &mut C,
    iterate: impl Fn(&mut C),
    average: impl Fn(&C) -> [Vec<f64>; 2],
) -> u64 {
    let (mut done, mut next_look) = (0, 16);
    while done < options.iterations {
        iterate(cfr);
        done += 1;
        if done < next_look {
            continue;
        }
        next_look += (next_look / 8).clamp(16, 100_000);
        (work.progress)(Progress { stage: "regrets", done, total: options.iterations });
        let plans = average(cfr);
        if work.is_over() || sequences.exploitability([&plans[0], &plans[1]]) <= options.target {
            break;
        }
    }
    done
}
