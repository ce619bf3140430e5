use std::cmp::Reverse;

use thiserror::Error;

use crate::{Dice, Move, Play, Point, Position, next_moves};

/// Why a text is no legal play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NotationError {
    /// The group at this index (from 0) is not written like `8/5`, `bar/22*` or `6/off(2)`.
    #[error("group {} is not a move", .0 + 1)]
    Group(usize),
    /// More checkers are moved than the dice allow.
    #[error("too many moves")]
    TooManyMoves,
    /// No legal play moves the checkers so.
    #[error("no legal play moves the checkers so")]
    Illegal,
    /// It stands for several plays with different results, depending on what is hit on the way.
    #[error("it is not said what is hit on the way")]
    Ambiguous,
}

/// One checker's way from place to place; or that of several checkers with the same way.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Way {
    stops: Vec<Stop>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Stop {
    place: Point,
    hits: bool,
}

impl Way {
    fn start(&self) -> Point {
        self.stops.first().map_or(Point::OFF, |it| it.place)
    }

    fn end(&self) -> Point {
        self.stops.last().map_or(Point::OFF, |it| it.place)
    }
}

/// A play in standard notation: `8/5* 6/5`, `bar/22`, `6/off`, `13/7(2)`.
///
/// The highest starting place comes first; a checker moved several times is shown with its first
/// and last place, and with those between where it hits: `24/14`, but `24/18*/14`. The play of no
/// moves is the empty text.
///
/// `before` is the position the play starts from. Moves that cannot be made are still written.
#[must_use]
pub fn write_play(before: &Position, play: &Play) -> String {
    let mut ways: Vec<Way> = Vec::new();
    for it in play.iter() {
        let stop = Stop { place: it.to(), hits: false };
        match ways.iter_mut().find(|way| way.end() == it.from) {
            Some(way) => way.stops.push(stop),
            None => ways.push(Way { stops: vec![Stop { place: it.from, hits: false }, stop] }),
        }
    }
    // From one place the shorter step comes first, as in bar/24 bar/22; the steps of a double are
    // equal, and there the longer way comes first, so that it is seen to hit first.
    ways.sort_by_key(|way| (Reverse(way.start()), Reverse(way.stops[1].place), way.end()));

    // A blot is hit once, whoever comes first: the mark stands where it is read first.
    let mut marked = Vec::new();
    for way in &mut ways {
        let last = way.stops.len() - 1;
        for stop in &mut way.stops[1..] {
            let blot = stop.place != Point::OFF && before.opponent(stop.place) == 1;
            if blot && !marked.contains(&stop.place) {
                stop.hits = true;
                marked.push(stop.place);
            }
        }
        let mut index = 0;
        way.stops.retain(|stop| {
            let shown = index == 0 || index == last || stop.hits;
            index += 1;
            shown
        });
    }

    let mut groups = Vec::new();
    let same =
        |a: &Way, b: &Way| a.stops.iter().map(|it| it.place).eq(b.stops.iter().map(|it| it.place));
    for equal in ways.chunk_by(same) {
        let mut text = String::new();
        for (index, stop) in equal[0].stops.iter().enumerate() {
            if index > 0 {
                text.push('/');
            }
            match stop.place {
                Point::BAR => text.push_str("bar"),
                Point::OFF => text.push_str("off"),
                point => text.push_str(&point.number().to_string()),
            }
            if equal.iter().any(|way| way.stops[index].hits) {
                text.push('*');
            }
        }
        if equal.len() > 1 {
            text.push_str(&format!("({})", equal.len()));
        }
        groups.push(text);
    }
    groups.join(" ")
}

/// Reads a play in standard notation, as [`write_play`] writes it and as people type it.
///
/// Upper case, commas between groups, `25` for the bar, `0` for off and missing marks of hits are
/// understood. Of several plays with the same result one is answered.
///
/// # Errors
/// What cannot be read, or that no legal play or more than one is meant.
pub fn parse_play(position: &Position, dice: Dice, text: &str) -> Result<Play, NotationError> {
    let ways = parse_ways(text)?;
    if ways.len() > dice.moves() {
        return Err(NotationError::TooManyMoves);
    }
    let marked: Vec<Point> =
        ways.iter().flat_map(|way| &way.stops).filter(|it| it.hits).map(|it| it.place).collect();
    if marked.iter().any(|&it| it == Point::OFF || position.opponent(it) != 1) {
        return Err(NotationError::Illegal);
    }
    let mut search = Search { start: *position, dice, marked, found: Vec::new() };
    let walks = ways.iter().map(|way| Walk { way, next: 1, at: way.start() }).collect();
    search.walk(*position, walks, Found { play: Play::NONE, unmarked: 0, result: *position });

    // What is written down in full is meant; if that is nothing, what has fewer marks than hits.
    let fewest = search.found.iter().map(|it| it.unmarked).min().ok_or(NotationError::Illegal)?;
    let mut meant = search.found.iter().filter(|it| fewest > 0 || it.unmarked == 0);
    let first = meant.next().ok_or(NotationError::Illegal)?;
    if meant.any(|it| it.result != first.result) {
        return Err(NotationError::Ambiguous);
    }
    Ok(first.play)
}

