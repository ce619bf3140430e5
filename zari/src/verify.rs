//! `zari verify`: what an exported game proves.

use std::io::{self, Write};
use std::process::ExitCode;

use fair_dice::usual_range;
use rules::{Clock, Color, Length, Place, Ruleset, Win};
use table::{
    Ending, Fault, GameResult, HeaderError, Log, RecordFault, Report, Resignation, Table,
    Transcript, TranscriptFault, Verdict,
};

use crate::stop::{self, Stop};

pub(crate) fn run(file: &str, out: &mut impl Write) -> Result<ExitCode, Stop> {
    let text = stop::read(file)?;
    let transcript = Transcript::from_json(&text).map_err(|it| Stop::unreadable(file, it))?;
    let report = table::verify(&transcript);
    writeln!(out, "{}", line(&report))?;
    if let Verdict::Invalid(fault) = report.verdict {
        writeln!(out, "{fault}")?;
        return Ok(ExitCode::FAILURE);
    }
    if let Some(log) = &report.log {
        describe(log, out)?;
        games(log, out)?;
        rolls(log, out)?;
        statistics(&report, out)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The first line for a transcript, or why it is none.
pub(crate) fn first_line(text: &str) -> String {
    match Transcript::from_json(text) {
        Ok(transcript) => line(&table::verify(&transcript)),
        Err(error) => format!("unreadable: {error}"),
    }
}

/// The verdict's word; of an invalid transcript also where and why, in the words of PROTOCOL.md.
fn line(report: &Report) -> String {
    let fault = match report.verdict {
        Verdict::Agreed => return "AGREED".into(),
        Verdict::Claimed => return "CLAIMED".into(),
        Verdict::Incomplete => return "INCOMPLETE".into(),
        Verdict::Unproven => return "UNPROVEN".into(),
        Verdict::Invalid(fault) => fault,
    };
    match fault {
        TranscriptFault::Header(HeaderError::Signature(_)) => "INVALID header signature".into(),
        TranscriptFault::Header(_) => "INVALID header malformed".into(),
        TranscriptFault::Record(seq, _) => format!("INVALID {seq} malformed"),
        TranscriptFault::Log(seq, fault) => format!("INVALID {seq} {}", reason(fault)),
        TranscriptFault::Claim(_) => "INVALID claim malformed".into(),
    }
}

fn reason(fault: RecordFault) -> &'static str {
    match fault {
        RecordFault::Signature => "signature",
        RecordFault::Prev => "prev",
        RecordFault::Seq { .. } => "seq",
        RecordFault::Table(Fault::Closed | Fault::WrongSeat(_)) => "seat",
        RecordFault::Table(Fault::WrongReveal(_)) => "chain",
        RecordFault::Table(
            Fault::WrongKind { .. }
            | Fault::IllegalPlay(_)
            | Fault::RevealMissing
            | Fault::RevealUnasked
            | Fault::WrongResignation
            | Fault::TimeNotUp,
        ) => "rules",
    }
}

fn describe(log: &Log, out: &mut impl Write) -> io::Result<()> {
    let header = log.header();
    writeln!(out)?;
    writeln!(out, "game     {}", hex::encode(header.game_id()))?;
    let [host, guest] =
        [&header.offer().host_name, &header.accept().guest_name].map(table::Name::shown);
    writeln!(out, "white    host {host:?}, key {}", hex::encode(header.key(Color::White)))?;
    writeln!(out, "black    guest {guest:?}, key {}", hex::encode(header.key(Color::Black)))?;
    writeln!(out, "rules    {}", ruleset(header.ruleset()))?;
    writeln!(out, "log      {} entries, {} rolls", log.len(), log.rolls().len())
}

fn ruleset(ruleset: &Ruleset) -> String {
    let length = match ruleset.length {
        Length::Money => "money session".to_owned(),
        Length::Match(points) => format!("match to {points}"),
    };
    let cube = match ruleset.cube {
        None => "no cube".to_owned(),
        Some(_) => format!("cube to {}", ruleset.cube_max()),
    };
    let clock = match ruleset.clock {
        Clock::None => "no clock".to_owned(),
        Clock::Finish { seconds } => format!("{seconds} s a turn"),
        Clock::Reserve { delay, reserve } => {
            format!("{delay} s a turn and {reserve} s in reserve")
        }
    };
    let mut words = vec![length, cube];
    let options =
        [(ruleset.crawford, "Crawford"), (ruleset.jacoby, "Jacoby"), (ruleset.beavers, "beavers")];
    words.extend(options.iter().filter(|(on, _)| *on).map(|(_, word)| (*word).to_owned()));
    words.push(clock);
    let place = match ruleset.place {
        Place::TwoBrowsers => "two browsers",
        Place::OneBrowser => "one browser",
    };
    words.push(place.to_owned());
    words.join(", ")
}

/// The result of every finished game, found by folding the log once more.
fn games(log: &Log, out: &mut impl Write) -> io::Result<()> {
    let mut table = Table::new(log.header());
    for record in log.records_from(0) {
        let before = table.result().is_some();
        // The log was checked, so no entry is refused.
        if table.apply(&record.entry).is_err() {
            break;
        }
        if let Some(result) = table.result().filter(|_| !before) {
            let points = table.score().points;
            writeln!(
                out,
                "game {:<3} {}, score {} : {}",
                table.game(),
                outcome(result),
                points.white,
                points.black
            )?;
        }
    }
    if table.result().is_none() {
        writeln!(out, "game {:<3} not finished", table.game())?;
    }
    Ok(())
}

fn outcome(result: &GameResult) -> String {
    let how = match result.ending {
        Ending::BorneOff(win) => kind(win).to_owned(),
        Ending::Dropped => "the double was dropped".to_owned(),
        Ending::Resigned(Resignation::Match) => "the match was resigned".to_owned(),
        Ending::Resigned(value) => {
            let win = Win::from_value(value as u8).unwrap_or(Win::Single);
            format!("{} resigned", kind(win))
        }
        Ending::TimedOut => "time was up".to_owned(),
    };
    format!("{} wins {} ({how})", side(result.winner), result.points)
}

const fn kind(win: Win) -> &'static str {
    match win {
        Win::Single => "single game",
        Win::Gammon => "gammon",
        Win::Backgammon => "backgammon",
    }
}

