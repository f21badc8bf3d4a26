//! Parsers are total.

use super::{Place, law};
use crate::erased::Playable;
use crate::game::Phase;
use crate::random::{self, FastRng};

impl<G: Playable> Place<'_, G> {
    /// What parsers read is legal only if listed.
    pub(super) fn noise_is_refused(&self, rng: &mut FastRng) {
        let (game, state) = (self.game(), self.state());
        let alphabet: Vec<char> = "abcdijk0123456789-/>.!#*@:~+RYBKé swx'".chars().collect();
        for _ in 0..2 {
            let len = random::index(rng, 7);
            let noise: String = (0..len).map(|_| alphabet[random::index(rng, alphabet.len())]).collect();
            for seat in 0..game.facts().n_seats {
                if let Ok(action) = game.parse_action(state, seat, &noise) {
                    let to_act = matches!(self.current.phase(), Phase::Act(seats) if seats.contains(seat));
                    let listed = self.current.legal_actions(seat).contains(&action);
                    let legal = to_act && game.is_legal(state, seat, action);
                    law!(self, legal == listed, "`{noise}` is legal: {legal}, but listed otherwise");
                    if to_act && !legal {
                        let _ = (game.action_text(state, seat, action), game.why_illegal(state, seat, action));
                    }
                }
            }
            let _ = game.parse_outcome(state, &noise);
        }
    }
}
