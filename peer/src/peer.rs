use crate::{Input, Kept, Link, Output, Presence, Visibility};
use fair_dice::Value;
use rules::Ruleset;
use table::{Header, Name, Record, Secret};

/// What is random, or given, in a page life.
#[derive(Clone, Debug)]
pub struct PageLife {
    /// max(wall clock at page load in ms, last stored life of this game + 1), already stored.
    pub life: u64,
    /// 32 bytes from the system's source of randomness. Everything this peer draws follows from them, so
    /// they must never serve a second [`Peer`].
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
    outputs: std::collections::VecDeque<Output>,
}

impl Peer {
    /// A new invitation. It is stored first ([`Output::Store`]); then [`Output::Invited`] lets the link be
    /// shown.
    #[must_use]
    pub fn invite(_invite: Invite, _page: PageLife, _now_ms: u64) -> Peer {
        Peer { outputs: Default::default() }
    }

    /// A guest who has opened a link that is not known here.
    #[must_use]
    pub fn join(_key: Value, _page: PageLife, _now_ms: u64) -> Peer {
        Peer { outputs: Default::default() }
    }

    /// A seat, or an invitation, that was stored in an earlier page life.
    ///
    /// # Errors
    /// When what was stored does not belong together.
    pub fn reopen(_kept: Kept, _page: PageLife, _now_ms: u64) -> Result<Peer, crate::KeptError> {
        Ok(Peer { outputs: Default::default() })
    }

    /// Takes one input. `stored` is the log as it is stored, empty before there is a game; `now_ms` is a
    /// monotonic clock.
    pub fn handle(&mut self, _input: Input<'_>, _stored: &[Record], _now_ms: u64) {}

    /// What to do next; `None` when nothing is left until the next input.
    pub fn poll(&mut self) -> Option<Output> {
        self.outputs.pop_front()
    }

    /// When [`Input::Tick`] is wanted.
    #[must_use]
    pub fn wake_at(&self) -> Option<u64> {
        None
    }

    /// What is stored for this seat; `None` for a guest who is not seated.
    #[must_use]
    pub fn kept(&self) -> Option<&Kept> {
        None
    }

    /// The finished handshake.
    #[must_use]
    pub fn header(&self) -> Option<&Header> {
        None
    }

    /// Whether this page may sign entries: it was synced once in this page life and is neither superseded
    /// nor frozen.
    #[must_use]
    pub fn may_sign(&self) -> bool {
        false
    }

    /// How the other side is.
    #[must_use]
    pub fn presence(&self) -> Presence {
        Presence::Unmet
    }

    /// Where the connection stands.
    #[must_use]
    pub fn link(&self) -> Link {
        Link::Storing
    }
}
