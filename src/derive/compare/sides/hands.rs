//! What one member's own code passes to libraries, takes and creates; computed once for all operations that run it.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::made::MappingCall;
use mastor_java::interpret::linking::code::{Code, Link, On};
use mastor_java::interpret::values::value::Type;
use mastor_java::ir::body::{Expr, ExprId, ExprKind};
use mastor_java::ir::facts::MemberKind;
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::ir::ty::Ty;
use mastor_java::objects::library_uses::writes_out;
use mastor_java::project::index::Project;
use mastor_java::types::lookup;

/// A parameter of a member, by its index.
pub(in crate::compare) type Parameter = (MemberId, u32);

/// Names of methods that call `equals`, `hashCode` or `toString` on their arguments.
const WHOLE_USES: &[&str] = &[
    "append",
    "contains",
    "containsAll",
    "containsKey",
    "containsValue",
    "distinct",
    "equals",
    "format",
    "formatted",
    "groupingBy",
    "hash",
    "hashCode",
    "indexOf",
    "isEqualTo",
    "join",
    "lastIndexOf",
    "remove",
    "removeAll",
    "retainAll",
    "toMap",
    "toSet",
    "toString",
    "valueOf",
];

/// What a member's own code passes to libraries, takes and creates.
#[derive(Debug, Default)]
pub(in crate::compare) struct MemberEscapes {
    /// Classes in the types of what it passes to libraries.
    pub(in crate::compare) types: BTreeSet<TypeId>,
    /// Those of `types` that it passes to more than the serialiser of the answer, so that a library may set their
    /// fields.
    pub(in crate::compare) settable: BTreeSet<TypeId>,
    /// Calls by which libraries create objects from objects of other classes, property by property.
    pub(in crate::compare) made: Vec<Arc<MappingCall>>,
    /// Classes of the objects that it has.
    pub(in crate::compare) met: BTreeSet<TypeId>,
    /// Classes of the objects that it creates: by a constructor, or by a static method of the class, such as a
    /// builder's.
    pub(in crate::compare) made_here: BTreeSet<TypeId>,
    /// Classes of the objects that it creates by a constructor.
    pub(in crate::compare) constructed: BTreeSet<TypeId>,
    /// Classes of objects on which it may call `equals`, `hashCode` or `toString`, so that all fields count.
    pub(in crate::compare) used_whole: BTreeSet<TypeId>,
    /// Whether it may call these methods on objects of unknown class.
    pub(in crate::compare) uses_any_whole: bool,
    /// Whether it passes on an object of unknown type.
    pub(in crate::compare) anything: bool,
    /// Parameters that it passes on and whose declared types do not show the class.
    pub(in crate::compare) open: BTreeSet<Parameter>,
    /// Names of methods that it calls on objects of unknown class.
    pub(in crate::compare) unresolved: BTreeSet<String>,
    /// Members that it calls, with the expressions of the calls.
    pub(in crate::compare) calls: Vec<(MemberId, ExprId)>,
}

impl MemberEscapes {
    /// Analyses a member's code.
    pub(in crate::compare) fn of(project: &Project, code: &Code) -> Self {
        let mut found = Self::default();
        found.body(project, code);
        for (at, link) in code.links.iter().enumerate() {
            let called = match link {
                Link::Call(call) => {
                    let is_known = |ty: &Ty| match ty {
                        Ty::Library { fqn, .. } => !fqn.starts_with('?'),
                        ty => matches!(ty, Ty::Project { .. } | Ty::Prim(_)),
                    };
                    if let ExprKind::Call { target: Some(target), name, .. } = &code.body.exprs[at].kind
                        && call.methods.is_empty()
                        && !is_known(code.resolved.ty(*target))
                    {
                        found.unresolved.insert(name.to_string());
                    }
                    &call.methods
                }
                Link::New(made) => {
                    found.constructed.extend(made.class.project());
                    &made.constructors
                }
                _ => continue,
            };
            let at = ExprId(u32::try_from(at).unwrap_or(u32::MAX));
            found.calls.extend(called.iter().map(|member| (*member, at)));
        }
        found
    }

