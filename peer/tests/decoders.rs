//! Whatever bytes arrive, whatever is called in whatever order: no panic, and nothing that is not exactly
//! what would have been written is read.
#![allow(clippy::unwrap_used)]

use peer::{
    Address, ChannelId, Departure, Frame, FrameError, GuestSeat, HostSeat, Input, Invite, Kept,
    Letter, Meeting, Output, PageLife, Peer, Room, Signal, Token, Visibility, Wish,
};
use proptest::collection::vec;
use proptest::prelude::*;
use rules::{Color, Die, Move, Place, Play, Point, Ruleset};
use table::{Accept, Body, Entry, Name, Offer, Record, Resignation, Seated, Secret, Start, Taken};

fn offer() -> Offer {
    let ruleset = Ruleset::georgian(3, Place::TwoBrowsers);
    let host_key = Secret::new([2; 32]).public_key();
    Offer { ruleset, host_key, host_name: Name::of("ნინო") }
}

fn accept() -> Accept {
    Accept { guest_key: [3; 32], anchor: [4; 32], guest_name: Name::of("Гость") }
}

fn seated() -> Seated {
    Seated { signature: [5; 64], meeting: [6; 32], accept: accept() }
}

fn record(seq: u32) -> Record {
    let mut play = Play::NONE;
    for die in [6, 5] {
        play.push(Move { from: Point::BAR, die: Die::new(die).unwrap() });
    }
    let body = if seq.is_multiple_of(2) { Body::Play(play, Some([7; 32])) } else { Body::Double };
    let entry = Entry { seat: Color::Black, seq, prev: [8; 32], spent_ms: 9, body };
    Record { entry, signature: [10; 64] }
}

fn frames() -> Vec<Frame> {
    let mut claim = vec![1, 2];
    claim.extend([0; 104]);
    let mut frames = vec![
        Frame::Offer { pad: [1; 32], offer: offer().to_bytes() },
        Frame::Accept(accept().to_bytes()),
        Frame::Start(Start { anchor: [1; 32], signature: [2; 64] }),
        Frame::Seat(Box::new(seated())),
        Frame::Hail { nonce: [1; 16], life: 0x0102_0304_0506_0708 },
        Frame::Prove([3; 64]),
        Frame::Sync { len: 5, head: [6; 32], life: 7 },
        Frame::Need { from: 8 },
        Frame::Records { from: 9, records: (9..41).map(record).collect() },
        Frame::Claim(Box::new(table::Claim::from_bytes(&claim).unwrap())),
        Frame::Ping { len: 10 },
        Frame::Pong { len: 11 },
        Frame::Wish(Wish::NextGame),
        Frame::Hide(Visibility::Shown),
        Frame::Hide(Visibility::Hidden),
    ];
    let departures = [Departure::Reload, Departure::Leave, Departure::Superseded];
    frames.extend(departures.map(Frame::Bye));
    frames.extend(Resignation::ALL.map(|it| Frame::Wish(Wish::Resign(it))));
    frames
}

#[test]
fn every_frame_reads_back_and_no_longer_or_shorter_one_does() {
    let lengths = [
        (1, None),
        (2, None),
        (3, Some(97)),
        (4, None),
        (16, Some(25)),
        (17, Some(65)),
        (18, Some(45)),
        (19, Some(5)),
        (20, None),
        (21, Some(107)),
        (32, Some(5)),
        (33, Some(5)),
        (34, Some(2)),
        (35, Some(3)),
        (36, Some(2)),
    ];
    for frame in frames() {
        let bytes = frame.to_bytes();
        assert_eq!(Frame::from_bytes(&bytes), Ok(frame.clone()));
        let (_, length) = lengths.iter().find(|(kind, _)| *kind == bytes[0]).unwrap();
        if let Some(length) = length {
            assert_eq!(bytes.len(), *length, "{frame:?}");
            assert!(Frame::from_bytes(&bytes[..bytes.len() - 1]).is_err(), "{frame:?}");
        }
        if *length == Some(bytes.len()) || matches!(frame, Frame::Seat(_) | Frame::Records { .. }) {
            assert!(Frame::from_bytes(&[bytes.as_slice(), &[0]].concat()).is_err(), "{frame:?}");
        }
    }
}

#[test]
fn a_frame_has_its_limits() {
    let records: Vec<_> = (0..33).map(record).collect();
    let frame = Frame::Records { from: 0, records };
    assert_eq!(Frame::from_bytes(&frame.to_bytes()), Err(FrameError::Layout(20)));
    let none = Frame::Records { from: 0, records: Vec::new() };
    assert_eq!(Frame::from_bytes(&none.to_bytes()), Err(FrameError::Layout(20)));
    assert_eq!(Frame::from_bytes(&[2; peer::FRAME_BYTES + 1]), Err(FrameError::TooLong));
    assert_eq!(Frame::from_bytes(&[]), Err(FrameError::UnknownType));
    let known = [1, 2, 3, 4, 16, 17, 18, 19, 20, 21, 32, 33, 34, 35, 36];
    for kind in (0..=255).filter(|it| !known.contains(it)) {
        assert_eq!(Frame::from_bytes(&[kind, 0, 0]), Err(FrameError::UnknownType));
    }
    let zero: [&[u8]; 6] = [&[34, 0], &[35, 1, 1], &[35, 2, 0], &[35, 2, 5], &[35, 3, 0], &[36, 2]];
    assert!(zero.iter().all(|it| Frame::from_bytes(it).is_err()));
}

