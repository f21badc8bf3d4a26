//! A betting round as lists of steps, in the order in which a pass goes through them; and one pass.
//!
//! A pass learns for one seat. *Down*: the other seat's weights of hands at each public state, times its strategy where it
//! acts. *Ends*: what its own hands are worth there. *Up*: what they are worth at each state, by its own strategy.

use super::layout::{Layout, Side, WIDTH};
use super::strategy::{self, Discount};
use super::sweep;
use super::tree::Node;

/// A betting round. Vectors over hands have *slots* for weights and for values; those of what follows a node lie side by side.
#[derive(Clone, Debug)]
pub(super) struct Street {
    /// How many vectors a seat's strategy takes.
    pub(super) n_rows: [usize; 2],
    n_values: usize,
    /// By the seat that learns.
    plans: [Plan; 2],
    /// How many public states each seat acts at.
    pub(super) n_acts: [usize; 2],
}

/// The steps where one seat learns.
#[derive(Clone, Debug, Default)]
struct Plan {
    n_weights: usize,
    /// Where the other seat acts, from the root on.
    down: Vec<Act>,
    ends: Vec<End>,
    deals: Vec<Deal>,
    /// Where either seat acts, the root last.
    up: Vec<(bool, Act)>,
}

#[derive(Clone, Copy, Debug)]
struct Act {
    n_actions: usize,
    /// Slot of weights or values of the node.
    at: usize,
    /// The first slot of what follows.
    next: usize,
    /// The first vector of the strategy.
    row: usize,
}

/// Public states that pay by the same weights, one of each kind: a seat's own choices leave the other's weights as they are, so
/// several ends of a kind can have the same.
#[derive(Clone, Copy, Debug, Default)]
struct End {
    weights: usize,
    /// Slot and factor.
    showdown: Option<(usize, f32)>,
    /// Slot and factor for all hands that share no card.
    total: Option<(usize, f32)>,
    /// As `total`, added to what the slot has.
    extra: Option<(usize, f32)>,
    /// Slot and factor for hands that are equal, added to what the slot has.
    equal: Option<(usize, f32)>,
}

/// Where the river card is dealt.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deal {
    pub(super) weights: usize,
    pub(super) value: usize,
    /// Which it is.
    pub(super) nth: usize,
}

impl Street {
    /// `deal` is given the tree behind each deal and numbers it.
    pub(super) fn new(root: &Node, deal: &mut dyn FnMut(&Node) -> usize) -> Street {
        let plans = [Plan { n_weights: 1, ..Plan::default() }, Plan { n_weights: 1, ..Plan::default() }];
        let mut street = Street { n_rows: [0; 2], n_values: 1, plans, n_acts: [0; 2] };
        street.add(root, [0; 2], 0, deal);
        for plan in &mut street.plans {
            plan.up.reverse();
            // Those with hands shown first, so that they share sweeps.
            plan.ends.sort_by_key(|end| end.showdown.is_none());
        }
        street
    }

    fn add(&mut self, node: &Node, weights: [usize; 2], value: usize, deal: &mut dyn FnMut(&Node) -> usize) {
        match node {
            Node::Fold { pays } => {
                for (learner, sign) in [(0, 1.0), (1, -1.0)] {
                    let end = self.end(learner, weights[learner], |end| end.total.is_none());
                    end.total = Some((value, sign * pays));
                }
            }
            Node::Showdown { even, odd, stake } => {
                for (learner, sign) in [(0, 1.0), (1, -1.0)] {
                    let end = self.end(learner, weights[learner], |end| end.showdown.is_none());
                    end.showdown = Some((value, *stake));
                    end.extra = (*even != 0.0).then_some((value, sign * even));
                    end.equal = (*odd != 0.0).then_some((value, sign * odd));
                }
            }
            Node::Deal(next) => {
                let nth = deal(next);
                for learner in 0..2 {
                    self.plans[learner].deals.push(Deal { weights: weights[learner], value, nth });
                }
            }
            Node::Act { seat, choices } => {
                let (seat, other, n_actions) = (*seat, 1 - seat, choices.len());
                let (row, next_value) = (self.n_rows[seat], self.n_values);
                self.n_rows[seat] += n_actions;
                self.n_values += n_actions;
                self.n_acts[seat] += 1;
                for learner in 0..2 {
                    let up = Act { n_actions, at: value, next: next_value, row };
                    self.plans[learner].up.push((learner == seat, up));
                }
                let plan = &mut self.plans[other];
                let next_weights = plan.n_weights;
                plan.n_weights += n_actions;
                plan.down.push(Act { n_actions, at: weights[other], next: next_weights, row });
                for (nth, (_, node)) in choices.iter().enumerate() {
                    let mut weights = weights;
                    weights[other] = next_weights + nth;
                    self.add(node, weights, next_value + nth, deal);
                }
            }
        }
    }

