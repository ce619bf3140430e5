//! The copy of the page that works without a network: a service worker, where the browser allows one.

use leptos::prelude::*;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{MessageEvent, ServiceWorkerContainer, ServiceWorkerRegistration};

use crate::browser;

/// How the offline copy is.
#[derive(Clone, Copy, Debug)]
pub struct Offline {
    /// It is whole.
    pub ready: ReadSignal<bool>,
    /// A newer one is whole and waits until the pages of this one are closed.
    pub update_waiting: ReadSignal<bool>,
}

/// Registers the worker. On plain http and in private windows there is none; nothing else changes.
pub fn start() -> Offline {
    let (ready, set_ready) = signal(false);
    let (update_waiting, set_update_waiting) = signal(false);
    if let Some(workers) = workers() {
        let heard = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            if event.data().as_string().as_deref() == Some("whole") {
                set_ready.set(true);
            }
        });
        workers.set_onmessage(Some(heard.into_js_value().unchecked_ref()));
        spawn_local(async move {
            let Ok(registered) = JsFuture::from(workers.register("sw.js")).await else { return };
            let registration: ServiceWorkerRegistration = registered.unchecked_into();
            watch_for_update(&registration, set_update_waiting);
            let Ok(ready) = workers.ready() else { return };
            let Ok(registration) = JsFuture::from(ready).await else { return };
            let registration: ServiceWorkerRegistration = registration.unchecked_into();
            if let Some(worker) = registration.active() {
                // A worker that was built without its list of files keeps what this page has loaded.
                drop(worker.post_message(&loaded_files().into()));
            }
        });
    }
    Offline { ready, update_waiting }
}

/// Lets the newer worker take over, and loads its page.
pub fn apply_update() {
    spawn_local(async {
        if let Some(workers) = workers()
            && let Ok(found) = JsFuture::from(workers.get_registration()).await
            && let Ok(registration) = found.dyn_into::<ServiceWorkerRegistration>()
            && let Some(worker) = registration.waiting()
        {
            let changed = Closure::once_into_js(browser::reload);
            workers.set_oncontrollerchange(Some(changed.unchecked_ref()));
            drop(worker.post_message(&"take over".into()));
        } else {
            browser::reload();
        }
    });
}

fn watch_for_update(registration: &ServiceWorkerRegistration, waiting: WriteSignal<bool>) {
    let look = {
        let registration = registration.clone();
        move || {
            // The first worker of all waits for nobody.
            if registration.waiting().is_some() && registration.active().is_some() {
                waiting.set(true);
            }
        }
    };
    look();
    let found = {
        let registration = registration.clone();
        Closure::<dyn FnMut()>::new(move || {
            if let Some(worker) = registration.installing() {
                let look = look.clone();
                let changed = Closure::<dyn FnMut()>::new(look).into_js_value();
                worker.set_onstatechange(Some(changed.unchecked_ref()));
            }
        })
    };
    registration.set_onupdatefound(Some(found.into_js_value().unchecked_ref()));
}

/// The addresses of this origin that the page has loaded.
fn loaded_files() -> js_sys::Array {
    let files = js_sys::Array::new();
    let Some(performance) = browser::window().and_then(|window| window.performance()) else {
        return files;
    };
    let origin = browser::origin();
    for entry in performance.get_entries_by_type("resource").iter() {
        let name = js_sys::Reflect::get(&entry, &"name".into()).ok().and_then(|it| it.as_string());
        if let Some(name) = name.filter(|name| name.starts_with(&format!("{origin}/"))) {
            files.push(&name.into());
        }
    }
    files
}

fn workers() -> Option<ServiceWorkerContainer> {
    let window = browser::window()?;
    // The browser has no `serviceWorker` at all where it does not allow one.
    let navigator: JsValue = window.navigator().into();
    let workers = js_sys::Reflect::get(&navigator, &"serviceWorker".into()).ok()?;
    workers.dyn_into().ok()
}
