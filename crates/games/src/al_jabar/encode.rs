//! The position as numbers: a grid of how many pieces of each colour lie where, and whose turn it is. An exchange has the
//! number of what is given times the number of what may be taken plus that of what is taken, where sets of pieces are
//! numbered by size and then by the combinatorial number system: no list is looked through. Factors: the words, each piece that is
//! given and each that is taken, those of one colour told apart by how many came before.

use std::cmp::Ordering;

use raichi_core::encoding::{Block, Encoding, Layout, relative_seat, seat_names, seats_from_this};
use raichi_core::seat::Seat;

use super::exchanges::Exchange;
use super::group::{Colour, MAX_ORDER};
use super::pieces::Pieces;
use super::rules::{Action, AlJabar, Stage, State};
use super::sets::{Set, n_sets};

const WORDS: [Action; 3] = [Action::Draw, Action::Pass, Action::Final];
const STAGE: [&str; 5] = ["pieces are dealt", "a seat acts", "a seat that has drawn acts", "a piece is drawn", "over"];

impl Encoding for AlJabar {
    fn layout(&self) -> Layout {
        let n = self.n_seats();
        let most = self.most_zeros().max(self.copies.into());
        let piles = seats_from_this(n).into_iter().chain(["Center".into(), "bag".into()]);
        let colours = self.group().colours().map(|colour| self.group().colour_text(colour));
        Layout::new([
            // A row for each seat, from this one on, then the Center and the bag; a column for each colour.
            Block::amounts_on_grid("pieces", n + 2, self.group().order(), most.into(), "pieces of a colour")
                .headed(piles, colours),
            Block::named("stage", 1, &STAGE),
            Block::named("final round", 1, &["no", "yes"]),
            Block::amounts("rounds completed", 1, self.max_rounds as i32, "rounds"),
            Block::named("draws", 1, &seat_names("nobody", n)),
            Block::to_act(n),
        ])
    }

    fn observe(&self, state: &State, seat: Seat, observation: &mut [i32]) {
        let (n, order) = (self.n_seats(), self.group().order());
        let (grid, rest) = observation.split_at_mut((n + 2) * order);
        let hands = (0..n).map(|nth| &state.hands[(seat + nth) % n]);
        for (pile, row) in hands.chain([&state.center, &state.bag]).zip(grid.chunks_exact_mut(order)) {
            count_colours(pile, row);
        }
        let whose = relative_seat(seat, state.to_act.into(), n);
        let (stage, draws, acts) = match state.stage {
            Stage::Deal(_) => (0, 0, 0),
            Stage::Turn { drawn } => (1 + i32::from(drawn), 0, whose),
            Stage::Draw => (3, whose, 0),
            Stage::Over => (4, 0, 0),
        };
        rest.copy_from_slice(&[stage, state.signalled.into(), state.round as i32, draws, acts]);
    }

    fn n_actions(&self) -> u64 {
        let n_sets = self.n_sets();
        let n_given = n_sets + u64::from(self.sets().spectrum().is_some());
        WORDS.len() as u64 + n_given * n_sets
    }

    fn action_number(&self, action: Action) -> u64 {
        match action {
            Action::Draw => 0,
            Action::Pass => 1,
            Action::Final => 2,
            Action::Exchange(Exchange { give, take }) => {
                // What is given may also be the spectrum, which has the last number where it is larger than all others.
                let is_spectrum = Some(give) == self.sets().spectrum();
                let given = if is_spectrum { self.n_sets() } else { self.set_number(self.sets().get(give)) };
                WORDS.len() as u64 + given * self.n_sets() + self.set_number(self.sets().get(take))
            }
        }
    }

    fn n_factors(&self) -> u64 {
        WORDS.len() as u64 + 2 * self.n_pieces()
    }

    fn factors(&self, action: Action, factors: &mut Vec<u64>) {
        factors.clear();
        match action {
            Action::Exchange(Exchange { give, take }) => {
                for (first, set) in [(0, give), (self.n_pieces(), take)] {
                    let first = WORDS.len() as u64 + first;
                    factors.extend(self.pieces(self.sets().get(set)).map(|piece| first + piece));
                }
            }
            _ => factors.push(self.action_number(action)),
        }
    }

