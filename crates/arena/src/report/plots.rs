//! Plots as SVG in the page's colours.
//!
//! They are drawn in colours that stand for others, which become the theme's when the drawing is done: so a plot is legible
//! by day and by night. Few lines: an axis, a zero, and what was measured.

use plotters::prelude::*;

use crate::statistics::{self, Mean};

const WIDTH: u32 = 480;
const INK: RGBColor = RGBColor(1, 2, 1);
const RULE: RGBColor = RGBColor(1, 2, 2);
const ACCENT: RGBColor = RGBColor(1, 2, 3);
/// The first of the colours that a plot is given.
const OWN: u8 = 16;

/// A mean with its name and colour.
pub(super) struct Bar {
    pub(super) label: String,
    /// As CSS.
    pub(super) colour: String,
    pub(super) mean: Mean,
}

impl Bar {
    /// Of the interval; the mean itself where there is none.
    fn ends(&self) -> [f64; 2] {
        self.mean.interval.unwrap_or([self.mean.value; 2])
    }
}

type Root<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;
type Plot = Result<(), DrawingAreaErrorKind<std::io::Error>>;

// Drawing into a string cannot fail.
fn svg(height: u32, own: &[String], draw: impl FnOnce(&Root<'_>) -> Plot) -> String {
    let mut out = String::new();
    {
        let root = SVGBackend::with_string(&mut out, (WIDTH, height)).into_drawing_area();
        draw(&root).and_then(|()| root.present()).expect("drawing into a string");
    }
    themed(out, own)
}

fn themed(svg: String, own: &[String]) -> String {
    let fixed = [(INK, "var(--ink-2)"), (RULE, "var(--rule)"), (ACCENT, "var(--tone-seat-1)")];
    let fixed = fixed.into_iter().map(|(colour, css)| (colour, css.to_string()));
    let own = own.iter().enumerate().map(|(i, css)| (own_colour(i), css.clone()));
    fixed.chain(own).fold(svg, |svg, (RGBColor(r, g, b), css)| {
        svg.replace(&format!("\"#{r:02X}{g:02X}{b:02X}\""), &format!("\"{css}\""))
    })
}

fn own_colour(i: usize) -> RGBColor {
    RGBColor(1, 2, OWN + (i % 200) as u8)
}

fn font() -> TextStyle<'static> {
    ("sans-serif", 15).into_font().color(&INK)
}

fn colours(bars: &[Bar]) -> Vec<String> {
    bars.iter().map(|bar| bar.colour.clone()).collect()
}

// From the least to the greatest end of an interval, zero included, with room at both ends.
fn range(bars: &[Bar]) -> std::ops::Range<f64> {
    let low = bars.iter().map(|bar| bar.ends()[0]).fold(0.0, f64::min);
    let high = bars.iter().map(|bar| bar.ends()[1]).fold(0.0, f64::max);
    let room = ((high - low) * 0.06).max(1e-3);
    low - room..high + room
}

/// Upright bars from zero, with intervals.
pub(super) fn bars(bars: &[Bar]) -> String {
    if bars.is_empty() {
        return String::new();
    }
    let n = bars.len() as f64;
    svg(250, &colours(bars), |root| {
        let mut chart = ChartBuilder::on(root)
            .margin(8)
            .x_label_area_size(26)
            .y_label_area_size(58)
            .build_cartesian_2d(-0.5..n - 0.5, range(bars))?;
        let name = |x: &f64| match bars.get(x.round() as usize) {
            Some(bar) if (x - x.round()).abs() < 1e-6 => bar.label.clone(),
            _ => String::new(),
        };
        let mut mesh = chart.configure_mesh();
        mesh.disable_mesh().axis_style(RULE).label_style(font()).y_labels(5);
        mesh.x_labels(2 * bars.len() + 1).x_label_formatter(&name).draw()?;
        for (i, bar) in bars.iter().enumerate() {
            let (x, Mean { value, interval }) = (i as f64, bar.mean);
            chart.draw_series([Rectangle::new([(x - 0.3, 0.0), (x + 0.3, value)], own_colour(i).filled())])?;
            let ends = interval.map(|[low, high]| ErrorBar::new_vertical(x, low, value, high, INK.stroke_width(2), 12));
            chart.draw_series(ends)?;
        }
        chart.draw_series([PathElement::new([(-0.5, 0.0), (n - 0.5, 0.0)], INK)])?;
        Ok(())
    })
}

