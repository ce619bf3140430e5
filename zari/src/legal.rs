//! `zari legal`: one JSON object a line in, one a line out.

use std::io::{BufRead, Write};
use std::process::ExitCode;

use rules::{Dice, Position, Setup, legal};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::stop::Stop;

/// What is read of a line; other keys are passed over.
#[derive(Deserialize)]
struct Question<'a> {
    /// Given back as it stands.
    #[serde(borrow)]
    id: &'a RawValue,
    points: [i8; 24],
    bar: [u8; 2],
    off: [u8; 2],
    dice: [u8; 2],
}

#[derive(Serialize)]
struct Answer<'a> {
    id: &'a RawValue,
    dice_used: usize,
    results: Vec<Board>,
}

/// A position in the view of the side that rolled.
#[derive(Serialize)]
struct Board {
    points: [i8; 24],
    bar: [u8; 2],
    off: [u8; 2],
}

pub(crate) fn run(mut input: impl BufRead, out: &mut impl Write) -> Result<ExitCode, Stop> {
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            break;
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        answer(&line, out).map_err(|error| match error {
            Trouble::Question(why) => Stop::Line { number, why },
            Trouble::Output(error) => Stop::from(error),
        })?;
    }
    Ok(ExitCode::SUCCESS)
}

enum Trouble {
    Question(String),
    Output(std::io::Error),
}

fn answer(line: &[u8], out: &mut impl Write) -> Result<(), Trouble> {
    let question = |why: &dyn ToString| Trouble::Question(why.to_string());
    let Question { id, points, bar, off, dice: [first, second] } =
        serde_json::from_slice(line).map_err(|error| question(&in_line(&error)))?;
    let position = Position::from_setup(&Setup { points, bar, off }).map_err(|it| question(&it))?;
    let dice = Dice::new(first, second)
        .ok_or_else(|| question(&format!("no dice show {first} and {second}")))?;
    let plays = legal(&position, dice);
    let results = plays
        .iter()
        .map(|(position, _)| {
            let Setup { points, bar, off } = position.setup();
            Board { points, bar, off }
        })
        .collect();
    serde_json::to_writer(&mut *out, &Answer { id, dice_used: plays.dice_used(), results })
        .map_err(|error| Trouble::Output(error.into()))?;
    out.write_all(b"\n").map_err(Trouble::Output)
}

/// The parser counts lines from the start of what it got, which here is always one line.
fn in_line(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rsplit_once(" at line ") {
        Some((what, _)) if error.column() > 0 => format!("{what}, column {}", error.column()),
        _ => text,
    }
}
