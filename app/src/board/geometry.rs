//! Where everything on the board is, for every shape of window.
//!
//! The unit is the width of a point. The board has two axes: *along* run the twelve columns with
//! the bar in their middle, *across* the points grow from both edges to the middle. A wide board
//! has *along* from left to right; a turned one (phones held upright) from top to bottom.

use rules::Color;

use crate::live_table::Spot;

/// The radius of a checker, in units.
pub const CHECKER_RADIUS: f64 = 0.455;
/// The length of a point as a share of the depth of the field.
pub const POINT_LENGTH: f64 = 0.415;
/// The side of a die, in units.
pub const DIE_SIDE: f64 = 0.9;
/// From this many checkers on, a stack is drawn with its count.
pub const MOST_WITHOUT_COUNT: u8 = 5;

const CHECKERS: u8 = 15;

/// A rectangle in units from the board's upper left corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rect {
    /// The left edge.
    pub x: f64,
    /// The upper edge.
    pub y: f64,
    /// The width.
    pub width: f64,
    /// The height.
    pub height: f64,
}

impl Rect {
    /// The middle.
    #[must_use]
    pub fn center(&self) -> (f64, f64) {
        (self.x + self.width / 2.0, self.y + self.height / 2.0)
    }

    /// Whether a place given in units lies inside.
    #[must_use]
    pub fn contains(&self, (x, y): (f64, f64)) -> bool {
        x >= self.x && x < self.x + self.width && y >= self.y && y < self.y + self.height
    }
}

/// How the columns run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The columns run from left to right.
    Wide,
    /// The columns run from top to bottom.
    Turned,
}

/// Where the viewer's home is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HomeSide {
    /// Bottom right.
    #[default]
    Right,
    /// Bottom left: the mirror image.
    Left,
}

/// The shape of one board on one screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Geometry {
    /// How the columns run.
    pub turn: Turn,
    /// Where the viewer's home is.
    pub home: HomeSide,
    /// The side whose home is nearest: its numbers stand on the board.
    pub bottom: Color,
    /// The size of a unit in CSS pixels.
    pub unit: f64,
    depth: f64,
    frame: f64,
    bar: f64,
    gap: f64,
    tray: f64,
}

impl Geometry {
    /// The largest board that fits into `width` × `height` CSS pixels.
    #[must_use]
    pub fn fit(turn: Turn, home: HomeSide, bottom: Color, width: f64, height: f64) -> Geometry {
        let small = match turn {
            Turn::Turned => true,
            Turn::Wide => width.min(height * 1.7) < 900.0,
        };
        let mut it = Geometry {
            turn,
            home,
            bottom,
            unit: 1.0,
            depth: 10.3,
            frame: if small { 0.22 } else { 0.42 },
            bar: if small { 1.23 } else { 1.05 },
            gap: if small { 0.12 } else { 0.25 },
            tray: if small { 0.98 } else { 1.15 },
        };
        let (along, across) = match turn {
            Turn::Wide => (width, height),
            Turn::Turned => (height, width),
        };
        let (shallow, deep) = match turn {
            Turn::Wide => (7.6, 10.9),
            Turn::Turned => (6.3, 8.2),
        };
        let unit = along / it.along();
        it.depth = 0.0;
        let depth = (across / unit - it.across()).clamp(shallow, deep);
        it.depth = depth;
        it.unit = unit.min(across / it.across()).max(1.0);
        it
    }

    /// The length of the board along its columns, in units.
    fn along(&self) -> f64 {
        let tray = if self.turn == Turn::Wide { self.gap + self.tray } else { 0.0 };
        2.0 * self.frame + 12.0 + self.bar + tray
    }

    /// The size of the board across its columns, in units.
    fn across(&self) -> f64 {
        let tray = if self.turn == Turn::Turned { self.gap + self.tray } else { 0.0 };
        2.0 * self.frame + self.depth + tray
    }

