//! A position as data: the map of resources and transmutations, and each seat's cards.

use raichi_core::chart::Chart;
use raichi_core::game::Game;
use raichi_core::notation::Notation;
use raichi_core::picture::{Area, BadgeKind, Picture, PieceKind, Scene, Shape, Sketch, Text, Tone, View};
use raichi_core::seat::{Seat, Viewer};

use super::board::{Card, Die, Event, Metal, Product, Resource, TRANSMUTATIONS, Transmutation};
use super::charts;
use super::notation::SEAT_NAMES;
use super::rules::{Action, Cards, HAND, JabirsTransmutations, MAX_SAVED, N_SEATS, Outcome, Stage, State};

const WIDTH: f64 = 12.2;
/// Of the map, and below it of the lines that explain its signs.
const MAP_HEIGHT: f64 = 10.8;
const HEIGHT: f64 = MAP_HEIGHT + 1.25;
/// Half a resource's width and height.
const FIELD: (f64, f64) = (1.2, 0.6);

/// What the signs of the map mean.
const SIGNS: [&str; 3] = [
    "Arrows into a hexagon: what it uses up; 2× is two of it.",
    "Arrows out of it: what it makes. Fire, water: it takes that card.",
    "3+: only if the die shows 3 or more.",
];
/// How thick arrows are, and those of what can be carried out.
const ARROW: f64 = 0.06;
const LIT_ARROW: f64 = 0.12;

/// A tray with few cards in it.
const LEAST_TRAY: f64 = 5.0;
/// Of a card and the gap beside it.
const PLACE: f64 = 0.8;
const CARD_Y: f64 = 1.0;

/// Where the resources lie, in the order of [`Resource`]. Found by simulated annealing, on a map so narrow that a
/// telephone shows all of it, so that no arrow crosses another or a field; then straightened by hand.
const RESOURCES: [(f64, f64); 14] = [
    (1.45, 10.05),
    (10.85, 0.75),
    (10.85, 10.05),
    (1.35, 0.9),
    (4.95, 10.05),
    (10.85, 8.63),
    (4.5, 1.8),
    (9.7, 5.0),
    (2.2, 6.75),
    (4.45, 5.3),
    (8.0, 8.63),
    (9.75, 3.6),
    (7.35, 7.2),
    (3.3, 3.22),
];

/// Where the metals lie.
const METALS: [(f64, f64); 2] = [(9.6, 2.17), (7.05, 5.65)];

/// Where the transmutations lie, in their order.
const HEXAGONS: [(f64, f64); 12] = [
    (0.75, 8.1),
    (8.2, 10.05),
    (6.95, 0.75),
    (11.45, 6.5),
    (3.4, 8.45),
    (1.75, 4.6),
    (5.3, 8.63),
    (7.05, 2.3),
    (4.75, 7.2),
    (5.7, 3.6),
    (7.35, 3.65),
    (9.5, 6.95),
];

impl View for JabirsTransmutations {
    fn picture(&self, scene: &Scene<'_, Self>, viewer: Viewer) -> Picture {
        let state = scene.state;
        let mut picture = Picture { areas: vec![board(state, viewer)], ..Picture::default() };
        picture.areas.extend((0..N_SEATS).map(|seat| tray(state, seat, viewer)));
        for seat in 0..N_SEATS {
            picture.counter(Some(seat), "points", state.points(seat));
            picture.counter(Some(seat), "tokens left", state.supply(seat));
        }
        picture.counter(None, "round", round_now(self, state));
        picture.counter(None, "deck", state.deck.iter().sum::<u8>());
        picture.counter(None, "discards", listed(Card::ALL.iter().map(|card| card.word()), &state.discard));
        picture.counter(None, "events to come", listed(Event::ALL.iter().map(|event| event.word()), &state.events));
        picture.notes.extend(note(self, state));
        picture.notes.extend(last_step(scene));
        for seat in 0..N_SEATS {
            if let Some(status) = step_status(state, seat, viewer) {
                picture.badge(seat, BadgeKind::State, status);
            }
        }
        buttons(state, &mut picture);
        picture.charts = charts::standing(state, viewer);
        picture
    }

    fn charts(&self) -> Vec<Chart> {
        charts::all()
    }

