//! OpenAPI matching: asks a model for the entry methods of operations that the rules could not match. Only operations
//! of the document and methods in the prompt are accepted (MASTOR paper, section 4.2).

use std::collections::BTreeMap;

use crate::brief::Bundle;
use crate::desk::{AgentError, PlannedPrompt, Question, asked};
use crate::prompts;
use crate::reading::replies::{self, Matched};
use crate::reading::text;
use mastor_llm::{AskError, Models};
use mastor_types::OpId;
use mastor_types::model::Role;
use mastor_types::results::agents::NamedEntry;
use mastor_types::suite::source_context::Entry;

/// Name of the agent.
pub const NAME: &str = "OasMatching";
/// Subject in the ledger.
pub const SUBJECT: &str = "unmatched operations";

/// A method with a body, in a file that may be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Method {
    /// Path of the file.
    pub file: String,
    /// Fully qualified name of the class.
    pub class: String,
    /// Name with erased parameter types.
    pub signature: String,
    /// First and last line.
    pub lines: (u32, u32),
}

/// The input of the matching.
#[derive(Debug, Clone, Default)]
pub struct Search {
    /// The unmatched operations, each with a one-line description from the document.
    pub operations: BTreeMap<OpId, String>,
    /// The files most likely to implement them.
    pub bundle: Bundle,
    /// All methods of these files.
    pub methods: Vec<Method>,
}

/// The result of the matching.
#[derive(Debug, Clone, Default)]
pub struct Found {
    /// Entry methods with their operations.
    pub entries: Vec<NamedEntry>,
    /// Dropped answers: name and reason.
    pub dropped: Vec<(String, &'static str)>,
    /// The error that left a part of the files unasked, if any.
    pub trouble: Option<AskError>,
    /// Files excluded by the patterns of `never-send`.
    pub withheld: Vec<String>,
}

/// Asks one question for each part of the files that fits into the context. Operations matched in one part are left out
/// of the next.
///
/// # Errors
/// Where a prompt cannot be rendered.
pub async fn run(models: &Models, search: &Search) -> Result<Found, AgentError> {
    let mut found = Found { withheld: search.bundle.withheld.clone(), ..Found::default() };
    let mut open = search.operations.clone();
    for part in parts(models, search)? {
        if open.is_empty() {
            break;
        }
        match asked::<replies::Matches>(models, &question(&part, &open)?).await {
            Ok((reply, _)) => take(reply.matches, &part, &search.methods, &mut open, &mut found),
            Err(AgentError::Prompt(error)) => return Err(error.into()),
            Err(AgentError::Ask(error)) => {
                let ends = error.is_for_good();
                found.trouble.get_or_insert(error);
                if ends {
                    break;
                }
            }
        }
    }
    found.entries.sort();
    Ok(found)
}

/// The questions of a dry run.
///
/// # Errors
/// As for [`run`].
pub fn planned(models: &Models, search: &Search) -> Result<Vec<PlannedPrompt>, AgentError> {
    let mut out = Vec::new();
    for (n, part) in parts(models, search)?.into_iter().enumerate() {
        let ask = question(&part, &search.operations)?.ask::<replies::Matches>()?;
        out.push(PlannedPrompt { ask, exact: n == 0 });
    }
    Ok(out)
}

fn question(part: &Bundle, open: &BTreeMap<OpId, String>) -> Result<Question<'static>, AgentError> {
    let operations: Vec<String> = open.values().cloned().collect();
    let user = prompts::matching(part, &operations)?;
    Ok(Question::new(NAME, SUBJECT, "matches", user))
}

fn parts(models: &Models, search: &Search) -> Result<Vec<Bundle>, AgentError> {
    if search.operations.is_empty() || search.bundle.files.is_empty() {
        return Ok(Vec::new());
    }
    let operations: Vec<String> = search.operations.values().cloned().collect();
    let empty = prompts::matching(&Bundle::default(), &operations)?.len();
    let room = usize::try_from(models.room(Role::Primary)).unwrap_or(usize::MAX).saturating_sub(empty);
    Ok(search.bundle.split(room))
}

