//! Programs written in Rust that building and checking need. One on PATH of the right version is
//! taken; else it is compiled once into the folder of tools.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;
use std::{env, fs};

use crate::command::{cargo, read, run, say};
use crate::house::{House, on_path};
use crate::trouble::{Outcome, Trouble};

const WASM: &str = "wasm32-unknown-unknown";
const TRUNK: &str = "0.21.14";
const CARGO_DENY: &str = "0.20.2";

/// A tool that `cargo install` brings.
struct Tool {
    package: &'static str,
    program: &'static str,
    version: String,
    features: &'static [&'static str],
    minutes: u32,
}

/// The folder that holds trunk.
pub(crate) fn trunk(house: &House) -> Outcome<PathBuf> {
    let tool = Tool {
        package: "trunk",
        program: "trunk",
        version: TRUNK.to_owned(),
        // Without its check for updates.
        features: &["--no-default-features", "--features", "rustls"],
        minutes: 7,
    };
    tool.find_or_install(house)
}

/// The folder that holds wasm-bindgen and its test runner, of the very version that the page links.
pub(crate) fn wasm_bindgen(house: &House) -> Outcome<PathBuf> {
    let tool = Tool {
        package: "wasm-bindgen-cli",
        program: "wasm-bindgen",
        version: house.locked_version("wasm-bindgen")?,
        features: &[],
        minutes: 4,
    };
    tool.find_or_install(house)
}

/// The folder that holds cargo-deny.
pub(crate) fn cargo_deny(house: &House) -> Outcome<PathBuf> {
    let tool = Tool {
        package: "cargo-deny",
        program: "cargo-deny",
        version: CARGO_DENY.to_owned(),
        features: &[],
        minutes: 5,
    };
    tool.find_or_install(house)
}

impl Tool {
    fn find_or_install(&self, house: &House) -> Outcome<PathBuf> {
        if let Some(program) = on_path(self.program)
            && self.is_right(&program)
            && let Some(folder) = program.parent()
        {
            return Ok(folder.to_owned());
        }
        let folder = house.tools().join(format!("{}-{}", self.package, self.version));
        let bin = folder.join("bin");
        if !self.is_right(&bin.join(format!("{}{}", self.program, env::consts::EXE_SUFFIX))) {
            self.install(house, &folder)?;
        }
        Ok(bin)
    }

    fn is_right(&self, program: &Path) -> bool {
        read(Command::new(program).arg("--version")).is_some_and(|said| {
            said.split_whitespace().nth(1).is_some_and(|version| version == self.version)
        })
    }

    fn install(&self, house: &House, folder: &Path) -> Outcome<()> {
        let Self { package, version, minutes, .. } = self;
        say(&format!(
            "compiling {package} {version} into {}, once: about {minutes} minutes on two cores",
            folder.display()
        ));
        let began = Instant::now();
        // Some lock files name versions that are no longer served: then cargo chooses the versions.
        let locked = run(&mut self.installation(house, folder, &["--locked"]));
        locked.or_else(|_| run(&mut self.installation(house, folder, &[]))).map_err(|_| {
            Trouble::new(format!(
                "{package} {version} could not be installed (see above). It needs the network and a \
                 C compiler; `cargo install {package} --version {version}` does the same by hand"
            ))
        })?;
        // What it was compiled from is of no further use.
        let _ = fs::remove_dir_all(build_folder(house, package));
        say(&format!("{package} is ready after {:.1} min", began.elapsed().as_secs_f64() / 60.0));
        Ok(())
    }

    fn installation(&self, house: &House, folder: &Path, lock: &[&str]) -> Command {
        let mut command = cargo(house.root());
        command
            .args(["install", self.package, "--version", &self.version, "--force"])
            .args(lock)
            .args(self.features)
            .arg("--root")
            .arg(folder)
            .env("CARGO_TARGET_DIR", build_folder(house, self.package))
            // These tools run for seconds: a quick compilation is worth more than quick code.
            .env("CARGO_PROFILE_RELEASE_LTO", "off")
            .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")
            .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1")
            .env("CARGO_PROFILE_RELEASE_DEBUG", "0")
            // Without the lock file, versions that this compiler can build.
            .env("CARGO_RESOLVER_INCOMPATIBLE_RUST_VERSIONS", "fallback")
            .env_remove("RUSTFLAGS");
        command
    }
}

fn build_folder(house: &House, package: &str) -> PathBuf {
    house.target().join("tools-build").join(package)
}

/// Adds the wasm target to the compiler in use.
pub(crate) fn wasm_target(house: &House) -> Outcome<()> {
    let sysroot =
        read(Command::new("rustc").args(["--print", "sysroot"]).current_dir(house.root()));
    let has_target = sysroot
        .is_some_and(|sysroot| Path::new(sysroot.trim()).join("lib/rustlib").join(WASM).is_dir());
    if has_target {
        return Ok(());
    }
    say(&format!("adding the compiler's target {WASM}"));
    run(Command::new("rustup").args(["target", "add", WASM]).current_dir(house.root())).map_err(
        |_| Trouble::new(format!("the Rust target {WASM} is missing: `rustup target add {WASM}`")),
    )
}

/// Adds rustfmt and clippy, which a minimal toolchain lacks.
pub(crate) fn component(house: &House, name: &'static str) -> Outcome<()> {
    let subcommand = if name == "rustfmt" { "fmt" } else { name };
    if read(cargo(house.root()).args([subcommand, "--version"])).is_some() {
        return Ok(());
    }
    say(&format!("adding the toolchain's component {name}"));
    run(Command::new("rustup").args(["component", "add", name]).current_dir(house.root())).map_err(
        |_| Trouble::new(format!("`cargo {subcommand}` is missing: `rustup component add {name}`")),
    )
}
