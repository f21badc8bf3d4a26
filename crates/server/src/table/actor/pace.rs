//! Where only engines play, those who watch say how fast: paused, step by step, slower or faster. That is the table's
//! for as long as it is open, and all who watch see the same.

use std::collections::VecDeque;
use std::time::Duration;

use super::super::requests::reused_id;
use super::Actor;
use crate::error::Refusal;
use crate::message::Pace;

/// The longest that a ply can be made to take.
const LONGEST: Duration = Duration::from_secs(60);
/// So many messages are known again: those who watch may send any number of them.
const MOST_DONE: usize = 100;

pub(super) struct Tempo {
    paused: bool,
    /// The least time that a ply takes.
    pause: Duration,
    /// Plies that may be played though it is paused.
    steps: usize,
    /// The latest messages that were carried out, by their ids: what they asked for, and how many plies there were.
    done: VecDeque<(String, Asked, usize)>,
}

#[derive(Clone, Copy, PartialEq)]
enum Asked {
    Pace(Pace),
    Step,
}

impl Tempo {
    pub(super) fn of(pause: Duration) -> Tempo {
        Tempo { paused: false, pause, steps: 0, done: VecDeque::new() }
    }

    /// An engine has decided.
    pub(super) fn stepped(&mut self) {
        self.steps = self.steps.saturating_sub(1);
    }

    /// How many plies there were when this was carried out, if it was.
    fn find(&self, id: &str, asked: Asked) -> Result<Option<usize>, Refusal> {
        match self.done.iter().find(|(other, ..)| other == id) {
            None => Ok(None),
            Some((_, done, n_plies)) if *done == asked => Ok(Some(*n_plies)),
            Some(_) => Err(reused_id(id)),
        }
    }

    fn note_done(&mut self, id: String, asked: Asked, n_plies: usize) {
        self.done.truncate(MOST_DONE - 1);
        self.done.push_front((id, asked, n_plies));
    }
}

impl Actor {
    fn only_engines_play(&self) -> bool {
        (0..self.game.seats().len()).all(|seat| self.game.engine(seat).is_some())
    }

    fn check_pace(&self) -> Result<(), Refusal> {
        if !self.only_engines_play() {
            return Err(Refusal::new("table/no-pace", "the pace is changed only where nobody but engines plays"));
        }
        if self.game.is_over() {
            return Err(raichi_core::PlayError::GameOver.into());
        }
        Ok(())
    }

    /// What views show.
    pub(super) fn pace(&self) -> Option<Pace> {
        let Tempo { paused, pause, .. } = self.tempo;
        let millis = u64::try_from(pause.as_millis()).unwrap_or(u64::MAX);
        (self.only_engines_play() && !self.game.is_over()).then_some(Pace { paused, millis })
    }

    /// Whether engines may begin to think.
    pub(super) fn may_go_on(&self) -> bool {
        !self.tempo.paused || self.tempo.steps > 0 || !self.only_engines_play()
    }

    /// The least time that an engine's ply takes.
    pub(super) fn engine_pause(&self) -> Duration {
        if self.only_engines_play() { self.tempo.pause } else { self.common.engine_pause }
    }

    pub(super) fn change_pace(&mut self, id: String, pace: Pace) -> Result<usize, Refusal> {
        if let Some(n_plies) = self.tempo.find(&id, Asked::Pace(pace))? {
            return Ok(n_plies);
        }
        self.check_pace()?;
        self.tempo.paused = pace.paused;
        self.tempo.pause = Duration::from_millis(pace.millis).min(LONGEST);
        self.tempo.steps = 0;
        self.tempo.note_done(id, Asked::Pace(pace), self.game.n_plies());
        // What was being thought about is begun anew, so that the new pace holds at once.
        self.stop_engines();
        self.start_engines();
        self.announce();
        Ok(self.game.n_plies())
    }

    pub(super) fn step(&mut self, id: String) -> Result<usize, Refusal> {
        if let Some(n_plies) = self.tempo.find(&id, Asked::Step)? {
            return Ok(n_plies);
        }
        self.check_pace()?;
        self.tempo.note_done(id, Asked::Step, self.game.n_plies());
        if self.tempo.paused {
            self.tempo.steps = 1;
            self.start_engines();
            self.announce();
        }
        Ok(self.game.n_plies())
    }
}
