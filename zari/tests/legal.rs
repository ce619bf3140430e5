//! Runs `zari legal` on the positions with right answers and on broken input.
#![allow(clippy::unwrap_used)]

mod command;

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use command::zari;
use serde_json::{Value, json};

const POSITIONS: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../rules/tests/data/legal_moves.jsonl");

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn start(id: Value) -> Value {
    json!({
        "id": id,
        "points": [-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2],
        "bar": [0, 0], "off": [0, 0], "dice": [3, 1],
    })
}

#[test]
fn every_position_of_the_data_has_exactly_the_right_results() {
    let file = std::fs::read_to_string(POSITIONS).unwrap();
    let run = zari(&["legal"], &file);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let (right, answers) = (lines(&file), lines(&run.stdout));
    assert_eq!(right.len(), 1000);
    assert_eq!(answers.len(), right.len());
    for (right, answer) in right.iter().zip(&answers) {
        let id = &right["id"];
        assert_eq!(&answer["id"], id);
        assert_eq!(answer["dice_used"], right["dice_used"], "position {id}");
        let set = |value: &Value| -> BTreeSet<String> {
            let list = value["results"].as_array().unwrap();
            let set: BTreeSet<String> = list
                .iter()
                .map(|it| json!([it["points"], it["bar"], it["off"]]).to_string())
                .collect();
            assert_eq!(set.len(), list.len(), "duplicates at position {id}");
            set
        };
        assert_eq!(set(answer), set(right), "position {id}");
    }
}

#[test]
fn an_answer_has_these_keys_and_gives_the_id_back_as_it_stands() {
    for id in [json!(7), json!("седьмая"), json!({"a": [1, null]}), json!(null)] {
        let run = zari(&["legal"], &format!("{}\n", start(id.clone())));
        assert_eq!(run.code, 0, "{}", run.stderr);
        let [answer] = &lines(&run.stdout)[..] else { panic!("one line: {}", run.stdout) };
        let keys: Vec<&String> = answer.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["dice_used", "id", "results"]);
        assert_eq!(answer["id"], id);
        assert_eq!(answer["results"].as_array().unwrap().len(), 16);
        let keys: Vec<&String> = answer["results"][0].as_object().unwrap().keys().collect();
        assert_eq!(keys, ["bar", "off", "points"]);
    }
}

#[test]
fn empty_lines_and_a_missing_last_newline_are_no_fault() {
    let run = zari(&["legal"], &format!("\n  \r\n{}", start(json!(1))));
    assert_eq!((run.code, lines(&run.stdout).len()), (0, 1));
    let run = zari(&["legal"], "");
    assert_eq!((run.code, run.stdout.as_str()), (0, ""));
}

/// A fault for the start position with one key changed.
fn refused(key: &str, value: Value, why: &str) {
    let mut line = start(json!(2));
    match value {
        Value::Null => drop(line.as_object_mut().unwrap().remove(key)),
        value => line[key] = value,
    }
    let run = zari(&["legal"], &format!("{}\n{line}\n", start(json!(1))));
    assert_eq!(run.code, 2, "{key}: {}", run.stdout);
    assert_eq!(lines(&run.stdout).len(), 1, "what came before the fault is answered");
    assert!(run.stderr.starts_with("zari: line 2: "), "{}", run.stderr);
    assert!(run.stderr.contains(why), "{why:?} is not in {:?}", run.stderr);
    assert!(!run.stderr.contains("panicked"));
}

#[test]
fn a_wrong_line_is_named_and_refused() {
    refused("id", Value::Null, "missing field `id`");
    refused("points", Value::Null, "missing field `points`");
    refused("bar", Value::Null, "missing field `bar`");
    refused("off", Value::Null, "missing field `off`");
    refused("dice", Value::Null, "missing field `dice`");
    refused("dice", json!([0, 1]), "no dice show 0 and 1");
    refused("dice", json!([3, 7]), "no dice show 3 and 7");
    refused("dice", json!([3]), "invalid length");
    refused("dice", json!([3, 1, 1]), "trailing characters");
    refused("dice", json!("3-1"), "invalid type");
    refused("points", json!(vec![0; 23]), "invalid length 23");
    refused("points", json!(vec![0; 25]), "trailing characters");
    refused("points", json!(vec![0; 24]), "has 0 checkers instead of 15");
    refused("points", json!(vec![127; 24]), "checkers instead of 15");
    refused("points", json!(vec![-128; 24]), "checkers instead of 15");
    refused("points", json!(vec![128; 24]), "128");
    refused("bar", json!([1, 0]), "the side on roll has 16 checkers instead of 15");
    refused("bar", json!([255, 255]), "checkers instead of 15");
    refused("bar", json!([-1, 0]), "-1");
    refused("off", json!([0, 1]), "the opponent has 16 checkers instead of 15");
    refused("off", json!([0.5, 0]), "0.5");
}

#[test]
fn what_is_not_json_is_refused() {
    let deep = "[".repeat(100_000);
    for line in
        ["{", "nonsense", "[1,2]", "\"text\"", "null", "{}", "{\"id\":1}", "\u{FEFF}{}", &deep]
    {
        let run = zari(&["legal"], line);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{line:.40}");
        assert!(run.stderr.starts_with("zari: line 1: "), "{}", run.stderr);
        assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
    }
    let run = command::zari_bytes(&["legal"], b"{\"id\":\"\xFF\"}\n");
    assert_eq!(run.code, 2);
    assert!(run.stderr.starts_with("zari: line 1: "), "{}", run.stderr);
}

#[test]
fn both_sides_borne_off_is_no_position() {
    let line =
        json!({"id": 1, "points": vec![0; 24], "bar": [0, 0], "off": [15, 15], "dice": [1, 2]});
    let run = zari(&["legal"], &line.to_string());
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("both sides"), "{}", run.stderr);
}

#[test]
fn a_reader_that_leaves_ends_it_in_silence() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_zari"))
        .arg("legal")
        .stdin(std::fs::File::open(POSITIONS).unwrap())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut output = BufReader::with_capacity(64, child.stdout.take().unwrap());
    let mut first = String::new();
    output.read_line(&mut first).unwrap();
    drop(output);
    let end = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(end.stderr).unwrap(), "");
    assert!(end.status.success());
}
