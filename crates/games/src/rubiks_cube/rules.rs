//! State, legal actions, apply, outcomes, payoffs.

use raichi_core::game::{Chance, Classes, Facts, Game, Payoffs, Phase};
use raichi_core::information::Information;
use raichi_core::path::NoMemory;
use raichi_core::random::{self, Rng};
use raichi_core::seat::Seat;
use serde::{Deserialize, Serialize};

use super::cube::Cube;
use super::face::{Face, N_TWISTS, Twist};
use super::symmetry::{N_OF_SIZE_2, N_SYMMETRIES, Symmetry};

/// The rules with their parameters.
#[derive(Clone, Copy, Debug)]
pub struct RubiksCube {
    /// Cubies a side, 2 or 3.
    pub(super) size: u8,
    /// Whether a half turn is one twist.
    pub(super) half_turns: bool,
    /// How many twists chance makes first.
    pub(super) scramble: u8,
    /// How many twists the player may make.
    pub(super) limit: u8,
    /// All twists, face by face.
    pub(super) twists: &'static [Twist],
}

/// The cube, and how far the game has come.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    pub(super) cube: Cube,
    /// How many twists chance is still to make.
    pub(super) to_scramble: u8,
    /// The face that chance has just twisted and may not twist again at once, while it is still to act.
    pub(super) just_twisted: Option<Face>,
    /// How many twists the player has made.
    pub(super) n_twists: u8,
}

impl State {
    /// The cube.
    pub fn cube(&self) -> &Cube {
        &self.cube
    }

    /// How many twists the player has made.
    pub fn n_twists(&self) -> u8 {
        self.n_twists
    }

    /// How many twists chance is still to make.
    pub fn to_scramble(&self) -> u8 {
        self.to_scramble
    }

    /// The face that chance has just twisted and may not twist again at once, while it is still to act.
    pub fn just_twisted(&self) -> Option<Face> {
        self.just_twisted
    }

    /// Whether the player has solved the cube. One that is solved after the scramble is still to be played.
    #[inline]
    pub(super) fn is_solved(&self) -> bool {
        self.n_twists > 0 && self.cube == Cube::SOLVED
    }
}

const WITH_HALF_TURNS: [Twist; N_TWISTS] = {
    let mut twists = [Twist::from_index(0); N_TWISTS];
    let mut i = 0;
    while i < N_TWISTS {
        twists[i] = Twist::from_index(i);
        i += 1;
    }
    twists
};

const QUARTER_TURNS: [Twist; 12] = {
    let mut twists = [Twist::from_index(0); 12];
    let mut i = 0;
    while i < 12 {
        twists[i] = Twist::new(Face::ALL[i / 2], if i % 2 == 0 { 1 } else { 3 });
        i += 1;
    }
    twists
};

impl RubiksCube {
    /// A cube of 2 or 3 cubies a side.
    pub(super) fn new(size: u8, half_turns: bool, scramble: u8, limit: u8) -> RubiksCube {
        let all: &'static [Twist] = if half_turns { &WITH_HALF_TURNS } else { &QUARTER_TURNS };
        let twists = if size == 2 { &all[..all.len() / 2] } else { all };
        RubiksCube { size, half_turns, scramble, limit, twists }
    }

    /// Cubies a side, 2 or 3.
    pub fn size(&self) -> u8 {
        self.size
    }

    /// All twists of the metric, face by face.
    pub fn twists(&self) -> &'static [Twist] {
        self.twists
    }

    /// Whether a half turn is one twist.
    pub fn has_half_turns(&self) -> bool {
        self.half_turns
    }

    /// The most twists that the player may make.
    pub fn limit(&self) -> u8 {
        self.limit
    }

    /// The faces that can be twisted.
    pub(super) fn faces(&self) -> &'static [Face] {
        if self.size == 2 { &Face::ALL[..3] } else { &Face::ALL }
    }

    /// Twists the cube as its size does.
    #[inline]
    pub fn twist(&self, cube: &mut Cube, twist: Twist) {
        if self.size == 2 {
            cube.twist_corners(twist);
        } else {
            cube.twist(twist);
        }
    }
}