fn parse_ways(text: &str) -> Result<Vec<Way>, NotationError> {
    let groups = text.split(|it: char| it.is_whitespace() || it == ',').filter(|it| !it.is_empty());
    let mut ways = Vec::new();
    for (index, group) in groups.enumerate() {
        let (way, count) = parse_group(group).ok_or(NotationError::Group(index))?;
        ways.extend(std::iter::repeat_n(way, count));
        if ways.len() > 4 {
            return Err(NotationError::TooManyMoves);
        }
    }
    Ok(ways)
}

fn parse_group(group: &str) -> Option<(Way, usize)> {
    let (way, count) = match group.strip_suffix(')') {
        None => (group, 1),
        Some(rest) => {
            let (way, count) = rest.split_once('(')?;
            (way, ["1", "2", "3", "4"].iter().position(|it| *it == count)? + 1)
        }
    };
    let mut stops = Vec::new();
    for stop in way.split('/') {
        let (place, hits) = match stop.strip_suffix('*') {
            Some(place) => (place, true),
            None => (stop, false),
        };
        stops.push(Stop { place: parse_place(place)?, hits });
    }
    let falls = stops.is_sorted_by(|a, b| a.place > b.place);
    (falls && stops.len() >= 2 && !stops[0].hits).then_some((Way { stops }, count))
}

fn parse_place(text: &str) -> Option<Point> {
    if text.eq_ignore_ascii_case("bar") {
        return Some(Point::BAR);
    }
    if text.eq_ignore_ascii_case("off") {
        return Some(Point::OFF);
    }
    let plain = text.len() <= 2 && text.bytes().all(|it| it.is_ascii_digit());
    Point::new(text.parse().ok().filter(|_| plain)?)
}

/// A checker on its way.
#[derive(Clone)]
struct Walk<'a> {
    way: &'a Way,
    /// The stop it goes to.
    next: usize,
    at: Point,
}

#[derive(Clone, Copy)]
struct Found {
    play: Play,
    /// How many hits are not marked.
    unmarked: usize,
    result: Position,
}

/// Looks for all legal plays that walk all the ways.
struct Search {
    start: Position,
    dice: Dice,
    /// Where something is said to be hit.
    marked: Vec<Point>,
    found: Vec<Found>,
}

