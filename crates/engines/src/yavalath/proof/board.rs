//! Stones as bits, what they threaten, and the plies that are forced.

use num_traits::PrimInt;
use raichi_core::game::Game;
use raichi_games::yavalath::{State, Yavalath};

/// A bit a place. Places (i, j) of the hexagon lie in rows of a fixed width, with a free place at the end of each, so that
/// lines are shifts. The same word holds the number of a position: a digit to the base of three a cell, and one bit more.
pub(in crate::yavalath) trait Places: PrimInt + Send + Sync + 'static {}

/// For boards of up to 37 cells, four along each side.
impl Places for u64 {}

/// For boards of up to 61 cells, five along each side.
impl Places for u128 {}

/// The stones of the seat to act and of the other one.
pub(in crate::yavalath) type Stones<P> = [P; 2];

/// With more stones positions are rarely symmetric to one another.
const MOST_STONES_BY_SYMMETRY: u32 = 9;

/// Where everything lies.
pub(in crate::yavalath) struct Board<P> {
    all: P,
    /// The steps along the three directions.
    steps: [usize; 3],
    /// For each cell its place.
    places: Vec<P>,
    /// For each symmetry, eight places at a time: the sum of the digits' values at the cells that they become.
    images: Vec<Vec<[P; 256]>>,
}

/// Where play stands once all that is forced has been played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::yavalath) enum Settled<P> {
    Won,
    Lost,
    Drawn,
    Open(Open<P>),
}

/// A position in which nobody can make four.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::yavalath) struct Open<P> {
    pub(super) stones: Stones<P>,
    /// The free places where the seat to act makes no three; there is one.
    pub(super) safe: P,
    /// Whether the seat to act is the one that was to act before what was forced.
    pub(super) is_same_seat: bool,
}

impl<P: Places> Open<P> {
    /// Whether few stones lie, so that two actions may lead to images of one position.
    pub(super) fn may_have_images(&self) -> bool {
        (self.stones[0] | self.stones[1]).count_ones() < MOST_STONES_BY_SYMMETRY
    }
}

/// The places where a stone threatens to make four.
#[derive(Clone, Copy, Debug)]
pub(super) struct Threats<P> {
    pub(super) all: P,
    /// Those that threaten it twice, or where the other seat may not put its stone.
    pub(super) decisive: P,
}

#[inline(always)]
fn lowest<P: PrimInt>(places: P) -> P {
    places & (!places + P::one())
}

/// Each place of a set.
#[inline(always)]
pub(super) fn each<P: PrimInt>(mut places: P) -> impl Iterator<Item = P> {
    std::iter::from_fn(move || {
        (!places.is_zero()).then(|| {
            let place = lowest(places);
            places = places ^ place;
            place
        })
    })
}

impl<P: Places> Board<P> {
    /// # Panics
    /// When a word has not room for the board.
    pub(in crate::yavalath) fn new(game: &Yavalath) -> Board<P> {
        let n_bits = 8 * size_of::<P>();
        // The three lines run along (0, 1), (1, 0), (1, 1); the first has i as its number and j along it.
        let at: Vec<(u8, u8)> = (0..game.n_cells()).map(|cell| game.lines_of(cell)[0]).collect();
        let width = 1 + at.iter().map(|&(_, j)| usize::from(j)).max().expect("there are cells") + 1;
        let number = |&(i, j): &(u8, u8)| usize::from(i) * width + usize::from(j);
        assert!(at.iter().all(|at| number(at) < n_bits), "a bit a place");
        let places: Vec<P> = at.iter().map(|at| P::one() << number(at)).collect();
        let all = places.iter().fold(P::zero(), |all, &place| all | place);
        let three = P::from(3).expect("a small number");
        let digits: Vec<P> = (0..game.n_cells()).map(|cell| three.pow(cell.into())).collect();
        let n_bytes = (n_bits - all.leading_zeros() as usize).div_ceil(8);
        let images = (0..game.n_symmetries()).map(|symmetry| {
            let mut images = vec![P::zero(); n_bits];
            for (cell, at) in at.iter().enumerate() {
                images[number(at)] = digits[usize::from(game.map_action(symmetry, cell as u8))];
            }
            let of_byte = |byte: usize| {
                let mut table = [P::zero(); 256];
                for bits in 1..256usize {
                    // The lowest bit, and what is left.
                    table[bits] = table[bits & (bits - 1)] + images[8 * byte + bits.trailing_zeros() as usize];
                }
                table
            };
            (0..n_bytes).map(of_byte).collect()
        });
        let images = images.collect();
        Board { all, steps: [1, width, width + 1], places, images }
    }

    /// The stones of the seat to act and of the other.
    pub(in crate::yavalath) fn stones(&self, game: &Yavalath, state: &State) -> Stones<P> {
        let of = |seat: usize| {
            let lines = &state.lines(seat)[0];
            let cells = (0..game.n_cells()).filter(|&cell| {
                let (line, along) = game.lines_of(cell)[0];
                lines[usize::from(line)] >> along & 1 == 1
            });
            cells.fold(P::zero(), |stones, cell| stones | self.places[usize::from(cell)])
        };
        [of(state.to_act()), of(1 - state.to_act())]
    }

