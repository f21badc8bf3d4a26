//! Training runs as one page: the curves of runs, and the mean and the spread of those that differ in their seed only.

use std::collections::BTreeMap;

use raichi_agents::trained::{CurvePoint, Evaluation, Manifest};

use super::page::{escape, figure, styled, table};
use super::plots::{Line, lines};
use crate::statistics::Spread;

/// Games of training, what was measured then, and the ends of its interval.
type Measured = (f64, f64, f64, f64);

/// A run: a trained agent's manifest, or the curve of one in training.
#[derive(Clone, Debug)]
pub struct ReportedRun {
    /// What it is called on the page.
    pub name: String,
    /// What is known of it.
    pub manifest: Manifest,
}

/// Specs of agents are long, and are broken after their commas.
const STYLE: &str = ".spec { min-width: 13rem; text-align: left; white-space: normal; overflow-wrap: anywhere; }";

fn spec(text: &str) -> String {
    format!("<td class=\"spec\">{}</td>", escape(text).replace(',', ",<wbr>"))
}

/// What was trained: runs that differ in their seed only have it in common.
fn kind(run: &ReportedRun) -> String {
    match (run.manifest.game.as_str(), run.manifest.agent.as_str()) {
        ("", "") => "not said".into(),
        (game, agent) => format!("{game} with {agent}"),
    }
}

/// The runs by what was trained.
fn kinds(runs: &[ReportedRun]) -> BTreeMap<String, Vec<&ReportedRun>> {
    let mut kinds: BTreeMap<String, Vec<&ReportedRun>> = BTreeMap::new();
    for run in runs {
        kinds.entry(kind(run)).or_default().push(run);
    }
    kinds
}

fn colour(i: usize) -> &'static str {
    COLOURS[i % COLOURS.len()]
}

/// The colour of a line, for the row that is about it.
fn swatch(i: usize) -> String {
    format!("<span style=\"color:{}\">━</span>", colour(i))
}

/// What an evaluation measures.
fn measure(evaluation: &Evaluation) -> String {
    let seat = evaluation.seat.map(|seat| format!(", seat {seat}")).unwrap_or_default();
    format!("against {}, starts {}{seat}", evaluation.against, evaluation.starts)
}

const COLOURS: [&str; 6] = [
    "var(--tone-seat-1)",
    "var(--ink)",
    "var(--tone-seat-2)",
    "var(--ink-2)",
    "var(--tone-seat-3)",
    "var(--tone-seat-4)",
];

/// The page.
pub fn html(runs: &[ReportedRun]) -> String {
    let measures: std::collections::BTreeSet<String> = runs.iter().flat_map(all_measures).collect();
    let mut body = legend(runs);
    for measured in &measures {
        let score = |point: &CurvePoint| {
            let found = point.evaluations.iter().find(|evaluation| measure(evaluation) == *measured)?;
            let [low, high] = found.interval.unwrap_or([found.score; 2]);
            Some((point.games as f64, found.score, low, high))
        };
        let kept = |point: &CurvePoint| {
            let found = point.evaluations.iter().find(|evaluation| measure(evaluation) == *measured)?;
            let kept = found.kept?;
            let [low, high] = found.kept_interval.unwrap_or([kept; 2]);
            Some((point.games as f64, kept, low, high))
        };
        let drawn = |of: &dyn Fn(&CurvePoint) -> Option<Measured>| {
            let line = |(i, run): (usize, &ReportedRun)| Line {
                colour: colour(i).into(),
                band: false,
                points: run.manifest.curve.iter().filter_map(of).collect(),
            };
            lines(&runs.iter().enumerate().map(line).collect::<Vec<_>>(), "games of training")
        };
        let kept_share = format!("hare of games in which the exact value was kept, {measured}");
        body += &figure(&format!("Mean payoff {measured}, with 95 % intervals"), &drawn(&score));
        body += &figure(&format!("S{kept_share}"), &drawn(&kept));
        let spread = "with a band of one deviation of the runs to each side";
        body += &figure(&format!("Mean of runs: mean payoff {measured}, {spread}"), &mean_lines(runs, &score));
        body += &figure(&format!("Mean of runs: s{kept_share}, {spread}"), &mean_lines(runs, &kept));
        body += &means(runs, measured);
    }
    styled("Training runs", STYLE, &body)
}

/// The mean and the spread of runs that differ in their seed only, where there are several; nothing where there are none.
fn mean_lines(runs: &[ReportedRun], of: &dyn Fn(&CurvePoint) -> Option<Measured>) -> String {
    let several = |(i, runs): (usize, Vec<&ReportedRun>)| {
        let line = || Line { colour: colour(i).into(), band: true, points: mean_of(&runs, of) };
        (runs.len() > 1).then(line)
    };
    lines(&kinds(runs).into_values().enumerate().filter_map(several).collect::<Vec<_>>(), "games of training")
}

