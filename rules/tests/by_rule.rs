//! One test for each rule of the game that can be got wrong.
#![allow(clippy::unwrap_used, reason = "a failed test should stop at the line that failed")]

use rules::{
    ByColor, Clock, Color, Cube, Dice, Die, IllegalPlay, Length, Move, MoveError, Place, Play,
    Point, Position, Ruleset, Score, Setup, SetupError, Win, check_play, least_resignation, legal,
    legal_results, next_moves,
};

/// A position from lists of (place, checkers) in the view of the side on roll: 1 … 24 points, 25
/// that side's bar, 0 borne off. What is missing to fifteen is borne off.
fn position(own: &[(usize, u8)], opponent: &[(usize, u8)]) -> Position {
    let mut setup = Setup { points: [0; 24], bar: [0; 2], off: [15; 2] };
    for (side, places) in [own, opponent].into_iter().enumerate() {
        for &(place, count) in places {
            let signed = i8::try_from(count).unwrap() * [1, -1][side];
            match place {
                0 => {}
                25 => setup.bar[side] += count,
                point => setup.points[point - 1] += signed,
            }
            setup.off[side] -= if place == 0 { 0 } else { count };
        }
    }
    Position::from_setup(&setup).unwrap()
}

fn dice(first: u8, second: u8) -> Dice {
    Dice::new(first, second).unwrap()
}

fn mv(from: u8, die: u8) -> Move {
    Move { from: Point::new(from).unwrap(), die: Die::new(die).unwrap() }
}

fn play(moves: &[(u8, u8)]) -> Play {
    let moves: Vec<Move> = moves.iter().map(|&(from, die)| mv(from, die)).collect();
    Play::new(&moves).unwrap()
}

fn next(position: &Position, dice: Dice, played: &[(u8, u8)]) -> Vec<(u8, u8)> {
    let played: Vec<Move> = play(played).iter().collect();
    next_moves(position, dice, &played)
        .into_iter()
        .map(|it| (it.from.number(), it.die.pips()))
        .collect()
}

// ---- the start

#[test]
fn start_is_symmetric_and_counts_167_pips() {
    let start = Position::START;
    assert_eq!(start.flipped(), start);
    assert_eq!((start.pips(), start.opponent_pips()), (167, 167));
    for (point, count) in [(24, 2), (13, 5), (8, 3), (6, 5), (7, 0)] {
        assert_eq!(start.own(Point::new(point).unwrap()), count);
        assert_eq!(start.opponent(Point::new(25 - point).unwrap()), count);
    }
    assert!(start.has_contact() && !start.all_home() && start.win().is_none());
}

#[test]
fn wrong_setups_are_told_apart() {
    let refused = |change: fn(&mut Setup)| {
        let mut setup = Setup::START;
        change(&mut setup);
        Position::from_setup(&setup)
    };
    assert_eq!(refused(|_| {}), Ok(Position::START));
    assert_eq!(refused(|it| it.bar[0] = 1), Err(SetupError::OwnCheckers(16)));
    assert_eq!(refused(|it| it.off[1] = 255), Err(SetupError::OpponentCheckers(270)));
    assert_eq!(refused(|it| it.points[0] = -128), Err(SetupError::OpponentCheckers(141)));
    assert_eq!(refused(|it| it.points[5] = 4), Err(SetupError::OwnCheckers(14)));
    let both = Setup { points: [0; 24], bar: [0; 2], off: [15; 2] };
    assert_eq!(Position::from_setup(&both), Err(SetupError::BothWon));
}

// ---- moving, hitting, entering

