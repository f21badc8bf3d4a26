//! Wins, else blocks, else makes no three.

use raichi_core::bits;
use raichi_core::game::Game;
use raichi_core::random::{FastRng, index};
use raichi_core::seat::Seat;
use raichi_games::yavalath::{State, Yavalath};
use raichi_search::PlayoutPolicy;

use super::lines::{Board, Lines};

/// Wins, else blocks, else makes no three, and is random elsewhere.
#[derive(Clone, Debug)]
pub(super) struct Careful(Board);

/// How often a cell that makes three is drawn again.
const DRAWS: usize = 6;

impl Careful {
    pub(super) fn new(game: &Yavalath) -> Careful {
        Careful(Board::new(game))
    }

    /// Some cell where a seat makes four.
    #[inline]
    fn four(&self, own: &Lines, free: &Lines, rng: &mut FastRng) -> Option<u8> {
        let mut found = [[0u16; 15]; 3];
        let mut any = 0;
        for direction in 0..3 {
            for line in 0..15 {
                let (o, e) = (own[direction][line], free[direction][line]);
                let (up, up2, down, down2) = (o << 1, o << 2, o >> 1, o >> 2);
                let fours = e & (up & up2 & (o << 3) | down & up & (up2 | down2) | down & down2 & (o >> 3));
                found[direction][line] = fours;
                any |= fours;
            }
        }
        (any != 0).then(|| {
            let cells = self.0.cells_of(&found);
            let n = cells.iter().map(|word| word.count_ones()).sum::<u32>();
            bits::nth_of(cells, index(rng, n as usize) as u32) as u8
        })
    }
}

impl PlayoutPolicy<Yavalath> for Careful {
    fn choose(
        &self,
        game: &Yavalath,
        state: &State,
        seat: Seat,
        _last: Option<u8>,
        scratch: &mut Vec<u8>,
        rng: &mut FastRng,
    ) -> u8 {
        let free = self.0.free(game, state);
        if let Some(cell) = self.four(state.lines(seat), &free, rng) {
            return cell;
        }
        // Of three seats the rules make one block.
        if game.n_seats() == 2
            && let Some(cell) = self.four(state.lines(1 - seat), &free, rng)
        {
            return cell;
        }
        let mut action = game.random_action(state, seat, scratch, rng);
        for _ in 0..DRAWS {
            if action == game.swap_action() || self.0.longest_with(state.lines(seat), action) != 3 {
                break;
            }
            action = game.random_action(state, seat, scratch, rng);
        }
        action
    }
}
