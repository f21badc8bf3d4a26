//! The Swiss system: in each stage those meet who have scored alike and have not met, as many stages as it takes to halve
//! the field down to one.
//!
//! Of two seats: from the top, each agent meets the next one that it has not met, with backtracking where that leaves
//! others without; where all possibilities have met, they meet again. One that is left over has a bye, which scores as a
//! won meeting: the lowest that had none yet. Of more seats: groups from the top.

use std::collections::HashSet;

use super::{Course, Meeting, Stage};

pub(super) struct Swiss {
    size: usize,
    stages_left: u32,
    scores: Vec<f64>,
    had_bye: Vec<bool>,
    met: HashSet<(usize, usize)>,
    stages: Vec<Stage>,
    is_over: bool,
}

impl Swiss {
    pub(super) fn new(n_agents: usize, size: usize) -> Swiss {
        let n_stages = usize::BITS - (n_agents.max(1) - 1).leading_zeros();
        Swiss {
            size,
            stages_left: n_stages,
            scores: vec![0.0; n_agents],
            had_bye: vec![false; n_agents],
            met: HashSet::new(),
            stages: Vec::new(),
            is_over: false,
        }
    }

    /// The next stage, after these meetings.
    pub(super) fn next(&mut self, played: &[Meeting]) -> Vec<Vec<usize>> {
        for meeting in played {
            for (&agent, score) in meeting.group.iter().zip(meeting.scores()) {
                self.scores[agent] += score;
            }
            self.stages.last_mut().expect("it is of a stage").meetings.push(meeting.ended(None));
        }
        if self.stages_left == 0 {
            self.is_over = true;
            return Vec::new();
        }
        self.stages_left -= 1;
        self.stages.push(Stage::default());
        let mut order: Vec<usize> = (0..self.scores.len()).collect();
        order.sort_by(|&one, &other| self.scores[other].total_cmp(&self.scores[one]));
        if self.size > 2 {
            return self.tables(&order);
        }
        if order.len() % 2 == 1 {
            let place = order.iter().rposition(|&agent| !self.had_bye[agent]).unwrap_or(order.len() - 1);
            self.bye(order.remove(place));
        }
        let pairs = pair(&order, &self.met).unwrap_or_else(|| order.chunks(2).map(<[usize]>::to_vec).collect());
        self.met.extend(pairs.iter().map(|pair| key(pair[0], pair[1])));
        pairs
    }

    pub(super) fn course(&self) -> Course {
        let best = self.scores.iter().copied().fold(f64::MIN, f64::max);
        // Scores are sums of shares, in whatever order.
        let mut winners = (0..self.scores.len()).filter(|&agent| best - self.scores[agent] < 1e-9);
        let winner = winners.next().filter(|_| self.is_over && winners.next().is_none());
        Course { stages: self.stages.clone(), scores: self.scores.clone(), winner }
    }

    fn bye(&mut self, agent: usize) {
        self.had_bye[agent] = true;
        self.stages.last_mut().expect("it is of a stage").byes.push(agent);
        self.scores[agent] += 1.0;
    }

    fn tables(&mut self, order: &[usize]) -> Vec<Vec<usize>> {
        let mut tables: Vec<Vec<usize>> = order.chunks(self.size).map(<[usize]>::to_vec).collect();
        if let Some(&[alone]) = tables.last().map(Vec::as_slice) {
            tables.pop();
            self.bye(alone);
        }
        tables
    }
}

fn key(one: usize, other: usize) -> (usize, usize) {
    (one.min(other), one.max(other))
}

fn pair(order: &[usize], met: &HashSet<(usize, usize)>) -> Option<Vec<Vec<usize>>> {
    let Some((&first, others)) = order.split_first() else { return Some(Vec::new()) };
    (0..others.len()).filter(|&i| !met.contains(&key(first, others[i]))).find_map(|i| {
        let mut left = others.to_vec();
        let other = left.remove(i);
        let mut pairs = pair(&left, met)?;
        pairs.insert(0, vec![first, other]);
        Some(pairs)
    })
}
