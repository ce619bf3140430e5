//! A server on a free port, and what tests say to it.

#![allow(dead_code, clippy::unwrap_used)]

use std::collections::HashMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use matchbox_protocol::{JsonPeerEvent, PeerEvent, PeerId};
use serde_json::{Value, json};
use signaling::{Config, Limits, Server, Site};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::{Error, Message, client::IntoClientRequest};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// Nothing here takes that long unless something is broken.
const PATIENCE: Duration = Duration::from_secs(30);

/// Waits for something that must happen.
pub(crate) async fn soon<T>(what: &str, future: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, future).await.unwrap_or_else(|_| panic!("waited for {what}"))
}

/// A running server; it ends with the test's runtime.
pub(crate) struct Running {
    pub(crate) at: SocketAddr,
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

impl Running {
    pub(crate) async fn start(limits: Limits) -> Running {
        Running::with(Config { limits, ..Config::default() }).await
    }

    pub(crate) async fn serving(site: Site) -> Running {
        Running::with(Config { site: Some(site), ..Config::default() }).await
    }

    pub(crate) async fn with(config: Config) -> Running {
        let listen = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let server = Server::bind(Config { listen, ..config }).await.unwrap();
        let at = server.local_addr();
        let (stop, stopped) = oneshot::channel();
        let task = tokio::spawn(server.run(async {
            let _ = stopped.await;
        }));
        Running { at, stop, task }
    }

    /// Asks the server to end; the handle completes when it has.
    pub(crate) fn stop(self) -> JoinHandle<()> {
        self.stop.send(()).unwrap();
        self.task
    }

    pub(crate) async fn health(&self) -> Value {
        let answer = self.get("/health", &[]).await;
        assert_eq!(answer.status, 200);
        serde_json::from_slice(&answer.body).unwrap()
    }

    /// Waits until the server has so many sockets and rooms.
    pub(crate) async fn until(&self, sockets: usize, rooms: usize) {
        soon(&format!("{sockets} sockets in {rooms} rooms"), async {
            loop {
                let health = self.health().await;
                if health["sockets"] == sockets && health["rooms"] == rooms {
                    return;
                }
            }
        })
        .await;
    }

    pub(crate) async fn get(&self, path: &str, headers: &[(&str, &str)]) -> Answer {
        self.ask("GET", path, headers).await
    }

    pub(crate) async fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)]) -> Answer {
        let mut head = format!("{method} {path} HTTP/1.1\r\nHost: zari\r\nConnection: close\r\n");
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        Answer::parse(self.raw(format!("{head}\r\n").as_bytes()).await)
    }

    /// Sends bytes and reads until the server ends the connection.
    pub(crate) async fn raw(&self, bytes: &[u8]) -> Vec<u8> {
        let mut stream = TcpStream::connect(self.at).await.unwrap();
        stream.write_all(bytes).await.unwrap();
        let mut answer = Vec::new();
        soon("an answer", stream.read_to_end(&mut answer)).await.unwrap();
        answer
    }

    /// Opens a websocket on a path; `Err` is the status of a refusal.
    pub(crate) async fn open(
        &self,
        path: &str,
        headers: &[(&'static str, &str)],
    ) -> Result<Client, u16> {
        let mut request = format!("ws://{}{path}", self.at).into_client_request().unwrap();
        for (name, value) in headers {
            request.headers_mut().insert(*name, value.parse().unwrap());
        }
        match soon("a websocket", connect_async(request)).await {
            Ok((socket, _)) => Ok(Client { socket, id: None }),
            Err(Error::Http(response)) => Err(response.status().as_u16()),
            Err(error) => panic!("{error}"),
        }
    }

    /// Enters a room and learns its id there.
    pub(crate) async fn enter(&self, room: &str) -> Client {
        let mut client = self.open(&format!("/{room}"), &[]).await.unwrap();
        match client.event().await {
            PeerEvent::IdAssigned(id) => client.id = Some(id),
            other => panic!("first came {other:?}"),
        }
        client
    }

    /// Tries to enter a room and returns the code it is turned away with.
    pub(crate) async fn turned_away(&self, path: &str, headers: &[(&'static str, &str)]) -> u16 {
        let mut client = self.open(path, headers).await.unwrap();
        match client.next().await {
            Message::Close(Some(frame)) => frame.code.into(),
            other => panic!("came in and got {other:?}"),
        }
    }
}

/// A websocket to the server.
pub(crate) struct Client {
    pub(crate) socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    id: Option<PeerId>,
}

impl Client {
    pub(crate) fn from_parts(
        socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
        id: PeerId,
    ) -> Client {
        Client { socket, id: Some(id) }
    }

    pub(crate) fn id(&self) -> PeerId {
        self.id.unwrap()
    }

    pub(crate) async fn send(&mut self, message: Message) {
        self.socket.send(message).await.unwrap();
    }

    pub(crate) async fn signal(&mut self, to: PeerId, data: Value) {
        let request = json!({ "Signal": { "receiver": to, "data": data } });
        self.send(Message::text(request.to_string())).await;
    }

    /// The next message that isn't a ping.
    pub(crate) async fn next(&mut self) -> Message {
        loop {
            let next = soon("a message", self.socket.next()).await;
            match next.expect("the connection has ended").unwrap() {
                Message::Ping(_) => {}
                message => return message,
            }
        }
    }

    pub(crate) async fn event(&mut self) -> JsonPeerEvent {
        match self.next().await {
            Message::Text(text) => text.parse().unwrap(),
            other => panic!("no event: {other:?}"),
        }
    }

    pub(crate) async fn expect(&mut self, event: JsonPeerEvent) {
        assert_eq!(self.event().await, event);
    }

    /// The code the server closes with, whatever comes before; `None` if the connection broke.
    pub(crate) async fn closed(&mut self) -> Option<u16> {
        loop {
            match soon("a close frame", self.socket.next()).await {
                Some(Ok(Message::Close(frame))) => return frame.map(|frame| frame.code.into()),
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return None,
            }
        }
    }
}

/// An answer over HTTP.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    headers: HashMap<String, String>,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    fn parse(bytes: Vec<u8>) -> Answer {
        let end = bytes.windows(4).position(|part| part == b"\r\n\r\n").expect("a head");
        let head = std::str::from_utf8(&bytes[..end]).unwrap();
        let mut lines = head.split("\r\n");
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let mut headers = HashMap::new();
        for line in lines {
            let (name, value) = line.split_once(": ").unwrap();
            let before = headers.insert(name.to_lowercase(), value.to_owned());
            assert_eq!(before, None, "{name} came twice");
        }
        Answer { status, headers, body: bytes[end + 4..].to_vec() }
    }

    /// A header's value, or an empty string.
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }
}
