//! An n-tuple network: the value of a position is the sum of one weight for each placement of a tuple on the board.
//!
//! Sources: Bledsoe and Browning (1959); Lucas (2008) for games; Jaśkowski (2014) for what sharing weights does. A tuple
//! of points has a table with a weight for every combination of their ranks. Each symmetry of the game places the tuple
//! elsewhere, with the same table. There are several sets of tables where weights differ by seat, by who is to act or by
//! how full the board is.
//!
//! [`Network::plain_sum`] is the definition; [`super::sight`] does the same from what has changed since the last position,
//! and is tested against it.

use super::inputs::{Inputs, Point};
use super::weights::Weights;
use crate::file::{MOST_BYTES, MOST_MANIFEST_BYTES};

/// The most weights a network may have: an agent's file holds so many.
pub const MOST_WEIGHTS: usize = (MOST_BYTES - 2 * MOST_MANIFEST_BYTES) / size_of::<f32>();

/// Up to so many placements a network is small: it costs less to work out all indices than to tell which change.
const SMALL: usize = 64;

/// What decides which set of tables is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sets {
    /// Seats with weights of their own; 1 where they share.
    pub n_seats: usize,
    /// Kinds of positions by who is to act, or actions where their values are learned.
    pub n_kinds: usize,
    /// Bands by how many points are filled.
    pub n_phases: usize,
}

impl Sets {
    /// How many sets there are.
    pub fn n(&self) -> usize {
        self.n_seats * self.n_kinds * self.n_phases
    }
}

/// One point's part in the placements that look at it.
struct Users {
    /// Of small networks: for each rank, what it adds to the index of every placement, rank after rank.
    rows: Vec<u32>,
    /// The placements.
    placements: Vec<u32>,
    /// For each rank, what it adds to the index of each of `placements`, rank after rank.
    parts: Vec<u32>,
}

/// The network.
pub struct Network {
    inputs: Inputs,
    tuples: Vec<Vec<u16>>,
    sets: Sets,
    users: Vec<Users>,
    /// For each entry of an observation the points whose rank may change with it.
    dependents: Vec<Vec<u16>>,
    /// Where the table of each placement begins in a set.
    starts: Vec<u32>,
    set_len: usize,
    weights: Weights,
    n_symmetries: usize,
    /// The first entry, and the greatest rank, where the points are entries one after the other whose value is their rank.
    plain: Option<(usize, i32)>,
}

impl Network {
    /// A network of these tuples whose weights are all 0. At most `most_symmetries` symmetries share them.
    ///
    /// # Errors
    /// A sentence, where it would have too many weights.
    pub fn new(
        inputs: Inputs,
        tuples: Vec<Vec<u16>>,
        sets: Sets,
        most_symmetries: usize,
        coherent: bool,
    ) -> Result<Network, String> {
        let too_large = |n: f64| {
            format!("the network would have {n:.0} weights, and may have {MOST_WEIGHTS}; take fewer or shorter tuples")
        };
        let n_combinations = |tuple: &Vec<u16>| {
            tuple.iter().map(|&point| inputs.points[usize::from(point)].n_ranks() as f64).product::<f64>()
        };
        let n_weights = tuples.iter().map(n_combinations).sum::<f64>() * sets.n() as f64;
        if n_weights > MOST_WEIGHTS as f64 {
            return Err(too_large(n_weights));
        }
        let n_symmetries = inputs.symmetries.len().clamp(1, most_symmetries);
        let placed = place(&inputs, &tuples, n_symmetries);
        let set_len: usize = tuples.iter().map(|tuple| n_combinations(tuple) as usize).sum();
        let weights = Weights::new(set_len * sets.n(), coherent).ok_or_else(|| too_large(n_weights))?;
        let mut dependents = vec![Vec::new(); inputs.observation_len];
        for (i, point) in inputs.points.iter().enumerate() {
            point.entries().for_each(|entry| dependents[entry].push(i as u16));
            if let Some(below) = point.below {
                dependents[below as usize].push(i as u16);
            }
        }
        let (users, starts) = placed;
        let plain = plain(&inputs.points);
        Ok(Network { inputs, tuples, sets, users, dependents, starts, set_len, weights, n_symmetries, plain })
    }

    /// A network with the same tables, whose weights are all 0.
    pub(super) fn empty_copy(&self) -> Result<Network, String> {
        Network::new(self.inputs.clone(), self.tuples.clone(), self.sets, self.n_symmetries, false)
    }

