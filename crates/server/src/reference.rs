//! What stands beside the board of a game and on paper: its charts, the letterings of its pieces, sheets to be printed, and
//! the questions of its drill.
//!
//! It depends on nothing but a spec. Charts that an engine works out take a second of one core, so there is one at a time,
//! and those asked for last are kept.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use raichi_arena::report::print;
use raichi_core::AnyGame;
use raichi_core::chart::{Chart, Lettering};
use raichi_core::drill::Exercise;
use serde::{Deserialize, Serialize};
use tokio::sync::Semaphore;

use crate::error::Refusal;
use crate::http::{App, json};
use crate::hub::check_spec;

/// So many games' charts are kept.
const N_KEPT: usize = 32;

/// A drill has at most so many questions at once.
const MOST_EXERCISES: usize = 100;

/// What a printed page may do: show itself, with the fonts and styles in it.
const PRINT_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; font-src data:; base-uri 'none'; \
                            form-action 'none'; frame-ancestors 'none'";

/// What a game has beside its board.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Reference {
    pub(crate) charts: Vec<Chart>,
    /// Ways of writing what stands on the pieces, the game's own first; none where there is only that one.
    pub(crate) letterings: Vec<Lettering>,
}

pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/api/reference", get(reference))
        .route("/api/print", get(sheets))
        .route("/api/drill", get(drill))
}

/// The charts of games, once they have been asked for.
pub(crate) struct Charts {
    /// By canonical spec, latest first.
    kept: Mutex<VecDeque<(String, Arc<Vec<Chart>>)>>,
    working: Semaphore,
}

impl Default for Charts {
    fn default() -> Charts {
        Charts { kept: Mutex::default(), working: Semaphore::new(1) }
    }
}

impl Charts {
    async fn of(&self, game: &Arc<dyn AnyGame>) -> Result<Arc<Vec<Chart>>, Refusal> {
        if let Some(found) = self.find(game.spec()) {
            return Ok(found);
        }
        let _turn = self.working.acquire().await.map_err(|_| Refusal::internal())?;
        // Somebody before may have asked for the same.
        if let Some(found) = self.find(game.spec()) {
            return Ok(found);
        }
        let asked = Arc::clone(game);
        let made = tokio::task::spawn_blocking(move || Arc::new(raichi_agents::charts(&*asked))).await;
        let made = made.map_err(|why| {
            tracing::error!(%why, "the charts of a game cannot be made");
            Refusal::internal()
        })?;
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push_front((game.spec().into(), Arc::clone(&made)));
        kept.truncate(N_KEPT);
        Ok(made)
    }

    fn find(&self, spec: &str) -> Option<Arc<Vec<Chart>>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let place = kept.iter().position(|(known, _)| known == spec)?;
        let found = kept.remove(place)?;
        let charts = Arc::clone(&found.1);
        kept.push_front(found);
        Some(charts)
    }
}

fn game_of(spec: &str) -> Result<Arc<dyn AnyGame>, Refusal> {
    check_spec(spec)?;
    Ok(raichi_games::game(spec)?)
}

#[derive(Deserialize)]
struct ReferenceQuery {
    spec: String,
}

async fn reference(
    State(app): State<Arc<App>>,
    query: Result<Query<ReferenceQuery>, QueryRejection>,
) -> Result<Response, Refusal> {
    let Query(ReferenceQuery { spec }) = query.map_err(Refusal::malformed)?;
    let game = game_of(&spec)?;
    let charts = app.charts.of(&game).await?;
    let reference = Reference { charts: charts.to_vec(), letterings: game.letterings() };
    Ok(json(StatusCode::OK, &reference))
}

#[derive(Deserialize)]
struct PrintQuery {
    spec: String,
    /// The ids of the sheets, with commas between them; all where it is left out.
    what: Option<String>,
}

async fn sheets(
    State(app): State<Arc<App>>,
    query: Result<Query<PrintQuery>, QueryRejection>,
) -> Result<Response, Refusal> {
    let Query(PrintQuery { spec, what }) = query.map_err(Refusal::malformed)?;
    let game = game_of(&spec)?;
    let charts = app.charts.of(&game).await?;
    let wanted: Vec<String> =
        what.iter().flat_map(|what| what.split(',')).filter(|id| !id.is_empty()).map(String::from).collect();
    // Setting up a large board takes a while.
    let made = tokio::task::spawn_blocking(move || print::html(&*game, &charts, &wanted)).await;
    let page = made.map_err(|why| {
        tracing::error!(%why, "sheets cannot be made");
        Refusal::internal()
    })?;
    let page = page.map_err(|why| Refusal::new("print/unknown-sheet", why.to_string()))?;
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (CONTENT_SECURITY_POLICY, HeaderValue::from_static(PRINT_POLICY)),
    ];
    Ok((headers, page).into_response())
}

#[derive(Deserialize)]
struct DrillQuery {
    spec: String,
    seed: u64,
    n: usize,
}

async fn drill(query: Result<Query<DrillQuery>, QueryRejection>) -> Result<Response, Refusal> {
    let Query(DrillQuery { spec, seed, n }) = query.map_err(Refusal::malformed)?;
    let game = game_of(&spec)?;
    if n == 0 || n > MOST_EXERCISES {
        let why = format!("a drill has 1 to {MOST_EXERCISES} questions, not {n}");
        return Err(Refusal::new("drill/number", why));
    }
    let exercises: Vec<Exercise> = (0..n).map_while(|number| game.exercise(seed, number)).collect();
    if exercises.is_empty() {
        return Err(Refusal::new("drill/none", format!("there is no drill of {}", game.id())));
    }
    Ok(json(StatusCode::OK, &exercises))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn charts_are_made_once_for_a_game_with_its_parameters() {
        let charts = Charts::default();
        let game = |spec: &str| raichi_games::game(spec).unwrap();
        let first = charts.of(&game("al-jabar")).await.unwrap();
        assert!(Arc::ptr_eq(&first, &charts.of(&game("al-jabar:players=2")).await.unwrap()), "the same game");
        let other = charts.of(&game("al-jabar:group=3/3")).await.unwrap();
        assert!(other[0].rows.len() == 9 && first[0].rows.len() == 8);
        for i in 0..N_KEPT {
            charts.of(&game(&format!("black:rows={},columns={}", 2 + i % 15, 2 + i / 15))).await.unwrap();
        }
        assert_eq!(charts.kept.lock().unwrap().len(), N_KEPT);
    }
}
