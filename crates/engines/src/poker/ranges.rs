//! The agent: every action is tried in many continuations of the round, with hands and styles drawn from what is
//! believed.

use std::time::Duration;

use raichi_core::game::{Game, Payoffs, Phase};
use raichi_core::information::SeatView;
use raichi_core::random::{FastRng, Rng, index};
use raichi_core::seat::{MAX_SEATS, Seat};
use raichi_games::cards::{Card, CardSet};
use raichi_games::poker::{Action, Poker, State};
use raichi_search::{Advice, Candidate, Certainty, Cost, Limits, Session};

use super::beliefs::{Opponent, drawn_action, opponents, situation};
use super::rank::{Board, warm_up};
use super::style::{OWN, STYLES, Style};

/// Continuations with one run of community cards; comparing hands on a board costs as much as a few of them.
const PER_BOARD: usize = 16;

/// Actions are compared once so many boards are known: the error of a difference is not well known by fewer.
const LEAST_BOARDS: usize = 6;

/// A player of ranges. It keeps nothing from decision to decision: all that it knows is in the seat's view.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ranges;

impl Ranges {
    /// The player, with its tables worked out.
    pub fn new() -> Ranges {
        warm_up();
        Ranges
    }
}

impl Session<Poker> for Ranges {
    fn decide(&mut self, view: &SeatView<'_, Poker>, limits: &Limits<'_>, rng: &mut FastRng) -> Advice<Action> {
        let start = limits.host.now();
        let game = view.game().game();
        let table = view.determinize(rng);
        let mut study = Study::new(view, table.position(), rng);
        let mut n_continuations = 0;
        while study.may_go_on(limits, start, n_continuations) {
            let budget = limits.budget.simulations.map_or(u64::MAX, |most| most - n_continuations);
            n_continuations += study.try_all(game, budget, rng);
        }
        study.advice(
            view.facts().n_seats,
            Cost { simulations: n_continuations, elapsed: limits.host.now().saturating_sub(start), ..Cost::default() },
        )
    }
}

/// One decision.
struct Study {
    seat: Seat,
    /// A position that fits the view. Of the hidden cards in it no use is made.
    table: State,
    opponents: Vec<Option<Opponent>>,
    /// The board as it lies.
    board: Board,
    considered: Vec<Considered>,
    /// The places of those that are tried, until there are so many boards; then it is seen anew which may be best.
    tried: Vec<usize>,
    n_boards: usize,
    tried_until: usize,
}

/// An action and a style to go on with, and how these continuations ended. They are counted in two halves: of several
/// styles the one that did best in one half is judged by the other, since the best of many estimates is too high.
struct Considered {
    action: Action,
    style: Style,
    /// How readily the agent's own style chooses it: what decides before anything was tried.
    prior: f32,
    halves: [Ended; 2],
    all: Ended,
    /// The mean of the seat that decides on each board so far; `None` where it was not tried.
    by_board: Vec<Option<f64>>,
}

/// Whether `one` is better than `other` by more than chance explains, on the boards that both were tried on.
fn is_surely_better(one: &Considered, other: &Considered) -> bool {
    /// So many standard errors.
    const SURE: f64 = 3.0;
    let differences = one.by_board.iter().zip(&other.by_board).filter_map(|(one, other)| Some((*one)? - (*other)?));
    let differences: Vec<f64> = differences.collect();
    let n = differences.len();
    if n < LEAST_BOARDS {
        return false;
    }
    let mean = differences.iter().sum::<f64>() / n as f64;
    let squares: f64 = differences.iter().map(|difference| (difference - mean).powi(2)).sum();
    mean > SURE * (squares / (n * (n - 1)) as f64).sqrt()
}

/// How some continuations ended.
#[derive(Clone, Copy, Default)]
struct Ended {
    n: u64,
    /// By seat.
    sums: [f64; MAX_SEATS],
    boards: Boards,
}

