//! What to train where nobody wants to choose: options that work, by game and by how much time there is.

use std::sync::OnceLock;

use serde::Deserialize;

use super::Plan;

/// A preset.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Preset {
    /// The game's spec; presets of an id alone are for all parameters.
    pub game: String,
    /// A parameter: where the game has another value than the default one, the preset is not for it.
    #[serde(default)]
    pub unless: Option<String>,
    /// Whether it stands in for the one of its name before it where that would be too large: of parameters with many values.
    #[serde(default)]
    pub large: bool,
    /// `quick`, `good` or another name.
    pub name: String,
    /// The spec of the learner.
    pub agent: String,
    /// How many games of training.
    pub games: u64,
    /// How it is evaluated: `against perfect --starts all`, say.
    #[serde(default)]
    pub eval: Option<String>,
    /// About how long it takes on one core.
    pub time: String,
}

#[derive(Deserialize)]
struct Table {
    preset: Vec<Preset>,
}

/// All presets, as they stand in `presets.toml`.
pub fn all() -> &'static [Preset] {
    static PRESETS: OnceLock<Vec<Preset>> = OnceLock::new();
    PRESETS.get_or_init(|| {
        let table: Table = toml::from_str(include_str!("presets.toml")).expect("the table is checked by a test");
        table.preset
    })
}

/// A preset has at most so many weights, as what is trained in the lab.
const MOST_WEIGHTS: usize = 1 << 27;

/// The presets for a game: those with its parameters before those of its id, one of each name.
pub fn of(spec: &str) -> Vec<&'static Preset> {
    let spec = super::without_cap(spec);
    let (id, params) = raichi_core::erased::split_spec(&spec);
    let differs = |param: &String| {
        params.is_some_and(|params| params.split(',').any(|given| given.split('=').next() == Some(param)))
    };
    let exact = all().iter().filter(|preset| preset.game == spec);
    let general = all().iter().filter(|preset| preset.game == id && preset.game != spec);
    let mut found: Vec<&Preset> = Vec::new();
    for preset in exact.chain(general).filter(|preset| !preset.unless.as_ref().is_some_and(differs)) {
        match found.iter_mut().find(|other| other.name == preset.name) {
            None => found.push(preset),
            Some(other) if preset.large && is_too_large(&spec, other) => *other = preset,
            Some(_) => {}
        }
    }
    found
}

/// Whether what the preset trains would be too large for a game with these parameters. Memory is taken as weights are touched, so
/// that beginning a training takes little.
fn is_too_large(spec: &str, preset: &Preset) -> bool {
    let Ok(game) = raichi_games::game(spec) else { return false };
    let plan = Plan { agent: preset.agent.clone(), seed: 0, games: 1, starts: Vec::new() };
    super::begin(&game, &plan, None).map_or(true, |training| training.n_weights() > MOST_WEIGHTS)
}
