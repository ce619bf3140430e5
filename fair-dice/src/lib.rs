//! Dice that neither of two distrusting players chose.
//!
//! Each seat commits to a chain of 16,384 hashed values by publishing its first value, the
//! anchor, before the game. Roll `i` is made of both seats' values number `i`; a value is proven
//! by hashing it back to the one before. So all dice are fixed before the first checker moves and
//! known to nobody until both seats have spoken.
//!
//! Everything here is a pure function of bytes: no clock, no source of randomness, no input or
//! output. The layouts are described in PROTOCOL.md under "Dice".

#![forbid(unsafe_code)]

mod chain;
mod hash;
mod revealed;
mod roll;
mod simulate;
mod statistics;
mod tip;

pub use chain::{CHAIN_LENGTH, Chain, LAST_ROLL_TO_START_A_GAME, chain_step};
pub use hash::{Value, derive, sha256, tagged_hash};
pub use revealed::{RevealError, Revealed};
pub use roll::{Opening, dice, opening, seed};
pub use simulate::{SimulatedRoll, SimulatedRolls, simulate};
pub use statistics::{CELLS, Counts, PairCounts, cell, chi_squared, chi_squared_p, usual_range};
pub use tip::{tip_guest, tip_host};
