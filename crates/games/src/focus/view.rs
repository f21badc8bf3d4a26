//! A position as data: the board with its piles seen from the side, and the reserves beside it.

use raichi_core::game::Game;
use raichi_core::notation::Notation;
use raichi_core::picture::{Area, Picture, PieceKind, Scene, Shape, Sketch, Tone, View};
use raichi_core::placement::{Form, Placements};
use raichi_core::seat::{Seat, Viewer};

use super::board::{BOARD, Cell, SIZE, START, bit, cell, column_and_row, each};
use super::notation::{cells_of, parse, text};
use super::pile::{Pile, TALLEST};
use super::rules::{Action, Focus, MOST_QUIET_PLIES, Rule, State};

/// Room for coordinates at the left and at the bottom.
const MARGIN: f64 = 0.6;
/// From the middle of a cell down to the lowest piece, and from a piece up to the next.
const FLOOR: f64 = 0.33;
const THICKNESS: f64 = 0.176;
/// Room for so many stacks of reserves even where there are fewer.
const RESERVE_STACKS: usize = 2;
const LETTERS: [&str; 2] = ["R", "B"];

impl View for Focus {
    fn picture(&self, scene: &Scene<'_, Self>, _viewer: Viewer) -> Picture {
        let state = scene.state;
        let mut picture = Picture { areas: vec![self.board(state)], ..Picture::default() };
        for seat in 0..2 {
            picture.areas.push(self.tray(state, seat));
            picture.counter(Some(seat), "piles", state.owned[seat].count_ones());
            picture.counter(Some(seat), "captured", captured(state, seat));
        }
        picture.counter(None, "plies without progress", format!("{} of {MOST_QUIET_PLIES}", scene.n_quiet));
        picture.notes.extend(self.note(scene));
        picture
    }

    fn placements(&self) -> Option<Placements> {
        let empty = self.picture(&Scene::of(&self.initial_state()), Viewer::Referee);
        let rows: Vec<Vec<String>> = (0..SIZE).rev().map(|row| cells_of(row).map(text).collect()).collect();
        let form = Form::Piles(rows.iter().map(Vec::len).collect());
        let on = Placements::on(empty, rows.into_iter().flatten(), form).piled(TALLEST.into());
        Some((0..2).fold(on, |on, seat| {
            on.piece(self.seat_name(seat), LETTERS[seat], PieceKind::Slab, Tone::Seat(seat as u8))
        }))
    }

    fn path(&self, _state: &State, seat: Seat, action: Action) -> Vec<String> {
        match action {
            Action::Move { from, to } => vec![text(from), text(to)],
            Action::Reserve { to } => vec![reserve(seat), text(to)],
            Action::Exchange { own, foe } => vec![text(own), text(foe)],
        }
    }

    fn why_not(&self, state: &State, seat: Seat, touched: &[String]) -> Option<String> {
        let reserve_of = |id: &String| (0..2).find(|&other| reserve(other) == *id);
        let exchanging = state.exchanges_left > 0;
        if let Some(owner) = touched.first().and_then(reserve_of) {
            return Some(match touched.get(1).map(|to| parse(to)) {
                _ if owner != seat => "that is your opponent's reserve".into(),
                _ if exchanging => "an exchange has to be chosen first: one of your pieces, then an enemy's".into(),
                None => "you have no piece in reserve".into(),
                Some(to) => self.why_illegal(state, seat, Action::Reserve { to: to? }),
            });
        }
        let (from, to) = match touched {
            [from] => (parse(from)?, None),
            [from, to] => (parse(from)?, Some(parse(to)?)),
            _ => return None,
        };
        let here = text(from);
        Some(match to {
            Some(to) if exchanging => self.why_illegal(state, seat, Action::Exchange { own: from, foe: to }),
            Some(to) => self.why_illegal(state, seat, Action::Move { from, to }),
            None if state.owned[seat] & bit(from) != 0 => format!("with the piece on {here} no exchange is allowed"),
            None if state.owned[1 - seat] & bit(from) != 0 => {
                format!("the pile on {here} is not yours: the piece on top says whose it is")
            }
            None => format!("{here} is empty: choose a pile of yours first, then where it goes"),
        })
    }

    fn caption(&self, state: &State, _seat: Seat, touched: &[String]) -> Option<String> {
        let [from] = touched else { return None };
        let pile = each(BOARD).find(|&at| text(at) == *from).map(|at| state.pile(at).height());
        Some(match pile {
            None => "a piece from the reserve: onto which cell?".into(),
            Some(_) if state.exchanges_left > 0 => format!("{from} and which enemy piece?"),
            Some(1) => format!("from {from}, one cell"),
            Some(height) => format!("from {from}, 1 to {height} cells: as many pieces go along"),
        })
    }

    fn seat_tone(&self, seat: Seat) -> Tone {
        [Tone::Red, Tone::Black][seat]
    }

