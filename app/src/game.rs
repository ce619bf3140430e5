//! One game on this device: its log, its stored copy, the seats here and their trial moves.
//!
//! Pure but for the [`Store`] it is given: time and secrets come as arguments.

use std::sync::Arc;

use rules::{ByColor, Color, Dice, Move, Place, Play, Point, Ruleset, write_play};
use table::{
    Body, Command, Draft, Fault, GameResult, Header, Log, Name, Record, RecordFault, Refusal, Seat,
    Secret, State, Touched,
};
use thiserror::Error;

use crate::route::GameId;
use crate::seats::{Holder, Owed, Viewer, acting};
use crate::store::{Card, Held, LocalSeats, Opened, Store};

/// A place on the board in the absolute numbers of the page: white's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Spot {
    /// A point, 1 … 24.
    Point(u8),
    /// A side's half of the bar.
    Bar(Color),
    /// A side's tray.
    Off(Color),
}

impl Spot {
    /// The place as `mover` counts; `None` for what only the other side uses.
    pub fn seen_by(self, mover: Color) -> Option<Point> {
        match self {
            Spot::Point(number) => {
                let point = Point::new(number).filter(|it| (1..=24).contains(&it.number()))?;
                Some(if mover == Color::White { point } else { point.mirrored()? })
            }
            Spot::Bar(color) => (color == mover).then_some(Point::BAR),
            Spot::Off(color) => (color == mover).then_some(Point::OFF),
        }
    }
}

/// What somebody at the board does. What cannot be done now is answered by a [`Notice::Refused`] or
/// does nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Touch {
    /// A tap: picks up, lands, or plays the active die when the picked checker is tapped again.
    At(Spot),
    /// A right click or a long press: the other die.
    Other(Spot),
    /// A checker was dragged.
    Drag(Spot, Spot),
    /// One of the choices was taken.
    Choose(Vec<Move>),
    /// A whole play, typed.
    Play(Play),
    /// The dice area: rolls, swaps the dice, or confirms.
    Dice,
    /// Takes the last trial move back.
    Undo,
    /// Takes all trial moves back.
    Reset,
    /// Puts the picked checker back.
    PutBack,
    /// Makes the other die the active one.
    Swap,
    /// The turn is over.
    Confirm,
    /// There is no legal move.
    Pass,
    /// Rolls.
    Roll,
    /// The next game, or a new round after the match.
    NextGame,
}

/// One event for the status line, free of any language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// The opening roll: one die each, white's first.
    Opening {
        /// Both dice.
        dice: Dice,
        /// Who begins and plays both.
        first: Color,
        /// Thrown again this often.
        ties: u32,
    },
    /// A side rolled.
    Rolled {
        /// Who.
        color: Color,
        /// What.
        dice: Dice,
    },
    /// A side played.
    Played {
        /// Who.
        color: Color,
        /// In standard notation.
        text: String,
    },
    /// A side rolled and has no legal move.
    NoMove {
        /// Who.
        color: Color,
        /// With these dice.
        dice: Dice,
    },
    /// The game is over.
    Over(GameResult),
    /// A new game: white rolls for the opening.
    NewGame,
    /// The friend would like to play on.
    WishesNext,
    /// A try that is refused, and why.
    Refused(Refusal),
}

/// A line of the record of moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The number of its entry.
    pub seq: u32,
    /// Who.
    pub color: Color,
    /// With which roll.
    pub dice: Dice,
    /// In standard notation; empty for no move.
    pub text: String,
}

/// What a touch asks of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Nothing.
    Nothing,
    /// The trial moves have changed.
    Tried,
    /// Two ways lead there and end differently.
    Choose(Vec<Vec<Move>>),
    /// It cannot be done, and why.
    Refused(Refusal),
    /// This side writes an entry.
    Write(Color, Command),
    /// This side wants the next game; it begins when both do.
    WishNext,
}

