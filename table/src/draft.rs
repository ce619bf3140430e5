use rules::{Dice, Die, Move, Play, Point, Position, check_play, next_moves};

/// The trial moves of one turn. They never leave the device: only the finished play is written.
/// All points are in the mover's view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    start: Position,
    dice: Dice,
    /// The smaller die is the active one.
    swapped: bool,
    moves: Vec<Move>,
    picked: Option<Point>,
}

/// Which dice bring a checker to a target; each is drawn differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reach {
    /// The larger die, or one die of a double.
    Larger,
    /// The smaller die.
    Smaller,
    /// More than one die.
    Both,
}

/// A place where the picked checker may land.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The place; [`Point::OFF`] for bearing off.
    pub point: Point,
    /// Which dice it takes.
    pub reach: Reach,
    /// The ways there with the fewest dice that end in different positions, usually one. Two when
    /// the order of the dice matters: one of them hits.
    pub routes: Vec<Vec<Move>>,
}

/// What a touch did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Touched {
    /// A checker is picked up.
    Picked(Point),
    /// The picked checker is put back.
    PutBack,
    /// The picked checker made these moves.
    Moved(Vec<Move>),
    /// Two ways lead there and they differ: the player chooses one for [`Draft::take`].
    Choose(Vec<Vec<Move>>),
    /// Nothing happened, and this is why.
    Refused(Refusal),
}

/// Why a checker cannot be picked up or cannot land somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Refusal {
    /// There is no checker of the side on roll.
    NotYours,
    /// Checkers on the bar come first.
    BarFirst,
    /// All dice are played.
    TurnComplete,
    /// No die that is left brings a checker from there to there.
    NoDie,
    /// The point is held by two or more checkers of the other side.
    Blocked,
    /// Bearing off takes all fifteen checkers at home.
    NotAllHome,
    /// A larger die bears off only the farthest checker.
    FartherFirst,
    /// As many dice as possible must be played.
    MustPlayMore,
    /// Only one die can be played, and it must be the larger.
    MustPlayLarger,
    /// This checker cannot move with any die that is left.
    CannotMove,
}

impl Draft {
    /// No trial moves yet; `position` is in the view of the side on roll.
    #[must_use]
    pub fn new(position: Position, dice: Dice) -> Draft {
        let mut draft =
            Draft { start: position, dice, swapped: false, moves: Vec::new(), picked: None };
        draft.pick_from_bar();
        draft
    }

    /// The position after the trial moves, still in the mover's view.
    #[must_use]
    pub fn position(&self) -> Position {
        after(&self.start, &self.moves).unwrap_or(self.start)
    }

    /// The position before the turn.
    #[must_use]
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// The roll.
    #[must_use]
    pub const fn dice(&self) -> Dice {
        self.dice
    }

    /// The trial moves, first to last.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The place of the checker that is picked up.
    #[must_use]
    pub const fn picked(&self) -> Option<Point> {
        self.picked
    }

    /// The dice that are not played yet, the active one first.
    #[must_use]
    pub fn unplayed(&self) -> Vec<Die> {
        let mut dice = vec![self.dice.larger(); self.dice.moves()];
        if !self.dice.is_double() {
            dice[1] = self.dice.smaller();
            if self.swapped {
                dice.reverse();
            }
        }
        for it in &self.moves {
            if let Some(index) = dice.iter().position(|&die| die == it.die) {
                dice.remove(index);
            }
        }
        dice
    }

    /// Whether the smaller die is the active one.
    #[must_use]
    pub const fn is_swapped(&self) -> bool {
        self.swapped
    }

