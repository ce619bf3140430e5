//! Coming back: an older storage, a second tab, a second device, a page that hides or goes, a night in
//! between. And what a friend who changed his program can put into the log.
#![allow(clippy::unwrap_used)]

mod world;

use peer::{Departure, Kept, Link, Presence, Visibility};
use table::{Command, Log, Record, Seat};
use world::{Lie, Mutant, Options, Owned, World};

const MINUTE: u64 = 60_000;
const HOUR: u64 = 60 * MINUTE;

/// A world where both are bound, synced and some entries into the game.
fn under_way(options: Options, entries: u32) -> World {
    let mut world = World::new(options);
    let is_there = |world: &World| {
        let len = |node| world.log(node).map_or(0, Log::len);
        len(0) >= entries && world.guest().map_or(0, len) >= entries
    };
    assert!(world.run(HOUR, is_there), "{:?}", world.summary());
    world
}

fn finish(world: &mut World) {
    let until = world.now + 3 * HOUR;
    let done = world.run(until, World::is_finished);
    assert!(done, "seed {}: {:?}", world.options.seed, world.summary());
    world.assert_honest();
    world.assert_equal();
}

// An older storage.

#[test]
fn a_seat_restored_from_an_older_copy_gets_its_log_back_before_it_speaks() {
    for node in [0, 1] {
        for lost in [1, 2, 5, 40] {
            let mut world = under_way(Options::calm(500 + lost as u64), 45);
            world.kill(node);
            let records = &mut world.nodes[node].disk.records;
            records.truncate(records.len() - lost);
            world.start(node);
            finish(&mut world);
        }
    }
}

#[test]
fn a_host_restored_from_before_the_guest_came_is_seated_again_in_the_same_game() {
    let mut world = under_way(Options::calm(510), 12);
    let game = *world.log(0).unwrap().header().game_id();
    let first: Vec<_> = world.log(0).unwrap().rolls().iter().map(|it| it.dice).collect();
    world.kill(0);
    let kept = Kept::from_bytes(world.nodes[0].disk.kept.as_ref().unwrap()).unwrap();
    let Kept::Host(mut host) = kept else { panic!("the host keeps a host's seat") };
    host.seated = None;
    world.nodes[0].disk.kept = Some(Kept::Host(host).to_bytes());
    world.nodes[0].disk.records.clear();
    world.start(0);
    let restarted = world.now;
    let back = |world: &World| world.log(0).is_some_and(|it| it.len() >= 12);
    assert!(world.run(restarted + MINUTE, back), "within a minute");
    finish(&mut world);
    assert_eq!(world.log(0).unwrap().header().game_id(), &game);
    let again: Vec<_> = world.log(0).unwrap().rolls().iter().map(|it| it.dice).collect();
    assert_eq!(again[..first.len()], first, "the same dice");
}

#[test]
fn speaking_before_the_sync_is_caught() {
    let spoils = |mutant| {
        (520..540).any(|seed| {
            let mut world = under_way(Options::calm(seed), 20);
            world.kill(1);
            let records = &mut world.nodes[1].disk.records;
            records.truncate(records.len() - 3);
            world.options.mutant = mutant;
            world.start(1);
            let until = world.now + 10 * MINUTE;
            world.run(until, World::is_finished);
            world.equivocated || !world.complaints.is_empty() || !world.is_finished()
        })
    };
    assert!(spoils(Mutant::SpeakBeforeSync));
    assert!(!spoils(Mutant::None));
}

// A second device, and logs that part.

#[test]
fn a_second_device_that_spoke_alone_takes_the_others_log() {
    for seed in 550..556 {
        let mut world = under_way(Options::calm(seed), 20);
        // The guest's other device has an older copy, no connection, and a program that does not wait.
        world.kill(1);
        let records = &mut world.nodes[1].disk.records;
        let own = |it: &Vec<u8>| Record::from_bytes(it).unwrap().entry.seat.seat() == 1;
        let last = records.iter().rposition(own).unwrap();
        let lost = records.split_off(last);
        world.server_down(MINUTE);
        world.options.mutant = Mutant::SpeakBeforeSync;
        world.start(1);
        let until = world.now + 30_000;
        world.run(until, |world| world.nodes[1].disk.records.len() > last);
        world.options.mutant = Mutant::None;
        let parted = world.nodes[1].disk.records.get(last) != lost.first();
        let until = world.now + 3 * HOUR;
        assert!(world.run(until, World::is_finished), "seed {seed}: {:?}", world.summary());
        world.assert_equal();
        assert!(world.page(0).forked.is_none() && world.page(1).forked.is_none());
        assert!(parted, "the two logs did part");
    }
}

