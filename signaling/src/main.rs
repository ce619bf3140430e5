//! signaling
fn main() {}
