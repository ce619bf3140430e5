use crate::{Chances, Evaluator};
use rules::{Dice, Position, legal_results};

/// Memory that is used again from call to call.
#[derive(Default)]
pub struct Scratch {
    results: Vec<Position>,
}

/// The position after the best play of `dice`, in the mover's view, with its chances for the
/// mover. By 0-ply: every position after a play is valued as it stands.
pub fn choose(
    evaluator: &mut impl Evaluator,
    position: &Position,
    dice: Dice,
    scratch: &mut Scratch,
) -> (Position, Chances) {
    choose_with(evaluator, position, dice, scratch, |chances| chances.equity())
}

/// As [`choose`], by another measure of worth than money equity.
pub fn choose_with(
    evaluator: &mut impl Evaluator,
    position: &Position,
    dice: Dice,
    scratch: &mut Scratch,
    worth: impl Fn(Chances) -> f32,
) -> (Position, Chances) {
    legal_results(position, dice, &mut scratch.results);
    let mut best = (*position, Chances::default());
    let mut best_worth = f32::NEG_INFINITY;
    for after in &scratch.results {
        let chances = match after.win() {
            Some(win) => Chances::won(win),
            None => evaluator.evaluate(&after.flipped()).flipped(),
        };
        let worth = worth(chances);
        if worth > best_worth {
            best_worth = worth;
            best = (*after, chances);
        }
    }
    best
}
