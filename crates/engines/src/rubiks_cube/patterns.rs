//! Pattern databases: how many twists some of the cubies need at least to come home.

use std::sync::{Arc, OnceLock};

use raichi_games::rubiks_cube::{Cube, RubiksCube};

/// Corner slots times turns, or edge slots times turns: where a cubie is and how it is turned.
const N_PLACES: usize = 24;

/// Where all cubies are: corner `i` at slot × 3 + turn, edge `i` at slot × 2 + turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Pieces {
    corners: [u8; 8],
    edges: [u8; 12],
}

/// What a twist does to a cubie at each place.
struct Motion {
    corners: [u8; N_PLACES],
    edges: [u8; N_PLACES],
}

/// Which cubies a table is of.
#[derive(Clone, Copy)]
enum Set {
    Corners { first: usize, n: usize, n_slots: usize },
    Edges { first: usize, n: usize },
}

/// The twists that the cubies of a set need at least, by their places.
struct Table {
    set: Set,
    distances: Vec<u8>,
}

/// All tables of a size and metric.
pub(super) struct Patterns {
    motions: Vec<Motion>,
    tables: Vec<Table>,
    has_edges: bool,
}

const UNKNOWN: u8 = u8::MAX;

impl Patterns {
    /// The tables for this game, built once in a process.
    pub(super) fn of(game: &RubiksCube) -> Arc<Patterns> {
        static BUILT: [OnceLock<Arc<Patterns>>; 4] = [const { OnceLock::new() }; 4];
        let which = usize::from(game.size() == 3) * 2 + usize::from(game.has_half_turns());
        Arc::clone(BUILT[which].get_or_init(|| Arc::new(Patterns::build(game))))
    }

    fn build(game: &RubiksCube) -> Patterns {
        let motions = game.twists().iter().map(|&twist| {
            let mut cube = Cube::SOLVED;
            cube.twist(twist);
            Motion::of(&cube)
        });
        let motions: Vec<Motion> = motions.collect();
        let has_edges = game.size() == 3;
        // Where one corner never moves, the places of six of the others tell that of the seventh.
        let sets = if has_edges {
            vec![
                Set::Edges { first: 0, n: 4 },
                Set::Edges { first: 4, n: 4 },
                Set::Edges { first: 8, n: 4 },
                Set::Corners { first: 0, n: 4, n_slots: 8 },
                Set::Corners { first: 4, n: 4, n_slots: 8 },
            ]
        } else {
            vec![Set::Corners { first: 0, n: 6, n_slots: 7 }]
        };
        let tables = sets.into_iter().map(|set| Table::build(set, &motions)).collect();
        Patterns { motions, tables, has_edges }
    }

    pub(super) fn pieces(&self, cube: &Cube) -> Pieces {
        let mut pieces = Pieces { corners: [0; 8], edges: [0; 12] };
        for slot in 0..8 {
            let cubie = cube.corner(slot);
            pieces.corners[cubie.number] = (slot * 3 + cubie.turn) as u8;
        }
        for slot in 0..12 {
            let cubie = cube.edge(slot);
            pieces.edges[cubie.number] = (slot * 2 + cubie.turn) as u8;
        }
        pieces
    }

    /// After the twist of this number.
    #[inline]
    pub(super) fn twisted(&self, pieces: &Pieces, nth: usize) -> Pieces {
        let motion = &self.motions[nth];
        let corners = pieces.corners.map(|place| motion.corners[usize::from(place)]);
        let edges =
            if self.has_edges { pieces.edges.map(|place| motion.edges[usize::from(place)]) } else { pieces.edges };
        Pieces { corners, edges }
    }

    /// No fewer twists solve the cube; 0 says that it is solved.
    #[inline]
    pub(super) fn distance(&self, pieces: &Pieces) -> u32 {
        self.tables.iter().map(|table| table.distance(pieces)).max().unwrap_or(0)
    }

    /// The distances of all tables together.
    pub(super) fn sum(&self, pieces: &Pieces) -> u32 {
        self.tables.iter().map(|table| table.distance(pieces)).sum()
    }

    #[cfg(test)]
    pub(super) fn distances(&self) -> impl Iterator<Item = &[u8]> {
        self.tables.iter().map(|table| &table.distances[..])
    }
}

impl Motion {
    /// The one that makes this of a solved cube.
    fn of(cube: &Cube) -> Motion {
        let mut motion = Motion { corners: [0; N_PLACES], edges: [0; N_PLACES] };
        for slot in 0..8 {
            let cubie = cube.corner(slot);
            for turn in 0..3 {
                motion.corners[cubie.number * 3 + turn] = (slot * 3 + (turn + cubie.turn) % 3) as u8;
            }
        }
        for slot in 0..12 {
            let cubie = cube.edge(slot);
            for turn in 0..2 {
                motion.edges[cubie.number * 2 + turn] = (slot * 2 + (turn + cubie.turn) % 2) as u8;
            }
        }
        motion
    }
}