    fn why_not(&self, state: &State, seat: Seat, touched: &[String]) -> Option<String> {
        let (first, rest) = touched.split_first()?;
        let of_others = |prefix: &str| {
            let owner = first.strip_prefix(prefix)?.split(':').next()?;
            (owner != seat.to_string()).then(|| "those cards are another player's".to_string())
        };
        if let Some(why) = of_others("hand:").or_else(|| of_others("held:")) {
            return Some(why);
        }
        let own = |id: fn(Seat, Card) -> String| Card::ALL.iter().copied().find(|&card| id(seat, card) == *first);
        let resource = Resource::ALL.iter().copied().find(|resource| resource.word() == first);
        let hexagon = (0..TRANSMUTATIONS.len()).find(|&number| hexagon_id(number) == *first);
        let action = if let Some(card) = own(hand_id) {
            Action::Draft(card)
        } else if let Some(card) = own(saved_id) {
            Action::Discard(card)
        } else if let Some(number) = hexagon {
            Action::Transmute(number as u8)
        } else {
            let resource = resource?;
            match (state.stage, rest) {
                (Stage::Choice(Event::Steal), [from]) => {
                    Action::Steal(from.strip_prefix("from:")?.parse().ok()?, resource)
                }
                (Stage::Choice(Event::Steal), _) => {
                    return Some(format!("nobody has {} that you could steal", resource.word()));
                }
                (Stage::Choice(Event::Favor), _) => Action::Favor(resource),
                (Stage::Choice(Event::Explosion), _) => Action::Explosion(resource),
                _ => Action::Eureka(resource),
            }
        };
        (!self.is_legal(state, seat, action)).then(|| self.why_illegal(state, seat, action))
    }

    fn path(&self, state: &State, seat: Seat, action: Action) -> Vec<String> {
        match action {
            Action::Eureka(resource) | Action::Explosion(resource) | Action::Favor(resource) => {
                vec![resource.word().into()]
            }
            Action::Steal(from, resource) => vec![resource.word().into(), format!("from:{from}")],
            Action::Draft(card) => vec![hand_id(seat, card)],
            Action::Transmute(number) => vec![hexagon_id(usize::from(number))],
            Action::Discard(card) => vec![saved_id(seat, card)],
            Action::Disaster(_) | Action::NoEvent | Action::End => {
                vec![self.action_text(state, seat, action)]
            }
        }
    }

    fn seat_tone(&self, seat: Seat) -> Tone {
        [Tone::Blue, Tone::Green, Tone::Red][seat]
    }

    fn sketch(&self, scene: &Scene<'_, Self>, viewer: Viewer) -> Sketch {
        let state = scene.state;
        let mut sketch = Sketch::default();
        sketch.text(format!("Round {}.", round_now(self, state)));
        if let Some(note) = note(self, state) {
            sketch.text(format!(" {note}"));
        }
        sketch.end_line();
        heading(&mut sketch);
        for &resource in Resource::ALL {
            row(&mut sketch, resource.word(), |seat| state.tokens[seat][resource as usize]);
        }
        for &metal in Metal::ALL.iter().rev() {
            let label = format!("{} ({} left)", metal.word(), state.metal_left(metal));
            row(&mut sketch, &label, |seat| state.metals[seat][metal as usize]);
        }
        row(&mut sketch, "tokens left", |seat| state.supply(seat));
        row(&mut sketch, "points", |seat| state.points(seat) as u8);
        let discards = listed(Card::ALL.iter().map(|card| card.word()), &state.discard);
        sketch.text(format!("Deck: {}. Discards: {discards}.", state.deck.iter().sum::<u8>())).end_line();
        for seat in 0..N_SEATS {
            sketch.tone(SEAT_NAMES[seat], Tone::Seat(seat as u8));
            sketch.text(cards_in_words(state, seat, viewer));
            if let Some(status) = step_status(state, seat, viewer) {
                sketch.text(format!("; {status}"));
            }
            sketch.end_line();
        }
        if let Some(step) = last_step(scene) {
            sketch.text(step).end_line();
        }
        sketch
    }

    fn outcome_marks(&self, state: &State, outcome: Outcome) -> Vec<String> {
        match (state.stage, outcome) {
            (Stage::Deal(n_dealt), Outcome::Card(card)) => vec![hand_id(state.dealt_to(n_dealt), card)],
            (Stage::Die(_, number), _) => vec![hexagon_id(number.into())],
            _ => Vec::new(),
        }
    }
}

// The board

