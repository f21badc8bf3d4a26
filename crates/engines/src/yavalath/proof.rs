//! Who wins between two seats: depth-first proof-number search (A. Nagai's df-pn) with forced replies, on boards of
//! up to 61 cells.
//!
//! - A seat that can make four does, and wins. One that faces a four must put its stone there; two of them, or one on
//!   a cell where the stone makes three, are lost. Cells that make three are played by nobody else. So a seat that
//!   threatens at every ply leaves no choice.
//! - Positions that one of the twelve symmetries makes one are kept once, while few stones lie.
//! - A question has two answers only: whether the seat to act does at least so well, draws being counted for one of
//!   the seats. Two questions give the value.
//!
//! What the result promises: the answer, or that time or room ran out. No position comes back, so proofs do not
//! depend on the path. When the table is full, what took least work is forgotten; proofs of the root do not rest on
//! what was forgotten before they are complete.

use raichi_core::game::Game;
use raichi_games::yavalath::{State, Yavalath};
use rustc_hash::FxHashMap;

/// Places (i, j) of the hexagon in rows of a fixed width, with a free place at the end of each, so that lines are
/// shifts.
type Places = u128;

/// The stones of the seat to act and of the other one.
pub(super) type Stones = [Places; 2];

/// A number of proof that says: never.
const INFINITE: u32 = u32::MAX / 2;

/// With more stones positions are rarely symmetric to one another.
const MOST_STONES_TURNED: u32 = 9;

/// Where everything lies.
pub(super) struct Board {
    all: Places,
    /// The steps along the three directions.
    steps: [u32; 3],
    /// For each cell its place.
    places: Vec<Places>,
    /// For each symmetry, eight places at a time: the cells that they become.
    images: Vec<Vec<[u64; 256]>>,
}

impl Board {
    /// # Panics
    /// When the board has more than 5 cells along each side.
    pub(super) fn new(game: &Yavalath) -> Board {
        // The three lines run along (0, 1), (1, 0), (1, 1); the first has i as its number and j along it.
        let at: Vec<(u8, u8)> = (0..game.n_cells()).map(|cell| game.lines_of(cell)[0]).collect();
        let width = 1 + at.iter().map(|&(_, j)| u32::from(j)).max().expect("there are cells") + 1;
        let places: Vec<Places> = at.iter().map(|&(i, j)| 1 << (u32::from(i) * width + u32::from(j))).collect();
        let all = places.iter().fold(0, |all, place| all | place);
        assert!(game.n_cells() < 64, "a word holds the cells and one bit more");
        let n_bytes = (128 - all.leading_zeros()).div_ceil(8) as usize;
        let images = (0..game.n_symmetries()).map(|symmetry| {
            let mut images = [0u64; 128];
            for (cell, place) in places.iter().enumerate() {
                images[place.trailing_zeros() as usize] = 1 << game.map_action(symmetry, cell as u8);
            }
            let of_byte = |byte: usize| {
                let mut table = [0; 256];
                for bits in 1..256usize {
                    // The lowest bit, and what is left.
                    let lowest = bits.trailing_zeros() as usize;
                    table[bits] = table[bits & (bits - 1)] | images[8 * byte + lowest];
                }
                table
            };
            (0..n_bytes).map(of_byte).collect()
        });
        let images = images.collect();
        Board { all, steps: [1, width, width + 1], places, images }
    }

    /// The stones of the seat to act and of the other.
    pub(super) fn stones(&self, game: &Yavalath, state: &State) -> Stones {
        let of = |seat: usize| {
            let lines = &state.lines(seat)[0];
            let cells = (0..game.n_cells()).filter(|&cell| {
                let (line, along) = game.lines_of(cell)[0];
                lines[usize::from(line)] >> along & 1 == 1
            });
            cells.fold(0, |stones, cell| stones | self.places[usize::from(cell)])
        };
        [of(state.to_act()), of(1 - state.to_act())]
    }

