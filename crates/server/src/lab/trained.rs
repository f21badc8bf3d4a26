//! The library of trained agents: what they say of themselves, their files, and what they look at.
//!
//! They lie in one folder, which the command shares. Loading one runs no code: its checksums are compared first, and
//! what is damaged, too large or of another game is refused with a sentence.

use std::sync::Arc;

use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, Request, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use futures_util::StreamExt;
use raichi_agents::trained::{self, Manifest, StoreError, store};
use raichi_core::encoding::Shape;
use serde::Deserialize;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

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
/// So many bytes of imports may have arrived and not be kept yet, of all clients together.
const ARRIVED: usize = 4 * LONGEST_IMPORT;
/// So many agents may lie in the folder before strangers add no more.
const MOST_AGENTS: usize = 500;
/// How many tuples are sent.
const MOST_TUPLES: usize = 200;

type Shared = State<Arc<App>>;

pub(super) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/api/lab/trained", get(list).post(import))
        .route("/api/lab/trained/{name}/file", get(export))
        .route("/api/lab/trained/{name}/tuples", get(tuples))
}

/// Who waits for whom, so that many requests do not take all memory.
pub(super) struct Turns {
    /// A permit for each byte of an import that may arrive.
    arriving: Arc<Semaphore>,
    /// An agent takes several times its size in memory while it is read whole.
    reading: Arc<Semaphore>,
}

impl Turns {
    pub(super) fn new() -> Turns {
        Turns { arriving: Arc::new(Semaphore::new(ARRIVED)), reading: Arc::new(Semaphore::new(1)) }
    }

    /// Receives an import. It takes room only for what has arrived of it: one that is announced and does not come keeps none from
    /// others.
    async fn receive(&self, request: Request) -> Result<Arrived, Refusal> {
        let mut arrived = Arrived { bytes: Vec::new(), room: None };
        let mut body = request.into_body().into_data_stream();
        while let Some(chunk) = body.next().await {
            let chunk = chunk.map_err(Refusal::malformed)?;
            if arrived.bytes.len() + chunk.len() > LONGEST_IMPORT {
                return Err(Refusal::too_large(LONGEST_IMPORT));
            }
            let room = Arc::clone(&self.arriving).try_acquire_many_owned(chunk.len() as u32);
            let room = room.map_err(|_| Refusal::busy("others import agents just now"))?;
            match &mut arrived.room {
                None => arrived.room = Some(room),
                Some(held) => held.merge(room),
            }
            arrived.bytes.extend_from_slice(&chunk);
        }
        Ok(arrived)
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

/// What has arrived of an import, and the room that it takes.
struct Arrived {
    bytes: Vec<u8>,
    room: Option<OwnedSemaphorePermit>,
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
    let place = app.admission.import(client)?;
    app.admission.table(client)?;
    let arrived = turns.receive(request).await?;
    let keep = move || {
        let kept = keep(&name, &arrived.bytes);
        drop((arrived, place));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_arrives_of_all_imports_is_bounded() {
        let turns = Turns { arriving: Arc::new(Semaphore::new(10)), reading: Arc::new(Semaphore::new(1)) };
        let receive = async |n: usize| turns.receive(Request::new(vec![7; n].into())).await;
        let first = receive(6).await.unwrap();
        assert_eq!(first.bytes, [7; 6]);
        assert_eq!(receive(5).await.err().unwrap().code, "server/busy");
        let second = receive(4).await.unwrap();
        drop((first, second));
        assert_eq!(receive(10).await.unwrap().bytes.len(), 10);
        assert_eq!(receive(LONGEST_IMPORT + 1).await.err().unwrap().code, "message/too-large");
        assert_eq!(turns.arriving.available_permits(), 10);
    }
}
