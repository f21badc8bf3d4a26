//! A balance sheet as text for a terminal and as one self-contained page with plots.

use std::fmt::Write;

use plotters::prelude::*;

use crate::balance::BalanceSheet;
use crate::statistics::Estimate;

/// The sheet as lines of text.
pub fn text(sheet: &BalanceSheet) -> String {
    let mut out = String::new();
    for (label, value) in rows(sheet) {
        writeln!(out, "{label:<28} {value}").expect("writing to a string");
    }
    out
}

// Label and value of every line, for both forms.
fn rows(sheet: &BalanceSheet) -> Vec<(String, String)> {
    let mut rows = vec![
        ("game".into(), sheet.game.clone()),
        ("agents".into(), agents(sheet)),
        ("games".into(), format!("{} (seed {})", sheet.n_games, sheet.seed)),
    ];
    for (i, seat) in sheet.seats.iter().enumerate() {
        let payoff = number(seat.payoff);
        let wins = if sheet.seats.len() > 1 { format!(", wins {}", percent(seat.wins)) } else { String::new() };
        rows.push((format!("seat {i}, {}", seat.name), format!("mean payoff {payoff}{wins}")));
    }
    if sheet.seats.len() > 1 {
        rows.push(("won by one seat".into(), percent(sheet.decisive)));
        rows.push(("drawn or shared".into(), percent(sheet.drawn)));
    }
    rows.push(("plies a game".into(), format!("{:.1} ± {:.1} (deviation)", sheet.length.mean, sheet.length.deviation)));
    rows.push(("actions a decision".into(), format!("{:.1}, at most {}", sheet.branching.mean, sheet.most_actions)));
    if let Some(changes) = sheet.lead_changes {
        rows.push(("changes of lead a game".into(), number(changes)));
    }
    if let Some(coverage) = sheet.coverage {
        rows.push(("board places used".into(), percent(coverage)));
    }
    for (end, count) in &sheet.ends {
        rows.push((format!("end: {end}"), percent(Estimate::proportion(*count as f64, sheet.n_games))));
    }
    rows
}

fn agents(sheet: &BalanceSheet) -> String {
    let same = sheet.agents.iter().all(|agent| *agent == sheet.agents[0]);
    if same { format!("{} on every seat", sheet.agents[0]) } else { sheet.agents.join(", ") }
}

fn percent(e: Estimate) -> String {
    format!("{:.1} % [{:.1}, {:.1}]", 100.0 * e.value, 100.0 * e.low, 100.0 * e.high)
}

fn number(e: Estimate) -> String {
    format!("{:.3} [{:.3}, {:.3}]", e.value, e.low, e.high)
}

/// The sheet as one HTML page that needs nothing else: a table and plots as SVG.
pub fn html(sheet: &BalanceSheet) -> String {
    let mut table = String::new();
    for (label, value) in rows(sheet) {
        writeln!(table, "<tr><th scope=\"row\">{}</th><td>{}</td></tr>", escape(&label), escape(&value))
            .expect("writing to a string");
    }
    let title = format!("Balance sheet: {}", escape(&sheet.game));
    let plots = [
        ("Mean payoff by seat, with 95 % intervals", payoffs_plot(sheet)),
        ("Length of games in plies", lengths_plot(sheet)),
        ("Mean number of actions by decision", branching_plot(sheet)),
    ];
    let figures: String = plots
        .iter()
        .map(|(caption, svg)| format!("<figure><figcaption>{caption}</figcaption>{svg}</figure>"))
        .collect();
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\"><title>{title}</title><style>{STYLE}</style></head>\
         <body><h1>{title}</h1><table>{table}</table>{figures}<p>Intervals cover 95 %: Wilson's for shares, the normal \
         one for means.</p></body></html>\n"
    )
}

const STYLE: &str = "body{font:16px/1.5 Georgia,serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color:#23201b;\
background:#faf6ec}h1{font-size:1.5rem}table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.3rem \
.6rem;border-bottom:1px solid #d9d0bb;font-weight:normal}th{color:#6b6250}figure{margin:2rem 0}figcaption{color:#6b6250}\
svg{width:100%;height:auto}";

const SIZE: (u32, u32) = (720, 300);
const INK: RGBColor = RGBColor(0x23, 0x20, 0x1b);
const BLUE: RGBColor = RGBColor(0x2f, 0x5d, 0x8a);
const PAPER: RGBColor = RGBColor(0xfa, 0xf6, 0xec);

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

