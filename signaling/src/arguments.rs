//! The command line and the environment.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::time::Duration;

use lexopt::Arg;
use signaling::{Config, ConfigError, Site};

/// What `--help` prints.
pub(crate) const HELP: &str = "\
Introduces two browsers to each other, and serves a static site on the same port.

Usage: zari-signaling [options]

  --listen ADDRESS:PORT        where to listen                         [0.0.0.0:3536]
  --site DIRECTORY             serve this built site as well
  --base PATH                  the path the site appears under         [/]
  --print-links                print a link for each address of this machine
  --max-sockets N              websockets in total                     [10000]
  --max-rooms N                rooms in total                          [10000]
  --max-sockets-per-address N  websockets of one address               [128]
  --messages-per-second N      messages a websocket may go on sending  [20]
  --message-burst N            messages a websocket may send at once   [300]
  --ping-seconds N             time between pings                      [30]
  --silence-seconds N          time without an answer until it ends    [75]
  --trust-proxy IP[,IP…]       proxies whose X-Forwarded-For counts    [127.0.0.1,::1]
  --help, --version

Each option may also stand in the environment, e.g. ZARI_SIGNALING_MAX_ROOMS=100; the command
line goes first. A room is a websocket on ws://HOST:PORT/ROOM or /signal/ROOM, 1 to 64 characters
of A-Z a-z 0-9 - _; it takes eight. GET /health tells how many there are. SIGTERM ends it gently.
";

/// What the program is asked to do.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Wish {
    /// Print [`HELP`].
    Help,
    /// Print the version.
    Version,
    /// Serve.
    Serve {
        /// With this.
        config: Box<Config>,
        /// And print where.
        print_links: bool,
    },
}

/// The options that take a value, each also read from the environment.
const OPTIONS: [&str; 11] = [
    "listen",
    "site",
    "base",
    "max-sockets",
    "max-rooms",
    "max-sockets-per-address",
    "messages-per-second",
    "message-burst",
    "ping-seconds",
    "silence-seconds",
    "trust-proxy",
];

/// Reads the command line over the environment over the defaults.
///
/// # Errors
/// The first thing that isn't understood.
pub(crate) fn parse(
    arguments: impl Iterator<Item = OsString>,
    environment: impl Fn(&str) -> Option<OsString>,
) -> Result<Wish, ArgumentError> {
    let mut wishes = Wishes::default();
    for option in OPTIONS {
        let variable = format!("ZARI_SIGNALING_{}", option.replace('-', "_").to_uppercase());
        if let Some(value) = environment(&variable) {
            wishes.set(option, &variable, &value)?;
        }
    }
    let truthy = |value: OsString| value == "1" || value == "true";
    let mut print_links = environment("ZARI_SIGNALING_PRINT_LINKS").is_some_and(truthy);

    let mut parser = lexopt::Parser::from_args(arguments);
    while let Some(argument) = parser.next()? {
        let option = match argument {
            Arg::Long("help") | Arg::Short('h') => return Ok(Wish::Help),
            Arg::Long("version") | Arg::Short('V') => return Ok(Wish::Version),
            Arg::Long("print-links") => {
                print_links = true;
                continue;
            }
            Arg::Long(name) => OPTIONS.into_iter().find(|&option| option == name),
            _ => None,
        };
        let Some(option) = option else { return Err(argument.unexpected().into()) };
        let value = parser.value()?;
        wishes.set(option, &format!("--{option}"), &value)?;
    }
    Ok(Wish::Serve { config: Box::new(wishes.config()?), print_links })
}

#[derive(Debug, Default)]
struct Wishes {
    config: Config,
    site: Option<OsString>,
    base: Option<String>,
}

