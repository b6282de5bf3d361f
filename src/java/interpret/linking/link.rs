//! Linking: builds [`Code`] from a body and its resolution.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use super::annotations;
use super::code::{CallLink, Code, Link, NO_SLOT, NewLink, On, PatternLink, ReferenceLink};
use super::fold;
use super::linker::Linker;
use crate::interpret::values::java_type::Type;
use crate::interpret::values::scalar::{ClassRef, Scalar};
use crate::interpret::values::types::{known_type, named_type};
use crate::ir::body::{ExprId, ExprKind, Pattern, StmtId, StmtKind, SwitchArm};
use crate::ir::calls::{Declares, Target};
use crate::ir::facts::{MemberKind, Modifiers, TypeKind, TypeRef};
use crate::ir::ids::{MemberId, TypeId};
use crate::ir::ty::Ty;
use crate::project::index::Project;
use crate::resolve::resolver::Resolver;
use crate::types::typing::Fit;

/// Whether a member is static, explicitly or as a member of an interface or enum.
pub fn is_static(project: &Project, member: MemberId) -> bool {
    let facts = project.member(member);
    facts.kind == MemberKind::EnumConstant
        || facts.modifiers.has(Modifiers::STATIC)
        || (facts.kind == MemberKind::Field
            && matches!(project.ty(member.ty).kind, TypeKind::Interface | TypeKind::Annotation))
}

/// Links the body of a member; `None` if it has no code.
pub fn link(
    resolver: &Resolver<'_>,
    member: MemberId,
    constant: &dyn Fn(MemberId) -> Option<(Scalar, Rc<[MemberId]>)>,
    marks: &[&str],
) -> Option<Code> {
    let project = resolver.project();
    let body = resolver.body(member)?;
    let resolved = resolver.resolve(member).clone();
    let facts = project.member(member);
    let signature = resolver.types.signature(member);
    let params: Vec<Type> = signature.params.iter().map(known_type).collect();
    let locals: Vec<Type> = resolved.locals.iter().map(|variable| known_type(&variable.ty)).collect();
    let name: Rc<str> = Rc::from(format!("{}.{}", simple_name(project, member.ty), facts.name));
    let mut linker = Linker {
        resolver,
        member,
        body: &body,
        resolved: &resolved,
        links: Vec::with_capacity(body.exprs.len()),
        constants: HashMap::new(),
        finals: HashMap::new(),
        locals,
        constant,
    };
    let (declared, arms, catches) = linker.statements();
    for index in 0..body.exprs.len() {
        let id = ExprId(index as u32);
        let link = linker.expr(id);
        if let (Some(slot), Link::Const(value, _)) = (linker.finals.get(&id), &link)
            && let Some(value) = fold::as_constant(value, &linker.locals[*slot as usize])
        {
            linker.constants.insert(*slot, value);
        }
        linker.links.push(link);
    }
    let (mut arms, links, locals) = (arms, std::mem::take(&mut linker.links), std::mem::take(&mut linker.locals));
    for (index, expr) in body.exprs.iter().enumerate() {
        if let ExprKind::Switch { arms: found, .. } = &expr.kind {
            let owner = Declares::Expr(ExprId(index as u32));
            arms.insert(owner, linker.arm_patterns(owner, found));
        }
    }
    let mut doubts: Vec<Rc<str>> =
        annotations::doubt(project, member, &name, marks).into_iter().map(Rc::from).collect();
    if body.unknown.iter().any(|kind| kind == "ERROR" || kind == "MISSING") {
        doubts.push(Rc::from(format!("{name} could not be parsed as a whole")));
    }
    drop(linker);
    Some(Code {
        member,
        links,
        locals,
        params,
        varargs: signature.varargs,
        result: known_type(&signature.ret),
        declared,
        arms,
        catches,
        name,
        doubts,
        is_native: facts.modifiers.has(Modifiers::NATIVE),
        body: body.clone(),
        resolved,
    })
}

/// Display name of a project type.
pub fn simple_name(project: &Project, ty: TypeId) -> String {
    project.fqn(ty).rsplit('.').next().unwrap_or_default().to_owned()
}

type Statements = (Vec<u32>, BTreeMap<Declares, Vec<Vec<PatternLink>>>, BTreeMap<StmtId, Vec<Vec<Type>>>);

impl Linker<'_, '_> {
    fn project(&self) -> &Project {
        self.resolver.project()
    }

    fn slot(&self, by: Declares, number: u32) -> Option<u32> {
        self.resolved.slots.get(&(by, number)).copied()
    }

