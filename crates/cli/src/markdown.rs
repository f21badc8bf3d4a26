//! Markdown for the terminal: the rules of the games as they stand in `rules.md`, wrapped and coloured.

use anstyle::Style;
use comfy_table::Table;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use crate::palette::{BOLD, CODE, FAINT, TITLE};

/// `text` rendered for a terminal of `width` columns, every line ended.
pub(crate) fn render(text: &str, width: usize) -> String {
    let mut page = Page { width, ..Page::default() };
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        page.event(event);
    }
    page.done
}

#[derive(Default)]
struct Page {
    done: String,
    width: usize,
    /// The block being filled.
    inline: String,
    /// The styles around the text, outermost first.
    styles: Vec<Style>,
    /// The lists around the text, outermost first.
    lists: Vec<List>,
    /// What the next block's first line begins with.
    marker: Option<String>,
    /// Whether the next block needs no empty line before it, being an item inside its list.
    tight: bool,
    quotes: usize,
    verbatim: bool,
    rows: Vec<Vec<String>>,
}

struct List {
    /// Of the next item; bullets have none.
    number: Option<u64>,
    /// How far the text of an item stands in.
    hang: usize,
}

impl Page {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(&tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) if self.verbatim => {
                text.lines().for_each(|line| self.done += &format!("    {CODE}{line}{CODE:#}\n"));
            }
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => self.inline += &text,
            Event::Code(text) => {
                self.push(CODE);
                self.inline += &text;
                self.pop();
            }
            Event::SoftBreak => self.inline += " ",
            Event::HardBreak => self.inline += "\n",
            Event::Rule => self.block(&format!("{FAINT}{}{FAINT:#}", "─".repeat(self.width.min(40)))),
            // Switched off in the options.
            Event::FootnoteReference(_) | Event::TaskListMarker(_) | Event::InlineMath(_) | Event::DisplayMath(_) => {}
        }
    }

    fn start(&mut self, tag: &Tag<'_>) {
        match tag {
            Tag::Heading { .. } => self.push(TITLE),
            Tag::Strong => self.push(BOLD),
            Tag::Emphasis => self.push(Style::new().italic()),
            Tag::BlockQuote(_) => self.quotes += 1,
            Tag::CodeBlock(_) => {
                self.verbatim = true;
                self.space();
            }
            Tag::List(number) => {
                self.flush();
                self.tight = !self.lists.is_empty();
                self.lists.push(List { number: *number, hang: 2 });
            }
            Tag::Item => {
                let list = self.lists.last_mut().expect("an item stands in a list");
                let marker = list.number.map_or("• ".into(), |number| format!("{number}. "));
                list.number = list.number.map(|number| number + 1);
                list.hang = marker.chars().count();
                self.marker = Some(marker);
            }
            Tag::Table(_) => self.space(),
            Tag::TableHead | Tag::TableRow => self.rows.push(Vec::new()),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(_) => {
                self.pop();
                self.flush();
            }
            TagEnd::Strong | TagEnd::Emphasis => self.pop(),
            TagEnd::Paragraph => self.flush(),
            TagEnd::Item => {
                self.flush();
                self.tight = true;
            }
            TagEnd::BlockQuote(_) => self.quotes -= 1,
            TagEnd::CodeBlock => self.verbatim = false,
            TagEnd::List(_) => {
                self.lists.pop();
                self.tight = !self.lists.is_empty();
            }
            TagEnd::TableCell => {
                let cell = anstream::adapter::strip_str(&std::mem::take(&mut self.inline)).to_string();
                self.rows.last_mut().expect("a cell stands in a row").push(cell);
            }
            TagEnd::Table => self.table(),
            _ => {}
        }
    }

    fn push(&mut self, style: Style) {
        self.styles.push(style);
        self.inline += &style.to_string();
    }

    // One code ends all styles, so those around the one that ends are started again.
    fn pop(&mut self) {
        self.styles.pop();
        self.inline += &anstyle::Reset.to_string();
        self.styles.iter().for_each(|style| self.inline += &style.to_string());
    }

    fn flush(&mut self) {
        let inline = std::mem::take(&mut self.inline);
        if !inline.is_empty() {
            self.block(&inline);
        }
    }

    /// An empty line before a block, except at the top.
    fn space(&mut self) {
        if !std::mem::take(&mut self.tight) && !self.done.is_empty() {
            self.done += "\n";
        }
    }

    fn block(&mut self, text: &str) {
        self.space();
        let hangs: Vec<usize> = self.lists.iter().map(|list| list.hang).collect();
        let quote = "│ ".repeat(self.quotes);
        let rest = format!("{quote}{}", " ".repeat(hangs.iter().sum()));
        let first = match self.marker.take() {
            Some(marker) => format!("{quote}{}{marker}", " ".repeat(hangs.iter().rev().skip(1).sum())),
            None => rest.clone(),
        };
        let options = textwrap::Options::new(self.width).initial_indent(&first).subsequent_indent(&rest);
        self.done += &textwrap::fill(text, options);
        self.done += "\n";
    }

    fn table(&mut self) {
        let mut table = Table::new();
        table.load_style(comfy_table::presets::UTF8_HORIZONTAL_ONLY);
        let mut rows = std::mem::take(&mut self.rows).into_iter();
        // A table of cells alone has an empty head, for Markdown knows none without.
        if let Some(head) = rows.next().filter(|head| head.iter().any(|cell| !cell.is_empty())) {
            table.set_header(head);
        }
        table.add_rows(rows);
        table.set_content_arrangement(comfy_table::ContentArrangement::Dynamic).set_width(self.width as u16);
        self.done += &format!("{table}\n");
    }
}

