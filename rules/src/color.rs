use std::ops::{Index, IndexMut};

/// One of the two sides. White is seat 0 (the host), black is seat 1 (the guest).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Color {
    /// Seat 0: moves 24 → 1 in absolute numbers.
    White,
    /// Seat 1: moves 1 → 24 in absolute numbers.
    Black,
}

impl Color {
    /// Both sides, in the order of their seats.
    pub const ALL: [Color; 2] = [Color::White, Color::Black];

    /// The other side.
    #[must_use]
    pub const fn opposite(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }

    /// The seat number of this side: 0 for white, 1 for black.
    #[must_use]
    pub const fn seat(self) -> u8 {
        match self {
            Color::White => 0,
            Color::Black => 1,
        }
    }

    /// The side that sits at `seat`, if there is such a seat.
    #[must_use]
    pub const fn from_seat(seat: u8) -> Option<Color> {
        match seat {
            0 => Some(Color::White),
            1 => Some(Color::Black),
            _ => None,
        }
    }
}

/// One value for each side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ByColor<T> {
    /// White's value.
    pub white: T,
    /// Black's value.
    pub black: T,
}

impl<T> ByColor<T> {
    /// Makes both values from a function of the side.
    pub fn from_fn(mut make: impl FnMut(Color) -> T) -> ByColor<T> {
        ByColor { white: make(Color::White), black: make(Color::Black) }
    }
}

impl<T> Index<Color> for ByColor<T> {
    type Output = T;

    fn index(&self, color: Color) -> &T {
        match color {
            Color::White => &self.white,
            Color::Black => &self.black,
        }
    }
}

impl<T> IndexMut<Color> for ByColor<T> {
    fn index_mut(&mut self, color: Color) -> &mut T {
        match color {
            Color::White => &mut self.white,
            Color::Black => &mut self.black,
        }
    }
}
