use crate::{Address, ChannelId, Departure, Kept, Room, Signal, Token, Wish};
use fair_dice::Value;
use table::{Claim, Header, Offer, Record};

/// Who makes the session description of an attempt. Seat 0 always offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// This end makes the offer.
    Offerer,
    /// This end waits for the offer, which follows as [`Output::Signal`], and answers it.
    Answerer,
}

/// Why a connection has to be closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CloseReason {
    /// The attempt took too long.
    TimedOut,
    /// A newer connection took its place.
    Replaced,
    /// A newer page of the other seat took its place.
    NewerLife,
    /// Its other end broke the protocol three times, or once beyond repair.
    Misbehaved,
    /// It leads to nobody who could play here: another offer than the link's, a seat that is taken.
    Stranger,
    /// The other end said goodbye.
    Departed,
    /// This page does not act any more: superseded, frozen or leaving.
    Silent,
}

/// How the other side is, judged by its silence alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Presence {
    /// It was not met in this page life yet.
    #[default]
    Unmet,
    /// Heard within 8 s.
    Here,
    /// Visible and silent for 8 s: no alarm yet.
    Shaky,
    /// Its page is hidden or its screen off, and it is not silent for more than 75 s.
    ScreenOff,
    /// Visible and silent for 15 s, or hidden and silent for 75 s.
    Away,
    /// It said goodbye.
    Left(Departure),
}

/// Where the connection stands, for the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    /// Waiting for the storage.
    Storing,
    /// No room could be entered yet.
    Signaling,
    /// In a room and alone there.
    Alone,
    /// Somebody is there, an attempt to connect is under way.
    Connecting,
    /// A channel is open, the table is not synced on it yet (or the guest's user has not accepted yet).
    Meeting,
    /// The table is synced with the other side over a live channel.
    Live,
    /// A newer page of this seat acts.
    Superseded,
    /// The table is frozen for this page life.
    Frozen,
    /// It is over: see [`Output::Refused`].
    Refused,
}

/// Why there will be no game over this link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The other page speaks another version of the protocol, or offers a variant unknown here.
    OtherVersion {
        /// The version, or the variant's byte, that the other page speaks.
        theirs: u8,
    },
    /// The invitation was used by somebody else.
    /// To an unseated guest this is hearsay of somebody with the link, so he goes on trying.
    Taken,
    /// The host did not answer ACCEPT within 20 s. The guest tries again by himself.
    NoStart,
    /// The storage refused what has to survive a crash.
    Storage,
}

/// Two logs that part. Both records carry a valid signature of the same seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fork {
    /// The first entry that differs, as it stands here.
    pub mine: Record,
    /// The same entry as the other side has it.
    pub theirs: Record,
}

/// What the page has to carry out, in this order.
#[derive(Clone, Debug)]
pub enum Output {
    /// Open a websocket to the room of this name.
    Join(Room, String),
    /// Close that websocket.
    Leave(Room),
    /// Send sealed bytes to somebody in a room (base64url encoded as `data`). Lost if the socket is down.
    Tell {
        /// The room.
        room: Room,
        /// Whose socket they are for.
        to: Address,
        /// The bytes.
        sealed: Vec<u8>,
    },

    /// Start an attempt to connect.
    Connect(ChannelId, Role),
    /// Hand what the other end of the attempt told to the connection. The text comes from whoever has the
    /// link and is unchecked beyond its size, UTF-8 and its turn.
    Signal(ChannelId, Signal),
    /// Send one message over an open channel.
    Send(ChannelId, Vec<u8>),
    /// Close a channel or abandon an attempt, after what was sent before. No answer is expected.
    Close(ChannelId, CloseReason),

    /// Store this under [`Kept::key`], replacing what is there, read it back, then say
    /// [`crate::Input::Stored`].
    Store(Token, Box<Kept>),
    /// Store this page life as the last one of this game, read it back, then say
    /// [`crate::Input::Stored`].
    StoreLife(Token, u64),

    /// The invitation is stored: the link with this K may be shown.
    Invited(Value),
    /// A guest sees what he would play; [`crate::Input::Accept`] is awaited.
    Offered(Box<Offer>),
    /// This seat is taken for good: the game exists from here on.
    Seated(Box<Header>),

    /// Records for the log: append, store and read back, then say [`crate::Input::Appended`]; or, if one
    /// does not pass, keep it as evidence and say [`crate::Input::Fault`]. The first one's seq is the
    /// length of the log.
    Records(Vec<Record>),
    /// A second device of this seat wrote another log and nothing signed by the other side is lost: if
    /// the records pass behind the first `len` ones, replace the rest by them, else as [`Output::Records`].
    Replace {
        /// How many records stay.
        len: u32,
        /// What follows them.
        records: Vec<Record>,
    },
    /// Both logs are equal. From the first time on this page may sign entries at this table.
    Synced,
    /// The logs part and mine stays: the table is frozen for this page life.
    Forked(Box<Fork>),
    /// The other side is in another state than before.
    Presence(Presence),
    /// The other side wishes something.
    Wish(Wish),
    /// The other side claims something; its signature holds.
    Claim(Claim),
    /// A newer page of this seat acts; this one is silent until [`crate::Input::PlayHere`].
    Superseded,
    /// The connection stands elsewhere than before.
    Link(Link),
    /// See [`Refusal`].
    Refused(Refusal),
}
