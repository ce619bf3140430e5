use crate::{Body, Entry, Header, Kind, Resignation};
use fair_dice::{CHAIN_LENGTH, LAST_ROLL_TO_START_A_GAME, RevealError, Revealed, Value};
use rules::{
    ByColor, Clock, Color, Cube, Dice, IllegalPlay, Play, Position, Ruleset, Score, Win,
    check_play, least_resignation,
};
use thiserror::Error;

/// Where the game stands: the left column of the protocol's state table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// White is to roll for the opening.
    Opening,
    /// White has rolled for the opening, black owes its reveal.
    OpenReveal,
    /// This side has its dice and is to play them.
    ToPlay(Color),
    /// This side may double or roll.
    Free(Color),
    /// This side owes the reveal for the other's roll.
    Owe(Color),
    /// This side can only roll; the other's reveal is known.
    Bound(Color),
    /// This side is offered the cube.
    TakeOrDrop(Color),
    /// This side's double was beavered: it rolls or drops.
    Beavered(Color),
    /// This side is offered a resignation.
    Answer(Color),
    /// The game is over; black agrees to the next one.
    Over,
    /// No further game can be played at this table.
    Closed,
}

/// Whose word is next, and which words it may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Awaiting {
    /// The table is closed.
    Nobody,
    /// Exactly this seat may write the next entry.
    Seat(Color, Kinds),
}

impl Awaiting {
    /// The seat whose word is next.
    #[must_use]
    pub const fn seat(self) -> Option<Color> {
        match self {
            Awaiting::Nobody => None,
            Awaiting::Seat(color, _) => Some(color),
        }
    }

    /// Whether `color` may write an entry of this kind now.
    #[must_use]
    pub fn allows(self, color: Color, kind: Kind) -> bool {
        matches!(self, Awaiting::Seat(seat, kinds) if seat == color && kinds.contains(kind))
    }
}

/// A set of kinds of entries.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Kinds(u16);

impl Kinds {
    fn of(kinds: &[Kind]) -> Kinds {
        Kinds(kinds.iter().fold(0, |bits, &kind| bits | 1 << kind as u16))
    }

    fn with_if(self, kind: Kind, condition: impl FnOnce() -> bool) -> Kinds {
        if condition() { Kinds(self.0 | 1 << kind as u16) } else { self }
    }

    /// Whether this kind is among them.
    #[must_use]
    pub const fn contains(self, kind: Kind) -> bool {
        self.0 & (1 << kind as u16) != 0
    }

    /// The kinds in the order of their numbers.
    pub fn iter(self) -> impl Iterator<Item = Kind> {
        Kind::ALL.into_iter().filter(move |&kind| self.contains(kind))
    }
}

impl std::fmt::Debug for Kinds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// All fifteen checkers were borne off.
    BorneOff(Win),
    /// The cube was dropped.
    Dropped,
    /// A resignation was accepted.
    Resigned(Resignation),
    /// The loser's reserve of time was used up.
    TimedOut,
}

/// The result of a finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GameResult {
    /// Who won.
    pub winner: Color,
    /// The points it brought, the cube included, not capped at the match length.
    pub points: u32,
    /// How it ended.
    pub ending: Ending,
}

/// One roll with everything that proves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Roll {
    /// The number of the roll at this table, from 1.
    pub index: u32,
    /// The number of the entry that completed it.
    pub seq: u32,
    /// Whose roll it is; in the opening the side that begins.
    pub color: Color,
    /// The dice.
    pub dice: Dice,
    /// How often the opening was thrown again; `None` for any other roll.
    pub opening_ties: Option<u32>,
    /// The two reveals.
    pub reveals: ByColor<Value>,
    /// What the dice were read from.
    pub seed: Value,
}

/// A play that was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The number of its entry.
    pub seq: u32,
    /// Who made it.
    pub color: Color,
    /// The position before it, from the mover's side.
    pub before: Position,
    /// The roll.
    pub dice: Dice,
    /// The moves.
    pub play: Play,
}

