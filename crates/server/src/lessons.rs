//! Lessons: what is learned in each game, and what a try of a learner comes to.
//!
//! Nothing is kept: a request says which step it is about and what was played in it so far. What does it is told only to
//! who asks for it.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, PathRejection};
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Json, Router};
use raichi_core::lesson::{Course, Judged, Step};
use raichi_core::{AnyGame, AnyMatch};
use serde::{Deserialize, Serialize};

use crate::analysis::message::AnalysedPosition;
use crate::analysis::source::Position;
use crate::choices::Choices;
use crate::error::Refusal;
use crate::http::{App, body_of};

/// A lesson with its steps.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct LessonView {
    pub(crate) title: String,
    pub(crate) steps: Vec<StepView>,
}

/// What the page shows of a step, besides its position.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct StepView {
    pub(crate) title: String,
    /// Of a problem how hard it is, from 1 to 5.
    pub(crate) grade: Option<u8>,
    /// Markdown.
    pub(crate) text: String,
    pub(crate) task: String,
    /// The answers to choose from, where the step is a question.
    pub(crate) answers: Vec<String>,
}

/// What a learner does in a step.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(default)]
pub(crate) struct TryRequest {
    /// The plies so far in this step, as a history writes them.
    #[cfg_attr(test, ts(as = "Option<_>", optional))]
    pub(crate) line: Vec<String>,
    /// What is tried, as a history writes it.
    #[cfg_attr(test, ts(optional))]
    pub(crate) token: Option<String>,
    /// What a question is answered with.
    #[cfg_attr(test, ts(optional))]
    pub(crate) answer: Option<String>,
    /// Whether to tell what was meant.
    #[cfg_attr(test, ts(as = "Option<_>", optional))]
    pub(crate) show: bool,
}

/// What follows in a step where the graph of touches is cut off.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct NarrowStep {
    pub(crate) line: Vec<String>,
    pub(crate) touched: Vec<String>,
}

/// The position of a step, and what a try came to.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct TryView {
    pub(crate) position: AnalysedPosition,
    /// The plies so far in this step, those of the others and of chance too.
    pub(crate) line: Vec<String>,
    /// Null where nothing was tried.
    pub(crate) verdict: Option<VerdictView>,
    /// What is said to it, a sentence or more.
    pub(crate) said: String,
    /// Actions, or the answer, that do what is asked; where it was asked for.
    pub(crate) shown: Vec<String>,
}

/// What a try came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum VerdictView {
    Right,
    Wrong,
    GoesOn,
}

pub(crate) fn routes() -> Router<Arc<App>> {
    let of = |name: &str, shelf: Shelf| {
        Router::new()
            .route(&format!("/api/{name}/{{game}}"), get(lessons))
            .route(&format!("/api/{name}/{{game}}/{{lesson}}/{{step}}"), post(tried))
            .route(&format!("/api/{name}/{{game}}/{{lesson}}/{{step}}/narrow"), post(narrow))
            .layer(Extension(shelf))
    };
    of("lessons", Shelf::Lessons).merge(of("problems", Shelf::Problems))
}

/// What is asked for: what is taught, or what is to be solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shelf {
    Lessons,
    Problems,
}

async fn lessons(
    Extension(shelf): Extension<Shelf>,
    game: Result<Path<String>, PathRejection>,
) -> Result<Response, Refusal> {
    let Path(game) = game.map_err(Refusal::malformed)?;
    let views: Vec<LessonView> = course(shelf, &game)?
        .lesson
        .iter()
        .map(|lesson| LessonView { title: lesson.title.clone(), steps: lesson.step.iter().map(told).collect() })
        .collect();
    Ok(Json(views).into_response())
}

fn told(step: &Step) -> StepView {
    let answers = rules_of(step).map(|game| step.answers(&*game)).unwrap_or_default();
    StepView { title: step.title.clone(), grade: step.grade, text: step.text.clone(), task: step.task.clone(), answers }
}

