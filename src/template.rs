//! Templates: the one gateway to minijinja, strict about undefined variables and about values that nobody escaped.
//!
//! A template's ending decides how a bare `{{ value }}` is treated: in `.md` it is escaped as Markdown text, in `.xml` as XML, in `.txt` it loses
//! control characters only, in `.prompt` those but for line ends and tabs, and in `.java` and `.js` a text that went through no filter is an error.

pub mod escape;

use std::sync::LazyLock;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, Value};
use minijinja::{AutoEscape, Environment, Error, ErrorKind, State, UndefinedBehavior};
use serde::Serialize;

/// A template could not be rendered: a defect of the template or of what it was given, never of the user's repository.
#[derive(Debug, thiserror::Error)]
#[error("template {name}: {source}")]
pub struct TemplateError {
    /// The template.
    pub name: String,
    /// What minijinja says.
    source: minijinja::Error,
}

/// The templates that are built into the binary, by name.
const EMBEDDED: &[(&str, &str)] = &[
    ("prompts/direct.prompt", include_str!("../prompts/direct.prompt")),
    ("prompts/multi_op.prompt", include_str!("../prompts/multi_op.prompt")),
    ("prompts/multi_op_again.prompt", include_str!("../prompts/multi_op_again.prompt")),
    ("prompts/multi_op_challenger.prompt", include_str!("../prompts/multi_op_challenger.prompt")),
    ("prompts/oas_matching.prompt", include_str!("../prompts/oas_matching.prompt")),
    ("prompts/semantic_extract.prompt", include_str!("../prompts/semantic_extract.prompt")),
    ("prompts/single_op.prompt", include_str!("../prompts/single_op.prompt")),
    ("prompts/single_op_again.prompt", include_str!("../prompts/single_op_again.prompt")),
    ("prompts/single_op_challenger.prompt", include_str!("../prompts/single_op_challenger.prompt")),
    ("prompts/source_extraction.prompt", include_str!("../prompts/source_extraction.prompt")),
    ("prompts/system.prompt", include_str!("../prompts/system.prompt")),
    ("junit/pom.xml", include_str!("../templates/junit/pom.xml")),
    ("junit/README.md", include_str!("../templates/junit/README.md")),
    ("junit/Mastor.java", include_str!("../templates/junit/Mastor.java")),
    ("junit/Operation.java", include_str!("../templates/junit/Operation.java")),
    ("postman/library.js", include_str!("../templates/postman/library.js")),
    ("postman/before.js", include_str!("../templates/postman/before.js")),
    ("postman/after.js", include_str!("../templates/postman/after.js")),
    ("readable/index.md", include_str!("../templates/readable/index.md")),
    ("readable/operation.md", include_str!("../templates/readable/operation.md")),
    ("report/audit.md", include_str!("../templates/report/audit.md")),
    ("report/audit.txt", include_str!("../templates/report/audit.txt")),
    ("report/audits.txt", include_str!("../templates/report/audits.txt")),
    ("report/failure.md", include_str!("../templates/report/failure.md")),
    ("report/report.md", include_str!("../templates/report/report.md")),
    ("report/report.txt", include_str!("../templates/report/report.txt")),
];

static ENVIRONMENT: LazyLock<Environment<'static>> = LazyLock::new(environment);

/// Renders the embedded template `name` with `context`.
///
/// # Errors
/// Where the template names something that `context` lacks, or prints a text unescaped into a language that needs escaping.
pub fn render(name: &str, context: impl Serialize) -> Result<String, TemplateError> {
    let wrap = |source| TemplateError { name: name.to_owned(), source };
    ENVIRONMENT.get_template(name).map_err(wrap)?.render(Value::from(Serde(context))).map_err(wrap)
}

fn environment() -> Environment<'static> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_syntax(syntax());
    environment.set_auto_escape_callback(|name| match name.rsplit('.').next() {
        Some("md") => AutoEscape::Custom("markdown".into()),
        Some("txt") => AutoEscape::Custom("plain".into()),
        Some("prompt") => AutoEscape::Custom("prompt".into()),
        Some("xml") => AutoEscape::Html,
        _ => AutoEscape::Custom("explicit".into()),
    });
    environment.set_formatter(print_value);
    for (name, text) in EMBEDDED {
        // A template that does not parse is found by the test below, and named when it is asked for.
        let _ = environment.add_template(name, text);
    }
    environment.add_filter("code", |text: &str| Value::from_safe_string(escape::markdown_code(text)));
    environment.add_filter("cell", |text: &str| Value::from_safe_string(escape::markdown_cell(text)));
    environment.add_filter("block", |text: &str| Value::from_safe_string(escape::markdown_block(text)));
    environment.add_filter("link", |text: &str| file_name(text).map(Value::from_safe_string));
    environment.add_filter("url", |text: &str| url(text).map(Value::from_safe_string));
    environment.add_filter("java", |text: &str| Value::from_safe_string(escape::java_string(text)));
    environment.add_filter("comment", |text: &str| Value::from_safe_string(escape::java_comment(text)));
    environment.add_filter("ident", |text: &str| identifier(text).map(Value::from_safe_string));
    environment.add_filter("js", |text: &str| Value::from_safe_string(escape::js_string(text)));
    environment
}

/// Tags on lines of their own leave no trace.
fn syntax() -> SyntaxConfig {
    let mut syntax = SyntaxConfig::builder();
    syntax.trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true);
    // Without custom delimiters there is nothing that could be wrong with it.
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
        ("plain", Some(text)) => escape::plain(text),
        ("prompt", Some(text)) => escape::prompt(text),
        (_, Some(text)) => {
            let shown: String = text.chars().take(40).collect();
            return Err(Error::new(ErrorKind::InvalidOperation, format!("text printed without a filter: {shown:?}")));
        }
    };
    out.write_str(&escaped).map_err(Error::from)
}

/// Lets a name through that is an ASCII identifier, and nothing else.
fn identifier(text: &str) -> Result<String, Error> {
    let mut chars = text.chars();
    let starts = chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
    if starts && chars.all(|c| c.is_ascii_alphanumeric() || c == '_') {
        Ok(text.to_owned())
    } else {
        Err(Error::new(ErrorKind::InvalidOperation, format!("{text:?} is no identifier")))
    }
}

/// Lets a web address through that holds nothing but what addresses are made of, and nothing that ends a link of Markdown.
fn url(text: &str) -> Result<String, Error> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.~/:%#?=&+".contains(c);
    if (text.starts_with("https://") || text.starts_with("http://")) && text.chars().all(plain) {
        Ok(text.to_owned())
    } else {
        Err(Error::new(ErrorKind::InvalidOperation, format!("{text:?} is no plain web address")))
    }
}

/// Lets a relative path through that needs no escaping in a link.
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
