//! A rate limit: a number at once, and a number per second in the long run.

use std::time::Instant;

/// A token bucket.
#[derive(Debug)]
pub(crate) struct Allowance {
    capacity: f64,
    per_second: f64,
    left: f64,
    at: Instant,
}

impl Allowance {
    pub(crate) fn new(capacity: u32, per_second: f64, now: Instant) -> Allowance {
        Allowance { capacity: capacity.into(), per_second, left: capacity.into(), at: now }
    }

    /// `n` per minute, and as many at once.
    pub(crate) fn per_minute(n: u32, now: Instant) -> Allowance {
        Allowance::new(n, f64::from(n) / 60.0, now)
    }

    /// Takes a token, if there is one.
    pub(crate) fn take(&mut self, now: Instant) -> bool {
        self.left = self.left_at(now);
        self.at = now;
        let granted = self.left >= 1.0;
        if granted {
            self.left -= 1.0;
        }
        granted
    }

    /// Whether nothing has been taken that has not grown back.
    pub(crate) fn is_full(&self, now: Instant) -> bool {
        self.left_at(now) >= self.capacity
    }

    fn left_at(&self, now: Instant) -> f64 {
        let grown = now.saturating_duration_since(self.at).as_secs_f64() * self.per_second;
        (self.left + grown).min(self.capacity)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn an_allowance_is_spent_and_grows_back_to_its_size() {
        let start = Instant::now();
        let mut allowance = Allowance::new(3, 2.0, start);
        let granted = |allowance: &mut Allowance, at| (0..10).filter(|_| allowance.take(at)).count();
        assert_eq!(granted(&mut allowance, start), 3);
        assert_eq!(granted(&mut allowance, start + Duration::from_millis(1000)), 2);
        assert!(!allowance.is_full(start + Duration::from_millis(2000)));
        assert!(allowance.is_full(start + Duration::from_millis(2500)));
        assert_eq!(granted(&mut allowance, start + Duration::from_secs(100)), 3);
        // A clock that goes back gives nothing and takes nothing.
        assert_eq!(granted(&mut allowance, start), 0);
    }
}
