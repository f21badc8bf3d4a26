//! The page, built by `web/` and embedded here.

use std::borrow::Cow;

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, Method};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rust_embed::{EmbeddedFile, RustEmbed};
use sha2::{Digest, Sha256};

use crate::constant::{Body, CHECKED, Constant, FOR_EVER};
use crate::error::Refusal;
use crate::message::GameEntry;

#[derive(RustEmbed)]
#[folder = "../../web/dist"]
struct Dist;

const HTML: &str = "text/html; charset=utf-8";
/// Where the build leaves room for the address that the page's links start from.
const BASE: &str = "<base href=\"/\" />";
const END: &str = "</body>";

/// The page as this server sends it. It reads its address itself; the entries differ in what they load first.
pub(crate) struct Page {
    /// With its cards in it, so that the first of them wait for nothing more.
    lobby: Constant,
    table: Constant,
    rules: Constant,
    analysis: Constant,
    /// For every other address, and what the service worker keeps.
    shell: Constant,
    policy: HeaderValue,
}

impl Page {
    /// The page under a base path, which is empty or like `/raichi`, of characters that need no escaping; `cards` are the
    /// lobby's as JSON, and `facts` is what every page is told in its head.
    pub(crate) fn new(base_path: &str, cards: &[u8], facts: &str) -> Page {
        let index = told(&entry("index.html").unwrap_or_default(), facts);
        let read = |name| entry(name).map_or_else(|| index.clone(), |html| told(&html, facts));
        let constant = |html: &str| Constant::new(HTML, CHECKED, based(html, base_path).into_bytes());
        Page {
            lobby: constant(&with_cards(&index, cards)),
            table: constant(&read("table.html")),
            rules: constant(&read("rules.html")),
            analysis: constant(&read("analysis.html")),
            shell: constant(&index),
            policy: policy(&index),
        }
    }

    /// The file that a path names; every other path without an extension returns the page.
    ///
    /// The path is the one below the base path.
    pub(crate) fn respond(&self, method: &Method, path: &str, headers: &HeaderMap) -> Response {
        if method != Method::GET && method != Method::HEAD {
            return Refusal::new("path/method", format!("this path does not take {method}")).into_response();
        }
        let path = path.trim_start_matches('/');
        match self.at(path) {
            Some(page) => page.respond(headers),
            None => match file(path) {
                Some(file) => file.respond(headers),
                None => Refusal::new("path/unknown", "there is nothing at this address").into_response(),
            },
        }
    }

    fn at(&self, path: &str) -> Option<&Constant> {
        match path {
            "" => Some(&self.lobby),
            "index.html" => Some(&self.shell),
            _ if path.starts_with("api/") || path.rsplit('/').next()?.contains('.') => None,
            _ if path.starts_with("t/") => Some(&self.table),
            _ if path.starts_with("rules/") => Some(&self.rules),
            "analysis" | "setup" => Some(&self.analysis),
            _ => Some(&self.shell),
        }
    }

    /// What the page may do: run its own scripts, use its own styles and connect to this server; nothing else.
    pub(crate) fn content_security_policy(&self) -> HeaderValue {
        self.policy.clone()
    }
}

/// What a path with an extension names.
fn file(path: &str) -> Option<Constant> {
    // The entries are sent as this server has changed them, the compressed forms as encodings of their file.
    if [".html", ".gz", ".br"].iter().any(|end| path.ends_with(end)) {
        return None;
    }
    let EmbeddedFile { data, metadata, .. } = Dist::get(path)?;
    let content_type = match metadata.mimetype() {
        text if text.starts_with("text/") || text.ends_with("javascript") => format!("{text}; charset=utf-8"),
        other => other.into(),
    };
    // The build puts a hash of the content into these names.
    let cache_control = if path.starts_with("assets/") { FOR_EVER } else { CHECKED };
    let compressed = |end: &str| Dist::get(&format!("{path}{end}")).map(|file| bytes(file.data));
    let body = Body::precompressed(bytes(data), compressed(".gz"), compressed(".br"));
    Some(Constant::hashed(&content_type, cache_control, &metadata.sha256_hash(), body))
}

fn bytes(data: Cow<'static, [u8]>) -> Bytes {
    match data {
        Cow::Borrowed(embedded) => Bytes::from_static(embedded),
        Cow::Owned(read) => read.into(),
    }
}

fn entry(name: &str) -> Option<String> {
    Dist::get(name).map(|file| String::from_utf8_lossy(&file.data).into_owned())
}

