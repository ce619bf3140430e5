use thiserror::Error;

use crate::legal::moves;
use crate::{Dice, Die, Move, MoveError, Play, Position};

/// Why a play is not allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum IllegalPlay {
    /// One of its moves cannot be made.
    #[error("move {}: {reason}", .index + 1)]
    Move {
        /// Which move, from 0.
        index: usize,
        /// Why it cannot be made.
        reason: MoveError,
    },
    /// One of its moves uses a die that was not thrown or is already used.
    #[error("move {}: that die is not there to play", .index + 1)]
    Die {
        /// Which move, from 0.
        index: usize,
    },
    /// More dice could have been played.
    #[error("{played} dice were played and {possible} can be")]
    MoreDice {
        /// How many the play uses.
        played: usize,
        /// How many a legal play uses.
        possible: usize,
    },
    /// Either die could be played, not both, and the smaller was chosen.
    #[error("the larger die must be played")]
    LargerDie,
}

/// The dice of a roll that are not played yet.
#[derive(Clone, Copy)]
struct Unplayed {
    dice: [Option<Die>; 4],
}

impl Unplayed {
    fn new(dice: Dice) -> Unplayed {
        let again = dice.is_double().then_some(dice.first);
        // Smaller first, so that moves come in ascending order.
        Unplayed { dice: [Some(dice.smaller()), Some(dice.larger()), again, again] }
    }

    fn without(mut self, die: Die) -> Option<Unplayed> {
        *self.dice.iter_mut().rfind(|it| **it == Some(die))? = None;
        Some(self)
    }

    /// The different dice, lowest first.
    fn faces(self) -> Vec<Die> {
        let mut faces: Vec<Die> = self.dice.into_iter().flatten().collect();
        faces.dedup();
        faces
    }

    /// How many of these dice can be played at most.
    fn playable(self, position: &Position) -> usize {
        let full = self.dice.iter().flatten().count();
        let mut most = 0;
        for it in moves(position, &self.faces()) {
            if let (Ok(after), Some(rest)) = (position.after_move(it), self.without(it.die)) {
                most = most.max(1 + rest.playable(&after));
                if most == full {
                    break;
                }
            }
        }
        most
    }
}

/// Which dice a legal play of a roll uses.
struct Demand {
    unplayed: Unplayed,
    dice_used: usize,
    /// The only die that may be played, if just one can be and it is the larger.
    only: Option<Die>,
}

impl Demand {
    fn new(start: &Position, dice: Dice) -> Demand {
        let unplayed = Unplayed::new(dice);
        let dice_used = unplayed.playable(start);
        let larger = dice.larger();
        let only = (dice_used == 1 && moves(start, &[larger]).next().is_some()).then_some(larger);
        Demand { unplayed, dice_used, only }
    }
}

/// Which single moves may come next in a turn, in ascending order, so that a legal play stays
/// within reach: one that uses as many dice as possible, and the larger if only one can be played.
///
/// Every order of the dice that the rules allow is offered. Where the last checker can be borne off
/// by one die or by two, two are asked for, so that nobody who reads the rules strictly can object.
/// Empty when the turn is complete, and when `played` itself is not allowed.
#[must_use]
pub fn next_moves(start: &Position, dice: Dice, played: &[Move]) -> Vec<Move> {
    let demand = Demand::new(start, dice);
    let mut position = *start;
    let mut unplayed = demand.unplayed;
    for &it in played {
        match (position.after_move(it), unplayed.without(it.die)) {
            (Ok(after), Some(rest)) => (position, unplayed) = (after, rest),
            _ => return Vec::new(),
        }
    }
    moves(&position, &unplayed.faces())
        .filter(|it| {
            let after = position.after_move(*it);
            let (Ok(after), Some(rest)) = (after, unplayed.without(it.die)) else { return false };
            demand.only.is_none_or(|only| only == it.die)
                && played.len() + 1 + rest.playable(&after) == demand.dice_used
        })
        .collect()
}

/// Makes a whole play, in the order of its moves, and answers the position after it, still in the
/// view of the side that moved.
///
/// The moves may be in any order that makes each of them possible in turn; together they must use
/// as many dice as any play can, and the larger die if either but not both can be played (World
/// Backgammon Federation tournament rules).
///
/// A win ends the game at once, dice left or not. So a play that bears off the last checker is
/// accepted whatever dice it leaves, though [`next_moves`] offers only plays that use the most; the
/// result is the same.
///
/// # Errors
/// The first rule that the play breaks.
pub fn check_play(position: &Position, dice: Dice, play: &Play) -> Result<Position, IllegalPlay> {
    let demand = Demand::new(position, dice);
    let mut after = *position;
    let mut unplayed = demand.unplayed;
    for (index, it) in play.iter().enumerate() {
        unplayed = unplayed.without(it.die).ok_or(IllegalPlay::Die { index })?;
        after = after.after_move(it).map_err(|reason| IllegalPlay::Move { index, reason })?;
    }
    if after.win().is_some() {
        return Ok(after);
    }
    if play.len() != demand.dice_used {
        let (played, possible) = (play.len(), demand.dice_used);
        return Err(IllegalPlay::MoreDice { played, possible });
    }
    if demand.only.is_some_and(|only| play.iter().any(|it| it.die != only)) {
        return Err(IllegalPlay::LargerDie);
    }
    Ok(after)
}
