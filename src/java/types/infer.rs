//! Type inference for calls: binds the type variables of methods and selects among overloads.

use super::lookup::Candidate;
use super::typing::{Fit, Types};
use crate::ir::ids::{MemberId, TypeId};
use crate::ir::name::Name;
use crate::ir::ty::{Args, Bindings, Ty, lookup};

impl Types<'_> {
    /// Binds the type variables of `param` to the types at the same positions of `arg`. An existing binding is
    /// replaced only by a wider or better known type.
    pub fn unify(&self, param: &Ty, arg: &Ty, vars: &[Name], bindings: &mut Bindings) {
        self.unify_within(param, arg, vars, bindings, 0);
    }

    fn unify_within(&self, param: &Ty, arg: &Ty, vars: &[Name], bindings: &mut Bindings, depth: u32) {
        if depth > 12 || matches!(arg, Ty::Unknown | Ty::Null) {
            return;
        }
        match (param, arg) {
            (Ty::Var(name), _) if vars.contains(name) => {
                let arg = arg.boxed();
                match bindings.iter_mut().find(|(bound, _)| bound == name) {
                    Some((_, known)) => {
                        // Keeps the wider of two types; a fully known type replaces a partly unknown one.
                        if known.is_partial() && !arg.is_partial() || self.fit(known, &arg) == Fit::Strict {
                            *known = arg;
                        }
                    }
                    None => bindings.push((*name, arg)),
                }
            }
            (Ty::Array(param), Ty::Array(arg)) => self.unify_within(param, arg, vars, bindings, depth + 1),
            (Ty::Project { id, args: params }, _) if !params.is_empty() => {
                let base = self.super_where(arg, |base| base.as_project() == Some(*id));
                if let Some(Ty::Project { args, .. }) = base {
                    self.unify_all(params, &args, vars, bindings, depth);
                }
            }
            (Ty::Library { fqn, args: params }, _) if !params.is_empty() => {
                let base = self.super_where(arg, |base| base.library_name() == Some(fqn));
                if let Some(Ty::Library { args, .. }) = base {
                    self.unify_all(params, &args, vars, bindings, depth);
                }
            }
            _ => {}
        }
    }

    fn unify_all(&self, params: &[Ty], args: &[Ty], vars: &[Name], bindings: &mut Bindings, depth: u32) {
        if params.len() == args.len() {
            for (param, arg) in params.iter().zip(args) {
                self.unify_within(param, arg, vars, bindings, depth + 1);
            }
        }
    }

    /// The parameter type for the argument at `index`, and whether this argument is an array for a whole varargs
    /// parameter. `spread` says that the varargs are passed one by one.
    pub fn param_at<'s>(&'s self, candidate: &'s Candidate, index: usize, spread: bool) -> (&'s Ty, bool) {
        let (params, varargs) = self.parameters(candidate);
        let last = params.len().saturating_sub(1);
        let variable = varargs && index >= last;
        (params.get(if variable { last } else { index }).unwrap_or(&Ty::Unknown), variable && !spread)
    }

    /// Whether a call with these arguments may select a candidate.
    pub fn may_apply(&self, candidate: &Candidate, args: &[Arg]) -> bool {
        self.fit_call(candidate, args).0 > Fit::No
    }

    /// The candidates that a call may select.
    pub fn applicable(&self, candidates: Vec<Candidate>, args: &[Arg]) -> Vec<Candidate> {
        if candidates.len() < 2 {
            return candidates;
        }
        let mut fits: Vec<(Candidate, Fit, bool)> = Vec::new();
        for candidate in candidates {
            let (fit, spread) = self.fit_call(&candidate, args);
            if fit > Fit::No {
                fits.push((candidate, fit, spread));
            }
        }
        // JLS §15.12.2: first without boxing, then with boxing, then with variable arity; only if no fit is
        // uncertain.
        if fits.iter().all(|(_, fit, _)| *fit > Fit::Maybe) {
            let best = fits.iter().map(|(_, fit, spread)| (!spread, *fit)).max();
            fits.retain(|(_, fit, spread)| Some((!spread, *fit)) == best);
        }
        let found: Vec<Candidate> = fits.iter().map(|(candidate, ..)| candidate.clone()).collect();
        if let Some(exact) = self.exact(&found, args) {
            return vec![exact];
        }
        if fits.iter().any(|(_, fit, _)| *fit == Fit::Maybe) || found.len() < 2 {
            return found;
        }
        let specific: Vec<Candidate> = found
            .iter()
            .filter(|one| found.iter().all(|other| self.is_as_specific(one, other, args)))
            .cloned()
            .collect();
        match specific.len() {
            0 => found,
            // Among methods with the same parameters, the most derived comes first.
            _ => specific.into_iter().take(1).collect(),
        }
    }

    /// The candidate whose parameter types equal the argument types at every position where the candidates differ. No
    /// other candidate can be more specific then (JLS §15.12.2.5), even if supertypes of these types are unknown.
    fn exact(&self, found: &[Candidate], args: &[Arg]) -> Option<Candidate> {
        let params = |candidate: &Candidate| -> Option<Vec<Ty>> {
            let (params, _) = self.parameters(candidate);
            let bindings = self.bindings(candidate.owner());
            (params.len() == args.len()).then(|| params.iter().map(|param| param.subst(&bindings)).collect())
        };
        let all: Option<Vec<Vec<Ty>>> = found.iter().map(params).collect();
        let all = all?;
        let is_exact = |own: &Vec<Ty>| {
            own.iter().zip(args).enumerate().all(|(at, (param, arg))| {
                let is_told = matches!(arg, Arg::Typed(ty) if ty.is_same_erased(param));
                is_told || all.iter().all(|other| other[at] == *param)
            })
        };
        all.iter().position(is_exact).map(|at| found[at].clone())
    }

    fn fit_call(&self, candidate: &Candidate, args: &[Arg]) -> (Fit, bool) {
        let (params, varargs) = self.parameters(candidate);
        if !varargs {
            return (self.fit_args(candidate, args, false), false);
        }
        if args.len() == params.len() {
            let whole = self.fit_args(candidate, args, false);
            if whole > Fit::No {
                return (whole, false);
            }
        }
        (self.fit_args(candidate, args, true), true)
    }

    fn fit_args(&self, candidate: &Candidate, args: &[Arg], spread: bool) -> Fit {
        let bindings = self.bindings(candidate.owner());
        let mut worst = Fit::Strict;
        for (index, arg) in args.iter().enumerate() {
            let (param, array) = self.param_at(candidate, index, spread);
            let mut param = param.subst(&bindings);
            if array {
                param = Ty::array(param);
            }
            worst = worst.min(self.fit_arg(arg, &param));
        }
        worst
    }

    fn fit_arg(&self, arg: &Arg, param: &Ty) -> Fit {
        let shape = match arg {
            Arg::Typed(ty) => return self.fit(ty, param),
            Arg::Lambda(count) => Some(*count),
            Arg::MethodRef => None,
        };
        match (self.functional(param), param) {
            (Some((params, _)), _) => match shape {
                Some(count) if params.len() != count => Fit::No,
                _ => Fit::Strict,
            },
            (None, Ty::Prim(_) | Ty::Array(_) | Ty::Project { .. }) => Fit::No,
            (None, Ty::Library { fqn, .. }) if super::signatures::library_type(fqn).is_some() => Fit::No,
            _ => Fit::Maybe,
        }
    }

    fn is_as_specific(&self, one: &Candidate, other: &Candidate, args: &[Arg]) -> bool {
        args.iter().enumerate().all(|(index, arg)| {
            let spread = args.len() != self.parameters(one).0.len();
            let (own, _) = self.param_at(one, index, spread);
            let (their, _) = self.param_at(other, index, spread);
            let (own, their) = (own.subst(&self.bindings(one.owner())), their.subst(&self.bindings(other.owner())));
            let project = one.member().is_some() && other.member().is_some();
            own == their || self.fit(&own, &their) == Fit::Strict || !project && !matches!(arg, Arg::Typed(_))
        })
    }

    /// Fills in missing type arguments of a project type from the bounds: those of a raw type (JLS §4.6), of a
    /// wildcard (§5.1.10), or of a variable that was not inferred. So `B<?>` of `B<T extends B<T>>` becomes
    /// `B<B<?>>`. If the bound is not a project type, the argument stays unknown.
    pub fn captured(&self, ty: &Ty) -> Ty {
        let Ty::Project { id, args } = ty else { return ty.clone() };
        let params = &self.members_of(*id).params;
        if args.len() >= params.len() && !args.iter().any(Ty::is_unknown) {
            return ty.clone();
        }
        let told = |at: usize| args.get(at).filter(|arg| !arg.is_unknown());
        let known: Bindings =
            params.iter().enumerate().filter_map(|(at, param)| Some((*param, told(at)?.clone()))).collect();
        let arg = |(at, param): (usize, &Name)| match told(at) {
            Some(arg) => arg.clone(),
            None => self.project_bound(*id, None, param).map_or(Ty::Unknown, |bound| bound.close(&known, params)),
        };
        let args: Args = params.iter().enumerate().map(arg).collect();
        if args.iter().all(Ty::is_unknown) { ty.clone() } else { Ty::Project { id: *id, args } }
    }

    /// The first bound of a type variable that is a project type.
    pub fn project_bound(&self, scope: TypeId, member: Option<MemberId>, var: &str) -> Option<Ty> {
        self.bounds(scope, member, var).into_iter().find(|bound| bound.as_project().is_some())
    }

    /// The result type of a call: bound variables are replaced by their types, unbound ones of `vars` by `otherwise`.
    pub fn result(&self, declared: &Ty, bindings: &Bindings, vars: &[Name], otherwise: &Ty) -> Ty {
        if !declared.has_variable() {
            return declared.clone();
        }
        let mut all = bindings.clone();
        for var in vars {
            if lookup(&all, var).is_none() {
                all.push((*var, otherwise.clone()));
            }
        }
        declared.subst(&all)
    }
}

/// The form of an argument during overload resolution.
#[derive(Debug, Clone)]
pub enum Arg {
    /// An expression of this type.
    Typed(Ty),
    /// A lambda with this many parameters.
    Lambda(usize),
    /// A method reference.
    MethodRef,
}
