//! Evaluations by name, by game: against whom an agent plays and where the games begin.

use std::sync::OnceLock;

use serde::Deserialize;

/// A named evaluation.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedEvaluation {
    /// The games' specs; an id alone is for all parameters.
    pub games: Vec<String>,
    /// `random`, `perfect` or another name.
    pub name: String,
    /// As that of a preset: `against perfect --starts all`, say.
    pub eval: String,
    /// What it measures, in a few words.
    pub about: String,
}

#[derive(Deserialize)]
struct Table {
    evaluation: Vec<NamedEvaluation>,
}

/// All of them, as they stand in `evaluations.toml`.
pub fn all() -> &'static [NamedEvaluation] {
    static EVALUATIONS: OnceLock<Vec<NamedEvaluation>> = OnceLock::new();
    EVALUATIONS.get_or_init(|| {
        let table: Table = toml::from_str(include_str!("evaluations.toml")).expect("the table is checked by a test");
        table.evaluation
    })
}

/// Those for a game, in the order of the table; one for its parameters takes the place of one of the same name for its id.
pub fn of(spec: &str) -> Vec<&'static NamedEvaluation> {
    let spec = super::without_cap(spec);
    let (id, _) = raichi_core::erased::split_spec(&spec);
    let is_for = |evaluation: &NamedEvaluation, game: &str| evaluation.games.iter().any(|other| other == game);
    let has_own = |name: &str| all().iter().any(|other| other.name == name && is_for(other, &spec));
    let fits = |one: &&NamedEvaluation| is_for(one, &spec) || (is_for(one, id) && !has_own(&one.name));
    all().iter().filter(fits).collect()
}
