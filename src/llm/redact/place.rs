//! A secret's name in a text, with access to the text around it.

/// A name in a text.
pub(super) struct NameInText<'t> {
    pub text: &'t str,
    pub start: usize,
    pub end: usize,
    pub name: &'t str,
}

impl NameInText<'_> {
    /// The text from this offset on.
    pub(super) fn rest(&self, at: usize) -> &str {
        self.text.get(at..).unwrap_or_default()
    }

    /// A limited part of the text from this offset on, for regular expressions whose time grows with their input.
    pub(super) fn near(&self, at: usize) -> &str {
        let rest = self.rest(at);
        let mut end = rest.len().min(2000);
        while !rest.is_char_boundary(end) {
            end -= 1;
        }
        &rest[..end]
    }

    /// The text before the name on its line.
    pub(super) fn before(&self) -> &str {
        let line = self.text[..self.start].rfind('\n').map_or(0, |at| at + 1);
        &self.text[line..self.start]
    }

    /// The quote that is open at the name; `None` where no quote is open on its line.
    pub(super) fn inside_quotes(&self) -> Option<char> {
        let mut open = None;
        let mut escaped = false;
        let mut last = ' ';
        for c in self.before().chars() {
            match (open, c) {
                _ if escaped => escaped = false,
                (_, '\\') => escaped = true,
                (None, '"' | '`') => open = Some(c),
                // After a letter or digit it is an apostrophe.
                (None, '\'') if !last.is_alphanumeric() => open = Some(c),
                (Some(quote), c) if quote == c => open = None,
                _ => {}
            }
            last = c;
        }
        open
    }
}
