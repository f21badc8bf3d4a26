//! The cube slot by slot, and numbers for what is where: what tables are built from.

use raichi_core::game::Game;
use raichi_games::rubiks_cube::{CORNERS, Cube, EDGES, Face, RubiksCube, Twist};

/// Which cubie is in each slot, and how it is turned. It is a position, or the motion that makes it of a solved cube.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Cubies {
    pub(super) corners: [u8; 8],
    pub(super) corner_turns: [u8; 8],
    pub(super) edges: [u8; 12],
    pub(super) edge_turns: [u8; 12],
}

impl Cubies {
    pub(super) fn of(cube: &Cube) -> Cubies {
        let (corner, edge) = (|slot| cube.corner(slot), |slot| cube.edge(slot));
        Cubies {
            corners: std::array::from_fn(|slot| corner(slot).number as u8),
            corner_turns: std::array::from_fn(|slot| corner(slot).turn as u8),
            edges: std::array::from_fn(|slot| edge(slot).number as u8),
            edge_turns: std::array::from_fn(|slot| edge(slot).turn as u8),
        }
    }

    /// The motion of a twist.
    pub(super) fn of_twist(twist: Twist) -> Cubies {
        let mut cube = Cube::SOLVED;
        cube.twist(twist);
        Cubies::of(&cube)
    }

    /// This and then a motion.
    #[inline]
    pub(super) fn then(&self, motion: &Cubies) -> Cubies {
        let corner = |slot: usize| usize::from(motion.corners[slot]);
        let edge = |slot: usize| usize::from(motion.edges[slot]);
        let turns = |slot: usize| self.corner_turns[corner(slot)] + motion.corner_turns[slot];
        Cubies {
            corners: std::array::from_fn(|slot| self.corners[corner(slot)]),
            corner_turns: std::array::from_fn(|slot| turns(slot) % 3),
            edges: std::array::from_fn(|slot| self.edges[edge(slot)]),
            edge_turns: std::array::from_fn(|slot| self.edge_turns[edge(slot)] ^ motion.edge_turns[slot]),
        }
    }

    /// The motion that undoes this one. It takes as many twists: the inverse ones, in the other order.
    pub(super) fn inverse(&self) -> Cubies {
        let mut inverse = *self;
        for slot in 0..8 {
            let from = usize::from(self.corners[slot]);
            inverse.corners[from] = slot as u8;
            inverse.corner_turns[from] = (3 - self.corner_turns[slot]) % 3;
        }
        for slot in 0..12 {
            let from = usize::from(self.edges[slot]);
            inverse.edges[from] = slot as u8;
            inverse.edge_turns[from] = self.edge_turns[slot];
        }
        inverse
    }
}

/// Where a symmetry of the cube takes slots, and how the stickers that turns are counted from lie then.
pub(super) struct Image {
    /// By face.
    faces: [Face; 6],
    is_mirror: bool,
    corners: [(u8, u8); 8],
    edges: [(u8, u8); 12],
}

impl Image {
    /// The symmetry of this number, as the game counts them.
    pub(super) fn new(game: &RubiksCube, symmetry: usize) -> Image {
        let turned = Face::ALL.map(|face| game.map_action(symmetry, Twist::new(face, 1)));
        let faces = turned.map(Twist::face);
        let corner = |slot: usize| slot_of(&CORNERS, CORNERS[slot].map(|face| faces[face as usize]));
        let edge = |slot: usize| slot_of(&EDGES, EDGES[slot].map(|face| faces[face as usize]));
        let (corners, edges) = (std::array::from_fn(corner), std::array::from_fn(edge));
        Image { faces, is_mirror: turned[0].quarters() == 3, corners, edges }
    }

    /// Whether it takes up and down to up or down.
    pub(super) fn keeps_up_and_down(&self) -> bool {
        matches!(self.faces[Face::U as usize], Face::U | Face::D)
    }

    pub(super) fn twist(&self, twist: Twist) -> Twist {
        let image = Twist::new(self.faces[twist.face() as usize], twist.quarters());
        if self.is_mirror { image.inverse() } else { image }
    }

