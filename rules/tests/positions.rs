//! The thousand positions with known right answers, and the counts from the start position.
#![allow(clippy::unwrap_used, reason = "a failed test should stop at the line that failed")]

use std::collections::HashSet;

use rules::{Dice, Position, Setup, check_play, legal, legal_results};
use serde::Deserialize;

#[derive(Deserialize)]
struct Line {
    id: u32,
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
