//! Positions set up by touching: what may be put where, and the text of the resulting position.
//!
//! A game says it once, as data, by [`View::placements`](crate::picture::View::placements): its empty board, the places
//! in the order of a position's text, and the pieces. From that alone follow the picture of whatever has been put, its
//! text, and what a text has put. Whether a position is one is said by the game's parser only: half-made positions have
//! pictures and texts too. Checked for every game in conformance: what was met in play comes back, drawn as there.

use serde::Serialize;

use crate::picture::{Area, Line, Picture, PieceKind, Shape, Tone};
use crate::position::{Reader, write_rows};
use crate::seat::Seat;

/// What lies on each place, from the bottom: indices of [`Placements::pieces`].
pub type Arrangement = Vec<Vec<u8>>;

/// What may be put where.
#[derive(Clone, Debug, PartialEq)]
pub struct Placements {
    /// The board with nothing on it.
    pub board: Area,
    /// What may be put on a place.
    pub pieces: Vec<Placeable>,
    /// In the order of the text.
    pub places: Vec<Place>,
    /// How the board stands in the text.
    pub form: Form,
}

/// A piece that may be put on a place.
#[derive(Clone, Debug, PartialEq)]
pub struct Placeable {
    /// What it is called.
    pub label: String,
    /// How it stands in the text.
    pub symbol: String,
    /// Its colour.
    pub tone: Tone,
    /// What it looks like.
    pub figure: Figure,
}

/// What a piece looks like.
#[derive(Clone, Debug, PartialEq)]
pub enum Figure {
    /// A piece on a cell, and what is written on it.
    Piece(PieceKind, Option<String>),
    /// Lines from the middle of a cell, this wide.
    Strokes(Vec<Vec<(f64, f64)>>, f64),
    /// The place is a line: this wide, in units.
    Line(f64),
}

/// Where something may be put.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wire-types", derive(ts_rs::TS))]
#[cfg_attr(feature = "wire-types", ts(rename = "PlaceToFill"))]
pub struct Place {
    /// The cells on which pieces lie upon each other, from the bottom, or the one cell or line that is the place.
    pub ids: Vec<String>,
    /// How many pieces it holds at most.
    pub most: usize,
}

/// How a board is written: rows with `/` between them, so many places in each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// A letter a piece, numbers for runs of empty places: `2XO/4`.
    Letters(Vec<usize>),
    /// A word a piece and a dot for an empty place, with commas: `2,./.,16`.
    Words(Vec<usize>),
    /// The letters of each pile from the top, numbers for runs of empty places, with commas: `1,RBB,R/4`.
    Piles(Vec<usize>),
    /// How many lie on each place: `5/3/0`.
    Counts,
}

impl Placements {
    /// On the empty board of a picture, with a place for each of `ids`.
    pub fn on(picture: Picture, ids: impl IntoIterator<Item = String>, form: Form) -> Placements {
        let mut board = picture.areas.into_iter().next().expect("a picture has an area");
        board.pieces.clear();
        board.texts.retain(|text| text.coordinate);
        for cell in &mut board.cells {
            (cell.touch, cell.label) = (None, None);
            cell.along.clear();
        }
        board.lines.iter_mut().for_each(|line| line.touch.clear());
        let places = ids.into_iter().map(|id| Place { ids: vec![id], most: 1 }).collect();
        Placements { board, pieces: Vec::new(), places, form }
    }

    /// With a piece that lies on a cell.
    #[must_use]
    pub fn piece(self, label: impl Into<String>, symbol: impl ToString, kind: PieceKind, tone: Tone) -> Self {
        self.figure(label, symbol, tone, Figure::Piece(kind, None))
    }

    /// With something that may be put.
    #[must_use]
    pub fn figure(mut self, label: impl Into<String>, symbol: impl ToString, tone: Tone, figure: Figure) -> Self {
        self.pieces.push(Placeable { label: label.into(), symbol: symbol.to_string(), tone, figure });
        self
    }

    /// With so many pieces at most on each place.
    #[must_use]
    pub fn piled(mut self, most: usize) -> Self {
        self.places.iter_mut().for_each(|place| place.most = most);
        self
    }

    /// With nothing on it.
    pub fn empty(&self) -> Arrangement {
        vec![Vec::new(); self.places.len()]
    }

    /// Whether every place holds what it may hold.
    pub fn fits(&self, arrangement: &Arrangement) -> bool {
        let holds = |(on, place): (&Vec<u8>, &Place)| {
            on.len() <= place.most && on.iter().all(|&piece| usize::from(piece) < self.pieces.len())
        };
        arrangement.len() == self.places.len() && arrangement.iter().zip(&self.places).all(holds)
    }

