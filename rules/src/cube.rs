use crate::{Color, Ruleset, Score};

/// The doubling cube.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Cube {
    power: u8,
    /// Who owns it; `None` while it is centred.
    pub owner: Option<Color>,
}

impl Cube {
    /// A cube that shows 2 to the power of `power` and belongs to `owner`.
    #[must_use]
    pub const fn new(power: u8, owner: Option<Color>) -> Cube {
        Cube { power, owner }
    }

    /// What a single game is worth, 1 while the cube was never turned.
    #[must_use]
    pub const fn value(self) -> u32 {
        1 << self.power
    }

    /// Whether it was ever turned in this game.
    #[must_use]
    pub const fn is_turned(self) -> bool {
        self.power > 0
    }

    /// The cube turned once and given to `owner`.
    #[must_use]
    pub const fn doubled_to(self, owner: Color) -> Cube {
        Cube { power: self.power + 1, owner: Some(owner) }
    }

    /// Whether `color` may double before its roll: it has access, the cube is below its highest
    /// value, this is not the Crawford game, and in a match the cube is not dead for it.
    #[must_use]
    pub fn may_double(self, color: Color, score: &Score, ruleset: &Ruleset) -> bool {
        ruleset.cube.is_some()
            && self.owner.is_none_or(|owner| owner == color)
            && 2 * self.value() <= ruleset.cube_max()
            && !score.is_crawford()
            && score.needed(color, ruleset).is_none_or(|needed| self.value() < needed)
    }
}
