//! The guest reads what he was invited to, before he accepts.

use leptos::prelude::*;

use super::facts::RulesFacts;
use super::parts::PageHead;
use super::status::{ConnectionLine, Trouble};
use crate::live_table::LiveTable;
use crate::words::{Words, w};

/// The invitation as the guest sees it.
#[component]
pub fn Join() -> impl IntoView {
    let live = expect_context::<LiveTable>();
    let words = Words::here();
    let accepted = RwSignal::new(false);
    view! {
        <main class="page">
            <PageHead />
            <h1>{words.say(w::JOIN_TITLE)}</h1>
            {move || match live.offered.get() {
                None => view! { <p class="soft">{words.say(w::JOIN_LOOKING)}</p> }.into_any(),
                Some(offered) => {
                    let host = offered.host;
                    let ruleset = offered.ruleset;
                    view! {
                        {(!host.is_empty())
                            .then(|| {
                                view! {
                                    <p>{move || words.fill(w::JOIN_FROM, &[("name", &host)])}</p>
                                }
                            })}
                        <RulesFacts ruleset />
                        <p class="soft">{words.say(w::JOIN_HINT)}</p>
                        <button
                            type="button"
                            class="button primary"
                            data-testid="join-accept"
                            disabled=move || accepted.get()
                            on:click=move |_| {
                                accepted.set(true);
                                live.accept();
                            }
                        >
                            {words.say(w::JOIN_ACCEPT)}
                        </button>
                    }
                        .into_any()
                }
            }}
            <ConnectionLine />
            <Trouble />
            <p class="soft">{words.say(w::INVITE_SEAT_KEPT)}</p>
        </main>
    }
}
