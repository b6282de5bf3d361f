//! The built-in templates, those of a user in their place, and how both are rendered.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, Value};
use minijinja::{AutoEscape, Environment, Error, ErrorKind, State, UndefinedBehavior};
use serde::Serialize;

use crate::escape;

/// A template could not be rendered: a defect of the template or of its data.
#[derive(Debug, thiserror::Error)]
#[error("template {place}: {what}")]
pub struct TemplateError {
    /// File, with the line where known.
    pub place: String,
    /// What is wrong.
    what: String,
    /// Whether it is a template of the user.
    pub is_own: bool,
}

/// Built-in templates, by name.
const EMBEDDED: &[(&str, &str)] = &[
    ("prompts/direct.prompt", include_str!("../../prompts/direct.prompt")),
    ("prompts/form.prompt", include_str!("../../prompts/form.prompt")),
    ("prompts/multi_op.prompt", include_str!("../../prompts/multi_op.prompt")),
    ("prompts/multi_op_again.prompt", include_str!("../../prompts/multi_op_again.prompt")),
    ("prompts/multi_op_challenger.prompt", include_str!("../../prompts/multi_op_challenger.prompt")),
    ("prompts/oas_matching.prompt", include_str!("../../prompts/oas_matching.prompt")),
    ("prompts/semantic_extract.prompt", include_str!("../../prompts/semantic_extract.prompt")),
    ("prompts/single_op.prompt", include_str!("../../prompts/single_op.prompt")),
    ("prompts/single_op_again.prompt", include_str!("../../prompts/single_op_again.prompt")),
    ("prompts/single_op_challenger.prompt", include_str!("../../prompts/single_op_challenger.prompt")),
    ("prompts/source_extraction.prompt", include_str!("../../prompts/source_extraction.prompt")),
    ("prompts/system.prompt", include_str!("../../prompts/system.prompt")),
    ("junit/pom.xml", include_str!("../../templates/junit/pom.xml")),
    ("junit/README.md", include_str!("../../templates/junit/README.md")),
    ("junit/Application.java", include_str!("../../templates/junit/Application.java")),
    ("junit/FreshState.java", include_str!("../../templates/junit/FreshState.java")),
    ("junit/Memory.java", include_str!("../../templates/junit/Memory.java")),
    ("junit/Mastor.java", include_str!("../../templates/junit/Mastor.java")),
    ("junit/User.java", include_str!("../../templates/junit/User.java")),
    ("junit/Login.java", include_str!("../../templates/junit/Login.java")),
    ("junit/Operation.java", include_str!("../../templates/junit/Operation.java")),
    ("postman/library.js", include_str!("../../templates/postman/library.js")),
    ("postman/login.js", include_str!("../../templates/postman/login.js")),
    ("postman/users.js", include_str!("../../templates/postman/users.js")),
    ("postman/before.js", include_str!("../../templates/postman/before.js")),
    ("postman/after.js", include_str!("../../templates/postman/after.js")),
    ("html/page.html", include_str!("../../templates/html/page.html")),
    ("readable/index.md", include_str!("../../templates/readable/index.md")),
    ("readable/operation.md", include_str!("../../templates/readable/operation.md")),
    ("readable/sequences.md", include_str!("../../templates/readable/sequences.md")),
    ("report/audit.md", include_str!("../../templates/report/audit.md")),
    ("report/audit.txt", include_str!("../../templates/report/audit.txt")),
    ("report/audits.txt", include_str!("../../templates/report/audits.txt")),
    ("report/failure.md", include_str!("../../templates/report/failure.md")),
    ("report/report.md", include_str!("../../templates/report/report.md")),
    ("report/report.txt", include_str!("../../templates/report/report.txt")),
];

