//! One layer: every cell reads itself, or itself and its eight neighbours, and becomes `to` new numbers.
//!
//! A layer over one cell is an ordinary one. A convolution gathers the neighbourhood of each cell into a row, a few positions
//! at a time so that the rows stay in the cache, and multiplies by the weights; off the grid there are zeros.

use std::ops::Range;

use super::number::{Matrix, Number};

/// Rows that are multiplied at once, about.
const ROWS_AT_ONCE: usize = 160;

/// Where a layer's weights lie, and what it reads.
#[derive(Clone, PartialEq, Debug)]
pub struct Layer {
    /// Its name in a file.
    pub name: String,
    /// Numbers that each cell has before it.
    pub from: usize,
    /// Numbers that each cell has after it.
    pub to: usize,
    /// Rows and columns of the grid where it reads neighbours too.
    pub grid: Option<(usize, usize)>,
    /// Its weights among the network's, by neighbour, then by what is read, then by what comes of it.
    pub weights: Range<usize>,
    /// Its biases, one for each number after it.
    pub biases: Range<usize>,
}

/// Memory that layers share.
#[derive(Clone, Debug, Default)]
pub struct Scratch<T> {
    gathered: Vec<T>,
    spread: Vec<T>,
    transposed: Vec<T>,
}

impl Layer {
    /// A layer whose weights lie from `first` on.
    pub(super) fn new(name: &str, from: usize, to: usize, grid: Option<(usize, usize)>, first: usize) -> Layer {
        let n_weights = from * to * if grid.is_some() { 9 } else { 1 };
        let weights = first..first + n_weights;
        Layer { name: name.into(), from, to, grid, biases: weights.end..weights.end + to, weights }
    }

    /// How many numbers each new number is a sum of.
    pub(super) fn inner(&self) -> usize {
        self.weights.len() / self.to.max(1)
    }

    /// Rows that are worked on at once: whole positions.
    fn at_once(&self) -> usize {
        let cells = self.grid.map_or(1, |(rows, columns)| rows * columns);
        cells * (ROWS_AT_ONCE / cells).max(1)
    }

    /// What comes of `input`, which has `from` numbers a row, into `output`, which gets `to` numbers a row.
    pub fn forward<T: Number>(&self, weights: &[T], input: &[T], output: &mut Vec<T>, scratch: &mut Scratch<T>) {
        let rows = input.len() / self.from;
        let (biases, weights) = (&weights[self.biases.clone()], &weights[self.weights.clone()]);
        output.clear();
        (0..rows).for_each(|_| output.extend_from_slice(biases));
        let at_once = self.at_once();
        for first in (0..rows).step_by(at_once) {
            let n = at_once.min(rows - first);
            let input = &input[first * self.from..(first + n) * self.from];
            let output = &mut output[first * self.to..(first + n) * self.to];
            let gathered = self.gather(input, &mut scratch.gathered);
            T::multiply_add(Matrix::Plain(gathered), weights, output, n, self.inner(), self.to);
        }
    }

    /// Adds what the weights' share in the error is to `gradients`, and where it is wanted puts that of the input into
    /// `to_input`. `errors` are those of the output.
    pub fn backward<T: Number>(
        &self,
        weights: &[T],
        input: &[T],
        errors: &[T],
        gradients: &mut [T],
        mut to_input: Option<&mut Vec<T>>,
        scratch: &mut Scratch<T>,
    ) {
        let rows = input.len() / self.from;
        for row in errors.chunks_exact(self.to) {
            gradients[self.biases.clone()].iter_mut().zip(row).for_each(|(sum, &error)| *sum += error);
        }
        if let Some(to_input) = to_input.as_deref_mut() {
            to_input.clear();
            to_input.resize(input.len(), T::ZERO);
            transpose(&weights[self.weights.clone()], self.to, &mut scratch.transposed);
        }
        let at_once = self.at_once();
        for first in (0..rows).step_by(at_once) {
            let n = at_once.min(rows - first);
            let errors = &errors[first * self.to..(first + n) * self.to];
            let here = first * self.from..(first + n) * self.from;
            let gathered = self.gather(&input[here.clone()], &mut scratch.gathered);
            let own = &mut gradients[self.weights.clone()];
            T::multiply_add(Matrix::Transposed(gathered), errors, own, self.inner(), n, self.to);
            if let Some(to_input) = to_input.as_deref_mut() {
                scratch.spread.clear();
                scratch.spread.resize(n * self.inner(), T::ZERO);
                let (transposed, spread) = (&scratch.transposed, &mut scratch.spread);
                T::multiply_add(Matrix::Plain(errors), transposed, spread, n, self.to, self.inner());
                self.spread(spread, &mut to_input[here]);
            }
        }
    }

