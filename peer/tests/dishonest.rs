//! What a holder of the link, a hostile server or a hostile friend can send, and what comes of it.
#![allow(clippy::unwrap_used)]

use fair_dice::Value;
use peer::{
    Address, ChannelId, CloseReason, FRAME_BYTES, Frame, Heading, Input, Invite, Kept, Letter,
    Link, Meeting, Output, PageLife, Peer, Refusal, Role, Room, Sid, Signal, Visibility, proof,
};
use proptest::prelude::*;
use rules::{Color, Place, Ruleset};
use table::{
    Accept, Header, Log, Name, Offer, Record, Seat, Seated, Secret, Start, Taken, game_id,
};

const PAD: Value = [1; 32];
const HOST: Value = [2; 32];
const GUEST: Value = [3; 32];
const SOMEBODY: Address = Address([9; 16]);

fn ruleset() -> Ruleset {
    Ruleset::georgian(1, Place::TwoBrowsers)
}

fn page(entropy: u8) -> PageLife {
    PageLife { life: 1_000, entropy: [entropy; 32], visibility: Visibility::Shown }
}

fn offer() -> Offer {
    let host_key = Secret::new(HOST).public_key();
    Offer { ruleset: ruleset(), host_key, host_name: Name::of("Host") }
}

fn key() -> Value {
    offer().invitation_key(&PAD)
}

fn accept(secret: Value) -> Accept {
    Accept::to_offer(&offer().to_bytes(), &Secret::new(secret), Name::of("Guest"))
}

/// SEAT of whoever has this secret, with the START he was given.
fn seat(secret: Value) -> (Seated, Header) {
    let (secret, accept) = (Secret::new(secret), accept(secret));
    let start = Start::to_accept(&Secret::new(HOST), &offer(), &accept).unwrap();
    let id = game_id(&offer().to_bytes(), &accept.to_bytes(), &start.anchor);
    let signature = secret.sign(&id);
    let header = Header::new(offer(), accept.clone(), start, signature).unwrap();
    (Seated { signature, meeting: secret.meeting(), accept }, header)
}

/// One honest page and the hands that feed it.
struct Bench {
    peer: Peer,
    now: u64,
    stored: Vec<Record>,
}

impl Bench {
    fn drain(&mut self) -> Vec<Output> {
        std::iter::from_fn(|| self.peer.poll()).collect()
    }

    fn give(&mut self, input: Input<'_>) -> Vec<Output> {
        self.peer.handle(input, &self.stored, self.now);
        self.drain()
    }

    fn frame(&mut self, channel: ChannelId, frame: &Frame) -> Vec<Output> {
        self.give(Input::Frame(channel, &frame.to_bytes()))
    }

    fn sealed(&mut self, room: Room, bytes: &[u8]) -> Vec<Output> {
        self.give(Input::Sealed { room, from: SOMEBODY, bytes })
    }

    /// Lets time pass as the page's own alarm clock would.
    fn wait(&mut self, ms: u64) -> Vec<Output> {
        let until = self.now + ms;
        let mut out = Vec::new();
        while let Some(at) = self.peer.wake_at().filter(|&at| at <= until) {
            self.now = at.max(self.now + 1);
            out.extend(self.give(Input::Tick));
        }
        self.now = until;
        out.extend(self.give(Input::Tick));
        out
    }

    fn confirm(&mut self, outputs: &[Output]) -> Vec<Output> {
        let token = outputs.iter().find_map(|it| match it {
            Output::Store(token, _) => Some(*token),
            _ => None,
        });
        self.give(Input::Stored(token.expect("something is to be stored")))
    }

    fn host() -> Bench {
        let invite = Invite {
            pad: PAD,
            secret: Secret::new(HOST),
            ruleset: ruleset(),
            name: Name::of("Host"),
        };
        let mut bench =
            Bench { peer: Peer::invite(invite, page(1), 0), now: 0, stored: Vec::new() };
        let first = bench.drain();
        assert!(!first.iter().any(|it| matches!(it, Output::Invited(_) | Output::Join(..))));
        let out = bench.confirm(&first);
        assert!(out.iter().any(|it| matches!(it, Output::Invited(it) if *it == key())));
        bench.give(Input::RoomUp(Room::Invitation));
        bench
    }

    fn guest() -> Bench {
        let mut bench = Bench { peer: Peer::join(key(), page(2), 0), now: 0, stored: Vec::new() };
        bench.give(Input::RoomUp(Room::Invitation));
        bench
    }

    /// An open channel between this host and whoever has the link.
    fn open_with_host(&mut self, guest: &mut Stranger) -> ChannelId {
        let out = self.sealed(Room::Invitation, &guest.hello());
        let channel = connected(&out, Role::Offerer);
        let out = self.give(Input::Signal(channel, Signal::Offer("sdp".into())));
        let (heading, letter) = told(&guest.meeting, &out);
        assert_eq!(letter, Letter::Signal(Signal::Offer("sdp".into())));
        assert_eq!((heading.other, heading.n), (guest.sid, 0));
        let answer = Letter::Signal(Signal::Answer("sdp".into()));
        let out = self.sealed(Room::Invitation, &guest.seal(heading.own, 0, &answer));
        assert!(out.iter().any(|it| matches!(it, Output::Signal(at, _) if *at == channel)));
        let out = self.give(Input::Opened(channel));
        let [Frame::Offer { pad: PAD, .. }] = frames(&out, channel)[..] else { panic!("{out:?}") };
        channel
    }

    /// An open channel between this guest and whoever plays the host.
    fn open_with_guest(&mut self, host: &mut Stranger, room: Room) -> ChannelId {
        let out = self.give(Input::Arrived(room, SOMEBODY));
        let (heading, Letter::Hello) = told(&host.meeting, &out) else { panic!("no hello") };
        let offer = Letter::Signal(Signal::Offer("sdp".into()));
        host.renew();
        let out = self.sealed(room, &host.seal(heading.own, 0, &offer));
        let channel = connected(&out, Role::Answerer);
        self.give(Input::Opened(channel));
        channel
    }

    /// A host bound to the guest of `GUEST`, with a proven and synced channel.
    fn bound() -> (Bench, ChannelId, Header) {
        let mut bench = Bench::host();
        let mut guest = Stranger::new(Color::Black, &key());
        let channel = bench.open_with_host(&mut guest);
        bench.frame(channel, &Frame::Accept(accept(GUEST).to_bytes()));
        let (seated, header) = seat(GUEST);
        let out = bench.frame(channel, &Frame::Seat(Box::new(seated)));
        assert!(frames(&out, channel).is_empty(), "nothing is said before SEAT is stored");
        let out = bench.confirm(&out);
        assert!(out.iter().any(|it| matches!(it, Output::Seated(_))));
        let out = bench.prove(channel, &out, &header, 5_000);
        assert!(matches!(frames(&out, channel)[..], [Frame::Sync { len: 0, .. }]), "{out:?}");
        let sync = Frame::Sync { len: 0, head: *header.game_id(), life: 1_000 };
        let out = bench.frame(channel, &sync);
        assert!(out.iter().any(|it| matches!(it, Output::Synced)));
        assert!(bench.peer.may_sign());
        bench.give(Input::RoomUp(Room::Table));
        (bench, channel, header)
    }

