//! Resolving calls: which declaration a call, creation or method reference means, and what it gives.

use std::sync::Arc;

use super::body::{ExprId, ExprKind};
use super::calls::{Target, Unresolved};
use super::facts::TypeRef;
use super::ids::TypeId;
use super::infer::Arg;
use super::lookup::{BUILDER, Candidate};
use super::named::StaticName;
use super::resolve_body::Walk;
use super::resolve_expr::Meaning;
use super::ty::{Bindings, Ty, lookup};

/// Stands for an arity that is not known: a method reference whose type could not be told.
pub const ANY_ARITY: usize = usize::MAX;

impl Walk<'_, '_> {
    /// `target.name(args)`.
    pub(super) fn call(
        &mut self,
        id: ExprId,
        target: Option<Meaning>,
        name: &str,
        args: &[ExprId],
        type_args: &[TypeRef],
        expected: &Ty,
    ) -> Ty {
        let explicit: Vec<Ty> = type_args.iter().map(|arg| self.read(arg)).collect();
        match target {
            None => self.plain_call(id, name, args, &explicit, expected),
            Some(Meaning::Value(ty)) => self.value_call(id, &ty, name, args, &explicit, expected),
            Some(Meaning::Type(ty)) => self.static_call(id, &ty, name, args, &explicit, expected),
            Some(Meaning::Package(_)) => self.unresolved(id, name, args),
        }
    }

    /// `name(args)`: a method of this type or one around it, or a static import.
    fn plain_call(&mut self, id: ExprId, name: &str, args: &[ExprId], explicit: &[Ty], expected: &Ty) -> Ty {
        let scopes = self.scopes();
        for scope in &scopes {
            let this = self.types.this_type(*scope);
            let candidates = self.types.methods(&this, name, args.len());
            if !candidates.is_empty() {
                self.out.implicit.insert(id, *scope);
                return self.invoke(id, candidates, args, explicit, expected);
            }
            if self.types.generated(&this, name, args.len()).is_some() {
                self.out.implicit.insert(id, *scope);
                return self.value_call(id, &this, name, args, explicit, expected);
            }
        }
        if let Some(ty) = self.static_import_call(id, name, args, explicit, expected) {
            return ty;
        }
        for scope in &scopes {
            let this = self.types.this_type(*scope);
            let enumeration = self.enum_method(*scope, name, args.len());
            if enumeration.is_some() || object_method(name, args.len()).is_some() {
                self.out.implicit.insert(id, *scope);
                return self.value_call(id, &this, name, args, explicit, expected);
            }
            let base = self.types.library_bases(&this).into_iter().find(|base| !is_marker(base));
            if let Some(base) = base {
                self.out.implicit.insert(id, *scope);
                return self.library_call(id, &base, name, args, expected);
            }
        }
        self.unresolved(id, name, args)
    }

    fn static_import_call(
        &mut self,
        id: ExprId,
        name: &str,
        args: &[ExprId],
        explicit: &[Ty],
        expected: &Ty,
    ) -> Option<Ty> {
        let mut candidates = Vec::new();
        let mut library = None;
        for found in self.types.project.resolve_static(self.scope(), name) {
            match found {
                StaticName::Member(member) => {
                    let owner = Ty::project(member.ty);
                    let all = self.types.methods(&owner, name, args.len());
                    candidates.extend(all.into_iter().filter(|candidate| candidate.member() == Some(member)));
                }
                StaticName::Library(path) => library = library.or(Some(path)),
            }
        }
        if !candidates.is_empty() {
            return Some(self.invoke(id, candidates, args, explicit, expected));
        }
        if let Some(owner) = self.imported_enum(name) {
            return Some(self.static_call(id, &Ty::project(owner), name, args, explicit, expected));
        }
        let path = library?;
        let ty = Ty::library(path.rsplit_once('.').map_or("", |(ty, _)| ty));
        Some(self.static_call(id, &ty, name, args, explicit, expected))
    }

