//! JUnit export: a Maven module with one class per operation and one method per oracle, on REST Assured.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::binds::{Users, bound_body, captured};
use super::exported::{Export, Exported, symbols};
use super::in_jvm::{InJvm, Said, Starts};
use super::names::{Names, camel};
use super::request::{ANONYMOUS, Piece, media_type, multipart, pieces};
use super::words;
use crate::template::escape::shorten;
use crate::template::{TemplateError, Templates};
use crate::types::op_id::{OpId, slug};
use crate::types::oracle::{Assertion, Body, Check, Input, Oracle, canonical};
use crate::types::sequence::{Sequence, Step};
use crate::types::strength::Near;

/// Most tests of one class and checks of one method: class files bound both.
const TESTS: usize = 200;
const CHECKS: usize = 400;
/// Longest display name and evidence line, in characters.
const TITLE: usize = 200;
const EVIDENCE: usize = 1000;
/// Longest chain of calls: the compiler goes down one level for each.
const CHAIN: usize = 50;

const SOURCES: &str = "src/test/java/mastor";

#[derive(Debug, Clone, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Argument {
    /// A text.
    Text { text: String },
    /// A number.
    Number { number: u16 },
    /// What was captured under this name, as text.
    Capture { text: String },
    /// JSON in which captures are filled in.
    Fill { text: String },
}

/// A method call: of the request builder, or a check of the answer.
#[derive(Debug, Clone, Serialize)]
struct Part {
    name: &'static str,
    arguments: Vec<Argument>,
}

#[derive(Debug, Serialize)]
struct TestStep {
    answer: String,
    method: &'static str,
    path: String,
    call: String,
    request: Vec<Vec<Part>>,
    checks: Vec<Part>,
    more: Vec<More>,
    captures: Vec<Capture>,
}

/// Checks that found no room in the test method.
#[derive(Debug, Serialize)]
struct More {
    name: String,
    checks: Vec<Part>,
}

#[derive(Debug, Serialize)]
struct Capture {
    name: String,
    from: String,
}

#[derive(Debug, Serialize)]
struct Test {
    #[serde(skip)]
    of: Near,
    ids: String,
    evidence: String,
    title: String,
    name: String,
    captures: bool,
    steps: Vec<TestStep>,
}

#[derive(Debug, Serialize)]
struct Class {
    title: String,
    class: String,
    reset: Option<Reset>,
    tests: Vec<Test>,
}

/// The method that runs before each test.
#[derive(Debug, Clone, Serialize)]
struct Reset {
    name: String,
    path: String,
}

/// The classes as they are written.
struct Written<'a> {
    templates: &'a Templates,
    reset: Option<&'a str>,
    names: Names,
    out: Exported,
}

/// The suite as a Maven module.
///
/// # Errors
/// Where a template itself is wrong.
pub fn junit(export: &Export<'_>) -> Result<Exported, TemplateError> {
    let unknown = InJvm::default();
    let in_jvm = export.in_jvm.unwrap_or(&unknown);
    let mut users = Users::default();
    let mut classes = Written {
        templates: export.templates,
        reset: in_jvm.reset.as_deref(),
        names: Names::default(),
        out: Exported::default(),
    };
    for (op_id, operation) in export.operations {
        for oracles in operation.oracles.chunks(TESTS) {
            classes.add(op_id.to_string(), &camel(op_id.as_str()), |methods| {
                let test = |oracle: &Oracle| {
                    oracle_test(oracle, methods, &mut users, &symbols(&operation.context.evidence, &oracle.evidence))
                };
                oracles.iter().map(test).collect()
            })?;
        }
    }
    for (op_id, sequences) in export.sequences {
        for sequences in sequences.chunks(TESTS) {
            let name = format!("SequencesFrom{}", camel(op_id.as_str()));
            classes.add(format!("sequences from {op_id}"), &name, |methods| {
                sequences.iter().map(|s| sequence_test(s, methods, &mut users, &export.symbols_of(s))).collect()
            })?;
        }
    }
    let mut out = classes.out;
    out.users.clone_from(users.variables());
    let base_url = export.default_base_url();
    let artifact = slug(export.service);
    let mut add = |path: &str, text: String| out.files.insert(path.to_owned(), text.into_bytes());
    add("pom.xml", export.templates.render("junit/pom.xml", minijinja_context(&[("artifact", &artifact)]))?);
    add(
        &format!("{SOURCES}/Mastor.java"),
        export.templates.render("junit/Mastor.java", minijinja_context(&[("base_url", &base_url)]))?,
    );
    add(
        &format!("{SOURCES}/Application.java"),
        export.templates.render("junit/Application.java", Starts::from(in_jvm))?,
    );
    let readme = Readme {
        service: export.service,
        base_url: &base_url,
        oracles: words::count(export.operations.values().map(|o| o.oracles.len()).sum(), "oracle"),
        sequences: words::count(export.all_sequences().count(), "sequence"),
        users: users.listed(),
        jvm: Said::from(in_jvm),
    };
    add("README.md", export.templates.render("junit/README.md", readme)?);
    add(".gitignore", "/target\n".to_owned());
    Ok(out)
}

