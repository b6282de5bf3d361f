//! Arrays: creation, reads and writes (JLS §10, §15.10).

use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::linking::code::{Code, Link};
use crate::interpret::values::scalar::{ClassRef, Scalar};
use crate::interpret::values::value::{Kind, ObjId, Object, Type, Value};
use crate::ir::body::ExprId;

/// Maximum length of an array.
const MAX_LENGTH: i32 = 1_000_000;

impl Machine<'_> {
    /// Creates a list of a library class; `list` means a modifiable `List`, `fixed` an unmodifiable one.
    pub fn list(&mut self, items: Vec<Value>, class: &str) -> Value {
        let fixed = class == "fixed";
        let fqn = match class {
            "fixed" | "list" => "java.util.List",
            other => other,
        };
        Value::Ref(self.allocate(Object::new(ClassRef::library(fqn), Kind::List { items, fixed })))
    }

    /// Creates an array with elements of this type.
    pub fn array(&mut self, items: Vec<Value>, element: Type) -> Value {
        let mut object = Object::new(ClassRef::library("array"), Kind::List { items, fixed: false });
        if element != Type::Unknown {
            object.parts.insert("element", Value::Class(element));
        }
        Value::Ref(self.allocate(object))
    }

    /// The element type of an array, if known.
    pub fn element_type(&self, array: ObjId) -> Option<&Type> {
        match self.object(array).parts.get("element") {
            Some(Value::Class(ty)) => Some(ty),
            _ => None,
        }
    }

    /// `new T[n][m]…`, or with an initialiser.
    pub fn new_array(&mut self, code: &Code, id: ExprId, lengths: &[ExprId], init: Option<ExprId>) -> Eval {
        if let Some(init) = init {
            return self.eval(code, init);
        }
        let lengths = self.eval_all(code, lengths)?;
        let element = match code.link(id) {
            Link::Array(element) => element.clone(),
            _ => Type::Unknown,
        };
        let mut sizes = Vec::new();
        for length in &lengths {
            let Some(length) = length.scalar().and_then(Scalar::as_int) else {
                return self.unknown_call("an array's length is not known", &[], Type::Array(Box::new(element)));
            };
            sizes.push(length);
        }
        if let Some(negative) = sizes.iter().find(|size| **size < 0) {
            let message = Value::text(&negative.to_string());
            return Err(self.throw("java.lang.NegativeArraySizeException", message));
        }
        let all = sizes.iter().try_fold(1_i32, |all, size| all.checked_mul((*size).max(1)));
        if all.is_none_or(|all| all > MAX_LENGTH) {
            return Ok(self.unknown("an array is too long", Type::Array(Box::new(element))));
        }
        self.filled(&sizes, &element)
    }

    fn filled(&mut self, sizes: &[i32], element: &Type) -> Eval {
        let Some((first, rest)) = sizes.split_first() else { return Ok(Value::NULL) };
        let length = usize::try_from(*first).unwrap_or_default();
        if rest.is_empty() {
            let zero = match element {
                Type::Prim(prim) => Value::Scalar(prim.zero()),
                _ => Value::NULL,
            };
            return Ok(self.array(vec![zero; length], element.clone()));
        }
        let inner = match element {
            Type::Array(inner) => (**inner).clone(),
            _ => Type::Unknown,
        };
        let mut items = Vec::with_capacity(length);
        for _ in 0..length {
            self.step()?;
            items.push(self.filled(rest, &inner)?);
        }
        Ok(self.array(items, element.clone()))
    }

    /// `array[index]`.
    pub fn element(&mut self, array: &Value, index: &Value) -> Eval {
        if self.is_enumerable(array) && index.scalar().is_some() {
            let known = self.enumerated(array)?;
            return self.element(&known, index);
        }
        if let (Value::Ref(id), Value::Scalar(index)) = (array, index)
            && let Some(at) = index.as_int()
            && let Kind::List { items, .. } = &self.object(*id).kind
        {
            return match usize::try_from(at).ok().and_then(|at| items.get(at)) {
                Some(item) => Ok(item.clone()),
                None => Err(self.out_of_bounds(*id, at)),
            };
        }
        self.not_null(array)?;
        let ty = match array {
            Value::Ref(id) => self.element_type(*id).cloned(),
            Value::Symbol(symbol) => match &symbol.ty {
                Type::Array(element) => Some((**element).clone()),
                _ => None,
            },
            Value::Unknown(unknown) => match &unknown.ty {
                Type::Array(element) => Some((**element).clone()),
                _ => None,
            },
            _ => None,
        };
        self.unknown_call("an array's element is not known", &[], ty.unwrap_or(Type::Unknown))
    }

    fn out_of_bounds(&mut self, array: ObjId, at: i32) -> crate::interpret::engine::machine::Stop {
        let length = match &self.object(array).kind {
            Kind::List { items, .. } => items.len(),
            _ => 0,
        };
        let message = format!("Index {at} out of bounds for length {length}");
        self.throw("java.lang.ArrayIndexOutOfBoundsException", Value::text(&message))
    }

    /// `array[index] = value`, with the array store check (JLS §15.26.1).
    pub fn set_element(&mut self, array: &Value, index: &Value, value: Value) -> Eval {
        self.not_null(array)?;
        let (Value::Ref(id), Some(at)) = (array, index.scalar().and_then(Scalar::as_int)) else {
            return self.unknown_call(
                "an element is assigned that is not known",
                &[array.clone(), value],
                Type::Unknown,
            );
        };
        let id = *id;
        let Kind::List { items, .. } = &self.object(id).kind else {
            return self.unknown_call("an element is assigned that is not known", &[value], Type::Unknown);
        };
        let Some(place) = usize::try_from(at).ok().filter(|at| *at < items.len()) else {
            return Err(self.out_of_bounds(id, at));
        };
        let element = self.element_type(id).cloned().unwrap_or(Type::Unknown);
        let value = self.convert(value, &element);
        if element.is_reference() && !value.is_null() && self.is_instance(&value, &element) == Some(false) {
            let message = match self.class_of(&value) {
                Some(class) => Value::text(&self.binary_name(&class)),
                None => Value::unknown("message of a library exception", Type::Str),
            };
            return Err(self.throw("java.lang.ArrayStoreException", message));
        }
        if let Kind::List { items, .. } = &mut self.object_mut(id).kind {
            items[place] = value.clone();
        }
        Ok(value)
    }

    /// The name that `Class.getName` returns.
    pub fn binary_name(&self, class: &ClassRef) -> String {
        match class {
            ClassRef::Library(fqn) => {
                // Package names start in lower case, so a type name below a class is a nested class.
                let mut out = String::new();
                let mut nested = false;
                for part in fqn.split('.') {
                    if !out.is_empty() {
                        out.push(if nested { '$' } else { '.' });
                    }
                    nested |= part.starts_with(char::is_uppercase);
                    out.push_str(part);
                }
                out
            }
            ClassRef::Project(ty) => match self.project.outer(*ty) {
                Some(outer) => {
                    let own = self.project.fqn(*ty);
                    let last = own.rsplit('.').next().unwrap_or(own);
                    format!("{}${last}", self.binary_name(&ClassRef::Project(outer)))
                }
                None => self.project.fqn(*ty).to_owned(),
            },
        }
    }
}