/// Lets the page's links start from the base path.
fn based(html: &str, base_path: &str) -> String {
    html.replacen(BASE, &format!("<base href=\"{base_path}/\" />"), 1)
}

/// What every page is told, so that it need not ask for the whole lobby: which games have charts, and several ways of
/// writing what stands on their pieces; of which a position is set up by its text; whether there is a lab.
pub(crate) fn head(games: &[GameEntry], lab: bool) -> String {
    let ids = |has: fn(&GameEntry) -> bool| -> String {
        let ids: Vec<&str> = games.iter().filter(|game| has(game)).map(|game| game.id).collect();
        ids.join(" ")
    };
    let (charts, letterings) = (ids(|game| game.charts), ids(|game| game.letterings));
    let by_text = meta("by_text", &ids(|game| game.by_text));
    let lab = if lab { meta("lab", "on") } else { String::new() };
    meta("charts", &charts) + &meta("letterings", &letterings) + &by_text + &lab
}

/// Names and ids need no escaping.
fn meta(name: &str, content: &str) -> String {
    format!("<meta name=\"{name}\" content=\"{content}\">")
}

fn told(html: &str, facts: &str) -> String {
    html.replacen("</head>", &format!("{facts}</head>"), 1)
}

/// Puts the cards at the end, so that the browser reads of scripts and styles before it.
fn with_cards(html: &str, cards: &[u8]) -> String {
    // In JSON, `<` occurs in texts only, where it may be written so; a text cannot then end the element.
    let cards = String::from_utf8_lossy(cards).replace('<', "\\u003c");
    html.replacen(END, &format!("<script type=\"application/json\" id=\"cards\">{cards}</script>{END}"), 1)
}

/// Data in the page is not run, so the policy does not know of it.
fn policy(index: &str) -> HeaderValue {
    let scripts: String = inline_scripts(index).map(|script| format!(" '{}'", hash_source(script))).collect();
    let policy = format!(
        "default-src 'none'; script-src 'self'{scripts}; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
         font-src 'self' data:; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'self'; \
         form-action 'none'; frame-ancestors 'none'"
    );
    HeaderValue::from_str(&policy).expect("hashes and words are header text")
}

fn hash_source(script: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(script.as_bytes())))
}

// The build writes plain tags, so that searching for them is enough.
fn inline_scripts(page: &str) -> impl Iterator<Item = &str> {
    page.split("<script").skip(1).filter_map(|rest| {
        let (attributes, rest) = rest.split_once('>')?;
        let (script, _) = rest.split_once("</script>")?;
        (!attributes.contains("src=") && !script.is_empty()).then_some(script)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_written_into_the_page_are_allowed_by_their_hash() {
        let page = r#"<head><script type="module" src="/assets/x.js"></script><script>alert(1)</script></head>"#;
        let found: Vec<&str> = inline_scripts(page).collect();
        assert_eq!(found, ["alert(1)"]);
        // Computed with `openssl dgst -sha256 -binary | base64`.
        assert_eq!(hash_source("alert(1)"), "sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI=");
    }

    #[test]
    fn links_start_from_the_base_path() {
        let page = r#"<head><base href="/" /><link href="./x.css"></head>"#;
        assert_eq!(based(page, ""), page);
        assert_eq!(based(page, "/raichi"), r#"<head><base href="/raichi/" /><link href="./x.css"></head>"#);
    }

    #[test]
    fn every_page_is_told_which_games_have_more_than_a_board() {
        let games = crate::lobby::games();
        let facts = head(&games, true);
        assert!(facts.contains(r#"<meta name="lab" content="on">"#) && !head(&games, false).contains("lab"));
        for (name, has) in
            [("charts", "al-jabar blackjack"), ("letterings", "al-jabar"), ("by_text", "al-jabar blackjack")]
        {
            assert!(facts.contains(&format!(r#"<meta name="{name}" content="{has}"#)), "{facts}");
        }
        assert!(!facts.contains("tic-tac-toe"), "{facts}");
        assert_eq!(told("<head></head>", &meta("x", "y")), r#"<head><meta name="x" content="y"></head>"#);
    }

    #[test]
    fn cards_in_the_page_cannot_end_their_element() {
        let page = with_cards("<body>x</body>", br#"[{"name":"</script><script>"}]"#);
        let data = r#"<script type="application/json" id="cards">[{"name":"\u003c/script>\u003cscript>"}]</script>"#;
        assert_eq!(page, format!("<body>x{data}</body>"));
    }
}
