use crate::bytes::Reader;
use crate::{Header, Log, Secret, SignatureBytes, State, is_signed_by};
use fair_dice::{Value, tagged_hash};
use rules::Color;

/// What a side claims of the other, beside the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Why {
    /// The other's time is up.
    Time = 1,
    /// The other is away for longer than the grace.
    Absence = 2,
}

/// A signed note that the win is claimed. It is never an entry: a longer log voids it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Who claims.
    pub seat: Color,
    /// Why.
    pub why: Why,
    /// The length of the log at which it is claimed.
    pub len: u32,
    /// The head of the log at which it is claimed.
    pub head: Value,
    /// How long the claimant had waited by his own monotonic clock, in milliseconds.
    pub waited_ms: u32,
    /// The claimant's signature.
    pub signature: SignatureBytes,
}

impl Claim {
    fn signed_part(&self) -> Vec<u8> {
        let mut bytes = vec![self.seat.seat(), self.why as u8];
        bytes.extend_from_slice(&self.len.to_be_bytes());
        bytes.extend_from_slice(&self.head);
        bytes.extend_from_slice(&self.waited_ms.to_be_bytes());
        bytes
    }

    fn value(&self, game_id: &Value) -> Value {
        tagged_hash("zari/claim/1", &[game_id, &self.signed_part()])
    }

    /// The claim of `seat` at the log as it stands, if it may claim there.
    #[must_use]
    pub fn sign(
        log: &Log,
        seat: Color,
        secret: &Secret,
        why: Why,
        waited_ms: u32,
    ) -> Option<Claim> {
        let mut claim =
            Claim { seat, why, len: log.len(), head: log.head(), waited_ms, signature: [0; 64] };
        if !claim.may_stand(log) {
            return None;
        }
        claim.signature = secret.sign(&claim.value(log.header().game_id()));
        Some(claim)
    }

    /// Seat, why, length, head, waited, signature.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.signed_part();
        bytes.extend_from_slice(&self.signature);
        bytes
    }

    /// Reads exactly what [`Claim::to_bytes`] writes.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Claim> {
        let mut reader = Reader::new(bytes);
        let seat = Color::from_seat(reader.u8()?)?;
        let why = match reader.u8()? {
            1 => Why::Time,
            2 => Why::Absence,
            _ => return None,
        };
        let len = reader.u32()?;
        let head = reader.array()?;
        let waited_ms = reader.u32()?;
        let signature = reader.array()?;
        reader.is_done().then_some(Claim { seat, why, len, head, waited_ms, signature })
    }

    /// Whether its claimant really signed it for this game.
    #[must_use]
    pub fn is_signed(&self, header: &Header) -> bool {
        is_signed_by(header.key(self.seat), &self.value(header.game_id()), &self.signature)
    }

    /// Whether it holds at the head of this log: signed, at this very head, by the seat whose word is
    /// not next, in a game that is being played.
    #[must_use]
    pub fn holds(&self, log: &Log) -> bool {
        self.may_stand(log) && self.is_signed(log.header())
    }

    fn may_stand(&self, log: &Log) -> bool {
        let played = !matches!(log.table().state(), State::Opening | State::Over | State::Closed);
        let author = log.table().awaiting().seat();
        played
            && author == Some(self.seat.opposite())
            && self.len == log.len()
            && self.head == log.head()
    }
}
