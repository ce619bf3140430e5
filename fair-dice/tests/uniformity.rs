//! Ten million rolls of the whole protocol are as fair as a table of fair dice, and the same check
//! fails rolls that are mapped or numbered wrongly.
#![cfg(not(target_arch = "wasm32"))]

use fair_dice::{
    CHAIN_LENGTH, Counts, PairCounts, SimulatedRoll, SimulatedRolls, Value, dice, seed, simulate,
};
use rules::{Dice, Die};

const SEQUENCE: u64 = 1;
/// So many rolls show every mutant.
const MUTANT_ROLLS: usize = 1_000_000;

/// What is wrong with a sequence of rolls.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Unfair {
    /// The 36 rolls are not equally frequent (or too equally).
    Rolls(f64),
    /// The pairs of consecutive rolls are not equally frequent (or too equally).
    Pairs([f64; 2]),
}

/// What is chance and what is not: a fair sequence is refused once in 500,000 times on either side.
fn plausible(p: f64) -> bool {
    p > 1e-6 && p < 1.0 - 1e-6
}

fn check(rolls: impl Iterator<Item = Dice>) -> Result<(), Unfair> {
    let mut counts = Counts::new();
    let mut pairs = PairCounts::new();
    for dice in rolls {
        counts.add(dice);
        pairs.add(dice);
    }
    let (cells, pairs) = (counts.p(), pairs.p());
    println!("{} rolls: p = {cells:.6} of 36, {pairs:.6?} of 36 × 36", counts.rolls());
    if !plausible(cells) {
        return Err(Unfair::Rolls(cells));
    }
    if !pairs.into_iter().all(plausible) {
        return Err(Unfair::Pairs(pairs));
    }
    Ok(())
}

fn rolls(count: usize) -> impl Iterator<Item = SimulatedRoll> {
    SimulatedRolls::new(SEQUENCE).take(count)
}

#[test]
fn ten_million_protocol_rolls_are_uniform() {
    assert_eq!(check(rolls(10_000_000).map(|roll| roll.dice)), Ok(()));
}

/// The control of the mutants: the same number of rolls, mapped and numbered as they ship.
#[test]
fn the_shipped_mapping_passes_where_the_mutants_fail() {
    assert_eq!(check(rolls(MUTANT_ROLLS).map(|roll| dice(&roll.seed))), Ok(()));
}

/// A roll from two faces, each 0 to 5.
fn of_faces(first: u8, second: u8) -> Dice {
    Dice { first: Die::ALL[usize::from(first)], second: Die::ALL[usize::from(second)] }
}

#[test]
fn mutant_byte_mod_6_is_caught() {
    let mapped = |seed: Value| of_faces(seed[0] % 6, seed[1] % 6);
    let result = check(rolls(MUTANT_ROLLS).map(|roll| mapped(roll.seed)));
    assert!(matches!(result, Err(Unfair::Rolls(p)) if p < 1e-6), "{result:?}");
}

#[test]
fn mutant_byte_mod_36_is_caught() {
    let mapped = |seed: Value| of_faces(seed[0] % 36 / 6, seed[0] % 36 % 6);
    let result = check(rolls(MUTANT_ROLLS).map(|roll| mapped(roll.seed)));
    assert!(matches!(result, Err(Unfair::Rolls(p)) if p < 1e-6), "{result:?}");
}

/// The rolls of a table whose number of roll stays where it was after the rolls that `stays`
/// names: the same values are revealed again.
fn reusing(stays: impl Fn(u32) -> bool) -> impl Iterator<Item = Dice> {
    let throw = |roll: SimulatedRoll| {
        dice(&seed(&roll.gid, roll.i, &roll.reveals.white, &roll.reveals.black))
    };
    SimulatedRolls::new(SEQUENCE)
        .flat_map(move |roll| std::iter::repeat_n(roll, if stays(roll.i) { 2 } else { 1 }))
        .take(MUTANT_ROLLS)
        .map(throw)
}

/// A number that is used again now and then leaves the 36 frequencies as they are and shows only
/// in the pairs.
#[test]
fn mutant_index_reuse_is_caught_by_pairs() {
    for every in [100, 101] {
        let result = check(reusing(|i| i.is_multiple_of(every)));
        assert!(matches!(result, Err(Unfair::Pairs(_))), "every {every}: {result:?}");
    }
    assert_eq!(check(reusing(|_| false)), Ok(()));
}

/// Every number used twice: all pairs of one half are the same roll twice.
#[test]
fn mutant_index_used_twice_each_is_caught() {
    assert!(check(reusing(|_| true)).is_err());
    let pairs: PairCounts = reusing(|_| true).collect();
    assert!(pairs.p().iter().any(|&p| p < 1e-6));
}

#[test]
fn simulated_rolls_are_the_same_everywhere() {
    let first: Vec<_> = SimulatedRolls::new(7).take(3).collect();
    assert_eq!(first, SimulatedRolls::new(7).take(3).collect::<Vec<_>>());
    assert_ne!(first, SimulatedRolls::new(8).take(3).collect::<Vec<_>>());
    for roll in SimulatedRolls::new(7).take(100) {
        assert_eq!(roll.seed, seed(&roll.gid, roll.i, &roll.reveals.white, &roll.reveals.black));
        assert_eq!(roll.dice, dice(&roll.seed));
    }
}

#[test]
fn tables_follow_each_other() {
    let n = CHAIN_LENGTH as usize;
    let rolls: Vec<_> = SimulatedRolls::new(SEQUENCE).take(2 * n + 1).collect();
    let numbers = (1..=CHAIN_LENGTH).cycle();
    assert!(rolls.iter().map(|roll| roll.i).eq(numbers.take(2 * n + 1)));
    assert!(rolls[..n].iter().all(|roll| roll.gid == rolls[0].gid));
    assert!(rolls[n..2 * n].iter().all(|roll| roll.gid == rolls[n].gid));
    assert_ne!(rolls[0].gid, rolls[n].gid);
    assert_ne!(rolls[n].gid, rolls[2 * n].gid);
    assert_eq!(
        rolls.iter().map(|roll| roll.dice).collect::<Counts>(),
        simulate(2 * n as u64 + 1, SEQUENCE)
    );
    assert_eq!(simulate(0, SEQUENCE), Counts::new());
}
