//! 2048 by plain expectimax with the hand-made evaluator, as deep as a time for each slide allows, and no deeper than told.
//!
//! `expectimax_2048 SIZE GAMES MILLISECONDS [DEPTH [SEED]]`; printed are the mean score, its 95 % interval and the greatest tiles.

use std::time::{Duration, Instant};

use raichi_core::game::{Game, Phase};
use raichi_core::random::stream;
use raichi_engines::twenty_forty_eight::evaluator;
use raichi_games::twenty_forty_eight::{Direction, State, TwentyFortyEight};
use raichi_search::Evaluator;

struct Expectimax<'a> {
    game: &'a TwentyFortyEight,
    evaluator: &'a dyn Evaluator<TwentyFortyEight>,
    deadline: Instant,
    n_nodes: u32,
    late: bool,
}

impl Expectimax<'_> {
    /// The value of a position before a slide, `depth` slides deep.
    fn value(&mut self, state: &State, depth: u32) -> f32 {
        match self.game.phase(state) {
            Phase::Over => self.game.score(state) as f32,
            _ if depth == 0 => self.evaluator.value(self.game, state, 0),
            _ => {
                let mut actions = Vec::with_capacity(4);
                self.game.legal_actions(state, 0, &mut actions);
                actions.into_iter().map(|action| self.after(state, action, depth)).fold(f32::MIN, f32::max)
            }
        }
    }

    /// The value after a slide.
    fn after(&mut self, state: &State, action: Direction, depth: u32) -> f32 {
        self.n_nodes += 1;
        self.late |= self.n_nodes.is_multiple_of(16) && Instant::now() >= self.deadline;
        if self.late {
            return 0.0;
        }
        let mut after = *state;
        self.game.apply(&mut after, 0, action);
        let mut outcomes = Vec::with_capacity(32);
        self.game.outcomes(&after, &mut outcomes);
        let (mut sum, mut total) = (0.0, 0.0);
        for (spawn, weight) in outcomes {
            let mut next = after;
            self.game.apply_outcome(&mut next, spawn);
            sum += weight as f32 * self.value(&next, depth - 1);
            total += weight as f32;
        }
        sum / total
    }

    fn choose(&mut self, state: &State, time: Duration, most: u32) -> (Direction, u32) {
        let mut actions = Vec::new();
        self.game.legal_actions(state, 0, &mut actions);
        (self.deadline, self.late, self.n_nodes) = (Instant::now() + time, false, 0);
        let mut best = actions[0];
        for depth in 1..=most {
            let mut values: Vec<(f32, Direction)> = Vec::new();
            for &action in &actions {
                values.push((self.after(state, action, depth), action));
            }
            if self.late {
                return (best, depth - 1);
            }
            best = values.iter().copied().reduce(|best, next| if next.0 > best.0 { next } else { best }).unwrap().1;
        }
        (best, most)
    }
}

fn main() {
    let args: Vec<u64> = std::env::args().skip(1).map(|arg| arg.parse().expect("a whole number")).collect();
    let [size, n_games, milliseconds, rest @ ..] = &args[..] else {
        return eprintln!("expectimax_2048 SIZE GAMES MILLISECONDS [DEPTH [SEED]]");
    };
    let game = TwentyFortyEight::new(*size as u8);
    let evaluator = evaluator(&game).expect("it knows all sizes");
    let most = rest.first().copied().unwrap_or(8) as u32;
    let seed = rest.get(1).copied().unwrap_or(1);
    let start = Instant::now();
    let (mut scores, mut greatest, mut depths, mut n_slides) = (Vec::new(), std::collections::BTreeMap::new(), 0, 0u64);
    for nth in 0..*n_games {
        let mut rng = stream(seed, "game", nth);
        let mut search =
            Expectimax { game: &game, evaluator: &*evaluator, deadline: Instant::now(), n_nodes: 0, late: false };
        let mut state = game.initial_state();
        loop {
            match game.phase(&state) {
                Phase::Over => break,
                Phase::Chance => {
                    let spawn = game.sample_outcome(&state, &mut rng);
                    game.apply_outcome(&mut state, spawn);
                }
                Phase::Act(_) => {
                    let (action, depth) = search.choose(&state, Duration::from_millis(*milliseconds), most);
                    (depths, n_slides) = (depths + u64::from(depth), n_slides + 1);
                    game.apply(&mut state, 0, action);
                }
            }
        }
        scores.push(game.score(&state) as f64);
        let most = (0..game.size() * game.size()).map(|cell| game.exponent(&state, cell)).max().unwrap_or(0);
        *greatest.entry(1u64 << most).or_insert(0) += 1;
    }
    let n = scores.len() as f64;
    let mean = scores.iter().sum::<f64>() / n;
    let variance = scores.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    let (interval, depth) = (1.96 * (variance / n).sqrt(), depths as f64 / n_slides as f64);
    let per_slide = start.elapsed().as_secs_f64() * 1e6 / n_slides as f64;
    println!(
        "{mean:.0} ± {interval:.0} points; {n} games, depth {depth:.1}, {per_slide:.0} µs a slide, greatest tiles {greatest:?}"
    );
}