/// Why an entry is refused. Nothing has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Fault {
    /// The table is closed, nobody may write.
    #[error("the table is closed")]
    Closed,
    /// It is the other seat's word.
    #[error("it is not the word of seat {}", .0.seat())]
    WrongSeat(Color),
    /// This seat may not write this kind of entry now.
    #[error("no {kind:?} entry is allowed in {state:?}")]
    WrongKind {
        /// What was written.
        kind: Kind,
        /// Where the game stood.
        state: State,
    },
    /// The play breaks the rules.
    #[error("illegal play: {0}")]
    IllegalPlay(IllegalPlay),
    /// An entry must carry a chain value here and carries none.
    #[error("the entry lacks its reveal")]
    RevealMissing,
    /// An entry carries a chain value where none belongs.
    #[error("the entry carries a reveal that nobody asked for")]
    RevealUnasked,
    /// The chain value does not hash to the one before it.
    #[error("a wrong reveal: {0}")]
    WrongReveal(RevealError),
    /// The resignation offers less than the position implies, or no more than was declined.
    #[error("this resignation is not to be offered now")]
    WrongResignation,
    /// The author's reserve of time is not used up.
    #[error("the reserve of time is not used up")]
    TimeNotUp,
}

/// A wish of a seat, before it is an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Roll, for the opening or for a turn.
    Roll,
    /// Answer the other's roll with the reveal that is owed.
    Reveal,
    /// Play the roll.
    Play(Play),
    /// Offer the cube.
    Double,
    /// Take the cube.
    Take,
    /// Redouble at once and keep the cube.
    Beaver,
    /// Drop the cube.
    Drop,
    /// Offer the game or the match as lost.
    Resign(Resignation),
    /// Accept a resignation.
    Accept,
    /// Decline a resignation.
    Decline,
    /// Own that the reserve of time is used up.
    TimeOut,
    /// Agree to the next game.
    Ready,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Time {
    used_ms: u64,
    turn_ms: u64,
}

/// The fold of a log: everything that both screens show. It is never stored or sent.
#[derive(Clone, Debug)]
pub struct Table {
    ruleset: Ruleset,
    game_id: Value,
    revealed: ByColor<Revealed>,
    next_roll: u32,
    pending: ByColor<Option<Value>>,
    state: State,
    answer_back_to: Option<State>,
    declined: Option<Resignation>,
    position: Position,
    on_roll: Color,
    dice: Option<Dice>,
    cube: Cube,
    score: Score,
    games: u32,
    time: ByColor<Time>,
    result: Option<GameResult>,
    last_roll: Option<Roll>,
    last_turn: Option<Turn>,
}

impl Table {
    /// The table before the first entry.
    #[must_use]
    pub fn new(header: &Header) -> Table {
        Table {
            ruleset: *header.ruleset(),
            game_id: *header.game_id(),
            revealed: ByColor::from_fn(|color| {
                Revealed::new(header.key(color), color, *header.anchor(color))
            }),
            next_roll: 1,
            pending: ByColor::default(),
            state: State::Opening,
            answer_back_to: None,
            declined: None,
            position: Position::START,
            on_roll: Color::White,
            dice: None,
            cube: Cube::default(),
            score: Score::default(),
            games: 1,
            time: ByColor::default(),
            result: None,
            last_roll: None,
            last_turn: None,
        }
    }

    /// The rules agreed on.
    #[must_use]
    pub const fn ruleset(&self) -> &Ruleset {
        &self.ruleset
    }

    /// Where the game stands.
    #[must_use]
    pub const fn state(&self) -> State {
        self.state
    }

    /// The position from the view of [`Table::on_roll`]. After a win it is the winner's view.
    #[must_use]
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The side whose turn it is; white before the opening, the winner after a game borne off.
    #[must_use]
    pub const fn on_roll(&self) -> Color {
        self.on_roll
    }

    /// The dice on the table: those being played, or none.
    #[must_use]
    pub const fn dice(&self) -> Option<Dice> {
        self.dice
    }

    /// The cube.
    #[must_use]
    pub const fn cube(&self) -> Cube {
        self.cube
    }

    /// The score before the game that is being played, after it once it is over.
    #[must_use]
    pub const fn score(&self) -> &Score {
        &self.score
    }

