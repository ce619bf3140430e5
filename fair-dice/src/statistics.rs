//! How dice are judged: counts of the 36 rolls and of pairs of consecutive rolls, Pearson's
//! chi-squared statistic and its probability.

use std::ops::RangeInclusive;

use rules::Dice;

/// How many different ordered rolls two dice have.
pub const CELLS: usize = 36;

/// The place of a roll among the 36: `6 (first − 1) + (second − 1)`.
#[must_use]
pub fn cell(dice: Dice) -> usize {
    usize::from(6 * (dice.first.pips() - 1) + (dice.second.pips() - 1))
}

/// How often each of the 36 ordered rolls came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Counts {
    cells: [u64; CELLS],
}

impl Counts {
    /// No roll yet.
    #[must_use]
    pub fn new() -> Counts {
        Counts { cells: [0; CELLS] }
    }

    /// Counts one roll more.
    pub fn add(&mut self, dice: Dice) {
        self.cells[cell(dice)] += 1;
    }

    /// The counts in the order of [`cell`].
    #[must_use]
    pub fn cells(&self) -> &[u64; CELLS] {
        &self.cells
    }

    /// How many rolls were counted.
    #[must_use]
    pub fn rolls(&self) -> u64 {
        self.cells.iter().sum()
    }

    /// How many of the rolls were doubles; one in six is expected.
    #[must_use]
    pub fn doubles(&self) -> u64 {
        self.cells.iter().step_by(7).sum()
    }

    /// How often each face came on either die, ones first; one third of the rolls is expected.
    #[must_use]
    pub fn faces(&self) -> [u64; 6] {
        let mut faces = [0; 6];
        for (cell, count) in self.cells.iter().enumerate() {
            faces[cell / 6] += count;
            faces[cell % 6] += count;
        }
        faces
    }

    /// [`chi_squared`] of the 36 counts: 35 degrees of freedom.
    #[must_use]
    pub fn chi_squared(&self) -> f64 {
        chi_squared(&self.cells)
    }

    /// The probability that fair dice differ from the expected counts at least as much.
    #[must_use]
    pub fn p(&self) -> f64 {
        chi_squared_p(self.chi_squared(), CELLS as u32 - 1)
    }
}

impl Default for Counts {
    fn default() -> Counts {
        Counts::new()
    }
}

impl FromIterator<Dice> for Counts {
    fn from_iter<I: IntoIterator<Item = Dice>>(rolls: I) -> Counts {
        let mut counts = Counts::new();
        rolls.into_iter().for_each(|dice| counts.add(dice));
        counts
    }
}

/// How often each of the 36 × 36 pairs of rolls came one after the other.
///
/// Every roll but the first and the last belongs to two pairs, which makes the counts of all
/// pairs dependent. So the pairs (1, 2), (3, 4) … and the pairs (2, 3), (4, 5) … are counted apart:
/// each half is a plain sample and has a plain chi-squared statistic, and a repetition that falls
/// between the pairs of one half is seen by the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairCounts {
    previous: Option<usize>,
    rolls: u64,
    halves: [Vec<u64>; 2],
}

impl PairCounts {
    /// No pair yet.
    #[must_use]
    pub fn new() -> PairCounts {
        let none = vec![0; CELLS * CELLS];
        PairCounts { previous: None, rolls: 0, halves: [none.clone(), none] }
    }

    /// Counts the next roll of the sequence.
    pub fn add(&mut self, dice: Dice) {
        let next = cell(dice);
        self.rolls += 1;
        if let Some(previous) = self.previous {
            self.halves[(self.rolls % 2) as usize][CELLS * previous + next] += 1;
        }
        self.previous = Some(next);
    }

    /// The two probabilities that fair dice differ at least as much from equally frequent pairs:
    /// of the pairs that begin with an odd and with an even roll. 1,295 degrees of freedom each.
    #[must_use]
    pub fn p(&self) -> [f64; 2] {
        [0, 1].map(|half| {
            let half: &[u64] = &self.halves[half];
            chi_squared_p(chi_squared(half), (CELLS * CELLS) as u32 - 1)
        })
    }
}

impl Default for PairCounts {
    fn default() -> PairCounts {
        PairCounts::new()
    }
}

impl FromIterator<Dice> for PairCounts {
    fn from_iter<I: IntoIterator<Item = Dice>>(rolls: I) -> PairCounts {
        let mut counts = PairCounts::new();
        rolls.into_iter().for_each(|dice| counts.add(dice));
        counts
    }
}

/// Pearson's statistic Σ (count − expected)² / expected, all cells being expected equally often;
/// 0 when nothing was counted.
#[must_use]
pub fn chi_squared(counts: &[u64]) -> f64 {
    let total: u64 = counts.iter().sum();
    if total == 0 {
        return 0.0;
    }
    let expected = total as f64 / counts.len() as f64;
    counts.iter().map(|&count| (count as f64 - expected).powi(2)).sum::<f64>() / expected
}

