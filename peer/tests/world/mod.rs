//! Browsers, their storage, a signaling server and connections in one process, on a clock of its own.
//!
//! Everything a page does is carried out here as the real shell does it: store, read back, confirm, then
//! send. A page can die at any such step; its storage survives it.
#![allow(dead_code, clippy::unwrap_used, reason = "shared by several tests; a test may unwrap")]

use fair_dice::Value;
use peer::{
    Address, ChannelId, CloseReason, Departure, Fork, Frame, Input, Invite, Kept, Link, Output,
    PageLife, Peer, Presence, Refusal, Role, Room, Signal, Token, Visibility, Wish,
};
use rules::{Color, Die, Move, Place, Play, Point, Ruleset, legal};
use std::collections::{BTreeMap, HashMap};
use table::{Awaiting, Body, Command, Kind, Log, Name, Record, Seat, Secret};

/// A small generator of repeatable chance (SplitMix64).
#[derive(Clone, Debug)]
pub(crate) struct Chance(pub(crate) u64);

impl Chance {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    pub(crate) fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    pub(crate) fn value(&mut self) -> Value {
        let mut value = [0; 32];
        for part in value.chunks_mut(8) {
            part.copy_from_slice(&self.next().to_be_bytes());
        }
        value
    }
}

/// A way in which the shell is wrong on purpose. Each must be seen to do harm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mutant {
    None,
    /// Entries leave before they are stored.
    SendBeforeStore,
    /// The guest's seat is confirmed before it is stored.
    SeatBeforeStore,
    /// The page signs before its first sync.
    SpeakBeforeSync,
    /// A seated guest never looks into the invitation's room.
    NeverAlternate,
}

/// How a dishonest guest changes the entries of his own that he sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lie {
    Signature,
    Seq,
    Prev,
    Seat,
    /// Another value than the chain's next one.
    Reveal,
    /// The host's latest value as his own.
    Echo,
    /// A play that the dice do not allow.
    Play,
}

#[derive(Clone, Debug)]
pub(crate) struct Options {
    /// From this length of the log on the guest lies.
    pub(crate) lie: Option<(Lie, u32)>,
    pub(crate) seed: u64,
    pub(crate) ruleset: Ruleset,
    /// One in so many messages cuts its connection; 0 = never.
    pub(crate) cuts: u64,
    /// One in so many steps kills its page; 0 = never.
    pub(crate) crashes: u64,
    /// Kill the page of this node at this step, once.
    pub(crate) crash_at: Option<(usize, u64)>,
    /// The message that is sent at that very step does not arrive.
    pub(crate) lose_last: bool,
    /// Server restarts, freezes and reloads happen.
    pub(crate) weather: bool,
    /// Somebody else has the link and wants to play.
    pub(crate) third: bool,
    /// How many times the guest agrees to another game.
    pub(crate) rematches: u32,
    /// Stop when the log has so many entries.
    pub(crate) enough: u32,
    pub(crate) mutant: Mutant,
    pub(crate) slowest_ms: u64,
}

impl Options {
    pub(crate) fn calm(seed: u64) -> Options {
        Options {
            lie: None,
            seed,
            ruleset: Ruleset::georgian(1, Place::TwoBrowsers),
            cuts: 0,
            crashes: 0,
            crash_at: None,
            lose_last: false,
            weather: false,
            third: false,
            rematches: 1,
            enough: u32::MAX,
            mutant: Mutant::None,
            slowest_ms: 200,
        }
    }
}

/// What survives a page.
#[derive(Clone, Debug, Default)]
pub(crate) struct Disk {
    pub(crate) kept: Option<Vec<u8>>,
    pub(crate) life: u64,
    pub(crate) records: Vec<Vec<u8>>,
    /// The node has the link: the key of the invitation.
    pub(crate) link: Option<Value>,
}

#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) peer: Peer,
    pub(crate) log: Option<Log>,
    seat: Option<Seat>,
    armed: Option<u64>,
    pub(crate) link: Option<Link>,
    pub(crate) taken: bool,
    pub(crate) seated: bool,
    pub(crate) superseded: bool,
    pub(crate) forked: Option<Fork>,
    pub(crate) fault: bool,
    pub(crate) refused: Vec<Refusal>,
    pub(crate) wishes: Vec<Wish>,
    pub(crate) presences: Vec<(u64, Presence)>,
    /// Another tab took the storage's mark: this one cannot write.
    pub(crate) fenced: bool,
    frozen_until: u64,
    idle: bool,
}

#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) page: Option<Page>,
    pub(crate) incarnation: u64,
    pub(crate) disk: Disk,
    /// Steps at which it could have crashed so far.
    pub(crate) steps: u64,
    pub(crate) crashes: u64,
    wants_to_host: bool,
    pub(crate) stays_dead: bool,
}

