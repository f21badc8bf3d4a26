//! A game of two seats as sequences: what each seat does from its first information set to its last.
//!
//! Koller, Megiddo, von Stengel (1996): where both seats remember all that they have seen, a strategy is a *plan*, the
//! probability of each sequence of own actions, and the expected payoff is bilinear in both plans. The game is walked once;
//! after that an iteration of CFR or a best response is a product of a sparse matrix with a plan and one pass over the
//! information sets of a seat, all in flat arrays. Ends with the same two sequences, which differ only in what nobody saw,
//! are one entry of the matrix.
//!
//! Handled: chance, secrets, seats that act at the same time, path rules and caps, payoffs that add up to a constant.
//! Not handled: other payoffs, three seats or more, games that do not fit in memory.
//! Checked: values, best responses and counts of Kuhn and Leduc Poker; matrix games.

use raichi_core::game::{Choice, Phase};
use raichi_core::information::{Information, Recall};
use raichi_core::path::{PathGame, PathState};
use raichi_core::seat::Seat;
use rustc_hash::FxHashMap;

use crate::exact::{Unsolved, Work};

/// The game as sequences; number 0 of each seat is the empty one.
#[derive(Clone, Debug)]
pub struct Sequences {
    sides: [Side; 2],
    /// Half of what the payoffs add up to; the matrix has payoffs less this.
    offset: f64,
    /// Ends of the game that were walked.
    n_ends: u64,
}

/// What one seat can do.
#[derive(Clone, Debug, Default)]
struct Side {
    /// In an order in which what can come later stands later.
    sets: Vec<InformationSet>,
    /// By the key of the information state.
    numbers: FxHashMap<u64, u32>,
    n_sequences: u32,
    /// For each own sequence and one more: where its entries begin.
    rows: Vec<u32>,
    /// The other seat's sequence, and the own payoff times the probability of chance.
    entries: Vec<(u32, f64)>,
}

/// All positions that a seat cannot tell apart, and in which it is to act.
#[derive(Clone, Copy, Debug)]
struct InformationSet {
    /// The own sequence that leads to it.
    parent: u32,
    /// The sequence that ends with its first action; those of the others follow.
    first: u32,
    n_actions: u32,
}

impl InformationSet {
    #[inline]
    fn actions(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.n_actions) as usize
    }
}

/// An end of the game: a sequence of each seat, and seat 0's payoff times the probability of chance.
#[derive(Debug)]
struct End {
    sequences: [u32; 2],
    payoff: f64,
}

/// Makes [`Sequences`] of a game that is told set by set and end by end.
///
/// ```
/// use raichi_solve::regret::{Builder, FullCfr, Weights};
/// // Matching pennies: seat 0 wins where both show the same side.
/// let mut game = Builder::new(0.0);
/// let first = game.information_set(0, 0, 0, 2)?;
/// let second = game.information_set(1, 0, 0, 2)?;
/// for (row, column, payoff) in [(0, 0, 1.0), (0, 1, -1.0), (1, 0, -1.0), (1, 1, 1.0)] {
///     game.end([first + row, second + column], payoff);
/// }
/// let game = game.build();
/// let mut cfr = FullCfr::new(&game, Weights::Plus);
/// (0..100).for_each(|_| cfr.iterate());
/// let plans = cfr.average();
/// assert!(game.exploitability([&plans[0], &plans[1]]) < 0.01);
/// # Ok::<(), raichi_solve::Unsolved>(())
/// ```
#[derive(Debug)]
pub struct Builder {
    sides: [Side; 2],
    ends: Vec<End>,
    offset: f64,
}

impl Builder {
    /// A game of two seats whose payoffs add up to `sum`.
    pub fn new(sum: f64) -> Builder {
        let side = || Side { n_sequences: 1, ..Side::default() };
        Builder { sides: [side(), side()], ends: Vec::new(), offset: sum / 2.0 }
    }

    /// The information set of `seat` with this key, which its own sequence `parent` leads to (0: it has not acted yet);
    /// returns the sequence that ends with its first action. Those of the others follow. It may be told again.
    ///
    /// # Errors
    /// When it was told before with another parent or number of actions.
    pub fn information_set(&mut self, seat: Seat, key: u64, parent: u32, n_actions: u32) -> Result<u32, Unsolved> {
        self.sides[seat].set(key, parent, n_actions)
    }

    /// An end of the game that these sequences lead to: seat 0's payoff times the probability of chance, less half the sum
    /// of both payoffs times that probability.
    pub fn end(&mut self, sequences: [u32; 2], payoff: f64) {
        self.ends.push(End { sequences, payoff });
    }

    /// The game.
    pub fn build(self) -> Sequences {
        let Builder { mut sides, ends, offset } = self;
        for (seat, side) in sides.iter_mut().enumerate() {
            side.fill(seat, &ends);
        }
        Sequences { sides, offset, n_ends: ends.len() as u64 }
    }
}

struct Walk<'a, G: Information> {
    game: &'a PathGame<G>,
    work: &'a Work<'a>,
    built: Builder,
    n_nodes: u64,
}

