use crate::{Value, tagged_hash};

const TIP: &str = "zari/tip/1";

/// The end of the host's chain. It depends on the guest's ACCEPT, so that a host who answers
/// several guests, or the same one after a crash, never uses one chain for two games.
#[must_use]
pub fn tip_host(root: &Value, offer: &[u8], accept: &[u8]) -> Value {
    tagged_hash(TIP, &[root, offer, accept])
}

/// The end of the guest's chain. His ACCEPT contains the anchor and so cannot be in it; his
/// secret is new for every ACCEPT until he is seated.
#[must_use]
pub fn tip_guest(root: &Value, offer: &[u8]) -> Value {
    tagged_hash(TIP, &[root, offer])
}
