//! The rules of a game, as both sides read them before it begins.

use leptos::prelude::*;
use rules::{Clock, Length, Ruleset};

use crate::prefs::Lang;
use crate::words::{Words, w};

/// The length in words: "Матч до 5 очков".
pub fn length_text(lang: Lang, ruleset: &Ruleset) -> String {
    match ruleset.length {
        Length::Match(1) => w::RULES_ONE_GAME.in_language(lang).to_owned(),
        Length::Match(points) => w::RULES_MATCH.fill(lang, &[("points", &points)]),
        Length::Money => w::RULES_MONEY.in_language(lang).to_owned(),
    }
}

fn cube_text(lang: Lang, ruleset: &Ruleset) -> String {
    match ruleset.cube {
        None => w::RULES_CUBE_NONE.in_language(lang).to_owned(),
        Some(_) => w::RULES_CUBE_MAX.fill(lang, &[("max", &ruleset.cube_max())]),
    }
}

fn clock_text(lang: Lang, ruleset: &Ruleset) -> String {
    match ruleset.clock {
        Clock::None => w::RULES_CLOCK_NONE.in_language(lang).to_owned(),
        Clock::Finish { seconds } => w::RULES_CLOCK_FINISH.fill(lang, &[("seconds", &seconds)]),
        Clock::Reserve { delay, reserve } => {
            w::RULES_CLOCK_RESERVE.fill(lang, &[("delay", &delay), ("minutes", &(reserve / 60))])
        }
    }
}

/// The whole ruleset as a list.
#[component]
pub fn RulesFacts(
    /// The rules.
    ruleset: Ruleset,
) -> impl IntoView {
    let words = Words::here();
    view! {
        <section class="card stack">
            <h2>{words.say(w::RULES_TITLE)}</h2>
            <dl class="facts">
                <dt>{words.say(w::RULES_GAME)}</dt>
                <dd>{words.say(w::RULES_GEORGIAN)}</dd>
                <dt>{words.say(w::RULES_LENGTH)}</dt>
                <dd>{move || length_text(words.lang(), &ruleset)}</dd>
                <dt>{words.say(w::RULES_CUBE)}</dt>
                <dd>{move || cube_text(words.lang(), &ruleset)}</dd>
                <dt>{words.say(w::RULES_CLOCK)}</dt>
                <dd>{move || clock_text(words.lang(), &ruleset)}</dd>
                <dt>{words.say(w::RULES_WINS)}</dt>
                <dd>{words.say(w::RULES_WINS_VALUE)}</dd>
            </dl>
        </section>
    }
}
