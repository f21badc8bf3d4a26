//! Who a request comes from: the address that limits are counted by, seen through trusted proxies.
//!
//! A proxy appends the address that it was asked from to a header. Whatever stands before that was written by somebody
//! else and may be invented, so the header is read from its end, and only as far as trusted proxies wrote it.

use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Once};

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName};
use ipnet::IpNet;
use tracing::warn;

use crate::config::ForwardedHeader;
use crate::error::{Refusal, ServeError};
use crate::http::App;

/// The address of a client, as far as limits go. An IPv6 client has a whole network of 64 bits to itself, so that
/// network counts as one address.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct ClientAddress(IpAddr);

impl ClientAddress {
    pub(crate) fn of(address: IpAddr) -> ClientAddress {
        match address.to_canonical() {
            IpAddr::V6(address) => {
                let [a, b, c, d, ..] = address.segments();
                ClientAddress(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into())
            }
            v4 @ IpAddr::V4(_) => ClientAddress(v4),
        }
    }
}

/// The other end of a TCP connection, noted in each of its requests.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) IpAddr);

/// The proxies whose word is taken for who asked them.
#[derive(Clone, Debug)]
pub(crate) struct TrustedProxies {
    networks: Vec<IpNet>,
    header: ForwardedHeader,
}

impl TrustedProxies {
    /// Reads addresses and networks.
    pub(crate) fn new(proxies: &[String], header: ForwardedHeader) -> Result<TrustedProxies, ServeError> {
        let network = |text: &String| {
            let address = || text.parse::<IpAddr>().ok().map(IpNet::from);
            let network = text.parse::<IpNet>().ok().or_else(address);
            network.ok_or_else(|| ServeError::Proxy { proxy: text.clone() })
        };
        Ok(TrustedProxies { networks: proxies.iter().map(network).collect::<Result<_, _>>()?, header })
    }

    pub(crate) fn trusts(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.networks.iter().any(|network| network.contains(&address))
    }

    /// Who sent a request with these headers that came from `peer`.
    pub(crate) fn client(&self, peer: IpAddr, headers: &HeaderMap) -> ClientAddress {
        let mut client = peer;
        for hop in self.hops(headers) {
            if !self.trusts(client) {
                break;
            }
            // Where a proxy names no address (`unknown`, a name), nothing before it can be trusted.
            let Some(address) = hop else { break };
            client = address;
        }
        ClientAddress::of(client)
    }

    /// Says once that there seems to be a proxy that is not trusted, since all who come through it are one client then.
    fn warn_of_others(&self, peer: IpAddr, headers: &HeaderMap) {
        static ONCE: Once = Once::new();
        if peer.to_canonical().is_loopback() && !self.trusts(peer) && headers.contains_key(name(self.header)) {
            ONCE.call_once(
                || warn!(%peer, "requests come through a proxy that is not trusted; its clients share limits"),
            );
        }
    }

    /// The addresses in the header, the last first.
    fn hops<'a>(&self, headers: &'a HeaderMap) -> impl Iterator<Item = Option<IpAddr>> + use<'a> {
        let header = self.header;
        let lines: Vec<&str> =
            headers.get_all(name(header)).iter().map(|line| line.to_str().unwrap_or_default()).collect();
        let hops = lines.into_iter().rev().flat_map(|line| line.rsplit(','));
        hops.map(move |hop| match header {
            ForwardedHeader::XForwardedFor => address_of(hop),
            ForwardedHeader::Forwarded => address_of(forwarded_for(hop)?),
        })
    }
}

fn name(header: ForwardedHeader) -> HeaderName {
    match header {
        ForwardedHeader::XForwardedFor => HeaderName::from_static("x-forwarded-for"),
        ForwardedHeader::Forwarded => axum::http::header::FORWARDED,
    }
}

/// The parameter `for` of an element of `Forwarded` (RFC 7239). Addresses have no commas, semicolons or quotes in them,
/// so none need be looked for inside quotes.
fn forwarded_for(element: &str) -> Option<&str> {
    let parameters = element.split(';').filter_map(|parameter| parameter.trim().split_once('='));
    let mut nodes = parameters.filter(|(name, _)| name.eq_ignore_ascii_case("for")).map(|(_, node)| node);
    // A client that writes two hides one of them.
    nodes.next().filter(|_| nodes.next().is_none())
}

