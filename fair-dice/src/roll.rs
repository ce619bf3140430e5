use rules::{Dice, Die};

use crate::{Value, tagged_hash};

/// Bytes from here on are passed over: 252 = 7 × 36 is the largest multiple of 36 in a byte, so
/// each of the 36 rolls has exactly seven bytes below it.
const FAIR_BYTES: u8 = 252;

/// The seed of roll `i` of the table `gid`, from the values number `i` of both chains: `x0` of
/// the host (white), `x1` of the guest (black). Always in this order, whoever revealed first.
#[must_use]
pub fn seed(gid: &Value, i: u32, x0: &Value, x1: &Value) -> Value {
    tagged_hash("zari/roll/1", &[gid, &i.to_be_bytes(), x0, x1])
}

/// The dice of a seed: its first byte below 252, modulo 36. A seed without such a byte is hashed
/// again.
#[must_use]
pub fn dice(seed: &Value) -> Dice {
    let mut seed = *seed;
    loop {
        if let Some(byte) = seed.into_iter().find(|&byte| byte < FAIR_BYTES) {
            let cell = usize::from(byte % 36);
            return Dice { first: Die::ALL[cell / 6], second: Die::ALL[cell % 6] };
        }
        seed = tagged_hash("zari/more/1", &[&seed]);
    }
}

/// The first roll of a game: one die for each seat, the higher begins and plays both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Opening {
    /// The first throw without a tie; `first` is white's die, `second` black's.
    pub dice: Dice,
    /// How many ties were thrown before.
    pub ties: u32,
}

/// The opening of a seed. A tie is thrown again from the seed's hash: no message, same number of
/// roll.
#[must_use]
pub fn opening(seed: &Value) -> Opening {
    let mut seed = *seed;
    let mut ties = 0;
    loop {
        let dice = dice(&seed);
        if !dice.is_double() {
            return Opening { dice, ties };
        }
        ties += 1;
        seed = tagged_hash("zari/open/1", &[&seed]);
    }
}