fn course(shelf: Shelf, game: &str) -> Result<Course, Refusal> {
    let rooms = raichi_games::rooms(game)?;
    let text = match shelf {
        Shelf::Lessons => rooms.lesson,
        Shelf::Problems => rooms.problems,
    };
    Course::parse(text).map_err(|why| {
        tracing::error!(%why, "a lesson cannot be read");
        Refusal::internal()
    })
}

/// How many problems the game with this id has.
pub(crate) fn n_problems(game: &str) -> usize {
    course(Shelf::Problems, game).map_or(0, |course| course.lesson.iter().map(|lesson| lesson.step.len()).sum())
}

fn rules_of(step: &Step) -> Result<Arc<dyn AnyGame>, Refusal> {
    Ok(raichi_games::game(&step.game)?)
}

/// The step with these numbers, from 1.
fn step_of(shelf: Shelf, game: &str, lesson: usize, step: usize) -> Result<Step, Refusal> {
    let nothing = || Refusal::new("lesson/unknown", format!("{game} has no lesson {lesson} with a step {step}"));
    let course = course(shelf, game)?;
    let found = course.lesson.get(lesson.wrapping_sub(1)).and_then(|lesson| lesson.step.get(step.wrapping_sub(1)));
    found.cloned().ok_or_else(nothing)
}

type Address = Result<Path<(String, usize, usize)>, PathRejection>;

