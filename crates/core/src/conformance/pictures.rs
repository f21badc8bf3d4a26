//! What is touched to choose an action, and what stands beside the board.

use std::collections::HashSet;

use super::{Place, law};
use crate::chart::Chart;
use crate::drill;
use crate::erased::{AnyMatch, Playable};
use crate::game::Phase;
use crate::picture::{Cell, Picture, PieceKind, Touch};
use crate::position::SetUp;
use crate::seat::Viewer;

impl<G: Playable> Place<'_, G> {
    pub(super) fn paths_of_touches_tell_actions_apart(&self) {
        let Phase::Act(seats) = self.current.phase() else { return };
        for seat in seats.iter() {
            let ids = touchable(&self.current.picture(Viewer::Seat(seat)));
            let touches: Vec<Touch> =
                AnyMatch::touches(self.current, seat).into_iter().map(|touch| self.in_fixed_order(touch)).collect();
            let paths: HashSet<&[String]> = touches.iter().map(|touch| touch.path.as_slice()).collect();
            law!(self, paths.len() == touches.len(), "two actions of seat {seat} share a path: {touches:?}");
            for touch in &touches {
                law!(self, !touch.path.is_empty(), "`{}` has no path", touch.action);
                for id in &touch.path {
                    law!(self, ids.contains(id), "`{}` is chosen by `{id}`, which is not in the picture", touch.action);
                }
                for end in 1..touch.path.len() {
                    let clash = paths.contains(&touch.path[..end]);
                    law!(
                        self,
                        !clash,
                        "the path of `{}` goes on after another action's: {:?}",
                        touch.action,
                        touch.path
                    );
                }
            }
        }
    }

    pub(super) fn charts_are_whole(&self) {
        let seats = (0..self.game().facts().n_seats).map(Viewer::Seat);
        for viewer in seats.chain([Viewer::Spectator, Viewer::Referee]) {
            let fault = fault_of(&self.current.picture(viewer).charts);
            law!(self, fault.is_none(), "{}", fault.unwrap_or_default());
        }
    }

    /// What was met in play can be put by touching: it is drawn as there, and its text is a position with it.
    pub(super) fn what_is_put_by_touching_reads_back(&self) {
        let Some(placements) = self.game().placements() else { return };
        let text = self.game().position_text(self.state(), Viewer::Referee);
        let read = placements.read(&text);
        law!(self, read.is_some(), "`{text}` cannot be put by touching");
        let (arrangement, to_act) = read.unwrap_or_default();
        let drawn = placements.picture(&arrangement);
        let figures = |picture: &Picture| {
            let pieces = picture.areas.first().into_iter().flat_map(|area| &area.pieces);
            let lies = pieces.filter(|piece| piece.kind != PieceKind::Token);
            let mut figures: Vec<String> = lies
                .map(|piece| format!("{} {:?} {:?} {:?}", piece.cell, piece.kind, piece.tone, piece.text))
                .collect();
            figures.sort_unstable();
            figures
        };
        law!(self, figures(&drawn) == figures(&self.current.picture(Viewer::Referee)), "`{text}` is drawn otherwise");
        let put = placements.text(&arrangement, to_act);
        let parsed = self.game().parse_position(&put);
        // What is left out may be what makes it a position: that a king was captured on the last ply.
        if text.split(' ').count() > 2 && parsed.is_err() {
            return;
        }
        law!(self, parsed.is_ok(), "`{put}` is refused: {:?}", parsed.err());
        let Ok(SetUp { state, .. }) = parsed else { return };
        let again = self.game().position_text(&state, Viewer::Referee);
        law!(self, placements.read(&again) == Some((arrangement, to_act)), "`{put}` reads back as `{again}`");
        law!(self, text != put || again == put, "`{put}` reads back as `{again}`");
    }

    /// Columns that are touched as one are those down which pieces fall, and what falls stands upright.
    pub(super) fn what_is_turned_about_does_not_fall(&self) {
        let picture = self.current.picture(Viewer::Referee);
        for area in picture.areas.iter().filter(|area| area.turnable) {
            for cell in area.cells.iter().filter(|cell| cell.touch.is_some()) {
                let is_below = |other: &&Cell| other.touch == cell.touch && other.x == cell.x;
                let n = area.cells.iter().filter(is_below).count();
                law!(self, n < 3, "`{}` is of a column, and {} may be turned about", cell.id, area.title);
            }
        }
    }

    /// Touches that may come in any order, sorted.
    fn in_fixed_order(&self, mut touch: Touch) -> Touch {
        for run in touch.path.chunk_by_mut(|a, b| self.game().any_order(a) && self.game().any_order(b)) {
            run.sort_unstable();
        }
        touch
    }
}

fn touchable(picture: &Picture) -> HashSet<String> {
    let cells = picture.areas.iter().flat_map(|area| &area.cells);
    let lines = picture.areas.iter().flat_map(|area| &area.lines);
    cells
        .map(|cell| cell.touch.as_ref().unwrap_or(&cell.id).clone())
        .chain(lines.filter_map(|line| line.id.clone()))
        .chain(picture.buttons.iter().map(|button| button.id.clone()))
        .collect()
}

/// What a game says whatever the position.
pub(super) fn charts_and_exercises_are_whole<G: Playable>(game: &G, seed: u64) {
    let fault = fault_of(&game.charts());
    assert!(fault.is_none(), "{}: {}", G::ID, fault.unwrap_or_default());
    for sheet in game.sheets() {
        let ids: HashSet<&String> = sheet.cells.iter().map(|cell| &cell.id).collect();
        assert_eq!(ids.len(), sheet.cells.len(), "{}: two places of {} have one id", G::ID, sheet.title);
        assert!(sheet.pieces.is_empty(), "{}: something lies on {}", G::ID, sheet.title);
    }
    for lettering in game.letterings() {
        let written: HashSet<&String> = lettering.texts.iter().map(|(text, _)| text).collect();
        assert_eq!(written.len(), lettering.texts.len(), "{}: {}", G::ID, lettering.title);
    }
    for number in 0..3 {
        let Some(exercise) = game.exercise(number, &mut drill::questions(seed, number)) else { break };
        let said: HashSet<&String> = exercise.answers.iter().flat_map(|answer| [&answer.key, &answer.text]).collect();
        assert!(said.len() >= exercise.answers.len(), "{}: two answers are typed alike: {exercise:?}", G::ID);
        assert!(exercise.right < exercise.answers.len() && !exercise.figures.is_empty(), "{}: {exercise:?}", G::ID);
        assert_eq!(exercise.judge(&exercise.answers[exercise.right].key), Some(true), "{}: {exercise:?}", G::ID);
    }
}

/// The first thing that is wrong with charts that stand side by side.
fn fault_of(charts: &[Chart]) -> Option<String> {
    let ids: HashSet<&str> = charts.iter().map(|chart| chart.id.as_str()).collect();
    let twice = (ids.len() < charts.len()).then(|| "two charts have one id".to_string());
    charts.iter().find_map(Chart::fault).or(twice)
}
