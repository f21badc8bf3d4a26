//! `raichi serve`: the page, tables and seats for people on other computers.

mod settings;

use std::io::ErrorKind;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

use raichi_server::{ServeError, Server, bind};

use crate::failure::Failure;
use crate::output::{Output, complain, log_as};
use crate::palette::{CODE, FAINT, paint};
use settings::{Address, LogFormat, Settings};

const DEFAULT_PORT: u16 = 8080;
/// How many ports are tried where none is asked for.
const PORTS_TRIED: u16 = 20;

/// Serve the page: play in the browser, with engines and with friends on other computers.
///
/// A ply is on disk before it is acknowledged: tables survive a crash, and everybody keeps their seat.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  raichi serve --open
  raichi serve --address 0.0.0.0:80 --database /var/lib/raichi/tables.sqlite
  raichi serve --address 127.0.0.1:0 --database :memory:      # any free port, nothing kept
  raichi serve --settings raichi.toml --print-settings        # what it would be run with

A setting is taken from the command line, else from the environment, else from the file of --settings, else it has its \
default. A key of the file is the name of the option without the dashes in front; --print-settings writes such a file.")]
pub(crate) struct Args {
    #[command(flatten)]
    settings: Settings,

    /// A file with settings, in TOML.
    #[arg(long = "settings", env = "RAICHI_SETTINGS", hide_env_values = true, value_name = "FILE")]
    settings_file: Option<PathBuf>,

    /// Print the settings as they are with all this, as a file, and stop.
    #[arg(long)]
    print_settings: bool,

    /// Open the page in the browser.
    #[arg(long)]
    open: bool,
}

pub(crate) fn run(args: Args, verbose: u8) -> Result<(), Failure> {
    let Args { settings, settings_file, print_settings, open } = args;
    let settings = settings.complete(settings_file.as_deref())?;
    if print_settings {
        // Values that cannot be served with are refused here too.
        settings.config(SocketAddr::from((Ipv4Addr::LOCALHOST, DEFAULT_PORT)))?;
        return Output::new().print(settings.to_toml());
    }
    log_as(settings.log_format == Some(LogFormat::Json), settings.log.as_deref(), verbose)?;
    keep_tables(&settings);
    if let Some(folder) = &settings.agents_dir {
        // What the command line says came first and holds.
        raichi_agents::trained::store::keep_in(folder.clone());
    }
    let runtime = tokio::runtime::Runtime::new();
    let runtime = runtime.map_err(|why| Failure::Failed(format!("the server cannot start: {why}")))?;
    runtime.block_on(serve(&settings, open))
}

/// What solvers compute once is kept beside the database, or nowhere where nothing is kept.
fn keep_tables(settings: &Settings) {
    match settings.database.as_deref() {
        Some(database) if database != Path::new(":memory:") => {
            let folder = database.with_file_name("raichi-tables");
            raichi_agents::truth::keep_tables_in(folder, |why| tracing::warn!("{why}"));
        }
        _ => {}
    }
}

async fn serve(settings: &Settings, open: bool) -> Result<(), Failure> {
    let server = listen(settings).await?;
    let url = url(server.address(), server.base_path());
    let announced = async {
        announce(settings, &url, open);
        std::future::pending::<()>().await;
    };
    // The server comes first: a script that reads the address may stop it at once, and it should be ready for the signal.
    tokio::select! {
        biased;
        served = server.run() => served.map_err(|why| Failure::Failed(why.to_string())),
        () = announced => unreachable!("announcing waits forever"),
    }
}

fn announce(settings: &Settings, url: &str, open: bool) {
    let at = format!("Raichi is at {}", paint(CODE, url));
    let database = settings.database.as_deref().unwrap_or(Path::new(":memory:"));
    let kept = paint(FAINT, format_args!("tables in {}; Ctrl-C stops", database.display()));
    // The reader of the address may be gone already; the tables stay.
    if let Err(why @ Failure::Failed(_)) = Output::new().line(format_args!("{at}\n{kept}")) {
        complain(why);
    }
    if open && let Err(why) = open::that_detached(url) {
        complain(format_args!("no browser could be opened ({why}); go to {url}"));
    }
}

/// The server at the address asked for, or at the first free port from the usual one on.
async fn listen(settings: &Settings) -> Result<Server, Failure> {
    if let Some(Address(address)) = settings.address {
        return bind(settings.config(address)?).await.map_err(|why| refused(&why));
    }
    let mut taken = None;
    for port in DEFAULT_PORT..DEFAULT_PORT + PORTS_TRIED {
        match bind(settings.config(SocketAddr::from((Ipv4Addr::LOCALHOST, port)))?).await {
            Err(why) if is_taken(&why) => {
                tracing::info!(port, "this port is taken");
                taken = Some(why);
            }
            Err(why) => return Err(refused(&why)),
            Ok(server) => return Ok(server),
        }
    }
    Err(refused(&taken.expect("some port was tried")))
}

fn is_taken(why: &ServeError) -> bool {
    matches!(why, ServeError::Listen { why, .. } if why.kind() == ErrorKind::AddrInUse)
}

fn refused(why: &ServeError) -> Failure {
    let advice = match why {
        ServeError::Listen { why, .. } => match why.kind() {
            ErrorKind::AddrInUse => "; another program listens there: choose another port by --address, or 0 for any",
            ErrorKind::PermissionDenied => "; ports below 1024 may be reserved: choose another by --address",
            ErrorKind::AddrNotAvailable => "; this machine has no such address: 0.0.0.0 listens on all it has",
            _ => "",
        },
        ServeError::Origin { .. } => return Failure::Usage(format!("--allow-origin: {why}")),
        ServeError::Proxy { .. } => return Failure::Usage(format!("--trusted-proxies: {why}")),
        _ => "",
    };
    Failure::Failed(format!("{why}{advice}"))
}

/// What to type into a browser at this machine.
fn url(address: SocketAddr, base_path: &str) -> String {
    let ip = match address.ip() {
        ip if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        ip => ip,
    };
    let path = if base_path.is_empty() { String::new() } else { format!("{base_path}/") };
    format!("http://{}{path}", SocketAddr::new(ip, address.port()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_and_shown() {
        for (text, shown) in [
            ("127.0.0.1:8080", "http://127.0.0.1:8080"),
            ("localhost:9", "http://127.0.0.1:9"),
            ("0.0.0.0:80", "http://127.0.0.1:80"),
            ("[::1]:8080", "http://[::1]:8080"),
        ] {
            assert_eq!(url(text.parse::<Address>().unwrap().0, ""), shown);
        }
        assert_eq!(url(([127, 0, 0, 1], 80).into(), "/raichi"), "http://127.0.0.1:80/raichi/");
        for bad in ["", "8080", "127.0.0.1", "127.0.0.1:99999", "raichi:80", "localhost:"] {
            assert!(bad.parse::<Address>().unwrap_err().contains("like 127.0.0.1:8080"), "{bad}");
        }
    }
}
