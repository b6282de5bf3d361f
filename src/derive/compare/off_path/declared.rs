//! Declared changes: differences that affect the operation although no code runs them. These are annotations on its
//! members that were added, removed or changed (accepted input, access, serialisation of the answer), and changed
//! statements in XML.

use std::collections::{BTreeMap, BTreeSet};

use crate::compare::edits::changed::ChangedCode;
use crate::compare::edits::classes::drop_unnoticed_storage;
use crate::compare::edits::declarations::{deciding, is_default_table};
use crate::compare::edits::guarded::{ChainChange, guarded};
use crate::compare::edits::met_exceptions::handled;
use crate::compare::edits::scripts::table_changes;
use crate::compare::edits::twins::{Fate, fate, handlers};
use crate::compare::objects::handed::handed;
use crate::compare::objects::reads_only::needs_transaction;
use crate::compare::sides::side::{Side, change};
use crate::judge::oracle::place;
use mastor_java::interpret::paths::path::Site;
use mastor_java::ir::facts::{Annotation, PLACE, TypeRef, Value};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_runtime::validation::constraints::is_constraint;
use mastor_types::manifest::Changed;
use mastor_types::results::change::{Change, ChangeEffect, Place};

/// Annotations with an effect, by their presence or their arguments.
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
    "Transactional",
];

/// The annotations of `DECIDING` that affect the result of a call of the method.
pub(in crate::compare) const OF_CALLS: &[&str] =
    &["Query", "Select", "Update", "Insert", "Delete", "Cacheable", "CacheEvict", "CachePut", "Transactional"];

/// Annotations that have an effect on a class, besides those in `DECIDING`.
const OF_CLASSES: &[&str] = &[
    "CrossOrigin",
    "Table",
    "Inheritance",
    "DiscriminatorColumn",
    "DiscriminatorValue",
    "Document",
    "Where",
    "SQLRestriction",
    "SQLDelete",
    "SQLDeleteAll",
    "CacheConfig",
    "RequestScope",
    "SessionScope",
];

