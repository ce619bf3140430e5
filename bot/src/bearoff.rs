use crate::Chances;
use rules::{Dice, Position};

/// The most rolls that bearing off is followed for.
const ROLLS: usize = 32;
const POINTS: usize = 6;
const CHECKERS: usize = 15;
/// C(21, 6): the ways to place up to fifteen checkers on six points.
const PLACEMENTS: usize = 54_264;

/// How many rolls a side needs to bear everything off when nobody is in its way, for every
/// placement of its checkers in its home: played to need the fewest rolls on average.
///
/// Source: the usual one-sided bear-off database, built by working backwards from the empty board.
pub struct BearOff {
    rolls: Vec<[f32; ROLLS]>,
    /// For the placements of all fifteen: how many rolls until the first is off.
    first: Vec<[f32; 8]>,
}

impl BearOff {
    /// Works the table out. Takes a second or two.
    #[must_use]
    pub fn new() -> BearOff {
        let placements = placements();
        let is_empty = |placement: &[u8; POINTS]| placement.iter().all(|&it| it == 0);
        let has_borne_off = |placement: &[u8; POINTS]| {
            placement.iter().map(|&it| usize::from(it)).sum::<usize>() < CHECKERS
        };
        let rolls = rolls_until(&placements, is_empty);
        let first = rolls_until(&placements, has_borne_off);
        BearOff { rolls, first }
    }

    /// The mean number of rolls to bear off these checkers, counted on the points 1 … 6.
    #[must_use]
    pub fn mean(&self, home: &[u8; POINTS]) -> f32 {
        self.rolls[index_of(home)].iter().enumerate().map(|(n, chance)| n as f32 * chance).sum()
    }

    /// The exact chances when both sides have all their checkers home and past each other.
    #[must_use]
    pub fn chances(&self, position: &Position) -> Option<Chances> {
        let setup = position.setup();
        let mut own = [0u8; POINTS];
        let mut other = [0u8; POINTS];
        for point in 0..24 {
            let count = setup.points[point];
            match count {
                0 => {}
                1.. if point < POINTS => own[point] = count.unsigned_abs(),
                ..=-1 if point >= 24 - POINTS => other[23 - point] = count.unsigned_abs(),
                _ => return None,
            }
        }
        if setup.bar != [0, 0] {
            return None;
        }
        if let Some(win) = position.win() {
            return Some(Chances::won(win));
        }
        if let Some(win) = position.flipped().win() {
            return Some(Chances::won(win).flipped());
        }
        let mine = &self.rolls[index_of(&own)];
        let theirs = &self.rolls[index_of(&other)];
        // The side on roll wins when it needs no more rolls than the other.
        let win = at_most(mine, theirs);
        // A gammon: the other has not borne one off before it is over.
        let theirs_first = &self.first[index_of(&other)];
        let mine_first = &self.first[index_of(&own)];
        let win_gammon = if setup.off[1] > 0 { 0.0 } else { at_most(mine, theirs_first) };
        let lose_gammon = if setup.off[0] > 0 { 0.0 } else { fewer(theirs, mine_first) };
        Some(Chances { win, win_gammon, lose_gammon, ..Chances::default() })
    }
}

impl Default for BearOff {
    fn default() -> BearOff {
        BearOff::new()
    }
}

/// How many rolls it takes, by placement, until `is_done`, when played to need the fewest on average.
fn rolls_until<const N: usize>(
    placements: &[[u8; POINTS]],
    is_done: impl Fn(&[u8; POINTS]) -> bool,
) -> Vec<[f32; N]> {
    let mut chances = vec![[0.0f32; N]; placements.len()];
    let mut mean = vec![0.0f32; placements.len()];
    let mut after = Vec::new();
    for (index, placement) in placements.iter().enumerate() {
        if is_done(placement) {
            chances[index][0] = 1.0;
            continue;
        }
        let mut sums = [0.0f32; N];
        for (dice, weight) in all_rolls() {
            after.clear();
            results(placement, dice, &mut after);
            let best = after
                .iter()
                .map(index_of)
                .min_by(|&a, &b| mean[a].total_cmp(&mean[b]))
                .unwrap_or(0);
            for (sum, chance) in sums[1..].iter_mut().zip(&chances[best]) {
                *sum += weight / 36.0 * chance;
            }
        }
        mean[index] = sums.iter().enumerate().map(|(n, chance)| n as f32 * chance).sum();
        chances[index] = sums;
    }
    chances
}

/// P(a ≤ b).
fn at_most(a: &[f32], b: &[f32]) -> f32 {
    let mut b_less = 0.0;
    let mut sum = 0.0;
    for (n, chance) in a.iter().enumerate() {
        sum += chance * (1.0 - b_less);
        b_less += b.get(n).copied().unwrap_or(0.0);
    }
    sum.clamp(0.0, 1.0)
}

/// P(a < b).
fn fewer(a: &[f32], b: &[f32]) -> f32 {
    let mut b_so_far = 0.0;
    let mut sum = 0.0;
    for (n, chance) in a.iter().enumerate() {
        b_so_far += b.get(n).copied().unwrap_or(0.0);
        sum += chance * (1.0 - b_so_far);
    }
    sum.clamp(0.0, 1.0)
}

fn all_rolls() -> impl Iterator<Item = (Dice, f32)> {
    (1..=6u8).flat_map(|high| {
        (1..=high).filter_map(move |low| {
            Some((Dice::new(high, low)?, if high == low { 1.0 } else { 2.0 }))
        })
    })
}