impl Wishes {
    /// Sets one option; `called` is how the host wrote it.
    fn set(&mut self, option: &str, called: &str, value: &OsStr) -> Result<(), ArgumentError> {
        if option == "site" {
            self.site = Some(value.to_owned());
            return Ok(());
        }
        let bad = |wanted: &'static str| ArgumentError::Value {
            called: called.to_owned(),
            value: value.to_string_lossy().into_owned(),
            wanted,
        };
        let text = value.to_str().ok_or_else(|| bad("text"))?;
        let number = |least: u32| {
            let number = text.parse::<u32>().ok().filter(|&n| n >= least);
            number.ok_or_else(|| bad(if least == 0 { "a number" } else { "a number from 1 on" }))
        };
        let limits = &mut self.config.limits;
        match option {
            "listen" => {
                let wanted = "an address and a port, such as 127.0.0.1:3536 or [::]:3536";
                self.config.listen = text.parse().map_err(|_| bad(wanted))?;
            }
            "base" => self.base = Some(text.to_owned()),
            "max-sockets" => limits.sockets = number(1)? as usize,
            "max-rooms" => limits.rooms = number(1)? as usize,
            "max-sockets-per-address" => limits.sockets_per_address = number(1)? as usize,
            "messages-per-second" => limits.messages_per_second = number(1)?,
            "message-burst" => limits.burst = number(1)?,
            "ping-seconds" => limits.ping = Duration::from_secs(number(1)?.into()),
            "silence-seconds" => limits.silence = Duration::from_secs(number(1)?.into()),
            _ => {
                let proxies = text.split(',').map(str::trim).filter(|proxy| !proxy.is_empty());
                let proxies: Result<Vec<_>, _> = proxies.map(str::parse).collect();
                self.config.trusted_proxies =
                    proxies.map_err(|_| bad("IP addresses with commas between them"))?;
            }
        }
        Ok(())
    }

    fn config(self) -> Result<Config, ArgumentError> {
        let Wishes { mut config, site, base } = self;
        if config.limits.silence <= config.limits.ping {
            return Err(ArgumentError::SilenceBeforePing);
        }
        config.site = match (site, base) {
            (Some(site), base) => Some(Site::new(site, base.as_deref().unwrap_or("/"))?),
            (None, Some(_)) => return Err(ArgumentError::BaseWithoutSite),
            (None, None) => None,
        };
        Ok(config)
    }
}

/// What isn't understood.
#[derive(Debug)]
pub(crate) enum ArgumentError {
    /// An unknown option, or one without its value.
    Line(lexopt::Error),
    /// A value that doesn't fit its option.
    Value {
        /// The option or variable.
        called: String,
        /// What it was given.
        value: String,
        /// What it takes.
        wanted: &'static str,
    },
    /// `--base` says where to serve what isn't served.
    BaseWithoutSite,
    /// Every socket would end before its first ping could be answered.
    SilenceBeforePing,
    /// The site can't be served like that.
    Config(ConfigError),
}

impl From<lexopt::Error> for ArgumentError {
    fn from(error: lexopt::Error) -> ArgumentError {
        ArgumentError::Line(error)
    }
}

impl From<ConfigError> for ArgumentError {
    fn from(error: ConfigError) -> ArgumentError {
        ArgumentError::Config(error)
    }
}

