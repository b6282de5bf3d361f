//! Removes incidental indentation from text blocks.

/// The content of a text block, passed with its quotes, without incidental white space (JLS §3.10.6); its escapes
/// stay as written.
pub fn stripped(text: &str) -> String {
    let inner = text.strip_prefix("\"\"\"").unwrap_or(text);
    let inner = inner.strip_suffix("\"\"\"").unwrap_or(inner);
    let Some((_, content)) = inner.split_once('\n') else {
        return inner.to_owned();
    };
    let lines: Vec<&str> = content.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).collect();
    let last = lines.len() - 1;
    let indent = lines
        .iter()
        .enumerate()
        .filter(|(index, line)| *index == last || !line.trim().is_empty())
        .map(|(_, line)| line.len() - line.trim_start_matches([' ', '\t']).len())
        .min()
        .unwrap_or(0);
    let stripped: Vec<&str> =
        lines.iter().map(|line| line.get(indent..).unwrap_or_default().trim_end_matches([' ', '\t'])).collect();
    stripped.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_common_indentation_is_formatting() {
        assert_eq!(stripped("\"\"\"\n    a\n      b \n\n    \"\"\""), "a\n  b\n\n");
        assert_eq!(stripped("\"\"\"\n    a\n  \"\"\""), "  a\n");
    }
}
