//! The marker of a comment: a hidden first line that identifies mastor's comment and the run that wrote it.

use mastor_types::ci_run::RunStamp;

/// Prefix of a marker.
const OPENS: &str = "<!-- mastor ";
/// Suffix of a marker.
const CLOSES: &str = " -->";

/// The content of the marker line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marker {
    /// Key that distinguishes several comments on one pull request.
    pub key: String,
    /// The head commit that the comment is about.
    pub head: String,
    /// The run that wrote the comment.
    pub stamp: RunStamp,
}

/// Whether a text may stand in a marker, that is, cannot end an HTML comment.
pub fn is_word(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    !text.is_empty() && text.len() <= 80 && text.chars().all(plain) && !text.contains("--")
}

impl Marker {
    /// The marker line, without a line break.
    pub fn line(&self) -> String {
        let RunStamp { run, attempt } = self.stamp;
        format!("{OPENS}key={} head={} run={run} attempt={attempt}{CLOSES}", self.key, self.head)
    }

    /// Parses the marker in a comment's first line, if it has one.
    pub fn read(body: &str) -> Option<Self> {
        let line = body.lines().next()?.trim_end();
        let fields = line.strip_prefix(OPENS)?.strip_suffix(CLOSES)?;
        let [key, head, run, attempt] = fields.split(' ').collect::<Vec<_>>().try_into().ok()?;
        let word = |field: &str, name: &str| {
            field.strip_prefix(name)?.strip_prefix('=').filter(|text| is_word(text)).map(str::to_owned)
        };
        let number = |field, name| word(field, name)?.parse().ok();
        let stamp = RunStamp { run: number(run, "run")?, attempt: number(attempt, "attempt")? };
        Some(Self { key: word(key, "key")?, head: word(head, "head")?, stamp })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_marker_is_read_back_from_the_first_line_only() {
        let stamp = RunStamp { run: 17, attempt: 2 };
        let marker = Marker { key: "mastor".to_owned(), head: "0a1b".to_owned(), stamp };
        assert_eq!(Marker::read(&format!("{}\r\n### x", marker.line())), Some(marker.clone()));
        assert_eq!(Marker::read(&format!("see:\n{}", marker.line())), None);
        for wrong in [
            "",
            "<!-- mastor -->",
            "<!-- mastor key=a head=b run=x attempt=1 -->",
            "<!-- mastor key= head=b run=1 attempt=1 -->",
        ] {
            assert_eq!(Marker::read(wrong), None, "{wrong}");
        }
        assert!(is_word("a.b-c_1") && !is_word("a--b") && !is_word("a b") && !is_word(""));
    }
}
