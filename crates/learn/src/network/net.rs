//! A whole network: a first layer, residual blocks of two layers each, and heads for the policy and the values.
//!
//! Over a grid the layers are convolutions of 3 × 3, and a layer of [`HEAD_PLANES`] planes stands between them and the heads;
//! over a flat list they are ordinary ones. Between layers there are rectifiers. The policy is a number for each action
//! number, whose softmax over the legal ones counts; values lie between −1 and 1.

use raichi_core::random::{FastRng, Rng, stream};
use serde::{Deserialize, Serialize};

use super::layer::{Layer, Scratch};
use super::number::Number;
use super::quantised::Bytes;

/// Planes that the heads read, over a grid.
const HEAD_PLANES: usize = 16;
/// Numbers between the trunk and the values.
const VALUE_WIDTH: usize = 32;
/// Weights that a network may have.
pub const MOST_WEIGHTS: usize = 1 << 24;

/// What a network is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Shape {
    /// Rows and columns that it convolves over; `None` for layers over a flat list.
    pub grid: Option<(usize, usize)>,
    /// Numbers of each cell, or of the list.
    pub planes: usize,
    /// Numbers of each cell between the layers.
    pub width: usize,
    /// Residual blocks of two layers.
    pub blocks: usize,
    /// Outputs of the policy: action numbers, or the factors of actions.
    pub actions: usize,
    /// Values.
    pub values: usize,
}

impl Shape {
    fn cells(&self) -> usize {
        self.grid.map_or(1, |(rows, columns)| rows * columns)
    }

    /// Numbers that a position has.
    pub fn input_len(&self) -> usize {
        self.planes * self.cells()
    }

    /// How many weights it has, biases included; `None` where they are too many to be counted.
    fn n_weights(&self) -> Option<usize> {
        let taps = if self.grid.is_some() { 9 } else { 1 };
        let layer = |from: usize, to: usize, taps: usize| from.checked_mul(to)?.checked_mul(taps)?.checked_add(to);
        let features = self.features();
        let trunk = layer(self.planes, self.width, taps)?
            .checked_add(layer(self.width, self.width, taps)?.checked_mul(2)?.checked_mul(self.blocks)?)?;
        let squeeze = if self.grid.is_some() { layer(self.width, HEAD_PLANES, 1)? } else { 0 };
        let heads = layer(features, self.actions, 1)?
            .checked_add(layer(features, VALUE_WIDTH, 1)?)?
            .checked_add(layer(VALUE_WIDTH, self.values, 1)?)?;
        trunk.checked_add(squeeze)?.checked_add(heads)
    }

    fn features(&self) -> usize {
        if self.grid.is_some() { HEAD_PLANES * self.cells() } else { self.width }
    }

    /// That a network of this shape can be made.
    ///
    /// # Errors
    /// A sentence, when it is empty or has too many weights.
    pub fn check(&self) -> Result<(), String> {
        if [self.planes, self.cells(), self.width, self.actions, self.values].contains(&0) {
            return Err("a layer of its network has nothing in it".into());
        }
        match self.n_weights() {
            Some(n) if n <= MOST_WEIGHTS => Ok(()),
            n => Err(format!(
                "its network would have {} weights, and {MOST_WEIGHTS} are allowed; take a smaller width or fewer blocks",
                n.map_or("very many".into(), |n| n.to_string())
            )),
        }
    }
}

/// A network with its weights.
#[derive(Clone, PartialEq, Debug)]
pub struct Net<T> {
    shape: Shape,
    first: Layer,
    blocks: Vec<[Layer; 2]>,
    squeeze: Option<Layer>,
    policy: Layer,
    value_first: Layer,
    value: Layer,
    /// The weights of all layers.
    pub weights: Vec<T>,
}

/// What a position should have come to.
#[derive(Clone, Copy, Debug)]
pub struct Target<'a, T> {
    /// The outputs of the policy whose sums are the logits of the legal actions, action by action.
    pub outputs: &'a [u16],
    /// How many of them each action has.
    pub n_outputs: &'a [u8],
    /// How likely each should be; they add up to 1.
    pub policy: &'a [T],
    /// The values.
    pub values: &'a [T],
}

impl<'a, T> Target<'a, T> {
    /// The outputs of each action.
    fn actions(&self) -> impl Iterator<Item = &'a [u16]> {
        let mut rest = self.outputs;
        self.n_outputs.iter().map(move |&n| {
            let (own, others) = rest.split_at(n.into());
            rest = others;
            own
        })
    }
}

