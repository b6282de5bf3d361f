//! Normalises tokens before they are hashed, so that code with the same behaviour has the same hash.
//!
//! Bodies of `if`, `else` and loops get braces. Adjacent annotations are sorted by name (stable for equal names).
//! Documentation annotations lose their prose. Annotations that only the compiler reads, or that only add a logger,
//! are removed.

/// Terminates each token; never occurs in UTF-8.
pub const SEPARATOR: u8 = 0xff;

/// Annotations of Swagger and MicroProfile OpenAPI that document an API.
const DOCUMENTING: [&[u8]; 16] = [
    b"Operation",
    b"Schema",
    b"Tag",
    b"Parameter",
    b"ApiResponse",
    b"APIResponse",
    b"RequestBody",
    b"Info",
    b"OpenAPIDefinition",
    b"Api",
    b"ApiOperation",
    b"ApiParam",
    b"ApiModel",
    b"ApiModelProperty",
    b"ApiImplicitParam",
    b"Header",
];

/// Arguments of documentation annotations that contain prose.
const PROSE: [&[u8]; 5] = [b"description", b"summary", b"notes", b"message", b"title"];

/// Documentation annotations whose unnamed argument, or `value`, is prose.
const VALUE_IS_PROSE: [&[u8]; 6] =
    [b"Api", b"ApiOperation", b"ApiParam", b"ApiModel", b"ApiModelProperty", b"ApiImplicitParam"];

/// The argument that assigns operations to documentation groups. In `Tag` the argument `name` does so.
const GROUPS: &[u8] = b"tags";

/// Documentation annotations that are removed if no argument is left.
const ONLY_PROSE: [&[u8]; 9] = [
    b"Operation",
    b"Schema",
    b"Tag",
    b"Parameter",
    b"Api",
    b"ApiOperation",
    b"ApiParam",
    b"ApiModel",
    b"ApiModelProperty",
];

/// Annotations of the JDK without effect at run time.
const INERT: [&[u8]; 5] = [b"Override", b"SuppressWarnings", b"SafeVarargs", b"FunctionalInterface", b"Deprecated"];

/// Lombok annotations that add a logger field.
const LOGGERS: [&[u8]; 9] =
    [b"Slf4j", b"Log4j2", b"Log4j", b"Log", b"CommonsLog", b"JBossLog", b"XSlf4j", b"Flogger", b"CustomLog"];

/// The libraries that a file mentions: simple annotation names are then assumed to be theirs.
#[derive(Debug, Clone, Copy, Default)]
pub struct Named {
    /// Swagger or MicroProfile OpenAPI.
    pub documentation: bool,
    /// Lombok.
    pub loggers: bool,
}

impl Named {
    /// The libraries that a source text mentions.
    pub fn of(text: &str) -> Self {
        Self {
            documentation: text.contains("io.swagger") || text.contains("microprofile.openapi"),
            loggers: text.contains("lombok."),
        }
    }
}

/// Maximum nesting depth of statements and annotations that are normalised; deeper ones are copied as written.
const DEPTH: u32 = 100;

/// The normal form of the tokens, each followed by the separator; `named` says which libraries' annotations to
/// expect.
pub fn normal_form(bytes: &[u8], named: Named) -> Vec<u8> {
    let tokens: Vec<&[u8]> = bytes.split(|byte| *byte == SEPARATOR).collect();
    // The part after the last separator is not a token.
    let tokens = tokens.get(..tokens.len().saturating_sub(1)).unwrap_or_default();
    let mut form =
        Form { tokens, closing: closing(tokens), named, depth: 0, out: Vec::with_capacity(bytes.len() + 16) };
    form.until(0, tokens.len());
    form.out
}

/// Whether the normal form may differ from the tokens as written.
pub fn may_differ(bytes: &[u8]) -> bool {
    let keyword = |word: &[u8]| matches!(word, b"if" | b"else" | b"for" | b"while" | b"do");
    bytes.contains(&b'@') || bytes.split(|byte| *byte == SEPARATOR).any(keyword)
}

