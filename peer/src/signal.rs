use crate::Signal;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chacha20poly1305::aead::{Aead, Payload};
use chacha20poly1305::{Key, KeyInit, XChaCha20Poly1305, XNonce};
use fair_dice::{Value, derive};
use rules::Color;
use table::Taken;

/// Names one attempt of one page to connect.
pub type Sid = [u8; 16];

/// The most bytes of one sealed signal that are read. What is sent stays below three quarters of it, so
/// that it fits a message of the signaling server after base64url.
pub const SIGNAL_BYTES: usize = 16 * 1024;
/// The longest session description or candidate that is sent.
pub(crate) const TEXT_BYTES: usize = 12_000;

const HEADING: usize = 37;
const NONCE: usize = 24;

/// One place to meet: the room's name and the key of what is told there, both from one secret (K or R).
#[derive(Clone)]
pub struct Meeting {
    room: [u8; 16],
    key: Value,
}

/// What stands before the sealed part of a signal, and is authenticated with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heading {
    /// The seat that sends.
    pub role: Color,
    /// The sender's attempt.
    pub own: Sid,
    /// The receiver's attempt; zeros for a hello.
    pub other: Sid,
    /// Counts from 0 in this pair of attempts.
    pub n: u32,
}

/// What is sealed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Letter {
    /// I am here, and this is my attempt.
    Hello,
    /// For the connection.
    Signal(Signal),
    /// The seat is taken.
    Taken(Taken),
}

impl Meeting {
    /// Where those meet who know this secret.
    #[must_use]
    pub fn new(secret: &Value) -> Meeting {
        Meeting { room: table::room(secret), key: derive(secret, "zari/signal/1") }
    }

    /// The room's name on the signaling server.
    #[must_use]
    pub fn name(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.room)
    }

    /// Seals a letter. `nonce` must be random.
    #[must_use]
    pub fn seal(&self, heading: &Heading, nonce: &[u8; NONCE], letter: &Letter) -> Vec<u8> {
        let heading = heading.to_bytes();
        let data = self.data(&heading);
        let sealed = seal(&self.key, &data, nonce, &letter.to_bytes());
        [heading.as_slice(), nonce, &sealed].concat()
    }

    /// Opens what [`Meeting::seal`] made; `None` when it is anything else.
    #[must_use]
    pub fn open(&self, bytes: &[u8]) -> Option<(Heading, Letter)> {
        if bytes.len() > SIGNAL_BYTES {
            return None;
        }
        let (heading, rest) = bytes.split_first_chunk::<HEADING>()?;
        let (nonce, sealed) = rest.split_first_chunk::<NONCE>()?;
        let plain = open(&self.key, &self.data(heading), nonce, sealed)?;
        Some((Heading::from_bytes(heading)?, Letter::from_bytes(&plain)?))
    }

    fn data(&self, heading: &[u8; HEADING]) -> Vec<u8> {
        [self.room.as_slice(), heading].concat()
    }
}

/// Never shows the key.
impl std::fmt::Debug for Meeting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Meeting").field(&self.name()).finish()
    }
}

/// XChaCha20-Poly1305: the cipher text with its tag.
///
/// # Panics
/// Never: only gigabytes of plain text could fail.
#[must_use]
pub fn seal(key: &Value, data: &[u8], nonce: &[u8; 24], plain: &[u8]) -> Vec<u8> {
    XChaCha20Poly1305::new(&Key::from(*key))
        .encrypt(&XNonce::from(*nonce), Payload { msg: plain, aad: data })
        .expect("a letter is far shorter than the cipher's limit")
}

/// Opens what [`seal`] made; `None` when it is anything else.
#[must_use]
pub fn open(key: &Value, data: &[u8], nonce: &[u8; 24], sealed: &[u8]) -> Option<Vec<u8>> {
    XChaCha20Poly1305::new(&Key::from(*key))
        .decrypt(&XNonce::from(*nonce), Payload { msg: sealed, aad: data })
        .ok()
}

impl Heading {
    fn to_bytes(self) -> [u8; HEADING] {
        let mut bytes = [0; HEADING];
        bytes[0] = self.role.seat();
        bytes[1..17].copy_from_slice(&self.own);
        bytes[17..33].copy_from_slice(&self.other);
        bytes[33..].copy_from_slice(&self.n.to_be_bytes());
        bytes
    }

    fn from_bytes(bytes: &[u8; HEADING]) -> Option<Heading> {
        let (&[role], rest) = bytes.split_first_chunk()?;
        let (&own, rest) = rest.split_first_chunk()?;
        let (&other, n) = rest.split_first_chunk()?;
        let n = u32::from_be_bytes(n.try_into().ok()?);
        Some(Heading { role: Color::from_seat(role)?, own, other, n })
    }
}

impl Letter {
    /// u8 what | bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let (what, bytes): (u8, &[u8]) = match self {
            Letter::Hello => (0, &[]),
            Letter::Signal(Signal::Offer(text)) => (1, text.as_bytes()),
            Letter::Signal(Signal::Answer(text)) => (2, text.as_bytes()),
            Letter::Signal(Signal::Ice(text)) => (3, text.as_bytes()),
            Letter::Taken(taken) => (4, &taken.to_bytes()),
        };
        [[what].as_slice(), bytes].concat()
    }

    /// Reads exactly what [`Letter::to_bytes`] writes.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Letter> {
        let (&what, bytes) = bytes.split_first()?;
        let text = || std::str::from_utf8(bytes).ok().map(str::to_owned);
        match what {
            0 => bytes.is_empty().then_some(Letter::Hello),
            1 => Some(Letter::Signal(Signal::Offer(text()?))),
            2 => Some(Letter::Signal(Signal::Answer(text()?))),
            3 => Some(Letter::Signal(Signal::Ice(text()?))),
            4 => Taken::from_bytes(bytes).ok().map(Letter::Taken),
            _ => None,
        }
    }
}
