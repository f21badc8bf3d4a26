//! Blackjack: what positions of the game are worth.
//!
//! Handled: one seat, in any round. What splitting a pair is worth from 1 to 8 decks is known at once by the game's own rules
//! ([`best_splits_are_known`]), and so are whole rounds; by others it is worked out, as what hands of a split are worth always is, which may take too
//! long or too much memory: of a pair it is then said what all other actions are worth, and splitting at least (where that is
//! more, splitting is best).
//! Not here: several seats, who see each other's cards; whole rounds from 1 to 8 decks by other rules than the game's own; chips so
//! few that a later round, the hands of a split, or what a hand that is still dealt may ask for could not be paid for.
//! Promise: the value is best play's expectation, for who does not know the card that lies face down.
//! Checked: against the mean over what comes next, action by action and card by card.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use raichi_core::game::{Game, Payoffs, Phase};
use raichi_core::notation::Notation;
use raichi_core::seat::Seat;
use raichi_games::blackjack::{Action, Blackjack, Cards, Hand, State, value};
use raichi_solve::{Exact, Method, Solver, Statistics, Unsolved, Work};

use super::best_splits::{self, Expected, Hands, Played, best_splits_are_known};
use super::dealer::{Draws, stands};
use super::exact::{Analysis, Worth};
use super::house::{House, Splitting};
use super::shoe::{BEST, Shoe};

/// The solver for one seat.
pub fn solver(game: &Blackjack) -> Option<Arc<dyn Solver<Blackjack>>> {
    (game.facts().n_seats == 1).then(|| Arc::new(Exactly::new(game)) as Arc<dyn Solver<Blackjack>>)
}

struct Exactly {
    game: Blackjack,
    analysis: OnceLock<Arc<Analysis>>,
    /// What hands of a split were asked for last, the last first: those after an action are often the same.
    splits: Mutex<Vec<(Hands, Expected)>>,
}

/// So many answers about hands of a split are kept.
const N_SPLITS_KEPT: usize = 16;

/// No seat puts in more wagers in a round: four hands, all doubled, and insurance.
const MOST_WAGERS: u64 = 9;
const MAX_SPLITS: usize = 3;

/// The fewest chips that the seat may have after the round, if it loses all that it may still put in.
fn least_after(state: &State) -> u64 {
    let placed = |hand: &Hand| if hand.is_doubled() { hand.wager() / 2 } else { hand.wager() };
    let wager = state.hands().iter().map(placed).min().unwrap_or(0);
    let on_table: u64 = state.hands().iter().map(|hand| u64::from(hand.wager())).sum();
    let to_come = (MOST_WAGERS * u64::from(wager)).saturating_sub(on_table);
    state.chips()[0].saturating_sub(to_come)
}

/// So many rule sets are kept for later questions; one takes some megabytes and a second.
const N_KEPT: usize = 8;

/// The expectations of a game's rules, worked out once as long as they are kept: by best play of all hands where that is known at once.
pub(super) fn analysis(game: &Blackjack) -> Arc<Analysis> {
    let house = House::of(game);
    let splitting = if best_splits_are_known(&house) { Splitting::Best } else { house.splitting };
    let house = House { splitting, ..house };
    type Kept = (House, Arc<OnceLock<Arc<Analysis>>>);
    static KEPT: Mutex<Vec<Kept>> = Mutex::new(Vec::new());
    let cell = {
        let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        let found = kept.iter().position(|(known, _)| *known == house).map(|at| kept.remove(at));
        let newest = found.unwrap_or_else(|| (house, Arc::default()));
        let cell = Arc::clone(&newest.1);
        kept.insert(0, newest);
        kept.truncate(N_KEPT);
        cell
    };
    Arc::clone(cell.get_or_init(|| Arc::new(Analysis::new(house))))
}

impl Exactly {
    fn new(game: &Blackjack) -> Exactly {
        Exactly { game: game.clone(), analysis: OnceLock::new(), splits: Mutex::default() }
    }

    fn analysis(&self) -> &Analysis {
        self.analysis.get_or_init(|| analysis(&self.game))
    }

    /// Whether all is known of a pair, whichever it is.
    fn knows_pairs(&self) -> bool {
        self.puts_back() || self.analysis().house().splitting == Splitting::Best
    }

    fn puts_back(&self) -> bool {
        self.game.decks() == 0
    }

    /// What a position is worth that is expected to win so many chips more.
    fn exact(&self, position: &State, expected: f64) -> Exact {
        let value = self.game.payoffs(position)[0] + expected;
        Exact { values: Payoffs::new([value]), plies: None, score: Some(value) }
    }

    /// What the rest of this round and all later ones are expected to win, in chips.
    fn expect(&self, state: &State, work: &Work<'_>) -> Result<f64, Unsolved> {
        let mut actions = Vec::new();
        if self.game.phase(state) == Phase::seat(0) {
            self.game.legal_actions(state, 0, &mut actions);
        }
        self.expect_by(state, &actions, work)
    }