/// The changes of annotations on changed members and classes, and of files.
pub fn declared(old: &Side<'_>, new: &Side<'_>, changed: &ChangedCode) -> Vec<Change> {
    let mut found = Vec::new();
    for symbol in changed.symbols() {
        let [Some(was), Some(is)] = [old, new].map(|side| side.member(symbol)) else {
            continue;
        };
        let [Some(mut before), Some(mut after)] = deciding([(old, Some(was)), (new, Some(is))]) else { continue };
        // Annotations that wrap calls of a method do not matter if base or head never calls it.
        if !(is_called(old, was) && is_called(new, is)) {
            [&mut before, &mut after].into_iter().for_each(|facts| {
                facts.annotations.retain(|one| !OF_CALLS.contains(&one.simple()));
            });
        }
        let name = format!("{}#{}", new.bench.subject.project.ty(is.ty).name, after.name);
        if let Some(ChainChange::Otherwise(was_let, is_let)) = guarded((old, was), (new, is)) {
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
        compare(&format!("on what `{name}` holds"), &before.of_elements, &after.of_elements);
        if before.params.len() == after.params.len() {
            for (a, b) in before.params.iter().zip(&after.params) {
                compare(&format!("on `{}` of `{name}`", b.name), &a.annotations, &b.annotations);
                compare(&format!("on what `{}` of `{name}` holds", b.name), &a.of_elements, &b.of_elements);
            }
        }
    }
    found.extend(of_classes(old, new, changed));
    found.extend(new_or_gone((old, new), changed));
    // A file that did not change may count as added or removed, if the code began or ceased to use it. Such files are
    // left out.
    let is_as_before = |file: &str| {
        let of = |side: &Side<'_>| side.bench.subject.files.get(file).map(|entry| entry.blob);
        of(old).is_some() && of(old) == of(new)
    };
    let resources: Vec<_> = changed.resources(old, new).into_iter().filter(|(file, ..)| !is_as_before(file)).collect();
    let lists = lists((old, new), &resources);
    for ((file, key), what) in &lists {
        let short = file.rsplit('/').next().unwrap_or(file);
        let what = format!("`{key}` has {what} in `{short}`");
        found.push(of_file(new, what, (file, key), Changed::Changed));
    }
    let is_of_list = |file: &str, key: &str| {
        list_of(key).is_some_and(|list| lists.contains_key(&(file.to_owned(), list.to_owned())))
    };
    for (file, key, how) in resources {
        if key.is_some_and(|key| is_of_list(file, key)) {
            continue;
        }
        let short = file.rsplit('/').next().unwrap_or(file);
        let what = match (key, how) {
            (Some(key), Changed::Added) => format!("`{key}` is set in `{short}`"),
            (Some(key), Changed::Removed) => format!("`{key}` is no longer set in `{short}`"),
            (Some(key), Changed::Changed) => format!("`{key}` is set to something else in `{short}`"),
            (None, Changed::Added) => format!("`{short}` is new"),
            (None, Changed::Removed) => format!("`{short}` is gone"),
            (None, Changed::Changed) => format!("`{short}`, which code reads, says something else"),
        };
        found.push(of_file(new, what, (file, key.unwrap_or(short)), how));
    }
    let tables: BTreeSet<&str> = changed.tables().into_iter().map(|(_, table, _)| table).collect();
    for table in tables {
        for one in table_changes((old, new), table) {
            let place = |file: &String| Place { file: file.clone(), line: 1, end_line: 1, symbol: table.to_owned() };
            let [before, after] = [&one.files[0], &one.files[1]].map(|file| file.as_ref().map(place));
            let made = change(new, ChangeEffect::Unclear, one.what);
            found.push(Change { evidence_before: before, evidence_after: after, ..made });
        }
    }
    for (file, statement) in changed.statements() {
        let mut parts = statement.rsplitn(3, '.');
        let name = match (parts.next(), parts.next()) {
            (Some(method), Some(mapper)) => format!("{mapper}#{method}"),
            _ => statement.to_owned(),
        };
        let short = file.rsplit('/').next().unwrap_or(file);
        let what = format!("the statement of `{name}` changed in `{short}`");
        found.push(of_file(new, what, (file, statement), Changed::Changed));
    }
    found
}

/// The key of the list that a setting is an element of.
fn list_of(key: &str) -> Option<&str> {
    let (list, place) = key.strip_suffix(']')?.rsplit_once('[')?;
    place.bytes().all(|byte| byte.is_ascii_digit()).then_some(list)
}

/// How lists of settings changed, by file and key, where they only gained or lost values, or have them in another order:
/// element by element every value behind the first one that differs would be another one.
fn lists(
    (old, new): (&Side<'_>, &Side<'_>),
    resources: &[(&str, Option<&str>, Changed)],
) -> BTreeMap<(String, String), String> {
    let values = |side: &Side<'_>, file: &str, list: &str| -> Vec<String> {
        let all = side.bench.subject.properties.all.iter();
        let own = all.filter(|one| one.file == file && list_of(&one.key) == Some(list));
        own.map(|one| one.value.clone()).collect()
    };
    let without = |all: &[String], others: &[String]| -> usize {
        let mut others = others.to_vec();
        let is_own = |value: &&String| match others.iter().position(|other| other == *value) {
            Some(at) => {
                others.swap_remove(at);
                false
            }
            None => true,
        };
        all.iter().filter(is_own).count()
    };
    let many = |number: usize, how: &str| match number {
        1 => format!("one value {how}"),
        number => format!("{number} values {how}"),
    };
    let mut found = BTreeMap::new();
    for (file, key, _) in resources {
        let Some(list) = key.and_then(list_of) else { continue };
        let (was, is) = (values(old, file, list), values(new, file, list));
        let what = match (without(&was, &is), without(&is, &was)) {
            _ if was.is_empty() || is.is_empty() => continue,
            (0, 0) => "its values in another order".to_owned(),
            (0, more) => many(more, "more"),
            (fewer, 0) => many(fewer, "fewer"),
            _ => continue,
        };
        found.insert(((*file).to_owned(), list.to_owned()), what);
    }
    found
}

/// Whether the operation's code may call this method or an implementation of it.
fn is_called(side: &Side<'_>, member: MemberId) -> bool {
    let (project, members) = (side.bench.subject.project, &handed(side).members);
    let stands_in = |one: &MemberId| {
        project.member(*one).name == project.member(member).name && project.overridden(*one).contains(&member)
    };
    members.contains(&member) || project.member(member).body.is_none() && members.iter().any(stands_in)
}