#[test]
fn two_opponents_block_and_one_is_hit() {
    let board = position(&[(10, 1), (6, 14)], &[(8, 2), (7, 1), (24, 12)]);
    assert_eq!(board.after_move(mv(10, 2)), Err(MoveError::Blocked));
    let after = board.after_move(mv(10, 3)).unwrap();
    assert_eq!((after.own(Point::new(7).unwrap()), after.opponent(Point::BAR)), (1, 1));
    assert_eq!(board.after_move(mv(9, 1)), Err(MoveError::NoChecker));
    assert_eq!(board.after_move(mv(8, 1)), Err(MoveError::NoChecker), "not one's own");
    assert_eq!(board.after_move(mv(0, 1)), Err(MoveError::NoChecker));
    assert_eq!(board.after_move(mv(25, 1)), Err(MoveError::NoChecker));
}

#[test]
fn all_checkers_enter_before_any_other_moves() {
    let board = position(&[(25, 2), (6, 13)], &[(20, 2), (1, 13)]);
    assert_eq!(board.after_move(mv(6, 1)), Err(MoveError::BarFirst));
    assert_eq!(next(&board, dice(4, 3), &[]), [(25, 3), (25, 4)]);
    assert_eq!(next(&board, dice(4, 3), &[(25, 3)]), [(25, 4)]);
    // A five is blocked: one enters by the three and the rest of the turn is lost.
    assert_eq!(legal(&board, dice(5, 3)).dice_used(), 1);
    assert_eq!(next(&board, dice(5, 3), &[(25, 3)]), []);
    assert!(check_play(&board, dice(5, 3), &play(&[(25, 3)])).is_ok());
    // Three on the bar and a double: all enter, then one more may move.
    let board = position(&[(25, 3), (6, 12)], &[(1, 15)]);
    assert_eq!(next(&board, dice(3, 3), &[(25, 3), (25, 3), (25, 3)]), [(6, 3), (22, 3)]);
}

#[test]
fn four_at_most_enter_by_a_double() {
    let board = position(&[(25, 6), (6, 9)], &[(1, 15)]);
    let entered = position(&[(25, 2), (21, 4), (6, 9)], &[(1, 15)]);
    let mut results = Vec::new();
    assert_eq!(legal_results(&board, dice(4, 4), &mut results), 4);
    assert_eq!(results, [entered]);
    let legal = legal(&board, dice(4, 4));
    assert_eq!(legal.iter().next(), Some((&entered, play(&[(25, 4); 4]))));
}

#[test]
fn a_closed_board_lets_nobody_in() {
    let closed: Vec<(usize, u8)> = (19..=24).map(|it| (it, 2)).collect();
    let board = position(&[(25, 1), (6, 14)], &[&closed[..], &[(1, 3)]].concat());
    let legal = legal(&board, dice(6, 6));
    assert_eq!((legal.dice_used(), legal.len()), (0, 1));
    assert_eq!(legal.iter().next(), Some((&board, Play::NONE)));
    assert_eq!(check_play(&board, dice(6, 6), &Play::NONE), Ok(board));
    assert_eq!(next(&board, dice(6, 6), &[]), []);
}

#[test]
fn entering_hits_a_blot() {
    let board = position(&[(25, 1), (6, 14)], &[(22, 1), (1, 14)]);
    let after = board.after_move(mv(25, 3)).unwrap();
    assert_eq!((after.own(Point::BAR), after.opponent(Point::BAR)), (0, 1));
}

// ---- which dice must be played

#[test]
fn both_dice_are_played_if_any_order_allows_it() {
    // The one is blocked at first.
    let board = position(&[(14, 1), (2, 14)], &[(13, 2), (1, 13)]);
    assert_eq!(next(&board, dice(6, 1), &[]), [(14, 6)]);
    assert_eq!(next(&board, dice(6, 1), &[(14, 6)]), [(8, 1)]);
    // 10/9 can be made, but then there is no six.
    let board = position(&[(12, 1), (10, 1), (4, 1)], &[(6, 2), (3, 2), (24, 11)]);
    assert!(board.after_move(mv(10, 1)).is_ok());
    assert_eq!(next(&board, dice(6, 1), &[]), [(10, 6), (12, 1)]);
    assert_eq!(next(&board, dice(6, 1), &[(10, 1)]), []);
    let judged = check_play(&board, dice(6, 1), &play(&[(10, 1)]));
    assert_eq!(judged, Err(IllegalPlay::MoreDice { played: 1, possible: 2 }));
}