    /// The whole board's width and height in units.
    #[must_use]
    pub fn size(&self) -> (f64, f64) {
        match self.turn {
            Turn::Wide => (self.along(), self.across()),
            Turn::Turned => (self.across(), self.along()),
        }
    }

    /// Whether the frame has room for the points' numbers.
    #[must_use]
    pub fn shows_numbers(&self) -> bool {
        self.turn == Turn::Wide && self.frame * self.unit >= 18.0
    }

    /// A rectangle given along and across as one on the screen.
    fn rect(&self, along: f64, across: f64, length: f64, breadth: f64) -> Rect {
        let (mut x, y, width, height) = match self.turn {
            Turn::Wide => (along, across, length, breadth),
            Turn::Turned => (across, along, breadth, length),
        };
        if self.home == HomeSide::Left {
            x = self.size().0 - x - width;
        }
        Rect { x, y, width, height }
    }

    /// The number of an absolute point in the numbering of the side at the bottom.
    #[must_use]
    pub fn number(&self, absolute: u8) -> u8 {
        match self.bottom {
            Color::White => absolute,
            Color::Black => 25 - absolute,
        }
    }

    /// The column of an absolute point from 0, and whether it is one of the near side.
    fn column(&self, absolute: u8) -> (u8, bool) {
        match self.number(absolute) {
            own @ 1..=12 => (12 - own, true),
            own => (own.clamp(13, 24) - 13, false),
        }
    }

    /// Where a column begins along the board.
    fn column_start(&self, column: u8) -> f64 {
        let bar = if column >= 6 { self.bar } else { 0.0 };
        self.frame + f64::from(column) + bar
    }

    /// The two halves of the field.
    #[must_use]
    pub fn fields(&self) -> [Rect; 2] {
        [0, 6].map(|column| self.rect(self.column_start(column), self.frame, 6.0, self.depth))
    }

    /// The strip of the bar.
    #[must_use]
    pub fn bar_strip(&self) -> Rect {
        self.rect(self.frame + 6.0, self.frame, self.bar, self.depth)
    }

    /// What answers to a touch: the whole column to the middle, the half of the bar, the tray.
    #[must_use]
    pub fn touch(&self, spot: Spot) -> Rect {
        let half = self.depth / 2.0;
        match spot {
            Spot::Point(absolute) => {
                let (column, near) = self.column(absolute);
                let across = if near { self.frame + half } else { self.frame };
                self.rect(self.column_start(column), across, 1.0, half)
            }
            Spot::Bar(color) => {
                // The middle belongs to the dice of a turned board, and to the cube of a wide one.
                let middle = if self.turn == Turn::Turned { 1.75 } else { 0.55 };
                let across =
                    if color == self.bottom { self.frame } else { self.frame + half + middle };
                self.rect(self.frame + 6.0, across, self.bar, half - middle)
            }
            Spot::Off(color) => {
                let near = color == self.bottom;
                match self.turn {
                    Turn::Wide => {
                        let across = if near { self.frame + half } else { 0.0 };
                        let start = self.along() - self.frame - self.tray - self.gap / 2.0;
                        let length = self.tray + self.gap / 2.0 + self.frame;
                        self.rect(start, across, length, half + self.frame)
                    }
                    Turn::Turned => {
                        let half = self.along() / 2.0;
                        let along = if near { half } else { 0.0 };
                        let start = self.across() - self.frame - self.tray - self.gap;
                        let breadth = self.tray + self.gap + self.frame;
                        self.rect(along, start, half, breadth)
                    }
                }
            }
        }
    }

    /// The hollow of a tray as it is drawn.
    #[must_use]
    pub fn tray(&self, color: Color) -> Rect {
        let near = color == self.bottom;
        match self.turn {
            Turn::Wide => {
                let length = self.depth * 0.45;
                let across = if near { self.frame + self.depth - length } else { self.frame };
                self.rect(self.along() - self.frame - self.tray, across, self.tray, length)
            }
            Turn::Turned => {
                let along = if near { self.frame + 6.0 + self.bar } else { self.frame };
                self.rect(along, self.across() - self.frame - self.tray, 6.0, self.tray)
            }
        }
    }