    /// The enum whose `values` or `valueOf` a static import brings: no declaration of these stands anywhere.
    fn imported_enum(&self, name: &str) -> Option<TypeId> {
        if !matches!(name, "values" | "valueOf") {
            return None;
        }
        let project = self.types.project;
        let imports = &project.file(project.file_of(self.scope())).facts.imports;
        let owners = imports.iter().filter(|import| import.is_static).filter_map(|import| {
            if import.wildcard { Some(import.path.as_str()) } else { import.path.strip_suffix(name)?.strip_suffix('.') }
        });
        let mut enums = owners.filter_map(|owner| project.resolve(self.scope(), owner).project());
        enums.find(|owner| project.ty(*owner).kind == super::facts::TypeKind::Enum)
    }

    /// A call on a value.
    fn value_call(&mut self, id: ExprId, ty: &Ty, name: &str, args: &[ExprId], explicit: &[Ty], expected: &Ty) -> Ty {
        match ty {
            Ty::Var(var) => {
                let bound = self.types.bound(self.scope(), Some(self.member), var);
                if matches!(bound, Ty::Var(_)) {
                    return self.unresolved(id, name, args);
                }
                return self.value_call(id, &bound, name, args, explicit, expected);
            }
            Ty::Unknown | Ty::Null => return self.unresolved(id, name, args),
            Ty::Array(_) | Ty::Prim(_) => {
                self.type_args_of(args);
                self.library_target(id, "java.lang.Object", name);
                return if name == "clone" {
                    ty.clone()
                } else {
                    object_method(name, args.len()).unwrap_or(Ty::Unknown)
                };
            }
            Ty::Opaque(ids) => return self.opaque_call(id, ids, name, args, explicit, expected),
            Ty::Project { .. } | Ty::Library { .. } => {}
        }
        let candidates = self.types.methods(ty, name, args.len());
        if !candidates.is_empty() {
            return self.invoke(id, candidates, args, explicit, expected);
        }
        if let Some(generated) = self.types.generated(ty, name, args.len()) {
            let wanted = generated.field.map(|field| self.types.signature(field).ret.clone()).unwrap_or(Ty::Unknown);
            for arg in args {
                self.expr(*arg, &wanted);
            }
            let target = match generated.field {
                Some(field) => Target::Field(field),
                None => Target::Library { ty: BUILDER.to_owned(), name: name.to_owned() },
            };
            self.out.targets.insert(id, target);
            return generated.ret;
        }
        if name == "getClass" && args.is_empty() {
            self.library_target(id, "java.lang.Object", name);
            return Ty::Library { fqn: "java.lang.Class".into(), args: vec![ty.clone()] };
        }
        if let Some(result) = object_method(name, args.len()) {
            self.type_args_of(args);
            self.library_target(id, "java.lang.Object", name);
            return result;
        }
        if let Some(owner) = ty.as_project()
            && let Some(result) = self.enum_method(owner, name, args.len())
        {
            self.type_args_of(args);
            self.library_target(id, "java.lang.Enum", name);
            return result;
        }
        let base = self.types.library_bases(ty).into_iter().find(|base| !is_marker(base));
        match base.or_else(|| Some(ty.clone()).filter(|ty| ty.library_name().is_some())) {
            Some(base) => self.library_call(id, &base, name, args, expected),
            None => self.unresolved(id, name, args),
        }
    }

    fn opaque_call(
        &mut self,
        id: ExprId,
        ids: &[TypeId],
        name: &str,
        args: &[ExprId],
        explicit: &[Ty],
        expected: &Ty,
    ) -> Ty {
        let mut candidates: Vec<Candidate> = Vec::new();
        for owner in ids {
            let this = Ty::project(*owner);
            candidates.extend(self.types.methods(&this, name, args.len()));
            if candidates.is_empty() && self.types.generated(&this, name, args.len()).is_some() {
                return self.value_call(id, &this, name, args, explicit, expected);
            }
        }
        if candidates.iter().any(|candidate| candidate.member().is_some()) {
            candidates.retain(|candidate| candidate.member().is_some());
            return self.invoke(id, candidates, args, explicit, expected);
        }
        let lent = self.carried(&[Ty::Opaque(ids.to_vec()), expected.clone()]);
        let mut given: Vec<Ty> = self.args_of_library(args, &lent);
        given.push(lent);
        self.library_target(id, "?", name);
        object_method(name, args.len()).unwrap_or_else(|| self.carried(&given))
    }

