//! Who wins between two seats: depth-first proof-number search (A. Nagai's df-pn) with forced replies, on boards of
//! up to 61 cells.
//!
//! - A seat that can make four does, and wins. One that faces a four must put its stone there; two of them, or one on
//!   a cell where the stone makes three, are lost. Cells that make three are played by nobody else. What is forced is played
//!   before a position is looked at, so that all nodes are positions in which there is a choice.
//! - Who wins by threats of four alone, within some tens of stones, has won.
//! - How promising a position is that nobody has looked at: the seat to act has little choice where the other one would win by
//!   threats if it were to act. A first stone on b3 of four cells along each side took a twelfth of the nodes by that, 65,000 in place of
//!   819,000 with the number of choices alone (in a prototype with a table of its own).
//! - Positions that one of the twelve symmetries makes one are kept once, while few stones lie.
//! - A question has two answers only: whether the seat to act does at least so well, draws being counted for one of
//!   the seats. Where the answer rests on no draw, it is the value; else a second question gives it.
//!
//! What the result promises: the answer, or that time ran out. No position comes back, so proofs do not
//! depend on the path. When the table is full, what took least work is forgotten; proofs of the root do not rest on
//! what was forgotten before they are complete.

mod board;
mod table;

use raichi_solve::Statistics;

pub(super) use board::{Board, Places, Stones};

use board::{Open, Settled, each};
use table::{INFINITE, LARGEST_FINITE, Numbers, Table};

/// Why there is no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stopped;

/// How many stones are tried in a search of threats of the seat to act, and of the other one, which tells only what to expect.
const TRIES: u32 = 50;
const OTHERS_TRIES: u32 = 20;

/// The search with its table, which is kept from question to question.
pub(super) struct Search<P> {
    board: Board<P>,
    table: Table<P>,
    n_nodes: u64,
}

/// A question about a position in which there is a choice.
#[derive(Clone, Copy)]
struct Node<P> {
    open: Open<P>,
    /// Whether a draw is a success of the seat to act.
    draws_count: bool,
    /// What the table knows it by.
    key: P,
}

/// What an action leads to.
#[derive(Clone, Copy)]
struct Child<P> {
    node: Node<P>,
    /// For the seat that chooses.
    numbers: Numbers,
}

/// The memory that a search may use, and what ends it.
struct Limits<'a> {
    bytes: usize,
    is_over: &'a mut dyn FnMut() -> bool,
}

impl<P: Places> Search<P> {
    pub(super) fn new(board: Board<P>) -> Search<P> {
        Search { board, table: Table::new(), n_nodes: 0 }
    }

    pub(super) fn board(&self) -> &Board<P> {
        &self.board
    }

    /// How many positions the table holds, how many nodes were worked on, what the table takes.
    pub(super) fn statistics(&self) -> Statistics {
        Statistics { positions: self.table.len() as u64, nodes: self.n_nodes, bytes: self.table.bytes() as u64 }
    }

    /// What the position is worth to the seat to act: 1, 0 or −1.
    pub(super) fn value(
        &mut self,
        stones: &Stones<P>,
        bytes: usize,
        is_over: &mut dyn FnMut() -> bool,
    ) -> Result<i8, Stopped> {
        let mut limits = Limits { bytes, is_over };
        let wins = self.answer(stones, false, &mut limits)?;
        if wins.phi == 0 {
            return Ok(1);
        }
        if !wins.by_draw {
            return Ok(-1);
        }
        Ok(if self.answer(stones, true, &mut limits)?.phi == 0 { 0 } else { -1 })
    }

    /// Whether the seat to act wins, or does not lose where draws count for it.
    fn answer(&mut self, stones: &Stones<P>, draws_count: bool, limits: &mut Limits<'_>) -> Result<Numbers, Stopped> {
        let (node, is_same_seat) = match self.first_look(*stones, draws_count) {
            Look::Decided(numbers) => return Ok(numbers),
            Look::Open(node) => (node, node.open.is_same_seat),
        };
        let numbers = match self.table.get(node.key) {
            Some(known) if known.is_decided() => known,
            _ => self.work(&node, [INFINITE, INFINITE], limits)?,
        };
        Ok(if is_same_seat { numbers } else { numbers.for_other_seat() })
    }

    /// What is seen of a position without a search, for the seat to act.
    #[inline(always)]
    fn first_look(&self, stones: Stones<P>, draws_count: bool) -> Look<P> {
        match self.board.settle(stones) {
            Settled::Won => Look::Decided(Numbers::succeeds(false)),
            Settled::Lost => Look::Decided(Numbers::fails(false)),
            Settled::Drawn if draws_count => Look::Decided(Numbers::succeeds(true)),
            Settled::Drawn => Look::Decided(Numbers::fails(true)),
            Settled::Open(open) => {
                if self.board.wins_by_threats(&open.stones, open.safe, &mut { TRIES }) {
                    let won = Numbers::succeeds(false);
                    return Look::Decided(if open.is_same_seat { won } else { won.for_other_seat() });
                }
                // Draws count for the same seat as before.
                let draws_count = draws_count == open.is_same_seat;
                Look::Open(Node { open, draws_count, key: self.key(&open.stones, draws_count) })
            }
        }
    }

    /// What the table knows a question by: twice the position's number and 2, or 3 where draws count.
    #[inline(always)]
    fn key(&self, stones: &Stones<P>, draws_count: bool) -> P {
        let number = self.board.number(stones) + P::one();
        number + number + if draws_count { P::one() } else { P::zero() }
    }

