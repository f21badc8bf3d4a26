//! A position as data: the piles from the side, a crown over each in the colour that has its primacy, the stocks, and at
//! a chosen pile the numbers by which a mover says how many stones to take.

use raichi_core::game::{Game, Phase};
use raichi_core::notation::Notation;
use raichi_core::path::PathEnd;
use raichi_core::picture::{Area, Picture, PieceKind, Scene, Shape, Sketch, Text, Tone, View};
use raichi_core::seat::{Seat, Viewer};

use super::notation::{COLOURS, letter};
use super::pile::{NEUTRAL, Pile};
use super::rules::{Action, End, Kaalu, MAJORITY, N_PILES, State};

/// Of a pile and the gap beside it.
const COLUMN: f64 = 1.15;
/// From one stone of a pile to the next.
const STONE: f64 = 0.2;
/// Higher piles make the board higher.
const LEVELS: u8 = 12;
/// Above the highest stone, for the crown.
const ABOVE: f64 = 0.75;
/// Below the lowest, for counts, letter and primacy.
const BELOW: f64 = 2.2;
/// From one count to the next below it.
const COUNT: f64 = 0.44;
/// From one number of stones to choose to the next.
const CHOICE: f64 = 0.66;
/// On paper: a pile's field, and how high a stock's is.
const SHEET_FIELD: (f64, f64) = (2.2, 3.2);
const SHEET_STOCK: f64 = 1.5;
/// Neutral stones lie at the bottom, then Black's, then White's.
const ORDER: [usize; 3] = [NEUTRAL, 0, 1];

impl View for Kaalu {
    fn picture(&self, scene: &Scene<'_, Self>, _viewer: Viewer) -> Picture {
        let state = scene.state;
        let mut picture = Picture { areas: vec![board(state)], ..Picture::default() };
        picture.areas.extend((0..2).map(|seat| stock(state, seat)));
        if let (Phase::Act(seats), None) = (self.phase(state), scene.path_end) {
            let mut actions = Vec::new();
            self.legal_actions(state, seats.first(), &mut actions);
            add_choosers(&mut picture.areas[0], seats.first(), &actions);
            if actions == [Action::Pass] {
                picture.button("pass", "Pass");
            }
        }
        for seat in 0..2 {
            picture.counter(Some(seat), "piles", format!("{} of {MAJORITY}", state.primacies[seat]));
            picture.counter(Some(seat), "stock", state.stocks[seat]);
        }
        picture.notes = notes(scene);
        picture
    }

    fn sheets(&self) -> Vec<Area> {
        vec![sheet()]
    }

    fn path(&self, _state: &State, seat: Seat, action: Action) -> Vec<String> {
        match action {
            Action::Place { pile } => vec![stock_id(seat), pile_id(pile)],
            Action::Move { from, to, own, neutral } => {
                vec![pile_id(from), count_id("own", from, own), count_id("neutral", from, neutral), pile_id(to)]
            }
            Action::Pass => vec!["pass".into()],
        }
    }

    fn why_not(&self, state: &State, seat: Seat, touched: &[String]) -> Option<String> {
        let pile_of = |id: &String| (0..N_PILES as u8).find(|&pile| pile_id(pile) == *id);
        let count = |id: &String| id.rsplit(':').next()?.parse().ok();
        let (stock, other) = (stock_id(seat), stock_id(1 - seat));
        let acted = |action| Some(self.why_illegal(state, seat, action));
        match touched {
            [id] if *id == other => Some("that stock is your opponent's".into()),
            [id] if *id == stock => Some("your stock is empty".into()),
            [id, pile] if *id == stock => acted(Action::Place { pile: pile_of(pile)? }),
            [from] => pile_of(from).map(|from| why_nothing_moves(state, from)),
            [from, own, neutral, to] => {
                let (own, neutral) = (count(own)?, count(neutral)?);
                acted(Action::Move { from: pile_of(from)?, to: pile_of(to)?, own, neutral })
            }
            [_, .., to] => pile_of(to).map(|_| "first say how many stones of each colour are to move".into()),
            [] => None,
        }
    }

    fn seat_tone(&self, seat: Seat) -> Tone {
        [Tone::Black, Tone::White][seat]
    }

    fn sketch(&self, scene: &Scene<'_, Self>, _viewer: Viewer) -> Sketch {
        let state = scene.state;
        let mut sketch = Sketch::default();
        let widest = state.piles.iter().map(|pile| pile.size()).max().unwrap_or_default();
        for (i, pile) in (0..).zip(state.piles) {
            sketch.text(letter(i)).at(pile_id(i)).text("  ");
            for colour in ORDER {
                let stones = ["B", "W", "N"][colour].repeat(pile.0[colour].into());
                sketch.tone(stones, tone(colour));
            }
            sketch.text(" ".repeat(usize::from(widest - pile.size()) + 2));
            sketch.tone(COLOURS[pile.primacy()], tone(pile.primacy())).end_line();
        }
        for seat in 0..2 {
            let (stones, piles) = (state.stocks[seat], state.primacies[seat]);
            sketch.tone(self.seat_name(seat), tone(seat));
            sketch.text(format!(": stock {stones}, piles {piles} of {MAJORITY}")).end_line();
        }
        sketch
    }

