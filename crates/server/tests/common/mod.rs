//! A server of its own for each test, on a real socket, and clients that speak the protocol as text.

#![allow(unreachable_pub, reason = "tests export nothing")]

use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use raichi_server::{Config, Limits, bind};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, client_async, connect_async};

/// Long enough for a slow machine; no test waits that long when all is well.
const TIMEOUT: Duration = Duration::from_secs(20);

/// A server in a runtime of its own, so that it can be killed without closing anything.
pub struct TestServer {
    pub address: SocketAddr,
    runtime: Option<Runtime>,
}

pub fn config() -> Config {
    Config {
        address: "127.0.0.1:0".parse().unwrap(),
        database: ":memory:".into(),
        engine_pause: Duration::ZERO,
        // Tests play faster than people, and all from one address.
        limits: Limits { message_burst: 10_000, messages_per_second_per_address: 10_000, ..Limits::default() },
        ..Config::default()
    }
}

pub fn with_limits(change: impl FnOnce(&mut Limits)) -> Config {
    let mut config = config();
    change(&mut config.limits);
    config
}

impl TestServer {
    pub fn start() -> TestServer {
        TestServer::with(config())
    }

    pub fn on(database: &Path) -> TestServer {
        TestServer::with(Config { database: database.into(), ..config() })
    }

    pub fn with(config: Config) -> TestServer {
        TestServer::in_runtime(config, Builder::new_multi_thread())
    }

    /// A server with one thread that serves, on which nothing else goes on while something is worked out there.
    pub fn with_one_thread() -> TestServer {
        let mut builder = Builder::new_multi_thread();
        builder.worker_threads(1);
        TestServer::in_runtime(config(), builder)
    }

    fn in_runtime(config: Config, mut builder: Builder) -> TestServer {
        // Made on a thread of its own: a test's runtime must not block on another.
        std::thread::spawn(move || {
            let runtime = builder.enable_all().build().unwrap();
            let server = runtime.block_on(bind(config)).unwrap();
            let address = server.address();
            runtime.spawn(server.run_until(std::future::pending()));
            TestServer { address, runtime: Some(runtime) }
        })
        .join()
        .unwrap()
    }

    /// A server that runs elsewhere.
    pub fn at(address: SocketAddr) -> TestServer {
        TestServer { address, runtime: None }
    }

    /// The server is gone between two instructions, as with `kill -9`, except that the files stay open.
    pub fn crash(self) {
        drop(self);
    }

