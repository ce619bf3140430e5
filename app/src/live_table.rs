//! The open table: the one place where a log, its store and the link come together.
//!
//! **Invariant:** [`LiveTable`] grows a log in one function only, `Core::append`, which persists
//! before anything is sent or shown.
//!
//! **Invariant:** work is level-triggered. After every entry, every sync and every reload the page
//! looks at whose word is next (`Core::settle`); nobody queues anything.

use std::cell::RefCell;
use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

use gloo_timers::callback::Timeout;
use leptos::prelude::*;
use peer::{
    ChannelId, CloseReason, Departure, Input, Kept, Link, Output, PageLife, Peer, Visibility, Wish,
};
use rules::{ByColor, Color, Move, Ruleset};
use table::{Body, Command, Draft, Log, Name, Record, Report, Roll, Secret, Table, Transcript};

pub use crate::game::{GameFault, Line, Notice, Spot, Touch};

use crate::browser;
use crate::config::Config;
use crate::game::{Answer, Game};
use crate::link::{
    Happening, LinkReason, LinkState, LinkView, News, RoomTrouble, Seen, Wire, WireEvent,
};
use crate::prefs::Prefs;
use crate::route::{GameId, Invitation, Route};
use crate::seats::{Owed, Phase, Viewer};
use crate::store::{Card, Held, Opened, Store};

/// A second tap on the dice so soon after its meaning has changed was meant for the old one.
const SAME_TAP_MS: u64 = 350;
/// How long the dice of a turn without a legal move stay before it passes by itself.
const PASS_AFTER_MS: u32 = 2_000;
/// How long before a roll that the page makes by itself.
const ROLL_AFTER_MS: u32 = 700;
/// How often the view of a connection that is not there is taken anew: its reasons depend on time.
const LOOK_AGAIN_MS: u32 = 1_000;

/// The invitation that the host sends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invited {
    /// The whole link.
    pub link: String,
    /// What it invites to.
    pub ruleset: Ruleset,
}

/// What the guest reads before he accepts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offered {
    /// What he is invited to.
    pub ruleset: Ruleset,
    /// By whom; empty without a name.
    pub host: String,
}

/// The open table: signals to read, touches to send. One for the whole page, in the context.
#[derive(Clone, Copy, Debug)]
pub struct LiveTable {
    /// Which game is open.
    pub game: ReadSignal<Option<GameId>>,
    /// The fold of the log; `None` while no game is open or the guest has not come.
    pub table: ReadSignal<Option<Arc<Table>>>,
    /// The trial moves of the side that plays here; `Some` exactly while it is to play.
    pub draft: ReadSignal<Option<Draft>>,
    /// Two ways of one combined move that end differently: the player chooses one.
    pub choices: ReadSignal<Vec<Vec<Move>>>,
    /// Who sits here.
    pub viewer: ReadSignal<Viewer>,
    /// The names, empty where none was given.
    pub names: ReadSignal<ByColor<String>>,
    /// The length of the log: `data-seq`.
    pub len: ReadSignal<u32>,
    /// The moves of the game that is played.
    pub moves: ReadSignal<Arc<Vec<Line>>>,
    /// All rolls of the table with their proofs.
    pub rolls: ReadSignal<Arc<Vec<Roll>>>,
    /// The latest event with its number, for the status line.
    pub notice: ReadSignal<Option<(u32, Notice)>>,
    /// How the connection is.
    pub link: ReadSignal<LinkView>,
    /// Whether this page may write entries now; before the first sync with the friend it may not.
    pub may_sign: ReadSignal<bool>,
    /// The friend would like the next game.
    pub friend_wishes: ReadSignal<bool>,
    /// This side wishes the next game and waits for the friend.
    pub waits_for_next: ReadSignal<bool>,
    /// The link to send, once it is safe to show.
    pub invited: ReadSignal<Option<Invited>>,
    /// What the guest is invited to, once the host's page has said it.
    pub offered: ReadSignal<Option<Offered>>,
    /// Whether the game is really kept on this device; if not it cannot be resumed.
    pub lasting: ReadSignal<bool>,
    /// Why the game cannot be opened or goes no further.
    pub fault: ReadSignal<Option<GameFault>>,
    core: StoredValue<Rc<RefCell<Core>>, LocalStorage>,
}

