//! A position as data: the Center as the Fano plane of colours, or a grid of digits; below it the hands and the bag.

use std::f64::consts::TAU;

use raichi_core::chart::{Chart, Lettering};
use raichi_core::drill::Exercise;
use raichi_core::game::Game;
use raichi_core::notation::Notation;
use raichi_core::picture::{Area, Picture, PieceKind, Scene, Shape, Sketch, Tone, View};
use raichi_core::random::Rng;
use raichi_core::seat::{Seat, Viewer};

use super::exchanges::Exchange;
use super::group::{Colour, Group};
use super::pieces::Pieces;
use super::rules::{Action, AlJabar, Stage, State};

/// Touched between what is given and what is taken, and at the end.
const FOR: &str = "for";
const OK: &str = "ok";

const RADIUS: f64 = 0.45;
const MARGIN: f64 = 0.65;
/// Places in a row of a tray.
const TRAY_COLUMNS: usize = 9;
/// Colours in a row of the sketch.
const SKETCH_COLUMNS: usize = 16;

impl View for AlJabar {
    fn picture(&self, scene: &Scene<'_, Self>, _viewer: Viewer) -> Picture {
        let state = scene.state;
        let mut picture = Picture { areas: vec![self.board(state)], ..Picture::default() };
        for (seat, hand) in state.hands[..self.n_seats()].iter().enumerate() {
            picture.areas.push(self.tray(Place::Hand(seat), self.seat_name(seat), hand));
            picture.counter(Some(seat), "Pieces", hand.len());
        }
        picture.areas.push(self.tray(Place::Bag, "Bag".into(), &state.bag));
        picture.counter(None, "In the bag", state.bag.len());
        picture.counter(None, "Round", self.round_now(state));
        self.add_buttons(state, &mut picture);
        picture.notes = self.notes(state);
        picture.hints = self.hint(state).into_iter().collect();
        picture
    }

    fn why_not(&self, state: &State, seat: Seat, touched: &[String]) -> Option<String> {
        let (own, any_hand) = (format!("hand:{seat}:"), "hand:");
        let first = touched.first()?;
        if touched.iter().any(|id| id.starts_with(any_hand) && !id.starts_with(&own)) {
            return Some("those pieces are another player's".into());
        }
        if first.starts_with("center:") || first == FOR {
            return Some("first choose the pieces of your hand that you give".into());
        }
        if first.starts_with("bag:") {
            return Some("pieces come from the bag by chance: draw one instead".into());
        }
        let (gives, takes) = match touched.iter().position(|id| id == FOR) {
            Some(at) => (&touched[..at], &touched[at + 1..]),
            None => (touched, &[][..]),
        };
        if takes.is_empty() {
            let none = "no exchange begins with these pieces: what you give and what you take must make the same sum";
            return gives.iter().all(|id| id.starts_with(&own)).then(|| none.into());
        }
        let takes = if takes.last().is_some_and(|id| id == OK) { &takes[..takes.len() - 1] } else { takes };
        let colour = |id: &String, prefix: &str| {
            let text = id.strip_prefix(prefix)?;
            self.group().colours().find(|&colour| self.group().colour_text(colour) == text)
        };
        let text = |ids: &[String], prefix: &str| -> Option<String> {
            let mut colours = ids.iter().map(|id| colour(id, prefix)).collect::<Option<Vec<_>>>()?;
            colours.sort_unstable();
            Some(self.group().set_text(&colours))
        };
        let exchange = format!("{}>{}", text(gives, &own)?, text(takes, "center:")?);
        let action = self.parse_action(state, seat, &exchange).ok()?;
        (!self.is_legal(state, seat, action)).then(|| self.why_illegal(state, seat, action))
    }

    fn path(&self, _state: &State, seat: Seat, action: Action) -> Vec<String> {
        match action {
            Action::Exchange(Exchange { give, take }) => {
                let ids = |place: Place, set| {
                    let colours = self.sets().get(set).iter();
                    colours.map(move |&colour| self.id(place, colour))
                };
                let gives = ids(Place::Hand(seat), give);
                gives.chain([FOR.into()]).chain(ids(Place::Center, take)).chain([OK.into()]).collect()
            }
            Action::Draw => vec!["draw".into()],
            Action::Pass => vec!["pass".into()],
            Action::Final => vec!["final".into()],
        }
    }

