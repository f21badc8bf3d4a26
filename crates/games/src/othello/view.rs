//! A position as data: a green board, a disc a cell, and how many each seat has.

use raichi_core::game::Game;
use raichi_core::notation::Notation;
use raichi_core::picture::{Area, Picture, PieceKind, Scene, Shape, Sketch, Tone, View};
use raichi_core::placement::{Form, Placements};
use raichi_core::seat::{Seat, Viewer};

use super::board::{Cell, Cells, each};
use super::notation::DISCS;
use super::rules::{Action, Othello, State};

/// Room for coordinates at the left and at the top.
const MARGIN: f64 = 0.6;
const MARKS: [&str; 2] = ["X", "O"];

impl View for Othello {
    fn picture(&self, scene: &Scene<'_, Self>, _viewer: Viewer) -> Picture {
        let state = scene.state;
        let side = f64::from(self.size) + MARGIN;
        let mut board = Area::board("Othello board", side, side).turnable();
        for cell in each(self.board) {
            let (x, y) = self.centre(cell);
            board.cell(self.cell_text(cell), x, y, Shape::Square, Tone::Green);
            if let Some(seat) = self.disc(state, cell) {
                board.piece(self.cell_text(cell), PieceKind::Disc, Tone::Seat(seat as u8));
            }
        }
        for i in 0..self.size {
            let (x, y) = self.centre(self.cell(i, i));
            board.coordinate(x, MARGIN / 2.0, char::from(b'a' + i).to_string());
            board.coordinate(MARGIN / 2.0, y, (i + 1).to_string());
        }
        let mut picture = Picture { areas: vec![board], ..Picture::default() };
        for (seat, discs) in state.discs().map(Cells::count_ones).into_iter().enumerate() {
            picture.counter(Some(seat), "discs", discs);
        }
        if self.must_pass(state) {
            picture.button("pass", "Pass");
        }
        picture.notes.extend(self.note(state));
        picture
    }

    fn placements(&self) -> Option<Placements> {
        let empty = self.picture(&Scene::of(&self.initial_state()), Viewer::Referee);
        let rows = (0..self.size).flat_map(|row| (0..self.size).map(move |column| (column, row)));
        let cells = rows.map(|(column, row)| self.cell_text(self.cell(column, row)));
        let form = Form::Letters(vec![self.size.into(); self.size.into()]);
        Some((0..2).fold(Placements::on(empty, cells, form), |on, seat| {
            on.piece(self.seat_name(seat), DISCS[seat], PieceKind::Disc, Tone::Seat(seat as u8))
        }))
    }

    fn path(&self, state: &State, seat: usize, action: Action) -> Vec<String> {
        vec![self.action_text(state, seat, action)]
    }

    fn seat_tone(&self, seat: Seat) -> Tone {
        [Tone::Black, Tone::White][seat]
    }

    fn sketch(&self, scene: &Scene<'_, Self>, _viewer: Viewer) -> Sketch {
        let state = scene.state;
        let mut sketch = Sketch::default();
        sketch.text("  ");
        for column in 0..self.size {
            sketch.text(format!(" {}", char::from(b'a' + column)));
        }
        sketch.end_line();
        for row in 0..self.size {
            sketch.text(format!("{:>2}", row + 1));
            for column in 0..self.size {
                sketch.text(" ");
                match self.disc(state, self.cell(column, row)) {
                    Some(seat) => sketch.tone(MARKS[seat], Tone::Seat(seat as u8)),
                    None => sketch.text("."),
                }
                .at(self.cell_text(self.cell(column, row)));
            }
            sketch.end_line();
        }
        if let Some(note) = self.note(state) {
            sketch.text(note).end_line();
        }
        sketch
    }

    // A pass is nowhere on the board.
    fn action_marks(&self, _state: &State, _seat: usize, action: Action) -> Vec<String> {
        match action {
            Action::Place(cell) => vec![self.cell_text(cell)],
            Action::Pass => Vec::new(),
        }
    }
}

impl Othello {
    fn must_pass(&self, state: &State) -> bool {
        state.placements == 0 && !state.over
    }

    fn note(&self, state: &State) -> Option<String> {
        let seat = self.seat_name(state.to_act.into());
        self.must_pass(state).then(|| format!("{seat} can place no disc and must pass."))
    }

    fn centre(&self, cell: Cell) -> (f64, f64) {
        let (column, row) = self.column_and_row(cell);
        (MARGIN + f64::from(column) + 0.5, MARGIN + f64::from(row) + 0.5)
    }
}
