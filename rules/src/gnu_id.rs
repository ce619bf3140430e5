use thiserror::Error;

use crate::{Position, Setup, SetupError};

const LENGTH: usize = 14;
const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Why a text is no GNU Position ID.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum GnuIdError {
    /// It is not fourteen characters long; this is the number of bytes.
    #[error("a position ID has 14 characters, not {0}")]
    Length(usize),
    /// The byte at this index is not of the base-64 alphabet.
    #[error("character {} is not one of A–Z, a–z, 0–9, + and /", .0 + 1)]
    Character(usize),
    /// The bits do not count checkers on 25 places for each side and end in zeros.
    #[error("the bits do not stand for a position")]
    Bits,
    /// Both sides have a checker on this point, in the view of the side on roll.
    #[error("both sides have checkers on point {0}")]
    SharedPoint(u8),
    /// The checkers are no position.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

impl Position {
    /// The GNU Position ID: fourteen characters that other programs read.
    ///
    /// For the opponent and then for the side on roll, for its points 1 to 24 and its bar, there
    /// are as many one bits as checkers, followed by a zero; the 80 bits, lowest first in each
    /// byte, are written in base 64 (GNU Backgammon manual, "A technical description of the
    /// Position ID").
    #[must_use]
    pub fn gnu_id(&self) -> String {
        let mut bits = 0_u128;
        let mut at = 0;
        let Setup { points, bar: [own, opponent], .. } = self.setup();
        let opponents = points.iter().rev().map(|&it| it.min(0).unsigned_abs()).chain([opponent]);
        let owns = points.iter().map(|&it| it.max(0).cast_unsigned()).chain([own]);
        for count in opponents.chain(owns) {
            bits |= ((1 << count) - 1) << at;
            at += u32::from(count) + 1;
        }
        // Base 64 takes bytes from the left and six bits of each from the top.
        let bytes = bits.to_le_bytes();
        let bits = u128::from_be_bytes(bytes);
        (0..LENGTH).map(|it| char::from(ALPHABET[(bits >> (122 - 6 * it)) as usize & 63])).collect()
    }

    /// Reads a GNU Position ID. Accepts just what [`Position::gnu_id`] writes, so that every
    /// position has one ID and every ID one position.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn from_gnu_id(id: &str) -> Result<Position, GnuIdError> {
        if id.len() != LENGTH {
            return Err(GnuIdError::Length(id.len()));
        }
        let mut bits = 0_u128;
        for (index, byte) in id.bytes().enumerate() {
            let digit = ALPHABET.iter().position(|&it| it == byte);
            let digit = digit.ok_or(GnuIdError::Character(index))?;
            bits |= (digit as u128) << (122 - 6 * index);
        }
        let mut bits = u128::from_be_bytes(bits.to_le_bytes());
        if bits >> 80 != 0 {
            return Err(GnuIdError::Bits);
        }

        let mut counts = [[0_u8; 25]; 2];
        for count in counts.as_flattened_mut() {
            // At most 84 ones can be left, all above are zeros.
            *count = bits.trailing_ones() as u8;
            bits >>= u32::from(*count) + 1;
        }
        if bits != 0 {
            return Err(GnuIdError::Bits);
        }
        let [opponents, owns] = counts;
        let mut setup = Setup { points: [0; 24], bar: [owns[24], opponents[24]], off: [0; 2] };
        for number in 1..=24_u8 {
            let index = usize::from(number) - 1;
            let (own, opponent) = (owns[index], opponents[23 - index]);
            if own > 0 && opponent > 0 {
                return Err(GnuIdError::SharedPoint(number));
            }
            // Each is at most 80.
            setup.points[index] = own.cast_signed() - opponent.cast_signed();
        }
        let [own, opponent] = setup.checkers();
        let off = |count: u32| u8::try_from(15_u32.checked_sub(count)?).ok();
        setup.off = [
            off(own).ok_or(SetupError::OwnCheckers(own))?,
            off(opponent).ok_or(SetupError::OpponentCheckers(opponent))?,
        ];
        Ok(Position::from_setup(&setup)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn start_has_the_known_id() {
        assert_eq!(Position::START.gnu_id(), "4HPwATDgc/ABMA");
        assert_eq!(Position::from_gnu_id("4HPwATDgc/ABMA"), Ok(Position::START));
    }

    #[test]
    fn wrong_ids_are_told_apart() {
        let read = Position::from_gnu_id;
        assert_eq!(read(""), Err(GnuIdError::Length(0)));
        assert_eq!(read("4HPwATDgc/ABMA=="), Err(GnuIdError::Length(16)));
        assert_eq!(read("4HPwATDgc_ABMA"), Err(GnuIdError::Character(9)));
        assert_eq!(read("4HPwATDgc/ABMB"), Err(GnuIdError::Bits), "bits after the 80th");
        assert_eq!(read("AAAA/v8BAAAAAA"), Err(GnuIdError::Setup(SetupError::OwnCheckers(16))));
        assert_eq!(read("//////////////"), Err(GnuIdError::Bits));
        assert_eq!(read("AAAAAAAAAAAAAA"), Err(GnuIdError::Setup(SetupError::BothWon)));
        assert_eq!(read("AQAAAAAAAgAAAA"), Err(GnuIdError::SharedPoint(24)));
        assert_eq!(read("4HPwATDgc/AB№"), Err(GnuIdError::Length(15)));
    }
}
