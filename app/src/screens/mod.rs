//! The screens of the page, one file each.

mod app;
mod facts;
mod games;
mod help;
mod home;
mod icons;
mod invite;
mod join;
mod parts;
mod result;
mod settings;
mod setup;
mod status;
mod table;
mod verify;

pub use app::App;
