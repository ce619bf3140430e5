//! What the page asks of the browser: time, randomness, addresses.

use peer::Visibility;
use wasm_bindgen::JsCast as _;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Document, Location, Response, VisibilityState, Window};

use crate::config::{Config, Query};
use crate::route::Invitation;

/// Milliseconds that never run backwards, from the beginning of this page life.
pub fn monotonic_ms() -> u64 {
    let now = window().and_then(|window| window.performance());
    now.map_or(0, |performance| performance.now().max(0.0) as u64)
}

/// Milliseconds since 1970 by the device's clock.
pub fn wall_clock_ms() -> u64 {
    js_sys::Date::now().max(0.0) as u64
}

/// 32 bytes of `crypto.getRandomValues`; `None` where that fails.
pub fn random() -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).ok()?;
    Some(bytes)
}

/// Whether the page can be seen.
pub fn visibility() -> Visibility {
    match document().map(|document| document.visibility_state()) {
        Some(VisibilityState::Hidden) => Visibility::Hidden,
        _ => Visibility::Shown,
    }
}

/// `https://…`, without a path.
pub fn origin() -> String {
    location().and_then(|location| location.origin().ok()).unwrap_or_default()
}

/// The fragment of the address, with its `#`.
pub fn fragment() -> String {
    location().and_then(|location| location.hash().ok()).unwrap_or_default()
}

/// Writes another fragment into the address bar in the place of this one; no event follows.
pub fn replace_fragment(fragment: &str) {
    if let Some(history) = window().and_then(|window| window.history().ok()) {
        let none = wasm_bindgen::JsValue::NULL;
        drop(history.replace_state_with_url(&none, "", Some(fragment)));
    }
}

/// Goes to another fragment; a `hashchange` follows.
pub fn go_to_fragment(fragment: &str) {
    if let Some(location) = location() {
        drop(location.set_hash(fragment));
    }
}

/// What the address asks for in its query.
pub fn query() -> Query {
    Query::from_pairs(query_pairs())
}

fn query_pairs() -> Vec<(String, String)> {
    let search = location().and_then(|location| location.search().ok()).unwrap_or_default();
    let Ok(parameters) = web_sys::UrlSearchParams::new_with_str(&search) else {
        return Vec::new();
    };
    let mut pairs = Vec::new();
    for name in ["lang", "signal", "ice", "motion"] {
        if let Some(value) = parameters.get(name) {
            pairs.push((name.to_owned(), value));
        }
    }
    pairs
}

/// The link of an invitation: this page's address with what of its query concerns both sides.
pub fn link_of(invitation: &Invitation) -> String {
    let path = location().and_then(|location| location.pathname().ok()).unwrap_or_default();
    let path = path.strip_suffix("index.html").unwrap_or(&path);
    let mut link = format!("{}{path}", origin());
    let mut separator = '?';
    for (name, value) in query_pairs() {
        if name != "motion" {
            link.push(separator);
            separator = '&';
            link.push_str(&format!("{name}={}", js_sys::encode_uri_component(&value)));
        }
    }
    link.push_str("#j=");
    link.push_str(&invitation.encode());
    link
}

/// The languages the browser asks for, best first.
pub fn languages() -> Vec<String> {
    let Some(navigator) = window().map(|window| window.navigator()) else { return Vec::new() };
    let listed: Vec<String> =
        navigator.languages().iter().filter_map(|tag| tag.as_string()).collect();
    if listed.is_empty() { navigator.language().into_iter().collect() } else { listed }
}

/// Loads the page anew.
pub fn reload() {
    if let Some(location) = location() {
        drop(location.reload());
    }
}

/// Reads `config.json`. A site without one has its signaling server beside it.
pub async fn config() -> Config {
    let text = async {
        let response = JsFuture::from(window()?.fetch_with_str("config.json")).await.ok()?;
        let response: Response = response.dyn_into().ok()?;
        if !response.ok() {
            return None;
        }
        JsFuture::from(response.text().ok()?).await.ok()?.as_string()
    };
    text.await.map_or_else(Config::default, |text| Config::parse(&text))
}

/// Shows what the document keeps ready for a page that has come to a halt. Nothing of the page's own
/// code is needed for it.
pub fn show_halted() {
    if let Some(halted) = document().and_then(|document| document.get_element_by_id("halted")) {
        drop(halted.remove_attribute("hidden"));
    }
}

/// The window; `None` only outside a browser.
pub fn window() -> Option<Window> {
    web_sys::window()
}

/// The document; `None` only outside a browser.
pub fn document() -> Option<Document> {
    window()?.document()
}

fn location() -> Option<Location> {
    Some(window()?.location())
}
