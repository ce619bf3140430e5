use crate::{Color, Cube, Point, Position, Ruleset, Score, Win};

/// The least that `resigner` may offer when it gives a game up; `position` is in its view.
///
/// A single game if it has borne a checker off or gammons do not count: under Jacoby while the
/// cube was never turned, or when the winner needs no more to win the match. Else a gammon; and a
/// backgammon if the winner has begun to bear off while the resigner has a checker on the bar or
/// in the winner's home.
#[must_use]
pub fn least_resignation(
    position: &Position,
    cube: Cube,
    score: &Score,
    ruleset: &Ruleset,
    resigner: Color,
) -> Win {
    let jacoby = ruleset.jacoby && !cube.is_turned();
    let single_is_enough =
        score.needed(resigner.opposite(), ruleset).is_some_and(|needed| needed <= cube.value());
    if position.own(Point::OFF) > 0 || jacoby || single_is_enough {
        return Win::Single;
    }
    let far_behind = (19..=25).filter_map(Point::new).any(|place| position.own(place) > 0);
    if position.opponent(Point::OFF) > 0 && far_behind { Win::Backgammon } else { Win::Gammon }
}