#[test]
fn of_several_plays_with_one_result_the_least_is_given() {
    let least = |first, second, moves: &[(u8, u8)]| {
        let wanted = play(moves);
        let result = check_play(&Position::START, dice(first, second), &wanted).unwrap();
        let legal = legal(&Position::START, dice(first, second));
        assert_eq!(legal.iter().find(|(it, _)| **it == result), Some((&result, wanted)));
    };
    least(3, 1, &[(6, 1), (8, 3)]);
    least(3, 1, &[(6, 3), (24, 1)]);
    least(6, 4, &[(24, 4), (20, 6)]);
    least(1, 1, &[(6, 1), (6, 1), (8, 1), (8, 1)]);
}

#[test]
fn too_few_dice_are_refused() {
    let judged = check_play(&Position::START, dice(3, 1), &play(&[(8, 3)]));
    assert_eq!(judged, Err(IllegalPlay::MoreDice { played: 1, possible: 2 }));
    let judged = check_play(&Position::START, dice(3, 3), &play(&[(8, 3), (8, 3), (6, 3)]));
    assert_eq!(judged, Err(IllegalPlay::MoreDice { played: 3, possible: 4 }));
    let judged = check_play(&Position::START, dice(3, 1), &Play::NONE);
    assert_eq!(judged, Err(IllegalPlay::MoreDice { played: 0, possible: 2 }));
}

#[test]
fn the_larger_die_is_forced_when_either_can_be_played() {
    // From 13 a six or a five, and after either nothing more.
    let board = position(&[(13, 1), (0, 14)], &[(2, 2), (24, 13)]);
    assert_eq!(next(&board, dice(6, 5), &[]), [(13, 6)]);
    let judged = check_play(&board, dice(6, 5), &play(&[(13, 5)]));
    assert_eq!(judged, Err(IllegalPlay::LargerDie));
    assert_eq!(legal(&board, dice(6, 5)).dice_used(), 1);
    // The same for a checker that enters by either and then goes no farther.
    let barred = position(&[(25, 1), (0, 14)], &[(20, 2), (24, 13)]);
    let entered = barred.after_move(mv(25, 3)).unwrap();
    for (roll, used) in [(dice(3, 2), 1), (dice(2, 3), 1)] {
        let mut results = Vec::new();
        assert_eq!(legal_results(&barred, roll, &mut results), used);
        assert_eq!(results, [entered]);
        assert_eq!(next(&barred, roll, &[]), [(25, 3)]);
    }
    // With the six blocked, the five is.
    let board = position(&[(13, 1), (0, 14)], &[(7, 2), (2, 2), (24, 11)]);
    assert_eq!(next(&board, dice(6, 5), &[]), [(13, 5)]);
    assert!(check_play(&board, dice(5, 6), &play(&[(13, 5)])).is_ok());
}

#[test]
fn a_die_is_played_as_often_as_it_was_thrown() {
    let judged = check_play(&Position::START, dice(3, 1), &play(&[(8, 3), (8, 3)]));
    assert_eq!(judged, Err(IllegalPlay::Die { index: 1 }));
    let judged = check_play(&Position::START, dice(3, 1), &play(&[(8, 2)]));
    assert_eq!(judged, Err(IllegalPlay::Die { index: 0 }));
    let judged = check_play(&Position::START, dice(6, 5), &play(&[(24, 5), (13, 6)]));
    let reason = MoveError::Blocked;
    assert_eq!(judged, Err(IllegalPlay::Move { index: 0, reason }));
}

#[test]
fn a_double_is_four_moves() {
    assert_eq!(legal(&Position::START, dice(1, 1)).dice_used(), 4);
    let four = play(&[(8, 1), (8, 1), (6, 1), (6, 1)]);
    assert!(check_play(&Position::START, dice(1, 1), &four).is_ok());
    // Three when the fourth is blocked.
    let board = position(&[(24, 1), (0, 14)], &[(4, 2), (23, 13)]);
    assert_eq!(legal(&board, dice(5, 5)).dice_used(), 3);
}