impl Sequences {
    /// Walks the whole game.
    ///
    /// # Errors
    /// When the game is none for these methods, or time or memory do not suffice to walk it.
    pub fn of<G: Information>(game: &PathGame<G>, work: &Work<'_>) -> Result<Sequences, Unsolved> {
        let mut walk = Walk { game, work, built: Builder::new(sum_of_payoffs(game)?), n_nodes: 0 };
        walk.visit(&game.initial_state(), &Recall::new(2), [0; 2], 1.0)?;
        Ok(walk.built.build())
    }

    /// How many information sets there are.
    pub fn n_information_sets(&self) -> usize {
        self.sides.iter().map(|side| side.sets.len()).sum()
    }

    /// How many sequences `seat` has, the empty one included.
    pub fn n_sequences(&self, seat: Seat) -> usize {
        self.sides[seat].n_sequences as usize
    }

    /// How many ends of the game there are.
    pub fn n_ends(&self) -> u64 {
        self.n_ends
    }

    /// What the arrays take.
    pub fn bytes(&self) -> u64 {
        let of = |side: &Side| 16 * side.entries.len() + 28 * side.sets.len() + 4 * side.rows.len();
        self.sides.iter().map(of).sum::<usize>() as u64
    }

    /// The sequences that end with an action of the information set with this key, in the order of the legal actions.
    pub fn actions(&self, seat: Seat, key: u64) -> Option<std::ops::Range<usize>> {
        let side = &self.sides[seat];
        side.numbers.get(&key).map(|&number| side.sets[number as usize].actions())
    }

    /// The plan that behaves in each information set as `weights` say, one a sequence, in proportion to them; evenly where
    /// they are all 0.
    pub fn plan(&self, seat: Seat, weights: &[f64]) -> Vec<f64> {
        let mut plan = vec![1.0; self.n_sequences(seat)];
        for set in &self.sides[seat].sets {
            let reach = plan[set.parent as usize];
            let total: f64 = weights[set.actions()].iter().sum();
            for sequence in set.actions() {
                let share = if total > 0.0 { weights[sequence] / total } else { 1.0 / f64::from(set.n_actions) };
                plan[sequence] = reach * share;
            }
        }
        plan
    }

    /// The value of two plans by seat.
    pub fn values(&self, plans: [&[f64]; 2]) -> [f64; 2] {
        let mut gradient = vec![0.0; self.n_sequences(0)];
        self.gradient(0, plans[1], &mut gradient);
        let value: f64 = gradient.iter().zip(plans[0]).map(|(worth, plan)| worth * plan).sum();
        [self.offset + value, self.offset - value]
    }

    /// The most that `seat` can get against the other's plan.
    pub fn best_response(&self, seat: Seat, other: &[f64]) -> f64 {
        let mut worth = vec![0.0; self.n_sequences(seat)];
        self.gradient(seat, other, &mut worth);
        for set in self.sides[seat].sets.iter().rev() {
            let best = worth[set.actions()].iter().copied().fold(f64::NEG_INFINITY, f64::max);
            worth[set.parent as usize] += best;
        }
        self.offset + worth[0]
    }

    /// What both seats together could win by best responses, halved; 0 for an equilibrium and nothing else.
    pub fn exploitability(&self, plans: [&[f64]; 2]) -> f64 {
        let gains = self.best_response(0, plans[1]) + self.best_response(1, plans[0]) - 2.0 * self.offset;
        gains / 2.0
    }

    /// What each own sequence is worth by the ends that it leads to at once, against the other's plan.
    pub(super) fn gradient(&self, seat: Seat, other: &[f64], gradient: &mut [f64]) {
        let side = &self.sides[seat];
        for (worth, row) in gradient.iter_mut().zip(side.rows.windows(2)) {
            let entries = &side.entries[row[0] as usize..row[1] as usize];
            *worth = entries.iter().map(|&(sequence, payoff)| payoff * other[sequence as usize]).sum();
        }
    }

    /// Behaves by regret matching: in proportion to the positive regrets, evenly where there are none.
    pub(super) fn match_regrets(&self, seat: Seat, regrets: &[f64], behaviour: &mut [f64], plan: &mut [f64]) {
        plan[0] = 1.0;
        for set in &self.sides[seat].sets {
            let reach = plan[set.parent as usize];
            let actions = set.actions();
            let total: f64 = regrets[actions.clone()].iter().map(|regret| regret.max(0.0)).sum();
            let (scale, even) = if total > 0.0 { (1.0 / total, 0.0) } else { (0.0, 1.0 / f64::from(set.n_actions)) };
            for sequence in actions {
                let share = regrets[sequence].max(0.0) * scale + even;
                behaviour[sequence] = share;
                plan[sequence] = reach * share;
            }
        }
    }

