use crate::bytes::Reader;
use crate::{Name, NameError, PublicKey, Secret, SignatureBytes, is_signed_by};
use fair_dice::{Value, derive, tagged_hash};
use rules::{ByColor, Color, RULESET_BYTES, Ruleset, RulesetError};
use thiserror::Error;

/// The version of every layout here.
pub const VERSION: u8 = 1;

/// What the host offers to whoever has the link: the rules, his key and his name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// The rules of the game.
    pub ruleset: Ruleset,
    /// The host's public key.
    pub host_key: PublicKey,
    /// The host's name.
    pub host_name: Name,
}

/// What the guest answers: his key, the anchor of his dice chain and his name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accept {
    /// The guest's public key.
    pub guest_key: PublicKey,
    /// The anchor of the guest's dice chain.
    pub anchor: Value,
    /// The guest's name.
    pub guest_name: Name,
}

/// The host's answer to an [`Accept`], computed and not stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// The anchor of the host's dice chain.
    pub anchor: Value,
    /// The host's signature over the game's id.
    pub signature: SignatureBytes,
}

/// The guest's last word of the handshake; it seats him.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seated {
    /// The guest's signature over the game's id.
    pub signature: SignatureBytes,
    /// R, under which the two meet from now on.
    pub meeting: Value,
    /// The same ACCEPT again, so that the host had nothing to remember.
    pub accept: Accept,
}

/// The host's proof to a stranger that the invitation is used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Taken {
    /// The key of the guest who has the seat.
    pub guest_key: PublicKey,
    /// The host's signature over it.
    pub signature: SignatureBytes,
}

/// Why bytes are no part of a handshake, or why its parts do not belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum HeaderError {
    /// Too few bytes, or some left over.
    #[error("the handshake has a wrong length")]
    Length,
    /// Written by another version of the protocol.
    #[error("the other page speaks version {0} of the protocol, this one {VERSION}")]
    OtherVersion(u8),
    /// No ruleset that this version plays.
    #[error(transparent)]
    Ruleset(#[from] RulesetError),
    /// No name.
    #[error(transparent)]
    Name(#[from] NameError),
    /// Host and guest show the same key.
    #[error("host and guest have the same key")]
    SameKeys,
    /// The signature of this seat over the game's id does not hold.
    #[error("the handshake's signature of seat {0} is wrong")]
    Signature(u8),
    /// The OFFER is not the one that the link commits to.
    #[error("the offer is not the one that the link names")]
    OtherOffer,
}

fn version(reader: &mut Reader<'_>) -> Result<(), HeaderError> {
    match reader.u8() {
        Some(VERSION) => Ok(()),
        Some(other) => Err(HeaderError::OtherVersion(other)),
        None => Err(HeaderError::Length),
    }
}

fn name(mut reader: Reader<'_>) -> Result<Name, HeaderError> {
    let len = reader.u8().ok_or(HeaderError::Length)?;
    let bytes = reader.take(usize::from(len)).ok_or(HeaderError::Length)?;
    if !reader.is_done() {
        return Err(HeaderError::Length);
    }
    Ok(Name::from_bytes(bytes)?)
}

fn push_name(bytes: &mut Vec<u8>, name: &Name) {
    // A name has at most 32 bytes by construction.
    bytes.push(u8::try_from(name.as_bytes().len()).unwrap_or(0));
    bytes.extend_from_slice(name.as_bytes());
}

impl Offer {
    /// The bytes that are hashed and sent.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![VERSION];
        bytes.extend_from_slice(&self.ruleset.to_bytes());
        bytes.extend_from_slice(&self.host_key);
        push_name(&mut bytes, &self.host_name);
        bytes
    }

    /// Reads exactly what [`Offer::to_bytes`] writes.
    ///
    /// # Errors
    /// Says what is wrong with the bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Offer, HeaderError> {
        let mut reader = Reader::new(bytes);
        version(&mut reader)?;
        let ruleset: [u8; RULESET_BYTES] = reader.array().ok_or(HeaderError::Length)?;
        let ruleset = Ruleset::from_bytes(&ruleset)?;
        let host_key = reader.array().ok_or(HeaderError::Length)?;
        Ok(Offer { ruleset, host_key, host_name: name(reader)? })
    }

    /// K, the link's secret; it commits to this very offer.
    #[must_use]
    pub fn invitation_key(&self, pad: &Value) -> Value {
        invitation_key(&self.to_bytes(), pad)
    }
}

