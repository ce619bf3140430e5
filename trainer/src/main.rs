//! Makes the weights of the computer player from nothing but its own play.
//!
//! Every stage is one command, seeded, and can be cut at any time: it goes on from the files in
//! `trainer/checkpoints`. The table of strength by stage stands in `trainer/README.md`.

mod checkpoint;
mod fit;
mod measure;
mod selfplay;
mod td;

use std::process::ExitCode;

const USAGE: &str = "usage: trainer COMMAND
  td --games N [--hidden H] [--seed S] [--rate R]   plain TD(0) from self-play
  fit --rounds N [--positions P] [--keep K] [--epochs E] [--seed S] [--rate R] [--last-rate R]
                                                    learn the mean over the 21 rolls of the next ply
  measure [--plies P] [--candidates C] [FILE]       error per decision on a file of decisions";

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let command = arguments.next();
    let mut options = Options(arguments.collect());
    let outcome = match command.as_deref() {
        Some("td") => td::run(&mut options),
        Some("fit") => fit::run(&mut options),
        Some("measure") => measure::run(&mut options),
        _ => Err(USAGE.to_owned()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("{reason}");
            ExitCode::from(2)
        }
    }
}

/// What stands behind the command.
pub(crate) struct Options(Vec<String>);

impl Options {
    /// Takes `--name value` out.
    fn number<T: std::str::FromStr>(&mut self, name: &str, default: T) -> Result<T, String> {
        let Some(at) = self.0.iter().position(|it| it == name) else { return Ok(default) };
        let value = self.0.get(at + 1).ok_or(format!("{name} needs a number"))?;
        let number = value.parse().map_err(|_| format!("{name} needs a number, not {value}"))?;
        self.0.drain(at..at + 2);
        Ok(number)
    }

    fn rest(&mut self) -> Option<String> {
        self.0.pop()
    }
}
