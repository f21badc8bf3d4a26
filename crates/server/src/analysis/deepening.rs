//! What agents think of a position, again and again for longer.
//!
//! Where a seat's view is all that is known and another seat is to act, what that one would do is averaged over many
//! draws of what is hidden, each looked at for a short time: an agent never sees more than the seat it thinks for, and
//! nothing is told that the viewer could not work out.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;

use raichi_agents::separately::Separately;
use raichi_agents::{Advice, AgentError, Candidate, Certainty};
use raichi_core::game::Phase;
use raichi_core::history::By;
use raichi_core::seat::Seat;
use raichi_core::{AnyMatch, Viewer};
use tokio::task::JoinSet;

use super::blocking;
use super::message::{AnalysisMessage, CandidateView, CertaintyView, EndsView, LinePly};
use super::separately;
use super::source::Position;
use crate::agents::{Engine, EngineDecision, EngineRequest, Engines, NoDecision, Player};
use crate::client::ClientAddress;
use crate::error::Refusal;
use crate::http::App;
use crate::lines::{Sender, Stopped};
use crate::message::ByView;
use crate::metrics::{DecisionClock, Metrics};

/// How long an agent thinks before it says what it has found, step by step: 8 seconds in all.
const STEPS: [Duration; 7] = [
    Duration::from_millis(100),
    Duration::from_millis(400),
    Duration::from_millis(1500),
    Duration::from_millis(1500),
    Duration::from_millis(1500),
    Duration::from_millis(1500),
    Duration::from_millis(1500),
];
/// After so many steps, actions that the agent has not looked at are looked at by themselves.
const STEPS_BEFORE_THE_REST: usize = 2;
/// Findings on these that are sent together.
const TOLD_TOGETHER: usize = 4;
/// How often what is hidden is drawn, and how long each draw is looked at.
const DRAWS: u64 = 24;
const STEP_OF_A_DRAW: Duration = Duration::from_millis(200);
/// Candidates that are told, the best.
const MOST_CANDIDATES: usize = 400;

/// Who asks the engines.
pub(super) struct Asker {
    engines: Arc<Engines>,
    metrics: Arc<Metrics>,
    client: ClientAddress,
    /// All that a client analyses counts as one table in the queue.
    table: Arc<str>,
}

impl Asker {
    pub(super) fn new(app: &App, client: ClientAddress) -> Asker {
        let engines = Arc::clone(&app.hub.common().engines);
        Asker { engines, metrics: Arc::clone(&app.metrics), client, table: "analysis".into() }
    }

    /// What the agent thinks after `time`, or less where others want to think; and its engine, for the next time.
    pub(super) async fn ask(
        &self,
        player: &Player,
        engine: Option<Engine>,
        current: Box<dyn AnyMatch>,
        seat: Seat,
        time: Duration,
    ) -> Result<(Advice<String>, Engine), Refusal> {
        let request = EngineRequest {
            client: self.client,
            table: Arc::clone(&self.table),
            player: player.clone(),
            engine,
            current,
            seat,
            most: None,
            begun: Arc::default(),
        };
        let clock = DecisionClock::asked(&self.metrics);
        let EngineDecision { advice, open, .. } =
            self.engines.advise(request, time, clock).await.map_err(not_decided)?;
        Ok((advice.map_err(NoDecision::from).map_err(not_decided)?, self.engines.keep(open)))
    }
}

fn not_decided(why: NoDecision) -> Refusal {
    match why {
        NoDecision::Agent(
            error @ (AgentError::Refused { .. } | AgentError::Failed { .. } | AgentError::NotToAct { .. }),
        ) => error.into(),
        why => {
            tracing::error!(%why, "an agent could not analyse a position");
            Refusal::internal()
        }
    }
}

