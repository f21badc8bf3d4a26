//! Sheets for paper: the rules of a game, its board to be played on with real pieces, and its charts, as one page in HTML.
//!
//! The page is self-contained and has no scripts. It is laid out for A4 and Letter alike, a sheet begins on a new page, and
//! what is drawn can be told apart in black and white: pieces by their letters and engravings, cells by their shades.

use std::ops::Range;

use pulldown_cmark::{Options, Parser, html};
use raichi_core::chart::{Chart, Entry};
use raichi_core::erased::AnyGame;
use raichi_core::picture::{Area, AreaKind, Picture};
use raichi_core::rulebook::{Passage, Position, passages};
use raichi_core::seat::Viewer;

use super::drawing::Drawer;
use super::page::{escape, styled};
use super::tones::seat_tones;

const STYLE: &str = include_str!("print.css");

/// The room for a board, in millimetres, that a page of A4 and one of Letter both have beside margins and heading: upright
/// and lying.
const UPRIGHT: (f64, f64) = (186.0, 210.0);
const LYING: (f64, f64) = (253.0, 148.0);
/// A board is drawn no larger than so many millimetres for a unit, which is about a cell.
const LARGEST_UNIT: f64 = 34.0;

/// How wide a diagram is, and how small a unit of it may be, in millimetres.
const DIAGRAM: f64 = 95.0;
const LEAST_UNIT: f64 = 2.5;

/// Charts of more columns are set smaller, and those of still more are divided among pages.
const CROWDED: usize = 12;
const MOST_COLUMNS: usize = 17;
/// Texts of more characters begin at the left of their places.
const LONG: usize = 14;

/// A sheet that a game has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sheet {
    /// How it is asked for.
    pub id: String,
    /// What it is.
    pub title: String,
}

/// A sheet that was asked for and is not there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no sheet `{asked}` of {game}; its sheets are {known}")]
pub struct UnknownSheet {
    /// What was asked for.
    pub asked: String,
    /// The game's id.
    pub game: String,
    /// The ids of its sheets.
    pub known: String,
}

/// The sheets of a game with these charts, in order.
pub fn sheets(charts: &[Chart]) -> Vec<Sheet> {
    let fixed =
        [("rules", "Rules"), ("board", "Board")].map(|(id, title)| Sheet { id: id.into(), title: title.into() });
    let of_charts = charts.iter().map(|chart| Sheet { id: chart.id.clone(), title: chart.title.clone() });
    fixed.into_iter().chain(of_charts).collect()
}

/// The sheets of a game whose ids are `wanted`, or all where none is, as a page.
///
/// # Errors
/// Sheets that the game has not; names those that it has.
pub fn html(game: &dyn AnyGame, charts: &[Chart], wanted: &[String]) -> Result<String, UnknownSheet> {
    let known = sheets(charts);
    if let Some(asked) = wanted.iter().find(|asked| known.iter().all(|sheet| sheet.id != **asked)) {
        let known: Vec<&str> = known.iter().map(|sheet| sheet.id.as_str()).collect();
        return Err(UnknownSheet { asked: asked.clone(), game: game.id().into(), known: known.join(", ") });
    }
    let names = (0..game.facts().n_seats).map(|seat| game.seat_name(seat)).collect();
    let mut printer = Printer { game, drawer: Drawer::new("f", seat_tones(game), names) };
    let chosen: Vec<&Sheet> = known.iter().filter(|sheet| wanted.is_empty() || wanted.contains(&sheet.id)).collect();
    let drawn: String = chosen.iter().map(|sheet| printer.sheet(sheet, charts)).collect();
    let links: String =
        chosen.iter().map(|Sheet { id, title }| format!("<a href=\"#{id}\">{}</a>", escape(title))).collect();
    let body = format!(
        "<p class=\"spec\">{}</p><nav aria-label=\"Sheets\">{links}</nav>\
         <p class=\"hint quiet\">Print this page at its actual size, with background colours.</p>{}{drawn}",
        escape(game.spec()),
        printer.drawer.definitions()
    );
    Ok(styled(game.name(), STYLE, &body))
}

