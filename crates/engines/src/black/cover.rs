//! Pairs of empty cells, each of which the path cannot leave but through one of the two.
//!
//! A *link* joins two empty cells where a path that leaves the one comes into the other, beside it or through cells
//! marked already. Two cells beside each other make a domino; two that a marked cell's free line joins make what E.
//! R. Berlekamp called a split domino. Marking other cells never breaks a link.
//! - The seat to act wins if links pair off all empty cells without the lower right one: it leads the path along the
//!   link of the cell that it marks. The other seat can then run to the border, into the lower right cell, where the
//!   first seat wins at once, or into some cell whose pair is still empty; and so on until no cell is left.
//! - The seat to act loses if links pair off all empty cells without the lower right one and the one that it has to
//!   mark, by the same strategy of the other seat.
//!
//! The first tile is forced, so nothing is said before it.

use petgraph::algo::maximum_matching;
use petgraph::graph::{NodeIndex, UnGraph};
use raichi_core::game::{Game, Phase};
use raichi_core::seat::Seat;
use raichi_games::black::{Black, State, Tile};

/// Two empty cells; row in the high four bits and column in the low four, from 0 at the top left.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pair {
    /// The cells.
    pub cells: [u8; 2],
    /// The marked cells through which the link goes, in order from the first cell; none where the two lie beside each
    /// other.
    pub through: Vec<u8>,
}

/// A strategy that wins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cover {
    /// Whose.
    pub winner: Seat,
    /// All pairs. Where the winner is to act, the first is that of the cell that it marks.
    pub pairs: Vec<Pair>,
}

/// The dominoes, whole and split, by which a seat wins from here; `None` where the position is not settled by them
/// (or there is nothing more to do).
pub fn cover(game: &Black, state: &State) -> Option<Cover> {
    let Phase::Act(_) = game.phase(state) else { return None };
    let (board, tip) = (Board { game, state }, state.next_cell());
    if state.tile(0).is_none() || tip == board.corner() {
        return None;
    }
    let mut open: Vec<u8> =
        board.cells().filter(|&cell| cell != board.corner() && state.tile(cell).is_none()).collect();
    let acts = open.len().is_multiple_of(2);
    if !acts {
        open.retain(|&cell| cell != tip);
    }
    let mut pairs = board.pair_off(&open)?;
    pairs.sort_by_key(|pair| !pair.cells.contains(&tip));
    let winner = if acts { state.to_act() } else { 1 - state.to_act() };
    Some(Cover { winner, pairs })
}

struct Board<'a> {
    game: &'a Black,
    state: &'a State,
}

impl Board<'_> {
    fn corner(&self) -> u8 {
        let (rows, columns) = self.game.sides();
        (rows - 1) << 4 | (columns - 1)
    }

    fn cells(&self) -> impl Iterator<Item = u8> + use<> {
        let (rows, columns) = self.game.sides();
        (0..rows).flat_map(move |row| (0..columns).map(move |column| row << 4 | column))
    }

    /// The cell beyond a side (left, top, right, bottom).
    fn beyond(&self, cell: u8, side: u8) -> Option<u8> {
        let (rows, columns) = self.game.sides();
        let (row, column) = (cell >> 4, cell & 15);
        match side {
            0 => (column > 0).then(|| cell - 1),
            1 => (row > 0).then(|| cell - 16),
            2 => (column + 1 < columns).then(|| cell + 1),
            _ => (row + 1 < rows).then(|| cell + 16),
        }
    }

    /// The link from a side of an empty cell; `None` where it ends at the border. It never runs in a circle, since it
    /// could be followed back.
    fn link(&self, cell: u8, side: u8) -> Option<Pair> {
        let mut through = Vec::new();
        let (mut at, mut exit) = (cell, side);
        loop {
            at = self.beyond(at, exit)?;
            // It comes in by the opposite side, two further on; a tile's number turns sides into each other.
            exit = match self.state.tile(at) {
                None => return Some(Pair { cells: [cell, at], through }),
                Some(tile) => exit ^ 2 ^ tile_number(tile),
            };
            through.push(at);
        }
    }

    /// All cells in pairs that links join.
    fn pair_off(&self, cells: &[u8]) -> Option<Vec<Pair>> {
        let mut graph: UnGraph<u8, Pair> = UnGraph::with_capacity(cells.len(), 2 * cells.len());
        let mut nodes = [None; 256];
        for &cell in cells {
            nodes[usize::from(cell)] = Some(graph.add_node(cell));
        }
        for (&cell, side) in cells.iter().flat_map(|cell| (0..4).map(move |side| (cell, side))) {
            let Some(link) = self.link(cell, side) else { continue };
            let [one, other] = link.cells;
            // Each link is met from both of its ends.
            if one < other
                && let [Some(one), Some(other)] = [one, other].map(|cell: u8| nodes[usize::from(cell)])
            {
                // A domino is preferred to a longer way between the same cells.
                match graph.find_edge(one, other) {
                    Some(known) if graph[known].through.len() <= link.through.len() => {}
                    Some(known) => graph[known] = link,
                    None => {
                        graph.add_edge(one, other, link);
                    }
                }
            }
        }
        let matching = maximum_matching(&graph);
        if 2 * matching.edges().count() != cells.len() {
            return None;
        }
        let pair = |(one, other): (NodeIndex, NodeIndex)| {
            let edge = graph.find_edge(one, other).expect("what is matched is joined");
            graph[edge].clone()
        };
        Some(matching.edges().map(pair).collect())
    }
}

fn tile_number(tile: Tile) -> u8 {
    tile as u8
}
