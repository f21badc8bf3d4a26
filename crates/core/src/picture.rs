//! A position as data, for anybody who draws it: the page as SVG, the terminal as text.
//!
//! A picture says what lies where, in board units, and which short path of things a person touches to choose each legal
//! action. A program that draws it needs no rules. Colour never carries meaning alone: every piece has a shape or a text too.

use std::collections::HashSet;
use std::ops::Range;

use serde::Serialize;

use crate::chart::{Chart, Lettering};
use crate::drill::Exercise;
use crate::game::Game;
use crate::path::PathEnd;
use crate::placement::Placements;
use crate::random::Rng;
use crate::seat::{Seat, Viewer};

/// A position as a viewer may see it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "wire-types", derive(ts_rs::TS))]
pub struct Picture {
    /// The board first, then hands, piles and whatever else has places. The program that draws lays them out.
    pub areas: Vec<Area>,
    /// Numbers beside the board: score, chips, the pot.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "wire-types", ts(as = "Option<_>", optional))]
    pub counters: Vec<Counter>,
    /// Touchable things without a place: `fold`, `pass`, `end`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "wire-types", ts(as = "Option<_>", optional))]
    pub buttons: Vec<Button>,
    /// Short sentences about the position: `Raichi!`, `The flop`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "wire-types", ts(as = "Option<_>", optional))]
    pub notes: Vec<String>,
    /// How an action is chosen here, in short sentences for who is new to it. They say nothing about the position: on paper
    /// and in diagrams they are left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "wire-types", ts(as = "Option<_>", optional))]
    pub hints: Vec<String>,
    /// What is shown at the seats beside their cards and counters: the dealer's button, a wager, what was won.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "wire-types", ts(as = "Option<_>", optional))]
    pub badges: Vec<Badge>,
    /// Charts that say how things stand, each in place of the game's chart of the same id: what is still to come.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "wire-types", ts(as = "Option<_>", optional))]
    pub charts: Vec<Chart>,
    /// The table as the last round left it, where the picture itself no longer shows it. A program that draws may hold
    /// it for a while before it goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wire-types", ts(optional))]
    pub before: Option<Box<Picture>>,
}

/// A surface with things on it, in its own units: x to the right, y downward, (0, 0) its top left corner.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "wire-types", derive(ts_rs::TS))]
pub struct Area {
    /// Unique in the picture.
    pub id: String,
    /// What it is called; drawn beside trays, read aloud for boards.
    pub title: String,
    /// How it is laid out.
    pub kind: AreaKind,
    /// The seat it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wire-types", ts(optional))]
    pub seat: Option<Seat>,
    /// Whether it may be turned about and seen from the other side: nothing in it stands or falls.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "wire-types", ts(as = "Option<_>", optional))]
    pub turnable: bool,
    /// In units; a board cell is about one unit wide.
    pub width: f64,
    /// In units.
    pub height: f64,
    /// Places, drawn first, in order.
    pub cells: Vec<Cell>,
    /// Drawn on the cells.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "wire-types", ts(as = "Option<_>", optional))]
    pub lines: Vec<Line>,
    /// Drawn on top, in order.
    pub pieces: Vec<Piece>,
    /// Coordinates and captions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "wire-types", ts(as = "Option<_>", optional))]
    pub texts: Vec<Text>,
}

/// How an area is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wire-types", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum AreaKind {
    /// Drawn as large as there is room.
    Board,
    /// A strip beside the board: a hand, a reserve, a row of cards.
    Tray,
    /// The middle of a table around which the seats sit, each with its trays, counters and badges at its place.
    Table,
    /// A body in space, which a person may turn; every cell is a [`Shape::Facet`]. Drawn within one unit of its centre.
    Solid,
}

