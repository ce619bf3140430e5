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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may unwrap")]

    use super::*;

    fn bytes(hex: &str) -> Vec<u8> {
        (0..hex.len())
            .step_by(2)
            .map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap())
            .collect()
    }

    fn value(hex: &str) -> Value {
        bytes(hex).try_into().unwrap()
    }

    /// Made by an independent program: K and R, their rooms and their keys.
    #[test]
    fn rooms_and_keys_agree_with_the_golden_vectors() {
        let golden = [
            (
                "4f7117589ac295234447c66960d47607cb62a29bdbc6f2a34fdd3fb041b6fa67",
                "zTjUlsrOvvJbLuNqwrGKkA",
                "15978441e4dcd2f71defca02d45f193ef87fe892f9b41eda976bc123f0712705",
            ),
            (
                "d4932115d2ebe25f65528167f2015a09462f2346a8f43d922ac51bec7056ff1f",
                "8S2UHc6Iz8bJWUxKeaDS6g",
                "9f5a8fedd646b268980a69d7b09f4f57ee7e44911388c1c0a71feae961f00c3f",
            ),
        ];
        for (secret, room, key) in golden {
            let meeting = Meeting::new(&value(secret));
            assert_eq!(meeting.name(), room);
            assert_eq!(meeting.key, value(key));
        }
    }

    /// draft-irtf-cfrg-xchacha-03, appendix A.3.1.
    #[test]
    fn sealing_is_xchacha20_poly1305() {
        let key = std::array::from_fn(|i| 0x80 + i as u8);
        let nonce = std::array::from_fn(|i| 0x40 + i as u8);
        let data = bytes("50515253c0c1c2c3c4c5c6c7");
        let plain = b"Ladies and Gentlemen of the class of '99: If I could offer you only one tip \
                      for the future, sunscreen would be it.";
        let sealed = bytes(concat!(
            "bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb",
            "731c7f1b0b4aa6440bf3a82f4eda7e39ae64c6708c54c216cb96b72e1213b452",
            "2f8c9ba40db5d945b11b69b982c1bb9e3f3fac2bc369488f76b2383565d3fff9",
            "21f9664c97637da9768812f615c68b13b52e",
            "c0875924c1c7987947deafd8780acf49",
        ));
        assert_eq!(seal(&key, &data, &nonce, plain), sealed);
        assert_eq!(open(&key, &data, &nonce, &sealed).unwrap(), plain);
        assert_eq!(open(&key, b"other data", &nonce, &sealed), None);
    }

    #[test]
    fn a_signal_is_laid_out_as_described() {
        let meeting = Meeting::new(&[1; 32]);
        let heading = Heading { role: Color::Black, own: [2; 16], other: [3; 16], n: 0x0405 };
        let letter = Letter::Signal(Signal::Answer("sdp".into()));
        let sealed = meeting.seal(&heading, &[6; 24], &letter);
        assert_eq!(sealed.len(), 37 + 24 + 4 + 16);
        assert_eq!(sealed[0], 1);
        assert_eq!(sealed[1..17], [2; 16]);
        assert_eq!(sealed[17..33], [3; 16]);
        assert_eq!(sealed[33..37], [0, 0, 4, 5]);
        assert_eq!(sealed[37..61], [6; 24]);
        let data = [meeting.room.as_slice(), &sealed[..37]].concat();
        assert_eq!(open(&meeting.key, &data, &[6; 24], &sealed[61..]).unwrap(), b"\x02sdp");
        assert_eq!(meeting.open(&sealed), Some((heading, letter)));
        assert_eq!(Meeting::new(&[2; 32]).open(&sealed), None);
    }

    #[test]
    fn letters_read_back_and_nothing_else_does() {
        let taken = Taken { guest_key: [1; 32], signature: [2; 64] };
        let letters = [
            Letter::Hello,
            Letter::Signal(Signal::Offer("o".into())),
            Letter::Signal(Signal::Answer(String::new())),
            Letter::Signal(Signal::Ice("и".into())),
            Letter::Taken(taken),
        ];
        for (what, letter) in letters.into_iter().enumerate() {
            assert_eq!(usize::from(letter.to_bytes()[0]), what);
            assert_eq!(Letter::from_bytes(&letter.to_bytes()), Some(letter));
        }
        let wrong: [&[u8]; 6] = [b"", b"\0x", b"\x01\xff", b"\x05", b"\x04short", &[4; 98]];
        assert!(wrong.iter().all(|it| Letter::from_bytes(it).is_none()));
    }
}
