//! The two commands of the README, `cargo xtask play` and `cargo xtask test`, and the chores behind
//! them. It stands on the standard library alone, so that it starts in seconds on a fresh machine.

#![forbid(unsafe_code)]

mod binaries;
mod browser;
mod checks;
mod command;
mod house;
mod invariants;
mod node;
mod play;
mod site;
mod slow;
mod trouble;

use std::env;
use std::process::ExitCode;

use house::House;
use trouble::{Outcome, Trouble};

const HELP: &str = "\
cargo xtask <command>

  play [--port N]   build the page, start the server and print the links (port 3536)
  test [step …]     install what the tests need and run all of them, or the named steps
  test --help       the steps

  dist              build the page into dist/
  size              the bytes of dist/ by file, and the first load against its budget
  bench [name …]    the benchmarks
  feel              times that a player feels, in real browsers: loading, connecting, rolling
  soak              the pure crates' tests with many more cases and seeds; takes as long as it takes

Both `play` and `test` install what is missing and say so. Tools are kept in ZARI_TOOLS, by default
in the user's cache folder; nothing is installed for the whole machine but Debian's packages.";

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    match obey(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(trouble) => {
            eprintln!("\nxtask: {trouble}");
            ExitCode::FAILURE
        }
    }
}

fn obey(words: &[String]) -> Outcome<()> {
    let house = House::find()?;
    let Some((command, rest)) = words.split_first() else {
        println!("{HELP}");
        return Ok(());
    };
    let asks_for_help = rest.iter().any(|word| word == "--help" || word == "-h");
    match command.as_str() {
        "test" => checks::obey(&house, rest),
        "help" | "--help" | "-h" => {
            println!("{HELP}");
            Ok(())
        }
        _ if asks_for_help => {
            println!("{HELP}");
            Ok(())
        }
        "play" => play::obey(&house, rest),
        "bench" => slow::bench(&house, rest),
        "dist" => no_more(command, rest).and_then(|()| site::prepare_and_build(&house)),
        "size" => no_more(command, rest).and_then(|()| site::size(&house)),
        "feel" => no_more(command, rest).and_then(|()| slow::feel(&house)),
        "soak" => no_more(command, rest).and_then(|()| slow::soak(&house)),
        unknown => Err(Trouble::new(format!(
            "there is no command `{unknown}`; `cargo xtask --help` lists them"
        ))),
    }
}

fn no_more(command: &str, rest: &[String]) -> Outcome<()> {
    match rest.first() {
        None => Ok(()),
        Some(word) => {
            Err(Trouble::new(format!("`{command}` takes no arguments, but was given `{word}`")))
        }
    }
}
