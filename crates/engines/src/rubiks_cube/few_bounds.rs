//! How far a cube is at least from those that up, down and half turns alone can solve, by two small tables.
//!
//! Of the three parts of a coset ([`Coset`]) each table knows two: the turns of the corners with the slots of the middle's
//! edges, and the flips of the edges with these slots. The larger of the two distances is a lower bound, and 0 only where all
//! three parts are as they should be. (H. Kociemba's program of 1992 had such tables.)
//! Promise: never more than the distance. Two megabytes, built in tens of milliseconds.
//! Checked: neighbours differ by one at most, and the bound is never above a known number of twists.

use raichi_games::rubiks_cube::{Cube, RubiksCube};

use super::cosets::{Coset, Motions, N_FLIPS, N_SLICES, N_TURNS};
use super::cubies::Cubies;
use super::two_phase::FirstPhase;

const UNKNOWN: u8 = u8::MAX;

/// Lower bounds for the first phase.
pub(super) struct FewBounds {
    motions: Motions,
    by_turns: Vec<u8>,
    by_flips: Vec<u8>,
}

impl FewBounds {
    /// The tables for the game's twists.
    pub(super) fn new(game: &RubiksCube) -> FewBounds {
        let motions = Motions::new(game);
        let n_twists = game.twists().len();
        let by_turns = distances(N_TURNS * N_SLICES, n_twists, &motions, Coset::turns_and_slice);
        let by_flips = distances(N_FLIPS * N_SLICES, n_twists, &motions, Coset::flips_and_slice);
        FewBounds { motions, by_turns, by_flips }
    }
}

impl FirstPhase for FewBounds {
    #[inline]
    fn after(&self, coset: Coset, twist: usize) -> Coset {
        self.motions.after(coset, twist)
    }

    #[inline]
    fn distance(&self, coset: Coset) -> u8 {
        self.by_turns[coset.turns_and_slice()].max(self.by_flips[coset.flips_and_slice()])
    }

    #[inline]
    fn distances(&self, cosets: &[Coset], distances: &mut [u8]) {
        cosets.iter().zip(distances).for_each(|(&coset, distance)| *distance = self.distance(coset));
    }
}

/// Breadth first from the solved cube, over cosets of which `number` tells two parts; `n` is how many numbers there are.
fn distances(n: usize, n_twists: usize, motions: &Motions, number: fn(Coset) -> usize) -> Vec<u8> {
    let solved = Coset::of(&Cubies::of(&Cube::SOLVED));
    let mut distances = vec![UNKNOWN; n];
    distances[number(solved)] = 0;
    let mut frontier = vec![solved];
    for distance in 1.. {
        let mut next = Vec::new();
        for coset in frontier {
            for twist in 0..n_twists {
                let after = motions.after(coset, twist);
                let place = number(after);
                if distances[place] == UNKNOWN {
                    distances[place] = distance;
                    next.push(after);
                }
            }
        }
        if next.is_empty() {
            break;
        }
        frontier = next;
    }
    distances
}

#[cfg(test)]
mod tests {
    use super::*;
    use raichi_core::erased::create;
    use raichi_core::random::{index, stream};

    #[test]
    fn bounds_are_never_too_large_and_neighbours_differ_by_one_at_most() {
        let game = *create::<RubiksCube>(Some("size=3")).unwrap().game();
        let bounds = FewBounds::new(&game);
        assert!(!bounds.by_turns.contains(&UNKNOWN) && !bounds.by_flips.contains(&UNKNOWN));
        let mut rng = stream(1, "test", 0);
        for _ in 0..20 {
            let mut coset = Coset::of(&Cubies::of(&Cube::SOLVED));
            for n_made in 0..30 {
                let here = bounds.distance(coset);
                assert!(here <= n_made);
                let twist = index(&mut rng, 18);
                let next = bounds.after(coset, twist);
                assert!(bounds.distance(next).abs_diff(here) <= 1);
                coset = next;
            }
        }
    }
}