/// Mean and spread at each number of games that several runs were measured after.
fn mean_of(runs: &[&ReportedRun], of: &dyn Fn(&CurvePoint) -> Option<Measured>) -> Vec<Measured> {
    let mut values: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
    for point in runs.iter().flat_map(|run| &run.manifest.curve) {
        if let Some((_, value, _, _)) = of(point) {
            values.entry(point.games).or_default().push(value);
        }
    }
    let spread = |(games, values): (u64, Vec<f64>)| {
        let Spread { mean, deviation } = Spread::of(&values);
        (values.len() > 1).then_some((games as f64, mean, mean - deviation, mean + deviation))
    };
    values.into_iter().filter_map(spread).collect()
}

fn all_measures(run: &ReportedRun) -> Vec<String> {
    run.manifest.curve.iter().flat_map(|point| &point.evaluations).map(measure).collect()
}

fn legend(runs: &[ReportedRun]) -> String {
    let header = ["", "run", "game", "agent", "seed", "games", "seconds", "plies/s"].map(String::from);
    let row = |(i, run): (usize, &ReportedRun)| {
        let of = &run.manifest;
        let speed = if of.seconds > 0.0 { of.plies as f64 / of.seconds } else { 0.0 };
        vec![
            swatch(i),
            escape(&run.name),
            escape(&of.game),
            spec(&of.agent),
            of.seed.to_string(),
            of.games.to_string(),
            format!("{:.1}", of.seconds),
            format!("{speed:.0}"),
        ]
    };
    table(&header, runs.iter().enumerate().map(row))
}

/// Mean and spread of the last points, by what was trained.
fn means(runs: &[ReportedRun], measured: &str) -> String {
    let last = |run: &&ReportedRun| {
        let mut points = run.manifest.curve.iter().rev().flat_map(|point| &point.evaluations);
        points.find(|evaluation| measure(evaluation) == measured).cloned()
    };
    let header = ["", "trained", "runs", "mean payoff at the end", "kept at the end"].map(String::from);
    let row = |(i, (kind, runs)): (usize, (String, Vec<&ReportedRun>))| {
        let of: Vec<Evaluation> = runs.iter().filter_map(last).collect();
        if of.is_empty() {
            return None;
        }
        let scores: Vec<f64> = of.iter().map(|evaluation| evaluation.score).collect();
        let kept: Option<Vec<f64>> = of.iter().map(|evaluation| evaluation.kept).collect();
        let kept = kept.map_or_else(|| "not known".into(), |kept| spread(&kept));
        let swatch = if runs.len() > 1 { swatch(i) } else { String::new() };
        Some(vec![swatch, spec(&kind), of.len().to_string(), spread(&scores), kept])
    };
    table(&header, kinds(runs).into_iter().enumerate().filter_map(row))
}

/// Mean and spread of values of several runs.
pub fn spread(values: &[f64]) -> String {
    let Spread { mean, deviation } = Spread::of(values);
    if values.len() > 1 { format!("{mean:.4} ± {deviation:.4} (deviation)") } else { format!("{mean:.4}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_the_curves_and_the_spread_of_runs() {
        let evaluation = |score| Evaluation {
            against: "perfect".into(),
            starts: "start".into(),
            seat: None,
            score,
            interval: Some([score - 0.1, score + 0.1]),
            kept: Some(0.5),
            kept_interval: Some([0.2, 0.8]),
            games: 10,
            wins: 1,
            draws: 2,
            losses: 7,
        };
        let point = |games, score| CurvePoint {
            games,
            plies: 9 * games,
            seconds: 1.0,
            start_values: Vec::new(),
            evaluations: vec![evaluation(score)],
        };
        let run = |seed, score| ReportedRun {
            name: format!("run {seed}"),
            manifest: Manifest {
                game: "tic-tac-toe".into(),
                agent: "ntuple".into(),
                seed,
                curve: vec![point(10, -0.5), point(20, score)],
                ..Manifest::default()
            },
        };
        let page = html(&[run(1, 0.0), run(2, 0.2)]);
        assert!(page.contains("0.1000 ± 0.1414 (deviation)"), "{page}");
        // The curves of score and of what was kept: of each run, and the mean of both with its band.
        assert_eq!(page.matches("<svg").count(), 4);
        assert_eq!(page.matches("<polygon").count(), 2, "{page}");
        assert!(page.contains("against perfect, starts start"));
        assert_eq!(html(&[run(1, 0.0)]).matches("<svg").count(), 2, "one run has no spread");
    }

    #[test]
    fn an_axis_of_equal_values_has_a_zero_and_each_label_once() {
        for value in [-1.0, 0.0, 1.0] {
            let points = vec![(10.0, value, value, value), (20.0, value, value, value)];
            let drawing = lines(&[Line { colour: "red".into(), band: false, points }], "games");
            let labels: Vec<&str> = drawing.lines().map(str::trim).filter(|line| line.parse::<f64>().is_ok()).collect();
            // The axis across has a zero too.
            let mut once: Vec<&str> = labels.iter().copied().filter(|label| *label != "0").collect();
            let n_labels = once.len();
            once.sort_unstable();
            once.dedup();
            assert!(n_labels >= 5 && once.len() == n_labels, "{value}: {labels:?} in {drawing}");
            assert!(labels.contains(&"0") && !labels.contains(&"-0"), "{value}: {labels:?}");
        }
    }
}
