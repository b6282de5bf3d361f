//! SQL seeds and migrations as inputs, by table: of the operations whose closure touches the table's entity or names the table.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::input::{GlobalInput, Touched};
use crate::frameworks::resources::is_aside;
use crate::frameworks::routing::Inputs;
use crate::java::constant::Constant;
use crate::java::ids::TypeId;
use crate::java::project::Project;
use crate::types::Hash;
use crate::types::manifest::InputClass;

/// The statements of one file on one table.
struct Part {
    input: GlobalInput,
    table: String,
    entities: Vec<TypeId>,
    /// Literals that name the table.
    named_by: Vec<String>,
}

/// All seeds and migrations of a revision.
pub(super) struct SqlInputs {
    parts: Vec<Part>,
}

impl SqlInputs {
    pub(super) fn of(inputs: &Inputs<'_>) -> Self {
        let entities = entities(inputs.project);
        let mut parts = Vec::new();
        for (path, text) in inputs.resources.iter().filter(|(path, _)| path.ends_with(".sql") && !is_aside(path)) {
            let mut tables: BTreeMap<String, Vec<String>> = BTreeMap::new();
            for statement in statements(text) {
                let named = tables_of(&statement);
                for table in if named.is_empty() { BTreeSet::from([String::new()]) } else { named } {
                    tables.entry(table).or_default().push(statement.clone());
                }
            }
            for (table, statements) in tables {
                let id =
                    if table.is_empty() { format!("global:{path}") } else { format!("global:{path} table {table}") };
                let hash = Hash::of(statements.join(";\n").as_bytes());
                let entities = entities.get(&table).cloned().unwrap_or_default();
                let input = GlobalInput { id, class: InputClass::Environment, hash };
                parts.push(Part { input, table, entities, named_by: Vec::new() });
            }
        }
        Self { parts }
    }

    /// Notes which of the literals of a project name which table.
    pub(super) fn index(&mut self, literals: &[&str]) {
        let lower: Vec<(String, &str)> = literals.iter().map(|text| (text.to_ascii_lowercase(), *text)).collect();
        self.parts.par_iter_mut().filter(|part| !part.table.is_empty()).for_each(|part| {
            let naming = lower.iter().filter(|(lower, _)| mentions(lower, &part.table));
            part.named_by = naming.map(|(_, text)| (*text).to_owned()).collect();
        });
    }

    pub(super) fn inputs_for(&self, touched: &Touched<'_>) -> Vec<GlobalInput> {
        let one = |part: &Part| {
            let reached = part.entities.iter().any(|ty| touched.types.contains(ty));
            let class =
                if reached || touched.has_any(&part.named_by) { InputClass::Code } else { InputClass::Environment };
            // A table of an entity that is not reached does not concern the operation; one of nobody known may concern any.
            (class == InputClass::Code || part.entities.is_empty()).then(|| GlobalInput { class, ..part.input.clone() })
        };
        self.parts.iter().filter_map(one).collect()
    }
}

/// Whether a text in small letters names a table as a word.
fn mentions(lower: &str, table: &str) -> bool {
    lower.match_indices(table).any(|(at, _)| {
        let word = |c: char| c.is_alphanumeric() || c == '_';
        !lower[..at].ends_with(word) && !lower[at + table.len()..].starts_with(word)
    })
}

/// Tables of entities: by `@Table(name)`, `@Entity(name)`, or the default names of the class; join tables belong to the type that names them.
fn entities(project: &Project) -> BTreeMap<String, Vec<TypeId>> {
    let mut found: BTreeMap<String, Vec<TypeId>> = BTreeMap::new();
    let mut add = |name: &str, ty: TypeId| {
        let list = found.entry(name.trim_matches(['"', '`', '[', ']']).to_ascii_lowercase()).or_default();
        if !list.contains(&ty) {
            list.push(ty);
        }
    };
    let text = |ty: TypeId, value: &crate::java::facts::Value| match project.eval(ty, value).value {
        Constant::Str(text) => Some(text),
        _ => None,
    };
    for ty in project.types() {
        let facts = project.ty(ty);
        for annotation in
            facts.annotations.iter().filter(|a| matches!(a.simple(), "Entity" | "Table" | "SecondaryTable"))
        {
            match annotation.arg("name").or_else(|| annotation.arg("value")).and_then(|value| text(ty, value)) {
                Some(name) => add(&name, ty),
                None => {
                    add(&facts.name, ty);
                    add(&snake(&facts.name), ty);
                }
            }
        }
        for member in &facts.members {
            for annotation in
                member.annotations.iter().filter(|a| matches!(a.simple(), "JoinTable" | "CollectionTable"))
            {
                if let Some(name) = annotation.arg("name").and_then(|value| text(ty, value)) {
                    add(&name, ty);
                }
            }
        }
    }
    found
}

