//! The lock of one operation: the manifest that its suite was made from, and hashes of the manifest and the suite
//! files.

use super::error::SuiteError;
use mastor_types::hash::Hash;
use mastor_types::manifest::Manifest;
use mastor_types::op_id::OpId;

/// Version of the analysis that computes manifests. Raised whenever the same code would give another manifest, so that
/// upgrading `mastor` does not make suites stale.
pub const ANALYSIS_VERSION: u32 = 6;

const MAGIC: &str = "mastor lock 1";

/// A parsed lock file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lock {
    /// The operation.
    pub op_id: OpId,
    /// [`ANALYSIS_VERSION`] of the binary that wrote it.
    pub analysis: u32,
    /// Hash of the manifest's lines.
    pub manifest: Hash,
    /// Hash of the operation's suite file.
    pub suite: Hash,
    /// Hash of its sequence file; the hash of no bytes where there is none.
    pub sequences: Hash,
    /// The manifest's lines.
    pub lines: String,
}

/// Whether a suite is up to date with a head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Freshness {
    /// The suite was made from this code.
    Fresh,
    /// The code, or the suite files, differ from the lock.
    Stale,
    /// The lock has another analysis version, so that manifests cannot be compared.
    Unknown,
}

impl Lock {
    /// The lock of these manifest lines and files.
    pub fn new(op_id: &OpId, lines: &str, suite: &[u8], sequences: Option<&[u8]>) -> Self {
        Self {
            op_id: op_id.clone(),
            analysis: ANALYSIS_VERSION,
            manifest: Hash::of(lines.as_bytes()),
            suite: Hash::of(suite),
            sequences: Hash::of(sequences.unwrap_or_default()),
            lines: lines.to_owned(),
        }
    }

    /// The bytes of the lock file.
    pub fn to_bytes(&self) -> Vec<u8> {
        format!(
            "{MAGIC}\noperation {}\nanalysis {}\nmanifest {}\nsuite {}\nsequences {}\n{}",
            on_one_line(&self.op_id),
            self.analysis,
            self.manifest,
            self.suite,
            self.sequences,
            self.lines
        )
        .into_bytes()
    }

    /// Reads a lock file.
    ///
    /// # Errors
    /// [`SuiteError::Newer`] for another version of the format, [`SuiteError::Damaged`] for anything else that is not a
    /// lock.
    pub fn from_bytes(path: &str, bytes: &[u8]) -> Result<Self, SuiteError> {
        let damaged = |reason: &str| SuiteError::Damaged { path: path.to_owned(), reason: reason.to_owned() };
        let text = std::str::from_utf8(bytes).map_err(|_| damaged("it is not UTF-8"))?;
        let mut rest = text;
        let mut line = |key: &str| -> Result<&str, SuiteError> {
            let (first, tail) = rest.split_once('\n').ok_or_else(|| damaged("it ends too early"))?;
            rest = tail;
            first
                .trim_end_matches('\r')
                .strip_prefix(key)
                .map(str::trim)
                .ok_or_else(|| damaged(&format!("`{}` is missing", key.trim())))
        };
        let version = line("mastor lock ")?;
        if version != "1" {
            let found = version.parse().map_err(|_| damaged("its version is no number"))?;
            return Err(SuiteError::Newer { path: path.to_owned(), found, known: 1 });
        }
        let op_id = of_one_line(line("operation ")?).ok_or_else(|| damaged("its operation is none"))?;
        let analysis = line("analysis ")?.parse().map_err(|_| damaged("its analysis version is no number"))?;
        let mut hash =
            |key: &str| line(key)?.parse::<Hash>().map_err(|_| damaged(&format!("`{}` is no hash", key.trim())));
        let (manifest, suite, sequences) = (hash("manifest ")?, hash("suite ")?, hash("sequences ")?);
        Ok(Self { op_id, analysis, manifest, suite, sequences, lines: rest.to_owned() })
    }

    /// Whether the lock's hashes fit its own lines and the suite files on disk.
    pub fn is_whole(&self, suite: Option<&[u8]>, sequences: Option<&[u8]>) -> bool {
        self.manifest == Hash::of(self.lines.as_bytes())
            && suite.is_some_and(|bytes| self.suite == Hash::of(bytes))
            && self.sequences == Hash::of(sequences.unwrap_or_default())
    }

