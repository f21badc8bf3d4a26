//! The settings of a server: from the command line, the environment, a file, and else the default, in this order.

use std::fmt::{self, Display};
use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use raichi_server::{Config, ForwardedHeader, Limits, base_path};
use serde::{Deserialize, Serialize};

use crate::failure::Failure;

/// Declares settings, each of which may be absent: as options of the command and as keys of a file, which may have a
/// section with more of them.
macro_rules! settings {
    ($(#[$of_all:meta])* $name:ident { $($(#[$of_one:meta])* $field:ident: $kind:ty,)* }
     $(section $section:ident: $section_kind:ty)?) => {
        #[derive(Clone, Default, clap::Args, Deserialize, Serialize)]
        #[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
        $(#[$of_all])*
        pub(crate) struct $name {
            $($(#[$of_one])* pub(crate) $field: Option<$kind>,)*
            $(#[command(flatten)] pub(crate) $section: $section_kind,)?
        }

        impl $name {
            /// These settings, and for those that are absent the others.
            fn or(self, others: $name) -> $name {
                $name {
                    $($field: self.$field.or(others.$field),)*
                    $($section: self.$section.or(others.$section),)?
                }
            }
        }
    };
}

settings! {
    /// What the operator of a server chooses.
    Settings {
        /// Where to listen: an IP address and a port; port 0 is any free one. Not given, it is 127.0.0.1:8080, or the
        /// next free port.
        #[arg(long, env = "RAICHI_ADDRESS", hide_env_values = true, value_name = "IP:PORT")]
        address: Address,

        /// The file that keeps the tables, made where there is none; `:memory:` keeps nothing [default: raichi.sqlite]
        #[arg(long, env = "RAICHI_DATABASE", hide_env_values = true, value_name = "FILE")]
        database: PathBuf,

        /// Where trained agents lie. On the command line and in the environment every subcommand takes --agents-dir.
        #[arg(skip)]
        agents_dir: PathBuf,

        /// Another origin whose pages may use this server; may be repeated (in the environment: separated by commas).
        #[arg(long, env = "RAICHI_ALLOW_ORIGIN", hide_env_values = true, value_name = "URL", value_delimiter = ',',
            num_args = 1)]
        allow_origin: Vec<String>,

        /// The path under which a proxy passes requests on, like /raichi/ [default: /]
        #[arg(long, env = "RAICHI_BASE_PATH", hide_env_values = true, value_name = "PATH")]
        base_path: BasePath,

        /// A proxy that is believed when it says who asked it, like 127.0.0.1 or 10.0.0.0/8; may be repeated (in the
        /// environment: separated by commas).
        #[arg(long, env = "RAICHI_TRUSTED_PROXIES", hide_env_values = true, value_name = "NETWORK", value_delimiter = ',',
            num_args = 1)]
        trusted_proxies: Vec<String>,

        /// Where trusted proxies say so [default: x-forwarded-for]
        #[arg(long, env = "RAICHI_FORWARDED_HEADER", hide_env_values = true, value_name = "HEADER", value_enum)]
        forwarded_header: Header,

        /// How many engines may search at the same time. Not given, as many as there are processors.
        #[arg(long, env = "RAICHI_ENGINE_THREADS", hide_env_values = true, value_name = "N")]
        engine_threads: usize,

        /// How long an engine may think at least, however many others want to think [default: 50ms]
        #[arg(long, env = "RAICHI_ENGINE_LEAST", hide_env_values = true, hide_short_help = true, value_name = "TIME")]
        engine_least: Span,

        /// How long an engine may think at most while one of another client waits [default: 1s]
        #[arg(long, env = "RAICHI_ENGINE_TURN", hide_env_values = true, hide_short_help = true, value_name = "TIME")]
        engine_turn: Span,

        /// How many engines keep what they have found from ply to ply, up to 250 MB each [default: 32]
        #[arg(long, env = "RAICHI_ENGINE_TREES", hide_env_values = true, hide_short_help = true, value_name = "N")]
        engine_trees: usize,

        /// The least time that an engine's turn takes, so that people can follow [default: 400ms]
        #[arg(long, env = "RAICHI_ENGINE_PAUSE", hide_env_values = true, value_name = "TIME")]
        engine_pause: Span,

        /// Whether engines think on while people do, where nobody else wants the processor; they play better then than their
        /// times say [default: off]
        #[arg(long, env = "RAICHI_ENGINE_PONDER", hide_env_values = true, value_name = "SWITCH", value_enum)]
        engine_ponder: Switch,

        /// Whether there is a lab: long runs (training, tournaments) that go on while nobody watches [default: on]
        #[arg(long, env = "RAICHI_LAB", hide_env_values = true, value_name = "SWITCH", value_enum)]
        lab: Switch,

        /// What to log to standard error, like info or raichi_server=debug. Not given, warnings, and more with -v.
        #[arg(long, env = "RAICHI_LOG", hide_env_values = true, value_name = "FILTER")]
        log: String,

        /// How to write the log [default: text]
        #[arg(long, env = "RAICHI_LOG_FORMAT", hide_env_values = true, value_name = "FORMAT", value_enum)]
        log_format: LogFormat,
    }
    section limits: LimitSettings
}

settings! {
    /// What clients may ask for: the section `[limits]` of the file.
    #[command(next_help_heading = "Limits (the section [limits] of the file)")]
    LimitSettings {
        /// Bytes of a message or of a posted body [default: 16384]
        #[arg(long, env = "RAICHI_MESSAGE_BYTES", hide_env_values = true, hide_short_help = true, value_name = "N")]
        message_bytes: usize,

        /// Messages that a client may send at once [default: 100]
        #[arg(long, env = "RAICHI_MESSAGE_BURST", hide_env_values = true, hide_short_help = true, value_name = "N")]
        message_burst: u32,

        /// Messages that a client may send in a second, in the long run [default: 20]
        #[arg(long, env = "RAICHI_MESSAGES_PER_SECOND", hide_env_values = true, hide_short_help = true,
            value_name = "N")]
        messages_per_second: u32,

        /// Messages from one address in a second, over all its WebSockets [default: 200]
        #[arg(long, env = "RAICHI_MESSAGES_PER_SECOND_PER_ADDRESS", hide_env_values = true, hide_short_help = true, value_name = "N")]
        messages_per_second_per_address: u32,

        /// Requests from one address in a second; files of the page do not count [default: 50]
        #[arg(long, env = "RAICHI_REQUESTS_PER_SECOND_PER_ADDRESS", hide_env_values = true, hide_short_help = true, value_name = "N")]
        requests_per_second_per_address: u32,

        /// WebSockets of spectators at one table [default: 64]
        #[arg(long, env = "RAICHI_SPECTATORS_PER_TABLE", hide_env_values = true, hide_short_help = true, value_name = "N")]
        spectators_per_table: usize,

        /// WebSockets that hold the same seat; one more closes the oldest [default: 8]
        #[arg(long, env = "RAICHI_WEBSOCKETS_PER_SEAT", hide_env_values = true, hide_short_help = true, value_name = "N")]
        websockets_per_seat: usize,

        /// WebSockets at all tables [default: 2000]
        #[arg(long, env = "RAICHI_WEBSOCKETS", hide_env_values = true, hide_short_help = true, value_name = "N")]
        websockets: u32,

        /// WebSockets from one address [default: 200]
        #[arg(long, env = "RAICHI_WEBSOCKETS_PER_ADDRESS", hide_env_values = true, hide_short_help = true, value_name = "N")]
        websockets_per_address: u32,

        /// How many of a hundred WebSockets are kept for those who hold a seat [default: 25]
        #[arg(long, env = "RAICHI_RESERVED_FOR_SEATS_PERCENT", hide_env_values = true, hide_short_help = true, value_name = "N")]
        reserved_for_seats_percent: u32,

        /// Analyses from one address at the same time [default: 32]
        #[arg(long, env = "RAICHI_ANALYSES_PER_ADDRESS", hide_env_values = true, hide_short_help = true, value_name = "N")]
        analyses_per_address: u32,

        /// Runs of the lab that work at the same time, by all clients together [default: 16]
        #[arg(long, env = "RAICHI_RUNS", hide_env_values = true, hide_short_help = true, value_name = "N")]
        runs: u32,

        /// Runs of the lab that work at the same time, from one address [default: 4]
        #[arg(long, env = "RAICHI_RUNS_PER_ADDRESS", hide_env_values = true, hide_short_help = true, value_name = "N")]
        runs_per_address: u32,

        /// Runs of the lab that are kept; of those that do not work the oldest are forgotten, ended ones first [default: 500]
        #[arg(long, env = "RAICHI_RUNS_KEPT", hide_env_values = true, hide_short_help = true, value_name = "N")]
        runs_kept: usize,

        /// TCP connections that are not WebSockets [default: 4000]
        #[arg(long, env = "RAICHI_TCP_CONNECTIONS", hide_env_values = true, hide_short_help = true, value_name = "N")]
        tcp_connections: u32,

        /// TCP connections from one address [default: 400]
        #[arg(long, env = "RAICHI_TCP_CONNECTIONS_PER_ADDRESS", hide_env_values = true, hide_short_help = true, value_name = "N")]
        tcp_connections_per_address: u32,

        /// Tables created in a minute, by all clients together, rematches included [default: 1200]
        #[arg(long, env = "RAICHI_TABLES_PER_MINUTE", hide_env_values = true, hide_short_help = true, value_name = "N")]
        tables_per_minute: u32,

        /// Tables created in a minute from one address, rematches included [default: 120]
        #[arg(long, env = "RAICHI_TABLES_PER_MINUTE_PER_ADDRESS", hide_env_values = true, hide_short_help = true, value_name = "N")]
        tables_per_minute_per_address: u32,

        /// How long a WebSocket may take to say hello [default: 10s]
        #[arg(long, env = "RAICHI_HELLO", hide_env_values = true, hide_short_help = true, value_name = "TIME")]
        hello: Span,

        /// How long a WebSocket may be silent before it is closed; a ping is sent three times as often [default: 1m 15s]
        #[arg(long, env = "RAICHI_SILENCE", hide_env_values = true, hide_short_help = true, value_name = "TIME")]
        silence: Span,

        /// How long sending a message to a slow client may take before the WebSocket is closed [default: 20s]
        #[arg(long, env = "RAICHI_SENDING", hide_env_values = true, hide_short_help = true, value_name = "TIME")]
        sending: Span,

        /// How long a table that nobody is connected to is kept in memory [default: 2m]
        #[arg(long, env = "RAICHI_IDLE_TABLE", hide_env_values = true, hide_short_help = true, value_name = "TIME")]
        idle_table: Span,
    }
}