fn kept() -> [Kept; 3] {
    let secret = Secret::new([2; 32]);
    let host = HostSeat { pad: [1; 32], secret: secret.clone(), offer: offer(), seated: None };
    let start = Start { anchor: [3; 32], signature: [4; 64] };
    let guest = GuestSeat { key: [9; 32], secret, offer: offer(), accept: accept(), start };
    [
        Kept::Host(host.clone()),
        Kept::Host(HostSeat { seated: Some(seated()), ..host }),
        Kept::Guest(guest),
    ]
}

#[test]
fn a_stored_seat_reads_back_and_a_damaged_one_is_refused() {
    for kept in kept() {
        let bytes = kept.to_bytes();
        assert_eq!(Kept::from_bytes(&bytes), Ok(kept.clone()));
        for len in 0..bytes.len() {
            let cut = Kept::from_bytes(&bytes[..len]);
            // A bound host's seat cut behind the offer is an unbound one's: the guest seats him again.
            assert!(cut.is_err() || matches!(&cut, Ok(Kept::Host(it)) if it.seated.is_none()));
        }
        let longer = [bytes.as_slice(), &[0]].concat();
        assert!(Kept::from_bytes(&longer).is_err());
        assert!(!format!("{kept:?}").contains("[2, 2, 2"), "the secret is never shown");
    }
    assert!(kept()[1].header().is_err(), "parts that do not belong together");
}

/// Bytes that look like something: a valid frame with a few bytes changed, cut or added.
fn almost() -> impl Strategy<Value = Vec<u8>> {
    let all: Vec<_> = frames().iter().map(Frame::to_bytes).collect();
    (
        proptest::sample::select(all),
        vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
        0..3usize,
    )
        .prop_map(|(mut bytes, changes, cut)| {
            for (at, value) in changes {
                let at = at.index(bytes.len());
                bytes[at] = value;
            }
            bytes.truncate(bytes.len() - cut.min(bytes.len()));
            bytes
        })
}

#[derive(Clone, Debug)]
enum Step {
    Tick(u64),
    Awake,
    Room(u8, bool),
    Who(bool, u8, bool),
    Sealed(bool, Vec<u8>),
    Letter(bool, bool, u8, u32, u8),
    Signal(u32, u8),
    Channel(u32, bool),
    Frame(u32, Vec<u8>),
    Storage(u32, bool),
    Log(bool),
    User(u8),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        (0..30_000u64).prop_map(Step::Tick),
        Just(Step::Awake),
        (0..2u8, any::<bool>()).prop_map(|(room, up)| Step::Room(room, up)),
        (any::<bool>(), 0..4u8, any::<bool>()).prop_map(|(r, a, here)| Step::Who(r, a, here)),
        (any::<bool>(), vec(any::<u8>(), 0..200)).prop_map(|(room, it)| Step::Sealed(room, it)),
        (any::<bool>(), any::<bool>(), 0..5u8, 0..3u32, 0..5u8)
            .prop_map(|(room, role, sid, n, what)| Step::Letter(room, role, sid, n, what)),
        (0..4u32, 0..3u8).prop_map(|(channel, what)| Step::Signal(channel, what)),
        (0..4u32, any::<bool>()).prop_map(|(channel, open)| Step::Channel(channel, open)),
        (0..4u32, prop_oneof![vec(any::<u8>(), 0..200), almost()])
            .prop_map(|(channel, bytes)| Step::Frame(channel, bytes)),
        (0..4u32, any::<bool>()).prop_map(|(token, well)| Step::Storage(token, well)),
        any::<bool>().prop_map(Step::Log),
        (0..8u8).prop_map(Step::User),
    ]
}

