//! The position as numbers: the edges in a grid of nodes × nodes, each in both of its places; who is to act; and in a
//! coalition who plays together with the seat that looks. An action is its edge.

use raichi_core::bits;
use raichi_core::encoding::{Block, Encoding, Layout, relative_seat, seat_names};
use raichi_core::seat::Seat;

use super::rules::{Sim, State};

impl Encoding for Sim {
    fn layout(&self) -> Layout {
        let (n_nodes, n_seats) = (self.n_nodes.into(), self.n_seats.into());
        let mut edges = seat_names("no colour yet", n_seats);
        edges.push("no edge".into());
        let nodes = 1..=self.n_nodes;
        let edges = Block::grid("edges", n_nodes, n_nodes, &edges).headed(nodes.clone(), nodes);
        let mut blocks = vec![edges, Block::to_act(n_seats)];
        if self.coalition {
            blocks.push(Block::named("partner", 1, &["nobody", "the next seat", "the seat 2 places on"]));
        }
        Layout::new(blocks)
    }

    fn observe(&self, state: &State, seat: Seat, observation: &mut [i32]) {
        let (n_nodes, n_seats) = (usize::from(self.n_nodes), usize::from(self.n_seats));
        let (grid, rest) = observation.split_at_mut(n_nodes * n_nodes);
        for (node, entries) in grid.chunks_exact_mut(n_nodes).enumerate() {
            entries.fill(0);
            entries[node] = n_seats as i32 + 1;
            for (other, joined) in state.joined[..n_seats].iter().enumerate() {
                let value = relative_seat(seat, other, n_seats);
                bits::ones([joined[node].into()]).for_each(|to| entries[to as usize] = value);
            }
        }
        rest[0] = relative_seat(seat, state.to_act.into(), n_seats);
        if self.coalition {
            // Seat 1's partner is the next seat, and seat 2's the one before, which is two places on.
            rest[1] = seat as i32;
        }
    }

    fn n_actions(&self) -> u64 {
        self.n_edges().into()
    }

    fn action_number(&self, action: u8) -> u64 {
        action.into()
    }

    fn numbered_action(&self, number: u64) -> Option<u8> {
        (number < self.n_actions()).then_some(number as u8)
    }

    fn map_observation(&self, symmetry: usize, observation: &[i32], image: &mut [i32]) {
        image.copy_from_slice(observation);
        let at = |a: u8, b: u8| usize::from(a) * usize::from(self.n_nodes) + usize::from(b);
        for (a, b) in (0..self.n_nodes).flat_map(|a| (0..self.n_nodes).map(move |b| (a, b))) {
            image[at(self.map_node(symmetry, a), self.map_node(symmetry, b))] = observation[at(a, b)];
        }
    }
}
