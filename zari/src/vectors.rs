//! `zari vectors`: recomputes every value of a file of golden vectors, laid out as PROTOCOL.md
//! says, from its pad, its secrets, its offer and its names.

use std::fmt::Display;
use std::io::Write;
use std::process::ExitCode;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use fair_dice::{Value, derive};
use rules::{ByColor, Color, Dice};
use serde::Deserialize;
use serde::de::Error as _;
use table::{Accept, Offer, Record, Seat, Seated, Secret, Start, Taken};

use crate::stop::{self, Stop};
use crate::verify;

/// Bytes, lower-case hex in the file.
#[derive(Clone, PartialEq, Eq)]
struct Hex(Vec<u8>);

impl<'de> Deserialize<'de> for Hex {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Hex, D::Error> {
        let text = String::deserialize(deserializer)?;
        match hex::decode(&text) {
            Ok(bytes) if hex::encode(&bytes) == text => Ok(Hex(bytes)),
            _ => Err(D::Error::custom(format_args!("{text:?} is not lower-case hex"))),
        }
    }
}

/// Exactly 32 bytes.
#[derive(Clone, Copy)]
struct Hex32(Value);

impl<'de> Deserialize<'de> for Hex32 {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Hex32, D::Error> {
        let Hex(bytes) = Hex::deserialize(deserializer)?;
        let len = bytes.len();
        let value = bytes.try_into();
        value.map(Hex32).map_err(|_| D::Error::custom(format_args!("{len} bytes instead of 32")))
    }
}

#[derive(Deserialize)]
struct File {
    pad: Hex32,
    #[serde(rename = "K")]
    invitation_key: Hex,
    secret0: Hex32,
    secret1: Hex32,
    offer: Hex,
    accept: Hex,
    gid: Hex,
    anchor0: Hex,
    anchor1: Hex,
    #[serde(rename = "R")]
    meeting: Hex,
    #[serde(default)]
    start: Option<Hex>,
    #[serde(default)]
    seat: Option<Hex>,
    #[serde(default)]
    taken: Option<Hex>,
    rooms: Vec<String>,
    #[serde(default)]
    signal_keys: Vec<Hex>,
    chain: Vec<Link>,
    rolls: Vec<Roll>,
    openings: Vec<Opening>,
    mapping: Vec<Mapping>,
    entries: Vec<Line>,
    #[serde(default)]
    seal: Option<Seal>,
    #[serde(default)]
    files: Vec<Exported>,
}

#[derive(Deserialize)]
struct Link {
    seat: u8,
    i: u32,
    x: Hex,
}

#[derive(Deserialize)]
struct Roll {
    i: u32,
    seed: Hex,
    dice: [u8; 2],
}

#[derive(Deserialize)]
struct Opening {
    seed: Hex32,
    ties: u32,
    dice: [u8; 2],
}

#[derive(Deserialize)]
struct Mapping {
    seed: Hex32,
    dice: [u8; 2],
}

#[derive(Deserialize)]
struct Line {
    kind: u8,
    seat: u8,
    entry: Hex,
    id: Hex,
    sig: Hex,
}

#[derive(Deserialize)]
struct Seal {
    k: Hex32,
    ad: Hex,
    nonce: Hex,
    plain: Hex,
    sealed: Hex,
}

#[derive(Deserialize)]
struct Exported {
    export: serde_json::Value,
    verdict: String,
}

/// The first value that is not what it should be.
struct Difference(String);

/// Counts the values that agree and stops at the first that does not.
struct Comparison(usize);

impl Comparison {
    fn same(
        &mut self,
        name: impl Display,
        file: impl AsRef<[u8]>,
        computed: impl AsRef<[u8]>,
    ) -> Result<(), Difference> {
        self.equal(name, &hex::encode(file), &hex::encode(computed))
    }

    fn equal<T: PartialEq + Display + ?Sized>(
        &mut self,
        name: impl Display,
        file: &T,
        computed: &T,
    ) -> Result<(), Difference> {
        if file != computed {
            let difference = format!("{name} differs: the file has {file}, computed {computed}");
            return Err(Difference(difference));
        }
        self.0 += 1;
        Ok(())
    }

