//! What makes a game easier, where its table allows it: hints, and plies taken back.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use raichi_core::seat::{Seat, SeatSet};

use super::super::hint::Question;
use super::super::requests::Request;
use super::Actor;
use crate::agents::{EngineRequest, Player};
use crate::client::ClientAddress;
use crate::error::Refusal;

/// In the place of a ply: the draws of hints are none that an engine at the table makes.
const HINTS: usize = usize::MAX;

impl Actor {
    /// What an engine is to decide who gives `seat` a hint.
    pub(super) fn question(
        &self,
        held: SeatSet,
        client: ClientAddress,
        seat: Seat,
        n_plies: usize,
    ) -> Result<Question, Refusal> {
        self.check_help(held, seat)?;
        self.game.check_to_act(seat, n_plies)?;
        let nobody = || Refusal::new("agent/refused", "no engine here plays this game");
        let agent = self.common.engines.successor(self.game.rules().as_ref()).ok_or_else(nobody)?;
        let current = self.game.current().boxed_clone();
        let player = Player {
            game: Arc::clone(self.game.rules()),
            agent: agent.clone(),
            seed: self.seed.for_engine(seat, HINTS),
        };
        let request = EngineRequest {
            client,
            table: Arc::clone(&self.id),
            player,
            engine: None,
            current: current.clone(),
            seat,
            most: None,
            begun: Arc::new(AtomicBool::new(false)),
        };
        Ok(Question { request, agent, current })
    }

    /// Takes back the last action of `seat` and whatever came after it. It is on disk before anybody is told.
    pub(super) async fn take_back(
        &mut self,
        held: SeatSet,
        id: String,
        seat: Seat,
        n_plies: usize,
    ) -> Result<usize, Refusal> {
        self.check_seat(held, seat)?;
        let request = Request::take_back(seat, id, n_plies);
        if let Some(n_plies) = self.requests.find(&request)? {
            return Ok(n_plies);
        }
        self.check_help(held, seat)?;
        if !self.settings.takes_back() {
            return Err(Refusal::new("play/no-way-back", "with clocks nothing is taken back: time is gone for good"));
        }
        let left = self.game.take_back_to(seat)?;
        if n_plies != self.game.n_plies() {
            return Err(Refusal::new("play/stale", "other plies have come meanwhile; look again"));
        }
        let stored = self.common.store.take_back(&self.id, left, &request.to_text()).await;
        self.checked(stored)?;
        self.game.take_back(left);
        self.played_at.truncate(left);
        self.requests.done(request, left);
        self.stop_engines();
        self.settle(None).await?;
        Ok(left)
    }

    fn check_help(&self, held: SeatSet, seat: Seat) -> Result<(), Refusal> {
        self.check_seat(held, seat)?;
        if !self.settings.help {
            return Err(Refusal::new("table/no-help", "at this table nobody gets hints or takes plies back"));
        }
        if !self.game.playing(held).contains(seat) {
            return Err(Refusal::new("seat/not-yours", format!("an engine plays seat {seat} now")));
        }
        Ok(())
    }

    /// Cancels whatever the engines think about.
    pub(super) fn stop_engines(&mut self) {
        self.stop_pondering();
        for task in std::mem::take(&mut self.engine_tasks).into_values() {
            task.handle.abort();
        }
    }
}
