//! Positions set up by touching. Nothing is kept: a request says what lies where, the reply what it looks like, its text,
//! and why it is no position yet.

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::routing::post;
use raichi_core::AnyGame;
use raichi_core::game::Phase;
use raichi_core::picture::{Area, Picture, Tone};
use raichi_core::placement::{Arrangement, Place, Placements};
use raichi_core::seat::{Seat, Viewer};
use serde::{Deserialize, Serialize};

use crate::error::Refusal;
use crate::http::{App, body_of, json};
use crate::hub::check_spec;

/// What lies where; without an arrangement what lies in a position, else at the start of the game.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct PlacingRequest {
    pub(crate) game: String,
    /// The text of a position, whose pieces are put.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub(crate) position: Option<String>,
    /// What lies on each place, from the bottom: indices of the pieces.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub(crate) arrangement: Option<Arrangement>,
    /// The seat to act, where there is an arrangement.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub(crate) to_act: Option<Seat>,
}

/// What was put.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct PlacingView {
    pub(crate) game: String,
    pub(crate) name: &'static str,
    pub(crate) seat_names: Vec<String>,
    pub(crate) seat_tones: Vec<Tone>,
    /// What may be put.
    pub(crate) pieces: Vec<PieceToPut>,
    /// Where it may be put.
    pub(crate) places: Vec<Place>,
    pub(crate) arrangement: Arrangement,
    pub(crate) to_act: Seat,
    pub(crate) picture: Picture,
    /// Its text, also where it is no position yet.
    pub(crate) position: String,
    /// Why it is none, for people; null where it is one.
    pub(crate) problem: Option<String>,
    /// Whether the game is over in it, so that it cannot be played.
    pub(crate) over: bool,
}

/// A piece that may be put.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct PieceToPut {
    pub(crate) label: String,
    /// What it looks like.
    pub(crate) icon: Area,
}

pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new().route("/api/placing", post(placing))
}

async fn placing(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, Refusal> {
    app.origins.check(&headers)?;
    let request: PlacingRequest = serde_json::from_slice(&body_of(&app, body)?).map_err(Refusal::malformed)?;
    // Setting up a large board takes a while.
    let placed = tokio::task::spawn_blocking(move || placed(&request)).await.map_err(|why| {
        tracing::error!(%why, "a position cannot be set up");
        Refusal::internal()
    })??;
    Ok(json(StatusCode::OK, &placed))
}

pub(crate) fn placed(request: &PlacingRequest) -> Result<PlacingView, Refusal> {
    check_spec(&request.game)?;
    let game = raichi_games::game(&request.game)?;
    let by_text = || Refusal::new("placing/none", format!("a position of {} is set up by its text", game.name()));
    let placements = game.placements().ok_or_else(by_text)?;
    let (arrangement, to_act) = asked(&*game, &placements, request)?;
    let position = placements.text(&arrangement, to_act);
    let (problem, over) = match game.match_at(&position) {
        Ok(current) => (None, current.phase() == Phase::Over),
        Err(why) => (Some(format!("This is no position yet: expected {}.", why.expected)), false),
    };
    let n_seats = game.facts().n_seats;
    let pieces = placements.pieces.iter().map(|piece| PieceToPut { label: piece.label.clone(), icon: piece.icon() });
    Ok(PlacingView {
        game: game.spec().into(),
        name: game.name(),
        seat_names: (0..n_seats).map(|seat| game.seat_name(seat)).collect(),
        seat_tones: (0..n_seats).map(|seat| game.seat_tone(seat)).collect(),
        pieces: pieces.collect(),
        picture: placements.picture(&arrangement),
        places: placements.places,
        arrangement,
        to_act,
        position,
        problem,
        over,
    })
}

fn asked(
    game: &dyn AnyGame,
    placements: &Placements,
    request: &PlacingRequest,
) -> Result<(Arrangement, Seat), Refusal> {
    if let Some(arrangement) = &request.arrangement {
        let to_act = request.to_act.unwrap_or(0);
        if !placements.fits(arrangement) || to_act >= game.facts().n_seats {
            return Err(Refusal::new("placing/fits", "more or other pieces than the places of this game hold"));
        }
        return Ok((arrangement.clone(), to_act));
    }
    let current = match &request.position {
        Some(text) => game.match_at(text)?,
        None => game.new_match(),
    };
    let text = current.position_text(Viewer::Referee);
    Ok(placements.read(&text).unwrap_or_else(|| (placements.empty(), 0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(game: &str, position: Option<&str>) -> PlacingRequest {
        PlacingRequest { game: game.into(), position: position.map(Into::into), arrangement: None, to_act: None }
    }

    #[test]
    fn what_is_put_is_drawn_written_and_checked() {
        let view = placed(&ask("connect-four", Some("7/7/7/7/3R3/3Y3 0"))).unwrap();
        assert_eq!((view.places.len(), view.pieces.len(), view.to_act), (42, 2, 0));
        assert_eq!((view.picture.areas[0].pieces.len(), view.problem, view.over), (2, None, false));
        let put = |at: usize, piece: u8| {
            let mut arrangement = view.arrangement.clone();
            arrangement[at] = vec![piece];
            PlacingRequest { arrangement: Some(arrangement), to_act: Some(1), ..ask("connect-four", None) }
        };
        let next = placed(&put(24, 0)).unwrap();
        assert_eq!((next.position.as_str(), next.problem), ("7/7/7/3Y3/3R3/3Y3 1", None));
        // A disc that has not fallen.
        let floating = placed(&put(0, 0)).unwrap();
        assert_eq!(floating.position, "Y6/7/7/7/3R3/3Y3 1");
        assert!(floating.problem.as_deref().unwrap().starts_with("This is no position yet: expected "));
        assert_eq!(placed(&put(0, 2)).unwrap_err().code, "placing/fits");
    }

    #[test]
    fn games_are_over_in_some_positions_and_some_have_none_to_touch() {
        assert!(placed(&ask("tic-tac-toe", Some("XXX/OO1/3 1"))).unwrap().over);
        assert_eq!(placed(&ask("poker", None)).unwrap_err().code, "placing/none");
        assert_eq!(placed(&ask("hex", Some("3/3 0"))).unwrap_err().param.as_deref(), Some("position"));
        // The start of a game is put at first.
        assert_eq!(placed(&ask("tablut", None)).unwrap().problem, None);
        let king = placed(&ask("tablut", None)).unwrap();
        let without = PlacingRequest { arrangement: Some(vec![Vec::new(); king.places.len()]), ..ask("tablut", None) };
        assert_eq!(
            placed(&without).unwrap().problem.as_deref(),
            Some("This is no position yet: expected one king (K).")
        );
    }
}
