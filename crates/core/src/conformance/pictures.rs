//! What is touched to choose an action.

use std::collections::HashSet;

use super::{Place, law};
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
