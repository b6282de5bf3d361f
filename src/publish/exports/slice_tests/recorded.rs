//! Parses the harness's recording of a request: lines of tab-separated, percent-encoded fields, the first of which is
//! the kind.

use percent_encoding::percent_decode_str;

/// A bean made by a factory method.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct BeanMethod {
    /// Name.
    pub(super) name: String,
    /// Type.
    pub(super) ty: String,
    /// Parameter list in Java.
    pub(super) parameters: String,
    /// The expression that creates it.
    pub(super) made: String,
}

/// A helper method of the test class that creates a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Helper {
    /// Return type.
    pub(super) ty: String,
    /// Statements.
    pub(super) body: Vec<String>,
    /// Parameter, or empty.
    pub(super) parameter: String,
}

/// The recording that a test is made from. Class names stand in backquotes, with a bar after the package.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recorded {
    /// The handler class.
    pub(super) handler: String,
    /// The caller as a Java expression (empty for Spring's own user) and its authorities, if the code asks for it.
    pub(super) caller: Option<(String, Vec<String>)>,
    /// Project classes that are beans.
    pub(super) classes: Vec<String>,
    /// Beans made by factory methods.
    pub(super) beans: Vec<BeanMethod>,
    /// Classes of configuration properties.
    pub(super) properties: Vec<String>,
    /// Properties without a value.
    pub(super) missing: Vec<String>,
    /// Mocks: field name and type.
    pub(super) mocks: Vec<(String, String)>,
    /// Helper methods by name.
    pub(super) helpers: Vec<(String, Helper)>,
    /// Statements before the request.
    pub(super) lines: Vec<String>,
    /// Statements after the request, which verify mocks.
    pub(super) verified: Vec<String>,
    /// Whether the handler answers asynchronously.
    pub(super) is_async: bool,
    /// Why no test can be made, if so.
    problem: Option<String>,
}

impl Recorded {
    /// Parses the harness's output. Lines of unknown kinds are ignored.
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

    /// Why no test can be made; `None` if it can.
    pub fn refused(&self) -> Option<String> {
        match &self.problem {
            None if self.handler.is_empty() => Some("its request reached no handler of the project".to_owned()),
            problem => problem.clone(),
        }
    }
}
