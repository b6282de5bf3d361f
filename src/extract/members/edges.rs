//! The direct edges of one member: calls, fields, created objects, touched types, and values passed to libraries.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::class_literals::{class_args, is_lookup};
use mastor_java::ir::body::{BinaryOp, Body, ExprId, ExprKind, Lit, StmtKind};
use mastor_java::ir::calls::{Resolved, Target, Unresolved};
use mastor_java::ir::facts::{MemberKind, Modifiers, TypeKind};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::ir::name::Name;
use mastor_java::ir::named::Named;
use mastor_java::ir::ty::Ty;
use mastor_java::objects::library_uses::{ClassUse, class_use, is_recorder};
use mastor_java::resolve::resolver::Resolver;

/// A call of a project member.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Call {
    /// The statically chosen declaration.
    pub to: MemberId,
    /// Static type of the receiver, if the method that runs depends on the object.
    pub on: Option<TypeId>,
    /// The field from which the receiver was read.
    pub via: Option<MemberId>,
    /// Line, from 1.
    pub line: u32,
}

/// A value of a project type that is passed to library code.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct LibraryArgument {
    /// Its type.
    pub ty: TypeId,
    /// Dotted name of the receiver's library type, or of the declaring type if there is no receiver.
    pub library: Name,
    /// Name of the member.
    pub name: Name,
    /// Line, from 1.
    pub line: u32,
}

/// A call of a library member. If the receiver is an object of the project, the object's own method runs.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct LibraryCall {
    /// Dotted name of the type.
    pub ty: Name,
    /// Name of the member.
    pub name: Name,
    /// Number of arguments.
    pub arity: usize,
    /// The field from which the receiver was read.
    pub via: Option<MemberId>,
}

/// A look-up of a bean in a container without a class literal.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum BeanLookup {
    /// The bean with this name, cast to this type if there is a cast.
    Named(String, Option<TypeId>),
    /// Some bean of this type, with a computed name.
    Of(TypeId),
    /// Any bean.
    Any,
}

impl LibraryCall {
    /// Simple name of the type and name of the member: `ResponseEntity.ok`.
    pub fn short(&self) -> String {
        format!("{}.{}", self.ty.rsplit('.').next().unwrap_or(self.ty.as_str()), self.name)
    }
}

/// The direct edges of one member.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Direct {
    /// Calls of methods and constructors, including method references.
    pub calls: Vec<Call>,
    /// Fields, constants and components that are read, with their lines.
    pub fields: Vec<(MemberId, u32)>,
    /// Fields that are only written, with their lines.
    pub written: Vec<(MemberId, u32)>,
    /// Types of the objects that are created, with lines.
    pub made: Vec<(TypeId, u32)>,
    /// Types that are named or handled, in signature and body.
    pub touched: Vec<TypeId>,
    /// Values that are passed to libraries.
    pub handed: Vec<LibraryArgument>,
    /// Project types whose values are passed where any object is accepted, so that their type is lost.
    pub hidden: BTreeSet<TypeId>,
    /// Library members (dotted type, name) that receive a value whose type is only known to be `Object`.
    pub handed_any: BTreeSet<(Name, Name)>,
    /// Values that an operator converts to text.
    pub printed: Vec<(TypeId, u32)>,
    /// Types whose class literal is used, with the library member that receives it.
    pub classes: Vec<(TypeId, Option<String>, u32)>,
    /// Upper bounds of the classes that code instantiates by class objects other than literals, with lines.
    pub made_below: Vec<(TypeId, u32)>,
    /// Methods that are named for a link to them and do not run, with lines: calls on the result of
    /// `methodOn(X.class)`.
    pub linked: Vec<(MemberId, u32)>,
    /// Annotations of the project by which code searches methods, to call them by reflection; with lines.
    pub found_by: Vec<(TypeId, u32)>,
    /// Library types of the values that are passed to libraries; such a value can be an object of the project.
    pub behind: BTreeSet<Name>,
    /// Calls of library members.
    pub library: BTreeSet<LibraryCall>,
    /// Look-ups in a container without a class literal.
    pub taken: BTreeSet<BeanLookup>,
    /// Calls for which no method was found.
    pub unresolved: Vec<Unresolved>,
    /// Type names that nothing declares.
    pub missing: Vec<String>,
    /// Uses of reflection with their lines.
    pub reflection: Vec<(String, u32)>,
    /// Syntax that was not understood.
    pub unknown: Vec<String>,
    /// Whether it is a constructor that calls no other constructor of its own type.
    pub initialises: bool,
    /// Names of the annotations on the member and its parameters.
    pub annotations: Vec<String>,
    /// Whether the body of another member was read for this.
    pub is_foreign: bool,
}

