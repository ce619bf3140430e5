use crate::{Die, Point};

/// One checker moved by one die, in the mover's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    /// Where the checker stands: 25 (bar) to 1.
    pub from: Point,
    /// The die it uses.
    pub die: Die,
}

impl Move {
    /// Where the checker lands; bearing off with a larger die than needed still lands off.
    #[must_use]
    pub fn to(self) -> Point {
        Point::new(self.from.number().saturating_sub(self.die.pips())).unwrap_or(Point::OFF)
    }
}

/// The moves of one roll in the order they are made, none to four.
#[derive(Clone, Copy, Default)]
pub struct Play {
    moves: [Option<Move>; 4],
    len: u8,
}

impl Play {
    /// The play of no moves: a pass.
    pub const NONE: Play = Play { moves: [None; 4], len: 0 };

    /// A play of these moves, if there are at most four.
    #[must_use]
    pub fn new(moves: &[Move]) -> Option<Play> {
        let mut play = Play::NONE;
        moves.iter().all(|&it| play.push(it)).then_some(play)
    }

    /// Adds a move at the end. Answers whether there was room for it.
    pub fn push(&mut self, it: Move) -> bool {
        let Some(slot) = self.moves.get_mut(usize::from(self.len)) else { return false };
        *slot = Some(it);
        self.len += 1;
        true
    }

    /// Takes the last move away.
    pub fn pop(&mut self) -> Option<Move> {
        self.len = self.len.checked_sub(1)?;
        self.moves[usize::from(self.len)].take()
    }

    /// How many moves there are.
    #[must_use]
    pub fn len(&self) -> usize {
        usize::from(self.len)
    }

    /// Whether this is a pass.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The moves, first to last.
    pub fn iter(&self) -> impl Iterator<Item = Move> + '_ {
        self.moves.iter().copied().flatten()
    }
}

impl PartialEq for Play {
    fn eq(&self, other: &Play) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for Play {}

impl std::fmt::Debug for Play {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter().map(|it| (it.from.number(), it.to().number()))).finish()
    }
}
