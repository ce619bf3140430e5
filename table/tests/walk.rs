//! Random walks through whole matches: the state table as the reducer that ships plays it.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use rules::{ByColor, Clock, Color, Length, Place, Play, Ruleset, legal};
use table::{
    Awaiting, Body, Command, Ending, Fault, Header, Kind, Log, Name, Resignation, Seat, Secret,
    State, Table,
};

fn seats(ruleset: Ruleset, salt: u8) -> (Log, ByColor<Seat>) {
    let secrets = ByColor { white: Secret::new([salt; 32]), black: Secret::new([salt ^ 0xFF; 32]) };
    let header = Header::on_one_device(ruleset, &secrets, ByColor::from_fn(|_| Name::default()));
    let header = header.unwrap();
    let (offer, accept) = (header.offer().to_bytes(), header.accept().to_bytes());
    let seats = ByColor {
        white: Seat::host(secrets.white, &offer, &accept),
        black: Seat::guest(secrets.black, &offer),
    };
    (Log::new(header), seats)
}

/// Every command that could be tried at a table, for the side with the word.
fn commands(table: &Table, pick: usize) -> Vec<Command> {
    let mut commands = vec![
        Command::Roll,
        Command::Reveal,
        Command::Double,
        Command::Take,
        Command::Beaver,
        Command::Drop,
        Command::Accept,
        Command::Decline,
        Command::TimeOut,
        Command::Ready,
    ];
    commands.extend(Resignation::ALL.map(Command::Resign));
    let play = match table.dice() {
        Some(dice) => {
            let plays = legal(table.position(), dice);
            plays.iter().nth(pick % plays.len()).unwrap().1
        }
        None => Play::NONE,
    };
    commands.push(Command::Play(play));
    commands
}

fn kind(command: Command) -> Kind {
    match command {
        Command::Roll => Kind::Roll,
        Command::Reveal => Kind::Reveal,
        Command::Play(_) => Kind::Play,
        Command::Double => Kind::Double,
        Command::Take => Kind::Take,
        Command::Beaver => Kind::Beaver,
        Command::Drop => Kind::Drop,
        Command::Resign(_) => Kind::Resign,
        Command::Accept => Kind::Accept,
        Command::Decline => Kind::Decline,
        Command::TimeOut => Kind::TimeOut,
        Command::Ready => Kind::Ready,
    }
}

