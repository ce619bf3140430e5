use peer::{Link, Presence, Refusal};

/// How the connection is, in the words of `data-state`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LinkState {
    /// Nobody to connect to.
    #[default]
    Idle,
    /// Looking for the other page.
    Signaling,
    /// The two pages are connecting.
    Connecting,
    /// Both hold the same log and hear each other.
    Connected,
    /// The connection broke and is being rebuilt.
    Reconnecting,
    /// The other page is closed, hidden or silent.
    Away,
    /// Another page of this seat plays instead.
    Lost,
    /// It does not work; the reason says why.
    Failed,
}

impl LinkState {
    /// The value of `data-state`.
    pub const fn name(self) -> &'static str {
        match self {
            LinkState::Idle => "idle",
            LinkState::Signaling => "signaling",
            LinkState::Connecting => "connecting",
            LinkState::Connected => "connected",
            LinkState::Reconnecting => "reconnecting",
            LinkState::Away => "away",
            LinkState::Lost => "lost",
            LinkState::Failed => "failed",
        }
    }
}

/// Why there is no connection, each with a sentence and a next step of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LinkReason {
    /// This browser has no WebRTC, or it is switched off.
    NoWebRtc,
    /// The browser's source of randomness fails: no dice, no online play.
    NoRandomness,
    /// The signaling server does not answer.
    SignalingUnreachable,
    /// Too many pages are waiting in this room.
    RoomFull,
    /// The host's page is not open. If the game has begun, only its two players can open it.
    HostAbsent,
    /// The guest, or the host at a begun game, is not there.
    FriendAbsent,
    /// The game is taken by somebody else.
    Taken,
    /// The other page is of another version; the reader of this may reload his own.
    OtherVersion,
    /// The two networks let no direct connection through.
    Blocked,
    /// The host did not answer; it is tried again.
    NoAnswer,
    /// A newer page of this seat plays; "play here" takes the seat back.
    Superseded,
    /// The other side's log contradicts this one: the table is frozen, the transcript is evidence.
    Fault,
}

/// How the connection is, and why it is not better.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct LinkView {
    /// How it is.
    pub state: LinkState,
    /// Why it is not better.
    pub reason: Option<LinkReason>,
    /// The other page is hidden or its screen is off: it may be silent for a while.
    pub screen_off: bool,
}

/// Whether the signaling server lets this page into a room.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RoomTrouble {
    /// As far as is known.
    #[default]
    None,
    /// It does not answer, or not as it should.
    Unreachable,
    /// The room has eight sockets already.
    Full,
}

/// Everything from which a [`LinkView`] follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Where the connection stands, as the peer crate sees it.
    pub link: Link,
    /// How the other side is.
    pub presence: Presence,
    /// Whether the game exists: both are bound to it.
    pub is_seated: bool,
    /// Whether this is the host's page.
    pub is_host: bool,
    /// Whether the two were synced in this page life.
    pub was_live: bool,
    /// Why there will be no game, if so.
    pub refusal: Option<Refusal>,
    /// Whether this browser has WebRTC.
    pub can_connect: bool,
    /// What the signaling server says.
    pub room: RoomTrouble,
    /// Attempts to connect that came to nothing since a channel was last open.
    pub failed_attempts: u32,
    /// Milliseconds since a channel was last open, or since the page began to look.
    pub waited_ms: u64,
}

/// How long a guest looks for the host, or a player for the friend, before the page says that nobody
/// is there.
const ALONE_MS: u64 = 8_000;
/// How long a connection is being rebuilt before the friend counts as away.
const REBUILDING_MS: u64 = 10_000;
/// How long the host may leave a guest who is connected without a word.
const SILENT_MS: u64 = 15_000;
/// After this a reason is given in any case.
const REASON_MS: u64 = 22_000;