#[derive(Debug)]
struct Socket {
    address: Address,
    name: String,
    room: Room,
    node: usize,
    incarnation: u64,
    last: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct End {
    node: usize,
    incarnation: u64,
    channel: ChannelId,
}

#[derive(Debug)]
struct Wire {
    ends: [Option<End>; 2],
    open: bool,
    dead: bool,
    last: [u64; 2],
}

#[derive(Clone, Debug)]
pub(crate) enum Owned {
    Tick,
    Awake,
    RoomUp(Room),
    RoomDown(Room),
    Arrived(Room, Address),
    Gone(Room, Address),
    Sealed(Room, Address, Vec<u8>),
    Signal(ChannelId, Signal),
    Opened(ChannelId),
    Closed(ChannelId),
    Frame(ChannelId, Vec<u8>),
    Stored(Token),
    Appended,
    Fault,
    Accept,
    Wish(Wish),
    Visibility(Visibility),
    Leaving(Departure),
    PlayHere,
}

#[derive(Debug)]
enum Event {
    Input(usize, u64, Owned),
    Act(usize, u64),
    Start(usize),
    ServerDown,
    Freeze(usize),
    Reload(usize),
    Ghost(Address),
}

pub(crate) struct World {
    pub(crate) now: u64,
    chance: Chance,
    queue: BTreeMap<(u64, u64), Event>,
    order: u64,
    pub(crate) nodes: Vec<Node>,
    sockets: Vec<Socket>,
    wires: Vec<Wire>,
    pub(crate) options: Options,
    /// Bytes that went through the signaling server, with whom they were for.
    pub(crate) overheard: Vec<(String, Vec<u8>)>,
    pub(crate) closes: Vec<(usize, CloseReason)>,
    server_up_at: u64,
    pub(crate) complaints: Vec<String>,
    /// Every entry that was ever sent by its author, whoever read it.
    pub(crate) spoken: HashMap<(Color, u32), Vec<u8>>,
    /// A seat was heard to say two things at one place of the log.
    pub(crate) equivocated: bool,
}

/// A wall clock that starts in 2026.
const EPOCH: u64 = 1_790_000_000_000;

impl World {
    pub(crate) fn new(options: Options) -> World {
        let mut chance = Chance(options.seed);
        let count = if options.third { 3 } else { 2 };
        let nodes = (0..count)
            .map(|node| Node {
                page: None,
                incarnation: 0,
                disk: Disk::default(),
                steps: 0,
                crashes: 0,
                wants_to_host: node == 0,
                stays_dead: false,
            })
            .collect();
        let first = chance.below(500);
        let mut world = World {
            now: 0,
            chance,
            queue: BTreeMap::new(),
            order: 0,
            nodes,
            sockets: Vec::new(),
            wires: Vec::new(),
            options,
            overheard: Vec::new(),
            closes: Vec::new(),
            server_up_at: 0,
            complaints: Vec::new(),
            spoken: HashMap::new(),
            equivocated: false,
        };
        world.at(first, Event::Start(0));
        if world.options.weather {
            for _ in 0..4 {
                let at = world.chance.below(200_000);
                let node = world.chance.below(2) as usize;
                let event = match world.chance.below(3) {
                    0 => Event::ServerDown,
                    1 => Event::Freeze(node),
                    _ => Event::Reload(node),
                };
                world.at(at, event);
            }
        }
        world
    }

    fn at(&mut self, time: u64, event: Event) {
        self.order += 1;
        self.queue.insert((time.max(self.now), self.order), event);
    }

    fn delay(&mut self) -> u64 {
        1 + self.chance.below(self.options.slowest_ms)
    }

    /// Lets time pass until `done` or until the time is up; answers whether it is done.
    pub(crate) fn run(&mut self, until: u64, mut done: impl FnMut(&World) -> bool) -> bool {
        while let Some((&key, _)) = self.queue.first_key_value() {
            if key.0 > until {
                return false;
            }
            let event = self.queue.remove(&key).unwrap();
            self.now = key.0;
            self.happen(event);
            if done(self) {
                return true;
            }
        }
        false
    }

    fn happen(&mut self, event: Event) {
        match event {
            Event::Input(node, incarnation, input) => {
                if self.nodes[node].incarnation != incarnation {
                    return;
                }
                let Some(page) = &mut self.nodes[node].page else { return };
                if page.frozen_until > self.now {
                    let later = page.frozen_until;
                    self.at(later, Event::Input(node, incarnation, input));
                    return;
                }
                if matches!(input, Owned::Tick) {
                    page.armed = None;
                }
                self.feed(node, input);
            }
            Event::Act(node, incarnation) => {
                if self.nodes[node].incarnation == incarnation {
                    self.act(node);
                }
            }
            Event::Start(node) => self.start(node),
            Event::ServerDown => self.server_down(20_000),
            Event::Freeze(node) => {
                let now = self.now;
                if let Some(page) = &mut self.nodes[node].page {
                    page.frozen_until = now + 60_000;
                }
            }
            Event::Reload(node) => self.reload(node),
            Event::Ghost(address) => self.drop_socket(address),
        }
    }

