use crate::{BearOff, Chances, Inputs, Net};
use rules::{Point, Position};

/// The phase of a game: each is valued by its own means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Somebody has borne everything off.
    Over,
    /// The sides can still hit each other.
    Contact,
    /// They are past each other.
    Race,
}

/// The phase that a position belongs to.
#[must_use]
pub fn class(position: &Position) -> Class {
    if position.own(Point::OFF) == 15 || position.opponent(Point::OFF) == 15 {
        Class::Over
    } else if position.has_contact() {
        Class::Contact
    } else {
        Class::Race
    }
}

/// Something that values positions from the view of the side on roll, before it rolls.
pub trait Evaluator {
    /// The chances of the side on roll.
    fn evaluate(&mut self, position: &Position) -> Chances;
}

/// The networks and the bear-off table together.
pub struct Nets {
    /// Values positions with contact.
    pub contact: Net,
    /// Values races that the table does not know.
    pub race: Net,
    /// Values the ends of races.
    pub bear_off: BearOff,
    hidden: Vec<f32>,
}

impl Nets {
    /// Puts them together.
    #[must_use]
    pub fn new(contact: Net, race: Net, bear_off: BearOff) -> Nets {
        Nets { contact, race, bear_off, hidden: Vec::new() }
    }
}

impl Evaluator for Nets {
    fn evaluate(&mut self, position: &Position) -> Chances {
        let net = match class(position) {
            Class::Over => {
                return match position.win() {
                    Some(win) => Chances::won(win),
                    None => position
                        .flipped()
                        .win()
                        .map_or(Chances::default(), |win| Chances::won(win).flipped()),
                };
            }
            Class::Contact => &self.contact,
            Class::Race => match self.bear_off.chances(position) {
                Some(chances) => return chances,
                None => &self.race,
            },
        };
        let chances = net.chances(&Inputs::of(position), &mut self.hidden);
        possible(chances, position)
    }
}

/// What the rules exclude is no chance: who has borne a checker off loses no gammon, and gammons
/// are no more likely than the win or the loss they are part of.
fn possible(mut it: Chances, position: &Position) -> Chances {
    if position.opponent(Point::OFF) > 0 {
        (it.win_gammon, it.win_backgammon) = (0.0, 0.0);
    }
    if position.own(Point::OFF) > 0 {
        (it.lose_gammon, it.lose_backgammon) = (0.0, 0.0);
    }
    it.win_gammon = it.win_gammon.min(it.win);
    it.win_backgammon = it.win_backgammon.min(it.win_gammon);
    it.lose_gammon = it.lose_gammon.min(1.0 - it.win);
    it.lose_backgammon = it.lose_backgammon.min(it.lose_gammon);
    it
}