    /// The free places where a stone makes four.
    #[inline]
    fn fours(&self, own: Places, free: Places) -> Places {
        let mut fours = 0;
        for step in self.steps {
            let (up, up2, down, down2) = (own << step, own << (2 * step), own >> step, own >> (2 * step));
            fours |= up & up2 & (own << (3 * step)) | down & up & (up2 | down2) | down & down2 & (own >> (3 * step));
        }
        fours & free
    }

    /// The free places where a stone makes three in a row.
    #[inline]
    fn threes(&self, own: Places, free: Places) -> Places {
        let mut threes = 0;
        for step in self.steps {
            let (up, up2, down, down2) = (own << step, own << (2 * step), own >> step, own >> (2 * step));
            threes |= up & up2 | up & down | down & down2;
        }
        threes & free
    }

    fn image(&self, symmetry: usize, places: Places) -> u64 {
        let bytes = places.to_le_bytes();
        self.images[symmetry].iter().zip(bytes).fold(0, |cells, (table, byte)| cells | table[usize::from(byte)])
    }

    fn key(&self, stones: &Stones, draws_count: bool) -> Key {
        let of = |symmetry: usize| [0, 1].map(|side| self.image(symmetry, stones[side]));
        let few = (stones[0] | stones[1]).count_ones() <= MOST_STONES_TURNED;
        let n = if few { self.images.len() } else { 1 };
        let [own, other] = (0..n).map(of).min().expect("there is the identity");
        (own, other | u64::from(draws_count) << 63)
    }

    /// What there is to do.
    fn options(&self, stones: &Stones) -> Options {
        let free = self.all & !(stones[0] | stones[1]);
        if self.fours(stones[0], free) != 0 {
            return Options::Won;
        }
        let threats = self.fours(stones[1], free);
        let safe = free & !self.threes(stones[0], free);
        match threats.count_ones() {
            0 if free == 0 => Options::Drawn,
            0 if safe != 0 => Options::Choose(safe),
            1 if threats & safe != 0 => Options::Choose(threats),
            _ => Options::Lost,
        }
    }
}

/// What the seat to act can do.
enum Options {
    Won,
    Lost,
    Drawn,
    Choose(Places),
}

/// Cells of the seat to act and the other; the last bit says whether draws count for the seat to act.
type Key = (u64, u64);

#[derive(Clone, Copy)]
struct Entry {
    /// 0 where the seat to act does so well, [`INFINITE`] where it does not.
    phi: u32,
    delta: u32,
    /// How many nodes it took.
    work: u32,
}

/// Why there is no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stopped;

/// The search with its table, which is kept from question to question.
pub(super) struct Search {
    board: Board,
    table: FxHashMap<Key, Entry>,
    most_entries: usize,
    n_nodes: u64,
}

impl Search {
    pub(super) fn new(game: &Yavalath) -> Search {
        Search { board: Board::new(game), table: FxHashMap::default(), most_entries: usize::MAX, n_nodes: 0 }
    }

    pub(super) fn board(&self) -> &Board {
        &self.board
    }

    /// How many positions the table holds, how many nodes were worked on, what the table takes.
    pub(super) fn statistics(&self) -> raichi_solve::Statistics {
        let bytes = self.table.capacity() * (size_of::<(Key, Entry)>() + 1);
        raichi_solve::Statistics { positions: self.table.len() as u64, nodes: self.n_nodes, bytes: bytes as u64 }
    }

    /// What the position is worth to the seat to act: 1, 0 or −1.
    pub(super) fn value(
        &mut self,
        stones: &Stones,
        bytes: usize,
        is_over: &mut dyn FnMut() -> bool,
    ) -> Result<i8, Stopped> {
        if self.does(stones, false, bytes, is_over)? {
            return Ok(1);
        }
        Ok(if self.does(stones, true, bytes, is_over)? { 0 } else { -1 })
    }

