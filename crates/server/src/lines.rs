//! A reply in lines of JSON, each sent as soon as it is known. When the client goes, what makes the lines is dropped.

use std::convert::Infallible;
use std::future::Future;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::http::header::{CONTENT_TYPE, HeaderName};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use serde::Serialize;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;

use crate::admission::Place;
use crate::error::Refusal;
use crate::http::App;
use crate::metrics::Counted;

/// Lines that may wait for a slow client; their writer waits too.
const WAITING: usize = 4;

/// Proxies that gather a reply before they pass it on are asked not to.
const BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

/// A reply that is about to begin.
pub(crate) struct Lines {
    place: Place,
    counted: Counted,
    closing: watch::Receiver<bool>,
}

/// The client has gone.
pub(crate) struct Gone;

/// Why a reply ends before its end.
pub(crate) enum Stopped {
    Gone,
    Refused(Refusal),
}

impl From<Gone> for Stopped {
    fn from(_: Gone) -> Stopped {
        Stopped::Gone
    }
}

impl From<Refusal> for Stopped {
    fn from(refusal: Refusal) -> Stopped {
        Stopped::Refused(refusal)
    }
}

/// What the last line says.
pub(crate) enum Ending {
    Whole,
    Refused(Refusal),
}

/// Where lines are sent to.
#[derive(Clone)]
pub(crate) struct Sender(mpsc::Sender<Bytes>);

impl Sender {
    pub(crate) async fn send(&self, message: impl Serialize) -> Result<(), Gone> {
        self.send_line(line(&message)).await
    }

    pub(crate) async fn send_line(&self, line: Bytes) -> Result<(), Gone> {
        self.0.send(line).await.map_err(|_| Gone)
    }
}

/// A message as a line.
pub(crate) fn line(message: &impl Serialize) -> Bytes {
    let mut line = serde_json::to_vec(message).expect("messages have only text keys and finite numbers");
    line.push(b'\n');
    line.into()
}

impl Lines {
    /// Takes a place until the reply has ended.
    pub(crate) fn open(app: &Arc<App>, place: Place) -> Lines {
        Lines { place, counted: Counted::in_gauge(&app.metrics.analyses), closing: app.closing.clone() }
    }

    /// The reply that `make` sends the lines of; `L` has what the last of them may be.
    pub(crate) fn respond<L, F>(self, make: impl FnOnce(Sender) -> F) -> Response
    where
        L: From<Ending> + Serialize + Send + 'static,
        F: Future<Output = Result<(), Stopped>> + Send + 'static,
    {
        let (lines, received) = mpsc::channel(WAITING);
        let sender = Sender(lines);
        let making = make(sender.clone());
        let Lines { place, counted, mut closing } = self;
        let mut task = JoinSet::new();
        task.spawn(async move {
            let made = tokio::select! {
                made = making => made,
                _ = closing.changed() => return,
            };
            let last = match made {
                Ok(()) => Ending::Whole,
                Err(Stopped::Refused(refusal)) => Ending::Refused(refusal),
                Err(Stopped::Gone) => return,
            };
            // A client that has gone need not be told.
            let _ = sender.send(L::from(last)).await;
        });
        // The task ends with the body.
        let state = (received, task, place, counted);
        let body = stream::unfold(state, async |mut state| {
            let line = state.0.recv().await?;
            Some((Ok::<_, Infallible>(line), state))
        });
        ([(CONTENT_TYPE, "application/x-ndjson"), (BUFFERING, "no")], Body::from_stream(body)).into_response()
    }
}