/// A place.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "wire-types", derive(ts_rs::TS))]
pub struct Cell {
    /// Unique in the picture; what paths of touches name.
    pub id: String,
    /// The centre.
    pub x: f64,
    /// The centre.
    pub y: f64,
    /// What it looks like.
    pub shape: Shape,
    /// How it is filled.
    pub tone: Tone,
    /// Touching the cell counts as touching this instead of `id`: a column, a hand.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wire-types", ts(optional))]
    pub touch: Option<String>,
    /// What a screen reader says; the id where absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wire-types", ts(optional))]
    pub label: Option<String>,
    /// Written in the cell.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wire-types", ts(optional))]
    pub text: Option<String>,
    /// Shown only while it may be touched or is chosen, and then above everything else: a choice that stands at what
    /// was chosen before.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "wire-types", ts(as = "Option<_>", optional))]
    pub passing: bool,
    /// Cells that light up with this one while somebody points at it: what touching it would take.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "wire-types", ts(as = "Option<_>", optional))]
    pub along: Vec<String>,
}

/// What a cell looks like.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "wire-types", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Shape {
    /// A unit square.
    Square,
    /// A rectangle.
    Rect {
        /// In units.
        width: f64,
        /// In units.
        height: f64,
    },
    /// A hexagon with a corner at the top, one unit between its upright sides.
    Hexagon,
    /// A disc, such as a point of a graph or a hole.
    Circle {
        /// In units.
        radius: f64,
    },
    /// A place for a card, 0.7 × 1 units.
    Card,
    /// A flat part of a body's surface: four corners in space, (x, y, z) from the body's centre, x to the right, y
    /// upward, z towards the person. Seen from outside they go clockwise, the facet's top left first.
    Facet {
        /// In units; each within one unit of the centre along every axis.
        corners: [[f64; 3]; 4],
    },
}

/// A thing that lies on a cell.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "wire-types", derive(ts_rs::TS))]
pub struct Piece {
    /// The cell it lies on.
    pub cell: String,
    /// What it is.
    pub kind: PieceKind,
    /// Whose, or which colour.
    pub tone: Tone,
    /// Written on it: a tile's number, a card's rank and suit (`As`), a count.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wire-types", ts(optional))]
    pub text: Option<String>,
    /// From the cell's centre, in units; 0 where absent.
    #[serde(skip_serializing_if = "is_zero")]
    #[cfg_attr(feature = "wire-types", ts(as = "Option<_>", optional))]
    pub dx: f64,
    /// From the cell's centre, in units; 0 where absent.
    #[serde(skip_serializing_if = "is_zero")]
    #[cfg_attr(feature = "wire-types", ts(as = "Option<_>", optional))]
    pub dy: f64,
    /// Of the piece, in units; its kind's own where absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wire-types", ts(optional))]
    pub size: Option<f64>,
}

fn is_zero(x: &f64) -> bool {
    *x == 0.0
}

/// What a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wire-types", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum PieceKind {
    /// A round man seen from above.
    Disc,
    /// A round man seen from the side, for piles.
    Slab,
    /// A man with a crown.
    King,
    /// An X.
    Cross,
    /// An O.
    Ring,
    /// A square tile with a text.
    Tile,
    /// A playing card, face up; its text is rank and suit (`As`) or, of other decks, a word.
    Card,
    /// A card, face down.
    CardBack,
    /// A small counter with a number on it.
    Token,
    /// A die; its text is the number of pips.
    Die,
    /// A match, a stick, an item of a heap.
    Stick,
}

/// A colour by its meaning; the program that draws chooses the shade.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wire-types", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Tone {
    /// The colour of seat 0 to 9.
    Seat(u8),
    /// Ordinary board, light.
    Light,
    /// Ordinary board, the other shade.
    Dark,
    /// A special cell: castle, goal.
    Accent,
    /// Barely there.
    Plain,
    /// Belongs to nobody.
    Neutral,
    /// Black as such.
    Black,
    /// White as such.
    White,
    /// Red as such.
    Red,
    /// Yellow as such.
    Yellow,
    /// Blue as such.
    Blue,
    /// Green as such.
    Green,
    /// Orange as such.
    Orange,
    /// Purple as such.
    Purple,
    /// Step 0 … of a scale from pale to strong: the tiles of 2048.
    Scale(u8),
    /// Red, yellow and blue paint on white, then darkened and paled; each from 0 to 100.
    Mix([u8; 5]),
}