    /// Compares the lock with the manifest of the head and with the suite files.
    pub fn freshness(&self, head: &Manifest, suite: Option<&[u8]>, sequences: Option<&[u8]>) -> Freshness {
        let lines = head.to_lines();
        if !self.is_whole(suite, sequences) {
            Freshness::Stale
        } else if self.analysis != ANALYSIS_VERSION {
            Freshness::Unknown
        } else if code(&self.lines).eq(code(&lines)) {
            Freshness::Fresh
        } else {
            Freshness::Stale
        }
    }
}

/// The operation's name on one line: unchanged, or as a JSON string where it holds control characters or white space at
/// its ends.
fn on_one_line(op_id: &OpId) -> String {
    let name = op_id.as_str();
    let plain = !name.chars().any(char::is_control) && name.trim() == name;
    if plain { name.to_owned() } else { serde_json::Value::from(name).to_string() }
}

fn of_one_line(text: &str) -> Option<OpId> {
    match text.starts_with('"') {
        true => serde_json::from_str(text).ok(),
        false => OpId::parse(text),
    }
}

/// Lines of code inputs. A difference in environment inputs only asks for a recheck and does not make the suite stale.
fn code(lines: &str) -> impl Iterator<Item = &str> {
    lines.lines().filter(|line| line.starts_with("code "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_path_may_hold_does_not_damage_its_lock() {
        for path in ["/a\nanalysis 9", "/a\r\n", "/a\t{b}\u{7f}", "/a ", "/\"a\"", "/a\u{2028}b", "/a"] {
            let op_id = OpId::new(mastor_types::http::Method::Get, path);
            let lock = Lock::new(&op_id, "code 1 a\n", b"{}", None);
            assert_eq!(Lock::from_bytes("a.lock", &lock.to_bytes()).unwrap(), lock, "{path:?}");
        }
    }
    use mastor_types::manifest::InputClass;

    fn manifest(content: &str) -> Manifest {
        let mut manifest = Manifest::default();
        manifest.add("com.acme.A#x()", InputClass::Code, Hash::of(content.as_bytes()));
        manifest
    }

    #[test]
    fn a_lock_reads_back_as_written() -> Result<(), SuiteError> {
        let op_id = OpId::new(mastor_types::Method::Get, "/a b/{id}");
        let lock = Lock::new(&op_id, &manifest("1").to_lines(), b"suite", Some(b"seq"));
        assert_eq!(Lock::from_bytes("x.lock", &lock.to_bytes())?, lock);
        Ok(())
    }

    #[test]
    fn changed_code_and_changed_files_make_a_lock_stale() {
        let op_id = OpId::new(mastor_types::Method::Get, "/a");
        let lock = Lock::new(&op_id, &manifest("1").to_lines(), b"suite", None);
        assert_eq!(lock.freshness(&manifest("1"), Some(b"suite"), None), Freshness::Fresh);
        assert_eq!(lock.freshness(&manifest("2"), Some(b"suite"), None), Freshness::Stale);
        assert_eq!(lock.freshness(&manifest("1"), Some(b"other"), None), Freshness::Stale);
        assert_eq!(lock.freshness(&manifest("1"), None, None), Freshness::Stale);
        let older = Lock { analysis: ANALYSIS_VERSION + 1, ..lock };
        assert_eq!(older.freshness(&manifest("2"), Some(b"suite"), None), Freshness::Unknown);
    }

    #[test]
    fn a_changed_environment_makes_no_suite_stale() {
        let op_id = OpId::new(mastor_types::Method::Get, "/a");
        let with = |pom: &str| {
            let mut manifest = manifest("1");
            manifest.add("global:pom.xml", InputClass::Environment, Hash::of(pom.as_bytes()));
            manifest
        };
        let lock = Lock::new(&op_id, &with("1").to_lines(), b"suite", None);
        assert_eq!(lock.freshness(&with("2"), Some(b"suite"), None), Freshness::Fresh);
    }

    #[test]
    fn what_is_no_lock_is_told_apart_from_a_newer_one() {
        assert!(matches!(Lock::from_bytes("x", b"mastor lock 2\n"), Err(SuiteError::Newer { found: 2, .. })));
        assert!(matches!(Lock::from_bytes("x", b"hello"), Err(SuiteError::Damaged { .. })));
        assert!(matches!(Lock::from_bytes("x", b"mastor lock 1\noperation GET /a\n"), Err(SuiteError::Damaged { .. })));
    }
}
