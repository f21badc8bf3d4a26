//! The lab: long work that goes on without anybody looking at it, and what it comes to.
//!
//! A *run* is asked for, works in the queue of those who think ([`crate::thinking`]) in its client's share of the time,
//! is kept in the store and survives a restart ([`runs`]). What it does is [`work::Work`]: a tournament, a balance
//! sheet, the training of an agent. Agents that were trained lie in a folder of their own ([`trained`]). Everybody who
//! has a run's link can look at it; who made it has the key that pauses, stops and removes it. All games of a run are
//! played by agents, so that nothing in them is a secret of anybody; a game is shown once it is over.
//!
//! Where the lab is switched off every request is refused, and the page does not show it.

mod balance;
pub(crate) mod message;
mod runs;
mod tournament;
mod trained;
mod training;
mod work;

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use raichi_agents::CancelFlag;
use serde::Deserialize;

use crate::client::ClientAddress;
use crate::error::Refusal;
use crate::http::{App, body_of};
use crate::hub::check_spec;
use crate::lines::{Lines, Sender, Stopped};
use crate::message::AgentEntry;
use crate::thinking::ThinkingRequest;
use message::{ExampleView, FrameView, LearnersView, RunCommand, RunGameView, RunMessage, RunRequest, RunView};
pub(crate) use runs::{Folder, Lab};
use work::{Before, Work};

/// Runs in the list.
const LISTED: usize = 100;
/// How long a slice of work that is not kept takes, and how often its progress is sent.
const SLICE: Duration = Duration::from_millis(100);
const TOLD: Duration = Duration::from_millis(400);

type Posted = Result<Bytes, BytesRejection>;
type Shared = State<Arc<App>>;

/// Requests that are answered at once.
pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/api/lab/agents", get(agents))
        .route("/api/lab/example", get(example))
        .route("/api/lab/learners", get(learners))
        .route("/api/lab/runs", get(list).post(create))
        .route("/api/lab/runs/{run}", get(view).post(order))
        .route("/api/lab/runs/{run}/games", get(games))
        .route("/api/lab/runs/{run}/sample", get(sample))
        .route("/api/lab/runs/{run}/games/{number}", get(record))
        .merge(trained::routes())
}

/// Those that are answered in lines, each as soon as it is known.
pub(crate) fn lasting_routes() -> Router<Arc<App>> {
    Router::new().route("/api/lab/runs/{run}/progress", get(watch)).route("/api/lab/try", post(try_out))
}

impl App {
    /// The lab, unless it is switched off.
    pub(crate) fn lab(&self) -> Result<&Arc<Lab>, Refusal> {
        self.lab.as_ref().ok_or_else(|| Refusal::new("lab/off", "the lab is switched off on this server"))
    }
}

#[derive(Deserialize)]
struct SpecQuery {
    spec: String,
}

async fn agents(
    State(app): Shared,
    query: Result<Query<SpecQuery>, QueryRejection>,
) -> Result<Json<Vec<AgentEntry>>, Refusal> {
    let lab = app.lab()?;
    let Query(SpecQuery { spec }) = query.map_err(Refusal::malformed)?;
    check_spec(&spec)?;
    Ok(Json(lab.engines().able_in_a_run(raichi_games::game(&spec)?.as_ref())))
}

async fn example(State(app): Shared) -> Result<Json<Option<ExampleView>>, Refusal> {
    app.lab()?;
    Ok(Json(training::example()))
}

async fn learners(
    State(app): Shared,
    query: Result<Query<SpecQuery>, QueryRejection>,
) -> Result<Json<LearnersView>, Refusal> {
    let lab = app.lab()?;
    let Query(SpecQuery { spec }) = query.map_err(Refusal::malformed)?;
    check_spec(&spec)?;
    Ok(Json(training::learners(raichi_games::game(&spec)?.as_ref(), lab.engines())))
}

async fn sample(State(app): Shared, Path(run): Path<String>) -> Result<Json<Vec<FrameView>>, Refusal> {
    Ok(Json(app.lab()?.sample(&run).await?))
}

async fn list(State(app): Shared) -> Result<Json<Vec<RunView>>, Refusal> {
    Ok(Json(app.lab()?.list(LISTED).await?))
}

async fn create(
    State(app): Shared,
    client: ClientAddress,
    headers: HeaderMap,
    body: Posted,
) -> Result<Response, Refusal> {
    let lab = app.lab()?;
    app.origins.check(&headers)?;
    let (request, lab) = (read(&app, body)?, Arc::clone(lab));
    let made = to_its_end(async move { lab.create(request, client).await }).await?;
    Ok((StatusCode::CREATED, Json(made)).into_response())
}

