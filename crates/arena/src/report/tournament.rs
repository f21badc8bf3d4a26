//! A tournament as text, as CSV and as one page with plots, whose games can be stepped through.

use std::sync::Arc;

use raichi_core::erased::AnyGame;
use raichi_core::record::Record;
use raichi_core::verdict::counted;
use serde::Serialize;

use super::page::{escape, figure, page, row_name, table};
use super::plots::{Bar, bars, intervals};
use super::standings::{self as tables, short, signed};
use super::stepper::{Stepper, script, stepper};
use super::tones::{seat_tones, shades};
use crate::contest::{Contest, Outcome};
use crate::ratings::Ratings;
use crate::ratings::glicko::{Glicko, glicko};
use crate::ratings::weng_lin::{WengLin, weng_lin};
use crate::standings::{Reference, SeatStanding, Standing, Standings, Summary, SummaryLine, Tally, ratings};
use crate::statistics::Mean;
use crate::tournament::{Course, Met, TournamentSchedule};

/// Games that can be stepped through on a page, all games of the tournament together.
pub(super) const MOST_SHOWN: usize = 200;
/// What their drawings take, about: some 40 games of Othello, or all 200 of Connect Four.
const MOST_BYTES: usize = 8_000_000;

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
    /// Whether in all games together a drawn game was added to each pair, because no finite ratings are likeliest.
    pub overall_with_prior: bool,
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
    /// Its stages, what was scored in them and who has won, where meetings depend on each other.
    #[serde(flatten)]
    pub course: Course,
    #[serde(skip)]
    any: Arc<dyn AnyGame>,
}

impl Tournament {
    /// Of this contest after these games, all that its schedule had planned.
    pub fn of(
        contest: &Contest,
        schedule: &TournamentSchedule,
        format: &str,
        openings: &str,
        results: &[Outcome],
    ) -> Tournament {
        let agents = contest.agents();
        let part = |(i, any): (usize, &Arc<dyn AnyGame>)| {
            let games: Vec<Outcome> = results.iter().filter(|outcome| outcome.planned.game == i).cloned().collect();
            let n_seats = any.facts().n_seats;
            let rated: &[Outcome] = if n_seats > 1 { &games } else { &[] };
            let n_rated = if n_seats > 1 { agents.len() } else { 0 };
            Part {
                game: any.spec().into(),
                standings: Standings::of(agents, &any.facts(), games.iter(), Reference::Mean),
                glicko: glicko(n_rated, rated),
                weng_lin: weng_lin(n_rated, rated),
                course: schedule.course(i),
                any: Arc::clone(any),
            }
        };
        let games: Vec<Part> = contest.games().iter().enumerate().map(part).collect();
        let ratings = ratings(agents.len(), results.iter());
        let overall = overall(agents, &games, ratings.as_ref());
        let overall_with_prior = ratings.is_some_and(|ratings| ratings.with_prior());
        let (format, openings) = (format.into(), openings.into());
        Tournament { format, seed: contest.seed(), openings, games, overall, overall_with_prior }
    }

    fn n_games(&self) -> u64 {
        self.games.iter().map(|part| part.standings.n_games).sum()
    }

    // Games that are played alone compare nobody.
    fn has_elo(&self) -> bool {
        let in_one = |part: &Part| part.standings.agents.iter().any(|standing| standing.elo.is_some());
        self.games.iter().any(in_one) || self.overall.agents.iter().any(|line| line.elo.is_some())
    }
}

