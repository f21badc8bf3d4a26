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
}

/// An action and a style to go on with, and how these continuations ended. They are counted in two halves: of several
/// styles the one that did best in one half is judged by the other, since the best of many estimates is too high.
struct Considered {
    action: Action,
    style: Style,
    /// How readily the agent's own style chooses it: what decides before anything was tried.
    prior: f32,
    halves: [Ended; 2],
}

/// How some continuations ended.
#[derive(Clone, Copy, Default)]
struct Ended {
    n: u64,
    /// By seat.
    sums: [f64; MAX_SEATS],
    /// Of the seat that decides.
    squares: f64,
}

impl Ended {
    fn mean(&self, seat: Seat) -> f64 {
        if self.n == 0 { f64::NEG_INFINITY } else { self.sums[seat] / self.n as f64 }
    }

    fn standard_error(&self, seat: Seat) -> f64 {
        let n = self.n.max(2) as f64;
        let variance = (self.squares / n - self.mean(seat).powi(2)).max(0.0);
        (variance / n).sqrt()
    }

    fn and(&self, other: &Ended) -> Ended {
        Ended {
            n: self.n + other.n,
            sums: std::array::from_fn(|seat| self.sums[seat] + other.sums[seat]),
            squares: self.squares + other.squares,
        }
    }
}

impl Considered {
    fn all(&self) -> Ended {
        self.halves[0].and(&self.halves[1])
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
            })
        });
        let considered = considered.collect();
        Study { seat, table: *table, opponents: opponents(view, table, rng), board, considered }
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
        let tried = self.worth_trying();
        let mut n_done = 0;
        for nth in 0..PER_BOARD {
            let mut deal = self.deal(&runout, rng);
            let table = self.table.with_holes(&deal.holes);
            for &option in &tried {
                if n_done == most {
                    return n_done;
                }
                // The same luck for every action.
                let Considered { action, style, .. } = self.considered[option];
                deal.styles[self.seat] = style;
                let payoffs = self.play_on(game, table, action, &deal, &runout, rng.clone());
                let ended = &mut self.considered[option].halves[nth % 2];
                ended.n += 1;
                ended.sums.iter_mut().zip(payoffs.as_slice()).for_each(|(sum, payoff)| *sum += payoff);
                ended.squares += payoffs[self.seat] * payoffs[self.seat];
                n_done += 1;
            }
            rng.next_u64();
        }
        n_done
    }

    /// The actions that may still turn out best.
    fn worth_trying(&self) -> Vec<usize> {
        const SURE: f64 = 1.5;
        const LEAST: u64 = 64;
        let seat = self.seat;
        let ended: Vec<Ended> = self.considered.iter().map(Considered::all).collect();
        let at_least = |ended: &Ended| ended.mean(seat) - SURE * ended.standard_error(seat);
        let best = ended.iter().filter(|ended| ended.n >= LEAST).map(at_least).fold(f64::NEG_INFINITY, f64::max);
        let may_be_best =
            |ended: &Ended| ended.n < LEAST || ended.mean(seat) + SURE * ended.standard_error(seat) >= best;
        (0..ended.len()).filter(|&option| may_be_best(&ended[option])).collect()
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
    fn judged(&self, action: Action) -> Ended {
        let styles = || self.considered.iter().filter(move |option| option.action == action);
        let best = |half: usize| {
            styles().max_by(|one, other| {
                let mean = |option: &Considered| option.halves[half].mean(self.seat);
                mean(one).partial_cmp(&mean(other)).expect("means are no NaN")
            })
        };
        let judged = [0, 1].map(|half| best(half).map_or(Ended::default(), |option| option.halves[1 - half]));
        judged[0].and(&judged[1])
    }

    fn advice(self, n_seats: usize, cost: Cost) -> Advice<Action> {
        let seat = self.seat;
        let mut actions: Vec<(Action, f32, Ended)> = Vec::new();
        for Considered { action, prior, .. } in &self.considered {
            if actions.iter().all(|(listed, ..)| listed != action) {
                actions.push((*action, *prior, self.judged(*action)));
            }
        }
        actions.sort_by(|one, other| {
            let key = |(_, prior, ended): &(Action, f32, Ended)| (ended.mean(seat), *prior);
            key(other).partial_cmp(&key(one)).expect("means are no NaN")
        });
        let candidate = |(action, _, ended): &(Action, f32, Ended)| Candidate {
            action: *action,
            values: match ended.n {
                0 => Vec::new(),
                n => ended.sums[..n_seats].iter().map(|sum| sum / n as f64).collect(),
            },
            certainty: match ended.n {
                0 => Certainty::Unknown,
                _ => Certainty::Estimate { standard_error: Some(ended.standard_error(seat)) },
            },
            visits: Some(ended.n),
            depth: None,
            plies: None,
        };
        let candidates: Vec<_> = actions.iter().map(candidate).collect();
        let action = candidates[0].action;
        Advice { action, candidates, line: Vec::new(), cost, proven: false, known_by: None, why: None }
    }
}
