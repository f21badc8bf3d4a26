//! Actions that a decision said too little of, each looked at separately: the agent is asked about the position after it.
//!
//! A search stops where its choice is proven, prunes what cannot be better, and does not search at all where there is
//! one action only. An analysis is to say what all actions are worth. Who asks the agent is left to the caller, since the
//! server waits for its queue and the terminal does not: [`Look`] says what to ask about and hears what comes of it.
//!
//! Where chance is to act next, several draws are looked at. Where something is hidden only the one action of a seat without a
//! choice is, over several draws of what that seat does not know; other actions would take as many draws each. Games in which
//! seats act at the same time are left out: what the others choose is not known.
//!
//! A short look does not see as far as the search that chose. Its estimate is therefore kept within the bound that the
//! search found, and is never above the value of the chosen action. Exact values are not changed; where they prove that another
//! action is better than the chosen one, [`Separately::completed`] makes that the chosen one.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use raichi_core::erased::{AnyGame, AnyMatch};
use raichi_core::game::{Facts, Phase};
use raichi_core::random::{FastRng, stream};
use raichi_core::seat::{Seat, Viewer};
use raichi_search::{Advice, Budget, Candidate, Certainty, Cost, Host, share_ties};

use crate::kind::{self, AgentError};
use crate::searching;
use crate::session::Session;

/// How often what is hidden, and what chance does, is drawn.
const DRAWS: u64 = 24;
/// Relative differences between payoffs below this are rounding.
const ROUNDING: f64 = 1e-9;
/// Plies without a choice that are played one after the other at most; no game is known that comes near.
const MOST_FORCED: usize = 1000;

/// What was found for actions by looking at them separately.
#[derive(Default)]
pub struct Separately {
    found: BTreeMap<String, Found>,
}

struct Found {
    candidate: Candidate<String>,
    line: Vec<String>,
}

impl Separately {
    /// The legal actions of which the advice says too little: no value, or only a bound. Where `is_settled`, nothing more
    /// is to be expected of the search, and an estimate is too little too, but for the chosen action. What the agent holds best
    /// comes first, and last what it says nothing of, in the rules' order.
    pub fn wanted(&self, current: &dyn AnyMatch, seat: Seat, advice: &Advice<String>, is_settled: bool) -> Vec<String> {
        let facts = current.facts();
        let mut wanted = current.legal(seat);
        let is_only = wanted.len() == 1;
        if facts.simultaneous || !is_only && (facts.hidden || advice.candidates.is_empty()) {
            return Vec::new();
        }
        let says_enough = |candidate: &Candidate<String>| match candidate.certainty {
            _ if candidate.values.is_empty() => false,
            Certainty::Exact => true,
            _ if candidate.action == advice.action => true,
            Certainty::Estimate { .. } => !is_settled,
            Certainty::Unknown | Certainty::LowerBound | Certainty::UpperBound => false,
        };
        let candidates = advice.candidates.iter().enumerate();
        let known: BTreeMap<&str, (usize, bool)> =
            candidates.map(|(place, candidate)| (candidate.action.as_str(), (place, says_enough(candidate)))).collect();
        let place = |action: &String| known.get(action.as_str()).map_or(usize::MAX, |&(place, _)| place);
        let is_known = |action: &String| known.get(action.as_str()).is_some_and(|&(_, enough)| enough);
        wanted.retain(|action| !is_known(action) && !self.found.contains_key(action));
        wanted.sort_by_key(place);
        wanted
    }

    /// Takes note of what a look has found; says whether that is anything.
    pub fn add(&mut self, look: Look) -> bool {
        let Some(found) = look.found() else { return false };
        self.found.insert(found.candidate.action.clone(), found);
        true
    }

    /// The advice with what was found besides. An action that was found to pay `seat` more than the chosen one for certain, which an
    /// agent with a small budget did not see, is the chosen one then.
    pub fn completed(&self, facts: &Facts, seat: Seat, mut advice: Advice<String>) -> Advice<String> {
        let mut candidates = self.complete(facts, seat, &advice);
        if let Some(Better { action, proven, chosen_pays_less }) =
            proven_better(&candidates, &advice.action, facts, seat)
        {
            advice = Advice { action, proven, line: Vec::new(), why: None, ..advice };
            if chosen_pays_less {
                candidates = self.complete(facts, seat, &advice);
            }
            in_order(&mut candidates, &advice.action, seat);
        }
        advice.candidates = candidates;
        advice.line = self.line(&advice);
        advice
    }

