//! Test classes: one for each operation, with a method for each oracle.

use std::collections::{BTreeMap, BTreeSet};

use super::checks::checks;
use super::kit::Kit;
use super::layout::{comment, display_name, statement};
use super::names::Imports;
use super::recorded::Recorded;
use super::request::request;
use super::titles::method_name;
use super::wiring::{ClassWiring, beans, head, log_in};
use crate::exports::exported::LeftOut;
use crate::exports::names::{Names, camel};
use mastor_template::escape::shorten;
use mastor_types::OpId;
use mastor_types::results::outcome::Answer;
use mastor_types::suite::oracle::Oracle;

/// Maximum length of a display name.
const TITLE: usize = 300;
/// Placeholder for the display-name annotation until lines are laid out.
const TITLED: &str = "@`org.junit.jupiter.api|DisplayName`";

/// An oracle that held, to be turned into a test.
#[derive(Debug, Clone)]
pub struct SliceTest<'a> {
    /// The oracle.
    pub oracle: &'a Oracle,
    /// The recording of its slice.
    pub recorded: Recorded,
    /// The answers seen.
    pub answers: Vec<Answer>,
    /// Whether the test logs in a caller, if the code asks for one.
    pub logs_in: bool,
}

impl SliceTest<'_> {
    fn left_out(&self, why: impl Into<String>) -> LeftOut {
        LeftOut::new(&self.oracle.o_id, &self.oracle.op_id, why)
    }

    /// Whether the code asked for the caller and the test logs one in.
    fn has_caller(&self) -> bool {
        self.logs_in && self.recorded.caller.is_some()
    }

    /// Switches the login on if it is needed and off; returns whether it was switched on.
    pub fn log_in(&mut self) -> bool {
        let is_left = !self.logs_in && self.recorded.caller.is_some();
        self.logs_in |= is_left;
        is_left
    }
}

/// A test class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestClass {
    /// Path below `src/test/java`.
    pub path: String,
    /// Fully qualified name.
    pub name: String,
    /// Source text.
    pub text: String,
    /// Oracle ids by method name.
    pub tests: BTreeMap<String, String>,
}

/// The result of making tests from oracles that held.
#[derive(Debug, Clone, Default)]
pub struct Made {
    /// The test classes.
    pub classes: Vec<TestClass>,
    /// Oracles without a test, with reasons.
    pub left_out: Vec<LeftOut>,
}

