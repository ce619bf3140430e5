//! Makes one constant of every text of the page, with its three translations, from `locales/`.
//! A key or a placeholder that one language lacks stops the build.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

/// In the order of `Lang::ALL`.
const LANGUAGES: [&str; 3] = ["ru", "ka", "en"];

fn main() {
    println!("cargo::rerun-if-changed=locales");
    let texts = LANGUAGES.map(|language| {
        let path = format!("locales/{language}.json");
        let json = fs::read_to_string(&path).unwrap_or_else(|why| panic!("{path}: {why}"));
        let texts: BTreeMap<String, String> =
            serde_json::from_str(&json).unwrap_or_else(|why| panic!("{path}: {why}"));
        texts
    });
    let mut out = String::new();
    for key in texts.iter().flat_map(BTreeMap::keys).collect::<std::collections::BTreeSet<_>>() {
        let in_all = LANGUAGES.iter().zip(&texts).map(|(language, texts)| {
            texts.get(key).unwrap_or_else(|| panic!("locales/{language}.json lacks {key:?}"))
        });
        let in_all: Vec<&String> = in_all.collect();
        for (language, text) in LANGUAGES.iter().zip(&in_all) {
            assert_eq!(
                placeholders(text),
                placeholders(in_all[0]),
                "locales/{language}.json: the placeholders of {key:?} differ"
            );
        }
        let name = key.to_uppercase();
        writeln!(out, "pub const {name}: Word = Word({in_all:?});").expect("a string takes it");
    }
    let folder = env::var("OUT_DIR").expect("cargo sets it");
    fs::write(Path::new(&folder).join("words.rs"), out).expect("the build folder is writable");
}

/// The names in braces, without their plural forms, each once.
fn placeholders(text: &str) -> Vec<&str> {
    let inside = text.split('{').skip(1).filter_map(|rest| rest.split('}').next());
    let mut names: Vec<&str> = inside.filter_map(|it| it.split('#').next()).collect();
    names.sort_unstable();
    names.dedup();
    names
}
