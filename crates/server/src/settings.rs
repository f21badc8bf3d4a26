//! What is agreed about a table when it is created, and stays the same as long as it is there.

use serde::{Deserialize, Serialize};

use crate::clock::TimeControl;
use crate::store::{Holder, SeatRow};

/// What is agreed about a table. Stored as JSON, in which what a later version adds has a default.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Whether people may ask for hints and take back their plies.
    pub help: bool,
    /// How much time seats have; `None` where they have all the time in the world.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<TimeControl>,
}

impl Settings {
    /// Those of a table from before there were any: help wherever nobody plays against another person.
    pub(crate) fn of_old_table(seats: &[SeatRow]) -> Settings {
        let n_people = seats.iter().filter(|row| matches!(row.holder, Holder::Human { .. })).count();
        Settings { help: n_people < 2, clock: None }
    }

    /// Whether plies are taken back: with clocks the time would not come back with them.
    pub(crate) fn takes_back(&self) -> bool {
        self.help && self.clock.is_none()
    }

    pub(crate) fn to_text(&self) -> String {
        serde_json::to_string(self).expect("settings have only text keys and whole numbers")
    }
}