/// What the standard error of a mean needs. Continuations with the same community cards end much alike, so that it goes by runs
/// of community cards and not by continuations (the ratio estimator of cluster samples: W. G. Cochran, *Sampling Techniques*).
#[derive(Clone, Copy, Default)]
struct Boards {
    n: u64,
    /// Of the sums of the seat that decides on each board, of these times the number of continuations, and of that number.
    squares: f64,
    products: f64,
    squared_counts: f64,
}

impl Ended {
    fn mean(&self, seat: Seat) -> f64 {
        if self.n == 0 { f64::NEG_INFINITY } else { self.sums[seat] / self.n as f64 }
    }

    /// Of the mean of the seat that decides; infinite before there are two boards.
    fn standard_error(&self, seat: Seat) -> f64 {
        let Boards { n, squares, products, squared_counts } = self.boards;
        if n < 2 {
            return f64::INFINITY;
        }
        let mean = self.mean(seat);
        let residuals = (squares - 2.0 * mean * products + mean * mean * squared_counts).max(0.0);
        (residuals * n as f64 / (n - 1) as f64).sqrt() / self.n as f64
    }

    /// Adds the continuations of one board, which `seat` decided.
    fn add_board(&mut self, n: u64, sums: &[f64; MAX_SEATS], seat: Seat) {
        if n == 0 {
            return;
        }
        self.n += n;
        self.sums.iter_mut().zip(sums).for_each(|(all, sum)| *all += sum);
        let (n, sum) = (n as f64, sums[seat]);
        self.boards.n += 1;
        self.boards.squares += sum * sum;
        self.boards.products += sum * n;
        self.boards.squared_counts += n * n;
    }
}

/// The mean of what a seat gets of some continuations, by seat, and its standard error for the one that decides.
struct Judged {
    n: u64,
    means: [f64; MAX_SEATS],
    standard_error: f64,
}

impl Judged {
    /// What the halves come to together. They are of the same boards, so that their errors add up.
    fn of(halves: [&Ended; 2], seat: Seat) -> Judged {
        let n = halves[0].n + halves[1].n;
        let share = |half: &Ended| if half.n == 0 { 0.0 } else { half.n as f64 / n as f64 };
        let error = |half: &&Ended| if half.n == 0 { 0.0 } else { share(half) * half.standard_error(seat) };
        let mean = |of: Seat| (halves[0].sums[of] + halves[1].sums[of]) / n.max(1) as f64;
        Judged { n, means: std::array::from_fn(mean), standard_error: halves.iter().map(error).sum() }
    }

    /// Of the seat that decides; before all others where nothing was tried.
    fn mean(&self, seat: Seat) -> f64 {
        if self.n == 0 { f64::NEG_INFINITY } else { self.means[seat] }
    }
}

/// What the community cards will be, and how hands compare after each.
struct Runout {
    /// In the order in which they come.
    cards: Vec<Card>,
    /// By the number of cards on the board; `None` where that is past or present.
    boards: [Option<Board>; 6],
}

impl Runout {
    fn draw(board: CardSet, own: CardSet, rng: &mut FastRng) -> Runout {
        let mut left = CardSet::DECK.minus(board).minus(own);
        let mut lies = board;
        let mut runout = Runout { cards: Vec::new(), boards: Default::default() };
        while lies.len() < 5 {
            let card = left.choose(rng);
            left.remove(card);
            lies.insert(card);
            runout.cards.push(card);
            if lies.len() >= 3 {
                runout.boards[lies.len()] = Some(Board::new(lies, rng));
            }
        }
        runout
    }

    fn set(&self) -> CardSet {
        self.cards.iter().copied().collect()
    }
}

/// Who holds what and plays how, in some continuations.
struct Deal {
    holes: [CardSet; MAX_SEATS],
    styles: [Style; MAX_SEATS],
}