    /// Answers the HAIL in `out` as the guest of `GUEST`.
    fn prove(
        &mut self,
        channel: ChannelId,
        out: &[Output],
        header: &Header,
        life: u64,
    ) -> Vec<Output> {
        let Some(Frame::Hail { nonce, .. }) = frames(out, channel).into_iter().next() else {
            panic!("no HAIL in {out:?}")
        };
        let out = self.frame(channel, &Frame::Hail { nonce: [5; 16], life });
        assert!(matches!(frames(&out, channel)[..], [Frame::Prove(_)]));
        let value = proof(header.game_id(), Color::Black, &[5; 16], &nonce, life);
        self.frame(channel, &Frame::Prove(Secret::new(GUEST).sign(&value)))
    }
}

/// Somebody who knows a meeting's secret.
struct Stranger {
    meeting: Meeting,
    role: Color,
    sid: Sid,
    drawn: u8,
}

impl Stranger {
    fn new(role: Color, secret: &Value) -> Stranger {
        Stranger { meeting: Meeting::new(secret), role, sid: [0x11; 16], drawn: 0x11 }
    }

    fn renew(&mut self) {
        self.drawn += 1;
        self.sid = [self.drawn; 16];
    }

    fn seal(&self, other: Sid, n: u32, letter: &Letter) -> Vec<u8> {
        let heading = Heading { role: self.role, own: self.sid, other, n };
        self.meeting.seal(&heading, &[7; 24], letter)
    }

    fn hello(&mut self) -> Vec<u8> {
        self.renew();
        self.seal([0; 16], 0, &Letter::Hello)
    }
}

fn connected(out: &[Output], role: Role) -> ChannelId {
    let found = out.iter().find_map(|it| match it {
        Output::Connect(channel, its) if *its == role => Some(*channel),
        _ => None,
    });
    found.unwrap_or_else(|| panic!("no attempt in {out:?}"))
}

fn told(meeting: &Meeting, out: &[Output]) -> (Heading, Letter) {
    let found = out.iter().find_map(|it| match it {
        Output::Tell { sealed, .. } => meeting.open(sealed),
        _ => None,
    });
    found.unwrap_or_else(|| panic!("nothing told in {out:?}"))
}

fn frames(out: &[Output], channel: ChannelId) -> Vec<Frame> {
    out.iter()
        .filter_map(|it| match it {
            Output::Send(at, bytes) if *at == channel => Some(Frame::from_bytes(bytes).unwrap()),
            _ => None,
        })
        .collect()
}

fn closed(out: &[Output], channel: ChannelId) -> Option<CloseReason> {
    out.iter().find_map(|it| match it {
        Output::Close(at, why) if *at == channel => Some(*why),
        _ => None,
    })
}

fn refused(out: &[Output]) -> Option<Refusal> {
    out.iter().find_map(|it| match it {
        Output::Refused(why) => Some(*why),
        _ => None,
    })
}

fn is_stored(out: &[Output]) -> bool {
    out.iter().any(|it| matches!(it, Output::Store(..)))
}

// The handshake.

#[test]
fn an_offer_that_the_link_does_not_name_is_left_and_the_right_one_still_taken() {
    let mut guest = Bench::guest();
    let mut host = Stranger::new(Color::White, &key());
    let channel = guest.open_with_guest(&mut host, Room::Invitation);
    let other = Offer { ruleset: Ruleset::georgian(7, Place::TwoBrowsers), ..offer() };
    let wrong = [
        Frame::Offer { pad: PAD, offer: other.to_bytes() },
        Frame::Offer { pad: [0; 32], offer: offer().to_bytes() },
    ];
    let out = guest.frame(channel, &wrong[0]);
    assert_eq!(closed(&out, channel), Some(CloseReason::Stranger));
    assert!(!out.iter().any(|it| matches!(it, Output::Offered(_) | Output::Refused(_))));
    let channel = guest.open_with_guest(&mut host, Room::Invitation);
    assert_eq!(closed(&guest.frame(channel, &wrong[1]), channel), Some(CloseReason::Stranger));
    let channel = guest.open_with_guest(&mut host, Room::Invitation);
    let right = Frame::Offer { pad: PAD, offer: offer().to_bytes() };
    let out = guest.frame(channel, &right);
    assert!(out.iter().any(|it| matches!(it, Output::Offered(it) if **it == offer())));
    assert!(frames(&out, channel).is_empty(), "nothing is accepted before the user has");
}

/// A guest whose user has accepted; the channel and the ACCEPT.
fn accepting() -> (Bench, Stranger, ChannelId, Accept) {
    let mut guest = Bench::guest();
    let mut host = Stranger::new(Color::White, &key());
    let channel = guest.open_with_guest(&mut host, Room::Invitation);
    guest.frame(channel, &Frame::Offer { pad: PAD, offer: offer().to_bytes() });
    let out = guest.give(Input::Accept(Name::of("Guest")));
    let [Frame::Accept(bytes)] = &frames(&out, channel)[..] else { panic!("{out:?}") };
    let accept = Accept::from_bytes(bytes).unwrap();
    (guest, host, channel, accept)
}

fn start(accept: &Accept) -> Start {
    Start::to_accept(&Secret::new(HOST), &offer(), accept).unwrap()
}

#[test]
fn one_start_is_heeded_for_each_accept() {
    let (mut guest, _, channel, accept) = accepting();
    let out = guest.frame(channel, &Frame::Start(start(&accept)));
    assert!(is_stored(&out));
    assert!(frames(&out, channel).is_empty(), "SEAT waits for the storage");
    let again = guest.frame(channel, &Frame::Start(start(&accept)));
    assert!(!is_stored(&again));
    let out = guest.confirm(&out);
    let [Frame::Seat(seated), Frame::Hail { .. }] = &frames(&out, channel)[..] else {
        panic!("{out:?}")
    };
    assert_eq!(seated.accept, accept);
    let again = guest.frame(channel, &Frame::Start(start(&accept)));
    assert!(!is_stored(&again));
}

