//! What was tried in the analysis of a finished game: a tree of variations that is kept with the game's record.
//!
//! Everybody who may see the game may read it, and who holds a seat of it may change it; where nobody does, who imported
//! the game or created the table of engines has a key for that. A change says which revision it was made from, so that of
//! two who try something at the same time neither takes it from the other. Each line is played under the rules before it
//! is kept.

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::routing::get;
use raichi_core::record::Record;
use raichi_core::seat::Viewer;
use raichi_core::{AnyGame, PlayError};
use serde::{Deserialize, Serialize};

use crate::error::Refusal;
use crate::http::{App, json};
use crate::hub::Hub;
use crate::secret::KeyHash;
use crate::store::{Holder, KeptVariations, SeatRow, TableRow, TriedLine};

/// The lines of a tree, at most.
const MOST_LINES: usize = 200;
/// The plies that are tried in them, all together.
const MOST_PLIES: usize = 2_000;
/// The bytes of a request. A page that is closed can still send as many.
const MOST_BYTES: usize = 60_000;

/// A change of the tree. It has no Debug form, so that no key gets into a log.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct VariationsRequest {
    /// One of them holds a seat of the game, or is the one for its variations.
    keys: Vec<String>,
    /// The one that it was made from.
    revision: u32,
    /// The whole tree.
    lines: Vec<TriedLine>,
}

/// A record with what was tried in its game.
#[derive(Serialize)]
pub(crate) struct RecordWithVariations {
    #[serde(flatten)]
    pub(crate) record: Record,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) variations: Vec<TriedLine>,
}

impl RecordWithVariations {
    /// As one line of JSON.
    pub(crate) fn to_line(&self) -> String {
        serde_json::to_string(self).expect("a record has only text keys and finite numbers")
    }
}

pub(crate) fn routes() -> Router<Arc<App>> {
    let route = get(read).post(change).layer(DefaultBodyLimit::max(MOST_BYTES));
    Router::new().route("/api/tables/{table}/variations", route)
}

async fn read(State(app): State<Arc<App>>, Path(table): Path<String>) -> Result<Response, Refusal> {
    // The variations of a game in progress are not sent to anybody.
    app.hub.record(&table).await?;
    Ok(json(StatusCode::OK, &app.hub.common().store.variations(&table).await?))
}

