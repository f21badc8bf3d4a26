//! Nodes and edges of a search for one decision, and what is proven of them.
//!
//! A tree knows nothing of games: [`super::search`] walks in it. Where one value tells what all seats get, a node whose outcome is known
//! has a [`Proof`].

use raichi_core::seat::Seat;

use super::units::BySeat;

/// No node, edge or outcome.
pub(super) const NONE: u32 = u32::MAX;
/// The least and the greatest payoff, in units.
pub(super) const LOST: f32 = -1.0;
pub(super) const WON: f32 = 1.0;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// This seat chooses; the edges are its actions.
    Seat(u8),
    /// Outcomes are drawn; those drawn so far are a chain.
    Chance,
    /// After an action of the root: the determinizations that it was tried in, by number, are a chain.
    World,
    /// The game is over.
    Over,
    /// The seat that is to act can end the game at once, with the greatest payoff.
    Won,
}

/// What is proven of a position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Proof {
    /// What each seat gets.
    pub(super) payoffs: BySeat,
    /// What that counts here, discounted once a ply.
    pub(super) worth: BySeat,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) kind: Kind,
    /// The first edge, or the first outcome of the chain.
    pub(super) first: u32,
    pub(super) n_edges: u32,
    pub(super) visits: u32,
    /// The network's values, or the payoffs.
    pub(super) values: BySeat,
    pub(super) exact: Option<Proof>,
    /// Whether the network has looked at it.
    pub(super) is_looked_at: bool,
    /// Whether it was kept from the last decision and no simulation has come here yet.
    pub(super) is_kept: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// The action's number.
    pub(super) action: u32,
    pub(super) logit: f32,
    pub(super) visits: u32,
    /// Of the values for the seat that chooses.
    pub(super) sum: f32,
    pub(super) child: u32,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Drawn {
    /// The outcome's hash, or the determinization's number.
    pub(super) outcome: u64,
    pub(super) child: u32,
    pub(super) next: u32,
}

/// Where a new node is to hang.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    Root,
    Edge(u32),
    Drawn(u32),
}

/// Nodes, the root first, with their edges and the outcomes drawn.
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
    pub(super) edges: Vec<Edge>,
    pub(super) drawn: Vec<Drawn>,
    /// How much of a value is left a ply earlier.
    pub(super) gamma: f32,
}

impl Proof {
    /// Of a game that is over.
    pub(super) fn of(payoffs: BySeat) -> Proof {
        Proof { payoffs, worth: payoffs }
    }

    /// The same a ply earlier.
    pub(super) fn before(self, gamma: f32) -> Proof {
        Proof { worth: self.worth.map(|worth| gamma * worth), ..self }
    }
}

impl Node {
    /// What it is worth, as far as that is known.
    pub(super) fn worth(&self) -> BySeat {
        self.exact.map_or(self.values, |proof| proof.worth)
    }

    /// In which the network has seen a choice of `seat`.
    pub(super) fn looked_at(seat: Seat, values: BySeat) -> Node {
        Node { is_looked_at: true, ..Node::new(Kind::Seat(seat as u8), values) }
    }

    /// What follows from its kind and its payoffs alone.
    pub(super) fn outcome(&self, gamma: f32) -> Option<Proof> {
        match self.kind {
            Kind::Over => Some(Proof::of(self.values)),
            Kind::Won => Some(Proof::of(self.values).before(gamma)),
            _ => None,
        }
    }

    pub(super) fn new(kind: Kind, values: BySeat) -> Node {
        Node { kind, first: NONE, n_edges: 0, visits: 0, values, exact: None, is_looked_at: false, is_kept: false }
    }
}

impl Tree {
    pub(super) fn new(gamma: f32) -> Tree {
        Tree { nodes: Vec::new(), edges: Vec::new(), drawn: Vec::new(), gamma }
    }

    /// What is proven of an action.
    pub(super) fn proof(&self, edge: &Edge) -> Option<Proof> {
        Some(self.nodes.get(edge.child as usize)?.exact?.before(self.gamma))
    }

