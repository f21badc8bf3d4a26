//! The rules, a folder per game. Each game knows core and nothing else.
//!
//! A game is one module and one line of [`registry!`]; the page, the command and the tests follow from that line.

pub mod tic_tac_toe;

use raichi_core::erased::{AnyGame, Entry, GameVisitor, create, split_spec};
use raichi_core::{Capped, SpecError};
use std::sync::Arc;

macro_rules! registry {
    ($($folder:ident::$game:ident),+ $(,)?) => {
        /// Every game, in the order a lobby shows them.
        pub const REGISTRY: &[Entry] = &[$(Entry::of::<$folder::$game>()),+];

        // The folder of each game's rooms, in the same order.
        const FOLDERS: &[&str] = &[$(stringify!($folder)),+];

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
    tic_tac_toe::TicTacToe,
}

/// The registry's line for an id.
///
/// # Errors
/// Ids that no game has.
pub fn entry(id: &str) -> Result<&'static Entry, SpecError> {
    REGISTRY.iter().find(|entry| entry.id == id).ok_or_else(|| unknown(id))
}

/// The folder under `src` that holds a game's rooms. Ids and folders differ where an id is no Rust name.
///
/// # Errors
/// Ids that no game has.
pub fn folder(id: &str) -> Result<&'static str, SpecError> {
    REGISTRY.iter().zip(FOLDERS).find(|(entry, _)| entry.id == id).map(|(_, folder)| *folder).ok_or_else(|| unknown(id))
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
