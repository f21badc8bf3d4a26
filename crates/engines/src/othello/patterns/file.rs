//! The weights as bytes: a mark, for each phase its scale and its weights, and a checksum of everything before it.
//!
//! Numbers of more than a byte have the low byte first. The weights of shapes take a byte each, all others two.

use super::{N_COUNTS, N_PHASES, Patterns, SHAPES};

use crate::checksum::checksum;

const MARK: &[u8; 8] = b"othello1";

/// Why bytes are no weights.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FileError {
    /// It is something else, or of another version.
    #[error("these are no weights of Othello's patterns, or they are of another version")]
    Unknown,
    /// It was changed after it was written.
    #[error("the weights are damaged")]
    Damaged,
}

impl Patterns {
    /// The weights as a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MARK.to_vec();
        for (number, phase) in self.phases.iter().enumerate() {
            bytes.extend(phase.scale.to_le_bytes());
            let weights = self.weights(number);
            let (of_shapes, counts) = weights.split_at(SHAPES.n_weights);
            bytes.extend(of_shapes.iter().map(|&weight| weight as u8));
            bytes.extend(counts.iter().flat_map(|count| count.to_le_bytes()));
        }
        let sum = checksum(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    /// The evaluator with the weights of a file.
    ///
    /// # Errors
    /// When it is no such file, or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Patterns, FileError> {
        let size = 2 + SHAPES.n_weights + 2 * N_COUNTS;
        let rest = bytes.strip_prefix(MARK).ok_or(FileError::Unknown)?;
        let (content, sum) = rest.split_last_chunk::<8>().ok_or(FileError::Damaged)?;
        let is_whole = content.len() == N_PHASES * size;
        if !is_whole || checksum(&bytes[..bytes.len() - 8]) != u64::from_le_bytes(*sum) {
            return Err(FileError::Damaged);
        }
        let mut patterns = Patterns::new();
        for (number, phase) in content.chunks_exact(size).enumerate() {
            let (scale, weights) = phase.split_at(2);
            let (of_shapes, counts) = weights.split_at(SHAPES.n_weights);
            let two = |bytes: &[u8]| i16::from_le_bytes([bytes[0], bytes[1]]);
            let of_shapes = of_shapes.iter().map(|&weight| i16::from(weight as i8));
            let weights: Vec<i16> = of_shapes.chain(counts.chunks_exact(2).map(two)).collect();
            patterns.set_phase(number, &weights, two(scale) as u16);
        }
        Ok(patterns)
    }
}
