//! Keeping two logs equal over the channels of a table.
//!
//! Exactly one seat may write the next entry, so two honest logs can lag but not part: to synchronise is
//! to send the missing tail. Taking records is idempotent. Whether they hold is decided by the page's
//! log; here is only decided where they belong.

use crate::channel::{Channel, Phase, Talk};
use crate::frame::{FRAME_RECORDS, proof};
use crate::peer::{LAST_LIFE, Peer, SeatState, Silence};
use crate::{CloseReason, Fork, Frame, Kept, Output, Visibility, Wish};
use fair_dice::Value;
use table::{Claim, Header, Record, SignatureBytes, is_signed_by};

/// How often a page says that it is there: shown, hidden.
const HEARTBEAT_MS: [u64; 2] = [4_000, 15_000];
/// How long a fork is left open before the table freezes.
const MEND_MS: u64 = 10_000;
/// Claims of mine that are kept for the next sync.
const MOST_CLAIMS: usize = 4;

/// The head of the log when it had `len` entries, if it ever had.
fn head_at(stored: &[Record], game_id: &Value, len: u32) -> Option<Value> {
    let len = usize::try_from(len).ok()?;
    match (len, stored.get(len)) {
        (0, _) => Some(*game_id),
        (_, Some(next)) => Some(next.entry.prev),
        (_, None) if len == stored.len() => stored.last().map(|it| it.entry.id(game_id)),
        _ => None,
    }
}

/// The length of a log: a table is closed long before it outgrows u32.
fn length(stored: &[Record]) -> u32 {
    u32::try_from(stored.len()).unwrap_or(u32::MAX)
}

/// The answers are whether the frame was in its place; if not, it is a strike.
impl Peer {
    fn header_of_table(&self) -> Option<(&Header, &Kept)> {
        match &self.seat {
            SeatState::Bound(kept, header) => Some((header, kept)),
            _ => None,
        }
    }

    // Who is there?

    pub(crate) fn hailed(&mut self, index: usize, nonce: [u8; 16], life: u64) -> bool {
        if life > LAST_LIFE {
            return false;
        }
        let mine = match &mut self.channels[index].phase {
            Phase::Binding { hail: hail @ None } => {
                *hail = Some((nonce, life));
                return true;
            }
            Phase::Table(talk) if talk.hail.is_none() => {
                talk.hail = Some((nonce, life));
                talk.nonce
            }
            _ => return false,
        };
        let Some((header, kept)) = self.header_of_table() else { return false };
        let value = proof(header.game_id(), kept.color(), &mine, &nonce, self.life);
        let signature = match kept {
            Kept::Host(host) => host.secret.sign(&value),
            Kept::Guest(guest) => guest.secret.sign(&value),
        };
        self.channels[index].send(&Frame::Prove(signature));
        true
    }

    pub(crate) fn proved(
        &mut self,
        index: usize,
        signature: &SignatureBytes,
        stored: &[Record],
    ) -> bool {
        let id = self.channels[index].id;
        let Some((header, kept)) = self.header_of_table() else { return false };
        let other = kept.color().opposite();
        let Some(Talk { nonce, hail: Some((theirs, life)), proven: false, .. }) =
            self.channels[index].talk()
        else {
            return false;
        };
        let life = *life;
        let value = proof(header.game_id(), other, theirs, nonce, life);
        if !is_signed_by(header.key(other), &value, signature) {
            self.close(id, CloseReason::Misbehaved);
            return true;
        }
        if life < self.their_life {
            // A page that does not know that a newer one acts: it is told.
            let sync = self.sync_frame(stored);
            self.channels[index].send(&sync);
            self.close(id, CloseReason::NewerLife);
            return true;
        }
        let (now, heartbeat) = (self.now, self.heartbeat());
        if let Some(talk) = self.channels[index].talk_mut() {
            talk.proven = true;
            talk.heard_at = now;
            talk.ping_at = now + heartbeat;
        }
        self.channels[index].deadline = None;
        self.heard_at = Some(now);
        self.left = None;
        if life > self.their_life {
            self.their_life = life;
            self.their_visibility = Visibility::Shown;
            let older: Vec<_> = self
                .channels
                .iter()
                .filter(|it| it.id != id && it.is_proven())
                .map(|it| it.id)
                .collect();
            let sync = self.sync_frame(stored);
            for older in older {
                if let Some(at) = self.position(older) {
                    self.channels[at].send(&sync);
                }
                self.close(older, CloseReason::NewerLife);
            }
        }
        let Some(index) = self.position(id) else { return true };
        let sync = self.sync_frame(stored);
        if self.visibility == Visibility::Hidden {
            self.channels[index].send(&Frame::Hide(Visibility::Hidden));
        }
        self.channels[index].send(&sync);
        true
    }

