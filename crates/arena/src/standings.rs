//! What agents have scored: points, results by seat and against each other, and what their decisions cost.

use std::collections::BTreeMap;

use raichi_core::game::Facts;
use serde::Serialize;

use crate::contest::{Cost, Outcome};
use crate::ratings::{Elo, Ratings, comparisons, score};
use crate::statistics::{Estimate, Mean};

/// Games won, drawn and lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Paid more than everybody else.
    pub wins: u64,
    /// Paid as much as the best of the others.
    pub draws: u64,
    /// Paid less than somebody.
    pub losses: u64,
}

impl Tally {
    /// Counts a result: 1, ½ or 0.
    fn add(&mut self, score: f64) {
        match score {
            1.0 => self.wins += 1,
            0.0 => self.losses += 1,
            _ => self.draws += 1,
        }
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// A draw as half a win; ½ without games.
    pub fn score(&self) -> f64 {
        let n = self.count() as f64;
        if n == 0.0 { 0.5 } else { (self.wins as f64 + self.draws as f64 / 2.0) / n }
    }
}

/// What an agent has scored. A game counts once for each seat that the agent held in it.
#[derive(Clone, Debug, Serialize)]
pub struct Standing {
    /// The agent's canonical spec.
    pub spec: String,
    /// Seats held, all games together.
    pub games: u64,
    /// In games of two seats 1 for a win and ½ for a draw; what the seats were paid elsewhere.
    pub points: f64,
    /// Against the best of the others.
    pub tally: Tally,
    /// What a seat was paid, in the mean; `None` without games. The interval's unit is the round.
    pub payoff: Option<Mean>,
    /// By seat of the game.
    pub seats: Vec<SeatStanding>,
    /// How many Elo it is stronger than the contest's reference; `None` where that makes no sense.
    #[serde(serialize_with = "elo")]
    pub elo: Option<Elo>,
    /// Of its decisions in those games for which that is known.
    pub cost: Cost,
}

/// What an agent has scored on one seat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct SeatStanding {
    /// How often it sat there.
    pub games: u64,
    /// As [`Standing::points`].
    pub points: f64,
    /// As [`Standing::tally`].
    pub tally: Tally,
}

/// What the agents of a contest have scored in one game.
#[derive(Clone, Debug, Serialize)]
pub struct Standings {
    /// How many games were played.
    pub n_games: u64,
    /// Openings played, from all sides or as many as there were games for.
    pub n_rounds: u64,
    /// How many games are the same as an earlier one, ply for ply.
    pub n_repeated: u64,
    /// By agent.
    pub agents: Vec<Standing>,
    /// Of each agent against each other: rows against columns.
    pub matrix: Vec<Vec<Tally>>,
    /// What each seat was paid, all agents together. The intervals' unit is the round.
    pub seats: Vec<Mean>,
    /// In plies.
    pub mean_length: f64,
    /// Whether a drawn game was added to each pair, because no finite ratings are likeliest.
    pub with_prior: bool,
}

/// Who is at 0 Elo.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reference {
    /// The agent named last.
    Last,
    /// The mean of all.
    Mean,
}

impl Standings {
    /// Of these agents after these games, all of one game with these facts.
    pub fn of<'a>(
        agents: &[String],
        facts: &Facts,
        games: impl Iterator<Item = &'a Outcome> + Clone,
        reference: Reference,
    ) -> Standings {
        let n_games = games.clone().count() as u64;
        let rounds: std::collections::HashSet<u64> = games.clone().map(|game| game.planned.round).collect();
        let different: std::collections::HashSet<u64> = games.clone().map(|game| game.fingerprint).collect();
        let ratings = ratings(agents.len(), games.clone());
        let standing = |agent: usize| {
            let mut standing = standing(&agents[agent], agent, facts, games.clone());
            standing.elo = ratings.as_ref().map(|ratings| match reference {
                Reference::Last => ratings.over(agent, agents.len() - 1),
                Reference::Mean => ratings.over_mean(agent),
            });
            standing
        };
        let paid = |seat: usize| games.clone().map(move |game| (game.planned.round, game.payoffs[seat]));
        Standings {
            n_games,
            n_rounds: rounds.len() as u64,
            n_repeated: n_games - different.len() as u64,
            agents: (0..agents.len()).map(standing).collect(),
            matrix: matrix(agents.len(), games.clone()),
            seats: (0..facts.n_seats).filter_map(|seat| payoff(paid(seat), facts)).collect(),
            mean_length: games.clone().map(|game| game.n_plies as f64).sum::<f64>() / (n_games.max(1)) as f64,
            with_prior: ratings.is_some_and(|ratings| ratings.with_prior()),
        }
    }

    /// The agents from the first to the last: by Elo where there is any, else by points a game.
    pub fn order(&self) -> Vec<usize> {
        let strength = |agent: usize| {
            let standing = &self.agents[agent];
            let mean = standing.points / standing.games.max(1) as f64;
            standing.elo.map_or(mean, |elo| elo.value)
        };
        let mut order: Vec<usize> = (0..self.agents.len()).collect();
        order.sort_by(|&one, &other| strength(other).total_cmp(&strength(one)));
        order
    }
}

