//! Clocks: how much time each seat has, and what a ply takes of it. Knows no clock itself: times are milliseconds that the
//! caller has measured.
//!
//! - *Fischer*: a seat's time grows by the increment with each of its plies.
//! - *Bronstein*: what a ply took is given back, at most the delay; the time never grows.
//! - *A time a ply*, and *days a ply*: each ply has the same time, whatever the plies before took.
//!
//! A seat's flag falls when a ply takes all that is left.

use raichi_core::seat::Seat;
use serde::{Deserialize, Serialize};

use crate::error::Refusal;
use crate::store::Millis;

const DAY: Millis = 24 * 60 * 60 * 1000;
/// The longest and the shortest that is accepted.
const LONGEST: Millis = 24 * 60 * 60 * 1000;
const SHORTEST: Millis = 1000;
const MOST_DAYS: u32 = 30;

/// How much time seats have; times in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum TimeControl {
    /// A time for all plies, and more with each.
    Fischer {
        /// At the start.
        initial: Millis,
        /// With each ply.
        increment: Millis,
    },
    /// A time for all plies, of which each gives back what it took, up to a limit.
    Bronstein {
        /// At the start.
        initial: Millis,
        /// What a ply gives back at most.
        delay: Millis,
    },
    /// The same time for each ply.
    Ply {
        /// For each.
        time: Millis,
    },
    /// The same number of days for each ply.
    Days {
        /// For each.
        days: u32,
    },
}

impl TimeControl {
    /// Refuses times that are too short or too long.
    pub(crate) fn check(self) -> Result<(), Refusal> {
        let refuse =
            |why: &str| Err(Refusal { param: Some("clock".into()), ..Refusal::new("clock/bad-time", why.to_string()) });
        let (first, then) = match self {
            TimeControl::Fischer { initial, increment } => (initial, increment),
            TimeControl::Bronstein { initial, delay } => (initial, delay),
            TimeControl::Ply { time } => (time, 0),
            TimeControl::Days { days } if (1..=MOST_DAYS).contains(&days) => return Ok(()),
            TimeControl::Days { .. } => return refuse("a ply may have from 1 to 30 days"),
        };
        if !(SHORTEST..=LONGEST).contains(&first) {
            return refuse("a clock shows from 1 second to 24 hours at the start");
        }
        if !(0..=LONGEST).contains(&then) {
            return refuse("a clock gives from 0 seconds to 24 hours with each ply");
        }
        Ok(())
    }

    /// What each seat has at the start.
    pub(crate) fn initial(self) -> Millis {
        match self {
            TimeControl::Fischer { initial, .. } | TimeControl::Bronstein { initial, .. } => initial,
            TimeControl::Ply { time } => time,
            TimeControl::Days { days } => Millis::from(days) * DAY,
        }
    }

    /// What is left after a ply that took `used` of `left`.
    pub(crate) fn after(self, left: Millis, used: Millis) -> Millis {
        match self {
            TimeControl::Fischer { increment, .. } => left - used + increment,
            TimeControl::Bronstein { delay, .. } => left - used + used.min(delay),
            TimeControl::Ply { .. } | TimeControl::Days { .. } => self.initial(),
        }
    }

    /// How long an engine may think that has `left`: it plans for some twenty plies more, and keeps a reserve.
    pub(crate) fn budget(self, left: Millis) -> Millis {
        let share = match self {
            TimeControl::Fischer { increment, .. } => left / 20 + increment * 3 / 4,
            TimeControl::Bronstein { delay, .. } => left / 20 + delay * 3 / 4,
            TimeControl::Ply { .. } | TimeControl::Days { .. } => left * 3 / 4,
        };
        share.min(left / 2).max(1)
    }
}

/// The time of each seat of a game in progress.
#[derive(Clone, Debug)]
pub(crate) struct Clocks {
    pub(crate) control: TimeControl,
    left: Vec<Millis>,
    /// When they began to run: once everybody has come.
    pub(crate) started: Option<Millis>,
}

impl Clocks {
    pub(crate) fn new(control: TimeControl, n_seats: usize, started: Option<Millis>) -> Clocks {
        Clocks { control, left: vec![control.initial(); n_seats], started }
    }

    /// What `seat` has left when it is not to act, or had when it began to be.
    pub(crate) fn left(&self, seat: Seat) -> Millis {
        self.left[seat]
    }

    /// A ply of `seat` took so long.
    pub(crate) fn take(&mut self, seat: Seat, used: Millis) {
        self.left[seat] = self.control.after(self.left[seat], used);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(control: TimeControl, used: &[Millis]) -> Vec<Millis> {
        let mut clocks = Clocks::new(control, 2, Some(0));
        let left = used.iter().map(|&used| {
            clocks.take(1, used);
            clocks.left(1)
        });
        let left = left.collect();
        assert_eq!(clocks.left(0), control.initial(), "the other's time does not change");
        left
    }

    #[test]
    fn each_control_takes_and_gives_as_it_says() {
        let fischer = TimeControl::Fischer { initial: 60_000, increment: 2_000 };
        assert_eq!(after(fischer, &[1_000, 10_000, 0]), [61_000, 53_000, 55_000]);
        let bronstein = TimeControl::Bronstein { initial: 60_000, delay: 2_000 };
        assert_eq!(after(bronstein, &[1_000, 10_000, 2_000]), [60_000, 52_000, 52_000]);
        assert_eq!(after(TimeControl::Ply { time: 5_000 }, &[4_999, 0]), [5_000, 5_000]);
        assert_eq!(after(TimeControl::Days { days: 3 }, &[DAY]), [3 * DAY]);
    }

    #[test]
    fn an_engine_never_plans_for_all_that_is_left() {
        for control in [
            TimeControl::Fischer { initial: 60_000, increment: 60_000 },
            TimeControl::Bronstein { initial: 60_000, delay: 0 },
            TimeControl::Ply { time: 1_000 },
        ] {
            for left in [2, 10, 1_000, 60_000] {
                let budget = control.budget(left);
                assert!((1..left).contains(&budget), "{control:?}: {budget} of {left}");
            }
        }
    }

    #[test]
    fn times_are_checked_and_read_back() {
        for (control, is_good) in [
            (TimeControl::Fischer { initial: 1_000, increment: 0 }, true),
            (TimeControl::Fischer { initial: 999, increment: 0 }, false),
            (TimeControl::Fischer { initial: 60_000, increment: -1 }, false),
            (TimeControl::Bronstein { initial: LONGEST + 1, delay: 0 }, false),
            (TimeControl::Ply { time: i64::MAX }, false),
            (TimeControl::Days { days: 30 }, true),
            (TimeControl::Days { days: 0 }, false),
            (TimeControl::Days { days: u32::MAX }, false),
        ] {
            assert_eq!(control.check().is_ok(), is_good, "{control:?}");
            let text = serde_json::to_string(&control).unwrap();
            assert_eq!(serde_json::from_str::<TimeControl>(&text).unwrap(), control, "{text}");
        }
    }
}
