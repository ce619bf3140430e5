//! Two pages that keep one log: meeting, handshake, proof of identity and synchronising.
//!
//! The crate is sans-IO. It reads no clock, draws no randomness and touches no network or storage:
//! the page feeds a [`Peer`] with [`Input`]s and the time, and carries out the [`Output`]s.
//!
//! ```text
//! peer.handle(input, &stored_records, now_ms);
//! while let Some(output) = peer.poll() { carry_out(output) }
//! arm_timer(peer.wake_at());
//! ```
//!
//! **Invariant: nothing is sent that is not stored.** What has to survive a crash leaves as
//! [`Output::Store`], and what depends on it leaves only after [`Input::Stored`] came back with the
//! same token. The log is passed as the slice of records that were stored and read back; no other
//! record is ever sent, announced or counted.
//!
//! **Invariant: no bytes panic.** Whatever arrives is decoded by fixed layouts without recursion; what
//! does not fit is dropped or is a strike.
//!
//! The bytes and the state tables are described in PROTOCOL.md.
#![forbid(unsafe_code)]

mod channel;
mod draw;
mod frame;
mod handshake;
mod input;
mod introducer;
mod kept;
mod output;
mod pace;
mod peer;
mod signal;
mod sync;

pub use frame::{FRAME_BYTES, FRAME_RECORDS, Frame, FrameError, proof};
pub use input::{Address, ChannelId, Departure, Input, Room, Signal, Token, Visibility, Wish};
pub use kept::{GuestSeat, HostSeat, Kept, KeptError};
pub use output::{CloseReason, Fork, Link, Output, Presence, Refusal, Role};
pub use peer::{Invite, PageLife, Peer};
pub use signal::{Heading, Letter, Meeting, SIGNAL_BYTES, Sid, open, seal};
