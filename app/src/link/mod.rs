//! The way to the friend's page.

mod attempt;
mod connections;
mod socket;
mod view;
mod wire;

pub use attempt::News;
pub use socket::Happening;
pub use view::{LinkReason, LinkState, LinkView, RoomTrouble, Seen};
pub use wire::{Wire, WireEvent};
