//! A position as data: the heaps.

use raichi_core::picture::{Picture, Sketch, View};
use raichi_core::seat::{Seat, Viewer};

use super::rules::{Nim, State};
use crate::heaps::Take;

impl View for Nim {
    fn picture(&self, state: &State, _viewer: Viewer) -> Picture {
        self.setup.picture(&state.heaps, "Heaps of Nim")
    }

    fn path(&self, state: &State, _seat: Seat, action: Take) -> Vec<String> {
        self.setup.path(&state.heaps, action)
    }

    fn sketch(&self, state: &State, _viewer: Viewer) -> Sketch {
        self.setup.sketch(&state.heaps)
    }

    fn action_marks(&self, state: &State, _seat: Seat, action: Take) -> Vec<String> {
        self.setup.marks(&state.heaps, action)
    }
}