    /// A call on a type.
    fn static_call(&mut self, id: ExprId, ty: &Ty, name: &str, args: &[ExprId], explicit: &[Ty], expected: &Ty) -> Ty {
        if let Some(owner) = ty.as_project()
            && self.types.methods(ty, name, args.len()).is_empty()
            && let Some(result) = self.enum_method(owner, name, args.len())
        {
            self.type_args_of(args);
            self.library_target(id, "java.lang.Enum", name);
            return result;
        }
        self.value_call(id, ty, name, args, explicit, expected)
    }

    /// What the methods give that every enum has.
    fn enum_method(&self, id: TypeId, name: &str, arity: usize) -> Option<Ty> {
        if self.types.project.ty(id).kind != super::facts::TypeKind::Enum {
            return None;
        }
        Some(match (name, arity) {
            ("values", 0) => Ty::Array(Box::new(Ty::project(id))),
            ("valueOf", 1) => Ty::project(id),
            ("ordinal", 0) | ("compareTo", 1) => Ty::prim("int"),
            ("name", 0) => Ty::string(),
            _ => return None,
        })
    }

    /// A call of a library method of which nothing is known.
    fn library_call(&mut self, id: ExprId, ty: &Ty, name: &str, args: &[ExprId], expected: &Ty) -> Ty {
        let lent = self.given_by_library(ty, std::slice::from_ref(expected));
        let mut given = self.args_of_library(args, &lent);
        given.push(expected.clone());
        let fqn = ty.library_name().unwrap_or("?").to_owned();
        self.library_target(id, &fqn, name);
        object_method(name, args.len()).unwrap_or_else(|| self.given_by_library(ty, &given))
    }

    fn library_target(&mut self, id: ExprId, ty: &str, name: &str) {
        self.out.targets.insert(id, Target::Library { ty: ty.to_owned(), name: name.to_owned() });
    }

    fn unresolved(&mut self, id: ExprId, name: &str, args: &[ExprId]) -> Ty {
        self.type_args_of(args);
        if object_method(name, args.len()).is_some_and(|_| matches!(name, "getClass" | "wait" | "notify" | "notifyAll"))
        {
            self.library_target(id, "java.lang.Object", name);
            return Ty::Unknown;
        }
        self.miss(id, name, args.len());
        object_method(name, args.len()).unwrap_or(Ty::Unknown)
    }

    fn miss(&mut self, id: ExprId, name: &str, arity: usize) {
        let line = self.body.expr(id).span.line;
        self.out.targets.insert(id, Target::Unresolved { name: name.to_owned(), arity });
        self.out.unresolved.push(Unresolved { name: name.to_owned(), arity, line });
    }

    /// Types arguments of which nothing is known that they are for.
    fn type_args_of(&mut self, args: &[ExprId]) -> Vec<Ty> {
        self.args_of_library(args, &Ty::Unknown)
    }

    /// Types the arguments of a library call whose signature is not known: lambdas get what the library was `lent` and the other arguments are.
    fn args_of_library(&mut self, args: &[ExprId], lent: &Ty) -> Vec<Ty> {
        let mut given: Vec<Ty> = Vec::new();
        let (functions, plain): (Vec<ExprId>, Vec<ExprId>) = args.iter().partition(|arg| self.is_function(**arg));
        for arg in plain {
            given.push(self.expr(arg, lent));
        }
        let param = if lent.is_unknown() {
            Ty::Unknown
        } else {
            given.push(lent.clone());
            let param = self.carried(&given);
            given.pop();
            param
        };
        for arg in functions {
            let found = if let ExprKind::Lambda { params, .. } = &self.body.expr(arg).kind {
                self.lambda(arg, &vec![param.clone(); params.len()], &Ty::Unknown)
            } else {
                self.reference(arg, None)
            };
            self.out.types[arg.0 as usize] = Ty::Unknown;
            given.push(found);
        }
        given
    }

    /// What a library of which nothing is known can give: one of the project types that it was given.
    pub(super) fn given_by_library(&self, ty: &Ty, args: &[Ty]) -> Ty {
        if ty.library_name().is_some_and(|fqn| self.types.is_missing(fqn)) {
            return Ty::Unknown;
        }
        let mut all = args.to_vec();
        all.push(ty.clone());
        self.carried(&all)
    }

