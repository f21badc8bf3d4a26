//! The options of n-tuple agents that learn by temporal differences: `ntuple:tuples=70x8,tcl=exp`.

use raichi_core::game::Facts;
use raichi_search::options::{AgentOption, OptionKind, Options};

use super::inputs::{Below, Blocks, ReadOptions, Reading};
use super::tuples::{Drawing, Wanted};
use super::weights::Coherence;
use crate::option::{choice, decimal, int};

/// The kind's id in specs.
pub const ID: &str = "ntuple";

/// The options.
pub const OPTIONS: &[AgentOption] = &[
    AgentOption {
        name: "tuples",
        kind: OptionKind::Text { of: "the tuples, like 70x8 or 0-1-2/3-4-5" },
        default: Some("20x5"),
        help: "How many tuples of how many points, drawn anew for each seed: 70x8; or the points of each: 0-1-2/3-4-5.",
    },
    choice(
        "shape",
        &["walk", "straight", "points"],
        "How tuples are drawn: by walks from cell to cell, by walks that mostly go straight on and hold all lines, or points anywhere.",
    ),
    AgentOption {
        name: "blocks",
        kind: OptionKind::Text {
            of: "board, all, or blocks of the encoding by their names, like hand-counts/soft-hands",
        },
        default: Some("board"),
        help: "What is read: board, the cells of a board or, without one, everything; all; or blocks by their names.",
    },
    choice(
        "read",
        &["single", "joined"],
        "With joined, cells that hang together, like a corner of the cube, are one point.",
    ),
    choice("below", &["ignored", "support"], "With support an empty cell that rests on something is told from others."),
    int("values", 2, 250, "250", "How many values of a cell are told apart; greater ones count as the greatest."),
    int(
        "symmetries",
        1,
        1000,
        "8",
        "With method=td: how many of the game's symmetries share weights at most; 1 is none.",
    ),
    choice("tables", &["one", "seat"], "Whether each seat has weights of its own."),
    int("phases", 1, 64, "1", "Weights of their own for so many bands by how full the board is."),
    choice(
        "method",
        &["td", "sarsa", "q"],
        "td learns what positions after an action are worth; sarsa and q what actions are worth.",
    ),
    choice(
        "learned",
        &["after", "both"],
        "With method=td, where chance follows actions: after learns positions after an action alone; both also those before one, so \
         that a search values them at once and need not look at each action.",
    ),
    choice(
        "backup",
        &["ply", "own"],
        "Whether a position learns from the one a ply later, or from the next one of the same seat.",
    ),
    choice("final", &["on", "off"], "With backup=own: whether every seat learns from the end, or only who made it."),
    decimal("lambda", 1.0, Some("0"), "How far back errors reach: 0 to the last position, 1 to all."),
    decimal("horizon", 1.0, Some("0.1"), "Positions whose share of an error is below this are left out."),
    choice(
        "traces",
        &["accumulating", "replacing"],
        "With lambda: whether a weight that several positions share learns for each of them, or for the last alone.",
    ),
    int("n-step", 1, 100, "1", "Learn from the position so many steps later; with more than 1, lambda must be 0."),
    decimal("gamma", 1.0, Some("1"), "How much less the next position counts."),
    decimal("alpha", 100.0, Some("1"), "The step size, shared among the weights of a position."),
    decimal("alpha-end", 100.0, None, "The step size at the end of the training; between, it changes geometrically."),
    decimal(
        "average",
        1.0,
        Some("0"),
        "What is played with and kept is the mean of the weights over so much of the end of the training; 0 is the last ones.",
    ),
    decimal("epsilon", 1.0, Some("0.1"), "How often an action is drawn at random."),
    decimal("epsilon-end", 1.0, None, "The same at the end of the training; between, it changes evenly."),
    int(
        "search",
        0,
        1_000_000,
        "0",
        "In training actions are chosen by alphabeta with so many nodes, and what it finds is learned; 0 looks one ply ahead.",
    ),
    choice(
        "explored",
        &["cut", "learn"],
        "What a random action does: cut ends the line that errors reach back along; learn learns from it as well.",
    ),
    choice(
        "tcl",
        &["none", "id", "exp"],
        "Temporal coherence: a step size for each weight, by how much of its changes cancel out.",
    ),
    decimal("tcl-beta", 20.0, Some("2.7"), "With tcl=exp: how soon a weight slows down."),
    choice("output", &["auto", "tanh", "linear"], "Bound values by tanh or not; auto bounds them where payoffs are."),
    choice(
        "rewards",
        &["auto", "end", "score"],
        "Learn from the payoff at the end, or from what each ply adds to it; auto is score for one seat without bounds.",
    ),
    choice(
        "base",
        &["none", "hand"],
        "With hand, what is learned is added to the value that the game's evaluator made by hand says.",
    ),
    AgentOption {
        name: "init",
        kind: OptionKind::Decimal { min: -1.0e9, max: 1.0e9 },
        default: Some("0"),
        help: "What unseen positions are worth, in payoff; above what is likely it explores.",
    },
    int("random-plies", 0, 1000, "0", "Games of the training begin after up to so many random plies."),
    int(
        "from-goal",
        0,
        1000,
        "0",
        "Puzzles: games of the training begin up to so many plies before the goal; 0 is the game's start.",
    ),
    int(
        "longest",
        1,
        1_000_000,
        "1000000",
        "Games of the training are broken off after so many plies; with from-goal, 1 is value iteration over the starts.",
    ),
];

