//! Two pages, a network that cuts and delays, and a storage that survives: whatever happens, both
//! hold the same log and the same dice in the end.
#![allow(clippy::unwrap_used)]

mod world;

use rules::{Length, Place, Ruleset};
use world::{Options, World};

const HOUR: u64 = 3_600_000;

/// Seeds from `first` on; `ZARI_SEEDS=n` tries n times as many.
fn seeds(first: u64, count: u64) -> impl Iterator<Item = u64> {
    let times = std::env::var("ZARI_SEEDS").ok().and_then(|it| it.parse().ok()).unwrap_or(1);
    (0..count * times).map(move |k| first + k % count + k / count * 1_000)
}

fn played(options: Options) -> World {
    let seed = options.seed;
    let mut world = World::new(options);
    let done = world.run(12 * HOUR, World::is_finished);
    assert!(done, "seed {seed} does not end: {:?} {:?}", world.summary(), world.nodes);
    world.assert_honest();
    world.assert_equal();
    println!("seed {seed}: {:?}", world.summary());
    world
}

#[test]
fn a_calm_game_and_its_rematch() {
    let world = played(Options::calm(1));
    assert_eq!(world.log(0).unwrap().table().game(), 2);
    assert_eq!(world.nodes[0].crashes + world.nodes[1].crashes, 0);
    assert_eq!(world.attempts(), 1, "one connection is enough");
}

#[test]
fn games_over_a_network_that_cuts() {
    for seed in seeds(100, 8) {
        played(Options { cuts: 25, slowest_ms: 1_500, ..Options::calm(seed) });
    }
}

#[test]
fn games_between_pages_that_crash() {
    for seed in seeds(200, 8) {
        let world = played(Options { crashes: 40, ..Options::calm(seed) });
        assert!(world.nodes[0].crashes + world.nodes[1].crashes > 0);
    }
}

#[test]
fn games_in_all_weathers_with_a_cube() {
    for seed in seeds(300, 6) {
        let ruleset = Ruleset {
            length: if seed % 2 == 0 { Length::Money } else { Length::Match(5) },
            cube: Some(6),
            crawford: seed % 2 == 1,
            jacoby: seed % 2 == 0,
            beavers: seed % 2 == 0,
            ..Ruleset::georgian(1, Place::TwoBrowsers)
        };
        let options = Options {
            ruleset,
            cuts: 60,
            crashes: 120,
            weather: true,
            rematches: 3,
            ..Options::calm(seed)
        };
        played(options);
    }
}

#[test]
fn a_third_person_with_the_link() {
    for seed in seeds(400, 8) {
        let mut world =
            played(Options { third: true, crashes: 60, cuts: 60, ..Options::calm(seed) });
        let other = if world.guest() == Some(1) { 2 } else { 1 };
        // With the host's page open he reads that the game is taken, and nothing else happens.
        let len = world.log(0).unwrap().len();
        let until = world.now + 120_000;
        world.run(until, |world| world.nodes[other].page.as_ref().is_some_and(|it| it.taken));
        assert!(world.page(other).taken, "seed {seed}: he is told");
        assert!(world.log(other).is_none() || world.log(other).unwrap().is_empty());
        assert_eq!(world.log(0).unwrap().len(), len);
        world.assert_honest();
        world.assert_equal();
    }
}
