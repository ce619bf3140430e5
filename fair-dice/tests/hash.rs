//! The hashes against published vectors: NIST's for SHA-256, those of RFC 5869 for HKDF.
#![allow(clippy::unwrap_used)]

use std::collections::HashMap;

use fair_dice::{Value, derive, sha256, tagged_hash};
use hkdf::Hkdf;
use sha2::Sha256;
// The same tests run in the browser's machine, where they must find the same bytes.
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

fn value(digits: &str) -> Value {
    hex::decode(digits).unwrap().try_into().unwrap()
}

/// The blocks of `name = value` lines of a vectors file, separated by lines that begin with
/// `first`.
fn blocks<'a>(file: &'a str, first: &str) -> Vec<HashMap<&'a str, &'a str>> {
    let mut blocks: Vec<HashMap<_, _>> = Vec::new();
    for line in file.lines().filter(|line| !line.starts_with(['#', '['])) {
        let Some((name, value)) = line.split_once('=') else { continue };
        if name.trim() == first {
            blocks.push(HashMap::new());
        }
        blocks.last_mut().unwrap().insert(name.trim(), value.trim());
    }
    blocks
}

/// The byte-oriented short messages of NIST's SHAVS, 0 to 512 bits.
#[test]
fn nist_short_messages() {
    let vectors = blocks(include_str!("data/SHA256ShortMsg.rsp"), "Len");
    assert_eq!(vectors.len(), 65);
    for vector in vectors {
        let bits: usize = vector["Len"].parse().unwrap();
        // The empty message is written as one byte 00.
        let message = hex::decode(vector["Msg"]).unwrap();
        assert_eq!(sha256(&message[..bits / 8]), value(vector["MD"]), "{bits} bits");
    }
}

/// The examples of FIPS 180-2, appendix B: one block, two blocks, a million letters.
#[test]
fn nist_examples() {
    assert_eq!(
        sha256(b"abc"),
        value("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    );
    assert_eq!(
        sha256(b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
        value("248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
    );
    assert_eq!(
        sha256(&vec![b'a'; 1_000_000]),
        value("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    );
}

/// All three SHA-256 cases of RFC 5869, for the HKDF that `derive` stands on. Its own form, a
/// secret of 32 bytes and 32 bytes out, is in none of them; the next test and the golden vectors
/// cover it.
#[test]
fn rfc_5869() {
    let vectors = blocks(include_str!("data/rfc-5869-HKDF-SHA256.txt"), "COUNT");
    assert_eq!(vectors.len(), 3);
    for vector in vectors {
        let bytes = |name: &str| hex::decode(vector[name]).unwrap();
        let salt = bytes("salt");
        // No salt and an empty one are the same to HKDF.
        let salts =
            if salt.is_empty() { vec![None, Some(&salt[..])] } else { vec![Some(&salt[..])] };
        for salt in salts {
            let (prk, hkdf) = Hkdf::<Sha256>::extract(salt, &bytes("IKM"));
            assert_eq!(prk.as_slice(), bytes("PRK"));
            let mut okm = vec![0; vector["L"].parse().unwrap()];
            hkdf.expand(&bytes("info"), &mut okm).unwrap();
            assert_eq!(okm, bytes("OKM"));
        }
    }
}

/// HMAC-SHA-256 of RFC 2104, written out, for keys of at most one block.
fn hmac(key: &[u8], message: &[u8]) -> Value {
    let pad = |byte: u8| {
        let mut block = [byte; 64];
        block.iter_mut().zip(key).for_each(|(b, k)| *b ^= k);
        block
    };
    let inner = sha256(&[&pad(0x36)[..], message].concat());
    sha256(&[&pad(0x5c)[..], &inner].concat())
}

/// The first block of HKDF by its definition: extract with a salt of zeros, expand with counter 1.
fn derive_by_definition(secret: &[u8], tag: &str) -> Value {
    let prk = hmac(&[0; 32], secret);
    hmac(&prk, &[tag.as_bytes(), &[1]].concat())
}

#[test]
fn derive_is_the_first_block_of_hkdf() {
    // The definition itself agrees with the RFC where the RFC has no salt and no info.
    let vector = &blocks(include_str!("data/rfc-5869-HKDF-SHA256.txt"), "COUNT")[2];
    let ikm = hex::decode(vector["IKM"]).unwrap();
    assert_eq!(derive_by_definition(&ikm, ""), value(&vector["OKM"][..64]));

    for (secret, tag) in [([0; 32], ""), ([7; 32], "zari/key/1"), ([255; 32], "zari/root/1")] {
        assert_eq!(derive(&secret, tag), derive_by_definition(&secret, tag), "{tag}");
    }
    assert_ne!(derive(&[7; 32], "zari/key/1"), derive(&[7; 32], "zari/root/1"));
    assert_ne!(derive(&[7; 32], "zari/key/1"), derive(&[8; 32], "zari/key/1"));
}

#[test]
fn tagged_hash_is_laid_out_as_described() {
    let expected = sha256(b"\x04dice\x00\x00\x00\x03one\x00\x00\x00\x00\x00\x00\x00\x01!");
    assert_eq!(tagged_hash("dice", &[b"one", b"", b"!"]), expected);
    assert_eq!(tagged_hash("", &[]), sha256(&[0]));
    let long = vec![0xab; 70_000];
    let laid_out = [&b"\x01t\x00\x01\x11\x70"[..], &long].concat();
    assert_eq!(tagged_hash("t", &[&long]), sha256(&laid_out));
}

/// What a plain concatenation would confuse.
#[test]
fn tagged_hash_separates_parts_and_purposes() {
    let all: [(&str, &[&[u8]]); 7] = [
        ("t", &[b"ab", b"c"]),
        ("t", &[b"a", b"bc"]),
        ("t", &[b"abc"]),
        ("t", &[b"abc", b""]),
        ("t", &[b"", b"abc"]),
        ("ta", &[b"bc"]),
        ("", &[b"t", b"abc"]),
    ];
    for (a, (tag_a, parts_a)) in all.iter().enumerate() {
        for (tag_b, parts_b) in &all[a + 1..] {
            let (a, b) = (tagged_hash(tag_a, parts_a), tagged_hash(tag_b, parts_b));
            assert_ne!(a, b, "{tag_a} {parts_a:?} and {tag_b} {parts_b:?}");
        }
    }
}