/// Built-in files that are inserted or written unchanged, by name.
const PARTS: &[(&str, &str)] = &[
    ("slices/Answers.java", include_str!("../../templates/slices/Answers.java")),
    ("slices/Asked.java", include_str!("../../templates/slices/Asked.java")),
    ("slices/Beans.java", include_str!("../../templates/slices/Beans.java")),
    ("slices/Bodies.java", include_str!("../../templates/slices/Bodies.java")),
    ("slices/Caller.java", include_str!("../../templates/slices/Caller.java")),
    ("slices/Client.java", include_str!("../../templates/slices/Client.java")),
    ("slices/Context.java", include_str!("../../templates/slices/Context.java")),
    ("slices/Events.java", include_str!("../../templates/slices/Events.java")),
    ("slices/Factory.java", include_str!("../../templates/slices/Factory.java")),
    ("slices/Fitting.java", include_str!("../../templates/slices/Fitting.java")),
    ("slices/Given.java", include_str!("../../templates/slices/Given.java")),
    ("slices/Handlers.java", include_str!("../../templates/slices/Handlers.java")),
    ("slices/Hints.java", include_str!("../../templates/slices/Hints.java")),
    ("slices/Multipart.java", include_str!("../../templates/slices/Multipart.java")),
    ("slices/Holders.java", include_str!("../../templates/slices/Holders.java")),
    ("slices/Names.java", include_str!("../../templates/slices/Names.java")),
    ("slices/Outside.java", include_str!("../../templates/slices/Outside.java")),
    ("slices/Parts.java", include_str!("../../templates/slices/Parts.java")),
    ("slices/Paths.java", include_str!("../../templates/slices/Paths.java")),
    ("slices/Project.java", include_str!("../../templates/slices/Project.java")),
    ("slices/Recipe.java", include_str!("../../templates/slices/Recipe.java")),
    ("slices/Recorder.java", include_str!("../../templates/slices/Recorder.java")),
    ("slices/Requests.java", include_str!("../../templates/slices/Requests.java")),
    ("slices/Settings.java", include_str!("../../templates/slices/Settings.java")),
    ("slices/Slices.java", include_str!("../../templates/slices/Slices.java")),
    ("slices/State.java", include_str!("../../templates/slices/State.java")),
    ("slices/Stubs.java", include_str!("../../templates/slices/Stubs.java")),
    ("slices/Unknown.java", include_str!("../../templates/slices/Unknown.java")),
    ("slices/Values.java", include_str!("../../templates/slices/Values.java")),
    ("slices/Views.java", include_str!("../../templates/slices/Views.java")),
    ("slices/Wiring.java", include_str!("../../templates/slices/Wiring.java")),
    ("slices/run/Tests.java", include_str!("../../templates/slices/run/Tests.java")),
    ("strength/ApplicationStartsTest.java", include_str!("../../templates/strength/ApplicationStartsTest.java")),
    ("strength/Between.java", include_str!("../../templates/strength/Between.java")),
    ("strength/Branches.java", include_str!("../../templates/strength/Branches.java")),
    ("strength/Rounds.java", include_str!("../../templates/strength/Rounds.java")),
    ("strength/Strength.java", include_str!("../../templates/strength/Strength.java")),
    ("strength/pom.xml", include_str!("../../templates/strength/pom.xml")),
    ("html/page.css", include_str!("../../templates/html/page.css")),
    ("html/diagram.js", include_str!("../../templates/html/diagram.js")),
    ("html/items.js", include_str!("../../templates/html/items.js")),
    ("html/page.js", include_str!("../../templates/html/page.js")),
];

/// Folders of the templates that users can replace.
const REPLACEABLE: [&str; 4] = ["html/", "junit/", "postman/", "readable/"];

/// Folder of files that the user's own templates include.
const SHARED: &str = "shared/";

static BUILT_IN: LazyLock<Templates> = LazyLock::new(|| Templates {
    environment: environment(),
    parts: PARTS.iter().map(|(name, text)| (*name, (*text).to_owned())).collect(),
    folder: String::new(),
    own: Vec::new(),
});

/// The templates of a run: the built-in ones and the user's replacements.
#[derive(Debug)]
pub struct Templates {
    environment: Environment<'static>,
    parts: BTreeMap<&'static str, String>,
    /// Folder of the user's templates.
    folder: String,
    /// Names of the user's templates.
    own: Vec<String>,
}