    pub(crate) fn server_down(&mut self, ms: u64) {
        self.server_up_at = self.now + ms;
        for socket in std::mem::take(&mut self.sockets) {
            let down = Owned::RoomDown(socket.room);
            self.at(self.now + 1, Event::Input(socket.node, socket.incarnation, down));
        }
    }

    fn drop_socket(&mut self, address: Address) {
        let Some(at) = self.sockets.iter().position(|it| it.address == address) else { return };
        let gone = self.sockets.remove(at);
        let told: Vec<_> = self
            .sockets
            .iter()
            .filter(|it| it.name == gone.name)
            .map(|it| (it.node, it.incarnation, it.room))
            .collect();
        for (node, incarnation, room) in told {
            let time = self.now + 5;
            self.at(time, Event::Input(node, incarnation, Owned::Gone(room, address)));
        }
    }

    // Pages.

    fn life(&mut self, node: usize) -> PageLife {
        let disk = &mut self.nodes[node].disk;
        disk.life = (EPOCH + self.now).max(disk.life + 1);
        let life = disk.life;
        let entropy = self.chance.value();
        PageLife { life, entropy, visibility: Visibility::Shown }
    }

    pub(crate) fn start(&mut self, node: usize) {
        if self.nodes[node].page.is_some() || self.nodes[node].stays_dead {
            return;
        }
        let page_life = self.life(node);
        let disk = self.nodes[node].disk.clone();
        let now = self.now;
        let mut log = None;
        let mut seat = None;
        let peer = if let Some(bytes) = &disk.kept {
            let kept = Kept::from_bytes(bytes).unwrap();
            seat = kept.seat();
            if let Some(header) = kept.header().unwrap() {
                let records =
                    disk.records.iter().map(|it| Record::from_bytes(it).unwrap()).collect();
                log = Some(Log::read(header, records).unwrap());
            }
            Peer::reopen(kept, page_life, now).unwrap()
        } else if let Some(key) = disk.link {
            Peer::join(key, page_life, now)
        } else if self.nodes[node].wants_to_host {
            let invite = Invite {
                pad: self.chance.value(),
                secret: Secret::new(self.chance.value()),
                ruleset: self.options.ruleset,
                name: Name::of("Host"),
            };
            Peer::invite(invite, page_life, now)
        } else {
            return;
        };
        self.nodes[node].incarnation += 1;
        self.nodes[node].page = Some(Page {
            peer,
            log,
            seat,
            armed: None,
            link: None,
            taken: false,
            seated: false,
            superseded: false,
            forked: None,
            fault: false,
            refused: Vec::new(),
            wishes: Vec::new(),
            presences: Vec::new(),
            fenced: false,
            frozen_until: 0,
            idle: false,
        });
        self.carry_out(node);
        self.think(node);
    }

    pub(crate) fn kill(&mut self, node: usize) {
        let incarnation = self.nodes[node].incarnation;
        self.nodes[node].page = None;
        self.nodes[node].incarnation += 1;
        let sockets: Vec<_> = self
            .sockets
            .iter()
            .filter(|it| it.node == node && it.incarnation == incarnation)
            .map(|it| it.address)
            .collect();
        for address in sockets {
            // The server notices at once, or keeps a ghost for a while.
            let ghost = if self.chance.one_in(2) { 10 } else { self.chance.below(60_000) };
            self.at(self.now + ghost, Event::Ghost(address));
        }
        let ends: Vec<_> = self
            .wires
            .iter()
            .enumerate()
            .flat_map(|(at, wire)| wire.ends.iter().flatten().map(move |end| (at, *end)))
            .filter(|(_, end)| end.node == node && end.incarnation == incarnation)
            .collect();
        for (at, end) in ends {
            self.cut(at, end);
        }
    }

    pub(crate) fn reload(&mut self, node: usize) {
        let Some(page) = &mut self.nodes[node].page else { return };
        let stored = page.log.as_ref().map_or(&[][..], |log| log.records_from(0));
        page.peer.handle(Input::Leaving(Departure::Reload), stored, self.now);
        self.carry_out(node);
        if self.nodes[node].page.is_some() {
            self.kill(node);
        }
        let back = self.now + 100 + self.chance.below(3_000);
        self.at(back, Event::Start(node));
    }

