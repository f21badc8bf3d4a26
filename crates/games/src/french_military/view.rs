//! A position as data: eleven points in five columns with lines between, discs for men.

use raichi_core::game::Game;
use raichi_core::notation::Notation;
use raichi_core::picture::{Area, Picture, PieceKind, Scene, Shape, Sketch, Tone, View};
use raichi_core::placement::{Form, Placements};
use raichi_core::seat::{Seat, Viewer};

use super::board::{ALL, LINES, Point, bit, column, each};
use super::notation::{ROWS, name, parse};
use super::rules::{Action, FrenchMilitary, Side, State};

const MARGIN: f64 = 0.85;
const COLUMN: f64 = 1.5;
const ROW: f64 = 1.4;
const RADIUS: f64 = 0.44;

/// Every name stands for three letters: itself in brackets, in the shape of the man's side.
const DRAWING: [&str; 5] = [
    "     1----4----7", //
    "   /  |  \\   |   /  |  \\",
    "A--2----5----8--B",
    "   \\  |  /   |   \\  |  /",
    "     3----6----9",
];

impl View for FrenchMilitary {
    fn picture(&self, scene: &Scene<'_, Self>, _viewer: Viewer) -> Picture {
        let state = scene.state;
        let (width, height) = (4.0 * COLUMN + 2.0 * MARGIN, 2.0 * ROW + 2.0 * MARGIN);
        let mut board = Area::board("French Military board", width, height).turnable();
        for point in each(ALL) {
            let (x, y) = centre(point);
            board.cell(name(point), x, y, Shape::Circle { radius: RADIUS }, Tone::Light);
            // Between the lines that go up and up to the right.
            board.coordinate(x + 0.27, y - 0.56, name(point));
            if let Some(side) = man(state, point) {
                board.piece(name(point), PieceKind::Disc, Tone::Seat(self.seat(side) as u8));
            }
        }
        for (one, other) in LINES {
            board.line(between_rims(centre(one), centre(other)), Tone::Plain, 0.06);
        }
        Picture { areas: vec![board], ..Picture::default() }
    }

    fn placements(&self) -> Option<Placements> {
        let empty = self.picture(&Scene::of(&self.initial_state()), Viewer::Referee);
        let points = ROWS.into_iter().flatten().map(|&point| name(point).to_string());
        let on = Placements::on(empty, points, Form::Letters(ROWS.map(<[Point]>::len).to_vec()));
        let tone = |side| Tone::Seat(self.seat(side) as u8);
        Some(on.piece("White", "W", PieceKind::Disc, tone(Side::White)).piece(
            "Black",
            "B",
            PieceKind::Disc,
            tone(Side::Black),
        ))
    }

    fn path(&self, _state: &State, _seat: Seat, action: Action) -> Vec<String> {
        match action {
            Action::Place(point) => vec![name(point).into()],
            Action::Move { from, to } => vec![name(from).into(), name(to).into()],
        }
    }

    fn why_not(&self, state: &State, seat: Seat, touched: &[String]) -> Option<String> {
        let (from, to) = match touched {
            [from] => (parse(from)?, None),
            [from, to] => (parse(from)?, Some(parse(to)?)),
            _ => return None,
        };
        let here = name(from);
        Some(match to {
            Some(to) => self.why_illegal(state, seat, Action::Move { from, to }),
            None if state.black == 0 => self.why_illegal(state, seat, Action::Place(from)),
            None if state.movers() & bit(from) != 0 => format!("the man on {here} cannot move"),
            None if state.free() & bit(from) != 0 => format!("no man stands on {here}: choose one of yours first"),
            None => format!("the man on {here} is not yours"),
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
        for line in DRAWING {
            for letter in line.split_inclusive(|_| true) {
                match parse(letter).map(|point| man(state, point)) {
                    None => sketch.text(letter),
                    Some(None) => sketch.text(format!(" {letter} ")),
                    Some(Some(side)) => {
                        let [left, right] = brackets(side);
                        sketch.tone(format!("{left}{letter}{right}"), Tone::Seat(self.seat(side) as u8))
                    }
                };
            }
            sketch.end_line();
        }
        sketch.text("[ ] White, < > Black").end_line();
        sketch
    }
}

fn man(state: &State, point: Point) -> Option<Side> {
    if state.white & bit(point) != 0 {
        Some(Side::White)
    } else if state.black & bit(point) != 0 {
        Some(Side::Black)
    } else {
        None
    }
}

fn brackets(side: Side) -> [char; 2] {
    match side {
        Side::White => ['[', ']'],
        Side::Black => ['<', '>'],
    }
}

fn centre(point: Point) -> (f64, f64) {
    let row = match column(point) {
        0 | 4 => 1,
        _ => (point - 1) % 3,
    };
    (MARGIN + COLUMN * f64::from(column(point)), MARGIN + ROW * f64::from(row))
}

// Lines are drawn above the points, so they end at the rims.
fn between_rims(from: (f64, f64), to: (f64, f64)) -> Vec<(f64, f64)> {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let part = RADIUS / dx.hypot(dy);
    vec![(from.0 + part * dx, from.1 + part * dy), (to.0 - part * dx, to.1 - part * dy)]
}