/// Computes the direct edges of a member.
pub fn direct(resolver: &Resolver<'_>, id: MemberId) -> Direct {
    let project = resolver.project();
    let member = project.member(id);
    let mut direct = Direct::default();
    let signature = resolver.types.signature(id);
    for ty in signature.params.iter().chain([&signature.ret]) {
        ty.projects(&mut direct.touched);
    }
    for thrown in member.throws.iter().chain(member.type_params.iter().flat_map(|param| &param.bounds)) {
        resolver.types.read(id.ty, Some(id), thrown).projects(&mut direct.touched);
    }
    for annotation in member.every_annotation() {
        direct.touched.extend(project.resolve_at(id, &annotation.name).project());
        direct.annotations.push(annotation.simple().to_owned());
    }
    let line = member.span.line;
    direct.calls.extend(project.fallbacks(id).into_iter().map(|to| Call { to, on: None, via: None, line }));
    direct.initialises = member.kind == MemberKind::Constructor;
    if let Some(body) = resolver.body(id) {
        let stores = stores(&body);
        let resolved = resolver.resolve_once(id);
        EdgeCollector {
            resolver,
            body: &body,
            resolved: &resolved,
            id,
            stores,
            class_args: BTreeMap::new(),
            direct: &mut direct,
        }
        .read();
    } else if member.kind == MemberKind::Constructor {
        implicit_super(resolver, id.ty, &mut direct, member.span.line);
    }
    direct.finish(id.ty);
    direct
}

/// Adds the superclass constructor without arguments, which runs if a constructor calls none explicitly.
pub fn implicit_super(resolver: &Resolver<'_>, ty: TypeId, direct: &mut Direct, line: u32) {
    if let Some(base) = superclass(resolver, ty) {
        let constructors = resolver.project().constructors(base, 0);
        direct.calls.extend(constructors.into_iter().map(|to| Call { to, on: None, via: None, line }));
    }
}

/// The superclass, if the project declares it.
pub fn superclass(resolver: &Resolver<'_>, ty: TypeId) -> Option<TypeId> {
    let supers = resolver.project().supers(ty).iter().filter_map(|base| base.named.project());
    supers.into_iter().find(|base| resolver.project().ty(*base).kind == TypeKind::Class || is_enum(resolver, *base))
}

fn is_enum(resolver: &Resolver<'_>, ty: TypeId) -> bool {
    resolver.project().ty(ty).kind == TypeKind::Enum
}

impl Direct {
    fn finish(&mut self, own: TypeId) {
        self.touched.push(own);
        self.touched.sort();
        self.touched.dedup();
        dedup_first_line(&mut self.calls, |call| (call.to, call.on, call.via));
        dedup_first_line(&mut self.fields, |(field, _)| *field);
        dedup_first_line(&mut self.written, |(field, _)| *field);
        dedup_first_line(&mut self.linked, |(method, _)| *method);
        dedup_first_line(&mut self.made, |(ty, _)| *ty);
        dedup_first_line(&mut self.printed, |(ty, _)| *ty);
        dedup_first_line(&mut self.classes, |(ty, to, _)| (*ty, to.clone()));
        dedup_first_line(&mut self.handed, |handed| (handed.ty, handed.library, handed.name));
        self.annotations.sort();
        self.annotations.dedup();
    }
}

/// The project type `T` of an expression of type `Class<T>`.
fn behind_class(ty: &Ty) -> Option<TypeId> {
    match ty {
        Ty::Library { args, .. } => args.first().and_then(Ty::as_project),
        _ => None,
    }
}

/// Whether a library member enumerates the methods of a class.
fn searches_methods(ty: &str, name: &str) -> bool {
    match name {
        "getMethods" | "getDeclaredMethods" => ty == "java.lang.Class" || ty.ends_with("ReflectionUtils"),
        "getAllDeclaredMethods" | "getUniqueDeclaredMethods" | "doWithMethods" | "doWithLocalMethods" => true,
        "selectMethods" | "getMethodsListWithAnnotation" | "getMethodsWithAnnotation" => true,
        "getMethodsAnnotatedWith" | "getAnnotatedMethods" => true,
        _ => false,
    }
}