/// The probability that a chi-squared variable of so many degrees of freedom is at least
/// `statistic`: the regularised upper incomplete gamma function Q(degrees / 2, statistic / 2).
///
/// The power series for P of NIST's Digital Library of Mathematical Functions (8.7.1 with 8.2.4)
/// below its mean, the continued fraction for Q (8.9.2) above, evaluated by Lentz's method.
/// Absolute errors stay below 10⁻¹⁰ for all degrees used here. No degrees: 1 for a statistic of
/// 0, else 0.
#[must_use]
pub fn chi_squared_p(statistic: f64, degrees: u32) -> f64 {
    if statistic.is_nan() {
        return f64::NAN;
    }
    if statistic <= 0.0 {
        return 1.0;
    }
    if degrees == 0 || statistic.is_infinite() {
        return 0.0;
    }
    let a = f64::from(degrees) / 2.0;
    let x = statistic / 2.0;
    // x^a e^−x / Γ(a): by logarithms, for either factor alone leaves the range of a float.
    let factor = (a * x.ln() - x - ln_gamma_of_half(degrees)).exp();
    let q =
        if x < a + 1.0 { 1.0 - factor * lower_series(a, x) } else { factor * upper_fraction(a, x) };
    q.clamp(0.0, 1.0)
}

/// γ(a, x) / (x^a e^−x) = Σ x^k / (a (a+1) … (a+k)).
fn lower_series(a: f64, x: f64) -> f64 {
    let mut term = 1.0 / a;
    let mut sum = term;
    let mut k = 1.0;
    while term > sum * f64::EPSILON {
        term *= x / (a + k);
        sum += term;
        k += 1.0;
    }
    sum
}

/// Γ(a, x) / (x^a e^−x) = 1/(x+1−a − 1(1−a)/(x+3−a − 2(2−a)/(x+5−a − …))).
fn upper_fraction(a: f64, x: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let not_zero = |value: f64| if value.abs() < TINY { TINY } else { value };
    let mut denominator = x + 1.0 - a;
    let mut c = 1.0 / TINY;
    let mut d = 1.0 / not_zero(denominator);
    let mut fraction = d;
    // Above the mean some multiple of √a steps is enough; the bound only excludes an endless loop.
    for k in 1..1_000_000 {
        let k = f64::from(k);
        let numerator = -k * (k - a);
        denominator += 2.0;
        d = 1.0 / not_zero(denominator + numerator * d);
        c = not_zero(denominator + numerator / c);
        let change = c * d;
        fraction *= change;
        if (change - 1.0).abs() < 4.0 * f64::EPSILON {
            break;
        }
    }
    fraction
}

/// ln Γ(n / 2) for n ≥ 1, by Γ(z + 1) = z Γ(z) from Γ(1) = 1 and Γ(1/2) = √π.
fn ln_gamma_of_half(n: u32) -> f64 {
    let start = if n.is_multiple_of(2) { 0.0 } else { std::f64::consts::PI.ln() / 2.0 };
    let first = if n.is_multiple_of(2) { 2 } else { 1 };
    (first..n).step_by(2).map(|z| (f64::from(z) / 2.0).ln()).sum::<f64>() + start
}

/// The range in which the count of an event of this probability lies in at least 95 of 100
/// samples of so many trials: at most 2.5 % of the binomial distribution lie below and at most
/// 2.5 % above.
///
/// A probability outside 0…1 is taken as the nearer of the two.
#[must_use]
pub fn usual_range(trials: u64, probability: f64) -> RangeInclusive<u64> {
    // Written so that what is not a number counts as 0.
    let probability = if probability > 0.0 { probability.min(1.0) } else { 0.0 };
    if probability == 0.0 {
        return 0..=0;
    }
    if probability == 1.0 {
        return trials..=trials;
    }
    let odds = probability / (1.0 - probability);
    let mode = (((trials as f64) + 1.0) * probability).floor() as u64;
    let mode = mode.min(trials);
    // Weights relative to the mode's, walking outwards until they no longer count: some dozens of
    // standard deviations, so the cost grows with the square root of the trials.
    let walk = |ratio: &dyn Fn(u64) -> f64, last: u64| {
        let mut weights = Vec::new();
        let mut weight = 1.0;
        for step in 0..last {
            weight *= ratio(step);
            if weight < 1e-20 {
                break;
            }
            weights.push(weight);
        }
        weights
    };
    let below =
        walk(&|step| (mode - step) as f64 / ((trials - mode + step + 1) as f64 * odds), mode);
    let above = walk(
        &|step| (trials - mode - step) as f64 * odds / (mode + step + 1) as f64,
        trials - mode,
    );
    let total = 1.0 + below.iter().sum::<f64>() + above.iter().sum::<f64>();
    let tail = 0.025 * total;
    // How many outermost places a tail of 2.5 % covers, weights from the outside in.
    let cut = |weights: &[f64]| {
        let mut sum = 0.0;
        weights
            .iter()
            .rev()
            .take_while(|&&weight| {
                sum += weight;
                sum <= tail
            })
            .count()
    };
    let low = mode - (below.len() - cut(&below)) as u64;
    let high = mode + (above.len() - cut(&above)) as u64;
    low..=high
}