/// Why a stored game cannot be opened, or an entry not be taken.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GameFault {
    /// What is kept of it cannot be read.
    #[error("the stored game is damaged")]
    Damaged,
    /// Another tab of this browser has opened the game after this one.
    #[error("a newer tab plays this game")]
    NewerTab,
    /// The other side's page sent what the rules or the dice forbid.
    #[error("entry {seq}: {fault}")]
    Entry {
        /// The number of the entry.
        seq: u32,
        /// What is wrong with it.
        fault: RecordFault,
    },
    /// The two logs part: one of the two pages was changed or restored from a backup.
    #[error("the two records of this game part at entry {seq}")]
    Fork {
        /// The number of the first entry that differs.
        seq: u32,
    },
    /// The browser's source of randomness fails.
    #[error("no randomness, no dice")]
    NoRandomness,
}

/// One game on this device.
#[derive(Debug)]
pub struct Game {
    id: GameId,
    store: Store,
    life: u64,
    holders: ByColor<Holder>,
    viewer: Viewer,
    log: Log,
    draft: Option<Draft>,
    lines: Arc<Vec<Line>>,
}

impl Game {
    /// Begins a game of two people on this device.
    ///
    /// # Errors
    /// When the two secrets are the same.
    pub fn begin_local(
        store: &Store,
        ruleset: Ruleset,
        secrets: ByColor<Secret>,
        life: u64,
    ) -> Result<Game, GameFault> {
        let ruleset = Ruleset { place: Place::OneBrowser, ..ruleset };
        let id = GameId::of_key(&secrets.white.public_key());
        let seats =
            LocalSeats { white: secrets.white, black: secrets.black, ruleset: ruleset.to_bytes() };
        store.keep_local_seats(id, &seats);
        store.keep_opened(id, &Opened::new(Held::Local, 0, life));
        let mut game = Game::open_local(store, id, life)?;
        game.keep_card(life);
        Ok(game)
    }

    /// Opens a game of two people on this device.
    ///
    /// # Errors
    /// [`GameFault::Damaged`].
    pub fn open_local(store: &Store, id: GameId, life: u64) -> Result<Game, GameFault> {
        let seats = store.local_seats(id).ok_or(GameFault::Damaged)?;
        let ruleset = Ruleset::from_bytes(&seats.ruleset).map_err(|_| GameFault::Damaged)?;
        let secrets = ByColor { white: seats.white, black: seats.black };
        let names = ByColor { white: Name::default(), black: Name::default() };
        let header =
            Header::on_one_device(ruleset, &secrets, names).map_err(|_| GameFault::Damaged)?;
        let (offer, accept) = (header.offer().to_bytes(), header.accept().to_bytes());
        let holders = ByColor {
            white: Holder::Here(Box::new(Seat::host(secrets.white, &offer, &accept))),
            black: Holder::Here(Box::new(Seat::guest(secrets.black, &offer))),
        };
        Game::open(store, id, life, header, holders, Viewer::Both)
    }

    /// Opens a game over the link, with the seat that is held here.
    ///
    /// # Errors
    /// [`GameFault::Damaged`].
    pub fn open_linked(
        store: &Store,
        id: GameId,
        life: u64,
        header: Header,
        seat: Seat,
    ) -> Result<Game, GameFault> {
        let (holders, viewer) = match seat.color() {
            Color::White => {
                let white = Holder::Here(Box::new(seat));
                (ByColor { white, black: Holder::Peer }, Viewer::White)
            }
            Color::Black => {
                let black = Holder::Here(Box::new(seat));
                (ByColor { white: Holder::Peer, black }, Viewer::Black)
            }
        };
        Game::open(store, id, life, header, holders, viewer)
    }

    fn open(
        store: &Store,
        id: GameId,
        life: u64,
        header: Header,
        holders: ByColor<Holder>,
        viewer: Viewer,
    ) -> Result<Game, GameFault> {
        let mut log = Log::new(header);
        for record in store.records(id) {
            // What was stored is not trusted: the sound beginning counts, and over the link the
            // friend has the rest.
            if log.append(record).is_err() {
                break;
            }
        }
        store.keep_life(id, life);
        let mut game = Game {
            id,
            store: store.clone(),
            life,
            holders,
            viewer,
            log,
            draft: None,
            lines: Arc::default(),
        };
        game.lines = Arc::new(game.all_lines());
        game.renew_draft();
        Ok(game)
    }

