//! Standings as tables of text.

use comfy_table::{CellAlignment, Table, presets};
use raichi_core::erased::AnyGame;

use crate::ratings::Elo;
use crate::standings::{Standing, Standings};

/// Who scored what: a table of all agents, the strongest first.
pub fn table(game: &dyn AnyGame, standings: &Standings) -> String {
    let n_seats = game.facts().n_seats;
    let has_elo = standings.agents.iter().any(|agent| agent.elo.is_some());
    let mut header = vec!["agent", "games", "points", "mean"];
    if n_seats > 1 {
        header.push("won–drawn–lost");
    }
    if has_elo {
        header.extend(["Elo", "95 % interval"]);
    }
    header.extend(["ms a ply", "longest", "simulations", "nodes"]);
    let rows = standings.order().into_iter().map(|agent| row(&standings.agents[agent], n_seats, has_elo));
    written(&header, rows, 1)
}

fn row(standing: &Standing, n_seats: usize, has_elo: bool) -> Vec<String> {
    let tally = &standing.tally;
    let mut row =
        vec![standing.spec.clone(), standing.games.to_string(), short(standing.points), mean(standing, n_seats)];
    if n_seats > 1 {
        row.push(format!("{}–{}–{}", tally.wins, tally.draws, tally.losses));
    }
    if has_elo {
        row.extend([standing.elo.map_or("–".into(), |elo| signed(elo.value)), interval(standing.elo)]);
    }
    row.extend(costs(standing));
    row
}

/// What one game brought, in the mean: a share of the points of two seats, a payoff elsewhere.
pub(super) fn mean(standing: &Standing, n_seats: usize) -> String {
    if standing.games == 0 {
        return "–".into();
    }
    let mean = standing.points / standing.games as f64;
    if n_seats == 2 { format!("{:.1} %", 100.0 * mean) } else { short(mean) }
}

pub(super) fn interval(elo: Option<Elo>) -> String {
    elo.map_or("–".into(), |elo| format!("{} to {}", signed(elo.low), signed(elo.high)))
}

/// Time, longest time, simulations and nodes of a decision; a dash where there are none.
pub(super) fn costs(standing: &Standing) -> [String; 4] {
    let cost = &standing.cost;
    let each = |total: u64| match total {
        0 => "–".into(),
        total => format!("{:.0}", cost.each(total as f64)),
    };
    if cost.decisions == 0 {
        return ["–", "–", "–", "–"].map(String::from);
    }
    let millis = format!("{:.2}", cost.each(cost.millis));
    [millis, format!("{:.0}", cost.longest_millis), each(cost.simulations), each(cost.nodes)]
}

/// What each agent scored on each seat.
pub fn by_seat(game: &dyn AnyGame, standings: &Standings) -> String {
    let n_seats = game.facts().n_seats;
    let names: Vec<String> = (0..n_seats).map(|seat| game.seat_name(seat)).collect();
    let header: Vec<&str> = ["agent"].into_iter().chain(names.iter().map(String::as_str)).collect();
    let cell = |standing: &Standing, seat: usize| seat_score(standing, seat, n_seats);
    let row = |standing: &Standing| {
        [standing.spec.clone()].into_iter().chain((0..n_seats).map(|seat| cell(standing, seat))).collect()
    };
    written(&header, standings.order().into_iter().map(|agent| row(&standings.agents[agent])), 1)
}

/// The mean score of an agent on a seat.
pub(super) fn seat_score(standing: &Standing, seat: usize, n_seats: usize) -> String {
    let entry = &standing.seats[seat];
    if entry.games == 0 {
        return "–".into();
    }
    let mean = entry.points / entry.games as f64;
    if n_seats == 2 { format!("{:.1} %", 100.0 * mean) } else { short(mean) }
}

/// Wins, draws and losses of each agent against each other: rows against columns.
pub fn matrix(standings: &Standings) -> String {
    let order = standings.order();
    let numbers: Vec<String> = (1..=order.len()).map(|place| place.to_string()).collect();
    let header: Vec<&str> = ["", "agent"].into_iter().chain(numbers.iter().map(String::as_str)).collect();
    let cell = |one: usize, other: usize| {
        let tally = &standings.matrix[one][other];
        if tally.count() == 0 { "·".into() } else { format!("{}–{}–{}", tally.wins, tally.draws, tally.losses) }
    };
    let rows = order.iter().enumerate().map(|(place, &one)| {
        let mut row = vec![(place + 1).to_string(), standings.agents[one].spec.clone()];
        row.extend(order.iter().map(|&other| cell(one, other)));
        row
    });
    written(&header, rows, 2)
}

// Texts to the left in the first `n_left` columns, numbers to the right in the others.
pub(super) fn written(header: &[&str], rows: impl Iterator<Item = Vec<String>>, n_left: usize) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(header.to_vec());
    for row in rows {
        table.add_row(row);
    }
    for (i, column) in table.column_iter_mut().enumerate() {
        column.set_cell_alignment(if i < n_left { CellAlignment::Left } else { CellAlignment::Right });
    }
    let lines: Vec<String> = table.lines().map(|line| line.trim_end().to_string()).collect();
    // One column of spaces stands before the first text.
    let margin = usize::from(lines.iter().all(|line| line.is_empty() || line.starts_with(' ')));
    lines.iter().map(|line| line.get(margin..).unwrap_or_default().to_string() + "\n").collect()
}

/// A number without needless digits.
pub(super) fn short(number: f64) -> String {
    let text = format!("{number:.2}");
    match text.trim_end_matches('0').trim_end_matches('.') {
        "-0" => "0".into(),
        text => text.replace('-', "−"),
    }
}

/// With its sign, rounded.
pub(super) fn signed(number: f64) -> String {
    match number.round() {
        n if n > 0.0 => format!("+{n:.0}"),
        n if n < 0.0 => format!("−{:.0}", -n),
        _ => "0".into(),
    }
}
