//! A client as the page is one: joins a table, plays, sends again what was not acknowledged.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use futures_util::{SinkExt, StreamExt};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{WebSocketStream, client_async_with_config};

use crate::server::connect;

/// How long joining a table may take.
const JOINING: Duration = Duration::from_secs(60);

/// A WebSocket to a table.
pub(crate) struct Client {
    socket: WebSocketStream<TcpStream>,
}

/// A message of the server, as far as it is of interest here.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Heard {
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) id: Option<String>,
    pub(crate) code: String,
    pub(crate) message: String,
    pub(crate) n_plies: usize,
    pub(crate) plies_from: usize,
    pub(crate) plies: Vec<Ply>,
    pub(crate) to_act: Value,
    pub(crate) you: Vec<usize>,
    choices: BTreeMap<usize, Choices>,
    pub(crate) next_table: Option<NextTable>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Ply {
    pub(crate) by: Value,
    pub(crate) text: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct NextTable {
    pub(crate) table: String,
}

#[derive(Debug, Deserialize)]
struct Choices {
    example: String,
    steps: Vec<Step>,
}

#[derive(Debug, Deserialize)]
struct Step {
    next: Vec<Touch>,
}

#[derive(Debug, Deserialize)]
struct Touch {
    action: Option<String>,
}

impl Heard {
    pub(crate) fn is_over(&self) -> bool {
        self.to_act == "over"
    }

    /// Some legal action, drawn from those that the view lists, and the seat that may choose it.
    pub(crate) fn some_action(&self) -> Option<(usize, String)> {
        let (&seat, choices) = self.choices.first_key_value()?;
        let listed: Vec<&String> =
            choices.steps.iter().flat_map(|step| &step.next).filter_map(|touch| touch.action.as_ref()).collect();
        let action = if listed.is_empty() { &choices.example } else { listed[rand::random_range(0..listed.len())] };
        Some((seat, action.clone()))
    }
}

impl Client {
    /// Connects and says hello.
    pub(crate) async fn join(server: SocketAddr, from: Ipv4Addr, table: &str, keys: &[String]) -> Result<Client> {
        let joining = async {
            let stream = connect(server, from).await?;
            stream.set_nodelay(true)?;
            // Ten thousand clients are in this process.
            let config = WebSocketConfig::default().read_buffer_size(4096).write_buffer_size(0);
            let url = format!("ws://{server}/ws/{table}");
            let (socket, _) = client_async_with_config(url, stream, Some(config)).await?;
            let mut client = Client { socket };
            client.send(&json!({ "type": "hello", "keys": keys })).await?;
            anyhow::Ok(client)
        };
        timeout(JOINING, joining).await.context("joining a table takes too long")?
    }

    pub(crate) async fn send(&mut self, message: &Value) -> Result<()> {
        Ok(self.socket.send(Message::text(message.to_string())).await?)
    }

    /// The next message; `None` once the connection has ended.
    pub(crate) async fn next(&mut self) -> Result<Option<Heard>> {
        loop {
            match self.socket.next().await {
                Some(Ok(Message::Text(text))) => {
                    let heard = serde_json::from_str(&text);
                    return heard
                        .map(Some)
                        .with_context(|| format!("not understood: {}", &text[..text.len().min(200)]));
                }
                // The library replies to a ping with the next message, or when told to.
                Some(Ok(Message::Ping(_))) => match self.socket.flush().await {
                    Ok(()) => {}
                    Err(_) => return Ok(None),
                },
                Some(Ok(Message::Close(_)) | Err(Error::Io(_) | Error::ConnectionClosed)) | None => return Ok(None),
                // The server was killed in the middle of a frame.
                Some(Err(Error::Protocol(_))) => return Ok(None),
                Some(Err(why)) => bail!("the connection failed: {why}"),
                Some(Ok(_)) => {}
            }
        }
    }

    /// The first view as wanted, within this time.
    pub(crate) async fn view_where(&mut self, within: Duration, wanted: impl Fn(&Heard) -> bool) -> Result<Heard> {
        let search = async {
            loop {
                let heard = self.next().await?.context("the connection ended")?;
                match heard.kind.as_str() {
                    "error" => bail!("{}: {}", heard.code, heard.message),
                    "view" if wanted(&heard) => return Ok(heard),
                    _ => {}
                }
            }
        };
        timeout(within, search).await.with_context(|| format!("not seen in {within:?}"))?
    }
}