    /// The points.
    pub fn points(&self) -> &[Point] {
        &self.inputs.points
    }

    /// The tuples, as lists of points.
    pub fn tuples(&self) -> &[Vec<u16>] {
        &self.tuples
    }

    /// How many symmetries share weights.
    pub fn n_symmetries(&self) -> usize {
        self.n_symmetries
    }

    /// What decides which set of tables is used.
    pub fn sets(&self) -> Sets {
        self.sets
    }

    /// The weights, set after set, tuple after tuple; of a tuple the first point's rank counts least.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// The weights of each tuple in each set, in order.
    pub fn tables(&self) -> Vec<std::ops::Range<usize>> {
        let size = |tuple: &Vec<u16>| {
            tuple.iter().map(|&point| self.inputs.points[usize::from(point)].n_ranks()).product::<usize>()
        };
        let sizes = (0..self.sets.n()).flat_map(|_| self.tuples.iter().map(size));
        sizes
            .scan(0, |end, size| {
                *end += size;
                Some(*end - size..*end)
            })
            .collect()
    }

    /// How many weights are summed for a value.
    pub fn n_placements(&self) -> usize {
        self.starts.len()
    }

    /// How long an observation is.
    pub fn observation_len(&self) -> usize {
        self.inputs.observation_len
    }

    /// Where the set begins that is used for a seat, a kind of position, and so many filled points.
    #[inline]
    pub fn first_weight(&self, seat: usize, kind: usize, n_filled: u32) -> usize {
        let Sets { n_seats, n_kinds, n_phases } = self.sets;
        let phase = n_filled as usize * n_phases / (self.inputs.points.len() + 1);
        let seat = if n_seats == 1 { 0 } else { seat };
        ((seat * n_kinds + kind) * n_phases + phase) * self.set_len
    }

    /// The sum of weights of an observation, worked out the plain way.
    pub fn plain_sum(&self, observation: &[i32], seat: usize, kind: usize) -> f32 {
        let (indices, n_filled) = self.indices(observation);
        self.weights.sum(self.first_weight(seat, kind, n_filled), &indices)
    }

    /// The index of each placement within a set, and how many points are filled.
    pub(crate) fn indices(&self, observation: &[i32]) -> (Vec<u32>, u32) {
        let mut indices = self.starts.clone();
        let mut n_filled = 0;
        for (i, point) in self.inputs.points.iter().enumerate() {
            let rank = point.rank(observation);
            n_filled += u32::from(point.is_filled(rank));
            let (placements, parts) = self.part(i, rank);
            for (&placement, &part) in placements.iter().zip(parts) {
                indices[placement as usize] += part;
            }
        }
        (indices, n_filled)
    }

    /// The placements that look at a point, and what its rank adds to the index of each.
    #[inline]
    pub(crate) fn part(&self, point: usize, rank: u8) -> (&[u32], &[u32]) {
        let users = &self.users[point];
        let n = users.placements.len();
        (&users.placements, &users.parts[usize::from(rank) * n..][..n])
    }

    /// The ranks of all points; returns how many are filled.
    #[inline]
    pub(crate) fn rank(&self, observation: &[i32], ranks: &mut [u8]) -> u32 {
        let mut n_filled = 0;
        if let Some((first, greatest)) = self.plain {
            for (rank, &value) in ranks.iter_mut().zip(&observation[first..]) {
                *rank = value.clamp(0, greatest) as u8;
                n_filled += u32::from(*rank != 0);
            }
            return n_filled;
        }
        for (rank, point) in ranks.iter_mut().zip(&self.inputs.points) {
            *rank = point.rank(observation);
            n_filled += u32::from(point.is_filled(*rank));
        }
        n_filled
    }

    /// Whether there are so few placements that all their indices are worked out at once.
    #[inline]
    pub(crate) fn is_small(&self) -> bool {
        self.starts.len() <= SMALL
    }

    /// Whether it is small and most of its indices change at each ply: all are worked out at once, then.
    #[inline]
    pub(crate) fn is_worked_out_afresh(&self) -> bool {
        self.is_small() && self.inputs.many_change
    }

