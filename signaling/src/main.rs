//! `zari-signaling`: the server as a program.

use std::io::Write;
use std::process::ExitCode;

use signaling::{Server, links};

mod arguments;

use arguments::{HELP, Wish};

fn main() -> ExitCode {
    let wish = match arguments::parse(std::env::args_os().skip(1), |name| std::env::var_os(name)) {
        Ok(wish) => wish,
        Err(error) => {
            say_wrong(&format!("{error}\nTry `zari-signaling --help`."));
            return ExitCode::from(2);
        }
    };
    let (config, print_links) = match wish {
        Wish::Help => {
            say(HELP.trim_end());
            return ExitCode::SUCCESS;
        }
        Wish::Version => {
            say(concat!("zari-signaling ", env!("CARGO_PKG_VERSION")));
            return ExitCode::SUCCESS;
        }
        Wish::Serve { config, print_links } => (config, print_links),
    };
    let base = config.site.as_ref().map_or("/", |site| site.base()).to_owned();
    let runtime = match tokio::runtime::Runtime::new() {
        Ok(runtime) => runtime,
        Err(error) => {
            say_wrong(&format!("can't start: {error}"));
            return ExitCode::FAILURE;
        }
    };
    runtime.block_on(async {
        let (server, stop) = match (Server::bind(*config).await, stop_signal()) {
            (Ok(server), Ok(stop)) => (server, stop),
            (Err(error), _) => {
                say_wrong(&error.to_string());
                return ExitCode::FAILURE;
            }
            (_, Err(error)) => {
                say_wrong(&format!("can't wait for signals: {error}"));
                return ExitCode::FAILURE;
            }
        };
        say(&format!("listening on {}", server.local_addr()));
        if print_links {
            for link in links(server.local_addr(), &base) {
                say(&link);
            }
        }
        server.run(stop).await;
        ExitCode::SUCCESS
    })
}

/// Completes when the program is asked to end: SIGINT (Ctrl-C) or SIGTERM.
#[cfg(unix)]
fn stop_signal() -> std::io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

/// Completes when the program is asked to end by Ctrl-C.
#[cfg(not(unix))]
fn stop_signal() -> std::io::Result<impl Future<Output = ()>> {
    Ok(async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    })
}

fn say(line: &str) {
    // Nobody reads it any more: no reason to stop serving.
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

fn say_wrong(line: &str) {
    let _ = writeln!(std::io::stderr(), "zari-signaling: {line}");
}
