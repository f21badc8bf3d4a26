//! What there is to play: the games, their parameters, a picture of each and its rules.

use raichi_core::game::Phase;
use raichi_core::picture::Picture;
use raichi_core::random::{FastRng, index, stream};
use raichi_core::rulebook::{Passage, Position, passages};
use raichi_core::seat::Viewer;
use raichi_core::{AnyGame, AnyMatch};
use raichi_games::REGISTRY;

use crate::error::Refusal;
use crate::hub::check_spec;
use crate::message::{Description, GameEntry, PassageView};

/// Of how many actions a card's picture takes its pick.
const ACTIONS_TRIED: usize = 24;

/// All games with their standard parameters.
pub(crate) fn games() -> Vec<GameEntry> {
    let entry = |entry: &'static raichi_core::Entry| {
        let game = (entry.create)(None).expect("the standard parameters make a game");
        let mut current = game.new_match();
        GameEntry {
            id: entry.id,
            name: entry.name,
            blurb: entry.blurb,
            params: (entry.params)(),
            seats: game.facts().n_seats,
            seat_names: seat_names(&*game),
            picture: liveliest(&mut *current, &mut stream(1732, entry.id, 0)),
        }
    };
    REGISTRY.iter().map(entry).collect()
}

/// The rules of a game, their positions as whoever keeps the record sees them.
pub(crate) fn rules(id: &str) -> Result<Vec<PassageView>, Refusal> {
    Ok(passages(raichi_games::entry(id)?.rules).into_iter().map(passage).collect())
}

fn passage(passage: Passage<'static>) -> PassageView {
    match passage {
        Passage::Text(text) => PassageView::Text { text },
        Passage::Position(position) => drawn(position),
    }
}

fn drawn(position: Position<'_>) -> PassageView {
    let game = raichi_games::game(position.spec).expect("a test of the games opens every position");
    let current = position.open(&*game).expect("a test of the games opens every position");
    PassageView::Position {
        spec: game.spec().into(),
        seats: seat_names(&*game),
        picture: Box::new(current.picture(Viewer::Referee)),
        last: current.last_marks(Viewer::Referee),
    }
}

/// The game of this spec, before anybody has acted.
pub(crate) fn describe(spec: &str) -> Result<Description, Refusal> {
    check_spec(spec)?;
    let game = raichi_games::game(spec)?;
    let mut current = game.new_match();
    settle(&mut *current, &mut stream(1732, game.id(), 1));
    Ok(Description {
        spec: game.spec().into(),
        name: game.name(),
        seats: seat_names(&*game),
        picture: current.picture(Viewer::Spectator),
    })
}

fn seat_names(game: &dyn AnyGame) -> Vec<String> {
    (0..game.facts().n_seats).map(|seat| game.seat_name(seat)).collect()
}

/// The position of a random game's beginning that has the most to look at: the latest of those with the most pieces.
fn liveliest(current: &mut dyn AnyMatch, rng: &mut FastRng) -> Picture {
    settle(current, rng);
    let mut best = current.picture(Viewer::Spectator);
    for _ in 0..ACTIONS_TRIED {
        let Phase::Act(seats) = current.phase() else { break };
        let seat = seats.first();
        let legal = current.legal(seat);
        current.play(seat, &legal[index(rng, legal.len())]).expect("a listed action is legal");
        settle(current, rng);
        let picture = current.picture(Viewer::Spectator);
        if current.phase() != Phase::Over && n_pieces(&picture) >= n_pieces(&best) {
            best = picture;
        }
    }
    best
}

fn n_pieces(picture: &Picture) -> usize {
    picture.areas.iter().map(|area| area.pieces.len()).sum()
}

/// Lets chance act until a seat is to.
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
    fn every_game_has_rules_with_its_positions_drawn() {
        for entry in REGISTRY {
            let rules = rules(entry.id).unwrap();
            assert_eq!(rules.len(), passages(entry.rules).len());
            assert!(matches!(rules[0], PassageView::Text { .. }), "{}", entry.id);
        }
        assert_eq!(rules("chess").unwrap_err().code, "spec/unknown-game");
    }

    #[test]
    fn a_description_names_what_is_wrong() {
        assert_eq!(describe("tic-tac-toe").unwrap().seats.len(), 2);
        assert_eq!(describe("tic-tac-toe:max-plies=0").unwrap().spec, "tic-tac-toe");
        for (spec, code, says) in [
            ("chess", "spec/unknown-game", "there is no game `chess`"),
            ("tic-tac-toe:size=4", "spec/unknown-key", "no parameter `size`"),
            ("tic-tac-toe:max-plies=-1", "spec/bad-value", "from 0 to 1000000"),
            ("tic-tac-toe:", "spec/malformed", "key=value"),
            ("tic-tac-toe:max-plies=1,max-plies=1", "spec/repeated-key", "given twice"),
            (&"x".repeat(5000), "spec/too-long", "at most 1000 bytes, not 5000"),
        ] {
            let refusal = describe(spec).unwrap_err();
            assert!(refusal.code == code && refusal.message.contains(says), "{spec}: {refusal:?}");
        }
    }
}