/// Two logs that part at the guest's first reveal; the first goes on with the host's word.
fn parted(world: &World) -> [Vec<Vec<u8>>; 2] {
    let kept =
        |node: usize| Kept::from_bytes(world.nodes[node].disk.kept.as_ref().unwrap()).unwrap();
    let seats: Vec<Seat> = [0, 1].map(|node| kept(node).seat().unwrap()).into();
    let mut log = Log::new(kept(0).header().unwrap().unwrap());
    let write = |log: &mut Log, seat: usize, command, spent| {
        let record = log.compose(&seats[seat], command, spent).unwrap();
        log.append(record).unwrap();
    };
    write(&mut log, 0, Command::Roll, 0);
    let mut other = log.clone();
    write(&mut log, 1, Command::Reveal, 10);
    write(&mut other, 1, Command::Reveal, 20);
    let mover = usize::from(log.table().on_roll().seat());
    let plays = rules::legal(log.table().position(), log.table().dice().unwrap());
    let (_, play) = plays.iter().next().unwrap();
    for log in [&mut log, &mut other] {
        write(log, mover, Command::Play(play), 0);
    }
    // The side that comes next rolls: entries of both sides stand behind the fork.
    write(&mut log, 1 - mover, Command::Roll, 0);
    [&log, &other].map(|log| log.records_from(0).iter().map(Record::to_bytes).collect())
}

#[test]
fn a_fork_that_would_lose_the_others_word_freezes_both() {
    let mut world = under_way(Options::calm(560), 2);
    let [longer, shorter] = parted(&world);
    for (node, records) in [(0, shorter), (1, longer)] {
        world.kill(node);
        world.nodes[node].disk.records = records;
    }
    let before = [0, 1].map(|node| world.nodes[node].disk.records.clone());
    world.options.enough = 0;
    world.start(0);
    world.start(1);
    let until = world.now + 5 * MINUTE;
    let frozen =
        |world: &World| [0, 1].iter().all(|&node| world.page(node).link == Some(Link::Frozen));
    assert!(world.run(until, frozen), "{:?} {:?}", world.page(0).link, world.page(1).link);
    for node in [0, 1] {
        assert_eq!(world.nodes[node].disk.records, before[node], "the log stays as it was");
    }
    for node in [0, 1] {
        let fork = world.page(node).forked.as_ref().expect("the fork is kept as evidence");
        assert_eq!((fork.mine.entry.seq, fork.theirs.entry.seq), (1, 1));
        assert_eq!(fork.mine.entry.seat, fork.theirs.entry.seat);
        assert_ne!(fork.mine, fork.theirs);
    }
}

// A second tab.

