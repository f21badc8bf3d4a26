//! A network whose residual blocks are worked out with bytes: faster than with numbers of 32 bits, and a little less exact.
//!
//! Weights of each column of a layer become whole numbers from −127 to 127 of a step of that column's own, and what a layer
//! reads, which the rectifier left without negative numbers, whole numbers from 0 to 127 of a step of that position's own.
//! Products are exact; sums across a block, the first layer and the heads are numbers of 32 bits. As with them, what is said of
//! a position depends on no other, and is the same on every machine.
//!
//! Checked against: the network that it was made from, within a bound; the arithmetic in `raichi_machine::byte_matrix`.

use std::sync::Arc;

use raichi_machine::byte_matrix::{MOST, Packed, Products, greatest, multiply, to_bytes};

use super::layer::Layer;
use super::net::{Forward, Net, Workspace};

/// With which numbers a network is worked out in games. It learns with 32 bits always.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Precision {
    /// Numbers of 32 bits.
    Full,
    /// Bytes in the residual blocks.
    Bytes,
}

impl Precision {
    /// The network in this form.
    pub fn form(self, net: &Arc<Net<f32>>) -> Arc<dyn Forward> {
        match self {
            Precision::Full => Arc::clone(net) as Arc<dyn Forward>,
            Precision::Bytes => Arc::new(QuantisedNet::new(Arc::clone(net))),
        }
    }
}

/// The network.
#[derive(Clone, Debug)]
pub struct QuantisedNet {
    net: Arc<Net<f32>>,
    blocks: Vec<[QuantisedLayer; 2]>,
}

/// A layer of a block.
#[derive(Clone, Debug)]
struct QuantisedLayer {
    layer: Layer,
    weights: Packed,
    /// The step of each column.
    steps: Vec<f32>,
}

/// Memory for layers of bytes.
#[derive(Clone, Debug, Default)]
pub(super) struct Bytes {
    numbers: Vec<u8>,
    gathered: Vec<u8>,
    products: Vec<i32>,
}

impl QuantisedNet {
    /// The form with bytes of a network.
    pub fn new(net: Arc<Net<f32>>) -> QuantisedNet {
        let quantised = |layer: &Layer| QuantisedLayer::new(layer, &net.weights);
        let blocks = net.blocks().iter().map(|block| [quantised(&block[0]), quantised(&block[1])]).collect();
        QuantisedNet { net, blocks }
    }

    /// Looks at positions, one after the other in `input`; the workspace has the logits and values of each then.
    pub fn forward(&self, input: &[f32], work: &mut Workspace<f32>) {
        self.net.begin(input, work);
        for (i, [a, b]) in self.blocks.iter().enumerate() {
            let (before, rest) = work.blocks.split_at_mut(i);
            let read = before.last().map_or(&work.first, |[_, after]| after);
            let [between, after] = &mut rest[0];
            between.clear();
            between.resize(read.len(), 0.0);
            a.add(&self.net.weights, read, between, &mut work.bytes);
            after.clone_from(read);
            b.add(&self.net.weights, between, after, &mut work.bytes);
        }
        self.net.end(work);
    }
}

impl Forward for QuantisedNet {
    fn forward(&self, input: &[f32], work: &mut Workspace<f32>) -> Result<(), String> {
        QuantisedNet::forward(self, input, work);
        Ok(())
    }
}

impl QuantisedLayer {
    fn new(layer: &Layer, weights: &[f32]) -> QuantisedLayer {
        let weights = &weights[layer.weights.clone()];
        let steps: Vec<f32> = (0..layer.to)
            .map(|column| {
                let of_column = weights.iter().skip(column).step_by(layer.to);
                of_column.fold(0f32, |most, weight| most.max(weight.abs())) / f32::from(MOST)
            })
            .collect();
        let whole = |(i, &weight): (usize, &f32)| match steps[i % layer.to] {
            step if step > 0.0 => (weight / step).round() as i8,
            _ => 0,
        };
        let whole: Vec<i8> = weights.iter().enumerate().map(whole).collect();
        QuantisedLayer { layer: layer.clone(), weights: Packed::new(&whole, layer.inner(), layer.to), steps }
    }

