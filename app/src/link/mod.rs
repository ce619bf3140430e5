//! The way to the friend's page.

mod view;

pub use view::{LinkReason, LinkState, LinkView};
