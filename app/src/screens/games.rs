//! The saved games.

use leptos::prelude::*;

use super::home::route_of;
use super::parts::{PageHead, date_text};
use crate::prefs::Lang;
use crate::route::GameId;
use crate::shell::Shell;
use crate::store::{Held, Saved};
use crate::words::{Words, w};

fn title(lang: Lang, saved: &Saved) -> String {
    let friend = match saved.held {
        Held::Local => return w::GAME_LOCAL.in_language(lang).to_owned(),
        Held::Host => &saved.card.black,
        Held::Guest => &saved.card.white,
    };
    if friend.is_empty() {
        w::GAME_FRIEND.in_language(lang).to_owned()
    } else {
        w::GAME_WITH.fill(lang, &[("name", friend)])
    }
}

fn state(lang: Lang, saved: &Saved) -> String {
    let card = &saved.card;
    let word = if !card.seated {
        w::GAME_NOT_BEGUN
    } else if card.over {
        w::GAME_OVER_WORD
    } else {
        w::GAME_RUNNING
    };
    let [white, black] = card.score;
    let date = date_text(lang, card.at_ms);
    format!("{date} · {white} : {black} · {}", word.in_language(lang))
}

/// The list of saved games.
#[component]
pub fn Games() -> impl IntoView {
    let shell = expect_context::<Shell>();
    let words = Words::here();
    let asked = RwSignal::new(None::<GameId>);
    let games = move || {
        shell.games_changed.track();
        shell.games()
    };
    let line = move |saved: Saved| {
        let id = saved.id;
        let route = route_of(&saved);
        let (named, described) = (saved.clone(), saved);
        view! {
            <li class="card" data-testid="games-item">
                <div class="saved-words">
                    <strong>{move || title(words.lang(), &named)}</strong>
                    <span>{move || state(words.lang(), &described)}</span>
                </div>
                {move || {
                    if asked.get() == Some(id) {
                        view! {
                            <p class="asked" role="status">
                                {words.say(w::GAME_DELETE_ASK)}
                            </p>
                            <button
                                type="button"
                                class="button danger"
                                data-testid="game-delete-confirm"
                                on:click=move |_| {
                                    asked.set(None);
                                    shell.delete(id);
                                }
                            >
                                {words.say(w::GAME_DELETE_CONFIRM)}
                            </button>
                            <button
                                type="button"
                                class="button"
                                on:click=move |_| asked.set(None)
                            >
                                {words.say(w::CANCEL)}
                            </button>
                        }
                            .into_any()
                    } else {
                        view! {
                            <button
                                type="button"
                                class="button"
                                data-testid="game-open"
                                on:click=move |_| shell.go(route)
                            >
                                {words.say(w::GAME_OPEN)}
                            </button>
                            <button
                                type="button"
                                class="button quiet danger"
                                data-testid="game-delete"
                                on:click=move |_| asked.set(Some(id))
                            >
                                {words.say(w::GAME_DELETE)}
                            </button>
                        }
                            .into_any()
                    }
                }}
            </li>
        }
    };
    view! {
        <main class="page">
            <PageHead />
            <h1>{words.say(w::GAMES)}</h1>
            {move || {
                games()
                    .is_empty()
                    .then(|| view! { <p class="soft">{words.say(w::GAMES_NONE)}</p> })
            }}
            <ul class="saved" data-testid="games-list">
                {move || games().into_iter().map(line).collect_view()}
            </ul>
            <p class="soft">{words.say(w::GAMES_KEPT_HINT)}</p>
        </main>
    }
}
