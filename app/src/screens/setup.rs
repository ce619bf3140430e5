//! What is agreed before a game. It offers what can be played: one game, no cube, no clock.

use leptos::prelude::*;
use rules::{Place, Ruleset};

use super::facts::RulesFacts;
use super::parts::PageHead;
use crate::live_table::LiveTable;
use crate::route::Mode;
use crate::words::{Words, w};

/// The rules of the game that is about to begin.
#[component]
pub fn Setup(
    /// Who sits where.
    mode: Mode,
) -> impl IntoView {
    let live = expect_context::<LiveTable>();
    let words = Words::here();
    let (title, hint, start, place) = match mode {
        Mode::Local => (w::SETUP_LOCAL, w::SETUP_LOCAL_HINT, w::SETUP_START, Place::OneBrowser),
        Mode::Friend => {
            (w::SETUP_FRIEND, w::SETUP_FRIEND_HINT, w::SETUP_INVITE, Place::TwoBrowsers)
        }
    };
    let ruleset = Ruleset::georgian(1, place);
    let begin = move |_| match mode {
        Mode::Local => live.start_local(ruleset),
        Mode::Friend => live.invite(ruleset),
    };
    view! {
        <main class="page">
            <PageHead />
            <h1>{words.say(title)}</h1>
            <p class="soft">{words.say(hint)}</p>
            <RulesFacts ruleset />
            <button type="button" class="button primary" data-testid="setup-start" on:click=begin>
                {words.say(start)}
            </button>
        </main>
    }
}
