//! Finding results allocates nothing once the vector has grown.
#![allow(clippy::unwrap_used, reason = "a failed test should stop at the line that failed")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use rules::{Dice, Position, legal_results};

/// The system's allocator, counting what each thread asks it for.
struct Counting;

thread_local! {
    static ASKED: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: everything is left to the system's allocator; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ASKED.with(|it| it.set(it.get() + 1));
        // SAFETY: the caller keeps the conditions of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the conditions of `dealloc`.
        unsafe { System.dealloc(at, layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ASKED.with(|it| it.set(it.get() + 1));
        // SAFETY: the caller keeps the conditions of `realloc`.
        unsafe { System.realloc(at, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn results_are_found_without_allocating() {
    let positions: Vec<Position> = include_str!("data/legal_moves.jsonl")
        .lines()
        .map(|line| {
            let id = line.split_once("\"gnuid\":\"").unwrap().1.get(..14).unwrap();
            Position::from_gnu_id(id).unwrap()
        })
        .collect();
    let rolls: Vec<Dice> =
        (1..=6).flat_map(|a| (1..=6).map(move |b| Dice::new(a, b).unwrap())).collect();
    let mut results = Vec::new();
    let mut all = |asked_first: bool| {
        let before = ASKED.get();
        let mut sum = 0;
        for position in &positions {
            for &dice in &rolls {
                legal_results(position, dice, &mut results);
                sum += results.len();
            }
        }
        assert_eq!(ASKED.get() > before, asked_first, "{} allocations", ASKED.get() - before);
        sum
    };
    // The first time the vector grows, which shows that the count counts.
    let sum = all(true);
    assert_eq!(all(false), sum);
}
