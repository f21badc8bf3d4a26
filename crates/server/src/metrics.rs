//! What the server counts and measures, in the text format of Prometheus (OpenMetrics 1.0).

use std::sync::Arc;
use std::time::{Duration, Instant};

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};

/// What `/metrics` is to be served as.
pub(crate) const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Upper ends of the buckets for what a disk does: 100 µs to 6.5 s.
const STORING: [f64; 17] = [
    0.0001, 0.0002, 0.0004, 0.0008, 0.0016, 0.0032, 0.0064, 0.0128, 0.0256, 0.0512, 0.1024, 0.2048, 0.4096, 0.8192,
    1.6384, 3.2768, 6.5536,
];
/// Upper ends of the buckets for what people and engines wait for.
const WAITING: [f64; 13] = [0.001, 0.005, 0.01, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0];

/// What the server counts and measures.
pub(crate) struct Metrics {
    registry: Registry,
    /// Tables in memory.
    pub(crate) tables_open: Gauge,
    pub(crate) tables_created: Counter,
    pub(crate) tcp_connections: Gauge,
    pub(crate) websockets: Gauge,
    /// Positions and games that somebody is looking at with an engine.
    pub(crate) analyses: Gauge,
    /// Plies that people made and that are on disk.
    pub(crate) plies_acknowledged: Counter,
    /// How long the store took to append plies.
    pub(crate) append: Histogram,
    pub(crate) views_made: Counter,
    pub(crate) views_sent: Counter,
    /// Decisions that wait for a thread.
    pub(crate) engines_waiting: Gauge,
    /// Decisions that are being searched for.
    pub(crate) engines_searching: Gauge,
    /// Engines that think while people do.
    pub(crate) engines_pondering: Gauge,
    /// How long decisions waited for a thread.
    pub(crate) engine_wait: Histogram,
    /// How long decisions took once they had one.
    pub(crate) engine_search: Histogram,
    refusals: Family<CodeLabel, Counter>,
    http_requests: Family<RequestLabels, Counter>,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct CodeLabel {
    code: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct RequestLabels {
    method: String,
    /// The pattern of the path, of which there are few, not the path.
    path: String,
    status: u16,
}

impl Metrics {
    pub(crate) fn new() -> Metrics {
        let mut registry = Registry::with_prefix("raichi");
        registry.register("build", "The program", Info::new([("version", env!("CARGO_PKG_VERSION"))]));
        let mut gauge = |name: &str, help: &str| {
            let gauge: Gauge = Gauge::default();
            registry.register(name, help, gauge.clone());
            gauge
        };
        let tables_open = gauge("tables_open", "Tables in memory");
        let tcp_connections = gauge("tcp_connections", "TCP connections");
        let websockets = gauge("websockets", "WebSocket connections");
        let analyses = gauge("analyses", "Analyses that are being sent to somebody");
        let engines_waiting = gauge("engines_waiting", "Decisions of engines that wait for a thread");
        let engines_searching = gauge("engines_searching", "Decisions of engines that are being searched for");
        let engines_pondering = gauge("engines_pondering", "Engines that think on a thread nobody else wants");
        let mut counter = |name: &str, help: &str| {
            let counter: Counter = Counter::default();
            registry.register(name, help, counter.clone());
            counter
        };
        let tables_created = counter("tables_created", "Tables created, rematches included");
        let plies_acknowledged = counter("plies_acknowledged", "Plies of people that are on disk and acknowledged");
        let views_made = counter("views_made", "Views made");
        let views_sent = counter("views_sent", "Views sent; a view is made once for all who see the same");
        let mut histogram = |name: &str, help: &str, buckets: &[f64]| {
            let histogram = Histogram::new(buckets.iter().copied());
            registry.register_with_unit(name, help, Unit::Seconds, histogram.clone());
            histogram
        };
        let append = histogram("append", "Time until plies were on disk", &STORING);
        let engine_wait = histogram("engine_wait", "Time for which a decision waited for a thread", &WAITING);
        let engine_search = histogram("engine_search", "Time that a decision took on its thread", &WAITING);
        let (refusals, http_requests) = (Family::default(), Family::default());
        registry.register("refusals", "Refused requests and messages, by code", refusals.clone());
        registry.register("http_requests", "HTTP requests", http_requests.clone());
        Metrics {
            registry,
            tables_open,
            tables_created,
            tcp_connections,
            websockets,
            analyses,
            plies_acknowledged,
            append,
            views_made,
            views_sent,
            engines_waiting,
            engines_searching,
            engines_pondering,
            engine_wait,
            engine_search,
            refusals,
            http_requests,
        }
    }

    /// A request or a message was refused.
    pub(crate) fn refused(&self, code: &'static str) {
        self.refusals.get_or_create(&CodeLabel { code }).inc();
    }

    pub(crate) fn responded(&self, method: &str, path: &str, status: u16) {
        let labels = RequestLabels { method: method.into(), path: path.into(), status };
        self.http_requests.get_or_create(&labels).inc();
    }

    pub(crate) fn to_text(&self) -> String {
        let mut text = String::new();
        encode(&mut text, &self.registry).expect("a string takes all that is written to it");
        text
    }
}

/// Adds one to a gauge for as long as it exists.
pub(crate) struct Counted(Gauge);

impl Counted {
    pub(crate) fn in_gauge(gauge: &Gauge) -> Counted {
        gauge.inc();
        Counted(gauge.clone())
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.dec();
    }
}

/// Follows a decision of an engine from its request to its end, also where it is cancelled.
pub(crate) struct DecisionClock {
    metrics: Arc<Metrics>,
    since: Instant,
    searches: bool,
}

impl DecisionClock {
    /// The decision is asked for, and waits.
    pub(crate) fn asked(metrics: &Arc<Metrics>) -> DecisionClock {
        metrics.engines_waiting.inc();
        DecisionClock { metrics: Arc::clone(metrics), since: Instant::now(), searches: false }
    }

    /// It has a thread.
    pub(crate) fn begins(&mut self) {
        self.stop();
        self.metrics.engines_searching.inc();
        (self.since, self.searches) = (Instant::now(), true);
    }

    fn stop(&self) {
        let metrics = &self.metrics;
        let (gauge, times) = if self.searches {
            (&metrics.engines_searching, &metrics.engine_search)
        } else {
            (&metrics.engines_waiting, &metrics.engine_wait)
        };
        gauge.dec();
        observe(times, self.since.elapsed());
    }
}

impl Drop for DecisionClock {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Adds a time to a histogram of seconds.
pub(crate) fn observe(histogram: &Histogram, time: Duration) {
    histogram.observe(time.as_secs_f64());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_counted_can_be_read() {
        let metrics = Metrics::new();
        let open = Counted::in_gauge(&metrics.tables_open);
        let _other = Counted::in_gauge(&metrics.tables_open);
        drop(open);
        metrics.refused("seat/key");
        metrics.responded("GET", "/api/games", 200);
        observe(&metrics.append, Duration::from_millis(3));
        let metrics = Arc::new(metrics);
        let cancelled = DecisionClock::asked(&metrics);
        let mut searches = DecisionClock::asked(&metrics);
        let _waits = DecisionClock::asked(&metrics);
        searches.begins();
        drop(cancelled);
        let text = metrics.to_text();
        for line in [
            "raichi_tables_open 1",
            "raichi_refusals_total{code=\"seat/key\"} 1",
            "raichi_http_requests_total{method=\"GET\",path=\"/api/games\",status=\"200\"} 1",
            "raichi_append_seconds_bucket{le=\"0.0016\"} 0",
            "raichi_append_seconds_bucket{le=\"0.0032\"} 1",
            "raichi_append_seconds_count 1",
            "raichi_engines_waiting 1",
            "raichi_engines_searching 1",
            "raichi_engine_wait_seconds_count 2",
            "raichi_engine_search_seconds_count 0",
        ] {
            assert!(text.lines().any(|written| written == line), "{line} is not in\n{text}");
        }
    }
}
