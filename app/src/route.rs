//! What the address bar says: `#/…` names a screen, `#j=…` is an invitation.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

/// The name of a saved game on this device. Public: it stands in the address bar and says nothing
/// about any key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GameId(pub [u8; 8]);

impl GameId {
    /// The name of the game that this key belongs to; it does not give the key away.
    pub fn of_key(key: &fair_dice::Value) -> GameId {
        let [a, b, c, d, e, f, g, h, ..] = fair_dice::tagged_hash("zari/shelf/1", &[key]);
        GameId([a, b, c, d, e, f, g, h])
    }

    /// Reads the sixteen lower-case hexadecimal digits that `Display` writes.
    pub fn parse(text: &str) -> Option<GameId> {
        let digits = text.as_bytes();
        if digits.len() != 16 {
            return None;
        }
        let mut id = [0; 8];
        for (byte, pair) in id.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = nibble(pair[0])? << 4 | nibble(pair[1])?;
        }
        Some(GameId(id))
    }
}

fn nibble(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// The three ways to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Two people, one device.
    Local,
    /// A friend, somewhere else.
    Friend,
}

/// A screen of the page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Route {
    /// The three ways to play.
    #[default]
    Home,
    /// The rules of a game that is about to begin.
    Setup(Mode),
    /// The host waits for his guest.
    Invite(GameId),
    /// The guest reads what he was invited to.
    Join(GameId),
    /// A game.
    Table(GameId),
    /// A transcript from a file is checked.
    Verify,
    /// The settings.
    Settings,
    /// The help.
    Help,
    /// The list of saved games.
    Games,
}

/// What a fragment asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fragment {
    /// A screen.
    Screen(Route),
    /// An invitation: it is taken out of the address bar at once.
    Invitation(Invitation),
    /// It looks like an invitation, and is not one that this version understands.
    BadInvitation(BadInvitation),
}

/// Why a fragment that starts like an invitation is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadInvitation {
    /// Cut off or mistyped.
    Damaged,
    /// Made by a page of another version.
    OtherVersion,
}

/// What an invitation link carries.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Invitation {
    /// Which of the configured signaling servers to meet at.
    pub signal: u8,
    /// K, the secret that both sides share.
    pub key: [u8; 32],
}

impl fmt::Debug for Invitation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Invitation").field("signal", &self.signal).finish_non_exhaustive()
    }
}

/// The first byte of an invitation.
const INVITATION_VERSION: u8 = 1;

impl Invitation {
    /// The part after `#j=`.
    pub fn encode(&self) -> String {
        let mut bytes = [0; 34];
        bytes[0] = INVITATION_VERSION;
        bytes[1] = self.signal;
        bytes[2..].copy_from_slice(&self.key);
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// Reads what [`Invitation::encode`] writes.
    pub fn decode(text: &str) -> Result<Invitation, BadInvitation> {
        let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|_| BadInvitation::Damaged)?;
        match bytes.split_first() {
            Some((&INVITATION_VERSION, [signal, key @ ..])) => Ok(Invitation {
                signal: *signal,
                key: key.try_into().map_err(|_| BadInvitation::Damaged)?,
            }),
            Some((&INVITATION_VERSION, [])) | None => Err(BadInvitation::Damaged),
            Some(_) => Err(BadInvitation::OtherVersion),
        }
    }
}

impl Fragment {
    /// Reads `location.hash`. What nobody wrote leads home.
    pub fn parse(hash: &str) -> Fragment {
        let hash = hash.strip_prefix('#').unwrap_or(hash);
        if let Some(invitation) = hash.strip_prefix("j=") {
            return match Invitation::decode(invitation) {
                Ok(invitation) => Fragment::Invitation(invitation),
                Err(why) => Fragment::BadInvitation(why),
            };
        }
        Fragment::Screen(Route::parse(hash).unwrap_or_default())
    }
}

