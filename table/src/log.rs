use crate::{Command, Entry, Fault, Header, Record, Roll, Seat, Table, Turn};
use fair_dice::Value;
use thiserror::Error;

/// A game from its handshake to its latest entry. It is only ever extended, and only by entries
/// that hold: signature, link, seat, rules and dice are checked before one is taken.
#[derive(Clone, Debug)]
pub struct Log {
    header: Header,
    records: Vec<Record>,
    ids: Vec<Value>,
    table: Table,
    rolls: Vec<Roll>,
    turns: Vec<Turn>,
}

/// Why a record is refused. Nothing has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum RecordFault {
    /// Not the next number.
    #[error("entry {found} where {expected} is next")]
    Seq {
        /// The number that is next.
        expected: u32,
        /// The number found.
        found: u32,
    },
    /// It does not follow on the latest entry: the logs have forked.
    #[error("the entry does not follow on the one before it")]
    Prev,
    /// The signature is not its seat's.
    #[error("the signature is not its seat's")]
    Signature,
    /// It breaks the rules of the table.
    #[error(transparent)]
    Table(#[from] Fault),
}

impl Log {
    /// The empty log of a game.
    #[must_use]
    pub fn new(header: Header) -> Log {
        let table = Table::new(&header);
        Log { header, records: vec![], ids: vec![], table, rolls: vec![], turns: vec![] }
    }

    /// Reads a whole log, checking every entry.
    ///
    /// # Errors
    /// The number of the first record that does not hold, and why.
    pub fn read(header: Header, records: Vec<Record>) -> Result<Log, (u32, RecordFault)> {
        let mut log = Log::new(header);
        for record in records {
            let seq = log.len();
            log.append(record).map_err(|fault| (seq, fault))?;
        }
        Ok(log)
    }

    /// The handshake.
    #[must_use]
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// The fold of all entries.
    #[must_use]
    pub const fn table(&self) -> &Table {
        &self.table
    }

    /// How many entries there are.
    #[must_use]
    pub fn len(&self) -> u32 {
        // Bounded by the chains: far fewer entries than u32 can count.
        self.records.len() as u32
    }

    /// Whether nothing has been written yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// The id of the latest entry; the game's id while there is none.
    #[must_use]
    pub fn head(&self) -> Value {
        self.ids.last().copied().unwrap_or(*self.header.game_id())
    }

    /// The head when the log had `len` entries, if it ever had.
    #[must_use]
    pub fn head_at(&self, len: u32) -> Option<Value> {
        match (len as usize).checked_sub(1) {
            None => Some(*self.header.game_id()),
            Some(last) => self.ids.get(last).copied(),
        }
    }

    /// The records from number `from` on; none when there are not so many.
    #[must_use]
    pub fn records_from(&self, from: u32) -> &[Record] {
        self.records.get(from as usize..).unwrap_or(&[])
    }

    /// All rolls with their proofs, in order.
    #[must_use]
    pub fn rolls(&self) -> &[Roll] {
        &self.rolls
    }

    /// All plays of all games, in order.
    #[must_use]
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// Takes one record.
    ///
    /// # Errors
    /// Says what does not hold; the log is then as it was.
    pub fn append(&mut self, record: Record) -> Result<(), RecordFault> {
        let entry = &record.entry;
        let game_id = self.header.game_id();
        let id = entry.id(game_id);
        // In the protocol's order, so that every verifier names the same first fault.
        if !crate::is_signed_by(self.header.key(entry.seat), &id, &record.signature) {
            return Err(RecordFault::Signature);
        }
        if entry.prev != self.head() {
            return Err(RecordFault::Prev);
        }
        if entry.seq != self.len() {
            return Err(RecordFault::Seq { expected: self.len(), found: entry.seq });
        }
        self.table.apply(entry)?;
        if let Some(roll) = self.table.last_roll().filter(|roll| roll.seq == entry.seq) {
            self.rolls.push(*roll);
        }
        if let Some(turn) = self.table.last_turn().filter(|turn| turn.seq == entry.seq) {
            self.turns.push(*turn);
        }
        self.ids.push(id);
        self.records.push(record);
        Ok(())
    }

    /// Writes the entry for a wish of `seat`, without taking it: it is stored first.
    ///
    /// # Errors
    /// Says why this seat may not do that now.
    pub fn compose(&self, seat: &Seat, command: Command, spent_ms: u32) -> Result<Record, Fault> {
        let body = self.table.decide(seat.color(), command, |i| seat.chain().reveal(i))?;
        let entry =
            Entry { seat: seat.color(), seq: self.len(), prev: self.head(), spent_ms, body };
        self.table.clone().apply(&entry)?;
        Ok(entry.sign(self.header.game_id(), seat.secret()))
    }
}
