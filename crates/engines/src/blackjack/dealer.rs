//! How the dealer ends: exact likelihoods from any cards.
//!
//! Method: the dealer's draws without their order. All the multisets of cards that end the dealer's draws from a card, and in
//! how many orders each can come, are listed once (as E. Farmer's and others' programs do); what each is worth from a shoe is
//! a product of falling factorials. The multisets are kept as a tree by value, so that those that begin alike share the
//! product. For very many hands at once there is [`gone`](super::gone).

use super::shoe::{BEST, Shoe};

/// From 17 to 21, and beyond.
pub(super) const N_ENDS: usize = 6;

/// The tree of a first card.
pub(super) struct Draws {
    /// Each node after its parent.
    nodes: Vec<Node>,
    /// Where each node's product is, while it is worked out, lies at its depth.
    depth: usize,
    /// The multisets themselves, how the dealer ends with each, and in how many orders they come.
    pub(super) multisets: Vec<([u8; 10], u8, u32)>,
}

#[derive(Clone, Copy)]
struct Node {
    /// The value of the card added, from 0 for the ace, and how many of that value came before.
    value: u8,
    nth: u8,
    /// How many cards, the added one included.
    depth: u8,
    end: u8,
    /// In how many orders the dealer draws these cards and then ends; 0 where it does not.
    n_orders: u32,
}

impl Draws {
    /// After the card of this value that lies face up, from 0 for the ace, when the card that lies face down makes no natural.
    pub(super) fn from_up(up: usize, hits_soft_17: bool) -> Draws {
        Draws::from(
            up + 1,
            up == 0,
            hits_soft_17,
            match up {
                0 => Some(9),
                9 => Some(0),
                _ => None,
            },
        )
    }

    /// After cards of this hard count, with an ace or without.
    pub(super) fn from(hard: usize, ace: bool, hits_soft_17: bool, not_first: Option<usize>) -> Draws {
        let ends = |hard: usize, ace: bool| {
            let soft = ace && hard + 10 <= BEST;
            let count = if soft { hard + 10 } else { hard };
            let goes_on = count < 17 || hits_soft_17 && soft && count == 17;
            (!goes_on).then(|| count.min(BEST + 1) - 17)
        };
        let mut finished = std::collections::BTreeMap::new();
        let mut going = std::collections::BTreeMap::from([([0u8; 10], 1u32)]);
        while let Some((cards, n_orders)) = going.pop_first() {
            let drawn: usize = cards.iter().enumerate().map(|(value, &n)| (value + 1) * usize::from(n)).sum();
            if let Some(end) = ends(hard + drawn, ace || cards[0] > 0) {
                finished.insert(cards, (end as u8, n_orders));
                continue;
            }
            let is_first = drawn == 0;
            for value in (0..10).filter(|&value| !(is_first && not_first == Some(value))) {
                let mut more = cards;
                more[value] += 1;
                *going.entry(more).or_insert(0) += n_orders;
            }
        }
        let multisets: Vec<([u8; 10], u8, u32)> =
            finished.into_iter().map(|(cards, (end, n_orders))| (cards, end, n_orders)).collect();
        // As words of values from the highest, those that begin alike stand together.
        let mut words: Vec<(Vec<u8>, u8, u32)> = multisets
            .iter()
            .map(|&(cards, end, n_orders)| {
                let word = (0..10u8).rev().flat_map(|value| vec![value; cards[usize::from(value)].into()]).collect();
                (word, end, n_orders)
            })
            .collect();
        words.sort();
        let mut draws = Draws { nodes: Vec::new(), depth: 0, multisets };
        let mut last: Vec<u8> = Vec::new();
        for (word, end, n_orders) in words {
            let alike = word.iter().zip(&last).take_while(|(one, other)| one == other).count();
            for at in alike..word.len() {
                let nth = word[..at].iter().filter(|&&value| value == word[at]).count() as u8;
                draws.nodes.push(Node { value: word[at], nth, depth: at as u8 + 1, end: 0, n_orders: 0 });
            }
            match draws.nodes.last_mut().filter(|_| !word.is_empty()) {
                Some(node) => (node.end, node.n_orders) = (end, n_orders),
                // The dealer stands at once.
                None => draws.nodes.push(Node { value: 0, nth: 0, depth: 0, end, n_orders: 1 }),
            }
            draws.depth = draws.depth.max(word.len());
            last = word;
        }
        draws
    }