    /// The candidates of the advice with what was found besides: the chosen action first, then the others by their values
    /// for `seat`, unknown ones last. Between equals the agent's own order stands.
    fn complete(&self, facts: &Facts, seat: Seat, advice: &Advice<String>) -> Vec<Candidate<String>> {
        let mut candidates = advice.candidates.clone();
        for known in candidates.iter_mut().filter(|candidate| !candidate.is_exact()) {
            if let Some(found) = self.found.get(&known.action) {
                *known = within_bound(&found.candidate, known, seat);
            }
        }
        let listed: BTreeSet<&str> = advice.candidates.iter().map(|candidate| candidate.action.as_str()).collect();
        let others = self.found.values().filter(|found| !listed.contains(found.candidate.action.as_str()));
        candidates.extend(others.map(|found| found.candidate.clone()));
        // Where the search said nothing of its choice, a short look knows as much of the others.
        let is_chosen = |candidate: &Candidate<String>| candidate.action == advice.action;
        let is_judged = advice.candidates.iter().any(|candidate| is_chosen(candidate) && !candidate.values.is_empty());
        let chosen = candidates.iter().find(|candidate| candidate.action == advice.action).cloned();
        if let Some(chosen) = chosen.as_ref().filter(|_| is_judged) {
            for candidate in candidates.iter_mut().filter(|candidate| self.found.contains_key(&candidate.action)) {
                keep_at_most(candidate, chosen, facts, seat);
            }
        }
        in_order(&mut candidates, &advice.action, seat);
        candidates
    }

    /// The line of play expected: the advice's own, or else what was found after the chosen action.
    fn line(&self, advice: &Advice<String>) -> Vec<String> {
        match self.found.get(&advice.action) {
            Some(found) if advice.line.is_empty() => found.line.clone(),
            _ => advice.line.clone(),
        }
    }
}

/// The chosen action first, then the others by their values for `seat`, unknown ones last.
fn in_order(candidates: &mut [Candidate<String>], chosen: &str, seat: Seat) {
    let value = |candidate: &Candidate<String>| candidate.values.get(seat).copied().unwrap_or(f64::NEG_INFINITY);
    let is_other = |candidate: &Candidate<String>| candidate.action != chosen;
    candidates.sort_by(|a, b| is_other(a).cmp(&is_other(b)).then_with(|| value(b).total_cmp(&value(a))));
}

/// What a look found of an action, within the bound that the search had found.
fn within_bound(found: &Candidate<String>, known: &Candidate<String>, seat: Seat) -> Candidate<String> {
    let (Some(value), Some(bound)) = (found.values.get(seat), known.values.get(seat)) else { return found.clone() };
    let is_beyond = match known.certainty {
        Certainty::UpperBound => value > bound,
        Certainty::LowerBound => value < bound,
        Certainty::Unknown | Certainty::Estimate { .. } | Certainty::Exact => false,
    };
    let values = if is_beyond && !found.is_exact() { &known.values } else { &found.values };
    Candidate { values: values.clone(), ..found.clone() }
}

/// An estimate that is above the value of the chosen action becomes that value.
fn keep_at_most(candidate: &mut Candidate<String>, chosen: &Candidate<String>, facts: &Facts, seat: Seat) {
    let (Some(&value), Some(&most)) = (candidate.values.get(seat), chosen.values.get(seat)) else { return };
    if candidate.is_exact() || value <= most {
        return;
    }
    candidate.values[seat] = most;
    if let (Some(sum), 2) = (facts.payoff_sum, candidate.values.len()) {
        candidate.values[1 - seat] = sum - most;
    }
}

/// A position in which a seat chooses.
pub struct Choice {
    facts: Facts,
    seat: Seat,
    n_actions: usize,
}

impl Choice {
    /// The choice of `seat`, which is to act.
    pub fn of(current: &dyn AnyMatch, seat: Seat) -> Choice {
        Choice::new(current.facts(), seat, current.count_actions(seat))
    }

    /// The choice of `seat` among so many actions.
    pub fn new(facts: Facts, seat: Seat, n_actions: usize) -> Choice {
        Choice { facts, seat, n_actions }
    }

