//! What simulations have found out about the nodes of a tree: visits, payoffs, priors and proofs, and how a node is chosen
//! by them.
//!
//! Nothing here knows the types of a game, so that it is compiled once. What leads to a node, and the positions, are kept
//! by [`super::state_tree`].

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use raichi_core::game::{Facts, Payoffs};
use raichi_core::random::{FastRng, mix};
use raichi_core::seat::{MAX_SEATS, Seat};
use raichi_machine::{Entries, Entry, Family, Head, Record, Start, Starts, Zeroed};

use super::exploration::{Exploration, sqrt_ln};
use super::proofs::Proofs;
use super::root::{self, RootArm};
use super::{Backup, Config, Priors, random_fraction};
use crate::ties::{EQUAL, share_ties};

/// The longest way down. The buffers of a thread have this length from the start.
pub(super) const MOST_LEVELS: usize = 4096;

pub(super) const NONE: u32 = u32::MAX;

// The flags of an entry.
/// Who chose it: a seat, or chance.
const CHOOSER: u8 = 0b1111;
/// A chooser that is no seat.
pub(super) const CHANCE: u8 = CHOOSER;
/// Chance chooses among its children.
pub(super) const CHANCE_IS_NEXT: u8 = 1 << 4;
const PROVEN: u8 = 1 << 5;

#[inline]
pub(super) fn is_proven(head: Head) -> bool {
    head.flags() & PROVEN != 0
}

#[inline]
pub(super) fn chooser(head: Head) -> u8 {
    head.flags() & CHOOSER
}

/// What only the nodes on the way of a simulation are asked.
///
/// What a choice among siblings looks at lies apart from it ([`Entry`]): its children, and two numbers that make its
/// `Score`.
#[derive(Clone, Copy)]
pub(super) struct Node<'a>(pub(super) &'a Record);

impl<'a> Node<'a> {
    // What the words of its record are.
    /// What its visits paid the seat that chose it, added up, as a double; where chance chose it, the outcome's
    /// probability.
    #[inline]
    fn total_word(self) -> &'a AtomicU64 {
        &self.0.long
    }

    #[inline]
    fn visits_word(self) -> &'a AtomicU32 {
        &self.0.words[0]
    }

    /// The number of its proof, once it is proven.
    #[inline]
    fn proof_word(self) -> &'a AtomicU32 {
        &self.0.words[1]
    }

    /// Where there are priors: how promising the evaluator finds it among its siblings; they add up to 1. Elsewhere √ln of
    /// the visits: kept, because in the moment of choice everything else would wait for its square root.
    #[inline]
    fn weight_word(self) -> &'a AtomicU32 {
        &self.0.words[2]
    }

    /// What a node begins with.
    #[inline]
    pub(super) fn start(chooser: u8, score: Score, total: f64, weight: f32) -> Start {
        Start { flags: chooser, numbers: score.numbers(), long: total.to_bits(), words: [0, NONE, weight.to_bits()] }
    }

    /// What the root begins with.
    pub(super) fn root() -> Start {
        Node::start(CHANCE, Score { value: 0.0, bonus: 0.0 }, 0.0, 0.0)
    }

    #[inline]
    fn weight(self) -> f32 {
        f32::from_bits(self.weight_word().load(Ordering::Relaxed))
    }

    #[inline]
    fn total(self) -> f64 {
        f64::from_bits(self.total_word().load(Ordering::Relaxed))
    }

    #[inline]
    pub(super) fn visits(self) -> u32 {
        self.visits_word().load(Ordering::Relaxed)
    }
}

/// A child is chosen by `value` + factor · `bonus`. The two are kept so that neither a division nor a case is left
/// for the moment of choice: a node without visits has the first-play urgency as its value and the bonus of one visit, a
/// proven node its exact value and no bonus.
#[derive(Clone, Copy)]
pub(super) struct Score {
    /// The payoff expected by the seat that chose this node; where chance chose it, the outcome's probability.
    pub(super) value: f32,
    /// 1 / √visits.
    pub(super) bonus: f32,
}

impl Score {
    #[inline]
    fn of(entry: Entry<'_>) -> Score {
        let [value, bonus] = entry.numbers();
        Score { value, bonus }
    }

    #[inline]
    fn numbers(self) -> [f32; 2] {
        [self.value, self.bonus]
    }

    #[inline]
    pub(super) fn put(self, entry: Entry<'_>) {
        entry.set_numbers(self.numbers());
    }
}

/// A node of a shared tree that has so many visits is updated in batches of visits ([`batch`]). Every simulation passes the nodes
/// near the root: if each updated them at once, the threads would wait for each other's cache lines most of the time.
const VISITS_TO_BATCH: u32 = 64;

/// How many visits a thread keeps for itself before it tells a node that has `visits`: few enough that the node's scores are
/// never out of date by more than a 32nd of them for each thread.
#[inline]
fn batch(visits: u32) -> u32 {
    (visits >> 5).min(64)
}

/// Threads of a shared tree explore by factors that differ by so much up and down: of children whose bounds are nearly equal, as
/// those of a well-explored node are, each thread then takes another one, and the threads are seldom in the same place.
const TILT: f32 = 0.05;

/// What a thread's exploration is multiplied by.
fn tilt(thread: usize, n_threads: usize) -> f32 {
    let share = if n_threads > 1 { thread as f32 / (n_threads - 1) as f32 } else { 0.5 };
    1.0 + TILT * (2.0 * share - 1.0)
}

