//! A server as a process of its own, and clients that speak to it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};

use serde_json::{Value, json};
use tungstenite::{Message, WebSocket};

use crate::running::raichi;

/// A server that is killed when the test is done with it.
pub(crate) struct Running {
    pub(crate) child: Child,
    pub(crate) address: String,
}

impl Running {
    pub(crate) fn start(database: &str) -> Running {
        Running::start_logging(database, Stdio::inherit())
    }

    /// Its log goes there.
    pub(crate) fn start_logging(database: &str, log: impl Into<Stdio>) -> Running {
        let args = ["serve", "--address", "127.0.0.1:0", "--database", database];
        let mut child = raichi(&args).stdout(Stdio::piped()).stderr(log).spawn().unwrap();
        let mut first = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
        let address = first.trim().strip_prefix("Raichi is at http://").expect("the address is printed first").into();
        Running { child, address }
    }

    /// As the system does when memory runs out: SIGKILL, no goodbye.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// The whole reply, head and body.
    pub(crate) fn get(&self, path: &str) -> String {
        self.ask(&format!("GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.address))
    }

    fn ask(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut reply = String::new();
        stream.read_to_string(&mut reply).unwrap();
        reply
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Value {
        let body = body.to_string();
        let reply = self.ask(&format!(
            "POST {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
             Connection: close\r\n\r\n{body}",
            self.address,
            body.len(),
        ));
        let (head, body) = reply.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("HTTP/1.1 201 "), "{reply}");
        serde_json::from_str(body).unwrap_or_else(|why| panic!("{why}: {reply}"))
    }

    pub(crate) fn sit_down(&self, table: &str, keys: &[&str]) -> Line {
        let stream = TcpStream::connect(&self.address).unwrap();
        let (socket, _) = tungstenite::client(format!("ws://{}/ws/{table}", self.address), stream).unwrap();
        let mut line = Line(socket);
        line.send(&json!({"type": "hello", "keys": keys}));
        line
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) struct Line(WebSocket<TcpStream>);

impl Line {
    pub(crate) fn send(&mut self, message: &Value) {
        self.0.send(Message::text(message.to_string())).unwrap();
    }

    /// The next message for which `wanted` holds.
    pub(crate) fn until(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            if let Message::Text(text) = self.0.read().unwrap() {
                let message: Value = serde_json::from_str(&text).unwrap();
                assert_ne!(message["type"], "error", "{message}");
                if wanted(&message) {
                    return message;
                }
            }
        }
    }

    /// Plays and waits until the ply is acknowledged.
    pub(crate) fn play(&mut self, seat: u64, action: &str, n_plies: u64) {
        let id = format!("ply-{n_plies}");
        self.send(&json!({"type": "play", "id": id, "seat": seat, "action": action, "n_plies": n_plies}));
        let ack = self.until(|message| message["type"] == "ack" && message["id"] == id.as_str());
        assert_eq!(ack["n_plies"], n_plies + 1);
    }
}
