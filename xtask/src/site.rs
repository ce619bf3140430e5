//! The page as it is shipped: trunk puts it together, finish.mjs makes it small.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use crate::command::{cargo, run, say};
use crate::house::{House, path_with};
use crate::trouble::{Outcome, Trouble};
use crate::{binaries, node};

/// What a first visit may load, compressed: it must open quickly on a slow phone.
const FIRST_LOAD_BUDGET: u64 = 384 * 1024;

/// Installs what building the page needs.
pub(crate) fn prepare(house: &House) -> Outcome<()> {
    node::check()?;
    binaries::wasm_target(house)?;
    binaries::wasm_bindgen(house)?;
    binaries::trunk(house)?;
    node::install_packages(&house.root().join("xtask"))
}

/// Builds the page into dist/; everything it needs is there.
pub(crate) fn build(house: &House) -> Outcome<()> {
    let folders = [binaries::wasm_bindgen(house)?, binaries::trunk(house)?];
    // Trunk is told to stay off the network; cargo brings the crates beforehand.
    run(cargo(house.root()).args(["fetch", "--quiet"]))?;
    say("building the page");
    // trunk is named by its folder: the PATH given to a child is not where every system looks for it.
    let trunk = folders[1].join(format!("trunk{}", env::consts::EXE_SUFFIX));
    run(Command::new(trunk)
        .args(["--config", "trunk.toml", "build", "--release", "--offline"])
        .current_dir(house.root())
        .env("PATH", path_with(&folders))
        .env("CARGO_TARGET_DIR", house.target())
        .env("TRUNK_SKIP_VERSION_CHECK", "true")
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", compiler_flags(house))
        // Trunk reads NO_COLOR as a boolean and stumbles over `1`.
        .env_remove("NO_COLOR"))?;
    say("making it small");
    run(Command::new("node")
        .arg(house.root().join("xtask/finish.mjs"))
        .arg(house.dist())
        .arg(house.target().join("site-cache")))
}

/// Leptos gives every tree of elements a type of its own; erased at the borders of components, the
/// page is an eighth smaller. And no folder of the machine that built it shows in its messages.
fn compiler_flags(house: &House) -> String {
    let mut flags = vec!["--cfg=erase_components".to_owned()];
    let crates = env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(env::home_dir()?.join(".cargo")))
        .map(|home| home.join("registry/src"));
    let folders = [(crates, "crates"), (Some(house.root().to_owned()), "zari")];
    for (folder, name) in folders {
        // A flag with a space in it cannot be said this way; the folder then stays in the messages.
        if let Some(folder) = folder.and_then(|folder| Some(folder.to_str()?.to_owned()))
            && !folder.contains(char::is_whitespace)
        {
            flags.push(format!("--remap-path-prefix={folder}={name}"));
        }
    }
    flags.join(" ")
}

pub(crate) fn prepare_and_build(house: &House) -> Outcome<()> {
    prepare(house)?;
    build(house)?;
    say(&format!("the page is in {}", house.dist().display()));
    Ok(())
}

/// The document must work under any path and under its own strict policy.
pub(crate) fn audit(house: &House) -> Outcome<()> {
    match objection(&index(house)?) {
        None => Ok(()),
        Some(objection) => Err(Trouble::new(format!("dist/index.html {objection}"))),
    }
}

fn index(house: &House) -> Outcome<String> {
    fs::read_to_string(house.dist().join("index.html"))
        .map_err(|_| Trouble::new("there is no built page: run `cargo xtask dist` first"))
}

fn objection(index: &str) -> Option<String> {
    let policy = index
        .split('<')
        .find(|element| attribute(element, "http-equiv") == Some("Content-Security-Policy"));
    let Some(policy) = policy.and_then(|element| attribute(element, "content")) else {
        return Some("has no Content-Security-Policy".to_owned());
    };
    if !policy.contains("default-src 'none'") || policy.contains("unsafe-inline") {
        return Some(format!("has a loose Content-Security-Policy: {policy}"));
    }
    for element in index.split('<') {
        let element = element.split('>').next().unwrap_or_default();
        let is_script = element.starts_with("script");
        if element.starts_with("style") || is_script && attribute(element, "src").is_none() {
            return Some(format!("has something inline: <{element}>"));
        }
        let is_handler = |word: &str| word.starts_with("on") && word.contains('=');
        if attribute(element, "style").is_some() || element.split_whitespace().any(is_handler) {
            return Some(format!("has an inline attribute: <{element}>"));
        }
        for name in ["src", "href", "data-js", "data-wasm"] {
            if let Some(address) = attribute(element, name)
                && (address.starts_with('/') || address.contains("://"))
            {
                return Some(format!("has an absolute address, {address}"));
            }
        }
    }
    None
}