    /// The three corners of a point: two at the edge, then the tip.
    #[must_use]
    pub fn triangle(&self, absolute: u8) -> [(f64, f64); 3] {
        self.wedge(absolute, 0.04, POINT_LENGTH * self.depth)
    }

    /// The corners of the fine line laid into a point.
    #[must_use]
    pub fn inlay(&self, absolute: u8) -> [(f64, f64); 3] {
        self.wedge(absolute, 0.16, POINT_LENGTH * self.depth * 0.9)
    }

    fn wedge(&self, absolute: u8, inset: f64, length: f64) -> [(f64, f64); 3] {
        let (column, near) = self.column(absolute);
        let start = self.column_start(column);
        let (edge, tip) = if near {
            (self.frame + self.depth, self.frame + self.depth - length)
        } else {
            (self.frame, self.frame + length)
        };
        [(start + inset, edge), (start + 1.0 - inset, edge), (start + 0.5, tip)].map(
            |(along, across)| {
                let corner = self.rect(along, across, 0.0, 0.0);
                (corner.x, corner.y)
            },
        )
    }

    /// Where the number of a point stands.
    #[must_use]
    pub fn label(&self, absolute: u8) -> (f64, f64) {
        let (column, near) = self.column(absolute);
        let across = if near { self.across() - self.frame / 2.0 } else { self.frame / 2.0 };
        let at = self.rect(self.column_start(column) + 0.5, across, 0.0, 0.0);
        (at.x, at.y)
    }

    /// How far the middles of two neighbours in a stack of `count` on a point are apart.
    fn spacing(&self, count: u8) -> f64 {
        // Two facing stacks of five never touch; on a wide board the dice lie between them.
        let middle = if self.turn == Turn::Wide { 0.53 } else { 0.04 };
        let room = self.depth / 2.0 - middle - 0.03 - 2.0 * CHECKER_RADIUS;
        let five = (room / f64::from(MOST_WITHOUT_COUNT - 1)).min(2.0 * CHECKER_RADIUS);
        if count <= MOST_WITHOUT_COUNT {
            five
        } else {
            five * f64::from(MOST_WITHOUT_COUNT - 1) / f64::from(count - 1)
        }
    }

    /// Where checker `level` (from 0, the lowest) of `count` on `spot` lies.
    #[must_use]
    pub fn checker(&self, spot: Spot, level: u8, count: u8) -> Rect {
        let radius = CHECKER_RADIUS;
        let (x, y) = match spot {
            Spot::Point(absolute) => {
                let (column, near) = self.column(absolute);
                let up = 0.03 + radius + f64::from(level) * self.spacing(count);
                let across = if near { self.frame + self.depth - up } else { self.frame + up };
                let at = self.rect(self.column_start(column) + 0.5, across, 0.0, 0.0);
                (at.x, at.y)
            }
            Spot::Bar(color) => {
                let (from, to) = {
                    let half = self.depth / 2.0;
                    let middle = if self.turn == Turn::Turned { 1.75 } else { 0.6 };
                    // On a wide board the stack grows from the middle outwards, on a turned one
                    // from the edge inwards, away from the dice.
                    let (inner, outer) = (middle + radius, half - radius - 0.06);
                    if self.turn == Turn::Turned { (outer, inner) } else { (inner, outer) }
                };
                let step = if count > 1 {
                    ((to - from) / f64::from(count - 1)).clamp(-2.0 * radius, 2.0 * radius)
                } else {
                    0.0
                };
                let off_middle = from + f64::from(level) * step;
                let side = if color == self.bottom { -1.0 } else { 1.0 };
                let across = self.frame + self.depth / 2.0 + side * off_middle;
                let at = self.rect(self.frame + 6.0 + self.bar / 2.0, across, 0.0, 0.0);
                (at.x, at.y)
            }
            Spot::Off(color) => return self.slab(color, level),
        };
        Rect { x: x - radius, y: y - radius, width: 2.0 * radius, height: 2.0 * radius }
    }

