//! The betting of one round between two seats with the same stack, as a graph.
//!
//! Chips are counted in small blinds. What a node remembers of the betting: the street, what both have put in, all that was done on this
//! street, and who made the last bet or raise of the street before. The rest of the past is forgotten, so that nodes are reached in
//! several ways and there are few of them. Actions are those of the rules but for giving up a hand that costs nothing.

use rustc_hash::FxHashMap;

/// The longest stack, in small blinds: ten big blinds.
pub const LONGEST: usize = 20;

/// Who acts first after the flop; before it the small blind does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// The small blind (`heads-up=source`).
    SmallFirst,
    /// The big blind (`heads-up=casino`).
    BigFirst,
}

/// Both orders, by number.
pub const ORDERS: [Order; 2] = [Order::SmallFirst, Order::BigFirst];

/// The two seats: the blind that they posted.
pub const SMALL: usize = 0;
/// The big blind.
pub const BIG: usize = 1;

/// What a seat does, whatever the rules call it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bet {
    /// Give up the round.
    Fold,
    /// Check, or call, with everything where the bet is as much.
    Pass,
    /// Put in one big blind more than was bet.
    Raise,
    /// Put in everything, which is more than was bet.
    AllIn,
}

/// What comes after an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// The node with this number.
    Node(u32),
    /// Nobody bets any more; hands are compared, and the loser loses so much.
    Showdown(u8),
    /// The seat that acted has folded, and loses so much.
    Folded(u8),
}

/// A decision.
#[derive(Clone, Debug)]
pub struct Node {
    /// 0 before the flop, 3 on the river.
    pub street: usize,
    /// Who decides, [`SMALL`] or [`BIG`].
    pub actor: usize,
    /// What each has put in during the round.
    pub staked: [u8; 2],
    /// What can be done, and what comes after it.
    pub actions: Vec<(Bet, Next)>,
}

impl Node {
    /// What comes after an action; `None` where it is not possible.
    pub fn after(&self, bet: Bet) -> Option<Next> {
        self.actions.iter().find(|(listed, _)| *listed == bet).map(|&(_, next)| next)
    }
}

/// All decisions with one stack.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The first one is the first decision of a round; none where the blinds are all that there is.
    pub nodes: Vec<Node>,
}

/// What is remembered at a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Past {
    street: usize,
    actor: usize,
    staked: [u8; 2],
    /// What both had put in when the street began.
    before: u8,
    /// Whether the other seat has acted on this street.
    answered: bool,
    /// Who made the last bet or raise, on this street and on the one before.
    aggressors: [Option<usize>; 2],
}

impl Tree {
    /// The graph with a stack of 1 to [`LONGEST`] small blinds.
    pub fn new(order: Order, stack: usize) -> Tree {
        let mut growing = Growing { order, stack: stack as u8, nodes: Vec::new(), known: FxHashMap::default() };
        if stack > 1 {
            growing.node(Past {
                street: 0,
                actor: SMALL,
                staked: [1, 2],
                before: 0,
                answered: false,
                aggressors: [None; 2],
            });
        }
        Tree { nodes: growing.nodes }
    }
}

struct Growing {
    order: Order,
    stack: u8,
    nodes: Vec<Node>,
    known: FxHashMap<Past, u32>,
}

impl Growing {
    fn node(&mut self, past: Past) -> u32 {
        if let Some(&number) = self.known.get(&past) {
            return number;
        }
        let number = self.nodes.len() as u32;
        self.known.insert(past, number);
        let Past { street, actor, staked, .. } = past;
        self.nodes.push(Node { street, actor, staked, actions: Vec::new() });
        let bet = staked[0].max(staked[1]);
        let mut actions = Vec::new();
        if staked[actor] < bet {
            actions.push((Bet::Fold, Next::Folded(staked[actor])));
        }
        actions.push((Bet::Pass, self.after_pass(past)));
        if bet + 2 < self.stack {
            actions.push((Bet::Raise, self.after_raise(past, bet + 2)));
        }
        if bet < self.stack {
            actions.push((Bet::AllIn, self.after_raise(past, self.stack)));
        }
        self.nodes[number as usize].actions = actions;
        number
    }

    fn after_pass(&mut self, past: Past) -> Next {
        let bet = past.staked[0].max(past.staked[1]);
        if bet == self.stack || (past.answered && past.street == 3) {
            return Next::Showdown(bet);
        }
        let other = 1 - past.actor;
        Next::Node(self.node(if past.answered {
            Past {
                street: past.street + 1,
                actor: if self.order == Order::SmallFirst { SMALL } else { BIG },
                staked: [bet; 2],
                before: bet,
                answered: false,
                aggressors: [None, past.aggressors[0]],
            }
        } else {
            Past { actor: other, staked: [bet; 2], answered: true, ..past }
        }))
    }

    fn after_raise(&mut self, past: Past, to: u8) -> Next {
        let mut staked = past.staked;
        staked[past.actor] = to;
        Next::Node(self.node(Past {
            actor: 1 - past.actor,
            staked,
            answered: true,
            aggressors: [Some(past.actor), past.aggressors[1]],
            ..past
        }))
    }
}
