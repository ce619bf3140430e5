//! What holds for every position, roll and text, not just for those somebody thought of.
#![allow(clippy::unwrap_used, reason = "a failed test should stop at the line that failed")]

mod oracle;

use std::collections::{BTreeMap, BTreeSet, HashSet};

use oracle::{Board, Side};
use proptest::collection::vec;
use proptest::prelude::*;
use rules::{
    Dice, Die, IllegalPlay, Move, Play, Point, Position, Setup, SetupError, Win, check_play, legal,
    legal_results, next_moves, parse_play, write_play,
};

fn any_dice() -> impl Strategy<Value = Dice> {
    (1..=6_u8, 1..=6_u8).prop_map(|(first, second)| Dice::new(first, second).unwrap())
}

fn any_move() -> impl Strategy<Value = Move> {
    (0..=25_u8, 1..=6_u8).prop_map(|(from, die)| Move {
        from: Point::new(from).unwrap(),
        die: Die::new(die).unwrap(),
    })
}

/// Places fifteen checkers of each side; where both want a point, the opponent's go to its bar.
fn placed(own: &[u8], opponent: &[u8]) -> Position {
    let mut setup = Setup { points: [0; 24], bar: [0; 2], off: [0; 2] };
    for &place in own {
        match place {
            0 => setup.off[0] += 1,
            25 => setup.bar[0] += 1,
            point => setup.points[usize::from(point) - 1] += 1,
        }
    }
    for &place in opponent {
        match place {
            // One stays on the board, so that not both have won.
            0 if setup.off[1] < 14 => setup.off[1] += 1,
            1..=24 if setup.points[usize::from(24 - place)] <= 0 => {
                setup.points[usize::from(24 - place)] -= 1;
            }
            _ => setup.bar[1] += 1,
        }
    }
    Position::from_setup(&setup).unwrap()
}

/// Positions of every kind: all over the board, crowded on a few points, bearing off, with many
/// on the bar, and those that games come to.
fn any_position() -> impl Strategy<Value = Position> {
    let anywhere = || vec(0..=25_u8, 15);
    let crowded = || {
        (vec(1..=25_u8, 2..=7), vec(any::<prop::sample::Index>(), 15)).prop_map(
            |(places, picks)| picks.iter().map(|it| *it.get(&places)).collect::<Vec<u8>>(),
        )
    };
    let home = || vec(0..=7_u8, 15);
    let nearly_off = || {
        (vec(1..=8_u8, 0..=4)).prop_map(|mut places| {
            places.resize(15, 0);
            places
        })
    };
    let side = move || prop_oneof![anywhere(), crowded(), crowded(), home(), nearly_off()];
    let any_placed = (side(), side()).prop_map(|(own, opponent)| placed(&own, &opponent));
    prop_oneof![3 => any_placed, 2 => played_position()]
}

/// A position that a game comes to with these dice and choices.
fn played_position() -> impl Strategy<Value = Position> {
    vec((any_dice(), any::<prop::sample::Index>()), 0..90).prop_map(|turns| {
        let mut position = Position::START;
        for (dice, choice) in turns {
            let legal = legal(&position, dice);
            let after = *legal.iter().nth(choice.index(legal.len())).unwrap().0;
            if after.win().is_some() {
                break;
            }
            position = after.flipped();
        }
        position
    })
}

fn checkers(position: &Position) -> [u32; 2] {
    let places = || (0..=25).filter_map(Point::new);
    [
        places().map(|it| u32::from(position.own(it))).sum(),
        places().map(|it| u32::from(position.opponent(it))).sum(),
    ]
}

