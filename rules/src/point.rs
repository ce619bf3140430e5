/// A place for checkers in the view of the side that owns them or is about to move: 24 … 1 are the
/// points, 25 is the bar and 0 is off the board. A checker always moves to a smaller number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point(u8);

impl Point {
    /// Borne off.
    pub const OFF: Point = Point(0);
    /// On the bar.
    pub const BAR: Point = Point(25);

    /// The place with this number, 0 (off) to 25 (bar).
    #[must_use]
    pub const fn new(number: u8) -> Option<Point> {
        if number <= 25 { Some(Point(number)) } else { None }
    }

    /// 0 (off) to 25 (bar).
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The same point of the board in the other side's view. The bar and the tray have no such
    /// counterpart: each side has its own.
    #[must_use]
    pub const fn mirrored(self) -> Option<Point> {
        if self.0 >= 1 && self.0 <= 24 { Some(Point(25 - self.0)) } else { None }
    }
}
