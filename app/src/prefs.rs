//! The user's settings: signals that are kept over restarts.

use leptos::prelude::*;
use serde::{Deserialize, Serialize};

use crate::config::Query;
use crate::store::Store;

/// The three languages of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Lang {
    /// Русский.
    Ru,
    /// ქართული.
    Ka,
    /// English.
    En,
}

impl Lang {
    /// All languages, in the order in which they are offered.
    pub const ALL: [Lang; 3] = [Lang::Ru, Lang::Ka, Lang::En];

    /// The tag of BCP 47, also the value of `?lang=`.
    pub const fn tag(self) -> &'static str {
        match self {
            Lang::Ru => "ru",
            Lang::Ka => "ka",
            Lang::En => "en",
        }
    }

    /// The language of a tag, its region ignored.
    pub fn of_tag(tag: &str) -> Option<Lang> {
        let language = tag.split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase();
        Lang::ALL.into_iter().find(|lang| lang.tag() == language)
    }
}

/// Light or dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Theme {
    /// As the device is set.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

/// Whether things move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Motion {
    /// Unless the device asks for less.
    #[default]
    System,
    /// Nothing moves.
    Off,
}

/// How fast the checkers travel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Speed {
    /// Half the speed.
    Slow,
    /// 180 ms a die.
    #[default]
    Normal,
    /// Twice the speed.
    Fast,
}

/// On which side one's own home is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// Home bottom right.
    #[default]
    Right,
    /// Home bottom left.
    Left,
}

/// The settings as they are stored; what is missing or damaged is as at the first visit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct Kept {
    lang: Option<Lang>,
    name: String,
    theme: Theme,
    motion: Motion,
    speed: Speed,
    side: Side,
    turn_board: bool,
    ask_pass: bool,
    auto_roll: bool,
    letter_keys: bool,
}

impl Default for Kept {
    fn default() -> Kept {
        Kept {
            lang: None,
            name: String::new(),
            theme: Theme::default(),
            motion: Motion::default(),
            speed: Speed::default(),
            side: Side::default(),
            turn_board: false,
            ask_pass: false,
            auto_roll: false,
            letter_keys: true,
        }
    }
}

/// The settings. Set a signal and it is kept.
#[derive(Clone, Copy, Debug)]
pub struct Prefs {
    /// The language of the page.
    pub lang: RwSignal<Lang>,
    /// What the user wishes to be called, as typed.
    pub name: RwSignal<String>,
    /// Light or dark.
    pub theme: RwSignal<Theme>,
    /// Whether things move; `?motion=off` wins for this page life.
    pub motion: RwSignal<Motion>,
    /// How fast the checkers travel.
    pub speed: RwSignal<Speed>,
    /// On which side one's own home is.
    pub side: RwSignal<Side>,
    /// On one device the board turns with the player.
    pub turn_board: RwSignal<bool>,
    /// A turn without a legal move is passed by hand.
    pub ask_pass: RwSignal<bool>,
    /// Roll automatically when there is nothing to decide before it.
    pub auto_roll: RwSignal<bool>,
    /// Single letters are shortcuts.
    pub letter_keys: RwSignal<bool>,
    /// `?motion=off`.
    motion_off: bool,
}

impl Prefs {
    /// Reads the settings and keeps every later change. `wanted` are the browser's languages.
    pub fn load(store: &Store, query: &Query, wanted: &[String]) -> Prefs {
        let kept: Kept = store
            .preferences()
            .and_then(|json| serde_json::from_str(&json).ok())
            .unwrap_or_default();
        let asked = query.lang.as_deref().and_then(Lang::of_tag);
        let lang = first_language(asked, kept.lang, wanted);
        let prefs = Prefs {
            lang: RwSignal::new(lang),
            name: RwSignal::new(kept.name),
            theme: RwSignal::new(kept.theme),
            motion: RwSignal::new(kept.motion),
            speed: RwSignal::new(kept.speed),
            side: RwSignal::new(kept.side),
            turn_board: RwSignal::new(kept.turn_board),
            ask_pass: RwSignal::new(kept.ask_pass),
            auto_roll: RwSignal::new(kept.auto_roll),
            letter_keys: RwSignal::new(kept.letter_keys),
            motion_off: query.motion_off,
        };
        let store = store.clone();
        Effect::new(move |before: Option<()>| {
            let now = prefs.kept();
            // The first run only learns what to watch: a mere visit writes nothing.
            if before.is_some()
                && let Ok(json) = serde_json::to_string(&now)
            {
                store.keep_preferences(&json);
            }
        });
        prefs
    }

    fn kept(&self) -> Kept {
        Kept {
            lang: Some(self.lang.get()),
            name: self.name.get(),
            theme: self.theme.get(),
            motion: self.motion.get(),
            speed: self.speed.get(),
            side: self.side.get(),
            turn_board: self.turn_board.get(),
            ask_pass: self.ask_pass.get(),
            auto_roll: self.auto_roll.get(),
            letter_keys: self.letter_keys.get(),
        }
    }

    /// Whether nothing may move, by the settings, the address or the device.
    pub fn is_still(&self) -> bool {
        self.motion.get() == Motion::Off || self.motion_off || device_wants_stillness()
    }
}

fn device_wants_stillness() -> bool {
    web_sys::window()
        .and_then(|window| window.match_media("(prefers-reduced-motion: reduce)").ok().flatten())
        .is_some_and(|query| query.matches())
}

fn first_language(asked: Option<Lang>, kept: Option<Lang>, wanted: &[String]) -> Lang {
    asked.or(kept).or_else(|| wanted.iter().find_map(|tag| Lang::of_tag(tag))).unwrap_or(Lang::En)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_then_the_settings_then_the_browser_choose_the_language() {
        let wanted = ["de-AT", "ka-GE", "ru"].map(str::to_owned);
        assert_eq!(first_language(Some(Lang::Ru), Some(Lang::En), &wanted), Lang::Ru);
        assert_eq!(first_language(None, Some(Lang::En), &wanted), Lang::En);
        assert_eq!(first_language(None, None, &wanted), Lang::Ka);
        assert_eq!(first_language(None, None, &["de".to_owned()]), Lang::En);
    }

    #[test]
    fn damaged_settings_are_those_of_a_first_visit() {
        let half: Kept = serde_json::from_str(r#"{"name":"Нино","more":3}"#).expect("it is read");
        assert_eq!(half, Kept { name: "Нино".to_owned(), ..Kept::default() });
        assert!(serde_json::from_str::<Kept>(r#"{"theme":"purple"}"#).is_err());
    }
}
