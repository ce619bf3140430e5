//! zari
fn main() {}