    pub async fn request(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Response {
        let mut text = format!("{method} {path} HTTP/1.1\r\nconnection: close\r\ncontent-length: {}\r\n", body.len());
        if !headers.iter().any(|(name, _)| *name == "host") {
            text += &format!("host: {}\r\n", self.address);
        }
        for (name, value) in headers {
            text += &format!("{name}: {value}\r\n");
        }
        text += "\r\n";
        text += body;
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        // The server may respond and close before it has read everything.
        let _ = stream.write_all(text.as_bytes()).await;
        let mut bytes = Vec::new();
        let _ = timeout(TIMEOUT, stream.read_to_end(&mut bytes)).await.expect("the server responds");
        Response::read(&bytes)
    }

    pub async fn get(&self, path: &str) -> Response {
        self.request("GET", path, &[], "").await
    }

    pub async fn post(&self, path: &str, body: &Value) -> Response {
        self.request("POST", path, &[("content-type", "application/json")], &body.to_string()).await
    }

    /// A table whose seats are these, and the keys by seat.
    pub async fn table(&self, game: &str, seats: Value) -> TestTable {
        let response = self.post("/api/tables", &json!({ "game": game, "seats": seats })).await;
        TestTable::read(&response)
    }

    pub async fn hello(&self, table: &str, keys: &[&str]) -> Client {
        let mut client = self.connect(table).await;
        client.send(&json!({ "type": "hello", "keys": keys })).await;
        client
    }

    pub async fn connect(&self, table: &str) -> Client {
        self.connect_at(&format!("/ws/{table}")).await
    }

    pub async fn connect_at(&self, path: &str) -> Client {
        let (socket, _) = connect_async(format!("ws://{}{path}", self.address)).await.unwrap();
        Client { socket }
    }

    /// Says hello as a client whose address a proxy forwards; the status where there is no connection.
    pub async fn hello_of(&self, address: &str, table: &str, keys: &[&str]) -> Result<Client, u16> {
        let mut client = self.connect_with(table, "x-forwarded-for", address).await?;
        client.send(&json!({ "type": "hello", "keys": keys })).await;
        Ok(client)
    }

    /// Asks for a table as a client whose address a proxy forwards.
    pub async fn post_table_of(&self, address: &str, game: &str, seats: &Value) -> Response {
        let body = json!({ "game": game, "seats": seats }).to_string();
        self.request("POST", "/api/tables", &[("x-forwarded-for", address)], &body).await
    }

    /// A client whose system takes in next to nothing before it is read.
    pub async fn connect_slowly(&self, table: &str) -> Client {
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(4096).unwrap();
        let stream = socket.connect(self.address).await.unwrap();
        let url = format!("ws://{}/ws/{table}", self.address);
        let (socket, _) = client_async(url, MaybeTlsStream::Plain(stream)).await.unwrap();
        Client { socket }
    }

    pub async fn connect_from(&self, table: &str, origin: &str) -> Result<Client, u16> {
        self.connect_with(table, "origin", origin).await
    }

    async fn connect_with(&self, table: &str, header: &'static str, value: &str) -> Result<Client, u16> {
        let mut request = format!("ws://{}/ws/{table}", self.address).into_client_request().unwrap();
        request.headers_mut().insert(header, value.parse().unwrap());
        match connect_async(request).await {
            Ok((socket, _)) => Ok(Client { socket }),
            Err(tokio_tungstenite::tungstenite::Error::Http(response)) => Err(response.status().as_u16()),
            Err(why) => panic!("{why}"),
        }
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

pub struct TestTable {
    pub id: String,
    pub keys: Vec<String>,
    pub seed_hash: String,
}

impl TestTable {
    pub fn read(response: &Response) -> TestTable {
        assert_eq!(response.status, 201, "{response:?}");
        let made = response.json();
        let keys = made["keys"].as_array().unwrap().iter();
        TestTable {
            id: made["table"].as_str().unwrap().into(),
            keys: keys.map(|key| key["key"].as_str().unwrap().into()).collect(),
            seed_hash: made["seed_hash"].as_str().unwrap().into(),
        }
    }
}

#[derive(Debug)]
pub struct Response {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Response {
    pub fn read(bytes: &[u8]) -> Response {
        let end = bytes.windows(4).position(|window| window == b"\r\n\r\n").expect("a whole head");
        let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
        let mut lines = head.lines();
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let header = |line: &str| {
            let (name, value) = line.split_once(": ").unwrap();
            (name.to_ascii_lowercase(), value.to_string())
        };
        let mut response = Response { status, headers: lines.map(header).collect(), body: bytes[end + 4..].to_vec() };
        if response.header("transfer-encoding") == Some("chunked") {
            response.body = unchunked(&response.body);
        }
        response
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|why| panic!("{why}: {}", self.text()))
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(header, _)| header == name).map(|(_, value)| value.as_str())
    }

    pub fn is_refused(&self, status: u16, code: &str) {
        let body = self.json();
        assert_eq!((self.status, body["code"].as_str()), (status, Some(code)), "{body}");
        assert!(body["message"].as_str().is_some_and(|message| message.len() > 10), "{body}");
    }
}

/// The body of a response that was sent in chunks.
fn unchunked(mut bytes: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    loop {
        let end = bytes.windows(2).position(|window| window == b"\r\n").expect("the length of a chunk");
        let length = usize::from_str_radix(std::str::from_utf8(&bytes[..end]).unwrap(), 16).unwrap();
        if length == 0 {
            return body;
        }
        body.extend_from_slice(&bytes[end + 2..end + 2 + length]);
        bytes = &bytes[end + 2 + length + 2..];
    }
}

pub struct Client {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
}

impl Client {
    pub async fn send(&mut self, message: &Value) {
        self.send_text(&message.to_string()).await;
    }

    pub async fn send_text(&mut self, text: &str) {
        // The server may have closed the connection already.
        let _ = self.socket.send(Message::text(text)).await;
    }

    pub async fn send_raw(&mut self, message: Message) {
        let _ = self.socket.send(message).await;
    }

    /// The next message, or `None` once the connection is closed.
    pub async fn next(&mut self) -> Option<Value> {
        self.next_within(TIMEOUT).await
    }

    pub async fn next_within(&mut self, time: Duration) -> Option<Value> {
        self.next_text_within(time).await.map(|text| serde_json::from_str(&text).unwrap())
    }

    /// The next message as it was sent.
    pub async fn next_text(&mut self) -> Option<String> {
        self.next_text_within(TIMEOUT).await
    }

    async fn next_text_within(&mut self, time: Duration) -> Option<String> {
        loop {
            match timeout(time, self.socket.next()).await.expect("the server says something") {
                Some(Ok(Message::Text(text))) => return Some(text.to_string()),
                Some(Ok(Message::Close(_)) | Err(_)) | None => return None,
                Some(Ok(_)) => {}
            }
        }
    }

    async fn next_of(&mut self, kind: &str) -> Value {
        loop {
            let message = self.next().await.unwrap_or_else(|| panic!("the connection was closed before a {kind}"));
            if message["type"] == kind {
                return message;
            }
        }
    }

    pub async fn view(&mut self) -> Value {
        self.next_of("view").await
    }

    /// The first view that is as wanted.
    pub async fn view_where(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let view = self.view().await;
            if wanted(&view) {
                return view;
            }
        }
    }

    pub async fn view_after(&mut self, n_plies: u64) -> Value {
        self.view_where(|view| view["n_plies"] == n_plies).await
    }

    /// The reply to the message with this id: an ack, a look or an error.
    pub async fn reply_to(&mut self, id: &str) -> Value {
        loop {
            let message = self.next().await.expect("the connection is open");
            if message["id"] == id {
                return message;
            }
        }
    }

    pub async fn play(&mut self, id: &str, seat: usize, action: &str, n_plies: usize) -> Value {
        self.send(&json!({ "type": "play", "id": id, "seat": seat, "action": action, "n_plies": n_plies })).await;
        self.reply_to(id).await
    }

    pub async fn is_refused(&mut self, message: &Value, code: &str) {
        self.send(message).await;
        let error = self.next_of("error").await;
        assert_eq!(error["code"], code, "{message} got the reply {error}");
        assert_eq!(error.get("id"), message.get("id"), "{message} got the reply {error}");
        assert!(error["message"].as_str().is_some_and(|message| message.len() > 10), "{error}");
    }

    /// Asserts that the server says this last, and closes the connection.
    pub async fn is_disconnected(&mut self, code: &str) -> Value {
        let error = self.next_of("error").await;
        assert_eq!(error["code"], code, "{error}");
        assert_eq!(self.next().await, None);
        error
    }
}

/// An action that is known without another question: the first along the first steps.
pub fn first_action(choices: &Value) -> Value {
    let steps = choices["steps"].as_array().unwrap();
    let known = steps.iter().flat_map(|step| step["next"].as_array().unwrap()).find_map(|next| next.get("action"));
    known.unwrap_or(&choices["example"]).clone()
}

pub fn me_and_friend() -> Value {
    json!([{ "kind": "me", "name": "Ann" }, { "kind": "friend" }])
}

/// The record of a game with so many plies: of Poker, in which everybody folds.
pub fn long_record(n_plies: usize) -> String {
    let game = raichi_games::game(&format!("poker:players=2,chips=1000000,blind=2,max-plies={n_plies}")).unwrap();
    let (mut current, mut rng) = (game.new_match(), raichi_core::random::stream(1, "long", 0));
    loop {
        match current.phase() {
            raichi_core::Phase::Chance => current.sample_outcome(&mut rng).unwrap(),
            raichi_core::Phase::Act(seats) => drop(current.play(seats.first(), "fold").unwrap()),
            raichi_core::Phase::Over => break,
        }
    }
    assert_eq!(current.n_plies(), n_plies, "it did not end before");
    let plies = current.plies().iter().map(|ply| json!({ "text": ply.token(raichi_core::Viewer::Referee) }));
    let plies: Vec<Value> = plies.collect();
    json!({ "version": 2, "game": game.spec(), "seats": ["Ann", "Bob"], "plies": plies, "program": "x" }).to_string()
}