    /// The project types that values of these types can lead library code to.
    pub(super) fn carried(&self, types: &[Ty]) -> Ty {
        let mut found = Vec::new();
        for ty in types {
            ty.projects(&mut found);
            for base in self.types.supers_of(ty) {
                if base.library_name().is_some() {
                    base.projects(&mut found);
                }
            }
            if let Ty::Var(var) = ty {
                self.types.bound(self.scope(), Some(self.member), var).projects(&mut found);
            }
        }
        found.sort();
        found.dedup();
        Ty::Opaque(found)
    }

    /// Chooses among candidates, types the arguments, and gives the result.
    fn invoke(
        &mut self,
        id: ExprId,
        candidates: Vec<Candidate>,
        args: &[ExprId],
        explicit: &[Ty],
        expected: &Ty,
    ) -> Ty {
        let (chosen, typed) = self.choose(candidates, args);
        let result = self.infer(&chosen, args, typed, explicit, false, expected);
        self.out.targets.insert(id, self.target(&chosen));
        result
    }

    /// `new T(args)`, `this(args)`, `super(args)`: what is called, and the type made.
    pub(super) fn construct(&mut self, ty: &Ty, args: &[ExprId], diamond: bool, expected: &Ty) -> (Target, Ty) {
        let made = if diamond { self.diamond(ty, expected) } else { ty.clone() };
        let candidates = self.types.constructors(&made, args.len());
        if candidates.is_empty() {
            self.type_args_of(args);
            let target = match ty {
                Ty::Project { id, .. } => Target::Type(super::named::Named::Project(*id)),
                Ty::Library { fqn, .. } => Target::Library { ty: fqn.to_string(), name: "<init>".to_owned() },
                _ => Target::Type(super::named::Named::Unknown(String::new())),
            };
            return (target, made);
        }
        let open = diamond && made == *ty;
        let (chosen, typed) = self.choose(candidates, args);
        let result = self.infer(&chosen, args, typed, &[], open, expected);
        (self.target(&chosen), if open { result } else { made })
    }

    /// The type that `new T<>` makes where something of type `expected` is wanted, if that tells.
    fn diamond(&self, ty: &Ty, expected: &Ty) -> Ty {
        let (params, this) = match ty {
            Ty::Project { id, .. } => (self.types.members_of(*id).params.clone(), self.types.this_type(*id)),
            Ty::Library { fqn, .. } => match super::signatures::library_type(fqn) {
                Some(known) => {
                    let args = known.params.iter().cloned().map(Ty::Var).collect();
                    (known.params.clone(), Ty::Library { fqn: fqn.clone(), args })
                }
                None => return ty.clone(),
            },
            _ => return ty.clone(),
        };
        let mut bindings = Bindings::new();
        for base in self.types.supers_of(&this) {
            if base.erased() == expected.erased() {
                self.types.unify(&base, expected, &params, &mut bindings);
            }
        }
        if bindings.len() == params.len() && bindings.iter().all(|(_, ty)| !ty.is_unknown()) {
            return this.subst(&bindings);
        }
        ty.clone()
    }

    fn target(&self, chosen: &[Candidate]) -> Target {
        let members: Vec<_> = chosen.iter().filter_map(Candidate::member).collect();
        if !members.is_empty() {
            return Target::Methods(members);
        }
        let first = chosen.first();
        let ty = first.and_then(|candidate| candidate.owner().library_name()).unwrap_or("?").to_owned();
        let name = match first {
            Some(Candidate::Library { method, .. }) => method.name.to_string(),
            _ => String::new(),
        };
        Target::Library { ty, name }
    }

    /// The candidates that a call can mean; whether the arguments have been typed for that.
    fn choose(&mut self, candidates: Vec<Candidate>, args: &[ExprId]) -> (Vec<Candidate>, bool) {
        if candidates.len() < 2 {
            return (candidates, false);
        }
        let typed: Vec<Arg> = args
            .iter()
            .map(|arg| match &self.body.expr(*arg).kind {
                ExprKind::Lambda { params, .. } => Arg::Lambda(params.len()),
                ExprKind::MethodRef { .. } => Arg::MethodRef,
                _ => Arg::Typed(self.expr(*arg, &Ty::Unknown)),
            })
            .collect();
        let chosen = self.types.applicable(candidates.clone(), &typed);
        (if chosen.is_empty() { candidates } else { chosen }, true)
    }