    // Pieces, between the buttons.
    fn any_order(&self, id: &str) -> bool {
        id.contains(':')
    }

    fn caption(&self, _state: &State, _seat: Seat, touched: &[String]) -> Option<String> {
        let group = self.group();
        let colour = |id: &String| group.parse_colour(id.rsplit(':').next()?.as_bytes());
        let mut halves = touched.split(|id| id == FOR).map(|ids| ids.iter().filter_map(colour).collect::<Vec<_>>());
        let given = halves.next().filter(|given| !given.is_empty())?;
        let said = group.sum_in_words(&given);
        let sum = |colours: &[Colour]| group.colour_name(group.sum(colours.iter().copied()));
        let wanted = sum(&given);
        Some(match halves.next() {
            None => said,
            Some(taken) if taken.is_empty() => format!("{said}; take pieces that sum to {wanted}"),
            Some(taken) if sum(&taken) == wanted => format!("{said}; for {}", group.sum_in_words(&taken)),
            Some(taken) => format!("{said}; for {}, but {wanted} is wanted", group.sum_in_words(&taken)),
        })
    }

    fn charts(&self) -> Vec<Chart> {
        self.all_charts()
    }

    fn letterings(&self) -> Vec<Lettering> {
        self.all_letterings()
    }

    fn exercise(&self, level: usize, rng: &mut dyn Rng) -> Option<Exercise> {
        Some(self.handful(level, rng))
    }

    fn sketch(&self, scene: &Scene<'_, Self>, _viewer: Viewer) -> Sketch {
        let state = scene.state;
        let mut sketch = Sketch::default();
        let colours: Vec<Colour> = self.group().colours().collect();
        for colours in colours.chunks(SKETCH_COLUMNS) {
            self.sketch_columns(state, colours, &mut sketch);
        }
        for note in self.news(state) {
            sketch.text(note).end_line();
        }
        sketch
    }

    // Where pieces have gone: those given lie in the Center, those taken in the hand.
    fn action_marks(&self, _state: &State, seat: Seat, action: Action) -> Vec<String> {
        let Action::Exchange(Exchange { give, take }) = action else { return Vec::new() };
        let [give, take] = [give, take].map(|set| self.sets().get(set).iter());
        let mut marks: Vec<String> = give.map(|&colour| self.id(Place::Center, colour)).collect();
        marks.extend(take.map(|&colour| self.id(Place::Hand(seat), colour)));
        marks.dedup();
        marks
    }

    fn outcome_marks(&self, state: &State, outcome: Colour) -> Vec<String> {
        let place = match state.stage {
            Stage::Deal(n_dealt) => self.dealt_to(n_dealt).map_or(Place::Center, Place::Hand),
            _ => Place::Hand(state.to_act.into()),
        };
        vec![self.id(place, outcome)]
    }
}

/// Where pieces lie.
#[derive(Clone, Copy)]
enum Place {
    Center,
    Hand(Seat),
    Bag,
}

impl AlJabar {
    fn id(&self, place: Place, colour: Colour) -> String {
        let colour = self.group().colour_text(colour);
        match place {
            Place::Center => format!("center:{colour}"),
            Place::Hand(seat) => format!("hand:{seat}:{colour}"),
            Place::Bag => format!("bag:{colour}"),
        }
    }

    // The Center

    fn board(&self, state: &State) -> Area {
        let group = self.group();
        let at = |colour| if group.is_published() { fano_place(colour) } else { grid_place(group, colour) };
        let places: Vec<(Colour, (f64, f64))> = group.colours().map(|colour| (colour, at(colour))).collect();
        let extent = |coordinate: fn(&(f64, f64)) -> f64| {
            places.iter().map(|(_, place)| coordinate(place)).fold(0.0, f64::max) + MARGIN
        };
        let mut board = Area::board("Center", extent(|place| place.0), extent(|place| place.1));
        if group.is_published() {
            add_fano_lines(&mut board);
        }
        for (colour, place) in places {
            self.add_pieces(&mut board, Place::Center, colour, place, state.center.count(colour));
        }
        board
    }

