//! The library of trained agents: what they say of themselves, their files, and what they look at.
//!
//! They lie in one folder, which the command shares. Loading one runs no code: its checksums are compared first, and
//! what is damaged, too large or of another game is refused with a sentence.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::rejection::QueryRejection;
use axum::extract::{DefaultBodyLimit, FromRequest, Path, Query, Request, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use raichi_agents::trained::{self, Manifest, StoreError, store};
use raichi_core::encoding::Shape;
use serde::Deserialize;
use tokio::sync::Semaphore;

use super::message::{TrainedView, TupleView, TuplesView};
use super::training::measured;
use crate::client::ClientAddress;
use crate::error::Refusal;
use crate::http::App;

/// An agent that is imported has at most so many bytes.
const LONGEST_IMPORT: usize = 64 << 20;
/// So many bytes its manifest: those of the agents that come with the command have 20,000.
const LONGEST_MANIFEST: usize = 1 << 20;
/// So many weights. Of the presets' agents that of the cube of size 2 has 86 million, nearly all of them 0 and packed to
/// 10 MB, and only that of 2048 has more (134 million); the command imports larger ones from files.
const MOST_WEIGHTS: usize = 88 << 20;
/// So many bytes it has unpacked; the file of weights begins with what they are.
const MOST_UNPACKED: usize = 4 * MOST_WEIGHTS + 2 * LONGEST_MANIFEST;
/// So many imports are received at a time.
const IMPORTS: usize = 2;
/// So many agents may lie in the folder before strangers add no more.
const MOST_AGENTS: usize = 500;
/// How many tuples are sent.
const MOST_TUPLES: usize = 200;

type Shared = State<Arc<App>>;

pub(super) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/api/lab/trained", get(list).post(import).layer(DefaultBodyLimit::max(LONGEST_IMPORT)))
        .route("/api/lab/trained/{name}/file", get(export))
        .route("/api/lab/trained/{name}/tuples", get(tuples))
}

/// Who waits for whom, so that many requests do not take all memory.
pub(super) struct Turns {
    imports: Arc<Semaphore>,
    /// An agent takes several times its size in memory while it is read whole.
    reading: Arc<Semaphore>,
}

impl Turns {
    pub(super) fn new() -> Turns {
        Turns { imports: Arc::new(Semaphore::new(IMPORTS)), reading: Arc::new(Semaphore::new(1)) }
    }

    /// Reads an agent whole, after the others.
    async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let turn = Arc::clone(&self.reading).acquire_owned().await.expect("it is never closed");
        // It goes on where nobody waits for it any more.
        off_the_loop(move || {
            let done = read();
            drop(turn);
            done
        })
        .await
    }
}

/// Reading files takes a while.
async fn off_the_loop<T: Send + 'static>(
    read: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    tokio::task::spawn_blocking(read).await.unwrap_or_else(|why| {
        tracing::error!(%why, "a trained agent cannot be read");
        Err(Refusal::internal())
    })
}

async fn list(State(app): Shared) -> Result<Json<Vec<TrainedView>>, Refusal> {
    app.lab()?;
    Ok(Json(off_the_loop(|| Ok(store::list().iter().map(|place| view(&place.name, place.shipped)).collect())).await?))
}

fn view(name: &str, shipped: bool) -> TrainedView {
    let read = store::manifest(name);
    let damaged = read.as_ref().err().map(ToString::to_string);
    let manifest = read.unwrap_or_default();
    TrainedView {
        name: name.into(),
        spec: format!("trained:{name}"),
        shipped,
        game_name: raichi_games::game(&manifest.game).map_or_else(|_| manifest.game.clone(), |game| game.name().into()),
        bytes: manifest.files.iter().map(|file| file.bytes).sum(),
        measures: manifest.evaluations.iter().map(measured).collect(),
        game: manifest.game,
        learner: manifest.agent,
        seed: manifest.seed,
        version: manifest.version,
        command: manifest.command,
        licence: manifest.licence,
        games: manifest.games,
        seconds: manifest.seconds,
        damaged,
    }
}

async fn export(State(app): Shared, Path(name): Path<String>) -> Result<Response, Refusal> {
    let turns = app.lab()?.turns();
    let file = name.clone();
    let archive = turns.read(move || {
        // Read whole first, so that nothing damaged is handed on.
        store::load(&file)?;
        Ok(trained::write_archive(&store::files(&file)?, true))
    });
    let archive = archive.await?;
    let disposition = format!("attachment; filename=\"{name}.zip\"");
    Ok(([(CONTENT_TYPE, "application/zip".to_string()), (CONTENT_DISPOSITION, disposition)], archive).into_response())
}

