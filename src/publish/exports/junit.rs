//! JUnit export: a Maven module with one class for each operation and one method for each oracle, using REST Assured.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::binds::{Listed, LoginUser, Users, bound_body, captured, expects_401};
use super::exported::{Export, Exported, LeftOut, symbols};
use super::in_jvm::{InJvm, Said, Starts};
use super::junit_size::{Weighed, classes as classes_of, too_large};
use super::names::{Names, camel};
use crate::request::{ANONYMOUS, Piece, media_type, multipart, pieces};
use crate::wording::words;
use mastor_template::escape::shorten;
use mastor_template::{TemplateError, Templates};
use mastor_types::op_id::{OpId, slug};
use mastor_types::results::strength::Near;
use mastor_types::suite::assertion::{Assertion, Check};
use mastor_types::suite::input::{Body, Input, canonical};
use mastor_types::suite::oracle::{Effect, Oracle};
use mastor_types::suite::sendable::cannot_be_sent;
use mastor_types::suite::sequence::{Sequence, Step};
use mastor_types::suite::varies::Varies;
use mastor_types::turn::{self, ExecutionGroup};

/// Maximum number of checks and of request parts in one method, since its bytecode is limited to 64 KiB.
const CHECKS: usize = 400;
const PARTS: usize = 3000;
/// Maximum length of a display name and of an evidence line, in characters.
const TITLE: usize = 200;
const EVIDENCE: usize = 1000;
/// Maximum length of a call chain: the compiler recurses once for each call.
const CHAIN: usize = 50;

/// Order of read-only tests, which come first.
const READS: u32 = 1;

/// JUnit settings that make classes and tests run in their given order.
const ORDER: &str = "\
junit.jupiter.testclass.order.default=org.junit.jupiter.api.ClassOrderer$OrderAnnotation
junit.jupiter.testmethod.order.default=org.junit.jupiter.api.MethodOrderer$OrderAnnotation
";

const SOURCES: &str = "src/test/java/mastor";

#[derive(Debug, Clone, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Argument {
    /// A text literal.
    Text { text: String },
    /// A number.
    Number { number: u16 },
    /// The captured value with this name, as text.
    Capture { text: String },
    /// JSON in which captured values are filled in.
    Fill { text: String },
}

/// A method call on the request builder, or a check of the answer.
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

/// Checks beyond the limit of the test method.
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
    #[serde(skip)]
    turn: u32,
    /// Order in the class, if some of its tests may write.
    order: Option<usize>,
    /// Why it is disabled, if so.
    disabled: Option<String>,
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
    /// Order among the classes.
    order: u32,
    reset: Reset,
    /// Whether some of its tests are disabled.
    disables: bool,
    /// Whether its tests need the service's initial state.
    needs_fresh_state: bool,
    tests: Vec<Test>,
}

/// The method that runs before each test. Without a known path, a setting may give one; in-memory databases of the
/// tests' JVM are reset anyway.
#[derive(Debug, Clone, Serialize)]
struct Reset {
    name: String,
    path: Option<String>,
}

/// The classes written so far.
struct Written<'a> {
    templates: &'a Templates,
    reset: Option<&'a str>,
    names: Names,
    out: Exported,
}