    /// The same with one of these actions as the next, the best of them.
    fn expect_by(&self, state: &State, actions: &[Action], work: &Work<'_>) -> Result<f64, Unsolved> {
        let bet = |action: &Action| matches!(action, Action::Bet(_));
        let n_later = self.game.rounds() - state.round();
        if actions.first().is_some_and(bet) {
            return self.rounds(state.chips()[0], n_later + 1);
        }
        let later = if n_later == 0 { 0.0 } else { self.rounds(least_after(state), n_later)? };
        Ok(self.round(state, actions, work)? + later)
    }

    /// What so many whole rounds are expected to win, begun with so many chips at least.
    fn rounds(&self, chips: u64, n: u32) -> Result<f64, Unsolved> {
        if !self.knows_pairs() {
            return Err(unknown("of 1 to 8 decks, rounds to come are known by the game's own rules only"));
        }
        let worth = self.analysis().round;
        let bets = self.game.bets();
        let wager = if worth < 0.0 { bets.first() } else { bets.last() };
        let wager = wager.copied().unwrap_or_default();
        let needed = MOST_WAGERS * u64::from(wager) * u64::from(n);
        if chips < needed {
            let why = format!(
                "{n} rounds to come are known from {needed} chips on, {MOST_WAGERS} wagers for each, and only {chips} are sure \
                 here; give fewer `rounds` or more `chips`"
            );
            return Err(Unsolved::Unknown(why));
        }
        Ok(f64::from(n) * f64::from(wager) * worth)
    }

    /// What the rest of this round is expected to win, wagers that are placed counted as lost or won.
    fn round(&self, state: &State, actions: &[Action], work: &Work<'_>) -> Result<f64, Unsolved> {
        let up = state.dealer().as_slice().first().map(|&card| usize::from(value(card)) - 1);
        let [hand, ..] = state.hands() else { return Err(unknown("a round is known from its first wager on")) };
        if actions.contains(&Action::Insurance) || state.hands().len() == 1 && is_dealing(state) {
            self.pays(state, hand, 0)?;
            return self.dealt(hand, up);
        }
        let up = up.ok_or_else(|| unknown("a round is known once the dealer has a card"))?;
        if state.hand_in_play().is_none() && state.hand_to_draw().is_none() {
            return Ok(self.dealer(state) + self.insurance(state));
        }
        let hands = if state.hands().len() == 1 && !hand.is_of_split() {
            self.only_hand(state, hand, up, actions, work)?
        } else {
            self.hands_of_split(state, up, actions, work)?
        };
        Ok(hands + self.insurance(state))
    }

    /// What insurance that was taken is expected to win. Where the dealer has looked, it is lost; so it is when the dealer
    /// draws, since it does not draw to a natural.
    fn insurance(&self, state: &State) -> f64 {
        let may_have_natural = !self.game.house().peeks && state.dealer().len() == 1;
        let natural = if may_have_natural { ten_lies_face_down(state) } else { 0.0 };
        f64::from(self.game.insurance(state, 0)) * (3.0 * natural - 1.0)
    }

    /// What the rest of this round and all later ones are expected to win with insurance that is taken before the dealer looks,
    /// against an ace.
    fn insured(&self, state: &State, work: &Work<'_>) -> Result<f64, Unsolved> {
        let hand = state.hands().first().ok_or_else(|| unknown("there is no hand to insure"))?;
        let cost = self.game.house().insurance_cost(hand.wager()).unwrap_or(0);
        self.pays(state, hand, cost.into())?;
        Ok(self.expect(state, work)? + f64::from(cost) * (3.0 * ten_lies_face_down(state) - 1.0))
    }

    /// Whether the seat, once so many chips more are spent, can double and split the hand that is still dealt as it will: what
    /// such a hand is worth is worked out for who can.
    fn pays(&self, state: &State, hand: &Hand, spent: u64) -> Result<(), Unsolved> {
        let n_wagers = if may_be_pair(hand) { MOST_WAGERS - 1 } else { 1 };
        if state.chips()[0] < spent + n_wagers * u64::from(hand.wager()) {
            let more = if n_wagers == 1 { "one more wager".into() } else { format!("{n_wagers} more wagers") };
            return Err(unknown(&format!("a hand that is still dealt is known with at least {more} of chips")));
        }
        Ok(())
    }

    /// Cards are still dealt, or the dealer has not looked yet.
    fn dealt(&self, hand: &Hand, up: Option<usize>) -> Result<f64, Unsolved> {
        let cards: Vec<usize> = hand.cards().as_slice().iter().map(|&card| usize::from(value(card)) - 1).collect();
        if !self.knows_pairs() && (may_be_pair(hand) || up.is_none()) {
            return Err(unknown("of 1 to 8 decks, hands that may be split are known by the game's own rules only"));
        }
        // Insurance is no better than none: of the cards that one seat has not seen, less than a third are tens.
        let (one, other) = (cards.first().copied(), cards.get(1).copied());
        let known = [one, other, up].into_iter().flatten();
        let shoe = known.fold(Shoe::full(self.game.decks()), |shoe, value| shoe.without(value, 1));
        let any = |known: Option<usize>| (0..10).filter(move |&value| known.is_none_or(|known| known == value));
        // How likely a card has this value, and what is left then.
        let next = |shoe: Shoe, known: Option<usize>, value: usize| match known {
            Some(_) => (1.0, shoe),
            None => (shoe.chance(value), shoe.without(value, 1)),
        };
        let mut sum = 0.0;
        for first in any(one) {
            let (of_first, shoe) = next(shoe, one, first);
            for second in any(other) {
                let (of_second, shoe) = next(shoe, other, second);
                for card in any(up) {
                    let (of_up, _) = next(shoe, up, card);
                    sum += of_first * of_second * of_up * self.analysis().dealt(first, second, card);
                }
            }
        }
        Ok(sum * f64::from(hand.wager()))
    }

