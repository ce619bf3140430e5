//! All results of a roll as fast as they can be had.
//!
//! The engine looks at millions of positions, so nothing is allocated, hashed or compared here.
//! The moves of a roll are taken in one order, the checker farther from the tray first: moves that
//! can be made in any order can be made in that one, because what moves first is then never in
//! the way of a checker that wants to be borne off. So each set of moves is met once, and two sets
//! lead to the same position only in the two ways that [`two_dice`] leaves out.

use crate::board::{Board, POINTS, bits};
use crate::{Dice, Position};

/// Puts every position that a legal play of `dice` leads to into `results`, each once and in no
/// particular order, and answers how many dice a legal play uses.
///
/// The same set as [`legal`](crate::legal), for those who need no plays: what was in `results`
/// before is dropped, and nothing is allocated once it has grown large enough.
pub fn legal_results(position: &Position, dice: Dice, results: &mut Vec<Position>) -> usize {
    results.clear();
    let board = Board::new(position);
    let used = if board.is_lost() {
        0
    } else if dice.is_double() {
        double(board, dice.first.pips().into(), results)
    } else {
        two_dice(board, dice.larger().pips().into(), dice.smaller().pips().into(), results)
    };
    if results.is_empty() {
        results.push(*position);
    }
    used
}

fn two_dice(board: Board, large: usize, small: usize, results: &mut Vec<Position>) -> usize {
    match board.own_bar() {
        0 => {}
        1 => return two_dice_one_enters(board, large, small, results),
        _ => return two_enter(board, large, small, results),
    }

    for q in bits(board.movable(small)) {
        let after = board.moved(q, small);
        after.push_moved(after.movable(large) & from(q), large, results);
    }
    // Twice the same: two checkers that either die bears off were borne off above already, …
    for q in bits(board.movable(large) & (POINTS >> small)) {
        let after = board.moved(q, large);
        let mut second = after.movable(small) & from(q + 1);
        // … and so was a checker moved by both dice, unless it hits or is blocked on the way.
        if q + large < 24 && board.both_empty(q + large, q + small) {
            second &= !(1 << (q + large));
        }
        after.push_moved(second, small, results);
    }
    if !results.is_empty() {
        return 2;
    }
    for die in [large, small] {
        board.push_moved(board.movable(die), die, results);
        if !results.is_empty() {
            return 1;
        }
    }
    0
}

/// One checker is on the bar: it enters by either die, and any checker moves by the other.
fn two_dice_one_enters(
    board: Board,
    large: usize,
    small: usize,
    results: &mut Vec<Position>,
) -> usize {
    let by_small = board.entered(small);
    let by_large = board.entered(large);
    if let Some(after) = by_small {
        after.push_moved(after.movable(large), large, results);
    }
    if let Some(after) = by_large {
        let mut second = after.movable(small);
        // The entered checker goes on, which comes to the same in both orders if nothing is hit.
        if board.both_empty(large - 1, small - 1) {
            second &= !(1 << (large - 1));
        }
        after.push_moved(second, small, results);
    }
    if !results.is_empty() {
        return 2;
    }
    by_large.or(by_small).map_or(0, |after| {
        results.push(after.position());
        1
    })
}

/// More than one checker is on the bar, so nothing else can move.
fn two_enter(board: Board, large: usize, small: usize, results: &mut Vec<Position>) -> usize {
    let mut used = 0;
    let mut after = board;
    for die in [large, small] {
        if let Some(entered) = after.entered(die) {
            after = entered;
            used += 1;
        }
    }
    results.push(after.position());
    used
}

fn double(mut board: Board, die: usize, results: &mut Vec<Position>) -> usize {
    let mut played = 0;
    while board.own_bar() > 0 && played < 4 {
        let Some(entered) = board.entered(die) else { break };
        board = entered;
        played += 1;
    }
    if board.own_bar() > 0 || played == 4 {
        results.push(board.position());
        return played;
    }
    let mut search = Double { die, most: played, results };
    search.go_on(board, 0, played);
    search.most
}

/// Looks for the plays of a double that use the most dice.
struct Double<'a> {
    die: usize,
    /// The most dice used so far; the results are those that use so many.
    most: usize,
    results: &'a mut Vec<Position>,
}

impl Double<'_> {
    /// Moves on from bit `first` and those nearer to the tray; `played` dice are used.
    fn go_on(&mut self, board: Board, first: usize, played: usize) {
        let movable = board.movable(self.die) & from(first);
        if movable == 0 {
            // Where only a checker farther away could move on, more dice are used elsewhere.
            if self.uses(played) {
                self.results.push(board.position());
            }
        } else if played == 3 {
            self.uses(4);
            board.push_moved(movable, self.die, self.results);
        } else {
            for q in bits(movable) {
                self.go_on(board.moved(q, self.die), q, played + 1);
            }
        }
    }

    /// Whether nothing so far uses more than these dice; drops what uses fewer.
    fn uses(&mut self, dice: usize) -> bool {
        if dice > self.most {
            self.most = dice;
            self.results.clear();
        }
        dice == self.most
    }
}

/// The bits from this one on.
#[inline]
fn from(q: usize) -> u32 {
    POINTS & (POINTS << q)
}