    /// An end with these weights in which there is room.
    fn end(&mut self, learner: usize, weights: usize, has_room: impl Fn(&End) -> bool) -> &mut End {
        let ends = &mut self.plans[learner].ends;
        let found = ends.iter().position(|end| end.weights == weights && has_room(end)).unwrap_or_else(|| {
            ends.push(End { weights, ..End::default() });
            ends.len() - 1
        });
        &mut ends[found]
    }

    pub(super) fn deals(&self, learner: usize) -> &[Deal] {
        &self.plans[learner].deals
    }

    /// How many numbers a seat's strategy takes.
    pub(super) fn size(&self, seat: usize, side: &Side) -> usize {
        self.n_rows[seat] * side.stride
    }
}

/// What a pass does.
#[derive(Clone, Copy, Debug)]
pub(super) enum Mode {
    /// The seat learns against the other's current strategy, which is added to that seat's average.
    Learn(Discount),
    /// The seat's best response to the other's average strategy.
    BestResponse,
    /// Average strategies of both.
    Average,
}

/// The strategies of both seats in a betting round on a board: a part of the whole.
pub(super) struct Strategies<'a> {
    pub(super) regrets: [&'a mut [f32]; 2],
    pub(super) sums: [&'a mut [f32]; 2],
}

/// Memory of a pass through a betting round.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    pub(super) weights: Vec<f32>,
    pub(super) values: Vec<f32>,
    side_by_side: Vec<f32>,
    worth: Vec<f32>,
}

impl Scratch {
    /// Enough for all of these.
    pub(super) fn fit(&mut self, street: &Street, layout: &Layout) {
        let stride = layout.sides[0].stride.max(layout.sides[1].stride);
        let n_weights = street.plans.iter().map(|plan| plan.n_weights).max().unwrap_or(0);
        let grow = |numbers: &mut Vec<f32>, n: usize| numbers.resize(n.max(numbers.len()), 0.0);
        grow(&mut self.weights, n_weights * stride);
        grow(&mut self.values, street.n_values * stride);
        grow(&mut self.side_by_side, WIDTH * stride);
        grow(&mut self.worth, WIDTH * stride);
    }
}

/// A pass through a betting round on a board, where a seat learns.
pub(super) struct Pass<'a> {
    pub(super) street: &'a Street,
    pub(super) layout: &'a Layout,
    pub(super) learner: usize,
    pub(super) mode: Mode,
}

