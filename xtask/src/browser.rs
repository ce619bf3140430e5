//! The browser and its driver for the tests.

use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

use crate::command::{read, run, say};
use crate::house::on_path;
use crate::trouble::{Outcome, Trouble};

const BROWSERS: [&str; 4] =
    ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
const ELSEWHERE: [&str; 4] = [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Google\Chrome\Application\chrome.exe",
];
const DEBIAN: [&str; 4] = ["chromium", "chromium-driver", "fonts-liberation", "fonts-dejavu-core"];

/// A Chromium or Chrome: the one that CHROME names, one on PATH, or Debian's, installed now.
pub(crate) fn chrome() -> Outcome<PathBuf> {
    find_chrome()
        .or_else(|| install_debian_packages().ok().and_then(|()| find_chrome()))
        .ok_or_else(|| {
            Trouble::new(
                "the browser tests need Chromium or Chrome: install one, or set CHROME to its \
                 program, and run this again",
            )
        })
}

/// The chromedriver: the one that CHROMEDRIVER names, one on PATH, or Debian's, installed now.
pub(crate) fn chromedriver() -> Outcome<PathBuf> {
    find_driver()
        .or_else(|| install_debian_packages().ok().and_then(|()| find_driver()))
        .ok_or_else(|| {
            Trouble::new(
                "the wasm tests need the chromedriver of your Chrome's version: install it, or set \
                 CHROMEDRIVER to its program, and run this again",
            )
        })
}

fn find_chrome() -> Option<PathBuf> {
    let named = named_by("CHROME");
    let found = || BROWSERS.iter().find_map(|name| on_path(name));
    let elsewhere = || ELSEWHERE.iter().map(PathBuf::from).find(|program| program.is_file());
    named.or_else(found).or_else(elsewhere)
}

fn find_driver() -> Option<PathBuf> {
    named_by("CHROMEDRIVER").or_else(|| on_path("chromedriver"))
}

fn named_by(variable: &str) -> Option<PathBuf> {
    env::var_os(variable).map(PathBuf::from).filter(|program| program.is_file())
}

fn install_debian_packages() -> Outcome<()> {
    if on_path("apt-get").is_none() || fs::metadata("/etc/debian_version").is_err() {
        return Err(Trouble::new("this system has no apt"));
    }
    say("installing Debian's Chromium and its driver");
    run(&mut as_root(&["apt-get", "update", "-q"]))?;
    let install = ["apt-get", "install", "-y", "-q", "--no-install-recommends"];
    run(as_root(&install).args(DEBIAN))
}

fn as_root(words: &[&str]) -> Command {
    let is_root = read(Command::new("id").arg("-u")).is_some_and(|id| id.trim() == "0");
    let all = if is_root { words.to_vec() } else { [&["sudo"], words].concat() };
    let (program, rest) = all.split_first().unwrap_or((&"true", &[]));
    let mut command = Command::new(program);
    command.args(rest).env("DEBIAN_FRONTEND", "noninteractive");
    command
}
