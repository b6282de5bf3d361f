//! Enumerates the contents of an opaque `Optional`, collection or array: none, one or two elements, each on a path of
//! its own.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::canon::key_of;
use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::functions::optional;
use crate::interpret::linking::code::Link;
use crate::interpret::paths::condition::Cond;
use crate::interpret::paths::path::Taken;
use crate::interpret::values::function::Function;
use crate::interpret::values::scalar::{ClassRef, Prim, Scalar};
use crate::interpret::values::term::{Opaque, Origin, Sort, Term};
use crate::interpret::values::value::{Type, Value};
use crate::ir::body::{BinaryOp, Expr, ExprId, ExprKind, Lit};

/// Name of the part that is a collection's number of elements.
pub const SIZE: &str = "size";

/// Collection types that are enumerated.
const COLLECTIONS: &[&str] = &[
    "java.util.List",
    "java.util.Collection",
    "java.util.Set",
    "java.util.SortedSet",
    "java.lang.Iterable",
    "java.util.ArrayList",
    "java.util.LinkedList",
    "java.util.HashSet",
    "java.util.LinkedHashSet",
    "java.util.Queue",
    "java.util.Deque",
];

/// Sizes above two that are tried if the code mentions the number, and the maximum number of such sizes.
const COUNTS: std::ops::RangeInclusive<i32> = 3..=8;
const MOST_COUNTS: usize = 2;

/// The kind of container that an opaque value is.
enum Holds {
    /// One value or none.
    Optional,
    /// A collection.
    Collection,
    /// An array.
    Array,
}