/// The writing ends of the signals.
struct Shown {
    game: WriteSignal<Option<GameId>>,
    table: WriteSignal<Option<Arc<Table>>>,
    draft: WriteSignal<Option<Draft>>,
    choices: WriteSignal<Vec<Vec<Move>>>,
    viewer: WriteSignal<Viewer>,
    names: WriteSignal<ByColor<String>>,
    len: WriteSignal<u32>,
    moves: WriteSignal<Arc<Vec<Line>>>,
    rolls: WriteSignal<Arc<Vec<Roll>>>,
    notice: WriteSignal<Option<(u32, Notice)>>,
    link: RwSignal<LinkView>,
    may_sign: RwSignal<bool>,
    friend_wishes: RwSignal<bool>,
    waits_for_next: RwSignal<bool>,
    invited: WriteSignal<Option<Invited>>,
    offered: WriteSignal<Option<Offered>>,
    lasting: RwSignal<bool>,
    fault: WriteSignal<Option<GameFault>>,
}

/// What begins once it is known which servers to use.
enum Beginning {
    Invite(Box<peer::Invite>),
    Join(Box<fair_dice::Value>),
    Reopen(Box<Kept>),
}

/// What the page knows of the way to the friend beside the peer crate's own view.
#[derive(Default)]
struct Way {
    was_live: bool,
    refusal: Option<peer::Refusal>,
    room: RoomTrouble,
    open: BTreeSet<ChannelId>,
    failed_attempts: u32,
    /// When a channel was last of use, or the page began to look.
    well_at_ms: u64,
    /// The guest has read the offer, but not accepted it yet.
    reads_offer: bool,
}

/// Both have to want the next game: black's page then writes that they are ready.
#[derive(Clone, Copy, Default)]
struct Wants {
    this_side: bool,
    the_friend: bool,
}

struct Core {
    store: Store,
    prefs: Prefs,
    /// `None` until the file was read.
    config: Option<Config>,
    shown: Shown,
    go: Rc<dyn Fn(Route)>,
    events: Rc<dyn Fn(WireEvent)>,

    id: Option<GameId>,
    held: Option<Held>,
    signal: u8,
    life: u64,
    beginning: Option<Beginning>,
    game: Option<Game>,
    peer: Option<Peer>,
    wire: Option<Wire>,
    way: Way,
    fault: Option<GameFault>,
    is_superseded: bool,
    /// Who wants the next game, as far as this page knows.
    wants_next: Wants,

    /// Since when it is the word of the seat whose word it is.
    word_since_ms: u64,
    phase: Option<Phase>,
    /// Since when the dice area means what it means.
    meaning_since_ms: u64,
    notices: u32,

    tick: Option<Timeout>,
    /// What this page does by itself at this length of the log.
    act: Option<(u32, Timeout)>,
    look: Option<Timeout>,
}

impl LiveTable {
    /// No game is open. `go` leads to another screen.
    pub fn new(store: Store, prefs: Prefs, go: Rc<dyn Fn(Route)>) -> LiveTable {
        let (game, set_game) = signal(None);
        let (table, set_table) = signal(None);
        let (draft, set_draft) = signal(None);
        let (choices, set_choices) = signal(Vec::new());
        let (viewer, set_viewer) = signal(Viewer::Both);
        let (names, set_names) = signal(ByColor::default());
        let (len, set_len) = signal(0);
        let (moves, set_moves) = signal(Arc::default());
        let (rolls, set_rolls) = signal(Arc::default());
        let (notice, set_notice) = signal(None);
        let link = RwSignal::new(LinkView::default());
        let may_sign = RwSignal::new(false);
        let friend_wishes = RwSignal::new(false);
        let waits_for_next = RwSignal::new(false);
        let (invited, set_invited) = signal(None);
        let (offered, set_offered) = signal(None);
        let lasting = RwSignal::new(true);
        let (fault, set_fault) = signal(None);
        let shown = Shown {
            game: set_game,
            table: set_table,
            draft: set_draft,
            choices: set_choices,
            viewer: set_viewer,
            names: set_names,
            len: set_len,
            moves: set_moves,
            rolls: set_rolls,
            notice: set_notice,
            link,
            may_sign,
            friend_wishes,
            waits_for_next,
            invited: set_invited,
            offered: set_offered,
            lasting,
            fault: set_fault,
        };
        let core = Rc::new(RefCell::new(Core {
            store,
            prefs,
            config: None,
            shown,
            go,
            events: Rc::new(|_| {}),
            id: None,
            held: None,
            signal: 0,
            life: 0,
            beginning: None,
            game: None,
            peer: None,
            wire: None,
            way: Way::default(),
            fault: None,
            is_superseded: false,
            wants_next: Wants::default(),
            word_since_ms: 0,
            phase: None,
            meaning_since_ms: 0,
            notices: 0,
            tick: None,
            act: None,
            look: None,
        }));
        let live = LiveTable {
            game,
            table,
            draft,
            choices,
            viewer,
            names,
            len,
            moves,
            rolls,
            notice,
            link: link.read_only(),
            may_sign: may_sign.read_only(),
            friend_wishes: friend_wishes.read_only(),
            waits_for_next: waits_for_next.read_only(),
            invited,
            offered,
            lasting: lasting.read_only(),
            fault,
            core: StoredValue::new_local(Rc::clone(&core)),
        };
        core.borrow_mut().events = Rc::new(move |event| live.happened(event));
        live
    }

