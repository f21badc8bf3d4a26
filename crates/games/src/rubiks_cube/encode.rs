//! The position as numbers: the unfolded cube as pictures show it, and how far the game has come.
//!
//! Action numbers: the twists of the metric, face by face in the order U R F D L B, each by its quarter turns.

use raichi_core::encoding::{Block, Encoding, Layout};
use raichi_core::game::{Game, Payoffs, Phase};
use raichi_core::random::Rng;
use raichi_core::seat::Seat;

use super::face::{Face, Twist};
use super::facelets::{NET, Place};
use super::rules::{RubiksCube, State};
use super::symmetry::Symmetry;

/// Faces beside each other and above each other in the unfolded cube.
const N_ACROSS: usize = 4;
const N_DOWN: usize = 3;
/// What stands where the unfolded cube has no face.
const NO_CELL: i32 = Face::ALL.len() as i32;

impl RubiksCube {
    fn n_cells(&self) -> usize {
        N_ACROSS * N_DOWN * usize::from(self.size) * usize::from(self.size)
    }

    /// Where a sticker lies in the grid.
    #[inline]
    fn index(&self, place: Place) -> usize {
        let (_, across, down) = NET[NET_OF[place.face as usize]];
        let [row, column] = [(down, place.row), (across, place.column)]
            .map(|(of_faces, of_stickers)| usize::from(of_faces) * usize::from(self.size) + usize::from(of_stickers));
        row * N_ACROSS * usize::from(self.size) + column
    }
}

/// The place of each face in [`NET`].
const NET_OF: [usize; 6] = {
    let mut places = [0; 6];
    let mut i = 0;
    while i < 6 {
        places[NET[i].0 as usize] = i;
        i += 1;
    }
    places
};

impl Encoding for RubiksCube {
    fn layout(&self) -> Layout {
        let size = usize::from(self.size);
        let colours = Face::ALL.map(|face| format!("colour of {}", face.letter()));
        let values: Vec<String> = colours.into_iter().chain(["no cell".into()]).collect();
        let faces: Vec<String> =
            std::iter::once("none".into()).chain(Face::ALL.map(|face| face.letter().into())).collect();
        Layout::new([
            Block::grid("unfolded cube", N_DOWN * size, N_ACROSS * size, &values),
            Block::amounts("twists made", 1, self.limit.into(), "twists"),
            Block::amounts("twists of the scramble to come", 1, self.scramble.into(), "twists"),
            Block::named("face just twisted by the scramble", 1, &faces),
            Block::to_act(1),
        ])
    }

    #[inline]
    fn observe(&self, state: &State, _seat: Seat, observation: &mut [i32]) {
        let (cells, rest) = observation.split_at_mut(self.n_cells());
        cells.fill(NO_CELL);
        for place in self.in_order() {
            cells[self.index(place)] = self.colour(state, place) as i32;
        }
        rest[0] = state.n_twists.into();
        rest[1] = state.to_scramble.into();
        rest[2] = state.just_twisted.map_or(0, |face| face as i32 + 1);
        rest[3] = (state.to_scramble == 0).into();
    }

    fn n_actions(&self) -> u64 {
        self.twists.len() as u64
    }

    // A twist that is none here has a number beyond all of them.
    fn action_number(&self, twist: Twist) -> u64 {
        let number = match (self.half_turns, twist.quarters()) {
            (true, _) => twist.index() as u64,
            (false, 2) => self.n_actions(),
            (false, quarters) => 2 * twist.face() as u64 + u64::from(quarters / 2),
        };
        number.min(self.n_actions())
    }

    fn numbered_action(&self, number: u64) -> Option<Twist> {
        self.twists.get(usize::try_from(number).ok()?).copied()
    }

    fn map_observation(&self, symmetry: usize, observation: &[i32], image: &mut [i32]) {
        image.copy_from_slice(observation);
        let symmetry = Symmetry::new(symmetry);
        let map = |face: i32| symmetry.face(Face::ALL[face as usize]);
        for place in self.in_order() {
            let faces = place.touched(self.size).into_iter().map(|face| symmetry.face(face));
            let there = Place::touching(&faces.collect::<arrayvec::ArrayVec<Face, 3>>(), self.size);
            image[self.index(there)] = map(observation[self.index(place)]) as i32;
        }
        let just_twisted = self.n_cells() + 2;
        if observation[just_twisted] > 0 {
            image[just_twisted] = map(observation[just_twisted] - 1) as i32 + 1;
        }
    }

    /// Each twist has cost one, whether the cube is solved in the end or not.
    fn paid(&self, state: &State) -> Payoffs {
        Payoffs::new([-f64::from(state.n_twists)])
    }

    /// The game's own scramble, of `n_plies` twists (255 at most). The cube may come out solved.
    fn near_goal<R: Rng + ?Sized>(&self, n_plies: u64, rng: &mut R) -> Option<State> {
        let to_scramble = n_plies.try_into().unwrap_or(u8::MAX);
        let mut state = State { to_scramble, ..self.initial_state() };
        while self.phase(&state) == Phase::Chance {
            let twist = self.sample_outcome(&state, rng);
            self.apply_outcome(&mut state, twist);
        }
        Some(state)
    }
}
