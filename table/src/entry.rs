use crate::bytes::Reader;
use crate::{PublicKey, Secret, SignatureBytes, VERSION, is_signed_by};
use fair_dice::{Value, tagged_hash};
use rules::{Color, Die, Move, Play, Point};
use thiserror::Error;

/// The sort of an entry, numbered as in its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Kind {
    /// The roller's reveal: he rolls and gives up doubling before this roll.
    Roll = 1,
    /// The other side's reveal.
    Reveal = 2,
    /// The moves of a roll.
    Play = 3,
    /// The cube is offered.
    Double = 4,
    /// The cube is taken.
    Take = 5,
    /// The cube is redoubled at once and kept.
    Beaver = 6,
    /// The cube is dropped: the game is lost at its old value.
    Drop = 7,
    /// The game, or the match, is offered as lost.
    Resign = 8,
    /// A resignation is accepted.
    Accept = 9,
    /// A resignation is declined.
    Decline = 10,
    /// The author's own reserve of time is used up.
    TimeOut = 11,
    /// The guest agrees to the next game.
    Ready = 12,
}

impl Kind {
    /// All kinds in the order of their numbers.
    pub const ALL: [Kind; 12] = [
        Kind::Roll,
        Kind::Reveal,
        Kind::Play,
        Kind::Double,
        Kind::Take,
        Kind::Beaver,
        Kind::Drop,
        Kind::Resign,
        Kind::Accept,
        Kind::Decline,
        Kind::TimeOut,
        Kind::Ready,
    ];

    fn from_number(number: u8) -> Option<Kind> {
        Kind::ALL.into_iter().find(|&kind| kind as u8 == number)
    }
}

/// What an entry says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Body {
    /// The author's chain value of the next roll.
    Roll(Value),
    /// The author's chain value of the next roll.
    Reveal(Value),
    /// The moves, and the author's chain value of the next roll where the other side has no choice
    /// but to roll.
    Play(Play, Option<Value>),
    /// See [`Kind::Double`].
    Double,
    /// The author's chain value of the next roll.
    Take(Value),
    /// See [`Kind::Beaver`].
    Beaver,
    /// See [`Kind::Drop`].
    Drop,
    /// What is offered as lost.
    Resign(Resignation),
    /// See [`Kind::Accept`].
    Accept,
    /// See [`Kind::Decline`].
    Decline,
    /// See [`Kind::TimeOut`].
    TimeOut,
    /// See [`Kind::Ready`].
    Ready,
}

/// What a resignation offers, from the least to the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Resignation {
    /// Ойн.
    Single = 1,
    /// Марс.
    Gammon = 2,
    /// Кокс.
    Backgammon = 3,
    /// The whole match.
    Match = 4,
}

impl Resignation {
    /// All of them, from the least to the most.
    pub const ALL: [Resignation; 4] =
        [Resignation::Single, Resignation::Gammon, Resignation::Backgammon, Resignation::Match];

    /// The resignation with this number, 1 … 4.
    #[must_use]
    pub fn from_number(number: u8) -> Option<Resignation> {
        Resignation::ALL.into_iter().find(|&it| it as u8 == number)
    }
}

impl Body {
    /// The sort of entry this is.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        match self {
            Body::Roll(_) => Kind::Roll,
            Body::Reveal(_) => Kind::Reveal,
            Body::Play(..) => Kind::Play,
            Body::Double => Kind::Double,
            Body::Take(_) => Kind::Take,
            Body::Beaver => Kind::Beaver,
            Body::Drop => Kind::Drop,
            Body::Resign(_) => Kind::Resign,
            Body::Accept => Kind::Accept,
            Body::Decline => Kind::Decline,
            Body::TimeOut => Kind::TimeOut,
            Body::Ready => Kind::Ready,
        }
    }

    fn to_bytes(self) -> Vec<u8> {
        match self {
            Body::Roll(x) | Body::Reveal(x) | Body::Take(x) => x.to_vec(),
            Body::Play(play, x) => {
                // A play has at most four moves.
                let mut bytes = vec![play.len() as u8];
                for it in play.iter() {
                    bytes.extend_from_slice(&[it.from.number(), it.die.pips()]);
                }
                bytes.extend(x.into_iter().flatten());
                bytes
            }
            Body::Resign(value) => vec![value as u8],
            Body::Double
            | Body::Beaver
            | Body::Drop
            | Body::Accept
            | Body::Decline
            | Body::TimeOut
            | Body::Ready => Vec::new(),
        }
    }

    fn from_bytes(kind: Kind, bytes: &[u8]) -> Option<Body> {
        let mut reader = Reader::new(bytes);
        let body = match kind {
            Kind::Roll => Body::Roll(reader.array()?),
            Kind::Reveal => Body::Reveal(reader.array()?),
            Kind::Take => Body::Take(reader.array()?),
            Kind::Play => {
                let mut play = Play::NONE;
                for _ in 0..reader.u8()? {
                    let from = Point::new(reader.u8()?).filter(|&from| from != Point::OFF)?;
                    let die = Die::new(reader.u8()?)?;
                    if !play.push(Move { from, die }) {
                        return None;
                    }
                }
                let x = if reader.is_done() { None } else { Some(reader.array()?) };
                Body::Play(play, x)
            }
            Kind::Resign => Body::Resign(Resignation::from_number(reader.u8()?)?),
            Kind::Double => Body::Double,
            Kind::Beaver => Body::Beaver,
            Kind::Drop => Body::Drop,
            Kind::Accept => Body::Accept,
            Kind::Decline => Body::Decline,
            Kind::TimeOut => Body::TimeOut,
            Kind::Ready => Body::Ready,
        };
        reader.is_done().then_some(body)
    }
}

