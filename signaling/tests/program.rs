//! The program: its lines, its ends.

#![allow(clippy::unwrap_used)]

use std::io::{BufRead, BufReader, Read};
use std::net::{SocketAddr, TcpListener};
use std::process::{Child, Command, Stdio};

use futures_util::StreamExt;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;

fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_zari-signaling"));
    command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Starts it and reads where it listens.
fn start(arguments: &[&str]) -> (Child, SocketAddr, BufReader<std::process::ChildStdout>) {
    let mut child = program(arguments).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    lines.read_line(&mut line).unwrap();
    let at = line.trim_end().strip_prefix("listening on ").unwrap().parse().unwrap();
    (child, at, lines)
}

fn signal(child: &Child, name: &str) {
    let id = child.id().to_string();
    assert!(Command::new("kill").args([&format!("-{name}"), &id]).status().unwrap().success());
}

#[cfg(unix)]
#[tokio::test]
async fn a_signal_ends_it_gently() {
    for name in ["TERM", "INT"] {
        let (mut child, at, mut rest) = start(&["--listen", "127.0.0.1:0"]);
        let (mut socket, _) = connect_async(format!("ws://{at}/room")).await.unwrap();
        assert!(matches!(socket.next().await, Some(Ok(Message::Text(_)))));
        signal(&child, name);
        let Some(Ok(Message::Close(Some(frame)))) = socket.next().await else {
            panic!("no close frame")
        };
        assert_eq!(u16::from(frame.code), 1001);
        drop(socket);
        assert_eq!(child.wait().unwrap().code(), Some(0), "{name}");
        // Neither rooms nor addresses are written down.
        let (mut out, mut err) = (String::new(), String::new());
        rest.read_to_string(&mut out).unwrap();
        child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        assert_eq!((out.as_str(), err.as_str()), ("", ""));
    }
}

#[test]
fn links_are_printed_on_demand() {
    let (mut child, at, mut lines) = start(&["--listen", "0.0.0.0:0", "--print-links"]);
    let mut first = String::new();
    lines.read_line(&mut first).unwrap();
    assert_eq!(first, format!("http://localhost:{}/\n", at.port()));
    child.kill().unwrap();
    let mut rest = String::new();
    lines.read_to_string(&mut rest).unwrap();
    for line in rest.lines() {
        assert!(line.starts_with("http://") && line.ends_with(&format!(":{}/", at.port())));
    }
    child.wait().unwrap();
}

#[test]
fn what_goes_wrong_is_said() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let at = taken.local_addr().unwrap().to_string();
    for (arguments, code, part) in [
        (&["--nonsense"][..], 2, "--nonsense"),
        (&["--listen", "nowhere"], 2, "--listen takes an address and a port"),
        (&["--listen", &at], 1, "is another server running?"),
        (&["--listen", "127.0.0.1:0", "--site", "/nowhere"], 1, "no index.html in /nowhere"),
    ] {
        let output = program(arguments).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{said}");
        assert!(said.starts_with("zari-signaling: ") && said.contains(part), "{said}");
    }
    let help = program(&["--help"]).output().unwrap();
    assert!(help.status.success() && help.stdout.starts_with(b"Introduces two browsers"));
    let version = program(&["--version"]).output().unwrap();
    let expected = concat!("zari-signaling ", env!("CARGO_PKG_VERSION"), "\n");
    assert_eq!(version.stdout, expected.as_bytes());
}
