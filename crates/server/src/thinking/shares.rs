//! Who has used how much of something that many want: the one that has used the least is next.
//!
//! As in start-time fair queueing (Goyal, Vin and Cheng, *Start-Time Fair Queuing*, 1996): one that comes back counts
//! as having used no less than the one of those waiting who has used the least, so that nobody saves up for later.

use std::collections::HashMap;
use std::hash::Hash;
use std::time::Duration;

/// What each has used.
#[derive(Debug)]
pub(super) struct Shares<K> {
    shares: HashMap<K, Share>,
    n_active: usize,
    /// The least that anyone active has used; it never falls. What is being used does not count yet: it may be given
    /// back.
    floor: Duration,
    n_served: u64,
}

#[derive(Debug, Default)]
struct Share {
    used: Duration,
    /// What it may use at most by the jobs that it is served with now.
    using: Duration,
    n_jobs: usize,
    /// When it was last served, by number.
    served: u64,
}

impl<K> Default for Shares<K> {
    fn default() -> Shares<K> {
        Shares { shares: HashMap::new(), n_active: 0, floor: Duration::ZERO, n_served: 0 }
    }
}

impl<K: Clone + Eq + Hash> Shares<K> {
    /// How many have jobs.
    pub(super) fn n_active(&self) -> usize {
        self.n_active
    }

    /// How many jobs somebody has.
    pub(super) fn n_jobs(&self, key: &K) -> usize {
        self.shares.get(key).map_or(0, |share| share.n_jobs)
    }

    /// Adds a job.
    pub(super) fn enter(&mut self, key: &K) {
        let floor = self.floor;
        let share = self.shares.entry(key.clone()).or_default();
        if share.n_jobs == 0 {
            share.used = share.used.max(floor);
            self.n_active += 1;
        }
        share.n_jobs += 1;
    }

    /// Takes a job away. Those without jobs are remembered as long as they have used more than others.
    pub(super) fn leave(&mut self, key: &K) {
        let Some(share) = self.shares.get_mut(key) else { return };
        share.n_jobs -= 1;
        if share.n_jobs == 0 {
            self.n_active -= 1;
            let floor = self.raised_floor();
            self.shares.retain(|_, share| share.n_jobs > 0 || share.used > floor);
        }
    }

    /// Of these, the one who is next: who has used the least, and of several who has waited longest.
    pub(super) fn next<'a>(&self, waiting: impl Iterator<Item = &'a K>) -> Option<K>
    where
        K: 'a,
    {
        let order = |key: &&K| self.shares.get(key).map(|share| (share.used + share.using, share.served));
        waiting.min_by_key(order).cloned()
    }

    /// Begins a job, which may use so much.
    pub(super) fn serve(&mut self, key: &K, most: Duration) {
        self.n_served += 1;
        if let Some(share) = self.shares.get_mut(key) {
            share.using += most;
            share.served = self.n_served;
        }
    }

    /// Charges what a job has used that might have used `most`.
    pub(super) fn charge(&mut self, key: &K, most: Duration, used: Duration) {
        if let Some(share) = self.shares.get_mut(key) {
            share.using -= most;
            share.used += used;
        }
        self.raised_floor();
    }

    fn raised_floor(&mut self) -> Duration {
        let least = self.shares.values().filter(|share| share.n_jobs > 0).map(|share| share.used).min();
        // Where nobody is left, all begin anew.
        let floor = least.or_else(|| self.shares.values().map(|share| share.used).max());
        self.floor = self.floor.max(floor.unwrap_or_default());
        self.floor
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn next(shares: &Shares<char>) -> char {
        shares.next(['a', 'b'].iter()).unwrap()
    }

    fn run(shares: &mut Shares<char>, key: char, time: Duration) {
        shares.serve(&key, time);
        shares.charge(&key, time, time);
    }

    #[test]
    fn nobody_saves_up_and_nobody_gets_rid_of_what_was_used() {
        let mut shares = Shares::default();
        shares.enter(&'a');
        (0..100).for_each(|_| run(&mut shares, 'a', SECOND));
        // A newcomer goes first, but has not a hundred seconds to catch up with.
        shares.enter(&'b');
        assert_eq!(next(&shares), 'b');
        run(&mut shares, 'b', SECOND);
        assert_eq!(next(&shares), 'a');
        run(&mut shares, 'a', SECOND);
        // Both have used the same: the one served longer ago.
        assert_eq!(next(&shares), 'b');
        run(&mut shares, 'b', 5 * SECOND);
        // Leaving and coming back does not change what was used.
        shares.leave(&'b');
        shares.enter(&'b');
        for _ in 0..5 {
            assert_eq!(next(&shares), 'a');
            run(&mut shares, 'a', SECOND);
        }
        assert_eq!(next(&shares), 'b');
        // Where all have left, nothing is kept.
        shares.leave(&'a');
        shares.leave(&'b');
        assert_eq!((shares.shares.len(), shares.n_active()), (0, 0));
    }

    #[test]
    fn what_is_being_used_counts_for_whose_it_is_and_not_for_newcomers() {
        let mut shares = Shares::default();
        shares.enter(&'a');
        shares.serve(&'a', 5 * SECOND);
        shares.enter(&'b');
        assert_eq!(next(&shares), 'b');
        // It was less than it might have been, and the newcomer has not to wait for the rest.
        shares.charge(&'a', 5 * SECOND, SECOND);
        assert_eq!(next(&shares), 'b');
        run(&mut shares, 'b', SECOND);
        run(&mut shares, 'b', SECOND);
        assert_eq!(next(&shares), 'a');
    }
}
