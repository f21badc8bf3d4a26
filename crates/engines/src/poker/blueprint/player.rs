//! The player of the blueprint: an action is drawn by the probabilities that the strategies give.
//!
//! Between two seats with at most ten big blinds it finds the node of a decision by playing the round's betting again, as the seat saw it. Other
//! rounds, and those whose beginning was not seen, are played by the strategies of [`multiway`]; what these have not met by [`Ranges`].
//! Of the view nothing is used but the betting, the board and the seat's own cards, so advice is the same for all states that the seat
//! cannot tell apart.

use raichi_core::game::{Choice, Game};
use raichi_core::information::{SeatView, Seen};
use raichi_core::random::FastRng;
use raichi_core::seat::Seat;
use raichi_games::poker::{Action, Poker, State};
use raichi_search::{Advice, Candidate, Certainty, Cost, Limits, Session};

use super::abstraction::bucket;
use super::multiway::spot::Spot;
use super::multiway::{self, Strategies};
use super::strategy::{Blueprint, Strategy, shipped};
use super::training::drawn;
use super::tree::{Bet, Next, Order};
use crate::poker::beliefs::round_begins;
use crate::poker::evaluator::Evaluator;
use crate::poker::ranges::Ranges;

/// A player that keeps nothing from decision to decision.
#[derive(Clone, Copy, Debug)]
pub struct BlueprintPlayer {
    blueprint: &'static Blueprint,
    multiway: &'static Strategies,
    otherwise: Ranges,
}

impl BlueprintPlayer {
    /// The player of the blueprint that comes with the engine.
    pub fn new() -> BlueprintPlayer {
        BlueprintPlayer::of(shipped(), multiway::shipped())
    }

    /// The player of a blueprint between two seats and of strategies for more.
    pub fn of(blueprint: &'static Blueprint, multiway: &'static Strategies) -> BlueprintPlayer {
        // What values hands on a board, worked out now and not in the first decision after a flop.
        Evaluator::get();
        BlueprintPlayer { blueprint, multiway, otherwise: Ranges::new() }
    }
}

/// Whether the strategies that come with the engine are for a game; the error is a sentence that says what they are for.
///
/// # Errors
/// When there are more seats than [`MOST_SEATS`](multiway::MOST_SEATS), or more chips than the strategies have met.
pub fn plays(game: &Poker) -> Result<(), String> {
    let (start, n_seats) = (game.initial_state(), game.facts().n_seats);
    let chips = start.stack(0) + start.staked(0);
    let (most_seats, most_blinds) = (multiway::MOST_SEATS, multiway::MOST_BLINDS);
    if n_seats > most_seats {
        Err(format!("its strategies are for at most {most_seats} seats"))
    } else if chips > most_blinds * game.blind(&start) {
        Err(format!("its strategies are for stacks of at most {most_blinds} blinds"))
    } else {
        Ok(())
    }
}

impl Default for BlueprintPlayer {
    fn default() -> BlueprintPlayer {
        BlueprintPlayer::new()
    }
}

impl Session<Poker> for BlueprintPlayer {
    fn decide(&mut self, view: &SeatView<'_, Poker>, limits: &Limits<'_>, rng: &mut FastRng) -> Advice<Action> {
        let start = limits.host.now();
        let game = view.game().game();
        let table = *view.determinize(rng).position();
        let seen: Vec<Seen<Poker>> = view.seen().collect();
        let between_two = self.between_two(game, &table, &seen, view.seat());
        let Some(listed) = between_two.or_else(|| self.multiway(game, &table, view.seat())) else {
            return self.otherwise.decide(view, limits, rng);
        };
        let shares: Vec<f32> = listed.iter().map(|&(_, share)| share).collect();
        let action = listed[drawn(&shares, rng)].0;
        let cost = Cost { elapsed: limits.host.now().saturating_sub(start), ..Cost::default() };
        advice(action, listed, cost)
    }
}

impl BlueprintPlayer {
    /// By the strategies between two seats: the actions and how likely each is. `None` where these do not know the round.
    pub(super) fn between_two(
        &self,
        game: &Poker,
        table: &State,
        seen: &[Seen<Poker>],
        seat: Seat,
    ) -> Option<Vec<(Action, f32)>> {
        let round = Round::of(game, table)?;
        let strategy = self.blueprint.strategy(round.order, round.stack)?;
        let node = round.node(game, strategy, table, seen)?;
        let bucket = bucket(table.board(), table.hole(seat));
        let listed = strategy
            .probabilities(node, bucket)
            .map(|(bet, share)| Some((round.action(game, table, seat, bet)?, share)))
            .collect();
        debug_assert!(Option::is_some(&listed), "what the tree has is legal");
        listed
    }

