//! Startup state that never changes later: static fields that only the singleton of their class sets, and objects
//! behind static fields that no project code changes.

use std::collections::BTreeSet;

use crate::interpret::classes::objects::has_getter;
use crate::interpret::engine::machine::Machine;
use crate::interpret::values::scalar::ClassRef;
use crate::interpret::values::value::{Kind, ObjId, Value};
use crate::ir::body::{ExprKind, StmtKind};
use crate::ir::facts::{MemberKind, Modifiers};
use crate::ir::ids::{MemberId, TypeId};

/// Maximum number of objects visited behind one field.
const MOST: usize = 200_000;

impl Machine<'_> {
    /// The classes whose initialisation sets a static field: the field is set only in the constructor of a singleton
    /// that they alone create. `None` if something else may set it.
    pub(super) fn started_by(&self, field: MemberId) -> Option<Vec<TypeId>> {
        if let Some(known) = self.codes.started.borrow().get(&field) {
            return known.clone();
        }
        let found = self.find_started_by(field);
        self.codes.started.borrow_mut().insert(field, found.clone());
        found
    }

    fn find_started_by(&self, field: MemberId) -> Option<Vec<TypeId>> {
        let project = self.project;
        let facts = project.member(field);
        let file = project.file_of(field.ty);
        if !facts.modifiers.has(Modifiers::PRIVATE) || !facts.modifiers.has(Modifiers::STATIC) {
            return None;
        }
        let members = || project.types_of(file).flat_map(|ty| project.members(ty));
        // Every member that sets it is a constructor, or private and only called by such members.
        let mut setting = self.assigning_members(field);
        let mut at = 0;
        let mut constructed = false;
        while let Some(member) = setting.get(at).copied() {
            at += 1;
            let own = project.member(member);
            if member.ty != field.ty {
                return None;
            }
            match own.kind {
                MemberKind::StaticInitializer => {}
                MemberKind::Constructor | MemberKind::Initializer => constructed = true,
                MemberKind::Method if own.modifiers.has(Modifiers::PRIVATE) && own.annotations.is_empty() => {
                    for caller in members().filter(|caller| calls(self, *caller, &own.name)) {
                        if !setting.contains(&caller) {
                            setting.push(caller);
                        }
                    }
                }
                _ => return None,
            }
        }
        if !constructed {
            return None;
        }
        // All constructors are private, so only this file creates objects of the class.
        let mut constructors =
            project.members(field.ty).filter(|m| project.member(*m).kind == MemberKind::Constructor).peekable();
        constructors.peek()?;
        if !constructors.all(|member| project.member(member).modifiers.has(Modifiers::PRIVATE)) {
            return None;
        }
        let name = &project.ty(field.ty).name;
        let mut makers = Vec::new();
        for member in members().filter(|member| makes(self, *member, name)) {
            let own = project.member(member);
            let at_start = own.kind == MemberKind::StaticInitializer
                || (own.kind == MemberKind::Field && self.is_static(member) && own.modifiers.has(Modifiers::FINAL));
            if !at_start {
                return None;
            }
            makers.push(member.ty);
        }
        match makers.as_slice() {
            [_] => Some(makers),
            _ => None,
        }
    }

    /// Whether a private, final field holds a collection of texts, numbers and constants which the code of its file only
    /// asks for what it holds.
    pub(super) fn is_only_asked(&self, value: &Value, field: MemberId) -> bool {
        const ASKS: [&str; 10] = [
            "contains",
            "containsAll",
            "containsKey",
            "containsValue",
            "get",
            "getOrDefault",
            "indexOf",
            "isEmpty",
            "size",
            "stream",
        ];
        let Value::Ref(id) = value else { return false };
        let is_of = |id: ObjId, name: &str| self.object(id).class == ClassRef::library(name);
        let items = match &self.object(*id).kind {
            Kind::List { items, .. } => items.clone(),
            Kind::Native(native) if is_of(*id, "java.util.Arrays$ArrayList") => native.children(),
            _ => return false,
        };
        // The array behind `Arrays.asList`.
        let items = match items.as_slice() {
            [Value::Ref(array)] if is_of(*id, "java.util.Arrays$ArrayList") && is_of(*array, "array") => {
                match &self.object(*array).kind {
                    Kind::List { items, .. } => items.clone(),
                    _ => return false,
                }
            }
            _ => items,
        };
        let facts = self.project.member(field);
        if !facts.modifiers.has(Modifiers::PRIVATE)
            || !facts.modifiers.has(Modifiers::FINAL)
            || items.iter().any(|item| !matches!(item, Value::Scalar(_)))
            || has_getter(self.project, field.ty, field)
        {
            return false;
        }
        let types = self.project.types_of(self.project.file_of(field.ty));
        let mut bodies = types.flat_map(|ty| self.project.members(ty)).filter_map(|member| self.project.body(member));
        bodies.all(|body| {
            let asked = body.exprs.iter().filter_map(|expr| match &expr.kind {
                ExprKind::Call { target: Some(target), name, .. }
                | ExprKind::MethodRef { target: Some(target), name, .. } => {
                    ASKS.contains(&name.as_str()).then_some(*target)
                }
                _ => None,
            });
            let walked = body.stmts.iter().filter_map(|stmt| match &stmt.kind {
                StmtKind::ForEach { items, .. } => Some(*items),
                _ => None,
            });
            let asked: BTreeSet<u32> = asked.chain(walked).map(|at| at.0).collect();
            (0..).zip(&body.exprs).all(|(at, expr)| match &expr.kind {
                ExprKind::Name(name) | ExprKind::Field { name, .. } => {
                    name.as_str() != facts.name || asked.contains(&at)
                }
                _ => true,
            })
        })
    }

    /// Whether no project code can change objects that are reachable from a value which outlives requests.
    pub(super) fn is_left_alone(&self, value: &Value) -> bool {
        let Some(usage) = self.cx.wiring.usage() else { return false };
        let mut seen: BTreeSet<ObjId> = BTreeSet::new();
        let mut classes: BTreeSet<TypeId> = BTreeSet::new();
        let mut kinds: BTreeSet<&'static [&'static str]> = BTreeSet::new();
        let mut open = vec![value.clone()];
        while let Some(value) = open.pop() {
            let id = match value {
                Value::Ref(id) => id,
                Value::Lambda(_) => return false,
                _ => continue,
            };
            if !seen.insert(id) {
                continue;
            }
            if seen.len() > MOST {
                return false;
            }
            let object = self.object(id);
            match &object.class {
                ClassRef::Project(ty) => {
                    classes.insert(*ty);
                }
                ClassRef::Library(fqn) => match kinds_of(fqn) {
                    Some(types) => {
                        kinds.insert(types);
                    }
                    None => match &object.kind {
                        Kind::Native(native) if native.is_frozen() => {}
                        _ => return false,
                    },
                },
            }
            match &object.kind {
                Kind::List { items, .. } => open.extend(items.iter().cloned()),
                Kind::Native(native) => open.extend(native.children()),
                Kind::Plain | Kind::Modelled => {}
                Kind::Bean | Kind::Body(_) | Kind::Escaped(_) | Kind::Opaque(_) => return false,
            }
            open.extend(object.fields.values().cloned());
            open.extend(object.parts.values().cloned());
        }
        kinds.iter().all(|types| !usage.changes(types)) && classes.iter().all(|ty| self.keeps_fields(*ty))
    }

    /// Whether no code sets a field of a constructed object of a class.
    fn keeps_fields(&self, ty: TypeId) -> bool {
        let Some(usage) = self.cx.wiring.usage() else { return false };
        let project = self.project;
        std::iter::once(ty).chain(project.all_supers(ty)).all(|class| {
            let generated =
                crate::interpret::classes::objects::has(&project.ty(class).annotations, &["Data", "Setter"]);
            project.members(class).all(|member| {
                let facts = project.member(member);
                if facts.kind != MemberKind::Field || self.is_static(member) || facts.modifiers.has(Modifiers::FINAL) {
                    return true;
                }
                let setter = format!("set{}", crate::interpret::classes::objects::capitalised(&facts.name));
                let by_setter = generated || crate::interpret::classes::objects::has(&facts.annotations, &["Setter"]);
                if (by_setter && usage.calls(&setter)) || usage.sets(&facts.name) {
                    return false;
                }
                self.assigning_members(member).into_iter().all(|setting| {
                    let own = project.member(setting);
                    match own.kind {
                        MemberKind::Constructor | MemberKind::Initializer => true,
                        MemberKind::Method => !usage.calls(&own.name),
                        _ => false,
                    }
                })
            })
        })
    }
}

