/// The longest match.
const LENGTH: usize = 25;

/// The share of gammons among the wins of games that are played to their end. With the cube's
/// efficiency below it brings the table closest to published ones.
const GAMMONS: f64 = 0.28;

/// How much of a live cube's worth a real cube has (Janowski's x).
const EFFICIENCY: f64 = 0.8;

/// The cube's values, as powers of two, at which it may still be turned in a match.
const TURNS: usize = 6;

/// The chances to win a match at every score, before a game begins.
///
/// Method: dynamic programming from the end of the match. One game is a fair walk of the winning
/// chance from one half; a fixed share of the wins played to the end are gammons. The cube's worth
/// lies between that of a dead cube, which never turns again, and of a live one, which turns at
/// exactly the right moment (R. Janowski, "Take-Points in Money Games", 1993), for which the take
/// points follow from the table's own later entries. The Crawford game has no cube; after it the
/// trailer doubles at once.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchEquity {
    /// `before[i][j]`: I need i, the opponent j, neither is past the Crawford game.
    before: Vec<Vec<f64>>,
    /// `after[n]`: the trailer's chance when he needs n and the leader 1, past the Crawford game.
    after: Vec<f64>,
}

impl MatchEquity {
    /// Works the table out.
    #[must_use]
    pub fn new() -> MatchEquity {
        let mut table = MatchEquity {
            before: vec![vec![0.5; LENGTH + 1]; LENGTH + 1],
            after: vec![0.5; LENGTH + 1],
        };
        for needed in 0..=LENGTH {
            table.before[0][needed] = 1.0;
            table.before[needed][0] = 0.0;
        }
        table.after[0] = 1.0;
        for needed in 2..=LENGTH {
            table.after[needed] = table.post_crawford(needed);
        }
        for needed in 2..=LENGTH {
            // The Crawford game: no cube; a gammon helps the trailer only.
            let win = |points: usize| table.after[needed.saturating_sub(points)];
            let trailer = 0.5 * ((1.0 - GAMMONS) * win(1) + GAMMONS * win(2));
            table.before[needed][1] = trailer;
            table.before[1][needed] = 1.0 - trailer;
        }
        for sum in 4..=2 * LENGTH {
            for own in 2..=LENGTH {
                let Some(other) = sum.checked_sub(own).filter(|it| (2..=own).contains(it)) else {
                    continue;
                };
                let chance = Game::new(&table, own, other).start();
                table.before[own][other] = chance;
                table.before[other][own] = 1.0 - chance;
            }
        }
        table
    }

    /// The trailer doubles at once: the leader drops only when that costs nothing, at an even need,
    /// where he may.
    fn post_crawford(&self, needed: usize) -> f64 {
        let win = |points: usize| self.after[needed.saturating_sub(points)];
        // With the cube at two the trailer's gammon counts four; a lone point gains nothing more.
        let played = 0.5 * ((1.0 - GAMMONS) * win(2) + GAMMONS * win(4));
        let dropped = win(1);
        // Dropping gives one point; the leader does it when it leaves the trailer less.
        played.min(dropped)
    }

    /// The chance to win the match when one needs `own` points and the opponent `other`; before
    /// the Crawford game, or in it.
    #[must_use]
    pub fn before_crawford(&self, own: u32, other: u32) -> f64 {
        let at = |it: u32| (it as usize).min(LENGTH);
        self.before[at(own)][at(other)]
    }

    /// The trailer's chance after the Crawford game when he needs `needed` points and the leader 1.
    #[must_use]
    pub fn after_crawford(&self, needed: u32) -> f64 {
        self.after[(needed as usize).min(LENGTH)]
    }
}

impl Default for MatchEquity {
    fn default() -> MatchEquity {
        MatchEquity::new()
    }
}

/// One game before the Crawford game at this score, seen by the side that needs `own`.
struct Game<'a> {
    table: &'a MatchEquity,
    own: usize,
    other: usize,
    /// By power of the cube before the double: from where on the other side drops.
    cash: [f64; TURNS + 1],
    /// By power of the cube before the double: from where on one takes.
    take: [f64; TURNS + 1],
}

/// Who may turn the cube.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    Own,
    Other,
}

