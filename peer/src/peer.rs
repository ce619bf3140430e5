use crate::channel::{Channel, Phase, Talk};
use crate::draw::Draw;
use crate::introducer::{Introducer, Met, back_off};
use crate::signal::Meeting;
use crate::{
    ChannelId, CloseReason, Departure, Fork, Frame, GuestSeat, HostSeat, Input, Kept, KeptError,
    Link, Output, Presence, Refusal, Role, Room, Signal, Token, Visibility, Wish,
};
use fair_dice::Value;
use rules::{Color, Ruleset};
use std::collections::VecDeque;
use table::{Claim, Header, Name, Offer, Record, Secret, Taken};

/// An attempt that did not lead to an open channel, and a handshake that does not go on, end by then.
pub(crate) const ATTEMPT_MS: u64 = 20_000;
/// A seated guest who is alone for so long looks into the other room.
const ALONE_MS: u64 = 10_000;
/// A visible peer is shaky, then away, then its connection is built anew.
const SHAKY_MS: u64 = 8_000;
const AWAY_MS: u64 = 15_000;
const REBUILD_MS: u64 = 20_000;
/// The same for a peer whose page is hidden and whose timers the browser slows down.
const HIDDEN_AWAY_MS: u64 = 75_000;
const HIDDEN_REBUILD_MS: u64 = 80_000;
/// A host's handshakes at once; the newest replaces the oldest.
const MOST_CHANNELS: usize = 4;
/// Greater than any wall clock: a life beyond it is a lie that would leave no room for the next one.
pub(crate) const LAST_LIFE: u64 = 1 << 53;

/// What is random, or given, in a page life.
#[derive(Clone, Debug)]
pub struct PageLife {
    /// max(wall clock at page load in ms, last stored life of this game + 1), already stored.
    pub life: u64,
    /// 32 bytes from the system's source of randomness. Everything this peer draws follows from them,
    /// so they must never serve a second [`Peer`].
    pub entropy: Value,
    /// Whether the page is seen.
    pub visibility: Visibility,
}

/// What a host decides before there is a link.
#[derive(Clone, Debug)]
pub struct Invite {
    /// 32 random bytes.
    pub pad: Value,
    /// The secret of this seat, 32 other random bytes.
    pub secret: Secret,
    /// The rules.
    pub ruleset: Ruleset,
    /// The host's name.
    pub name: Name,
}

/// One seat's end of the link to the other seat, from the invitation to the last game.
#[derive(Debug)]
pub struct Peer {
    pub(crate) now: u64,
    pub(crate) draw: Draw,
    pub(crate) life: u64,
    pub(crate) visibility: Visibility,
    pub(crate) seat: SeatState,
    pub(crate) silence: Silence,
    pub(crate) introducer: Introducer,
    pub(crate) channels: Vec<Channel>,
    pub(crate) outputs: VecDeque<Output>,
    writes: Vec<(Token, Write)>,
    next_token: u32,

    /// The seated guest looks into the invitation's room.
    pub(crate) visiting: bool,
    alone_since: Option<u64>,
    pub(crate) seek_step: u32,
    seek_at: Option<u64>,

    /// The highest proven life of the other seat.
    pub(crate) their_life: u64,
    pub(crate) their_visibility: Visibility,
    pub(crate) heard_at: Option<u64>,
    pub(crate) left: Option<Departure>,
    pub(crate) synced_once: bool,
    /// Records were handed to the page and are not in the stored log yet.
    pub(crate) applying: bool,
    /// A fork that the other side may still mend, and until when.
    pub(crate) fork: Option<(Box<Fork>, u64)>,
    /// The log is being replaced after a fork; the other has to hear of it.
    pub(crate) resync: bool,
    /// An unseated guest was told that the seat is taken.
    pub(crate) hearsay: bool,
    /// My wish, and the length of the log it is for.
    pub(crate) wish: Option<(Wish, u32)>,
    pub(crate) claims: Vec<Claim>,

    told_link: Option<Link>,
    told_presence: Presence,
}

