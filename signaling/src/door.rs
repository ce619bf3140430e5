//! Where a request goes: into a room, to the site, or to the question how the server is.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Json;
use axum::body::Body;
use axum::extract::ws::{WebSocket, WebSocketUpgrade};
use axum::extract::{FromRequestParts, Request};
use axum::http::header::{ALLOW, CACHE_CONTROL, RETRY_AFTER, UPGRADE};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use tokio::sync::{OwnedSemaphorePermit, watch};

use crate::address::{Neighbourhood, client};
use crate::config::{Config, MESSAGE_CAP};
use crate::room::{RoomName, Rooms};
use crate::site::StaticSite;
use crate::socket::{attend, dismiss};

/// Websockets beyond the limit that are let in to be told why they can't stay. Still more get a
/// plain 503, which costs the server less but which a page can't tell from a dead server.
const TOLD_WHY: usize = 64;

/// Bytes of one read from a socket, and the buffer kept for it while it is idle.
const READ_BUFFER: usize = 1024;

/// All that requests share.
#[derive(Debug)]
pub(crate) struct Door {
    config: Config,
    site: Option<StaticSite>,
    rooms: Arc<Rooms>,
    upgraded: AtomicUsize,
    stopping: watch::Receiver<bool>,
}

/// What the listener knows of a connection.
#[derive(Clone, Debug)]
pub(crate) struct Connection {
    /// The other end.
    pub(crate) remote: SocketAddr,
    /// The connection's place among those the server may have; given back when all is over.
    pub(crate) place: Arc<OwnedSemaphorePermit>,
}

impl Door {
    pub(crate) fn new(config: Config, stopping: watch::Receiver<bool>) -> Door {
        Door {
            site: config.site.as_ref().map(StaticSite::new),
            rooms: Arc::new(Rooms::new(config.limits.clone())),
            upgraded: AtomicUsize::new(0),
            config,
            stopping,
        }
    }

    /// How long the head of a request may take.
    pub(crate) fn head_timeout(&self) -> std::time::Duration {
        self.config.limits.head
    }

    /// Answers one request.
    pub(crate) async fn answer(
        self: Arc<Door>,
        connection: Connection,
        request: Request,
    ) -> Response {
        let base = self.config.site.as_ref().map_or("/", crate::Site::base);
        let path = request.uri().path();
        if asks_for_websocket(request.headers()) {
            return match room_of(path, base) {
                Some(room) => self.admit(room, connection, request).await,
                None => (StatusCode::NOT_FOUND, "there is no such room\n").into_response(),
            };
        }
        if path == "/health" || path.strip_prefix(base) == Some("health") {
            return self.health(request.method());
        }
        match &self.site {
            Some(site) => site.serve(request.map(|_| Body::empty())).await,
            None => (
                StatusCode::NOT_FOUND,
                "This server introduces browsers to each other over websockets.\n",
            )
                .into_response(),
        }
    }

    async fn admit(
        self: Arc<Door>,
        room: RoomName,
        connection: Connection,
        request: Request,
    ) -> Response {
        let (mut parts, _) = request.into_parts();
        let remote = connection.remote.ip();
        let from = client(remote, &parts.headers, &self.config.trusted_proxies);
        let from = Neighbourhood::of(from);
        let upgrade = match WebSocketUpgrade::from_request_parts(&mut parts, &()).await {
            Ok(upgrade) => upgrade,
            Err(rejection) => return rejection.into_response(),
        };
        let Some(visit) = Visit::begin(self, connection.place) else {
            let retry = [(RETRY_AFTER, "60")];
            let reason = "the server is full, try again later\n";
            return (StatusCode::SERVICE_UNAVAILABLE, retry, reason).into_response();
        };
        upgrade
            .read_buffer_size(READ_BUFFER)
            // Every frame is flushed anyway.
            .write_buffer_size(0)
            .max_write_buffer_size(4 * MESSAGE_CAP)
            // Somewhat above the cap, so that one who is a little above it can be told.
            .max_message_size(4 * MESSAGE_CAP)
            .max_frame_size(4 * MESSAGE_CAP)
            .on_upgrade(move |socket| visit.run(socket, room, from))
    }

    fn health(&self, method: &Method) -> Response {
        if method != Method::GET && method != Method::HEAD {
            return (StatusCode::METHOD_NOT_ALLOWED, [(ALLOW, "GET, HEAD")]).into_response();
        }
        let (sockets, rooms) = self.rooms.count();
        let version = env!("CARGO_PKG_VERSION");
        let health = Health { status: "ok", sockets, rooms, version };
        ([(CACHE_CONTROL, "no-store")], Json(health)).into_response()
    }
}

/// What `/health` tells.
#[derive(Serialize)]
struct Health {
    status: &'static str,
    sockets: usize,
    rooms: usize,
    version: &'static str,
}

/// An upgraded connection, counted from the answer to the request until its task ends.
struct Visit {
    door: Arc<Door>,
    _place: Arc<OwnedSemaphorePermit>,
}

impl Visit {
    /// `None` if even those who are only told that the server is full are too many.
    fn begin(door: Arc<Door>, place: Arc<OwnedSemaphorePermit>) -> Option<Visit> {
        let most = door.config.limits.sockets.saturating_add(TOLD_WHY);
        let before = door.upgraded.fetch_add(1, Ordering::Relaxed);
        // Counted first and taken back by `drop`, so that two at once can't both be the last.
        let visit = Visit { door, _place: place };
        (before < most).then_some(visit)
    }

    async fn run(self, socket: WebSocket, room: RoomName, from: Neighbourhood) {
        let limits = &self.door.config.limits;
        match self.door.rooms.enter(room, from) {
            Ok(member) => attend(socket, member, limits, self.door.stopping.clone()).await,
            Err(refusal) => dismiss(socket, Some(refusal), limits).await,
        }
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        self.door.upgraded.fetch_sub(1, Ordering::Relaxed);
    }
}

fn asks_for_websocket(headers: &HeaderMap) -> bool {
    let lines = headers.get_all(UPGRADE).iter();
    lines
        .flat_map(|line| line.to_str().unwrap_or("").split(','))
        .any(|protocol| protocol.trim().eq_ignore_ascii_case("websocket"))
}

/// The room a path names: `/<room>` or `/signal/<room>`, at the root or below the site's base.
fn room_of(path: &str, base: &str) -> Option<RoomName> {
    let below = path.strip_prefix(base).or_else(|| path.strip_prefix('/'))?;
    let name = below.strip_prefix("signal/").unwrap_or(below);
    RoomName::parse(name)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn paths_of_rooms() {
        let named = |name: &str| Some(RoomName::parse(name).unwrap());
        for (path, base, room) in [
            ("/abc", "/", named("abc")),
            ("/signal/abc", "/", named("abc")),
            ("/signal", "/", named("signal")),
            ("/health", "/", named("health")),
            ("/zari/abc", "/zari/", named("abc")),
            ("/zari/signal/abc", "/zari/", named("abc")),
            ("/abc", "/zari/", named("abc")),
            ("/signal/abc", "/zari/", named("abc")),
            ("/zari/abc", "/", None),
            ("/", "/", None),
            ("/signal/", "/", None),
            ("/signal/a/b", "/", None),
            ("/..", "/", None),
            ("*", "/", None),
            ("", "/", None),
        ] {
            assert_eq!(room_of(path, base), room, "{path} below {base}");
        }
    }
}
