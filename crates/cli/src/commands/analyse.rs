//! `raichi analyse GAME HISTORY --agent A`: what agents think of every action.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::Arc;

use raichi_agents::separately::{self, Allowance};
use raichi_agents::{Advice, Budget, Candidate, Certainty, Prepared, SystemHost};
use raichi_arena::Streams;
use raichi_core::reason::joined_text;
use raichi_core::verdict::{counted, signed};
use raichi_core::{AnyGame, AnyMatch, Phase, Seat, Viewer};
use serde_json::{Value, json};

use super::from_view;
use super::replay::{self, history};
use super::shown;
use crate::agents;
use crate::args::{GameSpec, Start};
use crate::failure::Failure;
use crate::output::{Output, width};
use crate::palette::{BOLD, CODE, FAINT, paint};

/// Ask agents what they think of every action in a position, and which line of play they expect.
///
/// The agent is asked for the seat that is to act, from that seat's view: secrets of others are not used, also where the
/// history tells them. Values are expected payoffs.
///
/// Actions of which the agent knows no value or only a bound are looked at separately: it is asked about the position after
/// each, all of them together within its budget once more, beginning with those that it thinks best. What is not reached then is
/// shown without a value. They are never shown as better than what it chose, unless they are exactly known. In games with secrets
/// or simultaneous choices this is not done, except where there is only one action. Where chance follows an action, several draws
/// are looked at.
///
/// From a position that hides something (`?`) plies go on as in `raichi replay`: as far as what they lead to does not depend on
/// what it hides.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  raichi analyse connect-four \"4 4 4\" --agent mcts:time=2s
  raichi analyse tic-tac-toe --position \"O2/1X1/3 0\" --agent mcts --json
  raichi analyse hex:size=5 \"c3\" --agent mcts:sims=1000 --agent mcts:sims=100000")]
pub(crate) struct Args {
    /// The game, with its parameters.
    #[arg(value_parser = GameSpec, hide_possible_values = true)]
    game: Arc<dyn AnyGame>,

    /// The plies; `-` reads them from standard input, nothing is the position at the start.
    #[arg(default_value = "", hide_default_value = true)]
    history: String,

    #[command(flatten)]
    start: Start,

    /// Who is asked; may be given several times.
    #[arg(long = "agent", value_name = "AGENT", required = true)]
    agents: Vec<String>,

    /// For which seat, from 0, where several may act; the lowest of them where none is given.
    #[arg(long, value_name = "SEAT")]
    seat: Option<Seat>,

    /// What the agents' random draws come from.
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,

    /// Write one JSON object a line for each agent: `agent`, `spec`, `seat`, `best`, `line`, and `actions`, `best` first and the
    /// others by value, each with `action`, `values` by seat, `exact`, `visits`, `depth`, and `bound`: "upper" where the chooser's
    /// value is at most that, "lower" where it is at least that, else null. Bounds of a search by depth are of what it sees at
    /// that depth: looked at deeper, the action may be worth more, or less.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let agents: Vec<_> = args.agents.iter().map(|spec| agents::prepare(&args.game, spec)).collect::<Result<_, _>>()?;
    let described_to = |drawn: &dyn AnyMatch, viewer| Ok(replay::described(&*args.game, drawn, viewer));
    let (mut current, seen_by) = from_view::reached(&*args.game, &args.start, &history(&args.history)?, described_to)?;
    let streams = Streams::new(args.seed);
    // Without plies what the text of a position hides is still to be drawn. The agent sees none of it, because it is asked for
    // the text's seat.
    current.draw_hidden(&mut streams.hidden()).map_err(|why| Failure::Refused(format!("--position: {why}")))?;
    let seat = seat_to_ask(args, &*current, seen_by)?;
    let mut out = Output::new();
    if !args.json {
        out.line(shown::position(&*current, Viewer::Seat(seat)))?;
    }
    for agent in agents {
        let advice = ask(&*args.game, &*agent, &*current, seat, streams)?;
        match args.json {
            true => out.line(described(agent.spec(), &*current, seat, advice))?,
            false => out.print(page(&*args.game, agent.spec(), &*current, seat, &advice))?,
        }
    }
    Ok(())
}

