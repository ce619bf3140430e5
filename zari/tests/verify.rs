//! Runs `zari verify` and the second verifier on sessions that hold and on sessions that do not.
#![allow(clippy::unwrap_used)]

mod command;
mod games;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command as Process;

use command::zari;
use games::{Chance, Habits, Session, rulesets};
use rules::{Color, Move, Place, Play, Point, Ruleset};
use table::{Body, Claim, Command, Entry, Log, Record, State, Transcript, Why};

const HABITS: Habits = Habits { double: 12, resign: 2, slowness: 9_000 };
const QUIET: Habits = Habits { double: 0, resign: 0, slowness: 0 };

/// A place for the files of one test.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// What the verifier of tests/verifier prints for these files, one line each, and its exit code.
fn second_verifier(files: &[PathBuf]) -> (Vec<String>, i32, String) {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/verifier/verify.mjs");
    let output = Process::new("node")
        .arg(script)
        .args(files)
        .output()
        .expect("the second verifier needs Node 20 or newer on PATH");
    let lines = String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect();
    (lines, output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
}

/// Both verifiers on each text: the same first line, the same exit code.
fn both(name: &str, texts: &[String]) -> Vec<String> {
    let folder = folder(name);
    let mut files = Vec::new();
    let mut lines = Vec::new();
    for (n, text) in texts.iter().enumerate() {
        let file = folder.join(format!("{n}.json"));
        std::fs::write(&file, text).unwrap();
        let run = zari(&["verify", file.to_str().unwrap()], "");
        assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
        assert_eq!(run.code, i32::from(run.stdout.starts_with("INVALID")), "{}", run.stderr);
        lines.push(run.first_line().to_owned());
        files.push(file);
    }
    let (second, code, stderr) = second_verifier(&files);
    for (n, (first, second)) in lines.iter().zip(&second).enumerate() {
        assert_eq!(first, second, "{}: {stderr}", files[n].display());
    }
    assert_eq!(second.len(), lines.len(), "{stderr}");
    assert_eq!(code, i32::from(lines.iter().any(|line| line.starts_with("INVALID"))));
    lines
}

fn json(log: &Log, claims: &[Claim]) -> String {
    Transcript::of(log, claims).to_json()
}

/// The whole log with other records.
fn with(log: &Log, change: impl FnOnce(&mut Vec<Vec<u8>>)) -> String {
    let mut transcript = Transcript::of(log, &[]);
    change(&mut transcript.records);
    transcript.to_json()
}

fn over(log: &Log) -> bool {
    log.table().result().is_some()
}

fn decided(log: &Log) -> bool {
    over(log)
        && (log.table().ruleset().match_length().is_none() || log.table().match_winner().is_some())
}

#[test]
fn both_verifiers_agree_on_sessions_that_hold() {
    let mut texts = Vec::new();
    let mut expected = Vec::new();
    for (n, ruleset) in rulesets().into_iter().enumerate() {
        for round in 0..4 {
            let mut session = Session::new(ruleset, (10 * n + round) as u64);
            match round {
                0 => {
                    let len = session.chance.below(60) as u32;
                    session.play(&HABITS, |log| log.len() == len || decided(log));
                }
                // Past a won match or a finished game into the next.
                1 => session.play(&HABITS, |log| log.table().game() > 2 && over(log)),
                _ => session.play(&HABITS, decided),
            }
            let log = &session.log;
            let word = match () {
                () if ruleset.place == Place::OneBrowser => "UNPROVEN",
                () if decided(log) => "AGREED",
                () => "INCOMPLETE",
            };
            texts.push(json(log, &[]));
            expected.push(word.to_owned());
        }
    }
    assert_eq!(both("hold", &texts), expected);
    assert!(["AGREED", "INCOMPLETE", "UNPROVEN"].iter().all(|it| expected.contains(&(*it).into())));
}

#[test]
fn a_win_may_leave_a_die_unused() {
    // A side whose last checker goes off by one die, while another order would use both.
    let short_win = |log: &Log| {
        let table = log.table();
        let dice = table.dice().filter(|_| matches!(table.state(), State::ToPlay(_)))?;
        let moves = (1..=6).filter_map(Point::new).map(|from| Move { from, die: dice.larger() });
        let play = moves.filter_map(|it| Play::new(&[it])).find(|play| {
            rules::check_play(table.position(), dice, play).is_ok_and(|it| it.win().is_some())
        })?;
        (rules::legal(table.position(), dice).dice_used() > 1).then_some(play)
    };
    let mut session = (0..200)
        .find_map(|seed| {
            let mut session = Session::new(Ruleset::georgian(1, Place::TwoBrowsers), 9000 + seed);
            session.play(&QUIET, |log| over(log) || short_win(log).is_some());
            (!over(&session.log)).then_some(session)
        })
        .expect("some game ends so");
    let play = short_win(&session.log).unwrap();
    let winner = session.log.table().on_roll();
    let record = session.log.compose(&session.seats[winner], Command::Play(play), 0).unwrap();
    session.log.append(record).unwrap();
    assert_eq!(both("short-win", &[json(&session.log, &[])]), ["AGREED"]);
}

#[test]
fn a_claim_counts_only_at_the_last_head_and_of_the_right_seat() {
    let mut session = Session::new(Ruleset::georgian(1, Place::TwoBrowsers), 90);
    session.play(&QUIET, |log| log.len() == 9);
    let log = &session.log;
    let claimant = log.table().awaiting().seat().unwrap().opposite();
    let secret = session.seats[claimant].secret();
    let claim = Claim::sign(log, claimant, secret, Why::Absence, 180_000).unwrap();
    let mut unsigned = claim.clone();
    unsigned.waited_ms += 1;
    let mut longer = Session::new(Ruleset::georgian(1, Place::TwoBrowsers), 90);
    longer.play(&QUIET, |log| log.len() == 10);
    let mut texts = vec![
        json(log, std::slice::from_ref(&claim)),
        json(&longer.log, std::slice::from_ref(&claim)),
        json(log, &[unsigned]),
    ];
    for cut in [0, 1, 105] {
        let mut transcript = Transcript::of(log, std::slice::from_ref(&claim));
        transcript.claims[0].truncate(cut);
        texts.push(transcript.to_json());
    }
    let malformed = "INVALID claim malformed";
    assert_eq!(
        both("claims", &texts),
        ["CLAIMED", "INCOMPLETE", malformed, malformed, malformed, malformed]
    );
}

/// Entries that are signed by their seat and still wrong, with the word of the protocol for each.
fn forgeries(session: &Session) -> Vec<(Record, &'static str)> {
    let log = &session.log;
    let table = log.table();
    let color = table.awaiting().seat().unwrap();
    let (seq, prev) = (log.len(), log.head());
    let entry = |seat: Color, body: Body| Entry { seat, seq, prev, spent_ms: 0, body };
    let signed = |entry: Entry| {
        let seat = &session.seats[entry.seat];
        entry.sign(log.header().game_id(), seat.secret())
    };
    let x = session.seats[color].chain().reveal(table.next_roll()).unwrap();
    let other = session.seats[color.opposite()].chain().reveal(table.next_roll()).unwrap();
    let after = session.seats[color].chain().reveal(table.next_roll() + 1).unwrap();
    let mut list: Vec<(Record, &str)> = vec![];
    for body in [Body::Accept, Body::Decline, Body::TimeOut, Body::Ready, Body::Beaver] {
        if !table.awaiting().allows(color, body.kind()) {
            list.push((signed(entry(color, body)), "rules"));
        }
        list.push((signed(entry(color.opposite(), body)), "seat"));
    }
    match table.state() {
        State::Opening | State::Free(_) | State::Bound(_) => {
            for wrong in [other, after, [0; 32]] {
                list.push((signed(entry(color, Body::Roll(wrong))), "chain"));
            }
            list.push((signed(entry(color, Body::Reveal(x))), "rules"));
            list.push((signed(entry(color, Body::Play(Play::NONE, Some(x)))), "rules"));
            list.push((signed(Entry { seq: seq + 1, ..entry(color, Body::Roll(x)) }), "seq"));
            list.push((signed(Entry { prev: x, ..entry(color, Body::Roll(x)) }), "prev"));
        }
        State::OpenReveal | State::Owe(_) => {
            for wrong in [other, after, [0; 32]] {
                list.push((signed(entry(color, Body::Reveal(wrong))), "chain"));
            }
            list.push((signed(entry(color, Body::Roll(x))), "rules"));
        }
        State::ToPlay(_) => {
            let legal = rules::legal(table.position(), table.dice().unwrap());
            let (_, play) = legal.iter().next().unwrap();
            let opponent_free = table.may_double(color.opposite());
            let (right, wrong) = if opponent_free { (None, Some(x)) } else { (Some(x), None) };
            list.push((signed(entry(color, Body::Play(play, wrong))), "rules"));
            if !play.is_empty() {
                list.push((signed(entry(color, Body::Play(Play::NONE, right))), "rules"));
                let mut short = play;
                short.pop();
                list.push((signed(entry(color, Body::Play(short, right))), "rules"));
            }
            if !opponent_free {
                list.push((signed(entry(color, Body::Play(play, Some(other)))), "chain"));
            }
        }
        _ => {}
    }
    list
}

#[test]
fn both_verifiers_name_the_same_fault_of_a_forged_entry() {
    let (mut texts, mut expected) = (Vec::new(), Vec::new());
    for (n, ruleset) in rulesets().into_iter().enumerate() {
        let mut session = Session::new(ruleset, 200 + n as u64);
        for _ in 0..6 {
            let len = session.log.len() + session.chance.below(5) as u32;
            session.play(&HABITS, |log| log.len() >= len || over(log));
            if over(&session.log) {
                break;
            }
            for (record, reason) in forgeries(&session) {
                let seq = session.log.len();
                texts.push(with(&session.log, |records| records.push(record.to_bytes())));
                expected.push(format!("INVALID {seq} {reason}"));
            }
        }
    }
    for (n, (line, expected)) in both("forged", &texts).iter().zip(&expected).enumerate() {
        assert_eq!(line, expected, "forgery {n}");
    }
}

#[test]
fn both_verifiers_name_the_same_fault_of_damaged_bytes() {
    let mut session = Session::new(rulesets()[4], 300);
    session.play(&HABITS, |log| log.len() == 40);
    let log = &session.log;
    let mut chance = Chance::new(301);
    let mut texts = Vec::new();
    for _ in 0..150 {
        let seq = chance.below(40);
        texts.push(with(log, |records| {
            let at = chance.below(records[seq].len());
            records[seq][at] ^= 1 << chance.below(8);
        }));
    }
    for seq in [0, 17, 39] {
        texts.push(with(log, |records| drop(records.remove(seq))));
        texts.push(with(log, |records| records[seq].push(0)));
        texts.push(with(log, |records| records[seq].truncate(100)));
        texts.push(with(log, |records| records[seq].clear()));
        texts.push(with(log, |records| records[seq].truncate(44)));
        texts.push(with(log, |records| records.insert(seq, records[seq].clone())));
        texts.push(with(log, |records| records.swap(seq, 20)));
    }
    let lines = both("damaged", &texts);
    // Without the last record the log merely ends earlier.
    let held = lines.iter().filter(|line| line.as_str() == "INCOMPLETE").count();
    assert_eq!(held, 1, "{lines:?}");
    let reasons: BTreeSet<&str> = lines.iter().filter_map(|it| it.rsplit(' ').next()).collect();
    for reason in ["malformed", "signature", "prev"] {
        assert!(reasons.contains(reason), "{reason} is not among {reasons:?}");
    }
}

#[test]
fn both_verifiers_name_the_same_fault_of_a_damaged_handshake() {
    let mut session = Session::new(rulesets()[5], 400);
    session.play(&HABITS, |log| log.len() == 4);
    let whole = Transcript::of(&session.log, &[]);
    let mut texts = Vec::new();
    let mut chance = Chance::new(401);
    let parts: [fn(&mut Transcript) -> &mut Vec<u8>; 4] =
        [|it| &mut it.offer, |it| &mut it.accept, |it| &mut it.start, |it| &mut it.guest_signature];
    for part in parts {
        for _ in 0..40 {
            let mut transcript = whole.clone();
            let bytes = part(&mut transcript);
            let at = chance.below(bytes.len());
            bytes[at] ^= 1 << chance.below(8);
            texts.push(transcript.to_json());
        }
        let changes: [fn(&mut Vec<u8>); 3] =
            [|it| it.push(0), |it| it.truncate(it.len() - 1), Vec::clear];
        for change in changes {
            let mut transcript = whole.clone();
            change(part(&mut transcript));
            texts.push(transcript.to_json());
        }
    }
    // Every byte of the ruleset and of both names' lengths with every small value.
    for at in 0..12 {
        for value in 0..9 {
            let mut transcript = whole.clone();
            transcript.offer[1 + at] = value;
            texts.push(transcript.to_json());
        }
    }
    for text in both("handshake", &texts) {
        let fine = ["INVALID header malformed", "INVALID header signature", "INCOMPLETE"];
        assert!(fine.contains(&text.as_str()), "{text}");
    }
}

#[test]
fn what_is_no_transcript_is_unreadable() {
    let mut session = Session::new(rulesets()[0], 500);
    session.play(&QUIET, |log| log.len() == 3);
    let right = json(&session.log, &[]);
    assert_eq!(both("readable", std::slice::from_ref(&right)), ["INCOMPLETE"]);
    let offer = right.split('"').nth(5).unwrap().to_owned();
    let folder = folder("unreadable");
    let wrong = [
        String::new(),
        "nonsense".into(),
        "null".into(),
        "[]".into(),
        "{}".into(),
        "[".repeat(200_000),
        right[..right.len() - 1].into(),
        format!("{right}{right}"),
        right.replace("\"zari\":1", "\"zari\":2"),
        right.replace("\"zari\":1", "\"zari\":\"1\""),
        right.replace("\"zari\":1,", ""),
        right.replace("\"claims\":[]", "\"claims\":[],\"more\":0"),
        right.replace(",\"claims\":[]", ""),
        right.replace("\"claims\":[]", "\"claims\":{}"),
        right.replace("\"claims\":[]", "\"claims\":[7]"),
        right.replace("\"offer\":\"", "\"offer\":\"="),
        right.replace("\"offer\":\"", "\"offer\":\"+"),
        right.replace(&offer, &format!("{offer}A==")),
        right.replace("\"records\":[\"", "\"records\":[\"я"),
    ];
    for (n, text) in wrong.iter().enumerate() {
        let file = folder.join(format!("{n}.json"));
        std::fs::write(&file, text).unwrap();
        let run = zari(&["verify", file.to_str().unwrap()], "");
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{n}: {text:.80}");
        assert!(run.stderr.contains("is unreadable: "), "{}", run.stderr);
        assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
        let (lines, code, _) = second_verifier(&[file]);
        assert_eq!((lines, code), (vec![], 2), "{n}: {text:.80}");
    }
    let file = folder.join("bytes.json");
    std::fs::write(&file, b"\xFF\xFE").unwrap();
    let run = zari(&["verify", file.to_str().unwrap()], "");
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("not UTF-8"), "{}", run.stderr);
    let run = zari(&["verify", "no/such/file"], "");
    assert_eq!((run.code, run.stdout.as_str()), (2, ""));
    assert!(run.stderr.contains("no/such/file"), "{}", run.stderr);
}

#[test]
fn the_report_shows_every_roll_and_the_result() {
    let mut session = Session::new(Ruleset::georgian(1, Place::TwoBrowsers), 600);
    session.play(&QUIET, decided);
    let log = &session.log;
    let run = zari(&["verify", "-"], &json(log, &[]));
    assert_eq!(run.first_line(), "AGREED");
    let rolls: Vec<&str> = run
        .stdout
        .lines()
        .filter(|line| line.contains(" white ") || line.contains(" black "))
        .collect();
    for roll in log.rolls() {
        let dice = format!(" {}-{} ", roll.dice.first.pips(), roll.dice.second.pips());
        let start = format!("{:>5} {:>5} ", roll.index, roll.seq);
        assert!(
            rolls.iter().any(|line| line.starts_with(&start) && line.contains(&dice)),
            "{dice}"
        );
    }
    let winner = match log.table().result().unwrap().winner {
        Color::White => "white wins",
        Color::Black => "black wins",
    };
    assert!(run.stdout.contains(winner), "{}", run.stdout);
    assert!(run.stdout.contains("\"Нино\""), "{}", run.stdout);
    assert!(run.stdout.contains("doubles"), "{}", run.stdout);
}