/// Whether a parameter of this type accepts any object.
fn takes_any(ty: &Ty) -> bool {
    match ty {
        Ty::Library { fqn, args } => &**fqn == "java.lang.Object" || args.iter().any(takes_any),
        Ty::Var(_) => true,
        Ty::Array(element) => takes_any(element),
        _ => false,
    }
}

/// Adds every library type that a type names.
pub fn library_types(ty: &Ty, found: &mut BTreeSet<Name>) {
    match ty {
        Ty::Library { fqn, args } => {
            found.insert(*fqn);
            args.iter().for_each(|arg| library_types(arg, found));
        }
        Ty::Project { args, .. } => args.iter().for_each(|arg| library_types(arg, found)),
        Ty::Array(element) => library_types(element, found),
        _ => {}
    }
}

/// Removes duplicates that differ only in their line; keeps the first.
fn dedup_first_line<T: Ord, K: Ord>(list: &mut Vec<T>, key: impl Fn(&T) -> K) {
    list.sort();
    list.dedup_by(|later, earlier| key(later) == key(earlier));
}

struct EdgeCollector<'r, 'p> {
    resolver: &'r Resolver<'p>,
    body: &'r Body,
    resolved: &'r Resolved,
    id: MemberId,
    /// Left-hand sides of plain assignments, in order.
    stores: Vec<ExprId>,
    /// Class literals among the arguments of calls, with the library member that receives each.
    class_args: BTreeMap<ExprId, String>,
    direct: &'r mut Direct,
}

/// Left-hand sides of plain assignments.
fn stores(body: &Body) -> Vec<ExprId> {
    let targets = body.exprs.iter().filter_map(|expr| match &expr.kind {
        ExprKind::Assign { op: None, target, .. } => Some(*target),
        _ => None,
    });
    let mut targets: Vec<ExprId> = targets.collect();
    targets.sort_unstable();
    targets
}

impl EdgeCollector<'_, '_> {
    fn read(&mut self) {
        self.direct.touched.extend(&self.resolved.touched);
        self.direct.unresolved.clone_from(&self.resolved.unresolved);
        self.direct.missing.extend(self.resolved.missing.iter().cloned());
        self.direct.unknown.clone_from(&self.body.unknown);
        (self.class_args, self.direct.is_foreign) = class_args(self.resolver, self.body, self.resolved);
        for index in 0..self.body.exprs.len() {
            self.expr(ExprId(index as u32));
        }
        for stmt in &self.body.stmts {
            self.stmt(&stmt.kind, stmt.span.line);
        }
        self.constructor_calls();
        self.methods_by_annotation();
        for interface in self.resolved.lambdas.values() {
            // The lambda object can be passed to any code that calls the interface.
            self.direct.touched.push(*interface);
        }
    }

    fn constructor_calls(&mut self) {
        let member = self.resolver.project().member(self.id);
        let mut explicit = false;
        for (stmt, target) in &self.resolved.constructor_calls {
            let stmt = self.body.stmt(*stmt);
            explicit = true;
            if let StmtKind::ConstructorCall { is_super: false, .. } = stmt.kind {
                self.direct.initialises = false;
            }
            if let Target::Methods(ids) = target {
                for to in ids {
                    self.direct.calls.push(Call { to: *to, on: None, via: None, line: stmt.span.line });
                }
            }
        }
        if member.kind == MemberKind::Constructor && !explicit {
            implicit_super(self.resolver, self.id.ty, self.direct, member.span.line);
        }
    }

