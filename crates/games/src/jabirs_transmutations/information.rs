//! Who sees what, and determinizations.
//!
//! Nearly all secrets are in the draft. While hands are dealt and go round, a seat knows
//!
//! - its own picks, and what was in every hand that it has held, each time that it held it;
//! - so, of a hand that came back to it, which two cards the others took, though not who took which;
//! - how many cards of each kind the deck and the hands together have: all else lies face up;
//! - when the discards were shuffled in during the deal: which cards had come before, all hands taken together, and
//!   which of its own were among them.
//!
//! Where turns are taken together, what a seat has chosen in a step is secret until all have chosen; then everybody sees
//! it, in the aftermath. For all that the others know it may be any action that is legal for it.
//!
//! A determinization treats cards of a kind as different things and every deal of them, and every pick by the others,
//! as equally likely; it is drawn at once, without rejection.

use std::array::from_fn;

use raichi_core::game::{Choice, Game};
use raichi_core::information::Information;
use raichi_core::random::{self, Rng};
use raichi_core::seat::{Seat, Viewer};

use super::board::Card;
use super::rules::{
    Action, Cards, Draft, HAND, JabirsTransmutations, N_SEATS, Outcome, Stage, State, holder, random_kind,
};

impl Information for JabirsTransmutations {
    // The choice that completes a step is hidden from nobody, and neither are those of the only seat left.
    fn sees_action(&self, state: &State, seat: Seat, _action: Action, viewer: Viewer) -> bool {
        let is_secret = match state.stage {
            Stage::Draft(_) => true,
            Stage::Together => state.choosing().len() > 1,
            _ => false,
        };
        !is_secret || viewer.is(seat)
    }

    fn sees_outcome(&self, state: &State, _outcome: Outcome, viewer: Viewer) -> bool {
        if let Stage::Deal(n_dealt) = state.stage { viewer.is(state.dealt_to(n_dealt)) } else { true }
    }

    fn determinize<R: Rng + ?Sized>(&self, state: &State, seat: Seat, rng: &mut R) -> State {
        match state.stage {
            Stage::Deal(_) => redrawn(state, 0, seat, rng),
            Stage::Draft(turn) => redrawn(state, turn, seat, rng),
            Stage::Together => self.chosen_anew(state, seat, rng),
            _ => *state,
        }
    }

    fn expected_outcomes(&self, state: &State, viewer: Viewer, outcomes: &mut Vec<(Outcome, u64)>) {
        match state.stage {
            Stage::Deal(_) => {
                let unseen = in_deck_or_unseen(state, viewer).map(u64::from);
                let kinds = Card::ALL.iter().map(|&card| Outcome::Card(card)).zip(unseen);
                outcomes.extend(kinds.filter(|&(_, n)| n > 0));
            }
            _ => self.outcomes(state, outcomes),
        }
    }

    // What everybody has chosen in a complete step.
    fn aftermath(&self, state: &State, choice: Choice<Self>) -> Option<State> {
        let (Stage::Together, Choice::Action(seat, action)) = (state.stage, choice) else { return None };
        let mut complete = *state;
        complete.choose(seat, action).then_some(complete)
    }
}

impl JabirsTransmutations {
    /// A step in which the others have chosen any of their actions, each as likely.
    fn chosen_anew<R: Rng + ?Sized>(&self, state: &State, viewer: Seat, rng: &mut R) -> State {
        let mut guess = *state;
        let mut actions = Vec::new();
        for seat in (0..N_SEATS).filter(|&seat| seat != viewer) {
            if let Some(chosen) = guess.step.as_mut().and_then(|step| step.chosen[seat].as_mut()) {
                actions.clear();
                self.legal_actions(state, seat, &mut actions);
                *chosen = actions[random::index(rng, actions.len())];
            }
        }
        guess
    }
}

/// While hands are dealt: the cards that may lie in the deck as far as `viewer` knows. Those that were dealt to others
/// before the discards were shuffled in cannot.
fn in_deck_or_unseen(state: &State, viewer: Viewer) -> Cards {
    let mut pool = state.deck;
    for dealt_to in (0..N_SEATS).filter(|&seat| !viewer.is(seat)) {
        let hand = &state.draft.hands[dealt_to];
        match state.n_old_of(dealt_to) {
            0 => put(&mut pool, hand),
            HAND => {}
            _ => put(&mut pool, &from_fn(|kind| hand[kind] - state.draft.old[kind])),
        }
    }
    pool
}

/// `state` with everything drawn anew that `viewer` does not know, in this turn of the draft.
fn redrawn<R: Rng + ?Sized>(state: &State, turn: u8, viewer: Seat, rng: &mut R) -> State {
    let mut guess = *state;
    let hands = from_fn(|order| Hand::of(state, order, turn.into(), viewer));
    redraw_unseen(&mut guess, &hands, rng);
    for hand in &hands {
        hand.redraw_later_picks(&mut guess.draft, rng);
    }
    guess
}

