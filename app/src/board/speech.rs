//! The accessible names of what is on the board.

use rules::Color;
use table::Reach;

use super::model::{DiceShown, Model};
use crate::live_table::Spot;
use crate::prefs::Lang;
use crate::words::{Word, w};

/// The word for a side: "белые".
#[must_use]
pub const fn side_word(color: Color) -> Word {
    match color {
        Color::White => w::SIDE_WHITE,
        Color::Black => w::SIDE_BLACK,
    }
}

/// The name of a spot: its number for the side at the `bottom`, and who lies there.
#[must_use]
pub fn point_name(lang: Lang, model: &Model, bottom: Color, spot: Spot) -> String {
    let count = |color| model.layout.count(spot, color);
    let mut name = match spot {
        Spot::Point(absolute) => {
            let number = if bottom == Color::White { absolute } else { 25 - absolute };
            match model.layout.owner(spot) {
                None => w::POINT_EMPTY.fill(lang, &[("point", &number)]),
                Some((color, count)) => {
                    let word = match color {
                        Color::White => w::POINT_WHITE,
                        Color::Black => w::POINT_BLACK,
                    };
                    word.fill(lang, &[("point", &number), ("count", &count)])
                }
            }
        }
        Spot::Bar(color) => {
            let word = if color == Color::White { w::BAR_WHITE } else { w::BAR_BLACK };
            word.fill(lang, &[("count", &count(color))])
        }
        Spot::Off(color) => {
            let word = if color == Color::White { w::OFF_WHITE } else { w::OFF_BLACK };
            word.fill(lang, &[("count", &count(color))])
        }
    };
    let state = if model.picked == Some(spot) {
        Some(w::SPOT_PICKED)
    } else if let Some(reach) = model.reach(spot) {
        Some(match reach {
            Reach::Larger | Reach::Smaller => w::SPOT_TARGET,
            Reach::Both => w::SPOT_TARGET_BOTH,
        })
    } else if model.sources.contains(&spot) {
        Some(w::SPOT_SOURCE)
    } else {
        None
    };
    if let Some(state) = state {
        name.push_str(", ");
        name.push_str(state.in_language(lang));
    }
    name
}

/// The name of the dice and of what a press on them does.
#[must_use]
pub fn dice_name(lang: Lang, dice: Option<&DiceShown>, does: Option<Word>) -> String {
    let shown = match dice {
        None => w::DICE_NONE.in_language(lang).to_owned(),
        Some(dice) => {
            let [first, second] = dice.values;
            w::DICE_SHOWN.fill(lang, &[("first", &first), ("second", &second)])
        }
    };
    match does {
        None => shown,
        Some(does) => format!("{shown}. {}", does.in_language(lang)),
    }
}