impl<'a> Game<'a> {
    fn new(table: &'a MatchEquity, own: usize, other: usize) -> Game<'a> {
        let mut game = Game { table, own, other, cash: [1.0; TURNS + 1], take: [0.0; TURNS + 1] };
        // What a turned cube is worth depends on the next turn, so the highest comes first.
        for power in (0..TURNS).rev() {
            let cube = 1 << power;
            game.cash[power] =
                solve(|p| game.owned(p, power + 1, Owner::Other) - game.after_win(cube));
            game.take[power] =
                solve(|p| game.owned(p, power + 1, Owner::Own) - game.after_loss(cube));
        }
        game
    }

    fn after_win(&self, points: usize) -> f64 {
        self.table.before[self.own.saturating_sub(points)][self.other]
    }

    fn after_loss(&self, points: usize) -> f64 {
        self.table.before[self.own][self.other.saturating_sub(points)]
    }

    /// The match chance when a win, or a loss, at this cube is certain, gammons included.
    fn ends(&self, cube: usize) -> (f64, f64) {
        let loss = (1.0 - GAMMONS) * self.after_loss(cube) + GAMMONS * self.after_loss(2 * cube);
        let win = (1.0 - GAMMONS) * self.after_win(cube) + GAMMONS * self.after_win(2 * cube);
        (loss, win)
    }

    /// Whether turning the cube from this value can still gain its owner anything.
    fn is_dead(&self, cube: usize, owner: Owner) -> bool {
        cube >= match owner {
            Owner::Own => self.own,
            Owner::Other => self.other,
        }
    }

    /// The match chance at a winning chance `p` with the cube at this power and owned by `owner`.
    fn owned(&self, p: f64, power: usize, owner: Owner) -> f64 {
        let cube = 1 << power;
        let (loss, win) = self.ends(cube);
        let dead = loss + p * (win - loss);
        if power >= TURNS || self.is_dead(cube, owner) {
            return dead;
        }
        let live = match owner {
            Owner::Own => {
                // Up to the point where the other drops; there it is worth a plain win.
                let (cash, cashed) = (self.cash[power], self.after_win(cube));
                if p >= cash { cashed } else { loss + p / cash * (cashed - loss) }
            }
            Owner::Other => {
                let (take, dropped) = (self.take[power], self.after_loss(cube));
                let share = (p - take) / (1.0 - take);
                if p <= take { dropped } else { dropped + share * (win - dropped) }
            }
        };
        EFFICIENCY * live + (1.0 - EFFICIENCY) * dead
    }

    /// The match chance at the start of a game: even, the cube centred at one.
    fn start(&self) -> f64 {
        let p = 0.5;
        let (loss, win) = self.ends(1);
        let dead = loss + p * (win - loss);
        let (take, cash) = (self.take[0], self.cash[0]);
        let (dropped, cashed) = (self.after_loss(1), self.after_win(1));
        let live = if cash <= take {
            dead
        } else {
            let share = ((p - take) / (cash - take)).clamp(0.0, 1.0);
            dropped + share * (cashed - dropped)
        };
        EFFICIENCY * live + (1.0 - EFFICIENCY) * dead
    }
}

/// Where a growing function of a chance crosses zero, by halving.
fn solve(f: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..40 {
        let middle = (low + high) / 2.0;
        if f(middle) < 0.0 { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Published chances in per cent, up to seven points each: I need the row's number of points,
    /// the opponent the column's; one point away is the Crawford game (Kazaross-XG2).
    const PUBLISHED: [[f64; 7]; 7] = [
        [50.0, 67.736, 75.076, 81.436, 84.179, 88.731, 90.724],
        [32.264, 50.0, 59.947, 66.870, 74.359, 79.940, 84.225],
        [24.924, 40.053, 50.0, 57.150, 64.795, 71.123, 76.209],
        [18.564, 33.130, 42.850, 50.0, 57.732, 64.285, 69.924],
        [15.821, 25.641, 35.205, 42.268, 50.0, 56.635, 62.638],
        [11.269, 20.060, 28.877, 35.715, 43.365, 50.0, 56.261],
        [9.276, 15.775, 23.791, 30.076, 37.362, 43.739, 50.0],
    ];
    const PUBLISHED_AFTER: [f64; 9] =
        [50.0, 48.803, 32.264, 31.002, 19.012, 18.072, 11.559, 10.906, 6.953];

    #[test]
    fn the_table_is_close_to_a_published_one() {
        let table = MatchEquity::new();
        for (row, own) in PUBLISHED.iter().zip(1..) {
            for (published, other) in row.iter().zip(1..) {
                let chance = 100.0 * table.before_crawford(own, other);
                assert!((chance - published).abs() < 1.0, "{own}-away, {other}-away: {chance}");
            }
        }
        for (published, needed) in PUBLISHED_AFTER.iter().zip(1..) {
            let chance = 100.0 * table.after_crawford(needed);
            assert!((chance - published).abs() < 1.5, "{needed}-away: {chance}");
        }
    }

    #[test]
    fn both_sides_chances_make_one_and_fewer_points_to_go_are_better() {
        let table = MatchEquity::new();
        for own in 1..=25 {
            for other in 1..=25 {
                let chance = table.before_crawford(own, other);
                assert!((chance + table.before_crawford(other, own) - 1.0).abs() < 1e-12);
                assert!(chance > table.before_crawford(own + 1, other) || own == 25);
                assert!(chance < table.before_crawford(own, other + 1) || other == 25);
            }
        }
    }
}
