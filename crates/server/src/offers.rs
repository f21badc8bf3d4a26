//! The engines that this server offers: the ten levels first, then the best agent at several times, then each method.

use std::time::Duration;

use raichi_agents::levels;
use raichi_agents::options::OptionKind;
use raichi_agents::{AgentKind, BUILT_IN_EVALUATORS, KINDS, truth};
use raichi_core::erased::AnyGame;

use crate::message::{AgentEntry, AgentGroup};

/// How long an engine that thinks by the clock may take for a ply, weakest first.
const TIMES: [(&str, Duration, &str); 3] = [
    ("200ms", Duration::from_millis(200), "a fifth of a second a move"),
    ("1s", Duration::from_secs(1), "1 second a move"),
    ("5s", Duration::from_secs(5), "5 seconds a move"),
];

/// The kinds that are offered at each of [`TIMES`]; others are offered at a second.
const AT_ALL_TIMES: [&str; 2] = ["best", "mcts"];

/// The kind of those who have learned.
const TRAINED: &str = "trained";

/// How long a search on top of what a trained agent learned takes.
pub(crate) const TIME_ON_TOP: Duration = Duration::from_millis(200);

/// The trained agent of this name, as it is offered: as it is, and for games in which nothing is hidden with a search on top.
pub(crate) fn trained(name: &str, game: &dyn AnyGame) -> Vec<AgentEntry> {
    let kind = KINDS.iter().find(|kind| kind.id == TRAINED);
    let help = kind.map_or_else(String::new, |kind| kind.help.into());
    let entry =
        |spec, name, help| AgentEntry { spec, name, help, group: AgentGroup::Trained, seat: None, exact: false };
    let mut entries = vec![entry(format!("{TRAINED}:{name}"), name.into(), help)];
    let facts = game.facts();
    if !facts.hidden && !facts.simultaneous {
        let help = "Looks ahead, and values what it sees there by what the agent has learned.";
        entries.push(entry(with_search(name), format!("{name}, with a search of 0.2 seconds"), help.into()));
    }
    entries
}

/// The canonical spec of a search on top of a trained agent.
fn with_search(name: &str) -> String {
    let spec = format!("mcts:evaluator={name},time={}ms", TIME_ON_TOP.as_millis());
    raichi_agents::canonical(&spec).unwrap_or(spec)
}

/// The name of the trained agent that a canonical spec is of, and whether a search is on top.
pub(crate) fn name_of_trained(spec: &str) -> Option<(&str, bool)> {
    let plain = spec.strip_prefix(TRAINED).and_then(|rest| rest.strip_prefix(':')).filter(|name| !name.is_empty());
    let searching = || {
        let name = spec.split_once("evaluator=")?.1.split(',').next()?;
        (!BUILT_IN_EVALUATORS.contains(&name) && with_search(name) == spec).then_some((name, true))
    };
    plain.map(|name| (name, false)).or_else(searching)
}

/// An engine on offer.
pub(crate) struct Offer {
    kind: &'static AgentKind,
    entry: AgentEntry,
    /// How long it thinks; zero where it does not go by the clock.
    pub(crate) time: Duration,
}

/// All engines on offer, by group.
pub(crate) fn all() -> Vec<Offer> {
    // Trained agents are offered by their names.
    let mut offers: Vec<Offer> = KINDS.iter().filter(|kind| kind.id != TRAINED).flat_map(of_kind).collect();
    // The sort is stable: within a group the table's order stands, weakest first.
    offers.sort_by_key(|offer| offer.entry.group);
    offers
}

impl Offer {
    /// Its canonical spec.
    pub(crate) fn spec(&self) -> &str {
        &self.entry.spec
    }

    /// What people are told of it, whatever the game.
    pub(crate) fn entry(&self) -> AgentEntry {
        self.entry.clone()
    }

    /// What people are told of it for a game; `None` where it does not play it.
    pub(crate) fn entry_for(&self, game: &dyn AnyGame) -> Option<AgentEntry> {
        if (self.kind.supports)(game).is_err() {
            return None;
        }
        let mut entry = self.entry();
        if entry.group == AgentGroup::Levels {
            entry.help = format!("{} {}", entry.help, levels::about(game));
        }
        entry.exact = self.kind.id == "perfect" && truth::known(game).is_ok_and(|truth| truth.is_quick());
        Some(entry)
    }

    /// Whether it plays this game.
    pub(crate) fn plays(&self, game: &dyn AnyGame) -> bool {
        (self.kind.supports)(game).is_ok()
    }
}

