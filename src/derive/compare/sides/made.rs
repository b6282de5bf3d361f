//! Calls by which libraries create objects of one class from objects of another, as mappers do: they read and write the
//! properties with the same names.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use mastor_java::interpret::linking::code::{Code, Link};
use mastor_java::ir::body::{ExprId, ExprKind};
use mastor_java::ir::facts::{MemberKind, TypeKind};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::project::index::Project;

/// Verbs of methods that create or fill one object from another.
const MAPPING: &[&str] = &["convert", "copy", "map", "merge", "populate", "toBean", "transform"];
/// Name parts of methods that start with such a verb but pass on the whole object.
const PASSING: &[&str] = &["Send", "Receive", "Value"];

/// A call by which a library creates an object of one class from an object of another, as mappers do. It copies the
/// properties with the same names.
#[derive(Debug)]
pub(in crate::compare) struct MappingCall {
    /// The classes that it reads.
    pub(in crate::compare) from: BTreeSet<TypeId>,
    /// The classes that it creates.
    pub(in crate::compare) to: BTreeSet<TypeId>,
    /// Computed on first use, for the classes read, then for those created: the classes that are reachable through
    /// properties whose names share a word with the names on the other side, and the words of the other side's names.
    pub(in crate::compare) met: OnceLock<[(BTreeSet<TypeId>, BTreeSet<String>); 2]>,
}

/// The calls in this code by which libraries create objects from others.
pub(in crate::compare) fn made_by_libraries(project: &Project, code: &Code) -> Vec<MappingCall> {
    let calls = code.body.exprs.iter().zip(&code.links).filter_map(|(expr, link)| match (&expr.kind, link) {
        (ExprKind::Call { name, args, .. }, Link::Call(call)) if call.methods.is_empty() => {
            MappingCall::of(project, code, (name, args))
        }
        _ => None,
    });
    calls.collect()
}

impl MappingCall {
    /// Recognises a library call that reads objects of one project class, and creates or fills objects of another.
    pub(in crate::compare) fn of(project: &Project, code: &Code, (name, args): (&str, &[ExprId])) -> Option<Self> {
        let [from, to] = args else { return None };
        let held = |arg: ExprId| {
            let mut found = BTreeSet::new();
            code.resolved.ty(arg).projects(&mut found);
            found
        };
        // Calls of HTTP clients also take an object and the class of the answer. Jackson's `convertValue` fails for
        // properties that the other class lacks.
        let maps = MAPPING.iter().any(|verb| name.starts_with(verb)) && !PASSING.iter().any(|part| name.contains(part));
        let is_class = matches!(code.body.expr(*from).kind, ExprKind::ClassLit(_));
        let read = held(*from);
        let made = said_class(project, code, *to).unwrap_or_else(|| held(*to));
        let has_names = |ty: &TypeId| matches!(project.ty(*ty).kind, TypeKind::Class | TypeKind::Record);
        let are_objects = |all: &BTreeSet<TypeId>| !all.is_empty() && all.iter().all(has_names);
        if !maps || is_class || !are_objects(&read) || !are_objects(&made) {
            return None;
        }
        Some(Self { from: read, to: made, met: OnceLock::new() })
    }

    /// For the classes read, then for those created: the classes that are reachable through properties whose names
    /// share a word with the names on the other side, and the words of the other side's names.
    pub(in crate::compare) fn met(&self, project: &Project) -> &[(BTreeSet<TypeId>, BTreeSet<String>); 2] {
        self.met.get_or_init(|| {
            [(&self.from, &self.to), (&self.to, &self.from)].map(|(own, other)| {
                let words = names_within(project, other);
                (within(project, own, &words), words)
            })
        })
    }

    /// Whether the created objects can contain an object of this class.
    pub(in crate::compare) fn may_make(&self, project: &Project, ty: TypeId) -> bool {
        self.met(project)[1].0.contains(&ty)
    }
}

