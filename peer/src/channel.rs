use crate::pace::Pace;
use crate::{ChannelId, Frame, Output, Room};
use fair_dice::Value;
use std::collections::VecDeque;
use table::{Accept, Secret};

/// How many violations end a channel.
const STRIKES: u8 = 3;
/// More frames than this waiting to be sent: the other end asks for more than it may.
const MOST_WAITING: usize = 128;

/// One attempt to connect, or the data channel that came of it.
#[derive(Debug)]
pub(crate) struct Channel {
    pub(crate) id: ChannelId,
    pub(crate) room: Room,
    pub(crate) phase: Phase,
    /// When it is given up unless it got further.
    pub(crate) deadline: Option<u64>,
    strikes: u8,
    inbound: Pace,
    outbound: Pace,
    outbox: VecDeque<Vec<u8>>,
}

/// What a channel is about.
#[derive(Debug)]
pub(crate) enum Phase {
    /// An attempt.
    Connecting,
    /// Host: OFFER is sent.
    Offering {
        /// The ACCEPT that START was sent for.
        accept: Option<Box<Accept>>,
    },
    /// Host: SEAT is being stored. The guest may hail already.
    Binding {
        /// His nonce and life.
        hail: Option<([u8; 16], u64)>,
    },
    /// Guest: waits for OFFER.
    AwaitOffer,
    /// Guest: the right OFFER came.
    Offered,
    /// Guest: ACCEPT is sent, START is due.
    Accepted {
        /// The secret of the seat, which nobody else knows and nothing has stored.
        secret: Secret,
        /// The ACCEPT.
        accept: Box<Accept>,
    },
    /// Guest: START came and is being stored.
    Seating,
    /// Both seats: the table's.
    Table(Talk),
}

/// What is said on a channel of a table.
#[derive(Debug, Default)]
pub(crate) struct Talk {
    /// My nonce.
    pub(crate) nonce: [u8; 16],
    /// The other's nonce and life.
    pub(crate) hail: Option<([u8; 16], u64)>,
    /// The other has shown that it has its seat's key.
    pub(crate) proven: bool,
    /// Length and head of the other's log, as far as known.
    pub(crate) theirs: Option<(u32, Value)>,
    /// I hold everything the other holds, or did once on this channel.
    pub(crate) synced: bool,
    /// The number from which records were asked for, until they come.
    pub(crate) asked: Option<u32>,
    /// How far back the search for a fork has gone; 0 when there is none.
    pub(crate) step: u32,
    /// How often in a row the other said that its log is shorter.
    pub(crate) behind: u8,
    /// When to say that this page is there.
    pub(crate) ping_at: u64,
    /// The latest sign of life.
    pub(crate) heard_at: u64,
}

impl Channel {
    pub(crate) fn new(id: ChannelId, room: Room, deadline: u64, now_ms: u64) -> Channel {
        Channel {
            id,
            room,
            phase: Phase::Connecting,
            deadline: Some(deadline),
            strikes: 0,
            inbound: Pace::new(20, 60, now_ms),
            // Below what the other end allows, so that a late bunch is no strike.
            outbound: Pace::new(15, 40, now_ms),
            outbox: VecDeque::new(),
        }
    }

    pub(crate) fn is_open(&self) -> bool {
        !matches!(self.phase, Phase::Connecting)
    }

    pub(crate) fn talk(&self) -> Option<&Talk> {
        match &self.phase {
            Phase::Table(talk) => Some(talk),
            _ => None,
        }
    }

    pub(crate) fn talk_mut(&mut self) -> Option<&mut Talk> {
        match &mut self.phase {
            Phase::Table(talk) => Some(talk),
            _ => None,
        }
    }

    pub(crate) fn is_proven(&self) -> bool {
        self.talk().is_some_and(|it| it.proven)
    }

    /// Whether one more message of the other end is within its rate.
    pub(crate) fn receives(&mut self, now_ms: u64) -> bool {
        self.inbound.pass(now_ms)
    }

    /// Counts a violation; true when it was the last one.
    pub(crate) fn strike(&mut self) -> bool {
        self.strikes = self.strikes.saturating_add(1);
        self.strikes >= STRIKES
    }

    pub(crate) fn send(&mut self, frame: &Frame) {
        self.outbox.push_back(frame.to_bytes());
    }

    pub(crate) fn is_clogged(&self) -> bool {
        self.outbox.len() > MOST_WAITING
    }

    /// Sends what may be sent now.
    pub(crate) fn flush(&mut self, now_ms: u64, out: &mut VecDeque<Output>) {
        while !self.outbox.is_empty() && self.outbound.pass(now_ms) {
            if let Some(bytes) = self.outbox.pop_front() {
                out.push_back(Output::Send(self.id, bytes));
            }
        }
    }

    /// Sends the rest, because the channel is about to be closed.
    pub(crate) fn drain(&mut self, out: &mut VecDeque<Output>) {
        // No more than the other end takes in one bunch.
        for bytes in self.outbox.drain(..).take(16) {
            out.push_back(Output::Send(self.id, bytes));
        }
    }

    pub(crate) fn flush_at(&self) -> Option<u64> {
        (!self.outbox.is_empty()).then(|| self.outbound.free_at())
    }
}
