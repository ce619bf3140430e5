//! Who sits where, and what the seats of this page owe.

use rules::{Color, Place};
use table::{Awaiting, Command, Draft, Kind, Seat, State, Table};

/// Who holds a seat.
#[derive(Debug)]
pub enum Holder {
    /// Somebody at this device.
    Here(Box<Seat>),
    /// The friend's page.
    Peer,
}

impl Holder {
    /// The seat's keys, if it is held here.
    pub const fn here(&self) -> Option<&Seat> {
        match self {
            Holder::Here(seat) => Some(seat),
            Holder::Peer => None,
        }
    }
}

/// Whose eyes the board is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Viewer {
    /// White sits here.
    White,
    /// Black sits here.
    Black,
    /// Both sit here.
    Both,
}

impl Viewer {
    /// Whether this side is played here.
    pub const fn plays(self, color: Color) -> bool {
        match self {
            Viewer::White => matches!(color, Color::White),
            Viewer::Black => matches!(color, Color::Black),
            Viewer::Both => true,
        }
    }

    /// The value of `data-you`.
    pub const fn name(self) -> &'static str {
        match self {
            Viewer::White => "white",
            Viewer::Black => "black",
            Viewer::Both => "both",
        }
    }
}

/// Whose half of the board is near, and who may act: what the screen is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// White is to roll for the opening, here.
    Opening,
    /// A roll is due here.
    ToRoll,
    /// A roll is on its way: a reveal is owed.
    Rolling,
    /// Checkers are to be moved here.
    Moving,
    /// The turn is complete and waits to be confirmed (or passed) here.
    ToConfirm,
    /// The cube is offered to this side.
    CubeOffered,
    /// A resignation is offered to this side.
    ResignOffered,
    /// The word is another seat's.
    Waiting,
    /// The game is over, the match is not.
    GameOver,
    /// The match is over, or the table is closed.
    MatchOver,
}

impl Phase {
    /// The phase of a table for a viewer; `draft` are the trial moves on this screen.
    pub fn of(table: &Table, draft: Option<&Draft>, viewer: Viewer) -> Phase {
        let mine = |color: Color| viewer.plays(color);
        match table.state() {
            State::Opening if mine(Color::White) => Phase::Opening,
            State::Free(color) | State::Bound(color) | State::Beavered(color) if mine(color) => {
                Phase::ToRoll
            }
            State::OpenReveal | State::Owe(_) => Phase::Rolling,
            State::ToPlay(color) if mine(color) => match draft {
                Some(draft) if draft.is_complete() => Phase::ToConfirm,
                _ => Phase::Moving,
            },
            State::TakeOrDrop(color) if mine(color) => Phase::CubeOffered,
            State::Answer(color) if mine(color) => Phase::ResignOffered,
            State::Over if table.match_winner().is_none() => Phase::GameOver,
            State::Over | State::Closed => Phase::MatchOver,
            _ => Phase::Waiting,
        }
    }

    /// The value of `data-phase`.
    pub const fn name(self) -> &'static str {
        match self {
            Phase::Opening => "opening",
            Phase::ToRoll => "to-roll",
            Phase::Rolling => "rolling",
            Phase::Moving => "moving",
            Phase::ToConfirm => "to-confirm",
            Phase::CubeOffered => "cube-offered",
            Phase::ResignOffered => "resign-offered",
            Phase::Waiting => "waiting",
            Phase::GameOver => "game-over",
            Phase::MatchOver => "match-over",
        }
    }
}

/// What a seat of this page does by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owed {
    /// At once: the reveal for the other's roll, which nobody decides about.
    Reveal,
    /// A turn without a legal move passes, after it could be seen.
    Pass,
    /// A roll before which there is nothing to decide.
    Roll,
}

impl Owed {
    /// What `color`, held here, owes at this table.
    pub fn by(table: &Table, color: Color) -> Option<Owed> {
        let awaiting = table.awaiting();
        if awaiting.allows(color, Kind::Reveal) {
            return Some(Owed::Reveal);
        }
        match (table.state(), table.dice()) {
            (State::ToPlay(seat), Some(dice)) if seat == color => {
                Draft::new(*table.position(), dice).is_pass().then_some(Owed::Pass)
            }
            (State::Bound(seat), _) if seat == color => Some(Owed::Roll),
            _ => None,
        }
    }

    /// The entry that settles it.
    pub const fn command(self) -> Command {
        match self {
            Owed::Reveal => Command::Reveal,
            Owed::Pass => Command::Play(rules::Play::NONE),
            Owed::Roll => Command::Roll,
        }
    }
}

/// The seat that acts when somebody at this device touches the board.
pub fn acting(table: &Table, viewer: Viewer) -> Option<Color> {
    match table.awaiting() {
        Awaiting::Seat(color, _) if viewer.plays(color) => Some(color),
        _ => None,
    }
}

/// Whether a game's dice can be proven to another person.
pub fn proves(table: &Table) -> bool {
    table.ruleset().place == Place::TwoBrowsers
}
