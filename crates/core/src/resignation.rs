//! How a game ends that people end before its rules do: a seat resigns or its time runs out, or two agree on a draw. One
//! rule for every edge.

use crate::game::{Facts, Payoffs};
use crate::seat::Seat;

/// The end reason of a game that was decided by a resignation.
pub const RESIGNED: &str = "resigned";

/// The end reason of a game that was decided because a seat's time ran out.
pub const TIME: &str = "time";

/// The end reason of a game whose seats agreed on a draw.
pub const AGREED: &str = "agreed";

/// What a resignation comes to, or time that has run out.
#[derive(Clone, Debug, PartialEq)]
pub enum Resignation {
    /// The game ends, and this is what each seat gets.
    Ends(Payoffs),
    /// The game goes on: an engine plays for the seat that resigned, so that the others keep their game.
    EnginePlaysOn,
}

/// What it comes to when `seat` resigns, or its time runs out, in a game that would pay `standing` if it were broken off now.
///
/// A seat that is alone gets what there is. Of two seats that win or lose 1 the other wins. Elsewhere nobody can say
/// what the position is worth, and an engine plays on.
///
/// ```
/// use raichi_core::game::{Facts, Payoffs};
/// use raichi_core::resignation::{Resignation, resignation};
///
/// let standing = Payoffs::zero(2);
/// assert_eq!(resignation(&Facts::TWO_SEATS, &standing, 0), Resignation::Ends(Payoffs::win(1)));
/// ```
pub fn resignation(facts: &Facts, standing: &Payoffs, seat: Seat) -> Resignation {
    let wins_or_loses = facts.payoff_sum == Some(0.0) && facts.payoff_range == Some((-1.0, 1.0));
    match facts.n_seats {
        1 => Resignation::Ends(standing.clone()),
        2 if wins_or_loses => Resignation::Ends(Payoffs::win(1 - seat)),
        _ => Resignation::EnginePlaysOn,
    }
}

/// What each seat gets when all agree on a draw; `None` where that is no way to end the game: it has no draws, or not two
/// seats that win or lose 1.
///
/// ```
/// use raichi_core::game::{Facts, Payoffs};
/// use raichi_core::resignation::agreement;
///
/// assert_eq!(agreement(&Facts::TWO_SEATS), None);
/// assert_eq!(agreement(&Facts::TWO_SEATS_AND_DRAWS), Some(Payoffs::zero(2)));
/// ```
pub fn agreement(facts: &Facts) -> Option<Payoffs> {
    let wins_or_loses = facts.payoff_sum == Some(0.0) && facts.payoff_range == Some((-1.0, 1.0));
    (facts.draws && facts.n_seats == 2 && wins_or_loses).then(|| Payoffs::zero(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seat_that_is_alone_gets_what_there_is() {
        let alone = Facts { n_seats: 1, payoff_sum: None, payoff_range: None, ..Facts::TWO_SEATS };
        let standing = Payoffs::new([512.0]);
        assert_eq!(resignation(&alone, &standing, 0), Resignation::Ends(standing));
    }

    #[test]
    fn of_two_that_win_or_lose_1_the_other_wins() {
        for seat in [0, 1] {
            let decided = resignation(&Facts::TWO_SEATS, &Payoffs::zero(2), seat);
            assert_eq!(decided, Resignation::Ends(Payoffs::win(1 - seat)));
        }
    }

    #[test]
    fn elsewhere_an_engine_plays_on() {
        let three = Facts { n_seats: 3, payoff_sum: Some(1.0), payoff_range: Some((0.0, 1.0)), ..Facts::TWO_SEATS };
        let chips = Facts { payoff_range: Some((-100.0, 100.0)), ..Facts::TWO_SEATS };
        let both_lose = Facts { payoff_sum: None, ..Facts::TWO_SEATS };
        for facts in [three, chips, both_lose] {
            let decided = resignation(&facts, &Payoffs::zero(facts.n_seats), 0);
            assert_eq!(decided, Resignation::EnginePlaysOn, "{facts:?}");
        }
    }
}
