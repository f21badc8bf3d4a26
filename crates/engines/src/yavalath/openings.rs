//! What first stones and the replies to them are worth between two seats, where that is proven; to prove it again takes from seconds to a
//! quarter of an hour.

use raichi_core::game::Game;
use raichi_core::notation::Notation;
use raichi_games::yavalath::{State, Yavalath};

/// A first stone, one for each class under symmetry.
struct Opening {
    stone: &'static str,
    /// What it is worth to its owner without a swap: 1, 0 or −1.
    worth: i8,
    /// The replies that win and those that draw, for who replies; all others lose. `None` where they are not known.
    replies: Option<[&'static str; 2]>,
}

/// By the cells of the board. Found by: `cargo run --profile figures -p raichi-engines --example yavalath_openings -- SIZE`, and
/// `raichi values yavalath:size=3,swap=false STONE`.
/// On the board of 37 cells the values of a2, b2 and c3 are not known, nor which replies win after a1 and b3.
const PROVEN: [(u8, &[Opening]); 2] = [
    (
        19,
        &[
            Opening { stone: "a1", worth: -1, replies: Some(["a2 b1 b4 d1 d4 e2", "a3 b2 c1 c4 c5 d2 d3 e1 e3"]) },
            Opening {
                stone: "a2",
                worth: -1,
                replies: Some(["e2", "a1 a3 b1 b2 b3 b4 c1 c2 c4 c5 d1 d2 d3 d4 e1 e3"]),
            },
            Opening { stone: "b2", worth: -1, replies: Some(["a2 a3 b1 b3 b4 c1 c2 d1 d3 d4 e2 e3", "a1 c5 e1"]) },
            Opening {
                stone: "c3",
                worth: -1,
                replies: Some(["a1 a2 a3 b1 b2 b3 b4 c1 c2 c4 c5 d1 d2 d3 d4 e1 e2 e3", ""]),
            },
        ],
    ),
    (
        37,
        &[
            Opening { stone: "a1", worth: -1, replies: None },
            Opening { stone: "b3", worth: -1, replies: None },
            Opening { stone: "d4", worth: 1, replies: Some(["", ""]) },
        ],
    ),
];

/// What is proven of the positions of at most two stones.
pub(super) struct Openings {
    /// For each cell what a first stone on it is worth to its owner.
    first: Vec<Option<i8>>,
    /// For each first stone and each reply to it what the two are worth to the owner of the first.
    replies: Vec<Vec<Option<i8>>>,
}

impl Openings {
    pub(super) fn of(game: &Yavalath) -> Openings {
        let n = usize::from(game.n_cells());
        let (mut first, mut replies) = (vec![None; n], vec![vec![None; n]; n]);
        let start = game.initial_state();
        let cell = |name: &str| game.parse_action(&start, 0, name).expect("the table names cells of the board");
        let proven =
            PROVEN.iter().filter(|(n_cells, _)| *n_cells == game.n_cells()).flat_map(|(_, openings)| *openings);
        for Opening { stone, worth, replies: known } in proven {
            let stone = cell(stone);
            let mut after = vec![None; n];
            if let Some([wins, draws]) = known {
                after.fill(Some(1));
                for (names, worth) in [(wins, -1), (draws, 0)] {
                    names.split_whitespace().for_each(|name| after[usize::from(cell(name))] = Some(worth));
                }
            }
            for symmetry in 0..game.n_symmetries() {
                let image = |cell| usize::from(game.map_action(symmetry, cell));
                first[image(stone)] = Some(*worth);
                (0..game.n_cells()).for_each(|reply| replies[image(stone)][image(reply)] = after[usize::from(reply)]);
            }
        }
        Openings { first, replies }
    }

    /// What is known of a position to the seat to act: 1, 0 or −1.
    pub(super) fn worth(&self, game: &Yavalath, state: &State) -> Option<i8> {
        let is_free = |cell: u8| state.empty()[usize::from(cell / 64)] >> (cell % 64) & 1 == 1;
        let is_own = |cell: u8| {
            let (line, at) = game.lines_of(cell)[0];
            state.lines(state.to_act())[0][usize::from(line)] >> at & 1 == 1
        };
        let mut stones = (0..game.n_cells()).filter(|&cell| !is_free(cell));
        match (stones.next(), stones.next(), stones.next()) {
            (None, _, _) => self.start(game.swaps()),
            (Some(stone), None, _) if !is_own(stone) => {
                let worth = self.first[usize::from(stone)]?;
                Some(if game.may_swap(state) { worth.abs() } else { -worth })
            }
            (Some(one), Some(other), None) if is_own(one) != is_own(other) => {
                let (first, reply) = if is_own(one) { (one, other) } else { (other, one) };
                self.replies[usize::from(first)][usize::from(reply)]
            }
            _ => None,
        }
    }

    /// What the empty board is worth to the first seat.
    fn start(&self, swaps: bool) -> Option<i8> {
        let all: Option<Vec<i8>> = self.first.iter().copied().collect();
        if swaps {
            // Each stone goes to whom it is worth more.
            return all?.into_iter().map(|worth| -worth.abs()).max();
        }
        if self.first.contains(&Some(1)) { Some(1) } else { all?.into_iter().max() }
    }
}
