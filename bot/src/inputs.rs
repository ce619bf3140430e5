//! What the networks see of a position.

use rules::Position;

/// Four numbers a point and side, then the bars and the trays.
const RAW: usize = 24 * 4 * 2 + 4;
/// Measures of the game's ideas, a side.
const IDEAS: usize = 30;
/// The length of the input vector.
pub const INPUTS: usize = RAW + 2 * IDEAS;

/// The input vector of a position, in the view of the side on roll: first how many checkers stand
/// where, then what that means.
#[derive(Clone, Debug, PartialEq)]
pub struct Inputs(pub [f32; INPUTS]);

/// One side's checkers in its own view: index 1 … 24 the points, 25 the bar, 0 borne off.
type Side = [u8; 26];

impl Inputs {
    /// Describes a position.
    #[must_use]
    pub fn of(position: &Position) -> Inputs {
        let setup = position.setup();
        let mut own: Side = [0; 26];
        let mut other: Side = [0; 26];
        for (index, &count) in setup.points.iter().enumerate() {
            if count > 0 {
                own[index + 1] = count.unsigned_abs();
            } else {
                other[24 - index] = count.unsigned_abs();
            }
        }
        (own[25], other[25]) = (setup.bar[0], setup.bar[1]);
        (own[0], other[0]) = (setup.off[0], setup.off[1]);
        let mut inputs = [0.0; INPUTS];
        let (raw, ideas) = inputs.split_at_mut(RAW);
        let (raw_own, raw_other) = raw.split_at_mut(RAW / 2);
        let (ideas_own, ideas_other) = ideas.split_at_mut(IDEAS);
        write_raw(&own, raw_own);
        write_raw(&other, raw_other);
        write_ideas(&own, &other, ideas_own);
        write_ideas(&other, &own, ideas_other);
        Inputs(inputs)
    }
}

fn write_raw(side: &Side, out: &mut [f32]) {
    for (point, cells) in (1..=24).zip(out.chunks_exact_mut(4)) {
        match side[point] {
            0 => {}
            1 => cells[0] = 1.0,
            2 => cells[1] = 1.0,
            count => {
                cells[2] = 1.0;
                cells[3] = f32::from(count - 3) * 0.5;
            }
        }
    }
    out[96] = f32::from(side[25]) * 0.5;
    out[97] = f32::from(side[0]) / 15.0;
}

/// All rolls with the number of their 36 orders.
const ROLLS: [(usize, usize, f32); 21] = {
    let mut rolls = [(0, 0, 0.0); 21];
    let (mut at, mut high) = (0, 1);
    while high <= 6 {
        let mut low = 1;
        while low <= high {
            rolls[at] = (high, low, if high == low { 1.0 } else { 2.0 });
            at += 1;
            low += 1;
        }
        high += 1;
    }
    rolls
};

/// How many of 36 rolls bring a lone checker past the last of the blocked points ahead; bit k says
/// that the point k + 1 pips ahead is blocked.
const ESCAPES: [u8; 4096] = {
    let mut table = [0u8; 4096];
    let mut mask = 0usize;
    while mask < 4096 {
        table[mask] = escapes(mask);
        mask += 1;
    }
    table
};

const fn open(mask: usize, pips: usize) -> bool {
    pips > 12 || mask & (1 << (pips - 1)) == 0
}

const fn escapes(mask: usize) -> u8 {
    // The distance of the last blocked point.
    let mut wall = 12;
    while wall > 0 && open(mask, wall) {
        wall -= 1;
    }
    let mut count = 0;
    let mut first = 1;
    while first <= 6 {
        let mut second = 1;
        while second <= 6 {
            let mut farthest = 0;
            if first == second {
                let mut steps = 1;
                while steps <= 4 && open(mask, first * steps) {
                    farthest = first * steps;
                    steps += 1;
                }
            } else {
                let sum = first + second;
                if open(mask, first) {
                    farthest = first;
                }
                if open(mask, second) && second > farthest {
                    farthest = second;
                }
                if farthest > 0 && open(mask, sum) {
                    farthest = sum;
                }
            }
            if farthest > wall {
                count += 1;
            }
            second += 1;
        }
        first += 1;
    }
    count
}