#[test]
fn the_newest_page_acts_and_the_older_is_told_and_can_take_back() {
    for node in [0, 1] {
        let mut world = under_way(Options { third: true, ..Options::calm(570) }, 10);
        let seat = if node == 0 { 0 } else { world.guest().unwrap() };
        let spare = 3 - world.guest().unwrap();
        world.kill(spare);
        // The same storage in another tab.
        world.nodes[spare].disk = world.nodes[seat].disk.clone();
        world.nodes[seat].page.as_mut().unwrap().fenced = true;
        world.start(spare);
        let until = world.now + MINUTE;
        let told = |world: &World| world.page(seat).superseded;
        assert!(world.run(until, told), "the older page is told");
        assert_eq!(world.page(seat).link, Some(Link::Superseded));
        assert!(!world.page(seat).peer.may_sign());
        let len = world.log(spare).unwrap().len();
        let until = world.now + 5 * MINUTE;
        let plays = |world: &World| world.log(spare).is_some_and(|it| it.len() >= len + 5);
        assert!(world.run(until, plays), "the newer page plays");
        assert_eq!(world.page(seat).link, Some(Link::Superseded), "and the older stays silent");
        // Its user wants to play there after all.
        world.nodes[seat].disk.records = world.nodes[spare].disk.records.clone();
        let (old, records) = (world.log(seat).unwrap().header().clone(), {
            let records = &world.nodes[seat].disk.records;
            records.iter().map(|it| Record::from_bytes(it).unwrap()).collect()
        });
        world.nodes[seat].page.as_mut().unwrap().log = Some(Log::read(old, records).unwrap());
        world.nodes[seat].page.as_mut().unwrap().fenced = false;
        world.nodes[spare].page.as_mut().unwrap().fenced = true;
        world.tell(seat, Owned::PlayHere);
        let until = world.now + MINUTE;
        assert!(world.run(until, |world| world.page(spare).superseded), "the other one is told");
        world.kill(spare);
        world.nodes[spare].stays_dead = true;
        let until = world.now + HOUR;
        let opponent = if node == 0 { world.guest().unwrap() } else { 0 };
        let over = |world: &World| {
            let (a, b) = (world.log(seat).unwrap(), world.log(opponent).unwrap());
            a.len() > len + 10 && a.head() == b.head()
        };
        assert!(world.run(until, over), "{:?}", world.summary());
        world.assert_honest();
    }
}

// How the other is.

fn seen(world: &World, node: usize, since: u64) -> Vec<(u64, Presence)> {
    let presences = world.page(node).presences.iter();
    presences.filter(|(at, _)| *at >= since).map(|&(at, it)| (at - since, it)).collect()
}

#[test]
fn a_page_that_dies_is_shaky_then_away() {
    let mut world = under_way(Options { enough: 6, ..Options::calm(580) }, 6);
    world.nodes[1].stays_dead = true;
    world.kill(1);
    let since = world.now;
    world.run(since + MINUTE, |_| false);
    let seen = seen(&world, 0, since);
    let [(shaky, Presence::Shaky), (away, Presence::Away)] = seen[..] else { panic!("{seen:?}") };
    assert!((3_500..=8_000).contains(&shaky), "{seen:?}");
    assert!((10_500..=15_000).contains(&away), "away within 20 s of its death: {seen:?}");
    assert_ne!(world.page(0).link, Some(Link::Live), "a new connection is looked for");
}

#[test]
fn a_hidden_page_is_screen_off_at_once_and_away_much_later() {
    let mut world = under_way(Options { enough: 6, ..Options::calm(581) }, 6);
    let since = world.now;
    world.tell(1, Owned::Visibility(Visibility::Hidden));
    world.run(since + 3 * MINUTE, |_| false);
    let first = seen(&world, 0, since);
    let [(at, Presence::ScreenOff)] = first[..] else { panic!("{first:?}") };
    assert!(at < 1_000);
    assert_eq!(world.page(0).link, Some(Link::Live));
    world.nodes[1].stays_dead = true;
    world.kill(1);
    let since = world.now;
    world.run(since + 2 * MINUTE, |_| false);
    let then = seen(&world, 0, since);
    let [(away, Presence::Away)] = then[..] else { panic!("{then:?}") };
    assert!((59_000..=75_000).contains(&away), "{then:?}");
}

#[test]
fn who_says_goodbye_is_gone_at_once_and_comes_back() {
    let mut world = under_way(Options { enough: 6, ..Options::calm(582) }, 6);
    let since = world.now;
    world.tell(1, Owned::Leaving(Departure::Leave));
    world.run(since + 2_000, |_| false);
    let gone = seen(&world, 0, since);
    assert_eq!(gone.last().unwrap().1, Presence::Left(Departure::Leave), "within 2 s");
    world.kill(1);
    world.start(1);
    let since = world.now;
    let back = |world: &World| world.page(0).presences.last().unwrap().1 == Presence::Here;
    assert!(world.run(since + 10_000, back), "and back within 10 s: {:?}", world.page(0).presences);
    assert!(world.run(since + 10_000, |world| world.page(1).link == Some(Link::Live)));
}

