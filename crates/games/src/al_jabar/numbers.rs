//! The position as one number, for tables of all positions: the round is left out, and of all images under the symmetries
//! the least number stands for all.
//!
//! A colour's digits say how many of its pieces lie in each hand, in the bag and in the Center; those of all colours make the
//! lower part of the number. Above them are the zeros of each pile, whose turn it is and what happens next.

use std::collections::BTreeMap;

use raichi_core::game::Game;

use super::group::{Colour, MAX_COLOURED};
use super::pieces::Pieces;
use super::rules::{AlJabar, MAX_PLAYERS, Stage, State};

/// Between positions of a game that are not over and numbers of 64 bits.
#[derive(Clone, Debug)]
pub struct Numbers {
    game: AlJabar,
    /// How many numbers there are of hands and bag for each colour.
    per_pile: u64,
    per_center: u64,
    per_colour: u64,
    per_zeros: u64,
    /// By place of a colour: what its digits are multiplied with.
    places: Vec<u64>,
    /// What everything above the colours is multiplied with.
    above: u64,
}

const N_STAGES: u64 = 4;

impl Numbers {
    /// The numbers of a game's positions; `None` where 64 bits are too few.
    pub fn new(game: &AlJabar) -> Option<Numbers> {
        let per_pile = u64::from(game.copies) + 1;
        let per_center = u64::from(game.group().exponent());
        let per_zeros = u64::from(game.most_zeros()) + 1;
        let n_seats = game.n_seats() as u32;
        let per_colour = per_pile.checked_pow(n_seats + 1)?.checked_mul(per_center)?;
        let mut places = Vec::new();
        let mut above = 1u64;
        for _ in game.group().coloured() {
            places.push(above);
            above = above.checked_mul(per_colour)?;
        }
        let rest = per_zeros.checked_pow(n_seats + 1)?.checked_mul(N_STAGES * u64::from(n_seats) * 2)?;
        above.checked_mul(rest)?;
        Some(Numbers { game: game.clone(), per_pile, per_center, per_colour, per_zeros, places, above })
    }

    /// The least number of a position's images. `None` where the game is over, and where more pieces of a colour lie somewhere
    /// than can come there.
    pub fn least(&self, state: &State) -> Option<u64> {
        let (game, group) = (&self.game, self.game.group());
        let hands = &state.hands[..game.n_seats()];
        let mut of_colours = [0; MAX_COLOURED];
        for colour in group.coloured() {
            let in_hands = hands.iter().fold(0, |number, hand| number * self.per_pile + u64::from(hand.count(colour)));
            let in_center = u64::from(state.center.count(colour));
            if in_center >= self.per_center {
                return None;
            }
            let in_bag = u64::from(state.bag.count(colour));
            of_colours[colour.index()] = (in_hands * self.per_pile + in_bag) * self.per_center + in_center;
        }
        let image = |symmetry| {
            let map = game.symmetry(symmetry);
            group.coloured().map(|colour| of_colours[colour.index()] * self.places[map[colour.index()].index()]).sum()
        };
        let least: u64 = (0..game.n_symmetries()).map(image).min()?;

        let zeros = |pile: &Pieces| Some(u64::from(pile.count(Colour::ZERO))).filter(|&n| n < self.per_zeros);
        let stage = match state.stage {
            Stage::Deal(_) => 0,
            Stage::Turn { drawn } => 1 + u64::from(drawn),
            Stage::Draw => 3,
            Stage::Over => return None,
        };
        let mut rest = zeros(&state.center)?;
        for hand in hands {
            rest = rest * self.per_zeros + zeros(hand)?;
        }
        rest = rest * N_STAGES + stage;
        rest = rest * u64::from(game.players) + u64::from(state.to_act);
        rest = rest * 2 + u64::from(state.signalled);
        Some(rest * self.above + least)
    }

    /// The position with a number, in the first round.
    pub fn position(&self, number: u64) -> State {
        let game = &self.game;
        let mut state = game.empty();
        let mut of_colours = number % self.above;
        for colour in game.group().coloured() {
            let mut number = of_colours % self.per_colour;
            of_colours /= self.per_colour;
            state.center.add(colour, digit(&mut number, self.per_center));
            state.bag.add(colour, digit(&mut number, self.per_pile));
            for hand in state.hands[..game.n_seats()].iter_mut().rev() {
                hand.add(colour, digit(&mut number, self.per_pile));
            }
        }
        let mut rest = number / self.above;
        state.signalled = digit(&mut rest, 2) == 1;
        state.to_act = digit(&mut rest, game.players.into()) as u8;
        let stage = digit(&mut rest, N_STAGES);
        for hand in state.hands[..game.n_seats()].iter_mut().rev() {
            hand.add(Colour::ZERO, digit(&mut rest, self.per_zeros));
        }
        state.center.add(Colour::ZERO, rest as u16);
        state.stage = match stage {
            0 => Stage::Deal(state.hands[..MAX_PLAYERS].iter().map(Pieces::len).sum()),
            3 => Stage::Draw,
            turn => Stage::Turn { drawn: turn == 2 },
        };
        state
    }
}

impl AlJabar {
    /// About how many positions the game has up to its symmetries, rounds left out: mostly more than can be reached.
    ///
    /// Each colour's pieces are shared out among hands, Center and bag or have gone, by cancellations that brought zeros to
    /// be shared out too; a seat is to act, before the final round or in it.
    pub fn n_positions(&self) -> f64 {
        let (n_seats, exponent) = (self.n_seats() as u64, u64::from(self.group().exponent()));
        let n_pieces = u64::from(self.copies) * self.group().n_coloured() as u64;
        let n_in_bag = n_pieces - n_seats * u64::from(self.house.hand) - 1;
        // By how many pieces are in the bag, and how many cancellations there were: the ways for the colours so far.
        let mut ways = BTreeMap::from([((0, 0), 1.0)]);
        for _ in self.group().coloured() {
            let mut more = BTreeMap::new();
            for (&(in_bag, n_cancelled), before) in &ways {
                for n in 0..=u64::from(self.copies) / exponent {
                    let there = u64::from(self.copies) - n * exponent;
                    for here in 0..=there.min(n_in_bag - in_bag) {
                        let in_hands = (0..exponent).filter_map(|in_center| (there - here).checked_sub(in_center));
                        let shared: f64 = in_hands.map(|n| shares(n, n_seats)).sum();
                        *more.entry((in_bag + here, n_cancelled + n)).or_insert(0.0) += before * shared;
                    }
                }
            }
            ways = more;
        }
        let zeros = |n_cancelled: u64| -> f64 {
            let most = 1 + n_cancelled * u64::from(self.most_zeros_each());
            (1 + n_cancelled..=most).map(|n| shares(n, n_seats + 1)).sum()
        };
        let on_tables: f64 = ways.iter().map(|(&(_, n_cancelled), ways)| ways * zeros(n_cancelled)).sum();
        on_tables * (2 * n_seats) as f64 / self.n_symmetries() as f64
    }
}

/// In how many ways `n` equal pieces are shared out among so many piles.
fn shares(n: u64, n_piles: u64) -> f64 {
    (1..n_piles).fold(1.0, |ways, i| ways * (n + i) as f64 / i as f64)
}

/// The lowest digit of a number, which loses it.
fn digit(number: &mut u64, base: u64) -> u16 {
    let digit = *number % base;
    *number /= base;
    digit as u16
}