#[test]
fn a_start_that_is_not_the_hosts_ends_the_channel_and_its_secret() {
    let (mut guest, mut host, channel, accept) = accepting();
    let wrong = Start { anchor: [8; 32], ..start(&accept) };
    let out = guest.frame(channel, &Frame::Start(wrong));
    assert!(!is_stored(&out));
    assert_eq!(closed(&out, channel), Some(CloseReason::Misbehaved));
    // The user's consent stands, but with other keys.
    let channel = guest.open_with_guest(&mut host, Room::Invitation);
    let out = guest.frame(channel, &Frame::Offer { pad: PAD, offer: offer().to_bytes() });
    let [Frame::Accept(bytes)] = &frames(&out, channel)[..] else { panic!("{out:?}") };
    assert_ne!(Accept::from_bytes(bytes).unwrap().guest_key, accept.guest_key);
}

#[test]
fn without_start_within_20_s_the_secret_is_forgotten() {
    let (mut guest, mut host, channel, accept) = accepting();
    assert!(closed(&guest.wait(19_900), channel).is_none());
    let out = guest.wait(200);
    assert_eq!(closed(&out, channel), Some(CloseReason::TimedOut));
    assert_eq!(refused(&out), Some(Refusal::NoStart));
    // Too late, and on a channel that is gone.
    assert!(!is_stored(&guest.frame(channel, &Frame::Start(start(&accept)))));
    let channel = guest.open_with_guest(&mut host, Room::Invitation);
    let out = guest.frame(channel, &Frame::Offer { pad: PAD, offer: offer().to_bytes() });
    let [Frame::Accept(_)] = &frames(&out, channel)[..] else { panic!("{out:?}") };
    let out = guest.frame(channel, &Frame::Start(start(&accept)));
    assert!(!is_stored(&out), "a START for the forgotten secret");
}

#[test]
fn a_seat_with_another_accept_than_was_sent_is_refused() {
    let mut host = Bench::host();
    let channel = host.open_with_host(&mut Stranger::new(Color::Black, &key()));
    let out = host.frame(channel, &Frame::Accept(accept(GUEST).to_bytes()));
    let [Frame::Start(it)] = frames(&out, channel)[..] else { panic!("{out:?}") };
    assert_eq!(it, start(&accept(GUEST)));
    assert!(!is_stored(&out), "START stores nothing");
    let (other, _) = seat([4; 32]);
    let out = host.frame(channel, &Frame::Seat(Box::new(other)));
    assert!(!is_stored(&out));
    assert_eq!(closed(&out, channel), Some(CloseReason::Misbehaved));
}

#[test]
fn a_seat_that_is_not_signed_binds_nobody() {
    let mut host = Bench::host();
    let mut guest = Stranger::new(Color::Black, &key());
    let (right, _) = seat(GUEST);
    let wrong = [
        Seated { signature: [1; 64], ..right.clone() },
        Seated { accept: accept([4; 32]), ..right.clone() },
        // The host's own key, echoed.
        Seated {
            accept: Accept { guest_key: offer().host_key, ..right.accept.clone() },
            ..right.clone()
        },
    ];
    for seated in wrong {
        let channel = host.open_with_host(&mut guest);
        let out = host.frame(channel, &Frame::Seat(Box::new(seated)));
        assert!(!is_stored(&out));
        assert_eq!(closed(&out, channel), Some(CloseReason::Misbehaved));
        host.wait(5_000);
    }
    // A seated guest opens with SEAT alone, after a crash or with the host's backup restored.
    let channel = host.open_with_host(&mut guest);
    assert!(is_stored(&host.frame(channel, &Frame::Seat(Box::new(right)))));
}

#[test]
fn the_hosts_own_key_is_no_guest() {
    let mut host = Bench::host();
    let channel = host.open_with_host(&mut Stranger::new(Color::Black, &key()));
    let echo = Accept { guest_key: offer().host_key, ..accept(GUEST) };
    let out = host.frame(channel, &Frame::Accept(echo.to_bytes()));
    assert_eq!(closed(&out, channel), Some(CloseReason::Misbehaved));
}

#[test]
fn only_one_accept_a_channel() {
    let mut host = Bench::host();
    let channel = host.open_with_host(&mut Stranger::new(Color::Black, &key()));
    host.frame(channel, &Frame::Accept(accept(GUEST).to_bytes()));
    let out = host.frame(channel, &Frame::Accept(accept([4; 32]).to_bytes()));
    assert!(frames(&out, channel).is_empty());
}

#[test]
fn two_seats_at_once_and_the_first_is_bound() {
    let mut host = Bench::host();
    let mut guest = Stranger::new(Color::Black, &key());
    let (first, second) = (host.open_with_host(&mut guest), host.open_with_host(&mut guest));
    let out = host.frame(first, &Frame::Seat(Box::new(seat(GUEST).0)));
    let late = host.frame(second, &Frame::Seat(Box::new(seat([4; 32]).0)));
    assert!(is_stored(&out) && !is_stored(&late));
    assert_eq!(closed(&late, second), Some(CloseReason::Stranger));
    let out = host.confirm(&out);
    let Some(Kept::Host(kept)) = host.peer.kept() else { panic!("the host keeps his seat") };
    assert_eq!(kept.seated.unwrap().accept, accept(GUEST));
    assert!(out.iter().any(|it| matches!(it, Output::Join(Room::Table, _))));
}

#[test]
fn a_storage_that_refuses_seat_leaves_the_invitation_open() {
    let mut host = Bench::host();
    let mut guest = Stranger::new(Color::Black, &key());
    let channel = host.open_with_host(&mut guest);
    let out = host.frame(channel, &Frame::Seat(Box::new(seat(GUEST).0)));
    let token = out.iter().find_map(|it| match it {
        Output::Store(token, _) => Some(*token),
        _ => None,
    });
    let out = host.give(Input::StoreFailed(token.unwrap()));
    assert_eq!(refused(&out), Some(Refusal::Storage));
    assert!(host.peer.header().is_none());
    let channel = host.open_with_host(&mut guest);
    assert!(is_stored(&host.frame(channel, &Frame::Seat(Box::new(seat(GUEST).0)))));
}

#[test]
fn four_handshakes_and_the_newest_replaces_the_oldest() {
    let mut host = Bench::host();
    let mut guest = Stranger::new(Color::Black, &key());
    let channels: Vec<_> = (0..4).map(|_| host.open_with_host(&mut guest)).collect();
    let out = host.sealed(Room::Invitation, &guest.hello());
    assert_eq!(closed(&out, channels[0]), Some(CloseReason::Replaced));
    assert!(channels[1..].iter().all(|&it| closed(&out, it).is_none()));
}

