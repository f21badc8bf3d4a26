//! Who gets which chips at the end of a round.

use raichi_core::bits;
use raichi_core::seat::{MAX_SEATS, Seat};

use super::hands::Strength;
use super::rules::{PerSeat, Seats, next_of};

/// Gives back what one seat put in beyond what any other seat matched.
pub(super) fn return_uncalled(staked: &mut [u32], stacks: &mut [u32]) {
    let (mut most, mut first, mut second) = (0, 0, 0);
    for (seat, &chips) in staked.iter().enumerate() {
        if chips > first {
            (most, first, second) = (seat, chips, first);
        } else {
            second = second.max(chips);
        }
    }
    stacks[most] += first - second;
    staked[most] = second;
}

/// Shares what is staked among the seats that have not folded, those with a strength.
///
/// Each distinct total among them is a level, each level a pot of its own, won by the strongest of those who reach it.
pub(super) fn share(staked: &PerSeat<u32>, strengths: &PerSeat<Option<Strength>>, dealer: Seat) -> PerSeat<u32> {
    let mut won = [0; MAX_SEATS];
    let mut paid = 0;
    let mut contenders = (0..MAX_SEATS).filter(|&seat| strengths[seat].is_some()).fold(0, with);
    while let Some(level) = each(contenders).map(|seat| staked[seat]).min() {
        let pot: u32 = staked.iter().map(|&chips| chips.min(level) - chips.min(paid)).sum();
        if pot > 0 {
            let best = each(contenders).map(|seat| strengths[seat]).max().flatten();
            let winners = each(contenders).filter(|&seat| strengths[seat] == best).fold(0, with);
            split(pot, winners, dealer, &mut won);
        }
        paid = level;
        contenders = each(contenders).filter(|&seat| staked[seat] > paid).fold(0, with);
    }
    debug_assert_eq!(won.iter().sum::<u32>(), staked.iter().sum::<u32>(), "somebody else put in at least as much");
    won
}

fn each(seats: Seats) -> impl Iterator<Item = Seat> {
    bits::ones([seats.into()]).map(|seat| seat as Seat)
}

fn with(seats: Seats, seat: Seat) -> Seats {
    seats | 1 << seat
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