/// Visits of a node that a thread keeps for itself.
#[derive(Clone, Copy)]
struct Batch<'a> {
    at: u32,
    entry: Entry<'a>,
    node: Node<'a>,
    n: u32,
    /// What they paid the seat that chose the node, added up.
    payoff: f64,
}

/// How many nodes a thread keeps visits of: a power of two. Where two share a place the one before is told at once.
const BATCHES: usize = 256;

/// A node on the way of a simulation.
pub(super) struct Step<'a> {
    pub(super) at: u32,
    pub(super) entry: Entry<'a>,
    node: Node<'a>,
    /// The proven child whose payoffs count from here on up; [`NONE`] where the simulation's own do.
    pub(super) instead: u32,
}

/// What a tree knows of its nodes besides their entries.
pub(super) struct Statistics {
    /// Play may have gone on since the tree was begun.
    pub(super) root: u32,
    proofs: Proofs,
    /// For each child of the root, by seat: the sum of what its simulations paid.
    root_sums: Vec<f64>,
    pub(super) facts: Facts,
    pub(super) config: Config,
    /// Whether nodes are worth what the best of their actions is, not the mean of their visits.
    pub(super) backs_up_best: bool,
    /// What a prior counts for, in units of the payoff; 0 where there are none.
    prior_weight: f32,
    /// What an action that was not tried is worth less than its position, likewise; `None` where priors do not decide.
    fpu: Option<f32>,
    /// RAVE: of each entry, the average payoff of simulations in which its action was chosen now or later, and of how
    /// many. Empty where it is off.
    amaf: Zeroed<[AtomicU32; 2]>,
    /// Positions that have children, where they are joined: each as the index of its node, and its key exclusive or that
    /// index, so that a record half written by another thread is not taken for one (Hyatt and Mann, *A lockless
    /// transposition table implementation for parallel search*, 2002). Empty where they are not.
    positions: Zeroed<[AtomicU64; 2]>,
    /// Goes into the keys of positions, so that those of an earlier tree are not found.
    round: u64,
    exploration: Exploration,
}

/// How the memory of a tree is divided.
pub(super) struct Room {
    n_proofs: usize,
    n_positions: usize,
    /// How many entries there is room for.
    pub(super) n_entries: usize,
}

impl Room {
    /// `joins`: whether positions are joined.
    pub(super) fn new(config: &Config, facts: &Facts, joins: bool, bytes_per_entry: usize) -> Room {
        // There are seldom more than a few hundred different ones, but where chance decides.
        let n_proofs = (config.memory / 64 / Proofs::bytes_per_proof(facts.n_seats)).clamp(1 << 8, 1 << 14);
        let bytes = config.memory.saturating_sub(n_proofs * Proofs::bytes_per_proof(facts.n_seats));
        let bytes_per_amaf = if config.rave > 0.0 { size_of::<[AtomicU32; 2]>() } else { 0 };
        let n_positions = if joins { (bytes / 8 / size_of::<[AtomicU64; 2]>()).max(1) } else { 0 };
        let bytes = bytes.saturating_sub(n_positions * size_of::<[AtomicU64; 2]>());
        Room { n_proofs, n_positions, n_entries: bytes / (bytes_per_entry + bytes_per_amaf) }
    }
}

impl Statistics {
    /// Of a tree of a root alone, with so many entries.
    pub(super) fn new(config: &Config, facts: Facts, has_priors: bool, room: &Room, capacity: usize) -> Statistics {
        let range = facts.payoff_range.map_or(1.0, |(low, high)| high - low);
        let uses_priors = has_priors && config.priors != Priors::Off;
        let n_amaf = if config.rave > 0.0 { capacity } else { 0 };
        let one_payoff_tells_all = one_payoff_tells_all(&facts);
        Statistics {
            backs_up_best: config.backup == Backup::Best && one_payoff_tells_all,
            root: Entries::ROOT,
            proofs: Proofs::new(facts.n_seats, room.n_proofs),
            root_sums: Vec::new(),
            config: *config,
            prior_weight: if uses_priors { (config.prior_weight * range) as f32 } else { 0.0 },
            fpu: (uses_priors && config.priors == Priors::Puct).then_some((config.fpu * range) as f32),
            amaf: Zeroed::new(n_amaf).expect("the system has some memory left"),
            positions: Zeroed::new(room.n_positions).expect("the system has some memory left"),
            round: 0,
            exploration: Exploration::new(config.exploration, &facts),
            facts,
        }
    }

    /// Forgets everything: the tree has been planted anew.
    pub(super) fn clear(&mut self) {
        self.root = Entries::ROOT;
        self.proofs.clear();
        self.round += 1;
        self.root_sums.clear();
        self.exploration = Exploration::new(self.config.exploration, &self.facts);
    }

    /// Before simulations: makes room for what the root's children are paid.
    pub(super) fn prepare_root(&mut self, n_children: usize) {
        self.root_sums.resize(n_children * self.facts.n_seats, 0.0);
    }

    /// Adds what a thread found out for itself.
    pub(super) fn add(&mut self, found: Found) {
        self.root_sums.iter_mut().zip(&found.root_sums).for_each(|(sum, more)| *sum += more);
        self.exploration = found.exploration;
    }

