//! Blackjack: what each action is worth against the cards that are left, and so the best of them.
//!
//! Exactly, for any house's rules, by [`Analysis`]; the solver of the game's positions stands on it, and so does the chart of
//! basic strategy ([`chart()`]). What follows is the player `Expectation`, which is older and needs no tables.
//!
//! Method: the classical expectation (Baldwin, Cantey, Maisel and McDermott, *The Optimum Strategy in Blackjack*, 1956),
//! with the cards that the seat has seen taken out of the shoe. The dealer's draws are followed exactly, from the shoe as it
//! is after the player's first card; what is drawn after that card comes from that shoe as it then stands, so that a hit, a
//! double and standing are exact but for the third card on. A split is worth two hands of the one card, each played and
//! doubled but not split again; the cards that one takes from the other are neglected.
//! Handled: all parameters, house rules included. Wagers: the least there is, since a round is worth less than nothing or hardly more. Insurance
//! where more than a third of the unseen cards make a natural.
//! Not here: cards that other players are still to draw; the value of chips for later rounds.
//! Checked: the dealer's published results, published basic strategy cell by cell, and matches (docs/strength.md).

mod best_splits;
mod chart;
mod dealer;
mod exact;
mod gone;
mod house;
mod shoe;
mod solver;

use raichi_core::game::Game;
use raichi_core::information::SeatView;
use raichi_core::random::FastRng;
use raichi_games::blackjack::{Action, Blackjack, Hand, State, value};
use raichi_search::{Advice, Candidate, Certainty, Cost, Limits, Session};

pub use best_splits::{best_split, best_splits_are_known};
pub use chart::{Cell, Choice, Row, chart, strategy};
pub use exact::{Analysis, Worth};
pub use house::{Doubling, House, Splitting};
pub use solver::solver;

/// The dealer draws below this count.
const DEALER_STANDS: usize = 17;
const BEST: usize = 21;

/// The player by expectation. It keeps nothing from decision to decision.
#[derive(Clone, Copy, Debug, Default)]
pub struct Expectation;

impl Session<Blackjack> for Expectation {
    fn decide(&mut self, view: &SeatView<'_, Blackjack>, limits: &Limits<'_>, rng: &mut FastRng) -> Advice<Action> {
        let start = limits.host.now();
        let table = view.determinize(rng);
        let actions = view.legal_actions();
        if let [only] = actions[..] {
            return Advice::without_search(only, true);
        }
        let mut worth = worths(view.game().game(), &table, view.seat(), &actions);
        worth.sort_by(|one, other| other.1.partial_cmp(&one.1).expect("expectations are no NaN"));
        let payoffs = view.game().game().payoffs(&table);
        let candidate = |&(action, gain): &(Action, f64)| {
            let mut values = payoffs.as_slice().to_vec();
            values[view.seat()] += gain;
            let certainty = Certainty::Estimate { standard_error: None };
            Candidate { action, values, certainty, visits: None, depth: None, plies: None }
        };
        let elapsed = limits.host.now().saturating_sub(start);
        Advice {
            action: worth[0].0,
            candidates: worth.iter().map(candidate).collect(),
            line: Vec::new(),
            cost: Cost { elapsed, ..Cost::default() },
            proven: false,
            known_by: None,
            why: None,
        }
    }
}

/// What each action is expected to win, in chips.
fn worths(game: &Blackjack, table: &State, seat: usize, actions: &[Action]) -> Vec<(Action, f64)> {
    let cards = Unseen::new(game, table);
    match (table.hand_in_play(), actions[0]) {
        (Some(hand), _) => {
            let can_pay = table.chips()[seat] >= 3 * u64::from(hand.wager());
            let may_double_splits = can_pay && game.house().doubles_splits;
            let play = Play::new(cards, Facing::new(game, table), hand, may_double_splits);
            actions.iter().map(|&action| (action, play.worth(action) * f64::from(hand.wager()))).collect()
        }
        (None, Action::Bet(_)) => {
            // A round is worth less than nothing or hardly more: the less is bet the less is lost.
            let wager = |action| if let Action::Bet(wager) = action { f64::from(wager) } else { 0.0 };
            actions.iter().map(|&action| (action, -ROUND_COSTS * wager(action))).collect()
        }
        (None, _) => {
            let wager = table.hands().iter().find(|hand| hand.seat() == seat).map_or(0, Hand::wager);
            let cost = game.house().insurance_cost(wager).map_or(0.0, f64::from);
            let natural = cards.share(10);
            let insured = |action| if action == Action::Insurance { cost * (3.0 * natural - 1.0) } else { 0.0 };
            actions.iter().map(|&action| (action, insured(action))).collect()
        }
    }
}

