//! What is agreed about a table when it is created, and stays the same as long as it is there.

use serde::{Deserialize, Serialize};

use crate::store::{Holder, SeatRow};

/// What is agreed about a table. Stored as JSON, in which what a later version adds has a default.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Whether people may ask for hints and take back their plies.
    pub help: bool,
}

impl Settings {
    /// Those of a table from before there were any: help wherever nobody plays against another person.
    pub(crate) fn of_old_table(seats: &[SeatRow]) -> Settings {
        let n_people = seats.iter().filter(|row| matches!(row.holder, Holder::Human { .. })).count();
        Settings { help: n_people < 2 }
    }

    pub(crate) fn to_text(&self) -> String {
        serde_json::to_string(self).expect("settings have only text keys and whole numbers")
    }
}