/// Prints the bytes of the built page and holds the first load against its budget.
pub(crate) fn size(house: &House) -> Outcome<()> {
    let dist = house.dist();
    let first = first_load(&index(house)?);
    let mut files = Vec::new();
    list(&dist, &mut files)?;
    files.sort();

    println!("     bytes    brotli");
    let mut sum = 0;
    for file in &files {
        let bytes = length(file)?;
        let sent = length(&sibling(file, "br")).unwrap_or(bytes);
        let name = file.strip_prefix(&dist).unwrap_or(file).to_string_lossy().replace('\\', "/");
        let mark = if first.contains(&name) { "  first load" } else { "" };
        if first.contains(&name) {
            sum += sent;
        }
        println!("{bytes:>10}{sent:>10}  {name}{mark}");
    }
    println!("first load: {sum} bytes of at most {FIRST_LOAD_BUDGET}");
    if let Some(missing) = first.iter().find(|name| !dist.join(name).is_file()) {
        return Err(Trouble::new(format!("index.html names `{missing}`, which dist/ lacks")));
    }
    if sum > FIRST_LOAD_BUDGET {
        return Err(Trouble::new(format!(
            "the first load of {sum} bytes is {} over its budget",
            sum - FIRST_LOAD_BUDGET
        )));
    }
    Ok(())
}

/// The files that a browser loads to show the first screen: the document, what its links and
/// scripts name, and the settings that the page reads at its start.
fn first_load(index: &str) -> Vec<String> {
    let mut names = vec!["index.html".to_owned(), "config.json".to_owned()];
    for element in index.split('<') {
        let element = element.split('>').next().unwrap_or_default();
        let loads = element.starts_with("script")
            || element.starts_with("link")
                && !["icon", "manifest", "canonical"]
                    .iter()
                    .any(|rel| attribute(element, "rel").is_some_and(|value| value.contains(rel)));
        if !loads {
            continue;
        }
        for name in ["src", "href", "data-js", "data-wasm"] {
            if let Some(address) = attribute(element, name)
                && !address.contains(':')
            {
                names.push(address.trim_start_matches("./").to_owned());
            }
        }
    }
    names.sort();
    names.dedup();
    names
}

fn attribute<'a>(element: &'a str, name: &str) -> Option<&'a str> {
    let (_, value) = element.split_once(&format!(" {name}=\""))?;
    Some(value.split_once('"')?.0)
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) -> Outcome<()> {
    let trouble = |error| Trouble::new(format!("cannot read {}: {error}", folder.display()));
    for entry in fs::read_dir(folder).map_err(trouble)? {
        let path = entry.map_err(trouble)?.path();
        if path.is_dir() {
            list(&path, files)?;
        } else if path.extension().is_none_or(|kind| kind != "br" && kind != "gz") {
            files.push(path);
        }
    }
    Ok(())
}

fn sibling(file: &Path, kind: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".");
    name.push(kind);
    name.into()
}

fn length(file: &Path) -> Outcome<u64> {
    let length = fs::metadata(file).map(|data| data.len());
    length.map_err(|error| Trouble::new(format!("cannot read {}: {error}", file.display())))
}

#[cfg(test)]
mod tests {
    use super::{first_load, objection};

    const POLICY: &str =
        r#"<meta http-equiv="Content-Security-Policy" content="default-src 'none'" />"#;

    #[test]
    fn what_the_policy_or_another_path_would_break_is_seen() {
        let good = r#"<script type="module" src="./start.js" data-js="./a.js"></script><p>on=</p>"#;
        assert_eq!(objection(&format!("{POLICY}{good}")), None);
        for bad in [
            "<script>1</script>",
            "<style>p{}</style>",
            r#"<p style="color:red">"#,
            r#"<body onload="x()">"#,
            r#"<link href="/page.css">"#,
            r#"<script src="https://example.org/x.js"></script>"#,
        ] {
            assert!(objection(&format!("{POLICY}{bad}")).is_some(), "{bad}");
        }
        assert!(objection(good).is_some(), "no policy");
        assert!(objection(&POLICY.replace("'none'", "'self'")).is_some(), "a loose policy");
    }

    #[test]
    fn the_first_load_is_what_the_document_names_and_no_icon() {
        let index = r#"<!doctype html><link rel="manifest" href="./app.webmanifest">
            <link rel="apple-touch-icon" href="./icons/180.png"><link rel="icon" href="./i.svg">
            <link rel="stylesheet" href="./page-1f.css"><a href="./help.html">?</a>
            <script type="module" src="./start.js" data-js="./app.js" data-wasm="./app.wasm"></script>
            <link rel="modulepreload" href="./app.js">"#;
        let expected =
            ["app.js", "app.wasm", "config.json", "index.html", "page-1f.css", "start.js"];
        assert_eq!(first_load(index), expected);
    }
}
