//! A position as data: the path as one growing line over the paler lines of the tiles, on each tile in the colour of the
//! seat that put it, and a tray of tiles to put next, each with the way the path would take on it.

use std::f64::consts::FRAC_PI_2;

use raichi_core::game::Game;
use raichi_core::notation::Notation;
use raichi_core::picture::{Area, Picture, Scene, Shape, Sketch, Tone, View};
use raichi_core::placement::{Figure, Form, Placements};
use raichi_core::seat::{Seat, Viewer};

use super::notation::cell_text;
use super::rules::{Action, Black, Cell, End, LEFT, RIGHT, START, Side, State, TOP, Tile};

/// Room at the left and at the top for coordinates and the way in, at the right and at the bottom for the way out.
const NEAR: f64 = 1.0;
const COORDINATE: f64 = 0.3;
const FAR: f64 = 0.5;
/// How far the path shows beyond what it has passed: its arrow head.
const HEAD: f64 = 0.36;
const PATH: f64 = 0.12;
const SMALL_PATH: f64 = 0.09;
const UNUSED: f64 = 0.05;
/// Pieces of a quarter of a circle.
const BENDS: usize = 6;

type Point = (f64, f64);

impl View for Black {
    fn picture(&self, scene: &Scene<'_, Self>, _viewer: Viewer) -> Picture {
        let state = scene.state;
        let mut picture = Picture { areas: vec![self.board(state)], ..Picture::default() };
        if state.end.is_none() {
            picture.areas.push(self.tray(state));
        }
        picture.notes.push(self.note(state));
        picture
    }

    fn placements(&self) -> Option<Placements> {
        let empty = self.picture(&Scene::of(&self.initial_state()), Viewer::Referee);
        let rows = (0..self.rows).flat_map(|row| (0..self.columns).map(move |column| row << 4 | column));
        let form = Form::Letters(vec![self.columns.into(); self.rows.into()]);
        Some(Tile::ALL.into_iter().fold(Placements::on(empty, rows.map(cell_text), form), |on, tile| {
            let strokes = tile.lines().map(|[from, to]| line((0.0, 0.0), from, to)).to_vec();
            on.figure(tile.sign(), tile.letter(), Tone::Plain, Figure::Strokes(strokes, SMALL_PATH))
        }))
    }

    // That a1 comes next is no mark of the board.
    fn sheets(&self) -> Vec<Area> {
        let mut sheet = self.board(&self.initial_state());
        sheet.cells.iter_mut().filter(|cell| cell.tone == Tone::Accent).for_each(|cell| cell.tone = Tone::Light);
        vec![sheet]
    }

    fn path(&self, _state: &State, _seat: Seat, action: Action) -> Vec<String> {
        vec![tray_id(action.tile)]
    }

    fn why_not(&self, state: &State, seat: Seat, touched: &[String]) -> Option<String> {
        let [touched] = touched else { return None };
        if let Some(tile) = Tile::ALL.into_iter().find(|&tile| tray_id(tile) == *touched) {
            return Some(self.why_illegal(state, seat, Action { cell: state.tip.cell, tile }));
        }
        let next = cell_text(state.tip.cell);
        let cells = (0..self.rows).flat_map(|row| (0..self.columns).map(move |column| row << 4 | column));
        let cell = cells.into_iter().find(|&cell| cell_text(cell) == *touched)?;
        Some(match state.tile(cell) {
            _ if cell == state.tip.cell => format!("choose a tile from the tray: it is put on {next}"),
            Some(_) => format!("{touched} is marked already; the path goes on in {next}"),
            None => format!("the path goes on in {next}: choose a tile from the tray"),
        })
    }

    fn seat_tone(&self, seat: Seat) -> Tone {
        [Tone::Blue, Tone::Orange][seat]
    }

