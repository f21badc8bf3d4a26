//! What the betting tells of an opponent: how likely it holds each pair of cards, and in which style it plays.

use raichi_core::game::{Choice, Game};
use raichi_core::information::{SeatView, Seen};
use raichi_core::random::{FastRng, Rng};
use raichi_core::seat::{MAX_SEATS, Seat};
use raichi_games::cards::CardSet;
use raichi_games::poker::{Action, Poker, State};

use super::rank::{Board, N_PAIRS, PAIRS};
use super::style::{ACTIONS, N_STYLES, STYLES, Situation, USUAL};

/// Shares are told apart in so many steps.
const N_STEPS: usize = 32;

fn step(share: f32) -> usize {
    ((share * N_STEPS as f32) as usize).min(N_STEPS - 1)
}

fn share_of(step: usize) -> f32 {
    (step as f32 + 0.5) / N_STEPS as f32
}

/// Which legal actions, chips and opponents a seat that is to act has before it.
pub(super) fn situation(game: &Poker, state: &State, seat: Seat) -> Situation {
    Situation {
        legal: game.legal(state, seat),
        pot: state.pot() as f32,
        to_call: state.to_call(seat) as f32,
        stack: state.stack(seat) as f32,
        n_others: state.live().without(seat).len() as u32,
    }
}

/// What is believed of one opponent: the weight of each style with each pair of cards.
pub(super) struct Opponent {
    weights: Vec<f32>,
    /// Sums of the weights up to each, for drawing.
    sums: Vec<f32>,
}

impl Opponent {
    /// Any pair of cards that `seen` leaves, and each style as likely as given.
    fn new(styles: [f32; N_STYLES], seen: CardSet) -> Opponent {
        let possible = |pair: CardSet| if pair.minus(seen).len() == 2 { 1.0 } else { 0.0 };
        let pairs: Vec<f32> = PAIRS.iter().map(|&pair| possible(pair)).collect();
        let weights = styles.iter().flat_map(|style| pairs.iter().map(move |pair| style * pair)).collect();
        Opponent { weights, sums: Vec::new() }
    }

    /// It chose `action` in a situation in which the pairs have shares of these steps.
    fn saw(&mut self, action: Action, at: &Situation, steps: &[u8]) {
        for (weights, (style, _)) in self.weights.chunks_exact_mut(N_PAIRS).zip(&STYLES) {
            let likely: [f32; N_STEPS] =
                std::array::from_fn(|step| style.probabilities(at, share_of(step))[action as usize].max(1e-4));
            weights.iter_mut().zip(steps).for_each(|(weight, &step)| *weight *= likely[usize::from(step)]);
        }
        let total: f32 = self.weights.iter().sum();
        if total > 0.0 {
            self.weights.iter_mut().for_each(|weight| *weight /= total);
        }
    }

    fn ready_to_draw(&mut self) {
        let mut sum = 0.0;
        self.sums = self
            .weights
            .iter()
            .map(|weight| {
                sum += weight;
                sum
            })
            .collect();
    }

    /// A style and a pair of cards without any of `taken`.
    pub(super) fn draw(&self, taken: CardSet, rng: &mut FastRng) -> (usize, CardSet) {
        const TRIES: usize = 30;
        let total = self.sums.last().copied().unwrap_or(0.0);
        for _ in 0..TRIES {
            let drawn = unit(rng) * total;
            let at = self.sums.partition_point(|&sum| sum <= drawn).min(self.sums.len() - 1);
            let (style, pair) = (at / N_PAIRS, PAIRS[at % N_PAIRS]);
            if pair.minus(taken).len() == 2 {
                return (style, pair);
            }
        }
        // Nearly all that is believed of it is held by others: any two cards.
        let left = CardSet::DECK.minus(taken);
        let mut pair = CardSet::EMPTY;
        while pair.len() < 2 {
            pair.insert(left.choose(rng));
        }
        (USUAL, pair)
    }
}

/// A number from 0 to 1.
pub(super) fn unit<R: Rng + ?Sized>(rng: &mut R) -> f32 {
    (rng.next_u64() >> 40) as f32 / (1u64 << 24) as f32
}

