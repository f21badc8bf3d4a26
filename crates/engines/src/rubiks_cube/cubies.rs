//! The cube slot by slot, and numbers for what is where: what tables are built from.

use raichi_games::rubiks_cube::{Cube, Twist};

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
    use raichi_games::rubiks_cube::Face;

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
