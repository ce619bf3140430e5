//! The statistics against values computed with 30 digits by another program (mpmath) and against
//! definitions.

use fair_dice::{CELLS, Counts, PairCounts, cell, chi_squared, chi_squared_p, usual_range};
use rules::{Dice, Die};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

#[test]
fn chi_squared_p_agrees_with_known_values() {
    for (degrees, statistic, expected) in [
        (1, 3.841458820694124, 0.05),
        (2, 5.0, 0.082_084_998_623_898_8),
        (5, 0.1, 0.999_837_683_388_077_4),
        (10, 100.0, 5.449_701_982_920_529e-17),
        (35, 12.5, 0.999_837_168_320_627_2),
        (35, 35.0, 0.468_202_724_471_401_5),
        (35, 80.0, 2.234_730_868_275_319e-5),
        (35, 150.0, 3.464_776_032_288_543e-16),
        (1295, 1100.0, 0.999_972_061_836_212_7),
        (1295, 1295.0, 0.494_773_961_099_544_8),
        (1295, 1500.0, 5.997_819_906_879_972e-5),
        (1295, 1580.25, 7.511_717_483_063_865e-8),
    ] {
        let p = chi_squared_p(statistic, degrees);
        assert!((p - expected).abs() < 1e-11, "{degrees} {statistic}: {p} instead of {expected}");
        // Where the tail is computed directly, small values keep their digits.
        if expected < 0.4 {
            assert!((p / expected - 1.0).abs() < 1e-9, "{degrees} {statistic}: {p}");
        }
    }
}

/// Two degrees are the exponential distribution.
#[test]
fn chi_squared_p_of_two_degrees_is_exponential() {
    for step in 0..200 {
        let x = f64::from(step) * 0.37;
        assert!((chi_squared_p(x, 2) - (-x / 2.0).exp()).abs() < 1e-13, "{x}");
    }
}

#[test]
fn chi_squared_p_falls_and_takes_any_input() {
    for degrees in [1, 2, 35, 1295] {
        let mut last = 1.0;
        for step in 0..4000 {
            let p = chi_squared_p(f64::from(step), degrees);
            assert!((0.0..=1.0).contains(&p));
            assert!(p <= last + 1e-11, "{degrees} degrees at {step}");
            last = p;
        }
        assert!(last < 1e-100, "{degrees} degrees");
    }
    assert_eq!(chi_squared_p(0.0, 35), 1.0);
    assert_eq!(chi_squared_p(-1.0, 35), 1.0);
    assert_eq!(chi_squared_p(f64::INFINITY, 35), 0.0);
    assert_eq!(chi_squared_p(f64::MAX, 35), 0.0);
    assert_eq!(chi_squared_p(f64::MIN_POSITIVE, 35), 1.0);
    assert!(chi_squared_p(f64::NAN, 35).is_nan());
    assert_eq!(chi_squared_p(0.0, 0), 1.0);
    assert_eq!(chi_squared_p(1.0, 0), 0.0);
}

#[test]
fn chi_squared_is_pearsons_statistic() {
    assert_eq!(chi_squared(&[]), 0.0);
    assert_eq!(chi_squared(&[0, 0, 0]), 0.0);
    assert_eq!(chi_squared(&[5, 5]), 0.0);
    // Expected 10 each: (25 + 4 + 1 + 4 + 0 + 100) / 10.
    assert!((chi_squared(&[5, 8, 9, 8, 10, 20]) - 13.4).abs() < 1e-12);
}

fn all_rolls() -> impl Iterator<Item = Dice> {
    Die::ALL.into_iter().flat_map(|first| Die::ALL.map(|second| Dice { first, second }))
}

#[test]
fn cells_are_numbered_by_the_first_die() {
    assert!(all_rolls().map(cell).eq(0..CELLS));
}

