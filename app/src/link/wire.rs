//! Carries out what the peer crate asks of the network, and tells it what happens there.

use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;

use peer::{Address, ChannelId, Role, Room, Signal};
use wasm_bindgen_futures::spawn_local;

use super::attempt::{Attempt, News};
use super::connections;
use super::socket::{Happening, RoomSocket};
use crate::config::Config;

/// Something that happened on the network.
pub enum WireEvent {
    /// In a room of the signaling server.
    Room(Room, Happening),
    /// On the way of an attempt or a channel.
    Channel(ChannelId, News),
}

/// The websockets and connections of one game. Dropping it closes them all.
pub struct Wire {
    config: Config,
    origin: String,
    signal: u8,
    events: Rc<dyn Fn(WireEvent)>,
    rooms: BTreeMap<Room, RoomSocket>,
    channels: BTreeMap<ChannelId, Attempt>,
}

impl Wire {
    /// Nothing is open yet. `signal` is the index of the server in the configuration; `events` is
    /// called from the event loop, never from within a method.
    pub fn new(config: Config, origin: String, signal: u8, events: Rc<dyn Fn(WireEvent)>) -> Wire {
        Wire { config, origin, signal, events, rooms: BTreeMap::new(), channels: BTreeMap::new() }
    }

    /// Whether this browser can connect at all.
    pub fn can_connect() -> bool {
        connections::is_available()
    }

    /// Opens a websocket to a room; one that was open before is closed.
    pub fn join(&mut self, room: Room, name: &str) {
        let url = self.config.room_url(self.signal, &self.origin, name);
        let tell: Rc<dyn Fn(Happening)> = {
            let events = Rc::clone(&self.events);
            Rc::new(move |happening| events(WireEvent::Room(room, happening)))
        };
        match RoomSocket::open(&url, Rc::clone(&tell)) {
            Ok(socket) => drop(self.rooms.insert(room, socket)),
            Err(_) => {
                self.rooms.remove(&room);
                spawn_local(async move { tell(Happening::Down(None)) });
            }
        }
    }

    /// Closes the websocket of a room.
    pub fn leave(&mut self, room: Room) {
        self.rooms.remove(&room);
    }

    /// Sends sealed bytes to somebody in a room.
    pub fn tell(&self, room: Room, to: Address, sealed: &[u8]) {
        if let Some(socket) = self.rooms.get(&room) {
            socket.tell(to, sealed);
        }
    }

    /// Starts an attempt to connect.
    pub fn connect(&mut self, id: ChannelId, role: Role) {
        let events = Rc::clone(&self.events);
        let news: Rc<dyn Fn(News)> = Rc::new(move |news| events(WireEvent::Channel(id, news)));
        if !Wire::can_connect() {
            spawn_local(async move { news(News::Closed) });
            return;
        }
        // A list of plain strings always has a JSON.
        let servers = serde_json::to_string(&self.config.ice).unwrap_or_else(|_| "[]".to_owned());
        self.channels.insert(id, Attempt::start(id, role, &servers, news));
    }

    /// Whether an attempt or channel is not closed yet.
    pub fn has(&self, id: ChannelId) -> bool {
        self.channels.contains_key(&id)
    }

    /// Hands a signal of the other end to its attempt.
    pub fn signal(&self, id: ChannelId, signal: Signal) {
        if let Some(attempt) = self.channels.get(&id) {
            attempt.signal(signal);
        }
    }

    /// Sends a frame over an open channel.
    pub fn send(&self, id: ChannelId, frame: Vec<u8>) {
        if let Some(attempt) = self.channels.get(&id) {
            attempt.send(frame);
        }
    }

    /// Closes a channel after what was sent before.
    pub fn close(&mut self, id: ChannelId) {
        if let Some(attempt) = self.channels.remove(&id) {
            attempt.close();
        }
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        for (_, attempt) in std::mem::take(&mut self.channels) {
            attempt.close();
        }
    }
}

impl fmt::Debug for Wire {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Wire")
            .field("rooms", &self.rooms.len())
            .field("channels", &self.channels.len())
            .finish_non_exhaustive()
    }
}
