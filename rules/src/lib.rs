//! The rules of backgammon (short nardy): positions, legal plays, the cube, the score.
//!
//! Pure: no clock, no entropy, no I/O. Everything about a position is from the view of the side on
//! roll: its checkers move from 24 to 1, enter from the bar (25) and are borne off to 0.
#![forbid(unsafe_code)]

mod board;
mod color;
mod cube;
mod dice;
mod gnu_id;
mod legal;
mod notation;
mod play;
mod point;
mod position;
mod resign;
mod results;
mod ruleset;
mod score;
mod setup;
mod turn;
mod win;

pub use color::{ByColor, Color};
pub use cube::Cube;
pub use dice::{Dice, Die};
pub use gnu_id::GnuIdError;
pub use legal::{LegalPlays, legal};
pub use notation::{NotationError, parse_play, write_play};
pub use play::{Move, Play};
pub use point::Point;
pub use position::{MoveError, Position};
pub use resign::least_resignation;
pub use results::legal_results;
pub use ruleset::{Clock, Length, Place, RULESET_BYTES, Ruleset, RulesetError};
pub use score::Score;
pub use setup::{Setup, SetupError};
pub use turn::{IllegalPlay, check_play, next_moves};
pub use win::Win;