impl Machine<'_> {
    fn holding(&self, ty: &Type) -> Option<(Holds, Type)> {
        match ty {
            Type::Array(element) => Some((Holds::Array, (**element).clone())),
            Type::Class(_, args) => {
                let element = args.first().cloned().unwrap_or(Type::Unknown);
                match ty.library()? {
                    "java.util.Optional" => Some((Holds::Optional, element)),
                    fqn if COLLECTIONS.contains(&fqn) => Some((Holds::Collection, element)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Whether a value is an opaque container that can be enumerated.
    pub(in crate::interpret) fn is_enumerable(&self, value: &Value) -> bool {
        self.is_opaque()
            && matches!(value, Value::Symbol(symbol) if self.holding(&symbol.ty).is_some() && is_leaf(&symbol.term))
    }

    /// Enumerates a value that code iterates over as a collection of this element type, whatever its static type.
    pub fn enumerated_by(&mut self, value: &Value, element: &Type) -> Eval {
        let Value::Symbol(symbol) = value else { return Ok(value.clone()) };
        if !self.is_opaque() || self.holding(&symbol.ty).is_some() {
            return self.enumerated(value);
        }
        let ty = Type::Class(ClassRef::library("java.lang.Iterable"), vec![element.clone()]);
        let symbol = crate::interpret::values::value::Symbol { ty, ..(**symbol).clone() };
        self.enumerated(&Value::Symbol(Rc::new(symbol)))
    }

    /// The enumerated object of an opaque `Optional`, collection or array, with opaque elements; any other value
    /// unchanged.
    pub fn enumerated(&mut self, value: &Value) -> Eval {
        let Value::Symbol(symbol) = value else { return Ok(value.clone()) };
        if !self.is_opaque() || !is_leaf(&symbol.term) {
            return Ok(value.clone());
        }
        let Some((holds, element)) = self.holding(&symbol.ty) else { return Ok(value.clone()) };
        if let Some(term) = self.null_where_asked(value)
            && self.known().decides(&Cond::IsNull(term)) == Some(true)
        {
            return Ok(Value::NULL);
        }
        let term = symbol.term.clone();
        let key = match key_of(&term) {
            0 => Opaque::new(Origin::Given, &format!("{term:?}"), Vec::new(), Sort::Object, "").key,
            key => key,
        };
        if let Some(made) = self.opaque.lazy.get(&key) {
            return Ok(made.clone());
        }
        let site = self.calling.or_else(|| self.here());
        let made = match holds {
            Holds::Optional => {
                let present = self.presence(&term, &element);
                let held = if self.decide(Cond::Test(Rc::new(Term::Opaque(Rc::new(present)))), site)? {
                    let leaf = self.part(&term, "held", &element, &term.to_string());
                    let leaf = self.named_by_type(leaf, &element);
                    let Value::Symbol(symbol) = self.of_opaque(leaf, &element) else { return Ok(value.clone()) };
                    Value::Symbol(Rc::new(crate::interpret::values::value::Symbol {
                        nullable: false,
                        ..(*symbol).clone()
                    }))
                } else {
                    Value::NULL
                };
                optional::of(self, "java.util.Optional", held)
            }
            Holds::Collection | Holds::Array => {
                let size = Rc::new(match &*term {
                    Term::Opaque(_) => {
                        let words = format!("number of {term}");
                        Term::Opaque(Rc::new(self.part(&term, SIZE, &Type::Prim(Prim::Int), &words)))
                    }
                    _ => Term::Apply(Function::Size, vec![term.clone()]),
                });
                let is =
                    |n: i32| Cond::Compare(BinaryOp::Eq, Prim::Int, size.clone(), Rc::new(Term::Const(Scalar::Int(n))));
                let count = if self.decide(is(0), site)? {
                    0
                } else if self.decide(is(1), site)? {
                    1
                } else {
                    // Larger sizes are tried if the method mentions the number.
                    let mut count = 2;
                    for more in self.numbers_named() {
                        if self.decide(is(more), site)? {
                            count = more as usize;
                            break;
                        }
                    }
                    if count == 2 {
                        self.assume(Taken { cond: is(2), site });
                    }
                    count
                };
                let mut items = Vec::new();
                for at in 0..count {
                    items.push(self.element_of(&term, at, &element));
                }
                let made = match holds {
                    Holds::Array => self.array(items.clone(), element),
                    _ => self.list(items.clone(), "java.util.ArrayList"),
                };
                if let Value::Ref(id) = &made {
                    self.opaque.elements.insert(*id, items);
                    if symbol.ty.library().is_some_and(|fqn| fqn.ends_with("Set")) {
                        self.opaque.sets.insert(*id);
                    }
                }
                made
            }
        };
        if let Value::Ref(id) = &made {
            self.opaque.made_for.insert(*id, self.canon_term(&term));
        }
        self.opaque.lazy.insert(key, made.clone());
        Ok(made)
    }

    /// Small numbers in the running method, with which it may compare a size; and the sizes that have the elements which
    /// it accesses by an index.
    fn numbers_named(&self) -> Vec<i32> {
        let Some(frame) = self.frames.last() else { return Vec::new() };
        let code = &frame.code;
        let named = |(at, expr): (usize, &Expr)| match &expr.kind {
            ExprKind::Lit(Lit::Int(value)) => Some(*value),
            _ => match code.link(ExprId(at as u32)) {
                Link::Const(Scalar::Int(value), _) => Some(*value),
                _ => None,
            },
        };
        let held = |(_, expr): (usize, &Expr)| match &expr.kind {
            ExprKind::Index { index, .. } => Some(*index),
            ExprKind::Call { name, args, target: Some(_), .. } if &**name == "get" && args.len() == 1 => Some(args[0]),
            _ => None,
        };
        let exprs = || code.body.exprs.iter().enumerate();
        let index = |id: ExprId| named((id.0 as usize, code.body.expr(id))).and_then(|at| at.checked_add(1));
        let all: BTreeSet<i32> = exprs().filter_map(named).chain(exprs().filter_map(held).filter_map(index)).collect();
        all.into_iter().filter(|value| COUNTS.contains(value)).take(MOST_COUNTS).collect()
    }

    fn element_of(&mut self, term: &Rc<Term>, at: usize, ty: &Type) -> Value {
        match &**term {
            Term::Input(input) => self.input(input.element(at), ty, false),
            _ => {
                let leaf = self.part(term, &format!("[{at}]"), ty, &format!("{term}[{at}]"));
                let Value::Symbol(symbol) = self.of_opaque(leaf, ty) else { return Value::NULL };
                Value::Symbol(Rc::new(crate::interpret::values::value::Symbol { nullable: false, ..(*symbol).clone() }))
            }
        }
    }
}

fn is_leaf(term: &Term) -> bool {
    matches!(term, Term::Opaque(_) | Term::Input(_))
}