impl fmt::Display for ArgumentError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ArgumentError::Line(error) => write!(out, "{error}"),
            ArgumentError::Value { called, value, wanted } => {
                write!(out, "{called} takes {wanted}, not {value:?}")
            }
            ArgumentError::BaseWithoutSite => write!(out, "--base needs --site"),
            ArgumentError::SilenceBeforePing => {
                write!(out, "--silence-seconds must be longer than --ping-seconds")
            }
            ArgumentError::Config(error) => write!(out, "{error}"),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn parsed(line: &str, environment: &[(&str, &str)]) -> Result<Wish, String> {
        let arguments = line.split_whitespace().map(OsString::from);
        let look_up = |name: &str| {
            environment.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into())
        };
        parse(arguments, look_up).map_err(|error| error.to_string())
    }

    fn config(line: &str, environment: &[(&str, &str)]) -> Config {
        match parsed(line, environment).unwrap() {
            Wish::Serve { config, .. } => *config,
            wish => panic!("{wish:?}"),
        }
    }

    #[test]
    fn nothing_said_means_the_defaults() {
        let wish = parsed("", &[]).unwrap();
        assert_eq!(wish, Wish::Serve { config: Box::default(), print_links: false });
    }

    #[test]
    fn every_option_is_in_the_help_and_takes_effect() {
        let values = [
            ("listen", "[::1]:1"),
            ("site", "dist"),
            ("base", "/zari/"),
            ("max-sockets", "11"),
            ("max-rooms", "12"),
            ("max-sockets-per-address", "13"),
            ("messages-per-second", "14"),
            ("message-burst", "15"),
            ("ping-seconds", "16"),
            ("silence-seconds", "17"),
            ("trust-proxy", "10.0.0.1,10.0.0.2"),
        ];
        assert_eq!(values.map(|(option, _)| option), OPTIONS);
        let mut line = String::new();
        let mut variables = Vec::new();
        for (option, value) in values {
            assert!(HELP.contains(&format!("  --{option} ")), "{option}");
            line += &format!("--{option} {value} ");
            let name = format!("ZARI_SIGNALING_{}", option.replace('-', "_").to_uppercase());
            variables.push((name, value));
        }
        let variables: Vec<_> = variables.iter().map(|(name, value)| (&**name, *value)).collect();
        for config in [config(&line, &[]), config("", &variables)] {
            assert_eq!(config.listen.to_string(), "[::1]:1");
            assert_eq!(config.site, Some(Site::new("dist", "/zari/").unwrap()));
            let limits = config.limits;
            assert_eq!((limits.sockets, limits.rooms), (11, 12));
            assert_eq!(limits.sockets_per_address, 13);
            assert_eq!((limits.messages_per_second, limits.burst), (14, 15));
            assert_eq!((limits.ping.as_secs(), limits.silence.as_secs()), (16, 17));
            assert_eq!(config.trusted_proxies.len(), 2);
        }
        assert_eq!(config("--max-rooms 1", &variables).limits.rooms, 1);
        assert!(config("--trust-proxy=", &[]).trusted_proxies.is_empty());
    }

    #[test]
    fn help_names_the_defaults() {
        let limits = Config::default().limits;
        for (option, default) in [
            ("max-sockets", limits.sockets as u64),
            ("max-rooms", limits.rooms as u64),
            ("max-sockets-per-address", limits.sockets_per_address as u64),
            ("messages-per-second", limits.messages_per_second.into()),
            ("message-burst", limits.burst.into()),
            ("ping-seconds", limits.ping.as_secs()),
            ("silence-seconds", limits.silence.as_secs()),
        ] {
            let line = HELP.lines().find(|line| line.contains(&format!("--{option} "))).unwrap();
            assert!(line.ends_with(&format!("[{default}]")), "{line}");
        }
    }

    #[test]
    fn help_version_and_links() {
        assert_eq!(parsed("--help", &[]), Ok(Wish::Help));
        assert_eq!(parsed("--version", &[]), Ok(Wish::Version));
        let wish = parsed("--print-links", &[]).unwrap();
        assert_eq!(wish, Wish::Serve { config: Box::default(), print_links: true });
        let wish = parsed("", &[("ZARI_SIGNALING_PRINT_LINKS", "1")]).unwrap();
        assert_eq!(wish, Wish::Serve { config: Box::default(), print_links: true });
    }

    #[test]
    fn what_is_not_understood_is_named() {
        for (line, part) in [
            ("--lisen 1", "--lisen"),
            ("stray", "stray"),
            ("--listen 3536", "--listen takes an address and a port"),
            ("--listen", "--listen"),
            ("--max-rooms 0", "--max-rooms takes a number from 1 on, not \"0\""),
            ("--max-rooms many", "--max-rooms"),
            ("--base /zari/", "--base needs --site"),
            ("--site dist --base /../", "plain path"),
            ("--trust-proxy here", "--trust-proxy takes IP addresses"),
            ("--ping-seconds 80", "--silence-seconds must be longer"),
        ] {
            let error = parsed(line, &[]).unwrap_err();
            assert!(error.contains(part), "{line}: {error}");
        }
        let error = parsed("", &[("ZARI_SIGNALING_MAX_ROOMS", "x")]).unwrap_err();
        assert!(error.contains("ZARI_SIGNALING_MAX_ROOMS takes"), "{error}");
    }
}