    /// The number of the game at this table, from 1.
    #[must_use]
    pub const fn game(&self) -> u32 {
        self.games
    }

    /// The index of the next roll, from 1.
    #[must_use]
    pub const fn next_roll(&self) -> u32 {
        self.next_roll
    }

    /// The result of the game that is over, or `None` while one is played.
    #[must_use]
    pub const fn result(&self) -> Option<&GameResult> {
        self.result.as_ref()
    }

    /// Who has won the match, once it is won.
    #[must_use]
    pub fn match_winner(&self) -> Option<Color> {
        self.score.match_winner(&self.ruleset)
    }

    /// The latest roll of the game that is being played.
    #[must_use]
    pub const fn last_roll(&self) -> Option<&Roll> {
        self.last_roll.as_ref()
    }

    /// The latest play of the game that is being played.
    #[must_use]
    pub const fn last_turn(&self) -> Option<&Turn> {
        self.last_turn.as_ref()
    }

    /// Whether this side may double when it has the word before its roll.
    #[must_use]
    pub fn may_double(&self, color: Color) -> bool {
        self.cube.may_double(color, &self.score, &self.ruleset)
    }

    /// The resignation on offer, and who offers it.
    #[must_use]
    pub fn resignation(&self) -> Option<(Color, Resignation)> {
        match (self.state, self.declined) {
            (State::Answer(to), Some(value)) => Some((to.opposite(), value)),
            _ => None,
        }
    }

    /// What is left of a side's reserve before its next entry, in milliseconds; `None` without one.
    #[must_use]
    pub fn reserve_left_ms(&self, color: Color) -> Option<u64> {
        let Clock::Reserve { delay, reserve } = self.ruleset.clock else { return None };
        let time = self.time[color];
        let over = time.turn_ms.saturating_sub(u64::from(delay) * 1000);
        Some((u64::from(reserve) * 1000).saturating_sub(time.used_ms.saturating_add(over)))
    }

    /// What the side whose turn it is has spent of this turn, in milliseconds.
    #[must_use]
    pub fn turn_spent_ms(&self, color: Color) -> u64 {
        self.time[color].turn_ms
    }

    /// Whose word is next: a function of the log.
    #[must_use]
    pub fn awaiting(&self) -> Awaiting {
        let time = |kinds: Kinds| {
            kinds.with_if(Kind::TimeOut, || matches!(self.ruleset.clock, Clock::Reserve { .. }))
        };
        let resign =
            |kinds: Kinds| kinds.with_if(Kind::Resign, || self.resignations().next().is_some());
        let (color, kinds) = match self.state {
            State::Opening => (Color::White, Kinds::of(&[Kind::Roll])),
            State::OpenReveal => (Color::Black, Kinds::of(&[Kind::Reveal])),
            State::ToPlay(color) => (color, time(resign(Kinds::of(&[Kind::Play])))),
            State::Free(color) => (color, time(resign(Kinds::of(&[Kind::Roll, Kind::Double])))),
            State::Owe(color) => (color, Kinds::of(&[Kind::Reveal])),
            State::Bound(color) => (color, Kinds::of(&[Kind::Roll])),
            State::TakeOrDrop(color) => {
                let kinds = Kinds::of(&[Kind::Take, Kind::Drop]);
                (color, time(kinds.with_if(Kind::Beaver, || self.may_beaver())))
            }
            State::Beavered(color) => (color, time(Kinds::of(&[Kind::Roll, Kind::Drop]))),
            State::Answer(color) => (color, Kinds::of(&[Kind::Accept, Kind::Decline])),
            State::Over => (Color::Black, Kinds::of(&[Kind::Ready])),
            State::Closed => return Awaiting::Nobody,
        };
        Awaiting::Seat(color, kinds)
    }

    /// The resignations that the side with the word may offer now, from the least to the most.
    pub fn resignations(&self) -> impl Iterator<Item = Resignation> + use<> {
        let least = match self.state {
            State::ToPlay(color) | State::Free(color) => Some(self.implied_loss(color)),
            _ => None,
        };
        let declined = self.declined;
        let is_match = self.ruleset.match_length().is_some();
        Resignation::ALL.into_iter().filter(move |&value| {
            least.is_some_and(|least| value as u32 >= least.value())
                && declined.is_none_or(|declined| value > declined)
                && (is_match || value != Resignation::Match)
        })
    }