impl Study {
    fn new(view: &SeatView<'_, Poker>, table: &State, rng: &mut FastRng) -> Study {
        let (game, seat) = (view.game().game(), view.seat());
        let board = Board::new(table.board(), rng);
        let probabilities = OWN[0].probabilities(&situation(game, table, seat), board.share(table.hole(seat)));
        let actions = view.legal_actions();
        // Giving up a hand that costs nothing is never better.
        let sensible =
            actions.iter().copied().filter(|&action| action != Action::Fold || !actions.contains(&Action::Check));
        let considered = sensible.flat_map(|action| {
            // After these the seat has nothing to decide any more in this round.
            let is_last = matches!(action, Action::Fold | Action::AllIn);
            let styles = if is_last { &OWN[..1] } else { &OWN };
            styles.iter().map(move |&style| Considered {
                action,
                style,
                prior: probabilities[action as usize],
                halves: [Ended::default(); 2],
                all: Ended::default(),
                by_board: Vec::new(),
            })
        });
        let considered: Vec<Considered> = considered.collect();
        let tried = (0..considered.len()).collect();
        let opponents = opponents(view, table, rng);
        Study { seat, table: *table, opponents, board, considered, tried, n_boards: 0, tried_until: LEAST_BOARDS }
    }

    /// Whether the budget allows more continuations.
    fn may_go_on(&self, limits: &Limits<'_>, start: Duration, n_done: u64) -> bool {
        let in_time = limits.budget.time.is_none_or(|time| {
            // As much is kept back as the other searches keep.
            let kept = (time / 20).min(Duration::from_millis(20));
            limits.host.now().saturating_sub(start) < time.saturating_sub(kept)
        });
        let spent = limits.budget.simulations.is_some_and(|most| n_done >= most);
        in_time && !spent && !limits.cancel.is_cancelled()
    }

