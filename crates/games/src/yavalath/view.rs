//! A position as data: a hexagon of hexagons with discs on it, and a line through the rows that decided.

use raichi_core::game::Game;
use raichi_core::notation::Notation;
use raichi_core::picture::{Area, Picture, PieceKind, Scene, Shape, Sketch, Text, Tone, View};
use raichi_core::placement::{Form, Placements};
use raichi_core::seat::{Seat, Viewer};

use super::notation::STONES;
use super::rules::{State, Yavalath};

const MARGIN: f64 = 0.7;
// From the centre of a hexagon to a corner, and to the next row.
const CORNER: f64 = 0.577_350_269_189_625_8;
const ROW: f64 = 1.5 * CORNER;
/// A board with many small cells needs large letters at its rim.
const COORDINATE: f64 = 0.36;
const MARKS: [&str; 3] = ["X", "O", "#"];

impl View for Yavalath {
    fn picture(&self, scene: &Scene<'_, Self>, _viewer: Viewer) -> Picture {
        let state = scene.state;
        let n_rows = f64::from(self.board.n_rows());
        let mut board =
            Area::board("Yavalath board", n_rows + 2.0 * MARGIN, ROW * (n_rows - 1.0) + 2.0 * CORNER + 0.4).turnable();
        for cell in 0..self.board.n_cells() {
            let (x, y) = self.centre(cell);
            board.cell(self.cell_text(cell), x, y, Shape::Hexagon, Tone::Light);
            if let Some(seat) = self.stone(state, cell) {
                board.piece(self.cell_text(cell), PieceKind::Disc, Tone::Seat(seat as u8));
            }
        }
        for (first, last) in self.deciding_rows(state) {
            board.line(vec![self.centre(first), self.centre(last)], Tone::Accent, 0.2);
        }
        self.add_coordinates(&mut board);
        let mut picture = Picture { areas: vec![board], notes: self.notes(state), ..Picture::default() };
        if self.n_seats == 3 {
            for seat in 0..3 {
                picture.counter(Some(seat), "three in a row", if state.still_in.contains(seat) { "no" } else { "out" });
            }
        }
        if self.may_swap(state) {
            picture.button("swap", "Swap");
        }
        picture
    }

    fn placements(&self) -> Option<Placements> {
        let empty = self.picture(&Scene::of(&self.initial_state()), Viewer::Referee);
        let lengths: Vec<usize> = self.row_lengths().collect();
        let places = (0..lengths.len()).flat_map(|row| (0..lengths[row]).map(move |k| (row, k)));
        let cells = places.map(|(row, k)| self.cell_text(self.cell_from_top(row, k)));
        let on = Placements::on(empty, cells.collect::<Vec<_>>(), Form::Letters(lengths.clone()));
        Some(
            (0..usize::from(self.n_seats)).fold(on, |on, seat| {
                on.piece(self.seat_name(seat), STONES[seat], PieceKind::Disc, Tone::Seat(seat as u8))
            }),
        )
    }

    fn path(&self, state: &State, seat: Seat, action: u8) -> Vec<String> {
        vec![self.action_text(state, seat, action)]
    }

    // With the swap rule the colours change hands, and nobody is called by one.
    fn seat_tone(&self, seat: Seat) -> Tone {
        if self.swap { Tone::Seat(seat as u8) } else { [Tone::White, Tone::Black, Tone::Red][seat] }
    }

    fn sketch(&self, scene: &Scene<'_, Self>, _viewer: Viewer) -> Sketch {
        let state = scene.state;
        let mut sketch = Sketch::default();
        for row in (0..self.board.n_rows()).rev() {
            let indent = usize::from(row.abs_diff(self.board.size - 1));
            sketch.text(format!("{:indent$}{} ", "", letter(row)));
            for k in 0..self.board.row_len(row) {
                let cell = self.board.cell(row, k);
                sketch.text(" ");
                match self.stone(state, cell) {
                    Some(seat) => sketch.tone(MARKS[seat], Tone::Seat(seat as u8)),
                    None => sketch.text("."),
                }
                .at(self.cell_text(cell));
            }
            sketch.text(format!("  {}", self.board.row_len(row))).end_line();
        }
        for seat in 0..usize::from(self.n_seats) {
            let gap = if seat == 0 { "" } else { ", " };
            sketch.text(gap).tone(MARKS[seat], Tone::Seat(seat as u8)).text(format!(" {}", self.seat_name(seat)));
        }
        sketch.end_line();
        for note in self.notes(state) {
            sketch.text(note).end_line();
        }
        sketch
    }

    // A swap is marked where the stone lies.
    fn action_marks(&self, state: &State, _seat: Seat, action: u8) -> Vec<String> {
        let is_marked =
            |cell: &u8| if action == self.swap_action() { self.stone(state, *cell).is_some() } else { *cell == action };
        (0..self.board.n_cells()).filter(is_marked).map(|cell| self.cell_text(cell)).collect()
    }
}

impl Yavalath {
    fn centre(&self, cell: u8) -> (f64, f64) {
        let (row, k) = self.board.row_and_k(cell);
        let indent = 0.5 * f64::from(row.abs_diff(self.board.size - 1));
        let up = f64::from(self.board.n_rows() - 1 - row);
        (MARGIN + indent + f64::from(k) + 0.5, CORNER + 0.2 + ROW * up)
    }

    // A row's letter at its left end, the number of its last cell at its right.
    fn add_coordinates(&self, board: &mut Area) {
        for row in 0..self.board.n_rows() {
            let n_cells = self.board.row_len(row);
            let (x, y) = self.centre(self.board.cell(row, 0));
            board.texts.push(Text {
                x: x - 0.85,
                y,
                text: letter(row).to_string(),
                size: COORDINATE,
                coordinate: true,
            });
            let (x, y) = self.centre(self.board.cell(row, n_cells - 1));
            board.texts.push(Text { x: x + 0.85, y, text: n_cells.to_string(), size: COORDINATE, coordinate: true });
        }
    }

    /// From end to end the rows of three that put seats out, and those of four or more that won.
    fn deciding_rows(&self, state: &State) -> Vec<(u8, u8)> {
        let decides = |seat: Seat, n_stones: usize| match n_stones {
            0..3 => false,
            3 => !state.still_in.contains(seat),
            _ => self.winner_by_four(state) == Some(seat),
        };
        let mut rows = Vec::new();
        for cell in 0..self.board.n_cells() {
            let Some(seat) = self.stone(state, cell) else { continue };
            for row in self.board.rows_from(cell, |other| self.stone(state, other) == Some(seat)) {
                if decides(seat, row.len()) {
                    rows.push((cell, row[row.len() - 1]));
                }
            }
        }
        rows
    }

    fn notes(&self, state: &State) -> Vec<String> {
        let lost = (0..usize::from(self.n_seats)).filter(|&seat| !state.still_in.contains(seat));
        let mut notes: Vec<String> =
            lost.map(|seat| format!("{} has made three in a row.", self.seat_name(seat))).collect();
        if state.end.is_none() && self.must_block(state).is_some() {
            notes.push("The next player could win at once: block, or win yourself.".into());
        }
        notes
    }
}

fn letter(row: u8) -> char {
    (b'a' + row) as char
}