    fn caption(&self, _state: &State, seat: Seat, touched: &[String]) -> Option<String> {
        let parts: Vec<Vec<&str>> = touched.iter().map(|id| id.split(':').collect()).collect();
        let own = COLOURS[seat];
        let from = |pile: &str| pile.parse().map_or(String::new(), |pile| letter(pile).to_string());
        let parts: Vec<&[&str]> = parts.iter().map(Vec::as_slice).collect();
        Some(match parts.as_slice() {
            [["stock", _]] => "a stone from the stock: onto which pile?".into(),
            [[_, pile]] => format!("from {}: how many {own} and how many neutral stones?", from(pile)),
            [[_, pile], ["neutral", _, n]] => format!("from {}, {n} neutral: and how many {own} stones?", from(pile)),
            [[_, pile], [_, _, n]] => format!("from {}, {n} {own}: and how many neutral stones?", from(pile)),
            [[_, pile], ["neutral", _, m], [_, _, n]] | [[_, pile], [_, _, n], [_, _, m]] => {
                format!("from {}, {n} {own} and {m} neutral: to which pile?", from(pile))
            }
            _ => return None,
        })
    }

    // The two counts.
    fn any_order(&self, id: &str) -> bool {
        id.starts_with("own:") || id.starts_with("neutral:")
    }

    // How many stones were taken is seen on the piles.
    fn action_marks(&self, _state: &State, seat: Seat, action: Action) -> Vec<String> {
        match action {
            Action::Place { pile } => vec![stock_id(seat), pile_id(pile)],
            Action::Move { from, to, .. } => vec![pile_id(from), pile_id(to)],
            Action::Pass => Vec::new(),
        }
    }
}

fn board(state: &State) -> Area {
    let highest = state.piles.iter().map(|pile| pile.size()).max().unwrap_or_default().max(LEVELS);
    let floor = ABOVE + f64::from(highest) * STONE;
    let mut board = Area::board("Piles", COLUMN * N_PILES as f64, floor + BELOW);
    for (i, pile) in (0..).zip(state.piles) {
        add_pile(&mut board, state, i, pile, floor);
    }
    board
}

fn add_pile(board: &mut Area, state: &State, i: u8, pile: Pile, floor: f64) {
    let (x, y) = (COLUMN * (f64::from(i) + 0.5), board.height / 2.0);
    let shape = Shape::Rect { width: COLUMN - 0.1, height: board.height - 0.1 };
    let [black, white, neutral] = pile.0;
    let primacy = COLOURS[pile.primacy()];
    let counts = format!("{neutral} neutral, {black} black, {white} white; {primacy} primacy");
    let untouched = if i < state.n_named { "" } else { ", untouched" };
    board.cell(pile_id(i), x, y, shape, Tone::Plain).label = Some(format!("pile {}{untouched}: {counts}", letter(i)));
    let mut level = 0;
    for colour in ORDER {
        for _ in 0..pile.0[colour] {
            board.piece(pile_id(i), PieceKind::Slab, tone(colour)).dy = floor - (f64::from(level) + 0.5) * STONE - y;
            level += 1;
        }
    }
    let crown = board.piece(pile_id(i), PieceKind::King, tone(pile.primacy()));
    (crown.dy, crown.size) = (floor - f64::from(level) * STONE - 0.33 - y, Some(0.46));
    for (place, colour) in (0..).zip(ORDER.into_iter().rev()) {
        let count = board.piece(pile_id(i), PieceKind::Token, tone(colour));
        count.text = Some(pile.0[colour].to_string());
        (count.dx, count.dy, count.size) = (0.0, floor + 0.28 + COUNT * f64::from(place) - y, Some(0.42));
    }
    board.texts.push(Text { x, y: floor + 1.58, text: letter(i).into(), size: 0.32, coordinate: false });
    board.texts.push(Text { x, y: floor + 1.95, text: primacy.into(), size: 0.2, coordinate: false });
}

fn stock(state: &State, seat: Seat) -> Area {
    let title = format!("{}'s stock", Kaalu.seat_name(seat));
    let mut tray = Area::tray(format!("stocks:{seat}"), title, Some(seat), 1.5, 1.9);
    let shape = Shape::Rect { width: 1.3, height: 1.7 };
    let stones = state.stocks[seat];
    tray.cell(stock_id(seat), 0.75, 0.95, shape, Tone::Plain).label = Some(format!("stock, {stones} stones"));
    for level in 0..stones {
        tray.piece(stock_id(seat), PieceKind::Slab, tone(seat)).dy = 0.7 - f64::from(level) * STONE;
    }
    tray
}

