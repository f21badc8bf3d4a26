//! Thinking on while people think: on threads that nobody else wants, until the engine is to decide again.
//!
//! What is found is in the engine's own session, and its next decision begins with it. Pondering is cut short as soon as a
//! decision waits for a thread, and goes on when one is free again; several engines that ponder take turns.

use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use raichi_agents::{Budget, CancelFlag};
use raichi_core::AnyMatch;
use raichi_core::seat::Seat;
use tokio::task::AbortHandle;

use super::{Engine, Engines, SharedSession};
use crate::client::ClientAddress;
use crate::metrics::{Counted, Metrics};

/// How much longer than for a decision an engine thinks while others do, for each ply of theirs; and the longest: people
/// leave pages open.
const TIMES_A_DECISION: u32 = 10;
const LONGEST: Duration = Duration::from_secs(60);

/// An engine that thinks while others do. Dropping it ends that.
pub(crate) struct Pondering(AbortHandle);

impl Drop for Pondering {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Engines {
    /// Lets an engine think about a position in which its seat is not to act, if it has kept its session.
    pub(crate) fn ponder(
        self: &Arc<Engines>,
        metrics: &Arc<Metrics>,
        client: ClientAddress,
        engine: &Engine,
        current: Box<dyn AnyMatch>,
        seat: Seat,
    ) -> Option<Pondering> {
        let session = Arc::clone(&engine.session.as_ref()?.session);
        let decision = self.time_of(engine.prepared.spec());
        let left = decision.saturating_mul(TIMES_A_DECISION).min(LONGEST);
        let (engines, metrics) = (Arc::clone(self), Arc::clone(metrics));
        let ponder = async move { engines.ponder_for(left, &metrics, client, session, current, seat).await };
        Some(Pondering(tokio::spawn(ponder).abort_handle()))
    }

    /// In as many turns as it takes.
    async fn ponder_for(
        &self,
        mut left: Duration,
        metrics: &Arc<Metrics>,
        client: ClientAddress,
        session: SharedSession,
        mut current: Box<dyn AnyMatch>,
        seat: Seat,
    ) {
        loop {
            // A flag for each turn, which no decision resets.
            let (cancel, session, metrics) = (CancelFlag::default(), Arc::clone(&session), Arc::clone(metrics));
            let flag = cancel.clone();
            let turn = self.thinking.ponder(client, cancel, move || {
                let _searching = Counted::in_gauge(&metrics.engines_pondering);
                let began = Instant::now();
                let mut session = session.lock().unwrap_or_else(PoisonError::into_inner);
                session.ponder(&*current, seat, Budget::time(left), &flag);
                (current, flag.is_cancelled(), began.elapsed())
            });
            let Ok((back, was_cut_short, took)) = turn.await else { return };
            left = left.saturating_sub(took);
            if !was_cut_short || left.is_zero() {
                return;
            }
            current = back;
        }
    }
}
