use thiserror::Error;
use unicode_segmentation::UnicodeSegmentation;

/// The most bytes of UTF-8 a name may take.
pub const NAME_BYTES: usize = 32;

/// What a player wishes to be called: at most 32 bytes of UTF-8 without control characters. Empty
/// means that the colour's word stands in for it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Name(String);

/// Why bytes are no name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NameError {
    /// More than 32 bytes.
    #[error("a name is longer than {NAME_BYTES} bytes")]
    TooLong,
    /// Not UTF-8.
    #[error("a name is not UTF-8")]
    NotUtf8,
    /// A control character in it.
    #[error("a name has a control character")]
    Control,
}

impl Name {
    /// Makes a name of whatever a person typed: control and direction characters are left out and
    /// the rest is cut between graphemes.
    #[must_use]
    pub fn of(typed: &str) -> Name {
        let clean: String = typed.chars().filter(|&it| !it.is_control() && !is_bidi(it)).collect();
        let mut name = String::new();
        for grapheme in clean.trim().graphemes(true) {
            if name.len() + grapheme.len() > NAME_BYTES {
                break;
            }
            name.push_str(grapheme);
        }
        Name(name.trim_end().to_owned())
    }

    /// Reads a name that somebody else wrote.
    ///
    /// # Errors
    /// Says which demand on a name the bytes miss.
    pub fn from_bytes(bytes: &[u8]) -> Result<Name, NameError> {
        if bytes.len() > NAME_BYTES {
            return Err(NameError::TooLong);
        }
        let text = std::str::from_utf8(bytes).map_err(|_| NameError::NotUtf8)?;
        if text.chars().any(char::is_control) {
            return Err(NameError::Control);
        }
        Ok(Name(text.to_owned()))
    }

    /// The name's bytes as they are signed.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }

    /// The name as it may be shown: another's name may carry direction characters that would turn
    /// the text around it, so they are left out here.
    #[must_use]
    pub fn shown(&self) -> String {
        self.0.chars().filter(|&it| !is_bidi(it)).collect()
    }

    /// Whether there is no name.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Characters that change the direction of text, after Unicode Standard Annex 9.
fn is_bidi(it: char) -> bool {
    matches!(it, '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typed_name_is_cut_between_graphemes() {
        let family = "👨‍👩‍👧‍👦";
        let name = Name::of(&family.repeat(3));
        assert_eq!(name.shown(), family, "25 bytes each: only one fits");
        assert_eq!(Name::of("Нино\u{202E}\n").shown(), "Нино");
        assert!(Name::of(" \t ").is_empty());
    }

    #[test]
    fn a_foreign_name_is_refused_or_kept_as_it_is() {
        assert_eq!(Name::from_bytes(&[0xFF]), Err(NameError::NotUtf8));
        assert_eq!(Name::from_bytes(b"a\x07"), Err(NameError::Control));
        assert_eq!(Name::from_bytes(&[b'a'; 33]), Err(NameError::TooLong));
        let odd = Name::from_bytes("ა\u{202E}b".as_bytes()).expect("a direction character is text");
        assert_eq!(odd.shown(), "აb");
        assert_eq!(odd.as_bytes(), "ა\u{202E}b".as_bytes());
    }
}
