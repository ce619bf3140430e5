//! The host waits for his guest.

use leptos::html;
use leptos::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};

use super::facts::RulesFacts;
use super::parts::PageHead;
use super::status::{ConnectionLine, Trouble};
use crate::live_table::LiveTable;
use crate::words::{Word, Words, w};

/// The link to send.
#[component]
pub fn Invite() -> impl IntoView {
    let live = expect_context::<LiveTable>();
    let words = Words::here();
    let field = NodeRef::<html::Input>::new();
    let copied = RwSignal::new(None::<Word>);
    let link = Memo::new(move |_| live.invited.with(|it| it.as_ref().map(|it| it.link.clone())));
    let ruleset = Memo::new(move |_| live.invited.with(|it| it.as_ref().map(|it| it.ruleset)));
    let copy = move |_| {
        let Some(text) = link.get() else { return };
        if let Some(field) = field.get() {
            field.select();
        }
        // Without a secure context there is no clipboard: the link stays selected for the user.
        if window().is_secure_context() {
            let promise = window().navigator().clipboard().write_text(&text);
            spawn_local(async move {
                let done = JsFuture::from(promise).await.is_ok();
                copied.set(Some(if done { w::INVITE_COPIED } else { w::INVITE_SELECT }));
            });
        } else {
            copied.set(Some(w::INVITE_SELECT));
        }
    };
    let can_share = js_sys::Reflect::has(&window().navigator(), &"share".into()).unwrap_or(false);
    let share = move |_| {
        let Some(url) = link.get() else { return };
        let data = web_sys::ShareData::new();
        data.set_text(words.get(w::SHARE_TEXT));
        data.set_url(&url);
        let promise = window().navigator().share_with_data(&data);
        spawn_local(async move {
            // Closing the sheet without a choice is no fault.
            let _ = JsFuture::from(promise).await;
        });
    };
    view! {
        <main class="page">
            <PageHead />
            <h1>{words.say(w::INVITE_TITLE)}</h1>
            {move || match link.get() {
                None => view! { <p class="soft">{words.say(w::INVITE_PREPARING)}</p> }.into_any(),
                Some(url) => {
                    view! {
                        <p>{words.say(w::INVITE_HINT)}</p>
                        <section class="card stack">
                            <label class="field">
                                <span>{words.say(w::INVITE_LINK)}</span>
                                <input
                                    class="input link-field"
                                    data-testid="invite-link"
                                    type="text"
                                    readonly
                                    node_ref=field
                                    prop:value=url
                                    on:focus=move |_| {
                                        if let Some(field) = field.get_untracked() {
                                            field.select();
                                        }
                                    }
                                />
                            </label>
                            <div class="row">
                                <button
                                    type="button"
                                    class="button primary"
                                    data-testid="invite-copy"
                                    on:click=copy
                                >
                                    {move || words.get(copied.get().unwrap_or(w::INVITE_COPY))}
                                </button>
                                {can_share
                                    .then(|| {
                                        view! {
                                            <button
                                                type="button"
                                                class="button"
                                                data-testid="invite-share"
                                                on:click=share
                                            >
                                                {words.say(w::INVITE_SHARE)}
                                            </button>
                                        }
                                    })}
                            </div>
                            <ConnectionLine />
                            <p class="soft">{words.say(w::INVITE_KEEP_OPEN)}</p>
                        </section>
                    }
                        .into_any()
                }
            }}
            <Trouble />
            {move || ruleset.get().map(|ruleset| view! { <RulesFacts ruleset /> })}
            <p class="soft">{words.say(w::INVITE_SEAT_KEPT)}</p>
            <button
                type="button"
                class="button danger"
                data-testid="invite-cancel"
                on:click=move |_| live.cancel_invitation()
            >
                {words.say(w::INVITE_CANCEL)}
            </button>
        </main>
    }
}
