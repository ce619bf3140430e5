//! What is worth running but not at every change: benchmarks, and the property tests for hours.

use std::fs;

use crate::command::{cargo, run};
use crate::house::House;
use crate::trouble::{Outcome, Trouble};

/// The crates whose property tests gain from more cases.
const PURE: [&str; 5] = ["rules", "fair-dice", "table", "peer", "bot"];

/// Property tests try this many cases each unless PROPTEST_CASES says otherwise.
const CASES: &str = "20000";

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

/// The property tests in release with many more cases. It finds what a quick run meets once a year.
pub(crate) fn soak(house: &House) -> Outcome<()> {
    let cases = std::env::var("PROPTEST_CASES").unwrap_or_else(|_| CASES.to_owned());
    let mut command = cargo(house.root());
    command.args(["test", "--release", "--no-fail-fast"]).env("PROPTEST_CASES", cases);
    for package in PURE {
        command.args(["--package", package]);
    }
    run(&mut command)
}