/// Accepts answers that name an unmatched operation and a unique method from the prompt.
fn take(reply: Vec<Matched>, part: &Bundle, methods: &[Method], open: &mut BTreeMap<OpId, String>, found: &mut Found) {
    for one in reply {
        match entry(&one, part, methods, open) {
            Ok(named) => {
                open.remove(&named.op_id);
                found.entries.push(named);
            }
            Err(why) => found.dropped.push((text::line(&one.operation), why)),
        }
    }
}

fn entry(
    one: &Matched,
    part: &Bundle,
    methods: &[Method],
    open: &BTreeMap<OpId, String>,
) -> Result<NamedEntry, &'static str> {
    let op_id = OpId::parse(one.operation.trim()).filter(|op_id| open.contains_key(op_id));
    let op_id = op_id.ok_or("matches an operation that was not asked for")?;
    let (file, line) = part.shown(&one.evidence).ok_or("matches by a line that was not shown")?;
    let (class, name) = (one.class.trim(), one.method.trim());
    let name = name.split('(').next().unwrap_or(name);
    let shown = |method: &&Method| part.files.iter().any(|file| file.path == method.file);
    let simple = |class: &str| class.rsplit(['.', '$']).next().map(str::to_owned);
    let is_class = |method: &&Method| simple(&method.class) == simple(class);
    let is_named = |method: &&Method| method.signature.split('(').next() == Some(name);
    let fitting: Vec<&Method> = methods.iter().filter(shown).filter(is_class).filter(is_named).collect();
    let around = |method: &&&Method| method.file == file && (method.lines.0..=method.lines.1).contains(&line);
    let chosen = match fitting.as_slice() {
        [] => return Err("matches a method that was not shown"),
        [only] => *only,
        several => match several.iter().filter(around).collect::<Vec<_>>().as_slice() {
            [only] => **only,
            _ => return Err("matches one of several methods of a name"),
        },
    };
    let entry = Entry { class: chosen.class.clone(), method: chosen.signature.clone() };
    Ok(NamedEntry { op_id, entry })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::brief::BundleFile;

    fn method(signature: &str, lines: (u32, u32)) -> Method {
        Method {
            file: "Orders.java".to_owned(),
            class: "acme.Orders".to_owned(),
            signature: signature.to_owned(),
            lines,
        }
    }

    fn tried(operation: &str, class: &str, name: &str, evidence: &str) -> Result<String, &'static str> {
        let lines = (1..=9).map(|n| (n, "x".to_owned())).collect();
        let file = BundleFile { path: "Orders.java".to_owned(), lines, cites: Vec::new(), shared: false };
        let part = Bundle { files: vec![file], ..Bundle::default() };
        let methods = [method("find(long)", (2, 3)), method("all()", (4, 5)), method("all(int)", (6, 7))];
        let open = OpId::parse("GET /orders").map(|op_id| (op_id, String::new())).into_iter().collect();
        let [operation, class, method, evidence] = [operation, class, name, evidence].map(str::to_owned);
        let one = Matched { operation, class, method, evidence };
        entry(&one, &part, &methods, &open).map(|named| format!("{}#{}", named.entry.class, named.entry.method))
    }

    #[test]
    fn only_an_operation_that_is_open_and_a_method_that_was_shown_make_a_match() {
        assert_eq!(tried("GET /orders", "acme.Orders", "find", "F1:2").as_deref(), Ok("acme.Orders#find(long)"));
        assert_eq!(tried("GET /orders", "Orders", "find(long)", "F1:9").as_deref(), Ok("acme.Orders#find(long)"));
        assert_eq!(tried("GET /orders", "Orders", "all", "F1:6").as_deref(), Ok("acme.Orders#all(int)"));
        for (operation, class, name, evidence) in [
            ("DELETE /orders", "Orders", "find", "F1:2"),
            ("GET /orders", "java.lang.Runtime", "exec", "F1:2"),
            ("GET /orders", "Orders", "drop", "F1:2"),
            ("GET /orders", "Orders", "find", "F1:99"),
            ("GET /orders", "Orders", "find", "../etc/passwd:1"),
            ("GET /orders", "Orders", "all", "F1:9"),
        ] {
            assert!(tried(operation, class, name, evidence).is_err(), "{operation} {class} {name} {evidence}");
        }
    }
}
