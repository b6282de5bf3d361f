//! Literals in the code, as values for requests and stubs that may lead the code to other paths.

use serde_json::Value;

use mastor_java::interpret::library::text::matching::regex_samples::samples;
use mastor_java::ir::body::{ExprKind, Lit};
use mastor_java::project::index::Project;

/// Number of values, and length of the longest text among them, at most.
const MOST: usize = 24;
const LONGEST: usize = 60;
/// Texts that match one regular expression, at most.
const SAMPLES: usize = 2;

/// Which literals are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Taken {
    /// Samples of regular expressions, which check the format of a value.
    Forms,
    /// These samples, all other texts, and integers with their neighbours.
    All,
}

/// Values from the literals in the bodies of these members.
pub(super) fn of_members<'m>(project: &Project, members: impl Iterator<Item = &'m str>, taken: Taken) -> Vec<Value> {
    let mut all: Vec<Value> = Vec::new();
    let mut add = |value: Value| {
        if all.len() < MOST && !all.contains(&value) {
            all.push(value);
        }
    };
    for member in members {
        let body = project.by_symbol(member).and_then(|member| project.body(member));
        for expression in body.iter().flat_map(|body| &body.exprs) {
            match &expression.kind {
                ExprKind::Lit(Lit::Str(text)) if is_form(text) => {
                    samples(text).into_iter().take(SAMPLES).for_each(|sample| add(Value::from(sample)));
                }
                ExprKind::Lit(Lit::Str(text)) if taken == Taken::All && !text.is_empty() && text.len() <= LONGEST => {
                    add(Value::from(text.as_str()));
                }
                ExprKind::Lit(Lit::Int(number)) if taken == Taken::All => {
                    (-1..=1).for_each(|step| add(Value::from(i64::from(*number) + step)));
                }
                _ => {}
            }
        }
    }
    all
}

/// Whether a text looks like a regular expression for a whole value.
fn is_form(text: &str) -> bool {
    (text.starts_with('^') || text.ends_with('$') || text.contains("\\d") || text.contains("]{") || text.contains("]+"))
        && text.contains(['[', '\\', '('])
}

#[cfg(test)]
mod tests {
    use super::is_form;

    #[test]
    fn what_a_whole_value_must_look_like_is_told_from_other_texts() {
        assert!(is_form("^[A-Z]{3}-\\d+$") && is_form("[a-z]+@[a-z]+"));
        assert!(!is_form("^up") && !is_form("costs 5$") && !is_form("select [name] from t"));
    }
}