fn overall(agents: &[String], games: &[Part], ratings: Option<&Ratings>) -> Summary {
    let line = |agent: usize| {
        let standings = games.iter().map(|part| &part.standings.agents[agent]);
        let elo = ratings.map(|ratings| ratings.over_mean(agent));
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
        let n_games = counted(standings.n_games, "game", "games");
        out += &format!("{}, {n_games}\n\n{}", part.game, tables::table(game, standings));
        if standings.with_prior {
            out += &format!("{WITH_PRIOR}\n");
        }
        out += &course_text(part);
        if game.facts().n_seats > 1 {
            out += &format!("\n{}", tables::written(&RATING_HEADER, rating_rows(part).into_iter(), 1));
            out += &format!("\nby seat:\n{}", tables::by_seat(game, standings));
            out += &format!("\nrows against columns, won–drawn–lost:\n{}", tables::matrix(standings));
        }
        out += "\n";
    }
    if tournament.games.len() > 1 {
        let header = ["agent", "games", "points", "Elo", "95 % interval"];
        out += &format!("all games\n\n{}", tables::written(&header, overall_rows(tournament).into_iter(), 1));
        out += &if tournament.overall_with_prior { format!("{WITH_PRIOR}\n\n") } else { "\n".into() };
    }
    if tournament.has_elo() {
        out += "Elo counts from the mean of all agents.\n";
    }
    out
}

const WITH_PRIOR: &str = "Elo with one drawn game added to each pair: the games alone set no bound.";

/// Where meetings depend on each other: who has won, what everybody scored in a Swiss tournament, and the stages.
fn course_text(part: &Part) -> String {
    if part.course.stages.is_empty() {
        return String::new();
    }
    let mut out = format!("\n{}\n", winner(part));
    if !part.course.scores.is_empty() {
        out += &format!("\n{}", tables::written(&SCORE_HEADER, score_rows(part).into_iter(), 1));
    }
    let header = stage_header(part);
    out + &format!("\n{}", tables::written(header, stage_rows(part).into_iter(), 2))
}

fn winner(part: &Part) -> String {
    let spec = |agent: usize| part.standings.agents[agent].spec.as_str();
    match (part.course.winner, part.course.scores.is_empty()) {
        (Some(agent), _) => format!("winner: {}", spec(agent)),
        (None, true) => "winner: not known yet".into(),
        (None, false) => "winner: nobody alone has the highest score".into(),
    }
}

const SCORE_HEADER: [&str; 2] = ["agent", "score"];

// From the highest score to the lowest.
fn score_rows(part: &Part) -> Vec<Vec<String>> {
    let scores = &part.course.scores;
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|&one, &other| scores[other].total_cmp(&scores[one]));
    order.into_iter().map(|agent| vec![part.standings.agents[agent].spec.clone(), short(scores[agent])]).collect()
}

// In a Swiss tournament everybody goes on.
fn stage_header(part: &Part) -> &'static [&'static str] {
    let header = &["stage", "meeting", "games", "score", "goes on"];
    if part.course.scores.is_empty() { header } else { &header[..4] }
}

