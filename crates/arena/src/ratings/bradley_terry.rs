//! Elo by maximum likelihood: the model of Bradley and Terry (1952), a draw as half a win and half a loss.
//!
//! An agent that is stronger by d scores 1 / (1 + 10^(−d/400)). The ratings are those under which the games are likeliest
//! (Newton's method; the maximum is unique). Covariances are of the sandwich form (White 1982; Liang and Zeger 1986) with
//! rounds as clusters: games of a round share an opening, and often their results hang together. For two agents on two
//! seats that is the variance of pairs, the pentanomial one. So that a few rounds that happen to agree do not claim
//! certainty, one more round is counted with the variance that independent games would have. Where several groups of agents meet in
//! a round, the variance is also worked out with each group's games of a round as a cluster, and the larger one counts: few
//! rounds say little about many agents.
//!
//! Where no finite ratings are likeliest, as after a match won to nothing, every pair that met is counted one more game,
//! drawn, and [`Ratings::with_prior`] says so. In the covariance each of these games is a round of its own: it is all that
//! bounds the estimate, and it lies as far from what is expected as a game can. Where agents are not linked by games at all
//! there are no ratings.
//!
//! Checked against: the logistic formula, the binomial variance for independent games, the exact binomial bound of matches
//! won to nothing (Clopper and Pearson 1934), and the coverage of intervals in simulated matches, of pairs that hang
//! together, of agents that are alike, and of one side that wins nearly everything.

use std::collections::BTreeMap;

use raichi_core::random::mix;

use super::Comparison;

/// The 97.5 % point of the normal distribution: intervals cover 95 %.
const Z: f64 = 1.959_963_984_540_054;
/// Elo to a factor of e in the odds.
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// A difference in strength with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elo {
    /// The estimate.
    pub value: f64,
    /// The interval's lower end.
    pub low: f64,
    /// The interval's upper end.
    pub high: f64,
}

/// The ratings of a field of agents.
#[derive(Clone, Debug)]
pub struct Ratings {
    /// In units of the logistic function; their mean is 0.
    strengths: Vec<f64>,
    /// With rounds as clusters, and with the games of a group of agents in a round.
    covariances: [Vec<Vec<f64>>; 2],
    with_prior: bool,
}

/// The expected score of an agent that is stronger by so many Elo.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + (-elo / SCALE).exp())
}

impl Ratings {
    /// Of `n_agents` by what their games say; `None` where the games do not link all of them.
    pub fn fit(n_agents: usize, games: &[Comparison]) -> Option<Ratings> {
        if n_agents < 2 {
            return None;
        }
        let mut pairs = Pairing::of(n_agents, games);
        if !reaches_all(n_agents, |one, other| pairs.met(one, other)) {
            return None;
        }
        let is_finite = reaches_all(n_agents, |one, other| pairs.points[one][other] > 0.0)
            && reaches_all(n_agents, |one, other| pairs.points[other][one] > 0.0);
        let drawn = if is_finite { Vec::new() } else { pairs.draw_once() };
        let totals = pairs.totals();
        let strengths = likeliest(n_agents, &totals)?;
        let information = information(&strengths, &totals);
        let inverse = inverse(grounded(&information))?;
        let by_group = |game: &Comparison| mix(game.round ^ mix(game.group));
        let (rounds, groups) = (clusters(games, |game| game.round), clusters(games, by_group));
        // With n clusters of which the sum is 0, as it is at the maximum, n − 1 are free.
        let correction = match rounds.len() {
            n if n > 1 && n < groups.len() => n as f64 / (n - 1) as f64,
            _ => 1.0,
        };
        let covariances = [(rounds, correction), (groups, 1.0)].map(|(clusters, correction)| {
            let meat = spread(&strengths, &clusters, correction, &drawn, &information);
            product(&product(&inverse, &meat), &inverse)
        });
        Some(Ratings { strengths, covariances, with_prior: !is_finite })
    }

    /// Whether the games alone have no finite maximum, so that a drawn game was added to each pair.
    pub fn with_prior(&self) -> bool {
        self.with_prior
    }

    /// How much stronger an agent is than the mean of all.
    pub fn over_mean(&self, agent: usize) -> Elo {
        let n = self.strengths.len() as f64;
        let weights = (0..self.strengths.len()).map(|i| f64::from(i == agent) - 1.0 / n);
        self.combined(&weights.collect::<Vec<_>>())
    }

