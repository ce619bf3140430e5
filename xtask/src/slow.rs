//! What is worth running but not at every change: benchmarks, and the property tests for hours.

use std::process::Command;
use std::{env, fs};

use crate::command::{cargo, run};
use crate::house::House;
use crate::trouble::{Outcome, Trouble};
use crate::{browser, node, site};

/// The crates whose property tests gain from more cases.
const PURE: [&str; 5] = ["rules", "fair-dice", "table", "peer", "bot"];

/// What the tests read, and how long they try unless it is set already: the cases of each property,
/// and the times that the simulated pages play their seeds.
const LONG: [(&str, &str); 2] = [("PROPTEST_CASES", "20000"), ("ZARI_SEEDS", "50")];

/// The benchmarks of all crates, or those whose names are given.
pub(crate) fn bench(house: &House, names: &[String]) -> Outcome<()> {
    let all = benchmarks(house)?;
    if let Some(unknown) = names.iter().find(|name| !all.iter().any(|(_, known)| known == *name)) {
        let known: Vec<_> = all.iter().map(|(_, name)| name.as_str()).collect();
        return Err(Trouble::new(format!(
            "there is no benchmark `{unknown}`; there are: {}",
            known.join(", ")
        )));
    }
    for (package, name) in all.iter().filter(|(_, name)| names.is_empty() || names.contains(name)) {
        run(cargo(house.root()).args(["bench", "--package", package, "--bench", name]))?;
    }
    Ok(())
}

/// What a player feels, in real browsers on the built page: loading, connecting, rolling.
pub(crate) fn feel(house: &House) -> Outcome<()> {
    let chrome = browser::chrome()?;
    node::install_packages(&house.root().join("tests"))?;
    site::prepare_and_build(house)?;
    run(cargo(house.root()).args([
        "build",
        "--release",
        "--package",
        "signaling",
        "--package",
        "zari",
    ]))?;
    run(Command::new("node")
        .arg("tests/measure.mjs")
        .current_dir(house.root())
        .env("ZARI_DIST", house.dist())
        .env("ZARI_SERVER", house.built("release", "zari-signaling"))
        .env("ZARI_CLI", house.built("release", "zari"))
        .env("CHROME", chrome))
}

/// Package and name of every file in a benches/ folder.
fn benchmarks(house: &House) -> Outcome<Vec<(String, String)>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(house.root()).into_iter().flatten().flatten() {
        let package = entry.file_name().to_string_lossy().into_owned();
        for bench in fs::read_dir(entry.path().join("benches")).into_iter().flatten().flatten() {
            let file = bench.path();
            if file.extension().is_some_and(|kind| kind == "rs")
                && let Some(name) = file.file_stem()
            {
                found.push((package.clone(), name.to_string_lossy().into_owned()));
            }
        }
    }
    found.sort();
    if found.is_empty() { Err(Trouble::new("no crate has a benchmark")) } else { Ok(found) }
}

/// The pure crates' tests in release with many more cases and seeds: it finds what a quick run meets
/// once a year.
pub(crate) fn soak(house: &House) -> Outcome<()> {
    let mut command = cargo(house.root());
    command.args(["test", "--release", "--no-fail-fast"]);
    for (variable, value) in LONG {
        if env::var_os(variable).is_none() {
            command.env(variable, value);
        }
    }
    for package in PURE {
        command.args(["--package", package]);
    }
    run(&mut command)
}
