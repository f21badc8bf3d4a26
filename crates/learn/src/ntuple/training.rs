//! The training of an n-tuple network, as a learner.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use raichi_core::encoding::Encoding;
use raichi_core::erased::Playable;
use raichi_core::host::Job;
use raichi_core::path::{PathGame, PathState};
use raichi_core::random::{FastRng, below, stream};
use raichi_search::Evaluator;
use serde::{Deserialize, Serialize};

use super::average::{Average, Sampled};
use super::head::Head;
use super::inputs::{Inputs, Point};
use super::network::{Network, Sets};
use super::options::Config;
use super::policy::NTuplePolicy;
use super::self_play::{Lesson, Pupil};
use super::tuples::{MOST_POINTS, MOST_TUPLES};
use super::weights::{Coherence, Rates};
use crate::learner::{Learned, Learner, Numbers, Progress, Saved, Tensor, Work};
use crate::opening::start;

/// An n-tuple network in training.
pub struct NTupleLearner<G: Playable> {
    game: Arc<PathGame<G>>,
    config: Config,
    policy: NTuplePolicy<G>,
    rates: Rates,
    seed: u64,
    /// Positions that games of training begin with, drawn evenly; where there are none they begin with the game's start.
    starts: Vec<G::State>,
    progress: Progress,
    pupils: Vec<Pupil<G>>,
    average: Option<Average>,
}

/// What the tensors of a network mean.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Description {
    kind: String,
    points: Vec<Point>,
    tuples: Vec<Vec<u16>>,
    symmetries: usize,
    seats: usize,
    kinds: usize,
    phases: usize,
    /// The size of a step of whole-number weights; each tuple in each set has one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    steps: Vec<f32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    training: Option<Resumable>,
}

/// Where a training stood.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
struct Resumable {
    games: u64,
    plies: u64,
    milliseconds: u64,
    /// How many times weights were counted in for their mean.
    #[serde(default)]
    samples: u64,
    /// For how many games it was planned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    planned: Option<u64>,
}

impl<G: Playable> NTupleLearner<G> {
    /// A learner that knows nothing, for `planned` games. With `base=hand` it is to be put on the base that this names.
    ///
    /// # Errors
    /// A sentence, where the game cannot be learned so or the network would be too large.
    pub fn new(game: &Arc<PathGame<G>>, config: Config, seed: u64, planned: u64) -> Result<Self, String> {
        let facts = game.facts();
        if config.from_goal > 0 && game.near_goal(1, &mut stream(seed, "goal", 0)).is_none() {
            return Err("from-goal is for puzzles, and it has no goal to begin before".into());
        }
        let head = Head::new(&config, &facts);
        let sets = head.sets(&config, game.n_actions())?;
        let inputs = Inputs::of(game, &config.read)?;
        if inputs.points.is_empty() {
            return Err("nothing in what its seats see ever changes".into());
        }
        let tuples = config.tuples.choose(&inputs, config.drawing, seed)?;
        let coherent = config.coherence != Coherence::Off;
        let network = Arc::new(Network::new(inputs, tuples, sets, config.symmetries, coherent)?);
        let average = if config.average > 0.0 { Some(Average::new(config.average, &network)?) } else { None };
        let policy = NTuplePolicy::new(network, head);
        let rates = Rates::of(config.coherence);
        let progress = Progress { planned, ..Progress::default() };
        Ok(NTupleLearner {
            game: Arc::clone(game),
            config,
            policy,
            rates,
            seed,
            starts: Vec::new(),
            progress,
            pupils: Vec::new(),
            average,
        })
    }

    /// What it learns is added to what `base` says of positions.
    #[must_use]
    pub fn on(self, base: Arc<dyn Evaluator<G>>) -> Self {
        NTupleLearner { policy: self.policy.on(base), ..self }
    }

    /// Games of training begin with one of these positions, drawn evenly.
    pub fn begin_with(&mut self, starts: Vec<G::State>) {
        self.starts = starts;
    }