    /// Whether payoffs of all seats follow from one seat's. They are kept at the root only, so that another node can
    /// become the root in such games alone.
    pub(super) fn one_payoff_tells_all(&self) -> bool {
        one_payoff_tells_all(&self.facts)
    }

    /// What is kept beside the entries goes with an entry to another place.
    pub(super) fn move_entry(&self, from: u32, to: u32) {
        if let Some(numbers) = self.amaf.get(from as usize) {
            for (number, moved) in numbers.iter().zip(&self.amaf[to as usize]) {
                moved.store(number.load(Ordering::Relaxed), Ordering::Relaxed);
            }
        }
    }

    /// The root is another entry now; `moved`: those that are kept have gone to other places.
    pub(super) fn set_root(&mut self, entries: &Entries, root: u32, moved: bool) {
        self.root = root;
        self.round += u64::from(moved);
        let nodes = Nodes { entries, statistics: self };
        self.root_sums =
            entries.head(root).children().flat_map(|i| nodes.sums_from_total(i, nodes.node(i).total())).collect();
    }

    /// Whether nodes have priors.
    #[inline]
    pub(super) fn has_priors(&self) -> bool {
        self.prior_weight > 0.0
    }

    /// Whether children are chosen by PUCT.
    #[inline]
    fn goes_by_priors(&self) -> bool {
        self.has_priors() && self.config.priors == Priors::Puct
    }

    /// Whether actions count for the nodes above them.
    #[inline]
    pub(super) fn has_amaf(&self) -> bool {
        !self.amaf.is_empty()
    }

    /// Whether positions are joined.
    #[inline]
    pub(super) fn joins(&self) -> bool {
        !self.positions.is_empty()
    }

    /// What a choice looks at, of a node with this average, which `bonus` is the plain bonus of.
    ///
    /// With priors the bonus is PUCT's (Rosin, *Multi-armed bandits with episode context*, 2011; Silver and others,
    /// *Mastering the game of Go with deep neural networks and tree search*, 2016), or the value has a progressive bias
    /// (Chaslot and others, *Progressive strategies for Monte-Carlo tree search*, 2008).
    #[inline]
    fn score(&self, value: f32, prior: f32, visits: u32, bonus: f32) -> Score {
        if self.prior_weight == 0.0 {
            return Score { value, bonus };
        }
        let share = prior / (1.0 + visits as f32);
        match self.config.priors {
            Priors::Puct => Score { value, bonus: share },
            _ => Score { value: value + self.prior_weight * share, bonus },
        }
    }

    /// A node's average, and RAVE's as far as that counts: the less the more visits there are.
    #[inline]
    fn with_amaf(&self, at: u32, mean: f32, visits: u32) -> f32 {
        let Some([average, n]) = self.amaf.get(at as usize) else { return mean };
        if n.load(Ordering::Relaxed) == 0 {
            return mean;
        }
        let k = self.config.rave as f32;
        let beta = if visits == 0 { 1.0 } else { (k / (3.0 * visits as f32 + k)).sqrt() };
        beta * f32::from_bits(average.load(Ordering::Relaxed)) + (1.0 - beta) * mean
    }
}

/// Whether what the first seat gets says what the others do.
fn one_payoff_tells_all(facts: &Facts) -> bool {
    facts.n_seats == 1 || facts.n_seats == 2 && facts.payoff_sum.is_some()
}

/// The nodes of a tree, entries and statistics together.
#[derive(Clone, Copy)]
pub(super) struct Nodes<'a> {
    pub(super) entries: &'a Entries,
    pub(super) statistics: &'a Statistics,
}

impl<'a> Nodes<'a> {
    #[inline]
    fn node(self, at: u32) -> Node<'a> {
        Node(self.entries.record(at))
    }

    /// The root's head.
    pub(super) fn root_head(self) -> Head {
        self.entries.head(self.statistics.root)
    }

    /// Whether more simulations would change nothing.
    #[inline]
    pub(super) fn is_settled(self) -> bool {
        // Counts of visits have 32 bits, and a few may be on their way.
        let root = self.statistics.root;
        is_proven(self.entries.head(root)) || self.node(root).visits() >= u32::MAX - 1024
    }

    /// What the `n` children of a leaf begin with in which `seat` is to act, with their priors where there are some.
    pub(super) fn start_actions<'s>(
        self,
        seat: Seat,
        value: f32,
        n: usize,
        priors: &[f32],
        starts: &'s mut Vec<Start>,
    ) -> Starts<'s> {
        let start = |prior| Node::start(seat as u8, self.statistics.score(value, prior, 0, 1.0), 0.0, prior);
        if !self.statistics.has_priors() {
            return Starts::Alike(start(0.0), n);
        }
        starts.clear();
        starts.extend(priors.iter().map(|&prior| start(prior)));
        Starts::Each(starts)
    }

    /// What is kept beside the entries begins anew for a family.
    pub(super) fn begin_family(self, family: Head) {
        if self.statistics.has_amaf() {
            let amaf = &self.statistics.amaf[family.first() as usize..][..family.n_children() as usize];
            amaf.iter().flatten().for_each(|number| number.store(0, Ordering::Relaxed));
        }
    }

    /// Gives a leaf the children that another node of the same position has after as many plies, if there is one; if not
    /// the leaf is remembered. With as many plies no way leads round in a circle, and a cap ends both alike. `key` is the
    /// position's.
    pub(super) fn join(self, leaf: u32, key: u64, n_plies: u32, n_children: usize) -> Option<Head> {
        let positions = &self.statistics.positions;
        let key = mix(key ^ mix(u64::from(n_plies) ^ mix(self.statistics.round)));
        let [word, node] = &positions[(key % positions.len() as u64) as usize];
        let other = node.load(Ordering::Relaxed);
        if word.load(Ordering::Relaxed) ^ other == key
            && other != 0
            && self.entries.head(other as u32).n_children() as usize == n_children
        {
            return self.entries.share(leaf, other as u32, 0);
        }
        node.store(leaf.into(), Ordering::Relaxed);
        word.store(key ^ u64::from(leaf), Ordering::Relaxed);
        None
    }

    /// An action of a simulation, below this node, was this child's: all moves as first.
    pub(super) fn pay_as_first(self, at: u32, payoff: f64) {
        let [average, n] = &self.statistics.amaf[at as usize];
        let visits = n.load(Ordering::Relaxed) + 1;
        let before = f32::from_bits(average.load(Ordering::Relaxed));
        let now = before + (payoff as f32 - before) / visits as f32;
        n.store(visits, Ordering::Relaxed);
        average.store(now.to_bits(), Ordering::Relaxed);
        let (entry, node) = (self.entries.entry(at), self.node(at));
        if !is_proven(entry.head()) {
            let n = node.visits();
            let own = if n == 0 { now } else { self.own_value(at, entry.head(), node.total() as f32 / n as f32) };
            let bonus = if n == 0 { 1.0 } else { 1.0 / (n as f32).sqrt() };
            self.statistics.score(self.statistics.with_amaf(at, own, n), node.weight(), n, bonus).put(entry);
        }
    }
}

