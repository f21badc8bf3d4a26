//! The agents that arguments name.

use std::sync::Arc;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use raichi_agents::Prepared;
use raichi_core::AnyGame;

use crate::failure::Failure;

/// The agent that `spec` names, ready for `game`.
///
/// # Errors
/// When there is no such agent, or it cannot play the game; says why.
pub(crate) fn prepare(game: &Arc<dyn AnyGame>, spec: &str) -> Result<Arc<dyn Prepared>, Failure> {
    raichi_agents::prepare(game, spec).map_err(|why| Failure::Usage(format!("`{spec}`: {why}")))
}

/// The strongest agent that plays this game, at a second a ply where it takes a time; the table has the weakest first.
///
/// # Errors
/// When no agent does.
pub(crate) fn strongest(game: &Arc<dyn AnyGame>) -> Result<Arc<dyn Prepared>, Failure> {
    let Some(kind) = raichi_agents::supporting(&**game).next_back() else {
        return Err(Failure::Failed(format!("no agent plays {}: give every --seat a human", game.spec())));
    };
    let timed = kind.options.iter().any(|option| option.name == "time");
    prepare(game, &if timed { format!("{}:time=1s", kind.id) } else { kind.id.into() })
}

/// Says that `who` thinks, on standard error and only where that is a terminal, until it is finished.
pub(crate) fn thinking(who: &str) -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {msg}").expect("the template is well-formed");
    let spinner = ProgressBar::new_spinner().with_style(style).with_message(format!("{who} thinks …"));
    spinner.enable_steady_tick(Duration::from_millis(100));
    spinner
}
