//! The strategies as they are kept and looked up, and their file.
//!
//! Probabilities are thirty-firsts, as those between two seats. The file: a mark, a checksum (FNV-1a of 64 bits) of what follows, then
//! packed by deflate the number of spots (four bytes), their numbers (eight bytes each, ascending), and for each spot, action but the last, and bucket a byte.
//! Numbers begin with their lowest byte.

use std::sync::LazyLock;

use super::spot::Spot;
use super::training::n_buckets;
use crate::poker::blueprint::strategy::{FileError, STEPS, packed, read_steps, rounded, unpacked};

const MARK: &[u8; 8] = b"poker-m1";

/// A strategy for each spot that was met.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Strategies {
    /// Ascending.
    spots: Vec<Spot>,
    /// Where each spot's probabilities begin: by action, then by bucket.
    first: Vec<usize>,
    /// In multiples of one by [`STEPS`].
    steps: Vec<u8>,
}

static SHIPPED: LazyLock<Strategies> =
    LazyLock::new(|| Strategies::from_bytes(include_bytes!("multiway.bin")).expect("a test reads it"));

/// The strategies that come with the engine.
pub fn shipped() -> &'static Strategies {
    &SHIPPED
}

impl Strategies {
    /// From how often each action was chosen: by spot, bucket and action.
    pub(super) fn of<'a>(rows: impl Iterator<Item = (Spot, &'a [f32])>) -> Strategies {
        let mut rows: Vec<(Spot, &[f32])> = rows.collect();
        rows.sort_unstable_by_key(|row| row.0);
        let mut strategies = Strategies::empty(rows.iter().map(|row| row.0).collect());
        for (nth, (spot, sums)) in rows.into_iter().enumerate() {
            let (n_buckets, n_actions) = (n_buckets(spot.street()), spot.n_actions());
            for bucket in 0..n_buckets {
                let sums = met(sums, bucket, n_actions);
                let total: f32 = sums.iter().sum();
                let shares: Vec<f32> = sums.iter().map(|sum| sum / total).collect();
                for (action, step) in rounded(&shares).into_iter().enumerate() {
                    strategies.steps[strategies.first[nth] + action * n_buckets + bucket] = step;
                }
            }
        }
        strategies
    }

    fn empty(spots: Vec<Spot>) -> Strategies {
        let mut n = 0;
        let mut first = Vec::new();
        for spot in &spots {
            first.push(n);
            n += n_buckets(spot.street()) * spot.n_actions();
        }
        Strategies { spots, first, steps: vec![0; n] }
    }

    /// The spots that were met, ascending.
    pub fn spots(&self) -> &[Spot] {
        &self.spots
    }

    /// How likely each action of a spot is with a bucket, from 0 to 1; `None` where the spot was not met.
    pub fn probabilities(&self, spot: Spot, bucket: usize) -> Option<Vec<f32>> {
        let nth = self.spots.binary_search(&spot).ok()?;
        let n_buckets = n_buckets(spot.street());
        let step = |action: usize| self.steps[self.first[nth] + action * n_buckets + bucket];
        Some((0..spot.n_actions()).map(|action| f32::from(step(action)) / f32::from(STEPS)).collect())
    }

    /// The bytes of each spot: where they begin, buckets, actions.
    fn parts(&self) -> Vec<(usize, usize, usize)> {
        let part = |(spot, &first): (&Spot, &usize)| (first, n_buckets(spot.street()), spot.n_actions());
        self.spots.iter().zip(&self.first).map(part).collect()
    }

    /// As a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut plain = (self.spots.len() as u32).to_le_bytes().to_vec();
        plain.extend(self.spots.iter().flat_map(|spot| spot.number().to_le_bytes()));
        for (first, n_buckets, n_actions) in self.parts() {
            plain.extend(&self.steps[first..first + n_buckets * (n_actions - 1)]);
        }
        packed(MARK, &plain)
    }

    /// From a file.
    ///
    /// # Errors
    /// When it is no such file, or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Strategies, FileError> {
        Strategies::from_plain(&unpacked(MARK, bytes)?).ok_or(FileError::Damaged)
    }

    /// From what a file holds unpacked; `None` where it is damaged.
    pub(super) fn from_plain(plain: &[u8]) -> Option<Strategies> {
        let (n, rest) = plain.split_first_chunk::<4>()?;
        let (numbers, mut rest) = rest.split_at_checked((u32::from_le_bytes(*n) as usize).checked_mul(8)?)?;
        let spot = |number: &[u8; 8]| Spot::from_number(u64::from_le_bytes(*number));
        let spots = numbers.as_chunks().0.iter().map(spot).collect::<Option<Vec<Spot>>>()?;
        if !spots.is_sorted_by(|before, after| before < after) {
            return None;
        }
        let mut strategies = Strategies::empty(spots);
        for (first, n_buckets, n_actions) in strategies.parts() {
            read_steps(&mut rest, &mut strategies.steps[first..first + n_buckets * n_actions], n_buckets)?;
        }
        rest.is_empty().then_some(strategies)
    }
}

/// The numbers of the nearest bucket that was met; one was.
fn met(sums: &[f32], bucket: usize, n_actions: usize) -> &[f32] {
    let of = |bucket: usize| &sums[bucket * n_actions..][..n_actions];
    let n_buckets = sums.len() / n_actions;
    let nearest = (0..n_buckets).filter(|&other| of(other).iter().any(|&sum| sum > 0.0));
    of(nearest.min_by_key(|other| other.abs_diff(bucket)).unwrap_or(bucket))
}
