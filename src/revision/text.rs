//! Decodes source files: UTF-8, with fallbacks for other encodings.

use mastor_types::Warning;

/// A decoded file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// The decoded text without a byte-order mark; line endings are unchanged.
    pub text: String,
    /// Whether the file is not UTF-8, so that the text is a guess. Whoever caches by blob id stores this flag and
    /// repeats the warning ([`Text::not_utf8`]) when the cache is used.
    pub lossy: bool,
}

impl Text {
    /// Decodes UTF-8; else UTF-16, if a byte-order mark says so; else windows-1252, which can decode any byte.
    pub fn decode(bytes: Vec<u8>) -> Self {
        let bytes = match String::from_utf8(bytes) {
            Ok(text) => return Self { text: without_mark(text), lossy: false },
            Err(error) => error.into_bytes(),
        };
        let encoding = match encoding_rs::Encoding::for_bom(&bytes) {
            Some((encoding, _)) if encoding != encoding_rs::UTF_8 => encoding,
            _ => encoding_rs::WINDOWS_1252,
        };
        let (text, _) = encoding.decode_with_bom_removal(&bytes);
        Self { text: text.into_owned(), lossy: true }
    }

    /// The warning that names a file which is not UTF-8.
    pub fn not_utf8(path: &str) -> Warning {
        Warning::new("not-utf8", "not UTF-8: read as UTF-16 or windows-1252", Some(path))
    }
}

fn without_mark(mut text: String) -> String {
    if text.starts_with('\u{feff}') {
        text.drain(..'\u{feff}'.len_utf8());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf8_stays_and_loses_its_mark() {
        assert_eq!(Text::decode("é\r\n".into()), Text { text: "é\r\n".into(), lossy: false });
        assert_eq!(Text::decode(b"\xef\xbb\xbfclass A".to_vec()), Text { text: "class A".into(), lossy: false });
    }

    #[test]
    fn utf16_is_known_by_its_mark() {
        assert_eq!(Text::decode(b"\xff\xfec\0\xe9\0".to_vec()), Text { text: "cé".into(), lossy: true });
        assert_eq!(Text::decode(b"\xfe\xff\0c\0\xe9".to_vec()), Text { text: "cé".into(), lossy: true });
    }

    #[test]
    fn anything_else_is_windows_1252() {
        assert_eq!(Text::decode(b"caf\xe9 \x80".to_vec()), Text { text: "café €".into(), lossy: true });
        assert!(Text::decode(b"\xef\xbb\xbf\xff".to_vec()).lossy);
    }

    #[test]
    fn empty_is_empty() {
        assert_eq!(Text::decode(Vec::new()), Text { text: String::new(), lossy: false });
    }
}