fn take(peer: &mut Peer, step: &Step, now: &mut u64, key: &[u8; 32], sids: &[[u8; 16]]) {
    let room = |it: bool| if it { Room::Table } else { Room::Invitation };
    let sealed;
    let input = match step {
        Step::Tick(ms) => {
            *now += ms;
            Input::Tick
        }
        Step::Awake => Input::Awake,
        Step::Room(it, true) => Input::RoomUp(room(*it == 0)),
        Step::Room(it, false) => Input::RoomDown(room(*it == 0)),
        Step::Who(it, who, true) => Input::Arrived(room(*it), Address([*who; 16])),
        Step::Who(it, who, false) => Input::Gone(room(*it), Address([*who; 16])),
        Step::Sealed(it, bytes) => Input::Sealed { room: room(*it), from: Address([1; 16]), bytes },
        Step::Letter(it, role, sid, n, what) => {
            let taken = Taken { guest_key: [1; 32], signature: [2; 64] };
            let letter = match what {
                0 => Letter::Hello,
                1 => Letter::Signal(Signal::Offer("o".into())),
                2 => Letter::Signal(Signal::Answer("a".into())),
                3 => Letter::Signal(Signal::Ice("i".into())),
                _ => Letter::Taken(taken),
            };
            let other = match what {
                0 => [0; 16],
                _ => sids.last().copied().unwrap_or([7; 16]),
            };
            let role = if *role { Color::White } else { Color::Black };
            let heading = peer::Heading { role, own: [*sid; 16], other, n: *n };
            sealed = Meeting::new(key).seal(&heading, &[1; 24], &letter);
            Input::Sealed { room: room(*it), from: Address([*sid; 16]), bytes: &sealed }
        }
        Step::Signal(channel, what) => {
            let signal = match what {
                0 => Signal::Offer("o".into()),
                1 => Signal::Answer("a".repeat(20_000)),
                _ => Signal::Ice("i".into()),
            };
            Input::Signal(ChannelId(*channel), signal)
        }
        Step::Channel(channel, true) => Input::Opened(ChannelId(*channel)),
        Step::Channel(channel, false) => Input::Closed(ChannelId(*channel)),
        Step::Frame(channel, bytes) => Input::Frame(ChannelId(*channel), bytes),
        Step::Storage(token, true) => Input::Stored(Token(*token)),
        Step::Storage(token, false) => Input::StoreFailed(Token(*token)),
        Step::Log(true) => Input::Appended,
        Step::Log(false) => Input::Fault,
        Step::User(0) => Input::Accept(Name::of("x")),
        Step::User(1) => Input::Wish(Wish::NextGame),
        Step::User(2) => Input::Visibility(Visibility::Hidden),
        Step::User(3) => Input::Visibility(Visibility::Shown),
        Step::User(4) => Input::Leaving(Departure::Leave),
        Step::User(5) => Input::PlayHere,
        Step::User(_) => Input::Tick,
    };
    peer.handle(input, &[], *now);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_bytes_are_read_without_panic_and_exactly(bytes in vec(any::<u8>(), 0..400)) {
        if let Ok(frame) = Frame::from_bytes(&bytes) {
            prop_assert_eq!(frame.to_bytes(), bytes.clone());
        }
        if let Some(letter) = Letter::from_bytes(&bytes) {
            prop_assert_eq!(letter.to_bytes(), bytes.clone());
        }
        prop_assert!(Meeting::new(&[1; 32]).open(&bytes).is_none());
        if let Ok(kept) = Kept::from_bytes(&bytes) {
            let _ = kept.header();
            prop_assert_eq!(kept.to_bytes(), bytes);
        }
    }

    #[test]
    fn what_is_almost_a_frame_is_read_exactly(bytes in almost()) {
        if let Ok(frame) = Frame::from_bytes(&bytes) {
            prop_assert_eq!(frame.to_bytes(), bytes);
        }
    }

    #[test]
    fn a_damaged_seat_is_read_exactly_or_refused(
        which in 0..3usize,
        at in any::<prop::sample::Index>(),
        value in any::<u8>(),
    ) {
        let mut bytes = kept()[which].to_bytes();
        let at = at.index(bytes.len());
        bytes[at] = value;
        if let Ok(kept) = Kept::from_bytes(&bytes) {
            let _ = kept.header();
            prop_assert_eq!(kept.to_bytes(), bytes);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..Default::default() })]

    /// Inputs in any order, among them sealed signals of somebody with the link and frames that are
    /// almost right: no panic, no output without end, and alarm clocks that lie ahead.
    #[test]
    fn any_inputs_in_any_order(host in any::<bool>(), steps in vec(step(), 1..120)) {
        let page = PageLife { life: 5, entropy: [1; 32], visibility: Visibility::Shown };
        let key = offer().invitation_key(&[1; 32]);
        let mut peer = if host {
            let secret = Secret::new([2; 32]);
            let offer = offer();
            let (ruleset, name) = (offer.ruleset, offer.host_name);
            Peer::invite(Invite { pad: [1; 32], secret, ruleset, name }, page, 0)
        } else {
            Peer::join(key, page, 0)
        };
        let mut now = 0;
        let mut sids = Vec::new();
        for step in &steps {
            take(&mut peer, step, &mut now, &key, &sids);
            let mut outputs = 0;
            while let Some(output) = peer.poll() {
                outputs += 1;
                prop_assert!(outputs < 400);
                if let Output::Tell { sealed, .. } = output {
                    prop_assert!(sealed.len() <= 12_288);
                    sids.push(sealed[1..17].try_into().unwrap());
                }
            }
        }
        // Left alone it comes to rest: a few ticks a second at most.
        let until = now + 60_000;
        let mut ticks = 0;
        while let Some(at) = peer.wake_at().filter(|&at| at <= until) {
            ticks += 1;
            prop_assert!(ticks < 600, "it spins");
            now = at.max(now + 1);
            peer.handle(Input::Tick, &[], now);
            while peer.poll().is_some() {}
        }
    }
}
