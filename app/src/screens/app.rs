//! The root of the page: which screen is shown, in which language and light.

use leptos::prelude::*;

use super::games::Games;
use super::help::Help;
use super::home::Home;
use super::invite::Invite;
use super::join::Join;
use super::settings::Settings;
use super::setup::Setup;
use super::table::TableScreen;
use super::verify::VerifyScreen;
use crate::live_table::LiveTable;
use crate::prefs::{Prefs, Theme};
use crate::route::Route;
use crate::seats::Phase;
use crate::shell::Shell;
use crate::words::{Words, w};

/// What lies over the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Over {
    /// Nothing.
    #[default]
    Nothing,
    /// The check of the dice.
    Verify,
    /// The menu of a phone.
    Menu,
    /// The result was put aside at this length of the log, to look at the board.
    Board(u32),
}

/// The whole page.
#[component]
pub fn App() -> impl IntoView {
    let prefs = expect_context::<Prefs>();
    let shell = expect_context::<Shell>();
    let live = expect_context::<LiveTable>();
    let words = Words::here();
    let over = RwSignal::new(Over::Nothing);
    let phase = Memo::new(move |_| {
        let viewer = live.viewer.get();
        live.table.with(|table| {
            let table = table.as_ref()?;
            Some(live.draft.with(|draft| Phase::of(table, draft.as_ref(), viewer)))
        })
    });
    let shows_result = Memo::new(move |_| {
        let is_over = matches!(phase.get(), Some(Phase::GameOver | Phase::MatchOver));
        is_over
            && live.table.with(|table| table.as_ref().is_some_and(|it| it.result().is_some()))
            && over.get() != Over::Verify
            && over.get() != Over::Board(live.len.get())
    });
    let screen = Memo::new(move |_| match (shell.route.get(), over.get()) {
        (Route::Table(_), Over::Verify) => "verify",
        (Route::Table(_), _) if shows_result.get() => "result",
        (route, _) => route.screen(),
    });
    // Another screen, another game: nothing of the old lies over it.
    let route = Memo::new(move |_| shell.route.get());
    let fresh = move || {
        let route = route.get();
        over.set(Over::Nothing);
        route
    };
    Effect::new(move |_| {
        let lang = prefs.lang.get();
        if let Some(root) = root_element() {
            let _ = root.set_attribute("lang", lang.tag());
        }
    });
    Effect::new(move |_| {
        if let Some(root) = root_element() {
            let theme = match prefs.theme.get() {
                Theme::System => "system",
                Theme::Light => "light",
                Theme::Dark => "dark",
            };
            let _ = root.set_attribute("data-theme", theme);
        }
    });
    // The third cue for whose turn it is, beside the frame and the text.
    let my_word = Memo::new(move |_| {
        matches!(shell.route.get(), Route::Table(_))
            && matches!(
                phase.get(),
                Some(Phase::Opening | Phase::ToRoll | Phase::Moving | Phase::ToConfirm)
            )
    });
    Effect::new(move |_| {
        let brand = words.get(w::BRAND);
        let title = if my_word.get() {
            format!("{} — {brand}", words.get(w::TITLE_YOUR_TURN))
        } else {
            format!("{brand} — {}", words.get(w::HOME_TITLE))
        };
        document().set_title(&title);
    });
    view! {
        <div
            class="app"
            data-testid="app"
            data-ready="true"
            data-screen=move || screen.get()
            data-lang=move || words.lang().tag()
            data-version=shell.version
        >
            {move || match fresh() {
                Route::Home => view! { <Home /> }.into_any(),
                Route::Setup(mode) => view! { <Setup mode /> }.into_any(),
                Route::Invite(_) => view! { <Invite /> }.into_any(),
                Route::Join(_) => view! { <Join /> }.into_any(),
                Route::Table(_) => {
                    view! { <TableScreen over shows_result phase /> }.into_any()
                }
                Route::Verify => view! { <VerifyScreen /> }.into_any(),
                Route::Settings => view! { <Settings /> }.into_any(),
                Route::Help => view! { <Help /> }.into_any(),
                Route::Games => view! { <Games /> }.into_any(),
            }}
        </div>
    }
}

fn root_element() -> Option<web_sys::Element> {
    document().document_element()
}
