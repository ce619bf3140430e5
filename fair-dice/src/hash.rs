use hkdf::Hkdf;
use sha2::{Digest, Sha256};

/// 32 bytes: a hash, a secret, a value of a chain or the seed of a roll.
pub type Value = [u8; 32];

/// SHA-256 of `bytes`.
#[must_use]
pub fn sha256(bytes: &[u8]) -> Value {
    Sha256::digest(bytes).into()
}

/// The protocol's tagged hash:
/// SHA-256 of `u8 len(tag) ‖ tag ‖` for each part `u32be len(part) ‖ part`.
///
/// The lengths make it injective: no two lists of parts hash the same bytes, and no value made
/// for one purpose can stand for another.
///
/// # Panics
///
/// When the tag is longer than 255 bytes or a part longer than 4 GiB. Tags are constants of the
/// program and parts are bounded by the decoders, so nothing that was received can cause it.
#[must_use]
pub fn tagged_hash(tag: &str, parts: &[&[u8]]) -> Value {
    let mut hash = Sha256::new();
    let tag_length = u8::try_from(tag.len()).expect("a tag has at most 255 bytes");
    hash.update([tag_length]);
    hash.update(tag);
    for part in parts {
        let length = u32::try_from(part.len()).expect("a part has less than 4 GiB");
        hash.update(length.to_be_bytes());
        hash.update(part);
    }
    hash.finalize().into()
}

/// 32 bytes derived from `secret` for the purpose `tag`: HKDF-SHA-256 (RFC 5869) without salt,
/// `tag` as its info.
///
/// # Panics
///
/// Never: 32 bytes are one block of HKDF, which can give 255.
#[must_use]
pub fn derive(secret: &Value, tag: &str) -> Value {
    let mut derived = Value::default();
    Hkdf::<Sha256>::new(None, secret)
        .expand(tag.as_bytes(), &mut derived)
        .expect("one block is never too long for HKDF");
    derived
}