/// What the seat of `view` believes of each opponent that is still in the round. `table` is any position that fits the
/// view.
pub(super) fn opponents(view: &SeatView<'_, Poker>, table: &State, rng: &mut FastRng) -> Vec<Option<Opponent>> {
    let seat = view.seat();
    let seen: Vec<Seen<Poker>> = view.seen().collect();
    let n_earlier = round_begins(&seen, table).unwrap_or(seen.len());
    let evidence = Evidence::of(&seen[..n_earlier], view.game().game(), table);
    let known = table.hole(seat).union(table.board());
    let believed = |other: Seat| {
        (other != seat && table.live().contains(other)).then(|| Opponent::new(evidence.styles(other), known))
    };
    let mut opponents: Vec<Option<Opponent>> = (0..MAX_SEATS).map(believed).collect();
    replay(view.game().game(), table, &seen[n_earlier..], rng, |other, action, at, steps| {
        if let Some(opponent) = &mut opponents[other] {
            opponent.saw(action, at, steps);
        }
    });
    opponents.iter_mut().flatten().for_each(Opponent::ready_to_draw);
    opponents
}

/// The ply with which this round began; `None` where play began in its middle. A round begins with the cards that are
/// dealt.
pub(super) fn round_begins(seen: &[Seen<Poker>], table: &State) -> Option<usize> {
    let mut n_dealt = 2 * table.dealt_in().len() + table.board().len();
    (0..seen.len()).rev().find(|&ply| {
        n_dealt -= usize::from(!matches!(seen[ply], Seen::Action(_) | Seen::Choice(Choice::Action(..))));
        n_dealt == 0
    })
}

/// Plays this round again and shows each action with what its seat had before it.
fn replay(
    game: &Poker,
    table: &State,
    seen: &[Seen<Poker>],
    rng: &mut FastRng,
    mut look: impl FnMut(Seat, Action, &Situation, &[u8]),
) {
    if seen.is_empty() {
        return;
    }
    let mut state = game.round_start(table);
    let mut steps: Option<Vec<u8>> = None;
    for &ply in seen {
        match (ply, state.deals_to()) {
            (Seen::Choice(Choice::Action(seat, action)), _) => {
                let steps = steps.get_or_insert_with(|| {
                    let board = Board::new(state.board(), rng);
                    PAIRS.iter().map(|&pair| steps_of(&board, pair)).collect()
                });
                look(seat, action, &situation(game, &state, seat), steps);
                game.apply(&mut state, seat, action);
            }
            // Whatever it is: betting does not depend on it.
            (_, Some(to)) => {
                let card = table.hole(to).minus(state.hole(to)).first();
                game.apply_outcome(&mut state, card.expect("a seat that is dealt in has two cards"));
            }
            (Seen::Choice(Choice::Outcome(card)), None) => {
                game.apply_outcome(&mut state, card);
                steps = None;
            }
            (Seen::Action(_) | Seen::Outcome, None) => {
                return debug_assert!(false, "the betting and the board are public");
            }
        }
    }
}

fn steps_of(board: &Board, pair: CardSet) -> u8 {
    // A pair that holds a card of the board cannot be; it weighs nothing whatever its step.
    let possible = match board {
        Board::Empty => true,
        Board::Cards { cards, .. } => pair.minus(*cards).len() == 2,
    };
    if possible { step(board.share(pair)) as u8 } else { 0 }
}

/// What opponents did in earlier rounds. Their chips at that time are not known any more, so that the words are judged
/// in three typical situations.
struct Evidence {
    /// By seat and style, natural logarithms.
    log_likelihoods: [[f32; N_STYLES]; MAX_SEATS],
}

/// What a seat has before it, roughly.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Facing {
    Nothing,
    Bet,
    AllIn,
}

