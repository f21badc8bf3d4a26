//! Analysis: positions of finished games, and positions that somebody sets up, with what agents think of them.
//!
//! It has no part in any table. A finished game is read as its record, which a game that goes on does not have; all
//! else is what the client says: a game, a position, plies. So nothing can be learned here of a game in progress.
//!
//! A reply is a stream of lines of JSON: first the position, then what agents find as they look deeper (`deepening`),
//! or what each ply of a game was worth (`curve`). A client that looks away closes it, and the search ends with it.
//! Engines think in the same queue as those of tables ([`crate::thinking`]), in the client's share. Nothing is kept
//! here: the page keeps what it was told, and a tree of variations is part of its link and, where the game is a table's, kept
//! with its record ([`crate::variations`]).

mod curve;
mod deepening;
pub(crate) mod message;
mod position;
mod separately;
pub(crate) mod source;

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json, Router};

use crate::agents::Player;
use crate::choices::Choices;
use crate::client::ClientAddress;
use crate::error::Refusal;
use crate::http::{App, body_of};
use crate::lines::{Lines, line};
use message::{AnalysisMessage, AnalysisRequest, NarrowRequest, Source};
use source::{Ground, Position};

/// Agents that are asked about one position.
const MOST_AGENTS: usize = 2;
/// What decides the random draws of the agents, and what is drawn where a seat's view hides something: the same for
/// all, so that a line that was tried can be tried again.
const SEED: u64 = 1732;

type Posted = Result<Bytes, BytesRejection>;

pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/api/analysis", post(analyse))
        .route("/api/analysis/curve", post(curve_of))
        .route("/api/analysis/narrow", post(narrow))
}

async fn analyse(
    State(app): State<Arc<App>>,
    client: ClientAddress,
    headers: HeaderMap,
    body: Posted,
) -> Result<Response, Refusal> {
    let (place, request) = (app.admission.analysis(client)?, read(&app, &headers, body)?);
    let (position, agents) = reached(&app, &request).await?;
    let lines = Lines::open(&app, place);
    let told = blocking(move || {
        let first = line(&AnalysisMessage::Position(Box::new(position.told(request.plies_from))));
        Ok((first, position))
    });
    let (first, position) = told.await?;
    Ok(lines.respond::<AnalysisMessage, _>(move |sender| async move {
        sender.send_line(first).await?;
        deepening::deepen(&app, client, position, agents, &sender).await
    }))
}

async fn curve_of(
    State(app): State<Arc<App>>,
    client: ClientAddress,
    headers: HeaderMap,
    body: Posted,
) -> Result<Response, Refusal> {
    let (place, request) = (app.admission.analysis(client)?, read(&app, &headers, body)?);
    let (position, agents) = reached(&app, &request).await?;
    let Some(agent) = agents.into_iter().next() else {
        return Err(Refusal::new("analysis/agents", "a curve needs an agent"));
    };
    Ok(Lines::open(&app, place).respond::<AnalysisMessage, _>(move |sender| async move {
        curve::trace(&app, client, position, agent, &sender).await
    }))
}

async fn narrow(State(app): State<Arc<App>>, headers: HeaderMap, body: Posted) -> Result<Response, Refusal> {
    app.origins.check(&headers)?;
    let NarrowRequest { at, seat, touched } = read_as(&app, body)?;
    let (position, _) = reached(&app, &at).await?;
    let narrowed = blocking(move || {
        let current = &*position.current;
        let nothing = || Refusal::new("play/no-path", "no legal action goes on from these touches");
        Choices::after(current, seat, &current.touches(seat), &touched).ok_or_else(nothing)
    });
    Ok((StatusCode::OK, Json(narrowed.await?)).into_response())
}

fn read(app: &App, headers: &HeaderMap, body: Posted) -> Result<AnalysisRequest, Refusal> {
    app.origins.check(headers)?;
    read_as(app, body)
}

fn read_as<T: serde::de::DeserializeOwned>(app: &App, body: Posted) -> Result<T, Refusal> {
    serde_json::from_slice(&body_of(app, body)?).map_err(Refusal::malformed)
}

/// The position that is asked about, and the agents. These are made ready when they are asked, so that the position is
/// told at once; that one does not fit the game is said then too.
async fn reached(app: &Arc<App>, request: &AnalysisRequest) -> Result<(Position, Vec<Player>), Refusal> {
    let record = match &request.of {
        Source::Table { table } => Some(app.hub.record(table).await?),
        Source::Run { run, number } => Some(app.lab()?.record(run, *number).await?),
        Source::Position { .. } => None,
    };
    let (app, request) = (Arc::clone(app), request.clone());
    blocking(move || {
        let ground = match (&request.of, record) {
            (Source::Position { game, position }, _) => Ground::of_position(game, position.as_deref())?,
            (_, Some(record)) => Ground::of_record(record)?,
            (Source::Table { .. } | Source::Run { .. }, None) => return Err(Refusal::unknown_table()),
        };
        if request.agents.len() > MOST_AGENTS {
            let message = format!("at most {MOST_AGENTS} agents are asked about a position");
            return Err(Refusal::new("analysis/agents", message));
        }
        let position = ground.reached(request.n_plies, &request.line)?;
        let engines = &app.hub.common().engines;
        let player =
            |spec: &String| Ok(Player { agent: engines.offered(spec)?, game: Arc::clone(&position.rules), seed: SEED });
        let agents = request.agents.iter().map(player).collect::<Result<_, Refusal>>()?;
        Ok((position, agents))
    })
    .await
}

/// Does what takes a while where a game is long or has many actions, as playing it again does, beside what serves others.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> Result<T, Refusal> + Send + 'static) -> Result<T, Refusal> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|why| {
        tracing::error!(%why, "a position cannot be analysed");
        Err(Refusal::internal())
    })
}