/// K of an offer's bytes and its pad.
#[must_use]
pub fn invitation_key(offer: &[u8], pad: &Value) -> Value {
    tagged_hash("zari/invite/1", &[offer, pad])
}

impl Accept {
    /// The guest's answer to an offer.
    #[must_use]
    pub fn to_offer(offer: &[u8], secret: &Secret, guest_name: Name) -> Accept {
        Accept {
            guest_key: secret.public_key(),
            anchor: secret.guest_chain(offer).anchor(),
            guest_name,
        }
    }

    /// The bytes that are hashed and sent.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![VERSION];
        bytes.extend_from_slice(&self.guest_key);
        bytes.extend_from_slice(&self.anchor);
        push_name(&mut bytes, &self.guest_name);
        bytes
    }

    /// Reads exactly what [`Accept::to_bytes`] writes.
    ///
    /// # Errors
    /// Says what is wrong with the bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Accept, HeaderError> {
        let mut reader = Reader::new(bytes);
        version(&mut reader)?;
        let guest_key = reader.array().ok_or(HeaderError::Length)?;
        let anchor = reader.array().ok_or(HeaderError::Length)?;
        Ok(Accept { guest_key, anchor, guest_name: name(reader)? })
    }
}

impl Start {
    /// The host's answer to an ACCEPT: always the same for the same secret, OFFER and ACCEPT.
    ///
    /// # Errors
    /// [`HeaderError::SameKeys`] when the guest shows the host's own key.
    pub fn to_accept(
        secret: &Secret,
        offer: &Offer,
        accept: &Accept,
    ) -> Result<Start, HeaderError> {
        if offer.host_key == accept.guest_key {
            return Err(HeaderError::SameKeys);
        }
        let (offer, accept) = (offer.to_bytes(), accept.to_bytes());
        let anchor = secret.host_chain(&offer, &accept).anchor();
        let signature = secret.sign(&game_id(&offer, &accept, &anchor));
        Ok(Start { anchor, signature })
    }

    /// 96 bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        [self.anchor.as_slice(), &self.signature].concat()
    }

    /// Reads exactly what [`Start::to_bytes`] writes.
    ///
    /// # Errors
    /// [`HeaderError::Length`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Start, HeaderError> {
        let mut reader = Reader::new(bytes);
        match (reader.array(), reader.array(), reader.is_done()) {
            (Some(anchor), Some(signature), true) => Ok(Start { anchor, signature }),
            _ => Err(HeaderError::Length),
        }
    }
}

impl Seated {
    /// sig1 | R | ACCEPT.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        [self.signature.as_slice(), &self.meeting, &self.accept.to_bytes()].concat()
    }

    /// Reads exactly what [`Seated::to_bytes`] writes.
    ///
    /// # Errors
    /// Says what is wrong with the bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Seated, HeaderError> {
        let mut reader = Reader::new(bytes);
        let signature = reader.array().ok_or(HeaderError::Length)?;
        let meeting = reader.array().ok_or(HeaderError::Length)?;
        Ok(Seated { signature, meeting, accept: Accept::from_bytes(reader.rest())? })
    }
}

impl Taken {
    /// The host's proof for the guest who has the seat.
    #[must_use]
    pub fn sign(secret: &Secret, offer: &[u8], guest_key: PublicKey) -> Taken {
        Taken { guest_key, signature: secret.sign(&Taken::value(offer, &guest_key)) }
    }

    fn value(offer: &[u8], guest_key: &PublicKey) -> Value {
        tagged_hash("zari/taken/1", &[offer, guest_key])
    }

    /// Whether the host of this offer really said so.
    #[must_use]
    pub fn is_signed(&self, offer: &Offer) -> bool {
        let value = Taken::value(&offer.to_bytes(), &self.guest_key);
        is_signed_by(&offer.host_key, &value, &self.signature)
    }

    /// 96 bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        [self.guest_key.as_slice(), &self.signature].concat()
    }

    /// Reads exactly what [`Taken::to_bytes`] writes.
    ///
    /// # Errors
    /// [`HeaderError::Length`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Taken, HeaderError> {
        let mut reader = Reader::new(bytes);
        match (reader.array(), reader.array(), reader.is_done()) {
            (Some(guest_key), Some(signature), true) => Ok(Taken { guest_key, signature }),
            _ => Err(HeaderError::Length),
        }
    }
}

