//! What the harness recorded of one request: lines of a kind with fields, percent-encoded, with tabs between them.

use percent_encoding::percent_decode_str;

/// A bean that a method of the project makes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct BeanMethod {
    /// Its name.
    pub(super) name: String,
    /// Its type.
    pub(super) ty: String,
    /// Parameters, as Java.
    pub(super) parameters: String,
    /// The expression that makes it.
    pub(super) made: String,
}

/// A method of the test's class that makes a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Helper {
    /// What it gives.
    pub(super) ty: String,
    /// Its statements.
    pub(super) body: Vec<String>,
    /// Its parameter, or an empty text.
    pub(super) parameter: String,
}

/// What a test of one request is made from. Names of classes stand between backquotes, with a bar behind the package.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recorded {
    /// The handler's class.
    pub(super) handler: String,
    /// The user, as Java (empty for the framework's own), and its authorities, where the code asks for it.
    pub(super) caller: Option<(String, Vec<String>)>,
    /// Classes of the project that are beans.
    pub(super) classes: Vec<String>,
    /// Beans by methods.
    pub(super) beans: Vec<BeanMethod>,
    /// Classes of bound settings.
    pub(super) properties: Vec<String>,
    /// Settings that nobody says.
    pub(super) missing: Vec<String>,
    /// Mocks: field and type.
    pub(super) mocks: Vec<(String, String)>,
    /// Methods that make values, by name.
    pub(super) helpers: Vec<(String, Helper)>,
    /// Statements before the request.
    pub(super) lines: Vec<String>,
    /// Statements behind it.
    pub(super) verified: Vec<String>,
    /// Whether the answer comes later.
    pub(super) is_async: bool,
    /// Why there is no test.
    problem: Option<String>,
}

impl Recorded {
    /// Reads the harness's text. Lines of kinds that are not known are left out.
    pub fn parse(text: &str) -> Self {
        let mut all = Self::default();
        for line in text.lines() {
            let fields = line.split('\t').map(|field| percent_decode_str(field).decode_utf8_lossy().into_owned());
            let fields: Vec<String> = fields.collect();
            let at = |n: usize| fields.get(n).cloned().unwrap_or_default();
            match at(0).as_str() {
                "handler" => all.handler = at(1),
                "caller" => {
                    let authorities = at(2).split(',').filter(|one| !one.is_empty()).map(str::to_owned).collect();
                    all.caller = Some((at(1), authorities));
                }
                "class" => all.classes.push(at(1)),
                "bean" => {
                    all.beans.push(BeanMethod { name: at(1), ty: at(2), parameters: at(3), made: at(4) });
                }
                "properties" => all.properties.push(at(1)),
                "missing" => all.missing.push(at(1)),
                "mock" => all.mocks.push((at(1), at(2))),
                "helper" => {
                    let body = at(3).lines().map(str::to_owned).collect();
                    all.helpers.push((at(1), Helper { ty: at(2), body, parameter: at(4) }));
                }
                "line" => all.lines.push(at(1)),
                "verify" => all.verified.push(at(1)),
                "async" => all.is_async = true,
                "problem" => all.problem = Some(at(1)),
                _ => {}
            }
        }
        all
    }

    /// Why no test is made of it; none where one is.
    pub fn refused(&self) -> Option<String> {
        match &self.problem {
            None if self.handler.is_empty() => Some("its request reached no handler of the project".to_owned()),
            problem => problem.clone(),
        }
    }
}