fn board(state: &State, viewer: Viewer) -> Area {
    let mut board = Area::board("Map of resources and transmutations", WIDTH, HEIGHT);
    for (&resource, (x, y)) in Resource::ALL.iter().zip(RESOURCES) {
        let tone = match resource {
            Resource::Cinnabar | Resource::Lead | Resource::YellowSalt => Tone::Dark,
            Resource::Hotness | Resource::Coldness | Resource::Wetness | Resource::Dryness => Tone::Accent,
            _ => Tone::Light,
        };
        let counts = [0, 1, 2].map(|seat| state.tokens[seat][resource as usize]);
        field(&mut board, resource.word(), (x, y), tone, counts);
    }
    for (&metal, (x, y)) in Metal::ALL.iter().zip(METALS) {
        let counts = [0, 1, 2].map(|seat| state.metals[seat][metal as usize]);
        field(&mut board, metal.word(), (x, y), Tone::Plain, counts);
        let tone = if metal == Metal::Gold { Tone::Yellow } else { Tone::White };
        let left = state.metal_left(metal);
        if left > 0 {
            let piece = board.piece(metal.word(), PieceKind::Tile, tone);
            piece.text = Some(left.to_string());
            (piece.dx, piece.dy, piece.size) = (-0.84, 0.25, Some(0.58));
        }
    }
    let of_viewer = state.choosing().iter().find(|&seat| viewer == Viewer::Seat(seat));
    for (number, transmutation) in TRANSMUTATIONS.iter().enumerate() {
        let is_open = match state.stage {
            Stage::Play(seat) => Some(state.can_transmute(seat.into(), transmutation)),
            Stage::Together => of_viewer.map(|seat| state.can_transmute(seat, transmutation)),
            _ => None,
        };
        hexagon(&mut board, number, transmutation, is_open);
    }
    for (i, line) in (0..).zip(SIGNS) {
        small(&mut board, WIDTH / 2.0, MAP_HEIGHT + 0.2 + 0.38 * f64::from(i), line.into());
    }
    board
}

/// A resource, its name above and the seats' tokens below, in order of seats.
fn field(board: &mut Area, word: &'static str, (x, y): (f64, f64), tone: Tone, counts: [u8; N_SEATS]) {
    let shape = Shape::Rect { width: 2.0 * FIELD.0, height: 2.0 * FIELD.1 };
    let name = word.replace('-', " ");
    let of_seats: Vec<String> = (0..N_SEATS).map(|seat| format!("{} {}", SEAT_NAMES[seat], counts[seat])).collect();
    board.cell(word, x, y, shape, tone).label = Some(format!("{name}: {}", of_seats.join(", ")));
    board.texts.push(Text { x, y: y - 0.3, text: name, size: 0.28, coordinate: false });
    for (seat, count) in counts.into_iter().enumerate().filter(|&(_, count)| count > 0) {
        let piece = board.piece(word, PieceKind::Token, Tone::Seat(seat as u8));
        piece.text = Some(count.to_string());
        (piece.dx, piece.dy, piece.size) = (-0.24 + 0.57 * seat as f64, 0.21, Some(0.54));
    }
}

/// A transmutation, with arrows from its reactants and to its products. During a seat's turn those that it can carry out
/// are lit up, and the others are pale.
fn hexagon(board: &mut Area, number: usize, transmutation: &Transmutation, is_open: Option<bool>) {
    let centre = HEXAGONS[number];
    let (tone, text) = match transmutation.card {
        Some(Card::Fire) => (Tone::Orange, Some("fire".into())),
        Some(_) => (Tone::Blue, Some("water".into())),
        None => (Tone::Neutral, None),
    };
    let tone = if is_open == Some(false) { Tone::Plain } else { tone };
    let width = if is_open == Some(true) { LIT_ARROW } else { ARROW };
    let cell = board.cell(hexagon_id(number), centre.0, centre.1, Shape::Hexagon, tone);
    cell.text = text;
    let can = if is_open == Some(true) { "; can be carried out now" } else { "" };
    cell.label = Some(format!("{}{can}", in_words(transmutation)));
    for &(resource, n) in transmutation.reactants {
        let risked = transmutation.die == Die::Risks(resource);
        arrow(board, RESOURCES[resource as usize], centre, true, (n, risked), width);
    }
    for product in transmutation.products {
        let place = match *product {
            Product::Token(resource) => RESOURCES[resource as usize],
            Product::Metal(metal) => METALS[metal as usize],
        };
        arrow(board, place, centre, false, (1, false), width);
    }
    if let Die::Adds(product) = transmutation.die {
        arrow(board, RESOURCES[product as usize], centre, false, (1, true), width);
    }
}