/// Exports the suite as a Maven module.
///
/// # Errors
/// Where a template is invalid.
pub fn junit(export: &Export<'_>) -> Result<Exported, TemplateError> {
    let to_run = export.to_run();
    let export = &Export { operations: &to_run.operations, sequences: &to_run.sequences, ..*export };
    let unknown = InJvm::default();
    let in_jvm = export.in_jvm.unwrap_or(&unknown);
    let mut users = Users::new(export.accounts);
    let mut classes = Written {
        templates: export.templates,
        reset: in_jvm.reset.as_deref(),
        names: Names::default(),
        out: Exported { left_out: to_run.left_out.clone(), ..Exported::default() },
    };
    for (op_id, operation) in export.operations {
        let symbols_of = |oracle: &Oracle| symbols(&operation.context.evidence, &oracle.evidence);
        let what = (op_id, op_id.to_string(), camel(op_id.as_str()));
        let of = |oracle: &Oracle| oracle.confirmation.fresh_state;
        classes.group(&what, &operation.oracles, of, |oracle, methods| {
            oracle_test(oracle, methods, &mut users, &symbols_of(oracle))
        })?;
    }
    for (op_id, sequences) in export.sequences {
        let what = (op_id, format!("sequences from {op_id}"), format!("SequencesFrom{}", camel(op_id.as_str())));
        let of = |sequence: &Sequence| sequence.confirmation.fresh_state;
        classes.group(&what, sequences, of, |sequence, methods| {
            sequence_test(sequence, methods, &mut users, &export.symbols_of(sequence))
        })?;
    }
    let confirmations = export.operations.values().flat_map(|o| &o.oracles).map(|oracle| &oracle.confirmation);
    let confirmations = confirmations.chain(export.all_sequences().map(|sequence| &sequence.confirmation));
    let needing = confirmations.filter(|confirmation| confirmation.fresh_state).count();
    let mut out = classes.out;
    out.users = users.variables();
    let known = users.all_known();
    let base_url = export.default_base_url();
    let artifact = slug(export.service);
    let mut add = |path: &str, text: String| out.files.insert(path.to_owned(), text.into_bytes());
    add("pom.xml", export.templates.render("junit/pom.xml", minijinja_context(&[("artifact", &artifact)]))?);
    add(
        &format!("{SOURCES}/Mastor.java"),
        export.templates.render("junit/Mastor.java", Requests { base_url: &base_url, users: &known })?,
    );
    if !known.is_empty() {
        for name in ["User", "Login"] {
            let text = export.templates.render(&format!("junit/{name}.java"), BTreeMap::from([("users", &known)]))?;
            add(&format!("{SOURCES}/{name}.java"), text);
        }
    }
    add(
        &format!("{SOURCES}/Application.java"),
        export.templates.render("junit/Application.java", Starts::from(in_jvm))?,
    );
    for name in ["Memory", "FreshState"] {
        add(&format!("{SOURCES}/{name}.java"), export.templates.render(&format!("junit/{name}.java"), ())?);
    }
    let readme = Readme {
        service: export.service,
        base_url: &base_url,
        oracles: words::count(export.operations.values().map(|o| o.oracles.len()).sum(), "oracle"),
        sequences: words::count(export.all_sequences().count(), "sequence"),
        users: users.listed(),
        jvm: Said::from(in_jvm),
        fresh_state: match needing {
            0 => None,
            1 => Some("One test holds".to_owned()),
            more => Some(format!("{more} tests hold")),
        },
    };
    add("README.md", export.templates.render("junit/README.md", readme)?);
    add("src/test/resources/junit-platform.properties", ORDER.to_owned());
    add(".gitignore", "/target\n".to_owned());
    Ok(out)
}

#[derive(Debug, Serialize)]
struct Readme<'a> {
    service: &'a str,
    base_url: &'a str,
    oracles: String,
    sequences: String,
    users: Vec<Listed>,
    jvm: Said,
    /// The number of tests that need fresh state, as the subject of a sentence; `None` for none.
    fresh_state: Option<String>,
}

/// Variables of the template for the class that sends requests.
#[derive(Debug, Serialize)]
struct Requests<'a> {
    base_url: &'a str,
    users: &'a [LoginUser<'a>],
}

fn minijinja_context<'a>(pairs: &[(&'a str, &'a str)]) -> BTreeMap<&'a str, &'a str> {
    pairs.iter().copied().collect()
}

impl Written<'_> {
    /// Adds the classes of an operation: separate ones for tests that need fresh state and for all others.
    fn group<T: Clone + Weighed>(
        &mut self,
        (op_id, title, name): &(&OpId, String, String),
        all: &[T],
        needs_fresh_state: impl Fn(&T) -> bool,
        mut test: impl FnMut(&T, &mut Names) -> Test,
    ) -> Result<(), TemplateError> {
        let (fresh, any): (Vec<T>, Vec<T>) = all.iter().cloned().partition(needs_fresh_state);
        for part in classes_of(&any) {
            self.add(op_id, title, name, false, |methods| part.iter().map(|one| test(one, methods)).collect())?;
        }
        let (title, name) = (format!("{title} on a fresh state"), format!("{name}FreshState"));
        for part in classes_of(&fresh) {
            self.add(op_id, &title, &name, true, |methods| part.iter().map(|one| test(one, methods)).collect())?;
        }
        Ok(())
    }

    /// Adds a class with the tests from `make`, which reserves their method names.
    fn add(
        &mut self,
        op_id: &OpId,
        title: &str,
        name: &str,
        needs_fresh_state: bool,
        make: impl FnOnce(&mut Names) -> Vec<Test>,
    ) -> Result<(), TemplateError> {
        // Surefire runs classes whose names end in `Test`.
        let class = format!("{}Test", self.names.take(name));
        let path = format!("{SOURCES}/{class}.java");
        let mut methods = Names::default();
        let before = methods.take("reset");
        let mut tests = make(&mut methods);
        let order = tests.iter().map(|test| test.turn).max().unwrap_or(READS);
        let writes = order > READS;
        if writes {
            tests.sort_by_key(|test| test.turn);
            tests.iter_mut().enumerate().for_each(|(n, test)| test.order = Some(n + 1));
        }
        let reset = Reset { name: before, path: self.reset.map(str::to_owned) };
        for test in &tests {
            match &test.disabled {
                None => _ = self.out.tests.insert(format!("{class}#{}", test.name), test.of.clone()),
                Some(why) => self.out.left_out.push(LeftOut::new(&test.of.id, op_id, why)),
            }
        }
        let disables = tests.iter().any(|test| test.disabled.is_some());
        let class = Class { title: shorten(title, TITLE), class, order, reset, disables, needs_fresh_state, tests };
        let text = self.templates.render("junit/Operation.java", class)?;
        self.out.files.insert(path, text.into_bytes());
        Ok(())
    }
}

