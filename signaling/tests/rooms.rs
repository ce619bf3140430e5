//! Rooms and their limits, over real sockets.

#![allow(clippy::unwrap_used)]

mod running;

use std::time::Duration;

use futures_util::{FutureExt, SinkExt, StreamExt};
use matchbox_protocol::{PeerEvent, PeerId};
use running::{Client, Running, soon};
use serde_json::{Value, json};
use signaling::{Config, Limits, MESSAGE_CAP, ROOM_SIZE};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};
use tokio_tungstenite::tungstenite::protocol::frame::{Frame, FrameHeader};

fn nobody() -> PeerId {
    serde_json::from_value(json!("00000000-0000-4000-8000-000000000000")).unwrap()
}

/// A signal to `to` whose whole text has `length` bytes.
fn signal_of_length(to: PeerId, length: usize) -> String {
    let around = json!({ "Signal": { "receiver": to, "data": "" } }).to_string().len();
    json!({ "Signal": { "receiver": to, "data": "x".repeat(length - around) } }).to_string()
}

#[tokio::test]
async fn two_meet_speak_and_part() {
    let server = Running::start(Limits::default()).await;
    let mut first = server.enter("room").await;
    let mut second = server.enter("room").await;
    first.expect(PeerEvent::NewPeer(second.id())).await;
    assert_ne!(first.id(), second.id());

    let odd = json!({ "ქართული": [1, 2.5e300, null, "\u{0}\u{1f3b2}"], "Offer": "v=0\r\n" });
    first.signal(second.id(), odd.clone()).await;
    second.expect(PeerEvent::Signal { sender: first.id(), data: odd }).await;
    second.send(Message::text("\"KeepAlive\"")).await;
    second.signal(first.id(), json!(1)).await;
    first.expect(PeerEvent::Signal { sender: second.id(), data: json!(1) }).await;

    let gone = second.id();
    second.socket.close(None).await.unwrap();
    first.expect(PeerEvent::PeerLeft(gone)).await;
    drop(first);
    server.until(0, 0).await;
}

#[tokio::test]
async fn a_socket_that_breaks_leaves_the_room() {
    let server = Running::start(Limits::default()).await;
    let mut first = server.enter("room").await;
    let second = server.enter("room").await;
    first.expect(PeerEvent::NewPeer(second.id())).await;
    let gone = second.id();
    drop(second);
    first.expect(PeerEvent::PeerLeft(gone)).await;
}

#[tokio::test]
async fn the_prefix_names_the_same_room() {
    let server = Running::start(Limits::default()).await;
    let mut first = server.enter("room").await;
    let second = server.enter("signal/room?next=2").await;
    first.expect(PeerEvent::NewPeer(second.id())).await;
}

#[tokio::test]
async fn names_of_rooms_are_limited() {
    let server = Running::start(Limits::default()).await;
    server.enter(&"x".repeat(64)).await;
    server.enter("AZaz09-_").await;
    let long = format!("/{}", "x".repeat(65));
    for path in ["/", "/a.b", "/a%20b", "/a/b", "/signal/", "/..", &long] {
        assert_eq!(server.open(path, &[]).await.err(), Some(404), "{path}");
    }
}

#[tokio::test]
async fn a_signal_stays_in_its_room() {
    let server = Running::start(Limits::default()).await;
    let mut here = server.enter("here").await;
    let mut beside = server.enter("here").await;
    here.expect(PeerEvent::NewPeer(beside.id())).await;
    let mut there = server.enter("there").await;

    here.signal(there.id(), json!("stray")).await;
    here.signal(nobody(), json!("stray")).await;
    // The same socket's next signal arrives, so the stray ones have been dealt with.
    here.signal(beside.id(), json!("right")).await;
    beside.expect(PeerEvent::Signal { sender: here.id(), data: json!("right") }).await;

    let mut late = server.enter("there").await;
    late.signal(there.id(), json!("near")).await;
    there.expect(PeerEvent::NewPeer(late.id())).await;
    there.expect(PeerEvent::Signal { sender: late.id(), data: json!("near") }).await;
}