/// Every placement, so that each comes after all that can be reached from it.
fn placements() -> Vec<[u8; POINTS]> {
    let mut all = vec![[0u8; POINTS]; PLACEMENTS];
    fn fill(all: &mut [[u8; POINTS]], at: usize, left: usize, placement: &mut [u8; POINTS]) {
        if at == POINTS {
            all[index_of(placement)] = *placement;
            return;
        }
        for count in 0..=left {
            placement[at] = count as u8;
            fill(all, at + 1, left - count, placement);
        }
        placement[at] = 0;
    }
    fill(&mut all, 0, CHECKERS, &mut [0; POINTS]);
    all
}

/// Numbers the placements by the combinatorial number system: checkers on higher points weigh more,
/// so every move leads to a smaller number.
fn index_of(placement: &[u8; POINTS]) -> usize {
    // With s_k the checkers on points k and above, s_1 ≥ … ≥ s_6: the sum of C(s_k + 6 - k, 7 - k)
    // … taken from the highest point down so that the highest point decides.
    let mut index = 0;
    let mut left = CHECKERS;
    for point in (0..POINTS).rev() {
        // Placements with fewer checkers on this point and anything below.
        for fewer in 0..usize::from(placement[point]) {
            index += WAYS[point][left - fewer];
        }
        left = left.saturating_sub(usize::from(placement[point]));
    }
    index
}

/// The ways to place up to n checkers on the lowest k points.
const WAYS: [[usize; CHECKERS + 1]; POINTS + 1] = {
    let mut ways = [[1; CHECKERS + 1]; POINTS + 1];
    let mut points = 1;
    while points <= POINTS {
        let mut checkers = 1;
        while checkers <= CHECKERS {
            ways[points][checkers] = ways[points][checkers - 1] + ways[points - 1][checkers];
            checkers += 1;
        }
        points += 1;
    }
    ways
};

/// The placements that a roll can lead to.
fn results(placement: &[u8; POINTS], dice: Dice, out: &mut Vec<[u8; POINTS]>) {
    let die = |it: rules::Die| usize::from(it.pips());
    if dice.is_double() {
        four(placement, die(dice.first), 4, out);
    } else {
        for (one, two) in [(dice.first, dice.second), (dice.second, dice.first)] {
            each(placement, die(one), |after| each(&after, die(two), |after| out.push(after)));
        }
    }
}

fn four(placement: &[u8; POINTS], die: usize, left: usize, out: &mut Vec<[u8; POINTS]>) {
    if left == 0 || placement.iter().all(|&it| it == 0) {
        out.push(*placement);
        return;
    }
    each(placement, die, |after| four(&after, die, left - 1, out));
}

/// Every way to use one die; the empty board stays empty.
fn each(placement: &[u8; POINTS], die: usize, mut then: impl FnMut([u8; POINTS])) {
    let Some(highest) = (0..POINTS).rev().find(|&it| placement[it] > 0) else {
        then(*placement);
        return;
    };
    for from in 0..POINTS {
        if placement[from] == 0 {
            continue;
        }
        let mut after = *placement;
        after[from] -= 1;
        if from >= die {
            after[from - die] += 1;
        } else if from + 1 < die && from != highest {
            continue;
        }
        then(after);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::{Win, legal_results};

    #[test]
    fn known_means_agree() {
        let table = BearOff::new();
        for (home, mean) in [
            ([0, 0, 0, 0, 0, 1], 1.25),
            ([15, 0, 0, 0, 0, 0], 6.9796),
            ([1, 1, 1, 1, 1, 1], 3.46365),
            ([0, 0, 0, 0, 0, 15], 12.2662),
            ([3, 3, 3, 2, 2, 2], 7.5550),
        ] {
            assert!((table.mean(&home) - mean).abs() < 2e-4, "{home:?}: {}", table.mean(&home));
        }
    }

    #[test]
    fn moves_lead_to_smaller_numbers_and_match_the_rules() {
        let placements = placements();
        for (index, placement) in placements.iter().enumerate().step_by(997) {
            assert_eq!(index_of(placement), index);
            let mut setup = rules::Setup { points: [0; 24], bar: [0; 2], off: [15, 0] };
            setup.points[23] = -15;
            for (point, &count) in placement.iter().enumerate() {
                setup.points[point] = count as i8;
                setup.off[0] -= count;
            }
            let position = Position::from_setup(&setup).expect("fifteen each");
            if matches!(position.win(), Some(Win::Gammon | Win::Single | Win::Backgammon)) {
                continue;
            }
            for (dice, _) in all_rolls() {
                let mut mine = Vec::new();
                results(placement, dice, &mut mine);
                assert!(mine.iter().all(|it| index_of(it) < index));
                let mut theirs = Vec::new();
                legal_results(&position, dice, &mut theirs);
                let mut ours: Vec<usize> = mine.iter().map(index_of).collect();
                let mut rules: Vec<usize> = theirs
                    .iter()
                    .map(|it| {
                        let points = it.setup().points;
                        index_of(&std::array::from_fn(|at| points[at].unsigned_abs()))
                    })
                    .collect();
                ours.sort_unstable();
                ours.dedup();
                rules.sort_unstable();
                rules.dedup();
                assert!(rules.iter().all(|it| ours.contains(it)), "{placement:?} {dice:?}");
            }
        }
    }
}