    /// What the position is worth by seat, where what an agent says of its actions proves that: of all of them, or of the best one.
    /// Where it matters what equal choices leave to the others, the best one is enough only if nothing is left to choose about.
    pub fn exact_values(&self, advice: &Advice<String>) -> Option<Vec<f64>> {
        let is_known = |candidate: &&Candidate<String>| candidate.is_exact() && !candidate.values.is_empty();
        let values = advice.candidates.iter().filter(is_known).map(|candidate| &candidate.values[..]);
        if self.n_actions > 0 && values.clone().count() == self.n_actions {
            return Some(share_ties(values, self.seat));
        }
        let best = advice.candidates.iter().find(|candidate| candidate.action == advice.action)?;
        let is_settled = || self.facts.settling_payoff().is_some_and(|most| best.values[self.seat] >= most);
        let is_proven = advice.proven && is_known(&best);
        (is_proven && (!self.facts.ties_matter() || is_settled())).then(|| best.values.clone())
    }
}

/// A look at one action: what to ask an agent about, and what it said.
pub struct Look {
    seat: Seat,
    action: String,
    /// The positions to ask about.
    asked: Vec<Box<dyn AnyMatch>>,
    /// What was asked about last.
    choice: Option<Choice>,
    /// How many there were.
    n_asked: u64,
    /// How many of them were left out in the end.
    n_unasked: u64,
    /// How many need not be asked about, since the game is over there.
    n_over: u64,
    /// What is known of the position, or of each draw.
    heard: Vec<Candidate<String>>,
    /// The plies to the position that is asked about, `action` first; empty where it is drawn.
    reached: Vec<String>,
    line: Vec<String>,
}

impl Look {
    /// A look at what follows `action`, a legal one of `seat`, up to the next choice of a seat; `None` where none is
    /// possible. `seed` decides what is drawn.
    pub fn at(game: &dyn AnyGame, current: &dyn AnyMatch, seat: Seat, action: &str, seed: u64) -> Option<Look> {
        let (facts, is_only) = (current.facts(), current.count_actions(seat) == 1);
        if facts.simultaneous || facts.hidden && !is_only {
            return None;
        }
        let action = action.to_string();
        let mut look = Look {
            seat,
            action,
            asked: Vec::new(),
            choice: None,
            n_asked: 1,
            n_unasked: 0,
            n_over: 0,
            heard: Vec::new(),
            reached: Vec::new(),
            line: Vec::new(),
        };
        if !facts.hidden {
            let mut after = current.boxed_clone();
            after.play(seat, &look.action).ok()?;
            if play_forced(&mut *after) != Phase::Chance {
                let plies = after.plies()[current.n_plies()..].iter();
                look.reached = plies.map(|ply| ply.token(Viewer::Referee)).collect();
                look.line.clone_from(&look.reached);
                look.ask(after);
                return Some(look);
            }
        }
        look.n_asked = DRAWS;
        for number in 0..DRAWS {
            let mut rng = stream(seed, "separately", number);
            look.ask(drawn(game, current, seat, &look.action, &mut rng)?);
        }
        Some(look)
    }

    fn ask(&mut self, after: Box<dyn AnyMatch>) {
        if after.phase() != Phase::Over {
            return self.asked.push(after);
        }
        self.n_over += 1;
        let plies = u32::try_from(self.reached.len()).ok().filter(|&plies| plies > 0);
        let values = after.payoffs().as_slice().to_vec();
        self.heard.push(Candidate { plies, ..self.candidate(values, Certainty::Exact) });
    }

    fn candidate(&self, values: Vec<f64>, certainty: Certainty) -> Candidate<String> {
        Candidate { action: self.action.clone(), values, certainty, visits: None, depth: None, plies: None }
    }

    /// How many positions are to be asked about.
    pub fn n_asked(&self) -> u64 {
        self.n_asked
    }

    /// The next position to ask an agent about, and the seat to ask it for.
    pub fn question(&mut self) -> Option<(Box<dyn AnyMatch>, Seat)> {
        let after = self.asked.pop()?;
        let Phase::Act(seats) = after.phase() else { return None };
        let seat = seats.first();
        self.choice = Some(Choice::of(&*after, seat));
        Some((after, seat))
    }

    /// Takes note of what the agent said of it.
    pub fn hear(&mut self, advice: &Advice<String>) {
        let best = advice.candidates.iter().find(|candidate| candidate.action == advice.action);
        let Some(best) = best.filter(|best| !best.values.is_empty()) else { return };
        let exact = self.choice.as_ref().and_then(|choice| choice.exact_values(advice));
        let is_exact = exact.is_some();
        let certainty = if is_exact { Certainty::Exact } else { Certainty::Estimate { standard_error: None } };
        let reached = Some(self.reached.len() as u32).filter(|&plies| plies > 0);
        let counted_on = |plies: Option<u32>| Some(plies? + reached?);
        self.heard.push(Candidate {
            visits: Some(advice.cost.simulations).filter(|&n| n > 0),
            depth: counted_on(best.depth),
            plies: counted_on(best.plies).filter(|_| is_exact),
            ..self.candidate(exact.unwrap_or_else(|| best.values.clone()), certainty)
        });
        self.line.extend_from_slice(&advice.line);
    }

