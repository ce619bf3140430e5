//! The thirty lasting checkers. When the position changes, the scene says which checker went where;
//! the page moves the same thirty elements, so that motion is a consequence and never a command.

use rules::{ByColor, Color, Point, Position};

use super::geometry::spots;
use crate::live_table::Spot;

/// How many checkers lie on each spot, in absolute numbers (white's own).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    points: [ByColor<u8>; 24],
    bar: ByColor<u8>,
    off: ByColor<u8>,
}

impl Layout {
    /// The layout of a position in the view of `view`.
    #[must_use]
    pub fn new(position: &Position, view: Color) -> Layout {
        let white = match view {
            Color::White => *position,
            Color::Black => position.flipped(),
        };
        let both = |place: Point| ByColor { white: white.own(place), black: white.opponent(place) };
        let mut points = [ByColor::default(); 24];
        for (slot, number) in points.iter_mut().zip(1..) {
            if let Some(point) = Point::new(number) {
                *slot = both(point);
            }
        }
        Layout { points, bar: both(Point::BAR), off: both(Point::OFF) }
    }

    /// How many checkers of `color` lie on `spot`.
    #[must_use]
    pub fn count(&self, spot: Spot, color: Color) -> u8 {
        match spot {
            Spot::Point(absolute) => {
                self.points.get(usize::from(absolute).wrapping_sub(1)).map_or(0, |it| it[color])
            }
            Spot::Bar(owner) if owner == color => self.bar[color],
            Spot::Off(owner) if owner == color => self.off[color],
            Spot::Bar(_) | Spot::Off(_) => 0,
        }
    }

    /// Who has checkers on `spot`, and how many.
    #[must_use]
    pub fn owner(&self, spot: Spot) -> Option<(Color, u8)> {
        Color::ALL
            .into_iter()
            .map(|color| (color, self.count(spot, color)))
            .find(|&(_, count)| count > 0)
    }
}

/// One of the thirty checkers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checker {
    /// Whose it is.
    pub color: Color,
    /// Where it lies.
    pub spot: Spot,
    /// Its place in the stack, from 0 (the lowest).
    pub level: u8,
    /// Whether the last change moved it: then it is drawn above the others.
    pub moved: bool,
    /// How many moves of the last play come before its own.
    pub start: u8,
}

/// The thirty checkers, white's fifteen first; each keeps its index for ever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scene {
    checkers: [Checker; 30],
}

/// The spots of a side from the bar to the tray, in the order in which its checkers travel.
fn journey(color: Color) -> impl Iterator<Item = Spot> {
    std::iter::once(Spot::Bar(color))
        .chain((1..=24).map(move |step| {
            Spot::Point(match color {
                Color::White => 25 - step,
                Color::Black => step,
            })
        }))
        .chain(std::iter::once(Spot::Off(color)))
}

impl Scene {
    /// A scene of this layout in which nothing has moved.
    #[must_use]
    pub fn new(layout: &Layout) -> Scene {
        let blank = Checker {
            color: Color::White,
            spot: Spot::Bar(Color::White),
            level: 0,
            moved: false,
            start: 0,
        };
        let mut checkers = [blank; 30];
        let mut slots = checkers.iter_mut();
        for color in Color::ALL {
            for spot in journey(color) {
                for level in 0..layout.count(spot, color) {
                    if let Some(slot) = slots.next() {
                        *slot = Checker { color, spot, level, moved: false, start: 0 };
                    }
                }
            }
        }
        Scene { checkers }
    }

    /// The thirty checkers, in their lasting order.
    #[must_use]
    pub fn checkers(&self) -> &[Checker; 30] {
        &self.checkers
    }

    /// The scene of `layout`: as few checkers move as possible, always from the top of their
    /// stacks, and none overtakes another of its side. The same layout leaves the scene as it is.
    #[must_use]
    pub fn moved_to(&self, layout: &Layout) -> Scene {
        let mut next = self.clone();
        if self.shows(layout) {
            return next;
        }
        for checker in &mut next.checkers {
            checker.moved = false;
            checker.start = 0;
        }
        for color in Color::ALL {
            let mut leaving = Vec::new();
            let mut arriving = Vec::new();
            for spot in journey(color) {
                let here = self
                    .checkers
                    .iter()
                    .enumerate()
                    .filter(|(_, it)| it.color == color && it.spot == spot);
                let mut stack: Vec<(u8, usize)> =
                    here.map(|(index, it)| (it.level, index)).collect();
                stack.sort_unstable();
                let wanted = layout.count(spot, color);
                let staying = usize::from(wanted).min(stack.len());
                leaving.extend(stack[staying..].iter().map(|&(_, index)| index));
                for level in staying..usize::from(wanted) {
                    arriving.push((spot, level as u8));
                }
            }
            for (index, (spot, level)) in leaving.into_iter().zip(arriving) {
                next.checkers[index] = Checker { color, spot, level, moved: true, start: 0 };
            }
        }
        next
    }

    /// Whether the checkers lie as `layout` says.
    #[must_use]
    pub fn shows(&self, layout: &Layout) -> bool {
        Color::ALL.into_iter().all(|color| {
            spots().all(|spot| {
                let here = self.checkers.iter().filter(|it| it.color == color && it.spot == spot);
                here.count() == usize::from(layout.count(spot, color))
            })
        })
    }