    /// Goes on from what was saved, by a learner of the same game, options and seed.
    ///
    /// # Errors
    /// A sentence, where it was not saved to go on, or by another learner.
    pub fn resume(&mut self, saved: &Saved) -> Result<(), String> {
        let description = description(saved)?;
        let (mut expected, at) = (self.description(false), description.training);
        expected.training = at;
        let Some(at) = at else {
            return Err("it was not saved to train on: what the training remembers is missing".into());
        };
        if expected != description {
            return Err("it was saved by a training with other options or another seed".into());
        }
        fill(&self.policy.network, &description, saved)?;
        let weights = self.policy.network.weights();
        if self.config.coherence != Coherence::Off {
            match saved.tensor("changes") {
                Some(Numbers::F32(changes)) if changes.len() == 2 * weights.len() => {
                    weights.set_changes(changes.iter().copied());
                }
                _ => return Err("what the training remembers of its changes is missing or has another length".into()),
            }
        }
        if let Some(average) = self.average.as_mut().filter(|_| at.samples > 0) {
            let planned = self.progress.planned;
            // Files of earlier versions do not say for how many games they were planned.
            let before = at.planned.unwrap_or(planned);
            let n_samples = average.worth(Sampled { samples: at.samples, games: at.games, planned: before }, planned);
            match saved.tensor("mean") {
                Some(Numbers::F32(mean)) if mean.len() == weights.len() && n_samples == 0 => {}
                Some(Numbers::F32(mean)) if mean.len() == weights.len() => average.resume(n_samples, mean),
                _ => return Err("the mean of its weights is missing or has another length".into()),
            }
        }
        (self.progress.games, self.progress.plies) = (at.games, at.plies);
        self.progress.elapsed = Duration::from_millis(at.milliseconds);
        Ok(())
    }

    /// The network and how it is read.
    pub fn policy(&self) -> &NTuplePolicy<G> {
        &self.policy
    }

    fn description(&self, to_go_on: bool) -> Description {
        let network = &self.policy.network;
        let Sets { n_seats, n_kinds, n_phases } = network.sets();
        let training = Resumable {
            games: self.progress.games,
            plies: self.progress.plies,
            milliseconds: self.progress.elapsed.as_millis() as u64,
            samples: self.average.as_ref().map_or(0, Average::n_samples),
            planned: Some(self.progress.planned),
        };
        Description {
            kind: super::ID.into(),
            points: network.points().to_vec(),
            tuples: network.tuples().to_vec(),
            symmetries: network.n_symmetries(),
            seats: n_seats,
            kinds: n_kinds,
            phases: n_phases,
            steps: Vec::new(),
            training: to_go_on.then_some(training),
        }
    }

    /// The position that a game of training begins with.
    fn start(&self, rng: &mut FastRng) -> PathState<G> {
        if self.config.from_goal == 0 {
            return start(&self.game, &self.starts, self.config.random_plies, rng);
        }
        let n_plies = 1 + below(rng, self.config.from_goal);
        self.game.state_at(self.game.near_goal(n_plies, rng).expect("new() asked whether it has a goal"))
    }

