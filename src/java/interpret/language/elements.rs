//! The elements that a loop iterates over.

use std::rc::Rc;

use crate::interpret::engine::machine::{Eval, Machine, Stop};
use crate::interpret::library::base::contents::is_loose;
use crate::interpret::paths::condition::Cond;
use crate::interpret::paths::path::{Bound, Site};
use crate::interpret::values::function::Function;
use crate::interpret::values::scalar::{Prim, Scalar};
use crate::interpret::values::term::Term;
use crate::interpret::values::value::{Kind, Type, Value};
use crate::ir::body::BinaryOp;

impl Machine<'_> {
    /// The elements of a collection. For a list of the request body: none or one, and longer lists are cut. For an
    /// unknown collection: none, and other paths are cut.
    pub fn elements(&mut self, value: &Value, site: Option<Site>) -> Eval<Vec<Value>> {
        let value = &self.enumerated(value)?;
        if let Value::Ref(id) = value
            && let Kind::List { items, .. } = &self.object(*id).kind
            && !is_loose(&self.heap, *id)
        {
            return Ok(items.clone());
        }
        if let Value::Symbol(symbol) = value
            && let Term::Input(input) = &*symbol.term
        {
            let element = match &symbol.ty {
                Type::Class(_, args) => args.first().cloned().unwrap_or(Type::Unknown),
                Type::Array(element) => (**element).clone(),
                _ => Type::Unknown,
            };
            let size = Rc::new(Term::Apply(Function::Size, vec![symbol.term.clone()]));
            let is =
                |n: i32| Cond::Compare(BinaryOp::Eq, Prim::Int, size.clone(), Rc::new(Term::Const(Scalar::Int(n))));
            let input = input.clone();
            if self.decide(is(0), site)? {
                return Ok(Vec::new());
            }
            if self.decide(is(1), site)? {
                let item = self.input(input.element(0), &element, true);
                return Ok(vec![item]);
            }
            return Err(Stop::Cut(Bound::Turns));
        }
        let text = site.map_or_else(|| "a collection".into(), |site| self.source(site));
        let why = match value {
            Value::Unknown(unknown) => unknown.reasons.iter().map(AsRef::as_ref).collect::<Vec<_>>().join("; "),
            _ => "a collection is not known".to_owned(),
        };
        self.may_throw(&format!("{why}: its elements are not known"))?;
        if self.decide(Cond::Unknown(Rc::from(format!("{text} has no element")), Rc::from(why)), site)? {
            return Ok(Vec::new());
        }
        Err(Stop::Cut(Bound::Turns))
    }
}
