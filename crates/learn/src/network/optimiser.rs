//! How gradients change weights: Adam with decay apart from the gradient (Kingma and Ba, 2015; Loshchilov and Hutter, 2019),
//! or descent with momentum.

/// What changes weights.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    /// Steps by mean and mean square of the gradients.
    Adam,
    /// Steps by the sum of the gradients, older ones fading.
    Momentum,
}

/// A rule and what it remembers.
#[derive(Clone, PartialEq, Debug)]
pub struct Optimiser {
    rule: Rule,
    decay: f32,
    /// How many steps were made.
    pub steps: u64,
    /// Of each weight the fading mean of the gradients (Adam) or their fading sum.
    pub first: Vec<f32>,
    /// Of each weight the fading mean of their squares; empty with momentum.
    pub second: Vec<f32>,
}

const FADING: f32 = 0.9;
const FADING_OF_SQUARES: f32 = 0.999;
const SMALL: f32 = 1e-8;
/// Longer gradients are shortened to this length.
const LONGEST: f64 = 5.0;

impl Optimiser {
    /// An optimiser that remembers nothing, for so many weights, of which each step takes off `decay` times the step size.
    pub fn new(rule: Rule, decay: f64, n_weights: usize) -> Optimiser {
        let n_second = if rule == Rule::Adam { n_weights } else { 0 };
        Optimiser { rule, decay: decay as f32, steps: 0, first: vec![0.0; n_weights], second: vec![0.0; n_second] }
    }

    /// Makes a step of size `rate` and sets the gradients to 0.
    pub fn step(&mut self, weights: &mut [f32], gradients: &mut [f32], rate: f64) {
        self.steps += 1;
        shorten(gradients);
        let (rate, decay) = (rate as f32, self.decay);
        match self.rule {
            Rule::Momentum => {
                for ((weight, gradient), first) in weights.iter_mut().zip(&*gradients).zip(&mut self.first) {
                    *first = FADING * *first + gradient;
                    *weight -= rate * (*first + decay * *weight);
                }
            }
            Rule::Adam => {
                // Means over few steps are too small by these.
                let n = self.steps as f64;
                let first_share = (1.0 - f64::from(FADING).powf(n)) as f32;
                let second_share = (1.0 - f64::from(FADING_OF_SQUARES).powf(n)) as f32;
                let remembered = self.first.iter_mut().zip(&mut self.second);
                for ((weight, &gradient), (first, second)) in weights.iter_mut().zip(&*gradients).zip(remembered) {
                    *first = FADING * *first + (1.0 - FADING) * gradient;
                    *second = FADING_OF_SQUARES * *second + (1.0 - FADING_OF_SQUARES) * gradient * gradient;
                    let step = (*first / first_share) / ((*second / second_share).sqrt() + SMALL);
                    *weight -= rate * (step + decay * *weight);
                }
            }
        }
        gradients.fill(0.0);
    }
}

fn shorten(gradients: &mut [f32]) {
    let length = gradients.iter().map(|&gradient| f64::from(gradient).powi(2)).sum::<f64>().sqrt();
    if length > LONGEST {
        let share = (LONGEST / length) as f32;
        gradients.iter_mut().for_each(|gradient| *gradient *= share);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_rules_find_the_bottom_of_a_bowl() {
        for (rule, rate) in [(Rule::Adam, 0.02), (Rule::Momentum, 0.02)] {
            let mut weights = [3.0, -2.0];
            let mut optimiser = Optimiser::new(rule, 0.0, 2);
            let mut gradients = [0.0; 2];
            for _ in 0..2_000 {
                gradients = [2.0 * (weights[0] - 1.0), 20.0 * (weights[1] - 0.5)];
                optimiser.step(&mut weights, &mut gradients, rate);
            }
            assert!((weights[0] - 1.0).abs() < 1e-3 && (weights[1] - 0.5).abs() < 1e-3, "{rule:?} {weights:?}");
            assert_eq!(gradients, [0.0; 2]);
        }
    }

    #[test]
    fn the_first_step_of_adam_has_the_size_of_the_rate() {
        let mut weights = [1.0];
        Optimiser::new(Rule::Adam, 0.0, 1).step(&mut weights, &mut [1e-4], 0.125);
        assert!((weights[0] - 0.875).abs() < 1e-4, "{weights:?}");
        // Decay takes off a share of the weight.
        let mut weights = [1.0];
        Optimiser::new(Rule::Adam, 0.5, 1).step(&mut weights, &mut [0.0], 0.5);
        assert!((weights[0] - 0.75).abs() < 1e-6, "{weights:?}");
    }
}
