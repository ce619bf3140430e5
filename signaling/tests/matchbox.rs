//! Stock `matchbox_socket` clients, over real WebRTC.

#![allow(clippy::unwrap_used)]

mod running;

use std::future::poll_fn;
use std::task::Poll;

use futures_util::StreamExt;
use matchbox_socket::{Packet, PeerId, PeerState, RtcIceServerConfig, WebRtcSocket};
use running::{Running, soon};
use signaling::Limits;

fn connect(server: &Running, room: &str) -> WebRtcSocket {
    let (socket, message_loop) = WebRtcSocket::builder(format!("ws://{}/{room}", server.at))
        // No server outside is asked for anything.
        .ice_server(RtcIceServerConfig { urls: Vec::new(), username: None, credential: None })
        .add_reliable_channel()
        .build();
    tokio::spawn(message_loop);
    socket
}

async fn connected(socket: &mut WebRtcSocket) -> PeerId {
    let next = soon("a peer", socket.next()).await;
    let (peer, state) = next.unwrap();
    assert_eq!(state, PeerState::Connected);
    peer
}

/// The next message on the one channel.
async fn message(socket: &mut WebRtcSocket) -> (PeerId, Packet) {
    let channel = socket.channel_mut(0);
    soon("a message", channel.next()).await.unwrap()
}

#[tokio::test]
async fn two_stock_clients_exchange_a_message() {
    let server = Running::start(Limits::default()).await;
    let mut first = connect(&server, "table");
    let mut second = connect(&server, "table");
    // In another room: must meet nobody.
    let mut elsewhere = connect(&server, "signal/other");

    let (at_first, at_second) = tokio::join!(connected(&mut first), connected(&mut second));
    assert_eq!(first.id(), Some(at_second));
    assert_eq!(second.id(), Some(at_first));

    first.channel_mut(0).send(b"double six".as_slice().into(), at_first);
    let (from, text) = message(&mut second).await;
    assert_eq!((from, &*text), (at_second, b"double six".as_slice()));
    second.channel_mut(0).send(b"again".as_slice().into(), at_second);
    let (from, text) = message(&mut first).await;
    assert_eq!((from, &*text), (at_first, b"again".as_slice()));

    // The connection stands on its own once it is made.
    soon("the server to end", server.stop()).await.unwrap();
    first.channel_mut(0).send(b"still here".as_slice().into(), at_first);
    let (from, text) = message(&mut second).await;
    assert_eq!((from, &*text), (at_second, b"still here".as_slice()));
    let met = poll_fn(|cx| Poll::Ready(elsewhere.poll_next_unpin(cx))).await;
    assert!(!matches!(met, Poll::Ready(Some(_))), "{met:?}");
}