    fn dice(
        &mut self,
        name: impl Display,
        [first, second]: [u8; 2],
        computed: Dice,
    ) -> Result<(), Difference> {
        let file = format!("{first}-{second}");
        let computed = format!("{}-{}", computed.first.pips(), computed.second.pips());
        self.equal(name, &file, &computed)
    }
}

pub(crate) fn run(file: &str, out: &mut impl Write) -> Result<ExitCode, Stop> {
    let text = stop::read(file)?;
    let vectors: File =
        serde_json::from_str(&text).map_err(|error| Stop::unreadable(file, error))?;
    // The ruleset and both names are taken from the file; all else in OFFER and ACCEPT is computed.
    let offer = Offer::from_bytes(&vectors.offer.0)
        .map_err(|error| Stop::unreadable(file, format_args!("offer: {error}")))?;
    let accept = Accept::from_bytes(&vectors.accept.0)
        .map_err(|error| Stop::unreadable(file, format_args!("accept: {error}")))?;
    let mut comparison = Comparison(0);
    match compare(&vectors, &mut comparison, offer, accept) {
        Ok(()) => {
            writeln!(out, "{} values agree", comparison.0)?;
            Ok(ExitCode::SUCCESS)
        }
        Err(Difference(text)) => {
            writeln!(out, "{text}")?;
            Ok(ExitCode::FAILURE)
        }
    }
}

fn compare(
    file: &File,
    it: &mut Comparison,
    offer: Offer,
    accept: Accept,
) -> Result<(), Difference> {
    let secret = ByColor { white: Secret::new(file.secret0.0), black: Secret::new(file.secret1.0) };
    let offer = Offer { host_key: secret.white.public_key(), ..offer };
    let offer_bytes = offer.to_bytes();
    it.same("offer", &file.offer.0, &offer_bytes)?;
    let invitation_key = offer.invitation_key(&file.pad.0);
    it.same("K", &file.invitation_key.0, invitation_key)?;

    let accept = Accept::to_offer(&offer_bytes, &secret.black, accept.guest_name);
    let accept_bytes = accept.to_bytes();
    it.same("anchor1", &file.anchor1.0, accept.anchor)?;
    it.same("accept", &file.accept.0, &accept_bytes)?;
    let start = Start::to_accept(&secret.white, &offer, &accept)
        .map_err(|error| Difference(format!("start: {error}")))?;
    it.same("anchor0", &file.anchor0.0, start.anchor)?;
    if let Some(bytes) = &file.start {
        it.same("start", &bytes.0, start.to_bytes())?;
    }
    let gid = table::game_id(&offer_bytes, &accept_bytes, &start.anchor);
    it.same("gid", &file.gid.0, gid)?;
    let meeting = secret.black.meeting();
    it.same("R", &file.meeting.0, meeting)?;
    if let Some(bytes) = &file.seat {
        let signature = secret.black.sign(&gid);
        let seated = Seated { signature, meeting, accept: accept.clone() };
        it.same("seat", &bytes.0, seated.to_bytes())?;
    }
    if let Some(bytes) = &file.taken {
        let taken = Taken::sign(&secret.white, &offer_bytes, accept.guest_key);
        it.same("taken", &bytes.0, taken.to_bytes())?;
    }
    meetings(file, it, &[invitation_key, meeting])?;

    let seats = ByColor {
        white: Seat::host(secret.white, &offer_bytes, &accept_bytes),
        black: Seat::guest(secret.black, &offer_bytes),
    };
    dice(file, it, &gid, &seats)?;
    for (n, line) in file.entries.iter().enumerate() {
        entry(n, line, it, &gid, &seats)?;
    }
    if let Some(seal) = &file.seal {
        it.same("seal.sealed", &seal.sealed.0, sealed(seal)?)?;
    }
    for (n, file) in file.files.iter().enumerate() {
        let text = match &file.export {
            serde_json::Value::String(text) => text.clone(),
            object => object.to_string(),
        };
        it.equal(format_args!("files[{n}].verdict"), &file.verdict, &verify::first_line(&text))?;
    }
    Ok(())
}

