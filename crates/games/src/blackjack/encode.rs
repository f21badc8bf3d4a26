//! The position as numbers: the unseen cards on a grid of suits and ranks, hands as counts of ranks and by what they count,
//! and for each seat, from the one that looks on, what it has. An action is the place of its wager, or behind the wagers that
//! of its word.

use raichi_core::encoding::{Block, Encoding, Layout, relative_seat, seat_names, seats_from_this};
use raichi_core::game::{Game, Phase};
use raichi_core::seat::Seat;

use super::cards::Cards;
use super::notation::WORDS;
use super::rules::{Action, Blackjack, HANDS_EACH, Standing, State, Turn};
use crate::cards::{Card, GRID, SUIT_MAPS, SUIT_NAMES, map_grid, rank_names};

const RANKS: usize = 13;
/// Chips are written as millions and the rest: a seat may come to have billions.
const MILLION: u64 = 1_000_000;
const STANDING: [&str; 5] = ["no hand", "open", "stands", "doubled", "surrendered"];
const TURN: [&str; 7] = [
    "wagers are placed",
    "cards are dealt round",
    "insurance is asked about",
    "a hand is played",
    "a hand gets a card",
    "the dealer gets a card",
    "the game is over",
];
/// No hand counts more: 21 and another ten.
const MOST_COUNTED: i32 = 31;
/// Of the hands of one seat, the one that is played, gets a card or may be insured.
const HAND: [&str; HANDS_EACH + 1] = ["none", "the first", "the second", "the third", "the fourth"];
const FACE_DOWN: [&str; 15] = [
    "none", "unknown", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king",
    "ace",
];

impl Encoding for Blackjack {
    fn layout(&self) -> Layout {
        let n = self.n_seats;
        let most_wagered = 2 * self.bets[self.bets.len() - 1] as i32;
        let most_chips = self.most_chips(self.rounds);
        Layout::new([
            Block::amounts_on_grid(
                "unseen cards",
                4,
                RANKS,
                self.decks.into(),
                "copies; 0 where every card is put back",
            )
            .headed(SUIT_NAMES, rank_names()),
            Block::amounts("dealer", RANKS, 21, "cards of a rank, from the two"),
            Block::named("card face down", 1, &FACE_DOWN),
            Block::amounts_on_grid("hands", n * HANDS_EACH, RANKS, 21, "cards of a rank, from the two").headed(
                seats_from_this(n)
                    .iter()
                    .flat_map(|seat| (1..=HANDS_EACH).map(move |nth| format!("{seat}, hand {nth}"))),
                rank_names(),
            ),
            Block::amounts("dealer count", 1, MOST_COUNTED, "what the dealer's open cards count"),
            Block::amounts("hand counts", n * HANDS_EACH, MOST_COUNTED, "what a hand's cards count"),
            Block::named("soft hands", n * HANDS_EACH, &["no ace as eleven", "an ace counts eleven"]),
            Block::amounts("wagers on hands", n * HANDS_EACH, most_wagered, "chips"),
            Block::named("standing of hands", n * HANDS_EACH, &STANDING),
            Block::amounts("wagers placed", n, most_wagered, "chips"),
            Block::named("insured", n, &["no", "yes"]),
            Block::amounts("chips, millions", n, (most_chips / MILLION) as i32, "million chips"),
            Block::amounts("chips, the rest", n, MILLION as i32 - 1, "chips"),
            Block::amounts("round", 1, self.rounds as i32, "rounds"),
            Block::named("turn", 1, &TURN),
            Block::named("hand in question", 1, &HAND),
            Block::named("whose hand that is", 1, &seat_names("nobody", n)),
            Block::to_act(n),
        ])
    }