    /// Lets `work` change the core, then does what is owed and arms the timers.
    fn with<T>(self, work: impl FnOnce(&mut Core) -> T) -> T {
        let core = self.core.get_value();
        let mut core = core.borrow_mut();
        let done = work(&mut core);
        core.settle();
        core.arm(self);
        done
    }

    /// Somebody touched the board.
    pub fn touch(self, touch: Touch) {
        self.with(|core| core.touch(touch));
    }

    /// Begins a game of two people on this device and opens it.
    pub fn start_local(self, ruleset: Ruleset) {
        self.with(|core| core.start_local(ruleset));
    }

    /// Makes an invitation and waits for a guest.
    pub fn invite(self, ruleset: Ruleset) {
        self.with(|core| core.invite(ruleset));
    }

    /// Opens an invitation that is not known here.
    pub fn join(self, invitation: Invitation) {
        self.with(|core| core.join(invitation));
    }

    /// Opens a saved game, unless it is open.
    pub fn open(self, id: GameId) {
        self.with(|core| {
            if core.id != Some(id) {
                core.open(id);
            }
        });
    }

    /// The game that is open, or being joined, read without being followed.
    pub fn current(self) -> Option<GameId> {
        self.core.get_value().borrow().id
    }

    /// Leaves the open game; the friend is told. Nothing of it is lost.
    pub fn close(self) {
        self.with(Core::close);
    }

    /// The guest accepts what he was offered.
    pub fn accept(self) {
        self.with(|core| {
            core.way.refusal = None;
            core.way.reads_offer = false;
            core.way.well_at_ms = browser::monotonic_ms();
            let name = Name::of(&core.prefs.name.get_untracked());
            core.drive(Input::Accept(name));
        });
    }

    /// Tries to connect at once.
    pub fn retry(self) {
        self.with(|core| {
            core.way.failed_attempts = 0;
            core.way.room = RoomTrouble::None;
            core.way.refusal = None;
            core.way.well_at_ms = browser::monotonic_ms();
            core.drive(Input::Awake);
        });
    }

    /// This page takes the seat back from a newer one.
    pub fn play_here(self) {
        self.with(|core| {
            if core.is_superseded
                && let Some(id) = core.id
            {
                core.open(id);
            } else {
                core.drive(Input::PlayHere);
            }
        });
    }

    /// Withdraws an invitation that nobody has accepted: its link leads nowhere from then on.
    pub fn cancel_invitation(self) {
        self.with(|core| {
            if core.game.is_none()
                && let Some(id) = core.id
            {
                core.close();
                core.store.delete(id);
                (core.go)(Route::Home);
            }
        });
    }

    /// The transcript that `zari verify` reads: public, without any secret.
    pub fn export(self) -> Option<String> {
        let core = self.core.get_value();
        let core = core.borrow();
        Some(Transcript::of(core.game.as_ref()?.log(), &[]).to_json())
    }

    /// Checks the open game again from its first entry, as anybody could with the transcript.
    pub fn report(self) -> Option<Report> {
        let core = self.core.get_value();
        let core = core.borrow();
        Some(table::verify(&Transcript::of(core.game.as_ref()?.log(), &[])))
    }

    /// The servers are known: what waited for them begins.
    pub fn configure(self, config: Config) {
        self.with(|core| {
            core.config = Some(config);
            core.begin();
        });
    }

    /// The page is online again, or seen again, or hidden.
    pub fn shown_or_hidden(self) {
        self.with(|core| {
            let visibility = browser::visibility();
            core.drive(Input::Visibility(visibility));
            if visibility == Visibility::Shown {
                core.drive(Input::Awake);
            }
        });
    }

    /// The page goes away. A reload tells the friend so; anything else is leaving.
    pub fn leaving(self, departure: Departure) {
        self.with(|core| core.drive(Input::Leaving(departure)));
    }

    /// Another tab has written to the storage.
    pub fn storage_changed(self) {
        self.with(|core| {
            if core.game.as_ref().is_some_and(Game::is_superseded) {
                core.superseded();
            }
        });
    }

