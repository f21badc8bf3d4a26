//! A position as data: numbered nodes on a circle. Edges without a colour are thin, and each seat draws its own in its
//! own way: solid, hollow, beaded.

use std::f64::consts::TAU;

use raichi_core::game::Game;
use raichi_core::notation::Notation;
use raichi_core::picture::{Area, Picture, Scene, Shape, Sketch, Tone, View};
use raichi_core::placement::{Figure, Form, Placements};
use raichi_core::seat::{Seat, Viewer};

use super::board::{ENDS, edge};
use super::notation::COLOURS;
use super::rules::{Sim, State};

const NODE: f64 = 0.42;
const MARGIN: f64 = NODE + 0.15;
// From a bead's middle to the next.
const BEADS: f64 = 0.36;
const MARKS: [&str; 3] = ["X", "O", "#"];
const STROKES: [&str; 3] = ["solid lines", "hollow lines", "beaded lines"];

impl View for Sim {
    fn picture(&self, scene: &Scene<'_, Self>, _viewer: Viewer) -> Picture {
        let state = scene.state;
        let side = 2.0 * (self.radius() + MARGIN);
        let mut board = Area::board("Sim graph", side, side).turnable();
        for node in 0..self.n_nodes {
            let (x, y) = self.centre(node);
            let cell = board.cell(name(node), x, y, Shape::Circle { radius: NODE }, Tone::Light);
            cell.text = Some(name(node));
            cell.label = Some(format!("Node {}", name(node)));
        }
        for edge in (0..self.n_edges()).filter(|&edge| state.colour(edge).is_none()) {
            let line = board.line(self.between_rims(edge), Tone::Plain, 0.025);
            line.id = Some(text(edge));
            line.touch = ends(edge);
        }
        for edge in self.edges_of_triangles(state) {
            board.line(self.between_rims(edge), Tone::Accent, 2.6 * self.stroke());
        }
        let mut counts = [0; 3];
        for edge in 0..self.n_edges() {
            if let Some(seat) = state.colour(edge) {
                self.draw(&mut board, edge, seat);
                board.lines.last_mut().expect("an edge was just drawn").id = Some(text(edge));
                counts[seat] += 1;
            }
        }
        let mut picture = Picture { areas: vec![board], notes: self.notes(state), ..Picture::default() };
        for seat in 0..usize::from(self.n_seats) {
            picture.counter(Some(seat), STROKES[seat], counts[seat]);
        }
        picture
    }

    fn placements(&self) -> Option<Placements> {
        let empty = self.picture(&Scene::of(&self.initial_state()), Viewer::Referee);
        let edges = (1..self.n_nodes).flat_map(|b| (0..b).map(move |a| text(edge(a, b))));
        let on = Placements::on(empty, edges, Form::Letters((1..self.n_nodes.into()).collect()));
        Some((0..usize::from(self.n_seats)).fold(on, |on, seat| {
            let line = Figure::Line(self.stroke());
            on.figure(self.seat_name(seat), COLOURS[seat], Tone::Seat(seat as u8), line)
        }))
    }

    fn path(&self, _state: &State, _seat: Seat, action: u8) -> Vec<String> {
        ends(action)
    }

    // The ends of an edge.
    fn any_order(&self, _id: &str) -> bool {
        true
    }

    fn why_not(&self, state: &State, seat: Seat, touched: &[String]) -> Option<String> {
        let node_of = |id: &String| (0..self.n_nodes).find(|&node| name(node) == *id);
        match touched {
            [one] => node_of(one).map(|_| format!("all lines at {one} have a colour already")),
            [one, other] => {
                let (a, b) = (node_of(one)?, node_of(other)?);
                if a == b {
                    return Some("a line joins two different points".into());
                }
                Some(self.why_illegal(state, seat, edge(a.min(b), a.max(b))))
            }
            _ => None,
        }
    }

    fn seat_tone(&self, seat: Seat) -> Tone {
        [Tone::Black, Tone::White, Tone::Blue][seat]
    }

