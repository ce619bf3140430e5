use table::{Claim, Name};

/// Which of the two rooms of the signaling server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Room {
    /// The room of the link (K): an unbound host waits here.
    Invitation,
    /// The private room of the two bound players (R).
    Table,
}

/// How the signaling server names a socket in a room. It names a connection, never a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Address(pub [u8; 16]);

/// One attempt to connect and the data channel that comes of it. Drawn by the [`crate::Peer`], never used
/// twice in a page life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ChannelId(pub u32);

/// Names one write to the storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Token(pub u32);

/// What the two ends of a connection tell each other through the signaling server, in plain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Signal {
    /// The offerer's session description.
    Offer(String),
    /// The answerer's session description.
    Answer(String),
    /// A candidate.
    Ice(String),
}

/// Whether a page can be seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Visibility {
    /// Its user sees it.
    #[default]
    Shown,
    /// In the background, or the screen is off.
    Hidden,
}

/// Why a page says goodbye.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Departure {
    /// It is being reloaded and will be back.
    Reload,
    /// It was closed, or the user went elsewhere.
    Leave,
    /// A newer page of the same seat acts instead.
    Superseded,
}

/// A hint out of turn. It binds nobody: the wisher's own page writes the entry when its word comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// The next game.
    NextGame,
    /// To resign at this value.
    Resign(table::Resignation),
}

/// What the page tells a [`crate::Peer`].
#[derive(Clone, Debug)]
pub enum Input<'a> {
    /// The time [`crate::Peer::wake_at`] named has come.
    Tick,
    /// The page is online again, was shown again or came out of the cache: waiting for the next try to
    /// connect ends now.
    Awake,

    /// The websocket of a room is open.
    RoomUp(Room),
    /// The websocket of a room is closed or could not be opened. The peer asks for it again by itself.
    RoomDown(Room),
    /// Somebody is in this room.
    Arrived(Room, Address),
    /// Somebody left this room, as the server says. A live channel is never ended by it.
    Gone(Room, Address),
    /// Sealed bytes from somebody in this room (base64url decoded).
    Sealed {
        /// The room they came through.
        room: Room,
        /// Whose socket sent them.
        from: Address,
        /// The bytes.
        bytes: &'a [u8],
    },

    /// The connection of this attempt has something to tell its other end.
    Signal(ChannelId, Signal),
    /// The data channel is open.
    Opened(ChannelId),
    /// The attempt failed or the data channel is closed.
    Closed(ChannelId),
    /// One message of a data channel.
    Frame(ChannelId, &'a [u8]),

    /// What [`crate::Output::Store`] asked for was written and read back.
    Stored(Token),
    /// The storage refused it. The handshake stops with [`crate::Refusal::Storage`]; a page that goes on
    /// without storage says [`Input::Stored`] instead and tells its user.
    StoreFailed(Token),
    /// The log that is passed along has grown: records of one's own, or those of
    /// [`crate::Output::Records`], were appended, stored and read back.
    Appended,
    /// Records of [`crate::Output::Records`] did not pass: the table is frozen for this page life.
    /// The page keeps the evidence.
    Fault,

    /// The user of a guest's page accepted the offered ruleset.
    Accept(Name),
    /// A wish out of turn, for the other side.
    Wish(Wish),
    /// A claim of one's own, to be sent now and at every next sync.
    Claim(Claim),
    /// This page was shown or hidden.
    Visibility(Visibility),
    /// The page goes away (`pagehide`).
    Leaving(Departure),
    /// The user of a superseded page wants to play here after all.
    PlayHere,
}