/// For each opening bracket the index of its closing bracket, or the number of tokens if it is not closed.
fn closing(tokens: &[&[u8]]) -> Vec<u32> {
    let mut found = vec![tokens.len() as u32; tokens.len()];
    let mut open = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match *token {
            b"(" | b"{" | b"[" => open.push(at),
            b")" | b"}" | b"]" => {
                if let Some(from) = open.pop() {
                    found[from] = at as u32;
                }
            }
            _ => {}
        }
    }
    found
}

struct Form<'t> {
    tokens: &'t [&'t [u8]],
    closing: Vec<u32>,
    named: Named,
    depth: u32,
    out: Vec<u8>,
}

impl Form<'_> {
    fn is(&self, at: usize, token: &[u8]) -> bool {
        self.tokens.get(at).is_some_and(|found| *found == token)
    }

    fn put(&mut self, token: &[u8]) {
        self.out.extend_from_slice(token);
        self.out.push(SEPARATOR);
    }

    fn copy(&mut self, from: usize, to: usize) {
        for at in from..to.min(self.tokens.len()) {
            self.put(self.tokens[at]);
        }
    }

    /// The index after the closing bracket.
    fn behind(&self, open: usize) -> usize {
        (self.closing.get(open).map_or(self.tokens.len(), |at| *at as usize) + 1).min(self.tokens.len())
    }

    /// Writes the tokens in `at..end`.
    fn until(&mut self, mut at: usize, end: usize) {
        while at < end {
            at = self.next(at, end);
        }
    }

    /// Writes the construct that starts here, or else one token. Returns the index after it.
    fn next(&mut self, at: usize, end: usize) -> usize {
        let next = match self.tokens[at] {
            _ if self.depth >= DEPTH => None,
            b"if" | b"for" | b"while" if self.is(at + 1, b"(") => Some(self.deeper(|form| form.control(at))),
            b"do" => Some(self.deeper(|form| {
                form.put(b"do");
                form.body(at + 1)
            })),
            b"@" if !self.is(at + 1, b"interface") => self.deeper(|form| form.annotations(at, end)),
            _ => None,
        };
        next.unwrap_or_else(|| {
            self.copy(at, at + 1);
            at + 1
        })
    }

    fn deeper<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        self.depth += 1;
        let value = run(self);
        self.depth -= 1;
        value
    }

    /// Writes `if`, `for` or `while` with its condition and bodies.
    fn control(&mut self, at: usize) -> usize {
        let body = self.behind(at + 1);
        self.copy(at, at + 1);
        self.until(at + 1, body);
        let mut end = self.body(body);
        if self.is(at, b"if") && self.is(end, b"else") {
            self.put(b"else");
            end = if self.is(end + 1, b"if") && self.depth < DEPTH {
                self.deeper(|form| form.control(end + 1))
            } else {
                self.body(end + 1)
            };
        }
        end
    }

    /// Writes the body of a control statement with braces. An empty statement is kept, because it may end a `do …
    /// while`.
    fn body(&mut self, at: usize) -> usize {
        if self.is(at, b";") || at >= self.tokens.len() {
            return at;
        }
        if self.is(at, b"{") {
            let end = self.behind(at);
            self.until(at, end);
            return end;
        }
        self.put(b"{");
        let end = self.statement(at);
        self.put(b"}");
        end
    }

    /// Writes a statement that is not a block.
    fn statement(&mut self, at: usize) -> usize {
        let mut next = at;
        match self.tokens[at] {
            b"if" | b"for" | b"while" if self.is(at + 1, b"(") && self.depth < DEPTH => {
                return self.deeper(|form| form.control(at));
            }
            b"switch" | b"synchronized" | b"try" => {
                // Each turn: a keyword with its parentheses and block; `catch` and `finally` continue the statement.
                loop {
                    self.copy(next, next + 1);
                    next += 1;
                    for open in [b"(", b"{"] {
                        if self.is(next, open) {
                            let end = self.behind(next);
                            self.until(next, end);
                            next = end;
                        }
                    }
                    if !self.is(next, b"catch") && !self.is(next, b"finally") {
                        return next;
                    }
                }
            }
            _ => {}
        }
        // The statement ends at the first semicolon outside brackets.
        while next < self.tokens.len() && !self.is(next, b";") && !self.is(next, b"}") {
            next = match self.tokens[next] {
                b"(" | b"{" | b"[" => self.behind(next),
                b"if" | b"for" | b"while" | b"do" => break,
                _ => next + 1,
            };
        }
        let end = if self.is(next, b";") { next + 1 } else { next };
        self.until(at, end);
        if matches!(self.tokens.get(end), Some(&(b"if" | b"for" | b"while" | b"do"))) && end == next {
            // The statement after a label.
            return self.next(end, self.tokens.len());
        }
        end
    }

    /// Writes adjacent annotations, sorted; `None` if there is none here.
    fn annotations(&mut self, at: usize, end: usize) -> Option<usize> {
        let mut found: Vec<(Vec<u8>, Vec<u8>)> = Vec::new();
        let mut next = at;
        while next < end && self.is(next, b"@") && !self.is(next + 1, b"interface") {
            let name = next + 1;
            let mut last = name;
            while self.is(last + 1, b".") {
                last += 2;
            }
            if last >= end {
                break;
            }
            let written = std::mem::take(&mut self.out);
            next = self.annotation(next, last);
            let text = std::mem::replace(&mut self.out, written);
            found.push((self.tokens[name..=last].concat(), text));
        }
        found.sort_by(|(a, _), (b, _)| a.cmp(b));
        found.iter().for_each(|(_, text)| self.out.extend_from_slice(text));
        (next > at).then_some(next)
    }

    /// Writes one annotation whose name ends at `last`. Returns the index after it.
    fn annotation(&mut self, at: usize, last: usize) -> usize {
        let simple = self.tokens[last].rsplit(|byte| *byte == b'.').next().unwrap_or_default();
        let documents = self.named.documentation && DOCUMENTING.contains(&simple);
        let before = self.out.len();
        self.copy(at, last + 1);
        let open = last + 1;
        let mut kept = 0;
        let mut end = open;
        let is_closed = self.closing.get(open).is_some_and(|at| (*at as usize) < self.tokens.len());
        if self.is(open, b"(") && is_closed {
            end = self.behind(open);
            let close = end.saturating_sub(1);
            let mut arg = open + 1;
            while arg < close {
                let mut stop = arg;
                while stop < close && !self.is(stop, b",") {
                    stop = if matches!(self.tokens[stop], b"(" | b"{" | b"[") { self.behind(stop) } else { stop + 1 };
                }
                let name = if self.is(arg + 1, b"=") { self.tokens[arg] } else { b"value" };
                let is_prose = PROSE.contains(&name)
                    || name == GROUPS
                    || name == b"name" && simple == b"Tag"
                    || name == b"value" && VALUE_IS_PROSE.contains(&simple);
                if !(documents && is_prose) {
                    self.put(if kept == 0 { b"(" } else { b"," });
                    self.until(arg, stop.min(close));
                    kept += 1;
                }
                arg = stop + 1;
            }
            if kept > 0 {
                self.put(b")");
            }
        }
        let is_inert = INERT.contains(&simple) || self.named.loggers && LOGGERS.contains(&simple);
        if is_inert || kept == 0 && documents && ONLY_PROSE.contains(&simple) {
            self.out.truncate(before);
        }
        end
    }
}