/// Who did what before what. Nothing is told before the first deal, since it is not known what was bet.
fn decisions(seen: &[Seen<Poker>]) -> Vec<(Seat, Action, Facing)> {
    let Some(first) = seen.iter().position(|ply| matches!(ply, Seen::Outcome)) else { return Vec::new() };
    let mut decisions = Vec::new();
    let mut facing = Facing::Bet;
    // Whether a hole card was dealt since the last action. A deal can follow board cards at once; board cards follow a deal at
    // once only where the round ends without betting.
    let mut deals_hands = false;
    for ply in &seen[first..] {
        match *ply {
            // Blinds are posted when hole cards are dealt.
            Seen::Outcome => (facing, deals_hands) = (Facing::Bet, true),
            // Of a card that is seen, the cards before it tell whether it is one of the seat's own or lies on the board: the
            // seat that is dealt last sees the last card of the deal.
            Seen::Choice(Choice::Outcome(_)) if deals_hands => {}
            Seen::Choice(Choice::Outcome(_)) | Seen::Action(_) => facing = Facing::Nothing,
            Seen::Choice(Choice::Action(seat, action)) => {
                decisions.push((seat, action, facing));
                deals_hands = false;
                facing = match action {
                    Action::Bet | Action::Raise => Facing::Bet,
                    Action::AllIn => Facing::AllIn,
                    Action::Fold | Action::Check | Action::Call => facing,
                };
            }
        }
    }
    decisions
}

impl Evidence {
    /// No more than this many of the latest plies are looked at: players change, and decisions must not take longer and
    /// longer.
    const N_LATEST: usize = 600;
    /// The situations are only typical, and the styles only a few: what is seen counts less than it would.
    const WEIGHT: f32 = 0.6;

    fn of(seen: &[Seen<Poker>], game: &Poker, table: &State) -> Evidence {
        let mut evidence = Evidence { log_likelihoods: [[0.0; N_STYLES]; MAX_SEATS] };
        let likely = likelihoods(game, table);
        let latest = &seen[seen.len().saturating_sub(Self::N_LATEST)..];
        for (seat, action, facing) in decisions(latest) {
            let of_styles = likely[facing as usize].iter().map(|style| style[action as usize]);
            let sums = evidence.log_likelihoods[seat].iter_mut();
            sums.zip(of_styles).for_each(|(sum, p)| *sum += Self::WEIGHT * p.max(0.005).ln());
        }
        evidence
    }

    /// How likely each style of a seat is.
    fn styles(&self, seat: Seat) -> [f32; N_STYLES] {
        let log = &self.log_likelihoods[seat];
        let most = log.iter().copied().fold(f32::MIN, f32::max);
        let weights: [f32; N_STYLES] = std::array::from_fn(|style| STYLES[style].1 * (log[style] - most).exp());
        let total: f32 = weights.iter().sum();
        weights.map(|weight| weight / total)
    }
}

/// How likely each style chooses each word in each typical situation, whatever its cards.
fn likelihoods(game: &Poker, table: &State) -> [[[f32; 6]; N_STYLES]; 3] {
    let blind = game.blind(table) as f32;
    let n_players = table.dealt_in().len() as u32;
    let chips = table.dealt_in().iter().map(|seat| table.stack(seat)).sum::<u32>() + table.pot();
    let stack = chips as f32 / n_players.max(1) as f32;
    let legal = |actions: &[Action]| actions.iter().fold(0, |bits, &action| bits | 1 << action as u8);
    let n_others = (n_players - 1).min(2);
    let open = legal(&[Action::Fold, Action::Check, Action::Bet, Action::AllIn]);
    let bet = legal(&[Action::Fold, Action::Check, Action::Call, Action::Raise, Action::AllIn]);
    let all_in = legal(&[Action::Fold, Action::Call, Action::AllIn]);
    [
        Situation { legal: open, pot: 3.0 * blind, to_call: 0.0, stack, n_others },
        Situation { legal: bet, pot: 2.5 * blind, to_call: blind, stack, n_others },
        Situation { legal: all_in, pot: 2.0 * blind + stack, to_call: 0.8 * stack, stack, n_others },
    ]
    .map(|at| {
        STYLES.map(|(style, _)| {
            let mut mean = [0.0; 6];
            for step in 0..N_STEPS {
                let probabilities = style.probabilities(&at, share_of(step));
                mean.iter_mut().zip(probabilities).for_each(|(mean, p)| *mean += p / N_STEPS as f32);
            }
            mean
        })
    })
}