    /// The wire at `at` carries nothing any more; the other end hears of it or does not.
    fn cut(&mut self, at: usize, from: End) {
        let wire = &mut self.wires[at];
        if wire.dead {
            return;
        }
        wire.dead = true;
        let other = wire.ends.iter().flatten().find(|&&end| end != from).copied();
        if let Some(end) = other
            && self.chance.one_in(2)
        {
            let time = self.now + self.chance.below(10_000);
            let closed = Owned::Closed(end.channel);
            self.at(time, Event::Input(end.node, end.incarnation, closed));
        }
    }

    /// A step after which the page may be gone; answers whether it still is there.
    fn step(&mut self, node: usize) -> bool {
        self.nodes[node].steps += 1;
        let dies = match self.options.crash_at {
            Some((doomed, step)) => doomed == node && self.nodes[node].steps == step,
            None => {
                self.options.crashes > 0 && node < 2 && {
                    let n = self.options.crashes;
                    self.chance.one_in(n)
                }
            }
        };
        if dies {
            self.nodes[node].crashes += 1;
            self.kill(node);
            let back = self.now + 500 + self.chance.below(20_000);
            self.at(back, Event::Start(node));
        }
        !dies
    }

    pub(crate) fn tell(&mut self, node: usize, input: Owned) {
        let incarnation = self.nodes[node].incarnation;
        self.at(self.now, Event::Input(node, incarnation, input));
    }

    pub(crate) fn feed(&mut self, node: usize, input: Owned) {
        let now = self.now;
        let Some(page) = &mut self.nodes[node].page else { return };
        let stored = page.log.as_ref().map_or(&[][..], |log| log.records_from(0));
        let input = match &input {
            Owned::Tick => Input::Tick,
            Owned::Awake => Input::Awake,
            Owned::RoomUp(room) => Input::RoomUp(*room),
            Owned::RoomDown(room) => Input::RoomDown(*room),
            Owned::Arrived(room, who) => Input::Arrived(*room, *who),
            Owned::Gone(room, who) => Input::Gone(*room, *who),
            Owned::Sealed(room, from, bytes) => Input::Sealed { room: *room, from: *from, bytes },
            Owned::Signal(channel, signal) => Input::Signal(*channel, signal.clone()),
            Owned::Opened(channel) => Input::Opened(*channel),
            Owned::Closed(channel) => Input::Closed(*channel),
            Owned::Frame(channel, bytes) => Input::Frame(*channel, bytes),
            Owned::Stored(token) => Input::Stored(*token),
            Owned::Appended => Input::Appended,
            Owned::Fault => Input::Fault,
            Owned::Accept => Input::Accept(Name::of("Guest")),
            Owned::Wish(wish) => Input::Wish(*wish),
            Owned::Visibility(visibility) => Input::Visibility(*visibility),
            Owned::Leaving(departure) => Input::Leaving(*departure),
            Owned::PlayHere => Input::PlayHere,
        };
        page.peer.handle(input, stored, now);
        self.carry_out(node);
    }

    fn carry_out(&mut self, node: usize) {
        loop {
            let Some(page) = &mut self.nodes[node].page else { return };
            let Some(output) = page.peer.poll() else { break };
            self.output(node, output);
        }
        let now = self.now;
        let incarnation = self.nodes[node].incarnation;
        let Some(page) = &mut self.nodes[node].page else { return };
        if let Some(at) = page.peer.wake_at() {
            let at = at.max(now);
            if page.armed.is_none_or(|armed| armed > at) {
                page.armed = Some(at);
                // At least one millisecond ahead, as browsers do.
                self.at(at.max(now + 1), Event::Input(node, incarnation, Owned::Tick));
            }
        }
    }

