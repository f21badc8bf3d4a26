//! The options of agents that learn a network by playing with a search: `alphazero:width=64,sims=32`.

use raichi_core::game::Facts;
use raichi_search::options::{AgentOption, Options};

use crate::network::planes::Wanted;
use crate::network::{Precision, Rule};
use crate::ntuple::options::Schedule;
use crate::option::{choice, decimal, int};

/// The kind's id in specs.
pub const ID: &str = "alphazero";

/// The options.
pub const OPTIONS: &[AgentOption] = &[
    choice(
        "net",
        &["auto", "layers", "residual"],
        "Layers over all numbers, or residual convolutions over the board; auto convolves where the board is large enough.",
    ),
    choice(
        "coordinates",
        &["off", "on"],
        "Whether each cell of a board is told its row and column, and whether these are odd; convolutions alone do the same everywhere.",
    ),
    int("width", 1, 512, "32", "How many numbers each cell (of layers: the whole position) has inside the network."),
    int("blocks", 0, 40, "3", "How many residual blocks of two layers it has."),
    int("sims", 2, 100_000, "32", "Simulations for a decision that is learned from."),
    int("considered", 2, 1000, "16", "How many actions a decision considers at most."),
    int(
        "worlds",
        1,
        1000,
        "8",
        "Where something is hidden: so many positions that fit what the seat knows take turns in a decision's search.",
    ),
    decimal("full", 1.0, Some("0.5"), "The share of decisions that are searched in full and learned from."),
    int("fast-sims", 1, 100_000, "8", "Simulations for the other decisions."),
    decimal("q-scale", 100.0, Some("1"), "How much what the search found counts beside what the network expected."),
    decimal("gumbel", 10.0, Some("1"), "How much luck there is in the actions of training games; 0 is none."),
    int("gumbel-plies", 0, 100_000, "1000", "After so many plies of a game there is no luck any more."),
    int("random-plies", 0, 1000, "0", "Games of the training begin after up to so many random plies."),
    int("longest", 1, 100_000, "1000", "Games of the training are broken off after so many plies."),
    decimal(
        "value-mix",
        1.0,
        Some("0"),
        "The share of the search's value, beside the game's end, in what values learn.",
    ),
    decimal(
        "gamma",
        1.0,
        Some("1"),
        "How much of what a position is worth is left a ply earlier: below 1 near wins and distant losses are preferred.",
    ),
    int("symmetries", 1, 1000, "8", "From how many of the game's symmetries positions are learned; 1 is none."),
    int("round", 1, 100_000, "64", "After so many games the network learns."),
    int(
        "parallel",
        1,
        1024,
        "16",
        "So many games are played side by side, so that the network sees several positions at once.",
    ),
    int("window", 1, 10_000_000, "50000", "So many of the last positions are learned from."),
    int("batch", 1, 8192, "128", "Positions for one step of learning."),
    decimal("reuse", 1000.0, Some("4"), "How often a position is learned from, on average."),
    choice(
        "numbers",
        &["f32", "int8"],
        "With which numbers the network is worked out in games: int8 is faster, and a little less exact.",
    ),
    choice("rule", &["adam", "momentum"], "How steps are made from gradients."),
    decimal("rate", 10.0, Some("0.002"), "The size of steps."),
    decimal("rate-end", 10.0, None, "The size at the end of the training; between, it changes geometrically."),
    decimal("decay", 10.0, Some("0.01"), "Each step takes this share of its size off the weights."),
    decimal("value-weight", 100.0, Some("1"), "How much errors of values count beside those of the policy."),
];

/// How a decision is searched.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SearchConfig {
    /// Actions considered at the root, at most.
    pub considered: usize,
    /// How much completed values count beside logits.
    pub q_scale: f32,
    /// How much of a value is left a ply earlier.
    pub gamma: f32,
    /// In how many determinizations a decision is searched; 0 where nothing is hidden.
    pub n_worlds: usize,
}

/// What the options say.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    /// Over what the network is laid.
    pub net: Wanted,
    /// Whether cells are told where they lie.
    pub coordinates: bool,
    /// Numbers between its layers.
    pub width: usize,
    /// Its residual blocks.
    pub blocks: usize,
    /// How decisions are searched.
    pub search: SearchConfig,
    /// Simulations of a decision that is learned from.
    pub simulations: usize,
    /// The share of such decisions.
    pub full: f64,
    /// Simulations of the others.
    pub fast_simulations: usize,
    /// The scale of the noise.
    pub gumbel: f32,
    /// Plies with noise.
    pub gumbel_plies: u32,
    /// After how many random plies games begin at most.
    pub random_plies: u64,
    /// After how many plies games are broken off.
    pub longest: u32,
    /// The share of the search's value in targets.
    pub value_mix: f32,
    /// How many symmetries positions are learned from.
    pub symmetries: usize,
    /// Games between two times of learning.
    pub round: u64,
    /// Games side by side.
    pub parallel: usize,
    /// Positions that are remembered.
    pub window: usize,
    /// Positions of a step.
    pub batch: usize,
    /// How often a position is learned from.
    pub reuse: f64,
    /// With which numbers it is worked out in games.
    pub precision: Precision,
    /// What makes steps.
    pub rule: Rule,
    /// Their size.
    pub rate: Schedule,
    /// The decay of weights.
    pub decay: f64,
    /// What errors of values weigh.
    pub value_weight: f64,
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
        let config = Config {
            net: match text("net") {
                "layers" => Wanted::Flat,
                "residual" => Wanted::Grid,
                _ => Wanted::Auto,
            },
            coordinates: text("coordinates") == "on",
            width: whole("width") as usize,
            blocks: whole("blocks") as usize,
            search: SearchConfig {
                considered: whole("considered") as usize,
                q_scale: number("q-scale") as f32,
                gamma: number("gamma") as f32,
                n_worlds: if facts.hidden { whole("worlds") as usize } else { 0 },
            },
            simulations: whole("sims") as usize,
            full: number("full"),
            fast_simulations: whole("fast-sims") as usize,
            gumbel: number("gumbel") as f32,
            gumbel_plies: whole("gumbel-plies") as u32,
            random_plies: whole("random-plies"),
            longest: whole("longest") as u32,
            value_mix: number("value-mix") as f32,
            symmetries: whole("symmetries") as usize,
            round: whole("round"),
            parallel: whole("parallel") as usize,
            window: whole("window") as usize,
            batch: whole("batch") as usize,
            reuse: number("reuse"),
            precision: if text("numbers") == "f32" { Precision::Full } else { Precision::Bytes },
            rule: if text("rule") == "adam" { Rule::Adam } else { Rule::Momentum },
            rate: Schedule { start: number("rate"), end: options.decimal("rate-end").unwrap_or(number("rate")) },
            decay: number("decay"),
            value_weight: number("value-weight"),
        };
        config.check(facts)?;
        Ok(config)
    }

    fn check(&self, facts: &Facts) -> Result<(), String> {
        if facts.payoff_range.is_none() {
            return Err("its payoffs have no bounds, and the values of this kind do; ntuple learns such games".into());
        }
        if self.full == 0.0 {
            return Err("full=0 leaves nothing to be learned from; it must be above 0".into());
        }
        Ok(())
    }
}
