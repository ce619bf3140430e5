//! Every point at which a page can die, one after the other: after each write and after each message
//! sent. Whatever was stored by then is enough to come to the same game and the same dice.
#![allow(clippy::unwrap_used)]

mod world;

use world::{Mutant, Options, World};

const HOUR: u64 = 3_600_000;
/// The opening and a few turns: every kind of step of a game's beginning occurs.
const ENTRIES: u32 = 9;

fn options(seed: u64, mutant: Mutant) -> Options {
    Options { enough: ENTRIES, mutant, ..Options::calm(seed) }
}

/// How many steps each page makes when nothing happens to it.
fn steps(seed: u64) -> [u64; 2] {
    let mut world = World::new(options(seed, Mutant::None));
    assert!(world.run(HOUR, World::is_finished));
    // What is under way when the game is over counts too.
    let until = world.now + 5_000;
    world.run(until, |_| false);
    [world.nodes[0].steps, world.nodes[1].steps]
}

/// Whether the game comes to the same end on both sides although `node` dies at `step`, be its last
/// message delivered or not.
fn survives(seed: u64, mutant: Mutant, node: usize, step: u64) -> bool {
    [false, true].into_iter().all(|lose_last| {
        let crash_at = Some((node, step));
        let mut world = World::new(Options { crash_at, lose_last, ..options(seed, mutant) });
        let is_over = |world: &World| world.nodes[node].crashes == 1 && world.is_finished();
        if !world.run(HOUR / 4, is_over) || world.equivocated {
            return false;
        }
        if mutant == Mutant::None {
            world.assert_honest();
        }
        world.assert_equal();
        true
    })
}

#[test]
fn a_page_may_die_at_any_step() {
    let seed = 7;
    let steps = steps(seed);
    assert!(steps[0] > 20 && steps[1] > 20, "{steps:?}");
    for node in [0, 1] {
        for step in 1..=steps[node] {
            assert!(survives(seed, Mutant::None, node, step), "node {node} dies at step {step}");
        }
    }
}

/// The same enumeration must find a step at which a wrong shell loses the game.
fn is_caught(mutant: Mutant, node: usize) {
    let seed = 7;
    let steps = steps(seed);
    let lost = (1..=steps[node]).find(|&step| !survives(seed, mutant, node, step));
    assert!(lost.is_some(), "{mutant:?} did no harm at node {node}");
}

#[test]
fn sending_before_storing_is_caught() {
    is_caught(Mutant::SendBeforeStore, 0);
    is_caught(Mutant::SendBeforeStore, 1);
}

#[test]
fn a_seat_confirmed_before_it_is_stored_is_caught() {
    is_caught(Mutant::SeatBeforeStore, 1);
}

#[test]
fn a_guest_who_does_not_alternate_is_caught() {
    is_caught(Mutant::NeverAlternate, 1);
}
