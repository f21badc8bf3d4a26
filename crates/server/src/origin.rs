//! Which pages may use this server: its own, and those of origins allowed at the start.
//!
//! Browsers name the origin of the page in every WebSocket handshake and every POST. Other programs need not, and may
//! name any, so this protects people with a browser from pages, not the server from programs.

use std::net::IpAddr;

use axum::http::header::{CONTENT_TYPE, HOST, ORIGIN};
use axum::http::{HeaderMap, Method};
use tower_http::cors::{AllowOrigin, CorsLayer};

use crate::error::{Refusal, ServeError};

/// Which pages may use this server.
#[derive(Clone, Debug)]
pub(crate) struct Origins {
    allowed: Vec<String>,
    /// Whether only this machine is served. Then the page's host must be a name of this machine: a foreign
    /// name that points here (DNS rebinding) is refused.
    local: bool,
}

impl Origins {
    pub(crate) fn new(allowed: &[String], local: bool) -> Result<Origins, ServeError> {
        let canonical = |origin: &String| {
            let text = origin.trim_end_matches('/').to_ascii_lowercase();
            let authority = text.strip_prefix("http://").or_else(|| text.strip_prefix("https://"));
            let named = authority.is_some_and(|authority| !authority.is_empty() && !authority.contains('/'));
            if named { Ok(text) } else { Err(ServeError::Origin { origin: origin.clone() }) }
        };
        Ok(Origins { allowed: allowed.iter().map(canonical).collect::<Result<_, _>>()?, local })
    }

    /// The CORS layer for allowed origins. The server's own page needs none.
    pub(crate) fn cors(&self) -> CorsLayer {
        let allowed = self.allowed.iter().filter_map(|origin| origin.parse().ok());
        CorsLayer::new()
            .allow_origin(AllowOrigin::list(allowed))
            .allow_methods([Method::GET, Method::POST])
            .allow_headers([CONTENT_TYPE])
    }

    /// Accepts requests that come from no page or from a page that may use this server.
    pub(crate) fn check(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let Some(origin) = headers.get(ORIGIN) else { return Ok(()) };
        let origin = origin.to_str().unwrap_or_default().to_ascii_lowercase();
        if self.allowed.contains(&origin) {
            return Ok(());
        }
        let host = headers.get(HOST).and_then(|host| host.to_str().ok()).unwrap_or_default().to_ascii_lowercase();
        let authority = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        if !host.is_empty() && authority == Some(&host) && (!self.local || is_local(&host)) {
            return Ok(());
        }
        Err(Refusal::new("origin/wrong", "pages of this origin may not use this server"))
    }
}

fn is_local(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    };
    let literal = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>().is_ok();
    literal || name == "localhost" || name.ends_with(".localhost")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(allowed: &[&str], local: bool, origin: &str, host: &str) -> bool {
        let allowed: Vec<String> = allowed.iter().map(|&origin| origin.into()).collect();
        let origins = Origins::new(&allowed, local).unwrap();
        let mut headers = HeaderMap::new();
        headers.insert(HOST, host.parse().unwrap());
        headers.insert(ORIGIN, origin.parse().unwrap());
        origins.check(&headers).is_ok()
    }

    #[test]
    fn a_page_of_the_server_itself_passes_and_a_stranger_does_not() {
        for (origin, host) in [
            ("http://127.0.0.1:8080", "127.0.0.1:8080"),
            ("http://localhost:8080", "localhost:8080"),
            ("http://[::1]:8080", "[::1]:8080"),
            ("https://raichi.localhost", "raichi.localhost"),
        ] {
            assert!(verdict(&[], true, origin, host), "{origin}");
        }
        for origin in ["http://evil.example", "http://127.0.0.1:8081", "null", "file://", "http://127.0.0.1:8080.evil"]
        {
            assert!(!verdict(&[], true, origin, "127.0.0.1:8080"), "{origin}");
        }
    }

    #[test]
    fn a_stranger_s_name_for_this_machine_passes_only_where_others_are_served() {
        assert!(!verdict(&[], true, "http://evil.example:8080", "evil.example:8080"));
        assert!(verdict(&[], false, "https://games.example", "games.example"));
        assert!(verdict(&["https://Games.example/"], true, "https://games.example", "games.example"));
    }

    #[test]
    fn what_is_no_origin_cannot_be_allowed() {
        for bad in ["games.example", "https://", "https://games.example/play", ""] {
            let error = Origins::new(&[bad.into()], true).unwrap_err().to_string();
            assert!(error.contains("is not an origin"), "{bad}: {error}");
        }
    }
}
