//! What the code of an operation hands to libraries, and what it answers: of these objects a library may read fields and getters by their names. Where no
//! object of a class is among them, a field or an accessor of it that is new or gone does nothing but for code that names it, which is compared.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use super::holders::holders;
use super::made::words_in;
use super::reach::Reach;
use super::side::{Handed, Made, Side, Surrounding};
use crate::java::body::{Expr, ExprId, ExprKind};
use crate::java::facts::MemberKind;
use crate::java::ids::{MemberId, TypeId};
use crate::java::interpret::code::{Code, Link, On};
use crate::java::interpret::value::Type;
use crate::java::library_uses::writes_out;
use crate::java::lookup;
use crate::java::project::Project;
use crate::java::ty::Ty;

/// A parameter of a member, by its place.
type Parameter = (MemberId, u32);

/// Annotations by which a class compares its objects by all that they hold.
const BY_VALUE: &[&str] = &["Data", "Value", "EqualsAndHashCode"];

/// Annotations of classes whose methods a framework runs around handlers, or to set up what does.
const RUN_AROUND: &[&str] = &["Aspect", "Configuration", "EnableWebSecurity", "TestConfiguration"];

/// Names of methods that call `equals`, `hashCode` or `toString` of the objects that they are given.
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

/// Whether a library may see an object of this class, or of one that holds such.
pub(super) fn hands_out(side: &Side<'_>, ty: TypeId) -> bool {
    let (handed, project) = (handed(side), side.bench.subject.project);
    !handed.wired.contains(&ty) && (handed.has(project, ty) || handed.is_made(project, ty, None))
}

/// Whether a library may read or write this field or accessor of an object by its name.
pub(super) fn hands_out_member(side: &Side<'_>, member: MemberId) -> bool {
    let (handed, project) = (handed(side), side.bench.subject.project);
    !handed.wired.contains(&member.ty) && (handed.has(project, member.ty) || maps_member(side, member))
}

/// Whether a mapper may read or set this field or accessor.
pub(super) fn maps_member(side: &Side<'_>, member: MemberId) -> bool {
    let project = side.bench.subject.project;
    handed(side).is_made(project, member.ty, Some(&words_in(project, member)))
}

/// Whether the operation's own code has an object of a class, or what it answers holds one.
pub(super) fn meets(side: &Side<'_>, ty: TypeId) -> bool {
    let (handed, project) = (handed(side), side.bench.subject.project);
    any_of_line(project, ty, &handed.met) || !holders(project, ty).is_disjoint(&handed.answered)
}

/// Whether an operation can see objects of a class: its code or what runs around it has or makes one, a library reads or makes one for it, or its answer
/// holds one.
pub(super) fn handles(side: &Side<'_>, ty: TypeId) -> bool {
    let (handed, project) = (handed(side), side.bench.subject.project);
    meets(side, ty)
        || any_of_line(project, ty, &handed.made_here)
        || any_of_line(project, ty, met_around(side))
        || hands_out(side, ty)
}

/// Classes of whose objects code has one that a framework may run around the handler.
pub(super) fn met_around<'h>(side: &'h Side<'_>) -> &'h BTreeSet<TypeId> {
    &around(side).met
}

/// What code has and makes that a framework may run around handlers: that of classes below a library's, and of those that configure one. Read once for all
/// operations of a revision.
fn around<'h>(side: &'h Side<'_>) -> &'h Surrounding {
    side.around.get_or_init(|| {
        let project = side.bench.subject.project;
        let is_run = |ty: &TypeId| {
            let is_foreign = |name: &&str| !name.starts_with("java.") && !name.ends_with("Repository");
            !project.is_model(*ty)
                && (project.library_supers(*ty).iter().any(is_foreign)
                    || project.ty(*ty).annotations.iter().any(|one| RUN_AROUND.contains(&one.simple())))
        };
        let members = project.types().filter(is_run).flat_map(|ty| project.members(ty));
        let starts: Vec<MemberId> = members.filter(|member| project.member(*member).body.is_some()).collect();
        let mut found = Surrounding::default();
        for member in Reach::from(side, &starts, &BTreeSet::new()).members() {
            let Some(code) = side.bench.codes.code(member) else { continue };
            for (at, expr) in code.body.exprs.iter().enumerate() {
                code.resolved.ty(ExprId(u32::try_from(at).unwrap_or(u32::MAX))).projects(&mut found.met);
                made_by(project, (expr, &code.links[at]), &mut found.made);
            }
        }
        add_rows(project, &mut found.met);
        found
    })
}

/// Whether objects of a class are made for the operation otherwise than by a store that finds them: by its code, a mapper, or what reads a request.
pub(super) fn makes(side: &Side<'_>, ty: TypeId) -> bool {
    let (handed, project) = (handed(side), side.bench.subject.project);
    any_of_line(project, ty, &handed.made_here)
        || any_of_line(project, ty, &around(side).made)
        || handed.is_made(project, ty, None)
        || !holders(project, ty).is_disjoint(&handed.taken)
}