    /// Types the arguments of a call by what the first candidate wants, and gives the result of all.
    fn infer(
        &mut self,
        chosen: &[Candidate],
        args: &[ExprId],
        typed: bool,
        explicit: &[Ty],
        open: bool,
        expected: &Ty,
    ) -> Ty {
        let Some(first) = chosen.first() else { return Ty::Unknown };
        let result = self.infer_one(first, args, typed, explicit, open, expected);
        if chosen.len() == 1 {
            return result;
        }
        let given: Vec<Ty> = args.iter().map(|arg| self.out.ty(*arg).clone()).collect();
        let mut results = vec![result];
        for other in &chosen[1..] {
            let types = self.types;
            let owner = types.bindings(other.owner());
            let vars = self.open_vars(other, false);
            let mut bindings = Bindings::new();
            for (index, arg) in given.iter().enumerate() {
                let (param, _) = types.param_at(other, index, true);
                types.unify(&param.subst(&owner), arg, &vars, &mut bindings);
            }
            results.push(types.result(&other.ret(types).subst(&owner), &bindings, &vars, &Ty::Unknown));
        }
        self.either(&results)
    }

    /// Variables that a call leaves to be inferred.
    fn open_vars(&self, candidate: &Candidate, open: bool) -> Vec<Arc<str>> {
        let mut vars = candidate.vars(self.types).to_vec();
        if open {
            vars.extend(self.class_vars(candidate));
        }
        vars
    }

    fn class_vars(&self, candidate: &Candidate) -> Vec<Arc<str>> {
        match candidate.owner() {
            Ty::Project { id, .. } => self.types.members_of(*id).params.clone(),
            Ty::Library { fqn, .. } => {
                super::signatures::library_type(fqn).map(|known| known.params.clone()).unwrap_or_default()
            }
            _ => Vec::new(),
        }
    }

    fn infer_one(
        &mut self,
        candidate: &Candidate,
        args: &[ExprId],
        typed: bool,
        explicit: &[Ty],
        open: bool,
        expected: &Ty,
    ) -> Ty {
        let types = self.types;
        let class_vars = self.class_vars(candidate);
        let owner = if open { Bindings::new() } else { types.bindings(candidate.owner()) };
        let vars = self.open_vars(candidate, open);
        let closed = |ty: &Ty| if open { ty.clone() } else { ty.close(&owner, &unshadowed(&class_vars, &vars)) };
        let mut bindings: Bindings = candidate.vars(types).iter().cloned().zip(explicit.iter().cloned()).collect();
        let ret = if open {
            match candidate.owner() {
                Ty::Library { fqn, .. } => {
                    Ty::Library { fqn: fqn.clone(), args: class_vars.iter().cloned().map(Ty::Var).collect() }
                }
                Ty::Project { id, .. } => self.types.this_type(*id),
                other => other.clone(),
            }
        } else {
            closed(candidate.ret(types))
        };
        let (count, varargs) = (types.parameters(candidate).0.len(), types.parameters(candidate).1);
        let spread = varargs && !(args.len() == count && self.is_array_arg(args.last()));
        let params: Vec<Ty> = (0..args.len())
            .map(|index| {
                let (param, array) = types.param_at(candidate, index, spread);
                let param = closed(param);
                if array { Ty::Array(Box::new(param)) } else { param }
            })
            .collect();
        for (arg, param) in args.iter().zip(&params) {
            if self.is_function(*arg) {
                continue;
            }
            let known = self.out.ty(*arg).clone();
            let found = if typed && (!known.is_partial() || !self.retry()) {
                known
            } else {
                let wanted = types.result(param, &bindings, &vars, &Ty::Unknown);
                self.expr(*arg, &wanted)
            };
            types.unify(param, &found, &vars, &mut bindings);
        }
        if !vars.is_empty() && !expected.is_unknown() {
            let mut hints = Bindings::new();
            types.unify(&ret, expected, &vars, &mut hints);
            self.unify_up(&ret, expected, &vars, &mut hints);
            for (var, ty) in hints {
                if lookup(&bindings, &var).is_none_or(Ty::is_partial) && !ty.is_partial() {
                    bindings.retain(|(bound, _)| *bound != var);
                    bindings.push((var, ty));
                }
            }
        }
        // What nothing tells, a library can only take from what it was given, or from what is wanted of it.
        let lent = |walk: &Self, args: &[ExprId]| {
            let mut given: Vec<Ty> = args.iter().map(|arg| walk.out.ty(*arg).clone()).collect();
            given.extend([candidate.owner().clone(), expected.clone()]);
            match candidate {
                Candidate::Library { .. } => walk.carried(&given),
                Candidate::Project { .. } => Ty::Unknown,
            }
        };
        let plain: Vec<ExprId> = args.iter().copied().filter(|arg| !self.is_function(*arg)).collect();
        for (arg, param) in args.iter().zip(&params) {
            if self.is_function(*arg) {
                let lent = lent(self, &plain);
                self.function_arg(*arg, param, &vars, &mut bindings, &lent);
            }
        }
        let otherwise = lent(self, args);
        self.with_bounds(candidate, &vars, &mut bindings);
        types.result(&ret, &bindings, &vars, &otherwise)
    }

