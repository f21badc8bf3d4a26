//! How fast networks look at positions, learn, and play games of training, one thread.
//!
//! `cargo bench --profile figures -p raichi-learn --bench network_speed [-- FILTER]`; by the processor's time of the thread.

mod clock;

use std::sync::Arc;
use std::time::{Duration, Instant};

use raichi_core::erased::{GameVisitor, Playable};
use raichi_core::path::PathGame;
use raichi_core::random::{FastRng, Rng, stream};
use raichi_core::{CancelFlag, Host};
use raichi_learn::alphazero::{AlphaZeroLearner, Config, OPTIONS};
use raichi_learn::network::{Forward, Net, QuantisedNet, Shape, Target, Workspace};
use raichi_learn::{Learner, Work};
use raichi_search::options::Options;

use clock::Clock;

/// Game, options, games of training.
const CASES: &[(&str, &str, u64)] = &[
    ("tic-tac-toe", "width=64,blocks=1", 4_000),
    ("connect-four", "width=32,blocks=3", 64),
    ("connect-four", "width=64,blocks=4", 16),
    ("hex:size=6", "width=32,blocks=3", 64),
];

impl Clock {
    /// How many of something are done a second, `n` at a time.
    fn rate(&self, n: usize, mut work: impl FnMut()) -> f64 {
        work();
        let (began, mut times) = (self.now(), 0);
        while self.now() - began < Duration::from_secs(1) {
            work();
            times += 1;
        }
        (times * n) as f64 / (self.now() - began).as_secs_f64()
    }
}

struct Measure<'a>(&'a str, u64);

impl GameVisitor for Measure<'_> {
    type Output = String;

    fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) -> String {
        let options = Options::parse("alphazero", OPTIONS, None, Some(self.0)).expect("the options are right");
        let config = Config::from_options(&options, &game.facts()).expect("the game can be learned");
        let mut learner = AlphaZeroLearner::new(game, config, 1, self.1).expect("the game can be learned");
        let clock = Clock(Instant::now());
        let cancel = CancelFlag::default();
        learner.advance(self.1, &Work { cancel: &cancel, host: &clock, n_threads: 1 });
        let progress = learner.progress();
        let net = learner.net();
        let (alone, together) = (looks(net, net.shape(), &clock, 1), looks(net, net.shape(), &clock, 16));
        let bytes = QuantisedNet::new(Arc::new(net.clone()));
        let with_bytes = looks(&bytes, net.shape(), &clock, 16);
        format!(
            "{:>8} weights {alone:>9.0} positions/s alone {together:>9.0} of 16 {with_bytes:>9.0} with bytes {:>8.0} learned/s {:>7.1} games/s",
            net.weights.len(),
            learns(net, &clock),
            progress.games as f64 / progress.elapsed.as_secs_f64(),
        )
    }
}

fn numbers(n: usize) -> Vec<f32> {
    let rng: &mut FastRng = &mut stream(1, "bench", 0);
    (0..n).map(|_| (rng.next_u64() >> 40) as f32 / (1 << 24) as f32).collect()
}

fn looks(net: &dyn Forward, shape: &Shape, clock: &Clock, n: usize) -> f64 {
    let (input, mut work) = (numbers(n * shape.input_len()), Workspace::default());
    clock.rate(n, || net.forward(&input, &mut work).expect("it can always be run"))
}

fn learns(net: &Net<f32>, clock: &Clock) -> f64 {
    const BATCH: usize = 128;
    let shape = net.shape();
    let input = numbers(BATCH * shape.input_len());
    let (policy, values) = (vec![1.0 / shape.actions as f32; shape.actions], vec![0.5; shape.values]);
    let outputs: Vec<u16> = (0..shape.actions as u16).collect();
    let n_outputs = vec![1; shape.actions];
    let targets = vec![Target { outputs: &outputs, n_outputs: &n_outputs, policy: &policy, values: &values }; BATCH];
    let (mut gradients, mut work) = (vec![0.0; net.weights.len()], Workspace::default());
    clock.rate(BATCH, || {
        net.learn(&input, &targets, 1.0, &mut gradients, &mut work);
    })
}

fn main() {
    let filter = std::env::args().skip(1).find(|arg| !arg.starts_with('-')).unwrap_or_default();
    for (spec, options, games) in CASES.iter().filter(|(spec, ..)| spec.contains(&filter)) {
        let figures = raichi_games::visit(spec, Measure(options, *games)).expect("the game exists");
        println!("{spec:<13} {options:<18} {figures}");
    }
}
