//! The training of a network by games of its own search.
//!
//! Games come in rounds. Those of a round are played by the weights at its beginning; then the network learns from the
//! window. So a game can be played again from its number where a training was interrupted, and nothing of games in progress
//! has to be kept.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use raichi_core::game::Facts;
use raichi_core::host::Job;
use raichi_core::random::{index, stream};
use serde::{Deserialize, Serialize};

use super::environment::Environment;
use super::lesson::{Course, Lesson};
use super::options::Config;
use super::policy::{Input, NetworkPolicy};
use super::replay::Window;
use super::self_play::{Batch, Play, Played, Playing, play_on};
use super::units::Units;
use crate::learner::{Numbers, Progress, Saved, Tensor, Work};
use crate::network::net::Shape;
use crate::network::{Forward, Net, Optimiser, Planes};

/// A network in training.
pub(super) struct Training {
    environment: Arc<dyn Environment>,
    config: Config,
    planes: Arc<Planes>,
    units: Units,
    net: Arc<Net<f32>>,
    optimiser: Optimiser,
    window: Window,
    n_symmetries: usize,
    seed: u64,
    progress: Progress,
    /// Positions of this round so far.
    n_fresh: u64,
    /// Games that are being played side by side.
    group: Vec<Playing>,
    /// Games that are over and not counted yet, in order.
    played: VecDeque<Played>,
    batches: Vec<Batch>,
    lesson: Lesson,
}

/// What the tensors of a network mean.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Description {
    pub(super) kind: String,
    pub(super) shape: Shape,
    /// The size of a step of whole-number weights, by tensor.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) steps: BTreeMap<String, f32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    training: Option<Resumable>,
}

/// Where a training stood.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
struct Resumable {
    games: u64,
    plies: u64,
    milliseconds: u64,
    /// Positions of the round.
    fresh: u64,
    /// Steps of the optimiser.
    steps: u64,
    seed: u64,
}

/// The shape of the network that `config` says for a game whose policy has so many outputs.
pub(super) fn shape_of(n_outputs: u64, facts: &Facts, config: &Config, planes: &Planes) -> Result<Shape, String> {
    let shape = Shape {
        grid: planes.grid(),
        planes: planes.n_planes(),
        width: config.width,
        blocks: config.blocks,
        actions: n_outputs as usize,
        values: Units::of(facts).n_values(),
    };
    shape.check().map(|()| shape)
}

impl Training {
    /// A training of a network that knows nothing, for `planned` games.
    ///
    /// # Errors
    /// A sentence, where the game cannot be learned so or the network would be too large.
    pub(super) fn new(
        environment: Arc<dyn Environment>,
        config: Config,
        seed: u64,
        planned: u64,
    ) -> Result<Self, String> {
        let facts = environment.facts();
        let planes =
            Planes::new(&environment.layout(), facts.n_seats, config.net)?.with_coordinates(config.coordinates);
        let net = Net::new(shape_of(environment.n_outputs()?, &facts, &config, &planes)?, seed)?;
        Ok(Training {
            optimiser: Optimiser::new(config.rule, config.decay, net.weights.len()),
            window: Window::new(config.window),
            n_symmetries: environment.n_symmetries().min(config.symmetries),
            environment,
            lesson: Lesson::new(config.batch, net.weights.len()),
            config,
            planes: Arc::new(planes),
            units: Units::of(&facts),
            net: Arc::new(net),
            seed,
            progress: Progress { planned, ..Progress::default() },
            n_fresh: 0,
            group: Vec::new(),
            played: VecDeque::new(),
            batches: Vec::new(),
        })
    }

    /// Games of training begin as this says, by the same rules.
    pub(super) fn begin_in(&mut self, environment: Arc<dyn Environment>) {
        self.environment = environment;
    }

    /// Goes on from what was saved, by a learner of the same game, options and seed.
    ///
    /// # Errors
    /// A sentence, where it was not saved to go on, or by another learner.
    pub(super) fn resume(&mut self, saved: &Saved) -> Result<(), String> {
        let description = description(saved)?;
        let Some(at) = description.training else {
            return Err("it was not saved to train on: what the training remembers is missing".into());
        };
        if description.shape != *self.net.shape() || at.seed != self.seed {
            return Err("it was saved by a training with other options or another seed".into());
        }
        let missing = || "what the training remembers is missing or has another length".to_string();
        self.net = Arc::new(read_net(&description, saved)?);
        for (name, numbers) in
            [("optimiser.first", &mut self.optimiser.first), ("optimiser.second", &mut self.optimiser.second)]
        {
            match saved.tensor(name) {
                Some(Numbers::F32(read)) if read.len() == numbers.len() => numbers.copy_from_slice(read),
                _ => return Err(missing()),
            }
        }
        let (n_values, n_actions) = (description.shape.values, self.environment.n_actions());
        let n_seats = self.units.n_seats;
        self.window.read(saved, self.planes.observation_len(), n_values, n_actions, n_seats).ok_or_else(missing)?;
        (self.optimiser.steps, self.n_fresh) = (at.steps, at.fresh);
        (self.progress.games, self.progress.plies) = (at.games, at.plies);
        self.progress.elapsed = Duration::from_millis(at.milliseconds);
        Ok(())
    }

