//! Which twists may follow which, so that hardly a position is reached in two ways.

use raichi_games::rubiks_cube::RubiksCube;

/// The twists that may come next, by what came last.
///
/// The same face is turned at once, and opposite faces in one order. Where a half turn takes two quarter turns, a face is
/// turned clockwise twice, or once either way.
pub(super) struct Sequences {
    next: Vec<Vec<(u8, u8)>>,
}

/// Before the first twist.
pub(super) const START: u8 = 0;

impl Sequences {
    pub(super) fn new(game: &RubiksCube) -> Sequences {
        let (twists, n) = (game.twists(), game.twists().len());
        let mut next = vec![(0..n).map(|nth| (nth as u8, nth as u8 + 1)).collect::<Vec<_>>()];
        // A twist, then the same twist made for the second time.
        for (last, is_second) in (0..2 * n).map(|state| (state % n, state >= n)) {
            let may_follow = |&nth: &usize| {
                let (last, twist) = (twists[last], twists[nth]);
                let doubles = !game.has_half_turns() && !is_second && last == twist && twist.quarters() == 1;
                let is_other_face = last.face() != twist.face();
                doubles || is_other_face && !(last.face() == twist.face().opposite() && last.face() > twist.face())
            };
            let state = |nth: usize| if nth == last { n + nth + 1 } else { nth + 1 };
            next.push((0..n).filter(may_follow).map(|nth| (nth as u8, state(nth) as u8)).collect());
        }
        Sequences { next }
    }

    /// The numbers of the twists that may follow, and what then came last.
    #[inline]
    pub(super) fn after(&self, last: u8) -> &[(u8, u8)] {
        &self.next[usize::from(last)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raichi_core::erased::create;
    use raichi_games::rubiks_cube::Cube;
    use rustc_hash::FxHashSet;

    #[test]
    fn every_position_near_solved_is_reached() {
        // Numbers of positions by distance: published, and counted again by the rules' tests.
        for (metric, published) in [("htm", [1, 18, 243, 3240]), ("qtm", [1, 12, 114, 1068])] {
            let game = *create::<RubiksCube>(Some(&format!("size=3,metric={metric}"))).unwrap().game();
            let sequences = Sequences::new(&game);
            let (mut seen, mut frontier) = (FxHashSet::from_iter([Cube::SOLVED]), vec![(Cube::SOLVED, START)]);
            for n in published {
                let new: FxHashSet<Cube> = frontier.iter().map(|&(cube, _)| cube).collect();
                let n_new = if n == 1 { 1 } else { new.iter().filter(|&&cube| seen.insert(cube)).count() };
                assert_eq!(n_new, n, "{metric}");
                let twisted = |&(cube, last): &(Cube, u8)| {
                    let after = sequences.after(last).iter();
                    let twisted = after.map(|&(nth, then)| {
                        let mut next = cube;
                        next.twist(game.twists()[usize::from(nth)]);
                        (next, then)
                    });
                    twisted.collect::<Vec<_>>()
                };
                frontier = frontier.iter().flat_map(twisted).collect();
            }
        }
    }
}
