//! Where people can open what the server serves.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

/// One link per address the server can be reached at: this machine first, then its addresses in
/// the local network. `base` is the path of the site, `/` for the whole server.
pub fn links(listen: SocketAddr, base: &str) -> Vec<String> {
    let interfaces = if_addrs::get_if_addrs().unwrap_or_default();
    let own: Vec<IpAddr> = interfaces.iter().map(|interface| interface.ip()).collect();
    hosts(listen.ip(), &own)
        .into_iter()
        .map(|host| format!("http://{host}:{}{base}", listen.port()))
        .collect()
}

fn hosts(listen: IpAddr, own: &[IpAddr]) -> Vec<String> {
    let written = |address: &IpAddr| match address {
        IpAddr::V4(v4) => v4.to_string(),
        IpAddr::V6(v6) => format!("[{v6}]"),
    };
    if !listen.is_unspecified() {
        let local = listen == IpAddr::V4(Ipv4Addr::LOCALHOST);
        return vec![if local { "localhost".to_owned() } else { written(&listen) }];
    }
    // A link-local IPv6 address needs a zone, which no browser takes.
    let reachable = |address: &&IpAddr| match address {
        IpAddr::V4(v4) => !v4.is_loopback() && !v4.is_link_local(),
        IpAddr::V6(v6) => listen.is_ipv6() && !v6.is_loopback() && !v6.is_unicast_link_local(),
    };
    let mut hosts = vec!["localhost".to_owned()];
    hosts.extend(own.iter().filter(reachable).map(written));
    hosts
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn every_address_that_can_be_opened() {
        let own = ["127.0.0.1", "192.168.1.5", "::1", "fe80::1", "2001:db8::5", "169.254.3.3"]
            .map(|address| address.parse().unwrap());
        let at = |listen: &str| hosts(listen.parse().unwrap(), &own);
        assert_eq!(at("0.0.0.0"), ["localhost", "192.168.1.5"]);
        assert_eq!(at("::"), ["localhost", "192.168.1.5", "[2001:db8::5]"]);
        assert_eq!(at("127.0.0.1"), ["localhost"]);
        assert_eq!(at("192.168.1.5"), ["192.168.1.5"]);
        assert_eq!(at("2001:db8::5"), ["[2001:db8::5]"]);
    }

    #[test]
    fn a_link_has_port_and_base() {
        let listen = SocketAddr::from(([127, 0, 0, 1], 3536));
        assert_eq!(links(listen, "/zari/"), ["http://localhost:3536/zari/"]);
    }
}