    fn sync_frame(&self, stored: &[Record]) -> Frame {
        let game_id = self.header().map_or([0; 32], |it| *it.game_id());
        let len = length(stored);
        let head = head_at(stored, &game_id, len).unwrap_or(game_id);
        Frame::Sync { len, head, life: self.their_life }
    }

    /// Everything that is said after both have proven themselves.
    pub(crate) fn said(&mut self, index: usize, frame: Frame, stored: &[Record]) -> bool {
        if !self.channels[index].is_proven() {
            return false;
        }
        match frame {
            Frame::Sync { len, head, life } => {
                return self.told_state(index, len, head, life, stored);
            }
            Frame::Need { from } => self.answer(index, from, stored),
            Frame::Records { from, records } => self.take(index, from, records, stored),
            Frame::Claim(claim) => return self.told_claim(*claim),
            Frame::Ping { len } => {
                self.channels[index].send(&Frame::Pong { len: length(stored) });
                self.told_length(index, len, stored);
            }
            Frame::Pong { len } => self.told_length(index, len, stored),
            Frame::Wish(wish) => self.outputs.push_back(Output::Wish(wish)),
            Frame::Hide(visibility) => self.their_visibility = visibility,
            // The handshake's frames were seen to before.
            _ => return false,
        }
        true
    }

    // Whose log is longer?

    fn told_state(
        &mut self,
        index: usize,
        len: u32,
        head: Value,
        life: u64,
        stored: &[Record],
    ) -> bool {
        if life > LAST_LIFE {
            return false;
        }
        if life > self.life {
            self.outputs.push_back(Output::Superseded);
            self.fall_silent(Silence::Superseded(life));
            return true;
        }
        if let Some(talk) = self.channels[index].talk_mut() {
            talk.theirs = Some((len, head));
            talk.asked = None;
            talk.step = 0;
            talk.behind = 0;
        }
        self.compare(index, stored);
        true
    }

    fn told_length(&mut self, index: usize, len: u32, stored: &[Record]) {
        let mine = length(stored);
        let may_ask = !self.applying && self.fork.is_none();
        let Some(talk) = self.channels[index].talk_mut() else { return };
        if len < mine {
            talk.behind += 1;
            if talk.behind >= 2 {
                talk.behind = 0;
                let sync = self.sync_frame(stored);
                self.channels[index].send(&sync);
            }
        } else {
            talk.behind = 0;
            if len > mine && may_ask && talk.asked.is_none() {
                self.ask(index, mine);
            }
        }
    }

    fn ask(&mut self, index: usize, from: u32) {
        if let Some(talk) = self.channels[index].talk_mut() {
            talk.asked = Some(from);
            self.channels[index].send(&Frame::Need { from });
        }
    }

    /// Looks at where the other stands: equal, to be asked, or to wait for.
    fn compare(&mut self, index: usize, stored: &[Record]) {
        let Some(game_id) = self.header().map(|it| *it.game_id()) else { return };
        let Some(talk) = self.channels[index].talk() else { return };
        let Some((len, head)) = talk.theirs.filter(|_| talk.proven) else { return };
        let mine = length(stored);
        let here = head_at(stored, &game_id, len);
        if here == Some(head) {
            // Everything the other holds is here. If mine is longer, he asks.
            self.fork = None;
            return self.synced(index, stored);
        }
        if self.applying || self.fork.is_some() || talk.asked.is_some() {
            return;
        }
        match here {
            None => self.ask(index, mine),
            Some(_) if len == 0 => self.close(self.channels[index].id, CloseReason::Misbehaved),
            Some(_) => self.search(index, mine.min(len)),
        }
    }

    /// Looks for the fork further back.
    fn search(&mut self, index: usize, base: u32) {
        let Some(talk) = self.channels[index].talk_mut() else { return };
        talk.step = talk.step.saturating_mul(2).max(1);
        let from = base.saturating_sub(talk.step);
        self.ask(index, from);
    }