    /// Adds what another member passes on, without its calls and constructed classes.
    pub(in crate::compare) fn join(&mut self, other: &Self) {
        self.types.extend(&other.types);
        self.settable.extend(&other.settable);
        self.made.extend(other.made.iter().cloned());
        self.met.extend(&other.met);
        self.made_here.extend(&other.made_here);
        self.used_whole.extend(&other.used_whole);
        self.uses_any_whole |= other.uses_any_whole;
        self.anything |= other.anything;
        self.open.extend(&other.open);
        self.unresolved.extend(other.unresolved.iter().cloned());
    }

    /// What these arguments of a call pass on.
    pub(in crate::compare) fn passed(code: &Code, args: &[ExprId]) -> Self {
        let mut found = Self::default();
        args.iter().for_each(|arg| found.argument(code, *arg));
        found
    }

    fn body(&mut self, project: &Project, code: &Code) {
        for (at, expr) in code.body.exprs.iter().enumerate() {
            let own = code.resolved.ty(ExprId(u32::try_from(at).unwrap_or(u32::MAX)));
            own.projects(&mut self.met);
            made_by(project, (expr, &code.links[at]), &mut self.made_here);
            self.note_whole_use(code, (expr, &code.links[at], own));
            let args = match (&expr.kind, &code.links[at]) {
                (ExprKind::Call { target, name, args, .. }, Link::Call(call)) if call.methods.is_empty() => {
                    // A call without a known method on a project class is a generated accessor.
                    let is_own = target.is_some_and(|target| matches!(code.resolved.ty(target), Ty::Project { .. }));
                    if is_own || call.library.as_deref().is_some_and(|library| only_takes(library, name)) {
                        continue;
                    }
                    if let Some(made) = MappingCall::of(project, code, (name, args)) {
                        self.made.push(Arc::new(made));
                        continue;
                    }
                    args
                }
                // A method without a body that does not belong to a repository is implemented by a mapper or a client.
                (ExprKind::Call { args, .. }, Link::Call(call)) => {
                    let is_made = |method: &MemberId| {
                        project.member(*method).body.is_none()
                            && project.overriders(*method).is_empty()
                            && !is_store(project, method.ty)
                    };
                    if !call.methods.iter().any(is_made) {
                        continue;
                    }
                    let before = std::mem::take(&mut self.types);
                    self.ty(code.resolved.ty(ExprId(u32::try_from(at).unwrap_or(u32::MAX))));
                    self.settable.extend(&self.types);
                    self.types.extend(before);
                    args
                }
                (ExprKind::Call { args, .. }, _) => args,
                (ExprKind::New { args, .. }, Link::New(made)) if made.constructors.is_empty() => {
                    if made.class.project().is_some()
                        || made.class.library().is_some_and(|library| only_takes(library, "<init>"))
                    {
                        continue;
                    }
                    args
                }
                _ => continue,
            };
            let mut passed = Self::passed(code, args);
            if !only_answers(&code.links[at]) {
                passed.settable.clone_from(&passed.types);
            }
            self.join(&passed);
        }
    }

    /// Records the classes of objects on which this expression may call `equals`, `hashCode` or `toString`.
    fn note_whole_use(&mut self, code: &Code, (expr, link, ty): (&Expr, &Link, &Ty)) {
        match (&expr.kind, link) {
            (ExprKind::Call { target, name, args, .. }, _) if WHOLE_USES.contains(&name.as_str()) => {
                let all = target.iter().chain(args);
                all.for_each(|one| self.note_used_whole(code.resolved.ty(*one)));
            }
            (ExprKind::Binary { left, right, .. }, Link::Binary { text, .. }) if *text != Some(false) => {
                [left, right].into_iter().for_each(|one| self.note_used_whole(code.resolved.ty(*one)));
            }
            (ExprKind::MethodRef { name, .. }, Link::Reference(reference)) if WHOLE_USES.contains(&name.as_str()) => {
                match reference.class.as_ref().and_then(Type::project) {
                    Some(class) => _ = self.used_whole.insert(class),
                    None => self.uses_any_whole = true,
                }
            }
            _ => {}
        }
        if let Ty::Library { fqn, args } = ty
            && (fqn.ends_with("Set") || fqn.ends_with("Map"))
        {
            args.iter().for_each(|arg| self.note_used_whole(arg));
        }
    }

    fn note_used_whole(&mut self, ty: &Ty) {
        ty.projects(&mut self.used_whole);
        self.uses_any_whole |= says_nothing(ty);
    }

