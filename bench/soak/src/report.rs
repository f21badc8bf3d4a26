//! The table of figures, and what must not happen.

use std::fmt::Display;

use crate::player::Figures;

/// So many faults of a scenario are shown.
const SHOWN: usize = 5;

/// What was measured, and what went wrong.
#[derive(Default)]
pub(crate) struct Report {
    rows: Vec<(String, String, String)>,
    faults: Vec<String>,
}

impl Report {
    pub(crate) fn figure(&mut self, scenario: &str, what: &str, value: impl Display) {
        let value = value.to_string();
        println!("{scenario}: {what}: {value}");
        self.rows.push((scenario.into(), what.into(), value));
    }

    /// Something that must hold on any machine.
    pub(crate) fn check(&mut self, scenario: &str, what: &str, holds: bool) {
        if !holds {
            self.fault(scenario, what);
        }
    }

    pub(crate) fn fault(&mut self, scenario: &str, what: impl Display) {
        println!("{scenario}: WRONG: {what}");
        self.faults.push(format!("{scenario}: {what}"));
    }

    /// What the players of a scenario saw.
    pub(crate) fn faults(&mut self, scenario: &str, figures: &Figures) {
        let faults = figures.faults();
        for what in faults.iter().take(SHOWN) {
            self.fault(scenario, what);
        }
        if faults.len() > SHOWN {
            self.fault(scenario, format_args!("and {} more like these", faults.len() - SHOWN));
        }
    }

    /// As Markdown; whether all is well.
    pub(crate) fn print(&self) -> bool {
        println!("\n| Scenario | Figure | Value |\n|---|---|---|");
        let mut last = "";
        for (scenario, what, value) in &self.rows {
            println!("| {} | {what} | {value} |", if scenario == last { "" } else { scenario });
            last = scenario;
        }
        println!();
        self.faults.iter().for_each(|fault| println!("WRONG: {fault}"));
        println!("{}", if self.faults.is_empty() { "nothing went wrong" } else { "something went wrong" });
        self.faults.is_empty()
    }
}

/// The value below which so many of a hundred lie, of values in order.
pub(crate) fn percentile(sorted: &[u32], percent: usize) -> u32 {
    if sorted.is_empty() { 0 } else { sorted[(sorted.len() * percent / 100).min(sorted.len() - 1)] }
}

pub(crate) fn millis(micros: u32) -> String {
    format!("{:.1} ms", f64::from(micros) / 1000.0)
}

pub(crate) fn kib(kib: u64) -> String {
    format!("{:.1} MiB", kib as f64 / 1024.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_of_all_values() {
        let values: Vec<u32> = (1..=200).collect();
        assert_eq!((percentile(&values, 50), percentile(&values, 99), percentile(&values, 100)), (101, 199, 200));
        assert_eq!(percentile(&[], 99), 0);
    }
}