    /// Whether nothing more can be played: the turn may be confirmed.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        next_moves(&self.start, self.dice, &self.moves).is_empty()
    }

    /// Whether there is no legal move at all.
    #[must_use]
    pub fn is_pass(&self) -> bool {
        self.moves.is_empty() && self.is_complete()
    }

    /// The finished play, once the turn is complete.
    #[must_use]
    pub fn play(&self) -> Option<Play> {
        let play = Play::new(&self.moves)?;
        check_play(&self.start, self.dice, &play).is_ok().then_some(play)
    }

    /// The places from which a checker may be picked up now.
    #[must_use]
    pub fn sources(&self) -> Vec<Point> {
        let mut points: Vec<Point> =
            next_moves(&self.start, self.dice, &self.moves).into_iter().map(|it| it.from).collect();
        points.sort_unstable();
        points.dedup();
        points
    }

    /// Every place where the checker on `from` may land: by one die, by several.
    #[must_use]
    pub fn targets(&self, from: Point) -> Vec<Target> {
        let mut routes = Vec::new();
        self.walk(from, &mut Vec::new(), &mut routes);
        // The fewest dice first, and of those the smallest: the larger stays for another checker.
        routes.sort_by_key(|route| (route.len(), route.iter().map(|it| it.die.pips()).sum::<u8>()));
        let mut targets: Vec<Target> = Vec::new();
        for route in routes {
            let Some(last) = route.last() else { continue };
            let point = last.to();
            match targets.iter_mut().find(|target| target.point == point) {
                None => {
                    let reach = match route.as_slice() {
                        [only] if only.die == self.dice.larger() => Reach::Larger,
                        [_] => Reach::Smaller,
                        _ => Reach::Both,
                    };
                    targets.push(Target { point, reach, routes: vec![route] });
                }
                Some(target) => {
                    let end = |it: &[Move]| after(&self.position(), it);
                    let same_length = target.routes.iter().all(|it| it.len() == route.len());
                    if same_length && target.routes.iter().all(|it| end(it) != end(&route)) {
                        target.routes.push(route);
                    }
                }
            }
        }
        targets
    }

    /// Collects all ways on for one checker.
    fn walk(&self, from: Point, route: &mut Vec<Move>, routes: &mut Vec<Vec<Move>>) {
        let played = [self.moves.as_slice(), route].concat();
        for it in next_moves(&self.start, self.dice, &played) {
            if it.from != from {
                continue;
            }
            route.push(it);
            routes.push(route.clone());
            if it.to() != Point::OFF {
                self.walk(it.to(), route, routes);
            }
            route.pop();
        }
    }

    /// A tap on a place: picks a checker up, moves the picked one there, or says why not. A tap on
    /// the picked checker itself plays the active die, else the other.
    pub fn touch(&mut self, point: Point) -> Touched {
        let touched = match self.picked {
            None => self.pick(point),
            Some(from) if from == point => self.play_die(from, Active::First),
            Some(from) => self.land(from, point),
        };
        self.pick_from_bar();
        touched
    }

    /// A right click or a long press on a place plays its checker by the die that is not active.
    pub fn touch_other(&mut self, point: Point) -> Touched {
        let touched = self.play_die(point, Active::Last);
        self.pick_from_bar();
        touched
    }

    /// Moves a checker from one place to another, as by drag and drop. Dragging a moved checker
    /// back where it came from takes its move back.
    pub fn drag(&mut self, from: Point, to: Point) -> Touched {
        self.picked = Some(from);
        if from == to {
            self.picked = None;
            self.pick_from_bar();
            return Touched::PutBack;
        }
        let touched = if to > from && self.take_back(from, to) {
            Touched::PutBack
        } else {
            self.land(from, to)
        };
        if matches!(touched, Touched::Refused(_)) {
            self.picked = None;
        }
        self.pick_from_bar();
        touched
    }

    /// Makes these moves, a route of one of the [`Draft::targets`].
    pub fn take(&mut self, route: &[Move]) -> Touched {
        let mut played = self.moves.clone();
        for &it in route {
            if !next_moves(&self.start, self.dice, &played).contains(&it) {
                return Touched::Refused(Refusal::MustPlayMore);
            }
            played.push(it);
        }
        self.moves = played;
        self.picked = None;
        self.pick_from_bar();
        Touched::Moved(route.to_vec())
    }

    /// Replaces the trial moves by a whole play, as typed or chosen from a list. Answers whether it
    /// is legal.
    pub fn set(&mut self, play: &Play) -> bool {
        let legal = check_play(&self.start, self.dice, play).is_ok();
        if legal {
            self.moves = play.iter().collect();
            self.picked = None;
        }
        legal
    }

    /// Takes the last move back. Answers whether there was one.
    pub fn undo(&mut self) -> bool {
        let undone = self.moves.pop().is_some();
        self.picked = None;
        self.pick_from_bar();
        undone
    }

    /// Takes all moves back.
    pub fn reset(&mut self) {
        self.moves.clear();
        self.picked = None;
        self.pick_from_bar();
    }

    /// Puts the picked checker back, unless it must come from the bar.
    pub fn put_back(&mut self) {
        self.picked = None;
        self.pick_from_bar();
    }

    /// Makes the other die the active one, while both are still to be played. Answers whether it
    /// did.
    pub fn swap(&mut self) -> bool {
        let can = self.unplayed().len() == 2 && !self.dice.is_double() && !self.is_complete();
        self.swapped ^= can;
        can
    }

    fn pick_from_bar(&mut self) {
        if self.picked.is_none() && self.sources() == [Point::BAR] {
            self.picked = Some(Point::BAR);
        }
    }

    fn pick(&mut self, point: Point) -> Touched {
        if self.sources().contains(&point) {
            self.picked = Some(point);
            Touched::Picked(point)
        } else {
            Touched::Refused(self.why_not_pick(point))
        }
    }

    fn land(&mut self, from: Point, to: Point) -> Touched {
        let target = self.targets(from).into_iter().find(|target| target.point == to);
        match target.map(|target| target.routes) {
            Some(routes) if routes.len() == 1 => self.take(&routes.concat()),
            Some(routes) => Touched::Choose(routes),
            None if self.sources().contains(&to) => {
                self.picked = Some(to);
                Touched::Picked(to)
            }
            // While the bar is picked by itself, a tap on another checker means that checker.
            None if from == Point::BAR && to != Point::OFF && self.position().own(to) > 0 => {
                Touched::Refused(Refusal::BarFirst)
            }
            None => Touched::Refused(self.why_not_land(from, to)),
        }
    }

    fn play_die(&mut self, from: Point, active: Active) -> Touched {
        let mut dice = self.unplayed();
        dice.dedup();
        if active == Active::Last {
            dice.reverse();
        }
        let next = next_moves(&self.start, self.dice, &self.moves);
        match dice.into_iter().map(|die| Move { from, die }).find(|it| next.contains(it)) {
            Some(it) => self.take(&[it]),
            None => Touched::Refused(self.why_not_pick(from)),
        }
    }

    /// Undoes the latest move that brought a checker from `to` to `from`, if the others stay legal.
    fn take_back(&mut self, from: Point, to: Point) -> bool {
        for last in (0..self.moves.len()).rev() {
            for first in (0..=last).rev() {
                let chain = &self.moves[first..=last];
                let linked = chain.windows(2).all(|pair| pair[0].to() == pair[1].from);
                let (Some(start), Some(end)) = (chain.first(), chain.last()) else { continue };
                if !linked || start.from != to || end.to() != from {
                    continue;
                }
                let rest: Vec<Move> = [&self.moves[..first], &self.moves[last + 1..]].concat();
                if self.is_within_reach(&rest) {
                    self.moves = rest;
                    self.picked = None;
                    return true;
                }
            }
        }
        false
    }

    fn is_within_reach(&self, moves: &[Move]) -> bool {
        (0..moves.len())
            .all(|at| next_moves(&self.start, self.dice, &moves[..at]).contains(&moves[at]))
    }

    fn why_not_pick(&self, point: Point) -> Refusal {
        let position = self.position();
        if self.is_complete() {
            Refusal::TurnComplete
        } else if point == Point::OFF || position.own(point) == 0 {
            Refusal::NotYours
        } else if point != Point::BAR && position.own(Point::BAR) > 0 {
            Refusal::BarFirst
        } else {
            let reasons = self.unplayed().into_iter().map(|die| self.why_not_move(point, die));
            // The most telling reason first: a rule about the whole play before a blocked point.
            reasons.min_by_key(|&it| rank(it)).unwrap_or(Refusal::CannotMove)
        }
    }

    /// Why a single move is not allowed though the die is there.
    fn why_not_move(&self, from: Point, die: Die) -> Refusal {
        let position = self.position();
        let it = Move { from, die };
        if position.after_move(it).is_ok() {
            let larger = self.dice.larger();
            let only_one = next_moves(&self.start, self.dice, &self.moves)
                .iter()
                .all(|next| next.die == larger);
            let last = self.dice.moves() - self.moves.len();
            return if only_one && die != larger && last > 1 && !self.dice.is_double() {
                match Draft::new(self.start, self.dice).longest() {
                    1 => Refusal::MustPlayLarger,
                    _ => Refusal::MustPlayMore,
                }
            } else {
                Refusal::MustPlayMore
            };
        }
        match it.to() {
            Point::OFF if !position.all_home() => Refusal::NotAllHome,
            Point::OFF => Refusal::FartherFirst,
            to if position.opponent(to) >= 2 => Refusal::Blocked,
            _ => Refusal::CannotMove,
        }
    }

    /// How many dice a legal play uses.
    fn longest(&self) -> usize {
        rules::legal(&self.start, self.dice).dice_used()
    }

    fn why_not_land(&self, from: Point, to: Point) -> Refusal {
        if self.is_complete() {
            return Refusal::TurnComplete;
        }
        if self.position().own(from) == 0 {
            return Refusal::NotYours;
        }
        if from != Point::BAR && self.position().own(Point::BAR) > 0 {
            return Refusal::BarFirst;
        }
        let held = (1..=24).contains(&to.number()) && self.position().opponent(to) >= 2;
        let die = self.unplayed().into_iter().find(|&die| Move { from, die }.to() == to);
        match die {
            Some(die) => self.why_not_move(from, die),
            None if to == Point::OFF && !self.position().all_home() => Refusal::NotAllHome,
            None if held => Refusal::Blocked,
            None => Refusal::NoDie,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Active {
    First,
    Last,
}

const fn rank(refusal: Refusal) -> u8 {
    match refusal {
        Refusal::MustPlayLarger => 0,
        Refusal::MustPlayMore => 1,
        Refusal::NotAllHome => 3,
        Refusal::FartherFirst => 4,
        Refusal::Blocked => 2,
        _ => 5,
    }
}

fn after(position: &Position, moves: &[Move]) -> Option<Position> {
    moves.iter().try_fold(*position, |position, &it| position.after_move(it).ok())
}
