//! What those who run the server ask it: is it alive, is it ready, what does it count. These paths are at the root,
//! also where the rest is under a base path, so that a proxy does not pass them on.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{MatchedPath, Request, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout};

use crate::error::RefusalCode;
use crate::http::App;
use crate::metrics;
use crate::store::Store;

/// How long the store may take to say that it can be written to.
const PATIENCE: Duration = Duration::from_secs(5);
/// For how long what the store said is repeated, so that many who ask do not keep the disk busy.
const FRESH: Duration = Duration::from_secs(1);

pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new().route("/health", get(health)).route("/ready", get(ready)).route("/metrics", get(metrics_text))
}

async fn health() -> &'static str {
    "alive\n"
}

async fn ready(State(app): State<Arc<App>>) -> Response {
    if *app.closing.borrow() {
        return (StatusCode::SERVICE_UNAVAILABLE, "the server is stopping\n").into_response();
    }
    match app.readiness.check(app.hub.common().store.as_ref()).await {
        Ok(()) => "ready\n".into_response(),
        Err(why) => (StatusCode::SERVICE_UNAVAILABLE, format!("{why}\n")).into_response(),
    }
}

async fn metrics_text(State(app): State<Arc<App>>) -> Response {
    ([(CONTENT_TYPE, metrics::CONTENT_TYPE)], app.metrics.to_text()).into_response()
}

/// What the store said last about whether it can be written to.
#[derive(Default)]
pub(crate) struct Readiness(Mutex<Option<(Instant, Result<(), String>)>>);

impl Readiness {
    /// Whether the store can be written to, and if not, why.
    pub(crate) async fn check(&self, store: &dyn Store) -> Result<(), String> {
        // The others wait for the one that asks.
        let mut last = self.0.lock().await;
        if let Some((_, said)) = last.as_ref().filter(|(at, _)| at.elapsed() < FRESH) {
            return said.clone();
        }
        let said = match timeout(PATIENCE, store.ready()).await {
            Ok(ready) => ready.map_err(|why| why.to_string()),
            Err(_) => Err(format!("the database did not respond in {} s", PATIENCE.as_secs())),
        };
        if let Err(why) = &said {
            tracing::warn!(why, "not ready");
        }
        *last = Some((Instant::now(), said.clone()));
        said
    }
}

/// Counts requests and refusals, and logs what failed.
pub(crate) async fn count(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    // A client may send any word as a method.
    let method = match request.method().as_str() {
        known @ ("GET" | "HEAD" | "POST" | "OPTIONS") => known.to_string(),
        _ => "other".into(),
    };
    let path = request.extensions().get::<MatchedPath>().cloned();
    let response = next.run(request).await;
    // Files of the page have no pattern.
    let path = path.as_ref().map_or("page", MatchedPath::as_str);
    let status = response.status();
    app.metrics.responded(&method, path, status.as_u16());
    let code = response.extensions().get().map(|RefusalCode(code)| *code);
    code.into_iter().for_each(|code| app.metrics.refused(code));
    // Of a table that cannot be opened the log says so once, however often somebody asks for it.
    if status.is_server_error() && !matches!(code, Some("table/damaged" | "table/newer")) {
        tracing::error!(method, path, status = status.as_u16(), code, "a request failed");
    }
    response
}