    fn sketch(&self, scene: &Scene<'_, Self>, _viewer: Viewer) -> Sketch {
        let state = scene.state;
        let mut sketch = Sketch::default();
        for row in (0..SIZE).rev() {
            sketch.text(format!("{} ", row + 1));
            let mut gap = 1;
            for at in (0..SIZE).map(|column| cell(column, row)) {
                if BOARD & bit(at) != 0 {
                    sketch.text(" ".repeat(gap));
                    let first = sketch.runs.len();
                    gap = 1 + usize::from(TALLEST - draw(&mut sketch, state.pile(at)));
                    sketch.since(first, text(at));
                } else {
                    gap += 1 + usize::from(TALLEST);
                }
            }
            sketch.end_line();
        }
        sketch.text("   a     b     c     d     e     f     g     h").end_line();
        for seat in 0..2 {
            let (reserves, captured) = (state.reserves[seat], captured(state, seat));
            sketch.tone(self.seat_name(seat), Tone::Seat(seat as u8));
            sketch.text(format!(": {reserves} in reserve, {captured} captured")).end_line();
        }
        if let Some(note) = self.note(scene) {
            sketch.text(note).end_line();
        }
        sketch
    }
}

impl Focus {
    fn board(&self, state: &State) -> Area {
        let side = f64::from(SIZE) + MARGIN;
        let mut board = Area::board("Focus board", side, side).turnable();
        for at in each(BOARD) {
            let (x, y) = centre(at);
            // Where the pieces stood at the start, and the rim around it.
            let ground = if (START[0] | START[1]) & bit(at) != 0 { Tone::Light } else { Tone::Dark };
            board.cell(text(at), x, y, Shape::Square, ground).label = Some(self.label(at, state.pile(at)));
            for (i, seat) in state.pile(at).pieces().rev().enumerate() {
                add_piece(&mut board, &text(at), seat, 0.0, i);
            }
            add_height(&mut board, &text(at), state.pile(at));
        }
        for i in 0..SIZE {
            let (x, y) = centre(cell(i, i));
            board.coordinate(x, side - MARGIN / 2.0, char::from(b'a' + i).to_string());
            board.coordinate(MARGIN / 2.0, y, (i + 1).to_string());
        }
        board
    }

    /// A seat's reserves in stacks as high as a pile.
    fn tray(&self, state: &State, seat: Seat) -> Area {
        let n = usize::from(state.reserves[seat]);
        let n_stacks = n.div_ceil(TALLEST.into()).max(RESERVE_STACKS);
        let width = n_stacks as f64;
        let title = format!("{}'s reserve", self.seat_name(seat));
        let mut tray = Area::tray(format!("reserves:{seat}"), title, Some(seat), width, 1.0);
        let place = tray.cell(reserve(seat), width / 2.0, 0.5, Shape::Rect { width, height: 1.0 }, Tone::Plain);
        place.label = Some(format!("{n} in reserve"));
        if n == 0 {
            tray.caption(width / 2.0, 0.5, "none");
        }
        for i in 0..n {
            let dx = (i / usize::from(TALLEST)) as f64 + 0.5 - width / 2.0;
            add_piece(&mut tray, &reserve(seat), seat, dx, i % usize::from(TALLEST));
        }
        tray
    }

    fn label(&self, at: Cell, pile: Pile) -> String {
        let pieces: Vec<String> = pile.pieces().map(|seat| self.seat_name(seat)).collect();
        match pieces.len() {
            0 => text(at),
            1 => format!("{}, {}", text(at), pieces[0]),
            _ => format!("{}, from the top {}", text(at), pieces.join(", ")),
        }
    }

    fn note(&self, scene: &Scene<'_, Self>) -> Option<String> {
        let state = scene.state;
        let name = |seat: Seat| self.seat_name(seat);
        if state.exchanges_left > 0 {
            let seat = usize::from(state.to_act);
            return Some(format!(
                "{} has one of its pieces change places with one of {}'s.",
                name(seat),
                name(1 - seat)
            ));
        }
        let draw =
            if self.rule == Rule::DrawWins { format!("wins the game for {}", name(0)) } else { "is a draw".into() };
        (!state.is_stuck() && scene.path_end.is_none() && scene.occurrences == 2)
            .then(|| format!("This position has come for the second time; the third {draw}."))
    }
}

// The enemy pieces that a seat has captured: those that are neither on the board nor in reserve.
fn captured(state: &State, seat: Seat) -> u32 {
    START[1 - seat].count_ones() - u32::from(state.n_pieces_of(1 - seat))
}

fn reserve(seat: Seat) -> String {
    format!("reserve:{seat}")
}

fn add_piece(area: &mut Area, cell: &str, seat: Seat, dx: f64, level: usize) {
    let piece = area.piece(cell, PieceKind::Slab, Tone::Seat(seat as u8));
    piece.dx = dx;
    piece.dy = FLOOR - THICKNESS * level as f64;
}

/// How high a pile is, as far as it goes: a number in the colour of the piece on top. One piece needs none.
fn add_height(board: &mut Area, cell: &str, pile: Pile) {
    if let (2.., Some(seat)) = (pile.height(), pile.pieces().next()) {
        let height = board.piece(cell, PieceKind::Token, Tone::Seat(seat as u8));
        height.text = Some(pile.height().to_string());
        (height.dx, height.dy, height.size) = (0.32, -0.32, Some(0.34));
    }
}

// Draws the pile from its top; returns how wide that is.
fn draw(sketch: &mut Sketch, pile: Pile) -> u8 {
    if pile == Pile::EMPTY {
        sketch.text(".");
    }
    for seat in pile.pieces() {
        sketch.tone(LETTERS[seat], Tone::Seat(seat as u8));
    }
    pile.height().max(1)
}

fn centre(at: Cell) -> (f64, f64) {
    let (column, row) = column_and_row(at);
    (MARGIN + f64::from(column) + 0.5, f64::from(SIZE - 1 - row) + 0.5)
}
