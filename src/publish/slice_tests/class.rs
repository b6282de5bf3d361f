//! The classes of tests: one an operation, with the beans behind its handler, mocks for what is outside, and a method for each oracle.

use std::collections::{BTreeMap, BTreeSet};

use super::checks::checks;
use super::layout::{comment, display_name, statement};
use super::names::Imports;
use super::recorded::{Helper, Recorded};
use super::request::{literal, request};
use crate::publish::names::{Names, camel};
use crate::template::escape::shorten;
use crate::types::OpId;
use crate::types::oracle::Oracle;
use crate::types::outcome::Answer;

/// Longest name of a method, which fits on one line.
const NAME: usize = 66;
/// Longest display name.
const TITLE: usize = 300;
/// What a display name stands in until lines are laid out.
const TITLED: &str = "@`org.junit.jupiter.api|DisplayName`";
const BOOT: &str = "org.springframework.boot.";

/// What the project has for its tests, by the names of classes; and what stands before the paths of its handlers.
#[derive(Debug, Clone, Default)]
pub struct Kit {
    classes: BTreeSet<String>,
    prefix: String,
}

impl Kit {
    /// Reads the harness's text: a class a line, and the context path behind `prefix`.
    pub fn parse(text: &str) -> Self {
        let (prefix, classes): (Vec<&str>, Vec<&str>) = text.lines().partition(|line| line.starts_with("prefix "));
        let prefix = prefix.first().and_then(|line| line.strip_prefix("prefix ")).unwrap_or_default().to_owned();
        Self { classes: classes.into_iter().map(str::to_owned).collect(), prefix }
    }

    /// What of a path that stands before those of operations is inside of the application.
    fn inside<'a>(&self, base_path: &'a str) -> &'a str {
        base_path.strip_prefix(self.prefix.as_str()).unwrap_or(base_path)
    }

    /// What no test can do without and is not there.
    pub fn missing(&self) -> Option<&'static str> {
        let needed = [
            ("org.junit.jupiter.api.Test", "JUnit 5 (`org.junit.jupiter:junit-jupiter`)"),
            ("org.mockito.Mockito", "Mockito (`org.mockito:mockito-core`)"),
            ("com.jayway.jsonpath.JsonPath", "JSON paths (`com.jayway.jsonpath:json-path`)"),
        ];
        needed.into_iter().find(|(class, _)| !self.classes.contains(*class)).map(|(_, name)| name)
    }

    /// The first of these classes that is there: package and name.
    fn first<'a>(&self, names: &[&'a str]) -> Option<(&'a str, &'a str)> {
        names.iter().find(|name| self.classes.contains(**name)).and_then(|name| name.rsplit_once('.'))
    }
}

/// An oracle that held, on its way into a test.
#[derive(Debug, Clone)]
pub struct SliceTest<'a> {
    /// The oracle.
    pub oracle: &'a Oracle,
    /// What was recorded of it.
    pub recorded: Recorded,
    /// The answers that were seen.
    pub answers: Vec<Answer>,
    /// Whether the test logs its caller in, where the code asked for one.
    pub logs_in: bool,
}

impl SliceTest<'_> {
    /// Whether its code asked who the caller is, and the test says so.
    fn has_caller(&self) -> bool {
        self.logs_in && self.recorded.caller.is_some()
    }

    /// Logs the caller in, where that is left to do.
    pub fn log_in(&mut self) -> bool {
        let is_left = !self.logs_in && self.recorded.caller.is_some();
        self.logs_in |= is_left;
        is_left
    }
}

/// A class of tests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestClass {
    /// The operation.
    pub op_id: OpId,
    /// Its path below `src/test/java`.
    pub path: String,
    /// Its full name.
    pub name: String,
    /// Its text.
    pub text: String,
    /// Oracles by the names of its methods.
    pub tests: BTreeMap<String, String>,
}

