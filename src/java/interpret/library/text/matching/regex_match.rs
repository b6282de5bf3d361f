//! Matches regular expressions by backtracking in the same order as Java, with a limited number of steps.

use super::regex::{Greed, LONG, Node, Read, Regex, RegexFailure, longest};

/// Start and end of each group of a match; the whole match is group zero.
pub type MatchGroups = Vec<Option<(usize, usize)>>;

struct Run<'t> {
    text: &'t [char],
    groups: MatchGroups,
    steps: usize,
    depth: usize,
}

type Then<'k, 't> = &'k mut dyn FnMut(&mut Run<'t>, usize) -> Read<bool>;

fn is_line_end(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

impl<'t> Run<'t> {
    fn matches(&mut self, node: &Node, at: usize, then: Then<'_, 't>) -> Read<bool> {
        self.steps += 1;
        if self.steps > 100_000 || self.depth > 1500 {
            return Err(LONG);
        }
        self.depth += 1;
        let result = self.step(node, at, then);
        self.depth -= 1;
        result
    }

    fn step(&mut self, node: &Node, at: usize, then: Then<'_, 't>) -> Read<bool> {
        let here = self.text.get(at).copied();
        let length = self.text.len();
        match node {
            Node::Set(class, insensitive) => match here {
                Some(c) if class.holds(c, *insensitive)? => then(self, at + 1),
                _ => Ok(false),
            },
            Node::Any(all) => match here {
                Some(c) if *all || !is_line_end(c) => then(self, at + 1),
                _ => Ok(false),
            },
            Node::Start(lines) => {
                // In `MULTILINE` mode, `^` never matches at the end of the text, not even if that is also its start.
                let start = if *lines {
                    at < length
                        && (at == 0
                            || is_line_end(self.text[at - 1]) && !(self.text[at - 1] == '\r' && here == Some('\n')))
                } else {
                    at == 0
                };
                if start { then(self, at) } else { Ok(false) }
            }
            Node::End(lines) => {
                let end = at == length
                    || self.before_last_line_end(at)
                    || (*lines && here.is_some_and(is_line_end) && !self.within_line_end(at));
                if end { then(self, at) } else { Ok(false) }
            }
            Node::Begin => {
                if at == 0 {
                    then(self, at)
                } else {
                    Ok(false)
                }
            }
            Node::Finish => {
                if at == length {
                    then(self, at)
                } else {
                    Ok(false)
                }
            }
            Node::FinishLine => {
                if at == length || self.before_last_line_end(at) {
                    then(self, at)
                } else {
                    Ok(false)
                }
            }
            Node::Boundary(wanted) => {
                let word = |c: Option<&char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || *c == '_');
                let before = at.checked_sub(1).and_then(|at| self.text.get(at));
                let boundary = word(before) != word(self.text.get(at));
                if boundary == *wanted { then(self, at) } else { Ok(false) }
            }
            Node::Seq(all) => self.sequence(all, at, then),
            Node::Alt(all) => {
                for one in all {
                    let saved = self.groups.clone();
                    if self.matches(one, at, then)? {
                        return Ok(true);
                    }
                    self.groups = saved;
                }
                Ok(false)
            }
            Node::Repeat(inner, min, max, greed) => match greed {
                Greed::Possessive => {
                    let mut end = None;
                    let all = self.repeat(inner, 0, (*min, *max), false, at, &mut |_, at| {
                        end = Some(at);
                        Ok(true)
                    })?;
                    match end {
                        Some(end) if all => then(self, end),
                        _ => Ok(false),
                    }
                }
                greed => self.repeat(inner, 0, (*min, *max), *greed == Greed::Lazy, at, then),
            },
            Node::Group(index, inner) => {
                let index = *index;
                let old = self.groups[index];
                let done = self.matches(inner, at, &mut |run, end| {
                    let before = run.groups[index];
                    run.groups[index] = Some((at, end));
                    if then(run, end)? {
                        return Ok(true);
                    }
                    run.groups[index] = before;
                    Ok(false)
                })?;
                if !done {
                    self.groups[index] = old;
                }
                Ok(done)
            }
            Node::Back(index, insensitive) => {
                let Some((from, to)) = self.groups[*index] else { return Ok(false) };
                let wanted: Vec<char> = self.text[from..to].to_vec();
                let Some(given) = self.text.get(at..at + wanted.len()) else { return Ok(false) };
                let same = if *insensitive {
                    given.iter().zip(&wanted).all(|(a, b)| a == b || a.eq_ignore_ascii_case(b))
                } else {
                    given == wanted.as_slice()
                };
                if same { then(self, at + wanted.len()) } else { Ok(false) }
            }
            Node::Look { ahead: true, wanted, node } => {
                let saved = self.groups.clone();
                let found = self.matches(node, at, &mut |_, _| Ok(true))?;
                if found != *wanted {
                    self.groups = saved;
                    return Ok(false);
                }
                if !*wanted {
                    self.groups = saved;
                }
                then(self, at)
            }
            Node::Look { ahead: false, wanted, node } => {
                let saved = self.groups.clone();
                let most = longest(node).unwrap_or_default();
                let mut found = false;
                for back in 0..=most.min(at) {
                    if self.matches(node, at - back, &mut |_, end| Ok(end == at))? {
                        found = true;
                        break;
                    }
                }
                if found != *wanted {
                    self.groups = saved;
                    return Ok(false);
                }
                if !*wanted {
                    self.groups = saved;
                }
                then(self, at)
            }
            Node::Atomic(inner) => {
                let mut end = None;
                self.matches(inner, at, &mut |_, at| {
                    end = Some(at);
                    Ok(true)
                })?;
                match end {
                    Some(end) => then(self, end),
                    None => Ok(false),
                }
            }
        }
    }

    fn before_last_line_end(&self, at: usize) -> bool {
        let rest = self.text.get(at..).unwrap_or_default();
        match rest {
            ['\r', '\n'] => true,
            ['\n'] => at.checked_sub(1).and_then(|at| self.text.get(at)) != Some(&'\r'),
            [c] => is_line_end(*c),
            _ => false,
        }
    }

    fn within_line_end(&self, at: usize) -> bool {
        self.text.get(at) == Some(&'\n') && at > 0 && self.text.get(at - 1) == Some(&'\r')
    }

    fn sequence(&mut self, all: &[Node], at: usize, then: Then<'_, 't>) -> Read<bool> {
        match all.split_first() {
            None => then(self, at),
            Some((first, rest)) => self.matches(first, at, &mut |run, at| run.sequence(rest, at, then)),
        }
    }

    fn repeat(
        &mut self,
        inner: &Node,
        count: u32,
        (min, max): (u32, u32),
        lazy: bool,
        at: usize,
        then: Then<'_, 't>,
    ) -> Read<bool> {
        self.steps += 1;
        if self.steps > 100_000 {
            return Err(LONG);
        }
        if lazy && count >= min && then(self, at)? {
            return Ok(true);
        }
        if count < max {
            let saved = self.groups.clone();
            let more = self.matches(inner, at, &mut |run, end| {
                if end == at {
                    // The iteration consumed nothing: matching continues after the repetition.
                    return if lazy && count >= min { Ok(false) } else { then(run, end) };
                }
                run.repeat(inner, count + 1, (min, max), lazy, end, then)
            })?;
            if more {
                return Ok(true);
            }
            self.groups = saved;
        }
        if !lazy && count >= min { then(self, at) } else { Ok(false) }
    }
}

