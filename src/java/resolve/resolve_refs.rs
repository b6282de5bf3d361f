//! Resolves lambdas and method references: their parameter types come from the interface, their results bind its type
//! variables.

use super::resolve_body::BodyResolver;
use super::resolve_calls::{ANY_ARITY, is_marker, object_method};
use super::resolve_expr::Meaning;
use super::resolve_infer::unshadowed;
use crate::ir::body::{ExprId, ExprKind};
use crate::ir::calls::Target;
use crate::ir::name::Name;
use crate::ir::ty::{Bindings, Ty};
use crate::types::infer::Arg;
use crate::types::lookup::{BUILDER, Candidate};

impl BodyResolver<'_, '_> {
    /// Resolves a lambda or method reference passed as an argument: its parameter types come from `param`, and its
    /// result binds type variables.
    pub(super) fn function_arg(
        &mut self,
        arg: ExprId,
        param: &Ty,
        (vars, bounds): (&[Name], &Bindings),
        bindings: &mut Bindings,
        lent: &Ty,
    ) {
        let types = self.types;
        let Some((params, ret)) = types.functional(param) else {
            let lent = match param {
                // The lambda implements an interface of an unknown library.
                Ty::Library { .. } if lent.is_unknown() => self.given_by_library(param, &[]),
                Ty::Opaque(_) => param.clone(),
                _ => lent.clone(),
            };
            self.args_of_library(&[arg], &lent);
            return;
        };
        let given: Vec<Ty> = params
            .iter()
            .map(|param| types.result(&param.subst(bindings).subst(bounds), bindings, vars, lent))
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

    /// Resolves a lambda or method reference where a value of type `expected` is required.
    pub(crate) fn function(&mut self, id: ExprId, expected: &Ty) {
        let mut bindings = Bindings::new();
        self.function_arg(id, expected, (&[], &Bindings::new()), &mut bindings, &Ty::Unknown);
    }

    /// Resolves `target::name`; returns its result type.
    pub(crate) fn reference(&mut self, id: ExprId, params: Option<&[Ty]>) -> Ty {
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

    pub(super) fn constructor_reference(&mut self, id: ExprId, ty: &Ty, params: Option<&[Ty]>) -> Ty {
        let arities: Vec<usize> = params.map_or_else(|| (0..12).collect(), |params| vec![params.len()]);
        let found: Vec<Candidate> = arities.into_iter().flat_map(|arity| self.types.constructors(ty, arity)).collect();
        let target = if found.is_empty() {
            match ty {
                Ty::Project { id, .. } => Target::Type(crate::ir::named::Named::Project(*id)),
                _ => {
                    let ty = ty.library_name().unwrap_or("?").into();
                    Target::Library { ty, name: "<init>".into() }
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

    /// The methods with this name; of any arity if none is given.
    pub(crate) fn named(&self, ty: &Ty, name: &str, arity: Option<usize>) -> Vec<Candidate> {
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

    pub(crate) fn refer(
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
                let builder = || Target::Library { ty: BUILDER.into(), name: name.into() };
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
        // The arity is ambiguous: an unbound reference to an instance method takes its receiver as the first
        // argument.
        let all: Vec<Candidate> = match params {
            Some(params) => {
                let whole: Vec<Arg> = params.iter().cloned().map(Arg::Typed).collect();
                let mut kept = Vec::new();
                for taken in [0, 1] {
                    let args = whole.get(taken..).unwrap_or_default();
                    let takes = |candidate: &&Candidate| {
                        let (params, varargs) = self.types.parameters(candidate);
                        crate::types::lookup::takes(params.len(), varargs, args.len())
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
