//! Betting in sizes that are chosen freely: shares of the pot, multiples of the bet before, all-in.

use super::tree::{Action, MOST_ACTIONS, MOST_DEPTH, Node};

/// How much is bet.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Size {
    /// So many pots, the bet to call included.
    Pots(f64),
    /// So many times the bet before; for raises only.
    Times(f64),
    /// The same share of the pot in each betting round that is left, so that the last bet is all-in.
    Geometric,
    /// All chips.
    AllIn,
}

impl Size {
    /// Reads `60%`, `2.5x`, `e` (geometric) or `a` (all-in).
    pub fn parse(text: &str) -> Option<Size> {
        let number = |text: &str| text.parse::<f64>().ok().filter(|number| *number > 0.0 && *number <= 1e4);
        match text {
            "e" => Some(Size::Geometric),
            "a" => Some(Size::AllIn),
            _ => match (text.strip_suffix('%'), text.strip_suffix('x')) {
                (Some(share), _) => Some(Size::Pots(number(share)? / 100.0)),
                (_, Some(times)) => Some(Size::Times(number(times)?)),
                _ => None,
            },
        }
    }

    /// Reads sizes with commas between them; none from an empty text.
    pub fn parse_all(text: &str) -> Option<Vec<Size>> {
        text.split(',').map(str::trim).filter(|part| !part.is_empty()).map(Size::parse).collect()
    }
}

/// A betting round of two seats with equal stacks; seat 0 acts first.
#[derive(Clone, PartialEq, Debug)]
pub struct Betting {
    /// What lies in the pot.
    pub pot: u32,
    /// What each seat has before it.
    pub stack: u32,
    /// First bets.
    pub bets: Vec<Size>,
    /// Raises.
    pub raises: Vec<Size>,
    /// First bets on the river of seat 0 where it called on the turn; `bets` where `None`.
    pub leads: Option<Vec<Size>>,
    /// All-in is an action where it is at most so many pots more than the bet before.
    pub add_all_in: f64,
    /// A bet is all-in where at most so many pots would be left after it is called.
    pub force_all_in: f64,
    /// A bet is left out where, next to the next greater one, it differs by less than this share of the pot after it.
    pub merge: f64,
}

/// Why there is no tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoTree {
    /// A seat would have more than [`MOST_ACTIONS`] actions.
    #[error("a seat would have more than {MOST_ACTIONS} actions")]
    Wide,
    /// Bets are so small that too many follow one another.
    #[error("bets are so small that too many can follow one another")]
    Deep,
}

#[derive(Clone, Copy)]
struct At {
    seat: usize,
    river: bool,
    left: [u32; 2],
    /// The greatest bet of this betting round.
    bet: u32,
    n_bets: u32,
    /// Whether all the chips of a seat are in.
    all_in: bool,
    /// Whether seat 0 called last on the turn.
    called: bool,
}

impl Betting {
    /// The tree from the first action of the turn, or of the river.
    ///
    /// # Errors
    /// When it would be too wide or too deep.
    pub fn tree(&self, river: bool) -> Result<Node, NoTree> {
        let left = [self.stack; 2];
        self.act(At { seat: 0, river, left, bet: 0, n_bets: 0, all_in: false, called: false }, false, 0)
    }

    fn act(&self, at: At, checked: bool, depth: usize) -> Result<Node, NoTree> {
        if depth > MOST_DEPTH {
            return Err(NoTree::Deep);
        }
        let actions = self.actions(at);
        if actions.len() > MOST_ACTIONS {
            return Err(NoTree::Wide);
        }
        let (seat, other) = (at.seat, 1 - at.seat);
        let choices = actions.into_iter().map(|action| {
            let node = match action {
                Action::Fold if seat == 0 => Node::Fold { pays: -self.stake(at.left[0]) },
                Action::Fold => Node::Fold { pays: self.stake(at.left[1]) },
                Action::Check if seat == 0 && !checked => self.act(At { seat: other, ..at }, true, depth + 1)?,
                Action::Check => self.next(At { called: false, ..at }, depth)?,
                Action::Call => {
                    let left = [at.left[other].min(at.left[seat]); 2];
                    self.next(At { left, called: seat == 0, ..at }, depth)?
                }
                Action::Bet(to) | Action::Raise(to) | Action::AllIn(to) => {
                    let mut left = at.left;
                    left[seat] = left[other] + at.bet - to;
                    let all_in = matches!(action, Action::AllIn(_));
                    let next = At { seat: other, left, bet: to, n_bets: at.n_bets + 1, all_in, ..at };
                    self.act(next, false, depth + 1)?
                }
            };
            Ok((action, node))
        });
        Ok(Node::Act { seat, choices: choices.collect::<Result<_, _>>()? })
    }

