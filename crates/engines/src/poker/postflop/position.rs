//! The betting that is left in a position of the game itself: its words, its steps, its chips.

use raichi_core::game::{Game, Phase};
use raichi_core::seat::Seat;
use raichi_games::poker::{Action as Word, Poker, State};

use super::tree::{Action, MOST_DEPTH, Node, Pot};

/// Why a position of the game is not solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotSolved {
    /// More or fewer seats could still win the pot.
    #[error("two seats have to be left in the round")]
    Seats,
    /// Three cards or fewer lie on the table.
    #[error("the turn or the river has to lie on the table: four community cards or five")]
    Street,
    /// Bets are so small, compared with the stacks, that too many follow one another.
    #[error("the stacks are too deep for bets of one blind: too many raises can follow one another")]
    Deep,
}

/// The betting of a position, and what its numbers mean.
#[derive(Clone, PartialEq, Debug)]
pub struct Remaining {
    /// The two seats that are left.
    pub seats: [Seat; 2],
    /// What follows; the first of `seats` is seat 0 there.
    pub tree: Node,
    /// The chips that each of the two seats has at the end of the round where it wins nothing and loses nothing in `tree`.
    pub base: [f64; 2],
}

/// The betting that is left. To fold where nothing is to be paid is left out: to check is never worse.
///
/// # Errors
/// Says why a position has none that can be solved.
pub fn remaining(game: &Poker, state: &State) -> Result<Remaining, NotSolved> {
    let mut live = state.live().iter();
    let (Some(first), Some(second), None) = (live.next(), live.next(), live.next()) else {
        return Err(NotSolved::Seats);
    };
    if state.board().len() < 4 {
        return Err(NotSolved::Street);
    }
    let seats = [first, second];
    let others = state.dealt_in().iter().filter(|seat| !seats.contains(seat));
    let pot = Pot {
        staked: seats.map(|seat| state.staked(seat)),
        folded: others.map(|seat| state.staked(seat)).collect(),
        odd_chip: usize::from((seats[0]..seats[1]).contains(&state.dealer())),
    };
    let dead = f64::from(pot.folded.iter().sum::<u32>());
    let base = seats.map(|seat| f64::from(state.stack(seat) + state.staked(seat)) + dead / 2.0);
    let tree = follow(game, state, seats, &pot, 0)?;
    Ok(Remaining { seats, tree, base })
}

fn follow(game: &Poker, state: &State, seats: [Seat; 2], pot: &Pot, depth: usize) -> Result<Node, NotSolved> {
    if depth > MOST_DEPTH {
        return Err(NotSolved::Deep);
    }
    let Phase::Act(acting) = game.phase(state) else {
        let mut next = *state;
        // Whichever card it is: betting does not depend on it.
        let mut outcomes = Vec::new();
        game.outcomes(state, &mut outcomes);
        game.apply_outcome(&mut next, outcomes[0].0);
        return Ok(Node::Deal(Box::new(after(game, state, &next, seats, pot, depth)?)));
    };
    let real = acting.first();
    let seat = usize::from(real == seats[1]);
    let mut words = Vec::new();
    game.legal_actions(state, real, &mut words);
    let to_call = state.to_call(real);
    words.retain(|&word| word != Word::Fold || to_call > 0);
    let choices = words.into_iter().map(|word| {
        let chips = match word {
            Word::Fold | Word::Check => 0,
            Word::Bet => game.blind(state),
            Word::Call => to_call,
            Word::Raise => to_call + game.blind(state),
            Word::AllIn => state.stack(real),
        };
        let to = state.bet(real) + chips;
        let action = match word {
            Word::Fold => Action::Fold,
            Word::Check => Action::Check,
            Word::Bet => Action::Bet(to),
            Word::Call => Action::Call,
            Word::Raise => Action::Raise(to),
            Word::AllIn => Action::AllIn(to),
        };
        if word == Word::Fold {
            return Ok((action, pot.fold(seat)));
        }
        let (mut next, mut pot) = (*state, pot.clone());
        pot.staked[seat] += chips;
        game.apply(&mut next, real, word);
        Ok((action, after(game, state, &next, seats, &pot, depth)?))
    });
    Ok(Node::Act { seat, choices: choices.collect::<Result<_, _>>()? })
}

fn after(
    game: &Poker,
    before: &State,
    next: &State,
    seats: [Seat; 2],
    pot: &Pot,
    depth: usize,
) -> Result<Node, NotSolved> {
    // A round that is over has cleared the table.
    let is_over = next.board().len() < before.board().len();
    if is_over { Ok(pot.showdown()) } else { follow(game, next, seats, pot, depth + 1) }
}
