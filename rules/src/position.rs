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

/// The lowest and the highest bit of each of the twelve points in half a board.
pub(crate) const LOW: u64 = 0x0084_2108_4210_8421;
pub(crate) const HIGH: u64 = LOW << 4;
/// The points of the home in the half that has it.
const HOME: u64 = ((1 << 30) - 1) << 30;

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
            Point::OFF => CHECKERS - self.own_at(25) - sum(self.halves().map(own_counts)),
            place => self.own_at(place.number()),
        }
    }

    /// How many checkers the opponent has on this place: on the point with this number in the
    /// view of the side on roll, on the opponent's bar, or in the opponent's tray.
    #[must_use]
    pub fn opponent(&self, place: Point) -> u8 {
        match place {
            Point::OFF => CHECKERS - self.opponent_at(25) - sum(self.halves().map(opponent_counts)),
            place => self.opponent_at(place.number()),
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

    /// The points 24 … 13 and 12 … 1, twelve fields of five bits each, the higher point lower.
    #[inline]
    pub(crate) fn halves(&self) -> [u64; 2] {
        let half = LOW * 31;
        [(self.0 >> POINTS_AT) as u64 & half, (self.0 >> (POINTS_AT + 12 * FIELD)) as u64 & half]
    }

    /// The same position in the view of the other side.
    #[must_use]
    pub fn flipped(&self) -> Position {
        let [far, near] = self.halves().map(turned);
        Position(
            u128::from(far) << (POINTS_AT + 12 * FIELD)
                | u128::from(near) << POINTS_AT
                | u128::from(self.own_at(25)) << OPPONENT_BAR
                | u128::from(self.opponent_at(25)) << OWN_BAR,
        )
    }

    /// How many pips the side on roll still needs to bear everything off; a checker on the bar
    /// needs 25.
    #[must_use]
    pub fn pips(&self) -> u32 {
        pips(self.halves().map(own_counts)) + 25 * u32::from(self.own_at(25))
    }

    /// How many pips the opponent still needs to bear everything off.
    #[must_use]
    pub fn opponent_pips(&self) -> u32 {
        let counts = self.halves().map(opponent_counts);
        let on_board = u32::from(sum(counts) + self.opponent_at(25));
        25 * on_board - pips(counts)
    }

    /// Whether a checker of one side still has to pass one of the other; without contact the game
    /// is a race.
    #[must_use]
    pub fn has_contact(&self) -> bool {
        let rearmost = (1..=25).rev().find(|&it| self.own_at(it) > 0);
        let opponents_rearmost = match self.opponent_at(25) {
            0 => (1..=24).find(|&it| self.opponent_at(it) > 0),
            _ => Some(0),
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
        let [far, near] = self.halves().map(own_points);
        self.own_at(25) == 0 && far == 0 && near & !HOME == 0
    }

    /// What the side of this view has won, if it has borne off all its checkers.
    ///
    /// A gammon if the loser has borne nothing off, a backgammon if it also has a checker on the
    /// bar or in the winner's home (the usual rule; World Backgammon Federation rules agree).
    #[must_use]
    pub fn win(&self) -> Option<Win> {
        if self.own_at(25) > 0 || self.halves().map(own_points) != [0, 0] {
            return None;
        }
        let [_, near] = self.halves().map(opponent_points);
        Some(if self.opponent(Point::OFF) > 0 {
            Win::Single
        } else if self.opponent_at(25) > 0 || near & HOME != 0 {
            Win::Backgammon
        } else {
            Win::Gammon
        })
    }

    /// Whether the opponent has borne off all its checkers, so that nothing may move any more.
    #[inline]
    pub(crate) fn is_lost(&self) -> bool {
        self.opponent_at(25) == 0 && self.halves().map(opponent_points) == [0, 0]
    }

    /// The position after one checker was moved by one die, still in the view of the side that
    /// moved. An opponent's blot that is hit goes to the opponent's bar.
    ///
    /// A checker on the bar moves first. A point with two or more of the opponent's checkers is
    /// closed. With all checkers home one is borne off by the exact number, or by a larger one if no
    /// checker stands on a higher point (the usual rules of entering, hitting and bearing off).
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

/// The highest bit of every point with own checkers. A field is 16 + the own checkers or 16 − the
/// opponent's, so never 0.
#[inline]
pub(crate) fn own_points(half: u64) -> u64 {
    (half - LOW) & HIGH
}

/// The highest bit of every point with checkers of the opponent.
#[inline]
fn opponent_points(half: u64) -> u64 {
    !half & HIGH
}

/// In each field the number of own checkers.
#[inline]
fn own_counts(half: u64) -> u64 {
    let points = half & HIGH;
    half & (points - (points >> 4))
}

/// In each field the number of the opponent's checkers.
#[inline]
fn opponent_counts(half: u64) -> u64 {
    let points = opponent_points(half);
    points - (half & (points - (points >> 4)))
}

/// All fields of both halves, which are fifteen checkers at most.
#[inline]
fn sum(counts: [u64; 2]) -> u8 {
    // The highest field of the product is the sum of all; no field overflows.
    counts.map(|half| (half.wrapping_mul(LOW) >> 55) as u8 & 31).iter().sum()
}

/// What checkers in these fields need to bear off: of every point as many pips as its number.
#[inline]
fn pips(counts: [u64; 2]) -> u32 {
    // Field k of the product is the sum of the fields up to k; the sum of those takes the last
    // field once, the one before twice, and so on. Two fields become one to make room for it.
    let [far, near] = counts.map(|half| {
        const PAIRED: u64 = 0x007C_1F07_C1F0_7C1F;
        let upto = half.wrapping_mul(LOW);
        let pairs = (upto & PAIRED) + ((upto >> FIELD) & PAIRED);
        (pairs.wrapping_mul(0x0004_0100_4010_0401) >> 50) as u32 & 1023
    });
    far + near + 12 * u32::from(sum([counts[0], 0]))
}

/// Half a board in the view of the other side: the points in reverse, the checkers of the one
/// taken for the other's.
#[inline]
fn turned(half: u64) -> u64 {
    const ALL: u64 = LOW * 31;
    const SIX: u64 = (1 << 30) - 1;
    const THREE: u64 = 0x7FFF | 0x7FFF << 30;
    const ONE: u64 = 31 | 31 << 15 | 31 << 30 | 31 << 45;
    let sixes = (half & SIX) << 30 | half >> 30;
    let threes = (sixes & THREE) << 15 | (sixes >> 15) & THREE;
    let ones = (threes & ONE) << 10 | threes & (ONE << 5) | (threes >> 10) & ONE;
    // 32 − the field.
    (ones ^ ALL) + LOW
}

impl std::fmt::Debug for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Position").field(&self.setup()).finish()
    }
}