#[cfg(test)]
mod tests {
    use super::super::tokens::Tokens;

    fn hash(text: &str) -> mastor_types::Hash {
        Tokens::of(text).hash(&[(0, text.len())])
    }

    #[test]
    fn braces_alone_do_not_count() {
        for (plain, braces) in [
            ("if (x) return;", "if (x) { return; }"),
            ("if (x) return 1; else return 2; y();", "if (x) { return 1; } else { return 2; } y();"),
            ("if (x) a(); else if (y) b(); else c();", "if (x) { a(); } else if (y) { b(); } else { c(); }"),
            (
                "for (A a : b) if (a.x()) f(() -> { g(); }); h();",
                "for (A a : b) { if (a.x()) { f(() -> { g(); }); } } h();",
            ),
            ("while (x) { if (y) z(); }", "while (x) { if (y) { z(); } }"),
            ("do i++; while (i < 3); j();", "do { i++; } while (i < 3); j();"),
            (
                "if (x) try { a(); } catch (E e) { if (y) b(); } finally { c(); } d();",
                "if (x) { try { a(); } catch (E e) { if (y) { b(); } } finally { c(); } } d();",
            ),
            ("if (x) switch (y) { case 1: if (z) a(); }", "if (x) { switch (y) { case 1: if (z) { a(); } } }"),
            ("f(() -> { if (x) return; });", "f(() -> { if (x) { return; } });"),
        ] {
            assert_eq!(hash(plain), hash(braces), "{plain}");
        }
        for (one, other) in [
            ("if (x) a(); b();", "if (x) { a(); b(); }"),
            ("if (x) { if (y) a(); } else b();", "if (x) { if (y) a(); else b(); }"),
            ("if (x) a(); else b();", "if (x) b(); else a();"),
            ("{ int i = 1; } f();", "int i = 1; f();"),
            ("while (x); { f(); }", "while (x) { f(); }"),
        ] {
            assert_ne!(hash(one), hash(other), "{one}");
        }
    }

