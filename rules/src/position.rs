use thiserror::Error;

use crate::{Move, Point, Setup, SetupError, Win};

/// How many checkers a side has.
pub(crate) const CHECKERS: u8 = 15;

/// A right placement of the thirty checkers, in the view of the side on roll.
///
/// The order of positions is that of their setups: points from 1 to 24, then the bar.
///
/// **Invariant:** both sides have fifteen checkers, and at most one of them has won.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
// Five bits a point (the own checkers as a positive number, plus 16), point 1 topmost; then four
// bits for the own bar and four for the opponent's. Borne off is what is missing to fifteen. So a
// move is an addition, and comparing two positions is comparing two numbers.
pub struct Position(pub(crate) u128);

/// Added to a point's count so that it is never negative.
pub(crate) const BIAS: u8 = 16;
/// The bits of a point.
pub(crate) const FIELD: u32 = 5;
/// Where the two bars stand.
pub(crate) const OWN_BAR: u32 = 4;
pub(crate) const OPPONENT_BAR: u32 = 0;
/// Where the points begin.
pub(crate) const POINTS_AT: u32 = 8;

const fn shift(point: u8) -> u32 {
    POINTS_AT + FIELD * (24 - point as u32)
}

/// Why a checker cannot be moved by a die.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum MoveError {
    /// The side on roll has no checker there.
    #[error("there is no checker to move")]
    NoChecker,
    /// Checkers on the bar must enter before any other may move.
    #[error("the checkers on the bar must enter first")]
    BarFirst,
    /// Two or more of the opponent's checkers hold the point.
    #[error("the opponent holds the point")]
    Blocked,
    /// Bearing off is allowed only with all fifteen checkers home or borne off.
    #[error("not all checkers are home")]
    NotAllHome,
    /// The die is larger than the checker needs, and one farther from the tray must move instead.
    #[error("a checker on a higher point must move")]
    HigherPointFirst,
    /// The opponent has borne off all its checkers.
    #[error("the game is over")]
    GameOver,
}

impl Position {
    /// How every game starts; both sides see the same.
    pub const START: Position = Position::pack(&Setup::START);

    const fn pack(setup: &Setup) -> Position {
        let mut bits = (setup.bar[0] as u128) << OWN_BAR | (setup.bar[1] as u128) << OPPONENT_BAR;
        let mut point = 1;
        while point <= 24 {
            let count = setup.points[point as usize - 1] + BIAS as i8;
            bits |= (count as u128) << shift(point);
            point += 1;
        }
        Position(bits)
    }

    /// The position of a setup.
    ///
    /// # Errors
    /// Says what is wrong with the setup.
    pub fn from_setup(setup: &Setup) -> Result<Position, SetupError> {
        let [own, opponent] = setup.checkers();
        if own != u32::from(CHECKERS) {
            return Err(SetupError::OwnCheckers(own));
        }
        if opponent != u32::from(CHECKERS) {
            return Err(SetupError::OpponentCheckers(opponent));
        }
        if setup.off == [CHECKERS; 2] {
            return Err(SetupError::BothWon);
        }
        Ok(Position::pack(setup))
    }

    /// The setup of this position.
    #[must_use]
    pub fn setup(&self) -> Setup {
        let mut points = [0; 24];
        for (index, number) in (1..=24).enumerate() {
            points[index] = self.count(number);
        }
        Setup {
            points,
            bar: [self.own(Point::BAR), self.opponent(Point::BAR)],
            off: [self.own(Point::OFF), self.opponent(Point::OFF)],
        }
    }

    /// The own checkers on point 1 … 24 as a positive number, the opponent's as a negative one.
    #[inline]
    fn count(&self, point: u8) -> i8 {
        ((self.0 >> shift(point)) & 31) as i8 - BIAS as i8
    }

    /// How many checkers the side on roll has on this place.
    #[must_use]
    pub fn own(&self, place: Point) -> u8 {
        match place {
            Point::BAR => ((self.0 >> OWN_BAR) & 15) as u8,
            Point::OFF => CHECKERS - (1..=25).map(|it| self.own_at(it)).sum::<u8>(),
            point => self.own_at(point.number()),
        }
    }

    /// How many checkers the opponent has on this place: on the point with this number in the
    /// view of the side on roll, on the opponent's bar, or in the opponent's tray.
    #[must_use]
    pub fn opponent(&self, place: Point) -> u8 {
        match place {
            Point::BAR => ((self.0 >> OPPONENT_BAR) & 15) as u8,
            Point::OFF => CHECKERS - (1..=25).map(|it| self.opponent_at(it)).sum::<u8>(),
            point => self.opponent_at(point.number()),
        }
    }

    /// The own checkers on a point or (25) the bar.
    #[inline]
    fn own_at(&self, number: u8) -> u8 {
        if number == 25 {
            ((self.0 >> OWN_BAR) & 15) as u8
        } else {
            self.count(number).max(0).cast_unsigned()
        }
    }