/// What the operation's code hands out, read once.
pub(super) fn handed<'h>(side: &'h Side<'_>) -> &'h Handed {
    side.handed.get_or_init(|| Handed::of(side))
}

impl Handed {
    /// Reads what the operation's code hands out.
    fn of(side: &Side<'_>) -> Self {
        let mut found = Self::default();
        let project = side.bench.subject.project;
        let starts = super::reach::starts(side);
        for start in &starts {
            let facts = project.member(*start);
            let outer = facts.params.iter().map(|param| &param.ty).chain(&facts.ty);
            outer.for_each(|named| project.named_in(start.ty, named, &mut found.types));
        }
        let entry = side.bench.subject.endpoint.entry;
        let params = project.member(entry).params.iter();
        params.for_each(|param| project.named_in(entry.ty, &param.ty, &mut found.taken));
        let answer = project.member(entry).ty.iter();
        answer.for_each(|named| project.named_in(entry.ty, named, &mut found.answered));
        let members = Reach::of(side, &BTreeSet::new()).members();
        found.members.extend(&members);
        let codes: Vec<Rc<Code>> = members.into_iter().filter_map(|member| side.bench.codes.code(member)).collect();
        let mut open = BTreeSet::new();
        for code in &codes {
            found.body(project, code, &mut open);
        }
        add_rows(project, &mut found.met);
        found.passed_on(project, &codes, open);
        found.wired = super::wired::wired(project, &codes, |member| side.bench.codes.code(member));
        found
    }

    /// Of a parameter whose type says nothing and that is handed out, what callers pass for it.
    fn passed_on(&mut self, project: &Project, codes: &[Rc<Code>], mut open: BTreeSet<Parameter>) {
        if open.is_empty() {
            return;
        }
        let mut calls: HashMap<MemberId, Vec<(usize, &[ExprId])>> = HashMap::new();
        for (number, code) in codes.iter().enumerate() {
            for (expr, link) in code.body.exprs.iter().zip(&code.links) {
                let (called, args) = match (&expr.kind, link) {
                    (ExprKind::Call { args, .. }, Link::Call(call)) => (&call.methods, args),
                    (ExprKind::New { args, .. }, Link::New(made)) => (&made.constructors, args),
                    _ => continue,
                };
                for member in called {
                    calls.entry(*member).or_default().push((number, args));
                }
            }
        }
        let mut seen = BTreeSet::new();
        while let Some(parameter) = open.pop_first() {
            if !seen.insert(parameter) {
                continue;
            }
            let (member, place) = (parameter.0, usize::try_from(parameter.1).unwrap_or(usize::MAX));
            // Variable arguments are all passed on.
            let is_last = project.member(member).params.len() == place.saturating_add(1);
            let all = calls.get(&member).map(Vec::as_slice).unwrap_or_default();
            for (number, args) in all {
                let passed = args.get(place..).unwrap_or_default();
                let passed = if is_last { passed } else { passed.get(..1).unwrap_or_default() };
                passed.iter().for_each(|arg| self.argument(&codes[*number], *arg, &mut open));
            }
            // What nothing calls is called by a library, by a reference, or where a request comes in.
            self.anything |= all.is_empty();
        }
    }

    /// Whether a library may see an object of this class, or of one that holds such.
    fn has(&self, project: &Project, ty: TypeId) -> bool {
        let by_value = project.ty(ty).annotations.iter().any(|one| BY_VALUE.contains(&one.simple()));
        let is_among = || {
            let holders = holders(project, ty);
            !holders.is_disjoint(&self.types)
                || by_value && (self.uses_any_whole || !holders.is_disjoint(&self.used_whole))
        };
        self.anything || *self.known.borrow_mut().entry(ty).or_insert_with(is_among)
    }

    /// Whether a library reads or makes an object of this class, or of one that holds such, where it makes one object of another; of these what has one
    /// of these words in its name.
    fn is_made(&self, project: &Project, ty: TypeId, words: Option<&BTreeSet<String>>) -> bool {
        self.made
            .iter()
            .flat_map(|made| made.met(project))
            .any(|(types, others)| types.contains(&ty) && words.is_none_or(|words| !words.is_disjoint(others)))
    }

