//! The page, built by `web/` and embedded here.

use std::sync::LazyLock;

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rust_embed::{EmbeddedFile, RustEmbed};
use sha2::{Digest, Sha256};

use crate::error::Refusal;

#[derive(RustEmbed)]
#[folder = "../../web/dist"]
struct Dist;

const INDEX: &str = "index.html";

/// The file that a path names; every other path without an extension returns the page, which reads the path itself.
pub(crate) async fn serve(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    if method != Method::GET && method != Method::HEAD {
        return Refusal::new("path/method", format!("this path does not take {method}")).into_response();
    }
    let path = uri.path().trim_start_matches('/');
    if let Some(file) = Dist::get(path) {
        return respond(&file, path, &headers);
    }
    let is_page = !path.rsplit('/').next().unwrap_or_default().contains('.') && !path.starts_with("api/");
    match Dist::get(INDEX).filter(|_| is_page) {
        Some(page) => respond(&page, INDEX, &headers),
        None => Refusal::new("path/unknown", "there is nothing at this address").into_response(),
    }
}

fn respond(file: &EmbeddedFile, path: &str, headers: &HeaderMap) -> Response {
    let hash: String = file.metadata.sha256_hash()[..16].iter().map(|byte| format!("{byte:02x}")).collect();
    let etag = format!("\"{hash}\"");
    // The build puts a hash of the content into these names.
    let cache = if path.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
    let common = [(CACHE_CONTROL, cache.to_string()), (ETAG, etag.clone())];
    let known = headers.get(IF_NONE_MATCH).and_then(|tags| tags.to_str().ok());
    // The compression layer makes a tag weak; the content is the same.
    if known.is_some_and(|tags| tags.split(',').any(|tag| tag.trim().trim_start_matches("W/") == etag)) {
        return (StatusCode::NOT_MODIFIED, common).into_response();
    }
    let content_type = match file.metadata.mimetype() {
        text if text.starts_with("text/") || text.ends_with("javascript") => format!("{text}; charset=utf-8"),
        other => other.into(),
    };
    (common, [(CONTENT_TYPE, content_type)], file.data.clone().into_owned()).into_response()
}

/// What the page may do: run its own scripts, use its own styles and connect to this server; nothing else.
pub(crate) static CONTENT_SECURITY_POLICY: LazyLock<HeaderValue> = LazyLock::new(|| {
    let page = Dist::get(INDEX).map(|file| String::from_utf8_lossy(&file.data).into_owned()).unwrap_or_default();
    let scripts: String = inline_scripts(&page).map(|script| format!(" '{}'", hash_source(script))).collect();
    let policy = format!(
        "default-src 'none'; script-src 'self'{scripts}; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
         font-src 'self' data:; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; \
         form-action 'none'; frame-ancestors 'none'"
    );
    HeaderValue::from_str(&policy).expect("hashes and words are header text")
});

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
}