    /// What was learned so far.
    pub(super) fn policy(&self) -> NetworkPolicy {
        let (net, input) = (self.config.precision.form(&self.net), Input::Planes(Arc::clone(&self.planes)));
        NetworkPolicy::new(net, input, self.units, self.config.search)
    }

    /// The network as it is now.
    pub(super) fn net(&self) -> &Net<f32> {
        &self.net
    }

    /// How games are played with a form of the network.
    fn play<'a>(&'a self, net: &'a dyn Forward) -> Play<'a> {
        Play {
            environment: &*self.environment,
            config: &self.config,
            planes: &self.planes,
            units: self.units,
            net,
            shape: *self.net.shape(),
            seed: self.seed,
        }
    }

    /// The number of the first game of the next round.
    fn end_of_round(&self) -> u64 {
        (self.progress.games / self.config.round + 1) * self.config.round
    }

    /// Plays the next games side by side, to their end or until it is cancelled.
    fn play_group(&mut self, work: &Work<'_>) {
        let first = self.progress.games;
        let net = self.config.precision.form(&self.net);
        if self.group.is_empty() {
            let end = self.end_of_round().min(first + self.config.parallel as u64);
            self.group = (first..end).map(|number| Playing::new(&self.play(&*net), number)).collect();
        }
        let mut group = std::mem::take(&mut self.group);
        let n_threads = work.n_threads.clamp(1, group.len());
        let mut batches = std::mem::take(&mut self.batches);
        batches.resize_with(n_threads.max(batches.len()), Batch::default);
        let play = self.play(&*net);
        let each = group.len().div_ceil(n_threads);
        let mut jobs: Vec<Job<'_>> = Vec::with_capacity(n_threads);
        for (games, batch) in group.chunks_mut(each).zip(&mut batches) {
            let play = &play;
            jobs.push(Box::new(move || play_on(games, play, batch, work.cancel)));
        }
        work.host.run_all(jobs);
        let all_over = group.iter().all(Playing::is_over);
        debug_assert!(group.iter().zip(first..).all(|(playing, number)| playing.number() == number));
        if all_over {
            let play = self.play(&*net);
            let played: Vec<Played> = group.drain(..).map(|playing| playing.finish(&play)).collect();
            self.played.extend(played);
        }
        (self.group, self.batches) = (group, batches);
    }

    /// Counts a game that is over, and learns where it was the last one of its round.
    fn count(&mut self, played: Played, work: &Work<'_>) {
        self.progress.games += 1;
        self.progress.plies += played.n_plies;
        self.n_fresh += played.samples.len() as u64;
        played.samples.into_iter().for_each(|sample| self.window.push(sample));
        if self.progress.games.is_multiple_of(self.config.round) {
            self.learn(work);
        }
    }

    /// The steps of learning after a round.
    fn learn(&mut self, work: &Work<'_>) {
        let n_steps = (self.n_fresh as f64 * self.config.reuse / self.config.batch as f64).ceil() as u64;
        self.n_fresh = 0;
        if self.window.samples.is_empty() {
            return;
        }
        let done = (self.progress.games as f64 / self.progress.planned.max(1) as f64).min(1.0);
        let rate = self.config.rate.geometric(done);
        let rng = &mut stream(self.seed, "learning", self.progress.games);
        for _ in 0..n_steps {
            let draw = |_| (index(rng, self.window.samples.len()), index(rng, self.n_symmetries));
            let drawn: Vec<(usize, usize)> = (0..self.config.batch).map(draw).collect();
            self.step(&drawn, rate, work);
        }
    }

    /// A step by some positions, each under a symmetry.
    fn step(&mut self, drawn: &[(usize, usize)], rate: f64, work: &Work<'_>) {
        let course = Course {
            environment: &*self.environment,
            planes: &self.planes,
            window: &self.window,
            net: &self.net,
            value_weight: self.config.value_weight,
        };
        let gradients = self.lesson.gradients(&course, drawn, work);
        // Who plays with the weights as they were keeps them.
        let net = Arc::make_mut(&mut self.net);
        self.optimiser.step(&mut net.weights, gradients, rate);
    }