/// An arrow between a field and a hexagon, with how many tokens go along it and whether a die decides.
fn arrow(
    board: &mut Area,
    field: (f64, f64),
    hexagon: (f64, f64),
    is_reactant: bool,
    (n, die): (u8, bool),
    width: f64,
) {
    let (dx, dy) = (hexagon.0 - field.0, hexagon.1 - field.1);
    let length = dx.hypot(dy);
    let (ux, uy) = (dx / length, dy / length);
    let out_of_field = (FIELD.0 / ux.abs()).min(FIELD.1 / uy.abs()) + 0.06;
    let (a, b) = (out_of_field, length - 0.62);
    let at = |along: f64| (field.0 + ux * along, field.1 + uy * along);
    let mut points = vec![at(a), at(b)];
    if !is_reactant {
        points.reverse();
    }
    let tone = if is_reactant { Tone::Neutral } else { Tone::Accent };
    board.line(points, tone, width).arrow = true;
    let text = match (n, die) {
        (1, false) => return,
        (n, false) => format!("{n}×"),
        (_, true) => "3+".into(),
    };
    // Beside the middle, on the side where there is more room above.
    let (x, y) = at((a + b) / 2.0);
    let side = if ux >= 0.0 { 1.0 } else { -1.0 };
    small(board, x + uy * 0.26 * side, y - ux * 0.26 * side, text);
}

fn small(area: &mut Area, x: f64, y: f64, text: String) {
    area.texts.push(Text { x, y, text, size: 0.26, coordinate: false });
}

/// A transmutation as a sentence.
fn in_words(transmutation: &Transmutation) -> String {
    let name = |resource: Resource| resource.word().replace('-', " ");
    let mut needs: Vec<String> = Vec::new();
    for &(resource, n) in transmutation.reactants {
        needs.push(if n == 1 { name(resource) } else { format!("{n} {}", name(resource)) });
    }
    needs.extend(transmutation.card.map(|card| format!("a {} card", card.word())));
    let products: Vec<String> = transmutation
        .products
        .iter()
        .map(|product| match *product {
            Product::Token(resource) => name(resource),
            Product::Metal(metal) => metal.word().into(),
        })
        .collect();
    let (needs, products) = (needs.join(", "), products.join(" and "));
    match transmutation.die {
        Die::No => format!("{needs} make {products}"),
        Die::Adds(more) => format!("{needs} make {products}, on a roll of 3 or more also {}", name(more)),
        Die::Risks(lost) => format!("{needs} make {products} on a roll of 3 or more, else one {} is lost", name(lost)),
    }
}

// The seats' cards

/// What of a seat's cards lies where, and how much of it the viewer sees.
fn tray(state: &State, seat: Seat, viewer: Viewer) -> Area {
    let sees = viewer.is(seat);
    let mut tray = Area::tray(format!("seat:{seat}"), SEAT_NAMES[seat], Some(seat), LEAST_TRAY, 1.55);
    let mut x = 0.1;

    let [fire, water] = state.saved[seat];
    let saved: Cards = [fire, water, 0, 0, 0];
    x = group(&mut tray, x, "held", &saved, |card| saved_id(seat, card));

    let picked = picked(state, seat);
    x = if sees || is_face_up(state) {
        group(&mut tray, x, "drafted", &picked, |card| format!("drafted:{seat}:{}", card.word()))
    } else {
        pile(&mut tray, x, "drafted", picked.iter().sum(), format!("drafted:{seat}"))
    };

    if matches!(state.stage, Stage::Deal(_) | Stage::Draft(_)) {
        let hand = state.held(seat);
        x = if sees {
            group(&mut tray, x, "to pick from", hand, |card| hand_id(seat, card))
        } else {
            pile(&mut tray, x, "hand", hand.iter().sum(), format!("hand:{seat}"))
        };
    }
    tray.width = LEAST_TRAY.max(x);
    tray
}

