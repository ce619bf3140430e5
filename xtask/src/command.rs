//! Running other programs: what is run is shown, and a failure becomes a sentence.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, IsTerminal, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::trouble::{Outcome, Trouble};

/// How many tests a program says it ran.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) passed: u32,
    pub(crate) failed: u32,
}

impl Tally {
    pub(crate) fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

/// Says what is being done, at the left margin among the output of others.
pub(crate) fn say(sentence: &str) {
    // The output of the programs that follow must not overtake this line.
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "xtask: {sentence}");
    let _ = out.flush();
}

pub(crate) fn cargo(root: &Path) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root);
    command
}

/// Runs to the end, output and all; an exit code other than 0 is trouble.
pub(crate) fn run(command: &mut Command) -> Outcome<()> {
    say(&shown(command));
    let status = command.status().map_err(|error| did_not_start(command, &error))?;
    if status.success() { Ok(()) } else { Err(ended_badly(command)) }
}

/// What a program prints, when it starts and ends well.
pub(crate) fn read(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs like [`run`] and counts the tests that the closing lines of the output name.
pub(crate) fn run_counting(command: &mut Command) -> (Tally, Outcome<()>) {
    say(&shown(command));
    let mut tally = Tally::default();
    if std::io::stdout().is_terminal() {
        command.env("CARGO_TERM_COLOR", "always");
    }
    let mut child = match command.stdout(Stdio::piped()).spawn() {
        Ok(child) => child,
        Err(error) => return (tally, Err(did_not_start(command, &error))),
    };
    if let Some(output) = child.stdout.take() {
        let mut lines = BufReader::new(output);
        let mut line = Vec::new();
        while lines.read_until(b'\n', &mut line).is_ok_and(|bytes| bytes > 0) {
            let mut out = std::io::stdout().lock();
            let _ = out.write_all(&line);
            let _ = out.flush();
            if let Some(counted) = tally_in(&String::from_utf8_lossy(&line)) {
                tally.add(counted);
            }
            line.clear();
        }
    }
    let outcome = match child.wait() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(ended_badly(command)),
        Err(error) => Err(did_not_start(command, &error)),
    };
    (tally, outcome)
}

/// The counts of a closing line: `test result: ok. 3 passed; 0 failed; …` of Rust's tests or
/// `3 passed, 0 failed` alone on a line.
fn tally_in(line: &str) -> Option<Tally> {
    let line = without_colours(line);
    let counts = match line.trim().strip_prefix("test result: ") {
        Some(result) => result.split_once(". ")?.1.replace(';', ","),
        None => line.trim().to_owned(),
    };
    let mut parts = counts.split(',').map(str::trim);
    let passed = parts.next()?.strip_suffix(" passed")?.parse().ok()?;
    let failed = parts.next()?.strip_suffix(" failed")?.parse().ok()?;
    Some(Tally { passed, failed })
}

fn without_colours(line: &str) -> String {
    let mut plain = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once('\u{1b}') {
        plain.push_str(before);
        rest = after.split_once('m').map_or("", |(_, after)| after);
    }
    plain + rest
}

fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<_> = words.enumerate().map(|(place, word)| plain(word, place == 0)).collect();
    format!("$ {}", words.join(" "))
}

/// A word as one would type it: a program by its name, not by its folder.
fn plain(word: &OsStr, is_program: bool) -> String {
    let path = Path::new(word);
    let name = if is_program { path.file_name().unwrap_or(word) } else { word };
    name.to_string_lossy().into_owned()
}

fn did_not_start(command: &Command, error: &std::io::Error) -> Trouble {
    let program = command.get_program().to_string_lossy();
    Trouble::new(format!("`{program}` could not be started: {error}"))
}

fn ended_badly(command: &Command) -> Trouble {
    let words = shown(command);
    Trouble::new(format!("`{}` failed; its own words stand above", words.trim_start_matches("$ ")))
}

#[cfg(test)]
mod tests {
    use super::{Tally, tally_in};

    #[test]
    fn closing_lines_are_counted_in_both_forms_and_with_colours() {
        let counted = Some(Tally { passed: 12, failed: 1 });
        assert_eq!(tally_in("12 passed, 1 failed\n"), counted);
        assert_eq!(tally_in("12 passed, 1 failed, 3 skipped\n"), counted);
        let rust = "test result: FAILED. 12 passed; 1 failed; 0 ignored; 0 measured; 0 filtered\n";
        assert_eq!(tally_in(rust), counted);
        let coloured = "test result: \u{1b}[31mFAILED\u{1b}[m. 12 passed; 1 failed; 0 ignored\n";
        assert_eq!(tally_in(coloured), counted);
    }

    #[test]
    fn other_lines_count_nothing() {
        for line in ["", "running 12 tests", "the referee passed, nobody failed", "12 passed"] {
            assert_eq!(tally_in(line), None, "{line:?}");
        }
    }
}
