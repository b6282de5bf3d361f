//! Finds values assigned to names of secrets in Java, properties, YAML, XML, JSON, SQL and shell.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::names::{self, NameVerdict};
use super::place::NameInText;
use super::unquoted;
use super::values::{is_made, is_random, is_secret};

/// A fast filter for names that may be those of secrets.
static NAME: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?i)[A-Za-z0-9_.$-]*(?:pass|pwd|secret|token|key|credential|kennwort|salt|signature|auth|cert|session|cookie|nonce|seed|(?-u:\b)iv|licen[sc]e)[A-Za-z0-9_.$-]*",
    )
    .ok()
});

/// Methods that take a name and its value as arguments.
const PAIRS: &str = "\
    put putIfAbsent set setProperty addHeader setHeader header headers param params queryParam formParam field add \
    addParameter setParameter of entry with append withProperty property systemProperty addProperty setAttribute \
    getOrDefault getProperty getenv cookie Cookie pair Pair BasicNameValuePair SimpleEntry env withEnv attribute \
    putString addFormField addPart";

/// Functions whose argument is the secret value.
const WRAPPERS: &str = "\
    encode hash hashpw valueOf of ofNullable String SecretStr encrypt Password Secret Token asList requireNonNull strip \
    trim fromString decode hmacShaKeyFor SecretKeySpec noop just";