    /// A place for pieces of one colour, and those that lie there: up to three to be seen, more as a number.
    fn add_pieces(&self, area: &mut Area, place: Place, colour: Colour, (x, y): (f64, f64), count: u16) {
        let (id, text) = (self.id(place, colour), self.group().colour_text(colour));
        let cell = area.cell(&id, x, y, Shape::Circle { radius: RADIUS }, Tone::Light);
        cell.label = Some(format!("{}: {count}", self.in_words(colour)));
        // Under a piece it is not seen, but a board to play on with real pieces has none.
        cell.text = matches!(place, Place::Center).then(|| text.clone());
        if count == 0 {
            return;
        }
        for level in (0..count.min(3)).rev() {
            let piece = area.piece(&id, PieceKind::Disc, self.tone(colour));
            (piece.dx, piece.dy) = (0.05 * f64::from(level), -0.05 * f64::from(level));
            // Only the topmost can be read.
            piece.text = (level == 0).then(|| text.clone());
        }
        if count > 1 {
            let token = area.piece(&id, PieceKind::Token, Tone::Plain);
            token.text = Some(count.to_string());
            // Of digits none may be hidden.
            let aside = if self.group().is_published() { 0.3 } else { 0.34 };
            (token.dx, token.dy, token.size) = (aside, aside, Some(0.38));
        }
    }

    /// `Orange = Red + Yellow`.
    fn in_words(&self, colour: Colour) -> String {
        let group = self.group();
        let name = group.colour_name(colour);
        let units: Vec<Colour> = group.coloured().filter(|&unit| group.element(unit).iter().sum::<u8>() == 1).collect();
        let parts: Vec<String> = units
            .iter()
            .filter(|&&unit| group.is_published() && colour != unit && covers(group, colour, unit))
            .map(|&unit| group.colour_name(unit))
            .collect();
        if parts.is_empty() { name } else { format!("{name} = {}", parts.join(" + ")) }
    }

    /// The colour itself, or what each digit is a paint of: the first two red and blue, of three the middle one yellow, a
    /// fourth darkens and a fifth makes pale. A single digit is a step of a scale. The zero is black.
    pub(super) fn tone(&self, colour: Colour) -> Tone {
        const TONES: [Tone; 7] =
            [Tone::Red, Tone::Yellow, Tone::Blue, Tone::Orange, Tone::Green, Tone::Purple, Tone::White];
        let group = self.group();
        match colour {
            Colour::ZERO => Tone::Black,
            _ if group.is_published() => TONES[colour.index()],
            _ if group.n_moduli() == 1 => Tone::Scale((colour.index() * 13 / group.n_coloured()) as u8),
            _ => {
                let digits = group.element(colour).into_iter().zip(group.moduli());
                let part = |(digit, &modulus): (u8, &u8)| (100 * u16::from(digit) / u16::from(modulus - 1)) as u8;
                match digits.map(part).collect::<Vec<u8>>()[..] {
                    [red, blue] => Tone::Mix([red, 0, blue, 0, 0]),
                    [red, yellow, blue] => Tone::Mix([red, yellow, blue, 0, 0]),
                    [red, yellow, blue, dark] => Tone::Mix([red, yellow, blue, dark, 0]),
                    [red, yellow, blue, dark, pale] => Tone::Mix([red, yellow, blue, dark, pale]),
                    _ => unreachable!("there are two to five digits"),
                }
            }
        }
    }

    // Hands and the bag

