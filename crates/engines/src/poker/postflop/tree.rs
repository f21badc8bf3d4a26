//! The betting that is left in a round between two seats, as a tree of public states, with what every end pays.

use std::fmt;

/// Nodes have at most so many actions: the loops over hands are compiled for each number.
pub const MOST_ACTIONS: usize = 8;

/// Betting deeper than this is refused rather than gone through by recursion.
pub(super) const MOST_DEPTH: usize = 500;

/// What a seat chooses. Amounts are what it has then put in during the betting round.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// Give up the pot.
    Fold,
    /// Put nothing in.
    Check,
    /// Match the bet.
    Call,
    /// Put in the first bet.
    Bet(u32),
    /// Match the bet and more.
    Raise(u32),
    /// Put in everything.
    AllIn(u32),
}

impl Action {
    /// The word without the amount.
    pub const fn word(self) -> &'static str {
        match self {
            Action::Fold => "fold",
            Action::Check => "check",
            Action::Call => "call",
            Action::Bet(_) => "bet",
            Action::Raise(_) => "raise",
            Action::AllIn(_) => "all-in",
        }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Bet(to) | Action::Raise(to) | Action::AllIn(to) => write!(f, "{} {to}", self.word()),
            Action::Fold | Action::Check | Action::Call => f.write_str(self.word()),
        }
    }
}

/// A public state. What ends pay is counted in chips from what both seats together could share evenly: what one seat gets
/// the other pays, and numbers are those of the first seat.
#[derive(Clone, PartialEq, Debug)]
pub enum Node {
    /// A seat, 0 or 1, chooses.
    Act {
        /// Who.
        seat: usize,
        /// Each action, and what follows.
        choices: Vec<(Action, Node)>,
    },
    /// The river card is dealt.
    Deal(Box<Node>),
    /// A seat has folded.
    Fold {
        /// What the first seat gets.
        pays: f32,
    },
    /// Hands are shown.
    Showdown {
        /// What the first seat gets where the pot is shared to the half chip.
        even: f32,
        /// What it gets on top of that where hands are equal: half a chip or minus that where the rules give an odd chip to one
        /// of both, else 0.
        odd: f32,
        /// What the better hand gets on top of `even`.
        stake: f32,
    },
}

/// What both seats have put in during the round, and what seats that have folded did.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Pot {
    pub(super) staked: [u32; 2],
    pub(super) folded: Vec<u32>,
    /// Which of both seats has the odd chip of a pot that is shared: the first after the dealer, the dealer last.
    pub(super) odd_chip: usize,
}

impl Pot {
    fn dead(&self) -> f32 {
        self.folded.iter().sum::<u32>() as f32
    }

    /// `seat` folds.
    pub(super) fn fold(&self, seat: usize) -> Node {
        let won = self.staked[seat] as f32 + self.dead() / 2.0;
        Node::Fold { pays: if seat == 0 { -won } else { won } }
    }

    /// What one seat put in beyond the other comes back to it, and with it what folded seats put in beyond that.
    pub(super) fn showdown(&self) -> Node {
        let matched = self.staked[0].min(self.staked[1]);
        let contested: u32 = self.folded.iter().map(|&chips| chips.min(matched)).sum();
        let beyond = self.dead() - contested as f32;
        let even = if self.staked[0] > self.staked[1] { beyond / 2.0 } else { -beyond / 2.0 };
        // What both put in is shared evenly, so that only what folded seats did leaves an odd chip.
        let odd = match (contested % 2, self.odd_chip) {
            (0, _) => 0.0,
            (_, 0) => 0.5,
            (_, _) => -0.5,
        };
        Node::Showdown { even, odd, stake: matched as f32 + contested as f32 / 2.0 }
    }
}
