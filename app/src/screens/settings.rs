//! The settings.

use leptos::prelude::*;

use super::parts::{BackButton, Languages, value_of};
use crate::prefs::{Motion, Prefs, Side, Speed, Theme};
use crate::words::{Word, Words, w};

/// A setting that is on or off.
fn switch(
    words: Words,
    id: &'static str,
    word: Word,
    hint: Word,
    is_on: impl Fn() -> bool + Send + Sync + 'static,
    set: impl Fn(bool) + 'static,
) -> impl IntoView {
    view! {
        <label class="switch">
            <input
                type="checkbox"
                data-testid=id
                prop:checked=is_on
                on:change=move |event| set(event_target_checked(&event))
            />
            <span>{words.say(word)} <small>{words.say(hint)}</small></span>
        </label>
    }
}

/// A setting with a few values.
fn choice<T: Copy + PartialEq + Send + Sync + 'static>(
    words: Words,
    id: &'static str,
    word: Word,
    signal: RwSignal<T>,
    values: &'static [(&'static str, T, Word)],
) -> impl IntoView {
    let chosen = move |event| {
        let name = value_of(&event);
        if let Some((_, value, _)) = values.iter().find(|(other, ..)| *other == name) {
            signal.set(*value);
        }
    };
    let current = move || {
        let now = signal.get();
        values.iter().find(|(_, value, _)| *value == now).map_or("", |(name, ..)| *name)
    };
    view! {
        <label class="field">
            <span>{words.say(word)}</span>
            <select data-testid=id prop:value=current on:change=chosen>
                {values
                    .iter()
                    .map(|&(name, value, word)| {
                        view! {
                            <option value=name selected=signal.get_untracked() == value>
                                {words.say(word)}
                            </option>
                        }
                    })
                    .collect_view()}
            </select>
        </label>
    }
}

/// All settings that do something.
#[component]
pub fn Settings() -> impl IntoView {
    let prefs = expect_context::<Prefs>();
    let words = Words::here();
    view! {
        <main class="page">
            <header class="page-head">
                <BackButton />
                <h1>{words.say(w::SETTINGS)}</h1>
                <Languages />
            </header>
            <section class="card stack">
                <label class="field">
                    <span>{words.say(w::SET_NAME)}</span>
                    <input
                        class="input"
                        data-testid="set-name"
                        type="text"
                        maxlength="32"
                        autocomplete="nickname"
                        prop:value=prefs.name.get_untracked()
                        on:change=move |event| prefs.name.set(value_of(&event))
                    />
                    <small class="soft">{words.say(w::SET_NAME_HINT)}</small>
                </label>
            </section>
            <section class="card stack">
                <h2>{words.say(w::SECTION_LOOK)}</h2>
                {choice(
                    words,
                    "set-theme",
                    w::SET_THEME,
                    prefs.theme,
                    &[
                        ("system", Theme::System, w::THEME_SYSTEM),
                        ("light", Theme::Light, w::THEME_LIGHT),
                        ("dark", Theme::Dark, w::THEME_DARK),
                    ],
                )}
                {choice(
                    words,
                    "set-side",
                    w::SET_SIDE,
                    prefs.side,
                    &[
                        ("right", Side::Right, w::SIDE_RIGHT),
                        ("left", Side::Left, w::SIDE_LEFT),
                    ],
                )}
                {choice(
                    words,
                    "set-speed",
                    w::SET_SPEED,
                    prefs.speed,
                    &[
                        ("slow", Speed::Slow, w::SPEED_SLOW),
                        ("normal", Speed::Normal, w::SPEED_NORMAL),
                        ("fast", Speed::Fast, w::SPEED_FAST),
                    ],
                )}
                {switch(
                    words,
                    "set-motion",
                    w::SET_MOTION,
                    w::SET_MOTION_HINT,
                    move || prefs.motion.get() == Motion::System,
                    move |on| prefs.motion.set(if on { Motion::System } else { Motion::Off }),
                )}
            </section>
            <section class="card stack">
                <h2>{words.say(w::SECTION_PLAY)}</h2>
                {switch(
                    words,
                    "set-autoroll",
                    w::SET_AUTOROLL,
                    w::SET_AUTOROLL_HINT,
                    move || prefs.auto_roll.get(),
                    move |on| prefs.auto_roll.set(on),
                )}
                {switch(
                    words,
                    "set-pass",
                    w::SET_PASS,
                    w::SET_PASS_HINT,
                    move || prefs.ask_pass.get(),
                    move |on| prefs.ask_pass.set(on),
                )}
                {switch(
                    words,
                    "set-board",
                    w::SET_BOARD,
                    w::SET_BOARD_HINT,
                    move || prefs.turn_board.get(),
                    move |on| prefs.turn_board.set(on),
                )}
                {switch(
                    words,
                    "set-keys",
                    w::SET_KEYS,
                    w::SET_KEYS_HINT,
                    move || prefs.letter_keys.get(),
                    move |on| prefs.letter_keys.set(on),
                )}
            </section>
        </main>
    }
}
