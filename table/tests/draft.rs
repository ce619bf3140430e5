//! Trial moves as a player makes them.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use rules::{Dice, Move, Point, Position, Setup, legal};
use table::{Draft, Reach, Refusal, Touched};

fn point(number: u8) -> Point {
    Point::new(number).unwrap()
}

fn draft(first: u8, second: u8) -> Draft {
    Draft::new(Position::START, Dice::new(first, second).unwrap())
}

/// A position with these own checkers (point, count) and the opponent's (point in the mover's view,
/// count); the rest is borne off.
fn position(own: &[(u8, i8)], other: &[(u8, i8)]) -> Position {
    let mut setup = Setup { points: [0; 24], bar: [0; 2], off: [15; 2] };
    for (side, checkers) in [own, other].into_iter().enumerate() {
        for &(at, count) in checkers {
            setup.off[side] -= count as u8;
            match at {
                25 => setup.bar[side] += count as u8,
                _ => setup.points[usize::from(at) - 1] = if side == 0 { count } else { -count },
            }
        }
    }
    Position::from_setup(&setup).unwrap()
}

fn reached(draft: &Draft, from: u8) -> Vec<(u8, Reach)> {
    let mut targets: Vec<_> = draft
        .targets(point(from))
        .into_iter()
        .map(|target| (target.point.number(), target.reach))
        .collect();
    targets.sort_by_key(|it| std::cmp::Reverse(it.0));
    targets
}

#[test]
fn a_picked_checker_lights_every_target() {
    let draft = draft(5, 2);
    assert_eq!(reached(&draft, 13), [(11, Reach::Smaller), (8, Reach::Larger), (6, Reach::Both)]);
    let draft = super_double();
    assert_eq!(
        reached(&draft, 24),
        [(22, Reach::Larger), (20, Reach::Both), (18, Reach::Both), (16, Reach::Both)]
    );
}

fn super_double() -> Draft {
    draft(2, 2)
}

#[test]
fn tap_and_tap_moves_and_the_turn_ends_only_when_it_is_complete() {
    let mut draft = draft(3, 1);
    assert_eq!(draft.touch(point(8)), Touched::Picked(point(8)));
    assert!(matches!(draft.touch(point(5)), Touched::Moved(_)));
    assert_eq!(draft.play(), None);
    draft.touch(point(6));
    assert!(matches!(draft.touch(point(5)), Touched::Moved(_)));
    assert!(draft.is_complete());
    assert_eq!(draft.play().unwrap().len(), 2);
    assert_eq!(draft.touch(point(6)), Touched::Refused(Refusal::TurnComplete));
    assert!(draft.undo());
    assert!(!draft.is_complete());
    draft.reset();
    assert_eq!(draft.position(), Position::START);
    assert!(!draft.undo());
}

#[test]
fn a_second_tap_plays_the_active_die_and_a_long_press_the_other() {
    let mut draft = draft(6, 1);
    draft.touch(point(13));
    let moved = |from, die| {
        Touched::Moved(vec![Move { from: point(from), die: rules::Die::new(die).unwrap() }])
    };
    assert_eq!(draft.touch(point(13)), moved(13, 6));
    draft.reset();
    assert!(draft.swap());
    draft.touch(point(8));
    assert_eq!(draft.touch(point(8)), moved(8, 1));
    assert!(!draft.swap(), "one die is left");
    draft.reset();
    assert_eq!(draft.touch_other(point(8)), moved(8, 6), "the smaller is active now");
}

#[test]
fn the_bar_is_picked_by_itself_and_comes_first() {
    let position = position(&[(25, 1), (13, 14)], &[(6, 2), (3, 13)]);
    let mut draft = Draft::new(position, Dice::new(4, 2).unwrap());
    assert_eq!(draft.picked(), Some(Point::BAR));
    assert_eq!(draft.touch(point(13)), Touched::Refused(Refusal::BarFirst));
    assert!(matches!(draft.touch(point(21)), Touched::Moved(_)));
    assert_eq!(draft.picked(), None);
}

#[test]
fn two_orders_that_differ_by_a_hit_are_both_offered() {
    // 6-2 from 13: over 11, where a blot stands, or over 7.
    let position = position(&[(13, 15)], &[(11, 1), (1, 14)]);
    let mut draft = Draft::new(position, Dice::new(6, 2).unwrap());
    draft.touch(point(13));
    let Touched::Choose(routes) = draft.touch(point(5)) else { panic!("two ways") };
    assert_eq!(routes.len(), 2);
    let hits = |route: &[Move]| route[0].to() == point(11);
    assert_ne!(hits(&routes[0]), hits(&routes[1]));
    assert_eq!(draft.take(&routes[0]), Touched::Moved(routes[0].clone()));
    assert!(draft.is_complete());
}

