//! The thousand positions with known right answers, and the counts from the start position.
#![allow(clippy::unwrap_used, reason = "a failed test should stop at the line that failed")]

use std::collections::HashSet;

use rules::{Dice, Position, Setup, check_play, legal, legal_results};
use serde::Deserialize;

#[derive(Deserialize)]
struct Line {
    id: u32,
    gnuid: String,
    #[serde(flatten)]
    board: Board,
    dice: [u8; 2],
    dice_used: usize,
    results: Vec<Board>,
}

#[derive(Deserialize)]
struct Board {
    points: [i8; 24],
    bar: [u8; 2],
    off: [u8; 2],
}

impl Board {
    fn position(&self) -> Position {
        let Board { points, bar, off } = *self;
        let setup = Setup { points, bar, off };
        let position = Position::from_setup(&setup).unwrap();
        assert_eq!(position.setup(), setup);
        position
    }
}

fn lines() -> Vec<Line> {
    include_str!("data/legal_moves.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn a_thousand_positions_have_the_known_results() {
    let lines = lines();
    assert_eq!(lines.len(), 1000);
    let mut scratch = Vec::new();
    for line in lines {
        let position = line.board.position();
        let dice = Dice::new(line.dice[0], line.dice[1]).unwrap();
        assert_eq!(position.gnu_id(), line.gnuid, "line {}", line.id);
        assert_eq!(Position::from_gnu_id(&line.gnuid), Ok(position), "line {}", line.id);
        let expected: Vec<Position> = line.results.iter().map(Board::position).collect();

        let legal = legal(&position, dice);
        assert_eq!(legal.dice_used(), line.dice_used, "line {}", line.id);
        let found: Vec<Position> = legal.iter().map(|(&result, _)| result).collect();
        assert_eq!(found, expected, "line {}", line.id);
        for (result, play) in legal.iter() {
            assert_eq!(play.len(), line.dice_used, "line {}", line.id);
            assert_eq!(check_play(&position, dice, &play), Ok(*result), "line {}", line.id);
        }

        assert_eq!(legal_results(&position, dice, &mut scratch), line.dice_used);
        assert_eq!(scratch.len(), expected.len(), "line {}", line.id);
        let set: HashSet<&Position> = scratch.iter().collect();
        assert_eq!(set, expected.iter().collect(), "line {}", line.id);
    }
}

/// The 21 rolls with how many of the 36 ordered rolls they are.
fn rolls() -> impl Iterator<Item = (Dice, usize)> {
    (1..=6).flat_map(|large| {
        (1..=large).map(move |small| {
            (Dice::new(large, small).unwrap(), if large == small { 1 } else { 2 })
        })
    })
}

fn results(position: &Position, dice: Dice) -> Vec<Position> {
    let mut results = Vec::new();
    legal_results(position, dice, &mut results);
    results
}

#[test]
fn start_has_the_known_counts() {
    let known = [
        (11, 42),
        (21, 15),
        (22, 75),
        (31, 16),
        (32, 17),
        (33, 73),
        (41, 14),
        (42, 18),
        (43, 17),
        (44, 52),
        (51, 8),
        (52, 8),
        (53, 9),
        (54, 9),
        (55, 4),
        (61, 10),
        (62, 14),
        (63, 14),
        (64, 14),
        (65, 7),
        (66, 11),
    ];
    for ((dice, _), (roll, count)) in rolls().zip(known) {
        assert_eq!(10 * dice.larger().pips() + dice.smaller().pips(), roll);
        assert_eq!(legal(&Position::START, dice).len(), count, "{roll}");
        assert_eq!(results(&Position::START, dice).len(), count, "{roll}");
    }
    let sum = |weigh: fn(usize) -> usize| -> usize {
        rolls().map(|(dice, weight)| weigh(weight) * results(&Position::START, dice).len()).sum()
    };
    assert_eq!(sum(|_| 1), 447);
    assert_eq!(sum(|weight| weight), 637);

    let distinct = |doubles: bool| {
        let all: HashSet<Position> = rolls()
            .filter(|(dice, _)| doubles || !dice.is_double())
            .flat_map(|(dice, _)| results(&Position::START, dice))
            .collect();
        all.len()
    };
    assert_eq!(distinct(true), 406);
    assert_eq!(distinct(false), 175);
}

#[test]
fn two_plies_have_the_known_counts() {
    let (mut nodes, mut weighted) = (0, 0);
    let mut all: HashSet<Position> = HashSet::new();
    let mut after_two_dice: HashSet<Position> = HashSet::new();
    for (first, first_weight) in rolls() {
        for once in results(&Position::START, first) {
            let once = once.flipped();
            for (second, second_weight) in rolls() {
                let twice = results(&once, second);
                nodes += twice.len();
                weighted += first_weight * second_weight * twice.len();
                if !first.is_double() {
                    after_two_dice.extend(&twice);
                }
                all.extend(twice);
            }
        }
    }
    assert_eq!(nodes, 202_782);
    assert_eq!(weighted, 419_783);
    assert_eq!(all.len(), 163_706);
    assert_eq!(after_two_dice.len(), 71_485);
}
