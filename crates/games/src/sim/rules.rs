//! State, legal actions, apply, payoffs.

use raichi_core::bits;
use raichi_core::game::{Classes, Facts, Game, Never, Payoffs, Phase};
use raichi_core::information::Information;
use raichi_core::path::NoMemory;
use raichi_core::random::{self, Rng};
use raichi_core::seat::{Seat, SeatSet};
use serde::{Deserialize, Serialize};

use super::board::{ENDS, Edges, MAX_NODES, contains, edge, n_edges, toggle};

const MAX_SEATS: usize = 3;

/// The rules: how large the graph is and who plays.
#[derive(Clone, Copy, Debug)]
pub struct Sim {
    pub(super) n_nodes: u8,
    pub(super) n_seats: u8,
    /// Whether seats 1 and 2 play together against seat 0.
    pub(super) coalition: bool,
}

/// The coloured edges, who has not completed a triangle, and who acts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    /// For each seat and node the nodes to which the seat has joined it.
    pub(super) joined: [[u32; MAX_NODES]; MAX_SEATS],
    /// Kept along: the edges without a colour.
    free: Edges,
    /// Kept along.
    n_free: u8,
    /// Kept along: the seats without a triangle.
    pub(super) still_in: SeatSet,
    pub(super) to_act: u8,
}

impl State {
    /// For each node the nodes to which a seat has joined it.
    #[inline]
    pub fn joined(&self, seat: Seat) -> &[u32; MAX_NODES] {
        &self.joined[seat]
    }

    /// The seats without a triangle.
    #[inline]
    pub fn still_in(&self) -> SeatSet {
        self.still_in
    }

    /// The seat to act.
    #[inline]
    pub fn to_act(&self) -> Seat {
        self.to_act.into()
    }

    /// Who has coloured an edge.
    pub(super) fn colour(&self, edge: u8) -> Option<Seat> {
        let (a, b) = ENDS[usize::from(edge)];
        (0..MAX_SEATS).find(|&seat| self.are_joined(seat, a, b))
    }

    pub(super) fn are_joined(&self, seat: Seat, a: u8, b: u8) -> bool {
        self.joined[seat][usize::from(a)] >> b & 1 == 1
    }

    /// Colours an edge; a seat that completes a triangle by it is out.
    #[inline]
    fn join(&mut self, seat: Seat, edge: u8) {
        let (a, b) = ENDS[usize::from(edge)];
        let joined = &mut self.joined[seat];
        let completes = joined[usize::from(a)] & joined[usize::from(b)] != 0;
        joined[usize::from(a)] |= 1 << b;
        joined[usize::from(b)] |= 1 << a;
        toggle(&mut self.free, edge);
        self.n_free -= 1;
        if completes {
            self.still_in = self.still_in.without(seat);
        }
    }
}

impl Sim {
    /// How many nodes there are.
    pub fn n_nodes(&self) -> u8 {
        self.n_nodes
    }

    /// How many play.
    pub fn n_seats(&self) -> usize {
        self.n_seats.into()
    }

    /// Whether seats 1 and 2 play together against seat 0.
    pub fn is_coalition(&self) -> bool {
        self.coalition
    }

    /// The two nodes of an edge, the smaller one first.
    pub fn ends(edge: u8) -> (u8, u8) {
        ENDS[usize::from(edge)]
    }

    pub(super) fn n_edges(&self) -> u8 {
        n_edges(self.n_nodes.into()) as u8
    }

    /// All coloured edges.
    pub(super) fn coloured(&self, state: &State) -> impl Iterator<Item = (Seat, u8)> {
        (0..self.n_edges()).filter_map(|edge| state.colour(edge).map(|seat| (seat, edge)))
    }

    /// The position with these edges; what else a state keeps follows from them.
    pub(super) fn position(&self, coloured: impl IntoIterator<Item = (Seat, u8)>, to_act: u8) -> State {
        let mut state = self.initial_state();
        for (seat, edge) in coloured {
            state.join(seat, edge);
        }
        State { to_act, ..state }
    }

    // Triangles have decided the game.
    #[inline]
    fn is_decided(&self, state: &State) -> bool {
        state.still_in.len() <= if self.coalition { 2 } else { 1 }
    }

    #[inline]
    fn next_to_act(&self, state: &State, seat: Seat) -> u8 {
        let mut next = seat as u8;
        loop {
            next = if next + 1 == self.n_seats { 0 } else { next + 1 };
            if state.still_in.contains(next.into()) {
                return next;
            }
        }
    }