    fn synced(&mut self, index: usize, stored: &[Record]) {
        let id = self.channels[index].id;
        let Some(talk) = self.channels[index].talk_mut().filter(|it| !it.synced) else { return };
        talk.synced = true;
        self.synced_once = true;
        self.seek_step = 0;
        self.outputs.push_back(Output::Synced);
        for claim in self.claims.clone() {
            self.channels[index].send(&Frame::Claim(Box::new(claim)));
        }
        if let Some((wish, len)) = self.wish
            && len == length(stored)
        {
            self.channels[index].send(&Frame::Wish(wish));
        }
        // The new connection carries the table now.
        let older: Vec<_> = self
            .channels
            .iter()
            .filter(|it| it.id < id && it.is_proven())
            .map(|it| it.id)
            .collect();
        for older in older {
            self.close(older, CloseReason::Replaced);
        }
    }

    // Records.

    fn answer(&mut self, index: usize, from: u32, stored: &[Record]) {
        let Some(game_id) = self.header().map(|it| *it.game_id()) else { return };
        let tail = usize::try_from(from).ok().and_then(|from| stored.get(from..)).unwrap_or(&[]);
        let records = &tail[..tail.len().min(FRAME_RECORDS)];
        if records.is_empty() {
            let sync = self.sync_frame(stored);
            return self.channels[index].send(&sync);
        }
        self.channels[index].send(&Frame::Records { from, records: records.to_vec() });
        let end = from + length(records);
        let head = head_at(stored, &game_id, end);
        if let (Some(talk), Some(head)) = (self.channels[index].talk_mut(), head)
            && talk.synced
            && talk.theirs.is_some_and(|(len, _)| len < end)
        {
            talk.theirs = Some((end, head));
        }
    }

    fn take(&mut self, index: usize, from: u32, mut records: Vec<Record>, stored: &[Record]) {
        let Some(game_id) = self.header().map(|it| *it.game_id()) else { return };
        let id = self.channels[index].id;
        let Some(talk) = self.channels[index].talk_mut() else { return };
        if talk.asked == Some(from) {
            talk.asked = None;
        }
        let theirs = talk.theirs;
        if self.applying || self.fork.is_some() {
            // Asked for again when the page has done its part.
            return;
        }
        let mine = length(stored);
        let Some(known) = mine.checked_sub(from) else {
            // Something in between is missing.
            if talk.asked.is_none() {
                self.ask(index, mine);
            }
            return;
        };
        let known = known.min(length(&records));
        let base = theirs.map_or(mine, |(len, _)| len.min(mine));
        let differs = (0..known).find(|&k| records[k as usize] != stored[(from + k) as usize]);
        if let Some(k) = differs {
            let at = from + k;
            let fits = head_at(stored, &game_id, at) == Some(records[k as usize].entry.prev);
            return match (fits, k, at) {
                (true, ..) => self.forked(index, at, records.split_off(k as usize), stored),
                (false, 0, 1..) => self.search(index, base),
                // A log that is not even linked in itself.
                _ => self.close(id, CloseReason::Misbehaved),
            };
        }
        let end = from + length(&records);
        let Some(next) = records.get(known as usize) else {
            // All of them are here already.
            match theirs {
                Some((len, _)) if len > end && talk.step > 0 => self.ask(index, end),
                Some((len, head)) if len == end && head_at(stored, &game_id, len) != Some(head) => {
                    self.close(id, CloseReason::Misbehaved);
                }
                _ => {}
            }
            return;
        };
        if known == 0 && mine > 0 && head_at(stored, &game_id, mine) != Some(next.entry.prev) {
            return self.search(index, mine);
        }
        if let Some(last) = records.last()
            && theirs.is_none_or(|(len, _)| len < end)
        {
            talk.theirs = Some((end, last.entry.id(&game_id)));
        }
        talk.step = 0;
        self.applying = true;
        self.outputs.push_back(Output::Records(records.split_off(known as usize)));
    }

    /// The logs part at `at`. Both entries being of one seat, that seat has written twice.
    fn forked(&mut self, index: usize, at: u32, theirs: Vec<Record>, stored: &[Record]) {
        let id = self.channels[index].id;
        let Some((header, kept)) = self.header_of_table() else { return };
        let (me, game_id) = (kept.color(), header.game_id());
        let (Some(first), Some(tail)) = (theirs.first(), stored.get(at as usize..)) else { return };
        let Some(mine) = tail.first() else { return };
        let author = mine.entry.seat;
        let is_whole = first.entry.seat == author
            && first.entry.seq == at
            && first.is_signed_by(header.key(author), game_id);
        if !is_whole {
            // Nothing but noise: no seat has signed it.
            return self.close(id, CloseReason::Misbehaved);
        }
        if author == me && tail.iter().all(|it| it.entry.seat == me) {
            // My second device wrote it, and nothing of the other side is lost by taking it.
            self.applying = true;
            self.resync = true;
            self.outputs.push_back(Output::Replace { len: at, records: theirs });
            return;
        }
        // Until then the other may mend it, as its second device should, or ask for the evidence too.
        let fork = Fork { mine: mine.clone(), theirs: first.clone() };
        self.fork = Some((Box::new(fork), self.now + MEND_MS));
    }

