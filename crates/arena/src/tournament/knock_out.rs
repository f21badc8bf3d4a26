//! Knock-out: groups of as many agents as have seats; the best of each goes on, until one is left.
//!
//! Agents are seeded in the order in which they were named: the first meets the last. In games of two seats the first
//! ones begin in the second stage where the agents are no power of two. A level meeting is played on: all of it once more, and
//! all games count, up to three times; then the one named first goes on.

use super::{Course, Meeting, Stage};

/// How often a level meeting is played on.
const MOST_EXTRA: u32 = 3;

pub(super) struct KnockOut {
    /// Agents still in, in their order.
    alive: Vec<usize>,
    size: usize,
    /// How often the meetings of this stage were played on.
    n_extra: u32,
    /// Meetings that were level so far, with all their games.
    level: Vec<Meeting>,
    stages: Vec<Stage>,
}

impl KnockOut {
    pub(super) fn new(n_agents: usize, size: usize) -> KnockOut {
        KnockOut { alive: (0..n_agents).collect(), size, n_extra: 0, level: Vec::new(), stages: Vec::new() }
    }

    /// The next stage, after these meetings.
    pub(super) fn next(&mut self, played: &[Meeting]) -> Vec<Vec<usize>> {
        let played: Vec<Meeting> = played.iter().map(|meeting| self.with_earlier(meeting)).collect();
        self.level.clear();
        for meeting in played {
            match sole_winner(&meeting) {
                None if self.n_extra < MOST_EXTRA => self.level.push(meeting),
                winner => {
                    let winner = winner.unwrap_or_else(|| first_of_best(&meeting));
                    self.alive.retain(|agent| *agent == winner || !meeting.group.contains(agent));
                    self.stages.last_mut().expect("it is of a stage").meetings.push(meeting.ended(Some(winner)));
                }
            }
        }
        if !self.level.is_empty() {
            self.n_extra += 1;
            return self.level.iter().map(|meeting| meeting.group.clone()).collect();
        }
        self.n_extra = 0;
        let groups = self.stage();
        if !groups.is_empty() {
            let byes = self.alive.iter().copied().filter(|agent| !groups.iter().any(|group| group.contains(agent)));
            self.stages.push(Stage { meetings: Vec::new(), byes: byes.collect() });
        }
        groups
    }

    pub(super) fn course(&self) -> Course {
        let winner = match self.alive[..] {
            [winner] => Some(winner),
            _ => None,
        };
        Course { stages: self.stages.clone(), scores: Vec::new(), winner }
    }

    fn with_earlier(&self, meeting: &Meeting) -> Meeting {
        let earlier = self.level.iter().find(|level| level.group == meeting.group);
        let results = earlier.into_iter().chain([meeting]).flat_map(|meeting| meeting.results.clone());
        Meeting { group: meeting.group.clone(), results: results.collect() }
    }

    fn stage(&self) -> Vec<Vec<usize>> {
        let n = self.alive.len();
        if n < 2 {
            return Vec::new();
        }
        let n_byes = if self.size == 2 { n.next_power_of_two() - n } else { 0 };
        let playing = &self.alive[n_byes..];
        let n_groups = playing.len().div_ceil(self.size);
        let mut groups = vec![Vec::new(); n_groups];
        // To and fro, so that the strong are spread over the groups.
        for (i, &agent) in playing.iter().enumerate() {
            let at = i % n_groups;
            groups[if (i / n_groups).is_multiple_of(2) { at } else { n_groups - 1 - at }].push(agent);
        }
        groups.retain(|group| group.len() > 1);
        groups
    }
}

fn sole_winner(meeting: &Meeting) -> Option<usize> {
    let scores = meeting.scores();
    let best = scores.iter().copied().fold(f64::MIN, f64::max);
    let mut winners = (0..scores.len()).filter(|&i| scores[i] == best);
    let winner = winners.next()?;
    winners.next().is_none().then(|| meeting.group[winner])
}

fn first_of_best(meeting: &Meeting) -> usize {
    let scores = meeting.scores();
    let best = scores.iter().copied().fold(f64::MIN, f64::max);
    let tied = (0..scores.len()).filter(|&i| scores[i] == best).map(|i| meeting.group[i]);
    tied.min().expect("a group has agents")
}
