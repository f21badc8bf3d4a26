//! The complete graph. Nodes count from 0; edge (a, b) with a < b is number b (b − 1) / 2 + a, so that a smaller graph's
//! edges are the first of a larger one's.

pub(super) const MAX_NODES: usize = 20;
const MAX_EDGES: usize = n_edges(MAX_NODES);

/// A bit an edge.
pub(super) type Edges = [u64; MAX_EDGES.div_ceil(64)];

/// The two nodes of each edge, the smaller one first.
pub(super) const ENDS: [(u8, u8); MAX_EDGES] = ends();

pub(super) const fn n_edges(n_nodes: usize) -> usize {
    n_nodes * (n_nodes - 1) / 2
}

const fn ends() -> [(u8, u8); MAX_EDGES] {
    let mut ends = [(0, 0); MAX_EDGES];
    let (mut edge, mut b) = (0, 1);
    while b < MAX_NODES {
        let mut a = 0;
        while a < b {
            ends[edge] = (a as u8, b as u8);
            edge += 1;
            a += 1;
        }
        b += 1;
    }
    ends
}

/// The number of an edge, its nodes given in any order.
pub(super) fn edge(one: u8, other: u8) -> u8 {
    let (a, b) = (one.min(other), one.max(other));
    (n_edges(b.into()) + usize::from(a)) as u8
}

#[inline]
pub(super) fn contains(edges: &Edges, edge: u8) -> bool {
    edges[usize::from(edge / 64)] >> (edge % 64) & 1 == 1
}

#[inline]
pub(super) fn toggle(edges: &mut Edges, edge: u8) {
    edges[usize::from(edge / 64)] ^= 1 << (edge % 64);
}
