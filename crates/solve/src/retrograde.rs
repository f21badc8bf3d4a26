//! Retrograde analysis: values and distances of a whole graph, from the ends backwards.
//!
//! For one seat, or two whose payoffs have a constant sum, without chance. Play may go round in circles: what never ends
//! pays what the rule of the path pays for repetition (Thompson, "Retrograde Analysis of Certain Endgames", 1986, has the
//! case of a draw). Payoffs are taken one by one from both extremes towards that: first what seat 0 can force to end with
//! the most it can get, then with the next less, down to what endless play pays; then the same for seat 1; what is left is
//! worth endless play.
//!
//! Distances count plies to the end: who gets more than its share of the sum shortens them, the other prolongs. In a draw
//! seat 0 shortens them, or who must force the draw because endless play pays the other more. Where a position is worth
//! endless play and none can force an end with the same payoff, there is none.
//!
//! [`check`] is the second pass, which re-derives every value and distance from those of the successors. Together with the
//! distances being finite wherever play is not endless, that proves them.

use raichi_core::game::Payoffs;

use crate::exact::{Exact, Progress, Unsolved, Work};
use crate::graph::{Graph, Predecessors, Turn, look_at_clock};

/// The distance of a position from which nobody forces an end.
pub const ENDLESS: u32 = u32::MAX;

/// What every position of a graph is worth.
#[derive(Debug)]
pub struct Levels {
    /// The payoffs that occur, best for seat 0 first.
    payoffs: Vec<Payoffs>,
    /// By node, which of them.
    level: Vec<u16>,
    /// By node, plies to the end; [`ENDLESS`] where nobody forces one.
    plies: Vec<u32>,
}

impl Levels {
    /// What a node is worth.
    pub fn exact(&self, node: usize) -> Exact {
        let plies = Some(self.plies[node]).filter(|&plies| plies != ENDLESS);
        Exact { values: self.payoffs[usize::from(self.level[node])].clone(), plies, score: None }
    }

    /// What it takes in memory.
    pub fn bytes(&self) -> usize {
        self.level.len() * (size_of::<u16>() + size_of::<u32>())
    }
}

/// Values of `graph`.
///
/// # Errors
/// When time is up, chance or a third seat acts, or play can go on for ever and nobody knows what that pays.
pub fn analyse(graph: &Graph, work: &Work<'_>) -> Result<Levels, Unsolved> {
    let constant_sum = graph.n_seats <= 2 && sums_are_equal(graph);
    if !(graph.n_seats == 1 || constant_sum) || graph.acts_chance() {
        return Err(Unsolved::Unknown(
            "it is not a game of one seat, or of two against each other, without chance".into(),
        ));
    }
    let mut analysis = Analysis::new(graph, work)?;
    let endless = analysis.endless;
    for level in 0..endless {
        analysis.spread(level as u16, 0)?;
    }
    for level in (endless + 1..analysis.payoffs.len()).rev() {
        analysis.spread(level as u16, 1)?;
    }
    // What is left is worth endless play. Who wins by it ends it as soon as can be, if it can.
    analysis.spread(endless as u16, shortening_seat(&analysis.payoffs[endless]))?;
    analysis.level.iter_mut().filter(|level| **level == OPEN).for_each(|level| *level = endless as u16);
    let levels = Levels { payoffs: analysis.payoffs, level: analysis.level, plies: analysis.plies };
    (work.progress)(Progress { stage: "second pass", done: 0, total: graph.len() as u64 });
    check(graph, &levels, endless, work)?;
    Ok(levels)
}

/// A node without a value yet.
const OPEN: u16 = u16::MAX;

struct Analysis<'a> {
    graph: &'a Graph,
    before: Predecessors,
    work: &'a Work<'a>,
    payoffs: Vec<Payoffs>,
    /// Which of the payoffs endless play pays; where there is no endless play, the last that seat 0 shortens.
    endless: usize,
    level: Vec<u16>,
    plies: Vec<u32>,
    /// By node, how many successors have no value yet.
    open: Vec<u32>,
    n_valued: u64,
}