async fn tried(
    State(app): State<Arc<App>>,
    Extension(shelf): Extension<Shelf>,
    headers: HeaderMap,
    address: Address,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, Refusal> {
    app.origins.check(&headers)?;
    let Path((game, lesson, number)) = address.map_err(Refusal::malformed)?;
    let request: TryRequest = serde_json::from_slice(&body_of(&app, body)?).map_err(Refusal::malformed)?;
    let step = step_of(shelf, &game, lesson, number)?;
    let view = tokio::task::spawn_blocking(move || try_step(&step, &request)).await;
    let view = view.map_err(|why| {
        tracing::error!(%why, "a try cannot be judged");
        Refusal::internal()
    })??;
    Ok((StatusCode::OK, Json(view)).into_response())
}

async fn narrow(
    State(app): State<Arc<App>>,
    Extension(shelf): Extension<Shelf>,
    headers: HeaderMap,
    address: Address,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, Refusal> {
    app.origins.check(&headers)?;
    let Path((game, lesson, number)) = address.map_err(Refusal::malformed)?;
    let NarrowStep { line, touched } = serde_json::from_slice(&body_of(&app, body)?).map_err(Refusal::malformed)?;
    let step = step_of(shelf, &game, lesson, number)?;
    let narrowed = tokio::task::spawn_blocking(move || {
        let rules = rules_of(&step)?;
        let opened = opened(&step, &*rules)?;
        let current = reached(&step, &*rules, &line)?;
        let seat = step.learner(&*opened);
        let nothing = || Refusal::new("play/no-path", "no legal action goes on from these touches");
        Choices::after(&*current, seat, &current.touches(seat), &touched).ok_or_else(nothing)
    });
    let choices = narrowed.await.map_err(|why| {
        tracing::error!(%why, "what goes on in a step cannot be told");
        Refusal::internal()
    })??;
    Ok((StatusCode::OK, Json(choices)).into_response())
}

fn opened(step: &Step, rules: &dyn AnyGame) -> Result<Box<dyn AnyMatch>, Refusal> {
    step.open(rules).map_err(|why| {
        tracing::error!(%why, "a step of a lesson cannot be opened");
        Refusal::internal()
    })
}

/// The position of the step after these plies.
fn reached(step: &Step, rules: &dyn AnyGame, line: &[String]) -> Result<Box<dyn AnyMatch>, Refusal> {
    let mut current = opened(step, rules)?;
    current.play_history(&line.join(" "))?;
    Ok(current)
}

fn try_step(step: &Step, request: &TryRequest) -> Result<TryView, Refusal> {
    let rules = rules_of(step)?;
    let opened = opened(step, &*rules)?;
    let mut current = reached(step, &*rules, &request.line)?;
    let internal = |_| Refusal::internal();
    let judged = match (&request.token, &request.answer) {
        (Some(token), _) => Some(step.play(&mut *current, &*opened, token)?),
        (None, Some(answer)) => Some(step.judge_answer(&*rules, answer).map_err(internal)?),
        (None, None) => None,
    };
    let shown = if request.show { step.shown(&*rules).map_err(internal)? } else { Vec::new() };
    let (verdict, said) = match judged {
        None => (None, String::new()),
        Some(Judged::Right { said }) => (Some(VerdictView::Right), said),
        Some(Judged::Wrong { said }) => (Some(VerdictView::Wrong), said),
        Some(Judged::GoesOn { said }) => (Some(VerdictView::GoesOn), said),
    };
    let n_before = opened.n_plies();
    let line = current.plies()[n_before..].iter().map(|ply| ply.token(raichi_core::Viewer::Referee)).collect();
    let viewer = step.viewer(&*opened);
    let occupants = vec![None; rules.facts().n_seats];
    let position =
        Position { rules, current, is_set_up: false, viewer, draw: None, occupants, n_own: n_before, result: None };
    Ok(TryView { position: position.told(usize::MAX), line, verdict, said, shown })
}

#[cfg(test)]
mod tests {
    use raichi_games::ROOMS;

    use super::*;

    #[test]
    fn what_is_shown_does_every_step() {
        let all = ROOMS.iter().flat_map(|rooms| [(Shelf::Lessons, rooms), (Shelf::Problems, rooms)]);
        for (shelf, rooms) in all {
            for (i, lesson) in course(shelf, rooms.id).unwrap().lesson.iter().enumerate() {
                for j in 0..lesson.step.len() {
                    let step = step_of(shelf, rooms.id, i + 1, j + 1).unwrap();
                    let view = try_step(&step, &TryRequest { show: true, ..TryRequest::default() }).unwrap();
                    assert!(view.verdict.is_none() && !view.shown.is_empty(), "{}: {}", rooms.id, step.title);
                    let mut line = Vec::new();
                    let mut verdict = None;
                    for shown in view.shown {
                        let is_question = step.is_question();
                        let (token, answer) = if is_question { (None, Some(shown)) } else { (Some(shown), None) };
                        let request = TryRequest { line, token, answer, show: false };
                        let after = try_step(&step, &request).unwrap();
                        assert!(after.shown.is_empty());
                        (line, verdict) = (after.line, after.verdict);
                    }
                    assert_eq!(verdict, Some(VerdictView::Right), "{}: {}", rooms.id, step.title);
                }
            }
        }
    }

    #[test]
    fn what_is_not_there_is_refused() {
        assert_eq!(step_of(Shelf::Lessons, "tic-tac-toe", 0, 1).unwrap_err().code, "lesson/unknown");
        assert_eq!(step_of(Shelf::Lessons, "tic-tac-toe", 1, 99).unwrap_err().code, "lesson/unknown");
        assert_eq!(step_of(Shelf::Lessons, "chess", 1, 1).unwrap_err().code, "spec/unknown-game");
        let step = step_of(Shelf::Lessons, "tic-tac-toe", 1, 1).unwrap();
        let request = |line: &str, token: &str| TryRequest {
            line: line.split_whitespace().map(String::from).collect(),
            token: Some(token.into()),
            ..TryRequest::default()
        };
        assert_eq!(try_step(&step, &request("", "a1")).unwrap_err().code, "play/illegal");
        assert_eq!(try_step(&step, &request("a1", "c3")).unwrap_err().code, "play/illegal");
    }
}
