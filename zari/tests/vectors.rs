//! Runs `zari vectors` on the project's golden vectors and on changed ones.
#![allow(clippy::unwrap_used)]

mod command;

use command::zari;
use serde_json::{Value, json};

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/golden/vectors.json");

fn golden() -> Value {
    serde_json::from_str(&std::fs::read_to_string(GOLDEN).unwrap()).unwrap()
}

#[test]
fn every_value_agrees() {
    let run = zari(&["vectors", GOLDEN], "");
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{}", run.stdout);
    // 7 messages and keys of the handshake, 2 + 2 rooms and keys, 3 more messages and R; 10 links,
    // 5 rolls, 3 openings, 5 mappings, 13 entries of 5 values; the seal and 5 files.
    let values = 7 + 4 + 3 + 10 + 2 * 5 + 2 * 3 + 5 + 13 * 5 + 1 + 5;
    assert_eq!(run.stdout, format!("{values} values agree\n"));
}

#[test]
fn the_vectors_have_every_kind_every_verdict_and_the_rare_cases() {
    let golden = golden();
    let kinds: Vec<u64> = golden["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["kind"].as_u64().unwrap())
        .collect();
    assert!((1..=12).all(|kind| kinds.contains(&kind)));
    let verdicts: Vec<&str> = golden["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["verdict"].as_str().unwrap())
        .collect();
    for verdict in ["AGREED", "CLAIMED", "INCOMPLETE", "UNPROVEN", "INVALID"] {
        assert!(verdicts.iter().any(|it| it.starts_with(verdict)), "no file is {verdict}");
    }
    assert!(golden["openings"].as_array().unwrap().iter().any(|it| it["ties"] == 1));
    assert!(golden["mapping"].as_array().unwrap().iter().any(|it| {
        let seed = it["seed"].as_str().unwrap();
        u8::from_str_radix(&seed[..2], 16).unwrap() >= 252
    }));
}

#[test]
fn each_changed_value_is_found() {
    let golden = golden();
    let mut pointers = vec![];
    leaves(&golden, String::new(), &mut pointers);
    let mut changed = 0;
    for pointer in pointers {
        // Inputs that other inputs may equal: a seed whose first byte alone decides, a transcript.
        let inputs = ["/note", "/mapping/", "/openings/", "/files/"];
        let input = inputs.iter().any(|it| pointer.starts_with(it))
            && !["/verdict", "/ties", "/dice/0", "/dice/1"].iter().any(|it| pointer.ends_with(it));
        if input {
            continue;
        }
        let mut vectors = golden.clone();
        let value = vectors.pointer_mut(&pointer).unwrap();
        match value.clone() {
            Value::Number(number) => *value = json!(number.as_u64().unwrap() ^ 1),
            Value::String(text) => {
                // The last digit: of a name its last letter, of a verdict its last one.
                let last = if text.ends_with('0') { '1' } else { '0' };
                *value = json!(format!("{}{last}", &text[..text.len() - 1]));
            }
            other => panic!("{pointer} is {other}"),
        }
        let run = zari(&["vectors", "-"], &vectors.to_string());
        assert_eq!(run.code, 1, "{pointer}: {}{}", run.stdout, run.stderr);
        assert!(!run.stderr.contains("panicked"));
        assert!(!run.stdout.contains("values agree"), "{pointer}");
        assert_eq!(run.stdout.lines().count(), 1, "{}", run.stdout);
        changed += 1;
    }
    assert!(changed > 150, "{changed}");
}

fn leaves(value: &Value, at: String, into: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            map.iter().for_each(|(key, value)| leaves(value, format!("{at}/{key}"), into));
        }
        Value::Array(list) => {
            list.iter().enumerate().for_each(|(n, value)| leaves(value, format!("{at}/{n}"), into));
        }
        _ => into.push(at),
    }
}

#[test]
fn what_is_no_vectors_file_is_refused() {
    let golden = golden();
    let mut wrong = vec![
        (String::new(), "EOF"),
        ("[]".into(), "invalid length 0"),
        ("[".repeat(100_000), "invalid type"),
        (format!("{{\"more\":{}", "[".repeat(100_000)), "EOF"),
        ("{}".into(), "missing field `pad`"),
    ];
    for key in ["pad", "K", "secret0", "offer", "accept", "gid", "chain", "rolls", "entries"] {
        let mut vectors = golden.clone();
        vectors.as_object_mut().unwrap().remove(key);
        wrong.push((vectors.to_string(), "missing field"));
    }
    for (key, value, why) in [
        ("pad", json!("00"), "1 bytes instead of 32"),
        ("gid", json!("zz"), "not lower-case hex"),
        ("gid", json!("AB"), "not lower-case hex"),
        ("gid", json!("abc"), "not lower-case hex"),
        ("offer", json!(""), "offer: "),
        ("offer", json!("02"), "offer: "),
        ("accept", json!("01"), "accept: "),
        ("chain", json!([{"seat": -1, "i": 0, "x": ""}]), "-1"),
        ("rolls", json!([{"i": 1, "seed": "", "dice": [1]}]), "invalid length"),
        ("rolls", json!(7), "invalid type"),
    ] {
        let mut vectors = golden.clone();
        vectors[key] = value;
        wrong.push((vectors.to_string(), why));
    }
    for (text, why) in wrong {
        let run = zari(&["vectors", "-"], &text);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{text:.60}");
        assert!(run.stderr.contains(why), "{why} is not in {}", run.stderr);
        assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
    }
}

#[test]
fn values_that_cannot_exist_differ() {
    for (pointer, value) in [
        ("/chain/0/i", json!(16_385)),
        ("/chain/0/i", json!(u32::MAX)),
        ("/chain/0/seat", json!(2)),
        ("/rolls/0/i", json!(20_000)),
        ("/openings/0/dice", json!([0, 255])),
        ("/entries/0/entry", json!("")),
        ("/entries/0/sig", json!("00")),
        ("/seal/nonce", json!("00")),
        ("/rooms", json!(["a", "b", "c"])),
        ("/files/0/export", json!("nonsense")),
    ] {
        let mut vectors = golden();
        *vectors.pointer_mut(pointer).unwrap() = value;
        let run = zari(&["vectors", "-"], &vectors.to_string());
        assert_eq!((run.code, run.stderr.as_str()), (1, ""), "{pointer}: {}", run.stdout);
    }
}
