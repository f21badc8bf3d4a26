//! What a game was worth to each seat after each of its plies, and which plies lost most.
//!
//! An agent looks at every position for a short time, then at every one again for longer. What a ply lost is what the
//! position before it was worth to the seat that chose it, less what it was worth after: where everything is known and
//! no chance comes between, by what was found after it, which is looked at by itself; elsewhere by what the agent thought of
//! the chosen action at the time, since luck and what comes to light is nobody's fault.

use std::sync::Arc;
use std::time::Duration;

use raichi_agents::Advice;
use raichi_core::AnyMatch;
use raichi_core::game::{Facts, Phase};
use raichi_core::history::By;
use raichi_core::seat::Seat;

use super::deepening::Asker;
use super::message::{AnalysisMessage, CurvePoint, PlyLoss};
use super::source::Position;
use crate::agents::Player;
use crate::client::ClientAddress;
use crate::error::Refusal;
use crate::http::App;
use crate::lines::{Sender, Stopped};

/// How long all positions may take together in each pass, and the least and the most for one.
const PASSES: [(Duration, Duration, Duration); 2] = [
    (Duration::from_secs(8), Duration::from_millis(30), Duration::from_millis(100)),
    (Duration::from_secs(40), Duration::from_millis(100), Duration::from_millis(500)),
];
/// Plies that are marked, at most.
const MOST_WORST: usize = 5;
/// The least part of what can be won or lost that a marked ply has lost.
const TELLING: f64 = 0.1;
/// Losses smaller than this are noise in the last digits.
const NOTHING: f64 = 1e-9;

/// Sends points and losses as they are found.
pub(super) async fn trace(
    app: &Arc<App>,
    client: ClientAddress,
    position: Position,
    player: Player,
    sender: &Sender,
) -> Result<(), Stopped> {
    let asker = Asker::new(app, client);
    let mut curve = Curve::new(&position);
    let n_passes = PASSES.len();
    for (pass, (all, least, most)) in PASSES.into_iter().enumerate() {
        let n_decisions = curve.n_decisions(&*position.current).max(1);
        let time = (all / n_decisions as u32).clamp(least, most);
        let mut engine = None;
        let mut current = position.current.boxed_clone();
        current.truncate(0);
        let n_plies = position.current.n_plies();
        for at in 0..=n_plies {
            let points = match current.phase() {
                Phase::Act(seats) => {
                    let seat = position.mover_at(at).unwrap_or_else(|| seats.first());
                    if position.known_to().is_none_or(|viewer| viewer == seat)
                        && seats.contains(seat)
                        && !curve.is_exact(at)
                    {
                        let (advice, next) = asker.ask(&player, engine, current.clone(), seat, time).await?;
                        engine = Some(next);
                        curve.decide(at, seat, &advice)
                    } else {
                        Vec::new()
                    }
                }
                Phase::Over => curve.end(at, &*current),
                Phase::Chance => Vec::new(),
            };
            if !points.is_empty() {
                let losses = points.iter().flat_map(|point| curve.losses_beside(point.n_plies)).collect();
                let progress = (pass as f64 + at as f64 / n_plies.max(1) as f64) / n_passes as f64;
                let worst = curve.worst();
                sender.send(AnalysisMessage::Curve { points, losses, worst, progress }).await?;
            }
            if let Some(ply) = position.current.plies().get(at) {
                let token = ply.token(raichi_core::Viewer::Referee);
                current.play_token(&token).map_err(|why| Refusal::new(why.code(), why.to_string()))?;
            }
        }
        if curve.is_all_exact() {
            break;
        }
    }
    Ok(())
}

impl Position {
    /// The seat that made the ply after `at` plies.
    fn mover_at(&self, at: usize) -> Option<Seat> {
        match self.current.plies().get(at)?.by {
            By::Seat(seat) => Some(seat),
            By::Chance => None,
        }
    }
}

/// What is known of the game so far.
struct Curve {
    facts: Facts,
    /// Who made each ply, and what; `None` for chance.
    choices: Vec<Option<(Seat, String)>>,
    /// After so many plies.
    points: Vec<Option<Found>>,
    losses: Vec<Option<PlyLoss>>,
}

struct Found {
    point: CurvePoint,
    /// What the agent thought of the action that was played.
    played: Option<Vec<f64>>,
}