    /// Where a supertype of what is returned is wanted: `ArrayList<T>` for `List<Foo>`.
    fn unify_up(&self, ret: &Ty, expected: &Ty, vars: &[Arc<str>], hints: &mut Bindings) {
        for base in self.types.supers_of(ret).into_iter().skip(1) {
            if base.erased() == expected.erased() {
                self.types.unify(&base, expected, vars, hints);
            }
        }
    }

    /// A variable that nothing tells is at least of its bound.
    fn with_bounds(&self, candidate: &Candidate, vars: &[Arc<str>], bindings: &mut Bindings) {
        let Some(member) = candidate.member() else { return };
        for var in vars {
            if lookup(bindings, var).is_none_or(Ty::is_unknown) {
                let bound = self.types.bound(member.ty, Some(member), var);
                if bound.as_project().is_some() {
                    bindings.retain(|(known, _)| known != var);
                    bindings.push((var.clone(), bound.erased()));
                }
            }
        }
    }

    fn retry(&mut self) -> bool {
        if self.retries == 0 {
            return false;
        }
        self.retries -= 1;
        true
    }

    fn is_function(&self, arg: ExprId) -> bool {
        matches!(self.body.expr(arg).kind, ExprKind::Lambda { .. } | ExprKind::MethodRef { .. })
    }

    /// Whether the last argument is an array that stands for all variable ones.
    fn is_array_arg(&mut self, arg: Option<&ExprId>) -> bool {
        let Some(arg) = arg.filter(|arg| !self.is_function(**arg)) else { return false };
        match &self.body.expr(*arg).kind {
            ExprKind::NewArray { .. } => true,
            ExprKind::Name(_) | ExprKind::Field { .. } | ExprKind::Call { .. } => {
                if matches!(self.out.ty(*arg), Ty::Unknown) && self.retry() {
                    self.expr(*arg, &Ty::Unknown);
                }
                matches!(self.out.ty(*arg), Ty::Array(_))
            }
            _ => false,
        }
    }

    /// A lambda or method reference as an argument: its parameters come from `param`, its result tells variables.
    fn function_arg(&mut self, arg: ExprId, param: &Ty, vars: &[Arc<str>], bindings: &mut Bindings, lent: &Ty) {
        let types = self.types;
        let Some((params, ret)) = types.functional(param) else {
            let lent = match param {
                // What calls the lambda is a library's interface of which nothing is known.
                Ty::Library { .. } if lent.is_unknown() => self.given_by_library(param, &[]),
                Ty::Opaque(_) => param.clone(),
                _ => lent.clone(),
            };
            self.args_of_library(&[arg], &lent);
            return;
        };
        let given: Vec<Ty> = params
            .iter()
            .map(|param| types.result(param, bindings, vars, lent))
            .map(|ty| if ty.is_unknown() { lent.clone() } else { ty })
            .collect();
        let wanted = types.result(&ret, bindings, vars, &Ty::Unknown);
        let found = if matches!(self.body.expr(arg).kind, ExprKind::Lambda { .. }) {
            if let ExprKind::Lambda { params: declared, .. } = &self.body.expr(arg).kind {
                for (param, written) in params.iter().zip(declared) {
                    if written.ty.name != "var" {
                        let written = self.read(&written.ty);
                        types.unify(param, &written, vars, bindings);
                    }
                }
            }
            self.lambda(arg, &given, &wanted)
        } else {
            self.reference(arg, Some(&given))
        };
        types.unify(&ret, &found, vars, bindings);
        if let Some(interface) = param.as_project() {
            self.out.lambdas.insert(arg, interface);
        }
        self.out.types[arg.0 as usize] = types.result(param, bindings, vars, &Ty::Unknown);
    }