    fn statements(&mut self) -> Statements {
        let (mut declared, mut arms, mut catches) = (Vec::new(), BTreeMap::new(), BTreeMap::new());
        for (index, stmt) in self.body.stmts.iter().enumerate() {
            let id = StmtId(index as u32);
            let by = Declares::Stmt(id);
            declared.push(self.slot(by, 0).unwrap_or(NO_SLOT));
            match &stmt.kind {
                StmtKind::Local(locals) => {
                    for (number, local) in locals.iter().enumerate() {
                        if let (Some(init), true, Some(slot)) =
                            (local.init, local.is_final, self.slot(by, number as u32))
                        {
                            self.finals.insert(init, slot);
                        }
                    }
                }
                StmtKind::Switch { arms: found, .. } => {
                    arms.insert(by, self.arm_patterns(by, found));
                }
                StmtKind::Try { catches: found, .. } => {
                    let types = |types: &[TypeRef]| types.iter().map(|ty| known_type(&self.read(ty))).collect();
                    catches.insert(id, found.iter().map(|catch| types(&catch.types)).collect());
                }
                _ => {}
            }
        }
        (declared, arms, catches)
    }

    fn arm_patterns(&self, by: Declares, arms: &[SwitchArm]) -> Vec<Vec<PatternLink>> {
        let mut number = 0;
        arms.iter().map(|arm| arm.patterns.iter().map(|p| self.pattern(by, &mut number, p, None)).collect()).collect()
    }

    fn pattern(&self, by: Declares, number: &mut u32, pattern: &Pattern, place: Option<&Ty>) -> PatternLink {
        match pattern {
            Pattern::Any => PatternLink::Any,
            Pattern::Type { ty, name } => {
                let slot = name.as_ref().and_then(|_| {
                    *number += 1;
                    self.slot(by, *number - 1)
                });
                if ty.name == "var" {
                    return PatternLink::Type { ty: Type::Unknown, slot, total: Some(true) };
                }
                let read = self.read(ty);
                let total = place.and_then(|place| match self.resolver.types.fit(place, &read) {
                    Fit::Strict | Fit::Loose => Some(true),
                    Fit::No => Some(false),
                    Fit::Maybe => None,
                });
                PatternLink::Type { ty: known_type(&read), slot, total }
            }
            Pattern::Record { ty, parts } => {
                let read = self.read(ty);
                let project = self.project();
                let components: Vec<MemberId> = read.as_project().map_or_else(Vec::new, |id| {
                    let of = |member: &MemberId| project.member(*member).kind == MemberKind::RecordComponent;
                    project.members(id).filter(of).collect()
                });
                let mut linked = Vec::new();
                for (index, part) in parts.iter().enumerate() {
                    let place = components.get(index).map(|component| &self.resolver.types.signature(*component).ret);
                    linked.push(self.pattern(by, number, part, place));
                }
                PatternLink::Record { ty: known_type(&read), components, parts: linked }
            }
        }
    }

    fn expr(&mut self, id: ExprId) -> Link {
        if let Some(value) = fold::fold(self, id) {
            let used = fold::used(self, id);
            return Link::Const(value, (!used.is_empty()).then(|| used.into()));
        }
        match &self.body.expr(id).kind {
            ExprKind::Name(_) | ExprKind::Field { .. } => self.named(id),
            ExprKind::Call { target, args, .. } => Link::Call(Rc::new(self.call(id, *target, args))),
            ExprKind::New { ty, args, anonymous, .. } => Link::New(Rc::new(self.creation(id, ty, args, *anonymous))),
            ExprKind::NewArray { ty, .. } => match known_type(&self.read(ty)) {
                Type::Array(element) => Link::Array(*element),
                _ => Link::Array(Type::Unknown),
            },
            ExprKind::ArrayInit(_) => match known_type(self.resolved.ty(id)) {
                Type::Array(element) => Link::Array(*element),
                _ => Link::Array(Type::Unknown),
            },
            ExprKind::Cast { ty, .. } | ExprKind::ClassLit(ty) => Link::Type(known_type(&self.read(ty))),
            ExprKind::This(Some(outer)) => Link::Type(known_type(&self.read(&TypeRef::named(outer.as_str())))),
            ExprKind::InstanceOf { pattern, .. } => {
                Link::Pattern(Rc::new(self.pattern(Declares::Expr(id), &mut 0, pattern, None)))
            }
            ExprKind::Binary { left, right, .. } => {
                let boxed = |ty: &Ty| match known_type(ty) {
                    Type::Boxed(_) => Some(true),
                    Type::Prim(_) => Some(false),
                    _ => None,
                };
                let text = match self.resolved.ty(id) {
                    Ty::Prim(_) => Some(false),
                    ty if *ty == Ty::string() => Some(true),
                    _ => None,
                };
                let sides = (boxed(self.resolved.ty(*left)), boxed(self.resolved.ty(*right)));
                Link::Binary { text, boxed: sides }
            }
            ExprKind::Conditional { then, otherwise, .. } => {
                Link::Conditional(fold::conditional(self, *then, *otherwise))
            }
            ExprKind::Lambda { params, .. } => {
                let first = self.slot(Declares::Expr(id), 0).unwrap_or(NO_SLOT);
                let types: Vec<Type> = params
                    .iter()
                    .map(|p| if p.ty.name == "var" { Type::Unknown } else { known_type(&self.read(&p.ty)) })
                    .collect();
                Link::Lambda(first, types.into(), self.returned(id))
            }
            ExprKind::MethodRef { target, ty, .. } => {
                let class = match (target, ty) {
                    (Some(target), _) => self.as_type(*target),
                    (None, Some(ty)) => Some(known_type(&self.read(ty))),
                    (None, None) => Some(Type::Unknown),
                };
                let methods = match self.resolved.targets.get(&id) {
                    Some(Target::Methods(methods)) => methods.clone(),
                    _ => Vec::new(),
                };
                Link::Reference(Rc::new(ReferenceLink { class, methods, result: self.returned(id) }))
            }
            _ => Link::Plain,
        }
    }

