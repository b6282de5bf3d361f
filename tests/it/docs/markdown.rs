//! A little Markdown: parses fenced blocks, and writes texts as table cells.

/// A fenced block: its language, the line of its fence (from 1) and its text.
#[derive(Debug)]
pub struct Block {
    pub language: String,
    pub line: usize,
    pub text: String,
}

/// The fenced blocks of a page, in order.
pub fn blocks(page: &str) -> Vec<Block> {
    let (mut blocks, mut open): (Vec<Block>, Option<Block>) = (Vec::new(), None);
    for (at, line) in page.lines().enumerate() {
        let fence = line.trim_start().strip_prefix("```");
        match (fence, open.take()) {
            (Some(_), Some(block)) => blocks.push(block),
            (Some(language), None) => {
                open = Some(Block { language: language.trim().to_owned(), line: at + 1, text: String::new() });
            }
            (None, Some(mut block)) => {
                block.text += line;
                block.text.push('\n');
                open = Some(block);
            }
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a block stays open");
    blocks
}

/// A text as a table cell: on one line, with Markdown and HTML escaped outside of code.
pub fn cell(text: &str) -> String {
    let mut out = String::new();
    let mut in_code = false;
    for c in text.split_whitespace().collect::<Vec<_>>().join(" ").chars() {
        match c {
            '`' => in_code = !in_code,
            '<' | '>' | '*' | '_' | '[' | ']' if !in_code => out.push('\\'),
            '|' => out.push('\\'),
            _ => {}
        }
        out.push(c);
    }
    out
}

/// The text with a capital at the start and a full stop at the end.
pub fn sentence(text: &str) -> String {
    let text = text.trim();
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    let end = if text.ends_with(['.', ':', '?', '…']) || text.is_empty() { "" } else { "." };
    format!("{first}{}{end}", letters.as_str())
}