#[test]
fn another_version_is_told_to_both() {
    // The host's page is newer.
    let mut bytes = offer().to_bytes();
    bytes[0] = 2;
    let key = table::invitation_key(&bytes, &PAD);
    let mut guest = Bench { peer: Peer::join(key, page(2), 0), now: 0, stored: Vec::new() };
    guest.give(Input::RoomUp(Room::Invitation));
    let mut host = Stranger::new(Color::White, &key);
    let channel = guest.open_with_guest(&mut host, Room::Invitation);
    let out = guest.frame(channel, &Frame::Offer { pad: PAD, offer: bytes });
    assert_eq!(refused(&out), Some(Refusal::OtherVersion { theirs: 2 }));
    let answer = frames(&out, channel).remove(0);
    assert_eq!(answer, Frame::Accept(vec![1]), "so that the host knows too");
    assert_eq!(guest.peer.link(), Link::Refused);
    // The guest's page is the other one.
    for (accept, theirs) in [(vec![1], 1), (vec![2, 0, 0], 2)] {
        let mut host = Bench::host();
        let channel = host.open_with_host(&mut Stranger::new(Color::Black, &self::key()));
        let out = host.frame(channel, &Frame::Accept(accept));
        assert_eq!(refused(&out), Some(Refusal::OtherVersion { theirs }));
        assert_ne!(host.peer.link(), Link::Refused, "the invitation stands");
    }
}

// TAKEN.

/// A guest seated by `GUEST` who looks into the invitation's room.
fn visiting() -> (Bench, Stranger, Sid) {
    let (_, header) = seat(GUEST);
    let kept = Kept::Guest(peer::GuestSeat {
        key: key(),
        secret: Secret::new(GUEST),
        offer: offer(),
        accept: accept(GUEST),
        start: *header.start(),
    });
    let peer = Peer::reopen(kept, page(3), 0).unwrap();
    let mut bench = Bench { peer, now: 0, stored: Vec::new() };
    let joins = |out: &[Output], room| {
        out.iter().any(|it| matches!(it, Output::Join(at, _) if *at == room))
    };
    assert!(joins(&bench.drain(), Room::Table));
    bench.give(Input::RoomUp(Room::Table));
    assert!(!joins(&bench.wait(9_900), Room::Invitation), "not before 10 s alone");
    assert!(joins(&bench.wait(200), Room::Invitation));
    bench.give(Input::RoomUp(Room::Invitation));
    let out = bench.give(Input::Arrived(Room::Invitation, SOMEBODY));
    let host = Stranger::new(Color::White, &key());
    let (heading, _) = told(&host.meeting, &out);
    (bench, host, heading.own)
}

#[test]
fn a_seated_guest_goes_to_and_fro() {
    let (mut guest, _, _) = visiting();
    let out = guest.wait(10_100);
    assert!(out.iter().any(|it| matches!(it, Output::Join(Room::Table, _))));
    assert!(out.iter().any(|it| matches!(it, Output::Leave(Room::Invitation))));
}

#[test]
fn a_forged_taken_moves_no_seated_guest() {
    let (mut guest, mut host, sid) = visiting();
    let other = Secret::new([4; 32]);
    let offer = offer().to_bytes();
    let forged = [
        Taken { guest_key: other.public_key(), signature: [0; 64] },
        // Signed by whoever has the link, not by the host.
        Taken::sign(&other, &offer, other.public_key()),
        Taken::sign(&Secret::new(HOST), b"another offer", other.public_key()),
    ];
    for taken in forged {
        host.renew();
        let out = guest.sealed(Room::Invitation, &host.seal(sid, 0, &Letter::Taken(taken)));
        assert!(out.is_empty(), "{out:?}");
    }
    // The host's own word, but for another attempt, a wrong counter, or from the wrong seat.
    let right = Taken::sign(&Secret::new(HOST), &offer, other.public_key());
    let mut wrong = vec![
        host.seal([1; 16], 0, &Letter::Taken(right)),
        host.seal(sid, 1, &Letter::Taken(right)),
    ];
    host.role = Color::Black;
    wrong.push(host.seal(sid, 0, &Letter::Taken(right)));
    for bytes in wrong {
        assert!(guest.sealed(Room::Invitation, &bytes).is_empty());
    }
    host.role = Color::White;
    let out = guest.sealed(Room::Invitation, &host.seal(sid, 0, &Letter::Taken(right)));
    assert_eq!(refused(&out), Some(Refusal::Taken), "the host has seated somebody else");
    assert_eq!(guest.peer.link(), Link::Refused);
}

#[test]
fn a_taken_that_names_me_sends_me_to_our_room() {
    let (mut guest, host, sid) = visiting();
    let own = accept(GUEST).guest_key;
    let taken = Letter::Taken(Taken::sign(&Secret::new(HOST), &offer().to_bytes(), own));
    let out = guest.sealed(Room::Invitation, &host.seal(sid, 0, &taken));
    assert!(refused(&out).is_none());
    assert!(out.iter().any(|it| matches!(it, Output::Join(Room::Table, _))));
}

#[test]
fn a_bound_host_answers_every_hello_of_the_link_with_taken_alone() {
    let (mut host, _, header) = Bench::bound();
    let mut third = Stranger::new(Color::Black, &key());
    let out = host.sealed(Room::Invitation, &third.hello());
    let (heading, letter) = told(&third.meeting, &out);
    let Letter::Taken(taken) = letter else { panic!("{letter:?}") };
    assert_eq!((heading.other, heading.n), (third.sid, 0));
    assert!(taken.is_signed(&offer()));
    assert_eq!(&taken.guest_key, header.key(Color::Black));
    assert_eq!(out.len(), 1, "no connection, no address: {out:?}");
}

#[test]
fn taken_to_an_unseated_guest_is_hearsay() {
    let mut guest = Bench::guest();
    let host = Stranger::new(Color::White, &key());
    let out = guest.give(Input::Arrived(Room::Invitation, SOMEBODY));
    let (heading, _) = told(&host.meeting, &out);
    let taken = Letter::Taken(Taken { guest_key: [0; 32], signature: [0; 64] });
    let out = guest.sealed(Room::Invitation, &host.seal(heading.own, 0, &taken));
    assert_eq!(refused(&out), Some(Refusal::Taken));
    assert_ne!(guest.peer.link(), Link::Refused);
    let mut host = host;
    let channel = guest.open_with_guest(&mut host, Room::Invitation);
    let out = guest.frame(channel, &Frame::Offer { pad: PAD, offer: offer().to_bytes() });
    assert!(out.iter().any(|it| matches!(it, Output::Offered(_))));
}

// Signals.