fn of_kind(kind: &'static AgentKind) -> Vec<Offer> {
    let offer = |spec: String, name: String, group, time| {
        let spec = raichi_agents::canonical(&spec).unwrap_or(spec);
        let help = kind.help.into();
        Offer { kind, entry: AgentEntry { spec, name, help, group, seat: kind.seat, exact: false }, time }
    };
    let bare = kind.options.iter().find(|option| kind.bare == Some(option.name)).map(|option| option.kind);
    if let Some(OptionKind::Grade { names }) = bare {
        let grade = |(n, name): (usize, &&str)| {
            let (spec, name) = (format!("{}:{n}", kind.id), format!("{name} ({} {n})", kind.name.to_lowercase()));
            offer(spec, name, AgentGroup::Levels, Duration::ZERO)
        };
        return (1..).zip(names).map(grade).collect();
    }
    let group = if kind.id == "best" { AgentGroup::Best } else { AgentGroup::Methods };
    let by_the_clock = kind.options.iter().any(|option| option.name == "time");
    if !by_the_clock {
        return vec![offer(kind.id.into(), kind.name.into(), group, Duration::ZERO)];
    }
    let is_offered = |time: Duration| AT_ALL_TIMES.contains(&kind.id) || time == Duration::from_secs(1);
    let at = |(text, time, words): (&str, Duration, &str)| {
        offer(format!("{}:time={text}", kind.id), format!("{}, {words}", kind.name), group, time)
    };
    TIMES.into_iter().filter(|&(_, time, _)| is_offered(time)).map(at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_come_first_then_the_best_then_the_methods() {
        let offers = all();
        let specs: Vec<&str> = offers.iter().map(Offer::spec).collect();
        assert_eq!(specs[0], "level:1");
        assert_eq!(specs[9..13], ["level:10", "best:time=200ms", "best:time=1s", "best:time=5s"]);
        assert_eq!(specs[13], "random");
        assert!(specs.contains(&"mcts:time=200ms") && specs.contains(&"mc:time=1s"), "{specs:?}");
        assert!(!specs.contains(&"mc:time=5s"), "{specs:?}");
        let kinds: std::collections::HashSet<&str> = offers.iter().map(|offer| offer.kind.id).collect();
        assert_eq!(kinds.len(), KINDS.len() - 1, "every kind is on offer, trained agents by their names");
    }

    #[test]
    fn an_offer_says_where_it_is_for_one_seat_only() {
        let offers = all();
        let seats = offers.iter().filter_map(|offer| Some((offer.spec(), offer.entry().seat?)));
        assert_eq!(seats.collect::<Vec<_>>(), [("mirror", 1)]);
    }

    #[test]
    fn a_trained_agent_is_offered_with_a_search_where_nothing_is_hidden() {
        let entries = |game: &str| trained("four", &*raichi_games::game(game).unwrap());
        let [plain, searching] = &entries("connect-four")[..] else { panic!("two are offered") };
        assert_eq!(name_of_trained(&plain.spec), Some(("four", false)));
        assert_eq!(name_of_trained(&searching.spec), Some(("four", true)), "{}", searching.spec);
        assert_eq!(entries("kuhn-poker").len(), 1);
        let others =
            ["trained", "level:1", "mcts:time=200ms", "mcts:evaluator=four,time=1h", "mcts:evaluator=hand,time=200ms"];
        assert!(others.iter().all(|spec| name_of_trained(spec).is_none()));
    }

    #[test]
    fn who_knows_every_value_says_so() {
        let exact = |game: &str| {
            let game = raichi_games::game(game).unwrap();
            let entries: Vec<AgentEntry> = all().iter().filter_map(|offer| offer.entry_for(&*game)).collect();
            entries.into_iter().filter(|entry| entry.exact).map(|entry| entry.spec).collect::<Vec<_>>()
        };
        for known in ["connect-four", "tic-tac-toe", "nim", "nim3p", "french-military", "rubiks-cube:size=2"] {
            assert_eq!(exact(known), ["perfect:time=1s"], "{known}");
        }
        for open in ["connect-four:width=8", "othello", "tablut", "focus", "poker"] {
            assert!(exact(open).is_empty(), "{open}");
        }
    }

    #[test]
    fn levels_say_whether_they_were_measured() {
        let game = raichi_games::game("hex:size=4").unwrap();
        let level = all().into_iter().find(|offer| offer.spec() == "level:3").unwrap();
        let help = level.entry_for(&*game).unwrap().help;
        assert!(help.contains("measured") && help.len() > level.entry().help.len(), "{help}");
    }
}
