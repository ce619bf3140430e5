//! Meeting through the signaling server: rooms, hellos, and the pairs of attempts.
//!
//! The server is only a courier. It names sockets and may lose, hold back, repeat or invent whatever it
//! likes; nothing it says changes more than which hello goes where. A signal counts when it opens under the
//! meeting's key, comes from the other seat, is addressed to an attempt of this page and is the next one
//! of its pair.

use crate::draw::Draw;
use crate::pace::Pace;
use crate::signal::{Heading, Letter, Meeting, Sid, TEXT_BYTES};
use crate::{Address, ChannelId, Output, Role, Room, Signal};
use rules::Color;
use std::collections::VecDeque;
use table::Taken;

/// The shortest and the longest wait before the next try to meet, in ms.
pub(crate) const BACK_OFF_MS: [u64; 2] = [500, 30_000];
/// A websocket that lived this long was a good one: the next back-off starts anew.
const GOOD_SOCKET_MS: u64 = 10_000;
/// More than a room takes: only a server that lies fills it.
const MOST_ADDRESSES: usize = 16;
const MOST_GREETED: usize = 64;
const NOBODY: Sid = [0; 16];

/// The wait before try number `step`, before jitter.
pub(crate) fn back_off(step: u32) -> u64 {
    let [least, most] = BACK_OFF_MS;
    least.saturating_mul(1 << step.min(10)).min(most)
}

/// What a sealed signal led to.
#[derive(Debug)]
pub(crate) enum Met {
    /// Nothing.
    Nothing,
    /// A new attempt; for an answerer the offer comes with it.
    Attempt(ChannelId, Room, Role, Option<Signal>),
    /// Something for an attempt under way.
    Signal(ChannelId, Signal),
    /// The host says that the seat is taken.
    Taken(Taken),
}

#[derive(Debug)]
pub(crate) struct Introducer {
    role: Color,
    sockets: Vec<Socket>,
    pairs: Vec<Pair>,
    /// The latest sids that said hello: repeating them while the table is live leads to nothing.
    greeted: VecDeque<Sid>,
    /// Sockets that said hello while the table was live.
    hinted: VecDeque<Address>,
    attempts: Pace,
    next_channel: u32,
}

#[derive(Debug)]
struct Socket {
    room: Room,
    meeting: Meeting,
    up_since: Option<u64>,
    retry_at: Option<u64>,
    step: u32,
    addresses: VecDeque<Address>,
    /// My current sid: hellos carry it, and the guest is reached under it.
    sid: Sid,
    pace: Pace,
}

#[derive(Debug)]
struct Pair {
    channel: ChannelId,
    room: Room,
    address: Address,
    own: Sid,
    other: Sid,
    sent: u32,
    next: u32,
    role: Role,
    described: bool,
}

impl Introducer {
    pub(crate) fn new(role: Color, now_ms: u64) -> Introducer {
        Introducer {
            role,
            sockets: Vec::new(),
            pairs: Vec::new(),
            greeted: VecDeque::new(),
            hinted: VecDeque::new(),
            attempts: Pace::new(2, 8, now_ms),
            next_channel: 0,
        }
    }

    fn socket(&mut self, room: Room) -> Option<&mut Socket> {
        self.sockets.iter_mut().find(|it| it.room == room)
    }

    /// Enters a room unless it is entered already.
    pub(crate) fn enter(
        &mut self,
        room: Room,
        meeting: &Meeting,
        draw: &mut Draw,
        now_ms: u64,
        out: &mut VecDeque<Output>,
    ) {
        if self.socket(room).is_some() {
            return;
        }
        self.sockets.push(Socket {
            room,
            meeting: meeting.clone(),
            up_since: None,
            retry_at: None,
            step: 0,
            addresses: VecDeque::new(),
            sid: draw.array(),
            pace: Pace::new(20, 60, now_ms),
        });
        out.push_back(Output::Join(room, meeting.name()));
    }

    /// Leaves a room. Channels that came of it stay.
    pub(crate) fn leave(&mut self, room: Room, out: &mut VecDeque<Output>) {
        let before = self.sockets.len();
        self.sockets.retain(|it| it.room != room);
        if self.sockets.len() < before {
            out.push_back(Output::Leave(room));
        }
    }

    pub(crate) fn is_entered(&self, room: Room) -> bool {
        self.sockets.iter().any(|it| it.room == room)
    }

    pub(crate) fn is_up(&self, room: Room) -> bool {
        self.sockets.iter().any(|it| it.room == room && it.up_since.is_some())
    }

    pub(crate) fn is_any_up(&self) -> bool {
        self.sockets.iter().any(|it| it.up_since.is_some())
    }

    pub(crate) fn up(&mut self, room: Room, now_ms: u64) {
        if let Some(socket) = self.socket(room) {
            socket.up_since = Some(now_ms);
            socket.retry_at = None;
            socket.addresses.clear();
        }
    }