    /// The result type of the method that a lambda or method reference implements.
    fn returned(&self, id: ExprId) -> Type {
        let found = self.resolver.types.functional(self.resolved.ty(id));
        found.map_or(Type::Unknown, |(_, ret)| known_type(&ret))
    }

    /// The type that an expression names, if it is a type name.
    fn as_type(&self, id: ExprId) -> Option<Type> {
        match self.resolved.targets.get(&id) {
            Some(Target::Type(named)) => match self.body.expr(id).kind {
                ExprKind::Name(_) | ExprKind::Field { .. } => Some(named_type(named)),
                _ => None,
            },
            _ => None,
        }
    }

    fn named(&self, id: ExprId) -> Link {
        match self.resolved.targets.get(&id) {
            Some(Target::Local(slot)) => Link::Local(*slot),
            Some(Target::Captured) => Link::Captured,
            Some(Target::Field(field)) if is_static(self.project(), *field) => Link::Static(*field),
            Some(Target::Field(field)) => match &self.body.expr(id).kind {
                // The target's type depends on library code, so the field is looked up in the object at run time.
                ExprKind::Field { target, .. } if matches!(self.resolved.ty(*target), Ty::Opaque(_)) => Link::Plain,
                _ => Link::Field(*field),
            },
            Some(Target::Library { ty, name }) => {
                let of_value = matches!(&self.body.expr(id).kind,
                    ExprKind::Field { target, .. } if self.as_type(*target).is_none());
                if of_value {
                    Link::Plain
                } else {
                    Link::Library { ty: Rc::from(ty.as_str()), name: Rc::from(name.as_str()) }
                }
            }
            Some(Target::Type(named)) => Link::Type(named_type(named)),
            _ => Link::Plain,
        }
    }

    fn spread(&self, args: &[ExprId], methods: &[MemberId]) -> Option<bool> {
        let varargs = |method: &MemberId| self.resolver.types.signature(*method).varargs;
        let Some(first) = methods.first().filter(|_| methods.iter().any(varargs)) else { return Some(false) };
        if args.len() != self.resolver.types.signature(*first).params.len() {
            return Some(true);
        }
        let element = self.resolver.types.signature(*first).params.last()?.clone();
        match self.resolved.ty(*args.last()?) {
            Ty::Null => Some(false),
            array @ Ty::Array(_) => match self.resolver.types.fit(array, &Ty::array(element)) {
                Fit::Strict => Some(false),
                Fit::No => Some(true),
                Fit::Loose | Fit::Maybe => None,
            },
            Ty::Project { .. } | Ty::Library { .. } | Ty::Prim(_) => Some(true),
            _ => None,
        }
    }

