//! Charts: tables about a game that stand beside its board, as data for anybody who draws them.
//!
//! An addition table, a chart of hands, what each card does and how many there are. A chart holds for the game with its
//! parameters ([`View::charts`](crate::picture::View::charts)); one that also says how things stand is part of the
//! [`Picture`](crate::picture::Picture) and takes the place of the game's chart of the same id.

use serde::Serialize;

use crate::picture::{PieceKind, Tone};

/// A table.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "wire-types", derive(ts_rs::TS))]
pub struct Chart {
    /// Unique among the charts of a game; letters, digits and hyphens.
    pub id: String,
    /// What it is called.
    pub title: String,
    /// How it is read, in a sentence or a few.
    pub text: String,
    /// What stands above the rows' heads.
    pub corner: String,
    /// Above the columns.
    pub columns: Vec<Entry>,
    /// Each has an entry for every column.
    pub rows: Vec<Row>,
}

/// A row of a chart.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "wire-types", derive(ts_rs::TS))]
pub struct Row {
    /// What the row is about.
    pub head: Entry,
    /// One for every column.
    pub entries: Vec<Entry>,
}

/// What stands in a place of a chart.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "wire-types", derive(ts_rs::TS))]
pub struct Entry {
    /// What it says; where there are figures, what they are for those who do not see them.
    pub text: String,
    /// Drawn in place of the text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "wire-types", ts(as = "Option<_>", optional))]
    pub figures: Vec<Figure>,
    /// A second, smaller line.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wire-types", ts(optional))]
    pub note: Option<String>,
    /// How the place is filled. It never says what the text does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wire-types", ts(optional))]
    pub tone: Option<Tone>,
    /// What is shown to those who open the place.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "wire-types", ts(as = "Option<_>", optional))]
    pub details: Vec<Detail>,
}

/// A thing that is drawn in a chart as it is on the board.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "wire-types", derive(ts_rs::TS))]
pub struct Figure {
    /// What it is.
    pub kind: PieceKind,
    /// Whose, or which colour.
    pub tone: Tone,
    /// Written on it, as on a [`Piece`](crate::picture::Piece).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wire-types", ts(optional))]
    pub text: Option<String>,
}

/// A line of what an entry tells besides.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "wire-types", derive(ts_rs::TS))]
pub struct Detail {
    /// Of what.
    pub label: String,
    /// What is said of it.
    pub value: String,
}

/// A way of writing what stands on the pieces of a game: letters, names, digits.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "wire-types", derive(ts_rs::TS))]
pub struct Lettering {
    /// What it is called.
    pub title: String,
    /// What is written in place of the pieces' own texts; what is not among them stays. Counts on tokens always stay.
    pub texts: Vec<(String, String)>,
}

impl Entry {
    /// Only text.
    pub fn text(text: impl Into<String>) -> Entry {
        Entry { text: text.into(), ..Entry::default() }
    }

    /// Figures, with what they are in words.
    pub fn figures(figures: Vec<Figure>, text: impl Into<String>) -> Entry {
        Entry { text: text.into(), figures, ..Entry::default() }
    }

    /// The same entry, which tells something besides.
    #[must_use]
    pub fn with_detail(mut self, label: impl Into<String>, value: impl Into<String>) -> Entry {
        self.details.push(Detail { label: label.into(), value: value.into() });
        self
    }
}

impl Chart {
    /// What is wrong with a chart, were it to be drawn; `None` where nothing is.
    pub fn fault(&self) -> Option<String> {
        let fault = |why: String| Some(format!("chart `{}`: {why}", self.id));
        let is_id = |c: char| c.is_ascii_alphanumeric() || c == '-';
        if self.id.is_empty() || !self.id.chars().all(is_id) {
            return fault("an id has letters, digits and hyphens".into());
        }
        if self.title.is_empty() || self.text.is_empty() {
            return fault("a title or its text is missing".into());
        }
        if let Some(row) = self.rows.iter().find(|row| row.entries.len() != self.columns.len()) {
            return fault(format!(
                "{} entries under {} columns in `{}`",
                row.entries.len(),
                self.columns.len(),
                row.head.text
            ));
        }
        let heads = self.columns.iter().chain(self.rows.iter().map(|row| &row.head));
        heads.into_iter().any(|head| head.text.is_empty()).then(|| format!("chart `{}`: a head says nothing", self.id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_with_a_hole_is_found() {
        let row = Row { head: Entry::text("a"), entries: vec![Entry::text("1")] };
        let chart = Chart {
            id: "sums".into(),
            title: "Sums".into(),
            text: "Add.".into(),
            columns: vec![Entry::text("x")],
            rows: vec![row],
            ..Chart::default()
        };
        assert_eq!(chart.fault(), None);
        let wide = Chart { columns: vec![Entry::text("x"), Entry::text("y")], ..chart.clone() };
        assert_eq!(wide.fault().unwrap(), "chart `sums`: 1 entries under 2 columns in `a`");
        assert!(Chart { id: "a b".into(), ..chart.clone() }.fault().unwrap().contains("an id has letters"));
        assert!(Chart { columns: vec![Entry::text("")], ..chart }.fault().unwrap().contains("a head says nothing"));
    }
}
