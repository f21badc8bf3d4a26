//! The hands of both seats in the order in which loops go through them, and the river cards that have to be told apart.

use raichi_games::cards::{Card, CardSet, N_CARDS, SUIT_MAPS};

use super::super::equity::Range;
use super::super::evaluator::Evaluator;

/// Loops take so many hands at once.
pub(super) const WIDTH: usize = 8;

/// The hands that a seat can hold, each with its weight at the beginning.
#[derive(Clone, Debug)]
pub(super) struct Hands {
    pub(super) cards: Vec<CardSet>,
    pub(super) weights: Vec<f32>,
}

impl Hands {
    /// Those that the board leaves.
    pub(super) fn new(range: &Range, board: CardSet) -> Hands {
        let left = range.hands().iter().filter(|(hole, _)| hole.minus(board) == *hole);
        let (cards, weights) = left.map(|&(hole, weight)| (hole, weight as f32)).unzip();
        Hands { cards, weights }
    }
}

/// One seat's hands on a board.
#[derive(Clone, Debug)]
pub(super) struct Side {
    /// How many hands there are.
    pub(super) n: usize,
    /// How many places a vector over them has: a multiple of [`WIDTH`], and one that is empty at least.
    pub(super) stride: usize,
    /// Which of the seat's [`Hands`] each is.
    pub(super) order: Vec<u16>,
    pub(super) cards: Vec<[u8; 2]>,
    /// Where the other seat's vectors have the same hand; an empty place where it has not.
    pub(super) same: Vec<u16>,
    /// Hands of equal strength, weakest first; none before the river.
    pub(super) groups: Vec<Group>,
}

/// Hands of a seat that are equally strong.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    /// Where the seat's own hands of this strength end.
    pub(super) end: u16,
    /// Where the other seat's weaker hands end.
    pub(super) below: u16,
    /// Where the other seat's hands of this strength end.
    pub(super) equal: u16,
}

/// Both seats' hands on a board.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) sides: [Side; 2],
}

impl Layout {
    /// On a board before the river, in the order in which they are; on the river, weakest first.
    pub(super) fn new(hands: &[Hands; 2], board: CardSet) -> Layout {
        let strengths = |side: &Hands| -> Vec<(u16, u16)> {
            let evaluator = Evaluator::get();
            let on_board = evaluator.on_board(board);
            let left = (0..side.cards.len()).filter(|&nth| side.cards[nth].minus(board) == side.cards[nth]);
            let strength = |nth: usize| match board.len() {
                5 => on_board.evaluate(evaluator.cards(side.cards[nth])),
                _ => 0,
            };
            let mut found: Vec<(u16, u16)> = left.map(|nth| (strength(nth), nth as u16)).collect();
            found.sort_unstable();
            found
        };
        let sorted = [strengths(&hands[0]), strengths(&hands[1])];
        let side = |seat: usize| {
            let (own, other) = (&sorted[seat], &sorted[1 - seat]);
            let order: Vec<u16> = own.iter().map(|&(_, nth)| nth).collect();
            let cards: Vec<CardSet> = order.iter().map(|&nth| hands[seat].cards[usize::from(nth)]).collect();
            let place = |hand: &CardSet| {
                let found = other.iter().position(|&(_, nth)| hands[1 - seat].cards[usize::from(nth)] == *hand);
                found.unwrap_or(other.len()) as u16
            };
            let groups = if board.len() == 5 { groups(own, other) } else { Vec::new() };
            Side {
                n: own.len(),
                stride: (own.len() / WIDTH + 1) * WIDTH,
                same: cards.iter().map(place).collect(),
                cards: cards.iter().map(|&hand| two(hand)).collect(),
                order,
                groups,
            }
        };
        Layout { sides: [side(0), side(1)] }
    }
}

fn groups(own: &[(u16, u16)], other: &[(u16, u16)]) -> Vec<Group> {
    let mut end = 0;
    let group = |group: &[(u16, u16)]| {
        let strength = group[0].0;
        end += group.len();
        Group {
            end: end as u16,
            below: other.partition_point(|entry| entry.0 < strength) as u16,
            equal: other.partition_point(|entry| entry.0 <= strength) as u16,
        }
    };
    own.chunk_by(|one, other| one.0 == other.0).map(group).collect()
}

fn two(hand: CardSet) -> [u8; 2] {
    let mut cards = hand.iter().map(|card| card.index() as u8);
    [(); 2].map(|()| cards.next().expect("a hand has two cards"))
}

/// River cards that are alike: exchanges of suits that change neither the board nor a range make one of the other.
#[derive(Clone, Debug)]
pub(super) struct River {
    #[cfg_attr(not(test), expect(dead_code, reason = "read by the tests' plain form"))]
    pub(super) card: Card,
    pub(super) layout: Layout,
    /// For each card that is alike, this one first, and each seat: which of its [`Hands`] has the value of each hand here.
    pub(super) images: Vec<[Vec<u16>; 2]>,
}

/// All river cards that the turn's board leaves; alike ones are taken together where `exchange` says so.
pub(super) fn rivers(hands: &[Hands; 2], board: CardSet, exchange: bool) -> Vec<River> {
    let index = hands.each_ref().map(index);
    let maps: Vec<[u8; 4]> = SUIT_MAPS
        .into_iter()
        .take(if exchange { SUIT_MAPS.len() } else { 1 })
        .filter(|&map| board.with_suits(map) == board)
        .filter(|&map| (0..2).all(|seat| is_symmetric(&hands[seat], &index[seat], map)))
        .collect();
    let mut seen = board;
    let mut found = Vec::new();
    for card in Card::all() {
        if seen.contains(card) {
            continue;
        }
        let full = board.union([card].into_iter().collect());
        let layout = Layout::new(hands, full);
        let mut images = Vec::new();
        for &map in &maps {
            let image = card.with_suits(map);
            if seen.contains(image) {
                continue;
            }
            seen.insert(image);
            images.push([0, 1].map(|seat| {
                let of = |&nth: &u16| index[seat].of(hands[seat].cards[usize::from(nth)].with_suits(map));
                let image = layout.sides[seat].order.iter().map(of);
                image.map(|nth| nth.expect("the range has the image of each of its hands")).collect()
            }));
        }
        found.push(River { card, layout, images });
    }
    found
}

/// Where each hand is among a seat's hands.
struct Index(Vec<Option<u16>>);

fn index(hands: &Hands) -> Index {
    let mut places = vec![None; N_CARDS * N_CARDS];
    for (nth, &hand) in hands.cards.iter().enumerate() {
        let [low, high] = two(hand);
        places[usize::from(low) * N_CARDS + usize::from(high)] = Some(nth as u16);
    }
    Index(places)
}

impl Index {
    fn of(&self, hand: CardSet) -> Option<u16> {
        let [low, high] = two(hand);
        self.0[usize::from(low) * N_CARDS + usize::from(high)]
    }
}

fn is_symmetric(hands: &Hands, index: &Index, map: [u8; 4]) -> bool {
    hands.cards.iter().zip(&hands.weights).all(|(hand, weight)| {
        let image = index.of(hand.with_suits(map));
        image.is_some_and(|image| hands.weights[usize::from(image)] == *weight)
    })
}