    /// Adds what comes of `input`, biases included, to `sums`, and rectifies them. There are as many numbers in both.
    fn add(&self, weights: &[f32], input: &[f32], sums: &mut [f32], bytes: &mut Bytes) {
        let layer = &self.layer;
        let biases = &weights[layer.biases.clone()];
        let cells = layer.grid.map_or(1, |(rows, columns)| rows * columns);
        for (input, sums) in input.chunks_exact(cells * layer.from).zip(sums.chunks_exact_mut(cells * layer.to)) {
            let most = greatest(input);
            let factor = if most > 0.0 { f32::from(MOST) / most } else { 0.0 };
            bytes.numbers.resize(input.len(), 0);
            to_bytes(input, factor, &mut bytes.numbers);
            layer.gather_bytes(&bytes.numbers, self.weights.row_len(), &mut bytes.gathered);
            bytes.products.resize(cells * self.weights.product_len(), 0);
            multiply(&bytes.gathered, &self.weights, &mut bytes.products);
            let products = Products {
                sums: &bytes.products,
                row_len: self.weights.product_len(),
                scale: most / f32::from(MOST),
                scales: &self.steps,
                biases,
            };
            products.add_rectified(sums);
        }
    }
}

#[cfg(test)]
mod tests {
    use raichi_core::random::{FastRng, stream};

    use super::super::net::{Shape, fraction};
    use super::*;

    #[test]
    fn bytes_come_to_nearly_the_same_and_positions_stay_apart() {
        for shape in [
            Shape { grid: Some((6, 7)), planes: 3, width: 32, blocks: 3, actions: 7, values: 1 },
            Shape { grid: Some((3, 4)), planes: 3, width: 5, blocks: 2, actions: 6, values: 1 },
            Shape { grid: None, planes: 7, width: 48, blocks: 2, actions: 5, values: 3 },
        ] {
            let rng: &mut FastRng = &mut stream(5, "test", 0);
            let mut net = Net::new(shape, 1).unwrap();
            // Sums of so many random numbers stay near 1.
            let spread = 1.0 / (shape.width as f64 * if shape.grid.is_some() { 9.0 } else { 1.0 }).sqrt();
            net.weights.iter_mut().for_each(|weight| *weight += (spread * (2.0 * fraction(rng) - 1.0)) as f32);
            let net = Arc::new(net);
            let input: Vec<f32> = (0..9 * shape.input_len()).map(|_| fraction(rng) as f32).collect();
            let (mut full, mut bytes, mut alone) = (Workspace::default(), Workspace::default(), Workspace::default());
            let quantised = QuantisedNet::new(Arc::clone(&net));
            net.forward(&input, &mut full);
            quantised.forward(&input, &mut bytes);
            let size = |numbers: &[f32]| numbers.iter().map(|number| number * number).sum::<f32>().sqrt();
            for (full, bytes) in [(&full.logits, &bytes.logits), (&full.values, &bytes.values)] {
                let difference: Vec<f32> = full.iter().zip(bytes).map(|(full, bytes)| full - bytes).collect();
                assert!(size(&difference) < 0.03 * size(full), "{shape:?}: {} of {}", size(&difference), size(full));
                assert!(size(full) > 0.1);
            }
            for (i, position) in input.chunks_exact(shape.input_len()).enumerate() {
                quantised.forward(position, &mut alone);
                assert_eq!(alone.logits, bytes.logits[i * shape.actions..(i + 1) * shape.actions]);
                assert_eq!(alone.values, bytes.values[i * shape.values..(i + 1) * shape.values]);
            }
        }
    }

    #[test]
    fn a_network_without_an_opinion_has_none_with_bytes() {
        let shape = Shape { grid: Some((3, 3)), planes: 2, width: 8, blocks: 2, actions: 4, values: 1 };
        let net = Arc::new(Net::new(shape, 3).unwrap());
        let mut work = Workspace::default();
        QuantisedNet::new(net).forward(&[0.0; 18], &mut work);
        assert!(work.logits.iter().chain(&work.values).all(|&number| number == 0.0));
    }
}