async fn change(
    State(app): State<Arc<App>>,
    Path(table): Path<String>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, Refusal> {
    app.origins.check(&headers)?;
    let body = body.map_err(|why| match why.status() {
        StatusCode::PAYLOAD_TOO_LARGE => Refusal::too_large(MOST_BYTES),
        _ => Refusal::malformed(why),
    })?;
    let request: VariationsRequest = serde_json::from_slice(&body).map_err(Refusal::malformed)?;
    Ok(json(StatusCode::OK, &keep(&app.hub, &table, request).await?))
}

async fn keep(hub: &Hub, table: &str, request: VariationsRequest) -> Result<KeptVariations, Refusal> {
    let record = hub.record(table).await?;
    let store = &hub.common().store;
    let stored = store.load(table).await?.ok_or_else(Refusal::unknown_table)?;
    check_keys(&stored.table, &request.keys)?;
    // Playing a long game again takes a while.
    let played = tokio::task::spawn_blocking(move || {
        let rules = raichi_games::game_of_record(&record)?;
        checked(rules.as_ref(), &record, request.lines)
    });
    let lines = played.await.unwrap_or_else(|why| {
        tracing::error!(%why, "variations cannot be checked");
        Err(Refusal::internal())
    })?;
    let changed = || Refusal::new("variations/changed", "the variations of this game have been changed meanwhile");
    let revision = store.keep_variations(table, request.revision, &lines).await?.ok_or_else(changed)?;
    Ok(KeptVariations { revision, lines })
}

/// Refuses a change where none of the keys allows it, and says which key would.
fn check_keys(table: &TableRow, keys: &[String]) -> Result<(), Refusal> {
    fn of_seat(seat: &SeatRow) -> Option<&KeyHash> {
        if let Holder::Human { key, .. } = &seat.holder { Some(key) } else { None }
    }
    let given: Vec<KeyHash> = keys.iter().map(|key| KeyHash::of(key)).collect();
    let of_seats = table.seats.iter().filter_map(of_seat);
    if of_seats.chain(&table.variations_key).any(|key| given.contains(key)) {
        return Ok(());
    }
    let is_held = table.imported.is_none() && table.seats.iter().any(|seat| of_seat(seat).is_some());
    let (code, wanted) = match (is_held, &table.imported) {
        (true, _) => ("seat/key", "a key that holds a seat of it"),
        (false, Some(_)) => ("variations/key", "the key that was given to the person who imported it"),
        (false, None) => ("variations/key", "the key that was given to the person who created its table"),
    };
    let message = match (is_held || table.variations_key.is_some(), keys) {
        (false, _) => "nobody can write variations of this game: it was made before there were keys for that".into(),
        (true, []) => format!("variations of this game are written with {wanted}, and no key was given"),
        (true, [_]) => format!("variations of this game are written with {wanted}, and the key given is another one"),
        (true, _) => format!("variations of this game are written with {wanted}, and none of the keys given is that"),
    };
    Err(Refusal { param: Some("keys".into()), ..Refusal::new(code, message) })
}

/// The lines as they are kept: played under the rules of the recorded game, in canonical texts, each with as many plies
/// of the game as it begins with; none that another one begins with.
///
/// # Errors
/// Names the first ply that the rules refuse.
pub(crate) fn checked(rules: &dyn AnyGame, record: &Record, lines: Vec<TriedLine>) -> Result<Vec<TriedLine>, Refusal> {
    within_bounds(&lines)?;
    let own: Vec<&str> = record.plies.iter().map(|ply| ply.text.as_str()).collect();
    let mut numbered: Vec<(usize, TriedLine)> = lines.into_iter().enumerate().collect();
    // In this order what was played is played once only, and each line on a copy: to take plies back, those before are played
    // again.
    numbered.sort_by_key(|(_, line)| line.after);
    let mut played = match &record.position {
        None => rules.new_match(),
        Some(text) => rules.match_at(text)?,
    };
    // From now on plies are described as they are played, and copies have that too.
    played.plies();
    let mut n_own = 0;
    let mut kept: Vec<TriedLine> = Vec::new();
    for (number, TriedLine { after, plies }) in numbered {
        let refuse = |ply: usize, token: &str, why: PlayError| Refusal {
            param: Some(format!("lines[{number}]")),
            ..Refusal::new(why.code(), format!("variation {}, ply {} (`{token}`): {why}", number + 1, ply + 1))
        };
        if after > own.len() {
            let why = format!("variation {} begins after {after} plies, and the game has {}", number + 1, own.len());
            return Err(Refusal { param: Some(format!("lines[{number}]")), ..Refusal::malformed(why) });
        }
        for (ply, &token) in own.iter().enumerate().take(after).skip(n_own) {
            played.play_token(token).map_err(|why| refuse(ply, token, why))?;
        }
        n_own = after;
        let mut current = played.boxed_clone();
        for (ply, token) in plies.iter().enumerate() {
            current.play_token(token).map_err(|why| refuse(after + ply, token, why))?;
        }
        let tokens = current.plies()[after..].iter().map(|ply| ply.token(Viewer::Referee));
        let mut plies: Vec<String> = tokens.collect();
        let n_more = plies.iter().zip(&own[after..]).take_while(|(tried, played)| tried == played).count();
        plies.drain(..n_more);
        let line = TriedLine { after: after + n_more, plies };
        let begins =
            |one: &TriedLine, other: &TriedLine| one.after == other.after && other.plies.starts_with(&one.plies);
        if !line.plies.is_empty() && !kept.iter().any(|other| begins(&line, other)) {
            kept.retain(|other| !begins(other, &line));
            kept.push(line);
        }
    }
    Ok(kept)
}

/// Refuses trees that are larger than a game can have.
pub(crate) fn within_bounds(lines: &[TriedLine]) -> Result<(), Refusal> {
    let n_tried: usize = lines.iter().map(|line| line.plies.len()).sum();
    if lines.len() <= MOST_LINES && n_tried <= MOST_PLIES {
        return Ok(());
    }
    let message = format!("at most {MOST_LINES} variations with {MOST_PLIES} plies in all are kept with a game");
    Err(Refusal::new("variations/too-many", message))
}
