//! Where things are: the workspace, cargo's target folder, the folder of tools, PATH.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use crate::trouble::{Outcome, Trouble};

#[derive(Clone, Debug)]
pub(crate) struct House {
    root: PathBuf,
    target: PathBuf,
    tools: PathBuf,
}

impl House {
    pub(crate) fn find() -> Outcome<Self> {
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
        let root = manifest.parent().unwrap_or(manifest).to_owned();
        if !root.join("Cargo.lock").is_file() {
            return Err(Trouble::new(format!(
                "the workspace is no longer at {}; run `cargo xtask` inside it",
                root.display()
            )));
        }
        // This program lies in <target>/debug: wherever cargo was told to build, that is the place.
        let target = env::current_exe()
            .ok()
            .and_then(|program| Some(program.parent()?.parent()?.to_owned()))
            .unwrap_or_else(|| root.join("target"));
        let tools = tools_folder(&target);
        Ok(Self { root, target, tools })
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn target(&self) -> &Path {
        &self.target
    }

    /// Where tools that PATH lacks are kept, one folder per tool and version.
    pub(crate) fn tools(&self) -> &Path {
        &self.tools
    }

    /// The site as it is shipped.
    pub(crate) fn dist(&self) -> PathBuf {
        self.root.join("dist")
    }

    /// A program that cargo built in this workspace.
    pub(crate) fn built(&self, profile: &str, program: &str) -> PathBuf {
        self.target.join(profile).join(format!("{program}{}", env::consts::EXE_SUFFIX))
    }

    /// The version of a package in Cargo.lock.
    pub(crate) fn locked_version(&self, package: &str) -> Outcome<String> {
        let lock = self.root.join("Cargo.lock");
        let text = fs::read_to_string(&lock)
            .map_err(|error| Trouble::new(format!("cannot read {}: {error}", lock.display())))?;
        locked_version(&text, package).ok_or_else(|| {
            Trouble::new(format!("Cargo.lock has no package `{package}`; run `cargo check` first"))
        })
    }
}

/// The tools outlive `cargo clean` and are shared by all clones: compiling them takes a quarter of
/// an hour on a small machine.
fn tools_folder(target: &Path) -> PathBuf {
    let given = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(folder) = given("ZARI_TOOLS") {
        return folder;
    }
    let cache = given("XDG_CACHE_HOME").or_else(|| given("LOCALAPPDATA")).or_else(|| {
        let home = env::home_dir().filter(|home| home.is_absolute())?;
        Some(home.join(if cfg!(target_os = "macos") { "Library/Caches" } else { ".cache" }))
    });
    cache.map_or_else(|| target.join("tools"), |cache| cache.join("zari-tools"))
}

fn locked_version(lock: &str, package: &str) -> Option<String> {
    let name = format!("name = \"{package}\"");
    let mut lines = lock.lines().skip_while(|line| *line != name).skip(1);
    let version = lines.next()?.strip_prefix("version = \"")?.strip_suffix('"')?;
    Some(version.to_owned())
}

/// PATH with some folders in front.
pub(crate) fn path_with(folders: &[PathBuf]) -> OsString {
    let path = env::var_os("PATH").unwrap_or_default();
    let all = folders.iter().cloned().chain(env::split_paths(&path));
    // A folder with a colon in its name cannot stand in PATH; then PATH stays as it is.
    env::join_paths(all).unwrap_or(path)
}

/// The first program of that name on PATH.
pub(crate) fn on_path(program: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path)
        .map(|folder| folder.join(format!("{program}{}", env::consts::EXE_SUFFIX)))
        .find(|candidate| candidate.is_file())
}

#[cfg(test)]
mod tests {
    use super::locked_version;

    const LOCK: &str = "[[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.130\"\n\n\
                        [[package]]\nname = \"wasm-bindgen-macro\"\nversion = \"9.9.9\"\n";

    #[test]
    fn the_lock_file_names_the_version_of_exactly_that_package() {
        assert_eq!(locked_version(LOCK, "wasm-bindgen").as_deref(), Some("0.2.130"));
        assert_eq!(locked_version(LOCK, "wasm"), None);
    }
}
