//! A position as data: the cube unfolded, and the cube as a body. Each sticker has its colour and, since colour never
//! says a thing alone, the letter of the face where it belongs. A face is touched anywhere, then a button says how far.

use raichi_core::game::{Game, Phase};
use raichi_core::picture::{Area, Picture, Scene, Shape, Sketch, Tone, View};
use raichi_core::seat::{Seat, Viewer};

use super::face::Face::{self, B, D, F, L, R, U};
use super::face::Twist;
use super::facelets::{NET, Place};
use super::rules::{RubiksCube, State};

/// Between two faces of the unfolded cube, and at its rim.
const GAP: f64 = 0.25;
/// From the body's centre to a face.
const HALF: f64 = 0.95;

impl View for RubiksCube {
    fn picture(&self, scene: &Scene<'_, Self>, viewer: Viewer) -> Picture {
        let state = scene.state;
        let mut picture = Picture { areas: vec![self.net(state), self.body(state)], ..Picture::default() };
        picture.counter(None, "Twists", format!("{} of {}", state.n_twists, self.limit));
        if state.to_scramble > 0 {
            picture.counter(None, "Still to scramble", state.to_scramble);
        }
        if viewer.is(0) && self.phase(state) == Phase::seat(0) {
            picture.button(turn_id(1), "↻ clockwise");
            picture.button(turn_id(3), "↺ counter-clockwise");
            if self.half_turns {
                picture.button(turn_id(2), "180°");
            }
            picture.hints.push("Touch a face, then say how far it turns.".into());
        }
        picture.notes.extend(self.note(state));
        picture
    }

    // To note with pencils in six colours how a real cube stands.
    fn sheets(&self) -> Vec<Area> {
        let along = |n_faces: f64| GAP + n_faces * (f64::from(self.size) + GAP);
        let mut net = Area::board("The cube, unfolded", along(4.0), along(3.0));
        let middle = (self.size - 1) / 2;
        for (Place { face, row, column }, x, y) in self.places() {
            let cell = net.cell(format!("{}:{row}:{column}", face.letter()), x, y, Shape::Square, Tone::Light);
            cell.text = ((row, column) == (middle, middle)).then(|| face.letter().into());
        }
        vec![net]
    }

    fn path(&self, _state: &State, _seat: Seat, twist: Twist) -> Vec<String> {
        vec![face_id(twist.face()), turn_id(twist.quarters())]
    }

    fn sketch(&self, scene: &Scene<'_, Self>, _viewer: Viewer) -> Sketch {
        let state = scene.state;
        let mut sketch = Sketch::default();
        for (row_of_faces, row) in (0..3).flat_map(|y| (0..self.size).map(move |row| (y, row))) {
            if row_of_faces != 1 {
                sketch.text(" ".repeat(2 * usize::from(self.size) + 1));
            }
            for (face, ..) in NET.into_iter().filter(|&(_, _, y)| y == row_of_faces) {
                sketch.text(" ");
                for column in 0..self.size {
                    let colour = self.colour(state, Place { face, row, column });
                    sketch.tone(format!(" {}", colour.letter()), tone(colour));
                }
            }
            sketch.end_line();
        }
        sketch.text(format!("Twists {} of {}.", state.n_twists, self.limit)).end_line();
        if let Some(note) = self.note(state) {
            sketch.text(note).end_line();
        }
        sketch
    }

    fn caption(&self, _state: &State, _seat: Seat, touched: &[String]) -> Option<String> {
        let [id] = touched else { return None };
        let face = self.faces().iter().find(|&&face| face_id(face) == *id)?;
        Some(format!("the {} face: turn it how far?", name(*face)))
    }

    fn action_marks(&self, _state: &State, _seat: Seat, twist: Twist) -> Vec<String> {
        vec![face_id(twist.face())]
    }

    fn outcome_marks(&self, _state: &State, twist: Twist) -> Vec<String> {
        vec![face_id(twist.face())]
    }
}