    /// Adds to each regret what its action was worth above the behaviour; `worth` is a gradient, used up.
    pub(super) fn add_regrets(&self, seat: Seat, worth: &mut [f64], behaviour: &[f64], regrets: &mut [f64]) {
        for set in self.sides[seat].sets.iter().rev() {
            let actions = set.actions();
            let (worths, shares) = (&worth[actions.clone()], &behaviour[actions.clone()]);
            let mean: f64 = worths.iter().zip(shares).map(|(worth, share)| worth * share).sum();
            for (regret, worth) in regrets[actions].iter_mut().zip(worths) {
                *regret += worth - mean;
            }
            worth[set.parent as usize] += mean;
        }
    }
}

impl Side {
    /// The first sequence of the information set with this key, which is made if there is none.
    fn set(&mut self, key: u64, parent: u32, n_actions: u32) -> Result<u32, Unsolved> {
        let next = self.sets.len() as u32;
        let number = *self.numbers.entry(key).or_insert(next);
        if number == next {
            self.sets.push(InformationSet { parent, first: self.n_sequences, n_actions });
            self.n_sequences += n_actions;
        }
        let set = self.sets[number as usize];
        if (set.parent, set.n_actions) == (parent, n_actions) {
            Ok(set.first)
        } else {
            Err(Unsolved::Unknown("two information states of this game have the same key".into()))
        }
    }

    /// Sorts the ends into rows, those with the same sequences added up.
    fn fill(&mut self, seat: Seat, ends: &[End]) {
        let sign = if seat == 0 { 1.0 } else { -1.0 };
        let entry = |end: &End| ((end.sequences[seat], end.sequences[1 - seat]), sign * end.payoff);
        let mut entries: Vec<((u32, u32), f64)> = ends.iter().map(entry).collect();
        entries.sort_unstable_by_key(|&(sequences, _)| sequences);
        entries.dedup_by(|later, kept| {
            let same = later.0 == kept.0;
            if same {
                kept.1 += later.1;
            }
            same
        });
        entries.retain(|&(_, payoff)| payoff != 0.0);
        let begins = |row: u32| entries.partition_point(|&((own, _), _)| own < row) as u32;
        self.rows = (0..=self.n_sequences).map(begins).collect();
        self.entries = entries.into_iter().map(|((_, other), payoff)| (other, payoff)).collect();
    }
}

impl<G: Information> Walk<'_, G> {
    fn visit(
        &mut self,
        state: &PathState<G>,
        recall: &Recall,
        sequences: [u32; 2],
        probability: f64,
    ) -> Result<(), Unsolved> {
        self.n_nodes += 1;
        if self.n_nodes.is_multiple_of(1024) {
            self.check()?;
        }
        match self.game.phase(state) {
            Phase::Over => {
                let payoff = (self.game.payoffs(state)[0] - self.built.offset) * probability;
                self.built.end(sequences, payoff);
                Ok(())
            }
            Phase::Chance => {
                let mut outcomes = Vec::new();
                self.game.outcomes(state, &mut outcomes);
                let total: u64 = outcomes.iter().map(|&(_, weight)| weight).sum();
                outcomes.into_iter().try_for_each(|(outcome, weight)| {
                    let share = weight as f64 / total as f64;
                    self.play(state, recall, Choice::Outcome(outcome), sequences, probability * share)
                })
            }
            // Those who act at the same time do not see each other's choices, so one may go first.
            Phase::Act(seats) => {
                let seat = seats.first();
                let mut actions = Vec::new();
                self.game.legal_actions(state, seat, &mut actions);
                let n_actions = actions.len() as u32;
                let first = self.built.information_set(seat, recall.key(seat), sequences[seat], n_actions)?;
                (first..).zip(actions).try_for_each(|(sequence, action)| {
                    let mut sequences = sequences;
                    sequences[seat] = sequence;
                    self.play(state, recall, Choice::Action(seat, action), sequences, probability)
                })
            }
        }
    }

    fn play(
        &mut self,
        state: &PathState<G>,
        recall: &Recall,
        choice: Choice<G>,
        sequences: [u32; 2],
        probability: f64,
    ) -> Result<(), Unsolved> {
        let (mut state, mut recall) = (state.clone(), recall.clone());
        recall.play(self.game, &mut state, choice);
        self.visit(&state, &recall, sequences, probability)
    }

    fn check(&self) -> Result<(), Unsolved> {
        let n_sets: usize = self.built.sides.iter().map(|side| side.sets.len()).sum();
        // An end becomes an entry of both sides; a set has an entry of a hash table and a few numbers a sequence.
        if 96 * self.built.ends.len() + 160 * n_sets > self.work.memory {
            Err(Unsolved::OutOfMemory)
        } else if self.work.is_over() {
            Err(Unsolved::OutOfTime)
        } else {
            Ok(())
        }
    }
}

fn sum_of_payoffs<G: Information>(game: &PathGame<G>) -> Result<f64, Unsolved> {
    let facts = game.facts();
    match facts.payoff_sum {
        Some(sum) if facts.n_seats == 2 => Ok(sum),
        _ => Err(Unsolved::Unknown(
            "equilibria are found for two seats whose payoffs add up to a constant, and for no other games".into(),
        )),
    }
}