impl<'a> Analysis<'a> {
    fn new(graph: &'a Graph, work: &'a Work<'a>) -> Result<Self, Unsolved> {
        let mut payoffs: Vec<Payoffs> = Vec::new();
        for (_, paid) in graph.ends() {
            if !payoffs.contains(paid) {
                payoffs.push(paid.clone());
            }
        }
        let endless = match graph.endless() {
            // Also where play has an end: what a position is worth must not depend on the root that it was reached from.
            Some(endless) if graph.has_rule() => Some(endless.clone()),
            // What endless play pays matters only where there is any.
            _ if graph.last_first(work)?.is_some() => None,
            Some(endless) => Some(endless.clone()),
            None => {
                let why = "play can go on for ever, and what that pays depends on the position";
                return Err(Unsolved::Unknown(why.into()));
            }
        };
        payoffs.extend(endless.clone().filter(|endless| !payoffs.contains(endless)));
        payoffs.sort_by(|one, other| other[0].total_cmp(&one[0]));
        let endless = match endless {
            Some(endless) => payoffs.iter().position(|payoffs| *payoffs == endless),
            None => payoffs.iter().rposition(|payoffs| shortening_seat(payoffs) == 0),
        };
        if payoffs.len() >= usize::from(OPEN) {
            return Err(Unsolved::Unknown(format!("it ends with {} different payoffs, too many", payoffs.len())));
        }
        Ok(Analysis {
            before: graph.predecessors(work)?,
            endless: endless.unwrap_or(0),
            level: vec![OPEN; graph.len()],
            plies: vec![ENDLESS; graph.len()],
            open: (0..graph.len()).map(|node| graph.successors(node).len() as u32).collect(),
            n_valued: 0,
            payoffs,
            graph,
            work,
        })
    }

    /// Values all positions without one from which `attacker` can force an end with the payoff of `level`: breadth-first, so
    /// that the attacker finds the nearest end first and the other seat the last one last.
    fn spread(&mut self, level: u16, attacker: u8) -> Result<(), Unsolved> {
        let mut queue: Vec<u32> = Vec::new();
        for (node, paid) in self.graph.ends() {
            if *paid == self.payoffs[usize::from(level)] {
                (self.level[node], self.plies[node]) = (level, 0);
                queue.push(node as u32);
            }
        }
        let mut done = 0;
        while let Some(&to) = queue.get(done) {
            if done.is_multiple_of(65_536) {
                if self.work.is_over() {
                    return Err(Unsolved::OutOfTime);
                }
                let (done, total) = (self.n_valued + done as u64, self.graph.len() as u64);
                (self.work.progress)(Progress { stage: "values", done, total });
            }
            done += 1;
            let plies = self.plies[to as usize] + 1;
            for &from in self.before.of(to as usize) {
                let from = from as usize;
                self.open[from] -= 1;
                let forced = self.graph.turn(from) == Turn::Seat(attacker) || self.open[from] == 0;
                if self.level[from] == OPEN && forced {
                    (self.level[from], self.plies[from]) = (level, plies);
                    queue.push(from as u32);
                }
            }
        }
        self.n_valued += done as u64;
        Ok(())
    }
}

fn sums_are_equal(graph: &Graph) -> bool {
    let sum = |payoffs: &Payoffs| payoffs.as_slice().iter().sum::<f64>();
    let mut sums = graph.ends().map(|(_, payoffs)| sum(payoffs));
    let first = sums.next();
    sums.all(|other| Some(other) == first)
}

/// Who shortens a game that ends so: the winner, seat 0 in a draw.
fn shortening_seat(payoffs: &Payoffs) -> u8 {
    match payoffs.as_slice() {
        [one, other] if other > one => 1,
        _ => 0,
    }
}

/// The second pass: that every value and distance follows from those of the successors.
fn check(graph: &Graph, levels: &Levels, endless: usize, work: &Work<'_>) -> Result<(), Unsolved> {
    let value = |node: usize| (levels.level[node], levels.plies[node]);
    for (node, paid) in graph.ends() {
        if *paid != levels.payoffs[usize::from(levels.level[node])] || levels.plies[node] != 0 {
            return Err(refuted(node));
        }
    }
    for node in 0..graph.len() {
        look_at_clock(node, work)?;
        let Turn::Seat(seat) = graph.turn(node) else { continue };
        let successors = graph.successors(node).iter().map(|&to| value(to as usize));
        // Levels are sorted, best for seat 0 first.
        let best = match seat {
            0 => successors.clone().map(|(level, _)| level).min(),
            _ => successors.clone().map(|(level, _)| level).max(),
        };
        let (level, plies) = value(node);
        if best != Some(level) {
            return Err(refuted(node));
        }
        let shortens = seat
            == match usize::from(level).cmp(&endless) {
                std::cmp::Ordering::Less => 0,
                std::cmp::Ordering::Greater => 1,
                std::cmp::Ordering::Equal => shortening_seat(&levels.payoffs[endless]),
            };
        let equal = successors.filter(|&(other, _)| other == level).map(|(_, plies)| plies);
        let derived = if shortens { equal.min() } else { equal.max() };
        let derived = derived.map(|plies| plies.saturating_add(1));
        if derived != Some(plies) || plies == ENDLESS && usize::from(level) != endless {
            return Err(refuted(node));
        }
    }
    Ok(())
}

fn refuted(node: usize) -> Unsolved {
    Unsolved::Unknown(format!("the second pass found another value for position {node}: please report it"))
}