    fn numbered_action(&self, number: u64) -> Option<Action> {
        if let Some(&word) = WORDS.get(usize::try_from(number).ok()?) {
            return Some(word);
        }
        let (n_sets, pair) = (self.n_sets(), number - WORDS.len() as u64);
        let (given, taken) = (pair / n_sets, pair % n_sets);
        let numbered = |number| self.sets().find(&self.numbered_set(number));
        let give = match given.cmp(&n_sets) {
            Ordering::Less => numbered(given),
            Ordering::Equal => self.sets().spectrum(),
            Ordering::Greater => None,
        };
        Some(Action::Exchange(Exchange { give: give?, take: numbered(taken)? }))
    }

    fn map_observation(&self, symmetry: usize, observation: &[i32], image: &mut [i32]) {
        let (group, order) = (self.group(), self.group().order());
        image.copy_from_slice(observation);
        let n_grid = (self.n_seats() + 2) * order;
        let rows = observation[..n_grid].chunks_exact(order).zip(image[..n_grid].chunks_exact_mut(order));
        for (row, image) in rows {
            for colour in group.colours() {
                image[group.place(self.symmetry(symmetry)[colour.index()])] = row[group.place(colour)];
            }
        }
    }
}

fn count_colours(pile: &Pieces, row: &mut [i32]) {
    let (zeros, coloured) = row.split_last_mut().expect("every group has a zero");
    for (colour, entry) in (0..).map(Colour).zip(coloured) {
        *entry = pile.count(colour).into();
    }
    *zeros = pile.count(Colour::ZERO).into();
}

/// How many ways there are to choose k of n; both are small.
const fn choose(n: u64, k: u64) -> u64 {
    let (mut ways, mut i) = (1, 0);
    while i < k {
        // The first factors make up C(n, i), times n − i, which i + 1 divides.
        ways = ways * n.saturating_sub(i) / (i + 1);
        i += 1;
    }
    ways
}

impl AlJabar {
    /// How many sets of so many pieces there are, repetition allowed.
    fn n_sets_of(&self, size: u64) -> u64 {
        choose(self.group().order() as u64 + size - 1, size)
    }

    /// How many sets there are that can be given and taken, the spectrum left out.
    fn n_sets(&self) -> u64 {
        n_sets(self.group().order(), self.house.limit.into())
    }

    /// Smaller sets come first. Of one size, the places c₀ ≤ c₁ ≤ … of the colours, made distinct by adding 0, 1, …, are
    /// a combination, whose number is the sum of C(c₀, 1), C(c₁ + 1, 2), ….
    fn set_number(&self, set: &[Colour]) -> u64 {
        let smaller: u64 = (1..set.len() as u64).map(|size| self.n_sets_of(size)).sum();
        let places = set.iter().map(|&colour| self.group().place(colour) as u64);
        smaller + (0..).zip(places).map(|(i, place)| choose(place + i, i + 1)).sum::<u64>()
    }

    /// How many pieces can be told apart in a set: so many of each colour as a set has at most.
    fn n_pieces(&self) -> u64 {
        self.group().order() as u64 * u64::from(self.house.limit)
    }

    /// The pieces of a set, in which those of one colour lie side by side.
    fn pieces(&self, set: &[Colour]) -> impl Iterator<Item = u64> {
        set.chunk_by(|a, b| a == b).flat_map(|same| {
            let first = self.group().place(same[0]) as u64 * u64::from(self.house.limit);
            (0..same.len() as u64).map(move |nth| first + nth)
        })
    }

    /// The set of this number, which is below [`AlJabar::n_sets`].
    fn numbered_set(&self, number: u64) -> Set {
        let (mut size, mut left) = (1, number);
        while left >= self.n_sets_of(size) {
            left -= self.n_sets_of(size);
            size += 1;
        }
        let mut set = Set::new();
        for i in (0..size).rev() {
            let fits = |&place: &u64| choose(place + i, i + 1) <= left;
            let place = (0..MAX_ORDER as u64).take_while(fits).last().unwrap_or(0);
            left -= choose(place + i, i + 1);
            set.push(if place == self.group().n_coloured() as u64 { Colour::ZERO } else { Colour(place as u8) });
        }
        set.reverse();
        set
    }
}