    /// Its name on this device.
    pub const fn id(&self) -> GameId {
        self.id
    }

    /// The log.
    pub const fn log(&self) -> &Log {
        &self.log
    }

    /// Who sits here.
    pub const fn viewer(&self) -> Viewer {
        self.viewer
    }

    /// Whether the game is over and another may follow.
    pub fn is_over(&self) -> bool {
        self.log.table().state() == State::Over
    }

    /// Whether this side's seat is held here.
    pub const fn is_here(&self, color: Color) -> bool {
        self.viewer.plays(color)
    }

    /// The trial moves, while a side that plays here is to play.
    pub const fn draft(&self) -> Option<&Draft> {
        self.draft.as_ref()
    }

    /// The moves of the game that is played.
    pub fn lines(&self) -> Arc<Vec<Line>> {
        Arc::clone(&self.lines)
    }

    /// The names, empty where none was given.
    pub fn names(&self) -> ByColor<String> {
        ByColor::from_fn(|color| self.log.header().name(color).shown())
    }

    /// What happens when somebody at the board does this. Only trial moves change.
    pub fn touch(&mut self, touch: Touch) -> Answer {
        let table = self.log.table();
        if (table.state(), &touch) == (State::Over, &Touch::NextGame) {
            // It is black's word, but both have to want it. On one device they sit together.
            return match self.viewer {
                Viewer::Both => Answer::Write(Color::Black, Command::Ready),
                Viewer::White | Viewer::Black => Answer::WishNext,
            };
        }
        let Some(color) = acting(table, self.viewer) else { return Answer::Nothing };
        match (table.state(), touch) {
            (State::ToPlay(_), touch) => self.touch_moves(color, touch),
            (
                State::Opening | State::Free(_) | State::Bound(_) | State::Beavered(_),
                Touch::Roll | Touch::Dice,
            ) => Answer::Write(color, Command::Roll),
            _ => Answer::Nothing,
        }
    }

    fn touch_moves(&mut self, color: Color, touch: Touch) -> Answer {
        let Some(draft) = &mut self.draft else { return Answer::Nothing };
        let at = |spot: Spot| spot.seen_by(color);
        let touched = match touch {
            Touch::At(spot) => match at(spot) {
                Some(point) => draft.touch(point),
                None => Touched::Refused(Refusal::NotYours),
            },
            Touch::Other(spot) => match at(spot) {
                Some(point) => draft.touch_other(point),
                None => Touched::Refused(Refusal::NotYours),
            },
            Touch::Drag(from, to) => match (at(from), at(to)) {
                (Some(from), Some(to)) => draft.drag(from, to),
                (None, _) => Touched::Refused(Refusal::NotYours),
                (Some(_), None) => Touched::Refused(Refusal::NoDie),
            },
            Touch::Choose(route) => draft.take(&route),
            Touch::Play(play) => {
                return if draft.set(&play) {
                    Answer::Tried
                } else {
                    Answer::Refused(Refusal::MustPlayMore)
                };
            }
            Touch::Undo => return tried(draft.undo()),
            Touch::Reset => {
                draft.reset();
                return Answer::Tried;
            }
            Touch::PutBack => {
                draft.put_back();
                return Answer::Tried;
            }
            Touch::Swap => return tried(draft.swap()),
            Touch::Dice if !draft.is_complete() => return tried(draft.swap()),
            Touch::Dice | Touch::Confirm | Touch::Pass => {
                return match draft.play() {
                    Some(play) => Answer::Write(color, Command::Play(play)),
                    None => Answer::Refused(Refusal::MustPlayMore),
                };
            }
            Touch::Roll | Touch::NextGame => return Answer::Nothing,
        };
        match touched {
            Touched::Picked(_) | Touched::PutBack | Touched::Moved(_) => Answer::Tried,
            Touched::Choose(routes) => Answer::Choose(routes),
            Touched::Refused(why) => Answer::Refused(why),
        }
    }

