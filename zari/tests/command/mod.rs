//! Runs the built command with some input.
#![allow(dead_code, clippy::unwrap_used)]

use std::fs::File;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    pub(crate) fn first_line(&self) -> &str {
        self.stdout.lines().next().unwrap_or_default()
    }
}

pub(crate) fn zari(args: &[&str], input: &str) -> Run {
    zari_bytes(args, input.as_bytes())
}

pub(crate) fn zari_bytes(args: &[&str], input: &[u8]) -> Run {
    // The input comes from a file: a pipe would have to be filled while the output is read.
    static FILES: AtomicU32 = AtomicU32::new(0);
    let name = format!("input-{}-{}", std::process::id(), FILES.fetch_add(1, Ordering::Relaxed));
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, input).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_zari"))
        .args(args)
        .stdin(File::open(&path).unwrap())
        .output()
        .unwrap();
    std::fs::remove_file(&path).unwrap();
    Run {
        code: output.status.code().expect("it left by itself"),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}
