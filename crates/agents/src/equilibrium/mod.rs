//! Equilibria of games with secrets, for the games that are small enough to be gone through whole.
//!
//! Regrets are minimised over all information sets of a game ([`raichi_solve::regret`]), so a game has a line here only where
//! these fit into memory. In Poker they do once the turn lies on the table and two seats are left: [`equilibrium_at`]. The
//! agent that plays by one is in [`player`].

pub(crate) mod player;

use std::sync::Arc;

use raichi_core::erased::{AnyGame, AnyMatch, Playable};
use raichi_core::game::{Choice, Payoffs, Phase};
use raichi_core::history::Match;
use raichi_core::information::Recall;
use raichi_core::path::{PathGame, PathState};
use raichi_core::seat::{Seat, Viewer};
use raichi_engines::poker::equity::Range;
use raichi_engines::poker::postflop::{self, RootHand, RootStrategy, Weights};
use raichi_engines::poker::preflop::{class, class_name};
use raichi_games::cards::write_cards;
use raichi_games::kuhn_poker::KuhnPoker;
use raichi_games::leduc_poker::LeducPoker;
use raichi_games::poker::Poker;
use raichi_solve::regret::{self, Equilibrium, Options};
use raichi_solve::{Unsolved, Work};

/// The games that are small enough.
const LINES: &[Line] = &[Line::of::<KuhnPoker>(), Line::of::<LeducPoker>()];

/// What is done for a game; each answers `None` for any other.
struct Line {
    is_of: fn(&dyn AnyGame) -> bool,
    solve: Solve,
    values: OfActions,
    shares: OfActions,
}