struct Printer<'a> {
    game: &'a dyn AnyGame,
    drawer: Drawer,
}

impl Printer<'_> {
    fn sheet(&mut self, sheet: &Sheet, charts: &[Chart]) -> String {
        match charts.iter().find(|chart| chart.id == sheet.id) {
            Some(chart) => self.chart(chart),
            None if sheet.id == "rules" => self.rules(),
            None => self.boards(),
        }
    }

    // Rules

    fn rules(&mut self) -> String {
        let rules = raichi_games::entry(self.game.id()).expect("the game is of the registry").rules;
        let mut answers = String::new();
        let text = self.passages(passages(rules), &mut answers);
        let rules = section(self.game, "rules", "Rules", "", &text);
        if answers.is_empty() { rules } else { rules + &section(self.game, "answers", "Answers", "", &answers) }
    }

    /// Texts and positions; what is sealed goes to `answers`.
    fn passages(&mut self, passages: Vec<Passage<'_>>, answers: &mut String) -> String {
        let mut text = String::new();
        for passage in passages {
            match passage {
                Passage::Text(passage) => text += &markdown(passage),
                Passage::Position(position) => text += &self.diagram(position),
                Passage::Sealed { question, answer } => {
                    let question = escape(question);
                    text += &format!("<p><strong>{question}</strong> The answer stands on a page of its own.</p>");
                    let answer = self.passages(answer, &mut String::new());
                    *answers += &format!("<p><strong>{question}</strong></p>{answer}");
                }
            }
        }
        text
    }

    fn diagram(&mut self, position: Position<'_>) -> String {
        const WHY: &str = "a test of the games opens every position";
        let game = raichi_games::game(position.spec).expect(WHY);
        let current = position.open(&*game).expect(WHY);
        let picture = current.picture(Viewer::Referee);
        // Its seats may be others than those of the game that is printed.
        let names = (0..game.facts().n_seats).map(|seat| game.seat_name(seat)).collect();
        self.drawer.set_seats(seat_tones(&*game), names);
        let joined = position.joined().expect("a test of the games reads what is joined");
        let drawn = self.drawer.joined_position(&picture, &current.last_marks(Viewer::Referee), &joined);
        let names = (0..self.game.facts().n_seats).map(|seat| self.game.seat_name(seat)).collect();
        self.drawer.set_seats(seat_tones(self.game), names);
        format!("<div class=\"diagram\">{drawn}</div>")
    }

    // The board

    fn boards(&mut self) -> String {
        let picture = self.game.new_match().picture(Viewer::Spectator);
        let own = self.game.sheets();
        let is_board = |area: &&Area| area.kind != AreaKind::Tray && !area.cells.is_empty();
        let boards = if own.is_empty() { &picture.areas } else { &own };
        let mut areas: Vec<&Area> = boards.iter().filter(is_board).collect();
        if areas.is_empty() {
            areas = picture.areas.iter().collect();
        }
        let mut pages = String::new();
        for (number, area) in areas.iter().enumerate() {
            let id = if number == 0 { "board".into() } else { format!("board-{}", number + 1) };
            let (is_lying, unit) = placed(area);
            let (width, title) = (area.width * unit, if area.title.is_empty() { "Board" } else { &area.title });
            let drawn =
                format!("<div class=\"playing\" style=\"width:{width:.1}mm\">{}</div>", self.drawer.blank(area));
            pages += &section(self.game, &id, title, if is_lying { "wide" } else { "" }, &drawn);
        }
        pages + &self.start(&picture)
    }

    /// How the game begins, where anything lies on the board then.
    fn start(&mut self, picture: &Picture) -> String {
        if picture.areas.iter().all(|area| area.kind == AreaKind::Tray || area.pieces.is_empty()) {
            return String::new();
        }
        // Smaller it could not be read; the sheet says what it begins with.
        if picture.areas.iter().any(|area| DIAGRAM / area.width < LEAST_UNIT) {
            return String::new();
        }
        // Hands that are still to be dealt would leave the page empty.
        let holds = |area: &&Area| area.kind != AreaKind::Tray || !area.pieces.is_empty();
        let areas = picture.areas.iter().filter(holds).cloned().collect();
        let drawn = self.drawer.position(&Picture { areas, ..picture.clone() }, &[]);
        section(self.game, "start", "How it begins", "", &format!("<div class=\"diagram\">{drawn}</div>"))
    }

    // Charts

    /// As many columns as a page holds on each; every page has the heads of the rows.
    fn chart(&mut self, chart: &Chart) -> String {
        let n_columns = chart.columns.len();
        let n_pages = n_columns.div_ceil(MOST_COLUMNS).max(1);
        let each = n_columns.div_ceil(n_pages);
        let mut page = |number: usize| {
            let (id, title) = match number {
                0 => (chart.id.clone(), chart.title.clone()),
                _ => (format!("{}-{}", chart.id, number + 1), format!("{}, page {}", chart.title, number + 1)),
            };
            let columns = number * each..n_columns.min((number + 1) * each);
            let table = self.chart_columns(chart, columns);
            section(self.game, &id, &title, "", &table)
        };
        (0..n_pages).map(&mut page).collect()
    }

    fn chart_columns(&mut self, chart: &Chart, columns: Range<usize>) -> String {
        let mut head = format!("<th scope=\"col\">{}</th>", escape(&chart.corner));
        for column in &chart.columns[columns.clone()] {
            head += &format!("<th scope=\"col\">{}</th>", self.entry(column));
        }
        let mut rows = String::new();
        for row in &chart.rows {
            rows += &format!("<tr><th scope=\"row\">{}</th>", self.entry(&row.head));
            for entry in &row.entries[columns.clone()] {
                let is_long = entry.figures.is_empty() && entry.text.chars().count() > LONG;
                let class = if is_long { " class=\"long\"" } else { "" };
                rows += &format!("<td{class}>{}</td>", self.entry(entry));
            }
            rows += "</tr>";
        }
        format!(
            "<p>{}</p><table class=\"chart{}\"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>",
            escape(&chart.text),
            if columns.len() > CROWDED { " crowded" } else { "" }
        )
    }

    fn entry(&mut self, entry: &Entry) -> String {
        let note = entry.note.as_ref().map_or(String::new(), |note| format!("<small>{}</small>", escape(note)));
        match &entry.figures[..] {
            [] => escape(&entry.text) + &note,
            [figure] => self.drawer.figure(figure, &entry.text) + &note,
            // Together they are what the text says.
            figures => {
                let drawn = figures.iter().map(|figure| {
                    let text = figure.text.as_deref().unwrap_or(&entry.text).to_owned();
                    self.drawer.figure(figure, &text)
                });
                drawn.collect::<String>() + &note
            }
        }
    }
}