    /// The text of a position, which need not be one; a game's parser says so. The arrangement must fit.
    pub fn text(&self, arrangement: &Arrangement, to_act: Seat) -> String {
        let symbol = |piece: &u8| self.pieces[usize::from(*piece)].symbol.as_str();
        let board = match &self.form {
            Form::Counts => arrangement.iter().map(|on| on.len().to_string()).collect::<Vec<_>>().join("/"),
            Form::Letters(lengths) => {
                let starts = starts(lengths);
                let letter = |row: usize, nth: usize| {
                    arrangement[starts[row] + nth].last().and_then(|piece| symbol(piece).chars().next())
                };
                write_rows(lengths.iter().copied(), letter)
            }
            Form::Words(lengths) => {
                let word = |on: &Vec<u8>| on.last().map_or(".", symbol).to_string();
                by_rows(arrangement, lengths, |row| row.iter().map(word).collect::<Vec<_>>().join(","))
            }
            Form::Piles(lengths) => by_rows(arrangement, lengths, |row| {
                let runs = row.chunk_by(|a, b| a.is_empty() && b.is_empty());
                let part = |run: &[Vec<u8>]| match run[0].is_empty() {
                    true => run.len().to_string(),
                    false => run[0].iter().rev().map(symbol).collect(),
                };
                runs.map(part).collect::<Vec<_>>().join(",")
            }),
        };
        format!("{board} {to_act}")
    }

    /// What the canonical text of a position has put, and the seat to act; `None` where it has another form. What else
    /// the text says is left out.
    pub fn read(&self, text: &str) -> Option<(Arrangement, Seat)> {
        let mut reader = Reader::new(text);
        let board = reader.field("a board").ok()?.text;
        let to_act = reader.peek().text.parse().unwrap_or(0);
        let mut arrangement = Arrangement::new();
        let piece = |symbol: &str| self.pieces.iter().position(|piece| piece.symbol == symbol).map(|i| i as u8);
        match &self.form {
            Form::Counts => {
                for count in board.split('/') {
                    arrangement.push(vec![0; count.parse::<u8>().ok()?.into()]);
                }
            }
            Form::Letters(lengths) => {
                arrangement = self.empty();
                let starts = starts(lengths);
                let field = Reader::new(board).field("a board").ok()?;
                let put = |row: usize, nth: usize, symbol: char| match piece(symbol.encode_utf8(&mut [0; 4])) {
                    Some(index) => {
                        arrangement[starts[row] + nth] = vec![index];
                        true
                    }
                    None => false,
                };
                field.rows(lengths.iter().copied(), "a piece", put).ok()?;
            }
            Form::Words(_) => {
                for word in board.split(['/', ',']) {
                    arrangement.push(if word == "." { Vec::new() } else { vec![piece(word)?] });
                }
            }
            Form::Piles(_) => {
                for part in board.split(['/', ',']) {
                    match part.parse::<u8>() {
                        Ok(n_empty) => arrangement.extend((0..n_empty).map(|_| Vec::new())),
                        Err(_) => {
                            let mut letters = [0; 4];
                            let pile: Option<Vec<u8>> =
                                part.chars().rev().map(|letter| piece(letter.encode_utf8(&mut letters))).collect();
                            arrangement.push(pile?);
                        }
                    }
                }
            }
        }
        self.fits(&arrangement).then_some((arrangement, to_act))
    }

    /// What has been put, as a picture. The arrangement must fit.
    pub fn picture(&self, arrangement: &Arrangement) -> Picture {
        let mut board = self.board.clone();
        for (place, on) in self.places.iter().zip(arrangement) {
            for (level, &piece) in on.iter().enumerate() {
                let placed = &self.pieces[usize::from(piece)];
                let id = place.ids.get(level).unwrap_or(&place.ids[place.ids.len() - 1]);
                // Pieces that share a cell lie upon each other.
                let lift = if place.ids.len() > 1 { 0 } else { level };
                placed.draw(&mut board, id, lift, place.most);
                if let Some(cell) = board.cells.iter_mut().find(|cell| cell.id == *id) {
                    cell.label = Some(format!("{id}: {}", placed.label));
                }
            }
        }
        Picture { areas: vec![board], ..Picture::default() }
    }
}

impl Placeable {
    /// By itself, on a cell of one unit.
    pub fn icon(&self) -> Area {
        let mut area = Area::tray("icon", self.label.clone(), None, 1.0, 1.0);
        area.cell("icon", 0.5, 0.5, Shape::Square, Tone::Light);
        match self.figure {
            Figure::Line(width) => {
                area.line(vec![(0.15, 0.75), (0.85, 0.25)], Tone::Plain, 1.6 * width.max(0.12));
                area.line(vec![(0.15, 0.75), (0.85, 0.25)], self.tone, width.max(0.12));
            }
            _ => self.draw(&mut area, "icon", 0, 1),
        }
        area
    }

