//! Backward through all positions of hands of a split.

use raichi_solve::{Progress, Unsolved, Work};

use super::super::dealer::{Draws, N_ENDS, stands};
use super::super::exact::gets_one_card;
use super::super::house::House;
use super::super::shoe::{BEST, Shoe};
use super::family::{Family, STANDS, Stage};
use super::multisets::{Counts, MAX_KINDS, Multisets, value_of};
use super::stands::ends_behind_all;
use super::worths::{Kept, Worths};
use super::{Expected, Hands};

/// Hard counts of hands that may draw, from 2.
const N_HARD: usize = STANDS - 2;
/// Those in which an ace counts eleven, from 2; with 11 a hand counts 21 and stands.
const N_SOFT: usize = 9;
/// Whether the work is over is asked once for so many multisets.
const ASKED_EVERY: usize = 4096;
/// What standing is worth, from a count of 16 and less.
const N_STANDS: usize = 6;

/// What all families of positions share.
pub(super) struct Table<'a> {
    house: &'a House,
    hands: &'a Hands,
    multisets: Multisets,
    /// The kind of a card that makes a pair.
    same: usize,
    shoe: Shoe,
    draws: Draws,
}

impl<'a> Table<'a> {
    pub(super) fn new(house: &'a House, hands: &'a Hands) -> Table<'a> {
        // Tens of the pair's rank are a kind of their own, where not all tens make a pair.
        let apart = hands.pair == 9 && hands.n_same < hands.unseen[9];
        let mut most: Counts = [0; MAX_KINDS];
        most[..10].copy_from_slice(&hands.unseen);
        if apart {
            (most[9], most[10]) = (hands.unseen[9] - hands.n_same, hands.n_same);
        }
        let left = hands.unseen.map(f64::from);
        let n_kinds = if apart { MAX_KINDS } else { MAX_KINDS - 1 };
        let same = if apart { MAX_KINDS - 1 } else { hands.pair };
        let limit = Family::new(hands, hands.n_splits).limit();
        Table {
            house,
            hands,
            multisets: Multisets::new(n_kinds, most, limit),
            same,
            shoe: Shoe { left, total: left.iter().sum(), taken: 1.0 },
            draws: Draws::from_up(hands.up, house.hits_soft_17),
        }
    }

    /// About what solving takes, with numbers of so many bytes: all that standing is worth, and the hands of ten counts.
    pub(super) fn bytes(&self, of_one: usize) -> usize {
        let families = (0..=self.hands.n_splits).map(|n_more| Family::new(self.hands, n_more));
        let of_family = |family: Family| {
            let stands: usize = (0..=family.limit()).map(|n| self.multisets.size(n) * N_STANDS * of_one).sum();
            let hands = |stage: &Stage, n: usize| {
                let rows = |limit: usize, row: usize| if n <= limit { self.multisets.size(n) * row } else { 0 };
                rows(stage.hits, (N_HARD + N_SOFT) * of_one) + rows(stage.two_cards(), MAX_KINDS * of_one)
            };
            let at = |n: usize| family.stages.iter().map(|stage| hands(stage, n)).sum::<usize>();
            let at_once = |n: usize| (n..=n + 10).filter(|&n| n <= family.limit()).map(at).sum::<usize>();
            let all =
                |stage: &Stage| (0..=stage.first).map(|n| self.multisets.size(n) * size_of::<f64>()).sum::<usize>();
            stands + (0..=family.limit()).map(at_once).max().unwrap_or(0) + family.stages.iter().map(all).sum::<usize>()
        };
        families.map(of_family).max().unwrap_or(0)
    }

    pub(super) fn solve<T: Kept>(&self, work: &Work<'_>) -> Result<Expected, Unsolved> {
        let n_multisets =
            |n_more| (0..=Family::new(self.hands, n_more).limit()).map(|n| self.multisets.size(n) as u64).sum::<u64>();
        let total = (0..=self.hands.n_splits).map(n_multisets).sum();
        let mut done = 0;
        let mut tell = |n: usize| {
            (work.progress)(Progress { stage: "hands of a split", done, total });
            done += n as u64;
        };
        let mut after = None;
        let mut expected = None;
        for n_more in (0..=self.hands.n_splits).rev() {
            let solved = Solving::<T>::new(self, n_more, after.take()).solve(work, &mut tell)?;
            expected = Some(solved.1);
            after = Some(solved.0);
        }
        Ok(expected.expect("there is a family without further splits"))
    }
}