/// How to write the log.
#[derive(Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum LogFormat {
    /// A line for people.
    #[default]
    Text,
    /// A JSON object a line, for programs.
    Json,
}

/// Whether something is done, or there.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Switch {
    /// Yes.
    On,
    /// No.
    Off,
}

impl From<bool> for Switch {
    fn from(is_on: bool) -> Switch {
        if is_on { Switch::On } else { Switch::Off }
    }
}

/// The header in which a proxy says who asked it.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Header {
    /// `X-Forwarded-For`, which most proxies write.
    XForwardedFor,
    /// `Forwarded`, of RFC 7239.
    Forwarded,
}

impl From<ForwardedHeader> for Header {
    fn from(header: ForwardedHeader) -> Header {
        match header {
            ForwardedHeader::XForwardedFor => Header::XForwardedFor,
            ForwardedHeader::Forwarded => Header::Forwarded,
        }
    }
}

impl From<Header> for ForwardedHeader {
    fn from(header: Header) -> ForwardedHeader {
        match header {
            Header::XForwardedFor => ForwardedHeader::XForwardedFor,
            Header::Forwarded => ForwardedHeader::Forwarded,
        }
    }
}

impl Settings {
    /// These settings, completed by those of a file and by the defaults.
    ///
    /// # Errors
    /// When the file cannot be read or has a key or a value that is none; names the place.
    pub(crate) fn complete(self, file: Option<&Path>) -> Result<Settings, Failure> {
        let of_file = file.map(Settings::read).transpose()?.unwrap_or_default();
        Ok(self.or(of_file).or(Settings::of(Config::default())))
    }