    /// What `loser` would lose at least, with the board as it stands.
    fn implied_loss(&self, loser: Color) -> Win {
        let view = if loser == self.on_roll { self.position } else { self.position.flipped() };
        least_resignation(&view, self.cube, &self.score, &self.ruleset, loser)
    }

    fn may_beaver(&self) -> bool {
        self.ruleset.beavers && 4 * self.cube.value() <= self.ruleset.cube_max()
    }

    /// Turns a wish of `color` into what its entry says. `reveal` answers this seat's chain value of
    /// a roll.
    ///
    /// # Errors
    /// The same faults that [`Table::apply`] would find.
    pub fn decide(
        &self,
        color: Color,
        command: Command,
        reveal: impl Fn(u32) -> Option<Value>,
    ) -> Result<Body, Fault> {
        let x = || reveal(self.next_roll).ok_or(Fault::RevealMissing);
        Ok(match command {
            Command::Roll => Body::Roll(x()?),
            Command::Reveal => Body::Reveal(x()?),
            Command::Take => Body::Take(x()?),
            Command::Play(play) => {
                let (State::ToPlay(_), Some(dice)) = (self.state, self.dice) else {
                    return Err(self.wrong_kind(color, Kind::Play));
                };
                let after = check_play(&self.position, dice, &play).map_err(Fault::IllegalPlay)?;
                let asked = self.play_reveals(color, &after);
                Body::Play(play, if asked { Some(x()?) } else { None })
            }
            Command::Double => Body::Double,
            Command::Beaver => Body::Beaver,
            Command::Drop => Body::Drop,
            Command::Resign(value) => Body::Resign(value),
            Command::Accept => Body::Accept,
            Command::Decline => Body::Decline,
            Command::TimeOut => Body::TimeOut,
            Command::Ready => Body::Ready,
        })
    }

    /// The cube rule: a play carries its author's reveal when the game goes on, the chains have
    /// another value, and the other side has no choice but to roll.
    fn play_reveals(&self, mover: Color, after: &Position) -> bool {
        after.win().is_none()
            && self.next_roll <= CHAIN_LENGTH
            && !self.may_double(mover.opposite())
    }

    fn wrong_kind(&self, color: Color, kind: Kind) -> Fault {
        match self.awaiting() {
            Awaiting::Nobody => Fault::Closed,
            Awaiting::Seat(seat, _) if seat != color => Fault::WrongSeat(color),
            Awaiting::Seat(..) => Fault::WrongKind { kind, state: self.state },
        }
    }

    /// Takes one entry into the table. The caller has checked its signature and its link to the
    /// entry before.
    ///
    /// # Errors
    /// Says which rule the entry breaks; the table is then as it was.
    pub fn apply(&mut self, entry: &Entry) -> Result<(), Fault> {
        let mut next = self.clone();
        next.step(entry)?;
        *self = next;
        Ok(())
    }

