//! The limit on open files: every connection is one, and a WebSocket is not counted as a TCP connection any more.

use tracing::warn;

/// Files that the database, the listener, logs and the runtime use.
const OWN_FILES: u64 = 64;

/// Raises this process's limit as far as it may, and warns where that is not enough for these limits.
pub(crate) fn raise(tcp_connections: u32, websockets: u32) {
    let allowed = rlimit::increase_nofile_limit(u64::MAX).unwrap_or_else(|why| {
        warn!(%why, "the limit on open files cannot be raised");
        rlimit::getrlimit(rlimit::Resource::NOFILE).map_or(1024, |(soft, _)| soft)
    });
    if let Some(shortfall) = shortfall(allowed, u64::from(tcp_connections) + u64::from(websockets)) {
        warn!("{shortfall}");
    }
}

/// A sentence where so many connections do not fit into the limit.
fn shortfall(allowed: u64, connections: u64) -> Option<String> {
    let needed = connections + OWN_FILES;
    (allowed < needed).then(|| {
        format!(
            "the system allows this process {allowed} open files, enough for {} connections and not for {connections}, \
             as many as the settings tcp-connections and websockets add up to: raise the hard limit to {needed} \
             (`ulimit -Hn {needed}`, or `LimitNOFILE={needed}` in a systemd unit), or lower the settings",
            allowed.saturating_sub(OWN_FILES)
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shortfall_of_open_files_is_said() {
        assert_eq!(shortfall(12_064, 12_000), None);
        let shortfall = shortfall(4_096, 12_000).unwrap();
        assert!(["4096", "4032", "12000", "12064"].iter().all(|number| shortfall.contains(number)), "{shortfall}");
    }
}