    /// What the symmetry makes of a position: the images of its twists make it of a solved cube.
    pub(super) fn cubies(&self, cubies: &Cubies) -> Cubies {
        let mut image = *cubies;
        for slot in 0..8 {
            let ((to, counted), (number, first)) =
                (self.corners[slot], self.corners[usize::from(cubies.corners[slot])]);
            let turn = if self.is_mirror { 3 - cubies.corner_turns[slot] } else { cubies.corner_turns[slot] };
            image.corners[usize::from(to)] = number;
            image.corner_turns[usize::from(to)] = (counted + 3 - first + turn) % 3;
        }
        for slot in 0..12 {
            let ((to, counted), (number, first)) = (self.edges[slot], self.edges[usize::from(cubies.edges[slot])]);
            image.edges[usize::from(to)] = number;
            image.edge_turns[usize::from(to)] = counted ^ first ^ cubies.edge_turns[slot];
        }
        image
    }
}

/// The slot that touches these faces, and at which place it names the first of them.
fn slot_of<const N: usize, const M: usize>(slots: &[[Face; N]; M], faces: [Face; N]) -> (u8, u8) {
    let slot = slots.iter().position(|slot| slot.iter().all(|face| faces.contains(face)));
    let slot = slot.expect("a symmetry takes slots to slots");
    let nth = slots[slot].iter().position(|&face| face == faces[0]);
    (slot as u8, nth.expect("the slot touches the face") as u8)
}

/// The number of an order of things numbered from 0, below n!.
pub(super) fn rank(order: &[u8]) -> usize {
    let mut taken = 0u32;
    order.iter().enumerate().fold(0, |number, (nth, &thing)| {
        // Counted among those that have not come yet.
        let before = (taken & ((1 << thing) - 1)).count_ones() as usize;
        taken |= 1 << thing;
        number * (order.len() - nth) + usize::from(thing) - before
    })
}

/// The order of this number.
pub(super) fn unrank<const N: usize>(mut number: usize) -> [u8; N] {
    let mut order = [0; N];
    for nth in (0..N).rev() {
        order[nth] = (number % (N - nth)) as u8;
        number /= N - nth;
        for later in nth + 1..N {
            order[later] += u8::from(order[later] >= order[nth]);
        }
    }
    order
}

/// The number of the turns of all things but the last, which follows from theirs.
pub(super) fn rank_turns(turns: &[u8], n_turns: usize) -> usize {
    turns[..turns.len() - 1].iter().fold(0, |number, &turn| number * n_turns + usize::from(turn))
}

/// The turns of this number.
pub(super) fn unrank_turns<const N: usize>(mut number: usize, n_turns: usize) -> [u8; N] {
    let (mut turns, mut sum) = ([0; N], 0);
    for nth in (0..N - 1).rev() {
        turns[nth] = (number % n_turns) as u8;
        sum += number % n_turns;
        number /= n_turns;
    }
    turns[N - 1] = ((n_turns - sum % n_turns) % n_turns) as u8;
    turns
}

#[cfg(test)]
mod tests {
    use super::*;
    use raichi_core::random::{index, stream};

    #[test]
    fn images_are_made_by_the_images_of_twists() {
        let game = *raichi_core::erased::create::<RubiksCube>(Some("size=3")).unwrap().game();
        let mut rng = stream(2, "test", 0);
        for symmetry in 0..48 {
            let image = Image::new(&game, symmetry);
            let (mut cubies, mut expected) = (Cubies::of(&Cube::SOLVED), Cubies::of(&Cube::SOLVED));
            for _ in 0..30 {
                let twist = game.twists()[index(&mut rng, 18)];
                assert_eq!(image.twist(twist), game.map_action(symmetry, twist));
                cubies = cubies.then(&Cubies::of_twist(twist));
                expected = expected.then(&Cubies::of_twist(image.twist(twist)));
            }
            assert_eq!(image.cubies(&cubies), expected, "{symmetry}");
        }
    }

    #[test]
    fn motions_are_twists_and_numbers_read_back() {
        let mut rng = stream(1, "test", 0);
        let (mut cube, mut cubies) = (Cube::SOLVED, Cubies::of(&Cube::SOLVED));
        for _ in 0..200 {
            let twist = Twist::new(Face::ALL[index(&mut rng, 6)], 1 + index(&mut rng, 3) as u8);
            cube.twist(twist);
            cubies = cubies.then(&Cubies::of_twist(twist));
            assert_eq!(cubies, Cubies::of(&cube));
            assert_eq!(cubies.then(&cubies.inverse()), Cubies::of(&Cube::SOLVED));
            assert_eq!(unrank(rank(&cubies.corners)), cubies.corners);
            assert_eq!(unrank(rank(&cubies.edges)), cubies.edges);
            assert_eq!(unrank_turns(rank_turns(&cubies.corner_turns, 3), 3), cubies.corner_turns);
            assert_eq!(unrank_turns(rank_turns(&cubies.edge_turns, 2), 2), cubies.edge_turns);
        }
    }
}