/// A line through points.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "wire-types", derive(ts_rs::TS))]
pub struct Line {
    /// The corners, (x, y).
    pub points: Vec<(f64, f64)>,
    /// Its colour.
    pub tone: Tone,
    /// In units.
    pub width: f64,
    /// Where the line can be touched, its id.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wire-types", ts(optional))]
    pub id: Option<String>,
    /// Touching the line counts as touching these instead of `id`, one after the other: the nodes that it joins.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "wire-types", ts(as = "Option<_>", optional))]
    pub touch: Vec<String>,
    /// Whether it ends in an arrow head.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "wire-types", ts(as = "Option<_>", optional))]
    pub arrow: bool,
}

/// A caption or a coordinate.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "wire-types", derive(ts_rs::TS))]
#[cfg_attr(feature = "wire-types", ts(rename = "Caption"))]
pub struct Text {
    /// Of its centre.
    pub x: f64,
    /// Of its centre.
    pub y: f64,
    /// What it says.
    pub text: String,
    /// Height of a capital, about, in units.
    pub size: f64,
    /// A coordinate, which a reader may switch off.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "wire-types", ts(as = "Option<_>", optional))]
    pub coordinate: bool,
}

/// A number beside the board.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "wire-types", derive(ts_rs::TS))]
pub struct Counter {
    /// Whose.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wire-types", ts(optional))]
    pub seat: Option<Seat>,
    /// Of what.
    pub label: String,
    /// How many.
    pub value: String,
}

/// A sign at a seat.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "wire-types", derive(ts_rs::TS))]
pub struct Badge {
    /// Whose.
    pub seat: Seat,
    /// What it is.
    pub kind: BadgeKind,
    /// What it says.
    pub text: String,
}

/// What a sign at a seat is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wire-types", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum BadgeKind {
    /// A round marker that goes from seat to seat, such as the dealer's; a letter.
    Button,
    /// What the seat has put in front of it; a number.
    Stake,
    /// What the seat last did, or how it stands: `folded`, `two pairs, kings and sevens`.
    State,
    /// What it gained by the round, in words that follow a name or *you*: `won 120 with two pairs, kings and sevens`.
    Gain,
    /// What else the round came to for it, in such words: `lost 20`, `got the wager back`.
    Loss,
}

/// A touchable thing without a place.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "wire-types", derive(ts_rs::TS))]
pub struct Button {
    /// What paths of touches name.
    pub id: String,
    /// Written on it.
    pub label: String,
}

/// How a person chooses a legal action.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "wire-types", derive(ts_rs::TS))]
pub struct Touch {
    /// The action's canonical text.
    pub action: String,
    /// Ids of cells, lines or buttons in the order they are touched. No two actions of a seat share a path, and none's
    /// is the beginning of another's, whatever order they come in where [`View::any_order`] leaves it open.
    pub path: Vec<String>,
}

impl Touch {
    /// What may be touched next on the way to this action, each id once; nothing where all of its path is touched, and
    /// `None` where `touched` does not lead to it. Ids that follow one another in the path and may come in any order
    /// are not bound to the path's.
    ///
    /// ```
    /// # use raichi_core::picture::Touch;
    /// let touch = Touch { action: "RO>Y".into(), path: ["R", "O", "for", "Y"].map(String::from).to_vec() };
    /// let next = |touched: &[&str]| {
    ///     let touched: Vec<String> = touched.iter().map(|id| id.to_string()).collect();
    ///     touch.next(&touched, &|id| id != "for").map(|ids| ids.join(" "))
    /// };
    /// assert_eq!(next(&[]).unwrap(), "R O");
    /// assert_eq!(next(&["O"]).unwrap(), "R");
    /// assert_eq!(next(&["O", "R"]).unwrap(), "for");
    /// assert_eq!(next(&["O", "for"]), None);
    /// assert_eq!(next(&["O", "R", "for", "Y"]).unwrap(), "");
    /// ```
    pub fn next(&self, touched: &[String], any_order: &dyn Fn(&str) -> bool) -> Option<Vec<&str>> {
        let run = |ids: &[String]| ids.iter().take_while(|id| any_order(id)).count();
        let (mut path, mut touched) = (self.path.as_slice(), touched);
        loop {
            let (n_here, n_touched) = (run(path).max(1).min(path.len()), run(touched).max(1).min(touched.len()));
            let mut left: Vec<&str> = path[..n_here].iter().map(String::as_str).collect();
            for id in &touched[..n_touched] {
                left.remove(left.iter().position(|other| other == id)?);
            }
            (path, touched) = (&path[n_here..], &touched[n_touched..]);
            if !left.is_empty() || path.is_empty() {
                let mut seen = HashSet::new();
                left.retain(|&id| seen.insert(id));
                return touched.is_empty().then_some(left);
            }
        }
    }
}