    pub(crate) fn down(&mut self, room: Room, draw: &mut Draw, now_ms: u64) {
        let Some(socket) = self.socket(room) else { return };
        if socket.up_since.is_some_and(|up| now_ms.saturating_sub(up) >= GOOD_SOCKET_MS) {
            socket.step = 0;
        }
        socket.up_since = None;
        socket.addresses.clear();
        socket.retry_at = Some(now_ms + draw.jittered(back_off(socket.step)));
        socket.step = socket.step.saturating_add(1);
    }

    /// Waiting for a socket ends now.
    pub(crate) fn hurry(&mut self, now_ms: u64) {
        for socket in &mut self.sockets {
            socket.step = 0;
            if socket.retry_at.is_some() {
                socket.retry_at = Some(now_ms);
            }
        }
    }

    /// Asks again for the sockets whose time has come.
    pub(crate) fn rejoin(&mut self, now_ms: u64, out: &mut VecDeque<Output>) {
        for socket in &mut self.sockets {
            if socket.retry_at.is_some_and(|at| at <= now_ms) {
                socket.retry_at = None;
                out.push_back(Output::Join(socket.room, socket.meeting.name()));
            }
        }
    }

    pub(crate) fn wake_at(&self) -> Option<u64> {
        self.sockets.iter().filter_map(|it| it.retry_at).min()
    }

    /// Somebody is in the room and does not know of me: he gets a hello.
    pub(crate) fn arrived(
        &mut self,
        room: Room,
        address: Address,
        draw: &mut Draw,
        now_ms: u64,
        out: &mut VecDeque<Output>,
    ) {
        let role = self.role;
        let Some(socket) = self.socket(room).filter(|it| it.up_since.is_some()) else { return };
        socket.know(address);
        socket.greet(role, address, draw, now_ms, out);
    }

    pub(crate) fn gone(&mut self, room: Room, address: Address) {
        if let Some(socket) = self.socket(room) {
            socket.addresses.retain(|&it| it != address);
        }
    }

    /// Says hello to everybody in a room, as a new attempt.
    pub(crate) fn seek(
        &mut self,
        room: Room,
        draw: &mut Draw,
        now_ms: u64,
        out: &mut VecDeque<Output>,
    ) {
        let role = self.role;
        let Some(socket) = self.socket(room) else { return };
        socket.sid = draw.array();
        for address in socket.addresses.clone() {
            socket.greet(role, address, draw, now_ms, out);
        }
    }

    /// Whether there is anybody to say hello to.
    pub(crate) fn has_company(&self, room: Room) -> bool {
        self.sockets.iter().any(|it| it.room == room && !it.addresses.is_empty())
    }

    /// A signal came. With `taken` every hello is answered by that alone; `live` says that a channel
    /// of the table is alive, which makes a repeated hello void.
    #[allow(clippy::too_many_arguments, reason = "one call site; a struct would only rename them")]
    pub(crate) fn sealed(
        &mut self,
        room: Room,
        from: Address,
        bytes: &[u8],
        taken: Option<Taken>,
        live: bool,
        draw: &mut Draw,
        now_ms: u64,
        out: &mut VecDeque<Output>,
    ) -> Met {
        let role = self.role;
        let Some(socket) = self.sockets.iter_mut().find(|it| it.room == room) else {
            return Met::Nothing;
        };
        let Some((heading, letter)) = socket.meeting.open(bytes) else { return Met::Nothing };
        if heading.role == role || heading.own == NOBODY {
            return Met::Nothing;
        }
        if let Letter::Hello = letter {
            if heading.other != NOBODY || heading.n != 0 {
                return Met::Nothing;
            }
            socket.know(from);
            if let Some(taken) = taken {
                if socket.pace.pass(now_ms) {
                    let heading = Heading { role, own: draw.array(), other: heading.own, n: 0 };
                    let letter = Letter::Taken(taken);
                    let sealed = socket.meeting.seal(&heading, &draw.array(), &letter);
                    out.push_back(Output::Tell { room, to: from, sealed });
                }
                return Met::Nothing;
            }
            if self.pairs.iter().any(|it| it.other == heading.own) {
                return Met::Nothing;
            }
            let is_new = remember(&mut self.greeted, heading.own);
            // Whoever is in need says hello again, as another attempt; who is not only answered that
            // a socket is new. So a page that just changed its room does not connect a second time.
            let is_hint = live && remember(&mut self.hinted, from);
            if live && (is_hint || !is_new) {
                return Met::Nothing;
            }
            if role == Color::Black {
                // The guest cannot offer: he tells where he can be reached.
                socket.greet(role, from, draw, now_ms, out);
                return Met::Nothing;
            }
            if !self.attempts.pass(now_ms) {
                return Met::Nothing;
            }
            let channel = self.pair(room, from, draw.array(), heading.own, Role::Offerer, 0);
            return Met::Attempt(channel, room, Role::Offerer, None);
        }
        let pair = self
            .pairs
            .iter_mut()
            .find(|it| it.own == heading.other && it.other == heading.own && it.room == room);
        match (pair, letter) {
            (Some(pair), Letter::Signal(signal)) if pair.next == heading.n => {
                let fits = match (&signal, pair.role) {
                    (Signal::Answer(_), Role::Offerer) => !pair.described,
                    (Signal::Ice(_), _) => true,
                    _ => false,
                };
                if !fits {
                    return Met::Nothing;
                }
                pair.described |= matches!(signal, Signal::Answer(_));
                pair.next += 1;
                // A page whose socket was renewed goes on under another address.
                pair.address = from;
                Met::Signal(pair.channel, signal)
            }
            (None, letter) if heading.other == socket.sid && heading.n == 0 => match letter {
                Letter::Signal(Signal::Offer(text)) if role == Color::Black => {
                    if !self.attempts.pass(now_ms) {
                        return Met::Nothing;
                    }
                    let own = heading.other;
                    let channel = self.pair(room, from, own, heading.own, Role::Answerer, 1);
                    Met::Attempt(channel, room, Role::Answerer, Some(Signal::Offer(text)))
                }
                Letter::Taken(taken) if role == Color::Black => Met::Taken(taken),
                _ => Met::Nothing,
            },
            _ => Met::Nothing,
        }
    }