/// How far this seat has got.
#[derive(Debug)]
pub(crate) enum SeatState {
    /// Host: the invitation is being stored.
    Inviting(HostSeat),
    /// Host: waits for whoever has the link.
    Unbound(HostSeat),
    /// Host: a SEAT is being stored.
    Binding(HostSeat, Box<Header>),
    /// Guest: has the link, maybe the offer, maybe his user's consent.
    Joining { key: Value, offer: Option<Box<Offer>>, consent: Option<Name> },
    /// Guest: START is being stored.
    Seating(Box<GuestSeat>, Box<Header>),
    /// Both: the game exists.
    Bound(Box<Kept>, Box<Header>),
}

/// Why this page does not act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Silence {
    /// It does.
    None,
    /// A newer page of this seat does; it has this life.
    Superseded(u64),
    /// Something that cannot be mended is in the other's log.
    Frozen,
    /// There will be no game.
    Refused,
    /// The page is going away.
    Leaving,
}

#[derive(Clone, Debug)]
enum Write {
    Invitation,
    Binding(ChannelId),
    Seating(ChannelId),
    Life(u64),
}

impl Peer {
    /// A new invitation. It is stored first ([`Output::Store`]); then [`Output::Invited`] lets the
    /// link be shown.
    #[must_use]
    pub fn invite(invite: Invite, page: PageLife, now_ms: u64) -> Peer {
        let Invite { pad, secret, ruleset, name } = invite;
        let offer = Offer { ruleset, host_key: secret.public_key(), host_name: name };
        let host = HostSeat { pad, secret, offer, seated: None };
        let mut peer = Peer::new(SeatState::Inviting(host.clone()), Color::White, page, now_ms);
        peer.store(Kept::Host(host), Write::Invitation);
        peer.report();
        peer
    }

    /// A guest who has opened a link that is not known here.
    #[must_use]
    pub fn join(key: Value, page: PageLife, now_ms: u64) -> Peer {
        let seat = SeatState::Joining { key, offer: None, consent: None };
        let mut peer = Peer::new(seat, Color::Black, page, now_ms);
        peer.arrange_rooms();
        peer.report();
        peer
    }

    /// A seat, or an invitation, that was stored in an earlier page life.
    ///
    /// # Errors
    /// When what was stored does not belong together.
    pub fn reopen(kept: Kept, page: PageLife, now_ms: u64) -> Result<Peer, KeptError> {
        let color = kept.color();
        let header = kept.header()?;
        let invited = kept.key();
        let seat = match (kept, header) {
            (kept, Some(header)) => SeatState::Bound(Box::new(kept), Box::new(header)),
            (Kept::Host(host), None) => SeatState::Unbound(host),
            (Kept::Guest(_), None) => return Err(KeptError::Layout),
        };
        let is_unbound = matches!(seat, SeatState::Unbound(_));
        let mut peer = Peer::new(seat, color, page, now_ms);
        if is_unbound {
            peer.outputs.push_back(Output::Invited(invited));
        }
        peer.arrange_rooms();
        peer.report();
        Ok(peer)
    }

    fn new(seat: SeatState, color: Color, page: PageLife, now_ms: u64) -> Peer {
        Peer {
            now: now_ms,
            draw: Draw::new(page.entropy),
            life: page.life.min(LAST_LIFE),
            visibility: page.visibility,
            seat,
            silence: Silence::None,
            introducer: Introducer::new(color, now_ms),
            channels: Vec::new(),
            outputs: VecDeque::new(),
            writes: Vec::new(),
            next_token: 0,
            visiting: false,
            alone_since: None,
            seek_step: 0,
            seek_at: None,
            their_life: 0,
            their_visibility: Visibility::Shown,
            heard_at: None,
            left: None,
            synced_once: false,
            applying: false,
            fork: None,
            resync: false,
            hearsay: false,
            wish: None,
            claims: Vec::new(),
            told_link: None,
            told_presence: Presence::Unmet,
        }
    }