    /// The opponent's checkers on a point or (25) its bar.
    #[inline]
    fn opponent_at(&self, number: u8) -> u8 {
        if number == 25 {
            ((self.0 >> OPPONENT_BAR) & 15) as u8
        } else {
            self.count(number).min(0).unsigned_abs()
        }
    }

    /// The same position in the view of the other side.
    #[must_use]
    pub fn flipped(&self) -> Position {
        let Setup { points, bar: [own, opponent], .. } = self.setup();
        let mut flipped = [0; 24];
        for (to, from) in flipped.iter_mut().zip(points.iter().rev()) {
            *to = -from;
        }
        Position::pack(&Setup { points: flipped, bar: [opponent, own], off: [0, 0] })
    }

    /// How many pips the side on roll still needs to bear everything off; a checker on the bar
    /// needs 25.
    #[must_use]
    pub fn pips(&self) -> u32 {
        (1..=25).map(|it| u32::from(it) * u32::from(self.own_at(it))).sum()
    }

    /// How many pips the opponent still needs to bear everything off.
    #[must_use]
    pub fn opponent_pips(&self) -> u32 {
        let on_points: u32 =
            (1..=24).map(|it| u32::from(25 - it) * u32::from(self.opponent_at(it))).sum();
        on_points + 25 * u32::from(self.opponent_at(25))
    }

    /// Whether a checker of one side still has to pass one of the other; without contact the game
    /// is a race.
    #[must_use]
    pub fn has_contact(&self) -> bool {
        let rearmost = (1..=25).rev().find(|&it| self.own_at(it) > 0);
        let opponents_rearmost = if self.opponent_at(25) > 0 {
            Some(0)
        } else {
            (1..=24).find(|&it| self.opponent_at(it) > 0)
        };
        match (rearmost, opponents_rearmost) {
            (Some(own), Some(opponent)) => own > opponent,
            _ => false,
        }
    }

    /// Whether the side on roll has all its checkers in its home or borne off, so that it may
    /// bear off.
    #[must_use]
    pub fn all_home(&self) -> bool {
        (7..=25).all(|it| self.own_at(it) == 0)
    }

    /// What the side of this view has won, if it has borne off all its checkers.
    ///
    /// A gammon if the loser has borne nothing off, a backgammon if it also has a checker on the
    /// bar or in the winner's home (the usual rule; World Backgammon Federation rules agree).
    #[must_use]
    pub fn win(&self) -> Option<Win> {
        if (1..=25).any(|it| self.own_at(it) > 0) {
            return None;
        }
        Some(if self.opponent(Point::OFF) > 0 {
            Win::Single
        } else if self.opponent_at(25) > 0 || (1..=6).any(|it| self.opponent_at(it) > 0) {
            Win::Backgammon
        } else {
            Win::Gammon
        })
    }

    /// Whether the opponent has borne off all its checkers, so that nothing may move any more.
    pub(crate) fn is_lost(&self) -> bool {
        (1..=25).all(|it| self.opponent_at(it) == 0)
    }

    /// The position after one checker was moved by one die, still in the view of the side that
    /// moved. An opponent's blot that is hit goes to the opponent's bar.
    ///
    /// Says nothing of whether the die may be played in this turn; see
    /// [`next_moves`](crate::next_moves) and [`check_play`](crate::check_play).
    ///
    /// # Errors
    /// Why the checker cannot move by that die.
    pub fn after_move(&self, it: Move) -> Result<Position, MoveError> {
        let from = it.from.number();
        if from == 0 || self.own_at(from) == 0 {
            return Err(MoveError::NoChecker);
        }
        if from < 25 && self.own_at(25) > 0 {
            return Err(MoveError::BarFirst);
        }
        let to = it.to().number();
        if to == 0 {
            if !self.all_home() {
                return Err(MoveError::NotAllHome);
            }
            if from < it.die.pips() && (from + 1..=6).any(|higher| self.own_at(higher) > 0) {
                return Err(MoveError::HigherPointFirst);
            }
        } else if self.opponent_at(to) >= 2 {
            return Err(MoveError::Blocked);
        }
        if self.is_lost() {
            return Err(MoveError::GameOver);
        }
        Ok(self.moved(from, to))
    }

    /// Moves a checker without asking whether it may; a blot on `to` is hit.
    #[inline]
    pub(crate) fn moved(self, from: u8, to: u8) -> Position {
        let Position(mut bits) = self;
        bits -= if from == 25 { 1 << OWN_BAR } else { 1 << shift(from) };
        if to > 0 {
            if self.opponent_at(to) == 1 {
                bits += (1 << shift(to)) + (1 << OPPONENT_BAR);
            }
            bits += 1 << shift(to);
        }
        Position(bits)
    }
}

impl std::fmt::Debug for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Position").field(&self.setup()).finish()
    }
}
