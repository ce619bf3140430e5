//! The handshake and the entries against values made by an independent program.
#![allow(clippy::unwrap_used)]

use fair_dice::Value;
use rules::Color;
use serde_json::Value as Json;
use table::{
    Accept, Entry, Header, Offer, Record, Seat, Seated, Secret, Start, Taken, game_id,
    invitation_key, room,
};

fn vectors() -> Json {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/golden/protocol_vectors.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn bytes(json: &Json) -> Vec<u8> {
    hex::decode(json.as_str().unwrap()).unwrap()
}

fn value(json: &Json) -> Value {
    bytes(json).try_into().unwrap()
}

fn secrets(vectors: &Json) -> [Secret; 2] {
    [Secret::new(value(&vectors["secret0"])), Secret::new(value(&vectors["secret1"]))]
}

#[test]
fn the_handshake_agrees_to_the_byte() {
    let vectors = vectors();
    let [host, guest] = secrets(&vectors);
    let offer_bytes = bytes(&vectors["offer"]);
    let offer = Offer::from_bytes(&offer_bytes).unwrap();
    assert_eq!(offer.to_bytes(), offer_bytes);
    assert_eq!(offer.host_key, host.public_key());
    let key = invitation_key(&offer_bytes, &value(&vectors["pad"]));
    assert_eq!(key, value(&vectors["K"]));

    let accept_bytes = bytes(&vectors["accept"]);
    let accept = Accept::from_bytes(&accept_bytes).unwrap();
    assert_eq!(Accept::to_offer(&offer_bytes, &guest, accept.guest_name.clone()), accept);
    assert_eq!(accept.to_bytes(), accept_bytes);
    assert_eq!(accept.anchor, value(&vectors["anchor1"]));

    let start = Start::to_accept(&host, &offer, &accept).unwrap();
    assert_eq!(start.to_bytes(), bytes(&vectors["start"]));
    assert_eq!(start.anchor, value(&vectors["anchor0"]));
    let gid = game_id(&offer_bytes, &accept_bytes, &start.anchor);
    assert_eq!(gid, value(&vectors["gid"]));

    assert_eq!(guest.meeting(), value(&vectors["R"]));
    let seated =
        Seated { signature: guest.sign(&gid), meeting: guest.meeting(), accept: accept.clone() };
    assert_eq!(seated.to_bytes(), bytes(&vectors["seat"]));
    assert_eq!(Seated::from_bytes(&bytes(&vectors["seat"])).unwrap(), seated);

    let taken = Taken::sign(&host, &offer_bytes, accept.guest_key);
    assert_eq!(taken.to_bytes(), bytes(&vectors["taken"]));
    assert!(Taken::from_bytes(&taken.to_bytes()).unwrap().is_signed(&offer));

    use base64::Engine;
    let name =
        |meeting: &Value| base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(room(meeting));
    assert_eq!(name(&key), vectors["rooms"][0].as_str().unwrap());
    assert_eq!(name(&guest.meeting()), vectors["rooms"][1].as_str().unwrap());

    Header::new(offer, accept, start, guest.sign(&gid)).unwrap();
}

#[test]
fn the_seats_chains_agree_to_the_byte() {
    let vectors = vectors();
    let [host, guest] = secrets(&vectors);
    let (offer, accept) = (bytes(&vectors["offer"]), bytes(&vectors["accept"]));
    let seats = [Seat::host(host, &offer, &accept), Seat::guest(guest, &offer)];
    for link in vectors["chain"].as_array().unwrap() {
        let seat = &seats[usize::try_from(link["seat"].as_u64().unwrap()).unwrap()];
        let i = u32::try_from(link["i"].as_u64().unwrap()).unwrap();
        assert_eq!(seat.chain().reveal(i).unwrap(), value(&link["x"]), "x of {i}");
    }
}

#[test]
fn every_kind_of_entry_agrees_to_the_byte() {
    let vectors = vectors();
    let secrets = secrets(&vectors);
    let gid = value(&vectors["gid"]);
    let mut kinds = std::collections::BTreeSet::new();
    for line in vectors["entries"].as_array().unwrap() {
        let (entry, signature) = (bytes(&line["entry"]), bytes(&line["sig"]));
        let record_bytes = [entry.clone(), signature.clone()].concat();
        let record = Record::from_bytes(&record_bytes).unwrap();
        assert_eq!(record.to_bytes(), record_bytes);
        assert_eq!(record.entry.to_bytes(), entry);
        assert_eq!(record.entry.body.kind() as u64, line["kind"].as_u64().unwrap());
        assert_eq!(u64::from(record.entry.seat.seat()), line["seat"].as_u64().unwrap());
        assert_eq!(record.entry.id(&gid), value(&line["id"]));
        let seat = usize::from(record.entry.seat.seat());
        assert!(record.is_signed_by(&secrets[seat].public_key(), &gid));
        assert_eq!(record.entry.clone().sign(&gid, &secrets[seat]), record);
        kinds.insert(record.entry.body.kind());
    }
    assert_eq!(kinds.len(), 12, "each kind once");
}

#[test]
fn no_byte_of_a_record_can_be_cut_or_added() {
    let vectors = vectors();
    for line in vectors["entries"].as_array().unwrap() {
        let record = [bytes(&line["entry"]), bytes(&line["sig"])].concat();
        for len in 0..record.len() {
            assert!(Record::from_bytes(&record[..len]).is_err());
        }
        assert!(Record::from_bytes(&[record.as_slice(), &[0]].concat()).is_err());
    }
    for (field, whole) in
        [("offer", bytes(&vectors["offer"])), ("accept", bytes(&vectors["accept"]))]
    {
        for cut in 0..whole.len() {
            let cut = &whole[..cut];
            let refused = match field {
                "offer" => Offer::from_bytes(cut).is_err(),
                _ => Accept::from_bytes(cut).is_err(),
            };
            assert!(refused, "{field} cut to {} bytes", cut.len());
        }
    }
}

#[test]
fn a_signature_holds_for_one_game_and_one_seat_only() {
    let vectors = vectors();
    let [host, guest] = secrets(&vectors);
    let entry =
        Entry { seat: Color::White, seq: 3, prev: [7; 32], spent_ms: 0, body: table::Body::Ready };
    let record = entry.sign(&[1; 32], &host);
    assert!(record.is_signed_by(&host.public_key(), &[1; 32]));
    assert!(!record.is_signed_by(&host.public_key(), &[2; 32]));
    assert!(!record.is_signed_by(&guest.public_key(), &[1; 32]));
}
