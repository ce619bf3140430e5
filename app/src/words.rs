//! Everything the page says, in the language of the moment.
//!
//! The texts stand in `locales/`; the build makes a constant of each ([`w`]), so that a text that
//! does not exist is no program. `{name}` is filled in, `{name#день|дня|дней}` chooses the form that
//! the number `name` asks for.

use std::fmt::{Display, Write as _};

use leptos::prelude::*;

use crate::prefs::{Lang, Prefs};

/// One text in the three languages, in the order of [`Lang::ALL`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word([&'static str; 3]);

/// All texts.
pub mod w {
    use super::Word;

    include!(concat!(env!("OUT_DIR"), "/words.rs"));
}

impl Word {
    /// The text as it stands.
    pub const fn in_language(self, lang: Lang) -> &'static str {
        let [ru, ka, en] = self.0;
        match lang {
            Lang::Ru => ru,
            Lang::Ka => ka,
            Lang::En => en,
        }
    }

    /// The text with its places filled in.
    pub fn fill(self, lang: Lang, values: &[(&str, &dyn Display)]) -> String {
        let mut out = String::new();
        let mut rest = self.in_language(lang);
        while let Some((before, (inside, after))) =
            rest.split_once('{').and_then(|(before, it)| Some((before, it.split_once('}')?)))
        {
            out.push_str(before);
            let (name, forms) =
                inside.split_once('#').map_or((inside, None), |(name, forms)| (name, Some(forms)));
            if let Some((_, value)) = values.iter().find(|(key, _)| *key == name) {
                let value = value.to_string();
                match forms {
                    None => out.push_str(&value),
                    Some(forms) => out.push_str(form(lang, &value, forms)),
                }
            } else {
                debug_assert!(false, "no value for {name}");
                // In a shipped page a hole is better than a dead page.
                let _ = write!(out, "…");
            }
            rest = after;
        }
        out.push_str(rest);
        out
    }
}

/// The form of a noun after a number, of `one|few|many` (Russian), `one|other`, or the only one.
fn form<'a>(lang: Lang, value: &str, forms: &'a str) -> &'a str {
    let number: u64 = value.parse().unwrap_or(0);
    let index = match lang {
        Lang::Ru => match (number % 10, number % 100) {
            (_, 11..=14) => 2,
            (1, _) => 0,
            (2..=4, _) => 1,
            _ => 2,
        },
        Lang::Ka => 0,
        Lang::En => usize::from(number != 1),
    };
    let forms: Vec<&str> = forms.split('|').collect();
    forms.get(index).or(forms.last()).copied().unwrap_or_default()
}

/// The texts in the language of the settings; reading one follows the language.
#[derive(Clone, Copy, Debug)]
pub struct Words(RwSignal<Lang>);

impl Words {
    /// The texts as the settings say.
    pub fn here() -> Words {
        Words(expect_context::<Prefs>().lang)
    }

    /// The language.
    pub fn lang(self) -> Lang {
        self.0.get()
    }

    /// A text.
    pub fn get(self, word: Word) -> &'static str {
        word.in_language(self.0.get())
    }

    /// A text that follows the language by itself.
    pub fn say(self, word: Word) -> impl Fn() -> &'static str + Copy + Send + Sync + 'static {
        move || self.get(word)
    }

    /// A text with its places filled in.
    pub fn fill(self, word: Word, values: &[(&str, &dyn Display)]) -> String {
        word.fill(self.0.get(), values)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    fn texts(lang: Lang) -> BTreeMap<String, String> {
        serde_json::from_str(match lang {
            Lang::Ru => include_str!("../locales/ru.json"),
            Lang::Ka => include_str!("../locales/ka.json"),
            Lang::En => include_str!("../locales/en.json"),
        })
        .unwrap()
    }

    fn placeholders(text: &str) -> BTreeSet<String> {
        text.split('{')
            .skip(1)
            .map(|it| it.split(['}', '#']).next().unwrap_or_default().to_owned())
            .collect()
    }

    #[test]
    fn the_three_languages_have_the_same_texts_with_the_same_places() {
        let russian = texts(Lang::Ru);
        for lang in Lang::ALL {
            let other = texts(lang);
            assert_eq!(
                russian.keys().collect::<Vec<_>>(),
                other.keys().collect::<Vec<_>>(),
                "the keys of {}",
                lang.tag()
            );
            for (key, text) in &other {
                assert!(!text.trim().is_empty(), "{key} is empty in {}", lang.tag());
                assert_eq!(
                    placeholders(text),
                    placeholders(&russian[key]),
                    "{key} in {}",
                    lang.tag()
                );
            }
        }
    }

    #[test]
    fn each_language_is_written_in_its_own_letters() {
        let foreign = |key: &str, text: &str, letters: std::ops::RangeInclusive<char>| {
            // The names of places to fill in are no text.
            let text: String =
                text.split('{').map(|it| it.rsplit('}').next().unwrap_or_default()).collect();
            let own = text.chars().filter(|it| letters.contains(it)).count();
            assert!(own > 0 || !text.chars().any(char::is_alphabetic), "{key}: {text}");
        };
        let same_everywhere = |key: &str| key.starts_with("lang_");
        for (key, text) in texts(Lang::Ru).iter().filter(|it| !same_everywhere(it.0)) {
            foreign(key, text, 'А'..='я');
        }
        for (key, text) in texts(Lang::Ka).iter().filter(|it| !same_everywhere(it.0)) {
            foreign(key, text, 'ა'..='ჰ');
        }
    }

    #[test]
    fn russian_nouns_follow_their_numbers() {
        let word = Word(["{n} {n#пипс|пипса|пипсов}", "{n} პიპი", "{n} {n#pip|pips}"]);
        let say = |lang, n: u32| word.fill(lang, &[("n", &n)]);
        assert_eq!(say(Lang::Ru, 1), "1 пипс");
        assert_eq!(say(Lang::Ru, 22), "22 пипса");
        assert_eq!(say(Lang::Ru, 12), "12 пипсов");
        assert_eq!(say(Lang::Ru, 167), "167 пипсов");
        assert_eq!(say(Lang::Ru, 111), "111 пипсов");
        assert_eq!(say(Lang::En, 1), "1 pip");
        assert_eq!(say(Lang::En, 0), "0 pips");
        assert_eq!(say(Lang::Ka, 5), "5 პიპი");
    }
}