#[tokio::test]
async fn a_room_takes_eight() {
    let server = Running::start(Limits::default()).await;
    let mut inside = Vec::new();
    for _ in 0..ROOM_SIZE {
        inside.push(server.enter("room").await);
    }
    assert_eq!(inside.len(), 8);
    assert_eq!(server.turned_away("/room", &[]).await, 4008);
    // Nobody inside has noticed the ninth.
    let mut last = inside.pop().unwrap();
    let first = inside[0].id();
    last.signal(first, json!("still quiet")).await;
    for _ in 1..ROOM_SIZE {
        assert!(matches!(inside[0].event().await, PeerEvent::NewPeer(_)));
    }
    inside[0].expect(PeerEvent::Signal { sender: last.id(), data: json!("still quiet") }).await;

    let gone = last.id();
    drop(last);
    inside[0].expect(PeerEvent::PeerLeft(gone)).await;
    let ninth = server.enter("room").await;
    inside[0].expect(PeerEvent::NewPeer(ninth.id())).await;
    assert_eq!(server.health().await["sockets"], 8);
}

#[tokio::test]
async fn messages_are_capped() {
    let server = Running::start(Limits::default()).await;
    let mut reader = server.enter("room").await;
    let mut writer = server.enter("room").await;
    reader.expect(PeerEvent::NewPeer(writer.id())).await;

    let largest = signal_of_length(reader.id(), MESSAGE_CAP);
    assert_eq!(largest.len(), 16 * 1024);
    writer.send(Message::text(largest)).await;
    assert!(matches!(reader.event().await, PeerEvent::Signal { .. }));

    let too_large = signal_of_length(reader.id(), MESSAGE_CAP + 1);
    writer.send(Message::text(too_large)).await;
    assert_eq!(writer.closed().await, Some(1009));
    reader.expect(PeerEvent::PeerLeft(writer.id())).await;

    // Far above the cap it isn't even read.
    let mut flood = server.enter("room").await;
    reader.expect(PeerEvent::NewPeer(flood.id())).await;
    let _ = flood.socket.send(Message::text("x".repeat(10 << 20))).await;
    reader.expect(PeerEvent::PeerLeft(flood.id())).await;

    // Nor in many small pieces.
    let mut pieces = server.enter("room").await;
    reader.expect(PeerEvent::NewPeer(pieces.id())).await;
    for n in 0..100 {
        let kind = if n == 0 { Data::Text } else { Data::Continue };
        let header =
            FrameHeader { is_final: false, opcode: OpCode::Data(kind), ..Default::default() };
        let piece = Frame::from_payload(header, vec![b'x'; 1024].into());
        if pieces.socket.send(Message::Frame(piece)).await.is_err() {
            break;
        }
    }
    reader.expect(PeerEvent::PeerLeft(pieces.id())).await;
}

#[tokio::test]
async fn binary_is_refused() {
    let server = Running::start(Limits::default()).await;
    let mut client = server.enter("room").await;
    client.send(Message::binary(b"\"KeepAlive\"".as_slice())).await;
    assert_eq!(client.closed().await, Some(1003));
}

#[tokio::test]
async fn what_is_not_a_request_ends_its_socket_alone() {
    let server = Running::start(Limits::default()).await;
    let mut bystander = server.enter("room").await;
    let deep = "[".repeat(8000);
    let open_data = format!("{{\"Signal\":{{\"receiver\":\"{}\",\"data\":", nobody().0);
    for garbage in [
        "",
        " ",
        "null",
        "42",
        "[]",
        "{}",
        "\"",
        "\"Keepalive\"",
        "KeepAlive",
        "{\"KeepAlive\":1}",
        "{\"Signal\":null}",
        "{\"Signal\":{}}",
        "{\"Signal\":{\"receiver\":\"nobody\",\"data\":1}}",
        "{\"Signal\":{\"receiver\":7,\"data\":1}}",
        "{\"IdAssigned\":\"00000000-0000-4000-8000-000000000000\"}",
        "\"KeepAlive\" \"KeepAlive\"",
        "\u{0}",
        deep.as_str(),
        open_data.as_str(),
        &format!("{open_data}{deep}"),
        &format!("{open_data}1e999"),
        &format!("{open_data}\"\\ud800"),
    ] {
        let mut client = server.enter("room").await;
        bystander.expect(PeerEvent::NewPeer(client.id())).await;
        client.send(Message::text(garbage)).await;
        assert_eq!(client.closed().await, Some(4000), "{garbage:.40}");
        bystander.expect(PeerEvent::PeerLeft(client.id())).await;
    }
}

