//! Who gets which chips at the end of a round.

use raichi_core::seat::{MAX_SEATS, Seat};

use super::hands::Strength;
use super::rules::{PerSeat, Seats, next_of};

/// Gives back what one seat put in beyond what any other seat matched.
pub(super) fn return_uncalled(staked: &mut PerSeat<u32>, stacks: &mut PerSeat<u32>) {
    let (mut most, mut second) = (0, 0);
    for seat in 1..MAX_SEATS {
        if staked[seat] > staked[most] {
            (most, second) = (seat, staked[most]);
        } else {
            second = second.max(staked[seat]);
        }
    }
    stacks[most] += staked[most] - second;
    staked[most] = second;
}

/// Shares what is staked among the seats that have not folded, those with a strength.
///
/// Each distinct total among them is a level, each level a pot of its own, won by the strongest of those who reach it.
pub(super) fn share(staked: &PerSeat<u32>, strengths: &PerSeat<Option<Strength>>, dealer: Seat) -> PerSeat<u32> {
    let mut won = [0; MAX_SEATS];
    let mut paid = 0;
    while let Some(level) = contenders(staked, strengths, paid).map(|seat| staked[seat]).min() {
        let pot = staked.iter().map(|&chips| chips.min(level) - chips.min(paid)).sum();
        let best = contenders(staked, strengths, paid).map(|seat| strengths[seat]).max().flatten();
        let winners = contenders(staked, strengths, paid)
            .filter(|&seat| strengths[seat] == best)
            .fold(0, |winners: Seats, seat| winners | 1 << seat);
        split(pot, winners, dealer, &mut won);
        paid = level;
    }
    debug_assert_eq!(won.iter().sum::<u32>(), staked.iter().sum::<u32>(), "whoever folds leaves one who put in more");
    won
}

// Seats that have not folded and have put in more than `paid`.
fn contenders(staked: &PerSeat<u32>, strengths: &PerSeat<Option<Strength>>, paid: u32) -> impl Iterator<Item = Seat> {
    (0..MAX_SEATS).filter(move |&seat| strengths[seat].is_some() && staked[seat] > paid)
}

// Equal shares; odd chips go one each to the first after the dealer, the dealer last.
fn split(pot: u32, winners: Seats, dealer: Seat, won: &mut PerSeat<u32>) {
    let n_winners = winners.count_ones();
    let mut odd = pot % n_winners;
    let mut seat = dealer;
    for _ in 0..n_winners {
        seat = next_of(winners, seat);
        won[seat] += pot / n_winners + u32::from(odd > 0);
        odd = odd.saturating_sub(1);
    }
}
