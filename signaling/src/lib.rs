//! Introduces browsers to each other, and serves a static site beside it.
//!
//! Two browsers that want a direct connection need somebody to carry their first few messages.
//! This server does that and nothing else: whoever opens a websocket on `/<room>` meets whoever
//! else is in that room, and the server passes JSON text frames between them without looking into
//! their `data`. The wire format is matchbox's ([`matchbox_protocol`]), so a stock
//! `matchbox_socket` client connects.
//!
//! ```text
//! client → server   {"Signal":{"receiver":"<peer id>","data":<any JSON>}}   "KeepAlive"
//! server → client   {"IdAssigned":"<peer id>"}      once, before anything else
//!                   {"NewPeer":"<peer id>"}         to those who were there before
//!                   {"PeerLeft":"<peer id>"}        to those who stay
//!                   {"Signal":{"sender":"<peer id>","data":<the same JSON>}}
//! ```
//!
//! Paths: a websocket upgrade on `/<room>` or `/signal/<room>` (also below the site's base) enters
//! a room; the query is ignored. A plain GET of `/health` tells how the server is; every other GET
//! is a file of the site, if there is one. The same port serves both.
//!
//! **Invariant:** a frame reaches only sockets of its sender's room.
//!
//! **Invariant:** everything a client can make the server keep is bounded by [`Limits`]; a room is
//! forgotten with its last socket. Nothing is written down: no room, no address, only counts.

mod address;
mod close;
mod config;
mod door;
mod links;
mod outbox;
mod pace;
mod room;
mod server;
mod site;
mod socket;

pub use close::{
    BINARY_REFUSED, BROKEN_FRAME, Close, NOT_A_REQUEST, ROOM_FULL, SERVER_FULL, SHUTTING_DOWN,
    SILENT, TOO_BIG, TOO_FAST, TOO_MANY_FROM_ADDRESS, TOO_SLOW,
};
pub use config::{Config, ConfigError, Limits, MESSAGE_CAP, ROOM_SIZE, Site};
pub use links::links;
pub use server::{Server, StartError};
pub use site::CONTENT_SECURITY_POLICY;
