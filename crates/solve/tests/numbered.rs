//! Sets of positions that are numbered, of walks over graphs: the sets are parts of a graph that a walk can leave, and never
//! come back to.

use std::cell::Cell;
use std::ops::Range;
use std::sync::Mutex;

use raichi_core::game::{Game, Payoffs, Phase};
use raichi_core::host::CancelFlag;
use raichi_core::random::{FastRng, index, stream};
use raichi_solve::graph::explore;
use raichi_solve::numbered::{Analysis, Content, Numbered, Refused, Table, Value};
use raichi_solve::{Exact, Unsolved, Work, retrograde};

use crate::common::{Threads, Walk, work};

/// The nodes in `nodes`, by even numbers; odd ones stand for no position.
#[derive(Clone)]
struct Part<'a> {
    walk: &'a Walk,
    nodes: Range<u8>,
    offers_predecessors: bool,
}

impl Numbered for Part<'_> {
    type Game = Walk;

    fn game(&self) -> &Walk {
        self.walk
    }
    fn identity(&self) -> String {
        format!("walk of {} nodes, {:?}", self.walk.nodes.len(), self.nodes)
    }
    fn n_numbers(&self) -> u64 {
        2 * self.nodes.len() as u64
    }
    fn number(&self, node: &u8) -> Option<u64> {
        self.nodes.contains(node).then(|| 2 * u64::from(node - self.nodes.start))
    }
    fn position(&self, number: u64) -> Option<u8> {
        number.is_multiple_of(2).then(|| self.nodes.start + (number / 2) as u8)
    }
    fn payoffs(&self) -> Vec<Payoffs> {
        (-2..=2).map(|payoff| Payoffs::new([f64::from(payoff), f64::from(-payoff)])).collect()
    }
    fn endless(&self) -> Payoffs {
        Payoffs::new([self.walk.endless, -self.walk.endless])
    }
    fn offers_predecessors(&self) -> bool {
        self.offers_predecessors
    }
    fn predecessors(&self, to: &u8, numbers: &mut Vec<u64>) {
        let leads = |from: &u8| self.walk.nodes[usize::from(*from)].1.contains(to);
        numbers.extend(self.nodes.clone().filter(leads).filter_map(|from| self.number(&from)));
    }
}

/// A walk whose first `n_inner` nodes are never left, and where they end.
fn walk(rng: &mut FastRng, n: u8, n_inner: u8) -> Walk {
    let node = |rng: &mut FastRng, nth: u8| {
        let within = if nth < n_inner { n_inner } else { n };
        let n_edges = if index(rng, 6) == 0 { 0 } else { 1 + index(rng, 3) };
        let edges = (0..n_edges).map(|_| index(rng, within.into()) as u8).collect();
        (index(rng, 2), edges, index(rng, 5) as f64 - 2.0)
    };
    Walk { nodes: (0..n).map(|nth| node(rng, nth)).collect(), endless: index(rng, 5) as f64 - 2.0 }
}

fn analysed(part: &Part<'_>, beyond: &(dyn Fn(&u8) -> Option<Value> + Sync), n_threads: usize) -> Table {
    let cancel = CancelFlag::default();
    let mut analysis = Analysis::new(part);
    assert!(analysis.advance(part, beyond, &work(&cancel, n_threads), None).unwrap());
    analysis.into_table(part).unwrap()
}

fn by_graph(walk: &Walk, node: u8) -> Exact {
    let cancel = CancelFlag::default();
    let work = work(&cancel, 1);
    let (_, graph) = explore(walk, &node, &work).unwrap();
    retrograde::analyse(&graph, &work).unwrap().exact(0)
}

#[test]
fn sets_are_worth_what_the_whole_graph_is() {
    let mut n_endless = 0;
    for seed in 0..400 {
        let mut rng = stream(seed, "walk", 0);
        let n = 4 + index(&mut rng, 40) as u8;
        let n_inner = 1 + index(&mut rng, usize::from(n) - 1) as u8;
        let walk = walk(&mut rng, n, n_inner);
        let offers_predecessors = seed % 2 == 0;
        let inner = Part { walk: &walk, nodes: 0..n_inner, offers_predecessors };
        let outer = Part { walk: &walk, nodes: n_inner..n, offers_predecessors };
        let inner_table = analysed(&inner, &|_| None, 1);
        let beyond = |node: &u8| inner.number(node).map(|number| inner_table.value(number));
        let outer_table = analysed(&outer, &beyond, 2);
        for node in 0..n {
            let found = match inner.number(&node) {
                Some(number) => inner_table.exact(number),
                None => outer_table.exact(outer.number(&node).unwrap()),
            };
            // A graph of one finished game does not ask what endless play pays.
            let wanted = match walk.phase(&node) {
                Phase::Over => Exact { plies: Some(0), ..Exact::of(walk.payoffs(&node)) },
                _ => by_graph(&walk, node),
            };
            n_endless += u32::from(found.plies.is_none());
            assert_eq!(found, wanted, "seed {seed}, node {node} of {walk:?}");
        }
    }
    assert!(n_endless > 100, "{n_endless}");
}

/// A walk in which who comes to `n / 2` or beyond must go on to the end, and the way there goes round and round.
fn long_walk(n: u8) -> Walk {
    let node = |nth: u8| (usize::from(nth.is_multiple_of(3)), vec![nth / 2, nth.saturating_sub(1)], 1.0);
    let mut nodes: Vec<_> = (0..n).map(node).collect();
    nodes[0].1.clear();
    Walk { nodes, endless: 0.0 }
}