    /// The scene after the moves of a whole play, given as the layouts after each of them: the
    /// checkers set out one after the other.
    #[must_use]
    pub fn played(&self, layouts: &[Layout]) -> Scene {
        let mut now = self.clone();
        let mut starts: [Option<u8>; 30] = [None; 30];
        for (step, layout) in (0..).zip(layouts) {
            now = now.moved_to(layout);
            for (start, checker) in starts.iter_mut().zip(&now.checkers) {
                if checker.moved {
                    start.get_or_insert(step);
                }
            }
        }
        for (checker, start) in now.checkers.iter_mut().zip(starts) {
            checker.moved = start.is_some();
            checker.start = start.unwrap_or(0);
        }
        now
    }

    /// The index of the checker that lies on top of `spot`, if there is one.
    #[must_use]
    pub fn top(&self, spot: Spot) -> Option<usize> {
        self.checkers
            .iter()
            .enumerate()
            .filter(|(_, it)| it.spot == spot)
            .max_by_key(|(_, it)| it.level)
            .map(|(index, _)| index)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use rules::{Die, Move, Setup};

    use super::*;

    fn start() -> (Position, Scene) {
        (Position::START, Scene::new(&Layout::new(&Position::START, Color::White)))
    }

    fn after(position: Position, from: u8, die: u8) -> Position {
        position
            .after_move(Move { from: Point::new(from).unwrap(), die: Die::new(die).unwrap() })
            .unwrap()
    }

    fn moved(scene: &Scene) -> Vec<(Color, Spot)> {
        scene.checkers().iter().filter(|it| it.moved).map(|it| (it.color, it.spot)).collect()
    }

    #[test]
    fn a_scene_has_fifteen_checkers_a_side_in_whole_stacks() {
        let (position, scene) = start();
        let layout = Layout::new(&position, Color::White);
        for color in Color::ALL {
            let mine = scene.checkers().iter().filter(|it| it.color == color);
            assert_eq!(mine.count(), 15);
        }
        for spot in (1..=24).map(Spot::Point) {
            let mut levels: Vec<u8> =
                scene.checkers().iter().filter(|it| it.spot == spot).map(|it| it.level).collect();
            levels.sort_unstable();
            let count = layout.owner(spot).map_or(0, |(_, count)| count);
            assert_eq!(levels, (0..count).collect::<Vec<_>>());
        }
    }

    #[test]
    fn the_layout_is_absolute_whoever_looks() {
        let position = after(Position::START, 8, 3);
        let own = Layout::new(&position, Color::White);
        assert_eq!(own, Layout::new(&position.flipped(), Color::Black));
        assert_eq!(own.owner(Spot::Point(5)), Some((Color::White, 1)));
        assert_eq!(own.owner(Spot::Point(1)), Some((Color::Black, 2)));
        let blacks = Layout::new(&position, Color::Black);
        assert_eq!(blacks.owner(Spot::Point(20)), Some((Color::Black, 1)));
    }

    #[test]
    fn one_move_moves_one_checker_the_top_one() {
        let (position, scene) = start();
        let top = scene.top(Spot::Point(13)).unwrap();
        let next = scene.moved_to(&Layout::new(&after(position, 13, 5), Color::White));
        assert_eq!(moved(&next), [(Color::White, Spot::Point(8))]);
        assert_eq!(next.checkers()[top].spot, Spot::Point(8));
        assert_eq!(next.checkers()[top].level, 3);
    }

    #[test]
    fn a_hit_sends_the_opponents_checker_to_its_bar() {
        let mut setup = Setup::START;
        setup.points[4] = -1;
        setup.points[0] = -1;
        let position = Position::from_setup(&setup).unwrap();
        let scene = Scene::new(&Layout::new(&position, Color::White));
        let next = scene.moved_to(&Layout::new(&after(position, 8, 3), Color::White));
        assert_eq!(
            moved(&next),
            [(Color::White, Spot::Point(5)), (Color::Black, Spot::Bar(Color::Black))]
        );
    }

    #[test]
    fn going_back_moves_the_same_checker_home() {
        let (position, scene) = start();
        let there = scene.moved_to(&Layout::new(&after(position, 13, 5), Color::White));
        let back = there.moved_to(&Layout::new(&position, Color::White));
        let places = |it: &Scene| it.checkers().map(|it| (it.spot, it.level));
        assert_eq!(places(&back), places(&scene));
    }

    #[test]
    fn the_same_layout_changes_nothing_so_no_motion_is_cut_short() {
        let (position, scene) = start();
        let layout = Layout::new(&after(position, 13, 5), Color::White);
        let there = scene.moved_to(&layout);
        assert_eq!(there.moved_to(&layout), there);
    }

    #[test]
    fn every_scene_shows_its_layout_after_any_jump() {
        let (_, scene) = start();
        let mut setup = Setup { points: [0; 24], bar: [2, 1], off: [3, 4] };
        setup.points[0] = 10;
        setup.points[23] = -10;
        let layout = Layout::new(&Position::from_setup(&setup).unwrap(), Color::Black);
        let jumped = scene.moved_to(&layout);
        assert!(jumped.shows(&layout));
        assert!(!scene.shows(&layout));
    }

    #[test]
    fn the_checkers_of_a_play_set_out_one_after_the_other() {
        let (position, scene) = start();
        let first = after(position, 24, 6);
        let second = after(first, 13, 5);
        let layouts = [first, second].map(|it| Layout::new(&it, Color::White));
        let played = scene.played(&layouts);
        let starts: Vec<_> =
            played.checkers().iter().filter(|it| it.moved).map(|it| (it.spot, it.start)).collect();
        assert_eq!(starts, [(Spot::Point(18), 0), (Spot::Point(8), 1)]);
        assert!(played.shows(&layouts[1]));
    }
}