    fn description(&self, to_go_on: bool) -> Description {
        let training = Resumable {
            games: self.progress.games,
            plies: self.progress.plies,
            milliseconds: self.progress.elapsed.as_millis() as u64,
            fresh: self.n_fresh,
            steps: self.optimiser.steps,
            seed: self.seed,
        };
        Description {
            kind: super::ID.into(),
            shape: *self.net.shape(),
            steps: BTreeMap::new(),
            training: to_go_on.then_some(training),
        }
    }

    /// Plays up to `n_games` more games of training, fewer where it is cancelled, and learns from them.
    pub(super) fn advance(&mut self, n_games: u64, work: &Work<'_>) {
        let began = work.host.now();
        let end = self.progress.games + n_games;
        while self.progress.games < end {
            match self.played.pop_front() {
                Some(played) => self.count(played, work),
                None if work.cancel.is_cancelled() => break,
                None => self.play_group(work),
            }
        }
        self.progress.elapsed += work.host.now().saturating_sub(began);
    }

    pub(super) fn progress(&self) -> Progress {
        self.progress
    }

    /// All that is needed to play as it does now, and with `to_go_on` to train on.
    pub(super) fn save(&self, to_go_on: bool) -> Saved {
        let tensor = |name: String, numbers: &[f32]| Tensor { name, numbers: Numbers::F32(numbers.to_vec()) };
        let mut tensors: Vec<Tensor> =
            parts(&self.net).map(|(name, range)| tensor(name, &self.net.weights[range])).collect();
        if to_go_on {
            tensors.push(tensor("optimiser.first".into(), &self.optimiser.first));
            tensors.push(tensor("optimiser.second".into(), &self.optimiser.second));
            tensors.extend(self.window.save());
        }
        Saved { network: written(&self.description(to_go_on)), tensors }
    }

    /// What is needed to play nearly as it does now, with whole numbers of so many bits.
    pub(super) fn save_small(&self, bits: u8) -> Saved {
        let mut description = self.description(false);
        let most = f32::from((1i16 << (bits.clamp(2, 15) - 1)) - 1);
        let mut tensors = Vec::new();
        for (name, range) in parts(&self.net) {
            let weights = &self.net.weights[range];
            let step = weights.iter().fold(0f32, |most, weight| most.max(weight.abs())) / most;
            let whole = weights.iter().map(|weight| if step > 0.0 { (weight / step).round() } else { 0.0 });
            let numbers = if bits <= 8 {
                Numbers::I8(whole.map(|number| number as i8).collect())
            } else {
                Numbers::I16(whole.map(|number| number as i16).collect())
            };
            description.steps.insert(name.clone(), step);
            tensors.push(Tensor { name, numbers });
        }
        Saved { network: written(&description), tensors }
    }
}

fn written(description: &Description) -> serde_json::Value {
    serde_json::to_value(description).expect("a description is plain data")
}

/// The tensors of a network by name, and where their numbers lie among its weights.
fn parts(net: &Net<f32>) -> impl Iterator<Item = (String, std::ops::Range<usize>)> {
    net.layers().flat_map(|layer| {
        [
            (format!("{}.weights", layer.name), layer.weights.clone()),
            (format!("{}.biases", layer.name), layer.biases.clone()),
        ]
    })
}

/// Reads what the tensors mean.
pub(super) fn description(saved: &Saved) -> Result<Description, String> {
    let description: Description = serde_json::from_value(saved.network.clone())
        .map_err(|why| format!("its network is not described as it should be: {why}"))?;
    if description.kind != super::ID {
        return Err(format!("its network is of the kind {}, not {}", description.kind, super::ID));
    }
    Ok(description)
}

/// The network that was saved.
pub(super) fn read_net(description: &Description, saved: &Saved) -> Result<Net<f32>, String> {
    let mut net = Net::blank(description.shape)?;
    let parts: Vec<_> = parts(&net).collect();
    for (name, range) in parts {
        let step = description.steps.get(&name).copied();
        let read: Option<Vec<f32>> = match (saved.tensor(&name), step) {
            (Some(Numbers::F32(numbers)), _) => Some(numbers.clone()),
            (Some(Numbers::I16(numbers)), Some(step)) => Some(numbers.iter().map(|&n| f32::from(n) * step).collect()),
            (Some(Numbers::I8(numbers)), Some(step)) => Some(numbers.iter().map(|&n| f32::from(n) * step).collect()),
            _ => None,
        };
        let read = read.filter(|read| read.len() == range.len());
        let read = read.ok_or_else(|| format!("its weights {name} are missing or not {} numbers", range.len()))?;
        if read.iter().any(|number| !number.is_finite()) {
            return Err("some of its weights are no numbers".into());
        }
        net.weights[range].copy_from_slice(&read);
    }
    Ok(net)
}