/// Points with intervals, one below the other, their names to the left.
pub(super) fn intervals(bars: &[Bar]) -> String {
    if bars.is_empty() {
        return String::new();
    }
    let n = bars.len() as f64;
    let longest = bars.iter().map(|bar| bar.label.chars().count()).max().unwrap_or(0) as u32;
    svg(44 + 30 * bars.len() as u32, &colours(bars), |root| {
        let mut chart = ChartBuilder::on(root)
            .margin(8)
            .x_label_area_size(26)
            .y_label_area_size((longest * 7 + 14).min(WIDTH / 2))
            .build_cartesian_2d(range(bars), -0.5..n - 0.5)?;
        let name = |y: &f64| match bars.len().checked_sub(1 + y.round() as usize).and_then(|i| bars.get(i)) {
            Some(bar) if (y - y.round()).abs() < 1e-6 => shortened(&bar.label),
            _ => String::new(),
        };
        let mut mesh = chart.configure_mesh();
        // Adding 0 takes the sign from a zero.
        let whole = |x: &f64| format!("{:.0}", x.round() + 0.0);
        mesh.disable_mesh().axis_style(RULE).label_style(font()).x_labels(6).x_label_formatter(&whole);
        mesh.y_labels(2 * bars.len() + 1).y_label_formatter(&name).draw()?;
        chart.draw_series([PathElement::new([(0.0, -0.5), (0.0, n - 0.5)], RULE)])?;
        for (i, bar) in bars.iter().enumerate() {
            let (y, value, [low, high]) = (n - 1.0 - i as f64, bar.mean.value, bar.ends());
            chart.draw_series([ErrorBar::new_horizontal(y, low, value, high, own_colour(i).stroke_width(2), 10)])?;
            chart.draw_series([Circle::new((value, y), 4, own_colour(i).filled())])?;
        }
        Ok(())
    })
}

fn shortened(label: &str) -> String {
    const MOST: usize = 34;
    if label.chars().count() <= MOST {
        return label.into();
    }
    label.chars().take(MOST - 1).chain(['…']).collect()
}

/// How many values fall where.
pub(super) fn histogram(bars: &[statistics::Bar]) -> String {
    let (Some(first), Some(last)) = (bars.first(), bars.last()) else { return String::new() };
    let most = bars.iter().map(|bar| bar.count).max().unwrap_or(1) as f64;
    svg(220, &[], |root| {
        let mut chart = ChartBuilder::on(root)
            .margin(8)
            .x_label_area_size(26)
            .y_label_area_size(48)
            .build_cartesian_2d(first.from as f64..last.to as f64, 0.0..most * 1.08)?;
        let mut mesh = chart.configure_mesh();
        mesh.disable_mesh().axis_style(RULE).label_style(font()).x_labels(8).y_labels(4);
        mesh.x_label_formatter(&|x| format!("{x:.0}")).y_label_formatter(&|y| format!("{y:.0}")).draw()?;
        chart.draw_series(bars.iter().map(|bar| {
            let gap = (bar.to - bar.from) as f64 * 0.06;
            let corners = [(bar.from as f64 + gap, 0.0), (bar.to as f64 - gap, bar.count as f64)];
            Rectangle::new(corners, ACCENT.filled())
        }))?;
        Ok(())
    })
}

