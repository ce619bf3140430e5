use thiserror::Error;

/// Checkers laid out on a board by hand, in a file or by a peer, in the view of the side on roll.
///
/// A setup may be wrong; [`Position::from_setup`](crate::Position::from_setup) tells whether it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Setup {
    /// The checkers on the points 1 … 24 (index 0 … 23): positive are the side's own, negative
    /// the opponent's.
    pub points: [i8; 24],
    /// The checkers on the bar: own, opponent's.
    pub bar: [u8; 2],
    /// The checkers borne off: own, opponent's.
    pub off: [u8; 2],
}

impl Setup {
    /// How every game starts: 24:2, 13:5, 8:3, 6:5 for each side counted from its own home.
    pub const START: Setup = Setup {
        points: [-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2],
        bar: [0, 0],
        off: [0, 0],
    };

    /// The number of checkers of each side, own first.
    pub(crate) fn checkers(&self) -> [u32; 2] {
        let mut counts =
            [0, 1].map(|side: usize| u32::from(self.bar[side]) + u32::from(self.off[side]));
        for &count in &self.points {
            counts[usize::from(count < 0)] += u32::from(count.unsigned_abs());
        }
        counts
    }
}

/// Why a setup is no position of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SetupError {
    /// The side on roll has not fifteen checkers.
    #[error("the side on roll has {0} checkers instead of 15")]
    OwnCheckers(u32),
    /// The opponent has not fifteen checkers.
    #[error("the opponent has {0} checkers instead of 15")]
    OpponentCheckers(u32),
    /// Both sides have borne everything off, though the first to do so ends the game.
    #[error("both sides have borne off all their checkers")]
    BothWon,
}
