//! How fast all results of all rolls are found, beside the crate `bkgm` in the same run.
#![allow(missing_docs, reason = "criterion's macros make public items without documentation")]

use std::collections::HashSet;
use std::hint::black_box;
use std::time::{Duration, Instant};

use bkgm::codecs::gnuid::decode_position;
use bkgm::{ClassicRules, legal_positions_with};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rules::{Dice, Position, legal_results};
use serde::Deserialize;

#[derive(Deserialize)]
struct Line {
    gnuid: String,
}

/// Every third of the thousand positions with known results, as GNU Position IDs.
fn ids() -> Vec<String> {
    include_str!("../tests/data/legal_moves.jsonl")
        .lines()
        .step_by(3)
        .map(|line| serde_json::from_str::<Line>(line).expect("a line of the data").gnuid)
        .collect()
}

fn rolls() -> impl Iterator<Item = (u8, u8)> {
    (1..=6).flat_map(|first| (1..=first).map(move |second| (first, second)))
}

/// The positions in both crates' shape, and the rolls.
struct Work {
    ours: Vec<Position>,
    theirs: Vec<bkgm::Position<15>>,
    dice: Vec<Dice>,
    bkgm_dice: Vec<bkgm::Dice>,
    scratch: Vec<Position>,
}

impl Work {
    fn new() -> Work {
        let ids = ids();
        let read = |id: &String| Position::from_gnu_id(id).expect("an ID of the data");
        let bkgm_read = |id: &String| decode_position(id).expect("an ID of the data");
        Work {
            ours: ids.iter().map(read).collect(),
            theirs: ids.iter().map(bkgm_read).collect(),
            dice: rolls().map(|(a, b)| Dice::new(a, b).expect("dice")).collect(),
            bkgm_dice: rolls().map(|(a, b)| bkgm::Dice::new(a.into(), b.into())).collect(),
            scratch: Vec::new(),
        }
    }

    fn calls(&self) -> u64 {
        (self.ours.len() * self.dice.len()) as u64
    }

    /// In the view of the side that moved, into one vector that is used again.
    fn results(&mut self) -> usize {
        let mut sum = 0;
        for position in &self.ours {
            for &dice in &self.dice {
                legal_results(black_box(position), dice, &mut self.scratch);
                sum += black_box(&self.scratch).len();
            }
        }
        sum
    }

    /// In the view of the side that is next, as `bkgm` gives them.
    fn flipped_results(&mut self) -> usize {
        let mut sum = 0;
        for position in &self.ours {
            for &dice in &self.dice {
                legal_results(black_box(position), dice, &mut self.scratch);
                for it in &mut self.scratch {
                    *it = it.flipped();
                }
                sum += black_box(&self.scratch).len();
            }
        }
        sum
    }

    fn bkgm_results(&mut self) -> usize {
        let mut sum = 0;
        for position in &self.theirs {
            for dice in &self.bkgm_dice {
                let results = legal_positions_with::<ClassicRules, 15>(black_box(*position), dice);
                sum += black_box(&results).len();
            }
        }
        sum
    }

    /// Both crates must have done the same job: the same number of different results.
    fn compare(&mut self) {
        let (mut sum, mut bkgm_sum, mut bkgm_twice) = (0, 0, 0);
        for (position, bkgm_position) in self.ours.iter().zip(&self.theirs) {
            for (&dice, bkgm_dice) in self.dice.iter().zip(&self.bkgm_dice) {
                legal_results(position, dice, &mut self.scratch);
                let ours: HashSet<_> = self.scratch.iter().collect();
                assert_eq!(ours.len(), self.scratch.len(), "a result twice");
                let theirs = legal_positions_with::<ClassicRules, 15>(*bkgm_position, bkgm_dice);
                let distinct: HashSet<_> = theirs.iter().collect();
                assert_eq!(ours.len(), distinct.len(), "{position:?} {dice:?}");
                sum += ours.len();
                bkgm_sum += distinct.len();
                bkgm_twice += theirs.len() - distinct.len();
            }
        }
        println!(
            "{} positions × {} rolls: {sum} results here, {bkgm_sum} by bkgm (which gives \
             {bkgm_twice} of them twice)",
            self.ours.len(),
            self.dice.len(),
        );
    }
}

/// The fastest of many rounds in turn: what else the machine does can only make one slower.
fn ratio(work: &mut Work) {
    const ROUNDS: usize = 101;
    type Job = fn(&mut Work) -> usize;
    const JOBS: [Job; 3] = [Work::results, Work::flipped_results, Work::bkgm_results];

    let mut times = [Duration::MAX; 3];
    for _ in 0..ROUNDS {
        for (job, fastest) in JOBS.iter().zip(&mut times) {
            #[expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]
            let start = Instant::now();
            black_box(job(work));
            *fastest = start.elapsed().min(*fastest);
        }
    }
    let [results, flipped, bkgm] = times;
    let nanoseconds = |time: Duration| time.as_secs_f64() * 1e9 / work.calls() as f64;
    println!(
        "a roll: {:.1} ns here, {:.1} ns turned round for the next side, {:.1} ns by bkgm",
        nanoseconds(results),
        nanoseconds(flipped),
        nanoseconds(bkgm),
    );
    println!("rolls a second: {:.0}", 1e9 / nanoseconds(results));
    println!("ratio ×{:.2}", bkgm.as_secs_f64() / results.as_secs_f64());
    println!("ratio turned round ×{:.2}", bkgm.as_secs_f64() / flipped.as_secs_f64());
}

fn legal(criterion: &mut Criterion) {
    let mut work = Work::new();
    work.compare();
    let mut group = criterion.benchmark_group("all rolls");
    group.throughput(Throughput::Elements(work.calls()));
    group.bench_function("rules", |it| it.iter(|| work.results()));
    group.bench_function("rules, turned round", |it| it.iter(|| work.flipped_results()));
    group.bench_function("bkgm 0.6", |it| it.iter(|| work.bkgm_results()));
    group.finish();
    ratio(&mut work);
}

criterion_group!(benches, legal);
criterion_main!(benches);