    fn happened(self, event: WireEvent) {
        self.with(|core| core.happened(event));
    }
}

impl Core {
    // Opening and leaving.

    fn start_local(&mut self, ruleset: Ruleset) {
        self.close();
        let (Some(white), Some(black)) = (browser::random(), browser::random()) else {
            return self.no_randomness();
        };
        let secrets = ByColor { white: Secret::new(white), black: Secret::new(black) };
        match Game::begin_local(&self.store, ruleset, secrets, browser::wall_clock_ms()) {
            Ok(game) => {
                let id = game.id();
                self.take_game(game, Held::Local);
                (self.go)(Route::Table(id));
            }
            Err(fault) => self.fail(fault),
        }
    }

    fn invite(&mut self, ruleset: Ruleset) {
        self.close();
        let (Some(pad), Some(secret)) = (browser::random(), browser::random()) else {
            return self.no_randomness();
        };
        let secret = Secret::new(secret);
        let name = Name::of(&self.prefs.name.get_untracked());
        let offer =
            table::Offer { ruleset, host_key: secret.public_key(), host_name: name.clone() };
        let id = GameId::of_key(&offer.invitation_key(&pad));
        self.sit_down(id, Held::Host, 0);
        let invite = peer::Invite { pad, secret, ruleset, name };
        self.beginning = Some(Beginning::Invite(Box::new(invite)));
        self.begin();
        (self.go)(Route::Invite(id));
    }

    fn join(&mut self, invitation: Invitation) {
        self.close();
        let id = GameId::of_key(&invitation.key);
        self.sit_down(id, Held::Guest, invitation.signal);
        self.beginning = Some(Beginning::Join(Box::new(invitation.key)));
        self.begin();
    }

    fn open(&mut self, id: GameId) {
        self.close();
        let Some(opened) = self.store.opened(id) else {
            // The list says what is here.
            return (self.go)(Route::Games);
        };
        self.sit_down(id, opened.held, opened.signal);
        let game = match opened.held {
            Held::Local => Game::open_local(&self.store, id, self.life).map(Some),
            Held::Host | Held::Guest => self.reopen(id),
        };
        match game {
            Ok(Some(game)) => {
                self.take_game(game, opened.held);
                (self.go)(Route::Table(id));
            }
            Ok(None) if opened.has_lapsed(browser::wall_clock_ms()) => {
                self.close();
                self.store.delete(id);
                return (self.go)(Route::Games);
            }
            Ok(None) => (self.go)(Route::Invite(id)),
            Err(fault) => {
                self.beginning = None;
                self.fail(fault);
            }
        }
        self.begin();
    }

