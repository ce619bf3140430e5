use crate::{Departure, Visibility, Wish};
use fair_dice::{Value, tagged_hash};
use rules::Color;
use table::{
    Claim, HeaderError, Record, RecordError, Resignation, Seated, SignatureBytes, Start, VERSION,
};
use thiserror::Error;

/// The most bytes of one frame.
pub const FRAME_BYTES: usize = 8 * 1024;
/// The most records of one frame.
pub const FRAME_RECORDS: usize = 32;

/// One message of a data channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Frame {
    /// The host's offer and the pad that ties it to the link. The bytes are kept as they are: they may be
    /// of another version, and they are hashed.
    Offer {
        /// The random part of K.
        pad: Value,
        /// OFFER.
        offer: Vec<u8>,
    },
    /// The guest's answer, as it is: it may be of another version.
    Accept(Vec<u8>),
    /// The host's answer to that.
    Start(Start),
    /// The guest is seated.
    Seat(Box<Seated>),
    /// A page presents itself.
    Hail {
        /// 16 random bytes to be signed by the other.
        nonce: [u8; 16],
        /// The life of the sender's page.
        life: u64,
    },
    /// The page has the key of its seat.
    Prove(SignatureBytes),
    /// Where the sender's log stands.
    Sync {
        /// Its length.
        len: u32,
        /// Its head.
        head: Value,
        /// The highest proven life of the receiver's seat.
        life: u64,
    },
    /// The sender wants records from this number on.
    Need {
        /// The first number.
        from: u32,
    },
    /// Some records in a row.
    Records {
        /// The number of the first.
        from: u32,
        /// 1 … 32 records.
        records: Vec<Record>,
    },
    /// A claim beside the log.
    Claim(Box<Claim>),
    /// The sender is there.
    Ping {
        /// The length of its log.
        len: u32,
    },
    /// The sender is there too.
    Pong {
        /// The length of its log.
        len: u32,
    },
    /// The sender goes.
    Bye(Departure),
    /// A hint out of turn.
    Wish(Wish),
    /// The sender's page was shown or hidden.
    Hide(Visibility),
}

