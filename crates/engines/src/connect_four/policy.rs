//! Wins, else blocks, else gives no win away.

use raichi_core::game::Game;
use raichi_core::random::{FastRng, index};
use raichi_core::seat::Seat;
use raichi_games::connect_four::{ConnectFour, State};
use raichi_search::PlayoutPolicy;

use super::Hand;

/// Wins, else blocks, else draws again where the other seat could win on top of the stone.
#[derive(Clone, Debug)]
pub(super) struct Careful(pub(super) Hand);

/// How often a column is drawn again.
const DRAWS: usize = 4;

impl PlayoutPolicy<ConnectFour> for Careful {
    fn choose(
        &self,
        game: &ConnectFour,
        state: &State,
        seat: Seat,
        _last: Option<u8>,
        scratch: &mut Vec<u8>,
        rng: &mut FastRng,
    ) -> u8 {
        let stride = game.stride();
        let (landing, mine, theirs) = self.0.now_and_threats(game, state);
        let decisive = if mine & landing != 0 { mine & landing } else { theirs & landing };
        if decisive != 0 {
            let nth = index(rng, decisive.count_ones() as usize) as u32;
            let bit = raichi_core::bits::nth_of([decisive as u64, (decisive >> 64) as u64], nth);
            return (bit / stride) as u8;
        }
        let mut action = game.random_action(state, seat, scratch, rng);
        for _ in 0..DRAWS {
            if (landing & Hand::column(game, action)) << 1 & theirs == 0 {
                break;
            }
            action = game.random_action(state, seat, scratch, rng);
        }
        action
    }
}
