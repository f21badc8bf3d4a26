//! The template that all pages share: the page's own fonts and colours by day and by night, and nothing from the network.
//!
//! Colours and fonts are those of `web/`, taken from its files when this crate is built, so that there is one set of them.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;

/// The colours of the page, by daylight and by lamplight.
const THEME: &str = include_str!("../../../../web/src/theme.css");
const STYLE: &str = include_str!("page.css");

/// A face: family, weight, style, and the file of it.
type Face = (&'static str, &'static str, &'static str, &'static [u8]);

macro_rules! file {
    ($name:literal) => {
        include_bytes!(concat!("../../../../web/src/fonts/", $name, ".woff2"))
    };
}

/// Of the faces of running text also letters with accents and rarer signs, before the usual ones: what the later of two files
/// lacks is looked for in the one before.
const FACES: &[Face] = &[
    ("IM Fell DW Pica", "400", "normal", file!("im-fell-dw-pica-400-normal-basic")),
    ("Alegreya Sans", "400", "normal", file!("alegreya-sans-400-normal-more")),
    ("Alegreya Sans", "400", "normal", file!("alegreya-sans-400-normal-basic")),
    ("Alegreya Sans", "400", "italic", file!("alegreya-sans-400-italic-more")),
    ("Alegreya Sans", "400", "italic", file!("alegreya-sans-400-italic-basic")),
    ("Alegreya Sans", "700", "normal", file!("alegreya-sans-700-normal-basic")),
];

/// A whole page.
pub(super) fn page(title: &str, body: &str) -> String {
    styled(title, "", body)
}

/// A whole page with a style of its own besides.
pub(super) fn styled(title: &str, style: &str, body: &str) -> String {
    let title = escape(title);
    let fonts: String = FACES.iter().map(font_face).collect();
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\"><title>{title}</title><style>{fonts}\n{THEME}\n{STYLE}\n{style}</style>\
         </head><body><main><h1>{title}</h1>{body}</main></body></html>\n"
    )
}

fn font_face(&(family, weight, style, bytes): &Face) -> String {
    let data = BASE64_STANDARD.encode(bytes);
    format!(
        "@font-face{{font-family:\"{family}\";font-weight:{weight};font-style:{style};src:url(data:font/woff2;base64,{data}) \
         format(\"woff2\")}}\n"
    )
}

/// Text as HTML.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A drawing with its caption; nothing where there is nothing to draw.
pub(super) fn figure(caption: &str, drawing: &str) -> String {
    if drawing.is_empty() {
        return String::new();
    }
    format!("<figure><figcaption>{}</figcaption>{drawing}</figure>", escape(caption))
}

/// A table that scrolls by itself where the screen is narrow. Cells are HTML.
pub(super) fn table(header: &[String], rows: impl Iterator<Item = Vec<String>>) -> String {
    let head: String = header.iter().map(|cell| format!("<th scope=\"col\">{cell}</th>")).collect();
    let row = |cells: Vec<String>| {
        let cells = cells.into_iter().map(|cell| match cell.starts_with("<td") || cell.starts_with("<th") {
            true => cell,
            false => format!("<td>{cell}</td>"),
        });
        format!("<tr>{}</tr>", cells.collect::<String>())
    };
    let rows: String = rows.map(row).collect();
    format!(
        "<div class=\"scroll\" tabindex=\"0\"><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
    )
}

/// The cell that names a row.
pub(super) fn row_name(text: &str) -> String {
    format!("<th scope=\"row\">{}</th>", escape(text))
}
