//! The lobby: the games, their parameters, a picture of each and its rules.

use std::collections::HashMap;
use std::ops::RangeFrom;
use std::sync::{Arc, Mutex, PoisonError};

use raichi_core::game::Phase;
use raichi_core::history::By;
use raichi_core::picture::{AreaKind, Picture, Tone};
use raichi_core::random::{FastRng, index, stream};
use raichi_core::rulebook::{Passage, Position, Remark, passages, positions};
use raichi_core::seat::Viewer;
use raichi_core::{AnyGame, AnyMatch};
use raichi_games::REGISTRY;

use crate::constant::{CHECKED, Constant};
use crate::error::Refusal;
use crate::game_in_progress::set_up;
use crate::hub::check_spec;
use crate::lessons::n_problems;
use crate::message::{Description, GameCard, GameEntry, PassageView, RemarkView, StepOfPassage};
use crate::secret::Seed;

/// A card's picture is the best of so many random games, within so many actions of each.
const GAMES_TRIED: u64 = 12;
const ACTIONS_TRIED: usize = 24;
/// So many cards have their pictures in the page itself: as many as a window shows first.
const FIRST_CARDS: usize = 10;

/// All games with their standard parameters.
pub(crate) fn games() -> Vec<GameEntry> {
    let entry = |entry: &'static raichi_core::Entry| {
        let game = (entry.create)(None).expect("the standard parameters make a game");
        GameEntry {
            id: entry.id,
            name: entry.name,
            blurb: entry.blurb,
            aliases: entry.aliases,
            params: (entry.params)(),
            seats: game.facts().n_seats,
            seat_range: raichi_games::seat_range(entry),
            seat_names: seat_names(&*game),
            seat_tones: seat_tones(&*game),
            // A card has no room for charts.
            picture: Picture { charts: Vec::new(), ..liveliest(&*game) },
            charts: raichi_agents::has_charts(&*game),
            letterings: !game.letterings().is_empty(),
            drill: game.exercise(0, 0).is_some(),
            by_text: game.placements().is_none(),
            problems: n_problems(entry.id),
        }
    };
    REGISTRY.iter().map(entry).collect()
}

/// The cards of these games, for the page: all in words, the first of them with pictures.
pub(crate) fn cards(games: &[GameEntry]) -> Vec<GameCard> {
    let card = |(i, game): (usize, &GameEntry)| GameCard {
        id: game.id,
        name: game.name,
        blurb: game.blurb,
        aliases: game.aliases,
        seat_range: game.seat_range,
        seat_names: game.seat_names.clone(),
        seat_tones: game.seat_tones.clone(),
        picture: (i < FIRST_CARDS).then(|| drawn_on_a_card(&game.picture)),
    };
    games.iter().enumerate().map(card).collect()
}

/// What a card draws of a picture: its boards, or its trays where it has no others; nothing that is touched or read aloud.
fn drawn_on_a_card(picture: &Picture) -> Picture {
    let mut areas = picture.areas.clone();
    if areas.iter().any(|area| area.kind != AreaKind::Tray) {
        areas.retain(|area| area.kind != AreaKind::Tray);
    }
    for cell in areas.iter_mut().flat_map(|area| &mut area.cells) {
        (cell.label, cell.touch, cell.along) = (None, None, Vec::new());
    }
    Picture { areas, ..Picture::default() }
}

/// A text about a game, with positions in it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Text {
    /// How it is played.
    Rules,
    /// Where it comes from.
    About,
}

impl Text {
    /// What it says of the game with this id.
    fn of(self, id: &str) -> Result<&'static str, Refusal> {
        Ok(match self {
            Text::Rules => raichi_games::entry(id)?.rules,
            Text::About => raichi_games::rooms(id)?.about,
        })
    }
}

