//! The mapping from seeds to dice at its edges.
#![allow(clippy::unwrap_used)]

use fair_dice::{Value, cell, dice, opening, tagged_hash};
use rules::Dice;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

fn roll(first: u8, second: u8) -> Dice {
    Dice::new(first, second).unwrap()
}

/// Each of the 36 rolls has exactly seven of the bytes that count; the other four are passed over.
#[test]
fn every_roll_has_seven_bytes() {
    let mut bytes_of = [0; 36];
    for byte in 0..=251_u8 {
        let mut seed = [0xff; 32];
        seed[31] = byte;
        assert_eq!(dice(&seed), roll(byte % 36 / 6 + 1, byte % 6 + 1), "{byte}");
        bytes_of[cell(dice(&seed))] += 1;
        // The first byte that counts decides, whatever follows.
        seed[0] = 252;
        seed[1] = byte;
        seed[31] = !byte;
        assert_eq!(dice(&seed), roll(byte % 36 / 6 + 1, byte % 6 + 1), "{byte}");
    }
    assert_eq!(bytes_of, [7; 36]);
}

/// The golden vectors have one seed without a byte that counts, and hashed with the tag of the
/// openings it would happen to give the same dice. These were computed by another program and tell
/// the tags apart.
#[test]
fn a_seed_without_a_byte_that_counts_is_hashed_again() {
    let mixed: Value = std::array::from_fn(|at| 252 + at as u8 % 4);
    for (seed, first, second) in
        [([0xff; 32], 5, 2), ([0xfc; 32], 4, 1), ([0xfd; 32], 6, 3), (mixed, 6, 4)]
    {
        assert_eq!(dice(&seed), roll(first, second), "{seed:?}");
    }
}

/// After a tie the seed that gave it is hashed.
#[test]
fn openings_are_thrown_again_until_the_dice_differ() {
    let mut tied = 0;
    for byte in 0..=251_u8 {
        let seed = [byte; 32];
        let opening = opening(&seed);
        let mut throw = seed;
        for _ in 0..opening.ties {
            assert!(dice(&throw).is_double());
            throw = tagged_hash("zari/open/1", &[&throw]);
        }
        assert_eq!(dice(&throw), opening.dice);
        assert!(!opening.dice.is_double());
        tied += u32::from(opening.ties > 0);
    }
    assert_eq!(tied, 42, "a sixth of the 252 bytes is a tie");
}