fn stage_rows(part: &Part) -> Vec<Vec<String>> {
    let spec = |&agent: &usize| part.standings.agents[agent].spec.clone();
    let n_columns = stage_header(part).len();
    let met = |met: &Met| {
        let shares: Vec<String> = met.scores.iter().map(|score| format!("{:.0} %", 100.0 * score)).collect();
        let agents: Vec<String> = met.agents.iter().map(spec).collect();
        let goes_on = met.winner.as_ref().map_or(String::new(), spec);
        [agents.join(" – "), met.games.to_string(), shares.join(" – "), goes_on]
    };
    let bye = |agent: &usize| [spec(agent), "–".into(), "bye".into(), spec(agent)];
    let stages = (1..).zip(&part.course.stages);
    let rows = stages.flat_map(|(number, stage): (u64, _)| {
        let rows = stage.meetings.iter().map(met).chain(stage.byes.iter().map(bye));
        rows.map(move |row| [number.to_string()].into_iter().chain(row).take(n_columns).collect())
    });
    rows.collect()
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

/// The columns of [`csv`].
const COLUMNS: [&str; 25] = [
    "table",
    "game",
    "agent",
    "opponent",
    "seat",
    "seat_name",
    "games",
    "points",
    "wins",
    "draws",
    "losses",
    "elo",
    "elo_low",
    "elo_high",
    "glicko2",
    "glicko2_deviation",
    "weng_lin",
    "weng_lin_uncertainty",
    "decisions",
    "ms_per_ply",
    "longest_ms",
    "simulations_per_ply",
    "nodes_per_ply",
    "score",
    "winner",
];

/// All tables as one with a header, for spreadsheets; what a line is about stands in its first column:
///
/// - `agents`: an agent in a game; where meetings depend on each other with `winner`, 1 or 0, and in a Swiss tournament its `score`;
/// - `pairs`: an agent against another in a game;
/// - `seats`: an agent on a seat of a game;
/// - `overall`: an agent in all games together.
///
/// Fields that a table does not have are empty. Games that are played alone have neither pairs nor seats.
pub fn csv(tournament: &Tournament) -> String {
    let parts = &tournament.games;
    let several = || parts.iter().filter(|part| part.any.facts().n_seats > 1);
    let lines = parts
        .iter()
        .flat_map(agent_lines)
        .chain(several().flat_map(pair_lines))
        .chain(several().flat_map(seat_lines))
        .chain(tournament.overall.agents.iter().map(overall_line));
    let mut out = COLUMNS.join(",") + "\n";
    for line in lines {
        let field =
            |column: &&str| line.iter().find(|(name, _)| name == column).map_or("", |(_, field)| field.as_str());
        out += &(COLUMNS.iter().map(field).collect::<Vec<_>>().join(",") + "\n");
    }
    out
}

/// What a line says, by the names of its columns.
type CsvLine = Vec<(&'static str, String)>;

fn agent_lines(part: &Part) -> impl Iterator<Item = CsvLine> {
    part.standings.agents.iter().enumerate().map(move |(agent, standing)| {
        let Standing { spec, games, points, tally, elo, cost, .. } = standing;
        let mut line = vec![
            ("table", "agents".into()),
            ("game", quoted(&part.game)),
            ("agent", quoted(spec)),
            ("games", games.to_string()),
            ("points", number(*points)),
        ];
        line.extend(tally_fields(*tally));
        if let Some(elo) = elo {
            line.extend([("elo", number(elo.value)), ("elo_low", number(elo.low)), ("elo_high", number(elo.high))]);
        }
        if let (Some(glicko), Some(weng_lin)) = (part.glicko.get(agent), part.weng_lin.get(agent)) {
            line.extend([
                ("glicko2", number(glicko.rating)),
                ("glicko2_deviation", number(glicko.deviation)),
                ("weng_lin", number(weng_lin.rating)),
                ("weng_lin_uncertainty", number(weng_lin.uncertainty)),
            ]);
        }
        line.extend([
            ("decisions", cost.decisions.to_string()),
            ("ms_per_ply", number(cost.each(cost.millis))),
            ("longest_ms", number(cost.longest_millis)),
            ("simulations_per_ply", number(cost.each(cost.simulations as f64))),
            ("nodes_per_ply", number(cost.each(cost.nodes as f64))),
        ]);
        line.extend(part.course.scores.get(agent).map(|&score| ("score", number(score))));
        if !part.course.stages.is_empty() {
            line.push(("winner", u8::from(part.course.winner == Some(agent)).to_string()));
        }
        line
    })
}

// Only of those that met.
fn pair_lines(part: &Part) -> impl Iterator<Item = CsvLine> {
    let agents = &part.standings.agents;
    let places = (0..agents.len()).flat_map(|one| (0..agents.len()).map(move |other| (one, other)));
    let tallies = places.map(|(one, other)| (one, other, part.standings.matrix[one][other]));
    tallies.filter(|(_, _, tally)| tally.count() > 0).map(move |(one, other, tally)| {
        let mut line = vec![
            ("table", "pairs".into()),
            ("game", quoted(&part.game)),
            ("agent", quoted(&agents[one].spec)),
            ("opponent", quoted(&agents[other].spec)),
            ("games", tally.count().to_string()),
        ];
        line.extend(tally_fields(tally));
        line
    })
}

// Only of those that sat there.
fn seat_lines(part: &Part) -> impl Iterator<Item = CsvLine> {
    let line = |standing: &Standing, seat: usize| {
        let SeatStanding { games, points, tally } = standing.seats[seat];
        let mut line = vec![
            ("table", "seats".into()),
            ("game", quoted(&part.game)),
            ("agent", quoted(&standing.spec)),
            ("seat", seat.to_string()),
            ("seat_name", quoted(&part.any.seat_name(seat))),
            ("games", games.to_string()),
            ("points", number(points)),
        ];
        line.extend(tally_fields(tally));
        line
    };
    part.standings.agents.iter().flat_map(move |standing| {
        let seats = (0..standing.seats.len()).filter(|&seat| standing.seats[seat].games > 0);
        seats.map(move |seat| line(standing, seat))
    })
}

fn overall_line(line: &SummaryLine) -> CsvLine {
    let mut fields = vec![
        ("table", "overall".into()),
        ("agent", quoted(&line.spec)),
        ("games", line.games.to_string()),
        ("points", number(line.points)),
    ];
    if let (Some(elo), Some([low, high])) = (line.elo, line.interval) {
        fields.extend([("elo", number(elo)), ("elo_low", number(low)), ("elo_high", number(high))]);
    }
    fields
}

fn tally_fields(tally: Tally) -> [(&'static str, String); 3] {
    let Tally { wins, draws, losses } = tally;
    [("wins", wins.to_string()), ("draws", draws.to_string()), ("losses", losses.to_string())]
}

// Without a negative zero: adding 0 makes it 0.
fn number(number: f64) -> String {
    (number + 0.0).to_string()
}

// Specs have commas.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

/// The tournament as one HTML page that needs nothing else. Some of `records` can be stepped through, as many as there is
/// room for, spread evenly over the agents and over time; the page says how many.
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
        body += &part_html(part, stepper(part.any.as_ref(), &own, &format!("g{i}-"), most, room).as_ref());
    }
    body += NOTES;
    body += &script();
    page(&format!("Tournament: {}", names(tournament)), &body)
}

const NOTES: &str = "<h2>How to read this</h2>\
    <p>Points are 1 for a win and ½ for a draw in games of two seats, and what the seats were paid elsewhere. Elo is the \
    likeliest under the model of Bradley and Terry, counted from the mean of all agents; intervals cover 95 % and take the \
    opening, played from all sides, as their unit; of one opening alone there is none of what seats were paid. Glicko-2 and \
    Weng–Lin are given with 1.96 deviations; they depend on the order of the games. At more than two seats Glicko-2 counts \
    each pair of seats as a game, so that its deviations are too small.</p>";

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
    table(&headers(&["agent", "games", "points", "Elo", "95 % interval"]), rows) + &prior(tournament.overall_with_prior)
}