impl Templates {
    /// The built-in templates only.
    pub fn built_in() -> &'static Self {
        &BUILT_IN
    }

    /// The built-in templates, replaced by those in `own`: texts by their path below `folder`. Files in its subfolder
    /// `shared` can be included.
    ///
    /// # Errors
    /// Where a template does not parse, or has a name that is neither [`replaceable`] nor in `shared`.
    pub fn with(folder: &str, own: &BTreeMap<String, String>) -> Result<Self, TemplateError> {
        let folder = folder.trim_end_matches('/').to_owned();
        let mut all = Self {
            environment: environment(),
            parts: BUILT_IN.parts.clone(),
            folder,
            own: own.keys().cloned().collect(),
        };
        for (name, text) in own {
            if let Some(part) = PARTS.iter().map(|(part, _)| *part).find(|part| part == name) {
                all.parts.insert(part, text.clone());
            } else if name.starts_with(SHARED) || is_replaceable(name) {
                all.environment.add_template_owned(name.clone(), text.clone()).map_err(|e| all.error(name, &e))?;
            } else {
                let what = format!("no export is made from it; what others include is kept in `{SHARED}`");
                return Err(TemplateError { place: format!("{}/{name}", all.folder), what, is_own: true });
            }
        }
        Ok(all)
    }

    /// Whether the user has replaced any.
    pub fn has_own(&self) -> bool {
        !self.own.is_empty()
    }

    /// Renders the template `name` with `context`.
    ///
    /// # Errors
    /// Where the template uses a name that `context` lacks, or prints an unescaped text into a language that needs
    /// escaping.
    pub fn render(&self, name: &str, context: impl Serialize) -> Result<String, TemplateError> {
        let template = self.environment.get_template(name).map_err(|e| self.error(name, &e))?;
        template.render(Value::from(Serde(context))).map_err(|e| self.error(name, &e))
    }

    /// The text of a part (a file that is not a template).
    ///
    /// # Errors
    /// Where it contains one of `forbidden`, which would end the element that it is inserted into.
    pub fn part(&self, name: &str, forbidden: &[&str]) -> Result<&str, TemplateError> {
        let text = self.parts.get(name).map_or("", String::as_str);
        let lower = text.to_ascii_lowercase();
        match forbidden.iter().find_map(|one| Some((one, lower.find(one)?))) {
            None => Ok(text),
            Some((one, at)) => {
                let line = 1 + lower[..at].matches('\n').count();
                let is_own = self.own.iter().any(|own| own == name);
                let what = format!("`{one}` would end it within the page");
                Err(TemplateError { place: format!("{}:{line}", self.file(name)), what, is_own })
            }
        }
    }

    fn file(&self, name: &str) -> String {
        if self.own.iter().any(|own| own == name) { format!("{}/{name}", self.folder) } else { name.to_owned() }
    }

    /// The error of minijinja with file and line; for an included template, its own file and line.
    fn error(&self, name: &str, error: &Error) -> TemplateError {
        let mut innermost = error;
        while let Some(cause) = std::error::Error::source(innermost).and_then(|cause| cause.downcast_ref::<Error>()) {
            innermost = cause;
        }
        let name = innermost.name().unwrap_or(name);
        let line = innermost.line().map(|line| format!(":{line}")).unwrap_or_default();
        let kind = innermost.kind().to_string();
        let what = innermost.detail().map_or(kind.clone(), |detail| format!("{kind}: {detail}"));
        let is_own = self.own.iter().any(|own| own == name);
        TemplateError { place: format!("{}{line}", self.file(name)), what, is_own }
    }
}

/// The templates that a user can replace: name and built-in text.
pub fn replaceable() -> impl Iterator<Item = (&'static str, &'static str)> {
    let of_exports = |(name, _): &(&str, &str)| REPLACEABLE.iter().any(|form| name.starts_with(form));
    EMBEDDED.iter().chain(PARTS).copied().filter(of_exports)
}

fn is_replaceable(name: &str) -> bool {
    replaceable().any(|(known, _)| known == name)
}

/// Renders the embedded template `name` with `context`.
///
/// # Errors
/// As for [`Templates::render`].
pub fn render(name: &str, context: impl Serialize) -> Result<String, TemplateError> {
    BUILT_IN.render(name, context)
}