    /// What an action is worth to the seat that chooses: what is proven, or the mean of its visits, or where it has none `unseen`.
    pub(super) fn value(&self, edge: &Edge, seat: Seat, unseen: f32) -> f32 {
        match self.proof(edge) {
            Some(proof) => proof.worth[seat],
            None if edge.visits > 0 => edge.sum / edge.visits as f32,
            None => unseen,
        }
    }

    /// Whether an action of a node is known to bring the seat that chooses the least payoff.
    pub(super) fn is_lost(&self, node: &Node, edge: &Edge) -> bool {
        let Kind::Seat(seat) = node.kind else { return false };
        self.proof(edge).is_some_and(|proof| proof.payoffs[usize::from(seat)] <= LOST)
    }

    /// Proves what a node is worth, if what is known of its actions is enough for that; returns whether it is.
    pub(super) fn prove(&mut self, node: u32) -> bool {
        let Node { kind: Kind::Seat(seat), first, n_edges, .. } = self.nodes[node as usize] else { return false };
        let seat = usize::from(seat);
        let (mut best, mut all_known) = (None::<Proof>, true);
        for edge in &self.edges[first as usize..(first + n_edges) as usize] {
            let Some(proof) = self.proof(edge) else {
                all_known = false;
                continue;
            };
            // What is far away may be discounted to nothing; what it pays is not.
            let rank = |proof: Proof| (proof.payoffs[seat], proof.worth[seat]);
            if best.is_none_or(|best| rank(proof) > rank(best)) {
                best = Some(proof);
            }
        }
        let proof = best.filter(|best| all_known || best.payoffs[seat] >= WON);
        self.nodes[node as usize].exact = proof;
        proof.is_some()
    }

    /// Puts a node in its place; returns where it is.
    pub(super) fn hang(&mut self, place: Place, node: Node) -> u32 {
        let at = self.nodes.len() as u32;
        self.nodes.push(node);
        match place {
            Place::Root => {}
            Place::Edge(edge) => self.edges[edge as usize].child = at,
            Place::Drawn(drawn) => self.drawn[drawn as usize].child = at,
        }
        at
    }

    /// Becomes what `from` has below a node, without visits and proofs; empty where that is no node that the network has looked at.
    pub(super) fn keep(&mut self, from: &Tree, root: u32) {
        self.nodes.clear();
        self.edges.clear();
        self.drawn.clear();
        let is_looked_at = from.nodes.get(root as usize).is_some_and(|node| node.is_looked_at);
        if !is_looked_at {
            return;
        }
        let mut waiting = vec![(root, Place::Root)];
        while let Some((node, place)) = waiting.pop() {
            let node = from.nodes[node as usize];
            let first = match node.kind {
                Kind::Seat(_) => {
                    self.keep_edges(&from.edges[node.first as usize..][..node.n_edges as usize], &mut waiting)
                }
                Kind::Chance | Kind::World => self.keep_drawn(&from.drawn, node.first, &mut waiting),
                Kind::Over | Kind::Won => NONE,
            };
            let is_kept = matches!(node.kind, Kind::Seat(_)) && !matches!(place, Place::Root);
            self.hang(place, Node { first, visits: 0, exact: None, is_kept, ..node });
        }
    }

    fn keep_edges(&mut self, edges: &[Edge], waiting: &mut Vec<(u32, Place)>) -> u32 {
        let first = self.edges.len() as u32;
        for edge in edges {
            if edge.child != NONE {
                waiting.push((edge.child, Place::Edge(self.edges.len() as u32)));
            }
            self.edges.push(Edge { visits: 0, sum: 0.0, child: NONE, ..*edge });
        }
        first
    }

    fn keep_drawn(&mut self, drawn: &[Drawn], first: u32, waiting: &mut Vec<(u32, Place)>) -> u32 {
        let (mut at, mut chain) = (first, NONE);
        while at != NONE {
            let outcome = drawn[at as usize];
            let new = self.drawn.len() as u32;
            if outcome.child != NONE {
                waiting.push((outcome.child, Place::Drawn(new)));
            }
            self.drawn.push(Drawn { child: NONE, next: chain, ..outcome });
            (at, chain) = (outcome.next, new);
        }
        chain
    }
}
