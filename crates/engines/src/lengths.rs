//! How long play can go on at most, where the rules of a game bound that: what a cap that is no shorter cannot change.
//!
//! Bounds are not always reached: a pass of Othello is counted after every placement, and as many cards as a hand of Blackjack
//! can have. Not here: games in which positions can come again, and those that nobody solves. Checked in `tests/laws.rs`.

use raichi_core::game::{Game, Phase};
use raichi_games::al_jabar::{self, AlJabar};
use raichi_games::black::{self, Black};
use raichi_games::blackjack::{self, Blackjack};
use raichi_games::connect_four::{self, ConnectFour};
use raichi_games::heaps::Heaps;
use raichi_games::hex::{self, Hex};
use raichi_games::nim::{self, Nim};
use raichi_games::nim3p::{self, Nim3P};
use raichi_games::othello::{self, Othello};
use raichi_games::rubiks_cube::{self, RubiksCube};
use raichi_games::sim::{self, Sim};
use raichi_games::tic_tac_toe::{self, TicTacToe};
use raichi_games::twenty_forty_eight::{self, TwentyFortyEight};
use raichi_games::yavalath::{self, Yavalath};

/// How many actions the seat to act has.
fn n_actions<G: Game>(game: &G, state: &G::State) -> u32 {
    let Phase::Act(seats) = game.phase(state) else { return 0 };
    game.count_actions(state, seats.first(), &mut Vec::new()) as u32
}

/// A turn ends with one action; before it a piece may be drawn, in two plies, and once in a game the end is called.
pub(crate) fn of_al_jabar(game: &AlJabar, state: &al_jabar::State) -> u32 {
    let n_turns = (game.max_rounds() - state.n_rounds()).saturating_mul(game.facts().n_seats as u32);
    n_turns.saturating_add(2 * u32::from(state.bag_len()) + 1)
}

/// A tile a ply.
pub(crate) fn of_black(game: &Black, state: &black::State) -> u32 {
    let (rows, columns) = game.sides();
    let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| row << 4 | column));
    cells.filter(|&cell| state.tile(cell).is_none()).count() as u32
}

/// A hand has 22 cards at most, when aces make it bust: each seat can have four hands, and the dealer one. A seat chooses once
/// before each card beyond the first two, once at the end of each hand, for each of three splits, its wager and its insurance.
pub(crate) fn of_blackjack(game: &Blackjack, state: &blackjack::State) -> u32 {
    const HAND: u32 = 22;
    const SEAT: u32 = 4 * (2 * HAND + 1) + 3 + 2;
    let rounds = (game.rounds() + 1).saturating_sub(state.round());
    rounds.saturating_mul(game.facts().n_seats as u32 * SEAT + HAND)
}

/// A stone a ply.
pub(crate) fn of_connect_four(game: &ConnectFour, state: &connect_four::State) -> u32 {
    u32::from(game.width()) * u32::from(game.height()) - state.all().count_ones()
}

/// A stone a ply, and a swap after the first.
pub(crate) fn of_hex(game: &Hex, state: &hex::State) -> u32 {
    let (n_actions, n_cells) = (n_actions(game, state), u32::from(game.size()).pow(2));
    // After the first stone the swap is one of the actions.
    n_actions + u32::from(game.may_be_swapped() && n_actions == n_cells && !game.may_swap(state))
}

/// An item a ply.
pub(crate) fn of_nim(game: &Nim, state: &nim::State) -> u32 {
    n_items(state.heaps(), game.setup().sizes().len())
}

/// As [`of_nim`].
pub(crate) fn of_nim3p(game: &Nim3P, state: &nim3p::State) -> u32 {
    n_items(state.heaps(), game.setup().sizes().len())
}

fn n_items(heaps: &Heaps, n_heaps: usize) -> u32 {
    (0..n_heaps).map(|heap| u32::from(heaps.items(heap as u8))).sum()
}

/// A disc a ply, and before each a pass: two passes never follow one another.
pub(crate) fn of_othello(game: &Othello, state: &othello::State) -> u32 {
    let n_discs: u32 = state.discs().iter().map(|discs| discs.count_ones()).sum();
    2 * (u32::from(game.size()).pow(2) - n_discs)
}

/// What is left of the scramble and of the limit.
pub(crate) fn of_rubiks_cube(game: &RubiksCube, state: &rubiks_cube::State) -> u32 {
    u32::from(state.to_scramble()) + u32::from(game.limit().saturating_sub(state.n_twists()))
}

/// An edge a ply.
pub(crate) fn of_sim(game: &Sim, state: &sim::State) -> u32 {
    n_actions(game, state)
}

/// A mark a ply.
pub(crate) fn of_tic_tac_toe(game: &TicTacToe, state: &tic_tac_toe::State) -> u32 {
    n_actions(game, state)
}

/// Each slide is followed by a tile, which adds 2 or 4 to the sum of all tiles. Where the sum is that of 4, 8, and so on, a tile a
/// cell, nothing can slide; and 2 more would need more tiles than there are cells, so that no play goes beyond. A position that
/// was set up may lie beyond.
pub(crate) fn of_2048(game: &TwentyFortyEight, state: &twenty_forty_eight::State) -> u32 {
    let n_cells = game.size() * game.size();
    let tile = |cell| 1u128 << game.exponent(state, cell);
    let sum: u128 = (0..n_cells).map(tile).filter(|&tile| tile > 1).sum();
    let left = ((4u128 << n_cells) - 4).checked_sub(sum);
    left.and_then(|left| u32::try_from(left).ok()).map_or(u32::MAX, |n_plies| n_plies.saturating_add(1))
}

/// A stone a ply, and a swap after the first.
pub(crate) fn of_yavalath(game: &Yavalath, state: &yavalath::State) -> u32 {
    let n_empty: u32 = state.empty().iter().map(|cells| cells.count_ones()).sum();
    n_empty + u32::from(game.swaps() && n_empty == u32::from(game.n_cells()) || game.may_swap(state))
}
