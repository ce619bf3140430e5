//! `cargo xtask play`: one process on one port that serves the page and introduces the players.

use std::net::{Ipv4Addr, TcpListener};
use std::process::Command;

use crate::command::{cargo, run, say};
use crate::house::House;
use crate::site;
use crate::trouble::{Outcome, Trouble};

const PORT: u16 = 3536;

pub(crate) fn obey(house: &House, words: &[String]) -> Outcome<()> {
    let port = port(words)?;
    // A quarter of an hour of building should not end in this refusal.
    refuse_a_taken_port(port)?;
    site::prepare(house)?;
    site::build(house)?;
    say("building the server");
    run(cargo(house.root()).args(["build", "--release", "--package", "signaling"]))?;
    refuse_a_taken_port(port)?;

    let mut server = Command::new(house.built("release", "zari-signaling"));
    server
        .arg("--listen")
        .arg(format!("0.0.0.0:{port}"))
        .arg("--site")
        .arg(house.dist())
        .arg("--print-links");
    become_the_server(server)
}

/// The server takes this process's place, so that Ctrl-C reaches it alone.
#[cfg(unix)]
fn become_the_server(mut server: Command) -> Outcome<()> {
    use std::os::unix::process::CommandExt;
    let error = server.exec();
    Err(Trouble::new(format!("the server could not be started: {error}")))
}

#[cfg(not(unix))]
fn become_the_server(mut server: Command) -> Outcome<()> {
    run(&mut server)
}

fn port(words: &[String]) -> Outcome<u16> {
    let number = match words {
        [] => return Ok(PORT),
        [flag, number] if flag == "--port" => number.as_str(),
        [word] => word.strip_prefix("--port=").unwrap_or_default(),
        _ => "",
    };
    number.parse().ok().filter(|port| *port != 0).ok_or_else(|| {
        Trouble::new("`play` takes `--port N` with a number from 1 to 65535 and nothing else")
    })
}

fn refuse_a_taken_port(port: u16) -> Outcome<()> {
    TcpListener::bind((Ipv4Addr::UNSPECIFIED, port)).map(drop).map_err(|error| {
        Trouble::new(format!(
            "port {port} cannot be used ({error}): stop the program that has it, or choose another \
             with `cargo xtask play --port N`"
        ))
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::net::{Ipv4Addr, TcpListener};

    use super::{PORT, port, refuse_a_taken_port};

    fn words(line: &str) -> Vec<String> {
        line.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn the_port_is_read_or_refused() {
        assert_eq!(port(&[]), Ok(PORT));
        assert_eq!(port(&words("--port 8080")), Ok(8080));
        assert_eq!(port(&words("--port=8080")), Ok(8080));
        for line in ["--port", "--port 0", "--port 65536", "8080", "--port 80 90"] {
            assert!(port(&words(line)).is_err(), "{line}");
        }
    }

    #[test]
    fn a_taken_port_is_refused_by_its_number() {
        let holder = TcpListener::bind((Ipv4Addr::UNSPECIFIED, 0)).unwrap();
        let port = holder.local_addr().unwrap().port();
        let refusal = refuse_a_taken_port(port).unwrap_err().to_string();
        assert!(refusal.contains(&port.to_string()) && refusal.contains("--port"), "{refusal}");
        drop(holder);
        assert_eq!(refuse_a_taken_port(port), Ok(()));
    }
}