    /// How much stronger one agent is than another.
    pub fn over(&self, agent: usize, other: usize) -> Elo {
        let weights = (0..self.strengths.len()).map(|i| f64::from(i == agent) - f64::from(i == other));
        self.combined(&weights.collect::<Vec<_>>())
    }

    fn combined(&self, weights: &[f64]) -> Elo {
        let entries = || (0..weights.len()).flat_map(|i| (0..weights.len()).map(move |j| (i, j)));
        let variance = |covariance: &Vec<Vec<f64>>| -> f64 {
            entries().map(|(i, j)| weights[i] * weights[j] * covariance[i][j]).sum()
        };
        let variance = self.covariances.iter().map(variance).fold(0.0, f64::max);
        let value =
            SCALE * weights.iter().zip(&self.strengths).map(|(weight, strength)| weight * strength).sum::<f64>();
        let half = Z * SCALE * variance.sqrt();
        Elo { value, low: value - half, high: value + half }
    }
}

/// What each agent scored against each other: all that the likelihood depends on.
struct Pairing {
    /// Of the first against the second.
    points: Vec<Vec<f64>>,
}

impl Pairing {
    fn of(n_agents: usize, games: &[Comparison]) -> Pairing {
        let mut points = vec![vec![0.0; n_agents]; n_agents];
        for game in games {
            points[game.one][game.other] += game.weight * game.score;
            points[game.other][game.one] += game.weight * (1.0 - game.score);
        }
        Pairing { points }
    }

    fn met(&self, one: usize, other: usize) -> bool {
        self.points[one][other] + self.points[other][one] > 0.0
    }

    /// Adds a drawn game to each pair that met; these games.
    fn draw_once(&mut self) -> Vec<Comparison> {
        let met = pairs(self.points.len()).filter(|&(one, other)| self.met(one, other));
        let drawn = met.map(|(one, other)| Comparison { one, other, score: 0.5, weight: 1.0, round: 0, group: 0 });
        let drawn: Vec<Comparison> = drawn.collect();
        for game in &drawn {
            self.points[game.one][game.other] += 0.5;
            self.points[game.other][game.one] += 0.5;
        }
        drawn
    }

    // As one comparison for each pair that met.
    fn totals(&self) -> Vec<Comparison> {
        let total = |(one, other): (usize, usize)| {
            let weight = self.points[one][other] + self.points[other][one];
            Comparison { one, other, score: self.points[one][other] / weight, weight, round: 0, group: 0 }
        };
        pairs(self.points.len()).filter(|&(one, other)| self.met(one, other)).map(total).collect()
    }
}

fn pairs(n: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n).flat_map(move |one| (one + 1..n).map(move |other| (one, other)))
}

fn reaches_all(n: usize, is_link: impl Fn(usize, usize) -> bool) -> bool {
    let mut reached = vec![false; n];
    let mut waiting = vec![0];
    reached[0] = true;
    while let Some(from) = waiting.pop() {
        for to in 0..n {
            if !reached[to] && is_link(from, to) {
                reached[to] = true;
                waiting.push(to);
            }
        }
    }
    reached.iter().all(|&reached| reached)
}

