//! kaalu: who rules the piles, and which piles are about to change hands.
//!
//! What counts: piles under each primacy, how many more stones of a colour change it, stones in stock, and the turn. A
//! pile is *shaky* for the seat that rules it when one stone more of any colour makes another the ruler. There are no
//! parameters.
//! Quiet is every position: almost every ply changes a primacy, and the plies that decide are found by the search.
//! Weights: set by hand; what they are worth is in docs/strength.md.
//! Not here: what an exchange of two piles could do.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use raichi_core::seat::Seat;
use raichi_games::kaalu::{Action, Kaalu, State, primacy};
use raichi_search::Evaluator;

use crate::linear::{Tunable, seen_by, squash, weigh};

/// The evaluator's line of the table.
pub(crate) fn evaluator(game: &Kaalu) -> Option<Arc<dyn Evaluator<Kaalu>>> {
    Some(Arc::new(Hand::new(game)?))
}

const N: usize = 7;

const WEIGHTS: [f32; N] = [0.3, 0.1, 0.05, 0.1, 0.1, 0.0, 0.2];

const NEUTRAL: usize = 2;

/// The hand-made evaluator.
#[derive(Clone, Debug)]
pub struct Hand {
    weights: [f32; N],
}

/// What a pile says for seat 0.
fn of_pile(pile: [u8; 3]) -> [f32; 4] {
    let ruler = primacy(pile);
    let sign = match ruler {
        0 => 1.0,
        1 => -1.0,
        _ => 0.0,
    };
    let with = |colour: usize| {
        let mut pile = pile;
        pile[colour] += 1;
        primacy(pile)
    };
    let flag = |is: bool| f32::from(u8::from(is));
    // By one stone of its own a seat gains the pile, or by one the other seat loses it.
    let gain = flag(ruler != 0 && with(0) == 0) - flag(ruler != 1 && with(1) == 1);
    let kept = sign * flag(ruler != NEUTRAL && (0..3).all(|colour| with(colour) == ruler));
    let gift = flag(ruler != 0 && with(1) == 0) - flag(ruler != 1 && with(0) == 1);
    [sign, kept, gain, gift]
}

impl Hand {
    fn sum_up(state: &State) -> [f32; N] {
        let mut sums = [0.0; 4];
        for pile in state.piles() {
            for (sum, part) in sums.iter_mut().zip(of_pile(pile)) {
                *sum += part;
            }
        }
        let [black, white] = state.stocks().map(f32::from);
        let [rules, kept, gain, gift] = sums;
        let one_short = |seat: Seat| f32::from(u8::from(state.primacies()[seat] == 3));
        [rules, kept, gain, gift, black - white, one_short(0) - one_short(1), seen_by(state.seat(), 1.0)]
    }
}

impl Evaluator<Kaalu> for Hand {
    fn value(&self, _game: &Kaalu, state: &State, seat: Seat) -> f32 {
        seen_by(seat, squash(weigh(&Hand::sum_up(state), &self.weights)))
    }

    fn priors(&self, _game: &Kaalu, state: &State, seat: Seat, actions: &[Action], log_odds: &mut [f32]) {
        let piles = state.piles();
        let after = |at: u8, change: [i8; 3]| {
            let pile = piles[usize::from(at)];
            [0, 1, 2].map(|colour| pile[colour].saturating_add_signed(change[colour]))
        };
        let worth = |pile: [u8; 3]| {
            let [rules, kept, ..] = of_pile(pile);
            seen_by(seat, rules + 0.5 * kept)
        };
        for (&action, odds) in actions.iter().zip(log_odds) {
            let stones = |own: i8, neutral: i8| if seat == 0 { [own, 0, neutral] } else { [0, own, neutral] };
            let gain = |at: u8, change: [i8; 3]| worth(after(at, change)) - worth(piles[usize::from(at)]);
            *odds = match action {
                Action::Place { pile } => gain(pile, stones(1, 0)),
                Action::Move { from, to, own, neutral } => {
                    let (own, neutral) = (own as i8, neutral as i8);
                    gain(from, stones(-own, -neutral)) + gain(to, stones(own, neutral))
                }
                Action::Pass => 0.0,
            };
        }
    }

    fn has_priors(&self) -> bool {
        true
    }
}

impl Tunable<Kaalu> for Hand {
    const FEATURES: &'static [&'static str] = &[
        "piles ruled",
        "of them, safe from one stone",
        "gained by one own stone",
        "gained by an enemy stone",
        "stock",
        "one pile short",
        "to act",
    ];

    fn new(_game: &Kaalu) -> Option<Hand> {
        Some(Hand { weights: WEIGHTS })
    }

    fn weights(&self) -> &[f32] {
        &self.weights
    }

    fn weights_mut(&mut self) -> &mut [f32] {
        &mut self.weights
    }

    fn features(&self, _game: &Kaalu, state: &State, features: &mut [f32]) -> bool {
        features.copy_from_slice(&Hand::sum_up(state));
        true
    }
}
