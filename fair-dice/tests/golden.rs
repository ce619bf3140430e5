//! Every value of the golden vectors that is made of hashes, recomputed. The file was written by
//! an independent program.
#![allow(clippy::unwrap_used)]

use fair_dice::{
    CHAIN_LENGTH, Chain, Revealed, Value, chain_step, derive, dice, opening, seed, tagged_hash,
    tip_guest, tip_host,
};
use rules::{ByColor, Color};
use serde::Deserialize;

#[derive(Deserialize)]
struct Vectors {
    pad: String,
    #[serde(rename = "K")]
    k: String,
    secret0: String,
    secret1: String,
    offer: String,
    accept: String,
    gid: String,
    anchor0: String,
    anchor1: String,
    #[serde(rename = "R")]
    r: String,
    signal_keys: [String; 2],
    chain: Vec<Link>,
    rolls: Vec<Roll>,
    openings: Vec<OpeningVector>,
    mapping: Vec<Mapping>,
    entries: Vec<Entry>,
}

#[derive(Deserialize)]
struct Link {
    seat: u8,
    i: u32,
    x: String,
}

#[derive(Deserialize)]
struct Roll {
    i: u32,
    seed: String,
    dice: [u8; 2],
}

#[derive(Deserialize)]
struct OpeningVector {
    seed: String,
    ties: u32,
    dice: [u8; 2],
}

#[derive(Deserialize)]
struct Mapping {
    seed: String,
    dice: [u8; 2],
}

#[derive(Deserialize)]
struct Entry {
    entry: String,
    id: String,
}

fn vectors() -> Vectors {
    serde_json::from_str(include_str!("../../tests/golden/protocol_vectors.json")).unwrap()
}

fn value(hex_digits: &str) -> Value {
    hex::decode(hex_digits).unwrap().try_into().unwrap()
}

fn bytes(hex_digits: &str) -> Vec<u8> {
    hex::decode(hex_digits).unwrap()
}

/// The keys of both seats, as they stand in OFFER (after version and ruleset) and in ACCEPT.
fn keys(vectors: &Vectors) -> ByColor<Value> {
    ByColor {
        white: bytes(&vectors.offer)[13..45].try_into().unwrap(),
        black: bytes(&vectors.accept)[1..33].try_into().unwrap(),
    }
}

fn chains(vectors: &Vectors) -> ByColor<Chain> {
    let offer = bytes(&vectors.offer);
    let root0 = derive(&value(&vectors.secret0), "zari/root/1");
    let root1 = derive(&value(&vectors.secret1), "zari/root/1");
    let keys = keys(vectors);
    ByColor {
        white: Chain::new(
            &keys.white,
            Color::White,
            tip_host(&root0, &offer, &bytes(&vectors.accept)),
        ),
        black: Chain::new(&keys.black, Color::Black, tip_guest(&root1, &offer)),
    }
}

fn pips(dice: rules::Dice) -> [u8; 2] {
    [dice.first.pips(), dice.second.pips()]
}

#[test]
fn invitation_meeting_and_game_id() {
    let v = vectors();
    let (offer, accept) = (bytes(&v.offer), bytes(&v.accept));
    let k = tagged_hash("zari/invite/1", &[&offer, &value(&v.pad)]);
    assert_eq!(k, value(&v.k));
    let r = derive(&value(&v.secret1), "zari/meet/1");
    assert_eq!(r, value(&v.r));
    assert_eq!(derive(&k, "zari/signal/1"), value(&v.signal_keys[0]));
    assert_eq!(derive(&r, "zari/signal/1"), value(&v.signal_keys[1]));
    assert_eq!(tagged_hash("zari/gid/1", &[&offer, &accept, &value(&v.anchor0)]), value(&v.gid));
}

#[test]
fn entry_ids() {
    let v = vectors();
    assert!(!v.entries.is_empty());
    for entry in &v.entries {
        let id = tagged_hash("zari/entry/1", &[&value(&v.gid), &bytes(&entry.entry)]);
        assert_eq!(id, value(&entry.id));
    }
}

#[test]
fn tips_chains_and_anchors() {
    let v = vectors();
    let chains = chains(&v);
    assert_eq!(chains.white.anchor(), value(&v.anchor0));
    assert_eq!(chains.black.anchor(), value(&v.anchor1));
    for link in &v.chain {
        let seat = Color::from_seat(link.seat).unwrap();
        assert_eq!(chains[seat].reveal(link.i), Some(value(&link.x)), "{seat:?} {}", link.i);
    }
    let seen = |seat, i| v.chain.iter().any(|link| link.seat == seat && link.i == i);
    for seat in [0, 1] {
        assert!([0, 1, CHAIN_LENGTH].iter().all(|&i| seen(seat, i)), "the vectors cover the ends");
    }
}

#[test]
fn every_reveal_leads_to_the_anchor() {
    let v = vectors();
    let (chains, keys) = (chains(&v), keys(&v));
    for seat in Color::ALL {
        let mut revealed = Revealed::new(&keys[seat], seat, chains[seat].anchor());
        let mut in_order = chains[seat].reveals();
        for i in 1..=CHAIN_LENGTH {
            let x = chains[seat].reveal(i).unwrap();
            assert_eq!(in_order.next(), Some(x));
            assert_eq!(chain_step(&keys[seat], seat, i - 1, &x), revealed.latest());
            assert_eq!(revealed.accept(i, x), Ok(()));
        }
        assert_eq!(in_order.next(), None);
        assert_eq!(revealed.last(), CHAIN_LENGTH);
    }
}

#[test]
fn rolls() {
    let v = vectors();
    let chains = chains(&v);
    assert!(!v.rolls.is_empty());
    for roll in &v.rolls {
        let x = ByColor::from_fn(|seat| chains[seat].reveal(roll.i).unwrap());
        let seed = seed(&value(&v.gid), roll.i, &x.white, &x.black);
        assert_eq!(seed, value(&roll.seed), "roll {}", roll.i);
        assert_eq!(pips(dice(&seed)), roll.dice, "roll {}", roll.i);
    }
}

#[test]
fn openings() {
    let v = vectors();
    assert!(v.openings.iter().any(|vector| vector.ties > 0));
    for vector in &v.openings {
        let opening = opening(&value(&vector.seed));
        assert_eq!(opening.ties, vector.ties, "{}", vector.seed);
        assert_eq!(pips(opening.dice), vector.dice, "{}", vector.seed);
    }
}

#[test]
fn mapping() {
    let v = vectors();
    assert!(v.mapping.iter().any(|vector| value(&vector.seed)[0] >= 252));
    assert!(v.mapping.iter().any(|vector| value(&vector.seed).iter().all(|&b| b >= 252)));
    for vector in &v.mapping {
        assert_eq!(pips(dice(&value(&vector.seed))), vector.dice, "{}", vector.seed);
    }
}