/// The logit of an action that is put together from some outputs.
pub(crate) fn sum_of<T: Number, I: Copy + Into<u64>>(logits: &[T], outputs: &[I]) -> T {
    let mut sum = T::ZERO;
    outputs.iter().for_each(|&output| sum += logits[output.into() as usize]);
    sum
}

/// How far a network is from its targets, on average.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Loss {
    /// The cross-entropy of the policy, in nats.
    pub policy: f64,
    /// The mean squared error of the values.
    pub value: f64,
}

/// Memory for a batch: what each layer came to, and on the way back the errors.
#[derive(Clone, Debug, Default)]
pub struct Workspace<T> {
    pub(super) first: Vec<T>,
    /// By block, after its first layer and after the block.
    pub(super) blocks: Vec<[Vec<T>; 2]>,
    features: Vec<T>,
    value_first: Vec<T>,
    /// The policy's numbers, [`Shape::actions`] for each position.
    pub logits: Vec<T>,
    /// The values, [`Shape::values`] for each position.
    pub values: Vec<T>,
    scratch: Scratch<T>,
    pub(super) bytes: Bytes,
    errors: [Vec<T>; 3],
    of_logits: Vec<T>,
    of_values: Vec<T>,
}

/// A network of any make, as those who play by it ask it.
pub trait Forward: Send + Sync {
    /// Looks at positions, one after the other in `input`; the workspace has the logits and values of each then.
    ///
    /// # Errors
    /// A sentence, where a network from elsewhere cannot be run; the logits and values of all are 0 then. Those of this
    /// crate always can.
    fn forward(&self, input: &[f32], work: &mut Workspace<f32>) -> Result<(), String>;
}

impl Forward for Net<f32> {
    fn forward(&self, input: &[f32], work: &mut Workspace<f32>) -> Result<(), String> {
        Net::forward(self, input, work);
        Ok(())
    }
}

impl<T: Number> Net<T> {
    /// A network that says nothing yet: every action is as likely, every value 0.
    ///
    /// # Errors
    /// A sentence, when there can be none of this shape.
    pub fn new(shape: Shape, seed: u64) -> Result<Net<T>, String> {
        let mut net = Net::blank(shape)?;
        let rng = &mut stream(seed, "weights", 0);
        let seen: Vec<Layer> = std::iter::once(&net.first)
            .chain(net.blocks.iter().map(|[first, _]| first))
            .chain(&net.squeeze)
            .chain([&net.value_first])
            .cloned()
            .collect();
        for layer in seen {
            // He and others, Delving deep into rectifiers (2015): the variance is 2 over the numbers that are summed.
            let spread = (6.0 / layer.inner() as f64).sqrt();
            net.weights[layer.weights]
                .iter_mut()
                .for_each(|weight| *weight = T::of(spread * (2.0 * fraction(rng) - 1.0)));
        }
        Ok(net)
    }

    /// A network whose weights are all 0.
    pub(crate) fn blank(shape: Shape) -> Result<Net<T>, String> {
        shape.check()?;
        let mut end = 0;
        let mut layer = |name: &str, from, to, grid| {
            let layer = Layer::new(name, from, to, grid, end);
            end = layer.biases.end;
            layer
        };
        let Shape { grid, planes, width, .. } = shape;
        let first = layer("first", planes, width, grid);
        let mut block = |i: usize| ["a", "b"].map(|which| layer(&format!("block{i}.{which}"), width, width, grid));
        let blocks = (0..shape.blocks).map(&mut block).collect();
        let squeeze = grid.map(|_| layer("squeeze", width, HEAD_PLANES, None));
        let policy = layer("policy", shape.features(), shape.actions, None);
        let value_first = layer("value.first", shape.features(), VALUE_WIDTH, None);
        let value = layer("value", VALUE_WIDTH, shape.values, None);
        Ok(Net { shape, first, blocks, squeeze, policy, value_first, value, weights: vec![T::ZERO; end] })
    }

    /// What it is made of.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Its layers, in the order of their weights.
    pub fn layers(&self) -> impl Iterator<Item = &Layer> {
        let trunk = std::iter::once(&self.first).chain(self.blocks.iter().flatten()).chain(&self.squeeze);
        trunk.chain([&self.policy, &self.value_first, &self.value])
    }