/// What the hands that wait are worth when a hand of each stage gets its second card, by what cards count together and their number.
type Waiting = Vec<Vec<Vec<f64>>>;

/// What is kept of the hands of a stage, by what cards count together, by the number of the multiset.
struct Rows<T> {
    /// Hands that may draw, by hard count, then those in which an ace counts eleven.
    hands: Vec<Vec<[T; N_HARD + N_SOFT]>>,
    /// Hands of two cards, by the kind of the second.
    two_cards: Vec<Vec<[T; MAX_KINDS]>>,
}

/// A family that is solved.
struct Solving<'a, T> {
    table: &'a Table<'a>,
    family: Family,
    /// The cards that are left when nothing is drawn, by kind, and all of them.
    left: [f64; MAX_KINDS],
    total: f64,
    /// What standing is worth.
    stands: Vec<Vec<[T; N_STANDS]>>,
    rows: Vec<Rows<T>>,
    waiting: Waiting,
    /// The family that a split leads to.
    after_split: Option<Waiting>,
}

impl<'a, T: Kept> Solving<'a, T> {
    fn new(table: &'a Table<'a>, n_more: usize, after_split: Option<Waiting>) -> Solving<'a, T> {
        let family = Family::new(table.hands, n_more);
        let limit = family.limit();
        let mut left = table.multisets.most.map(f64::from);
        left[table.same] = (left[table.same] - n_more as f64).max(0.0);
        let shoe = table.shoe.without(value_of(table.same) - 1, n_more as u8);
        let empty = |_| Vec::new();
        let rows = |_: &Stage| Rows {
            hands: (0..=limit).map(|_| Vec::new()).collect(),
            two_cards: (0..=limit).map(|_| Vec::new()).collect(),
        };
        let waiting = family.stages.iter().map(|stage| (0..=stage.first).map(empty).collect()).collect();
        let rows = family.stages.iter().map(rows).collect();
        let stands = (0..=limit).map(|n| vec![[T::NONE; N_STANDS]; table.multisets.size(n)]).collect();
        let total = shoe.total;
        Solving { table, family, left, total, stands, rows, waiting, after_split }
    }

    /// Tells of the multisets of each count before they are looked at.
    fn solve(mut self, work: &Work<'_>, tell: &mut impl FnMut(usize)) -> Result<(Waiting, Expected), Unsolved> {
        self.find_stands(work)?;
        let mut expected = None;
        let top = self.family.stages.iter().map(|stage| stage.hits.max(stage.two_cards())).max().unwrap_or(0);
        for n in (0..=self.family.limit()).rev() {
            tell(self.table.multisets.size(n));
            if n > top {
                continue;
            }
            expected = self.solve_count(n, work)?.or(expected);
        }
        Ok((self.waiting, expected.expect("the last multiset is the empty one")))
    }

    fn find_stands(&mut self, work: &Work<'_>) -> Result<(), Unsolved> {
        let (table, peeks) = (self.table, self.table.house.peeks);
        let shoe = table.shoe.without(value_of(table.same) - 1, self.family.n_more as u8);
        let found = &mut self.stands;
        ends_behind_all(
            &table.draws,
            &shoe,
            &table.multisets,
            self.family.limit(),
            self.family.bound_of_stands(),
            work,
            |n, number, ends: &[f64; N_ENDS]| {
                let naturals = if peeks { 0.0 } else { 1.0 - ends.iter().sum::<f64>() };
                found[n][number] = std::array::from_fn(|above| T::from_f64(stands(ends, 16 + above) - naturals));
            },
        )
    }

    /// All positions behind cards that count so much; those that count more are solved.
    fn solve_count(&mut self, n: usize, work: &Work<'_>) -> Result<Option<Expected>, Unsolved> {
        let size = self.table.multisets.size(n);
        for (nth, stage) in self.family.stages.iter().enumerate() {
            if n <= stage.hits {
                self.rows[nth].hands[n] = vec![[T::NONE; N_HARD + N_SOFT]; size];
            }
            if n <= stage.two_cards() && !stage.is_played {
                self.rows[nth].two_cards[n] = vec![[T::NONE; MAX_KINDS]; size];
            }
            if n <= stage.first && !stage.is_played {
                self.waiting[nth][n] = vec![0.0; size];
            }
            // No card counts more than ten.
            if let Some(rows) = self.rows[nth].hands.get_mut(n + 11) {
                *rows = Vec::new();
            }
            if let Some(rows) = self.rows[nth].two_cards.get_mut(n + 11) {
                *rows = Vec::new();
            }
        }
        if let Some(stands) = self.stands.get_mut(n + 11) {
            *stands = Vec::new();
        }
        let mut expected = None;
        let (table, mut is_over) = (self.table, false);
        let bound = self.family.bound_of_draws();
        table.multisets.each(n, bound, &mut |counts, number, with| {
            is_over = is_over || number % ASKED_EVERY == 0 && work.is_over();
            if is_over {
                return;
            }
            let behind = Behind::new(self, n, counts, number, with);
            for nth in (0..self.family.stages.len()).rev() {
                expected = self.solve_stage(nth, &behind).or(expected);
            }
        });
        if is_over { Err(Unsolved::OutOfTime) } else { Ok(expected) }
    }

    /// The hands of one stage behind some cards; later stages are solved.
    fn solve_stage(&mut self, nth: usize, behind: &Behind) -> Option<Expected> {
        let stage = &self.family.stages[nth];
        let n = behind.n;
        if n > stage.hits.max(stage.two_cards()) {
            return None;
        }
        let has_two = n <= stage.two_cards();
        let (hit, double) = self.draw(nth, behind, has_two || stage.is_played);
        let later = self.later(nth, n, behind.number);
        let own = &self.stands[n];
        let stand = |count: usize| own[behind.number][count.saturating_sub(16)].to_f64() + later;
        if n <= stage.hits {
            let mut row = [T::NONE; N_HARD + N_SOFT];
            let least = stage.least(n);
            for hard in least..STANDS {
                // With 11 or less a card can only make it better.
                let hit = hit.hard[hard];
                row[hard - 2] = T::from_f64(if hard <= 11 { hit } else { hit.max(stand(hard)) });
            }
            for hard in least..2 + N_SOFT {
                let hit = hit.soft[hard];
                row[N_HARD + hard - 2] = T::from_f64(if hard + 10 < 17 { hit } else { hit.max(stand(hard + 10)) });
            }
            self.rows[nth].hands[n][behind.number] = row;
        }
        if stage.is_played {
            let played = self.table.hands.played.filter(|_| n == 0)?;
            let soft = played.has_ace && played.hard <= 11;
            let count = played.hard + if soft { 10 } else { 0 };
            let scaled = |worth: f64| worth / behind.none_yet;
            return Some(Expected {
                stand: scaled(stand(count)),
                hit: scaled(hit.of_hand(played.hard, soft)),
                double: scaled(double.of_hand(played.hard, soft)),
            });
        }
        if has_two {
            let (house, pair) = (self.table.house, self.table.hands.pair);
            let mut row = [T::NONE; MAX_KINDS];
            for (kind, row) in row.iter_mut().enumerate().filter(|&(kind, _)| behind.counts[kind] > 0) {
                let hard = stage.held + value_of(kind);
                let soft = (stage.held == 1 || kind == 0) && hard <= 11;
                let count = hard + if soft { 10 } else { 0 };
                let draws = count < BEST && (soft || hard < STANDS) && !gets_one_card(house, pair);
                let mut best = stand(count);
                if draws {
                    best = best.max(hit.of_hand(hard, soft));
                }
                if draws && house.doubles_splits && house.may_double(hard) {
                    best = best.max(double.of_hand(hard, soft));
                }
                *row = T::from_f64(best);
            }
            self.rows[nth].two_cards[n][behind.number] = row;
        }
        if n > stage.first {
            return None;
        }
        let split = self.after_split.as_ref().map(|after| after[nth][n][behind.number]);
        let mut worth = 0.0;
        for card in behind.cards() {
            let unsplit = self.rows[nth].two_cards[n + card.value][card.number][card.kind].to_f64();
            let split = split.filter(|_| card.kind == self.table.same);
            worth += card.chance * split.map_or(unsplit, |split| unsplit.max(split));
        }
        self.waiting[nth][n][behind.number] = worth;
        let worth = worth / behind.none_yet;
        (n == 0 && nth == 0).then_some(Expected { stand: worth, hit: worth, double: worth })
    }

    /// What the hands after this stage's are worth.
    fn later(&self, nth: usize, n: usize, number: usize) -> f64 {
        // Behind cards that count more, this stage's hand is not played.
        self.waiting.get(nth + 1).and_then(|waiting| waiting.get(n)?.get(number)).copied().unwrap_or(0.0)
    }

    /// What hands are worth that draw a card, and that do it for twice the wager, if this is asked.
    fn draw(&self, nth: usize, behind: &Behind, asks_double: bool) -> (Worths, Worths) {
        let stage = &self.family.stages[nth];
        // What this hand counts before the card, if those before it drew as much as they can, and if it drew all.
        let least = stage.least(behind.n);
        let most = (stage.held + behind.n).min(if stage.is_played { BEST } else { STANDS - 1 });
        let (mut hit, mut double) = (Worths::of(0.0), Worths::of(0.0));
        for card in behind.cards() {
            let n = behind.n + card.value;
            let later = self.later(nth, n, card.number);
            let mut after = Worths::of(later - card.played);
            let stands = if n <= stage.stands { self.stands[n][card.number].map(T::to_f64) } else { [0.0; N_STANDS] };
            for count in STANDS..=BEST {
                after.hard[count] = stands[count - 16] + later;
            }
            after.soft[11] = stands[N_STANDS - 1] + later;
            if n <= stage.hits && least + card.value < STANDS {
                let row = &self.rows[nth].hands[n][card.number];
                (least + card.value..STANDS).for_each(|count| after.hard[count] = row[count - 2].to_f64());
                (least + card.value..11).for_each(|count| after.soft[count] = row[N_HARD + count - 2].to_f64());
            }
            hit.add(&after, card.value, card.chance, least, most);
            if asks_double {
                let mut after = Worths::of(later - 2.0 * card.played);
                for count in least..=BEST {
                    after.hard[count] = 2.0 * stands[count.saturating_sub(16)] + later;
                }
                for count in least..=11 {
                    after.soft[count] = 2.0 * stands[(count + 10).saturating_sub(16)] + later;
                }
                double.add(&after, card.value, card.chance, least, most);
            }
        }
        (hit, double)
    }
}