#[test]
fn only_the_next_signal_of_a_pair_counts() {
    let mut host = Bench::host();
    let mut guest = Stranger::new(Color::Black, &key());
    let hello = guest.hello();
    let channel = connected(&host.sealed(Room::Invitation, &hello), Role::Offerer);
    assert!(host.sealed(Room::Invitation, &hello).is_empty(), "the same hello again");
    let out = host.give(Input::Signal(channel, Signal::Offer("sdp".into())));
    let (heading, _) = told(&guest.meeting, &out);
    let answer = Letter::Signal(Signal::Answer("a".into()));
    let ice = Letter::Signal(Signal::Ice("i".into()));
    let right = guest.seal(heading.own, 0, &answer);
    let dropped = [
        guest.seal(heading.own, 1, &answer),
        guest.seal([1; 16], 0, &answer),
        guest.seal([0; 16], 0, &answer),
        // Seat 0 always offers.
        guest.seal(heading.own, 0, &Letter::Signal(Signal::Offer("o".into()))),
        guest.seal(heading.own, 0, &Letter::Hello),
        Meeting::new(&[6; 32]).seal(&heading, &[7; 24], &answer),
        right[..right.len() - 1].to_vec(),
        [right.as_slice(), &[0]].concat(),
        Vec::new(),
    ];
    for (k, bytes) in dropped.iter().enumerate() {
        let out = host.sealed(Room::Invitation, bytes);
        assert!(out.is_empty(), "case {k}: {out:?}");
    }
    for at in 0..right.len() {
        let mut bytes = right.clone();
        bytes[at] ^= 1;
        assert!(host.sealed(Room::Invitation, &bytes).is_empty(), "byte {at} changed");
    }
    assert_eq!(host.sealed(Room::Invitation, &right).len(), 1, "the right one still counts");
    assert!(host.sealed(Room::Invitation, &right).is_empty(), "and only once");
    let next = guest.seal(heading.own, 1, &ice);
    assert_eq!(host.sealed(Room::Invitation, &next).len(), 1);
    let second = guest.seal(heading.own, 2, &answer);
    assert!(host.sealed(Room::Invitation, &second).is_empty(), "one answer an attempt");
    assert!(host.sealed(Room::Table, &guest.seal(heading.own, 2, &ice)).is_empty());
}

#[test]
fn an_offer_counts_once_even_after_its_attempt_is_over() {
    let mut guest = Bench::guest();
    let host = Stranger::new(Color::White, &key());
    let out = guest.give(Input::Arrived(Room::Invitation, SOMEBODY));
    let (heading, _) = told(&host.meeting, &out);
    let offer = host.seal(heading.own, 0, &Letter::Signal(Signal::Offer("sdp".into())));
    let channel = connected(&guest.sealed(Room::Invitation, &offer), Role::Answerer);
    assert!(guest.sealed(Room::Invitation, &offer).is_empty(), "while it is under way");
    guest.give(Input::Closed(channel));
    assert!(guest.sealed(Room::Invitation, &offer).is_empty(), "and afterwards");
}

#[test]
fn a_hello_is_addressed_to_nobody_and_is_the_first_word() {
    let mut host = Bench::host();
    let mut guest = Stranger::new(Color::Black, &key());
    guest.renew();
    for (other, n) in [([1; 16], 0), ([0; 16], 1)] {
        assert!(host.sealed(Room::Invitation, &guest.seal(other, n, &Letter::Hello)).is_empty());
    }
    guest.sid = [0; 16];
    let nobody = guest.seal([0; 16], 0, &Letter::Hello);
    assert!(host.sealed(Room::Invitation, &nobody).is_empty());
    connected(&host.sealed(Room::Invitation, &guest.hello()), Role::Offerer);
}

#[test]
fn a_repeated_hello_costs_a_live_table_nothing() {
    let (mut host, channel, _) = Bench::bound();
    let mut guest = Stranger::new(Color::Black, &Secret::new(GUEST).meeting());
    guest.drawn = 0x40;
    // A first hello may only answer that I greeted a new socket; a second one tells of a need.
    assert!(host.sealed(Room::Table, &guest.hello()).is_empty());
    let hello = guest.hello();
    let other = connected(&host.sealed(Room::Table, &hello), Role::Offerer);
    let out = host.give(Input::Closed(other));
    assert!(closed(&out, channel).is_none());
    for _ in 0..100 {
        assert!(host.sealed(Room::Table, &hello).is_empty());
    }
    assert_eq!(host.peer.link(), Link::Live);
}

#[test]
fn a_server_that_invents_arrivals_costs_little() {
    let (mut host, channel, _) = Bench::bound();
    let mut told = 0;
    for k in 0..1_000u32 {
        let mut address = [0; 16];
        address[..4].copy_from_slice(&k.to_be_bytes());
        let out = host.give(Input::Arrived(Room::Table, Address(address)));
        told += out.len();
        assert!(closed(&out, channel).is_none());
        host.give(Input::Gone(Room::Table, Address(address)));
        host.give(Input::Sealed { room: Room::Table, from: Address(address), bytes: &[0; 300] });
    }
    assert!(told <= 60, "{told} answers");
    assert_eq!(host.peer.link(), Link::Live, "the server is never believed about the game");
    host.give(Input::RoomDown(Room::Table));
    assert_eq!(host.peer.link(), Link::Live);
}

#[test]
fn attempts_that_lead_nowhere_are_given_up_after_20_s() {
    let mut host = Bench::host();
    let mut guest = Stranger::new(Color::Black, &key());
    let channel = connected(&host.sealed(Room::Invitation, &guest.hello()), Role::Offerer);
    assert!(closed(&host.wait(19_900), channel).is_none());
    assert_eq!(closed(&host.wait(200), channel), Some(CloseReason::TimedOut));
}

// The table's channel.

#[test]
fn a_proof_is_not_echoed() {
    let mut host = Bench::host();
    let channel = host.open_with_host(&mut Stranger::new(Color::Black, &key()));
    let out = host.frame(channel, &Frame::Seat(Box::new(seat(GUEST).0)));
    let out = host.confirm(&out);
    let [Frame::Hail { nonce, life }] = frames(&out, channel)[..] else { panic!("{out:?}") };
    // Whoever has the link but not the guest's key sends my own words back.
    let out = host.frame(channel, &Frame::Hail { nonce, life });
    let [Frame::Prove(own)] = frames(&out, channel)[..] else { panic!("{out:?}") };
    let out = host.frame(channel, &Frame::Prove(own));
    assert_eq!(closed(&out, channel), Some(CloseReason::Misbehaved));
    assert!(!host.peer.may_sign());
}

