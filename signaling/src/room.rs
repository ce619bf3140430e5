//! Who is in which room.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::extract::ws::Utf8Bytes;
use matchbox_protocol::{PeerEvent, PeerId};
use serde_json::value::RawValue;
use uuid::Uuid;

use crate::address::Neighbourhood;
use crate::close::{Close, ROOM_FULL, SERVER_FULL, TOO_MANY_FROM_ADDRESS};
use crate::config::{Limits, ROOM_SIZE};
use crate::outbox::Outbox;

/// The name of a room: 1 to 64 characters that need no escape in a URL.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct RoomName(Arc<str>);

impl RoomName {
    /// `None` if `name` is no name of a room.
    pub(crate) fn parse(name: &str) -> Option<RoomName> {
        let url_safe = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        let sound = (1..=64).contains(&name.len()) && name.bytes().all(url_safe);
        sound.then(|| RoomName(name.into()))
    }
}

/// All rooms of the server.
///
/// One lock guards them all: it is held for a look-up and a few pushes into queues, never while
/// anything is written or serialized.
#[derive(Debug)]
pub(crate) struct Rooms {
    all: Mutex<All>,
    limits: Limits,
}

#[derive(Debug, Default)]
struct All {
    rooms: HashMap<RoomName, Vec<Occupant>>,
    sockets_of: HashMap<Neighbourhood, usize>,
    sockets: usize,
}

#[derive(Debug)]
struct Occupant {
    peer: PeerId,
    outbox: Arc<Outbox>,
}

impl Rooms {
    pub(crate) fn new(limits: Limits) -> Rooms {
        Rooms { all: Mutex::default(), limits }
    }

    /// Sockets in any room, rooms with a socket.
    pub(crate) fn count(&self) -> (usize, usize) {
        let all = self.all();
        (all.sockets, all.rooms.len())
    }

    /// Enters a room: the newcomer is told its id, the others that it came.
    pub(crate) fn enter(
        self: &Arc<Rooms>,
        room: RoomName,
        from: Neighbourhood,
    ) -> Result<Membership, Close> {
        let peer = PeerId(Uuid::new_v4());
        let outbox = Arc::new(Outbox::new(self.limits.waiting_messages, self.limits.waiting_bytes));
        outbox.push(frame(&PeerEvent::IdAssigned(peer)));
        let arrival = frame(&PeerEvent::NewPeer(peer));

        let mut all = self.all();
        if all.sockets >= self.limits.sockets {
            return Err(SERVER_FULL);
        }
        if all.sockets_of.get(&from).is_some_and(|&n| n >= self.limits.sockets_per_address) {
            return Err(TOO_MANY_FROM_ADDRESS);
        }
        let known = all.rooms.len();
        match all.rooms.get_mut(&room) {
            Some(occupants) if occupants.len() >= ROOM_SIZE => return Err(ROOM_FULL),
            Some(occupants) => {
                for other in occupants.iter() {
                    other.outbox.push(arrival.clone());
                }
                occupants.push(Occupant { peer, outbox: outbox.clone() });
            }
            None if known >= self.limits.rooms => return Err(SERVER_FULL),
            None => {
                let mut occupants = Vec::with_capacity(2);
                occupants.push(Occupant { peer, outbox: outbox.clone() });
                all.rooms.insert(room.clone(), occupants);
            }
        }
        all.sockets += 1;
        *all.sockets_of.entry(from).or_default() += 1;
        drop(all);
        Ok(Membership { rooms: self.clone(), room, from, peer, outbox })
    }

    fn all(&self) -> MutexGuard<'_, All> {
        // Nothing can panic half-way through a change.
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One socket's place in a room. Dropping it leaves the room, whatever the reason.
#[derive(Debug)]
pub(crate) struct Membership {
    rooms: Arc<Rooms>,
    room: RoomName,
    from: Neighbourhood,
    peer: PeerId,
    outbox: Arc<Outbox>,
}

impl Membership {
    /// What waits to be written to this socket.
    pub(crate) fn outbox(&self) -> &Outbox {
        &self.outbox
    }

