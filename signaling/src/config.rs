//! What a host decides: where to listen, what to serve, how much to bear.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

/// Sockets a room takes. Two would do for two players; the rest are the ghosts of reloaded tabs
/// and of lost networks, which must not lock anybody out until their time-out.
pub const ROOM_SIZE: usize = 8;

/// Bytes of the largest message that is passed on.
pub const MESSAGE_CAP: usize = 16 * 1024;

/// Everything the server needs to start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// Where to listen; port 0 lets the system choose.
    pub listen: SocketAddr,
    /// The site to serve, if any.
    pub site: Option<Site>,
    /// How much to bear.
    pub limits: Limits,
    /// Proxies whose `X-Forwarded-For` names the client. By default this machine's own addresses,
    /// where a proxy in front of the server usually runs.
    pub trusted_proxies: Vec<IpAddr>,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            listen: SocketAddr::from((Ipv4Addr::UNSPECIFIED, 3536)),
            site: None,
            limits: Limits::default(),
            trusted_proxies: vec![Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()],
        }
    }
}

/// A built static site and the path it appears under.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    directory: PathBuf,
    base: String,
}

impl Site {
    /// A site whose `index.html` stands in `directory`, to appear under `base`: `/`, `/zari/` …
    /// A missing slash at either end of `base` is added.
    ///
    /// # Errors
    /// [`ConfigError::Base`] if `base` has characters other than letters, digits, `-`, `_`, `.`
    /// and `/`, an empty segment or one that starts with a dot.
    pub fn new(directory: impl Into<PathBuf>, base: &str) -> Result<Site, ConfigError> {
        let inner = base.strip_prefix('/').unwrap_or(base);
        let inner = inner.strip_suffix('/').unwrap_or(inner);
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        let sound = |segment: &str| {
            !segment.is_empty() && !segment.starts_with('.') && segment.bytes().all(plain)
        };
        let base = if inner.is_empty() {
            "/".to_owned()
        } else if inner.split('/').all(sound) {
            format!("/{inner}/")
        } else {
            return Err(ConfigError::Base(base.to_owned()));
        };
        Ok(Site { directory: directory.into(), base })
    }

    /// The directory that holds `index.html`.
    pub fn directory(&self) -> &std::path::Path {
        &self.directory
    }

    /// The path the site appears under, with a slash at both ends.
    pub fn base(&self) -> &str {
        &self.base
    }
}

/// How much the server bears. The defaults suit a small machine and a few thousand players.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Websockets in total; the next one is closed with [`SERVER_FULL`](crate::SERVER_FULL).
    pub sockets: usize,
    /// Rooms in total; the next one is closed with [`SERVER_FULL`](crate::SERVER_FULL).
    pub rooms: usize,
    /// Websockets of one address (IPv6: of one /64); the next one is closed with
    /// [`TOO_MANY_FROM_ADDRESS`](crate::TOO_MANY_FROM_ADDRESS).
    pub sockets_per_address: usize,
    /// Messages a socket may send at once. An introduction to seven others may be a few hundred
    /// messages: a description and the candidates for each.
    pub burst: u32,
    /// Messages a second a socket may send for ever.
    pub messages_per_second: u32,
    /// Messages that wait for one client before it counts as too slow.
    pub waiting_messages: usize,
    /// Bytes that wait for one client before it counts as too slow.
    pub waiting_bytes: usize,
    /// How long one message may take to be written before its client counts as too slow.
    pub write: Duration,
    /// Time from one ping to the next.
    pub ping: Duration,
    /// Time without any sign of life after which a socket is closed.
    pub silence: Duration,
    /// Time a client has to send the head of a request.
    pub head: Duration,
    /// Time a closing socket has to answer, and the whole server to end.
    pub farewell: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            sockets: 10_000,
            rooms: 10_000,
            sockets_per_address: 128,
            burst: 300,
            messages_per_second: 20,
            waiting_messages: 512,
            waiting_bytes: 256 * 1024,
            write: Duration::from_secs(10),
            ping: Duration::from_secs(30),
            silence: Duration::from_secs(75),
            head: Duration::from_secs(15),
            farewell: Duration::from_secs(3),
        }
    }
}

/// What is wrong with a wish of the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConfigError {
    /// The base of the site is no plain path.
    Base(String),
}

impl std::fmt::Display for ConfigError {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ConfigError::Base(base) => write!(
                out,
                "the base of the site must be a plain path such as /zari/, and {base:?} is not one"
            ),
        }
    }
}

impl std::error::Error for ConfigError {}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_base_has_a_slash_at_both_ends() {
        for (given, base) in [
            ("", "/"),
            ("/", "/"),
            ("zari", "/zari/"),
            ("/zari", "/zari/"),
            ("/zari/", "/zari/"),
            ("/a/b.c/", "/a/b.c/"),
        ] {
            assert_eq!(Site::new("dist", given).unwrap().base(), base);
        }
    }

    #[test]
    fn a_base_that_is_no_plain_path_is_refused() {
        for given in
            ["///", "//a/", "/a//b/", "/../", "/a b/", "/a%20b/", "/.git/", "/ზარი/", "/a?b"]
        {
            assert_eq!(Site::new("dist", given), Err(ConfigError::Base(given.to_owned())));
        }
    }
}
