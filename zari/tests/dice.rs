//! Runs `zari dice`.
#![allow(clippy::unwrap_used)]

mod command;

use command::zari;
use serde_json::Value;

#[test]
fn the_counts_are_those_of_the_protocol() {
    let run = zari(&["dice", "--rolls", "40000", "--seed", "7"], "");
    assert_eq!(run.code, 0, "{}", run.stderr);
    let answer: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(answer["rolls"], 40_000);
    let counts: Vec<u64> =
        answer["counts"].as_array().unwrap().iter().map(|it| it.as_u64().unwrap()).collect();
    assert_eq!(counts.len(), 36);
    assert_eq!(counts.iter().sum::<u64>(), 40_000);

    // Counted again from the rolls themselves, with more than one table of chains.
    let mut again = vec![0u64; 36];
    for roll in fair_dice::SimulatedRolls::new(7).take(40_000) {
        let (first, second) = (roll.dice.first.pips(), roll.dice.second.pips());
        again[usize::from(6 * (first - 1) + (second - 1))] += 1;
    }
    assert_eq!(counts, again);
    let expected = 40_000.0 / 36.0;
    let chi2: f64 = counts.iter().map(|&n| (n as f64 - expected).powi(2) / expected).sum();
    assert!((answer["chi2"].as_f64().unwrap() - chi2).abs() < 1e-6);
    let p = answer["p"].as_f64().unwrap();
    assert!(p > 1e-6 && p < 1.0 - 1e-6, "{p}");
}

#[test]
fn equal_seeds_give_equal_rolls_and_others_give_others() {
    let of = |seed| zari(&["dice", "--seed", seed, "--rolls=500"], "").stdout;
    assert_eq!(of("1"), of("1"));
    assert_ne!(of("1"), of("2"));
    assert!(!of("18446744073709551615").is_empty());
}

#[test]
fn wrong_options_are_refused() {
    for (args, why) in [
        (&["dice"][..], "--rolls N is missing"),
        (&["dice", "--rolls", "5"], "--seed S is missing"),
        (&["dice", "--seed", "5"], "--rolls N is missing"),
        (&["dice", "--rolls"], "--rolls needs a number"),
        (&["dice", "--rolls", "many", "--seed", "1"], "not \"many\""),
        (&["dice", "--rolls", "-1", "--seed", "1"], "not \"-1\""),
        (&["dice", "--rolls", "1.5", "--seed", "1"], "not \"1.5\""),
        (&["dice", "--rolls", "0", "--seed", "1"], "at least one roll"),
        (&["dice", "--rolls", "18446744073709551616", "--seed", "1"], "needs a number"),
        (&["dice", "--rolls", "1", "--rolls", "2", "--seed", "1"], "given twice"),
        (&["dice", "--rolls", "1", "--seed", "1", "more"], "not \"more\""),
    ] {
        let run = zari(args, "");
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{args:?}");
        assert!(run.stderr.contains(why), "{args:?}: {}", run.stderr);
    }
}