    /// What follows when both have put in the same.
    fn next(&self, at: At, depth: usize) -> Result<Node, NoTree> {
        if at.river {
            return Ok(self.showdown(at));
        }
        let after = match at.all_in {
            true => self.showdown(at),
            false => self.act(At { seat: 0, river: true, bet: 0, n_bets: 0, ..at }, false, depth + 1)?,
        };
        Ok(Node::Deal(Box::new(after)))
    }

    /// What a seat loses, and the other wins, where it has so much left: its bets and half of the pot.
    fn stake(&self, left: u32) -> f32 {
        (self.stack - left) as f32 + self.pot as f32 / 2.0
    }

    fn showdown(&self, at: At) -> Node {
        Node::Showdown { even: 0.0, odd: 0.0, stake: self.stake(at.left[0]) }
    }

    fn actions(&self, at: At) -> Vec<Action> {
        let other_left = at.left[1 - at.seat];
        let pot = f64::from(self.pot) + 2.0 * f64::from(self.stack - other_left);
        let most = other_left + at.bet;
        let is_first = at.bet == 0;
        let sizes = match &self.leads {
            Some(leads) if is_first && at.river && at.seat == 0 && at.called => leads,
            _ if is_first => &self.bets,
            _ => &self.raises,
        };
        let mut bets: Vec<u32> = Vec::new();
        if !at.all_in && most > at.bet {
            bets.extend(sizes.iter().map(|&size| self.amount(size, at, pot, other_left, most)));
            if f64::from(most - at.bet) <= (pot * self.add_all_in).round() {
                bets.push(most);
            }
            // No raise is less than the one before.
            let to_call = at.left[at.seat] - other_left;
            let least = (at.bet + to_call).clamp(1, most);
            for bet in &mut bets {
                *bet = (*bet).clamp(least, most);
                let pot_after = pot + 2.0 * f64::from(*bet - at.bet);
                if f64::from(most - *bet) <= (pot_after * self.force_all_in).round() {
                    *bet = most;
                }
            }
            bets.sort_unstable();
            bets.dedup();
            self.merge_close(&mut bets, at.bet, pot);
        }
        let named = |to: u32| match (to == most, is_first) {
            (true, _) => Action::AllIn(to),
            (false, true) => Action::Bet(to),
            (false, false) => Action::Raise(to),
        };
        let passive: &[Action] = if is_first { &[Action::Check] } else { &[Action::Fold, Action::Call] };
        passive.iter().copied().chain(bets.into_iter().map(named)).collect()
    }

    fn amount(&self, size: Size, at: At, pot: f64, other_left: u32, most: u32) -> u32 {
        let more = |pots: f64| at.bet + (pot * pots).round() as u32;
        match size {
            Size::Pots(share) => more(share),
            Size::Times(times) => (f64::from(at.bet) * times).round() as u32,
            Size::AllIn => most,
            Size::Geometric => {
                let n_rounds = if at.river { 1 } else { 2u32 };
                let n_rounds = n_rounds + 1 - at.n_bets.clamp(1, n_rounds);
                let growth = (2.0 * f64::from(other_left) / pot + 1.0).powf(1.0 / f64::from(n_rounds));
                more((growth - 1.0) / 2.0)
            }
        }
    }

    /// From the greatest down: each bet that is kept rules out those too close below it.
    fn merge_close(&self, bets: &mut Vec<u32>, before: u32, pot: f64) {
        let share = |bet: u32| f64::from(bet - before) / pot;
        let mut next_greater = f64::INFINITY;
        bets.reverse();
        bets.retain(|&bet| {
            let keeps = share(bet) < (next_greater - self.merge) / (1.0 + self.merge) * (1.0 - 1e-12);
            if keeps {
                next_greater = share(bet);
            }
            keeps
        });
        bets.reverse();
    }
}
