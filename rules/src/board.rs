//! A position spread out for finding moves fast.

use crate::Position;
use crate::position::{BIAS, FIELD, HIGH, LOW, OPPONENT_BAR, OWN_BAR, POINTS_AT, own_points};

/// Bit `q` of a mask stands for point 24 − `q`, so the checkers farthest from home come first and
/// a die moves a checker to a higher bit.
pub(crate) type Mask = u32;

pub(crate) const POINTS: Mask = (1 << 24) - 1;
const HOME: Mask = POINTS & !(POINTS >> 6);

/// What a move from bit `q` (second index) by a die (first index) adds to the number that is the
/// position, if nothing is hit. It may be negative; additions wrap.
const STEP: [[u128; 24]; 7] = {
    let mut step = [[0_u128; 24]; 7];
    let mut die = 1;
    while die <= 6 {
        let mut q = 0;
        while q < 24 {
            let arrives = if q + die < 24 { 1 << place(q + die) } else { 0_u128 };
            step[die][q] = arrives.wrapping_sub(1 << place(q));
            q += 1;
        }
        die += 1;
    }
    step
};

/// Where in the position's number the point of bit `q` stands.
const fn place(q: usize) -> u32 {
    POINTS_AT + FIELD * q as u32
}

/// What hitting adds to the position besides the step: the opponent's blot becomes nothing and
/// stands on its bar.
const fn hit(q: usize) -> u128 {
    (1 << place(q)) + (1 << OPPONENT_BAR)
}

const HIT: [u128; 32] = {
    let mut hits = [0; 32];
    let mut q = 0;
    while q < 24 {
        hits[q] = hit(q);
        q += 1;
    }
    hits
};

/// A position with a mask for each kind of point.
#[derive(Clone, Copy)]
pub(crate) struct Board {
    bits: u128,
    /// Points with own checkers.
    own: Mask,
    /// Points with one checker of the opponent.
    blots: Mask,
    /// Points that the opponent holds.
    blocked: Mask,
}

impl Board {
    #[inline]
    pub(crate) fn new(position: &Position) -> Board {
        let bits = position.0;
        let [far, near] = position.halves().map(|half| {
            let fifteen = ((half & !HIGH) + LOW) & HIGH & !half;
            [own_points(half), fifteen, !half & HIGH & !fifteen].map(gathered)
        });
        let [own, blots, blocked] = [0, 1, 2].map(|kind: usize| far[kind] | (near[kind] << 12));
        Board { bits, own, blots, blocked }
    }

    #[inline]
    pub(crate) fn position(&self) -> Position {
        Position(self.bits)
    }

    #[inline]
    pub(crate) fn own_bar(&self) -> u32 {
        (self.bits >> OWN_BAR) as u32 & 15
    }

    /// Whether the opponent has borne everything off.
    #[inline]
    pub(crate) fn is_lost(&self) -> bool {
        self.blots | self.blocked == 0 && (self.bits >> OPPONENT_BAR) & 15 == 0
    }

    /// The points from which a die can move a checker, bearing off included, if none is on the
    /// bar.
    #[inline]
    pub(crate) fn movable(&self, die: usize) -> Mask {
        let mut movable = self.own & (POINTS >> die) & !(self.blocked >> die);
        if self.own & !HOME == 0 {
            let exact = 24 - die;
            movable |= self.own & (1 << exact);
            let rearmost = self.own.trailing_zeros();
            if rearmost > exact as u32 && self.own != 0 {
                movable |= 1 << rearmost;
            }
        }
        movable
    }

    /// The position after a move from bit `q` that [`Board::movable`] allows.
    #[inline]
    fn after(&self, q: usize, die: usize) -> u128 {
        // Whether it hits is a coin toss for the processor, so it is not asked.
        let to = (q + die) & 31;
        let hits = u128::from(self.blots >> to & 1).wrapping_neg();
        self.bits.wrapping_add(STEP[die][q]).wrapping_add(HIT[to] & hits)
    }

    /// The board after a move from bit `q` that [`Board::movable`] allows.
    #[inline]
    pub(crate) fn moved(&self, q: usize, die: usize) -> Board {
        let bits = self.after(q, die);
        let arrives = (1 << (q + die)) & POINTS;
        let left = Mask::from((bits >> place(q)) as u8 & 31 == BIAS);
        Board {
            bits,
            own: (self.own | arrives) & !(left << q),
            blots: self.blots & !arrives,
            blocked: self.blocked,
        }
    }

    /// The board after a checker has entered by a die, if one is on the bar and it can.
    #[inline]
    pub(crate) fn entered(mut self, die: usize) -> Option<Board> {
        let q = die - 1;
        if self.blocked & (1 << q) != 0 {
            return None;
        }
        self.bits = self.bits - (1 << OWN_BAR) + (1 << place(q));
        self.arrived(q);
        Some(self)
    }

    #[inline]
    fn arrived(&mut self, q: usize) {
        let bit = 1 << q;
        self.own |= bit;
        if self.blots & bit != 0 {
            self.blots &= !bit;
            self.bits += hit(q);
        }
    }

    /// Adds the position after each of the moves from the bits `from`, which [`Board::movable`]
    /// allows.
    #[inline]
    pub(crate) fn push_moved(&self, from: Mask, die: usize, results: &mut Vec<Position>) {
        for q in bits(from) {
            results.push(Position(self.after(q, die)));
        }
    }

    /// Whether nothing of the opponent stands on either of the points, so that a checker that stops
    /// on one of them gets on as well, and to the same position, over the other.
    #[inline]
    pub(crate) fn both_empty(&self, one: usize, other: usize) -> bool {
        (self.blots | self.blocked) & ((1 << one) | (1 << other)) == 0
    }
}

/// The numbers of the bits that are set, lowest first.
#[inline]
pub(crate) fn bits(mut mask: Mask) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let q = mask.trailing_zeros() as usize;
        (mask != 0).then(|| {
            mask &= mask - 1;
            q
        })
    })
}

/// Brings the highest bits of twelve five-bit fields together.
#[inline]
fn gathered(fields: u64) -> Mask {
    let ones = fields >> 4;
    let twos = (ones | ones >> 4) & 0x000C_0300_C030_0C03;
    let fours = (twos | twos >> 8) & 0x0F00_00F0_000F;
    ((fours | fours >> 16 | fours >> 32) & 0xFFF) as Mask
}
