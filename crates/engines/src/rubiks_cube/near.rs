//! The cosets that are at most four twists from those that up, down and half turns alone can solve, and what twists make of
//! them.
//!
//! Most nodes of a first phase lie there: it is searched in a table that the processor keeps near, without a look into
//! the large one. (H. Kociemba's and T. Rokicki's programs keep for each coset the twists that lead nearer, all over.)
//! Promise: exact distances. Half a megabyte, built in milliseconds.
//! Checked: the published numbers of cosets by distance, and twists of random cubes.

use raichi_games::rubiks_cube::{Cube, RubiksCube};

use super::cosets::{Coset, MOST_TWISTS, Motions};
use super::cubies::Cubies;

/// How far these cosets are at most.
pub(super) const NEAREST: u8 = 4;
/// What lies further away.
const FAR: u16 = u16::MAX;
/// The bits of a hash: twice as many slots as there are cosets, and some more.
const N_BITS: u32 = 14;

/// The cosets, numbered by distance.
pub(super) struct Near {
    /// Numbers of cosets and their places here, by hash.
    slots: Vec<(u32, u16)>,
    distances: Vec<u8>,
    next: Vec<[u16; MOST_TWISTS]>,
}

impl Near {
    /// For the game's twists.
    pub(super) fn new(game: &RubiksCube) -> Near {
        let (motions, n_twists) = (Motions::new(game), game.twists().len());
        let mut near = Near { slots: vec![(0, FAR); 1 << N_BITS], distances: Vec::new(), next: Vec::new() };
        let solved = Coset::of(&Cubies::of(&Cube::SOLVED));
        let mut cosets = vec![solved];
        near.add(solved, 0);
        let mut at = 0;
        while let Some(&coset) = cosets.get(at) {
            let distance = near.distances[at] + 1;
            let mut next = [FAR; MOST_TWISTS];
            for (twist, next) in next[..n_twists].iter_mut().enumerate() {
                let coset = motions.after(coset, twist);
                *next = near.find(coset).unwrap_or(FAR);
                if *next == FAR && distance <= NEAREST {
                    *next = near.add(coset, distance);
                    cosets.push(coset);
                }
            }
            near.next.push(next);
            at += 1;
        }
        near
    }

    fn add(&mut self, coset: Coset, distance: u8) -> u16 {
        let place = self.distances.len() as u16;
        let slot = self.slot(coset);
        self.slots[slot] = (coset.number(), place);
        self.distances.push(distance);
        place
    }

    /// Where a coset is, or could be.
    #[inline]
    fn slot(&self, coset: Coset) -> usize {
        let number = coset.number();
        let mut slot = (number.wrapping_mul(0x9e37_79b1) >> (32 - N_BITS)) as usize;
        while self.slots[slot].1 != FAR && self.slots[slot].0 != number {
            slot = (slot + 1) % (1 << N_BITS);
        }
        slot
    }

    /// The place of a coset, if it is near.
    #[inline]
    pub(super) fn find(&self, coset: Coset) -> Option<u16> {
        let (_, place) = self.slots[self.slot(coset)];
        (place != FAR).then_some(place)
    }

    /// How far the coset at a place is.
    #[inline]
    pub(super) fn distance(&self, place: u16) -> u8 {
        self.distances.get(usize::from(place)).copied().unwrap_or(NEAREST + 1)
    }

    /// Where each twist leads; what is far has a distance of [`NEAREST`] + 1, and nothing else.
    #[inline]
    pub(super) fn next(&self, place: u16) -> &[u16; MOST_TWISTS] {
        &self.next[usize::from(place)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raichi_core::erased::create;
    use raichi_core::random::{index, stream};

    #[test]
    fn near_cosets_are_as_many_as_published_and_twists_lead_on() {
        let game = *create::<RubiksCube>(Some("size=3")).unwrap().game();
        let near = Near::new(&game);
        for (distance, published) in [1, 4, 50, 592, 7156].into_iter().enumerate() {
            assert_eq!(near.distances.iter().filter(|&&other| usize::from(other) == distance).count(), published);
        }
        let mut rng = stream(1, "test", 0);
        for _ in 0..300 {
            let mut cubies = Cubies::of(&Cube::SOLVED);
            let mut place = near.find(Coset::of(&cubies));
            for n_twists in 0..8 {
                let nth = index(&mut rng, game.twists().len());
                cubies = cubies.then(&Cubies::of_twist(game.twists()[nth]));
                let found = near.find(Coset::of(&cubies));
                assert!(found.is_some() || n_twists >= NEAREST);
                if let Some(place) = place {
                    assert_eq!(near.next(place)[nth], found.unwrap_or(FAR));
                }
                place = found;
            }
        }
    }
}