impl Regex {
    /// Checks that matching this text is supported.
    fn check(&self, text: &[char]) -> Read<()> {
        if text.len() > 1000 {
            return Err(RegexFailure::Open("a long text"));
        }
        if text.iter().any(|c| *c as u32 > 0xffff || (self.ascii_only && !c.is_ascii())) {
            return Err(RegexFailure::Open("a text with rare characters"));
        }
        Ok(())
    }

    /// Matches at a position; with `whole`, the match must reach the end of the text.
    pub fn at(&self, text: &[char], at: usize, whole: bool) -> Read<Option<MatchGroups>> {
        self.check(text)?;
        let mut run = Run { text, groups: vec![None; self.groups + 1], steps: 0, depth: 0 };
        let mut end = None;
        let found = run.matches(&self.node, at, &mut |_, to| {
            if whole && to != text.len() {
                return Ok(false);
            }
            end = Some(to);
            Ok(true)
        })?;
        match end {
            Some(end) if found => {
                run.groups[0] = Some((at, end));
                Ok(Some(run.groups))
            }
            _ => Ok(None),
        }
    }

    /// The first match at or after a position.
    pub fn find(&self, text: &[char], from: usize) -> Read<Option<MatchGroups>> {
        for at in from..=text.len() {
            if let Some(found) = self.at(text, at, false)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::super::regex_read::compile;
    use super::*;

    fn whole(pattern: &str, text: &str) -> Read<bool> {
        let text: Vec<char> = text.chars().collect();
        Ok(compile(pattern, 0)?.at(&text, 0, true)?.is_some())
    }

    #[test]
    fn patterns_match_as_java_does() {
        assert_eq!(whole("[A-Z]{2}\\d{5,}", "DE12345"), Ok(true));
        assert_eq!(whole("(a|b)*c", "ababc"), Ok(true));
        assert_eq!(whole("a++a", "aaa"), Ok(false));
        assert_eq!(whole("(..)\\1", "abab"), Ok(true));
        assert_eq!(whole("foo(?!bar).*", "foobar"), Ok(false));
        assert_eq!(whole("(", ""), Err(RegexFailure::Syntax));
    }

    #[test]
    fn what_explodes_is_cut() {
        assert_eq!(whole("(a|aa)+$", &format!("{}b", "a".repeat(60))), Err(LONG));
    }
}