// Visits.
impl<'a> Nodes<'a> {
    /// Adds visits of a node, whose head is `head`, to those that all threads know of, and makes its score anew.
    #[inline(always)]
    fn add<const SIMPLE: bool>(self, visits: Batch<'a>, shared: bool, plain: bool, head: Head) {
        let Batch { at, entry, node, n, payoff } = visits;
        let visits = add_visits(node.visits_word(), n, shared);
        let bonus = 1.0 / (visits as f32).sqrt();
        if SIMPLE || !self.statistics.has_priors() {
            node.weight_word().store(sqrt_ln(visits).to_bits(), Ordering::Relaxed);
        }
        let score = if chooser(head) == CHANCE {
            Score { bonus, ..Score::of(entry) }
        } else {
            let total = add_payoff(node.total_word(), payoff, shared);
            if is_proven(head) {
                Score { value: (payoff / f64::from(n)) as f32, bonus: 0.0 }
            } else {
                let value = total as f32 / visits as f32;
                if SIMPLE || plain {
                    Score { value, bonus }
                } else {
                    let value = self.statistics.with_amaf(at, self.own_value(at, head, value), visits);
                    self.statistics.score(value, node.weight(), visits, bonus)
                }
            }
        };
        score.put(entry);
    }

    /// What a node is worth to the seat that chose it: `mean`, of its visits, or with `backup=best` what the best of its
    /// actions that were tried is worth, as in minimax (Lanctot and others, *Monte Carlo tree search with heuristic
    /// evaluations using implicit minimax backups*, 2014, where it is mixed with the mean).
    #[inline]
    fn own_value(self, at: u32, head: Head, mean: f32) -> f32 {
        if self.statistics.backs_up_best { self.best_below(at, head).unwrap_or(mean) } else { mean }
    }

    /// The best of the actions that were tried after a node, for the seat that chose the node.
    #[cold]
    fn best_below(self, at: u32, head: Head) -> Option<f32> {
        if head.flags() & CHANCE_IS_NEXT != 0 {
            return None;
        }
        let tried = head.children().filter(|&child| self.is_proven(child) || self.node(child).visits() > 0);
        let value = |child: u32| match self.is_proven(child) {
            true => self.proven_payoff(child) as f32,
            false => self.value_without_bias(child),
        };
        let best = tried.map(value).max_by(f32::total_cmp)?;
        let next = chooser(self.entries.head(head.first()));
        let is_own = next == chooser(self.entries.head(at));
        Some(if is_own { best } else { self.statistics.facts.payoff_sum.unwrap_or(0.0) as f32 - best })
    }

    /// The value in a node's score, without what its prior adds.
    fn value_without_bias(self, at: u32) -> f32 {
        let (entry, node) = (self.entries.entry(at), self.node(at));
        let of_zero = self.statistics.score(0.0, node.weight(), node.visits(), 0.0).value;
        Score::of(entry).value - if is_proven(entry.head()) { 0.0 } else { of_zero }
    }

    /// Tells a node of visits that a thread has kept for itself.
    #[inline(never)]
    fn tell(self, batch: Batch<'a>) {
        let head = batch.entry.head();
        self.add::<false>(batch, true, false, head);
        if is_proven(head) && chooser(head) != CHANCE {
            // Proven meanwhile: its score is what the proof pays, not what its visits paid.
            Score { value: self.proven_payoff(batch.at) as f32, bonus: 0.0 }.put(batch.entry);
        }
    }
}

