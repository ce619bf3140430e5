//! Every value of the golden vectors that is made of hashes, recomputed. The file was written by
//! an independent program.
#![allow(clippy::unwrap_used)]

use fair_dice::{
    CHAIN_LENGTH, Chain, Opening, Revealed, Value, chain_step, derive, dice, opening, seed,
    tagged_hash, tip_guest, tip_host,
};
use rules::{ByColor, Color, Dice};
use serde::Deserialize;
// The same tests run in the browser's machine, where they must find the same bytes.
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

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

fn pips(dice: Dice) -> [u8; 2] {
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

type SeedOf = fn(&Value, u32, &Value, &Value) -> Value;
type DiceOf = fn(&Value) -> Dice;
type OpeningOf = fn(&Value) -> Opening;

/// Whether a way to make seeds and dice agrees with every roll of the vectors.
fn check_rolls(seed_of: SeedOf, dice_of: DiceOf) -> Result<(), String> {
    let v = vectors();
    let chains = chains(&v);
    assert!(!v.rolls.is_empty());
    for roll in &v.rolls {
        let x = ByColor::from_fn(|seat| chains[seat].reveal(roll.i).unwrap());
        let seed = seed_of(&value(&v.gid), roll.i, &x.white, &x.black);
        if seed != value(&roll.seed) {
            return Err(format!("seed of roll {}", roll.i));
        }
        if pips(dice_of(&seed)) != roll.dice {
            return Err(format!("dice of roll {}", roll.i));
        }
    }
    Ok(())
}

/// Whether a way to map seeds agrees with every opening of the vectors.
fn check_openings(opening_of: OpeningOf) -> Result<(), String> {
    let v = vectors();
    assert!(v.openings.iter().any(|vector| vector.ties == 0));
    assert!(v.openings.iter().any(|vector| vector.ties > 0));
    for vector in &v.openings {
        let opening = opening_of(&value(&vector.seed));
        if opening.ties != vector.ties {
            return Err(format!("ties of {}", vector.seed));
        }
        if pips(opening.dice) != vector.dice {
            return Err(format!("dice of {}", vector.seed));
        }
    }
    Ok(())
}

/// Whether a way to map seeds agrees with every mapping of the vectors.
fn check_mapping(dice_of: DiceOf) -> Result<(), String> {
    let v = vectors();
    assert!(v.mapping.iter().any(|vector| value(&vector.seed)[0] >= 252));
    assert!(v.mapping.iter().any(|vector| value(&vector.seed).iter().all(|&byte| byte >= 252)));
    for vector in &v.mapping {
        if pips(dice_of(&value(&vector.seed))) != vector.dice {
            return Err(format!("dice of {}", vector.seed));
        }
    }
    Ok(())
}

#[test]
fn rolls() {
    assert_eq!(check_rolls(seed, dice), Ok(()));
}

#[test]
fn openings() {
    assert_eq!(check_openings(opening), Ok(()));
}

#[test]
fn mapping() {
    assert_eq!(check_mapping(dice), Ok(()));
}

fn swapped(dice: Dice) -> Dice {
    Dice { first: dice.second, second: dice.first }
}

/// Ordered by who spoke first instead of by seat, or the wrong seat first: other seeds.
#[test]
fn mutant_seats_swapped_in_the_seed_is_caught() {
    let mutant: SeedOf = |gid, i, x0, x1| seed(gid, i, x1, x0);
    assert_eq!(check_rolls(mutant, dice), Err("seed of roll 1".into()));
}

/// The guest's die taken for the host's: the wrong side begins.
#[test]
fn mutant_seats_swapped_in_the_opening_is_caught() {
    let mutant: OpeningOf = |seed| {
        let Opening { dice, ties } = opening(seed);
        Opening { dice: swapped(dice), ties }
    };
    assert!(check_openings(mutant).is_err());
    let starts = |opening_of: OpeningOf, seed: &str| {
        let dice = opening_of(&value(seed)).dice;
        if dice.first > dice.second { Color::White } else { Color::Black }
    };
    let first = &vectors().openings[0];
    assert_eq!(starts(opening, &first.seed), Color::White, "the vector has {:?}", first.dice);
    assert_eq!(starts(mutant, &first.seed), Color::Black);
}

/// Swapped seats in the chain: both anchors differ.
#[test]
fn mutant_seats_swapped_in_the_chain_is_caught() {
    let v = vectors();
    let keys = keys(&v);
    for seat in Color::ALL {
        let tip = chains(&v)[seat].reveal(CHAIN_LENGTH).unwrap();
        let anchor = Chain::new(&keys[seat], seat, tip).anchor();
        let mutant = Chain::new(&keys[seat], seat.opposite(), tip).anchor();
        let expected = ByColor { white: value(&v.anchor0), black: value(&v.anchor1) }[seat];
        assert_eq!(anchor, expected);
        assert_ne!(mutant, expected);
    }
}

#[test]
fn mutant_dice_swapped_is_caught() {
    let mutant: DiceOf = |seed| swapped(dice(seed));
    assert!(check_rolls(seed, mutant).is_err());
    assert!(check_mapping(mutant).is_err());
}

/// The unfair mappings that statistics catch differ from the vectors too.
#[test]
fn mutant_byte_mod_36_is_caught_by_the_mapping() {
    let mutant: DiceOf = |seed| Dice::new(seed[0] % 36 / 6 + 1, seed[0] % 36 % 6 + 1).unwrap();
    assert!(check_mapping(mutant).is_err());
}

/// Further throws after a tie come from the seed's hash, never from its next byte.
#[test]
fn mutant_tie_from_the_next_byte_is_caught() {
    let mutant: OpeningOf = |seed| {
        let throws = seed.iter().filter(|&&byte| byte < 252).map(|byte| byte % 36);
        let ties = throws.clone().take_while(|cell| cell % 7 == 0).count();
        let cell = throws.clone().nth(ties).unwrap_or(1);
        Opening { dice: Dice::new(cell / 6 + 1, cell % 6 + 1).unwrap(), ties: ties as u32 }
    };
    assert!(check_openings(mutant).is_err());
}
