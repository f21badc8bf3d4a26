//! The strategies as they are kept and looked up, and their file.
//!
//! Probabilities are thirty-firsts. Those below 4 % are left out: they are mostly what is left of the first iterations (thresholding: Ganzfried,
//! Sandholm and Waugh, 2012). The file: a mark, a checksum (FNV-1a of 64 bits) of what follows, then packed by deflate for each order and
//! stack, node, action but the last, and bucket a byte. Which nodes there are is not in it: [`Tree`] says so.

use std::io::{Read, Write};
use std::sync::LazyLock;

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;

use super::abstraction::n_buckets;
use super::tree::{Bet, LONGEST, ORDERS, Order, Tree};

use crate::checksum::checksum;

/// Probabilities are multiples of one by this.
pub const STEPS: u8 = 31;
/// Rarer actions are left out.
const RARE: f32 = 0.04;
const MARK: &[u8; 8] = b"poker-b1";

/// Strategies of both seats for all stacks up to [`LONGEST`] small blinds, with both orders of play.
#[derive(Clone, Debug)]
pub struct Blueprint {
    /// By order, then by stack from 1 on.
    strategies: Vec<Strategy>,
}

/// Strategies of both seats with one stack.
#[derive(Clone, Debug)]
pub struct Strategy {
    /// The decisions.
    pub tree: Tree,
    /// Where each node's probabilities begin: by action, then by bucket.
    first: Vec<u32>,
    /// In multiples of one by [`STEPS`].
    steps: Vec<u8>,
}

/// Why bytes are no blueprint.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FileError {
    /// It is something else, or of another version.
    #[error("this is no blueprint of poker, or it is of another version")]
    Unknown,
    /// It was changed after it was written.
    #[error("the blueprint is damaged")]
    Damaged,
}

static SHIPPED: LazyLock<Blueprint> =
    LazyLock::new(|| Blueprint::from_bytes(include_bytes!("blueprint.bin")).expect("a test reads it"));

/// The blueprint that comes with the engine.
pub fn shipped() -> &'static Blueprint {
    &SHIPPED
}

impl Strategy {
    /// Strategies with the probabilities that `shares` gives for a node and a bucket, one an action.
    pub(super) fn of(tree: Tree, shares: impl Fn(usize, usize) -> Vec<f32>) -> Strategy {
        let mut strategy = Strategy::empty(tree);
        for node in 0..strategy.tree.nodes.len() {
            let n_buckets = n_buckets(strategy.tree.nodes[node].street);
            for bucket in 0..n_buckets {
                let steps = rounded(&shares(node, bucket));
                for (action, step) in steps.into_iter().enumerate() {
                    strategy.steps[strategy.first[node] as usize + action * n_buckets + bucket] = step;
                }
            }
        }
        strategy
    }

    fn empty(tree: Tree) -> Strategy {
        let mut n = 0;
        let mut first = Vec::new();
        for node in &tree.nodes {
            first.push(n);
            n += (n_buckets(node.street) * node.actions.len()) as u32;
        }
        Strategy { tree, first, steps: vec![0; n as usize] }
    }

    /// How likely an action of a node is with a bucket, from 0 to 1; actions by their index in the node.
    #[inline]
    pub fn probability(&self, node: usize, bucket: usize, action: usize) -> f32 {
        let n_buckets = n_buckets(self.tree.nodes[node].street);
        f32::from(self.steps[self.first[node] as usize + action * n_buckets + bucket]) / f32::from(STEPS)
    }

    /// The actions of a node and how likely each is with a bucket.
    pub fn probabilities(&self, node: usize, bucket: usize) -> impl Iterator<Item = (Bet, f32)> {
        let actions = self.tree.nodes[node].actions.iter().enumerate();
        actions.map(move |(action, &(bet, _))| (bet, self.probability(node, bucket, action)))
    }

    /// The bytes of each node that are kept: those of all actions but the last.
    fn parts(&self) -> impl Iterator<Item = (usize, usize, usize)> {
        self.tree.nodes.iter().zip(&self.first).map(|(node, &first)| {
            let n_buckets = n_buckets(node.street);
            (first as usize, n_buckets, node.actions.len())
        })
    }
}