    fn step(&mut self, entry: &Entry) -> Result<(), Fault> {
        let kind = entry.body.kind();
        if !self.awaiting().allows(entry.seat, kind) {
            return Err(self.wrong_kind(entry.seat, kind));
        }
        self.spend(entry);
        match (self.state, entry.body) {
            (State::Opening, Body::Roll(x)) => {
                self.reveal(Color::White, x)?;
                self.state = State::OpenReveal;
            }
            (State::OpenReveal, Body::Reveal(x)) => {
                self.reveal(Color::Black, x)?;
                self.open(entry.seq)?;
            }
            (State::ToPlay(color), Body::Play(play, x)) => self.play(color, play, x, entry.seq)?,
            (State::Free(color), Body::Roll(x)) => {
                self.reveal(color, x)?;
                self.state = State::Owe(color.opposite());
            }
            (State::Free(color), Body::Double) => {
                self.state = State::TakeOrDrop(color.opposite());
            }
            (State::Owe(color), Body::Reveal(x)) => {
                self.reveal(color, x)?;
                self.roll(color.opposite(), entry.seq)?;
            }
            (State::Bound(color), Body::Roll(x)) => {
                self.reveal(color, x)?;
                self.roll(color, entry.seq)?;
            }
            (State::TakeOrDrop(color), Body::Take(x)) => {
                self.reveal(color, x)?;
                self.cube = self.cube.doubled_to(color);
                self.state = State::Bound(color.opposite());
            }
            (State::TakeOrDrop(color), Body::Beaver) => {
                self.state = State::Beavered(color.opposite());
            }
            (State::TakeOrDrop(color), Body::Drop) => self.dropped(color),
            (State::Beavered(color), Body::Roll(x)) => {
                self.reveal(color, x)?;
                let keeper = color.opposite();
                self.cube = self.cube.doubled_to(keeper).doubled_to(keeper);
                self.state = State::Owe(keeper);
            }
            (State::Beavered(color), Body::Drop) => self.beaver_dropped(color),
            (State::ToPlay(color) | State::Free(color), Body::Resign(value)) => {
                if !self.resignations().any(|it| it == value) {
                    return Err(Fault::WrongResignation);
                }
                self.answer_back_to = Some(self.state);
                self.declined = Some(value);
                self.state = State::Answer(color.opposite());
            }
            (State::Answer(color), Body::Accept) => self.resigned(color),
            (State::Answer(_), Body::Decline) => {
                if let Some(state) = self.answer_back_to.take() {
                    self.state = state;
                }
            }
            (_, Body::TimeOut) => self.timed_out(entry.seat)?,
            (State::Over, Body::Ready) => self.next_game(),
            _ => return Err(Fault::WrongKind { kind, state: self.state }),
        }
        Ok(())
    }

    fn reveal(&mut self, color: Color, x: Value) -> Result<(), Fault> {
        self.revealed[color].accept(self.next_roll, x).map_err(Fault::WrongReveal)?;
        self.pending[color] = Some(x);
        Ok(())
    }

    /// Both reveals of the next roll, which are used up by it.
    fn take_reveals(&mut self) -> Result<ByColor<Value>, Fault> {
        let mut take = |color: Color| self.pending[color].take().ok_or(Fault::RevealMissing);
        Ok(ByColor { white: take(Color::White)?, black: take(Color::Black)? })
    }

    fn open(&mut self, seq: u32) -> Result<(), Fault> {
        let reveals = self.take_reveals()?;
        let index = self.next_roll;
        let seed = fair_dice::seed(&self.game_id, index, &reveals.white, &reveals.black);
        let opening = fair_dice::opening(&seed);
        let dice = opening.dice;
        let color = if dice.first > dice.second { Color::White } else { Color::Black };
        let opening_ties = Some(opening.ties);
        self.rolled(Roll { index, seq, color, dice, opening_ties, reveals, seed });
        Ok(())
    }

    fn roll(&mut self, color: Color, seq: u32) -> Result<(), Fault> {
        let reveals = self.take_reveals()?;
        let index = self.next_roll;
        let seed = fair_dice::seed(&self.game_id, index, &reveals.white, &reveals.black);
        let dice = fair_dice::dice(&seed);
        self.rolled(Roll { index, seq, color, dice, opening_ties: None, reveals, seed });
        Ok(())
    }

    fn rolled(&mut self, roll: Roll) {
        self.next_roll = roll.index + 1;
        self.on_roll = roll.color;
        self.dice = Some(roll.dice);
        self.last_roll = Some(roll);
        self.state = State::ToPlay(roll.color);
    }

