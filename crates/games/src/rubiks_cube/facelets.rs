//! The cube by its stickers: what solvers write as one letter for each, and what the unfolded cube shows.

use arrayvec::ArrayVec;
use raichi_core::position::{Field, PositionError};

use super::cube::{CORNER_BITS, CORNERS, Cube, Cubie, EDGE_BITS, EDGES, field, find};
use super::face::Face::{self, B, D, F, L, R, U};
use super::rules::{RubiksCube, State};

/// Where the faces lie in the unfolded cube: column and row.
pub(super) const NET: [(Face, u8, u8); 6] = [(U, 1, 0), (L, 0, 1), (F, 1, 1), (R, 2, 1), (B, 3, 1), (D, 1, 2)];

/// A sticker's place: its face, and row and column there as in the unfolded cube.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place {
    pub(super) face: Face,
    pub(super) row: u8,
    pub(super) column: u8,
}

impl Place {
    /// The faces that its cubie touches, its own first: one, two or three.
    pub(super) fn touched(self, size: u8) -> ArrayVec<Face, 3> {
        let [above, right, below, left] = self.face.around();
        let last = size - 1;
        let beside =
            [(self.row == 0, above), (self.row == last, below), (self.column == 0, left), (self.column == last, right)];
        let beside = beside.into_iter().filter(|&(touches, _)| touches).map(|(_, face)| face);
        std::iter::once(self.face).chain(beside).collect()
    }

    /// The place whose cubie touches these faces and which is on the first of them.
    pub(super) fn touching(faces: &[Face], size: u8) -> Place {
        let [above, right, below, left] = faces[0].around();
        let along = |first: Face, last: Face| match (faces.contains(&first), faces.contains(&last)) {
            (true, _) => 0,
            (_, true) => size - 1,
            _ => 1,
        };
        Place { face: faces[0], row: along(above, below), column: along(left, right) }
    }
}

impl RubiksCube {
    /// All places as solvers order them: face by face (U R F D L B), each row by row.
    pub(super) fn in_order(&self) -> impl Iterator<Item = Place> + use<> {
        let size = self.size;
        let of_face = move |face| (0..size * size).map(move |nth| Place { face, row: nth / size, column: nth % size });
        Face::ALL.into_iter().flat_map(of_face)
    }

    /// The colour at a place.
    pub(super) fn colour(&self, state: &State, place: Place) -> Face {
        state.cube.colour(&place.touched(self.size))
    }

    /// The cube whose stickers, in order, have these colours.
    ///
    /// # Errors
    /// Other letters, and cubes that no twists lead to.
    pub(super) fn parse_facelets(&self, facelets: Field<'_>) -> Result<Cube, PositionError> {
        let n_stickers = 6 * usize::from(self.size) * usize::from(self.size);
        if facelets.text.chars().count() != n_stickers {
            return Err(facelets.error(format!("{n_stickers} letters, face by face in the order U R F D L B")));
        }
        let (mut corners, mut edges) = ([[U; 3]; 8], [[U; 2]; 12]);
        for (i, (letter, place)) in facelets.text.chars().zip(self.in_order()).enumerate() {
            let colour = Face::ALL.into_iter().find(|face| face.letter() == letter);
            let colour = colour.ok_or_else(|| facelets.error_at(i, "one of U, R, F, D, L and B"))?;
            match *place.touched(self.size) {
                [first, second, third] => {
                    let (slot, nth) = find(&CORNERS, [first, second, third]);
                    corners[slot][nth] = colour;
                }
                [first, second] => {
                    let (slot, nth) = find(&EDGES, [first, second]);
                    edges[slot][nth] = colour;
                }
                _ if colour != place.face => {
                    let expected = format!("{}, the face's own colour in its centre", place.face.letter());
                    return Err(facelets.error_at(i, expected));
                }
                _ => {}
            }
        }
        let cubies = cubies(&CORNERS, &corners).map_err(|slot| missing(facelets, "corner", &CORNERS[slot]))?;
        if cubies.iter().map(|cubie| cubie.turn).sum::<usize>() % 3 != 0 {
            return Err(facelets.error("a cube that can be solved: one corner of this one is twisted in its place"));
        }
        let corners_are_odd = is_odd(&cubies);
        let mut cube = Cube { corners: word(&cubies, CORNER_BITS), ..Cube::SOLVED };
        if self.size == 2 {
            if cubies[7] != (Cubie { number: 7, turn: 0 }) {
                let expected = "the corner down-back-left in its place, not turned: hold the cube that way";
                return Err(facelets.error(expected));
            }
            return Ok(cube);
        }
        let cubies = self::cubies(&EDGES, &edges).map_err(|slot| missing(facelets, "edge", &EDGES[slot]))?;
        if cubies.iter().map(|cubie| cubie.turn).sum::<usize>() % 2 != 0 {
            return Err(facelets.error("a cube that can be solved: one edge of this one is flipped in its place"));
        }
        if is_odd(&cubies) != corners_are_odd {
            return Err(facelets.error("a cube that can be solved: two cubies of this one have changed places"));
        }
        cube.edges = word(&cubies, EDGE_BITS);
        Ok(cube)
    }
}

/// The cubies that have these colours, slot by slot.
///
/// # Errors
/// The slot of one that there is not, or that was met before.
fn cubies<const N: usize, const M: usize>(
    slots: &[[Face; N]; M],
    colours: &[[Face; N]; M],
) -> Result<[Cubie; M], usize> {
    let mut cubies = [Cubie { number: M, turn: 0 }; M];
    for (slot, colours) in colours.iter().enumerate() {
        let shows = |number: usize, turn: usize| (0..N).all(|nth| slots[number][nth] == colours[(nth + turn) % N]);
        let all = (0..M).flat_map(|number| (0..N).map(move |turn| (number, turn)));
        let (number, turn) = all.into_iter().find(|&(number, turn)| shows(number, turn)).ok_or(slot)?;
        if cubies.iter().any(|cubie| cubie.number == number) {
            return Err(slot);
        }
        cubies[slot] = Cubie { number, turn };
    }
    Ok(cubies)
}

fn missing(facelets: Field<'_>, what: &str, slot: &[Face]) -> PositionError {
    let name: String = slot.iter().map(|face| face.letter()).collect();
    facelets.error(format!("each {what} of the cube once; that at {name} is none, or there twice"))
}

/// Whether an odd number of exchanges makes this order.
fn is_odd(cubies: &[Cubie]) -> bool {
    let pairs = (0..cubies.len()).flat_map(|i| (0..i).map(move |j| (j, i)));
    pairs.filter(|&(j, i)| cubies[j].number > cubies[i].number).count() % 2 == 1
}

fn word(cubies: &[Cubie], bits: u32) -> u64 {
    cubies.iter().enumerate().fold(0, |word, (slot, &cubie)| word | field(cubie, slot, bits))
}
