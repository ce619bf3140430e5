/// One die, 1 to 6.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Die(u8);

impl Die {
    /// All six faces, lowest first.
    pub const ALL: [Die; 6] = [Die(1), Die(2), Die(3), Die(4), Die(5), Die(6)];

    /// The die that shows `pips`, if a die can.
    #[must_use]
    pub const fn new(pips: u8) -> Option<Die> {
        if pips >= 1 && pips <= 6 { Some(Die(pips)) } else { None }
    }

    /// How many pips the die shows, 1 to 6.
    #[must_use]
    pub const fn pips(self) -> u8 {
        self.0
    }
}

/// Two dice as they were thrown; the order is kept because the opening gives one die to each seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dice {
    /// The first die; in the opening it is white's.
    pub first: Die,
    /// The second die; in the opening it is black's.
    pub second: Die,
}

impl Dice {
    /// The dice that show `first` and `second` pips, if dice can.
    #[must_use]
    pub const fn new(first: u8, second: u8) -> Option<Dice> {
        match (Die::new(first), Die::new(second)) {
            (Some(first), Some(second)) => Some(Dice { first, second }),
            _ => None,
        }
    }

    /// The die with more pips.
    #[must_use]
    pub fn larger(self) -> Die {
        self.first.max(self.second)
    }

    /// The die with fewer pips.
    #[must_use]
    pub fn smaller(self) -> Die {
        self.first.min(self.second)
    }

    /// Whether both dice show the same.
    #[must_use]
    pub fn is_double(self) -> bool {
        self.first == self.second
    }

    /// How many moves a full play of this roll has: 2, or 4 for a double.
    #[must_use]
    pub fn moves(self) -> usize {
        if self.is_double() { 4 } else { 2 }
    }
}
