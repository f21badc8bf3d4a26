//! A position as data: a square of tiles, the score beside it, a button a direction.

use raichi_core::game::Game;
use raichi_core::picture::{Area, Picture, PieceKind, Scene, Shape, Sketch, Tone, View};
use raichi_core::placement::{Figure, Form, Placements};
use raichi_core::seat::{Seat, Viewer};

use super::board::Direction;
use super::rules::{Spawn, State, TwentyFortyEight};

const MARGIN: f64 = 0.5;
/// The first aim of the game, a tile of 2048; it and every larger one are called out.
const MILESTONE: u8 = 11;

/// The exponent of the largest tile that is put by touching: 131072, the largest of a board of four by four.
const LARGEST_TO_PUT: u8 = 17;

impl View for TwentyFortyEight {
    fn picture(&self, scene: &Scene<'_, Self>, _viewer: Viewer) -> Picture {
        let state = scene.state;
        let side = f64::from(self.size) + MARGIN;
        let mut board = Area::board("2048 board", side, side);
        for cell in 0..self.n_cells() {
            let (column, row) = (cell % self.size, cell / self.size);
            let (x, y) = (MARGIN + f64::from(column) + 0.5, f64::from(row) + 0.5);
            board.cell(self.cell_text(cell), x, y, Shape::Square, Tone::Light);
            let exponent = state.board.exponent(self.size, cell);
            if exponent > 0 {
                let tile = board.piece(self.cell_text(cell), PieceKind::Tile, Tone::Scale(exponent - 1));
                tile.text = Some(value(exponent).to_string());
            }
        }
        for i in 0..self.size {
            let centre = f64::from(i) + 0.5;
            board.coordinate(MARGIN / 2.0, centre, (i + 1).to_string());
            board.coordinate(MARGIN + centre, side - MARGIN / 2.0, char::from(b'a' + i).to_string());
        }
        let mut picture = Picture { areas: vec![board], ..Picture::default() };
        picture.counter(None, "Score", self.score(state));
        let largest = (0..self.n_cells()).map(|cell| state.board.exponent(self.size, cell)).max().unwrap_or(0);
        if largest >= MILESTONE {
            picture.notes.push(format!("{}!", value(largest)));
        }
        for direction in Direction::ALL {
            picture.button(direction.text(), label(direction));
        }
        picture
    }

    fn reached(&self, state: &State) -> Option<(&'static str, u64)> {
        let largest = (0..self.n_cells()).map(|cell| state.board.exponent(self.size, cell)).max().unwrap_or(0);
        (largest > 0).then(|| ("tile", u64::try_from(value(largest)).unwrap_or(u64::MAX)))
    }

    fn placements(&self) -> Option<Placements> {
        let empty = self.picture(&Scene::of(&self.initial_state()), Viewer::Referee);
        let cells = (0..self.n_cells()).map(|cell| self.cell_text(cell));
        let on = Placements::on(empty, cells, Form::Words(vec![self.size.into(); self.size.into()]));
        Some((1..=LARGEST_TO_PUT).fold(on, |on, exponent| {
            let text = value(exponent).to_string();
            let tile = Figure::Piece(PieceKind::Tile, Some(text.clone()));
            on.figure(text.clone(), text, Tone::Scale(exponent - 1), tile)
        }))
    }

    fn path(&self, _state: &State, _seat: Seat, action: Direction) -> Vec<String> {
        vec![action.text().into()]
    }

    fn sketch(&self, scene: &Scene<'_, Self>, _viewer: Viewer) -> Sketch {
        let state = scene.state;
        let exponent = |cell| state.board.exponent(self.size, cell);
        let largest = (0..self.n_cells()).map(exponent).max().unwrap_or(0);
        let width = value(largest).to_string().len().max(4);
        let mut sketch = Sketch::default();
        for row in 0..self.size {
            sketch.text(format!("{} ", row + 1));
            for column in 0..self.size {
                let cell = row * self.size + column;
                sketch.text(" ");
                match exponent(cell) {
                    0 => sketch.text(format!("{:>width$}", ".")),
                    exponent => sketch.tone(format!("{:>width$}", value(exponent)), Tone::Scale(exponent - 1)),
                }
                .at(self.cell_text(cell));
            }
            sketch.end_line();
        }
        sketch.text("  ");
        for column in 0..self.size {
            sketch.text(format!(" {:>width$}", char::from(b'a' + column)));
        }
        sketch.end_line().text(format!("Score {}", self.score(state))).end_line();
        sketch
    }

    fn outcome_marks(&self, _state: &State, outcome: Spawn) -> Vec<String> {
        vec![self.cell_text(outcome.cell)]
    }
}

fn value(exponent: u8) -> u128 {
    1 << exponent
}

fn label(direction: Direction) -> &'static str {
    match direction {
        Direction::Left => "Left",
        Direction::Right => "Right",
        Direction::Up => "Up",
        Direction::Down => "Down",
    }
}