/// Elo of all agents over these games, of whatever kinds; `None` where they do not link the agents.
pub fn ratings<'a>(n_agents: usize, games: impl Iterator<Item = &'a Outcome>) -> Option<Ratings> {
    Ratings::fit(n_agents, &games.flat_map(comparisons).collect::<Vec<_>>())
}

fn standing<'a>(spec: &str, agent: usize, facts: &Facts, games: impl Iterator<Item = &'a Outcome>) -> Standing {
    let n_seats = facts.n_seats;
    let mut seats = vec![SeatStanding::default(); n_seats];
    let mut payoffs = Vec::new();
    let mut cost = Cost::default();
    for game in games {
        for seat in (0..n_seats).filter(|&seat| game.planned.seats[seat] == agent) {
            let entry = &mut seats[seat];
            entry.games += 1;
            entry.points += points(&game.payoffs, seat);
            if let Some(result) = result(&game.payoffs, seat) {
                entry.tally.add(result);
            }
            payoffs.push((game.planned.round, game.payoffs[seat]));
            if let Some(costs) = &game.costs {
                cost.add(&costs[seat]);
            }
        }
    }
    let mut tally = Tally::default();
    for seat in &seats {
        tally.wins += seat.tally.wins;
        tally.draws += seat.tally.draws;
        tally.losses += seat.tally.losses;
    }
    Standing {
        spec: spec.into(),
        games: payoffs.len() as u64,
        points: seats.iter().map(|seat| seat.points).sum(),
        tally,
        payoff: payoff(payoffs.into_iter(), facts),
        seats,
        elo: None,
        cost,
    }
}

// The mean of what was paid in rounds; `None` without games. All games of a round have the same opening and the same chance.
fn payoff(paid: impl Iterator<Item = (u64, f64)>, facts: &Facts) -> Option<Mean> {
    let mut rounds: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
    for (round, payoff) in paid {
        rounds.entry(round).or_default().push(payoff);
    }
    let is_any = !rounds.is_empty();
    is_any.then(|| Mean::payoff_by_round(rounds.values().map(Vec::as_slice), facts.payoff_range))
}

/// What a seat scored: 1 for a win and ½ for a draw in a game of two seats, what it was paid elsewhere.
pub fn points(payoffs: &[f64], seat: usize) -> f64 {
    match *payoffs {
        [one, other] => score(if seat == 0 { one } else { other }, if seat == 0 { other } else { one }),
        _ => payoffs[seat],
    }
}

// Against the best of the others; `None` for a game alone.
fn result(payoffs: &[f64], seat: usize) -> Option<f64> {
    let others = (0..payoffs.len()).filter(|&other| other != seat).map(|other| payoffs[other]);
    others.max_by(f64::total_cmp).map(|best| score(payoffs[seat], best))
}

fn matrix<'a>(n_agents: usize, games: impl Iterator<Item = &'a Outcome>) -> Vec<Vec<Tally>> {
    let mut matrix = vec![vec![Tally::default(); n_agents]; n_agents];
    for comparison in games.flat_map(comparisons) {
        matrix[comparison.one][comparison.other].add(comparison.score);
        matrix[comparison.other][comparison.one].add(1.0 - comparison.score);
    }
    matrix
}