/// One line of the log, before it is signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Who writes it.
    pub seat: Color,
    /// Its number in the log, from 0.
    pub seq: u32,
    /// The id of the entry before it; the game's id for the first.
    pub prev: Value,
    /// How long its author thought, by his own monotonic clock, in milliseconds.
    pub spent_ms: u32,
    /// What it says.
    pub body: Body,
}

/// An entry with its author's signature, as it is kept, sent and exported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The entry.
    pub entry: Entry,
    /// Its author's signature over its id.
    pub signature: SignatureBytes,
}

/// Why bytes are no record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum RecordError {
    /// Too few bytes, or some left over.
    #[error("a record has a wrong length")]
    Length,
    /// Written by another version of the protocol.
    #[error("a record of version {0}")]
    OtherVersion(u8),
    /// No such kind of entry.
    #[error("an unknown kind of entry {0}")]
    UnknownKind(u8),
    /// No such seat.
    #[error("an unknown seat {0}")]
    UnknownSeat(u8),
    /// The body is not laid out as its kind demands.
    #[error("the body of a {0:?} entry is malformed")]
    Body(Kind),
}

impl Entry {
    /// The bytes that are hashed: version, kind, seat, seq, prev, spent_ms, length, body.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let body = self.body.to_bytes();
        let mut bytes = vec![VERSION, self.body.kind() as u8, self.seat.seat()];
        bytes.extend_from_slice(&self.seq.to_be_bytes());
        bytes.extend_from_slice(&self.prev);
        bytes.extend_from_slice(&self.spent_ms.to_be_bytes());
        // A body has at most 41 bytes.
        bytes.extend_from_slice(&(body.len() as u16).to_be_bytes());
        bytes.extend_from_slice(&body);
        bytes
    }

    /// The id under which the next entry names this one, and which is signed.
    #[must_use]
    pub fn id(&self, game_id: &Value) -> Value {
        tagged_hash("zari/entry/1", &[game_id, &self.to_bytes()])
    }

    /// Signs the entry.
    #[must_use]
    pub fn sign(self, game_id: &Value, secret: &Secret) -> Record {
        let signature = secret.sign(&self.id(game_id));
        Record { entry: self, signature }
    }
}

impl Record {
    /// The entry's bytes and the signature.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.entry.to_bytes();
        bytes.extend_from_slice(&self.signature);
        bytes
    }

    /// Reads exactly one record.
    ///
    /// # Errors
    /// Says what is wrong with the bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Record, RecordError> {
        match Record::read(bytes)? {
            (record, []) => Ok(record),
            _ => Err(RecordError::Length),
        }
    }

    /// Reads a record from the front; answers it with the bytes behind it.
    ///
    /// # Errors
    /// Says what is wrong with the bytes.
    pub fn read(bytes: &[u8]) -> Result<(Record, &[u8]), RecordError> {
        let mut reader = Reader::new(bytes);
        let version = reader.u8().ok_or(RecordError::Length)?;
        if version != VERSION {
            return Err(RecordError::OtherVersion(version));
        }
        let kind = reader.u8().ok_or(RecordError::Length)?;
        let kind = Kind::from_number(kind).ok_or(RecordError::UnknownKind(kind))?;
        let seat = reader.u8().ok_or(RecordError::Length)?;
        let seat = Color::from_seat(seat).ok_or(RecordError::UnknownSeat(seat))?;
        let seq = reader.u32().ok_or(RecordError::Length)?;
        let prev = reader.array().ok_or(RecordError::Length)?;
        let spent_ms = reader.u32().ok_or(RecordError::Length)?;
        let len = reader.u16().ok_or(RecordError::Length)?;
        let body = reader.take(usize::from(len)).ok_or(RecordError::Length)?;
        let body = Body::from_bytes(kind, body).ok_or(RecordError::Body(kind))?;
        let signature = reader.array().ok_or(RecordError::Length)?;
        let entry = Entry { seat, seq, prev, spent_ms, body };
        Ok((Record { entry, signature }, reader.rest()))
    }

    /// Whether the owner of `key` signed it for this game.
    #[must_use]
    pub fn is_signed_by(&self, key: &PublicKey, game_id: &Value) -> bool {
        is_signed_by(key, &self.entry.id(game_id), &self.signature)
    }
}
