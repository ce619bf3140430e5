//! The board: what lies on it ([`model`]), which checker goes where ([`scene`]), where everything
//! is on this screen ([`geometry`]), and the elements that show it and answer to touch.

mod art;
mod geometry;
mod model;
mod pointer;
mod scene;
mod speech;
mod view;

pub use model::Model;
pub use speech::side_word;
pub use view::Board;