#[derive(Debug, Serialize)]
struct Readme<'a> {
    service: &'a str,
    base_url: &'a str,
    oracles: String,
    sequences: String,
    users: Vec<BTreeMap<&'static str, String>>,
    jvm: Said,
}

fn minijinja_context<'a>(pairs: &[(&'a str, &'a str)]) -> BTreeMap<&'a str, &'a str> {
    pairs.iter().copied().collect()
}

impl Written<'_> {
    /// Adds a class with the tests that `make` makes, which takes its methods' names from what it is given.
    fn add(
        &mut self,
        title: String,
        name: &str,
        make: impl FnOnce(&mut Names) -> Vec<Test>,
    ) -> Result<(), TemplateError> {
        // Surefire takes classes that end in `Test`.
        let class = format!("{}Test", self.names.take(name));
        let path = format!("{SOURCES}/{class}.java");
        let mut methods = Names::default();
        let reset = self.reset.map(|path| Reset { name: methods.take("reset"), path: path.to_owned() });
        let tests = make(&mut methods);
        self.out.tests.extend(tests.iter().map(|test| (format!("{class}#{}", test.name), test.of.clone())));
        let class = Class { title: shorten(&title, TITLE), class, reset, tests };
        let text = self.templates.render("junit/Operation.java", class)?;
        self.out.files.insert(path, text.into_bytes());
        Ok(())
    }
}

fn oracle_test(oracle: &Oracle, methods: &mut Names, users: &mut Users, symbols: &[String]) -> Test {
    let name = methods.take(&oracle.test_id);
    let mut checks: Vec<Part> = oracle.assertions.iter().map(|a| check(a, Argument::text)).collect();
    let rest = checks.split_off(checks.len().min(CHECKS));
    let more = rest
        .chunks(CHECKS)
        .map(|part| More { name: methods.take(&format!("{name}_more")), checks: part.to_vec() })
        .collect();
    Test {
        of: Near { id: oracle.o_id.clone(), test_id: oracle.test_id.clone() },
        ids: format!("op_id: {}   o_id: {}", oracle.op_id, oracle.o_id),
        evidence: evidence(symbols),
        title: shorten(&format!("{} [{}]", shorten(&oracle.description, TITLE - 20), oracle.o_id), TITLE),
        name,
        captures: false,
        steps: vec![TestStep {
            answer: "answer".to_owned(),
            call: "request".to_owned(),
            method: oracle.op_id.method().as_str(),
            path: template(&oracle.op_id),
            request: chains(request(&oracle.op_id, &oracle.as_user, &oracle.input, &BTreeMap::new(), users)),
            checks,
            more,
            captures: Vec::new(),
        }],
    }
}

fn sequence_test(sequence: &Sequence, methods: &mut Names, users: &mut Users, symbols: &[String]) -> Test {
    let steps = sequence.steps.iter().enumerate().map(|(n, step)| sequence_step(n, step, users)).collect();
    let ids: Vec<&str> = sequence.steps.iter().map(|step| step.op_id.as_str()).collect();
    Test {
        of: Near { id: sequence.s_id.clone(), test_id: sequence.test_id.clone() },
        ids: format!("s_id: {}   op_ids: {}", sequence.s_id, ids.join(", ")),
        evidence: evidence(symbols),
        title: shorten(&format!("{} [{}]", shorten(&sequence.description, TITLE - 20), sequence.s_id), TITLE),
        name: methods.take(&sequence.test_id),
        captures: true,
        steps,
    }
}

fn sequence_step(n: usize, step: &Step, users: &mut Users) -> TestStep {
    TestStep {
        answer: format!("answer{}", n + 1),
        call: format!("request{}", n + 1),
        method: step.op_id.method().as_str(),
        path: template(&step.op_id),
        request: chains(request(&step.op_id, &step.as_user, &step.input, &step.binds, users)),
        checks: step.assertions.iter().map(|a| check(a, |json| Argument::Fill { text: json })).collect(),
        more: Vec::new(),
        captures: step.captures.iter().map(|(name, from)| Capture { name: name.clone(), from: from.clone() }).collect(),
    }
}

fn chains(parts: Vec<Part>) -> Vec<Vec<Part>> {
    if parts.is_empty() { vec![Vec::new()] } else { parts.chunks(CHAIN).map(<[Part]>::to_vec).collect() }
}