    /// A checker that was borne off lies on its edge in the tray.
    fn slab(&self, color: Color, level: u8) -> Rect {
        let tray = self.tray(color);
        let thickness = ((tray.height - 0.16) / f64::from(CHECKERS)).min(0.29);
        let offset = 0.08 + f64::from(level) * thickness;
        let y = if color == self.bottom {
            tray.y + tray.height - offset - thickness
        } else {
            tray.y + offset
        };
        let inset = 0.09;
        Rect { x: tray.x + inset, y, width: tray.width - 2.0 * inset, height: thickness - 0.03 }
    }

    /// Where a ring lies that says "a checker may land here", when `count` are there already.
    #[must_use]
    pub fn landing(&self, spot: Spot, count: u8) -> (f64, f64) {
        match spot {
            Spot::Off(color) => self.tray(color).center(),
            _ => self.checker(spot, count, count + 1).center(),
        }
    }

    /// Where `count` dice of `roller` lie, and how large they are.
    #[must_use]
    pub fn dice(&self, roller: Color, count: usize) -> Vec<Rect> {
        let area = self.dice_area(roller);
        let (x, y) = area.center();
        // Four dice of a double must leave the bar's ends free on a turned board.
        let side = match self.turn {
            Turn::Turned if count > 2 => 0.74,
            Turn::Turned => 0.96,
            Turn::Wide => DIE_SIDE,
        };
        let apart = side + if self.turn == Turn::Turned { 0.1 } else { 0.3 };
        (0..count)
            .map(|index| {
                let place = index as f64 - (count as f64 - 1.0) / 2.0;
                Rect {
                    x: x + place * apart - side / 2.0,
                    y: y - side / 2.0,
                    width: side,
                    height: side,
                }
            })
            .collect()
    }

    /// What answers to a touch as the dice: the roller's half of a wide board, the middle of the
    /// bar of a turned one.
    #[must_use]
    pub fn dice_area(&self, roller: Color) -> Rect {
        match self.turn {
            Turn::Wide => {
                let start = if roller == self.bottom { 6 } else { 0 };
                let breadth = 1.06;
                let across = self.frame + (self.depth - breadth) / 2.0;
                self.rect(self.column_start(start) + 0.6, across, 4.8, breadth)
            }
            Turn::Turned => {
                let breadth = 3.4;
                let across = self.frame + (self.depth - breadth) / 2.0;
                self.rect(self.frame + 6.0, across, self.bar, breadth)
            }
        }
    }
}

/// A key with an arrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrow {
    /// To the left.
    Left,
    /// To the right.
    Right,
    /// Upwards.
    Up,
    /// Downwards.
    Down,
}

/// All spots: the points, then bar and tray of each side.
pub fn spots() -> impl Iterator<Item = Spot> {
    (1..=24)
        .map(Spot::Point)
        .chain(Color::ALL.into_iter().flat_map(|it| [Spot::Bar(it), Spot::Off(it)]))
}

impl Geometry {
    /// The spot under a place given in units.
    #[must_use]
    pub fn spot_at(&self, place: (f64, f64)) -> Option<Spot> {
        spots().find(|&spot| self.touch(spot).contains(place))
    }