// Proofs.
impl Nodes<'_> {
    pub(super) fn proof(self, at: u32) -> Payoffs {
        self.statistics.proofs.payoffs(self.proof_number(at))
    }

    #[inline]
    fn proof_number(self, at: u32) -> u32 {
        self.node(at).proof_word().load(Ordering::Relaxed)
    }

    fn is_proven(self, at: u32) -> bool {
        is_proven(self.entries.head(at))
    }

    /// After how many plies a proven node's payoffs are paid.
    fn plies_of_proof(self, at: u32) -> f64 {
        self.statistics.proofs.n_plies(self.proof_number(at))
    }

    /// What a proven node pays the seat that chose it.
    fn proven_payoff(self, at: u32) -> f64 {
        self.statistics.proofs.payoff(self.proof_number(at), chooser(self.entries.head(at)).into())
    }

    /// How a seat ranks proven actions that pay it the same: a win as soon as possible, a loss as late as possible, all
    /// else alike.
    fn preference(self, at: u32) -> f64 {
        root::preference(self.proven_payoff(at), self.plies_of_proof(at), &self.statistics.facts)
    }

    /// Records a proof; returns whether there was room. The first of several threads decides: what its parents' proofs
    /// were made of stays as it was.
    pub(super) fn prove(self, at: u32, payoffs: &Payoffs, n_plies: f64) -> bool {
        let Some(number) = self.statistics.proofs.record(payoffs, n_plies) else { return false };
        let _ = self.node(at).proof_word().compare_exchange(NONE, number, Ordering::Relaxed, Ordering::Relaxed);
        self.entries.set_flags(at, PROVEN);
        true
    }

    /// Makes the score of a proven node, which a seat chose, that of its proof, where it is not; returns whether it was not. A
    /// thread that took the node for open may have put the mean of its visits there after another one had proven it.
    fn score_by_proof(self, at: u32) -> bool {
        let entry = self.entries.entry(at);
        let is_stale = Score::of(entry).bonus != 0.0;
        if is_stale {
            Score { value: self.proven_payoff(at) as f32, bonus: 0.0 }.put(entry);
        }
        is_stale
    }

    /// The game is over at this node, which was chosen by `seat`.
    pub(super) fn prove_end(self, at: u32, seat: Seat, payoffs: &Payoffs) {
        if self.prove(at, payoffs, 0.0) {
            Score { value: payoffs[seat] as f32, bonus: 0.0 }.put(self.entries.entry(at));
        }
    }

    /// Proves a node whose children prove it; returns whether they do.
    #[cold]
    pub(super) fn try_to_prove(self, at: u32) -> bool {
        let head = self.entries.head(at);
        if is_proven(head) {
            return true;
        }
        // Asked before the payoffs are compared: other threads go on proving, and what they prove next may pay more.
        let all_proven = head.children().all(|child| self.is_proven(child));
        if head.flags() & CHANCE_IS_NEXT != 0 {
            if !all_proven {
                return false;
            }
            let n_plies = head.children().map(|child| self.plies_of_proof(child)).fold(0.0, f64::max);
            return self.prove(at, &self.expectation(head), n_plies + 1.0);
        }
        let proven = || head.children().filter(|&child| self.is_proven(child));
        let Some(highest) = proven().map(|child| self.proven_payoff(child)).max_by(f64::total_cmp) else {
            return false;
        };
        let facts = &self.statistics.facts;
        let is_settled = facts.settling_payoff().is_some_and(|most| highest >= most);
        if !is_settled && !all_proven {
            return false;
        }
        let equals = || proven().rev().filter(|&child| highest - self.proven_payoff(child) <= EQUAL);
        // Another thread may have proven one more meanwhile: one that pays as much is there all the same.
        let Some(best) = equals().max_by(|&a, &b| self.preference(a).total_cmp(&self.preference(b))) else {
            return false;
        };
        let payoffs = match is_settled || !facts.ties_matter() {
            true => self.proof(best),
            false => {
                let all: Vec<Payoffs> = equals().map(|child| self.proof(child)).collect();
                Payoffs::new(share_ties(all.iter().map(Payoffs::as_slice), chooser(self.entries.head(best)).into()))
            }
        };
        self.prove(at, &payoffs, self.plies_of_proof(best) + 1.0)
    }

    /// What a chance node pays on average, all its outcomes proven.
    fn expectation(self, head: Head) -> Payoffs {
        let mut sums = [0.0; MAX_SEATS];
        for child in head.children() {
            let probability = self.node(child).total();
            for (sum, payoff) in sums.iter_mut().zip(self.proof(child).as_slice()) {
                *sum += probability * payoff;
            }
        }
        Payoffs::new(sums.into_iter().take(self.statistics.facts.n_seats))
    }
}