    /// How games of training stand after so many of those planned.
    fn lesson(&self, games: u64) -> Lesson<'_> {
        let done = (games as f64 / self.progress.planned.max(1) as f64).min(1.0);
        Lesson {
            config: &self.config,
            rates: &self.rates,
            alpha: self.config.alpha.geometric(done),
            epsilon: self.config.epsilon.even(done),
        }
    }

    /// Plays `n_games` games of training, fewer where it is cancelled.
    fn play(&mut self, n_games: u64, work: &Work<'_>) {
        let began = work.host.now();
        let n_threads = work.n_threads.max(1);
        let mut pupils = std::mem::take(&mut self.pupils);
        while pupils.len() < n_threads {
            pupils.push(Pupil::new(&self.game, &self.policy, self.config.search));
        }
        let (next, plies, played) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
        let this = &*self;
        let train = |pupil: &mut Pupil<G>| {
            while !work.cancel.is_cancelled() {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= n_games {
                    break;
                }
                let game = this.progress.games + number;
                let rng = &mut stream(this.seed, "training", game);
                let start = this.start(rng);
                let n_plies = pupil.play(start, &this.lesson(game), rng);
                plies.fetch_add(n_plies, Ordering::Relaxed);
                played.fetch_add(1, Ordering::Relaxed);
            }
        };
        let (train, mut jobs): (_, Vec<Job<'_>>) = (&train, Vec::new());
        for pupil in &mut pupils[..n_threads] {
            jobs.push(Box::new(move || train(pupil)));
        }
        work.host.run_all(jobs);
        self.pupils = pupils;
        self.progress.games += played.into_inner();
        self.progress.plies += plies.into_inner();
        self.progress.elapsed += work.host.now().saturating_sub(began);
    }

    /// What is played with: the mean network as soon as there is one.
    fn playing(&self) -> NTuplePolicy<G> {
        match self.average.as_ref().and_then(Average::network) {
            Some(mean) => self.policy.with_network(Arc::clone(mean)),
            None => self.policy.clone(),
        }
    }
}

impl<G: Playable> Learner<G> for NTupleLearner<G> {
    fn advance(&mut self, n_games: u64, work: &Work<'_>) {
        let end = self.progress.games + n_games;
        while self.progress.games < end && !work.cancel.is_cancelled() {
            let (games, planned) = (self.progress.games, self.progress.planned);
            let sample = self.average.as_ref().and_then(|average| average.next(games, planned));
            self.play(sample.map_or(end, |sample| sample.min(end)) - games, work);
            if let Some(average) = self.average.as_mut().filter(|_| sample == Some(self.progress.games)) {
                average.add(self.policy.network.weights());
            }
        }
    }

    fn progress(&self) -> Progress {
        self.progress
    }

    fn n_weights(&self) -> usize {
        self.policy.network.weights().len()
    }

    fn is_finite(&self) -> bool {
        self.policy.network.weights().values().all(f32::is_finite)
    }

    fn learned(&self) -> Arc<dyn Learned<G>> {
        Arc::new(self.playing())
    }

    fn save(&self, to_go_on: bool) -> Saved {
        let tensor = |name: &str, numbers: Vec<f32>| Tensor { name: name.into(), numbers: Numbers::F32(numbers) };
        let (weights, playing) = (self.policy.network.weights(), self.playing());
        let kept = if to_go_on { weights } else { playing.network.weights() };
        let mut tensors = vec![tensor("weights", kept.values().collect())];
        if let Some(mean) = self.average.as_ref().and_then(Average::network).filter(|_| to_go_on) {
            tensors.push(tensor("mean", mean.weights().values().collect()));
        }
        if let Some(changes) = weights.changes().filter(|_| to_go_on) {
            tensors.push(tensor("changes", changes.collect()));
        }
        let network = serde_json::to_value(self.description(to_go_on)).expect("a description is plain data");
        Saved { network, tensors }
    }

    fn save_small(&self, bits: u8) -> Result<Saved, String> {
        quantised(&self.playing().network, &Learner::<G>::save(self, false), bits)
    }
}

/// Reads what the tensors mean.
fn description(saved: &Saved) -> Result<Description, String> {
    serde_json::from_value(saved.network.clone())
        .map_err(|why| format!("its network is not described as it should be: {why}"))
}