    fn expr(&mut self, id: ExprId) {
        let expr = self.body.expr(id);
        let line = expr.span.line;
        let target = self.resolved.targets.get(&id);
        match &expr.kind {
            ExprKind::New { anonymous, args, .. } => {
                let project = self.resolver.project();
                let made = match anonymous {
                    Some(place) => Some(project.type_in(project.file_of(self.id.ty), *place)),
                    None => self.resolved.ty(id).as_project(),
                };
                self.direct.made.extend(made.map(|ty| (ty, line)));
                if anonymous.is_some()
                    && let Some(base) = made.and_then(|made| superclass(self.resolver, made))
                {
                    self.direct.made.push((base, line));
                }
                self.target(id, target, None, args, line);
            }
            ExprKind::Call { target: on, name, args, .. } => {
                self.target(id, target, *on, args, line);
                self.reflection(target, name, args, line);
                self.made_by_class(target, name, id, args, line);
            }
            ExprKind::MethodRef { target: on, name, .. } => {
                if name == "new"
                    && let Some(Target::Methods(ids)) = target
                {
                    self.direct.made.extend(ids.first().map(|constructor| (constructor.ty, line)));
                }
                if let (true, Some(Target::Type(Named::Project(made)))) = (name == "new", target) {
                    self.direct.made.push((*made, line));
                }
                self.target(id, target, *on, &[], line);
            }
            ExprKind::Name(_) | ExprKind::Field { .. } => {
                if let Some(Target::Field(field)) = target {
                    let list = if self.stores.binary_search(&id).is_ok() {
                        &mut self.direct.written
                    } else {
                        &mut self.direct.fields
                    };
                    list.push((*field, line));
                }
            }
            ExprKind::Binary { op: BinaryOp::Add, left, right } if *self.resolved.ty(id) == Ty::string() => {
                self.print(*left, line);
                self.print(*right, line);
            }
            ExprKind::Assign { op: Some(BinaryOp::Add), value, .. } if *self.resolved.ty(id) == Ty::string() => {
                self.print(*value, line);
            }
            ExprKind::ClassLit(_) => {
                let to = self.class_args.get(&id).cloned();
                self.direct.classes.extend(behind_class(self.resolved.ty(id)).map(|ty| (ty, to, line)));
            }
            _ => {}
        }
    }

    fn print(&mut self, id: ExprId, line: u32) {
        let mut found = Vec::new();
        self.resolved.ty(id).projects(&mut found);
        self.direct.printed.extend(found.into_iter().map(|ty| (ty, line)));
    }

