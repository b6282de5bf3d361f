//! String literals of members and types: how code names configuration keys, tables and files.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::closure::Closure;
use crate::java::body::{ExprKind, Lit};
use crate::java::facts::{Annotation, Value};
use crate::java::ids::{MemberId, TypeId};
use crate::java::project::Project;

/// Literals by member and type, for all that any closure reaches.
pub struct Literals {
    members: BTreeMap<MemberId, Vec<String>>,
    types: BTreeMap<TypeId, Vec<String>>,
    /// Every member and type that a closure reaches.
    reached: (BTreeSet<MemberId>, BTreeSet<TypeId>),
}

/// Annotations of types that a framework makes and runs, whoever asks.
const RUN: [&str; 6] =
    ["Configuration", "SpringBootApplication", "Component", "Service", "EnableAutoConfiguration", "AutoConfiguration"];

impl Literals {
    /// Reads the bodies and annotations of these closures.
    pub fn of<'a>(project: &Project, closures: impl Iterator<Item = &'a Closure>) -> Self {
        let (mut members, mut types) = (BTreeSet::new(), BTreeSet::new());
        for closure in closures {
            members.extend(closure.members.keys().copied());
            types.extend(closure.types.iter().copied());
            types.extend(closure.members.keys().map(|member| member.ty));
        }
        let in_members = members
            .par_iter()
            .map(|member| (*member, of_member(project, *member)))
            .filter(|(_, found)| !found.is_empty());
        let in_types = types
            .iter()
            .map(|ty| (*ty, of_annotations(&project.ty(*ty).annotations)))
            .filter(|(_, found)| !found.is_empty());
        Self { members: in_members.collect(), types: in_types.collect(), reached: (members, types) }
    }

    /// What no closure reaches and a framework may read all the same: annotations, and bodies of types that a framework makes.
    pub fn beside(&self, project: &Project) -> Vec<String> {
        let (members, types) = &self.reached;
        let of_type = |ty: TypeId| {
            let annotations = &project.ty(ty).annotations;
            let runs = annotations.iter().any(|annotation| RUN.contains(&annotation.simple()));
            let mut found = if types.contains(&ty) { Vec::new() } else { of_annotations(annotations) };
            for member in project.members(ty).filter(|member| !members.contains(member)) {
                let facts = project.member(member);
                let on_params = facts.params.iter().flat_map(|param| of_annotations(&param.annotations));
                match runs {
                    true => found.extend(of_member(project, member)),
                    false => found.extend(of_annotations(&facts.annotations).into_iter().chain(on_params)),
                }
            }
            found
        };
        let all: Vec<TypeId> = project.types().collect();
        let found: BTreeSet<String> = all.into_par_iter().flat_map_iter(of_type).collect();
        found.into_iter().collect()
    }

    /// Every literal, once, in order.
    pub fn all(&self) -> Vec<&str> {
        let all: BTreeSet<&str> =
            self.members.values().chain(self.types.values()).flatten().map(String::as_str).collect();
        all.into_iter().collect()
    }

    /// The literals of one closure.
    pub fn within<'a>(&'a self, members: &BTreeSet<MemberId>, types: &BTreeSet<TypeId>) -> BTreeSet<&'a str> {
        let of_members = members.iter().filter_map(|member| self.members.get(member));
        let of_types = types.iter().filter_map(|ty| self.types.get(ty));
        of_members.chain(of_types).flatten().map(String::as_str).collect()
    }
}

fn of_member(project: &Project, member: MemberId) -> Vec<String> {
    let facts = project.member(member);
    let mut found = of_annotations(&facts.annotations);
    for param in &facts.params {
        found.extend(of_annotations(&param.annotations));
    }
    if let Some(value) = &facts.value {
        of_value(value, &mut found);
    }
    if let Some(body) = project.body(member) {
        found.extend(body.exprs.iter().filter_map(|expr| match &expr.kind {
            ExprKind::Lit(Lit::Str(text)) => Some(text.clone()),
            _ => None,
        }));
    }
    found
}

fn of_annotations(annotations: &[Annotation]) -> Vec<String> {
    let mut found = Vec::new();
    for annotation in annotations {
        for (_, value) in &annotation.args {
            of_value(value, &mut found);
        }
    }
    found
}

fn of_value(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Str(text) => found.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| of_value(item, found)),
        Value::Annotation(inner) => found.extend(of_annotations(std::slice::from_ref(inner))),
        Value::Binary(_, left, right) => {
            of_value(left, found);
            of_value(right, found);
        }
        Value::Conditional(_, then, otherwise) => {
            of_value(then, found);
            of_value(otherwise, found);
        }
        _ => {}
    }
}