/// A field for each pile and each stock, for real stones: four piles above, three below.
fn sheet() -> Area {
    let (width, height) = SHEET_FIELD;
    let mut sheet = Area::board("Piles and stocks", 4.0 * width, 2.0 * height + 2.0 * SHEET_STOCK);
    let mut field = |id: String, (x, y): (f64, f64), (width, height): (f64, f64), words: String, size: f64| {
        let shape = Shape::Rect { width: width - 0.15, height: height - 0.15 };
        sheet.cell(id, x, y, shape, Tone::Light);
        sheet.texts.push(Text { x, y: y - height / 2.0 + 0.33, text: words, size, coordinate: false });
    };
    for pile in 0..N_PILES as u8 {
        let (row, column) = (pile / 4, pile % 4);
        let x = width * (f64::from(column) + 0.5 + 0.5 * f64::from(row));
        let y = SHEET_STOCK + height * (f64::from(row) + 0.5);
        field(pile_id(pile), (x, y), SHEET_FIELD, letter(pile).into(), 0.36);
    }
    for (seat, y) in [(1, SHEET_STOCK / 2.0), (0, 1.5 * SHEET_STOCK + 2.0 * height)] {
        let words = format!("{}'s stock", Kaalu.seat_name(seat));
        field(stock_id(seat), (2.0 * width, y), (4.0 * width, SHEET_STOCK), words, 0.26);
    }
    sheet
}

/// At each pile from which stones may be moved, how many of its own colour and how many neutral ones a seat may take.
/// They show once the pile is chosen, and then stand over it.
fn add_choosers(board: &mut Area, seat: Seat, actions: &[Action]) {
    for pile in 0..N_PILES as u8 {
        let taken = actions.iter().filter_map(|&action| match action {
            Action::Move { from, own, neutral, .. } if from == pile => Some((own, neutral)),
            _ => None,
        });
        let Some((own, neutral)) = taken.reduce(|most, taken| (most.0.max(taken.0), most.1.max(taken.1))) else {
            continue;
        };
        // At a rim of the board the two columns move inward.
        let middle = (COLUMN * (f64::from(pile) + 0.5)).clamp(CHOICE, board.width - CHOICE);
        for (side, id, colour, most) in [(-0.5, "own", seat, own), (0.5, "neutral", NEUTRAL, neutral)] {
            for n in 0..=most {
                let y = board.height - CHOICE * (f64::from(n) + 0.6);
                let shape = Shape::Rect { width: CHOICE - 0.06, height: CHOICE - 0.06 };
                let cell = board.cell(count_id(id, pile, n), middle + side * CHOICE, y, shape, tone(colour));
                (cell.text, cell.passing) = (Some(n.to_string()), true);
                cell.label = Some(format!("{n} {}", COLOURS[colour]));
            }
        }
    }
}

fn notes(scene: &Scene<'_, Kaalu>) -> Vec<String> {
    let state = scene.state;
    let name = |seat| Kaalu.seat_name(seat);
    let note = match (state.end, state.barred) {
        (Some(End::Primacy(winner)), _) => format!("{} has four piles.", name(winner.into())),
        (Some(End::Stuck), _) => "Neither can act.".into(),
        (None, _) if scene.path_end == Some(PathEnd::Repetition) => "This position has come for the third time.".into(),
        (None, _) if scene.path_end.is_some() => return Vec::new(),
        (None, Some(Action::Move { from, to, neutral, .. })) => {
            let (from, to) = (letter(from), letter(to));
            format!("{} may not move {neutral} neutral from {from} back to {to}.", name(state.seat()))
        }
        (None, _) if state.n_passes > 0 => format!("{} could not act and passed.", name(1 - state.seat())),
        _ => return Vec::new(),
    };
    vec![note]
}

fn tone(colour: usize) -> Tone {
    if colour == NEUTRAL { Tone::Neutral } else { Tone::Seat(colour as u8) }
}

fn why_nothing_moves(state: &State, pile: u8) -> String {
    let name = letter(pile);
    if pile >= state.n_named {
        let next = letter(state.n_named);
        return format!("no stone lies there yet: a stone from your stock goes to a pile, the next new one is {next}");
    }
    format!(
        "no stones can leave pile {name}: seven stay in every pile, one of each colour, and no two colours may be equal"
    )
}

fn pile_id(pile: u8) -> String {
    format!("pile:{pile}")
}

fn stock_id(seat: Seat) -> String {
    format!("stock:{seat}")
}

fn count_id(kind: &str, pile: u8, n: u8) -> String {
    format!("{kind}:{pile}:{n}")
}