// ---- bearing off

#[test]
fn bearing_off_needs_all_fifteen_home() {
    let board = position(&[(7, 1), (6, 1), (1, 13)], &[(24, 15)]);
    assert_eq!(board.after_move(mv(6, 6)), Err(MoveError::NotAllHome));
    assert!(board.after_move(mv(7, 6)).unwrap().after_move(mv(6, 6)).is_ok());
    // A checker hit during the bear-off comes home first.
    let board = position(&[(25, 1), (6, 2)], &[(20, 1), (24, 14)]);
    assert!(!board.all_home());
    assert_eq!(board.after_move(mv(6, 6)), Err(MoveError::BarFirst));
    assert_eq!(next(&board, dice(6, 5), &[]), [(25, 5), (25, 6)]);
}

#[test]
fn a_larger_die_bears_off_only_the_farthest() {
    let board = position(&[(5, 1), (3, 2)], &[(24, 15)]);
    assert_eq!(board.after_move(mv(3, 4)), Err(MoveError::HigherPointFirst));
    assert_eq!(board.after_move(mv(5, 4)).unwrap().own(Point::new(1).unwrap()), 1);
    assert_eq!(board.after_move(mv(5, 6)).unwrap().own(Point::OFF), 13);
    assert_eq!(board.after_move(mv(3, 3)).unwrap().own(Point::OFF), 13, "exactly");
    assert_eq!(next(&board, dice(6, 4), &[]), [(5, 4), (5, 6)]);
    assert_eq!(next(&board, dice(6, 4), &[(5, 6)]), [(3, 4)]);
}

#[test]
fn bearing_off_is_no_duty() {
    let board = position(&[(6, 2), (4, 2)], &[(24, 15)]);
    assert_eq!(next(&board, dice(4, 1), &[]), [(4, 1), (4, 4), (6, 1), (6, 4)]);
    assert!(check_play(&board, dice(4, 1), &play(&[(6, 4), (6, 1)])).is_ok());
}

#[test]
fn a_win_ends_the_game_with_dice_left() {
    let board = position(&[(2, 2)], &[(24, 3)]);
    let legal = legal(&board, dice(6, 6));
    assert_eq!((legal.dice_used(), legal.len()), (2, 1));
    let won = check_play(&board, dice(6, 6), &play(&[(2, 6), (2, 6)])).unwrap();
    assert_eq!(won.win(), Some(Win::Single));
    assert_eq!(next(&board, dice(6, 6), &[(2, 6), (2, 6)]), []);
    let judged = check_play(&board, dice(6, 6), &play(&[(2, 6), (2, 6), (1, 6)]));
    let reason = MoveError::NoChecker;
    assert_eq!(judged, Err(IllegalPlay::Move { index: 2, reason }));
}

#[test]
fn the_last_checker_may_go_off_by_one_die_though_two_are_offered() {
    let board = position(&[(6, 1)], &[(24, 3)]);
    assert_eq!(next(&board, dice(6, 1), &[]), [(6, 1)]);
    assert_eq!(next(&board, dice(6, 1), &[(6, 1)]), [(5, 6)]);
    for moves in [&[(6, 6)][..], &[(6, 1), (5, 6)]] {
        let won = check_play(&board, dice(6, 1), &play(moves)).unwrap();
        assert_eq!(won.win(), Some(Win::Single));
    }
    // Either die bears it off; the larger is offered.
    let board = position(&[(3, 1)], &[(24, 3)]);
    assert_eq!(next(&board, dice(6, 5), &[]), [(3, 6)]);
    assert!(check_play(&board, dice(6, 5), &play(&[(3, 5)])).is_ok());
}

