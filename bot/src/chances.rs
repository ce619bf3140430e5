use rules::Win;

/// The chances of every result of a game for the side on roll, cubeless. Gammons include
/// backgammons.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Chances {
    /// To win.
    pub win: f32,
    /// To win a gammon or a backgammon.
    pub win_gammon: f32,
    /// To win a backgammon.
    pub win_backgammon: f32,
    /// To lose a gammon or a backgammon.
    pub lose_gammon: f32,
    /// To lose a backgammon.
    pub lose_backgammon: f32,
}

impl Chances {
    /// The certainty of having won like this.
    #[must_use]
    pub fn won(win: Win) -> Chances {
        Chances {
            win: 1.0,
            win_gammon: if win >= Win::Gammon { 1.0 } else { 0.0 },
            win_backgammon: if win == Win::Backgammon { 1.0 } else { 0.0 },
            ..Chances::default()
        }
    }

    /// The same from the other side's view.
    #[must_use]
    pub fn flipped(self) -> Chances {
        Chances {
            win: 1.0 - self.win,
            win_gammon: self.lose_gammon,
            win_backgammon: self.lose_backgammon,
            lose_gammon: self.win_gammon,
            lose_backgammon: self.win_backgammon,
        }
    }

    /// The cubeless money equity: points a game when every game is played to its end.
    #[must_use]
    pub fn equity(self) -> f32 {
        2.0 * self.win - 1.0 + self.win_gammon + self.win_backgammon
            - self.lose_gammon
            - self.lose_backgammon
    }

    /// The five numbers in the order of the fields.
    #[must_use]
    pub const fn to_array(self) -> [f32; 5] {
        [self.win, self.win_gammon, self.win_backgammon, self.lose_gammon, self.lose_backgammon]
    }

    /// From five numbers in the order of the fields.
    #[must_use]
    pub const fn from_array(it: [f32; 5]) -> Chances {
        let [win, win_gammon, win_backgammon, lose_gammon, lose_backgammon] = it;
        Chances { win, win_gammon, win_backgammon, lose_gammon, lose_backgammon }
    }

    /// Adds `weight` times another's chances, for averages.
    #[must_use]
    pub fn plus(self, other: Chances, weight: f32) -> Chances {
        let (mut sum, other) = (self.to_array(), other.to_array());
        for (sum, other) in sum.iter_mut().zip(other) {
            *sum += weight * other;
        }
        Chances::from_array(sum)
    }
}
