//! The open table.

use std::sync::Arc;

use leptos::prelude::*;
use rules::{ByColor, Color, Dice, Move, Play, Ruleset};
use table::{Draft, GameResult, Refusal, Report, Roll, Table};

use crate::link::LinkView;
use crate::route::GameId;
use crate::seats::Viewer;

/// A place on the board in the absolute numbers of the page: white's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Spot {
    /// A point, 1 … 24.
    Point(u8),
    /// A side's half of the bar.
    Bar(Color),
    /// A side's tray.
    Off(Color),
}

/// What somebody at the board does. Everything that cannot be done now is answered by a
/// [`Notice::Refused`] or does nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Touch {
    /// A tap: picks up, lands, or plays the active die when the picked checker is tapped again.
    At(Spot),
    /// A right click or a long press: the other die.
    Other(Spot),
    /// A checker was dragged.
    Drag(Spot, Spot),
    /// One of the [`LiveTable::choices`] was chosen.
    Choose(Vec<Move>),
    /// A whole play, typed.
    Play(Play),
    /// The dice area: rolls, swaps the dice, or confirms.
    Dice,
    /// Takes the last trial move back.
    Undo,
    /// Takes all trial moves back.
    Reset,
    /// Puts the picked checker back.
    PutBack,
    /// Makes the other die the active one.
    Swap,
    /// The turn is over.
    Confirm,
    /// There is no legal move.
    Pass,
    /// Rolls.
    Roll,
    /// The next game, or a new round after the match.
    NextGame,
}

/// One event for the status line, free of any language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// The opening roll: one die each. `first` begins and plays both.
    Opening {
        /// White's die is the first.
        dice: Dice,
        /// Who begins.
        first: Color,
        /// Thrown again this often.
        ties: u32,
    },
    /// A side rolled.
    Rolled {
        /// Who.
        color: Color,
        /// What.
        dice: Dice,
    },
    /// A side played.
    Played {
        /// Who.
        color: Color,
        /// In standard notation.
        text: String,
    },
    /// A side has no legal move.
    NoMove {
        /// Who.
        color: Color,
        /// With these dice.
        dice: Dice,
    },
    /// The game is over.
    Over(GameResult),
    /// A new game: white rolls for the opening.
    NewGame,
    /// The friend would like to play on.
    WishesNext,
    /// A try that is refused, and why.
    Refused(Refusal),
}

/// A line of the record of moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The number of its entry.
    pub seq: u32,
    /// Who.
    pub color: Color,
    /// With which roll.
    pub dice: Dice,
    /// In standard notation; empty for no move.
    pub text: String,
}

/// The invitation that the host sends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invited {
    /// The whole link.
    pub link: String,
    /// What it invites to.
    pub ruleset: Ruleset,
}

/// What the guest reads before he accepts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offered {
    /// What he is invited to.
    pub ruleset: Ruleset,
    /// By whom; empty without a name.
    pub host: String,
}

/// The open table: signals to read, touches to send. One for the whole page, in the context.
#[derive(Clone, Copy, Debug)]
pub struct LiveTable {
    /// Which game is open.
    pub game: ReadSignal<Option<GameId>>,
    /// The fold of the log; `None` while no game is open (or the guest has not come).
    pub table: ReadSignal<Option<Arc<Table>>>,
    /// The trial moves of the side that plays here; `Some` exactly while it is to play.
    pub draft: ReadSignal<Option<Draft>>,
    /// Two ways of one combined move that end differently: the player chooses one.
    pub choices: ReadSignal<Vec<Vec<Move>>>,
    /// Who sits here.
    pub viewer: ReadSignal<Viewer>,
    /// The names, empty where none was given.
    pub names: ReadSignal<ByColor<String>>,
    /// The length of the log: `data-seq`.
    pub len: ReadSignal<u32>,
    /// The moves of the game that is played.
    pub moves: ReadSignal<Arc<Vec<Line>>>,
    /// All rolls of the table with their proofs.
    pub rolls: ReadSignal<Arc<Vec<Roll>>>,
    /// The latest event with its number, for the status line.
    pub notice: ReadSignal<Option<(u32, Notice)>>,
    /// How the connection is.
    pub link: ReadSignal<LinkView>,
    /// Whether this page may write entries now; before the first sync with the friend it may not.
    pub may_sign: ReadSignal<bool>,
    /// The friend would like the next game.
    pub friend_wishes: ReadSignal<bool>,
    /// This side wishes the next game and waits for the friend.
    pub waits_for_next: ReadSignal<bool>,
    /// The link to send, once it is safe to show.
    pub invited: ReadSignal<Option<Invited>>,
    /// What the guest is invited to, once the host's page has said it.
    pub offered: ReadSignal<Option<Offered>>,
    /// Whether the game is really kept on this device; if not it cannot be resumed.
    pub lasting: ReadSignal<bool>,
    /// Why what is stored of this game, or what the friend sent, cannot be right; the table is frozen.
    pub fault: ReadSignal<Option<String>>,
}

impl LiveTable {
    /// Somebody touched the board.
    pub fn touch(self, touch: Touch) {
        drop(touch);
    }

    /// Begins a game of two people on this device and opens it.
    pub fn start_local(self, ruleset: Ruleset) {
        let _ = ruleset;
    }

    /// Makes an invitation and waits for a guest.
    pub fn invite(self, ruleset: Ruleset) {
        let _ = ruleset;
    }

    /// The guest accepts what he was offered.
    pub fn accept(self) {}

    /// Tries to connect at once.
    pub fn retry(self) {}

    /// This page takes the seat back from a newer one.
    pub fn play_here(self) {}

    /// Withdraws an invitation that nobody has accepted.
    pub fn cancel_invitation(self) {}

    /// The transcript that `zari verify` reads: public, without any secret.
    pub fn export(self) -> Option<String> {
        None
    }

    /// Checks the open game again from its first entry, as anybody could with the transcript.
    pub fn report(self) -> Option<Report> {
        None
    }
}