    /// What to expect of a position that the table does not know, for its seat to act.
    #[inline(always)]
    fn expected(&self, open: &Open<P>) -> Numbers {
        let for_other = [open.stones[1], open.stones[0]];
        let safe = self.board.safe(&for_other);
        if !(self.board.threats(&for_other).decisive & safe).is_zero() {
            Numbers::open(4, 1)
        } else if self.board.wins_by_threats(&for_other, safe, &mut { OTHERS_TRIES }) {
            Numbers::open(2, 2)
        } else {
            Numbers::open(1, 1 + open.safe.count_ones() / 2)
        }
    }

    /// Works on a position until a number reaches its bound.
    fn work(&mut self, node: &Node<P>, bounds: [u32; 2], limits: &mut Limits<'_>) -> Result<Numbers, Stopped> {
        self.n_nodes += 1;
        if self.n_nodes.is_multiple_of(8) && (limits.is_over)() {
            return Err(Stopped);
        }
        let before = self.n_nodes;
        let mut children = match self.children(node) {
            Ok(children) => children,
            Err(decided) => {
                self.table.put(node.key, decided, 1, limits.bytes);
                return Ok(decided);
            }
        };
        loop {
            let numbers = children.summed_up();
            let is_enough = numbers.phi >= bounds[0] || numbers.delta >= bounds[1] || numbers.is_decided();
            if is_enough {
                self.table.put(node.key, numbers, self.n_nodes - before, limits.bytes);
                return Ok(numbers);
            }
            let (best, second) = children.best_two();
            let child = children.open[best];
            let most_phi = bounds[0].min(second.saturating_add(1 + second / 4));
            let most_delta = bounds[1] - (numbers.delta - child.numbers.delta.min(numbers.delta));
            // At least a little, so that the work goes on.
            let mut below = [most_phi.max(child.numbers.phi + 1), most_delta.max(child.numbers.delta + 1)];
            if !child.node.open.is_same_seat {
                below.reverse();
            }
            let found = match self.work(&child.node, below.map(|bound| bound.min(INFINITE)), limits) {
                Ok(found) => found,
                Err(stopped) => {
                    self.table.put(node.key, numbers, self.n_nodes - before, limits.bytes);
                    return Err(stopped);
                }
            };
            children.learn(best, found);
        }
    }

    /// What is open after each action; `Err` where that decides the position already.
    #[inline(always)]
    fn children(&self, node: &Node<P>) -> Result<Children<P>, Numbers> {
        let [own, other] = node.open.stones;
        let n_choices = node.open.safe.count_ones() as usize;
        let mut children = Children { open: Vec::with_capacity(n_choices), failed_by_draw: false };
        for place in each(node.open.safe) {
            match self.first_look([other, own | place], !node.draws_count) {
                Look::Decided(numbers) if numbers.delta == 0 => return Err(numbers.for_other_seat()),
                Look::Decided(numbers) => children.failed_by_draw |= numbers.by_draw,
                Look::Open(mut child) => {
                    self.table.prefetch(child.key);
                    // Whether the seat that chooses is to act there.
                    child.open.is_same_seat = !child.open.is_same_seat;
                    children.open.push(Child { node: child, numbers: Numbers::open(1, 1) });
                }
            }
        }
        // Symmetric actions count once.
        if node.open.may_have_images() {
            children.open.sort_unstable_by_key(|child| child.node.key);
            children.open.dedup_by_key(|child| child.node.key);
        }
        for i in (0..children.open.len()).rev() {
            let Child { node, .. } = children.open[i];
            let numbers = self.table.get(node.key).unwrap_or_else(|| self.expected(&node.open));
            children.learn(i, numbers);
        }
        match children.summed_up() {
            numbers if numbers.is_decided() => Err(numbers),
            _ => Ok(children),
        }
    }
}

/// What is not decided among a position's children.
struct Children<P> {
    /// Not on the stack: a line of play may be sixty plies long.
    open: Vec<Child<P>>,
    /// Whether one of those that failed rests on a draw.
    failed_by_draw: bool,
}

impl<P: Places> Children<P> {
    /// Takes what is known of a child, for its own seat to act.
    #[inline(always)]
    fn learn(&mut self, i: usize, numbers: Numbers) {
        let child = &mut self.open[i];
        child.numbers = if child.node.open.is_same_seat { numbers } else { numbers.for_other_seat() };
        if child.numbers.delta == 0 {
            self.failed_by_draw |= child.numbers.by_draw;
            self.open.swap_remove(i);
        }
    }

    /// The numbers of the position.
    fn summed_up(&self) -> Numbers {
        let Some(first) = self.open.first() else { return Numbers::fails(self.failed_by_draw) };
        let (mut best, mut delta) = (first.numbers, 0u32);
        for Child { numbers, .. } in &self.open {
            if numbers.phi < best.phi {
                best = *numbers;
            }
            delta = (delta + numbers.delta).min(LARGEST_FINITE);
        }
        if best.phi == 0 { best } else { Numbers::open(best.phi, delta) }
    }

    /// The child that is nearest to a success, and how near the next one is; of equals the one that fails soonest.
    fn best_two(&self) -> (usize, u32) {
        let rank = |child: &Child<P>| (child.numbers.phi, child.numbers.delta);
        let best = (0..self.open.len()).min_by_key(|&i| rank(&self.open[i])).expect("there is one");
        let others = self.open.iter().enumerate().filter(|&(i, _)| i != best);
        (best, others.map(|(_, child)| child.numbers.phi).min().unwrap_or(INFINITE))
    }
}

/// What a first look at a position tells.
enum Look<P> {
    Decided(Numbers),
    Open(Node<P>),
}