fn evidence(symbols: &[String]) -> String {
    if symbols.is_empty() {
        return "evidence: none, a person wrote it".to_owned();
    }
    shorten(&format!("evidence: {}", symbols.join(", ")), EVIDENCE)
}

impl Argument {
    fn text(text: impl Into<String>) -> Self {
        Self::Text { text: text.into() }
    }
}

/// The path template with plain `{name}` parameters, its literal text as it goes over the wire.
fn template(op_id: &OpId) -> String {
    let piece = |piece| match piece {
        Piece::Literal(text) => text,
        Piece::Parameter(name) => format!("{{{name}}}"),
    };
    pieces(op_id.path()).into_iter().map(piece).collect()
}

fn request(
    op_id: &OpId,
    as_user: &str,
    input: &Input,
    binds: &BTreeMap<String, String>,
    users: &mut Users,
) -> Vec<Part> {
    let value = |place: String, text: &str| match binds.get(&place).and_then(|bind| captured(bind)) {
        Some(name) => Argument::Capture { text: name.to_owned() },
        None => Argument::text(text),
    };
    let mut out = Vec::new();
    let mut pair = |method, kind: &str, name: &str, text: &str| {
        out.push(Part { name: method, arguments: vec![Argument::text(name), value(format!("{kind}.{name}"), text)] });
    };
    for piece in pieces(op_id.path()) {
        if let Piece::Parameter(name) = piece {
            pair("path", "path", &name, input.path.get(&name).map_or("", String::as_str));
        }
    }
    for (name, text) in &input.query {
        pair("query", "query", name, text);
    }
    for (name, text) in &input.headers {
        pair("header", "header", name, text);
    }
    for (name, text) in &input.cookies {
        pair("cookie", "cookie", name, text);
    }
    if let Some(Body::Form { form }) = &input.body {
        for (name, text) in form {
            pair("form", "form", name, text);
        }
    }
    if as_user != ANONYMOUS {
        let arguments = vec![Argument::text(as_user), Argument::text(users.variable(as_user))];
        out.push(Part { name: "as", arguments });
    }
    out.extend(input.body.as_ref().and_then(|body| body_part(body, binds)));
    out
}

fn body_part(body: &Body, binds: &BTreeMap<String, String>) -> Option<Part> {
    let typed = |name, text: String| {
        Some(Part { name, arguments: vec![Argument::text(media_type(body)), Argument::text(text)] })
    };
    match body {
        Body::Json { json } => {
            let argument = match bound_body(json, binds) {
                Some(bound) => Argument::Fill { text: canonical(&bound) },
                None => Argument::text(json.to_string()),
            };
            Some(Part { name: "json", arguments: vec![argument] })
        }
        Body::Text { text, .. } => typed("text", text.clone()),
        Body::Base64 { base64, .. } => typed("base64", base64.clone()),
        Body::Form { form } if form.is_empty() => typed("text", String::new()),
        Body::Form { .. } => None,
        Body::Multipart { multipart: parts } => typed("text", multipart(parts)),
    }
}

/// One assertion as a call on the answer; `json` says how an expected JSON value is written.
fn check(assertion: &Assertion, json: impl Fn(String) -> Argument) -> Part {
    let operands = |subject: &str, op, expected: &Option<Value>| {
        let mut arguments = vec![Argument::text(subject), Argument::text(words::field_op(op))];
        arguments.extend(words::operand(op, expected.as_ref()).map(&json));
        arguments
    };
    match &assertion.check {
        Check::Status { expected } => Part {
            name: "status",
            arguments: expected.codes().into_iter().map(|number| Argument::Number { number }).collect(),
        },
        Check::Field { path, op, expected } => Part { name: "field", arguments: operands(path, *op, expected) },
        Check::Header { name, op, expected } => Part { name: "header", arguments: operands(name, *op, expected) },
        Check::Body { op, expected } => {
            let mut arguments = vec![Argument::text(words::body_op(*op))];
            arguments.extend(expected.as_ref().map(Argument::text));
            Part { name: "body", arguments }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    #[test]
    fn an_operation_becomes_a_class_and_an_oracle_a_method() {
        let suite = sample::suite();
        let exported = junit(&Export::of("orders", "/api", &suite)).unwrap();
        let mut text = String::new();
        for (path, bytes) in exported
            .files
            .iter()
            .filter(|(path, _)| !path.ends_with("Mastor.java") && !path.ends_with("Application.java"))
        {
            text.push_str(&format!("=== {path}\n{}\n", String::from_utf8_lossy(bytes)));
        }
        insta::assert_snapshot!(text);
    }
}