    /// How likely each end is. Together they are as likely as that the first card is allowed.
    pub(super) fn ends(&self, shoe: &Shoe) -> [f64; N_ENDS] {
        let mut factors = [[0.0; MOST_ALIKE]; 10];
        for value in 0..10 {
            for nth in 0..BEST / (value + 1) {
                factors[value][nth] = (shoe.left[value] - shoe.taken * nth as f64).max(0.0);
            }
        }
        let mut inverse = [1.0; MOST_ALIKE + 1];
        for nth in 0..self.depth {
            inverse[nth + 1] = inverse[nth] / (shoe.total - shoe.taken * nth as f64).max(1.0);
        }
        let mut products = [1.0; MOST_ALIKE + 1];
        let mut ends = [0.0; N_ENDS];
        for node in &self.nodes {
            let depth = usize::from(node.depth);
            if depth > 0 {
                products[depth] = products[depth - 1] * factors[usize::from(node.value)][usize::from(node.nth)];
            }
            if node.n_orders > 0 {
                ends[usize::from(node.end)] += f64::from(node.n_orders) * products[depth] * inverse[depth];
            }
        }
        ends
    }
}

/// No hand of the dealer has more cards, and more of one value.
pub(super) const MOST_ALIKE: usize = BEST;

/// What a hand that counts so much wins on average, in wagers.
#[inline]
pub(super) fn stands(ends: &[f64; N_ENDS], count: usize) -> f64 {
    // By how much the count is above 16, the dealer's ends that lose, draw and win against it.
    const WON: [[f64; N_ENDS]; N_ENDS] = {
        let mut won = [[-1.0; N_ENDS]; N_ENDS];
        let mut above = 0;
        while above < N_ENDS {
            let mut end = 0;
            while end < above {
                won[above][end] = if end + 1 == above { 0.0 } else { 1.0 };
                end += 1;
            }
            won[above][N_ENDS - 1] = 1.0;
            above += 1;
        }
        won
    };
    let won = &WON[count.saturating_sub(16)];
    ends.iter().zip(won).map(|(likely, won)| likely * won).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Draw by draw.
    fn plainly(hard: usize, ace: bool, h17: bool, not_first: Option<usize>, shoe: Shoe, ends: &mut [f64; 6], by: f64) {
        let soft = ace && hard + 10 <= BEST;
        let count = if soft { hard + 10 } else { hard };
        if count > 17 || count == 17 && !(h17 && soft) {
            ends[count.min(22) - 17] += by;
            return;
        }
        for value in (0..10).filter(|&value| not_first != Some(value) && shoe.left[value] > 0.0) {
            let (hard, ace) = (hard + value + 1, ace || value == 0);
            plainly(hard, ace, h17, None, shoe.without(value, 1), ends, by * shoe.chance(value));
        }
    }

    #[test]
    fn multisets_are_worth_what_draw_by_draw_is() {
        for (decks, h17) in [(0, false), (1, false), (1, true), (6, true)] {
            for up in 0..10 {
                let shoe = Shoe::full(decks).without(up, 1).without(4, 2).without(0, 3);
                let not_first = [Some(9), None, None, None, None, None, None, None, None, Some(0)][up];
                let mut expected = [0.0; 6];
                plainly(up + 1, up == 0, h17, not_first, shoe, &mut expected, 1.0);
                let ends = Draws::from_up(up, h17).ends(&shoe);
                assert!(
                    ends.iter().zip(expected).all(|(one, other)| (one - other).abs() < 1e-14),
                    "{ends:?} {expected:?}"
                );
            }
        }
    }

    #[test]
    fn the_dealer_ends_as_measured_by_others() {
        // Six decks, standing on all 17s, over all first cards: from 17 to 21, beyond, and naturals.
        let shoe = Shoe::full(6);
        let (mut ends, mut naturals) = ([0.0; 6], 0.0);
        for up in 0..10 {
            let left = shoe.without(up, 1);
            let of_up = Draws::from_up(up, false).ends(&left);
            naturals += shoe.chance(up) * (1.0 - of_up.iter().sum::<f64>());
            (0..6).for_each(|end| ends[end] += shoe.chance(up) * of_up[end]);
        }
        let others = [0.14525, 0.13926, 0.13368, 0.17953, 0.07287, 0.28192];
        assert!(ends.iter().zip(others).all(|(one, other)| (one - other).abs() < 5.1e-6), "{ends:?}");
        assert!((naturals - 0.04749).abs() < 5.1e-6);
    }
}