    #[test]
    fn the_order_of_annotations_does_not_count_and_that_of_repeated_ones_does() {
        assert_eq!(hash("@B(1) @A public int x;"), hash("@A @B(1) public int x;"));
        assert_eq!(hash("void f(@a.B @A(x = {1, 2}) int x)"), hash("void f(@A(x = {1, 2}) @a.B int x)"));
        assert_ne!(hash("@A(1) @A(2) int x;"), hash("@A(2) @A(1) int x;"));
        assert_ne!(hash("@A(1) int x;"), hash("@A(2) int x;"));
        assert_ne!(hash("@A int x;"), hash("int x;"));
    }

    #[test]
    fn prose_of_documentation_does_not_count() {
        let with = |text: &str| hash(&format!("import io.swagger.v3.oas.annotations.*; {text}"));
        let plain = with("@Get int x;");
        assert_eq!(with("@Operation(summary = \"a\" + B, description = \"b\") @Get int x;"), plain);
        assert_eq!(with("@ApiOperation(\"all of them\") @Get int x;"), plain);
        assert_eq!(with("@Tag(name = \"A\") @Api(tags = {\"a\", \"b\"}) @Get int x;"), plain);
        assert_eq!(
            with("@Schema(description = \"a\", maxLength = 3) @Get int x;"),
            with("@Schema(maxLength = 3) @Get int x;")
        );
        assert_ne!(with("@Schema(maxLength = 3) @Get int x;"), with("@Schema(maxLength = 4) @Get int x;"));
        assert_eq!(
            with("@ApiResponses({ @ApiResponse(responseCode = \"200\", description = \"a\") }) int x;"),
            with("@ApiResponses({ @ApiResponse(responseCode = \"200\", description = \"b\") }) int x;")
        );
        // An annotation of the same simple name from another library.
        assert_ne!(hash("@Tag(description = \"a\") int x;"), hash("@Tag(description = \"b\") int x;"));
    }

    #[test]
    fn what_changes_nothing_that_runs_does_not_count() {
        assert_eq!(hash("@Override @SuppressWarnings(\"all\") int f() {}"), hash("int f() {}"));
        let with = |text: &str| hash(&format!("import lombok.extern.slf4j.Slf4j; {text}"));
        assert_eq!(with("@Slf4j(topic = \"a\") @Service class A {}"), with("@Service class A {}"));
        // An annotation of the same simple name from another library.
        assert_ne!(hash("@Log class A {}"), hash("class A {}"));
    }

    #[test]
    fn what_is_broken_or_deep_ends() {
        for text in ["if (x", "if (x) ", "else", "do", "@", "@A(", "for (;;) if", "try", "if (a) try"] {
            assert_eq!(hash(text), hash(text));
        }
        let deep = "if (a) ".repeat(20_000);
        assert_eq!(hash(&deep), hash(&deep));
        let nested = "@A(".repeat(20_000);
        assert_ne!(hash(&nested), hash(&deep));
    }
}