/// The line that ends the output of `match` and `tournament` for programs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// In the order in which they were named.
    pub agents: Vec<SummaryLine>,
}

/// One agent of a [`Summary`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SummaryLine {
    /// The agent's canonical spec.
    pub spec: String,
    /// Seats held.
    pub games: u64,
    /// See [`Standing::points`].
    pub points: f64,
    /// The estimate.
    pub elo: Option<f64>,
    /// The ends of its 95 % interval.
    pub interval: Option<[f64; 2]>,
}

impl SummaryLine {
    /// Of one agent.
    pub fn of(standing: &Standing) -> SummaryLine {
        SummaryLine {
            spec: standing.spec.clone(),
            games: standing.games,
            points: standing.points,
            elo: standing.elo.map(|elo| elo.value),
            interval: standing.elo.map(|elo| [elo.low, elo.high]),
        }
    }
}

fn elo<S: serde::Serializer>(elo: &Option<Elo>, serializer: S) -> Result<S::Ok, S::Error> {
    elo.map(|elo| Estimate { value: elo.value, low: elo.low, high: elo.high }).serialize(serializer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest::Planned;

    fn game(number: u64, seats: &[usize], payoffs: &[f64]) -> Outcome {
        Outcome {
            planned: Planned { number, game: 0, seats: seats.to_vec(), round: number / 2, seed: 0 },
            payoffs: payoffs.to_vec(),
            end: "line".into(),
            n_plies: 7,
            fingerprint: number,
            costs: None,
        }
    }

    fn facts(game: &str) -> Facts {
        raichi_games::game(game).unwrap().facts()
    }

    #[test]
    fn two_seats_score_wins_and_draws_whatever_they_pay() {
        let games = [game(0, &[0, 1], &[10.0, -3.0]), game(1, &[1, 0], &[2.0, 2.0]), game(2, &[0, 1], &[-1.0, 1.0])];
        let names = ["a".to_string(), "b".to_string()];
        let standings = Standings::of(&names, &facts("tic-tac-toe"), games.iter(), Reference::Last);
        let [a, b] = &standings.agents[..] else { panic!("two agents") };
        assert_eq!((a.games, a.points, b.points), (3, 1.5, 1.5));
        assert_eq!(a.tally, Tally { wins: 1, draws: 1, losses: 1 });
        assert_eq!((a.seats[0].games, a.seats[0].points, a.seats[1].points), (2, 1.0, 0.5));
        assert_eq!(standings.matrix[1][0], Tally { wins: 1, draws: 1, losses: 1 });
        // Rounds of 11, 2 and −1 in the mean of all three games; the first seat of one round alone has no interval.
        assert!((standings.seats[0].value - 11.0 / 3.0).abs() < 1e-12 && standings.seats[0].interval.is_some());
        let round = Standings::of(&names, &facts("tic-tac-toe"), games[..2].iter(), Reference::Last);
        assert!(
            round.seats.iter().all(|seat| seat.interval.is_none())
                && round.agents[0].payoff.unwrap().interval.is_none()
        );
        assert_eq!(b.elo.unwrap().value, 0.0);
        assert!(a.elo.unwrap().value.abs() < 1e-6);
    }

    #[test]
    fn other_games_score_what_they_pay() {
        let names = ["a".to_string(), "b".to_string()];
        let three = [game(0, &[0, 1, 0], &[1.0, 0.2, 0.0])];
        let standings = Standings::of(&names, &facts("nim3p"), three.iter(), Reference::Last);
        assert_eq!((standings.agents[0].games, standings.agents[0].points), (2, 1.0));
        assert_eq!(standings.agents[0].tally, Tally { wins: 1, draws: 0, losses: 1 });
        let alone = [game(0, &[0], &[2048.0]), game(1, &[1], &[512.0])];
        let standings = Standings::of(&names, &facts("2048"), alone.iter(), Reference::Last);
        assert_eq!(standings.agents[0].points, 2048.0);
        assert!(standings.agents.iter().all(|agent| agent.elo.is_none() && agent.tally.count() == 0));
        assert_eq!(standings.order(), [0, 1]);
    }
}