impl Route {
    fn parse(path: &str) -> Option<Route> {
        let mut parts = path.strip_prefix('/')?.split('/');
        let route = match (parts.next()?, parts.next()) {
            ("", None) => Route::Home,
            ("setup", Some("local")) => Route::Setup(Mode::Local),
            ("setup", Some("friend")) => Route::Setup(Mode::Friend),
            ("invite", Some(id)) => Route::Invite(GameId::parse(id)?),
            ("join", Some(id)) => Route::Join(GameId::parse(id)?),
            ("table", Some(id)) => Route::Table(GameId::parse(id)?),
            ("verify", None) => Route::Verify,
            ("settings", None) => Route::Settings,
            ("help", None) => Route::Help,
            ("games", None) => Route::Games,
            _ => return None,
        };
        parts.next().is_none().then_some(route)
    }

    /// The `data-screen` of this route, as long as nothing else is shown in its place.
    pub const fn screen(self) -> &'static str {
        match self {
            Route::Home => "home",
            Route::Setup(_) => "setup",
            Route::Invite(_) => "invite",
            Route::Join(_) => "join",
            Route::Table(_) => "board",
            Route::Verify => "verify",
            Route::Settings => "settings",
            Route::Help => "help",
            Route::Games => "games",
        }
    }
}

/// The fragment with its `#`, for an `href`.
impl fmt::Display for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Route::Home => f.write_str("#/"),
            Route::Setup(Mode::Local) => f.write_str("#/setup/local"),
            Route::Setup(Mode::Friend) => f.write_str("#/setup/friend"),
            Route::Invite(id) => write!(f, "#/invite/{id}"),
            Route::Join(id) => write!(f, "#/join/{id}"),
            Route::Table(id) => write!(f, "#/table/{id}"),
            Route::Verify => f.write_str("#/verify"),
            Route::Settings => f.write_str("#/settings"),
            Route::Help => f.write_str("#/help"),
            Route::Games => f.write_str("#/games"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_route_reads_back() {
        let id = GameId([0, 1, 0x7f, 0x80, 0xfe, 0xff, 0xab, 0x0c]);
        for route in [
            Route::Home,
            Route::Setup(Mode::Local),
            Route::Setup(Mode::Friend),
            Route::Invite(id),
            Route::Join(id),
            Route::Table(id),
            Route::Verify,
            Route::Settings,
            Route::Help,
            Route::Games,
        ] {
            assert_eq!(Fragment::parse(&route.to_string()), Fragment::Screen(route));
        }
    }

    #[test]
    fn what_nobody_wrote_leads_home() {
        for hash in [
            "",
            "#",
            "#/nowhere",
            "#home",
            "#/table",
            "#/table/xyz",
            "#/table/0123456789ABCDEF",
            "#/table/0123456789abcdef/more",
            "#/setup/chess",
            "#/settings/deep",
            "#/table/éééééééé",
        ] {
            assert_eq!(Fragment::parse(hash), Fragment::Screen(Route::Home), "{hash}");
        }
    }

    #[test]
    fn an_invitation_reads_back() {
        let invitation = Invitation { signal: 3, key: core::array::from_fn(|i| i as u8) };
        let hash = format!("#j={}", invitation.encode());
        assert_eq!(Fragment::parse(&hash), Fragment::Invitation(invitation));
    }

    #[test]
    fn a_bad_invitation_says_why() {
        let whole = Invitation { signal: 0, key: [7; 32] }.encode();
        let damaged = Fragment::BadInvitation(BadInvitation::Damaged);
        for text in ["", "AQ", "AQA", "***", &whole[..whole.len() - 4], &format!("{whole}AAAA")] {
            assert_eq!(Fragment::parse(&format!("#j={text}")), damaged, "{text}");
        }
        let mut bytes = [7; 34];
        bytes[0] = 2;
        let other = URL_SAFE_NO_PAD.encode(bytes);
        assert_eq!(
            Fragment::parse(&format!("#j={other}")),
            Fragment::BadInvitation(BadInvitation::OtherVersion)
        );
    }

    #[test]
    fn an_invitation_does_not_show_its_key() {
        let shown = format!("{:?}", Invitation { signal: 0, key: [0xab; 32] });
        assert!(!shown.contains("171") && !shown.contains("ab"), "{shown}");
    }
}