/// An action drawn from probabilities.
pub(super) fn drawn_action(probabilities: &[f32; 6], rng: &mut FastRng) -> Action {
    let mut left = unit(rng);
    let mut last = Action::Fold;
    for (&action, &p) in ACTIONS.iter().zip(probabilities) {
        if p > 0.0 {
            if left < p {
                return action;
            }
            left -= p;
            last = action;
        }
    }
    last
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use raichi_core::game::Phase;
    use raichi_core::history::Match;
    use raichi_core::path::PathGame;
    use raichi_core::random::stream;

    use super::*;

    fn new_match(spec: &str) -> Match<Poker> {
        let game = raichi_games::game(spec).expect("the test's game is one");
        let game: &Arc<PathGame<Poker>> = game.as_any().downcast_ref().expect("it is poker");
        Match::of(game.clone())
    }

    /// Cards are dealt up to each action.
    fn play(current: &mut Match<Poker>, actions: &[Action], rng: &mut FastRng) {
        for &action in actions {
            while current.phase() == Phase::Chance {
                current.sample_outcome(rng).expect("chance acts");
            }
            let Phase::Act(seats) = current.phase() else { panic!("the game goes on") };
            current.play(seats.first(), action).expect("the action is legal");
        }
    }

    fn seen(current: &Match<Poker>, seat: Seat) -> Vec<Seen<Poker>> {
        current.view(seat).seen().collect()
    }

    #[test]
    fn what_a_seat_faces_is_the_same_for_every_seat() {
        use Action::{AllIn, Bet, Call, Check, Fold, Raise};
        let mut rng = stream(1, "test", 0);
        // One of the two is dealt the last card, in the second round the other one.
        for spec in ["poker", "poker:heads-up=casino"] {
            let mut current = new_match(spec);
            let round = [Call, Check, Check, Bet, Raise, Call, Check, AllIn, Fold];
            play(&mut current, &[&round[..], &[Fold], &round, &[Fold]].concat(), &mut rng);
            let in_round = [
                Facing::Bet,
                Facing::Bet,
                Facing::Nothing,
                Facing::Nothing,
                Facing::Bet,
                Facing::Bet,
                Facing::Nothing,
                Facing::Nothing,
                Facing::AllIn,
            ];
            let expected = [&in_round[..], &[Facing::Bet], &in_round, &[Facing::Bet]].concat();
            for seat in 0..2 {
                let facing: Vec<_> = decisions(&seen(&current, seat)).into_iter().map(|told| told.2).collect();
                assert_eq!(facing, expected, "{spec} {seat}");
            }
        }
        // Two are all-in, so that the next deal follows the board cards at once.
        let mut current = new_match("poker:players=3,chips=100");
        play(&mut current, &[Fold, AllIn, AllIn, Fold], &mut rng);
        for seat in 0..3 {
            let facing: Vec<_> = decisions(&seen(&current, seat)).into_iter().map(|told| told.2).collect();
            assert_eq!(facing, [Facing::Bet, Facing::Bet, Facing::AllIn, Facing::Bet], "{seat}");
        }
    }

    #[test]
    fn who_folds_to_the_blinds_is_tight_for_every_seat() {
        let mut rng = stream(2, "test", 0);
        let mut current = new_match("poker:players=3,chips=100");
        // Everybody folds to the big blind in turn, so that each seat has folded.
        play(&mut current, &[Action::Fold; 12], &mut rng);
        let evidence = |seat: Seat| Evidence::of(&seen(&current, seat), current.game().game(), current.state());
        for other in 0..3 {
            let told = [0, 1, 2].map(|seat| evidence(seat).styles(other));
            assert_eq!(told[0], told[1]);
            assert_eq!(told[0], told[2]);
            let styles = STYLES.iter().zip(told[0]).map(|((_, before), now)| now / before).collect::<Vec<_>>();
            // The first plays by chance, the third and the fourth are tight.
            assert!(styles[2] > styles[0] && styles[3] > styles[0], "{styles:?}");
        }
    }
}
