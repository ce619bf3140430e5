use rules::{ByColor, Color, Dice};

use crate::{
    CHAIN_LENGTH, Chain, Counts, Revealed, Value, derive, dice, seed, tagged_hash, tip_guest,
    tip_host,
};

/// One roll of a simulated table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SimulatedRoll {
    /// The game id of the table.
    pub gid: Value,
    /// The number of the roll at its table, 1 to [`CHAIN_LENGTH`].
    pub i: u32,
    /// What both seats revealed for it.
    pub reveals: ByColor<Value>,
    /// The seed they make.
    pub seed: Value,
    /// The dice of the seed.
    pub dice: Dice,
}

/// An endless sequence of rolls exactly as two players make them: two secrets, two chains, each
/// value proven against its anchor, the seed of both, the dice of the seed. When the chains of
/// one table are used up, the next table begins.
///
/// The secrets come from a number by tagged hashes: equal numbers give equal rolls everywhere.
/// Nobody plays for real with such secrets.
#[derive(Clone, Debug)]
pub struct SimulatedRolls {
    number: u64,
    tables: u64,
    table: Vec<SimulatedRoll>,
}

impl SimulatedRolls {
    /// The rolls of the sequence `number`.
    #[must_use]
    pub fn new(number: u64) -> SimulatedRolls {
        SimulatedRolls { number, tables: 0, table: Vec::new() }
    }

    /// All the rolls of the next table, the last one first.
    fn next_table(&mut self) -> Vec<SimulatedRoll> {
        let number = self.number.to_be_bytes();
        let table = self.tables.to_be_bytes();
        self.tables += 1;
        let secret = ByColor::from_fn(|seat: Color| {
            tagged_hash("zari/simulate/1", &[&number, &table, &[seat.seat()]])
        });
        // A key is a mere 32 bytes to a chain: no signature is made here.
        let key = ByColor::from_fn(|seat| derive(&secret[seat], "zari/key/1"));
        let root = ByColor::from_fn(|seat| derive(&secret[seat], "zari/root/1"));

        let offer = key.white;
        let guest = Chain::new(&key.black, Color::Black, tip_guest(&root.black, &offer));
        let mut accept = key.black.to_vec();
        accept.extend(guest.anchor());
        let host = Chain::new(&key.white, Color::White, tip_host(&root.white, &offer, &accept));
        let gid = tagged_hash("zari/gid/1", &[&offer, &accept, &host.anchor()]);

        let mut revealed = ByColor {
            white: Revealed::new(&key.white, Color::White, host.anchor()),
            black: Revealed::new(&key.black, Color::Black, guest.anchor()),
        };
        let mut rolls: Vec<SimulatedRoll> = (1..=CHAIN_LENGTH)
            .zip(host.reveals().zip(guest.reveals()))
            .map(|(i, (white, black))| {
                let reveals = ByColor { white, black };
                for seat in Color::ALL {
                    revealed[seat]
                        .accept(i, reveals[seat])
                        .expect("a chain reveals its own values in order");
                }
                let seed = seed(&gid, i, &white, &black);
                SimulatedRoll { gid, i, reveals, seed, dice: dice(&seed) }
            })
            .collect();
        rolls.reverse();
        rolls
    }
}

impl Iterator for SimulatedRolls {
    type Item = SimulatedRoll;

    fn next(&mut self) -> Option<SimulatedRoll> {
        if self.table.is_empty() {
            self.table = self.next_table();
        }
        self.table.pop()
    }
}

/// Counts the first `rolls` rolls of the simulated sequence `number`.
#[must_use]
pub fn simulate(rolls: u64, number: u64) -> Counts {
    let mut sequence = SimulatedRolls::new(number);
    let mut counts = Counts::new();
    for _ in 0..rolls {
        if let Some(roll) = sequence.next() {
            counts.add(roll.dice);
        }
    }
    counts
}
