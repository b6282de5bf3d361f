//! Changed files as a patch or a commit, made without touching work tree or index.

use std::collections::BTreeMap;

/// New contents of files by path from the root; `None` removes the file.
pub type Files = BTreeMap<String, Option<Vec<u8>>>;

/// The part of a patch that adds or removes a whole file, in git's format.
pub(super) fn whole_file(path: &str, text: &[u8], comes: bool) -> Vec<u8> {
    let (sign, mode) = if comes { ('+', "new") } else { ('-', "deleted") };
    let lines: Vec<&[u8]> = text.split_inclusive(|byte| *byte == b'\n').collect();
    let count = lines.len();
    let (old, new) = if comes {
        ("/dev/null".to_owned(), format!("b/{path}"))
    } else {
        (format!("a/{path}"), "/dev/null".to_owned())
    };
    let mut out = format!("diff --git a/{path} b/{path}\n{mode} file mode 100644\n").into_bytes();
    if count == 0 {
        return out;
    }
    let span = if count == 1 { "1".to_owned() } else { format!("1,{count}") };
    let (from, to) = if comes { ("0,0".to_owned(), span) } else { (span, "0,0".to_owned()) };
    out.extend_from_slice(format!("--- {old}\n+++ {new}\n@@ -{from} +{to} @@\n").as_bytes());
    for line in lines {
        out.push(sign as u8);
        out.extend_from_slice(line);
        if !line.ends_with(b"\n") {
            out.extend_from_slice(b"\n\\ No newline at end of file\n");
        }
    }
    out
}
