//! Whose socket it is, as far as limits care.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use axum::http::HeaderMap;

/// The addresses that share one allowance: one IPv4 address, or one IPv6 /64, which is what a
/// single household or phone gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Neighbourhood {
    V4(Ipv4Addr),
    V6(u64),
}

impl Neighbourhood {
    pub(crate) fn of(address: IpAddr) -> Neighbourhood {
        match address.to_canonical() {
            IpAddr::V4(v4) => Neighbourhood::V4(v4),
            IpAddr::V6(v6) => Neighbourhood::V6((v6.to_bits() >> 64) as u64),
        }
    }
}

/// The client's address: the connection's, or behind trusted proxies the last one in
/// `X-Forwarded-For` that is no trusted proxy itself. What stands before that was written by the
/// client and proves nothing.
pub(crate) fn client(connection: IpAddr, headers: &HeaderMap, trusted: &[IpAddr]) -> IpAddr {
    let is_trusted = |address: IpAddr| trusted.contains(&address);
    let mut client = connection.to_canonical();
    let lines: Vec<_> = headers.get_all("x-forwarded-for").iter().collect();
    let hops = lines.iter().rev().flat_map(|line| line.to_str().unwrap_or("").rsplit(','));
    for hop in hops {
        if !is_trusted(client) {
            break;
        }
        let Some(address) = parse(hop.trim()) else { break };
        client = address.to_canonical();
    }
    client
}

/// Some proxies add a port, and brackets to IPv6.
fn parse(hop: &str) -> Option<IpAddr> {
    if let Ok(address) = hop.parse() {
        return Some(address);
    }
    if let Ok(with_port) = hop.parse::<std::net::SocketAddr>() {
        return Some(with_port.ip());
    }
    let inner = hop.strip_prefix('[')?.strip_suffix(']')?;
    inner.parse::<Ipv6Addr>().ok().map(IpAddr::V6)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn seen(connection: &str, forwarded: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        for line in forwarded {
            headers.append("x-forwarded-for", line.parse().unwrap());
        }
        let trusted = ["127.0.0.1", "::1", "10.0.0.9"].map(|address| address.parse().unwrap());
        client(connection.parse().unwrap(), &headers, &trusted).to_string()
    }

    #[test]
    fn only_a_trusted_proxy_is_believed() {
        assert_eq!(seen("192.0.2.7", &[]), "192.0.2.7");
        assert_eq!(seen("192.0.2.7", &["198.51.100.1"]), "192.0.2.7");
        assert_eq!(seen("127.0.0.1", &["198.51.100.1"]), "198.51.100.1");
        assert_eq!(seen("::ffff:127.0.0.1", &["198.51.100.1"]), "198.51.100.1");
        assert_eq!(seen("127.0.0.1", &["203.0.113.5, 198.51.100.1"]), "198.51.100.1");
        assert_eq!(seen("127.0.0.1", &["203.0.113.5, 198.51.100.1, 10.0.0.9"]), "198.51.100.1");
        assert_eq!(seen("127.0.0.1", &["203.0.113.5", "198.51.100.1"]), "198.51.100.1");
        assert_eq!(seen("::1", &["[2001:db8::1]:443"]), "2001:db8::1");
        assert_eq!(seen("::1", &["[2001:db8::1]"]), "2001:db8::1");
        assert_eq!(seen("::1", &["198.51.100.1:4711"]), "198.51.100.1");
        assert_eq!(seen("127.0.0.1", &["198.51.100.1, rubbish"]), "127.0.0.1");
        assert_eq!(seen("127.0.0.1", &[]), "127.0.0.1");
    }

    #[test]
    fn a_slash_64_is_one_neighbourhood() {
        let of = |address: &str| Neighbourhood::of(address.parse().unwrap());
        assert_eq!(of("2001:db8::1"), of("2001:db8::ffff:1"));
        assert_ne!(of("2001:db8::1"), of("2001:db8:0:1::1"));
        assert_eq!(of("::ffff:192.0.2.1"), of("192.0.2.1"));
        assert_ne!(of("192.0.2.1"), of("192.0.2.2"));
    }
}