/// The rooms and the signal keys of K and R, in this order.
fn meetings(file: &File, it: &mut Comparison, secrets: &[Value; 2]) -> Result<(), Difference> {
    let rooms = secrets.map(|secret| URL_SAFE_NO_PAD.encode(table::room(&secret)));
    let keys = secrets.map(|secret| derive(&secret, "zari/signal/1"));
    for (n, room) in file.rooms.iter().enumerate() {
        let computed = rooms.get(n).map_or("nothing", String::as_str);
        it.equal(format_args!("rooms[{n}]"), room.as_str(), computed)?;
    }
    for (n, key) in file.signal_keys.iter().enumerate() {
        let computed = keys.get(n).map_or(&[][..], |key| key);
        it.same(format_args!("signal_keys[{n}]"), &key.0, computed)?;
    }
    Ok(())
}

fn dice(
    file: &File,
    it: &mut Comparison,
    gid: &Value,
    seats: &ByColor<Seat>,
) -> Result<(), Difference> {
    for (n, link) in file.chain.iter().enumerate() {
        let x = Color::from_seat(link.seat).and_then(|seat| seats[seat].chain().reveal(link.i));
        let x = x.ok_or_else(|| {
            Difference(format!("chain[{n}]: seat {} has no link {}", link.seat, link.i))
        })?;
        it.same(format_args!("chain[{n}].x"), &link.x.0, x)?;
    }
    for (n, roll) in file.rolls.iter().enumerate() {
        let links = [Color::White, Color::Black].map(|seat| seats[seat].chain().reveal(roll.i));
        let [Some(x0), Some(x1)] = links else {
            return Err(Difference(format!("rolls[{n}]: there is no roll {}", roll.i)));
        };
        let seed = fair_dice::seed(gid, roll.i, &x0, &x1);
        it.same(format_args!("rolls[{n}].seed"), &roll.seed.0, seed)?;
        it.dice(format_args!("rolls[{n}].dice"), roll.dice, fair_dice::dice(&seed))?;
    }
    for (n, opening) in file.openings.iter().enumerate() {
        let computed = fair_dice::opening(&opening.seed.0);
        it.equal(format_args!("openings[{n}].ties"), &opening.ties, &computed.ties)?;
        it.dice(format_args!("openings[{n}].dice"), opening.dice, computed.dice)?;
    }
    for (n, mapping) in file.mapping.iter().enumerate() {
        let computed = fair_dice::dice(&mapping.seed.0);
        it.dice(format_args!("mapping[{n}].dice"), mapping.dice, computed)?;
    }
    Ok(())
}

/// An entry is read and written again; its id and signature are computed.
fn entry(
    n: usize,
    line: &Line,
    it: &mut Comparison,
    gid: &Value,
    seats: &ByColor<Seat>,
) -> Result<(), Difference> {
    let bytes = [line.entry.0.as_slice(), &line.sig.0].concat();
    let record = Record::from_bytes(&bytes)
        .map_err(|error| Difference(format!("entries[{n}].entry: {error}")))?;
    let entry = record.entry;
    it.equal(format_args!("entries[{n}].kind"), &line.kind, &(entry.body.kind() as u8))?;
    it.equal(format_args!("entries[{n}].seat"), &line.seat, &entry.seat.seat())?;
    it.same(format_args!("entries[{n}].entry"), &line.entry.0, entry.to_bytes())?;
    let id = entry.id(gid);
    it.same(format_args!("entries[{n}].id"), &line.id.0, id)?;
    let signature = seats[entry.seat].secret().sign(&id);
    it.same(format_args!("entries[{n}].sig"), &line.sig.0, signature)
}

fn sealed(seal: &Seal) -> Result<Vec<u8>, Difference> {
    let nonce: [u8; 24] = seal.nonce.0.as_slice().try_into().map_err(|_| {
        Difference(format!("seal.nonce has {} bytes instead of 24", seal.nonce.0.len()))
    })?;
    let payload = Payload { msg: &seal.plain.0, aad: &seal.ad.0 };
    XChaCha20Poly1305::new(&seal.k.0.into())
        .encrypt(&XNonce::from(nonce), payload)
        .map_err(|_| Difference("seal.plain is too long to seal".into()))
}
