//! How a player of some style chooses, as far as can be told from the share its hand can expect: the model of opponents,
//! and of the agent's own later plies.

use raichi_games::poker::Action;

use super::tree_search_style::TREE_SEARCH;

/// The six words, by their numbers.
pub(super) const ACTIONS: [Action; 6] =
    [Action::Fold, Action::Check, Action::Bet, Action::Call, Action::Raise, Action::AllIn];

/// What the seat to act sees of the betting.
#[derive(Clone, Copy, Debug)]
pub(super) struct Situation {
    /// The legal actions, as bits.
    pub(super) legal: u8,
    /// The chips at stake before it acts.
    pub(super) pot: f32,
    /// What it needs to call, at most its stack.
    pub(super) to_call: f32,
    /// What it has.
    pub(super) stack: f32,
    /// How many others are still in the round.
    pub(super) n_others: u32,
}

/// A way of playing.
#[derive(Clone, Copy, Debug)]
pub(super) enum Style {
    /// By a rule of a few numbers.
    Rule(Rule),
    /// As a player was seen to choose, and any legal action in one of twenty decisions.
    Seen(&'static Frequencies),
}

/// A way of playing, in numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rule {
    /// How much more than the pot odds it wants for a call; below 1 it calls with less.
    tight: f32,
    /// How readily it increases the bet.
    aggression: f32,
    /// From which share on, against one opponent, it does so.
    good: f32,
    /// How much better a hand must be to go all-in, the more chips are behind.
    patience: f32,
    /// How readily it increases the bet with any hand.
    bluff: f32,
    /// How sharply it tells good hands from bad ones.
    sharpness: f32,
    /// How often it chooses any legal action.
    random: f32,
}

/// How many styles opponents are believed to have.
pub(super) const N_STYLES: usize = 8;

/// Those styles, and how likely each is before anything is seen: any legal action; always a call; then tight and loose ones,
/// passive and aggressive ones; and one who thinks by tree search.
pub(super) const STYLES: [(Style, f32); N_STYLES] = [
    (Style::Rule(Rule { random: 1.0, ..opponent(1.0, 0.0) }), 0.12),
    (Style::Rule(Rule { random: 0.02, ..opponent(0.0, 0.0) }), 0.13),
    (Style::Rule(opponent(1.3, 0.4)), 0.10),
    (Style::Rule(opponent(1.2, 1.2)), 0.15),
    (Style::Rule(opponent(0.8, 0.4)), 0.10),
    (Style::Rule(Rule { good: 0.55, patience: 0.05, bluff: 0.15, ..opponent(0.9, 2.0) }), 0.10),
    (Style::Rule(Rule { good: 0.50, patience: 0.00, bluff: 0.40, ..opponent(1.05, 3.0) }), 0.10),
    (Style::Seen(&TREE_SEARCH), 0.20),
];

/// The style that stands for players of whom nothing else is known.
pub(super) const USUAL: usize = 3;

const fn opponent(tight: f32, aggression: f32) -> Rule {
    Rule { tight, aggression, good: 0.60, patience: 0.07, bluff: 0.04, sharpness: 14.0, random: 0.05 }
}

/// How the agent may go on itself; for each decision it looks which of them pays best. The first is the usual one.
pub(super) const OWN: [Style; 5] =
    [own(1.1, 1.0, 0.60), own(1.1, 0.0, 0.60), own(1.0, 6.0, 0.52), own(1.5, 4.0, 0.72), own(0.8, 6.0, 0.60)];

const fn own(tight: f32, aggression: f32, good: f32) -> Style {
    let bluff = 0.02 * aggression;
    Style::Rule(Rule { tight, aggression, good, patience: 0.07, bluff, sharpness: 40.0, random: 0.0 })
}

/// How often each kind of action was chosen, in percent: by class of price ([`price_class`]), by step of the hand's share, by
/// [`kind`].
pub(super) type Frequencies = [[[u8; N_KINDS]; N_SHARES]; N_PRICES];

/// Kinds of actions: giving up, going on for what was bet, betting more, everything.
pub(super) const N_KINDS: usize = 4;
const N_PRICES: usize = 4;
/// Shares are told apart in so many steps.
const N_SHARES: usize = 16;

/// What a [`Style::Seen`] puts together.
pub(super) fn kind(action: Action) -> usize {
    match action {
        Action::Fold => 0,
        Action::Check | Action::Call => 1,
        Action::Bet | Action::Raise => 2,
        Action::AllIn => 3,
    }
}

/// What a call costs: nothing, a small part of the stack, a large one, or nearly all of it and more.
pub(super) fn price_class(at: &Situation) -> usize {
    match at.to_call / at.stack.max(1.0) {
        0.0 => 0,
        price if price < 0.25 => 1,
        price if price < 0.75 => 2,
        _ => 3,
    }
}

/// The middle of a step of shares.
pub(super) fn share_of_step(step: usize) -> f32 {
    (step as f32 + 0.5) / N_SHARES as f32
}

impl Situation {
    fn is_legal(&self, action: Action) -> bool {
        self.legal >> action as u8 & 1 == 1
    }
}