    /// Takes one input. `stored` is the log as it is stored, empty before there is a game; `now_ms`
    /// is a monotonic clock.
    pub fn handle(&mut self, input: Input<'_>, stored: &[Record], now_ms: u64) {
        self.now = self.now.max(now_ms);
        let now = self.now;
        match input {
            Input::Tick => {}
            Input::Awake => {
                self.introducer.hurry(now);
                self.seek_step = 0;
                self.seek_at = self.seek_at.map(|_| now);
            }

            Input::RoomUp(room) => self.introducer.up(room, now),
            Input::RoomDown(room) => self.introducer.down(room, &mut self.draw, now),
            Input::Arrived(room, address) => {
                self.introducer.arrived(room, address, &mut self.draw, now, &mut self.outputs);
            }
            Input::Gone(room, address) => self.introducer.gone(room, address),
            Input::Sealed { room, from, bytes } => {
                let taken = self.taken().filter(|_| room == Room::Invitation);
                let live = self.is_content();
                let met = self.introducer.sealed(
                    room,
                    from,
                    bytes,
                    taken,
                    live,
                    &mut self.draw,
                    now,
                    &mut self.outputs,
                );
                match met {
                    Met::Nothing => {}
                    Met::Attempt(channel, room, role, offer) => {
                        self.attempt(channel, room, role, offer);
                    }
                    Met::Signal(channel, signal) => {
                        self.outputs.push_back(Output::Signal(channel, signal));
                    }
                    Met::Taken(taken) => self.told_taken(&taken),
                }
            }

            Input::Signal(channel, signal) => {
                self.introducer.tell(channel, signal, &mut self.draw, &mut self.outputs);
            }
            Input::Opened(channel) => self.opened(channel),
            Input::Closed(channel) => self.forget(channel),
            Input::Frame(channel, bytes) => self.frame(channel, bytes, stored),

            Input::Stored(token) => self.stored(token),
            Input::StoreFailed(token) => self.store_failed(token),
            Input::Appended => self.appended(stored),
            Input::Fault => self.fall_silent(Silence::Frozen),

            Input::Accept(name) => self.consent(name),
            Input::Wish(wish) => self.wish(wish, stored),
            Input::Claim(claim) => self.claim(claim),
            Input::Visibility(visibility) => self.show(visibility),
            Input::Leaving(departure) => self.leave(departure),
            Input::PlayHere => self.play_here(),
        }
        self.work(stored);
        self.report();
    }

    /// What to do next; `None` when nothing is left until the next input.
    pub fn poll(&mut self) -> Option<Output> {
        self.outputs.pop_front()
    }

    /// What is stored for this seat; `None` for a guest who is not seated.
    #[must_use]
    pub fn kept(&self) -> Option<Kept> {
        match &self.seat {
            SeatState::Inviting(_) | SeatState::Joining { .. } | SeatState::Seating(..) => None,
            SeatState::Unbound(host) | SeatState::Binding(host, _) => {
                Some(Kept::Host(HostSeat { seated: None, ..host.clone() }))
            }
            SeatState::Bound(kept, _) => Some(Kept::clone(kept)),
        }
    }

    /// The finished and stored handshake.
    #[must_use]
    pub fn header(&self) -> Option<&Header> {
        match &self.seat {
            SeatState::Bound(_, header) => Some(header),
            _ => None,
        }
    }

    /// Whether this page may sign entries: it was synced once in this page life, is neither superseded
    /// nor frozen, and knows of no fork.
    #[must_use]
    pub fn may_sign(&self) -> bool {
        self.synced_once && self.silence == Silence::None && self.fork.is_none()
    }

    /// How the other side is.
    #[must_use]
    pub fn presence(&self) -> Presence {
        if let Some(departure) = self.left {
            return Presence::Left(departure);
        }
        let Some(heard_at) = self.heard_at else { return Presence::Unmet };
        let silent = self.now.saturating_sub(heard_at);
        match self.their_visibility {
            Visibility::Shown if silent < SHAKY_MS => Presence::Here,
            Visibility::Shown if silent < AWAY_MS => Presence::Shaky,
            Visibility::Hidden if silent < HIDDEN_AWAY_MS => Presence::ScreenOff,
            _ => Presence::Away,
        }
    }

    /// Where the connection stands.
    #[must_use]
    pub fn link(&self) -> Link {
        match self.silence {
            Silence::Superseded(_) => return Link::Superseded,
            Silence::Frozen => return Link::Frozen,
            Silence::Refused => return Link::Refused,
            Silence::None | Silence::Leaving => {}
        }
        let is_synced = |it: &Channel| it.talk().is_some_and(|talk| talk.synced);
        if matches!(self.seat, SeatState::Inviting(_)) {
            Link::Storing
        } else if self.is_live() && self.channels.iter().any(is_synced) {
            Link::Live
        } else if self.channels.iter().any(|it| it.is_open() && !self.is_stale(it)) {
            Link::Meeting
        } else if self.channels.iter().any(|it| !it.is_open()) {
            Link::Connecting
        } else if self.introducer.is_any_up() {
            Link::Alone
        } else {
            Link::Signaling
        }
    }

