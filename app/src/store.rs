//! Everything that outlives the page goes through here, and nothing that comes back is trusted.
//!
//! Keys, all below `zari/`: `prefs`; for each game `g/<id>` (mode, server and when it began),
//! `g/<id>/seat` (the secrets), `g/<id>/life`, `g/<id>/card` (a line for the list), and
//! `g/<id>/log/<n>`, 64 records each. There is no list of games to fall out of step: the keys are it.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use gloo_storage::{LocalStorage, SessionStorage, Storage as _};
use peer::Kept;
use serde::{Deserialize, Serialize};
use table::{Record, Secret};
use thiserror::Error;

use crate::route::{GameId, Invitation};

/// Records in one stored piece of a log: an entry rewrites at most this many.
const PIECE: usize = 64;

/// The storage refused a write, or gave back something else than was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the storage does not keep what is written")]
pub struct StoreError;

/// A place for strings under names.
pub trait Shelf {
    /// What was written last under this name.
    fn read(&self, key: &str) -> Option<String>;
    /// Writes, and reads back.
    ///
    /// # Errors
    /// When the text did not arrive.
    fn write(&self, key: &str, text: &str) -> Result<(), StoreError>;
    /// Forgets.
    fn remove(&self, key: &str);
    /// All names in use.
    fn keys(&self) -> Vec<String>;
}

/// The browser's local storage; it may be absent, full or throw at any time.
#[derive(Clone, Copy, Debug, Default)]
pub struct BrowserShelf;

impl BrowserShelf {
    /// `gloo-storage` panics where the browser denies the storage, so that is asked first.
    fn is_there() -> bool {
        web_sys::window().is_some_and(|window| matches!(window.local_storage(), Ok(Some(_))))
    }
}

impl Shelf for BrowserShelf {
    fn read(&self, key: &str) -> Option<String> {
        if !BrowserShelf::is_there() {
            return None;
        }
        // Through the raw storage: a damaged value must not throw.
        let text = LocalStorage::raw().get_item(key).ok()??;
        serde_json::from_str(&text).ok()
    }

    fn write(&self, key: &str, text: &str) -> Result<(), StoreError> {
        if !BrowserShelf::is_there() {
            return Err(StoreError);
        }
        LocalStorage::set(key, text).map_err(|_| StoreError)?;
        if self.read(key).as_deref() == Some(text) { Ok(()) } else { Err(StoreError) }
    }

    fn remove(&self, key: &str) {
        if BrowserShelf::is_there() {
            drop(LocalStorage::raw().remove_item(key));
        }
    }

    fn keys(&self) -> Vec<String> {
        if !BrowserShelf::is_there() {
            return Vec::new();
        }
        let raw = LocalStorage::raw();
        let len = raw.length().unwrap_or(0);
        (0..len).filter_map(|index| raw.key(index).ok().flatten()).collect()
    }
}

/// Memory alone: the last resort of a page whose storage is refused, and the tests' shelf.
#[derive(Clone, Debug, Default)]
pub struct MemoryShelf {
    texts: RefCell<BTreeMap<String, String>>,
}

impl Shelf for MemoryShelf {
    fn read(&self, key: &str) -> Option<String> {
        self.texts.borrow().get(key).cloned()
    }

    fn write(&self, key: &str, text: &str) -> Result<(), StoreError> {
        self.texts.borrow_mut().insert(key.to_owned(), text.to_owned());
        Ok(())
    }

    fn remove(&self, key: &str) {
        self.texts.borrow_mut().remove(key);
    }

    fn keys(&self) -> Vec<String> {
        self.texts.borrow().keys().cloned().collect()
    }
}

/// How a game is held on this device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Held {
    /// Both seats are here.
    Local,
    /// The host's seat is here.
    Host,
    /// The guest's seat is here.
    Guest,
}

/// The first thing stored of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opened {
    /// The layout of everything stored under this game.
    version: u8,
    /// Who sits here.
    pub held: Held,
    /// Which of the configured signaling servers introduces the two.
    pub signal: u8,
    /// When it began, in ms since 1970.
    pub began_ms: u64,
}

impl Opened {
    /// A game that begins now.
    pub const fn new(held: Held, signal: u8, began_ms: u64) -> Opened {
        Opened { version: 1, held, signal, began_ms }
    }

    /// Whether an invitation of this age has lapsed, unless somebody has accepted it.
    pub const fn has_lapsed(&self, now_ms: u64) -> bool {
        now_ms.saturating_sub(self.began_ms) > INVITATION_MS
    }
}

/// How long an invitation that nobody has accepted is good for.
const INVITATION_MS: u64 = 7 * 24 * 3600 * 1000;

/// The two secrets of a game on one device, and its rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalSeats {
    /// White's.
    pub white: Secret,
    /// Black's.
    pub black: Secret,
    /// The twelve bytes of the rules.
    pub ruleset: [u8; rules::RULESET_BYTES],
}

