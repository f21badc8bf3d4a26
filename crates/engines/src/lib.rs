//! What is known about one game only: a folder a game, of the same name as its folder of rules.
//!
//! A folder under `games` is pure rules; here are the opinions and proofs about it: evaluators, playout policies,
//! solvers, agents of one game. They are asked for by the game's type ([`hand`], [`learned`], [`playout_policy`], [`solver`], [`charts`]); the tables
//! below are the only place where a game's knowledge is registered.

pub mod al_jabar;
pub mod black;
pub mod blackjack;
mod checksum;
mod combinations;
mod complete;
pub mod connect_four;
#[cfg(test)]
mod drawn;
pub mod endings;
pub mod focus;
pub mod french_military;
pub mod hex;
mod induction;
pub mod jabirs_transmutations;
pub mod kaalu;
mod kept;
mod lengths;
pub mod linear;
pub mod nim;
pub mod nim3p;
mod one_at_a_time;
pub mod othello;
#[cfg(test)]
mod own_folder;
pub mod poker;
pub mod rubiks_cube;
mod shared_table;
pub mod sim;
#[cfg(test)]
mod solved;
mod table_files;
pub mod tablut;
pub mod tic_tac_toe;
pub mod twenty_forty_eight;
#[cfg(test)]
mod unlimited;
mod whole_file;
pub mod yavalath;

use std::any::Any;
use std::sync::Arc;

use raichi_core::chart::Chart;
use raichi_core::game::Game;
use raichi_games::al_jabar::AlJabar;
use raichi_games::black::Black;
use raichi_games::blackjack::Blackjack;
use raichi_games::connect_four::ConnectFour;
use raichi_games::focus::Focus;
use raichi_games::french_military::FrenchMilitary;
use raichi_games::hex::Hex;
use raichi_games::jabirs_transmutations::JabirsTransmutations;
use raichi_games::kaalu::Kaalu;
use raichi_games::nim::Nim;
use raichi_games::nim3p::Nim3P;
use raichi_games::othello::Othello;
use raichi_games::poker::Poker;
use raichi_games::rubiks_cube::RubiksCube;
use raichi_games::sim::Sim;
use raichi_games::tablut::Tablut;
use raichi_games::tic_tac_toe::TicTacToe;
use raichi_games::twenty_forty_eight::TwentyFortyEight;
use raichi_games::yavalath::Yavalath;
use raichi_search::{Evaluator, PlayoutPolicy};
use raichi_solve::Solver;

pub use linear::{Tunable, squash};

/// The hand-made evaluator of the game with these parameters, where there is one.
pub fn hand<G: Game>(game: &G) -> Option<Arc<dyn Evaluator<G>>> {
    find(EVALUATORS, game)
}

/// The evaluator that was learned for the game with these parameters and comes with the engine, where there is one. It is
/// stronger than the hand-made one at equal time.
pub fn learned<G: Game>(game: &G) -> Option<Arc<dyn Evaluator<G>>> {
    find(LEARNED, game)
}

/// The hand-made playout policy of the game with these parameters, where there is one.
pub fn playout_policy<G: Game>(game: &G) -> Option<Arc<dyn PlayoutPolicy<G>>> {
    find(PLAYOUT_POLICIES, game)
}

/// The solver made for the game with these parameters, where there is one.
pub fn solver<G: Game>(game: &G) -> Option<Arc<dyn Solver<G>>> {
    find(SOLVERS, game)
}

/// No game goes on for more plies from `state`, which is a position of `game`; `None` where that is not known.
pub fn longest<G: Game>(game: &G, state: &G::State) -> Option<u32> {
    LENGTHS.iter().find_map(|line| line(game, state))
}

/// Works charts out, which may take a second.
pub type ChartMaker = Box<dyn FnOnce() -> Vec<Chart>>;

/// What makes the charts of what is known about the game with these parameters, where there are some.
pub fn charts<G: Game>(game: &G) -> Option<ChartMaker> {
    find(CHARTS, game)
}

/// Makes what is known about a game (`Arc<dyn Evaluator<G>>`, say) if the game is of the line's type.
type Line = fn(&dyn Any) -> Option<Box<dyn Any>>;

/// How long play can go on from a position at most, if game and position are of the line's types.
type Length = fn(&dyn Any, &dyn Any) -> Option<u32>;

/// A line a game; see [`evaluator`].
const EVALUATORS: &[Line] = &[
    |game| evaluator::<AlJabar>(game, al_jabar::evaluator),
    |game| evaluator::<Black>(game, black::evaluator),
    |game| evaluator::<ConnectFour>(game, connect_four::evaluator),
    |game| evaluator::<Focus>(game, focus::evaluator),
    |game| evaluator::<FrenchMilitary>(game, french_military::evaluator),
    |game| evaluator::<Hex>(game, hex::evaluator),
    |game| evaluator::<JabirsTransmutations>(game, jabirs_transmutations::evaluator),
    |game| evaluator::<Kaalu>(game, kaalu::evaluator),
    |game| evaluator::<Othello>(game, othello::evaluator),
    |game| evaluator::<Sim>(game, sim::evaluator),
    |game| evaluator::<Tablut>(game, tablut::evaluator),
    |game| evaluator::<TwentyFortyEight>(game, twenty_forty_eight::evaluator),
    |game| evaluator::<Yavalath>(game, yavalath::evaluator),
];