    /// When [`Input::Tick`] is wanted.
    #[must_use]
    pub fn wake_at(&self) -> Option<u64> {
        if self.silence != Silence::None {
            return None;
        }
        let mut at = vec![self.introducer.wake_at(), self.seek_at];
        at.push(self.alone_since.map(|since| since + ALONE_MS));
        at.push(self.fork.as_ref().map(|&(_, until)| until));
        for channel in &self.channels {
            at.push(channel.deadline);
            at.push(channel.flush_at());
            at.push(channel.talk().filter(|it| it.proven).map(|it| it.ping_at));
        }
        if let (Some(heard_at), None) = (self.heard_at, self.left) {
            let steps = match self.their_visibility {
                Visibility::Shown => [SHAKY_MS, AWAY_MS, REBUILD_MS],
                Visibility::Hidden => [HIDDEN_AWAY_MS, HIDDEN_REBUILD_MS, HIDDEN_REBUILD_MS],
            };
            at.extend(steps.map(|step| Some(heard_at + step).filter(|&at| at > self.now)));
        }
        at.into_iter().flatten().min()
    }

    pub(crate) fn color(&self) -> Color {
        match &self.seat {
            SeatState::Inviting(_) | SeatState::Unbound(_) | SeatState::Binding(..) => Color::White,
            SeatState::Joining { .. } | SeatState::Seating(..) => Color::Black,
            SeatState::Bound(kept, _) => kept.color(),
        }
    }

    pub(crate) fn position(&self, id: ChannelId) -> Option<usize> {
        self.channels.iter().position(|it| it.id == id)
    }

    /// Whether the table's channel was heard lately enough not to be built anew.
    pub(crate) fn is_live(&self) -> bool {
        self.channels.iter().any(|it| it.is_proven() && !self.is_stale(it))
    }

    /// Whether there is a channel of the table that gives no cause for another one.
    fn is_content(&self) -> bool {
        let is_well = matches!(self.presence(), Presence::Here | Presence::ScreenOff);
        self.channels.iter().any(|it| match &it.phase {
            Phase::Binding { .. } | Phase::Seating => true,
            Phase::Table(talk) if talk.proven => is_well && !self.is_stale(it),
            Phase::Table(_) => true,
            _ => false,
        })
    }

    fn is_stale(&self, channel: &Channel) -> bool {
        let limit = match self.their_visibility {
            Visibility::Shown => REBUILD_MS,
            Visibility::Hidden => HIDDEN_REBUILD_MS,
        };
        channel.talk().is_some_and(|it| it.proven && self.now.saturating_sub(it.heard_at) >= limit)
    }

    // Rooms.

    /// Enters and leaves rooms so that this page stands where the other looks for it.
    pub(crate) fn arrange_rooms(&mut self) {
        let (key, meeting) = match &self.seat {
            _ if self.silence != Silence::None => (None, None),
            SeatState::Inviting(_) => (None, None),
            SeatState::Unbound(host) | SeatState::Binding(host, _) => {
                (Some(host.offer.invitation_key(&host.pad)), None)
            }
            SeatState::Joining { key, .. } => (Some(*key), None),
            SeatState::Seating(guest, _) => (Some(guest.key), None),
            SeatState::Bound(kept, _) => match kept.as_ref() {
                Kept::Host(host) => (
                    Some(host.offer.invitation_key(&host.pad)),
                    host.seated.as_ref().map(|it| it.meeting),
                ),
                Kept::Guest(guest) if self.visiting => (Some(guest.key), None),
                Kept::Guest(guest) => (None, Some(guest.secret.meeting())),
            },
        };
        for (room, secret) in [(Room::Invitation, key), (Room::Table, meeting)] {
            match secret {
                Some(secret) if !self.introducer.is_entered(room) => {
                    let (draw, out) = (&mut self.draw, &mut self.outputs);
                    self.introducer.enter(room, &Meeting::new(&secret), draw, self.now, out);
                }
                Some(_) => {}
                None => self.introducer.leave(room, &mut self.outputs),
            }
        }
    }

