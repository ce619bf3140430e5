use crate::{Chances, Evaluator, Scratch, choose};
use rules::{Dice, Play, Position, legal};

/// How far to look ahead. Ply 0 values the position after a play as it stands, ply 1 after every
/// roll and best reply of the other side, ply 2 after one's own next roll too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Depth {
    /// How many rolls ahead.
    pub plies: u8,
    /// How many of the best plays of a ply are looked at one ply deeper.
    pub candidates: usize,
}

/// A play with what it is worth to the mover.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranked {
    /// The play.
    pub play: Play,
    /// The position after it, in the mover's view.
    pub after: Position,
    /// The mover's chances.
    pub chances: Chances,
    /// How many plies they were looked ahead.
    pub plies: u8,
}

/// How far behind the best a play may be, in points, and still be looked at one ply deeper.
const WORTH_A_LOOK: f32 = 0.16;

/// Every different outcome of a roll, best first. The best few are valued at full depth; those that
/// fell behind keep the value at which they did, and stand behind all deeper ones.
pub fn rank(
    evaluator: &mut impl Evaluator,
    position: &Position,
    dice: Dice,
    depth: Depth,
) -> Vec<Ranked> {
    let mut scratch = Scratch::default();
    let mut ranked: Vec<Ranked> = legal(position, dice)
        .iter()
        .map(|(&after, play)| {
            let chances = value_after(evaluator, &after, 0, &mut scratch);
            Ranked { play, after, chances, plies: 0 }
        })
        .collect();
    sort(&mut ranked);
    for plies in 1..=depth.plies {
        let best = ranked.first().map_or(0.0, |it| it.chances.equity());
        let worth_it =
            |it: &&mut Ranked| it.plies + 1 == plies && it.chances.equity() >= best - WORTH_A_LOOK;
        for it in ranked.iter_mut().take(depth.candidates.max(1)).filter(worth_it) {
            it.chances = value_after(evaluator, &it.after, plies, &mut scratch);
            it.plies = plies;
        }
        sort(&mut ranked);
    }
    ranked
}

fn sort(ranked: &mut [Ranked]) {
    // Stable, so equal plays stay in the order of `legal` on every machine.
    ranked.sort_by(|a, b| {
        b.plies.cmp(&a.plies).then(b.chances.equity().total_cmp(&a.chances.equity()))
    });
}

/// The mover's chances after its play.
fn value_after(
    evaluator: &mut impl Evaluator,
    after: &Position,
    plies: u8,
    scratch: &mut Scratch,
) -> Chances {
    match after.win() {
        Some(win) => Chances::won(win),
        None => value(evaluator, &after.flipped(), plies, scratch).flipped(),
    }
}

/// The chances of the side on roll, looked ahead this many rolls.
pub fn value(
    evaluator: &mut impl Evaluator,
    position: &Position,
    plies: u8,
    scratch: &mut Scratch,
) -> Chances {
    let Some(plies) = plies.checked_sub(1) else { return evaluator.evaluate(position) };
    let mut sum = Chances::default();
    for high in 1..=6 {
        for low in 1..=high {
            let Some(dice) = Dice::new(high, low) else { continue };
            let weight = if high == low { 1.0 } else { 2.0 };
            let (after, mut chances) = choose(evaluator, position, dice, scratch);
            if plies > 0 {
                chances = value_after(evaluator, &after, plies, scratch);
            }
            sum = sum.plus(chances, weight / 36.0);
        }
    }
    sum
}