impl RubiksCube {
    fn places(&self) -> impl Iterator<Item = (Place, f64, f64)> {
        let size = self.size;
        NET.into_iter().flat_map(move |(face, x, y)| {
            (0..size * size).map(move |nth| {
                let place = Place { face, row: nth / size, column: nth % size };
                let along = |of_faces: u8, of_stickers: u8| {
                    GAP + f64::from(of_faces) * (f64::from(size) + GAP) + f64::from(of_stickers) + 0.5
                };
                (place, along(x, place.column), along(y, place.row))
            })
        })
    }

    fn net(&self, state: &State) -> Area {
        let along = |n_faces: f64| GAP + n_faces * (f64::from(self.size) + GAP);
        let mut net = Area::board("The cube, unfolded", along(4.0), along(3.0));
        for (place, x, y) in self.places() {
            self.sticker(&mut net, state, place, "", (x, y), Shape::Square);
        }
        net
    }

    fn body(&self, state: &State) -> Area {
        let mut body = Area::solid("body", "The cube");
        for (place, ..) in self.places() {
            self.sticker(&mut body, state, place, "body:", (0.0, 0.0), Shape::Facet { corners: self.corners(place) });
        }
        body
    }

    fn sticker(&self, area: &mut Area, state: &State, place: Place, prefix: &str, at: (f64, f64), shape: Shape) {
        let colour = self.colour(state, place);
        let Place { face, row, column } = place;
        let (row, column) = (row + 1, column + 1);
        let cell = area.cell(format!("{prefix}{}:{row}:{column}", face.letter()), at.0, at.1, shape, tone(colour));
        cell.text = Some(colour.letter().into());
        cell.label = Some(format!("{}, row {row}, column {column}: {}", name(face), colour_name(colour)));
        cell.touch = self.faces().contains(&face).then(|| face_id(face));
    }

    /// A sticker's corners in space, clockwise seen from outside, its top left first.
    fn corners(&self, place: Place) -> [[f64; 3]; 4] {
        let [above, right, ..] = place.face.around();
        let along = |steps: u8| HALF * (2.0 * f64::from(steps) / f64::from(self.size) - 1.0);
        let corner = |row: u8, column: u8| {
            let (out, up, right) = (direction(place.face), direction(above), direction(right));
            let at = |axis: usize| HALF * out[axis] - along(row) * up[axis] + along(column) * right[axis];
            [at(0), at(1), at(2)]
        };
        let Place { row, column, .. } = place;
        [corner(row, column), corner(row, column + 1), corner(row + 1, column + 1), corner(row + 1, column)]
    }

    /// What there is to say while the player is not to act.
    fn note(&self, state: &State) -> Option<String> {
        let n_twists = state.n_twists;
        match self.phase(state) {
            Phase::Act(_) => None,
            Phase::Chance => Some("The cube is being scrambled.".into()),
            Phase::Over if state.is_solved() && n_twists == 1 => Some("Solved in one twist.".into()),
            Phase::Over if state.is_solved() => Some(format!("Solved in {n_twists} twists.")),
            Phase::Over => Some(format!("Not solved in {n_twists} twists.")),
        }
    }
}

/// A face's outward direction: x to the right, y upward, z towards the person.
fn direction(face: Face) -> [f64; 3] {
    match face {
        U => [0.0, 1.0, 0.0],
        R => [1.0, 0.0, 0.0],
        F => [0.0, 0.0, 1.0],
        D => [0.0, -1.0, 0.0],
        L => [-1.0, 0.0, 0.0],
        B => [0.0, 0.0, -1.0],
    }
}

fn tone(colour: Face) -> Tone {
    match colour {
        U => Tone::White,
        R => Tone::Red,
        F => Tone::Green,
        D => Tone::Yellow,
        L => Tone::Orange,
        B => Tone::Blue,
    }
}

fn colour_name(colour: Face) -> &'static str {
    ["white", "red", "green", "yellow", "orange", "blue"][colour as usize]
}

fn name(face: Face) -> &'static str {
    ["up", "right", "front", "down", "left", "back"][face as usize]
}

fn face_id(face: Face) -> String {
    format!("face:{}", face.letter())
}

fn turn_id(quarters: u8) -> String {
    format!("turn:{}", ["1", "2", "'"][usize::from(quarters) - 1])
}
