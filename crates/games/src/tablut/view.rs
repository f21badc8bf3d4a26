//! A position as data: the board with its castle and camps, discs for men, a crown for the king.

use raichi_core::game::Game;
use raichi_core::notation::Notation;
use raichi_core::picture::{Area, Picture, PieceKind, Scene, Shape, Sketch, Tone, View};
use raichi_core::placement::{Figure, Form, Placements};
use raichi_core::seat::{Seat, Viewer};

use super::board::{BOARD, CASTLE, Cell, SIZE, bit, cell, column_and_row, each};
use super::notation::{parse, text};
use super::rules::{Action, START, Side, State, Tablut};

/// Room for coordinates at the left and at the bottom.
const MARGIN: f64 = 0.6;

impl View for Tablut {
    fn picture(&self, scene: &Scene<'_, Self>, _viewer: Viewer) -> Picture {
        let state = scene.state;
        let side = f64::from(SIZE) + MARGIN;
        let mut board = Area::board("Tablut board", side, side).turnable();
        for at in each(BOARD) {
            let (x, y) = centre(at);
            board.cell(text(at), x, y, Shape::Square, ground(at)).label = Some(self.label(state, at));
            let black = state.of(Side::Black) & bit(at) != 0;
            if at == state.king {
                board.piece(text(at), PieceKind::King, self.tone(Side::White));
            } else if black || state.of(Side::White) & bit(at) != 0 {
                let owner = if black { Side::Black } else { Side::White };
                board.piece(text(at), PieceKind::Disc, self.tone(owner)).text = Some(letter(owner).into());
            }
        }
        for i in 0..SIZE {
            let (x, y) = centre(cell(i, i));
            board.coordinate(x, side - MARGIN / 2.0, char::from(b'a' + i).to_string());
            board.coordinate(MARGIN / 2.0, y, (i + 1).to_string());
        }
        Picture {
            areas: vec![board],
            notes: self.announcement(scene).map(Into::into).into_iter().collect(),
            ..Picture::default()
        }
    }

    fn placements(&self) -> Option<Placements> {
        let empty = self.picture(&Scene::of(&self.initial_state()), Viewer::Referee);
        let rows = (0..SIZE).rev().flat_map(|row| (0..SIZE).map(move |column| text(cell(column, row))));
        let on = Placements::on(empty, rows, Form::Letters(vec![SIZE.into(); SIZE.into()]));
        let man = |owner| Figure::Piece(PieceKind::Disc, Some(letter(owner).into()));
        let (black, white) = (self.tone(Side::Black), self.tone(Side::White));
        Some(on.figure("Muscovite", "M", black, man(Side::Black)).figure("Swede", "S", white, man(Side::White)).piece(
            "King",
            "K",
            PieceKind::King,
            white,
        ))
    }

    fn path(&self, _state: &State, _seat: Seat, action: Action) -> Vec<String> {
        vec![text(action.from), text(action.to)]
    }

    fn why_not(&self, state: &State, seat: Seat, touched: &[String]) -> Option<String> {
        let (from, to) = match touched {
            [from] => (parse(from)?, None),
            [from, to] => (parse(from)?, Some(parse(to)?)),
            _ => return None,
        };
        if let Some(to) = to {
            return Some(self.why_illegal(state, seat, Action { from, to }));
        }
        let (here, side) = (text(from), self.side(seat));
        Some(if state.of(side) & bit(from) != 0 {
            format!("the piece on {here} cannot move: all ways are blocked")
        } else if (state.of(Side::Black) | state.of(Side::White)) & bit(from) != 0 {
            format!("the piece on {here} is not yours")
        } else if from == CASTLE {
            "the castle is empty: choose a piece first, and only the king may go there".into()
        } else {
            format!("there is no piece on {here}: choose one first, then where it goes")
        })
    }

    fn seat_tone(&self, seat: Seat) -> Tone {
        match self.side(seat) {
            Side::Black => Tone::Black,
            Side::White => Tone::White,
        }
    }

    fn sketch(&self, scene: &Scene<'_, Self>, _viewer: Viewer) -> Sketch {
        let state = scene.state;
        let mut sketch = Sketch::default();
        for row in (0..SIZE).rev() {
            sketch.text(format!("{} ", row + 1));
            for column in 0..SIZE {
                let at = cell(column, row);
                sketch.text(" ");
                if at == state.king {
                    sketch.tone("K", self.tone(Side::White));
                } else if state.of(Side::White) & bit(at) != 0 {
                    sketch.tone(letter(Side::White), self.tone(Side::White));
                } else if state.of(Side::Black) & bit(at) != 0 {
                    sketch.tone(letter(Side::Black), self.tone(Side::Black));
                } else {
                    sketch.text(if at == CASTLE { "+" } else { "." });
                }
                sketch.at(text(at));
            }
            sketch.end_line();
        }
        sketch.text("   a b c d e f g h i").end_line();
        if let Some(announcement) = self.announcement(scene) {
            sketch.text(announcement).end_line();
        }
        sketch
    }
}

impl Tablut {
    /// What White calls out when the king has a free way, or more than one.
    fn announcement(&self, scene: &Scene<'_, Self>) -> Option<&'static str> {
        let state = scene.state;
        if state.to_act == Side::White || state.end.is_some() || scene.path_end.is_some() {
            return None;
        }
        match self.open_ways(state) {
            0 => None,
            1 => Some("Raichi!"),
            _ => Some("Tuichu!"),
        }
    }

    fn tone(&self, side: Side) -> Tone {
        Tone::Seat(self.seat(side) as u8)
    }

    fn label(&self, state: &State, at: Cell) -> String {
        let piece = if at == state.king {
            ", king"
        } else if state.of(Side::White) & bit(at) != 0 {
            ", Swede"
        } else if state.of(Side::Black) & bit(at) != 0 {
            ", Muscovite"
        } else {
            ""
        };
        format!("{}{}{piece}", text(at), if at == CASTLE { ", castle" } else { "" })
    }
}

// The castle, the Muscovites' camps, and open ground.
fn ground(at: Cell) -> Tone {
    if at == CASTLE {
        Tone::Accent
    } else if START[0] & bit(at) != 0 {
        Tone::Dark
    } else {
        Tone::Light
    }
}

fn letter(side: Side) -> &'static str {
    match side {
        Side::Black => "M",
        Side::White => "S",
    }
}

fn centre(at: Cell) -> (f64, f64) {
    let (column, row) = column_and_row(at);
    (MARGIN + f64::from(column) + 0.5, f64::from(SIZE - 1 - row) + 0.5)
}
