//! What to train where nobody wants to choose: options that work, by game and by how much time there is.

use std::sync::OnceLock;

use serde::Deserialize;

/// A preset.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Preset {
    /// The game's spec; presets of an id alone are for all parameters.
    pub game: String,
    /// A parameter: where the game has another value than the default one, the preset is not for it.
    #[serde(default)]
    pub unless: Option<String>,
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

/// The presets for a game: those with its parameters before those of its id.
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
        if !found.iter().any(|other| other.name == preset.name) {
            found.push(preset);
        }
    }
    found
}
