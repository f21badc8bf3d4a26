//! The rules, a folder per game. Each game knows core and nothing else.
//!
//! A game is one module and one line of `registry!`; the page, the command and the tests follow from that line.

pub mod al_jabar;
pub mod black;
pub mod blackjack;
pub mod cards;
pub mod connect_four;
pub mod focus;
pub mod french_military;
pub mod heaps;
pub mod hex;
pub mod jabirs_transmutations;
pub mod kaalu;
pub mod nim;
pub mod nim3p;
pub mod othello;
pub mod poker;
pub mod rubiks_cube;
pub mod sim;
pub mod square;
pub mod tablut;
pub mod tic_tac_toe;
pub mod twenty_forty_eight;
pub mod yavalath;

use raichi_core::erased::{AnyGame, Entry, GameVisitor, create, split_spec};
use raichi_core::{Capped, SpecError};
use std::sync::Arc;

macro_rules! registry {
    ($($folder:ident::$game:ident),+ $(,)?) => {
        /// Every game, in the order a lobby shows them.
        pub const REGISTRY: &[Entry] = &[$(Entry::of::<$folder::$game>()),+];

        /// The folder of every game, in the registry's order.
        pub const ROOMS: &[Rooms] = &[$(Rooms {
            id: <$folder::$game as raichi_core::Notation>::ID,
            folder: stringify!($folder),
            perft: include_str!(concat!(stringify!($folder), "/perft.txt")),
        }),+];

        /// Takes a visitor to the game that `spec` names, as a concrete type.
        ///
        /// # Errors
        /// Specs that name no game.
        pub fn visit<V: GameVisitor>(spec: &str, visitor: V) -> Result<V::Output, SpecError> {
            let (id, params) = split_spec(spec);
            $(if id == <$folder::$game as raichi_core::Notation>::ID {
                let (game, spec) = create::<Capped<$folder::$game>>(params)?;
                return Ok(visitor.visit(game, &spec));
            })+
            Err(unknown(id))
        }
    };
}

registry! {
    twenty_forty_eight::TwentyFortyEight,
    al_jabar::AlJabar,
    black::Black,
    blackjack::Blackjack,
    connect_four::ConnectFour,
    focus::Focus,
    french_military::FrenchMilitary,
    hex::Hex,
    jabirs_transmutations::JabirsTransmutations,
    kaalu::Kaalu,
    nim::Nim,
    nim3p::Nim3P,
    othello::Othello,
    poker::Poker,
    rubiks_cube::RubiksCube,
    sim::Sim,
    tablut::Tablut,
    tic_tac_toe::TicTacToe,
    yavalath::Yavalath,
}

/// A game's folder, for tests and for whoever reports what was checked. Ids and folders differ where an id is no Rust name.
#[derive(Clone, Copy, Debug)]
pub struct Rooms {
    /// The id used in specs.
    pub id: &'static str,
    /// The folder's name under `src`.
    pub folder: &'static str,
    /// The text of `perft.txt`; see [`raichi_core::perft::KnownCounts`].
    pub perft: &'static str,
}

/// The registry's line for an id.
///
/// # Errors
/// Ids that no game has.
pub fn entry(id: &str) -> Result<&'static Entry, SpecError> {
    REGISTRY.iter().find(|entry| entry.id == id).ok_or_else(|| unknown(id))
}

/// The rooms of a game.
///
/// # Errors
/// Ids that no game has.
pub fn rooms(id: &str) -> Result<&'static Rooms, SpecError> {
    ROOMS.iter().find(|rooms| rooms.id == id).ok_or_else(|| unknown(id))
}

/// The game that `spec` names: `hex`, `hex:size=7,swap=true`.
///
/// # Errors
/// Says which part of the spec is wrong and what is allowed.
pub fn game(spec: &str) -> Result<Arc<dyn AnyGame>, SpecError> {
    let (id, params) = split_spec(spec);
    (entry(id)?.create)(params)
}

fn unknown(id: &str) -> SpecError {
    let known = REGISTRY.iter().map(|entry| entry.id).collect::<Vec<_>>().join(", ");
    SpecError::UnknownGame { id: id.into(), known }
}
