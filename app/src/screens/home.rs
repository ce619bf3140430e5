//! The three ways to play.

use leptos::prelude::*;

use super::icons;
use super::parts::{GoButton, PageHead};
use crate::route::{BadInvitation, Mode, Route};
use crate::shell::Shell;
use crate::store::Held;
use crate::words::{Words, w};

/// Where a saved game goes on: at its table, or where its host waits for a guest.
pub fn route_of(saved: &crate::store::Saved) -> Route {
    if saved.card.seated || saved.held == Held::Guest {
        Route::Table(saved.id)
    } else {
        Route::Invite(saved.id)
    }
}

/// The first screen.
#[component]
pub fn Home() -> impl IntoView {
    let shell = expect_context::<Shell>();
    let words = Words::here();
    let resumable = Memo::new(move |_| {
        shell.games_changed.track();
        shell.games().into_iter().find(|it| !it.card.over).map(|it| route_of(&it))
    });
    let has_games = Memo::new(move |_| {
        shell.games_changed.track();
        !shell.games().is_empty()
    });
    view! {
        <main class="page">
            <PageHead />
            {move || {
                shell
                    .bad_link
                    .get()
                    .map(|why| {
                        let word = match why {
                            BadInvitation::Damaged => w::WHY_BAD_LINK,
                            BadInvitation::OtherVersion => w::WHY_OTHER_VERSION,
                        };
                        view! {
                            <div class="banner" data-testid="alert" role="alert">
                                <p>{words.say(word)}</p>
                            </div>
                        }
                    })
            }}
            <div class="hero">
                <h1>{words.say(w::HOME_TITLE)}</h1>
                <p>{words.say(w::HOME_SUB)}</p>
            </div>
            <div class="modes">
                {move || {
                    resumable
                        .get()
                        .map(|route| {
                            view! {
                                <button
                                    type="button"
                                    class="button primary"
                                    data-testid="home-resume"
                                    on:click=move |_| shell.go(route)
                                >
                                    {words.say(w::HOME_RESUME)}
                                </button>
                            }
                        })
                }}
                <button
                    type="button"
                    class="mode"
                    data-testid="home-local"
                    on:click=move |_| shell.go(Route::Setup(Mode::Local))
                >
                    {icons::two_here()}
                    <strong>{words.say(w::MODE_LOCAL)}</strong>
                    <span>{words.say(w::MODE_LOCAL_SUB)}</span>
                    <i class="chevron">{icons::chevron()}</i>
                </button>
                <button
                    type="button"
                    class="mode"
                    data-testid="home-invite"
                    on:click=move |_| shell.go(Route::Setup(Mode::Friend))
                >
                    {icons::two_apart()}
                    <strong>{words.say(w::MODE_FRIEND)}</strong>
                    <span>{words.say(w::MODE_FRIEND_SUB)}</span>
                    <i class="chevron">{icons::chevron()}</i>
                </button>
                <button type="button" class="mode" data-testid="home-computer" disabled>
                    {icons::computer()}
                    <strong>{words.say(w::MODE_COMPUTER)}</strong>
                    <span>{words.say(w::MODE_COMPUTER_SUB)}</span>
                </button>
            </div>
            <ul class="promises">
                <li>{icons::tick()} <span>{words.say(w::PROMISE_DICE)}</span></li>
                <li>{icons::tick()} <span>{words.say(w::PROMISE_SAVED)}</span></li>
            </ul>
            <nav class="foot">
                {move || {
                    has_games
                        .get()
                        .then(|| {
                            view! { <GoButton to=Route::Games id="btn-games" word=w::GAMES /> }
                        })
                }}
                <GoButton to=Route::Help id="btn-help" word=w::HELP />
                <GoButton to=Route::Verify id="btn-verify-file" word=w::VERIFY_DICE />
                <GoButton to=Route::Settings id="btn-settings" word=w::SETTINGS />
            </nav>
            <OfflineLine />
        </main>
    }
}

/// Whether the page can be opened offline, its version, and a newer one.
#[component]
fn OfflineLine() -> impl IntoView {
    let shell = expect_context::<Shell>();
    let words = Words::here();
    view! {
        <div class="offline-line soft">
            {move || {
                shell
                    .offline_ready
                    .get()
                    .then(|| {
                        view! {
                            <span data-testid="offline-badge" role="status" data-ready="true">
                                {words.say(w::OFFLINE_READY)}
                            </span>
                        }
                    })
            }}
            <span>{move || words.fill(w::VERSION, &[("version", &shell.version)])}</span>
            {move || {
                shell
                    .update_waiting
                    .get()
                    .then(|| {
                        view! {
                            <span data-testid="update-available" role="status">
                                {words.say(w::UPDATE_AVAILABLE)}
                            </span>
                            <button
                                type="button"
                                class="button"
                                data-testid="update-apply"
                                on:click=move |_| shell.apply_update()
                            >
                                {words.say(w::UPDATE_APPLY)}
                            </button>
                        }
                    })
            }}
        </div>
    }
}
