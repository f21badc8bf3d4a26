//! Options of learners, in few words each.

use raichi_search::options::{AgentOption, OptionKind};

/// One of `options`; the first one where nothing is said.
pub(crate) const fn choice(name: &'static str, options: &'static [&'static str], help: &'static str) -> AgentOption {
    AgentOption { name, kind: OptionKind::Choice { options }, default: Some(options[0]), help }
}

/// A number from 0 to `max`.
pub(crate) const fn decimal(
    name: &'static str,
    max: f64,
    default: Option<&'static str>,
    help: &'static str,
) -> AgentOption {
    AgentOption { name, kind: OptionKind::Decimal { min: 0.0, max }, default, help }
}

/// A whole number from `min` to `max`.
pub(crate) const fn int(
    name: &'static str,
    min: u64,
    max: u64,
    default: &'static str,
    help: &'static str,
) -> AgentOption {
    AgentOption { name, kind: OptionKind::Int { min, max }, default: Some(default), help }
}
