//! A server as a process of its own: started, asked, killed and started again.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpSocket, TcpStream};
use tokio::process::{Child, ChildStdout, Command};
use tokio::time::{Instant, sleep, timeout};

/// How long a server may take to start, and to respond.
const PATIENCE: Duration = Duration::from_secs(30);

/// How a server is run.
#[derive(Clone)]
pub(crate) struct Setup {
    /// The command `raichi`.
    pub(crate) program: PathBuf,
    pub(crate) database: PathBuf,
    /// Options of `raichi serve` besides the address and the database.
    pub(crate) options: Vec<String>,
    /// Variables of its environment.
    pub(crate) variables: Vec<(String, String)>,
}

/// A server that is killed when it is dropped.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: SocketAddr,
    // A pipe that nobody holds would fail what the server prints.
    _stdout: BufReader<ChildStdout>,
}

impl Setup {
    /// A server that refuses no load of this harness.
    pub(crate) fn new(program: &Path, database: &Path, n_connections: usize) -> Setup {
        let most = (n_connections + 1000).to_string();
        let options = [
            ("--websockets", most.as_str()),
            ("--tcp-connections", &most),
            ("--websockets-per-address", &most),
            ("--tcp-connections-per-address", &most),
            ("--spectators-per-table", &most),
            ("--reserved-for-seats-percent", "0"),
            ("--tables-per-minute", "1000000"),
            ("--tables-per-minute-per-address", "1000000"),
            ("--requests-per-second-per-address", "1000000"),
            ("--messages-per-second-per-address", "1000000"),
            ("--messages-per-second", "100000"),
            ("--message-burst", "100000"),
            ("--engine-pause", "0s"),
            ("--log", "error"),
        ];
        Setup {
            program: program.into(),
            database: database.into(),
            options: options.iter().flat_map(|(name, value)| [name.to_string(), value.to_string()]).collect(),
            variables: Vec::new(),
        }
    }

    pub(crate) fn option(mut self, name: &str, value: impl ToString) -> Setup {
        self.options.extend([name.into(), value.to_string()]);
        self
    }

    /// Starts a server on any free port.
    pub(crate) async fn start(&self) -> Result<Server> {
        self.start_at(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).await
    }

    pub(crate) async fn start_at(&self, address: SocketAddr) -> Result<Server> {
        // A write beyond the largest file that is allowed fails then, as on a full disk, and is no signal.
        let mut command = Command::new("/bin/sh");
        command.args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\""]).arg(&self.program);
        command.arg("serve").arg("--address").arg(address.to_string()).arg("--database").arg(&self.database);
        command.args(&self.options).envs(self.variables.iter().cloned());
        // Nothing of the environment should change what is measured.
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("RAICHI_")) {
            command.env_remove(name);
        }
        command.stdout(Stdio::piped()).stdin(Stdio::null()).kill_on_drop(true);
        let mut child = command.spawn().with_context(|| format!("{} cannot be run", self.program.display()))?;
        let mut stdout = BufReader::new(child.stdout.take().expect("it is piped"));
        let mut first = String::new();
        timeout(PATIENCE, stdout.read_line(&mut first)).await.context("the server does not start in time")??;
        let Some(address) = first.trim().strip_prefix("Raichi is at http://") else {
            bail!("the server did not start; it said {first:?}, and ended with {:?}", child.wait().await);
        };
        Ok(Server { child, address: address.trim_end_matches('/').parse()?, _stdout: stdout })
    }
}

impl Server {
    /// SIGKILL: nothing is finished, nothing is said.
    pub(crate) async fn kill(mut self) -> Result<()> {
        self.child.kill().await.context("the server cannot be killed")
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id().expect("it has not been waited for")
    }

    /// Memory of the server that is in use, in KiB (`VmRSS`).
    pub(crate) async fn resident(&self) -> Result<u64> {
        let status = tokio::fs::read_to_string(format!("/proc/{}/status", self.id())).await?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("no VmRSS")?;
        Ok(line.trim().trim_end_matches(" kB").parse()?)
    }

