//! What is touched to choose an action, and what stands beside the board.

use std::collections::HashSet;

use super::{Place, law};
use crate::chart::Chart;
use crate::drill;
use crate::erased::{AnyMatch, Playable};
use crate::game::Phase;
use crate::picture::{Picture, Touch};
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
