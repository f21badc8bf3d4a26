//! The ten levels under their names; what they are is data, see [`crate::levels`].

use raichi_search::options::{AgentOption, OptionKind};

use crate::kind::AgentKind;
use crate::levels;

pub(crate) const KIND: AgentKind = AgentKind {
    id: "level",
    name: "Level",
    help: "An opponent of this strength, the same on every machine: 1 errs often, 10 thinks for up to about a second.",
    bare: Some("level"),
    options: &[AgentOption {
        name: "level",
        kind: OptionKind::Grade { names: &levels::NAMES },
        default: Some("5"),
        help: "From 1, the weakest, to 10.",
    }],
    supports: |_| Ok(()),
    seat: None,
    instead: None,
    complete: |_| {},
    prepare: |game, options| {
        let n = options.int("level").expect("the option has a default") as usize;
        levels::prepare_level(game, n, &options.canonical())
    },
};
