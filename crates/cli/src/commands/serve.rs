//! `raichi serve`: the page, tables and seats for people at other machines.

use std::io::ErrorKind;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use raichi_server::{Config, ServeError, Server, bind};

use crate::failure::Failure;
use crate::output::{Output, complain};
use crate::palette::{CODE, FAINT, paint};

const DEFAULT_PORT: u16 = 8080;
/// How many ports are tried where none is asked for.
const PORTS_TRIED: u16 = 20;

/// Serve the page: play in the browser, with engines and with friends at other machines.
///
/// A ply is on disk before it is acknowledged: tables survive a crash, and everybody keeps their seat.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  raichi serve --open
  raichi serve --address 0.0.0.0:80 --database /var/lib/raichi/tables.sqlite
  raichi serve --address 127.0.0.1:0 --database :memory:      any free port, nothing kept")]
pub(crate) struct Args {
    /// Where to listen: an IP address and a port; port 0 is any free one. Not given, it is 127.0.0.1:8080, or the next
    /// free port.
    #[arg(long, value_name = "IP:PORT", value_parser = parse_address)]
    address: Option<SocketAddr>,

    /// The file that keeps the tables, made where there is none; `:memory:` keeps nothing.
    #[arg(long, value_name = "FILE", default_value = "raichi.sqlite")]
    database: PathBuf,

    /// Another origin whose pages may use this server; may be repeated.
    #[arg(long, value_name = "URL")]
    allow_origin: Vec<String>,

    /// Open the page in the browser.
    #[arg(long)]
    open: bool,
}

fn parse_address(text: &str) -> Result<SocketAddr, String> {
    let text = text.strip_prefix("localhost:").map_or(text.into(), |port| format!("127.0.0.1:{port}"));
    text.parse().map_err(|_| "expected an IP address and a port, like 127.0.0.1:8080 or [::1]:8080".into())
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let runtime = tokio::runtime::Runtime::new();
    let runtime = runtime.map_err(|why| Failure::Failed(format!("the server cannot start: {why}")))?;
    runtime.block_on(serve(args))
}

async fn serve(args: &Args) -> Result<(), Failure> {
    let server = listen(args).await?;
    let address = server.address();
    let announced = async {
        announce(args, &url(address));
        std::future::pending::<()>().await;
    };
    // The server comes first: a script that reads the address may stop it at once, and it should be ready for the signal.
    tokio::select! {
        biased;
        served = server.run() => served.map_err(|why| Failure::Failed(why.to_string())),
        () = announced => unreachable!("announcing waits forever"),
    }
}

fn announce(args: &Args, url: &str) {
    let at = format!("Raichi is at {}", paint(CODE, url));
    let kept = paint(FAINT, format_args!("tables in {}; Ctrl-C stops", args.database.display()));
    // The reader of the address may be gone already; the tables stay.
    if let Err(why @ Failure::Failed(_)) = Output::new().line(format_args!("{at}\n{kept}")) {
        complain(why);
    }
    if args.open
        && let Err(why) = open::that_detached(url)
    {
        complain(format_args!("no browser could be opened ({why}); go to {url}"));
    }
}

/// The server at the address asked for, or at the first free port from the usual one on.
async fn listen(args: &Args) -> Result<Server, Failure> {
    if let Some(address) = args.address {
        return bind(config(args, address)).await.map_err(|why| refused(&why));
    }
    let mut taken = None;
    for port in DEFAULT_PORT..DEFAULT_PORT + PORTS_TRIED {
        match bind(config(args, SocketAddr::from((Ipv4Addr::LOCALHOST, port)))).await {
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

fn config(args: &Args, address: SocketAddr) -> Config {
    Config { address, database: args.database.clone(), allowed_origins: args.allow_origin.clone(), ..Config::default() }
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
        _ => "",
    };
    Failure::Failed(format!("{why}{advice}"))
}

/// What to type into a browser at this machine.
fn url(address: SocketAddr) -> String {
    let ip = match address.ip() {
        ip if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        ip => ip,
    };
    format!("http://{}", SocketAddr::new(ip, address.port()))
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
            assert_eq!(url(parse_address(text).unwrap()), shown);
        }
        for bad in ["", "8080", "127.0.0.1", "127.0.0.1:99999", "raichi:80", "localhost:"] {
            assert!(parse_address(bad).unwrap_err().contains("like 127.0.0.1:8080"), "{bad}");
        }
    }
}
