//! The rules and the way to play, in short.

use leptos::prelude::*;

use super::parts::{BackButton, GoButton, Languages};
use crate::route::Route;
use crate::words::{Word, Words, w};

/// The help.
#[component]
pub fn Help() -> impl IntoView {
    let words = Words::here();
    let part = move |title: Word, texts: &'static [Word]| {
        view! {
            <h2>{words.say(title)}</h2>
            {texts.iter().map(|&text| view! { <p>{words.say(text)}</p> }).collect_view()}
        }
    };
    let list = move |title: Word, texts: &'static [Word]| {
        view! {
            <h2>{words.say(title)}</h2>
            <ul>
                {texts.iter().map(|&text| view! { <li>{words.say(text)}</li> }).collect_view()}
            </ul>
        }
    };
    let keys: &[(&str, Word)] = &[
        ("R", w::KEY_ROLL),
        ("U", w::KEY_UNDO),
        ("C", w::KEY_CONFIRM),
        ("X", w::KEY_SWAP),
        ("?", w::KEY_HELP),
        ("Esc", w::KEY_ESCAPE),
        ("␣", w::KEY_SPACE),
        ("← ↑ → ↓", w::KEY_ARROWS),
    ];
    let terms: &[(Word, Word)] = &[
        (w::WORD_ZARY, w::WORD_ZARY_IS),
        (w::WORD_POINT, w::WORD_POINT_IS),
        (w::WORD_HOME, w::WORD_HOME_IS),
        (w::WORD_YARD, w::WORD_YARD_IS),
        (w::WORD_BAR, w::WORD_BAR_IS),
        (w::WORD_PIPS, w::WORD_PIPS_IS),
    ];
    view! {
        <main class="page">
            <header class="page-head">
                <BackButton />
                <h1>{words.say(w::HELP)}</h1>
                <Languages />
            </header>
            <article class="card prose">
                {part(w::HELP_GOAL_TITLE, &[w::HELP_GOAL])}
                {list(w::HELP_MOVE_TITLE, &[w::HELP_MOVE_1, w::HELP_MOVE_2, w::HELP_MOVE_3])}
                {part(w::HELP_HIT_TITLE, &[w::HELP_HIT])}
                {part(w::HELP_OFF_TITLE, &[w::HELP_OFF])}
                {list(w::HELP_SCORE_TITLE, &[w::HELP_OIN, w::HELP_MARS, w::HELP_KOKS])}
                {list(
                    w::HELP_CONTROLS_TITLE,
                    &[w::HELP_CONTROLS_1, w::HELP_CONTROLS_2, w::HELP_CONTROLS_3],
                )}
                <h2>{words.say(w::HELP_KEYS_TITLE)}</h2>
                <dl class="facts">
                    {keys
                        .iter()
                        .map(|&(key, does)| {
                            view! {
                                <dt>
                                    <kbd>{key}</kbd>
                                </dt>
                                <dd class="plain">{words.say(does)}</dd>
                            }
                        })
                        .collect_view()}
                </dl>
                {part(w::HELP_DICE_TITLE, &[w::HELP_DICE, w::HELP_DICE_LIMITS])}
                <h2>{words.say(w::HELP_WORDS_TITLE)}</h2>
                <dl>
                    {terms
                        .iter()
                        .map(|&(term, is)| {
                            view! {
                                <dt>{words.say(term)}</dt>
                                <dd>{words.say(is)}</dd>
                            }
                        })
                        .collect_view()}
                </dl>
            </article>
            <nav class="foot">
                <GoButton to=Route::Home id="help-home" word=w::HOME />
            </nav>
        </main>
    }
}
