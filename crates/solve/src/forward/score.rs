//! What a search compares: payoffs, then how long the game lasts.

use raichi_core::seat::Seat;

/// More plies than any game lasts that is searched.
pub(super) const LONGEST: i32 = 2000;

/// A payoff of seat 0, and how soon it comes; the greater the better for seat 0.
///
/// The length counts from the root of the search and stands with the sign that makes it compare so: negative where seat 0
/// shortens the game, positive where seat 1 does. Payoffs are kept as `f32`; [`Score::is_kept`] says whether that loses
/// anything.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Score(i64);

/// Such that payoffs compare as integers.
fn ordered(payoff: f64) -> i32 {
    // Adding zero makes −0 0.
    let bits = (payoff as f32 + 0.0).to_bits() as i32;
    bits ^ (((bits >> 31) as u32) >> 1) as i32
}

impl Score {
    pub(super) const LEAST: Score = Score(i64::MIN + (1 << 33));
    pub(super) const MOST: Score = Score(i64::MAX - (1 << 33));

    /// A payoff, whenever it comes.
    pub(super) fn of(payoff: f64) -> Score {
        Score::long(payoff, 0)
    }

    /// A payoff with the length as it is kept.
    pub(super) fn long(payoff: f64, length: i32) -> Score {
        Score::from_parts(ordered(payoff), length)
    }

    /// A payoff that comes after so many plies, which this seat shortens.
    pub(super) fn lasting(payoff: f64, plies: u32, shortener: Seat) -> Score {
        Score::long(payoff, if shortener == 0 { -(plies as i32) } else { plies as i32 })
    }

    /// Whether a payoff is compared exactly.
    pub(super) fn is_kept(payoff: f64) -> bool {
        f64::from(payoff as f32) == payoff
    }

    /// Who shortens a game with this payoff of seat 0, of what both get together: the winner, seat 0 in a draw.
    pub(super) fn shortening_seat(payoff: f64, sum: f64) -> Seat {
        usize::from(payoff * 2.0 < sum)
    }

    pub(super) fn from_parts(payoff: i32, length: i32) -> Score {
        Score((i64::from(payoff) << 32) + i64::from(length))
    }

    /// The payoff, such that it compares, and the length.
    pub(super) fn parts(self) -> (i32, i32) {
        let payoff = (self.0 + (1 << 31)) >> 32;
        (payoff as i32, (self.0 - (payoff << 32)) as i32)
    }

    pub(super) fn payoff(self) -> f64 {
        let (ordered, _) = self.parts();
        f64::from(f32::from_bits((ordered ^ (((ordered >> 31) as u32) >> 1) as i32) as u32))
    }

    pub(super) fn plies(self) -> u32 {
        self.parts().1.unsigned_abs()
    }

    pub(super) fn less(self) -> Score {
        Score(self.0 - 1)
    }

    pub(super) fn more(self) -> Score {
        Score(self.0 + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_compare_by_payoff_then_by_length() {
        let scores = [
            Score::LEAST,
            Score::lasting(-1.0, 3, 1),
            Score::lasting(-1.0, 5, 1),
            Score::lasting(-0.5, 9, 1),
            Score::lasting(0.0, 9, 0),
            Score::lasting(0.0, 8, 0),
            Score::lasting(1.0, 900, 0),
            Score::lasting(1.0, 1, 0),
            Score::lasting(40.0, 7, 0),
            Score::MOST,
        ];
        assert!(scores.is_sorted_by(|one, other| one < other), "{scores:?}");
        let back = |score: Score| (score.payoff(), score.plies());
        assert_eq!(
            scores[1..9].iter().map(|&score| back(score)).collect::<Vec<_>>(),
            [(-1.0, 3), (-1.0, 5), (-0.5, 9), (0.0, 9), (0.0, 8), (1.0, 900), (1.0, 1), (40.0, 7)]
        );
        assert_eq!(Score::of(-0.0), Score::of(0.0));
    }
}