    /// The spot that an arrow leads to from another: the nearest whose middle lies in that
    /// direction, straight ahead before sideways.
    #[must_use]
    pub fn neighbour(&self, from: Spot, arrow: Arrow) -> Option<Spot> {
        let (x, y) = self.touch(from).center();
        let distance = |to: Spot| {
            let (to_x, to_y) = self.touch(to).center();
            let (right, down) = (to_x - x, to_y - y);
            let (ahead, aside) = match arrow {
                Arrow::Left => (-right, down.abs()),
                Arrow::Right => (right, down.abs()),
                Arrow::Up => (-down, right.abs()),
                Arrow::Down => (down, right.abs()),
            };
            (ahead > 0.3 && aside < ahead * 2.0).then_some(ahead + 3.0 * aside)
        };
        spots()
            .filter(|&to| to != from)
            .filter_map(|to| distance(to).map(|far| (far, to)))
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .map(|(_, to)| to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phone() -> Geometry {
        Geometry::fit(Turn::Turned, HomeSide::Right, Color::White, 348.0, 495.0)
    }

    fn desktop() -> Geometry {
        Geometry::fit(Turn::Wide, HomeSide::Right, Color::White, 1070.0, 780.0)
    }

    fn overlap(a: Rect, b: Rect) -> bool {
        let slack = 1e-9;
        a.x + slack < b.x + b.width
            && b.x + slack < a.x + a.width
            && a.y + slack < b.y + b.height
            && b.y + slack < a.y + a.height
    }

    #[test]
    fn the_smallest_phone_has_points_of_36_by_120_pixels_and_44_elsewhere() {
        let it = phone();
        for absolute in 1..=24 {
            let at = it.touch(Spot::Point(absolute));
            assert!(at.height * it.unit >= 36.0, "height {}", at.height * it.unit);
            assert!(at.width * it.unit >= 120.0, "width {}", at.width * it.unit);
        }
        for spot in spots().skip(24) {
            let at = it.touch(spot);
            assert!(at.height.min(at.width) * it.unit >= 44.0, "{spot:?} {at:?} × {}", it.unit);
        }
        let dice = it.dice_area(Color::White);
        assert!(dice.height.min(dice.width) * it.unit >= 44.0);
    }

    #[test]
    fn a_usual_phone_has_points_of_44_pixels_both_ways() {
        let upright = Geometry::fit(Turn::Turned, HomeSide::Right, Color::White, 382.0, 690.0);
        let lying = Geometry::fit(Turn::Wide, HomeSide::Right, Color::White, 664.0, 378.0);
        for it in [upright, lying] {
            let at = it.touch(Spot::Point(1));
            assert!(at.height.min(at.width) * it.unit >= 44.0, "{it:?}");
        }
    }

    #[test]
    fn nothing_that_is_touched_overlaps() {
        for turn in [Turn::Wide, Turn::Turned] {
            for home in [HomeSide::Left, HomeSide::Right] {
                for bottom in Color::ALL {
                    for (width, height) in
                        [(348.0, 495.0), (382.0, 690.0), (664.0, 378.0), (1070.0, 780.0)]
                    {
                        let it = Geometry::fit(turn, home, bottom, width, height);
                        let all: Vec<_> = spots().map(|spot| (spot, it.touch(spot))).collect();
                        for (index, a) in all.iter().enumerate() {
                            for b in &all[index + 1..] {
                                assert!(!overlap(a.1, b.1), "{a:?} {b:?} in {it:?}");
                            }
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn the_board_fits_into_its_room() {
        for turn in [Turn::Wide, Turn::Turned] {
            for (width, height) in
                [(300.0, 300.0), (348.0, 495.0), (664.0, 378.0), (768.0, 600.0), (3840.0, 2000.0)]
            {
                let it = Geometry::fit(turn, HomeSide::Right, Color::Black, width, height);
                let (units_wide, units_high) = it.size();
                assert!(units_wide * it.unit <= width + 0.01, "{it:?}");
                assert!(units_high * it.unit <= height + 0.01, "{it:?}");
            }
        }
    }

    #[test]
    fn the_viewers_home_is_bottom_right_and_the_mirror_puts_it_left() {
        for turn in [Turn::Wide, Turn::Turned] {
            for bottom in Color::ALL {
                let ace = if bottom == Color::White { 1 } else { 24 };
                for (home, right) in [(HomeSide::Right, true), (HomeSide::Left, false)] {
                    let it = Geometry::fit(turn, home, bottom, 1000.0, 700.0);
                    let (width, height) = it.size();
                    let (x, y) = it.touch(Spot::Point(ace)).center();
                    assert!(y > height / 2.0);
                    assert_eq!(x > width / 2.0, right, "{turn:?} {bottom:?} {home:?}");
                }
            }
        }
    }

    #[test]
    fn facing_stacks_of_five_never_touch_nor_lie_under_the_dice() {
        let lying = Geometry::fit(Turn::Wide, HomeSide::Right, Color::White, 664.0, 378.0);
        for (it, dice_matter) in [(phone(), false), (desktop(), true), (lying, true)] {
            for (near, far) in (1..=12).map(|near| (near, 25 - near)) {
                let a = it.checker(Spot::Point(near), 4, 5);
                let b = it.checker(Spot::Point(far), 4, 5);
                assert!(!overlap(a, b));
                if dice_matter {
                    for die in it.dice(Color::White, 4) {
                        assert!(!overlap(a, die) && !overlap(b, die));
                    }
                }
            }
        }
    }

    #[test]
    fn a_stack_of_fifteen_stays_in_its_column() {
        for it in [phone(), desktop()] {
            for spot in (1..=24).map(Spot::Point) {
                let column = it.touch(spot);
                for level in 0..15 {
                    assert!(column.contains(it.checker(spot, level, 15).center()));
                }
            }
        }
    }

    #[test]
    fn checkers_on_the_bar_and_borne_off_stay_where_they_are_touched() {
        for it in [phone(), desktop()] {
            for spot in spots().skip(24) {
                for count in 1..=15 {
                    for level in 0..count {
                        let at = it.checker(spot, level, count).center();
                        assert!(it.touch(spot).contains(at), "{spot:?} {level}/{count}");
                    }
                }
            }
        }
    }

    #[test]
    fn four_dice_leave_the_bar_free() {
        let it = phone();
        let dice = it.dice(Color::White, 4);
        for color in Color::ALL {
            for level in 0..2 {
                let checker = it.checker(Spot::Bar(color), level, 2);
                assert!(dice.iter().all(|&die| !overlap(die, checker)));
            }
        }
    }

    #[test]
    fn turning_the_viewer_swaps_the_sides() {
        let white = desktop();
        let black = Geometry { bottom: Color::Black, ..white };
        assert_eq!(white.touch(Spot::Point(6)), black.touch(Spot::Point(19)));
        assert_eq!(white.touch(Spot::Bar(Color::White)), black.touch(Spot::Bar(Color::Black)));
        assert_eq!(white.number(8), 8);
        assert_eq!(black.number(8), 17);
    }

    #[test]
    fn arrows_reach_every_spot_and_walk_a_row_point_by_point() {
        for it in [phone(), desktop()] {
            let mut reached = vec![Spot::Point(1)];
            let mut at = 0;
            while let Some(&from) = reached.get(at) {
                for arrow in [Arrow::Left, Arrow::Right, Arrow::Up, Arrow::Down] {
                    if let Some(to) = it.neighbour(from, arrow)
                        && !reached.contains(&to)
                    {
                        reached.push(to);
                    }
                }
                at += 1;
            }
            assert_eq!(reached.len(), 28, "{:?}", it.turn);
        }
        let wide = desktop();
        assert_eq!(wide.neighbour(Spot::Point(1), Arrow::Left), Some(Spot::Point(2)));
        assert_eq!(wide.neighbour(Spot::Point(1), Arrow::Up), Some(Spot::Point(24)));
        assert_eq!(wide.neighbour(Spot::Point(8), Arrow::Right), Some(Spot::Point(7)));
        assert_eq!(wide.neighbour(Spot::Point(12), Arrow::Left), None);
    }

    #[test]
    fn a_pointer_finds_what_is_drawn_under_it() {
        for it in [phone(), desktop()] {
            for spot in spots() {
                assert_eq!(it.spot_at(it.touch(spot).center()), Some(spot));
                assert_eq!(it.spot_at(it.checker(spot, 0, 1).center()), Some(spot));
            }
            assert_eq!(it.spot_at((-1.0, 2.0)), None);
        }
    }
}