    fn stmt(&mut self, kind: &StmtKind, line: u32) {
        match kind {
            StmtKind::ForEach { items, .. } => self.implied(*items, "iterator", line),
            StmtKind::Return(Some(value)) if takes_any(&self.resolver.types.signature(self.id).ret) => {
                self.hide(*value)
            }
            StmtKind::Try { resources, .. } => {
                for resource in resources {
                    match &self.body.stmt(*resource).kind {
                        StmtKind::Local(locals) => {
                            for init in locals.iter().filter_map(|local| local.init) {
                                self.implied(init, "close", line);
                            }
                        }
                        StmtKind::Expr(expr) => self.implied(*expr, "close", line),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }

    /// Adds a call without arguments that a statement makes implicitly.
    fn implied(&mut self, on: ExprId, name: &str, line: u32) {
        let mut found = Vec::new();
        if let Ty::Project { id, .. } = self.resolved.ty(on) {
            found.push(*id);
        }
        for ty in found {
            for to in self.resolver.project().find_method(ty, name, 0) {
                self.direct.calls.push(Call { to, on: Some(ty), via: None, line });
            }
        }
    }

    fn target(&mut self, id: ExprId, target: Option<&Target>, on: Option<ExprId>, args: &[ExprId], line: u32) {
        match target {
            Some(Target::Methods(ids)) if on.is_some_and(|on| self.records_calls(on)) => {
                self.direct.linked.extend(ids.iter().map(|to| (*to, line)));
            }
            Some(Target::Methods(ids)) => {
                for to in ids {
                    let call = self.call(id, *to, on, line);
                    self.direct.calls.push(call);
                    self.hide_args(*to, args);
                    if self.is_implemented_elsewhere(*to) {
                        args.iter().for_each(|arg| library_types(self.resolved.ty(*arg), &mut self.direct.behind));
                    }
                }
            }
            Some(Target::Field(field)) => self.direct.fields.push((*field, line)),
            Some(Target::Library { ty, name }) => {
                self.hand(*ty, *name, on, args, line);
                self.take(id, *ty, *name, args);
            }
            _ => {}
        }
    }

    /// Whether only a library implements a method of the project: it belongs to an interface without subtypes in the
    /// project (a repository, a mapper, a client).
    fn is_implemented_elsewhere(&self, id: MemberId) -> bool {
        let project = self.resolver.project();
        let is_abstract = project.ty(id.ty).kind == TypeKind::Interface && project.member(id).body.is_none();
        is_abstract && project.subtypes(id.ty).is_empty()
    }

    /// Adds the look-up of a bean by name.
    fn take(&mut self, id: ExprId, ty: Name, name: Name, args: &[ExprId]) {
        let by_class = args.iter().any(|arg| {
            let ty = self.resolved.ty(*arg);
            matches!(self.body.expr(*arg).kind, ExprKind::ClassLit(_)) && behind_class(ty).is_some()
        });
        let names_only = name.starts_with("getBeanNames");
        if by_class || args.is_empty() || names_only || !is_lookup(ty.rsplit('.').next().unwrap_or(&ty), &name) {
            return;
        }
        let is_cast = |at: &usize| matches!(self.body.exprs[*at].kind, ExprKind::Cast { operand, .. } if operand == id);
        let cast = (0..self.body.exprs.len()).find(is_cast);
        let cast = cast.and_then(|at| self.resolved.ty(ExprId(at as u32)).as_project());
        self.direct.taken.insert(match (args.first().map(|arg| &self.body.expr(*arg).kind), cast) {
            (Some(ExprKind::Lit(Lit::Str(text))), cast) => BeanLookup::Named(text.clone(), cast),
            (_, Some(cast)) => BeanLookup::Of(cast),
            (_, None) => BeanLookup::Any,
        });
    }

    /// Whether an expression is a proxy that only records which method is called on it, to build a link to that method.
    fn records_calls(&self, id: ExprId) -> bool {
        let ExprKind::Call { target: on, .. } = &self.body.expr(id).kind else { return false };
        match self.resolved.targets.get(&id) {
            Some(Target::Library { ty, name }) => is_recorder(ty.as_str(), name.as_str()),
            // A sub-resource of such a proxy is a proxy too.
            Some(Target::Methods(_)) => on.is_some_and(|on| self.records_calls(on)),
            _ => false,
        }
    }

    fn call(&self, id: ExprId, to: MemberId, on: Option<ExprId>, line: u32) -> Call {
        let project = self.resolver.project();
        let member = project.member(to);
        let fixed = member.kind != MemberKind::Method
            || member.modifiers.has(Modifiers::STATIC)
            || member.modifiers.has(Modifiers::PRIVATE)
            || on.is_some_and(|on| matches!(self.body.expr(on).kind, ExprKind::Super(_)));
        if fixed {
            return Call { to, on: None, via: None, line };
        }
        let receiver = match on {
            Some(on) => self.resolved.ty(on).as_project(),
            None => self.resolved.implicit.get(&id).copied(),
        };
        let via = on.and_then(|on| self.read_from(on));
        let narrower = receiver.filter(|receiver| self.resolver.types.is_subtype(*receiver, to.ty));
        Call { to, on: Some(narrower.unwrap_or(to.ty)), via, line }
    }

    /// Hides the arguments whose parameter accepts any object.
    fn hide_args(&mut self, to: MemberId, args: &[ExprId]) {
        let params = &self.resolver.types.signature(to).params;
        for (index, arg) in args.iter().enumerate() {
            if params.get(index).or(params.last()).is_some_and(takes_any) {
                self.hide(*arg);
            }
        }
    }

    fn hide(&mut self, id: ExprId) {
        let mut found = Vec::new();
        self.resolved.ty(id).projects(&mut found);
        self.direct.hidden.extend(found);
    }

    /// The field that an expression reads.
    fn read_from(&self, id: ExprId) -> Option<MemberId> {
        match self.resolved.targets.get(&id) {
            Some(Target::Field(field)) => Some(*field),
            _ => None,
        }
    }

    /// Records the receiver and the arguments of a library call as passed to the library.
    fn hand(&mut self, ty: Name, name: Name, on: Option<ExprId>, args: &[ExprId], line: u32) {
        let receiver = on.and_then(|on| match self.resolved.ty(on) {
            Ty::Library { fqn, .. } => Some(*fqn),
            _ => None,
        });
        let library = receiver.unwrap_or(ty);
        let mut found = Vec::new();
        if args.iter().any(|arg| takes_any(self.resolved.ty(*arg))) {
            self.direct.handed_any.insert((library, name));
        }
        for arg in args.iter().copied().chain(on) {
            // A class object is not an object of its class; it is handled separately.
            if !matches!(self.body.expr(arg).kind, ExprKind::ClassLit(_)) {
                self.resolved.ty(arg).projects(&mut found);
            }
            library_types(self.resolved.ty(arg), &mut self.direct.behind);
        }
        found.sort();
        found.dedup();
        self.direct.handed.extend(found.into_iter().map(|ty| LibraryArgument { ty, library, name, line }));
        let via = on.and_then(|on| self.read_from(on));
        self.direct.library.insert(LibraryCall { ty, name, arity: args.len(), via });
    }

    /// Records objects that are created by class objects other than literals: by `type.newInstance()`, or by a library
    /// that receives the class object. The type argument of `Class` gives an upper bound of the class.
    fn made_by_class(&mut self, target: Option<&Target>, name: &str, call: ExprId, args: &[ExprId], line: u32) {
        let Some(Target::Library { ty, .. }) = target else { return };
        let short = format!("{}.{name}", ty.rsplit('.').next().unwrap_or(ty));
        if class_use(&short) == ClassUse::Name {
            return;
        }
        let of_class = |ty: &Ty| match ty {
            Ty::Library { fqn, args } if fqn.as_str() == "java.lang.Class" => args.first().and_then(Ty::as_project),
            _ => None,
        };
        let is_reflective = matches!(ty.as_str(), "java.lang.Class" | "java.lang.reflect.Constructor");
        if is_reflective && name == "newInstance" {
            let made = self.resolved.ty(call).as_project();
            self.direct.made_below.extend(made.map(|ty| (ty, line)));
        }
        let is_loader = ty.as_str() == "java.util.ServiceLoader";
        for arg in args.iter().filter(|_| !ty.as_str().starts_with("java.") || is_loader) {
            if is_loader || !matches!(self.body.expr(*arg).kind, ExprKind::ClassLit(_)) {
                self.direct.made_below.extend(of_class(self.resolved.ty(*arg)).map(|ty| (ty, line)));
            }
        }
    }

    /// Records annotations of the project by which the body searches methods: it enumerates the methods of a class and
    /// uses the annotation's class literal.
    fn methods_by_annotation(&mut self) {
        let searches = self.resolved.targets.values().any(|target| match target {
            Target::Library { ty, name } => searches_methods(ty.as_str(), name.as_str()),
            _ => false,
        });
        if !searches {
            return;
        }
        let project = self.resolver.project();
        let is_annotation = |(ty, ..): &&(TypeId, Option<String>, u32)| project.ty(*ty).kind == TypeKind::Annotation;
        let found: Vec<(TypeId, u32)> =
            self.direct.classes.iter().filter(is_annotation).map(|(ty, _, line)| (*ty, *line)).collect();
        self.direct.found_by.extend(found);
    }

    fn reflection(&mut self, target: Option<&Target>, name: &str, args: &[ExprId], line: u32) {
        let Some(Target::Library { ty, .. }) = target else { return };
        let reflective = match ty.as_str() {
            "java.lang.Class" => matches!(
                name,
                "forName"
                    | "newInstance"
                    | "getMethod"
                    | "getDeclaredMethod"
                    | "getMethods"
                    | "getDeclaredMethods"
                    | "getConstructor"
                    | "getDeclaredConstructor"
                    | "getConstructors"
                    | "getDeclaredConstructors"
            ),
            "java.lang.ClassLoader" => name == "loadClass",
            "java.lang.reflect.Method" => name == "invoke",
            "java.lang.reflect.Constructor" => name == "newInstance",
            "java.lang.reflect.Proxy" => name == "newProxyInstance",
            _ => false,
        };
        if !reflective {
            return;
        }
        let constant = args.first().and_then(|arg| match &self.body.expr(*arg).kind {
            ExprKind::Lit(Lit::Str(text)) => Some(text.clone()),
            _ => None,
        });
        match constant.as_deref().and_then(|fqn| self.resolver.project().by_fqn(&fqn.replace('$', "."))) {
            Some(ty) => self.direct.classes.push((ty, Some("Class.forName".to_owned()), line)),
            None => {
                let shown = constant.map(|text| format!("\"{text}\"")).unwrap_or_default();
                let short = ty.rsplit('.').next().unwrap_or(ty);
                self.direct.reflection.push((format!("{short}.{name}({shown})"), line));
            }
        }
    }
}
