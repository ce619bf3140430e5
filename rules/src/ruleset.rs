use thiserror::Error;

/// How many bytes a ruleset takes.
pub const RULESET_BYTES: usize = 12;

/// What the two sides agree on before a game; part of the game's identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ruleset {
    /// The session's length.
    pub length: Length,
    /// The highest value of the cube as a power of two, 1 … 6 (2 … 64), or `None` without a cube.
    pub cube: Option<u8>,
    /// One game without the cube after a side first needs one point.
    pub crawford: bool,
    /// Money: gammons and backgammons count as single games while the cube was never turned.
    pub jacoby: bool,
    /// Money: the doubled side may redouble at once and keep the cube.
    pub beavers: bool,
    /// The time a side has.
    pub clock: Clock,
    /// How long a lost opponent is waited for before the win may be claimed, in seconds.
    pub grace_seconds: u16,
    /// Where the two seats are.
    pub place: Place,
}

/// How long two sides play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Length {
    /// A money session: no end, running score.
    Money,
    /// A match to this many points, 1 … 25.
    Match(u8),
}

/// The time a side has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Clock {
    /// No clock.
    None,
    /// When this many seconds of a turn are up its own page finishes the turn.
    Finish {
        /// Seconds a turn, at least 1.
        seconds: u16,
    },
    /// A delay each turn, then a reserve for the whole match; a fallen flag loses.
    Reserve {
        /// Seconds of each turn that cost nothing.
        delay: u16,
        /// Seconds for the whole match.
        reserve: u16,
    },
}

/// Where the two seats are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// In two browsers: the dice are proven to each other.
    TwoBrowsers,
    /// In one browser: both chains are in one hand, so nothing is proven.
    OneBrowser,
}

/// Why twelve bytes are no ruleset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum RulesetError {
    /// The first byte names a variant that this version does not play.
    #[error("unknown variant of the game {0}")]
    UnknownVariant(u8),
    /// A value is out of range or contradicts another.
    #[error("a field of the ruleset is out of range: byte {0}")]
    BadField(usize),
}

impl Ruleset {
    /// Georgian nardy: no cube, a match to `points`, no clock, three minutes of grace.
    #[must_use]
    pub const fn georgian(points: u8, place: Place) -> Ruleset {
        Ruleset {
            length: Length::Match(points),
            cube: None,
            crawford: false,
            jacoby: false,
            beavers: false,
            clock: Clock::None,
            grace_seconds: 180,
            place,
        }
    }

    /// The match length in points, or `None` for a money session.
    #[must_use]
    pub const fn match_length(&self) -> Option<u8> {
        match self.length {
            Length::Money => None,
            Length::Match(points) => Some(points),
        }
    }

    /// The highest value the cube may reach; 1 without a cube.
    #[must_use]
    pub const fn cube_max(&self) -> u32 {
        match self.cube {
            None => 1,
            Some(power) => 1 << power,
        }
    }

    /// The fixed layout: game 0, match, cube, flags, clock, seconds, reserve, grace, place;
    /// numbers big-endian.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; RULESET_BYTES] {
        let (clock, seconds, reserve) = match self.clock {
            Clock::None => (0, 0, 0),
            Clock::Finish { seconds } => (1, seconds, 0),
            Clock::Reserve { delay, reserve } => (2, delay, reserve),
        };
        let flags =
            u8::from(self.crawford) | (u8::from(self.jacoby) << 1) | (u8::from(self.beavers) << 2);
        let [s0, s1] = seconds.to_be_bytes();
        let [r0, r1] = reserve.to_be_bytes();
        let [g0, g1] = self.grace_seconds.to_be_bytes();
        [
            0,
            self.match_length().unwrap_or(0),
            self.cube.unwrap_or(0),
            flags,
            clock,
            s0,
            s1,
            r0,
            r1,
            g0,
            g1,
            match self.place {
                Place::TwoBrowsers => 0,
                Place::OneBrowser => 1,
            },
        ]
    }

    /// Reads the fixed layout; refuses everything that [`Ruleset::to_bytes`] would not write.
    ///
    /// # Errors
    /// [`RulesetError::UnknownVariant`] when the first byte is not 0, else which byte is wrong.
    pub fn from_bytes(bytes: &[u8; RULESET_BYTES]) -> Result<Ruleset, RulesetError> {
        let [game, points, cube, flags, clock, s0, s1, r0, r1, g0, g1, place] = *bytes;
        if game != 0 {
            return Err(RulesetError::UnknownVariant(game));
        }
        let length = match points {
            0 => Length::Money,
            1..=25 => Length::Match(points),
            _ => return Err(RulesetError::BadField(1)),
        };
        let cube = match cube {
            0 => None,
            1..=6 => Some(cube),
            _ => return Err(RulesetError::BadField(2)),
        };
        let allowed = match (length, cube) {
            (_, None) => 0,
            (Length::Match(_), Some(_)) => 1,
            (Length::Money, Some(_)) => 2 | 4,
        };
        if flags & !allowed != 0 {
            return Err(RulesetError::BadField(3));
        }
        let seconds = u16::from_be_bytes([s0, s1]);
        let reserve = u16::from_be_bytes([r0, r1]);
        let clock = match (clock, seconds, reserve) {
            (0, 0, 0) => Clock::None,
            (1, 1.., 0) => Clock::Finish { seconds },
            (2, delay, 1..) => Clock::Reserve { delay, reserve },
            (0..=2, ..) => return Err(RulesetError::BadField(5)),
            _ => return Err(RulesetError::BadField(4)),
        };
        let place = match place {
            0 => Place::TwoBrowsers,
            1 => Place::OneBrowser,
            _ => return Err(RulesetError::BadField(11)),
        };
        Ok(Ruleset {
            length,
            cube,
            crawford: flags & 1 != 0,
            jacoby: flags & 2 != 0,
            beavers: flags & 4 != 0,
            clock,
            grace_seconds: u16::from_be_bytes([g0, g1]),
            place,
        })
    }
}