/// One of the hands that go round, as the viewer knows it.
struct Hand {
    /// The seat it was dealt to, which names it.
    dealt_to: Seat,
    /// The turn in which the viewer held it first, if that has come.
    first_look: Option<usize>,
    /// Whether the viewer has held it a second time, three turns later.
    came_back: bool,
    /// How many picks have been made from it.
    n_picks: usize,
    /// Cards that the viewer never saw: what was picked before the first look, or else all.
    unseen: Cards,
    /// All other cards dealt to it.
    seen: Cards,
    /// How many of its cards were dealt before the discards were shuffled in, and whether the viewer saw which.
    n_old: usize,
    knows_old: bool,
}

impl Hand {
    /// The hand that was dealt first, second or third.
    fn of(state: &State, order: usize, turn: usize, viewer: Seat) -> Hand {
        let dealt_to = (state.starter() + order) % N_SEATS;
        let draft = &state.draft;
        let first_look = Some((viewer + N_SEATS - dealt_to) % N_SEATS).filter(|&look| look <= turn);
        let n_picks = draft.n_picks(dealt_to);
        let (mut unseen, mut seen) = ([0; 5], draft.hands[dealt_to]);
        if first_look.is_none() {
            std::mem::swap(&mut unseen, &mut seen);
        }
        for turn in 0..n_picks {
            let was_seen = first_look.is_some_and(|look| look <= turn);
            add(if was_seen { &mut seen } else { &mut unseen }, draft.picks[holder(dealt_to, turn)][turn]);
        }
        Hand {
            dealt_to,
            first_look,
            came_back: first_look.is_some_and(|look| look + N_SEATS <= turn),
            n_picks,
            unseen,
            seen,
            n_old: state.n_old_of(dealt_to),
            knows_old: dealt_to == viewer,
        }
    }

    /// Whether the discards were shuffled in while it was dealt, and the viewer did not see which cards came before.
    fn is_split(&self) -> bool {
        (1..HAND).contains(&self.n_old) && !self.knows_old
    }

    fn n_unseen(&self) -> usize {
        n_cards(&self.unseen)
    }

    /// Puts cards in the place of the unseen ones.
    fn set_unseen(&self, draft: &mut Draft, cards: &[Card]) {
        let n_picked = cards.len().min(self.n_picks);
        for (turn, &card) in cards[..n_picked].iter().enumerate() {
            draft.picks[holder(self.dealt_to, turn)][turn] = Some(card);
        }
        if self.first_look.is_none() {
            draft.hands[self.dealt_to] = [0; 5];
            cards[n_picked..].iter().for_each(|&card| add(&mut draft.hands[self.dealt_to], Some(card)));
        }
    }

    /// Draws anew what the others took after the viewer had looked.
    fn redraw_later_picks<R: Rng + ?Sized>(&self, draft: &mut Draft, rng: &mut R) {
        let Some(mut look) = self.first_look else { return };
        if self.came_back {
            // What was missing then is known, but not which of the others took which.
            if random::index(rng, 2) == 0 {
                let (first, second) = (holder(self.dealt_to, look + 1), holder(self.dealt_to, look + 2));
                let picked = draft.picks[first][look + 1];
                draft.picks[first][look + 1] = draft.picks[second][look + 2];
                draft.picks[second][look + 2] = picked;
            }
            look += N_SEATS;
        }
        // They took something of what the viewer left there.
        let left = &mut draft.hands[self.dealt_to];
        for turn in look + 1..self.n_picks {
            add(left, draft.picks[holder(self.dealt_to, turn)][turn]);
        }
        for turn in look + 1..self.n_picks {
            draft.picks[holder(self.dealt_to, turn)][turn] = Some(draw(left, rng));
        }
    }
}

