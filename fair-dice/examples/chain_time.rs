//! Prints how long it takes to build one seat's chain and to prove all its values:
//! `cargo run --release -p fair-dice --example chain_time`.

#![allow(clippy::disallowed_methods, reason = "it measures time")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use fair_dice::{CHAIN_LENGTH, Chain, Revealed};
use rules::Color;

const RUNS: u32 = 21;

fn median(mut run: impl FnMut()) -> Duration {
    let mut times: Vec<Duration> = (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    times[times.len() / 2]
}

fn main() {
    let key = [1; 32];
    let chain = Chain::new(&key, Color::White, [2; 32]);
    let build = median(|| {
        black_box(Chain::new(black_box(&key), Color::White, black_box([2; 32])));
    });
    let values: Vec<_> = chain.reveals().collect();
    let prove = median(|| {
        let mut revealed = Revealed::new(&key, Color::White, chain.anchor());
        for (i, value) in (1..).zip(&values) {
            let accepted = revealed.accept(i, *value);
            assert_eq!(accepted, Ok(()), "a chain reveals its own values");
        }
    });
    let one = median(|| {
        black_box(chain.reveal(black_box(1)));
    });
    println!("build a chain of {CHAIN_LENGTH}: {:.2} ms", build.as_secs_f64() * 1e3);
    println!("prove its {CHAIN_LENGTH} values: {:.2} ms", prove.as_secs_f64() * 1e3);
    println!("reveal one value (the dearest): {:.1} µs", one.as_secs_f64() * 1e6);
}