    fn sketch(&self, scene: &Scene<'_, Self>, _viewer: Viewer) -> Sketch {
        let state = scene.state;
        let mut sketch = Sketch::default();
        self.draw_lines(state, &mut sketch);
        for b in 0..self.n_nodes {
            for a in 0..b {
                sketch.text("  ");
                match state.colour(edge(a, b)) {
                    Some(seat) => sketch.tone(MARKS[seat], Tone::Seat(seat as u8)),
                    None => sketch.text("."),
                }
                .at(text(edge(a, b)));
            }
            sketch.text(format!(" {:>2}", b + 1)).end_line();
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

    fn action_marks(&self, _state: &State, _seat: Seat, action: u8) -> Vec<String> {
        vec![text(action)]
    }
}

impl Sim {
    // Neighbours on the circle keep their distance.
    fn radius(&self) -> f64 {
        (0.75 / (TAU / 2.0 / f64::from(self.n_nodes)).sin()).max(2.2)
    }

    /// How thick coloured edges are: less in a crowd.
    fn stroke(&self) -> f64 {
        if self.n_nodes <= 8 { 0.13 } else { 0.09 }
    }

    // Node 1 at the top, the others clockwise.
    fn centre(&self, node: u8) -> (f64, f64) {
        let (angle, middle) = (TAU * f64::from(node) / f64::from(self.n_nodes), self.radius() + MARGIN);
        (middle + self.radius() * angle.sin(), middle - self.radius() * angle.cos())
    }

    // Lines are drawn above the nodes, so they end at the rims.
    fn between_rims(&self, edge: u8) -> Vec<(f64, f64)> {
        let (a, b) = ENDS[usize::from(edge)];
        let (from, to) = (self.centre(a), self.centre(b));
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let part = NODE / dx.hypot(dy);
        vec![(from.0 + part * dx, from.1 + part * dy), (to.0 - part * dx, to.1 - part * dy)]
    }

    /// An edge as `seat` draws it, a line from end to end last.
    fn draw(&self, board: &mut Area, edge: u8, seat: Seat) {
        let (line, tone, width) = (self.between_rims(edge), Tone::Seat(seat as u8), self.stroke());
        match seat {
            // A line of the sheet's own colour would not be seen without one below.
            0 => {
                board.line(line.clone(), Tone::Plain, 1.25 * width);
                board.line(line, tone, width)
            }
            1 => {
                board.line(line.clone(), Tone::Plain, 1.8 * width);
                board.line(line, tone, 0.9 * width)
            }
            _ => {
                for bead in beads(line[0], line[1]) {
                    board.line(bead, tone, 1.6 * width);
                }
                board.line(line, tone, 0.4 * width)
            }
        };
    }

    /// The nodes on their circle and the lines between them, each a row of its seat's marks.
    fn draw_lines(&self, state: &State, sketch: &mut Sketch) {
        let half = usize::from(self.n_nodes).clamp(5, 14);
        let (height, width) = (2 * half + 1, 4 * half + 3);
        let mut canvas: Vec<Vec<(char, Tone)>> = vec![vec![(' ', Tone::Plain); width]; height];
        let at = |node: u8| {
            let angle = TAU * f64::from(node) / f64::from(self.n_nodes);
            let half = half as f64;
            ((2.0 * half * (1.0 + angle.sin())).round() as usize, (half * (1.0 - angle.cos())).round() as usize)
        };
        for edge in 0..self.n_edges() {
            let Some(seat) = state.colour(edge) else { continue };
            let (a, b) = ENDS[usize::from(edge)];
            let mark = (MARKS[seat].chars().next().expect("a mark is a letter"), Tone::Seat(seat as u8));
            for (x, y) in steps(at(a), at(b)) {
                canvas[y][x] = mark;
            }
        }
        for node in 0..self.n_nodes {
            let (x, y) = at(node);
            for (i, digit) in name(node).chars().enumerate() {
                canvas[y][x + i] = (digit, Tone::Plain);
            }
        }
        for line in canvas {
            let end = line.iter().rposition(|&(mark, _)| mark != ' ').map_or(0, |last| last + 1);
            for (mark, tone) in &line[..end] {
                sketch.tone(*mark, *tone);
            }
            sketch.end_line();
        }
    }

    fn edges_of_triangles(&self, state: &State) -> Vec<u8> {
        let lost = (0..usize::from(self.n_seats)).filter(|&seat| !state.still_in.contains(seat));
        let in_triangle = |seat: Seat, edge: u8| {
            let (a, b) = ENDS[usize::from(edge)];
            let closes = |c| state.are_joined(seat, a, c) && state.are_joined(seat, b, c);
            state.are_joined(seat, a, b) && (0..self.n_nodes).any(closes)
        };
        lost.flat_map(|seat| (0..self.n_edges()).filter(move |&edge| in_triangle(seat, edge))).collect()
    }

    fn notes(&self, state: &State) -> Vec<String> {
        let seats = 0..usize::from(self.n_seats);
        let lost = seats.filter(|&seat| !state.still_in.contains(seat));
        let mut notes: Vec<String> =
            lost.map(|seat| format!("{} has completed a triangle.", self.seat_name(seat))).collect();
        if self.coalition {
            notes.push("White and Blue play together against Black.".into());
        }
        notes
    }
}

/// The places that a straight line between two places of a canvas passes, its ends left out.
fn steps(from: (usize, usize), to: (usize, usize)) -> impl Iterator<Item = (usize, usize)> {
    let n = from.0.abs_diff(to.0).max(from.1.abs_diff(to.1));
    let between =
        move |a: usize, b: usize, i: usize| (a as f64 + (b as f64 - a as f64) * i as f64 / n as f64).round() as usize;
    (1..n).map(move |i| (between(from.0, to.0, i), between(from.1, to.1, i)))
}

// Short pieces of a line, at even distances.
fn beads(from: (f64, f64), to: (f64, f64)) -> Vec<Vec<(f64, f64)>> {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let n_beads = (dx.hypot(dy) / BEADS) as usize;
    let at = |part: f64| (from.0 + part * dx, from.1 + part * dy);
    let bead = |i: usize| [0.35, 0.65].map(|offset| at((i as f64 + offset) / n_beads as f64)).to_vec();
    (0..n_beads).map(bead).collect()
}

/// The nodes that an edge joins.
fn ends(edge: u8) -> Vec<String> {
    let (a, b) = ENDS[usize::from(edge)];
    vec![name(a), name(b)]
}

fn name(node: u8) -> String {
    (node + 1).to_string()
}

fn text(edge: u8) -> String {
    let (a, b) = ENDS[usize::from(edge)];
    format!("{}-{}", name(a), name(b))
}
