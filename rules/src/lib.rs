//! The rules of backgammon (short nardy): positions, legal plays, the cube, the score.
//!
//! Pure: no clock, no entropy, no I/O. Everything about a position is from the view of the side on
//! roll: its checkers move from 24 to 1, enter from the bar (25) and are borne off to 0.
//!
//! A [`Setup`] may be wrong, a [`Position`] is right by construction. [`legal`] finds all that a
//! roll allows, each result with a play that leads to it; [`legal_results`] finds the results alone,
//! for an engine; [`next_moves`] guides somebody who moves one checker after another; and
//! [`check_play`] judges a whole play made elsewhere.
//!
//! The rules are the usual ones of the game, as in the World Backgammon Federation's tournament
//! rules: a double is four moves; as many dice are played as can be, and the larger if either but
//! not both; the bar comes first; checkers are borne off with all fifteen home. Where a rule is
//! decided, its documentation says so.
//!
//! ```
//! use rules::{Dice, Position, check_play, legal, parse_play, write_play};
//!
//! let position = Position::START;
//! let dice = Dice::new(3, 1).expect("each die shows 1 to 6");
//! assert_eq!(legal(&position, dice).len(), 16);
//!
//! let play = parse_play(&position, dice, "6/5 8/5")?;
//! assert_eq!(write_play(&position, &play), "8/5 6/5");
//! let after = check_play(&position, dice, &play)?;
//! assert_eq!(after.pips(), 163);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
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
