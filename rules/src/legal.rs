use std::collections::HashSet;

use crate::{Dice, Die, Move, Play, Point, Position};

/// Every position that a legal play of one roll leads to, each once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LegalPlays {
    dice_used: usize,
    results: Vec<(Position, Play)>,
}

impl LegalPlays {
    /// How many dice a legal play uses; 0 when nothing can be moved.
    #[must_use]
    pub fn dice_used(&self) -> usize {
        self.dice_used
    }

    /// How many different positions the roll can lead to; at least one.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "there is always a result")]
    pub fn len(&self) -> usize {
        self.results.len()
    }

    /// The positions in ascending order, in the view of the side that moved, each with the play
    /// that leads to it; of several the one whose sequence of moves is lexicographically least.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Position, Play)> {
        self.results.iter().map(|(position, play)| (position, *play))
    }
}

/// Finds everything the side on roll may do with `dice`.
///
/// As many dice as possible must be played, and the larger one if either but not both can be
/// (World Backgammon Federation rules, like every rule book). When nothing can be moved the one
/// result is the unchanged position with the play of no moves.
#[must_use]
pub fn legal(position: &Position, dice: Dice) -> LegalPlays {
    let (dice_used, mut results) = if dice.is_double() {
        let mut layer = vec![(*position, Play::NONE)];
        let mut depth = 0;
        while depth < dice.moves() {
            let next = after_each_move(&layer, &[dice.first]);
            if next.is_empty() {
                break;
            }
            layer = next;
            depth += 1;
        }
        (depth, layer)
    } else {
        after_two_dice(position, dice)
    };
    results.sort_unstable_by_key(|&(result, _)| result);
    LegalPlays { dice_used, results }
}

fn after_two_dice(position: &Position, dice: Dice) -> (usize, Vec<(Position, Play)>) {
    let start = [(*position, Play::NONE)];
    let (larger, smaller) = (dice.larger(), dice.smaller());
    // Ascending in the first move, so that the first play found is the least one.
    let mut first = after_each_move(&start, &[smaller]);
    first.extend(after_each_move(&start, &[larger]));
    first.sort_by_key(|(_, play)| play.iter().next());
    let mut both = Vec::new();
    let mut seen = HashSet::new();
    for entry in first {
        let used = entry.1.iter().next().map(|it| it.die);
        let other = if used == Some(smaller) { larger } else { smaller };
        both.extend(
            after_each_move(&[entry], &[other]).into_iter().filter(|&(it, _)| seen.insert(it)),
        );
    }
    if !both.is_empty() {
        return (2, both);
    }
    for die in [larger, smaller] {
        let one = after_each_move(&start, &[die]);
        if !one.is_empty() {
            return (1, one);
        }
    }
    (0, start.to_vec())
}

/// What one more move by one of the dice makes of each entry, without duplicates. Entries in the
/// order of their plays give results in the order of their plays.
fn after_each_move(entries: &[(Position, Play)], dice: &[Die]) -> Vec<(Position, Play)> {
    let mut results = Vec::new();
    let mut seen = HashSet::new();
    for (position, play) in entries {
        for it in moves(position, dice) {
            if let Ok(result) = position.after_move(it)
                && seen.insert(result)
            {
                let mut play = *play;
                play.push(it);
                results.push((result, play));
            }
        }
    }
    results
}

/// Every move that one of the dice allows, in ascending order.
pub(crate) fn moves<'a>(
    position: &'a Position,
    dice: &'a [Die],
) -> impl Iterator<Item = Move> + 'a {
    (1..=25)
        .filter_map(Point::new)
        .flat_map(move |from| dice.iter().map(move |&die| Move { from, die }))
        .filter(|&it| position.after_move(it).is_ok())
}