// The decision.
impl Nodes<'_> {
    /// What was found out about the actions with these numbers, in their order; `children` are those of the root, each with the
    /// number of its action. They lie in a drawn order, and to compare each with each takes too long where there are thousands.
    pub(super) fn root_arms(self, numbers: &[u64], mut children: Vec<(u64, u32)>) -> Vec<RootArm> {
        children.sort_unstable();
        let arm = |&number: &u64| match children.binary_search_by_key(&number, |&(number, _)| number) {
            Ok(i) => self.root_arm(children[i].1),
            Err(_) => RootArm::new(self.statistics.facts.n_seats),
        };
        numbers.iter().map(arm).collect()
    }

    /// What was found out about a child of the root.
    fn root_arm(self, at: u32) -> RootArm {
        let n_seats = self.statistics.facts.n_seats;
        let first = (at - self.root_head().first()) as usize * n_seats;
        let is_proven = self.is_proven(at);
        let visits = self.node(at).visits();
        let sums = match self.statistics.backs_up_best {
            true => self.sums_from_total(at, f64::from(self.value_without_bias(at)) * f64::from(visits)),
            false => self.statistics.root_sums[first..first + n_seats].to_vec(),
        };
        RootArm {
            visits: visits.into(),
            sums,
            proof: is_proven.then(|| self.proof(at).as_slice().to_vec()),
            plies_of_proof: if is_proven { self.plies_of_proof(at) } else { 0.0 },
        }
    }

    /// The child that the seat to act holds best, or the outcome looked at most: by proof where the parent is a proven
    /// decision, elsewhere by visits.
    pub(super) fn expected_child(self, parent: u32) -> Option<u32> {
        let head = self.entries.head(parent);
        let by_proof = is_proven(head) && head.flags() & CHANCE_IS_NEXT == 0;
        let rank = |at: u32| match by_proof && self.is_proven(at) {
            true => (self.proven_payoff(at), self.preference(at), self.node(at).visits()),
            false => (f64::NEG_INFINITY, 0.0, self.node(at).visits()),
        };
        let compare = |&a: &u32, &b: &u32| {
            let (a, b) = (rank(a), rank(b));
            a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2))
        };
        head.children().filter(|&i| self.node(i).visits() > 0).max_by(compare)
    }

    /// What the visits of a node paid each seat, from what they paid the one that chose it.
    fn sums_from_total(self, at: u32, total: f64) -> Vec<f64> {
        let facts = &self.statistics.facts;
        let node = self.node(at);
        let chooser = chooser(self.entries.head(at));
        let mut sums = vec![0.0; facts.n_seats];
        if chooser != CHANCE {
            let chooser = usize::from(chooser);
            sums[chooser] = total;
            if let (2, Some(sum)) = (facts.n_seats, facts.payoff_sum) {
                sums[1 - chooser] = sum * f64::from(node.visits()) - total;
            }
        }
        sums
    }
}

/// What a thread found out for itself in a tree that it shares.
pub(super) struct Found {
    /// For each child of the root, by seat: the sum of what its simulations paid.
    root_sums: Vec<f64>,
    exploration: Exploration,
}

/// One thread's way through the nodes, and what it counts for itself.
pub(super) struct Walk<'a> {
    nodes: Nodes<'a>,
    /// Whether other threads use the tree at the same time.
    pub(super) shared: bool,
    /// Plain UCT: neither priors nor RAVE, and uniform playouts to the end.
    pub(super) plain: bool,
    root_sums: Vec<f64>,
    /// The first child of the root.
    first_at_root: u32,
    exploration: Exploration,
    path: Vec<Step<'a>>,
    /// What its exploration is multiplied by.
    tilt: f32,
    /// By the last digits of the node's index; empty where the tree is not shared.
    batches: Vec<Option<Batch<'a>>>,
}

impl<'a> Walk<'a> {
    /// Of one of `n_threads`.
    pub(super) fn new(nodes: Nodes<'a>, thread: usize, n_threads: usize, plain: bool) -> Walk<'a> {
        let shared = n_threads > 1;
        Walk {
            nodes,
            shared,
            plain,
            root_sums: vec![0.0; nodes.statistics.root_sums.len()],
            first_at_root: nodes.root_head().first(),
            exploration: nodes.statistics.exploration,
            path: Vec::with_capacity(MOST_LEVELS),
            tilt: tilt(thread, n_threads),
            batches: vec![None; if shared { BATCHES } else { 0 }],
        }
    }

    /// What the thread found out for itself.
    pub(super) fn found(self) -> Found {
        for batch in self.batches.into_iter().flatten() {
            self.nodes.tell(batch);
        }
        Found { root_sums: self.root_sums, exploration: self.exploration }
    }

    /// Goes back to before the root.
    #[inline]
    pub(super) fn begin(&mut self) {
        self.path.clear();
    }

    /// Goes on to a node; returns whether the way is as long as it may be.
    #[inline(always)]
    pub(super) fn enter(&mut self, at: u32, entry: Entry<'a>, node: Node<'a>) -> bool {
        self.path.push(Step { at, entry, node, instead: NONE });
        self.path.len() == MOST_LEVELS
    }

    /// The nodes from the root on.
    #[inline]
    pub(super) fn path(&self) -> &[Step<'a>] {
        &self.path
    }

    /// The last node.
    #[inline]
    pub(super) fn leaf(&self) -> &Step<'a> {
        &self.path[self.path.len() - 1]
    }

    /// Where to go from a node: the child with the highest upper confidence bound, or an outcome drawn.
    // As part of the loop that goes down: a call for each node would cost a tenth of a simulation of Connect Four.
    #[inline(always)]
    pub(super) fn choose<const SIMPLE: bool>(
        &self,
        family: Family<'_>,
        parent: Head,
        node: Node<'_>,
        rng: &mut FastRng,
    ) -> usize {
        if parent.flags() & CHANCE_IS_NEXT != 0 {
            draw_any_outcome(family, rng)
        } else {
            family.highest(if SIMPLE { self.plain_factor(node) } else { self.factor(node) })
        }
    }