impl Picture {
    /// Adds a button for the action whose path is just `id`.
    pub fn button(&mut self, id: impl Into<String>, label: impl Into<String>) {
        self.buttons.push(Button { id: id.into(), label: label.into() });
    }

    /// Adds a counter.
    pub fn counter(&mut self, seat: Option<Seat>, label: impl Into<String>, value: impl ToString) {
        self.counters.push(Counter { seat, label: label.into(), value: value.to_string() });
    }

    /// Adds a badge.
    pub fn badge(&mut self, seat: Seat, kind: BadgeKind, text: impl Into<String>) {
        self.badges.push(Badge { seat, kind, text: text.into() });
    }
}

impl Area {
    /// An empty board of this size.
    pub fn board(title: impl Into<String>, width: f64, height: f64) -> Area {
        Area::new("board", title, AreaKind::Board, None, width, height)
    }

    /// The middle of a table, empty yet.
    pub fn table(title: impl Into<String>, width: f64, height: f64) -> Area {
        Area::new("board", title, AreaKind::Table, None, width, height)
    }

    /// The same area, which may be turned about.
    #[must_use]
    pub fn turnable(self) -> Area {
        Area { turnable: true, ..self }
    }

    /// An empty tray of this size.
    pub fn tray(id: impl Into<String>, title: impl Into<String>, seat: Option<Seat>, width: f64, height: f64) -> Area {
        Area::new(id, title, AreaKind::Tray, seat, width, height)
    }

    /// A body in space without a surface yet.
    pub fn solid(id: impl Into<String>, title: impl Into<String>) -> Area {
        Area::new(id, title, AreaKind::Solid, None, 2.0, 2.0)
    }

    fn new(
        id: impl Into<String>,
        title: impl Into<String>,
        kind: AreaKind,
        seat: Option<Seat>,
        width: f64,
        height: f64,
    ) -> Area {
        Area {
            id: id.into(),
            title: title.into(),
            kind,
            seat,
            turnable: false,
            width,
            height,
            cells: Vec::new(),
            lines: Vec::new(),
            pieces: Vec::new(),
            texts: Vec::new(),
        }
    }

    /// Adds a cell centred at (x, y); returns it for further settings.
    pub fn cell(&mut self, id: impl Into<String>, x: f64, y: f64, shape: Shape, tone: Tone) -> &mut Cell {
        let (id, along) = (id.into(), Vec::new());
        self.cells.push(Cell { id, x, y, shape, tone, touch: None, label: None, text: None, passing: false, along });
        self.cells.last_mut().expect("a cell was just pushed")
    }

    /// Adds a piece on a cell; returns it for further settings.
    pub fn piece(&mut self, cell: impl Into<String>, kind: PieceKind, tone: Tone) -> &mut Piece {
        self.pieces.push(Piece { cell: cell.into(), kind, tone, text: None, dx: 0.0, dy: 0.0, size: None });
        self.pieces.last_mut().expect("a piece was just pushed")
    }

    /// Adds a line.
    pub fn line(&mut self, points: Vec<(f64, f64)>, tone: Tone, width: f64) -> &mut Line {
        self.lines.push(Line { points, tone, width, id: None, touch: Vec::new(), arrow: false });
        self.lines.last_mut().expect("a line was just pushed")
    }

    /// Adds a coordinate at the board's rim.
    pub fn coordinate(&mut self, x: f64, y: f64, text: impl Into<String>) {
        self.texts.push(Text { x, y, text: text.into(), size: 0.28, coordinate: true });
    }

    /// Adds a caption.
    pub fn caption(&mut self, x: f64, y: f64, text: impl Into<String>) {
        self.texts.push(Text { x, y, text: text.into(), size: 0.3, coordinate: false });
    }
}

