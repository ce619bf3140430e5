//! What went wrong, as a sentence that says what to do.

use std::fmt;

/// A sentence for the person at the terminal: what failed and what helps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Trouble(String);

pub(crate) type Outcome<T> = Result<T, Trouble>;

impl Trouble {
    pub(crate) fn new(sentence: impl Into<String>) -> Self {
        Self(sentence.into())
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