/// About what a wager is expected to lose. No figure of it is used but its sign.
const ROUND_COSTS: f64 = 0.005;

/// What a hand is played against.
#[derive(Clone, Copy, Debug)]
struct Facing {
    /// The value of the dealer's card that lies face up.
    up: usize,
    /// Whether the dealer has looked for a natural, where there may be one.
    peeked: bool,
    hits_soft_17: bool,
}

impl Facing {
    fn new(game: &Blackjack, table: &State) -> Facing {
        let up = table.dealer().as_slice().first().map_or(10, |&card| value(card).into());
        Facing { up, peeked: game.house().peeks, hits_soft_17: game.house().hits_soft_17 }
    }

    /// Whether a card of this value makes a natural.
    fn makes_natural(self, value: usize) -> bool {
        matches!((self.up, value), (1, 10) | (10, 1))
    }

    /// Whether a card of this value may lie face down.
    fn may_lie(self, value: usize) -> bool {
        !(self.peeked && self.makes_natural(value))
    }
}

/// The cards that nobody has seen, by value from the ace, and what they are filled up to when they run out.
#[derive(Clone, Copy, Debug)]
struct Unseen {
    n: [u16; 10],
    total: u16,
    full: [u16; 10],
    /// Whether a card that is drawn is put back.
    put_back: bool,
}

impl Unseen {
    fn new(game: &Blackjack, table: &State) -> Unseen {
        let n_decks = u16::from(game.decks().max(1));
        let full = std::array::from_fn(|i| if i == 9 { 16 * n_decks } else { 4 * n_decks });
        let n = table.unseen();
        Unseen { n, total: n.iter().sum(), full, put_back: game.decks() == 0 }
    }

    fn share(&self, value: usize) -> f64 {
        f64::from(self.n[value - 1]) / f64::from(self.total)
    }

    /// Without one card of this value.
    #[inline]
    fn without(mut self, value: usize) -> Unseen {
        if !self.put_back {
            self.n[value - 1] -= 1;
            self.total -= 1;
            if self.total == 0 {
                (self.n, self.total) = (self.full, self.full.iter().sum());
            }
        }
        self
    }

    /// How many cards may lie face down.
    fn n_may_lie(&self, facing: Facing) -> f64 {
        (1..=10).filter(|&value| facing.may_lie(value)).map(|value| f64::from(self.n[value - 1])).sum()
    }

    /// How likely the next card that is drawn has each value, while the dealer's card lies face down.
    fn next(&self, facing: Facing) -> [f64; 10] {
        // As in the rules' own expected outcomes: n(c) (M − [c may lie there]), where M cards may.
        let n_may = self.n_may_lie(facing);
        let taken = if self.put_back { 0.0 } else { 1.0 };
        let weight = |value: usize| {
            f64::from(self.n[value - 1]) * (n_may - if facing.may_lie(value) { taken } else { 0.0 }).max(0.0)
        };
        let weights: [f64; 10] = std::array::from_fn(|i| weight(i + 1));
        let total: f64 = weights.iter().sum();
        if total > 0.0 { weights.map(|weight| weight / total) } else { std::array::from_fn(|i| self.share(i + 1)) }
    }
}

/// How likely the dealer ends with 17 to 21, and beyond; what is missing to 1 are naturals that it did not look for.
#[derive(Clone, Copy, Debug, Default)]
struct Dealer([f64; 6]);

impl Dealer {
    fn from(facing: Facing, cards: &Unseen) -> Dealer {
        let mut ends = Dealer::default();
        let n_may = cards.n_may_lie(facing);
        for value in (1..=10).filter(|&value| facing.may_lie(value) && cards.n[value - 1] > 0) {
            let likely = f64::from(cards.n[value - 1]) / n_may;
            if !facing.makes_natural(value) {
                let (hard, ace) = (facing.up + value, facing.up == 1 || value == 1);
                ends.draw(facing, hard, ace, &cards.without(value), likely);
            }
        }
        ends
    }