impl LinkView {
    /// The view of a connection: every state that does not lead on by itself has its reason within
    /// 25 s.
    pub fn of(seen: &Seen) -> LinkView {
        let view = |state, reason| LinkView { state, reason, screen_off: false };
        let failed = |reason| view(LinkState::Failed, Some(reason));
        let trying = if seen.was_live { LinkState::Reconnecting } else { LinkState::Connecting };
        let looking = if seen.was_live { LinkState::Reconnecting } else { LinkState::Signaling };
        match seen.refusal {
            Some(Refusal::Taken) => return failed(LinkReason::Taken),
            Some(Refusal::OtherVersion { .. }) => return failed(LinkReason::OtherVersion),
            Some(Refusal::Storage) => return failed(LinkReason::Fault),
            Some(Refusal::NoStart) if seen.link != Link::Live => {
                return view(trying, Some(LinkReason::NoAnswer));
            }
            Some(Refusal::NoStart) | None => {}
        }
        match seen.link {
            Link::Superseded => return view(LinkState::Lost, Some(LinkReason::Superseded)),
            Link::Frozen => return failed(LinkReason::Fault),
            _ => {}
        }
        if !seen.can_connect {
            return failed(LinkReason::NoWebRtc);
        }
        let is_trying = matches!(seen.link, Link::Signaling | Link::Alone | Link::Connecting);
        if is_trying && matches!(seen.presence, Presence::Left(_)) {
            // What goes on in the rooms is ghosts until the other page is opened again.
            return view(LinkState::Away, Some(LinkReason::FriendAbsent));
        }
        match seen.link {
            Link::Live => match seen.presence {
                Presence::Away | Presence::Left(_) => view(LinkState::Away, None),
                Presence::ScreenOff => {
                    LinkView { screen_off: true, ..view(LinkState::Connected, None) }
                }
                _ => view(LinkState::Connected, None),
            },
            Link::Meeting if seen.is_seated => view(trying, None),
            // The guest reads the offer, or the host waits for him to accept it.
            Link::Meeting if seen.waited_ms < SILENT_MS => view(LinkState::Connected, None),
            Link::Meeting => view(LinkState::Connected, Some(LinkReason::NoAnswer)),
            Link::Storing => view(looking, None),
            Link::Signaling => match seen.room {
                RoomTrouble::Full => failed(LinkReason::RoomFull),
                RoomTrouble::Unreachable if seen.was_live => {
                    view(looking, Some(LinkReason::SignalingUnreachable))
                }
                RoomTrouble::Unreachable => failed(LinkReason::SignalingUnreachable),
                RoomTrouble::None if seen.waited_ms > REASON_MS => {
                    failed(LinkReason::SignalingUnreachable)
                }
                RoomTrouble::None => view(looking, None),
            },
            Link::Alone | Link::Connecting if seen.failed_attempts > 0 => {
                failed(LinkReason::Blocked)
            }
            Link::Connecting if seen.waited_ms > REASON_MS && seen.is_seated => {
                view(LinkState::Away, Some(LinkReason::FriendAbsent))
            }
            Link::Connecting if seen.waited_ms > REASON_MS && !seen.is_host => {
                failed(LinkReason::Blocked)
            }
            Link::Connecting => view(trying, None),
            Link::Alone if !seen.is_seated && seen.is_host => view(LinkState::Signaling, None),
            Link::Alone if !seen.is_seated => {
                if seen.waited_ms > ALONE_MS {
                    failed(LinkReason::HostAbsent)
                } else {
                    view(LinkState::Signaling, None)
                }
            }
            Link::Alone => {
                let limit = if seen.was_live { REBUILDING_MS } else { ALONE_MS };
                if seen.waited_ms > limit {
                    view(LinkState::Away, Some(LinkReason::FriendAbsent))
                } else {
                    view(looking, None)
                }
            }
            Link::Refused | Link::Superseded | Link::Frozen => failed(LinkReason::Fault),
        }
    }
}

#[cfg(test)]
mod tests {
    use peer::Departure;

    use super::*;

    const AT_FIRST: Seen = Seen {
        link: Link::Signaling,
        presence: Presence::Unmet,
        is_seated: false,
        is_host: false,
        was_live: false,
        refusal: None,
        can_connect: true,
        room: RoomTrouble::None,
        failed_attempts: 0,
        waited_ms: 0,
    };

    fn of(seen: Seen) -> (LinkState, Option<LinkReason>) {
        let view = LinkView::of(&seen);
        (view.state, view.reason)
    }

    #[test]
    fn a_guest_gets_a_reason_within_25_s_wherever_it_hangs() {
        for link in [Link::Signaling, Link::Alone, Link::Connecting, Link::Meeting] {
            let seen = Seen { link, waited_ms: 24_000, ..AT_FIRST };
            assert!(of(seen).1.is_some(), "{link:?}");
            let seated = Seen { is_seated: true, ..seen };
            if link != Link::Meeting {
                assert!(of(seated).1.is_some(), "{link:?}");
            }
        }
    }

    #[test]
    fn every_failure_has_its_own_reason() {
        let failed = |seen| {
            let (state, reason) = of(seen);
            assert_eq!(state, LinkState::Failed);
            reason
        };
        let alone = Seen { link: Link::Alone, waited_ms: 9_000, ..AT_FIRST };
        let reasons = [
            failed(Seen { can_connect: false, ..AT_FIRST }),
            failed(Seen { room: RoomTrouble::Full, ..AT_FIRST }),
            failed(Seen { room: RoomTrouble::Unreachable, ..AT_FIRST }),
            failed(alone),
            failed(Seen { refusal: Some(Refusal::Taken), ..alone }),
            failed(Seen { refusal: Some(Refusal::OtherVersion { theirs: 2 }), ..alone }),
            failed(Seen { failed_attempts: 1, ..alone }),
            failed(Seen { link: Link::Frozen, ..AT_FIRST }),
        ];
        let expected = [
            LinkReason::NoWebRtc,
            LinkReason::RoomFull,
            LinkReason::SignalingUnreachable,
            LinkReason::HostAbsent,
            LinkReason::Taken,
            LinkReason::OtherVersion,
            LinkReason::Blocked,
            LinkReason::Fault,
        ];
        assert_eq!(reasons, expected.map(Some));
    }

    #[test]
    fn a_waiting_host_is_not_a_failure() {
        let host = Seen { is_host: true, link: Link::Alone, waited_ms: 3_600_000, ..AT_FIRST };
        assert_eq!(of(host), (LinkState::Signaling, None));
    }

    #[test]
    fn a_live_connection_does_not_mind_the_signaling_server() {
        let live = Seen {
            link: Link::Live,
            presence: Presence::Here,
            is_seated: true,
            was_live: true,
            room: RoomTrouble::Unreachable,
            ..AT_FIRST
        };
        assert_eq!(of(live), (LinkState::Connected, None));
        let left = Presence::Left(Departure::Leave);
        assert_eq!(of(Seen { presence: left, ..live }).0, LinkState::Away);
        let gone = Seen { link: Link::Alone, presence: left, ..live };
        assert_eq!(of(gone), (LinkState::Away, Some(LinkReason::FriendAbsent)));
        let ghosts = Seen { link: Link::Connecting, ..gone };
        assert_eq!(of(ghosts), (LinkState::Away, Some(LinkReason::FriendAbsent)));
        let back = Seen { link: Link::Meeting, ..gone };
        assert_eq!(of(back), (LinkState::Reconnecting, None));
    }
}