/// The changes of annotations on changed classes.
fn of_classes(old: &Side<'_>, new: &Side<'_>, changed: &ChangedCode) -> Vec<Change> {
    let mut found = Vec::new();
    for name in changed.symbols().filter(|symbol| !symbol.contains(['#', ':'])) {
        let (Some(was), Some(is)) = (old.class(name), new.class(name)) else { continue };
        let annotations = |side: &Side<'_>, ty: TypeId| -> Vec<Annotation> {
            let decides = |one: &&Annotation| OF_CLASSES.contains(&one.simple()) || DECIDING.contains(&one.simple());
            side.bench.subject.project.ty(ty).annotations.iter().filter(decides).cloned().collect()
        };
        let simple = &new.bench.subject.project.ty(is).name;
        let (mut before, mut after) = (annotations(old, was), annotations(new, is));
        // A `@Table` with the default name equals a missing `@Table`.
        let names_table = |all: &[Annotation]| all.iter().any(|one| one.simple() == "Table");
        if names_table(&before) != names_table(&after) {
            before.retain(|one| !is_default_table(old, was, one));
            after.retain(|one| !is_default_table(new, is, one));
        }
        // A transaction around a whole class matters where a method without one of its own writes more than once.
        if !(needs_transaction(old, was) || needs_transaction(new, is)) {
            [&mut before, &mut after].into_iter().for_each(|all| all.retain(|one| one.simple() != "Transactional"));
        }
        [&mut before, &mut after].into_iter().for_each(|all| drop_unnoticed_storage((old, was), (new, is), all));
        for what in annotations_differ(&before, &after) {
            let made = change(new, ChangeEffect::Unclear, format!("{what} on `{simple}`"));
            let (before, after) = (Some(old.place_of_class(was)), Some(new.place_of_class(is)));
            found.push(Change { evidence_before: before, evidence_after: after, ..made });
        }
    }
    found
}

/// A change of a file that is not code, or of a named part of it: a setting, a mapper's statement.
fn of_file(new: &Side<'_>, what: String, (file, symbol): (&str, &str), how: Changed) -> Change {
    let at = Place { file: file.to_owned(), line: 1, end_line: 1, symbol: symbol.to_owned() };
    let mut made = change(new, ChangeEffect::Unclear, what);
    made.evidence_before = (how != Changed::Added).then(|| at.clone());
    made.evidence_after = (how != Changed::Removed).then_some(at);
    made
}

/// Added and removed methods that the container calls: bean factories and exception handlers.
fn new_or_gone((old, new): (&Side<'_>, &Side<'_>), changed: &ChangedCode) -> Vec<Change> {
    let mut found = Vec::new();
    for symbol in changed.symbols() {
        let (side, member, is_new) = match [old, new].map(|side| side.member(symbol)) {
            [Some(member), None] => (old, member, false),
            [None, Some(member)] => (new, member, true),
            _ => continue,
        };
        let other = if is_new { old } else { new };
        let twin = match fate(side, other, member) {
            None | Some(Fate::Unnoticed) => continue,
            // It is told once, of the new one.
            Some(Fate::Replaced(_)) if !is_new => continue,
            Some(Fate::Replaced(twin)) => Some(twin),
            Some(Fate::Alone) => None,
        };
        let named = |side: &Side<'_>, member: MemberId| {
            let project = side.bench.subject.project;
            format!("{}#{}", project.ty(member.ty).name, project.member(member).name)
        };
        let facts = side.bench.subject.project.member(member);
        let (name, is_bean) = (named(side, member), facts.annotations.iter().any(|one| one.simple() == "Bean"));
        // Only the exceptions that no handler of the other revision takes are news.
        let of: Vec<&str> = handled(facts).into_iter().map(TypeRef::simple).collect();
        let taken: BTreeSet<&str> = handlers(other).flat_map(handled).map(TypeRef::simple).collect();
        let (known, news): (Vec<&str>, Vec<&str>) = of.into_iter().partition(|one| taken.contains(one));
        let of = if news.is_empty() { known } else { news };
        let of = of.join(", ");
        let twin_name = twin.map(|twin| named(old, twin));
        // Its class is in another package now.
        if twin_name.as_ref() == Some(&name) {
            continue;
        }
        let what = match (twin_name, is_bean, is_new) {
            (Some(twin), true, _) => format!("`{name}` makes the bean that `{twin}` made"),
            (Some(twin), false, _) => format!("`{name}` answers {of}, which `{twin}` answered"),
            (None, true, true) => format!("`{name}` makes a bean that is new"),
            (None, true, false) => format!("the bean that `{name}` made is gone"),
            (None, false, true) => format!("`{name}`, which is new, answers {of}"),
            (None, false, false) => format!("`{name}`, which answered {of}, is gone"),
        };
        let mut made = change(new, ChangeEffect::Unclear, what);
        let place = Some(at(side, member));
        let before = twin.map(|twin| at(old, twin));
        (made.evidence_before, made.evidence_after) = if is_new { (before, place) } else { (place, None) };
        found.push(made);
    }
    found
}

fn at(side: &Side<'_>, member: MemberId) -> Place {
    let span = side.bench.subject.project.member(member).name_span;
    place(side.bench.subject, Site { member, span })
}

