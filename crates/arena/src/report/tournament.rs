//! A tournament as text, as CSV and as one page with plots, whose games can be stepped through.

use std::sync::Arc;

use raichi_core::erased::AnyGame;
use raichi_core::record::Record;
use serde::Serialize;

use super::page::{escape, figure, page, row_name, table};
use super::plots::{Bar, bars, intervals};
use super::standings::{self as tables, short, signed};
use super::stepper::{script, stepper};
use super::tones::{seat_tones, shades};
use crate::contest::{Contest, Outcome};
use crate::ratings::glicko::{Glicko, glicko};
use crate::ratings::weng_lin::{WengLin, weng_lin};
use crate::standings::{Reference, Standing, Standings, Summary, SummaryLine, Tally, ratings};
use crate::statistics::Estimate;

/// Games that can be stepped through on a page, all games of the tournament together.
const MOST_SHOWN: usize = 24;
/// What their drawings take, about.
const MOST_BYTES: usize = 3_000_000;

/// What a tournament came to.
#[derive(Serialize)]
pub struct Tournament {
    /// The format, as it was asked for.
    pub format: String,
    /// Of all random streams.
    pub seed: u64,
    /// How games began.
    pub openings: String,
    /// A part for each game.
    pub games: Vec<Part>,
    /// All games together, the agents in the order in which they were named.
    pub overall: Summary,
}

/// The tournament in one game.
#[derive(Serialize)]
pub struct Part {
    /// The game's canonical spec.
    pub game: String,
    /// What the agents scored.
    pub standings: Standings,
    /// By agent; empty where games are played alone.
    pub glicko: Vec<Glicko>,
    /// By agent; empty where games are played alone.
    pub weng_lin: Vec<WengLin>,
    #[serde(skip)]
    any: Arc<dyn AnyGame>,
}

impl Tournament {
    /// Of this contest after these games.
    pub fn of(contest: &Contest, format: &str, openings: &str, results: &[Outcome]) -> Tournament {
        let agents = contest.agents();
        let part = |(i, any): (usize, &Arc<dyn AnyGame>)| {
            let games: Vec<Outcome> = results.iter().filter(|outcome| outcome.planned.game == i).cloned().collect();
            let n_seats = any.facts().n_seats;
            let rated: &[Outcome] = if n_seats > 1 { &games } else { &[] };
            let n_rated = if n_seats > 1 { agents.len() } else { 0 };
            Part {
                game: any.spec().into(),
                standings: Standings::of(agents, n_seats, games.iter(), Reference::Mean),
                glicko: glicko(n_rated, rated),
                weng_lin: weng_lin(n_rated, rated),
                any: Arc::clone(any),
            }
        };
        let games: Vec<Part> = contest.games().iter().enumerate().map(part).collect();
        let overall = overall(agents, &games, results);
        Tournament { format: format.into(), seed: contest.seed(), openings: openings.into(), games, overall }
    }

    fn n_games(&self) -> u64 {
        self.games.iter().map(|part| part.standings.n_games).sum()
    }
}

fn overall(agents: &[String], games: &[Part], results: &[Outcome]) -> Summary {
    let ratings = ratings(agents.len(), results.iter());
    let line = |agent: usize| {
        let standings = games.iter().map(|part| &part.standings.agents[agent]);
        let elo = ratings.as_ref().map(|ratings| ratings.over_mean(agent));
        SummaryLine {
            spec: agents[agent].clone(),
            games: standings.clone().map(|standing| standing.games).sum(),
            points: standings.map(|standing| standing.points).sum(),
            elo: elo.map(|elo| elo.value),
            interval: elo.map(|elo| [elo.low, elo.high]),
        }
    };
    Summary { agents: (0..agents.len()).map(line).collect() }
}

/// The tournament as tables of text.
pub fn text(tournament: &Tournament) -> String {
    let mut out = String::new();
    for part in &tournament.games {
        let standings = &part.standings;
        let game = part.any.as_ref();
        out += &format!("{}, {} games\n\n{}", part.game, standings.n_games, tables::table(game, standings));
        if game.facts().n_seats > 1 {
            out += &format!("\n{}", tables::written(&RATING_HEADER, rating_rows(part).into_iter(), 1));
            out += &format!("\nby seat:\n{}", tables::by_seat(game, standings));
            out += &format!("\nrows against columns, won–drawn–lost:\n{}", tables::matrix(standings));
        }
        out += "\n";
    }
    if tournament.games.len() > 1 {
        let header = ["agent", "games", "points", "Elo", "95 % interval"];
        out += &format!("all games\n\n{}\n", tables::written(&header, overall_rows(tournament).into_iter(), 1));
    }
    out + "Elo counts from the mean of all agents.\n"
}

