//! A match as an append-only log of signed entries, and the table that is its fold.
//!
//! Whose word is next is a function of the log ([`Table::awaiting`]), so two logs can lag but not
//! fork. Nothing here draws random numbers, reads a clock or does any I/O: secrets come in as
//! arguments, times as milliseconds.
//!
//! The layouts of bytes and the state table are described in PROTOCOL.md.
#![forbid(unsafe_code)]

mod bytes;
mod claim;
mod draft;
mod entry;
mod header;
mod log;
mod name;
mod seat;
mod table;
mod transcript;
mod verify;

pub use claim::{Claim, Why};
pub use draft::{Draft, Reach, Refusal, Target, Touched};
pub use entry::{Body, Entry, Kind, Record, RecordError, Resignation};
pub use header::{
    Accept, Header, HeaderError, Offer, Seated, Start, Taken, VERSION, four_words, game_id,
    invitation_key, room,
};
pub use log::{Log, RecordFault};
pub use name::{NAME_BYTES, Name, NameError};
pub use seat::{PublicKey, Seat, Secret, SignatureBytes, is_signed_by};
pub use table::{Awaiting, Command, Ending, Fault, GameResult, Kinds, Roll, State, Table, Turn};
pub use transcript::{Transcript, TranscriptError, TranscriptFault};
pub use verify::{Report, Verdict, verdict, verify};