/// Whether a member or parameter that both revisions have has lost a constraint, or is no longer validated.
pub fn loses_constraint((old, new): (&Side<'_>, &Side<'_>), changed: &ChangedCode) -> bool {
    let checks = |side: &Side<'_>, member: MemberId| -> Vec<Annotation> {
        let project = side.bench.subject.project;
        let facts = project.member(member);
        let all = facts.every_annotation();
        let validates = |one: &&Annotation| {
            ["Valid", "Validated"].contains(&one.simple()) || is_constraint(project, member.ty, one) == Some(true)
        };
        all.filter(validates).map(Annotation::without_places).collect()
    };
    changed.symbols().any(|symbol| {
        let Some((was, is)) = old.member(symbol).zip(new.member(symbol)) else { return false };
        let after = checks(new, is);
        checks(old, was).iter().any(|one| !after.contains(one))
    })
}

/// The differences between the relevant annotations of two declarations, in words.
fn differences(
    old: (&Side<'_>, MemberId),
    new: (&Side<'_>, MemberId),
    (was, is): (&[Annotation], &[Annotation]),
) -> Vec<String> {
    let decides = |(side, member): (&Side<'_>, MemberId), annotation: &Annotation| {
        let is_inert =
            ["Valid", "Validated"].contains(&annotation.simple()) && side.bench.subject.project.has_inert_constraints();
        (DECIDING.contains(&annotation.simple()) && !is_inert && !is_transacted_anyway((side, member), annotation))
            || is_constraint(side.bench.subject.project, member.ty, annotation) == Some(true)
    };
    // A `@JsonProperty` with the field's own name may equal the default.
    let names_itself = |(side, member): (&Side<'_>, MemberId), annotation: &Annotation| {
        let name = &side.bench.subject.project.member(member).name;
        annotation.simple() == "JsonProperty"
            && annotation.args.iter().all(|(_, value)| matches!(value, Value::Str(text) if text == name))
    };
    let kept = |side: (&Side<'_>, MemberId), all: &[Annotation]| -> Vec<Annotation> {
        all.iter().filter(|one| decides(side, one) && !names_itself(side, one)).cloned().collect()
    };
    // If both sides have an annotation of one name, but only one of the two is relevant, it counts neither as added nor
    // as removed.
    let (before, after) = (kept(old, was), kept(new, is));
    let is_named = |all: &[Annotation], what: &Annotation| all.iter().any(|one| one.simple() == what.simple());
    let gone = before.iter().filter(|one| is_named(&after, one) || !is_named(is, one));
    let come = after.iter().filter(|one| is_named(&before, one) || !is_named(was, one));
    annotations_differ(&gone.cloned().collect::<Vec<_>>(), &come.cloned().collect::<Vec<_>>())
}

/// Removed, added and replaced annotations, in words.
pub(super) fn annotations_differ(was: &[Annotation], is: &[Annotation]) -> Vec<String> {
    let mut found = Vec::new();
    let of = |all: &[Annotation], name: &str| -> Vec<String> {
        all.iter().filter(|one| one.simple() == name).map(said).collect()
    };
    for annotation in was {
        let (before, after) = (of(was, annotation.simple()), of(is, annotation.simple()));
        if after.is_empty() {
            found.push(format!("`{}` is gone", said(annotation)));
        } else if before != after && before.len() == after.len() {
            let pairs = before.iter().zip(&after).filter(|(a, b)| a != b);
            found.extend(pairs.map(|(a, b)| format!("`{b}` stands where `{a}` stood")));
        }
    }
    for annotation in is.iter().filter(|one| of(was, one.simple()).is_empty()) {
        found.push(format!("`{}` is new", said(annotation)));
    }
    found.dedup();
    found
}

/// Whether a `@Transactional` has no effect: it is read-only, or the whole class is transactional.
fn is_transacted_anyway((side, member): (&Side<'_>, MemberId), annotation: &Annotation) -> bool {
    let only_reads = annotation.arg("readOnly").is_some_and(|value| matches!(value, Value::Bool(true)));
    let of_class = &side.bench.subject.project.ty(member.ty).annotations;
    annotation.simple() == "Transactional" && (only_reads || of_class.iter().any(|one| one.simple() == "Transactional"))
}

/// The source text of an annotation.
fn said(annotation: &Annotation) -> String {
    let args: Vec<&(String, Value)> = annotation.args.iter().filter(|(name, _)| name != PLACE).collect();
    let is_only = args.len() == 1;
    let args: Vec<String> = args
        .into_iter()
        .map(|(name, value)| match name.as_str() {
            "value" if is_only => value_words(value),
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
        Value::Annotation(inner) => said(inner),
        Value::Array(items) => match items.as_slice() {
            [one] => value_words(one),
            items => format!("{{{}}}", items.iter().map(value_words).collect::<Vec<_>>().join(", ")),
        },
        Value::Name(name) => name.clone(),
        other => {
            let text = format!("{other:?}");
            let inner = text.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')'));
            inner.unwrap_or(&text).to_owned()
        }
    }
}