#[tokio::test]
async fn odd_but_valid_data_is_passed_on_unread() {
    let server = Running::start(Limits::default()).await;
    let mut reader = server.enter("room").await;
    let mut writer = server.enter("room").await;
    reader.expect(PeerEvent::NewPeer(writer.id())).await;
    let deep = format!("{}{}", "[".repeat(4000), "]".repeat(4000));
    for data in [deep.as_str(), "1e999", "\"\\ud800\"", "{\"a\":1,\"a\":2}"] {
        let to = reader.id().0;
        let text = format!("{{\"Signal\":{{\"receiver\":\"{to}\",\"data\":{data}}}}}");
        writer.send(Message::text(text)).await;
        let Message::Text(passed) = reader.next().await else { panic!("no text") };
        let sender = writer.id().0;
        let expected = format!("{{\"Signal\":{{\"sender\":\"{sender}\",\"data\":{data}}}}}");
        assert_eq!(passed.as_str(), expected);
    }
}

#[tokio::test]
async fn broken_frames_end_their_socket_alone() {
    let server = Running::start(Limits::default()).await;
    let mut bystander = server.enter("room").await;
    let text = || OpCode::Data(Data::Text);
    let broken: [(FrameHeader, &[u8]); 4] = [
        // No UTF-8.
        (FrameHeader { opcode: text(), ..Default::default() }, b"\xff\xfe"),
        // A bit that belongs to an extension nobody has agreed on.
        (FrameHeader { opcode: text(), rsv1: true, ..Default::default() }, b"\"KeepAlive\""),
        // The middle of nothing.
        (FrameHeader { opcode: OpCode::Data(Data::Continue), ..Default::default() }, b"x"),
        // A kind of frame that doesn't exist.
        (FrameHeader { opcode: OpCode::Data(Data::Reserved(5)), ..Default::default() }, b"x"),
    ];
    for (header, payload) in broken {
        let mut client = server.enter("room").await;
        bystander.expect(PeerEvent::NewPeer(client.id())).await;
        let frame = Frame::from_payload(header, payload.to_vec().into());
        client.send(Message::Frame(frame)).await;
        assert_eq!(client.closed().await, Some(1002));
        bystander.expect(PeerEvent::PeerLeft(client.id())).await;
    }
}

#[tokio::test]
async fn too_many_messages_end_the_socket() {
    let limits = Limits { burst: 5, messages_per_second: 1, ..Limits::default() };
    let server = Running::start(limits).await;
    let mut client = server.enter("room").await;
    // Sending may fail once the server has had enough.
    for _ in 0..100 {
        let _ = client.socket.feed(Message::text("\"KeepAlive\"")).await;
    }
    let _ = client.socket.flush().await;
    assert_eq!(client.closed().await, Some(4001));
}

#[tokio::test]
async fn an_introduction_to_seven_others_fits_the_rate() {
    let server = Running::start(Limits::default()).await;
    let mut others: Vec<Client> = Vec::new();
    for _ in 1..ROOM_SIZE {
        others.push(server.enter("room").await);
    }
    let mut newcomer = server.enter("room").await;
    let candidates = 30;
    for other in &others {
        for n in 0..candidates {
            newcomer.signal(other.id(), json!({ "IceCandidate": n })).await;
        }
    }
    for other in &mut others {
        let mut expected = 0;
        while expected < candidates {
            match other.event().await {
                PeerEvent::Signal { sender, data } if sender == newcomer.id() => {
                    assert_eq!(data["IceCandidate"], expected);
                    expected += 1;
                }
                PeerEvent::NewPeer(_) => {}
                event => panic!("{event:?}"),
            }
        }
    }
}

/// A client that reads nothing, on a connection that buffers little.
async fn enter_and_never_read(server: &Running) -> (PeerId, Client) {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4096).unwrap();
    let stream: TcpStream = socket.connect(server.at).await.unwrap();
    let url = format!("ws://{}/room", server.at);
    let stream = tokio_tungstenite::MaybeTlsStream::Plain(stream);
    let (mut socket, _) = tokio_tungstenite::client_async(url, stream).await.unwrap();
    let Message::Text(text) = soon("the id", socket.next()).await.unwrap().unwrap() else {
        panic!("no id")
    };
    let Ok(PeerEvent::IdAssigned(id)) = text.parse::<PeerEvent<Value>>() else { panic!("{text}") };
    (id, Client::from_parts(socket, id))
}