impl Search {
    fn walk(&mut self, position: Position, walks: Vec<Walk<'_>>, so_far: Found) {
        let played: Vec<Move> = so_far.play.iter().collect();
        let next = next_moves(&self.start, self.dice, &played);
        if walks.iter().all(|it| it.next == it.way.stops.len()) {
            if next.is_empty() {
                self.found.push(Found { result: position, ..so_far });
            }
            return;
        }
        for it in next {
            let Ok(after) = position.after_move(it) else { continue };
            let to = it.to();
            let hits = to != Point::OFF && position.opponent(to) == 1;
            for (index, walk) in walks.iter().enumerate() {
                let Some(stop) = walk.way.stops.get(walk.next) else { continue };
                let same_before = walks[..index].iter().any(|other| {
                    other.way == walk.way && other.next == walk.next && other.at == walk.at
                });
                if walk.at != it.from || to < stop.place || same_before {
                    continue;
                }
                let mut walks = walks.clone();
                walks[index].at = to;
                walks[index].next += usize::from(to == stop.place);
                let mut found = so_far;
                found.play.push(it);
                found.unmarked += usize::from(hits && !self.marked.contains(&to));
                self.walk(after, walks, found);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Setup, check_play};

    fn setup(own: &[(usize, i8)], opponent: &[(usize, i8)]) -> Position {
        let mut points = [0; 24];
        let mut left = [15_u8; 2];
        for (side, (places, sign)) in [(own, 1), (opponent, -1)].into_iter().enumerate() {
            for &(point, count) in places {
                points[point - 1] = sign * count;
                left[side] -= count.unsigned_abs();
            }
        }
        Position::from_setup(&Setup { points, bar: [0, 0], off: left }).expect("a position")
    }

    fn on_bar(mut setup: Setup) -> Position {
        setup.bar[0] += setup.off[0];
        setup.off[0] = 0;
        Position::from_setup(&setup).expect("a position")
    }

    fn dice(first: u8, second: u8) -> Dice {
        Dice::new(first, second).expect("dice")
    }

    /// The written form of what `text` is read as.
    fn again(position: &Position, dice: Dice, text: &str) -> Result<String, NotationError> {
        let play = parse_play(position, dice, text)?;
        check_play(position, dice, &play).expect("what is read is legal");
        Ok(write_play(position, &play))
    }

    #[test]
    fn common_plays_read_and_write_alike() {
        let start = Position::START;
        for (first, second, text) in [
            (3, 1, "8/5 6/5"),
            (6, 5, "24/13"),
            (6, 1, "13/7 8/7"),
            (6, 6, "24/18(2) 13/7(2)"),
            (3, 3, "24/15 13/10"),
            (1, 1, "8/7(2) 6/5(2)"),
            (5, 5, "13/3(2)"),
        ] {
            assert_eq!(again(&start, dice(first, second), text).as_deref(), Ok(text));
        }
    }

    #[test]
    fn order_and_spelling_are_free() {
        let start = Position::START;
        let read = |text| again(&start, dice(3, 1), text);
        assert_eq!(read(" 6/5,8/5 ").as_deref(), Ok("8/5 6/5"));
        assert_eq!(read("24/21/20").as_deref(), Ok("24/20"));
        let position = on_bar(setup(&[(6, 13)], &[(20, 2), (1, 5)]).setup());
        assert_eq!(again(&position, dice(3, 1), "BAR/22 25/24").as_deref(), Ok("bar/24 bar/22"));
        let position = setup(&[(6, 2), (3, 2)], &[(20, 2)]);
        assert_eq!(again(&position, dice(6, 3), "3/OFF 6/0").as_deref(), Ok("6/off 3/off"));
    }

    #[test]
    fn hits_on_the_way_tell_two_plays_apart() {
        let position = setup(&[(24, 1), (6, 14)], &[(18, 1), (1, 14)]);
        let roll = dice(6, 4);
        let over = parse_play(&position, roll, "24/14").expect("a play");
        let hitting = parse_play(&position, roll, "24/18*/14").expect("a play");
        assert_eq!(write_play(&position, &over), "24/14");
        assert_eq!(write_play(&position, &hitting), "24/18*/14");
        let result = |play| check_play(&position, roll, play).expect("legal");
        assert_eq!(result(&over).opponent(Point::BAR), 0);
        assert_eq!(result(&hitting).opponent(Point::BAR), 1);
        // With a blot on both ways somebody who marks nothing has not said enough.
        let position = setup(&[(24, 1), (6, 14)], &[(20, 1), (18, 1), (1, 13)]);
        assert_eq!(parse_play(&position, roll, "24/14"), Err(NotationError::Ambiguous));
        assert_eq!(again(&position, roll, "24/20*/14").as_deref(), Ok("24/20*/14"));
    }

    #[test]
    fn a_forgotten_mark_is_forgiven_and_an_invented_one_is_not() {
        let position = setup(&[(8, 1), (6, 1), (1, 13)], &[(5, 1), (24, 14)]);
        let roll = dice(3, 1);
        assert_eq!(again(&position, roll, "8/5 6/5").as_deref(), Ok("8/5* 6/5"));
        assert_eq!(again(&position, roll, "8/5 6/5*").as_deref(), Ok("8/5* 6/5"));
        assert_eq!(parse_play(&Position::START, roll, "8/5* 6/5"), Err(NotationError::Illegal));
    }

    #[test]
    fn a_stop_that_hits_stays_when_others_follow() {
        let position = setup(&[(13, 2), (6, 13)], &[(10, 1), (24, 14)]);
        let read = |text| again(&position, dice(3, 3), text);
        assert_eq!(read("13/10*/4 13/10").as_deref(), Ok("13/10*/4 13/10"));
        assert_eq!(read("13/10*(2) 6/3(2)").as_deref(), Ok("13/10*(2) 6/3(2)"));
    }

    #[test]
    fn what_is_no_play_is_refused() {
        let start = Position::START;
        let read = |text| parse_play(&start, dice(3, 1), text);
        for (index, text) in [
            "8", "8/", "/8", "8/9", "8/8", "8*/5", "8/5(0)", "8/5(5)", "8/5)", "x/5", "+8/5",
            "26/25",
        ]
        .into_iter()
        .enumerate()
        {
            assert_eq!(read(text), Err(NotationError::Group(0)), "text {index}: {text}");
        }
        assert_eq!(read("6/5 8/x"), Err(NotationError::Group(1)));
        assert_eq!(read("8/5(4) 6/5"), Err(NotationError::TooManyMoves));
        assert_eq!(read("8/5(3)"), Err(NotationError::TooManyMoves));
        for text in ["", "8/5", "8/4 6/5", "6/5 6/4", "bar/22 6/5", "24/18"] {
            assert_eq!(read(text), Err(NotationError::Illegal), "{text}");
        }
    }

    #[test]
    fn no_moves_are_no_text() {
        let position = on_bar(setup(&[(6, 14)], &[(24, 2), (22, 2)]).setup());
        assert_eq!(write_play(&position, &Play::NONE), "");
        assert_eq!(parse_play(&position, dice(3, 1), ""), Ok(Play::NONE));
    }
}