    // Turns and reflections of the circle on which the nodes are drawn.
    pub(super) fn map_node(&self, symmetry: usize, node: u8) -> u8 {
        let (n, node) = (usize::from(self.n_nodes), usize::from(node));
        ((if symmetry < n { symmetry + node } else { symmetry + n - node }) % n) as u8
    }
}

impl Game for Sim {
    type State = State;
    type Action = u8;
    type Outcome = Never;
    type PathMemory = NoMemory;

    const CLASSES: Classes = Classes::NO_SECRETS;

    fn facts(&self) -> Facts {
        // In larger graphs somebody completes a triangle before all edges are coloured.
        let draws = self.n_nodes < if self.n_seats == 2 { 6 } else { 17 };
        let two = Facts { draws, ..Facts::TWO_SEATS };
        match (self.n_seats, self.coalition) {
            (2, _) => two,
            (_, true) => Facts { n_seats: 3, payoff_sum: None, ..two },
            (_, false) => Facts { n_seats: 3, payoff_sum: Some(1.0), payoff_range: Some((0.0, 1.0)), ..two },
        }
    }

    fn initial_state(&self) -> State {
        let n_free = self.n_edges();
        let mut free = Edges::default();
        for (i, word) in free.iter_mut().enumerate() {
            let n_bits = usize::from(n_free).saturating_sub(64 * i);
            *word = if n_bits >= 64 { u64::MAX } else { (1 << n_bits) - 1 };
        }
        let joined = [[0; MAX_NODES]; MAX_SEATS];
        State { joined, free, n_free, still_in: SeatSet::first_n(self.n_seats.into()), to_act: 0 }
    }

    #[inline]
    fn phase(&self, state: &State) -> Phase {
        if state.n_free == 0 || self.is_decided(state) { Phase::Over } else { Phase::seat(state.to_act.into()) }
    }

    fn legal_actions(&self, state: &State, _seat: Seat, actions: &mut Vec<u8>) {
        actions.extend(bits::ones(state.free).map(|edge| edge as u8));
    }

    #[inline]
    fn apply(&self, state: &mut State, seat: Seat, action: u8) {
        debug_assert!(self.is_legal(state, seat, action), "edge {action} is not free");
        state.join(seat, action);
        state.to_act = self.next_to_act(state, seat);
    }

    fn payoffs(&self, state: &State) -> Payoffs {
        if !self.coalition {
            return Payoffs::ranked(state.still_in, self.n_seats.into());
        }
        match (self.is_decided(state), state.still_in.contains(0)) {
            (false, _) => Payoffs::zero(3),
            (true, true) => Payoffs::new([1.0, -1.0, -1.0]),
            (true, false) => Payoffs::new([-1.0, 1.0, 1.0]),
        }
    }

    fn is_out(&self, state: &State, seat: Seat) -> bool {
        !state.still_in.contains(seat)
    }

    // Triangles come first: the last edge of the graph may decide the game.
    fn end_reason(&self, state: &State) -> &'static str {
        if self.is_decided(state) { "triangle" } else { "full" }
    }

    #[inline]
    fn count_actions(&self, state: &State, _seat: Seat, _scratch: &mut Vec<u8>) -> usize {
        state.n_free.into()
    }

    #[inline]
    fn random_action<R: Rng + ?Sized>(&self, state: &State, _seat: Seat, _scratch: &mut Vec<u8>, rng: &mut R) -> u8 {
        bits::nth_of(state.free, random::index(rng, state.n_free.into()) as u32) as u8
    }

    fn is_legal(&self, state: &State, _seat: Seat, action: u8) -> bool {
        contains(&state.free, action)
    }

    // The edges and who acts are the position.
    fn key(&self, state: &State) -> u64 {
        let nodes = state.joined.iter().flat_map(|joined| joined[..self.n_nodes.into()].chunks(2));
        let pair = |nodes: &[u32]| nodes.iter().fold(0, |pair, &node| pair << 32 | u64::from(node));
        nodes.fold(random::mix(state.to_act.into()), |key, nodes| random::mix(key ^ pair(nodes)))
    }

    fn recomputed(&self, state: &State) -> State {
        self.position(self.coloured(state), state.to_act)
    }

    fn n_symmetries(&self) -> usize {
        2 * usize::from(self.n_nodes)
    }

    fn map_state(&self, symmetry: usize, state: &State) -> State {
        let image = self.coloured(state).map(|(seat, edge)| (seat, self.map_action(symmetry, edge)));
        self.position(image, state.to_act)
    }

    fn map_action(&self, symmetry: usize, action: u8) -> u8 {
        let (a, b) = ENDS[usize::from(action)];
        edge(self.map_node(symmetry, a), self.map_node(symmetry, b))
    }
}

impl Information for Sim {}