proptest! {
    // Nothing is written beside the sources; a failure prints the position that shows it.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn results_are_those_of_the_oracle(position in any_position(), dice in any_dice()) {
        let (dice_used, expected) = Board::of(&position).legal(Side::White, dice);
        let legal = legal(&position, dice);
        prop_assert_eq!(legal.dice_used(), dice_used);
        let expected: Vec<Position> = expected.iter().map(Board::position).collect();
        let found: BTreeSet<Position> = legal.iter().map(|(it, _)| *it).collect();
        prop_assert_eq!(&found, &expected.iter().copied().collect());
        prop_assert!(legal.iter().map(|(it, _)| it.setup()).is_sorted_by(|a, b| a < b));

        let mut results = vec![Position::START; 3];
        prop_assert_eq!(legal_results(&position, dice, &mut results), dice_used);
        prop_assert_eq!(results.len(), found.len(), "a result twice");
        prop_assert_eq!(results.into_iter().collect::<BTreeSet<_>>(), found);
    }

    #[test]
    fn the_other_side_moves_as_in_the_mirror(position in any_position(), dice in any_dice()) {
        let (dice_used, results) = Board::of(&position.flipped()).legal(Side::Black, dice);
        let legal = legal(&position, dice);
        prop_assert_eq!(legal.dice_used(), dice_used);
        let mirrored: BTreeSet<Position> =
            results.iter().map(|it| it.position().flipped()).collect();
        prop_assert_eq!(legal.iter().map(|(it, _)| *it).collect::<BTreeSet<_>>(), mirrored);
    }

    #[test]
    fn checkers_are_conserved(position in any_position(), dice in any_dice()) {
        prop_assert_eq!(checkers(&position), [15, 15]);
        for (result, play) in legal(&position, dice).iter() {
            prop_assert_eq!(checkers(result), [15, 15]);
            // What is borne off by a larger die than needed is all that pips can differ in.
            let most: u32 = play.iter().map(|it| u32::from(it.die.pips())).sum();
            prop_assert!(position.pips() - result.pips() <= most);
            prop_assert!(position.own(Point::OFF) <= result.own(Point::OFF));
            prop_assert_eq!(position.opponent(Point::OFF), result.opponent(Point::OFF));
        }
    }

    #[test]
    fn each_play_is_the_least_that_leads_to_its_result(
        position in any_position(),
        dice in any_dice(),
    ) {
        let legal = legal(&position, dice);
        for (result, play) in legal.iter() {
            prop_assert_eq!(play.len(), legal.dice_used());
            prop_assert_eq!(check_play(&position, dice, &play), Ok(*result));
        }
        // All sequences of a double are too many where many checkers can move.
        if next_moves(&position, dice, &[]).len() <= if dice.is_double() { 4 } else { 30 } {
            let mut least = BTreeMap::new();
            each_sequence(&position, dice, position, &mut Vec::new(), &mut |result, played| {
                let so_far = least.entry(result).or_insert_with(|| played.to_vec());
                if played < so_far.as_slice() {
                    *so_far = played.to_vec();
                }
            });
            let found: BTreeMap<Position, Vec<Move>> =
                legal.iter().map(|(result, play)| (*result, play.iter().collect())).collect();
            prop_assert_eq!(found, least);
        }
    }

    #[test]
    fn next_moves_lead_to_legal_plays_and_to_all_of_them(
        position in any_position(),
        dice in any_dice(),
    ) {
        let mut reached = HashSet::new();
        for (played, result) in walked(&position, dice) {
            let play = Play::new(&played).unwrap();
            prop_assert_eq!(check_play(&position, dice, &play), Ok(result));
            reached.insert(result);
        }
        prop_assert_eq!(reached, legal(&position, dice).iter().map(|(it, _)| *it).collect());
    }

    #[test]
    fn any_play_is_judged_by_its_result(
        position in any_position(),
        dice in any_dice(),
        moves in vec(any_move(), 0..=4),
    ) {
        let play = Play::new(&moves).unwrap();
        let legal = legal(&position, dice);
        if let Ok(result) = check_play(&position, dice, &play) {
            prop_assert!(legal.iter().any(|(it, _)| *it == result));
            prop_assert!(play.len() == legal.dice_used() || result.win().is_some());
        }
        for next in next_moves(&position, dice, &moves) {
            prop_assert!(moves.len() < legal.dice_used());
            prop_assert!(dice.first == next.die || dice.second == next.die);
        }
        prop_assert_eq!(write_play(&position, &play).is_empty(), moves.is_empty());
    }

    #[test]
    fn a_play_cut_short_uses_too_few_dice(position in any_position(), dice in any_dice()) {
        for (result, play) in legal(&position, dice).iter().filter(|(_, it)| !it.is_empty()) {
            let mut short = play;
            short.pop();
            let judged = check_play(&position, dice, &short);
            if let Ok(early) = judged {
                prop_assert!(early.win().is_some() && early == *result);
            } else {
                let (played, possible) = (short.len(), play.len());
                prop_assert_eq!(judged, Err(IllegalPlay::MoreDice { played, possible }));
            }
        }
    }

    #[test]
    fn notation_is_read_as_it_is_written(position in any_position(), dice in any_dice()) {
        for (result, play) in legal(&position, dice).iter().take(40) {
            let text = write_play(&position, &play);
            let read = parse_play(&position, dice, &text);
            let read = read.map(|it| check_play(&position, dice, &it));
            prop_assert_eq!(read, Ok(Ok(*result)), "{}", text);
        }
    }

    #[test]
    fn any_text_is_read_without_panic(
        position in any_position(),
        dice in any_dice(),
        text in "[0-9bBaArRoOfF/*() ,]{0,24}",
        other in ".{0,24}",
    ) {
        for text in [text, other] {
            if let Ok(play) = parse_play(&position, dice, &text) {
                prop_assert!(check_play(&position, dice, &play).is_ok());
            }
        }
    }

    #[test]
    fn flipping_twice_changes_nothing(position in any_position()) {
        let flipped = position.flipped();
        prop_assert_eq!(flipped.flipped(), position);
        prop_assert_eq!(flipped.pips(), position.opponent_pips());
        prop_assert_eq!(flipped.opponent_pips(), position.pips());
        prop_assert_eq!(flipped.has_contact(), position.has_contact());
        for place in (1..=24).filter_map(Point::new) {
            let mirrored = place.mirrored().unwrap();
            prop_assert_eq!(flipped.own(mirrored), position.opponent(place));
            prop_assert_eq!(flipped.opponent(mirrored), position.own(place));
        }
        for place in [Point::BAR, Point::OFF] {
            prop_assert_eq!(flipped.own(place), position.opponent(place));
            prop_assert_eq!(flipped.opponent(place), position.own(place));
        }
    }

    #[test]
    fn what_is_counted_agrees_with_the_setup(position in any_position()) {
        let Setup { points, bar, off } = position.setup();
        let (mut pips, mut opponent_pips) = (25 * u32::from(bar[0]), 25 * u32::from(bar[1]));
        for (index, &count) in (0_u32..).zip(&points) {
            pips += (index + 1) * u32::from(count.max(0).unsigned_abs());
            opponent_pips += (24 - index) * u32::from(count.min(0).unsigned_abs());
        }
        prop_assert_eq!((position.pips(), position.opponent_pips()), (pips, opponent_pips));

        let all_home = bar[0] == 0 && points[6..].iter().all(|&it| it <= 0);
        prop_assert_eq!(position.all_home(), all_home);
        let behind = (0..25).any(|at| {
            // Something of the opponent at `at` or nearer to the tray than own checkers beyond.
            let opponents = if at == 0 { bar[1] > 0 } else { points[at - 1] < 0 };
            let own = bar[0] > 0 || points[at..].iter().any(|&it| it > 0);
            opponents && own
        });
        prop_assert_eq!(position.has_contact(), behind);

        for (won, theirs, it) in
            [(off[0], off[1], position), (off[1], off[0], position.flipped())]
        {
            let Setup { points, bar, .. } = it.setup();
            let in_home = bar[1] > 0 || points[..6].iter().any(|&it| it < 0);
            let expected = match (won, theirs) {
                (0..15, _) => None,
                (_, 1..) => Some(Win::Single),
                _ if in_home => Some(Win::Backgammon),
                _ => Some(Win::Gammon),
            };
            prop_assert_eq!(it.win(), expected);
        }
    }

    #[test]
    fn setups_and_ids_go_round(position in any_position()) {
        prop_assert_eq!(Position::from_setup(&position.setup()), Ok(position));
        prop_assert_eq!(Position::from_gnu_id(&position.gnu_id()), Ok(position));
    }

    #[test]
    fn positions_are_ordered_as_their_setups(one in any_position(), other in any_position()) {
        prop_assert_eq!(one.cmp(&other), one.setup().cmp(&other.setup()));
    }

    #[test]
    fn any_id_is_read_without_panic(id in "[A-Za-z0-9+/]{14}|[A-D]{14}|.{0,20}") {
        if let Ok(position) = Position::from_gnu_id(&id) {
            prop_assert_eq!(position.gnu_id(), id);
        }
    }

    #[test]
    fn any_setup_is_read_without_panic(
        points in any::<[i8; 24]>(),
        bar in any::<[u8; 2]>(),
        off in any::<[u8; 2]>(),
        position in any_position(),
        change in (0..24_usize, any::<i8>()),
        dice in any_dice(),
    ) {
        let mut nearly = position.setup();
        nearly.points[change.0] = change.1;
        for setup in [Setup { points, bar, off }, nearly] {
            match Position::from_setup(&setup) {
                Ok(position) => {
                    prop_assert_eq!(position.setup(), setup);
                    prop_assert!(legal(&position, dice).len() > 0);
                }
                Err(SetupError::OwnCheckers(count) | SetupError::OpponentCheckers(count)) => {
                    prop_assert_ne!(count, 15);
                }
                Err(SetupError::BothWon) => prop_assert_eq!(setup.off, [15, 15]),
            }
        }
    }
}

