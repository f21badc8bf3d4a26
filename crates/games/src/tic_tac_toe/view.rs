//! A position as data: nine squares, crosses and rings.

use raichi_core::game::Game;
use raichi_core::notation::{Notation, squares};
use raichi_core::picture::{Area, Picture, PieceKind, Scene, Shape, Sketch, Tone, View};
use raichi_core::placement::{Form, Placements};
use raichi_core::seat::{Seat, Viewer};

use super::notation::MARKS as LETTERS;
use super::rules::{LINES, State, TicTacToe};

/// Room for coordinates at the left and at the bottom.
const MARGIN: f64 = 0.4;
const MARKS: [PieceKind; 2] = [PieceKind::Cross, PieceKind::Ring];

impl View for TicTacToe {
    fn picture(&self, scene: &Scene<'_, Self>, _viewer: Viewer) -> Picture {
        let state = scene.state;
        let mut board = Area::board("Tic Tac Toe board", 3.0 + MARGIN, 3.0 + MARGIN).turnable();
        for cell in 0..9 {
            let (x, y) = centre(cell);
            board.cell(id(cell), x, y, Shape::Square, Tone::Light);
            for seat in 0..2 {
                if state.marks[seat] >> cell & 1 == 1 {
                    board.piece(id(cell), MARKS[seat], Tone::Seat(seat as u8));
                }
            }
        }
        for i in 0..3 {
            let (x, y) = centre(4 * i);
            board.coordinate(x, 3.0 + MARGIN / 2.0, char::from(b'a' + i).to_string());
            board.coordinate(MARGIN / 2.0, y, (i + 1).to_string());
        }
        if let Some(winner) = state.winner {
            let marks = state.marks[usize::from(winner)];
            for line in LINES.into_iter().filter(|line| marks & line == *line) {
                let ends = [line.trailing_zeros() as u8, 31 - line.leading_zeros() as u8];
                board.line(ends.map(centre).to_vec(), Tone::Accent, 0.08);
            }
        }
        Picture { areas: vec![board], ..Picture::default() }
    }

    fn placements(&self) -> Option<Placements> {
        let empty = self.picture(&Scene::of(&self.initial_state()), Viewer::Referee);
        let on = Placements::on(empty, (0..9).map(id), Form::Letters(vec![3; 3]));
        Some(
            (0..2).fold(on, |on, seat| {
                on.piece(self.seat_name(seat), LETTERS[seat], MARKS[seat], Tone::Seat(seat as u8))
            }),
        )
    }

    fn path(&self, _state: &State, _seat: Seat, action: u8) -> Vec<String> {
        vec![id(action)]
    }

    fn sketch(&self, scene: &Scene<'_, Self>, _viewer: Viewer) -> Sketch {
        let state = scene.state;
        let mut sketch = Sketch::default();
        for row in 0..3u8 {
            sketch.text(format!("{} ", row + 1));
            for column in 0..3u8 {
                let bit = 1 << (row * 3 + column);
                sketch.text(" ");
                match [state.marks[0] & bit != 0, state.marks[1] & bit != 0] {
                    [true, _] => sketch.tone("X", Tone::Seat(0)),
                    [_, true] => sketch.tone("O", Tone::Seat(1)),
                    _ => sketch.text("."),
                }
                .at(id(row * 3 + column));
            }
            sketch.end_line();
        }
        sketch.text("   a b c").end_line();
        sketch
    }
}

fn id(cell: u8) -> String {
    squares::text(usize::from(cell % 3), usize::from(cell / 3))
}

fn centre(cell: u8) -> (f64, f64) {
    (MARGIN + f64::from(cell % 3) + 0.5, f64::from(cell / 3) + 0.5)
}