/// Why bytes are no frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum FrameError {
    /// More than a frame may have.
    #[error("a frame of more than {FRAME_BYTES} bytes")]
    TooLong,
    /// No such type, or no type at all.
    #[error("an unknown type of frame")]
    UnknownType,
    /// The body is not laid out as its type demands.
    #[error("the body of a frame of type {0} is malformed")]
    Layout(u8),
    /// A part of the handshake in it is wrong.
    #[error(transparent)]
    Handshake(#[from] HeaderError),
    /// A record in it is malformed.
    #[error(transparent)]
    Record(#[from] RecordError),
}

impl Frame {
    /// The bytes to send.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        match self {
            Frame::Offer { pad, offer } => [[1].as_slice(), pad, offer].concat(),
            Frame::Accept(accept) => [[2].as_slice(), accept].concat(),
            Frame::Start(start) => [[3].as_slice(), &start.to_bytes()].concat(),
            Frame::Seat(seated) => [[4].as_slice(), &seated.to_bytes()].concat(),
            Frame::Hail { nonce, life } => [[16].as_slice(), nonce, &life.to_be_bytes()].concat(),
            Frame::Prove(signature) => [[17].as_slice(), signature].concat(),
            Frame::Sync { len, head, life } => {
                [[18].as_slice(), &len.to_be_bytes(), head, &life.to_be_bytes()].concat()
            }
            Frame::Need { from } => [[19].as_slice(), &from.to_be_bytes()].concat(),
            Frame::Records { from, records } => {
                let mut bytes = [[20].as_slice(), &from.to_be_bytes()].concat();
                bytes.extend(records.iter().flat_map(Record::to_bytes));
                bytes
            }
            Frame::Claim(claim) => [[21].as_slice(), &claim.to_bytes()].concat(),
            Frame::Ping { len } => [[32].as_slice(), &len.to_be_bytes()].concat(),
            Frame::Pong { len } => [[33].as_slice(), &len.to_be_bytes()].concat(),
            Frame::Bye(Departure::Reload) => vec![34, 1],
            Frame::Bye(Departure::Leave) => vec![34, 2],
            Frame::Bye(Departure::Superseded) => vec![34, 3],
            Frame::Wish(Wish::NextGame) => vec![35, 1, 0],
            Frame::Wish(Wish::Resign(value)) => vec![35, 2, *value as u8],
            Frame::Hide(Visibility::Shown) => vec![36, 0],
            Frame::Hide(Visibility::Hidden) => vec![36, 1],
        }
    }

    /// Reads exactly what [`Frame::to_bytes`] writes.
    ///
    /// # Errors
    /// Says what is wrong with the bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Frame, FrameError> {
        if bytes.len() > FRAME_BYTES {
            return Err(FrameError::TooLong);
        }
        let (&kind, body) = bytes.split_first().ok_or(FrameError::UnknownType)?;
        let layout = FrameError::Layout(kind);
        Ok(match kind {
            1 => {
                let (&pad, offer) = body.split_first_chunk().ok_or(layout)?;
                Frame::Offer { pad, offer: offer.to_vec() }
            }
            2 => Frame::Accept(body.to_vec()),
            3 => Frame::Start(Start::from_bytes(body)?),
            4 => Frame::Seat(Box::new(Seated::from_bytes(body)?)),
            16 => {
                let (&nonce, life) = body.split_first_chunk().ok_or(layout)?;
                Frame::Hail { nonce, life: u64::from_be_bytes(exact(life).ok_or(layout)?) }
            }
            17 => Frame::Prove(exact(body).ok_or(layout)?),
            18 => {
                let (&len, body) = body.split_first_chunk().ok_or(layout)?;
                let (&head, life) = body.split_first_chunk().ok_or(layout)?;
                let life = u64::from_be_bytes(exact(life).ok_or(layout)?);
                Frame::Sync { len: u32::from_be_bytes(len), head, life }
            }
            19 => Frame::Need { from: u32::from_be_bytes(exact(body).ok_or(layout)?) },
            20 => {
                let (&from, mut rest) = body.split_first_chunk().ok_or(layout)?;
                let mut records = Vec::new();
                while !rest.is_empty() {
                    if records.len() == FRAME_RECORDS {
                        return Err(layout);
                    }
                    let (record, behind) = Record::read(rest)?;
                    records.push(record);
                    rest = behind;
                }
                if records.is_empty() {
                    return Err(layout);
                }
                Frame::Records { from: u32::from_be_bytes(from), records }
            }
            21 => Frame::Claim(Box::new(Claim::from_bytes(body).ok_or(layout)?)),
            32 => Frame::Ping { len: u32::from_be_bytes(exact(body).ok_or(layout)?) },
            33 => Frame::Pong { len: u32::from_be_bytes(exact(body).ok_or(layout)?) },
            34 => Frame::Bye(match body {
                [1] => Departure::Reload,
                [2] => Departure::Leave,
                [3] => Departure::Superseded,
                _ => return Err(layout),
            }),
            35 => Frame::Wish(match *body {
                [1, 0] => Wish::NextGame,
                [2, value] => Wish::Resign(Resignation::from_number(value).ok_or(layout)?),
                _ => return Err(layout),
            }),
            36 => Frame::Hide(match body {
                [0] => Visibility::Shown,
                [1] => Visibility::Hidden,
                _ => return Err(layout),
            }),
            _ => return Err(FrameError::UnknownType),
        })
    }

    /// What a guest answers to an offer that this page cannot play: ACCEPT cut after its version, so that
    /// the host too can say which page is to be reloaded.
    pub(crate) fn other_version() -> Frame {
        Frame::Accept(vec![VERSION])
    }
}

fn exact<const N: usize>(bytes: &[u8]) -> Option<[u8; N]> {
    bytes.try_into().ok()
}

/// What a page signs to prove that it has the key of `seat`.
#[must_use]
pub fn proof(
    game_id: &Value,
    seat: Color,
    own_nonce: &[u8; 16],
    other_nonce: &[u8; 16],
    life: u64,
) -> Value {
    tagged_hash(
        "zari/auth/1",
        &[game_id, &[seat.seat()], own_nonce, other_nonce, &life.to_be_bytes()],
    )
}