const RATING_HEADER: [&str; 3] = ["agent", "Glicko-2", "Weng–Lin"];

fn rating_rows(part: &Part) -> Vec<Vec<String>> {
    let row = |agent: usize| {
        let (glicko, weng_lin) = (&part.glicko[agent], &part.weng_lin[agent]);
        vec![
            part.standings.agents[agent].spec.clone(),
            format!("{:.0} ± {:.0}", glicko.rating, 1.96 * glicko.deviation),
            format!("{:.1} ± {:.1}", weng_lin.rating, 1.96 * weng_lin.uncertainty),
        ]
    };
    part.standings.order().into_iter().map(row).collect()
}

fn overall_rows(tournament: &Tournament) -> Vec<Vec<String>> {
    let mut lines: Vec<&SummaryLine> = tournament.overall.agents.iter().collect();
    let strength = |line: &SummaryLine| line.elo.unwrap_or(line.points / line.games.max(1) as f64);
    lines.sort_by(|one, other| strength(other).total_cmp(&strength(one)));
    let interval = |[low, high]: [f64; 2]| format!("{} to {}", signed(low), signed(high));
    let row = |line: &SummaryLine| {
        let elo = line.elo.map_or("–".into(), signed);
        let interval = line.interval.map_or("–".into(), interval);
        vec![line.spec.clone(), line.games.to_string(), short(line.points), elo, interval]
    };
    lines.into_iter().map(row).collect()
}

/// A line for each agent in each game, with a header; numbers as a spreadsheet reads them.
pub fn csv(tournament: &Tournament) -> String {
    let header = "game,agent,games,points,wins,draws,losses,elo,elo_low,elo_high,glicko2,glicko2_deviation,weng_lin,\
                  weng_lin_uncertainty,decisions,ms_per_ply,longest_ms,simulations_per_ply,nodes_per_ply\n";
    let mut out = header.to_string();
    for part in &tournament.games {
        for (agent, standing) in part.standings.agents.iter().enumerate() {
            let Standing { spec, games, points, tally, elo, cost, .. } = standing;
            let number = |number: Option<f64>| number.map_or(String::new(), |number| number.to_string());
            let fields = [
                quoted(&part.game),
                quoted(spec),
                games.to_string(),
                points.to_string(),
                tally.wins.to_string(),
                tally.draws.to_string(),
                tally.losses.to_string(),
                number(elo.map(|elo| elo.value)),
                number(elo.map(|elo| elo.low)),
                number(elo.map(|elo| elo.high)),
                number(part.glicko.get(agent).map(|glicko| glicko.rating)),
                number(part.glicko.get(agent).map(|glicko| glicko.deviation)),
                number(part.weng_lin.get(agent).map(|weng_lin| weng_lin.rating)),
                number(part.weng_lin.get(agent).map(|weng_lin| weng_lin.uncertainty)),
                cost.decisions.to_string(),
                cost.each(cost.millis).to_string(),
                cost.longest_millis.to_string(),
                cost.each(cost.simulations as f64).to_string(),
                cost.each(cost.nodes as f64).to_string(),
            ];
            out += &(fields.join(",") + "\n");
        }
    }
    out
}

// Specs have commas.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

/// The tournament as one HTML page that needs nothing else. Some of `records` can be stepped through: as many as there
/// is room for.
pub fn html(tournament: &Tournament, records: &[Record]) -> String {
    let fact =
        |label: &str, value: String| format!("<tr><th scope=\"row\">{label}</th><td>{}</td></tr>", escape(&value));
    let games = tournament.games.iter().map(|part| part.game.as_str()).collect::<Vec<_>>().join(", ");
    let mut body = String::from("<table class=\"facts\"><tbody>");
    body += &fact("games", format!("{games}: {} in all", tournament.n_games()));
    body += &fact("format", tournament.format.clone());
    body += &fact("agents", tournament.overall.agents.len().to_string());
    body += &fact("openings", tournament.openings.clone());
    body += &fact("seed", tournament.seed.to_string());
    body += "</tbody></table>";
    if tournament.games.len() > 1 {
        body += &format!("<h2>All games</h2>{}", overall_html(tournament));
    }
    let n_games = tournament.games.len().max(1);
    let (most, room) = ((MOST_SHOWN / n_games).max(3), MOST_BYTES / n_games);
    for (i, part) in tournament.games.iter().enumerate() {
        let own: Vec<Record> = records.iter().filter(|record| record.game == part.game).cloned().collect();
        body += &part_html(part, &stepper(part.any.as_ref(), &own, &format!("g{i}-"), most, room));
    }
    body += NOTES;
    body += &script();
    page(&format!("Tournament: {}", names(tournament)), &body)
}

