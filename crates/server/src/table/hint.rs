//! Hints: an engine chooses for a person, who may follow it or not. The engine sees what the seat sees.
//!
//! The actor only says what there is to decide; the connection waits for the engine, so that the table goes on. Where the
//! connection is closed or asks again, the search is cancelled.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use raichi_agents::Advice;
use raichi_core::AnyMatch;
use raichi_core::seat::Seat;

use super::{Command, Connection, Gone};
use crate::agents::{EngineDecision, EngineRequest, Engines};
use crate::error::Refusal;
use crate::message::{HintView, ServerMessage};
use crate::metrics::{DecisionClock, Metrics};

/// What there is to decide, and what is known of it besides.
pub(super) struct Question {
    pub(super) request: EngineRequest,
    pub(super) agent: String,
    pub(super) current: Box<dyn AnyMatch>,
}

type Reply = (String, Result<ServerMessage, Refusal>);

/// A hint that will come.
pub(crate) struct Hinting {
    /// Of the message that asked for it.
    id: String,
    coming: Pin<Box<dyn Future<Output = Reply> + Send>>,
}

impl Hinting {
    /// Gives up this hint because of one that is asked for with the id `newer`. Returns the reply that it has then; none where
    /// it was the same message, whose reply is still to come.
    pub(crate) fn replaced(self, newer: &str) -> Option<Reply> {
        let refusal = Refusal::new("hint/replaced", "another hint was asked for before this one was found");
        (self.id != newer).then_some((self.id, Err(refusal)))
    }

    /// Waits for the hint, for ever where none was asked for.
    pub(crate) async fn next(hinting: &mut Option<Hinting>) -> Reply {
        let Some(Hinting { coming, .. }) = hinting else { return std::future::pending().await };
        let reply = coming.await;
        *hinting = None;
        reply
    }
}

impl Connection {
    /// Asks an engine what it would play for a seat.
    pub(crate) fn hint(
        &self,
        engines: Arc<Engines>,
        metrics: &Arc<Metrics>,
        id: String,
        seat: Seat,
        n_plies: usize,
    ) -> Hinting {
        let (held, client, table) = (self.held, self.client, self.table.clone());
        let clock = DecisionClock::asked(metrics);
        let asked_by = id.clone();
        let coming = Box::pin(async move {
            let asked = table.ask(|reply| Command::Hint { seat, n_plies, held, client, reply }).await;
            let hint = match asked {
                Ok(Ok(question)) => ask(&engines, question, seat, clock).await,
                Ok(Err(refusal)) => Err(refusal),
                Err(Gone) => Err(Refusal::internal()),
            };
            let message = hint.map(|hint| ServerMessage::Hint { id: id.clone(), hint });
            (id, message)
        });
        Hinting { id: asked_by, coming }
    }
}

async fn ask(
    engines: &Arc<Engines>,
    question: Question,
    seat: Seat,
    clock: DecisionClock,
) -> Result<HintView, Refusal> {
    let Question { request, agent, current } = question;
    let failed = |why: &dyn std::fmt::Display| {
        tracing::error!(%why, agent, "no hint");
        Refusal::internal()
    };
    let EngineDecision { advice, open, .. } = engines.decide(request, clock).await.map_err(|why| failed(&why))?;
    drop(open);
    let advice = advice.map_err(|why| failed(&why))?;
    Ok(hint(current.as_ref(), seat, agent, advice))
}

fn hint(current: &dyn AnyMatch, seat: Seat, agent: String, advice: Advice<String>) -> HintView {
    let path = current.touches(seat).into_iter().find(|touch| touch.action == advice.action);
    // The only action is proven to be best, whatever it is worth.
    let is_exact = advice.candidates.iter().any(|candidate| candidate.action == advice.action && candidate.is_exact());
    HintView {
        n_plies: current.n_plies(),
        path: path.map(|touch| touch.path).unwrap_or_default(),
        value: advice.values().get(seat).copied().filter(|value| value.is_finite()),
        proven: advice.proven && is_exact,
        action: advice.action,
        agent,
    }
}