impl Style {
    /// How likely each action is for a hand that can expect this share against one unknown hand.
    pub(super) fn probabilities(&self, at: &Situation, share: f32) -> [f32; 6] {
        match self {
            Style::Rule(rule) => rule.probabilities(at, share),
            Style::Seen(frequencies) => seen(frequencies, at, share),
        }
    }
}

/// How likely each action is for a player who goes by what was seen.
fn seen(frequencies: &Frequencies, at: &Situation, share: f32) -> [f32; 6] {
    const RANDOM: f32 = 0.05;
    let step = ((share * N_SHARES as f32) as usize).min(N_SHARES - 1);
    let here = frequencies[price_class(at)][step];
    let mut weights = [0.0; 6];
    // Without chips to call with, all-in is the call.
    let is_call = at.to_call > 0.0 && at.to_call >= at.stack;
    for action in ACTIONS {
        if at.is_legal(action) {
            let calls = if is_call && action == Action::AllIn {
                here[kind(Action::Call)] + here[kind(Action::Raise)]
            } else {
                0
            };
            weights[action as usize] = f32::from(here[kind(action)] + calls) + 0.1;
        }
    }
    mixed(weights, at, RANDOM)
}

/// Probabilities in the ratios of `weights`, and any legal action as often as `random` says.
fn mixed(mut weights: [f32; 6], at: &Situation, random: f32) -> [f32; 6] {
    let total: f32 = weights.iter().sum();
    let thinking = if total > 0.0 { (1.0 - random) / total } else { 0.0 };
    let any = random / at.legal.count_ones().max(1) as f32;
    for (bit, weight) in weights.iter_mut().enumerate() {
        *weight = *weight * thinking + if at.legal >> bit & 1 == 1 { any } else { 0.0 };
    }
    weights
}

impl Rule {
    fn probabilities(&self, at: &Situation, share: f32) -> [f32; 6] {
        let others = at.n_others.max(1) as f32;
        let against_all = share.powf(1.0 + 0.6 * (others - 1.0));
        let sharp = |x: f32| (self.sharpness * x).clamp(-9.0, 9.0).exp();
        let odds = at.to_call / (at.pot + at.to_call).max(1.0);
        let deep = (1.0 + (at.stack - at.to_call).max(0.0) / (at.pot + at.to_call).max(1.0)).ln();
        let good = self.good + 0.025 * (others - 1.0);
        let increase = self.bluff + self.aggression * sharp(share - good).min(20.0);
        let mut weights = [0.0; 6];
        let mut put = |action: Action, weight: f32| {
            if at.is_legal(action) {
                weights[action as usize] = weight;
            }
        };
        // Where nothing is to be paid nobody folds who thinks.
        put(Action::Fold, if at.to_call > 0.0 { self.tight * sharp(odds * self.tight - against_all) } else { 0.0 });
        put(Action::Check, 1.0);
        put(Action::Call, 1.0);
        put(Action::Bet, increase);
        put(Action::Raise, increase);
        // Without chips to call with, all-in is the call.
        let is_call = at.to_call > 0.0 && at.to_call >= at.stack;
        let caution = self.patience * deep;
        let all_in = self.bluff * sharp(-caution) + self.aggression * sharp(share - good - caution).min(20.0);
        put(Action::AllIn, if is_call { 1.0 + all_in } else { 0.6 * all_in });
        mixed(weights, at, self.random)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn situation(legal: &[Action], to_call: f32) -> Situation {
        let legal = legal.iter().fold(0, |bits, &action| bits | 1 << action as u8);
        Situation { legal, pot: 40.0, to_call, stack: 100.0, n_others: 1 }
    }

    #[test]
    fn probabilities_are_of_legal_actions_and_add_up_to_one() {
        let facing = [Action::Fold, Action::Call, Action::Raise, Action::AllIn];
        let open = [Action::Fold, Action::Check, Action::Bet, Action::AllIn];
        for (legal, to_call) in [(&facing[..], 20.0), (&open[..], 0.0), (&[Action::Fold, Action::AllIn][..], 100.0)] {
            let at = situation(legal, to_call);
            for style in STYLES.map(|(style, _)| style).into_iter().chain(OWN) {
                for share in [0.0, 0.3, 0.6, 1.0] {
                    let probabilities = style.probabilities(&at, share);
                    let total: f32 = probabilities.iter().sum();
                    assert!((total - 1.0).abs() < 1e-4, "{style:?} at {share}: {probabilities:?}");
                    let illegal = ACTIONS.into_iter().filter(|action| !legal.contains(action));
                    assert!(illegal.map(|action| probabilities[action as usize]).all(|p| p == 0.0));
                }
            }
        }
    }

    #[test]
    fn better_hands_fold_less_and_increase_more() {
        let at = situation(&[Action::Fold, Action::Call, Action::Raise, Action::AllIn], 20.0);
        for (style, _) in &STYLES[2..] {
            let [bad, good] = [0.2, 0.9].map(|share| style.probabilities(&at, share));
            assert!(bad[Action::Fold as usize] > good[Action::Fold as usize], "{style:?}");
            let increases = |p: [f32; 6]| p[Action::Raise as usize] + p[Action::AllIn as usize];
            assert!(increases(good) > increases(bad), "{style:?}");
        }
    }
}
