//! Runs the fallback of a method that has thrown, if the method was called through its proxy.

use super::machine::{Eval, Machine, Stop};
use crate::interpret::classes::hierarchy;
use crate::interpret::paths::path::Thrown;
use crate::interpret::values::scalar::ClassRef;
use crate::interpret::values::types::known_type;
use crate::interpret::values::value::{Type, Value};
use crate::ir::ids::MemberId;

impl Machine<'_> {
    /// Runs a method by `run`, and one of its fallbacks if it throws. `handed` are its object and arguments, if it has
    /// fallbacks. A call on the same object goes past the proxy.
    pub(super) fn or_fallback(
        &mut self,
        fallbacks: &[MemberId],
        handed: Option<(Option<Value>, Vec<Value>)>,
        run: impl FnOnce(&mut Self) -> Eval,
    ) -> Eval {
        let Some((this, args)) = handed else { return run(self) };
        let caller = self.frames.last().and_then(|frame| frame.this.clone());
        if matches!((&caller, &this), (Some(Value::Ref(own)), Some(Value::Ref(other))) if own == other) {
            return run(self);
        }
        let (frames, catching) = (self.frames.len(), self.catching);
        self.catching += 1;
        let result = run(self);
        self.frames.truncate(frames);
        self.catching = catching;
        let Err(Stop::Throw(thrown)) = result else { return result };
        match self.fitting(fallbacks, args.len(), &thrown) {
            Some((fallback, taken)) => {
                let mut handed = args;
                handed.extend(taken.map(|ty| self.caught(&thrown, ty)));
                self.invoke(fallback, this, handed)
            }
            None => Err(Stop::Throw(thrown)),
        }
    }

    /// The fallback for an exception, with the type as which it takes the exception: the one with the most specific type
    /// (Resilience4j), else one without the exception.
    fn fitting(&self, fallbacks: &[MemberId], arity: usize, thrown: &Thrown) -> Option<(MemberId, Option<Type>)> {
        let mut found: Option<(MemberId, Type, ClassRef)> = None;
        for fallback in fallbacks {
            let params = &self.codes.resolver.types.signature(*fallback).params;
            let Some(last) = params.get(arity).filter(|_| params.len() == arity.saturating_add(1)) else { continue };
            let Type::Class(wanted, args) = known_type(last) else { continue };
            let takes_all = matches!(&wanted, ClassRef::Library(fqn) if matches!(&**fqn, "java.lang.Exception" | "java.lang.Throwable"));
            let takes = match &thrown.class {
                _ if takes_all => true,
                Some(class) => hierarchy::is_below(self.project, class, &wanted) == Some(true),
                None => false,
            };
            let is_closer = |known: &ClassRef| hierarchy::is_below(self.project, &wanted, known) == Some(true);
            if takes && found.as_ref().is_none_or(|(_, _, known)| is_closer(known)) {
                found = Some((*fallback, Type::Class(wanted.clone(), args), wanted));
            }
        }
        let without = || {
            let is_plain = |one: &&MemberId| self.project.member(**one).params.len() == arity;
            fallbacks.iter().find(is_plain).map(|one| (*one, None))
        };
        found.map(|(fallback, ty, _)| (fallback, Some(ty))).or_else(without)
    }
}