    /// One hand, which is played or gets a card.
    fn only_hand(
        &self,
        state: &State,
        hand: &Hand,
        up: usize,
        actions: &[Action],
        work: &Work<'_>,
    ) -> Result<f64, Unsolved> {
        let wager = f64::from(hand.wager());
        let worth = self.analysis().worth(&counted(hand.cards()), up).ok_or_else(|| unknown("the hand is lost"))?;
        if state.hand_to_draw().is_some() {
            return Ok(if hand.is_doubled() { wager / 2.0 * worth.double } else { wager * worth.hit });
        }
        let mut best = f64::NEG_INFINITY;
        for &action in actions {
            best = best.max(match action {
                Action::Split => match self.split(state, hand, up, 0, MAX_SPLITS, work) {
                    Err(why) if !self.puts_back() => {
                        return Err(self.pair_of_decks(state, hand, up, actions, &worth, &why));
                    }
                    worth => worth?,
                },
                _ => without_split(action, &worth).unwrap_or(f64::NEG_INFINITY),
            });
        }
        Ok(wager * best)
    }

    /// What is known of a pair of 1 to 8 decks, in the last round, of which it was not found out what splitting is worth: what
    /// the other actions are worth, and splitting at least.
    fn pair_of_decks(
        &self,
        state: &State,
        hand: &Hand,
        up: usize,
        actions: &[Action],
        worth: &Worth,
        why: &Unsolved,
    ) -> Unsolved {
        let wager = f64::from(hand.wager());
        let in_chips = |worth: f64| self.exact(state, wager * worth + self.insurance(state)).values[0];
        let known: Vec<(Action, f64)> =
            actions.iter().filter_map(|&action| Some((action, without_split(action, worth)?))).collect();
        let told = known.iter().map(|&(action, worth)| {
            format!("{} is worth {:.6}", self.game.action_text(state, 0, action), in_chips(worth))
        });
        let told: Vec<String> = told.collect();
        let unknown = format!("what splitting is worth under best play is not known ({why})");
        // One strategy for all hands asks for chips to split and double as it will.
        let pays = state.chips()[0] >= (MOST_WAGERS - 1) * u64::from(hand.wager());
        let pair = hand.cards().as_slice().first().map_or(0, |&card| usize::from(value(card)) - 1);
        let least = Analysis::split_at_least(House::of(&self.game), pair, up).filter(|_| pays);
        let split = least.map_or(String::new(), |least| {
            let is_best = known.iter().all(|&(_, worth)| worth <= least);
            let verdict = if is_best { ", so it is best" } else { "" };
            format!("; splitting is worth {:.6} or more{verdict}", in_chips(least))
        });
        Unsolved::Unknown(format!("{unknown}: {}{split}", told.join(", ")))
    }

    /// Splitting this hand, with so many others that wait for a card and so many splits left, in wagers.
    fn split(
        &self,
        state: &State,
        hand: &Hand,
        up: usize,
        waiting: usize,
        left: usize,
        work: &Work<'_>,
    ) -> Result<f64, Unsolved> {
        if state.chips()[0] < (MOST_WAGERS - 1) * u64::from(hand.wager()) {
            return Err(unknown("hands that may be split are known with at least 8 more wagers of chips"));
        }
        self.waiting(state, hand, up, waiting + 2, left - 1, work)
    }

    /// Hands of a split that wait for their second card, in wagers; one of them is given.
    fn waiting(
        &self,
        state: &State,
        hand: &Hand,
        up: usize,
        n_hands: usize,
        n_splits: usize,
        work: &Work<'_>,
    ) -> Result<f64, Unsolved> {
        let pair = hand.cards().as_slice().first().map_or(0, |&card| usize::from(value(card)) - 1);
        if self.puts_back() {
            let worth = self.analysis().halves(pair, up, n_hands, n_splits);
            return worth.ok_or_else(|| unknown("hands of a split are not known"));
        }
        let n_seen: usize = state.hands().iter().map(|hand| hand.cards().len()).sum();
        if self.knows_pairs() && n_seen == 2 {
            // The first pair was just split, or is to be.
            let mut cards = [0; 10];
            cards[pair] = 2;
            let split = self.analysis().worth(&cards, up).and_then(|worth| worth.split);
            return split.ok_or_else(|| unknown("the pair may not be split"));
        }
        Ok(self.of_decks(state, hand, up, None, n_hands, n_splits, work)?.stand)
    }