fn oracle_test(oracle: &Oracle, methods: &mut Names, users: &mut Users<'_>, symbols: &[String]) -> Test {
    let name = methods.take(&oracle.test_id);
    let judged = Varies::of(&oracle.confirmation, 1).judged(0, &oracle.assertions);
    let mut checks: Vec<Part> = judged.into_iter().map(|a| check(a, Argument::text)).collect();
    let rest = checks.split_off(checks.len().min(CHECKS));
    let more = more(rest, &name, methods);
    let turn = turn_of(oracle.effect, turn::turn([oracle.asserted()]), false);
    let path = template(&oracle.op_id);
    let as_user = (oracle.as_user.as_str(), expects_401(&oracle.assertions));
    let mut parts = request(&oracle.op_id, as_user, &oracle.input, &BTreeMap::new(), users);
    if turn::writes_by_code(oracle.effect, &[&oracle.op_id]) {
        parts.insert(0, Part { name: "writes", arguments: Vec::new() });
    }
    let disabled = cannot_be_sent(&oracle.op_id, &oracle.input, &BTreeMap::new())
        .map(|why| format!("it cannot be sent: {why}"))
        .or_else(|| too_large(oracle).or_else(|| too_many(parts.len())));
    Test {
        of: Near { id: oracle.o_id.clone(), test_id: oracle.test_id.clone() },
        turn,
        order: None,
        disabled,
        ids: format!("op_id: {}   o_id: {}", oracle.op_id, oracle.o_id),
        evidence: evidence(symbols),
        title: shorten(&format!("{} [{}]", shorten(&oracle.description, TITLE - 20), oracle.o_id), TITLE),
        name,
        captures: false,
        steps: vec![TestStep {
            answer: "answer".to_owned(),
            call: "request".to_owned(),
            method: oracle.op_id.method().as_str(),
            path,
            request: chains(parts),
            checks,
            more,
            captures: Vec::new(),
        }],
    }
}

/// Order of a test: read-only tests first, then the others in mastor's own order.
fn turn_of(effect: Effect, turn: ExecutionGroup, is_sequence: bool) -> u32 {
    if effect == Effect::Reads {
        return READS;
    }
    let place = match turn {
        ExecutionGroup::Refused => 50,
        ExecutionGroup::Reads => 100,
        ExecutionGroup::Fails => 150,
        ExecutionGroup::Creates => 200,
        ExecutionGroup::Changes => 300,
        ExecutionGroup::Deletes(Reverse(depth)) => 400 + 2 * 40_u32.saturating_sub(u32::try_from(depth).unwrap_or(40)),
    };
    place + u32::from(is_sequence)
}

/// Additional methods for the checks beyond the limit of the test method.
fn more(rest: Vec<Part>, name: &str, methods: &mut Names) -> Vec<More> {
    rest.chunks(CHECKS)
        .map(|part| More { name: methods.take(&format!("{name}_more")), checks: part.to_vec() })
        .collect()
}

/// Why requests with this many parts do not fit into a method; `None` if they do.
fn too_many(parts: usize) -> Option<String> {
    (parts > PARTS).then(|| format!("its requests have {parts} parts, more than a method of Java holds"))
}