/// Multiples of one by [`STEPS`] that add up to one.
pub(super) fn rounded(shares: &[f32]) -> Vec<u8> {
    let kept: Vec<f32> = shares.iter().map(|&share| if share < RARE { 0.0 } else { share }).collect();
    let total: f32 = kept.iter().sum();
    let (mut sum, mut before) = (0.0, 0);
    // Rounding the sums rather than the shares loses nothing.
    let steps = kept.iter().map(|share| {
        sum += share / total * f32::from(STEPS);
        let up_to = (sum.round() as u8).min(STEPS);
        let step = up_to - before;
        before = up_to;
        step
    });
    steps.collect()
}

/// A file: the mark, the checksum of what follows, and that packed.
pub(super) fn packed(mark: &[u8; 8], plain: &[u8]) -> Vec<u8> {
    let mut packed = DeflateEncoder::new(Vec::new(), Compression::best());
    let packed = packed.write_all(plain).and_then(|()| packed.finish()).expect("memory can be written");
    [mark, &checksum(&packed).to_le_bytes()[..], &packed].concat()
}

/// What [`packed`] was given.
pub(super) fn unpacked(mark: &[u8; 8], bytes: &[u8]) -> Result<Vec<u8>, FileError> {
    let rest = bytes.strip_prefix(mark).ok_or(FileError::Unknown)?;
    let (sum, packed) = rest.split_first_chunk::<8>().ok_or(FileError::Damaged)?;
    if checksum(packed) != u64::from_le_bytes(*sum) {
        return Err(FileError::Damaged);
    }
    let mut plain = Vec::new();
    DeflateDecoder::new(packed).read_to_end(&mut plain).map_err(|_| FileError::Damaged)?;
    Ok(plain)
}

/// Takes the bytes of all actions but the last from `plain`, and gives the last one what they leave; `steps` are those of a node, by action, then by
/// bucket. `None` where there are too few bytes, or some add up to more than [`STEPS`].
pub(super) fn read_steps(plain: &mut &[u8], steps: &mut [u8], n_buckets: usize) -> Option<()> {
    let (kept, last) = steps.split_at_mut(steps.len() - n_buckets);
    kept.copy_from_slice(plain.split_off(..kept.len())?);
    for (bucket, last) in last.iter_mut().enumerate() {
        let others: u32 = kept.iter().skip(bucket).step_by(n_buckets).map(|&step| u32::from(step)).sum();
        *last = u8::try_from(u32::from(STEPS).checked_sub(others)?).ok()?;
    }
    Some(())
}

impl Blueprint {
    /// By order, then by stack.
    pub(super) fn new(strategies: Vec<Strategy>) -> Blueprint {
        Blueprint { strategies }
    }

    /// The strategies with a stack of so many small blinds; `None` where there are none.
    pub fn strategy(&self, order: Order, stack: usize) -> Option<&Strategy> {
        let longest = self.strategies.len() / ORDERS.len();
        let of_order = &self.strategies[order as usize * longest..][..longest];
        of_order.get(stack.checked_sub(1)?)
    }

    /// The blueprint as a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut plain = Vec::new();
        for strategy in &self.strategies {
            for (first, n_buckets, n_actions) in strategy.parts() {
                plain.extend(&strategy.steps[first..first + n_buckets * (n_actions - 1)]);
            }
        }
        packed(MARK, &plain)
    }

    /// The blueprint of a file.
    ///
    /// # Errors
    /// When it is no such file, or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Blueprint, FileError> {
        let plain = unpacked(MARK, bytes)?;
        let mut plain = &plain[..];
        let mut read = |tree: Tree| {
            let mut strategy = Strategy::empty(tree);
            let parts: Vec<(usize, usize, usize)> = strategy.parts().collect();
            for (first, n_buckets, n_actions) in parts {
                read_steps(&mut plain, &mut strategy.steps[first..first + n_buckets * n_actions], n_buckets)?;
            }
            Some(strategy)
        };
        let trees = ORDERS.iter().flat_map(|&order| (1..=LONGEST).map(move |stack| Tree::new(order, stack)));
        let strategies = trees.map(&mut read).collect::<Option<Vec<Strategy>>>().ok_or(FileError::Damaged)?;
        plain.is_empty().then_some(Blueprint { strategies }).ok_or(FileError::Damaged)
    }
}