/// Simple names of the static types through which a collection of a class may be changed.
fn kinds_of(fqn: &str) -> Option<&'static [&'static str]> {
    Some(match fqn {
        "java.util.ArrayList" | "java.util.LinkedList" | "java.util.Arrays$ArrayList" => &[
            "List",
            "ArrayList",
            "LinkedList",
            "Collection",
            "AbstractList",
            "Iterable",
            "Object",
            "Deque",
            "Queue",
            "Iterator",
            "ListIterator",
        ],
        "java.util.HashMap"
        | "java.util.LinkedHashMap"
        | "java.util.TreeMap"
        | "com.google.gson.internal.LinkedTreeMap" => {
            &["Map", "HashMap", "LinkedHashMap", "TreeMap", "SortedMap", "AbstractMap", "Object", "Entry", "Iterator"]
        }
        "java.util.HashSet" | "java.util.LinkedHashSet" | "java.util.TreeSet" => {
            &["Set", "HashSet", "LinkedHashSet", "TreeSet", "SortedSet", "Collection", "Object", "Iterator"]
        }
        _ => return None,
    })
}

/// Whether a member's body calls a method of this name.
fn calls(machine: &Machine<'_>, member: MemberId, wanted: &str) -> bool {
    machine.project.body(member).is_some_and(|body| {
        body.exprs.iter().any(|expr| match &expr.kind {
            ExprKind::Call { name, .. } | ExprKind::MethodRef { name, .. } => name == wanted,
            _ => false,
        })
    })
}

/// Whether a member's body creates objects of a class with this name.
fn makes(machine: &Machine<'_>, member: MemberId, wanted: &str) -> bool {
    machine.project.body(member).is_some_and(|body| {
        body.exprs.iter().any(|expr| match &expr.kind {
            ExprKind::New { ty, .. } => ty.simple() == wanted,
            ExprKind::MethodRef { ty: Some(ty), name, .. } => name == "new" && ty.simple() == wanted,
            _ => false,
        })
    })
}
