use fair_dice::{Value, tagged_hash};

/// Everything random of one page life, drawn from one seed of the system's randomness.
pub(crate) struct Draw {
    seed: Value,
    drawn: u64,
}

impl Draw {
    pub(crate) const fn new(seed: Value) -> Draw {
        Draw { seed, drawn: 0 }
    }

    pub(crate) fn value(&mut self) -> Value {
        self.drawn += 1;
        tagged_hash("zari/draw/1", &[&self.seed, &self.drawn.to_be_bytes()])
    }

    pub(crate) fn array<const N: usize>(&mut self) -> [u8; N] {
        const { assert!(N <= 32) };
        let value = self.value();
        std::array::from_fn(|i| value[i])
    }

    /// Between half of `ms` and all of it: two pages that were cut together do not come back together.
    pub(crate) fn jittered(&mut self, ms: u64) -> u64 {
        let half = ms / 2;
        half + u64::from_be_bytes(self.array()) % (ms - half + 1)
    }
}

/// Never shows the seed.
impl std::fmt::Debug for Draw {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Draw(…)")
    }
}