    fn observe(&self, state: &State, seat: Seat, observation: &mut [i32]) {
        let n = self.n_seats;
        observation.fill(0);
        let (unseen, rest) = observation.split_at_mut(GRID);
        for card in Card::all() {
            unseen[card.index()] = state.shoe.left(card).into();
        }
        let known = state.known_face_down();
        if let Some(card) = state.face_down.filter(|_| known.is_none() && self.decks > 0) {
            unseen[card.index()] += 1;
        }
        let (dealer, rest) = rest.split_at_mut(RANKS);
        count_ranks(&state.dealer, dealer);
        let (face_down, rest) = rest.split_at_mut(1);
        face_down[0] = known.map_or(i32::from(state.face_down.is_some()), |card| 2 + i32::from(card.rank()));

        let (ranks, rest) = rest.split_at_mut(n * HANDS_EACH * RANKS);
        let (dealer_count, rest) = rest.split_at_mut(1);
        dealer_count[0] = state.dealer.count().into();
        let (counts, rest) = rest.split_at_mut(n * HANDS_EACH);
        let (soft, rest) = rest.split_at_mut(n * HANDS_EACH);
        let (wagers, rest) = rest.split_at_mut(n * HANDS_EACH);
        let (standings, rest) = rest.split_at_mut(n * HANDS_EACH);
        let in_question = match state.turn {
            Turn::Insurance(hand) | Turn::Play(hand) | Turn::Draw(hand) => Some(usize::from(hand)),
            _ => None,
        };
        let (mut nth, mut before, mut place_in_question) = (0, self.n_seats, (0, 0));
        for (index, hand) in state.hands.iter().enumerate() {
            nth = if hand.seat() == before { nth + 1 } else { 0 };
            before = hand.seat();
            let relative = relative_seat(seat, hand.seat(), n);
            let row = (relative as usize - 1) * HANDS_EACH + nth;
            count_ranks(&hand.cards, &mut ranks[row * RANKS..][..RANKS]);
            counts[row] = hand.cards.count().into();
            soft[row] = hand.cards.is_soft().into();
            wagers[row] = hand.wager as i32;
            standings[row] = match hand.standing {
                Standing::Open => 1,
                Standing::Stands => 2,
                Standing::Doubled => 3,
                Standing::Surrendered => 4,
            };
            if in_question == Some(index) {
                place_in_question = (nth as i32 + 1, relative);
            }
        }
        let (of_seats, rest) = rest.split_at_mut(4 * n);
        for nth in 0..n {
            let other = (seat + nth) % n;
            of_seats[nth] = state.wagers[other] as i32;
            of_seats[n + nth] = state.is_insured(other).into();
            of_seats[2 * n + nth] = (state.chips[other] / MILLION) as i32;
            of_seats[3 * n + nth] = (state.chips[other] % MILLION) as i32;
        }
        rest[0] = state.round as i32;
        rest[1] = match state.turn {
            Turn::Bet(_) => 0,
            Turn::Deal(_) => 1,
            Turn::Insurance(_) => 2,
            Turn::Play(_) => 3,
            Turn::Draw(_) => 4,
            Turn::Dealer => 5,
            Turn::Over => 6,
        };
        (rest[2], rest[3]) = place_in_question;
        rest[4] = if let Phase::Act(seats) = self.phase(state) { relative_seat(seat, seats.first(), n) } else { 0 };
    }

    fn n_actions(&self) -> u64 {
        (self.bets.len() + WORDS.len()) as u64
    }

    fn action_number(&self, action: Action) -> u64 {
        let n_bets = self.bets.len();
        let number = match action {
            Action::Bet(wager) => self.bets.binary_search(&wager).ok(),
            _ => WORDS.iter().position(|&(_, word)| word == action).map(|word| n_bets + word),
        };
        number.expect("the wager is one of these rules") as u64
    }

    fn numbered_action(&self, number: u64) -> Option<Action> {
        let number = usize::try_from(number).ok()?;
        let bet = self.bets.get(number).map(|&wager| Action::Bet(wager));
        bet.or_else(|| WORDS.get(number - self.bets.len()).map(|&(_, action)| action))
    }

    fn map_observation(&self, symmetry: usize, observation: &[i32], image: &mut [i32]) {
        image.copy_from_slice(observation);
        map_grid(SUIT_MAPS[symmetry], &observation[..GRID], &mut image[..GRID]);
    }
}

fn count_ranks(cards: &Cards, ranks: &mut [i32]) {
    cards.as_slice().iter().for_each(|card| ranks[usize::from(card.rank())] += 1);
}
