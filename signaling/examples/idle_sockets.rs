//! What an idle socket costs: starts the server as a process of its own, fills rooms of two, and
//! reads the server's resident memory.
//!
//! ```text
//! cargo build --release -p signaling
//! cargo run --release -p signaling --example idle_sockets -- target/release/zari-signaling 2000
//! ```
//!
//! Prints one line of JSON per step. Linux only, for `/proc`.

#![allow(clippy::unwrap_used)]

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

type Socket = WebSocketStream<TcpStream>;

/// Resident bytes of the server.
fn resident(server: &Child) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.id())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() * 1024
}

async fn enter(at: &str, room: usize) -> (Socket, String) {
    let stream = TcpStream::connect(at).await.unwrap();
    let config = WebSocketConfig::default().read_buffer_size(512).write_buffer_size(0);
    let url = format!("ws://{at}/room-{room}");
    let (mut socket, _) =
        tokio_tungstenite::client_async_with_config(url, stream, Some(config)).await.unwrap();
    let event = next(&mut socket).await;
    let id = event["IdAssigned"].as_str().unwrap().to_owned();
    (socket, id)
}

async fn next(socket: &mut Socket) -> Value {
    loop {
        if let Message::Text(text) = socket.next().await.unwrap().unwrap() {
            return serde_json::from_str(&text).unwrap();
        }
    }
}

/// Sends a signal and waits for it at the other end.
async fn pass(from: &mut Socket, to: &mut Socket, receiver: &str, data: &str) {
    let request = json!({ "Signal": { "receiver": receiver, "data": data } });
    from.send(Message::text(request.to_string())).await.unwrap();
    assert_eq!(next(to).await["Signal"]["data"], data);
}

/// Waits until the server says that nobody is there.
async fn until_empty(at: &str) {
    loop {
        let mut stream = TcpStream::connect(at).await.unwrap();
        let request = b"GET /health HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n";
        stream.write_all(request).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        if answer.contains("\"sockets\":0,\"rooms\":0") {
            return;
        }
    }
}

#[tokio::main]
async fn main() {
    let mut arguments = std::env::args().skip(1);
    let (Some(program), Some(sockets)) = (arguments.next(), arguments.next()) else {
        eprintln!("usage: idle_sockets PROGRAM SOCKETS");
        std::process::exit(2);
    };
    let sockets: usize = sockets.parse().unwrap();
    let most = sockets.to_string();
    let limits = ["--max-sockets", &most, "--max-sockets-per-address", &most];
    let mut server = Command::new(program)
        .args(["--listen", "127.0.0.1:0"])
        .args(limits)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let at = line.trim_end().strip_prefix("listening on ").unwrap().to_owned();
    until_empty(&at).await;

    let empty = resident(&server);
    println!("{}", json!({ "step": "empty", "resident": empty }));
    for wave in 1..=2 {
        let mut open = Vec::with_capacity(sockets);
        let mut joins = Vec::with_capacity(sockets);
        for n in 0..sockets {
            let start = Instant::now();
            open.push(enter(&at, n / 2).await);
            joins.push(start.elapsed());
        }
        joins.sort();
        let p99: Duration = joins[joins.len() * 99 / 100];
        let per_socket = |resident: u64| (resident.saturating_sub(empty)) / sockets as u64;
        let idle = resident(&server);
        println!(
            "{}",
            json!({
                "step": format!("wave {wave}, idle"), "sockets": sockets, "resident": idle,
                "bytes_per_socket": per_socket(idle), "p99_join_ms": p99.as_secs_f64() * 1e3,
            })
        );
        // A description of 4 KiB each way, as in an introduction.
        let offer = "v".repeat(4096);
        for pair in open.chunks_mut(2) {
            let [(first, first_id), (second, second_id)] = pair else { continue };
            assert_eq!(next(first).await["NewPeer"], **second_id);
            pass(first, second, second_id, &offer).await;
            pass(second, first, first_id, &offer).await;
        }
        let used = resident(&server);
        println!(
            "{}",
            json!({
                "step": format!("wave {wave}, after a signal each"), "resident": used,
                "bytes_per_socket": per_socket(used),
            })
        );
        drop(open);
        until_empty(&at).await;
        let left = resident(&server);
        println!("{}", json!({ "step": format!("wave {wave}, all gone"), "resident": left }));
    }
    server.kill().unwrap();
    server.wait().unwrap();
}
