//! A position as data: a rhombus of hexagons, each pair of rims in its seat's colour.

use raichi_core::game::Game;
use raichi_core::notation::Notation;
use raichi_core::picture::{Area, Picture, PieceKind, Scene, Shape, Sketch, Text, Tone, View};
use raichi_core::placement::{Form, Placements};
use raichi_core::seat::{Seat, Viewer};

use super::notation::STONES;
use super::rules::{Hex, State};

const MARGIN: f64 = 0.7;
// From the centre of a hexagon to a corner, and to the next row.
const CORNER: f64 = 0.577_350_269_189_625_8;
const ROW: f64 = 1.5 * CORNER;
/// A board with many small cells needs large letters at its rim.
const COORDINATE: f64 = 0.46;
const MARKS: [&str; 2] = ["X", "O"];

impl View for Hex {
    fn picture(&self, scene: &Scene<'_, Self>, _viewer: Viewer) -> Picture {
        let state = scene.state;
        let size = f64::from(self.board.size);
        let (width, height) = (1.5 * size - 0.5 + 2.0 * MARGIN, ROW * (size - 1.0) + 2.0 * (CORNER + MARGIN));
        let mut board = Area::board("Hex board", width, height).turnable();
        for cell in 0..self.board.n_cells() {
            let (x, y) = self.centre(cell);
            board.cell(self.cell_text(cell), x, y, Shape::Hexagon, Tone::Light);
            if let Some(seat) = self.stone(state, cell) {
                board.piece(self.cell_text(cell), PieceKind::Disc, Tone::Seat(seat as u8));
            }
        }
        for (seat, rim) in self.rims() {
            // A rim of the sheet's own colour would not be seen without a line below.
            board.line(rim.clone(), Tone::Plain, 0.26);
            board.line(rim, Tone::Seat(seat), 0.18);
        }
        self.add_coordinates(&mut board);
        let mut picture = Picture { areas: vec![board], ..Picture::default() };
        // In words that stay true when the board is turned.
        let last = u16::from(self.board.size) - 1;
        let (row, column) = (last + 1, letter(last));
        picture.notes.push(format!("Black joins row 1 and row {row}, White column a and column {column}."));
        if self.may_swap(state) {
            picture.button("swap", "Swap");
        }
        picture
    }

    fn placements(&self) -> Option<Placements> {
        let empty = self.picture(&Scene::of(&self.initial_state()), Viewer::Referee);
        let size = usize::from(self.board.size);
        let rows = (0..size).flat_map(|row| (0..size).map(move |column| (column, row)));
        let cells = rows.map(|(column, row)| self.cell_text(self.board.cell(column, row)));
        let form = Form::Letters(vec![size; size]);
        Some((0..2).fold(Placements::on(empty, cells, form), |on, seat| {
            on.piece(self.seat_name(seat), STONES[seat], PieceKind::Disc, Tone::Seat(seat as u8))
        }))
    }

    fn path(&self, state: &State, seat: Seat, action: u16) -> Vec<String> {
        vec![self.action_text(state, seat, action)]
    }

    fn seat_tone(&self, seat: Seat) -> Tone {
        [Tone::Black, Tone::White][seat]
    }

    fn sketch(&self, scene: &Scene<'_, Self>, _viewer: Viewer) -> Sketch {
        let state = scene.state;
        let size = u16::from(self.board.size);
        let mut sketch = Sketch::default();
        sketch.text("  ");
        for column in 0..size {
            sketch.text(format!(" {}", letter(column)));
        }
        sketch.end_line();
        for row in 0..size {
            sketch.text(format!("{:indent$}{:>2} ", "", row + 1, indent = usize::from(row)));
            for column in 0..size {
                match self.stone(state, row * size + column) {
                    Some(seat) => sketch.tone(MARKS[seat], Tone::Seat(seat as u8)),
                    None => sketch.text("."),
                }
                .at(self.cell_text(row * size + column));
                sketch.text(if column + 1 < size { " " } else { "\n" });
            }
        }
        sketch
    }

    // A swap is marked where the stone comes to lie.
    fn action_marks(&self, state: &State, _seat: Seat, action: u16) -> Vec<String> {
        if action != self.swap_action() {
            return vec![self.cell_text(action)];
        }
        let mut after = *state;
        self.swap(&mut after);
        (0..self.board.n_cells())
            .filter(|&cell| self.stone(&after, cell).is_some())
            .map(|cell| self.cell_text(cell))
            .collect()
    }
}

impl Hex {
    fn centre(&self, cell: u16) -> (f64, f64) {
        let (column, row) =
            (f64::from(cell % u16::from(self.board.size)), f64::from(cell / u16::from(self.board.size)));
        (MARGIN + 0.5 + column + 0.5 * row, MARGIN + CORNER + ROW * row)
    }

    // Along the corners of the outer cells, from a corner of the rhombus to the next.
    fn rims(&self) -> [(u8, Vec<(f64, f64)>); 4] {
        let size = u16::from(self.board.size);
        let corners = |cells: &mut dyn Iterator<Item = u16>, offsets: [(f64, f64); 3]| {
            let mut points = Vec::new();
            for cell in cells {
                let (x, y) = self.centre(cell);
                points.extend(offsets.map(|(dx, dy)| (x + dx, y + dy)));
            }
            points.dedup_by(|a, b| (a.0 - b.0).abs() < 1e-9 && (a.1 - b.1).abs() < 1e-9);
            points
        };
        let (side, half) = (0.5, CORNER / 2.0);
        let top = corners(&mut (0..size), [(-side, -half), (0.0, -CORNER), (side, -half)]);
        let bottom = corners(&mut (size * (size - 1)..size * size), [(-side, half), (0.0, CORNER), (side, half)]);
        let mut left = corners(&mut (0..size).map(|row| row * size), [(-side, -half), (-side, half), (0.0, CORNER)]);
        let mut right =
            corners(&mut (1..=size).map(|row| row * size - 1), [(0.0, -CORNER), (side, -half), (side, half)]);
        // The corners of the rhombus are the ends of the other two.
        left.pop();
        right.remove(0);
        [(0, top), (0, bottom), (1, left), (1, right)]
    }

    fn add_coordinates(&self, board: &mut Area) {
        let size = u16::from(self.board.size);
        for i in 0..size {
            let (x, y) = self.centre(i);
            board.texts.push(Text {
                x: x - 0.3,
                y: y - CORNER - 0.35,
                text: letter(i).to_string(),
                size: COORDINATE,
                coordinate: true,
            });
            let (x, y) = self.centre(i * size);
            board.texts.push(Text { x: x - 0.9, y, text: (i + 1).to_string(), size: COORDINATE, coordinate: true });
        }
    }
}

fn letter(column: u16) -> char {
    (b'a' + column as u8) as char
}