    /// By the strategies of several seats; `None` where these have not met the spot.
    fn multiway(&self, game: &Poker, table: &State, seat: Seat) -> Option<Vec<(Action, f32)>> {
        let (spot, options) = Spot::of(game, table, seat);
        let bucket = multiway::training::bucket(table.board(), table.hole(seat));
        let shares = self.multiway.probabilities(spot, bucket)?;
        Some(options.actions().iter().copied().zip(shares).collect())
    }
}

/// The drawn action, and all with a number in a thousand.
fn advice(action: Action, listed: Vec<(Action, f32)>, cost: Cost) -> Advice<Action> {
    let mut candidates: Vec<Candidate<Action>> = listed
        .into_iter()
        .map(|(action, share)| Candidate {
            action,
            values: Vec::new(),
            certainty: Certainty::Unknown,
            visits: Some((1000.0 * share).round() as u64),
            depth: None,
            plies: None,
        })
        .collect();
    candidates.sort_by_key(|candidate| (candidate.action != action, std::cmp::Reverse(candidate.visits)));
    Advice { action, candidates, line: Vec::new(), cost, proven: false, known_by: None, why: None }
}

/// A round between two seats.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Round {
    pub(super) order: Order,
    /// The shorter stack in small blinds, rounded up.
    pub(super) stack: usize,
    /// The shorter stack in chips.
    chips: u32,
    seats: [Seat; 2],
}

impl Round {
    /// The round that is played at a table; `None` where there are not two seats in it.
    pub(super) fn of(game: &Poker, table: &State) -> Option<Round> {
        let mut seats = table.dealt_in().iter();
        let seats = [seats.next()?, seats.next().filter(|_| table.dealt_in().len() == 2)?];
        let [one, other] = seats.map(|seat| table.stack(seat) + table.staked(seat));
        let chips = one.min(other);
        let stack = chips.div_ceil(game.blind(table) / 2) as usize;
        // Where the dealer has the small blind the other seat acts first after the flop.
        let order = match game.round_start(table).deals_to()? {
            small if small == table.dealer() => Order::BigFirst,
            _ => Order::SmallFirst,
        };
        Some(Round { order, stack, chips, seats })
    }

    /// The node of the decision at the end of what was seen; `None` where this round's beginning was not.
    pub(super) fn node(&self, game: &Poker, strategy: &Strategy, table: &State, seen: &[Seen<Poker>]) -> Option<usize> {
        let mut state = game.round_start(table);
        let mut node = 0;
        for &ply in &seen[round_begins(seen, table)?..] {
            match (ply, state.deals_to()) {
                (Seen::Choice(Choice::Action(seat, action)), _) => {
                    let bet = self.bet(game, &state, seat, action)?;
                    let Next::Node(next) = strategy.tree.nodes.get(node)?.after(bet)? else { return None };
                    node = next as usize;
                    game.apply(&mut state, seat, action);
                }
                // Whatever it is: betting does not depend on it.
                (_, Some(to)) => {
                    let card = table.hole(to).minus(state.hole(to)).first()?;
                    game.apply_outcome(&mut state, card);
                }
                (Seen::Choice(Choice::Outcome(card)), None) => game.apply_outcome(&mut state, card),
                (Seen::Action(_) | Seen::Outcome, None) => return None,
            }
        }
        (node < strategy.tree.nodes.len()).then_some(node)
    }

    /// What an action is in the tree; `None` for giving up a hand that costs nothing. Chips beyond the shorter stack come back,
    /// and do not count.
    pub(super) fn bet(&self, game: &Poker, state: &State, seat: Seat, action: Action) -> Option<Bet> {
        let owes = state.to_call(seat);
        let more = match action {
            Action::Fold => return (owes > 0).then_some(Bet::Fold),
            Action::Check | Action::Call => return Some(Bet::Pass),
            Action::Bet => game.blind(state),
            Action::Raise => owes + game.blind(state),
            Action::AllIn => state.stack(seat),
        };
        let staked = |seat: Seat| state.staked(seat).min(self.chips);
        let to = (state.staked(seat) + more).min(self.chips);
        Some(if to <= staked(self.other(seat)) {
            Bet::Pass
        } else if to == self.chips {
            Bet::AllIn
        } else {
            Bet::Raise
        })
    }

    /// The legal action that an action of the tree is; the one that puts in the fewest chips, or everything for
    /// [`Bet::AllIn`].
    pub(super) fn action(&self, game: &Poker, state: &State, seat: Seat, bet: Bet) -> Option<Action> {
        let words: &[Action] = match bet {
            Bet::Fold => &[Action::Fold],
            Bet::Pass => &[Action::Check, Action::Call, Action::AllIn],
            Bet::Raise => &[Action::Bet, Action::Raise],
            Bet::AllIn => &[Action::AllIn],
        };
        let legal = |&&action: &&Action| game.is_legal(state, seat, action);
        words.iter().find(legal).copied().filter(|&action| self.bet(game, state, seat, action) == Some(bet))
    }

    fn other(&self, seat: Seat) -> Seat {
        if seat == self.seats[0] { self.seats[1] } else { self.seats[0] }
    }
}
