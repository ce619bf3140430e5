use crate::{Claim, Log, State, Transcript, TranscriptFault};
use fair_dice::Counts;
use rules::Place;

/// What can be said of a game from its transcript alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Finished, and every entry signed by the seat whose word it was.
    Agreed,
    /// A claim stands at the last head.
    Claimed,
    /// Everything holds; the game or the match is not finished.
    Incomplete,
    /// Everything holds, but both dice chains were in one browser.
    Unproven,
    /// Something does not hold.
    Invalid(TranscriptFault),
}

/// The outcome of checking a transcript.
#[derive(Clone, Debug)]
pub struct Report {
    /// What can be said.
    pub verdict: Verdict,
    /// The checked log, up to the end; `None` when the transcript is invalid.
    pub log: Option<Log>,
    /// The claims beside it.
    pub claims: Vec<Claim>,
    /// How often each pair of dice came.
    pub counts: Counts,
}

/// Checks everything in a transcript: signatures, links, seats, chains, dice, legality, result.
#[must_use]
pub fn verify(transcript: &Transcript) -> Report {
    let read = transcript
        .log()
        .and_then(|log| transcript.claims(log.header()).map(|claims| (log, claims)));
    match read {
        Ok((log, claims)) => {
            let mut counts = Counts::new();
            for roll in log.rolls() {
                counts.add(roll.dice);
            }
            Report { verdict: verdict(&log, &claims), log: Some(log), claims, counts }
        }
        Err(fault) => Report {
            verdict: Verdict::Invalid(fault),
            log: None,
            claims: Vec::new(),
            counts: Counts::new(),
        },
    }
}

/// The verdict on a log that holds.
#[must_use]
pub fn verdict(log: &Log, claims: &[Claim]) -> Verdict {
    if log.header().ruleset().place == Place::OneBrowser {
        Verdict::Unproven
    } else if is_finished(log) {
        Verdict::Agreed
    } else if claims.iter().any(|claim| claim.holds(log)) {
        Verdict::Claimed
    } else {
        Verdict::Incomplete
    }
}

/// Whether the match is won, or the latest game of a money session over.
fn is_finished(log: &Log) -> bool {
    let table = log.table();
    let over = matches!(table.state(), State::Over | State::Closed) && table.result().is_some();
    over && (table.ruleset().match_length().is_none() || table.match_winner().is_some())
}
