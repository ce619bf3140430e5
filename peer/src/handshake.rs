//! From an open channel of the invitation's room to two bound seats.
//!
//! The host stores nothing until SEAT: START is computed from his secret, OFFER and ACCEPT alone. The
//! guest's secret lives in memory from ACCEPT to START, for at most 20 s, and serves one START; then it is
//! stored before SEAT is sent. So whatever crashes when, either the game does not exist yet for the guest,
//! or he opens with the same SEAT wherever he meets the host again.

use crate::channel::Phase;
use crate::peer::{ATTEMPT_MS, Peer, SeatState, Silence};
use crate::{ChannelId, CloseReason, Frame, GuestSeat, HostSeat, Kept, Output, Refusal};
use fair_dice::Value;
use rules::RulesetError;
use table::{
    Accept, Header, HeaderError, Name, Offer, Seated, Secret, Start, Taken, VERSION, game_id,
    invitation_key,
};

/// The answers are whether the frame was in its place; if not, it is a strike.
impl Peer {
    // The guest.

    pub(crate) fn offered(&mut self, index: usize, pad: &Value, bytes: &[u8]) -> bool {
        let channel = &mut self.channels[index];
        if !matches!(channel.phase, Phase::AwaitOffer) {
            return false;
        }
        let key = match &self.seat {
            SeatState::Joining { key, .. } => *key,
            SeatState::Seating(guest, _) => guest.key,
            SeatState::Bound(kept, _) => kept.key(),
            _ => return false,
        };
        let id = channel.id;
        if invitation_key(bytes, pad) != key {
            // Somebody else with the link plays the host, or shows other rules.
            self.close(id, CloseReason::Stranger);
            return true;
        }
        let offer = match Offer::from_bytes(bytes) {
            Ok(offer) => offer,
            Err(
                HeaderError::OtherVersion(theirs)
                | HeaderError::Ruleset(RulesetError::UnknownVariant(theirs)),
            ) => {
                channel.send(&Frame::other_version());
                self.refuse(Refusal::OtherVersion { theirs });
                return true;
            }
            Err(_) => {
                self.close(id, CloseReason::Misbehaved);
                return true;
            }
        };
        channel.phase = Phase::Offered;
        channel.deadline = None;
        match &mut self.seat {
            SeatState::Joining { offer: known, .. } => {
                if known.is_none() {
                    *known = Some(Box::new(offer.clone()));
                    self.outputs.push_back(Output::Offered(Box::new(offer)));
                }
                self.accept_somewhere();
            }
            SeatState::Bound(..) => self.take_seat(index),
            _ => {}
        }
        true
    }

    pub(crate) fn consent(&mut self, name: Name) {
        if let SeatState::Joining { consent, .. } = &mut self.seat {
            *consent = Some(name);
            self.accept_somewhere();
        }
    }

    /// Sends ACCEPT on the newest channel that showed the offer, with a secret of its own, unless one is
    /// under way.
    pub(crate) fn accept_somewhere(&mut self) {
        let SeatState::Joining { offer: Some(offer), consent: Some(name), .. } = &self.seat else {
            return;
        };
        let is_accepted = |phase: &Phase| matches!(phase, Phase::Accepted { .. });
        if self.silence != Silence::None || self.channels.iter().any(|it| is_accepted(&it.phase)) {
            return;
        }
        let offered = self.channels.iter_mut().rev().find(|it| matches!(it.phase, Phase::Offered));
        let Some(channel) = offered else { return };
        let secret = Secret::new(self.draw.value());
        let accept = Accept::to_offer(&offer.to_bytes(), &secret, name.clone());
        channel.send(&Frame::Accept(accept.to_bytes()));
        channel.phase = Phase::Accepted { secret, accept: Box::new(accept) };
        channel.deadline = Some(self.now + ATTEMPT_MS);
    }

    pub(crate) fn started(&mut self, index: usize, start: Start) -> bool {
        let SeatState::Joining { key, offer: Some(offer), .. } = &self.seat else { return false };
        let channel = &mut self.channels[index];
        let id = channel.id;
        if !matches!(channel.phase, Phase::Accepted { .. }) {
            return false;
        }
        // One START for each ACCEPT: whatever it is, the secret leaves the channel here.
        let Phase::Accepted { secret, accept } =
            std::mem::replace(&mut channel.phase, Phase::Seating)
        else {
            return false;
        };
        channel.deadline = None;
        let offer = Offer::clone(offer);
        let id_of_game = game_id(&offer.to_bytes(), &accept.to_bytes(), &start.anchor);
        let signature = secret.sign(&id_of_game);
        let accept = *accept;
        match Header::new(offer.clone(), accept.clone(), start, signature) {
            Ok(header) => {
                let guest = GuestSeat { key: *key, secret, offer, accept, start };
                self.seat = SeatState::Seating(Box::new(guest.clone()), Box::new(header));
                self.store_seating(guest, id);
            }
            Err(_) => {
                self.close(id, CloseReason::Misbehaved);
                self.accept_somewhere();
            }
        }
        true
    }

    /// The guest's seat is stored: now the host may know.
    pub(crate) fn seat_taken(&mut self, channel: ChannelId) {
        let SeatState::Seating(guest, header) = &self.seat else { return };
        let (guest, header) = (GuestSeat::clone(guest), header.clone());
        self.outputs.push_back(Output::Seated(header.clone()));
        self.seat = SeatState::Bound(Box::new(Kept::Guest(guest)), header);
        let is_offered = |phase: &Phase| matches!(phase, Phase::Offered);
        let at_start = self.position(channel);
        let at_offer = || self.channels.iter().rposition(|it| is_offered(&it.phase));
        let chosen = at_start.or_else(at_offer).map(|index| self.channels[index].id);
        let others: Vec<_> = self
            .channels
            .iter()
            .filter(|it| is_offered(&it.phase) && Some(it.id) != chosen)
            .map(|it| it.id)
            .collect();
        for id in others {
            self.close(id, CloseReason::Replaced);
        }
        match chosen.and_then(|id| self.position(id)) {
            Some(index) => self.take_seat(index),
            None => self.arrange_rooms(),
        }
    }