    /// Looks at positions, [`Shape::input_len`] numbers each; the workspace has the logits and values then.
    pub fn forward(&self, input: &[T], work: &mut Workspace<T>) {
        let weights = &self.weights;
        self.begin(input, work);
        for (i, [a, b]) in self.blocks.iter().enumerate() {
            let (before, rest) = work.blocks.split_at_mut(i);
            let read = before.last().map_or(&work.first, |[_, after]| after);
            let [between, after] = &mut rest[0];
            a.forward(weights, read, between, &mut work.scratch);
            rectify(between);
            b.forward(weights, between, after, &mut work.scratch);
            after.iter_mut().zip(read).for_each(|(after, &before)| *after += before);
            rectify(after);
        }
        self.end(work);
    }

    /// The blocks.
    pub(super) fn blocks(&self) -> &[[Layer; 2]] {
        &self.blocks
    }

    /// What comes before the blocks.
    pub(super) fn begin(&self, input: &[T], work: &mut Workspace<T>) {
        work.blocks.resize_with(self.blocks.len(), Default::default);
        self.first.forward(&self.weights, input, &mut work.first, &mut work.scratch);
        rectify(&mut work.first);
    }

    /// What comes after the blocks.
    pub(super) fn end(&self, work: &mut Workspace<T>) {
        let weights = &self.weights;
        let trunk = work.blocks.last().map_or(&work.first, |[_, after]| after);
        let features = match &self.squeeze {
            None => trunk,
            Some(squeeze) => {
                squeeze.forward(weights, trunk, &mut work.features, &mut work.scratch);
                rectify(&mut work.features);
                &work.features
            }
        };
        self.policy.forward(weights, features, &mut work.logits, &mut work.scratch);
        self.value_first.forward(weights, features, &mut work.value_first, &mut work.scratch);
        rectify(&mut work.value_first);
        self.value.forward(weights, &work.value_first, &mut work.values, &mut work.scratch);
        work.values.iter_mut().for_each(|value| *value = value.tanh());
    }