impl Table {
    /// Breadth first from home.
    fn build(set: Set, motions: &[Motion]) -> Table {
        let (n, n_slots, n_turns) = match set {
            Set::Corners { n, n_slots, .. } => (n, n_slots, 3),
            Set::Edges { n, .. } => (n, 12, 2usize),
        };
        let n_entries = (0..n).map(|i| n_slots - i).product::<usize>() * n_turns.pow(n as u32);
        let mut table = Table { set, distances: vec![UNKNOWN; n_entries] };
        let home = match set {
            Set::Corners { first, .. } => places((first..first + n).map(|slot| slot * 3)),
            Set::Edges { first, .. } => places((first..first + n).map(|slot| slot * 2)),
        };
        let start = table.index(&home[..n]);
        table.distances[start] = 0;
        let (mut frontier, mut depth) = (vec![home], 0);
        while !frontier.is_empty() {
            depth += 1;
            let mut next = Vec::new();
            for places in &frontier {
                for motion in motions {
                    let of = if matches!(set, Set::Corners { .. }) { &motion.corners } else { &motion.edges };
                    let mut moved = *places;
                    moved[..n].iter_mut().for_each(|place| *place = of[usize::from(*place)]);
                    let index = table.index(&moved[..n]);
                    if table.distances[index] == UNKNOWN {
                        table.distances[index] = depth;
                        next.push(moved);
                    }
                }
            }
            frontier = next;
        }
        table
    }

    #[inline]
    fn distance(&self, pieces: &Pieces) -> u32 {
        let places = match self.set {
            Set::Corners { first, n, .. } => &pieces.corners[first..first + n],
            Set::Edges { first, n } => &pieces.edges[first..first + n],
        };
        self.distances[self.index(places)].into()
    }

    /// The number of these places: the slots as a partial permutation, then the turns.
    #[inline]
    fn index(&self, places: &[u8]) -> usize {
        let (n_slots, n_turns) = match self.set {
            Set::Corners { n_slots, .. } => (n_slots, 3),
            Set::Edges { .. } => (12, 2),
        };
        let (mut slots, mut turns, mut taken) = (0, 0, 0u32);
        for (nth, &place) in places.iter().enumerate() {
            let (slot, turn) = (usize::from(place) / n_turns, usize::from(place) % n_turns);
            // Slots are counted among those that no earlier cubie has.
            let before = (taken & ((1 << slot) - 1)).count_ones() as usize;
            slots = slots * (n_slots - nth) + slot - before;
            turns = turns * n_turns + turn;
            taken |= 1 << slot;
        }
        slots * n_turns.pow(places.len() as u32) + turns
    }
}

fn places(places: impl Iterator<Item = usize>) -> [u8; 6] {
    let mut home = [0; 6];
    home.iter_mut().zip(places).for_each(|(home, place)| *home = place as u8);
    home
}

#[cfg(test)]
mod tests {
    use super::*;
    use raichi_core::erased::create;

    #[test]
    fn positions_of_size_2_by_distance_are_as_many_as_published() {
        for (metric, published) in [
            ("htm", &[1, 9, 54, 321, 1847, 9992, 50136, 227_536, 870_072, 1_887_748, 623_800, 2644][..]),
            (
                "qtm",
                &[1, 6, 27, 120, 534, 2256, 8969, 33058, 114_149, 360_508, 930_588, 1_350_852, 782_536, 90_280, 276],
            ),
        ] {
            let game = create::<RubiksCube>(Some(&format!("size=2,metric={metric}"))).unwrap();
            let patterns = Patterns::of(game.game());
            let distances = patterns.distances().next().unwrap();
            let mut counts = vec![0; published.len()];
            distances.iter().for_each(|&distance| counts[usize::from(distance)] += 1);
            assert_eq!(counts, published, "{metric}");
        }
    }

    #[test]
    fn tables_never_say_more_than_the_twists_made() {
        for metric in ["htm", "qtm"] {
            let game = create::<RubiksCube>(Some(&format!("size=3,metric={metric}"))).unwrap();
            let patterns = Patterns::of(game.game());
            assert!(patterns.distances().all(|table| !table.contains(&UNKNOWN)));
            let mut rng = raichi_core::random::stream(1, "test", 0);
            for _ in 0..50 {
                let mut cube = Cube::SOLVED;
                for n_twists in 0..8 {
                    let pieces = patterns.pieces(&cube);
                    assert!(patterns.distance(&pieces) <= n_twists);
                    assert_eq!(patterns.distance(&pieces) == 0, cube == Cube::SOLVED);
                    let nth = raichi_core::random::index(&mut rng, game.twists().len());
                    cube.twist(game.twists()[nth]);
                    assert_eq!(patterns.twisted(&pieces, nth), patterns.pieces(&cube));
                }
            }
        }
    }
}