fn bytes(table: &Table) -> Vec<u8> {
    let mut bytes = Vec::new();
    table.write(&mut bytes).unwrap();
    bytes
}

#[test]
fn work_that_was_killed_again_and_again_gives_the_same_file() {
    let walk = long_walk(250);
    for offers_predecessors in [false, true] {
        let part = Part { walk: &walk, nodes: 0..250, offers_predecessors };
        let whole = bytes(&analysed(&part, &|_| None, 1));
        let (mut kept, mut n_kills) = (Vec::new(), 0);
        Analysis::new(&part).write(&part, &mut kept).unwrap();
        loop {
            // Every sweep is the last one of its process.
            let cancel = CancelFlag::default();
            let progress = |_| cancel.cancel();
            let work = Work { progress: &progress, ..work(&cancel, 1) };
            let mut analysis = Analysis::read(&part, &Content::Memory(kept.clone())).unwrap();
            match analysis.advance(&part, &|_| None, &work, None) {
                Ok(done) => {
                    assert!(done);
                    assert_eq!(bytes(&analysis.into_table(&part).unwrap()), whole);
                    break;
                }
                Err(why) => assert_eq!(why, Unsolved::OutOfTime),
            }
            kept.clear();
            analysis.write(&part, &mut kept).unwrap();
            n_kills += 1;
        }
        assert!(n_kills > 8, "{n_kills}");
    }
}

#[test]
fn a_pause_is_kept() {
    let walk = long_walk(100);
    let part = Part { walk: &walk, nodes: 0..100, offers_predecessors: true };
    let cancel = CancelFlag::default();
    let (mut analysis, mut n_pauses) = (Analysis::new(&part), 0);
    let now = raichi_core::host::Host::now(&Threads);
    while !analysis.advance(&part, &|_| None, &work(&cancel, 1), Some(now)).unwrap() {
        n_pauses += 1;
    }
    assert!(n_pauses > 3, "{n_pauses}");
    assert_eq!(bytes(&analysis.into_table(&part).unwrap()), bytes(&analysed(&part, &|_| None, 1)));
}

#[test]
fn what_was_not_written_so_is_refused() {
    let walk = long_walk(50);
    let part = Part { walk: &walk, nodes: 0..50, offers_predecessors: true };
    let table = analysed(&part, &|_| None, 1);
    let whole = bytes(&table);
    let read = |bytes: Vec<u8>| Table::read(&part, Content::Memory(bytes));
    let again = read(whole.clone()).unwrap();
    assert!((0..50).all(|node| again.value(2 * node) == table.value(2 * node)));
    assert_eq!(bytes(&again), whole);

    for at in 24..whole.len() {
        let mut flipped = whole.clone();
        flipped[at] ^= 4;
        assert!(read(flipped).is_err(), "byte {at}");
    }
    for n in 0..whole.len() {
        assert!(matches!(read(whole[..n].to_vec()), Err(Refused::Length { .. })), "{n} bytes");
    }
    assert!(matches!(read([&whole[..], &[0; 8]].concat()), Err(Refused::Length { .. })));
    let mut other_version = whole.clone();
    other_version[8] = 7;
    assert_eq!(read(other_version).unwrap_err(), Refused::Version(7));
    let mut checkpoint = Vec::new();
    Analysis::new(&part).write(&part, &mut checkpoint).unwrap();
    assert_eq!(read(checkpoint).unwrap_err().to_string(), "the file is no table of positions");

    // The same text says which set it is, and other actions lead from node to node.
    let mut other_rules = walk.clone();
    other_rules.nodes[30].1.clear();
    let part_by_other_rules = Part { walk: &other_rules, ..part.clone() };
    let why = Table::read(&part_by_other_rules, Content::Memory(whole.clone())).unwrap_err();
    assert_eq!(why, Refused::Rules);

    let other = Part { nodes: 0..49, ..part };
    let why = Table::read(&other, Content::Memory(whole)).unwrap_err().to_string();
    assert_eq!(why, "the file is of \"walk of 50 nodes, 0..50\", and \"walk of 50 nodes, 0..49\" is wanted");
}

#[test]
fn an_action_into_no_table_is_an_error() {
    let walk = long_walk(20);
    let part = Part { walk: &walk, nodes: 10..20, offers_predecessors: true };
    let cancel = CancelFlag::default();
    let why = Analysis::new(&part).advance(&part, &|_| None, &work(&cancel, 1), None).unwrap_err();
    assert!(why.to_string().contains("into no table"), "{why}");
}

#[test]
fn the_second_pass_finds_what_was_changed() {
    let walk = long_walk(20);
    let part = Part { walk: &walk, nodes: 10..20, offers_predecessors: true };
    let inner = Part { walk: &walk, nodes: 0..10, offers_predecessors: true };
    let table = analysed(&inner, &|_| None, 1);
    // What lies outside is worth one thing at first and another in the second pass.
    let (cancel, is_second) = (CancelFlag::default(), Mutex::new(Cell::new(false)));
    let progress = |progress: raichi_solve::Progress| {
        if progress.stage == "second pass" {
            is_second.lock().unwrap().set(true);
        }
    };
    let beyond = |node: &u8| {
        let node = if is_second.lock().unwrap().get() { node / 2 } else { *node };
        inner.number(&node).map(|number| table.value(number))
    };
    let work = Work { progress: &progress, ..work(&cancel, 1) };
    let why = Analysis::new(&part).advance(&part, &beyond, &work, None).unwrap_err();
    assert!(why.to_string().contains("the second pass found another value"), "{why}");
}