    /// Passes `data` on to `receiver`. One who isn't in the room, or has just left, gets nothing.
    pub(crate) fn signal(&self, receiver: PeerId, data: &RawValue) {
        let signal = frame(&PeerEvent::Signal { sender: self.peer, data });
        let all = self.rooms.all();
        let occupants = all.rooms.get(&self.room).map_or(&[][..], Vec::as_slice);
        if let Some(occupant) = occupants.iter().find(|occupant| occupant.peer == receiver) {
            occupant.outbox.push(signal);
        }
    }
}

impl Drop for Membership {
    fn drop(&mut self) {
        let departure = frame(&PeerEvent::PeerLeft(self.peer));
        let mut all = self.rooms.all();
        all.sockets -= 1;
        if let Some(sockets) = all.sockets_of.get_mut(&self.from) {
            *sockets -= 1;
            if *sockets == 0 {
                all.sockets_of.remove(&self.from);
                give_back(&mut all.sockets_of);
            }
        }
        if let Some(occupants) = all.rooms.get_mut(&self.room) {
            occupants.retain(|occupant| occupant.peer != self.peer);
            for other in occupants.iter() {
                other.outbox.push(departure.clone());
            }
            if occupants.is_empty() {
                all.rooms.remove(&self.room);
                give_back(&mut all.rooms);
            }
        }
    }
}

/// Shrinks a map that was much fuller once.
fn give_back<K: std::hash::Hash + Eq, V>(map: &mut HashMap<K, V>) {
    if map.capacity() > 64 && map.len() < map.capacity() / 8 {
        map.shrink_to(map.len() * 2);
    }
}

fn frame(event: &PeerEvent<&RawValue>) -> Utf8Bytes {
    // Ids and already valid JSON: there is nothing in an event that could fail to serialize.
    serde_json::to_string(event).unwrap_or_default().into()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::net::Ipv4Addr;

    fn neighbour(n: u8) -> Neighbourhood {
        Neighbourhood::of(Ipv4Addr::new(10, 0, 0, n).into())
    }

    #[test]
    fn names_of_rooms() {
        for good in ["a", "extreme_bevy", "AZaz09-_", &"x".repeat(64)] {
            assert!(RoomName::parse(good).is_some(), "{good}");
        }
        for bad in ["", " ", "a/b", "a.b", "..", "a%20b", "ზარი", "a\0", &"x".repeat(65)] {
            assert!(RoomName::parse(bad).is_none(), "{bad}");
        }
    }

    #[tokio::test]
    async fn a_room_lives_as_long_as_its_last_socket() {
        let rooms = Arc::new(Rooms::new(Limits::default()));
        let room = RoomName::parse("r").unwrap();
        let first = rooms.enter(room.clone(), neighbour(1)).unwrap();
        let second = rooms.enter(room, neighbour(2)).unwrap();
        assert_eq!(rooms.count(), (2, 1));
        drop(first);
        assert_eq!(rooms.count(), (1, 1));
        drop(second);
        assert_eq!(rooms.count(), (0, 0));
        let all = rooms.all();
        assert!(all.rooms.is_empty() && all.sockets_of.is_empty());
    }

    #[test]
    fn many_dead_rooms_leave_no_memory_behind() {
        let rooms = Arc::new(Rooms::new(Limits {
            sockets: usize::MAX,
            rooms: usize::MAX,
            sockets_per_address: usize::MAX,
            ..Limits::default()
        }));
        let enter = |n: usize| {
            let room = RoomName::parse(&format!("room-{n}")).unwrap();
            rooms.enter(room, Neighbourhood::of(Ipv4Addr::from(n as u32).into())).unwrap()
        };
        let members: Vec<_> = (0..10_000).map(enter).collect();
        assert_eq!(rooms.count(), (10_000, 10_000));
        drop(members);
        let all = rooms.all();
        assert!(all.rooms.capacity() <= 64, "{}", all.rooms.capacity());
        assert!(all.sockets_of.capacity() <= 64, "{}", all.sockets_of.capacity());
    }
}