/// What is learned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Values of positions after an action.
    Td,
    /// Values of actions, from the action that was chosen next.
    Sarsa,
    /// Values of actions, from the best next action.
    QLearning,
}

/// Which position a position learns from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Backup {
    /// The one a ply later.
    Ply,
    /// The next one of the same seat.
    Own,
}

/// How often a weight that several positions share learns from one error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Traces {
    /// For each of them.
    Accumulating,
    /// For the last of them.
    Replacing,
}

/// A number that changes in the course of a training.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Schedule {
    /// At the beginning.
    pub start: f64,
    /// At the end.
    pub end: f64,
}

impl Schedule {
    /// Between start and end evenly; `done` is from 0 to 1.
    pub fn even(self, done: f64) -> f64 {
        self.start + (self.end - self.start) * done
    }

    /// By the same factor in equal times; evenly where one of the two is 0.
    pub fn geometric(self, done: f64) -> f64 {
        if self.start > 0.0 && self.end > 0.0 {
            self.start * (self.end / self.start).powf(done)
        } else {
            self.even(done)
        }
    }
}

/// What the options say.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    /// The tuples.
    pub tuples: Wanted,
    /// How they are drawn.
    pub drawing: Drawing,
    /// What is read of observations.
    pub read: ReadOptions,
    /// How many symmetries share weights at most.
    pub symmetries: usize,
    /// Whether each seat has weights of its own.
    pub by_seat: bool,
    /// Bands by how full the board is.
    pub phases: usize,
    /// What is learned.
    pub method: Method,
    /// Whether positions before an action are learned too, with weights of their own.
    pub before_actions: bool,
    /// Which position a position learns from.
    pub backup: Backup,
    /// Whether every seat learns from the end.
    pub final_adaptation: bool,
    /// The share of an error that goes one position further back.
    pub lambda: f32,
    /// The least share that counts.
    pub horizon: f32,
    /// How often a shared weight learns.
    pub traces: Traces,
    /// How many steps later the position lies that is learned from.
    pub n_steps: usize,
    /// How much less the next position counts.
    pub gamma: f32,
    /// The step size.
    pub alpha: Schedule,
    /// Over how much of the end of the training weights are averaged.
    pub average: f64,
    /// How often an action is drawn at random.
    pub epsilon: Schedule,
    /// With how many nodes a search chooses actions in training; 0 is none.
    pub search: u64,
    /// Whether what comes of random actions is learned from.
    pub learn_from_exploration: bool,
    /// The step size of each weight.
    pub coherence: Coherence,
    /// Whether values are bounded by tanh.
    pub bounded: bool,
    /// Whether what each ply adds to the payoff counts, and not the end alone.
    pub by_score: bool,
    /// Whether the game's evaluator made by hand is at the base.
    pub by_hand: bool,
    /// What unseen positions are worth, in payoff.
    pub init: f64,
    /// After how many random plies games begin at most.
    pub random_plies: u64,
    /// How many plies before the goal games begin at most; 0 where they begin at the game's start.
    pub from_goal: u64,
    /// After how many plies games are broken off.
    pub longest: u64,
}

