//! The end of a game.

use leptos::html;
use leptos::prelude::*;
use rules::Color;

use super::app::Over;
use super::icons;
use super::status::{ending, winner_word};
use crate::live_table::{LiveTable, Touch};
use crate::words::{Words, w};

const fn color_name(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

/// The next game of the match, or a new round after it.
#[component]
pub fn NextButton() -> impl IntoView {
    let live = expect_context::<LiveTable>();
    let words = Words::here();
    let is_match_over = Memo::new(move |_| {
        live.table.with(|it| it.as_ref().is_some_and(|it| it.match_winner().is_some()))
    });
    let waits = Memo::new(move |_| live.waits_for_next.get());
    move || {
        let (id, word) = if is_match_over.get() {
            ("btn-rematch", w::BTN_REMATCH)
        } else {
            ("btn-next", w::BTN_NEXT)
        };
        view! {
            <button
                type="button"
                class="button primary"
                data-testid=id
                disabled=move || waits.get() || !live.may_sign.get()
                on:click=move |_| live.touch(Touch::NextGame)
            >
                {move || words.get(if waits.get() { w::WAITS_FOR_NEXT } else { word })}
            </button>
        }
    }
}

/// Who has won what.
#[component]
pub fn ResultDialog(
    /// What lies over the board.
    over: RwSignal<Over>,
) -> impl IntoView {
    let live = expect_context::<LiveTable>();
    let words = Words::here();
    let dialog = NodeRef::<html::Div>::new();
    Effect::new(move |_| {
        if let Some(dialog) = dialog.get() {
            let _ = dialog.focus();
        }
    });
    let result = Memo::new(move |_| live.table.with(|it| it.as_ref()?.result().copied()));
    let title = move || result.get().map(|it| words.get(winner_word(it.winner, live.viewer.get())));
    view! {
        <div class="veil beside">
            <div
                class="dialog result"
                data-testid="result"
                role="dialog"
                aria-labelledby="result-title"
                tabindex="-1"
                node_ref=dialog
                data-winner=move || result.get().map(|it| color_name(it.winner))
                data-points=move || result.get().map(|it| it.points)
                data-kind=move || result.get().map(|it| ending(&it).1)
            >
                <div
                    class="result-figure stone"
                    class:white=move || result.get().is_some_and(|it| it.winner == Color::White)
                    class:black=move || result.get().is_some_and(|it| it.winner == Color::Black)
                    aria-hidden="true"
                ></div>
                <h2 id="result-title">{title}</h2>
                <p class="points">
                    {move || {
                        result
                            .get()
                            .map(|it| {
                                let kind = words.get(ending(&it).0);
                                words
                                    .fill(
                                        w::RESULT_POINTS,
                                        &[("kind", &kind), ("points", &it.points)],
                                    )
                            })
                    }}
                </p>
                {move || {
                    live.table
                        .with(|table| {
                            let table = table.as_ref()?;
                            table.match_winner()?;
                            let length = u32::from(table.ruleset().match_length()?);
                            let points = table.score().points;
                            (length > 1)
                                .then(|| {
                                    let text = words
                                        .fill(
                                            w::RESULT_MATCH,
                                            &[
                                                ("white", &points.white.min(length)),
                                                ("black", &points.black.min(length)),
                                            ],
                                        );
                                    view! { <p class="soft">{text}</p> }
                                })
                        })
                }}
                {move || {
                    live.friend_wishes
                        .get()
                        .then(|| view! { <p class="good">{words.say(w::FRIEND_WISHES)}</p> })
                }}
                <NextButton />
                <button
                    type="button"
                    class="button"
                    data-testid="result-verify"
                    on:click=move |_| over.set(Over::Verify)
                >
                    {icons::tick()}
                    {words.say(w::VERIFY_DICE)}
                </button>
                <button
                    type="button"
                    class="button quiet"
                    data-testid="result-close"
                    on:click=move |_| over.set(Over::Board(live.len.get_untracked()))
                >
                    {words.say(w::RESULT_SHOW_BOARD)}
                </button>
            </div>
        </div>
    }
}
