//! The actions that an agent did not look at, or knows no value of but a bound: each is looked at by itself, by asking
//! the agent about the position after it.
//!
//! A search stops where its choice is proven, and may prune what cannot be better. An analysis is to say what
//! all actions are worth. Only where everything is known: elsewhere the position after an action is another seat's to
//! see.

use std::collections::HashMap;
use std::time::Duration;

use raichi_agents::{Advice, Candidate, Certainty};
use raichi_core::AnyMatch;
use raichi_core::game::Phase;
use raichi_core::seat::Seat;

use super::deepening::Asker;
use crate::agents::Player;
use crate::error::Refusal;

/// How long the position after an action is looked at, and at how many.
const TIME: Duration = Duration::from_millis(60);
const MOST: usize = 64;

/// What was found for actions by themselves.
#[derive(Default)]
pub(super) struct Separately {
    found: HashMap<String, Candidate<String>>,
}

impl Separately {
    /// The legal actions of which the advice says too little. Where nothing more is to be expected of it, an estimate
    /// is too little too.
    pub(super) fn wanted(
        &self,
        current: &dyn AnyMatch,
        seat: Seat,
        advice: &Advice<String>,
        is_settled: bool,
    ) -> Vec<String> {
        let facts = current.facts();
        if facts.hidden || facts.simultaneous || advice.candidates.is_empty() {
            return Vec::new();
        }
        let says_enough = |candidate: &Candidate<String>| match candidate.certainty {
            Certainty::Exact => true,
            Certainty::Estimate { .. } => !is_settled,
            Certainty::Unknown | Certainty::LowerBound | Certainty::UpperBound => false,
        };
        let known: HashMap<&str, bool> =
            advice.candidates.iter().map(|candidate| (candidate.action.as_str(), says_enough(candidate))).collect();
        let legal = current.legal(seat).into_iter();
        let wanted = legal.filter(|action| !known.get(action.as_str()).copied().unwrap_or(false));
        wanted.filter(|action| !self.found.contains_key(action)).take(MOST).collect()
    }

    /// Looks at the position after an action; says whether it found anything.
    pub(super) async fn look(
        &mut self,
        asker: &Asker,
        player: &Player,
        current: &dyn AnyMatch,
        seat: Seat,
        action: String,
    ) -> Result<bool, Refusal> {
        let mut after = current.boxed_clone();
        after.play(seat, &action)?;
        let (values, certainty, visits) = match after.phase() {
            Phase::Over => (after.payoffs().as_slice().to_vec(), Certainty::Exact, None),
            Phase::Chance => return Ok(false),
            Phase::Act(seats) => {
                let (advice, _) = match asker.ask(player, None, after, seats.first(), TIME).await {
                    // An agent that plays one seat only has nothing to say of what the others choose.
                    Err(refusal) if refusal.code == "agent/refused" => return Ok(false),
                    found => found?,
                };
                let best = advice.candidates.iter().find(|candidate| candidate.action == advice.action);
                let is_exact = advice.proven && best.is_some_and(Candidate::is_exact);
                let certainty = if is_exact { Certainty::Exact } else { Certainty::Estimate { standard_error: None } };
                (advice.values().to_vec(), certainty, Some(advice.cost.simulations).filter(|&n| n > 0))
            }
        };
        if values.is_empty() {
            return Ok(false);
        }
        self.found.insert(action.clone(), Candidate { action, values, certainty, visits, depth: None, plies: None });
        Ok(true)
    }

    /// The advice with what was found besides: its choice first, then the others by their values, unknown ones last.
    pub(super) fn complete(&self, seat: Seat, advice: &Advice<String>) -> Vec<Candidate<String>> {
        let mut candidates = advice.candidates.clone();
        if self.found.is_empty() {
            return candidates;
        }
        let mut found = self.found.clone();
        for candidate in &mut candidates {
            if let Some(better) = found.remove(&candidate.action)
                && !candidate.is_exact()
            {
                *candidate = better;
            }
        }
        candidates.extend(found.into_values());
        let value = |candidate: &Candidate<String>| candidate.values.get(seat).copied().unwrap_or(f64::NEG_INFINITY);
        let is_choice = |candidate: &Candidate<String>| candidate.action == advice.action;
        candidates.sort_by(|a, b| {
            let by_value = value(b).total_cmp(&value(a)).then_with(|| a.action.cmp(&b.action));
            is_choice(b).cmp(&is_choice(a)).then(by_value)
        });
        candidates
    }
}
