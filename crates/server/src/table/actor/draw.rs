//! Draws by agreement. An offer stands until somebody else acts, who declines it by that; a seat that offers while the
//! other's offer stands accepts it.

use raichi_core::seat::{Seat, SeatSet};

use super::super::requests::Request;
use super::{Actor, now};
use crate::error::Refusal;
use crate::store::StoreError;

impl Actor {
    pub(super) async fn offer_draw(
        &mut self,
        held: SeatSet,
        id: String,
        seat: Seat,
        n_plies: usize,
    ) -> Result<usize, Refusal> {
        self.check_seat(held, seat)?;
        let request = Request::draw(seat, id, n_plies);
        if let Some(n_plies) = self.requests.find(&request)? {
            return Ok(n_plies);
        }
        self.let_flags_fall().await?;
        if self.game.is_over() {
            return Err(raichi_core::PlayError::GameOver.into());
        }
        if self.game.draw_by_agreement().is_none() {
            let why = "a draw is agreed on only between people, in games of two that can be drawn";
            return Err(Refusal::new("draw/none", why));
        }
        if n_plies != self.game.n_plies() {
            return Err(Refusal::new("play/stale", "other plies have come meanwhile; look again"));
        }
        let before = self.game.offer_draw(seat, Some(n_plies));
        let ending = self.game.ending();
        let text = request.to_text();
        let stored = self.common.store.offer_draw(&self.id, seat, n_plies, now(), ending.as_ref(), &text).await;
        if let Err(StoreError::Full) = stored {
            self.game.offer_draw(seat, before);
        }
        self.checked(stored)?;
        self.requests.done(request, n_plies);
        self.log_ending(ending.as_ref());
        self.announce();
        Ok(n_plies)
    }
}
