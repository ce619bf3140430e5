//! Zari's page: backgammon in the browser for two people or one.
//!
//! One log, one table folded from it, and signals of that table: components read them and send
//! [`live_table::Touch`]es. Nothing but [`live_table`] touches the storage or the link.
#![forbid(unsafe_code)]
// Nothing is reachable from outside a program: `pub` means "for the other modules of the page".
#![allow(unreachable_pub)]

mod board;
mod browser;
mod config;
mod game;
mod link;
mod live_table;
mod offline;
mod prefs;
mod route;
mod screens;
mod seats;
mod shell;
mod store;
mod words;

fn main() {
    shell::start();
}