#[derive(Deserialize)]
struct NameQuery {
    name: String,
}

async fn import(
    State(app): Shared,
    client: ClientAddress,
    headers: HeaderMap,
    query: Result<Query<NameQuery>, QueryRejection>,
    request: Request,
) -> Result<Response, Refusal> {
    let turns = app.lab()?.turns();
    app.origins.check(&headers)?;
    let Query(NameQuery { name }) = query.map_err(Refusal::malformed)?;
    let busy = |_| Refusal::busy("others import agents just now");
    let importing = Arc::clone(&turns.imports).try_acquire_owned().map_err(busy)?;
    app.admission.table(client)?;
    let body = Bytes::from_request(request, &()).await.map_err(|why| match why.status() {
        StatusCode::PAYLOAD_TOO_LARGE => Refusal::too_large(LONGEST_IMPORT),
        _ => Refusal::malformed(why),
    })?;
    let keep = move || {
        let kept = keep(&name, &body);
        drop((body, importing));
        kept
    };
    let kept = turns.read(keep).await?;
    Ok((StatusCode::CREATED, Json(kept)).into_response())
}

fn keep(name: &str, archive: &[u8]) -> Result<TrainedView, Refusal> {
    store::check_name(name)?;
    if store::list().len() >= MOST_AGENTS {
        return Err(Refusal::busy("as many trained agents are kept here as may be"));
    }
    let refused = |why| StoreError::File { name: name.into(), why };
    let unpack = || trained::read_bounded_archive(archive, LONGEST_MANIFEST, MOST_UNPACKED).map_err(refused);
    // That it plays its game is found out before it is kept. It is unpacked again rather than kept meanwhile, so
    // that fewer copies of it are in memory.
    let checked = trained::check_bounded(unpack()?, MOST_WEIGHTS);
    checked.map_err(|why| Refusal::new("agent/refused", format!("this agent is refused: {why}")))?;
    store::save(name, &unpack()?, false)?;
    Ok(view(name, false))
}

async fn tuples(State(app): Shared, Path(name): Path<String>) -> Result<Json<TuplesView>, Refusal> {
    let turns = app.lab()?.turns();
    Ok(Json(turns.read(move || looked_at(&name)).await?))
}

/// What an agent's network looks at, and how much of it was ever changed.
fn looked_at(name: &str) -> Result<TuplesView, Refusal> {
    let agent = store::load(name)?;
    let (manifest, saved): &(Manifest, _) = &agent;
    let game = raichi_games::game(&manifest.game)?;
    let policy = trained::tuples(&game, manifest, saved).map_err(|why| Refusal::new("agent/refused", why))?;
    let layout = game.layout();
    let mut grids = Vec::new();
    // By entry of an observation: which grid, row, column, or its name.
    let mut places = Vec::with_capacity(layout.len());
    for block in &layout.blocks {
        if let Shape::Grid { rows, columns } = block.shape {
            places.extend((0..rows * columns).map(|i| Ok((grids.len(), i / columns, i % columns))));
            grids.push((block.name.clone(), rows, columns));
        } else if block.len() == 1 {
            places.push(Err(block.name.clone()));
        } else {
            places.extend((1..=block.len()).map(|i| Err(format!("{} {i}", block.name))));
        }
    }
    let told = |tuple: &trained::Tuple| {
        let points = || tuple.entries.iter().map(|&entry| &places[entry]);
        TupleView {
            cells: points().filter_map(|place| place.as_ref().ok().copied()).collect(),
            others: points().filter_map(|place| place.as_ref().err().cloned()).collect(),
            n_weights: tuple.n_weights,
            n_visited: tuple.n_visited,
            mean_size: tuple.mean_size,
            greatest: tuple.greatest,
        }
    };
    Ok(TuplesView {
        grids,
        n_weights: policy.tuples.iter().map(|tuple| tuple.n_weights).sum(),
        n_visited: policy.tuples.iter().map(|tuple| tuple.n_visited).sum(),
        symmetries: policy.n_symmetries as u64,
        tuples: policy.tuples.iter().take(MOST_TUPLES).map(told).collect(),
    })
}
