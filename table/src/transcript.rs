use crate::{
    Accept, Claim, Header, HeaderError, Log, Offer, Record, RecordError, SignatureBytes, Start,
};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A game as it is shown to anybody: no secrets in it, enough to check everything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transcript {
    /// The handshake's OFFER.
    pub offer: Vec<u8>,
    /// The handshake's ACCEPT.
    pub accept: Vec<u8>,
    /// The handshake's START.
    pub start: Vec<u8>,
    /// The guest's signature over the game's id.
    pub guest_signature: Vec<u8>,
    /// All records.
    pub records: Vec<Vec<u8>>,
    /// The claims kept beside the log.
    pub claims: Vec<Vec<u8>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Layout {
    zari: u8,
    offer: String,
    accept: String,
    start: String,
    seat: String,
    records: Vec<String>,
    claims: Vec<String>,
}

/// Why a text is no transcript.
#[derive(Debug, Error)]
pub enum TranscriptError {
    /// Not the JSON object that a transcript is.
    #[error("not a transcript: {0}")]
    Json(#[from] serde_json::Error),
    /// Written by another version.
    #[error("a transcript of version {0}; this program reads version 1")]
    OtherVersion(u8),
    /// A field is not base64url without padding.
    #[error("field {0} is not base64url")]
    Base64(&'static str),
}

/// Why a transcript's parts do not make a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum TranscriptFault {
    /// The handshake does not hold.
    #[error(transparent)]
    Header(#[from] HeaderError),
    /// The record with this number is no record.
    #[error("record {0}: {1}")]
    Record(u32, RecordError),
    /// The record with this number does not hold.
    #[error("entry {0}: {1}")]
    Log(u32, crate::RecordFault),
    /// A claim is malformed, not signed, or was never one that could be made.
    #[error("claim {0} does not hold")]
    Claim(u32),
}

impl Transcript {
    /// The transcript of a log and the claims kept beside it.
    #[must_use]
    pub fn of(log: &Log, claims: &[Claim]) -> Transcript {
        let header = log.header();
        Transcript {
            offer: header.offer().to_bytes(),
            accept: header.accept().to_bytes(),
            start: header.start().to_bytes(),
            guest_signature: header.guest_signature().to_vec(),
            records: log.records_from(0).iter().map(Record::to_bytes).collect(),
            claims: claims.iter().map(Claim::to_bytes).collect(),
        }
    }

    /// One JSON object.
    #[must_use]
    pub fn to_json(&self) -> String {
        let encode = |bytes: &Vec<u8>| URL_SAFE_NO_PAD.encode(bytes);
        let layout = Layout {
            zari: 1,
            offer: encode(&self.offer),
            accept: encode(&self.accept),
            start: encode(&self.start),
            seat: encode(&self.guest_signature),
            records: self.records.iter().map(encode).collect(),
            claims: self.claims.iter().map(encode).collect(),
        };
        // A struct of strings always serializes.
        serde_json::to_string(&layout).unwrap_or_default()
    }

    /// Reads the JSON object.
    ///
    /// # Errors
    /// Says why the text is no transcript. Whether its contents hold is another question.
    pub fn from_json(text: &str) -> Result<Transcript, TranscriptError> {
        // The version first: another version may well have other fields.
        #[derive(Deserialize)]
        struct Version {
            zari: u8,
        }
        let Version { zari } = serde_json::from_str(text)?;
        if zari != 1 {
            return Err(TranscriptError::OtherVersion(zari));
        }
        let layout: Layout = serde_json::from_str(text)?;
        let decode = |text: &String, field| {
            URL_SAFE_NO_PAD.decode(text).map_err(|_| TranscriptError::Base64(field))
        };
        let decode_all = |texts: &[String], field| {
            texts.iter().map(|text| decode(text, field)).collect::<Result<Vec<_>, _>>()
        };
        Ok(Transcript {
            offer: decode(&layout.offer, "offer")?,
            accept: decode(&layout.accept, "accept")?,
            start: decode(&layout.start, "start")?,
            guest_signature: decode(&layout.seat, "seat")?,
            records: decode_all(&layout.records, "records")?,
            claims: decode_all(&layout.claims, "claims")?,
        })
    }

    /// Checks the handshake and every record, and gives back the log.
    ///
    /// # Errors
    /// The first thing that does not hold.
    pub fn log(&self) -> Result<Log, TranscriptFault> {
        let signature: SignatureBytes =
            self.guest_signature.as_slice().try_into().map_err(|_| HeaderError::Length)?;
        let header = Header::new(
            Offer::from_bytes(&self.offer)?,
            Accept::from_bytes(&self.accept)?,
            Start::from_bytes(&self.start)?,
            signature,
        )?;
        let mut log = Log::new(header);
        for bytes in &self.records {
            let seq = log.len();
            let record =
                Record::from_bytes(bytes).map_err(|it| TranscriptFault::Record(seq, it))?;
            log.append(record).map_err(|it| TranscriptFault::Log(seq, it))?;
        }
        Ok(log)
    }

    /// The claims, each checked for form and signature.
    ///
    /// # Errors
    /// The number of the first that does not hold.
    pub fn claims(&self, header: &Header) -> Result<Vec<Claim>, TranscriptFault> {
        let claims = self.claims.iter().zip(0u32..);
        claims
            .map(|(bytes, number)| {
                Claim::from_bytes(bytes)
                    .filter(|claim| claim.is_signed(header))
                    .ok_or(TranscriptFault::Claim(number))
            })
            .collect()
    }
}