    fn output(&mut self, node: usize, output: Output) {
        let incarnation = self.nodes[node].incarnation;
        match output {
            Output::Join(room, name) => self.join(node, room, name),
            Output::Leave(room) => {
                let socket = self
                    .sockets
                    .iter()
                    .find(|it| it.node == node && it.incarnation == incarnation && it.room == room);
                if let Some(socket) = socket {
                    let address = socket.address;
                    self.drop_socket(address);
                }
            }
            Output::Tell { room, to, sealed } => self.relay(node, room, to, sealed),
            Output::Connect(channel, Role::Offerer) => {
                let end = End { node, incarnation, channel };
                let text = format!("wire {}", self.wires.len());
                let ends = [Some(end), None];
                self.wires.push(Wire { ends, open: false, dead: false, last: [0; 2] });
                let offer = Owned::Signal(channel, Signal::Offer(text));
                let time = self.now + self.delay();
                self.at(time, Event::Input(node, incarnation, offer));
            }
            Output::Connect(_, Role::Answerer) => {}
            Output::Signal(channel, Signal::Offer(text)) => {
                let wire: usize = text.strip_prefix("wire ").unwrap().parse().unwrap();
                let end = End { node, incarnation, channel };
                self.wires[wire].ends[1] = Some(end);
                let answer = Owned::Signal(channel, Signal::Answer(text));
                let time = self.now + self.delay();
                self.at(time, Event::Input(node, incarnation, answer));
            }
            Output::Signal(_, Signal::Answer(text)) => {
                let at: usize = text.strip_prefix("wire ").unwrap().parse().unwrap();
                if self.wires[at].dead {
                    return;
                }
                self.wires[at].open = true;
                for end in self.wires[at].ends.into_iter().flatten() {
                    let time = self.now + self.delay();
                    let side = usize::from(self.wires[at].ends[1] == Some(end));
                    self.wires[at].last[side] = time;
                    let opened = Owned::Opened(end.channel);
                    self.at(time, Event::Input(end.node, end.incarnation, opened));
                }
            }
            Output::Signal(_, Signal::Ice(_)) => {}
            Output::Send(channel, bytes) => {
                self.send(node, channel, bytes);
                self.step(node);
            }
            Output::Close(channel, why) => {
                self.closes.push((node, why));
                let end = End { node, incarnation, channel };
                if let Some(at) = self.wires.iter().position(|it| it.ends.contains(&Some(end))) {
                    self.cut_after_delivery(at, end);
                }
            }
            Output::Store(token, kept) => {
                let is_guest = matches!(*kept, Kept::Guest(_));
                let early = is_guest && self.options.mutant == Mutant::SeatBeforeStore;
                let bytes = kept.to_bytes();
                assert_eq!(Kept::from_bytes(&bytes).as_ref(), Ok(&*kept), "reads back as written");
                if early {
                    self.feed(node, Owned::Stored(token));
                    if self.nodes[node].incarnation != incarnation {
                        return;
                    }
                    self.nodes[node].disk.kept = Some(bytes);
                    return;
                }
                self.nodes[node].disk.kept = Some(bytes);
                if self.step(node) {
                    self.tell(node, Owned::Stored(token));
                }
            }
            Output::StoreLife(token, life) => {
                self.nodes[node].disk.life = life;
                if self.step(node) {
                    self.tell(node, Owned::Stored(token));
                }
            }
            Output::Invited(key) => {
                let kept = Kept::from_bytes(self.nodes[node].disk.kept.as_ref().unwrap()).unwrap();
                assert_eq!(kept.key(), key, "the link is shown only when the invitation is stored");
                for guest in 1..self.nodes.len() {
                    if self.nodes[guest].disk.link.is_none() {
                        self.nodes[guest].disk.link = Some(key);
                        let time = self.now + 1_000 + self.chance.below(3_000);
                        self.at(time, Event::Start(guest));
                    }
                }
            }
            Output::Offered(offer) => {
                assert_eq!(offer.ruleset, self.options.ruleset);
                let time = self.now + self.chance.below(3_000);
                self.at(time, Event::Input(node, incarnation, Owned::Accept));
            }
            Output::Seated(header) => {
                let page = self.nodes[node].page.as_mut().unwrap();
                page.seated = true;
                page.log = Some(Log::new(*header));
                page.seat = page.peer.kept().unwrap().seat();
            }
            Output::Records(records) => self.append(node, records),
            Output::Replace { len, records } => self.replace(node, len, records),
            Output::Synced => self.think(node),
            Output::Forked(fork) => self.nodes[node].page.as_mut().unwrap().forked = Some(*fork),
            Output::Wish(wish) => self.nodes[node].page.as_mut().unwrap().wishes.push(wish),
            Output::Superseded => self.nodes[node].page.as_mut().unwrap().superseded = true,
            Output::Link(link) => self.nodes[node].page.as_mut().unwrap().link = Some(link),
            Output::Refused(refusal) => {
                let page = self.nodes[node].page.as_mut().unwrap();
                page.refused.push(refusal);
                page.taken |= refusal == Refusal::Taken;
            }
            Output::Presence(presence) => {
                let now = self.now;
                self.nodes[node].page.as_mut().unwrap().presences.push((now, presence));
            }
            Output::Claim(_) => {}
        }
    }

    // The signaling server.

    fn join(&mut self, node: usize, room: Room, name: String) {
        let incarnation = self.nodes[node].incarnation;
        let time = self.now + self.delay();
        let crowd = self.sockets.iter().filter(|it| it.name == name).count();
        if time < self.server_up_at || crowd >= 8 {
            self.at(time, Event::Input(node, incarnation, Owned::RoomDown(room)));
            return;
        }
        if self.options.mutant == Mutant::NeverAlternate
            && room == Room::Invitation
            && node > 0
            && self.nodes[node].disk.kept.is_some()
        {
            return;
        }
        let mut address = [0; 16];
        address[..8].copy_from_slice(&self.chance.next().to_be_bytes());
        let address = Address(address);
        let others: Vec<_> = self
            .sockets
            .iter()
            .filter(|it| it.name == name)
            .map(|it| (it.node, it.incarnation, it.room, it.address))
            .collect();
        self.sockets.push(Socket { address, name, room, node, incarnation, last: time });
        self.at(time, Event::Input(node, incarnation, Owned::RoomUp(room)));
        for (node, incarnation, room, to) in others {
            let at = self.after(to, time);
            self.at(at, Event::Input(node, incarnation, Owned::Arrived(room, address)));
        }
    }