/// The seat that the agents are asked for. `seen_by` is whose view the position's text is, if it hides something.
///
/// # Errors
/// Where nobody chooses, or the one who does is not the one whose view the position is.
fn seat_to_ask(args: &Args, current: &dyn AnyMatch, seen_by: Option<Viewer>) -> Result<Seat, Failure> {
    let seats = match current.phase() {
        Phase::Act(seats) => seats,
        Phase::Over => return Err(Failure::Refused("the game is over: there is nothing to choose".into())),
        Phase::Chance => {
            let why = "chance is to act, not a seat: end the history with an outcome (`raichi replay` lists them)";
            return Err(Failure::Refused(why.into()));
        }
    };
    let acting = || seats.iter().map(|seat| seat.to_string()).collect::<Vec<_>>().join(", ");
    let seat = match (args.seat, seen_by) {
        (Some(seat), _) if !seats.contains(seat) => {
            return Err(Failure::Usage(format!("--seat {seat}: to act here: {}", acting())));
        }
        (Some(seat), _) => seat,
        (None, Some(Viewer::Seat(seer))) if seats.contains(seer) => seer,
        (None, _) => seats.first(),
    };
    match seen_by {
        Some(Viewer::Seat(seer)) if seer != seat => Err(Failure::Refused(format!(
            "--position is what seat {seer} sees, and seat {seat} is to act: what it knows is not in the text"
        ))),
        _ => Ok(seat),
    }
}

/// What the agent thinks, with what it finds of each action that it says too little of.
fn ask(
    game: &dyn AnyGame,
    agent: &dyn Prepared,
    current: &dyn AnyMatch,
    seat: Seat,
    streams: Streams,
) -> Result<Advice<String>, Failure> {
    let spinner = agents::thinking(agent.spec());
    let seed = streams.agent(seat);
    let advice = agent.open(seed).decide(current, seat, Budget::UNLIMITED);
    let completed = advice.and_then(|advice| {
        let allowance = Allowance::new(agent.spec(), &advice.cost, &SystemHost)?;
        separately::complete(game, current, seat, seed, &mut *agent.open(seed), allowance, advice)
    });
    spinner.finish_and_clear();
    completed.map_err(|why| Failure::Failed(format!("{}: {why}", agent.spec())))
}

/// Every legal action with what the agent found out about it: its choice first, then by the value for `seat`, then those
/// that it did not look at.
fn ranked(current: &dyn AnyMatch, seat: Seat, advice: &Advice<String>) -> Vec<Candidate<String>> {
    let mut candidates = advice.candidates.clone();
    let unknown = |action| Candidate {
        action,
        values: Vec::new(),
        certainty: Certainty::Unknown,
        visits: None,
        depth: None,
        plies: None,
    };
    let considered: BTreeSet<String> = candidates.iter().map(|candidate| candidate.action.clone()).collect();
    candidates.extend(current.legal(seat).into_iter().filter(|action| !considered.contains(action)).map(unknown));
    let value = |candidate: &Candidate<String>| candidate.values.get(seat).copied().unwrap_or(f64::NEG_INFINITY);
    let is_other = |candidate: &Candidate<String>| candidate.action != advice.action;
    // Between equals the agent's own order stands.
    candidates.sort_by(|a, b| match is_other(a).cmp(&is_other(b)) {
        Ordering::Equal => value(b).total_cmp(&value(a)),
        order => order,
    });
    candidates
}