/// Cards that are gone, and what may come next.
struct Behind {
    n: usize,
    number: usize,
    counts: Counts,
    /// How likely hands are played behind these cards.
    none_yet: f64,
    cards: [Card; MAX_KINDS],
    n_cards: usize,
}

/// A card that may come next.
#[derive(Clone, Copy)]
struct Card {
    kind: usize,
    value: usize,
    chance: f64,
    /// The multiset with it.
    number: usize,
    /// How likely hands are played behind it, too.
    played: f64,
}

impl Behind {
    fn new<T>(of: &Solving<'_, T>, n: usize, counts: &Counts, number: usize, with: &[u32; MAX_KINDS]) -> Behind {
        let (up, peeks) = (of.table.hands.up, of.table.house.peeks);
        let total = of.total - f64::from(counts.iter().sum::<u8>());
        let left: [f64; MAX_KINDS] = std::array::from_fn(|kind| (of.left[kind] - f64::from(counts[kind])).max(0.0));
        // The values that make a natural with the dealer's card.
        let naturals = match up {
            0 => left[9] + left[10],
            9 => left[0],
            _ => 0.0,
        };
        let makes_natural = |kind: usize| up == 0 && kind >= 9 || up == 9 && kind == 0;
        let none = Card { kind: 0, value: 0, chance: 0.0, number: 0, played: 0.0 };
        let (mut cards, mut n_cards) = ([none; MAX_KINDS], 0);
        for kind in (0..MAX_KINDS).filter(|&kind| left[kind] > 0.0) {
            let naturals = naturals - f64::from(u8::from(makes_natural(kind)));
            let played = if peeks { 1.0 - naturals / (total - 1.0) } else { 1.0 };
            let value = value_of(kind);
            cards[n_cards] = Card { kind, value, chance: left[kind] / total, number: with[kind] as usize, played };
            n_cards += 1;
        }
        let none_yet = if peeks { 1.0 - naturals / total } else { 1.0 };
        Behind { n, number, counts: *counts, none_yet, cards, n_cards }
    }

    fn cards(&self) -> &[Card] {
        &self.cards[..self.n_cards]
    }
}
