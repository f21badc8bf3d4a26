//! The position as numbers: the cards that a seat sees on a grid of suits and ranks, and for each seat, from its own on,
//! what lies before it and what it has done. An action is its place in the list of the six words.

use raichi_core::encoding::{Block, Encoding, Layout, relative_seat, seat_names};
use raichi_core::seat::Seat;

use super::rules::{ACTIONS, Action, Poker, State, Turn};
use crate::cards::{GRID, SUIT_MAPS, SUIT_NAMES, map_grid, rank_names};

/// What a card is to the seat that looks.
const CARD: [&str; 3] = ["not seen", "own hole card", "community card"];
/// Whether a seat is in the round.
const STANDING: [&str; 3] = ["out", "folded", "in the round"];
const TURN: [&str; 4] = ["a seat acts", "a hole card is dealt", "a community card is dealt", "the game is over"];

impl Encoding for Poker {
    fn layout(&self) -> Layout {
        let (n, all_chips) = (self.n_seats, self.n_seats as i32 * self.chips as i32);
        let most_rounds = if self.counts_rounds() { self.most_rounds() } else { 0 };
        Layout::new([
            Block::grid("cards", 4, 13, &CARD).headed(SUIT_NAMES, rank_names()),
            Block::amounts("chips", n, all_chips, "chips"),
            Block::amounts("staked this round", n, all_chips, "chips"),
            Block::amounts("bet this betting round", n, all_chips, "chips"),
            Block::named("standing", n, &STANDING),
            Block::named("acted since the last increase", n, &["no", "yes"]),
            Block::amounts("hole cards", n, 2, "cards"),
            Block::named("dealer", 1, &seat_names("nobody", n)),
            Block::amounts("round", 1, most_rounds as i32, "rounds, where they are limited or the blinds rise"),
            Block::named("turn", 1, &TURN),
            Block::to_act(n),
        ])
    }

    fn observe(&self, state: &State, seat: Seat, observation: &mut [i32]) {
        let n = self.n_seats;
        let (cards, rest) = observation.split_at_mut(GRID);
        cards.fill(0);
        state.holes[seat].iter().for_each(|card| cards[card.index()] = 1);
        state.board.iter().for_each(|card| cards[card.index()] = 2);

        let (of_seats, rest) = rest.split_at_mut(6 * n);
        for nth in 0..n {
            let other = (seat + nth) % n;
            let is_live = state.live >> other & 1 == 1;
            of_seats[nth] = state.stacks[other] as i32;
            of_seats[n + nth] = state.staked[other] as i32;
            of_seats[2 * n + nth] = state.bets[other] as i32;
            of_seats[3 * n + nth] = if is_live { 2 } else { i32::from(state.stacks[other] + state.staked[other] > 0) };
            of_seats[4 * n + nth] = i32::from(state.acted >> other & 1);
            of_seats[5 * n + nth] = state.holes[other].len() as i32;
        }
        rest[0] = if state.live == 0 { 0 } else { relative_seat(seat, state.dealer.into(), n) };
        rest[1] = state.round as i32;
        (rest[2], rest[3]) = match state.turn {
            Turn::Act(other) => (0, relative_seat(seat, other.into(), n)),
            Turn::Hole(_) => (1, 0),
            Turn::Board => (2, 0),
            Turn::Over => (3, 0),
        };
    }

    fn n_actions(&self) -> u64 {
        ACTIONS.len() as u64
    }

    fn action_number(&self, action: Action) -> u64 {
        action as u64
    }

    fn numbered_action(&self, number: u64) -> Option<Action> {
        ACTIONS.get(usize::try_from(number).ok()?).copied()
    }

    fn map_observation(&self, symmetry: usize, observation: &[i32], image: &mut [i32]) {
        image.copy_from_slice(observation);
        map_grid(SUIT_MAPS[symmetry], &observation[..GRID], &mut image[..GRID]);
    }
}
