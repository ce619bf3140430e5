//! `cargo xtask test`: everything that must hold, step by step, with the minutes of each.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::command::{Tally, cargo, run, run_counting, say};
use crate::house::{House, path_with};
use crate::trouble::{Outcome, Trouble};
use crate::{binaries, browser, node, site};

const WASM: &str = "wasm32-unknown-unknown";

struct Step {
    name: &'static str,
    what: &'static str,
    /// Installs what the step needs, so that a missing browser is known before the long work.
    prepare: fn(&House) -> Outcome<()>,
    run: fn(&House) -> (Tally, Outcome<()>),
}

const STEPS: [Step; 8] = [
    Step {
        name: "format",
        what: "rustfmt has nothing to change",
        prepare: |house| binaries::component(house, "rustfmt"),
        run: |house| check(run(cargo(house.root()).args(["fmt", "--all", "--check"]))),
    },
    Step {
        name: "deny",
        what: "licences, bans and sources of every dependency (no network needed)",
        prepare: |house| binaries::cargo_deny(house).map(drop),
        run: |house| check(deny(house)),
    },
    Step {
        name: "clippy",
        what: "no warning in any crate",
        prepare: |house| binaries::component(house, "clippy"),
        run: |house| check(clippy(house, &["--workspace"])),
    },
    Step {
        name: "clippy-page",
        what: "no warning in the page as it is compiled for browsers",
        prepare: |house| {
            binaries::component(house, "clippy")?;
            binaries::wasm_target(house)
        },
        run: |house| check(clippy(house, &["--package", "app", "--target", WASM])),
    },
    Step {
        name: "unit",
        what: "unit, property and data tests of every crate",
        prepare: |_| Ok(()),
        run: |house| {
            run_counting(cargo(house.root()).args(["test", "--workspace", "--no-fail-fast"]))
        },
    },
    Step {
        name: "wasm",
        what: "tests of the compiled page's crates, in a browser",
        prepare: |house| {
            binaries::wasm_target(house)?;
            binaries::wasm_bindgen(house)?;
            browser::chromedriver()?;
            browser::chrome().map(drop)
        },
        run: wasm,
    },
    Step {
        name: "site",
        what: "the page builds, nothing in it is inline or absolute, the first load keeps to its budget",
        prepare: site::prepare,
        run: |house| {
            let built = site::build(house).and_then(|()| site::audit(house));
            check(built.and_then(|()| site::size(house)))
        },
    },
    Step {
        name: "browser",
        what: "whole games in real browsers, over a real server, on the built page",
        prepare: |house| {
            browser::chrome()?;
            node::install_packages(&house.root().join("tests"))
        },
        run: |house| match browser_tests(house) {
            Ok(ran) => ran,
            Err(trouble) => check(Err(trouble)),
        },
    },
];

pub(crate) fn obey(house: &House, words: &[String]) -> Outcome<()> {
    if words.iter().any(|word| word == "--help" || word == "-h") {
        println!("cargo xtask test [step …]    all of these, in this order, or the named ones\n");
        for step in &STEPS {
            println!("  {:<12} {}", step.name, step.what);
        }
        return Ok(());
    }
    let steps = chosen(words)?;
    let whole = Instant::now();
    let mut minutes: Vec<(&str, Duration)> = Vec::new();

    say("looking for what the tests need");
    fetch(house)?;
    for step in &steps {
        (step.prepare)(house)?;
    }
    minutes.push(("tools", whole.elapsed()));

    let mut tally = Tally::default();
    let mut failures: Vec<(&str, Trouble)> = Vec::new();
    for step in &steps {
        println!("\n──── {}: {}", step.name, step.what);
        let began = Instant::now();
        let (mut counted, outcome) = (step.run)(house);
        if let Err(trouble) = outcome {
            // A step that fails without a failing test, such as a build, counts as one.
            counted.failed = counted.failed.max(1);
            println!("xtask: {trouble}");
            failures.push((step.name, trouble));
        }
        tally.add(counted);
        minutes.push((step.name, began.elapsed()));
    }
    report(&minutes, whole.elapsed(), &failures, tally)
}

/// Brings every crate here, so that the steps after it can stay off the network. Where nobody would
/// commit a changed Cargo.lock, it must fit already.
fn fetch(house: &House) -> Outcome<()> {
    let locked = std::env::var_os("CI").map(|_| "--locked");
    run(cargo(house.root()).arg("fetch").args(locked)).map_err(|_| {
        Trouble::new(
            "the crates could not be fetched: is the network there, and Cargo.lock up to date and \
             committed? (`cargo check` brings it up to date)",
        )
    })
}

fn chosen(words: &[String]) -> Outcome<Vec<&'static Step>> {
    if words.is_empty() {
        return Ok(STEPS.iter().collect());
    }
    let find = |word: &String| {
        STEPS.iter().find(|step| step.name == word).ok_or_else(|| {
            let known: Vec<_> = STEPS.iter().map(|step| step.name).collect();
            Trouble::new(format!("there is no step `{word}`; there are {}", known.join(", ")))
        })
    };
    words.iter().map(find).collect()
}