/// The texts of the games as they are sent. A text's positions are drawn when it is first asked for.
#[derive(Default)]
pub(crate) struct Texts {
    drawn: Mutex<HashMap<(Text, &'static str), Arc<Constant>>>,
}

impl Texts {
    /// The text about the game with this id.
    pub(crate) fn of(&self, text: Text, id: &str) -> Result<Arc<Constant>, Refusal> {
        let id = raichi_games::entry(id)?.id;
        let mut drawn = self.drawn.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = drawn.get(&(text, id)) {
            return Ok(Arc::clone(found));
        }
        let json = serde_json::to_vec(&told(text, id)?).expect("pictures have only text keys and finite numbers");
        let found = Arc::new(Constant::new("application/json", CHECKED, json));
        drawn.insert((text, id), Arc::clone(&found));
        Ok(found)
    }
}

/// A text about a game, with positions that show everything.
fn told(text: Text, id: &str) -> Result<Vec<PassageView>, Refusal> {
    Ok(told_from(passages(text.of(id)?), &mut (0..)))
}

/// Passages with their positions drawn and numbered.
fn told_from(passages: Vec<Passage<'static>>, numbers: &mut RangeFrom<usize>) -> Vec<PassageView> {
    let told = |passage| match passage {
        Passage::Text(text) => PassageView::Text { text },
        Passage::Position(position) => drawn(position, numbers.next().expect("numbers do not end")),
        Passage::Sealed { question, answer } => {
            PassageView::Sealed { question, answer: told_from(answer, &mut *numbers) }
        }
    };
    passages.into_iter().map(told).collect()
}

fn opened(position: &Position<'_>) -> (Arc<dyn AnyGame>, Box<dyn AnyMatch>) {
    let game = raichi_games::game(position.spec).expect("a test of the games opens every position");
    let current = position.open(&*game).expect("a test of the games opens every position");
    (game, current)
}

fn drawn(position: Position<'static>, number: usize) -> PassageView {
    let (game, mut current) = opened(&position);
    let line: Vec<String> = current.plies().iter().map(|ply| ply.token(Viewer::Referee)).collect();
    let (remarks, is_over) = (remarks(&position), current.phase() == Phase::Over);
    // Where something is said on the way, readers begin with the ply that it is said of first, after what was dealt before.
    let n_dealt = current.plies().iter().take_while(|ply| ply.by == By::Chance).count();
    let at = remarks.first().map_or(line.len(), |first| first.ply.saturating_sub(1).max(n_dealt));
    current.truncate(at);
    PassageView::Position {
        number,
        joined: position.joined().expect("a test of the games reads what is joined"),
        spec: game.spec().into(),
        seat_names: seat_names(&*game),
        seat_tones: seat_tones(&*game),
        picture: Box::new(current.picture(Viewer::Referee)),
        last: current.last_marks(Viewer::Referee),
        position: current.position_text(Viewer::Referee),
        start: position.from.map(String::from),
        line,
        at,
        remarks,
        is_over,
    }
}

/// A test of the games reads every remark.
fn remarks(position: &Position<'static>) -> Vec<RemarkView> {
    let told = |Remark { ply, better, text }| RemarkView { ply, better, text };
    position.remarks().filter_map(|remark| remark.ok().map(told)).collect()
}

/// The plies on the way to the position of the text that has this number, from 0.
pub(crate) fn steps(text: Text, id: &str, number: usize) -> Result<Vec<StepOfPassage>, Refusal> {
    let nothing = || Refusal::new("path/unknown", format!("this text has no position {number}"));
    let position = positions(text.of(id)?).into_iter().nth(number).ok_or_else(nothing)?;
    let (_, mut current) = opened(&position);
    let n_plies = current.n_plies();
    let mut steps = Vec::with_capacity(n_plies + 1);
    for n in (0..=n_plies).rev() {
        current.truncate(n);
        steps.push(StepOfPassage {
            picture: current.picture(Viewer::Referee),
            last: current.last_marks(Viewer::Referee),
            position: current.position_text(Viewer::Referee),
        });
    }
    steps.reverse();
    Ok(steps)
}

/// The game of this spec, before anybody has acted, or at this position.
pub(crate) fn describe(spec: &str, position: Option<&str>) -> Result<Description, Refusal> {
    check_spec(spec)?;
    let game = raichi_games::game(spec)?;
    let current = match position {
        None => {
            let mut current = game.new_match();
            settle(&mut *current, &mut stream(1732, game.id(), 1));
            current
        }
        // All that could be refused when a table is created with it. The seed is nobody's, and nothing drawn is shown.
        Some(text) => {
            set_up(game.as_ref(), text, &Seed([0; 32]))?;
            game.match_at(text)?
        }
    };
    Ok(Description {
        spec: game.spec().into(),
        name: game.name(),
        seat_names: seat_names(&*game),
        seat_tones: seat_tones(&*game),
        picture: current.picture(Viewer::Spectator),
    })
}

fn seat_names(game: &dyn AnyGame) -> Vec<String> {
    (0..game.facts().n_seats).map(|seat| game.seat_name(seat)).collect()
}

fn seat_tones(game: &dyn AnyGame) -> Vec<Tone> {
    (0..game.facts().n_seats).map(|seat| game.seat_tone(seat)).collect()
}

/// Of positions early in some random games, the one with the most on it.
fn liveliest(game: &dyn AnyGame) -> Picture {
    let of_one = |index| liveliest_of(&mut *game.new_match(), &mut stream(1732, game.id(), index));
    (0..GAMES_TRIED).map(of_one).max_by_key(liveliness).expect("at least one game is tried")
}

/// The latest of those with the most on it.
fn liveliest_of(current: &mut dyn AnyMatch, rng: &mut FastRng) -> Picture {
    settle(current, rng);
    let mut best = current.picture(Viewer::Spectator);
    for _ in 0..ACTIONS_TRIED {
        let Phase::Act(seats) = current.phase() else { break };
        let seat = seats.first();
        let legal = current.legal(seat);
        current.play(seat, &legal[index(rng, legal.len())]).expect("a listed action is legal");
        settle(current, rng);
        let picture = current.picture(Viewer::Spectator);
        if current.phase() != Phase::Over && liveliness(&picture) >= liveliness(&best) {
            best = picture;
        }
    }
    best
}

/// The number of things on the boards, which are all that a card shows; then of those on trays.
fn liveliness(picture: &Picture) -> (usize, usize) {
    let lies_on = |is_tray: bool| {
        let areas = picture.areas.iter().filter(move |area| (area.kind == AreaKind::Tray) == is_tray);
        areas.map(|area| area.pieces.len() + area.lines.len()).sum()
    };
    (lies_on(false), lies_on(true))
}

/// Lets chance act until a seat is to act.
fn settle(current: &mut dyn AnyMatch, rng: &mut FastRng) {
    while current.phase() == Phase::Chance {
        current.sample_outcome(rng).expect("chance is to act");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_a_card_with_something_on_it() {
        let games = super::games();
        assert_eq!(games.len(), REGISTRY.len());
        assert_eq!(serde_json::to_string(&games).unwrap(), serde_json::to_string(&super::games()).unwrap());
        for game in &games {
            assert!(game.picture.areas.iter().any(|area| !area.cells.is_empty()), "{}", game.id);
        }
    }

    #[test]
    fn a_card_shows_what_lies_on_the_board() {
        let games = super::games();
        let poker = games.iter().find(|game| game.id == "poker").unwrap();
        assert!(liveliness(&poker.picture).0 >= 3, "a flop at least");
    }

    #[test]
    fn the_page_has_all_cards_and_pictures_of_the_first() {
        let games = super::games();
        let cards = cards(&games);
        assert_eq!(cards.len(), games.len());
        for (i, (card, game)) in cards.iter().zip(&games).enumerate() {
            assert_eq!((card.id, card.picture.is_some()), (game.id, i < FIRST_CARDS));
            let Some(picture) = &card.picture else { continue };
            // The same things lie on the same boards.
            assert_eq!(liveliness(picture).0, liveliness(&game.picture).0, "{}", game.id);
            assert!(picture.areas.iter().any(|area| !area.cells.is_empty()), "{}", game.id);
        }
    }

    #[test]
    fn every_game_has_rules_with_its_positions_drawn() {
        for entry in REGISTRY {
            let rules = told(Text::Rules, entry.id).unwrap();
            assert_eq!(rules.len(), passages(entry.rules).len());
            assert!(matches!(rules[0], PassageView::Text { .. }), "{}", entry.id);
            assert!(matches!(told(Text::About, entry.id).unwrap()[0], PassageView::Text { .. }), "{}", entry.id);
        }
        assert_eq!(told(Text::Rules, "chess").unwrap_err().code, "spec/unknown-game");
    }

    /// The positions of a text as they are sent, those in answers too.
    fn sent_positions(passages: Vec<PassageView>) -> Vec<PassageView> {
        let positions = passages.into_iter().flat_map(|passage| match passage {
            PassageView::Text { .. } => Vec::new(),
            PassageView::Sealed { answer, .. } => sent_positions(answer),
            position @ PassageView::Position { .. } => vec![position],
        });
        positions.collect()
    }

    #[test]
    fn a_position_of_the_rules_can_be_stepped_to() {
        // Black's last two stand in an answer.
        for (id, n_positions, n_joined) in [("tablut", 6, 0), ("black", 5, 2)] {
            let sent = sent_positions(told(Text::Rules, id).unwrap());
            assert_eq!(sent.len(), n_positions, "{id}");
            let mut found_joined = 0;
            for (i, passage) in sent.iter().enumerate() {
                let PassageView::Position { number, joined, line, at, position, picture, .. } = passage else {
                    panic!()
                };
                let steps = steps(Text::Rules, id, *number).unwrap();
                assert_eq!((*number, steps.len()), (i, line.len() + 1));
                let last = steps.last().unwrap();
                assert_eq!((&last.position, &last.picture, line.len()), (position, &**picture, *at));
                found_joined += usize::from(!joined.is_empty());
            }
            assert_eq!(found_joined, n_joined, "{id}");
            assert_eq!(steps(Text::Rules, id, n_positions).unwrap_err().code, "path/unknown");
        }
    }

    #[test]
    fn an_example_that_is_told_opens_where_it_begins() {
        for (id, begins) in [("al-jabar", (27, 46)), ("kaalu", (0, 6))] {
            let sent = sent_positions(told(Text::About, id).unwrap());
            let PassageView::Position { number, line, at, position, picture, is_over, .. } = &sent[0] else { panic!() };
            let steps = steps(Text::About, id, *number).unwrap();
            assert_eq!(((*at, line.len()), &steps[*at].position), (begins, position), "{id}");
            assert_eq!(steps[*at].picture, **picture, "{id}");
            assert_eq!(*is_over, id == "al-jabar", "{id}: whether it is over at its end");
        }
    }

    #[test]
    fn a_description_names_what_is_wrong() {
        assert_eq!(describe("tic-tac-toe", None).unwrap().seat_names.len(), 2);
        assert_eq!(describe("tic-tac-toe:max-plies=0", None).unwrap().spec, "tic-tac-toe");
        for (spec, code, says) in [
            ("chess", "spec/unknown-game", "there is no game `chess`"),
            ("tic-tac-toe:size=4", "spec/unknown-key", "no parameter `size`"),
            ("tic-tac-toe:max-plies=-1", "spec/bad-value", "from 0 to 1000000"),
            ("tic-tac-toe:", "spec/malformed", "key=value"),
            ("tic-tac-toe:max-plies=1,max-plies=1", "spec/repeated-key", "given twice"),
            (&"x".repeat(5000), "spec/too-long", "at most 1000 bytes, not 5000"),
        ] {
            let refusal = describe(spec, None).unwrap_err();
            assert!(refusal.code == code && refusal.message.contains(says), "{spec}: {refusal:?}");
        }
        assert_eq!(describe("tic-tac-toe:max-plies=-1", None).unwrap_err().param.as_deref(), Some("max-plies"));
        assert_eq!(describe("tic-tac-toe:size=4", None).unwrap_err().param, None);
    }
}
