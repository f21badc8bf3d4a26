//! A balance sheet as text for a terminal and as one page with plots.

use std::fmt::Write;

use raichi_core::erased::AnyGame;

use super::page::{escape, figure, page};
use super::plots::{Bar, bars, curve, histogram};
use super::tones::{seat_tones, shades};
use crate::balance::BalanceSheet;
use crate::statistics::{Estimate, Mean};

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
    for seat in &sheet.seats {
        let payoff = number(seat.payoff);
        let wins = if sheet.seats.len() > 1 { format!(", wins {}", percent(seat.wins)) } else { String::new() };
        rows.push((seat.name.clone(), format!("mean payoff {payoff}{wins}")));
    }
    rows.extend(sheet.decisive.map(|share| ("won by one seat".into(), percent(share))));
    rows.extend(sheet.drawn.map(|share| ("drawn or shared".into(), percent(share))));
    rows.push(("plies a game".into(), format!("{:.1} ± {:.1} (deviation)", sheet.length.mean, sheet.length.deviation)));
    rows.push(("actions a decision".into(), format!("{:.1}, at most {}", sheet.branching.mean, sheet.most_actions)));
    if let Some(changes) = sheet.lead_changes {
        rows.push(("changes of lead a game".into(), number(changes)));
    }
    if let Some(coverage) = sheet.coverage {
        rows.push(("board places used".into(), percent_of_mean(coverage)));
    }
    if let Some(reached) = &sheet.reached {
        let row = |&(least, share): &(u64, Estimate)| (format!("{} {least} or more", reached.what), percent(share));
        rows.extend(reached.shares.iter().map(row));
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

fn percent_of_mean(Mean { value, interval }: Mean) -> String {
    match interval {
        Some([low, high]) => percent(Estimate { value, low, high }),
        None => format!("{:.1} %", 100.0 * value),
    }
}

fn number(Mean { value, interval }: Mean) -> String {
    let text =
        interval.map_or_else(|| format!("{value:.3}"), |[low, high]| format!("{value:.3} [{low:.3}, {high:.3}]"));
    text.replace('-', "−")
}

/// The sheet as one HTML page that needs nothing else: a table and plots as SVG. `game` is the one that it is of.
pub fn html(sheet: &BalanceSheet, game: &dyn AnyGame) -> String {
    let mut table = String::new();
    for (label, value) in rows(sheet) {
        let (label, value) = (escape(&label), escape(&value));
        writeln!(table, "<tr><th scope=\"row\">{label}</th><td>{value}</td></tr>").expect("writing to a string");
    }
    let tones = seat_tones(game);
    let bar = |(seat, balance): (usize, &crate::balance::SeatBalance)| Bar {
        label: balance.name.clone(),
        colour: shades(tones[seat], &tones).fill,
        mean: balance.payoff,
    };
    let seats: Vec<Bar> = sheet.seats.iter().enumerate().map(bar).collect();
    let figures = [
        figure("Mean payoff by seat, with 95 % intervals", &bars(&seats)),
        figure("Games by their length in plies", &histogram(&sheet.length_histogram)),
        figure("Mean number of actions at the 1st, 2nd, … decision", &curve(&sheet.branching_by_decision)),
    ];
    let body = format!(
        "<table class=\"facts\"><tbody>{table}</tbody></table>{}<p class=\"quiet\">Intervals cover 95 %: Wilson’s for shares \
         and for payoffs of games that are only won, drawn or lost, Student’s for other means.</p>",
        figures.concat()
    );
    page(&format!("Balance sheet: {}", sheet.game), &body)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Meeting, balance};

    #[test]
    fn the_page_stands_alone_and_says_what_the_text_says() {
        let play = Meeting::new(raichi_games::game("tic-tac-toe").unwrap(), &["random".into()]).unwrap();
        let sheet = balance(&play, 1, 50, 1, |_| {}).unwrap();
        let (text, page) = (text(&sheet), html(&sheet, play.game().as_ref()));
        assert!(text.contains("won by one seat") && text.contains("end: line"), "{text}");
        assert_eq!(page.matches("<svg").count(), 3);
        assert!(!page.replace("http://www.w3.org/2000/svg", "").contains("http"), "nothing comes from the network");
        assert!(!page.contains("seat 0") && page.contains("var(--tone-"), "seats have their names and colours");
        assert!(text.lines().any(|line| line.starts_with('O') && line.contains("mean payoff −0.")), "{text}");
        let first = text.lines().find(|line| line.starts_with("plies a game")).unwrap();
        assert!(page.contains(first["plies a game".len()..].trim()), "{first}");
        assert!(!page.contains("#0102"), "every colour of a plot is the theme's");
    }

    #[test]
    fn one_game_tells_of_no_interval_where_payoffs_have_no_bounds() {
        let play = Meeting::new(raichi_games::game("2048:size=2").unwrap(), &["random".into()]).unwrap();
        let sheet = balance(&play, 1, 1, 1, |_| {}).unwrap();
        let mean = text(&sheet).lines().find(|line| line.contains("mean payoff")).unwrap().to_string();
        assert!(!mean.contains('['), "{mean}");
        let page = html(&sheet, play.game().as_ref());
        let (_, body) = page.split_once("<main>").unwrap();
        assert!(!body.contains("NaN"));
    }
}