    fn pair(
        &mut self,
        room: Room,
        address: Address,
        own: Sid,
        other: Sid,
        role: Role,
        next: u32,
    ) -> ChannelId {
        let channel = ChannelId(self.next_channel);
        self.next_channel += 1;
        let described = role == Role::Answerer;
        self.pairs.push(Pair {
            channel,
            room,
            address,
            own,
            other,
            sent: 0,
            next,
            role,
            described,
        });
        channel
    }

    /// Seals what the connection of an attempt wants to tell its other end.
    pub(crate) fn tell(
        &mut self,
        channel: ChannelId,
        signal: Signal,
        draw: &mut Draw,
        out: &mut VecDeque<Output>,
    ) {
        let (Signal::Offer(text) | Signal::Answer(text) | Signal::Ice(text)) = &signal;
        let Some(pair) = self.pairs.iter_mut().find(|it| it.channel == channel) else { return };
        let Some(socket) = self.sockets.iter().find(|it| it.room == pair.room) else { return };
        if text.len() > TEXT_BYTES {
            return;
        }
        let heading = Heading { role: self.role, own: pair.own, other: pair.other, n: pair.sent };
        pair.sent += 1;
        let sealed = socket.meeting.seal(&heading, &draw.array(), &Letter::Signal(signal));
        out.push_back(Output::Tell { room: pair.room, to: pair.address, sealed });
    }

    /// The channel is open: the guest's next hello is for another attempt.
    pub(crate) fn opened(&mut self, channel: ChannelId, draw: &mut Draw) {
        self.renew(channel, draw);
    }

    /// The attempt, or the channel that came of it, is over: nothing of its pair counts any more.
    pub(crate) fn ended(&mut self, channel: ChannelId, draw: &mut Draw) {
        self.renew(channel, draw);
        self.pairs.retain(|it| it.channel != channel);
    }

    fn renew(&mut self, channel: ChannelId, draw: &mut Draw) {
        let Some(pair) = self.pairs.iter().find(|it| it.channel == channel) else { return };
        let used = pair.own;
        for socket in self.sockets.iter_mut().filter(|it| it.sid == used) {
            socket.sid = draw.array();
        }
    }
}

/// Whether it was not there yet; the oldest is forgotten.
fn remember<T: PartialEq>(memory: &mut VecDeque<T>, it: T) -> bool {
    if memory.contains(&it) {
        return false;
    }
    memory.push_back(it);
    if memory.len() > MOST_GREETED {
        memory.pop_front();
    }
    true
}

impl Socket {
    fn know(&mut self, address: Address) {
        if !self.addresses.contains(&address) {
            self.addresses.push_back(address);
            if self.addresses.len() > MOST_ADDRESSES {
                self.addresses.pop_front();
            }
        }
    }

    fn greet(
        &mut self,
        role: Color,
        to: Address,
        draw: &mut Draw,
        now_ms: u64,
        out: &mut VecDeque<Output>,
    ) {
        if self.pace.pass(now_ms) {
            let heading = Heading { role, own: self.sid, other: NOBODY, n: 0 };
            let sealed = self.meeting.seal(&heading, &draw.array(), &Letter::Hello);
            out.push_back(Output::Tell { room: self.room, to, sealed });
        }
    }
}