fn prior(with_prior: bool) -> String {
    if with_prior { format!("<p class=\"quiet\">{WITH_PRIOR}</p>") } else { String::new() }
}

fn course_html(part: &Part) -> String {
    if part.course.stages.is_empty() {
        return String::new();
    }
    let mut out = format!("<p>{}</p>", escape(&winner(part)));
    if !part.course.scores.is_empty() {
        let rows = score_rows(part).into_iter().map(|row| vec![row_name(&row[0]), row[1].clone()]);
        out += &table(&headers(&SCORE_HEADER), rows);
    }
    let rows = stage_rows(part).into_iter().map(|row| row.iter().map(|cell| escape(cell)).collect());
    out + &format!("<h3>Stages</h3>{}", table(&headers(stage_header(part)), rows))
}

fn part_html(part: &Part, stepper: Option<&Stepper>) -> String {
    let game = part.any.as_ref();
    let n_seats = game.facts().n_seats;
    let mut out = format!("<h2>{}</h2>", escape(&part.game));
    out += &ratings_html(part, n_seats);
    out += &course_html(part);
    if n_seats > 1 {
        out += &figure("Elo with 95 % intervals", &intervals(&elo_bars(part)));
        out += &format!("<h3>Against each other</h3>{}", heat_map(&part.standings));
        out += &format!("<h3>By seat</h3>{}", by_seat(part, n_seats));
        out += &figure("What each seat was paid, all agents together", &bars(&seat_bars(part)));
    }
    out += &format!("<h3>Time and search</h3>{}", costs_html(&part.standings));
    if let Some(Stepper { n_games, html }) = stepper {
        let said = shown_of_all(*n_games as u64, part.standings.n_games);
        out += &format!("<h3>Games</h3><p class=\"quiet\">{said}</p>{html}");
    }
    out
}