    /// What a seat held here owes by itself.
    pub fn owed(&self) -> Option<(Color, Owed)> {
        let table = self.log.table();
        let color = acting(table, self.viewer)?;
        Some((color, Owed::by(table, color)?))
    }

    /// Writes the entry for a command of a seat that is held here, without taking it.
    ///
    /// # Errors
    /// Says why this seat may not do that now.
    pub fn compose(&self, color: Color, command: Command, spent_ms: u32) -> Result<Record, Fault> {
        let seat = self.holders[color].here().ok_or(Fault::WrongSeat(color))?;
        self.log.compose(seat, command, spent_ms)
    }

    /// The one way in which a log grows: the record is checked, taken, stored and read back. Only
    /// then may it be sent or shown.
    ///
    /// # Errors
    /// [`GameFault::NewerTab`] when another tab has opened the game, else what does not hold. The log
    /// is then as it was, here and in the storage.
    pub fn append(&mut self, record: Record, now_ms: u64) -> Result<Option<Notice>, GameFault> {
        self.hold_the_game()?;
        let seq = self.log.len();
        let body = record.entry.body;
        self.log.append(record).map_err(|fault| GameFault::Entry { seq, fault })?;
        self.store.keep_records(self.id, self.log.records_from(0), seq as usize);
        match body {
            Body::Ready => self.lines = Arc::default(),
            Body::Play(..) => {
                if let Some(turn) = self.log.table().last_turn() {
                    Arc::make_mut(&mut self.lines).push(line(turn));
                }
            }
            _ => {}
        }
        self.renew_draft();
        self.keep_card(now_ms);
        Ok(self.notice(&body))
    }

    /// Replaces everything behind the first `len` entries: the log of a second device of this very
    /// seat. If the records do not pass, nothing changes.
    ///
    /// # Errors
    /// As [`Game::append`].
    pub fn replace(
        &mut self,
        len: u32,
        records: Vec<Record>,
        now_ms: u64,
    ) -> Result<(), GameFault> {
        self.hold_the_game()?;
        let mut log = Log::new(self.log.header().clone());
        let kept = self.log.records_from(0).iter().take(len as usize).cloned();
        for record in kept.chain(records) {
            let seq = log.len();
            log.append(record).map_err(|fault| GameFault::Entry { seq, fault })?;
        }
        self.log = log;
        let records = self.log.records_from(0);
        self.store.cut_records(self.id, records, len as usize);
        self.store.keep_records(self.id, records, len as usize);
        self.lines = Arc::new(self.all_lines());
        self.renew_draft();
        self.keep_card(now_ms);
        Ok(())
    }

    /// A tab that was opened later owns the game; a tab that was asleep meanwhile must not write.
    fn hold_the_game(&self) -> Result<(), GameFault> {
        if self.store.life(self.id) > self.life { Err(GameFault::NewerTab) } else { Ok(()) }
    }

    /// Whether a newer tab of this browser has opened the game.
    pub fn is_superseded(&self) -> bool {
        self.hold_the_game().is_err()
    }

    /// This page plays with this life from now on; it is stored already.
    pub const fn live_on(&mut self, life: u64) {
        self.life = life;
    }

    fn renew_draft(&mut self) {
        let table = self.log.table();
        self.draft = match (table.state(), table.dice()) {
            (State::ToPlay(color), Some(dice)) if self.viewer.plays(color) => {
                Some(Draft::new(*table.position(), dice))
            }
            _ => None,
        };
    }

    fn all_lines(&self) -> Vec<Line> {
        let began = self.log.records_from(0).iter().rev();
        let began = began
            .map(|record| &record.entry)
            .find(|entry| entry.body == Body::Ready)
            .map_or(0, |entry| entry.seq);
        self.log.turns().iter().filter(|turn| turn.seq >= began).map(line).collect()
    }