async fn flood_until_it_leaves(limits: Limits) {
    let unlimited = Limits { burst: u32::MAX, ..limits };
    let server = Running::start(unlimited).await;
    let (slow, _kept_open) = enter_and_never_read(&server).await;
    let mut writer = server.enter("room").await;
    let message = signal_of_length(slow, MESSAGE_CAP);
    soon("the slow one to be dropped", async {
        loop {
            writer.send(Message::text(message.clone())).await;
            match writer.socket.next().now_or_never() {
                None => tokio::task::yield_now().await,
                Some(event) => {
                    let Message::Text(event) = event.unwrap().unwrap() else { panic!("no text") };
                    let event: PeerEvent<Value> = event.parse().unwrap();
                    assert_eq!(event, PeerEvent::PeerLeft(slow));
                    return;
                }
            }
        }
    })
    .await;
    server.until(1, 1).await;
}

#[tokio::test]
async fn who_lets_too_much_pile_up_is_dropped() {
    let never = Duration::from_secs(3600);
    let limits = Limits { waiting_bytes: 64 * 1024, write: never, ..Limits::default() };
    flood_until_it_leaves(limits).await;
}

#[tokio::test]
async fn who_takes_too_long_to_read_is_dropped() {
    let endless = usize::MAX;
    let limits = Limits {
        waiting_bytes: endless,
        waiting_messages: endless,
        write: Duration::from_millis(200),
        ..Limits::default()
    };
    flood_until_it_leaves(limits).await;
}

#[tokio::test]
async fn the_silent_leave_and_those_who_answer_stay() {
    let limits = Limits {
        ping: Duration::from_millis(200),
        silence: Duration::from_secs(2),
        ..Limits::default()
    };
    let server = Running::start(limits).await;
    let mut alive = server.enter("room").await;
    let mut silent = server.enter("room").await;
    alive.expect(PeerEvent::NewPeer(silent.id())).await;
    // `silent` isn't read from until it has left, so it answers no ping; `alive` answers them.
    alive.expect(PeerEvent::PeerLeft(silent.id())).await;
    assert_eq!(silent.closed().await, Some(4003));
    server.until(1, 1).await;
}

#[tokio::test]
async fn sockets_in_total_are_limited() {
    let patient = Duration::from_secs(3600);
    let limits = Limits { sockets: 2, farewell: patient, ..Limits::default() };
    let server = Running::start(limits).await;
    let one = server.enter("one").await;
    let _two = server.enter("two").await;
    assert_eq!(server.turned_away("/three", &[]).await, 1013);
    // So many are told why at once, and more only that it doesn't work.
    let mut told = Vec::new();
    let status = loop {
        match server.open("/three", &[]).await {
            Ok(client) => told.push(client),
            Err(status) => break status,
        }
    };
    assert_eq!(status, 503);
    assert!((60..=64).contains(&told.len()), "{}", told.len());
    let answer = server
        .get(
            "/three",
            &[
                ("Upgrade", "websocket"),
                ("Sec-WebSocket-Version", "13"),
                ("Sec-WebSocket-Key", "AAAAAAAAAAAAAAAAAAAAAA=="),
            ],
        )
        .await;
    // Not an upgrade for a connection that is to be closed, but never a way in.
    assert!(answer.status >= 400, "{answer:?}");

    for mut client in told {
        assert_eq!(client.closed().await, Some(1013));
    }
    drop(one);
    server.until(1, 1).await;
    server.enter("three").await;
}

#[tokio::test]
async fn who_does_not_answer_a_goodbye_is_cut_off() {
    let limits = Limits { sockets: 1, farewell: Duration::from_millis(50), ..Limits::default() };
    let server = Running::start(limits).await;
    let _one = server.enter("one").await;
    let mut deaf = Vec::new();
    // More than may be told at once: they get in only if those before them are let go.
    soon("the deaf to be let go", async {
        while deaf.len() < 100 {
            match server.open("/two", &[]).await {
                Ok(client) => deaf.push(client),
                Err(status) => assert_eq!(status, 503),
            }
        }
    })
    .await;
}

#[tokio::test]
async fn rooms_in_total_are_limited() {
    let server = Running::start(Limits { rooms: 1, ..Limits::default() }).await;
    let _one = server.enter("one").await;
    assert_eq!(server.turned_away("/two", &[]).await, 1013);
    server.enter("one").await;
}

