//! The computer player: it values positions, chooses plays and decides about the cube.
//!
//! Pure: no clock, no entropy, no I/O. Everything is from the view of the side on roll.
#![forbid(unsafe_code)]

mod bearoff;
mod chances;
mod choose;
mod evaluate;
mod inputs;
mod met;
mod net;
mod search;

pub use bearoff::BearOff;
pub use chances::Chances;
pub use choose::{Scratch, choose, choose_with};
pub use evaluate::{Class, Evaluator, Nets, class};
pub use inputs::{INPUTS, Inputs};
pub use met::MatchEquity;
pub use net::{Net, OUTPUTS, WeightsError};
pub use search::{Depth, Ranked, rank, value};