    fn notice(&self, body: &Body) -> Option<Notice> {
        let table = self.log.table();
        if let (Some(result), Body::Play(..) | Body::Drop | Body::Accept | Body::TimeOut) =
            (table.result(), body)
        {
            return Some(Notice::Over(*result));
        }
        let rolled = table.last_roll().filter(|roll| roll.seq + 1 == self.log.len());
        if let Some(roll) = rolled {
            let (color, dice) = (roll.color, roll.dice);
            return Some(match roll.opening_ties {
                Some(ties) => Notice::Opening { dice, first: color, ties },
                None if Draft::new(*table.position(), dice).is_pass() => {
                    Notice::NoMove { color, dice }
                }
                None => Notice::Rolled { color, dice },
            });
        }
        match (body, table.last_turn()) {
            (Body::Play(play, _), Some(turn)) if play.iter().next().is_some() => {
                let text = write_play(&turn.before, &turn.play);
                Some(Notice::Played { color: turn.color, text })
            }
            (Body::Ready, _) => Some(Notice::NewGame),
            _ => None,
        }
    }

    /// Keeps the game's line for the list of saved games.
    pub fn keep_card(&mut self, now_ms: u64) {
        let table = self.log.table();
        let names = self.names();
        let card = Card {
            white: names.white,
            black: names.black,
            score: [table.score().points.white, table.score().points.black],
            length: table.ruleset().match_length().unwrap_or(0),
            entries: self.log.len(),
            over: table.result().is_some(),
            seated: true,
            at_ms: now_ms,
        };
        self.store.keep_card(self.id, &card);
    }
}

const fn tried(done: bool) -> Answer {
    if done { Answer::Tried } else { Answer::Nothing }
}