    /// The child to go on to when the best one, `proven`, is. None is open where another thread has just proven the last.
    #[cold]
    pub(super) fn choose_open(&mut self, mut proven: u32, parent: Head, rng: &mut FastRng) -> Option<usize> {
        if parent.flags() & CHANCE_IS_NEXT == 0 {
            let family = self.nodes.entries.family(parent);
            while self.nodes.score_by_proof(proven) {
                let chosen = family.highest(self.factor(self.leaf().node));
                proven = parent.first() + chosen as u32;
                if !is_proven(family.entry(chosen).head()) {
                    return Some(chosen);
                }
            }
        }
        let step = self.path.last_mut().expect("a child was chosen from somewhere");
        step.instead = proven;
        let (at, node) = (step.at, step.node);
        // Children in common may have been proven on another way.
        if self.nodes.statistics.joins() && self.nodes.try_to_prove(at) {
            return None;
        }
        let family = self.nodes.entries.family(parent);
        let is_open = |i: usize| !is_proven(family.entry(i).head());
        let chosen = if parent.flags() & CHANCE_IS_NEXT != 0 {
            draw_outcome(family, rng, is_open)
        } else {
            upper_confidence_bound(family, self.factor(node), is_open)
        };
        is_open(chosen).then_some(chosen)
    }

    #[inline]
    fn factor(&self, node: Node<'_>) -> f32 {
        let statistics = self.nodes.statistics;
        let factor = if statistics.goes_by_priors() {
            statistics.prior_weight * self.exploration.unit() as f32 * (node.visits() as f32).sqrt()
        } else if statistics.has_priors() {
            self.exploration.factor() as f32 * sqrt_ln(node.visits())
        } else {
            self.plain_factor(node)
        };
        self.tilt * factor
    }

    /// The same where there are no priors and no other threads.
    #[inline]
    fn plain_factor(&self, node: Node<'_>) -> f32 {
        self.exploration.factor() as f32 * node.weight()
    }

    /// The value of an action before it is tried: what `seat` expected when it last chose on the path. Where it did not choose
    /// before, all actions come first, or where priors decide they are worth what `of_position` says; there the option `fpu` takes
    /// something off (Gelly and Wang, *Exploration exploitation in Go*, 2006).
    pub(super) fn first_play_urgency(&self, seat: Seat, of_position: impl FnOnce() -> f32) -> f32 {
        let mut choices = self.path.iter().skip(1).rev().map(|step| step.entry);
        let last = choices.find(|entry| usize::from(chooser(entry.head())) == seat).map(|entry| Score::of(entry).value);
        match self.nodes.statistics.fpu {
            None => last.unwrap_or(f32::INFINITY),
            Some(fpu) => last.unwrap_or_else(of_position) - fpu * self.exploration.unit() as f32,
        }
    }

    /// What is proven at the end of the path.
    #[inline]
    pub(super) fn proof_of_leaf(&self) -> Option<Payoffs> {
        let leaf = self.leaf();
        // Where the walk ended above proven children, they prove it.
        let proven = is_proven(leaf.entry.head()) || leaf.instead != NONE && self.nodes.try_to_prove(leaf.at);
        proven.then(|| self.nodes.proof(leaf.at))
    }

    /// Counts the visits, averages what they paid, and carries proofs as far up as they reach.
    #[inline(always)]
    pub(super) fn back_up<const SIMPLE: bool>(&mut self, mut payoffs: Payoffs) {
        let nodes = self.nodes;
        let shared = !SIMPLE && self.shared;
        let mut proven = false;
        for (i, &Step { at, entry, node, instead }) in self.path.iter().enumerate().rev() {
            let mut head = entry.head();
            if proven && !is_proven(head) && nodes.try_to_prove(at) {
                head = entry.head();
            }
            proven = is_proven(head);
            if proven {
                payoffs = nodes.proof(at);
            } else if instead != NONE {
                payoffs = nodes.proof(instead);
            }
            if i == 1 {
                let first = (at - self.first_at_root) as usize * payoffs.as_slice().len();
                let sums = self.root_sums[first..].iter_mut();
                sums.zip(payoffs.as_slice()).for_each(|(sum, payoff)| *sum += payoff);
            }
            let chooser = chooser(head);
            let payoff = if chooser == CHANCE { 0.0 } else { payoffs[chooser.into()] };
            let one = Batch { at, entry, node, n: 1, payoff };
            if !shared || proven || node.visits() < VISITS_TO_BATCH {
                nodes.add::<SIMPLE>(one, shared, self.plain, head);
            } else {
                add_to_batch(nodes, &mut self.batches[at as usize % BATCHES], one);
            }
        }
    }

    /// Takes note of what a simulation paid, for the factor of exploration.
    #[inline]
    pub(super) fn observe(&mut self, payoffs: &Payoffs) {
        self.exploration.observe(payoffs);
    }
}

/// Keeps a visit with others of its node, and tells them all when they are enough. What was kept of another node in the same
/// place is told.
fn add_to_batch<'a>(nodes: Nodes<'a>, place: &mut Option<Batch<'a>>, one: Batch<'a>) {
    let sum = match place.take() {
        Some(kept) if kept.at == one.at => Batch { n: kept.n + 1, payoff: kept.payoff + one.payoff, ..one },
        Some(other) => {
            nodes.tell(other);
            one
        }
        None => one,
    };
    if sum.n < batch(sum.node.visits()) {
        *place = Some(sum);
    } else {
        nodes.tell(sum);
    }
}

