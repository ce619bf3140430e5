use fair_dice::Value;
use rules::Color;
use table::{Accept, Header, HeaderError, Offer, Seat, Seated, Secret, Start};
use thiserror::Error;

/// What a seat has to store beside the log, in one of two shapes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kept {
    /// The host's.
    Host(HostSeat),
    /// The guest's.
    Guest(GuestSeat),
}

/// What a host stores: before the link is shown without, later with the guest's SEAT.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostSeat {
    /// The random part of K.
    pub pad: Value,
    /// The seat's secret.
    pub secret: Secret,
    /// What the link commits to.
    pub offer: Offer,
    /// The guest who is bound to this game, for good.
    pub seated: Option<Seated>,
}

/// What a guest stores before he says that he is seated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GuestSeat {
    /// K of the link.
    pub key: Value,
    /// The seat's secret.
    pub secret: Secret,
    /// What the link commits to.
    pub offer: Offer,
    /// The guest's answer.
    pub accept: Accept,
    /// The host's answer to it.
    pub start: Start,
}

/// Why stored bytes are no seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum KeptError {
    /// Cut short, too long or of an unknown shape.
    #[error("the stored seat is damaged")]
    Layout,
    /// The parts do not belong together.
    #[error(transparent)]
    Header(#[from] HeaderError),
}

impl Kept {
    /// K, under which it is stored.
    #[must_use]
    pub fn key(&self) -> Value {
        match self {
            Kept::Host(it) => it.offer.invitation_key(&it.pad),
            Kept::Guest(it) => it.key,
        }
    }

    /// The side of this seat.
    #[must_use]
    pub const fn color(&self) -> Color {
        match self {
            Kept::Host(_) => Color::White,
            Kept::Guest(_) => Color::Black,
        }
    }

    /// The finished handshake; `None` for a host without a guest.
    ///
    /// # Errors
    /// [`KeptError::Header`] when the stored parts do not belong together.
    pub fn header(&self) -> Result<Option<Header>, KeptError> {
        match self {
            Kept::Host(HostSeat { seated: None, .. }) => Ok(None),
            Kept::Host(HostSeat { secret, offer, seated: Some(seated), .. }) => {
                let start = Start::to_accept(secret, offer, &seated.accept)?;
                let accept = seated.accept.clone();
                Ok(Some(Header::new(offer.clone(), accept, start, seated.signature)?))
            }
            Kept::Guest(it) => {
                let (offer, accept) = (it.offer.to_bytes(), it.accept.to_bytes());
                let signature = it.secret.sign(&table::game_id(&offer, &accept, &it.start.anchor));
                Ok(Some(Header::new(it.offer.clone(), it.accept.clone(), it.start, signature)?))
            }
        }
    }

    /// The seat that writes entries; `None` for a host without a guest.
    #[must_use]
    pub fn seat(&self) -> Option<Seat> {
        match self {
            Kept::Host(it) => it.seated.as_ref().map(|seated| {
                Seat::host(it.secret.clone(), &it.offer.to_bytes(), &seated.accept.to_bytes())
            }),
            Kept::Guest(it) => Some(Seat::guest(it.secret.clone(), &it.offer.to_bytes())),
        }
    }

    /// The bytes to store: u8 0 host | pad 32 | secret 32 | u8 length | OFFER | SEAT or nothing, or
    /// u8 1 guest | K 32 | secret 32 | u8 length | OFFER | START 96 | ACCEPT.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        match self {
            Kept::Host(it) => {
                bytes.push(0);
                bytes.extend_from_slice(&it.pad);
                bytes.extend_from_slice(it.secret.as_bytes());
                push_offer(&mut bytes, &it.offer);
                bytes.extend(it.seated.iter().flat_map(Seated::to_bytes));
            }
            Kept::Guest(it) => {
                bytes.push(1);
                bytes.extend_from_slice(&it.key);
                bytes.extend_from_slice(it.secret.as_bytes());
                push_offer(&mut bytes, &it.offer);
                bytes.extend(it.start.to_bytes());
                bytes.extend(it.accept.to_bytes());
            }
        }
        bytes
    }

    /// Reads exactly what [`Kept::to_bytes`] writes. Whether the parts belong together is said by
    /// [`Kept::header`].
    ///
    /// # Errors
    /// Says what is wrong with the bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Kept, KeptError> {
        let (&shape, rest) = bytes.split_first().ok_or(KeptError::Layout)?;
        let (&first, rest) = rest.split_first_chunk::<32>().ok_or(KeptError::Layout)?;
        let (&secret, rest) = rest.split_first_chunk::<32>().ok_or(KeptError::Layout)?;
        let secret = Secret::new(secret);
        let (&len, rest) = rest.split_first().ok_or(KeptError::Layout)?;
        let (offer, rest) = rest.split_at_checked(usize::from(len)).ok_or(KeptError::Layout)?;
        let offer = Offer::from_bytes(offer)?;
        match shape {
            0 => {
                let seated = match rest {
                    [] => None,
                    rest => Some(Seated::from_bytes(rest)?),
                };
                Ok(Kept::Host(HostSeat { pad: first, secret, offer, seated }))
            }
            1 => {
                let (start, accept) = rest.split_at_checked(96).ok_or(KeptError::Layout)?;
                let (start, accept) = (Start::from_bytes(start)?, Accept::from_bytes(accept)?);
                Ok(Kept::Guest(GuestSeat { key: first, secret, offer, accept, start }))
            }
            _ => Err(KeptError::Layout),
        }
    }
}

fn push_offer(bytes: &mut Vec<u8>, offer: &Offer) {
    let offer = offer.to_bytes();
    // At most 78 bytes: version, ruleset, key, length and name.
    bytes.push(offer.len() as u8);
    bytes.extend_from_slice(&offer);
}
