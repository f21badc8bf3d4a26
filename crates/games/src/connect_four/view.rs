//! A position as data: an upright rack of round holes with the columns' numbers below.

use raichi_core::game::Game;
use raichi_core::notation::Notation;
use raichi_core::picture::{Area, Picture, PieceKind, Scene, Shape, Sketch, Tone, View};
use raichi_core::placement::{Form, Placements};
use raichi_core::seat::{Seat, Viewer};

use super::notation::STONES;
use super::rules::{ConnectFour, State};

const MARKS: [&str; 2] = ["X", "O"];

impl View for ConnectFour {
    fn picture(&self, scene: &Scene<'_, Self>, _viewer: Viewer) -> Picture {
        let state = scene.state;
        let (width, height) = (f64::from(self.width), f64::from(self.height));
        let mut board = Area::board("Connect Four board", width, height + 0.5);
        for column in 0..self.width {
            let x = f64::from(column) + 0.5;
            let touch = touch(column);
            // The rack behind the holes, so that no spot of a column is dead.
            let rack = board.cell(&touch, x, height / 2.0, Shape::Rect { width: 1.0, height }, Tone::Dark);
            rack.label = Some(format!("Column {}", column + 1));
            for row in 0..self.height {
                let y = height - f64::from(row) - 0.5;
                let hole = board.cell(id(column, row), x, y, Shape::Circle { radius: 0.42 }, Tone::Light);
                hole.touch = Some(touch.clone());
                hole.label = Some(format!("Column {}, row {}", column + 1, row + 1));
                if let Some(seat) = self.stone(state, column, row) {
                    board.piece(id(column, row), PieceKind::Disc, Tone::Seat(seat as u8));
                }
            }
            board.coordinate(x, height + 0.25, (column + 1).to_string());
        }
        for line in self.lines(state) {
            let centre = |(column, row)| (f64::from(column) + 0.5, height - f64::from(row) - 0.5);
            board.line(line.map(centre).to_vec(), Tone::Accent, 0.1);
        }
        Picture { areas: vec![board], ..Picture::default() }
    }

    fn placements(&self) -> Option<Placements> {
        let empty = self.picture(&Scene::of(&self.initial_state()), Viewer::Referee);
        let rows = (0..self.height).rev();
        let holes = rows.flat_map(|row| (0..self.width).map(move |column| id(column, row)));
        let form = Form::Letters(vec![self.width.into(); self.height.into()]);
        Some((0..2).fold(Placements::on(empty, holes, form), |on, seat| {
            on.piece(self.seat_name(seat), STONES[seat], PieceKind::Disc, Tone::Seat(seat as u8))
        }))
    }

    fn path(&self, _state: &State, _seat: Seat, action: u8) -> Vec<String> {
        vec![touch(action)]
    }

    fn why_not(&self, state: &State, seat: Seat, touched: &[String]) -> Option<String> {
        let [column] = touched else { return None };
        let column = (0..self.width).find(|&at| touch(at) == *column)?;
        Some(self.why_illegal(state, seat, column))
    }

    fn seat_tone(&self, seat: Seat) -> Tone {
        [Tone::Yellow, Tone::Red][seat]
    }

    fn sketch(&self, scene: &Scene<'_, Self>, _viewer: Viewer) -> Sketch {
        let state = scene.state;
        let mut sketch = Sketch::default();
        for row in (0..self.height).rev() {
            for column in 0..self.width {
                sketch.text("  ");
                match self.stone(state, column, row) {
                    Some(seat) => sketch.tone(MARKS[seat], Tone::Seat(seat as u8)),
                    None => sketch.text("."),
                }
                .at(id(column, row));
            }
            sketch.end_line();
        }
        for column in 1..=self.width {
            sketch.text(format!("{column:3}"));
        }
        sketch.end_line();
        sketch
    }

    fn action_marks(&self, state: &State, _seat: Seat, action: u8) -> Vec<String> {
        vec![id(action, self.landing_row(state, action))]
    }
}

impl ConnectFour {
    // The first and last cell of every four in a row.
    fn lines(&self, state: &State) -> Vec<[(u8, u8); 2]> {
        let mut lines = Vec::new();
        for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
            for (column, row) in (0..self.width).flat_map(|column| (0..self.height).map(move |row| (column, row))) {
                let nth = |n: i8| Some((column.checked_add_signed(n * dx)?, row.checked_add_signed(n * dy)?));
                let stone = |n| {
                    let (column, row) = nth(n).filter(|cell| cell.0 < self.width && cell.1 < self.height)?;
                    self.stone(state, column, row)
                };
                if stone(0).is_some() && (1..4).all(|n| stone(n) == stone(0)) {
                    lines.extend(nth(3).map(|last| [(column, row), last]));
                }
            }
        }
        lines
    }
}

// Column and row from 1, the row from the bottom: `4-1` is the lowest cell of the middle column.
fn id(column: u8, row: u8) -> String {
    format!("{}-{}", column + 1, row + 1)
}

fn touch(column: u8) -> String {
    format!("column:{}", column + 1)
}