fn likeliest(n: usize, games: &[Comparison]) -> Option<Vec<f64>> {
    let mut strengths = vec![0.0; n];
    let mut best = log_likelihood(&strengths, games);
    for _ in 0..100 {
        let gradient = gradient(&strengths, games);
        let inverse = inverse(grounded(&information(&strengths, games)))?;
        let step: Vec<f64> = inverse.iter().map(|row| row.iter().zip(&gradient).map(|(a, b)| a * b).sum()).collect();
        let mut length = 1.0;
        let longest = step.iter().fold(0.0, |longest: f64, step| longest.max(step.abs()));
        while length * longest > 1e-10 {
            let tried: Vec<f64> =
                strengths.iter().zip(&step).map(|(strength, step)| strength + length * step).collect();
            let likelihood = log_likelihood(&tried, games);
            if likelihood > best {
                (strengths, best) = (tried, likelihood);
                break;
            }
            length /= 2.0;
        }
        if length * longest <= 1e-10 {
            break;
        }
    }
    Some(strengths)
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

fn log_likelihood(strengths: &[f64], games: &[Comparison]) -> f64 {
    // ln σ(x) without overflow.
    let log_sigmoid = |x: f64| if x > 0.0 { -(-x).exp().ln_1p() } else { x - x.exp().ln_1p() };
    games
        .iter()
        .map(|game| {
            let ahead = strengths[game.one] - strengths[game.other];
            game.weight * (game.score * log_sigmoid(ahead) + (1.0 - game.score) * log_sigmoid(-ahead))
        })
        .sum()
}

fn gradient(strengths: &[f64], games: &[Comparison]) -> Vec<f64> {
    let mut gradient = vec![0.0; strengths.len()];
    for game in games {
        let surplus = game.weight * (game.score - sigmoid(strengths[game.one] - strengths[game.other]));
        gradient[game.one] += surplus;
        gradient[game.other] -= surplus;
    }
    gradient
}

// Fisher's information: minus the second derivatives of the log-likelihood.
fn information(strengths: &[f64], games: &[Comparison]) -> Vec<Vec<f64>> {
    let mut information = vec![vec![0.0; strengths.len()]; strengths.len()];
    for game in games {
        let expected = sigmoid(strengths[game.one] - strengths[game.other]);
        let weight = game.weight * expected * (1.0 - expected);
        information[game.one][game.one] += weight;
        information[game.other][game.other] += weight;
        information[game.one][game.other] -= weight;
        information[game.other][game.one] -= weight;
    }
    information
}

// Games that are not independent, together; in an order that is always the same, on which floating-point sums depend.
fn clusters(games: &[Comparison], key: impl Fn(&Comparison) -> u64) -> Vec<Vec<Comparison>> {
    let mut clusters: BTreeMap<u64, Vec<Comparison>> = BTreeMap::new();
    for game in games {
        clusters.entry(key(game)).or_default().push(*game);
    }
    clusters.into_values().collect()
}

// The covariance of the gradient: over clusters, each of the games `drawn` that were added being one, and one more cluster as
// independent games would have it.
fn spread(
    strengths: &[f64],
    clusters: &[Vec<Comparison>],
    correction: f64,
    drawn: &[Comparison],
    information: &[Vec<f64>],
) -> Vec<Vec<f64>> {
    let one_cluster = 1.0 / clusters.len() as f64;
    let mut spread: Vec<Vec<f64>> =
        information.iter().map(|row| row.iter().map(|entry| entry * one_cluster).collect()).collect();
    let weighed = clusters.iter().map(|games| (&games[..], correction));
    for (games, weight) in weighed.chain(drawn.chunks(1).map(|game| (game, 1.0))) {
        let sum = gradient(strengths, games);
        for (i, row) in spread.iter_mut().enumerate() {
            row.iter_mut().zip(&sum).for_each(|(entry, slope)| *entry += weight * sum[i] * slope);
        }
    }
    spread
}

// Ratings are determined up to a common constant: their sum is tied to 0.
fn grounded(information: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let tie = 1.0 / information.len() as f64;
    information.iter().map(|row| row.iter().map(|entry| entry + tie).collect()).collect()
}

fn product(one: &[Vec<f64>], other: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let n = one.len();
    let entry = |i: usize, j: usize| (0..n).map(|k| one[i][k] * other[k][j]).sum();
    (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect()
}

// By Gauss and Jordan; `None` where there is none.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let n = matrix.len();
    for (i, row) in matrix.iter_mut().enumerate() {
        row.extend((0..n).map(|j| f64::from(i == j)));
    }
    for column in 0..n {
        let pivot = (column..n).max_by(|&a, &b| matrix[a][column].abs().total_cmp(&matrix[b][column].abs()))?;
        matrix.swap(column, pivot);
        let head = matrix[column][column];
        if head.abs() < 1e-12 {
            return None;
        }
        matrix[column].iter_mut().for_each(|entry| *entry /= head);
        let row = matrix[column].clone();
        for (_, other) in matrix.iter_mut().enumerate().filter(|(i, _)| *i != column) {
            let factor = other[column];
            other.iter_mut().zip(&row).for_each(|(entry, by)| *entry -= factor * by);
        }
    }
    Some(matrix.into_iter().map(|row| row[n..].to_vec()).collect())
}

#[cfg(test)]
mod tests {
    use raichi_core::random::{below, stream};

    use super::*;

    fn game(one: usize, other: usize, score: f64, round: u64) -> Comparison {
        Comparison { one, other, score, weight: 1.0, round, group: (one + 10 * other) as u64 }
    }

    fn independent(wins: u64, draws: u64, losses: u64) -> Vec<Comparison> {
        let scores = [(wins, 1.0), (draws, 0.5), (losses, 0.0)];
        let all = scores.iter().flat_map(|&(n, score)| (0..n).map(move |_| score));
        all.enumerate().map(|(i, score)| game(0, 1, score, i as u64)).collect()
    }

    #[test]
    fn three_quarters_of_the_points_are_190_8_elo() {
        for games in [independent(75, 0, 25), independent(50, 50, 0), independent(3, 0, 1)] {
            let ratings = Ratings::fit(2, &games).unwrap();
            assert!(!ratings.with_prior());
            assert!((ratings.over(0, 1).value - 190.848_5).abs() < 1e-3, "{ratings:?}");
            assert!((ratings.over_mean(0).value - 95.424).abs() < 1e-3);
            assert!((ratings.over(1, 0).value + 190.848_5).abs() < 1e-3);
        }
        assert!((expected_score(190.848_5) - 0.75).abs() < 1e-6);
        assert!((expected_score(400.0) - 10.0 / 11.0).abs() < 1e-12);
    }

    #[test]
    fn the_interval_of_independent_games_is_the_binomial_one() {
        let elo = Ratings::fit(2, &independent(300, 0, 100)).unwrap().over(0, 1);
        // Delta method: 400 / ln 10 / sqrt(n p (1 − p)), times sqrt(1 + 1/n) for the round that is added.
        let expected = Z * SCALE / (400.0f64 * 0.75 * 0.25).sqrt() * (1.0f64 + 1.0 / 400.0).sqrt();
        assert!((elo.high - elo.value - expected).abs() < 1e-6, "{elo:?} {expected}");
        // Draws say more than wins and losses of the same mean.
        let drawn = Ratings::fit(2, &independent(0, 400, 0)).unwrap().over(0, 1);
        let decided = Ratings::fit(2, &independent(200, 0, 200)).unwrap().over(0, 1);
        assert!(drawn.high < decided.high / 5.0);
    }

    #[test]
    fn a_match_to_nothing_has_a_finite_estimate_that_says_so() {
        let ratings = Ratings::fit(2, &independent(20, 0, 0)).unwrap();
        let elo = ratings.over(0, 1);
        assert!(ratings.with_prior());
        // 20.5 of 21.
        assert!((elo.value - SCALE * (20.5f64 / 0.5).ln()).abs() < 1e-6, "{elo:?}");
    }

    #[test]
    fn the_interval_of_a_match_to_nothing_begins_where_the_binomial_one_does() {
        for n_games in [10u64, 20, 40, 100, 200, 1000] {
            // In pairs, as matches are played.
            let games: Vec<Comparison> = (0..n_games).map(|i| game(0, 1, 1.0, i / 2)).collect();
            let elo = Ratings::fit(2, &games).unwrap().over(0, 1);
            // Clopper and Pearson: the score with which so many wins have a probability of 2.5 %.
            let exact = 0.025f64.powf(1.0 / n_games as f64);
            let exact = SCALE * (exact / (1.0 - exact)).ln();
            assert!(
                (elo.low - exact).abs() < if n_games < 20 { 30.0 } else { 15.0 },
                "{n_games} games: {elo:?}, exactly {exact}"
            );
            assert!(elo.high > elo.value + 300.0 && elo.high.is_finite(), "{elo:?}");
        }
        // Who won everything against each of two others, and who is between them, are known no better.
        let others = [(0, 1), (0, 2), (1, 2)].map(|(one, other)| (0..40).map(move |i| game(one, other, 1.0, i / 2)));
        let elo = Ratings::fit(3, &others.into_iter().flatten().collect::<Vec<_>>()).unwrap().over(0, 1);
        assert!((300.0..450.0).contains(&elo.low) && elo.high > elo.value + 200.0, "{elo:?}");
    }

    #[test]
    fn intervals_cover_the_truth_where_one_side_wins_nearly_everything() {
        const MATCHES: u64 = 1000;
        for truth in [600.0, 700.0, 800.0] {
            let (mut covered, mut n_to_nothing) = (0, 0);
            for number in 0..MATCHES {
                let mut rng = stream(truth as u64, "match", number);
                let won = |rng: &mut _| {
                    f64::from(u8::from((below(rng, 1 << 20) as f64) < expected_score(truth) * (1 << 20) as f64))
                };
                let games: Vec<Comparison> = (0..40).map(|i| game(0, 1, won(&mut rng), i / 2)).collect();
                let ratings = Ratings::fit(2, &games).unwrap();
                let elo = ratings.over(0, 1);
                covered += u64::from((elo.low..elo.high).contains(&truth));
                n_to_nothing += u64::from(ratings.with_prior());
            }
            assert!(n_to_nothing > MATCHES / 5, "{n_to_nothing}");
            let covered = covered as f64 / MATCHES as f64;
            assert!(covered > 0.925, "{truth}: {covered}");
        }
    }

    #[test]
    fn intervals_cover_the_truth_where_agents_are_alike() {
        // Three agents play the same plies: what a round pays one of them against the last it pays all.
        const MATCHES: u64 = 1000;
        let truth = SCALE * (0.7f64 / 0.3).ln();
        let (mut covered, mut by_group) = (0, 0);
        for number in 0..MATCHES {
            let mut rng = stream(12, "match", number);
            let mut games = Vec::new();
            for round in 0..30 {
                let scores = [0, 1].map(|_| f64::from(u8::from(below(&mut rng, 10) < 7)));
                games.extend((0..3).flat_map(|one| scores.map(|score| game(one, 3, score, round))));
                games.extend([(0, 1), (0, 2), (1, 2)].map(|(one, other)| game(one, other, 0.5, round)));
            }
            let covers = |elo: Elo| u64::from((elo.low..elo.high).contains(&truth));
            covered += covers(Ratings::fit(4, &games).unwrap().over(0, 3));
            games.iter_mut().for_each(|game| game.round = mix(game.round ^ mix(game.group)));
            by_group += covers(Ratings::fit(4, &games).unwrap().over(0, 3));
        }
        let (covered, by_group) = (covered as f64 / MATCHES as f64, by_group as f64 / MATCHES as f64);
        assert!((0.93..0.98).contains(&covered), "{covered}");
        assert!(by_group < 0.85, "with each group's games of a round for independent: {by_group}");
    }

    #[test]
    fn ratings_need_games_that_link_all_agents() {
        assert!(Ratings::fit(4, &[game(0, 1, 1.0, 0), game(2, 3, 1.0, 1)]).is_none());
        assert!(Ratings::fit(1, &[]).is_none());
        assert!(Ratings::fit(3, &[game(0, 1, 1.0, 0), game(1, 2, 1.0, 1)]).is_some());
    }

    #[test]
    fn three_agents_get_back_the_ratings_that_their_scores_have() {
        let truth = [150.0, 0.0, -150.0];
        let mut games = Vec::new();
        for (one, other) in [(0, 1), (0, 2), (1, 2)] {
            let expected = expected_score(truth[one] - truth[other]);
            // Exact expected scores, so the estimate is exact.
            games.push(Comparison { weight: 100.0, ..game(one, other, expected, one as u64) });
        }
        let ratings = Ratings::fit(3, &games).unwrap();
        for agent in 0..3 {
            assert!((ratings.over_mean(agent).value - truth[agent]).abs() < 1e-6, "{ratings:?}");
        }
    }

    #[test]
    fn intervals_cover_the_truth_where_pairs_hang_together() {
        // The opening decides half of the pairs: each side wins as White. In the others each game is won with 0.6.
        let (mut covered, mut naive) = (0, 0);
        const MATCHES: u64 = 2000;
        let truth = SCALE * (0.55f64 / 0.45).ln();
        for number in 0..MATCHES {
            let mut rng = stream(11, "match", number);
            let mut games = Vec::new();
            for round in 0..60 {
                let scores = match below(&mut rng, 2) {
                    0 => [1.0, 0.0],
                    _ => [0, 1].map(|_| f64::from(u8::from(below(&mut rng, 10) < 6))),
                };
                games.extend(scores.map(|score| game(0, 1, score, round)));
            }
            let covers = |elo: Elo| u64::from((elo.low..elo.high).contains(&truth));
            covered += covers(Ratings::fit(2, &games).unwrap().over(0, 1));
            games.iter_mut().enumerate().for_each(|(i, game)| game.round = i as u64);
            naive += covers(Ratings::fit(2, &games).unwrap().over(0, 1));
        }
        let (covered, naive) = (covered as f64 / MATCHES as f64, naive as f64 / MATCHES as f64);
        assert!((0.935..0.975).contains(&covered), "{covered}");
        assert!(naive > covered + 0.02, "games taken for independent: {naive}, pairs: {covered}");
    }
}
