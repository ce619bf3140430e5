//! The page around the table: the address bar, the saved games, the offline copy.

use leptos::prelude::*;

use crate::route::{BadInvitation, GameId, Route};
use crate::store::Saved;

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
}

impl Shell {
    /// Goes to a screen.
    pub fn go(self, route: Route) {
        let _ = route;
    }

    /// The saved games, the latest first.
    pub fn games(self) -> Vec<Saved> {
        Vec::new()
    }

    /// Forgets a saved game for good.
    pub fn delete(self, game: GameId) {
        let _ = game;
    }

    /// Reloads into the newer version.
    pub fn apply_update(self) {}
}

/// Starts the page.
pub fn start() {}