/// Tells what each agent thinks of the position for each seat that is to act, until all is proven or the last step. One that
/// is refused is told as that, and the others go on.
pub(super) async fn deepen(
    app: &Arc<App>,
    client: ClientAddress,
    position: Position,
    agents: Vec<Player>,
    sender: &Sender,
) -> Result<(), Stopped> {
    let Phase::Act(seats) = position.current.phase() else { return Ok(()) };
    let (position, asker) = (Arc::new(position), Arc::new(Asker::new(app, client)));
    // Those who are asked think side by side, as far as the queue lets them.
    let mut asked = JoinSet::new();
    for (agent, player) in agents.into_iter().enumerate() {
        for seat in seats.iter() {
            let (position, asker, player, sender) =
                (Arc::clone(&position), Arc::clone(&asker), player.clone(), sender.clone());
            asked.spawn(async move {
                let of = match Asked::new(agent, seat, &position).await {
                    Ok(of) => of,
                    Err(refusal) => return (agent, Err(refusal.into())),
                };
                let ended = match position.known_to() {
                    Some(viewer) if viewer != seat => of.guess(&asker, &player, &sender).await,
                    _ => of.think(&asker, &player, &sender).await,
                };
                (agent, ended)
            });
        }
    }
    // An agent that plays none of several seats is refused for each of them.
    let mut refused = Vec::new();
    while let Some(done) = asked.join_next().await {
        match done.map_err(|_| Refusal::internal())? {
            (_, Ok(())) => {}
            (_, Err(Stopped::Gone)) => return Err(Stopped::Gone),
            (agent, Err(Stopped::Refused(refusal))) if !refused.contains(&(agent, refusal.clone())) => {
                sender.send(AnalysisMessage::Error { agent: Some(agent), refusal: refusal.clone() }).await?;
                refused.push((agent, refusal));
            }
            (_, Err(Stopped::Refused(_))) => {}
        }
    }
    Ok(())
}

/// An agent that is asked about a seat's choice.
struct Asked<'a> {
    agent: usize,
    seat: Seat,
    position: &'a Position,
    /// What is touched for each legal action.
    paths: HashMap<String, Vec<String>>,
}