    fn sketch(&self, scene: &Scene<'_, Self>, _viewer: Viewer) -> Sketch {
        let state = scene.state;
        let owners = self.owners(state);
        let mut sketch = Sketch::default();
        for row in 0..self.rows {
            sketch.text(format!("{:>2} ", row + 1));
            for column in 0..self.columns {
                let cell = row << 4 | column;
                sketch.text(" ");
                match state.tile(cell) {
                    Some(tile) => sketch.tone(tile.sign(), owner(&owners, cell)),
                    None if cell == state.tip.cell => sketch.tone(heading(state.tip.side), Tone::Accent),
                    None if cell == self.corner() => sketch.text("*"),
                    None => sketch.text("."),
                }
                .at(cell_text(cell));
            }
            sketch.end_line();
        }
        let letters: String = (0..self.columns).flat_map(|column| [' ', letter(column)]).collect();
        sketch.text(format!("   {letters}")).end_line();
        sketch
    }

    // The tray has gone on by then.
    fn action_marks(&self, _state: &State, _seat: Seat, action: Action) -> Vec<String> {
        vec![cell_text(action.cell)]
    }
}

impl Black {
    fn board(&self, state: &State) -> Area {
        let (columns, rows) = (f64::from(self.columns), f64::from(self.rows));
        let mut board = Area::board("Black board", columns + NEAR + FAR, rows + NEAR + FAR).turnable();
        for cell in self.cells() {
            self.add_cell(&mut board, state, cell);
        }
        for cell in self.cells() {
            if let Some(tile) = state.tile(cell) {
                add_lines(&mut board, centre(cell), tile);
            }
        }
        self.add_path(&mut board, state);
        for column in 0..self.columns {
            board.coordinate(centre(column).0, COORDINATE, letter(column).to_string());
        }
        for row in 0..self.rows {
            board.coordinate(COORDINATE, centre(row << 4).1, (row + 1).to_string());
        }
        board
    }

    fn add_cell(&self, board: &mut Area, state: &State, cell: Cell) {
        let (x, y) = centre(cell);
        let is_next = state.end.is_none() && cell == state.tip.cell;
        let tone = match () {
            () if is_next => Tone::Accent,
            () if cell == self.corner() => Tone::Dark,
            () => Tone::Light,
        };
        let put_by = |tile: Tile| match owner(&self.owners(state), cell) {
            Tone::Seat(seat) => format!(", {} put by {}", tile.sign(), self.seat_name(seat.into())),
            _ => format!(", {}", tile.sign()),
        };
        let mark = state.tile(cell).map(put_by);
        let next = if is_next { ", next" } else { "" };
        let goal = if cell == self.corner() { ", goal" } else { "" };
        let place = board.cell(cell_text(cell), x, y, Shape::Square, tone);
        place.label = Some(format!("{}{}{goal}{next}", cell_text(cell), mark.unwrap_or_default()));
        if cell == self.corner() && !is_next && state.tile(cell).is_none() {
            place.text = Some("goal".into());
        }
    }

    /// The tiles that may be put next, on each the way the path would take.
    fn tray(&self, state: &State) -> Area {
        let mut tray = Area::tray("tiles", format!("Tile for {}", cell_text(state.tip.cell)), None, 4.7, 1.9);
        for (i, &tile) in self.tiles(state).iter().enumerate() {
            let at = (0.85 + 1.5 * i as f64, 0.75);
            let side = state.tip.side;
            let place = tray.cell(tray_id(tile), at.0, at.1, Shape::Square, Tone::Light);
            place.label = Some(format!("{}: the path {}", tile.sign(), self.way(state, tile)));
            add_lines(&mut tray, at, tile);
            tray.line(line(at, side, tile.turn(side)), Tone::Accent, SMALL_PATH).arrow = true;
            tray.caption(at.0, at.1 + 0.85, tile.sign());
        }
        tray
    }

    /// The path from outside the board to where it has come, on each tile in the colour of the seat that put it.
    fn add_path(&self, board: &mut Area, state: &State) {
        let owners = self.owners(state);
        let way_in = [0.5 + HEAD, 0.5].map(|distance| outward(centre(START.cell), LEFT, distance));
        board.line(way_in.to_vec(), Tone::Accent, PATH);
        let mut last = START;
        for tip in self.path_from_start(state) {
            last = tip;
            if let Some(tile) = state.tile(tip.cell) {
                let points = line(centre(tip.cell), tip.side, tile.turn(tip.side));
                board.line(points, owner(&owners, tip.cell), PATH);
            }
        }
        // Into the next cell, through the lower right one, or over the border.
        let at = |side: Side, distances: [f64; 2]| distances.map(|distance| outward(centre(last.cell), side, distance));
        match state.tile(last.cell) {
            None => board.line(at(last.side, [0.5, 0.5 - HEAD]).to_vec(), Tone::Accent, PATH).arrow = true,
            Some(_) if state.end == Some(End::Corner) => {
                board.lines.last_mut().expect("a path that has an end has a beginning").arrow = true;
            }
            Some(tile) => {
                board.line(at(tile.turn(last.side), [0.5, 0.5 + HEAD]).to_vec(), Tone::Accent, PATH).arrow = true;
            }
        }
    }

