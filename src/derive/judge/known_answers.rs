//! Whether an answer and all writes of a request are completely known, so that two revisions can be called alike on it.

use std::collections::BTreeSet;

use crate::search::explore::Settled;
use mastor_java::interpret::stores::state::StoreOperation;
use mastor_java::interpret::values::value::{Heap, Kind, ObjId, Object, Value};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::project::index::Project;
use mastor_runtime::body::shape::{AnswerBody, Shape};
use mastor_runtime::server::serve::{Run, Served};

/// Maximum depth of references between written objects; deeper data counts as unknown.
const DEPTH: usize = 6;

/// Whether the answers of two revisions with the same status cannot differ in an unknown part: both bodies are known,
/// or both are made from the same exception, by the container or by unchanged code.
pub(crate) fn is_whole(
    before: (&Project, &Run, &Settled),
    after: (&Project, &Run, &Settled),
    changed: &[BTreeSet<MemberId>; 2],
) -> bool {
    let known = |(_, _, settled): (&Project, &Run, &Settled)| is_known(&settled.body);
    if known(before) && known(after) {
        return true;
    }
    let is_refused = |(_, _, settled): (&Project, &Run, &Settled)| settled.status >= 400;
    let told = |(project, run, _): (&Project, &Run, &Settled)| -> Option<BTreeSet<String>> {
        run.served.iter().map(|served| failure(project, served)).collect()
    };
    let is_made_alike = |(_, run, _): (&Project, &Run, &Settled), changed: &BTreeSet<MemberId>| {
        run.served.iter().all(|served| served.answer.handled_by.is_disjoint(changed))
    };
    let made_alike = is_made_alike(before, &changed[0]) && is_made_alike(after, &changed[1]);
    made_alike && is_refused(before) && is_refused(after) && told(before).is_some_and(|was| told(after) == Some(was))
}

/// The exception behind an answer, with its content; for an exception of the framework, its name. `None` if it is not
/// known.
fn failure(project: &Project, served: &Served) -> Option<String> {
    let name = served.answer.exception.as_ref()?;
    let Some(thrown) = served.answer.thrown else {
        return served.path.exit.is_none().then(|| name.clone());
    };
    let writer = Writer { project, heap: &served.path.heap };
    Some(format!("{name} {}", writer.object(thrown, &mut Vec::new())?))
}

/// Whether every part of a body is known, or is a key that a store generates.
fn is_known(body: &AnswerBody) -> bool {
    match body {
        AnswerBody::Empty | AnswerBody::Text(..) => true,
        AnswerBody::Json(shape) => is_told(shape),
        AnswerBody::Unknown => false,
    }
}

fn is_told(shape: &Shape) -> bool {
    match shape {
        Shape::Exact(_) | Shape::Key(..) => true,
        Shape::Object(fields) => fields.iter().all(|(_, shape)| is_told(shape)),
        Shape::Array(items) | Shape::Bag(items) => items.iter().all(is_told),
        Shape::Typed(..) | Shape::Unknown => false,
    }
}

/// The writes of a request on each of its paths, in a form that both revisions share: names of classes and fields, and
/// values. `None` if a part is not known.
pub(crate) fn writes(project: &Project, run: &Run) -> Option<BTreeSet<Vec<String>>> {
    run.served.iter().map(|served| written(project, served)).collect()
}

fn written(project: &Project, served: &Served) -> Option<Vec<String>> {
    let path = &served.path;
    let writer = Writer { project, heap: &path.heap };
    let mut out: Vec<String> = path.effects.iter().map(ToString::to_string).collect();
    for deed in &path.store.deeds {
        let row = |what: &str, entity: &TypeId, row: &ObjId| {
            Some(format!("{what} {} {}", project.fqn(*entity), writer.object(*row, &mut Vec::new())?))
        };
        match deed {
            StoreOperation::Inserted { entity, row: object } => out.push(row("inserted", entity, object)?),
            StoreOperation::Changed { entity, row: object } => out.push(row("changed", entity, object)?),
            StoreOperation::Removed { entity, row: object } => out.push(row("removed", entity, object)?),
            StoreOperation::Emptied { entity } => out.push(format!("emptied {}", project.fqn(*entity))),
            StoreOperation::Kept { .. } => return None,
            StoreOperation::Asked { .. }
            | StoreOperation::Identified { .. }
            | StoreOperation::Looked { .. }
            | StoreOperation::Listed { .. } => {}
        }
    }
    if !path.effects.is_empty() {
        for (table, rows) in &path.store.sql {
            for row in rows.iter() {
                let columns: Option<Vec<String>> = row
                    .iter()
                    .map(|(column, value)| Some(format!("{column}={}", writer.value(value, &mut Vec::new())?)))
                    .collect();
                out.push(format!("{table} {}", columns?.join(",")));
            }
        }
    }
    Some(out)
}

struct Writer<'w> {
    project: &'w Project,
    heap: &'w Heap,
}

impl Writer<'_> {
    fn value(&self, value: &Value, within: &mut Vec<ObjId>) -> Option<String> {
        match value {
            Value::Scalar(scalar) => Some(format!("{scalar:?}")),
            Value::Ref(id) => self.object(*id, within),
            // Generated keys are equal if rows are created in the same order.
            Value::Symbol(symbol) => Some(symbol.term.to_string()),
            Value::Class(_) | Value::Lambda(_) | Value::Cond(_) | Value::Unknown(_) => None,
        }
    }

    fn object(&self, id: ObjId, within: &mut Vec<ObjId>) -> Option<String> {
        if let Some(at) = within.iter().position(|outer| *outer == id) {
            return Some(format!("^{}", within.len() - at));
        }
        if within.len() >= DEPTH {
            return None;
        }
        within.push(id);
        let text = self.parts(self.heap.get(id)?, within);
        within.pop();
        text
    }

    fn parts(&self, object: &Object, within: &mut Vec<ObjId>) -> Option<String> {
        let mut parts: Vec<String> = Vec::new();
        for (field, value) in &object.fields {
            parts.push(format!("{}={}", self.project.member(*field).name, self.value(value, within)?));
        }
        match &object.kind {
            Kind::Body(_) => {}
            Kind::List { items, .. } => {
                for item in items {
                    parts.push(self.value(item, within)?);
                }
            }
            Kind::Plain | Kind::Modelled => {
                for (name, value) in &object.parts {
                    // A library builds the message of its exception from the exception's other fields.
                    if *name == "message" && matches!(value, Value::Unknown(_)) && object.parts.len() > 1 {
                        continue;
                    }
                    parts.push(format!("{name}={}", self.value(value, within)?));
                }
            }
            Kind::Native(_) | Kind::Bean | Kind::Escaped(_) | Kind::Opaque(_) => return None,
        }
        Some(format!("{{{}}}", parts.join(",")))
    }
}