const NOTES: &str = "<h2>How to read this</h2>\
    <p>Points are 1 for a win and ½ for a draw in games of two seats, and what the seats were paid elsewhere. Elo is the \
    likeliest under the model of Bradley and Terry, counted from the mean of all agents; intervals cover 95 % and take the \
    opening, played from all sides, as their unit. Glicko-2 and Weng–Lin are given with 1.96 deviations; they depend on \
    the order of the games.</p>";

fn names(tournament: &Tournament) -> String {
    let mut names: Vec<&str> = tournament.games.iter().map(|part| part.any.name()).collect();
    names.dedup();
    names.join(", ")
}

fn headers(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| escape(name)).collect()
}

fn overall_html(tournament: &Tournament) -> String {
    let rows = overall_rows(tournament).into_iter().map(|mut row| {
        row[0] = row_name(&row[0]);
        row
    });
    table(&headers(&["agent", "games", "points", "Elo", "95 % interval"]), rows)
}

fn part_html(part: &Part, stepper: &str) -> String {
    let game = part.any.as_ref();
    let n_seats = game.facts().n_seats;
    let mut out = format!("<h2>{}</h2>", escape(&part.game));
    out += &ratings_html(part, n_seats);
    if n_seats > 1 {
        out += &figure("Elo with 95 % intervals", &intervals(&elo_bars(part)));
        out += &format!("<h3>Against each other</h3>{}", heat_map(&part.standings));
        out += &format!("<h3>By seat</h3>{}", by_seat(part, n_seats));
        out += &figure("What each seat was paid, all agents together", &bars(&seat_bars(part)));
    }
    out += &format!("<h3>Time and search</h3>{}", costs_html(&part.standings));
    if !stepper.is_empty() {
        out += &format!("<h3>Games</h3>{stepper}");
    }
    out
}

fn ratings_html(part: &Part, n_seats: usize) -> String {
    let mut header = vec!["agent", "games", "points", "mean"];
    if n_seats > 1 {
        header.extend(["won–drawn–lost", "Elo", "95 % interval", "Glicko-2", "Weng–Lin"]);
    }
    let ratings = if n_seats > 1 { rating_rows(part) } else { Vec::new() };
    let rows = part.standings.order().into_iter().enumerate().map(|(place, agent)| {
        let standing = &part.standings.agents[agent];
        let mut row = vec![row_name(&standing.spec), standing.games.to_string(), short(standing.points)];
        row.push(tables::mean(standing, n_seats));
        if n_seats > 1 {
            let Tally { wins, draws, losses } = standing.tally;
            row.push(format!("{wins}–{draws}–{losses}"));
            row.extend([standing.elo.map_or("–".into(), |elo| signed(elo.value)), tables::interval(standing.elo)]);
            row.extend(ratings[place][1..].iter().cloned());
        }
        row
    });
    let prior = match part.standings.with_prior {
        true => "<p class=\"quiet\">Elo with one drawn game added to each pair: the games alone set no bound.</p>",
        false => "",
    };
    table(&headers(&header), rows) + prior
}

fn elo_bars(part: &Part) -> Vec<Bar> {
    let bar = |agent: usize| {
        let standing = &part.standings.agents[agent];
        let colour = "var(--accent)".to_string();
        standing.elo.map(|elo| Bar {
            label: standing.spec.clone(),
            colour,
            estimate: Estimate { value: elo.value, low: elo.low, high: elo.high },
        })
    };
    part.standings.order().into_iter().filter_map(bar).collect()
}

fn seat_bars(part: &Part) -> Vec<Bar> {
    let game = part.any.as_ref();
    let tones = seat_tones(game);
    let bar = |(seat, estimate): (usize, &Estimate)| Bar {
        label: game.seat_name(seat),
        colour: shades(tones[seat], &tones).fill,
        estimate: *estimate,
    };
    part.standings.seats.iter().enumerate().map(bar).collect()
}

