//! What the crates may stand on, checked on their dependency trees: most of the invariants of
//! ARCHITECTURE.md are absences.

#![cfg(test)]

use std::path::Path;

use crate::command::{cargo, read};

/// Every crate of the workspace and the crates of ours that it may use; the page and the
/// tools of development are free.
const MAY_USE: [(&str, &[&str]); 7] = [
    ("rules", &[]),
    ("fair-dice", &["rules"]),
    ("table", &["rules", "fair-dice"]),
    ("peer", &["rules", "fair-dice", "table"]),
    ("bot", &["rules"]),
    ("zari", &["rules", "fair-dice", "table", "bot"]),
    ("signaling", &[]),
];

/// The crates that take time and randomness as arguments and know no browser and no socket.
const PURE: [&str; 5] = ["rules", "fair-dice", "table", "peer", "bot"];

/// Clocks, randomness, browsers, runtimes, sockets.
const IMPURE: [&str; 15] = [
    "chrono",
    "getrandom",
    "gloo-storage",
    "gloo-timers",
    "instant",
    "js-sys",
    "leptos",
    "matchbox_socket",
    "mio",
    "reactive_graph",
    "time",
    "tokio",
    "wasm-bindgen",
    "web-sys",
    "web-time",
];

/// The names in the tree of what a crate links, for every target, tests and build scripts aside.
fn tree(package: &str) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let words = ["tree", "--edges", "normal", "--target", "all", "--prefix", "none"];
    let said = read(cargo(&root).args(words).args(["--format", "{p}", "--package", package]));
    let said = said.unwrap_or_else(|| panic!("`cargo tree --package {package}` failed"));
    let first = |line: &str| line.split_whitespace().next().map(str::to_owned);
    let names: Vec<String> = said.lines().filter_map(first).collect();
    assert!(names.iter().any(|name| name == package), "{package} is not in its own tree: {said}");
    names
}

#[test]
fn pure_crates_know_no_clock_no_browser_and_no_socket() {
    for package in PURE {
        let tree = tree(package);
        for impure in IMPURE {
            assert!(!tree.iter().any(|name| name == impure), "{package} links {impure}");
        }
    }
}

#[test]
fn crates_of_ours_stand_on_each_other_in_one_direction() {
    for (package, allowed) in MAY_USE {
        let tree = tree(package);
        for (other, _) in MAY_USE.iter().filter(|(other, _)| *other != package) {
            let is_used = tree.iter().any(|name| name == other);
            assert!(!is_used || allowed.contains(other), "{package} must not use {other}");
        }
        assert!(!tree.iter().any(|name| name == "app"), "{package} must not use app");
    }
}