    /// The room where this page waits for its opponent.
    fn waiting_room(&self) -> Room {
        match &self.seat {
            SeatState::Bound(..) if !self.visiting => Room::Table,
            _ => Room::Invitation,
        }
    }

    /// What a bound host answers in the invitation's room.
    fn taken(&self) -> Option<Taken> {
        let SeatState::Bound(kept, header) = &self.seat else { return None };
        let Kept::Host(host) = kept.as_ref() else { return None };
        let guest_key = *header.key(Color::Black);
        Some(Taken::sign(&host.secret, &host.offer.to_bytes(), guest_key))
    }

    // Channels.

    fn attempt(&mut self, id: ChannelId, room: Room, role: Role, offer: Option<Signal>) {
        while self.channels.len() >= MOST_CHANNELS {
            let oldest = self.channels.iter().position(|it| !self.is_precious(it));
            match oldest {
                Some(oldest) => self.close(self.channels[oldest].id, CloseReason::Replaced),
                None => break,
            }
        }
        self.channels.push(Channel::new(id, room, self.now + ATTEMPT_MS, self.now));
        self.outputs.push_back(Output::Connect(id, role));
        self.outputs.extend(offer.map(|signal| Output::Signal(id, signal)));
    }

    /// A channel that no newcomer may push out.
    fn is_precious(&self, channel: &Channel) -> bool {
        match &channel.phase {
            Phase::Connecting | Phase::Offering { .. } | Phase::AwaitOffer | Phase::Offered => {
                false
            }
            Phase::Binding { .. } | Phase::Accepted { .. } | Phase::Seating => true,
            Phase::Table(talk) => talk.proven && !self.is_stale(channel),
        }
    }

    fn opened(&mut self, id: ChannelId) {
        let Some(index) = self.position(id).filter(|&it| !self.channels[it].is_open()) else {
            return;
        };
        self.introducer.opened(id, &mut self.draw);
        self.channels[index].deadline = None;
        match (self.channels[index].room, &self.seat) {
            (Room::Table, SeatState::Bound(..)) => self.begin_table(index),
            (Room::Invitation, SeatState::Unbound(host) | SeatState::Binding(host, _)) => {
                let offer = Frame::Offer { pad: host.pad, offer: host.offer.to_bytes() };
                self.channels[index].phase = Phase::Offering { accept: None };
                self.channels[index].send(&offer);
            }
            (Room::Invitation, _) if self.color() == Color::Black => {
                self.channels[index].phase = Phase::AwaitOffer;
                self.channels[index].deadline = Some(self.now + ATTEMPT_MS);
            }
            _ => self.close(id, CloseReason::Stranger),
        }
    }

    /// From here on the channel is the table's.
    pub(crate) fn begin_table(&mut self, index: usize) {
        let nonce = self.draw.array();
        let channel = &mut self.channels[index];
        channel.phase = Phase::Table(Talk { nonce, ..Talk::default() });
        channel.deadline = Some(self.now + ATTEMPT_MS);
        channel.send(&Frame::Hail { nonce, life: self.life });
    }

    fn frame(&mut self, id: ChannelId, bytes: &[u8], stored: &[Record]) {
        let now = self.now;
        let Some(index) = self.position(id).filter(|&it| self.channels[it].is_open()) else {
            return;
        };
        let channel = &mut self.channels[index];
        if !channel.receives(now) {
            return self.strike(id);
        }
        let Ok(frame) = Frame::from_bytes(bytes) else { return self.strike(id) };
        if let Some(talk) = channel.talk_mut().filter(|it| it.proven) {
            talk.heard_at = now;
            self.heard_at = Some(now);
            self.left = None;
        }
        let fits = match frame {
            Frame::Bye(departure) => {
                self.goodbye(index, departure);
                true
            }
            Frame::Offer { pad, offer } => self.offered(index, &pad, &offer),
            Frame::Accept(accept) => self.accepted(index, &accept),
            Frame::Start(start) => self.started(index, start),
            Frame::Seat(seated) => self.seated(index, *seated),
            Frame::Hail { nonce, life } => self.hailed(index, nonce, life),
            Frame::Prove(signature) => self.proved(index, &signature, stored),
            other => self.said(index, other, stored),
        };
        if !fits {
            self.strike(id);
        }
    }

