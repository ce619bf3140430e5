//! One websocket, from its entry into a room to its last frame.

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket};
use matchbox_protocol::PeerRequest;
use serde_json::value::RawValue;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until, timeout};

use crate::close::{
    BINARY_REFUSED, BROKEN_FRAME, Close, NOT_A_REQUEST, SHUTTING_DOWN, SILENT, TOO_BIG, TOO_FAST,
    TOO_SLOW,
};
use crate::config::{Limits, MESSAGE_CAP};
use crate::pace::Pace;
use crate::room::Membership;
use crate::server::stop_asked;

/// Carries frames between a socket and its room until one of them ends it.
pub(crate) async fn attend(
    mut socket: WebSocket,
    member: Membership,
    limits: &Limits,
    stopping: watch::Receiver<bool>,
) {
    let end = converse(&mut socket, &member, limits, stopping).await;
    // The others of the room learn it now, not after the farewell.
    drop(member);
    dismiss(socket, end, limits).await;
}

/// Ends a socket: sends the reason, if it is the server's, and waits a moment for the answer.
/// Without that wait the client may see a broken connection instead of the reason.
pub(crate) async fn dismiss(mut socket: WebSocket, reason: Option<Close>, limits: &Limits) {
    let farewell = async {
        if let Some(Close { code, reason }) = reason {
            let frame = CloseFrame { code, reason: Utf8Bytes::from_static(reason) };
            if socket.send(Message::Close(Some(frame))).await.is_err() {
                return;
            }
        }
        while let Some(Ok(_)) = socket.recv().await {}
    };
    // Who doesn't answer is cut off.
    let _ = timeout(limits.farewell, farewell).await;
}

/// Returns why the server ends the socket, or `None` if the client did.
async fn converse(
    socket: &mut WebSocket,
    member: &Membership,
    limits: &Limits,
    mut stopping: watch::Receiver<bool>,
) -> Option<Close> {
    let start = Instant::now();
    let mut heard = start;
    let mut next_ping = start + limits.ping;
    let mut pace = Pace::new(limits.burst, limits.messages_per_second, start);
    loop {
        let silent = heard + limits.silence;
        tokio::select! {
            () = stop_asked(&mut stopping) => return Some(SHUTTING_DOWN),
            frame = member.outbox().next() => {
                let Some(frame) = frame else { return Some(TOO_SLOW) };
                if let Some(end) = write(socket, Message::Text(frame), member, limits).await {
                    return end;
                }
            }
            () = sleep_until(silent.min(next_ping)) => {
                if Instant::now() >= silent {
                    return Some(SILENT);
                }
                next_ping = Instant::now() + limits.ping;
                let ping = Message::Ping(Default::default());
                if let Some(end) = write(socket, ping, member, limits).await {
                    return end;
                }
            }
            message = socket.recv() => {
                let message = match message {
                    Some(Ok(message)) => message,
                    Some(Err(_)) => return Some(BROKEN_FRAME),
                    None => return None,
                };
                heard = Instant::now();
                if !pace.take(heard) {
                    return Some(TOO_FAST);
                }
                match message {
                    Message::Text(text) if text.len() > MESSAGE_CAP => return Some(TOO_BIG),
                    Message::Text(text) => match serde_json::from_str(&text) {
                        Ok(PeerRequest::<&RawValue>::Signal { receiver, data }) => {
                            member.signal(receiver, data);
                        }
                        Ok(PeerRequest::KeepAlive) => {}
                        Err(_) => return Some(NOT_A_REQUEST),
                    },
                    Message::Binary(_) => return Some(BINARY_REFUSED),
                    Message::Close(_) => return None,
                    // Pings have been answered by the library.
                    Message::Ping(_) | Message::Pong(_) => {}
                }
            }
        }
    }
}

/// Writes one message. `Some` ends the socket: with a reason if it reads too slowly, without one
/// if it is gone.
async fn write(
    socket: &mut WebSocket,
    message: Message,
    member: &Membership,
    limits: &Limits,
) -> Option<Option<Close>> {
    tokio::select! {
        written = timeout(limits.write, socket.send(message)) => match written {
            Ok(Ok(())) => None,
            Ok(Err(_)) => Some(None),
            Err(_) => Some(Some(TOO_SLOW)),
        },
        () = member.outbox().overflow() => Some(Some(TOO_SLOW)),
    }
}