    fn call(&self, id: ExprId, target: Option<ExprId>, args: &[ExprId]) -> CallLink {
        let (mut methods, mut library) = (Vec::new(), None);
        match self.resolved.targets.get(&id) {
            Some(Target::Methods(found)) => methods.clone_from(found),
            Some(Target::Library { ty, .. }) => library = Some(Rc::from(ty.as_str())),
            _ => {}
        }
        if let (Some(fqn), Some(Target::Library { name, .. })) = (&library, self.resolved.targets.get(&id)) {
            methods = self.of_model(fqn, name, args);
        }
        let on = match target {
            Some(target) if matches!(self.body.expr(target).kind, ExprKind::Super(None)) => On::Super,
            Some(target) if let ExprKind::Super(Some(of)) = &self.body.expr(target).kind => {
                // `Interface.super` refers to this object; `Outer.super` to an enclosing object.
                let of = self.read(&TypeRef::named(of.as_str())).as_project();
                let is_interface = |ty: TypeId| self.project().ty(ty).kind == TypeKind::Interface;
                if of.is_some_and(|ty| is_interface(ty) || ty == self.member.ty) { On::Super } else { On::Nothing }
            }
            Some(target) => match self.as_type(target) {
                Some(class) => On::Class(class),
                None => On::Value(target),
            },
            None => match (self.resolved.implicit.get(&id), methods.first(), &library) {
                (Some(scope), _, _) => On::This(*scope),
                (None, Some(method), None) => On::Class(Type::Class(ClassRef::Project(method.ty), Vec::new())),
                (None, _, Some(fqn)) if **fqn == *"java.lang.Enum" => match self.resolved.ty(id) {
                    Ty::Project { id, .. } => On::Class(Type::Class(ClassRef::Project(*id), Vec::new())),
                    Ty::Array(element) => On::Class(known_type(element)),
                    _ => On::Nothing,
                },
                // Methods of `Object` are called on `this`.
                (None, _, Some(fqn)) if **fqn == *"java.lang.Object" => On::This(self.member.ty),
                (None, _, Some(fqn)) => On::Class(known_type(&Ty::library(&**fqn))),
                (None, None, None) => On::Nothing,
            },
        };
        let spread = self.spread(args, &methods);
        CallLink { on, methods, library, result: known_type(self.resolved.ty(id)), spread }
    }

    /// The members of a Java model that a call may select, by argument types: first those applicable without boxing,
    /// then those with boxing, then those of uncertain applicability (JLS §15.12.2).
    fn of_model(&self, fqn: &str, name: &str, args: &[ExprId]) -> Vec<MemberId> {
        let project = self.project();
        let Some(model) = project.model(fqn) else { return Vec::new() };
        let found = match name {
            "<init>" => project.constructors(model, args.len()),
            name => project.find_method(model, name, args.len()),
        };
        let types = &self.resolver.types;
        let fit = |member: &MemberId| {
            let signature = types.signature(*member);
            let worst = signature.params.iter().zip(args).map(|(param, arg)| match &self.body.expr(*arg).kind {
                ExprKind::Lambda { .. } | ExprKind::MethodRef { .. } => Fit::Maybe,
                _ => types.fit(self.resolved.ty(*arg), param),
            });
            if signature.varargs { Fit::Maybe } else { worst.min().unwrap_or(Fit::Strict) }
        };
        let fits: Vec<(Fit, MemberId)> = found.into_iter().map(|member| (fit(&member), member)).collect();
        let best = fits.iter().map(|(fit, _)| *fit).filter(|fit| *fit >= Fit::Loose).max();
        let wanted = |fit: Fit| best.map_or(fit == Fit::Maybe, |best| fit == best || fit == Fit::Maybe);
        let open: Vec<MemberId> = fits.into_iter().filter(|(fit, _)| wanted(*fit)).map(|(_, member)| member).collect();
        // Among equally applicable members, the most specific one is selected.
        let narrower = |a: &MemberId, b: &MemberId| {
            let (a, b) = (types.signature(*a), types.signature(*b));
            a.params.iter().zip(&b.params).all(|(own, other)| types.fit(own, other) == Fit::Strict)
        };
        match open.iter().find(|one| best.is_some() && open.iter().all(|other| other == *one || narrower(one, other))) {
            Some(most) => vec![*most],
            None => open,
        }
    }

    fn creation(&self, id: ExprId, ty: &TypeRef, args: &[ExprId], anonymous: Option<u32>) -> NewLink {
        let target = self.resolved.targets.get(&id);
        let constructors = match target {
            Some(Target::Methods(found)) => found.clone(),
            _ => Vec::new(),
        };
        let project = self.project();
        let class = match (anonymous, target) {
            (Some(place), _) => {
                let class = project.type_in(project.file_of(self.member.ty), place);
                Type::Class(ClassRef::Project(class), Vec::new())
            }
            // Only the resolver knows an inner class that is created on another object (`outer.new Inner()`).
            (None, Some(Target::Type(named))) => match named_type(named) {
                Type::Unknown => known_type(&self.read(ty)),
                known => known,
            },
            (None, Some(Target::Methods(found))) => match found.first() {
                Some(constructor) => Type::Class(ClassRef::Project(constructor.ty), Vec::new()),
                None => known_type(&self.read(ty)),
            },
            _ => known_type(&self.read(ty)),
        };
        let constructors = match &class {
            Type::Class(ClassRef::Library(fqn), _) => self.of_model(fqn, "<init>", args),
            _ => constructors,
        };
        let spread = self.spread(args, &constructors);
        NewLink { class, constructors, spread }
    }
}
