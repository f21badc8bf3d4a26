//! One name for all positions that are the same but for the names of the nodes.
//!
//! Nodes are put in classes by how many edges of each colour they have, and to nodes of which class; of all orders of
//! the nodes that keep to the classes the one with the smallest text of colours counts.

use raichi_games::sim::{Sim, State};

/// How many nodes there can be, so that two bits an edge and the seat to act fit into a word.
pub(super) const MOST_NODES: usize = 8;

/// The smallest text: two bits an edge, and the seat to act above them.
pub(super) fn canonical(game: &Sim, state: &State) -> u64 {
    let n = usize::from(game.n_nodes());
    let colours = colours(game, state);
    let classes = classes(&colours, n);
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by_key(|&node| classes[node]);
    let wanted: Vec<u64> = order.iter().map(|&node| classes[node]).collect();
    let mut search = Search {
        colours: &colours,
        classes: &classes,
        wanted: &wanted,
        chosen: [0; MOST_NODES],
        best: [u16::MAX; MOST_NODES],
    };
    search.extend(0, 0);
    let mut text = state.to_act() as u64;
    for (b, row) in search.best.into_iter().enumerate().take(n) {
        text = text << (2 * b) | u64::from(row);
    }
    text
}

type Colours = [[u8; MOST_NODES]; MOST_NODES];

/// The colour of each edge: 0 for none, else the seat's number and one.
fn colours(game: &Sim, state: &State) -> Colours {
    let mut colours = [[0; MOST_NODES]; MOST_NODES];
    for seat in 0..game.n_seats() {
        for (a, joined) in state.joined(seat).iter().enumerate().take(game.n_nodes().into()) {
            for b in raichi_core::bits::ones([u64::from(*joined)]) {
                colours[a][b as usize] = seat as u8 + 1;
            }
        }
    }
    colours
}

/// For each node a number that does not depend on names.
fn classes(colours: &Colours, n: usize) -> [u64; MOST_NODES] {
    let mut classes = [1; MOST_NODES];
    for _ in 0..3 {
        let mut next = [0; MOST_NODES];
        for (a, next) in next.iter_mut().enumerate().take(n) {
            let sum = (0..n).filter(|&b| b != a).fold(0u64, |sum, b| {
                sum.wrapping_add(raichi_core::random::mix(classes[b] ^ u64::from(colours[a][b]) << 60))
            });
            *next = raichi_core::random::mix(sum ^ classes[a]);
        }
        classes = next;
    }
    classes
}

struct Search<'a> {
    colours: &'a Colours,
    classes: &'a [u64; MOST_NODES],
    /// The class of each place in the order.
    wanted: &'a [u64],
    chosen: [usize; MOST_NODES],
    /// The smallest text so far: for each place the colours of its edges to those before.
    best: [u16; MOST_NODES],
}

impl Search<'_> {
    /// Tries all nodes for a place, where the places before are taken by `used` and their text is the best one's.
    fn extend(&mut self, place: usize, used: u32) {
        let n = self.wanted.len();
        if place == n {
            return;
        }
        for node in 0..n {
            if used >> node & 1 == 1 || self.classes[node] != self.wanted[place] {
                continue;
            }
            let row = (0..place).fold(0, |row, a| row << 2 | u16::from(self.colours[self.chosen[a]][node]));
            if row > self.best[place] {
                continue;
            }
            if row < self.best[place] {
                // What follows is all smaller than before.
                self.best[place] = row;
                self.best[place + 1..].fill(u16::MAX);
            }
            self.chosen[place] = node;
            self.extend(place + 1, used | 1 << node);
        }
    }
}
