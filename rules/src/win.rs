use crate::{Cube, Ruleset};

/// How a game is won over the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Win {
    /// Ойн: the loser has borne a checker off.
    Single,
    /// Марс: the loser has borne nothing off.
    Gammon,
    /// Кокс: and the loser still has a checker on the bar or in the winner's home.
    Backgammon,
}

impl Win {
    /// 1, 2 or 3: how many times the cube it counts.
    #[must_use]
    pub const fn value(self) -> u32 {
        match self {
            Win::Single => 1,
            Win::Gammon => 2,
            Win::Backgammon => 3,
        }
    }

    /// The win worth this many times the cube.
    #[must_use]
    pub const fn from_value(value: u8) -> Option<Win> {
        match value {
            1 => Some(Win::Single),
            2 => Some(Win::Gammon),
            3 => Some(Win::Backgammon),
            _ => None,
        }
    }

    /// The points it brings. Under Jacoby every win counts as single while the cube was never
    /// turned.
    #[must_use]
    pub fn points(self, cube: Cube, ruleset: &Ruleset) -> u32 {
        let value = if ruleset.jacoby && !cube.is_turned() { 1 } else { self.value() };
        value * cube.value()
    }
}