impl Config {
    /// What the options say for a game of these facts.
    ///
    /// # Errors
    /// A sentence, where options do not go together or the game cannot be learned so.
    pub fn from_options(options: &Options, facts: &Facts) -> Result<Config, String> {
        let text = |name: &str| options.choice(name).expect("the option has a default");
        let number = |name: &str| options.decimal(name).expect("the option has a default");
        let whole = |name: &str| options.int(name).expect("the option has a default");
        let schedule = |start: &str, end: &str| {
            let start = number(start);
            Schedule { start, end: options.decimal(end).unwrap_or(start) }
        };
        let method = match text("method") {
            "td" => Method::Td,
            "sarsa" => Method::Sarsa,
            _ => Method::QLearning,
        };
        let coherence = match text("tcl") {
            "none" => Coherence::Off,
            "id" => Coherence::Identity,
            _ => Coherence::Exponential { beta: number("tcl-beta") as f32 },
        };
        let config = Config {
            tuples: Wanted::parse(&options.text("tuples").expect("the option has a default"))?,
            drawing: match text("shape") {
                "walk" => Drawing::Walk,
                "straight" => Drawing::Straight,
                _ => Drawing::Points,
            },
            read: ReadOptions {
                blocks: Blocks::parse(&options.text("blocks").expect("the option has a default")),
                below: if text("below") == "support" { Below::Support } else { Below::Ignored },
                most_values: whole("values") as u16,
                reading: if text("read") == "joined" { Reading::Joined } else { Reading::Single },
            },
            // A symmetry exchanges actions too, and tables of actions would be shared between different ones.
            symmetries: if method == Method::Td { whole("symmetries") as usize } else { 1 },
            by_seat: text("tables") == "seat",
            phases: whole("phases") as usize,
            method,
            before_actions: text("learned") == "both",
            backup: if text("backup") == "ply" { Backup::Ply } else { Backup::Own },
            final_adaptation: text("final") == "on",
            lambda: number("lambda") as f32,
            horizon: number("horizon") as f32,
            traces: if text("traces") == "accumulating" { Traces::Accumulating } else { Traces::Replacing },
            n_steps: whole("n-step") as usize,
            gamma: number("gamma") as f32,
            alpha: schedule("alpha", "alpha-end"),
            average: number("average"),
            epsilon: schedule("epsilon", "epsilon-end"),
            search: whole("search"),
            learn_from_exploration: text("explored") == "learn",
            coherence,
            bounded: match text("output") {
                "auto" => facts.payoff_range.is_some(),
                word => word == "tanh",
            },
            by_score: match text("rewards") {
                "auto" => facts.n_seats == 1 && facts.payoff_range.is_none(),
                word => word == "score",
            },
            by_hand: text("base") == "hand",
            init: number("init"),
            random_plies: whole("random-plies"),
            from_goal: whole("from-goal"),
            longest: whole("longest"),
        };
        config.check(facts)?;
        Ok(config)
    }

    fn check(&self, facts: &Facts) -> Result<(), String> {
        if facts.simultaneous {
            return Err("seats act at the same time in it, and this kind learns from one action after another".into());
        }
        if facts.hidden && self.method == Method::Td {
            return Err("something is hidden in it, so that a seat does not know the position after its action; \
                        method=sarsa and method=q learn what actions are worth"
                .into());
        }
        if self.by_hand && (self.method != Method::Td || self.by_score || self.init != 0.0) {
            return Err("base=hand says what positions are worth at the end; it goes with method=td, rewards=end and \
                        without init"
                .into());
        }
        if self.before_actions {
            self.check_before_actions(facts)?;
        }
        if self.search > 0 && (self.method != Method::Td || self.by_score) {
            return Err(
                "search values positions by what they are worth at the end; it goes with method=td and rewards=end"
                    .into(),
            );
        }
        if self.n_steps > 1 && self.lambda > 0.0 {
            return Err("n-step and lambda are two ways to the same end; leave one of them out".into());
        }
        if self.from_goal > 0 && self.random_plies > 0 {
            return Err("from-goal and random-plies both say how games of training begin; leave one of them out".into());
        }
        // A position learns when another has come `n-step` positions later. The start is not always one that learns.
        let starts_learn =
            self.method == Method::Td && self.backup == Backup::Ply && (facts.n_seats > 1 || self.from_goal > 0);
        let least = self.n_steps as u64 + u64::from(!starts_learn);
        if self.longest < least {
            return Err(format!(
                "longest={} leaves nothing to learn from; with these options it is at least {least}",
                self.longest
            ));
        }
        if self.bounded && facts.payoff_range.is_none() {
            return Err("output=tanh needs payoffs with bounds, and its payoffs have none".into());
        }
        if self.bounded && self.by_score {
            return Err("rewards=score adds up what plies bring, which output=tanh cannot; take output=linear".into());
        }
        Ok(())
    }

    fn check_before_actions(&self, facts: &Facts) -> Result<(), String> {
        if self.method != Method::Td || self.by_score || self.backup == Backup::Own {
            return Err("learned=both goes with method=td, backup=ply and rewards=end".into());
        }
        if !facts.chance || facts.n_seats != 2 || facts.payoff_sum.is_none() {
            return Err("learned=both is for games of chance between two seats who play for a constant sum; in others \
                        positions before an action are no other ones than those after the last, or seats value them one by one"
                .into());
        }
        Ok(())
    }
}