    fn freeze(&mut self, fork: Box<Fork>) {
        self.outputs.push_back(Output::Forked(fork));
        self.fall_silent(Silence::Frozen);
    }

    pub(crate) fn mend_or_freeze(&mut self) {
        if self.fork.as_ref().is_some_and(|&(_, until)| until <= self.now)
            && let Some((fork, _)) = self.fork.take()
        {
            self.freeze(fork);
        }
    }

    /// The stored log has grown, or was replaced after a fork.
    pub(crate) fn appended(&mut self, stored: &[Record]) {
        self.applying = false;
        let resync = std::mem::take(&mut self.resync);
        let len = length(stored);
        self.claims.retain(|it| it.len >= len);
        self.wish = self.wish.filter(|&(_, at)| at >= len);
        let talking: Vec<_> =
            self.channels.iter().filter(|it| it.is_proven()).map(|it| it.id).collect();
        for id in talking {
            let Some(index) = self.position(id) else { continue };
            if resync {
                let sync = self.sync_frame(stored);
                self.channels[index].send(&sync);
            }
            self.compare(index, stored);
            if let Some(index) = self.position(id) {
                self.push(index, stored);
            }
        }
    }

    /// Sends the other what it lacks, without being asked: that saves a round trip each entry.
    fn push(&mut self, index: usize, stored: &[Record]) {
        let Some(game_id) = self.header().map(|it| *it.game_id()) else { return };
        let sync = self.sync_frame(stored);
        let Some(talk) = self.channels[index].talk_mut().filter(|it| it.synced) else { return };
        let Some((len, head)) = talk.theirs else { return };
        let mine = length(stored);
        if len >= mine || head_at(stored, &game_id, len) != Some(head) {
            return;
        }
        let tail = &stored[len as usize..];
        if tail.len() > FRAME_RECORDS {
            return self.channels[index].send(&sync);
        }
        if let Some(here) = head_at(stored, &game_id, mine) {
            talk.theirs = Some((mine, here));
        }
        self.channels[index].send(&Frame::Records { from: len, records: tail.to_vec() });
    }

    // Notes beside the log.

    fn talkers(&mut self) -> impl Iterator<Item = &mut Channel> {
        self.channels.iter_mut().filter(|it| it.talk().is_some_and(|talk| talk.synced))
    }

    pub(crate) fn wish(&mut self, wish: Wish, stored: &[Record]) {
        self.wish = Some((wish, length(stored)));
        for channel in self.talkers() {
            channel.send(&Frame::Wish(wish));
        }
    }

    pub(crate) fn claim(&mut self, claim: Claim) {
        for channel in self.talkers() {
            channel.send(&Frame::Claim(Box::new(claim.clone())));
        }
        if self.claims.len() == MOST_CLAIMS {
            self.claims.remove(0);
        }
        self.claims.push(claim);
    }

    fn told_claim(&mut self, claim: Claim) -> bool {
        let Some((header, kept)) = self.header_of_table() else { return false };
        if claim.seat != kept.color().opposite() || !claim.is_signed(header) {
            return false;
        }
        self.outputs.push_back(Output::Claim(claim));
        true
    }

    // The heartbeat.

    pub(crate) fn heartbeat(&self) -> u64 {
        let [shown, hidden] = HEARTBEAT_MS;
        match self.visibility {
            Visibility::Shown => shown,
            Visibility::Hidden => hidden,
        }
    }

    pub(crate) fn ping(&mut self, stored: &[Record]) {
        let (now, heartbeat, len) = (self.now, self.heartbeat(), length(stored));
        for channel in self.channels.iter_mut().filter(|it| it.is_proven()) {
            let Some(talk) = channel.talk_mut().filter(|it| it.ping_at <= now) else { continue };
            talk.ping_at = now + heartbeat;
            channel.send(&Frame::Ping { len });
        }
    }
}