/// A line of the list of saved games.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Card {
    /// White's name, empty if none.
    pub white: String,
    /// Black's name, empty if none.
    pub black: String,
    /// Points of white and black.
    pub score: [u32; 2],
    /// The match length; 0 = money.
    pub length: u8,
    /// The number of entries in the log.
    pub entries: u32,
    /// Whether the last game is over.
    pub over: bool,
    /// Whether a guest has come yet (always so on one device).
    pub seated: bool,
    /// When the latest entry was written, in ms since 1970.
    pub at_ms: u64,
}

/// A saved game as the list shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saved {
    /// Its name here.
    pub id: GameId,
    /// Who sits here.
    pub held: Held,
    /// What the list says of it.
    pub card: Card,
}

/// All that is kept on this device. Cheap to clone.
#[derive(Clone)]
pub struct Store {
    shelf: Rc<dyn Shelf>,
    /// What the shelf refused, so that play goes on in this page life.
    refused: Rc<MemoryShelf>,
    lasting: Rc<Cell<bool>>,
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Store").field("lasting", &self.lasting.get()).finish_non_exhaustive()
    }
}

impl Store {
    /// The browser's storage.
    pub fn browser() -> Store {
        Store::on(Rc::new(BrowserShelf))
    }

    /// A storage on any shelf.
    pub fn on(shelf: Rc<dyn Shelf>) -> Store {
        Store { shelf, refused: Rc::default(), lasting: Rc::new(Cell::new(true)) }
    }

    /// Whether everything written so far is really kept. Once not, the page says that the game cannot
    /// be resumed.
    pub fn is_lasting(&self) -> bool {
        self.lasting.get()
    }

    fn read(&self, key: &str) -> Option<String> {
        self.refused.read(key).or_else(|| self.shelf.read(key))
    }

    /// Writes and reads back; what the shelf refuses is held in memory for this page life.
    fn write(&self, key: &str, text: &str) {
        if self.shelf.write(key, text).is_ok() {
            self.refused.remove(key);
        } else {
            self.lasting.set(false);
            // Memory does not refuse.
            let _ = self.refused.write(key, text);
        }
    }

    fn remove(&self, key: &str) {
        self.refused.remove(key);
        self.shelf.remove(key);
    }