    fn draw(&self, area: &mut Area, id: &str, lift: usize, most: usize) {
        match &self.figure {
            Figure::Piece(kind, text) => {
                let slab = most > 1 && *kind == PieceKind::Slab;
                let piece = area.piece(id, *kind, self.tone);
                piece.text.clone_from(text);
                if slab {
                    piece.dy = SLAB_FLOOR - SLAB * lift as f64;
                }
            }
            Figure::Strokes(strokes, width) => {
                let Some((x, y)) = area.cells.iter().find(|cell| cell.id == id).map(|cell| (cell.x, cell.y)) else {
                    return;
                };
                for stroke in strokes {
                    area.line(stroke.iter().map(|(dx, dy)| (x + dx, y + dy)).collect(), self.tone, *width);
                }
            }
            Figure::Line(width) => {
                let Some(line) = area.lines.iter_mut().find(|line| line.id.as_deref() == Some(id)) else { return };
                // One of the sheet's own colour would not be seen without one below.
                let below = Line { id: None, tone: Tone::Plain, width: 1.6 * width, ..line.clone() };
                (line.tone, line.width) = (self.tone, *width);
                let at = area.lines.iter().position(|line| line.id.as_deref() == Some(id)).unwrap_or_default();
                area.lines.insert(at, below);
            }
        }
    }
}

/// How high a piece of a pile is seen from the side, and where the lowest lies in its cell.
const SLAB: f64 = 0.176;
const SLAB_FLOOR: f64 = 0.33;

/// The number of the first place of each row.
fn starts(lengths: &[usize]) -> Vec<usize> {
    let ends = lengths.iter().scan(0, |end, length| {
        let start = *end;
        *end += length;
        Some(start)
    });
    ends.collect()
}

fn by_rows(arrangement: &Arrangement, lengths: &[usize], write: impl Fn(&[Vec<u8>]) -> String) -> String {
    let starts = starts(lengths);
    let rows: Vec<String> =
        starts.iter().zip(lengths).map(|(&at, length)| write(&arrangement[at..at + length])).collect();
    rows.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(lengths: &[usize]) -> Placements {
        let mut area = Area::board("A board", 4.0, 4.0);
        let ids: Vec<String> = (0..lengths.iter().sum()).map(|i| format!("p{i}")).collect();
        for (i, id) in ids.iter().enumerate() {
            area.cell(id.clone(), i as f64, 0.0, Shape::Square, Tone::Light);
        }
        let picture = Picture { areas: vec![area], ..Picture::default() };
        Placements::on(picture, ids, Form::Letters(lengths.to_vec()))
            .piece("Black", "B", PieceKind::Disc, Tone::Black)
            .piece("White", "W", PieceKind::Disc, Tone::White)
    }

    #[test]
    fn boards_of_every_form_are_written_and_read_back() {
        let letters = board(&[3, 2]);
        let words = Placements { form: Form::Words(vec![3, 2]), ..letters.clone() };
        let piles = Placements { form: Form::Piles(vec![3, 2]), ..letters.clone() }.piled(3);
        let counts = Placements { form: Form::Counts, ..letters.clone() }.piled(9);
        let single = vec![vec![], vec![0], vec![1], vec![], vec![]];
        let piled = vec![vec![], vec![], vec![1, 0, 0], vec![0], vec![]];
        let counted = vec![vec![0; 3], vec![], vec![0], vec![], vec![0, 0]];
        for (placements, arrangement, text) in [
            (&letters, &single, "1BW/2 1"),
            (&words, &single, ".,B,W/.,. 1"),
            (&piles, &piled, "2,BBW/B,1 1"),
            (&counts, &counted, "3/0/1/0/2 1"),
        ] {
            assert_eq!(placements.text(arrangement, 1), text);
            assert_eq!(placements.read(text), Some((arrangement.clone(), 1)), "{text}");
            assert_eq!(placements.read(&format!("{text} more=1")), Some((arrangement.clone(), 1)), "{text}");
        }
        for text in ["", "5 0", "1BX/2 0", "1BW/2/1 0", "1BW/3 0"] {
            assert_eq!(letters.read(text), None, "{text}");
        }
        assert_eq!(piles.read("2,BBBB/2 0"), None);
    }

    #[test]
    fn what_was_put_is_drawn_where_it_lies() {
        let letters = board(&[3]);
        let drawn = letters.picture(&vec![vec![1], vec![], vec![0]]);
        let pieces: Vec<(&str, Tone)> =
            drawn.areas[0].pieces.iter().map(|piece| (piece.cell.as_str(), piece.tone)).collect();
        assert_eq!(pieces, [("p0", Tone::White), ("p2", Tone::Black)]);
        assert!(!letters.fits(&vec![vec![2], vec![], vec![]]) && !letters.fits(&vec![vec![0]]));
        assert!(!letters.fits(&vec![vec![0, 0], vec![], vec![]]));
    }
}