    pub(crate) fn strike(&mut self, id: ChannelId) {
        let Some(index) = self.position(id) else { return };
        if self.channels[index].strike() {
            self.close(id, CloseReason::Misbehaved);
        }
    }

    fn goodbye(&mut self, index: usize, departure: Departure) {
        let channel = &self.channels[index];
        if channel.is_proven() {
            let others = self.channels.iter().any(|it| it.id != channel.id && it.is_proven());
            if !others {
                self.left = Some(departure);
            }
        }
        self.close(self.channels[index].id, CloseReason::Departed);
    }

    /// Closes a channel or gives up an attempt.
    pub(crate) fn close(&mut self, id: ChannelId, why: CloseReason) {
        let Some(index) = self.position(id) else { return };
        self.channels[index].drain(&mut self.outputs);
        self.outputs.push_back(Output::Close(id, why));
        self.forget(id);
    }

    fn forget(&mut self, id: ChannelId) {
        let Some(index) = self.position(id) else { return };
        self.introducer.ended(id, &mut self.draw);
        let gone = self.channels.remove(index);
        if matches!(gone.phase, Phase::Accepted { .. }) {
            // Another channel may have shown the offer meanwhile.
            self.accept_somewhere();
        }
    }

    /// Says goodbye, closes everything and leaves the rooms.
    pub(crate) fn fall_silent(&mut self, silence: Silence) {
        if self.silence == silence || matches!(self.silence, Silence::Leaving | Silence::Frozen) {
            return;
        }
        self.silence = silence;
        let departure = match silence {
            Silence::Superseded(_) => Departure::Superseded,
            _ => Departure::Leave,
        };
        self.part(departure);
    }

    fn part(&mut self, departure: Departure) {
        while let Some(channel) = self.channels.first_mut() {
            let id = channel.id;
            if channel.is_open() {
                channel.drain(&mut self.outputs);
                self.outputs.push_back(Output::Send(id, Frame::Bye(departure).to_bytes()));
            }
            self.outputs.push_back(Output::Close(id, CloseReason::Silent));
            self.introducer.ended(id, &mut self.draw);
            self.channels.remove(0);
        }
        self.arrange_rooms();
    }

    fn leave(&mut self, departure: Departure) {
        if self.silence == Silence::Leaving {
            return;
        }
        self.silence = Silence::Leaving;
        self.part(departure);
    }

    // Storage.

    fn token(&mut self, write: Write) -> Token {
        let token = Token(self.next_token);
        self.next_token += 1;
        self.writes.push((token, write));
        token
    }

    fn store(&mut self, kept: Kept, write: Write) {
        let token = self.token(write);
        self.outputs.push_back(Output::Store(token, Box::new(kept)));
    }

    pub(crate) fn store_binding(&mut self, host: HostSeat, channel: ChannelId) {
        self.store(Kept::Host(host), Write::Binding(channel));
    }

    pub(crate) fn store_seating(&mut self, guest: GuestSeat, channel: ChannelId) {
        self.store(Kept::Guest(guest), Write::Seating(channel));
    }

    fn written(&mut self, token: Token) -> Option<Write> {
        let index = self.writes.iter().position(|(it, _)| *it == token)?;
        Some(self.writes.remove(index).1)
    }

    fn stored(&mut self, token: Token) {
        match self.written(token) {
            None => {}
            Some(Write::Invitation) => self.invitation_stored(),
            Some(Write::Binding(channel)) => self.bound(channel),
            Some(Write::Seating(channel)) => self.seat_taken(channel),
            Some(Write::Life(life)) => {
                if let Silence::Superseded(_) = self.silence {
                    self.life = life;
                    self.silence = Silence::None;
                    self.synced_once = false;
                    self.applying = false;
                    self.seek_step = 0;
                    self.arrange_rooms();
                }
            }
        }
    }

    fn invitation_stored(&mut self) {
        if let SeatState::Inviting(host) = &self.seat {
            let host = host.clone();
            self.outputs.push_back(Output::Invited(host.offer.invitation_key(&host.pad)));
            self.seat = SeatState::Unbound(host);
            self.arrange_rooms();
        }
    }