/// The classes that an argument names: a class literal, or the type arguments of an anonymous class (a type token).
fn said_class(project: &Project, code: &Code, arg: ExprId) -> Option<BTreeSet<TypeId>> {
    let mut found = BTreeSet::new();
    match (&code.body.expr(arg).kind, &code.links[arg.0 as usize]) {
        (ExprKind::ClassLit(_), Link::Type(ty)) => found.extend(ty.project()),
        (ExprKind::Call { target: Some(target), args, .. }, _) if args.is_empty() => {
            return said_class(project, code, *target);
        }
        (ExprKind::New { ty, anonymous: Some(_), .. }, _) => {
            ty.args.iter().for_each(|arg| project.named_in(code.member.ty, arg, &mut found));
        }
        _ => return None,
    }
    Some(found)
}

/// The classes of these objects and of the objects that they contain, directly or indirectly, through members whose
/// names contain one of these words.
fn within(project: &Project, of: &BTreeSet<TypeId>, words: &BTreeSet<String>) -> BTreeSet<TypeId> {
    parts(project, of, |member| {
        let facts = project.member(member);
        let is_read = facts.kind != MemberKind::Method || facts.params.is_empty();
        is_read && !words_in(project, member).is_disjoint(words)
    })
}

/// The words in the names of all members of these classes, and of the classes that their objects contain.
fn names_within(project: &Project, of: &BTreeSet<TypeId>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    parts(project, of, |member| {
        words_of(&project.member(member).name, &mut found);
        true
    });
    found
}

/// The classes of objects and of the objects in the selected members, with their supertypes and subtypes.
fn parts(project: &Project, of: &BTreeSet<TypeId>, mut goes_on: impl FnMut(MemberId) -> bool) -> BTreeSet<TypeId> {
    let (mut found, mut open) = (BTreeSet::new(), Vec::from_iter(of.iter().copied()));
    let mut seen = BTreeSet::new();
    while let Some(object) = open.pop() {
        if !seen.insert(object) {
            continue;
        }
        let line = [object].into_iter().chain(project.all_supers(object)).chain(project.all_subtypes(object));
        for ty in line.collect::<BTreeSet<TypeId>>() {
            if !found.insert(ty) {
                continue;
            }
            for member in project.members(ty) {
                let facts = project.member(member);
                let is_part =
                    matches!(facts.kind, MemberKind::Field | MemberKind::RecordComponent | MemberKind::Method);
                if is_part && goes_on(member) {
                    let mut held = BTreeSet::new();
                    facts.ty.iter().for_each(|named| project.named_in(ty, named, &mut held));
                    open.extend(held);
                }
            }
        }
    }
    found
}

/// The words by which a mapper may find a field or accessor: those in its own name and, if it holds a single object, in
/// the names of that object's members.
pub(in crate::compare) fn words_in(project: &Project, member: MemberId) -> BTreeSet<String> {
    let facts = project.member(member);
    let mut found = BTreeSet::new();
    let name = ["get", "set", "is", "with", "add"].iter().find_map(|start| {
        let rest = facts.name.strip_prefix(start)?;
        (facts.kind == MemberKind::Method && rest.starts_with(char::is_uppercase)).then_some(rest)
    });
    words_of(name.unwrap_or(&facts.name), &mut found);
    let held = facts.ty.as_ref().and_then(|named| project.resolve(member.ty, &named.name).project());
    if let Some(held) = held.filter(|held| project.ty(*held).kind != TypeKind::Enum) {
        let own = project.all_supers(held).into_iter().chain([held]).flat_map(|ty| project.members(ty));
        own.filter(|own| project.member(*own).kind != MemberKind::Constructor)
            .for_each(|own| words_of(&project.member(own).name, &mut found));
    }
    found
}

/// The words of a camel-case name, in lower case.
fn words_of(name: &str, found: &mut BTreeSet<String>) {
    let mut word = String::new();
    for c in name.chars() {
        if (c.is_uppercase() || c == '_') && !word.is_empty() {
            found.insert(std::mem::take(&mut word));
        }
        if c != '_' {
            word.extend(c.to_lowercase());
        }
    }
    if !word.is_empty() {
        found.insert(word);
    }
}
