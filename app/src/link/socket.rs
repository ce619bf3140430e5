//! A websocket to one room of the signaling server, in matchbox's wire format. Nothing that comes
//! through it is believed: it introduces, and carries sealed bytes.

use std::rc::Rc;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use gloo_timers::callback::{Interval, Timeout};
use matchbox_protocol::{PeerEvent, PeerId, PeerRequest};
use peer::Address;
use uuid::Uuid;
use wasm_bindgen::prelude::*;
use web_sys::{CloseEvent, MessageEvent, WebSocket};

/// The server's own cap; nothing longer can be meant for this page.
const LONGEST_MESSAGE: usize = 32 * 1024;
/// A server that has not answered by then is taken for unreachable.
const OPEN_WITHIN_MS: u32 = 8_000;
/// Often enough for proxies that close what is silent for a minute.
const KEEP_ALIVE_MS: u32 = 25_000;

/// What happens in a room.
pub enum Happening {
    /// The websocket is open.
    Up,
    /// It is closed, with the server's code, or could not be opened. Nothing follows.
    Down(Option<u16>),
    /// Somebody came in.
    Arrived(Address),
    /// Somebody left.
    Gone(Address),
    /// Somebody sent something.
    Sealed(Address, Vec<u8>),
}

/// An open websocket, or one that is being opened. Dropping it closes it.
pub struct RoomSocket {
    socket: WebSocket,
    _on_open: Closure<dyn FnMut()>,
    _on_message: Closure<dyn FnMut(MessageEvent)>,
    _on_close: Closure<dyn FnMut(CloseEvent)>,
    _give_up: Timeout,
    _keep_alive: Interval,
}

impl RoomSocket {
    /// Opens a websocket. `tell` is called from the event loop, never from within this function.
    ///
    /// # Errors
    /// When the browser does not even try: a malformed address or one that its policy forbids.
    pub fn open(url: &str, tell: Rc<dyn Fn(Happening)>) -> Result<RoomSocket, JsValue> {
        let socket = WebSocket::new(url)?;

        let on_open = Closure::new({
            let tell = Rc::clone(&tell);
            move || tell(Happening::Up)
        });
        socket.set_onopen(Some(on_open.as_ref().unchecked_ref()));

        let on_message = Closure::new({
            let tell = Rc::clone(&tell);
            move |event: MessageEvent| {
                if let Some(happening) = event.data().as_string().as_deref().and_then(read) {
                    tell(happening);
                }
            }
        });
        socket.set_onmessage(Some(on_message.as_ref().unchecked_ref()));

        let on_close = Closure::new({
            let tell = Rc::clone(&tell);
            move |event: CloseEvent| tell(Happening::Down(Some(event.code())))
        });
        socket.set_onclose(Some(on_close.as_ref().unchecked_ref()));

        let give_up = Timeout::new(OPEN_WITHIN_MS, {
            let socket = socket.clone();
            move || {
                if socket.ready_state() == WebSocket::CONNECTING {
                    // The close event follows.
                    drop(socket.close());
                }
            }
        });
        let keep_alive = Interval::new(KEEP_ALIVE_MS, {
            let socket = socket.clone();
            move || send(&socket, &PeerRequest::KeepAlive)
        });

        Ok(RoomSocket {
            socket,
            _on_open: on_open,
            _on_message: on_message,
            _on_close: on_close,
            _give_up: give_up,
            _keep_alive: keep_alive,
        })
    }

    /// Sends sealed bytes to somebody in the room; lost while the websocket is not open.
    pub fn tell(&self, to: Address, sealed: &[u8]) {
        let receiver = PeerId(Uuid::from_bytes(to.0));
        let data = URL_SAFE_NO_PAD.encode(sealed);
        send(&self.socket, &PeerRequest::Signal { receiver, data });
    }
}

impl Drop for RoomSocket {
    fn drop(&mut self) {
        self.socket.set_onopen(None);
        self.socket.set_onmessage(None);
        self.socket.set_onclose(None);
        drop(self.socket.close());
    }
}

impl std::fmt::Debug for RoomSocket {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The address names the room, and the room is for two.
        f.write_str("RoomSocket")
    }
}

fn send(socket: &WebSocket, request: &PeerRequest<String>) {
    if socket.ready_state() == WebSocket::OPEN
        && let Ok(text) = serde_json::to_string(request)
    {
        drop(socket.send_with_str(&text));
    }
}

/// Reads one message of the server; what is not of the wire format is nothing.
fn read(text: &str) -> Option<Happening> {
    if text.len() > LONGEST_MESSAGE {
        return None;
    }
    let address = |id: PeerId| Address(id.0.into_bytes());
    match serde_json::from_str::<PeerEvent<String>>(text).ok()? {
        // One's own name is of no use: sealed signals carry their own.
        PeerEvent::IdAssigned(_) => None,
        PeerEvent::NewPeer(id) => Some(Happening::Arrived(address(id))),
        PeerEvent::PeerLeft(id) => Some(Happening::Gone(address(id))),
        PeerEvent::Signal { sender, data } => {
            let sealed = URL_SAFE_NO_PAD.decode(data).ok()?;
            Some(Happening::Sealed(address(sender), sealed))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "67e55044-10b1-426f-9247-bb680e5fe0c8";

    #[test]
    fn the_wire_format_is_read() {
        let arrived = read(&format!(r#"{{"NewPeer":"{ID}"}}"#));
        assert!(matches!(arrived, Some(Happening::Arrived(Address([0x67, 0xe5, ..])))));
        let gone = read(&format!(r#"{{"PeerLeft":"{ID}"}}"#));
        assert!(matches!(gone, Some(Happening::Gone(_))));
        let sealed = read(&format!(r#"{{"Signal":{{"sender":"{ID}","data":"AQID"}}}}"#));
        assert!(matches!(sealed, Some(Happening::Sealed(_, bytes)) if bytes == [1, 2, 3]));
    }

    #[test]
    fn everything_else_is_nothing() {
        let long = format!(r#"{{"Signal":{{"sender":"{ID}","data":"{}"}}}}"#, "A".repeat(40_000));
        let deep = "[".repeat(30_000);
        for text in [
            "",
            "null",
            "KeepAlive",
            r#"{"NewPeer":"x"}"#,
            &format!(r#"{{"IdAssigned":"{ID}"}}"#),
            &format!(r#"{{"Signal":{{"sender":"{ID}","data":{{"Offer":"sdp"}}}}}}"#),
            &format!(r#"{{"Signal":{{"sender":"{ID}","data":"***"}}}}"#),
            &long,
            &deep,
        ] {
            assert!(read(text).is_none(), "{}", &text[..text.len().min(60)]);
        }
    }
}