    fn read(path: &Path) -> Result<Settings, Failure> {
        let text = fs::read_to_string(path).map_err(|why| Failure::file(path, "read", why))?;
        toml::from_str(&text)
            .map_err(|why| Failure::Usage(format!("{}: {}", path.display(), why.to_string().trim_end())))
    }

    /// Those of a configuration.
    fn of(config: Config) -> Settings {
        let Config {
            address: _,
            database: _,
            allowed_origins,
            trusted_proxies,
            forwarded_header,
            base_path,
            engine_threads,
            engine_least,
            engine_turn,
            engine_trees,
            engine_pause,
            engine_ponder,
            lab,
            limits,
        } = config;
        let Limits {
            message_bytes,
            message_burst,
            messages_per_second,
            messages_per_second_per_address,
            requests_per_second_per_address,
            spectators_per_table,
            websockets_per_seat,
            websockets,
            websockets_per_address,
            reserved_for_seats_percent,
            analyses_per_address,
            runs,
            runs_per_address,
            runs_kept,
            tcp_connections,
            tcp_connections_per_address,
            tables_per_minute,
            tables_per_minute_per_address,
            hello,
            silence,
            sending,
            idle_table,
        } = limits;
        Settings {
            // The first free port is searched for.
            address: None,
            // Unlike a program that embeds the server, the command keeps the tables.
            database: Some("raichi.sqlite".into()),
            // The folder of the user's data.
            agents_dir: None,
            allow_origin: Some(allowed_origins),
            base_path: Some(BasePath(base_path)),
            trusted_proxies: Some(trusted_proxies),
            forwarded_header: Some(forwarded_header.into()),
            engine_threads: Some(engine_threads),
            engine_least: Some(Span(engine_least)),
            engine_turn: Some(Span(engine_turn)),
            engine_trees: Some(engine_trees),
            engine_pause: Some(Span(engine_pause)),
            engine_ponder: Some(engine_ponder.into()),
            lab: Some(lab.into()),
            log: None,
            log_format: Some(LogFormat::default()),
            limits: LimitSettings {
                message_bytes: Some(message_bytes),
                message_burst: Some(message_burst),
                messages_per_second: Some(messages_per_second),
                messages_per_second_per_address: Some(messages_per_second_per_address),
                requests_per_second_per_address: Some(requests_per_second_per_address),
                spectators_per_table: Some(spectators_per_table),
                websockets_per_seat: Some(websockets_per_seat),
                websockets: Some(websockets),
                websockets_per_address: Some(websockets_per_address),
                reserved_for_seats_percent: Some(reserved_for_seats_percent),
                analyses_per_address: Some(analyses_per_address),
                runs: Some(runs),
                runs_per_address: Some(runs_per_address),
                runs_kept: Some(runs_kept),
                tcp_connections: Some(tcp_connections),
                tcp_connections_per_address: Some(tcp_connections_per_address),
                tables_per_minute: Some(tables_per_minute),
                tables_per_minute_per_address: Some(tables_per_minute_per_address),
                hello: Some(Span(hello)),
                silence: Some(Span(silence)),
                sending: Some(Span(sending)),
                idle_table: Some(Span(idle_table)),
            },
        }
    }