#[test]
fn nothing_moves_after_the_game() {
    let lost = position(&[(6, 15)], &[]);
    assert_eq!(lost.after_move(mv(6, 1)), Err(MoveError::GameOver));
    assert_eq!(legal(&lost, dice(2, 1)).dice_used(), 0);
    let mut results = Vec::new();
    assert_eq!(legal_results(&lost, dice(2, 1), &mut results), 0);
    assert_eq!(results, [lost]);
    let won = lost.flipped();
    assert_eq!(legal_results(&won, dice(1, 1), &mut results), 0);
    assert_eq!(results, [won]);
    assert_eq!(legal(&won, dice(2, 1)).dice_used(), 0);
    assert_eq!(won.after_move(mv(6, 1)), Err(MoveError::NoChecker));
    assert!(!won.has_contact() && !lost.has_contact());
}

// ---- contact, outcomes

#[test]
fn contact_ends_when_all_have_passed() {
    assert!(position(&[(10, 15)], &[(9, 1), (24, 14)]).has_contact());
    assert!(!position(&[(9, 15)], &[(10, 15)]).has_contact());
    assert!(position(&[(1, 15)], &[(25, 1), (24, 14)]).has_contact());
    assert!(position(&[(25, 1), (1, 14)], &[(24, 15)]).has_contact());
}

#[test]
fn a_win_is_single_gammon_or_backgammon() {
    let won = |opponent: &[(usize, u8)]| position(&[], opponent).win();
    assert_eq!(won(&[(24, 14)]), Some(Win::Single));
    assert_eq!(won(&[(1, 14)]), Some(Win::Single), "in the winner's home, but one is off");
    assert_eq!(won(&[(24, 15)]), Some(Win::Gammon));
    assert_eq!(won(&[(7, 15)]), Some(Win::Gammon));
    assert_eq!(won(&[(6, 1), (24, 14)]), Some(Win::Backgammon));
    assert_eq!(won(&[(25, 1), (24, 14)]), Some(Win::Backgammon));
    assert_eq!(position(&[(1, 1)], &[(24, 15)]).win(), None);
}

// ---- match score and cube

fn cube_match(points: u8) -> Ruleset {
    Ruleset { cube: Some(6), crawford: true, ..Ruleset::georgian(points, Place::OneBrowser) }
}

fn money(jacoby: bool) -> Ruleset {
    Ruleset {
        length: Length::Money,
        cube: Some(6),
        jacoby,
        ..Ruleset::georgian(1, Place::OneBrowser)
    }
}

fn at(white: u32, black: u32) -> Score {
    let mut score = Score::default();
    score.points = ByColor { white, black };
    score
}

#[test]
fn the_crawford_game_comes_exactly_once() {
    let ruleset = cube_match(5);
    let mut score = Score::default();
    score = score.after_game(Color::White, 3, &ruleset);
    assert!(!score.is_crawford());
    score = score.after_game(Color::White, 1, &ruleset);
    assert!(score.is_crawford(), "white needs one point");
    for color in Color::ALL {
        assert!(!Cube::default().may_double(color, &score, &ruleset), "no cube in that game");
    }
    score = score.after_game(Color::Black, 2, &ruleset);
    assert!(!score.is_crawford());
    assert!(Cube::default().may_double(Color::Black, &score, &ruleset));
    score = score.after_game(Color::Black, 2, &ruleset);
    assert!(!score.is_crawford(), "not again when black needs one point too");
    score = score.after_game(Color::Black, 1, &ruleset);
    assert_eq!(score.match_winner(&ruleset), Some(Color::Black));
}

#[test]
fn there_is_no_crawford_game_without_the_rule_or_in_a_match_to_one_point() {
    let after =
        |points, ruleset: &Ruleset| Score::default().after_game(Color::White, points, ruleset);
    assert!(!after(4, &Ruleset { crawford: false, ..cube_match(5) }).is_crawford());
    assert!(!Score::default().is_crawford());
    assert!(!after(1, &cube_match(1)).is_crawford());
    assert!(!after(5, &cube_match(5)).is_crawford(), "the match is won");
    assert!(!after(20, &money(false)).is_crawford());
}

