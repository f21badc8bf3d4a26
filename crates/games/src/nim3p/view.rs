//! A position as data: the heaps.

use raichi_core::picture::{Area, Picture, Scene, Sketch, View};
use raichi_core::placement::Placements;
use raichi_core::seat::{Seat, Viewer};

use super::rules::{Nim3P, State};
use crate::heaps::Take;

impl View for Nim3P {
    fn picture(&self, scene: &Scene<'_, Self>, _viewer: Viewer) -> Picture {
        let state = scene.state;
        self.setup.picture(&state.heaps, "Heaps of Nim3P")
    }

    fn placements(&self) -> Option<Placements> {
        Some(self.setup.placements("Heaps of Nim3P"))
    }

    fn sheets(&self) -> Vec<Area> {
        self.setup.sheets("Heaps of Nim3P")
    }

    fn path(&self, state: &State, _seat: Seat, action: Take) -> Vec<String> {
        self.setup.path(&state.heaps, action)
    }

    fn sketch(&self, scene: &Scene<'_, Self>, _viewer: Viewer) -> Sketch {
        let state = scene.state;
        self.setup.sketch(&state.heaps)
    }

    fn action_marks(&self, state: &State, _seat: Seat, action: Take) -> Vec<String> {
        self.setup.marks(&state.heaps, action)
    }
}
