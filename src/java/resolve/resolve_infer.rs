//! Resolves arguments: selects the candidate, binds type variables, and computes the result type of the call.

use super::resolve_body::BodyResolver;
use super::resolve_calls::is_marker;
use crate::ir::body::{ExprId, ExprKind};
use crate::ir::calls::Target;
use crate::ir::name::Name;
use crate::ir::ty::{Bindings, Ty, lookup};
use crate::types::infer::Arg;
use crate::types::lookup::Candidate;
use crate::types::typing::same_class;

impl BodyResolver<'_, '_> {
    /// Selects among candidates, types the arguments, and returns the result type.
    pub(crate) fn invoke(
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

    /// `new T(args)`, `this(args)`, `super(args)`: the constructor called and the type created.
    pub(crate) fn construct(&mut self, ty: &Ty, args: &[ExprId], diamond: bool, expected: &Ty) -> (Target, Ty) {
        let made = if diamond { self.diamond(ty, expected) } else { ty.clone() };
        let candidates = self.types.constructors(&made, args.len());
        if candidates.is_empty() {
            self.type_args_of(args);
            let target = match ty {
                Ty::Project { id, .. } => Target::Type(crate::ir::named::Named::Project(*id)),
                Ty::Library { fqn, .. } => Target::Library { ty: *fqn, name: "<init>".into() },
                _ => Target::Type(crate::ir::named::Named::Unknown(String::new())),
            };
            return (target, made);
        }
        let open = diamond && made == *ty;
        let (chosen, typed) = self.choose(candidates, args);
        let result = self.infer(&chosen, args, typed, &[], open, expected);
        (self.target(&chosen), if open { result } else { made })
    }

    /// The type that `new T<>` creates where a value of type `expected` is required, if that determines it.
    pub(crate) fn diamond(&self, ty: &Ty, expected: &Ty) -> Ty {
        let (params, this) = match ty {
            Ty::Project { id, .. } => (self.types.members_of(*id).params.clone(), self.types.this_type(*id)),
            Ty::Library { fqn, .. } => match crate::types::signatures::library_type(fqn) {
                Some(known) => {
                    let args = known.params.iter().cloned().map(Ty::Var).collect();
                    (known.params.clone(), Ty::Library { fqn: *fqn, args })
                }
                None => return ty.clone(),
            },
            _ => return ty.clone(),
        };
        let mut bindings = Bindings::new();
        for base in self.types.supers_where(&this, |base| same_class(base, expected)) {
            self.types.unify(&base, expected, &params, &mut bindings);
        }
        if bindings.len() == params.len() && bindings.iter().all(|(_, ty)| !ty.is_unknown()) {
            return this.subst(&bindings);
        }
        ty.clone()
    }

    pub(crate) fn target(&self, chosen: &[Candidate]) -> Target {
        let members: Vec<_> = chosen.iter().filter_map(Candidate::member).collect();
        if !members.is_empty() {
            return Target::Methods(members);
        }
        let first = chosen.first();
        let ty = first.and_then(|candidate| candidate.owner().library_name()).unwrap_or("?").into();
        let name = match first {
            Some(Candidate::Library { method, .. }) => method.name,
            _ => "".into(),
        };
        Target::Library { ty, name }
    }

    /// The project's methods that a call on this type may select, if a library's class above it may have further ones of the
    /// same name: without those that do not take the arguments (Panache's `find(String, Object...)` beside a `find(String,
    /// Sort)` of the entity). Only arguments without calls are typed for this.
    pub(crate) fn taking(&mut self, ty: &Ty, candidates: Vec<Candidate>, args: &[ExprId]) -> Vec<Candidate> {
        let has_base = || self.types.library_bases(ty).iter().any(|base| !is_marker(base));
        let is_own = candidates.iter().all(|candidate| candidate.member().is_some());
        if candidates.is_empty() || !is_own || !has_base() || !args.iter().all(|arg| self.is_simple(*arg)) {
            return candidates;
        }
        let typed: Vec<Arg> = args.iter().map(|arg| Arg::Typed(self.expr(*arg, &Ty::Unknown))).collect();
        candidates.into_iter().filter(|candidate| self.types.may_apply(candidate, &typed)).collect()
    }

    /// Whether an expression is made of names, literals and operators alone.
    fn is_simple(&self, expr: ExprId) -> bool {
        match &self.body.expr(expr).kind {
            ExprKind::Lit(_) | ExprKind::Name(_) | ExprKind::This(_) => true,
            ExprKind::Field { target, .. } => self.is_simple(*target),
            ExprKind::Binary { left, right, .. } => self.is_simple(*left) && self.is_simple(*right),
            _ => false,
        }
    }

    /// The candidates that a call may select, and whether the arguments have been typed to decide this.
    pub(crate) fn choose(&mut self, candidates: Vec<Candidate>, args: &[ExprId]) -> (Vec<Candidate>, bool) {
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

    /// Types the arguments by the parameters of the first candidate, and combines the result types of all candidates.
    pub(crate) fn infer(
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
            for (var, bound) in self.bounds_of(other, &vars, &bindings) {
                bindings.retain(|(known, _)| *known != var);
                bindings.push((var, bound));
            }
            results.push(types.result(&other.ret(types).subst(&owner), &bindings, &vars, &Ty::Unknown));
        }
        self.either(&results)
    }

    /// The type variables that a call leaves to inference.
    pub(super) fn open_vars(&self, candidate: &Candidate, open: bool) -> Vec<Name> {
        let mut vars = candidate.vars(self.types).to_vec();
        if open {
            vars.extend(self.class_vars(candidate));
        }
        vars
    }

    pub(super) fn class_vars(&self, candidate: &Candidate) -> Vec<Name> {
        match candidate.owner() {
            Ty::Project { id, .. } => self.types.members_of(*id).params.clone(),
            Ty::Library { fqn, .. } => {
                crate::types::signatures::library_type(fqn).map(|known| known.params.clone()).unwrap_or_default()
            }
            _ => Vec::new(),
        }
    }

    pub(super) fn infer_one(
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
        let hidden = unshadowed(&class_vars, &vars);
        let closed = |ty: &Ty| if open { ty.clone() } else { ty.close(&owner, &hidden) };
        let mut bindings: Bindings = candidate.vars(types).iter().cloned().zip(explicit.iter().cloned()).collect();
        let ret = if open {
            match candidate.owner() {
                Ty::Library { fqn, .. } => {
                    Ty::Library { fqn: *fqn, args: class_vars.iter().cloned().map(Ty::Var).collect() }
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
                if array { Ty::array(param) } else { param }
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
        // A library can pass to a lambda, or return for an unbound variable, only objects that it received or that are
        // expected of it.
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
                let bounds = self.bounds_of(candidate, &vars, &bindings);
                self.function_arg(*arg, param, (&vars, &bounds), &mut bindings, &lent);
            }
        }
        if !ret.has_variable() {
            return ret;
        }
        let otherwise = lent(self, args);
        for (var, bound) in self.bounds_of(candidate, &vars, &bindings) {
            bindings.retain(|(known, _)| *known != var);
            bindings.push((var, bound));
        }
        types.result(&ret, &bindings, &vars, &otherwise)
    }

    /// Binds type variables of `ret` where a supertype of it is expected: `ArrayList<T>` for `List<Foo>`.
    pub(super) fn unify_up(&self, ret: &Ty, expected: &Ty, vars: &[Name], hints: &mut Bindings) {
        let own = usize::from(same_class(ret, expected));
        for base in self.types.supers_where(ret, |base| same_class(base, expected)).into_iter().skip(own) {
            self.types.unify(&base, expected, vars, hints);
        }
    }

    /// Binds type variables without inferred types to their bounds (JLS §18.1.3), if these are project types.
    pub(super) fn bounds_of(&self, candidate: &Candidate, vars: &[Name], bindings: &Bindings) -> Bindings {
        let Some(member) = candidate.member() else { return Bindings::new() };
        let owner = self.types.bindings(candidate.owner());
        let hidden = unshadowed(&self.class_vars(candidate), vars);
        let known: Bindings = bindings.iter().filter(|(_, ty)| !ty.is_unknown()).cloned().collect();
        let open = vars.iter().filter(|var| lookup(&known, var).is_none());
        let bound = |var: &Name| {
            let bound = self.types.project_bound(member.ty, Some(member), var)?;
            Some((*var, bound.close(&known, vars).close(&owner, &hidden)))
        };
        open.filter_map(bound).collect()
    }

    pub(super) fn retry(&mut self) -> bool {
        if self.retries == 0 {
            return false;
        }
        self.retries -= 1;
        true
    }

    pub(super) fn is_function(&self, arg: ExprId) -> bool {
        matches!(self.body.expr(arg).kind, ExprKind::Lambda { .. } | ExprKind::MethodRef { .. })
    }

    /// Whether the last argument is an array that is passed for the whole varargs parameter.
    pub(super) fn is_array_arg(&mut self, arg: Option<&ExprId>) -> bool {
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
}

/// Class type variables that no method type variable shadows.
pub(super) fn unshadowed(class_vars: &[Name], vars: &[Name]) -> Vec<Name> {
    class_vars.iter().filter(|var| !vars.contains(var)).cloned().collect()
}