    /// Hands of a split from 1 to 8 decks, one that is played and so many that wait, in wagers; `hand` is any of them.
    #[expect(clippy::too_many_arguments, reason = "what hands of a split are worth depends on all this")]
    fn of_decks(
        &self,
        state: &State,
        hand: &Hand,
        up: usize,
        played: Option<Played>,
        n_waiting: usize,
        n_splits: usize,
        work: &Work<'_>,
    ) -> Result<Expected, Unsolved> {
        let card = hand.cards().as_slice().first().copied().ok_or_else(|| unknown("a hand has no card"))?;
        let pair = usize::from(value(card)) - 1;
        let unseen = state.unseen().map(|n| n as u8);
        // Of tens, only those of one rank make a pair.
        let seen = state.hands().iter().flat_map(|hand| hand.cards().as_slice()).chain(state.dealer().as_slice());
        let n_seen = seen.filter(|other| other.rank() == card.rank()).count() as u8;
        let hands = Hands {
            pair,
            up,
            unseen,
            n_same: (4 * self.game.decks()).saturating_sub(n_seen),
            played,
            n_waiting,
            n_splits: if n_waiting == 0 { 0 } else { n_splits },
        };
        let kept = || self.splits.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = kept().iter().find(|(known, _)| *known == hands) {
            return Ok(known.1);
        }
        let expected = best_splits::expected(&House::of(&self.game), &hands, work)?;
        let mut kept = kept();
        kept.insert(0, (hands, expected));
        kept.truncate(N_SPLITS_KEPT);
        Ok(expected)
    }

    /// Hands of a split, of which one is played or gets a card. With every card put back what they win does not depend on
    /// each other but for the splits that are left.
    fn hands_of_split(&self, state: &State, up: usize, actions: &[Action], work: &Work<'_>) -> Result<f64, Unsolved> {
        let current = state.hand_in_play().or(state.hand_to_draw()).ok_or_else(|| unknown("no hand is played"))?;
        let at = state.hands().iter().position(|hand| std::ptr::eq(hand, current)).unwrap_or_default();
        let waiting = state.hands().len() - at - 1;
        let left = (MAX_SPLITS + 1).saturating_sub(state.hands().len());
        // A hand that was doubled has twice the wager, perhaps each of them.
        let wager = f64::from(current.wager()) / if current.is_doubled() { 2.0 } else { 1.0 };
        if state.chips()[0] < (MOST_WAGERS - 1) * u64::from(current.wager()) {
            return Err(unknown("hands of a split are known with at least 8 more wagers of chips"));
        }
        let finished: f64 = state.hands()[..at].iter().map(|hand| self.stands(state, hand, up)).sum();
        if current.cards().len() == 1 {
            return Ok(finished + wager * self.waiting(state, current, up, waiting + 1, left, work)?);
        }
        let Expected { stand, hit, double } = if self.puts_back() {
            let worth =
                self.analysis().worth(&counted(current.cards()), up).ok_or_else(|| unknown("the hand is lost"))?;
            let rest = if waiting > 0 { self.waiting(state, current, up, waiting, left, work)? } else { 0.0 };
            Expected { stand: worth.stand + rest, hit: worth.hit + rest, double: worth.double + rest }
        } else {
            let cards = current.cards();
            let played = Played { hard: cards.hard_count().into(), has_ace: cards.has_ace() };
            self.of_decks(state, current, up, Some(played), waiting, left, work)?
        };
        if state.hand_to_draw().is_some() {
            return Ok(finished + wager * if current.is_doubled() { double } else { hit });
        }
        let mut best = f64::NEG_INFINITY;
        for action in actions {
            best = best.max(match action {
                Action::Stand => stand,
                Action::Hit => hit,
                Action::Double => double,
                Action::Split => self.split(state, current, up, waiting, left, work)?,
                _ => f64::NEG_INFINITY,
            });
        }
        Ok(finished + wager * best)
    }

    /// What a hand that stands is expected to win, in chips, while the dealer's card lies face down.
    fn stands(&self, state: &State, hand: &Hand, up: usize) -> f64 {
        let count = usize::from(hand.cards().count());
        let worth = if count > BEST {
            -1.0
        } else if self.puts_back() {
            self.analysis().stands_on(count, up)
        } else {
            let house = self.game.house();
            let ends = Draws::from_up(up, house.hits_soft_17).ends(&self.shoe(state));
            let no_natural: f64 = ends.iter().sum();
            if house.peeks { stands(&ends, count) / no_natural } else { stands(&ends, count) - (1.0 - no_natural) }
        };
        f64::from(hand.wager()) * worth
    }

    /// The cards that nobody has seen.
    fn shoe(&self, state: &State) -> Shoe {
        let left = state.unseen().map(f64::from);
        Shoe { left, total: left.iter().sum(), taken: if self.puts_back() { 0.0 } else { 1.0 } }
    }

    /// The dealer draws.
    fn dealer(&self, state: &State) -> f64 {
        let dealer = state.dealer();
        let draws = Draws::from(dealer.hard_count().into(), dealer.has_ace(), self.game.house().hits_soft_17, None);
        let ends = draws.ends(&self.shoe(state));
        let won = |hand: &Hand| {
            let count = usize::from(hand.cards().count());
            f64::from(hand.wager()) * if count > BEST { -1.0 } else { stands(&ends, count) }
        };
        state.hands().iter().map(won).sum()
    }
}

