use std::fmt;

use rules::Color;

use crate::{Value, tagged_hash};

/// How many rolls a chain serves: reveals are numbered 1 to this, and number 0 is the anchor.
pub const CHAIN_LENGTH: u32 = 16_384;

/// A game begins only while the number of its first roll is at most this, so that a game which
/// has begun practically never runs out of rolls.
pub const LAST_ROLL_TO_START_A_GAME: u32 = CHAIN_LENGTH - 1_024;

/// Every how many values a chain remembers one.
const STRIDE: u32 = 128;

/// The value number `i` of the chain of `seat`, made from `next`, its value number `i + 1`.
///
/// The key and the seat are in every step, so the values of one side prove nothing when the other
/// side echoes them.
#[must_use]
pub fn chain_step(public_key: &Value, seat: Color, i: u32, next: &Value) -> Value {
    tagged_hash("zari/chain/1", &[public_key, &[seat.seat()], &i.to_be_bytes(), next])
}

/// One seat's own secret chain. Whoever holds it can roll ahead, so it never leaves its owner.
#[derive(Clone, PartialEq, Eq)]
pub struct Chain {
    public_key: Value,
    seat: Color,
    /// The values number 0, 128, 256 … 16,384.
    kept: Vec<Value>,
}

impl Chain {
    /// Builds the chain that ends in `tip`: 16,384 hashes, some milliseconds.
    ///
    /// `tip` must serve one game only (see [`tip_host`](crate::tip_host) and
    /// [`tip_guest`](crate::tip_guest)): a chain that is used twice is known the second time.
    #[must_use]
    pub fn new(public_key: &Value, seat: Color, tip: Value) -> Chain {
        let mut kept = Vec::with_capacity((CHAIN_LENGTH / STRIDE + 1) as usize);
        kept.push(tip);
        let mut value = tip;
        for i in (0..CHAIN_LENGTH).rev() {
            value = chain_step(public_key, seat, i, &value);
            if i % STRIDE == 0 {
                kept.push(value);
            }
        }
        kept.reverse();
        Chain { public_key: *public_key, seat, kept }
    }

    /// The public commitment to all the values: value number 0.
    #[must_use]
    pub fn anchor(&self) -> Value {
        self.kept[0]
    }

    /// The side whose chain it is.
    #[must_use]
    pub fn seat(&self) -> Color {
        self.seat
    }

    /// The value that this seat reveals for roll `i`; none past [`CHAIN_LENGTH`]. Value 0 is the
    /// anchor. At most 127 hashes.
    #[must_use]
    pub fn reveal(&self, i: u32) -> Option<Value> {
        let above = i.div_ceil(STRIDE);
        let start = *self.kept.get(above as usize)?;
        Some((i..above * STRIDE).rev().fold(start, |value, at| self.step(at, &value)))
    }

    /// The values number 1 to [`CHAIN_LENGTH`] in order. All together cost one more build of the
    /// chain, which is much less than asking for each.
    pub fn reveals(&self) -> impl Iterator<Item = Value> + '_ {
        (1..self.kept.len()).flat_map(move |above| {
            let high = above as u32 * STRIDE;
            let mut values = [self.kept[above]; STRIDE as usize];
            for back in 1..STRIDE {
                let after = values[(STRIDE - back) as usize];
                values[(STRIDE - back - 1) as usize] = self.step(high - back, &after);
            }
            values
        })
    }

    fn step(&self, i: u32, next: &Value) -> Value {
        chain_step(&self.public_key, self.seat, i, next)
    }
}

/// Tells the seat and the anchor only: the rest is secret.
impl fmt::Debug for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chain")
            .field("seat", &self.seat)
            .field("anchor", &self.anchor())
            .finish_non_exhaustive()
    }
}