/// The points up to 12 ahead of `from` that `other` holds.
fn wall_ahead(other: &Side, from: usize) -> usize {
    let mut mask = 0;
    for pips in 1..=12.min(from.saturating_sub(1)) {
        // The point `from - pips` in the other side's view.
        if other[25 - (from - pips)] >= 2 {
            mask |= 1 << (pips - 1);
        }
    }
    mask
}

fn write_ideas(own: &Side, other: &Side, out: &mut [f32]) {
    let pips = |side: &Side| (1..=25).map(|at| at as f32 * f32::from(side[at])).sum::<f32>();
    let (own_pips, other_pips) = (pips(own), pips(other));
    let rear = (1..=25).rev().find(|&at| own[at] > 0).unwrap_or(0);
    let other_rear = (1..=25).rev().find(|&at| other[at] > 0).unwrap_or(0);
    let count =
        |range: std::ops::RangeInclusive<usize>| range.map(|at| f32::from(own[at])).sum::<f32>();

    // The race.
    out[0] = own_pips / 167.0;
    out[1] = ((other_pips - own_pips) / 40.0).clamp(-2.0, 2.0);
    out[2] = ((rear + other_rear) as f32 - 25.0).max(0.0) / 25.0;

    // How the rear checkers get out.
    let escape = |from: usize| f32::from(ESCAPES[wall_ahead(other, from)]) / 36.0;
    out[3] = if rear > 6 { escape(rear) } else { 1.0 };
    let (mut held, mut least) = (0.0, 1.0f32);
    for (at, &checkers) in own.iter().enumerate().skip(13) {
        if checkers > 0 {
            let free = escape(at);
            held += f32::from(checkers) * (1.0 - free);
            least = least.min(free);
        }
    }
    out[4] = held / 5.0;
    out[5] = least;

    // How well the other side's checkers are held in, wherever they may come to stand.
    let wall = |from: usize| f32::from(ESCAPES[wall_ahead(own, from)]) / 36.0;
    let walls: [f32; 13] = std::array::from_fn(|it| 1.0 - wall(it + 13));
    out[6] = walls[6..].iter().sum::<f32>() / 7.0;
    out[7] = walls[6..].iter().copied().fold(0.0, f32::max);
    out[8] = walls[..6].iter().sum::<f32>() / 6.0;
    let at_rear = if other_rear > 6 { 1.0 - wall(other_rear) } else { 0.0 };
    out[9] = at_rear;

    // Primes and the home board.
    let (mut run, mut longest, mut longest_end) = (0u8, 0u8, 0usize);
    for (at, &checkers) in own.iter().enumerate().take(25).skip(1) {
        run = if checkers >= 2 { run + 1 } else { 0 };
        if run >= longest && run > 0 {
            (longest, longest_end) = (run, at);
        }
    }
    out[10] = f32::from(longest.min(6)) / 6.0;
    out[11] = longest_end as f32 / 24.0;
    let home = (1..=6).filter(|&at| own[at] >= 2).count() as f32;
    out[12] = home / 6.0;
    let entering = 1.0 - (home / 6.0) * (home / 6.0);
    let both = ((6.0 - home) / 6.0) * ((6.0 - home) / 6.0);
    out[13] = match other[25] {
        0 => 0.0,
        1 => 1.0 - entering,
        _ => 1.0 - both,
    };

    // Shots at the other side's blots.
    let (hitting, loss, double_hit) = shots(own, other);
    out[14] = hitting;
    out[15] = loss;
    out[16] = double_hit;
    out[17] = hitting * home / 6.0;

    // Blots, stacks, spares, waste.
    let blots =
        |range: std::ops::RangeInclusive<usize>| range.filter(|&at| own[at] == 1).count() as f32;
    out[18] = blots(1..=6) / 3.0;
    out[19] = blots(7..=18) / 4.0;
    out[20] = (1..=24).map(|at| f32::from(own[at].saturating_sub(3))).sum::<f32>() / 6.0;
    out[21] = count(1..=3) / 10.0;
    out[22] = count(4..=12) / 15.0;

    // Timing: what may still be moved before the board or the anchor breaks.
    let spare: f32 = (7..=18).map(|at| (at - 6) as f32 * f32::from(own[at])).sum();
    let home_spare: f32 =
        (3..=6).map(|at| (at - 2) as f32 * f32::from(own[at].saturating_sub(2))).sum();
    out[23] = (spare + home_spare) / 60.0;
    out[24] = count(19..=25) / 5.0;

    // Anchors in the other side's home.
    let anchors = (19..=24).filter(|&at| own[at] >= 2);
    out[25] = anchors.clone().count() as f32 / 2.0;
    out[26] = anchors.min().map_or(0.0, |best| (25 - best) as f32 / 6.0);

    // Mobility: by how many dice nothing but nothing can be moved, and how much can.
    let (mut stuck, mut ways) = (0.0, 0.0);
    for die in 1..=6 {
        let movable = (1..=25)
            .filter(|&at| {
                own[at] > 0 && at > die && other[25 - (at - die)] < 2 && (own[25] == 0 || at == 25)
            })
            .count();
        if movable == 0 {
            stuck += 1.0;
        }
        ways += movable as f32;
    }
    out[27] = stuck / 6.0;
    out[28] = ways / 30.0;

    // How spread out the men are.
    let mean = own_pips / 15.0;
    let spread: f32 =
        (0..=25).map(|at| f32::from(own[at]) * (at as f32 - mean) * (at as f32 - mean)).sum();
    out[29] = (spread / 15.0).sqrt() / 10.0;
}