/// Cards face up, one place a kind; returns where what comes after them begins.
fn group(tray: &mut Area, left: f64, caption: &str, cards: &Cards, id: impl Fn(Card) -> String) -> f64 {
    let mut x = left;
    for (&card, &n) in Card::ALL.iter().zip(cards).filter(|&(_, &n)| n > 0) {
        let id = id(card);
        let name = card.word().replace('-', " ");
        let place = tray.cell(&id, x + PLACE / 2.0, CARD_Y, Shape::Card, Tone::Plain);
        place.label = Some(format!("{n} {name}"));
        tray.piece(&id, PieceKind::Card, tone(card)).text = Some(name);
        if n > 1 {
            count_on(tray, &id, n);
        }
        x += PLACE;
    }
    if x > left { named_group(tray, left, x, caption) } else { left }
}

/// Cards face down.
fn pile(tray: &mut Area, left: f64, caption: &str, n: u8, id: String) -> f64 {
    if n == 0 {
        return left;
    }
    tray.cell(&id, left + PLACE / 2.0, CARD_Y, Shape::Card, Tone::Plain).label = Some(format!("{n} face down"));
    tray.piece(&id, PieceKind::CardBack, Tone::Neutral);
    count_on(tray, &id, n);
    named_group(tray, left, left + PLACE, caption)
}

/// How many cards lie there, at a corner where it hides no name.
fn count_on(tray: &mut Area, id: &str, n: u8) {
    let count = tray.piece(id, PieceKind::Token, Tone::Black);
    count.text = Some(n.to_string());
    (count.dx, count.dy, count.size) = (0.29, -0.42, Some(0.38));
}

/// Writes what a group of cards is; returns where the next begins.
fn named_group(tray: &mut Area, left: f64, right: f64, caption: &str) -> f64 {
    let size = 0.24;
    // Words may be wider than the one card below them.
    let width = (right - left).max(caption.len() as f64 * size * 0.62);
    tray.texts.push(Text { x: (left + right) / 2.0, y: 0.24, text: caption.into(), size, coordinate: false });
    left + width + 0.3
}

fn tone(card: Card) -> Tone {
    match card {
        Card::Fire => Tone::Orange,
        Card::Water => Tone::Blue,
        Card::Cinnabar => Tone::Red,
        Card::Lead => Tone::Black,
        Card::YellowSalt => Tone::Yellow,
    }
}

/// What a seat has drafted and not yet put to use.
pub(super) fn picked(state: &State, seat: Seat) -> Cards {
    let mut cards = state.drafted[seat];
    for card in state.draft.picks[seat].into_iter().flatten() {
        cards[card as usize] += 1;
    }
    cards
}

pub(super) fn is_face_up(state: &State) -> bool {
    !matches!(state.stage, Stage::Deal(_) | Stage::Draft(_))
}

fn hand_id(seat: Seat, card: Card) -> String {
    format!("hand:{seat}:{}", card.word())
}

fn saved_id(seat: Seat, card: Card) -> String {
    format!("held:{seat}:{}", card.word())
}

fn hexagon_id(number: usize) -> String {
    format!("make:{}", TRANSMUTATIONS[number].name)
}

// Buttons and words

fn buttons(state: &State, picture: &mut Picture) {
    match state.stage {
        Stage::Choice(Event::Disaster) => {
            picture.button("disaster-fire", "Destroy fire");
            picture.button("disaster-water", "Destroy water");
        }
        Stage::Choice(Event::Steal) => {
            for from in (0..N_SEATS).filter(|&from| from != state.starter()) {
                picture.button(format!("from:{from}"), format!("From {}", SEAT_NAMES[from]));
            }
            picture.button("no-event", "Nothing to steal");
        }
        Stage::Play(_) | Stage::Together => picture.button("end", "End turn"),
        _ => {}
    }
}

fn round_now(game: &JabirsTransmutations, state: &State) -> String {
    let complete = u16::from(state.stage == Stage::Over);
    format!("{} of {}", state.round + 1 - complete, game.max_rounds)
}