impl Game for RubiksCube {
    type State = State;
    type Action = Twist;
    type Outcome = Twist;
    type PathMemory = NoMemory;

    const CLASSES: Classes = Classes::PERFECT_INFORMATION;

    fn facts(&self) -> Facts {
        Facts {
            n_seats: 1,
            chance: self.scramble > 0,
            hidden: false,
            simultaneous: false,
            path_dependent: false,
            payoff_sum: None,
            payoff_range: Some((-f64::from(self.limit) - 1.0, -1.0)),
            draws: false,
        }
    }

    fn initial_state(&self) -> State {
        State { cube: Cube::SOLVED, to_scramble: self.scramble, just_twisted: None, n_twists: 0 }
    }

    #[inline]
    fn phase(&self, state: &State) -> Phase {
        if state.to_scramble > 0 {
            Phase::Chance
        } else if state.n_twists >= self.limit || state.is_solved() {
            Phase::Over
        } else {
            Phase::seat(0)
        }
    }

    #[inline]
    fn legal_actions(&self, _state: &State, _seat: Seat, actions: &mut Vec<Twist>) {
        actions.extend_from_slice(self.twists);
    }

    #[inline]
    fn apply(&self, state: &mut State, _seat: Seat, twist: Twist) {
        self.twist(&mut state.cube, twist);
        state.n_twists += 1;
    }

    fn payoffs(&self, state: &State) -> Payoffs {
        let cost = if state.is_solved() { f64::from(state.n_twists) } else { f64::from(self.limit) + 1.0 };
        Payoffs::new([-cost])
    }

    fn end_reason(&self, state: &State) -> &'static str {
        if state.is_solved() { "solved" } else { "limit" }
    }

    #[inline]
    fn count_actions(&self, _state: &State, _seat: Seat, _scratch: &mut Vec<Twist>) -> usize {
        self.twists.len()
    }

    #[inline]
    fn random_action<R: Rng + ?Sized>(
        &self,
        _state: &State,
        _seat: Seat,
        _scratch: &mut Vec<Twist>,
        rng: &mut R,
    ) -> Twist {
        self.twists[random::index(rng, self.twists.len())]
    }

    fn is_legal(&self, _state: &State, _seat: Seat, twist: Twist) -> bool {
        self.twists.contains(&twist)
    }

    fn n_symmetries(&self) -> usize {
        if self.size == 2 { N_OF_SIZE_2 } else { N_SYMMETRIES }
    }

    fn map_state(&self, symmetry: usize, state: &State) -> State {
        let symmetry = Symmetry::new(symmetry);
        State {
            cube: symmetry.cube(&state.cube),
            just_twisted: state.just_twisted.map(|face| symmetry.face(face)),
            ..*state
        }
    }

    fn map_action(&self, symmetry: usize, twist: Twist) -> Twist {
        Symmetry::new(symmetry).twist(twist)
    }
}

/// The scramble's twists.
impl Chance<RubiksCube> for Twist {
    fn list(game: &RubiksCube, state: &State, outcomes: &mut Vec<(Twist, u64)>) {
        let possible = game.twists.iter().filter(|twist| Some(twist.face()) != state.just_twisted);
        outcomes.extend(possible.map(|&twist| (twist, 1)));
    }

    #[inline]
    fn happen(self, game: &RubiksCube, state: &mut State) {
        game.twist(&mut state.cube, self);
        state.to_scramble -= 1;
        state.just_twisted = (state.to_scramble > 0).then_some(self.face());
    }

    #[inline]
    fn sample<R: Rng + ?Sized>(game: &RubiksCube, state: &State, rng: &mut R) -> Twist {
        let Some(face) = state.just_twisted else { return game.twists[random::index(rng, game.twists.len())] };
        // The twists of a face stand together: those behind the excluded ones move up.
        let n_excluded = if game.half_turns { 3 } else { 2 };
        let nth = random::index(rng, game.twists.len() - n_excluded);
        game.twists[if nth >= face as usize * n_excluded { nth + n_excluded } else { nth }]
    }

    fn map(self, _game: &RubiksCube, symmetry: usize) -> Twist {
        Symmetry::new(symmetry).twist(self)
    }
}

impl Information for RubiksCube {}
