//! Counterfactual regret minimisation over the whole game: CFR and its faster kin, in one loop.
//!
//! Zinkevich and others (2007): CFR. Tammelin (2014): CFR+, regrets never below 0. Brown and Sandholm (2019): linear and
//! discounted CFR, in which what was learned first counts less. The seats take turns: each answers the other's newest plan.
//! The average plan converges to an equilibrium; how far it is from one is its exploitability, computed and not bounded.

use raichi_core::seat::Seat;

use super::sequences::Sequences;

/// What counts how much.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Weights {
    /// Everything counts the same.
    Plain,
    /// Regrets never fall below 0; iteration t's plan counts t-fold.
    Plus,
    /// Regrets and plans of iteration t count t-fold.
    Linear,
    /// Before iteration t + 1 positive regrets are multiplied by t^α / (t^α + 1), negative ones by t^β / (t^β + 1); plans
    /// of iteration t count t^γ-fold.
    Discounted {
        /// α
        positive: f64,
        /// β
        negative: f64,
        /// γ
        average: f64,
    },
}

impl Weights {
    /// The discounts that its authors recommend.
    pub const DISCOUNTED: Weights = Weights::Discounted { positive: 1.5, negative: 0.0, average: 2.0 };

    /// What positive and negative regrets are multiplied by after iteration `t`; `None` where nothing is to be done.
    fn discounts(self, t: f64) -> Option<(f64, f64)> {
        let discount = |power: f64| t.powf(power) / (t.powf(power) + 1.0);
        match self {
            Weights::Plain => None,
            Weights::Plus => Some((1.0, 0.0)),
            Weights::Linear => Some((t / (t + 1.0), t / (t + 1.0))),
            Weights::Discounted { positive, negative, .. } => Some((discount(positive), discount(negative))),
        }
    }

    /// How much the plan of iteration `t` counts.
    fn of_plan(self, t: f64) -> f64 {
        match self {
            Weights::Plain => 1.0,
            Weights::Plus | Weights::Linear => t,
            Weights::Discounted { average, .. } => t.powf(average),
        }
    }
}

/// Regrets and plans, from iteration to iteration.
#[derive(Clone, Debug)]
pub struct FullCfr<'a> {
    game: &'a Sequences,
    weights: Weights,
    sides: [Learned; 2],
    n_iterations: u64,
    total_weight: f64,
}

/// One number a sequence each.
#[derive(Clone, Debug)]
struct Learned {
    regrets: Vec<f64>,
    /// The probability of the last action, by the regrets.
    behaviour: Vec<f64>,
    plan: Vec<f64>,
    /// The plans of all iterations by their weights.
    sum: Vec<f64>,
    /// Room for what the sequences are worth.
    worth: Vec<f64>,
}

impl<'a> FullCfr<'a> {
    /// Nothing is regretted yet.
    pub fn new(game: &'a Sequences, weights: Weights) -> Self {
        let side = |seat: Seat| {
            let zeros = vec![0.0; game.n_sequences(seat)];
            let (mut behaviour, mut plan) = (zeros.clone(), zeros.clone());
            game.match_regrets(seat, &zeros, &mut behaviour, &mut plan);
            Learned { regrets: zeros.clone(), behaviour, plan, sum: zeros.clone(), worth: zeros }
        };
        FullCfr { game, weights, sides: [side(0), side(1)], n_iterations: 0, total_weight: 0.0 }
    }

    /// One iteration: each seat in turn.
    pub fn iterate(&mut self) {
        self.n_iterations += 1;
        let t = self.n_iterations as f64;
        let weight = self.weights.of_plan(t);
        self.total_weight += weight;
        for seat in 0..2 {
            let [first, second] = &mut self.sides;
            let (own, other) = if seat == 0 { (first, &*second) } else { (second, &*first) };
            own.learn(self.game, seat, &other.plan, self.weights.discounts(t));
            for (sum, plan) in own.sum.iter_mut().zip(&own.plan) {
                *sum += weight * plan;
            }
        }
    }

    /// How many iterations there were.
    pub fn n_iterations(&self) -> u64 {
        self.n_iterations
    }

    /// The average plan of each seat.
    pub fn average(&self) -> [Vec<f64>; 2] {
        [0, 1].map(|seat| {
            let side = &self.sides[seat];
            if self.n_iterations == 0 {
                return side.plan.clone();
            }
            side.sum.iter().map(|sum| sum / self.total_weight).collect()
        })
    }
}

impl Learned {
    fn learn(&mut self, game: &Sequences, seat: Seat, other: &[f64], discounts: Option<(f64, f64)>) {
        game.gradient(seat, other, &mut self.worth);
        game.add_regrets(seat, &mut self.worth, &self.behaviour, &mut self.regrets);
        if let Some((positive, negative)) = discounts {
            for regret in &mut self.regrets {
                *regret *= if *regret > 0.0 { positive } else { negative };
            }
        }
        game.match_regrets(seat, &self.regrets, &mut self.behaviour, &mut self.plan);
    }
}
