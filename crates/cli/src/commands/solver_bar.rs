//! How far a solver has come, on standard error where that is a terminal: what it does, how much it has searched, how much of the
//! time is over, and how long it may still take where that can be told.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use humantime::format_duration;
use indicatif::{HumanCount, ProgressBar, ProgressState, ProgressStyle};
use raichi_agents::truth::{ACTIONS, ACTIONS_FIRST, POSITION, Truth};
use raichi_agents::{Progress, Statistics};

/// The bar. It is drawn from the first work on.
pub(crate) struct SolverBar {
    bar: ProgressBar,
    shown: Arc<Mutex<Shown>>,
}

/// How often it is drawn.
const TICK: Duration = Duration::from_millis(200);

impl SolverBar {
    pub(crate) fn new() -> SolverBar {
        let bar = SolverBar { bar: ProgressBar::new_spinner(), shown: Arc::default() };
        bar.set_style("{spinner} {what} {how_far}");
        bar
    }

    /// What is drawn, for who writes beside it.
    pub(crate) fn bar(&self) -> &ProgressBar {
        &self.bar
    }

    /// Shows how much is searched, too.
    pub(crate) fn watch(&self, truth: &Arc<dyn Truth>) {
        if self.bar.is_hidden() {
            return;
        }
        let (shown, truth) = (Arc::downgrade(&self.shown), Arc::downgrade(truth));
        // By a thread of its own: who is asked may be busy, and nobody waits for the bar.
        thread::spawn(move || {
            while let (Some(shown), Some(truth)) = (shown.upgrade(), truth.upgrade()) {
                let searched = truth.statistics();
                lock(&shown).searched = searched;
                drop((shown, truth));
                thread::sleep(TICK);
            }
        });
    }

    /// Begins with work that may take so long.
    pub(crate) fn begin(&self, time: Option<Duration>) {
        lock(&self.shown).begin(time, Instant::now());
        self.bar.enable_steady_tick(TICK);
    }

    /// Says how far it has come.
    pub(crate) fn show(&self, progress: Progress) {
        let (done, total) = {
            let mut shown = lock(&self.shown);
            shown.note(progress, Instant::now());
            shown.part()
        };
        let has_bar = self.bar.length().is_some_and(|length| length > 0);
        if has_bar != (total > 0) {
            self.set_style(if total > 0 {
                "{spinner} {what} {wide_bar} {how_far}"
            } else {
                "{spinner} {what} {how_far}"
            });
        }
        self.bar.set_length(total);
        self.bar.set_position(done);
    }

    /// Takes it away.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn set_style(&self, template: &str) {
        let style = ProgressStyle::with_template(template).expect("the template is well-formed");
        let (what, how_far) = (Arc::clone(&self.shown), Arc::clone(&self.shown));
        let style = style.with_key("what", move |_: &ProgressState, text: &mut dyn fmt::Write| {
            let _ = text.write_str(&lock(&what).what());
        });
        self.bar.set_style(style.with_key("how_far", move |_: &ProgressState, text: &mut dyn fmt::Write| {
            let _ = text.write_str(&lock(&how_far).how_far(Instant::now()));
        }));
    }
}

fn lock(shown: &Mutex<Shown>) -> MutexGuard<'_, Shown> {
    shown.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What is shown.
#[derive(Default)]
struct Shown {
    begun: Option<Instant>,
    /// What it may take.
    time: Option<Duration>,
    searched: Statistics,
    /// What was searched when it began.
    before: Statistics,
    /// Which of the actions it is at.
    actions: Option<Stage>,
    /// What the solver does.
    stage: Option<Stage>,
}

/// Work of one kind.
struct Stage {
    progress: Progress,
    /// How much was done when it began, and when that was.
    first: (u64, Instant),
}

impl Stage {
    fn update(stage: &mut Option<Stage>, progress: Progress, now: Instant) {
        match stage {
            Some(Stage { progress: old, .. })
                if (old.stage, old.total) == (progress.stage, progress.total) && old.done <= progress.done =>
            {
                *old = progress;
            }
            _ => *stage = Some(Stage { progress, first: (progress.done, now) }),
        }
    }

    /// How long it still takes if all parts of it take as long as those that are done; nothing before one is done.
    fn left(&self, now: Instant) -> Option<Duration> {
        let Stage { progress: Progress { done, total, .. }, first: (first, begun) } = self;
        let (done, left) = (done.checked_sub(*first)?, total.checked_sub(*done)?);
        (done > 0).then(|| now.duration_since(*begun).mul_f64(left as f64 / done as f64))
    }
}

impl Shown {
    fn begin(&mut self, time: Option<Duration>, now: Instant) {
        let searched = self.searched;
        *self = Shown { begun: Some(now), time, searched, before: searched, ..Shown::default() };
    }