fn sequence_test(sequence: &Sequence, methods: &mut Names, users: &mut Users<'_>, symbols: &[String]) -> Test {
    let name = methods.take(&sequence.test_id);
    let room = CHECKS / sequence.steps.len().max(1);
    let op_ids: Vec<&OpId> = sequence.steps.iter().map(|step| &step.op_id).collect();
    let varies = Varies::of(&sequence.confirmation, sequence.steps.len());
    let mut steps = Vec::new();
    for (n, step) in sequence.steps.iter().enumerate() {
        steps.push(sequence_step(n, step, &varies.judged(n, &step.assertions), room, (&name, methods), users));
    }
    if turn::writes_by_code(sequence.effect, &op_ids)
        && let Some(request) = steps.iter_mut().find_map(|step| step.request.first_mut())
    {
        request.insert(0, Part { name: "writes", arguments: Vec::new() });
    }
    let parts = steps.iter().flat_map(|step| &step.request).map(Vec::len).sum();
    let unsendable = sequence.steps.iter().find_map(|step| cannot_be_sent(&step.op_id, &step.input, &step.binds));
    let disabled = unsendable
        .map(|why| format!("one of its requests cannot be sent: {why}"))
        .or_else(|| too_large(sequence).or_else(|| too_many(parts)));
    let ids: Vec<&str> = op_ids.iter().map(|op_id| op_id.as_str()).collect();
    Test {
        of: Near { id: sequence.s_id.clone(), test_id: sequence.test_id.clone() },
        turn: turn_of(sequence.effect, turn::turn(sequence.steps.iter().map(Step::asserted)), true),
        order: None,
        disabled,
        ids: format!("s_id: {}   op_ids: {}", sequence.s_id, ids.join(", ")),
        evidence: evidence(symbols),
        title: shorten(&format!("{} [{}]", shorten(&sequence.description, TITLE - 20), sequence.s_id), TITLE),
        name,
        captures: true,
        steps,
    }
}

/// A step of a sequence; checks beyond the limit move to additional methods.
fn sequence_step(
    n: usize,
    step: &Step,
    judged: &[&Assertion],
    room: usize,
    (name, methods): (&str, &mut Names),
    users: &mut Users<'_>,
) -> TestStep {
    let filled = |assertion: &&Assertion| check(assertion, |json| Argument::Fill { text: json });
    let mut checks: Vec<Part> = judged.iter().map(filled).collect();
    let rest = checks.split_off(checks.len().min(room));
    let as_user = (step.as_user.as_str(), expects_401(&step.assertions));
    TestStep {
        answer: format!("answer{}", n + 1),
        call: format!("request{}", n + 1),
        method: step.op_id.method().as_str(),
        path: template(&step.op_id),
        request: chains(request(&step.op_id, as_user, &step.input, &step.binds, users)),
        checks,
        more: more(rest, name, methods),
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

/// The path template with plain `{name}` parameters and encoded literal text.
fn template(op_id: &OpId) -> String {
    let piece = |piece| match piece {
        Piece::Literal(text) => text,
        Piece::Parameter(name) => format!("{{{name}}}"),
    };
    pieces(op_id.path()).into_iter().map(piece).collect()
}

fn request(
    op_id: &OpId,
    (as_user, expects_401): (&str, bool),
    input: &Input,
    binds: &BTreeMap<String, String>,
    users: &mut Users<'_>,
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
    out.extend(as_parts(as_user, expects_401, users));
    out.extend(input.body.as_ref().and_then(|body| body_part(body, binds)));
    out
}

/// The calls that set the user of a request.
fn as_parts(as_user: &str, expects_401: bool, users: &mut Users<'_>) -> Vec<Part> {
    if as_user == ANONYMOUS {
        return Vec::new();
    }
    match users.known(as_user) {
        None => {
            let arguments = vec![Argument::text(as_user), Argument::text(users.variable(as_user))];
            vec![Part { name: "as", arguments }]
        }
        Some(known) => {
            let stays = expects_401 && known.account.login.is_some();
            let stays = stays.then(|| Part { name: "withoutRenewal", arguments: Vec::new() });
            [Part { name: "as", arguments: vec![Argument::text(as_user)] }].into_iter().chain(stays).collect()
        }
    }
}

fn body_part(body: &Body, binds: &BTreeMap<String, String>) -> Option<Part> {
    let typed = |name, text: String| {
        Some(Part { name, arguments: vec![Argument::text(media_type(body)), Argument::text(text)] })
    };
    match body {
        Body::Json { json } => {
            let argument = match bound_body(json, binds) {
                Some(bound) => Argument::Fill { text: canonical(&bound) },
                None => Argument::text(canonical(json)),
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

/// The check of an assertion; `json` makes the argument for an expected JSON value.
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
    use super::*;
    use crate::sample;

    #[test]
    fn an_operation_becomes_a_class_and_an_oracle_a_method() {
        let suite = sample::suite();
        let exported = junit(&Export::of("orders", "/api", &suite)).unwrap();
        let mut text = String::new();
        for (path, bytes) in exported.files.iter().filter(|(path, _)| {
            !["Mastor.java", "Application.java", "Memory.java", "/FreshState.java"]
                .iter()
                .any(|end| path.ends_with(end))
        }) {
            text.push_str(&format!("=== {path}\n{}\n", String::from_utf8_lossy(bytes)));
        }
        insta::assert_snapshot!(text);
    }
}