    /// The configuration, at this address.
    ///
    /// # Errors
    /// When a value is too small to serve anybody; names the setting.
    pub(crate) fn config(&self, address: SocketAddr) -> Result<Config, Failure> {
        let LimitSettings {
            message_bytes,
            message_burst,
            messages_per_second,
            messages_per_second_per_address,
            requests_per_second_per_address,
            spectators_per_table,
            websockets_per_seat,
            websockets,
            websockets_per_address,
            reserved_for_seats_percent,
            analyses_per_address,
            runs,
            runs_per_address,
            runs_kept,
            tcp_connections,
            tcp_connections_per_address,
            tables_per_minute,
            tables_per_minute_per_address,
            hello,
            silence,
            sending,
            idle_table,
        } = self.limits.clone();
        let defaults = Config::default();
        let limits = Limits {
            message_bytes: at_least(256, "message-bytes", message_bytes, defaults.limits.message_bytes)?,
            message_burst: at_least(1, "message-burst", message_burst, defaults.limits.message_burst)?,
            messages_per_second: at_least(
                1,
                "messages-per-second",
                messages_per_second,
                defaults.limits.messages_per_second,
            )?,
            messages_per_second_per_address: at_least(
                1,
                "messages-per-second-per-address",
                messages_per_second_per_address,
                defaults.limits.messages_per_second_per_address,
            )?,
            requests_per_second_per_address: at_least(
                1,
                "requests-per-second-per-address",
                requests_per_second_per_address,
                defaults.limits.requests_per_second_per_address,
            )?,
            spectators_per_table: at_least(
                1,
                "spectators-per-table",
                spectators_per_table,
                defaults.limits.spectators_per_table,
            )?,
            websockets_per_seat: at_least(
                1,
                "websockets-per-seat",
                websockets_per_seat,
                defaults.limits.websockets_per_seat,
            )?,
            websockets: at_least(1, "websockets", websockets, defaults.limits.websockets)?,
            websockets_per_address: at_least(
                1,
                "websockets-per-address",
                websockets_per_address,
                defaults.limits.websockets_per_address,
            )?,
            reserved_for_seats_percent: at_least(
                0,
                "reserved-for-seats-percent",
                reserved_for_seats_percent,
                defaults.limits.reserved_for_seats_percent,
            )?,
            analyses_per_address: at_least(
                1,
                "analyses-per-address",
                analyses_per_address,
                defaults.limits.analyses_per_address,
            )?,
            runs: at_least(1, "runs", runs, defaults.limits.runs)?,
            runs_per_address: at_least(1, "runs-per-address", runs_per_address, defaults.limits.runs_per_address)?,
            runs_kept: at_least(1, "runs-kept", runs_kept, defaults.limits.runs_kept)?,
            tcp_connections: at_least(1, "tcp-connections", tcp_connections, defaults.limits.tcp_connections)?,
            tcp_connections_per_address: at_least(
                1,
                "tcp-connections-per-address",
                tcp_connections_per_address,
                defaults.limits.tcp_connections_per_address,
            )?,
            tables_per_minute: at_least(1, "tables-per-minute", tables_per_minute, defaults.limits.tables_per_minute)?,
            tables_per_minute_per_address: at_least(
                1,
                "tables-per-minute-per-address",
                tables_per_minute_per_address,
                defaults.limits.tables_per_minute_per_address,
            )?,
            hello: at_least(SECOND, "hello", hello, Span(defaults.limits.hello))?.0,
            silence: at_least(SECOND, "silence", silence, Span(defaults.limits.silence))?.0,
            sending: at_least(SECOND, "sending", sending, Span(defaults.limits.sending))?.0,
            idle_table: idle_table.map_or(defaults.limits.idle_table, |idle| idle.0),
        };
        Ok(Config {
            address,
            database: self.database.clone().unwrap_or(defaults.database),
            allowed_origins: self.allow_origin.clone().unwrap_or(defaults.allowed_origins),
            base_path: self.base_path.clone().map_or(defaults.base_path, |path| path.0),
            engine_threads: at_least(1, "engine-threads", self.engine_threads, defaults.engine_threads)?,
            trusted_proxies: self.trusted_proxies.clone().unwrap_or(defaults.trusted_proxies),
            forwarded_header: self.forwarded_header.map_or(defaults.forwarded_header, Into::into),
            engine_least: self.engine_least.map_or(defaults.engine_least, |least| least.0),
            engine_turn: self.engine_turn.map_or(defaults.engine_turn, |turn| turn.0),
            engine_trees: self.engine_trees.unwrap_or(defaults.engine_trees),
            engine_pause: self.engine_pause.map_or(defaults.engine_pause, |pause| pause.0),
            engine_ponder: self.engine_ponder.map_or(defaults.engine_ponder, |ponder| ponder == Switch::On),
            lab: self.lab.map_or(defaults.lab, |lab| lab == Switch::On),
            limits,
        })
    }