/// A line a game; see [`evaluator`].
const LEARNED: &[Line] = &[|game| evaluator::<Othello>(game, othello::patterns::evaluator)];

/// A line a game; see [`policy`].
const PLAYOUT_POLICIES: &[Line] = &[
    |game| policy::<ConnectFour>(game, connect_four::playout_policy),
    |game| policy::<Hex>(game, hex::playout_policy),
    |game| policy::<Tablut>(game, tablut::playout_policy),
    |game| policy::<TwentyFortyEight>(game, twenty_forty_eight::playout_policy),
    |game| policy::<Yavalath>(game, yavalath::playout_policy),
];

/// A line a game; see [`exact`].
const SOLVERS: &[Line] = &[
    |game| exact::<AlJabar>(game, al_jabar::solver),
    |game| exact::<Black>(game, black::solver),
    |game| exact::<Blackjack>(game, blackjack::solver),
    |game| exact::<ConnectFour>(game, connect_four::solver),
    |game| exact::<Focus>(game, focus::solver),
    |game| exact::<FrenchMilitary>(game, french_military::solver),
    |game| exact::<Hex>(game, hex::solver),
    |game| exact::<Nim>(game, nim::solver),
    |game| exact::<Nim3P>(game, nim3p::solver),
    |game| exact::<Othello>(game, othello::solver),
    |game| exact::<RubiksCube>(game, rubiks_cube::solver),
    |game| exact::<Sim>(game, sim::solver),
    |game| exact::<Tablut>(game, tablut::solver),
    |game| exact::<TicTacToe>(game, tic_tac_toe::solver),
    |game| exact::<TwentyFortyEight>(game, twenty_forty_eight::solver),
    |game| exact::<Yavalath>(game, yavalath::solver),
];

/// A line a game; see [`length`].
const LENGTHS: &[Length] = &[
    |game, state| length::<AlJabar>(game, state, lengths::of_al_jabar),
    |game, state| length::<Black>(game, state, lengths::of_black),
    |game, state| length::<Blackjack>(game, state, lengths::of_blackjack),
    |game, state| length::<ConnectFour>(game, state, lengths::of_connect_four),
    |game, state| length::<Hex>(game, state, lengths::of_hex),
    |game, state| length::<Nim>(game, state, lengths::of_nim),
    |game, state| length::<Nim3P>(game, state, lengths::of_nim3p),
    |game, state| length::<Othello>(game, state, lengths::of_othello),
    |game, state| length::<RubiksCube>(game, state, lengths::of_rubiks_cube),
    |game, state| length::<Sim>(game, state, lengths::of_sim),
    |game, state| length::<TicTacToe>(game, state, lengths::of_tic_tac_toe),
    |game, state| length::<TwentyFortyEight>(game, state, lengths::of_2048),
    |game, state| length::<Yavalath>(game, state, lengths::of_yavalath),
];

/// A line a game; see [`chart_maker`].
const CHARTS: &[Line] = &[
    |game| chart_maker::<Blackjack>(game, blackjack::strategy),
    |game| chart_maker::<Poker>(game, |_| poker::charts()),
];

fn find<G: Game, T: 'static>(lines: &[Line], game: &G) -> Option<T> {
    let made = lines.iter().find_map(|line| line(game))?;
    Some(*made.downcast::<T>().expect("a line makes what its table is of, for the game that it was given"))
}

/// The line of an evaluator: `|game| evaluator::<Hex>(game, hex::evaluator)`. The maker returns `None` for parameters that
/// the evaluator does not know.
fn evaluator<G: Game>(game: &dyn Any, make: fn(&G) -> Option<Arc<dyn Evaluator<G>>>) -> Option<Box<dyn Any>> {
    make(game.downcast_ref::<G>()?).map(|made| Box::new(made) as Box<dyn Any>)
}

/// The line of charts; see [`evaluator`].
fn chart_maker<G: Game>(game: &dyn Any, make: fn(&G) -> Vec<Chart>) -> Option<Box<dyn Any>> {
    let game = game.downcast_ref::<G>()?.clone();
    Some(Box::new(Box::new(move || make(&game)) as ChartMaker))
}

/// The line of the longest game from a position.
fn length<G: Game>(game: &dyn Any, state: &dyn Any, of: fn(&G, &G::State) -> u32) -> Option<u32> {
    Some(of(game.downcast_ref()?, state.downcast_ref()?))
}

/// The line of a playout policy; see [`evaluator`].
fn policy<G: Game>(game: &dyn Any, make: fn(&G) -> Option<Arc<dyn PlayoutPolicy<G>>>) -> Option<Box<dyn Any>> {
    make(game.downcast_ref::<G>()?).map(|made| Box::new(made) as Box<dyn Any>)
}

/// The line of a solver: `|game| exact::<Nim>(game, nim::solver)`; see [`evaluator`].
fn exact<G: Game>(game: &dyn Any, make: fn(&G) -> Option<Arc<dyn Solver<G>>>) -> Option<Box<dyn Any>> {
    make(game.downcast_ref::<G>()?).map(|made| Box::new(made) as Box<dyn Any>)
}
