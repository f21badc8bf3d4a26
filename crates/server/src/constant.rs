//! Responses that stay the same while the server runs. They have a tag and are compressed once, not for each request.

use std::io::Write as _;
use std::sync::OnceLock;

use axum::body::Bytes;
use axum::http::header::{ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use brotli::CompressorWriter;
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

/// Made once, while the first visitor waits. Of the lobby's 92 kB, with the library of Node: 9 makes 11.8 kB in 0.03 s, 10 makes
/// 10.2 kB in 0.06 s, 11 makes 10.0 kB in 0.14 s.
const BROTLI_QUALITY: u32 = 10;
const BROTLI_WINDOW_BITS: u32 = 22;
const BROTLI_BUFFER: usize = 4096;

/// For content whose address changes with it.
pub(crate) const FOR_EVER: &str = "public, max-age=31536000, immutable";
/// Kept, but checked by its tag before each use.
pub(crate) const CHECKED: &str = "no-cache";

/// A body in the encodings that clients may accept.
#[derive(Default)]
pub(crate) struct Body {
    plain: Bytes,
    /// Empty where the plain body is no longer.
    gzip: OnceLock<Bytes>,
    brotli: OnceLock<Bytes>,
}

impl Body {
    /// Is compressed when it is first asked for.
    pub(crate) fn new(plain: impl Into<Bytes>) -> Body {
        Body { plain: plain.into(), ..Body::default() }
    }

    /// Was compressed beforehand where that made it shorter.
    pub(crate) fn precompressed(plain: impl Into<Bytes>, gzip: Option<Bytes>, brotli: Option<Bytes>) -> Body {
        let known = |bytes: Option<Bytes>| OnceLock::from(bytes.unwrap_or_default());
        Body { plain: plain.into(), gzip: known(gzip), brotli: known(brotli) }
    }

    /// The best that is accepted, with the name of its encoding.
    fn best(&self, accepted: &str) -> (Option<&'static str>, Bytes) {
        let shorter = |bytes: &Bytes| !bytes.is_empty() && bytes.len() < self.plain.len();
        if accepts(accepted, "br") {
            let bytes = self.brotli.get_or_init(|| brotli(&self.plain));
            if shorter(bytes) {
                return (Some("br"), bytes.clone());
            }
        }
        if accepts(accepted, "gzip") {
            let bytes = self.gzip.get_or_init(|| gzip(&self.plain));
            if shorter(bytes) {
                return (Some("gzip"), bytes.clone());
            }
        }
        (None, self.plain.clone())
    }
}

fn brotli(plain: &[u8]) -> Bytes {
    let mut writer = CompressorWriter::new(Vec::new(), BROTLI_BUFFER, BROTLI_QUALITY, BROTLI_WINDOW_BITS);
    writer.write_all(plain).expect("memory takes every byte");
    writer.into_inner().into()
}

fn gzip(plain: &[u8]) -> Bytes {
    let mut writer = GzEncoder::new(Vec::new(), Compression::best());
    writer.write_all(plain).expect("memory takes every byte");
    writer.finish().expect("memory takes every byte").into()
}

/// Whether an `Accept-Encoding` allows this encoding: it is listed, or `*` is, with a weight other than 0.
fn accepts(header: &str, encoding: &str) -> bool {
    let mut others = false;
    for item in header.split(',') {
        let mut pieces = item.split(';').map(str::trim);
        let name = pieces.next().unwrap_or_default();
        let weight = pieces.find_map(|piece| piece.strip_prefix("q=")).map_or(Ok(1.0), str::parse::<f32>);
        let allowed = weight.is_ok_and(|weight| weight > 0.0);
        if name.eq_ignore_ascii_case(encoding) {
            return allowed;
        }
        others |= name == "*" && allowed;
    }
    others
}

/// A response with its tag, the same for all who ask.
pub(crate) struct Constant {
    content_type: String,
    cache_control: &'static str,
    tag: String,
    body: Body,
}

impl Constant {
    pub(crate) fn new(content_type: &str, cache_control: &'static str, plain: Vec<u8>) -> Constant {
        let hash = Sha256::digest(&plain);
        Constant::hashed(content_type, cache_control, &hash, Body::new(plain))
    }

    /// `hash` is one of the plain content.
    pub(crate) fn hashed(content_type: &str, cache_control: &'static str, hash: &[u8], body: Body) -> Constant {
        let digits: String = hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
        // Weak, because the same tag stands for every encoding.
        Constant { content_type: content_type.into(), cache_control, tag: format!("W/\"{digits}\""), body }
    }

    /// The body in the best encoding that the request accepts, or 304 when the client has it already.
    pub(crate) fn respond(&self, request: &HeaderMap) -> Response {
        let common = [(CACHE_CONTROL, self.cache_control), (ETAG, self.tag.as_str()), (VARY, ACCEPT_ENCODING.as_str())];
        if listed(request, &IF_NONE_MATCH).split(',').any(|tag| tag.trim() == self.tag) {
            return (StatusCode::NOT_MODIFIED, common).into_response();
        }
        let (encoding, bytes) = self.body.best(&listed(request, &ACCEPT_ENCODING));
        let mut response = (common, [(CONTENT_TYPE, self.content_type.as_str())], bytes).into_response();
        if let Some(encoding) = encoding {
            response.headers_mut().insert(CONTENT_ENCODING, HeaderValue::from_static(encoding));
        }
        response
    }
}

/// The values of a header that may be given more than once.
fn listed(headers: &HeaderMap, name: &HeaderName) -> String {
    let values: Vec<&str> = headers.get_all(name).iter().filter_map(|value| value.to_str().ok()).collect();
    values.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_encoding_is_accepted_unless_its_weight_is_nought() {
        for (header, encoding, expected) in [
            ("gzip, deflate, br, zstd", "br", true),
            ("GZIP", "gzip", true),
            ("gzip", "br", false),
            ("", "gzip", false),
            ("br;q=0, gzip;q=0.5", "br", false),
            ("br;q=0, gzip; q=0.5", "gzip", true),
            ("*", "br", true),
            ("*;q=0", "br", false),
            ("*, br;q=0", "br", false),
            ("br;q=much", "br", false),
            ("identity", "gzip", false),
        ] {
            assert_eq!(accepts(header, encoding), expected, "{header:?} {encoding}");
        }
    }

    #[test]
    fn the_shortest_accepted_body_is_sent() {
        let long = Body::new("abcdefghij".repeat(100));
        let sent = |accepted| {
            let (encoding, bytes) = long.best(accepted);
            (encoding, bytes.len())
        };
        let (plain, gzip, brotli) = (sent(""), sent("gzip"), sent("gzip, br"));
        assert_eq!((plain.0, gzip.0, brotli.0), (None, Some("gzip"), Some("br")));
        assert!(brotli.1 < gzip.1 && gzip.1 < plain.1, "{brotli:?} {gzip:?} {plain:?}");
        assert_eq!(plain.1, 1000);
        // What compression would make longer stays as it is.
        assert_eq!(Body::new("x").best("br, gzip"), (None, Bytes::from_static(b"x")));
        let only_gzip = Body::precompressed("xxxx", Some(Bytes::from_static(b"zz")), None);
        assert_eq!(only_gzip.best("br, gzip"), (Some("gzip"), Bytes::from_static(b"zz")));
    }

    #[test]
    fn a_client_that_has_it_is_not_sent_it_again() {
        let constant = Constant::new("text/plain", CHECKED, b"hello".to_vec());
        let mut request = HeaderMap::new();
        let first = constant.respond(&request);
        assert_eq!(
            (first.status(), first.headers()[VARY].clone()),
            (StatusCode::OK, HeaderValue::from_static("accept-encoding"))
        );
        request.append(IF_NONE_MATCH, "\"other\"".parse().unwrap());
        assert_eq!(constant.respond(&request).status(), StatusCode::OK);
        request.append(IF_NONE_MATCH, first.headers()[ETAG].clone());
        assert_eq!(constant.respond(&request).status(), StatusCode::NOT_MODIFIED);
    }
}