    /// The neighbourhood of each cell as a row.
    fn gather<'a, T: Number>(&self, input: &'a [T], gathered: &'a mut Vec<T>) -> &'a [T] {
        let Some(grid) = self.grid else { return input };
        gathered.clear();
        gathered.resize(input.len() * 9, T::ZERO);
        let from = self.from;
        self.neighbours(grid, input.len() / from, |row, neighbour, other| {
            let to = row * 9 * from + neighbour * from;
            gathered[to..to + from].copy_from_slice(&input[other * from..(other + 1) * from]);
        });
        gathered
    }

    /// The same of bytes, with rows of `row_len`, zeros at their ends.
    pub(super) fn gather_bytes(&self, input: &[u8], row_len: usize, gathered: &mut Vec<u8>) {
        let from = self.from;
        gathered.clear();
        gathered.resize(input.len() / from * row_len, 0);
        let Some(grid) = self.grid else {
            let rows = gathered.chunks_exact_mut(row_len).zip(input.chunks_exact(from));
            return rows.for_each(|(row, input)| row[..from].copy_from_slice(input));
        };
        self.neighbours(grid, input.len() / from, |row, neighbour, other| {
            let to = row * row_len + neighbour * from;
            gathered[to..to + from].copy_from_slice(&input[other * from..(other + 1) * from]);
        });
    }

    /// Adds what lies in the neighbourhoods to the cells that it came from.
    fn spread<T: Number>(&self, spread: &[T], input: &mut [T]) {
        let from = self.from;
        let Some(grid) = self.grid else { return input.copy_from_slice(spread) };
        self.neighbours(grid, input.len() / from, |row, neighbour, other| {
            let here = row * 9 * from + neighbour * from;
            let cell = &mut input[other * from..(other + 1) * from];
            cell.iter_mut().zip(&spread[here..here + from]).for_each(|(sum, &more)| *sum += more);
        });
    }

    /// Each cell with each of its neighbours that is on the grid: the cell's row, the neighbour's number, its row.
    fn neighbours(&self, (rows, columns): (usize, usize), n: usize, mut each: impl FnMut(usize, usize, usize)) {
        for position in (0..n).step_by(rows * columns) {
            for row in 0..rows {
                for column in 0..columns {
                    let cell = position + row * columns + column;
                    for down in 0..3 {
                        // One is taken off, so that the numbers stay positive.
                        let Some(other_row) = (row + down).checked_sub(1).filter(|&row| row < rows) else { continue };
                        for right in 0..3 {
                            let other = (column + right).checked_sub(1).filter(|&column| column < columns);
                            let Some(other_column) = other else { continue };
                            each(cell, 3 * down + right, position + other_row * columns + other_column);
                        }
                    }
                }
            }
        }
    }
}

/// A matrix that lies row by row, `columns` each, the other way.
fn transpose<T: Number>(matrix: &[T], columns: usize, transposed: &mut Vec<T>) {
    transposed.clear();
    transposed.extend((0..columns).flat_map(|column| matrix.iter().skip(column).step_by(columns)));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A convolution by its definition.
    fn plain(layer: &Layer, (rows, columns): (usize, usize), weights: &[f64], input: &[f64]) -> Vec<f64> {
        let at = |row: i64, column: i64, channel: usize| {
            let is_there = (0..rows as i64).contains(&row) && (0..columns as i64).contains(&column);
            if is_there { input[(row as usize * columns + column as usize) * layer.from + channel] } else { 0.0 }
        };
        let mut output = Vec::new();
        for row in 0..rows as i64 {
            for column in 0..columns as i64 {
                for to in 0..layer.to {
                    let mut sum = weights[layer.biases.start + to];
                    for (neighbour, (down, right)) in (-1..2).flat_map(|d| (-1..2).map(move |r| (d, r))).enumerate() {
                        for channel in 0..layer.from {
                            let weight = weights[(neighbour * layer.from + channel) * layer.to + to];
                            sum += weight * at(row + down, column + right, channel);
                        }
                    }
                    output.push(sum);
                }
            }
        }
        output
    }

    #[test]
    fn a_convolution_is_its_definition() {
        let layer = Layer::new("test", 2, 3, Some((3, 4)), 0);
        let number = |i: usize| ((i * 37 + 11) % 64) as f64 / 16.0 - 2.0;
        let weights: Vec<f64> = (0..layer.biases.end).map(number).collect();
        let input: Vec<f64> = (0..24).map(|i| number(i + 5)).collect();
        let expected = plain(&layer, (3, 4), &weights, &input);
        let mut output = Vec::new();
        let twice: Vec<f64> = input.iter().chain(&input).copied().collect();
        layer.forward(&weights, &twice, &mut output, &mut Scratch::default());
        assert_eq!(output[..36], expected);
        assert_eq!(output[36..], expected);
    }
}
