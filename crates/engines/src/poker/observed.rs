//! What a player was seen to do, how well each style explains it, and how often it did what: where a style comes from that opponents
//! are believed to have.

use raichi_core::random::FastRng;
use raichi_core::seat::Seat;
use raichi_games::poker::{Action, Poker, State};

use super::beliefs::situation;
use super::rank::Board;
use super::style::{Frequencies, N_KINDS, STYLES, Situation, Style, kind, price_class, share_of_step};

/// One decision, with the hand that it was made with.
#[derive(Clone, Copy, Debug)]
pub struct Observed {
    at: Situation,
    share: f32,
    action: Action,
}

impl Observed {
    /// `seat` chooses `action` in this position.
    pub fn new(game: &Poker, state: &State, seat: Seat, action: Action, rng: &mut FastRng) -> Observed {
        let board = Board::new(state.board(), rng);
        Observed { at: situation(game, state, seat), share: board.share(state.hole(seat)), action }
    }

    /// What was chosen.
    pub fn action(&self) -> Action {
        self.action
    }

    /// The share of the pot that the hand could expect against one unknown hand, from 0 to 1.
    pub fn share(&self) -> f32 {
        self.share
    }

    /// What was needed to call, as a part of the chips that the seat had left.
    pub fn price(&self) -> f32 {
        self.at.to_call / self.at.stack.max(1.0)
    }
}

/// The mean natural logarithm of how likely each style that opponents are believed to have makes decisions, 0 at most.
pub fn likelihoods(observed: &[Observed]) -> Vec<f64> {
    STYLES.iter().map(|(style, _)| likelihood(style, observed)).collect()
}

/// That of one style.
fn likelihood(style: &Style, observed: &[Observed]) -> f64 {
    let of =
        |seen: &Observed| f64::from(style.probabilities(&seen.at, seen.share)[seen.action as usize].max(1e-4).ln());
    observed.iter().map(of).sum::<f64>() / observed.len().max(1) as f64
}

/// How often each kind of action was chosen, by price and share, as `Style::Seen` keeps it: in percent, each decision counted for
/// the shares near its own too.
pub fn frequencies(observed: &[Observed]) -> Frequencies {
    /// How far a decision tells of other shares: the standard deviation of a bell.
    const WIDTH: f32 = 0.04;
    std::array::from_fn(|price| {
        std::array::from_fn(|step| {
            // Where nothing was seen all kinds are alike.
            let mut sums = [0.05f32; N_KINDS];
            for seen in observed.iter().filter(|seen| price_class(&seen.at) == price) {
                let distance = (seen.share - share_of_step(step)) / WIDTH;
                sums[kind(seen.action)] += (-0.5 * distance * distance).exp();
            }
            let total: f32 = sums.iter().sum();
            sums.map(|sum| (100.0 * sum / total).round() as u8)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bets are half the stack, everything is legal.
    fn seen(share: f32, action: Action) -> Observed {
        let at = Situation { legal: 0b11_1111, pot: 40.0, to_call: 50.0, stack: 100.0, n_others: 1 };
        Observed { at, share, action }
    }

    #[test]
    fn frequencies_are_what_was_seen_near_a_share() {
        let weak = [Action::Fold, Action::Fold, Action::Fold, Action::Call].map(|action| seen(0.2, action));
        let strong = [Action::Raise, Action::AllIn].map(|action| seen(0.8, action));
        let observed = [&weak.repeat(30)[..], &strong.repeat(30)].concat();
        let frequencies = frequencies(&observed);
        let step = |share: f32| frequencies[2][(share * frequencies[2].len() as f32) as usize];
        assert_eq!((step(0.2), step(0.8)), ([75, 25, 0, 0], [0, 0, 50, 50]));
        assert_eq!(step(0.5), [25; 4], "nothing was seen there");
        assert_eq!(frequencies[0][3], [25; 4], "nor at another price");
    }

    #[test]
    fn a_caller_is_explained_by_the_style_that_calls() {
        let observed: Vec<_> = (0..50).map(|n| seen(n as f32 / 50.0, Action::Call)).collect();
        let likely = likelihoods(&observed);
        let best = (0..likely.len()).max_by(|&one, &other| likely[one].total_cmp(&likely[other]));
        assert_eq!(best, Some(1), "{likely:?}");
    }
}
