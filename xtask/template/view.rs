//! A position as data: a row of sticks. Touching a stick takes it and all to its right.

use raichi_core::picture::{Area, Picture, PieceKind, Scene, Shape, Sketch, Tone, View};
use raichi_core::seat::{Seat, Viewer};

use super::rules::{State, TakeAway};

impl View for TakeAway {
    fn picture(&self, scene: &Scene<'_, Self>, _viewer: Viewer) -> Picture {
        let state = scene.state;
        let mut heap = Area::board("Heap", f64::from(self.size), 1.0);
        for stick in 0..self.size {
            heap.cell(id(stick), f64::from(stick) + 0.5, 0.5, Shape::Square, Tone::Plain);
            if stick < state.items {
                heap.piece(id(stick), PieceKind::Stick, Tone::Neutral);
            }
        }
        let mut picture = Picture { areas: vec![heap], ..Picture::default() };
        picture.counter(None, "items", state.items);
        picture
    }

    fn path(&self, state: &State, _seat: Seat, action: u8) -> Vec<String> {
        vec![id(state.items - action)]
    }

    fn sketch(&self, scene: &Scene<'_, Self>, _viewer: Viewer) -> Sketch {
        let items = scene.state.items;
        let mut sketch = Sketch::default();
        sketch.text(format!("{}  {}", "|".repeat(items.into()), items)).end_line();
        sketch
    }
}

fn id(stick: u8) -> String {
    format!("stick:{stick}")
}
