//! The rules, a folder per game. Each game knows core, and what machine compiles for newer processors, and nothing else.
//!
//! A game is one module and one line of `registry!`; the page, the command and most tests follow from that line.
//! CONTRIBUTING.md lists what else names single games.

pub mod al_jabar;
pub mod array;
pub mod black;
pub mod blackjack;
pub mod cards;
pub mod chips;
pub mod connect_four;
pub mod focus;
pub mod french_military;
pub mod heaps;
pub mod hex;
pub mod jabirs_transmutations;
pub mod kaalu;
pub mod kuhn_poker;
pub mod leduc_poker;
pub mod nim;
pub mod nim3p;
pub mod one_card_poker;
pub mod othello;
pub mod poker;
pub mod rubiks_cube;
pub mod sim;
pub mod spread;
pub mod square;
pub mod tablut;
pub mod tic_tac_toe;
pub mod twenty_forty_eight;
pub mod yavalath;

use raichi_core::erased::{AnyGame, Entry, GameVisitor, create, split_spec};
use raichi_core::params::{ParamKind, ParamSpec};
use raichi_core::record::Record;
use raichi_core::{PathGame, SpecError};
use std::borrow::Cow;
use std::sync::Arc;

macro_rules! registry {
    ($($folder:ident::$game:ident),+ $(,)?) => {
        /// Every game, in the order a lobby shows them.
        pub static REGISTRY: &[Entry] = &[$(Entry::of::<$folder::$game>()),+];

        /// The folder of every game, in the registry's order.
        pub const ROOMS: &[Rooms] = &[$(Rooms {
            id: <$folder::$game as raichi_core::Notation>::ID,
            folder: stringify!($folder),
            perft: include_str!(concat!(stringify!($folder), "/perft.txt")),
            lesson: include_str!(concat!(stringify!($folder), "/lesson.toml")),
            about: include_str!(concat!(stringify!($folder), "/about.md")),
            problems: include_str!(concat!(stringify!($folder), "/problems.toml")),
        }),+];

        /// Takes a visitor to the game that `spec` names, as a concrete type.
        ///
        /// # Errors
        /// Specs that name no game.
        pub fn visit<V: GameVisitor>(spec: &str, visitor: V) -> Result<V::Output, SpecError> {
            let (id, params) = split_spec(spec);
            $(if id == <$folder::$game as raichi_core::Notation>::ID {
                return Ok(visitor.visit(&Arc::new(create::<$folder::$game>(params)?)));
            })+
            Err(unknown(id))
        }

        /// Takes a visitor to a game that was made before, as a concrete type.
        ///
        /// # Panics
        /// When the game is not one of the registry's.
        pub fn visit_game<V: GameVisitor>(game: &dyn AnyGame, visitor: V) -> V::Output {
            $(if let Some(game) = game.as_any().downcast_ref::<Arc<PathGame<$folder::$game>>>() {
                return visitor.visit(game);
            })+
            panic!("{} is not in the registry", game.spec())
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
    kuhn_poker::KuhnPoker,
    leduc_poker::LeducPoker,
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

/// A game's folder, and what it holds besides the rules. Ids and folders differ where an id is no Rust name.
#[derive(Clone, Copy, Debug)]
pub struct Rooms {
    /// The id used in specs.
    pub id: &'static str,
    /// The folder's name under `src`.
    pub folder: &'static str,
    /// The text of `perft.txt`; see [`raichi_core::perft::KnownCounts`].
    pub perft: &'static str,
    /// The text of `lesson.toml`; see [`raichi_core::lesson::Course`].
    pub lesson: &'static str,
    /// The text of `about.md`: where the game comes from, and what was decided about its rules.
    pub about: &'static str,
    /// The text of `problems.toml`, as `raichi problems` writes it: a [`raichi_core::lesson::Course`] whose steps are
    /// problems. What is made by hand stands before them.
    pub problems: &'static str,
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

/// The game of a record, under the rules that its spec meant when it was written.
///
/// # Errors
/// Says which part of the spec is wrong and what is allowed.
pub fn game_of_record(record: &Record) -> Result<Arc<dyn AnyGame>, SpecError> {
    game(&spec_of_version(record.version, &record.game))
}

/// What a spec written with version `version` of the record format is called today. Until version 1 the default of
/// Focus' parameter `rule` was `none`.
pub fn spec_of_version(version: u32, spec: &str) -> Cow<'_, str> {
    match split_spec(spec) {
        ("focus", None) if version <= 1 => "focus:rule=none".into(),
        ("focus", Some(params)) if version <= 1 && !params.split(',').any(|entry| entry.starts_with("rule=")) => {
            format!("focus:rule=none,{params}").into()
        }
        _ => spec.into(),
    }
}

/// The fewest and the most seats that a game has with any one of its parameters at either end.
pub fn seat_range(entry: &Entry) -> (usize, usize) {
    let ends = |param: &ParamSpec| match param.kind {
        ParamKind::Int { min, max, .. } => vec![min, max],
        // The number of seats is a number.
        ParamKind::Bool | ParamKind::Choice { .. } | ParamKind::List { .. } => Vec::new(),
    };
    let specs = (entry.params)()
        .into_iter()
        .flat_map(|param| ends(&param).into_iter().map(move |end| format!("{}:{}={end}", entry.id, param.name)));
    // An end of a range may conflict with the defaults of the other parameters.
    let games = std::iter::once(entry.id.to_string()).chain(specs).filter_map(|spec| game(&spec).ok());
    games.map(|game| game.facts().n_seats).fold((usize::MAX, 0), |(fewest, most), n| (fewest.min(n), most.max(n)))
}

fn unknown(id: &str) -> SpecError {
    let known = REGISTRY.iter().map(|entry| entry.id).collect::<Vec<_>>().join(", ");
    let meant = called(id).map_or(String::new(), |entry| format!("that is `{}` here; ", entry.id));
    SpecError::UnknownGame { id: id.into(), meant, known }
}

/// The first game that people also call so.
pub fn called(name: &str) -> Option<&'static Entry> {
    let letters =
        |name: &str| -> String { name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect() };
    let asked = letters(name);
    REGISTRY.iter().find(|entry| [entry.id, entry.name].iter().chain(entry.aliases).any(|name| letters(name) == asked))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_found_by_its_other_names() {
        for (name, id) in
            [("Reversi", "othello"), ("four-in-a-row", "connect-four"), ("NoughtsAndCrosses", "tic-tac-toe")]
        {
            let why = game(name).err().expect("no id").to_string();
            assert!(
                why.starts_with(&format!("there is no game `{name}`; that is `{id}` here; the games are ")),
                "{why}"
            );
        }
        assert!(called("chess").is_none() && called("").is_none());
    }

    #[test]
    fn a_game_says_how_many_can_play() {
        for (id, range) in [
            ("tic-tac-toe", (2, 2)),
            ("poker", (2, 10)),
            ("blackjack", (1, 7)),
            ("al-jabar", (2, 4)),
            ("rubiks-cube", (1, 1)),
        ] {
            assert_eq!(seat_range(entry(id).unwrap()), range, "{id}");
        }
    }

    #[test]
    fn an_old_spec_of_focus_means_what_it_meant() {
        for (spec, today) in [
            ("focus", "focus:rule=none"),
            ("focus:max-plies=40", "focus:rule=none,max-plies=40"),
            ("focus:rule=draw-wins,max-plies=40", "focus:rule=draw-wins,max-plies=40"),
            ("focus:rule=exchange", "focus:rule=exchange"),
            ("hex:size=4", "hex:size=4"),
        ] {
            assert_eq!((spec_of_version(1, spec), spec_of_version(2, spec)), (today.into(), spec.into()));
        }
    }
}