    fn play(&mut self, color: Color, play: Play, x: Option<Value>, seq: u32) -> Result<(), Fault> {
        let Some(dice) = self.dice else {
            return Err(Fault::WrongKind { kind: Kind::Play, state: self.state });
        };
        let after = check_play(&self.position, dice, &play).map_err(Fault::IllegalPlay)?;
        match (self.play_reveals(color, &after), x) {
            (true, Some(x)) => self.reveal(color, x)?,
            (true, None) => return Err(Fault::RevealMissing),
            (false, Some(_)) => return Err(Fault::RevealUnasked),
            (false, None) => {}
        }
        self.last_turn = Some(Turn { seq, color, before: self.position, dice, play });
        self.dice = None;
        self.declined = None;
        self.end_turn_time(color);
        if let Some(win) = after.win() {
            self.position = after;
            let points = win.points(self.cube, &self.ruleset);
            self.over(color, points, Ending::BorneOff(win));
            return Ok(());
        }
        let next = color.opposite();
        self.position = after.flipped();
        self.on_roll = next;
        self.state = if self.next_roll > CHAIN_LENGTH {
            State::Closed
        } else if self.may_double(next) {
            State::Free(next)
        } else {
            State::Bound(next)
        };
        Ok(())
    }

    fn dropped(&mut self, loser: Color) {
        self.over(loser.opposite(), self.cube.value(), Ending::Dropped);
    }

    fn beaver_dropped(&mut self, loser: Color) {
        self.over(loser.opposite(), 2 * self.cube.value(), Ending::Dropped);
    }

    fn resigned(&mut self, winner: Color) {
        // In Answer the latest resignation is the one on offer.
        let value = self.declined.unwrap_or(Resignation::Single);
        let points = match Win::from_value(value as u8) {
            Some(win) => win.points(self.cube, &self.ruleset),
            None => self.points_of_the_match(winner),
        };
        self.over(winner, points, Ending::Resigned(value));
    }

    fn timed_out(&mut self, loser: Color) -> Result<(), Fault> {
        if self.reserve_left_ms(loser) != Some(0) {
            return Err(Fault::TimeNotUp);
        }
        let winner = loser.opposite();
        let points = match (self.ruleset.match_length(), self.state) {
            (Some(_), _) => self.points_of_the_match(winner),
            (None, State::TakeOrDrop(_)) => self.cube.value(),
            (None, State::Beavered(_)) => 2 * self.cube.value(),
            (None, _) => self.implied_loss(loser).points(self.cube, &self.ruleset),
        };
        self.over(winner, points, Ending::TimedOut);
        Ok(())
    }

    /// What the winner still needs: giving up the match gives exactly that.
    fn points_of_the_match(&self, winner: Color) -> u32 {
        self.score.needed(winner, &self.ruleset).unwrap_or(0)
    }

    fn over(&mut self, winner: Color, points: u32, ending: Ending) {
        self.score = self.score.after_game(winner, points, &self.ruleset);
        self.result = Some(GameResult { winner, points, ending });
        self.dice = None;
        self.declined = None;
        self.answer_back_to = None;
        for color in Color::ALL {
            self.end_turn_time(color);
        }
        self.state =
            if self.next_roll <= LAST_ROLL_TO_START_A_GAME { State::Over } else { State::Closed };
    }

    fn next_game(&mut self) {
        if self.match_winner().is_some() {
            self.score = Score::default();
            self.time = ByColor::default();
        }
        self.games += 1;
        self.position = Position::START;
        self.on_roll = Color::White;
        self.cube = Cube::default();
        self.result = None;
        self.last_roll = None;
        self.last_turn = None;
        self.state = State::Opening;
    }

    fn spend(&mut self, entry: &Entry) {
        let runs = matches!(
            self.state,
            State::ToPlay(_)
                | State::Free(_)
                | State::Bound(_)
                | State::TakeOrDrop(_)
                | State::Beavered(_)
        );
        if !runs {
            return;
        }
        let time = &mut self.time[entry.seat];
        time.turn_ms = time.turn_ms.saturating_add(u64::from(entry.spent_ms));
        // An answer to the cube has a delay of its own.
        if matches!(self.state, State::TakeOrDrop(_)) && entry.body != Body::TimeOut {
            self.end_turn_time(entry.seat);
        }
    }

    fn end_turn_time(&mut self, color: Color) {
        let delay = match self.ruleset.clock {
            Clock::Reserve { delay, .. } => u64::from(delay) * 1000,
            Clock::None | Clock::Finish { .. } => 0,
        };
        let time = &mut self.time[color];
        time.used_ms = time.used_ms.saturating_add(time.turn_ms.saturating_sub(delay));
        time.turn_ms = 0;
    }
}