impl<'a> Asked<'a> {
    async fn new(agent: usize, seat: Seat, position: &'a Arc<Position>) -> Result<Asked<'a>, Refusal> {
        let of = Arc::clone(position);
        // Where there are many actions, that takes a while.
        let touches = blocking(move || Ok(of.current.touches(seat))).await?;
        let paths = touches.into_iter().map(|touch| (touch.action, touch.path)).collect();
        Ok(Asked { agent, seat, position, paths })
    }

    /// For a seat whose view is known.
    async fn think(&self, asker: &Asker, player: &Player, sender: &Sender) -> Result<(), Stopped> {
        let mut told = Told::default();
        let (mut engine, mut besides) = (None, Separately::default());
        for (step, time) in STEPS.into_iter().enumerate() {
            let current = &self.position.current;
            let (advice, next) = asker.ask(player, engine, current.clone(), self.seat, time).await?;
            engine = Some(next);
            let is_settled = settled(&advice);
            told.add(&advice);
            sender.send(self.message(&advice, &besides, &told, None)).await?;
            if step + 1 >= STEPS_BEFORE_THE_REST || is_settled {
                let mut wanted = besides.wanted(&**current, self.seat, &advice, is_settled);
                wanted.truncate(separately::MOST);
                for (i, action) in wanted.iter().enumerate() {
                    let found = separately::look(&mut besides, asker, player, self.position, self.seat, action).await?;
                    if found && (i % TOLD_TOGETHER == 0 || i + 1 == wanted.len()) {
                        sender.send(self.message(&advice, &besides, &told, None)).await?;
                    }
                }
            }
            if is_settled {
                break;
            }
        }
        Ok(())
    }

    /// For a seat of which only another one's view is known.
    async fn guess(&self, asker: &Asker, player: &Player, sender: &Sender) -> Result<(), Stopped> {
        let (mut told, mut averages) = (Told::default(), Averages::default());
        for number in 1..=DRAWS {
            let drawn = self.position.drawn_anew(number)?;
            if !matches!(drawn.phase(), Phase::Act(seats) if seats.contains(self.seat)) {
                continue;
            }
            let (advice, _) = asker.ask(player, None, drawn, self.seat, STEP_OF_A_DRAW).await?;
            told.add(&advice);
            averages.add(advice);
            let (advice, draws) = (averages.advice(self.seat), averages.n);
            sender.send(self.message(&advice, &Separately::default(), &told, Some(draws))).await?;
        }
        Ok(())
    }

    fn message(
        &self,
        advice: &Advice<String>,
        besides: &Separately,
        told: &Told,
        draws: Option<usize>,
    ) -> AnalysisMessage {
        let current = &*self.position.current;
        let simultaneous = matches!(current.phase(), Phase::Act(seats) if seats.len() > 1);
        let advice = besides.completed(&current.facts(), self.seat, advice.clone());
        let candidate = |candidate: &Candidate<String>| {
            let action = &candidate.action;
            // Of what is drawn not all is legal in the position that is shown.
            let path = self.paths.get(action).cloned().unwrap_or_default();
            let token = if simultaneous { format!("{}:{action}", self.seat) } else { action.clone() };
            let (certainty, standard_error) = CertaintyView::of(candidate.certainty);
            CandidateView {
                action: action.clone(),
                token,
                path,
                values: candidate.values.clone(),
                certainty,
                standard_error,
                visits: candidate.visits,
                depth: candidate.depth,
                ends: EndsView::of(candidate, self.seat),
            }
        };
        AnalysisMessage::Advice {
            agent: self.agent,
            seat: self.seat,
            candidates: advice.candidates.iter().take(MOST_CANDIDATES).map(candidate).collect(),
            n_actions: self.paths.len(),
            line: line(current, &advice.line),
            proven: advice.proven,
            known_by: advice.known_by,
            why: advice.why,
            simulations: told.simulations,
            nodes: told.nodes,
            depth: advice.cost.depth,
            millis: told.elapsed.as_millis() as u64,
            draws,
        }
    }
}

/// Whether thinking on would change nothing.
fn settled(advice: &Advice<String>) -> bool {
    let found_nothing = advice.cost.simulations == 0 && advice.cost.nodes == 0;
    advice.candidates.iter().all(Candidate::is_exact)
        || (advice.proven && found_nothing)
        || advice.candidates.len() == 1
}

/// What was spent so far.
#[derive(Default)]
struct Told {
    simulations: u64,
    nodes: u64,
    elapsed: Duration,
}

impl Told {
    fn add(&mut self, advice: &Advice<String>) {
        self.simulations += advice.cost.simulations;
        self.nodes += advice.cost.nodes;
        self.elapsed += advice.cost.elapsed;
    }
}

/// The line of play with who makes each ply, as far as it can be played from here.
pub(super) fn line(current: &dyn AnyMatch, tokens: &[String]) -> Vec<LinePly> {
    let mut ahead = current.boxed_clone();
    let legal = tokens.iter().map_while(|token| {
        ahead.play_token(token).ok()?;
        let ply = ahead.plies().last()?;
        let by = match ply.by {
            By::Seat(seat) => ByView::Seat(seat),
            By::Chance => ByView::Chance,
        };
        Some(LinePly { by, token: ply.token(Viewer::Referee) })
    });
    legal.collect()
}

/// What was found for each action over several draws.
#[derive(Default)]
struct Averages {
    n: usize,
    by_action: BTreeMap<String, Average>,
}

#[derive(Default)]
struct Average {
    n: usize,
    sums: Vec<f64>,
    visits: u64,
}

impl Averages {
    fn add(&mut self, advice: Advice<String>) {
        self.n += 1;
        for Candidate { action, values, visits, .. } in advice.candidates {
            if values.is_empty() {
                continue;
            }
            let average = self.by_action.entry(action).or_default();
            average.sums.resize(values.len(), 0.0);
            average.sums.iter_mut().zip(&values).for_each(|(sum, value)| *sum += value);
            average.visits += visits.unwrap_or_default();
            average.n += 1;
        }
    }

    /// Best first for the seat; no line, since each draw has its own.
    fn advice(&self, seat: Seat) -> Advice<String> {
        let candidate = |(action, average): (&String, &Average)| {
            let values: Vec<f64> = average.sums.iter().map(|sum| sum / average.n as f64).collect();
            let certainty = Certainty::Estimate { standard_error: None };
            Candidate {
                action: action.clone(),
                values,
                certainty,
                visits: Some(average.visits),
                depth: None,
                plies: None,
            }
        };
        let mut candidates: Vec<Candidate<String>> = self.by_action.iter().map(candidate).collect();
        candidates.sort_by(|a, b| b.values[seat].total_cmp(&a.values[seat]));
        let action = candidates.first().map_or_else(String::new, |best| best.action.clone());
        Advice { candidates, ..Advice::without_search(action, false) }
    }
}
