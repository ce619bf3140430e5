//! Why the server ends a websocket, as close codes a page can explain.
//!
//! Codes below 4000 have the meaning RFC 6455 §7.4.1 and its registry give them; those from 4000
//! on are this server's own and stable.

/// A close code with a short reason in English.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Close {
    /// The code of the close frame.
    pub code: u16,
    /// The reason of the close frame; the code is what a program reads.
    pub reason: &'static str,
}

/// The server is being stopped; another start may be under way.
pub const SHUTTING_DOWN: Close = Close { code: 1001, reason: "the server is shutting down" };
/// A frame that breaks the websocket protocol, or one far beyond the cap.
pub const BROKEN_FRAME: Close = Close { code: 1002, reason: "a frame could not be read" };
/// A binary message; the wire format is text.
pub const BINARY_REFUSED: Close = Close { code: 1003, reason: "binary messages are refused" };
/// A message above [`MESSAGE_CAP`](crate::MESSAGE_CAP).
pub const TOO_BIG: Close = Close { code: 1009, reason: "a message was too big" };
/// The server has all the sockets or rooms it may have; try again later.
pub const SERVER_FULL: Close = Close { code: 1013, reason: "the server is full, try again later" };
/// A text message that is not a request of the wire format.
pub const NOT_A_REQUEST: Close = Close { code: 4000, reason: "a message was not a request" };
/// More messages than the rate allows, its burst included.
pub const TOO_FAST: Close = Close { code: 4001, reason: "too many messages" };
/// The client does not read what it is sent.
pub const TOO_SLOW: Close = Close { code: 4002, reason: "messages were not read in time" };
/// Nothing was heard from the client, not even an answer to a ping.
pub const SILENT: Close = Close { code: 4003, reason: "no sign of life" };
/// The room already has [`ROOM_SIZE`](crate::ROOM_SIZE) sockets.
pub const ROOM_FULL: Close = Close { code: 4008, reason: "the room is full" };
/// The client's address has all the sockets one address may have.
pub const TOO_MANY_FROM_ADDRESS: Close =
    Close { code: 4009, reason: "too many connections from this address" };
