//! The position as numbers: the piles in the order of their letters, each a column of own, enemy and neutral stones; then
//! what else decides.
//!
//! Action numbers: a pile for a stone from the stock; the pass; then the moves by source, destination (without the source),
//! own and neutral stones, at most 14 of each and not none of both. Factors: what a stone from the stock is put on, and the pass;
//! of a move how many own and how many neutral stones of which pile, and where they go.

use raichi_core::encoding::{Block, Encoding, Layout, relative_seat};
use raichi_core::seat::Seat;

use super::notation::STOCK;
use super::pile::NEUTRAL;
use super::rules::{Action, Kaalu, N_PILES, State};

/// The most stones of a colour in a pile: the other six piles hold at least six of the 21.
const MOST: i32 = 15;
/// One stone of each colour stays, so one less moves.
const N_COUNTS: u64 = MOST as u64;
const N_PORTIONS: u64 = N_COUNTS * N_COUNTS - 1;
const PASS: u64 = N_PILES as u64;
const FIRST_MOVE: u64 = PASS + 1;
const N_OTHERS: u64 = N_PILES as u64 - 1;
const N_ACTIONS: u64 = FIRST_MOVE + N_PILES as u64 * N_OTHERS * N_PORTIONS;
/// The factors of a move: own stones of a pile, neutral stones of a pile, another pile.
const FIRST_OWN: u64 = FIRST_MOVE;
const FIRST_NEUTRAL: u64 = FIRST_OWN + N_PILES as u64 * N_COUNTS;
const FIRST_TO: u64 = FIRST_NEUTRAL + N_PILES as u64 * N_COUNTS;
const N_FACTORS: u64 = FIRST_TO + N_PILES as u64;

impl Encoding for Kaalu {
    fn layout(&self) -> Layout {
        let mut piles = vec!["none".to_string()];
        piles.extend((0..N_PILES as u8).map(|pile| format!("pile {}", super::notation::letter(pile))));
        Layout::new([
            Block::amounts_on_grid("piles (own, enemy, neutral stones)", 3, N_PILES, MOST, "stones")
                .headed(["own", "enemy", "neutral"], (0..N_PILES as u8).map(super::notation::letter)),
            Block::amounts("piles with letters", 1, N_PILES as i32, "piles"),
            Block::amounts("own stock", 1, STOCK.into(), "stones"),
            Block::amounts("enemy stock", 1, STOCK.into(), "stones"),
            Block::named("barred move: from, to", 2, &piles),
            Block::amounts("barred move: neutral stones", 1, MOST, "stones"),
            Block::amounts("passes in a row", 1, 2, "passes"),
            Block::to_act(2),
        ])
    }

    #[inline]
    fn observe(&self, state: &State, seat: Seat, observation: &mut [i32]) {
        let (piles, rest) = observation.split_at_mut(3 * N_PILES);
        for (row, colour) in piles.chunks_exact_mut(N_PILES).zip([seat, 1 - seat, NEUTRAL]) {
            for (entry, pile) in row.iter_mut().zip(&state.piles) {
                *entry = pile.0[colour].into();
            }
        }
        let [from, to, neutral] = match state.barred {
            Some(Action::Move { from, to, neutral, .. }) => [from + 1, to + 1, neutral].map(i32::from),
            _ => [0; 3],
        };
        rest.copy_from_slice(&[
            state.n_named.into(),
            state.stocks[seat].into(),
            state.stocks[1 - seat].into(),
            from,
            to,
            neutral,
            state.n_passes.into(),
            relative_seat(seat, state.seat(), 2),
        ]);
    }

    fn n_actions(&self) -> u64 {
        N_ACTIONS
    }

    // A move of nothing, of too much or to the same pile is no action; its number is beyond all of them.
    fn action_number(&self, action: Action) -> u64 {
        match action {
            Action::Place { pile } => pile.into(),
            Action::Pass => PASS,
            Action::Move { from, to, own, neutral } => {
                let [from, to, own, neutral] = [from, to, own, neutral].map(u64::from);
                if from == to || own + neutral == 0 || own.max(neutral) >= N_COUNTS {
                    return N_ACTIONS;
                }
                let piles = from * N_OTHERS + to - u64::from(to > from);
                FIRST_MOVE + piles * N_PORTIONS + own * N_COUNTS + neutral - 1
            }
        }
    }

    fn n_factors(&self) -> u64 {
        N_FACTORS
    }

    fn factors(&self, action: Action, factors: &mut Vec<u64>) {
        factors.clear();
        match action {
            Action::Place { pile } => factors.push(pile.into()),
            Action::Pass => factors.push(PASS),
            Action::Move { from, to, own, neutral } => {
                let [from, to, own, neutral] = [from, to, own, neutral].map(u64::from);
                factors.extend([
                    FIRST_OWN + from * N_COUNTS + own,
                    FIRST_NEUTRAL + from * N_COUNTS + neutral,
                    FIRST_TO + to,
                ]);
            }
        }
    }

    fn numbered_action(&self, number: u64) -> Option<Action> {
        if number >= N_ACTIONS {
            return None;
        }
        let Some(number) = number.checked_sub(FIRST_MOVE) else {
            return Some(if number == PASS { Action::Pass } else { Action::Place { pile: number as u8 } });
        };
        let (piles, counts) = (number / N_PORTIONS, number % N_PORTIONS + 1);
        let (from, to) = (piles / N_OTHERS, piles % N_OTHERS);
        let to = to + u64::from(to >= from);
        let [from, to, own, neutral] = [from, to, counts / N_COUNTS, counts % N_COUNTS].map(|part| part as u8);
        Some(Action::Move { from, to, own, neutral })
    }
}
