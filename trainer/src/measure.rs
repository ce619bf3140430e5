use crate::Options;
use crate::checkpoint;
use bot::{Depth, Nets, Scratch, choose, rank};
use rules::{Dice, Position, Setup};
use serde::Deserialize;

/// A decision with the equity of every play, best first.
pub(crate) struct Decision {
    position: Position,
    dice: Dice,
    plays: Vec<(Position, f32)>,
}

#[derive(Deserialize)]
struct Line {
    points: [i8; 24],
    bar: [u8; 2],
    off: [u8; 2],
    dice: [u8; 2],
    #[serde(default)]
    disputed: bool,
    plays: Vec<Play>,
}

#[derive(Deserialize)]
struct Play {
    points: [i8; 24],
    bar: [u8; 2],
    off: [u8; 2],
    eq: f32,
}

/// Reads decisions; without a file, those of the bot's tests. They measure, and never train.
pub(crate) fn decisions(file: Option<String>) -> Result<Vec<Decision>, String> {
    let path = file.unwrap_or_else(|| {
        concat!(env!("CARGO_MANIFEST_DIR"), "/../bot/tests/data/decisions.jsonl").to_owned()
    });
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?;
    let mut decisions = Vec::new();
    for line in text.lines() {
        let line: Line = serde_json::from_str(line).map_err(|error| format!("{path}: {error}"))?;
        if line.disputed {
            continue;
        }
        let position = |points, bar, off| {
            Position::from_setup(&Setup { points, bar, off }).map_err(|error| error.to_string())
        };
        decisions.push(Decision {
            position: position(line.points, line.bar, line.off)?,
            dice: Dice::new(line.dice[0], line.dice[1]).ok_or("no dice")?,
            plays: line
                .plays
                .into_iter()
                .map(|it| Ok((position(it.points, it.bar, it.off)?, it.eq)))
                .collect::<Result<_, String>>()?,
        });
    }
    Ok(decisions)
}

/// The mean error per decision in thousandths of a point, by 0-ply.
pub(crate) fn error(nets: &mut Nets, decisions: &[Decision]) -> f32 {
    let mut scratch = Scratch::default();
    let mut sum = 0.0;
    for decision in decisions {
        let (after, _) = choose(nets, &decision.position, decision.dice, &mut scratch);
        let best = decision.plays.iter().map(|it| it.1).fold(f32::NEG_INFINITY, f32::max);
        let chosen = decision.plays.iter().find(|it| it.0 == after).map_or(best - 1.0, |it| it.1);
        sum += best - chosen;
    }
    1000.0 * sum / decisions.len() as f32
}

/// The same by a deeper look.
fn error_at(nets: &mut Nets, decisions: &[Decision], depth: Depth) -> f32 {
    let mut sum = 0.0;
    for decision in decisions {
        let ranked = rank(nets, &decision.position, decision.dice, depth);
        let best = decision.plays.iter().map(|it| it.1).fold(f32::NEG_INFINITY, f32::max);
        let chosen = ranked
            .first()
            .and_then(|first| decision.plays.iter().find(|it| it.0 == first.after).map(|it| it.1));
        sum += best - chosen.unwrap_or(best - 1.0);
    }
    1000.0 * sum / decisions.len() as f32
}

pub(crate) fn run(options: &mut Options) -> Result<(), String> {
    let plies: u8 = options.number("--plies", 0)?;
    let candidates: usize = options.number("--candidates", 8)?;
    let decisions = decisions(options.rest())?;
    let mut nets = checkpoint::load((8, 8), || 0.5)?;
    let error = error_at(&mut nets, &decisions, Depth { plies, candidates });
    println!("{} decisions, {plies}-ply error {error:.2}", decisions.len());
    Ok(())
}