/// What was saved, ready to play `game`. With `base=hand` it is to be put on the base that this names.
///
/// # Errors
/// A sentence, where it is damaged, too large, or of another game.
pub fn read_policy<G: Encoding>(game: &PathGame<G>, config: &Config, saved: &Saved) -> Result<NTuplePolicy<G>, String> {
    let description = description(saved)?;
    let head = Head::new(config, &game.facts());
    let sets = head.sets(config, game.n_actions())?;
    if (sets.n_seats, sets.n_kinds, sets.n_phases) != (description.seats, description.kinds, description.phases) {
        return Err("its network has other tables than its options say".into());
    }
    let inputs = Inputs::with_points(game, description.points.clone())?;
    let n_points = inputs.points.len();
    let fits = |tuple: &Vec<u16>| {
        let distinct = tuple.iter().enumerate().all(|(i, point)| !tuple[..i].contains(point));
        !tuple.is_empty() && distinct && tuple.iter().all(|&point| usize::from(point) < n_points)
    };
    if description.tuples.is_empty() || !description.tuples.iter().all(fits) {
        return Err("its tuples name points that are not there".into());
    }
    // What is built for a tuple is larger than what describes it.
    if description.tuples.len() > MOST_TUPLES || description.tuples.iter().any(|tuple| tuple.len() > MOST_POINTS) {
        return Err(format!("it has more than {MOST_TUPLES} tuples, or one of more than {MOST_POINTS} points"));
    }
    let network = Network::new(inputs, description.tuples.clone(), sets, description.symmetries.max(1), false)?;
    fill(&network, &description, saved)?;
    Ok(NTuplePolicy::new(Arc::new(network), head))
}

/// Sums of greater weights may overflow.
const GREATEST_WEIGHT: f32 = 1e12;

fn check_weight(weight: f32) -> Result<(), String> {
    match weight.abs() <= GREATEST_WEIGHT {
        true => Ok(()),
        false => Err(format!("some of its weights are no numbers from −{GREATEST_WEIGHT:e} to {GREATEST_WEIGHT:e}")),
    }
}

/// Puts the weights that were saved in place.
fn fill(network: &Network, description: &Description, saved: &Saved) -> Result<(), String> {
    let weights = network.weights();
    let wrong = || format!("its weights are missing or have another length than {}", weights.len());
    match saved.tensor("weights").ok_or_else(wrong)? {
        Numbers::F32(numbers) if numbers.len() == weights.len() => {
            numbers.iter().try_for_each(|&number| check_weight(number))?;
            numbers.iter().enumerate().filter(|&(_, &n)| n != 0.0).for_each(|(i, &n)| weights.set(i, n));
        }
        numbers => {
            let whole: Vec<f32> = match numbers {
                Numbers::I16(numbers) => numbers.iter().map(|&n| f32::from(n)).collect(),
                Numbers::I8(numbers) => numbers.iter().map(|&n| f32::from(n)).collect(),
                Numbers::F32(_) => return Err(wrong()),
            };
            let tables = network.tables();
            if whole.len() != weights.len() || description.steps.len() != tables.len() {
                return Err(wrong());
            }
            for (table, &step) in tables.into_iter().zip(&description.steps) {
                check_weight(step)?;
                table.filter(|&i| whole[i] != 0.0).for_each(|i| weights.set(i, whole[i] * step));
            }
        }
    }
    Ok(())
}

/// The same with weights of 8 or 16 bits: each table has a step of its own, by its greatest weight.
///
/// # Errors
/// A sentence, where what was saved is no n-tuple network.
pub fn quantised(network: &Network, saved: &Saved, bits: u8) -> Result<Saved, String> {
    let mut description = description(saved)?;
    description.training = None;
    let most = f32::from((1i16 << (bits.clamp(2, 15) - 1)) - 1);
    let weights: Vec<f32> = network.weights().values().collect();
    let mut whole = vec![0i16; weights.len()];
    description.steps.clear();
    for table in network.tables() {
        let greatest = weights[table.clone()].iter().fold(0f32, |most, weight| most.max(weight.abs()));
        let step = greatest / most;
        description.steps.push(step);
        if step > 0.0 {
            table.for_each(|i| whole[i] = (weights[i] / step).round() as i16);
        }
    }
    let numbers =
        if bits <= 8 { Numbers::I8(whole.into_iter().map(|n| n as i8).collect()) } else { Numbers::I16(whole) };
    let network = serde_json::to_value(description).expect("a description is plain data");
    Ok(Saved { network, tensors: vec![Tensor { name: "weights".into(), numbers }] })
}