    fn tray(&self, place: Place, title: String, pieces: &Pieces) -> Area {
        let (id, seat) = match place {
            Place::Hand(seat) => (format!("hand:{seat}"), Some(seat)),
            _ => ("bag".into(), None),
        };
        let colours: Vec<Colour> = match place {
            Place::Bag => self.group().coloured().collect(),
            _ => self.group().colours().collect(),
        };
        // As wide as a hand, so that the colours stand below each other.
        let columns = self.group().colours().count().min(TRAY_COLUMNS);
        let rows = colours.len().div_ceil(columns);
        let mut tray = Area::tray(id, title, seat, columns as f64 + 0.1, rows as f64 + 0.1);
        for (i, colour) in colours.into_iter().enumerate() {
            let (x, y) = ((i % columns) as f64 + 0.55, (i / columns) as f64 + 0.55);
            self.add_pieces(&mut tray, place, colour, (x, y), pieces.count(colour));
        }
        tray
    }

    // Buttons and words

    fn add_buttons(&self, state: &State, picture: &mut Picture) {
        let Stage::Turn { .. } = state.stage else { return };
        let seat = state.to_act.into();
        let has_exchange = self.exchanges(state, seat).tally().total > 0;
        if has_exchange {
            picture.button(FOR, "For");
            picture.button(OK, "Exchange");
        }
        for word in self.words(state, seat, has_exchange) {
            let label = match word {
                Action::Draw => "Draw",
                Action::Pass => "Pass",
                _ => "Call the final round",
            };
            picture.button(self.action_text(state, seat, word), label);
        }
    }

    fn round_now(&self, state: &State) -> String {
        let complete = u32::from(state.stage == Stage::Over);
        format!("{} of {}", state.round + 1 - complete, self.max_rounds)
    }

    fn notes(&self, state: &State) -> Vec<String> {
        let group = self.group();
        let mut notes = self.news(state);
        if group.is_published() {
            notes.push("Two on a line make the third: O = R + Y, G = Y + B, P = R + B, W = R + Y + B.".into());
            notes.push("Two alike make K, which adds nothing.".into());
        } else {
            let moduli: Vec<String> = group.moduli().iter().map(u8::to_string).collect();
            notes.push(format!("Pieces are added digit by digit, modulo {}.", moduli.join(", ")));
        }
        if self.sets().spectrum().is_some() {
            let pieces: Vec<String> = group.spectrum().iter().map(|&colour| group.colour_text(colour)).collect();
            let zero = group.colour_text(Colour::ZERO);
            notes.push(format!("The spectrum: {} may be given together for one {zero}.", pieces.join(", ")));
        }
        notes
    }

    fn hint(&self, state: &State) -> Option<String> {
        let Stage::Turn { .. } = state.stage else { return None };
        let group = self.group();
        let pair: Vec<Colour> = group.colours().take(2).collect();
        let example = format!("{}>{}", group.set_text(&pair), group.colour_text(group.sum(pair.iter().copied())));
        Some(format!("A turn: pieces of your hand, For, pieces of the Center, Exchange; written {example}."))
    }

    /// What is not ordinary.
    fn news(&self, state: &State) -> Vec<String> {
        let news = match state.stage {
            Stage::Deal(_) => "The pieces are dealt.",
            Stage::Over => return Vec::new(),
            _ if state.signalled => "The final round.",
            _ if state.bag.is_empty() => "The bag is empty.",
            _ => return Vec::new(),
        };
        vec![news.into()]
    }

    fn sketch_columns(&self, state: &State, colours: &[Colour], sketch: &mut Sketch) {
        let row = |sketch: &mut Sketch, name: &str, pieces: &Pieces| {
            sketch.text(format!("{name:<12}"));
            for &colour in colours {
                let text = match pieces.count(colour) {
                    0 => ".".into(),
                    count => count.to_string(),
                };
                sketch.tone(format!(" {text:>4}"), self.tone(colour));
            }
            if colours.contains(&Colour::ZERO) {
                sketch.text(format!("  all {}", pieces.len()));
            }
            sketch.end_line();
        };
        sketch.text(" ".repeat(12));
        for &colour in colours {
            sketch.tone(format!(" {:>4}", self.group().colour_text(colour)), self.tone(colour));
        }
        sketch.end_line();
        row(sketch, "Center", &state.center);
        for (seat, hand) in state.hands[..self.n_seats()].iter().enumerate() {
            let is_acting =
                matches!(state.stage, Stage::Turn { .. } | Stage::Draw) && seat == usize::from(state.to_act);
            let mark = if is_acting { " <" } else { "" };
            row(sketch, &format!("{}{mark}", self.seat_name(seat)), hand);
        }
        row(sketch, "Bag", &state.bag);
    }
}