// Rows against columns, the stronger the score the stronger the colour.
fn heat_map(standings: &Standings) -> String {
    let order = standings.order();
    let mut header = vec!["agent".to_string()];
    header.extend((1..=order.len()).map(|place| place.to_string()));
    let cell = |one: usize, other: usize| {
        let tally = &standings.matrix[one][other];
        if tally.count() == 0 {
            return "<td class=\"lone\">·</td>".to_string();
        }
        let score = 100.0 * tally.score();
        let Tally { wins, draws, losses } = tally;
        format!("<td style=\"--score:{score:.0}\">{score:.0} %<br><small>{wins}–{draws}–{losses}</small></td>")
    };
    let rows = order.iter().enumerate().map(|(place, &one)| {
        let mut row = vec![row_name(&format!("{}  {}", place + 1, standings.agents[one].spec))];
        row.extend(order.iter().map(|&other| cell(one, other)));
        row
    });
    format!("<div class=\"heat\">{}</div>", table(&header, rows))
}

fn by_seat(part: &Part, n_seats: usize) -> String {
    let game = part.any.as_ref();
    let tones = seat_tones(game);
    let seat = |seat: usize| {
        let colour = shades(tones[seat], &tones).fill;
        format!("<span class=\"seat\" style=\"background:{colour}\"></span>{}", escape(&game.seat_name(seat)))
    };
    let header: Vec<String> = ["agent".into()].into_iter().chain((0..n_seats).map(seat)).collect();
    let rows = part.standings.order().into_iter().map(|agent| {
        let standing = &part.standings.agents[agent];
        let mut row = vec![row_name(&standing.spec)];
        row.extend((0..n_seats).map(|seat| tables::seat_score(standing, seat, n_seats)));
        row
    });
    table(&header, rows)
}

fn costs_html(standings: &Standings) -> String {
    let rows = standings.order().into_iter().map(|agent| {
        let standing = &standings.agents[agent];
        let mut row = vec![row_name(&standing.spec), standing.cost.decisions.to_string()];
        row.extend(tables::costs(standing));
        row
    });
    table(&headers(&["agent", "plies", "ms a ply", "longest, ms", "simulations a ply", "nodes a ply"]), rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest::{Flow, Journal, Openings, play};
    use crate::tournament::{Format, TournamentSchedule};

    fn played(games: &[&str]) -> (Tournament, Vec<Record>) {
        let games = games.iter().map(|spec| raichi_games::game(spec).unwrap()).collect();
        let agents = ["mcts:sims=20", "random", "mcts:sims=4"].map(String::from);
        let contest = Contest::new(games, &agents, Openings::Start, 1).unwrap();
        let mut schedule = TournamentSchedule::new(&contest, Format::RoundRobin, Some(4));
        let mut records = Vec::new();
        let results = play(&contest, &mut schedule, &mut Journal::none(), 1, &mut |_, record| {
            records.push(record.clone());
            Flow::Continue
        });
        (Tournament::of(&contest, "round-robin", "none", &results.unwrap()), records)
    }

    #[test]
    fn a_page_stands_alone_and_has_what_the_text_has() {
        let (tournament, records) = played(&["tic-tac-toe", "nim3p", "2048:max-plies=60"]);
        let (page, text) = (html(&tournament, &records), text(&tournament));
        assert!(!page.replace("http://www.w3.org/2000/svg", "").contains("http"), "nothing comes from the network");
        for spec in ["mcts:sims=20", "random", "tic-tac-toe", "nim3p", "2048:max-plies=60"] {
            assert!(page.contains(spec) && text.contains(spec), "{spec}");
        }
        assert_eq!(page.matches("class=\"stepper\"").count(), 3);
        assert!(page.len() < 3_000_000, "{} bytes", page.len());
        let (_, body) = page.split_once("<main>").unwrap();
        assert!(!body.contains("NaN") && !text.contains("NaN"));
        let elo = tournament.games[0].standings.agents[0].elo.unwrap();
        assert!(text.contains(&signed(elo.value)) && page.contains(&signed(elo.value)));
        assert!(tournament.games[2].glicko.is_empty() && tournament.games[2].standings.agents[0].elo.is_none());
    }

    #[test]
    fn a_spreadsheet_has_a_line_for_each_agent_in_each_game() {
        let (tournament, _) = played(&["tic-tac-toe", "2048:max-plies=60"]);
        let csv = csv(&tournament);
        let lines: Vec<&str> = csv.lines().collect();
        assert_eq!(lines.len(), 1 + 2 * 3);
        let n_columns = lines[0].split(',').count();
        assert!(lines.iter().all(|line| line.split(',').count() == n_columns), "{csv}");
    }
}