    /// When the next message to this socket arrives: in order.
    fn after(&mut self, to: Address, earliest: u64) -> u64 {
        let delay = self.delay();
        let socket = self.sockets.iter_mut().find(|it| it.address == to).unwrap();
        socket.last = (socket.last + 1).max(earliest + delay);
        socket.last
    }

    fn relay(&mut self, node: usize, room: Room, to: Address, sealed: Vec<u8>) {
        let incarnation = self.nodes[node].incarnation;
        let sender = self
            .sockets
            .iter()
            .find(|it| it.node == node && it.incarnation == incarnation && it.room == room)
            .map(|it| (it.address, it.name.clone()));
        let Some((from, name)) = sender else { return };
        self.overheard.push((name.clone(), sealed.clone()));
        let receiver = self
            .sockets
            .iter()
            .find(|it| it.address == to && it.name == name)
            .map(|it| (it.node, it.incarnation, it.room));
        let Some((node, incarnation, room)) = receiver else { return };
        let time = self.after(to, self.now);
        let input = Owned::Sealed(room, from, sealed);
        self.at(time, Event::Input(node, incarnation, input));
    }

    // Connections.

    fn send(&mut self, node: usize, channel: ChannelId, bytes: Vec<u8>) {
        let incarnation = self.nodes[node].incarnation;
        self.check_stored(node, &bytes);
        self.overhear(&bytes);
        let bytes = self.distort(node, bytes);
        let doomed = (node, self.nodes[node].steps + 1);
        if self.options.lose_last && self.options.crash_at == Some(doomed) {
            return;
        }
        let end = End { node, incarnation, channel };
        let Some(at) = self.wires.iter().position(|it| it.ends.contains(&Some(end))) else {
            return;
        };
        if self.wires[at].dead {
            return;
        }
        if self.options.cuts > 0 && {
            let n = self.options.cuts;
            self.chance.one_in(n)
        } {
            // Neither end is sure to hear of it.
            self.cut(at, end);
            return;
        }
        let side = usize::from(self.wires[at].ends[0] == Some(end));
        let Some(other) = self.wires[at].ends[side] else { return };
        let delay = self.delay();
        let time = (self.wires[at].last[side] + 1).max(self.now + delay);
        self.wires[at].last[side] = time;
        let frame = Owned::Frame(other.channel, bytes);
        self.at(time, Event::Input(other.node, other.incarnation, frame));
    }

    fn cut_after_delivery(&mut self, at: usize, end: End) {
        if self.wires[at].dead {
            return;
        }
        self.wires[at].dead = true;
        let side = usize::from(self.wires[at].ends[0] == Some(end));
        if let Some(other) = self.wires[at].ends[side]
            && self.wires[at].open
            && !self.chance.one_in(4)
        {
            let time = (self.wires[at].last[side] + 1).max(self.now + 20);
            let closed = Owned::Closed(other.channel);
            self.at(time, Event::Input(other.node, other.incarnation, closed));
        }
    }

    fn distort(&self, node: usize, bytes: Vec<u8>) -> Vec<u8> {
        let Some((lie, from_len)) = self.options.lie.filter(|_| node == 1) else { return bytes };
        let Ok(Frame::Records { from, mut records }) = Frame::from_bytes(&bytes) else {
            return bytes;
        };
        let page = self.page(node);
        let (log, seat) = (page.log.as_ref().unwrap(), page.seat.as_ref().unwrap());
        for record in &mut records {
            if record.entry.seq < from_len || record.entry.seat != Color::Black {
                continue;
            }
            let mut entry = record.entry.clone();
            match lie {
                Lie::Signature => {
                    record.signature[5] ^= 1;
                    break;
                }
                Lie::Seq => entry.seq += 1,
                Lie::Prev => entry.prev[0] ^= 1,
                Lie::Seat => entry.seat = Color::White,
                Lie::Reveal | Lie::Echo => {
                    let theirs =
                        log.records_from(0).iter().rev().find_map(|it| match it.entry.body {
                            Body::Roll(x) if it.entry.seat == Color::White => Some(x),
                            _ => None,
                        });
                    let value = if lie == Lie::Echo { theirs.unwrap() } else { [7; 32] };
                    match &mut entry.body {
                        Body::Roll(x) | Body::Reveal(x) | Body::Play(_, Some(x)) => *x = value,
                        _ => continue,
                    }
                }
                Lie::Play => {
                    let Body::Play(play, _) = &mut entry.body else { continue };
                    // The same move four times over, which no roll allows from here.
                    let mut wrong = Play::NONE;
                    for _ in 0..4 {
                        wrong.push(Move { from: Point::BAR, die: Die::new(1).unwrap() });
                    }
                    *play = wrong;
                }
            }
            *record = entry.sign(log.header().game_id(), seat.secret());
            break;
        }
        Frame::Records { from, records }.to_bytes()
    }