    /// As a file that sets all of them to what they are.
    pub(crate) fn to_toml(&self) -> String {
        toml::to_string(self).expect("settings are numbers, texts and lists")
    }
}

const SECOND: Span = Span(Duration::from_secs(1));

fn at_least<T: PartialOrd + Display>(least: T, name: &str, given: Option<T>, default: T) -> Result<T, Failure> {
    match given {
        Some(given) if given < least => Err(Failure::Usage(format!("{name} is at least {least}, not {given}"))),
        given => Ok(given.unwrap_or(default)),
    }
}

/// Types that settings write as text, in a file as on the command line.
macro_rules! as_text {
    ($($name:ident),*) => {$(
        impl TryFrom<String> for $name {
            type Error = String;
            fn try_from(text: String) -> Result<$name, String> {
                text.parse()
            }
        }

        impl From<$name> for String {
            fn from(value: $name) -> String {
                value.to_string()
            }
        }
    )*};
}
as_text!(Address, BasePath, Span);

/// An address to listen on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct Address(pub(crate) SocketAddr);

impl FromStr for Address {
    type Err = String;
    fn from_str(text: &str) -> Result<Address, String> {
        let text = text.strip_prefix("localhost:").map_or(text.into(), |port| format!("127.0.0.1:{port}"));
        let expected = |_| "expected an IP address and a port, like 127.0.0.1:8080 or [::1]:8080".to_string();
        text.parse().map(Address).map_err(expected)
    }
}