const fn side(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

fn rolls(log: &Log, out: &mut impl Write) -> io::Result<()> {
    if log.rolls().is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    writeln!(out, " roll entry side  dice  host's reveal     guest's reveal    seed")?;
    for roll in log.rolls() {
        let start = |value: &[u8]| hex::encode(&value[..8]);
        let ties = match roll.opening_ties {
            None => String::new(),
            Some(0) => "  opening".to_owned(),
            Some(ties) => format!("  opening, ties thrown again: {ties}"),
        };
        writeln!(
            out,
            "{:>5} {:>5} {} {}-{}   {}… {}… {}…{ties}",
            roll.index,
            roll.seq,
            side(roll.color),
            roll.dice.first.pips(),
            roll.dice.second.pips(),
            start(&roll.reveals.white),
            start(&roll.reveals.black),
            start(&roll.seed),
        )?;
    }
    Ok(())
}

fn statistics(report: &Report, out: &mut impl Write) -> io::Result<()> {
    let counts = &report.counts;
    let rolls = counts.rolls();
    if rolls == 0 {
        return Ok(());
    }
    writeln!(out)?;
    writeln!(out, "How often, and the range in which 95 of 100 such games lie:")?;
    for (face, count) in (1..).zip(counts.faces()) {
        let range = usual_range(2 * rolls, 1.0 / 6.0);
        writeln!(out, "  face {face}   {count:>5}   {} … {}", range.start(), range.end())?;
    }
    let range = usual_range(rolls, 1.0 / 6.0);
    writeln!(out, "  doubles  {:>5}   {} … {}", counts.doubles(), range.start(), range.end())?;
    writeln!(out, "chi-squared of the 36 rolls {:.2}, p {:.4}", counts.chi_squared(), counts.p())
}