    fn overhear(&mut self, bytes: &[u8]) {
        let Ok(Frame::Records { records, .. }) = Frame::from_bytes(bytes) else { return };
        for record in records {
            let place = (record.entry.seat, record.entry.seq);
            let bytes = record.to_bytes();
            let first = self.spoken.entry(place).or_insert_with(|| bytes.clone());
            self.equivocated |= *first != bytes;
        }
    }

    /// Nothing is sent that is not stored.
    fn check_stored(&mut self, node: usize, bytes: &[u8]) {
        if self.options.mutant != Mutant::None {
            return;
        }
        let disk = &self.nodes[node].disk;
        match Frame::from_bytes(bytes).unwrap() {
            Frame::Records { from, records } => {
                for (k, record) in records.iter().enumerate() {
                    let stored = disk.records.get(from as usize + k);
                    assert_eq!(stored, Some(&record.to_bytes()), "sent before it was stored");
                }
            }
            Frame::Seat(_) | Frame::Hail { .. } => {
                let kept = Kept::from_bytes(disk.kept.as_ref().unwrap()).unwrap();
                assert!(kept.header().unwrap().is_some(), "the table begins when it is stored");
            }
            Frame::Sync { len, .. } | Frame::Ping { len } | Frame::Pong { len } => {
                assert!(len as usize <= disk.records.len(), "announced before it was stored");
            }
            _ => {}
        }
    }

    // The table.

    fn append(&mut self, node: usize, records: Vec<Record>) {
        for record in records {
            let bytes = record.to_bytes();
            let page = self.nodes[node].page.as_mut().unwrap();
            if let Err(fault) = page.log.as_mut().unwrap().append(record) {
                page.fault = true;
                self.complaints.push(format!("node {node}: {fault}"));
                self.tell(node, Owned::Fault);
                return;
            }
            if self.options.mutant == Mutant::SendBeforeStore {
                let incarnation = self.nodes[node].incarnation;
                self.feed(node, Owned::Appended);
                if self.nodes[node].incarnation != incarnation {
                    return;
                }
                self.nodes[node].disk.records.push(bytes);
            } else {
                self.nodes[node].disk.records.push(bytes);
                if !self.step(node) {
                    return;
                }
            }
        }
        self.tell(node, Owned::Appended);
        self.think(node);
    }

    fn replace(&mut self, node: usize, len: u32, records: Vec<Record>) {
        let page = self.nodes[node].page.as_mut().unwrap();
        let old = page.log.as_ref().unwrap();
        let mut all = old.records_from(0)[..len as usize].to_vec();
        all.extend(records);
        match Log::read(old.header().clone(), all.clone()) {
            Ok(log) => {
                page.log = Some(log);
                self.nodes[node].disk.records = all.iter().map(Record::to_bytes).collect();
                self.tell(node, Owned::Appended);
                self.think(node);
            }
            Err(_) => {
                page.fault = true;
                self.tell(node, Owned::Fault);
            }
        }
    }

    fn think(&mut self, node: usize) {
        let incarnation = self.nodes[node].incarnation;
        let time = self.now + 20 + self.chance.below(1_500);
        self.at(time, Event::Act(node, incarnation));
    }

    /// Whose word is next says something legal.
    fn act(&mut self, node: usize) {
        let (now, enough) = (self.now, self.options.enough);
        let rematches = self.options.rematches;
        let Some(page) = &mut self.nodes[node].page else { return };
        if page.frozen_until > now {
            let later = page.frozen_until;
            let incarnation = self.nodes[node].incarnation;
            self.at(later, Event::Act(node, incarnation));
            return;
        }
        let may_sign = page.peer.may_sign() || self.options.mutant == Mutant::SpeakBeforeSync;
        let (Some(log), Some(seat)) = (&page.log, &page.seat) else { return };
        if !may_sign || page.fenced || page.fault || log.len() >= enough {
            return;
        }
        let Some(command) = choose(log, seat.color(), rematches, &mut self.chance) else { return };
        let spent = self.chance.below(5_000) as u32;
        match log.compose(seat, command, spent) {
            Ok(record) => self.append(node, vec![record]),
            Err(fault) => panic!("{command:?} is not allowed: {fault}"),
        }
    }