    /// How many positions have yet to be asked about.
    fn n_left(&self) -> u64 {
        self.asked.len() as u64
    }

    /// Ends it before all positions were asked about.
    fn end(&mut self) {
        self.n_unasked = self.n_left();
        self.asked.clear();
    }

    /// What was heard of the one position, or the mean of the draws that were asked about; `None` where the agent said nothing of
    /// some, or less than two were, or the game is over in some draws and others were left out: those would count for too little.
    fn found(self) -> Option<Found> {
        if self.n_asked == 1 {
            let line = self.line;
            return self.heard.into_iter().next().map(|candidate| Found { candidate, line });
        }
        // Draws that the agent values and draws that it does not may differ in kind.
        let is_biased = self.n_unasked > 0 && self.n_over > 0;
        if self.heard.len() as u64 + self.n_unasked != self.n_asked || self.heard.len() < 2 || is_biased {
            return None;
        }
        let n = self.heard.len() as f64;
        let mean = |seat: Seat| self.heard.iter().map(|one| one.values[seat]).sum::<f64>() / n;
        let values: Vec<f64> = (0..self.heard[0].values.len()).map(mean).collect();
        let own = *values.get(self.seat)?;
        let variance = self.heard.iter().map(|one| (one.values[self.seat] - own).powi(2)).sum::<f64>() / (n - 1.0);
        let visits: u64 = self.heard.iter().filter_map(|one| one.visits).sum();
        let certainty = Certainty::Estimate { standard_error: Some((variance / n).sqrt()) };
        let candidate = Candidate { visits: Some(visits).filter(|&n| n > 0), ..self.candidate(values, certainty) };
        Some(Found { candidate, line: Vec::new() })
    }
}

/// What follows the action in one draw of what `seat` does not know.
fn drawn(
    game: &dyn AnyGame,
    current: &dyn AnyMatch,
    seat: Seat,
    action: &str,
    rng: &mut FastRng,
) -> Option<Box<dyn AnyMatch>> {
    let mut after = if current.facts().hidden {
        // From the seat's own view: what others hold is not used, even where the history tells it.
        let mut drawn = game.match_at(&current.position_text(Viewer::Seat(seat))).ok()?;
        drawn.draw_hidden(rng).ok()?;
        drawn
    } else {
        current.boxed_clone()
    };
    after.play(seat, action).ok()?;
    while play_forced(&mut *after) == Phase::Chance {
        after.sample_outcome(rng).ok()?;
    }
    Some(after)
}

/// Plays on as long as one seat is to act and has one action only; returns who acts then.
pub fn play_forced(current: &mut dyn AnyMatch) -> Phase {
    for _ in 0..MOST_FORCED {
        let Phase::Act(seats) = current.phase() else { break };
        let seat = seats.first();
        if current.facts().simultaneous || current.count_actions(seat) != 1 {
            break;
        }
        let action = current.legal(seat).remove(0);
        current.play(seat, &action).expect("it is legal");
    }
    current.phase()
}

/// What looks at many positions may cost, all of them together: once more what a decision of the agent does.
pub struct Allowance<'a> {
    /// What the agent's spec says, where it says anything.
    said: Budget,
    all: Budget,
    used: Cost,
    host: &'a dyn Host,
    /// When the time is over, by the host's clock.
    until: Option<Duration>,
}

