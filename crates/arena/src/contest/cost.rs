//! What the decisions of a game cost.

use std::time::{Duration, Instant};

use raichi_agents::Played;
use raichi_core::erased::AnyMatch;
use raichi_core::seat::Seat;
use serde::{Deserialize, Serialize};

use crate::runner::Observer;

/// What a seat's decisions cost, all together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// How many there were.
    pub decisions: u64,
    /// By this machine's clock.
    pub millis: f64,
    /// The longest of them.
    pub longest_millis: f64,
    /// Simulations made.
    pub simulations: u64,
    /// Positions entered by an action, for methods that count them.
    pub nodes: u64,
}

impl Cost {
    /// Adds another's.
    pub fn add(&mut self, other: &Cost) {
        self.decisions += other.decisions;
        self.millis += other.millis;
        self.longest_millis = self.longest_millis.max(other.longest_millis);
        self.simulations += other.simulations;
        self.nodes += other.nodes;
    }

    /// Of one decision, in the mean; 0 without any.
    pub fn each(&self, total: f64) -> f64 {
        if self.decisions == 0 { 0.0 } else { total / self.decisions as f64 }
    }
}

/// Sums up what each seat's decisions cost in the game that it watches. The time is measured here, whatever an agent says.
pub struct CostMeter {
    costs: Vec<Cost>,
    now: Option<(Seat, Instant)>,
}

impl CostMeter {
    /// For a game of so many seats.
    pub fn new(n_seats: usize) -> CostMeter {
        CostMeter { costs: vec![Cost::default(); n_seats], now: None }
    }

    /// By seat.
    pub fn finish(self) -> Vec<Cost> {
        self.costs
    }
}

impl Observer for CostMeter {
    fn before(&mut self, _current: &dyn AnyMatch, seat: Option<Seat>) {
        self.now = seat.map(|seat| (seat, Instant::now()));
    }

    fn after(&mut self, _current: &dyn AnyMatch, played: &Played) {
        let Some((seat, start)) = self.now.take() else { return };
        let millis = millis(start.elapsed());
        self.costs[seat].add(&Cost {
            decisions: 1,
            millis,
            longest_millis: millis,
            simulations: played.cost.simulations,
            nodes: played.cost.nodes,
        });
    }
}

fn millis(time: Duration) -> f64 {
    // In microseconds, so that a line of them stays short.
    (time.as_secs_f64() * 1e6).round() / 1e3
}
