//! The solver of Rubik's Cube by iterative deepening under its name.

use raichi_engines::rubiks_cube::CubeIda;
use raichi_games::rubiks_cube::RubiksCube;

use crate::kind::AgentKind;
use crate::of_one_game;
use crate::searching::{self, TIME_OR_NODES};

pub(crate) const KIND: AgentKind = AgentKind {
    id: "cube-ida",
    name: "Iterative deepening",
    help: "Solves Rubik's Cube in the fewest twists, as far as its time reaches.",
    bare: None,
    options: &TIME_OR_NODES,
    supports: |game| of_one_game::supports::<RubiksCube>(game),
    seat: None,
    instead: None,
    complete: searching::complete_budget,
    prepare: |game, options| of_one_game::prepare::<RubiksCube>(game, &options, |game| Box::new(CubeIda::new(game))),
};