/// Whether each digit of `unit` is within that of `colour`.
fn covers(group: &Group, colour: Colour, unit: Colour) -> bool {
    group.element(colour).iter().zip(group.element(unit)).all(|(&digit, unit)| digit >= unit)
}

// The Fano plane: R, Y, B at the corners of a triangle, their sums between them, W in the middle. The seven colours lie
// on seven lines of three, one of them a circle, and the sum of two on a line is the third. The zero lies apart.

const SIDE: f64 = 5.0;

fn fano_place(colour: Colour) -> (f64, f64) {
    let height = SIDE * 0.75f64.sqrt();
    let (left, right, top, bottom) = (MARGIN, MARGIN + SIDE, MARGIN, MARGIN + height);
    let (middle, half) = ((left + right) / 2.0, (top + bottom) / 2.0);
    let quarter = SIDE / 4.0;
    match colour.index() {
        0 => (middle, top),
        1 => (left, bottom),
        2 => (right, bottom),
        3 => (middle - quarter, half),
        4 => (middle, bottom),
        5 => (middle + quarter, half),
        6 => (middle, top + height * 2.0 / 3.0),
        _ => (right, top),
    }
}

fn add_fano_lines(board: &mut Area) {
    const STRAIGHT: [[u8; 3]; 6] = [[0, 3, 1], [1, 4, 2], [0, 5, 2], [0, 6, 4], [1, 6, 5], [2, 6, 3]];
    let place = |i: u8| fano_place(Colour(i));
    for [a, b, c] in STRAIGHT.map(|line| line.map(place)) {
        add_segment(board, a, b);
        add_segment(board, b, c);
    }
    // The circle through O, G and P, in three arcs between their places.
    let ((x, y), (_, bottom)) = (place(6), place(4));
    let radius = bottom - y;
    let gap = RADIUS / radius;
    for i in 0..3 {
        let (from, to) = (TAU / 4.0 + gap + TAU / 3.0 * f64::from(i), TAU / 4.0 - gap + TAU / 3.0 * f64::from(i + 1));
        let at = |step: i32| {
            let angle = from + (to - from) * f64::from(step) / 16.0;
            (x + radius * angle.cos(), y + radius * angle.sin())
        };
        board.line((0..=16).map(at).collect(), Tone::Neutral, 0.05);
    }
}

/// A line from the rim of one place to the rim of another.
fn add_segment(board: &mut Area, a: (f64, f64), b: (f64, f64)) {
    let length = (b.0 - a.0).hypot(b.1 - a.1);
    let (dx, dy) = ((b.0 - a.0) / length * RADIUS, (b.1 - a.1) / length * RADIUS);
    board.line(vec![(a.0 + dx, a.1 + dy), (b.0 - dx, b.1 - dy)], Tone::Neutral, 0.05);
}

/// The last two digits are row and column; those before choose the block of rows and columns.
fn grid_place(group: &Group, colour: Colour) -> (f64, f64) {
    const GAP: f64 = 0.5;
    let [a, b, c, d, e] = group.element(colour).map(f64::from);
    let block = |moduli: &[u8], i: usize| f64::from(moduli[i]) + GAP;
    let moduli = group.moduli();
    let (column, row) = match moduli.len() {
        1 => (a, 0.0),
        2 => (b, a),
        3 => (a * block(moduli, 2) + c, b),
        4 => (b * block(moduli, 3) + d, a * block(moduli, 2) + c),
        // Blocks of blocks side by side.
        _ => {
            let wide = f64::from(moduli[2]) * block(moduli, 4) + GAP;
            (a * wide + c * block(moduli, 4) + e, b * block(moduli, 3) + d)
        }
    };
    (MARGIN + column, MARGIN + row)
}