    /// A lambda or method reference of which a value of type `expected` is wanted.
    pub(super) fn function(&mut self, id: ExprId, expected: &Ty) {
        let mut bindings = Bindings::new();
        self.function_arg(id, expected, &[], &mut bindings, &Ty::Unknown);
    }

    /// `target::name`; gives the type of its result.
    fn reference(&mut self, id: ExprId, params: Option<&[Ty]>) -> Ty {
        let body = self.body;
        let ExprKind::MethodRef { target, ty, name } = &body.expr(id).kind else { return Ty::Unknown };
        let meaning = match (target, ty) {
            (Some(target), _) => self.meaning(*target),
            (None, Some(ty)) => Meaning::Type(self.read(ty)),
            (None, None) => return Ty::Unknown,
        };
        let known = params.filter(|params| !params.iter().any(Ty::is_unknown) || params.len() == 1);
        match meaning {
            Meaning::Type(ty) if name == "new" => self.constructor_reference(id, &ty, params),
            Meaning::Type(ty) => {
                let receiver = params.and_then(<[Ty]>::first).filter(|first| first.erased() == ty.erased());
                let on = receiver.unwrap_or(&ty).clone();
                let mut candidates = self.named(&ty, name, params.map(<[Ty]>::len));
                if let Some(params) = params.filter(|params| !params.is_empty()) {
                    candidates.extend(self.named(&on, name, Some(params.len() - 1)));
                }
                self.refer(id, &on, name, candidates, known, params.map_or(ANY_ARITY, |p| p.len().saturating_sub(1)))
            }
            Meaning::Value(ty) => {
                let ty = match &ty {
                    Ty::Var(var) => self.types.bound(self.scope(), Some(self.member), var),
                    _ => ty,
                };
                let candidates = self.named(&ty, name, params.map(<[Ty]>::len));
                self.refer(id, &ty, name, candidates, known, params.map_or(ANY_ARITY, <[Ty]>::len))
            }
            Meaning::Package(_) => {
                self.miss(id, name, ANY_ARITY);
                Ty::Unknown
            }
        }
    }

    fn constructor_reference(&mut self, id: ExprId, ty: &Ty, params: Option<&[Ty]>) -> Ty {
        let arities: Vec<usize> = params.map_or_else(|| (0..12).collect(), |params| vec![params.len()]);
        let found: Vec<Candidate> = arities.into_iter().flat_map(|arity| self.types.constructors(ty, arity)).collect();
        let target = if found.is_empty() {
            match ty {
                Ty::Project { id, .. } => Target::Type(super::named::Named::Project(*id)),
                _ => {
                    let ty = ty.library_name().unwrap_or("?").to_owned();
                    Target::Library { ty, name: "<init>".to_owned() }
                }
            }
        } else {
            let args: Vec<Arg> = params.unwrap_or_default().iter().cloned().map(Arg::Typed).collect();
            let narrowed = if params.is_some() { self.types.applicable(found.clone(), &args) } else { found.clone() };
            self.target(if narrowed.is_empty() { &found } else { &narrowed })
        };
        self.out.targets.insert(id, target);
        ty.clone()
    }

    /// Methods of a name; of any arity where none is given.
    fn named(&self, ty: &Ty, name: &str, arity: Option<usize>) -> Vec<Candidate> {
        let owners: Vec<Ty> = match ty {
            Ty::Opaque(ids) => ids.iter().map(|id| Ty::project(*id)).collect(),
            _ => vec![ty.clone()],
        };
        let arities: Vec<usize> = arity.map_or_else(|| (0..12).collect(), |arity| vec![arity]);
        let mut found: Vec<Candidate> = Vec::new();
        for owner in &owners {
            for arity in &arities {
                for candidate in self.types.methods(owner, name, *arity) {
                    if candidate.member().is_none() || !found.iter().any(|known| known.member() == candidate.member()) {
                        found.push(candidate);
                    }
                }
            }
        }
        found
    }