/// Counts `n` visits; returns how many there are now.
#[inline]
fn add_visits(visits: &AtomicU32, n: u32, shared: bool) -> u32 {
    if shared {
        return visits.fetch_add(n, Ordering::Relaxed) + n;
    }
    let sum = visits.load(Ordering::Relaxed) + n;
    visits.store(sum, Ordering::Relaxed);
    sum
}

/// Adds to a sum; returns what it is now.
#[inline]
fn add_payoff(total: &AtomicU64, payoff: f64, shared: bool) -> f64 {
    let mut before = total.load(Ordering::Relaxed);
    loop {
        let sum = f64::from_bits(before) + payoff;
        if !shared {
            total.store(sum.to_bits(), Ordering::Relaxed);
            return sum;
        }
        match total.compare_exchange_weak(before, sum.to_bits(), Ordering::Relaxed, Ordering::Relaxed) {
            Ok(_) => return sum,
            Err(now) => before = now,
        }
    }
}

/// Virtual loss: until the simulation comes back the node's bonus is that of one visit more. What it will pay is left
/// open (Liu and others, *Watch the unobserved*, 2020): payoffs of any size would want a loss of any size.
#[cold]
pub(super) fn lose_virtually(entry: Entry<'_>, node: Node<'_>) {
    let n = node.visits();
    // A visit more or less makes no difference to one that has many, and the other threads can go on reading its score.
    if n < VISITS_TO_BATCH && chooser(entry.head()) != CHANCE {
        let (score, visits) = (Score::of(entry), n as f32);
        Score { bonus: score.bonus * ((visits + 1.0) / (visits + 2.0)).sqrt(), ..score }.put(entry);
    }
}

/// The index of the eligible child with the highest upper confidence bound, the first of equals (Auer, Cesa-Bianchi and
/// Fischer, *Finite-time analysis of the multiarmed bandit problem*, 2002; Kocsis and Szepesvári, *Bandit based
/// Monte-Carlo planning*, 2006).
fn upper_confidence_bound(family: Family<'_>, factor: f32, eligible: impl Fn(usize) -> bool) -> usize {
    let (mut best, mut highest) = (0, f32::NEG_INFINITY);
    for (i, entry) in family.iter().enumerate().filter(|&(i, _)| eligible(i)) {
        let score = Score::of(entry);
        let bound = score.value + factor * score.bonus;
        if bound > highest {
            (best, highest) = (i, bound);
        }
    }
    best
}

/// The index of an outcome, drawn by probability.
#[inline(never)]
fn draw_any_outcome(family: Family<'_>, rng: &mut FastRng) -> usize {
    draw_outcome(family, rng, |_| true)
}

/// The index of an eligible outcome, drawn by probability.
fn draw_outcome(family: Family<'_>, rng: &mut FastRng, eligible: impl Fn(usize) -> bool) -> usize {
    let outcomes = || family.iter().map(Score::of).enumerate().filter(|&(i, _)| eligible(i));
    let total: f32 = outcomes().map(|(_, outcome)| outcome.value).sum();
    let mut left = f64::from(total) * random_fraction(rng);
    let mut last = 0;
    for (i, outcome) in outcomes() {
        last = i;
        left -= f64::from(outcome.value);
        if left < 0.0 {
            break;
        }
    }
    // Rounding may leave a little; it counts as the last one's.
    last
}

#[cfg(test)]
mod tests {
    use raichi_core::random::stream;
    use raichi_machine::SharedTree;

    use super::*;

    /// Two threads share the tree; the one that was late had found the action good before the other proved that it loses.
    #[test]
    fn a_mean_that_was_put_in_the_place_of_a_proof_does_not_count() {
        let (config, facts) = (Config::default(), Facts::TWO_SEATS);
        let tree = SharedTree::new(64, Node::root(), 0);
        let room = Room::new(&config, &facts, false, SharedTree::<u32>::BYTES_PER_ENTRY);
        let statistics = Statistics::new(&config, facts, false, &room, tree.capacity());
        let nodes = Nodes { entries: &tree, statistics: &statistics };
        let starts = &mut Vec::new();
        let parent = tree.grow(Entries::ROOT, 0, nodes.start_actions(0, 0.0, 2, &[], starts), [1, 2]).unwrap();
        let visit = |at: u32, n: u32, payoff: f64| {
            let (entry, head, record, _) = tree.get(at);
            nodes.add::<false>(Batch { at, entry, node: Node(record), n, payoff }, true, true, head);
        };
        let (losing, open) = (parent.first(), parent.first() + 1);
        visit(losing, 10, 10.0);
        visit(open, 10, 0.0);
        visit(Entries::ROOT, 20, 0.0);
        assert!(nodes.prove(losing, &Payoffs::new([-1.0, 1.0]), 3.0));

        let mut walk = Walk::new(nodes, 0, 2, true);
        let (entry, _, record, _) = tree.get(Entries::ROOT);
        walk.begin();
        walk.enter(Entries::ROOT, entry, Node(record));
        let rng: &mut FastRng = &mut stream(1, "test", 0);
        let family = tree.family(parent);
        assert_eq!(walk.choose::<false>(family, parent, Node(record), rng), 0, "its mean is there");
        assert_eq!(walk.choose_open(losing, parent, rng), Some(1));
        assert_eq!(walk.leaf().instead, NONE, "the simulation's own payoffs count");
        let score = Score::of(family.entry(0));
        assert_eq!((score.value, score.bonus), (-1.0, 0.0));
        assert_eq!(walk.choose::<false>(family, parent, Node(record), rng), 1);
    }
}