/// An equilibrium that is no more exploitable than a target.
type Solve = fn(&dyn AnyGame, f64, &Work<'_>) -> Option<Result<Equilibrium, Unsolved>>;

/// A number for each action of the seat to act, by an equilibrium.
type OfActions = fn(&dyn AnyGame, &dyn AnyMatch, &Equilibrium) -> Option<Vec<(String, f64)>>;

impl Line {
    const fn of<G: Playable>() -> Line {
        Line { is_of: is_of::<G>, solve: solve::<G>, values: values::<G>, shares: shares::<G> }
    }
}

/// A game counts as solved when its strategies are no more exploitable than this, in units of the payoffs.
pub const SOLVED: f64 = 1e-6;

/// An equilibrium of the game from its start, or what was reached of one when the time was up; `None` where the game has no
/// secrets or is too large. It is one when its exploitability, in units of the payoffs, is no more than `target`.
pub fn equilibrium(game: &dyn AnyGame, target: f64, work: &Work<'_>) -> Option<Result<Equilibrium, Unsolved>> {
    LINES.iter().find_map(|line| (line.solve)(game, target, work))
}

/// Whether [`equilibrium`] knows the game.
pub(crate) fn has_equilibrium(game: &dyn AnyGame) -> bool {
    LINES.iter().any(|line| (line.is_of)(game))
}

fn is_of<G: Playable>(game: &dyn AnyGame) -> bool {
    game.as_any().is::<Arc<PathGame<G>>>()
}

fn solve<G: Playable>(game: &dyn AnyGame, target: f64, work: &Work<'_>) -> Option<Result<Equilibrium, Unsolved>> {
    let game: &Arc<PathGame<G>> = game.as_any().downcast_ref()?;
    Some(regret::solve(game, &Options { target, ..Options::default() }, work))
}

/// Strategies for the rest of a round, from a position.
#[derive(Clone, Debug)]
pub struct RoundEquilibrium {
    /// What each seat gets by them, where play ends with the round.
    pub values: Payoffs,
    /// What both seats that are left could win by deviating, halved.
    pub exploitability: f64,
    /// The exploitability at which the position counts as solved, a thousandth of the pot.
    pub target: f64,
    /// How many iterations there were.
    pub iterations: u64,
    /// Of both seats; cards that are alike count once.
    pub information_sets: usize,
    /// What the seat to act does; `None` at chance.
    pub strategy: Option<ActingStrategy>,
}

/// What the seat to act does with the hands that it can have.
#[derive(Clone, Debug)]
pub struct ActingStrategy {
    /// Who.
    pub seat: Seat,
    /// The texts of its actions.
    pub actions: Vec<String>,
    /// By kind of hands, the best cards first.
    pub hands: Vec<HandStrategy>,
    /// With the cards that it holds, where the position is its own view.
    pub own: Option<HandStrategy>,
}

/// What is done with a hand or a kind of hands.
#[derive(Clone, Debug)]
pub struct HandStrategy {
    /// What it is called.
    pub name: String,
    /// How likely the seat has it.
    pub weight: f64,
    /// How often each action is chosen.
    pub shares: Vec<f64>,
    /// What each action is worth to the seat, as `values` are.
    pub worth: Vec<f64>,
}

/// How many iterations there are at most where a position is solved.
const ITERATIONS: u64 = 100_000;

/// It ends when no more than this share of the pot can be won by deviating.
const TARGET: f64 = 0.001;

/// Strategies for the two seats that are left in a round, or what was reached of them when the time or the iterations were
/// over: they are a solution where the exploitability is no more than the target. `None` where the game is not Poker. `ranges` are the hands that each of the two can have, in the order of the seats; none is any hand for
/// both. No hidden card is looked at, nor any hand: the cards of the seat whose view the position is only choose what is
/// shown.
pub fn equilibrium_at(
    game: &dyn AnyGame,
    current: &dyn AnyMatch,
    ranges: &[String],
    work: &Work<'_>,
) -> Option<Result<RoundEquilibrium, Unsolved>> {
    let game: &Arc<PathGame<Poker>> = game.as_any().downcast_ref()?;
    let current: &Match<Poker> = current.as_any().downcast_ref()?;
    Some(round(game.game(), current, ranges, work))
}

fn round(
    game: &Poker,
    current: &Match<Poker>,
    ranges: &[String],
    work: &Work<'_>,
) -> Result<RoundEquilibrium, Unsolved> {
    let state = current.state();
    let remaining = postflop::remaining(game, state).map_err(|why| Unsolved::Unknown(why.to_string()))?;
    let ranges = read_ranges(ranges).map_err(Unsolved::Unknown)?;
    let target = TARGET * f64::from(state.pot());
    let options = postflop::Options { weights: Weights::DEFAULT, iterations: ITERATIONS, target };
    let found = postflop::solve(&remaining.tree, state.board(), [&ranges[0], &ranges[1]], &options, work)?;
    // Before the first iteration every action is as likely: that is no strategy.
    if found.iterations == 0 {
        return Err(Unsolved::OutOfTime);
    }

    // A payoff is what is there beyond what there was at the start of the game.
    let payoffs = current.payoffs();
    let chips_at_start = |seat: Seat| f64::from(state.stack(seat) + state.staked(seat)) - payoffs[seat];
    let base = |nth: usize| remaining.base[nth] - chips_at_start(remaining.seats[nth]);
    let values =
        (0..payoffs.as_slice().len()).map(|seat| match remaining.seats.iter().position(|&left| left == seat) {
            Some(nth) => base(nth) + if nth == 0 { found.value } else { -found.value },
            // Out of the round: what it has put in is lost.
            None => payoffs[seat] - f64::from(state.staked(seat)),
        });
    let strategy = found.root.map(|root| {
        let seat = remaining.seats[root.seat];
        let base = base(root.seat);
        let own = (current.seen_by() == Some(Viewer::Seat(seat))).then(|| state.hole(seat));
        let own = own.and_then(|hole| root.hands.iter().find(|hand| hand.hand == hole)).map(|hand| {
            let name = write_cards(hand.hand.highest_first().into_iter().map(Some));
            HandStrategy { name, ..mean(std::slice::from_ref(hand), base) }
        });
        let actions = root.actions.iter().map(|action| action.word().to_string()).collect();
        ActingStrategy { seat, actions, hands: kinds(&root, base), own }
    });
    Ok(RoundEquilibrium {
        values: Payoffs::new(values),
        exploitability: found.exploitability,
        target,
        iterations: found.iterations,
        information_sets: found.information_sets,
        strategy,
    })
}

/// Whether these are ranges for [`equilibrium_at`].
///
/// # Errors
/// A sentence that says what is wrong with them.
pub fn check_ranges(ranges: &[String]) -> Result<(), String> {
    read_ranges(ranges).map(drop)
}

/// None is any hand for both.
fn read_ranges(ranges: &[String]) -> Result<[Range; 2], String> {
    let read = |text: &String| Range::parse(text).map_err(|why| why.to_string());
    match ranges {
        [] => Ok([Range::any(), Range::any()]),
        [first, second] => Ok([read(first)?, read(second)?]),
        _ => Err(format!("two ranges are needed, one for each seat that is left, not {}", ranges.len())),
    }
}

/// By kind of hands, the highest cards first.
fn kinds(root: &RootStrategy, base: f64) -> Vec<HandStrategy> {
    let mut hands: Vec<(usize, &RootHand)> = root.hands.iter().map(|hand| (class(hand.hand), hand)).collect();
    let order = |class: usize| {
        let (row, column) = (class / 13, class % 13);
        std::cmp::Reverse((row.max(column), row.min(column), row))
    };
    hands.sort_by_key(|&(class, _)| order(class));
    let of_kind = |kind: &[(usize, &RootHand)]| {
        let hands: Vec<RootHand> = kind.iter().map(|&(_, hand)| hand.clone()).collect();
        HandStrategy { name: class_name(kind[0].0), ..mean(&hands, base) }
    };
    hands.chunk_by(|one, other| one.0 == other.0).map(of_kind).collect()
}

/// What is done with hands on average.
fn mean(hands: &[RootHand], base: f64) -> HandStrategy {
    let weight: f64 = hands.iter().map(|hand| hand.weight).sum();
    let n = hands.first().map_or(0, |hand| hand.shares.len());
    let of = |numbers: &dyn Fn(&RootHand) -> &[f64], nth: usize| {
        hands.iter().map(|hand| hand.weight * numbers(hand)[nth]).sum::<f64>() / weight
    };
    HandStrategy {
        name: String::new(),
        weight,
        shares: (0..n).map(|nth| of(&|hand| &hand.shares, nth)).collect(),
        worth: (0..n).map(|nth| base + of(&|hand| &hand.worth, nth)).collect(),
    }
}

/// What each action of the seat to act is worth to it on average, where both seats play on by `found`, an equilibrium of the
/// game: the mean over all that the seat cannot tell apart, each as likely as chance and the other seat's strategy make it.
/// `None` where the game has no line here, no seat is to act alone, play did not begin at the start, or the seat never
/// sees this.
pub fn action_values(game: &dyn AnyGame, current: &dyn AnyMatch, found: &Equilibrium) -> Option<Vec<(String, f64)>> {
    LINES.iter().find_map(|line| (line.values)(game, current, found))
}

/// How often each action of the seat to act is chosen by `found`, an equilibrium of the game. `None` where the game has no line
/// here, no seat is to act alone, or play did not begin at the start of the game.
pub(crate) fn shares_of_actions(
    game: &dyn AnyGame,
    current: &dyn AnyMatch,
    found: &Equilibrium,
) -> Option<Vec<(String, f64)>> {
    LINES.iter().find_map(|line| (line.shares)(game, current, found))
}

fn shares<G: Playable>(game: &dyn AnyGame, current: &dyn AnyMatch, found: &Equilibrium) -> Option<Vec<(String, f64)>> {
    let game: &Arc<PathGame<G>> = game.as_any().downcast_ref()?;
    let current: &Match<G> = current.as_any().downcast_ref()?;
    let (seat, key) = information_state(game, current)?;
    let text = |action| game.action_text(current.state(), seat, action);
    let shares = found.strategy(seat, key)?;
    Some(current.legal_actions(seat).into_iter().map(text).zip(shares).collect())
}

/// The seat to act, and the key of what it knows; `None` where none acts alone, or play did not begin at the start.
fn information_state<G: Playable>(game: &PathGame<G>, current: &Match<G>) -> Option<(Seat, u64)> {
    let Phase::Act(seats) = current.phase() else { return None };
    let (seat, mut state, mut recall) = (seats.first(), game.initial_state(), Recall::new(game.facts().n_seats));
    if current.state_after(0).position() != state.position() {
        return None;
    }
    current.choices().iter().for_each(|&choice| recall.play(game, &mut state, choice));
    Some((seat, recall.key(seat)))
}

fn values<G: Playable>(game: &dyn AnyGame, current: &dyn AnyMatch, found: &Equilibrium) -> Option<Vec<(String, f64)>> {
    let game: &Arc<PathGame<G>> = game.as_any().downcast_ref()?;
    let current: &Match<G> = current.as_any().downcast_ref()?;
    let (seat, key) = information_state(game, current)?;
    let actions = current.legal_actions(seat);
    let mut walk = Walk { game, found, seat, key, sums: vec![0.0; actions.len()], reached: 0.0 };
    walk.value(&game.initial_state(), &Recall::new(game.facts().n_seats), 1.0)?;
    let text = |action| game.action_text(current.state(), seat, action);
    let mean = |sum: &f64| sum / walk.reached;
    (walk.reached > 0.0).then(|| actions.into_iter().map(text).zip(walk.sums.iter().map(mean)).collect())
}

/// A walk through the whole game, from the view of a seat.
struct Walk<'a, G: Playable> {
    game: &'a Arc<PathGame<G>>,
    found: &'a Equilibrium,
    seat: Seat,
    /// The information state that is asked about.
    key: u64,
    /// By action, what was found there, weighted by how likely all but the seat come there.
    sums: Vec<f64>,
    reached: f64,
}