fn rulesets() -> Vec<Ruleset> {
    let plain = Ruleset::georgian(3, Place::TwoBrowsers);
    let reserve = Clock::Reserve { delay: 1, reserve: 30 };
    vec![
        Ruleset::georgian(1, Place::TwoBrowsers),
        plain,
        Ruleset { cube: Some(6), crawford: true, length: Length::Match(5), ..plain },
        Ruleset { cube: Some(6), length: Length::Match(7), clock: reserve, ..plain },
        Ruleset {
            cube: Some(3),
            jacoby: true,
            beavers: true,
            length: Length::Money,
            clock: reserve,
            ..plain
        },
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// At every step exactly one side may write, what `awaiting` says is exactly what is accepted,
    /// and nothing else changes the table.
    #[test]
    fn awaiting_says_exactly_what_is_accepted(
        which in 0usize..5, salt in any::<u8>(), picks in prop::collection::vec(any::<u32>(), 120)
    ) {
        let ruleset = rulesets()[which];
        let (mut log, seats) = seats(ruleset, salt);
        for pick in picks {
            let pick = pick as usize;
            let awaiting = log.table().awaiting();
            let Awaiting::Seat(author, kinds) = awaiting else {
                panic!("a table closes only at the end of its chains");
            };
            let mut accepted = Vec::new();
            for color in Color::ALL {
                for command in commands(log.table(), pick) {
                    // Thirty seconds and the delay: a TimeOut is then always in time.
                    let spent_ms = if command == Command::TimeOut { 40_000 } else { 500 };
                    let before = (log.len(), log.head());
                    match log.compose(&seats[color], command, spent_ms) {
                        Ok(record) => {
                            prop_assert_eq!(color, author);
                            prop_assert!(kinds.contains(kind(command)));
                            accepted.push((command, record));
                        }
                        Err(fault) => {
                            let excused = matches!(fault, Fault::WrongResignation);
                            prop_assert!(
                                color != author || !kinds.contains(kind(command)) || excused,
                                "{:?} refused to {:?} in {:?}: {}",
                                command, color, log.table().state(), fault
                            );
                        }
                    }
                    prop_assert_eq!(before, (log.len(), log.head()));
                }
            }
            for kind_allowed in kinds.iter() {
                prop_assert!(accepted.iter().any(|(it, _)| kind(*it) == kind_allowed));
            }
            // Seldom choose what ends a game at once, so that games also get long.
            let rare = |command: &Command| {
                matches!(command, Command::TimeOut | Command::Drop | Command::Resign(_))
            };
            let calm: Vec<_> = accepted.iter().filter(|(it, _)| !rare(it)).collect();
            let choice = if pick.is_multiple_of(16) || calm.is_empty() {
                &accepted[pick / 16 % accepted.len()]
            } else {
                calm[pick / 16 % calm.len()]
            };
            log.append(choice.1.clone()).unwrap();
        }
        // The same records make the same table on the other side.
        let again = Log::read(log.header().clone(), log.records_from(0).to_vec()).unwrap();
        prop_assert_eq!(again.head(), log.head());
        prop_assert_eq!(again.rolls(), log.rolls());
        prop_assert_eq!(again.table().position(), log.table().position());
    }
}

/// Plays on with the first accepted of the wishes until `stop`.
fn drive(log: &mut Log, seats: &ByColor<Seat>, wishes: &[Command], stop: impl Fn(&Table) -> bool) {
    for step in 0..4000 {
        if stop(log.table()) {
            return;
        }
        let color = log.table().awaiting().seat().unwrap();
        let play = commands(log.table(), step).pop().unwrap();
        let record = wishes
            .iter()
            .copied()
            .chain([play])
            .find_map(|wish| log.compose(&seats[color], wish, 0).ok())
            .unwrap_or_else(|| panic!("nothing to say in {:?}", log.table().state()));
        log.append(record).unwrap();
    }
    panic!("no end in sight");
}

const PLAIN: [Command; 3] = [Command::Roll, Command::Reveal, Command::Ready];

#[test]
fn a_match_without_a_cube_is_played_to_its_end_and_again() {
    let (mut log, seats) = seats(Ruleset::georgian(3, Place::TwoBrowsers), 5);
    drive(&mut log, &seats, &PLAIN, |table| table.match_winner().is_some());
    let winner = log.table().match_winner().unwrap();
    assert!(log.table().score().points[winner] >= 3);
    assert!(matches!(log.table().result().unwrap().ending, Ending::BorneOff(_)));
    assert!(matches!(table::verdict(&log, &[]), table::Verdict::Agreed));
    let rolls = log.table().next_roll();
    let ready = log.compose(&seats.black, Command::Ready, 0).unwrap();
    log.append(ready).unwrap();
    assert_eq!(log.table().score().points, ByColor::default(), "a rematch starts at 0:0");
    assert_eq!(log.table().next_roll(), rolls, "but the rolls count on");
    assert!(matches!(table::verdict(&log, &[]), table::Verdict::Incomplete));
}

#[test]
fn without_a_choice_a_roll_costs_no_answer() {
    let (mut log, seats) = seats(Ruleset::georgian(1, Place::TwoBrowsers), 9);
    drive(&mut log, &seats, &PLAIN, |table| table.result().is_some());
    let kinds: Vec<Kind> = log.records_from(0).iter().map(|it| it.entry.body.kind()).collect();
    assert_eq!(kinds[..2], [Kind::Roll, Kind::Reveal], "the opening");
    assert!(
        kinds[2..].chunks(2).all(|pair| matches!(pair, [Kind::Play] | [Kind::Play, Kind::Roll]))
    );
}

#[test]
fn a_play_that_wins_carries_no_reveal_and_one_that_goes_on_must() {
    let (mut log, seats) = seats(Ruleset::georgian(1, Place::TwoBrowsers), 21);
    drive(&mut log, &seats, &PLAIN, |table| table.result().is_some());
    let reveals: Vec<bool> = log
        .records_from(0)
        .iter()
        .filter_map(|it| match it.entry.body {
            Body::Play(_, x) => Some(x.is_some()),
            _ => None,
        })
        .collect();
    let (last, others) = reveals.split_last().unwrap();
    assert!(!last && others.iter().all(|&it| it));
}

#[test]
fn who_knows_the_dice_can_only_roll() {
    let (mut log, seats) = seats(Ruleset::georgian(3, Place::TwoBrowsers), 33);
    drive(&mut log, &seats, &PLAIN, |table| matches!(table.state(), State::Bound(_)));
    let bound = log.table().awaiting().seat().unwrap();
    for command in commands(log.table(), 0) {
        let composed = log.compose(&seats[bound], command, u32::MAX);
        assert_eq!(composed.is_ok(), command == Command::Roll, "{command:?} in Bound");
    }
}

#[test]
fn a_double_taken_gives_the_taker_the_cube_and_the_doubler_must_roll() {
    let ruleset = Ruleset {
        cube: Some(6),
        crawford: true,
        length: Length::Match(7),
        ..Ruleset::georgian(7, Place::TwoBrowsers)
    };
    let (mut log, seats) = seats(ruleset, 41);
    drive(&mut log, &seats, &PLAIN, |table| matches!(table.state(), State::Free(_)));
    let doubler = log.table().on_roll();
    let wishes = [Command::Double, Command::Take, Command::Reveal];
    drive(&mut log, &seats, &wishes, |table| table.cube().is_turned());
    assert_eq!(log.table().cube().owner, Some(doubler.opposite()));
    assert_eq!(log.table().state(), State::Bound(doubler));
    let roll = log.compose(&seats[doubler], Command::Roll, 0).unwrap();
    log.append(roll).unwrap();
    assert_eq!(log.table().state(), State::ToPlay(doubler), "no further message for this roll");
}

#[test]
fn a_dropped_beaver_loses_the_value_that_was_doubled_to() {
    let ruleset = Ruleset {
        cube: Some(6),
        beavers: true,
        length: Length::Money,
        ..Ruleset::georgian(1, Place::TwoBrowsers)
    };
    let beaver = || {
        let (mut log, seats) = seats(ruleset, 43);
        let wishes = [Command::Reveal, Command::Double, Command::Beaver];
        let opening = log.compose(&seats.white, Command::Roll, 0).unwrap();
        log.append(opening).unwrap();
        drive(&mut log, &seats, &wishes, |table| matches!(table.state(), State::Beavered(_)));
        (log, seats)
    };
    let (mut log, seats) = beaver();
    let doubler = log.table().awaiting().seat().unwrap();
    let drop = log.compose(&seats[doubler], Command::Drop, 0).unwrap();
    log.append(drop).unwrap();
    let result = log.table().result().unwrap();
    assert_eq!((result.winner, result.points), (doubler.opposite(), 2));

    let (mut log, seats) = beaver();
    let roll = log.compose(&seats[doubler], Command::Roll, 0).unwrap();
    log.append(roll).unwrap();
    assert_eq!(log.table().cube().value(), 4);
    assert_eq!(log.table().cube().owner, Some(doubler.opposite()));
}

#[test]
fn a_declined_resignation_can_only_be_raised_within_the_turn() {
    let (mut log, seats) = seats(Ruleset::georgian(5, Place::TwoBrowsers), 47);
    drive(&mut log, &seats, &PLAIN, |table| matches!(table.state(), State::ToPlay(_)));
    let player = log.table().on_roll();
    let say = |log: &mut Log, color: Color, command| {
        log.compose(&seats[color], command, 0)
            .and_then(|record| log.append(record).map_err(|_| Fault::Closed))
    };
    let single = Command::Resign(Resignation::Single);
    assert_eq!(say(&mut log, player, single), Err(Fault::WrongResignation), "a gammon is implied");
    say(&mut log, player, Command::Resign(Resignation::Gammon)).unwrap();
    assert_eq!(log.table().resignation(), Some((player, Resignation::Gammon)));
    say(&mut log, player.opposite(), Command::Decline).unwrap();
    assert_eq!(log.table().state(), State::ToPlay(player));
    let again = Command::Resign(Resignation::Gammon);
    assert_eq!(say(&mut log, player, again), Err(Fault::WrongResignation));
    say(&mut log, player, Command::Resign(Resignation::Match)).unwrap();
    say(&mut log, player.opposite(), Command::Accept).unwrap();
    let result = log.table().result().unwrap();
    assert_eq!((result.winner, result.points), (player.opposite(), 5));
    assert_eq!(log.table().match_winner(), Some(player.opposite()));
}

#[test]
fn a_flag_falls_only_when_the_reserve_is_used_up_and_loses_the_match() {
    let ruleset = Ruleset {
        clock: Clock::Reserve { delay: 12, reserve: 60 },
        ..Ruleset::georgian(3, Place::TwoBrowsers)
    };
    let (mut log, seats) = seats(ruleset, 51);
    drive(&mut log, &seats, &PLAIN, |table| matches!(table.state(), State::ToPlay(_)));
    let player = log.table().on_roll();
    assert_eq!(log.compose(&seats[player], Command::TimeOut, 71_999), Err(Fault::TimeNotUp));
    let out = log.compose(&seats[player], Command::TimeOut, 72_000).unwrap();
    log.append(out).unwrap();
    let result = log.table().result().unwrap();
    assert_eq!((result.winner, result.ending), (player.opposite(), Ending::TimedOut));
    assert_eq!(log.table().match_winner(), Some(player.opposite()));
}

#[test]
fn a_changed_byte_anywhere_makes_a_record_invalid() {
    let (mut log, seats) = seats(Ruleset::georgian(1, Place::TwoBrowsers), 61);
    drive(&mut log, &seats, &PLAIN, |table| table.result().is_some());
    let records = log.records_from(0).to_vec();
    for at in [0, 1, 2, 3, records.len() / 2, records.len() - 1] {
        let whole = records[at].to_bytes();
        for byte in 0..whole.len() {
            let mut changed = whole.clone();
            changed[byte] ^= 1;
            let Ok(record) = table::Record::from_bytes(&changed) else { continue };
            let mut log = Log::read(log.header().clone(), records[..at].to_vec()).unwrap();
            let (len, head) = (log.len(), log.head());
            assert!(log.append(record).is_err(), "byte {byte} of record {at}");
            assert_eq!((len, head), (log.len(), log.head()));
        }
    }
}

#[test]
fn the_other_sides_values_are_refused_as_ones_own() {
    let (mut log, seats) = seats(Ruleset::georgian(1, Place::TwoBrowsers), 71);
    let roll = log.compose(&seats.white, Command::Roll, 0).unwrap();
    log.append(roll.clone()).unwrap();
    let Body::Roll(x) = roll.entry.body else { panic!("a roll carries a value") };
    let echo = log.table().decide(Color::Black, Command::Reveal, |_| Some(x)).unwrap();
    let entry = table::Entry {
        seat: Color::Black,
        seq: log.len(),
        prev: log.head(),
        spent_ms: 0,
        body: echo,
    };
    let record = entry.sign(log.header().game_id(), seats.black.secret());
    assert!(matches!(log.append(record), Err(table::RecordFault::Table(Fault::WrongReveal(_)))));
}

#[test]
fn a_transcript_reads_back_and_its_verdict_holds() {
    for (place, verdict) in [
        (Place::TwoBrowsers, table::Verdict::Agreed),
        (Place::OneBrowser, table::Verdict::Unproven),
    ] {
        let (mut log, seats) = seats(Ruleset::georgian(1, place), 81);
        drive(&mut log, &seats, &PLAIN, |table| table.result().is_some());
        let json = table::Transcript::of(&log, &[]).to_json();
        let report = table::verify(&table::Transcript::from_json(&json).unwrap());
        assert_eq!(report.verdict, verdict);
        assert_eq!(report.log.unwrap().head(), log.head());
        assert_eq!(report.counts.rolls(), log.rolls().len() as u64);
        let mut shorter = table::Transcript::of(&log, &[]);
        shorter.records.remove(4);
        assert!(matches!(table::verify(&shorter).verdict, table::Verdict::Invalid(_)));
    }
}

#[test]
fn a_claim_stands_at_its_head_only() {
    let (mut log, seats) = seats(Ruleset::georgian(1, Place::TwoBrowsers), 91);
    let claim = |log: &Log, color: Color| {
        table::Claim::sign(log, color, seats[color].secret(), table::Why::Absence, 180_000)
    };
    assert_eq!(claim(&log, Color::Black), None, "not in Opening");
    drive(&mut log, &seats, &PLAIN, |table| matches!(table.state(), State::ToPlay(_)));
    let player = log.table().on_roll();
    assert_eq!(claim(&log, player), None, "not by the side whose word is next");
    let claim = claim(&log, player.opposite()).unwrap();
    assert_eq!(table::Claim::from_bytes(&claim.to_bytes()), Some(claim.clone()));
    let transcript = table::Transcript::of(&log, std::slice::from_ref(&claim));
    assert_eq!(table::verify(&transcript).verdict, table::Verdict::Claimed);
    let mut forged = claim.clone();
    forged.waited_ms += 1;
    let transcript = table::Transcript::of(&log, &[forged]);
    assert!(matches!(table::verify(&transcript).verdict, table::Verdict::Invalid(_)));
    let play = commands(log.table(), 0).pop().unwrap();
    let record = log.compose(&seats[player], play, 0).unwrap();
    log.append(record).unwrap();
    let transcript = table::Transcript::of(&log, &[claim]);
    assert_eq!(table::verify(&transcript).verdict, table::Verdict::Incomplete, "play went on");
}

/// Signs any body as the next entry, whatever the rules say of it.
fn forge(log: &Log, seat: &Seat, body: Body) -> table::Entry {
    table::Entry { seat: seat.color(), seq: log.len(), prev: log.head(), spent_ms: 0, body }
}

#[test]
fn a_signed_entry_out_of_place_is_refused() {
    let (mut log, seats) = seats(Ruleset::georgian(1, Place::TwoBrowsers), 101);
    let roll = log.compose(&seats.white, Command::Roll, 0).unwrap().entry;
    let sign = |entry: table::Entry| entry.sign(log.header().game_id(), seats.white.secret());
    let late = sign(table::Entry { seq: 1, ..roll.clone() });
    let forked = sign(table::Entry { prev: [9; 32], ..roll.clone() });
    let right = sign(roll);
    assert_eq!(log.append(late), Err(table::RecordFault::Seq { expected: 0, found: 1 }));
    assert_eq!(log.append(forked), Err(table::RecordFault::Prev));
    log.append(right.clone()).unwrap();
    assert_eq!(log.append(right), Err(table::RecordFault::Prev), "never twice");
}

#[test]
fn a_reveal_that_nobody_asked_for_is_refused() {
    let ruleset = Ruleset {
        cube: Some(6),
        length: Length::Match(7),
        ..Ruleset::georgian(7, Place::TwoBrowsers)
    };
    let (mut log, seats) = seats(ruleset, 103);
    drive(&mut log, &seats, &PLAIN, |table| matches!(table.state(), State::ToPlay(_)));
    let player = log.table().on_roll();
    let play = commands(log.table(), 0).pop().unwrap();
    let Body::Play(play, None) = log.table().decide(player, play, |_| None).unwrap() else {
        panic!("the other side may double, so the play carries nothing")
    };
    let x = seats[player].chain().reveal(log.table().next_roll());
    let entry = forge(&log, &seats[player], Body::Play(play, x));
    let record = entry.sign(log.header().game_id(), seats[player].secret());
    assert_eq!(log.append(record), Err(table::RecordFault::Table(Fault::RevealUnasked)));
}

#[test]
fn every_roll_is_made_of_both_chains_and_the_higher_die_begins() {
    let mut ties = 0;
    for salt in 1..60 {
        let (mut log, seats) = seats(Ruleset::georgian(1, Place::TwoBrowsers), salt);
        let opened = |table: &Table| table.next_roll() > 4;
        drive(&mut log, &seats, &PLAIN, opened);
        for (roll, index) in log.rolls().iter().zip(1..) {
            assert_eq!(roll.index, index);
            let x = seats.white.chain().reveal(index).unwrap();
            let y = seats.black.chain().reveal(index).unwrap();
            assert_eq!((roll.reveals.white, roll.reveals.black), (x, y));
            assert_eq!(roll.seed, fair_dice::seed(log.header().game_id(), index, &x, &y));
            if index > 1 {
                assert_eq!(roll.dice, fair_dice::dice(&roll.seed));
                continue;
            }
            let opening = fair_dice::opening(&roll.seed);
            ties += opening.ties;
            assert_eq!((roll.dice, roll.opening_ties), (opening.dice, Some(opening.ties)));
            let higher =
                if roll.dice.first > roll.dice.second { Color::White } else { Color::Black };
            assert_eq!(roll.color, higher);
            assert_eq!(log.turns()[0].color, higher);
        }
    }
    assert!(ties > 0, "sixty openings without a tie would be odd");
}

#[test]
fn a_claim_needs_its_signature_to_hold() {
    let (mut log, seats) = seats(Ruleset::georgian(1, Place::TwoBrowsers), 107);
    drive(&mut log, &seats, &PLAIN, |table| matches!(table.state(), State::ToPlay(_)));
    let other = log.table().on_roll().opposite();
    let why = table::Why::Time;
    let claim = table::Claim::sign(&log, other, seats[other].secret(), why, 1).unwrap();
    assert!(claim.holds(&log));
    let by_other_key = table::Claim::sign(&log, other, seats[other.opposite()].secret(), why, 1);
    assert!(!by_other_key.unwrap().holds(&log));
}

#[test]
fn a_match_is_agreed_only_when_it_is_won() {
    let (mut log, seats) = seats(Ruleset::georgian(25, Place::TwoBrowsers), 109);
    drive(&mut log, &seats, &PLAIN, |table| table.result().is_some());
    assert_eq!(log.table().match_winner(), None);
    assert_eq!(table::verdict(&log, &[]), table::Verdict::Incomplete);
}

#[test]
fn a_handshake_with_a_wrong_part_is_no_header() {
    let (log, seats) = seats(Ruleset::georgian(1, Place::TwoBrowsers), 113);
    let header = log.header();
    let parts = || (header.offer().clone(), header.accept().clone(), *header.start());
    let (offer, accept, start) = parts();
    let signature = *header.guest_signature();
    assert!(Header::new(offer, accept, start, signature).is_ok());

    let (offer, accept, start) = parts();
    let by_host = seats.white.secret().sign(header.game_id());
    let refused = Header::new(offer, accept, start, by_host);
    assert_eq!(refused, Err(table::HeaderError::Signature(1)));

    let (offer, accept, mut start) = parts();
    start.anchor[0] ^= 1;
    let refused = Header::new(offer, accept, start, signature);
    assert_eq!(refused, Err(table::HeaderError::Signature(0)));

    // The guest who shows the host's own key could make both chains one.
    let (offer, _, _) = parts();
    let secret = seats.white.secret();
    let accept = table::Accept::to_offer(&offer.to_bytes(), secret, Name::default());
    assert_eq!(table::Start::to_accept(secret, &offer, &accept), Err(table::HeaderError::SameKeys));
    let anchor = secret.host_chain(&offer.to_bytes(), &accept.to_bytes()).anchor();
    let id = table::game_id(&offer.to_bytes(), &accept.to_bytes(), &anchor);
    let start = table::Start { anchor, signature: secret.sign(&id) };
    let refused = Header::new(offer, accept, start, secret.sign(&id));
    assert_eq!(refused, Err(table::HeaderError::SameKeys));
}

#[test]
fn a_body_longer_than_its_kind_demands_is_no_record() {
    let (log, seats) = seats(Ruleset::georgian(1, Place::TwoBrowsers), 127);
    let record = log.compose(&seats.white, Command::Roll, 0).unwrap();
    let mut bytes = record.entry.to_bytes();
    // The length of the body stands before it.
    let at = bytes.len() - 34;
    assert_eq!(bytes[at..at + 2], [0, 32]);
    bytes[at + 1] = 33;
    bytes.push(0);
    bytes.extend_from_slice(&record.signature);
    assert_eq!(table::Record::from_bytes(&bytes), Err(table::RecordError::Body(Kind::Roll)));
}
