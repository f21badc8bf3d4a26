//! Positions as text.

use super::{Place, law};
use crate::erased::Playable;
use crate::random::{self, FastRng};
use crate::seat::Viewer;

impl<G: Playable> Place<'_, G> {
    pub(super) fn positions_read_back(&self) {
        let (game, state) = (self.game(), self.state());
        let text = game.position_text(state, Viewer::Referee);
        let plain = text.bytes().all(|b| b.is_ascii_graphic() || b == b' ');
        law!(self, plain && text.trim() == text && !text.contains("  "), "`{text}` is not one line of ASCII");
        match game.parse_position(&text) {
            Err(why) => law!(self, false, "`{text}` is refused: {why}"),
            Ok(read) => {
                law!(self, &read.state == state, "`{text}` is read as {:?}, not {state:?}", read.state);
                law!(self, read.seen_by.is_none(), "`{text}` says everything, but is read as a view");
                law!(self, game.recomputed(&read.state) == read.state, "`{text}` is read with something left behind");
            }
        }
        if !game.facts().hidden {
            return;
        }
        for viewer in (0..game.facts().n_seats).map(Viewer::Seat).chain([Viewer::Spectator]) {
            let text = game.position_text(state, viewer);
            match game.parse_position(&text) {
                Err(why) => law!(self, false, "{viewer:?}: `{text}` is refused: {why}"),
                Ok(read) => {
                    let names_viewer = read.seen_by.is_none_or(|seen_by| seen_by == viewer);
                    law!(self, names_viewer, "`{text}` of {viewer:?} is read as {:?}'s", read.seen_by);
                    let hides = text.contains('?');
                    law!(
                        self,
                        hides == read.seen_by.is_some(),
                        "`{text}` hides something exactly if it names a viewer"
                    );
                    let again = game.position_text(&read.state, viewer);
                    law!(self, again == text, "{viewer:?}: `{text}` is written again as `{again}`");
                    law!(self, game.recomputed(&read.state) == read.state, "`{text}` leaves something behind");
                }
            }
        }
    }

    /// Damaged texts are refused with an error or read as a position that is consistent and can be played on.
    pub(super) fn noise_is_no_position(&self, rng: &mut FastRng) {
        let game = self.game();
        let text = game.position_text(self.state(), Viewer::Referee);
        let alphabet: Vec<char> = "019/ -=?abXOwKQ.:é~".chars().collect();
        for _ in 0..3 {
            let mut damaged: Vec<char> = text.chars().collect();
            for _ in 0..=random::index(rng, 2) {
                let at = random::index(rng, damaged.len() + 1);
                let symbol = alphabet[random::index(rng, alphabet.len())];
                match random::index(rng, 3) {
                    0 => damaged.insert(at, symbol),
                    1 if at < damaged.len() => damaged[at] = symbol,
                    _ if at < damaged.len() => drop(damaged.remove(at)),
                    _ => {}
                }
            }
            let damaged: String = damaged.into_iter().collect();
            match game.parse_position(&damaged) {
                Err(why) => {
                    let within = why.column <= damaged.chars().count() + 1;
                    law!(self, within && !why.expected.is_empty(), "`{damaged}`: {why}");
                }
                Ok(read) => {
                    let mut state = read.state;
                    law!(self, game.recomputed(&state) == state, "`{damaged}` is read with something left behind");
                    (0..8).for_each(|_| super::advance(game, &mut state, rng));
                }
            }
        }
    }
}
