use rules::Color;
use thiserror::Error;

use crate::{CHAIN_LENGTH, Value, chain_step};

/// What one seat has revealed of its chain so far, each value proven against the one before and
/// at last against the anchor.
///
/// It knows no secret; both sides and every verifier keep one for each seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Revealed {
    public_key: Value,
    seat: Color,
    last: u32,
    latest: Value,
}

/// Why a value is not the next one of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
pub enum RevealError {
    /// The value is for another roll than the next one: a replay, or a leap.
    #[error("value number {got} instead of {expected}")]
    WrongRoll {
        /// The number of the next value.
        expected: u32,
        /// The number that was given.
        got: u32,
    },
    /// The chain has been revealed to its end.
    #[error("the chain has no value after number {CHAIN_LENGTH}")]
    Exhausted,
    /// The value does not hash to the last one: it was not fixed before the game.
    #[error("value number {i} does not lead to the anchor")]
    NotInChain {
        /// The number of the refused value.
        i: u32,
    },
}

impl Revealed {
    /// Nothing revealed yet but the anchor of the chain of `seat`.
    #[must_use]
    pub fn new(public_key: &Value, seat: Color, anchor: Value) -> Revealed {
        Revealed { public_key: *public_key, seat, last: 0, latest: anchor }
    }

    /// Accepts `x` as the seat's value for roll `i`.
    ///
    /// # Errors
    ///
    /// When `i` is not the next roll, when the chain is used up, and when `x` does not hash to
    /// the value before. Then nothing changes.
    pub fn accept(&mut self, i: u32, x: Value) -> Result<(), RevealError> {
        if self.last >= CHAIN_LENGTH {
            return Err(RevealError::Exhausted);
        }
        let expected = self.last + 1;
        if i != expected {
            return Err(RevealError::WrongRoll { expected, got: i });
        }
        if chain_step(&self.public_key, self.seat, self.last, &x) != self.latest {
            return Err(RevealError::NotInChain { i });
        }
        self.last = i;
        self.latest = x;
        Ok(())
    }

    /// The number of the last value accepted; 0 when only the anchor is known.
    #[must_use]
    pub fn last(&self) -> u32 {
        self.last
    }

    /// The last value accepted, or the anchor.
    #[must_use]
    pub fn latest(&self) -> Value {
        self.latest
    }
}