#[test]
fn who_has_access_may_double_up_to_the_highest_value() {
    let ruleset = money(false);
    let score = Score::default();
    let may = |power, owner, color| Cube::new(power, owner).may_double(color, &score, &ruleset);
    for color in Color::ALL {
        assert!(may(0, None, color));
        assert!(may(1, Some(color), color));
        assert!(!may(1, Some(color.opposite()), color));
        assert!(may(5, Some(color), color));
        assert!(!may(6, Some(color), color), "64 is the highest");
    }
    let low = Ruleset { cube: Some(1), ..ruleset };
    assert!(Cube::default().may_double(Color::White, &score, &low));
    assert!(!Cube::new(1, None).may_double(Color::White, &score, &low));
    let none = Ruleset { cube: None, ..ruleset };
    assert!(!Cube::default().may_double(Color::White, &score, &none));
}

#[test]
fn a_dead_cube_is_not_offered() {
    let ruleset = cube_match(5);
    let score = at(3, 1);
    let may = |power, color| Cube::new(power, Some(color)).may_double(color, &score, &ruleset);
    assert!(may(0, Color::White), "1 is less than the 2 that white needs");
    assert!(!may(1, Color::White), "2 wins already");
    assert!(may(1, Color::Black), "2 is less than the 4 that black needs");
    assert!(!may(2, Color::Black));
}

#[test]
fn jacoby_counts_gammons_only_after_a_double() {
    let value = |win: Win, power, jacoby| win.points(Cube::new(power, None), &money(jacoby));
    assert_eq!([1, 2, 3].map(|it| value(Win::from_value(it).unwrap(), 0, true)), [1, 1, 1]);
    assert_eq!([1, 2, 3].map(|it| value(Win::from_value(it).unwrap(), 1, true)), [2, 4, 6]);
    assert_eq!([1, 2, 3].map(|it| value(Win::from_value(it).unwrap(), 0, false)), [1, 2, 3]);
}

// ---- resignation

#[test]
fn a_resignation_offers_no_less_than_the_position_implies() {
    let least = |position: &Position, cube, score, ruleset: &Ruleset| {
        least_resignation(position, cube, &score, ruleset, Color::Black)
    };
    let one = Cube::default();
    let even = Score::default();
    let seven = cube_match(7);
    let nothing_off = position(&[(6, 15)], &[(24, 15)]);
    let begun = position(&[(6, 15)], &[(24, 14)]);
    let behind = position(&[(19, 1), (6, 14)], &[(24, 14)]);
    let on_bar = position(&[(25, 1), (6, 14)], &[(24, 14)]);
    let not_begun = position(&[(25, 1), (6, 14)], &[(24, 15)]);
    let just_out = position(&[(18, 1), (6, 14)], &[(24, 14)]);
    let one_off = position(&[(25, 1), (6, 13)], &[(24, 14)]);

    assert_eq!(least(&Position::START, one, even, &seven), Win::Gammon);
    assert_eq!(least(&nothing_off, one, even, &seven), Win::Gammon);
    assert_eq!(least(&begun, one, even, &seven), Win::Gammon);
    assert_eq!(least(&behind, one, even, &seven), Win::Backgammon);
    assert_eq!(least(&on_bar, one, even, &seven), Win::Backgammon);
    assert_eq!(least(&not_begun, one, even, &seven), Win::Gammon);
    assert_eq!(least(&just_out, one, even, &seven), Win::Gammon);
    assert_eq!(least(&one_off, one, even, &seven), Win::Single);

    // Gammons do not count under Jacoby while the cube was never turned …
    assert_eq!(least(&on_bar, one, even, &money(true)), Win::Single);
    assert_eq!(least(&on_bar, Cube::new(1, None), even, &money(true)), Win::Backgammon);
    assert_eq!(least(&on_bar, one, even, &money(false)), Win::Backgammon);
    // … nor when the winner needs no more; what the resigner needs is nothing to it.
    let winner_needs = |points: u32| at(7 - points, 6);
    assert_eq!(least(&on_bar, one, winner_needs(1), &seven), Win::Single);
    assert_eq!(least(&on_bar, one, winner_needs(2), &seven), Win::Backgammon);
    assert_eq!(least(&on_bar, Cube::new(1, None), winner_needs(2), &seven), Win::Single);
    assert_eq!(least(&nothing_off, Cube::new(1, None), winner_needs(3), &seven), Win::Gammon);
}