/// What an action with one hand is worth, in wagers; `None` for splitting, and where no hand is played.
fn without_split(action: Action, worth: &Worth) -> Option<f64> {
    match action {
        Action::Stand => Some(worth.stand),
        Action::Hit => Some(worth.hit),
        Action::Double => Some(worth.double),
        Action::Surrender => Some(worth.surrender),
        Action::Split | Action::Bet(_) | Action::Insurance | Action::NoInsurance => None,
    }
}

/// How likely a ten lies face down, for who sees the other cards.
fn ten_lies_face_down(state: &State) -> f64 {
    let unseen = state.unseen().map(f64::from);
    unseen[9] / unseen.iter().sum::<f64>()
}

/// Whether the first two cards are of one rank, as far as they are dealt.
fn may_be_pair(hand: &Hand) -> bool {
    !matches!(hand.cards().as_slice(), [one, other] if one.rank() != other.rank())
}

/// Whether the first cards are still dealt: no hand is played, none drawn to, and the dealer has at most one card.
fn is_dealing(state: &State) -> bool {
    state.hand_in_play().is_none() && state.hand_to_draw().is_none() && state.dealer().len() < 2
}

fn counted(cards: &Cards) -> [u8; 10] {
    let mut counted = [0; 10];
    cards.as_slice().iter().for_each(|&card| counted[usize::from(value(card)) - 1] += 1);
    counted
}

fn unknown(why: &str) -> Unsolved {
    Unsolved::Unknown(why.into())
}

impl Solver<Blackjack> for Exactly {
    fn get_ready(&self, _work: &Work<'_>) {
        self.analysis();
    }

    fn method(&self) -> Method {
        Method::Table
    }

    fn method_of(&self, position: &State) -> Method {
        let is_split = position.hands().len() > 1;
        if is_split && !self.puts_back() { Method::Search } else { Method::Table }
    }

    fn solve(&self, position: &State, work: &Work<'_>) -> Result<Exact, Unsolved> {
        let expected = if self.game.phase(position) == Phase::Over { 0.0 } else { self.expect(position, work)? };
        Ok(self.exact(position, expected))
    }

    /// Standing turns the card that lies face down, as surrender may, and an answer about insurance lets the dealer look at it.
    fn solve_action(
        &self,
        position: &State,
        _seat: Seat,
        action: Action,
        work: &Work<'_>,
    ) -> Option<Result<Exact, Unsolved>> {
        let expected = match action {
            Action::Stand | Action::Surrender => self.expect_by(position, &[action], work),
            Action::NoInsurance => self.expect(position, work),
            Action::Insurance => self.insured(position, work),
            _ => return None,
        };
        Some(expected.map(|expected| self.exact(position, expected)))
    }