/// Ranges of secret values that follow a secret's name, with the kind of secret.
pub(super) fn find(text: &str) -> Vec<(Range<usize>, &'static str)> {
    let mut found: Vec<(Range<usize>, &'static str)> = Vec::new();
    let Some(form) = NAME.as_ref() else { return found };
    for name in form.find_iter(text) {
        let Some(sure) = names::judge(name.as_str())
            .or_else(|| names::takes_secret(name.as_str()).then_some(NameVerdict::Certain("secret")))
        else {
            continue;
        };
        let place = NameInText { text, start: name.start(), end: name.end(), name: name.as_str() };
        for range in place.values(sure) {
            let value = &text[range.clone()];
            let (kind, meant) = match sure {
                // In parsers, tokens are ordinary words.
                NameVerdict::Certain("token") => {
                    let variable = !name.as_str().contains(|c: char| c.is_ascii_lowercase());
                    ("token", is_secret(value) && (variable || is_made(value)))
                }
                NameVerdict::Certain(kind) => (kind, is_secret(value)),
                NameVerdict::Weak => ("key", is_random(value)),
            };
            if meant {
                found.push((range, kind));
            }
        }
    }
    found
}

impl NameInText<'_> {
    /// Ranges where the value of this name may stand.
    fn values(&self, sure: NameVerdict) -> Vec<Range<usize>> {
        if let Some(values) = self.of_placeholder() {
            return values;
        }
        let closers = closers(self.rest(self.end));
        let quoted = closers > 0;
        let at = self.end + closers;
        if let Some(values) = self.of_tag(at, quoted) {
            return values;
        }
        let space = at + blanks(self.rest(at));
        let rest = self.rest(space);
        let called = self.before().trim_end_matches(['"', '\'', ' ']);
        if rest.starts_with(['\n', '\r']) && (called.ends_with("name:") || called.ends_with("key:")) {
            return self.named_value(space).into_iter().collect();
        }
        if let Some(inner) = rest.strip_prefix('(') {
            let open = space + 1 + white(inner);
            let takes = names::takes_secret(self.name) && !quoted;
            return if takes { self.literal(open).into_iter().collect() } else { Vec::new() };
        }
        if quoted && rest.starts_with(',') {
            let value = space + 1 + white(&rest[1..]);
            if self.is_pair() {
                return self.literals(value, false);
            }
            return self.named_value(space).into_iter().collect();
        }
        if quoted && let Some(value) = self.named_value(space) {
            return vec![value];
        }
        let separator = separator(rest);
        if separator == 0 {
            return self.spaced(space, sure);
        }
        let value = space + separator;
        let open = value + white(self.rest(value));
        // In `"invalid token: " + token` the quoted text ends here and holds no value.
        let around = self.inside_quotes().filter(|quote| !self.text[self.end..at].contains(*quote));
        if around.is_some_and(|quote| self.rest(open).starts_with(quote)) {
            return Vec::new();
        }
        let (open, listed) = self.typed(open);
        let mut literals = self.literals(open, listed);
        // A text nested in a text ends with it: `"password='" + password + "'"`.
        let within = |value: &Range<usize>| around.is_some_and(|quote| self.text[value.clone()].contains(quote));
        if literals.first().is_some_and(within) {
            literals.clear();
        }
        if !literals.is_empty() {
            return literals;
        }
        // `== x` compares with another variable.
        if rest.starts_with("==") || rest.starts_with("!=") || rest.starts_with("=>") {
            return Vec::new();
        }
        unquoted::value(self, &rest[..separator], value, quoted).into_iter().collect()
    }

    /// The default in `${name:default}` and `${NAME:-default}`.
    fn of_placeholder(&self) -> Option<Vec<Range<usize>>> {
        if !self.text[..self.start].ends_with("${") {
            return None;
        }
        let rest = self.rest(self.end);
        // `${NAME:?message}` and `${NAME:+other}` contain no value of the variable.
        let Some(inner) = rest.strip_prefix(':').filter(|inner| !inner.starts_with(['?', '+'])) else {
            return Some(Vec::new());
        };
        let skip = usize::from(inner.starts_with(['-', '=']));
        let start = self.end + 1 + skip;
        let inner = self.rest(start);
        if inner.starts_with("${") || inner.starts_with("#{") {
            return Some(Vec::new());
        }
        let end = inner.find(['}', '\n']).unwrap_or(inner.len());
        Some(one(start, start + end))
    }

    /// The value in `<name>value</name>`, `<entry key="name">value</entry>`, or
    /// `<param-name>name</param-name><param-value>value</param-value>`.
    fn of_tag(&self, at: usize, quoted: bool) -> Option<Vec<Range<usize>>> {
        static NAMED: LazyLock<Option<Regex>> = LazyLock::new(|| {
            Regex::new(r"^\s*</[\w:-]*(?:name|key)>\s*<[\w:-]*(?:value|string)>\s*([^<\s][^<]*)<").ok()
        });
        let before = self.before();
        if before.ends_with('>')
            && let Some(value) = NAMED.as_ref()?.captures(self.near(at)).and_then(|found| found.get(1))
        {
            return Some(one(at + value.start(), at + value.end()));
        }
        let line = before.rfind('<').map(|open| &before[open + 1..])?;
        let tag = line.split(|c: char| c.is_whitespace()).next().unwrap_or_default();
        let is_tag = line.is_empty() || line.ends_with(':') && !line.contains(char::is_whitespace);
        if !is_tag && (!quoted || line.contains('>')) {
            return None;
        }
        let rest = self.rest(at);
        let head = rest.find('>').filter(|end| *end < 400)?;
        let head_text = &rest[..head];
        if head_text.contains(['<', ';', '(']) || head_text.ends_with('/') {
            return None;
        }
        let tag = if line.is_empty() || is_tag { self.name } else { tag };
        if tag.is_empty() {
            return None;
        }
        let mut start = at + head + 1;
        let mut body = self.rest(start);
        let close = body.find("</").filter(|end| *end < 20_000)?;
        let whole = &body[..close];
        if !is_tag && !body[close..].starts_with(&format!("</{tag}")) && !whole.trim_start().starts_with("<value>") {
            return None;
        }
        if is_tag && !body[close + 2..].starts_with(&format!("{line}{}", self.name)) {
            return None;
        }
        for inner in ["<value>", "<![CDATA["] {
            if whole.trim_start().starts_with(inner) {
                start += body.find(inner).unwrap_or(0) + inner.len();
                body = self.rest(start);
            }
        }
        let end = body.find("]]>").into_iter().chain(body.find("</")).min()?;
        // A `value` attribute takes precedence over the element's text.
        if let Some(value) = self.named_value(at) {
            return Some(vec![value]);
        }
        let value = &body[..end];
        let lead = value.len() - value.trim_start().len();
        (!value.contains('<')).then(|| one(start + lead, start + lead + value.trim().len()))
    }

    /// The value in `name="password" value="x"`, in `"name": "password", "value": "x"`, or in the same two entries on
    /// two lines of YAML.
    fn named_value(&self, at: usize) -> Option<Range<usize>> {
        static VALUE: LazyLock<Option<Regex>> = LazyLock::new(|| {
            Regex::new(r#"^[\s,]*(?:[a-zA-Z:_-]+\s*=\s*"[^"\n<>]*"\s+){0,4}\\?["']?(?:value|defaultValue|default)\\?["']?\s*[:=]\s*"#).ok()
        });
        let head = VALUE.as_ref()?.find(self.near(at))?;
        let open = at + head.end();
        self.literal(open).or_else(|| {
            let line = self.rest(open);
            let end = line.find('\n').unwrap_or(line.len());
            let plain = !line[..end].contains(['(', ';', '"', '{']);
            plain.then(|| open..open + line[..end].trim_end().len())
        })
    }

    /// Whether the name is an argument whose next argument is its value.
    fn is_pair(&self) -> bool {
        let before = self.text[..self.start].trim_end_matches(['"', '\'', '\\']);
        let before = before.trim_end();
        if let Some(callee) = before.strip_suffix('(') {
            let from = callee.rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_').map_or(0, |at| at + 1);
            return names::has(PAIRS, &callee[from..]);
        }
        let line = self.before();
        before.ends_with(',') && ["of(", "ofEntries(", "map(", "Map("].iter().any(|call| line.contains(call))
    }

    /// Skips a type (`val token: String = "x"`) and a function that only wraps the value. The flag tells whether a list
    /// of values may follow.
    fn typed(&self, at: usize) -> (usize, bool) {
        static AROUND: LazyLock<Option<Regex>> = LazyLock::new(|| {
            Regex::new(
                r"^(?:(?:[A-Z]\w*|string)\??\s*=\s*)?(?:(?:await|new|return|b|r|f|u)\s*)?(?:([\w.]+)\s*\(\s*){0,3}",
            )
            .ok()
        });
        let rest = self.near(at);
        let Some(around) = AROUND.as_ref().and_then(|form| form.captures(rest)) else { return (at, false) };
        let whole = around.get(0).map_or(0, |whole| whole.end());
        if !rest[whole..].starts_with(['"', '\'', '\\', '`']) {
            return (at, false);
        }
        let callee = around.get(1).map_or("", |callee| callee.as_str());
        let lists = ["List.of", "Set.of", "Stream.of", "Arrays.asList", "listOf", "setOf", "Collections.singletonList"];
        if lists.contains(&callee) {
            return (at + whole, true);
        }
        let wraps = callee.is_empty() || callee.rsplit('.').next().is_some_and(|last| names::has(WRAPPERS, last));
        (if wraps { at + whole } else { at }, false)
    }

    /// The text literal that begins here, and literals concatenated with it or in the same list.
    fn literals(&self, at: usize, listed: bool) -> Vec<Range<usize>> {
        let bracket = self.rest(at).starts_with(['[', '{']);
        let first = if bracket { at + 1 + white(&self.rest(at)[1..]) } else { at };
        let listed = listed || bracket;
        let mut found = Vec::new();
        let mut next = self.literal(first);
        while let Some(value) = next {
            let quote = self.rest(value.end);
            let quote = quote.len() - quote.trim_start_matches(['"', '\'', '`', '\\']).len();
            let behind = value.end + quote;
            let rest = self.rest(behind);
            let space = white(rest);
            let sign = rest[space..].chars().next();
            // `{"a": …}` is an object rather than a list.
            if bracket && found.is_empty() && !matches!(sign, Some(',' | ']' | '}')) {
                return Vec::new();
            }
            let goes_on = sign == Some('+') || (listed && sign == Some(','));
            let open = behind + space + 1;
            next = goes_on.then(|| self.literal(open + white(self.rest(open)))).flatten();
            found.push(value);
        }
        found
    }

    /// The content of the quoted text that begins here.
    fn literal(&self, at: usize) -> Option<Range<usize>> {
        let rest = self.rest(at);
        if let Some(inner) = rest.strip_prefix("\"\"\"") {
            let end = inner.find("\"\"\"")?;
            let lead = inner[..end].len() - inner[..end].trim_start().len();
            return Some(at + 3 + lead..at + 3 + lead + inner[lead..end].trim_end().len());
        }
        let slashes = rest.len() - rest.trim_start_matches('\\').len();
        let quote = rest[slashes..].chars().next().filter(|c| matches!(c, '"' | '\'' | '`'))?;
        let start = at + slashes + 1;
        let inner = self.rest(start);
        let line = &inner[..inner.find('\n').unwrap_or(inner.len())];
        for (end, _) in line.char_indices().filter(|(_, c)| *c == quote) {
            let escapes = line[..end].len() - line[..end].trim_end_matches('\\').len();
            let doubled = quote == '\'' && line[end + 1..].starts_with('\'') && end > 0;
            if escapes == slashes || (slashes == 0 && escapes.is_multiple_of(2) && !doubled) {
                let end = if slashes > 0 { end - slashes } else { end };
                return Some(start..start + end);
            }
        }
        // A text over several lines: at least its first line is taken.
        (!line.trim().is_empty() && quote != '\'').then(|| start..start + line.trim_end().len())
    }

    /// The value in `--password x`, `ENV PASSWORD x` or `storePassword 'x'`.
    fn spaced(&self, at: usize, sure: NameVerdict) -> Vec<Range<usize>> {
        let before = self.before();
        let flag = self.name.starts_with("--") || before.ends_with("--");
        let env = before.trim_end().ends_with("ENV");
        let first = before.trim().is_empty() && at > self.end && matches!(sure, NameVerdict::Certain(_));
        if first && let Some(value) = self.literal(at) {
            return vec![value];
        }
        if !(flag || env) || at == self.end {
            return Vec::new();
        }
        if let Some(value) = self.literal(at) {
            return vec![value];
        }
        let rest = self.rest(at);
        let end = rest.find(|c: char| c.is_whitespace() || "\"'`;|&)".contains(c)).unwrap_or(rest.len());
        if rest.starts_with('-') { Vec::new() } else { one(at, at + end) }
    }
}

fn one(start: usize, end: usize) -> Vec<Range<usize>> {
    std::iter::once(start..end).collect()
}

/// Length of the quotes and brackets that close a quoted or indexed name.
fn closers(rest: &str) -> usize {
    let end = rest.len() - rest.trim_start_matches(['"', '\'', '`', '\\', ']']).len();
    // A limit, since `''` and `""` may begin a new text.
    end.min(4)
}

fn blanks(rest: &str) -> usize {
    rest.len() - rest.trim_start_matches([' ', '\t']).len()
}

fn white(rest: &str) -> usize {
    rest.len() - rest.trim_start().len()
}

/// Length of the separator between name and value; 0 for none.
fn separator(rest: &str) -> usize {
    for sign in ["===", "!==", "==", "!=", "=>", ":=", "?=", "=", ":: ", ":"] {
        if rest.starts_with(sign) {
            return if sign == ":" && rest.starts_with("::") { 0 } else { sign.len() };
        }
    }
    0
}