/// A position as text for a terminal: runs of text, each with a tone that may be shown as colour or left out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sketch {
    /// The runs, in order, line breaks included.
    pub runs: Vec<(String, Tone)>,
    /// Which of the picture's places some of the runs show.
    places: Vec<(Range<usize>, String)>,
}

impl Sketch {
    /// Appends uncoloured text.
    pub fn text(&mut self, text: impl Into<String>) -> &mut Self {
        self.tone(text, Tone::Plain)
    }

    /// Appends text in a tone.
    pub fn tone(&mut self, text: impl Into<String>, tone: Tone) -> &mut Self {
        self.runs.push((text.into(), tone));
        self
    }

    /// Says that the last run shows the picture's place `id`.
    pub fn at(&mut self, id: impl Into<String>) -> &mut Self {
        self.since(self.runs.len().saturating_sub(1), id)
    }

    /// Says that all runs from number `first` on show the picture's place `id`.
    pub fn since(&mut self, first: usize, id: impl Into<String>) -> &mut Self {
        self.places.push((first..self.runs.len(), id.into()));
        self
    }

    /// Puts brackets around the places that are among `marks`, in the room of the spaces beside them: ` X ` becomes
    /// `[X]`. Returns whether there were any.
    pub fn mark(&mut self, marks: &[String]) -> bool {
        let places = std::mem::take(&mut self.places);
        let marked = places.iter().filter(|(runs, id)| !runs.is_empty() && marks.contains(id));
        for (runs, _) in marked.clone() {
            let before = runs.start.checked_sub(1).map(|i| &mut self.runs[i].0);
            let had_room = before.is_some_and(|text| match text.pop() {
                Some(' ') => {
                    text.push('[');
                    true
                }
                // Two marks share the room between them.
                Some(']') => {
                    text.push(' ');
                    true
                }
                other => {
                    text.extend(other);
                    false
                }
            });
            if !had_room {
                self.runs[runs.start].0.insert(0, '[');
            }
            let Some((after, _)) = self.runs.get_mut(runs.end) else {
                self.runs[runs.end - 1].0.push(']');
                continue;
            };
            // What was shifted on the left is made up for on the right.
            let n_spaces = after.bytes().take_while(|&b| b == b' ').count().min(if had_room { 1 } else { 2 });
            after.replace_range(..n_spaces, "]");
        }
        let any = marked.count() > 0;
        self.places = places;
        any
    }

    /// The same text with each seat's tone as the game has it.
    #[must_use]
    pub fn with_seat_tones(mut self, seat_tone: impl Fn(Seat) -> Tone) -> Self {
        for (_, tone) in &mut self.runs {
            if let Tone::Seat(seat) = *tone {
                *tone = seat_tone(seat.into());
            }
        }
        self
    }

    /// Ends the line.
    pub fn end_line(&mut self) -> &mut Self {
        self.text("\n")
    }
}

impl std::fmt::Display for Sketch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.runs.iter().try_for_each(|(text, _)| f.write_str(text))
    }
}

/// What a picture shows: a position, and something of the way to it.
pub struct Scene<'a, G: Game> {
    /// The position.
    pub state: &'a G::State,
    /// How often it has occurred, where the game has a repetition rule; else 1.
    pub occurrences: u8,
    /// Quiet plies in a row, where the game counts them; else 0.
    pub n_quiet: u32,
    /// Which rule of the path has ended the game.
    pub path_end: Option<PathEnd>,
    /// The table as everybody last saw it at the end of a round; see [`crate::information::Information::aftermath`].
    pub aftermath: Option<&'a G::State>,
}

impl<'a, G: Game> Scene<'a, G> {
    /// A position without anything before it.
    pub fn of(state: &'a G::State) -> Self {
        Scene { state, occurrences: 1, n_quiet: 0, path_end: None, aftermath: None }
    }
}