#[test]
fn counts_add_up() {
    let mut counts: Counts = all_rolls().collect();
    assert_eq!(counts.cells(), &[1; CELLS]);
    assert_eq!((counts.rolls(), counts.doubles(), counts.faces()), (36, 6, [12; 6]));
    assert_eq!((counts.chi_squared(), counts.p()), (0.0, 1.0));
    let six_one = Dice { first: Die::ALL[5], second: Die::ALL[0] };
    counts.add(six_one);
    assert_eq!(counts.cells()[30], 2);
    assert_eq!(counts.faces(), [13, 12, 12, 12, 12, 13]);
    assert_eq!(counts.doubles(), 6);
}

/// A circle in which each of the 36 × 36 pairs stands once (a de Bruijn sequence, as its Lyndon
/// words), thrown with every roll twice, half a step apart: one half of the pairs is perfectly even,
/// the other has nothing but repetitions.
#[test]
fn pairs_are_counted_in_two_halves() {
    assert_eq!(PairCounts::new().p(), [1.0, 1.0]);
    let rolls: Vec<Dice> = all_rolls().collect();
    let mut circle = Vec::new();
    for (i, first) in rolls.iter().enumerate() {
        circle.push(*first);
        for second in &rolls[i + 1..] {
            circle.extend([*first, *second]);
        }
    }
    assert_eq!(circle.len(), CELLS * CELLS);
    let (start, rest) = circle.split_at(1);
    let walk: Vec<Dice> = start
        .iter()
        .chain(rest.iter().flat_map(|roll| [roll, roll]))
        .chain(start)
        .copied()
        .collect();
    for shift in [false, true] {
        let before = shift.then_some(rolls[0]);
        let mut p = before.into_iter().chain(walk.iter().copied()).collect::<PairCounts>().p();
        p.sort_by(f64::total_cmp);
        // One stray pair more when the walk begins a roll later.
        assert!(p[0] < 1e-6 && p[1] > 0.999_999, "{p:?}");
    }
}

/// A repetition between the pairs of one half is seen by the other half.
#[test]
fn a_repetition_is_seen_wherever_it_begins() {
    let rolls: Vec<Dice> = all_rolls().collect();
    let twice = (0..20_000_usize).flat_map(|n| [rolls[n * n % 36]; 2]);
    for shift in [0, 1] {
        let pairs: PairCounts = twice.clone().skip(shift).collect();
        assert!(pairs.p()[0].min(pairs.p()[1]) < 1e-6, "shift {shift}");
    }
}

#[test]
fn usual_ranges_agree_with_the_binomial_distribution() {
    for (trials, probability, low, high) in [
        (0, 0.5, 0, 0),
        (1, 0.5, 0, 1),
        (10, 0.5, 2, 8),
        (60, 1.0 / 36.0, 0, 5),
        (60, 1.0 / 6.0, 5, 16),
        (1000, 1.0 / 6.0, 144, 190),
        (5, 35.0 / 36.0, 4, 5),
        (3000, 1.0 / 36.0, 66, 101),
    ] {
        assert_eq!(usual_range(trials, probability), low..=high, "{trials} {probability}");
    }
    // √(10⁷ · 5/36) · 1.96 = 2309.9 about a mean of 1,666,666.67.
    let range = usual_range(10_000_000, 1.0 / 6.0);
    assert!(range.start().abs_diff(1_664_357) <= 1 && range.end().abs_diff(1_668_977) <= 1);
}

#[test]
fn usual_ranges_take_any_input() {
    assert_eq!(usual_range(10, 0.0), 0..=0);
    assert_eq!(usual_range(10, -1.0), 0..=0);
    assert_eq!(usual_range(10, f64::NAN), 0..=0);
    assert_eq!(usual_range(10, 1.0), 10..=10);
    assert_eq!(usual_range(10, 2.0), 10..=10);
    assert_eq!(usual_range(10, f64::MIN_POSITIVE), 0..=0);
    for trials in 0..50 {
        for step in 0..=20 {
            let range = usual_range(trials, f64::from(step) / 20.0);
            assert!(range.start() <= range.end() && *range.end() <= trials);
        }
    }
}