/// A line: its colour as CSS, and its points, each with the ends of its interval.
pub(super) struct Line {
    pub(super) colour: String,
    /// Whether the intervals are drawn as one band, and not as a stroke each.
    pub(super) band: bool,
    /// Place, value, least and greatest value.
    pub(super) points: Vec<(f64, f64, f64, f64)>,
}

/// Lines over a common axis with zero, each with its intervals.
pub(super) fn lines(lines: &[Line], across: &str) -> String {
    let all = || lines.iter().flat_map(|line| &line.points);
    if all().count() < 2 {
        return String::new();
    }
    let most_across = all().map(|point| point.0).fold(1e-9, f64::max);
    let low = all().map(|point| point.2).fold(0.0, f64::min);
    let high = all().map(|point| point.3).fold(0.0, f64::max);
    // Zeros alone would leave an axis without a length.
    let (low, high) = if high - low < 1e-9 { (-0.5, 0.5) } else { (low, high) };
    let room = (high - low) * 0.04;
    let own: Vec<String> = lines.iter().map(|line| line.colour.clone()).collect();
    svg(280, &own, |root| {
        let mut chart = ChartBuilder::on(root)
            .margin(8)
            .x_label_area_size(44)
            .y_label_area_size(64)
            .build_cartesian_2d(0.0..most_across * 1.02, low - room..high + room)?;
        let mut mesh = chart.configure_mesh();
        mesh.disable_mesh().axis_style(RULE).label_style(font()).x_labels(6).y_labels(5).x_desc(across);
        mesh.x_label_formatter(&|x| short(*x)).y_label_formatter(&|y| short(*y)).draw()?;
        for (i, line) in lines.iter().enumerate() {
            let colour = own_colour(i);
            if line.band {
                let upper = line.points.iter().map(|&(x, _, _, high)| (x, high));
                let lower = line.points.iter().rev().map(|&(x, _, low, _)| (x, low));
                let around: Vec<(f64, f64)> = upper.chain(lower).collect();
                chart.draw_series([Polygon::new(around, colour.mix(0.18).filled())])?;
            } else {
                for &(x, _, low, high) in &line.points {
                    chart.draw_series(LineSeries::new([(x, low), (x, high)], colour.stroke_width(1)))?;
                }
            }
            chart.draw_series(LineSeries::new(
                line.points.iter().map(|point| (point.0, point.1)),
                colour.stroke_width(2),
            ))?;
        }
        Ok(())
    })
}

/// A number with few figures: 1.5k, 20M, 0.25.
fn short(x: f64) -> String {
    match x.abs() {
        size if size >= 1e6 => format!("{}M", (x / 1e5).round() / 10.0),
        size if size >= 1e3 => format!("{}k", (x / 1e2).round() / 10.0),
        // Adding 0 takes the sign from a zero.
        _ => format!("{}", (x * 1e3).round() / 1e3 + 0.0),
    }
}

/// A line through values at 1, 2, ….
pub(super) fn curve(values: &[f64]) -> String {
    if values.len() < 2 {
        return String::new();
    }
    let most = values.iter().copied().fold(1.0, f64::max);
    svg(220, &[], |root| {
        let mut chart = ChartBuilder::on(root)
            .margin(8)
            .x_label_area_size(26)
            .y_label_area_size(48)
            .build_cartesian_2d(1.0..values.len() as f64, 0.0..most * 1.08)?;
        let mut mesh = chart.configure_mesh();
        mesh.disable_mesh().axis_style(RULE).label_style(font()).x_labels(8).y_labels(4);
        mesh.x_label_formatter(&|x| format!("{x:.0}")).y_label_formatter(&|y| format!("{y:.0}")).draw()?;
        let points = values.iter().enumerate().map(|(i, &value)| ((i + 1) as f64, value));
        chart.draw_series(LineSeries::new(points, ACCENT.stroke_width(2)))?;
        Ok(())
    })
}