#[test]
fn a_proof_for_another_nonce_or_life_proves_nothing() {
    for (nonce_flip, life) in [(1, 5_000), (0, 5_001)] {
        let mut host = Bench::host();
        let channel = host.open_with_host(&mut Stranger::new(Color::Black, &key()));
        let (seated, header) = seat(GUEST);
        let out = host.frame(channel, &Frame::Seat(Box::new(seated)));
        let out = host.confirm(&out);
        let [Frame::Hail { mut nonce, .. }] = frames(&out, channel)[..] else { panic!() };
        host.frame(channel, &Frame::Hail { nonce: [5; 16], life: 5_000 });
        nonce[0] ^= nonce_flip;
        let value = proof(header.game_id(), Color::Black, &[5; 16], &nonce, life);
        let out = host.frame(channel, &Frame::Prove(Secret::new(GUEST).sign(&value)));
        assert_eq!(closed(&out, channel), Some(CloseReason::Misbehaved));
    }
}

#[test]
fn nothing_is_believed_before_the_proof() {
    let mut host = Bench::host();
    let channel = host.open_with_host(&mut Stranger::new(Color::Black, &key()));
    let (seated, header) = seat(GUEST);
    let out = host.frame(channel, &Frame::Seat(Box::new(seated)));
    host.confirm(&out);
    let early = [
        Frame::Sync { len: 0, head: *header.game_id(), life: 9_999 },
        Frame::Need { from: 0 },
        Frame::Ping { len: 0 },
    ];
    for (k, frame) in early.iter().enumerate() {
        let out = host.frame(channel, frame);
        assert!(frames(&out, channel).is_empty(), "{frame:?} is answered");
        let end = (k == 2).then_some(CloseReason::Misbehaved);
        assert_eq!(closed(&out, channel), end, "three strikes");
    }
}

#[test]
fn three_strikes_end_a_channel() {
    let garbage: [&[u8]; 6] =
        [&[], &[0], &[255; 40], &[34, 4], &[20, 0, 0, 0, 0], &[1; FRAME_BYTES + 1]];
    for bytes in garbage {
        let (mut host, channel, _) = Bench::bound();
        for strike in 1..=3 {
            let out = host.give(Input::Frame(channel, bytes));
            let end = (strike == 3).then_some(CloseReason::Misbehaved);
            assert_eq!(closed(&out, channel), end);
        }
        assert!(host.give(Input::Frame(channel, bytes)).is_empty(), "nobody listens any more");
        assert!(host.peer.header().is_some(), "the game stands");
    }
}

#[test]
fn a_flood_ends_the_channel_and_answers_stay_few() {
    let (mut host, channel, _) = Bench::bound();
    host.wait(3_000);
    let mut answers = 0;
    let mut end = None;
    for k in 0..10_000u32 {
        let out = host.frame(channel, &Frame::Ping { len: 0 });
        answers += frames(&out, channel).len();
        end = end.or(closed(&out, channel).map(|why| (why, k)));
    }
    let Some((CloseReason::Misbehaved, after)) = end else { panic!("{end:?}") };
    assert!((60..=64).contains(&after), "after {after} messages");
    assert!(answers <= 60, "{answers} answers");
}

#[test]
fn an_honest_rate_is_no_strike() {
    let (mut host, channel, _) = Bench::bound();
    for _ in 0..600 {
        host.wait(50);
        let out = host.frame(channel, &Frame::Ping { len: 0 });
        assert_eq!(closed(&out, channel), None);
    }
}

#[test]
fn a_life_beyond_every_clock_is_refused() {
    let mut host = Bench::host();
    let channel = host.open_with_host(&mut Stranger::new(Color::Black, &key()));
    let out = host.frame(channel, &Frame::Seat(Box::new(seat(GUEST).0)));
    host.confirm(&out);
    let out = host.frame(channel, &Frame::Hail { nonce: [5; 16], life: u64::MAX });
    assert!(frames(&out, channel).is_empty());
    let (mut host, channel, header) = Bench::bound();
    let lie = Frame::Sync { len: 0, head: *header.game_id(), life: u64::MAX };
    host.frame(channel, &lie);
    assert_ne!(host.peer.link(), Link::Superseded);
}

/// Another channel between this bound host and a page of the guest that has this life.
fn another(
    host: &mut Bench,
    header: &Header,
    guest: &mut Stranger,
    life: u64,
) -> (ChannelId, Vec<Output>) {
    guest.meeting = Meeting::new(&Secret::new(GUEST).meeting());
    guest.drawn = guest.drawn.max(0x40);
    host.sealed(Room::Table, &guest.hello());
    let out = host.sealed(Room::Table, &guest.hello());
    let channel = connected(&out, Role::Offerer);
    let out = host.give(Input::Opened(channel));
    let out = host.prove(channel, &out, header, life);
    (channel, out)
}

#[test]
fn a_newer_life_ends_the_older_channel_at_once() {
    let (mut host, old, header) = Bench::bound();
    let mut guest = Stranger::new(Color::Black, &key());
    let (new, out) = another(&mut host, &header, &mut guest, 6_000);
    assert_eq!(closed(&out, old), Some(CloseReason::NewerLife));
    let told = frames(&out, old);
    assert!(matches!(told[..], [Frame::Sync { life: 6_000, .. }]), "the older is told: {told:?}");
    assert!(matches!(frames(&out, new)[..], [Frame::Sync { life: 6_000, .. }]));
    // What the older page said meanwhile is not read any more.
    let records = Frame::Records { from: 0, records: vec![first_record(&header)] };
    assert!(host.frame(old, &records).is_empty());
}

#[test]
fn an_older_life_is_told_and_changes_nothing() {
    let (mut host, live, header) = Bench::bound();
    let mut guest = Stranger::new(Color::Black, &key());
    let (old, out) = another(&mut host, &header, &mut guest, 4_999);
    assert!(matches!(frames(&out, old)[..], [Frame::Sync { life: 5_000, .. }]));
    assert_eq!(closed(&out, old), Some(CloseReason::NewerLife));
    assert_eq!(closed(&out, live), None);
    assert_eq!(host.peer.link(), Link::Live);
}

#[test]
fn a_channel_of_the_same_life_is_kept_until_the_new_one_is_synced() {
    let (mut host, old, header) = Bench::bound();
    let mut guest = Stranger::new(Color::Black, &key());
    let (new, out) = another(&mut host, &header, &mut guest, 5_000);
    assert_eq!(closed(&out, old), None);
    let sync = Frame::Sync { len: 0, head: *header.game_id(), life: 1_000 };
    let out = host.frame(new, &sync);
    assert!(out.iter().any(|it| matches!(it, Output::Synced)));
    assert_eq!(closed(&out, old), Some(CloseReason::Replaced));
    assert_eq!(closed(&out, new), None);
}

#[test]
fn strangers_do_not_push_out_a_live_channel() {
    let (mut host, live, _) = Bench::bound();
    let mut guest = Stranger::new(Color::Black, &Secret::new(GUEST).meeting());
    guest.drawn = 0x40;
    for _ in 0..20 {
        let out = host.sealed(Room::Table, &guest.hello());
        assert_eq!(closed(&out, live), None);
        host.now += 100;
    }
    assert_eq!(host.peer.link(), Link::Live);
}

