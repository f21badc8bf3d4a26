//! Jabir's Transmutations: points, and how near each seat is to more.
//!
//! Source: the rules' list of transmutations: what a token is worth follows from what it takes part in, gold being five
//! points for two or three tokens. The weights were set by hand from that list.
//! Handled: all parameters. Not here: the cards that others need, which events are still to come.
//! Promise: the values of the three seats add up to one; seats that have the same are worth the same.
//! Checked: `tests/laws.rs`; matches in docs/strength.md.

use std::sync::Arc;

use raichi_core::seat::Seat;
use raichi_games::jabirs_transmutations::{Card, JabirsTransmutations, Resource, State};
use raichi_search::Evaluator;

/// The evaluator; it knows all parameters.
pub fn evaluator(_game: &JabirsTransmutations) -> Option<Arc<dyn Evaluator<JabirsTransmutations>>> {
    Some(Arc::new(Points))
}

struct Points;

const N_SEATS: usize = 3;

/// What a token is worth, in points.
const fn worth(resource: Resource) -> f32 {
    use Resource::*;
    match resource {
        Cinnabar | YellowSalt => 0.25,
        Lead => 0.3,
        Quicksilver => 0.8,
        Sulfur => 0.5,
        Arsenic => 0.9,
        Tin => 1.6,
        Copper => 1.6,
        DistilledSulfur => 1.2,
        PureQuicksilver => 1.5,
        Hotness | Coldness | Wetness | Dryness => 1.4,
    }
}

/// What a fire or water card is worth that is saved.
const SAVED: f32 = 0.35;
/// How much a point is worth, as a natural logarithm of odds: at the start, and as the leader comes near the end.
const EARLY: f32 = 0.15;
const LATE: f32 = 0.45;
/// Points that end the game.
const LAST: f32 = 17.0;

impl Points {
    fn chances(state: &State) -> [f32; N_SEATS] {
        let expected: [f32; N_SEATS] = std::array::from_fn(|seat| {
            let tokens =
                Resource::ALL.iter().map(|&one| f32::from(state.tokens_of(seat, one)) * worth(one)).sum::<f32>();
            let saved: u8 = Card::SAVED.iter().map(|&card| state.saved_by(seat, card)).sum();
            let [silver, gold] = state.metals_of(seat).map(f32::from);
            let drafted: u8 = Card::ALL.iter().map(|&card| state.drafted_by(seat, card)).sum();
            tokens + 3.0 * silver + 5.0 * gold + SAVED * f32::from(saved) + 0.3 * f32::from(drafted)
        });
        let most = expected.iter().copied().fold(0.0, f32::max);
        let near = (most / LAST).min(1.0);
        let by = EARLY + (LATE - EARLY) * near;
        let odds = expected.map(|points| (by * (points - most)).exp());
        let total: f32 = odds.iter().sum();
        odds.map(|odds| odds / total)
    }
}

impl Evaluator<JabirsTransmutations> for Points {
    fn value(&self, _game: &JabirsTransmutations, state: &State, seat: Seat) -> f32 {
        Points::chances(state)[seat]
    }

    fn values(&self, _game: &JabirsTransmutations, state: &State, values: &mut [f32]) {
        values.copy_from_slice(&Points::chances(state));
    }
}
