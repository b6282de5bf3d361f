//! Runs lambdas and method references when code calls them.

use std::rc::Rc;

use super::exec::Flow;
use crate::interpret::engine::calls::library_name;
use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::linking::code::{CallLink, Link, NO_SLOT, On, ReferenceLink};
use crate::interpret::linking::link::is_static;
use crate::interpret::values::scalar::{ClassRef, Scalar};
use crate::interpret::values::value::{Lambda, LambdaCode, Type, Value};
use crate::ir::body::{ExprKind, LambdaBody};
use crate::ir::facts::TypeKind;
use crate::ir::ids::MemberId;
use crate::models::registry;

/// Default methods of the library's functional interfaces.
const DEFAULTS: &[&str] = &[
    "andThen",
    "compose",
    "negate",
    "and",
    "or",
    "thenComparing",
    "thenComparingInt",
    "thenComparingLong",
    "thenComparingDouble",
    "reversed",
    "equals",
    "hashCode",
    "toString",
    "getClass",
];

impl Machine<'_> {
    /// A call on a lambda: of its functional method, or of a default method of its interface.
    pub fn call_functional(&mut self, lambda: &Rc<Lambda>, name: &str, args: Vec<Value>, link: &CallLink) -> Eval {
        if let [method] = link.methods.as_slice()
            && self.project.ty(method.ty).kind == TypeKind::Interface
            && self.project.member(*method).body.is_some()
        {
            return self.invoke_with(*method, Some(Value::Lambda(lambda.clone())), args, link.spread);
        }
        if DEFAULTS.contains(&name) && link.methods.is_empty() {
            let fqn = link.library.as_deref().unwrap_or("a functional interface").to_owned();
            return self.call_library(&fqn, name, Some(Value::Lambda(lambda.clone())), args);
        }
        let result = self.apply(lambda, args)?;
        Ok(match (&link.result, link.methods.is_empty()) {
            (Type::Void, _) => Value::NULL,
            (ty @ Type::Prim(_), _) => self.convert(result, ty),
            _ => result,
        })
    }

    /// Runs a lambda or method reference.
    pub fn apply(&mut self, lambda: &Rc<Lambda>, args: Vec<Value>) -> Eval {
        match &lambda.code {
            LambdaCode::Lambda { at } => {
                let Some(code) = lambda.around.code.clone() else { return self.unresolved("a lambda", &args) };
                let (ExprKind::Lambda { params, body }, Link::Lambda(first, types, result)) =
                    (&code.body.expr(*at).kind, code.link(*at))
                else {
                    return self.unresolved("a lambda", &args);
                };
                if params.len() != args.len() || (*first == NO_SLOT && !params.is_empty()) {
                    return self.unresolved("a lambda", &args);
                }
                let mut slots = lambda.around.slots.clone();
                for (index, arg) in args.into_iter().enumerate() {
                    let arg = match types.get(index) {
                        Some(ty) => self.assigned(arg, ty)?,
                        None => arg,
                    };
                    if let Some(place) = slots.get_mut(*first as usize + index) {
                        *place = arg;
                    }
                }
                let (body, result) = (*body, result.clone());
                let value = self.framed(code.clone(), lambda.around.this.clone(), slots, |machine| match body {
                    LambdaBody::Expr(expr) => machine.eval(&code, expr),
                    LambdaBody::Block(stmt) => Ok(match machine.run(&code, stmt)? {
                        Flow::Return(value) => value,
                        _ => Value::NULL,
                    }),
                })?;
                self.returned(value, &result)
            }
            LambdaCode::Method { receiver: Some(receiver), link, name } => {
                let call = call_link(link);
                let value = self.call_on(receiver.clone(), name, args, &call)?;
                self.returned(value, &link.result)
            }
            LambdaCode::Method { receiver: None, link, name } => match &link.class {
                Some(class) => {
                    let value = self.refer(&class.clone(), link, name, args)?;
                    self.returned(value, &link.result)
                }
                None => self.unresolved("a method reference", &args),
            },
        }
    }

    /// Converts a lambda's result to the result type of its interface.
    fn returned(&mut self, value: Value, result: &Type) -> Eval {
        match result {
            Type::Void => Ok(Value::NULL),
            Type::Prim(_) => self.assigned(value, result),
            _ => Ok(value),
        }
    }

    fn refer(&mut self, class: &Type, link: &Rc<ReferenceLink>, name: &str, mut args: Vec<Value>) -> Eval {
        if name == "new" {
            if let (Type::Array(element), [length]) = (class, args.as_slice()) {
                let Some(length) = length.scalar().and_then(Scalar::as_int).filter(|n| (0..100_000).contains(n)) else {
                    return self.unknown_call("an array's length is not known", &[], class.clone());
                };
                let zero = match &**element {
                    Type::Prim(prim) => Value::Scalar(prim.zero()),
                    _ => Value::NULL,
                };
                let items = vec![zero; usize::try_from(length).unwrap_or_default()];
                return Ok(self.array(items, (**element).clone()));
            }
            return self.construct_by(class, &link.methods, args, None);
        }
        let call = call_link(link);
        if let Type::Class(ClassRef::Project(ty), _) = class {
            let fits = |method: &MemberId, arity: usize| {
                let signature = self.codes.resolver.types.signature(*method);
                crate::types::lookup::takes(signature.params.len(), signature.varargs, arity)
            };
            let of_class = |method: &MemberId| is_static(self.project, *method) && fits(method, args.len());
            let on_first = |method: &MemberId| {
                !is_static(self.project, *method) && !args.is_empty() && fits(method, args.len() - 1)
            };
            let statics: Vec<MemberId> = link.methods.iter().copied().filter(of_class).collect();
            let instance = link.methods.iter().any(on_first);
            if !statics.is_empty() && !instance {
                return match self.eliminate(&statics, &args).as_slice() {
                    [method] => self.invoke_with(*method, None, args, None),
                    _ => self.unresolved("a method reference", &args),
                };
            }
            if !statics.is_empty() {
                return self.unresolved("a method reference", &args);
            }
            if link.methods.is_empty()
                && self.project.ty(*ty).kind == TypeKind::Enum
                && matches!((name, args.len()), ("valueOf", 1) | ("values", 0))
            {
                return self.call_static(class, name, args, &call);
            }
            if args.is_empty() {
                return self.unresolved("a method reference", &args);
            }
            let receiver = args.remove(0);
            return self.call_on(receiver, name, args, &call);
        }
        let fqn = library_name(class);
        if args.is_empty() || registry::is_static(&fqn, name, args.len()) {
            return self.call_library(&fqn, name, None, args);
        }
        let receiver = args.remove(0);
        self.call_method(receiver, name, args)
    }
}

fn call_link(link: &ReferenceLink) -> CallLink {
    CallLink { on: On::Nothing, methods: link.methods.clone(), library: None, result: Type::Unknown, spread: None }
}