    /// The cells with tiles, in the order in which they were put, which is that in which the path comes to them, and who
    /// put them: the last one was put by the seat that is not to act.
    fn owners(&self, state: &State) -> Vec<(Cell, Tone)> {
        let mut cells: Vec<Cell> = Vec::new();
        for tip in self.path_from_start(state) {
            if state.tile(tip.cell).is_some() && !cells.contains(&tip.cell) {
                cells.push(tip.cell);
            }
        }
        let n = cells.len();
        let seat = |i: usize| (usize::from(state.to_act) + n - i) % 2;
        cells.into_iter().enumerate().map(|(i, cell)| (cell, Tone::Seat(seat(i) as u8))).collect()
    }

    /// Where this tile would lead the path, in words.
    fn way(&self, state: &State, tile: Tile) -> String {
        let mut after = *state;
        self.apply(&mut after, state.to_act.into(), Action { cell: state.tip.cell, tile });
        match after.end {
            None => format!("goes on in {}", cell_text(after.tip.cell)),
            Some(End::Corner) => "reaches the goal".into(),
            Some(End::Border) => "runs to the border".into(),
        }
    }

    fn note(&self, state: &State) -> String {
        match state.end {
            None => format!("The path goes on in {}.", cell_text(state.tip.cell)),
            Some(End::Corner) => format!("The path has come into {}, the goal.", cell_text(self.corner())),
            Some(End::Border) => "The path has run to the border.".into(),
        }
    }
}

/// The colour of the seat that put the tile of a cell.
fn owner(owners: &[(Cell, Tone)], cell: Cell) -> Tone {
    owners.iter().find(|(other, _)| *other == cell).map_or(Tone::Accent, |&(_, tone)| tone)
}

/// Both lines of a tile, thin and pale. The path covers what it uses of them.
fn add_lines(area: &mut Area, centre: Point, tile: Tile) {
    for [from, to] in tile.lines() {
        area.line(line(centre, from, to), Tone::Plain, UNUSED);
    }
}

/// From the middle of one side of a cell to the middle of another: straight, or a quarter of a circle around the corner
/// between them.
fn line(centre: Point, from: Side, to: Side) -> Vec<Point> {
    let (a, b) = (outward(centre, from, 0.5), outward(centre, to, 0.5));
    if from ^ to == 2 {
        return vec![a, b];
    }
    let corner = (a.0 + b.0 - centre.0, a.1 + b.1 - centre.1);
    let point = |i: usize| {
        let (sin, cos) = (FRAC_PI_2 * i as f64 / BENDS as f64).sin_cos();
        let along = |corner: f64, a: f64, b: f64| corner + cos * (a - corner) + sin * (b - corner);
        (along(corner.0, a.0, b.0), along(corner.1, a.1, b.1))
    };
    (0..=BENDS).map(point).collect()
}

/// The point this far from a cell's centre towards, or beyond, the middle of a side.
fn outward(centre: Point, side: Side, distance: f64) -> Point {
    match side {
        LEFT => (centre.0 - distance, centre.1),
        TOP => (centre.0, centre.1 - distance),
        RIGHT => (centre.0 + distance, centre.1),
        _ => (centre.0, centre.1 + distance),
    }
}

fn centre(cell: Cell) -> Point {
    (NEAR + 0.5 + f64::from(cell & 15), NEAR + 0.5 + f64::from(cell >> 4))
}

// Which way a path goes that has come in by this side.
fn heading(side: Side) -> &'static str {
    [">", "v", "<", "^"][usize::from(side)]
}

fn tray_id(tile: Tile) -> String {
    format!("tile:{}", tile.sign())
}

fn letter(column: u8) -> char {
    char::from(b'a' + column)
}