#[tokio::test]
async fn sockets_of_one_address_are_limited() {
    let limits = Limits { sockets_per_address: 2, ..Limits::default() };
    let server = Running::start(limits.clone()).await;
    let one = server.enter("one").await;
    let _two = server.enter("two").await;
    assert_eq!(server.turned_away("/three", &[]).await, 4009);
    // This machine's own addresses are trusted as a proxy's.
    let elsewhere = [("x-forwarded-for", "198.51.100.1")];
    let _three = server.open("/three", &elsewhere).await.unwrap();
    let _four = server.open("/three", &elsewhere).await.unwrap();
    assert_eq!(server.turned_away("/three", &elsewhere).await, 4009);
    drop(one);
    server.until(3, 2).await;
    server.enter("one").await;

    // A host that trusts nobody isn't fooled.
    let config = Config { limits, trusted_proxies: Vec::new(), ..Config::default() };
    let server = Running::with(config).await;
    let _one = server.open("/one", &elsewhere).await.unwrap();
    let _two = server.enter("two").await;
    assert_eq!(server.turned_away("/one", &[("x-forwarded-for", "198.51.100.2")]).await, 4009);
}

#[tokio::test]
async fn health_counts() {
    let server = Running::start(Limits::default()).await;
    let version = env!("CARGO_PKG_VERSION");
    let health = |sockets: usize, rooms: usize| json!({ "status": "ok", "sockets": sockets, "rooms": rooms, "version": version });
    assert_eq!(server.health().await, health(0, 0));
    let clients = [server.enter("one").await, server.enter("one").await, server.enter("two").await];
    assert_eq!(server.health().await, health(3, 2));
    drop(clients);
    server.until(0, 0).await;
    // A room may be called like it.
    server.enter("health").await;
    let answer = server.get("/health", &[]).await;
    assert_eq!(answer.header("content-type"), "application/json");
    assert_eq!(answer.header("cache-control"), "no-store");
    assert_eq!(server.ask("HEAD", "/health", &[]).await.body, b"");
    assert_eq!(server.ask("POST", "/health", &[]).await.status, 405);
}

#[tokio::test]
async fn a_server_without_a_site_says_what_it_is() {
    let server = Running::start(Limits::default()).await;
    let answer = server.get("/", &[]).await;
    assert_eq!(answer.status, 404);
    assert!(answer.body.starts_with(b"This server introduces"));
}

#[tokio::test]
async fn a_stopped_server_says_goodbye() {
    // Nothing ends by a time-out.
    let patient = Duration::from_secs(3600);
    let limits = Limits { head: patient, farewell: patient, ..Limits::default() };
    let server = Running::start(limits).await;
    let at = server.at;
    let mut clients = [server.enter("one").await, server.enter("one").await];
    let mut kept_alive = TcpStream::connect(at).await.unwrap();
    kept_alive.write_all(b"GET /health HTTP/1.1\r\nHost: zari\r\n\r\n").await.unwrap();
    let mut start = [0; 12];
    soon("an answer", kept_alive.read_exact(&mut start)).await.unwrap();
    assert_eq!(&start, b"HTTP/1.1 200");

    let ended = server.stop();
    for client in &mut clients {
        assert_eq!(client.closed().await, Some(1001));
        // The answer goes out with the next read.
        assert!(!matches!(soon("the end", client.socket.next()).await, Some(Ok(_))));
    }
    soon("the end", ended).await.unwrap();
    assert!(TcpStream::connect(at).await.is_err());
    let mut rest = Vec::new();
    soon("the connection to end", kept_alive.read_to_end(&mut rest)).await.unwrap();
}

#[tokio::test]
async fn a_stopped_server_waits_for_nobody_long() {
    let limits = Limits { farewell: Duration::from_millis(50), ..Limits::default() };
    let server = Running::start(limits).await;
    // Never read from again, so it never answers the close frame.
    let _deaf = server.enter("one").await;
    soon("the end", server.stop()).await.unwrap();
}

#[tokio::test]
async fn half_a_head_does_not_hold_a_connection() {
    let limits = Limits { head: Duration::from_millis(100), ..Limits::default() };
    let server = Running::start(limits).await;
    server.raw(b"GET /health HTT").await;
    server.raw(b"").await;
    // A head too large and one that isn't HTTP.
    let large = format!("GET /health HTTP/1.1\r\nHost: zari\r\nX: {}\r\n\r\n", "x".repeat(40_000));
    let mut stream = TcpStream::connect(server.at).await.unwrap();
    let _ = stream.write_all(large.as_bytes()).await;
    let mut answer = Vec::new();
    let _ = soon("an end", stream.read_to_end(&mut answer)).await;
    assert!(!answer.starts_with(b"HTTP/1.1 2"));
    assert!(server.raw(b"\x16\x03\x01\x02\x00\r\n\r\n").await.starts_with(b"HTTP/1.1 400"));
    assert_eq!(server.health().await["sockets"], 0);
}