#[test]
fn a_lost_connection_is_made_anew_by_20_s_and_the_game_goes_on() {
    for seed in 590..596 {
        let mut world = under_way(Options::calm(seed), 10);
        world.options.cuts = 1;
        let cut = world.now;
        world.run(cut + 4_500, |_| false);
        world.options.cuts = 0;
        let len = world.log(0).unwrap().len();
        let on = |world: &World| world.log(0).is_some_and(|it| it.len() >= len + 2);
        assert!(world.run(cut + 45_000, on), "seed {seed}");
        finish(&mut world);
    }
}

#[test]
fn the_server_may_die_once_both_are_connected() {
    let mut world = under_way(Options::calm(597), 4);
    world.server_down(10 * HOUR);
    let since = world.now;
    let on = |world: &World| world.is_finished();
    assert!(world.run(since + HOUR, on), "the game goes on without it");
    world.assert_honest();
}

#[test]
fn a_killed_page_is_back_within_10_s_of_its_return() {
    for seed in 620..630 {
        for node in [0, 1] {
            let mut world = under_way(Options { enough: 8, ..Options::calm(seed) }, 8);
            let before = world.now;
            world.run(before + 1_000 + seed * 37 % 4_000, |_| false);
            world.kill(node);
            let killed = world.now;
            world.run(killed + 2_000, |_| false);
            world.start(node);
            let since = world.now;
            let lives = |world: &World, at: usize| world.page(at).link == Some(Link::Live);
            let back = |world: &World| lives(world, node) && lives(world, 1 - node);
            let done = world.run(since + 10_000, back);
            assert!(done, "seed {seed}, node {node}: {:?}", world.page(node).link);
        }
    }
}

#[test]
fn both_gone_for_a_day() {
    let mut world = under_way(Options::calm(598), 10);
    world.kill(0);
    world.kill(1);
    world.server_down(1_000);
    let night = world.now;
    world.run(night + 24 * HOUR, |_| false);
    world.now = night + 24 * HOUR;
    world.start(1);
    world.start(0);
    let back = |world: &World| [0, 1].iter().all(|&node| world.page(node).link == Some(Link::Live));
    let since = world.now;
    assert!(world.run(since + 10_000, back), "within 10 s of both being there");
    finish(&mut world);
}

// A changed program.

#[test]
fn every_lie_in_the_log_is_a_fault_and_the_board_stays() {
    let lies = [
        (Lie::Signature, "signature"),
        (Lie::Seq, ""),
        (Lie::Prev, ""),
        (Lie::Seat, ""),
        (Lie::Reveal, ""),
        (Lie::Echo, ""),
        (Lie::Play, ""),
    ];
    for (lie, word) in lies {
        let mut world = World::new(Options { lie: Some((lie, 12)), ..Options::calm(600) });
        let caught = |world: &World| world.nodes[0].page.as_ref().is_some_and(|it| it.fault);
        assert!(world.run(HOUR, caught), "{lie:?} is not caught: {:?}", world.summary());
        assert!(world.complaints[0].contains(word), "{lie:?}: {:?}", world.complaints);
        let until = world.now + MINUTE;
        world.run(until, |_| false);
        let (mine, theirs) = (world.log(0).unwrap(), world.log(1).unwrap());
        let len = mine.len() as usize;
        assert_eq!(mine.records_from(0), &theirs.records_from(0)[..len], "{lie:?}");
        assert_eq!(world.page(0).link, Some(Link::Frozen));
        assert_eq!(world.nodes[0].disk.records.len(), len, "{lie:?}: nothing false was stored");
    }
}

// What the server sees.

#[test]
fn the_server_reads_nothing() {
    let world = under_way(Options::calm(610), 4);
    let offer = world.log(0).unwrap().header().offer().to_bytes();
    assert!(world.overheard.len() > 3);
    for (room, bytes) in &world.overheard {
        assert_eq!(room.len(), 22);
        for secret in [&offer[1..45], b"wire".as_slice()] {
            assert!(!bytes.windows(secret.len()).any(|it| it == secret));
        }
    }
}