/// The classes of these tests, `base_path` being what stands before operations' paths. With them the oracles that make none, each
/// with the reason.
pub fn classes(tests: &[SliceTest<'_>], kit: &Kit, base_path: &str) -> (Vec<TestClass>, Vec<(OpId, String, String)>) {
    let mut left_out = Vec::new();
    let mut by_operation: BTreeMap<&OpId, Vec<(&SliceTest<'_>, String)>> = BTreeMap::new();
    for test in tests {
        let asked = match test.recorded.refused() {
            Some(why) => Err(why),
            None => request(test.oracle, kit.inside(base_path)).map_err(str::to_owned),
        };
        match asked {
            Ok(asked) => by_operation.entry(&test.oracle.op_id).or_default().push((test, asked)),
            Err(why) => left_out.push((test.oracle.op_id.clone(), test.oracle.o_id.clone(), why)),
        }
    }
    let mut names = Names::default();
    let mut classes = Vec::new();
    for (op_id, tests) in by_operation {
        let name = format!("{}Test", names.take(&camel(op_id.as_str())));
        let (class, others) = class(op_id, &name, &tests, kit);
        classes.extend(class);
        left_out.extend(others);
    }
    (classes, left_out)
}

/// Everything that the tests of one class share.
#[derive(Default)]
struct Shared {
    classes: BTreeSet<String>,
    beans: BTreeSet<super::recorded::BeanMethod>,
    properties: BTreeSet<String>,
    missing: BTreeSet<String>,
    mocks: BTreeSet<(String, String)>,
    helpers: BTreeMap<String, Helper>,
    caller: Option<(String, Vec<String>)>,
}

impl Shared {
    /// Takes in what a test needs; false where it needs another method of a name that is there.
    fn take(&mut self, test: &SliceTest<'_>) -> bool {
        let recorded = &test.recorded;
        let fits = |(name, helper): &(String, Helper)| self.helpers.get(name).is_none_or(|known| known == helper);
        let caller = recorded.caller.as_ref().filter(|_| test.has_caller());
        let is_one = self.caller.is_none() || caller.is_none() || self.caller.as_ref() == caller;
        if !recorded.helpers.iter().all(fits) || !is_one {
            return false;
        }
        self.helpers.extend(recorded.helpers.iter().cloned());
        self.classes.extend(recorded.classes.iter().cloned());
        self.beans.extend(recorded.beans.iter().cloned());
        self.properties.extend(recorded.properties.iter().cloned());
        self.missing.extend(recorded.missing.iter().cloned());
        self.mocks.extend(recorded.mocks.iter().cloned());
        self.caller = self.caller.take().or_else(|| caller.cloned());
        true
    }
}

type Left = Vec<(OpId, String, String)>;

fn class(op_id: &OpId, name: &str, tests: &[(&SliceTest<'_>, String)], kit: &Kit) -> (Option<TestClass>, Left) {
    let mut left_out = Vec::new();
    let handler = tests.first().map(|(test, _)| test.recorded.handler.clone()).unwrap_or_default();
    let home = handler.trim_matches('`').split('|').next().unwrap_or_default().to_owned();
    let mut shared = Shared::default();
    let mut own = Vec::new();
    for (test, asked) in tests {
        match test.recorded.handler == handler && shared.take(test) {
            true => own.push((*test, asked)),
            false => left_out.push((
                op_id.clone(),
                test.oracle.o_id.clone(),
                "it needs other values of a class than the tests before it".to_owned(),
            )),
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
        // Two oracles can lead to one test, and two requests to one case.
        let case = (title.clone(), checks(test.oracle, &test.answers));
        if !written.insert(code.clone()) || !cases.insert(case) {
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
    // Names are written first, since lines are as long as their names.
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
    let class = TestClass { op_id: op_id.clone(), path, name: full, text, tests: ids };
    ((!class.tests.is_empty()).then_some(class), left_out)
}

/// A line as it is laid out.
fn laid(code: &str, indent: usize) -> Vec<String> {
    match code.strip_prefix("/** ").and_then(|rest| rest.strip_suffix(" */")) {
        Some(text) => comment(text),
        None => statement(code, indent),
    }
}

/// `answers404GivenFindByIdFindsNoNote`.
fn method_name(oracle: &Oracle) -> String {
    let mut text = oracle.description.clone();
    for (sign, word) in [
        (">=", " at least "),
        ("<=", " at most "),
        ("==", " is "),
        ("!=", " is not "),
        (">", " over "),
        ("<", " under "),
    ] {
        text = text.replace(sign, word);
    }
    // Of a call only its name is said, of a field only its own.
    let mut plain = String::with_capacity(text.len());
    let mut depth = 0_usize;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let goes_on = chars.peek().is_some_and(char::is_ascii_alphanumeric);
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            '.' if goes_on && plain.ends_with(|c: char| c.is_ascii_alphanumeric()) => {
                let from = plain.rfind(' ').map_or(0, |at| at + 1);
                plain.truncate(from);
            }
            c => plain.push(c),
        }
    }
    let mut name = String::new();
    for word in plain.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()) {
        let word = camel(word);
        if name.len() + word.len() > NAME {
            break;
        }
        name.push_str(&word);
    }
    let mut letters = name.chars();
    letters.next().map(|first| format!("{}{}", first.to_ascii_lowercase(), letters.as_str())).unwrap_or_default()
}

/// The statements of a test, at their indentation, with marked names.
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

/// The method that logs a caller in.
fn log_in((user, authorities): &(String, Vec<String>)) -> Vec<String> {
    const SECURITY: &str = "org.springframework.security.";
    let all: Vec<String> = authorities.iter().map(|one| literal(one)).collect();
    let user = match user.is_empty() {
        true => format!("new `{SECURITY}core.userdetails|User`(\"user\", \"password\", authorities)"),
        false => user.clone(),
    };
    let list = "`java.util|List`<`org.springframework.security.core|GrantedAuthority`>";
    let token = format!("`{SECURITY}authentication|UsernamePasswordAuthenticationToken`");
    vec![
        String::new(),
        format!("  private static `{SECURITY}core|Authentication` logIn() {{"),
        format!(
            "    {list} authorities = `{SECURITY}core.authority|AuthorityUtils`.createAuthorityList({});",
            all.join(", ")
        ),
        format!("    `{SECURITY}core|Authentication` caller = new {token}({user}, \"password\", authorities);"),
        format!("    `{SECURITY}core.context|SecurityContextHolder`.getContext().setAuthentication(caller);"),
        "    return caller;".to_owned(),
        "  }".to_owned(),
    ]
}

/// Whether Spring Boot's own slice is there.
fn web_test<'a>(kit: &Kit) -> Option<(&'a str, &'a str)> {
    kit.first(&[
        "org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest",
        "org.springframework.boot.test.autoconfigure.web.servlet.WebMvcTest",
    ])
}

/// The class with its annotations and fields.
fn head(op_id: &OpId, name: &str, shared: &Shared, kit: &Kit) -> Vec<String> {
    const TEST: &str = "org.springframework.test.context";
    let mut lines = vec![format!(
        "/** {{@code {}}}, with mocks at the edge of what stands behind it. */",
        op_id.as_str().replace("*/", "*&#47;")
    )];
    let mut classes: Vec<String> = shared.classes.iter().map(|class| format!("{class}.class")).collect();
    // Classes that are named leave out the ones inside of the test.
    classes.extend((!shared.beans.is_empty()).then(|| format!("{name}.Beans.class")));
    let classes = match classes.as_slice() {
        [one] => one.clone(),
        all => format!("{{{}}}", all.join(", ")),
    };
    let missing: Vec<String> = shared.missing.iter().map(|key| literal(&format!("{key}={key}"))).collect();
    let properties: Vec<String> = shared.properties.iter().map(|class| format!("{class}.class")).collect();
    if let Some((package, web)) = web_test(kit) {
        lines.push(format!("@`{package}|{web}`"));
        let mvc = kit.first(&[
            "org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc",
            "org.springframework.boot.test.autoconfigure.web.servlet.AutoConfigureMockMvc",
        ]);
        if let Some((package, name)) = mvc {
            lines.push(format!("@`{package}|{name}`(addFilters = false)"));
        }
        lines.push(format!("@`{TEST}|ContextConfiguration`(classes = {classes})"));
        if !properties.is_empty() {
            let all = properties.join(", ");
            lines.push(format!("@`{BOOT}context.properties|EnableConfigurationProperties`({{{all}}})"));
        }
    } else {
        lines.push(format!("@`{TEST}.junit.jupiter.web|SpringJUnitWebConfig`"));
    }
    if !missing.is_empty() {
        lines.push(format!("@`{TEST}|TestPropertySource`(properties = {{{}}})", missing.join(", ")));
    }
    lines.push(format!("class {name} {{"));
    let autowired = "@`org.springframework.beans.factory.annotation|Autowired` private";
    let mvc = "`org.springframework.test.web.servlet|MockMvc` mvc;";
    if web_test(kit).is_some() {
        lines.push(format!("  {autowired} {mvc}"));
        let mock = kit.first(&[
            "org.springframework.test.context.bean.override.mockito.MockitoBean",
            "org.springframework.boot.test.mock.mockito.MockBean",
        ]);
        let mock = mock.map_or_else(|| "@Autowired".to_owned(), |(package, name)| format!("@`{package}|{name}`"));
        lines.extend(shared.mocks.iter().map(|(field, ty)| format!("  {mock} private {ty} {field};")));
    } else {
        lines.push(format!("  {autowired} `org.springframework.web.context|WebApplicationContext` context;"));
        lines.extend(shared.mocks.iter().map(|(field, ty)| format!("  {autowired} {ty} {field};")));
        lines.push(format!("  private {mvc}"));
        lines.push(String::new());
        lines.push("  @`org.junit.jupiter.api|BeforeEach`".to_owned());
        lines.push("  void setUp() {".to_owned());
        let all: Vec<&str> = shared.mocks.iter().map(|(field, _)| field.as_str()).collect();
        if !all.is_empty() {
            lines.push(format!("    reset({});", all.join(", ")));
        }
        lines.push("    mvc = webAppContextSetup(context).build();".to_owned());
        lines.push("  }".to_owned());
    }
    if shared.caller.is_some() {
        lines.push(String::new());
        lines.push("  @`org.junit.jupiter.api|AfterEach`".to_owned());
        lines.push("  void logOut() {".to_owned());
        lines.push("    `org.springframework.security.core.context|SecurityContextHolder`.clearContext();".to_owned());
        lines.push("  }".to_owned());
    }
    lines
}

/// The configuration inside of the class: beans by methods of the project, and without Spring Boot's slice all others.
fn beans(shared: &Shared, kit: &Kit) -> Vec<String> {
    const CONTEXT: &str = "org.springframework.context.annotation";
    let is_boot = web_test(kit).is_some();
    if is_boot && shared.beans.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![String::new()];
    if is_boot {
        lines.push(format!("  @`{BOOT}test.context|TestConfiguration`"));
    } else {
        let classes: Vec<String> = shared.classes.iter().map(|class| format!("{class}.class")).collect();
        lines.push(format!("  @`{CONTEXT}|Configuration`"));
        lines.push("  @`org.springframework.web.servlet.config.annotation|EnableWebMvc`".to_owned());
        lines.push(format!("  @`{CONTEXT}|Import`({{{}}})", classes.join(", ")));
    }
    lines.push("  static class Beans {".to_owned());
    let mut first = true;
    let mut bean = |ty: &str, name: &str, parameters: &str, made: &str| {
        if !std::mem::take(&mut first) {
            lines.push(String::new());
        }
        lines.push(format!("    @`{CONTEXT}|Bean`"));
        lines.push(format!("    {ty} {name}({parameters}) {{"));
        lines.push(format!("      return {made};"));
        lines.push("    }".to_owned());
    };
    for one in &shared.beans {
        bean(&one.ty, &one.name, &one.parameters, &one.made);
    }
    if !is_boot {
        for (field, ty) in &shared.mocks {
            let raw = ty.split('<').next().unwrap_or(ty);
            bean(ty, field, "", &format!("mock({raw}.class)"));
        }
    }
    lines.push("  }".to_owned());
    lines
}