impl<G: Playable> Walk<'_, G> {
    fn value(&mut self, state: &PathState<G>, recall: &Recall, reach: f64) -> Option<f64> {
        let (choices, shares, acting) = match self.game.phase(state) {
            Phase::Over => return Some(self.game.payoffs(state)[self.seat]),
            Phase::Chance => {
                let mut outcomes = Vec::new();
                self.game.outcomes(state, &mut outcomes);
                let total: u64 = outcomes.iter().map(|(_, weight)| weight).sum();
                let shares = outcomes.iter().map(|&(_, weight)| weight as f64 / total as f64).collect();
                (outcomes.into_iter().map(|(outcome, _)| Choice::Outcome(outcome)).collect::<Vec<_>>(), shares, None)
            }
            Phase::Act(seats) => {
                let (seat, mut actions) = (seats.first(), Vec::new());
                self.game.legal_actions(state, seat, &mut actions);
                let shares: Vec<f64> = self.found.strategy(seat, recall.key(seat))?;
                (actions.into_iter().map(|action| Choice::Action(seat, action)).collect(), shares, Some(seat))
            }
        };
        let is_own = acting == Some(self.seat);
        let is_asked = is_own && recall.key(self.seat) == self.key;
        if is_asked {
            self.reached += reach;
        }
        let mut sum = 0.0;
        for (nth, (choice, share)) in choices.into_iter().zip(shares).enumerate() {
            let (mut next, mut recall) = (state.clone(), recall.clone());
            recall.play(self.game, &mut next, choice);
            let value = self.value(&next, &recall, if is_own { reach } else { reach * share })?;
            if is_asked {
                self.sums[nth] += reach * value;
            }
            sum += share * value;
        }
        Some(sum)
    }
}