    /// Of a small network: the index of each placement within a set, by the ranks of all points.
    #[inline]
    pub(crate) fn indices_at_once(&self, ranks: &[u8], indices: &mut [u32]) {
        // So many sums stay in registers.
        const AT_ONCE: usize = 16;
        let mut at = 0;
        while at + AT_ONCE <= indices.len() {
            let mut sums: [u32; AT_ONCE] = std::array::from_fn(|i| self.starts[at + i]);
            for (point, &rank) in ranks.iter().enumerate() {
                let parts = &self.row(point, rank)[at..at + AT_ONCE];
                sums.iter_mut().zip(parts).for_each(|(sum, part)| *sum += part);
            }
            indices[at..at + AT_ONCE].copy_from_slice(&sums);
            at += AT_ONCE;
        }
        for at in at..indices.len() {
            let parts = ranks.iter().enumerate().map(|(point, &rank)| self.row(point, rank)[at]);
            indices[at] = self.starts[at] + parts.sum::<u32>();
        }
    }

    /// Of a small network: what a point's rank adds to the index of every placement.
    #[inline]
    pub(crate) fn row(&self, point: usize, rank: u8) -> &[u32] {
        let n = self.starts.len();
        &self.users[point].rows[usize::from(rank) * n..][..n]
    }

    /// The points whose rank may change with an entry.
    #[inline]
    pub(crate) fn dependents(&self, entry: usize) -> &[u16] {
        &self.dependents[entry]
    }
}

/// See [`Network::plain`].
fn plain(points: &[Point]) -> Option<(usize, i32)> {
    let first = points.first()?;
    let is_plain = |(i, point): (usize, &Point)| {
        let alike = point.entry as usize == first.entry as usize + i && point.n_values == first.n_values;
        alike && point.min == 0 && !point.split && point.joined.is_none()
    };
    let greatest = i32::from(first.n_values) - 1;
    points.iter().enumerate().all(is_plain).then_some((first.entry as usize, greatest))
}

/// Places every tuple by every symmetry; the users of each point, and where the table of each placement begins.
fn place(inputs: &Inputs, tuples: &[Vec<u16>], n_symmetries: usize) -> (Vec<Users>, Vec<u32>) {
    let mut users: Vec<Users> =
        inputs.points.iter().map(|_| Users { rows: Vec::new(), placements: Vec::new(), parts: Vec::new() }).collect();
    // For each point the parts by placement and rank, before they are laid out rank after rank.
    let mut rows: Vec<Vec<Vec<u32>>> = vec![Vec::new(); inputs.points.len()];
    let (mut starts, mut start) = (Vec::new(), 0);
    let step = inputs.symmetries.len().div_ceil(n_symmetries).max(1);
    for tuple in tuples {
        let sizes: Vec<u32> = tuple.iter().map(|&point| inputs.points[usize::from(point)].n_ranks() as u32).collect();
        let strides: Vec<u32> =
            sizes.iter().scan(1, |stride, size| Some(std::mem::replace(stride, *stride * size))).collect();
        let mut seen: Vec<Vec<(u16, Vec<u32>)>> = Vec::new();
        for symmetry in inputs.symmetries.iter().step_by(step) {
            let mut looks: Vec<(u16, Vec<u32>)> = Vec::new();
            for (from, &to) in symmetry.to.iter().enumerate() {
                if let Some(k) = tuple.iter().position(|&point| point == to) {
                    let parts = symmetry.ranks[from].iter().map(|&rank| strides[k] * u32::from(rank)).collect();
                    looks.push((from as u16, parts));
                }
            }
            // Two symmetries may place a tuple on the same points in the same way.
            if seen.contains(&looks) {
                continue;
            }
            for (point, parts) in &looks {
                users[usize::from(*point)].placements.push(starts.len() as u32);
                rows[usize::from(*point)].push(parts.clone());
            }
            seen.push(looks);
            starts.push(start);
        }
        start += sizes.iter().product::<u32>();
    }
    for (point, rows) in rows.iter().enumerate() {
        let n_ranks = inputs.points[point].n_ranks();
        let user = &mut users[point];
        user.parts = (0..n_ranks).flat_map(|rank| rows.iter().map(move |parts| parts[rank])).collect();
        if starts.len() <= SMALL {
            user.rows = vec![0; n_ranks * starts.len()];
            for (&placement, parts) in user.placements.iter().zip(rows) {
                for (rank, &part) in parts.iter().enumerate() {
                    user.rows[rank * starts.len() + placement as usize] = part;
                }
            }
        }
    }
    (users, starts)
}
