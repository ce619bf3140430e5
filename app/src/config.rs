//! What the host of the site decides (`config.json`) and what the address overrides: which servers
//! introduce the two browsers, and which help them through their routers.

use serde::Deserialize;

/// One entry of the list that a browser's `RTCPeerConnection` takes.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, serde::Serialize)]
pub struct IceServer {
    /// `stun:…`, `turn:…` or `turns:…`; one or several.
    #[serde(deserialize_with = "one_or_many")]
    pub urls: Vec<String>,
    /// For `turn:` servers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub username: Option<String>,
    /// For `turn:` servers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub credential: Option<String>,
}

/// How the two browsers find each other.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Config {
    /// Signaling servers, `wss://…`; an empty string is the server that the page came from.
    pub signal: Vec<String>,
    /// Servers for crossing routers.
    #[serde(deserialize_with = "ice_list")]
    pub ice: Vec<IceServer>,
}

impl Default for Config {
    fn default() -> Config {
        Config { signal: vec![String::new()], ice: Vec::new() }
    }
}

fn one_or_many<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Urls {
        One(String),
        Many(Vec<String>),
    }
    Ok(match Urls::deserialize(from)? {
        Urls::One(url) => vec![url],
        Urls::Many(urls) => urls,
    })
}

/// Plain strings are servers without a password.
fn ice_list<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Vec<IceServer>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Entry {
        Url(String),
        Server(IceServer),
    }
    Ok(Vec::<Entry>::deserialize(from)?
        .into_iter()
        .map(|entry| match entry {
            Entry::Url(url) => IceServer { urls: vec![url], username: None, credential: None },
            Entry::Server(server) => server,
        })
        .collect())
}

/// What the query of the address asks for. None of it is secret.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// `?lang=ru|ka|en`, as written.
    pub lang: Option<String>,
    /// `?signal=wss://…`: this server instead of the configured ones.
    pub signal: Option<String>,
    /// `?ice=none` (empty) or `?ice=stun:…,turn:…`.
    pub ice: Option<Vec<String>>,
    /// `?motion=off`.
    pub motion_off: bool,
}

impl Query {
    /// Takes the parameters that mean something here; `pairs` are decoded already.
    pub fn from_pairs(pairs: impl IntoIterator<Item = (String, String)>) -> Query {
        let mut query = Query::default();
        for (name, value) in pairs {
            match name.as_str() {
                "lang" => query.lang = Some(value),
                "signal" if is_signaling_url(&value) => query.signal = Some(value),
                "ice" => query.ice = Some(ice_urls(&value)),
                "motion" => query.motion_off = value == "off",
                _ => {}
            }
        }
        query
    }
}

fn ice_urls(value: &str) -> Vec<String> {
    value.split(',').map(str::trim).filter(|url| is_ice_url(url)).map(str::to_owned).collect()
}

fn is_signaling_url(url: &str) -> bool {
    url.starts_with("ws://") || url.starts_with("wss://")
}

/// The browser throws on any other scheme, and a throw inside the library would end the page.
fn is_ice_url(url: &str) -> bool {
    ["stun:", "stuns:", "turn:", "turns:"].iter().any(|scheme| url.starts_with(scheme))
}

impl Config {
    /// Reads `config.json`; what cannot be used is left out, so a slip in the file costs its own
    /// line and never the page.
    pub fn parse(json: &str) -> Config {
        let Ok(mut config) = serde_json::from_str::<Config>(json) else {
            return Config::default();
        };
        config.signal.retain(|url| url.is_empty() || is_signaling_url(url));
        for server in &mut config.ice {
            server.urls.retain(|url| is_ice_url(url));
        }
        config.ice.retain(|server| !server.urls.is_empty());
        if config.signal.is_empty() {
            config.signal.push(String::new());
        }
        config
    }

    /// The query has the last word.
    #[must_use]
    pub fn with(mut self, query: &Query) -> Config {
        if let Some(signal) = &query.signal {
            self.signal = vec![signal.clone()];
        }
        if let Some(urls) = &query.ice {
            self.ice = urls
                .iter()
                .map(|url| IceServer { urls: vec![url.clone()], username: None, credential: None })
                .collect();
        }
        self
    }

    /// The address of a room at the signaling server with this index; an index from a newer list
    /// falls back to the first. `origin` is the page's own, `https://…` or `http://…`.
    pub fn room_url(&self, index: u8, origin: &str, room: &str) -> String {
        let base = self
            .signal
            .get(usize::from(index))
            .or_else(|| self.signal.first())
            .map_or("", String::as_str);
        let own = origin.replacen("http", "ws", 1);
        let base = if base.is_empty() { own.as_str() } else { base };
        let (address, query) = base.split_once('?').map_or((base, None), |(a, q)| (a, Some(q)));
        let address = address.trim_end_matches('/');
        match query {
            None => format!("{address}/{room}"),
            Some(query) => format!("{address}/{room}?{query}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_file() {
        let config = Config::parse(
            r#"{"signal":["","wss://a.example/x/"],
                "ice":["stun:s.example",{"urls":["turn:t.example"],"username":"u","credential":"c"},
                       {"urls":"turns:t.example"}]}"#,
        );
        assert_eq!(config.signal, ["", "wss://a.example/x/"]);
        assert_eq!(config.ice.len(), 3);
        assert_eq!(config.ice[1].credential.as_deref(), Some("c"));
        assert_eq!(config.ice[2].urls, ["turns:t.example"]);
    }

    #[test]
    fn a_slip_costs_its_own_line() {
        assert_eq!(Config::parse("{"), Config::default());
        assert_eq!(Config::parse("{}"), Config::default());
        let config =
            Config::parse(r#"{"signal":["http://x"],"ice":["http://x","stun:y"],"more":1}"#);
        assert_eq!(config.signal, [""]);
        assert_eq!(config.ice.len(), 1);
    }

    #[test]
    fn the_query_has_the_last_word() {
        let query = Query::from_pairs(
            [("signal", "ws://localhost:3536"), ("ice", "none"), ("motion", "off"), ("x", "y")]
                .map(|(name, value)| (name.to_owned(), value.to_owned())),
        );
        let config = Config::parse(r#"{"signal":["wss://a"],"ice":["stun:y"]}"#).with(&query);
        assert_eq!(config.signal, ["ws://localhost:3536"]);
        assert!(config.ice.is_empty() && query.motion_off);
        let bad = Query::from_pairs([("signal".to_owned(), "javascript:x".to_owned())]);
        assert_eq!(bad.signal, None);
        let two = Query::from_pairs([("ice".to_owned(), "stun:a,turn:b".to_owned())]);
        assert_eq!(two.ice.map(|urls| urls.len()), Some(2));
    }

    #[test]
    fn rooms() {
        let config = Config::parse(r#"{"signal":["","wss://a.example/x/?k=1"]}"#);
        assert_eq!(config.room_url(0, "http://h:1", "r"), "ws://h:1/r");
        assert_eq!(config.room_url(0, "https://h", "r"), "wss://h/r");
        assert_eq!(config.room_url(1, "https://h", "r"), "wss://a.example/x/r?k=1");
        assert_eq!(config.room_url(9, "https://h", "r"), "wss://h/r");
    }
}
