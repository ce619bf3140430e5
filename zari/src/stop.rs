use std::io;

use thiserror::Error;

use crate::USAGE;

/// Why a command ends early.
#[derive(Debug, Error)]
pub(crate) enum Stop {
    /// The command line is not understood.
    #[error("{0}\n\n{USAGE}")]
    Usage(String),
    /// A file cannot be opened or read.
    #[error("{file}: {error}")]
    File { file: String, error: io::Error },
    /// A file is not what it should be.
    #[error("{file} is unreadable: {why}")]
    Unreadable { file: String, why: String },
    /// A line of the input is not what it should be.
    #[error("line {number}: {why}")]
    Line { number: usize, why: String },
    /// The input or the output broke.
    #[error(transparent)]
    Io(io::Error),
    /// Whoever read the output has closed it.
    #[error("the output was closed")]
    ReaderLeft,
}

impl Stop {
    /// The exit code: everything here means that nothing could be checked.
    pub(crate) const fn code(&self) -> u8 {
        2
    }

    /// The file was read and is not what it should be.
    pub(crate) fn unreadable(file: &str, why: impl ToString) -> Stop {
        Stop::Unreadable { file: file.to_owned(), why: why.to_string() }
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Stop {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Stop::ReaderLeft,
            _ => Stop::Io(error),
        }
    }
}

/// The text of a file, or of the standard input when the name is `-`.
pub(crate) fn read(file: &str) -> Result<String, Stop> {
    let bytes = if file == "-" {
        let mut bytes = Vec::new();
        io::Read::read_to_end(&mut io::stdin().lock(), &mut bytes).map(|_| bytes)
    } else {
        std::fs::read(file)
    };
    let bytes = bytes.map_err(|error| Stop::File { file: file.to_owned(), error })?;
    String::from_utf8(bytes).map_err(|_| Stop::unreadable(file, "it is not UTF-8"))
}
