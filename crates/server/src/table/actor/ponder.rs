//! Engines that think while people do, where the server lets them: those that have decided before and keep what they found.

use super::Actor;
use crate::client::ClientAddress;

impl Actor {
    /// Where only people are to act, the engines think about what these may do.
    pub(super) fn start_pondering(&mut self, client: ClientAddress) {
        let to_act = self.game.to_act();
        let people_are_to_act = !to_act.is_empty() && to_act.iter().all(|seat| self.game.engine(seat).is_none());
        if !self.common.engine_ponder || !people_are_to_act {
            return;
        }
        for (&seat, engine) in &self.engines {
            if !self.pondering.contains_key(&seat) {
                let (engines, metrics) = (&self.common.engines, &self.common.metrics);
                let current = self.game.current().boxed_clone();
                if let Some(pondering) = engines.ponder(metrics, client, engine, current, seat) {
                    self.pondering.insert(seat, pondering);
                }
            }
        }
    }

    pub(super) fn stop_pondering(&mut self) {
        self.pondering.clear();
    }
}
