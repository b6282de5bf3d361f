//! Declared changes: what no code runs and yet decides the operation. Annotations on its members that are new, gone or say something else (what it
//! takes, who may call it, how its answer is written), and statements in XML that changed.

use super::guarded::{Guarded, guarded};
use super::sameness::ChangedCode;
use super::side::{Side, change};
use crate::derive::judge::oracle::place;
use crate::java::facts::{Annotation, Value};
use crate::java::ids::MemberId;
use crate::java::interpret::path::Site;
use crate::runtime::validation::constraints::is_constraint;
use crate::types::change::{Change, ChangeEffect, Place};
use crate::types::manifest::Changed;

/// Annotations that decide something by standing there, or by what they say.
const DECIDING: &[&str] = &[
    "Valid",
    "Validated",
    "PreAuthorize",
    "PostAuthorize",
    "PreFilter",
    "PostFilter",
    "Secured",
    "RolesAllowed",
    "PermitAll",
    "DenyAll",
    "Authenticated",
    "ResponseStatus",
    "JsonIgnore",
    "JsonIgnoreProperties",
    "JsonProperty",
    "JsonInclude",
    "JsonFormat",
    "JsonNaming",
    "JsonUnwrapped",
    "JsonValue",
    "JsonSerialize",
    "JsonDeserialize",
    "Query",
    "NamedQuery",
    "Select",
    "Update",
    "Insert",
    "Delete",
    "OrderBy",
    "DefaultValue",
    "Value",
    "Cacheable",
    "CacheEvict",
    "CachePut",
];

/// Tells what annotations of changed members say otherwise.
pub fn declared(old: &Side<'_>, new: &Side<'_>, changed: &ChangedCode) -> Vec<Change> {
    let mut found = Vec::new();
    for symbol in changed.symbols() {
        let [Some(was), Some(is)] = [old, new].map(|side| side.member(symbol)) else {
            continue;
        };
        let (before, after) = (old.bench.subject.project.member(was), new.bench.subject.project.member(is));
        let name = format!("{}#{}", new.bench.subject.project.ty(is.ty).name, after.name);
        if let Some(Guarded::Otherwise(was_let, is_let)) = guarded((old, was), (new, is)) {
            let what = format!("the rule `{is_let}` of `{name}` decides who is let in, where `{was_let}` did");
            let mut made = change(new, ChangeEffect::Unclear, what);
            made.evidence_before = Some(at(old, was));
            made.evidence_after = Some(at(new, is));
            found.push(made);
        }
        let mut compare = |on: &str, a: &[Annotation], b: &[Annotation]| {
            for what in differences((old, was), (new, is), (a, b)) {
                let mut made = change(new, ChangeEffect::Unclear, format!("{what} {on}"));
                made.evidence_before = Some(at(old, was));
                made.evidence_after = Some(at(new, is));
                found.push(made);
            }
        };
        compare(&format!("on `{name}`"), &before.annotations, &after.annotations);
        if before.params.len() == after.params.len() {
            for (a, b) in before.params.iter().zip(&after.params) {
                compare(&format!("on `{}` of `{name}`", b.name), &a.annotations, &b.annotations);
            }
        }
    }
    for (file, table, how) in changed.tables() {
        let short = file.rsplit('/').next().unwrap_or(file);
        let what = match how {
            Changed::Added => format!("`{short}` is new, and says something of the table `{table}`"),
            Changed::Removed => format!("`{short}` no longer says anything of the table `{table}`"),
            Changed::Changed => format!("`{short}` says something else of the table `{table}`"),
        };
        let mut made = change(new, ChangeEffect::Unclear, what);
        let at = Place { file: file.to_owned(), line: 1, end_line: 1, symbol: table.to_owned() };
        made.evidence_before = (how != Changed::Added).then(|| at.clone());
        made.evidence_after = (how != Changed::Removed).then_some(at);
        found.push(made);
    }
    for (file, statement) in changed.statements() {
        let mut parts = statement.rsplitn(3, '.');
        let name = match (parts.next(), parts.next()) {
            (Some(method), Some(mapper)) => format!("{mapper}#{method}"),
            _ => statement.to_owned(),
        };
        let short = file.rsplit('/').next().unwrap_or(file);
        let mut made = change(new, ChangeEffect::Unclear, format!("the statement of `{name}` changed in `{short}`"));
        let at = Place { file: file.to_owned(), line: 1, end_line: 1, symbol: statement.to_owned() };
        (made.evidence_before, made.evidence_after) = (Some(at.clone()), Some(at));
        found.push(made);
    }
    found
}

fn at(side: &Side<'_>, member: MemberId) -> Place {
    let span = side.bench.subject.project.member(member).name_span;
    place(side.bench.subject, Site { member, span })
}

/// What differs between the deciding annotations of two declarations, in words.
fn differences(
    old: (&Side<'_>, MemberId),
    new: (&Side<'_>, MemberId),
    (was, is): (&[Annotation], &[Annotation]),
) -> Vec<String> {
    let decides = |(side, member): (&Side<'_>, MemberId), annotation: &Annotation| {
        DECIDING.contains(&annotation.simple())
            || is_constraint(side.bench.subject.project, member.ty, annotation) == Some(true)
    };
    // A name that the field has anyway says nothing for certain.
    let names_itself = |(side, member): (&Side<'_>, MemberId), annotation: &Annotation| {
        let name = &side.bench.subject.project.member(member).name;
        annotation.simple() == "JsonProperty"
            && annotation.args.iter().all(|(_, value)| matches!(value, Value::Str(text) if text == name))
    };
    let mut found = Vec::new();
    let of = |all: &[Annotation], name: &str| -> Vec<String> {
        all.iter().filter(|one| one.simple() == name).map(said).collect()
    };
    for annotation in was.iter().filter(|one| decides(old, one) && !names_itself(old, one)) {
        let (before, after) = (of(was, annotation.simple()), of(is, annotation.simple()));
        if after.is_empty() {
            found.push(format!("`{}` is gone", said(annotation)));
        } else if before != after && before.len() == after.len() {
            found.extend(
                before
                    .iter()
                    .zip(&after)
                    .filter(|(a, b)| a != b)
                    .map(|(a, b)| format!("`{b}` stands where `{a}` stood")),
            );
        }
    }
    for annotation in is.iter().filter(|one| decides(new, one) && !names_itself(new, one)) {
        if of(was, annotation.simple()).is_empty() {
            found.push(format!("`{}` is new", said(annotation)));
        }
    }
    found.dedup();
    found
}

/// An annotation as it would be written.
fn said(annotation: &Annotation) -> String {
    let args: Vec<String> = annotation
        .args
        .iter()
        .map(|(name, value)| match name.as_str() {
            "value" if annotation.args.len() == 1 => value_words(value),
            name => format!("{name} = {}", value_words(value)),
        })
        .collect();
    match args.is_empty() {
        true => format!("@{}", annotation.simple()),
        false => format!("@{}({})", annotation.simple(), args.join(", ")),
    }
}

fn value_words(value: &Value) -> String {
    match value {
        Value::Str(text) => format!("\"{}\"", text.split_whitespace().collect::<Vec<_>>().join(" ")),
        Value::Class(ty) => format!("{}.class", ty.simple()),
        other => {
            let text = format!("{other:?}");
            let inner = text.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')'));
            inner.unwrap_or(&text).to_owned()
        }
    }
}