fn report(
    minutes: &[(&str, Duration)],
    whole: Duration,
    failures: &[(&str, Trouble)],
    tally: Tally,
) -> Outcome<()> {
    println!("\nminutes  step");
    for (name, time) in minutes.iter().copied().chain([("all", whole)]) {
        let failed = failures.iter().any(|(step, _)| *step == name);
        let mark = if failed { "  FAILED" } else { "" };
        println!("{:>7.1}  {name}{mark}", time.as_secs_f64() / 60.0);
    }
    println!("{} passed, {} failed", tally.passed, tally.failed);
    match failures {
        [] => Ok(()),
        [(name, _), ..] => {
            let names: Vec<_> = failures.iter().map(|(name, _)| *name).collect();
            Err(Trouble::new(format!(
                "failed: {}. `cargo xtask test {name}` runs a step alone",
                names.join(", ")
            )))
        }
    }
}

/// A step that is one check.
fn check(outcome: Outcome<()>) -> (Tally, Outcome<()>) {
    (Tally { passed: u32::from(outcome.is_ok()), failed: u32::from(outcome.is_err()) }, outcome)
}

fn clippy(house: &House, packages: &[&str]) -> Outcome<()> {
    let deny = ["--", "--deny", "warnings"];
    run(cargo(house.root()).arg("clippy").args(packages).arg("--all-targets").args(deny))
}

fn deny(house: &House) -> Outcome<()> {
    let folder = binaries::cargo_deny(house)?;
    // The database of advisories is on the network; the three checks are not.
    run(cargo(house.root())
        .args([
            "deny",
            "--offline",
            "check",
            "--hide-inclusion-graph",
            "bans",
            "licenses",
            "sources",
        ])
        .env("PATH", path_with(&[folder])))
}

/// Every crate that has tests for browsers, found by their attribute: none can be forgotten.
fn wasm(house: &House) -> (Tally, Outcome<()>) {
    let ran = browser::chromedriver().and_then(|driver| {
        let folder = binaries::wasm_bindgen(house)?;
        let crates = crates_with_wasm_tests(house.root())?;
        let mut command = cargo(house.root());
        command.args(["test", "--target", WASM, "--no-fail-fast"]);
        for name in crates {
            command.args(["--package", &name]);
        }
        command
            .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", "wasm-bindgen-test-runner")
            // Without this they would run in Node.js, which is not where the page lives.
            .env("WASM_BINDGEN_USE_BROWSER", "1")
            .env("CHROMEDRIVER", driver)
            .env("PATH", path_with(&[folder]));
        Ok(run_counting(&mut command))
    });
    ran.unwrap_or_else(|trouble| check(Err(trouble)))
}

fn crates_with_wasm_tests(root: &Path) -> Outcome<Vec<String>> {
    let mut crates = Vec::new();
    for entry in fs::read_dir(root).into_iter().flatten().flatten() {
        let folder = entry.path();
        let has_tests = || {
            mentions(&folder.join("src"), "wasm_bindgen_test")
                || mentions(&folder.join("tests"), "wasm_bindgen_test")
        };
        if folder.join("Cargo.toml").is_file() && !folder.ends_with("xtask") && has_tests() {
            crates.extend(folder.file_name().map(|name| name.to_string_lossy().into_owned()));
        }
    }
    crates.sort();
    if crates.is_empty() {
        return Err(Trouble::new("no crate has a test marked `wasm_bindgen_test`"));
    }
    Ok(crates)
}

fn mentions(folder: &Path, word: &str) -> bool {
    fs::read_dir(folder).into_iter().flatten().flatten().any(|entry| {
        let path = entry.path();
        if path.is_dir() {
            return mentions(&path, word);
        }
        path.extension().is_some_and(|kind| kind == "rs")
            && fs::read_to_string(&path).is_ok_and(|text| text.contains(word))
    })
}

fn browser_tests(house: &House) -> Outcome<(Tally, Outcome<()>)> {
    let chrome: PathBuf = browser::chrome()?;
    if !house.dist().join("index.html").is_file() {
        return Err(Trouble::new(
            "the browser tests play on the built page: `cargo xtask test site browser`",
        ));
    }
    run(cargo(house.root()).args(["build", "--package", "signaling", "--package", "zari"]))?;
    Ok(run_counting(
        Command::new("node")
            .arg("tests/run.mjs")
            .current_dir(house.root())
            .env("ZARI_DIST", house.dist())
            .env("ZARI_SERVER", house.built("debug", "zari-signaling"))
            .env("ZARI_CLI", house.built("debug", "zari"))
            .env("CHROME", chrome),
    ))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::{STEPS, Tally, Trouble, check, chosen, report};

    #[test]
    fn steps_are_chosen_by_name_in_the_given_order() {
        let names = |words: &[&str]| {
            let words: Vec<_> = words.iter().map(|word| (*word).to_owned()).collect();
            chosen(&words).map(|steps| steps.iter().map(|step| step.name).collect::<Vec<_>>())
        };
        assert_eq!(names(&[]).unwrap().len(), STEPS.len());
        assert_eq!(names(&["site", "format"]).unwrap(), ["site", "format"]);
        assert!(names(&["formatt"]).unwrap_err().to_string().contains("`formatt`"));
    }

    #[test]
    fn a_failed_step_fails_the_whole_and_is_named() {
        let trouble = Trouble::new("the build broke");
        let (tally, outcome) = check(Err(trouble.clone()));
        assert_eq!((tally, outcome), (Tally { passed: 0, failed: 1 }, Err(trouble.clone())));
        let whole = report(&[], std::time::Duration::ZERO, &[("site", trouble)], tally);
        assert!(whole.unwrap_err().to_string().contains("site"));
        assert_eq!(report(&[], std::time::Duration::ZERO, &[], Tally::default()), Ok(()));
    }
}