/// Whether a board is drawn on a page that lies, and how many millimetres a unit then has.
fn placed(area: &Area) -> (bool, f64) {
    let unit = |(width, height): (f64, f64)| (width / area.width).min(height / area.height).min(LARGEST_UNIT);
    let (upright, lying) = (unit(UPRIGHT), unit(LYING));
    if lying > upright { (true, lying) } else { (false, upright) }
}

/// A sheet on a page of its own, which says what it is of.
fn section(game: &dyn AnyGame, id: &str, title: &str, class: &str, body: &str) -> String {
    let class = if class.is_empty() { "sheet".into() } else { format!("sheet {class}") };
    let (title, of) = (escape(title), escape(game.spec()));
    format!("<section class=\"{class}\" id=\"{id}\"><h2>{title} <small>{of}</small></h2>{body}</section>")
}

fn markdown(text: &str) -> String {
    let mut drawn = String::new();
    html::push_html(&mut drawn, Parser::new_ext(text, Options::ENABLE_TABLES));
    format!("<div class=\"markdown\">{drawn}</div>")
}

#[cfg(test)]
mod tests {
    use scraper::{Html, Selector};

    use super::*;

    fn select<'a>(page: &'a Html, selector: &str) -> Vec<scraper::ElementRef<'a>> {
        page.select(&Selector::parse(selector).unwrap()).collect()
    }

    fn printed(spec: &str, wanted: &[&str]) -> Html {
        let game = raichi_games::game(spec).unwrap();
        let wanted: Vec<String> = wanted.iter().map(|id| id.to_string()).collect();
        let page = html(&*game, &game.charts(), &wanted).unwrap();
        let parsed = Html::parse_document(&page);
        assert!(parsed.errors.is_empty(), "{spec}: {:?}", parsed.errors);
        parsed
    }

    fn text(page: &Html, selector: &str) -> String {
        select(page, selector).iter().flat_map(|element| element.text()).collect()
    }

    #[test]
    fn every_game_prints_rules_and_a_board_that_refer_to_what_is_there() {
        for entry in raichi_games::REGISTRY {
            let page = printed(entry.id, &[]);
            assert_eq!(text(&page, "h1"), entry.name);
            let words = text(&page, "#rules").split_whitespace().count();
            assert!(words > 60, "{}: {words} words of rules", entry.id);
            assert!(!select(&page, "#board svg").is_empty(), "{}", entry.id);
            let ids: Vec<&str> = select(&page, "[id]").iter().filter_map(|element| element.attr("id")).collect();
            for used in select(&page, "use") {
                let reference = used.attr("href").unwrap().trim_start_matches('#');
                assert!(ids.contains(&reference), "{}: nothing is called {reference}", entry.id);
            }
            let unique: std::collections::HashSet<&&str> = ids.iter().collect();
            assert_eq!(unique.len(), ids.len(), "{}: an id stands twice", entry.id);
            assert!(select(&page, "script, link, img, iframe").is_empty(), "{} needs nothing else", entry.id);
        }
    }

    #[test]
    fn a_board_has_all_its_cells_and_no_piece() {
        let cells = |spec: &str, shape: &str| {
            let page = printed(spec, &["board"]);
            let fragment = select(&page, "#board use")[0].attr("href").unwrap().to_owned();
            select(&page, &format!("{fragment} {shape}.c")).len()
        };
        assert_eq!(cells("hex:size=5", "polygon"), 25);
        assert_eq!(cells("tablut", "rect"), 81);
        assert_eq!(cells("connect-four:width=9,height=7", "circle"), 63);
        let tablut = printed("tablut", &["board"]);
        assert!(select(&tablut, "#board .p").is_empty() && select(&tablut, "#board use").len() == 1);
        assert!(select(&tablut, "#start use").len() > 25, "how it begins is shown with its pieces");
    }

    #[test]
    fn a_table_of_sums_holds_for_the_group_that_is_given() {
        for (spec, order) in [("al-jabar", 8), ("al-jabar:group=3/3", 9), ("al-jabar:group=2/2/2/2", 16)] {
            let page = printed(spec, &["sums"]);
            assert_eq!(select(&page, "#sums tbody td").len(), order * order, "{spec}");
            assert_eq!(select(&page, "section").len(), 1);
        }
        let large = printed("al-jabar:group=2/2/2/2/2,limit=3", &["sums"]);
        for id in ["#sums", "#sums-2"] {
            assert_eq!(select(&large, &format!("{id} thead th")).len(), 1 + 16, "half of the columns");
            assert_eq!(select(&large, &format!("{id} tbody tr")).len(), 32, "and all rows");
        }
        let last = select(&large, "#sums-2 tbody tr:nth-child(32) td:nth-child(17) svg")[0];
        assert_eq!(last.attr("aria-label"), Some("00000"));
        let lines: Vec<String> = select(&large, "text.w").iter().map(|text| text.text().collect()).collect();
        assert!(lines.contains(&"110".into()) && lines.iter().all(|line| line.len() <= 3), "digits stand on two lines");
        let page = printed("al-jabar", &["sums"]);
        let cell = select(&page, "#sums tbody tr:nth-child(1) td:nth-child(4) svg")[0].attr("aria-label");
        assert_eq!(cell, Some("Purple"), "red and blue");
    }

    #[test]
    fn the_cards_are_printed_with_their_numbers() {
        let page = printed("jabirs-transmutations", &["cards", "events"]);
        let numbers: Vec<String> =
            select(&page, "tbody td:nth-child(2)").iter().map(|td| td.text().collect()).collect();
        assert_eq!(numbers, ["26", "14", "20", "10", "10", "3", "1", "1", "1", "1"]);
        let poker = printed("poker", &["hands"]);
        assert_eq!(select(&poker, "#hands tbody tr").len(), 10);
        assert_eq!(select(&poker, "#hands tbody svg").len(), 50);
        assert!(text(&poker, "#hands").contains("1,302,540"));
    }

    #[test]
    fn sheets_show_no_position() {
        let texts = |spec: &str| -> Vec<String> {
            select(&printed(spec, &["board"]), "#board text").iter().map(|text| text.text().collect()).collect()
        };
        assert_eq!(texts("kaalu"), ["a", "b", "c", "d", "e", "f", "g", "White's stock", "Black's stock"]);
        assert_eq!(texts("nim:sizes=3/4/5"), ["a", "3", "b", "4", "c", "5"]);
        let cube = printed("rubiks-cube", &["board"]);
        let faces: String = select(&cube, "text.w").iter().flat_map(|letter| letter.text()).collect();
        assert_eq!(faces, "ULFRBD", "one letter a face, no sticker's");
        let many = printed("nim:heaps=12,size=255", &["board"]);
        assert_eq!(select(&many, "rect.c").len(), 12, "a field for each heap");
        assert!(select(&many, "#start").is_empty(), "twelve heaps of 255 sticks could not be seen");
        assert!(!select(&printed("nim", &["board"]), "#start").is_empty());
        let black = printed("black", &["board"]);
        let ground = select(&black, "rect.c")
            .iter()
            .filter(|cell| cell.attr("style") == Some("fill:var(--tone-accent)"))
            .count();
        assert_eq!(ground, 0, "no cell is the next one");
    }

    #[test]
    fn what_is_touched_on_a_screen_is_not_printed() {
        for entry in raichi_games::REGISTRY {
            let page = printed(entry.id, &[]);
            // Stones of Hex need not touch to be as good as joined, and piles of kaalu are untouched at first.
            let words = text(&page, "main").to_lowercase().replace("need not touch", "").replace("untouched", "");
            for word in ["touch", "click", "button", "open a"] {
                let near: String = words.split(word).skip(1).flat_map(|rest| rest.chars().take(40)).collect();
                assert!(!words.contains(word), "{}: `{word}{near}`", entry.id);
            }
        }
    }

    #[test]
    fn an_unknown_sheet_is_refused_with_those_that_there_are() {
        let game = raichi_games::game("al-jabar").unwrap();
        let why = html(&*game, &game.charts(), &["bord".into()]).unwrap_err().to_string();
        assert_eq!(why, "there is no sheet `bord` of al-jabar; its sheets are rules, board, sums, makers");
    }

    #[test]
    fn answers_stand_on_a_page_of_their_own() {
        let page = printed("french-military", &["rules"]);
        assert!(!text(&page, "#answers").is_empty());
        assert!(text(&page, "#rules").contains("The answer stands on a page of its own."));
    }

    #[test]
    fn boards_fit_on_both_papers() {
        let area = |width, height| Area { width, height, ..Area::board("", 1.0, 1.0) };
        assert_eq!(placed(&area(3.0, 3.0)), (false, LARGEST_UNIT));
        let (is_lying, unit) = placed(&area(22.0, 11.0));
        assert!(is_lying && (unit - 253.0 / 22.0).abs() < 1e-9);
        let (is_lying, unit) = placed(&area(9.0, 9.0));
        assert!(!is_lying && (unit - 186.0 / 9.0).abs() < 1e-9);
    }
}