#[cfg(test)]
mod tests {
    use raichi_core::rulebook::{Passage, passages};

    use super::*;

    fn plain(text: &str, width: usize) -> String {
        anstream::adapter::strip_str(&render(text, width)).to_string()
    }

    #[test]
    fn lists_hang_and_paragraphs_part() {
        let text =
            "One two\nthree **four**.\n\n- first item goes on\n- second\n  1. inner\n  2. more\n- third\n\nEnd.\n";
        let wanted =
            "One two three\nfour.\n\n• first item\n  goes on\n• second\n  1. inner\n  2. more\n• third\n\nEnd.\n";
        assert_eq!(plain(text, 14), wanted);
    }

    #[test]
    fn tables_code_and_quotes_are_drawn() {
        let page = plain("# Title\n\n| a | b |\n|---|---|\n| 1 | `x` |\n\n```\nA | B\n```\n\n> said\n", 40);
        assert!(page.starts_with("Title\n\n"), "{page}");
        assert!(page.contains("1   x"), "{page}");
        let headless = plain("| | |\n|---|---|\n| 1 | 2 |\n", 40);
        assert_eq!(
            headless.lines().filter(|line| !line.starts_with('─')).collect::<Vec<_>>(),
            [" 1   2 "],
            "{headless}"
        );
        assert!(page.contains("\n\n    A | B\n\n│ said\n"), "{page}");
    }

    #[test]
    fn styles_end_where_they_should() {
        let page = render("a **b `c` d** e", 40);
        assert_eq!(anstream::adapter::strip_str(&page).to_string(), "a b c d e\n");
        let (before, after) = page.split_once(" d").unwrap();
        assert!(before.ends_with(&BOLD.to_string()), "bold goes on behind code: {page:?}");
        assert!(after.starts_with(&anstyle::Reset.to_string()), "{page:?}");
    }

    #[test]
    fn the_rules_of_every_game_are_drawn_in_full() {
        for entry in raichi_games::REGISTRY {
            for passage in passages(entry.rules) {
                let Passage::Text(text) = passage else { continue };
                let drawn = plain(text, 80);
                let words = |text: &str| text.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).count();
                assert!(words(&drawn) >= words(text), "{}: a word is missing", entry.id);
            }
        }
    }
}