/// Every sequence of moves that [`next_moves`] leads to, with its result.
fn each_sequence(
    start: &Position,
    dice: Dice,
    at: Position,
    played: &mut Vec<Move>,
    each: &mut impl FnMut(Position, &[Move]),
) {
    let next = next_moves(start, dice, played);
    if next.is_empty() {
        each(at, played);
    }
    for it in next {
        played.push(it);
        each_sequence(start, dice, at.after_move(it).unwrap(), played, each);
        played.pop();
    }
}

/// All plays that [`next_moves`] leads to, one for each set of dice and position on the way.
fn walked(position: &Position, dice: Dice) -> Vec<(Vec<Move>, Position)> {
    let mut complete = Vec::new();
    let mut seen = HashSet::new();
    let mut open = vec![(Vec::new(), *position)];
    while let Some((played, at)) = open.pop() {
        let next = next_moves(position, dice, &played);
        if next.is_empty() {
            complete.push((played, at));
            continue;
        }
        for it in next {
            let after = at.after_move(it).unwrap();
            let mut played = played.clone();
            played.push(it);
            let mut dice: Vec<u8> = played.iter().map(|it| it.die.pips()).collect();
            dice.sort_unstable();
            if seen.insert((dice, after)) {
                open.push((played, after));
            }
        }
    }
    complete
}
