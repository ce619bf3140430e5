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
    /// The link was damaged on its way.
    BadLink,
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