    /// Adds what this argument passes on.
    fn argument(&mut self, code: &Code, arg: ExprId) {
        match (&code.body.expr(arg).kind, &code.links[arg.0 as usize]) {
            // The result of a lambda ends up in the result of the call, which has a type or is itself passed on.
            (ExprKind::Lambda { .. } | ExprKind::MethodRef { .. }, _) => {}
            (ExprKind::ClassLit(_), Link::Type(ty)) => self.types.extend(ty.project()),
            (ExprKind::Cast { operand, .. }, _) if says_nothing(code.resolved.ty(arg)) => self.argument(code, *operand),
            (_, Link::Local(place)) if (*place as usize) < code.params.len() && says_nothing(code.resolved.ty(arg)) => {
                self.open.insert((code.member, *place));
            }
            // An object that a library call returns may contain the arguments of the call.
            (ExprKind::Call { args, .. }, Link::Call(call))
                if call.methods.is_empty() && call.library.is_some() && says_nothing(code.resolved.ty(arg)) =>
            {
                match call.on {
                    On::Value(on) => self.argument(code, on),
                    On::Class(_) => {}
                    On::This(_) | On::Super | On::Nothing => self.anything = true,
                }
                args.iter().for_each(|one| self.argument(code, *one));
            }
            _ => self.ty(code.resolved.ty(arg)),
        }
    }

    fn ty(&mut self, ty: &Ty) {
        match ty {
            Ty::Project { id, args } => {
                self.types.insert(*id);
                args.iter().for_each(|arg| self.ty(arg));
            }
            Ty::Library { fqn, args } => {
                self.anything |= matches!(&**fqn, "java.lang.Object" | "?");
                args.iter().for_each(|arg| self.ty(arg));
            }
            Ty::Array(element) => self.ty(element),
            Ty::Opaque(all) => self.types.extend(all),
            Ty::Var(_) | Ty::Unknown => self.anything = true,
            Ty::Prim(_) | Ty::Null => {}
        }
    }
}

/// Adds the class of the object that this expression may create: by a constructor, a constructor reference, or a static
/// method of the class.
fn made_by(project: &Project, (expr, link): (&Expr, &Link), found: &mut BTreeSet<TypeId>) {
    match (&expr.kind, link) {
        (_, Link::New(made)) => found.extend(made.class.project()),
        (_, Link::Call(call)) => {
            if let On::Class(ty) = &call.on {
                found.extend(ty.project());
            }
            let makes = |own: &&MemberId| project.member(**own).kind == MemberKind::Constructor;
            found.extend(call.methods.iter().filter(makes).map(|own| own.ty));
        }
        (ExprKind::MethodRef { .. }, Link::Reference(reference)) => {
            found.extend(reference.class.as_ref().and_then(Type::project));
        }
        _ => {}
    }
}

/// Whether a type does not show the class of an object, or of its elements.
fn says_nothing(ty: &Ty) -> bool {
    match ty {
        Ty::Library { fqn, args } => {
            &**fqn == "java.lang.Object" || args.iter().any(|arg| matches!(arg, Ty::Var(_) | Ty::Unknown))
        }
        ty => matches!(ty, Ty::Var(_) | Ty::Unknown),
    }
}

/// Whether a call only creates an answer object from its arguments: the serialiser reads them and sets nothing.
fn only_answers(link: &Link) -> bool {
    const ANSWERS: [&str; 5] = [
        "org.springframework.http.ResponseEntity",
        "org.springframework.http.HttpEntity",
        "org.springframework.web.reactive.function.server.ServerResponse",
        "jakarta.ws.rs.core.Response",
        "javax.ws.rs.core.Response",
    ];
    let library = match link {
        Link::Call(call) => call.library.as_deref(),
        Link::New(made) => made.class.library(),
        _ => None,
    };
    library.is_some_and(|library| ANSWERS.iter().any(|answer| library.starts_with(answer)))
}

/// Whether a known library member never reads its arguments by field and accessor names.
fn only_takes(library: &str, name: &str) -> bool {
    library == lookup::BUILDER || !library.starts_with('?') && !writes_out(library, name)
}

/// Whether a library stores the arguments of this interface's methods, field by field.
fn is_store(project: &Project, ty: TypeId) -> bool {
    let all = std::iter::once(ty).chain(project.all_supers(ty));
    let mut above = all.flat_map(|ty| project.supers(ty).to_vec());
    above.any(|above| above.named.library().is_some_and(|name| name.ends_with("Repository")))
}
