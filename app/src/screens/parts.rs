//! Parts that several screens share.

use leptos::prelude::*;
use wasm_bindgen::JsCast;

use super::icons;
use crate::prefs::{Lang, Prefs};
use crate::route::Route;
use crate::shell::Shell;
use crate::words::{Word, Words, w};

/// The three languages, each in its own letters.
#[component]
pub fn Languages() -> impl IntoView {
    let prefs = expect_context::<Prefs>();
    let words = Words::here();
    let button = |lang: Lang| {
        let (id, short, name) = match lang {
            Lang::Ru => ("lang-ru", w::LANG_RU, w::LANG_NAME_RU),
            Lang::Ka => ("lang-ka", w::LANG_KA, w::LANG_NAME_KA),
            Lang::En => ("lang-en", w::LANG_EN, w::LANG_NAME_EN),
        };
        view! {
            <button
                type="button"
                data-testid=id
                lang=lang.tag()
                aria-label=name.in_language(lang)
                aria-pressed=move || (prefs.lang.get() == lang).to_string()
                on:click=move |_| prefs.lang.set(lang)
            >
                {short.in_language(lang)}
            </button>
        }
    };
    view! {
        <div
            class="languages"
            data-testid="lang-switch"
            role="group"
            aria-label=words.say(w::LANGUAGE)
        >
            {Lang::ALL.into_iter().map(button).collect_view()}
        </div>
    }
}

/// The mark and the name: leads home.
#[component]
pub fn Brand() -> impl IntoView {
    let shell = expect_context::<Shell>();
    let words = Words::here();
    view! {
        <a
            class="brand-link"
            data-testid="btn-home"
            href=Route::Home.to_string()
            aria-label=move || format!("{}. {}", words.get(w::BRAND), words.get(w::HOME))
            on:click=move |event| {
                event.prevent_default();
                shell.go(Route::Home);
            }
        >
            {icons::logo()}
            <span>{words.say(w::BRAND)}</span>
        </a>
    }
}

/// The head of a screen that is not the table.
#[component]
pub fn PageHead() -> impl IntoView {
    view! {
        <header class="page-head">
            <Brand />
            <Languages />
        </header>
    }
}

/// A link to another screen that looks like a button.
#[component]
pub fn GoButton(
    /// Where to.
    to: Route,
    /// Its `data-testid`.
    id: &'static str,
    /// What it says.
    word: Word,
    /// Its looks, beside those of every button.
    #[prop(default = "quiet")]
    look: &'static str,
) -> impl IntoView {
    let shell = expect_context::<Shell>();
    let words = Words::here();
    view! {
        <button
            type="button"
            class=format!("button {look}")
            data-testid=id
            on:click=move |_| shell.go(to)
        >
            {words.say(word)}
        </button>
    }
}

/// Back to where the user came from.
#[component]
pub fn BackButton() -> impl IntoView {
    let words = Words::here();
    let shell = expect_context::<Shell>();
    let back = move |_| {
        let history = window().history();
        match history {
            Ok(history) if history.length().is_ok_and(|length| length > 1) => {
                let _ = history.back();
            }
            _ => shell.go(Route::Home),
        }
    };
    view! {
        <button
            type="button"
            class="icon-button"
            data-testid="btn-back"
            aria-label=words.say(w::BACK)
            on:click=back
        >
            {icons::back()}
        </button>
    }
}

/// The value of a text field or a list after an event.
pub fn value_of(event: &web_sys::Event) -> String {
    event_target_value(event)
}

/// Hands a text to the user as a file.
pub fn save_file(name: &str, text: &str) -> Option<()> {
    let parts = js_sys::Array::of1(&text.into());
    let options = web_sys::BlobPropertyBag::new();
    options.set_type("application/json");
    let blob = web_sys::Blob::new_with_str_sequence_and_options(&parts, &options).ok()?;
    let url = web_sys::Url::create_object_url_with_blob(&blob).ok()?;
    let link: web_sys::HtmlAnchorElement = document().create_element("a").ok()?.dyn_into().ok()?;
    link.set_href(&url);
    link.set_download(name);
    link.click();
    let _ = web_sys::Url::revoke_object_url(&url);
    Some(())
}

/// The text of the first file that was chosen in an input; the input is emptied, so that the same
/// file can be chosen again.
pub async fn chosen_text(input: web_sys::HtmlInputElement) -> Option<(String, String)> {
    let file = input.files()?.get(0)?;
    let name = file.name();
    let text = wasm_bindgen_futures::JsFuture::from(file.text()).await.ok()?.as_string()?;
    input.set_value("");
    Some((name, text))
}

/// A moment of the past in the user's words.
pub fn date_text(lang: Lang, at_ms: u64) -> String {
    let date = js_sys::Date::new(&wasm_bindgen::JsValue::from_f64(at_ms as f64));
    let options = js_sys::Object::new();
    for (key, value) in [("dateStyle", "medium"), ("timeStyle", "short")] {
        let _ = js_sys::Reflect::set(&options, &key.into(), &value.into());
    }
    date.to_locale_string(lang.tag(), &options).into()
}