fn shown_of_all(n_shown: u64, n_games: u64) -> String {
    if n_shown == n_games {
        return format!("{} to step through, all that were played.", counted(n_games, "game", "games"));
    }
    format!(
        "{n_shown} of {n_games} games to step through, spread evenly over the agents, their seats and the time; \
         <code>--out FILE</code> keeps the records of all."
    )
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
    table(&headers(&header), rows) + &prior(part.standings.with_prior)
}

fn elo_bars(part: &Part) -> Vec<Bar> {
    let bar = |agent: usize| {
        let standing = &part.standings.agents[agent];
        let colour = "var(--accent)".to_string();
        standing.elo.map(|elo| Bar {
            label: standing.spec.clone(),
            colour,
            mean: Mean { value: elo.value, interval: Some([elo.low, elo.high]) },
        })
    };
    part.standings.order().into_iter().filter_map(bar).collect()
}

fn seat_bars(part: &Part) -> Vec<Bar> {
    let game = part.any.as_ref();
    let tones = seat_tones(game);
    let bar = |(seat, mean): (usize, &Mean)| Bar {
        label: game.seat_name(seat),
        colour: shades(tones[seat], &tones).fill,
        mean: *mean,
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
    use crate::tournament::Format;

    fn played(games: &[&str]) -> (Tournament, Vec<Record>) {
        played_as(games, Format::RoundRobin)
    }

    fn played_as(games: &[&str], format: Format) -> (Tournament, Vec<Record>) {
        let games = games.iter().map(|spec| raichi_games::game(spec).unwrap()).collect();
        let agents = ["mcts:sims=20", "random", "mcts:sims=4"].map(String::from);
        let contest = Contest::new(games, &agents, Openings::Start, 1).unwrap();
        let mut schedule = TournamentSchedule::new(&contest, format, Some(4));
        let mut records = Vec::new();
        let results = play(&contest, &mut schedule, &mut Journal::none(), 1, &mut |_, record| {
            records.push(record.clone());
            Flow::Continue
        });
        (Tournament::of(&contest, &schedule, "format", "none", &results.unwrap()), records)
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
    fn a_page_says_how_many_of_the_games_it_shows() {
        let (tournament, records) = played(&["tic-tac-toe"]);
        assert_eq!(records.len(), 12);
        let page = html(&tournament, &records);
        assert!(page.contains("12 games to step through, all that were played."));
        assert_eq!(page.matches("<option").count(), 12);
        let page = html(&tournament, &records[..5]);
        assert!(page.contains("5 of 12 games to step through") && page.contains("<code>--out FILE</code>"));
        assert_eq!(shown_of_all(1, 1), "1 game to step through, all that were played.");
    }

    // The fields of each line by their columns; no spec of these tests has a comma or a quotation mark.
    fn read(csv: &str) -> Vec<std::collections::HashMap<&str, &str>> {
        let mut lines =
            csv.lines().map(|line| line.split(',').map(|field| field.trim_matches('"')).collect::<Vec<_>>());
        let header = lines.next().unwrap();
        lines
            .map(|line| {
                assert_eq!(line.len(), header.len(), "{line:?}");
                header.iter().copied().zip(line).collect()
            })
            .collect()
    }

    #[test]
    fn a_spreadsheet_has_all_tables_in_one() {
        let (tournament, _) = played(&["tic-tac-toe", "2048:max-plies=60"]);
        let csv = csv(&tournament);
        let lines = read(&csv);
        let of = |table: &str| lines.iter().filter(|line| line["table"] == table).collect::<Vec<_>>();
        assert_eq!((of("agents").len(), of("pairs").len(), of("seats").len(), of("overall").len()), (6, 6, 6, 3));
        assert_eq!(lines.len(), 21);
        // What a pair says of the one it says of the other.
        let pair = |one: &str, other: &str| {
            let mut pairs = of("pairs").into_iter();
            let found = pairs.find(|line| line["agent"] == one && line["opponent"] == other).unwrap();
            ["games", "wins", "draws", "losses"].map(|column| found[column].parse::<u64>().unwrap())
        };
        let [games, wins, draws, losses] = pair("mcts:sims=20", "random");
        assert_eq!((games, wins + draws + losses), (4, 4));
        assert_eq!(pair("random", "mcts:sims=20"), [games, losses, draws, wins]);
        // Seats add up to the agent's line.
        let points = |lines: Vec<&std::collections::HashMap<&str, &str>>| {
            let own = lines.into_iter().filter(|line| line["agent"] == "random" && line["game"] == "tic-tac-toe");
            own.map(|line| line["points"].parse::<f64>().unwrap()).sum::<f64>()
        };
        assert_eq!(points(of("seats")), points(of("agents")));
        assert_eq!((of("seats")[0]["seat"], of("seats")[1]["seat"]), ("0", "1"));
        assert!(of("seats").iter().all(|line| line["game"] == "tic-tac-toe" && line["elo"].is_empty()));
        assert!(of("overall").iter().all(|line| line["game"].is_empty() && !line["elo"].is_empty()));
    }

    #[test]
    fn who_has_won_is_told_in_every_form() {
        let (tournament, records) = played_as(&["tic-tac-toe", "nim"], Format::KnockOut);
        for part in &tournament.games {
            let spec = &part.standings.agents[part.course.winner.unwrap()].spec;
            assert_eq!(part.course.stages.len(), 2);
            let winner = format!("winner: {spec}");
            let (text, page) = (text(&tournament), html(&tournament, &records));
            assert!(text.contains(&winner) && page.contains(&winner), "{text}");
            assert!(text.contains("stage  meeting") && page.contains("<h3>Stages</h3>"), "{text}");
            assert!(text.contains("bye") && text.contains("goes on"), "{text}");
            let csv = csv(&tournament);
            let winners: Vec<&str> = read(&csv)
                .iter()
                .filter(|line| line["game"] == part.game && line["winner"] == "1")
                .map(|line| line["agent"])
                .collect();
            assert_eq!(winners, [spec]);
        }
        let json = serde_json::to_value(&tournament).unwrap();
        assert!(json["games"][0]["winner"].is_u64() && json["games"][0]["stages"][1]["meetings"][0]["games"].is_u64());
        let (swiss, _) = played_as(&["tic-tac-toe"], Format::Swiss);
        let (text, csv, scores) = (text(&swiss), csv(&swiss), &swiss.games[0].course.scores);
        let lines = read(&csv);
        let of_agents = lines.iter().filter(|line| line["table"] == "agents");
        let told: Vec<f64> = of_agents.map(|line| line["score"].parse().unwrap()).collect();
        assert_eq!(&told, scores);
        assert_eq!(scores.iter().sum::<f64>(), 4.0, "two meetings and two byes");
        assert!(text.contains("score\n") && text.contains("bye\n") && !text.contains("goes on"), "{text}");
        assert!(!super::text(&played(&["tic-tac-toe"]).0).contains("winner"));
    }

    #[test]
    fn that_drawn_games_were_added_is_said_of_each_game_and_of_all() {
        let (mut tournament, records) = played(&["tic-tac-toe", "nim"]);
        for with_prior in [false, true] {
            tournament.games.iter_mut().for_each(|part| part.standings.with_prior = with_prior);
            tournament.overall_with_prior = with_prior;
            let n_times = if with_prior { 3 } else { 0 };
            assert_eq!(text(&tournament).matches(WITH_PRIOR).count(), n_times);
            assert_eq!(html(&tournament, &records).matches(WITH_PRIOR).count(), n_times);
        }
    }

    #[test]
    fn what_is_played_alone_has_no_elo_and_no_sentence_about_it() {
        let (alone, _) = played(&["2048:max-plies=60"]);
        assert!(!text(&alone).contains("Elo"), "{}", text(&alone));
        let (both, _) = played(&["2048:max-plies=60", "tic-tac-toe"]);
        assert!(text(&both).ends_with("Elo counts from the mean of all agents.\n"));
        let mut one = alone;
        one.games[0].standings.n_games = 1;
        assert!(text(&one).starts_with("2048:max-plies=60, 1 game\n"), "{}", text(&one));
    }
}
