//! A step of learning: positions in parts, which threads take side by side.
//!
//! The parts, and the order in which their gradients are added up, follow from the options alone, so that the weights are the same to
//! the bit with any number of threads.

use raichi_core::host::Job;

use super::environment::Environment;
use super::replay::Window;
use crate::learner::Work;
use crate::network::{Net, Planes, Target, Workspace};

/// Positions of a part: enough for the products of matrices to be fast.
const PART: usize = 16;
const MOST_PARTS: usize = 32;
/// Gradients of all parts together, at most: 256 MiB.
const MOST_GRADIENTS: usize = 1 << 26;

/// What is learned from, and by what.
pub(super) struct Course<'a> {
    pub(super) environment: &'a dyn Environment,
    pub(super) planes: &'a Planes,
    pub(super) window: &'a Window,
    pub(super) net: &'a Net<f32>,
    /// How much errors of values count beside those of the policy.
    pub(super) value_weight: f64,
}

/// Memory for steps.
pub(super) struct Lesson {
    parts: Vec<Part>,
    gradients: Vec<f32>,
}

#[derive(Default)]
struct Part {
    observation: Vec<i32>,
    input: Vec<f32>,
    outputs: Vec<u16>,
    /// How many outputs each action has.
    n_outputs: Vec<u8>,
    gradients: Vec<f32>,
    work: Workspace<f32>,
}

impl Lesson {
    /// Memory for steps of `batch` positions each.
    pub(super) fn new(batch: usize, n_weights: usize) -> Lesson {
        let n_parts = (batch / PART).min(MOST_PARTS).min(MOST_GRADIENTS / n_weights.max(1)).max(1);
        let part = || Part { gradients: vec![0.0; n_weights], ..Part::default() };
        Lesson { parts: (0..n_parts).map(|_| part()).collect(), gradients: vec![0.0; n_weights] }
    }

    /// The gradient of the mean loss over some positions of the window, each under a symmetry: (position, symmetry).
    pub(super) fn gradients(&mut self, course: &Course<'_>, drawn: &[(usize, usize)], work: &Work<'_>) -> &mut [f32] {
        let n_threads = work.n_threads.clamp(1, self.parts.len());
        // 1. Each part's gradient.
        let each = drawn.len().div_ceil(self.parts.len()).max(1);
        let mut shares: Vec<(&mut Part, &[(usize, usize)])> = self.parts.iter_mut().zip(drawn.chunks(each)).collect();
        let per_thread = shares.len().div_ceil(n_threads).max(1);
        let teach = |shares: &mut [(&mut Part, &[(usize, usize)])]| {
            shares.iter_mut().for_each(|(part, drawn)| part.learn(course, drawn));
        };
        let jobs = shares.chunks_mut(per_thread).map(|shares| Box::new(move || teach(shares)) as Job<'_>);
        work.host.run_all(jobs.collect());
        // 2. Their mean, by the positions of each.
        let n_parts = drawn.len().div_ceil(each);
        let weighted: Vec<(&[f32], f32)> = self.parts[..n_parts]
            .iter()
            .zip(drawn.chunks(each))
            .map(|(part, own)| (&*part.gradients, own.len() as f32 / drawn.len() as f32))
            .collect();
        let per_thread = self.gradients.len().div_ceil(n_threads).max(1);
        let sums = self.gradients.chunks_mut(per_thread).enumerate().map(|(i, sums)| {
            let weighted = &weighted;
            Box::new(move || add_up(sums, weighted, i * per_thread)) as Job<'_>
        });
        work.host.run_all(sums.collect());
        &mut self.gradients
    }
}

/// The weighted sum of the numbers from `from` on.
fn add_up(sums: &mut [f32], weighted: &[(&[f32], f32)], from: usize) {
    sums.fill(0.0);
    for (numbers, weight) in weighted {
        sums.iter_mut().zip(&numbers[from..]).for_each(|(sum, number)| *sum += weight * number);
    }
}

impl Part {
    /// The gradient of the mean loss over these positions.
    fn learn(&mut self, course: &Course<'_>, drawn: &[(usize, usize)]) {
        let samples = &course.window.samples;
        self.observation.resize(course.planes.observation_len(), 0);
        self.input.clear();
        self.outputs.clear();
        self.n_outputs.clear();
        self.gradients.fill(0.0);
        let mut ends = vec![(0, 0)];
        for &(at, symmetry) in drawn {
            let sample = &samples[at];
            course.environment.map_observation(symmetry, &sample.observation, &mut self.observation);
            course.planes.write(&self.observation, sample.seat.into(), &mut self.input);
            for &action in &sample.actions {
                self.n_outputs.push(course.environment.outputs(symmetry, action, &mut self.outputs));
            }
            ends.push((self.outputs.len(), self.n_outputs.len()));
        }
        let target = |(&(at, _), ends): (&(usize, usize), &[(usize, usize)])| Target {
            outputs: &self.outputs[ends[0].0..ends[1].0],
            n_outputs: &self.n_outputs[ends[0].1..ends[1].1],
            policy: &samples[at].policy,
            values: &samples[at].values,
        };
        let targets: Vec<Target<'_, f32>> = drawn.iter().zip(ends.windows(2)).map(target).collect();
        course.net.learn(&self.input, &targets, course.value_weight, &mut self.gradients, &mut self.work);
    }
}
