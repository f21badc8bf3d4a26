//! Which cells matter: currents through the board as an electrical circuit (C. Shannon's Hex machine; V. V.
//! Anshelevich).
//!
//! For each side its rims are the poles, chains conduct, empty cells resist, and what is joined by a full connection
//! is joined by a wire. Cells through which much current flows for both sides are tried first. This orders actions
//! and decides nothing.

use super::board::Cells;
use super::connections::{Connections, RIMS};

/// Conductance between two neighbouring empty cells, a chain and an empty cell, two chains.
const CONDUCTANCES: [f32; 3] = [0.5, 1.0, 10.0];

/// The room for one circuit.
#[derive(Clone, Debug, Default)]
pub(crate) struct Circuit {
    wires: Vec<f32>,
    matrix: Vec<f32>,
    potentials: Vec<f32>,
}

impl Circuit {
    /// Adds to each cell of `currents` what flows through it.
    pub(crate) fn add_currents(&mut self, connections: &Connections, currents: &mut [f32; 64]) {
        let n = connections.n_points();
        self.wires.clear();
        self.wires.resize(n * n, 0.0);
        for one in 0..n {
            for other in 0..one {
                if connections.are_close(one, other) {
                    let n_chains = [one, other].into_iter().filter(|&point| connections.cell(point).is_none()).count();
                    self.wires[one * n + other] = CONDUCTANCES[n_chains];
                    self.wires[other * n + one] = CONDUCTANCES[n_chains];
                }
            }
        }
        self.solve(n);
        for (one, cell) in (0..n).filter_map(|one| Some((one, connections.cell(one)?))) {
            let flow =
                |other: usize| self.wires[one * n + other] * (self.potentials[one] - self.potentials[other]).abs();
            currents[cell] += (0..n).map(flow).sum::<f32>() / 2.0;
        }
    }

    /// The potentials of all points, 1 at the first rim and 0 at the second, by elimination.
    fn solve(&mut self, n: usize) {
        // The rims are points 0 and 1, whose potentials are given.
        let inner = n - 2;
        self.matrix.clear();
        self.matrix.resize(inner * (inner + 1), 0.0);
        let width = inner + 1;
        for i in 0..inner {
            let wires = &self.wires[(i + 2) * n..(i + 3) * n];
            let row = &mut self.matrix[i * width..(i + 1) * width];
            // A point without wires stays at 0.
            row[i] = 1e-6 + wires.iter().sum::<f32>();
            for j in 0..inner {
                if j != i {
                    row[j] -= wires[j + 2];
                }
            }
            row[inner] = wires[RIMS[0]];
        }
        for i in 0..inner {
            let (above, below) = self.matrix.split_at_mut((i + 1) * width);
            let pivot = &above[i * width..];
            for row in below.chunks_exact_mut(width) {
                let factor = row[i] / pivot[i];
                if factor != 0.0 {
                    for (value, &from) in row[i..].iter_mut().zip(&pivot[i..]) {
                        *value -= factor * from;
                    }
                }
            }
        }
        self.potentials.clear();
        self.potentials.resize(n, 0.0);
        self.potentials[RIMS[0]] = 1.0;
        for i in (0..inner).rev() {
            let row = &self.matrix[i * width..(i + 1) * width];
            let known: f32 = (i + 1..inner).map(|j| row[j] * self.potentials[j + 2]).sum();
            self.potentials[i + 2] = (row[inner] - known) / row[i];
        }
    }
}

/// The cells of `among`, those with the most current first.
pub(crate) fn by_current(among: Cells, currents: &[f32; 64]) -> Box<[u8]> {
    let mut cells: Vec<u8> = super::board::each(among).map(|cell| cell as u8).collect();
    cells.sort_by(|&one, &other| currents[usize::from(other)].total_cmp(&currents[usize::from(one)]));
    cells.into()
}