    /// Processor time so far, in seconds.
    pub(crate) async fn cpu(&self) -> Result<f64> {
        let stat = tokio::fs::read_to_string(format!("/proc/{}/stat", self.id())).await?;
        // The name, in parentheses, may have blanks; after it come the state and numbers. Linux counts hundredths.
        let (_, rest) = stat.rsplit_once(") ").context("no stat")?;
        let ticks = rest.split(' ').skip(11).take(2).map(|ticks| ticks.parse::<u64>().unwrap_or_default());
        Ok(ticks.sum::<u64>() as f64 / 100.0)
    }

    /// What its memory settles to: the same twice, or after so long.
    pub(crate) async fn settled(&self, within: Duration) -> Result<u64> {
        let end = Instant::now() + within;
        let mut last = self.resident().await?;
        while Instant::now() < end {
            sleep(Duration::from_secs(1)).await;
            let now = self.resident().await?;
            if now.abs_diff(last) < 64 {
                return Ok(now);
            }
            last = now;
        }
        Ok(last)
    }

    /// A figure of `/metrics`; of several with different labels the sum.
    pub(crate) async fn metric(&self, name: &str) -> Result<f64> {
        let (status, text) = get(self.address, "/metrics").await?;
        ensure!(status == 200, "/metrics: {status}");
        let of_line = |line: &str| {
            let rest = line.strip_prefix(name)?;
            rest.starts_with([' ', '{']).then(|| rest.rsplit(' ').next()?.parse::<f64>().ok())?
        };
        Ok(text.lines().filter_map(of_line).sum())
    }
}

/// Asks for a path; returns the status and the body.
pub(crate) async fn get(server: SocketAddr, path: &str) -> Result<(u16, String)> {
    request(server, Ipv4Addr::LOCALHOST, "GET", path, "").await
}

/// Creates a table from this address of the machine. Returns its id, and its keys by seat.
pub(crate) async fn create(
    server: SocketAddr,
    from: Ipv4Addr,
    game: &str,
    seats: Value,
) -> Result<(String, Vec<String>)> {
    let body = serde_json::json!({ "game": game, "seats": seats }).to_string();
    let (status, body) = request(server, from, "POST", "/api/tables", &body).await?;
    ensure!(status == 201, "a table is refused with {status}: {body}");
    let made: Value = serde_json::from_str(&body)?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let keys = made["keys"].as_array().context("no keys")?.iter().map(|key| text(&key["key"])).collect();
    Ok((text(&made["table"]), keys))
}

async fn request(server: SocketAddr, from: Ipv4Addr, method: &str, path: &str, body: &str) -> Result<(u16, String)> {
    let exchange = async {
        let mut stream = connect(server, from).await?;
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: {server}\r\nconnection: close\r\ncontent-type: application/json\r\n\
             content-length: {}\r\n\r\n",
            body.len()
        );
        stream.write_all((head + body).as_bytes()).await?;
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).await?;
        anyhow::Ok(String::from_utf8(bytes)?)
    };
    let text = timeout(PATIENCE, exchange).await.with_context(|| format!("no response to {method} {path}"))??;
    let (head, body) = text.split_once("\r\n\r\n").context("a response without an end of its head")?;
    let status = head.split(' ').nth(1).context("a response without a status")?.parse()?;
    Ok((status, body.into()))
}

/// A connection from this address of the machine: one address has too few ports, and is one client to the server.
pub(crate) async fn connect(server: SocketAddr, from: Ipv4Addr) -> Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.set_reuseaddr(true)?;
    socket.bind(SocketAddr::from((from, 0)))?;
    Ok(socket.connect(server).await?)
}

/// The loopback address of the client with this number; each thousand numbers have 250 addresses.
pub(crate) fn address_of(client: usize) -> Ipv4Addr {
    Ipv4Addr::new(127, 0, 1, (client % 250 + 1) as u8)
}