fn described(agent: &str, current: &dyn AnyMatch, seat: Seat, advice: Advice<String>) -> Value {
    let actions: Vec<Value> = ranked(current, seat, &advice)
        .into_iter()
        .map(|candidate| {
            json!({
                "action": candidate.action,
                "exact": candidate.is_exact(),
                "values": candidate.values,
                "bound": bound(candidate.certainty),
                "visits": candidate.visits,
                "depth": candidate.depth,
            })
        })
        .collect();
    json!({
        "agent": agent,
        "spec": current.spec(),
        "seat": seat,
        "best": advice.action,
        "line": advice.line,
        "actions": actions,
    })
}

/// On which side of its value the chooser's true value is, where only that is known.
fn bound(certainty: Certainty) -> Option<&'static str> {
    match certainty {
        Certainty::UpperBound => Some("upper"),
        Certainty::LowerBound => Some("lower"),
        Certainty::Unknown | Certainty::Estimate { .. } | Certainty::Exact => None,
    }
}

fn page(game: &dyn AnyGame, agent: &str, current: &dyn AnyMatch, seat: Seat, advice: &Advice<String>) -> String {
    let mut ranked = ranked(current, seat, advice);
    let n_actions = ranked.len();
    // Of actions that the agent says nothing about one line tells; what it chose is written in any case.
    ranked.retain(|candidate| candidate.values.get(seat).is_some() || candidate.action == advice.action);
    let scale = Scale::of(game, seat, &ranked);
    let proven = if advice.proven { ", proven best" } else { "" };
    let known_by = advice.known_by.map(|method| format!(" (known by {method})")).unwrap_or_default();
    let mut page = paint(BOLD, format!("{agent}: {}{proven}{known_by}\n", advice.action));
    let widest = ranked.iter().map(|candidate| candidate.action.chars().count()).max().unwrap_or(0);
    for candidate in &ranked {
        page +=
            &format!("  {}  {}\n", paint(CODE, format!("{:widest$}", candidate.action)), row(candidate, seat, &scale));
    }
    if ranked.iter().all(|candidate| candidate.values.is_empty()) {
        page += &paint(FAINT, "  this agent does not say what actions are worth\n");
    } else if n_actions > ranked.len() {
        let others = counted((n_actions - ranked.len()) as u64, "other action was", "other actions were");
        page += &paint(FAINT, format!("  {others} not looked at\n"));
    }
    if ranked.iter().any(|candidate| is_bounded_by_depth(candidate, game)) {
        page += &paint(FAINT, "  at most, at least: as deep as the search looked; deeper, it may be more or less\n");
    }
    if let Some(why) = &advice.why {
        page += &(textwrap::fill(&why.text, width()) + "\n");
        if !why.joined.is_empty() {
            page += &(textwrap::fill(&format!("joined: {}", joined_text(&why.joined)), width()) + "\n");
        }
    }
    if !advice.line.is_empty() {
        page += &textwrap::fill(&format!("line of play: {}", advice.line.join(" ")), width());
        page += "\n";
    }
    page += &paint(FAINT, cost(advice));
    page += "\n\n";
    page
}

/// Whether a bound is one of what a search saw at its depth. What a plan of one seat alone brings it has in truth.
fn is_bounded_by_depth(candidate: &Candidate<String>, game: &dyn AnyGame) -> bool {
    let is_bound = match candidate.certainty {
        Certainty::UpperBound => true,
        Certainty::LowerBound => game.facts().n_seats > 1,
        Certainty::Unknown | Certainty::Estimate { .. } | Certainty::Exact => false,
    };
    is_bound && candidate.depth.is_some()
}

/// What an agent spent.
fn cost(advice: &Advice<String>) -> String {
    let cost = &advice.cost;
    let mut parts = Vec::new();
    if cost.simulations > 0 {
        parts.push(format!("{} simulations", cost.simulations));
    }
    if cost.nodes > 0 {
        parts.push(format!("{} nodes", cost.nodes));
    }
    parts.extend(cost.depth.map(|depth| format!("depth {depth}")));
    parts.push(format!("{:.2} s", cost.elapsed.as_secs_f64()));
    parts.join(", ")
}

