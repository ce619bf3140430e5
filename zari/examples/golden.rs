//! Completes a file of golden vectors: reads one, adds the sections `seal` and `files` and prints
//! the whole.
//!
//! `cargo run -p zari --example golden < vectors-without-them.json > tests/golden/vectors.json`
#![allow(clippy::unwrap_used)]

#[path = "../tests/games/mod.rs"]
mod games;

use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use fair_dice::Value;
use games::{Chance, Habits, Session};
use rules::{ByColor, Place, Ruleset};
use serde_json::json;
use table::{Accept, Claim, Kind, Log, Offer, Record, Secret, Transcript, Why};

const HABITS: Habits = Habits { double: 25, resign: 0, slowness: 9_000 };

fn main() {
    let mut vectors: serde_json::Map<String, serde_json::Value> =
        serde_json::from_reader(std::io::stdin().lock()).unwrap();
    let bytes = |key: &str| hex::decode(vectors[key].as_str().unwrap()).unwrap();
    let value = |key: &str| -> Value { bytes(key).try_into().unwrap() };

    // The first of these files is a whole match of the very table whose values the vectors list.
    let offer = Offer::from_bytes(&bytes("offer")).unwrap();
    let guest_name = Accept::from_bytes(&bytes("accept")).unwrap().guest_name;
    let secrets =
        ByColor { white: Secret::new(value("secret0")), black: Secret::new(value("secret1")) };
    let names = ByColor { white: offer.host_name, black: guest_name };
    let mut whole = Session::between(offer.ruleset, secrets, names, Chance::new(1));
    assert_eq!(whole.log.header().game_id(), &value("gid"));
    whole.play(&HABITS, |log| log.table().match_winner().is_some());

    let short = |place, len| {
        let mut session = Session::new(Ruleset::georgian(1, place), 2);
        session.play(&HABITS, |log: &Log| log.len() == len);
        session
    };
    let claimed = short(Place::TwoBrowsers, 12);
    let claimant = claimed.log.table().awaiting().seat().unwrap().opposite();
    let secret = claimed.seats[claimant].secret();
    let claim = Claim::sign(&claimed.log, claimant, secret, Why::Absence, 180_000).unwrap();
    let mut invalid = short(Place::TwoBrowsers, 8);
    invalid.play(&HABITS, |log| {
        log.records_from(log.len() - 1).iter().any(|it| it.entry.body.kind() == Kind::Roll)
    });
    let mut damaged = Transcript::of(&invalid.log, &[]);
    // The reveal of the roll after the next one, properly signed.
    let last = Record::from_bytes(damaged.records.last().unwrap()).unwrap();
    let mut entry = last.entry;
    let chain = invalid.seats[entry.seat].chain();
    entry.body = table::Body::Roll(chain.reveal(99).unwrap());
    let secret = invalid.seats[entry.seat].secret().clone();
    *damaged.records.last_mut().unwrap() =
        entry.sign(invalid.log.header().game_id(), &secret).to_bytes();

    let wrong = format!("INVALID {} chain", invalid.log.len() - 1);

    let files = [
        (Transcript::of(&whole.log, &[]), "AGREED"),
        (Transcript::of(&claimed.log, &[claim]), "CLAIMED"),
        (Transcript::of(&short(Place::TwoBrowsers, 12).log, &[]), "INCOMPLETE"),
        (Transcript::of(&short(Place::OneBrowser, 12).log, &[]), "UNPROVEN"),
        (damaged, wrong.as_str()),
    ];
    let files: Vec<_> = files
        .into_iter()
        .map(|(transcript, verdict)| {
            let export: serde_json::Value = serde_json::from_str(&transcript.to_json()).unwrap();
            json!({"export": export, "verdict": verdict})
        })
        .collect();

    // A hello of the host in K's room, as PROTOCOL.md lays it out.
    let key = fair_dice::derive(&value("K"), "zari/signal/1");
    let mut chance = Chance::new(3);
    let own_sid = &chance.value()[..16];
    let mut ad = table::room(&value("K")).to_vec();
    ad.push(0);
    ad.extend_from_slice(own_sid);
    ad.extend_from_slice(&[0; 16]);
    ad.extend_from_slice(&0u32.to_be_bytes());
    let nonce: [u8; 24] = chance.value()[..24].try_into().unwrap();
    let plain = [0u8];
    let sealed = XChaCha20Poly1305::new(&key.into())
        .encrypt(&XNonce::from(nonce), Payload { msg: &plain, aad: &ad })
        .unwrap();
    vectors.insert(
        "seal".into(),
        json!({
            "k": hex::encode(key), "ad": hex::encode(ad), "nonce": hex::encode(nonce),
            "plain": hex::encode(plain), "sealed": hex::encode(sealed),
        }),
    );
    vectors.insert("files".into(), files.into());
    println!("{}", serde_json::to_string_pretty(&vectors).unwrap());
}
