//! The HTTP side: the lobby, new tables, records, and the page.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes, HttpBody, to_bytes};
use axum::extract::rejection::{BytesRejection, PathRejection, QueryRejection, StringRejection};
use axum::extract::{DefaultBodyLimit, Path, Query, Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri};
use axum::middleware::{self, Next};
use axum::response::Redirect;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use futures_util::StreamExt;
use futures_util::future::ready;
use futures_util::stream::once;
use serde::{Deserialize, Serialize};
use tokio::sync::{Semaphore, watch};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::set_header::SetResponseHeaderLayer;
use tower_http::timeout::TimeoutLayer;
use tower_http::trace::TraceLayer;

use crate::admission::Admission;
use crate::assets::Page;
use crate::client::{ClientAddress, TrustedProxies};
use crate::config::Limits;
use crate::constant::Constant;
use crate::error::{Refusal, RefusalCode};
use crate::hub::{Hub, check_spec};
use crate::lab::{self, Lab};
use crate::library::{self, LibraryQuery};
use crate::lobby::{Text, Texts};
use crate::message::TableRequest;
use crate::metrics::Metrics;
use crate::operations::{self, Readiness};
use crate::origin::Origins;
use crate::reference::{self, Charts};
use crate::store::Wanted;
use crate::variations::{self, RecordWithVariations};
use crate::{analysis, lessons, lobby, placing, ws};

/// The records that are imported at once have at most so many bytes.
const LONGEST_IMPORT: usize = 4 << 20;

/// How long a request may take as a whole.
const REQUEST_TIME: Duration = Duration::from_secs(30);

/// What all requests share.
pub(crate) struct App {
    pub(crate) hub: Hub,
    pub(crate) origins: Origins,
    pub(crate) proxies: TrustedProxies,
    pub(crate) limits: Limits,
    pub(crate) admission: Arc<Admission>,
    /// One permit for each WebSocket.
    pub(crate) websockets: Arc<Semaphore>,
    /// Empty or like `/raichi`: where the page and all paths of the protocol are.
    pub(crate) base_path: String,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) readiness: Readiness,
    /// Unless it is switched off.
    pub(crate) lab: Option<Arc<Lab>>,
    /// Turns true when the server is about to stop.
    pub(crate) closing: watch::Receiver<bool>,
    pub(crate) page: Page,
    /// The lobby as JSON.
    pub(crate) games: Constant,
    /// The rules of each game and what is told about it, as JSON, once they have been asked for.
    pub(crate) texts: Texts,
    pub(crate) charts: Charts,
}

type Shared = State<Arc<App>>;