    fn draw(&mut self, facing: Facing, hard: usize, ace: bool, cards: &Unseen, likely: f64) {
        let count = count(hard, ace);
        let draws = count < DEALER_STANDS || facing.hits_soft_17 && count == DEALER_STANDS && count > hard;
        if !draws {
            self.0[count.min(BEST + 1) - DEALER_STANDS] += likely;
            return;
        }
        for value in (1..=10).filter(|&value| cards.n[value - 1] > 0) {
            self.draw(facing, hard + value, ace || value == 1, &cards.without(value), likely * cards.share(value));
        }
    }

    /// What a hand that counts so much wins, in wagers.
    fn stand(&self, count: usize) -> f64 {
        if count > BEST {
            return -1.0;
        }
        let ends = self.0[..5].iter().enumerate();
        let won: f64 = ends
            .map(|(nth, likely)| match (nth + DEALER_STANDS).cmp(&count) {
                std::cmp::Ordering::Less => *likely,
                std::cmp::Ordering::Equal => 0.0,
                std::cmp::Ordering::Greater => -likely,
            })
            .sum();
        let naturals = 1.0 - self.0.iter().sum::<f64>();
        won + self.0[5] - naturals
    }
}

fn count(hard: usize, ace: bool) -> usize {
    if ace && hard + 10 <= BEST { hard + 10 } else { hard }
}

/// What hands are worth, each played on as well as can be by hitting and standing, when cards come with fixed likelihoods.
struct Table {
    /// By hard count and whether there is an ace.
    best: [[f64; 2]; BEST + 1],
    dealer: Dealer,
    next: [f64; 10],
}

impl Table {
    fn new(dealer: Dealer, next: [f64; 10]) -> Table {
        let mut table = Table { best: [[0.0; 2]; BEST + 1], dealer, next };
        for hard in (2..=BEST).rev() {
            for ace in [true, false] {
                let stand = dealer.stand(count(hard, ace));
                let best = if count(hard, ace) == BEST { stand } else { stand.max(table.hit(hard, ace)) };
                table.best[hard][usize::from(ace)] = best;
            }
        }
        table
    }

    fn best(&self, hard: usize, ace: bool) -> f64 {
        if hard > BEST { -1.0 } else { self.best[hard][usize::from(ace)] }
    }

    fn hit(&self, hard: usize, ace: bool) -> f64 {
        (1..=10).map(|value| self.next[value - 1] * self.best(hard + value, ace || value == 1)).sum()
    }

    fn double(&self, hard: usize, ace: bool) -> f64 {
        let stand = |value: usize| self.dealer.stand(count(hard + value, ace || value == 1));
        2.0 * (1..=10).map(|value| self.next[value - 1] * stand(value)).sum::<f64>()
    }
}

/// A hand that is to be played.
struct Play {
    hard: usize,
    ace: bool,
    /// The value of its first card.
    first: usize,
    may_double_splits: bool,
    now: Dealer,
    /// How likely each value comes next, and what follows; `None` where no such card is left.
    next: [f64; 10],
    after: Vec<Option<Table>>,
}

impl Play {
    fn new(cards: Unseen, facing: Facing, hand: &Hand, may_double_splits: bool) -> Play {
        let after = |value: usize| {
            (cards.n[value - 1] > 0).then(|| {
                let left = cards.without(value);
                Table::new(Dealer::from(facing, &left), left.next(facing))
            })
        };
        Play {
            hard: hand.cards().hard_count().into(),
            ace: hand.cards().has_ace(),
            first: hand.cards().as_slice().first().map_or(0, |&card| value(card).into()),
            may_double_splits,
            now: Dealer::from(facing, &cards),
            next: cards.next(facing),
            after: (1..=10).map(after).collect(),
        }
    }

    /// In wagers.
    fn worth(&self, action: Action) -> f64 {
        match action {
            Action::Stand => self.now.stand(count(self.hard, self.ace)),
            Action::Hit => self.expect(|table, value| table.best(self.hard + value, self.ace || value == 1)),
            Action::Double => {
                let stand = |table: &Table, value| table.dealer.stand(count(self.hard + value, self.ace || value == 1));
                2.0 * self.expect(stand)
            }
            Action::Split => {
                let ace = self.first == 1;
                2.0 * self.expect(|table, value| {
                    let (hard, ace) = (self.first + value, ace || value == 1);
                    let played = table.best(hard, ace);
                    // With 21 nothing more is done.
                    let doubles = self.may_double_splits && count(hard, ace) < BEST;
                    if doubles { played.max(table.double(hard, ace)) } else { played }
                })
            }
            Action::Surrender => -0.5,
            Action::Bet(_) | Action::Insurance | Action::NoInsurance => 0.0,
        }
    }