/// A game that can be looked at.
pub trait View: Game {
    /// The position as `viewer` may see it. Law: the same for all states the viewer cannot tell apart.
    fn picture(&self, scene: &Scene<'_, Self>, viewer: Viewer) -> Picture;

    /// What `seat` touches, in order, to choose a legal action. The ids are those of its picture.
    fn path(&self, state: &Self::State, seat: Seat, action: Self::Action) -> Vec<String>;

    /// The colour of a seat, which is shown for [`Tone::Seat`]: a game whose seats are called by colours says them.
    fn seat_tone(&self, seat: Seat) -> Tone {
        Tone::Seat(seat as u8)
    }

    /// Whether touches of `id` and of other such ids, where they follow one another, may come in any order: pieces of a
    /// hand, the ends of a line.
    fn any_order(&self, _id: &str) -> bool {
        false
    }

    /// The position as text, every line ended. Law: the same for all states the viewer cannot tell apart.
    fn sketch(&self, scene: &Scene<'_, Self>, viewer: Viewer) -> Sketch;

    /// A sentence on a half-made choice: what `touched`, the beginning of a legal action's path, comes to so far. Law:
    /// the same for all states `seat` cannot tell apart.
    fn caption(&self, _state: &Self::State, _seat: Seat, _touched: &[String]) -> Option<String> {
        None
    }

    /// Which rule forbids what `touched`, the beginning of no legal action's path, is meant to choose; a sentence without
    /// capital and full stop. `None` where the touches mean nothing, or the text of an action that they spell is enough
    /// for [`Notation::why_illegal`](crate::notation::Notation::why_illegal) to say it. Law: the same for all states
    /// `seat` cannot tell apart.
    fn why_not(&self, _state: &Self::State, _seat: Seat, _touched: &[String]) -> Option<String> {
        None
    }

    /// Tables that are of use beside the board, whatever the position.
    fn charts(&self) -> Vec<Chart> {
        Vec::new()
    }

    /// Ways of writing what stands on the pieces, the game's own first; none where there is only that one.
    fn letterings(&self) -> Vec<Lettering> {
        Vec::new()
    }

    /// What may be put where, when a position is set up by touching; `None` where that is done by its text only.
    fn placements(&self) -> Option<Placements> {
        None
    }

    /// Its boards as sheets to play on with real pieces, where they are not the boards of the first position without what
    /// lies on them. Nothing on them says how a game stands.
    fn sheets(&self) -> Vec<Area> {
        Vec::new()
    }

    /// A question for a drill, harder as `level` rises from 0; `None` where the game has no drill.
    fn exercise(&self, _level: usize, _rng: &mut dyn Rng) -> Option<Exercise> {
        None
    }

    /// What begins with the next ply, where `state` is the beginning of something that a list of plies is divided by:
    /// `Round 3`, or `Round` where nobody counts them. Law: the same for all states that some viewer cannot tell apart.
    fn begins(&self, _state: &Self::State) -> Option<String> {
        None
    }

    /// What players of a game count as reached in a position, the more the better, and what it is called: the largest tile.
    /// Balance sheets tell in how many games how much was reached.
    fn reached(&self, _state: &Self::State) -> Option<(&'static str, u64)> {
        None
    }

    /// Ids to highlight once `action` has been carried out in `state` (the state before); an area's id is all of it.
    fn action_marks(&self, state: &Self::State, seat: Seat, action: Self::Action) -> Vec<String> {
        self.path(state, seat, action)
    }

    /// Ids to highlight once `outcome` has happened in `state` (the state before).
    fn outcome_marks(&self, _state: &Self::State, _outcome: Self::Outcome) -> Vec<String> {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(marks: &[&str]) -> String {
        let mut sketch = Sketch::default();
        sketch.text("1 ");
        for (id, mark) in [("a1", "X"), ("b1", "."), ("c1", "O")] {
            sketch.text(" ").tone(mark, Tone::Seat(0)).at(id);
        }
        sketch.end_line().text("a").at("a").text("  NN").end_line();
        let any = sketch.mark(&marks.iter().map(|id| id.to_string()).collect::<Vec<_>>());
        assert_eq!(any, !marks.is_empty());
        sketch.to_string()
    }

    #[test]
    fn marks_take_the_room_of_the_spaces_beside_them() {
        assert_eq!(marked(&[]), "1  X . O\na  NN\n");
        assert_eq!(marked(&["a1"]), "1 [X]. O\na  NN\n");
        assert_eq!(marked(&["c1"]), "1  X .[O]\na  NN\n");
        assert_eq!(marked(&["a1", "b1"]), "1 [X .]O\na  NN\n");
        assert_eq!(marked(&["a"]), "1  X . O\n[a]NN\n");
    }
}
