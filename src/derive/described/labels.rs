//! Labels: tag, summary and description of an operation, from annotations, else from the names of class and method.

use mastor_java::ir::facts::{Annotation, Value as Arg};
use mastor_runtime::subject::Subject;

/// The labels of an operation.
pub(super) struct Labels {
    pub(super) tag: String,
    pub(super) summary: String,
    pub(super) description: String,
    pub(super) handler: String,
    pub(super) class: String,
    pub(super) is_deprecated: bool,
}

/// Reads the labels of an operation.
pub(super) fn labels(subject: &Subject<'_>) -> Labels {
    let (project, endpoint) = (subject.project, subject.endpoint);
    let member = project.member(endpoint.entry);
    let fqn = project.fqn(endpoint.receiver);
    let class = fqn.rsplit('.').next().unwrap_or(fqn).to_owned();
    let said = |names: &[&str], element: &str| {
        let annotation = member.annotations.iter().find(|one| names.contains(&one.simple()))?;
        text(annotation, element)
    };
    // OpenAPI's annotation, and Swagger's older one.
    let own = |element: &str, before: &str| {
        let own = said(&["Operation"], element).or_else(|| said(&["ApiOperation"], before));
        own.filter(|text| !text.trim().is_empty())
    };
    let handler = own("operationId", "nickname").unwrap_or_else(|| member.name.clone());
    let served_by = format!("Served by `{}`.", project.symbol(endpoint.entry));
    let is_deprecated = |one: &Annotation| one.simple() == "Deprecated";
    Labels {
        tag: class.clone(),
        summary: own("summary", "value").unwrap_or_else(|| words(&member.name)),
        description: own("description", "notes").unwrap_or(served_by),
        handler,
        class,
        is_deprecated: member.annotations.iter().any(is_deprecated)
            || project.ty(endpoint.receiver).annotations.iter().any(is_deprecated),
    }
}

fn text(annotation: &Annotation, element: &str) -> Option<String> {
    match annotation.arg(element) {
        Some(Arg::Str(text)) => Some(text.clone()),
        _ => None,
    }
}

/// A Java name in words: `Find by id` for `findById`.
fn words(name: &str) -> String {
    let mut out = String::new();
    let letters: Vec<char> = name.chars().collect();
    for (at, c) in letters.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|before| letters.get(before));
        let next = letters.get(at + 1);
        let begins = c.is_uppercase()
            && (before.is_some_and(|before| before.is_lowercase() || before.is_ascii_digit())
                || before.is_some_and(|before| before.is_uppercase()) && next.is_some_and(|next| next.is_lowercase()));
        if begins || *c == '_' {
            out.push(' ');
        }
        match c {
            '_' | '$' => {}
            _ if at == 0 => out.extend(c.to_uppercase()),
            // An abbreviation stays in upper case.
            _ if begins && next.is_none_or(|next| !next.is_uppercase()) => out.extend(c.to_lowercase()),
            _ => out.push(*c),
        }
    }
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn names_are_told_in_words() {
        assert_eq!(words("findById"), "Find by id");
        assert_eq!(words("getURLOfOrder"), "Get URL of order");
        assert_eq!(words("list"), "List");
        assert_eq!(words("orders_of_2024"), "Orders of 2024");
    }
}