impl<'a> Allowance<'a> {
    /// The budget that the spec of an agent says, from now on; for an agent without one, such as a level, what its decision
    /// cost.
    ///
    /// # Errors
    /// When the spec is wrong.
    pub fn new(spec: &str, decision: &Cost, host: &'a dyn Host) -> Result<Allowance<'a>, AgentError> {
        let said = searching::budget(&kind::read(spec)?.1);
        let until = said.time.map(|time| host.now() + time);
        Ok(Allowance { said, all: or_as_much_as(said, decision), used: Cost::default(), host, until })
    }

    /// What the next of `n_left` positions may cost: an equal part of what is left. `None` where nothing is.
    pub fn next(&self, n_left: u64) -> Option<Budget> {
        let left = |all: Option<u64>, used: u64| match all {
            Some(all) if used >= all => None,
            all => Some(all.map(|all| ((all - used) / n_left.max(1)).max(1))),
        };
        let time = match self.until.map(|until| until.saturating_sub(self.host.now())) {
            Some(Duration::ZERO) => return None,
            left => left.map(|left| (left / u32::try_from(n_left.max(1)).unwrap_or(u32::MAX)).max(LEAST_TIME)),
        };
        let simulations = left(self.all.simulations, self.used.simulations)?;
        let nodes = left(self.all.nodes, self.used.nodes)?;
        Some(Budget { time, simulations, nodes })
    }

    /// Takes note of what a look has cost. Where nothing told before what the agent spends, this look tells it, and is not counted.
    pub fn spend(&mut self, cost: &Cost) {
        if self.all == Budget::UNLIMITED {
            self.all = or_as_much_as(self.said, cost);
        } else {
            self.used.simulations += cost.simulations;
            self.used.nodes += cost.nodes;
        }
    }
}

/// The budget, or where it bounds nothing what was spent.
fn or_as_much_as(budget: Budget, cost: &Cost) -> Budget {
    let counted = |count: u64| Some(count).filter(|&count| count > 0);
    match budget {
        Budget::UNLIMITED => Budget { time: None, simulations: counted(cost.simulations), nodes: counted(cost.nodes) },
        budget => budget,
    }
}

/// In less time hardly any search says anything.
const LEAST_TIME: Duration = Duration::from_millis(1);

/// Asks `session` about what follows each action that `advice` says too little of, the best-looking ones first, as long as the
/// allowance lasts. The advice then has what was found, and what that cost; what was not reached stays as it was.
///
/// # Errors
/// When the agent refuses a position for another reason than that it does not play the seat.
pub fn complete(
    game: &dyn AnyGame,
    current: &dyn AnyMatch,
    seat: Seat,
    seed: u64,
    session: &mut dyn Session,
    mut allowance: Allowance<'_>,
    mut advice: Advice<String>,
) -> Result<Advice<String>, AgentError> {
    let mut separately = Separately::default();
    let wanted = separately.wanted(current, seat, &advice, false);
    let n_wanted = wanted.len() as u64;
    for (nth, action) in (0..).zip(wanted) {
        let n_actions = n_wanted - nth;
        if allowance.next(n_actions).is_none() {
            break;
        }
        let Some(mut look) = Look::at(game, current, seat, &action, seed) else { continue };
        while look.n_left() > 0 {
            // The other actions may have as many draws.
            let Some(budget) = allowance.next(look.n_left() + (n_actions - 1) * look.n_asked) else {
                look.end();
                break;
            };
            let Some((after, to_act)) = look.question() else { break };
            let found = match session.decide(&*after, to_act, budget) {
                // An agent that plays one seat only has nothing to say of what the others choose.
                Err(AgentError::Refused { .. }) => break,
                found => found?,
            };
            allowance.spend(&found.cost);
            look.hear(&found);
            advice.cost.simulations += found.cost.simulations;
            advice.cost.nodes += found.cost.nodes;
            advice.cost.elapsed += found.cost.elapsed;
        }
        separately.add(look);
    }
    Ok(separately.completed(&current.facts(), seat, advice))
}

/// An action that is better than the chosen one.
struct Better {
    action: String,
    /// Whether none can be better.
    proven: bool,
    /// Whether it is known what the chosen one pays: less, so that estimates of others may be above that.
    chosen_pays_less: bool,
}

/// The best of the actions that were found to pay the seat more than the chosen one for certain, or the most that there is where it
/// is not known what the chosen one pays. All but that one are in order.
fn proven_better(candidates: &[Candidate<String>], chosen: &str, facts: &Facts, seat: Seat) -> Option<Better> {
    let exact = |candidate: &Candidate<String>| candidate.values.get(seat).copied().filter(|_| candidate.is_exact());
    let most = candidates.iter().find(|candidate| candidate.action == chosen).and_then(exact);
    let is_better = |other: &&Candidate<String>| match most {
        Some(most) => exact(other).is_some_and(|value| value > most + ROUNDING * most.abs().max(1.0)),
        None => is_won(other, facts, seat),
    };
    let better = candidates.iter().filter(|other| other.action != chosen).find(is_better)?;
    let (action, proven) = (better.action.clone(), is_won(better, facts, seat));
    Some(Better { action, proven, chosen_pays_less: most.is_some() })
}

/// Whether the action certainly pays the seat the most that anybody can get.
fn is_won(candidate: &Candidate<String>, facts: &Facts, seat: Seat) -> bool {
    let value = candidate.values.get(seat).filter(|_| candidate.is_exact());
    value.zip(facts.payoff_range).is_some_and(|(&value, (_, most))| value >= most)
}