    fn keys(&self) -> Vec<String> {
        let mut keys = self.shelf.keys();
        keys.extend(self.refused.keys());
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    fn read_json<T: for<'de> Deserialize<'de>>(&self, key: &str) -> Option<T> {
        serde_json::from_str(&self.read(key)?).ok()
    }

    fn write_json<T: Serialize>(&self, key: &str, value: &T) {
        if let Ok(text) = serde_json::to_string(value) {
            self.write(key, &text);
        }
    }

    fn read_bytes(&self, key: &str) -> Option<Vec<u8>> {
        URL_SAFE_NO_PAD.decode(self.read(key)?).ok()
    }

    fn write_bytes(&self, key: &str, bytes: &[u8]) {
        self.write(key, &URL_SAFE_NO_PAD.encode(bytes));
    }

    /// The settings, as the settings wrote them.
    pub fn preferences(&self) -> Option<String> {
        self.read("zari/prefs")
    }

    /// Keeps the settings.
    pub fn keep_preferences(&self, json: &str) {
        self.write("zari/prefs", json);
    }

    /// How a game is held here, if it is.
    pub fn opened(&self, id: GameId) -> Option<Opened> {
        self.read_json::<Opened>(&key(id)).filter(|opened| opened.version == 1)
    }

    /// Keeps how a game is held; a game exists here from then on.
    pub fn keep_opened(&self, id: GameId, opened: &Opened) {
        self.write_json(&key(id), opened);
    }

    /// The seat of a game over the link.
    pub fn seat(&self, id: GameId) -> Option<Kept> {
        Kept::from_bytes(&self.read_bytes(&part(id, "seat"))?).ok()
    }

    /// Keeps the seat of a game over the link.
    pub fn keep_seat(&self, id: GameId, kept: &Kept) {
        self.write_bytes(&part(id, "seat"), &kept.to_bytes());
    }

    /// The two seats of a game on one device.
    pub fn local_seats(&self, id: GameId) -> Option<LocalSeats> {
        let bytes = self.read_bytes(&part(id, "seat"))?;
        let (white, rest) = bytes.split_first_chunk::<32>()?;
        let (black, rest) = rest.split_first_chunk::<32>()?;
        Some(LocalSeats {
            white: Secret::new(*white),
            black: Secret::new(*black),
            ruleset: rest.try_into().ok()?,
        })
    }

    /// Keeps the two seats of a game on one device.
    pub fn keep_local_seats(&self, id: GameId, seats: &LocalSeats) {
        let bytes =
            [seats.white.as_bytes().as_slice(), seats.black.as_bytes().as_slice(), &seats.ruleset]
                .concat();
        self.write_bytes(&part(id, "seat"), &bytes);
    }

    /// The last page life of a game.
    pub fn life(&self, id: GameId) -> u64 {
        self.read(&part(id, "life")).and_then(|text| text.parse().ok()).unwrap_or(0)
    }

    /// Keeps the last page life of a game.
    pub fn keep_life(&self, id: GameId, life: u64) {
        self.write(&part(id, "life"), &life.to_string());
    }

    /// The records of a game, up to the first that is damaged. Whether they hold is not said.
    pub fn records(&self, id: GameId) -> Vec<Record> {
        let mut records = Vec::new();
        for n in 0.. {
            let Some(bytes) = self.read_bytes(&piece(id, n)) else { break };
            let before = records.len();
            let mut rest = bytes.as_slice();
            while !rest.is_empty() {
                let Ok((record, behind)) = Record::read(rest) else { return records };
                records.push(record);
                rest = behind;
            }
            if records.len() != before + PIECE {
                break;
            }
        }
        records
    }

    /// Keeps the records from number `from` on; what was stored before them stays as it is.
    pub fn keep_records(&self, id: GameId, records: &[Record], from: usize) {
        for n in from / PIECE..records.len().div_ceil(PIECE) {
            let end = records.len().min((n + 1) * PIECE);
            let bytes: Vec<u8> =
                records[n * PIECE..end].iter().flat_map(Record::to_bytes).collect();
            self.write_bytes(&piece(id, n), &bytes);
        }
    }

    /// Forgets stored records behind the first `len`: only where a log of one's own second device is
    /// replaced.
    pub fn cut_records(&self, id: GameId, records: &[Record], len: usize) {
        for n in len / PIECE..=self.records(id).len() / PIECE {
            self.remove(&piece(id, n));
        }
        let len = len.min(records.len());
        self.keep_records(id, &records[..len], len / PIECE * PIECE);
    }

    /// A game's line for the list.
    pub fn card(&self, id: GameId) -> Card {
        self.read_json(&part(id, "card")).unwrap_or_default()
    }

    /// Keeps a game's line for the list.
    pub fn keep_card(&self, id: GameId, card: &Card) {
        self.write_json(&part(id, "card"), card);
    }

    /// All saved games, the latest first.
    pub fn games(&self) -> Vec<Saved> {
        let mut games: Vec<(u64, Saved)> = self
            .keys()
            .iter()
            .filter_map(|key| GameId::parse(key.strip_prefix("zari/g/")?))
            .filter_map(|id| {
                let opened = self.opened(id)?;
                let card = self.card(id);
                let at_ms = card.at_ms.max(opened.began_ms);
                Some((at_ms, Saved { id, held: opened.held, card }))
            })
            .collect();
        games.sort_by_key(|(at_ms, saved)| (std::cmp::Reverse(*at_ms), saved.id));
        games.into_iter().map(|(_, saved)| saved).collect()
    }

    /// Forgets a game with its secrets.
    pub fn delete(&self, id: GameId) {
        let (own, below) = (key(id), part(id, ""));
        for key in self.keys() {
            if key == own || key.starts_with(&below) {
                self.remove(&key);
            }
        }
    }

    /// An invitation that was opened in this tab and is not accepted yet: it survives a reload of
    /// the tab, nothing more.
    pub fn pending_invitation(id: GameId) -> Option<Invitation> {
        if !session_is_there() {
            return None;
        }
        let text = SessionStorage::raw().get_item(&pending(id)).ok()??;
        Invitation::decode(&serde_json::from_str::<String>(&text).ok()?).ok()
    }

    /// Keeps an opened invitation in this tab.
    pub fn keep_pending_invitation(id: GameId, invitation: &Invitation) {
        if session_is_there() {
            drop(SessionStorage::set(pending(id), invitation.encode()));
        }
    }
}

fn session_is_there() -> bool {
    web_sys::window().is_some_and(|window| matches!(window.session_storage(), Ok(Some(_))))
}

fn key(id: GameId) -> String {
    format!("zari/g/{id}")
}

fn part(id: GameId, name: &str) -> String {
    format!("zari/g/{id}/{name}")
}

fn piece(id: GameId, n: usize) -> String {
    format!("zari/g/{id}/log/{n}")
}

fn pending(id: GameId) -> String {
    format!("zari/j/{id}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invitation_lapses_after_seven_days() {
        let began_ms = 1_800_000_000_000;
        let opened = Opened::new(Held::Host, 0, began_ms);
        assert!(!opened.has_lapsed(began_ms + 7 * 86_400_000));
        assert!(opened.has_lapsed(began_ms + 7 * 86_400_000 + 1));
        assert!(!opened.has_lapsed(0), "a clock that was set back harms nobody");
    }

    #[test]
    fn what_others_write_under_these_keys_is_no_game() {
        let shelf = Rc::new(MemoryShelf::default());
        let store = Store::on(shelf.clone());
        let id = GameId([7; 8]);
        for text in ["", "{}", "null", r#"{"version":2,"held":"host","signal":0,"began_ms":1}"#] {
            shelf.write(&key(id), text).expect("memory takes it");
            shelf.write(&part(id, "seat"), text).expect("memory takes it");
            shelf.write(&piece(id, 0), text).expect("memory takes it");
            shelf.write(&part(id, "life"), text).expect("memory takes it");
            assert!(store.games().is_empty() && store.opened(id).is_none(), "{text}");
            assert!(store.seat(id).is_none() && store.local_seats(id).is_none());
            assert!(store.records(id).is_empty() && store.life(id) == 0);
        }
    }
}