    fn statistics(&self) -> Statistics {
        Statistics::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unlimited::unlimited;
    use raichi_core::Match;
    use raichi_core::erased::create;
    use raichi_core::information::Information;
    use raichi_core::random::stream;
    use raichi_core::seat::Viewer;
    use raichi_games::cards::Card;

    fn game(params: &str) -> Blackjack {
        create::<Blackjack>(Some(params)).unwrap().game().clone()
    }

    fn solve(game: &Blackjack, state: &State) -> Result<f64, Unsolved> {
        let memory = LITTLE;
        unlimited(|work| solver(game).unwrap().solve(state, &Work { memory, ..*work })).map(|exact| exact.values[0])
    }

    /// Enough for the last hand of a split.
    const LITTLE: usize = 4 << 20;

    /// The mean over what the seat expects to come next; `None` where the card that lies face down is turned over then,
    /// which one state says of all that fit.
    fn mean(game: &Blackjack, state: &State, known: &dyn Fn(&State) -> Result<f64, Unsolved>) -> Option<f64> {
        let mut outcomes = Vec::new();
        game.expected_outcomes(state, Viewer::Seat(0), &mut outcomes);
        let total: f64 = outcomes.iter().map(|&(_, weight)| weight as f64).sum();
        let mut mean = 0.0;
        for (card, weight) in outcomes {
            let mut next = state.clone();
            // The seat does not know that the card may lie face down; another suit is worth as much.
            let same = |other: &Card| other.rank() == card.rank() && state.shoe().copies(*other) > 0;
            let dealt = if state.shoe().copies(card) > 0 { card } else { Card::all().find(same).unwrap() };
            game.apply_outcome(&mut next, dealt);
            let lies_open = state.dealer().len() > 1;
            let still_lies = next.hands().len() == state.hands().len() && next.dealer().len() == state.dealer().len();
            if !lies_open && !still_lies {
                return None;
            }
            mean += weight as f64 / total * known(&next).unwrap();
        }
        Some(mean)
    }

    /// Plays on at random; where the value is known, it is the mean over the next card, and that after the best action. How often
    /// each was so.
    fn play_on(
        solver: &dyn Solver<Blackjack>,
        game: &Blackjack,
        state: &mut State,
        seed: u64,
        memory: usize,
    ) -> [usize; 2] {
        let known = |state: &State| {
            let solved = unlimited(|work| solver.solve(state, &Work { memory, ..*work }));
            solved.map(|exact| exact.values[0])
        };
        let ([mut n_chance, mut n_actions], mut rng) = ([0; 2], stream(seed, "test", 0));
        while game.phase(state) != Phase::Over {
            let here = known(state);
            let text = game.position_text(state, Viewer::Referee);
            if game.phase(state) == Phase::Chance {
                let deals_face_down = is_dealing(state) && state.hands()[0].cards().len() == 2;
                let here = here.ok().filter(|_| !deals_face_down);
                if let Some((here, mean)) = here.and_then(|here| Some((here, mean(game, state, &known)?))) {
                    assert!((here - mean).abs() < 1e-9, "{here} {mean} {text}");
                    n_chance += 1;
                }
                let card = game.sample_outcome(state, &mut rng);
                game.apply_outcome(state, card);
                continue;
            }
            let mut actions = Vec::new();
            game.legal_actions(state, 0, &mut actions);
            let after = |&action: &Action| {
                let by_itself = unlimited(|work| solver.solve_action(state, 0, action, &Work { memory, ..*work }));
                by_itself.map_or_else(
                    || {
                        let mut next = state.clone();
                        game.apply(&mut next, 0, action);
                        known(&next)
                    },
                    |exact| exact.map(|exact| exact.values[0]),
                )
            };
            if let (Ok(here), Ok(after)) = (here, actions.iter().map(after).collect::<Result<Vec<_>, _>>()) {
                let best = after.into_iter().fold(f64::NEG_INFINITY, f64::max);
                assert!((here - best).abs() < 1e-9, "{here} {best} {text}");
                n_actions += 1;
            }
            let action = game.random_action(state, 0, &mut Vec::new(), &mut rng);
            game.apply(state, 0, action);
        }
        assert_eq!(known(state), Ok(game.payoffs(state)[0]));
        [n_chance, n_actions]
    }

    const HOUSE: &str = "soft17=hit,insurance=half,natural=6:5,peek=false,double-after-split=false,surrender=false";

    #[test]
    fn values_are_those_of_what_comes_next() {
        let (mut n_chance, mut n_actions) = (0, 0);
        for (params, house) in [
            ("decks=0,rounds=1,chips=1000", ""),
            ("decks=0,rounds=3,chips=1000", ""),
            ("decks=1,rounds=1,chips=1000", ""),
            ("decks=1,rounds=3,chips=1000", ""),
            ("decks=2,rounds=1,chips=1000", ""),
            ("decks=0,rounds=1,chips=1000", HOUSE),
            ("decks=2,rounds=1,chips=1000", HOUSE),
        ] {
            let game = game(&format!("{params}{}{house}", if house.is_empty() { "" } else { "," }));
            let solver = solver(&game).unwrap();
            for seed in 0..40 {
                let n = play_on(&*solver, &game, &mut game.initial_state(), seed, LITTLE);
                (n_chance, n_actions) = (n_chance + n[0], n_actions + n[1]);
            }
        }
        assert!(n_chance > 200 && n_actions > 200, "{n_chance} {n_actions}");
    }

    /// Plays on from there as above, with all the memory that it needs.
    fn splits_are_those_of_what_comes_next(params: &str, history: &str, n_games: u64) {
        let rules = format!("rounds=1,chips=1000,{params}");
        let mut current = Match::new(create::<Blackjack>(Some(&rules)).unwrap());
        current.play_history(history).unwrap();
        let game = game(&rules);
        let solver = solver(&game).unwrap();
        let mut n = [0; 2];
        for seed in 0..n_games {
            let of_game = play_on(&*solver, &game, &mut current.state().position().clone(), seed, 1 << 30);
            n = [n[0] + of_game[0], n[1] + of_game[1]];
        }
        assert!(n[0] >= n_games as usize && n[1] > 0, "{params} {history}: {n:?}");
    }

    /// A pair of tens that was split three times; the first hand stood.
    #[test]
    fn values_of_the_last_hands_of_a_split_are_those_of_what_comes_next() {
        let tens = "bet-10 ~Ts ~6c ~Th ~5d split ~Td split ~Tc split ~3c stand";
        for params in ["decks=1", "decks=2,peek=false,soft17=hit,double-after-split=false"] {
            splits_are_those_of_what_comes_next(params, tens, 3);
        }
    }

    /// Pairs of one deck that are to be split, by the game's own rules and by others.
    #[test]
    #[ignore = "nightly: some minutes where debug assertions are on"]
    fn nightly_values_of_hands_of_a_split_are_those_of_what_comes_next() {
        let others = "decks=1,peek=false,soft17=hit,double-after-split=false";
        splits_are_those_of_what_comes_next("decks=1", "bet-10 ~Ts ~6c ~Th ~5d split", 3);
        splits_are_those_of_what_comes_next("decks=1", "bet-10 ~9s ~Ac ~9h ~5d no-insurance split", 2);
        splits_are_those_of_what_comes_next(others, "bet-10 ~Ks ~Tc ~Kh ~5d split", 3);
    }

    /// What a position is worth whose seat has nothing to choose any more, over all cards that may lie face down and all that
    /// the dealer draws, by the game's own rules.
    fn settled(game: &Blackjack, state: &State) -> f64 {
        if game.phase(state) == Phase::Over {
            return game.payoffs(state)[0];
        }
        let mut outcomes = Vec::new();
        game.outcomes(state, &mut outcomes);
        // Suits do not matter: a card of each value stands for all.
        let mut by_value = [(None, 0); 11];
        for (card, weight) in outcomes {
            let (first, sum) = &mut by_value[usize::from(value(card))];
            (*first, *sum) = (first.or(Some(card)), *sum + weight);
        }
        let total: u64 = by_value.iter().map(|&(_, weight)| weight).sum();
        let mean = |&(card, weight): &(Option<_>, u64)| {
            let mut next = state.clone();
            game.apply_outcome(&mut next, card?);
            Some(weight as f64 / total as f64 * settled(game, &next))
        };
        by_value.iter().filter_map(mean).sum()
    }

    /// The same before an action, over the cards that may lie face down.
    fn over_face_down(game: &Blackjack, open: &str, act: impl Fn(&mut State)) -> f64 {
        let (mut sum, mut n) = (0.0, 0.0);
        let unseen = game.parse_position(&format!("{open} face-down=?? seen-by=0")).unwrap().state.unseen();
        let ranks = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T"];
        for (rank, n_unseen) in ranks.into_iter().zip(unseen) {
            // A suit that does not lie open, so that one deck has it.
            let Ok(read) = game.parse_position(&format!("{open} face-down={rank}s")) else { continue };
            let mut state = read.state;
            act(&mut state);
            sum += f64::from(n_unseen) * settled(game, &state);
            n += f64::from(n_unseen);
        }
        sum / n
    }

    #[test]
    fn worths_are_those_of_all_cards_by_the_rules_themselves() {
        for params in [
            "decks=0",
            "decks=1,soft17=hit,insurance=half",
            "decks=1,peek=false",
            "decks=0,peek=false,soft17=hit,insurance=half,natural=6:5",
        ] {
            let game = game(&format!("rounds=1,{params}"));
            let exactly = Exactly::new(&game);
            for (up, hand, chips) in [
                ("Ah", "Td7d", if params.contains("half") { "185 insured=0" } else { "180 insured=0" }),
                ("Ah", "Td6d", "190"),
                ("Td", "5d6h", "190"),
                ("6h", "Td9d", "190"),
            ] {
                let (chips, insured) = chips.split_once(' ').unwrap_or((chips, ""));
                let open = format!("{up} 0 round=1 chips={chips} hands={hand}:10 {insured}").trim_end().to_string();
                let state = game.parse_position(&format!("{open} face-down=?? seen-by=0")).unwrap().state;
                let up = usize::from(value(state.dealer().as_slice()[0])) - 1;
                let worth = exactly.analysis().worth(&counted(state.hands()[0].cards()), up).unwrap();
                for (action, worth) in
                    [(Action::Stand, worth.stand), (Action::Double, worth.double), (Action::Surrender, worth.surrender)]
                {
                    let expected = over_face_down(&game, &open, |state| game.apply(state, 0, action));
                    let found = 10.0 * worth + exactly.insurance(&state);
                    assert!((found - expected).abs() < 1e-9, "{params} {open} {action:?}: {found} {expected}");
                    if let Some(exact) = unlimited(|work| exactly.solve_action(&state, 0, action, work)) {
                        let paid = exact.unwrap().values[0];
                        assert!((paid - expected).abs() < 1e-9, "{params} {open} {action:?}: {paid} {expected}");
                    }
                }
            }
        }
    }

    /// What two cards are worth is the mean over the card that is dealt face down: a natural of the dealer is paid, or played
    /// against, as the house has it.
    #[test]
    fn dealing_the_card_face_down_changes_no_value() {
        for house in ["natural=6:5", "natural=6:5,peek=false"] {
            let game = game(&format!("rounds=1,decks=2,{house}"));
            for cards in ["Th Td 6c", "Ah Td Kc", "5h 9d 6c"] {
                let history: Vec<String> = cards.split(' ').map(|card| format!("~{card}")).collect();
                let text = format!("bet-10 {}", history.join(" "));
                let rules = create::<Blackjack>(Some(&format!("rounds=1,decks=2,{house}"))).unwrap();
                let mut current = Match::new(rules);
                current.play_history(&text).unwrap();
                let here = solve(&game, current.state()).unwrap();
                let mut outcomes = Vec::new();
                game.outcomes(current.state(), &mut outcomes);
                let total: f64 = outcomes.iter().map(|&(_, weight)| weight as f64).sum();
                let after = |&(card, weight): &(_, u64)| {
                    let mut next = current.state().position().clone();
                    game.apply_outcome(&mut next, card);
                    let waits = game.phase(&next) == Phase::Chance;
                    let worth = if waits { settled(&game, &next) } else { solve(&game, &next).unwrap() };
                    weight as f64 / total * worth
                };
                let mean: f64 = outcomes.iter().map(after).sum();
                assert!((here - mean).abs() < 1e-9, "{house} {cards}: {here} {mean}");
            }
        }
    }

    #[test]
    fn insurance_is_worth_less_than_none_for_who_sees_three_cards() {
        for decks in 1..=8 {
            let (tens, cards) = (16 * decks, 52 * decks - 3);
            assert!(3 * tens < cards, "{decks}");
        }
    }

    /// All but splitting is known of a pair: the other actions are worth what follows them, splitting at least so much.
    #[test]
    fn of_a_pair_all_but_splitting_is_said() {
        let others = "decks=2,rounds=1,soft17=hit";
        let rules = create::<Blackjack>(Some(others)).unwrap();
        let game = rules.game().clone();
        let mut current = Match::new(rules);
        current.play_history("bet-10 ~8s ~Tc ~8h ~5d").unwrap();
        let state = current.state().position();
        let said = solve(&game, state).unwrap_err().to_string();
        for action in [Action::Stand, Action::Hit, Action::Double, Action::Surrender] {
            let by_itself = unlimited(|work| solver(&game).unwrap().solve_action(state, 0, action, work));
            let value = match by_itself {
                Some(exact) => exact.unwrap().values[0],
                None => {
                    let mut next = state.clone();
                    game.apply(&mut next, 0, action);
                    solve(&game, &next).unwrap()
                }
            };
            let expected = format!("{} is worth {value:.6}", game.action_text(state, 0, action));
            assert!(said.contains(&expected), "{expected}: {said}");
        }
        assert!(said.contains("splitting is worth -4.") && said.ends_with("or more, so it is best"), "{said}");
        // Tens against a six are not split; what it brings is said all the same.
        let mut tens = Match::new(create::<Blackjack>(Some(others)).unwrap());
        tens.play_history("bet-10 ~Ts ~6c ~Th ~5d").unwrap();
        let said = solve(&game, tens.state().position()).unwrap_err().to_string();
        assert!(said.ends_with("or more"), "{said}");
        // Who cannot pay for all hands that may come of it is not told.
        let rules = create::<Blackjack>(Some(&format!("{others},chips=40"))).unwrap();
        let poor = rules.game().clone();
        let mut current = Match::new(rules);
        current.play_history("bet-10 ~8s ~Tc ~8h ~5d").unwrap();
        let said = solve(&poor, current.state().position()).unwrap_err().to_string();
        assert!(said.contains("stand is worth") && !said.contains("or more"), "{said}");
    }

    /// Who cannot double or split is not told what the hand is worth to one who can; once it is played, what can be done is known.
    #[test]
    fn with_few_chips_a_hand_is_known_when_it_is_played() {
        let known = |params: &str, history: &str| {
            let mut current = Match::new(create::<Blackjack>(Some(&format!("rounds=1,{params}"))).unwrap());
            current.play_history(history).unwrap();
            let game = game(&format!("rounds=1,{params}"));
            solve(&game, current.state().position())
        };
        for params in ["decks=0,chips=10", "decks=0,chips=89", "decks=6,chips=10"] {
            for history in ["", "bet-10", "bet-10 ~6d ~6s"] {
                let value = known(params, history);
                assert!(matches!(value, Err(Unsolved::Unknown(_))), "{params} {history}: {value:?}");
            }
        }
        assert!(known("decks=0,chips=90", "").is_ok() && known("decks=0,chips=90", "bet-10").is_ok());
        // One more wager is enough for cards that are no pair.
        let [poor, rich] = ["decks=0,chips=19", "decks=0,chips=20"].map(|params| known(params, "bet-10 ~6d ~6s ~5c"));
        assert!(poor.unwrap_err().to_string().ends_with("at least one more wager of chips"));
        assert!((rich.unwrap() - 6.673_800_949_076).abs() < 1e-9);
        let no_double = known("decks=0,chips=10", "bet-10 ~6d ~6s ~5c ~2s").unwrap();
        assert!((no_double - 3.336_900_474_538).abs() < 1e-9, "{no_double}");
        // What insurance costs is gone when it comes to doubling.
        let game = game("rounds=1,decks=6,chips=20,soft17=hit");
        let mut current = Match::new(create::<Blackjack>(Some("rounds=1,decks=6,chips=20,soft17=hit")).unwrap());
        current.play_history("bet-10 ~6d ~As ~5c ~2s").unwrap();
        let state = current.state().position();
        let worth = |action| unlimited(|work| solver(&game).unwrap().solve_action(state, 0, action, work)).unwrap();
        assert!(worth(Action::NoInsurance).is_ok() && worth(Action::Insurance).is_err());
    }

    #[test]
    fn what_is_not_known_is_said() {
        let game = game("decks=6,rounds=1,soft17=hit");
        let why = solve(&game, &game.initial_state()).unwrap_err().to_string();
        assert!(why.contains("1 to 8 decks"), "{why}");
        assert!(solver(&self::game("players=2")).is_none());
        let few = self::game("decks=0,rounds=15");
        assert!(solve(&few, &few.initial_state()).unwrap_err().to_string().contains("chips"));
        let one = self::game("decks=0,rounds=1");
        let value = solve(&one, &one.initial_state()).unwrap();
        assert!((-0.2..0.0).contains(&value), "{value}");
    }
}
