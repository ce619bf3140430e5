//! Node.js and the packages that come through npm, each pinned by a committed lock file.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::command::{read, run, say};
use crate::trouble::{Outcome, Trouble};

const OLDEST: u32 = 20;

/// Node.js is the one thing that this program cannot install by itself.
pub(crate) fn check() -> Outcome<()> {
    let Some(version) = read(Command::new("node").arg("--version")) else {
        return Err(Trouble::new(format!(
            "Node.js is missing: install version {OLDEST} or newer with npm (nodejs.org, or your \
             system's packages) and run this again"
        )));
    };
    let version = version.trim();
    if major(version).is_none_or(|major| major < OLDEST) {
        return Err(Trouble::new(format!(
            "Node.js {OLDEST} or newer is needed, but `node --version` says {version}: install a \
             newer one (nodejs.org, or your system's packages) and run this again"
        )));
    }
    Ok(())
}

fn major(version: &str) -> Option<u32> {
    version.strip_prefix('v')?.split('.').next()?.parse().ok()
}

/// Installs exactly what the folder's package-lock.json names, unless that has been done.
pub(crate) fn install_packages(folder: &Path) -> Outcome<()> {
    check()?;
    let lock = fs::read(folder.join("package-lock.json")).map_err(|error| {
        Trouble::new(format!("cannot read package-lock.json in {}: {error}", folder.display()))
    })?;
    // Written after a whole installation: an interrupted one is done again.
    let stamp = folder.join("node_modules/.installed-from");
    if fs::read(&stamp).is_ok_and(|installed| installed == lock) {
        return Ok(());
    }
    say(&format!("installing the npm packages of {}", folder.display()));
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let install = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
    run(Command::new(npm).args(install).current_dir(folder))?;
    fs::write(&stamp, lock)
        .map_err(|error| Trouble::new(format!("cannot write {}: {error}", stamp.display())))
}

#[cfg(test)]
mod tests {
    use super::major;

    #[test]
    fn the_major_version_of_node_is_read() {
        assert_eq!(major("v20.20.2"), Some(20));
        assert_eq!(major("v8.0.0"), Some(8));
        assert_eq!(major("twenty"), None);
    }
}