    #[inline(always)]
    fn free(&self, stones: &Stones<P>) -> P {
        self.all & !(stones[0] | stones[1])
    }

    /// The free places where a stone makes four.
    #[inline(always)]
    fn fours(&self, own: P, free: P) -> P {
        let mut fours = P::zero();
        for step in self.steps {
            let (up, up2, down, down2) = (own << step, own << (2 * step), own >> step, own >> (2 * step));
            fours =
                fours | up & up2 & (own << (3 * step)) | down & up & (up2 | down2) | down & down2 & (own >> (3 * step));
        }
        fours & free
    }

    /// The free places where a stone makes three in a row.
    #[inline(always)]
    fn threes(&self, own: P, free: P) -> P {
        let mut threes = P::zero();
        for step in self.steps {
            let (up, up2, down, down2) = (own << step, own << (2 * step), own >> step, own >> (2 * step));
            threes = threes | up & (up2 | down) | down & down2;
        }
        threes & free
    }

    /// What a stone of the seat to act threatens. Four places in a row make a threat where two have its stones and two are
    /// free: a stone on one of these threatens four on the other.
    #[inline(always)]
    pub(super) fn threats(&self, stones: &Stones<P>) -> Threats<P> {
        let [own, other] = *stones;
        let free = self.free(stones);
        let closed = self.threes(other, free);
        let (mut all, mut decisive) = (P::zero(), P::zero());
        for step in self.steps {
            let [one, two, three] = [step, 2 * step, 3 * step];
            let (up, up2, up3) = (own << one, own << two, own << three);
            let (down, down2, down3) = (own >> one, own >> two, own >> three);
            // Places that have the two stones of such a row, the free place `free` and, where the other seat may not put its
            // stone there, also `closed`, all seen from them. A free place is the same one for one distance only.
            let mut add = |own: P, its_free: P, its_closed: P| {
                let found = own & free & its_free;
                decisive = decisive | all & found | found & its_closed;
                all = all | found;
            };
            add(down2 & (down3 | up) | up & up2, free >> one, closed >> one);
            add(up2 & (up3 | down) | down & down2, free << one, closed << one);
            add(down & (down3 | up), free >> two, closed >> two);
            add(up & (up3 | down), free << two, closed << two);
            add(down & down2, free >> three, closed >> three);
            add(up & up2, free << three, closed << three);
        }
        Threats { all, decisive }
    }

    /// Plays what is forced: who can make four does, and who is threatened with four puts a stone there.
    #[inline(always)]
    pub(super) fn settle(&self, mut stones: Stones<P>) -> Settled<P> {
        let mut is_same_seat = true;
        loop {
            let free = self.free(&stones);
            if !self.fours(stones[0], free).is_zero() {
                return if is_same_seat { Settled::Won } else { Settled::Lost };
            }
            if free.is_zero() {
                return Settled::Drawn;
            }
            let threats = self.fours(stones[1], free);
            let safe = free & !self.threes(stones[0], free);
            if threats.is_zero() && !safe.is_zero() {
                return Settled::Open(Open { stones, safe, is_same_seat });
            }
            if threats.count_ones() != 1 || (threats & safe).is_zero() {
                return if is_same_seat { Settled::Lost } else { Settled::Won };
            }
            stones = [stones[1], stones[0] | threats];
            is_same_seat = !is_same_seat;
        }
    }

    /// Whether the seat to act wins by threats of four alone, as far as `n_tries` stones show. Nobody can make four at first.
    #[inline]
    pub(super) fn wins_by_threats(&self, stones: &Stones<P>, safe: P, n_tries: &mut u32) -> bool {
        let threats = self.threats(stones);
        if !(threats.decisive & safe).is_zero() {
            return true;
        }
        for place in each(threats.all & safe) {
            if *n_tries == 0 {
                return false;
            }
            *n_tries -= 1;
            // The other seat must reply.
            let wins = match self.settle([stones[1], stones[0] | place]) {
                Settled::Lost => true,
                Settled::Open(Open { stones, safe, is_same_seat: false }) => {
                    self.wins_by_threats(&stones, safe, n_tries)
                }
                _ => false,
            };
            if wins {
                return true;
            }
        }
        false
    }

    /// The free places where the seat to act makes no three.
    #[inline(always)]
    pub(super) fn safe(&self, stones: &Stones<P>) -> P {
        let free = self.free(stones);
        free & !self.threes(stones[0], free)
    }

    #[inline(always)]
    fn image(&self, symmetry: usize, places: P) -> P {
        let byte = |i: usize| (places >> (8 * i)).to_u128().unwrap_or_default() as usize & 255;
        let tables = self.images[symmetry].iter().enumerate();
        tables.fold(P::zero(), |sum, (i, table)| sum + table[byte(i)])
    }

    /// The number of a position: with few stones the same for all its images.
    #[inline(always)]
    pub(super) fn number(&self, stones: &Stones<P>) -> P {
        let of = |symmetry: usize| {
            let [own, other] = stones.map(|places| self.image(symmetry, places));
            own + other + other
        };
        let few = (stones[0] | stones[1]).count_ones() <= MOST_STONES_BY_SYMMETRY;
        let n = if few { self.images.len() } else { 1 };
        (1..n).map(of).fold(of(0), P::min)
    }
}