/// The game's id: it binds the offer, the answer and the host's anchor.
#[must_use]
pub fn game_id(offer: &[u8], accept: &[u8], host_anchor: &Value) -> Value {
    tagged_hash("zari/gid/1", &[offer, accept, host_anchor])
}

/// The first half of `HKDF(meeting, "zari/room/1")`: the room's name before base64url.
#[must_use]
pub fn room(meeting: &Value) -> [u8; 16] {
    let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, ..] = derive(meeting, "zari/room/1");
    [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p]
}

/// Four numbers below 2048, 44 bits in all, that both friends see when nobody stands between them.
#[must_use]
pub fn four_words(game_id: &Value) -> [u16; 4] {
    let bytes = tagged_hash("zari/words/1", &[game_id]);
    let bits = bytes.iter().take(8).fold(0u64, |bits, &byte| (bits << 8) | u64::from(byte));
    // Masked to 11 bits, so the cast keeps everything.
    [53u32, 42, 31, 20].map(|shift| ((bits >> shift) & 0x7FF) as u16)
}

/// A finished handshake: who plays whom by which rules, signed by both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    offer: Offer,
    accept: Accept,
    start: Start,
    guest_signature: SignatureBytes,
    game_id: Value,
}

impl Header {
    /// Puts the four parts together if they belong together.
    ///
    /// # Errors
    /// [`HeaderError::SameKeys`] or [`HeaderError::Signature`].
    pub fn new(
        offer: Offer,
        accept: Accept,
        start: Start,
        guest_signature: SignatureBytes,
    ) -> Result<Header, HeaderError> {
        if offer.host_key == accept.guest_key {
            return Err(HeaderError::SameKeys);
        }
        let game_id = game_id(&offer.to_bytes(), &accept.to_bytes(), &start.anchor);
        if !is_signed_by(&offer.host_key, &game_id, &start.signature) {
            return Err(HeaderError::Signature(0));
        }
        if !is_signed_by(&accept.guest_key, &game_id, &guest_signature) {
            return Err(HeaderError::Signature(1));
        }
        Ok(Header { offer, accept, start, guest_signature, game_id })
    }

    /// The whole handshake between two secrets in one hand: games on one device.
    ///
    /// # Errors
    /// [`HeaderError::SameKeys`] when both secrets are the same.
    pub fn on_one_device(
        ruleset: Ruleset,
        secrets: &ByColor<Secret>,
        names: ByColor<Name>,
    ) -> Result<Header, HeaderError> {
        let host_key = secrets.white.public_key();
        let offer = Offer { ruleset, host_key, host_name: names.white };
        let accept = Accept::to_offer(&offer.to_bytes(), &secrets.black, names.black);
        let start = Start::to_accept(&secrets.white, &offer, &accept)?;
        let id = game_id(&offer.to_bytes(), &accept.to_bytes(), &start.anchor);
        Header::new(offer, accept, start, secrets.black.sign(&id))
    }

    /// The game's id.
    #[must_use]
    pub const fn game_id(&self) -> &Value {
        &self.game_id
    }

    /// What the host offered.
    #[must_use]
    pub const fn offer(&self) -> &Offer {
        &self.offer
    }

    /// What the guest answered.
    #[must_use]
    pub const fn accept(&self) -> &Accept {
        &self.accept
    }

    /// What the host answered to that.
    #[must_use]
    pub const fn start(&self) -> &Start {
        &self.start
    }

    /// The guest's signature over the game's id.
    #[must_use]
    pub const fn guest_signature(&self) -> &SignatureBytes {
        &self.guest_signature
    }

    /// The rules of the game.
    #[must_use]
    pub const fn ruleset(&self) -> &Ruleset {
        &self.offer.ruleset
    }

    /// The public key of a seat.
    #[must_use]
    pub const fn key(&self, color: Color) -> &PublicKey {
        match color {
            Color::White => &self.offer.host_key,
            Color::Black => &self.accept.guest_key,
        }
    }

    /// The anchor of a seat's dice chain.
    #[must_use]
    pub const fn anchor(&self, color: Color) -> &Value {
        match color {
            Color::White => &self.start.anchor,
            Color::Black => &self.accept.anchor,
        }
    }

    /// The name that goes with a seat.
    #[must_use]
    pub const fn name(&self, color: Color) -> &Name {
        match color {
            Color::White => &self.offer.host_name,
            Color::Black => &self.accept.guest_name,
        }
    }
}