/// A candidate's value as a number and a bar, and how sure it is.
fn row(candidate: &Candidate<String>, seat: Seat, scale: &Scale) -> String {
    let Some(&value) = candidate.values.get(seat) else { return "chosen".into() };
    let sure = match candidate.certainty {
        Certainty::Exact => "exact".into(),
        Certainty::LowerBound => "at least".into(),
        Certainty::UpperBound => "at most".into(),
        Certainty::Estimate { standard_error: Some(error) } => format!("± {error:.3}"),
        Certainty::Estimate { standard_error: None } => "estimate".into(),
        Certainty::Unknown => String::new(),
    };
    let visits = candidate.visits.map(|visits| format!("  {visits} visits")).unwrap_or_default();
    let depth = match (candidate.plies, candidate.depth) {
        (Some(plies), _) => format!("  over after {plies} plies"),
        (None, Some(depth)) => format!("  depth {depth}"),
        (None, None) => String::new(),
    };
    let number = if value.fract() == 0.0 { signed(value) } else { format!("{value:+.3}").replace('-', "−") };
    format!("{}  {number:>8}  {sure:<9}{visits}{depth}", scale.bar(value))
}

/// Where values lie between the least and the greatest.
struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    const WIDTH: usize = 20;

    /// The payoffs' own range, or else that of the values.
    fn of(game: &dyn AnyGame, seat: Seat, candidates: &[Candidate<String>]) -> Scale {
        let values = || candidates.iter().filter_map(|candidate| candidate.values.get(seat).copied());
        let (low, high) = game
            .facts()
            .payoff_range
            .unwrap_or((values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max)));
        Scale { low, high }
    }

    fn bar(&self, value: f64) -> String {
        let share = if self.high > self.low { (value - self.low) / (self.high - self.low) } else { 1.0 };
        let full = (share.clamp(0.0, 1.0) * Scale::WIDTH as f64).round() as usize;
        format!("{}{}", "█".repeat(full), "░".repeat(Scale::WIDTH - full))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_agents_choice_comes_first_then_the_values_then_what_it_did_not_look_at() {
        let mut current = raichi_games::game("tic-tac-toe").unwrap().new_match();
        current.play_history("a1 b1 a2 b2").unwrap();
        let candidate = |action: &str, value: f64| Candidate {
            action: action.to_string(),
            values: vec![value, -value],
            certainty: Certainty::Estimate { standard_error: None },
            visits: Some(1),
            depth: None,
            plies: None,
        };
        let candidates = vec![candidate("c1", -0.5), candidate("b3", 0.5), candidate("a3", 0.2)];
        let advice = Advice { candidates, ..Advice::without_search("a3".to_string(), false) };
        let order: Vec<_> = ranked(&*current, 0, &advice).into_iter().map(|candidate| candidate.action).collect();
        assert_eq!(order, ["a3", "b3", "c1", "c2", "c3"]);
    }

    #[test]
    fn an_agent_that_knows_no_values_says_so() {
        let game = raichi_games::game("tic-tac-toe").unwrap();
        let (current, advice) = (game.new_match(), Advice::without_search("a3".to_string(), false));
        let page = page(&*game, "random", &*current, 0, &advice);
        assert!(page.contains("this agent does not say what actions are worth"), "{page}");
        assert!(!page.contains("not looked at"), "{page}");
    }

    /// What an agent says of the position after `history`, as JSON.
    fn analysed(spec: &str, history: &str, agent: &str) -> Value {
        let game = raichi_games::game(spec).unwrap();
        let mut current = game.new_match();
        current.play_history(history).unwrap();
        let Phase::Act(seats) = current.phase() else { panic!("{spec}: {history}") };
        let agent = raichi_agents::prepare(&game, agent).unwrap();
        let Ok(advice) = ask(&*game, &*agent, &*current, seats.first(), Streams::new(0)) else { panic!("{spec}") };
        described(agent.spec(), &*current, seats.first(), advice)
    }

    #[test]
    fn the_only_action_has_a_value_and_a_line() {
        for (spec, history, agent) in [
            ("kaalu", "", "mcts:sims=200"),
            ("black", "", "alphabeta:nodes=2000"),
            ("blackjack", "", "mc:sims=200"),
            // The last square: who wins is known.
            ("tic-tac-toe", "a1 b1 c1 a2 c2 b2 a3 c3", "alphabeta:nodes=100"),
        ] {
            let said = analysed(spec, history, agent);
            let only = &said["actions"][0];
            assert_eq!(said["actions"].as_array().unwrap().len(), 1, "{said}");
            assert!(!only["values"].as_array().unwrap().is_empty(), "{said}");
            // Chance deals in Blackjack: no line is expected.
            assert_eq!(said["line"].get(0), Some(&only["action"]).filter(|_| spec != "blackjack"), "{said}");
            assert_eq!(only["exact"], spec == "tic-tac-toe", "{said}");
        }
    }

    #[test]
    fn where_a_search_knows_a_bound_the_action_is_looked_at_separately() {
        let said = analysed("connect-four", "4 4", "alphabeta:nodes=20000");
        assert_eq!(said["agent"], "alphabeta:nodes=20000");
        let actions = said["actions"].as_array().unwrap();
        let values: Vec<f64> = actions.iter().map(|action| action["values"][0].as_f64().unwrap()).collect();
        assert_eq!(values.len(), 7);
        assert!(values.is_sorted_by(|one, other| one >= other), "{said}");
        assert!(actions.iter().all(|action| action["bound"].is_null()), "{said}");
        assert!(values.iter().any(|&value| value < values[0]), "{said}");
        // The same again: the budget counts positions.
        assert_eq!(analysed("connect-four", "4 4", "alphabeta:nodes=20000"), said);
    }

    #[test]
    fn a_bound_that_stays_one_is_told_as_one() {
        let game = raichi_games::game("tic-tac-toe").unwrap();
        let candidate = |action: &str, certainty| Candidate {
            action: action.to_string(),
            values: vec![0.5, -0.5],
            certainty,
            visits: None,
            depth: Some(3),
            plies: None,
        };
        let estimate = Certainty::Estimate { standard_error: None };
        let candidates = [("b2", estimate), ("a1", Certainty::UpperBound), ("a2", Certainty::LowerBound)];
        let candidates = candidates.map(|(action, certainty)| candidate(action, certainty)).to_vec();
        let advice = Advice { candidates, ..Advice::without_search("b2".to_string(), false) };
        let read = page(&*game, "alphabeta", &*game.new_match(), 0, &advice);
        assert!(read.contains("as deep as the search looked"), "{read}");
        let proven = |candidate: &Candidate<String>| Candidate { depth: None, ..candidate.clone() };
        let proven = Advice { candidates: advice.candidates.iter().map(proven).collect(), ..advice.clone() };
        let read = page(&*game, "dfpn", &*game.new_match(), 0, &proven);
        assert!(read.contains("at most") && !read.contains("as deep as the search looked"), "{read}");
        let said = described("alphabeta", &*game.new_match(), 0, advice);
        let bounds: Vec<&Value> = (0..4).map(|i| &said["actions"][i]["bound"]).collect();
        assert_eq!(bounds, [&Value::Null, &json!("upper"), &json!("lower"), &Value::Null]);
    }

    #[test]
    fn a_bar_is_as_long_as_its_value_is_high() {
        let scale = Scale { low: -1.0, high: 1.0 };
        let full = |value| scale.bar(value).chars().filter(|&c| c == '█').count();
        assert_eq!([-1.0, 0.0, 0.5, 1.0, 7.0].map(full), [0, 10, 15, 20, 20]);
        assert_eq!(Scale { low: 3.0, high: 3.0 }.bar(3.0), "█".repeat(20));
    }
}