    /// The mean over the next card.
    fn expect(&self, worth: impl Fn(&Table, usize) -> f64) -> f64 {
        let tables = self.after.iter().zip(1..).filter_map(|(table, value)| Some((table.as_ref()?, value)));
        tables.map(|(table, value)| self.next[value - 1] * worth(table, value)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raichi_core::Notation;
    use raichi_core::erased::create;

    const PUT_BACK: Unseen = {
        let n = [4, 4, 4, 4, 4, 4, 4, 4, 4, 16];
        Unseen { n, total: 52, full: n, put_back: true }
    };

    fn facing(up: usize) -> Facing {
        Facing { up, peeked: true, hits_soft_17: false }
    }

    #[test]
    fn the_dealer_ends_as_published() {
        // Beyond 21 with every card put back, by the card that lies face up, no natural counted for tens and aces.
        for (up, bust) in
            [(2, 0.3536), (3, 0.3739), (4, 0.3945), (5, 0.4164), (6, 0.4232), (7, 0.2623), (8, 0.2447), (9, 0.2284)]
        {
            let ends = Dealer::from(facing(up), &PUT_BACK);
            assert!((ends.0.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            assert!((ends.0[5] - bust).abs() < 0.0006, "{up}: {ends:?}");
        }
    }

    #[test]
    fn hands_are_worth_what_is_published() {
        // With every card put back, dealer's seven: known to three digits from tables of infinite decks.
        let table = Table::new(Dealer::from(facing(7), &PUT_BACK), PUT_BACK.next(facing(7)));
        assert!((table.dealer.stand(16) - -0.4754).abs() < 0.002, "{}", table.dealer.stand(16));
        assert!((table.dealer.stand(20) - 0.7732).abs() < 0.002, "{}", table.dealer.stand(20));
        assert!((table.double(11, false) - 0.4629).abs() < 0.005, "{}", table.double(11, false));
    }

    /// Standing and doubling are exact, whatever the house has of its own.
    #[test]
    fn worths_are_the_exact_ones_by_every_house_rule() {
        for params in ["decks=1,soft17=hit", "decks=1,peek=false", "decks=0,peek=false,soft17=hit,insurance=none"] {
            let game = create::<Blackjack>(Some(params)).unwrap();
            let analysis = Analysis::new(House::of(&game));
            for (up, cards) in [("Ad", [10, 7]), ("Td", [5, 6]), ("9d", [10, 4]), ("6d", [1, 7])] {
                let text = |value| ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T"][value - 1];
                let hand = format!("{}h{}c", text(cards[0]), text(cards[1]));
                let open = format!("{up} 0 round=1 chips=190 hands={hand}:10 face-down=?? seen-by=0");
                let table = game.parse_position(&open).unwrap().state;
                let found = worths(&game, &table, 0, &[Action::Stand, Action::Double, Action::Surrender]);
                let mut counts = [0; 10];
                cards.iter().for_each(|&value| counts[value - 1] += 1);
                let exact = analysis.worth(&counts, Facing::new(&game, &table).up - 1).unwrap();
                for ((action, found), exact) in found.into_iter().zip([exact.stand, exact.double, exact.surrender]) {
                    assert!((found - 10.0 * exact).abs() < 1e-9, "{params} {open} {action:?}: {found} {exact}");
                }
            }
        }
    }

    #[test]
    fn insurance_is_weighed_by_what_it_costs() {
        for (house, cost) in [("", 10.0), ("insurance=half,peek=false", 5.0)] {
            let game = create::<Blackjack>(Some(&format!("decks=1{}{house}", if house.is_empty() { "" } else { "," })))
                .unwrap();
            let asked = "Ad 0 round=1 chips=190 hands=7h8c:10 insurance=open face-down=?? seen-by=0";
            let table = game.parse_position(asked).unwrap().state;
            let found = worths(&game, &table, 0, &[Action::Insurance, Action::NoInsurance]);
            assert!(
                (found[0].1 - cost * (48.0 / 49.0 - 1.0)).abs() < 1e-12,
                "16 of 49 cards make a natural: {found:?}"
            );
            assert_eq!(found[1].1, 0.0);
        }
    }
}
