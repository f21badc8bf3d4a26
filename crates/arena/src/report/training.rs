//! Training runs as one page: the curves of runs, and their mean and spread by what was trained.

use std::collections::BTreeMap;

use raichi_agents::trained::{CurvePoint, Evaluation, Manifest};

use super::page::{escape, figure, page, table};
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

/// What was trained: runs that differ in their seed only have it in common.
fn kind(run: &ReportedRun) -> String {
    format!("{} with {}", run.manifest.game, run.manifest.agent)
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
            Some((point.games as f64, found.score, found.interval[0], found.interval[1]))
        };
        let kept = |point: &CurvePoint| {
            let found = point.evaluations.iter().find(|evaluation| measure(evaluation) == *measured)?;
            found.kept.map(|kept| (point.games as f64, kept, kept, kept))
        };
        let drawn = |of: &dyn Fn(&CurvePoint) -> Option<Measured>| {
            let line = |(i, run): (usize, &ReportedRun)| Line {
                colour: COLOURS[i % COLOURS.len()].into(),
                points: run.manifest.curve.iter().filter_map(of).collect(),
            };
            lines(&runs.iter().enumerate().map(line).collect::<Vec<_>>(), "games of training")
        };
        body += &figure(&format!("Mean payoff {measured}, with 95 % intervals"), &drawn(&score));
        body += &figure(&format!("Share of games in which the exact value was kept, {measured}"), &drawn(&kept));
        body += &means(runs, measured);
    }
    page("Training runs", &body)
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
            format!("<span style=\"color:{}\">━</span>", COLOURS[i % COLOURS.len()]),
            escape(&run.name),
            escape(&of.game),
            escape(&of.agent),
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
    let mut last: BTreeMap<String, Vec<&Evaluation>> = BTreeMap::new();
    for run in runs {
        let points = run.manifest.curve.iter().rev().flat_map(|point| &point.evaluations);
        let found = points.into_iter().find(|evaluation| measure(evaluation) == measured);
        if let Some(evaluation) = found {
            last.entry(kind(run)).or_default().push(evaluation);
        }
    }
    let header = ["trained", "runs", "mean payoff at the end", "kept at the end"].map(String::from);
    let row = |(kind, of): (&String, &Vec<&Evaluation>)| {
        let scores: Vec<f64> = of.iter().map(|evaluation| evaluation.score).collect();
        let kept: Option<Vec<f64>> = of.iter().map(|evaluation| evaluation.kept).collect();
        let kept = kept.map_or_else(|| "not known".into(), |kept| spread(&kept));
        vec![escape(kind), of.len().to_string(), spread(&scores), kept]
    };
    table(&header, last.iter().map(row))
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
            interval: [score - 0.1, score + 0.1],
            kept: Some(0.5),
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
        assert_eq!(page.matches("<svg").count(), 2);
        assert!(page.contains("against perfect, starts start"));
    }
}