    /// Tries the actions with the same deals of one run of community cards, at most `most` times in all; returns how
    /// often.
    fn try_all(&mut self, game: &Poker, most: u64, rng: &mut FastRng) -> u64 {
        let runout = Runout::draw(self.table.board(), self.table.hole(self.seat), rng);
        if self.n_boards >= self.tried_until {
            self.tried = self.worth_trying();
            self.tried_until = self.n_boards * 5 / 4 + 1;
        }
        self.n_boards += 1;
        let tried = self.tried.clone();
        // By what was tried and by half: how often, and what each seat got.
        let mut on_board = vec![[(0, [0.0; MAX_SEATS]); 2]; tried.len()];
        let mut n_done = 0;
        'board: for nth in 0..PER_BOARD {
            let mut deal = self.deal(&runout, rng);
            let table = self.table.with_holes(&deal.holes);
            for (&option, halves) in tried.iter().zip(&mut on_board) {
                if n_done == most {
                    break 'board;
                }
                // The same luck for every action.
                let Considered { action, style, .. } = self.considered[option];
                deal.styles[self.seat] = style;
                let payoffs = self.play_on(game, table, action, &deal, &runout, rng.clone());
                let (n, sums) = &mut halves[nth % 2];
                *n += 1;
                sums.iter_mut().zip(payoffs.as_slice()).for_each(|(sum, payoff)| *sum += payoff);
                n_done += 1;
            }
            rng.next_u64();
        }
        self.considered.iter_mut().for_each(|option| option.by_board.push(None));
        for (&option, [(n_even, even), (n_odd, odd)]) in tried.iter().zip(&on_board) {
            let Considered { halves, all, by_board, .. } = &mut self.considered[option];
            let (n, sums) = (n_even + n_odd, std::array::from_fn(|seat| even[seat] + odd[seat]));
            halves[0].add_board(*n_even, even, self.seat);
            halves[1].add_board(*n_odd, odd, self.seat);
            all.add_board(n, &sums, self.seat);
            if n > 0 {
                *by_board.last_mut().expect("this board was added") = Some(sums[self.seat] / n as f64);
            }
        }
        n_done
    }

    /// The actions that may still turn out best: none of them is surely worse than the one that is best so far. Two are compared
    /// on the boards that both were tried on, since luck is the same for both there.
    fn worth_trying(&self) -> Vec<usize> {
        let mean = |option: &&Considered| option.all.mean(self.seat);
        let best = self.considered.iter().max_by(|one, other| mean(one).total_cmp(&mean(other)));
        let may_be_best = |option: &Considered| best.is_none_or(|best| !is_surely_better(best, option));
        (0..self.considered.len()).filter(|&option| may_be_best(&self.considered[option])).collect()
    }

    fn deal(&self, runout: &Runout, rng: &mut FastRng) -> Deal {
        let mut deal = Deal { holes: [CardSet::EMPTY; MAX_SEATS], styles: [OWN[0]; MAX_SEATS] };
        deal.holes[self.seat] = self.table.hole(self.seat);
        let mut taken = self.table.board().union(runout.set()).union(deal.holes[self.seat]);
        // The seat drawn first takes cards from the others' ranges: nobody is always first.
        let first = index(rng, MAX_SEATS);
        for seat in (first..MAX_SEATS).chain(0..first) {
            if let Some(opponent) = &self.opponents[seat] {
                let (style, hole) = opponent.draw(taken, rng);
                (deal.holes[seat], deal.styles[seat]) = (hole, STYLES[style].0);
                taken = taken.union(hole);
            }
        }
        deal
    }

    /// Plays `action` and then the rest of the round; returns what each seat has then.
    fn play_on(
        &self,
        game: &Poker,
        mut table: State,
        action: Action,
        deal: &Deal,
        runout: &Runout,
        mut rng: FastRng,
    ) -> Payoffs {
        let mut cards = runout.cards.iter();
        // By seat, on the board as it lies; negative where it was not asked for yet.
        let mut shares = [-1.0; MAX_SEATS];
        game.apply(&mut table, self.seat, action);
        loop {
            match game.phase(&table) {
                Phase::Act(seats) => {
                    let seat = seats.first();
                    if shares[seat] < 0.0 {
                        let board = runout.boards[table.board().len()].as_ref().unwrap_or(&self.board);
                        shares[seat] = board.share(deal.holes[seat]);
                    }
                    let probabilities = deal.styles[seat].probabilities(&situation(game, &table, seat), shares[seat]);
                    game.apply(&mut table, seat, drawn_action(&probabilities, &mut rng));
                }
                // The next round begins.
                Phase::Chance if table.deals_to().is_some() => return game.payoffs(&table),
                Phase::Chance => {
                    shares = [-1.0; MAX_SEATS];
                    let card = cards.next().expect("the board has five cards");
                    game.apply_outcome(&mut table, *card);
                }
                Phase::Over => return game.payoffs(&table),
            }
        }
    }

    /// How an action ends with the best style to go on: chosen in one half and judged in the other, both ways.
    fn judged(&self, action: Action) -> Judged {
        let styles = || self.considered.iter().filter(move |option| option.action == action);
        let best = |half: usize| {
            styles().max_by(|one, other| {
                let mean = |option: &Considered| option.halves[half].mean(self.seat);
                mean(one).partial_cmp(&mean(other)).expect("means are no NaN")
            })
        };
        let judged = [0, 1].map(|half| best(half).map_or(Ended::default(), |option| option.halves[1 - half]));
        Judged::of([&judged[0], &judged[1]], self.seat)
    }

    fn advice(self, n_seats: usize, cost: Cost) -> Advice<Action> {
        let seat = self.seat;
        let mut actions: Vec<(Action, f32, Judged)> = Vec::new();
        for Considered { action, prior, .. } in &self.considered {
            if actions.iter().all(|(listed, ..)| listed != action) {
                actions.push((*action, *prior, self.judged(*action)));
            }
        }
        actions.sort_by(|one, other| {
            let key = |(_, prior, judged): &(Action, f32, Judged)| (judged.mean(seat), *prior);
            key(other).partial_cmp(&key(one)).expect("means are no NaN")
        });
        let candidate = |(action, _, judged): &(Action, f32, Judged)| Candidate {
            action: *action,
            values: if judged.n == 0 { Vec::new() } else { judged.means[..n_seats].to_vec() },
            certainty: match judged.n {
                0 => Certainty::Unknown,
                _ => Certainty::Estimate {
                    standard_error: Some(judged.standard_error).filter(|error| error.is_finite()),
                },
            },
            visits: Some(judged.n),
            depth: None,
            plies: None,
        };
        let candidates: Vec<_> = actions.iter().map(candidate).collect();
        let action = candidates[0].action;
        Advice { action, candidates, line: Vec::new(), cost, proven: false, known_by: None, why: None }
    }
}