/// Makes the test classes; `base_path` is the path before the operations' paths.
pub fn classes(tests: &[SliceTest<'_>], kit: &Kit, base_path: &str) -> Made {
    let mut made = Made::default();
    let mut by_operation: BTreeMap<&OpId, Vec<(&SliceTest<'_>, String)>> = BTreeMap::new();
    for test in tests {
        let asked = match test.recorded.refused() {
            Some(why) => Err(why),
            None => request(test.oracle, kit.inside(base_path)).map_err(str::to_owned),
        };
        match asked {
            Ok(asked) => by_operation.entry(&test.oracle.op_id).or_default().push((test, asked)),
            Err(why) => made.left_out.push(test.left_out(why)),
        }
    }
    let mut names = Names::default();
    for (op_id, tests) in by_operation {
        let name = format!("{}Test", names.take(&camel(op_id.as_str())));
        let class = class(op_id, &name, &tests, (kit, &mut made.left_out));
        made.classes.extend((!class.tests.is_empty()).then_some(class));
    }
    made
}

fn class(
    op_id: &OpId,
    name: &str,
    tests: &[(&SliceTest<'_>, String)],
    (kit, left_out): (&Kit, &mut Vec<LeftOut>),
) -> TestClass {
    let handler = tests.first().map(|(test, _)| test.recorded.handler.clone()).unwrap_or_default();
    let home = handler.trim_matches('`').split('|').next().unwrap_or_default().to_owned();
    let mut shared = ClassWiring::default();
    let mut own = Vec::new();
    for (test, asked) in tests {
        match test.recorded.handler == handler && shared.take(&test.recorded, test.has_caller()) {
            true => own.push((*test, asked)),
            false => left_out.push(test.left_out("it needs other values of a class than the tests before it")),
        }
    }
    let mut methods = Names::default();
    for taken in shared.helpers.keys() {
        methods.take(taken);
    }
    let mut imports = Imports::new(&home);
    let mut body = Vec::new();
    let mut ids = BTreeMap::new();
    let (mut written, mut cases) = (BTreeSet::new(), BTreeSet::new());
    for (test, asked) in &own {
        let code = test_code(test, asked);
        let title = shorten(&test.oracle.description, TITLE).replace('…', "...");
        // Different oracles may give the same code, or the same title and checks.
        let case = (title.clone(), checks(test.oracle, &test.answers));
        if !written.insert(code.clone()) || !cases.insert(case) {
            left_out.push(test.left_out("another test says the same of the same case"));
            continue;
        }
        let method = methods.take(&method_name(test.oracle));
        ids.insert(method.clone(), test.oracle.o_id.clone());
        body.push(String::new());
        body.push("  @`org.junit.jupiter.api|Test`".to_owned());
        body.push(format!("  {TITLED}{}", title.trim_end_matches('.')));
        body.push(format!("  void {method}() throws Exception {{"));
        body.extend(code);
        body.push("  }".to_owned());
    }
    let mut lines = head(op_id, name, &shared, kit);
    lines.extend(body);
    for (helper_name, helper) in &shared.helpers {
        lines.push(String::new());
        lines.push(format!("  private static {} {helper_name}({}) {{", helper.ty, helper.parameter));
        lines.extend(helper.body.iter().map(|line| format!("    {line}")));
        lines.push("  }".to_owned());
    }
    lines.extend(shared.caller.as_ref().map(log_in).unwrap_or_default());
    lines.extend(beans(&shared, kit));
    lines.push("}".to_owned());
    // Names are resolved before layout, since the line length depends on them.
    let mut laid_out = Vec::new();
    for line in lines {
        let indent = line.len() - line.trim_start().len();
        if let Some(title) = line.trim_start().strip_prefix(TITLED) {
            laid_out.extend(display_name(&imports.named(TITLED), title, indent));
            continue;
        }
        let code = imports.named(line.trim_start());
        match code.is_empty() {
            true => laid_out.push(String::new()),
            false => laid_out.extend(laid(&code, indent)),
        }
    }
    let mut text = format!("package {home};\n\n");
    if home.is_empty() {
        text.clear();
    }
    for line in imports.lines() {
        text.push_str(&format!("{line}\n"));
    }
    text.push('\n');
    text.push_str(&laid_out.join("\n"));
    text.push('\n');
    let folder = home.replace('.', "/");
    let path = if folder.is_empty() { format!("{name}.java") } else { format!("{folder}/{name}.java") };
    let full = if home.is_empty() { name.to_owned() } else { format!("{home}.{name}") };
    TestClass { path, name: full, text, tests: ids }
}

/// Lays out a line of code or a comment.
fn laid(code: &str, indent: usize) -> Vec<String> {
    match code.strip_prefix("/** ").and_then(|rest| rest.strip_suffix(" */")) {
        Some(text) => comment(text),
        None => statement(code, indent),
    }
}

/// The statements of a test, indented, with marked class names.
fn test_code(test: &SliceTest<'_>, asked: &str) -> Vec<String> {
    let recorded = &test.recorded;
    let mut out: Vec<String> = Vec::new();
    let mut asked = asked.to_owned();
    if test.has_caller() {
        asked.push_str(".principal(logIn())");
    }
    out.extend(recorded.lines.iter().filter(|line| !line.is_empty()).cloned());
    if !out.is_empty() {
        out.push(String::new());
    }
    let checks: String = checks(test.oracle, &test.answers).iter().map(|one| format!(".andExpect({one})")).collect();
    match recorded.is_async {
        true => {
            out.push(format!(
                "`org.springframework.test.web.servlet|MvcResult` started = mvc.perform({asked}).andReturn();"
            ));
            out.push(format!("mvc.perform(asyncDispatch(started)){checks};"));
        }
        false => out.push(format!("mvc.perform({asked}){checks};")),
    }
    if !recorded.verified.is_empty() {
        out.push(String::new());
        out.extend(recorded.verified.iter().cloned());
    }
    out.into_iter().map(|line| if line.is_empty() { line } else { format!("    {line}") }).collect()
}