impl Pass<'_> {
    fn plan(&self) -> &Plan {
        &self.street.plans[self.learner]
    }

    /// The other seat's weights everywhere, from those in the first slot.
    pub(super) fn down(&self, strategies: &mut Strategies<'_>, scratch: &mut Scratch) {
        let other = 1 - self.learner;
        let stride = self.layout.sides[other].stride;
        for act in &self.plan().down {
            let (before, next) = scratch.weights.split_at_mut(act.next * stride);
            let weights = &before[act.at * stride..][..stride];
            let next = &mut next[..act.n_actions * stride];
            let rows = act.row * stride..(act.row + act.n_actions) * stride;
            let sums = &mut strategies.sums[other][rows.clone()];
            match self.mode {
                Mode::Learn(discount) => {
                    let regrets = &strategies.regrets[other][rows];
                    strategy::play_and_add(act.n_actions, weights, regrets, sums, next, discount.sums);
                }
                Mode::BestResponse | Mode::Average => strategy::play(act.n_actions, weights, sums, next),
            }
        }
    }

    /// Values where the betting ends.
    pub(super) fn ends(&self, scratch: &mut Scratch) {
        let mut ends = &self.plan().ends[..];
        while !ends.is_empty() {
            // Half the width where no more are left.
            let n = ends.len().min(if ends.len() > 4 { 8 } else { 4 });
            let (now, later) = ends.split_at(n);
            if n > 4 {
                self.side_by_side::<8>(now, scratch);
            } else {
                self.side_by_side::<4>(now, scratch);
            }
            ends = later;
        }
    }

    fn side_by_side<const L: usize>(&self, ends: &[End], scratch: &mut Scratch) {
        let [own, other] = [self.learner, 1 - self.learner].map(|seat| &self.layout.sides[seat]);
        let weights = &mut scratch.side_by_side.as_chunks_mut::<L>().0[..other.stride];
        for (lane, end) in ends.iter().enumerate() {
            let from = &scratch.weights[end.weights * other.stride..][..other.stride];
            weights.iter_mut().zip(from).for_each(|(to, &weight)| to[lane] = weight);
        }
        let worth = &mut scratch.worth.as_chunks_mut::<L>().0[..own.n];
        let values = &mut scratch.values;
        let all = if ends[0].showdown.is_some() {
            let all = sweep::showdown(own, other, weights, worth);
            for (lane, end) in ends.iter().enumerate() {
                if let Some((slot, factor)) = end.showdown {
                    let values = values[slot * own.stride..].iter_mut();
                    values.zip(&*worth).for_each(|(value, worth)| *value = factor * worth[lane]);
                }
            }
            all
        } else {
            sweep::all(other, weights)
        };
        if ends.iter().any(|end| end.equal.is_some()) {
            sweep::equal(own, other, weights, worth);
            for (lane, end) in ends.iter().enumerate() {
                if let Some((slot, factor)) = end.equal {
                    let values = values[slot * own.stride..].iter_mut();
                    values.zip(&*worth).for_each(|(value, worth)| *value += factor * worth[lane]);
                }
            }
        }
        if ends.iter().all(|end| end.total.is_none() && end.extra.is_none()) {
            return;
        }
        sweep::totals(own, weights, worth, &all);
        for (lane, end) in ends.iter().enumerate() {
            if let Some((slot, factor)) = end.total {
                let values = values[slot * own.stride..].iter_mut();
                values.zip(&*worth).for_each(|(value, worth)| *value = factor * worth[lane]);
            }
            if let Some((slot, factor)) = end.extra {
                let values = values[slot * own.stride..].iter_mut();
                values.zip(&*worth).for_each(|(value, worth)| *value += factor * worth[lane]);
            }
        }
    }

    /// Values everywhere, from those where the betting ends; the root's in the first slot.
    pub(super) fn up(&self, strategies: &mut Strategies<'_>, scratch: &mut Scratch) {
        let stride = self.layout.sides[self.learner].stride;
        for &(is_own, act) in &self.plan().up {
            let (before, next) = scratch.values.split_at_mut(act.next * stride);
            let value = &mut before[act.at * stride..][..stride];
            let next = &next[..act.n_actions * stride];
            let rows = act.row * stride..(act.row + act.n_actions) * stride;
            match self.mode {
                _ if !is_own => strategy::sum(act.n_actions, next, value),
                Mode::Learn(discount) => {
                    let regrets = &mut strategies.regrets[self.learner][rows];
                    strategy::learn(act.n_actions, next, regrets, value, discount);
                }
                Mode::BestResponse => strategy::best(act.n_actions, next, value),
                Mode::Average => strategy::mean(act.n_actions, next, &strategies.sums[self.learner][rows], value),
            }
        }
    }
}
