use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};
use fair_dice::{Chain, Value, derive, tip_guest, tip_host};
use rules::Color;

/// An Ed25519 public key.
pub type PublicKey = [u8; 32];
/// An Ed25519 signature.
pub type SignatureBytes = [u8; 64];

/// The one secret of a seat in one game, from which its signing key and its dice chain follow.
/// Whoever has it can play in this seat.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(Value);

impl Secret {
    /// A secret of 32 random bytes.
    #[must_use]
    pub const fn new(random: Value) -> Secret {
        Secret(random)
    }

    /// The bytes, for storing them.
    #[must_use]
    pub const fn as_bytes(&self) -> &Value {
        &self.0
    }

    fn signing_key(&self) -> SigningKey {
        SigningKey::from_bytes(&derive(&self.0, "zari/key/1"))
    }

    /// The public key of this seat.
    #[must_use]
    pub fn public_key(&self) -> PublicKey {
        self.signing_key().verifying_key().to_bytes()
    }

    /// Signs one 32-byte value.
    #[must_use]
    pub fn sign(&self, value: &Value) -> SignatureBytes {
        self.signing_key().sign(value).to_bytes()
    }

    /// R, the secret under which two bound players meet again. It follows from the guest's secret.
    #[must_use]
    pub fn meeting(&self) -> Value {
        derive(&self.0, "zari/meet/1")
    }

    fn root(&self) -> Value {
        derive(&self.0, "zari/root/1")
    }

    /// The host's chain, which depends on the guest's ACCEPT: one chain never serves two games.
    #[must_use]
    pub fn host_chain(&self, offer: &[u8], accept: &[u8]) -> Chain {
        Chain::new(&self.public_key(), Color::White, tip_host(&self.root(), offer, accept))
    }

    /// The guest's chain, which depends on the OFFER.
    #[must_use]
    pub fn guest_chain(&self, offer: &[u8]) -> Chain {
        Chain::new(&self.public_key(), Color::Black, tip_guest(&self.root(), offer))
    }
}

/// Never shows the secret.
impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// Whether `signature` over `value` was made with the key behind `key`. Strict: keys of small order
/// and malleable signatures are refused.
#[must_use]
pub fn is_signed_by(key: &PublicKey, value: &Value, signature: &SignatureBytes) -> bool {
    VerifyingKey::from_bytes(key)
        .is_ok_and(|key| key.verify_strict(value, &Signature::from_bytes(signature)).is_ok())
}

/// A taken seat: what is needed to write this seat's entries of one game.
#[derive(Clone)]
pub struct Seat {
    color: Color,
    secret: Secret,
    chain: Chain,
}

impl Seat {
    /// The host's seat, white.
    #[must_use]
    pub fn host(secret: Secret, offer: &[u8], accept: &[u8]) -> Seat {
        let chain = secret.host_chain(offer, accept);
        Seat { color: Color::White, secret, chain }
    }

    /// The guest's seat, black.
    #[must_use]
    pub fn guest(secret: Secret, offer: &[u8]) -> Seat {
        let chain = secret.guest_chain(offer);
        Seat { color: Color::Black, secret, chain }
    }

    /// Which side it plays.
    #[must_use]
    pub const fn color(&self) -> Color {
        self.color
    }

    /// The seat's secret.
    #[must_use]
    pub const fn secret(&self) -> &Secret {
        &self.secret
    }

    /// The dice chain of this seat.
    #[must_use]
    pub const fn chain(&self) -> &Chain {
        &self.chain
    }
}

impl std::fmt::Debug for Seat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Seat").field("color", &self.color).finish_non_exhaustive()
    }
}