type Plot = Result<(), DrawingAreaErrorKind<std::io::Error>>;

// Drawing into a string cannot fail; if a plot has nothing to show, it is left out.
fn svg(draw: impl FnOnce(&DrawingArea<SVGBackend, plotters::coord::Shift>) -> Plot) -> String {
    let mut out = String::new();
    {
        let root = SVGBackend::with_string(&mut out, SIZE).into_drawing_area();
        root.fill(&PAPER).and_then(|()| draw(&root)).and_then(|()| root.present()).expect("drawing into a string");
    }
    out
}

fn payoffs_plot(sheet: &BalanceSheet) -> String {
    let n = sheet.seats.len() as f64;
    let low = sheet.seats.iter().map(|seat| seat.payoff.low).fold(0.0, f64::min);
    let high = sheet.seats.iter().map(|seat| seat.payoff.high).fold(0.0, f64::max);
    let pad = ((high - low) * 0.08).max(1e-3);
    svg(|root| {
        let mut chart = ChartBuilder::on(root)
            .margin(10)
            .x_label_area_size(30)
            .y_label_area_size(56)
            .build_cartesian_2d(-0.5..n - 0.5, low - pad..high + pad)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .axis_style(INK)
            .x_labels(sheet.seats.len())
            .x_label_formatter(&|x| if x.fract().abs() < 1e-6 { format!("seat {x:.0}") } else { String::new() })
            .draw()?;
        chart.draw_series(sheet.seats.iter().enumerate().map(|(seat, balance)| {
            let x = seat as f64;
            Rectangle::new([(x - 0.3, 0.0), (x + 0.3, balance.payoff.value)], BLUE.mix(0.6).filled())
        }))?;
        chart.draw_series(sheet.seats.iter().enumerate().map(|(seat, balance)| {
            let Estimate { value, low, high } = balance.payoff;
            ErrorBar::new_vertical(seat as f64, low, value, high, INK.stroke_width(2), 14)
        }))?;
        Ok(())
    })
}

fn lengths_plot(sheet: &BalanceSheet) -> String {
    let bars = &sheet.length_histogram;
    let (Some(first), Some(last)) = (bars.first(), bars.last()) else { return String::new() };
    let most = bars.iter().map(|bar| bar.count).max().unwrap_or(1) as f64;
    svg(|root| {
        let mut chart = ChartBuilder::on(root)
            .margin(10)
            .x_label_area_size(30)
            .y_label_area_size(56)
            .build_cartesian_2d(first.from as f64..last.to as f64, 0.0..most * 1.08)?;
        chart.configure_mesh().disable_x_mesh().axis_style(INK).draw()?;
        chart.draw_series(bars.iter().map(|bar| {
            Rectangle::new([(bar.from as f64, 0.0), (bar.to as f64, bar.count as f64)], BLUE.mix(0.6).filled())
        }))?;
        Ok(())
    })
}

fn branching_plot(sheet: &BalanceSheet) -> String {
    let points = &sheet.branching_by_decision;
    if points.len() < 2 {
        return String::new();
    }
    let most = points.iter().copied().fold(1.0, f64::max);
    svg(|root| {
        let mut chart = ChartBuilder::on(root)
            .margin(10)
            .x_label_area_size(30)
            .y_label_area_size(56)
            .build_cartesian_2d(1.0..points.len() as f64, 0.0..most * 1.08)?;
        chart.configure_mesh().axis_style(INK).draw()?;
        let line = points.iter().enumerate().map(|(i, &mean)| ((i + 1) as f64, mean));
        chart.draw_series(LineSeries::new(line, BLUE.stroke_width(2)))?;
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Meeting, balance};

    #[test]
    fn the_page_stands_alone_and_says_what_the_text_says() {
        let play = Meeting::new(raichi_games::game("tic-tac-toe").unwrap(), &["random".into()]).unwrap();
        let sheet = balance(&play, 1, 50, 1, |_| {}).unwrap();
        let (text, page) = (text(&sheet), html(&sheet));
        assert!(text.contains("won by one seat") && text.contains("end: line"), "{text}");
        assert_eq!(page.matches("<svg").count(), 3);
        assert!(!page.replace("http://www.w3.org/2000/svg", "").contains("http"));
        let first = text.lines().find(|line| line.starts_with("plies a game")).unwrap();
        assert!(page.contains(first["plies a game".len()..].trim()), "{first}");
    }
}
