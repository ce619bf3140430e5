use crate::{ByColor, Color, Length, Ruleset};

/// The points of both sides and where the match stands to the Crawford game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Score {
    /// The games' own points in full, not capped at the match length.
    pub points: ByColor<u32>,
    crawford: Crawford,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
enum Crawford {
    #[default]
    Before,
    Now,
    After,
}

impl Score {
    /// How many points `color` still needs to win the match; `None` in a money session.
    #[must_use]
    pub fn needed(&self, color: Color, ruleset: &Ruleset) -> Option<u32> {
        Some(u32::from(ruleset.match_length()?).saturating_sub(self.points[color]))
    }

    /// Who has won the match, if anybody; nobody ever wins a money session.
    #[must_use]
    pub fn match_winner(&self, ruleset: &Ruleset) -> Option<Color> {
        Color::ALL.into_iter().find(|&color| self.needed(color, ruleset) == Some(0))
    }

    /// Whether the game being played is the Crawford game.
    #[must_use]
    pub fn is_crawford(&self) -> bool {
        self.crawford == Crawford::Now
    }

    /// The score after `winner` has won a game worth `points`. The first game after a side
    /// reaches length − 1 is the Crawford game, once, and never in a match to one point.
    #[must_use]
    pub fn after_game(mut self, winner: Color, points: u32, ruleset: &Ruleset) -> Score {
        self.points[winner] = self.points[winner].saturating_add(points);
        let one_away = Color::ALL.iter().any(|&color| self.needed(color, ruleset) == Some(1));
        self.crawford = match self.crawford {
            Crawford::Before
                if ruleset.crawford && one_away && ruleset.length != Length::Match(1) =>
            {
                Crawford::Now
            }
            Crawford::Before => Crawford::Before,
            Crawford::Now | Crawford::After => Crawford::After,
        };
        self
    }
}