    // What is looked at.

    pub(crate) fn log(&self, node: usize) -> Option<&Log> {
        self.nodes[node].page.as_ref()?.log.as_ref()
    }

    pub(crate) fn page(&self, node: usize) -> &Page {
        self.nodes[node].page.as_ref().unwrap()
    }

    /// The guest who got the seat.
    pub(crate) fn guest(&self) -> Option<usize> {
        let host = self.log(0)?;
        (1..self.nodes.len()).find(|&node| {
            self.log(node).is_some_and(|it| it.header().game_id() == host.header().game_id())
        })
    }

    /// How many connections were tried.
    pub(crate) fn attempts(&self) -> usize {
        self.wires.len()
    }

    /// Both hold the same finished table.
    pub(crate) fn is_finished(&self) -> bool {
        let Some(guest) = self.guest() else { return false };
        let (Some(host), Some(guest)) = (self.log(0), self.log(guest)) else { return false };
        host.len() == guest.len()
            && host.head() == guest.head()
            && (host.len() >= self.options.enough || is_over(host, self.options.rematches))
    }

    /// No honest page was treated as a dishonest one.
    pub(crate) fn assert_honest(&self) {
        let bad: Vec<_> =
            self.closes.iter().filter(|(_, why)| *why == CloseReason::Misbehaved).collect();
        assert!(bad.is_empty(), "an honest page was struck: {bad:?}");
        assert!(!self.equivocated, "a seat said two things at one place");
        assert!(self.complaints.is_empty(), "{:?}", self.complaints);
        for node in &self.nodes {
            let Some(page) = &node.page else { continue };
            assert!(page.forked.is_none() && !page.fault, "a fault between honest pages");
        }
    }

    pub(crate) fn assert_equal(&self) {
        let guest = self.guest().unwrap();
        let (host, guest) = (self.log(0).unwrap(), self.log(guest).unwrap());
        assert_eq!(host.records_from(0), guest.records_from(0));
        let dice = |log: &Log| -> Vec<_> { log.rolls().iter().map(|it| it.dice).collect() };
        assert_eq!(dice(host), dice(guest));
        assert!(!host.rolls().is_empty());
    }

    pub(crate) fn summary(&self) -> HashMap<&'static str, u64> {
        let len = |node| self.log(node).map_or(0, |it: &Log| u64::from(it.len()));
        HashMap::from([
            ("now", self.now),
            ("host", len(0)),
            ("guest", self.guest().map_or(0, len)),
            ("host crashes", self.nodes[0].crashes),
            ("guest crashes", self.nodes[1].crashes),
        ])
    }
}

fn is_over(log: &Log, rematches: u32) -> bool {
    log.table().result().is_some() && ready(log) >= rematches
}

fn ready(log: &Log) -> u32 {
    log.records_from(0).iter().filter(|it| it.entry.body.kind() == Kind::Ready).count() as u32
}

fn choose(log: &Log, me: Color, rematches: u32, chance: &mut Chance) -> Option<Command> {
    let table = log.table();
    let Awaiting::Seat(seat, kinds) = table.awaiting() else { return None };
    if seat != me {
        return None;
    }
    if kinds.contains(Kind::Ready) {
        return (ready(log) < rematches).then_some(Command::Ready);
    }
    if kinds.contains(Kind::Resign) && chance.one_in(60) {
        let values: Vec<_> = table.resignations().collect();
        if let Some(&value) = values.first() {
            return Some(Command::Resign(value));
        }
    }
    if kinds.contains(Kind::Play) {
        let plays = legal(table.position(), table.dice()?);
        let at = chance.below(plays.len() as u64) as usize;
        return plays.iter().nth(at).map(|(_, play)| Command::Play(play));
    }
    let usable: Vec<_> = kinds
        .iter()
        .filter_map(|kind| match kind {
            Kind::Roll => Some((Command::Roll, 6)),
            Kind::Reveal => Some((Command::Reveal, 1)),
            Kind::Double => Some((Command::Double, 1)),
            Kind::Take => Some((Command::Take, 6)),
            Kind::Beaver => Some((Command::Beaver, 1)),
            Kind::Drop => Some((Command::Drop, 1)),
            Kind::Accept => Some((Command::Accept, 1)),
            Kind::Decline => Some((Command::Decline, 3)),
            _ => None,
        })
        .collect();
    let total: u64 = usable.iter().map(|(_, weight)| weight).sum();
    let mut at = chance.below(total.max(1));
    for (command, weight) in usable {
        match at.checked_sub(weight) {
            Some(rest) => at = rest,
            None => return Some(command),
        }
    }
    None
}