    /// A stored seat of a game over the link; the game, if it exists already.
    fn reopen(&mut self, id: GameId) -> Result<Option<Game>, GameFault> {
        let kept = self.store.seat(id).ok_or(GameFault::Damaged)?;
        let header = kept.header().map_err(|_| GameFault::Damaged)?;
        let seat = kept.seat();
        self.store.keep_life(id, self.life);
        self.beginning = Some(Beginning::Reopen(Box::new(kept)));
        match (header, seat) {
            (Some(header), Some(seat)) => {
                Game::open_linked(&self.store, id, self.life, header, seat).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// This page life at a game begins.
    fn sit_down(&mut self, id: GameId, held: Held, signal: u8) {
        self.id = Some(id);
        self.held = Some(held);
        self.signal = signal;
        self.life = browser::wall_clock_ms().max(self.store.life(id) + 1);
        self.way = Way { well_at_ms: browser::monotonic_ms(), ..Way::default() };
        self.shown.game.set(Some(id));
    }

    fn take_game(&mut self, game: Game, held: Held) {
        self.id = Some(game.id());
        self.held = Some(held);
        self.word_since_ms = browser::monotonic_ms();
        self.shown.game.set(Some(game.id()));
        self.shown.viewer.set(game.viewer());
        self.shown.names.set(game.names());
        self.game = Some(game);
        self.show_log();
    }

    /// Starts the link once the servers are known.
    fn begin(&mut self) {
        let (Some(config), true) = (&self.config, self.beginning.is_some()) else { return };
        let Some(entropy) = browser::random() else { return self.no_randomness() };
        let page = PageLife { life: self.life, entropy, visibility: browser::visibility() };
        let now_ms = browser::monotonic_ms();
        let peer = match self.beginning.take() {
            Some(Beginning::Invite(invite)) => Ok(Peer::invite(*invite, page, now_ms)),
            Some(Beginning::Join(key)) => Ok(Peer::join(*key, page, now_ms)),
            Some(Beginning::Reopen(kept)) => Peer::reopen(*kept, page, now_ms),
            None => return,
        };
        let Ok(peer) = peer else { return self.fail(GameFault::Damaged) };
        let events = Rc::clone(&self.events);
        self.wire = Some(Wire::new(config.clone(), browser::origin(), self.signal, events));
        self.peer = Some(peer);
        self.drive(Input::Tick);
    }

    fn close(&mut self) {
        self.drive(Input::Leaving(Departure::Leave));
        self.leave_link();
        self.game = None;
        self.id = None;
        self.held = None;
        self.fault = None;
        self.is_superseded = false;
        self.act = None;
        self.shown.game.set(None);
        self.shown.fault.set(None);
        self.shown.notice.set(None);
        self.wants_next = Wants::default();
        self.shown.invited.set(None);
        self.shown.offered.set(None);
        self.show_log();
    }

    fn leave_link(&mut self) {
        self.beginning = None;
        self.peer = None;
        // Closes what is open, after what was sent.
        self.wire = None;
        self.tick = None;
    }

    fn fail(&mut self, fault: GameFault) {
        self.shown.fault.set(Some(fault.clone()));
        self.fault = Some(fault);
    }

    fn no_randomness(&mut self) {
        self.leave_link();
        // Where faults are shown; there is no game of this name.
        (self.go)(Route::Table(GameId([0; 8])));
        // Shown as the reason why there is no link, in words of its own.
        self.fault = Some(GameFault::NoRandomness);
    }

    /// A newer tab plays: this one falls silent.
    fn superseded(&mut self) {
        // What is being carried out is carried out first, see `drive`.
        self.is_superseded = true;
        self.drive(Input::Tick);
    }

    // At the board.

    fn touch(&mut self, touch: Touch) {
        let now_ms = browser::monotonic_ms();
        if touch == Touch::Dice && now_ms.saturating_sub(self.meaning_since_ms) < SAME_TAP_MS {
            return;
        }
        let Some(game) = &mut self.game else { return };
        let answer = game.touch(touch);
        let choices = match answer {
            Answer::Choose(routes) => routes,
            Answer::Refused(why) => {
                self.shown.draft.set(game.draft().cloned());
                self.tell(Notice::Refused(why));
                Vec::new()
            }
            Answer::Tried => {
                self.shown.draft.set(game.draft().cloned());
                self.note_phase();
                Vec::new()
            }
            Answer::Write(color, command) => {
                self.write(color, command);
                Vec::new()
            }
            Answer::WishNext => {
                self.wants_next.this_side = true;
                self.drive(Input::Wish(Wish::NextGame));
                Vec::new()
            }
            Answer::Nothing => Vec::new(),
        };
        self.shown.choices.set(choices);
    }

    /// Whether this page may write entries: sync comes before speaking.
    fn may_sign(&self) -> bool {
        let linked = match self.held {
            Some(Held::Local) => true,
            _ => self.peer.as_ref().is_some_and(Peer::may_sign),
        };
        linked && self.game.is_some() && self.fault.is_none() && !self.is_superseded
    }

    /// A seat of this page writes an entry. Answers whether it did.
    fn write(&mut self, color: Color, command: Command) -> bool {
        if !self.may_sign() {
            return false;
        }
        let Some(game) = &self.game else { return false };
        let spent_ms = browser::monotonic_ms().saturating_sub(self.word_since_ms);
        let spent_ms = u32::try_from(spent_ms).unwrap_or(u32::MAX);
        let Ok(record) = game.compose(color, command, spent_ms) else { return false };
        if !self.append(record) {
            return false;
        }
        self.drive(Input::Appended);
        true
    }

    /// The one function that grows a log: stored and read back before it is sent or shown.
    fn append(&mut self, record: Record) -> bool {
        let Some(game) = &mut self.game else { return false };
        let is_ready = record.entry.body == Body::Ready;
        match game.append(record, browser::wall_clock_ms()) {
            Ok(notice) => {
                if is_ready {
                    self.wants_next = Wants::default();
                }
                self.word_since_ms = browser::monotonic_ms();
                self.show_log();
                if let Some(notice) = notice {
                    self.tell(notice);
                }
                true
            }
            Err(GameFault::NewerTab) => {
                self.superseded();
                false
            }
            Err(fault) => {
                self.fail(fault);
                false
            }
        }
    }

    /// Does what the seats of this page owe without being asked.
    fn settle(&mut self) {
        while let Some((color, owed @ Owed::Reveal)) = self.game.as_ref().and_then(Game::owed) {
            if !self.write(color, owed.command()) {
                break;
            }
        }
        let black = self.game.as_ref().filter(|game| game.is_over() && game.is_here(Color::Black));
        if black.is_some() && self.wants_next.this_side && self.wants_next.the_friend {
            self.write(Color::Black, Command::Ready);
        }
        let Wants { this_side, the_friend } = self.wants_next;
        if self.shown.waits_for_next.get_untracked() != this_side {
            self.shown.waits_for_next.set(this_side);
        }
        if self.shown.friend_wishes.get_untracked() != the_friend {
            self.shown.friend_wishes.set(the_friend);
        }
        self.look_at_link();
        let may_sign = self.may_sign();
        if self.shown.may_sign.get_untracked() != may_sign {
            self.shown.may_sign.set(may_sign);
        }
        if self.shown.lasting.get_untracked() != self.store.is_lasting() {
            self.shown.lasting.set(self.store.is_lasting());
        }
    }

    /// What is owed after it could be seen.
    fn act(&mut self, at_len: u32) {
        self.act = None;
        let Some(game) = &self.game else { return };
        if game.log().len() != at_len {
            return;
        }
        if let Some((color, owed)) = game.owed() {
            self.write(color, owed.command());
        }
    }

    fn show_log(&mut self) {
        match &self.game {
            Some(game) => {
                let log = game.log();
                self.shown.table.set(Some(Arc::new(log.table().clone())));
                self.shown.draft.set(game.draft().cloned());
                self.shown.len.set(log.len());
                self.shown.moves.set(game.lines());
                self.shown.rolls.set(Arc::new(log.rolls().to_vec()));
            }
            None => {
                self.shown.table.set(None);
                self.shown.draft.set(None);
                self.shown.len.set(0);
                self.shown.moves.set(Arc::default());
                self.shown.rolls.set(Arc::default());
            }
        }
        self.shown.choices.set(Vec::new());
        self.note_phase();
    }

    fn note_phase(&mut self) {
        let phase = self
            .game
            .as_ref()
            .map(|game| Phase::of(game.log().table(), game.draft(), game.viewer()));
        if phase != self.phase {
            self.phase = phase;
            self.meaning_since_ms = browser::monotonic_ms();
        }
    }

    fn tell(&mut self, notice: Notice) {
        self.notices += 1;
        self.shown.notice.set(Some((self.notices, notice)));
    }

    // The link.

    fn happened(&mut self, event: WireEvent) {
        match event {
            WireEvent::Room(room, happening) => {
                let input = match &happening {
                    Happening::Up => {
                        self.way.room = RoomTrouble::None;
                        Input::RoomUp(room)
                    }
                    Happening::Down(code) => {
                        self.way.room = match code {
                            Some(4008) => RoomTrouble::Full,
                            _ => RoomTrouble::Unreachable,
                        };
                        if let Some(wire) = &mut self.wire {
                            wire.leave(room);
                        }
                        Input::RoomDown(room)
                    }
                    Happening::Arrived(address) => Input::Arrived(room, *address),
                    Happening::Gone(address) => Input::Gone(room, *address),
                    Happening::Sealed(from, bytes) => Input::Sealed { room, from: *from, bytes },
                };
                self.drive(input);
            }
            WireEvent::Channel(id, news) => {
                let known = self.wire.as_ref().is_some_and(|wire| wire.has(id));
                if !known {
                    return;
                }
                match news {
                    News::Signal(signal) => self.drive(Input::Signal(id, signal)),
                    News::Opened => {
                        self.way.open.insert(id);
                        self.way.failed_attempts = 0;
                        self.drive(Input::Opened(id));
                    }
                    News::Frame(bytes) => self.drive(Input::Frame(id, &bytes)),
                    News::Closed => {
                        self.channel_ended(id, true);
                        self.drive(Input::Closed(id));
                    }
                }
            }
        }
    }

    fn channel_ended(&mut self, id: ChannelId, by_itself: bool) {
        if !self.way.open.remove(&id) && by_itself {
            self.way.failed_attempts += 1;
        }
        if let Some(wire) = &mut self.wire {
            wire.close(id);
        }
    }

    /// Tells the peer crate something and carries out what it answers.
    fn drive(&mut self, input: Input<'_>) {
        let Some(mut peer) = self.peer.take() else { return };
        let now_ms = browser::monotonic_ms();
        peer.handle(input, stored(self.game.as_ref()), now_ms);
        let mut next = VecDeque::new();
        loop {
            while let Some(output) = peer.poll() {
                self.carry_out(output, &peer, &mut next);
            }
            match next.pop_front() {
                Some(input) => peer.handle(input, stored(self.game.as_ref()), now_ms),
                None => break,
            }
        }
        if self.is_superseded {
            peer.handle(Input::Leaving(Departure::Superseded), stored(self.game.as_ref()), now_ms);
            while let Some(output) = peer.poll() {
                self.carry_out(output, &peer, &mut next);
            }
            return self.leave_link();
        }
        self.peer = Some(peer);
    }

    fn carry_out(&mut self, output: Output, peer: &Peer, next: &mut VecDeque<Input<'static>>) {
        match output {
            Output::Join(room, name) => self.on_wire(|wire| wire.join(room, &name)),
            Output::Leave(room) => self.on_wire(|wire| wire.leave(room)),
            Output::Tell { room, to, sealed } => {
                self.on_wire(|wire| wire.tell(room, to, &sealed));
            }
            Output::Connect(id, role) => self.on_wire(|wire| wire.connect(id, role)),
            Output::Signal(id, signal) => self.on_wire(|wire| wire.signal(id, signal)),
            Output::Send(id, frame) => self.on_wire(|wire| wire.send(id, frame)),
            Output::Close(id, reason) => {
                self.channel_ended(id, reason == CloseReason::TimedOut);
            }
            Output::Store(token, kept) => {
                self.keep_seat(&kept);
                next.push_back(Input::Stored(token));
            }
            Output::StoreLife(token, life) => {
                self.life = life;
                if let Some(id) = self.id {
                    self.store.keep_life(id, life);
                }
                if let Some(game) = &mut self.game {
                    game.live_on(life);
                }
                next.push_back(Input::Stored(token));
            }
            Output::Invited(key) => self.show_invitation(key),
            Output::Offered(offer) => {
                self.way.refusal = None;
                self.way.reads_offer = true;
                self.shown
                    .offered
                    .set(Some(Offered { ruleset: offer.ruleset, host: offer.host_name.shown() }));
            }
            Output::Seated(header) => self.seated(*header, peer),
            Output::Records(records) => {
                let mut grown = false;
                for record in records {
                    if !self.append(record) {
                        next.push_front(Input::Fault);
                        break;
                    }
                    grown = true;
                }
                if grown {
                    next.push_front(Input::Appended);
                }
            }
            Output::Replace { len, records } => {
                let Some(game) = &mut self.game else { return };
                match game.replace(len, records, browser::wall_clock_ms()) {
                    Ok(()) => {
                        self.show_log();
                        next.push_back(Input::Appended);
                    }
                    Err(fault) => {
                        self.fail(fault);
                        next.push_back(Input::Fault);
                    }
                }
            }
            Output::Synced => {
                self.way.refusal = None;
                self.word_since_ms = browser::monotonic_ms();
            }
            Output::Forked(fork) => {
                self.fail(GameFault::Fork { seq: fork.mine.entry.seq });
            }
            Output::Wish(Wish::NextGame) => {
                let over = self.game.as_ref().is_some_and(Game::is_over);
                if over && !self.wants_next.the_friend {
                    self.wants_next.the_friend = true;
                    self.tell(Notice::WishesNext);
                }
            }
            // The pages of this version neither resign nor claim.
            Output::Wish(_) | Output::Claim(_) => {}
            Output::Refused(refusal) => self.way.refusal = Some(refusal),
            // Read when the outputs are carried out.
            Output::Presence(_) | Output::Superseded | Output::Link(_) => {}
        }
    }

    fn on_wire(&mut self, work: impl FnOnce(&mut Wire)) {
        if let Some(wire) = &mut self.wire {
            work(wire);
        }
    }

    fn keep_seat(&mut self, kept: &Kept) {
        let Some(id) = self.id else { return };
        self.store.keep_seat(id, kept);
        if self.store.opened(id).is_none() {
            let held = match kept {
                Kept::Host(_) => Held::Host,
                Kept::Guest(_) => Held::Guest,
            };
            self.store.keep_life(id, self.life);
            let at_ms = browser::wall_clock_ms();
            let ruleset = match kept {
                Kept::Host(seat) => seat.offer.ruleset,
                Kept::Guest(seat) => seat.offer.ruleset,
            };
            let length = ruleset.match_length().unwrap_or(0);
            self.store.keep_card(id, &Card { length, at_ms, ..Card::default() });
            // Last: from now on the game is in the list.
            self.store.keep_opened(id, &Opened::new(held, self.signal, at_ms));
        }
    }

    fn show_invitation(&mut self, key: fair_dice::Value) {
        let Some(id) = self.id else { return };
        let Some(Kept::Host(seat)) = self.store.seat(id) else { return };
        let invitation = Invitation { signal: self.signal, key };
        self.shown.invited.set(Some(Invited {
            link: browser::link_of(&invitation),
            ruleset: seat.offer.ruleset,
        }));
    }

    fn seated(&mut self, header: table::Header, peer: &Peer) {
        if self.game.is_some() {
            return;
        }
        let (Some(id), Some(kept)) = (self.id, peer.kept()) else { return };
        let Some(seat) = kept.seat() else { return };
        let held = match kept {
            Kept::Host(_) => Held::Host,
            Kept::Guest(_) => Held::Guest,
        };
        match Game::open_linked(&self.store, id, self.life, header, seat) {
            Ok(mut game) => {
                game.keep_card(browser::wall_clock_ms());
                self.take_game(game, held);
                self.shown.invited.set(None);
                self.shown.offered.set(None);
                (self.go)(Route::Table(id));
            }
            Err(fault) => self.fail(fault),
        }
    }

    fn look_at_link(&mut self) {
        let now_ms = browser::monotonic_ms();
        let view = if self.is_superseded {
            let reason = Some(LinkReason::Superseded);
            LinkView { state: LinkState::Lost, reason, screen_off: false }
        } else if self.fault == Some(GameFault::NoRandomness) {
            let reason = Some(LinkReason::NoRandomness);
            LinkView { state: LinkState::Failed, reason, screen_off: false }
        } else if let Some(peer) = &self.peer {
            let link = peer.link();
            if link == Link::Live {
                self.way.was_live = true;
            }
            if matches!(link, Link::Live | Link::Meeting) && self.way.failed_attempts > 0 {
                self.way.failed_attempts = 0;
            }
            let is_seated = self.game.is_some();
            // Of the meetings only those are well where a person is awaited and no page.
            let is_well = match link {
                Link::Live => true,
                Link::Meeting => {
                    !is_seated && (self.held == Some(Held::Host) || self.way.reads_offer)
                }
                _ => false,
            };
            if is_well {
                self.way.well_at_ms = now_ms;
            }
            LinkView::of(&Seen {
                link,
                presence: peer.presence(),
                is_seated,
                is_host: self.held == Some(Held::Host),
                was_live: self.way.was_live,
                refusal: self.way.refusal,
                can_connect: Wire::can_connect(),
                room: self.way.room,
                failed_attempts: self.way.failed_attempts,
                waited_ms: now_ms.saturating_sub(self.way.well_at_ms),
            })
        } else {
            LinkView::default()
        };
        if self.shown.link.get_untracked() != view {
            self.shown.link.set(view);
        }
    }

    fn arm(&mut self, live: LiveTable) {
        let now_ms = browser::monotonic_ms();
        self.tick = self.peer.as_ref().and_then(Peer::wake_at).map(|at_ms| {
            let wait_ms = u32::try_from(at_ms.saturating_sub(now_ms)).unwrap_or(u32::MAX);
            // Timers of the browser count in i32.
            Timeout::new(wait_ms.clamp(1, i32::MAX as u32), move || {
                live.with(|core| core.drive(Input::Tick));
            })
        });

        let connected = self.shown.link.with_untracked(|view| view.state == LinkState::Connected);
        self.look = (self.peer.is_some() && !connected)
            .then(|| Timeout::new(LOOK_AGAIN_MS, move || live.with(|_| ())));

        let wait_ms = match self.game.as_ref().and_then(Game::owed) {
            _ if !self.may_sign() => None,
            Some((_, Owed::Pass)) if !self.prefs.ask_pass.get_untracked() => Some(PASS_AFTER_MS),
            Some((_, Owed::Roll)) if self.prefs.auto_roll.get_untracked() => Some(ROLL_AFTER_MS),
            _ => None,
        };
        let len = self.game.as_ref().map(|game| game.log().len());
        match (wait_ms, len) {
            (Some(wait_ms), Some(len)) => {
                // What waits already is not made to wait longer.
                if self.act.as_ref().is_none_or(|&(at_len, _)| at_len != len) {
                    let act = move || live.with(|core| core.act(len));
                    self.act = Some((len, Timeout::new(wait_ms, act)));
                }
            }
            _ => self.act = None,
        }
    }
}

/// The log as the peer crate wants to see it.
fn stored(game: Option<&Game>) -> &[Record] {
    game.map_or(&[], |game| Log::records_from(game.log(), 0))
}