/// `OrderLine` as Spring's naming strategy writes it: `order_line`.
fn snake(name: &str) -> String {
    let mut out = String::new();
    for (at, c) in name.char_indices() {
        if c.is_uppercase() && at > 0 {
            out.push('_');
        }
        out.extend(c.to_lowercase());
    }
    out
}

/// Statements without comments, white space folded.
fn statements(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut current = String::new();
    let mut chars = text.chars().peekable();
    let mut quote: Option<char> = None;
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(open), c) => {
                current.push(c);
                if c == open {
                    quote = None;
                }
            }
            (None, '\'' | '"' | '`') => {
                quote = Some(c);
                current.push(c);
            }
            (None, '-') if chars.peek() == Some(&'-') => while chars.next().is_some_and(|c| c != '\n') {},
            (None, '#') if current.trim().is_empty() => while chars.next().is_some_and(|c| c != '\n') {},
            (None, '/') if chars.peek() == Some(&'*') => {
                let mut last = ' ';
                for c in chars.by_ref().skip(1) {
                    if last == '*' && c == '/' {
                        break;
                    }
                    last = c;
                }
            }
            (None, ';') => out.push(std::mem::take(&mut current)),
            (None, c) if c.is_whitespace() => {
                if !current.ends_with(' ') {
                    current.push(' ');
                }
            }
            (None, c) => current.push(c),
        }
    }
    out.push(current);
    out.into_iter().map(|s| s.trim().to_owned()).filter(|s| !s.is_empty()).collect()
}

/// The tables that a statement names after `INTO`, `UPDATE`, `FROM`, `JOIN`, `TABLE`, `REFERENCES`, `ON`; lower case, without schema.
fn tables_of(statement: &str) -> BTreeSet<String> {
    const BEFORE: [&str; 7] = ["into", "update", "from", "join", "table", "references", "on"];
    const NOT: [&str; 12] =
        ["if", "not", "exists", "select", "set", "delete", "update", "cascade", "conflict", "only", "no", "ignore"];
    let lower = statement.to_ascii_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | ',')).filter(|w| !w.is_empty()).collect();
    let mut found = BTreeSet::new();
    for (at, word) in words.iter().enumerate() {
        if BEFORE.contains(word) {
            let next = words.iter().skip(at + 1).find(|w| !NOT.contains(w));
            if let Some(name) = next {
                let plain = name.rsplit('.').next().unwrap_or(name).trim_matches(['"', '`', '[', ']', '\'']);
                if plain.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_') {
                    found.insert(plain.to_owned());
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_lose_comments_and_keep_texts() {
        let text =
            "-- seed\nINSERT INTO Orders(id) VALUES (1, 'a;--b');\n/* x */ update public.\"order_line\" set n = 2;";
        assert_eq!(
            statements(text),
            ["INSERT INTO Orders(id) VALUES (1, 'a;--b')", "update public.\"order_line\" set n = 2"]
        );
        assert_eq!(tables_of(&statements(text)[0]), BTreeSet::from(["orders".to_owned()]));
        assert_eq!(tables_of(&statements(text)[1]), BTreeSet::from(["order_line".to_owned()]));
        assert_eq!(
            tables_of("CREATE TABLE IF NOT EXISTS a (b int REFERENCES c)"),
            BTreeSet::from(["a".to_owned(), "c".to_owned()])
        );
    }

    #[test]
    fn a_table_is_named_as_a_word() {
        assert!(mentions("select * from orders o", "orders"));
        assert!(!mentions("select * from reorders", "orders"));
    }
}
