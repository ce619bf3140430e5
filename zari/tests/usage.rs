//! The command line itself.
#![allow(clippy::unwrap_used)]

mod command;

use command::zari;

#[test]
fn help_names_every_command() {
    for flag in ["help", "--help", "-h"] {
        let run = zari(&[flag], "");
        assert_eq!((run.code, run.stderr.as_str()), (0, ""));
        for command in
            ["zari verify FILE", "zari vectors FILE", "zari legal <", "zari dice --rolls"]
        {
            assert!(run.stdout.contains(command), "{command} is missing");
        }
    }
    let run = zari(&["--version"], "");
    assert_eq!(run.stdout, format!("zari {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn what_is_no_command_is_refused_with_the_usage() {
    for args in
        [&[][..], &["roll"], &["verify"], &["verify", "a", "b"], &["vectors"], &["legal", "file"]]
    {
        let run = zari(args, "");
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{args:?}");
        assert!(run.stderr.starts_with("zari: "), "{}", run.stderr);
        assert!(run.stderr.contains("Usage: zari"), "{}", run.stderr);
    }
}
