//! Where only engines play, those who watch say how fast: paused, step by step, slower or faster. That is the table's
//! for as long as it is open, and all who watch see the same.

use std::time::Duration;

use super::Actor;
use crate::error::Refusal;
use crate::message::Pace;

/// The longest that a ply can be made to take.
const LONGEST: Duration = Duration::from_secs(60);

pub(super) struct Tempo {
    paused: bool,
    /// The least time that a ply takes.
    pause: Duration,
    /// Plies that may be played though it is paused.
    steps: usize,
}

impl Tempo {
    pub(super) fn of(pause: Duration) -> Tempo {
        Tempo { paused: false, pause, steps: 0 }
    }

    /// An engine has decided.
    pub(super) fn stepped(&mut self) {
        self.steps = self.steps.saturating_sub(1);
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

    pub(super) fn change_pace(&mut self, pace: Pace) -> Result<usize, Refusal> {
        self.check_pace()?;
        let pause = Duration::from_millis(pace.millis).min(LONGEST);
        self.tempo = Tempo { paused: pace.paused, pause, steps: 0 };
        // What was being thought about is begun anew, so that the new pace holds at once.
        self.stop_engines();
        self.start_engines();
        self.announce();
        Ok(self.game.n_plies())
    }

    pub(super) fn step(&mut self) -> Result<usize, Refusal> {
        self.check_pace()?;
        if self.tempo.paused {
            self.tempo.steps = 1;
            self.start_engines();
            self.announce();
        }
        Ok(self.game.n_plies())
    }
}
