//! The rules once more, in the plainest way there is and for either side of one board, to judge
//! the crate by.

use std::collections::BTreeSet;

use rules::{Dice, Position, Setup};

/// A board seen from one fixed side: white moves from 24 to 1, black from 1 to 24.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Board {
    /// Checkers on the points 1 … 24; white's positive.
    pub(crate) points: Vec<i32>,
    /// White's, black's.
    pub(crate) bar: [i32; 2],
    /// White's, black's.
    pub(crate) off: [i32; 2],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    White,
    Black,
}

impl Board {
    pub(crate) fn of(position: &Position) -> Board {
        let Setup { points, bar, off } = position.setup();
        let mut numbered = vec![0];
        numbered.extend(points.map(i32::from));
        Board { points: numbered, bar: bar.map(i32::from), off: off.map(i32::from) }
    }

    /// The position in white's view.
    pub(crate) fn position(&self) -> Position {
        let mut points = [0; 24];
        for (to, &from) in points.iter_mut().zip(&self.points[1..]) {
            *to = i8::try_from(from).unwrap();
        }
        let small = |pair: [i32; 2]| pair.map(|it| u8::try_from(it).unwrap());
        let setup = Setup { points, bar: small(self.bar), off: small(self.off) };
        Position::from_setup(&setup).expect("the oracle keeps the checkers")
    }

    fn checkers(&self, side: Side, point: i32) -> i32 {
        let count = self.points[usize::try_from(point).unwrap()];
        match side {
            Side::White => count.max(0),
            Side::Black => (-count).max(0),
        }
    }

    /// The board after one checker of `side` has moved from `from` (`None`: the bar) by `die`.
    fn moved(&self, side: Side, from: Option<i32>, die: i32) -> Option<Board> {
        let (me, other, sign, opponent) = match side {
            Side::White => (0, 1, 1, Side::Black),
            Side::Black => (1, 0, -1, Side::White),
        };
        let mut after = self.clone();
        let to = match from {
            None => {
                if self.bar[me] == 0 {
                    return None;
                }
                after.bar[me] -= 1;
                if side == Side::White { 25 - die } else { die }
            }
            Some(from) => {
                if self.bar[me] > 0 || self.checkers(side, from) == 0 {
                    return None;
                }
                after.points[usize::try_from(from).unwrap()] -= sign;
                from - sign * die
            }
        };
        if (1..=24).contains(&to) {
            if self.checkers(opponent, to) > 1 {
                return None;
            }
            if self.checkers(opponent, to) == 1 {
                after.points[usize::try_from(to).unwrap()] = 0;
                after.bar[other] += 1;
            }
            after.points[usize::try_from(to).unwrap()] += sign;
            return Some(after);
        }
        // Off the board: everybody home, and either the exact number or nobody behind.
        let distance = |point: i32| if side == Side::White { point } else { 25 - point };
        let farthest = (1..=24).filter(|&it| self.checkers(side, it) > 0).map(distance).max()?;
        let exact = to == 0 || to == 25;
        if farthest > 6 || !(exact || from.is_some_and(|from| distance(from) == farthest)) {
            return None;
        }
        after.off[me] += 1;
        Some(after)
    }

    fn is_over(&self) -> bool {
        self.off.contains(&15)
    }

    /// Everything `side` can make of dice in this order, stopping anywhere: with the dice played.
    fn tries(
        &self,
        side: Side,
        dice: &[i32],
        played: &[i32],
        all: &mut BTreeSet<(Vec<i32>, Board)>,
    ) {
        if !all.insert((played.to_vec(), self.clone())) || self.is_over() {
            return;
        }
        let Some((&die, rest)) = dice.split_first() else { return };
        for from in std::iter::once(None).chain((1..=24).map(Some)) {
            if let Some(after) = self.moved(side, from, die) {
                after.tries(side, rest, &[played, &[die]].concat(), all);
            }
        }
    }

    /// How many dice `side` must play, and all that can become of it.
    pub(crate) fn legal(&self, side: Side, dice: Dice) -> (usize, BTreeSet<Board>) {
        let (a, b) = (i32::from(dice.first.pips()), i32::from(dice.second.pips()));
        let orders = if a == b { vec![vec![a; 4]] } else { vec![vec![a, b], vec![b, a]] };
        let mut all = BTreeSet::new();
        for order in orders {
            let mut tried = BTreeSet::new();
            self.tries(side, &order, &[], &mut tried);
            all.extend(tried);
        }
        let most = all.iter().map(|(played, _)| played.len()).max().unwrap();
        all.retain(|(played, _)| played.len() == most);
        if most == 1 && all.iter().any(|(played, _)| played[0] == a.max(b)) {
            all.retain(|(played, _)| played[0] == a.max(b));
        }
        (most, all.into_iter().map(|(_, board)| board).collect())
    }
}