    /// Whether the seat to act wins, or does not lose where draws count for it.
    pub(super) fn does(
        &mut self,
        stones: &Stones,
        draws_count: bool,
        bytes: usize,
        is_over: &mut dyn FnMut() -> bool,
    ) -> Result<bool, Stopped> {
        // A table that grows has twice the room, and the old one beside it.
        self.most_entries = (bytes / (4 * (size_of::<(Key, Entry)>() + 1))).max(1 << 10);
        let key = self.board.key(stones, draws_count);
        loop {
            let entry = self.look_at(stones, draws_count, key);
            if entry.phi == 0 || entry.delta == 0 {
                return Ok(entry.phi == 0);
            }
            self.work(stones, draws_count, key, [INFINITE, INFINITE], is_over)?;
        }
    }

    /// What is known of a position, or what it looks like.
    fn look_at(&self, stones: &Stones, draws_count: bool, key: Key) -> Entry {
        if let Some(&entry) = self.table.get(&key) {
            return entry;
        }
        let (phi, delta) = match self.board.options(stones) {
            Options::Won => (0, INFINITE),
            Options::Lost => (INFINITE, 0),
            Options::Drawn if draws_count => (0, INFINITE),
            Options::Drawn => (INFINITE, 0),
            // Each action must be refuted for the seat to fail.
            Options::Choose(places) => (1, places.count_ones()),
        };
        Entry { phi, delta, work: 0 }
    }

    /// Works on a position until a number reaches its bound.
    fn work(
        &mut self,
        stones: &Stones,
        draws_count: bool,
        key: Key,
        bounds: [u32; 2],
        is_over: &mut dyn FnMut() -> bool,
    ) -> Result<(), Stopped> {
        self.n_nodes += 1;
        // A node looks at all its successors, time and again.
        if self.n_nodes.is_multiple_of(8) && is_over() {
            return Err(Stopped);
        }
        let Options::Choose(places) = self.board.options(stones) else { return Ok(()) };
        let mut children: Vec<(Stones, Key)> = Vec::with_capacity(places.count_ones() as usize);
        let mut left = places;
        while left != 0 {
            let place = left & left.wrapping_neg();
            left ^= place;
            let next = [stones[1], stones[0] | place];
            let key = self.board.key(&next, !draws_count);
            // Symmetric actions count once.
            if children.iter().all(|&(_, other)| other != key) {
                children.push((next, key));
            }
        }
        let before = self.n_nodes;
        loop {
            let (mut phi, mut delta, mut second) = (INFINITE, 0u32, INFINITE);
            let mut best = (0, 0);
            for (i, &(next, key)) in children.iter().enumerate() {
                let child = self.look_at(&next, !draws_count, key);
                if child.delta < phi {
                    second = phi;
                    phi = child.delta;
                    best = (i, child.phi);
                } else if child.delta < second {
                    second = child.delta;
                }
                delta = (delta + child.phi).min(INFINITE);
            }
            // A child that is won for the other seat has phi 0 and delta INFINITE, one that is lost the reverse.
            if phi == 0 {
                delta = INFINITE;
            }
            let work = (self.n_nodes - before).min(u64::from(u32::MAX)) as u32;
            let earlier = self.table.get(&key).map_or(0, |entry| entry.work);
            if phi >= bounds[0] || delta >= bounds[1] || phi == 0 || delta == 0 {
                self.store(key, Entry { phi, delta, work: earlier.saturating_add(work) });
                break Ok(());
            }
            let (next, child_key) = children[best.0];
            let most_phi = (bounds[1] - (delta - best.1.min(delta))).min(INFINITE);
            let most_delta = bounds[0].min(second.saturating_add(1 + second / 4)).min(INFINITE);
            let stopped = self.work(&next, !draws_count, child_key, [most_phi, most_delta], is_over);
            if stopped.is_err() {
                self.store(key, Entry { phi, delta, work: earlier.saturating_add(work) });
                break stopped;
            }
        }
    }

    fn store(&mut self, key: Key, entry: Entry) {
        if self.table.len() >= self.most_entries {
            self.forget();
        }
        self.table.insert(key, entry);
    }

    /// Forgets the positions that took least work, half of all.
    fn forget(&mut self) {
        let mut works: Vec<u32> = self.table.values().map(|entry| entry.work).collect();
        let middle = works.len() / 2;
        let (_, &mut median, _) = works.select_nth_unstable(middle);
        self.table.retain(|_, entry| entry.work > median);
    }
}