impl Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A base path, as the server writes it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct BasePath(String);

impl FromStr for BasePath {
    type Err = String;
    fn from_str(text: &str) -> Result<BasePath, String> {
        base_path(text).map(BasePath).map_err(|why| why.to_string())
    }
}

impl Display for BasePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/", self.0)
    }
}

/// A length of time.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct Span(Duration);

impl FromStr for Span {
    type Err = String;
    fn from_str(text: &str) -> Result<Span, String> {
        let expected = |_| format!("expected a time like 400ms, 10s or 2m, not `{text}`");
        humantime::parse_duration(text).map(Span).map_err(expected)
    }
}

impl Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        humantime::format_duration(self.0).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use clap::{Args, Command};

    use super::*;

    fn command() -> Command {
        Settings::augment_args(Command::new("serve"))
    }

    #[test]
    fn every_setting_has_a_variable_and_says_its_default() {
        let defaults = Settings::default().complete(None).unwrap();
        let defaults: toml::Table = defaults.to_toml().parse().unwrap();
        let limits = defaults["limits"].as_table().unwrap();
        let mut n_settings = 0;
        for arg in command().get_arguments() {
            let name = arg.get_long().unwrap();
            let variable = arg.get_env().unwrap_or_else(|| panic!("--{name} has no variable"));
            assert_eq!(variable.to_str().unwrap(), format!("RAICHI_{}", name.replace('-', "_").to_uppercase()));
            let help =
                arg.get_help().unwrap().to_string() + &arg.get_long_help().map(ToString::to_string).unwrap_or_default();
            let default = match defaults.get(name).or_else(|| limits.get(name)) {
                Some(toml::Value::Array(list)) if list.is_empty() => continue,
                Some(toml::Value::String(text)) => text.clone(),
                Some(other) => other.to_string(),
                None => continue,
            };
            let says = help.contains(&format!("[default: {default}]")) || help.contains("Not given");
            assert!(says, "--{name} is {default} by default, and says: {help}");
            n_settings += 1;
        }
        assert!(n_settings >= limits.len());
    }

    #[test]
    fn what_is_printed_is_a_file_that_says_the_same() {
        let address = Some("localhost:9000".parse().unwrap());
        let mut settings = Settings { address, ..Settings::default() };
        settings.limits.hello = Some("3s".parse().unwrap());
        let printed = settings.complete(None).unwrap().to_toml();
        let read: Settings = toml::from_str(&printed).unwrap();
        assert_eq!(read.to_toml(), printed);
        assert!(printed.contains("address = \"127.0.0.1:9000\"") && printed.contains("hello = \"3s\""), "{printed}");
    }

    #[test]
    fn what_is_no_setting_is_refused_with_its_place() {
        for (text, place, expected) in [
            ("database = \"x\"\nadress = \"127.0.0.1:1\"", "line 2, column 1", "`address`"),
            ("[limits]\nsilense = \"1s\"", "line 2, column 1", "`silence`"),
            ("[limits]\nhello = \"soon\"", "line 2, column 9", "like 400ms, 10s or 2m, not `soon`"),
            ("base-path = \"a b\"", "line 1, column 13", "like /raichi/"),
            ("log-format = \"xml\"", "line 1, column 14", "`json`"),
            ("[limits]\nwebsockets = -1", "line 2, column 14", "-1"),
        ] {
            let why = toml::from_str::<Settings>(text).err().map(|why| why.to_string()).unwrap_or_default();
            assert!(why.contains(place) && why.contains(expected), "{text}: {why}");
        }
    }

    #[test]
    fn nothing_is_limited_to_nothing() {
        let mut settings = Settings::default();
        settings.limits.websockets = Some(0);
        let Err(Failure::Usage(why)) = settings.config(([127, 0, 0, 1], 0).into()) else { panic!("it is accepted") };
        assert_eq!(why, "websockets is at least 1, not 0");
    }
}