    fn body(&mut self, project: &Project, code: &Code, open: &mut BTreeSet<Parameter>) {
        for (at, expr) in code.body.exprs.iter().enumerate() {
            let own = code.resolved.ty(ExprId(u32::try_from(at).unwrap_or(u32::MAX)));
            own.projects(&mut self.met);
            made_by(project, (expr, &code.links[at]), &mut self.made_here);
            self.note_whole_use(code, (expr, &code.links[at], own));
            let args = match (&expr.kind, &code.links[at]) {
                (ExprKind::Call { target, name, args, .. }, Link::Call(call)) if call.methods.is_empty() => {
                    // An accessor that is made for a class of the project, by its fields.
                    let is_own = target.is_some_and(|target| matches!(code.resolved.ty(target), Ty::Project { .. }));
                    if is_own || call.library.as_deref().is_some_and(|library| only_takes(library, name)) {
                        continue;
                    }
                    if let Some(made) = Made::of(project, code, (name, args)) {
                        self.made.push(made);
                        continue;
                    }
                    args
                }
                // A method without a body that is no store's: a mapper, a client.
                (ExprKind::Call { args, .. }, Link::Call(call)) => {
                    let is_made = |method: &MemberId| {
                        project.member(*method).body.is_none()
                            && project.overriders(*method).is_empty()
                            && !is_store(project, method.ty)
                    };
                    if !call.methods.iter().any(is_made) {
                        continue;
                    }
                    self.ty(code.resolved.ty(ExprId(u32::try_from(at).unwrap_or(u32::MAX))));
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
            args.iter().for_each(|arg| self.argument(code, *arg, open));
        }
    }

    /// Notes the classes of objects whose `equals`, `hashCode` or `toString` this expression may call.
    fn note_whole_use(&mut self, code: &Code, (expr, link, ty): (&Expr, &Link, &Ty)) {
        match (&expr.kind, link) {
            (ExprKind::Call { target, name, args, .. }, _) if WHOLE_USES.contains(&name.as_str()) => {
                let all = target.iter().chain(args);
                all.for_each(|one| self.note_used_whole(code.resolved.ty(*one)));
            }
            (ExprKind::Binary { left, right, .. }, Link::Binary { text, .. }) if *text != Some(false) => {
                [left, right].into_iter().for_each(|one| self.note_used_whole(code.resolved.ty(*one)));
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

    /// What is passed as this argument.
    fn argument(&mut self, code: &Code, arg: ExprId, open: &mut BTreeSet<Parameter>) {
        match (&code.body.expr(arg).kind, &code.links[arg.0 as usize]) {
            // What a function gives goes on to where the call's own result goes, which has a type, or is handed out itself.
            (ExprKind::Lambda { .. } | ExprKind::MethodRef { .. }, _) => {}
            (ExprKind::ClassLit(_), Link::Type(ty)) => self.types.extend(ty.project()),
            (ExprKind::Cast { operand, .. }, _) if says_nothing(code.resolved.ty(arg)) => {
                self.argument(code, *operand, open)
            }
            (_, Link::Local(place)) if (*place as usize) < code.params.len() && says_nothing(code.resolved.ty(arg)) => {
                open.insert((code.member, *place));
            }
            // What a library makes holds what it was given for that.
            (ExprKind::Call { args, .. }, Link::Call(call))
                if call.methods.is_empty() && call.library.is_some() && says_nothing(code.resolved.ty(arg)) =>
            {
                match call.on {
                    On::Value(on) => self.argument(code, on, open),
                    On::Class(_) => {}
                    On::This(_) | On::Super | On::Nothing => self.anything = true,
                }
                args.iter().for_each(|one| self.argument(code, *one, open));
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

/// Whether a class, or one below it, is among these.
fn any_of_line(project: &Project, ty: TypeId, these: &BTreeSet<TypeId>) -> bool {
    these.contains(&ty) || project.all_subtypes(ty).iter().any(|one| these.contains(one))
}

/// Adds the class of which this expression may make an object: by a constructor or a reference to one, or by a static method of the class.
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

/// Adds the classes of the rows that repositories among these classes keep: `deleteById` has to do with rows that no expression holds.
fn add_rows(project: &Project, met: &mut BTreeSet<TypeId>) {
    let mut rows = BTreeSet::new();
    for ty in met.iter().flat_map(|ty| std::iter::once(*ty).chain(project.all_supers(*ty))) {
        for above in project.supers(ty) {
            if above.named.library().is_some_and(|name| name.contains("Repository")) {
                above.args.iter().for_each(|arg| project.named_in(ty, arg, &mut rows));
            }
        }
    }
    met.extend(rows);
}

/// Whether a type does not tell the class of an object, or of those in it.
fn says_nothing(ty: &Ty) -> bool {
    match ty {
        Ty::Library { fqn, args } => {
            &**fqn == "java.lang.Object" || args.iter().any(|arg| matches!(arg, Ty::Var(_) | Ty::Unknown))
        }
        ty => matches!(ty, Ty::Var(_) | Ty::Unknown),
    }
}

/// Whether a library member that is known reads no object that it gets by the names of fields and accessors.
fn only_takes(library: &str, name: &str) -> bool {
    library == lookup::BUILDER || !library.starts_with('?') && !writes_out(library, name)
}

/// Whether a library stores what the methods of this interface are given, field by field.
fn is_store(project: &Project, ty: TypeId) -> bool {
    let all = std::iter::once(ty).chain(project.all_supers(ty));
    let mut above = all.flat_map(|ty| project.supers(ty).to_vec());
    above.any(|above| above.named.library().is_some_and(|name| name.ends_with("Repository")))
}