fn line(turn: &table::Turn) -> Line {
    Line {
        seq: turn.seq,
        color: turn.color,
        dice: turn.dice,
        text: write_play(&turn.before, &turn.play),
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::rc::Rc;

    use rules::legal;

    use super::*;
    use crate::store::{MemoryShelf, Shelf, StoreError};

    fn secrets() -> ByColor<Secret> {
        ByColor { white: Secret::new([1; 32]), black: Secret::new([2; 32]) }
    }

    fn begin(store: &Store) -> Game {
        Game::begin_local(store, Ruleset::georgian(1, Place::OneBrowser), secrets(), 10)
            .expect("two different secrets")
    }

    /// One step of whoever has the word: what is owed, a roll, or the first legal play.
    fn step(game: &mut Game) -> bool {
        let (color, command) = match game.owed() {
            Some((color, owed)) => (color, owed.command()),
            None => match game.touch(Touch::Roll) {
                Answer::Write(color, command) => (color, command),
                _ => {
                    let Some(draft) = game.draft().cloned() else { return false };
                    let legal = legal(draft.start(), draft.dice());
                    let (_, play) = legal.iter().next().expect("at least the empty play");
                    assert_eq!(game.touch(Touch::Play(play)), Answer::Tried);
                    match game.touch(Touch::Dice) {
                        Answer::Write(color, command) => (color, command),
                        other => panic!("a complete turn is confirmed by the dice: {other:?}"),
                    }
                }
            },
        };
        let record = game.compose(color, command, 0).expect("the seat has the word");
        game.append(record, 20).expect("it is one's own entry");
        true
    }

    #[test]
    fn a_whole_game_is_played_and_comes_back_at_every_entry() {
        let store = Store::on(Rc::new(MemoryShelf::default()));
        let mut game = begin(&store);
        let mut entries = 0;
        while step(&mut game) {
            entries += 1;
            if entries % 16 < 2 || entries % 64 < 2 {
                let again = Game::open_local(&store, game.id(), 11).expect("it was stored");
                assert_eq!(again.log().head(), game.log().head());
                assert_eq!(again.log().table().position(), game.log().table().position());
                assert_eq!(again.log().table().dice(), game.log().table().dice());
                assert_eq!(again.lines(), game.lines());
                game.live_on(11);
            }
            assert!(entries < 2000, "a game ends");
        }
        let result = game.log().table().result().copied().expect("somebody has won");
        assert!(result.points >= 1 && entries > 20);
        let saved = store.games();
        assert!(saved.len() == 1 && saved[0].card.over && saved[0].id == game.id());

        assert!(matches!(game.touch(Touch::NextGame), Answer::Write(Color::Black, Command::Ready)));
        let ready = game.compose(Color::Black, Command::Ready, 0).expect("black has the word");
        assert_eq!(game.append(ready, 30), Ok(Some(Notice::NewGame)));
        assert!(game.lines().is_empty());
    }

    #[test]
    fn black_counts_from_the_other_end() {
        let at = |spot: Spot, color| spot.seen_by(color).map(Point::number);
        assert_eq!(at(Spot::Point(24), Color::White), Some(24));
        assert_eq!(at(Spot::Point(24), Color::Black), Some(1));
        assert_eq!(at(Spot::Point(25), Color::White), None);
        assert_eq!(at(Spot::Point(0), Color::Black), None);
        assert_eq!(at(Spot::Bar(Color::White), Color::Black), None);
        assert_eq!(at(Spot::Off(Color::Black), Color::Black), Some(0));
    }

    #[test]
    fn damaged_storage_gives_the_sound_beginning() {
        let shelf = Rc::new(MemoryShelf::default());
        let store = Store::on(shelf.clone());
        let mut game = begin(&store);
        for _ in 0..80 {
            step(&mut game);
        }
        let key = format!("zari/g/{}/log/1", game.id());
        let text = shelf.read(&key).expect("80 entries take two pieces");
        shelf.write(&key, &text[..text.len() - 8]).expect("memory takes it");
        let again = Game::open_local(&store, game.id(), 11).expect("the seats are whole");
        assert_eq!(again.log().len(), 79);
        shelf.remove(&format!("zari/g/{}/log/0", game.id()));
        let again = Game::open_local(&store, game.id(), 12).expect("the seats are whole");
        assert!(again.log().is_empty(), "the second piece alone is nothing");
        shelf.write(&format!("zari/g/{}/seat", game.id()), "AAAA").expect("memory takes it");
        assert!(matches!(Game::open_local(&store, game.id(), 13), Err(GameFault::Damaged)));
    }

    #[test]
    fn an_older_tab_cannot_write() {
        let store = Store::on(Rc::new(MemoryShelf::default()));
        let mut older = begin(&store);
        let newer = Game::open_local(&store, older.id(), 11).expect("it was stored");
        let roll = older.compose(Color::White, Command::Roll, 0).expect("white has the word");
        assert_eq!(older.append(roll, 20), Err(GameFault::NewerTab));
        assert!(older.log().is_empty() && store.records(older.id()).is_empty());
        assert!(older.is_superseded() && !newer.is_superseded());
    }

    /// A shelf that is full after so many writes.
    struct FullShelf {
        shelf: MemoryShelf,
        left: Cell<u32>,
    }

    impl Shelf for FullShelf {
        fn read(&self, key: &str) -> Option<String> {
            self.shelf.read(key)
        }

        fn write(&self, key: &str, text: &str) -> Result<(), StoreError> {
            let left = self.left.get().checked_sub(1).ok_or(StoreError)?;
            self.left.set(left);
            self.shelf.write(key, text)
        }

        fn remove(&self, key: &str) {
            self.shelf.remove(key);
        }

        fn keys(&self) -> Vec<String> {
            self.shelf.keys()
        }
    }

    #[test]
    fn play_goes_on_when_the_storage_refuses() {
        for writes in 0..12 {
            let left = Cell::new(writes);
            let store = Store::on(Rc::new(FullShelf { shelf: MemoryShelf::default(), left }));
            let mut game = begin(&store);
            for _ in 0..10 {
                assert!(step(&mut game));
            }
            assert!(!store.is_lasting(), "after {writes} writes the page says so");
            assert_eq!(store.records(game.id()).len(), 10);
        }
    }

    #[test]
    fn a_deleted_game_leaves_nothing() {
        let shelf = Rc::new(MemoryShelf::default());
        let store = Store::on(shelf.clone());
        let mut game = begin(&store);
        step(&mut game);
        store.keep_preferences("{}");
        store.delete(game.id());
        assert_eq!(shelf.keys(), ["zari/prefs"]);
        assert!(store.games().is_empty());
    }
}