    fn note(&mut self, progress: Progress, now: Instant) {
        let place = match progress.stage {
            POSITION => {
                self.actions = None;
                &mut self.stage
            }
            ACTIONS | ACTIONS_FIRST => {
                // What comes next is about this action.
                self.stage = None;
                &mut self.actions
            }
            _ => &mut self.stage,
        };
        Stage::update(place, progress, now);
    }

    /// The stage that has a length, the narrowest first.
    fn measured(&self) -> Option<&Stage> {
        [&self.stage, &self.actions].into_iter().flatten().find(|stage| stage.progress.total > 0)
    }

    /// How much is done, of how much; twice 0 where nobody knows.
    fn part(&self) -> (u64, u64) {
        self.measured().map_or((0, 0), |stage| (stage.progress.done, stage.progress.total))
    }

    fn what(&self) -> String {
        let text = |stage: &Stage| {
            let Progress { stage, done, total } = stage.progress;
            match (done, total) {
                (0, 0) => stage.to_string(),
                (_, 0) => format!("{stage} {}", HumanCount(done)),
                _ => format!("{stage} {}/{}", HumanCount(done), HumanCount(total)),
            }
        };
        let stages: Vec<String> = [&self.actions, &self.stage].into_iter().flatten().map(text).collect();
        stages.join(", ")
    }

    fn how_far(&self, now: Instant) -> String {
        let whole = |duration: Duration| format_duration(Duration::from_secs(duration.as_secs()));
        let elapsed = self.begun.map(|begun| now.duration_since(begun)).unwrap_or_default();
        let mut time = whole(elapsed).to_string();
        if let Some(limit) = self.time {
            time += &format!(" of {}", format_duration(limit));
        }
        // Of what a solver does for one action nothing follows for all, nor of a short look at them.
        let estimated = self.actions.as_ref().or(self.stage.as_ref());
        let estimated = estimated.filter(|stage| stage.progress.stage != ACTIONS_FIRST);
        if let Some(left) = estimated.and_then(|stage| stage.left(now)) {
            time += &format!(", about {} left", whole(left));
        }
        let nodes = self.searched.nodes.saturating_sub(self.before.nodes);
        let positions = self.searched.positions.saturating_sub(self.before.positions);
        match (nodes, positions) {
            (0, 0) => format!("({time})"),
            (0, positions) => format!("{} positions ({time})", HumanCount(positions)),
            (nodes, _) => format!("{} nodes ({time})", HumanCount(nodes)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_estimate_is_given_where_a_total_is_known_and_a_part_is_done() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let mut shown = Shown::default();
        shown.begin(Some(Duration::from_secs(60)), start);
        let mut told = |seconds: u64, stage, done, total| {
            shown.note(Progress { stage, done, total }, at(seconds));
            format!("{} {}", shown.what(), shown.how_far(at(seconds)))
        };
        assert_eq!(told(0, POSITION, 0, 0), "the position (0s of 1m)");
        assert_eq!(told(3, "payoffs", 0, 0), "payoffs (3s of 1m)");
        assert_eq!(told(4, "positions", 12_345, 0), "positions 12,345 (4s of 1m)");
        // A stage that begins in the middle is measured from there on.
        assert_eq!(told(10, "values", 40, 100), "values 40/100 (10s of 1m)");
        assert_eq!(told(20, "values", 60, 100), "values 60/100 (20s of 1m, about 20s left)");
        assert_eq!(told(25, ACTIONS_FIRST, 0, 4), "first look at actions 0/4 (25s of 1m)");
        assert_eq!(told(26, ACTIONS_FIRST, 1, 4), "first look at actions 1/4 (26s of 1m)");
        assert_eq!(told(30, ACTIONS, 0, 4), "actions 0/4 (30s of 1m)");
        assert_eq!(told(32, "payoffs", 0, 0), "actions 0/4, payoffs (32s of 1m)");
        assert_eq!(told(35, ACTIONS, 1, 4), "actions 1/4 (35s of 1m, about 15s left)");
        // What a solver does for one action tells nothing of all.
        assert_eq!(told(36, "values", 1, 100), "actions 1/4, values 1/100 (36s of 1m, about 18s left)");
        assert_eq!(told(40, "values", 99, 100), "actions 1/4, values 99/100 (40s of 1m, about 30s left)");
        assert_eq!(shown.part(), (99, 100));
    }

    #[test]
    fn what_was_searched_counts_from_the_beginning_of_the_work() {
        let start = Instant::now();
        let searched = |nodes, positions| Statistics { nodes, positions, bytes: 0 };
        let mut shown = Shown { searched: searched(0, 5), ..Shown::default() };
        shown.begin(None, start);
        let now = start + Duration::from_secs(65);
        assert_eq!(shown.how_far(now), "(1m 5s)");
        shown.searched = searched(0, 1005);
        assert_eq!(shown.how_far(now), "1,000 positions (1m 5s)");
        shown.searched = searched(1_000_000, 1005);
        assert_eq!(shown.how_far(now), "1,000,000 nodes (1m 5s)");
        shown.begin(None, now);
        assert_eq!(shown.how_far(now), "(0s)");
    }
}