#[test]
fn a_page_that_is_told_of_a_newer_life_falls_silent_until_its_user_wants_it() {
    let (mut host, channel, header) = Bench::bound();
    let out = host.frame(channel, &Frame::Sync { len: 0, head: *header.game_id(), life: 7_000 });
    assert!(out.iter().any(|it| matches!(it, Output::Superseded)));
    assert_eq!(frames(&out, channel), [Frame::Bye(peer::Departure::Superseded)]);
    assert!(!host.peer.may_sign());
    assert_eq!(host.peer.wake_at(), None);
    let out = host.give(Input::PlayHere);
    let [Output::StoreLife(token, 7_001)] = out[..] else { panic!("{out:?}") };
    assert_eq!(host.peer.link(), Link::Superseded, "not before it is stored");
    let out = host.give(Input::Stored(token));
    assert!(out.iter().any(|it| matches!(it, Output::Join(Room::Table, _))));
    assert!(!host.peer.may_sign(), "not before it is synced again");
}

// Beside the log.

#[test]
fn wishes_and_claims_are_told_now_and_at_the_next_sync() {
    let (mut host, old, header) = Bench::bound();
    host.stored = opening(&header);
    let out = host.give(Input::Appended);
    assert!(matches!(frames(&out, old)[..], [Frame::Records { from: 0, .. }]));
    let log = Log::read(header.clone(), host.stored.clone()).unwrap();
    let author = log.table().awaiting().seat().unwrap();
    // The bench is the host; what he may claim depends on the dice, so both are tried.
    let secrets = [Secret::new(HOST), Secret::new(GUEST)];
    let claimant = author.opposite();
    let secret = &secrets[usize::from(claimant.seat())];
    let claim = table::Claim::sign(&log, claimant, secret, table::Why::Time, 60_000).unwrap();
    let wish = peer::Wish::Resign(table::Resignation::Gammon);
    assert_eq!(frames(&host.give(Input::Wish(wish)), old), [Frame::Wish(wish)]);
    let out = host.give(Input::Claim(claim.clone()));
    assert_eq!(frames(&out, old), [Frame::Claim(Box::new(claim.clone()))]);
    let mut guest = Stranger::new(Color::Black, &key());
    let (new, _) = another(&mut host, &header, &mut guest, 5_000);
    let sync = Frame::Sync { len: log.len(), head: log.head(), life: 1_000 };
    let told = frames(&host.frame(new, &sync), new);
    assert!(told.contains(&Frame::Wish(wish)) && told.contains(&Frame::Claim(Box::new(claim))));
}

#[test]
fn a_claim_counts_only_when_the_other_seat_signed_it() {
    let (mut host, channel, header) = Bench::bound();
    let mut bytes = vec![1, 1];
    bytes.extend([0; 40]);
    let value = fair_dice::tagged_hash("zari/claim/1", &[header.game_id(), &bytes]);
    let by = |secret: Value| {
        let signature = Secret::new(secret).sign(&value);
        table::Claim::from_bytes(&[bytes.as_slice(), &signature].concat()).unwrap()
    };
    let mut give = |claim| {
        let out = host.frame(channel, &Frame::Claim(Box::new(claim)));
        out.iter().any(|it| matches!(it, Output::Claim(_)))
    };
    assert!(!give(by(HOST)), "signed by the wrong seat");
    assert!(!give(table::Claim { seat: Color::White, ..by(HOST) }), "my own claim");
    assert!(give(by(GUEST)));
}

#[test]
fn who_stays_behind_is_told_again() {
    let (mut host, channel, header) = Bench::bound();
    host.stored = opening(&header);
    host.give(Input::Appended);
    let behind = |host: &mut Bench| frames(&host.frame(channel, &Frame::Pong { len: 1 }), channel);
    assert!(behind(&mut host).is_empty(), "once may be a message on its way");
    assert!(matches!(behind(&mut host)[..], [Frame::Sync { len: 4.., .. }]));
    let out = host.frame(channel, &Frame::Ping { len: 9 });
    let [Frame::Pong { .. }, Frame::Need { from }] = frames(&out, channel)[..] else {
        panic!("{out:?}")
    };
    assert_eq!(from as usize, host.stored.len());
}

#[test]
fn a_hidden_page_says_so_and_pings_less() {
    let (mut host, channel, _) = Bench::bound();
    let pings = |host: &mut Bench| {
        let mut count = 0;
        for _ in 0..60 {
            let out = host.wait(1_000);
            count +=
                frames(&out, channel).iter().filter(|it| matches!(it, Frame::Ping { .. })).count();
            host.frame(channel, &Frame::Pong { len: 0 });
        }
        count
    };
    assert_eq!(pings(&mut host), 15);
    let out = host.give(Input::Visibility(Visibility::Hidden));
    assert_eq!(frames(&out, channel), [Frame::Hide(Visibility::Hidden)]);
    assert!((3..=5).contains(&pings(&mut host)));
}

// Records.

fn first_record(header: &Header) -> Record {
    let seat = Seat::host(Secret::new(HOST), &offer().to_bytes(), &accept(GUEST).to_bytes());
    Log::new(header.clone()).compose(&seat, table::Command::Roll, 0).unwrap()
}

#[test]
fn records_go_to_the_log_once_and_in_order() {
    let (mut host, channel, header) = Bench::bound();
    let first = first_record(&header);
    let records = |from, records| Frame::Records { from, records };
    // A gap: what is missing is asked for.
    let out = host.frame(channel, &records(5, vec![first.clone()]));
    assert_eq!(frames(&out, channel), [Frame::Need { from: 0 }]);
    assert!(!out.iter().any(|it| matches!(it, Output::Records(_))));
    let out = host.frame(channel, &records(0, vec![first.clone()]));
    assert!(
        out.iter()
            .any(|it| matches!(it, Output::Records(it) if it == std::slice::from_ref(&first)))
    );
    // Not again while the page is at it, nor afterwards.
    let twice = host.frame(channel, &records(0, vec![first.clone()]));
    assert!(!twice.iter().any(|it| matches!(it, Output::Records(_))));
    host.stored.push(first.clone());
    host.give(Input::Appended);
    let thrice = host.frame(channel, &records(0, vec![first]));
    assert!(thrice.is_empty(), "{thrice:?}");
}