impl Curve {
    fn new(position: &Position) -> Curve {
        let plies = position.current.plies();
        let choice = |ply: &raichi_core::history::Ply| match ply.by {
            By::Seat(seat) => Some((seat, ply.text.clone())),
            By::Chance => None,
        };
        Curve {
            facts: position.rules.facts(),
            choices: plies.iter().map(choice).collect(),
            points: (0..=plies.len()).map(|_| None).collect(),
            losses: vec![None; plies.len()],
        }
    }

    fn n_decisions(&self, current: &dyn AnyMatch) -> usize {
        let last = usize::from(matches!(current.phase(), Phase::Act(_)));
        self.choices.iter().flatten().count() + last
    }

    /// Takes note of what the agent thinks after `at` plies.
    fn decide(&mut self, at: usize, seat: Seat, advice: &Advice<String>) -> Vec<CurvePoint> {
        let values = advice.values().to_vec();
        let best = advice.candidates.iter().find(|candidate| candidate.action == advice.action);
        let (Some(best), false) = (best, values.is_empty()) else { return Vec::new() };
        let played = self.choices.get(at).and_then(|choice| choice.as_ref()).and_then(|(mover, action)| {
            let mut candidates = advice.candidates.iter();
            let chosen = candidates.find(|candidate| *mover == seat && candidate.action == *action)?;
            Some(chosen.values.clone()).filter(|values| !values.is_empty())
        });
        let exact = best.is_exact() || advice.proven;
        self.add(
            at,
            Found { point: CurvePoint { n_plies: at, values, exact, best: Some(best.action.clone()) }, played },
        )
    }

    /// Takes note of the end.
    fn end(&mut self, at: usize, current: &dyn AnyMatch) -> Vec<CurvePoint> {
        if self.is_exact(at) {
            return Vec::new();
        }
        let values = current.payoffs().as_slice().to_vec();
        self.add(at, Found { point: CurvePoint { n_plies: at, values, exact: true, best: None }, played: None })
    }

    fn add(&mut self, at: usize, found: Found) -> Vec<CurvePoint> {
        let point = found.point.clone();
        self.points[at] = Some(found);
        for ply in [at, at + 1] {
            if ply >= 1 && ply <= self.choices.len() {
                self.losses[ply - 1] = self.loss(ply);
            }
        }
        vec![point]
    }

    /// What the `ply`th ply lost, from 1; nothing where it is chance's or not known yet.
    fn loss(&self, ply: usize) -> Option<PlyLoss> {
        let (seat, _) = self.choices[ply - 1].as_ref()?;
        let before = self.points[ply - 1].as_ref()?;
        let after = self.points[ply].as_ref().map(|found| &found.point.values);
        // Where chance is to act there is no point.
        let by_itself = after.filter(|_| !self.facts.hidden && !self.facts.simultaneous);
        let after = by_itself.or(before.played.as_ref())?;
        let loss = before.point.values.get(*seat)? - after.get(*seat)?;
        Some(PlyLoss { ply, seat: *seat, loss: if loss > NOTHING { loss } else { 0.0 } })
    }

    /// The losses that depend on the point after `at` plies.
    fn losses_beside(&self, at: usize) -> Vec<PlyLoss> {
        let plies = [at.checked_sub(1), Some(at)].into_iter().flatten();
        plies.filter_map(|index| self.losses.get(index)?.clone()).collect()
    }

    fn is_exact(&self, at: usize) -> bool {
        self.points[at].as_ref().is_some_and(|found| found.point.exact)
    }

    fn is_all_exact(&self) -> bool {
        self.points.iter().flatten().all(|found| found.point.exact)
    }

    /// The plies that lost most, the worst first; of equals the first.
    fn worst(&self) -> Vec<usize> {
        let telling = TELLING * self.range();
        let mut worst: Vec<&PlyLoss> =
            self.losses.iter().flatten().filter(|one| one.loss > telling.max(NOTHING)).collect();
        worst.sort_by(|a, b| b.loss.total_cmp(&a.loss).then(a.ply.cmp(&b.ply)));
        worst.iter().take(MOST_WORST).map(|loss| loss.ply).collect()
    }

    /// How far apart payoffs can be, or are in this game.
    fn range(&self) -> f64 {
        if let Some((low, high)) = self.facts.payoff_range {
            return high - low;
        }
        let values = || self.points.iter().flatten().flat_map(|found| found.point.values.iter().copied());
        values().fold(f64::NEG_INFINITY, f64::max) - values().fold(f64::INFINITY, f64::min)
    }
}