    fn refer(
        &mut self,
        id: ExprId,
        ty: &Ty,
        name: &str,
        candidates: Vec<Candidate>,
        params: Option<&[Ty]>,
        arity: usize,
    ) -> Ty {
        if candidates.is_empty() {
            if let Some(generated) = [0, 1].iter().find_map(|arity| self.types.generated(ty, name, *arity)) {
                let field = generated.field.map(Target::Field);
                let builder = || Target::Library { ty: BUILDER.to_owned(), name: name.to_owned() };
                self.out.targets.insert(id, field.unwrap_or_else(builder));
                return generated.ret;
            }
            if let Some(owner) = ty.as_project()
                && let Some(result) = [0, 1].iter().find_map(|arity| self.enum_method(owner, name, *arity))
            {
                self.library_target(id, "java.lang.Enum", name);
                return result;
            }
            if let Some(result) = [0, 1].iter().find_map(|arity| object_method(name, *arity)) {
                self.library_target(id, "java.lang.Object", name);
                return result;
            }
            let base = self.types.library_bases(ty).into_iter().find(|base| !is_marker(base));
            return match base.or_else(|| Some(ty.clone()).filter(|ty| ty.library_name().is_some())) {
                Some(base) => {
                    let fqn = base.library_name().unwrap_or("?").to_owned();
                    self.library_target(id, &fqn, name);
                    self.given_by_library(&base, params.unwrap_or_default())
                }
                None if matches!(ty, Ty::Opaque(_) | Ty::Array(_) | Ty::Prim(_)) => {
                    self.library_target(id, "?", name);
                    ty.clone()
                }
                None => {
                    self.miss(id, name, arity);
                    Ty::Unknown
                }
            };
        }
        // Several arities can be meant: an unbound reference to an instance method takes its receiver first.
        let all: Vec<Candidate> = match params {
            Some(params) => {
                let whole: Vec<Arg> = params.iter().cloned().map(Arg::Typed).collect();
                let mut kept = Vec::new();
                for taken in [0, 1] {
                    let args = whole.get(taken..).unwrap_or_default();
                    let takes = |candidate: &&Candidate| {
                        let (params, varargs) = self.types.parameters(candidate);
                        super::lookup::takes(params.len(), varargs, args.len())
                    };
                    let fitting: Vec<Candidate> = candidates.iter().filter(takes).cloned().collect();
                    kept.extend(self.types.applicable(fitting, args));
                }
                if kept.is_empty() { candidates } else { kept }
            }
            None => candidates,
        };
        let results: Vec<Ty> = all
            .iter()
            .map(|candidate| {
                let owner = self.types.bindings(candidate.owner());
                let mut bindings = Bindings::new();
                let vars = self.open_vars(candidate, false);
                for (index, param) in params.unwrap_or_default().iter().enumerate() {
                    let (declared, _) = self.types.param_at(candidate, index, true);
                    self.types.unify(&declared.subst(&owner), param, &vars, &mut bindings);
                }
                let class_vars = self.class_vars(candidate);
                let ret = candidate.ret(self.types).close(&owner, &unshadowed(&class_vars, &vars));
                self.types.result(&ret, &bindings, &vars, &Ty::Unknown)
            })
            .collect();
        self.out.targets.insert(id, self.target(&all));
        self.either(&results)
    }
}

/// Class variables that no method variable hides.
fn unshadowed(class_vars: &[Arc<str>], vars: &[Arc<str>]) -> Vec<Arc<str>> {
    class_vars.iter().filter(|var| !vars.contains(var)).cloned().collect()
}

/// Library supertypes that bring no methods to call.
fn is_marker(base: &Ty) -> bool {
    base.library_name().is_some_and(|fqn| {
        matches!(
            fqn,
            "java.io.Serializable"
                | "java.lang.Cloneable"
                | "java.lang.Record"
                | "java.lang.Enum"
                | "java.lang.Comparable"
                | "java.lang.Object"
        )
    })
}

/// What the methods give that every object has.
pub fn object_method(name: &str, arity: usize) -> Option<Ty> {
    Some(match (name, arity) {
        ("toString", 0) => Ty::string(),
        ("equals", 1) => Ty::prim("boolean"),
        ("hashCode", 0) => Ty::prim("int"),
        ("getClass", 0) => Ty::library("java.lang.Class"),
        ("notify" | "notifyAll", 0) | ("wait", 0..=2) | ("finalize", 0) => Ty::prim("void"),
        ("clone", 0) => Ty::Unknown,
        _ => return None,
    })
}