#[test]
fn a_fault_freezes_the_table_for_this_page_life() {
    let (mut host, channel, header) = Bench::bound();
    let record = Record { signature: [0; 64], ..first_record(&header) };
    let out = host.frame(channel, &Frame::Records { from: 0, records: vec![record] });
    let Some(Output::Records(records)) = out.iter().find(|it| matches!(it, Output::Records(_)))
    else {
        panic!("the log judges records")
    };
    let mut log = Log::new(header);
    assert!(log.append(records[0].clone()).is_err());
    let out = host.give(Input::Fault);
    assert_eq!(closed(&out, channel), Some(CloseReason::Silent));
    assert_eq!(host.peer.link(), Link::Frozen);
    assert!(!host.peer.may_sign());
    let mut guest = Stranger::new(Color::Black, &Secret::new(GUEST).meeting());
    assert!(host.sealed(Room::Table, &guest.hello()).is_empty(), "and stays so");
    assert_eq!(host.peer.wake_at(), None);
}

#[test]
fn a_claimed_head_that_its_own_records_refute_ends_the_channel() {
    let (mut host, channel, header) = Bench::bound();
    let first = first_record(&header);
    host.stored.push(first.clone());
    let out = host.give(Input::Appended);
    assert!(matches!(frames(&out, channel)[..], [Frame::Records { from: 0, .. }]));
    let out = host.frame(channel, &Frame::Sync { len: 1, head: [9; 32], life: 1_000 });
    assert_eq!(frames(&out, channel), [Frame::Need { from: 0 }]);
    let out = host.frame(channel, &Frame::Records { from: 0, records: vec![first] });
    assert_eq!(closed(&out, channel), Some(CloseReason::Misbehaved));
}

#[test]
fn an_empty_log_has_one_head() {
    let (mut host, channel, _) = Bench::bound();
    let out = host.frame(channel, &Frame::Sync { len: 0, head: [9; 32], life: 1_000 });
    assert_eq!(closed(&out, channel), Some(CloseReason::Misbehaved));
}

#[test]
fn an_unsigned_fork_is_noise() {
    let (mut host, channel, header) = Bench::bound();
    let first = first_record(&header);
    host.stored.push(first.clone());
    host.give(Input::Appended);
    let mut other = first;
    other.entry.spent_ms = 1;
    let out = host.frame(channel, &Frame::Records { from: 0, records: vec![other] });
    assert_eq!(closed(&out, channel), Some(CloseReason::Misbehaved));
    assert!(!out.iter().any(|it| matches!(it, Output::Forked(_) | Output::Replace { .. })));
    assert_ne!(host.peer.link(), Link::Frozen);
}

/// The opening and a first play, written by both.
fn opening(header: &Header) -> Vec<Record> {
    let (offer, accept) = (offer().to_bytes(), accept(GUEST).to_bytes());
    let seats =
        [Seat::host(Secret::new(HOST), &offer, &accept), Seat::guest(Secret::new(GUEST), &offer)];
    let mut log = Log::new(header.clone());
    let mut write = |seat: usize, command| {
        let record = log.compose(&seats[seat], command, 0).unwrap();
        log.append(record).unwrap();
        log.clone()
    };
    write(0, table::Command::Roll);
    let log = write(1, table::Command::Reveal);
    let mover = usize::from(log.table().on_roll().seat());
    let plays = rules::legal(log.table().position(), log.table().dice().unwrap());
    let (_, play) = plays.iter().next().unwrap();
    write(mover, table::Command::Play(play));
    write(1 - mover, table::Command::Roll).records_from(0).to_vec()
}

/// What a proven friend with a changed program may say about the log.
#[derive(Clone, Debug)]
enum Talk {
    Sync(u32, u8, u64),
    Need(u32),
    /// From which number which records, the first of them changed or not.
    Records(u32, usize, usize, u8),
    Length(bool, u32),
    Wait(u64),
    Appended,
}

fn talk() -> impl Strategy<Value = Talk> {
    prop_oneof![
        (0..7u32, 0..8u8, 0..3u64).prop_map(|(len, head, life)| Talk::Sync(len, head, life)),
        prop_oneof![0..7u32, any::<u32>()].prop_map(Talk::Need),
        (prop_oneof![0..7u32, any::<u32>()], 0..4usize, 1..5usize, 0..6u8)
            .prop_map(|(from, first, count, change)| Talk::Records(from, first, count, change)),
        (any::<bool>(), 0..9u32).prop_map(|(ping, len)| Talk::Length(ping, len)),
        (0..6_000u64).prop_map(Talk::Wait),
        Just(Talk::Appended),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 250, failure_persistence: None, ..Default::default() })]

    /// Whatever a proven friend says: no panic, no record twice, none that does not follow on the log,
    /// and nothing of mine beyond what is stored.
    #[test]
    fn a_proven_friend_may_say_anything(have in 0..5usize, talks in prop::collection::vec(talk(), 1..60)) {
        let (mut host, channel, header) = Bench::bound();
        let all = opening(&header);
        host.stored = all[..have].to_vec();
        host.give(Input::Appended);
        for talk in talks {
            let out = match talk {
                Talk::Sync(len, head, life) => {
                    let head = match head {
                        0 => [9; 32],
                        1 => *header.game_id(),
                        it => all[usize::from(it) % 4].entry.id(header.game_id()),
                    };
                    host.frame(channel, &Frame::Sync { len, head, life })
                }
                Talk::Need(from) => host.frame(channel, &Frame::Need { from }),
                Talk::Records(from, first, count, change) => {
                    let mut records: Vec<_> = all.iter().skip(first).take(count).cloned().collect();
                    match change {
                        0 => records[0].entry.spent_ms ^= 1,
                        1 => records[0].entry.prev[0] ^= 1,
                        2 => records[0].entry.seq ^= 1,
                        _ => {}
                    }
                    host.frame(channel, &Frame::Records { from, records })
                }
                Talk::Length(true, len) => host.frame(channel, &Frame::Ping { len }),
                Talk::Length(false, len) => host.frame(channel, &Frame::Pong { len }),
                Talk::Wait(ms) => host.wait(ms),
                Talk::Appended => host.give(Input::Appended),
            };
            for output in &out {
                match output {
                    Output::Records(records) => {
                        let mut log = Log::read(header.clone(), host.stored.clone()).unwrap();
                        for record in records {
                            if log.append(record.clone()).is_err() {
                                // The page would freeze here.
                                return Ok(());
                            }
                        }
                        host.stored = log.records_from(0).to_vec();
                        host.give(Input::Appended);
                    }
                    Output::Replace { .. } => panic!("the host has written nothing twice"),
                    _ => {}
                }
            }
            for frame in frames(&out, channel) {
                if let Frame::Records { from, records } = frame {
                    let from = from as usize;
                    prop_assert_eq!(&records[..], &host.stored[from..from + records.len()]);
                }
            }
        }
        prop_assert_eq!(&host.stored[..], &all[..host.stored.len()]);
    }
}