/// Reads `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]` and `[2001:db8::1]:80`, in quotes or not.
fn address_of(node: &str) -> Option<IpAddr> {
    let node = node.trim();
    let node = node.strip_prefix('"').and_then(|node| node.strip_suffix('"')).unwrap_or(node);
    if let Some((address, _port)) = node.strip_prefix('[').and_then(|node| node.split_once(']')) {
        return address.parse::<Ipv6Addr>().ok().map(IpAddr::from);
    }
    let whole = node.parse().ok();
    whole.or_else(|| node.split_once(':').and_then(|(address, _port)| address.parse().ok()))
}

impl FromRequestParts<Arc<App>> for ClientAddress {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<ClientAddress, Refusal> {
        let Peer(peer) = *parts.extensions.get::<Peer>().ok_or_else(Refusal::internal)?;
        app.proxies.warn_of_others(peer, &parts.headers);
        Ok(app.proxies.client(peer, &parts.headers))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(header: ForwardedHeader, peer: &str, lines: &[&str]) -> String {
        let trusted = ["127.0.0.1", "10.0.0.0/8", "fd00::/8"].map(String::from);
        let proxies = TrustedProxies::new(&trusted, header).unwrap();
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(name(header), line.parse().unwrap());
        }
        proxies.client(peer.parse().unwrap(), &headers).0.to_string()
    }

    #[test]
    fn only_trusted_proxies_say_who_asked_them() {
        let client = |peer, lines: &[&str]| client(ForwardedHeader::XForwardedFor, peer, lines);
        for (peer, lines, expected) in [
            ("192.0.2.7", &["198.51.100.1"][..], "192.0.2.7"),
            ("127.0.0.1", &[], "127.0.0.1"),
            ("127.0.0.1", &["198.51.100.1"], "198.51.100.1"),
            ("::ffff:127.0.0.1", &["198.51.100.1"], "198.51.100.1"),
            // What the client invented stands before what the proxies appended.
            ("127.0.0.1", &["203.0.113.9, 198.51.100.1"], "198.51.100.1"),
            ("127.0.0.1", &["203.0.113.9", "198.51.100.1, 10.1.2.3"], "198.51.100.1"),
            ("127.0.0.1", &["203.0.113.9, nonsense, 10.1.2.3"], "10.1.2.3"),
            ("127.0.0.1", &["203.0.113.9, unknown"], "127.0.0.1"),
            ("127.0.0.1", &[""], "127.0.0.1"),
            // All are trusted: the first of them asked.
            ("127.0.0.1", &["10.0.0.1, 10.0.0.2"], "10.0.0.1"),
            ("127.0.0.1", &["198.51.100.1:4711"], "198.51.100.1"),
            ("fd00::1", &["[2001:db8:1:2:3:4:5:6]:80"], "2001:db8:1:2::"),
            ("fd00::1", &["2001:db8:1:2::9"], "2001:db8:1:2::"),
        ] {
            assert_eq!(client(peer, lines), expected, "{peer} {lines:?}");
        }
    }

    #[test]
    fn the_standard_header_is_read_where_it_is_asked_for() {
        let client = |lines: &[&str]| client(ForwardedHeader::Forwarded, "127.0.0.1", lines);
        for (lines, expected) in [
            (&["for=198.51.100.1"][..], "198.51.100.1"),
            (&["for=203.0.113.9, For=\"198.51.100.1:80\";proto=https;by=10.0.0.1"], "198.51.100.1"),
            (&["proto=https; for=\"[2001:db8::17]:4711\""], "2001:db8::"),
            // An open quote of the client's does not swallow what the proxy appended.
            (&["for=\"203.0.113.9, for=198.51.100.1"], "198.51.100.1"),
            (&["for=203.0.113.9;for=198.51.100.1"], "127.0.0.1"),
            (&["for=_hidden"], "127.0.0.1"),
            (&["proto=https"], "127.0.0.1"),
        ] {
            assert_eq!(client(lines), expected, "{lines:?}");
        }
    }

    #[test]
    fn what_is_no_network_cannot_be_trusted() {
        for bad in ["proxy.example", "10.0.0.0/33", "", "10.0.0"] {
            let error = TrustedProxies::new(&[bad.into()], ForwardedHeader::default()).unwrap_err().to_string();
            assert!(error.contains(&format!("`{bad}`")) && error.contains("10.0.0.0/8"), "{bad}: {error}");
        }
    }
}