/// How many of 36 rolls hit, the mean pips that the other side loses by the best hit, and how many
/// rolls hit twice. Dice are taken as `own` would play them, other men in the way are minded.
fn shots(own: &Side, other: &Side) -> (f32, f32, f32) {
    // A blot on the other side's point p stands on own point 25 - p.
    let mut blots = [0usize; 15];
    let mut len = 0;
    for (at, &checkers) in other.iter().enumerate().take(25).skip(1) {
        if checkers == 1 {
            blots[len] = 25 - at;
            len += 1;
        }
    }
    let blots = &blots[..len];
    if blots.is_empty() {
        return (0.0, 0.0, 0.0);
    }
    let free = |at: usize| (1..=24).contains(&at) && other[25 - at] < 2;
    // What the other side loses when the blot on own point `at` is hit.
    let cost = |at: usize| at as f32;
    let bar = own[25];
    let (mut hits, mut loss, mut twice) = (0.0, 0.0, 0.0);
    for &(high, low, weight) in &ROLLS {
        let (mut best, mut by_high, mut by_low) = (0.0f32, 0usize, 0usize);
        for &blot in blots {
            let mut hit = false;
            let direct = |die: usize| {
                let from = blot + die;
                from <= 25 && own[from] > 0 && (bar == 0 || from == 25)
            };
            if high == low {
                for steps in 1..=4 {
                    let from = blot + high * steps;
                    if from > 25 {
                        break;
                    }
                    // Every point on the way must be free, and the bar comes first.
                    if steps > 1 && !free(blot + high * (steps - 1)) {
                        break;
                    }
                    let first = usize::from(bar);
                    let from_bar = from == 25;
                    let enters = bar == 0 || free(25 - high);
                    if own[from] > 0
                        && enters
                        && (if from_bar { first <= 5 - steps } else { first + steps <= 4 })
                    {
                        hit = true;
                        by_high += 1;
                        break;
                    }
                }
            } else {
                // By one die. With one man on the bar the other die may bring it in first.
                for (die, other_die, by) in [(high, low, &mut by_high), (low, high, &mut by_low)] {
                    let from = blot + die;
                    let frees_bar = bar == 1 && free(25 - other_die);
                    let may = direct(die)
                        || (frees_bar && from < 25 && own[from] > 0)
                        || (bar == 1 && from == 25);
                    if may {
                        hit = true;
                        *by += 1;
                    }
                }
                // By both.
                let from = blot + high + low;
                if !hit
                    && from <= 25
                    && own[from] > 0
                    && (bar == 0 || (bar == 1 && from == 25))
                    && (free(blot + high) || free(blot + low))
                {
                    hit = true;
                }
            }
            if hit {
                best = best.max(cost(blot));
            }
        }
        if best > 0.0 {
            hits += weight;
            loss += weight * best;
        }
        if (by_high > 0 && by_low > 0) || by_high > 1 {
            twice += weight;
        }
    }
    (hits / 36.0, loss / 36.0 / 12.0, twice / 36.0)
}
