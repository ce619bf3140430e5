//! The page around the table: the address bar, the saved games, the offline copy.

use std::rc::Rc;

use futures::future::{Either, select};
use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use peer::Departure;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;

use crate::browser;
use crate::config::{Config, Query};
use crate::live_table::LiveTable;
use crate::offline;
use crate::prefs::Prefs;
use crate::route::{BadInvitation, Fragment, GameId, Invitation, Route};
use crate::store::{Saved, Store};

/// A site that answers so late about its servers is taken to have none to tell.
const CONFIG_WITHIN_MS: u32 = 4_000;

/// The page around the table. One for the whole page, in the context.
#[derive(Clone, Copy, Debug)]
pub struct Shell {
    /// The screen.
    pub route: ReadSignal<Route>,
    /// An invitation was opened that is none.
    pub bad_link: ReadSignal<Option<BadInvitation>>,
    /// Counts the changes of the saved games.
    pub games_changed: ReadSignal<u32>,
    /// The page can be opened without a network from now on.
    pub offline_ready: ReadSignal<bool>,
    /// A newer version of the page waits to be used.
    pub update_waiting: ReadSignal<bool>,
    /// The version of the page.
    pub version: &'static str,
    set_route: WriteSignal<Route>,
    set_bad_link: WriteSignal<Option<BadInvitation>>,
    set_games_changed: WriteSignal<u32>,
    live: LiveTable,
    store: StoredValue<Store, LocalStorage>,
}

impl Shell {
    /// Goes to a screen.
    pub fn go(self, route: Route) {
        // The rest happens when the browser tells of it, as with a link or the back button.
        browser::go_to_fragment(&route.to_string());
    }

    /// The saved games, the latest first.
    pub fn games(self) -> Vec<Saved> {
        self.store.with_value(Store::games)
    }

    /// Forgets a saved game for good.
    pub fn delete(self, game: GameId) {
        if self.live.current() == Some(game) {
            self.live.close();
        }
        self.store.with_value(|store| store.delete(game));
        self.set_games_changed.update(|count| *count += 1);
    }

    /// Reloads into the newer version.
    pub fn apply_update(self) {
        self.live.leaving(Departure::Reload);
        offline::apply_update();
    }

    /// Does what the fragment of the address asks for.
    fn follow(self) {
        match Fragment::parse(&browser::fragment()) {
            Fragment::Screen(route) => self.visit(route),
            Fragment::Invitation(invitation) => {
                self.set_bad_link.set(None);
                self.invited(&invitation);
            }
            Fragment::BadInvitation(why) => {
                browser::replace_fragment(&Route::Home.to_string());
                self.set_bad_link.set(Some(why));
                self.set_route.set(Route::Home);
            }
        }
    }

    fn invited(self, invitation: &Invitation) {
        let id = GameId::of_key(&invitation.key);
        let known = self.store.with_value(|store| store.opened(id)).is_some();
        // Out of the address bar before anything else: the key is a secret.
        let route = if known { Route::Table(id) } else { Route::Join(id) };
        browser::replace_fragment(&route.to_string());
        if !known {
            Store::keep_pending_invitation(id, invitation);
        }
        self.visit(route);
    }

    fn visit(self, route: Route) {
        if route != Route::Home {
            self.set_bad_link.set(None);
        }
        self.set_games_changed.update(|count| *count += 1);
        match route {
            Route::Table(id) | Route::Invite(id) => {
                self.set_route.set(route);
                if self.live.current() == Some(id) {
                    // It may have become a game since it was an invitation.
                    let route = match self.live.table.with_untracked(Option::is_some) {
                        true => Route::Table(id),
                        false => route,
                    };
                    self.replace(route);
                } else {
                    self.live.open(id);
                }
            }
            Route::Join(id) => {
                let known = self.store.with_value(|store| store.opened(id)).is_some();
                if known {
                    self.replace(Route::Table(id));
                    self.live.open(id);
                } else if self.live.current() == Some(id) {
                    self.set_route.set(route);
                } else if let Some(invitation) = Store::pending_invitation(id) {
                    self.set_route.set(route);
                    self.live.join(invitation);
                } else {
                    // The link itself has to be opened again.
                    self.replace(Route::Home);
                    self.set_bad_link.set(Some(BadInvitation::Damaged));
                }
            }
            _ => self.set_route.set(route),
        }
    }

    fn replace(self, route: Route) {
        browser::replace_fragment(&route.to_string());
        self.set_route.set(route);
    }
}

/// Starts the page.
pub fn start() {
    std::panic::set_hook(Box::new(|panic| {
        web_sys::console::error_1(&panic.to_string().into());
        browser::show_halted();
    }));
    leptos::mount::mount_to_body(|| {
        let query = browser::query();
        let store = Store::browser();
        let prefs = Prefs::load(&store, &query, &browser::languages());
        let shell = open_page(store, prefs);
        provide_context(prefs);
        provide_context(shell.live);
        provide_context(shell);
        listen(shell);
        shell.follow();
        spawn_local(configure(shell.live, query));
        crate::screens::App()
    });
}

fn open_page(store: Store, prefs: Prefs) -> Shell {
    let (route, set_route) = signal(Route::Home);
    let (bad_link, set_bad_link) = signal(None);
    let (games_changed, set_games_changed) = signal(0);
    let offline = offline::start();
    let go = Rc::new(move |route: Route| {
        browser::replace_fragment(&route.to_string());
        set_route.set(route);
    });
    Shell {
        route,
        bad_link,
        games_changed,
        offline_ready: offline.ready,
        update_waiting: offline.update_waiting,
        version: env!("CARGO_PKG_VERSION"),
        set_route,
        set_bad_link,
        set_games_changed,
        live: LiveTable::new(store.clone(), prefs, go),
        store: StoredValue::new_local(store),
    }
}

async fn configure(live: LiveTable, query: Query) {
    let read = Box::pin(browser::config());
    let late = Box::pin(TimeoutFuture::new(CONFIG_WITHIN_MS));
    let config = match select(read, late).await {
        Either::Left((config, _)) => config,
        Either::Right(_) => Config::default(),
    };
    live.configure(config.with(&query));
}

/// Listens to the browser for the whole life of the page.
fn listen(shell: Shell) {
    let live = shell.live;
    on_window("hashchange", move |_| shell.follow());
    on_window("online", move |_| live.shown_or_hidden());
    on_window("storage", move |_| {
        live.storage_changed();
        shell.set_games_changed.update(|count| *count += 1);
    });
    // The last moment at which something can be said; `beforeunload` may be taken back.
    on_window("pagehide", move |_| live.leaving(Departure::Leave));
    on_window("pageshow", move |event| {
        // A page out of the cache has said goodbye already, and its connections are dead.
        let kept = event.dyn_into::<web_sys::PageTransitionEvent>();
        if kept.is_ok_and(|event| event.persisted()) {
            browser::reload();
        }
    });
    if let Some(document) = browser::document() {
        on(&document, "visibilitychange", move |_| live.shown_or_hidden());
    }
}

fn on_window(name: &str, heard: impl FnMut(web_sys::Event) + 'static) {
    if let Some(window) = browser::window() {
        on(&window, name, heard);
    }
}

fn on(target: &web_sys::EventTarget, name: &str, heard: impl FnMut(web_sys::Event) + 'static) {
    let heard = Closure::<dyn FnMut(web_sys::Event)>::new(heard).into_js_value();
    drop(target.add_event_listener_with_callback(name, heard.unchecked_ref()));
}