fn environment() -> Environment<'static> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_syntax(syntax());
    environment.set_auto_escape_callback(|name| match name.rsplit('.').next() {
        Some("md") => AutoEscape::Custom("markdown".into()),
        Some("txt") => AutoEscape::Custom("plain".into()),
        Some("prompt") => AutoEscape::Custom("prompt".into()),
        Some("html") => AutoEscape::Custom("page".into()),
        Some("xml") => AutoEscape::Html,
        _ => AutoEscape::Custom("explicit".into()),
    });
    environment.set_formatter(print_value);
    for (name, text) in EMBEDDED {
        // Errors are ignored here: a test parses all templates, and rendering a missing one fails with its name.
        let _ = environment.add_template(name, text);
    }
    environment.add_filter("code", |text: &str| Value::from_safe_string(escape::markdown_code(text)));
    environment.add_filter("prose", |text: &str| Value::from_safe_string(escape::markdown_prose(text)));
    environment.add_filter("prose_cell", |text: &str| Value::from_safe_string(escape::markdown_prose_cell(text)));
    environment.add_filter("cell", |text: &str| Value::from_safe_string(escape::markdown_cell(text)));
    environment.add_filter("block", |text: &str, indent: Option<usize>| {
        let block = escape::markdown_block(text);
        let lines = format!("\n{}", " ".repeat(indent.unwrap_or(0)));
        Value::from_safe_string(format!("{}{}", &lines[1..], block.replace('\n', &lines)))
    });
    environment.add_filter("link", |text: &str| file_name(text).map(Value::from_safe_string));
    environment.add_filter("url", |text: &str| url(text).map(Value::from_safe_string));
    environment.add_filter("java", |text: &str| Value::from_safe_string(escape::java_string(text)));
    environment.add_filter("comment", |text: &str| Value::from_safe_string(escape::java_comment(text)));
    environment.add_filter("ident", |text: &str| identifier(text).map(Value::from_safe_string));
    environment.add_filter("js", |text: &str| Value::from_safe_string(escape::js_string(text)));
    environment.add_filter("html", |text: &str| Value::from_safe_string(escape::html(text)));
    environment.add_filter("data", |text: &str| Value::from_safe_string(escape::script_json(text)));
    environment
}

/// Lines that hold only a template tag leave no blank line.
fn syntax() -> SyntaxConfig {
    let mut syntax = SyntaxConfig::builder();
    syntax.trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true);
    // This cannot fail, since no custom delimiters are set.
    syntax.build().unwrap_or_default()
}

fn print_value(out: &mut minijinja::Output<'_>, state: &mut State<'_, '_>, value: &Value) -> Result<(), Error> {
    let language = match state.auto_escape() {
        AutoEscape::Custom(language) => language.clone(),
        _ => return minijinja::escape_formatter(out, state, value),
    };
    let escaped = match (language.as_ref(), value.as_str().filter(|_| !value.is_safe())) {
        (_, None) => value.to_string(),
        ("markdown", Some(text)) => escape::markdown_text(text),
        ("page", Some(text)) => escape::html(text),
        ("plain", Some(text)) => escape::plain(text),
        ("prompt", Some(text)) => escape::prompt(text),
        (_, Some(text)) => {
            let shown: String = text.chars().take(40).collect();
            return Err(Error::new(ErrorKind::InvalidOperation, format!("text printed without a filter: {shown:?}")));
        }
    };
    out.write_str(&escaped).map_err(Error::from)
}

/// Accepts an ASCII identifier, rejects anything else.
fn identifier(text: &str) -> Result<String, Error> {
    let mut chars = text.chars();
    let starts = chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
    if starts && chars.all(|c| c.is_ascii_alphanumeric() || c == '_') {
        Ok(text.to_owned())
    } else {
        Err(Error::new(ErrorKind::InvalidOperation, format!("{text:?} is no identifier")))
    }
}

/// Accepts a web address made of plain URL characters, none of which can end a Markdown link.
fn url(text: &str) -> Result<String, Error> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.~/:%#?=&+".contains(c);
    if (text.starts_with("https://") || text.starts_with("http://")) && text.chars().all(plain) {
        Ok(text.to_owned())
    } else {
        Err(Error::new(ErrorKind::InvalidOperation, format!("{text:?} is no plain web address")))
    }
}

/// Accepts a relative path that needs no escaping in a link.
fn file_name(text: &str) -> Result<String, Error> {
    if text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/')) {
        Ok(text.to_owned())
    } else {
        Err(Error::new(ErrorKind::InvalidOperation, format!("{text:?} is no plain path")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_template_parses() {
        let environment = environment();
        for (name, text) in EMBEDDED {
            assert!(environment.get_template(name).is_ok(), "{name}: {:?}", environment.template_from_str(text).err());
        }
    }

    #[test]
    fn undefined_variables_and_unescaped_texts_are_errors() {
        let mut environment = environment();
        environment.add_template("x.java", "{{ text }}").unwrap();
        environment.add_template("x.md", "{{ text }}").unwrap();
        let render = |name, context| environment.get_template(name).unwrap().render::<Value>(context);
        assert!(render("x.java", minijinja::context! {}).is_err());
        assert!(render("x.md", minijinja::context! {}).is_err());
        assert!(render("x.java", minijinja::context! { text => "a" }).is_err());
        assert_eq!(render("x.md", minijinja::context! { text => "a|b" }).unwrap(), "a\\|b");
    }
}