    fn store_failed(&mut self, token: Token) {
        match self.written(token) {
            None => {}
            Some(Write::Invitation) => self.refuse(Refusal::Storage),
            Some(Write::Binding(channel)) => self.binding_failed(channel),
            // A guest who cannot remember his seat must not take it.
            Some(Write::Seating(_)) => self.refuse(Refusal::Storage),
            // The page stays as silent as it was.
            Some(Write::Life(_)) => self.outputs.push_back(Output::Refused(Refusal::Storage)),
        }
    }

    /// There will be no game: says so and ends.
    pub(crate) fn refuse(&mut self, refusal: Refusal) {
        self.outputs.push_back(Output::Refused(refusal));
        self.fall_silent(Silence::Refused);
    }

    // The user.

    fn play_here(&mut self) {
        if let Silence::Superseded(told) = self.silence {
            let life = told.max(self.life).saturating_add(1).min(LAST_LIFE);
            let token = self.token(Write::Life(life));
            self.outputs.push_back(Output::StoreLife(token, life));
        }
    }

    fn show(&mut self, visibility: Visibility) {
        self.visibility = visibility;
        let heartbeat = self.heartbeat();
        for channel in self.channels.iter_mut().filter(|it| it.is_proven()) {
            channel.send(&Frame::Hide(visibility));
            if let Some(talk) = channel.talk_mut() {
                talk.ping_at = talk.ping_at.min(self.now + heartbeat);
            }
        }
    }

    // Time.

    /// Everything whose time has come.
    fn work(&mut self, stored: &[Record]) {
        let now = self.now;
        if self.silence == Silence::None {
            self.introducer.rejoin(now, &mut self.outputs);
            self.expire();
            self.ping(stored);
            self.mend_or_freeze();
            self.seek();
            self.wander();
        }
        let clogged: Vec<_> =
            self.channels.iter().filter(|it| it.is_clogged()).map(|it| it.id).collect();
        for id in clogged {
            self.close(id, CloseReason::Misbehaved);
        }
        for channel in &mut self.channels {
            channel.flush(now, &mut self.outputs);
        }
    }

    fn expire(&mut self) {
        let late: Vec<_> = self
            .channels
            .iter()
            .filter(|it| it.deadline.is_some_and(|at| at <= self.now))
            .map(|it| (it.id, matches!(it.phase, Phase::Accepted { .. })))
            .collect();
        for (id, was_accepted) in late {
            // The secret goes with the channel.
            self.close(id, CloseReason::TimedOut);
            if was_accepted {
                self.outputs.push_back(Output::Refused(Refusal::NoStart));
            }
        }
    }

    /// Says hello again, ever less often, while nobody is met.
    fn seek(&mut self) {
        let room = self.waiting_room();
        let busy = self.channels.iter().any(|it| !self.is_stale(it));
        if busy || !self.introducer.is_up(room) || !self.introducer.has_company(room) {
            self.seek_at = None;
            return;
        }
        match self.seek_at {
            Some(at) if at <= self.now => {
                let (draw, out) = (&mut self.draw, &mut self.outputs);
                self.introducer.seek(room, draw, self.now, out);
                self.seek_step = self.seek_step.saturating_add(1);
            }
            Some(_) => return,
            None => {}
        }
        self.seek_at = Some(self.now + self.draw.jittered(back_off(self.seek_step)));
    }

    /// A seated guest who is alone looks into the other room and back: the host stands still in one.
    fn wander(&mut self) {
        let SeatState::Bound(kept, _) = &self.seat else { return };
        let room = self.waiting_room();
        let busy = self.channels.iter().any(|it| !self.is_stale(it));
        if kept.color() != Color::Black || busy || !self.introducer.is_up(room) {
            self.alone_since = None;
            return;
        }
        match self.alone_since {
            None => self.alone_since = Some(self.now),
            Some(since) if self.now.saturating_sub(since) >= ALONE_MS => {
                self.alone_since = None;
                self.visiting = !self.visiting;
                self.arrange_rooms();
            }
            Some(_) => {}
        }
    }

    /// Tells the page what has changed.
    fn report(&mut self) {
        let presence = self.presence();
        if presence != self.told_presence {
            self.told_presence = presence;
            self.outputs.push_back(Output::Presence(presence));
        }
        let link = self.link();
        if self.told_link != Some(link) {
            self.told_link = Some(link);
            self.outputs.push_back(Output::Link(link));
        }
    }
}