/// Does this also where the client goes away meanwhile: a run that says that it works is to be driven by somebody.
async fn to_its_end<T: Send + 'static>(
    doing: impl Future<Output = Result<T, Refusal>> + Send + 'static,
) -> Result<T, Refusal> {
    tokio::spawn(doing).await.unwrap_or_else(|why| {
        tracing::error!(%why, "what was asked of the lab was not done");
        Err(Refusal::internal())
    })
}

async fn view(State(app): Shared, Path(run): Path<String>) -> Result<Json<RunView>, Refusal> {
    Ok(Json(app.lab()?.view(&run).await?))
}

async fn order(
    State(app): Shared,
    client: ClientAddress,
    Path(run): Path<String>,
    headers: HeaderMap,
    body: Posted,
) -> Result<Json<RunView>, Refusal> {
    let lab = app.lab()?;
    app.origins.check(&headers)?;
    let (RunCommand { key, what, name }, lab) = (read(&app, body)?, Arc::clone(lab));
    Ok(Json(to_its_end(async move { lab.order(&run, &key, what, name, client).await }).await?))
}

async fn games(State(app): Shared, Path(run): Path<String>) -> Result<Json<Vec<RunGameView>>, Refusal> {
    Ok(Json(app.lab()?.games(&run).await?))
}

async fn record(State(app): Shared, Path((run, number)): Path<(String, u64)>) -> Result<Response, Refusal> {
    Ok(Json(app.lab()?.record(&run, number).await?).into_response())
}

async fn watch(State(app): Shared, client: ClientAddress, Path(run): Path<String>) -> Result<Response, Refusal> {
    let lab = Arc::clone(app.lab()?);
    let place = app.admission.analysis(client)?;
    // One that is not there is refused before the reply begins.
    lab.view(&run).await?;
    Ok(Lines::open(&app, place).respond::<RunMessage, _>(move |sender| async move { lab.watch(&run, &sender).await }))
}

/// Does what a run would do, as long as somebody looks at it, and keeps nothing.
async fn try_out(
    State(app): Shared,
    client: ClientAddress,
    headers: HeaderMap,
    body: Posted,
) -> Result<Response, Refusal> {
    let engines = Arc::clone(app.lab()?.engines());
    app.origins.check(&headers)?;
    let request: RunRequest = read(&app, body)?;
    // What learns takes as much memory as a run.
    let place = match &request {
        RunRequest::Training(_) => app.admission.run(client)?,
        RunRequest::Tournament(_) | RunRequest::Balance(_) => app.admission.analysis(client)?,
    };
    // Making agents ready takes a while.
    let begun = tokio::task::spawn_blocking(move || work::begin(&request, Before::default(), &engines)).await;
    let work = begun.map_err(|_| Refusal::internal())??;
    let lab = Arc::clone(app.lab()?);
    Ok(Lines::open(&app, place)
        .respond::<RunMessage, _>(move |sender| async move { go_on(&lab, client, work, &sender).await }))
}

async fn go_on(lab: &Lab, client: ClientAddress, mut work: Box<dyn Work>, sender: &Sender) -> Result<(), Stopped> {
    let mut tell_at = Instant::now();
    while !work.is_over() {
        let cancel = CancelFlag::default();
        let request = ThinkingRequest {
            client,
            // All that a client tries out counts as one table in the queue.
            table: "lab".into(),
            wants: SLICE,
            cancel: cancel.clone(),
            begun: Arc::default(),
        };
        let thought = lab.engines().thinking().think(request, move |time| {
            let start = Instant::now();
            let done = work.advance(&mut || start.elapsed() >= time || cancel.is_cancelled());
            // What it has come to may take a while to work out.
            let is_told = done.is_ok() && (work.is_over() || Instant::now() >= tell_at);
            let message = is_told.then(|| RunMessage::Progress {
                n_done: work.n_done(),
                n_total: work.n_total(),
                progress: Some(Box::new(work.progress())),
            });
            (work, done, message)
        });
        let (after, done, message) = thought.await.map_err(|_| Refusal::internal())?;
        done?;
        work = after;
        if let Some(message) = message {
            tell_at = Instant::now() + TOLD;
            sender.send(message).await?;
        }
    }
    Ok(())
}

fn read<T: serde::de::DeserializeOwned>(app: &App, body: Posted) -> Result<T, Refusal> {
    serde_json::from_slice(&body_of(app, body)?).map_err(Refusal::malformed)
}
