//! The command line of Zari: checks exported games, golden vectors, legal plays and the dice.
//!
//! Exit codes: 0 when everything is right, 1 when a check fails, 2 when the input cannot be read
//! or the command is not understood.
#![forbid(unsafe_code)]

mod dice;
mod legal;
mod stop;
mod vectors;
mod verify;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use stop::Stop;

const USAGE: &str = "\
Usage: zari <command>

  zari verify FILE              check an exported game: signatures, dice, plays, result
  zari vectors FILE             recompute every value of a file of golden vectors
  zari legal < positions.jsonl  the legal results of each position and roll
  zari dice --rolls N --seed S  count N rolls made as two players make them, with chi-squared
  zari help | zari --version

FILE may be - for the standard input.
Exit code: 0 right, 1 a check failed, 2 the input cannot be read.";

fn main() -> ExitCode {
    let args: Vec<String> =
        std::env::args_os().skip(1).map(|it| it.to_string_lossy().into_owned()).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    // One lock and one buffer for the whole run: a line of `legal` costs no system call.
    let mut out = BufWriter::new(io::stdout().lock());
    let outcome =
        run(&args, &mut out).and_then(|code| out.flush().map(|()| code).map_err(Stop::from));
    match outcome {
        Ok(code) => code,
        // Whoever reads the output has seen enough, as in `zari legal | head`.
        Err(Stop::ReaderLeft) => ExitCode::SUCCESS,
        Err(stop) => {
            // What was already found out is shown before the complaint; if that fails, the
            // complaint is still worth more.
            let _ = out.flush();
            let _ = writeln!(io::stderr(), "zari: {stop}");
            ExitCode::from(stop.code())
        }
    }
}

fn run(args: &[&str], out: &mut impl Write) -> Result<ExitCode, Stop> {
    match args {
        ["legal"] => legal::run(io::stdin().lock(), out),
        ["verify", file] => verify::run(file, out),
        ["vectors", file] => vectors::run(file, out),
        ["dice", options @ ..] => dice::run(options, out),
        ["help" | "--help" | "-h"] => Ok(writeln!(out, "{USAGE}").map(|()| ExitCode::SUCCESS)?),
        ["--version" | "-V"] => {
            Ok(writeln!(out, "zari {}", env!("CARGO_PKG_VERSION")).map(|()| ExitCode::SUCCESS)?)
        }
        [] => Err(Stop::Usage("which command?".into())),
        [command @ ("verify" | "vectors"), ..] => {
            Err(Stop::Usage(format!("{command} takes one file")))
        }
        ["legal", ..] => Err(Stop::Usage("legal takes no arguments and reads its input".into())),
        [other, ..] => Err(Stop::Usage(format!("there is no command {other:?}"))),
    }
}