pub(crate) fn router(app: Arc<App>) -> Router {
    let limited = middleware::from_fn_with_state(Arc::clone(&app), within_limits);
    let plain = Router::new()
        .route("/api/games", get(games))
        .route("/api/rules/{game}", get(rules))
        .route("/api/rules/{game}/{passage}", get(steps_of_rules))
        .route("/api/about/{game}", get(about))
        .route("/api/about/{game}/{passage}", get(steps_of_about))
        .merge(lessons::routes())
        .merge(reference::routes())
        .merge(placing::routes())
        .merge(variations::routes())
        .route("/api/describe", get(describe))
        .route("/api/agents", get(agents))
        .route("/api/tables", post(create))
        .route("/api/tables/{table}/record", get(record))
        .route("/api/tables/{table}/sheet", get(sheet))
        .route("/api/library", get(library_page).post(import).layer(DefaultBodyLimit::max(LONGEST_IMPORT)))
        .route("/api/library/records", get(library_records))
        .merge(lab::routes())
        .route_layer(limited.clone())
        .fallback(page)
        // What is made for one request; what stays the same is compressed already.
        .layer(CompressionLayer::new())
        .layer(TimeoutLayer::with_status_code(StatusCode::REQUEST_TIMEOUT, REQUEST_TIME));
    let policy = app.page.content_security_policy();
    let header = |name: HeaderName, value: HeaderValue| SetResponseHeaderLayer::if_not_present(name, value);
    // Counted last, when the path and the code of a refusal are known.
    let counted = |routes: Router<Arc<App>>| {
        let refuse = async || Refusal::new("path/method", "this path does not take this method");
        routes
            .method_not_allowed_fallback(refuse)
            .layer(middleware::from_fn_with_state(Arc::clone(&app), operations::count))
    };
    // Not compressed and of any length: a WebSocket, and lines that are sent one by one.
    let lasting =
        Router::new().route("/ws/{table}", get(ws::upgrade)).merge(analysis::routes()).merge(lab::lasting_routes());
    let served = lasting.route_layer(limited).merge(plain);
    at_base_path(counted(served), &app)
        .merge(counted(operations::routes()))
        .layer(DefaultBodyLimit::max(app.limits.message_bytes))
        .layer(CatchPanicLayer::custom(|_| Refusal::internal().into_response()))
        .layer(app.origins.cors())
        .layer(header(CONTENT_SECURITY_POLICY, policy))
        .layer(header(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")))
        .layer(header(REFERRER_POLICY, HeaderValue::from_static("no-referrer")))
        .layer(header(HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")))
        .layer(header(CACHE_CONTROL, HeaderValue::from_static("no-store")))
        // What fails is logged where its code is known (`operations::count`).
        .layer(TraceLayer::new_for_http().on_failure(()))
        .with_state(app)
}

/// Where the page is under a path, the root leads there.
fn at_base_path(served: Router<Arc<App>>, app: &Arc<App>) -> Router<Arc<App>> {
    if app.base_path.is_empty() {
        return served;
    }
    let page = format!("{}/", app.base_path);
    let nowhere = async || Refusal::new("path/unknown", "there is nothing at this address");
    Router::new()
        // Not `nest`, which leaves out the path with a slash at its end.
        .nest_service(&app.base_path, served.with_state(Arc::clone(app)))
        .route("/", get(async move || Redirect::temporary(&page)))
        .fallback(nowhere)
}

/// Refuses requests of a client that makes too many, or does not read the replies.
async fn within_limits(
    State(app): Shared,
    client: ClientAddress,
    request: Request,
    next: Next,
) -> Result<Response, Refusal> {
    app.admission.request(client)?;
    let response = next.run(request).await;
    // What is sent in pieces has no length: its pieces count where they are made, if they can be large.
    if response.body().size_hint().exact().is_none() {
        return Ok(response);
    }
    let (parts, body) = response.into_parts();
    let bytes = to_bytes(body, usize::MAX).await.map_err(|why| {
        tracing::error!(%why, "a reply cannot be sent");
        Refusal::internal()
    })?;
    Ok(Response::from_parts(parts, app.admission.reply(client, bytes)?.into()))
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = json(self.status(), &self);
        response.extensions_mut().insert(RefusalCode(self.code));
        response
    }
}

pub(crate) fn json(status: StatusCode, value: &impl Serialize) -> Response {
    let body = serde_json::to_vec(value).expect("responses have only text keys and finite numbers");
    (status, [(CONTENT_TYPE, "application/json")], body).into_response()
}

async fn page(State(app): Shared, method: Method, uri: Uri, headers: HeaderMap) -> Response {
    app.page.respond(&method, uri.path(), &headers)
}

async fn games(State(app): Shared, headers: HeaderMap) -> Response {
    app.games.respond(&headers)
}

type GameOf = Result<Path<String>, PathRejection>;
type PassageOf = Result<Path<(String, usize)>, PathRejection>;

async fn rules(State(app): Shared, headers: HeaderMap, game: GameOf) -> Result<Response, Refusal> {
    let Path(game) = game.map_err(Refusal::malformed)?;
    Ok(app.texts.of(Text::Rules, &game)?.respond(&headers))
}

async fn about(State(app): Shared, headers: HeaderMap, game: GameOf) -> Result<Response, Refusal> {
    let Path(game) = game.map_err(Refusal::malformed)?;
    Ok(app.texts.of(Text::About, &game)?.respond(&headers))
}

async fn steps_of_rules(passage: PassageOf) -> Result<Response, Refusal> {
    steps(Text::Rules, passage)
}

async fn steps_of_about(passage: PassageOf) -> Result<Response, Refusal> {
    steps(Text::About, passage)
}

fn steps(text: Text, passage: PassageOf) -> Result<Response, Refusal> {
    let Path((game, number)) = passage.map_err(Refusal::malformed)?;
    Ok(json(StatusCode::OK, &lobby::steps(text, &game, number)?))
}

#[derive(Deserialize)]
struct DescribeQuery {
    spec: String,
    position: Option<String>,
}

async fn describe(query: Result<Query<DescribeQuery>, QueryRejection>) -> Result<Response, Refusal> {
    let Query(DescribeQuery { spec, position }) = query.map_err(Refusal::malformed)?;
    // Setting up a large board takes a while.
    let described = tokio::task::spawn_blocking(move || lobby::describe(&spec, position.as_deref())).await;
    let description = described.map_err(|why| {
        tracing::error!(%why, "a game cannot be described");
        Refusal::internal()
    })??;
    Ok(json(StatusCode::OK, &description))
}

#[derive(Deserialize)]
struct OptionalSpecQuery {
    spec: Option<String>,
}

async fn agents(
    State(app): Shared,
    query: Result<Query<OptionalSpecQuery>, QueryRejection>,
) -> Result<Response, Refusal> {
    let Query(OptionalSpecQuery { spec }) = query.map_err(Refusal::malformed)?;
    let engines = &app.hub.common().engines;
    let entries = match spec {
        None => engines.all(),
        Some(spec) => {
            check_spec(&spec)?;
            engines.able(raichi_games::game(&spec)?.as_ref())
        }
    };
    Ok(json(StatusCode::OK, &entries))
}

async fn library_page(
    State(app): Shared,
    query: Result<Query<LibraryQuery>, QueryRejection>,
) -> Result<Response, Refusal> {
    let Query(query) = query.map_err(Refusal::malformed)?;
    Ok(json(StatusCode::OK, &library::list(app.hub.common().store.as_ref(), &query).await?))
}

async fn library_records(
    State(app): Shared,
    client: ClientAddress,
    query: Result<Query<LibraryQuery>, QueryRejection>,
) -> Result<Response, Refusal> {
    let Query(query) = query.map_err(Refusal::malformed)?;
    let wanted = library::wanted(&query)?;
    // Where there is no room now, that is said before anything is sent.
    let first = match library::records(app.hub.common().store.as_ref(), wanted).await? {
        Some((lines, wanted)) => Some((app.admission.reply(client, lines.into())?, wanted)),
        None => None,
    };
    let rest = |wanted| {
        futures_util::stream::try_unfold(wanted, move |wanted| {
            let app = Arc::clone(&app);
            async move { next_records(&app, client, wanted).await.map_err(|why| std::io::Error::other(why.message)) }
        })
    };
    let body = match first {
        Some((lines, wanted)) => Body::from_stream(once(ready(Ok(lines))).chain(rest(wanted))),
        None => Body::empty(),
    };
    let headers =
        [(CONTENT_TYPE, "application/jsonl"), (CONTENT_DISPOSITION, "attachment; filename=\"raichi-games.jsonl\"")];
    Ok((headers, body).into_response())
}

/// The next records of a download, and where to go on. It waits where much else that is large waits for the client to read it.
async fn next_records(app: &App, client: ClientAddress, wanted: Wanted) -> Result<Option<(Bytes, Wanted)>, Refusal> {
    loop {
        let records = library::records(app.hub.common().store.as_ref(), wanted.clone()).await?;
        let Some((lines, rest)) = records else { return Ok(None) };
        let n = lines.len();
        match app.admission.reply(client, lines.into()) {
            Ok(lines) => return Ok(Some((lines, rest))),
            // They are not kept meanwhile, since nothing would count them.
            Err(_) => app.admission.room(client, n).await,
        }
    }
}

async fn import(
    State(app): Shared,
    client: ClientAddress,
    headers: HeaderMap,
    body: Result<String, StringRejection>,
) -> Result<Response, Refusal> {
    app.origins.check(&headers)?;
    let text = body.map_err(|why| match why.status() {
        StatusCode::PAYLOAD_TOO_LARGE => Refusal::too_large(LONGEST_IMPORT),
        _ => Refusal::malformed(why),
    })?;
    Ok(json(StatusCode::OK, &app.hub.import(text, client).await?))
}

async fn create(
    State(app): Shared,
    client: ClientAddress,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, Refusal> {
    app.origins.check(&headers)?;
    let request: TableRequest = serde_json::from_slice(&body_of(&app, body)?).map_err(Refusal::malformed)?;
    Ok(json(StatusCode::CREATED, &app.hub.create(request, client).await?))
}

/// What was posted, unless it is too large.
pub(crate) fn body_of(app: &App, body: Result<Bytes, BytesRejection>) -> Result<Bytes, Refusal> {
    body.map_err(|why| match why.status() {
        StatusCode::PAYLOAD_TOO_LARGE => Refusal::too_large(app.limits.message_bytes),
        _ => Refusal::malformed(why),
    })
}

async fn sheet(State(app): Shared, Path(table): Path<String>) -> Result<Response, Refusal> {
    let record = app.hub.record(&table).await?;
    // Playing a long game again takes a while.
    let sheet = tokio::task::spawn_blocking(move || library::sheet(&record)).await.map_err(|why| {
        tracing::error!(%why, "a score sheet cannot be made");
        Refusal::internal()
    })??;
    Ok(([(CONTENT_TYPE, "text/plain; charset=utf-8")], sheet).into_response())
}

async fn record(State(app): Shared, Path(table): Path<String>) -> Result<Response, Refusal> {
    let record = app.hub.record(&table).await?;
    let variations = app.hub.common().store.variations(&table).await?.lines;
    Ok(json(StatusCode::OK, &RecordWithVariations { record, variations }))
}
