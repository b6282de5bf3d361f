//! Files that a changelog refers to, and strings as SQL literals.

use crate::files::resources::Resources;
use crate::files::xml::Element;

/// The text of a file that a changelog refers to.
pub(super) fn beside<'r>(change: &Element, path: &str, resources: &'r Resources, at: &str) -> Option<&'r str> {
    let (root, _) = at.split_once("/resources/")?;
    let is_relative = change.attribute("relativeToChangelogFile") == Some("true");
    let path = path.trim_start_matches("classpath:").trim_start_matches('/');
    let full = match (is_relative, at.rsplit_once('/')) {
        (true, Some((folder, _))) => format!("{folder}/{path}"),
        _ => format!("{root}/resources/{path}"),
    };
    resources.text(&full)
}

/// A string as an SQL literal.
pub(super) fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}