    /// Opens the table on a channel of the invitation's room: always with the same SEAT.
    fn take_seat(&mut self, index: usize) {
        let SeatState::Bound(kept, header) = &self.seat else { return };
        let Kept::Guest(guest) = kept.as_ref() else { return };
        let seated = Seated {
            signature: *header.guest_signature(),
            meeting: guest.secret.meeting(),
            accept: guest.accept.clone(),
        };
        self.channels[index].send(&Frame::Seat(Box::new(seated)));
        self.begin_table(index);
        self.visiting = false;
        self.arrange_rooms();
    }

    /// The host says who has the seat.
    pub(crate) fn told_taken(&mut self, taken: &Taken) {
        match &self.seat {
            SeatState::Joining { offer, .. } => {
                // Without an offer anybody with the link can say so; it ends nothing.
                let may_be = offer.as_ref().is_none_or(|offer| taken.is_signed(offer));
                if may_be && !self.hearsay {
                    self.hearsay = true;
                    self.outputs.push_back(Output::Refused(Refusal::Taken));
                }
            }
            SeatState::Bound(kept, header) => {
                let Kept::Guest(guest) = kept.as_ref() else { return };
                if !self.visiting || !taken.is_signed(header.offer()) {
                    return;
                }
                if taken.guest_key == guest.accept.guest_key {
                    // He is bound to me, and so he waits in the other room.
                    self.visiting = false;
                    self.arrange_rooms();
                } else {
                    self.refuse(Refusal::Taken);
                }
            }
            _ => {}
        }
    }

    // The host.

    pub(crate) fn accepted(&mut self, index: usize, bytes: &[u8]) -> bool {
        let (SeatState::Unbound(host) | SeatState::Binding(host, _)) = &self.seat else {
            return false;
        };
        let channel = &mut self.channels[index];
        let id = channel.id;
        let Phase::Offering { accept: already @ None } = &mut channel.phase else { return false };
        match *bytes {
            [] => return false,
            [theirs] | [theirs, ..] if theirs != VERSION || bytes.len() == 1 => {
                self.outputs.push_back(Output::Refused(Refusal::OtherVersion { theirs }));
                self.close(id, CloseReason::Stranger);
                return true;
            }
            _ => {}
        }
        let Ok(accept) = Accept::from_bytes(bytes) else { return false };
        match Start::to_accept(&host.secret, &host.offer, &accept) {
            Ok(start) => {
                *already = Some(Box::new(accept));
                channel.send(&Frame::Start(start));
            }
            Err(_) => self.close(id, CloseReason::Misbehaved),
        }
        true
    }

    pub(crate) fn seated(&mut self, index: usize, seated: Seated) -> bool {
        let channel = &mut self.channels[index];
        let id = channel.id;
        let Phase::Offering { accept } = &channel.phase else { return false };
        let is_other = accept.as_ref().is_some_and(|it| **it != seated.accept);
        let host = match &self.seat {
            SeatState::Unbound(host) if !is_other => host,
            SeatState::Unbound(_) => {
                self.close(id, CloseReason::Misbehaved);
                return true;
            }
            _ => {
                // Somebody else is taking the seat at this moment.
                self.close(id, CloseReason::Stranger);
                return true;
            }
        };
        let header =
            Start::to_accept(&host.secret, &host.offer, &seated.accept).and_then(|start| {
                Header::new(host.offer.clone(), seated.accept.clone(), start, seated.signature)
            });
        match header {
            Ok(header) => {
                let host = HostSeat { seated: Some(seated), ..host.clone() };
                channel.phase = Phase::Binding { hail: None };
                self.seat = SeatState::Binding(host.clone(), Box::new(header));
                self.store_binding(host, id);
            }
            Err(_) => self.close(id, CloseReason::Misbehaved),
        }
        true
    }

    /// SEAT is stored: the host is bound, for good.
    pub(crate) fn bound(&mut self, channel: ChannelId) {
        let SeatState::Binding(host, header) = &self.seat else { return };
        let (host, header) = (host.clone(), header.clone());
        self.outputs.push_back(Output::Seated(header.clone()));
        self.seat = SeatState::Bound(Box::new(Kept::Host(host)), header);
        let others: Vec<_> =
            self.channels.iter().map(|it| it.id).filter(|&id| id != channel).collect();
        for id in others {
            self.close(id, CloseReason::Stranger);
        }
        self.arrange_rooms();
        let Some(index) = self.position(channel) else { return };
        let Phase::Binding { hail } = self.channels[index].phase else { return };
        self.begin_table(index);
        if let Some((nonce, life)) = hail
            && !self.hailed(index, nonce, life)
        {
            self.strike(channel);
        }
    }

    /// SEAT could not be stored: the invitation stands as before.
    pub(crate) fn binding_failed(&mut self, channel: ChannelId) {
        let SeatState::Binding(host, _) = &self.seat else { return };
        self.seat = SeatState::Unbound(HostSeat { seated: None, ..host.clone() });
        self.outputs.push_back(Output::Refused(Refusal::Storage));
        self.close(channel, CloseReason::Silent);
    }
}
