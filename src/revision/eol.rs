//! Line endings: converts a file of the work tree to the bytes that `git add` would store.

/// The conversion that attributes and configuration ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Conversion {
    /// Stored as it is.
    Never,
    /// Stored with LF.
    Always,
    /// Stored with LF where it looks like text and was not committed with CRLF before (`text=auto`, `core.autocrlf`).
    Auto,
}

impl Conversion {
    /// Whether `bytes` are stored with LF; `committed` returns HEAD's content and is called only where it matters.
    pub fn applies(self, bytes: &[u8], committed: impl FnOnce() -> Option<Vec<u8>>) -> bool {
        match self {
            Self::Never => false,
            Self::Always => true,
            Self::Auto => !bytes.contains(&0) && !committed().is_some_and(|bytes| has_crlf(&bytes)),
        }
    }
}

/// Whether any line ends in CRLF.
pub fn has_crlf(bytes: &[u8]) -> bool {
    bytes.windows(2).any(|pair| pair == b"\r\n")
}

/// The bytes with every CRLF replaced by LF.
pub fn to_lf(bytes: &[u8]) -> Vec<u8> {
    let mut result = Vec::with_capacity(bytes.len());
    for (at, byte) in bytes.iter().enumerate() {
        if *byte != b'\r' || bytes.get(at + 1) != Some(&b'\n') {
            result.push(*byte);
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pairs_become_one() {
        assert_eq!(to_lf(b"a\r\nb\rc\r\r\n\n\r"), b"a\nb\rc\r\n\n\r");
    }

    #[test]
    fn auto_leaves_binaries_and_what_was_committed_with_crlf() {
        assert!(Conversion::Auto.applies(b"a\r\n", || Some(b"a\n".to_vec())));
        assert!(Conversion::Auto.applies(b"a\r\n", || None));
        assert!(!Conversion::Auto.applies(b"a\r\n", || Some(b"a\r\n".to_vec())));
        assert!(!Conversion::Auto.applies(b"a\0\r\n", || None));
        assert!(Conversion::Always.applies(b"a\r\n", || Some(b"a\r\n".to_vec())));
        assert!(!Conversion::Never.applies(b"a\r\n", || None));
    }
}