    /// Looks at positions and adds the gradient of the loss to `gradients`: of the mean over the positions of the policy's
    /// cross-entropy and `value_weight` times the squared error of the values.
    pub fn learn(
        &self,
        input: &[T],
        targets: &[Target<'_, T>],
        value_weight: f64,
        gradients: &mut [T],
        work: &mut Workspace<T>,
    ) -> Loss {
        self.forward(input, work);
        let loss = self.compare(targets, value_weight, work);
        self.backward(input, gradients, work);
        loss
    }

    /// The loss, and its derivatives by the logits and by the values before the tangent, into the workspace.
    fn compare(&self, targets: &[Target<'_, T>], value_weight: f64, work: &mut Workspace<T>) -> Loss {
        let (n_actions, n_values) = (self.shape.actions, self.shape.values);
        let share = 1.0 / targets.len() as f64;
        work.of_logits.clear();
        work.of_logits.resize(work.logits.len(), T::ZERO);
        work.of_values.clear();
        work.of_values.resize(work.values.len(), T::ZERO);
        let mut loss = Loss::default();
        let mut odds: Vec<T> = Vec::new();
        for (i, target) in targets.iter().enumerate() {
            let logits = &work.logits[i * n_actions..(i + 1) * n_actions];
            odds.clear();
            odds.extend(target.actions().map(|outputs| sum_of(logits, outputs)));
            let log_sum = softmax(&mut odds);
            for ((outputs, &wanted), &is) in target.actions().zip(target.policy).zip(&odds) {
                loss.policy -= share * wanted.wide() * (sum_of(logits, outputs).wide() - log_sum);
                for &output in outputs {
                    work.of_logits[i * n_actions + usize::from(output)] += (is - wanted) * T::of(share);
                }
            }
            for (at, &wanted) in (i * n_values..).zip(target.values) {
                let value = work.values[at];
                let error = value - wanted;
                loss.value += share * (error * error).wide() / n_values as f64;
                let slope = T::ONE - value * value;
                work.of_values[at] = error * slope * T::of(2.0 * value_weight * share / n_values as f64);
            }
        }
        loss
    }

    fn backward(&self, input: &[T], gradients: &mut [T], work: &mut Workspace<T>) {
        let weights = &self.weights;
        let Workspace { first, blocks, features, value_first, scratch, errors, of_logits, of_values, .. } = work;
        let [errors, more, between_errors] = errors;
        let trunk = blocks.last().map_or(&*first, |[_, after]| after);
        let read = if self.squeeze.is_some() { &*features } else { trunk };
        // 1. The heads.
        self.value.backward(weights, value_first, of_values, gradients, Some(more), scratch);
        stop_where_rectified(more, value_first);
        self.value_first.backward(weights, read, more, gradients, Some(errors), scratch);
        self.policy.backward(weights, read, of_logits, gradients, Some(more), scratch);
        errors.iter_mut().zip(&*more).for_each(|(sum, &more)| *sum += more);
        if let Some(squeeze) = &self.squeeze {
            stop_where_rectified(errors, features);
            squeeze.backward(weights, trunk, errors, gradients, Some(more), scratch);
            std::mem::swap(errors, more);
        }
        // 2. The blocks, from the last.
        for (i, [a, b]) in self.blocks.iter().enumerate().rev() {
            let (before, rest) = blocks.split_at(i);
            let read = before.last().map_or(&*first, |[_, after]| after);
            let [between, after] = &rest[0];
            stop_where_rectified(errors, after);
            b.backward(weights, between, errors, gradients, Some(between_errors), scratch);
            stop_where_rectified(between_errors, between);
            a.backward(weights, read, between_errors, gradients, Some(more), scratch);
            // What went past the block.
            errors.iter_mut().zip(&*more).for_each(|(sum, &more)| *sum += more);
        }
        // 3. The first layer.
        stop_where_rectified(errors, first);
        self.first.backward(weights, input, errors, gradients, None, scratch);
    }
}

fn rectify<T: Number>(numbers: &mut [T]) {
    for number in numbers {
        *number = if *number > T::ZERO { *number } else { T::ZERO };
    }
}

/// Where a rectifier let nothing through, no error goes back.
fn stop_where_rectified<T: Number>(errors: &mut [T], after: &[T]) {
    for (error, &after) in errors.iter_mut().zip(after) {
        *error = if after > T::ZERO { *error } else { T::ZERO };
    }
}

/// Makes log-odds into probabilities; returns the logarithm of the sum of the odds.
pub fn softmax<T: Number>(odds: &mut [T]) -> f64 {
    let most = odds.iter().copied().fold(T::of(f64::MIN), |most, one| if one > most { one } else { most });
    let mut sum = T::ZERO;
    for one in odds.iter_mut() {
        *one = (*one - most).exp();
        sum += *one;
    }
    odds.iter_mut().for_each(|one| *one = *one / sum);
    most.wide() + sum.wide().ln()
}

/// A random number between 0 and 1.
pub(crate) fn fraction(rng: &mut FastRng) -> f64 {
    ((rng.next_u64() >> 11) as f64 + 0.5) / (1u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPES: [Shape; 3] = [
        Shape { grid: Some((3, 4)), planes: 3, width: 5, blocks: 2, actions: 6, values: 1 },
        Shape { grid: None, planes: 7, width: 9, blocks: 1, actions: 5, values: 3 },
        Shape { grid: None, planes: 4, width: 6, blocks: 0, actions: 3, values: 2 },
    ];

    /// A target: outputs of the legal actions, how many each has, policy, values.
    type Owned<T> = (Vec<u16>, Vec<u8>, Vec<T>, Vec<T>);

    /// A network that says something everywhere, and a batch with targets.
    fn example<T: Number>(shape: Shape) -> (Net<T>, Vec<T>, Vec<Owned<T>>) {
        let rng = &mut stream(5, "test", 0);
        let mut net = Net::new(shape, 1).unwrap();
        net.weights.iter_mut().for_each(|weight| *weight += T::of(0.3 * fraction(rng) - 0.15));
        let n = 9;
        let input = (0..n * shape.input_len()).map(|_| T::of(2.0 * fraction(rng) - 1.0)).collect();
        let target = |i: usize| {
            // Of every other position the actions are sums of one, two, one, two … outputs.
            let n_outputs = |action: usize| if i.is_multiple_of(2) { 1 } else { 1 + action as u8 % 2 };
            let n_outputs: Vec<u8> = (1..shape.actions).map(n_outputs).collect();
            let n_all: u8 = n_outputs.iter().sum();
            let outputs: Vec<u16> =
                (0..n_all.into()).map(|output| (output + i as u16) % shape.actions as u16).collect();
            let mut policy: Vec<T> = n_outputs.iter().map(|_| T::of(fraction(rng))).collect();
            softmax(&mut policy);
            let values = (0..shape.values).map(|_| T::of(2.0 * fraction(rng) - 1.0)).collect();
            (outputs, n_outputs, policy, values)
        };
        (net, input, (0..n).map(target).collect())
    }

    fn targets<T>(owned: &[Owned<T>]) -> Vec<Target<'_, T>> {
        let target = |(outputs, n_outputs, policy, values)| Target { outputs, n_outputs, policy, values };
        owned.iter().map(|(a, b, c, d)| target((&a[..], &b[..], &c[..], &d[..]))).collect()
    }

    #[test]
    fn gradients_are_those_of_finite_differences() {
        const STEP: f64 = 1e-5;
        for shape in SHAPES {
            let (mut net, input, owned) = example::<f64>(shape);
            let targets = targets(&owned);
            let (mut gradients, mut work) = (vec![0.0; net.weights.len()], Workspace::default());
            net.learn(&input, &targets, 0.7, &mut gradients, &mut work);
            let mut loss_with = |net: &Net<f64>| {
                net.forward(&input, &mut work);
                let loss = net.compare(&targets, 0.7, &mut work);
                loss.policy + 0.7 * loss.value
            };
            let mut worst = 0f64;
            // Some of each layer, and all of small ones.
            let some = |all: std::ops::Range<usize>| {
                let step = all.len() / 60 + 1;
                all.step_by(step)
            };
            let looked_at: Vec<usize> =
                net.layers().flat_map(|layer| some(layer.weights.clone()).chain(some(layer.biases.clone()))).collect();
            for i in looked_at {
                let weight = net.weights[i];
                net.weights[i] = weight + STEP;
                let more = loss_with(&net);
                net.weights[i] = weight - STEP;
                let less = loss_with(&net);
                net.weights[i] = weight;
                worst = worst.max(((more - less) / (2.0 * STEP) - gradients[i]).abs());
            }
            assert!(worst < 1e-8, "{shape:?}: {worst}");
            assert!(gradients.iter().any(|gradient| gradient.abs() > 1e-3));
        }
    }

    #[test]
    fn fewer_bits_come_to_nearly_the_same() {
        for shape in SHAPES {
            let (wide, input, owned) = example::<f64>(shape);
            let (narrow, narrow_input, narrow_owned) = example::<f32>(shape);
            let mut wide_gradients = vec![0.0; wide.weights.len()];
            let mut narrow_gradients = vec![0.0; wide.weights.len()];
            wide.learn(&input, &targets(&owned), 1.0, &mut wide_gradients, &mut Workspace::default());
            let targets = targets(&narrow_owned);
            narrow.learn(&narrow_input, &targets, 1.0, &mut narrow_gradients, &mut Workspace::default());
            for (wide, narrow) in wide_gradients.iter().zip(&narrow_gradients) {
                assert!((wide - f64::from(*narrow)).abs() < 1e-5, "{wide} {narrow}");
            }
        }
    }

    #[test]
    fn what_is_said_of_a_position_depends_on_no_other() {
        for shape in SHAPES {
            let (net, input, _) = example::<f32>(shape);
            let (mut together, mut alone) = (Workspace::default(), Workspace::default());
            net.forward(&input, &mut together);
            for (i, position) in input.chunks_exact(shape.input_len()).enumerate() {
                net.forward(position, &mut alone);
                assert_eq!(alone.logits, together.logits[i * shape.actions..(i + 1) * shape.actions]);
                assert_eq!(alone.values, together.values[i * shape.values..(i + 1) * shape.values]);
            }
        }
    }

    #[test]
    fn a_network_begins_without_an_opinion() {
        for shape in SHAPES {
            let net: Net<f32> = Net::new(shape, 3).unwrap();
            assert_eq!(Some(net.weights.len()), shape.n_weights());
            let mut work = Workspace::default();
            net.forward(&vec![1.0; shape.input_len()], &mut work);
            assert!(work.logits.iter().chain(&work.values).all(|&number| number == 0.0));
        }
        let large = Shape { width: 100_000, ..SHAPES[0] };
        assert!(Net::<f32>::new(large, 0).unwrap_err().contains("smaller width"));
    }
}