#[test]
fn every_refusal_says_why() {
    let refused = |draft: &mut Draft, from: u8, to: u8| draft.drag(point(from), point(to));
    let mut opening = draft(6, 5);
    assert_eq!(opening.touch(point(20)), Touched::Refused(Refusal::NotYours));
    assert_eq!(refused(&mut opening, 24, 19), Touched::Refused(Refusal::Blocked));
    assert_eq!(refused(&mut opening, 13, 10), Touched::Refused(Refusal::NoDie));
    assert_eq!(refused(&mut opening, 6, 0), Touched::Refused(Refusal::NotAllHome));

    let home = position(&[(5, 1), (2, 2)], &[(20, 15)]);
    let mut draft = Draft::new(home, Dice::new(4, 4).unwrap());
    assert_eq!(refused(&mut draft, 2, 0), Touched::Refused(Refusal::FartherFirst));

    // Either die can be played, not both: the larger must be.
    let one = position(&[(13, 1)], &[(4, 2), (24, 13)]);
    let mut draft = Draft::new(one, Dice::new(6, 3).unwrap());
    assert_eq!(refused(&mut draft, 13, 10), Touched::Refused(Refusal::MustPlayLarger));
    assert!(matches!(refused(&mut draft, 13, 7), Touched::Moved(_)));

    // 10/8 would leave no five: both dice can be played only by the checker on 20.
    let both = position(&[(20, 1), (10, 1), (1, 13)], &[(15, 2), (5, 2), (3, 2), (24, 9)]);
    let mut draft = Draft::new(both, Dice::new(5, 2).unwrap());
    assert_eq!(refused(&mut draft, 10, 8), Touched::Refused(Refusal::MustPlayMore));
    assert_eq!(draft.touch(point(10)), Touched::Refused(Refusal::MustPlayMore));
    assert!(matches!(refused(&mut draft, 20, 13), Touched::Moved(_)));
}

#[test]
fn dragging_a_moved_checker_back_takes_its_move_back() {
    let mut draft = draft(4, 3);
    assert!(matches!(draft.drag(point(13), point(6)), Touched::Moved(moves) if moves.len() == 2));
    assert_eq!(draft.drag(point(6), point(13)), Touched::PutBack);
    assert_eq!(draft.position(), Position::START);
    draft.drag(point(24), point(20));
    draft.drag(point(13), point(10));
    assert_eq!(draft.drag(point(20), point(24)), Touched::PutBack, "also when it came first");
    assert_eq!(draft.moves().len(), 1);
}

#[test]
fn bearing_off_from_the_farthest_point_keeps_the_larger_die() {
    let position = position(&[(4, 2), (3, 2)], &[(24, 15)]);
    let draft = Draft::new(position, Dice::new(6, 5).unwrap());
    let target = &draft.targets(point(4))[0];
    assert_eq!((target.point, target.reach), (Point::OFF, Reach::Smaller));
}

#[test]
fn no_legal_move_is_a_pass() {
    let position = position(
        &[(25, 1), (1, 14)],
        &[(24, 2), (23, 2), (22, 2), (21, 2), (20, 2), (19, 2), (18, 3)],
    );
    let draft = Draft::new(position, Dice::new(6, 1).unwrap());
    assert!(draft.is_pass());
    assert_eq!(draft.play().unwrap().len(), 0);
}

proptest! {
    /// Whatever is tapped, dragged and undone, the draft holds a beginning of a legal play, and
    /// what it lights is what it lets land.
    #[test]
    fn any_touching_keeps_a_legal_play_within_reach(
        first in 1u8..=6, second in 1u8..=6, turns in 0usize..40,
        touches in prop::collection::vec((0u8..6, 0u8..=25, 0u8..=25), 0..40)
    ) {
        let mut position = Position::START;
        for turn in 0..turns {
            let pick = turn * 7 + usize::from(first);
            let dice = Dice::new((pick % 6) as u8 + 1, (pick / 3 % 6) as u8 + 1).unwrap();
            let plays = legal(&position, dice);
            let after = *plays.iter().nth(pick % plays.len()).unwrap().0;
            if after.win().is_some() { break }
            position = after.flipped();
        }
        let dice = Dice::new(first, second).unwrap();
        let mut draft = Draft::new(position, dice);
        for (action, a, b) in touches {
            match action {
                0 | 1 => {
                    let lit = draft.picked().is_some_and(|from| {
                        draft.targets(from).iter().any(|target| target.point == point(a))
                    });
                    let touched = draft.touch(point(a));
                    if lit {
                        prop_assert!(matches!(touched, Touched::Moved(_) | Touched::Choose(_)));
                    }
                }
                2 => drop(draft.touch_other(point(a))),
                3 => drop(draft.drag(point(a), point(b))),
                4 => drop(draft.undo()),
                _ => drop(draft.swap()),
            }
            let plays = legal(&position, dice);
            prop_assert!(draft.moves().len() <= plays.dice_used());
            prop_assert_eq!(draft.is_complete(), draft.play().is_some());
            prop_assert_eq!(draft.unplayed().len() + draft.moves().len(), dice.moves());
        }
        // Play on with whatever is lit: it always ends in a legal play.
        while let Some(&from) = draft.sources().first() {
            let route = draft.targets(from)[0].routes[0].clone();
            prop_assert!(matches!(draft.take(&route), Touched::Moved(_)));
        }
        prop_assert!(draft.play().is_some());
    }
}