/// Draws anew all cards that the viewer never saw: the deck, what is in hands it has not held, and what had been picked
/// from the others before they came.
fn redraw_unseen<R: Rng + ?Sized>(state: &mut State, hands: &[Hand; N_SEATS], rng: &mut R) {
    // 1. Where the unseen cards come from: those dealt before the discards were shuffled in, and those after.
    let mut old_pool = [0; 5];
    let mut new_pool = state.deck;
    for hand in hands {
        if hand.is_split() {
            let all: Cards = from_fn(|kind| hand.seen[kind] + hand.unseen[kind]);
            put(&mut old_pool, &state.draft.old);
            put(&mut new_pool, &from_fn(|kind| all[kind] - state.draft.old[kind]));
        } else {
            put(if hand.n_old == HAND { &mut old_pool } else { &mut new_pool }, &hand.unseen);
        }
    }

    // 2. Of the hand that was being dealt just then: which of the cards the viewer saw are old.
    let mut n_old_unseen = [0; N_SEATS];
    for (hand, n_old_unseen) in hands.iter().zip(&mut n_old_unseen) {
        if hand.is_split() {
            let others = hands.iter().filter(|other| !other.is_split() && other.n_old < HAND);
            let n_new_elsewhere = others.map(Hand::n_unseen).sum();
            let old_seen = draw_old_seen(hand, &old_pool, &new_pool, n_new_elsewhere, rng);
            state.draft.old = old_seen;
            take(&mut old_pool, &old_seen);
            take(&mut new_pool, &from_fn(|kind| hand.seen[kind] - old_seen[kind]));
            *n_old_unseen = hand.n_old - n_cards(&old_seen);
        } else if hand.n_old == HAND {
            *n_old_unseen = hand.n_unseen();
        }
    }

    // 3. The unseen cards, each from its pool; the rest is the deck.
    for (hand, mut n_old_left) in hands.iter().zip(n_old_unseen) {
        let mut cards = [Card::Fire; HAND];
        let n_unseen = hand.n_unseen();
        for (i, card) in cards[..n_unseen].iter_mut().enumerate() {
            let is_old = random::index(rng, n_unseen - i) < n_old_left;
            *card = draw(if is_old { &mut old_pool } else { &mut new_pool }, rng);
            if is_old {
                n_old_left -= 1;
                if hand.is_split() {
                    add(&mut state.draft.old, Some(*card));
                }
            }
        }
        hand.set_unseen(&mut state.draft, &cards[..n_unseen]);
    }
    debug_assert_eq!(old_pool, [0; 5], "all cards dealt before the shuffle are in the hands");
    state.deck = new_pool;
}

/// Which of the seen cards of a split hand were dealt before the shuffle, with the probability that they were.
///
/// A choice is as likely as the number of ways in which the cards of both pools, told apart one by one, fill the seen
/// and the unseen places so.
fn draw_old_seen<R: Rng + ?Sized>(
    hand: &Hand,
    old_pool: &Cards,
    new_pool: &Cards,
    n_new_elsewhere: usize,
    rng: &mut R,
) -> Cards {
    let (n_seen, n_unseen) = (n_cards(&hand.seen), hand.n_unseen());
    let n_ways = |old: &Cards| {
        let n_old_seen = n_cards(old);
        if n_old_seen > hand.n_old || hand.n_old - n_old_seen > n_unseen {
            return 0.0;
        }
        let seen: f64 = (0..5)
            .map(|kind| {
                let (n, n_old) = (hand.seen[kind].into(), old[kind].into());
                choose(n, n_old) * falling(old_pool[kind].into(), n_old) * falling(new_pool[kind].into(), n - n_old)
            })
            .product();
        let n_old_unseen = hand.n_old - n_old_seen;
        let n_old_left = n_cards(old_pool) - n_old_seen;
        let n_new_left = n_cards(new_pool).saturating_sub(n_seen - n_old_seen);
        seen * choose(n_unseen, n_old_unseen)
            * falling(n_old_left, n_old_left)
            * falling(n_new_left, n_unseen - n_old_unseen + n_new_elsewhere)
    };
    let mut drawn = [0; 5];
    let mut total = 0.0;
    let mut old = [0; 5];
    loop {
        let weight = n_ways(&old);
        total += weight;
        // Each choice takes the place of the one drawn so far with its share of the total.
        if weight > 0.0 && uniform(rng) * total < weight {
            drawn = old;
        }
        // Counts up like an odometer through all parts of the seen cards.
        let Some(kind) = (0..5).find(|&kind| old[kind] < hand.seen[kind]) else { return drawn };
        old[kind] += 1;
        old[..kind].fill(0);
    }
}

fn n_cards(cards: &Cards) -> usize {
    cards.iter().sum::<u8>().into()
}

fn add(cards: &mut Cards, card: Option<Card>) {
    if let Some(card) = card {
        cards[card as usize] += 1;
    }
}

fn put(cards: &mut Cards, more: &Cards) {
    cards.iter_mut().zip(more).for_each(|(n, more)| *n += more);
}

fn take(cards: &mut Cards, some: &Cards) {
    cards.iter_mut().zip(some).for_each(|(n, some)| *n -= some);
}

fn draw<R: Rng + ?Sized>(cards: &mut Cards, rng: &mut R) -> Card {
    let kind = random_kind(rng, cards);
    cards[kind] -= 1;
    Card::ALL[kind]
}

/// n (n − 1) … with k factors; exact enough, and far from overflow, for a deck of 80.
fn falling(n: usize, k: usize) -> f64 {
    (0..k).map(|i| n.saturating_sub(i) as f64).product()
}

fn choose(n: usize, k: usize) -> f64 {
    falling(n, k) / falling(k, k)
}

fn uniform<R: Rng + ?Sized>(rng: &mut R) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}