// ---- what is agreed before the game

/// Every ruleset whose fields agree with each other.
fn rulesets() -> Vec<Ruleset> {
    let clocks = [
        Clock::None,
        Clock::Finish { seconds: 30 },
        Clock::Finish { seconds: u16::MAX },
        Clock::Reserve { delay: 0, reserve: 1 },
        Clock::Reserve { delay: 12, reserve: 600 },
    ];
    let mut all = Vec::new();
    for length in [Length::Money, Length::Match(1), Length::Match(7), Length::Match(25)] {
        for cube in [None, Some(1), Some(6)] {
            for flags in 0..8 {
                let [crawford, jacoby, beavers] = [1, 2, 4].map(|flag: u8| flags & flag != 0);
                let money = length == Length::Money;
                if (crawford && (money || cube.is_none()))
                    || ((jacoby || beavers) && (!money || cube.is_none()))
                {
                    continue;
                }
                for clock in clocks {
                    for place in [Place::TwoBrowsers, Place::OneBrowser] {
                        let grace_seconds = 180;
                        all.push(Ruleset {
                            length,
                            cube,
                            crawford,
                            jacoby,
                            beavers,
                            clock,
                            grace_seconds,
                            place,
                        });
                    }
                }
            }
        }
    }
    all
}

#[test]
fn rulesets_go_round_and_every_other_byte_is_refused() {
    let all = rulesets();
    // Money without and with the cube, matches without and with it; each with clocks and places.
    assert_eq!(all.len(), (1 + 2 * 4 + 3 * (1 + 2 * 2)) * 5 * 2);
    for ruleset in all {
        let bytes = ruleset.to_bytes();
        assert_eq!(Ruleset::from_bytes(&bytes), Ok(ruleset));
        // Whatever is changed in one byte is refused or is another ruleset with just these bytes.
        for index in 0..bytes.len() {
            for value in 0..=u8::MAX {
                let mut changed = bytes;
                changed[index] = value;
                if let Ok(other) = Ruleset::from_bytes(&changed) {
                    assert_eq!(other.to_bytes(), changed);
                    assert_eq!(other == ruleset, changed == bytes);
                }
            }
        }
    }
}

#[test]
fn unknown_rulesets_are_refused() {
    use rules::RulesetError::{BadField, UnknownVariant};
    let good = cube_match(7).to_bytes();
    let refused = |index: usize, value: u8| {
        let mut bytes = good;
        bytes[index] = value;
        Ruleset::from_bytes(&bytes).unwrap_err()
    };
    assert_eq!(refused(0, 1), UnknownVariant(1));
    assert_eq!(refused(1, 26), BadField(1));
    assert_eq!(refused(2, 7), BadField(2));
    for bit in 1..8 {
        assert_eq!(refused(3, 1 << bit), BadField(3), "flag {bit}");
    }
    assert_eq!(refused(4, 3), BadField(4));
    assert_eq!(refused(4, 1), BadField(5), "a clock without seconds");
    assert_eq!(refused(5, 1), BadField(5), "seconds without a clock");
    assert_eq!(refused(8, 1), BadField(5), "a reserve without a clock");
    assert_eq!(refused(11, 2), BadField(11));
    assert_eq!(refused(1, 0), BadField(3), "Crawford in a money session");
    assert_eq!(refused(2, 0), BadField(3), "Crawford without a cube");
}