/// What goes on, in a sentence.
fn note(game: &JabirsTransmutations, state: &State) -> Option<String> {
    let starter = SEAT_NAMES[state.starter()];
    Some(match state.stage {
        Stage::Event => format!("{starter} turns an event card."),
        Stage::Choice(Event::Eureka) if game.eureka_for_all => format!("Eureka: {starter} chooses an elixir for all."),
        Stage::Choice(Event::Eureka) => format!("Eureka: {starter} chooses an elixir."),
        Stage::Choice(Event::Explosion) => format!("Explosion: {starter} chooses a resource; all lose half of it."),
        Stage::Choice(Event::Disaster) => format!("Disaster: {starter} destroys the held fire or water cards of all."),
        Stage::Choice(Event::Favor) => format!("Favor: {starter} chooses a primary resource."),
        Stage::Choice(Event::Steal) => format!("Steal: {starter} chooses a resource, then whose."),
        Stage::Deal(_) => "Cards are dealt.".into(),
        Stage::Draft(turn) => format!("Draft: pick {} of {HAND}.", turn + 1),
        Stage::Play(seat) if state.n_saved(seat.into()) > MAX_SAVED => {
            format!("{} transmutes, and may keep {MAX_SAVED} of fire and water.", SEAT_NAMES[usize::from(seat)])
        }
        Stage::Together => "All choose at the same time: a transmutation, or the end of the turn.".into(),
        Stage::Play(seat) => format!("{} transmutes.", SEAT_NAMES[usize::from(seat)]),
        Stage::Die(seat, number) => {
            format!("{} rolls for {}.", SEAT_NAMES[usize::from(seat)], TRANSMUTATIONS[usize::from(number)].name)
        }
        Stage::Over => return None,
    })
}

/// Where a seat stands in a step, as far as the viewer sees it.
fn step_status(state: &State, seat: Seat, viewer: Viewer) -> Option<String> {
    let step = state.step.as_ref()?;
    let is_secret = state.stage == Stage::Together && !viewer.is(seat);
    match step.chosen[seat] {
        _ if step.ended[seat] => Some("has ended the turn".into()),
        None => None,
        Some(_) if is_secret => Some("has chosen".into()),
        Some(action) => Some(format!("has chosen {}", action.text())),
    }
}

/// What was chosen in the step before, in the same round.
fn last_step(scene: &Scene<'_, JabirsTransmutations>) -> Option<String> {
    let before = scene.aftermath.filter(|before| scene.state.step.is_some() && before.round == scene.state.round)?;
    let chosen = before.step.as_ref()?.chosen;
    let name = |seat: Seat| chosen[seat].map(|action| format!("{} {}", SEAT_NAMES[seat], action.text()));
    let listed: Vec<String> = before.in_order().into_iter().filter_map(name).collect();
    Some(format!("Chosen before: {}.", listed.join(", ")))
}

/// `3 fire, 1 lead`, or `none`.
fn listed(words: impl Iterator<Item = &'static str>, counts: &[u8]) -> String {
    let there = words.zip(counts).filter(|&(_, &n)| n > 0);
    let list: Vec<String> = there.map(|(word, n)| format!("{n} {}", word.replace('-', " "))).collect();
    if list.is_empty() { "none".into() } else { list.join(", ") }
}

fn heading(sketch: &mut Sketch) {
    sketch.text(" ".repeat(18));
    for seat in 0..N_SEATS {
        let name = SEAT_NAMES[seat];
        sketch.text(" ").tone(format!("{name:>5}"), Tone::Seat(seat as u8));
    }
    sketch.end_line();
}

fn row(sketch: &mut Sketch, label: &str, count: impl Fn(Seat) -> u8) {
    sketch.text(format!("{label:<18}"));
    for seat in 0..N_SEATS {
        let text = match count(seat) {
            0 => ".".into(),
            n => n.to_string(),
        };
        sketch.tone(format!(" {text:>5}"), Tone::Seat(seat as u8));
    }
    sketch.end_line();
}

/// ` holds 2 fire; drafted 1 lead; hand 3 fire, 1 water`, as far as the viewer sees it.
fn cards_in_words(state: &State, seat: Seat, viewer: Viewer) -> String {
    let face_up = |cards: &Cards| listed(Card::ALL.iter().map(|card| card.word()), cards);
    let seen = |cards: &Cards| {
        if viewer.is(seat) || is_face_up(state) {
            face_up(cards)
        } else {
            format!("{} cards", cards.iter().sum::<u8>())
        }
    };
    let [fire, water] = state.saved[seat];
    let mut text = format!(" holds {}", face_up(&[fire, water, 0, 0, 0]));
    let picked = picked(state, seat);
    if picked != [0; 5] {
        text += &format!("; drafted {}", seen(&picked));
    }
    if !is_face_up(state) {
        text += &format!("; hand {}", seen(state.held(seat)));
    }
    text
}
